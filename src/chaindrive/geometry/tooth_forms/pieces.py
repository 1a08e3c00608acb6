"""A tooth from a drawing or a measurement: half a gap made of lines and arcs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import atan2, cos, degrees, hypot, pi, sin
from typing import Any

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.guide import Piece, path
from chaindrive.geometry.profile import Arc, Element, Profile, Segment
from chaindrive.geometry.roots import root_to_rounding

__all__ = ["profile"]

OFF_PITCH_CIRCLE = 0.05
"""Distance of a resting roller from the pitch circle, relative to the roller diameter, above which the gap is taken to
belong to a different wheel. [-]
"""
KINK = 1e-3
"""Largest corner at the tip that is taken for a rounding error of the drawing. [rad]"""
SHORT = 1e-5
"""Angle by which a drawing may fall short of the centre line of the tooth; its last piece is then extended. [rad]"""


def profile(
    teeth: int, pitch: float, roller_diameter: float, bottom: float, pieces: Sequence[Mapping[str, Any]]
) -> Profile:
    """Return half a gap, from the middle of its bottom to the centre line of the tooth.

    bottom: distance of the bottom from the centre of the wheel [m]; pieces: each with its length [m] and, for an arc,
    radius [m] and the side to which it bends, tangent to the one before, the first one at right angles to the centre
    line of the gap. Raises InputError if the pieces end before the tooth does, turn back, or fit a different wheel.
    """
    half, radius = pi / teeth, 0.5 * roller_diameter
    pitch_radius = pitch / (2.0 * sin(half))
    if abs(bottom + radius - pitch_radius) > OFF_PITCH_CIRCLE * roller_diameter:
        message = (
            f"a roller in this gap would lie {bottom + radius:.6g} m from the centre of the wheel, but the pitch "
            f"circle of {teeth} teeth has a radius of {pitch_radius:.6g} m: check unit, origin and number of teeth"
        )
        raise InputError(Problem("tooth.bottom", message, f"{bottom:.6g}"))
    try:
        listed = [Piece(p["length"], p.get("radius"), p.get("bend") or "left") for p in pieces]
        elements = _cut(path((0.0, bottom), 0.0, listed, "right"), half)
    except ValueError as error:
        raise InputError(Problem("tooth.pieces", str(error))) from None
    tip = max(hypot(*element.at(part)[0]) for element in elements for part in (0.0, 0.25, 0.5, 0.75, 1.0))
    if tip <= bottom + radius:
        message = "the tooth ends below the centre of a resting roller: nothing would hold the roller"
        raise InputError(Problem("tooth.pieces", message, f"{tip:.6g} m"))
    return Profile(elements, True, tip, bottom + radius)


def _cut(elements: tuple[Element, ...], half: float) -> tuple[Element, ...]:
    """Return the elements up to the centre line of the tooth, at the angle ``half`` [rad] from the centre line of the
    gap. Raises ValueError.
    """

    def beyond(element: Element, part: float) -> float:
        (x, y), _ = element.at(part)
        return atan2(x, y) - half

    for number, element in enumerate(elements):
        ends = beyond(element, 1.0)
        if ends < -1e-12 and not (number == len(elements) - 1 and ends > -SHORT):
            continue
        part = root_to_rounding(partial(beyond, element), 0.0, 1.5, 1e-16) if abs(ends) > 1e-15 else 1.0
        (x, y), (ux, uy) = element.at(part)
        corner = 2.0 * atan2(uy * cos(half) + ux * sin(half), ux * cos(half) - uy * sin(half))
        if abs(corner) > KINK:
            raise ValueError(
                f"has a corner of {degrees(abs(corner)):.3g} deg at the tip of the tooth, over which a roller would "
                "jump: continue the drawing with the rounding of the tip, or the tip circle, up to the centre line "
                "of the tooth"
            )
        return (*elements[:number], _shortened(element, part))
    (x, y), _ = elements[-1].at(1.0)
    raise ValueError(
        f"ends {degrees(atan2(x, y)):.4g} deg from the centre line of the gap; the centre line of the tooth is at "
        f"{degrees(half):.4g} deg: continue up to it"
    )


def _shortened(element: Element, part: float) -> Element:
    if isinstance(element, Segment):
        return Segment(element.start, element.at(part)[0])
    return Arc(
        element.centre,
        element.radius,
        element.start_angle,
        element.start_angle + part * (element.end_angle - element.start_angle),
    )
