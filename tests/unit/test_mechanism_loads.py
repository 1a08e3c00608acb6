"""Resistance to the rotation of wheels: signs, tables over the angle turned, fading in, a run-down in closed form."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from chaindrive.mechanism.torque_kernels import wheel_torques
from chaindrive.mechanism.torques import pack, resisting, steepest
from chaindrive.model import IsoTooth, LoadTable, TorqueOverSpeed, TorqueOverTime, Wheel, torques_of, torques_on
from chaindrive.model.torques.load import Resistance

TURN = 2.0 * math.pi
ANGLES = np.array([0.0, 0.4, 1.1, 2.0, 3.3, 4.1, 5.0, TURN])
TORQUES = np.array([30.0, 50.0, -20.0, 10.0, 40.0, -60.0, 20.0, 30.0])
SPLINE = CubicSpline(ANGLES, TORQUES, bc_type="periodic")
ROUNDING = 1e-10
"""Rounding of an angle (16 eps) times the steepest slope, 300 per radian: 1e-12; a hundred times that for the
coefficients.
"""


NONE = np.zeros(0)


def packed_of(*wheels, senses=1.0, references=0.0):
    """Torques of wheels, each a list."""
    return pack(wheels, senses, references, 0.5)


def acting(t, angle, speed, packed, w=0):
    """All torques on a wheel, counter-clockwise."""
    return sum(wheel_torques(t, angle, speed, NONE, NONE, 0, packed, w))


def torque(given, t, angle, speed, sense=1.0, reference=0.0):
    return acting(t, angle, speed, packed_of([given], senses=sense, references=reference))


def resistance(constant=0.0, viscous=0.0, quadratic=0.0):
    return Resistance(constant, viscous, quadratic)


def table(angles=ANGLES, torques=TORQUES, **more):
    return LoadTable(angles=tuple(angles), torques=tuple(torques), **more)


def number(value):
    (found,) = torques_of(value)
    return found


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_signs(sense):
    """A constant load opposes the running sense, whichever way the wheel turns; fluid friction opposes the motion."""
    forwards, backwards = 3.0 * sense, -3.0 * sense
    for speed in (forwards, backwards, 0.0):
        assert torque(resistance(constant=7.0), 0.0, 0.0, speed, sense) == -7.0 * sense
        assert torque(resistance(constant=-7.0), 0.0, 0.0, speed, sense) == 7.0 * sense
        assert torque(resistance(viscous=2.0), 0.0, 0.0, speed, sense) == -2.0 * speed
        assert torque(resistance(quadratic=0.5), 0.0, 0.0, speed, sense) == -0.5 * speed * abs(speed)
    assert torque(resistance(), 1.0, 2.0, 3.0, sense) == 0.0
    together = torque(resistance(constant=7.0, viscous=2.0, quadratic=0.5), 0.0, 0.0, forwards, sense)
    assert together == pytest.approx(-sense * (7.0 + 6.0 + 4.5), rel=1e-15)


@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("phase", [0.0, 2.5, -0.7])
def test_table_is_read_at_the_angle_turned(sense, phase):
    load = table(phase=phase)
    reference = 0.83
    for turned in np.linspace(-9.0, 16.0, 127):
        expected = -sense * SPLINE((turned + phase) % TURN)
        found = torque(load, 1.0, reference + sense * turned, 0.0, sense, reference)
        assert found == pytest.approx(expected, abs=ROUNDING)


def test_table_keeps_its_mean():
    """The mean work of a turn is that of the table: the spline's own integral, by Gauss quadrature between knots."""
    packed = packed_of([table()])
    nodes, weights = np.polynomial.legendre.leggauss(4)  # exact for cubics
    work = 0.0
    for a, b in pairwise(ANGLES):
        at = 0.5 * (a + b) + 0.5 * (b - a) * nodes
        work -= 0.5 * (b - a) * sum(w * acting(0.0, x, 0.0, packed) for x, w in zip(at, weights, strict=True))
    assert work == pytest.approx(float(SPLINE.integrate(0.0, TURN)), rel=1e-12)
    assert abs(work) > 1.0


