"""Coulomb friction of pin in bush: its moment, its share of the energy balance, and the loss of a slow drive."""

from __future__ import annotations

import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.analytical.operating import joint_loss, operating_point
from chaindrive.model import override
from chaindrive.physics.joint import joint_friction_moment
from chaindrive.simulation.start import prepare

TEETH, MU, PIN = 20, 0.1, 0.00445
LOAD = 40.0


@pytest.fixture(scope="module")
def drive() -> cd.Drive:
    """Two equal wheels, taut enough not to rattle, slow enough that inertia is negligible."""
    pitch, tight = 0.0127, 30
    wheel = {"teeth": TEETH, "tooth": {"form": "asa-ii"}}
    return cd.Drive(
        name="two equal wheels",
        gravity=(0.0, 0.0),
        chain={"standard": "08B-1", "links": 2 * tight + TEETH, "joint_friction": MU, "joint_damping": 1e-4},
        contact={"stiffness": 5e10, "restitution": 0.0, "friction": 0.02},
        wheels=[
            wheel
            | {"name": "a", "position": (0.0, 0.0), "motion": {"kind": "constant_speed", "speed": 5.0, "ramp": 0.1}},
            wheel
            | {
                "name": "b",
                "position": (tight * pitch, 0.0),
                "inertia": 0.02,
                "load_torque": LOAD,
                "bearing_damping": 0.05,
            },
        ],
        preload={"span": 0, "tension": 300.0, "by": "wheel", "wheel": 1},
        run={"until": 1.0, "formulation": {"joint_friction_rate": 0.5, "friction_sharpness": 0.1}},
    )


def test_moment_is_that_of_coulomb() -> None:
    radius = MU * 0.5 * PIN
    rates = np.linspace(-50.0, 50.0, 101)
    moments = np.array([joint_friction_moment(rate, 800.0, radius, 1.0) for rate in rates])
    np.testing.assert_allclose(moments, -moments[::-1], atol=1e-18)
    assert moments[-1] == pytest.approx(radius * 800.0, rel=1e-12)
    assert np.all(moments * rates >= 0.0)  # takes energy, whichever way the joint turns
    assert joint_friction_moment(3.0, -800.0, radius, 1.0) == joint_friction_moment(3.0, 800.0, radius, 1.0)


@pytest.mark.parametrize("until", [0.01, pytest.param(0.2, marks=pytest.mark.long)])
def test_energy_changes_by_what_the_works_say(drive: cd.Drive, until: float) -> None:
    solution = cd.simulate(override(drive, {"preload": "none"}), until, start="at_speed")
    assert solution.audit.relative_residual < 1e-5
    assert solution.audit.losses["articulation"] > 0.0


@pytest.mark.long
def test_loss_of_a_slow_drive(drive: cd.Drive) -> None:
    # While a tooth passes, the joint that has just been seated turns by 2 pi/z, at entry and exit of each wheel:
    # loss per pitch = mu r (2 pi/z1 + 2 pi/z2) (F_tight + F_slack) when the pin carries the tension of the span. It
    # does at every other joint; at those between it carries the tension of the first link on the wheel, q times that
    # of the span, with Binder's q = sin(phi)/sin(phi + 2 pi/z). The loss lies between (1 + q)/2 and 1 of the textbook
    # value; small motions of the spans add to it.
    solution = cd.simulate(drive, 0.5, start="at_speed")
    time, work = solution.time, solution.values("work_articulation")
    late = time >= 0.2
    loss = np.polyfit(time[late], work[late], 1)[0]
    tension = solution.values("span_tension")[late].mean(axis=0)
    teeth_per_second = TEETH * 5.0 / (2.0 * math.pi)
    full = MU * 0.5 * PIN * (4.0 * math.pi / TEETH) * tension.sum() * teeth_per_second
    angle, step = math.radians(35.0 - 120.0 / TEETH), 2.0 * math.pi / TEETH
    assert 0.5 * (1.0 + math.sin(angle) / math.sin(angle + step)) < loss / full < 1.0
    # what chaindrive analyze shows is the textbook value
    assert joint_loss(operating_point(drive, tension), MU, PIN) == pytest.approx(full, rel=1e-12)
    # moment balance of the driven wheel: (F_tight - F_slack) R = load + bearing
    radius = drive.chain.pitch / (2.0 * math.sin(math.pi / TEETH))
    assert (tension.max() - tension.min()) * radius == pytest.approx(LOAD + 0.05 * 5.0, rel=0.02)


def test_friction_without_a_pin_diameter_is_refused(drive: cd.Drive) -> None:
    data = {
        "pitch": 0.0127, "links": 80, "link_mass": 0.009, "link_stiffness": 1e8, "link_damping": 40.0,
        "roller_diameter": 0.00851, "joint_friction": 0.1,
    }  # fmt: skip
    with pytest.raises(cd.InputError, match="pin_diameter"):
        cd.Drive(**(drive.to_dict() | {"chain": data}))


def test_step_knows_of_joint_friction(drive: cd.Drive) -> None:
    friction_given = prepare(drive, start="at_rest").system
    smooth = prepare(override(drive, {"chain.joint_friction": 0.0}), start="at_rest").system
    assert friction_given.motion.highest_frequency > smooth.motion.highest_frequency
