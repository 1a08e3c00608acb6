"""Drawings of a drive, to scale."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import Collection, EllipseCollection, LineCollection, PolyCollection
from matplotlib.colors import Colormap, Normalize, to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Arc as ArcPatch
from matplotlib.patches import Circle
from numpy.typing import NDArray

from chaindrive.drawing.labels import LABEL_POINTS, place_labels
from chaindrive.drawing.links import LinksView
from chaindrive.drawing.scene import Scene, scene_of
from chaindrive.drawing.variator import Above, above_of
from chaindrive.mechanism.layout import route_in_pitches
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.mechanism import draw_mechanism
from chaindrive.plots.style import INK, LINE, MARK, heading, new_figure, scale_for, wheel_colour
from chaindrive.plots.tables import table

if TYPE_CHECKING:
    from pandas import DataFrame

    from chaindrive.simulation.at_rest import AtRest

__all__ = [
    "Colouring",
    "circles",
    "data_drive",
    "draw_scene",
    "drawing_limits",
    "equal_axes",
    "inner_first",
    "plate_collection",
    "plot_drive",
    "scale_of",
    "size_for",
]


class Colouring(NamedTuple):
    """Colours of the links, from one value per link."""

    values: NDArray[np.float64]
    norm: Normalize
    colours: Colormap


def _drive(drive: Any, rest: AtRest | None = None) -> tuple[Any, AtRest | None, Scene]:
    """The drive is shown at rest, or with its chain placed on the route if rest is None. In the latter case guides are
    ignored, so that the chain may run through them. The figure states what it shows. Raises InputError if the chain
    cannot be placed or a guide cannot be constructed.
    """
    if rest is None:
        return drive, None, scene_of(drive)
    places = (rest.rollers, rest.wheel_angles, rest.wheel_positions, rest.body_positions, rest.body_angles)
    return drive, rest, scene_of(drive, *places, rest.link_angles)


@tabulates(_drive)
def data_drive(drive: Any, rest: AtRest | None, scene: Scene) -> DataFrame:
    """The points drawn by :func:`plot_drive`, with a row for each: the part, its number and name, x and y [m].

    The parts are tooth outlines (closed), centres of the wheels with the radius of the pitch circle [m], ends of the
    spans, centres of the rollers, outlines of the plates (closed) and centres of the pins of rigid links, surfaces of
    guides, lines from the joint of each body to the parts that it carries, and ends of tensioners.
    """
    import pandas

    way = scene.route
    blocks = []

    def add(part: str, number: int, name: str, points: Any, radius: float = math.nan) -> None:
        x, y = np.reshape(points, (-1, 2)).T
        size = len(x)
        words = {"part": [part] * size, "number": [number] * size, "name": [name] * size}
        blocks.append(table({**words, "x [m]": x, "y [m]": y, "radius [m]": np.full(size, radius)}))

    for w, name in enumerate(scene.names):
        add("wheel", w, name, way.centres[w], float(way.radii[w]))
        add("rim" if drive.sheaves else "tooth outline", w, name, scene.outlines[w])
    for k in range(len(way.span_length)):
        add("span", k, drive.span_names[k], [way.span_start[k], way.span_end[k]])
    for i, point in enumerate(scene.rollers):
        add("pin" if drive.sheaves else "roller", i, "", point, 0.5 * scene.roller_diameter)
    if scene.links is not None:
        plates, pins = scene.links.plates, scene.links.pins
        for i, pin in enumerate(pins):
            if i < len(plates):  # an open chain has one pin more
                add("plate", i, "", plates[i])
            add("pin", i, "", pin, scene.links.sizes.pin)
    if drive.sheaves:  # along the line of the centres, and along the axes
        seen = above_of(drive, scene.rollers)
        for k, outline in enumerate(seen.sheaves):
            add("sheave from above", k % 2, scene.names[k // 2], outline)
        for i, ends in enumerate(seen.pins):
            add("pin from above", i, "", ends)
    for number, guide in enumerate(scene.guides):
        add("guide", number, guide.name, guide.surface)
    for number, body in enumerate(scene.bodies):
        add("body", number, body.name, body.bars)
    for number, tensioner in enumerate(scene.tensioners):
        add("tensioner", number, tensioner.name, tensioner.ends)
    return pandas.concat(blocks, ignore_index=True)


@draws(_drive)
def plot_drive(drive: Any, rest: AtRest | None, scene: Scene) -> Figure:
    """Draw a drive to scale.

    The drawing shows true tooth outlines, pitch circles, rollers, spans with their numbers and lengths, wheels with
    name, number of teeth, prescribed speed, wrap angle and direction of rotation, guides, bodies with their joints,
    tensioners, and the direction of gravity. A variator is also drawn from above, with its sheaves cut along their
    axes.
    """
    scale = scale_of(scene, 8.8)
    width, height = size_for(scene, scale)
    if drive.sheaves:
        seen = above_of(drive, scene.rollers)
        below = 2.0 * seen.half * scale + 1.0
        figure = new_figure(width, height + below)
        axes, from_above = figure.subplots(2, 1, height_ratios=(height, below))
        _draw_above(from_above, seen, drive)
    else:
        figure = new_figure(width, height)
        axes = figure.add_subplot()
    draw_scene(axes, scene, scale)
    chain = drive.chain
    unit = scale_for(chain.pitch, "m")
    pitches = route_in_pitches(drive, scene.route.centres)
    remark = f"{chain.links} links of {chain.pitch * unit.factor:.5g} {unit.unit}; route {pitches:.2f} pitches"
    remark += f"; {_shown(drive, rest)}"
    axes.set_title(drive.name, loc="left", pad=18)
    axes.annotate(remark, (0, 1), (0, 5), "axes fraction", textcoords="offset points", fontsize=8.5, color="#55606A")
    return figure


def _draw_above(axes: Axes, seen: Above, drive: Any) -> None:
    """Draw a variator from above."""
    lower, upper = seen.plates[~seen.upper], seen.plates[seen.upper]
    axes.add_collection(PolyCollection(list(lower), facecolors=LINE, alpha=0.12, linewidths=0.0, zorder=1))
    axes.add_collection(
        PolyCollection(list(seen.sheaves), facecolors="#EDF1F4", edgecolors="#5B6770", linewidths=0.7, zorder=2)
    )
    axes.add_collection(PolyCollection(list(upper), facecolors=LINE, alpha=0.35, linewidths=0.0, zorder=3))
    axes.add_collection(LineCollection(list(seen.pins), colors=LINE, linewidths=1.0, zorder=4))
    places = np.concatenate(seen.sheaves)[:, 0]
    left, right = float(places.min()), float(places.max())
    margin = 0.02 * (right - left)
    equal_axes(axes, (left - margin, right + margin, -seen.half - margin, seen.half + margin))
    axes.set_xlabel(f"along the line of centres {axes.get_xlabel().removeprefix('x ')}")
    axes.set_ylabel(f"along the axes {axes.get_ylabel().removeprefix('y ')}")
    angle = f"half angle {np.degrees(drive.chain.pins.half_angle):.3g}°"
    heading(axes, "From above", f"sheaves cut along their axes, thickness not to scale; {angle}")


def _shown(drive: Any, rest: AtRest | None) -> str:
    """Text that states which state of the drive is shown."""
    if rest is not None:
        return "at rest" if rest.found else f"not at rest ({rest.residual:.3g} N unbalanced)"
    return "chain as placed, guides neglected" if drive.guides else "chain as placed"


def scale_of(scene: Scene, longest: float) -> float:
    """Scale [inches/m] at which the longer side of the scene has a given length [inches]."""
    left, right, bottom, top = scene.extent
    return longest / max(right - left, top - bottom)


def size_for(scene: Scene, scale: float, details: bool = True) -> tuple[float, float]:
    """Width and height of a figure [inches] that holds the scene with its labels at a scale [inches/m]."""
    left, right, bottom, top = drawing_limits(scene, scale, details)
    return max((right - left) * scale + 0.9, 4.0), max((top - bottom) * scale + 1.0, 2.5)


def drawing_limits(scene: Scene, scale: float, details: bool) -> tuple[float, float, float, float]:
    """Left, right, bottom and top [m] of a scene with its labels and a margin."""
    left, right, bottom, top = scene.extent
    boxes = np.array([label.box(scale) for label in place_labels(scene, scale, details)]).reshape(-1, 4)
    margin = 0.25 / scale
    return (
        min([left, *boxes[:, 0]]) - margin,
        max([right, *boxes[:, 1]]) + margin,
        min([bottom, *boxes[:, 2]]) - margin,
        max([top, *boxes[:, 3]]) + margin,
    )


def draw_scene(
    axes: Axes, scene: Scene, scale: float, details: bool = True, colouring: Colouring | None = None
) -> Collection:
    """Draw a scene into axes with equal scales and return the links with their colours.

    scale: inches per metre, which determines where labels fit; details: whether to draw pitch circles, full labels of
    wheels, labels of spans, guides and bodies, and gravity as well; colouring: colours of the links, whose rollers are
    then omitted. Rigid links are drawn as plates with pins.
    """
    equal_axes(axes, drawing_limits(scene, scale, details))
    _draw_wheels(axes, scene, details)
    draw_mechanism(axes, scene.guides, scene.bodies, scene.tensioners, scale)
    links = _draw_chain(axes, scene, colouring)
    if details:
        _draw_gravity(axes, scene)
    for label in place_labels(scene, scale, details):
        axes.annotate(
            label.text, tuple(label.point), tuple(72.0 * label.offset), textcoords="offset points",
            fontsize=LABEL_POINTS, color=INK, ha=label.horizontal, va=label.vertical, linespacing=1.25, zorder=6,
            annotation_clip=False,
        )  # fmt: skip
    return links


def equal_axes(axes: Axes, limits: tuple[float, float, float, float]) -> None:
    """Give axes equal scales and these limits: left, right, bottom and top [m]."""
    left, right, bottom, top = limits
    unit = scale_for(0.5 * max(right - left, top - bottom), "m")
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    axes.set_aspect("equal", adjustable="box", anchor="N")
    axes.grid(visible=False)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value * unit.factor:g}".replace("-", "−"))
    axes.set_xlabel(f"x [{unit.unit}]")
    axes.set_ylabel(f"y [{unit.unit}]")


def _draw_wheels(axes: Axes, scene: Scene, details: bool) -> None:
    way = scene.route
    axes.add_collection(
        PolyCollection(list(scene.outlines), facecolors="#EDF1F4", edgecolors="#5B6770", linewidths=0.7, zorder=1)
    )
    for w, (centre, radius) in enumerate(zip(way.centres, way.radii, strict=True)):
        x, y = float(centre[0]), float(centre[1])
        if details and w in scene.pitch_polygons:
            axes.plot(*scene.pitch_polygons[w].T, color="#8A949C", lw=0.6, ls=(0, (9, 3, 2, 3)), zorder=2)
        elif details:
            axes.add_patch(Circle((x, y), radius, fill=False, ec="#8A949C", lw=0.6, ls=(0, (9, 3, 2, 3)), zorder=2))
        axes.add_patch(Circle((x, y), 0.05 * radius, fill=False, ec="#5B6770", lw=0.7, zorder=2))
        axes.plot([x - 0.09 * radius, x + 0.09 * radius], [y, y], color="#5B6770", lw=0.6, zorder=2)
        axes.plot([x, x], [y - 0.09 * radius, y + 0.09 * radius], color="#5B6770", lw=0.6, zorder=2)
        _draw_sense(axes, scene, w)
        _draw_wrap(axes, scene, w)


def _draw_sense(axes: Axes, scene: Scene, w: int) -> None:
    """Draw a curved arrow inside a wheel in its direction of rotation; the arrow of a driving wheel is highlighted."""
    (x, y), radius = scene.route.centres[w], 0.76 * float(scene.route.radii[w])
    turn = scene.sense * scene.route.signs[w]
    begin, end = (math.radians(125.0), math.radians(55.0)) if turn < 0 else (math.radians(55.0), math.radians(125.0))
    angles = np.linspace(begin, end, 30)
    colour = MARK if scene.drives[w] else "#55606A"
    axes.plot(x + radius * np.cos(angles), y + radius * np.sin(angles), color=colour, lw=1.3, zorder=2)
    last = end + 0.02 * turn
    tip = (x + radius * math.cos(last), y + radius * math.sin(last))
    tail = (x + radius * math.cos(end - 0.06 * turn), y + radius * math.sin(end - 0.06 * turn))
    arrow = {"arrowstyle": "-|>", "color": colour, "lw": 1.3, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 9}
    axes.annotate("", tip, tail, arrowprops=arrow, zorder=2)


def _draw_wrap(axes: Axes, scene: Scene, w: int) -> None:
    """Draw an arc over the wrap angle of a wheel."""
    way = scene.route
    ends = (way.arrival_angle[w], way.departure_angle[w])
    first, last = ends if way.signs[w] > 0 else ends[::-1]
    diameter = 1.76 * float(way.radii[w])
    arc = ArcPatch(
        tuple(way.centres[w]), diameter, diameter, theta1=math.degrees(first), theta2=math.degrees(last), lw=1.6,
        color=wheel_colour(w), zorder=2,
    )  # fmt: skip
    axes.add_patch(arc)


def _draw_chain(axes: Axes, scene: Scene, colouring: Colouring | None) -> Collection:
    """Draw links as bars between the rollers, rollers with their true diameter if the links have no colours, anchored
    ends as squares, and loads on free ends as discs.
    """
    for places, mark, size in ((scene.anchored, "s", 7.0), (scene.loads, "o", 11.0)):
        axes.plot(*places.T, mark, ms=size, mfc="#BCD3DF", mec=LINE, mew=1.0, zorder=5, ls="none")
    if scene.links is not None:
        return _draw_plates(axes, scene, scene.links, colouring)
    ends = scene.link_ends
    if colouring is not None:
        bars = LineCollection(list(ends), linewidths=4.0, zorder=3, capstyle="round", cmap=colouring.colours)
        bars.set_norm(colouring.norm)
        bars.set_array(colouring.values)
        axes.add_collection(bars)
        return bars
    bars = LineCollection(list(ends), colors=LINE, linewidths=1.0, zorder=3)
    axes.add_collection(bars)
    axes.add_collection(circles(axes, scene.rollers, 0.5 * scene.roller_diameter, "#BCD3DF", 4))
    return bars


def circles(axes: Axes, centres: NDArray[np.float64], radius: float, colour: str, order: float) -> Collection:
    """A collection of circles with the same radius [m]."""
    size = np.full(len(centres), 2.0 * radius)
    return EllipseCollection(
        size, size, np.zeros(len(size)), units="xy", offsets=centres, offset_transform=axes.transData,
        facecolors=colour, edgecolors=LINE, linewidths=0.5, zorder=order,
    )  # fmt: skip


def _draw_plates(axes: Axes, scene: Scene, links: LinksView, colouring: Colouring | None) -> Collection:
    """Draw inner plates, outer plates over them, and pins; if the links have no colours, rollers are visible through
    the plates.
    """
    plates = plate_collection(links)
    if colouring is None:
        axes.add_collection(circles(axes, scene.rollers, 0.5 * scene.roller_diameter, "#BCD3DF", 3))
        plates.set(facecolors=to_rgba("#BCD3DF", 0.5))
    else:
        plates.set(cmap=colouring.colours, norm=colouring.norm, array=colouring.values[inner_first(links)])
    axes.add_collection(plates)
    axes.add_collection(circles(axes, links.pins, links.sizes.pin, "white", 4))
    return plates


def inner_first(links: LinksView) -> NDArray[np.int64]:
    """Numbers of the links in drawing order, with outer links over inner links, (N,)."""
    every = np.arange(len(links.angles))
    return np.concatenate([every[::2], every[1::2]])


def plate_collection(links: LinksView) -> PolyCollection:
    """The plates of all links, those of inner links first."""
    return PolyCollection(list(links.plates[inner_first(links)]), edgecolors=LINE, linewidths=0.4, zorder=3.5)


def _draw_gravity(axes: Axes, scene: Scene) -> None:
    """Draw an arrow for gravity in the emptiest corner, or nothing if there is no gravity."""
    strength = math.hypot(*scene.gravity)
    if strength == 0.0:
        return
    left, right = axes.get_xlim()
    bottom, top = axes.get_ylim()
    corners = np.array([[x, y] for x in (left, right) for y in (bottom, top)])
    points = np.concatenate([*scene.outlines, scene.rollers])
    nearest = [float(np.min(np.hypot(*(points - corner).T))) for corner in corners]
    corner = corners[int(np.argmax(nearest))]
    fx, fy = (0.07 if corner[0] == left else 0.93), (0.08 if corner[1] == bottom else 0.92)
    dx, dy = scene.gravity[0] / strength, scene.gravity[1] / strength
    arrow = {"arrowstyle": "-|>", "color": INK, "lw": 1.2, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 10}
    axes.annotate(
        "", (fx, fy), (-26.0 * dx, -26.0 * dy), xycoords="axes fraction", textcoords="offset points", arrowprops=arrow,
        annotation_clip=False,
    )  # fmt: skip
    axes.annotate(
        "g", (fx, fy), (-13.0 * dx - 8.0 * dy, -13.0 * dy + 8.0 * dx), "axes fraction",
        textcoords="offset points", fontsize=9.5, style="italic", color=INK, ha="center", va="center",
    )  # fmt: skip
