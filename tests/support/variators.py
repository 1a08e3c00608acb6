"""Variators of the tests: that of the example, as numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.formulations.cvt.compile import compile_variator
from chaindrive.formulations.cvt.variator import Pair, Variator
from chaindrive.geometry.variator import second_radius
from chaindrive.mechanism import motion, torques
from chaindrive.model.torques.load import Resistance
from chaindrive.solvers import Integrator, SolverSettings

LINKS, PITCH, DISTANCE = 63, 9.85e-3, 0.155
FIXED = motion.constant_speed(0.0, 0.0)
"""Sheaves that stay as drawn."""


def variator(
    load: float = 100.0,
    speed: float = 200.0,
    first: float = 49.5e-3,
    tilting: bool = True,
    driver: dict[str, Any] | None = None,
    driven: dict[str, Any] | None = None,
    **changed: Any,
) -> Variator:
    """The example: driving sheaves that stay, driven ones pressed by a force. load [N m], speed [rad/s], radius [m]."""
    both = {"sheave_mass": 2.0, "sheave_damping": 2e4, "tilt_stiffness": 1.2e6 if tilting else math.inf}
    second = second_radius(first, DISTANCE, PITCH, LINKS)
    acting = torques.pack([[], [Resistance(load, 0.0, 0.0)] if load else []], [1, 1], np.zeros(2), 1.0)
    turning = {"motion": motion.constant_speed(speed, 0.0), "shift": FIXED}
    pairs = (
        Pair("driver", (0.0, 0.0), first, **turning | both | (driver or {})),
        Pair("driven", (DISTANCE, 0.0), second, **{"inertia": 0.02, "force": 20e3} | both | (driven or {})),
    )
    given = {
        "pitches": (PITCH,) * LINKS,
        "link_mass": 0.012,
        "link_inertia": 3.2e-7,
        "link_stiffness": 2e8,
        "link_damping": 60.0,
        "pin_stiffness": 1e8,
        "pin_damping": 300.0,
        "friction": 0.09,
        "half_angle": math.radians(11.0),
        "speeds": (speed, speed * first / second),
        "slip_speed": 0.2 * abs(speed) * first,
    }
    return Variator(pairs, torques=acting, **given | changed)


def rolling(made: Variator) -> System:
    """The system with the velocities of its start."""
    from dataclasses import replace

    system = compile_variator(made)
    state = system.state.copy()
    state[system.positions : system.positions + system.velocities] = system.motion.rolling
    system.kernels.begin(0.0, state, system.parameters)
    return replace(system, state=state)


def run(system: System, until: float, rate: float = 2000.0, step: float | None = 2e-6) -> tuple[Status, Any, Any]:
    """How it ended, times (n,) [s] and rows (n, row_size)."""
    integrator = Integrator(system, SolverSettings(method="leapfrog", step=step), 1.0 / rate)
    times, rows = [], []
    while True:
        status = integrator.advance(until)
        t, r = integrator.take_rows()
        times.append(t)
        rows.append(r)
        if status != Status.RUNNING:
            return status, np.concatenate(times), np.concatenate(rows)


def means(system: System, times: Any, rows: Any, since: float) -> dict[str, Any]:
    """Mean of every channel from an instant on."""
    return {c.name: c.read(rows[times >= since]).mean(axis=0) for c in system.channels}
