"""A pin in a bush: contact that never pulls, oil that resists closing only, and sines for many angles."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.geometry.sines import vector_sincos
from chaindrive.kernels import kernel
from chaindrive.physics.pin import oil_film_force, pin_energy, pin_force

STIFFNESS, DAMPING, OIL, DISTANCE = 1e7, 30.0, 50.0, 1e-5


@kernel
def contact(penetration, rate, stiffness, damping):
    return pin_force(penetration, rate, stiffness, damping)


@kernel
def film(penetration, rate, damping, inverse_distance):
    return oil_film_force(penetration, rate, damping, inverse_distance)


@kernel
def energy(penetration, stiffness):
    return pin_energy(penetration, stiffness)


@kernel(parallel_sums=False)
def sincos(angle):
    return vector_sincos(angle)


@pytest.mark.parametrize(
    ("penetration", "rate", "force"),
    [
        (2e-6, 0.0, 20.0),
        (2e-6, 0.5, 35.0),
        (2e-6, -0.5, 5.0),
        (2e-6, -1.0, 0.0),  # it would pull
        (0.0, 1.0, 0.0),
        (-1e-6, 1.0, 0.0),
    ],
)
def test_solid_contact(penetration: float, rate: float, force: float) -> None:
    assert contact(penetration, rate, STIFFNESS, DAMPING) == pytest.approx(force, abs=1e-12)


@pytest.mark.parametrize(
    ("gap", "rate", "force"),
    [
        (0.0, 0.2, 10.0),
        (5e-6, 0.2, 2.5),  # (1 - 1/2)^2
        (1e-5, 0.2, 0.0),
        (3e-5, 0.2, 0.0),
        (-1e-6, 0.2, 10.0),  # beyond the touching it grows no more
        (5e-6, -0.2, 0.0),  # and holds nothing that parts
    ],
)
def test_oil(gap: float, rate: float, force: float) -> None:
    assert film(-gap, rate, OIL, 1.0 / DISTANCE) == pytest.approx(force, abs=1e-12)


def test_the_force_is_the_slope_of_the_energy() -> None:
    step = 1e-9
    slope = (energy(2e-6 + step, STIFFNESS) - energy(2e-6 - step, STIFFNESS)) / (2.0 * step)
    assert slope == pytest.approx(contact(2e-6, 0.0, STIFFNESS, DAMPING), rel=1e-6)
    assert energy(-2e-6, STIFFNESS) == 0.0


def test_sines() -> None:
    angles = np.concatenate(
        [np.linspace(-7.0, 7.0, 2001), 0.25 * math.pi * np.arange(-9, 10), [1e-300, 123456.7, -9e5]]
    )
    found = np.array([sincos(angle) for angle in angles])
    expected = np.column_stack([np.sin(angles), np.cos(angles)])
    near = np.abs(angles) < 10.0
    np.testing.assert_allclose(found[near], expected[near], rtol=0.0, atol=4e-16)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-15 + 1e-16)
