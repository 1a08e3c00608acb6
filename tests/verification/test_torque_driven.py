"""Drives without a prescribed motion: torques start them, loads balance them, weights drive them back."""

from __future__ import annotations

import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.losses import losses
from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.simulation.start import prepare
from support.small_drives import PITCH, two_wheels

TEETH = (16, 24)
RATIO = TEETH[0] / TEETH[1]
INERTIA = (1e-3, 3e-3)
TIGHT = cd.SolverOptions(atol_length=1e-10, atol_angle=1e-10, atol_speed=1e-7, atol_angular_speed=1e-7)
SAVE = cd.SaveOptions(rate=2000.0, channels="all", precision="double")


def drive(motor, load=None, **changes) -> cd.Drive:
    """A motor of 16 teeth pulls a wheel of 24 over a chain with some slack, which damps its own oscillations."""
    contact = {"stiffness": 1e9, "restitution": 0.3, "friction": 0.05}
    given = {"link_damping": 40.0, "contact": contact} | changes
    first = {"motion": None, "inertia": INERTIA[0]} | motor
    return two_wheels(TEETH, 11.85, first=first, second={"inertia": INERTIA[1]} | (load or {}), **given)


def reduced_inertia(made: cd.Drive) -> float:
    """Inertia of wheels and chain referred to the shaft of the motor: the chain moves z P / (2 pi) per radian. [kg
    m^2]
    """
    radius = TEETH[0] * PITCH / (2.0 * math.pi)
    return INERTIA[0] + INERTIA[1] * RATIO**2 + made.chain.links * made.chain.link_mass * radius**2


def chain_speeds(done: cd.Solution) -> np.ndarray:
    """Speeds of both wheels referred to the motor, (rows, 2) [rad/s]."""
    return done.values("wheel_speed") * np.array([1.0, 1.0 / RATIO])


def moved(done: cd.Solution, wheel: int) -> np.ndarray:
    """Angle that a wheel has turned, (rows,) [rad]."""
    angle = done.values("wheel_angle", item=wheel)
    return angle - angle[0]


def test_a_constant_torque_starts_inertia_from_rest():
    """w = M t / J. Losses and the waves of the start in the chain: below 1 % of the torque's work."""
    made = drive({"torque": 2.0})
    done = cd.simulate(made, 0.06, solver=TIGHT, save=SAVE)
    assert done.status == Status.REACHED_END
    speeds, t = chain_speeds(done), done.time
    assert speeds[0] == pytest.approx([0.0, 0.0], abs=1e-12)
    late = t > 0.03
    slope = np.polyfit(t[late], speeds[late], 1)[0]
    np.testing.assert_allclose(slope, 2.0 / reduced_inertia(made), rtol=0.02)
    # Teeth keep both wheels together, but for what the slack of 0.4 mm is on a radius of 32 mm.
    np.testing.assert_allclose(moved(done, 1)[late] / RATIO, moved(done, 0)[late], rtol=0.0, atol=0.4 / 32.0)
    # What the motor gives is its torque times the angle, all of it is input, and the audit closes.
    np.testing.assert_allclose(done.values("work_input"), 2.0 * moved(done, 0), rtol=0.0, atol=1e-8)
    assert not done.values("work_output").any()
    lost = sum(done.audit.losses.values())
    assert 0.0 < lost < 0.01 * done.audit.input
    assert done.audit.relative_residual < 1e-6


def test_a_torque_over_time_gives_its_impulse():
    """J w = integral of the torque: 2 N m rise within 0.02 s, stay to 0.04 s and vanish at 0.05 s."""
    course = {"over": "time", "times": [0, 0.02, 0.04, 0.05], "torques": [0, 2, 2, 0]}
    made = drive({"torque": course})
    done = cd.simulate(made, 0.07, solver=TIGHT, save=SAVE)
    impulse = 0.5 * 0.02 * 2.0 + 0.02 * 2.0 + 0.5 * 0.01 * 2.0
    after = done.time > 0.05
    np.testing.assert_allclose(chain_speeds(done)[after].mean(axis=0), impulse / reduced_inertia(made), rtol=0.02)
    assert np.ptp(done.values("work_input")[after]) < 1e-12
    assert done.audit.relative_residual < 1e-6


