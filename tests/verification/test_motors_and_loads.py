"""Motors, governors, torques over the angle, courses of loads and of speeds, in runs: closed-form solutions and
balances.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numba.core import config
from scipy.integrate import quad

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.mechanism.course import speed_knots
from chaindrive.model import Drive, InductionMotor, override
from support import block_drives
from support.small_drives import PITCH, two_wheels, wheels_in_space

COMPILED = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")
SAVE = cd.SaveOptions(rate=2000.0, channels="all", precision="double")
PLATE = {
    "kind": "induction_motor",
    "rated_power": "300 W",
    "rated_speed": "1400 rpm",
    "pull_out_ratio": 2.4,
    "starting_ratio": 2.0,
    "gear_ratio": 8,
}
RATIO, REDUCED = 0.5, 0.01 + 0.05 * 0.25
"""Data of the block below: the second wheel turns half as fast; inertia on the shaft of the first [kg m^2]."""


def block(first, second=None, **options) -> Drive:
    """Wheels of 20 and 40 teeth, inertias of 0.01 and 0.05 kg m^2, in the block, their chain with damping."""
    return block_drives.two_wheels(
        {"initial_speed": None} | first, second, **{"damping": 300.0, "stiffness": 1e6} | options
    )


def roller(first, second=None, **changes) -> Drive:
    """The drive in the roller formulation, with 16 and 24 teeth."""
    contact = {"stiffness": 1e9, "restitution": 0.3, "friction": 0.05}
    given = {"link_damping": 40.0, "contact": contact} | changes
    wheel = {"motion": None, "inertia": 0.02} | first
    return two_wheels((16, 24), 11.85, first=wheel, second={"inertia": 0.03} | (second or {}), **given)


def on_the_motor(made: Drive) -> tuple[float, float]:
    """Speed of the second wheel over that of the first, and inertia of wheels and chain on its shaft. [-, kg m^2]"""
    one, other = made.wheels
    ratio, radius = one.teeth / other.teeth, one.teeth * PITCH / (2.0 * math.pi)
    chain = 0.0 if made.run.formulation.kind == "block" else made.chain.links * made.chain.link_mass * radius**2
    return ratio, one.inertia + other.inertia * ratio**2 + chain


def motor_torque(speed: float) -> float:
    """Kloss' formula, written independently: on the wheel, behind the gear. [N m]"""
    motor = InductionMotor(**PLATE)
    synchronous, gear = motor.synchronous_speed, 8.0
    slip = 1.0 - gear * speed / synchronous
    at_rest, critical = motor.critical_slip_at_rest, motor.critical_slip
    bend = critical + (at_rest - critical) * min(max((slip - critical) / (1.0 - critical), 0.0), 1.0)
    return gear * 2.0 * 2.4 * motor.rated_torque / (slip / bend + bend / slip)


@pytest.mark.parametrize("kind", ["block", pytest.param("roller", marks=COMPILED)])
def test_start_up_of_an_induction_motor(kind):
    """t = integral of J dw / (M_T - M_L) from rest, compared with the instants at which the run has these speeds."""
    load = {"loads": [{"torque": 6.0, "against": "running_sense"}]}
    heavy = {"torque": PLATE, "inertia": 0.2}, load | {"inertia": 1.0 if kind == "block" else 0.3}
    made = block(*heavy, stiffness=1e9, damping=1e5) if kind == "block" else roller(*heavy)
    ratio, inertia = on_the_motor(made)
    done = cd.simulate(made, 0.8, start="at_rest", save=SAVE)
    assert done.status == Status.REACHED_END
    own = np.array([made.wheels[0].inertia, ratio * made.wheels[1].inertia])
    momentum = done.values("wheel_speed") @ own  # that of the chain apart, which goes with both
    speeds = momentum / (own[0] + ratio * own[1])
    for speed in (6.0, 10.0, 14.0, 16.0):
        expected = quad(lambda w: inertia / (motor_torque(w) - 6.0 * ratio), 0.0, speed, limit=200)[0]
        found = float(np.interp(speed, speeds, done.time))
        # teeth and slack of the roller chain let the speeds of both wheels swing by some per cent about their mean
        assert found == pytest.approx(expected, rel=2e-4 if kind == "block" else 0.03)
    assert done.audit.relative_residual < 1e-5
    late = done.values("motor_torque")[-1, 0]
    assert late == pytest.approx(motor_torque(done.values("wheel_speed")[-1, 0]), rel=1e-9)
    assert done.values("load_torque")[-1] == pytest.approx([0.0, -6.0])


