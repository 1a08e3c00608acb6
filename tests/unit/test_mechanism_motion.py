"""Prescribed motions as functions: ramp, fade, tables over the angle, orders; and the direction in which a drive
runs.
"""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive.mechanism import fluctuation as f
from chaindrive.mechanism import motion as m
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.wheel_motions import wheel_motion
from chaindrive.model import Drive
from support import small_drives

TURN = 2.0 * np.pi
GAUSS, WEIGHT = np.polynomial.legendre.leggauss(8)


def acceleration(motion, t, angle, reference=0.0):
    packed = m.pack([motion], np.array([reference]))
    return m.motion_acceleration(packed.kinds[0], t, angle, packed.rows, packed.table, 0)


def test_ramp_gains_its_speed_exactly():
    # Eq. 4.3: integral of 6 t (tc - t)/tc^3 over 0..tc is 1; Gauss quadrature is exact for this parabola.
    start, duration, change = 0.3, 2.0, -12.5
    t = start + 0.5 * duration * (GAUSS + 1.0)
    values = np.array([m.smooth_ramp(x, start, duration, change) for x in t])
    assert 0.5 * duration * (WEIGHT @ values) == pytest.approx(change, rel=1e-14)
    # (tc - t) times the acceleration integrates to the angle change tc/2.
    assert 0.5 * duration * (WEIGHT @ ((start + duration - t) * values)) == pytest.approx(0.5 * change * duration)
    # Largest in the middle: 3/2 of the mean acceleration.
    assert m.smooth_ramp(start + 0.5 * duration, start, duration, change) == pytest.approx(1.5 * change / duration)


@pytest.mark.parametrize("t", [-1.0, 0.3, 2.31, 5.0])
def test_ramp_is_zero_outside(t):
    assert m.smooth_ramp(t, 0.3, 2.0, 10.0) == 0.0
    assert m.smooth_ramp(t, 0.3, 0.0, 10.0) == 0.0


def test_table_is_the_periodic_spline_without_its_mean():
    from scipy.interpolate import CubicSpline

    angles = np.array([0.0, 0.4, 1.1, 2.0, 3.3, 4.1, 5.0, TURN])
    values = np.array([3.0, 5.0, -2.0, 1.0, 4.0, -6.0, 2.0, 3.0])
    motion, mean = f.angle_table(m.constant_speed(5.0, 0.0), angles, values, 0.0, 0.0)
    spline = CubicSpline(angles, values, bc_type="periodic")
    assert mean == pytest.approx(spline.integrate(0.0, TURN) / TURN, rel=1e-12)
    for angle in np.linspace(-9.0, 16.0, 211):
        # Rounding of the angle modulo 2 pi: 16 eps times the steepest slope (about 30 per rad).
        expected = spline(np.mod(angle - 0.7, TURN)) - mean
        assert acceleration(motion, 1.0, angle, reference=0.7) == pytest.approx(expected, abs=1e-12)


def test_a_table_that_does_not_begin_at_zero_is_the_same_function():
    # A smooth function sampled finely at shifted knots: both splines have an error of the order h^4 = (2 pi/90)^4.
    def tabulated(first):
        angles = first + np.linspace(0.0, TURN, 91)
        return f.angle_table(m.constant_speed(9.0, 0.0), angles, 7.0 * np.sin(3.0 * angles), 0.0, 0.0)[0]

    for angle in np.linspace(0.0, TURN, 37):
        exact = 7.0 * np.sin(3.0 * angle)
        for first in (0.0, 0.03, -1.0, 4.0):
            assert acceleration(tabulated(first), 1.0, angle) == pytest.approx(exact, abs=7.0 * 81 * (TURN / 90) ** 4)


def test_orders_over_time_and_over_angle():
    terms = [(6.0, 4.0, 0.3), (0.5, 1.0, -1.0)]
    over_time = f.orders(m.constant_speed(10.0, 0.0), terms, False, 0.5, 0.3)
    over_angle = f.orders(m.constant_speed(10.0, 0.0), terms, True, 0.5, 0.3)
    # Eq. 4.5 with the nominal angle w (t - start), Eq. 4.6, and with the true one.
    expected = sum(a * np.sin(k * 10.0 * (0.9 - 0.5) + phase) for k, a, phase in terms)
    assert acceleration(over_time, 0.9, 77.0) == pytest.approx(expected, rel=1e-13)
    # Over the angle it is at full size where the wheel has turned by 10 rad/s x 0.8 s, but for some hundredths.
    expected = sum(a * np.sin(k * (11.0 - 1.2) + phase) for k, a, phase in terms)
    assert acceleration(over_angle, 0.9, 11.0, reference=1.2) == pytest.approx(expected, rel=1e-13)
    assert acceleration(over_angle, 0.9, 6.0, reference=1.2) == 0.0
    assert acceleration(over_time, 0.5, 0.0) == 0.0


