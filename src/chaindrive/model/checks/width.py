"""Cross-checks of parts with a width, for 'spatial': teeth between plates, and joints with out-of-plane play."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from chaindrive.errors import Problem
from chaindrive.model.checks.tilt import side_play
from chaindrive.model.links import link_dimensions
from chaindrive.model.wheel import Wheel

if TYPE_CHECKING:
    from chaindrive.model.checks.parts import Parts

__all__ = ["widths"]

MOST_TILT = 0.1
"""Largest tilt, at which the projection of a wheel onto the drawing plane differs from a circle by half a percent.
[rad]
"""


def widths(parts: Parts) -> Iterator[Problem]:
    """Refuse teeth that do not fit between the plates, wheels that are tilted too far, and play that lets plates pass
    through each other.
    """
    if parts.chain is None:
        return
    size = link_dimensions(parts.chain)
    room, plate = size["inner_width"].value, size["inner_link.plate_thickness"].value
    for index, wheel in parts.present_wheels():
        if wheel.tooth_width is not None and wheel.tooth_width >= room:
            message = f"must be less than the inner width of the chain, {room:g} m: the plates pass beside the teeth"
            yield Problem(f"wheels[{index}].tooth_width", message, f"{wheel.tooth_width:g}")
        yield from _narrow_wide(index, wheel, room - 2.0 * side_play(parts.chain), room + 2.0 * plate)
        if math.hypot(*wheel.tilt) > MOST_TILT:
            message = f"must be at most {math.degrees(MOST_TILT):g} deg: beyond that, tooth gaps can no longer be found"
            given = ", ".join(f"{math.degrees(angle):g} deg" for angle in wheel.tilt)
            yield Problem(f"wheels[{index}].tilt", message, f"[{given}]")
    play, most = parts.chain.sideways.pin_play, min(plate, 0.5 * room)
    if play is not None and play > most:
        message = (
            f"must be at most {most:g} m, the thickness of an inner plate or half of the inner width: with more play, "
            "inner plates would pass through outer plates; a few tenths of a millimetre are typical"
        )
        yield Problem("chain.sideways.pin_play", message, f"{play:g}")
    reach = 0.5 * min(size["inner_link.plate_depth"].value, size["outer_link.plate_depth"].value)
    most = math.atan2(plate, reach)
    for name in ("bend_play", "twist_play"):
        angle = getattr(parts.chain.sideways, name)
        if angle is not None and angle > most:
            message = (
                f"must be at most {most:.3g} rad ({math.degrees(most):.3g} deg): at larger angles, the rims of inner "
                f"plates, {plate:g} m thick and {reach:.3g} m from the joint, would pass through the outer plates; "
                "about 1 deg is typical"
            )
            yield Problem(f"chain.sideways.{name}", message, f"{angle:g}")


def _narrow_wide(index: int, wheel: Wheel, usual: float, room: float) -> Iterator[Problem]:
    """Refuse wide teeth that are not wider than the others, do not fit between outer plates, or would meet inner links.

    usual: width of a tooth if none is given [m]; room: width between the outer plates [m].
    """
    wide = wheel.tooth_width_wide
    if wide is None:
        return
    place, narrow = f"wheels[{index}].tooth_width_wide", wheel.tooth_width or usual
    if wide <= narrow:
        message = f"must be more than the width of the narrow teeth, {narrow:g} m, or be omitted"
        yield Problem(place, message, f"{wide:g}")
    if wide >= room:
        message = f"must be less than the room between the outer plates, {room:g} m, which pass beside the teeth"
        yield Problem(place, message, f"{wide:g}")
    if wheel.teeth % 2:
        message = "must be even on a narrow-wide wheel: otherwise inner links meet wide teeth after one turn"
        yield Problem(f"wheels[{index}].teeth", message, str(wheel.teeth))
