"""Unbalanced wheels on moving bodies against Lagrange's equations, and the momentum of whole mechanisms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.mechanism import motion, tree
from chaindrive.mechanism.tree import GROUND, PRISMATIC, REVOLUTE, BodyData
from support.absolute_bodies import frames, number
from support.mechanism_states import G, Wheel, evaluate, random_bodies, random_pushes, random_state

ECCENTRIC = 0.8 * np.exp(0.9j)  # m e at this instant [kg m]


def test_unbalanced_wheel_on_a_slide():
    # Support and wheel M, m e = u at angle a: M x'' = -k x + u (a'' sin a + a'^2 cos a), I a'' - u x'' sin a = T - u g
    # cos a (Blekhman; a'' by Lagrange from T = M x'^2/2 + I a'^2/2 - u x' a' sin a).
    support, wheel, stiffness, inertia, torque, angular_velocity, x = 4.0, 6.0, 5e3, 2.0, 3.0, 7.0, 0.03
    u, a = abs(ECCENTRIC), float(np.angle(ECCENTRIC))
    body = BodyData(GROUND, PRISMATIC, support, stiffness=stiffness)
    matrix = [[support + wheel, -u * math.sin(a)], [-u * math.sin(a), inertia]]
    right = [-stiffness * x + u * angular_velocity**2 * math.cos(a), torque - u * G * math.cos(a)]
    expected = np.linalg.solve(matrix, right)
    point_masses = Wheel(0, 0j, wheel, inertia, ECCENTRIC, angular_velocity, torque)
    made, acceleration, force, _, _, _ = evaluate([body], [x], [0.5], wheels=[point_masses])
    assert acceleration[0] == pytest.approx(expected[0], rel=1e-12)
    assert tree.unbalanced_acceleration(made, 0) == pytest.approx(expected[1], rel=1e-12)
    assert (torque - u * G * math.cos(a) - tree.outer(made, 0)) / inertia == pytest.approx(expected[1], rel=1e-12)
    # Across the slide the ground carries the weight and the wheel's inertia forces: u (a'^2 sin a - a'' cos a).
    across = -(support + wheel) * G + u * (angular_velocity**2 * math.sin(a) - expected[1] * math.cos(a))
    assert force[0].imag == pytest.approx(across, rel=1e-12)
    # The same with the angular acceleration prescribed.
    driven = Wheel(0, 0j, wheel, inertia, ECCENTRIC, angular_velocity, acceleration=11.0)
    made, acceleration, force, _, _, _ = evaluate([body], [x], [0.5], wheels=[driven])
    pushed = -stiffness * x + u * (11.0 * math.sin(a) + angular_velocity**2 * math.cos(a))
    assert acceleration[0] == pytest.approx(pushed / (support + wheel), rel=1e-12)
    assert force[0].imag == pytest.approx(
        -(support + wheel) * G + u * (angular_velocity**2 * math.sin(a) - 11.0 * math.cos(a)), rel=1e-12
    )


def test_unbalanced_wheel_on_an_arm():
    # Arm angle p, length L, J about its pivot; wheel m at its end, angle a, eccentric moment u:
    # T = (J + m L^2) p'^2/2 + I a'^2/2 + u L p' a' cos(a - p), V = (m L + m1 c) g sin p + u g sin a.
    length, mass, inertia, arm, torque = 0.9, 5.0, 1.5, 0.7, -2.0
    m1, centre, p, dp, angular_velocity = 2.0, 0.4, 0.6, 1.7, -4.0
    u, a = abs(ECCENTRIC), float(np.angle(ECCENTRIC))
    body = BodyData(GROUND, REVOLUTE, m1, arm, (centre, 0.0))
    c, s = math.cos(a - p), math.sin(a - p)
    matrix = [[arm + m1 * centre**2 + mass * length**2, u * length * c], [u * length * c, inertia]]
    right = [
        u * length * angular_velocity**2 * s - (mass * length + m1 * centre) * G * math.cos(p),
        torque - u * length * dp**2 * s - u * G * math.cos(a),
    ]
    expected = np.linalg.solve(matrix, right)
    made, acceleration, _, moment, _, _ = evaluate(
        [body], [p], [dp], wheels=[Wheel(0, length + 0j, mass, inertia, ECCENTRIC, angular_velocity, torque)]
    )
    assert acceleration[0] == pytest.approx(expected[0], rel=1e-12)
    assert tree.unbalanced_acceleration(made, 0) == pytest.approx(expected[1], rel=1e-12)
    assert moment[0] == pytest.approx(0.0, abs=1e-11)  # a free bearing


# Balances


def momentum(bodies, s, rate, wheels, point_masses):
    """Momentum, and its moment about the origin, of everything; a wheel's eccentric mass as a point at its place."""
    at = frames(bodies, s, rate)
    parts = [(b.mass, f, number(b.centre) - number(b.position)) for b, f in zip(bodies, at, strict=True)]
    parts += [(m, at[b], own) for b, own, m in point_masses] + [(w.mass, at[w.body], w.own) for w in wheels]
    linear = sum(m * f.rate(own) for m, f, own in parts)
    turning = sum(m * (f.place(own).conjugate() * f.rate(own)).imag for m, f, own in parts)
    turning += sum(b.inertia * f.angular_velocity for b, f in zip(bodies, at, strict=True))
    for w in wheels:
        place, speed = at[w.body].place(w.own), at[w.body].rate(w.own)
        own = 1j * w.angular_velocity * w.eccentric  # momentum of the eccentricity
        linear += own
        turning += (
            w.inertia * w.angular_velocity + (place.conjugate() * own).imag + (w.eccentric.conjugate() * speed).imag
        )
    return linear, turning


