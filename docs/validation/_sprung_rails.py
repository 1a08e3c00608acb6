"""Chains on a rail that keeps its springs among rigid contacts, beside closed forms and springs everywhere.

Tests assert what the page rigid-chains.md shows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from _chains_on_rails import LINK_MASS, PITCH, RIGID, ROLLER, G, lying, system_of
from _nonsmooth_rows import Row

from chaindrive.contract.system import System
from chaindrive.formulations.link.compile import link_state
from chaindrive.solvers import Integrator, SolverSettings

__all__ = ["LAYS", "SOFT", "SPRUNG", "course_of", "middle_of", "on_a_soft_rail", "rest_depth", "soft_rail"]

SOFT = 1e6
"""Stiffness of a rail. [N/m]"""
LAYS = 6
"""Links of the chain on it."""
SPRUNG = RIGID | {"contact_law": "hertz"}
"""Of a chain on a rail that keeps its springs, without losses."""


def rest_depth(stiffness: float = SOFT, exponent: float = 1.0) -> float:
    """How deep a roller lies in the rail by its own weight. [m]"""
    return float((LINK_MASS * G / stiffness) ** (1.0 / exponent))


def on_a_soft_rail(height: float, formulation: Mapping[str, str] = SPRUNG, fall: float = 0.0, **contact: Any) -> System:
    """A chain along a straight rail, its rollers so high above it [m], which falls at a speed [m/s].

    contact: what differs of that with the rail, which is linear and keeps its springs.
    """
    shape = {"kind": "straight", "start": (-0.1, 0.0), "end": (0.3, 0.0), "side": "right"}
    own = {"stiffness": SOFT, "exponent": 1.0, "compliant": True} | contact
    guides = [{"name": "rail", "shape": shape, "contact": own}]
    system = system_of(lying(0.0, 0.02), {"link_damping": 0.0}, formulation, guides=guides)
    bushes = np.column_stack([PITCH * np.arange(LAYS + 1), np.full(LAYS + 1, ROLLER + height)])
    rollers = formulation["kind"] == "roller"
    places = bushes.T.ravel() if rollers else link_state(system.parameters, bushes)
    n, at = LAYS + rollers, system.positions
    system.state[: places.size], system.state[at + n : at + 2 * n] = places, -fall
    return system


def course_of(system: System, method: str, step: float, until: float, every: float) -> tuple[Any, dict[str, Any]]:
    """Times of the rows of a run [s], and its channels; step: 0 for a method that chooses it."""
    settings = SolverSettings(method=method, step=step) if step > 0.0 else SolverSettings(method=method)
    run = Integrator(system, settings, every)
    while (status := run.advance(until)).name == "RUNNING":
        pass
    assert status.name == "REACHED_END", status
    time, rows = run.take_rows()[:2]
    return time, {channel.name: channel.read(rows) for channel in system.channels}


def middle_of(channels: Mapping[str, Any]) -> Any:
    """How deep the roller, or bush, in the middle of the chain is in the rail. [m]"""
    return ROLLER - channels["roller_position"][:, LAYS // 2, 1]


def soft_rail(method: str) -> list[Row]:
    """A chain that lies on a soft rail and bounces without parting: depth m g/K, period 2 pi sqrt(m/K) of each roller.

    It begins at half of that depth, in steps of a fortieth of the period.
    """
    deep, period = rest_depth(), 2.0 * math.pi * math.sqrt(LINK_MASS / SOFT)
    step = period / 40.0
    time, channels = course_of(on_a_soft_rail(-0.5 * deep), method, step, 3.2 * period, step)
    off = middle_of(channels) - deep
    rises = np.flatnonzero((off[:-1] < 0.0) & (off[1:] >= 0.0))
    at = time[rises] - off[rises] * step / (off[rises + 1] - off[rises])
    name = "chain on a rail that keeps its spring"
    return [
        Row(name, "depth at rest", "um", method, 1e6 * deep, 1e6 * (deep + off[:120].mean()), 2e-3 * 1e6 * deep),
        Row(name, "period", "ms", method, 1e3 * period, 1e3 * float(np.diff(at).mean()), 3e-3 * 1e3 * period),
        Row(name, "swing", "um", method, 0.5e6 * deep, 1e6 * off.max(), 5e-3 * 1e6 * deep),
    ]
