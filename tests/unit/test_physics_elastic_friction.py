"""Friction as a spring that slides: its limit, its hysteresis, the anchor of a joint."""

import math

import numpy as np
import pytest

from chaindrive.physics.elastic_friction import anchor_turned, held_force, held_share, turn_since

STIFFNESS, LIMIT = 2e6, 30.0
SLIDES_FROM = LIMIT / STIFFNESS
"""Displacement. [m]"""


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