@pytest.mark.parametrize("time_constant", [0.0, 0.1])
def test_a_dc_motor_runs_up_as_its_linear_equation_says(time_constant):
    """J w' = M i, L/R i' = 1 - w/w0 - i from rest: without inductance w = w0 (1 - exp(-t M/(J w0)))."""
    made = block({"torque": {"kind": "dc_motor", "no_load_speed": 60.0, "stall_torque": 20.0,
                             "time_constant": time_constant}}, stiffness=1e7, damping=3e3)  # fmt: skip
    done = cd.simulate(made, 0.4, start="at_rest", save=SAVE)
    assert done.status == Status.REACHED_END
    speed = done.values("wheel_speed") @ np.array([0.01, 0.05 * RATIO]) / REDUCED  # momentum over reduced inertia
    t = done.time
    rate = 20.0 / (REDUCED * 60.0)
    if time_constant == 0.0:
        expected = 60.0 * (1.0 - np.exp(-rate * t))
    else:
        # s^2 + s/T + rate/T = 0, roots a +- i b; w and w' are 0 at the start
        a, square = -0.5 / time_constant, rate / time_constant - 0.25 / time_constant**2
        assert square > 0.0
        b = math.sqrt(square)
        expected = 60.0 * (1.0 - np.exp(a * t) * (np.cos(b * t) - a / b * np.sin(b * t)))
        assert speed.max() > 61.0  # it overshoots
    np.testing.assert_allclose(speed, expected, atol=0.02)
    assert done.audit.relative_residual < 1e-6  # the current has no mechanical energy
    np.testing.assert_allclose(done.values("motor_torque")[0, 0], 20.0 if time_constant == 0.0 else 0.0, atol=1e-9)


@pytest.mark.parametrize(
    ("kind", "sign"),
    [
        ("block", 1.0),
        ("block", -1.0),
        pytest.param("roller", 1.0, marks=COMPILED),
        pytest.param("roller", -1.0, marks=[COMPILED, pytest.mark.long]),
    ],
)
def test_a_governor_settles_at_its_mean(kind, sign):
    """Whatever the load: the integral part ends where the mean speed is the wanted one, also after a load step."""
    governor = {"kind": "governor", "speed": sign * 20.0, "largest_torque": 20.0, "proportional": 1.0, "integral": 15.0}
    torque = [governor, {"kind": "orders", "orders": [{"order": 2, "amplitude": 1.0}]}]
    load = {"loads": [{"torque": 4.0}, {"torque": 5.0, "start": 0.5, "rise": 0.02}]}
    made = block({"torque": torque}, load) if kind == "block" else roller({"torque": torque}, load)
    done = cd.simulate(made, 1.5, start="at_rest", save=SAVE)
    assert done.status == Status.REACHED_END
    turn = 2.0 * math.pi / 20.0
    angle, time = done.values("wheel_angle", item=0), done.time
    ends = [float(np.interp(t, time, angle)) for t in (1.5 - 2.0 * turn, 1.5)]
    assert (ends[1] - ends[0]) / (2.0 * turn) == pytest.approx(sign * 20.0, rel=3e-3)
    assert done.audit.relative_residual < (1e-5 if kind == "block" else 1e-4)


