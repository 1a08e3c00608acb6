"""Films of a drive in motion: links coloured by tension, and the tension along the loop, frame by frame."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import Collection, LineCollection, PolyCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray

from chaindrive.analyses.results.statistics import surface_indices
from chaindrive.analyses.signals.selection import wheel_index
from chaindrive.analyses.signals.windows import instants, window_of
from chaindrive.drawing.labels import LABEL_POINTS, place_labels
from chaindrive.drawing.links import links_view
from chaindrive.drawing.mechanism import mechanism_views, poses_of
from chaindrive.drawing.scene import Scene, scene_of, wheel_outline
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.teeth import tooth_gaps
from chaindrive.model.arguments import times as times_of
from chaindrive.plots.around import wheel_ranges
from chaindrive.plots.drive import (
    circles,
    drawing_limits,
    equal_axes,
    inner_first,
    plate_collection,
    scale_of,
    size_for,
)
from chaindrive.plots.mechanism import draw_mechanism
from chaindrive.plots.results import wheel_legend
from chaindrive.plots.style import (
    INK,
    LINE,
    Scale,
    heading,
    new_figure,
    scale_for,
    styled,
    tension_colours,
    wheel_colour,
)
from chaindrive.results.solution import Solution

__all__ = ["Film", "animate", "last_revolution"]

FloatArray = NDArray[np.float64]

FRAMES = 125
WIDTH = 960


class _Kept(NamedTuple):
    """The data that are drawn in F frames, for N links, W wheels and B bodies, in s, m, rad, N and pitches."""

    times: FloatArray
    tension: FloatArray
    rollers: FloatArray
    angles: FloatArray
    path: FloatArray
    body: NDArray[np.int64]
    wheels: FloatArray
    """Centres of the wheels, shape (F, W, 2)."""
    bodies: FloatArray | None
    turned: FloatArray | None
    links: FloatArray | None
    """Angles of rigid links, shape (F, N)."""


def last_revolution(solution: Solution) -> tuple[float, float]:
    """Start and stop [s] of the last revolution of the driver, or of the whole run if that is shorter.

    The driver is the first wheel with a prescribed motion, or else the first wheel. Raises InputError if the channel
    wheel_angle is missing.
    """
    times = instants(solution)
    turned = solution.values("wheel_angle", item=wheel_index(solution.drive, None))
    before = np.flatnonzero(np.abs(turned - turned[-1]) >= 2.0 * math.pi)
    return float(times[before[-1]] if before.size else times[0]), float(times[-1])


def animate(
    solution: Solution,
    start: float | str | None = None,
    stop: float | str | None = None,
    frames: int = FRAMES,
    width: int = WIDTH,
) -> Film:
    """A film of stored instants of a run: the picture of :func:`plot_tension_around` in motion.

    start, stop [s, or text with a unit]: by default the last revolution of the driver; frames: number of frames, which
    are equally spaced in time and show the nearest stored instants; there is no frame at stop, so that the film can be
    repeated in a loop; width [pixels]. Colours and axes are the same in all frames. Needs the channels link_tension,
    link_path_position, roller_position, wheel_angle and contact_surface. Raises InputError for channels that were not
    stored, an empty window, and invalid numbers.
    """
    problems = []
    if frames < 1:
        problems.append(Problem("frames", "at least 1", str(frames)))
    if not 100 <= width <= 8000:
        problems.append(Problem("width", "between 100 and 8000 pixels", str(width)))
    if solution.offers("roller_position") is False:
        message = (
            "the formulation has no rollers whose motion a film could show. chaindrive report animates the drive with "
            "rollers evenly spaced along the route. For a film, use chaindrive run --formulation roller or link"
        )
        problems.append(Problem("formulation", message, solution.attrs.get("formulation", "")))
    if problems:
        raise InputError(problems)
    start, stop = times_of(start=start, stop=stop)
    return Film(solution, _rows(solution, start, stop, frames), width)


def _rows(solution: Solution, start: float | None, stop: float | None, frames: int) -> NDArray[np.intp]:
    """The stored row nearest to each frame."""
    times = instants(solution)
    first, last = last_revolution(solution)
    if start is not None or stop is not None:
        first, last = (times[0] if start is None else start), (times[-1] if stop is None else stop)
    window = window_of(times, first, last)
    inside = np.arange(window.first, window.end)
    wanted = np.linspace(times[inside[0]], times[inside[-1]], frames, endpoint=False)
    middle = 0.5 * (times[inside][1:] + times[inside][:-1])
    return inside[np.searchsorted(middle, wanted)]


class Film:
    """The frames of a run, created by :func:`animate`: ``film.pixels(k)`` is frame k, and ``for picture in film``
    iterates over all frames.
    """

    def __init__(self, solution: Solution, rows: NDArray[np.intp], width: int) -> None:
        self.rows = rows
        """Row of the result for each frame; rows are repeated if there are fewer rows than frames."""
        self._drive = solution.drive
        self._kept = _read(solution, rows)
        self.times = self._kept.times
        """Instants of the frames [s], shape (frames,)."""
        facts = drive_facts(self._drive)
        self._way = facts.route
        wheels = enumerate(zip(tooth_gaps(self._drive), self._drive.wheels, strict=True))
        self._teeth = [wheel_outline(gap, wheel.teeth, 0.0, polygon=facts.polygon_of(w)) for w, (gap, wheel) in wheels]
        self._moving: list[Any] = []
        self._mechanism: list[Any] = []
        self._build(solution, width)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[NDArray[np.uint8]]:
        return (self.pixels(k) for k in range(len(self)))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height [pixels], both even, as video encoders require."""
        return self._size

    def pixels(self, k: int) -> NDArray[np.uint8]:
        """Frame k, shape (height, width, 3), with red, green and blue from 0 to 255."""
        self._set(k)
        canvas = self._canvas
        canvas.restore_region(self._background)
        for artist in sorted([*self._moving, *self._mechanism], key=lambda artist: artist.get_zorder()):
            artist.axes.draw_artist(artist)
        width, height = self._size
        return np.asarray(canvas.buffer_rgba())[:height, :width, :3].copy()

    @styled
    def _build(self, solution: Solution, width: int) -> Figure:
        """Draw all fixed parts and create the moving artists; return the figure."""
        scene = self._scene(self._finite())
        left, right, bottom, top = self._extent(scene)
        tall = (top - bottom) > (right - left)
        scale = scale_of(scene, 6.5 if tall else 8.0)
        wide, high = size_for(scene, scale, details=False)
        if tall:
            self.figure = new_figure(wide + 6.2, high + 1.1)
            drawing, along = self.figure.subplots(1, 2, width_ratios=(wide, 6.2))
        else:
            self.figure = new_figure(max(wide, 9.0), high + 0.5 + 3.2)
            drawing, along = self.figure.subplots(2, 1, height_ratios=(high + 0.5, 3.2))
        unit = scale_for(self._kept.tension, "N")
        self._build_drawing(drawing, scene, scale, unit, (left, right, bottom, top))
        self._build_along(along, unit)
        wheel_legend(self.figure, solution, guides=False)
        # an even number of pixels each way
        inches = self.figure.get_size_inches()
        self.figure.set_dpi(2 * math.ceil(0.5 * width) / inches[0])
        rows = 2 * math.ceil(0.5 * inches[1] * self.figure.dpi)
        self.figure.set_size_inches(inches[0], rows / self.figure.dpi)
        self._size = (2 * math.ceil(0.5 * width), rows)
        self._canvas = FigureCanvasAgg(self.figure)
        self._canvas.draw()  # without what is animated
        self.figure.set_layout_engine("none")
        self._background = self._canvas.copy_from_bbox(self.figure.bbox)
        return self.figure

    def _build_drawing(
        self, axes: Axes, scene: Scene, scale: float, unit: Scale, extent: tuple[float, float, float, float]
    ) -> None:
        self._axes, self._scale = axes, scale
        limits = drawing_limits(scene, scale, details=False)
        margin = 0.25 / scale
        low = [min(a, b - margin) for a, b in zip(limits[::2], extent[::2], strict=True)]
        high = [max(a, b + margin) for a, b in zip(limits[1::2], extent[1::2], strict=True)]
        equal_axes(axes, (low[0], high[0], low[1], high[1]))
        colours = Normalize(*_limits(unit(self._kept.tension)))
        self._wheels = PolyCollection([], facecolors="#EDF1F4", edgecolors="#5B6770", linewidths=0.7, zorder=1)
        self._spokes = LineCollection([], colors="#5B6770", linewidths=0.8, zorder=2)
        self._links: LineCollection | PolyCollection
        self._pins: Collection | None = None
        if scene.links is None:
            self._links = LineCollection([], linewidths=4.0, zorder=3, capstyle="round")
        else:
            self._links = plate_collection(scene.links)
            self._pins = circles(axes, scene.links.pins, scene.links.sizes.pin, "white", 4)
        self._links.set(cmap=tension_colours(), norm=colours, array=unit(self._kept.tension[0]))
        self._tension = unit(self._kept.tension)
        for artist in (self._wheels, self._spokes, self._links, *([] if self._pins is None else [self._pins])):
            axes.add_collection(artist, autolim=False)
            self._move(artist)
        bar = self.figure.colorbar(
            self._links, ax=axes, location="bottom", shrink=0.75, pad=0.02, fraction=0.05,
            aspect=max(20.0, 5.0 * (extent[1] - extent[0]) * scale),
        )  # fmt: skip
        bar.set_label(f"link tension [{unit.unit}]")
        bar.outline.set_visible(False)
        if not scene.bodies and not scene.tensioners:
            draw_mechanism(axes, scene.guides, (), (), scale)  # they stand still
        for label in place_labels(scene, scale, details=False):
            text = axes.annotate(
                label.text, tuple(label.point), tuple(72.0 * label.offset), textcoords="offset points", color=INK,
                fontsize=LABEL_POINTS, ha=label.horizontal, va=label.vertical, linespacing=1.25, zorder=6,
            )  # fmt: skip
            self._move(text)  # above what moves
        heading(axes, self._drive.name)
        self._clock = axes.set_title("t = 0", loc="right", fontweight="normal", family="DejaVu Sans Mono")
        self._move(self._clock)

    def _build_along(self, axes: Axes, unit: Scale) -> None:
        links = self._kept.tension.shape[1]
        colours = [wheel_colour(w) for w in range(len(self._drive.wheels))]
        self._bands = PolyCollection([], facecolors=colours, alpha=0.22, linewidths=0, zorder=0.5)
        self._bands.set_transform(axes.get_xaxis_transform())
        axes.add_collection(self._bands, autolim=False)
        (self._curve,) = axes.plot([], [], color=LINE, marker="o", ms=2.2, lw=1.0)
        axes.set_xlim(0.0, links)
        low, high = _limits(self._tension)
        axes.set_ylim(low - 0.04 * (high - low), high + 0.06 * (high - low))
        axes.set_xlabel("position along the loop [pitches]")
        axes.set_ylabel(f"link tension [{unit.unit}]")
        heading(axes, "Tension along the loop", unit.range(self._kept.tension))
        for artist in (self._bands, self._curve):
            self._move(artist)

    def _move(self, artist: Any) -> None:
        artist.set_animated(True)
        self._moving.append(artist)

    def _finite(self) -> int:
        """Number of the first frame with finite positions. Raises InputError if there is none."""
        kept = self._kept
        placed = [kept.angles, kept.wheels, kept.rollers, *(a for a in (kept.bodies, kept.turned) if a is not None)]
        finite = [np.isfinite(values).all(axis=tuple(range(1, values.ndim))) for values in placed]
        frames = np.flatnonzero(np.all(finite, axis=0))
        if not frames.size:
            window = f"{kept.times[0]:g} to {kept.times[-1]:g} s"
            raise InputError(
                Problem("time", "no instant in this window has finite positions: the run diverged", window)
            )
        return int(frames[0])

    def _scene(self, k: int) -> Scene:
        kept = self._kept
        bodies = None if kept.bodies is None else kept.bodies[k]
        turned = None if kept.turned is None else kept.turned[k]
        links = None if kept.links is None else kept.links[k]
        return scene_of(self._drive, kept.rollers[k], kept.angles[k], kept.wheels[k], bodies, turned, links)

    def _extent(self, scene: Scene) -> tuple[float, float, float, float]:
        """Limits of the drawing that contain all parts at all instants."""
        left, right, bottom, top = scene.extent
        rollers = self._kept.rollers[np.isfinite(self._kept.rollers).all(axis=2)]
        if not rollers.size:
            return left, right, bottom, top
        (x0, y0), (x1, y1) = rollers.min(axis=0), rollers.max(axis=0)
        return min(left, x0), max(right, x1), min(bottom, y0), max(top, y1)

    def _set(self, k: int) -> None:
        """Move everything to its position in frame k."""
        kept = self._kept
        if not 0 <= k < len(self.rows):
            raise IndexError(f"the film has frames 0 to {len(self.rows) - 1}")
        outlines, spokes = [], []
        for teeth, centre, angle, radius in zip(
            self._teeth, kept.wheels[k], kept.angles[k], self._way.radii, strict=True
        ):
            c, s = math.cos(angle), math.sin(angle)
            turn = np.array([[c, s], [-s, c]])
            outlines.append(teeth @ turn + centre)
            cross = 0.12 * radius * np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]])
            mark = radius * np.array([[0.5, 0.0], [0.85, 0.0]])
            spokes += list((np.concatenate([cross, mark]) @ turn + centre).reshape(3, 2, 2))
        self._wheels.set_verts(outlines)
        self._spokes.set_segments(spokes)
        self._set_links(k)
        self._clock.set_text(f"t = {kept.times[k]:.4f} s")
        order = np.argsort(kept.path[k])
        self._curve.set_data(kept.path[k][order], self._tension[k][order])
        self._set_bands(k)
        self._set_mechanism(k)

    def _set_links(self, k: int) -> None:
        rollers, angles = self._kept.rollers[k], self._kept.links
        links = links_view(self._drive, rollers, None if angles is None else angles[k])
        if links is None or self._pins is None:
            ends = np.stack([rollers, np.roll(rollers, -1, axis=0)], axis=1)
            self._links.set_verts(list(ends[: self._drive.chain.links]))
            self._links.set_array(self._tension[k])
            return
        order = inner_first(links)
        self._links.set_verts(list(links.plates[order]))
        self._links.set_array(self._tension[k][order])
        self._pins.set_offsets(links.pins)

    def _set_bands(self, k: int) -> None:
        links = self._kept.tension.shape[1]
        verts, colours = [], []
        for wheel, first, last in wheel_ranges((self._kept.path[k] - 0.5) % links, self._kept.body[k][:links], links):
            for turn in (-links, 0, links):
                a, b = first + turn, last + turn
                verts.append([(a, 0.0), (b, 0.0), (b, 1.0), (a, 1.0)])
                colours.append(wheel_colour(wheel))
        self._bands.set_verts(verts)
        self._bands.set_facecolor(colours)

    def _set_mechanism(self, k: int) -> None:
        """Redraw guides, bodies and tensioners, whose symbols have too many parts to be moved one by one."""
        for artist in self._mechanism:
            artist.remove()
        self._mechanism = []
        if not (self._drive.bodies or self._drive.tensioners):
            return
        kept, before = self._kept, set(self._axes.get_children())
        poses = poses_of(
            self._drive,
            None if kept.bodies is None else kept.bodies[k],
            None if kept.turned is None else kept.turned[k],
        )
        draw_mechanism(self._axes, *mechanism_views(self._drive, self._way, poses), self._scale)
        self._mechanism = [artist for artist in self._axes.get_children() if artist not in before]
        for artist in self._mechanism:
            artist.set_animated(True)


