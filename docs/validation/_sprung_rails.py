"""Chains that lie on a rail which keeps its springs among rigid contacts, beside closed forms and springs everywhere.

Tests assert what the page rigid-chains.md shows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from _chains_on_rails import LINK_MASS, PITCH, ROLLER, G, lying, system_of
from _nonsmooth_rows import Row

from chaindrive.contract.system import System
from chaindrive.solvers import Integrator, SolverSettings

__all__ = ["SOFT", "course_of", "on_a_soft_rail", "rest_depth"]

SOFT = 1e6
"""Stiffness of a rail. [N/m]"""
LINKS = 6
MIXED = {"kind": "roller", "contacts": "rigid", "contact_law": "hertz"}
"""Of a chain on a rail that keeps its springs, without losses."""


def rest_depth(stiffness: float, exponent: float) -> float:
    """How deep a roller lies in the rail by its own weight. [m]"""
    return float((LINK_MASS * G / stiffness) ** (1.0 / exponent))


def on_a_soft_rail(
    height: float,
    formulation: Mapping[str, str] = MIXED,
    stiffness: float = SOFT,
    exponent: float = 1.0,
    speed: float = 0.0,
    **contact: Any,
) -> System:
    """A chain along a straight rail, its rollers so high above the touch [m], which moves downwards and along [m/s]."""
    shape = {"kind": "straight", "start": (-0.1, 0.0), "end": (0.3, 0.0), "side": "right"}
    own = {"stiffness": stiffness, "exponent": exponent, "compliant": True} | contact
    guides = [{"name": "rail", "shape": shape, "contact": own}]
    system = system_of(lying(0.0, 0.02), {"link_damping": 0.0}, formulation, guides=guides)
    n, at = LINKS + 1, system.positions
    if formulation["kind"] == "roller":
        system.state[: 2 * n] = np.concatenate([PITCH * np.arange(n), np.full(n, ROLLER + height)])
        system.state[at + n : at + 2 * n] = -speed
    else:
        raise NotImplementedError
    return system


def course_of(system: System, method: str, step: float, until: float, every: float) -> tuple[np.ndarray, dict[str, Any]]:
    """Times of the rows of a run [s], and its channels."""
    run = Integrator(system, SolverSettings(method=method, step=step), every)
    while (status := run.advance(until)).name == "RUNNING":
        pass
    assert status.name == "REACHED_END", status
    time, rows = run.take_rows()[:2]
    return time, {channel.name: channel.read(rows) for channel in system.channels}
