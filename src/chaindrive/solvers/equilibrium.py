"""Static equilibrium: the positions at which a system rests. Knows ``system.py`` only.

Newton's method on the forces at rest, regularised with the masses (pseudo-transient continuation: Kelley & Keyes, SIAM
J. Numer. Anal. 35, 1998): each step solves

    (s M - J) du = F,    J = dF/du,

one implicit Euler step of M du/dtau = F with the pseudo-time step 1/s. A large shift s lets rollers that float in
their clearance fall, slack strings sag and free wheels turn, where J is singular; with s -> 0 it is Newton's method.
The shift follows the success of the steps as in a trust region (Levenberg-Marquardt), success being measured by the
work that the forces do, du.(F0 + F1)/2, against what J predicts; an energy is not asked for. Dynamic settling with
kinetic damping (Cundall 1976; Otter, Cassell & Hobbs, Proc. ICE 35, 1966) is the fallback.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.solvers.jacobian import acceleration_jacobian, forces_at_rest
from chaindrive.system import Kind, Status, System

__all__ = ["Equilibrium", "equilibrium"]

FloatArray = NDArray[np.float64]

SMALLEST_TOLERANCE = 1e-6  # N
DIFFERENCE_STEP = 2e-7  # of the size: balances rounding (1e-16 of the size) and the curvature of stiff links
LARGEST_STEP = 0.02  # of the size per position, unless the caller knows the clearance
SMALLEST_SHIFT = 1e-13  # of the largest stiffness over mass
SETTLING_PEAKS = 200
SETTLING_STEPS = 50_000


class Equilibrium(NamedTuple):
    """Where a system rests, and how well that is known."""

    state: FloatArray
    """Shape (2 n_q + n_w,): positions at rest, velocities zero, other states as at the start."""
    residual: float
    """Largest force that is left. [N, N m]"""
    iterations: int
    """Newton steps taken, refused ones included."""
    converged: bool
    """Whether the residual is within the tolerance. If not, the memory of the system is as it was before."""
    method: str
    """"newton", or "settling" when dynamic settling had to come first."""
    tolerance: float
    """The tolerance that was asked for, or what rounding of the positions allows. [N, N m]"""
    status: Status
    """RUNNING, or why the formulation refused the last state that was tried (chain jumped a tooth, ...)."""
    history: tuple[float, ...]
    """Residual at the start and after every step of the last attempt with Newton's method. [N, N m]"""


def equilibrium(
    system: System,
    *,
    tolerance: float | None = None,
    max_iterations: int = 500,
    t: float = 0.0,
    largest_step: float | None = None,
) -> Equilibrium:
    """Positions at which all forces vanish, starting from ``system.state``; prescribed motions stay where they are.

    tolerance: largest force left [N, N m]; None: 1e-6, or twice what rounding of the positions makes unavoidable
    (1 ulp of 5 m times 8e8 N/m is already 7e-7 N). max_iterations: Newton steps, for each of the two attempts.
    t: instant of the prescribed motions [s]. largest_step: largest displacement in one step [m], to be given as a
    quarter of the roller clearance or so; None: a fiftieth of (size of the system / number of positions), which is
    0.4 mm for 122 links of 0.1 m.

    Memory follows by ``begin`` after every step, as if the search started there: contact candidates stay fresh, and a
    run that begins at the answer has the memory under which it is an equilibrium. ``accept`` would not do, its searches
    are due by time, which stands still here. The memory is put back when no equilibrium is found; nothing is raised
    then, see ``converged``.
    """
    statics = _Statics(system, t, largest_step)
    before = statics.memory()
    start = system.state[: system.positions].copy()
    found = statics.newton(start, tolerance, max_iterations)
    method, iterations = "newton", found.iterations
    if not found.converged:
        statics.restore(before)
        found = statics.newton(statics.settle(start), tolerance, max_iterations)
        method, iterations = "settling", iterations + found.iterations
    if not found.converged:
        statics.restore(before)
    return Equilibrium(
        statics.state(found.q),
        found.residual,
        iterations,
        found.converged,
        method,
        found.tolerance,
        found.status,
        found.history,
    )


class _Found(NamedTuple):
    q: FloatArray
    residual: float
    iterations: int
    converged: bool
    tolerance: float
    status: Status
    history: tuple[float, ...]


