"""Eigenfrequencies and mode shapes of the complete drive: the equations of motion linearised about a state of rest.

Unlike the longitudinal model (:mod:`chaindrive.analyses.linear.modes`), this model includes the transverse vibration of
the spans, the stiffness of teeth and seats, slack, gravity, and wheels on moving bodies, because it differentiates the
forces of the formulation itself. It cannot include the motion of the chain: transport along the spans (the frequencies
of a running span are lower, see :func:`chaindrive.analyses.analytical.formulas.moving_string_frequency`), gyroscopic
terms, centrifugal tension, and changes in which rollers mesh. Damping is omitted, and pressures of hydraulic tensioners
are held constant.

With several chains and rotors joined by shafts, each part is linearised in its own state of rest. An elastic shaft of
ratio r adds the stiffness k b b^T with b = (r, -1) at the angles of its wheels; a rigid shaft turns both angles into
one coordinate, (1, r).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.modes import JoiningShaft, ModeShares
from chaindrive.contract.states import Kind
from chaindrive.contract.system import System
from chaindrive.errors import ComputationError
from chaindrive.model import Drive
from chaindrive.solvers.jacobian import force_jacobian, forces_at_rest

__all__ = ["ModeShares", "SystemModes", "frequencies_by_part", "in_line", "mode_shares", "system_modes"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

DIFFERENCE = 5e-8
"""Shift of a position for finite differences, relative to the size of the system: large compared with rounding errors
in stiff links, small compared with the indentation of contacts (micrometres)."""
DENSE = 600
"""Number of positions up to which all eigenvalues are computed at once."""
BASIS, ACCURACY = 3, 1e-10
"""Number of vectors in the iteration for the lowest modes, relative to the number of modes, and its tolerance: links on
a rail all have nearly the same frequency, for which twice the number and full accuracy take minutes. [-]"""
RESTARTS = 100
"""Limit of this iteration: number of times that the basis is renewed; 10 s for 1,000 links. [-]"""
ROUNDING = 1e-8
"""Relative accuracy of squared angular frequencies; negative values smaller than this count as zero."""


class SystemModes(NamedTuple):
    """M modes of a system about its state of rest, in the order of their frequencies."""

    frequency: FloatArray
    """Frequencies, shape (M,); not-a-number if the state of rest is not stable. [Hz]"""
    shape: FloatArray
    """Displacement that corresponds to every velocity, zero if the motion is prescribed or free within a clearance,
    shape (M, n_v). [m, rad]"""
    energy: FloatArray
    """Share of every velocity in the kinetic energy of a mode, shape (M, n_v); every row sums to 1. [-]

    Shapes are scaled so that twice the kinetic energy at unit angular frequency is 1."""
    residual: float
    """Largest residual force at the state, which should be an equilibrium. [N, N m]"""
    missing: int = 0
    """Number of further modes that were wanted, but could not be computed."""


def system_modes(system: System, count: int | None = None, t: float = 0.0) -> SystemModes:
    """Return the undamped modes about the positions of ``system.state``, which should be a static equilibrium.

    Solves (F + w^2 M) x = 0 where F is the derivative of the forces at rest with respect to the positions, computed by
    central differences, and M the mass matrix. count: number of modes, lowest first; None: all modes. t: time at which
    prescribed motions are held [s]. If a contact opens or closes within the steps of the differences (a roller that
    just touches), the mean stiffness is used. Parts held only in the state of rest (``Rest.held``) move in the modes;
    parts that move within clearances (``Modes.playing``) do not. For a system of several parts, the state of rest of
    each part (``Modes.parts``) replaces ``system.state``. Modes that the iteration does not find are missing
    (``SystemModes.missing``). Raises ComputationError if the formulation does not provide
    its coupled masses, or cannot have modes (``Modes.none_because``).
    """
    if system.modes.none_because:
        raise ComputationError("the modes of this drive cannot be computed", system.modes.none_because)
    n = system.velocities
    equations = _linearised(system, t)
    coordinates = _coordinates(np.isfinite(system.masses), system.modes.playing, system.modes.shafts)
    free = coordinates.shape[1]
    wanted = free if count is None else min(count, free)
    if wanted == 0:
        return SystemModes(np.empty(0), np.empty((0, n)), np.empty((0, n)), equations.residual)
    mass = (coordinates.T @ equations.mass @ coordinates).tocsr()
    acceleration = _solved(mass, coordinates.T @ equations.forces @ coordinates)
    largest = float(abs(acceleration).sum(axis=1).max())
    square, vectors = _lowest(acceleration, wanted, largest)
    square = np.where(np.abs(square) > ROUNDING * largest, square, np.maximum(square, 0.0))
    with np.errstate(invalid="ignore"):
        frequency = np.sqrt(square) / (2.0 * np.pi)
    vectors = coordinates @ (vectors / np.sqrt((vectors * (mass @ vectors)).sum(axis=0)))
    energy = vectors * (equations.mass @ vectors)
    return SystemModes(frequency, vectors.T, energy.T, equations.residual, wanted - frequency.size)


class _Linearised(NamedTuple):
    """The linear equations M x'' = F x of a system about its state of rest, sparse, (n_v, n_v)."""

    forces: Any
    mass: Any
    residual: float
    """Largest force left in this state. [N, N m]"""


def _linearised(system: System, t: float) -> _Linearised:
    """Return the derivative of the forces and the masses of a system; if it has several parts, those of all parts and
    of their elastic shafts.
    """
    from scipy import sparse

    parts = [_one_part(part, t) for part in system.modes.parts or (system,)]
    forces = sparse.block_diag([part.forces for part in parts], format="csc")
    mass = sparse.block_diag([part.mass for part in parts], format="csc")
    at_rest = np.concatenate([part.at_rest for part in parts])
    held = np.concatenate([part.held for part in parts])
    for shaft in system.modes.shafts:
        places, ratios = np.array([shaft.before, shaft.behind]), np.array([shaft.ratio, -1.0])
        at_rest[places] -= shaft.torque * ratios
        if math.isfinite(shaft.stiffness):
            entries = shaft.stiffness * np.outer(ratios, ratios)
            forces -= sparse.csc_array((entries.ravel(), (np.repeat(places, 2), np.tile(places, 2))), forces.shape)
    return _Linearised(forces, mass, float(np.abs(at_rest[~held]).max(initial=0.0)))


class _Part(NamedTuple):
    """One system without its shafts."""

    forces: Any
    """Derivative of the forces with respect to the positions, sparse, (n_v, n_v)."""
    mass: Any
    at_rest: FloatArray
    """Forces in the state of the system, (n_v,). [N, N m]"""
    held: NDArray[np.bool_]
    """Whether a force or constraint holds each coordinate at rest, (n_v,)."""


def _one_part(system: System, t: float) -> _Part:
    """Return the force Jacobian and the mass matrix of a single system."""
    if system.rest.searched is not None:  # contacts that vibrate slide: none of them sticks
        system = replace(system, parameters=system.rest.searched)
    at_rest, held = forces_at_rest(system, t, system.state), ~np.isfinite(system.masses_at_rest)
    system = system.with_rest(held=())
    forces = force_jacobian(system, t, system.state, _steps(system))
    return _Part(forces, _mass_matrix(system, t), at_rest, held)


def _coordinates(moving: NDArray[np.bool_], playing: IntArray, shafts: Sequence[JoiningShaft]) -> Any:
    """Return the sparse matrix from the displacements of the modes (m,) to all displacements (n_v,), shape (n_v, m).
    Its entries are 1 for coordinates that move, the ratio for those turned by a rigid shaft; the rows of those that
    stay in place are empty.
    """
    from scipy import sparse

    root, ratio = np.arange(moving.size), np.ones(moving.size)
    for shaft in shafts:
        if math.isinf(shaft.stiffness):
            root[shaft.behind] = root[shaft.before]
            ratio[shaft.behind] = shaft.ratio * ratio[shaft.before]
    stays = np.union1d(root[~moving], root[playing])
    rows = np.flatnonzero(~np.isin(root, stays))
    roots, columns = np.unique(root[rows], return_inverse=True)
    return sparse.csc_array((ratio[rows], (rows, columns)), shape=(moving.size, roots.size))


def in_line(drive: Drive) -> Drive:
    """Return the drive with all its wheels in one plane, for the computation of modes; unchanged if they are already in
    one plane.

    An offset changes the in-plane frequencies only by the square of the slope of the spans, which is a thousandth at
    two degrees. A wheel that may move out of the plane stays in place.
    """
    wheels = tuple(wheel.model_copy(update={"offset": 0.0, "tilt": (0.0, 0.0)}) for wheel in drive.wheels)
    aside = any(wheel.offset != 0.0 or any(wheel.tilt) for wheel in drive.wheels)
    return drive.model_copy(update={"wheels": wheels}) if aside and drive.run.formulation.kind == "spatial" else drive


def _mass_matrix(system: System, t: float) -> Any:
    """Return the sparse mass matrix, (n_v, n_v): diagonal, with a block for coupled border coordinates."""
    from scipy import sparse

    matrix = sparse.diags_array(np.where(np.isfinite(system.masses), system.masses, 0.0)).tolil()
    if system.coupled:
        border = np.flatnonzero(system.colours < 0)
        block = np.zeros((border.size, border.size))
        mass = system.kernels.asked("mass", "the modes of coupled masses")
        mass(t, system.state, system.parameters, block)
        matrix[np.ix_(border, border)] = block
    return matrix.tocsr()


def _solved(mass: Any, forces: Any) -> Any:
    """Return mass^-1 forces as a sparse matrix; mass is diagonal except for a few rows."""
    from scipy import sparse

    diagonal = mass.diagonal()
    apart = (abs(mass).sum(axis=1) - np.abs(diagonal)) > 0.0
    found = sparse.diags_array(1.0 / diagonal) @ forces
    if not apart.any():
        return found.tocsc()
    block = np.flatnonzero(apart)
    found = found.tolil()
    found[block] = np.linalg.solve(mass[block][:, block].toarray(), forces.tocsr()[block].toarray())
    return found.tocsc()


def _steps(system: System) -> FloatArray:
    """Return the shift of every position for finite differences [m, rad]; an angle moves points by at most half the
    size of the system.
    """
    n = system.positions
    speeds = system.kinds[n : n + system.velocities] == Kind.SPEED
    return np.where(speeds, DIFFERENCE * (system.size or 1.0), 2.0 * DIFFERENCE)


def _lowest(acceleration: Any, wanted: int, largest: float) -> tuple[FloatArray, FloatArray]:
    """Return the smallest eigenvalues w^2, and their eigenvectors in columns. All exact eigenvalues are real, because
    the matrix is a symmetric matrix times the inverse of a mass matrix.

    If the finite differences make a pair of nearly equal eigenvalues complex, the real and imaginary parts of the
    eigenvector are used. Fewer than wanted are returned if the iteration does not find all of them.
    """
    if acceleration.shape[0] <= DENSE or wanted > acceleration.shape[0] // 3:
        values, vectors = np.linalg.eig(acceleration.toarray())
    else:
        from scipy.sparse.linalg import ArpackNoConvergence, eigs

        n = acceleration.shape[0]
        start = np.random.default_rng(0).standard_normal(n)  # always the same: another changes the last digits
        limits = {"ncv": min(BASIS * wanted, n), "tol": ACCURACY, "maxiter": RESTARTS}
        try:
            values, vectors = eigs(acceleration, wanted, sigma=ROUNDING * largest, v0=start, **limits)
        except ArpackNoConvergence as error:
            values, vectors = error.eigenvalues, error.eigenvectors
    order = np.argsort(-values.real, kind="stable")[:wanted]
    values, vectors = values[order], vectors[:, order]
    return -values.real, np.where(values.imag < 0.0, vectors.imag, vectors.real)


def mode_shares(system: System, modes: SystemModes) -> ModeShares:
    """Return the shares of the parts that the formulation names in the kinetic energy of the modes: longitudinal and
    transverse motion of spans, wheels, bodies.

    If the formulation names no parts, every velocity is a part.
    """
    return system.mode_shares(modes.shape, modes.energy)


def frequencies_by_part(modes: SystemModes, shares: ModeShares) -> dict[str, FloatArray]:
    """Return for each part the frequencies of the modes in which it moves most, lowest first [Hz].

    All wheels are one part, "wheels", or "wheels and rotors" if there are rotors. The order is that of the parts; a
    part that does not dominate any of the modes is omitted.
    """
    groups: dict[str, list[int]] = {}
    turning = "wheels and rotors" if "rotor" in shares.kind else "wheels"
    for index, (name, kind) in enumerate(zip(shares.part, shares.kind, strict=True)):
        groups.setdefault(turning if kind in ("wheel", "rotor") else name, []).append(index)
    together = np.stack([shares.share[:, members].sum(axis=1) for members in groups.values()], axis=1)
    winner = together.argmax(axis=1) if together.size else np.empty(0, dtype=np.int64)
    found = {name: modes.frequency[winner == g] for g, name in enumerate(groups)}
    return {name: frequency for name, frequency in found.items() if frequency.size}
