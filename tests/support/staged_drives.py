"""Drives of two chains on one shaft, and of one chain with rotors, for tests."""

from __future__ import annotations

import math
from typing import Any

import pytest
from numba.core import config

from chaindrive.contract.system import System
from chaindrive.model import Drive

compiled_only = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")

PITCH, TEETH = 0.0127, (17, 34, 19, 38)
"""Pitch of all chains [m]; teeth of both wheels of the first and of the second chain."""
LOAD = 60.0
TOOTH = {"form": "iso-606"}


def wheel(name: str, teeth: int, x: float, **given: Any) -> dict[str, Any]:
    return {"name": name, "teeth": teeth, "position": (x, 0.0), "tooth": TOOTH, "inertia": 2e-3} | given


def distance(teeth: tuple[int, int], links: int) -> float:
    """Centre distance at which a chain closes taut, by the closed-form solution of two wheels. [m]"""
    from scipy.optimize import brentq

    radii = [PITCH / (2.0 * math.sin(math.pi / z)) for z in teeth]

    def missing(c: float) -> float:
        tilt = math.asin((radii[1] - radii[0]) / c)
        wraps = ((math.pi - 2.0 * tilt) * teeth[0] + (math.pi + 2.0 * tilt) * teeth[1]) / (2.0 * math.pi)
        return 2.0 * c * math.cos(tilt) / PITCH + wraps - links

    return float(brentq(missing, 0.15, 2.0))


def two_stages(kind: str = "block", *, options: Any = None, shaft: Any = None, **given: Any) -> Drive:
    """Two chains, 17:34 and 19:38 teeth, on one shaft; the last wheel is loaded."""
    chain = {"standard": "08B-1", "links": 80, "link_damping": 5.0}
    first = (
        wheel("motor", 17, 0.0, motion={"kind": "constant_speed", "speed": 60.0}) | given.get("motor", {}),
        wheel("middle", 34, distance(TEETH[:2], 80)) | given.get("middle", {}),
    )
    second = (
        wheel("small", 19, 0.0) | given.get("small", {}),
        wheel("drum", 38, distance(TEETH[2:], 90), load_torque=LOAD) | given.get("drum", {}),
    )
    stage = {
        "name": "second",
        "shaft": {"from_wheel": "middle", "to_wheel": "small"} | (shaft or {}),
        "chain": chain | {"links": 90} | given.get("second_chain", {}),
        "wheels": second,
    }
    return Drive(
        name="two stages",
        gravity=(0.0, 0.0),
        chain=chain | given.get("chain", {}),
        contact={"stiffness": 5e8, "exponent": 1.5, "restitution": 0.5},
        wheels=first,
        stages=(stage,),
        run={
            "until": 0.05,
            "start": "at_speed",
            "formulation": {"kind": kind} | (options or {}),
            "save": {"rate": 2000.0},
        },
    )


def at(system: System, name: str, state: Any = None) -> Any:
    return system.channel(name).read(system.row(0.0, system.state if state is None else state))


def effective(teeth: int) -> float:
    """Radius of the chain on a wheel in the chain drive block. [m]"""
    return PITCH * teeth / (2.0 * math.pi)


CHAIN = {"standard": "08B-1", "links": 80, "link_damping": 5.0}


def with_rotors(
    *rotors: dict[str, Any], kind: str = "block", run: dict[str, Any] | None = None, **wheels: dict[str, Any]
) -> Drive:
    """A chain of 17:34 teeth with rotors; wheels: further keys of "front" and "rear"."""
    return Drive(
        name="with rotors",
        gravity=(0.0, 0.0),
        chain=CHAIN,
        contact={"stiffness": 5e8, "exponent": 1.5, "restitution": 0.5},
        wheels=(
            wheel("front", 17, 0.0) | wheels.get("front", {}),
            wheel("rear", 34, distance(TEETH[:2], 80)) | wheels.get("rear", {}),
        ),
        rotors=rotors,
        run={
            "until": 0.05,
            "start": "at_speed",
            "formulation": {"kind": kind} | ({"joint": "ideal"} if kind == "link" else {}),
            "save": {"rate": 2000.0},
        }
        | (run or {}),
    )
