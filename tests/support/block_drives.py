"""Drives of the chain drive block with round numbers: radii of 0.05 and 0.1 m, everything else as each test
requires.
"""

from __future__ import annotations

import math
from typing import Any

import chaindrive as cd
from chaindrive.model import Chain, Contact, Drive, Wheel

STIFFNESS = 1e5
RADII = 0.05, 0.1
INERTIAS = 0.01, 0.05
PITCH = 2.0 * math.pi * RADII[0] / 20
"""20 teeth then have a radius of 0.05 m, 40 teeth one of 0.1 m."""
EXACT = {
    "rtol": 0.0,
    "atol_angle": 1e-12,
    "atol_angular_speed": 1e-10,
    "rtol_work": 1e-6,
}
"""Tolerances with which periods are correct to 1e-6: the edges of slack are kinks, which the step-size control
resolves.
"""


def wheel(name: str, teeth: int, x: float, y: float = 0.0, **more: Any) -> Wheel:
    return Wheel(name=name, teeth=teeth, position=(x, y), tooth={"form": "iso-606"}, **more)


def chain(links: int = 94, **more: Any) -> Chain:
    given = {"pitch": PITCH, "roller_diameter": 0.008, "link_mass": 0.03, "link_stiffness": 5e6, "link_damping": 0.0}
    return Chain(**{**given, "links": links} | more)


def two_wheels(
    first: dict[str, Any] | None = None, second: dict[str, Any] | None = None, preload: Any = None, **options: Any
) -> Drive:
    """Wheels of 0.05 and 0.1 m, 0.5 m apart; the first turns freely at -1 rad/s unless it has a motion.

    first, second: more of the wheels. options: of the block; stiffness 1e5 N/m and no slack unless they say so.
    """
    first, second = dict(first or {}), dict(second or {})
    if "motion" not in first and "initial_speed" not in second:
        first.setdefault("initial_speed", -1.0)
    wheels = (
        wheel("a", 20, 0.0, **{"inertia": INERTIAS[0]} | first),
        wheel("b", 40, 0.5, **{"inertia": INERTIAS[1]} | second),
    )
    options = {"kind": "block", "stiffness": STIFFNESS, "slack": 0.0, "damping": 0.0} | options
    if preload is not None:
        options.pop("slack")
    run = {"until": 1.0, "formulation": options, "solver": EXACT, "save": {"rate": 5000.0, "precision": "double"}}
    return Drive(name="two", chain=chain(), wheels=wheels, contact=Contact(stiffness=1e10), run=run, preload=preload)


def five_wheels(**options: Any) -> Drive:
    """Wheels of many sizes, one on the back of the chain; no two spans are of one length."""
    motion = {"kind": "constant_speed", "speed": 30.0}
    wheels = (
        wheel("driver", 20, 0.0, 0.0, motion=motion),
        wheel("big", 40, 0.9, 0.1, inertia=0.05, load_torque=6.0, bearing_friction=0.3),
        wheel("top", 25, 1.0, 0.7, inertia=0.02, load_viscous=0.02),
        wheel("back", 15, 0.5, 0.42, inertia=0.004, side="back", bearing_damping=0.001),
        wheel("last", 18, 0.1, 0.8, inertia=0.01, unbalance={"mass_moment": 0.02, "angle": 0.3}),
    )
    options = {"kind": "block", "slack": 1e-3} | options
    run = {"until": 1.0, "formulation": options, "solver": EXACT, "save": {"rate": 2000.0}}
    return Drive(name="five", chain=chain(254), wheels=wheels, contact=Contact(stiffness=1e10), run=run)


def relative_speed(speed: float) -> list[dict[str, Any]]:
    """Targets with which x' = R_a w_a - R_b w_b = speed [m/s], the two not turning together, all angles zero."""
    return [
        {"variable": "angle", "wheel": 0, "value": 0.0},
        {"variable": "angle", "wheel": 1, "value": 0.0},
        {"variable": "speed", "wheel": 0, "value": 0.5 * speed / RADII[0]},
        {"variable": "speed", "wheel": 1, "value": -0.5 * speed / RADII[1]},
    ]


def run(drive: Drive, until: float, **more: Any) -> cd.Solution:
    return cd.simulate(drive, until, **more)
