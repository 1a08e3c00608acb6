"""A pair of rocker pins as a beam, compared with handbook formulas."""

import numpy as np
import pytest

from chaindrive.physics.bending_pin import bent_by_end_moments, bent_by_force

STIFFNESS = 2.2  # N m^2
PLACES = np.linspace(-12e-3, 12e-3, 25)


def bent(forces):
    """Deflection by forces {place: N} in equilibrium, at PLACES, less its mean and slope between the outermost ones."""
    shape = sum(force * bent_by_force(PLACES, at, STIFFNESS) for at, force in forces.items())
    return shape - np.interp(PLACES, [-12e-3, 12e-3], [shape[0], shape[-1]])


def test_a_force_in_the_middle_of_two_supports():
    # F L^3 / (48 EI)
    assert bent({0.0: 100.0, -12e-3: -50.0, 12e-3: -50.0})[12] == pytest.approx(100.0 * 0.024**3 / (48 * STIFFNESS))


def test_a_force_anywhere_between_two_supports():
    # F a^2 b^2 / (3 EI L) under the force, a and b from the supports.
    a, b = 6e-3, 18e-3
    shape = bent({-12e-3: -75.0, -6e-3: 100.0, 12e-3: -25.0})
    assert shape[6] == pytest.approx(100.0 * a**2 * b**2 / (3.0 * STIFFNESS * 0.024), rel=1e-12)


def test_ends_are_free():
    # No curvature beyond the outermost forces.
    shape = bent({-4e-3: -50.0, 4e-3: -50.0, 0.0: 100.0})
    np.testing.assert_allclose(np.diff(shape[:9], 2), 0.0, atol=1e-18)


def test_moments_bend_the_ends_forward():
    # w'' = M / EI: a circle, M L^2 / (8 EI) between the middle and both ends.
    shape = 3.0 * bent_by_end_moments(PLACES, STIFFNESS)
    assert shape[0] - shape[12] == pytest.approx(3.0 * 0.024**2 / (8.0 * STIFFNESS))
    np.testing.assert_allclose(np.diff(shape, 2) / 1e-6, 3.0 / STIFFNESS, rtol=1e-9)
