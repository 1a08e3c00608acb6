"""The Jacobian of the forces at rest by central differences with colouring: a band along the chain with a dense border.

The number of evaluations is twice the number of colours and border positions, and does not depend on the number of
links.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.system import System
from chaindrive.solvers.displacement import moved

__all__ = ["force_jacobian", "forces_at_rest"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

ASYMMETRY = 1e-4
"""If the relative mismatch is larger than this, the border rows are not taken to be the transpose of the border
columns."""


def forces_at_rest(system: System, t: float, y: FloatArray, velocities: FloatArray | None = None) -> FloatArray:
    """Return the generalised forces at the positions in y with all velocities zero [N, N m].

    y has shape (n_q + n_v + n_w,), the result (n_v,); it is zero where the motion is prescribed (infinite mass). The
    formulation computes the forces if it has a kernel for them; otherwise they are mass times acceleration. velocities
    (n_v,): velocities at which forces are evaluated, by default zero. Afterwards the scratch arrays of the parameters
    contain the contact quantities at these positions. Raises ComputationError if the formulation has no such kernel and
    the masses are coupled.
    """
    at = slice(system.positions, system.positions + system.velocities)
    rest = y.copy()
    rest[at] = 0.0 if velocities is None else velocities
    masses = system.masses_at_rest
    finite = np.isfinite(masses)
    if system.kernels.forces is not None or system.coupled:
        forces = np.zeros(system.velocities)
        system.kernels.asked("forces", "an equilibrium with coupled masses")(t, rest, system.parameters, forces)
        return np.where(finite, forces, 0.0)
    dy = np.zeros_like(rest)
    system.kernels.rhs(t, rest, dy, system.parameters)
    return np.where(finite, np.where(finite, masses, 0.0) * dy[at], 0.0)


def force_jacobian(
    system: System, t: float, y: FloatArray, step: float | FloatArray, velocities: FloatArray | None = None
) -> Any:
    """Return the derivative of ``forces_at_rest`` with respect to displacements of the positions, as a scipy.sparse CSC
    matrix of shape (n_v, n_v) [N/m ...].

    The result is minus the stiffness matrix; rows of prescribed motions are zero. step: size of the displacements [m,
    rad], a number or an array (n_v,). velocities: as for ``forces_at_rest``.

    Curtis, Powell & Reid (J. Inst. Math. Appl. 13, 1974): all positions of one colour are shifted together, and every
    row is assigned to the shifted position that has the row among its neighbours. Border columns are shifted one by
    one. A border row (the torque of a wheel) depends on all rollers of a colour, so its entries cannot be separated in
    this way. But forces at rest have a potential, so the row is the transpose of the column. This is verified by the
    sum over each colour, which is known from the shifted evaluation; colours for which it does not hold are shifted one
    position at a time. Raises ValueError for colours without neighbours, or of the wrong shape.
    """
    from scipy import sparse

    n = system.velocities
    colours, neighbours = system.colours, system.rest.neighbours
    if colours.shape != (n,):
        raise ValueError(f"Rest.colours has shape {colours.shape}, but {n} positions need ({n},)")
    if (colours >= 0).any() and neighbours.shape[:1] != (n,):
        raise ValueError(f"Rest.neighbours has shape {neighbours.shape}, but {n} coloured positions need ({n}, k)")
    border = np.flatnonzero(colours < 0)
    steps = np.broadcast_to(np.asarray(step, np.float64), (n,))
    q = y[: system.positions]
    # 2 step after rounding
    width = (q + steps) - (q - steps) if system.kernels.rates is None else 2.0 * steps

    def difference(shifted: IntArray) -> FloatArray:
        forces, there = [], y.copy()
        for sign in (1.0, -1.0):
            step = np.zeros(n)
            step[shifted] = sign * steps[shifted]
            there[: q.size] = moved(system, q, step)
            forces.append(forces_at_rest(system, t, there, velocities))
        return forces[0] - forces[1]

    border_columns = np.empty((n, border.size))
    for k, position in enumerate(border):
        border_columns[:, k] = difference(np.array([position])) / width[position]

    inner = ~np.isin(np.arange(n), border)
    border_rows = np.where(inner, border_columns.T, 0.0)
    free_border = np.isfinite(system.masses[border])
    border_rows[~free_border] = 0.0

    rows, columns, values = [], [], []
    for colour in np.unique(colours[colours >= 0]):
        shifted = np.flatnonzero(colours == colour)
        change = difference(shifted)
        row = neighbours[shifted]
        column = np.broadcast_to(shifted[:, None], row.shape)
        valid = row >= 0
        rows.append(row[valid])
        columns.append(column[valid])
        values.append(change[row[valid]] / width[column[valid]])
        terms = border_rows[:, shifted] * width[shifted]
        mismatch = np.abs(change[border] - terms.sum(axis=1))
        if (mismatch > ASYMMETRY * np.abs(terms).sum(axis=1) + 1e-9 * np.abs(change).max())[free_border].any():
            for position in shifted:
                border_rows[:, position] = difference(np.array([position]))[border] / width[position]

    inner_at = np.flatnonzero(inner)
    rows += [np.tile(np.arange(n), border.size), np.repeat(border, inner_at.size)]
    columns += [np.repeat(border, n), np.tile(inner_at, border.size)]
    values += [border_columns.T.ravel(), border_rows[:, inner_at].ravel()]
    entries = (np.concatenate(rows), np.concatenate(columns))
    return sparse.csc_array((np.concatenate(values), entries), shape=(n, n))
