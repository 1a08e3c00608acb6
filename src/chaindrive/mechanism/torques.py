"""Conversion of the description of the torques of all wheels into the arrays that the kernels read
(``torque_kernels``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.kernels.tables import blank
from chaindrive.mechanism import torque_kernels as K
from chaindrive.model.torques import acting as A
from chaindrive.model.torques.acting import ActingTorque, Course, TorqueRow

__all__ = ["Torques", "by_torques", "drag", "initial_states", "pack", "resisting", "steepest"]

FloatArray = NDArray[np.float64]


class Torques(NamedTuple):
    """The torques of W wheels, packed for the kernels, wheel by wheel."""

    running: K.Running
    torque: K.TorqueRows
    torque_table: FloatArray
    """(rows, TABLE_COLUMNS)"""
    stops: FloatArray
    """Instants after the start at which a torque has a kink or a jump. [s]"""
    states: FloatArray
    """Initial values of the states of motors and governors; zeros until they are known."""


def pack(
    given: Sequence[Sequence[ActingTorque]],
    senses: ArrayLike,
    references: ArrayLike,
    standstill: ArrayLike,
    motors: ArrayLike = False,
    at_speed: bool = True,
) -> Torques:
    """Pack the torques of all wheels.

    senses (W,): +1 for a wheel that turns counter-clockwise, else -1; references (W,): angles of the wheels at the
    start [rad]; standstill (W,): speed scale of torques that oppose the motion, if a torque has none of its own
    [rad/s]; motors (W,): whether the power of counter-clockwise torques is input; at_speed: see ``ActingTorque.row``.
    """
    running, torque = blank(K.Running, len(given)), blank(K.TorqueRows, sum(map(len, given)))
    running.sense[:], running.reference_angle[:], running.motor[:] = senses, references, motors
    scale = np.broadcast_to(np.asarray(standstill, dtype=np.float64), len(given))
    tables = [np.zeros((0, K.TABLE_COLUMNS))]
    stops: list[float] = []
    used = states = k = 0
    for w, own in enumerate(given):
        running.first[w], running.end[w] = k, k + len(own)
        for made in (each.row(at_speed) for each in own):
            table = np.zeros((len(made.table), K.TABLE_COLUMNS))
            for line, cells in zip(table, made.table, strict=True):
                line[: len(cells)] = cells
            tables.append(table)
            _put(torque, k, made)
            torque.rows[k], torque.rows_end[k] = used, used + len(table)
            torque.standstill[k] = made.standstill or scale[w]
            torque.state[k] = states if made.has_state else -1
            used, states, k = used + len(table), states + made.has_state, k + 1
            stops += [*made.times, *([] if made.course == Course() else made.course.stops())]
    table = np.ascontiguousarray(np.concatenate(tables)) if used else np.zeros((1, K.TABLE_COLUMNS))
    return Torques(running, torque, table, np.unique([s for s in stops if 0.0 < s < math.inf]), np.zeros(states))


def _put(torque: K.TorqueRows, k: int, made: TorqueRow) -> None:
    """Write the values of a torque that do not depend on other torques."""
    torque.kind[k], torque.sense_of[k], torque.value[k] = made.kind, made.sense_of, made.value
    torque.law[k] = made.law
    torque.gear[k], torque.phase[k], torque.period[k] = made.gear, made.phase, made.period
    for name, value in made.course._asdict().items():
        getattr(torque, name)[k] = value
    for column, number in zip((torque.a, torque.b, torque.c, torque.d, torque.e), made.numbers, strict=False):
        column[k] = number


def initial_states(
    given: Sequence[Sequence[ActingTorque]], speeds: ArrayLike, needed: ArrayLike, at_speed: bool
) -> FloatArray:
    """Return the initial values of the states of the torques: in balance if the run starts at speed, zero if it starts
    at rest.

    speeds (W,): of the wheels at the start, counter-clockwise [rad/s]; needed (W,): torque that a governor on each
    wheel has to supply at the start, counter-clockwise [N m].
    """
    wheels = zip(given, np.asarray(speeds).tolist(), np.asarray(needed).tolist(), strict=True)
    return np.array(
        [
            torque.initial_state(speed, torque_needed, at_speed)
            for own, speed, torque_needed in wheels
            for torque in own
            if torque.row(at_speed).has_state
        ]
    )


def steepest(
    given: Sequence[Sequence[ActingTorque]], speeds: ArrayLike, inertias: ArrayLike, standstill: ArrayLike
) -> FloatArray:
    """Return the steepest decrease of the torques with speed, for the limit of an explicit step, (W,). [N m s/rad]

    speeds (W,): highest speeds [rad/s]; inertias (W,) [kg m^2]; standstill (W,) as for ``pack`` [rad/s].
    """
    columns = (np.broadcast_to(np.asarray(x, dtype=np.float64), len(given)) for x in (speeds, inertias, standstill))
    found = np.zeros(len(given))
    for w, (own, fastest, inertia, slow) in enumerate(zip(given, *columns, strict=True)):
        for facts in (torque.facts(float(fastest)) for torque in own):
            found[w] += facts.slope + inertia * facts.rate
            found[w] += facts.about_standstill / slow if facts.about_standstill else 0.0
    return found


def by_torques(torque: K.TorqueRows) -> bool:
    """Return whether any wheel has torques other than a resistance or a load tabulated over a turn, which every wheel
    can have.

    Results then have channels for these torques.
    """
    return not np.isin(torque.kind, (A.RESISTANCE, A.OVER_TURN)).all()


def drag(torque: K.TorqueRows) -> bool:
    """Return whether any torque depends on the speed, and therefore drags a running drive."""
    resists = (torque.kind == A.RESISTANCE) & ((torque.a != 0.0) | (torque.b != 0.0))
    return bool((resists | (torque.kind >= A.OVER_SPEED) | (torque.sense_of == A.AGAINST_MOTION)).any())


def resisting(torques: Sequence[ActingTorque], speed: float, sense: float) -> float:
    """Return the mean torque that opposes rotation at a steady speed in the direction of rotation [rad/s]. [N m]

    sense: +1 for a wheel that turns counter-clockwise, else -1.
    """
    return -sense * sum(torque.mean_torque(sense * speed, sense) for torque in torques)