def test_a_governor_that_was_at_its_limit_does_not_overshoot():
    """It starts at its largest torque for a second: back-calculation keeps X at limit - P e.

    Without it X would be I times the lost speed, some 15 x 10 = 150 N m, and the speed would run away by far.
    """
    governor = {"kind": "governor", "speed": 20.0, "largest_torque": 0.5, "proportional": 1.0, "integral": 15.0}
    done = cd.simulate(block({"torque": governor}, {"load_viscous": 0.02}), 3.0, start="at_rest", save=SAVE)
    speed = done.values("wheel_speed", item=0)
    assert speed[-1] == pytest.approx(20.0, rel=2e-3)
    assert speed.max() < 20.4
    assert done.values("motor_torque", item=0)[done.time < 0.5] == pytest.approx(0.5)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_governor_without_an_integral_part_droops(sign):
    """M = P e alone: a load of 5 N m at the driver reduces the speed by 5 rad/s throughout."""
    governor = {"kind": "governor", "speed": sign * 20.0, "largest_torque": 20.0, "proportional": 1.0}
    made = block({"torque": governor, "initial_speed": sign * 15.0}, {"loads": [{"torque": 10.0}]})
    done = cd.simulate(made, 1.0, start="at_speed", save=SAVE)
    speed, motor = (done.values(name, item=0) for name in ("wheel_speed", "motor_torque"))
    np.testing.assert_allclose(speed, sign * 15.0, rtol=2e-3)
    np.testing.assert_allclose(motor, sign * 5.0, rtol=2e-2)


def test_half_orders_put_in_their_mean():
    """Work of the shaft over two turns is 4 pi mean, also behind a gear: one period of half orders of the machine."""
    orders = [{"order": 0.5, "amplitude": 3.0}, {"order": 2.5, "amplitude": 2.0, "phase": 1.0}]
    torque = {"kind": "orders", "mean": 2.0, "orders": orders, "gear_ratio": 2}
    made = block({"torque": torque, "initial_speed": 30.0}, {"load_viscous": 0.4})
    done = cd.simulate(made, 2.5, start="at_speed", save=SAVE)
    angle, work = done.values("wheel_angle", item=0), done.values("shaft_work", item=0)
    marks = angle[0] + 2.0 * math.pi * np.arange(1, int((angle[-1] - angle[0]) / (2.0 * math.pi)))
    # a turn of the wheel is two of the machine; the wheel gets twice the torque
    np.testing.assert_allclose(np.diff(np.interp(marks, angle, work)), 2.0 * math.pi * 4.0, rtol=2e-4)
    assert done.audit.relative_residual < 1e-6


def test_the_impulse_of_pulses_is_the_change_of_momentum():
    """J dw = - torque x (hold + rise/2 + fall/2) each time, for a drive that coasts without any loss."""
    pulses = {"torque": 3.0, "start": 0.1, "rise": 0.01, "hold": 0.02, "fall": 0.03, "every": 0.2, "pulses": 3}
    made = block({"initial_speed": 40.0}, {"loads": [pulses]})
    done = cd.simulate(made, 0.7, start="at_speed", save=SAVE)
    momentum = done.values("wheel_speed") @ np.array([0.01, 0.05 * RATIO])
    each = -3.0 * RATIO * (0.02 + 0.5 * 0.04)
    for k, at in enumerate((0.05, 0.25, 0.45, 0.65)):
        found = float(np.interp(at, done.time, momentum))
        assert found - momentum[0] == pytest.approx(k * each, rel=1e-3, abs=1e-6)
    assert done.audit.relative_residual < 1e-6


def test_a_load_against_the_motion_stops_a_drive_and_leaves_it_there():
    """It stops after J w / T and stays: nothing acts at standstill, so that nothing drives it back."""
    done = cd.simulate(block({"initial_speed": 10.0}, {"loads": [{"torque": 4.0, "standstill_speed": 0.01}]}), 0.3,
                       start="at_speed", save=SAVE)  # fmt: skip
    speed = done.values("wheel_speed") @ np.array([0.01, 0.05 * RATIO]) / REDUCED
    stops = REDUCED * 10.0 / (4.0 * RATIO)
    before = done.time < 0.9 * stops
    np.testing.assert_allclose(speed[before], 10.0 * (1.0 - done.time[before] / stops), atol=0.01)
    assert abs(speed[done.time > stops + 0.05]).max() < 1e-3
    assert np.all(np.diff(done.values("work_output")) > -1e-9)
    kept = override(block({"initial_speed": 10.0}, {"loads": [{"torque": 4.0}]}),
                    {"wheels.1.loads.0.against": "running_sense"})  # fmt: skip
    back = cd.simulate(kept, 0.3, start="at_speed", save=SAVE).values("wheel_speed")[-1]
    assert (back < -5.0).any()


