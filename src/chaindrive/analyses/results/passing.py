"""Link tension for a formulation without links: each link has the tension of the span through which it passes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.loop import loop_zones
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.results.solution import Solution

__all__ = ["passing_advance", "passing_tension", "spans_only"]

FloatArray = NDArray[np.float64]


def spans_only(solution: Solution) -> bool:
    """Return whether the formulation has span tensions but no link tensions."""
    return solution.offers("link_tension") is False and "link_tension" not in solution


def passing_advance(solution: Solution) -> FloatArray:
    """Return the advance of the chain along the loop in pitches, from the rotation of wheel 0, shape (rows,)."""
    angle = np.asarray(solution.values("wheel_angle", item=0), dtype=np.float64)
    return drive_facts(solution.drive).pitches_turned(angle - angle[:1])


def passing_tension(solution: Solution, rows: slice) -> FloatArray:
    """Return the tension of every link, (rows, links) [N]: that of its span, or on a wheel a value interpolated from
    the span before to the span after.

    The tension is assumed to change uniformly along a wrap. Contributions of teeth, rollers and the motion of a link in
    its span are missing. Raises InputError without the channels span_tension and wheel_angle, and for an open chain.
    """
    drive = solution.drive
    zones = [zone for zone in loop_zones(solution) if zone.kind in ("span", "wheel")]
    if drive.chain.ends is not None or not zones:
        raise InputError(
            Problem("link_tension", "is missing, and links of an open chain do not pass through the spans")
        )
    links, count = drive.chain.links, len(drive.wheels)
    spans = np.asarray(solution.values("span_tension", rows), dtype=np.float64)
    place = (np.arange(links) + 0.5 + passing_advance(solution)[rows, None]) % links
    found = np.full(place.shape, np.nan)
    for zone in zones:
        past = (place - zone.start) % links
        length = zone.end - zone.start
        inside = np.isnan(found) & (past <= length + 1e-9)
        before, behind = (zone.index, zone.index) if zone.kind == "span" else (zone.index - 1, zone.index)
        share = past / length if length > 0.0 else np.zeros_like(past)
        tension = (1.0 - share) * spans[:, [before % count]] + share * spans[:, [behind % count]]
        found[inside] = tension[inside]
    return found
