"""Rigid shafts that connect wheels of systems combined side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.port import Port
from chaindrive.contract.rigid import MOST_DENSE
from chaindrive.contract.states import FloatArray
from chaindrive.contract.system import System
from chaindrive.coupling.joined import SHAFT_TORQUE, stage_channel
from chaindrive.coupling.rigid_kernels import SCRATCH, Rigid, Shafts, Wheels, rigid_kernels
from chaindrive.formulations.declare import one
from chaindrive.kernels.tables import blank

__all__ = ["RigidShaft", "Seat", "hold"]

rigid = lru_cache(maxsize=None)(rigid_kernels)

MOST_SLIP = 1e-4
"""Angle by which a rigid shaft may slip, due to errors of the integration, without a warning. [rad]"""


class Seat(NamedTuple):
    """A wheel of one of several combined systems, to which shafts are joined."""

    port: Port
    """Port of the wheel in its own system."""
    angle: int
    """Index of the wheel's angle in the combined state."""
    works: int
    """Index at which the works of the wheel's own system begin among the combined works."""


class RigidShaft(NamedTuple):
    """A rigid shaft between two wheels."""

    name: str
    """Name of the part driven through it."""
    before: Seat
    """The wheel that turns the shaft."""
    behind: Seat
    """The wheel that the shaft turns; no other shaft turns it."""
    ratio: float
    """Speed of the wheel behind the shaft divided by that of the wheel before it."""


def hold(whole: System, shafts: Sequence[RigidShaft], given: FloatArray) -> System:
    """Return the system with rigid shafts between its wheels.

    shafts: the shafts, ordered from the driving end; given: the array that passes their torques to the combined
    systems, (S,) [N m]. The wheels start with the speeds imposed by the shafts.
    """
    seats = {seat.angle: seat for shaft in shafts for seat in (shaft.before, shaft.behind)}
    rows = {angle: row for row, angle in enumerate(seats)}
    pairs = [(rows[s.before.angle], rows[s.behind.angle]) for s in shafts]
    joints = Shafts(*np.array(pairs, dtype=np.int64).T.copy())
    ratios = np.array([shaft.ratio for shaft in shafts])
    compliance = np.array([1.0 / whole.masses[angle] for angle in seats])
    matrix = np.zeros((len(shafts), len(seats)))
    matrix[np.arange(len(shafts)), joints.before] = ratios
    matrix[np.arange(len(shafts)), joints.behind] = -1.0
    turned = np.array([seat.port.running.turned[seat.port.wheel] > 0.0 for seat in seats.values()])
    contacts = 0 if whole.rigid is None else whole.rigid.laws.friction.size
    p = Rigid(
        within=whole.parameters,
        row=whole.row_size,
        shaft=joints,
        ratio=ratios,
        inverse=np.ascontiguousarray(np.linalg.inv(matrix @ (compliance[:, None] * matrix.T))),
        wheel=_places(whole, list(seats.values()), turned),
        sign=np.where(turned, 1.0, -1.0),
        compliance=compliance,
        torque=np.zeros(len(shafts)),
        given=given,
        on_wheel=np.zeros(len(seats)),
        derivative=np.zeros_like(whole.state),
        positions=whole.positions,
        moved=np.zeros_like(whole.state),
        speed=np.zeros(2 * contacts),
        by_shaft=np.zeros((len(shafts), 2 * min(contacts, MOST_DENSE))),
    )
    state = whole.state.copy()
    for shaft in shafts:
        before, after = (whole.positions + seat.angle for seat in (shaft.before, shaft.behind))
        state[after] = shaft.ratio * state[before]
    torque = one("shaft_torque", (), "N m", SHAFT_TORQUE, ())
    own = [stage_channel(s.name, torque._replace(offset=whole.row_size + k)) for k, s in enumerate(shafts)]
    system = replace(
        whole,
        kernels=rigid(whole.kernels),
        parameters=p,
        memory=tuple(f"within.{name}" for name in whole.memory),
        scratch=(*(f"within.{name}" for name in whole.scratch), *SCRATCH),
        state=state,
        channels=(*whole.channels, *own),
        rigid=None if whole.rigid is None else whole.rigid._replace(scratch=None),
    )
    system.kernels.begin(0.0, state, p)
    return system.with_story(findings=_findings(whole, shafts, state))


def _findings(
    whole: System, shafts: Sequence[RigidShaft], start: FloatArray
) -> Callable[[FloatArray], tuple[dict[str, Any], tuple[str, ...]]]:
    """Return the function that returns the findings of the systems, and a warning for every shaft with slip."""

    def findings(state: FloatArray) -> tuple[dict[str, Any], tuple[str, ...]]:
        facts, told = ({}, ()) if whole.story.findings is None else whole.story.findings(state)
        moved = state[: whole.positions] - start[: whole.positions]
        slip = [float(s.ratio * moved[s.before.angle] - moved[s.behind.angle]) for s in shafts]
        more = (_slipped(shaft.name, each) for shaft, each in zip(shafts, slip, strict=True) if abs(each) > MOST_SLIP)
        return facts, (*told, *more)

    return findings


def _slipped(name: str, slip: float) -> str:
    """Return the warning about a shaft with slip [rad]."""
    return (
        f"the rigid shaft of {name!r} has slipped by {math.degrees(abs(slip)):.2g} deg, because the method does not "
        "keep rigid shafts rigid: speeds and tensions are wrong; use run.solver.method = 'auto' or an explicit method, "
        "or give the shaft a stiffness (shaft.stiffness)"
    )


def _places(whole: System, seats: Sequence[Seat], turned: NDArray[np.bool_]) -> Wheels:
    """Return the indices of the wheels in the state.

    turned: whether a shaft turns the wheel, for each wheel.
    """
    wheels = blank(Wheels, len(seats))
    for j, seat in enumerate(seats):
        works = whole.positions + whole.velocities + seat.works
        put_in, taken_out, own = (works + account for account in seat.port.accounts)
        wheels.speed[j], wheels.shaft_work[j] = whole.positions + seat.angle, own
        wheels.account[j] = put_in if turned[j] else taken_out
        wheels.supply[j] = put_in if math.isinf(whole.masses[seat.angle]) else -1
    return wheels