@pytest.mark.parametrize("kind", ["block", pytest.param("roller", marks=[COMPILED, pytest.mark.long])])
def test_reversal_through_the_slack(kind):
    """An inverter takes the motor from +f to -f: the drive stops, passes its slack and runs back at the other speed."""
    supply = {"times": [0, 0.3, 0.5, 1.0], "frequencies": ["50 Hz", "50 Hz", "50 Hz", "-50 Hz"]}
    load = {"loads": [{"torque": 3.0}]}
    first = {"torque": PLATE | {"supply": supply}}
    made = block(first, load, slack=2e-3) if kind == "block" else roller(first, load)
    done = cd.simulate(made, 1.4, start="at_rest", save=SAVE)
    assert done.status == Status.REACHED_END
    speed = done.values("wheel_speed", item=0)
    ahead, back = (float(speed[(done.time > a) & (done.time < b)].mean()) for a, b in ((0.4, 0.5), (1.3, 1.4)))
    assert back == pytest.approx(-ahead, rel=0.01)
    assert motor_torque(ahead) == pytest.approx(3.0 * made.wheels[0].teeth / made.wheels[1].teeth, rel=0.2)
    tension = done.values("span_tension")
    taut = [tension[(done.time > a) & (done.time < b)].mean(axis=0) for a, b in ((0.4, 0.5), (1.3, 1.4))]
    assert np.argmax(taut[0]) != np.argmax(taut[1])  # the other span pulls
    assert done.audit.relative_residual < 1e-4


# Motions --------------------------------------------------------------------------------------------------------------

TABLE = {"kind": "speed_table", "times": [0, 0.3, 0.6, 0.7, 0.9], "speeds": [0, 25, 25, 0, 0]}
"""Run up, hold, stop in a tenth of a second, stay at rest."""


@pytest.mark.parametrize("kind", ["block", pytest.param("roller", marks=COMPILED)])
def test_a_table_of_speed_is_followed_and_its_angle_is_the_integral(kind):
    second = {"bearing_friction": 0.2, "inertia": 0.03}
    made = block({"motion": TABLE}, second) if kind == "block" else roller({"motion": TABLE}, second)
    done = cd.simulate(made, 0.9, start="at_rest", save=SAVE)
    assert done.status == Status.REACHED_END
    time, speed = done.time, done.values("wheel_speed", item=0)
    angle = done.values("wheel_angle", item=0)
    held = (time > 0.3) & (time < 0.6)
    np.testing.assert_allclose(speed[held], 25.0, rtol=0.0, atol=1e-5)
    np.testing.assert_allclose(speed[time > 0.7], 0.0, rtol=0.0, atol=1e-5)
    whole = 0.5 * 25.0 * 0.3 + 25.0 * 0.3 + 0.5 * 25.0 * 0.1
    assert angle[-1] - angle[0] == pytest.approx(whole, abs=1e-6)
    assert speed_knots(TABLE["times"], TABLE["speeds"])[-1, 5] == pytest.approx(whole, rel=1e-12)
    assert done.audit.relative_residual < 1e-4


@pytest.mark.parametrize("start", ["at_rest", "at_speed"])
def test_a_run_up_with_orders_has_exactly_these(start):
    """The wheel's acceleration minus that of the mean is A sin(k phi + phase) of every order, phi the mean angle."""
    orders = [{"order": 2, "amplitude": 90.0, "phase": 0.5}, {"order": 1.5, "amplitude": 40.0}]
    motion = {"kind": "run_up", "initial_speed": 20.0, "final_speed": 60.0, "start": 0.5, "duration": 0.5, "ramp": 0.3}
    plain = cd.simulate(block({"motion": motion}), 1.5, start=start, save=SAVE)
    done = cd.simulate(block({"motion": motion | {"orders": orders}}), 1.5, start=start, save=SAVE)
    time, phi = plain.time, plain.values("wheel_angle", item=0)
    for ends in ((0.31, 0.49), (1.01, 1.5)):  # even means
        rows = (time > ends[0]) & (time < ends[1])
        w = float(plain.values("wheel_speed", item=0)[rows].mean())
        swing = (done.values("wheel_speed", item=0) - plain.values("wheel_speed", item=0))[rows]
        expected = -sum(
            o["amplitude"] / (o["order"] * w) * np.cos(o["order"] * phi[rows] + o.get("phase", 0.0)) for o in orders
        )
        np.testing.assert_allclose(swing, expected, atol=2e-4)
    np.testing.assert_allclose(done.values("wheel_speed", item=0)[-1], 60.0, atol=3.0)
    assert done.audit.relative_residual < 1e-5


