"""A run of the chain drive block that begins where another run ended, possibly with wheels in other positions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.end_state import EndState
from chaindrive.contract.states import FloatArray, Kind
from chaindrive.contract.system import System
from chaindrive.errors import InputError
from chaindrive.formulations.block.compile import compile_block, findings
from chaindrive.mechanism.continuing import (
    Before,
    continue_motions,
    continue_torques,
    facts_of,
    incompatibilities,
    packed_end_state,
    refuse_other_machines,
    restarted_system,
)
from chaindrive.model import BlockOptions, Drive, loads

__all__ = ["continued", "end_state"]


class Facts(NamedTuple):
    """Reference values of the motions and loads of an end state. W wheels."""

    reference_angle: FloatArray
    """Reference angle of every wheel for tables and orders, (W,) [rad]"""
    motion_phase: FloatArray
    """Nominal angle through which orders over time have gone, (W,) [rad]"""
    settled: NDArray[np.bool_]
    """Whether ramps and fade-ins of the wheel's motion and load were over, (W,)."""
    bearing_angle: FloatArray
    """Angles of the anchors of the bearings, (W,) [rad]"""


def end_state(system: System, drive: Drive, time: float, state: FloatArray) -> EndState:
    """Return the data that another run needs to begin at ``state`` (n,), reached at ``time`` [s] by the system of
    ``drive``.
    """
    p = system.parameters
    return packed_end_state("block", p, system, drive, time, state, Facts, bearing_angle=p.bearing_angle.copy())


def continued(drive: Drive, options: BlockOptions, end: EndState) -> System:
    """Compile a drive with the end of another run as its state: angles and speeds are kept, and all works are zero.

    Motions and loads continue (mechanism.continuing). Wheels in new positions keep their angles, and all spans share
    the change in the length of the route. Targets belong to a first start and do not apply. The time of the new run
    begins at zero. Raises InputError when the state does not fit the drive.
    """
    before = loads(end.drive, "drive of the start state")
    facts = facts_of(Facts, "block", end, dict.fromkeys(Facts._fields, (len(before.wheels),)))
    problems = incompatibilities(drive, before)
    if problems:
        raise InputError(problems)
    system = compile_block(drive, options.model_copy(update={"targets": ()}), at_speed=True)
    p, n = system.parameters, len(drive.wheels)
    state = end.state.copy()
    refuse_other_machines(system, end)
    state[2 * n :][end.kinds[2 * n :] == Kind.WORK] = 0.0
    earlier = Before(before, state[:n], state[n : 2 * n], facts.reference_angle, facts.motion_phase, facts.settled)
    kinks = continue_motions(drive, earlier, p.motion_kind, p.motion, p.motion_table)
    kinks += continue_torques(drive, earlier, p.running, p.torque)
    p.bearing_angle[:] = facts.bearing_angle
    p = p._replace(anchors_kept=True)
    system.kernels.begin(0.0, state, p)
    found = restarted_system(system, state, end, kinks, partial(findings, drive, float(state[0])))
    return replace(found, parameters=p)
