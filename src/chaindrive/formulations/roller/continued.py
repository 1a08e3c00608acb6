"""A run of the roller formulation that begins where another run ended, possibly with wheels in other positions."""

from __future__ import annotations

from functools import partial

from chaindrive.contract.end_state import EndState
from chaindrive.contract.system import System
from chaindrive.formulations.planar.continued import continued_on, end_state_of
from chaindrive.formulations.planar.layout import Layout
from chaindrive.formulations.planar.moving import Geometry, Moved, move_along
from chaindrive.formulations.planar.parameters import (
    FloatArray,
)
from chaindrive.formulations.roller.compile import compile_roller
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, RollerOptions

__all__ = ["continued", "end_state"]

KIND = "roller"


def end_state(system: System, drive: Drive, time: float, state: FloatArray) -> EndState:
    """Return the data that another run needs to begin at ``state`` (n,), reached at ``time`` [s] by the system of
    ``drive``.
    """
    return end_state_of(KIND, system.parameters.planar, system, drive, time, state)


def continued(drive: Drive, options: RollerOptions, end: EndState) -> System:
    """Compile a drive with the end of another run as its state, see ``planar.continued.continued_on``."""
    system = compile_roller(drive, options, at_speed=True)
    return continued_on(system, KIND, drive, end, partial(_move, system.parameters.planar.layout))


def _move(layout: Layout, state: FloatArray, old: Geometry, new: Geometry) -> Moved:
    """Move the rollers in ``state`` to another geometry, in place."""
    n, w = new.drive.chain.joints, drive_facts(new.drive).driver
    place, velocity = state[: layout.wheel_angle], state[layout.positions : layout.wheel_speed]
    angle, speed = float(state[layout.wheel_angle + w]), float(state[layout.wheel_speed + w])
    moved = move_along(place.reshape(2, n).T.copy(), velocity.reshape(2, n).T.copy(), angle, speed, old, new)
    place[:], velocity[:] = moved.place.T.ravel(), moved.velocity.T.ravel()
    return moved
