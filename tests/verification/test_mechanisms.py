"""Mechanisms against closed-form solutions, other derivations of their equations, and balances of energy and
momentum.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk

from chaindrive.mechanism import motion, tree
from chaindrive.mechanism.elements import ElementData, HydraulicData, RatchetData
from chaindrive.mechanism.tree import FIXED, GROUND, PRISMATIC, REVOLUTE, BodyData
from chaindrive.mechanism.tree_kernels import joint_law
from chaindrive.solvers.equilibrium import equilibrium
from support.absolute_bodies import frames
from support.absolute_bodies import solve as absolute_solve
from support.mechanism_alone import alone
from support.mechanism_states import DOWN, TIGHT, G, evaluate, random_bodies, random_pushes, random_state, run

# Pendulums


@pytest.mark.parametrize("amplitude", [0.1, 1.5, 3.0])
def test_period_and_energy_of_a_physical_pendulum(amplitude):
    # T = 4 sqrt((I + m L^2)/(m g L)) K(sin(amplitude/2)); at T/4 the angle is zero, at T all is as at the start.
    length, mass, inertia = 0.7, 1.3, 0.2
    body = BodyData(GROUND, REVOLUTE, mass, inertia, (0.2, 0.3 - length), (0.2, 0.3))
    period = 4.0 * math.sqrt((inertia + mass * length**2) / (mass * G * length)) * ellipk(math.sin(amplitude / 2) ** 2)
    _, rows, _ = run(alone([body], DOWN, [amplitude]), period, period / 4.0)
    expected = amplitude * np.array([1.0, 0.0, -1.0, 0.0, 1.0])
    np.testing.assert_allclose(rows["joint_position"][:5, 0], expected, atol=1e-8)
    # Error of the state times the largest gradient of the energy, m g L = 8.9 J/rad.
    assert abs(rows["energy_residual"]).max() < 1e-8


def test_rod_force_of_a_pendulum():
    # Tension of the rod m (g cos a + L w^2) along it; across it the bearing carries nothing (point mass).
    mass, length = 2.0, 1.5
    body = BodyData(GROUND, REVOLUTE, mass, 0.0, (0.0, -length))
    for angle, angular_velocity in ((0.0, 0.0), (0.4, 1.0), (-2.0, 3.0), (3.1, -5.0)):
        _, acceleration, force, moment, _, _ = evaluate([body], [angle], [angular_velocity])
        rod = -1j * np.exp(1j * angle)
        tension = mass * (G * math.cos(angle) + length * angular_velocity**2)
        assert acceleration[0] == pytest.approx(-G / length * math.sin(angle), rel=1e-13, abs=1e-14)
        assert force[0] == pytest.approx(tension * rod, rel=1e-13, abs=1e-13)
        assert moment[0] == pytest.approx(0.0, abs=1e-12)


def double_pendulum(mass=(1.0, 1.0), length=(1.0, 1.0)):
    ends = np.cumsum([0.0, -length[0], -length[1]])
    return [
        BodyData(GROUND, REVOLUTE, mass[0], 0.0, (0.0, ends[1]), (0.0, 0.0)),
        BodyData(0, REVOLUTE, mass[1], 0.0, (0.0, ends[2]), (0.0, ends[1])),
    ]


def double_pendulum_rhs(_, z, m1, m2, l1, l2):
    """Absolute angles a, b from the vertical; the textbook equations of two point masses."""
    a, b, p, q = z
    c, s = math.cos(a - b), math.sin(a - b)
    matrix = [[(m1 + m2) * l1, m2 * l2 * c], [l1 * c, l2]]
    right = [-m2 * l2 * q * q * s - (m1 + m2) * G * math.sin(a), l1 * p * p * s - G * math.sin(b)]
    return [p, q, *np.linalg.solve(matrix, right)]


def test_double_pendulum_against_its_textbook_equations():
    mass, length = (1.2, 0.7), (0.8, 0.5)
    _, rows, integrator = run(alone(double_pendulum(mass, length), DOWN, [1.2, 0.9]), 2.0, 0.5)
    exact = solve_ivp(
        double_pendulum_rhs, (0, 2), [1.2, 2.1, 0, 0], "DOP853", args=(*mass, *length), rtol=1e-12, atol=1e-12
    )
    angle = exact.y[:2, -1]
    np.testing.assert_allclose(integrator.state[:2], [angle[0], angle[1] - angle[0]], atol=2e-8)
    assert abs(rows["energy_residual"]).max() < 1e-8


def test_frequencies_of_the_double_pendulum():
    # Equal masses and lengths: w^2 = (g/L)(2 -+ sqrt 2). Central differences: h^2/6 |f'''| < 1e-8 of g/L.
    h, bodies = 1e-4, double_pendulum()
    matrix = np.zeros((2, 2))
    for j in range(2):
        s = h * np.eye(2)[j]
        matrix[:, j] = (evaluate(bodies, -s, [0, 0])[1] - evaluate(bodies, s, [0, 0])[1]) / (2 * h)
    expected = G * (2.0 + math.sqrt(2.0) * np.array([-1, 1]))
    np.testing.assert_allclose(np.sort(np.linalg.eigvals(matrix).real), expected, rtol=1e-7)


# Slides


def test_damped_oscillator_on_an_oblique_slide():
    mass, stiffness, damping, neutral, slope = 2.0, 800.0, 8.0, 0.05, 0.6
    direction = (math.cos(slope), math.sin(slope))
    body = BodyData(
        GROUND, PRISMATIC, mass, 0.1, (1, 2), (1, 2), direction, stiffness=stiffness, damping=damping, neutral=neutral
    )
    times, rows, _ = run(alone([body], DOWN), 1.0, 0.05)
    # s = s0 (1 - e^(-dt) (cos wt + d/w sin wt)), d = c/2m, w^2 = k/m - d^2, s0 = neutral - m g sin(slope)/k
    d, rest = damping / (2 * mass), neutral - mass * G * math.sin(slope) / stiffness
    w = math.sqrt(stiffness / mass - d * d)
    exact = rest * (1 - np.exp(-d * times) * (np.cos(w * times) + d / w * np.sin(w * times)))
    np.testing.assert_allclose(rows["joint_position"][:, 0], exact, atol=1e-10)
    np.testing.assert_allclose(rows["body_position"][:, 0] - [1, 2], np.outer(exact, direction), atol=1e-10)
    assert abs(rows["energy_residual"]).max() < 1e-9
    assert rows["work_joint"][-1] > 0.1 * rows["energy_elastic"][0]


def test_slide_on_a_turning_arm():
    # Lagrange with r = r0 + s along the arm, angle a; slider m, I2, arm I1 about its pivot:
    # m s'' = m r a'^2 - m g sin a - k s,  (I1 + I2 + m r^2) a'' = -2 m r s' a' - m g r cos a.
    mass, inertia, arm, r0, stiffness = 1.7, 0.03, 0.4, 0.6, 90.0
    bodies = [
        BodyData(GROUND, REVOLUTE, 0.0, arm),
        BodyData(0, PRISMATIC, mass, inertia, (r0, 0.0), (0.1, 0.0), (1.0, 0.0), stiffness=stiffness),
    ]
    random = np.random.default_rng(2)
    for _ in range(5):
        (a, s), (da, ds) = random.uniform(-1, 1, 2), random.uniform(-3, 3, 2)
        r = r0 + s
        expected = [
            (-2 * mass * r * ds * da - mass * G * r * math.cos(a)) / (arm + inertia + mass * r * r),
            r * da * da - G * math.sin(a) - stiffness / mass * s,
        ]
        np.testing.assert_allclose(evaluate(bodies, [a, s], [da, ds])[1], expected, rtol=1e-12, atol=1e-12)


def test_sprocket_on_two_slides():
    # P = s1 d1 + s2 d2: M = [[m1 + m2, m2 d1.d2], [m2 d1.d2, m2]], springs on both, gravity.
    d = np.array([[0.8, 0.6], [-0.28, 0.96]])
    m, k = (3.0, 5.0), (2e4, 7e3)
    bodies = [
        BodyData(GROUND, PRISMATIC, m[0], 0.2, (0.3, 0.1), (0.2, 0.2), tuple(d[0]), stiffness=k[0]),
        BodyData(0, PRISMATIC, m[1], 0.4, (1.0, 0.5), (0.9, 0.5), tuple(5.0 * d[1]), stiffness=k[1]),
    ]
    matrix = np.array([[m[0] + m[1], m[1] * d[0] @ d[1]], [m[1] * d[0] @ d[1], m[1]]])
    s = np.array([0.02, -0.05])
    right = [-k[0] * s[0] - G * (m[0] + m[1]) * d[0, 1], -k[1] * s[1] - G * m[1] * d[1, 1]]
    found = evaluate(bodies, s, [4.0, -7.0])[1]
    np.testing.assert_allclose(found, np.linalg.solve(matrix, right), rtol=1e-12)


# Whole trees against the other derivation


@pytest.mark.parametrize("seed", range(8))
def test_random_trees_against_lagrange_multipliers(seed):
    random = np.random.default_rng(seed)
    bodies = random_bodies(random, 2 + seed % 5)
    s, rate = random_state(random, bodies)
    pushes = random_pushes(random, bodies)
    at = frames(bodies, s, rate)
    outer = [(b, at[b].place(own), force, moment) for b, own, force, moment in pushes]
    expected = absolute_solve(bodies, s, rate, -1j * G, outer)
    _, acceleration, force, moment, _, _ = evaluate(bodies, s, rate, pushes=pushes)
    # Condition numbers of both systems below 1e4: 1e-12 relative; forces of some 100 N on arms of some metres.
    np.testing.assert_allclose(acceleration, expected.acceleration, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(force, expected.force, rtol=1e-10, atol=1e-9)
    np.testing.assert_allclose(moment, expected.moment, rtol=1e-10, atol=1e-9)


def test_tightener_of_the_thesis():
    # Pedersen (2004), Fig. 3.20 and Eq. 3.86: weight-arm on a ground bearing, sprocket in a bearing on the arm, spring
    # from ground to the arm; the chain pulls the sprocket. The multipliers are the bearing forces.
    arm = BodyData(GROUND, REVOLUTE, 900.0, 350.0, (4.4, 4.9), (3.6, 4.6))
    sprocket = BodyData(0, REVOLUTE, 1400.0, 720.0, (4.1, 4.2), (4.1, 4.2))
    anchor, own = 5.6 + 4.0j, 1.3 + 0.4j
    stiffness, damping, free = 3e6, 4e4, 1.3
    random = np.random.default_rng(7)
    for _ in range(4):
        s, rate = random.uniform(-0.3, 0.3, 2), random.uniform(-1, 1, 2)
        at = frames([arm, sprocket], s, rate)
        end, speed = at[0].place(own), at[0].rate(own)
        along = (end - anchor) / abs(end - anchor)
        spring = -(stiffness * (abs(end - anchor) - free) + damping * (along.conjugate() * speed).real) * along
        chain = complex(*random.uniform(-1e5, 1e5, 2))
        torque = random.uniform(-1e4, 1e4)
        expected = absolute_solve(
            [arm, sprocket], s, rate, -1j * G, [(0, end, spring, 0.0), (1, at[1].origin, chain, torque)]
        )
        pushes = [(0, own, spring, 0.0), (1, 0j, chain, torque)]
        _, acceleration, force, moment, _, _ = evaluate([arm, sprocket], s, rate, pushes=pushes)
        np.testing.assert_allclose(acceleration, expected.acceleration, rtol=1e-10)
        # Eq. 2.15: the constraint puts -Phi^T lambda on the body; its bearing on the ground or arm feels lambda.
        multipliers = expected.multipliers.reshape(2, 2) @ [1, 1j]
        np.testing.assert_allclose(force, multipliers, rtol=1e-8)
        assert abs(moment).max() < 1e-8 * abs(force).max()


def test_fixed_bodies_are_one_body():
    random = np.random.default_rng(5)
    mass, inertia, centre = (2.0, 3.0, 1.5), (0.2, 0.1, 0.4), random.uniform(-1, 1, (3, 2))
    total, middle = sum(mass), np.average(centre, axis=0, weights=mass)
    merged = sum(inertia) + sum(m * np.sum((c - middle) ** 2) for m, c in zip(mass, centre, strict=True))
    end = BodyData(2, REVOLUTE, 1.0, 0.1, (2.0, 1.0), (1.5, 1.0))
    parts = [
        BodyData(GROUND, REVOLUTE, mass[0], inertia[0], tuple(centre[0]), (0.1, 0.2)),
        BodyData(0, FIXED, mass[1], inertia[1], tuple(centre[1]), (7.0, -3.0)),
        BodyData(1, FIXED, mass[2], inertia[2], tuple(centre[2])),
        end,
    ]
    whole = [BodyData(GROUND, REVOLUTE, total, merged, tuple(middle), (0.1, 0.2)), end._replace(parent=0)]
    s, rate = random.uniform(-1, 1, 2), random.uniform(-3, 3, 2)
    made, acceleration, force, moment, _, _ = evaluate(parts, s, rate)
    other, expected, other_force, other_moment, _, _ = evaluate(whole, s, rate)
    np.testing.assert_allclose(acceleration, expected, rtol=1e-12)
    np.testing.assert_allclose(force[[0, 3]], other_force, rtol=1e-11)
    np.testing.assert_allclose(moment[[0, 3]], other_moment, atol=1e-11)
    y = np.concatenate([s, rate])
    np.testing.assert_allclose(tree.energies(made, y, 0, 2, *DOWN), tree.energies(other, y, 0, 2, *DOWN), rtol=1e-12)


# Statics


def test_statics_of_a_two_body_arm():
    # Springs in both joints hold two bars out; at rest every joint carries the weights behind it and their moments.
    bars, m = (0.6, 0.4), (3.0, 2.0)
    bodies = [
        BodyData(GROUND, REVOLUTE, m[0], 0.1, (bars[0] / 2, 0), (0, 0), stiffness=60.0, damping=4.0),
        BodyData(0, REVOLUTE, m[1], 0.1, (bars[0] + bars[1] / 2, 0), (bars[0], 0), stiffness=25.0, damping=4.0),
    ]
    system = alone(bodies, DOWN)
    found = equilibrium(system, tolerance=1e-10)
    assert found.converged
    a, b = found.state[0], found.state[0] + found.state[1]
    row = system.row(0.0, found.state)
    values = {c.name: c.read(row) for c in system.channels}
    np.testing.assert_allclose(values["joint_force"], [[0, -G * sum(m)], [0, -G * m[1]]], atol=1e-8)
    outer = -m[1] * G * bars[1] / 2 * math.cos(b)
    inner = outer - m[1] * G * bars[0] * math.cos(a) - m[0] * G * bars[0] / 2 * math.cos(a)
    np.testing.assert_allclose(values["joint_moment"], [inner, outer], atol=1e-8)
    np.testing.assert_allclose([60.0 * a, 25.0 * (b - a)], [inner, outer], atol=1e-8)


# End stops


def test_end_stops_never_pull():
    # Beyond a stop the force is k d + c d', cut off at zero; between the stops there is none.
    body = BodyData(GROUND, REVOLUTE, 1.0, 0.1, lower=-0.3, upper=0.5, stop_stiffness=1e4, stop_damping=200.0)
    made = tree.build_tree([body])
    for s in np.linspace(-0.4, 0.6, 41):
        for rate in np.linspace(-20, 20, 21):
            force, lost = joint_law(made, 0, s, rate)
            expected = max(0.0, 1e4 * (-0.3 - s) - 200.0 * rate) if s < -0.3 else 0.0
            expected -= max(0.0, 1e4 * (s - 0.5) + 200.0 * rate) if s > 0.5 else 0.0
            assert force == pytest.approx(expected, abs=1e-9)
            assert lost >= 0.0


def test_a_mass_between_its_stops():
    # Without damping the rebound is complete: between stops 0.1 m apart the mass goes to and fro with period
    # 2 (0.1/v + pi sqrt(m/k)); what the stop does is a force on the mass, never a pull.
    mass, speed, stiffness = 0.5, 2.0, 2e5
    body = BodyData(GROUND, PRISMATIC, mass, lower=-0.04, upper=0.06, stop_stiffness=stiffness, direction=(1.0, 0.0))
    period = 2 * (0.1 / speed + math.pi * math.sqrt(mass / stiffness))
    _, rows, _ = run(alone([body], speed=[speed]), 3 * period, period / 40)
    # The step that meets a stop has an error of first order in its length there; the tolerance makes it small.
    np.testing.assert_allclose(rows["joint_position"][[40, 80, 120], 0], 0.0, atol=1e-7)
    on_body = -rows["joint_force"][:, 0, 0]  # on the body
    position = rows["joint_position"][:, 0]
    assert on_body[position > 0.06].max() <= 0.0
    assert on_body[position < -0.04].min() >= 0.0
    assert abs(on_body[(position < 0.06) & (position > -0.04)]).max() == 0.0
    assert abs(on_body).max() > 0.9 * speed * math.sqrt(mass * stiffness)


def test_a_damped_stop_loses_energy_and_the_audit_sees_it():
    # While a stop that is left faster than it can follow pushes no more, its spring loses k d v: at most c v^2 = 240 W,
    # within c/k = 0.3 ms. Work steers no step: a kink of 8e5 W/s in a step h costs up to 8e5 h^2/2 = 2e-6 J, twice.
    body = BodyData(
        GROUND, PRISMATIC, 0.5, lower=-0.04, upper=0.06, stop_stiffness=2e5, stop_damping=60.0, direction=(1.0, 0.0)
    )
    _, rows, _ = run(alone([body], speed=[2.0]), 0.12, 1e-3, TIGHT._replace(step=2e-6))
    position = rows["joint_position"][:, 0]
    assert position.max() > 0.0601
    assert position.min() < -0.0401
    assert rows["energy_kinetic"][-1] < 0.5 * rows["energy_kinetic"][0]
    assert rows["work_joint"][-1] + rows["energy_kinetic"][-1] == pytest.approx(1.0, abs=4e-6)
    assert abs(rows["energy_residual"]).max() < 4e-6


# Prescribed motions


def test_driven_joints_follow_their_motion_and_are_supplied_with_the_power():
    harmonic = motion.harmonic(0.2, 3.0, 0.7)
    bodies = [
        BodyData(GROUND, REVOLUTE, 2.0, 0.3, (0.5, 0.1), motion=motion.move(1.1, 0.2, 0.5)),
        BodyData(0, PRISMATIC, 1.0, 0.1, (1.0, 0.3), (1.0, 0.0), (0.6, 0.8), damping=3.0, motion=harmonic),
        BodyData(1, REVOLUTE, 0.7, 0.05, (1.4, 0.5), (1.2, 0.3), stiffness=2.0),
    ]
    system = alone(bodies, DOWN)
    times, rows, _ = run(system, 1.0, 0.01)
    x = np.clip((times - 0.2) / 0.5, 0.0, 1.0)
    turn = 2.0 * math.pi * 3.0
    expected = np.column_stack([1.1 * x**3 * (10 - 15 * x + 6 * x**2), 0.2 * np.sin(turn * times + 0.7)])
    np.testing.assert_allclose(rows["joint_position"][:, :2], expected, atol=1e-9)
    speed = 0.2 * turn * np.cos(turn * times + 0.7)
    np.testing.assert_allclose(rows["joint_speed"][:, 1], speed, atol=1e-7)
    # Work supplied = change of energy + losses.
    assert np.ptp(rows["work_input"]) > 5.0
    assert abs(rows["energy_residual"]).max() < 1e-8
    # And the power is moment times angular velocity at the bearing, and force on the slide times its speed, less its
    # damper.
    along = np.exp(1j * rows["joint_position"][:, 0]) * (0.6 + 0.8j)
    slide = (along.conjugate() * (rows["joint_force"][:, 1] @ [1, 1j])).real
    v = rows["joint_speed"]
    power = -rows["joint_moment"][:, 0] * v[:, 0] - (slide - 3.0 * v[:, 1]) * v[:, 1]
    np.testing.assert_allclose(rows["power_input"], power, atol=1e-9)


def test_a_late_harmonic_runs_in_without_a_jump():
    # With a phase of a quarter turn the joint rests at its amplitude; with a fade-in it rests at zero.
    still = motion.harmonic(0.1, 2.0, math.pi / 2, start=0.25)
    faded = motion.harmonic(0.1, 2.0, 0.4, start=0.25, fade_in=0.5)
    bodies = [BodyData(GROUND, PRISMATIC, 1.0, motion=m) for m in (still, faded)]
    times, rows, _ = run(alone(bodies), 1.5, 0.05)
    s = np.maximum(times - 0.25, 0.0)
    x = np.clip(s / 0.5, 0.0, 1.0)
    expected = np.column_stack(
        [0.1 * np.cos(4 * math.pi * s), 0.1 * np.sin(4 * math.pi * s + 0.4) * x**3 * (10 - 15 * x + 6 * x**2)]
    )
    np.testing.assert_allclose(rows["joint_position"], expected, atol=1e-9)


# Elements between bodies


def test_an_arm_on_a_spring_damper_between_points():
    # The arm of a tightener on an element from the ground; the same force by hand, and the work it loses.
    arm = BodyData(GROUND, REVOLUTE, 4.0, 0.2, (0.4, 0.0))
    element = ElementData("strut", GROUND, (0.5, -0.6), 0, (0.5, 0.0), stiffness=3e3, damping=40.0, preload=60.0)
    times, rows, _ = run(alone([arm], DOWN, elements=[element]), 2.0, 0.01)

    def angular_acceleration(_, z):
        end, speed = 0.5 * np.exp(1j * z[0]), 0.5j * z[1] * np.exp(1j * z[0])
        line = end - (0.5 - 0.6j)
        along = line / abs(line)
        force = 60.0 + 3e3 * (0.6 - abs(line)) - 40.0 * (along.conjugate() * speed).real
        moment = force * (end.conjugate() * along).imag - 4.0 * G * 0.4 * math.cos(z[0])
        return [z[1], moment / (0.2 + 4.0 * 0.4**2)]

    exact = solve_ivp(angular_acceleration, (0, 2), [0, 0], "DOP853", times, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(rows["joint_position"][:, 0], exact.y[0], atol=1e-9)
    assert rows["work_tensioner"][-1] > 0.1
    assert abs(rows["energy_residual"]).max() < 1e-8


def test_a_ratchet_holds_a_mass_and_the_audit_closes():
    # A carriage thrown up against gravity is caught by a stepless ratchet at its highest point, v^2/2g = 0.2 m.
    # It sags by less than 2 m g/k = 1 mm there. The pawl moves at accepted steps, so that the step is kept short.
    carriage = BodyData(GROUND, PRISMATIC, 10.0, direction=(0.0, 1.0))
    pawl = ElementData("pawl", GROUND, (0.0, -1.0), 0, (0.0, 0.0), ratchet=RatchetData(stiffness=2e5, damping=500.0))
    speed = math.sqrt(2.0 * G * 0.2)
    system = alone([carriage], DOWN, speed=[speed], elements=[pawl])
    _, rows, _ = run(system, 1.0, 1e-3, TIGHT._replace(step=1e-4))
    # Rows 1 ms apart miss the top by up to g/2 (0.5 ms)^2 = 1.3e-6 m. The pawl is caught up to (g/2) (0.1 ms)^2 =
    # 5e-8 m below the top. On the way up, a row inside a step is recorded with the pawl at the end of the step; the
    # audit is read after that. Where the tooth is left up to 5 W fade within c/k = 2.5 ms: a kink of
    # 2e3 W/s, times h^2/2.
    height = rows["joint_position"][:, 0]
    assert height.max() == pytest.approx(0.2, abs=2e-6)
    assert height[-1] == pytest.approx(0.2 - 10.0 * G / 2e5, abs=1e-6)
    assert height[300:].min() > 0.2 - 2 * 10.0 * G / 2e5
    assert abs(rows["energy_residual"][220:]).max() < 1e-5
    assert rows["work_tensioner"][-1] > 0.01


def test_a_closed_oil_chamber_is_a_spring_of_its_bulk_modulus():
    # Without gap and valve k = A E/l, for small changes of the column; frequency sqrt(k/m), 2.5e-5 wide of it for the
    # change of the column. All work on the oil counts as lost: the audit closes.
    carriage = BodyData(GROUND, PRISMATIC, 20.0, direction=(1.0, 0.0))
    oil = HydraulicData(0.04, 0.1, 0.0, 1.5e9, 0.05, 870.0)
    piston = ElementData("piston", GROUND, (-0.2, 0.0), 0, (0.0, 0.0), hydraulic=oil)
    omega = math.sqrt(0.25 * math.pi * 0.04**2 * 1.5e9 / 0.1 / 20.0)
    speed = -1e-6 * omega  # pressed inwards, amplitude 1 um: pressure below 0.02 MPa
    system = alone([carriage], speed=[speed], elements=[piston])
    period = 2.0 * math.pi / omega
    _, rows, _ = run(system, 0.5 * period, period / 40, TIGHT._replace(step=period / 2000))
    exact = -1e-6 * np.sin(omega * np.arange(0, 21) * period / 40)
    np.testing.assert_allclose(rows["joint_position"][:21, 0], exact, atol=1e-10)
    assert abs(rows["energy_residual"]).max() < 1e-9 * 0.5 * 20.0 * speed**2