# All formulations, going on, steady -----------------------------------------------------------------------------------

EVERYTHING = {
    "torque": [
        {"kind": "dc_motor", "no_load_speed": 30.0, "stall_torque": 6.0, "time_constant": "10 ms"},
        {"kind": "governor", "speed": 22.0, "largest_torque": 3.0, "proportional": 0.3, "integral": 3.0},
        {"kind": "orders", "orders": [{"order": 2, "amplitude": 0.5}]},
    ]
}
LOADED = {
    "loads": [
        {"torque": 1.0},
        {"torque": {"over": "angle", "angles": [0, 1, 2, math.pi], "torques": [0, 1, 0, 0]}},
        {"torque": 2.0, "start": 0.03, "rise": 0.005, "hold": 0.005},
    ]
}


def of_kind(kind: str) -> Drive:
    if kind == "block":
        return block(EVERYTHING, LOADED)
    if kind == "spatial":
        given = {"link_damping": 20.0, "second": LOADED | {"inertia": 0.03}}
        return wheels_in_space(first=EVERYTHING | {"motion": None, "inertia": 0.02}, **given)
    return override(roller(EVERYTHING, LOADED), {"run.formulation": {"kind": kind}})


@pytest.mark.parametrize(
    "kind", ["block", *(pytest.param(kind, marks=COMPILED) for kind in ("roller", "link", "spatial"))]
)
def test_energy_is_balanced_in_every_formulation(kind):
    """The input of the motor is torque times speed: works of the shafts are the integrals of the channels' products."""
    made = of_kind(kind)
    done = cd.simulate(made, 0.06, start="at_rest", save=cd.SaveOptions(rate=20_000.0, precision="double"))
    assert done.status == Status.REACHED_END
    assert done.audit.relative_residual < 1e-3
    for name, sign, work in (("motor_torque", 1.0, "work_input"), ("load_torque", -1.0, "work_output")):
        power = sign * (done.values(name) * done.values("wheel_speed")).sum(axis=1)
        integral = float(np.trapezoid(power, done.time))
        assert integral == pytest.approx(float(done.values(work)[-1]), rel=2e-3), name
    motor = done.values("motor_torque", item=0)
    assert motor[0] == pytest.approx(3.0)  # no current yet, the governor at its limit
    assert motor.max() > 5.0


@pytest.mark.parametrize("kind", ["block", pytest.param("roller", marks=COMPILED)])
def test_a_run_goes_on_with_current_and_integral_part(kind):
    """States of motors and governors, and the angles that tables count from, are continued."""
    made = of_kind(kind)
    made = override(made, {"wheels.1.loads": LOADED["loads"][:2]})
    whole = cd.simulate(made, 0.16, save=SAVE, start="at_rest")
    first = cd.simulate(made, 0.08, save=SAVE, start="at_rest")
    again = cd.simulate(made, 0.08, save=SAVE, initial=first)
    assert again.values("motor_torque")[0, 0] == pytest.approx(first.values("motor_torque")[-1, 0], rel=1e-9)
    for name in ("motor_torque", "load_torque", "wheel_speed"):
        # contact memory begins anew: the same within what a tooth does
        difference = np.abs(again.values(name)[-1] - whole.values(name)[-1]).max()
        assert difference < (1e-6 if kind == "block" else 0.3), name
    if kind == "block":
        with pytest.raises(InputError, match="motors or governors of the start state are not those"):
            cd.simulate(override(made, {"wheels.0.torque": 3.0}), 0.01, initial=first)


def test_pieces_of_a_run_are_the_run(tmp_path):
    """A checkpoint holds current and integral part: a run that was ended early continues as if it had not been."""
    made = override(of_kind("block"), {"run.save.rate": 1000.0})
    whole = cd.simulate(made, 0.1, start="at_rest")
    target = tmp_path / "run.nc"
    cd.simulate(made, 0.05, start="at_rest", output=target)
    resumed = cd.simulate(made, 0.1, start="at_rest", output=target, resume=True)
    for name in ("motor_torque", "wheel_speed"):  # but for the step that was cut short at its end
        np.testing.assert_allclose(resumed.values(name), whole.values(name), rtol=0.0, atol=1e-6)


