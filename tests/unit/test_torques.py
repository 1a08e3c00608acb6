"""The torques on a wheel, which add up: their laws against formulas, their means, their checks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from chaindrive.errors import InputError
from chaindrive.mechanism import torque_kernels as K
from chaindrive.mechanism.balance import balance_speed
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.torques import pack, steepest
from chaindrive.mechanism.wheel_torques import wheel_torques
from chaindrive.model import Drive, InductionMotor, Wheel, WheelLoad, driving_torque, loads, torque_text, torques_on
from chaindrive.physics.controller import controller_output, controller_rate
from chaindrive.physics.motors import (
    MOST_FLUX,
    dc_current_rate,
    flux_of,
    kloss_torque,
)

RPM = math.pi / 30.0
PLATE = {"kind": "induction_motor", "rated_power": "1.5 kW", "rated_speed": "940 rpm", "pull_out_ratio": 2.2}
DC = {"kind": "dc_motor", "no_load_speed": 100.0, "stall_torque": 20.0}
GOVERNOR = {"kind": "governor", "speed": 50.0, "largest_torque": 30.0, "proportional": 2.0, "integral": 8.0}


def wheel(**fields):
    given = {"name": "w", "teeth": 20, "position": (0, 0), "tooth": {"form": "iso-606"}, "inertia": 0.1}
    return Wheel(**given | fields)


def drive(first, second=None, **changes) -> Drive:
    """A wheel of 20 teeth and one of 40; fields of both in tables."""
    wheels = [
        {"name": "motor", "teeth": 20, "position": (0, 0), "tooth": {"form": "iso-606"}, "inertia": 0.01} | first,
        {"name": "load", "teeth": 40, "position": (0.5, 0), "tooth": {"form": "iso-606"}, "inertia": 0.1}
        | (second or {}),
    ]
    chain = {"standard": "08B-1", "links": 110}
    return Drive(**{"name": "d", "chain": chain, "contact": {"stiffness": 1e9}, "wheels": wheels} | changes)


def packed_for(made, sense=1.0):
    """Arrays of the kernels for the only torque on a wheel."""
    return pack([torques_on(made)], [sense], [0.7], 0.5)


def value(made, t=0.0, turned=0.0, speed=0.0, own=0.0, sense=1.0):
    """The only torque on a wheel, counter-clockwise, after the wheel has turned in its running sense."""
    return K.torque_of(t, 0.7 + sense * turned, speed, own, packed_for(made, sense), 0, 0)


# Induction motors -----------------------------------------------------------------------------------------------------


def test_kloss_goes_through_the_points_of_the_name_plate():
    """Rated torque at rated speed, pull-out at critical slip, zero at synchronous speed, odd in the slip."""
    motor = InductionMotor(**PLATE)
    assert motor.synchronous_speed == pytest.approx(1000 * RPM)
    assert motor.rated_torque == pytest.approx(1500.0 / (940 * RPM))
    made = wheel(torque=PLATE)
    assert value(made, speed=940 * RPM) == pytest.approx(motor.rated_torque, rel=1e-12)
    assert value(made, speed=1000 * RPM) == pytest.approx(0.0, abs=1e-12)
    pulls_out = (1.0 - motor.critical_slip) * motor.synchronous_speed
    assert value(made, speed=pulls_out) == pytest.approx(2.2 * motor.rated_torque, rel=1e-12)
    for slip in (0.03, 0.2, 0.6, 1.4):
        braking = value(made, speed=(1.0 + slip) * motor.synchronous_speed)
        assert braking == pytest.approx(-value(made, speed=(1.0 - slip) * motor.synchronous_speed), rel=1e-12)
        expected = 2 * 2.2 * motor.rated_torque / (slip / motor.critical_slip + motor.critical_slip / slip)
        assert braking == pytest.approx(-expected, rel=1e-12)


@pytest.mark.parametrize("starting", [2.1, 1.2, 0.5])
def test_a_starting_torque_is_met_and_nothing_exceeds_pull_out(starting):
    motor = InductionMotor(**PLATE, starting_ratio=starting)
    made = wheel(torque=PLATE | {"starting_ratio": starting})
    assert value(made) == pytest.approx(starting * motor.rated_torque, rel=1e-12)
    assert value(made, speed=940 * RPM) == pytest.approx(motor.rated_torque, rel=1e-12)
    curve = [value(made, speed=w) for w in np.linspace(0.0, 1000 * RPM, 500)]
    assert max(curve) == pytest.approx(2.2 * motor.rated_torque, rel=1e-4)
    assert max(curve) <= 2.2 * motor.rated_torque * (1.0 + 1e-12)
    top = int(np.argmax(curve))
    assert np.all(np.diff(curve[: top + 1]) > 0.0)  # from starting to pull-out, and down from there
    assert np.all(np.diff(curve[top:]) < 0.0)


def test_a_gear_makes_the_wheel_slower_and_stronger():
    plain, geared = wheel(torque=PLATE), wheel(torque=PLATE | {"gear_ratio": 12.5})
    for speed in (-3.0, 0.0, 40.0, 104.0):
        assert value(geared, speed=speed / 12.5) == pytest.approx(12.5 * value(plain, speed=speed), rel=1e-12)


def test_a_clockwise_motor_is_the_mirror_image():
    plain, turned = wheel(torque=PLATE), wheel(torque=PLATE | {"rated_speed": "-940 rpm"})
    for speed in (-30.0, 0.0, 60.0, 104.0):
        assert value(turned, speed=-speed, sense=-1.0) == pytest.approx(-value(plain, speed=speed), rel=1e-12)


def test_supply_of_frequency_and_voltage():
    """V/f keeps torque over slip speed; beyond the rated frequency flux falls as 1/f, and torque with its square."""
    assert flux_of(0.5, -1.0) == flux_of(0.0, -1.0) == flux_of(-1.0, -1.0) == 1.0
    assert flux_of(2.0, -1.0) == 0.5
    assert flux_of(-1.0, 0.6) == pytest.approx(0.6)
    assert flux_of(0.3, 0.9) == MOST_FLUX
    assert flux_of(0.0, 0.0) == 0.0
    ramp = {"times": [0, 2, 4], "frequencies": ["0 Hz", "50 Hz", "-50 Hz"]}
    made, plain = wheel(torque=PLATE | {"supply": ramp}), wheel(torque=PLATE)
    full = 1000 * RPM
    for t, frequency in ((1.0, 0.5), (2.0, 1.0), (3.0, 0.0), (3.5, -0.5)):
        for slip_speed in (3.0, -8.0, 40.0):
            found = value(made, t=t, speed=frequency * full - slip_speed)
            assert found == pytest.approx(value(plain, speed=full - slip_speed), rel=1e-12)
    soft = wheel(torque=PLATE | {"supply": {"times": [0, 2], "voltages": [0.3, 1.0]}})
    assert value(soft, t=1.0, speed=30.0) == pytest.approx(0.65**2 * value(plain, speed=30.0), rel=1e-12)
    off = wheel(torque=PLATE | {"supply": {"times": [0, 1, 1.01], "voltages": [1, 1, 0]}})
    assert value(off, t=2.0, speed=30.0) == 0.0


# Direct current and governor ------------------------------------------------------------------------------------------


def test_a_dc_motor():
    made = wheel(torque=DC | {"gear_ratio": 4})
    assert value(made) == pytest.approx(80.0)
    assert value(made, speed=25.0) == pytest.approx(0.0, abs=1e-12)
    assert value(made, speed=-12.5) == pytest.approx(120.0)
    lower = wheel(torque=DC | {"supply": {"times": [0, 1], "voltages": [1.0, -0.5]}})
    assert value(lower, t=1.0, speed=20.0) == pytest.approx(20.0 * (-0.5 - 0.2))
    slow = wheel(torque=DC | {"time_constant": "20 ms"})
    assert value(slow, own=0.4, speed=77.0) == pytest.approx(8.0)  # by its current alone
    assert dc_current_rate(30.0, 0.4, 1.0, 100.0, 0.02) == pytest.approx((1.0 - 0.3 - 0.4) / 0.02)


def test_a_governor_and_its_limits():
    made = wheel(torque=GOVERNOR)
    assert value(made, own=0.5, speed=48.0) == pytest.approx(2.0 * 2.0 + 0.5 * 30.0)
    assert value(made, own=0.5, speed=0.0) == 30.0
    assert value(made, own=0.0, speed=60.0) == 0.0  # it cannot brake
    turned = wheel(torque=GOVERNOR | {"speed": -50.0, "least_torque": -9.0})
    assert value(turned, own=0.5, speed=-48.0, sense=-1.0) == pytest.approx(-19.0)
    assert value(turned, own=0.0, speed=-60.0, sense=-1.0) == 9.0
    assert controller_output(3.0, 1.0, 2.0, 0.0, 5.0) == 5.0
    # within its limits I e; beyond them X goes to where the torque just is at the limit, within P/I
    assert controller_rate(0.5, 1.0, 2.0, 8.0, 0.0, 5.0) == pytest.approx(4.0)
    assert controller_rate(10.0, -15.0, 2.0, 8.0, 0.0, 5.0) == pytest.approx(80.0)
    assert controller_rate(10.0, -15.0 + 3.0, 2.0, 8.0, 0.0, 5.0) == pytest.approx(80.0 + 4.0 * (5.0 - 8.0))


def test_a_governor_follows_its_ramp_from_rest():
    slow = wheel(torque=GOVERNOR | {"ramp": 2.0})
    packed = pack([torques_on(slow)], [1.0], [0.0], 0.5, at_speed=False)
    assert packed.stops.tolist() == [2.0]
    for t, wanted in ((0.0, 0.0), (1.0, 25.0), (2.0, 50.0), (5.0, 50.0)):
        found = K.torque_of(t, 0.0, wanted - 3.0, 0.0, packed, 0, 0)
        assert found == pytest.approx(6.0)
    assert not pack([torques_on(slow)], [1.0], [0.0], 0.5).stops.size


# Torques over the angle -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_a_torque_over_the_angle_repeats_and_does_not_overshoot(sense):
    angles = ["20 deg", "60 deg", "100 deg", "120 deg", "200 deg"]
    table = {"over": "angle", "angles": angles, "torques": [0, 40, 40, 0, 0], "phase": "20 deg", "gear_ratio": 2}
    made = wheel(torque=table)
    deg = math.pi / 180.0
    for turned, expected in ((0.0, 0.0), (20.0, 40.0), (30.0, 40.0), (50.0, 0.0), (70.0, 0.0), (90.0, 0.0), (110, 40)):
        assert value(made, turned=turned * deg, sense=sense) == pytest.approx(2.0 * expected, abs=1e-9)
    packed = packed_for(made, sense)
    found = [K.torque_of(0.0, 0.7 + sense * x, 0.0, 0.0, packed, 0, 0) for x in np.linspace(-3.0, 9.0, 2000)]
    assert min(found) >= -1e-12
    assert max(found) <= 80.0 + 1e-9
    (own,) = torques_on(made)
    half = math.pi / 2.0  # period of 180 deg of the machine, twice as fast
    packed, kinks = packed_for(made), [20 * deg, 40 * deg, 50 * deg]
    turn = quad(lambda x: K.torque_of(0.0, 0.7 + x, 0.0, 0.0, packed, 0, 0), 0.0, half, limit=400, points=kinks)[0]
    mean = turn / half
    assert own.mean_torque(3.0, 1.0) == pytest.approx(mean, rel=1e-6)


@pytest.mark.parametrize(("mean", "sense"), [(30.0, 1.0), (-30.0, -1.0), (0.0, 1.0), (0.0, -1.0)])
def test_orders_of_an_engine(mean, sense):
    """All act in the sense of the mean, or of the run; half orders and others refer to the machine behind its gear."""
    orders = [
        {"order": 2, "amplitude": 80, "phase": 0.3},
        {"order": 0.5, "amplitude": 9},
        {"order": 1.73, "amplitude": 4},
    ]
    made = wheel(torque={"kind": "orders", "mean": mean, "orders": orders, "gear_ratio": 1.5})
    for turned in np.linspace(0.0, 20.0, 37):
        x = 1.5 * turned
        swing = 80 * math.sin(2 * x + 0.3) + 9 * math.sin(0.5 * x) + 4 * math.sin(1.73 * x)
        assert value(made, turned=turned, sense=sense) == pytest.approx(1.5 * sense * (abs(mean) + swing), rel=1e-12)
    assert driving_torque(made.torque) == pytest.approx(1.5 * (mean + math.copysign(93.0, mean)) if mean else 0.0)


@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("mean", [6.0, 0.0])
def test_orders_of_a_load_are_against_the_run_whichever_way_it_goes(mean, sense):
    """A mirrored drive has the mirrored load, also where the load has no mean."""
    load = {"kind": "orders", "mean": mean, "orders": [{"order": 2, "amplitude": 4}]}
    made = wheel(loads=[{"torque": load, "against": "running_sense"}])
    for turned in (0.3, 1.1, 2.9):
        wanted = -sense * (mean + 4.0 * math.sin(2.0 * turned))
        assert value(made, turned=turned, sense=sense) == pytest.approx(wanted, rel=1e-12)


def test_torques_of_a_list_add_up():
    listed = [GOVERNOR, {"kind": "orders", "orders": [{"order": 2, "amplitude": 5}]}, {"over": "time",
              "times": [0, 1], "torques": [0, 4]}]  # fmt: skip
    made = wheel(torque=listed)
    packed = pack([torques_on(made)], [1.0], [0.0], 0.5)
    y, dy = np.array([0.5]), np.zeros(1)
    resisting, applied = K.wheel_torques(0.5, 0.2, 48.0, y, dy, 0, packed, 0)
    assert resisting == 0.0
    assert applied == pytest.approx(19.0 + 5.0 * math.sin(0.4) + 2.0, rel=1e-12)
    assert dy[0] == pytest.approx(8.0 * 2.0 / 30.0)
    assert loads(str(drive({"torque": listed}))).wheels[0].torque == made.torque


# Loads ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", [12.0, -12.0, 0.0])
@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_loads_against_the_motion_vanish_at_standstill(speed, sense):
    made = wheel(loads=[{"torque": 7.0, "standstill_speed": 0.1}])
    assert value(made, speed=speed, sense=sense) == pytest.approx(-7.0 * np.sign(speed), abs=1e-12)
    assert value(made, speed=0.05, sense=sense) == pytest.approx(-7.0 * math.tanh(0.5))
    kept = wheel(loads=[{"torque": 7.0, "against": "running_sense"}])
    assert value(kept, speed=speed, sense=sense) == -7.0 * sense
    curve = {"over": "speed", "speeds": [0, 10, 20], "torques": [4, 6, 16]}
    over = wheel(loads=[{"torque": curve}])
    assert value(over, speed=speed, sense=sense) == pytest.approx(-8.0 * np.sign(speed) * math.tanh(24.0), abs=1e-12)


def test_the_course_of_a_load():
    """Its impulse is torque x (hold + rise/2 + fall/2), at each occurrence."""
    pulses = {"start": 1.0, "rise": 0.2, "hold": 0.3, "fall": 0.1, "every": 2.0, "pulses": 3}
    made = wheel(loads=[{"torque": 6.0, "against": "running_sense", **pulses}])
    packed = pack([torques_on(made)], [1.0], [0.0], 0.5)
    assert packed.stops.tolist() == pytest.approx([1, 1.2, 1.5, 1.6, 3, 3.2, 3.5, 3.6, 5, 5.2, 5.5, 5.6])
    for t, part in ((0.99, 0), (1.1, 0.5), (1.2, 1), (1.4, 1), (1.55, 0.5), (1.6, 0), (2.9, 0), (5.4, 1), (7.2, 0)):
        assert value(made, t=t) == pytest.approx(-6.0 * part, abs=1e-9), t
    impulse = sum(quad(lambda t: value(made, t=t), *ends)[0] for ends in ((0.9, 1.2), (1.2, 1.5), (1.5, 1.7)))
    assert impulse == pytest.approx(-6.0 * 0.45, rel=1e-9)
    for_good = wheel(loads=[{"torque": 6.0, "against": "running_sense", "start": 1.0}])
    assert [value(for_good, t=t) for t in (0.9, 1.0, 80.0)] == [0.0, -6.0, -6.0]


def test_loads_add_up_and_round_trip():
    listed = [
        {"torque": 3.0},
        {"torque": {"over": "angle", "angles": [0, 1, 2], "torques": [0, 8, 0]}, "against": "running_sense"},
        {"torque": {"over": "time", "times": [0, 1], "torques": [0, 4]}, "start": 0.25, "rise": 0.1},
        {"torque": {"kind": "orders", "mean": 5, "orders": [{"order": 0.5, "amplitude": 1}]}},
    ]
    made = drive({"torque": 30}, {"loads": listed, "load_torque": 1.5})
    assert loads(str(made)) == made
    assert Drive.from_dict(made.to_dict()) == made
    found = wheel_torques(drive_facts(made), np.array([0.0, 0.0]), at_speed=True)
    assert (found.running.first.tolist(), found.running.end.tolist()) == ([0, 1], [1, 6])
    speed = 9.0
    total, _ = K.wheel_torques(0.5, 0.5, speed, np.zeros(0), np.zeros(0), 0, found, 1)
    scale = math.tanh(speed / found.torque.standstill[2])
    expected = -1.5 - (3.0 + 2.0 + 5.0 + math.sin(0.25)) * scale
    own = K.torque_of(0.5, 0.5, speed, 0.0, found, 1, 3)
    assert total == pytest.approx(expected + own, rel=1e-12)
    assert -8.0 < own < 0.0


# What a drive makes of them -------------------------------------------------------------------------------------------


def test_where_motor_and_load_balance():
    """The speed at which the stable part of Kloss' curve meets the load, by an independent root."""
    made = drive({"torque": PLATE}, {"loads": [{"torque": 24.0}], "load_quadratic": 0.002})
    assert drive_facts(made).senses.tolist() == [1, 1]
    assert drive_facts(made).motors == (True, False)
    plain = wheel(torque=PLATE)

    def left(w):
        return value(plain, speed=w) - 0.5 * (24.0 + 0.002 * (0.5 * w) ** 2)

    assert drive_facts(made).nominal_speed == pytest.approx(brentq(left, 90.0, 104.7), rel=1e-9)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_governor_holds_its_speed_while_its_torque_lasts(sign):
    governor = GOVERNOR | {"speed": sign * 50.0}
    made = drive({"torque": governor}, {"loads": [{"torque": 40.0}]})
    assert drive_facts(made).nominal_speed == pytest.approx(50.0, rel=1e-6)
    assert balance_speed(drive_facts(drive({"torque": governor}, {"loads": [{"torque": 70.0}]})).shafts) is None
    weak = drive({"torque": governor | {"integral": 0.0}}, {"loads": [{"torque": 40.0}]})
    assert drive_facts(weak).nominal_speed == pytest.approx(40.0)  # too slow by 20 N m / P
    # at speed it begins with the torque that its load takes, on its own shaft
    made = drive({"torque": governor, "initial_speed": sign * 50.0}, {"loads": [{"torque": 40.0}]})
    states = wheel_torques(drive_facts(made), np.zeros(2), at_speed=True).states
    assert states == pytest.approx([20.0 / 30.0])


