"""A driver in a whole drive follows its prescribed motion: Eq. 4.3, run-up, orders, tables over the angle; its mean."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from chaindrive.errors import InputError
from chaindrive.model import loads as load_text
from support import small_drives
from support.small_drives import compiled, two_wheels

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

    def exact(t):
        """Speed: the ramp, and S(x) times the integral of the orders that has no mean, x = (t - start)/fade_in."""
        s = np.maximum(t - 0.006, 0.0)
        swing = -sum(
            term["amplitude"] / (term["order"] * SPEED) * np.cos(term["order"] * SPEED * s + term["phase"])
            for term in orders
        )
        x = np.minimum(s / 0.01, 1.0)
        return ramped(t, SPEED, 0.004)[0] + x**3 * (10.0 - 15.0 * x + 6.0 * x**2) * swing

    # Steps of at most 1/w_max = 2.7e-5 s, so that w h <= 5e-3 here; the error of a step of order 5 is below (w h)^6,
    # and over t: A t (w h)^5 = 400 x 0.03 x 3e-12.
    np.testing.assert_allclose(speed, exact(t), rtol=0.0, atol=5e-11)
    nodes, weights = np.polynomial.legendre.leggauss(8)
    middle, half = 0.5 * (t[1:] + t[:-1]), 0.5 * np.diff(t)  # kinks lie on instants: pieces are smooth
    turned = (exact(middle[:, None] + half[:, None] * nodes) @ weights) * half
    np.testing.assert_allclose(angle[1:], np.cumsum(turned), rtol=0.0, atol=5e-12)


@pytest.mark.parametrize("kind", ["angle_table", "orders"])
def test_motions_over_the_angle_keep_their_energy_integral(kind):
    """After the fade w^2/2 - F(angle) stays constant; a revolution at that energy takes 2 pi / SPEED (quadrature)."""
    from scipy.integrate import quad
    from scipy.interpolate import CubicSpline

    angles = np.linspace(0.0, TURN, 25)
    values = 900.0 * np.sin(6.0 * angles) + 250.0 * np.cos(angles) + 0.9  # a mean of 0.9, which is taken out
    values[-1] = values[0]
    motion = {"kind": kind, "speed": SPEED, "ramp": 0.005, "start": 0.004, "fade_in": 0.008}
    if kind == "angle_table":
        motion |= {"angles": angles.tolist(), "accelerations": values.tolist()}
        spline = CubicSpline(angles, values, bc_type="periodic")
        mean = spline.integrate(0.0, TURN) / TURN
        integral = spline.antiderivative()

        def potential(turned):
            return integral(turned) - mean * turned
    else:
        motion |= {
            "over": "angle",
            "orders": [{"order": 6.0, "amplitude": 900.0}, {"order": 1.0, "amplitude": 250.0, "phase": 1.0}],
        }

        def potential(turned):
            return -150.0 * np.cos(6.0 * turned) - 250.0 * np.cos(turned + 1.0)

    t, angle, speed, _ = driven_by(motion, 0.03)
    exact_speed, exact_angle = ramped(t, SPEED, 0.005)
    rising = t <= 0.005 + 1e-12
    np.testing.assert_allclose(speed[rising], exact_speed[rising], rtol=0.0, atol=1e-12 * SPEED)
    np.testing.assert_allclose(angle[rising], exact_angle[rising], rtol=0.0, atol=1e-12)
    after = t >= 0.013
    energy = 0.5 * speed[after] ** 2 - potential(angle[after])
    # The spline has jumps of its third derivative at the knots: the step across one has an error of the order
    # [d3a] w^3 h^4/4! = 900 x 216 x 3e4 x (3e-5)^4/24 = 2e-10 of the speed, for a handful of knots.
    np.testing.assert_allclose(energy, energy[0], rtol=0.0, atol=SPEED * 2e-9)
    turn = sum(
        quad(lambda x: 1.0 / np.sqrt(2.0 * (energy[0] + potential(x))), a, b, epsrel=1e-12)[0]
        for a, b in pairwise(angles)
    )
    assert TURN / turn == pytest.approx(SPEED, rel=1e-9)


@pytest.mark.parametrize(
    ("over", "ramp"),
    [
        ("angle", 0.02),
        *(pytest.param(*case, marks=pytest.mark.long) for case in (("time", 0.0), ("angle", 0.0), ("time", 0.02))),
    ],
)
def test_a_drive_has_the_mean_speed_that_was_asked(over, ramp):
    """50 rad/s with order 2 of 1000 rad/s2, at speed and from rest: both wheels take two revolutions in 4 pi / 50."""
    motion = {"kind": "orders", "speed": 50.0, "ramp": ramp, "over": over, "orders": [{"order": 2, "amplitude": 1e3}]}
    drive = two_wheels(first={"motion": motion}, gravity=(0.0, 0.0), link_stiffness=1e6)
    system = compiled(drive, at_speed=ramp == 0.0)
    begin = 0.0 if ramp == 0.0 else ramp + TURN / 50.0
    revolution = TURN / 50.0
    found = small_drives.run(system, begin + 2.0 * revolution, (begin + 2.0 * revolution) / 400)
    first = int(np.argmin(np.abs(found.times - begin)))
    angle = found.channels["wheel_angle"]
    turned = np.interp([begin, begin + 2.0 * revolution], found.times, angle[:, 0])
    tolerance = 1e-8 if ramp == 0.0 else 2e-5  # rows lie up to 3e-4 s beside ``begin``, where the line is a chord
    assert (turned[1] - turned[0]) / (2.0 * TURN) == pytest.approx(1.0, abs=tolerance)
    assert (angle[-1, 1] - angle[first, 1]) == pytest.approx(
        (angle[-1, 0] - angle[first, 0]) * drive.wheels[0].teeth / drive.wheels[1].teeth, rel=0.02
    )


def test_two_drivers_fluctuate_each_in_its_own_way():
    """The second driver starts at the speed of its own fluctuation: its mean is its own, not shifted by the first's."""
    teeth = [wheel.teeth for wheel in two_wheels().wheels]
    one = {"kind": "orders", "speed": 50.0, "over": "time", "orders": [{"order": 2, "amplitude": 60.0}]}
    two = {"kind": "constant_speed", "speed": 50.0 * teeth[0] / teeth[1]}
    drive = two_wheels(first={"motion": one}, second={"motion": two}, gravity=(0.0, 0.0), link_stiffness=1e6)
    system = compiled(drive)
    wheels = slice(system.positions + 2 * drive.chain.links, system.positions + 2 * drive.chain.links + 2)
    assert system.motion.rolling[2 * drive.chain.links :][:2] == pytest.approx(
        [50.0 - 60.0 / 100.0, two["speed"]], rel=1e-14
    )
    assert system.state[wheels] == pytest.approx(system.motion.rolling[2 * drive.chain.links :][:2], rel=1e-14)


def test_a_fluctuation_that_cannot_be_is_refused_by_name():
    """Both wheels at once, with place and advice; a mean of zero is refused by the model."""
    wild = {"kind": "orders", "speed": 5.0, "orders": [{"order": 1, "amplitude": 1e3}]}
    drive = two_wheels((16, 16), first={"motion": wild}, second={"motion": wild})
    with pytest.raises(InputError, match="pass through zero") as caught:
        compiled(drive)
    assert [problem.place for problem in caught.value.problems] == ["wheels[0].motion", "wheels[1].motion"]
    with pytest.raises(InputError, match="must not be 0") as caught:
        load_text(drive.to_toml().replace("speed = 5.0", "speed = 0.0"))
