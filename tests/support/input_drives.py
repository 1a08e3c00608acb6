"""Small drives with inputs: torques on wheels, and a wheel on a slide which a hydraulic tensioner pushes."""

from __future__ import annotations

from typing import Any

import chaindrive as cd

__all__ = ["INPUT", "drive", "on_a_slide", "wheels"]

INPUT = {"kind": "input", "mean": 3.0, "largest": 20.0}


def wheels(*first: dict[str, Any]) -> list[dict[str, Any]]:
    given = [
        {"name": "motor", "teeth": 17, "position": (0, 0), "inertia": 0.02},
        {"name": "load", "teeth": 17, "position": (0.20955, 0), "inertia": 0.03},
    ]
    made = zip(given, first or ({"torque": INPUT}, {"load_viscous": 0.1}), strict=True)
    return [one | {"tooth": {"form": "iso-606"}} | other for one, other in made]


def drive(formulation: dict[str, Any], **changes: Any) -> cd.Drive:
    chain = {"standard": "08B-1", "links": 50}
    fields = {"name": "d", "chain": chain, "contact": {"stiffness": 1e9}, "wheels": wheels()}
    return cd.Drive(**fields | {"run": {"formulation": formulation}} | changes)


def on_a_slide(formulation: dict[str, Any], joint: dict[str, Any], supply: Any = 2e5) -> cd.Drive:
    """The driven wheel on a slide, which a spring and a hydraulic tensioner push."""
    motor, load = wheels({"motion": {"kind": "constant_speed", "speed": 40.0}}, {"body": "slide", "mass": 0.5})
    slide = {"name": "slide", "mass": 1.0, "joint": {"kind": "prismatic", "direction": 0.0, "stiffness": 1e5} | joint}
    piston = {
        "name": "piston", "kind": "hydraulic", "from_position": (0.3, 0.0), "to_body": "slide",
        "to_position": (0.2, 0.0), "piston_diameter": 0.01, "chamber_length": 0.05, "supply_pressure": supply,
        "check_valve": {"diameter": 0.003}, "leakage": {"gap": 3e-5, "length": 0.02}, "oil": {"viscosity": 0.01},
    }  # fmt: skip
    return drive(formulation, wheels=[motor, load], bodies=[slide], tensioners=[piston])