def test_a_governor_of_a_tiny_set_speed():
    """The slope within its narrow band would be infinite."""
    governor = GOVERNOR | {"speed": 1e-300}
    made = drive({"torque": governor}, {"loads": [{"torque": 40.0}]})
    assert balance_speed(drive_facts(made).shafts) == pytest.approx(0.0, abs=1e-9)
    held = made.wheels[0].torque
    assert [held.mean_torque(speed, 1.0) for speed in (0.0, 1e-300, 1.0)] == [
        held.largest_torque, 0.5 * (held.largest_torque + held.least_torque), held.least_torque
    ]  # fmt: skip


def test_two_governors_share_what_the_load_takes():
    """Each gives half of it, referred to the shaft of the driver: 10 N m there, and 20 N m on a wheel that turns half
    as fast.
    """
    slow = GOVERNOR | {"speed": 25.0}
    made = drive({"torque": GOVERNOR, "initial_speed": 50.0}, {"torque": slow, "loads": [{"torque": 40.0}]})
    states = wheel_torques(drive_facts(made), np.zeros(2), at_speed=True).states
    assert 30.0 * states == pytest.approx([10.0, 20.0])


def test_a_dc_motor_begins_with_its_current():
    made = drive({"torque": DC | {"time_constant": 0.01}, "initial_speed": 60.0})
    assert wheel_torques(drive_facts(made), np.zeros(2), at_speed=True).states == pytest.approx([0.4])
    assert wheel_torques(drive_facts(made), np.zeros(2), at_speed=False).states == pytest.approx([0.0])