def test_mean_torque():
    mean = float(SPLINE.integrate(0.0, TURN)) / TURN
    loads = [resistance(constant=5.0, viscous=0.3, quadratic=0.02), table(ANGLES + 1.0, phase=0.4)]
    assert resisting(loads, 10.0, 1.0) == pytest.approx(5.0 + 3.0 + 2.0 + mean, rel=1e-12)
    assert resisting([resistance(constant=-5.0)], 10.0, -1.0) == -5.0
    assert resisting([number(7.0)], 10.0, 1.0) == -7.0  # counter-clockwise: drives a wheel that runs so
    assert resisting([number(7.0), resistance(constant=2.0)], 10.0, -1.0) == 9.0


def test_table_may_begin_at_any_angle():
    shifted = table(ANGLES + 1.7)
    for angle in (0.0, 1.0, 1.7, 3.0, 7.5):
        # The spline through the same knots, whose angle zero lies inside a piece, is closed there by a knot of its own.
        assert torque(shifted, 0.0, angle, 0.0) == pytest.approx(-SPLINE((angle - 1.7) % TURN), abs=ROUNDING)


@pytest.mark.parametrize("zero", [-1e-17, -1e-13, 0.0, 1e-13])
def test_table_that_begins_just_beside_zero(zero):
    load = table([zero, 2.0, 4.0, zero + TURN], [1.0, 2.0, 4.0, 1.0])
    assert torque(load, 0.0, 0.0, 0.0) == pytest.approx(-1.0, abs=1e-11)
    assert torque(load, 0.0, 2.0, 0.0) == pytest.approx(-2.0, abs=1e-11)


def test_fade_in():
    def torques_at(times, **course):
        packed = packed_of([resistance(constant=5.0), table([0.0, 2.0, 4.0, TURN], [10.0] * 4, **course)])
        return [acting(t, 0.3, 0.0, packed) for t in times]

    expected = [-5.0, -5.0, -7.5, -10.0, -15.0, -15.0]
    assert torques_at((0.0, 1.0, 1.5, 2.0, 3.0, 9.0), start=1.0, fade_in=2.0) == expected
    assert torques_at([0.0]) == [-15.0]  # in the static equilibrium of the start, too
    assert torques_at((np.nextafter(1.0, 0.0), 1.0), start=1.0) == [-5.0, -15.0]


def test_many_wheels_share_a_table():
    one, alike = table(start=0.5, fade_in=0.25), resistance(viscous=1.0)
    other = [resistance(constant=2.0), table([0.0, 1.0, 2.0, TURN], [4.0, 5.0, 6.0, 4.0], phase=0.1)]
    wheels = [([one], 1.0, 0.0), ([alike], 1.0, 0.1), (other, -1.0, 0.2)]
    packed = packed_of([one], [alike], other, senses=[1.0, 1.0, -1.0], references=[0.0, 0.1, 0.2])
    assert packed.stops.tolist() == [0.5, 0.75]
    assert packed.torque_table.shape == (len(ANGLES) - 1 + 3, 6)
    for w, (own, sense, reference) in enumerate(wheels):
        for t, angle, speed in ((0.6, 1.3, 2.0), (3.0, -8.0, -1.0)):
            alone = sum(torque(each, t, angle, speed, sense, reference) for each in own)
            assert acting(t, angle, speed, packed, w) == pytest.approx(alone, rel=1e-14)


def test_no_wheels():
    packed = pack([], [], [], [])
    assert packed.running.sense.size == packed.torque.kind.size == 0
    assert packed.stops.size == 0


def test_damping_is_the_slope():
    """Central difference of c w + q w^2 is exact: (c + 2 q |w|), where the speed keeps its sign."""
    load = resistance(viscous=0.3, quadratic=0.02)
    for speed in (40.0, -40.0):
        step = 1.0
        slope = (torque(load, 0.0, 0.0, speed - step) - torque(load, 0.0, 0.0, speed + step)) / (2.0 * step)
        found = steepest([[load], [resistance(viscous=1.0)]], [speed, 5.0], 1.0, 0.5)
        assert found == pytest.approx([slope, 1.0], rel=1e-13)


def test_run_down_in_closed_form():
    """J dw/dt = -c w - q w^2: w = w0 e / (1 + (q w0/c)(1 - e)), e = exp(-c t/J)."""
    inertia, c, q, first = 0.2, 0.05, 0.004, 30.0
    packed = packed_of([resistance(viscous=c, quadratic=q)])

    def rate(t, y):
        return [y[1], acting(t, y[0], y[1], packed) / inertia]

    found = solve_ivp(rate, (0.0, 6.0), [0.0, first], rtol=1e-10, atol=1e-12, t_eval=[1.0, 3.0, 6.0])
    e = np.exp(-c * found.t / inertia)
    expected = first * e / (1.0 + q * first / c * (1.0 - e))
    # Some hundred steps, each within 1e-10 of the value.
    np.testing.assert_allclose(found.y[1], expected, rtol=1e-7)


