"""The step that kick-drift-kick chooses from a drive, and that it is stable."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.contract.motion import Motion
from chaindrive.solvers.splitting import OF_STABLE, OF_UNKNOWN, STEP_TIMES_FREQUENCY, longest_step


def motion(w: float, c: float, apart: bool = True) -> Motion:
    """With the limit c + sqrt(c^2 + w^2); apart: w and c are known."""
    known = {"undamped_frequency": w, "damping_rate": c} if apart else {}
    return Motion(np.zeros(1), highest_frequency=c + math.sqrt(c * c + w * w), **known)


def radius(w: float, c: float, h: float) -> float:
    """Spectral radius of a step of x'' = -w^2 x - c x', of (x, v, a): forces see v* = v + h a. [-]

    x1 = x + h v + h^2/2 a, a1 = -w^2 x1 - c v*, v1 = v + h/2 (a + a1).
    """
    place = np.array([1.0, h, 0.5 * h * h])
    force = -w * w * place - c * np.array([0.0, 1.0, h])
    speed = np.array([0.0, 1.0, 0.5 * h]) + 0.5 * h * force
    return float(np.abs(np.linalg.eigvals(np.array([place, speed, force]))).max())


@pytest.mark.parametrize("c", [0.0, 0.05, 0.3, 1.0, 4.0])
def test_its_step_is_a_part_of_the_longest_stable_one(c: float) -> None:
    """Which is 2/W: (w h/2)^2 + h c = 1."""
    given = motion(1.0, c)
    stable = 2.0 / given.highest_frequency
    assert radius(1.0, c, 0.999 * stable) <= 1.0 + 1e-9 < radius(1.0, c, 1.01 * stable)
    assert longest_step(given) == pytest.approx(min(STEP_TIMES_FREQUENCY, OF_STABLE * stable))
    assert longest_step(motion(1.0, c, apart=False)) == pytest.approx(OF_UNKNOWN * stable)
