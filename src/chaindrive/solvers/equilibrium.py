"""Static equilibrium: the positions at which a system rests. This module depends on the contract only.

The search uses proximal steps (Rockafellar, SIAM J. Control Optim. 14, 1976). For forces with a potential they are
implicit Euler steps of a viscous motion with damping proportional to mass, as in the pseudo-transient continuation of
Kelley & Keyes, SIAM J. Numer. Anal. 35, 1998:

    s D (q' - q) = F(q'),    solved by Newton's method with (s D + K) dw = F(w) - s D (w - q),    K = -dF/dq.

With a large shift s, rollers that float in their clearance can fall, slack chains can sag and free wheels can turn,
although K is singular there; with s -> 0 a step is Newton's method for the equilibrium itself. The equation is solved
by iteration rather than linearised once, because contacts that close within a step and links that turn on arcs would
otherwise require tiny steps. A line search shortens every Newton step until the force along the step does not change
its sign. The energy then decreases, although it is never computed. The shift grows when a step fails or overshoots, and
shrinks when it converges easily.

If this fails, other methods are tried, each from the best position so far: continuation with contacts, and then with
links, that are soft at first and are made stiffer step by step; and finally dynamic settling with kinetic damping
(Cundall 1976; Otter, Cassell & Hobbs, Proc. ICE 35, 1966).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.solvers.rest import FloatArray, Rest, rest_of

__all__ = ["Equilibrium", "Search", "equilibrium"]

SMALLEST_TOLERANCE = 1e-6  # N
SMALLEST_SHIFT = 1e-13  # of the largest stiffness over mass
SOLUTIONS_PER_STEP = 40
INEXACT = 0.4  # residual allowed after a step, relative to that before it
TURNED_OVER = 30.0  # a step overshot if the force along it is reversed and this many times as large as before
LINE_TRIALS = 6
POLISHING = 6  # further Newton steps once within the tolerance, as long as each halves the residual, and further steps
POLISHED = 0.01  # of the tolerance: residual at which there are no further steps
SOFTENING = {"softened contacts": ((1.0, 1e-3),), "softened links": ((0.1, 1e-4), (0.01, 1e-5))}
"""Stiffness of links and contacts at which the continuations begin, relative to the true stiffness. [-]"""
WAYS = ("newton", "softened contacts", "softened links", "settling")
"""Methods of a search for equilibrium, in the order in which they are tried."""
HARDENING = 10.0
EASY = 0.02  # of the scale: residual at which a softened system is hardened
SETTLING_ROUNDS = 4
SETTLING_STEPS = 3000
SETTLING_REFRESH = 100
REPORT_EVERY = 0.2  # s


class Search(NamedTuple):
    """Progress of a search for equilibrium."""

    method: str
    """Name of the method that is being tried."""
    iterations: int
    """Linear systems solved."""
    residual: float
    """Largest residual force at the current position. [N]"""
    best: float
    """Smallest value of ``residual`` so far. [N]"""
    elapsed: float
    """[s]"""


class Equilibrium(NamedTuple):
    """The equilibrium position of a system, and its accuracy."""

    state: FloatArray
    """Best positions found, with zero velocities and the other states as at the start, shape (n_q + n_v + n_w,)."""
    residual: float
    """Largest residual force in this state; moments are divided by a lever arm. [N]"""
    iterations: int
    """Linear systems solved."""
    converged: bool
    """Whether the residual is within the tolerance."""
    method: str
    """Method that found this state: "newton", "softened contacts", "softened links", "settling"."""
    tolerance: float
    """The tolerance that was requested, or the smallest one that the rounding of positions permits. [N]"""
    status: Status
    """RUNNING, or why the formulation rejected the last state that was tried (chain jumped a tooth, ...)."""
    history: tuple[float, ...]
    """Residual at the start and after every step of the last attempt. [N]"""
    worst: int
    """Index of the position with the largest residual force."""
    exhausted: bool = False
    """Whether the search ended because it reached the limit of its effort, rather than because all methods had been
    tried."""


def equilibrium(
    system: System,
    *,
    tolerance: float | None = None,
    max_iterations: int = 4000,
    t: float = 0.0,
    largest_step: float | None = None,
    velocities: FloatArray | None = None,
    ways: tuple[str, ...] = WAYS,
    effort: float = math.inf,
    progress: Callable[[Search], None] | None = None,
) -> Equilibrium:
    """Find the positions at which all forces vanish, starting from ``system.state``; prescribed positions are
    unchanged.

    tolerance: largest residual force [N]; None: 1e-6, or twice the unavoidable effect of rounding of the positions (1
    ulp of 5 m times 8e8 N/m is already 7e-7 N). max_iterations: largest number of linear systems that each method may
    solve. t: instant of the prescribed motions [s]. largest_step: largest displacement in one step [m]; None:
    determined by the formulation from nearby surfaces or, failing that, a fiftieth of (size of the system / number of
    positions). velocities (n_v,): velocities at which forces are evaluated, by default zero. ways: methods from
    ``WAYS`` that may be tried, in this order. effort: limit of the entire search, as the number of linear systems times
    the number of unknowns, where a step of settling counts as one linear system; with this limit the result does not
    depend on how fast or busy the computer is. progress: called a few times per second.

    Memory is updated with ``begin`` after every step, as if the search started there: contact candidates stay current,
    and a run that begins at the result has the memory with which the result is an equilibrium. ``accept`` cannot be
    used for this, because its searches are triggered by the passage of time, and time does not advance here. If no
    equilibrium is found, no error is raised (see ``converged``), and the memory is that of the best position. Raises
    ValueError if all motions are prescribed.
    """
    rest = rest_of(system, t, largest_step, velocities)
    rest.compile()
    clock = _Clock(effort / rest.mass.size, progress)
    search = _Descent(rest, tolerance, max_iterations, clock)
    best = search.run("newton", system.state[: system.positions].copy())
    if not best.converged and np.isfinite(best.residual):
        for attempt in _other_ways(system, t, search, clock, ways):
            if clock.over:
                break
            found = attempt(best.q)
            best = min(best, found, key=lambda each: (not each.converged, each.residual))
            if best.converged:
                break
    status, force = search.rest.renew(best.q)
    worst = int(np.abs(force / search.rest.lever).argmax())
    last = best.status if status == Status.RUNNING else status
    return Equilibrium(
        search.rest.state(best.q),
        best.residual,
        clock.iterations,
        best.converged,
        best.method,
        best.tolerance,
        Status.RUNNING if best.converged else last,
        best.history,
        worst,
        clock.over and not best.converged,
    )


class _Found(NamedTuple):
    q: FloatArray
    residual: float
    converged: bool
    method: str
    tolerance: float
    status: Status
    history: tuple[float, ...]


class _Step(NamedTuple):
    q: FloatArray
    solutions: int
    arrived: bool
    overshoot: float
    """Displacement divided by the largest displacement allowed; if the step has not converged, the factor by which the
    shift should be increased."""


class _Clock:
    """Counts the iterations of a search and reports its progress; limit: largest number of iterations and steps of
    settling.
    """

    def __init__(self, limit: float, progress: Callable[[Search], None] | None) -> None:
        self._limit, self._progress = limit, progress
        self._begun = self._said = time.monotonic()
        self.iterations = self.settling_steps = 0
        self._best = math.inf

    @property
    def over(self) -> bool:
        """Whether the limit has been exceeded."""
        return self.iterations + self.settling_steps > self._limit

    def tell(self, method: str, residual: float) -> None:
        """Report the progress if some time has passed since the last report."""
        self._best = min(self._best, residual)
        now = time.monotonic()
        if self._progress is not None and now - self._said > REPORT_EVERY:
            self._said = now
            self._progress(Search(method, self.iterations, residual, self._best, now - self._begun))


def _other_ways(
    system: System, t: float, search: _Descent, clock: _Clock, ways: tuple[str, ...]
) -> Iterator[Callable[[FloatArray], _Found]]:
    """Yield the methods to be tried one after the other if the direct method finds no equilibrium; each is called with
    the best position so far.
    """
    start = system.state[: system.positions].copy()
    for way in ways:
        if way in SOFTENING and system.rest.softened is not None:
            for links, contacts in SOFTENING[way]:
                yield partial(_stiffen, system, t, search, clock, way, start, links, contacts)
        elif way == "settling":
            for _ in range(SETTLING_ROUNDS):
                yield lambda q: search.run("settling", search.settle(q))


def _stiffen(
    system: System,
    t: float,
    search: _Descent,
    clock: _Clock,
    way: str,
    q: FloatArray,
    links: float,
    contacts: float,
    _: FloatArray,
) -> _Found:
    """Continue from soft links and contacts to their true stiffness, starting from the positions q."""
    assert system.rest.softened is not None
    easy = EASY * system.force_scale
    while contacts < 1.0 and not clock.over:
        soft = replace(system, parameters=system.rest.softened(links, contacts))
        descent = _Descent(rest_of(soft, t), easy, search.max_iterations // 4, clock)
        q = descent.run(way, q).q
        links, contacts = min(1.0, HARDENING * links), min(1.0, HARDENING * contacts)
    return search.run(way, q)


class _Descent:
    """Search by proximal steps for positions at which the forces on a system at rest vanish."""

    def __init__(self, rest: Rest, tolerance: float | None, max_iterations: int, clock: _Clock) -> None:
        self.rest, self.tolerance, self.max_iterations, self.clock = rest, tolerance, max_iterations, clock

    def run(self, method: str, q: FloatArray) -> _Found:
        """Take proximal steps of growing length until the residual is within the tolerance, and a few more; return the
        best position found.

        A residual within the tolerance at every link can add up along the chain to more than the tension of a slack
        span.
        """
        rest, clock = self.rest, self.clock
        status, force = rest.renew(q)
        refused, shift, failed, closer = status, 0.0, False, 0
        end = clock.iterations + self.max_iterations
        history: list[float] = []
        best = q, math.inf
        while True:
            rest.linearise(q)
            sums = rest.row_sums()
            stiffest = float((sums / rest.mass)[rest.free].max()) or 1.0
            rounding = float((sums / rest.lever)[rest.free].max() * np.finfo(float).eps * np.abs(q).max(initial=0.0))
            allowed = max(SMALLEST_TOLERANCE, 2.0 * rounding) if self.tolerance is None else self.tolerance
            enough = allowed if self.tolerance is None else 2.0 * rounding
            residual = rest.residual(force)
            history.append(residual)
            clock.tell(method, residual)
            if residual < best[1] and not status.failed:
                best = q, residual
            if best[1] <= allowed:
                closer += 1
                best = min(best, self._polish(q, force, residual, 2.0 * rounding), key=lambda each: each[1])
                if best[1] <= max(POLISHED * allowed, enough) or closer > POLISHING:
                    rest.renew(best[0])
                    return _Found(*best, True, method, allowed, Status.RUNNING, tuple(history))
                _, force = rest.renew(q)
                rest.linearise(q)
            arrived = False
            while not arrived:
                if clock.iterations >= end or shift > 1e6 * stiffest or not np.isfinite(residual) or clock.over:
                    rest.renew(best[0])
                    return _Found(*best, best[1] <= allowed, method, allowed, refused, tuple(history))
                shift = max(shift, SMALLEST_SHIFT * stiffest)
                limits = rest.limits()
                step = self._proximal(q, force, shift, limits, max(0.9 * allowed, INEXACT * residual))
                clock.iterations += max(step.solutions, 1)
                arrived = step.arrived
                if arrived:
                    refused, new_force = rest.renew(step.q)
                    arrived = not refused.failed
                if arrived:
                    q, force, status = step.q, new_force, refused
                    smaller = (0.5 if failed else 0.1) if step.solutions <= 4 else 0.5 if step.solutions <= 6 else 1.0
                    shift *= min(max(smaller, step.overshoot), 1.0)  # free motion is proportional to 1 / shift
                    failed = False
                else:
                    failed = True
                    shift = max(shift * min(max(2.0, step.overshoot), 100.0), 1e-12 * stiffest)
                    force = rest.forces(q)  # and the scratch arrays, for the limits

    def _proximal(self, q: FloatArray, force: FloatArray, shift: float, limits: FloatArray, target: float) -> _Step:
        """Solve s D (w - q) = F(w), until the residual is below ``target`` [N]."""
        rest = self.rest
        inertia = shift * rest.weights(limits)
        w, missing = q, force
        for solution in range(1, SOLUTIONS_PER_STEP + 1):
            rest.linearise(w)
            if not rest.factorise(inertia):
                rest.linearise(w, convex=True)
                if not rest.factorise(inertia) and not rest.factorise_restrained(inertia):
                    return _Step(q, solution, False, 10.0)
            step = rest.solve(missing)
            overshoot = float((np.abs(rest.apart(q, rest.moved(w, step))) / limits).max())
            downhill = float(missing @ step)
            if not overshoot <= (1.0 if solution == 1 else 2.0) or not downhill > 0.0:  # too far, not a number, uphill
                return _Step(q, solution, False, overshoot if solution == 1 else 4.0)
            w, missing = self._along(q, w, step, downhill, inertia)
            left = rest.residual(missing)
            if left <= target:
                return _Step(w, solution, True, overshoot)
            if not np.isfinite(left):
                break
        return _Step(q, SOLUTIONS_PER_STEP, False, 4.0)

    def _along(
        self, q: FloatArray, w: FloatArray, step: FloatArray, downhill: float, inertia: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Take the largest fraction of the step from w that does not strongly reverse the force along the step; return
        the new position and the residual there.
        """
        part = 1.0
        for _ in range(LINE_TRIALS):
            there = self.rest.moved(w, part * step)
            missing = self.rest.forces(there) - inertia * self.rest.apart(q, there)
            slope = float(missing @ step)
            if slope >= -TURNED_OVER * downhill:
                break
            wanted = part * downhill / (downhill - slope) if math.isfinite(slope) else 0.0
            part = min(max(wanted, 0.1 * part), 0.6 * part)
        return there, missing

    def _polish(self, q: FloatArray, force: FloatArray, residual: float, enough: float) -> tuple[FloatArray, float]:
        """Take Newton steps without a shift once the tolerance is met, until two consecutive steps have not halved the
        residual; return the best position and its residual.
        """
        rest = self.rest
        tiny = np.where(rest.free, SMALLEST_SHIFT * rest.row_sums(), 1.0)
        best, least, waited = q, residual, 0
        for _ in range(POLISHING):
            if least <= enough or waited == 2:
                break
            rest.linearise(q)
            if not rest.factorise(tiny):
                break
            step = rest.solve(force)
            if not (np.abs(step) <= rest.limits()).all():
                break
            q = rest.moved(q, step)
            self.clock.iterations += 1
            status, force = rest.renew(q)
            left = rest.residual(force)
            if status.failed or not left <= 2.0 * residual:
                break
            waited = 0 if left <= 0.5 * least else waited + 1
            if left < least:
                best, least = q, left
        rest.renew(best)
        return best, least

    def settle(self, q: FloatArray) -> FloatArray:
        """Return the positions after a damped motion, integrated by leapfrog with the velocities set to zero whenever
        the kinetic energy has a peak.
        """
        rest = self.rest
        _, force = rest.renew(q)
        velocity = np.zeros(rest.mass.size)
        energy, h = 0.0, 0.0
        for step in range(SETTLING_STEPS):
            self.clock.settling_steps += 1
            if step % SETTLING_REFRESH == 0:
                if self.clock.over:
                    break
                self.clock.tell("settling", rest.residual(force))
                rest.linearise(q)
                limits = rest.limits()
                # Gershgorin bounds the frequency; leapfrog is stable below h omega = 2.
                h = 1.0 / math.sqrt(float((rest.row_sums() / rest.mass)[rest.free].max()) or 1.0)
            velocity += h * force / rest.mass
            reach = float((h * np.abs(velocity) / limits).max())
            if reach > 1.0:
                velocity /= reach
            there = rest.moved(q, h * velocity)
            new_force = rest.forces(there)
            new_energy = 0.5 * float(rest.mass @ velocity**2)
            status = Status.RUNNING
            if np.isfinite(new_force).all():
                status, new_force = rest.renew(there)
            if status.failed or not np.isfinite(new_force).all():
                velocity[:], energy, h = 0.0, 0.0, 0.5 * h
                force = rest.forces(q)
                continue
            q, force = there, new_force
            if new_energy < energy:
                velocity[:] = 0.0
            energy = new_energy if new_energy >= energy else 0.0
        return q
