"""Drives in the formulation of rigid links: against rollers, balance of energy, continued runs, bush chains, oil."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.model import LinkOptions, RollerOptions
from chaindrive.simulation.start import settle
from chaindrive.solvers import Integrator, SolverSettings
from support.link_chains import ring
from support.small_drives import channel, rates, resting, rolling, run, running_links, two_wheels

QUICK = SolverSettings(atol_length=1e-10, atol_angle=1e-10, atol_speed=1e-6, atol_angular_speed=1e-6)


def test_at_rest_links_and_rollers_are_the_same() -> None:
    """Without weight a link is a two-force member: springs in its joints stretch like the spring of a link."""
    drive = two_wheels((17, 19), 14.0, gravity=(0.0, 0.0), links=46, second={"load_torque": 3.0, "inertia": 0.01})
    found = [resting(compile_system(drive, options, True)) for options in (RollerOptions(), LinkOptions(joint="ideal"))]
    tensions = [channel(system, "link_tension") for system in found]
    assert tensions[0].max() > 20.0
    np.testing.assert_allclose(tensions[1], tensions[0], atol=1e-4 * tensions[0].max())
    held = np.minimum(tensions[0], np.roll(tensions[0], 1)) > 0.01 * tensions[0].max()  # slack lies anywhere
    assert held.sum() > 20
    places = [channel(system, "roller_position")[held] for system in found]
    np.testing.assert_allclose(places[1], places[0], atol=1e-7)


@pytest.mark.parametrize("clearance", [0.0, 30e-6])
def test_clearance_alone_makes_no_taut_chain_longer(clearance: float) -> None:
    drive = two_wheels((17, 19), 14.0, gravity=(0.0, 0.0), links=46, second={"load_torque": 3.0, "inertia": 0.01})
    chain = drive.chain.model_copy(update={"joint_clearance": 2.0 * clearance})
    system = settle(compile_system(drive.model_copy(update={"chain": chain}), LinkOptions(), True))
    assert system.story.notes["static_converged"]
    tight = channel(system, "span_tension").max()
    rollers = settle(compile_system(drive, RollerOptions(), True))
    assert tight == pytest.approx(channel(rollers, "span_tension").max(), rel=1e-3)


@pytest.mark.parametrize(
    ("kind", "oil"),
    [
        ("roller", {}),
        ("bush", {}),
        ("roller", {"oil_damping": 5.0, "surface_oil_damping": 5.0, "roller_damping": 1e-6}),
    ],
)
def test_a_running_drive_accounts_for_its_energy(kind: str, oil: dict[str, float]) -> None:
    drive = running_links(kind=kind)
    found = run(rolling(compile_system(drive, LinkOptions(**oil), True)), 4e-3, 2e-4, QUICK)
    assert found.status.name == "REACHED_END"
    lost = {name: found.channels[f"work_{name}"][-1] for name in ("articulation", "friction", "guide", "oil_film")}
    assert min(lost[name] for name in ("articulation", "friction", "guide")) > 0.0
    assert (lost["oil_film"] > 0.0) == bool(oil)
    exchanged = found.channels["work_input"][-1] + found.channels["energy_kinetic"][0]
    np.testing.assert_allclose(found.channels["energy_residual"], 0.0, atol=1e-5 * exchanged)
    gap = found.channels["pin_gap"]
    assert gap.max() <= 1e-5 + 1e-12  # a pin cannot be nearer than the clearance to all of its bush
    assert gap.min() < 0.0


def test_a_roller_that_turns_on_its_bush_takes_from_its_wheel_what_it_gives_to_its_link() -> None:
    """D times the relative speed of wheel and link, for every roller that is pressed: here all links are at rest."""
    drive = two_wheels((17, 19), 14.0, gravity=(0.0, 0.0), links=46, second={"load_torque": 3.0, "inertia": 0.01})
    damping, turning = 1e-3, np.array([4.0, 7.0])
    loose, rubbing = (
        compile_system(drive, LinkOptions(joint="ideal", roller_damping=given), True) for given in (0.0, damping)
    )
    n, first = loose.parameters.links, loose.positions
    y = resting(loose).state.copy()
    y[first + 3 * n : 2 * first] = turning
    rubbing.kernels.begin(0.0, y, rubbing.parameters)
    surface, depth = (channel(loose, f"contact_{name}", y) for name in ("surface", "penetration"))
    pressed = np.array([((surface == w) & (depth > 0.0)).sum() for w in range(2)])
    assert pressed.min() > 5
    faster = (rates(rubbing, y) - rates(loose, y))[first : 2 * first]
    on_links, on_wheel = rubbing.masses[2 * n : 3 * n] @ faster[2 * n : 3 * n], rubbing.masses[-1] * faster[-1]
    assert on_links == pytest.approx(damping * (pressed @ turning), rel=1e-6)
    assert on_wheel == pytest.approx(-damping * pressed[1] * turning[1], rel=1e-6)


def test_a_run_in_two_parts_is_one_run() -> None:
    """The method is one whose steps do not depend on earlier ones."""
    drive = two_wheels(
        (17, 19), 14.0, speed=20.0, joint_clearance=2e-5, pin_diameter=0.004, link_damping=20.0,
        second={"load_torque": 2.0, "inertia": 2e-3},
    )  # fmt: skip
    given = {"formulation": "link", "solver": "dormand-prince", "save": cd.SaveOptions(rate=1000.0, precision="double")}
    whole = cd.simulate(drive, until=0.01, **given)
    part = cd.simulate(drive, until=0.005, **given)
    rest = cd.simulate(drive, until=0.005, **given, initial=part)
    for name, tolerance in (("roller_position", 1e-7), ("link_angle", 1e-5)):
        np.testing.assert_allclose(rest.values(name)[-1], whole.values(name)[-1], atol=tolerance)
    tight = whole.values("link_tension")[-1].max()
    np.testing.assert_allclose(rest.values("link_tension")[-1], whole.values("link_tension")[-1], atol=2e-3 * tight)


@pytest.mark.parametrize(
    ("law", "stiffness", "instants"),
    [
        ("flores", 1e10, 3),
        ("lankarani-nikravesh", 1e15, 5),
        *(pytest.param(law, 1e10, 16, marks=pytest.mark.long) for law in ("lankarani-nikravesh", "flores")),
    ],
)
def test_the_limit_of_the_step_bounds_the_spectrum_of_a_running_chain(
    law: str, stiffness: float, instants: int
) -> None:
    """At instants of a run, compared with all eigenvalues of the equations there; contacts of flores are heavily
    damped.

    The stiffest contacts are far above the joints: they show whether links also yield by rotation.
    """
    hard = {"stiffness": stiffness, "exponent": 1.5, "restitution": 0.1, "friction": 0.0}
    system = compile_system(running_links(contact=hard, guides=[]), LinkOptions(contact_law=law), True)
    state = system.state.copy()
    state[system.positions : 2 * system.positions] = system.motion.rolling
    system.kernels.begin(0.0, state, system.parameters)
    run_on = Integrator(replace(system, state=state), SolverSettings(), 1.0)
    ratios = []
    for instant in np.linspace(1e-3, 4e-3, instants):
        run_on.advance(instant)
        while np.abs(system.parameters.pin.penetration).min() < 1e-9:  # its damper begins at once: no slope
            run_on.advance(run_on.time + 1e-7)
        limit, fastest = _limit_and_fastest(system, run_on.time, run_on.state)
        ratios.append(limit / fastest)
    assert min(ratios) >= 1.0
    assert max(ratios) < 8.0


def test_friction_of_joints_limits_the_step_by_the_inertia_of_the_links_that_it_turns() -> None:
    """When smoothed over a low rate it is a stiff damper, compared with which soft joints are slow."""
    system, _ = ring(8, 1e-2, stiffness=1e4)
    friction = {"joint_friction_radius": 4e-4, "joint_friction_rate": 1e-3}
    system = replace(system, parameters=system.parameters._replace(**friction))
    limit, fastest = _limit_and_fastest(system, 0.0, system.state)
    assert 1.0 <= limit / fastest < 8.0


def _limit_and_fastest(system: System, time: float, state: np.ndarray) -> tuple[float, float]:
    """The limit of a step according to the formulation, and the largest eigenvalue of its equations. [rad/s]"""
    moving = 2 * system.positions
    jacobian = np.zeros((moving, moving))
    ends = np.zeros((2, state.size))
    for column in range(moving):
        step = 1e-10 if column < system.positions else 1e-6
        for sign, end in zip((1.0, -1.0), ends, strict=True):
            moved = state.copy()
            moved[column] += sign * step
            system.kernels.rhs(time, moved, end, system.parameters)
        jacobian[:, column] = (ends[0] - ends[1])[:moving] / (2.0 * step)
    system.kernels.rhs(time, state, ends[0], system.parameters)
    limit = system.kernels.asked("frequency", "this test")(state, system.parameters)
    return limit, np.abs(np.linalg.eigvals(jacobian)).max()
