"""Torques and loads that add up on a wheel, from what describes them to the arrays of ``term_kernels``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.mechanism import term_kernels as K
from chaindrive.physics.motors import MOST_FLUX, flux_of, kloss_torque

__all__ = ["Course", "Term", "Terms", "initial_states", "kinks_of", "mean_of", "pack", "steepest"]

FloatArray = NDArray[np.float64]
SLIPS = np.concatenate([[0.0], np.geomspace(1e-3, 40.0, 60)])
"""Slip speeds over the critical one at which the curve of an induction motor is looked at for a balance."""
BAND = 1e-9
"""Part of its speed over which a governor passes from its largest to its least torque, in a balance."""


class Course(NamedTuple):
    """When a load acts. [s]"""

    start: float = 0.0
    rise: float = 0.0
    hold: float = math.inf
    fall: float = 0.0
    every: float = math.inf
    pulses: int = 1

    def stops(self) -> list[float]:
        """Instants at which it has a kink or a jump."""
        if math.isinf(self.hold):
            return [self.start, self.start + self.rise]
        at = np.cumsum([0.0, self.rise, self.hold, self.fall])
        begins = self.start + (self.every if self.pulses > 1 else 0.0) * np.arange(self.pulses)
        return [float(x) for x in (begins[:, None] + at).ravel()]


class Term(NamedTuple):
    """A torque or load, as numbers. Values are those on the wheel; what they mean says ``term_kernels``."""

    kind: int
    sense_of: int = K.COUNTERCLOCKWISE
    value: float = 0.0
    numbers: tuple[float, ...] = ()
    """A, B, C, ... of the kind"""
    points: tuple[ArrayLike, ...] = ()
    """(2, n): points and values of a table over time, speed or angle; (3, n): time, frequency and voltage of a supply,
    or order, amplitude and phase of harmonics"""
    gear: float = 1.0
    phase: float = 0.0
    course: Course = Course()
    standstill: float | None = None
    """None: a part of the highest speed of the wheel (``pack``)"""
    has_state: bool = False


class Terms(NamedTuple):
    """The terms of all wheels, packed for the kernels; those of one wheel follow one another."""

    rows: FloatArray
    """(T, COLUMNS)"""
    table: FloatArray
    """(rows, TABLE_COLUMNS)"""
    first: NDArray[np.int64]
    """(W + 1,): where those of each wheel begin, and the last end"""
    stops: FloatArray
    """Instants at which a torque has a kink or a jump. [s]"""

    @property
    def states(self) -> int:
        """How many states they have together."""
        return int((self.rows[:, K.STATE] >= 0.0).sum())


def pack(terms: Sequence[Sequence[Term]], senses: ArrayLike, references: ArrayLike, slow: ArrayLike) -> Terms:
    """Pack the terms of all wheels.

    senses (W,): +1 for a wheel that runs counter-clockwise, -1 for others; references (W,): angles of the wheels at the
    start [rad]; slow (W,): speed scale of what acts against the motion, where it has none of its own [rad/s].
    """
    sense, reference = np.asarray(senses, dtype=np.float64), np.asarray(references, dtype=np.float64)
    standstill = np.asarray(slow, dtype=np.float64)
    first = np.concatenate([[0], np.cumsum([len(each) for each in terms])]).astype(np.int64)
    rows = np.zeros((int(first[-1]), K.COLUMNS))
    tables: list[FloatArray] = []
    stops: set[float] = set()
    used = states = k = 0
    for w, own in enumerate(terms):
        for term in own:
            row, table = rows[k], _table(term)
            row[[K.KIND, K.SENSE_OF, K.RUNNING, K.REFERENCE]] = term.kind, term.sense_of, sense[w], reference[w]
            row[[K.VALUE, K.GEAR, K.WHEEL]] = term.value, term.gear, w
            row[K.STANDSTILL] = term.standstill or standstill[w]
            row[K.START : K.PULSES + 1] = term.course
            row[K.A : K.A + len(term.numbers)] = term.numbers
            if term.kind == K.ORDERS:
                turning = math.copysign(1.0, term.value) if term.value else sense[w]
                table[:, 1] *= turning if term.sense_of == K.COUNTERCLOCKWISE else 1.0
            elif term.kind == K.OVER_ANGLE:
                angles = np.asarray(term.points, dtype=np.float64)[0]
                row[K.PERIOD], row[K.PHASE] = angles[-1] - angles[0], term.phase - angles[0]
            row[K.ROWS], row[K.ROWS_END] = used, used + len(table)
            row[K.STATE] = states if term.has_state else -1.0
            used, states, k = used + len(table), states + term.has_state, k + 1
            tables.append(table)
            stops.update(_stops(term))
    table = np.ascontiguousarray(np.concatenate(tables)) if used else np.zeros((1, K.TABLE_COLUMNS))
    return Terms(rows, table, first, np.array(sorted(s for s in stops if 0.0 < s < math.inf)))


def _stops(term: Term) -> list[float]:
    """Instants at which a term has a kink or a jump. [s]"""
    found = [] if term.course == Course() else term.course.stops()
    if term.kind in (K.OVER_TIME, K.INDUCTION, K.DC) and len(term.points):
        found += [float(t) for t in np.asarray(term.points, dtype=np.float64)[0]]
    return found


def _table(term: Term) -> FloatArray:
    """The rows of the table of a term, see ``term_kernels.TABLE_COLUMNS``."""
    if not len(term.points):
        return np.zeros((0, K.TABLE_COLUMNS))
    points = np.asarray(term.points, dtype=np.float64)
    if term.kind == K.OVER_ANGLE:
        return _monotone(*points)
    rows = np.zeros((points.shape[1], K.TABLE_COLUMNS))
    if term.kind == K.ORDERS:
        rows[:, :3] = points.T
        return rows
    rows[:, 0] = points[0]
    for column, values in enumerate(points[1:]):
        rows[:, 2 * column + 1] = values
        rows[:-1, 2 * column + 2] = np.diff(values) / np.diff(points[0])
    return rows


def _monotone(angles: FloatArray, values: FloatArray) -> FloatArray:
    """Monotone cubics through points that repeat, knots from 0 on: those of three periods, of which one is taken."""
    from scipy.interpolate import PchipInterpolator

    period, knots, own = angles[-1] - angles[0], angles[:-1] - angles[0], values[:-1]
    count = len(knots)
    thrice = np.concatenate([knots - period, knots, knots + period])
    spline = PchipInterpolator(thrice, np.tile(own, 3))
    rows = np.zeros((count, K.TABLE_COLUMNS))
    rows[:, 0], rows[:, 1:5] = knots, spline.c.T[count : 2 * count]
    return rows


# Means and balances ---------------------------------------------------------------------------------------------------


def mean_of(term: Term, speed: float, sense: float) -> float:
    """Torque of a term at a steady speed of its wheel [rad/s], both counter-clockwise. [N m]

    Averaged over the angle; a course in time has its end, a supply is the largest that it gets, a governor holds its
    speed with whatever torque it has.
    sense: +1 for a wheel that runs counter-clockwise, -1 for any other.
    """
    if term.kind == K.INDUCTION or term.kind == K.DC or term.kind == K.GOVERNOR:
        return _mean_of_motor(term, speed)
    if not math.isinf(term.course.hold):
        return 0.0
    value = term.value
    if len(term.points) and term.kind != K.ORDERS:
        x, y = np.asarray(term.points, dtype=np.float64)
        if term.kind == K.OVER_TIME:
            value = float(y[-1])
        elif term.kind == K.OVER_SPEED:
            turning = {K.COUNTERCLOCKWISE: speed, K.AGAINST_SENSE: sense * speed}.get(term.sense_of, abs(speed))
            value = float(np.interp(turning, x, y))
        else:
            value = _mean_of_table(x, y)
    if term.sense_of == K.COUNTERCLOCKWISE:
        return value
    if term.sense_of == K.AGAINST_SENSE:
        return -sense * value
    return -value * (float(np.sign(speed)) or sense)


def _mean_of_table(angles: FloatArray, values: FloatArray) -> float:
    """Mean of the monotone cubics over a period, exactly. [N m]"""
    rows = _monotone(angles, values)
    width = np.diff(np.append(rows[:, 0], angles[-1] - angles[0]))
    cubic, square, linear, constant = rows[:, 1:5].T
    inside = width * (constant + width * (linear / 2.0 + width * (square / 3.0 + width * cubic / 4.0)))
    return float(inside.sum() / (angles[-1] - angles[0]))


def _mean_of_motor(term: Term, speed: float) -> float:
    """Torque at a steady speed with the full supply; of a governor what its limits allow. [N m]"""
    full = _full_supply(term)
    if term.kind == K.INDUCTION:
        synchronous, critical, at_rest, tabulated = term.numbers
        frequency = full[0]
        flux = flux_of(frequency, full[1] if tabulated else -1.0)
        slip_speed = frequency * synchronous - speed
        return float(kloss_torque(slip_speed, flux, term.value, critical, at_rest, abs(synchronous)))
    if term.kind == K.DC:
        return term.value * (full[0] - speed / term.numbers[0])
    wanted, _, integral, least, largest = term.numbers
    sense = math.copysign(1.0, wanted)
    gain = term.numbers[1] if integral == 0.0 else (largest - least) / (BAND * abs(wanted))
    middle = 0.0 if integral == 0.0 else 0.5 * (largest + least)
    return sense * min(max(gain * (abs(wanted) - sense * speed) + middle, least), largest)


def _full_supply(term: Term) -> tuple[float, ...]:
    """Frequency and voltage of a supply, or voltage, over the rated ones, where they are largest; 1 without a table.

    A drive that is stopped or reversed in the end is reckoned with as it runs before.
    """
    if not len(term.points):
        return (1.0, 1.0)
    return max(tuple(float(x) for x in each) for each in np.asarray(term.points, dtype=np.float64)[1:].T)


def kinks_of(term: Term) -> FloatArray:
    """Speeds of the wheel, counter-clockwise, where the mean torque bends, and enough of a curve to see it. [rad/s]"""
    if term.kind == K.OVER_SPEED:
        x = np.asarray(term.points, dtype=np.float64)[0]
        return np.concatenate([-x, x])
    if term.kind == K.INDUCTION:
        frequency = _full_supply(term)[0]
        slips = SLIPS * term.numbers[1]
        return frequency * term.numbers[0] + np.concatenate([-slips, slips])
    if term.kind == K.GOVERNOR:
        wanted, gain, integral, least, largest = term.numbers
        if integral > 0.0:
            return wanted * np.array([1.0 - BAND, 1.0, 1.0 + BAND])
        return np.copysign(np.array([abs(wanted) - limit / gain for limit in (least, largest)]), wanted)
    return np.zeros(0)


def steepest(terms: Sequence[Sequence[Term]], inertias: ArrayLike, slow: ArrayLike) -> FloatArray:
    """How steeply the terms of each wheel may fall with its speed, for the limit of an explicit step, (W,). [N m s/rad]

    A current that follows the voltage within a time constant counts as the damping that would be as fast. inertias
    (W,) [kg m^2]; slow (W,) as of ``pack`` [rad/s].
    """
    found = np.zeros(len(terms))
    for w, own in enumerate(terms):
        for term in own:
            found[w] += _steepest(term, float(np.asarray(inertias)[w]), float(np.asarray(slow)[w]))
    return found


def _steepest(term: Term, inertia: float, slow: float) -> float:
    if term.kind == K.INDUCTION:
        return 2.0 * MOST_FLUX**2 * term.value / term.numbers[1]
    if term.kind == K.DC:
        return inertia / term.numbers[1] if term.has_state else abs(term.value / term.numbers[0])
    if term.kind == K.GOVERNOR:
        return term.numbers[1] + (inertia * term.numbers[2] / term.numbers[1])
    steep, size = 0.0, abs(term.value)
    if len(term.points) and term.kind != K.ORDERS:
        x, y = np.asarray(term.points, dtype=np.float64)
        size = float(np.abs(y).max())
        steep = float(np.abs(np.diff(y) / np.diff(x)).max()) if term.kind == K.OVER_SPEED else 0.0
    elif term.kind == K.ORDERS:
        size += float(np.abs(np.asarray(term.points)[1]).sum())
    return steep + (size / (term.standstill or slow) if term.sense_of == K.AGAINST_MOTION else 0.0)


def initial_states(terms: Sequence[Sequence[Term]], speeds: ArrayLike, needed: ArrayLike, at_speed: bool) -> FloatArray:
    """Where the states of the terms begin: at speed in their balance, at rest without current or integral part.

    speeds (W,): of the wheels at the start, counter-clockwise [rad/s]; needed (W,): torque that a governor on each
    wheel has to give there, counter-clockwise [N m].
    """
    found = []
    for w, own in enumerate(terms):
        for term in own:
            if not term.has_state:
                continue
            if term.kind == K.DC:
                voltage = float(np.asarray(term.points)[1, 0]) if len(term.points) else 1.0
                found.append(voltage - float(np.asarray(speeds)[w]) / term.numbers[0] if at_speed else 0.0)
                continue
            wanted, _, _, least, largest = term.numbers
            torque = math.copysign(1.0, wanted) * float(np.asarray(needed)[w]) if at_speed else 0.0
            found.append(min(max(torque, least), largest) / term.value)
    return np.array(found)
