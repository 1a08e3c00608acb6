"""Tables of speed, and orders on top of a mean speed that changes: exact angles, exact orders."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from chaindrive.errors import InputError
from chaindrive.mechanism import motion as M
from chaindrive.mechanism.course import change_table, course, course_at, speed_knots
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.motion import MotionKind, motion_acceleration, pack, smooth_ramp
from chaindrive.mechanism.wheel_motions import wheel_motion
from chaindrive.model import Drive, RunUp, SpeedTable, Wheel, loads

TIMES, SPEEDS = [0.0, 0.5, 1.5, 1.7, 2.2], [0.0, 20.0, 20.0, -5.0, 0.0]
ORDERS = [(2.0, 60.0, 0.4), (0.5, 8.0, 0.0), (3.7, 30.0, 1.0)]
AT_REST = {"kind": "run_up", "initial_speed": 10.0, "final_speed": 40.0, "start": 0.4, "duration": 0.8, "ramp": 0.3}


def integrated(motion, until, rows=40_001):
    """Speed and angle at ``until`` by Gauss quadrature of the acceleration between the stops of a motion."""
    knots = sorted({0.0, until, *(t for t in motion.stops if 0.0 < t < until)})
    packed = pack([motion], np.zeros(1))

    def acceleration(t):
        return motion_acceleration(packed.kinds[0], t, 0.0, packed.rows, packed.table, 0)

    speed, angle = motion.initial_speed, 0.0
    nodes, weights = np.polynomial.legendre.leggauss(12)
    for a, b in pairwise(knots):
        for c, d in zip(np.linspace(a, b, 41)[:-1], np.linspace(a, b, 41)[1:], strict=True):
            t, half = 0.5 * (c + d) + 0.5 * (d - c) * nodes, 0.5 * (d - c)
            value = np.array([acceleration(x) for x in t])
            angle += speed * (d - c) + half * float((weights * value * (d - t)).sum())
            speed += half * float((weights * value).sum())
    return speed, angle


def test_a_table_of_speeds_is_met_and_its_angle_is_the_integral():
    """Between two constant speeds the mean is the average of both; no overshoot; constant beyond the ends."""
    motion = course(speed_knots(TIMES, SPEEDS), 0.0)
    assert motion.kind == MotionKind.COURSE
    assert motion.initial_speed == 0.0
    for t, w in zip(TIMES, SPEEDS, strict=True):
        assert integrated(motion, t)[0] == pytest.approx(w, abs=1e-10)
    assert integrated(motion, 0.5)[1] == pytest.approx(0.5 * 20.0 * 0.5, rel=1e-12)
    assert integrated(motion, 1.5)[1] == pytest.approx(25.0, rel=1e-12)
    assert integrated(motion, 3.0)[1] == pytest.approx(motion.table[-1, 5], rel=1e-12)
    assert [integrated(motion, t)[0] for t in (0.7, 1.1, 1.49)] == pytest.approx([20.0] * 3)
    speeds = [integrated(motion, t)[0] for t in np.linspace(0.0, 2.4, 60)]
    assert min(speeds) >= -5.0 - 1e-9
    assert max(speeds) <= 20.0 + 1e-9


def test_a_run_up_is_the_same_course():
    motion = course(change_table(10.0, 40.0, 0.4, 0.8), 0.3)
    for t in np.linspace(0.0, 1.4, 57):
        expected = smooth_ramp(t, 0.0, 0.3, 10.0) + smooth_ramp(t, 0.4, 0.8, 30.0)
        found = motion_acceleration(8, t, 0.0, motion.row, motion.table, 0)
        assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("ramp", [0.0, 0.3])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_orders_leave_the_mean_as_it_is(squared, ramp, sign):
    """The angle is phi + d with d = - sum A G(W) / k^2 sin(k phi + phi_k); angle and speed are checked by
    quadrature.
    """
    knots = change_table(sign * 10.0, sign * 40.0, 0.4, 0.8)
    plain, motion = course(knots, ramp), course(knots, ramp, ORDERS, squared)
    rows = motion.row
    start_d = _swing(motion, 0.0)
    for t in (0.15, 0.3, 0.5, 0.9, 1.3):
        speed, angle = integrated(motion, t)
        mean_speed, mean_angle = integrated(plain, t)
        assert angle - mean_angle == pytest.approx(_swing(motion, t) - start_d, abs=2e-7)
        assert speed - mean_speed == pytest.approx(M.course_swing(t, rows, motion.table, 0), abs=2e-6)


def _swing(motion, t):
    """The oscillation d of the module at a time, from its definition."""
    phi, speed, _, _ = M._mean_course(t, motion.row, motion.table, 0)
    gain, _, _ = M._gain_of_orders(speed, motion.row.full_speed[0], motion.row.squared[0])
    return -sum(a * gain / k**2 * math.sin(k * phi + phase) for k, a, phase in ORDERS)


@pytest.mark.parametrize("squared", [False, True])
def test_at_an_even_speed_the_acceleration_is_the_orders(squared):
    """Exactly those orders and amplitudes; in proportion to the square of the speed, 1/16 of them at a quarter of the
    fastest.
    """
    motion = course(change_table(10.0, 40.0, 0.4, 0.8), 0.0, ORDERS, squared)
    for t, w in ((0.2, 10.0), (1.5, 40.0), (1.9, 40.0)):
        phi = M._mean_course(t, motion.row, motion.table, 0)[0]
        part = (w / 40.0) ** 2 if squared else 1.0
        expected = part * sum(a * math.sin(k * phi + phase) for k, a, phase in ORDERS)
        assert course_at(motion.row, motion.table, t) == pytest.approx(expected, rel=1e-10)


def test_orders_fade_in_with_the_speed():
    """Starting from rest there are none below half of the speed at which they reach full size; smoothly, so that the
    speed has no jump.
    """
    knots = speed_knots([0.0, 2.0], [0.0, 40.0])
    motion, plain = course(knots, 0.0, ORDERS, False, 20.0), course(knots, 0.0)
    slow = [t for t in np.linspace(0.0, 2.0, 400) if M._mean_course(t, plain.row, plain.table, 0)[1] < 10.0]
    for t in slow:
        bare = course_at(plain.row, plain.table, t)
        assert course_at(motion.row, motion.table, t) == pytest.approx(bare, rel=1e-14)
    fine = np.linspace(0.5, 1.5, 4001)
    values = np.array([course_at(motion.row, motion.table, t) for t in fine])
    assert np.abs(np.diff(values)).max() < 0.03 * np.abs(values).max()


def test_orders_that_would_turn_the_wheel_back_are_refused():
    with pytest.raises(
        ValueError, match=r"the orders would reverse the wheel at a mean of .* rpm: the speed fluctuates"
    ):
        course(change_table(10.0, 40.0, 0.4, 0.8), 0.0, [(1.0, 120.0, 0.0)])
    course(change_table(10.0, 40.0, 0.4, 0.8), 0.0, [(1.0, 120.0, 0.0)], squared=True)
    course(change_table(10.0, 40.0, 0.4, 0.8), 0.0, [(1.0, 120.0, 0.0)], full_from=20.0)


# What a file says -----------------------------------------------------------------------------------------------------


def wheel(motion):
    return Wheel(name="w", teeth=20, position=(0, 0), tooth={"form": "iso-606"}, motion=motion)


def drive(motion, second=None):
    wheels = [
        {"name": "a", "teeth": 20, "position": (0, 0), "tooth": {"form": "iso-606"}, "motion": motion},
        {"name": "b", "teeth": 40, "position": (0.5, 0), "tooth": {"form": "iso-606"}, "inertia": 0.1}
        | ({"motion": second} if second else {}),
    ]
    chain = {"standard": "08B-1", "links": 110}
    return Drive(name="d", chain=chain, contact={"stiffness": 1e9}, wheels=wheels)


def test_a_table_in_a_file():
    given = {"kind": "speed_table", "times": TIMES, "speeds": SPEEDS}
    made = drive(given)
    assert loads(str(made)) == made
    assert drive_facts(made).driver_speed == 20.0
    assert drive_facts(made).senses.tolist() == [1, 1]
    table = made.wheels[0].motion
    assert isinstance(table, SpeedTable)
    assert (table.start, table.duration, table.initial_speed, table.final_speed) == (0.0, 2.2, 0.0, 0.0)
    held = SpeedTable(times=[0, 1, 2, 3], speeds=[5, 5, 8, 8])
    assert (held.start, held.duration) == (1.0, 1.0)
    before, after = drive_facts(drive({"kind": "speed_table", "times": [0, 1, 2], "speeds": [4, 4, 8]})).chain_speeds
    assert after == pytest.approx(2.0 * before)
    motion, _ = wheel_motion(wheel(given | {"speeds": [3, 20, 20, -5, 0]}), at_speed=False)
    assert (motion.initial_speed, motion.row.ramp[0]) == (0.0, 2.0)
    motion, _ = wheel_motion(wheel(given), at_speed=False)
    assert motion.row.ramp[0] == 0.0  # it begins at rest by itself


def test_a_run_up_without_orders_is_computed_as_it_was():
    motion, _ = wheel_motion(wheel(AT_REST), at_speed=False)
    assert motion.kind == MotionKind.RUN_UP
    with_orders, _ = wheel_motion(wheel(AT_REST | {"orders": [{"order": 2, "amplitude": 20}]}), at_speed=False)
    assert with_orders.kind == MotionKind.COURSE
    assert with_orders.row.start[0] == 0.4
    assert with_orders.row.run_duration[0] == pytest.approx(0.8)
    assert RunUp(**AT_REST).orders == ()


def test_two_tables_must_agree():
    given = {"kind": "speed_table", "times": TIMES, "speeds": SPEEDS}
    drive(given, given | {"speeds": [w / 2 for w in SPEEDS]})
    with pytest.raises(InputError, match="contradicts the motion of"):
        drive(given, given)
    with pytest.raises(InputError, match="contradicts the motion of"):
        drive(given, {"kind": "speed_table", "times": [0, 1], "speeds": [0, 10]})


@pytest.mark.parametrize(
    ("motion", "place", "says"),
    [
        ({"kind": "speed_table", "times": [0, 1, 1], "speeds": [0, 1, 2]}, "motion.times", "must increase"),
        (
            {"kind": "speed_table", "times": [0, 1], "speeds": [0, 1, 2]},
            "motion.speeds",
            "2 entries, one for each of the times",
        ),
        ({"kind": "speed_table", "times": [0, 1], "speeds": [0, 0]}, "motion.speeds", "speed = 0 }"),
        ({"kind": "speed_table", "times": [-1, 1], "speeds": [0, 3]}, "motion.times[0]", "at least 0"),
        ({"kind": "speedtable", "times": [0, 1]}, "motion.kind", "did you mean 'speed_table'?"),
        (AT_REST | {"orders": [{"order": 2}]}, "motion.orders[0].amplitude", "is missing"),
        (AT_REST | {"order_amplitudes": "linear"}, "motion.order_amplitudes", "must be 'constant' or 'speed_squared'"),
        (AT_REST | {"order_amplitudes": "speed_squared", "orders_from": 3}, "motion.orders_from", "does not apply"),
    ],
)
def test_wrong_courses(motion, place, says):
    with pytest.raises(InputError) as caught:
        wheel(motion)
    assert any(p.place == place and says in p.message for p in caught.value.problems), caught.value.problems


def test_the_angle_of_a_table_against_adaptive_quadrature():
    rows = speed_knots(TIMES, SPEEDS)
    plain = course(rows, 0.0)
    for t in (0.3, 1.6, 2.0):
        found = quad(lambda x: M._mean_course(x, plain.row, plain.table, 0)[1], 0.0, t, points=TIMES[1:4])[0]
        assert M._mean_course(t, plain.row, plain.table, 0)[0] == pytest.approx(found, rel=1e-9)


def test_the_angle_at_the_knots_of_speeds_that_rise_through_them():
    """Where the speed has a slope at its points, too: angles at the knots by quadrature of the acceleration."""
    rows = speed_knots([0.0, 1.0, 2.5, 3.0], [0.0, 10.0, 30.0, 34.0])
    motion = course(rows, 0.0)
    assert rows[1, 3] > 1.0
    for t, angle in zip(rows[1:, 0], rows[1:, 5], strict=True):
        assert integrated(motion, float(t))[1] == pytest.approx(angle, rel=1e-10)


@pytest.mark.parametrize(
    ("motion", "rpm"),
    [
        ({"times": [0.0, 0.2, 0.3], "speeds": [-1.0, -1.0, 0.0]}, 8.97),  # 1 - 3 x^2 + 2 x^3 = 0.939 rad/s at x = 0.15
        ({"times": [0.0, 0.2, 0.3], "speeds": [-1.0, -1.0, 0.0], "ramp": 0.2}, None),
        ({"times": [0.0, 0.2, 0.3], "speeds": [-1.0, -1.0, 1.0], "ramp": 0.2}, None),
        ({"times": [0.0, 0.5], "speeds": [1.0, 2.0]}, None),
        ({"times": [0.0, 0.2, 0.3], "speeds": [0.0, 1.0, 0.0]}, None),
    ],
)
def test_a_ramp_that_outlasts_its_speed_is_doubted(motion, rpm):
    """The ramp adds to the table; where the table is at standstill before the ramp has ended, the wheel runs back."""
    told = wheel_motion(wheel({"kind": "speed_table"} | motion), False)[1]
    assert (f"backwards at up to {rpm} rpm" in told) if rpm else told == ""
    assert wheel_motion(wheel({"kind": "speed_table"} | motion), True)[1] == ""