CURVE = {"over": "speed", "speeds": [-40, 40], "torques": [8, 0]}
"""4 N m at rest, falling to 0 at 40 rad/s."""


def test_a_torque_over_speed_settles_where_the_load_balances_it():
    """4 (1 - w / 40) = 3 x 2 / 3: 20 rad/s; the time constant J / (4 / 40) is some 0.03 s, 0.25 s are eight of them.

    At the balance the power of the motor is exactly what load and losses take, and the losses slow it by 1 % at most.
    """
    made = drive({"torque": CURVE}, {"load_torque": 3.0})
    assert drive_facts(made).nominal_speed == pytest.approx(20.0, rel=1e-12)
    done = cd.simulate(made, 0.6, save=SAVE)
    turn = 2.0 * math.pi / 20.0
    late = done.time > 0.6 - turn
    speed = chain_speeds(done)[late].mean(axis=0)
    np.testing.assert_allclose(speed, 20.0, rtol=0.01)
    found = losses(done, 0.6 - turn)
    torque = 4.0 * (1.0 - speed[0] / 40.0)
    assert found.input == pytest.approx(torque * speed[0], rel=2e-3)  # the speed ripples a little
    assert found.output == pytest.approx(3.0 * speed[1] * RATIO, rel=1e-3)
    assert found.no_efficiency == ""
    assert 0.98 < found.efficiency < 1.0
    assert found.sources == ("driver", "driven")


def test_a_start_at_its_balance_stays_there():
    """Nothing has to be accelerated or decelerated: over every tooth the mean speed stays within 2 %."""
    made = drive({"torque": CURVE, "initial_speed": 20.0}, {"load_torque": 3.0})
    done = cd.simulate(made, 0.12, save=SAVE, start="at_speed")
    speeds = chain_speeds(done)
    assert speeds[0] == pytest.approx([20.0, 20.0], rel=1e-9)
    rows = round(2.0 * math.pi / 20.0 / TEETH[0] * SAVE.rate)
    means = np.array([speeds[k : k + rows].mean(axis=0) for k in range(0, len(speeds) - rows, rows)])
    np.testing.assert_allclose(means, 20.0, rtol=0.02)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_weight_drives_the_motor_back(sign):
    """A weight of 4.5 N m against 1 N m of the motor: from 12 rad/s the drive stops, turns back and runs down.

    J dw/dt = -(4.5 x 2/3 - 1) - friction, that of the bearing against the actual speed; the slack passes to the other
    side with it. The motor's work is negative in the end: it brakes.
    """
    motor = {"torque": sign * 1.0, "initial_speed": sign * 12.0, "bearing_friction": 0.1}
    made = drive(motor, {"torque": -sign * 4.5})
    done = cd.simulate(made, 0.06, solver=TIGHT, save=SAVE, start="at_speed")
    assert done.status == Status.REACHED_END
    speeds = sign * chain_speeds(done)
    inertia, pull = reduced_inertia(made), 4.5 * RATIO - 1.0
    stopped = 12.0 * inertia / (pull + 0.1)
    expected = -(0.06 - stopped) * (pull - 0.1) / inertia
    np.testing.assert_allclose(speeds[-6:].mean(axis=0), expected, rtol=0.05)
    np.testing.assert_allclose(done.values("work_input"), sign * moved(done, 0), rtol=0.0, atol=1e-8)
    np.testing.assert_allclose(done.values("work_output"), sign * 4.5 * moved(done, 1), rtol=0.0, atol=1e-8)
    assert done.values("work_input")[-1] < 0.0
    # friction takes energy in either sense, but for what the spring of the bearing gives back as it turns round
    assert np.all(np.diff(done.values("work_bearing")) >= -1e-5)
    assert done.audit.relative_residual < 1e-6


