"""What resists the turning of wheels: signs, tables over the angle turned, fading in, a run-down in closed form."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from chaindrive.mechanism.loads import (
    OVER_SPEED,
    OVER_TIME,
    Load,
    applied_torque,
    load_damping,
    load_torque,
    mean_torque,
    pack,
    steady_torque,
)
from chaindrive.mechanism.running import wheel_load
from chaindrive.model import IsoTooth, LoadTable, TorqueOverSpeed, TorqueOverTime, Wheel

TURN = 2.0 * math.pi
ANGLES = np.array([0.0, 0.4, 1.1, 2.0, 3.3, 4.1, 5.0, TURN])
TORQUES = np.array([30.0, 50.0, -20.0, 10.0, 40.0, -60.0, 20.0, 30.0])
SPLINE = CubicSpline(ANGLES, TORQUES, bc_type="periodic")
ROUNDING = 1e-10
"""Of an angle (16 eps) times the steepest slope, 300 per radian: 1e-12; a hundred times that for the coefficients."""


def torque(load, t, angle, speed, sense=1.0, reference=0.0):
    loads = pack([load], [sense], [reference])
    own = applied_torque(t, angle, speed, loads.rows, loads.table, 0)
    return own + load_torque(t, angle, speed, loads.rows, loads.table, 0)


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_signs(sense):
    """A constant load opposes the running sense, whichever way the wheel turns; friction of a fluid the motion."""
    forwards, backwards = 3.0 * sense, -3.0 * sense
    for speed in (forwards, backwards, 0.0):
        assert torque(Load(constant=7.0), 0.0, 0.0, speed, sense) == -7.0 * sense
        assert torque(Load(constant=-7.0), 0.0, 0.0, speed, sense) == 7.0 * sense
        assert torque(Load(viscous=2.0), 0.0, 0.0, speed, sense) == -2.0 * speed
        assert torque(Load(quadratic=0.5), 0.0, 0.0, speed, sense) == -0.5 * speed * abs(speed)
    assert torque(Load(), 1.0, 2.0, 3.0, sense) == 0.0
    together = torque(Load(constant=7.0, viscous=2.0, quadratic=0.5), 0.0, 0.0, forwards, sense)
    assert together == pytest.approx(-sense * (7.0 + 6.0 + 4.5), rel=1e-15)


@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("phase", [0.0, 2.5, -0.7])
def test_table_is_read_at_the_angle_turned(sense, phase):
    load = Load(angles=ANGLES, torques=TORQUES, phase=phase)
    reference = 0.83
    for turned in np.linspace(-9.0, 16.0, 127):
        expected = -sense * SPLINE((turned + phase) % TURN)
        found = torque(load, 1.0, reference + sense * turned, 0.0, sense, reference)
        assert found == pytest.approx(expected, abs=ROUNDING)


def test_table_keeps_its_mean():
    """The mean work of a turn is that of the table: the spline's own integral, by Gauss quadrature between knots."""
    loads = pack([Load(angles=ANGLES, torques=TORQUES)], [1.0], [0.0])
    nodes, weights = np.polynomial.legendre.leggauss(4)  # exact for cubics
    work = 0.0
    for a, b in pairwise(ANGLES):
        at = 0.5 * (a + b) + 0.5 * (b - a) * nodes
        work -= (
            0.5
            * (b - a)
            * sum(w * load_torque(0.0, x, 0.0, loads.rows, loads.table, 0) for x, w in zip(at, weights, strict=True))
        )
    assert work == pytest.approx(float(SPLINE.integrate(0.0, TURN)), rel=1e-12)
    assert abs(work) > 1.0


def test_mean_torque():
    mean = float(SPLINE.integrate(0.0, TURN)) / TURN
    load = Load(constant=5.0, viscous=0.3, quadratic=0.02, angles=ANGLES + 1.0, torques=TORQUES, phase=0.4)
    assert mean_torque(load, 10.0, 1.0) == pytest.approx(5.0 + 3.0 + 2.0 + mean, rel=1e-12)
    assert mean_torque(Load(constant=-5.0), 10.0, -1.0) == -5.0
    assert mean_torque(Load(torque=7.0), 10.0, 1.0) == -7.0  # counter-clockwise: drives a wheel that runs so
    assert mean_torque(Load(torque=7.0, constant=2.0), 10.0, -1.0) == 9.0


