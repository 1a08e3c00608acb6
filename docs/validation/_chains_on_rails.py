"""Chains of rollers whose contacts stay closed, and one whose contacts close, to show the order of a method.

Tests assert what the page rigid-chains-of-second-order.md shows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.solvers import Integrator, SolverSettings

__all__ = [
    "CURVED",
    "LINKS",
    "PIVOT",
    "RADIUS",
    "UNTIL",
    "G",
    "end_of",
    "landing",
    "on_a_curve",
    "orders",
    "pendulum",
    "swinging",
]

G = 9.81
PITCH, LINK_MASS, LINKS = 0.0254, 0.07, 6
"""Pitch [m], mass of a link [kg] and number of links of a 16A chain."""
UNTIL, RADIUS, ROLLER = 0.05, 0.3, 0.5 * 0.01588
"""End of the runs [s]; radius of a rail that is an arc, and of the rollers on it [m]."""
PIVOT = (0.0, -0.1)
"""Point in the plane about which a rail turns. [m]"""
RIGID = {"kind": "roller", "contacts": "rigid"}
CURVED = {"hollow": 1.0, "crest": -1.0}
"""Rails that bend upwards and downwards: the sign of their curvature."""


def system_of(ends: Any, chain: dict[str, float], formulation: Mapping[str, str] = RIGID, **parts: Any) -> System:
    """The system of a chain of rollers or links, in its initial position."""
    own = {"pitch": PITCH, "link_mass": LINK_MASS, "link_stiffness": 1e8, "roller_diameter": 2.0 * ROLLER}
    drive = cd.Drive(
        name="chain on a rail",
        gravity=(0.0, -G),
        chain=own | {"links": LINKS, "ends": ends} | chain,
        contact={"stiffness": 1e9},
        run={"start": "as_placed", "formulation": formulation},
        **parts,
    )
    return compile_system(drive, drive.run.formulation, True)


def end_of(system: System, method: str, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the rollers at the end of a run, (2, N) [m], and the forces on them in rows from 10 ms on [N]."""
    run = Integrator(system, SolverSettings(method=method, step=step), 2e-3)
    while (status := run.advance(UNTIL)).name == "RUNNING":
        pass
    assert status.name == "REACHED_END", status
    force = system.channel("contact_force").read(run.take_rows()[1])
    return run.state[: 2 * (LINKS + 1)].reshape(2, -1), force[5:]


def orders(errors: list[float]) -> np.ndarray:
    """Orders of convergence from each step to half of it."""
    return np.log2(np.array(errors[:-1]) / errors[1:])


def swinging() -> System:
    """A chain without contacts, released at an angle, with damping in its joints, which is explicit for rollers."""
    ends = [
        {"kind": "ground", "position": (0.0, 0.0), "stiffness": 1e9, "damping": 0.0},
        {"kind": "free", "mass": 0.5 * LINK_MASS, "direction": -0.6},
    ]
    return system_of(ends, {"link_damping": 300.0, "joint_damping": 2e-2})


def lying(x: float, y: float) -> list[dict[str, Any]]:
    """The free ends of a chain that begins at this point and lies along x."""
    end = {"kind": "free", "mass": 0.5 * LINK_MASS}
    return [end | {"position": (x, y), "direction": 0.0}, end]


def on_a_curve(
    way: str,
    friction: float,
    angle: float,
    speed: float,
    turn: float = 0.0,
    springs: Mapping[str, Any] = MappingProxyType({}),
    formulation: Mapping[str, str] = RIGID,
) -> tuple[System, float]:
    """A chain that lies on an arc, with its middle at an angle from the lowest or highest point [rad], and slides at a
    speed [m/s]; also the radius on which its rollers move [m].

    way: key of CURVED; turn: angle by which the rail turns about PIVOT until the end [rad]; springs: additional options
    of its contact.
    """
    sign, span = CURVED[way], 1.2
    radius = RADIUS - sign * ROLLER
    start = (-RADIUS * math.sin(span), sign * RADIUS * (1.0 - math.cos(span)))
    piece = {"length": 2.0 * span * RADIUS, "radius": RADIUS, "bend": "left" if sign > 0.0 else "right"}
    shape = {"kind": "path", "start": start, "direction": -sign * span, "side": "right", "pieces": [piece]}
    rail: dict[str, Any] = {
        "name": "rail",
        "shape": shape,
        "contact": {"stiffness": 1e9, "friction": friction} | springs,
    }
    motion = {"kind": "move", "by": turn, "duration": UNTIL}
    joint = {"kind": "revolute", "position": PIVOT, "motion": motion}
    cradle = {"name": "cradle", "mass": 1.0, "inertia": 1.0, "centre_of_mass": PIVOT, "joint": joint}
    carried = {"bodies": [cradle], "guides": [rail | {"body": "cradle"}]} if turn else {"guides": [rail]}
    system = system_of(lying(-3.0 * PITCH, 0.05), {"link_damping": 0.0}, formulation, **carried)
    n, at = LINKS + 1, system.positions
    places = angle + 2.0 * math.asin(0.5 * PITCH / radius) * (np.arange(n) - 0.5 * LINKS)
    x, y = radius * np.sin(places), sign * (RADIUS - radius * np.cos(places))
    system.state[: 2 * n] = np.concatenate([x, y])
    system.state[at : at + 2 * n] = speed * np.concatenate([np.cos(places), sign * np.sin(places)])
    return system, radius


def pendulum(way: str, radius: float, angle: float, speed: float) -> complex:
    """Position of the middle of such a chain at the end, without friction, from phi'' = -+(g/r) sin(phi) sum(m
    cos)/sum(m).
    """
    sign = CURVED[way]
    apart = 2.0 * math.asin(0.5 * PITCH / radius) * (np.arange(LINKS + 1) - 0.5 * LINKS)
    share = float(np.cos(apart).mean())  # rollers have one mass, those at the ends by what is put there

    def rates(_: float, y: np.ndarray) -> list[float]:
        return [y[1], -sign * G / radius * share * math.sin(y[0])]

    phi = float(solve_ivp(rates, (0.0, UNTIL), [angle, speed / radius], rtol=1e-11, atol=1e-13).y[0, -1])
    return complex(radius * math.sin(phi), sign * (RADIUS - radius * math.cos(phi)))


def landing() -> System:
    """An inclined chain that falls on a straight rail and lands on it roller by roller."""
    rail = {"kind": "straight", "start": (-0.1, 0.0), "end": (0.3, 0.0), "side": "right"}
    contact = {"stiffness": 1e9, "friction": 0.1}
    system = system_of(
        lying(0.0, 0.02), {"link_damping": 300.0}, guides=[{"name": "rail", "shape": rail, "contact": contact}]
    )
    n, at = LINKS + 1, system.positions
    system.state[: 2 * n] = np.concatenate([PITCH * np.arange(n), np.full(n, ROLLER + 1e-3)])
    system.state[at + n : at + 2 * n] = -0.3 - 0.02 * np.arange(n)
    return system
