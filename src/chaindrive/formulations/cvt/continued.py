"""A run of a variator that begins where another run ended."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.end_state import EndState
from chaindrive.contract.states import FloatArray, Kind
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.formulations.cvt.compile import compile_cvt, findings
from chaindrive.formulations.cvt.parameters import CONTROLS, PAIRS
from chaindrive.mechanism.continuing import (
    Before,
    continue_motions,
    continue_torques,
    facts_of,
    packed_end_state,
    refuse_other_machines,
    restarted_system,
)
from chaindrive.model import CvtOptions, Drive, loads

__all__ = ["continued", "end_state"]


class Facts(NamedTuple):
    """Reference values of the motions and loads of an end state. W = 2 pairs of sheaves."""

    reference_angle: FloatArray
    """Angle of every pair from which tables and orders are counted, (W,) [rad]"""
    motion_phase: FloatArray
    """Nominal angle through which orders over time have gone, (W,) [rad]"""
    settled: NDArray[np.bool_]
    """Whether ramps and fade-ins of the motion and load of the pair were over, (W,)."""


def end_state(system: System, drive: Drive, time: float, state: FloatArray) -> EndState:
    """Return the data with which another run can begin at ``state`` (n,), reached at ``time`` [s] by the system of
    ``drive``.
    """
    return packed_end_state("cvt", system.parameters, system, drive, time, state, Facts)


def continued(drive: Drive, options: CvtOptions, end: EndState) -> System:
    """Compile a drive with the end of another run as its state. All works are zero; sheaves keep their positions.

    Motions and loads continue (mechanism.continuing), but a shift and a table of ratios over time start again. A
    controller starts with the force at the end of the previous run. The time of the new run starts at zero. Raises
    InputError when the state does not fit the drive.
    """
    before = loads(end.drive, "drive of the start state")
    facts = facts_of(Facts, "cvt", end, dict.fromkeys(Facts._fields, (2,)))
    if [*_shape(drive)] != [*_shape(before)]:
        message = (
            "the start state is that of a drive with different links or running radii; only a drive "
            "with the same links and running radii can continue from it"
        )
        raise InputError(Problem("sheaves", message))
    system = compile_cvt(drive, options, at_speed=True)
    state, n = end.state.copy(), system.positions
    if n != end.positions:
        message = (
            "differs from that of the previous run. The chain therefore has different coordinates and "
            "cannot continue from that run"
        )
        raise InputError(Problem("run.formulation.links", message, repr(options.links)))
    refuse_other_machines(system, end)
    state[end.kinds == Kind.WORK] = 0.0
    _take_over_forces(drive, before, state)
    p = system.parameters
    angles = slice(p.coordinates, p.coordinates + PAIRS)
    speeds = slice(n + angles.start, n + angles.stop)
    earlier = Before(before, state[angles], state[speeds], facts.reference_angle, facts.motion_phase, facts.settled)
    kinks = continue_motions(drive, earlier, p.motion_kind, p.motion, p.motion_table)
    kinks += continue_torques(drive, earlier, p.running, p.torque)
    system.kernels.begin(0.0, state, p)
    turned = partial(findings, drive, float(state[angles.start]), angles.start)
    return restarted_system(system, state, end, kinks, turned)


def _take_over_forces(drive: Drive, before: Drive, state: FloatArray) -> None:
    """Start the integral parts of the controllers, which are the last states, with the forces of the previous drive."""
    parts = state[state.size - CONTROLS :]
    for w, (sheave, earlier) in enumerate(zip(drive.sheaves, before.sheaves, strict=True)):
        if sheave.ratio_control is None or earlier.clamping_force is None:
            parts[w] = 0.0
            continue
        force = earlier.clamping_force
        force += 0.0 if earlier.ratio_control is None else parts[w] * earlier.ratio_control.largest_force
        parts[w] = (force - (sheave.clamping_force or 0.0)) / sheave.ratio_control.largest_force


def _shape(drive: Drive) -> Iterator[object]:
    """Yield the facts that the chains and sheaves of both drives must have in common."""
    yield drive.chain.elongations
    for sheave, wheel in zip(drive.sheaves, drive.wheels, strict=True):
        yield sheave.position, wheel.teeth