def test_packing_keeps_the_rows_of_every_wheel_apart():
    one = f.orders(m.constant_speed(10.0, 0.1), [(1.0, 2.0, 0.0)], True, 0.2, 0.3)
    two = f.orders(m.constant_speed(20.0, 0.4), [(3.0, 5.0, 0.0), (4.0, 6.0, 0.0)], True, 0.0, 0.0)
    packed = m.pack([None, one, None, two], np.array([0.0, 0.1, 0.2, 0.3]))
    assert packed.kinds.tolist() == [m.FREE, m.ORDERS_OVER_ANGLE, m.FREE, m.ORDERS_OVER_ANGLE]
    assert np.column_stack([packed.rows.rows, packed.rows.rows_end])[[1, 3]].tolist() == [[0, 1], [1, 3]]
    np.testing.assert_allclose(packed.stops, [0.1, 0.2, 0.4, 0.5, 0.4 + TURN / 20.0])
    value = m.motion_acceleration(packed.kinds[3], 1.0, 30.3, packed.rows, packed.table, 3)
    assert value == pytest.approx(5.0 * np.sin(90.0) + 6.0 * np.sin(120.0))


def test_a_run_at_speed_has_no_ramp():
    wheel = small_drives.two_wheels(speed=7.0, ramp=2.0).wheels[0]
    rest, speed = wheel_motion(wheel, False)[0], wheel_motion(wheel, True)[0]
    assert (rest.initial_speed, rest.stops) == (0.0, (2.0,))
    assert (speed.initial_speed, speed.stops) == (7.0, ())
    assert wheel_motion(small_drives.two_wheels().wheels[1], True)[0] is None


@pytest.mark.parametrize(
    ("loop", "speed", "direction", "slack"),
    [
        ("counterclockwise", 5.0, 1, 0),
        ("counterclockwise", -5.0, -1, 1),
        ("clockwise", -5.0, 1, 0),
        ("clockwise", 5.0, -1, 1),
    ],
)
def test_running_direction_and_slack_span(loop, speed, direction, slack):
    given = small_drives.two_wheels(speed=speed)
    drive = Drive(**(given.model_dump(exclude_none=True) | {"loop": loop}))
    assert drive_facts(drive).driver == 0
    assert drive_facts(drive).signs.tolist() == ([1, 1] if loop == "counterclockwise" else [-1, -1])
    assert drive_facts(drive).direction == direction
    assert drive_facts(drive).slack_span == slack


def test_a_move_goes_its_way_from_rest_to_rest():
    # Gauss quadrature with 8 points is exact for the cubic: the speed gained is zero, the way is the change.
    move = m.move(-0.7, 0.3, 2.0)
    t = 0.3 + 0.5 * 2.0 * (GAUSS + 1.0)
    values = np.array([acceleration(move, x, 99.0) for x in t])
    assert WEIGHT @ values == pytest.approx(0.0, abs=1e-14)
    assert WEIGHT @ ((2.3 - t) * values) == pytest.approx(-0.7, rel=1e-13)
    assert [acceleration(move, x, 0.0) for x in (0.0, 0.3, 2.31, 5.0)] == [0.0] * 4
    assert (move.stops, move.initial_speed, move.initial_coordinate) == ((0.3, 2.3), 0.0, 0.0)
    # Largest at (3 -+ sqrt 3)/6 of the duration: 10/sqrt(3) change/duration^2.
    assert acceleration(move, 0.3 + 2.0 * (3.0 - 3.0**0.5) / 6.0, 0.0) == pytest.approx(-0.7 * 10.0 / 3.0**0.5 / 4.0)


@pytest.mark.parametrize("fade_in", [0.0, 0.4])
def test_a_harmonic_is_the_second_derivative_of_its_motion(fade_in):
    def coordinate(t):
        s = t - 0.5
        x = 1.0 if s >= fade_in else s / fade_in
        return 0.03 * np.sin(2.0 * np.pi * 3.0 * s + 0.4) * x**3 * (10.0 - 15.0 * x + 6.0 * x * x)

    harmonic = m.harmonic(0.03, 3.0, 0.4, 0.5, fade_in)
    h = 1e-4
    for t in (0.51, 0.6, 0.83, 0.95, 2.0):
        # Fourth derivative below 0.03 (2 pi 3 + 10/fade)^4 = 1e5: h^2/12 of it is 1e-4; the largest value is 10.
        expected = (coordinate(t + h) - 2.0 * coordinate(t) + coordinate(t - h)) / h**2
        assert acceleration(harmonic, t, 0.0) == pytest.approx(expected, abs=1e-4)
    assert acceleration(harmonic, 0.4999, 0.0) == 0.0


def test_a_harmonic_says_how_it_starts():
    turn = 2.0 * np.pi * 3.0
    now = m.harmonic(0.03, 3.0, 0.4)
    assert now.initial_coordinate == pytest.approx(0.03 * np.sin(0.4))
    assert now.initial_speed == pytest.approx(0.03 * turn * np.cos(0.4))
    later = m.harmonic(0.03, 3.0, 0.4, start=0.2)  # uniform until it runs into the oscillation
    assert later.initial_speed == now.initial_speed
    assert later.initial_coordinate + 0.2 * later.initial_speed == pytest.approx(now.initial_coordinate)
    faded = m.harmonic(0.03, 3.0, 0.4, start=0.2, fade_in=0.1)
    assert (faded.initial_coordinate, faded.initial_speed) == (0.0, 0.0)
    assert faded.stops == pytest.approx((0.2, 0.3))


def test_motions_that_cannot_be():
    with pytest.raises(ValueError, match=r"duration above zero, not 0\.0 s"):
        m.move(1.0, 0.0, 0.0)
    with pytest.raises(ValueError, match=r"not at -1\.0 s"):
        m.move(1.0, -1.0, 1.0)
    with pytest.raises(ValueError, match=r"-2\.0 Hz"):
        m.harmonic(1.0, -2.0, 0.0)
