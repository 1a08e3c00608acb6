"""Event-driven integration: smooth motion between contact changes, each of which is located in time.

Between two changes closed contacts are constraints (Pfeiffer, Fritz & Srnik 1997, Eq. 5) in the normal direction and,
if they stick, in the tangential direction as well. The integration uses Dormand-Prince of order 8 (Hairer, Norsett &
Wanner 1993). Quantities that must not become negative are monitored on its dense output:

    g_N of open contacts, lambda_N of closed contacts, sgn(g_T') g_T' and the inverse inertia (Painleve) of sliding
    contacts, and mu0 lambda_N - |lambda_T| of sticking contacts.

At a change an impact (Eq. 10 to 12) and the problem of Eq. 8 determine the subsequent motion. A contact that would
bounce infinitely often (Zeno) is closed when it separates more slowly than ``rest_speed``. An evaluation takes a few
tenths of a millisecond for up to about twenty contacts. Changes that begin and end within a fifth of a step are not
detected.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.contract.states import FloatArray, IntArray
from chaindrive.contract.status import Status
from chaindrive.contract.unilateral import UnilateralSystem
from chaindrive.errors import InputError, Problem
from chaindrive.solvers.complementarity.contacts import FORMS
from chaindrive.solvers.complementarity.outcome import Outcome
from chaindrive.solvers.nonsmooth.accelerations import jamming_contacts, pressed_inertia, reactions
from chaindrive.solvers.nonsmooth.endings import NOT_SOLVED, PAINLEVE, TOO_MANY_EVENTS
from chaindrive.solvers.nonsmooth.impacts import LAWS, impact
from chaindrive.solvers.nonsmooth.instant import Instant

__all__ = ["Event", "EventDriven", "Motion"]

LOOKS = 5
"""Number of instants in a step at which contacts are checked for changes."""
FLIGHT = 0.9
"""Largest step at the start of a bounce, as a fraction of the time of flight; it ensures that the bounce is not
skipped. [-]"""
INSTANT = 1e-15
"""Accuracy with which a change is located [s]; for times above 1 s it is relative to the time."""
MOST_AT_ONCE = 100
"""A run ends after this number of changes without progress in time."""
NEARLY_JAMS = 0.1
"""A failed step counts as a jam if the inverse inertia of a sliding contact is below this fraction of its value without
friction. [-]"""
RANK = 1e-12
"""Singular values below this fraction of the largest singular value indicate redundant contacts. [-]"""
FORCE_TOLERANCE = 1e-9
"""A force may be negative by up to this fraction of the largest force without counting as a change of sign. [-]"""


class Event(NamedTuple):
    """A contact change."""

    time: float
    """[s]"""
    kind: str
    """Kind of change: "impact", "opens", "sticks" or "slips"."""
    contacts: tuple[str, ...]
    energy: float = 0.0
    """Energy supplied by the contacts in an impact; see ``impacts.Impact``. [J]"""
    law: str = ""
    """Law that was used for an impact; see ``impacts.Impact``."""


class Motion(NamedTuple):
    """Result of an event-driven integration."""

    time: FloatArray
    """Those of the requested instants that were reached, (rows,). [s]"""
    position: FloatArray
    """(rows, f)"""
    velocity: FloatArray
    """(rows, f); after an impact at this instant"""
    events: tuple[Event, ...]
    status: Status
    end: float
    """[s]"""


class _Ended(Exception):
    """Carries the status with which an integration ends."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.name)
        self.status = status


