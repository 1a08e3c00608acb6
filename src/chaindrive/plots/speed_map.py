"""Plots the Campbell diagram of a study: a map over speed and frequency, crossings near the operating speed, and order
cuts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from chaindrive.analyses.results.speed_map import Crossing
from chaindrive.analyses.signals.waterfall import CampbellLine, Waterfall, amplitude_along
from chaindrive.errors import InputError, Problem
from chaindrive.model.problems import nearest
from chaindrive.plots.campbell import DECADES, draw_map, map_data
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.spectra import caption
from chaindrive.plots.style import INK, MARK, Scale, new_figure, wheel_colour
from chaindrive.plots.tables import side_by_side, table, tables_of
from chaindrive.studies.maps import SpeedMap, map_named

if TYPE_CHECKING:
    from pandas import DataFrame

    from chaindrive.studies import StudyTable

__all__ = ["data_campbell", "plot_campbell"]

CUTS = 4
"""Number of orders drawn over the speed if none are named: those with the largest amplitudes."""
LISTED = 6
"""Number of crossings marked in the map and listed below it."""
TO_RPM = 30.0 / np.pi

Cuts = list[tuple[CampbellLine, NDArray[np.float64]]]
"""Lines, with the amplitudes along each, shape (runs,)."""


def _campbell(
    study: StudyTable,
    channel: str | None = None,
    index: int | str | None = None,
    curve: str | None = None,
    highest: float | None = None,
    cuts: Sequence[str] | None = None,
) -> tuple[str, SpeedMap, float, Cuts]:
    """channel, index (number or name of its item): the spectra shown, by default the first of the study; curve: curve
    of the study, if there are several; highest: highest frequency drawn [Hz]; cuts: labels of the lines along which
    amplitudes are shown, such as "tooth frequency", by default the lines with the largest amplitudes. Raises InputError
    for spectra, curves or lines that do not exist.
    """
    chosen = map_named(study, channel, index, curve)
    highest = _highest(chosen.waterfall) if highest is None else highest
    return study.study.name, chosen, highest, _cuts(chosen, cuts)


@draws(_campbell)
def plot_campbell(study: str, chosen: SpeedMap, highest: float, cuts: Cuts) -> Figure:
    """Plot the Campbell diagram of a study that stored spectra: amplitude over speed and frequency, with the expected
    lines.

    The operating speed and the nearest crossings of excitations with natural frequencies are marked. The lower panel
    shows the amplitude along the lines of some orders.
    """
    figure = new_figure(9.4, 8.6)
    grid = figure.add_gridspec(3, 1, height_ratios=[4.4, 1.9, 0.17 * LISTED + 0.25])
    axes = figure.add_subplot(grid[0])
    unit = draw_map(axes, chosen.waterfall, chosen.lines, highest)
    limits = axes.get_xlim(), axes.get_ylim()
    _mark(axes, chosen, limits[1][1])
    axes.set(xlim=limits[0], ylim=limits[1])
    axes.set_xlabel("")
    runs = chosen.waterfall
    remark = f"{study}, {runs.start.size} runs, {runs.window}, resolution {runs.resolution:.3g} Hz"
    caption(axes, chosen.title, remark, room=80)
    _draw_cuts(figure.add_subplot(grid[1], sharex=axes), chosen, unit, cuts)
    _list(figure.add_subplot(grid[2]), chosen)
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


@tabulates(_campbell)
def data_campbell(study: str, chosen: SpeedMap, highest: float, cuts: Cuts) -> DataFrame:
    """The data of :func:`plot_campbell`: a row for each run and frequency. Beside these there are, for each run, a row
    with the frequencies of the lines and a row with the amplitudes along the chosen lines, and a row for each crossing.
    """
    found = chosen.waterfall
    parts = tables_of(map_data(found, chosen.lines, highest))
    speed = f"speed of {found.wheel_name} [rad/s]"
    runs = {"run": found.run, speed: found.speed}
    along = {f"{line.label} [{found.unit}]": amplitude for line, amplitude in cuts}
    met = chosen.crossings
    crossing = {
        "excitation": [each.excitation for each in met],
        "meets": [each.mode for each in met],
        speed: [each.speed for each in met],
        "frequency [Hz]": [each.frequency for each in met],
        "distance from the operating speed [1]": [each.distance for each in met],
    }
    return side_by_side(**parts, cuts=table(runs | along), crossings=table(crossing))


def _highest(found: Waterfall) -> float:
    """A frequency slightly above the highest frequency with a visible amplitude. [Hz]"""
    seen = np.flatnonzero((found.amplitude >= DECADES * found.amplitude.max()).any(axis=0))
    return 1.1 * float(found.frequency[seen[-1]])


def _cuts(chosen: SpeedMap, named: Sequence[str] | None) -> Cuts:
    """Lines of orders, with the amplitudes along each. Raises InputError for a line that does not exist."""
    lines = {line.label: line for line in chosen.lines}
    if named is not None:
        unknown = [label for label in named if label not in lines]
        if unknown:
            hint = nearest(unknown[0], lines) or "."
            message = f"there is no line of this name{hint} Available: {'; '.join(lines)}"
            raise InputError(Problem("cuts", message, repr(unknown[0])))
        return [(lines[label], amplitude_along(chosen.waterfall, lines[label].frequency)) for label in named]
    orders = [line for line in chosen.lines if line.kind in ("tooth", "driver", "order")]
    found = [(line, amplitude_along(chosen.waterfall, line.frequency)) for line in orders]
    known = [each for each in found if np.isfinite(each[1]).any()]
    return sorted(known, key=lambda each: -float(np.nanmax(each[1])))[:CUTS]


def _draw_cuts(axes: Axes, chosen: SpeedMap, unit: Scale, cuts: Cuts) -> None:
    x = TO_RPM * chosen.waterfall.speed
    for k, (line, amplitude) in enumerate(cuts):
        axes.plot(x, unit(amplitude), marker="o", markersize=2.6, lw=1.2, color=wheel_colour(k), label=line.label)
    if chosen.operating:
        axes.axvline(TO_RPM * chosen.operating, color=INK, lw=1.2, ls=(0, (6, 2)))
    axes.set_ylim(bottom=0.0)
    axes.set_xlabel(f"speed of {chosen.waterfall.wheel_name} [rpm]")
    axes.set_ylabel(f"amplitude [{unit.unit}]")
    if axes.lines:
        axes.legend(fontsize=7, ncols=2, loc="upper left", framealpha=0.85)


def _mark(axes: Axes, chosen: SpeedMap, highest: float) -> None:
    """Draw the operating speed as a line, and the listed crossings as numbered rings."""
    halo = [withStroke(linewidth=2.4, foreground="white")]
    if chosen.operating:
        label = f"operating speed, {TO_RPM * chosen.operating:.5g} rpm"
        axes.axvline(TO_RPM * chosen.operating, color=INK, lw=1.2, ls=(0, (6, 2)), label=label, path_effects=halo)
    for k, each in enumerate(chosen.crossings[:LISTED]):
        if each.frequency <= highest:
            at = (TO_RPM * each.speed, each.frequency)
            axes.plot(*at, "o", mfc="none", mec=MARK, ms=8, mew=1.3, label="crossings listed" if k == 0 else None)
            offset = (6, 5)
            axes.annotate(str(k + 1), at, offset, textcoords="offset points", color=MARK, fontsize=8, path_effects=halo)


def _list(axes: Axes, chosen: SpeedMap) -> None:
    """Write the list of crossings."""
    axes.axis("off")
    near = chosen.crossings[:LISTED]
    lines = [f"{k + 1}   {_words(each)}" for k, each in enumerate(near)]
    rest = len(chosen.crossings) - len(near)
    text = "\n".join(lines) if lines else "No excitation meets a natural frequency in the speed range of the runs."
    more = f"\n… and {rest} more, further away" if rest > 0 else ""
    axes.text(0.0, 1.0, text + more, transform=axes.transAxes, va="top", fontsize=7.5, linespacing=1.35)


def _words(each: Crossing) -> str:
    """Description of a crossing, such as "tooth frequency meets mode 1 of span a - b at 2870 rpm, 47.8 Hz (-4.3 %)"."""
    distance = f" ({100.0 * each.distance:+.1f} %)" if np.isfinite(each.distance) else ""
    return f"{each.excitation} meets {each.mode} at {TO_RPM * each.speed:.4g} rpm, {each.frequency:.4g} Hz{distance}"
