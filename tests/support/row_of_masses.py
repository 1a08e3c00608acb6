"""A row of masses joined by stiff springs, the first of which may hit a wall: a system with contacts and linear cost.

Positions are displacements. The springs are taken implicitly: with forces at the middle of a step, linear in the change
of the velocities, M becomes M + h^2 K/4 and forces stay those at the middle of the step without that change. The matrix
is tridiagonal and solved as such (Thomas' algorithm).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray
from chaindrive.contract.unilateral import ContactKernels, UnilateralSystem, contact_laws
from chaindrive.kernels import kernel

__all__ = ["energy", "row_of_masses"]


class Row(NamedTuple):
    mass: float
    stiffness: float
    diagonal: FloatArray
    """Diagonal of M + h^2 K/4, (f,)."""
    beside: FloatArray
    """Its off-diagonal entries, which are equal, (1,)."""
    pivot: FloatArray
    """(f,)"""
    column: FloatArray
    """(f,)"""


@kernel
def evaluate(t, q, u, step, state, p):
    f = q.size
    implicit = 0.25 * step * step * p.stiffness
    p.beside[0] = -implicit
    for j in range(f):
        springs = (1.0 if j > 0 else 0.0) + (1.0 if j < f - 1 else 0.0)
        p.diagonal[j] = p.mass + implicit * springs
        state.force[j] = 0.0
    for j in range(f - 1):
        tension = p.stiffness * (q[j + 1] - q[j])
        state.force[j] += tension
        state.force[j + 1] -= tension
    state.gap[0] = q[0]
    for r in range(2):
        state.drift[r] = state.rate[r] = 0.0


@kernel
def solve_mass(force, rate, p):
    f, beside = force.size, p.beside[0]
    p.pivot[0], rate[0] = p.diagonal[0], force[0]
    for j in range(1, f):
        factor = beside / p.pivot[j - 1]
        p.pivot[j] = p.diagonal[j] - factor * beside
        rate[j] = force[j] - factor * rate[j - 1]
    rate[f - 1] /= p.pivot[f - 1]
    for j in range(f - 2, -1, -1):
        rate[j] = (rate[j] - beside * rate[j + 1]) / p.pivot[j]


@kernel
def project(u, speed, p):
    speed[0], speed[1] = u[0], 0.0


@kernel
def spread(impulse, force, p):
    for j in range(force.size):
        force[j] = 0.0
    force[0] = impulse[0]


@kernel
def inverse_inertia(rows, count, matrix, p):
    for j in range(p.column.size):
        p.column[j] = 1.0 if j == 0 else 0.0
    solve_mass(p.column, p.column, p)
    for r in range(count):
        for c in range(count):
            matrix[r, c] = p.column[0] if rows[r] == 0 and rows[c] == 0 else 0.0


def row_of_masses(masses: int, mass: float, stiffness: float, restitution: float = 0.0) -> UnilateralSystem:
    """This many masses [kg] with springs [N/m] between them."""
    row = Row(mass, stiffness, np.zeros(masses), np.zeros(1), np.zeros(masses), np.zeros(masses))
    names = ("first mass on wall",)
    kernels = ContactKernels(evaluate, solve_mass, project, spread, inverse_inertia)
    return UnilateralSystem(kernels, row, contact_laws(names, restitution=restitution), masses, names)


def energy(system: UnilateralSystem, position: FloatArray, velocity: FloatArray) -> FloatArray:
    """Kinetic and elastic energy of rows of states. [J]"""
    row = system.parameters
    stretch = np.diff(position, axis=-1)
    return 0.5 * row.mass * (velocity**2).sum(axis=-1) + 0.5 * row.stiffness * (stretch**2).sum(axis=-1)