class EventDriven:
    """Integrates a system from one contact change to the next.

    rtol, atol: relative and absolute tolerances of the method (SI units); law: law of impacts, one of ``impacts.LAWS``;
    form: form of the problem at the level of accelerations, one of ``complementarity.FORMS``; rest_speed: a contact
    that separates more slowly than this stays closed [m/s]; gap_tolerance: contacts with smaller gaps belong to the
    same impact [m]; slip_tolerance: contacts that slide more slowly than this stick [m/s].

    Raises an InputError that lists everything that is not allowed.
    """

    def __init__(
        self,
        system: UnilateralSystem,
        *,
        rtol: float = 1e-9,
        atol: float = 1e-11,
        law: str = "newton",
        form: str = "compact",
        rest_speed: float = 1e-5,
        gap_tolerance: float = 1e-9,
        slip_tolerance: float = 1e-9,
    ) -> None:
        numbers = {
            "rtol": rtol,
            "atol": atol,
            "rest_speed": rest_speed,
            "gap_tolerance": gap_tolerance,
            "slip_tolerance": slip_tolerance,
        }
        problems = [
            Problem(name, "Must be above 0 and below 1.", f"{value:g}")
            for name, value in numbers.items()
            if not 0.0 < value < 1.0
        ]
        if law not in LAWS:
            problems.append(Problem("law", f"Must be one of {', '.join(LAWS)}.", repr(law)))
        if form not in FORMS:
            problems.append(Problem("form", f"Must be one of {', '.join(FORMS)}.", repr(form)))
        if problems:
            raise InputError(problems)
        self._system, self._law, self._form = system, law, form
        self._rtol, self._atol = rtol, atol
        self._rest, self._gap, self._slip = rest_speed, gap_tolerance, slip_tolerance
        self._instant = Instant(system)
        self._closed: IntArray = np.zeros(0, np.int64)
        self._sliding = np.zeros(system.contacts)
        self._events: list[Event] = []
        self._reached = 0.0

    def run(self, position: ArrayLike, velocity: ArrayLike, times: ArrayLike, most_events: int = 10_000) -> Motion:
        """Integrate from the first of ``times`` (rows,) [s] to the last, with a row at each of them.

        position, velocity (f,). An impact occurs at the start if closed contacts approach there. Raises InputError if
        the arguments do not match the system.
        """
        start, wanted = self._start(position, velocity, times)
        rows: list[FloatArray] = []
        self._events, t, y = [], float(wanted[0]), start
        self._reached = t
        status = Status.REACHED_END
        try:
            y = self._settled(t, self._after_impact(t, y, starting=True))
            at_once = 0
            while t < wanted[-1]:
                begun = t
                t, y = self._until_event(t, y, wanted, rows)
                at_once = at_once + 1 if t <= begun else 0
                self._reached = t
                if len(self._events) > most_events or at_once > MOST_AT_ONCE:
                    raise _Ended(TOO_MANY_EVENTS)
            rows.append(y)
        except _Ended as ended:
            status, t = ended.status, self._reached
        found = np.array(rows).reshape(len(rows), start.size)
        f = self._system.velocities
        return Motion(wanted[: len(rows)], found[:, :f], found[:, f:], tuple(self._events), status, t)

    def _start(self, position: ArrayLike, velocity: ArrayLike, times: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return the checked state and instants."""
        q, u, wanted = (np.asarray(values, dtype=float) for values in (position, velocity, times))
        f = self._system.velocities
        problems = [
            Problem(name, f"Must be {f} finite numbers.", str(values))
            for name, values in (("position", q), ("velocity", u))
            if values.shape != (f,) or not np.isfinite(values).all()
        ]
        if wanted.ndim != 1 or wanted.size < 2 or not (np.diff(wanted) > 0.0).all():
            problems.append(Problem("times", "Must be at least two increasing instants.", str(wanted)))
        if problems:
            raise InputError(problems)
        return np.concatenate([q, u]), wanted

    # Smooth motion

    def _at(self, t: float, y: FloatArray) -> FloatArray:
        """Evaluate a state and return its velocity. The run ends if a force is not a finite number."""
        f = self._system.velocities
        self._instant.at(t, y[:f], y[f:])
        if not (np.isfinite(self._instant.state.force).all() and np.isfinite(self._instant.gap).all()):
            raise _Ended(Status.NOT_A_NUMBER)
        return y[f:]

    def _sticks(self) -> NDArray[np.bool_]:
        """Whether each of the closed contacts sticks, (k,)."""
        return (self._sliding[self._closed] == 0.0) & (self._system.laws.static_friction[self._closed] > 0.0)

    def _constrained(self) -> tuple[FloatArray, FloatArray, float]:
        """Return the acceleration (f,), the contact forces (2n,), and the smallest inverse inertia of closed contacts
        with sliding friction, relative to its value in G without friction.
        """
        instant, closed, k = self._instant, self._closed, self._closed.size
        free = instant.free()
        if k == 0:
            return free, np.zeros(2 * self._system.contacts), 1.0
        rows = instant.rows(closed)
        inertia = instant.inverse_inertia(rows)
        sliding, friction = self._sliding[closed], self._system.laws.friction[closed]
        stick = k + np.flatnonzero(self._sticks())
        pressed = pressed_inertia(inertia, friction, sliding)
        held = np.concatenate([np.arange(k), stick])
        matrix = np.hstack([pressed, inertia[:, stick]])[held]
        forces = _solved(matrix, -instant.acceleration(free)[rows][held])
        both = np.zeros(2 * k)
        both[:k] = forces[:k]
        both[k:] = -friction * sliding * forces[:k]
        both[stick] = forces[k:]
        force = instant.scattered(rows, both)
        least = float((np.diag(pressed[:k]) / np.diag(inertia)[:k]).min())
        return free + instant.response(force), force, least

    def _derivative(self, t: float, y: FloatArray) -> FloatArray:
        velocity = self._at(t, y)
        return np.concatenate([velocity, self._constrained()[0]])

    def _margins(self, t: float, y: FloatArray) -> tuple[FloatArray, list[tuple[str, int]]]:
        """Return the quantities that must not become negative, and for each of them the contact change that occurs when
        it becomes negative.
        """
        velocity, n = self._at(t, y), self._system.contacts
        speed, gap = self._instant.speed(velocity), self._instant.gap.copy()
        _, force, least = self._constrained()
        small = FORCE_TOLERANCE * np.abs(force).max(initial=0.0)
        values, meaning = [least], [("jams", -1)]
        for i in range(n):
            if i not in self._closed:
                values.append(gap[i] if speed[i] < 0.0 else max(gap[i], 0.0))
                meaning.append(("impact", i))
                continue
            values.append(force[i] + small)
            meaning.append(("opens", i))
            if self._system.laws.static_friction[i] == 0.0:
                continue
            if self._sliding[i] != 0.0:
                values.append(self._sliding[i] * speed[n + i] + self._slip)
                meaning.append(("sticks", i))
            else:
                values.append(self._system.laws.static_friction[i] * force[i] - abs(force[n + i]) + small)
                meaning.append(("slips", i))
        return np.array(values), meaning

    def _until_event(
        self, t: float, y: FloatArray, wanted: FloatArray, rows: list[FloatArray]
    ) -> tuple[float, FloatArray]:
        """Integrate to the next contact change or to the end, and apply the change; return the time and the state."""
        from scipy.integrate import DOP853

        bound = min(float(wanted[-1]), t + self._flight(t, y))
        method = DOP853(self._derivative, t, y, bound, rtol=self._rtol, atol=self._atol)
        while method.status == "running":
            method.step()
            self._reached = method.t
            if method.status == "failed":  # before a jam the force grows without bound
                self._at(method.t, method.y)
                raise self._jam() if self._constrained()[2] < NEARLY_JAMS else _Ended(Status.STEP_TOO_SMALL)
            course = method.dense_output()
            at = self._first_event(course, method.t_old, method.t)
            now = method.t if at is None else at[0]
            while len(rows) < wanted.size and wanted[len(rows)] < now:
                rows.append(course(wanted[len(rows)]))
            if at is not None:
                return now, self._changed(now, course(now), at[1])
            if self._drifted(method.t, method.y):
                return method.t, self._held(method.t, method.y)
        return method.t, method.y

    def _first_event(self, course: Callable[[float], FloatArray], begin: float, end: float) -> tuple[float, int] | None:
        """Return the time at which the first of the margins becomes negative (just after its change of sign), and the
        index of this margin; None if no margin does.
        """

        def margin(t: float, j: int) -> float:
            return float(self._margins(t, course(t))[0][j])

        before, last = begin, self._margins(begin, course(begin))[0]
        for now in np.linspace(begin, end, LOOKS + 1)[1:]:
            values = self._margins(now, course(now))[0]
            found = [
                (_crossing(margin, before, float(now), j) if last[j] > 0.0 else before, j)
                for j in map(int, np.flatnonzero(values < 0.0))
            ]
            if found:
                return min(found)
            before, last = float(now), values
        return None

    def _flight(self, t: float, y: FloatArray) -> float:
        """Return the longest next step, which is shorter than the time of flight of bounces that have just begun.
        [s]
        """
        velocity = self._at(t, y)
        rate, _, _ = self._constrained()
        n = self._system.contacts
        speed, curve = self._instant.speed(velocity)[:n], self._instant.acceleration(rate)[:n]
        starts = (self._instant.gap <= self._gap) & (speed > 0.0) & (curve < 0.0)
        starts[self._closed] = False
        return FLIGHT * float((-2.0 * speed[starts] / curve[starts]).min(initial=math.inf))

    def _drifted(self, t: float, y: FloatArray) -> bool:
        """Whether closed contacts have drifted open or into each other due to the error of the method."""
        self._at(t, y)
        return bool((np.abs(self._instant.gap[self._closed]) > 0.1 * self._gap).any())

    # Changes

    def _changed(self, t: float, y: FloatArray, crossed: int) -> FloatArray:
        """Return the state after a contact change. crossed: index of the margin that became negative."""
        kind, i = self._margins(t, y)[1][crossed]
        if kind == "jams":
            raise self._jam()
        if kind == "impact":
            y = self._after_impact(t, y)
        else:
            if kind == "opens":
                self._closed = self._closed[self._closed != i]
            elif kind == "sticks":
                self._sliding[i] = 0.0
            else:
                _, force, _ = self._constrained()
                self._sliding[i] = -np.sign(force[self._system.contacts + i])
            self._events.append(Event(t, kind, (self._system.names[i],)))
        return self._settled(t, self._held(t, y))

    def _after_impact(self, t: float, y: FloatArray, starting: bool = False) -> FloatArray:
        """Return the state after an impact of all contacts that touch, and record which of them stay closed."""
        velocity, n, laws = self._at(t, y), self._system.contacts, self._system.laws
        touching = np.flatnonzero(self._instant.gap <= self._gap)
        rows, k = self._instant.rows(touching), touching.size
        speed = self._instant.speed(velocity)[rows]
        if k and speed[:k].min() < (-self._slip if starting else 0.0):
            inertia = self._instant.inverse_inertia(rows)
            found = impact(inertia, speed, laws.friction[touching], laws.restitution[touching], self._law)
            if found.outcome is not Outcome.SOLVED:
                raise _Ended(self._named(NOT_SOLVED, touching))
            velocity = velocity + self._instant.response(self._instant.scattered(rows, found.impulse))
            names = tuple(self._system.names[i] for i in touching[found.impulse[:k] > 0.0])
            self._events.append(Event(t, "impact", names, found.energy, found.law))
        speed = self._instant.speed(velocity)
        self._closed = touching[np.abs(speed[touching]) <= self._rest]
        slip = speed[n:]
        self._sliding = np.where(np.abs(slip) <= self._slip, 0.0, np.sign(slip))
        return self._held(t, np.concatenate([y[: velocity.size], velocity]))

    def _settled(self, t: float, y: FloatArray) -> FloatArray:
        """Return the state after an event, and record which contacts stay closed and which slide. The run ends if a
        contact jams.
        """
        self._at(t, y)
        self._look_for_jams()
        closed, k = self._closed, self._closed.size
        found = reactions(self._instant, self._system.laws, closed, self._sliding[closed], self._form)
        if found.outcome is not Outcome.SOLVED:
            raise _Ended(self._named(NOT_SOLVED, closed))
        small = FORCE_TOLERANCE * np.abs(found.motion).max(initial=0.0)
        self._sliding[closed] = found.sliding
        self._closed = closed[(found.force[closed] > 0.0) | (found.motion[:k] <= small)]
        self._look_for_jams()
        return y

    def _look_for_jams(self) -> None:
        """End the run if sliding contacts are in a Painleve configuration."""
        inertia = self._instant.inverse_inertia(self._instant.rows(self._closed))
        jamming = jamming_contacts(inertia, self._system.laws.friction[self._closed], self._sliding[self._closed])
        if jamming:
            raise _Ended(self._named(PAINLEVE, self._closed[list(jamming)]))

    def _held(self, t: float, y: FloatArray) -> FloatArray:
        """Return the nearest state in which closed contacts have neither a gap nor a normal speed, and sticking
        contacts do not slip.
        """
        velocity, n, f = self._at(t, y), self._system.contacts, self._system.velocities
        if self._closed.size == 0:
            return y
        stick = self._closed[self._sticks()]
        rows = np.concatenate([self._closed, n + stick])
        inertia = self._instant.inverse_inertia(rows)
        gap = np.concatenate([self._instant.gap[self._closed], np.zeros(stick.size)])
        moved = self._instant.response(self._instant.scattered(rows, _solved(inertia, -gap)))
        speed = self._instant.speed(velocity)[rows]
        slowed = self._instant.response(self._instant.scattered(rows, _solved(inertia, -speed)))
        return np.concatenate([y[:f] + moved, velocity + slowed])

    def _jam(self) -> _Ended:
        """Return the ending for sliding contacts that jam."""
        sliding = self._closed[self._sliding[self._closed] != 0.0]
        return _Ended(self._named(PAINLEVE, sliding))

    def _named(self, status: Status, contacts: IntArray) -> Status:
        """Return the status with the names of contacts."""
        return Status(
            status.name,
            status.code,
            status.meaning,
            status.advice,
            where=", ".join(f"contact '{self._system.names[i]}'" for i in contacts),
        )


def _crossing(margin: Callable[[float, int], float], before: float, after: float, j: int) -> float:
    """Return the instant at which margin j becomes negative between two instants, just after the change of sign."""
    from scipy.optimize import brentq

    at = float(brentq(margin, before, after, args=(j,), xtol=INSTANT, rtol=INSTANT))
    while margin(at, j) >= 0.0 and at < after:
        at = min(at + max(INSTANT, 2.0 * np.spacing(at)), after)
    return at


def _solved(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """Return the solution of the equations; the smallest solution if contacts are redundant."""
    return np.asarray(np.linalg.lstsq(matrix, right, rcond=RANK)[0], dtype=np.float64)