def test_loads_of_a_description():
    fields = {"name": "cam", "teeth": 20, "position": (0, 0), "tooth": IsoTooth()}
    over_a_turn = table(phase=0.3, start=1.0, fade_in=2.0)
    wheel = Wheel(**fields, load_torque="5 N*m", load_viscous=2, load_quadratic=0.5, load_table=over_a_turn)
    assert torques_on(wheel) == (Resistance(5.0, 2.0, 0.5), over_a_turn)
    assert acting(9.0, 0.0, 2.0, packed_of(torques_on(wheel))) == pytest.approx(
        -(5.0 + 4.0 + 2.0 + float(SPLINE(0.3))), rel=1e-13
    )
    assert torques_on(Wheel(**fields, torque="-3 N*m")) == (number(-3.0),)
    curve = TorqueOverSpeed(speeds=(0, "8 rad/s"), torques=("10 N*m", 0))
    assert torques_on(Wheel(**fields, torque=curve)) == torques_on(Wheel(**fields, torque=[curve])) == (curve,)
    assert torques_on(Wheel(**fields)) == ()


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_a_torque_is_counter_clockwise_and_a_load_against_the_running_sense(sense):
    """Whatever the actual speed: a weight and a load keep their direction while the drive turns back."""
    for speed in (20.0, -20.0):
        assert torque(number(400.0), 0.0, 0.0, speed, sense) == 400.0
        assert torque(resistance(constant=400.0), 0.0, 0.0, speed, sense) == -sense * 400.0
        assert torque(resistance(viscous=2.0), 0.0, 0.0, speed, sense) == -2.0 * speed


POINTS = (0.2, 0.5, 1.0, 4.0), (3.0, -1.0, 6.0, 0.0)


@pytest.mark.parametrize("over", ["time", "speed"])
def test_a_tabulated_torque_is_linear_between_its_points_and_constant_beyond(over):
    given = {"time": TorqueOverTime, "speed": TorqueOverSpeed}[over](**{f"{over}s": POINTS[0], "torques": POINTS[1]})
    for x in np.linspace(0.0 if over == "time" else -3.0, 5.0, 81):
        t, speed = (x, 77.0) if over == "time" else (77.0, x)
        for sense in (1.0, -1.0):  # counter-clockwise positive, whichever way the wheel runs
            assert torque(given, t, 0.4, speed, sense) == pytest.approx(float(np.interp(x, *POINTS)), abs=1e-14)


def test_tables_of_torques_and_of_loads_stand_side_by_side():
    """The kinks of a torque over time are the instants at which a step must end."""
    over_time = TorqueOverTime(times=(0.5, 1.0), torques=(2.0, 4.0))
    over_speed = TorqueOverSpeed(speeds=(0.0, 8.0, 9.0), torques=(10.0, 0.0, 0.4))
    wheels = [[over_time, table()], [over_speed], [number(3.0)]]
    packed = packed_of(*wheels, senses=[1.0, -1.0, 1.0])
    np.testing.assert_array_equal(packed.stops, [0.5, 1.0])
    found = [wheel_torques(0.75, 1.1, 4.0, NONE, NONE, 0, packed, w) for w in range(3)]
    np.testing.assert_allclose(found, [(20.0, 3.0), (0.0, 5.0), (0.0, 3.0)], rtol=1e-13)
    np.testing.assert_allclose(steepest(wheels, 0.0, 1.0, 0.5), [0.0, 1.25, 0.0])


def test_what_a_torque_is_in_the_long_run():
    over_time = TorqueOverTime(times=(0.0, 1.0), torques=(10.0, 4.0))
    over_speed = TorqueOverSpeed(speeds=(-10.0, 10.0), torques=(-4.0, -2.0))
    assert (over_time.mean_torque(5.0, 1.0), over_time.mean_torque(5.0, 1.0, time=0.5)) == (4.0, 7.0)
    assert over_speed.mean_torque(-5.0, 1.0) == pytest.approx(-3.5)
    assert resisting([over_speed, resistance(constant=3.0)], 4.0, -1.0) == pytest.approx(3.0 - 3.4)