def test_table_may_begin_at_any_angle():
    shifted = Load(angles=ANGLES + 1.7, torques=TORQUES)
    for angle in (0.0, 1.0, 1.7, 3.0, 7.5):
        # The spline through the same knots, whose angle zero lies inside a piece, is closed there by a knot of its own.
        assert torque(shifted, 0.0, angle, 0.0) == pytest.approx(-SPLINE((angle - 1.7) % TURN), abs=ROUNDING)


@pytest.mark.parametrize("zero", [-1e-17, -1e-13, 0.0, 1e-13])
def test_table_that_begins_just_beside_zero(zero):
    load = Load(angles=[zero, 2.0, 4.0, zero + TURN], torques=[1.0, 2.0, 4.0, 1.0])
    assert torque(load, 0.0, 0.0, 0.0) == pytest.approx(-1.0, abs=1e-11)
    assert torque(load, 0.0, 2.0, 0.0) == pytest.approx(-2.0, abs=1e-11)


def test_fade_in():
    load = Load(constant=5.0, angles=[0.0, 2.0, 4.0, TURN], torques=[10.0] * 4, start=1.0, fade_in=2.0)
    assert [torque(load, t, 0.3, 0.0) for t in (0.0, 1.0, 1.5, 2.0, 3.0, 9.0)] == [
        -5.0,
        -5.0,
        -7.5,
        -10.0,
        -15.0,
        -15.0,
    ]
    at_once = load._replace(start=0.0, fade_in=0.0)
    assert torque(at_once, 0.0, 0.3, 0.0) == -15.0  # in the static equilibrium of the start, too
    later = load._replace(fade_in=0.0)
    assert [torque(later, t, 0.3, 0.0) for t in (np.nextafter(1.0, 0.0), 1.0)] == [-5.0, -15.0]


def test_many_wheels_share_a_table():
    one = Load(angles=ANGLES, torques=TORQUES, start=0.5, fade_in=0.25)
    other = Load(constant=2.0, angles=[0.0, 1.0, 2.0, TURN], torques=[4.0, 5.0, 6.0, 4.0], phase=0.1)
    packed = pack([one, Load(viscous=1.0), other], [1.0, 1.0, -1.0], [0.0, 0.1, 0.2])
    assert packed.stops.tolist() == [0.5, 0.75]
    assert packed.table.shape == (len(ANGLES) - 1 + 3, 6)
    for w, (load, sense, reference) in enumerate([(one, 1.0, 0.0), (Load(viscous=1.0), 1.0, 0.1), (other, -1.0, 0.2)]):
        for t, angle, speed in ((0.6, 1.3, 2.0), (3.0, -8.0, -1.0)):
            alone = torque(load, t, angle, speed, sense, reference)
            assert load_torque(t, angle, speed, packed.rows, packed.table, w) == pytest.approx(alone, rel=1e-14)


def test_no_wheels():
    packed = pack([], [], [])
    assert packed.rows.shape[0] == 0
    assert packed.stops.size == 0


def test_damping_is_the_slope():
    """Central difference of c w + q w^2 is exact: (c + 2 q |w|), where the speed keeps its sign."""
    load = Load(viscous=0.3, quadratic=0.02)
    packed = pack([load, Load(viscous=1.0)], [1.0, -1.0], [0.0, 0.0])
    for speed in (40.0, -40.0):
        step = 1.0
        slope = (torque(load, 0.0, 0.0, speed - step) - torque(load, 0.0, 0.0, speed + step)) / (2.0 * step)
        assert load_damping(packed, [speed, 5.0]) == pytest.approx([slope, 1.0], rel=1e-13)


def test_run_down_in_closed_form():
    """J dw/dt = -c w - q w^2: w = w0 e / (1 + (q w0/c)(1 - e)), e = exp(-c t/J)."""
    inertia, c, q, first = 0.2, 0.05, 0.004, 30.0
    packed = pack([Load(viscous=c, quadratic=q)], [1.0], [0.0])

    def rate(t, y):
        return [y[1], load_torque(t, y[0], y[1], packed.rows, packed.table, 0) / inertia]

    found = solve_ivp(rate, (0.0, 6.0), [0.0, first], rtol=1e-10, atol=1e-12, t_eval=[1.0, 3.0, 6.0])
    e = np.exp(-c * found.t / inertia)
    expected = first * e / (1.0 + q * first / c * (1.0 - e))
    # Some hundred steps, each within 1e-10 of the value.
    np.testing.assert_allclose(found.y[1], expected, rtol=1e-7)


