"""Rigid shafts between wheels of systems that are combined side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from chaindrive.contract.port import Port
from chaindrive.contract.states import FloatArray
from chaindrive.contract.system import System
from chaindrive.coupling.joined import SHAFT_TORQUE, behind
from chaindrive.coupling.rigid_kernels import (
    ACCOUNT,
    BEFORE,
    BEHIND,
    SCRATCH,
    SHAFT_WORK,
    SPEED,
    SUPPLY,
    WHEEL_COLUMNS,
    Rigid,
    rigid_kernels,
)
from chaindrive.formulations.declare import one
from chaindrive.mechanism.torque_kernels import TURNED

__all__ = ["RigidShaft", "Seat", "hold"]

rigid = lru_cache(maxsize=None)(rigid_kernels)


class Seat(NamedTuple):
    """A wheel to which shafts are joined, in a system of several."""

    port: Port
    """Port in its own system."""
    angle: int
    """Index of its angle in the combined state."""
    works: int
    """Index at which the works of its own system begin in the combined ones."""


class RigidShaft(NamedTuple):
    """A rigid shaft between two wheels."""

    name: str
    """Name of the part behind it."""
    before: Seat
    """The wheel that turns it."""
    behind: Seat
    """The wheel turned by it, which no other shaft turns."""
    ratio: float
    """Speed of that wheel over that of the other."""


def hold(whole: System, shafts: Sequence[RigidShaft], given: FloatArray) -> System:
    """The system with rigid shafts between its wheels, ordered from the driving end.

    given: the array in which the systems within see the torques of the shafts, (S,) [N m]. The wheels start with the
    speeds that the shafts give them.
    """
    seats = {seat.angle: seat for shaft in shafts for seat in (shaft.before, shaft.behind)}
    rows = {angle: row for row, angle in enumerate(seats)}
    joints = np.array([(rows[s.before.angle], rows[s.behind.angle]) for s in shafts], dtype=np.int64)
    ratios = np.array([shaft.ratio for shaft in shafts])
    compliance = np.array([1.0 / whole.masses[angle] for angle in seats])
    matrix = np.zeros((len(shafts), len(seats)))
    matrix[np.arange(len(shafts)), joints[:, BEFORE]] = ratios
    matrix[np.arange(len(shafts)), joints[:, BEHIND]] = -1.0
    turned = np.array([seat.port.running[seat.port.wheel, TURNED] > 0.0 for seat in seats.values()])
    p = Rigid(
        within=whole.parameters,
        row=whole.row_size,
        shaft=joints,
        ratio=ratios,
        inverse=np.ascontiguousarray(np.linalg.inv(matrix @ (compliance[:, None] * matrix.T))),
        wheel=np.array([_places(whole, seat, bool(t)) for seat, t in zip(seats.values(), turned, strict=True)]),
        sign=np.where(turned, 1.0, -1.0),
        compliance=compliance,
        torque=np.zeros(len(shafts)),
        given=given,
        on_wheel=np.zeros(len(seats)),
        derivative=np.zeros_like(whole.state),
    )
    state = whole.state.copy()
    for shaft in shafts:
        before, after = (whole.positions + seat.angle for seat in (shaft.before, shaft.behind))
        state[after] = shaft.ratio * state[before]
    torque = one("shaft_torque", (), "N m", SHAFT_TORQUE, ())
    own = [behind(s.name, torque._replace(offset=whole.row_size + k)) for k, s in enumerate(shafts)]
    system = replace(
        whole,
        kernels=rigid(whole.kernels),
        parameters=p,
        memory=tuple(f"within.{name}" for name in whole.memory),
        scratch=(*(f"within.{name}" for name in whole.scratch), *SCRATCH),
        state=state,
        channels=(*whole.channels, *own),
    )
    system.kernels.begin(0.0, state, p)
    return system


def _places(whole: System, seat: Seat, turned: bool) -> list[int]:
    """A row of ``Rigid.wheel``."""
    works = whole.positions + whole.velocities + seat.works
    put_in, taken_out, own = (works + account for account in seat.port.accounts)
    prescribed = math.isinf(whole.masses[seat.angle])
    row = [0] * WHEEL_COLUMNS
    row[SPEED], row[SHAFT_WORK] = whole.positions + seat.angle, own
    row[ACCOUNT], row[SUPPLY] = put_in if turned else taken_out, put_in if prescribed else -1
    return row
