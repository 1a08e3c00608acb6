"""The step that kick-drift-kick chooses for a drive, and its stability."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from chaindrive.contract.motion import Motion
from chaindrive.solvers.splitting import (
    CARRIED,
    OF_LINEARISED,
    OF_STABLE,
    OF_UNKNOWN,
    STEP_TIMES_FREQUENCY,
    longest_step,
)


def motion(w: float, c: float, apart: bool = True) -> Motion:
    """A motion with the limit c + sqrt(c^2 + w^2); apart: w and c are known separately."""
    known = {"undamped_frequency": w, "damping_rate": c} if apart else {}
    return Motion(np.zeros(1), highest_frequency=c + math.sqrt(c * c + w * w), **known)


def radius(w: float, c: float, h: float, k: float = 0.0) -> float:
    """Spectral radius of a step of x'' = -w^2 x - c x', of (x, v, a, a0): forces see v* = v + h a + k h/2 (a - a0). [-]

    x1 = x + h v + h^2/2 a, a1 = -w^2 x1 - c v*, v1 = v + h/2 (a + a1).
    """
    place = np.array([1.0, h, 0.5 * h * h, 0.0])
    force = -w * w * place - c * np.array([0.0, 1.0, h * (1.0 + 0.5 * k), -0.5 * k * h])
    speed = np.array([0.0, 1.0, 0.5 * h, 0.0]) + 0.5 * h * force
    return float(np.abs(np.linalg.eigvals(np.array([place, speed, force, [0.0, 0.0, 1.0, 0.0]]))).max())


@pytest.mark.parametrize("c", [0.0, 0.05, 0.3, 1.0, 4.0])
def test_its_step_is_a_part_of_the_longest_stable_one(c: float) -> None:
    """The longest stable step is 2/W: (w h/2)^2 + h c = 1."""
    given = motion(1.0, c)
    stable = 2.0 / given.highest_frequency
    assert radius(1.0, c, 0.999 * stable) <= 1.0 + 1e-9 < radius(1.0, c, 1.01 * stable)
    assert longest_step(given) == pytest.approx(min(STEP_TIMES_FREQUENCY, OF_STABLE * stable))
    assert longest_step(motion(1.0, c, apart=False)) == pytest.approx(OF_UNKNOWN * stable)


@pytest.mark.parametrize("c", [0.0, 0.05, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("k", [0.0, CARRIED, 1.0])
def test_damping_counts_1_and_k_times_where_the_velocity_is_carried_on(c: float, k: float) -> None:
    """(w h/2)^2 + (1 + k) h c = 1, which 2/h = ``Motion.linearised_frequency`` approximates."""
    counted = (1.0 + k) * c
    limit = counted + math.sqrt(counted * counted + 1.0)
    assert radius(1.0, c, 1.998 / limit, k) <= 1.0 + 1e-9 < radius(1.0, c, 2.02 / limit, k)
    given = motion(1.0, c)
    known = replace(given, linearised_frequency=limit)
    assert longest_step(known) == pytest.approx(OF_LINEARISED * 2.0 / limit)
    settling = replace(known, settling_rate=limit)
    assert longest_step(settling) == pytest.approx(0.25 * longest_step(known))


def test_slopes_of_smoothed_friction_make_no_step_shorter_than_bounds_without_them() -> None:
    given = replace(motion(1.0, 0.05, apart=False), linearised_frequency=100.0, chatter_rate=1.0)
    assert longest_step(given) == pytest.approx(OF_UNKNOWN * 2.0 / given.highest_frequency)
