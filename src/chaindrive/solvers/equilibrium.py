"""Static equilibrium: the positions at which a system rests. Knows ``system.py`` only.

Pseudo-transient continuation (Kelley & Keyes, SIAM J. Numer. Anal. 35, 1998): the massy but viscous motion
M du/dtau = F(u) is followed with implicit Euler steps of growing length 1/s,

    s M (u' - u) = F(u'),    solved by Newton's method with (s M - J) dw = F(w) - s M (w - u),    J = dF/du.

A large shift s lets rollers that float in their clearance fall, slack strings sag and free wheels turn, where J is
singular; with s -> 0 a step is Newton's method for the equilibrium itself. The equation is iterated, not just
linearised once: contacts that close within the step and links that turn on arcs would otherwise force the steps to be
tiny. The shift grows when a step fails or goes too far and shrinks when it is easy. Dynamic settling with kinetic
damping (Cundall 1976; Otter, Cassell & Hobbs, Proc. ICE 35, 1966) is the fallback.
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
SOLUTIONS_PER_STEP = 12  # F = K d^1.5 brings a roller that is too deep to a third of its depth each time
SETTLING_ROUNDS = 10
SETTLING_STEPS = 3000
SETTLING_REFRESH = 100


class Equilibrium(NamedTuple):
    """Where a system rests, and how well that is known."""

    state: FloatArray
    """Shape (2 n_q + n_w,): positions at rest, velocities zero, other states as at the start."""
    residual: float
    """Largest force that is left. [N, N m]"""
    iterations: int
    """Linear systems solved."""
    converged: bool
    """Whether the residual is within the tolerance. If not, the memory of the system is as it was before."""
    method: str
    """"newton" (pseudo-transient), or "settling" when dynamic settling had to come first."""
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
    (1 ulp of 5 m times 8e8 N/m is already 7e-7 N). max_iterations: linear systems solved before settling is tried, and
    about as many again in all rounds of it together. t: instant of the prescribed motions [s]. largest_step: largest
    displacement in one step [m], a few roller clearances or less; None: a fiftieth of (size of the system / number of
    positions), which is 0.4 mm for 122 links of 0.1 m.

    Memory follows by ``begin`` after every step, as if the search started there: contact candidates stay fresh, and a
    run that begins at the answer has the memory under which it is an equilibrium. ``accept`` would not do, its searches
    are due by time, which stands still here. The memory is put back when no equilibrium is found; nothing is raised
    then, see ``converged``. ValueError: all motions are prescribed.
    """
    statics = _Statics(system, t, largest_step)
    before = statics.memory()
    start = system.state[: system.positions].copy()
    found = statics.newton(start, tolerance, max_iterations)
    method, iterations = "newton", found.iterations
    rounds = 0
    while not found.converged and np.isfinite(found.residual) and rounds < SETTLING_ROUNDS:
        again = max(max_iterations // SETTLING_ROUNDS, 2 * SOLUTIONS_PER_STEP)
        found = statics.newton(statics.settle(found.q), tolerance, again)
        method, iterations, rounds = "settling", iterations + found.iterations, rounds + 1
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


class _Linear(NamedTuple):
    jacobian: Any
    """Of the free positions."""
    rounding: float
    """Force that one rounding of every position makes. [N, N m]"""
    stiffest: float
    """Bound of the squared frequencies. [1/s^2]"""


class _Step(NamedTuple):
    q: FloatArray
    solutions: int
    arrived: bool
    overshoot: float
    """Displacement over the largest one allowed; factor by which the shift is too small when not arrived."""


class _Statics:
    """The forces at rest of one system as a function of its positions q, and the two ways to their zero."""

    def __init__(self, system: System, t: float, largest_step: float | None) -> None:
        n = system.positions
        self.system, self.t = system, t
        self.free = np.flatnonzero(np.isfinite(system.masses))
        if self.free.size == 0:
            raise ValueError("all motions are prescribed: there is no equilibrium to look for")
        self.mass = system.masses[self.free]
        lengths = system.kinds[:n] == Kind.LENGTH
        self.size = (float(np.ptp(system.state[:n][lengths])) if lengths.any() else 0.0) or 1.0
        self.radius = LARGEST_STEP * self.size / n if largest_step is None else largest_step
        finite = np.isfinite(system.masses)
        link = np.median(system.masses[lengths & finite]) if (lengths & finite).any() else 1.0
        # An angle counts as the displacement at the radius at which a mass of the chain has the same inertia, but a
        # heavy wheel is not larger than the drive.
        gyration = np.sqrt(np.where(finite, system.masses, np.inf) / link)
        lever = np.where(lengths, 1.0, np.minimum(gyration, 0.25 * self.size))
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

    def linear(self, q: FloatArray) -> _Linear:
        full = acceleration_jacobian(self.system, self.t, self.state(q), self.difference_step)
        jacobian = full[self.free][:, self.free]
        rounding = float((abs(full) @ (np.finfo(float).eps * np.abs(q))).max(initial=0.0))
        stiffest = float((abs(jacobian).sum(axis=1) / self.mass).max()) or 1.0
        return _Linear(jacobian, rounding, stiffest)

    def newton(self, q: FloatArray, tolerance: float | None, max_iterations: int) -> _Found:
        """Implicit Euler steps of growing length, until the residual is within the tolerance."""
        status, force = self.renew(q)
        refused = status
        shift, iterations, easy, failed = 0.0, 0, True, False
        history: list[float] = []
        while True:
            if easy:
                linear = self.linear(q)
                allowed = max(SMALLEST_TOLERANCE, 2.0 * linear.rounding) if tolerance is None else tolerance
                residual = float(np.abs(force).max())
                history.append(residual)
            converged = residual <= allowed and not status.failed
            if converged or iterations >= max_iterations or shift > 1e6 * linear.stiffest or not np.isfinite(residual):
                last = Status.RUNNING if converged else refused
                return _Found(q, residual, iterations, converged, allowed, last, tuple(history))
            shift = max(shift, SMALLEST_SHIFT * linear.stiffest)
            step = self.implicit_euler(q, force, linear, shift, max(0.9 * allowed, 0.1 * residual))
            iterations += step.solutions
            easy = step.arrived
            if easy:
                refused, new_force = self.renew(step.q)
                easy = not refused.failed
            if easy:
                q, force, status = step.q, new_force, refused
                smaller = (0.5 if failed else 0.1) if step.solutions <= 4 else 0.5 if step.solutions <= 8 else 1.0
                shift *= min(max(smaller, step.overshoot), 1.0)  # free motion goes as 1 / shift
                failed = False
            else:
                failed = True
                shift = max(shift * min(max(2.0, step.overshoot), 100.0), 1e-12 * linear.stiffest)

    def implicit_euler(self, q: FloatArray, force: FloatArray, linear: _Linear, shift: float, target: float) -> _Step:
        """Solve s M du = F(q + du) for the positions q + du, until what is missing is below ``target`` [N, N m]."""
        from scipy.sparse import diags_array
        from scipy.sparse.linalg import splu

        inertia = shift * self.mass
        du = np.zeros_like(force)
        there, missing, jacobian = q, force, linear.jacobian
        for solution in range(1, SOLUTIONS_PER_STEP + 1):
            try:
                du = du + splu((diags_array(inertia) - jacobian).tocsc()).solve(missing)
            except RuntimeError:  # exactly singular
                return _Step(q, solution, False, 4.0)
            overshoot = self.displacement(du) / self.radius
            if not overshoot <= (1.0 if solution == 1 else 2.0) or force @ du <= 0.0:  # too far, not a number, uphill
                return _Step(q, solution, False, overshoot if solution == 1 else 4.0)
            there = self.moved(q, du)
            new_force = self.forces(there)
            missing = new_force - inertia * du
            if np.abs(missing).max() <= target:
                return _Step(there, solution, True, overshoot)
            if not np.isfinite(missing).all():
                break
            jacobian = self.linear(there).jacobian
        return _Step(q, SOLUTIONS_PER_STEP, False, 4.0)

    def settle(self, q: FloatArray) -> FloatArray:
        """Positions after damped motion: leapfrog, with the velocities set to zero whenever kinetic energy peaks."""
        _, force = self.renew(q)
        velocity = np.zeros(self.free.size)
        energy, h = 0.0, 0.0
        for step in range(SETTLING_STEPS):
            if step % SETTLING_REFRESH == 0:
                full = acceleration_jacobian(self.system, self.t, self.state(q), self.difference_step)
                rows = abs(full).sum(axis=1)[self.free]
                # Gershgorin bounds the frequency; leapfrog is stable below h omega = 2.
                h = 1.0 / np.sqrt(float((rows / self.mass).max()) or 1.0)
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
                velocity[:], energy, h = 0.0, 0.0, 0.5 * h
                continue
            q, force = there, new_force
            if new_energy < energy:
                velocity[:] = 0.0
            energy = new_energy if new_energy >= energy else 0.0
        return q
