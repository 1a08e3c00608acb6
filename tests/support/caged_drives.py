"""A drive in space whose slack span a cage takes up: a ring, a cog, and two pulleys on an arm, as of a bicycle."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.geometry.route import length_in_pitches, pitch_radius, route
from chaindrive.model import Body, Drive, Wheel
from support.small_drives import PITCH, SIDEWAYS, chain, pressed

TEETH = (20, 12, 9, 9)
"""Ring, cog, guide pulley, tension pulley."""
COG = (-0.22, 0.01)
GUIDE = (-0.212, -0.062)
"""Centre of the guide pulley, which is also the pivot of the cage."""
CAGE = 0.05
"""Distance between the pulleys. [m]"""
SIGNS = (-1.0, -1.0, 1.0, -1.0)
"""The chain runs clockwise; the guide pulley is on its back."""


def pulley(theta: float) -> tuple[float, float]:
    """Centre of the tension pulley in the direction ``theta`` from the guide pulley. [m]"""
    return GUIDE[0] + CAGE * math.cos(theta), GUIDE[1] + CAGE * math.sin(theta)


def route_length(theta: float) -> float:
    """Length of the chain along arcs and tangents, in pitches."""
    centres = [(0.0, 0.0), COG, GUIDE, pulley(theta)]
    # The chain meets the ring, the tension pulley, the guide pulley and the cog as it runs.
    order = [0, 3, 2, 1]
    way = route(
        [centres[i] for i in order],
        pitch_radius(PITCH, [TEETH[i] for i in order]),
        [SIGNS[i] for i in order],
    )
    return float(length_in_pitches(way, PITCH, [TEETH[i] for i in order]))


def cage_angle(links: int) -> float:
    """Direction of the cage in which the chain just fits. [rad]"""
    from scipy.optimize import brentq

    return float(brentq(lambda theta: route_length(theta) - links, math.radians(-160.0), math.radians(-20.0)))


def caged(
    links: int = 62, *, joint: Mapping | None = None, offset: float = 0.0, tilt: tuple[float, float] = (0.0, 0.0),
    ring: Mapping | None = None, cog: Mapping | None = None, pulleys: Mapping | None = None, kind: str = "spatial",
    gravity: tuple[float, float] = (0.0, 0.0), options: Mapping | None = None, contact: Mapping | None = None,
    **of_chain: Any,
) -> Drive:  # fmt: skip
    """The drive, its cog and pulleys offset sideways from the ring by ``offset``; ``tilt`` of the pulleys
    [rad]."""
    theta = cage_angle(links)
    form = {"form": "iso-606"}
    driven = {"kind": "constant_speed", "speed": -8.0, "ramp": 0.0}
    of_pulleys = {"mass": 0.02, "inertia": 3e-6, "offset": offset, "tilt": tilt, "body": "cage"} | dict(pulleys or {})
    given: list[dict[str, Any]] = [
        {"name": "ring", "teeth": TEETH[0], "position": (0.0, 0.0), "motion": driven} | dict(ring or {}),
        {"name": "tension", "teeth": TEETH[3], "position": pulley(theta)} | of_pulleys,
        {"name": "guide", "teeth": TEETH[2], "position": GUIDE, "side": "back"} | of_pulleys,
        {"name": "cog", "teeth": TEETH[1], "position": COG, "inertia": 5e-3, "offset": offset} | dict(cog or {}),
    ]
    turning = {"kind": "revolute", "position": GUIDE, "load": -0.6, "damping": 0.02} | dict(joint or {})
    middle = np.mean([GUIDE, pulley(theta)], axis=0)
    cage = Body(name="cage", mass=0.05, inertia=2e-5, centre_of_mass=tuple(middle), joint=turning)
    losses = {"joint_damping": 1e-4, "link_damping": 5.0} if kind != "link" else {"link_damping": 0.0}
    formulation = {"kind": kind} | dict(options or {})
    return Drive(
        name="caged",
        gravity=gravity,
        loop="clockwise",
        chain=chain(links, **({"sideways": SIDEWAYS, "link_mass": 0.0024, "link_stiffness": 3e6} | losses | of_chain)),
        wheels=tuple(Wheel(**({"tooth": form} | w)) for w in given),
        contact=pressed(**({"friction": 0.1, "restitution": 0.5} | dict(contact or {}))),
        bodies=(cage,),
        run={"formulation": formulation, "solver": {"method": "splitting" if kind == "spatial" else "verlet"}},
    )


def compiled(links: int = 62, **given: Any) -> System:
    """The caged drive compiled, at speed."""
    drive = caged(links, **given)
    return compile_system(drive, drive.run.formulation, True)