def _limits(values: FloatArray) -> tuple[float, float]:
    """Minimum and maximum of the finite values, each moved outwards by 0.5 if they are equal."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    return (low, high) if high - low > 1e-9 * max(abs(high), abs(low), 1e-30) else (low - 0.5, high + 0.5)


def _read(solution: Solution, rows: NDArray[np.intp]) -> _Kept:
    """Read the data to be drawn, only for the frames."""
    first, last = int(rows.min()), int(rows.max())

    def values(name: str) -> FloatArray:
        return np.asarray(solution.values(name, slice(first, last + 1))[rows - first], dtype=np.float64)

    def kept(name: str) -> FloatArray | None:
        return values(name) if name in solution else None

    drive = solution.drive
    body = surface_indices(values("contact_surface"))
    wheels = kept("wheel_position")
    if wheels is None:
        drawn = np.array([wheel.position for wheel in drive.wheels], dtype=np.float64)
        wheels = np.broadcast_to(drawn, (len(rows), *drawn.shape))
    return _Kept(
        times=solution.time[rows],
        tension=values("link_tension"),
        rollers=values("roller_position"),
        angles=values("wheel_angle"),
        path=values("link_path_position"),
        body=np.where(body < len(drive.wheels), body, -1),
        wheels=wheels,
        bodies=kept("body_position"),
        turned=kept("body_angle"),
        links=kept("link_angle"),
    )
