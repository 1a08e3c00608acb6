"""Tooth forms without flanks (circular, single-point, rectangular): start and balance.

Then conveyor sprockets, whose flat bottoms let rollers shift.

Their walls ended in nothing. A roller that is pressed sideways by d as it passes the end then lost, or gained, the
whole elastic energy K d^2.5/2.5, and one that came down on a tooth was deep inside it: 10 % to 150 % of the energy
exchanged was unaccounted for in these drives, and the slack one with the single point found no rest. Now a corner
follows the wall, over which the force has a potential, and the tooth at its height.
"""

from __future__ import annotations

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.simulation.start import prepare
from support.small_drives import channel, two_wheels

FORMS = {
    "circular": {"form": "circular"},
    "single-point": {"form": "single-point"},
    "rectangular": {"form": "rectangular", "clearance": 4e-5, "height": 8e-4},
    "conveyor": {"form": "conveyor"},
}


def drive(form: str, span: float) -> cd.Drive:
    """17 and 25 teeth, 60 rad/s, 8 N m and more; span 20 pitches taut, 19.9 slack by 0.17 pitches."""
    return two_wheels(
        (17, 25),
        span,
        speed=60.0,
        tooth=FORMS[form],
        contact={"stiffness": 3e9, "exponent": 1.5, "restitution": 0.3, "friction": 0.05},
        second={"load_torque": 8.0, "load_viscous": 0.01},
        link_damping=30.0,
        joint_damping=1e-4,
    )


def moment_on_driven(described: cd.Drive, system: System) -> float:
    """Moment of two cut links, and of the weight of the rollers between them, about the driven wheel. [N m]"""
    n, centre = described.chain.links, described.wheels[1].position[0]
    x, y, tension = system.state[:n], system.state[n : 2 * n], channel(system, "link_tension")
    held = x > 0.5 * centre
    moment = float((x[held] - centre).sum()) * described.chain.link_mass * described.gravity[1]
    cut = np.flatnonzero(held != np.roll(held, -1))
    assert cut.size == 2
    for i in cut:
        a, b = (i, (i + 1) % n) if held[i] else ((i + 1) % n, i)
        along = np.array([x[b] - x[a], y[b] - y[a]])
        along /= np.hypot(*along)
        moment += tension[i] * ((x[a] - centre) * along[1] - y[a] * along[0])
    return moment


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("span", [20.02, 20.0, 19.9])
def test_start_has_no_negative_tensions(form: str, span: float) -> None:
    system = prepare(drive(form, span), start="at_rest").system
    # Walls up to the pitch circle reach into the path of rollers that enter and leave, which every such drive warns of
    assert all("into the path of rollers" in warning for warning in system.story.warnings)
    assert bool(system.story.warnings) == (form != "conveyor")
    assert channel(system, "span_tension").min() > 0.0
    assert channel(system, "link_tension").min() > 0.0
    # Moment balance of the driven wheel and the chain on it, cut in the middle of both spans: 8 N m. Where the chain
    # hangs, rolling at its speed strains its links at some um/s, times 30 N s/m: 1e-5 of it.
    assert moment_on_driven(drive(form, span), system) == pytest.approx(8.0, rel=1e-4)


@pytest.mark.parametrize(
    "form",
    ["circular", "conveyor", *(pytest.param(each, marks=pytest.mark.long) for each in ("single-point", "rectangular"))],
)
@pytest.mark.parametrize("span", [20.0, pytest.param(19.9, marks=pytest.mark.long)])
def test_balance_holds_and_gets_better_with_tolerance(form: str, span: float) -> None:
    for tolerance, bound in ((1.0, 3e-4), (0.01, 1e-5)):
        solver = cd.SolverOptions(
            atol_length=1e-8 * tolerance,
            atol_angle=1e-8 * tolerance,
            atol_speed=1e-4 * tolerance,
            atol_angular_speed=1e-4 * tolerance,
        )
        solution = cd.simulate(drive(form, span), 0.2, solver=solver, save=cd.SaveOptions(rate=5000.0))
        assert solution.status == cd.Status.REACHED_END
        assert solution.audit.relative_residual < bound