class _Statics:
    """The forces at rest of one system as a function of its positions q, and the two ways to their zero."""

    def __init__(self, system: System, t: float, largest_step: float | None) -> None:
        n = system.positions
        self.system, self.t = system, t
        self.free = np.flatnonzero(np.isfinite(system.masses))
        self.mass = system.masses[self.free]
        lengths = system.kinds[:n] == Kind.LENGTH
        self.size = (float(np.ptp(system.state[:n][lengths])) if lengths.any() else 0.0) or 1.0
        self.radius = LARGEST_STEP * self.size / n if largest_step is None else largest_step
        finite = np.isfinite(system.masses)
        link = np.median(system.masses[lengths & finite]) if (lengths & finite).any() else 1.0
        # An angle counts as the displacement at the radius of gyration that a mass of the chain would need.
        lever = np.where(lengths, 1.0, np.sqrt(np.where(finite, system.masses, link * self.size**2) / link))
        self.lever = lever[self.free]
        self.difference_step = DIFFERENCE_STEP * self.size / lever

    def state(self, q: FloatArray) -> FloatArray:
        n = self.system.positions
        y = self.system.state.copy()
        y[:n] = q
        y[n : 2 * n] = 0.0
        return y

    def memory(self) -> dict[str, NDArray[Any]]:
        return {name: array.copy() for name, array in self.system.memory_arrays().items()}

    def restore(self, memory: dict[str, NDArray[Any]]) -> None:
        for name, array in self.system.memory_arrays().items():
            array[...] = memory[name]

    def forces(self, q: FloatArray) -> FloatArray:
        return forces_at_rest(self.system, self.t, self.state(q))[self.free]

    def renew(self, q: FloatArray) -> tuple[Status, FloatArray]:
        """Let the memory (contact candidates) follow to q, and the forces with it; undone when q is refused."""
        before = self.memory()
        answer = int(self.system.kernels.begin(self.t, self.state(q), self.system.parameters))
        if answer >= Status.NOT_A_NUMBER:
            self.restore(before)
            return Status(answer), self.forces(q)
        return Status.RUNNING, self.forces(q)

    def moved(self, q: FloatArray, du: FloatArray) -> FloatArray:
        there = q.copy()
        there[self.free] += du
        return there

    def displacement(self, du: FloatArray) -> float:
        return float(np.abs(du * self.lever).max(initial=0.0))

    def newton(self, q: FloatArray, tolerance: float | None, max_iterations: int) -> _Found:
        """Newton's method with a shift by the masses, until the residual is within the tolerance."""
        from scipy.sparse import diags_array
        from scipy.sparse.linalg import splu

        status, force = self.renew(q)
        masses = diags_array(self.mass)
        shift, iteration, stale, allowed = 0.0, 0, True, SMALLEST_TOLERANCE
        history: list[float] = []
        while True:
            if stale:
                full = acceleration_jacobian(self.system, self.t, self.state(q), self.difference_step)
                jacobian = full[self.free][:, self.free]
                rounding = float((abs(full) @ (np.finfo(float).eps * np.abs(q))).max(initial=0.0))
                allowed = max(SMALLEST_TOLERANCE, 2.0 * rounding) if tolerance is None else tolerance
                stiffest = float((abs(jacobian).sum(axis=1) / self.mass).max(initial=0.0)) or 1.0
                residual = float(np.abs(force).max(initial=0.0))
                history.append(residual)
            converged = residual <= allowed
            if converged or iteration >= max_iterations or shift > 1e6 * stiffest or not np.isfinite(residual):
                return _Found(q, residual, iteration, converged and not status.failed, allowed, status, tuple(history))
            iteration += 1
            stale = False
            shift = max(shift, SMALLEST_SHIFT * stiffest)
            du = splu((shift * masses - jacobian).tocsc()).solve(force)
            size = self.displacement(du)
            if not size <= self.radius or force @ du <= 0.0:  # too far, not a number, or uphill
                shift = max(shift * min(max(2.0, size / self.radius), 100.0), 1e-9 * stiffest)
                continue
            there = self.moved(q, du)
            new_force = self.forces(there)
            gain = 0.5 * (du @ (force + new_force)) / (force @ du + 0.5 * (du @ (jacobian @ du)))
            if gain > 0.01 or np.abs(new_force).max() <= 0.5 * residual:
                status, new_force = self.renew(there)
                if not status.failed:
                    q, force, stale = there, new_force, True
                    shift *= 0.1 if gain > 0.75 else 1.0 if gain > 0.25 else 4.0
                    continue
            shift = max(10.0 * shift, 1e-6 * stiffest)

    def settle(self, q: FloatArray) -> FloatArray:
        """Positions after damped motion: leapfrog, with the velocities set to zero whenever kinetic energy peaks."""
        _, force = self.renew(q)
        velocity = np.zeros(self.free.size)
        energy, peaks, h, safety = 0.0, 0, 0.0, 0.5
        for _ in range(SETTLING_STEPS):
            if h == 0.0:
                full = acceleration_jacobian(self.system, self.t, self.state(q), self.difference_step)
                rows = abs(full).sum(axis=1)[self.free]
                # Gershgorin bounds the frequency; leapfrog is stable below h omega = 2.
                h = 2.0 * safety / np.sqrt(float((rows / self.mass).max()) or 1.0)
            velocity += h * force / self.mass
            reach = h * self.displacement(velocity)
            if reach > self.radius:
                velocity *= self.radius / reach
            there = self.moved(q, h * velocity)
            new_force = self.forces(there)
            new_energy = 0.5 * float(self.mass @ velocity**2)
            status = Status.RUNNING
            if np.isfinite(new_force).all():
                status, new_force = self.renew(there)
            if status.failed or not np.isfinite(new_force).all():
                velocity[:], energy, h, safety = 0.0, 0.0, 0.0, 0.5 * safety
                if safety < 1e-6:
                    break
                continue
            q, force = there, new_force
            if new_energy < energy:
                velocity[:], energy, h = 0.0, 0.0, 0.0
                peaks += 1
                if peaks == SETTLING_PEAKS:
                    break
            else:
                energy = new_energy
        return q
