"""A run of the spatial formulation that begins where another run ended, possibly with wheels in other positions."""

from __future__ import annotations

from functools import partial

import numpy as np

from chaindrive.contract.end_state import EndState
from chaindrive.contract.states import FloatArray
from chaindrive.contract.system import System
from chaindrive.formulations.planar.continued import continued_on, end_state_of
from chaindrive.formulations.planar.moving import Geometry, Moved, move_along
from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.chain import COORDINATES
from chaindrive.formulations.spatial.compile import compile_spatial
from chaindrive.formulations.spatial.limits import rows_of
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, SpatialOptions

__all__ = ["continued", "end_state"]

KIND = "spatial"


def end_state(system: System, drive: Drive, time: float, state: FloatArray) -> EndState:
    """Return the data with which another run can begin at ``state`` (n,), reached at ``time`` [s] by the system of
    ``drive``.
    """
    return end_state_of(KIND, system.parameters.planar, system, drive, time, state)


def continued(drive: Drive, options: SpatialOptions, end: EndState) -> System:
    """Compile a drive with the end of another run as its state, see ``planar.continued.continued_on``."""
    system = compile_spatial(drive, options, at_speed=True)
    return continued_on(system, KIND, drive, end, partial(_move, system.parameters))


def _move(p: S.Parameters, state: FloatArray, old: Geometry, new: Geometry) -> Moved:
    """Move the links in ``state`` to another geometry, in place.

    In the plane, each link turns about z as the line to the next bush does. Offsets out of the plane are unchanged.
    """
    from scipy.spatial.transform import Rotation  # slow to import, and every start imports this module

    n, layout = p.links, p.planar.layout
    w = drive_facts(new.drive).driver
    place = state[: 3 * n].reshape(3, n).T
    turn = Rotation.from_quat(np.roll(state[3 * n : COORDINATES * n].reshape(4, n).T, -1, axis=1))
    velocity = state[layout.positions : layout.positions + 3 * n].reshape(3, n).T
    rate = turn.apply(state[layout.positions + 3 * n : layout.positions + 6 * n].reshape(3, n).T)
    arm = turn.apply(np.column_stack([*rows_of(p, S.REAR_X, S.REAR_Y), np.zeros(n)]))
    bushes, speeds = place + arm, velocity + np.cross(rate, arm)
    angle, speed = float(state[layout.wheel_angle + w]), float(state[layout.wheel_speed + w])
    moved = move_along(bushes[:, :2], speeds[:, :2], angle, speed, old, new)
    before, after = (np.roll(points, -1, axis=0) - points for points in (bushes[:, :2], moved.place))
    about = np.angle((after @ (1.0, 1.0j)) / (before @ (1.0, 1.0j)))
    turned = Rotation.from_rotvec(np.column_stack([np.zeros(n), np.zeros(n), about]))
    there, rate = turned.apply(arm), turned.apply(rate)
    middle = np.column_stack([moved.place, bushes[:, 2]]) - there
    faster = np.column_stack([moved.velocity, speeds[:, 2]]) - np.cross(rate, there)
    attitude = turned * turn
    state[: 3 * n] = middle.T.ravel()
    state[3 * n : COORDINATES * n] = np.roll(attitude.as_quat(), 1, axis=1).T.ravel()
    state[layout.positions : layout.positions + 3 * n] = faster.T.ravel()
    state[layout.positions + 3 * n : layout.positions + 6 * n] = attitude.inv().apply(rate).T.ravel()
    return moved
