"""Plots of the tension around the drive at an instant, and of the overview of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray

from chaindrive.analyses.results.statistics import surface_indices, surface_names
from chaindrive.analyses.signals.selection import steady_window
from chaindrive.analyses.signals.windows import instants, mean_tooth_frequency
from chaindrive.drawing.scene import Scene, scene_of
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.drive import Colouring, draw_scene, scale_of, size_for
from chaindrive.plots.pins import data_pin_forces, draw_pin_force
from chaindrive.plots.results import (
    data_contact_force,
    data_displacement,
    draw_contact_force,
    draw_displacement,
    wheel_legend,
    wheel_patches,
)
from chaindrive.plots.style import (
    LINE,
    Scale,
    heading,
    new_figure,
    scale_for,
    show_times,
    tension_colours,
    wheel_colour,
)
from chaindrive.plots.tables import side_by_side, table
from chaindrive.results.solution import Solution

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["data_overview", "data_tension_around", "plot_overview", "plot_tension_around", "wheel_ranges"]

PANEL_ROOM = 54
"""Number of characters of a title above a panel of the overview, beside which there is a legend."""
_SPANS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")

_PLACES = {
    "wheel_positions": "wheel_position",
    "body_positions": "body_position",
    "body_angles": "body_angle",
    "link_angles": "link_angle",
}
"""Channels of the moving parts of a mechanism and of rigid links; if they were not stored, the mechanism is drawn in
the reference configuration, and each link points to the next bush."""


class _Instant(NamedTuple):
    time: float
    scene: Scene
    tension: NDArray[np.float64]
    unit: Scale


def _instant(solution: Solution, time: float | None) -> tuple[_Instant, int]:
    """The stored instant nearest to a time, by default the last, and its row."""
    times = instants(solution)
    row = times.size - 1 if time is None else int(np.argmin(np.abs(times - time)))
    values, rollers = (_at(solution, name, row) for name in ("link_tension", "roller_position"))
    angles = _at(solution, "wheel_angle", row) if solution.drive.wheels else np.zeros(0)
    places = {name: _at(solution, channel, row) for name, channel in _PLACES.items() if channel in solution}
    scene = scene_of(solution.drive, rollers, angles, **places)
    return _Instant(float(times[row]), scene, values, scale_for(values, "N")), row


def _at(solution: Solution, name: str, row: int) -> NDArray[np.float64]:
    """Values of a channel at a stored instant."""
    return np.asarray(solution.values(name, slice(row, row + 1))[0], dtype=np.float64)


def _draw_instant(figure: Figure, axes: Axes, instant: _Instant, scale: float) -> None:
    """Draw the drive with its links coloured by tension, and the colour scale below it."""
    values = instant.unit(instant.tension)
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    if high - low <= 1e-9 * max(abs(high), abs(low), 1e-30):
        low, high = low - 0.5, high + 0.5
    colouring = Colouring(values, Normalize(low, high), tension_colours())
    bars = draw_scene(axes, instant.scene, scale, details=False, colouring=colouring)
    left, right, _, _ = instant.scene.extent
    long = max(20.0, 5.0 * (right - left) * scale)  # 0.15 inches high
    bar = figure.colorbar(bars, ax=axes, location="bottom", shrink=0.75, aspect=long, pad=0.02, fraction=0.05)
    bar.set_label(f"link tension [{instant.unit.unit}]")
    bar.outline.set_visible(False)


def wheel_ranges(path: NDArray[np.float64], body: NDArray[np.int64], links: int) -> list[tuple[int, float, float]]:
    """Range along the loop in which each wheel holds rollers: (wheel, first, last) [pitches]. last may exceed the
    length of the loop.

    path: positions of the rollers along the loop, shape (N,), 0..links; body: wheel of every roller, -1 for none. Each
    range extends from its first to its last roller in contact, including rollers that bounce in between.
    """
    ranges = []
    for wheel in np.unique(body[body >= 0]):
        places = np.sort(path[body == wheel])
        gaps = np.diff(np.append(places, places[0] + links))
        widest = int(np.argmax(gaps))
        first = float(places[(widest + 1) % places.size])
        ranges.append((int(wheel), first, first + links - float(gaps[widest])))
    return ranges


def _bodies(solution: Solution, row: int) -> NDArray[np.int64]:
    """For every link, the number of the wheel or guide that its first roller touches, where guides are numbered after
    the wheels; -1 for none.
    """
    return surface_indices(_at(solution, "contact_surface", row))[: solution.drive.chain.links]


def _link_table(instant: _Instant) -> DataFrame:
    """The plotted data of each link: its tension [N] and the positions of its first and last roller [m]."""
    first, last = np.moveaxis(instant.scene.link_ends, 1, 0)
    columns = {"link": np.arange(instant.tension.size), "tension [N]": instant.tension}
    columns |= {
        "x [m]": first[:, 0],
        "y [m]": first[:, 1],
        "x of its end [m]": last[:, 0],
        "y of its end [m]": last[:, 1],
    }
    return table(columns, **{"time [s]": instant.time})


def _tension_around(solution: Solution, time: float | None = None) -> tuple[Solution, _Instant, int]:
    """Needs the channels link_tension, link_path_position, roller_position, wheel_angle and contact_surface.
    time [s]: the nearest stored instant is shown, by default the last.
    """
    return solution, *_instant(solution, time)


@tabulates(_tension_around)
def data_tension_around(solution: Solution, instant: _Instant, row: int) -> DataFrame:
    """The data of :func:`plot_tension_around`, with a row for each link: its tension [N], the positions of its rollers
    [m], its position along the loop [pitches], and the wheel or guide that its first roller touches.
    ``attrs["time [s]"]`` is the instant.
    """
    names = (*surface_names(solution.drive), "")
    made = _link_table(instant)
    made.insert(1, "position along the loop [pitches]", _at(solution, "link_path_position", row))
    made["on"] = [names[body] for body in _bodies(solution, row)]
    return made


@draws(_tension_around)
def plot_tension_around(solution: Solution, instant: _Instant, row: int) -> Figure:
    """Plot the tension of all links at an instant, as colours on the drive and along the loop, where bands mark the
    wheels.
    """
    scene = instant.scene
    left, right, bottom, top = scene.extent
    tall = (top - bottom) > (right - left)
    scale = scale_of(scene, 6.5 if tall else 8.0)
    width, height = size_for(scene, scale, details=False)
    if tall:
        figure = new_figure(width + 6.2, height + 1.1)
        drawing, along = figure.subplots(1, 2, width_ratios=(width, 6.2))
    else:
        figure = new_figure(max(width, 9.0), height + 0.5 + 3.2)
        drawing, along = figure.subplots(2, 1, height_ratios=(height + 0.5, 3.2))
    _draw_instant(figure, drawing, instant, scale)
    heading(drawing, f"{solution.drive.name}, t = {instant.time:.4f} s")
    _draw_along(along, solution, instant, row)
    wheel_legend(figure, solution, guides=False)
    return figure


def _draw_along(axes: Axes, solution: Solution, instant: _Instant, row: int) -> None:
    links = instant.tension.size
    path, body = _at(solution, "link_path_position", row), _bodies(solution, row)
    body = np.where(body < len(solution.drive.wheels), body, -1)
    order = np.argsort(path)
    values = instant.unit(instant.tension)
    axes.plot(path[order], values[order], color=LINE, marker="o", ms=2.2, lw=1.0)
    axes.set_xlim(0.0, links)
    closed = solution.drive.chain.ends is None
    for wheel, first, last in wheel_ranges((path - 0.5) % links, body, links):
        for turn in (-links, 0, links) if closed else (0,):
            axes.axvspan(first + turn, last + turn, color=wheel_colour(wheel), alpha=0.22, lw=0, zorder=0)
    axes.set_xlim(0.0, links)
    axes.set_xlabel("position along the loop [pitches]")
    axes.set_ylabel(f"link tension [{instant.unit.unit}]")
    heading(axes, "Tension along the loop", instant.unit.range(instant.tension))


def _overview(
    solution: Solution, span: int | None = None, roller: int = 0
) -> tuple[Solution, _Instant | None, int, int]:
    """span: by default the longest span. Needs the channels link_tension, roller_position, wheel_angle, wheel_speed,
    span_tension, span_displacement, contact_force and contact_surface.
    """
    if not _has_rollers(solution):
        return solution, None, span or 0, roller
    instant, _ = _instant(solution, None)
    return solution, instant, int(np.argmax(instant.scene.route.span_length)) if span is None else span, roller


@draws(_overview)
def plot_overview(solution: Solution, instant: _Instant | None, span: int, roller: int) -> Figure:
    """Plot an overview of a run: the drive coloured by tension, the span tensions, the motion of one span and one
    contact force.

    For a formulation without rollers: the drive as placed, the span tensions, and the speeds of the wheels and the
    torques on them.
    """
    if instant is None:
        return _overview_of_wheels(solution)
    scene = instant.scene
    figure, drawing, panels, scale = _overview_figure(scene)
    _draw_instant(figure, drawing, instant, scale)
    heading(drawing, f"{solution.drive.name}, t = {instant.time:.3f} s")
    _draw_span_tensions(panels[0], solution)
    draw_displacement(panels[1], solution, span, *steady_window(solution), room=PANEL_ROOM)
    if solution.drive.sheaves:
        draw_pin_force(panels[2], solution, roller)
    else:
        draw_contact_force(panels[2], solution, roller)
    panels[2].legend(handles=wheel_patches(solution), loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    return figure


def _has_rollers(solution: Solution) -> bool:
    """Whether the formulation has rollers and links, which is assumed for a result that does not state its
    formulation.
    """
    return solution.offers("link_tension") is not False


_OF_WHEELS = {"wheel_speed": "Speeds of the wheels", "wheel_torque": "Torques of the shafts on the wheels"}


def _overview_of_wheels(solution: Solution) -> Figure:
    scene = scene_of(solution.drive)
    figure, drawing, panels, scale = _overview_figure(scene)
    draw_scene(drawing, scene, scale, details=False)
    heading(drawing, f"{solution.drive.name}, chain as placed")
    _draw_span_tensions(panels[0], solution)
    for axes, (name, title) in zip(panels[1:], _OF_WHEELS.items(), strict=True):
        channel, values = solution.channel(name), solution.values(name)
        unit = scale_for(values, channel.unit)
        for w, wheel in enumerate(solution.drive.wheels):
            axes.plot(solution.time, unit(values[:, w]), color=wheel_colour(w), label=wheel.name)
        show_times(axes, solution.time[0], solution.time[-1])
        axes.set_xlabel("time [s]")
        axes.set_ylabel(f"{name.removeprefix('wheel_')} [{unit.unit}]")
        heading(axes, title)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    return figure


def _overview_figure(scene: Scene) -> tuple[Figure, Axes, list[Axes], float]:
    """A figure, the axes for the drive and for three panels, and the scale of the drive [inches/m]."""
    left, right, bottom, top = scene.extent
    tall = (top - bottom) > (right - left)
    scale = scale_of(scene, 6.4 if tall else 8.6)
    width, height = size_for(scene, scale, details=False)
    if tall:
        figure = new_figure(width + 7.4, max(height + 0.9, 6.8))
        part = figure.add_gridspec(3, 2, width_ratios=(width + 0.4, 7.0))
        drawing = figure.add_subplot(part[:, 0])
        panels = [figure.add_subplot(part[k, 1]) for k in range(3)]
    else:
        figure = new_figure(max(width + 0.4, 9.4), height + 0.5 + 6.0)
        part = figure.add_gridspec(4, 1, height_ratios=(height + 0.5, 2.0, 2.0, 2.0))
        drawing = figure.add_subplot(part[0])
        panels = [figure.add_subplot(part[k]) for k in (1, 2, 3)]
    return figure, drawing, panels, scale


def _span_tensions(solution: Solution) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Times [s], running means of the tension of every span (rows, spans) [N], and the averaging time [s]."""
    times, values = instants(solution), solution.values("span_tension")
    tooth = mean_tooth_frequency(solution)
    step = (times[-1] - times[0]) / max(times.size - 1, 1)
    duration = max(5.0 / tooth if tooth > 0.0 else 0.0, (times[-1] - times[0]) / 200.0)
    count = max(1, min(round(duration / step) if step > 0.0 else 1, times.size // 4))
    smooth = np.stack([_running_mean(column, count) for column in values.T], axis=1)
    centre = _running_mean(times, count)
    return centre, smooth, count * step


@tabulates(_overview)
def data_overview(solution: Solution, instant: _Instant | None, span: int, roller: int) -> DataFrame:
    """The data of the panels of :func:`plot_overview` side by side: the links at the last instant (see
    :func:`data_tension_around`), the span tensions, the motion of one span, and the contact force of one roller (for
    sheaves the forces on one pin).

    For a formulation without rollers: the span tensions, and speeds and torques of the wheels.
    """
    centre, smooth, duration = _span_tensions(solution)
    names = solution.drive.span_names
    spans = {f"mean tension of {name} [N]": column for name, column in zip(names, smooth.T, strict=True)}
    tensions = table({"time [s]": centre, **spans}, **{"tensions are means over [s]": duration})
    if instant is None:
        return side_by_side(tensions=tensions, **{name: _wheel_table(solution, name) for name in _OF_WHEELS})
    motion = data_displacement(solution, span, *steady_window(solution))
    force = data_pin_forces(solution, pin=roller) if solution.drive.sheaves else data_contact_force(solution, roller)
    return side_by_side(links=_link_table(instant), tensions=tensions, motion=motion, contact_force=force)


def _wheel_table(solution: Solution, name: str) -> DataFrame:
    values, unit = solution.values(name), solution.channel(name).unit
    columns = {f"{name.replace('_', ' ')} of {w} [{unit}]": values[:, k] for k, w in enumerate(solution.items(name))}
    return table({"time [s]": solution.time, **columns})


def _draw_span_tensions(axes: Axes, solution: Solution) -> None:
    """Plot the tension of every span, averaged over a few teeth to show slow changes."""
    centre, smooth, duration = _span_tensions(solution)
    times = solution.time
    unit = scale_for(smooth, "N")
    for k, name in enumerate(solution.drive.span_names):
        axes.plot(centre, unit(smooth[:, k]), color=_SPANS[k % len(_SPANS)], label=name)
    show_times(axes, times[0], times[-1])
    axes.set_xlabel("time [s]")
    axes.set_ylabel(f"tension [{unit.unit}]")
    heading(axes, "Span tensions", f"means over {Scale(1e3, 'ms').text(duration)}")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)


def _running_mean(values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    sums = np.cumsum(np.insert(values, 0, 0.0))
    return np.asarray((sums[count:] - sums[:-count]) / count, dtype=np.float64)