def test_how_long_loads_over_the_angle_take_to_repeat():
    """Pitches: for a press with two strokes in a turn one turn, for half orders two, for a gear of 2/3 three; or
    never.
    """
    press = {"over": "angle", "angles": [0, 1, math.pi], "torques": [0, 5, 0]}
    assert drive_facts(drive({"torque": 9}, {"loads": [{"torque": press}]})).load_periods == (40,)
    half = {"kind": "orders", "mean": 9, "orders": [{"order": 0.5, "amplitude": 1}]}
    assert drive_facts(drive({"torque": half})).load_periods == (40,)
    geared = drive({"torque": 9}, {"loads": [{"torque": press | {"gear_ratio": 1 / 3}}]})
    assert drive_facts(geared).load_periods == (120,)
    odd = {"kind": "orders", "mean": 9, "orders": [{"order": 1.732, "amplitude": 1}]}
    assert drive_facts(drive({"torque": odd})).load_periods == ()
    assert drive_facts(drive({"torque": 9})).load_periods == ()


def test_how_steeply_they_fall_with_the_speed():
    """The limit of an explicit step: 2 M_K / critical slip speed; stall over no-load speed; P; T over standstill."""
    motor = InductionMotor(**PLATE)
    around = np.linspace(60.0, 150.0, 1801)
    geared = wheel(torque=PLATE)
    packed = packed_for(geared)
    slope = -np.gradient([K.torque_of(0.0, 0.7, w, 0.0, packed, 0, 0) for w in around], around)
    limit = steepest([torques_on(wheel(torque=PLATE))], 0.0, 0.1, 0.5)[0]
    assert slope.max() == pytest.approx(2 * 2.2 * motor.rated_torque / (motor.critical_slip * 1000 * RPM), rel=1e-3)
    assert limit == pytest.approx(MOST_FLUX**2 * slope.max(), rel=1e-3)
    steep = [steepest([torques_on(wheel(**given))], 0.0, 0.1, 0.5)[0] for given in (
        {"torque": DC}, {"torque": DC | {"time_constant": 0.01}}, {"torque": GOVERNOR},
        {"loads": [{"torque": 7.0}]}, {"loads": [{"torque": 7.0, "against": "running_sense"}]})]  # fmt: skip
    assert steep == pytest.approx([0.2, 10.0, 2.0 + 0.1 * 4.0, 14.0, 0.0])


