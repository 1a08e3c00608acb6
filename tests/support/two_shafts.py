"""A formulation from outside the package, added as documented: a spring between two shafts.

One folder would hold it; here it is one file. Wheel 0 has a prescribed speed; the spring stretches when it is ahead.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from chaindrive.contract.channels import Channel
from chaindrive.contract.end_state import EndState
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.motion import Motion
from chaindrive.contract.states import FloatArray, Kind
from chaindrive.contract.status import FORMULATION_ENDINGS, Accepted, Status
from chaindrive.contract.story import Story
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.formulations.registry import Formulation
from chaindrive.kernels import kernel
from chaindrive.model import Drive, loads
from chaindrive.model.formulation import _Options

WORKS = ("input", "output", "link_damping")
TWISTED = Status("TWISTED_OFF", FORMULATION_ENDINGS, "The spring was stretched beyond its limit.", "Take a longer one.")
UNCHANGED, TWISTED_OFF = int(Accepted.UNCHANGED), TWISTED.code


class ShaftsOptions(_Options):
    """Options of the formulation."""

    kind: Literal["shafts"] = "shafts"
    stiffness: float = 1e5
    damping: float = 20.0
    limit: float = 1.0
    lag: float = 0.0
    """Part by which the second shaft begins slower than the first."""


class Parameters(NamedTuple):
    """Parameters of the kernels."""

    stiffness: float
    damping: float
    limit: float
    speed: float
    inertia: float
    load: float
    radius: FloatArray
    start_energy: FloatArray
    stretch: FloatArray
    derivative: FloatArray


@kernel
def rhs(t, y, dy, p):
    """y = [angles(2), speeds(2), works(3)]"""
    x, v = p.radius[0] * y[0] - p.radius[1] * y[1], p.radius[0] * y[2] - p.radius[1] * y[3]
    force = p.stiffness * x + p.damping * v
    p.stretch[0], p.stretch[1] = x, force
    dy[0], dy[1] = y[2], y[3]
    dy[2], dy[3] = 0.0, (p.radius[1] * force - p.load) / p.inertia
    dy[4], dy[5], dy[6] = p.radius[0] * force * y[2], p.load * y[3], p.damping * v * v


@kernel
def margin(p):
    """Margin of the elongation."""
    return 1.0 - abs(p.stretch[0]) / p.limit


@kernel
def accept(t, y, p):
    """No memory; the limit ends a run."""
    return UNCHANGED if margin(p) > 0.0 else TWISTED_OFF


@kernel
def begin(t, y, p):
    """Energy at the start."""
    x = p.radius[0] * y[0] - p.radius[1] * y[1]
    p.start_energy[0] = 0.5 * p.inertia * y[3] ** 2 + 0.5 * p.stiffness * x * x
    return UNCHANGED


@kernel
def record(t, y, p, row):
    """Write a row in the order of ``channels``."""
    dy = p.derivative
    rhs(t, y, dy, p)
    for k in range(4):
        row[k] = y[k]
    row[4], row[5] = p.radius[0] * p.stretch[1], -p.load
    row[6], row[7] = max(-p.stretch[1], 0.0), max(p.stretch[1], 0.0)
    for k in range(3):
        row[8 + k], row[11 + k] = dy[4 + k], y[4 + k]
    row[14], row[15] = 0.5 * p.inertia * y[3] ** 2, 0.5 * p.stiffness * p.stretch[0] ** 2
    row[16] = row[14] + row[15] - p.start_energy[0] - y[4] + y[5] + y[6]


def channels() -> tuple[Channel, ...]:
    """Every column of a row."""
    rows: list[tuple[str, tuple[str, ...], str, Any]] = [
        ("wheel_angle", ("wheel",), "rad", "standard"),
        ("wheel_speed", ("wheel",), "rad/s", "standard"),
        ("wheel_torque", ("wheel",), "N m", "standard"),
        ("span_tension", ("span",), "N", "standard"),
        *((f"power_{name}", (), "W", "standard") for name in WORKS),
        *((f"work_{name}", (), "J", "always") for name in WORKS),
        *((f"energy_{name}", (), "J", "always") for name in ("kinetic", "elastic", "residual")),
    ]
    found, offset = [], 0
    for name, dims, unit, kept in rows:
        found.append(Channel(name, dims, unit, name.replace("_", " "), offset, (2,) * len(dims), kept))
        offset += found[-1].size
    return tuple(found)


def compiled(drive: Drive, options: ShaftsOptions, at_speed: bool) -> System:
    """Two wheels as two shafts, one spring."""
    wheels = drive.wheels
    if len(wheels) != 2:
        raise InputError(Problem("wheels", "must be two", str(len(wheels))))
    speed = float(wheels[0].motion.speed)  # type: ignore[union-attr]
    radius = np.array([drive.chain.pitch * wheel.teeth / (2.0 * np.pi) for wheel in wheels])
    inertia = float(wheels[1].inertia or 0.0)
    numbers = (options.stiffness, options.damping, options.limit, speed, inertia, float(wheels[1].load_torque))
    p = Parameters(*numbers, radius, np.zeros(1), np.zeros(2), np.zeros(7))
    state = np.zeros(7)
    return System(
        kernels=Kernels(rhs=rhs, accept=accept, record=record, begin=begin, margin=margin),
        parameters=p,
        memory=("start_energy",),
        scratch=("stretch", "derivative"),
        state=state,
        positions=2,
        kinds=np.array([Kind.ANGLE] * 2 + [Kind.ANGULAR_SPEED] * 2 + [Kind.WORK] * 3),
        channels=channels(),
        labels={"wheel": tuple(wheel.name for wheel in wheels), "span": drive.span_names},
        masses=np.array([np.inf, inertia]),
        motion=Motion(
            rolling=np.array([speed, (1.0 - options.lag) * speed * radius[0] / radius[1]]),
            highest_frequency=options.damping * radius[1] ** 2 / inertia
            + radius[1] * (options.stiffness / inertia) ** 0.5,
        ),
        story=Story(endings=(TWISTED,), ended_at=lambda status, time, y: f"the spring, {p.stretch[0]:.3g} m"),
    )


def end_state(system: System, drive: Drive, time: float, state: FloatArray) -> EndState:
    """All data that another run needs."""
    return EndState(drive.to_toml(), "shafts", time, 2, system.kinds.copy(), state.copy(), {})


def continued(drive: Drive, options: ShaftsOptions, end: EndState) -> System:
    """The system that continues from the end of another run."""
    import dataclasses

    loads(end.drive, "drive of the start state")
    system, state = compiled(drive, options, True), end.state.copy()
    state[4:] = 0.0
    return dataclasses.replace(system, state=state).with_motion(rolling=state[2:4].copy())


FORMULATION = Formulation(compiled, continued, end_state, (TWISTED,))
