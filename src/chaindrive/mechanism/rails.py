"""Rails of a drive: their surfaces along its route, and the direction in which a slack span hangs beside them."""

from __future__ import annotations

import numpy as np

from chaindrive.errors import InputError, Problem
from chaindrive.geometry import guide as guides
from chaindrive.geometry.route import Route
from chaindrive.geometry.way import nearest_span
from chaindrive.model import Drive
from chaindrive.model.guide import Guide

__all__ = ["contact_radius", "guide_profile", "guided_spans", "hanging_direction", "nearest_span"]


def contact_radius(guide: Guide, roller_radius: float) -> float:
    """Return the distance between roller centre and surface of a guide at which contact begins. [m]"""
    return roller_radius if guide.contact_radius is None else guide.contact_radius


def guide_profile(guide: Guide, route: Route, roller_radius: float, number: int) -> guides.GuideProfile:
    """Return the surface of a guide in the coordinates of the reference configuration.

    Raises InputError for an impossible shape.
    """
    try:
        return guides.profile_of(guide.shape, route, contact_radius(guide, roller_radius))
    except ValueError as error:
        raise InputError(Problem(f"guides[{number}].shape", str(error), guide.shape.kind)) from error


def guided_spans(drive: Drive, route: Route) -> frozenset[int]:
    """Return the spans with guides: for each guide the span nearest to the midpoint between its ends."""
    spans = set()
    for number, guide in enumerate(drive.guides):
        profile = guide_profile(guide, route, 0.5 * drive.chain.roller_diameter, number)
        ends = np.array([profile[0].at(0.0)[0], profile[-1].at(1.0)[0]])
        spans.add(nearest_span(route, tuple(ends.mean(axis=0))))
    return frozenset(spans)


def hanging_direction(drive: Drive, route: Route, span: int) -> tuple[float, float]:
    """Return the direction in which a slack span hangs: away from the guides along it, or with gravity if there are
    none.

    A loop on a single wheel, or between coaxial wheels, hangs with gravity.
    """
    if route.hanging_loop:
        return drive.gravity
    away = np.zeros(2)
    for number, guide in enumerate(drive.guides):
        profile = guide_profile(guide, route, 0.5 * drive.chain.roller_diameter, number)
        if nearest_span(route, guides.middle(profile)[0]) == span:
            ux, uy = route.span_direction[span]
            away += (uy, -ux) if guide.shape.side == "left" else (-uy, ux)
    return (float(away[0]), float(away[1])) if away.any() else drive.gravity
