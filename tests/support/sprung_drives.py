"""Generated drives of three wheels whose slack span is held by an idler: on a sprung slide or arm, under a weight, or
fixed.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from chaindrive.geometry.route import pitch_radius, route
from chaindrive.model import Drive, Wheel

__all__ = ["Hold", "sprung_drive"]

Hold = Literal["slide", "arm", "weight", "fixed"]
PITCHES = {"06B-1": 9.525e-3, "08B-1": 12.7e-3, "10B-1": 15.875e-3}
ARM = 0.2
"""Length of the arm. [m]"""


def sprung_drive(seed: int, hold: Hold, step: float = 0.0, at: float = 0.15) -> Drive:
    """Return a generated drive, with its chain, teeth, distance, speed, load, and stiffness and preload of its spring
    or weight.

    step: increase of the load at the time ``at`` [s], relative to the load.
    """
    random = np.random.default_rng(seed)
    standard = list(PITCHES)[random.integers(3)]
    pitch = PITCHES[standard]
    teeth = int(random.integers(17, 25)), int(random.integers(15, 20)), int(random.integers(24, 45))
    radius = [float(pitch_radius(pitch, z)) for z in teeth]
    far, speed = float(random.uniform(30, 50)) * pitch, float(random.uniform(150, 600)) * math.pi / 30.0
    x = float(random.uniform(0.35, 0.65)) * far
    pushed = float(random.uniform(2.0, 5.0)) * pitch
    y = radius[1] - pushed - radius[0] - (radius[2] - radius[0]) * x / far
    way = route([(0.0, 0.0), (x, y), (far, 0.0)], radius, [1.0, 1.0, 1.0])
    tension = float(random.uniform(100, 500))
    push = tension * float(way.span_direction[1][1] - way.span_direction[0][1])
    stiffness = float(10.0 ** random.uniform(3.0, 4.3))
    load = float(random.uniform(10, 60)) * radius[2] / 0.05
    mass = float(random.uniform(0.3, 1.5))
    tooth = {"form": "iso-606"}
    wheels: list[dict[str, Any]] = [
        {"name": "driver", "teeth": teeth[0], "position": (0.0, 0.0), "tooth": tooth,
         "motion": {"kind": "constant_speed", "speed": speed}},
        {"name": "idler", "teeth": teeth[1], "position": (x, y), "tooth": tooth, "mass": mass,
         "inertia": 0.5 * mass * radius[1] ** 2},
        {"name": "driven", "teeth": teeth[2], "position": (far, 0.0), "tooth": tooth, "load_torque": load,
         "inertia": float(random.uniform(0.01, 0.2)),
         "torque": {"over": "time", "times": [0.0, at, at + 2e-4], "torques": [0.0, 0.0, -step * load]}},
    ]  # fmt: skip
    bodies: list[dict[str, Any]] = []
    tensioners: list[dict[str, Any]] = []
    if hold != "fixed":
        wheels[1]["body"] = "arm"
        pivot = {"kind": "revolute", "position": (x - ARM, y)}
        joint = {"kind": "prismatic", "direction": "270 deg"} if hold == "slide" else pivot
        bodies.append({"name": "arm", "mass": 0.3, "inertia": 2e-3, "centre_of_mass": (x, y), "joint": joint})
    if hold == "weight":
        joint["damping"] = 0.05 * push * ARM
        bodies[0]["mass"] = max(push / 9.81 - mass, 0.5)
    elif hold != "fixed":
        tensioners.append(
            {"name": "spring", "kind": "spring_damper", "from_position": (x, y + 0.3), "to_body": "arm",
             "to_position": (x, y), "stiffness": stiffness, "damping": 0.4 * math.sqrt(stiffness * mass),
             "preload": push}
        )  # fmt: skip
    return Drive(
        name=f"{hold} {seed}",
        gravity=(0.0, -9.81),
        loop="counterclockwise",
        chain={
            "standard": standard,
            "links": 2 * math.ceil(way.length / pitch / 2.0 + 0.1),
            "joint_damping": "1 N*mm*s/rad",
        },
        contact={"stiffness": "20 GN/m^1.5", "exponent": 1.5, "restitution": 0.2, "friction": 0.1},
        wheels=[Wheel(**each) for each in wheels],
        closing={"wheel": "idler", "direction": "270 deg"},
        bodies=bodies,
        tensioners=tensioners,
    )
