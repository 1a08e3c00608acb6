"""Lever arms of a chain on an oval sprocket, and the ratio that follows from them. Pure functions, SI units.

A straight, massless span exerts a torque on the sprocket: its tension times the distance of its line from the axis, the
lever arm h. Without losses, the next wheel, with pitch radius R, transmits the same power: its speed is h/R times that
of the sprocket.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.route import Route, length_in_pitches, oval_route, route
from chaindrive.mechanism.facts import drive_facts

__all__ = ["ellipse_lever", "lever_arms", "oval_text", "route_lengths"]

FloatArray = NDArray[np.float64]

POSITIONS = 360
"""Number of positions in one turn of the sprocket at which its lever arms are computed."""


def ellipse_lever(direction: ArrayLike, long: float, short: float) -> FloatArray:
    """Distance of the tangent of an ellipse from its centre, sqrt(a^2 cos^2 + b^2 sin^2). [m]

    direction: angle from the long axis to the normal of the tangent [rad]; long, short: semi-axes a and b [m].
    """
    angle = np.asarray(direction, dtype=np.float64)
    return np.asarray(np.hypot(long * np.cos(angle), short * np.sin(angle)))


def lever_arms(drive: Any, angle: ArrayLike) -> FloatArray:
    """Return the distances of the straight spans before and after the oval sprocket from its axis, (n, 2). [m]

    angle (n,): rotation of the sprocket (``wheel_angle`` of a result) [rad]. The spans begin and end at the
    outermost rollers, so that polygonal action is included. Wheels are at their drawn positions. Raises InputError if
    the drive has no oval sprocket.
    """
    found = []
    for way in _routes(drive, angle):
        assert way.oval is not None
        w, before = way.oval.wheel, way.span_before(way.oval.wheel)
        ends = ((way.span_end[before], before), (way.span_start[w], w))
        arms = [(place - way.centres[w], way.span_direction[span]) for place, span in ends]
        found.append([abs(x * uy - y * ux) for (x, y), (ux, uy) in arms])
    return np.array(found)


def route_lengths(drive: Any, angle: ArrayLike) -> FloatArray:
    """Return the number of links that fill the route at each angle, (n,). [-] Arguments and errors are those of
    ``lever_arms``.
    """
    pitch, teeth = drive.chain.mean_pitch, [wheel.teeth for wheel in drive.wheels]
    return np.array([length_in_pitches(way, pitch, teeth) for way in _routes(drive, angle)])


def _routes(drive: Any, angle: ArrayLike) -> Iterator[Route]:
    facts = drive_facts(drive)
    if facts.oval is None:
        raise InputError(Problem("wheels", "no wheel is oval: give one of them a pitch_line"))
    path = route([wheel.position for wheel in drive.wheels], facts.pitch_radii, facts.signs, drive.gravity)
    for turned in np.atleast_1d(np.asarray(angle, dtype=np.float64)):
        yield oval_route(path, facts.oval._replace(angle=float(turned)))


def oval_text(drive: Any) -> str:
    """Return a description of an oval sprocket: its radii and, over one turn, its lever arms, the ratios to its
    neighbours and the length of the route.

    Empty for a drive without an oval sprocket.
    """
    facts = drive_facts(drive)
    if facts.oval is None:
        return ""
    w, count = facts.oval.wheel, len(drive.wheels)
    radii, turn = 1e3 * facts.oval.polygon.radii, np.linspace(0.0, 2.0 * np.pi, POSITIONS, endpoint=False)
    arms, spans = lever_arms(drive, turn), []
    for arm, other, span in zip(arms.T, ((w - 1) % count, (w + 1) % count), ((w - 1) % count, w), strict=True):
        ratio = arm / facts.pitch_radii[other]
        spans.append(
            f"span {drive.span_names[span]!r} {1e3 * arm.min():.4g} to {1e3 * arm.max():.4g} mm, "
            f"{drive.wheels[other].name!r} turns {ratio.min():.4g} to {ratio.max():.4g} times as fast"
        )
    needed = route_lengths(drive, turn)
    return (
        f"{drive.wheels[w].name!r} is oval: the rollers seated on it lie {radii.min():.4g} to {radii.max():.4g} mm "
        "from its axis. "
        f"Lever arm over one turn: {'; '.join(spans)}. "
        f"The route takes {needed.min():.3f} to {needed.max():.3f} pitches."
    )
