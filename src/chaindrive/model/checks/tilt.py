"""Cross-checks of wheels that tilt, see ``checks``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from chaindrive.errors import Problem
from chaindrive.model.body import GROUND
from chaindrive.model.chain import Chain
from chaindrive.model.links import link_dimensions

if TYPE_CHECKING:
    from chaindrive.model.checks.parts import Parts

__all__ = ["TILT_CHECKS", "out_of_the_plane", "side_play"]

WIDEST_PITCH = 12.7e-3
"""Largest pitch for which teeth are 0.93 inner widths wide according to ISO 606; for larger pitches 0.95. [m]"""


def side_play(chain: Chain) -> float:
    """Return the distance by which teeth of a standard sprocket may be out of the plane of the chain, on either side.
    [m]

    It is half the difference between the inner width and the width of a tooth (ISO 606, one strand). Beyond this
    distance, plates are pressed against the sides of teeth, with forces that are not in the plane.
    """
    narrower = 0.07 if chain.pitch <= WIDEST_PITCH else 0.05
    return 0.5 * narrower * link_dimensions(chain)["inner_width"].value


def out_of_the_plane(parts: Parts) -> Iterator[Problem]:
    """Yield parts that a planar model does not support: offset wheels, and teeth that reach the plates."""
    for index, wheel in parts.present_wheels():
        if wheel.offset != 0.0:
            message = "must be 0 or omitted in a planar model; formulation = 'spatial' supports it"
            yield Problem(f"wheels[{index}].offset", message, f"{wheel.offset:g}")
        if wheel.lateral_stiffness is not None:
            message = "a planar model has no motion out of the plane: omit it, or use formulation = 'spatial'"
            yield Problem(f"wheels[{index}].lateral_stiffness", message, f"{wheel.lateral_stiffness:g}")
        if wheel.lateral_motion is not None:
            message = "a planar model has no motion out of the plane: omit it, or use formulation = 'spatial'"
            yield Problem(f"wheels[{index}].lateral_motion", message, repr(wheel.lateral_motion.kind))
        if wheel.cogs:
            message = "are out of line with the chain, which a planar model cannot show: use formulation = 'spatial'"
            yield Problem(f"wheels[{index}].cogs", message, ", ".join(str(cog.teeth) for cog in wheel.cogs))
    if parts.chain is None:
        return
    play = side_play(parts.chain)
    for index, wheel in parts.present_wheels():
        radius = 0.5 * parts.chain.pitch / math.sin(math.pi / wheel.teeth)
        run = radius * math.sin(min(math.hypot(*wheel.tilt), 0.5 * math.pi))
        if run > play:
            message = (
                f"the teeth of {wheel.name!r} would run {run:.3g} m out of the plane of the chain on its pitch "
                f"circle, but the teeth of a standard wheel have only {play:.3g} m of play between the plates. The "
                f"tilt may be at most {math.degrees(math.asin(min(play / radius, 1.0))):.3g} deg: otherwise the teeth "
                "would press on the plates from the side, which only formulation = 'spatial' models"
            )
            yield Problem(f"wheels[{index}].tilt", message, repr(list(wheel.tilt)))


def _alone(parts: Parts) -> Iterator[Problem]:
    """Yield missing requirements of tilted wheels, and keys that they do not support."""
    for index, wheel in parts.present_wheels():
        if wheel.shaft is not None and wheel.mass is None:
            yield Problem(f"wheels[{index}].mass", "is missing: the wheel moves on its shaft and needs its mass")
        if wheel.lateral_stiffness is not None and wheel.mass is None:
            yield Problem(f"wheels[{index}].mass", "is missing: the wheel moves along its axis and needs its mass")
        if wheel.lateral_stiffness is None and wheel.lateral_damping != 0.0:
            message = "applies only with lateral_stiffness: give that too, or omit this"
            yield Problem(f"wheels[{index}].lateral_damping", message, f"{wheel.lateral_damping:g}")
        if wheel.lateral_motion is not None and wheel.lateral_stiffness is not None:
            message = "a spring has no effect on a prescribed motion: give lateral_stiffness or lateral_motion"
            yield Problem(f"wheels[{index}].lateral_motion", message, repr(wheel.lateral_motion.kind))
        if wheel.shaft is not None and wheel.body != GROUND:
            message = "must be 'ground' on an elastic shaft: the clamp of the shaft does not move"
            yield Problem(f"wheels[{index}].body", message, repr(wheel.body))
        if wheel.unbalance is not None and (wheel.shaft is not None or any(wheel.tilt)):
            message = "cannot be given for a wheel that tilts: put it on a body with two springs instead"
            yield Problem(f"wheels[{index}].unbalance", message)


TILT_CHECKS: tuple[Callable[[Parts], Iterator[Problem]], ...] = (_alone,)
