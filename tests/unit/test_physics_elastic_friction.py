"""Friction as a spring that slides, with a dashpot in series: limit, hysteresis, relaxation, the anchor of a joint."""

import math

import numpy as np
import pytest

from chaindrive.physics.elastic_friction import (
    anchor_turned,
    damped_force,
    held_force,
    held_share,
    relaxation,
    settling_damping,
    settling_spring,
    spring_left,
    turn_since,
)

STIFFNESS, LIMIT = 2e6, 30.0
SLIDES_FROM = LIMIT / STIFFNESS
"""Displacement from which it slides. [m]"""


def loop(amplitude: float, steps: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """Displacement and force of the third cycle, the anchor moved after every step as at accepted ones."""
    x = amplitude * np.sin(np.linspace(0.0, 6.0 * math.pi, 3 * steps + 1))
    force, anchor = np.zeros_like(x), 0.0
    for i, place in enumerate(x):
        spring = STIFFNESS * (place - anchor)
        force[i] = held_force(spring, LIMIT)
        if abs(spring) > LIMIT:
            anchor = place - force[i] / STIFFNESS
    return x[2 * steps :], force[2 * steps :]


def test_the_force_is_that_of_the_spring_up_to_the_limit():
    assert held_force(29.0, LIMIT) == 29.0
    assert held_force(31.0, LIMIT) == LIMIT
    assert held_force(-1e9, LIMIT) == -LIMIT
    assert held_force(5.0, 0.0) == 0.0


def test_a_spring_in_two_directions_keeps_its_direction_beyond_the_limit():
    assert held_share(29.0, LIMIT) == held_share(LIMIT, LIMIT) == held_share(0.0, 0.0) == 1.0
    assert held_share(40.0, LIMIT) * np.array([24.0, 32.0]) == pytest.approx([18.0, 24.0])
    assert held_share(5.0, 0.0) == 0.0


def test_a_slider_that_is_led_around_a_circle_is_dragged_along_it():
    # led on a circle of the radius R, a slider that trails by r = L/k ends on one of sqrt(R^2 - r^2) (a tractrix): its
    # spring then loses L times the way of the slider a turn
    turns, steps, radius = 3, 4000, 5.0 * SLIDES_FROM
    angle = np.linspace(0.0, 2.0 * math.pi * turns, turns * steps + 1)
    led = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    anchor, lost = led[0].copy(), np.zeros(len(led))
    for i, place in enumerate(led):
        spring = STIFFNESS * (place - anchor)
        size = float(np.hypot(*spring))
        force = held_share(size, LIMIT) * spring
        if size > LIMIT:
            lost[i] = LIMIT * float(np.hypot(*(place - force / STIFFNESS - anchor)))
            anchor = place - force / STIFFNESS
    trailing = math.sqrt(radius**2 - SLIDES_FROM**2)
    assert np.hypot(*anchor) == pytest.approx(trailing, rel=5e-4)
    assert lost[-steps:].sum() == pytest.approx(LIMIT * 2.0 * math.pi * trailing, rel=5e-4)


@pytest.mark.parametrize("amplitude", [1.5, 4.0, 50.0])
def test_a_cycle_that_slides_loses_what_the_slider_rubs(amplitude):
    # Prandtl's spring and slider in series: of the way 4 A the spring takes 4 L/k, the rest is slid under the limit L
    x, force = loop(amplitude * SLIDES_FROM)
    lost = np.trapezoid(force, x)
    assert lost == pytest.approx(4.0 * LIMIT * (amplitude - 1.0) * SLIDES_FROM, rel=2e-3)
    assert np.abs(force).max() == LIMIT


def test_a_cycle_that_sticks_loses_nothing():
    x, force = loop(0.9 * SLIDES_FROM)
    np.testing.assert_allclose(force, STIFFNESS * x, rtol=1e-12)
    assert np.trapezoid(force, x) == pytest.approx(0.0, abs=1e-12 * LIMIT * SLIDES_FROM)


@pytest.mark.parametrize("angle", [-3.1, -0.4, 0.0, 2.0])
@pytest.mark.parametrize("turn", [-2e-3, 0.0, 1e-5, 0.9])
def test_the_anchor_of_a_joint_is_where_its_spring_has_no_moment(angle, turn):
    cosine, sine = math.cos(angle), math.sin(angle)
    anchor = anchor_turned(cosine, sine, turn)
    assert turn_since(cosine, sine, *anchor) == pytest.approx(turn, abs=1e-15)
    assert anchor == pytest.approx((math.cos(angle - math.asin(turn)), math.sin(angle - math.asin(turn))), abs=1e-15)


def test_the_angle_of_a_joint_has_no_seam():
    # from just below half a turn to just above: the angle jumps by a turn, what the joint has turned does not
    before, after = 3.14159, -3.14159
    anchor = math.cos(before), math.sin(before)
    turned = turn_since(math.cos(after), math.sin(after), *anchor)
    assert turned == pytest.approx(2.0 * (math.pi - 3.14159), rel=1e-6)


# ---- a dashpot beside the slider

DAMPING = 50.0
"""[N s/m]"""
RATE = STIFFNESS / DAMPING


def moved(way, step: float, limit: float, force: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Place and force at accepted states a step apart, for a displacement as a function of time, starting from a
    force.
    """
    kept, gained = relaxation(RATE, step)
    place = way(np.arange(0.0, 40.0 / RATE + 0.5 * step, step))
    found = np.full_like(place, force)
    for i, further in enumerate(np.diff(place)):
        found[i + 1] = damped_force(found[i] + STIFFNESS * further, found[i], limit, kept, gained)
    return place, found


@pytest.mark.parametrize("step", [0.01, 0.5, 20.0])
@pytest.mark.parametrize("limit", [0.0, LIMIT])
def test_a_force_beyond_the_limit_relaxes_by_itself(step, limit):
    # e' = -(k/c) e
    place, force = moved(np.zeros_like, step / RATE, limit, limit + 100.0)
    expected = limit + 100.0 * np.exp(-step * np.arange(place.size))
    np.testing.assert_allclose(force, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("step", [0.01, 0.5, 20.0])
@pytest.mark.parametrize("limit", [0.0, LIMIT])
@pytest.mark.parametrize("speed", [-0.3, 0.3])
def test_moved_steadily_it_has_the_force_of_slider_and_dashpot_together(step, limit, speed):
    _, force = moved(lambda t: speed * t, step / RATE, limit)
    assert force[-1] == pytest.approx(math.copysign(limit, speed) + DAMPING * speed, rel=1e-8)  # exp(-20) is left


def test_a_dashpot_without_damping_leaves_the_slider_and_one_without_end_the_spring():
    for spring in (-80.0, -3.0, 29.0, 31.0):
        assert damped_force(spring, 10.0, LIMIT, *relaxation(1e30, 1e-6)) == pytest.approx(held_force(spring, LIMIT))
        assert damped_force(spring, 10.0, LIMIT, *relaxation(1e-30, 1e-6)) == pytest.approx(spring)
    assert damped_force(37.0, 37.0, LIMIT, *relaxation(RATE, 0.0)) == 37.0  # where it was accepted


def test_it_never_pushes_where_it_slides():
    rng = np.random.default_rng(2)
    for _ in range(2000):
        spring, before = rng.normal(scale=60.0, size=2)
        force = damped_force(spring, before, LIMIT, *relaxation(RATE, rng.exponential(1.0) / RATE))
        held = held_force(spring, LIMIT)
        assert (force - held) * spring >= 0.0
        assert abs(force) <= abs(spring)


def test_a_cycle_of_spring_and_dashpot_in_series_loses_the_closed_form_with_the_second_order():
    # Maxwell: x = A sin(w t) takes pi A^2 c w/(1 + (w c/k)^2) a cycle; here w c/k = 0.5, and four cycles to settle
    w, amplitude = 0.5 * RATE, 1e-4
    expected = math.pi * amplitude**2 * DAMPING * w / 1.25
    errors = []
    for steps in (40, 80, 160):
        period = 2.0 * math.pi / w
        kept, gained = relaxation(RATE, period / steps)
        x = amplitude * np.sin(np.linspace(0.0, 10.0 * math.pi, 5 * steps + 1))
        force = np.zeros_like(x)
        for i, further in enumerate(np.diff(x)):
            force[i + 1] = damped_force(force[i] + STIFFNESS * further, force[i], 0.0, kept, gained)
        errors.append(np.trapezoid(force[-steps - 1 :], x[-steps - 1 :]) / expected - 1.0)
    assert abs(errors[0]) < 0.02
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.05)


def test_what_sticks_with_its_damper_settles_without_swinging():
    # m s'' = -f: critically damped, s = s0 (1 + w t) exp(-w t), by the midpoint rule
    mass, start, steps = 0.4, 0.9 * SLIDES_FROM, 4000
    damping = settling_damping(STIFFNESS, mass)
    root = math.sqrt(STIFFNESS / mass)
    step, place, speed = 4.0 / root / steps, start, 0.0
    for _ in range(steps):
        half = speed - 0.5 * step * settling_spring(place, speed, STIFFNESS, damping)[0] / mass
        middle = settling_spring(place + 0.5 * step * speed, half, STIFFNESS, damping)[0]
        place, speed = place + step * half, speed - step * middle / mass
    assert place == pytest.approx(start * 5.0 * math.exp(-4.0), rel=1e-5)
    assert settling_spring(0.0, 0.3, STIFFNESS, damping) == (damping * 0.3, damping * 0.3)


def test_what_slides_has_its_spring_at_the_limit_whatever_the_damper_adds():
    assert spring_left(LIMIT, 5.0) == LIMIT
    assert spring_left(-LIMIT, -5.0) == -LIMIT
    assert spring_left(LIMIT, -5.0) == LIMIT + 5.0  # it turns back: spring and damper together are at the limit
