"""A run of the link formulation that begins where another run ended, possibly with wheels in other positions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from chaindrive.contract.end_state import EndState
from chaindrive.contract.system import System
from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.link.compile import bushes_of, compile_link
from chaindrive.formulations.link.path import in_plane
from chaindrive.formulations.planar.continued import continued_on, end_state_of
from chaindrive.formulations.planar.moving import Geometry, Moved, move_along
from chaindrive.formulations.planar.parameters import FloatArray
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, LinkOptions

__all__ = ["continued", "end_state"]

KIND = "link"


def end_state(system: System, drive: Drive, time: float, state: FloatArray) -> EndState:
    """Return the end state from which another run, in any coordinates, can begin.

    It describes ``state`` (n,), reached at ``time`` [s].
    """
    end = end_state_of(KIND, system.parameters.planar, system, drive, time, state)
    return replace(end, state=in_plane(system.parameters, end.state))


def continued(drive: Drive, options: LinkOptions, end: EndState) -> System:
    """Compile a drive with the end of another run as its state, see ``planar.continued.continued_on``."""
    system = compile_link(drive, options, at_speed=True)
    return continued_on(system, KIND, drive, end, partial(_move, system.parameters))


def _move(p: L.Parameters, state: FloatArray, old: Geometry, new: Geometry) -> Moved:
    """Move the links in ``state`` to another geometry, in place. Each link turns with the line to the next bush."""
    n, layout = p.links, p.planar.layout
    w = drive_facts(new.drive).driver
    bushes = bushes_of(p, state)
    velocity = state[layout.positions : layout.positions + 3 * n]
    rate, arm = velocity[2 * n :], state[: 2 * n].reshape(2, n).T - bushes[:n]
    speeds = velocity[: 2 * n].reshape(2, n).T - rate[:, None] * np.column_stack([-arm[:, 1], arm[:, 0]])
    angle, speed = float(state[layout.wheel_angle + w]), float(state[layout.wheel_speed + w])
    moved = move_along(bushes, speeds, angle, speed, old, new)
    before, after = (np.roll(points, -1, axis=0) - points for points in (bushes, moved.place))
    turn = (after @ (1.0, 1.0j)) / (before @ (1.0, 1.0j))
    turn /= np.abs(turn)
    there = arm @ (1.0, 1.0j) * turn
    centre = moved.place @ (1.0, 1.0j) + there
    faster = moved.velocity @ (1.0, 1.0j) + 1j * rate * there
    state[:n], state[n : 2 * n] = centre.real, centre.imag
    state[2 * n : 3 * n] += np.angle(turn)
    velocity[:n], velocity[n : 2 * n] = faster.real, faster.imag
    return moved
