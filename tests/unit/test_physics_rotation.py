"""Bodies that turn in space: the quaternion of a turn, its matrix and rates, and the free rotation of a body."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipk

from chaindrive.kernels import kernel
from chaindrive.physics.rotation import (
    half_turn,
    quaternion_rates,
    relative_quaternion,
    rotation_matrix,
    turn_freely,
)

INERTIA = np.array([1e-8, 2e-8, 3e-8])


@kernel
def turned(angle):
    return half_turn(angle)


@kernel
def matrix(w, x, y, z):
    return rotation_matrix(w, x, y, z)


@kernel
def rates(w, x, y, z, a, b, c):
    return quaternion_rates(w, x, y, z, a, b, c)


@kernel
def relative(w, x, y, z, aw, ax, ay, az):
    return relative_quaternion(w, x, y, z, aw, ax, ay, az)


@kernel
def turned_freely(state, inverse, h):
    turn_freely(h, *state, *inverse)


def free(*state_and_time, inertia=INERTIA):
    """Quaternion and momentum after a time."""
    *state, h = state_and_time
    columns = tuple(np.array([each]) for each in state)
    turned_freely(columns, tuple(np.array([1.0 / each]) for each in inertia), h)
    return tuple(float(each[0]) for each in columns)


def rotation(q) -> Rotation:
    return Rotation.from_quat(np.roll(q, -1))


def some_quaternions(count: int = 5) -> np.ndarray:
    q = np.random.default_rng(3).normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


@pytest.mark.parametrize("angle", [0.0, 3e-3, -0.05, 0.3, 40.0])
def test_a_half_turn_has_length_one_and_the_angle_that_it_says(angle: float) -> None:
    cos, sin = turned(angle)
    assert cos * cos + sin * sin == pytest.approx(1.0, abs=4e-16)
    if abs(angle) < 1.0:
        # tan x = x + x^3/3 + 2 x^5/15 + ..., of which the last is missing: 2 atan(t) - angle/2 = -4 x^5/15
        assert 2.0 * np.arctan2(sin, 1.0 + cos) - 0.5 * angle == pytest.approx(
            -4.0 / 15.0 * (0.25 * angle) ** 5, rel=0.02, abs=1e-17
        )


def test_matrix_and_rates_of_a_quaternion() -> None:
    for q in some_quaternions():
        for length in (1.0, 0.7):
            np.testing.assert_allclose(np.reshape(matrix(*(length * q)), (3, 3)), rotation(q).as_matrix(), atol=1e-15)
        omega, h = np.array([3.0, -2.0, 5.0]), 1e-5
        after, before = (rotation(q) * Rotation.from_rotvec(sign * h * omega) for sign in (1.0, -1.0))
        slope = (np.roll(after.as_quat(), 1) - np.roll(before.as_quat(), 1)) / (2.0 * h)
        np.testing.assert_allclose(rates(*q, *omega), slope, atol=1e-9)


def test_relative_quaternion_has_one_sign() -> None:
    first, second = some_quaternions(2)
    for one, other in ((first, second), (-first, second), (first, -second)):
        c = relative(*one, *other)
        assert c[0] >= 0.0
        expected = rotation(first).inv() * rotation(second)
        np.testing.assert_allclose(rotation(c).as_matrix(), expected.as_matrix(), atol=1e-15)


def spin(h: float, until: float) -> tuple[np.ndarray, np.ndarray]:
    """Quaternions and momenta of Euler's top after every step, (k, 4), (k, 3)."""
    state = np.array([1.0, 0.0, 0.0, 0.0, *(INERTIA * (10.0, 0.0, 8.0))])
    found = [state]
    for _ in range(round(until / h)):
        found.append(np.array(free(*found[-1], h)))
    return np.split(np.array(found), [4], axis=1)