def test_loads_of_a_description():
    table = LoadTable(angles=tuple(ANGLES), torques=tuple(TORQUES), phase=0.3, start=1.0, fade_in=2.0)
    fields = {"name": "cam", "teeth": 20, "position": (0, 0), "tooth": IsoTooth()}
    wheel = Wheel(**fields, load_torque="5 N*m", load_viscous=2, load_quadratic=0.5, load_table=table)
    load = wheel_load(wheel)
    assert load[:3] == (5.0, 2.0, 0.5)
    assert load[5:9] == (0.3, 1.0, 2.0, 0.0)
    assert wheel_load(Wheel(**fields, torque="-3 N*m")) == Load(torque=-3.0)
    assert torque(load, 9.0, 0.0, 2.0) == pytest.approx(-(5.0 + 4.0 + 2.0 + float(SPLINE(0.3))), rel=1e-13)
    curve = TorqueOverSpeed(speeds=(0, "8 rad/s"), torques=("10 N*m", 0))
    assert wheel_load(Wheel(**fields, torque=curve))[-4:] == (OVER_SPEED, ((0.0, 8.0), (10.0, 0.0)), False, ())
    course = TorqueOverTime(times=(0, "500 ms"), torques=(0, 7))
    assert wheel_load(Wheel(**fields, torque=course))[-4:] == (OVER_TIME, ((0.0, 0.5), (0.0, 7.0)), False, ())
    assert wheel_load(Wheel(**fields)) == Load()


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_a_torque_is_counter_clockwise_and_a_load_against_the_running_sense(sense):
    """Whatever the actual speed: a weight and a load keep their direction while the drive turns back."""
    for speed in (20.0, -20.0):
        assert torque(Load(torque=400.0), 0.0, 0.0, speed, sense) == 400.0
        assert torque(Load(constant=400.0), 0.0, 0.0, speed, sense) == -sense * 400.0
        assert torque(Load(viscous=2.0), 0.0, 0.0, speed, sense) == -2.0 * speed


POINTS = (-2.0, 0.5, 1.0, 4.0), (3.0, -1.0, 6.0, 0.0)


@pytest.mark.parametrize("over", [OVER_TIME, OVER_SPEED])
def test_a_tabulated_torque_is_linear_between_its_points_and_constant_beyond(over):
    load = Load(torque_over=over, torque_points=POINTS)
    for x in np.linspace(-3.0, 5.0, 81):
        t, speed = (x, 77.0) if over == OVER_TIME else (77.0, x)
        for sense in (1.0, -1.0):  # counter-clockwise positive, whichever way the wheel runs
            assert torque(load, t, 0.4, speed, sense) == pytest.approx(float(np.interp(x, *POINTS)), abs=1e-14)


def test_tables_of_torques_and_of_loads_stand_side_by_side():
    """And the instants at which a torque over time bends are those at which a step has to end."""
    first = Load(angles=ANGLES, torques=TORQUES, torque_over=OVER_TIME, torque_points=((0.5, 1.0), (2.0, 4.0)))
    other = Load(torque_over=OVER_SPEED, torque_points=((0.0, 10.0), (8.0, 0.0)))
    packed = pack([first, other, Load(torque=3.0)], [1.0, -1.0, 1.0], [0.0, 0.0, 0.0])
    np.testing.assert_array_equal(packed.stops, [0.5, 1.0])
    found = [applied_torque(0.75, 0.0, 5.0, packed.rows, packed.table, w) for w in range(3)]
    np.testing.assert_allclose(found, [3.0, 4.0, 3.0], rtol=1e-15)
    assert load_torque(0.0, 1.1, 0.0, packed.rows, packed.table, 0) == pytest.approx(20.0, rel=1e-13)
    np.testing.assert_allclose(load_damping(packed, [0.0, 0.0, 0.0]), [0.0, 0.8, 0.0])


def test_what_a_torque_is_in_the_long_run():
    over_time = Load(torque_over=OVER_TIME, torque_points=((0.0, 1.0), (10.0, 4.0)))
    over_speed = Load(torque_over=OVER_SPEED, torque_points=((-10.0, 10.0), (-4.0, -2.0)))
    assert steady_torque(over_time, 5.0) == 4.0
    assert steady_torque(over_speed, -5.0) == pytest.approx(-3.5)
    assert mean_torque(over_speed._replace(constant=3.0), 4.0, -1.0) == pytest.approx(3.0 - 3.4)
