"""Drives whose chain runs over two wheels of one shaft and carries a load between them, for tests."""

from __future__ import annotations

import math
from typing import Any

from chaindrive.model import Drive, FreeEnd
from support.open_drives import PITCH, open_drive

__all__ = ["BLOCK", "LARGE", "SMALL", "differential", "radius"]

LARGE, SMALL, PULLEY = 24, 16, 16
"""Teeth of the two wheels of the shaft, and of the pulley in the loop."""
BLOCK = 200.0
"""Mass of the block that hangs from the pulley. [kg]"""
TOOTH = {"form": "iso-606"}


def radius(teeth: int) -> float:
    """Pitch radius. [m]"""
    return PITCH / (2.0 * math.sin(math.pi / teeth))


def differential(
    large: Any = None, small: Any = None, ends: Any = None, run: Any = None, links: int = 84, **fields: Any
) -> Drive:
    """An open chain over the large wheel, around the pulley that carries the load, and over the small wheel.

    Its strands hang vertically; the chain turns the shaft clockwise as it runs from its first end, and lowers the load.
    large, small: further keys of these wheels; ends: of the chain, by default free, 5 kg and 10 kg; run: keys of it.
    """
    across, settings = radius(PULLEY), {"start": "at_rest", "until": 0.1} | (run or {})
    place = -2.0 * radius(LARGE) - across, -0.3
    wheels = (
        {"name": "large", "teeth": LARGE, "position": (-radius(LARGE) - across, 0.0), "inertia": 0.02} | (large or {}),
        {"name": "pulley", "teeth": PULLEY, "position": (0.0, -0.4), "side": "back", "body": "block", "mass": 2.0,
         "inertia": 0.005},
        {"name": "small", "teeth": SMALL, "position": (radius(SMALL) + across, 0.0), "inertia": 0.01,
         "shaft_with": "large"} | (small or {}),
    )  # fmt: skip
    return open_drive(
        ends or (FreeEnd(mass=5.0, position=place), FreeEnd(mass=10.0)),
        links,
        loop="clockwise",
        chain={"link_stiffness": 1e7},
        wheels=tuple({"tooth": TOOTH} | wheel for wheel in wheels),
        bodies=({"name": "block", "mass": BLOCK - 2.0, "joint": {"kind": "prismatic", "direction": "90 deg"}},),
        until=settings.pop("until"),
        run=settings,
        **fields,
    )
