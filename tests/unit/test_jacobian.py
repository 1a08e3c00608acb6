"""Coloured differences give the Jacobian of dense differences, at a cost that does not grow with the chain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from chaindrive.contract.colouring import chain_colouring
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.motion import Motion
from chaindrive.contract.rest import Rest
from chaindrive.contract.states import Kind
from chaindrive.contract.system import System
from chaindrive.kernels import kernel
from chaindrive.solvers.jacobian import force_jacobian, forces_at_rest


class Ring(NamedTuple):
    """A closed chain of point masses on a bumpy wheel of radius R + a cos(z (phi - theta)) that turns by theta."""

    links: int
    stiffness: float
    length: float
    mass: float
    inertia: float
    radius: float
    bump: float
    teeth: int
    contact: float
    skew: float  # 1: the torque belongs to the same potential as the contact forces
    calls: np.ndarray


@kernel
def ring_rhs(t, y, dy, p):
    n, q = p.links, 2 * p.links + 1
    p.calls[0] += 1
    for i in range(q):
        dy[i], dy[q + i] = y[q + i], 0.0
    for i in range(n):
        j = (i + 1) % n
        rx, ry = y[j] - y[i], y[n + j] - y[n + i]
        length = np.sqrt(rx * rx + ry * ry)
        pull = p.stiffness * (length - p.length) / length / p.mass
        dy[q + i] += pull * rx
        dy[q + j] -= pull * rx
        dy[q + n + i] += pull * ry
        dy[q + n + j] -= pull * ry
        r = np.sqrt(y[i] ** 2 + y[n + i] ** 2)
        phase = p.teeth * (np.arctan2(y[n + i], y[i]) - y[2 * n])
        depth = p.radius + p.bump * np.cos(phase) - r
        if depth > 0.0:  # V = K d^2.5 / 2.5
            force = p.contact * depth**1.5
            along = force * p.bump * p.teeth * np.sin(phase)
            dy[q + i] += (force * y[i] - along * y[n + i] / r) / r / p.mass
            dy[q + n + i] += (force * y[n + i] + along * y[i] / r) / r / p.mass
            dy[q + 2 * n] -= p.skew * along / p.inertia


def ring_accept(t, y, p):
    return 0


def ring(n, skew=1.0, prescribed=False):
    """A ring pressed by its tension onto the wheel, moved a little at random."""
    colours, neighbours = chain_colouring(n, 2, border=1)
    p = Ring(n, 8e5, 0.1, 3.0, 7.0, 0.0, 0.004, n, 1e7, skew, np.zeros(1, np.int64))
    radius = 0.1 / (2.0 * np.sin(np.pi / n))
    p = p._replace(radius=radius)
    angle = 2.0 * np.pi * np.arange(n) / n + 0.01
    rng = np.random.default_rng(n)
    q = np.concatenate([radius * np.cos(angle), radius * np.sin(angle), [0.0]]) + 1e-3 * rng.standard_normal(2 * n + 1)
    masses = np.concatenate([np.full(2 * n, p.mass), [np.inf if prescribed else p.inertia]])
    kinds = np.array([Kind.LENGTH] * 2 * n + [Kind.ANGLE] + [Kind.SPEED] * 2 * n + [Kind.ANGULAR_SPEED])
    return System(
        kernels=Kernels(rhs=ring_rhs, accept=ring_accept, record=ring_accept, begin=ring_accept),
        parameters=p,
        memory=(),
        state=np.concatenate([q, np.zeros(2 * n + 1)]),
        positions=2 * n + 1,
        kinds=kinds,
        channels=(),
        labels={},
        masses=masses,
        motion=Motion(rolling=np.zeros(2 * n + 1)),
        rest=Rest(colours=colours, neighbours=neighbours),
    )


def dense(system, step):
    """Central differences, one position at a time."""
    n = system.positions
    jacobian = np.empty((n, n))
    for i in range(n):
        shift = np.zeros_like(system.state)
        shift[i] = step
        forward = forces_at_rest(system, 0.0, system.state + shift)
        jacobian[:, i] = (forward - forces_at_rest(system, 0.0, system.state - shift)) / (2.0 * step)
    return jacobian


@pytest.mark.parametrize("n", [*range(1, 15), 122])
@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_no_two_positions_of_one_colour_share_a_row(n, blocks):
    colours, neighbours = chain_colouring(n, blocks, border=2)
    assert colours.shape == (blocks * n + 2,)
    assert (colours[-2:] == -1).all()
    for colour in range(colours.max() + 1):
        rows = neighbours[colours == colour]
        rows = rows[rows >= 0]
        assert rows.size == np.unique(rows).size > 0
    # the square of a ring needs 3, 4 or (N = 5, where all five links are within two of each other) 5 colours
    needed = n if n in (1, 2, 5) else 3 if n % 3 == 0 else 4
    assert np.unique(colours).size == blocks * needed + 1


@pytest.mark.parametrize("n", [1, 2, 3, 4, 11])
def test_neighbours_are_the_links_before_and_after(n):
    _, neighbours = chain_colouring(n, 2)
    for i in range(n):
        links = {i, (i - 1) % n, (i + 1) % n}
        for block in range(2):
            rows = neighbours[block * n + i]
            assert sorted(rows[rows >= 0]) == sorted(b * n + j for j in links for b in range(2))


def test_colouring_refuses_an_empty_chain():
    with pytest.raises(ValueError, match="n_links >= 1"):
        chain_colouring(0, 2)


@pytest.mark.parametrize("skew", [1.0, -0.3], ids=["potential", "no-potential"])
@pytest.mark.parametrize("n", [3, 4, 5, 7, 10, 11, 12, 13])
def test_equals_dense_differences(n, skew):
    system = ring(n, skew)
    step = 1e-6
    want = dense(system, step)
    got = force_jacobian(system, 0.0, system.state, step).toarray()
    assert np.abs(want[-1]).max() > 1.0  # the wheel row is not empty
    # Rows of links: the same differences, up to rounding eps |q| K / step. Wheel row: a transposed column, whose
    # truncation error step^2 F'''/6 differs; F''' of K d^1.5 for the shallowest depth here is bounded by 1e-3 of F'.
    rounding = 2e-16 * 0.5 * 8e5 / step
    assert np.abs(want - got)[:-1].max() < 10.0 * rounding
    assert np.abs(want - got)[-1].max() < 1e-3 * np.abs(want[-1]).max()


@pytest.mark.parametrize("n", [10, 11, 12, 13, 121, 122])
def test_evaluations_do_not_grow_with_the_chain(n):
    system = ring(n)
    system.parameters.calls[0] = 0
    force_jacobian(system, 0.0, system.state, 1e-6)
    colours = 2 * (3 if n % 3 == 0 else 4)
    assert system.parameters.calls[0] == 2 * (colours + 1)


def test_rows_of_prescribed_motions_are_zero_and_their_columns_are_not():
    system = ring(12, prescribed=True)
    jacobian = force_jacobian(system, 0.0, system.state, 1e-6).toarray()
    assert not jacobian[-1].any()
    assert np.abs(jacobian[:, -1]).max() > 1.0


def test_velocities_do_not_matter():
    system = ring(10)
    moving = system.state.copy()
    moving[21:] = 3.0
    assert np.array_equal(forces_at_rest(system, 0.0, moving), forces_at_rest(system, 0.0, system.state))


def test_wrong_shapes_are_refused():

    system = ring(10)
    with pytest.raises(ValueError, match="neighbours"):
        force_jacobian(system.with_rest(neighbours=np.empty((0, 0), np.int64)), 0.0, system.state, 1e-6)
    with pytest.raises(ValueError, match="colours"):
        force_jacobian(system.with_rest(colours=np.zeros(3, np.int64)), 0.0, system.state, 1e-6)
