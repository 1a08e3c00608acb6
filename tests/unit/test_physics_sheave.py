"""A pin between conical sheaves, and friction of its ends solved over a step."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest

from chaindrive.physics.pointwise_friction import coulomb, coupled_coulomb, regularised
from chaindrive.physics.sheave import axial_force, closure, closure_rate, normal_force, tilt_rate

BETA = math.radians(11.0)
SINE, COSINE = math.sin(BETA), math.cos(BETA)


def test_the_groove_closes_as_the_pin_comes_inwards():
    assert closure(0.05, 0.05, math.tan(BETA), 0.0, 0.0) == 0.0
    # A millimetre further in both faces are nearer by tan(beta), and both together by twice that.
    assert closure(0.05, 0.049, math.tan(BETA), 0.0, 0.0) == pytest.approx(2e-3 * math.tan(BETA))
    assert closure(0.05, 0.05, 0.2, 1e-5, 0.0) == 1e-5
    assert closure(0.05, 0.05, 0.2, 0.0, 1e-5) == -2e-5


def test_the_rate_is_the_derivative():
    def at(t: float) -> float:
        x, y = 0.03 + 0.2 * t, 0.02 - 0.4 * t
        return closure(0.05, math.hypot(x, y), 0.19, 1e-5 + 0.03 * t, 2e-4 * x - 3e-4 * y)

    radial = (0.03 * 0.2 - 0.02 * 0.4) / math.hypot(0.03, 0.02)
    exact = closure_rate(radial, 0.19, 0.03, 2e-4 * 0.2 + 3e-4 * 0.4)
    assert (at(1e-6) - at(-1e-6)) / 2e-6 == pytest.approx(exact, rel=1e-7)


def test_the_pin_presses_only():
    assert axial_force(1e-5, 0.0, 1e8, 300.0) == pytest.approx(1000.0)
    assert axial_force(1e-5, 0.1, 1e8, 300.0) == pytest.approx(1030.0)
    assert axial_force(1e-7, -10.0, 1e8, 300.0) == 0.0
    assert axial_force(-1e-7, 10.0, 1e8, 300.0) == 0.0


def test_normal_force_and_friction_balance_the_axial_force():
    # Q = N cos(beta) - G sin(beta); of the radial force the part that is no potential's belongs to r' / cos(beta).
    axial, along = 1450.0, -90.0
    normal = normal_force(axial, along, SINE, COSINE)
    assert normal * COSINE - along * SINE == pytest.approx(axial, rel=1e-15)
    radial = 2.0 * (normal * SINE + along * COSINE)
    assert radial == pytest.approx(2.0 * axial * math.tan(BETA) + 2.0 * along / COSINE, rel=1e-14)


def test_a_tilt_goes_to_moment_over_stiffness():
    assert tilt_rate(600.0, 5e-4, 1.2e6, 2e-4) == pytest.approx(0.0, abs=1e-12)
    assert tilt_rate(600.0, 0.0, 1.2e6, 2e-4) == pytest.approx(2.5)


class Problem(NamedTuple):
    """Arguments of ``coupled_coulomb``."""

    along: float
    across: float
    give_along: float
    give_askew: float
    give_across: float
    axial: float
    friction: float
    sine: float
    cosine: float

    @property
    def uncoupled(self) -> tuple[float, ...]:
        """Arguments of ``coulomb``."""
        return (*self[:3], *self[4:])

    @property
    def free(self) -> float:
        return math.hypot(self.along, self.across)

    def after(self, force):
        """Sliding speeds at the end of the step under a friction force, and the normal force."""
        v_g = self.along + self.give_along * force[0] + self.give_askew * force[1]
        v_t = self.across + self.give_askew * force[0] + self.give_across * force[1]
        return v_g, v_t, (self.axial + force[0] * self.sine) / self.cosine


def problems(count: int, coupled: bool = False):
    """Random problems, from far too slow to slide to very fast; coupled: of the end of a rigid link, not of a point."""
    draw = np.random.default_rng(7)
    for _ in range(count):
        beta, friction, axial = draw.uniform(0.05, 0.45), draw.uniform(0.01, 0.3), 10.0 ** draw.uniform(-2, 5)
        across = 10.0 ** draw.uniform(-7, -3)
        gives, way = (across / math.cos(beta) ** 2, 0.0, across), draw.uniform(0.0, 2.0 * math.pi)
        if coupled:  # principal values up to a factor of 5 apart, in any direction
            c, s, more = math.cos(2.3 * way), math.sin(2.3 * way), across * draw.uniform(0.0, 4.0)
            gives = (across + more * c * c, more * s * c, across + more * s * s)
        speed = 10.0 ** draw.uniform(-1, 1.5) * friction * axial * across
        ways = (speed * math.cos(way), speed * math.sin(way))
        yield Problem(*ways, *gives, axial, friction, math.sin(beta), math.cos(beta))


def solutions(count: int):
    """Problems with their solutions."""
    for problem in problems(count):
        yield problem, coulomb(*problem.uncoupled)
    for problem in problems(count, coupled=True):
        yield problem, coupled_coulomb(*problem)


def test_coulomb_friction_sticks_within_its_cone_or_opposes_the_sliding_that_it_leaves():
    sticking = 0
    for problem, force in solutions(1000):
        v_g, v_t, normal = problem.after(force)
        limit, speed = problem.friction * normal, math.hypot(v_g, v_t)
        if speed <= 1e-14 * problem.free:
            sticking += 1
            assert math.hypot(*force) <= limit * (1.0 + 1e-12)
        else:
            np.testing.assert_allclose(force, [-limit * v_g / speed, -limit * v_t / speed], rtol=0, atol=1e-11 * limit)
    assert 400 < sticking < 1600  # both branches


def test_a_point_is_a_body_that_yields_alike():
    for problem in problems(200):
        limit = problem.friction * problem.axial
        np.testing.assert_allclose(coupled_coulomb(*problem), coulomb(*problem.uncoupled), rtol=0, atol=1e-11 * limit)


@pytest.mark.parametrize("coupled", [False, True])
def test_regularised_friction_is_the_function_of_the_sliding_that_it_leaves(coupled):
    for number, problem in enumerate(problems(500, coupled)):
        smooth = problem.free * 10.0 ** (number % 7 - 5)
        force = regularised(*problem, smooth)
        v_g, v_t, normal = problem.after(force)
        limit, root = problem.friction * normal, math.sqrt(v_g * v_g + v_t * v_t + smooth * smooth)
        np.testing.assert_allclose(force, [-limit * v_g / root, -limit * v_t / root], atol=1e-8 * limit)


@pytest.mark.parametrize("coupled", [False, True])
def test_regularised_friction_goes_to_coulombs(coupled):
    for problem in problems(100, coupled):
        exact, near = coupled_coulomb(*problem), regularised(*problem, 1e-7 * problem.free)
        np.testing.assert_allclose(near, exact, atol=1e-3 * math.hypot(*exact))


def test_friction_never_gives_energy():
    # Its work over the step is F (v0 + v)/2, at the mean of the speeds before and after.
    for problem, force in solutions(500):
        v_g, v_t, _ = problem.after(force)
        assert force[0] * (problem.along + v_g) + force[1] * (problem.across + v_t) <= 0.0


def test_without_speed_or_thrust_there_is_no_friction():
    assert coulomb(0.0, 0.0, 1e-4, 1e-4, 100.0, 0.1, SINE, COSINE) == (0.0, 0.0)
    assert coulomb(0.3, -0.1, 1e-4, 1e-4, 0.0, 0.1, SINE, COSINE) == pytest.approx((0.0, 0.0), abs=1e-290)
    assert coupled_coulomb(0.0, 0.0, 1e-4, 3e-5, 1e-4, 100.0, 0.1, SINE, COSINE) == (0.0, 0.0)
    pressed = coupled_coulomb(0.3, -0.1, 1e-4, 3e-5, 1e-4, 0.0, 0.1, SINE, COSINE)
    assert pressed == pytest.approx((0.0, 0.0), abs=1e-290)
