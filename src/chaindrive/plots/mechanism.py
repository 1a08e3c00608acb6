"""Draws guides, bodies and tensioners."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Circle, Wedge
from numpy.typing import NDArray

from chaindrive.drawing.labels import SYMBOL
from chaindrive.drawing.mechanism import BodyView, GuideView, TensionerView
from chaindrive.drawing.symbols import PISTON, tensioner_lines
from chaindrive.plots.style import INK, RAIL

__all__ = ["draw_mechanism"]

FloatArray = NDArray[np.float64]

_GUIDE_EDGE = "#7A5A1E"
_BODY = "#7D70A8"


def draw_mechanism(
    axes: Axes,
    guides: tuple[GuideView, ...],
    bodies: tuple[BodyView, ...],
    tensioners: tuple[TensionerView, ...],
    scale: float,
) -> None:
    """Draw guides as strips, bodies as bars from the joint to the parts that they carry, and tensioners as springs or
    cylinders.

    scale: inches per metre, so that symbols have the same size in every drawing.
    """
    size = SYMBOL / scale
    if guides:
        strips = [guide.strip for guide in guides]
        axes.add_collection(PolyCollection(strips, facecolors=RAIL, edgecolors=_GUIDE_EDGE, linewidths=0.5, zorder=2))
        surfaces = LineCollection([g.surface for g in guides], colors=_GUIDE_EDGE, linewidths=1.3, zorder=2.5)
        axes.add_collection(surfaces)
    for body in bodies:
        _draw_body(axes, body, size)
    for tensioner in tensioners:
        _draw_tensioner(axes, tensioner, size)


def _draw_body(axes: Axes, body: BodyView, size: float) -> None:
    bars = LineCollection(list(body.bars), colors=_BODY, linewidths=4.5, alpha=0.6, capstyle="round", zorder=4.5)
    axes.add_collection(bars)  # above the chain
    away = body.support
    if body.joint == "prismatic":
        _draw_slider(axes, body, size)
    elif body.on_ground:
        if body.joint == "revolute":
            across = np.array([-away[1], away[0]])
            foot = body.place + 1.5 * size * away
            triangle = [body.place, foot + 0.8 * size * across, foot - 0.8 * size * across]
            axes.add_collection(
                PolyCollection([triangle], facecolors="white", edgecolors=INK, linewidths=0.9, zorder=4.6)
            )
            _draw_ground(axes, foot, away, size, size)
        else:
            _draw_ground(axes, body.place + 0.5 * size * away, away, size, size)
    if body.joint == "revolute":
        x, y = body.place
        axes.add_patch(Circle((x, y), 0.4 * size, facecolor="white", edgecolor=INK, linewidth=1.0, zorder=4.8))
    _draw_centre_of_mass(axes, body.centre, 0.5 * size)


def _draw_slider(axes: Axes, body: BodyView, size: float) -> None:
    """Draw a block between two rails, which are hatched if they are fixed to the ground."""
    along = body.direction
    across = np.array([-along[1], along[0]])
    corners = [
        body.place + a * 1.2 * size * along + b * 0.6 * size * across for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))
    ]
    axes.add_collection(PolyCollection([corners], facecolors="white", edgecolors=INK, linewidths=1.0, zorder=4.7))
    for side in (1.0, -1.0):
        middle = body.place + side * 0.75 * size * across
        if body.on_ground:
            _draw_ground(axes, middle, side * across, 2.2 * size, size)
        else:
            rail = np.stack([middle - 2.2 * size * along, middle + 2.2 * size * along])
            axes.plot(rail[:, 0], rail[:, 1], color=INK, lw=1.0, zorder=4.6)


def _draw_centre_of_mass(axes: Axes, centre: FloatArray, radius: float) -> None:
    x, y = float(centre[0]), float(centre[1])
    axes.add_patch(Circle((x, y), radius, facecolor="white", edgecolor=INK, linewidth=0.8, zorder=4.8))
    for begin in (0.0, 180.0):
        axes.add_patch(Wedge((x, y), radius, begin, begin + 90.0, facecolor=INK, edgecolor="none", zorder=4.9))


def _draw_ground(axes: Axes, place: FloatArray, into: FloatArray, half: float, size: float) -> None:
    """Draw a line normal to a direction that points into the ground, with short strokes on the ground side."""
    across = np.array([-into[1], into[0]])
    strokes = [np.stack([place - half * across, place + half * across])]
    spacing = 0.45 * size
    for along in np.arange(-half + 0.5 * spacing, half, spacing):
        foot = place + along * across
        strokes.append(np.stack([foot, foot + 0.45 * size * (into - 0.7 * across)]))
    widths = [1.1] + [0.7] * (len(strokes) - 1)
    axes.add_collection(LineCollection(strokes, colors=INK, linewidths=widths, zorder=4.6))


def _draw_tensioner(axes: Axes, tensioner: TensionerView, size: float) -> None:
    """Draw a zigzag, or a cylinder with piston and rod, between the two ends of a tensioner."""
    parts, along = tensioner_lines(tensioner, size), tensioner.along
    widths = [2.6 if len(points) == 2 and k == PISTON else 1.2 for k, points in enumerate(parts)]
    axes.add_collection(LineCollection(parts, colors=INK, linewidths=widths, zorder=4.7))
    for place, on_ground, into in zip(tensioner.ends, tensioner.on_ground, (-along, along), strict=True):
        if on_ground:
            _draw_ground(axes, place, into, size, size)
        else:
            axes.add_patch(Circle(tuple(place), 0.22 * size, facecolor=INK, edgecolor=INK, zorder=4.9))