def test_eulers_top_is_of_second_order_and_keeps_what_stands_still() -> None:
    """I = (1, 2, 3)e-8, w = (10, 0, 8): w = (a1 cn, -+ a2 sn, a3 dn)(lambda t | m), period 4 K(m)/lambda (Landau &
    Lifshitz, section 37; L^2 > 2 E I2).
    """
    i1, i2, i3 = INERTIA
    momentum = INERTIA * (10.0, 0.0, 8.0)
    square, energy2 = (momentum**2).sum(), (momentum**2 / INERTIA).sum()
    rate = np.sqrt((i3 - i2) * (square - energy2 * i1) / (i1 * i2 * i3))
    m = (i2 - i1) * (energy2 * i3 - square) / ((i3 - i2) * (square - energy2 * i1))
    assert (rate, m) == (pytest.approx(8.0), pytest.approx(0.520833, abs=1e-6))
    period = 4.0 * ellipk(m) / rate
    assert period == pytest.approx(0.9360696, abs=1e-7)
    errors = []
    for steps in (936, 1872, 3744):
        h = period / steps
        q, l = spin(h, period)  # noqa: E741
        t = h * np.arange(len(q))
        sn, cn, dn, _ = ellipj(rate * t, m)
        exact = np.column_stack([10.0 * cn, -np.sqrt((energy2 * i3 - square) / (i2 * (i3 - i2))) * sn, 8.0 * dn])
        found = l / INERTIA
        exact[:, 1] *= np.sign(exact[5, 1] * found[5, 1])
        errors.append(np.abs(found - exact).max())
        in_space = rotation(np.roll(q, 0, axis=1)[0]).apply(l[0])
        carried = np.array([rotation(each).apply(own) for each, own in zip(q[::50], l[::50], strict=True)])
        np.testing.assert_allclose(carried, np.tile(in_space, (len(carried), 1)), atol=1e-11 * np.linalg.norm(in_space))
        np.testing.assert_allclose((q**2).sum(axis=1), 1.0, atol=1e-12)
        np.testing.assert_allclose((l**2).sum(axis=1), square, rtol=1e-12)
    assert errors[0] < 5e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.02)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.02)


def test_a_top_turns_over_about_its_middle_axis() -> None:
    """Thrown about the axis of the middle moment, off by 1e-3: it turns over, and over again, every 2 K(m)/lambda with
    m near 1 (Landau & Lifshitz, section 37; L^2 > 2 E I2, so that dn belongs to the third axis).
    """
    i1, i2, i3 = INERTIA
    velocity = np.array([0.0, 10.0, 0.01])
    momentum = INERTIA * velocity
    square, energy2 = (momentum**2).sum(), (momentum**2 / INERTIA).sum()
    assert square > energy2 * i2
    rate = np.sqrt((i3 - i2) * (square - energy2 * i1) / (i1 * i2 * i3))
    m = (i2 - i1) * (energy2 * i3 - square) / ((i3 - i2) * (square - energy2 * i1))
    half = 2.0 * ellipk(m) / rate
    state, h = np.array([1.0, 0.0, 0.0, 0.0, *momentum]), 1e-4
    turning = []
    for _ in range(round(2.2 * half / h)):
        state = np.array(free(*state, h))
        turning.append(state[5] / i2)
    turning = np.array(turning)
    assert turning.min() == pytest.approx(-10.0, rel=1e-4)
    over = h * (1 + np.flatnonzero(np.diff(np.sign(turning))))
    assert len(over) == 2
    assert over[1] - over[0] == pytest.approx(half, rel=1e-3)


def test_free_rotation_runs_back() -> None:
    start = np.array([*some_quaternions(1)[0], *(INERTIA * (3.0, -20.0, 8.0))])
    there = np.array(free(*start, 3e-3))
    back = np.array(free(*there, -3e-3))
    np.testing.assert_allclose(back[:4], start[:4], atol=1e-15)
    np.testing.assert_allclose(back[4:], start[4:], rtol=1e-13, atol=1e-20)


def test_a_symmetric_top_precesses_and_nutates_at_its_rates() -> None:
    """I1 = I2: the axis goes round the momentum at L/I1, and the velocity round the axis at (I3 - I1)/I1 w3."""

    momentum = np.array([1e-8 * 4.0, 0.0, 2e-8 * 6.0])
    q0 = np.roll(Rotation.align_vectors([[0.0, 0.0, 1.0]], [momentum])[0].as_quat(), 1)
    h, steps = 1e-4, 500
    state = np.array([*q0, *momentum])
    for _ in range(steps):
        state = np.array(free(*state, h, inertia=(1e-8, 1e-8, 2e-8)))
    t = h * steps
    axis = [rotation(q).apply([0.0, 0.0, 1.0]) for q in (q0, state[:4])]
    went = np.angle((axis[1] @ [1, 1j, 0]) / (axis[0] @ [1, 1j, 0]))
    assert went == pytest.approx(np.linalg.norm(momentum) / 1e-8 * t, rel=2e-5)
    own = np.angle((state[4] + 1j * state[5]) / (momentum[0] + 1j * momentum[1]))
    assert own == pytest.approx((2e-8 - 1e-8) / 1e-8 * 6.0 * t, rel=1e-5)
