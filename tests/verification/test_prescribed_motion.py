"""A driver in a whole drive follows its prescribed motion: Eq. 4.3, run-up, orders, tables over the angle."""

from __future__ import annotations

import numpy as np
import pytest
import small_drives
from small_drives import compiled, two_wheels

SPEED, RAMP = 30.0, 0.02
TURN = 2.0 * np.pi


def driven_by(motion, until, interval=5e-4):
    """Times, angle turned and speed of the driver."""
    drive = two_wheels(first={"motion": motion}, gravity=(0.0, 0.0), link_stiffness=1e6)
    system = compiled(drive, at_speed=False)
    settings = small_drives.SolverSettings(atol_length=1e-9, atol_angle=1e-9, atol_speed=1e-6, atol_angular_speed=1e-6)
    done = small_drives.run(system, until, interval, settings)
    assert done.status.name == "REACHED_END"
    angle = done.channels["wheel_angle"][:, 0]
    return done.times, angle - angle[0], done.channels["wheel_speed"][:, 0], done.steps


def ramped(t, change, duration, start=0.0):
    """Speed and angle of Eq. 4.3: w = change (3 s^2 - 2 s^3), angle = change tc (s^3 - s^4/2), s = t/tc."""
    s = np.clip((t - start) / duration, 0.0, 1.0)
    after = np.maximum(t - start - duration, 0.0)
    return change * (3.0 * s**2 - 2.0 * s**3), change * (duration * (s**3 - 0.5 * s**4) + after)


def test_ramp_of_equation_4_3():
    # Speed and angle are polynomials of degree 3 and 4, which a method of order 5 with dense output of order 4
    # integrates without error: what is left is rounding, below sqrt(steps) ulp each.
    t, angle, speed, _ = driven_by({"kind": "constant_speed", "speed": SPEED, "ramp": RAMP}, 0.03)
    exact_speed, exact_angle = ramped(t, SPEED, RAMP)
    np.testing.assert_allclose(speed, exact_speed, rtol=0.0, atol=1e-12 * SPEED)
    np.testing.assert_allclose(angle, exact_angle, rtol=0.0, atol=1e-12)


def test_run_up():
    motion = {
        "kind": "run_up",
        "initial_speed": SPEED,
        "final_speed": 50.0,
        "start": 0.01,
        "duration": 0.015,
        "ramp": 0.008,
    }
    t, angle, speed, _ = driven_by(motion, 0.03)
    first, second = ramped(t, SPEED, 0.008), ramped(t, 50.0 - SPEED, 0.015, start=0.01)
    np.testing.assert_allclose(speed, first[0] + second[0], rtol=0.0, atol=1e-12 * 50.0)
    np.testing.assert_allclose(angle, first[1] + second[1], rtol=0.0, atol=1e-12)


def faded_sine(s, frequency, phase, fade):
    """Integral and double integral from 0 to s of min(s/fade, 1) sin(frequency s + phase), in closed form."""
    w = frequency

    def first(x):  # integral of x sin(w x + phase)
        return -x * np.cos(w * x + phase) / w + np.sin(w * x + phase) / w**2

    def second(x):  # integral of ``first``
        return -x * np.sin(w * x + phase) / w**2 - 2.0 * np.cos(w * x + phase) / w**3

    inside = np.minimum(s, fade)
    speed = (first(inside) - first(0.0)) / fade
    angle = (second(inside) - second(0.0) - first(0.0) * inside) / fade
    later = s - inside
    plain_speed = -(np.cos(w * s + phase) - np.cos(w * inside + phase)) / w
    plain_angle = -(np.sin(w * s + phase) - np.sin(w * inside + phase)) / w**2 + np.cos(w * inside + phase) * later / w
    return speed + plain_speed, angle + speed * later + plain_angle


def test_orders_over_time_against_the_closed_integral():
    orders = [{"order": 6.0, "amplitude": 400.0, "phase": 0.4}, {"order": 1.5, "amplitude": 900.0, "phase": -1.0}]
    motion = {
        "kind": "orders",
        "speed": SPEED,
        "ramp": 0.004,
        "orders": orders,
        "over": "time",
        "start": 0.006,
        "fade_in": 0.01,
    }
    t, angle, speed, _ = driven_by(motion, 0.03)
    exact_speed, exact_angle = ramped(t, SPEED, 0.004)
    for term in orders:
        w, a = term["order"] * SPEED, term["amplitude"]
        gained, turned = faded_sine(np.maximum(t - 0.006, 0.0), w, term["phase"], 0.01)
        exact_speed, exact_angle = exact_speed + a * gained, exact_angle + a * turned
    # Steps of at most 1/w_max = 2.7e-5 s, so that w h <= 5e-3 here; the error of a step of order 5 is below (w h)^6,
    # and over t: A t (w h)^5 = 400 x 0.03 x 3e-12.
    np.testing.assert_allclose(speed, exact_speed, rtol=0.0, atol=5e-11)
    np.testing.assert_allclose(angle, exact_angle, rtol=0.0, atol=5e-12)


@pytest.mark.parametrize("kind", ["angle_table", "orders"])
def test_motions_over_the_angle_against_a_direct_integration(kind):
    from scipy.integrate import solve_ivp
    from scipy.interpolate import CubicSpline

    angles = np.linspace(0.0, TURN, 25)
    values = 3000.0 * np.sin(6.0 * angles) + 1500.0 * np.cos(angles) + 0.9  # a mean of 0.9, which is taken out
    values[-1] = values[0]
    motion = {"kind": kind, "speed": SPEED, "ramp": 0.005, "start": 0.004, "fade_in": 0.008}
    if kind == "angle_table":
        motion |= {"angles": angles.tolist(), "accelerations": values.tolist()}
        spline = CubicSpline(angles, values, bc_type="periodic")
        mean = spline.integrate(0.0, TURN) / TURN

        def acceleration(turned):
            return spline(np.mod(turned, TURN)) - mean
    else:
        motion |= {
            "over": "angle",
            "orders": [{"order": 6.0, "amplitude": 3000.0}, {"order": 1.0, "amplitude": 1500.0, "phase": 1.0}],
        }

        def acceleration(turned):
            return 3000.0 * np.sin(6.0 * turned) + 1500.0 * np.sin(turned + 1.0)

    def slope(t, state):
        ramp = 6.0 * SPEED * t * (0.005 - t) / 0.005**3 if t < 0.005 else 0.0
        weight = np.clip((t - 0.004) / 0.008, 0.0, 1.0)
        return [state[1], ramp + weight * acceleration(state[0])]

    t, angle, speed, _ = driven_by(motion, 0.03)
    state, exact = [0.0, 0.0], np.zeros((2, t.size))
    for begin, end in ((0.0, 0.004), (0.004, 0.005), (0.005, 0.012), (0.012, 0.03)):  # kinks lie in between
        found = solve_ivp(
            slope, (begin, end), state, "DOP853", dense_output=True, rtol=1e-12, atol=1e-13, max_step=1e-4
        )
        inside = (t >= begin) & (t <= end + 1e-9)
        exact[:, inside] = found.sol(t[inside])
        state = found.y[:, -1]
    exact_angle, exact_speed = exact
    # The spline has jumps of its third derivative at the knots: the step across one has an error of the order
    # [a'''] w^3 h^4/4! = 3000 x 216 x 3e4 x (3e-5)^4/24 = 7e-10 for a handful of knots; everything else is smaller.
    np.testing.assert_allclose(speed, exact_speed, rtol=0.0, atol=5e-9)
    np.testing.assert_allclose(angle, exact_angle, rtol=0.0, atol=1e-10)