@pytest.mark.parametrize("torque", [2.0, 5.0, 0.5])
@pytest.mark.parametrize("load", [{"load_torque": 3.0}, {"torque": -3.0}])
def test_at_rest_the_driver_is_held_and_the_chain_carries_the_load(torque, load):
    """On the shaft of the motor 3 x 2/3 = 2 N m pull back: the brake takes the difference."""
    system = prepare(drive({"torque": torque, "initial_speed": 1.0}, load), start="at_rest").system
    assert system.story.notes["static_converged"]
    assert system.story.notes["static_holding_torque"] == pytest.approx(
        3.0 * RATIO - torque, abs=0.02
    )  # weight of the chain
    # T2 - T1 = M / r on the pitch circle of the polygon; seats turn the force of single teeth by little.
    tension = np.array(system.story.notes["static_span_tension"])
    assert abs(tension[0] - tension[1]) == pytest.approx(3.0 / (TEETH[1] * PITCH / (2.0 * math.pi)), rel=0.03)


def test_a_load_that_runs_away_at_rest_is_no_error():
    """The motor is too weak for the load: when the brake lets go, the drive runs backwards."""
    motor = {"torque": 0.5, "initial_speed": 1.0}  # the wheel that drives, for the weight pulls harder
    done = cd.simulate(drive(motor, {"torque": -3.0}), 0.03, save=SAVE, start="at_rest")
    assert done.status == Status.REACHED_END
    assert not any("equilibrium" in warning for warning in done.warnings)
    assert (chain_speeds(done)[-1] < -3.0).all()


@pytest.mark.parametrize("kind", ["block", pytest.param("roller", marks=pytest.mark.long)])
def test_until_steady(kind):
    """It ends where motor and load balance, and reports since when; the speed in the report is the one found."""
    made = drive({"torque": CURVE}, {"load_torque": 3.0})
    done = cd.simulate(made, "steady", formulation=kind, start="at_rest", save=SAVE)
    assert done.notes["steady"]
    assert done.notes["steady_since"] > 0.05
    assert done.notes["driver_revolution"] == pytest.approx(2.0 * math.pi / 20.0)


def test_a_drive_that_speeds_up_for_ever_is_not_steady():
    made = drive({"torque": 0.4})
    with pytest.raises(InputError, match="no speed at which torques and loads balance"):
        cd.simulate(made, "steady")
    done = cd.simulate(made, "steady", at_most=0.3, save=SAVE)
    assert done.status == Status.REACHED_END
    assert not done.notes["steady"]
    assert done.notes["end_time"] >= 0.3


def test_a_drive_that_a_load_drives_back_steadily_is_steady():
    """A weight that exceeds the stall torque drives it back, up to the speed at which its curve balances it: 8 N m."""
    made = drive({"torque": CURVE, "initial_speed": 5.0}, {"torque": -9.0})
    done = cd.simulate(made, "steady", start="at_speed", at_most=3.0, save=SAVE)
    assert done.notes["steady"]
    np.testing.assert_allclose(chain_speeds(done)[-20:].mean(axis=0), -20.0, rtol=0.02)


def test_a_run_goes_on_where_another_ended():
    """Speeds and angles continue, without a second start and without the brake of the first one."""
    made = drive({"torque": CURVE}, {"load_torque": 3.0})
    whole = cd.simulate(made, 0.06, save=SAVE, start="at_rest")
    first = cd.simulate(made, 0.03, save=SAVE, start="at_rest")
    again = cd.simulate(made, 0.03, save=SAVE, initial=first)
    np.testing.assert_array_equal(again.values("wheel_speed")[0], first.values("wheel_speed")[-1])
    np.testing.assert_allclose(chain_speeds(again)[-1].mean(), chain_speeds(whole)[-1].mean(), rtol=0.01)


def test_verlet_runs_it_too():
    """Both methods follow the same start: the same speed at the end, and balances that close."""
    made = drive({"torque": CURVE}, {"load_torque": 3.0})
    one, other = (
        cd.simulate(made, 0.05, save=SAVE, start="at_rest", solver=name) for name in ("dormand-prince", "verlet")
    )
    assert chain_speeds(one)[-1].mean() == pytest.approx(chain_speeds(other)[-1].mean(), rel=0.01)
    assert other.audit.relative_residual < 1e-3
