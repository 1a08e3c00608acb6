"""Derivatives of the laws of links, joints, contacts and friction against central differences of the laws."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from chaindrive.physics.contact import (
    elastic_force_power,
    impact_speed,
    impact_speed_slope,
    normal_force,
    normal_force_slopes,
)
from chaindrive.physics.elastic_friction import (
    damped_force,
    damped_slopes,
    held_force,
    held_slopes,
    turn_since,
    turn_since_slope,
)
from chaindrive.physics.friction import Regularisation, kernel_sharpness, regularised_sign, regularised_slope
from chaindrive.physics.joint import (
    couple_force,
    couple_force_slopes,
    joint_friction_moment,
    joint_friction_slopes,
    link_angular_velocity,
    link_turn_slopes,
)
from chaindrive.physics.link import link_force, link_force_slope


def slope(function: Callable[[float], float], x: float, step: float) -> np.ndarray:
    """Central difference of the fourth order."""
    at = [np.asarray(function(x + k * step)) for k in (-2, -1, 1, 2)]
    return (at[0] - 8.0 * at[1] + 8.0 * at[2] - at[3]) / (12.0 * step)


def close(found: object, expected: object) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7 * (1.0 + np.abs(expected).max()))


FOLLOW, LEAD = 0.7, 3.0


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("axis", [0, 1])
def test_of_a_link(seed, axis):
    rng = np.random.default_rng(seed)
    way, rate = rng.normal(size=2) + np.array([2.0, 0.0]), rng.normal(size=2)
    pitch, stiffness, damping, moment = 1.9, 30.0, 2.0, 5.0

    def moved(x: float) -> tuple[np.ndarray, np.ndarray]:
        direction = np.eye(2)[axis]
        return way + FOLLOW * x * direction, rate + LEAD * x * direction

    def of(x: float) -> tuple[float, ...]:
        d, v = moved(x)
        length = np.hypot(*d)
        u = d / length
        turning = link_angular_velocity(*u, 1.0 / length, *v)
        tension = link_force(length, u @ v, pitch, stiffness, damping)
        return tension, np.arctan2(d[1], d[0]), turning, *couple_force(*u, 1.0 / length, moment)

    length = np.hypot(*way)
    u = way / length
    turning = link_angular_velocity(*u, 1.0 / length, *rate)
    tension = link_force_slope(*u, turning, stiffness, damping, FOLLOW, LEAD)
    turns = link_turn_slopes(*u, 1.0 / length, u @ rate, turning, FOLLOW, LEAD)
    xx, xy, yy = couple_force_slopes(*u, 1.0 / length, FOLLOW * moment)
    couple = [(xx, xy), (xy, yy)][axis]
    close([tension[axis], turns[axis], turns[2 + axis], *couple], slope(of, 0.0, 1e-3))


@pytest.mark.parametrize("force", [300.0, -200.0])
@pytest.mark.parametrize("rate", [-3.0, -0.2, 0.05, 1.0])
def test_of_joint_friction(rate, force):
    by_rate, by_force = joint_friction_slopes(rate, force, 4e-4, 0.8)
    close(by_rate, slope(lambda x: joint_friction_moment(x, force, 4e-4, 0.8), rate, 1e-3))
    close(by_force, slope(lambda x: joint_friction_moment(rate, x, 4e-4, 0.8), force, 1.0))


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.2])
@pytest.mark.parametrize("rate", [-2.0, -0.05, 0.02, 0.3, 5.0])
@pytest.mark.parametrize("stored", [0.01, 0.9])
def test_of_a_contact(exponent, rate, stored):
    stiffness, hysteresis, viscous, of_depth, depth = 1e9, 0.6, 20.0, 2.5, 4e-6

    def force(d: float, r: float) -> float:
        elastic = elastic_force_power(d, stiffness, exponent)
        speed = impact_speed(stored, elastic, d, of_depth)
        return normal_force(elastic, r, speed, hysteresis, viscous, d)

    elastic = elastic_force_power(depth, stiffness, exponent)
    steepness = exponent * elastic / depth
    speed = impact_speed(stored, elastic, depth, of_depth)
    faster = impact_speed_slope(stored, elastic, depth, of_depth, steepness)
    close(
        faster,
        slope(lambda d: impact_speed(stored, elastic_force_power(d, stiffness, exponent), d, of_depth), depth, 1e-8),
    )
    if force(depth, rate) <= 0.0:
        return
    by_depth, by_rate = normal_force_slopes(elastic, rate, speed, hysteresis, viscous, steepness, faster)
    close(by_depth, slope(lambda d: force(d, rate), depth, 1e-8))
    close(by_rate, slope(lambda r: force(depth, r), rate, 1e-5))


@pytest.mark.parametrize("form", Regularisation)
@pytest.mark.parametrize("v", [-0.3, -0.03, -1e-3, 2e-4, 0.01, 0.09, 0.2])
def test_of_smoothed_friction(form, v):
    sharpness = kernel_sharpness(form, 0.2)
    found = regularised_slope(form, v, 0.1, sharpness)
    close(found, slope(lambda x: regularised_sign(form, x, 0.1, sharpness), v, 1e-6))


def test_a_slope_that_is_infinite_is_cut():
    steepest = regularised_slope(Regularisation.SUPER_ELLIPTIC, 0.0, 0.1, 5.0)
    assert np.isfinite(steepest)
    assert steepest > 1e3
    assert np.isnan(regularised_slope(99, 0.0, 0.1, 0.2))


@pytest.mark.parametrize("limit", [0.0, 3.0, 10.0])
@pytest.mark.parametrize("before", [-12.0, -2.0, 2.0, 12.0])
@pytest.mark.parametrize("spring", [-20.0, -5.0, 1.0, 6.0, 30.0])
def test_of_what_sticks_and_slides(spring, before, limit):
    kept, gained = 0.4, 0.65
    if limit > 0.0:
        held = held_slopes(spring, limit)
        close(held[0], slope(lambda x: held_force(x, limit), spring, 1e-4))
        close(held[1], slope(lambda x: held_force(spring, x), limit, 1e-4))
    damped = damped_slopes(spring, before, limit, kept, gained)
    close(damped[0], slope(lambda x: damped_force(x, before, limit, kept, gained), spring, 1e-4))
    if limit > 0.0:
        close(damped[1], slope(lambda x: damped_force(spring, before, x, kept, gained), limit, 1e-4))


def test_of_a_turn_from_the_anchor_of_a_joint():
    anchor = np.cos(0.3), np.sin(0.3)
    found = turn_since_slope(np.cos(0.5), np.sin(0.5), *anchor)
    close(found, slope(lambda x: turn_since(np.cos(x), np.sin(x), *anchor), 0.5, 1e-3))
