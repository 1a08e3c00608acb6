"""Plots the waterfall diagram of a run-up, a run or a sweep as a map, with the lines of a Campbell diagram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from chaindrive.analyses.signals.frequencies import frequencies_at_rest
from chaindrive.analyses.signals.selection import Axis, motion_channel, span_of
from chaindrive.analyses.signals.spectra import Window
from chaindrive.analyses.signals.waterfall import (
    COLUMNS,
    CampbellLine,
    Waterfall,
    campbell_lines,
    campbell_lines_of_runs,
    waterfall,
    waterfall_of_runs,
)
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.spectra import KIND_STYLE, amplitude_scale, caption, highest_shown, meaning_of
from chaindrive.plots.style import Scale, new_figure
from chaindrive.plots.tables import side_by_side, table
from chaindrive.results.solution import Solution

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = [
    "DECADES",
    "data_waterfall",
    "data_waterfall_of_runs",
    "draw_map",
    "map_data",
    "plot_waterfall",
    "plot_waterfall_of_runs",
]

DECADES = 1e-3
"""Lowest amplitude that the colours distinguish, relative to the highest."""


def _waterfall(
    solution: Solution,
    channel: str | None = None,
    index: int | str | None = None,
    wheel: int | str | None = None,
    start: float | None = None,
    stop: float | None = None,
    columns: int = COLUMNS,
    duration: float | None = None,
    window: Window = "hann",
    axis: Axis = "magnitude",
    highest: float | None = None,
    at_rest: bool = False,
) -> tuple[Waterfall, list[CampbellLine], float | None]:
    """The lines are the tooth frequency, orders of the driver, string frequencies (those of the span shown, otherwise
    the first mode of every span) and longitudinal eigenfrequencies with rigid seats. With ``at_rest``, the
    eigenfrequencies of the complete drive at rest replace the longitudinal ones
    (:func:`chaindrive.analyses.signals.frequencies.frequencies_at_rest`), which takes some seconds. Other arguments:
    see :func:`chaindrive.analyses.signals.waterfall.waterfall`; highest: highest frequency drawn [Hz]. The lines need
    the channels wheel_speed and span_tension, and are omitted if these are missing.
    """
    shown = channel or motion_channel(solution)
    found = waterfall(solution, shown, index, wheel, start, stop, columns, duration, window, axis)
    system = frequencies_at_rest(solution.drive) if at_rest else None
    spans, strings = _strings(solution, found)
    return found, campbell_lines(solution, found.start, found.stop, None, spans, strings, system), highest


def _strings(solution: Solution, found: Waterfall) -> tuple[tuple[int, ...] | None, int]:
    """Spans whose string frequencies are drawn, and the number of modes: three modes of the span of the signal, or else
    the first mode of all spans.
    """
    span = span_of(solution, found.channel, found.item)
    return (None, 1) if span is None else ((span,), 3)


@draws(_waterfall)
def plot_waterfall(found: Waterfall, lines: Sequence[CampbellLine], highest: float | None) -> Figure:
    """Plot the spectra of successive time windows as a map, over the speed of a wheel in a run-up and over time in any
    other run.
    """
    return _figure(found, lines, highest)


@tabulates(_waterfall)
def data_waterfall(found: Waterfall, lines: Sequence[CampbellLine], highest: float | None) -> DataFrame:
    """The data of :func:`plot_waterfall`: a row for each window and frequency, and beside these a row for each window
    with the frequencies of the lines.
    """
    return map_data(found, lines, highest)


def _waterfall_of_runs(
    solutions: Sequence[Solution],
    channel: str | None = None,
    index: int | str | None = None,
    wheel: int | str | None = None,
    start: float | None = None,
    stop: float | None = None,
    window: Window = "hann",
    axis: Axis = "magnitude",
    highest: float | None = None,
) -> tuple[Waterfall, list[CampbellLine], float | None]:
    """The runs must be stored results; for a study that stores spectra see :func:`plot_campbell`."""
    shown = channel or motion_channel(solutions[0])
    found = waterfall_of_runs(solutions, shown, index, wheel, start, stop, window, axis)
    spans, strings = _strings(solutions[0], found)
    return found, campbell_lines_of_runs(solutions, found, None, spans, strings), highest


@draws(_waterfall_of_runs)
def plot_waterfall_of_runs(found: Waterfall, lines: Sequence[CampbellLine], highest: float | None) -> Figure:
    """Plot the spectra of several runs at different speeds as a map (see :func:`waterfall_of_runs`)."""
    return _figure(found, lines, highest)


@tabulates(_waterfall_of_runs)
def data_waterfall_of_runs(found: Waterfall, lines: Sequence[CampbellLine], highest: float | None) -> DataFrame:
    """The data of :func:`plot_waterfall_of_runs`, in the form of :func:`data_waterfall`."""
    return map_data(found, lines, highest)


def _shown(found: Waterfall, lines: Sequence[CampbellLine], highest: float | None) -> NDArray[np.intp]:
    teeth = [line.frequency for line in lines if line.kind == "tooth"]
    tooth = float(np.nanmax(teeth[0])) if teeth else 0.0
    last = highest_shown(found.channel, tooth, found.frequency, highest)
    return np.flatnonzero((found.frequency <= last) & (found.frequency > 0.0))


def map_data(found: Waterfall, lines: Sequence[CampbellLine], highest: float | None) -> DataFrame:
    """The data of a map: a row for each column and frequency of the map, and beside these a row for each column with
    its lines.
    """
    rows = _shown(found, lines, highest)
    speed = f"speed of {found.wheel_name} [rad/s]"
    columns, count = found.start.size, rows.size
    cells = {
        "time [s]": np.repeat(found.time, count),
        speed: np.repeat(found.speed, count),
        "frequency [Hz]": np.tile(found.frequency[rows], columns),
        f"amplitude of {found.label} [{found.unit}]": found.amplitude[:, rows].ravel(),
    }
    middle = {"middle of the window [s]": found.time, speed: found.speed}
    followed = {f"{line.label} [Hz]": line.frequency for line in lines}
    remark = f"{found.window}, resolution {found.resolution:.4g} Hz"
    return side_by_side(amplitudes=table(cells, window=remark), lines=table(middle | followed))


def _figure(found: Waterfall, lines: Sequence[CampbellLine], highest: float | None) -> Figure:
    figure = new_figure(9.4, 5.6)
    axes = figure.add_subplot()
    draw_map(axes, found, lines, highest)
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside lower center", ncols=min(len(handles), 3))
    windows = f"{found.start.size} {'runs' if found.of_runs else 'windows'} of {1.0 / found.resolution:.3g} s"
    caption(axes, found.label, f"{windows}, {found.window}", room=80)
    return figure


def draw_map(axes: Axes, found: Waterfall, lines: Sequence[CampbellLine], highest: float | None) -> Scale:
    """Draw the amplitudes as colours, the colour bar, the lines, and the labels of both axes; return the unit of the
    amplitudes.
    """
    rows = _shown(found, lines, highest)
    x = found.speed * 30.0 / np.pi if found.over_speed else found.time
    unit = amplitude_scale(found.amplitude[:, rows], found.unit)
    heights = unit(found.amplitude[:, rows].T)
    top = float(heights.max(initial=0.0)) or 1.0
    mesh = axes.pcolormesh(
        _edges(x, found),
        _frequency_edges(found.frequency[rows]),
        np.maximum(heights, DECADES * top),
        norm=LogNorm(DECADES * top, top),
        cmap="Blues",
        rasterized=True,
    )
    axes.grid(visible=False)
    bar = axes.figure.colorbar(mesh, ax=axes, pad=0.02, fraction=0.05)
    bar.set_label(f"amplitude [{unit.unit}]")
    bar.outline.set_visible(False)
    limits = axes.get_xlim(), axes.get_ylim()
    _draw_lines(axes, x, lines, float(found.frequency[rows[-1]]))
    axes.set_xlim(limits[0])
    axes.set_ylim(0.0, limits[1][1])
    axes.set_xlabel(f"speed of {found.wheel_name} [rpm]" if found.over_speed else "time [s]")
    axes.set_ylabel("frequency [Hz]")
    return unit


def _edges(x: NDArray[np.float64], found: Waterfall) -> NDArray[np.float64]:
    """Positions of the edges of the columns, midway between their centres."""
    if x.size == 1:
        half = 0.5 / found.resolution if not found.over_speed else 0.5
        return np.array([x[0] - half, x[0] + half])
    between = 0.5 * (x[1:] + x[:-1])
    return np.concatenate([[2.0 * x[0] - between[0]], between, [2.0 * x[-1] - between[-1]]])


def _frequency_edges(frequency: NDArray[np.float64]) -> NDArray[np.float64]:
    step = frequency[1] - frequency[0] if frequency.size > 1 else frequency[0]
    return np.append(frequency - 0.5 * step, frequency[-1] + 0.5 * step)


def _draw_lines(axes: Axes, x: NDArray[np.float64], lines: Sequence[CampbellLine], highest: float) -> None:
    """Draw the lines that are at least partly below the highest frequency, with one label in the legend for each
    kind.
    """
    ordered = np.argsort(x, kind="stable")
    for kind, (colour, dashes, meaning) in KIND_STYLE.items():
        here = [line for line in lines if line.kind == kind and np.any(line.frequency <= highest)]
        for n, line in enumerate(here):
            label = meaning_of(meaning, line.label) if n == 0 else None
            axes.plot(
                x[ordered],
                _up_to(highest, line.frequency[ordered]),
                color=colour,
                ls=dashes,
                lw=1.3,
                path_effects=[withStroke(linewidth=2.6, foreground="white", alpha=0.75)],
                marker="o" if x.size == 1 else None,
                label=label,
            )
            if kind == "folded":
                _name_folded(axes, x[ordered], line.frequency[ordered], line.label, colour, highest)


def _up_to(highest: float, frequency: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a line that goes on to the first point beyond the highest frequency, where the edge of the map cuts it."""
    inside = frequency <= highest
    near = inside.copy()
    near[1:] |= inside[:-1]
    near[:-1] |= inside[1:]
    return np.where(near, frequency, np.nan)


def _name_folded(
    axes: Axes, x: NDArray[np.float64], frequency: NDArray[np.float64], label: str, colour: str, highest: float
) -> None:
    """Label an aliased line with its multiple of the tooth frequency; otherwise it would look like an independent
    line.
    """
    shown = np.flatnonzero(frequency <= highest)
    if shown.size:
        at = int(shown[-1])
        axes.annotate(
            label.replace("tooth frequency", "teeth").replace("pin frequency", "pins"),
            (x[at], frequency[at]),
            xytext=(-3, 3),
            textcoords="offset points",
            ha="right",
            fontsize=7,
            color=colour,
            path_effects=[withStroke(linewidth=2.0, foreground="white")],
        )
