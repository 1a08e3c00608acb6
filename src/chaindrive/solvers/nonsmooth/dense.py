"""Systems of a few bodies, which provide the kernels of ``contract/unilateral.py`` from full matrices.

A system provides one kernel, ``describe(t, q, u, m, p)``, which fills the arrays of ``m``, a :class:`Mechanics`; they
are zero when it is called.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.contract.unilateral import ContactKernels, ContactLaws, UnilateralSystem
from chaindrive.errors import InputError, Problem
from chaindrive.kernels import kernel
from chaindrive.solvers.complementarity.linear import factorise, substitute

__all__ = ["Mechanics", "dense_system"]


class Mechanics(NamedTuple):
    """The equations of motion for f velocities and n contacts at one instant."""

    mass: FloatArray
    """M, (f, f)."""
    force: FloatArray
    """h, (f,)."""
    gap: FloatArray
    """(n,) [m]"""
    normal: FloatArray
    """Rows of W_N^T: derivatives of the gaps with respect to the positions, (n, f)."""
    tangent: FloatArray
    """Rows of W_T^T, (n, f)."""
    drift: FloatArray
    """Velocities of the contacts at u = 0, with normal velocities first, (2n,). [m/s]"""
    rate: FloatArray
    """Accelerations of the contacts at u' = 0, (2n,). [m/s^2]"""


class Dense(NamedTuple):
    """Parameters of the kernels."""

    now: Mechanics
    order: IntArray
    """Pivots of the factorised mass matrix, (f,)."""
    column: FloatArray
    """(f,)"""
    own: Any
    """Parameters of the system."""


@kernel(inner=True)
def clear(m):
    """Set all arrays to zero."""
    for i in range(m.force.size):
        m.force[i] = 0.0
        for j in range(m.force.size):
            m.mass[i, j] = 0.0
    for i in range(m.gap.size):
        m.gap[i] = 0.0
        for j in range(m.force.size):
            m.normal[i, j] = m.tangent[i, j] = 0.0
    for r in range(m.drift.size):
        m.drift[r] = m.rate[r] = 0.0


@kernel
def solve_mass(force, rate, p):
    for j in range(force.size):
        rate[j] = force[j]
    substitute(p.now.mass, force.size, p.order, rate)


@kernel(inner=True)
def direction(m, row, j):
    """Return an entry of W for a direction; normal directions come first."""
    n = m.gap.size
    return m.normal[row, j] if row < n else m.tangent[row - n, j]


@kernel
def project(u, speed, p):
    for r in range(speed.size):
        speed[r] = 0.0
        for j in range(u.size):
            speed[r] += direction(p.now, r, j) * u[j]


@kernel
def spread(impulse, force, p):
    for j in range(force.size):
        force[j] = 0.0
        for r in range(impulse.size):
            force[j] += direction(p.now, r, j) * impulse[r]


@kernel
def inverse_inertia(rows, count, matrix, p):
    m, column, f = p.now, p.column, p.column.size
    for c in range(count):
        for j in range(f):
            column[j] = direction(m, rows[c], j)
        substitute(m.mass, f, p.order, column)
        for r in range(count):
            matrix[r, c] = 0.0
            for j in range(f):
                matrix[r, c] += direction(m, rows[r], j) * column[j]


@functools.cache
def _evaluating(describe: Callable[..., None]) -> Callable[..., None]:
    """Return the kernel evaluate(t, q, u, step, state, p) made from a description."""

    @kernel
    def evaluate(t, q, u, step, state, p):
        m = p.now
        clear(m)
        describe(t, q, u, m, p.own)
        for j in range(u.size):
            state.force[j] = m.force[j]
        if not factorise(m.mass, u.size, p.order):
            state.force[0] = np.nan  # a singular mass matrix is reported as a force that is not a number
        for i in range(m.gap.size):
            state.gap[i] = m.gap[i]
        for r in range(m.drift.size):
            state.drift[r] = m.drift[r]
            state.rate[r] = m.rate[r]

    return evaluate


def dense_system(
    describe: Callable[..., None], parameters: Any, laws: ContactLaws, velocities: int, names: tuple[str, ...]
) -> UnilateralSystem:
    """Return a system of a few bodies.

    describe: kernel (see above); parameters: its argument p, a number or a NamedTuple of numbers and arrays;
    velocities: their number f; names: names of the contacts, (n,). Raises InputError if the numbers of laws and names
    differ.
    """
    n, f = len(names), velocities
    if laws.friction.shape != (n,):
        raise InputError(
            Problem("laws", f"Must contain one value of each law for every contact: {n}.", str(laws.friction.shape))
        )
    now = Mechanics(
        np.zeros((f, f)),
        np.zeros(f),
        np.zeros(n),
        np.zeros((n, f)),
        np.zeros((n, f)),
        np.zeros(2 * n),
        np.zeros(2 * n),
    )
    dense = Dense(now, np.zeros(f, np.int64), np.zeros(f), parameters)
    kernels = ContactKernels(_evaluating(describe), solve_mass, project, spread, inverse_inertia)
    return UnilateralSystem(kernels, dense, laws, velocities, names)
