"""Small chains and drives that the verification tests share, and a run without results files."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.formulations import compile_system
from chaindrive.model import Chain, Contact, Drive, RollerOptions, Wheel
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.system import Status, System

FloatArray = NDArray[np.float64]

PITCH = 0.0127
TIGHT = SolverSettings(atol_length=1e-12, atol_angle=1e-12, atol_speed=1e-8, atol_angular_speed=1e-8)


class Run(NamedTuple):
    """A run to its end, with everything that was recorded."""

    status: Status
    times: FloatArray
    """(rows,) [s]"""
    channels: Mapping[str, FloatArray]
    """Every channel by name, (rows, ...)."""
    state: FloatArray
    """At the end."""
    steps: int


def run(system: System, until: float, interval: float, settings: SolverSettings = TIGHT) -> Run:
    """Integrate from ``system.state`` to ``until`` [s], a row every ``interval`` [s]."""
    integrator = Integrator(system, settings, interval, chunk_rows=round(until / interval) + 2)
    while (status := integrator.advance(until)) is Status.RUNNING:
        pass
    times, rows = integrator.take_rows()
    found = {c.name: rows[:, c.offset : c.offset + c.size].reshape(len(rows), *c.shape) for c in system.channels}
    return Run(status, times, found, integrator.state, integrator.statistics.steps)


def rates(system: System, y: FloatArray, t: float = 0.0) -> FloatArray:
    """dy/dt."""
    dy = np.zeros_like(y)
    system.kernels.rhs(t, y, dy, system.parameters)
    return dy


def channel(system: System, name: str, y: FloatArray | None = None) -> FloatArray:
    """One channel at the start state, or at y."""
    row = np.zeros(system.row_size)
    system.kernels.record(0.0, system.state if y is None else y, system.parameters, row)
    found = next(c for c in system.channels if c.name == name)
    return row[found.offset : found.offset + found.size].reshape(found.shape)


def chain(links: int, **changes) -> Chain:
    """An 08B-like chain without losses."""
    given = {
        "links": links,
        "pitch": PITCH,
        "link_mass": 0.0088,
        "link_stiffness": 1e7,
        "link_damping": 0.0,
        "roller_diameter": 0.00851,
    }
    return Chain(**(given | changes))


def two_wheels(
    teeth: tuple[int, int] = (16, 16),
    span: float = 12.0,
    *,
    speed: float = 10.0,
    ramp: float = 0.0,
    tooth: Mapping | None = None,
    contact: Mapping | None = None,
    first: Mapping | None = None,
    second: Mapping | None = None,
    links: int | None = None,
    gravity: tuple[float, float] = (0.0, -9.81),
    **of_chain,
) -> Drive:
    """A driver at the origin and a driven wheel to its right, ``span`` pitches of straight chain between the wheels."""
    radius = [PITCH / (2.0 * math.sin(math.pi / z)) for z in teeth]
    distance = math.hypot(span * PITCH, radius[1] - radius[0])
    form = tooth or {"form": "asa-ii"}
    common = {"tooth": form, "inertia": 1e-3}
    motion = {"kind": "constant_speed", "speed": speed, "ramp": ramp}
    wheels = (
        Wheel(
            **(common | {"name": "driver", "teeth": teeth[0], "position": (0.0, 0.0), "motion": motion} | (first or {}))
        ),
        Wheel(**(common | {"name": "driven", "teeth": teeth[1], "position": (distance, 0.0)} | (second or {}))),
    )
    if links is None:
        tilt = math.asin((radius[1] - radius[0]) / distance)
        wrap = [(math.pi - 2.0 * tilt), (math.pi + 2.0 * tilt)]
        links = round(2.0 * span + sum(w * z for w, z in zip(wrap, teeth, strict=True)) / (2.0 * math.pi))
    pressed = {"stiffness": 1e10, "exponent": 1.5, "restitution": 1.0, "friction": 0.0} | dict(contact or {})
    return Drive(
        name="small", gravity=gravity, chain=chain(links, **of_chain), wheels=wheels, contact=Contact(**pressed)
    )


def compiled(drive: Drive, at_speed: bool = True, moving: bool = True, **options) -> System:
    """The drive in the roller formulation, placed but not settled, rolling with its driver when ``moving``."""
    from dataclasses import replace

    system = compile_system(drive, RollerOptions(**options), at_speed)
    if moving:
        state = system.state.copy()
        state[system.positions : 2 * system.positions] = system.rolling
        system = replace(system, state=state)
        system.kernels.begin(0.0, state, system.parameters)
    return system


def order_of(errors, refinement: float) -> FloatArray:
    """Observed order of convergence from errors at steps h, h/refinement, ..."""
    e = np.asarray(errors)
    return np.log(e[:-1] / e[1:]) / np.log(refinement)