@pytest.mark.parametrize(
    ("fields", "place", "says"),
    [
        ({"torque": PLATE | {"rated_speed": "1010 rpm", "poles": 6}}, "torque.rated_speed", "must be below the syn"),
        ({"torque": PLATE | {"poles": 3}}, "torque.poles", "must be even"),
        ({"torque": PLATE | {"starting_ratio": 2.5}}, "torque.starting_ratio", "must be at most pull_out_ratio = 2.2"),
        ({"torque": PLATE | {"rated_speed": "760 rpm", "pull_out_ratio": 3, "poles": 6}}, "torque.pull_out_ratio",
         "beyond standstill"),
        ({"torque": PLATE | {"supply": {"times": [0, 1]}}}, "torque.supply.voltages", "give frequencies, voltages"),
        ({"torque": PLATE | {"supply": {"times": [0, 1], "voltages": [1]}}}, "torque.supply.voltages", "at least 2"),
        ({"torque": PLATE | {"stall_torque": 3}}, "torque.stall_torque", "applies to kind = 'dc_motor'"),
        ({"torque": {**PLATE, "kind": "induction"}}, "torque.kind", "did you mean 'induction_motor'?"),
        ({"torque": DC | {"no_load_speed": 0}}, "torque.no_load_speed", "must not be 0"),
        ({"torque": DC | {"supply": {"times": [0, 1], "frequencies": [50, 50]}}}, "torque.supply.frequencies", "known"),
        ({"torque": GOVERNOR | {"least_torque": 30}}, "torque.least_torque", "must be below largest_torque = 30"),
        ({"torque": GOVERNOR | {"proportional": 0}}, "torque.proportional", "above 0"),
        ({"torque": [GOVERNOR, {"over": "angle", "angles": [0, 1, 2], "torques": [1, 2, 3]}]}, "torque[1].torques",
         "must equal the first"),
        ({"torque": [GOVERNOR, {"kind": "orders"}]}, "torque[1].orders", "is missing"),
        ({"torque": {"kind": "orders", "mean": 3, "orders": [{"order": 0, "amplitude": 1}]}}, "torque.orders[0].order",
         "above 0"),
        ({"loads": [{"torque": PLATE}]}, "loads[0].torque.kind", "must be one of 'orders', 'law'"),
        ({"loads": [{"torque": 3, "against": "speed"}]}, "loads[0].against", "must be 'motion' or 'running_sense'"),
        ({"loads": [{"torque": 3, "every": 1}]}, "loads[0].every", "needs hold"),
        ({"loads": [{"torque": 3, "hold": 2, "every": 1}]}, "loads[0].every", "at least as long as one pulse"),
        ({"loads": [{"torque": 3, "hold": 2, "pulses": 2}]}, "loads[0].pulses", "needs every"),
        ({"loads": [{"torque": 3, "fall": 2}]}, "loads[0].fall", "needs hold"),
        ({"loads": [{"torque": {"over": "speed", "speeds": [-1, 1], "torques": [1, 2]}}]}, "loads[0].against",
         "speeds of 0 or above"),
        ({"loads": [{"torque": 3, "against": "running_sense", "standstill_speed": 1}]}, "loads[0].standstill_speed",
         "does not apply"),
        ({"loads": [{}]}, "loads[0].torque", "is missing"),
        ({"loads": {"torque": 3}}, "loads", "must be a list"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(fields, place, says):
    with pytest.raises(InputError) as caught:
        wheel(**fields)
    assert any(p.place == place and says in p.message for p in caught.value.problems), caught.value.problems


def test_in_words():
    motor = torque_text(InductionMotor(**PLATE, gear_ratio=20))
    assert motor == (
        "induction motor of 1.5 kW, 15.24 N m at 940 rpm, counter-clockwise, through gearing with a ratio of 20"
    )
    pulse = WheelLoad(torque="40 N*m", start=1, rise=0.1, hold=0.2, every=1, pulses=4)
    assert pulse.facts().text == "40 N m, against the motion, zero at standstill, from 1 s to 4.4 s in 4 pulses"
    assert WheelLoad(torque=-3, against="running_sense").facts().text.startswith("-3 N m, against the ")


def test_what_no_motor_has_at_its_ends():
    pedals = wheel(torque=[{"kind": "pedals", "mean": 3.0, "ripple": 0.5, "phase": 0.2}])
    assert value(pedals, turned=1.0) == pytest.approx(3.0 * (1.0 - 0.5 * math.cos(1.6)))
    assert kloss_torque(0.0, 1.0, 10.0, 5.0, 5.0, 100.0) == 0.0


def test_a_governor_that_contradicts_its_wheel():
    for first, place in (
        ({"torque": GOVERNOR, "initial_speed": -50.0}, "wheels[0].torque.speed"),
        ({"torque": [3.0, GOVERNOR][1:], "initial_speed": -50.0}, "wheels[0].torque[0].speed"),
        ({"torque": GOVERNOR, "motion": {"kind": "constant_speed", "speed": 50.0}}, "wheels[0].torque"),
    ):
        with pytest.raises(InputError) as caught:
            drive(first)
        assert [p.place for p in caught.value.problems] == [place]


def test_a_supply_counts_where_it_is_largest():
    """A motor that is reversed or switched off at the end counts with its earlier state."""
    plain = drive_facts(drive({"torque": PLATE}, {"loads": [{"torque": 24.0}]})).nominal_speed
    for supply in (
        {"times": [0, 1, 2], "frequencies": ["3 Hz", "50 Hz", "-50 Hz"]},
        {"times": [0, 1, 1.01], "voltages": [1, 1, 0]},
        {"times": [0, 1, 2], "frequencies": ["50 Hz", "50 Hz", "50 Hz"], "voltages": [0.5, 1, 0.5]},
    ):
        made = drive({"torque": PLATE | {"supply": supply}}, {"loads": [{"torque": 24.0}]})
        assert drive_facts(made).nominal_speed == pytest.approx(plain, rel=1e-9)
    turned = DC | {"supply": {"times": [0, 1, 2], "voltages": [0.2, 1.0, -1.0]}}
    assert drive_facts(drive({"torque": turned}, {"loads": [{"torque": 20.0}]})).nominal_speed == pytest.approx(50.0)
