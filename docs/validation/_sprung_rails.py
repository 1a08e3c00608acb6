"""Chains on a rail that keeps its springs among rigid contacts, compared with closed-form solutions and with runs in
which all contacts have springs.

Tests assert what the page rigid-chains.md shows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from _chains_on_rails import LINK_MASS, PITCH, RIGID, ROLLER, G, lying, system_of
from _nonsmooth_rows import Row
from scipy.linalg import eigh

from chaindrive.contract.system import System
from chaindrive.formulations.link.compile import link_state
from chaindrive.formulations.link.parameters import REVOLUTE
from chaindrive.solvers import Integrator, SolverSettings

__all__ = [
    "LAYS",
    "SOFT",
    "SPRUNG",
    "course_of",
    "depths_of_links",
    "middle_of",
    "on_a_soft_rail",
    "rest_depth",
    "soft_rail",
]

SOFT = 1e6
"""Stiffness of a rail. [N/m]"""
LAYS = 6
"""Number of links of the chain on the rail."""
SPRUNG = RIGID | {"contact_law": "hertz"}
"""Options of a chain on a rail that keeps its springs, without losses."""


def rest_depth(stiffness: float = SOFT, exponent: float = 1.0) -> float:
    """Penetration of a roller into the rail under its own weight. [m]"""
    return float((LINK_MASS * G / stiffness) ** (1.0 / exponent))


def on_a_soft_rail(height: float, formulation: Mapping[str, str] = SPRUNG, fall: float = 0.0, **contact: Any) -> System:
    """A chain parallel to a straight rail, with its rollers at a height above the rail [m], which falls at a speed
    [m/s].

    The contact with the rail is linear and keeps its springs. contact: other options of this contact.
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
    """Times of the rows of a run [s], and its channels. step: 0 for a method that chooses its step."""
    settings = SolverSettings(method=method, step=step) if step > 0.0 else SolverSettings(method=method)
    run = Integrator(system, settings, every)
    while (status := run.advance(until)).name == "RUNNING":
        pass
    assert status.name == "REACHED_END", status
    time, rows = run.take_rows()[:2]
    return time, {channel.name: channel.read(rows) for channel in system.channels}


def middle_of(channels: Mapping[str, Any]) -> Any:
    """Penetration into the rail of the roller or bush in the middle of the chain. [m]"""
    return ROLLER - channels["roller_position"][:, LAYS // 2, 1]


def depths_of_links(system: System, depth: float, time: Any) -> Any:
    """Penetrations of the bushes of links on the rail at these times (T,), if all are released at the same depth [m];
    (T, LAYS + 1). [m]

    They are exact, from the modes of small motions: the coordinates of a link are the heights of its bush and its pin,
    at each of which it also carries what hangs on this end. Inner and outer links differ, so that no two bushes
    oscillate in the same way. A joint connects pin and bush by its stiffness; in a revolute joint both have the same
    height.
    """
    body, stiffness = system.parameters.body, system.parameters.joint.stiffness[1:LAYS]
    inertia, springs, weight = np.zeros((2 * LAYS, 2 * LAYS)), np.zeros((2 * LAYS, 2 * LAYS)), np.zeros(2 * LAYS)
    for i in range(LAYS):
        part, own = system.state[i] / PITCH - i, slice(2 * i, 2 * i + 2)
        centre, turn = np.array([1.0 - part, part]), np.array([-1.0, 1.0]) / PITCH
        inertia[own, own] = body.mass[i] * np.outer(centre, centre) + body.inertia[i] * np.outer(turn, turn)
        weight[own] = body.mass[i] * G * centre
        springs[2 * i, 2 * i] = SOFT
    springs[-1, -1] = SOFT
    if system.parameters.joint_kind == REVOLUTE:
        shape = np.zeros((2 * LAYS, LAYS + 1))
        shape[np.arange(2 * LAYS), np.arange(1, 2 * LAYS + 1) // 2] = 1.0
    else:
        shape, apart = np.eye(2 * LAYS), np.array([[1.0, -1.0], [-1.0, 1.0]])
        for i in range(LAYS - 1):
            springs[2 * i + 1 : 2 * i + 3, 2 * i + 1 : 2 * i + 3] += stiffness[i] * apart
    inertia, springs = shape.T @ inertia @ shape, shape.T @ springs @ shape
    rest = np.linalg.solve(springs, shape.T @ weight)
    squares, modes = eigh(springs, inertia)
    begun = modes.T @ inertia @ (depth - rest)
    swing = rest + (np.cos(np.outer(time, np.sqrt(squares))) * begun) @ modes.T
    return swing if swing.shape[1] == LAYS + 1 else swing[:, [*range(0, 2 * LAYS, 2), 2 * LAYS - 1]]


def soft_rail(method: str) -> list[Row]:
    """A chain that lies on a soft rail and bounces without leaving it: each roller has the depth m g/K and the period 2
    pi sqrt(m/K).

    The run begins at half of this depth, with steps of a fortieth of the period. Bounds: the midpoint rule makes the
    period longer by (omega h)^2 / 12, so that three periods are not exactly 120 rows; the largest row differs from the
    peak by at most half a step.
    """
    deep, period = rest_depth(), 2.0 * math.pi * math.sqrt(LINK_MASS / SOFT)
    step = period / 40.0
    late = (2.0 * math.pi / 40.0) ** 2 / 12.0
    time, channels = course_of(on_a_soft_rail(-0.5 * deep), method, step, 3.2 * period, step)
    off = middle_of(channels) - deep
    rises = np.flatnonzero((off[:-1] < 0.0) & (off[1:] >= 0.0))
    at = time[rises] - off[rises] * step / (off[rises + 1] - off[rises])
    name = "chain on a rail that keeps its spring"
    return [
        Row(name, "depth at rest", "um", method, 1e6 * deep, 1e6 * (deep + off[:120].mean()), 0.5e6 * deep * late),
        Row(name, "period", "ms", method, 1e3 * period, 1e3 * float(np.diff(at).mean()), 1.1 * late * 1e3 * period),
        Row(
            name,
            "amplitude",
            "um",
            method,
            0.5e6 * deep,
            1e6 * off.max(),
            0.5e6 * deep * (1.0 - math.cos(math.pi / 40.0)),
        ),
    ]
