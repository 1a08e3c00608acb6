"""What loads a wheel: constant, viscous and quadratic torques, one tabulated over the angle, and one with a sign.

    torque against the running sense = T0 + c w + q w |w| + weight(t) T(turned + phase) - sense M

with w and ``turned`` the speed and the angle turned since the start of the run, both counted in the running sense; T is
periodic in one turn, as that of a camshaft. The running sense of a wheel is the one in which the driver turns it
through the chain (``running.running_senses``); it holds for all of a run, also while that turns backwards: T0 and T
keep their direction then, c and q resist the speed that there is. M is counter-clockwise positive whichever way the
drive runs, as the weight on the rope of a winch or the torque of a motor: constant, over time, over the speed, or that
of two pedals over the angle turned. Motors by their data, governors, orders, and loads with a course in time add up to
that (``terms.py``).

Power that loads take is ``output`` in the balance, and so is that of M, but for a motor's (``MOTOR``): that is
``input``, also while the motor brakes.

Columns of the row of a wheel in the ``load`` array are named below; rows of ``load_table`` as in ``motion``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.kernels import kernel
from chaindrive.mechanism.motion import TABLE_COLUMNS, fade, periodic_spline, row_of, table_value
from chaindrive.mechanism.term_kernels import further_torques, torque_of_terms
from chaindrive.mechanism.terms import Term, mean_of

__all__ = [
    "COLUMNS",
    "Load",
    "Loads",
    "applied_torque",
    "driven_by_torques",
    "load_damping",
    "load_torque",
    "mean_torque",
    "pack",
    "shaft_powers",
    "steady_torque",
    "torque_at_rest",
    "torques_of_terms",
]

CONSTANT = 0  # torque of the constant load on the wheel, counter-clockwise positive [N m]
VISCOUS, QUADRATIC = 1, 2  # c [N m s/rad], q [N m s^2/rad^2]
SENSE = 3  # +1 where the wheel runs counter-clockwise, -1 where clockwise
ROWS, ROWS_END = 4, 5  # rows of the table that belong to this wheel; none when they are the same
REFERENCE_ANGLE = 6  # angle of the wheel at the start of the run [rad]
PHASE = 7  # angle of the table there [rad]
START, FADE_IN = 8, 9  # of the tabulated torque [s]
TORQUE = 10  # M where it is constant [N m]
OVER = 11  # what M is tabulated over: CONSTANTLY, OVER_TIME or OVER_SPEED
TORQUE_ROWS, TORQUE_ROWS_END = 12, 13  # rows of that table: time or speed, torque, slope after it, 0, 0, 0
MOTOR = 14  # 1 where the power of M is input, 0 where it is output
RIPPLE, DEAD_CENTRE = (
    15,
    16,
)  # of pedals: M (1 - ripple cos 2 (turned - dead centre)), turned in the sense of M [-, rad]
TERMS, TERMS_END = 17, 18  # of the wheel among what adds up beyond that (terms.py); none when they are the same
JOINED = 19  # torque of shafts that join it to wheels of other chains, counter-clockwise positive; set as a run goes on
TURNED = 20  # 1 where such a shaft turns the wheel, so that its power is input
COLUMNS = 21

CONSTANTLY, OVER_TIME, OVER_SPEED, PEDALS = 0, 1, 2, 3


class Load(NamedTuple):
    """The loads of one wheel, as numbers; positive resists the running sense, but for ``torque``."""

    constant: float = 0.0
    """[N m]"""
    viscous: float = 0.0
    """[N m s/rad]"""
    quadratic: float = 0.0
    """[N m s^2/rad^2]"""
    angles: ArrayLike = ()
    """(n,) over one turn in the running sense, the last 2 pi after the first; empty without a table [rad]"""
    torques: ArrayLike = ()
    """(n,), the last equal to the first; a mean is allowed [N m]"""
    phase: float = 0.0
    """Angle of the table at the start of the run. [rad]"""
    start: float = 0.0
    fade_in: float = 0.0
    """Instant at which the tabulated torque begins to fade in, and how long it takes. [s]"""
    torque: float = 0.0
    """M, counter-clockwise positive, whichever way the wheel runs; of pedals its mean. [N m]"""
    ripple: float = 0.0
    """Of pedals: amplitude of M over its mean. [-]"""
    dead_centre: float = 0.0
    """Of pedals: angle turned since the start, in the sense of M, at which it is least. [rad]"""
    torque_over: int = CONSTANTLY
    """CONSTANTLY or PEDALS, or OVER_TIME or OVER_SPEED: M is then a table, and ``torque`` 0."""
    torque_points: ArrayLike = ()
    """(2, n): increasing times [s] or speeds [rad/s], and M there [N m]; linear between them, constant beyond."""
    motor: bool = False
    """Whether the power of M is input."""
    terms: tuple[Term, ...] = ()
    """What adds up beyond that, see ``terms.py``."""


class Loads(NamedTuple):
    """The loads of all wheels, packed for the kernels."""

    rows: NDArray[np.float64]
    """(W, COLUMNS)"""
    table: NDArray[np.float64]
    """(rows, TABLE_COLUMNS)"""
    stops: NDArray[np.float64]
    """Instants after the start at which a torque has a kink or a jump. [s]"""


@kernel
def applied_torque(t, angle, speed, load, table, w):
    """M on wheel w at time t, angle [rad] and speed [rad/s], counter-clockwise positive; its power is torque x speed.

    load (W, COLUMNS); table (rows, TABLE_COLUMNS). [N m]
    """
    over = load[w, OVER]
    if over == CONSTANTLY:
        return load[w, TORQUE]
    if over == PEDALS:
        turned = math.copysign(1.0, load[w, TORQUE]) * (angle - load[w, REFERENCE_ANGLE])
        return load[w, TORQUE] * (1.0 - load[w, RIPPLE] * math.cos(2.0 * (turned - load[w, DEAD_CENTRE])))
    first, last = int(load[w, TORQUE_ROWS]), int(load[w, TORQUE_ROWS_END]) - 1
    x = t if over == OVER_TIME else speed
    if x <= table[first, 0]:
        return table[first, 1]
    if x >= table[last, 0]:
        return table[last, 1]
    row = row_of(x, table, first, last + 1)
    return table[row, 1] + table[row, 2] * (x - table[row, 0])


@kernel
def load_torque(t, angle, speed, load, table, w):
    """Torque of the loads on wheel w but for M, counter-clockwise positive; it takes -torque x speed as power. [N m]

    t [s]; angle [rad], speed [rad/s] of the wheel, counter-clockwise; load (W, COLUMNS); table (rows, TABLE_COLUMNS).
    """
    torque = load[w, CONSTANT] + load[w, JOINED] - (load[w, VISCOUS] + load[w, QUADRATIC] * abs(speed)) * speed
    first, end = int(load[w, ROWS]), int(load[w, ROWS_END])
    if first == end:
        return torque
    # Without a fade-in the torque acts at its start, too: the static equilibrium of the start then contains it.
    start, fade_in = load[w, START], load[w, FADE_IN]
    weight = 1.0 if t >= start + fade_in else fade(t, start, fade_in)
    if weight == 0.0:
        return torque
    sense = load[w, SENSE]
    turned = sense * (angle - load[w, REFERENCE_ANGLE])
    return torque - sense * weight * table_value(turned + load[w, PHASE], table, first, end)


@kernel(inline=True)
def shaft_powers(torque, applied, speed, load, w):
    """Power that loads and M put into the drive at wheel w, and take out of it: the parts of input and output. [W]

    torque: of the loads but for M, applied: M [N m], both counter-clockwise positive; speed of the wheel [rad/s].
    """
    driving = load[w, JOINED] if load[w, TURNED] > 0.0 else 0.0
    if load[w, MOTOR] > 0.0:
        return (driving + applied) * speed, (driving - torque) * speed
    return driving * speed, (driving - torque - applied) * speed


@kernel(inner=True)
def _no_torques(t, angle, speed, y, dy, first_state, p, w):
    return 0.0, 0.0


@kernel(inner=True, without=("term", _no_torques))
def torques_of_terms(t, angle, speed, y, dy, first_state, p, w):
    """Torque of the loads, and of torques that drive, among the terms of wheel w of a drive with parameters p. [N m]

    See ``further_torques``.
    """
    first, end = int(p.load[w, TERMS]), int(p.load[w, TERMS_END])
    return further_torques(t, angle, speed, y, dy, first_state, first, end, p.term, p.term_table)


@kernel(inner=True)
def _no_torque(t, angle, y, first_state, p, w):
    return 0.0


@kernel(inner=True, without=("term", _no_torque))
def torque_at_rest(t, angle, y, first_state, p, w):
    """Sum of the terms of wheel w at standstill, counter-clockwise; changes nothing. [N m]"""
    first, end = int(p.load[w, TERMS]), int(p.load[w, TERMS_END])
    return torque_of_terms(t, angle, 0.0, y, first_state, first, end, p.term, p.term_table)


def pack(loads: Sequence[Load], senses: ArrayLike, reference_angles: ArrayLike) -> Loads:
    """Pack the loads of all wheels.

    senses (W,): +1 for a wheel that runs counter-clockwise, -1 for the others; reference_angles (W,): angles of the
    wheels at the start of the run [rad].
    """
    sense, reference = np.asarray(senses, dtype=np.float64), np.asarray(reference_angles, dtype=np.float64)
    rows = np.zeros((len(loads), COLUMNS))
    tables: list[NDArray[np.float64]] = []
    stops: set[float] = set()
    used = 0
    for w, load in enumerate(loads):
        rows[w, CONSTANT] = -sense[w] * load.constant
        rows[w, [VISCOUS, QUADRATIC]] = load.viscous, load.quadratic
        rows[w, [SENSE, REFERENCE_ANGLE, PHASE]] = sense[w], reference[w], load.phase
        rows[w, [START, FADE_IN]] = load.start, load.fade_in
        angles, torques = np.asarray(load.angles, dtype=np.float64), np.asarray(load.torques, dtype=np.float64)
        if angles.size:
            tables.append(periodic_spline(angles, torques)[0])
            stops.update((load.start, load.start + load.fade_in))
        rows[w, ROWS], rows[w, ROWS_END] = used, used + (len(tables[-1]) if angles.size else 0)
        used = int(rows[w, ROWS_END])
        rows[w, [TORQUE, OVER, MOTOR]] = load.torque, load.torque_over, load.motor
        rows[w, [RIPPLE, DEAD_CENTRE]] = load.ripple, load.dead_centre
        if load.torque_over in (OVER_TIME, OVER_SPEED):
            tables.append(_linear(load.torque_points))
            rows[w, [TORQUE_ROWS, TORQUE_ROWS_END]] = used, used + len(tables[-1])
            used += len(tables[-1])
        if load.torque_over == OVER_TIME:
            stops.update(tables[-1][:, 0].tolist())
    table = np.ascontiguousarray(np.concatenate(tables)) if used else np.zeros((1, TABLE_COLUMNS))
    return Loads(rows, table, np.array(sorted(s for s in stops if s > 0.0)))


def _linear(points: ArrayLike) -> NDArray[np.float64]:
    """Rows of a piecewise linear table of points (2, n), see the columns TORQUE_ROWS."""
    x, y = np.asarray(points, dtype=np.float64)
    rows = np.zeros((x.size, TABLE_COLUMNS))
    rows[:, 0], rows[:, 1] = x, y
    rows[:-1, 2] = np.diff(y) / np.diff(x)
    return rows


def driven_by_torques(rows: NDArray[np.float64]) -> bool:
    """Whether any wheel has a torque M, or terms, by the rows of all loads."""
    return bool(rows[:, [TORQUE, OVER]].any() or (rows[:, TERMS] < rows[:, TERMS_END]).any())


def load_damping(loads: Loads, speeds: ArrayLike) -> NDArray[np.float64]:
    """How steeply the torques may fall with the speed, (W,), for the limit of an explicit step: c + 2 q |w|, and the
    steepest part of a torque over the speed.

    speeds (W,) [rad/s]. [N m s/rad]
    """
    speed = np.abs(np.asarray(speeds, dtype=np.float64))
    steepest = np.zeros(len(loads.rows))
    for w in np.flatnonzero(loads.rows[:, OVER] == OVER_SPEED):
        first, end = loads.rows[w, [TORQUE_ROWS, TORQUE_ROWS_END]].astype(np.int64)
        steepest[w] = np.abs(loads.table[first:end, 2]).max()
    return np.asarray(loads.rows[:, VISCOUS] + 2.0 * loads.rows[:, QUADRATIC] * speed + steepest)


def mean_torque(load: Load, speed: float, sense: float) -> float:
    """Torque against the running sense at a steady speed in it [rad/s], averaged over a turn; faded in. [N m]

    A torque over time has its last value. sense: +1 for a wheel that runs counter-clockwise, -1 for any other.
    """
    angles, torques = np.asarray(load.angles, dtype=np.float64), np.asarray(load.torques, dtype=np.float64)
    tabulated = periodic_spline(angles, torques)[1] if angles.size else 0.0
    steady = load.constant - sense * steady_torque(load, sense * speed)
    steady -= sense * sum(mean_of(term, sense * speed, sense) for term in load.terms)
    return steady + (load.viscous + load.quadratic * abs(speed)) * speed + tabulated


def steady_torque(load: Load, speed: float) -> float:
    """M at a steady speed [rad/s] of the wheel, both counter-clockwise; over time its last value, over turns its mean.

    [N m]
    """
    if load.torque_over in (CONSTANTLY, PEDALS):
        return load.torque
    x, y = np.asarray(load.torque_points, dtype=np.float64)
    return float(y[-1] if load.torque_over == OVER_TIME else np.interp(speed, x, y))
