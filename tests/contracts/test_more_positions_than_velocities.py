"""Statics and modes of a body whose attitude is a quaternion: four positions, three displacements."""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive.analyses.linear.linearised import system_modes
from chaindrive.contract.system import System
from chaindrive.solvers.displacement import displacement, moved
from chaindrive.solvers.equilibrium import equilibrium
from chaindrive.solvers.jacobian import force_jacobian, forces_at_rest
from support.euler_top import INERTIA, euler_top

SPRINGS = (4e-6, 6e-6, 9e-6)
"""Torque over a component of the quaternion, which is half of a small angle. [N m]"""


def turned(angle: float) -> System:
    """The top held by springs, turned about an oblique axis."""
    system = euler_top(SPRINGS)
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    system.state[:4] = [np.cos(0.5 * angle), *(np.sin(0.5 * angle) * axis)]
    return system


def test_displacements_are_those_of_the_velocities() -> None:
    """A turn by a small vector and back; the way back is right to the second order of its size."""
    system = turned(0.8)
    q, step = system.state[:4], 1e-3 * np.array([3.0, -1.0, 2.0])
    there = moved(system, q, step)
    assert abs(there @ there - 1.0) < 1e-14
    np.testing.assert_allclose(displacement(system, q, there), step, atol=1e-8)
    np.testing.assert_allclose(moved(system, there, -step), q, atol=1e-14)


def test_a_turn_is_exact_enough() -> None:
    """A rotation by the angle a about a fixed axis is (cos(a/2), sin(a/2) axis)."""
    axis, angle = np.array([2.0, -1.0, 2.0]) / 3.0, 1.0
    there = moved(turned(0.0), np.array([1.0, 0.0, 0.0, 0.0]), angle * axis)
    np.testing.assert_allclose(there, [np.cos(0.5 * angle), *(np.sin(0.5 * angle) * axis)], atol=1e-6)
    # Four steps of the classical method, each of which takes x^6 / 144 of the length, x = a / 8.
    assert abs(np.linalg.norm(there) - 1.0) == pytest.approx(4.0 * 0.125**6 / 144.0, rel=0.02)


def test_the_jacobian_has_a_row_for_every_velocity() -> None:
    system = turned(0.0)
    stiffness = -force_jacobian(system, 0.0, system.state, 1e-4).toarray()
    # Central differences of a linear torque: the error is the third order of the turn, 1e-8.
    np.testing.assert_allclose(stiffness, np.diag(0.5 * np.array(SPRINGS)), atol=1e-7 * max(SPRINGS))


@pytest.mark.parametrize("angle", [0.1, 1.0, 2.0])
def test_it_comes_to_rest(angle: float) -> None:
    system = turned(angle)
    found = equilibrium(system, tolerance=1e-14)
    assert found.converged
    assert np.abs(forces_at_rest(system, 0.0, found.state)).max() <= 1e-14
    e = found.state[:4]
    np.testing.assert_allclose(e / np.linalg.norm(e), [1.0, 0.0, 0.0, 0.0], atol=1e-8)
    assert np.linalg.norm(e) == pytest.approx(1.0, abs=1e-3)


def test_its_modes() -> None:
    """w^2 = (spring / 2) / inertia about each axis."""
    modes = system_modes(turned(0.0))
    expected = np.sort(np.sqrt(0.5 * np.array(SPRINGS) / INERTIA)) / (2.0 * np.pi)
    np.testing.assert_allclose(modes.frequency, expected, rtol=1e-6)
