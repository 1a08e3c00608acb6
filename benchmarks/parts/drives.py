"""The drives that are measured, and a running state of each."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.model import override
from chaindrive.simulation.start import prepare
from chaindrive.solvers.integrator import Integrator, SolverSettings

ENGINES = ("6l60mc", "6s90mc-c")
RARE = 1e6
"""An interval between rows at which nothing but the first one is recorded. [s]"""


def with_friction(drive: cd.Drive, friction: float) -> cd.Drive:
    """The same drive with another friction coefficient between roller and tooth."""
    data: dict[str, Any] = drive.model_dump()
    data["contact"]["friction"] = friction
    return cd.Drive(**data)


def options_of(drive: cd.Drive, formulation: str | None) -> Any:
    """Options of a formulation by its kind: those of the drive as far as it has them."""
    own = drive.run.formulation
    return own if formulation is None else override(drive, {"run.formulation.kind": formulation}).run.formulation


@functools.cache
def running(
    name: str, friction: float | None = None, after: float = 0.2, formulation: str | None = None
) -> tuple[System, np.ndarray, float]:
    """A drive that has run for ``after`` seconds: its system with memory, state and time.

    formulation: its kind, with the options of the drive as far as it has them; None: that of the drive.
    """
    drive = cd.example(name)
    if friction is not None:
        drive = with_friction(drive, friction)
    system = prepare(drive, options_of(drive, formulation)).system
    run = Integrator(system, SolverSettings(method="verlet"), RARE)
    advance_to(run, after)
    return system, run.state, run.time


def advance_to(run: Integrator, until: float) -> None:
    """Integrate to ``until``; rows are discarded."""
    status = Status.RUNNING
    while status == Status.RUNNING:
        status = run.advance(until, 10**9)
        run.take_rows()
    if status != Status.REACHED_END:
        raise RuntimeError(f"the run ended at {run.time:.4g} s: {status.meaning}")


@contextmanager
def same_memory(system: System) -> Iterator[None]:
    """Context that restores contact memory at its end, because it is changed in place."""
    held = {name: array.copy() for name, array in system.memory_arrays().items()}
    try:
        yield
    finally:
        for name, array in system.memory_arrays().items():
            array[...] = held[name]


def two_wheels(links: int, teeth: int = 19) -> cd.Drive:
    """Two equal wheels, 16B chain, at the distance that the links allow with a little tension; no gravity."""
    pitch = 0.0254
    spans = links - teeth  # half of the chain lies on the wheels' circumference: teeth/2 pitches on each
    distance = 0.5 * spans * pitch * (1.0 + 1e-6)
    return cd.Drive(
        name=f"two wheels, {links} links",
        gravity=(0.0, 0.0),
        chain={"standard": "16B-1", "links": links, "link_stiffness": 3e7, "link_damping": 100.0, "link_mass": 0.0686},
        wheels=[
            {
                "name": "driver",
                "teeth": teeth,
                "position": (0.0, 0.0),
                "tooth": {"form": "asa-ii"},
                "motion": {"kind": "constant_speed", "speed": 60.0},
            },
            {
                "name": "driven",
                "teeth": teeth,
                "position": (distance, 0.0),
                "inertia": 0.05,
                "tooth": {"form": "asa-ii"},
            },
        ],
        contact={"stiffness": 1e9, "exponent": 1.5, "restitution": 0.5, "friction": 0.1},
        run={"until": 1.0},
    )


def rolling(drive: cd.Drive, formulation: str | None = None) -> System:
    """The compiled drive at speed on its kinematic initial configuration, without a search for equilibrium."""
    import dataclasses

    system = compile_system(drive, options_of(drive, formulation), True)
    state = system.state.copy()
    state[system.positions : system.positions + len(system.motion.rolling)] = system.motion.rolling
    system = dataclasses.replace(system, state=state)
    system.kernels.begin(0.0, system.state, system.parameters)
    return system