def test_until_steady_with_a_motor():
    """Motor and load balance at 16.6 rad/s; the run ends by itself, and info has the mean torque and power."""
    from chaindrive.analyses.results.shafts import mean_shafts, motor_curve

    made = block({"torque": PLATE}, {"loads": [{"torque": 6.0}]})
    done = cd.simulate(made, "steady", start="at_rest", save=SAVE)
    assert done.notes["steady"]
    found = mean_shafts(done)
    assert found.torque[0] == pytest.approx(3.0, rel=1e-3)
    assert found.power[0] == pytest.approx(3.0 * found.speed[0], rel=1e-3)
    assert found.power[0] == pytest.approx(-found.power[1], rel=1e-3)
    assert motor_torque(float(found.speed[0])) == pytest.approx(3.0, rel=1e-3)
    curve = motor_curve(made)
    assert curve is not None
    for speed in (3.0, 12.0, 17.0):
        assert np.interp(speed, curve.speed, curve.torque) == pytest.approx(motor_torque(speed), rel=2e-3)
    assert motor_curve(block({"torque": 3.0})) is None


def test_at_speed_motor_and_load_begin_in_their_balance():
    """Nothing has to be accelerated: the mean speed stays within 0.1 % from the first instant on."""
    governor = {"kind": "governor", "speed": 20.0, "largest_torque": 20.0, "proportional": 0.5, "integral": 5.0}
    slow = {"kind": "dc_motor", "no_load_speed": 40.0, "stall_torque": 6.0, "time_constant": "30 ms"}
    for torque in (governor, slow):
        made = block({"torque": torque, "initial_speed": 20.0}, {"loads": [{"torque": 6.0}]})
        speeds = cd.simulate(made, 0.5, start="at_speed", save=SAVE).values("wheel_speed") * np.array([1.0, 2.0])
        np.testing.assert_allclose(speeds, 20.0, rtol=2e-3)


# What is shown --------------------------------------------------------------------------------------------------------


def test_shafts_are_drawn_and_told(tmp_path, capsys):
    """Torque times speed is the power; the torque over the speed is that of the motor, drawn with its curve."""
    from chaindrive.cli.info import info
    from chaindrive.plots import data_shafts, plot_shafts
    from chaindrive.report.curves import curve_groups

    made = override(block({"torque": PLATE}, {"loads": [{"torque": 6.0}]}), {"run.save.rate": 1000.0})
    target = tmp_path / "run.nc"
    done = cd.simulate(made, 0.2, start="at_rest", output=target)
    frame = data_shafts(done)
    torque, speed = done.values("wheel_torque"), done.values("wheel_speed")
    np.testing.assert_allclose(frame["power into a [W]"].dropna(), (torque * speed)[:, 0], rtol=1e-6)
    np.testing.assert_allclose(frame["torque that drives a [N*m]"].dropna(), done.values("motor_torque", item=0))
    curve = frame[["speed [rad/s]", "torque of the motor at that speed [N*m]"]].dropna().to_numpy()
    assert np.interp(12.0, *curve.T) == pytest.approx(motor_torque(12.0), rel=2e-3)
    assert len(plot_shafts(done).axes[2].lines) == 2
    assert len(plot_shafts(done, wheel="b").axes[2].lines) == 1
    groups = {group.key: group for group in curve_groups(done, made, slice(None))}
    np.testing.assert_allclose(groups["shaft_power"].values, (torque * speed).T, rtol=1e-6)
    assert {"motor_torque", "load_torque"} <= groups.keys()
    info(str(target))
    shown = capsys.readouterr().out.splitlines()
    rows = [line.split() for line in shown[next(i for i, line in enumerate(shown) if " shaft " in line) :]]
    assert [next(row for row in rows if row[:1] == ["a"])[i] for i in (0, 2)] == ["a", "3.000"]


def test_a_drive_without_such_torques_has_no_channels_of_them():
    plain = cd.simulate(block({"motion": TABLE}, {"load_torque": 2.0}), 0.05, start="at_rest", save=SAVE)
    assert not {"motor_torque", "load_torque"} & set(plain.channels)
