"""Time stepping: steps of constant length, regardless of when contacts close and open."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from chaindrive.contract.states import FloatArray
from chaindrive.contract.status import Status
from chaindrive.contract.unilateral import ContactKernels, UnilateralSystem
from chaindrive.errors import InputError, Problem
from chaindrive.solvers.complementarity.contacts import solve_lcp
from chaindrive.solvers.complementarity.outcome import Outcome
from chaindrive.solvers.nonsmooth.endings import NOT_SOLVED
from chaindrive.solvers.nonsmooth.impulses import TOUCHING, StepWork, step_work
from chaindrive.solvers.nonsmooth.instant import Instant
from chaindrive.solvers.nonsmooth.moreau_jean import moreau_jean
from chaindrive.solvers.nonsmooth.second_order import STILL, AlphaWork, alpha_work, nonsmooth_alpha

__all__ = ["TIME_STEPPING", "Steps", "TimeStepping"]

TIME_STEPPING = ("moreau-jean", "generalized-alpha")


class Steps(NamedTuple):
    """Rows of a run with time stepping."""

    time: FloatArray
    """(rows,) [s]"""
    position: FloatArray
    """(rows, f)"""
    velocity: FloatArray
    """(rows, f)"""
    force: FloatArray
    """Mean contact forces, including impacts, over the step that ends at each row, (rows, 2n); zero in the first row.
    [N]"""
    status: Status
    penetration: float
    """Largest penetration. [m]"""
    without_restitution: int
    """Number of impact problems that had no solution with Newton's law."""


@functools.cache
def _step(method: str, kernels: ContactKernels) -> Callable[..., int]:
    """Return the compiled step of a method around the kernels of a system; it is made once per process."""
    return moreau_jean(kernels) if method == "moreau-jean" else nonsmooth_alpha(kernels)


class TimeStepping:
    """Integrates a system with steps of constant length.

    method: a name in TIME_STEPPING; step: h [s]; theta: parameter of Moreau-Jean, with 1/2 for Moreau's midpoint;
    spectral_radius: spectral radius at infinity of generalized alpha, from 0 (most damping) to 1 (no damping);
    project_positions: whether penetrating bodies are separated after each step.

    Raises an InputError that lists everything that is not allowed.
    """

    def __init__(
        self,
        system: UnilateralSystem,
        method: str = "moreau-jean",
        *,
        step: float,
        theta: float = 0.5,
        spectral_radius: float = 0.8,
        project_positions: bool = False,
    ) -> None:
        problems = []
        if method not in TIME_STEPPING:
            problems.append(Problem("method", f"Must be one of {', '.join(TIME_STEPPING)}.", repr(method)))
        if not 0.0 < step < math.inf:
            problems.append(Problem("step", "Must be a time above 0. [s]", f"{step:g}"))
        if not 0.5 <= theta <= 1.0:
            problems.append(
                Problem("theta", "Must be between 0.5 (midpoint) and 1; below 0.5 the energy grows.", f"{theta:g}")
            )
        if not 0.0 <= spectral_radius <= 1.0:
            problems.append(Problem("spectral_radius", "Must be between 0 and 1.", f"{spectral_radius:g}"))
        if problems:
            raise InputError(problems)
        self._system, self._method, self._h, self._theta = system, method, step, theta
        self._radius, self._projects = spectral_radius, project_positions
        self._take = _step(method, system.kernels)

    def run(self, position: ArrayLike, velocity: ArrayLike, until: float, every: int = 1) -> Steps:
        """Integrate from t = 0 to the end of the first step that ends at ``until`` [s] or later, with a row after every
        ``every`` steps.

        position, velocity (f,). Raises InputError if they do not match the system.
        """
        problems = []
        if not 0.0 <= until < math.inf:
            problems.append(Problem("until", "Must be a time, at least 0. [s]", f"{until:g}"))
        if every < 1:
            problems.append(Problem("every", "Must be a whole number of steps, at least 1.", str(every)))
        if problems:
            raise InputError(problems)
        q, u = _state(self._system, position, velocity)
        w, g, h = step_work(self._system), alpha_work(self._system, self._radius), self._h
        _close(self._system, q, u, w, g)
        steps = math.ceil(until / h - 1e-9)
        rows = [(0.0, q.copy(), u.copy(), w.impulse.copy())]
        outcome, status = Outcome.SOLVED, Status.REACHED_END
        for k in range(steps):
            if self._method == "moreau-jean":
                outcome = Outcome(self._take(k * h, h, self._theta, q, u, w, self._system.parameters))
            else:
                outcome = Outcome(self._take(k * h, h, q, u, w, g, self._system.parameters))
            if not np.isfinite(u).all():
                status = Status.NOT_A_NUMBER
            elif outcome is not Outcome.SOLVED:
                status = NOT_SOLVED
            elif self._projects:
                push_out(self._system, (k + 1) * h, q, u)
            if status is not Status.REACHED_END or (k + 1) % every == 0 or k + 1 == steps:
                rows.append(((k + 1) * h, q.copy(), u.copy(), w.impulse / h))
            if status is not Status.REACHED_END:
                break
        time, positions, velocities, forces = (np.array(column) for column in zip(*rows, strict=True))
        return Steps(time, positions, velocities, forces, status, float(w.penetration[0]), int(w.counts[3]))


def _state(system: UnilateralSystem, position: ArrayLike, velocity: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return checked copies of the start values."""
    found = np.array(position, dtype=float), np.array(velocity, dtype=float)
    problems = [
        Problem(name, f"Must be {system.velocities} finite numbers.", str(values))
        for name, values in zip(("position", "velocity"), found, strict=True)
        if values.shape != (system.velocities,) or not np.isfinite(values).all()
    ]
    if problems:
        raise InputError(problems)
    return found


def _close(system: UnilateralSystem, q: FloatArray, u: FloatArray, w: StepWork, g: AlphaWork) -> None:
    """Record which contacts are closed at the start and how they slide, for generalized alpha."""
    instant = Instant(system)
    instant.at(0.0, q, u)
    normal, slip = np.split(instant.speed(u), 2)
    g.closed[:] = (instant.gap <= TOUCHING) & (np.abs(normal) <= STILL)
    w.sliding[g.closed == 1] = np.sign(slip[g.closed == 1])


def push_out(system: UnilateralSystem, t: float, q: FloatArray, u: FloatArray) -> None:
    """Remove penetration by moving the positions, in place, by M^-1 W_N nu with 0 <= nu _|_ g_N >= 0 (linearised)."""
    instant = Instant(system)
    instant.at(t, q, u)
    touching = np.flatnonzero(instant.gap < 0.0)
    if touching.size:
        found = solve_lcp(instant.inverse_inertia(touching), instant.gap[touching])
        q += instant.response(instant.scattered(touching, found.x))
