"""How wide the teeth of a wheel are, and how they narrow towards their tips."""

from __future__ import annotations

from chaindrive.model import Chain, Wheel
from chaindrive.model.checks.tilt import side_play
from chaindrive.model.links import link_dimensions

__all__ = ["CHAMFER", "RELIEF", "half_tooth_width", "tip_relief"]

RELIEF = 0.13
"""How much the tip of a tooth is narrower on either side: of the pitch (tooth side relief, ISO 606). [-]"""

SHARPEST = 0.75
"""The most of its width that a tooth loses towards its tip. [-]"""

CHAMFER = 0.5
"""Of the edges of plates, between which teeth find: of the thickness of inner plates. An estimate. [-]"""


def half_tooth_width(chain: Chain, wheel: Wheel) -> float:
    """Half the width of the teeth of a wheel: as given, or after ISO 606. [m]"""
    if wheel.tooth_width is not None:
        return 0.5 * wheel.tooth_width
    return 0.5 * link_dimensions(chain)["inner_width"].value - side_play(chain)


def tip_relief(chain: Chain, half_width: float) -> float:
    """By how much a tooth of that half width is narrower at its tip, on either side. [m]"""
    return min(RELIEF * chain.pitch, SHARPEST * half_width)
