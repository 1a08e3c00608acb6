"""The joint of links in space: plays, and a torque that is the gradient of its energy at any angle of the pin."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from chaindrive.kernels import kernel
from chaindrive.physics.bushing import beyond_play, play_energy, rotation_vector_torque, swing_torque

TWIST, BEND = 90.0, 310.0


@kernel
def beyond(displacement, play):
    return beyond_play(displacement, play)


@kernel
def energy(displacement, play, stiffness):
    return play_energy(displacement, play, stiffness)


@kernel
def torque(cw, cx, cy, cz, twist, twist_play, bend, bend_play):
    return swing_torque(cw, cx, cy, cz, twist, twist_play, bend, bend_play)


@kernel
def vector_torque(cw, cx, cy, cz, twist, twist_play, bend, bend_play):
    return rotation_vector_torque(cw, cx, cy, cz, twist, twist_play, bend, bend_play)


@pytest.mark.parametrize(
    ("displacement", "expected"), [(0.0, 0.0), (0.02, 0.0), (-0.02, 0.0), (0.05, 0.03), (-0.05, -0.03)]
)
def test_beyond_a_play(displacement: float, expected: float) -> None:
    assert beyond(displacement, 0.02) == pytest.approx(expected, abs=1e-17)
    assert energy(displacement, 0.02, 100.0) == pytest.approx(50.0 * expected**2, abs=1e-15)


def test_not_a_number_stays() -> None:
    assert np.isnan(beyond(np.nan, 0.02))


def quaternion(turn: Rotation) -> np.ndarray:
    c = np.roll(turn.as_quat(), 1)
    return c if c[0] >= 0.0 else -c


def stored(turn: Rotation, twist_play: float, bend_play: float) -> float:
    c = quaternion(turn)
    return energy(2.0 * c[1], twist_play, TWIST) + energy(2.0 * c[2], bend_play, BEND)


def swung(pin: float, swing: float, direction: float) -> Rotation:
    """A turn about the pin, then a swing about an axis across it: directions in the frame of the pin's link."""
    across = swing * np.array([np.cos(direction), np.sin(direction), 0.0])
    return Rotation.from_rotvec(across) * Rotation.from_rotvec([0.0, 0.0, pin])


@pytest.mark.parametrize("pin", [-2.0, -0.57, 0.0, 0.57, 2.0])
@pytest.mark.parametrize("direction", [0.3, 1.9, 4.4])
@pytest.mark.parametrize("plays", [(0.0, 0.0), (0.03, 0.02)])
def test_torque_is_the_gradient_of_the_energy(pin: float, direction: float, plays: tuple[float, float]) -> None:
    turn = swung(pin, 0.3, direction)
    h, found = 1e-5, []
    for axis in np.eye(3):
        after, before = (turn * Rotation.from_rotvec(sign * h * axis) for sign in (1.0, -1.0))
        found.append(-(stored(after, *plays) - stored(before, *plays)) / (2.0 * h))
    expected = torque(*quaternion(turn), TWIST, plays[0], BEND, plays[1])
    np.testing.assert_allclose(expected, found, atol=3e-8 * np.linalg.norm(expected))


@pytest.mark.parametrize("pin", [-1.2, 0.0, 0.57])
def test_misalignment_is_seen_from_midway_between_the_links(pin: float) -> None:
    """Formula: 2 (cx, cy) = 2 sin(theta/2) (cos, sin)(psi - phi/2)."""
    swing, direction = 0.02, 0.7
    c = quaternion(swung(pin, swing, direction))
    expected = 2.0 * np.sin(0.5 * swing) * np.array([np.cos(direction - 0.5 * pin), np.sin(direction - 0.5 * pin)])
    np.testing.assert_allclose(2.0 * c[1:3], expected, atol=1e-15)


def test_a_turn_about_the_pin_costs_nothing() -> None:
    np.testing.assert_allclose(torque(*quaternion(swung(1.1, 0.0, 0.0)), TWIST, 0.0, BEND, 0.0), 0.0, atol=1e-13)


def test_the_rotation_vector_taken_in_the_frame_of_the_pin_is_wrong_by_half_its_angle() -> None:
    """As described by Omar (2014): 16.5 degrees at the 33 of a wheel with eleven teeth; 28 % of the bend appears as
    twist.
    """
    pin = 2.0 * np.pi / 11
    turn = swung(pin, 0.01, 0.5 * np.pi)  # bend alone, as the frame of the pin sees it
    own = np.array(torque(*quaternion(turn), TWIST, 0.0, TWIST, 0.0))
    in_pin_frame = turn.apply(own)  # on the link of the bush, its axes turned to those of the pin
    vector = np.array(vector_torque(*quaternion(turn), TWIST, 0.0, TWIST, 0.0))
    np.testing.assert_allclose(vector, -TWIST * turn.as_rotvec()[:2], rtol=1e-12)
    off = np.arccos(in_pin_frame[:2] @ vector / (np.linalg.norm(in_pin_frame[:2]) * np.linalg.norm(vector)))
    assert np.degrees(off) == pytest.approx(np.degrees(pin) / 2.0, rel=0.02)
    assert np.sin(off) == pytest.approx(0.28, abs=0.01)


@pytest.mark.parametrize("pin", [0.0, 1e-10])
def test_both_bushings_agree_where_the_pin_is_not_turned(pin: float) -> None:
    turn = swung(pin, 1e-4, 0.4)
    own = turn.apply(torque(*quaternion(turn), TWIST, 2e-5, BEND, 1e-5))
    found = vector_torque(*quaternion(turn), TWIST, 2e-5, BEND, 1e-5)
    np.testing.assert_allclose(own[:2], found, rtol=3e-4)
