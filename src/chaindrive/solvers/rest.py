"""The forces on a system at rest as functions of its positions, and the stiffness, for the search for equilibrium.

This module depends on the contract only. For a formulation with compiled statics, the stiffness is exact and in blocks
(``bordered.py``), with which equations are solved in linear time; for any other formulation it is a sparse matrix
computed by coloured differences.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.bordered import bordered, factorise, factors_for, solve
from chaindrive.contract.memory import KeptMemory
from chaindrive.contract.states import Kind
from chaindrive.contract.status import FIRST_FAILURE, Status
from chaindrive.contract.system import System
from chaindrive.solvers.displacement import displacement, moved
from chaindrive.solvers.jacobian import force_jacobian, forces_at_rest

__all__ = ["DifferencedRest", "Rest", "StructuredRest", "rest_of"]

FloatArray = NDArray[np.float64]

DIFFERENCE_STEP = 2e-10  # of the size: far less than the depth of a light contact (1e-7 m)
ROUNDINGS = 1e5  # smallest step, in rounding errors of the positions
LARGEST_STEP = 0.02  # of the size per position, if nearby surfaces are unknown
FREE_STEP = 0.02  # of the size: largest step of a part with nothing near; otherwise half of the distance
NEAR = 0.5
HELD = 1e30  # shift of rollers whose motion is prescribed: large compared with everything else
RESTRAINT = 1e-6
"""Smallest restraint of a link at which the stiffness is not positive definite, relative to the sums of its rows; it is
increased tenfold until the factorisation succeeds. [-]"""
RESTRAINTS = 40
"""Largest number of these factorisations."""
LIGHTEST = 0.01
"""Smallest ratio of the shift of parts that may move far to the shift of parts that may not. [-]"""


class Rest:
    """The forces on a system at rest at the instant t, as functions of the positions q (n_q,); zero for prescribed
    positions.

    Forces, displacements and their limits have shape (n_v,).
    """

    def __init__(self, system: System, t: float, velocities: FloatArray | None = None) -> None:
        n = system.positions
        self.system, self.t = system, t
        self._velocities = slice(n, n + system.velocities)
        masses = system.masses_at_rest
        self.free = np.isfinite(masses)
        if not self.free.any():
            raise ValueError("all motions are prescribed: there is no equilibrium to find")
        self.size = max(system.size, system.rest.least_size) or 1.0
        lengths = system.kinds[self._velocities] == Kind.SPEED
        link = float(np.median(masses[lengths & self.free])) if (lengths & self.free).any() else 1.0
        # An angle counts as the displacement at the radius at which a mass of the chain has the same inertia, but a
        # heavy wheel is not larger than the drive.
        gyration = np.sqrt(np.where(self.free, masses, np.inf) / link)
        self.lever = np.where(lengths, 1.0, np.minimum(gyration, 0.25 * self.size))
        # In a shift, nothing is heavier than a mass of the chain at this lever: a shift that restrains links would
        # otherwise hold a wheel with the inertia of a vehicle in its place.
        self.mass = np.minimum(np.where(self.free, masses, 1.0), link * self.lever**2)
        self._y = system.state.copy()
        self._y[self._velocities] = 0.0 if velocities is None else velocities
        self._memory = KeptMemory(system)

    def state(self, q: FloatArray) -> FloatArray:
        """Return the state at rest with the positions q, (states,)."""
        y = self._y.copy()
        y[: q.size], y[self._velocities] = q, 0.0
        return y

    def moved(self, q: FloatArray, step: FloatArray) -> FloatArray:
        """Return the positions after a displacement from q, (n_q,)."""
        return moved(self.system, q, step)

    def apart(self, q: FloatArray, there: FloatArray) -> FloatArray:
        """Return the displacement from q to nearby positions, (n_v,)."""
        return displacement(self.system, q, there)

    def renew(self, q: FloatArray) -> tuple[Status, FloatArray]:
        """Update the memory (contact candidates) for the positions q, and return a status and the forces there; the
        update is undone if q is rejected.
        """
        self._memory.keep()
        self._y[: q.size] = q
        answer = int(self.system.kernels.begin(self.t, self._y, self.system.parameters))
        if answer >= FIRST_FAILURE:
            status = self.system.status(answer, self.t, self._y)
            self._memory.put_back()
            return status, self.forces(q)
        return Status.RUNNING, self.forces(q)

    def compile(self) -> None:
        """Call every kernel that a search calls, so that none has to be compiled during the search."""
        q = self.system.state[: self.system.positions].copy()
        _, force = self.renew(q)
        self.linearise(q)
        sums = self.row_sums()
        self.limits()
        if self.factorise(sums + self.mass * (float((sums / self.mass).max()) or 1.0)):
            self.solve(force)

    def residual(self, force: FloatArray) -> float:
        """Return the largest residual force; a moment is divided by its lever arm. [N]"""
        return float(np.abs(force / self.lever).max())

    def forces(self, q: FloatArray) -> FloatArray:
        """Return the forces at q, (n_v,). [N, N m]"""
        raise NotImplementedError

    def linearise(self, q: FloatArray, convex: bool = False) -> None:
        """Compute the stiffness at q, where forces were last evaluated; convex: whether the terms that can make it
        indefinite are omitted.
        """
        raise NotImplementedError

    def factorise(self, shift: FloatArray) -> bool:
        """Factorise the stiffness with ``shift`` (n_v,) added to its diagonal; return False if the sum is not positive
        definite.
        """
        raise NotImplementedError

    def factorise_restrained(self, shift: FloatArray) -> bool:
        """Factorise as ``factorise`` after it has failed, with more on the diagonal where the sum is not positive
        definite; return False if this does not help either.
        """
        return False

    def solve(self, right: FloatArray) -> FloatArray:
        """Return the displacement (n_v,) due to the forces ``right`` (n_v,)."""
        raise NotImplementedError

    def row_sums(self) -> FloatArray:
        """Return the sum of the magnitudes in every row of the stiffness, (n_v,)."""
        raise NotImplementedError

    def limits(self) -> FloatArray:
        """Return the largest change of every position in one step from the positions at which the forces were last
        evaluated, (n_v,). [m, rad]
        """
        raise NotImplementedError

    def weights(self, limits: FloatArray) -> FloatArray:
        """Return the weights of the positions in a shift: their masses, reduced for positions that may move far. [kg,
        kg m^2]
        """
        reach = limits * self.lever
        return self.mass * np.maximum(reach.min() / reach, LIGHTEST)


class StructuredRest(Rest):
    """The forces at rest from the compiled statics of the formulation."""

    def __init__(self, system: System, t: float, velocities: FloatArray | None = None) -> None:
        super().__init__(system, t, velocities)
        assert system.rest.statics is not None
        self._statics = system.rest.statics
        self._forces = system.kernels.asked("forces", "a stiffness in blocks")
        border = int((system.colours < 0).sum())
        links = system.rest.statics.links(system.parameters)
        self._links = links
        self._matrix = bordered(links, (system.velocities - border) // links, border)
        self._factors = factors_for(self._matrix)
        self._free_border = self.free[system.velocities - border :].copy()
        self._limit = np.zeros(links)

    def forces(self, q: FloatArray) -> FloatArray:
        """Return the forces at q, (n_v,). [N, N m]"""
        force = np.empty(self.free.size)
        self._y[: q.size] = q
        self._forces(self.t, self._y, self.system.parameters, force)
        force[~self.free] = 0.0
        return force

    def linearise(self, q: FloatArray, convex: bool = False) -> None:
        """Compute the stiffness at q.

        The derivative of the moments on a link about its own axes is symmetric only in equilibrium. Elsewhere the
        antisymmetric part of its block, which has no energy, could make the factorisation fail.
        """
        self._y[: q.size] = q
        self._statics.stiffness(self.t, self._y, self.system.parameters, self._matrix, convex)
        blocks = self._matrix.diagonal
        blocks[...] = 0.5 * (blocks + blocks.transpose(0, 2, 1))

    def factorise(self, shift: FloatArray) -> bool:
        """Factorise the stiffness with shift (n_v,) on its diagonal."""
        held = np.where(self.free, shift, HELD)
        self._factors.inverse[:, -1, -1] = np.nan  # until the pivot of a link has been inverted
        return bool(factorise(self._matrix, held, self._free_border, self._factors))

    def factorise_restrained(self, shift: FloatArray) -> bool:
        """Factorise with more and more on the diagonal of the link at which the factorisation fails, and of its
        neighbours; the steps of all other links remain those of Newton's method.
        """
        sums, more, links = self.row_sums(), np.zeros(shift.size), np.arange(self._links)
        chain = self._links * self._matrix.diagonal.shape[1]
        for _ in range(RESTRAINTS):
            undone = np.isnan(self._factors.inverse[:-1, -1, -1])
            link = int(undone.argmax()) if undone.any() else self._links - 1
            near = np.abs((links - link + 1) % self._links - 1) <= 1
            where = np.append(np.tile(near, chain // self._links), np.full(shift.size - chain, not undone.any()))
            more[where] = np.maximum(10.0 * more[where], RESTRAINT * sums[where])
            if self.factorise(shift + more):
                return True
        return False

    def solve(self, right: FloatArray) -> FloatArray:
        """Return the displacement (n_v,) due to the forces ``right`` (n_v,)."""
        solution = np.empty(right.size)
        solve(self._matrix, self._free_border, self._factors, right, solution)
        return solution

    def row_sums(self) -> FloatArray:
        """Return the sum of the magnitudes in every row of the stiffness, (n_v,)."""
        m = self._matrix
        chain = abs(m.diagonal).sum(axis=2) + abs(m.upper).sum(axis=2) + np.roll(abs(m.upper).sum(axis=1), 1, axis=0)
        chain += abs(m.border).sum(axis=2)
        return np.concatenate([chain.T.ravel(), abs(m.border).sum(axis=(0, 1)) + abs(m.corner).sum(axis=0)])

    def limits(self) -> FloatArray:
        """Return the largest change of every position in one step, (n_v,). [m, rad]"""
        free = FREE_STEP * self.size
        self._statics.leeway(self.system.parameters, free, NEAR, self._limit)
        blocks = self._matrix.diagonal.shape[1]
        chain, border = np.split(self.lever, [self._links * blocks])
        return np.concatenate([np.tile(self._limit, blocks) / chain, free / border])


class DifferencedRest(Rest):
    """The forces at rest from the right-hand side, with the stiffness by differences."""

    def __init__(
        self, system: System, t: float, largest_step: float | None, velocities: FloatArray | None = None
    ) -> None:
        super().__init__(system, t, velocities)
        self._running = velocities
        self._at = np.flatnonzero(self.free)
        rounding = np.spacing(np.abs(system.state[: system.positions]).max(initial=0.0))
        self._step = max(DIFFERENCE_STEP * self.size, ROUNDINGS * rounding) / self.lever
        radius = LARGEST_STEP * self.size / system.velocities if largest_step is None else largest_step
        self._limits = radius / self.lever

    def forces(self, q: FloatArray) -> FloatArray:
        """Return the forces at q, (n_v,). [N, N m]"""
        return forces_at_rest(self.system, self.t, self.state(q), self._running)

    def linearise(self, q: FloatArray, convex: bool = False) -> None:
        """Compute the stiffness at q."""
        self._full = -force_jacobian(self.system, self.t, self.state(q), self._step, self._running)

    def factorise(self, shift: FloatArray) -> bool:
        """Factorise the stiffness with shift (n_v,) on its diagonal."""
        from scipy.sparse import diags_array
        from scipy.sparse.linalg import splu

        at = self._at
        try:
            self._factors = splu((self._full[at][:, at] + diags_array(shift[at])).tocsc())
        except RuntimeError:  # exactly singular
            return False
        return True

    def solve(self, right: FloatArray) -> FloatArray:
        """Return the displacement (n_v,) due to the forces ``right`` (n_v,)."""
        solution = np.zeros(right.size)
        solution[self._at] = self._factors.solve(right[self._at])
        return solution

    def row_sums(self) -> FloatArray:
        """Return the sum of the magnitudes in every row of the stiffness, (n_v,)."""
        return np.asarray(abs(self._full).sum(axis=1)).ravel()

    def limits(self) -> FloatArray:
        """Return the largest change of every position in one step, (n_v,). [m, rad]"""
        return self._limits


def rest_of(system: System, t: float, largest_step: float | None = None, velocities: FloatArray | None = None) -> Rest:
    """Return the forces at rest of a system.

    largest_step: largest displacement in one step if nearby surfaces are unknown [m]; None: it follows from the size of
    the system. velocities (n_v,): velocities at which forces are evaluated, by default zero.
    """
    if system.rest.statics is not None and largest_step is None:
        return StructuredRest(system, t, velocities)
    return DifferencedRest(system, t, largest_step, velocities)