def moved(wheels, made, h):
    """The wheels a time h later, along their angular accelerations."""
    return [
        Wheel(
            w.body, w.own, w.mass, w.inertia, w.eccentric * np.exp(1j * w.angular_velocity * h),
            w.angular_velocity + h * tree.unbalanced_acceleration(made, k),
        )
        for k, w in enumerate(wheels)
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_momentum_balance(seed):
    # What passes to the ground = external forces + weights - d(momentum)/dt, in x, y and about the origin. The
    # derivative by central differences, h = 1e-5: error h^2/6 times third derivatives (below 1e5) and rounding 1e-15
    # of the momentum (below 1e3)/h: 2e-6 and 1e-7.
    random = np.random.default_rng(100 + seed)
    bodies = random_bodies(random, 4)
    if seed % 2:
        bodies[1] = bodies[1]._replace(joint=PRISMATIC, motion=motion.harmonic(0.3, 2.0, 0.4))
    s, rate = random_state(random, bodies)
    pushes = random_pushes(random, bodies)
    point_masses = [(3, 0.3 - 0.2j, 2.0)]
    wheels = [
        Wheel(2, 0.5 + 0.1j, 3.0, 1.0, 0.4 * np.exp(1j * seed), 5.0, 2.0),
        Wheel(3, 0.5 - 0.4j, 2.0, 0.8, 0.3 * np.exp(2j * seed), -6.0, 1.0, acceleration=20.0),
    ]
    made, acceleration, force, moment, _, _ = evaluate(
        bodies, s, rate, pushes=pushes, wheels=wheels, point_masses=point_masses, t=0.3
    )

    def after(h):
        states = s + h * rate + 0.5 * h * h * acceleration, rate + h * acceleration
        return np.array(momentum(bodies, *states, moved(wheels, made, h), point_masses))

    h = 1e-5
    change, change_of_moment = (after(h) - after(-h)) / (2 * h)
    at = frames(bodies, s, rate)
    weights = [(b.mass, f.place(number(b.centre) - number(b.position))) for b, f in zip(bodies, at, strict=True)]
    weights += [(m, at[b].place(own)) for b, own, m in point_masses] + [
        (w.mass, at[w.body].place(w.own)) for w in wheels
    ]
    acting = -1j * G * sum(m for m, _ in weights) + sum(f for _, _, f, _ in pushes)
    acting_moment = -G * (sum(m * p.real for m, p in weights) + sum(w.eccentric.real for w in wheels))
    acting_moment += sum((at[b].place(own).conjugate() * f).imag + m for b, own, f, m in pushes)
    acting_moment += wheels[0].moment + needed_torque(made, 1, wheels[1], at[3].place(wheels[1].own))
    fixed = [b for b, body in enumerate(bodies) if body.parent == GROUND]
    total = sum(force[b] for b in fixed)
    about = sum(moment[b] + (at[b].origin.conjugate() * force[b]).imag for b in fixed)
    assert total == pytest.approx(acting - change, abs=1e-5)
    assert about == pytest.approx(acting_moment - change_of_moment.real, abs=1e-5)


def needed_torque(made, w, wheel, place):
    """Torque that gives a wheel its angular acceleration: I a'' + (m e) x (acceleration of the centre - gravity)."""
    ax, ay = tree.bias(made, wheel.body, place.real, place.imag)
    c = 1j * wheel.eccentric
    return wheel.inertia * wheel.acceleration + c.real * ax + c.imag * (ay + G) + tree.outer(made, w)
