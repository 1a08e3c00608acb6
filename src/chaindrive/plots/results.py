"""Plots of channels over time and over frequency."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import NDArray

from chaindrive.analyses.results.jumps import tooth_jumps
from chaindrive.analyses.results.statistics import (
    ContactWindow,
    contact_windows,
    surface_names,
)
from chaindrive.analyses.signals.frequencies import string_frequencies
from chaindrive.analyses.signals.selection import check_index, steady_window
from chaindrive.analyses.signals.spectra import Spectrum, peaks, spectrum_of
from chaindrive.analyses.signals.windows import instants, mean_tooth_frequency, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.rails import guided_spans
from chaindrive.model.arguments import converting_arguments
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.spectra import WIDE_ROOM, caption, highest_shown
from chaindrive.plots.style import (
    INK,
    LINE,
    MARK,
    RAIL,
    heading,
    new_figure,
    scale_for,
    show_times,
    wheel_colour,
)
from chaindrive.plots.tables import side_by_side, table
from chaindrive.results.solution import Solution

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = [
    "data_contact_force",
    "data_displacement",
    "data_link_tension",
    "data_span",
    "draw_contact_force",
    "draw_displacement",
    "plot_contact_force",
    "plot_link_tension",
    "plot_span",
    "wheel_legend",
    "wheel_patches",
]


def last_loop(solution: Solution) -> tuple[float, float]:
    """Start and stop [s] of the last loop of the chain, or of the whole run if that is shorter."""
    times = instants(solution)
    stop = float(times[-1])
    tooth = mean_tooth_frequency(solution, 0.5 * (float(times[0]) + stop), stop)
    loop = solution.drive.chain.links / tooth if tooth > 0.0 else np.inf
    return max(float(times[0]), stop - loop), stop


def _window(solution: Solution, start: float | None, stop: float | None, margin: float = 0.0) -> tuple[float, float]:
    first, last = last_loop(solution) if start is None or stop is None else (start, stop)
    return (first if start is None else start) - margin, (last if stop is None else stop)


class _Curve(NamedTuple):
    """A quantity of a link or roller over time, and the wheel or guide that the link or roller touches."""

    times: NDArray[np.float64]
    values: NDArray[np.float64]
    window: tuple[float, float]
    stays: list[ContactWindow]

    def table(self, name: str, solution: Solution) -> DataFrame:
        """A table of times, values, and names of the wheel or guide, which are empty if there is no contact."""
        names = surface_names(solution.drive)
        on = np.full(self.times.size, "", dtype=object)
        for stay in self.stays:
            on[(self.times >= stay.start) & (self.times <= stay.stop)] = names[stay.wheel]
        return table({"time [s]": self.times, name: self.values, "on": on})


def _curve(solution: Solution, name: str, kind: str, index: int, start: float | None, stop: float | None) -> _Curve:
    """An element of a channel over a time window, without wheels and guides."""
    check_index(kind, index, solution.channel(name).shape[0])
    first, last = _window(solution, start, stop)
    rows = window_of(instants(solution), first, last).rows
    values = np.asarray(solution.values(name, rows, index), dtype=np.float64)
    return _Curve(solution.time[rows], values, (first, last), [])


def _link_tension(
    solution: Solution, link: int = 0, start: float | None = None, stop: float | None = None
) -> tuple[Solution, int, _Curve]:
    """The default window is the last loop of the chain. Needs the channels link_tension, contact_surface and
    wheel_speed. start, stop [s].
    """
    curve = _curve(solution, "link_tension", "link", link, start, stop)
    following = (link + 1) % solution.drive.chain.joints
    here, there = (contact_windows(solution, roller, wheels_only=False) for roller in (link, following))
    return solution, link, curve._replace(stays=_common(here, there))


@tabulates(_link_tension)
def data_link_tension(solution: Solution, link: int, shown: _Curve) -> DataFrame:
    """The data of :func:`plot_link_tension`: time [s], tension [N], and the wheel or guide that the link touches."""
    return shown.table(f"tension of link {link} [N]", solution)


@draws(_link_tension)
def plot_link_tension(solution: Solution, link: int, shown: _Curve) -> Figure:
    """Plot the tension of one link, by default over the last loop of the chain. Bands mark contact of the link with
    wheels and guides.
    """
    values = shown.values
    unit = scale_for(values, "N")
    figure = new_figure(9.0, 4.2)
    axes = figure.add_subplot()
    axes.plot(shown.times, unit(values), color=LINE)
    show_times(axes, *shown.window)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(f"tension of link {link} [{unit.unit}]")
    _draw_bands(axes, solution, shown.stays)
    remark = f"mean {unit.text(float(values.mean()))}, {unit.range(values)}"
    heading(axes, f"Tension of link {link}", remark)
    wheel_legend(figure, solution)
    return figure


def _common(first: list[ContactWindow], second: list[ContactWindow]) -> list[ContactWindow]:
    """The windows in which both rollers of a link touch the same wheel or guide."""
    both = []
    for a in first:
        for b in second:
            start, stop = max(a.start, b.start), min(a.stop, b.stop)
            if a.wheel == b.wheel and stop > start:
                both.append(ContactWindow(a.wheel, start, stop))
    return both


def _draw_bands(axes: Axes, solution: Solution, windows: list[ContactWindow]) -> None:
    first, last = axes.get_xlim()
    wheels = len(solution.drive.wheels)
    for window in windows:
        if window.stop >= first and window.start <= last:
            colour, alpha = (wheel_colour(window.wheel), 0.22) if window.wheel < wheels else (RAIL, 0.45)
            axes.axvspan(window.start, window.stop, color=colour, alpha=alpha, lw=0, zorder=0)
    for jump in tooth_jumps(solution):
        if first <= jump.time <= last:
            axes.axvline(jump.time, color=wheel_colour(jump.wheel), lw=0.9, ls=":", zorder=1)
    show_times(axes, first, last)


def wheel_patches(solution: Solution) -> list[Patch]:
    """Legend entries for the bands of wheels and guides."""
    names = [wheel.name for wheel in solution.drive.wheels]
    found = [Patch(color=wheel_colour(w), alpha=0.35, lw=0, label=f"on {name}") for w, name in enumerate(names)]
    if solution.drive.guides:
        found.append(Patch(color=RAIL, alpha=0.6, lw=0, label="on a guide"))
    return found


def wheel_legend(figure: Figure, solution: Solution, guides: bool = True) -> None:
    """Add a legend with the colours of the wheels in rows below the axes; guides: whether to add the colour of the
    bands that mark contact with guides.
    """
    patches: list[Artist] = [*wheel_patches(solution)[: None if guides else len(solution.drive.wheels)]]
    if tooth_jumps(solution):
        patches.append(Line2D([], [], color=INK, lw=0.9, ls=":", label="the chain jumped"))
    figure.legend(handles=patches, loc="outside lower center", ncols=min(len(patches), 5))


def _contact_force(
    solution: Solution, roller: int = 0, start: float | None = None, stop: float | None = None
) -> tuple[Solution, int, _Curve]:
    """The default window is the last loop of the chain. Needs the channels contact_force, contact_surface and
    wheel_speed. start, stop [s].
    """
    if solution.drive.sheaves:
        message = (
            "applies to rollers; a pin between sheaves has a normal force and friction on each end: see pin-forces"
        )
        raise InputError(Problem("contact_force", message))
    curve = _curve(solution, "contact_force", "roller", roller, start, stop)
    return solution, roller, curve._replace(stays=contact_windows(solution, roller, wheels_only=False))


@tabulates(_contact_force)
def data_contact_force(solution: Solution, roller: int, shown: _Curve) -> DataFrame:
    """The data of :func:`plot_contact_force`: time [s], normal force [N], and the wheel or guide that the roller
    touches.
    """
    return shown.table(f"contact force of roller {roller} [N]", solution)


@draws(_contact_force)
def plot_contact_force(solution: Solution, roller: int, shown: _Curve) -> Figure:
    """Plot the contact force of one roller, by default over the last loop of the chain. Bands mark contact with wheels
    and guides.
    """
    figure = new_figure(9.0, 4.2)
    axes = figure.add_subplot()
    _draw_contact_force(axes, solution, roller, shown)
    wheel_legend(figure, solution)
    return figure


def draw_contact_force(
    axes: Axes, solution: Solution, roller: int, start: float | None = None, stop: float | None = None
) -> None:
    """Draw the content of :func:`plot_contact_force` into axes."""
    _draw_contact_force(axes, *_contact_force(solution, roller, start, stop))


def _draw_contact_force(axes: Axes, solution: Solution, roller: int, shown: _Curve) -> None:
    values = shown.values
    unit = scale_for(values, "N")
    axes.plot(shown.times, unit(values), color=LINE, lw=0.9)
    show_times(axes, *shown.window)
    axes.set_ylim(bottom=0.0)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(f"contact force [{unit.unit}]")
    _draw_bands(axes, solution, shown.stays)
    heading(axes, f"Contact force of roller {roller}", f"largest {unit.text(float(np.max(values)))}")


class _SpanSpectrum(NamedTuple):
    """The spectrum of a span over a time window, and the frequencies that are marked in it. [Hz]"""

    window: tuple[float, float]
    spectrum: Spectrum
    strings: NDArray[np.float64]
    tooth: float
    highest: float
    """Highest frequency shown."""


def _span(
    solution: Solution, span: int = 0, start: float | None = None, stop: float | None = None
) -> tuple[Solution, int, _SpanSpectrum]:
    """The spectrum is computed from start to stop [s], by default over the steady part of the run. Needs the channels
    span_displacement, span_tension and wheel_speed.
    """
    check_index("span", span, solution.channel("span_displacement").shape[0])
    first, last = steady_window(solution, start, stop)
    spectrum = spectrum_of(solution, "span_displacement", span, first, last, padding=4).spectrum
    tooth = mean_tooth_frequency(solution, first, last)
    strings = string_frequencies(solution, span, first, last)
    highest = highest_shown("span_displacement", tooth, spectrum.frequency, None)
    return solution, span, _SpanSpectrum((first, last), spectrum, strings, tooth, highest)


def _shown(spectrum: Spectrum, highest: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Frequencies and amplitudes of the drawn part of a spectrum, without the mean and up to the highest frequency."""
    shown = (spectrum.frequency > 0.5 * spectrum.resolution) & (spectrum.frequency <= highest)
    return spectrum.frequency[shown], spectrum.amplitude[shown]


@tabulates(_span)
def data_span(solution: Solution, span: int, found: _SpanSpectrum) -> DataFrame:
    """The data of :func:`plot_span` side by side: time [s] and displacement [m]; frequency [Hz] and amplitude [m] of
    the spectrum; the frequencies of the moving string and the tooth frequency [Hz].
    """
    frequency, amplitude = _shown(found.spectrum, found.highest)
    return side_by_side(
        motion=data_displacement(solution, span, *found.window),
        spectrum=table({"frequency [Hz]": frequency, f"amplitude of {solution.drive.span_names[span]} [m]": amplitude}),
        strings=table({"frequency of the moving string [Hz]": found.strings}),
        teeth=table({"tooth frequency [Hz]": [found.tooth]}),
    )


@draws(_span)
def plot_span(solution: Solution, span: int, shown: _SpanSpectrum) -> Figure:
    """Plot the transverse displacement of the middle of a span, and its amplitude spectrum.

    Lines mark the tooth frequency and the natural frequencies of the moving string at the mean tension of the span.
    """
    (first, last), spectrum, strings, tooth, highest = shown
    figure = new_figure(9.0, 6.6)
    above, below = figure.subplots(2, 1, height_ratios=(1.0, 1.25))
    draw_displacement(above, solution, span, first, last)
    frequency, amplitude = _shown(spectrum, highest)
    unit = scale_for(amplitude, "m")
    below.plot(frequency, unit(amplitude), color=LINE)
    top = float(unit(amplitude.max()))
    if top > 0.0:
        below.set_yscale("log")
        below.set_ylim(2e-5 * top, 12.0 * top)
    below.set_xlim(0.0, highest)
    below.set_xlabel("frequency [Hz]")
    below.set_ylabel(f"amplitude [{unit.unit}]")
    heading(below, "Amplitude spectrum", f"{first:.4g} to {last:.4g} s, resolution {spectrum.resolution:.3g} Hz")
    _mark_frequencies(below, strings, tooth, drive_facts(solution.drive).passing, highest)
    found = sorted(peaks(spectrum, 4, 0.03, spectrum.resolution, 0.99 * highest), key=lambda peak: peak.frequency)
    for i, peak in enumerate(found):
        crowded = i + 1 < len(found) and found[i + 1].frequency - peak.frequency < 0.09 * highest
        _label_peak(below, peak.frequency, float(unit(peak.amplitude)), crowded and peak.frequency > 0.08 * highest)
    return figure


class _Displacement(NamedTuple):
    """Motion of the middle of a span. If a guide deflects the span, the motion is measured about its mean; otherwise
    the mean is nan.
    """

    time: NDArray[np.float64]
    values: NDArray[np.float64]
    mean: float

    @property
    def about(self) -> str:
        return "" if np.isnan(self.mean) else " about its mean"


def _displacement(solution: Solution, span: int, start: float, stop: float) -> _Displacement:
    check_index("span", span, solution.channel("span_displacement").shape[0])
    rows = window_of(instants(solution), start, stop).rows
    values = np.asarray(solution.values("span_displacement", rows, span), dtype=np.float64)
    guided = solution.drive.guides and span in guided_spans(solution.drive, drive_facts(solution.drive).route)
    mean = float(values.mean()) if guided else float("nan")
    return _Displacement(solution.time[rows], values - mean if guided else values, mean)


@converting_arguments
def data_displacement(solution: Solution, span: int, start: float, stop: float) -> DataFrame:
    """The data of :func:`draw_displacement`: time [s] and displacement of the middle of the span [m]."""
    found = _displacement(solution, span, start, stop)
    name = f"displacement of {solution.drive.span_names[span]}{found.about} [m]"
    return table({"time [s]": found.time, name: found.values})


def draw_displacement(
    axes: Axes, solution: Solution, span: int, start: float, stop: float, room: int = WIDE_ROOM
) -> None:
    """Draw the displacement of the middle of a span over time into axes, about its mean if a guide deflects the span;
    room: see ``caption``.
    """
    found = _displacement(solution, span, start, stop)
    unit = scale_for(found.values, "m")
    axes.plot(found.time, unit(found.values), color=LINE, lw=0.9)
    show_times(axes, start, stop)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(f"displacement [{unit.unit}]")
    about = f"{found.about} of {scale_for(found.mean, 'm').text(found.mean)}" if found.about else ""
    remark = f"{solution.drive.span_names[span]}; {unit.range(found.values)}{about}"
    caption(axes, f"Middle of span {span}", remark, room)


def _mark_frequencies(axes: Axes, strings: NDArray[np.float64], tooth: float, word: str, highest: float) -> None:
    handles = []
    usable = strings[np.isfinite(strings) & (strings > 0.0) & (strings <= highest)]
    for n, frequency in enumerate(usable):
        label = "moving string, " + ", ".join(f"{x:.3g}" for x in usable) + " Hz" if n == 0 else None
        line = axes.axvline(float(frequency), color=MARK, lw=1.0, ls=(0, (5, 2)), zorder=1, label=label)
        handles += [line] if n == 0 else []
    if 0.0 < tooth <= highest:
        handles.append(
            axes.axvline(tooth, color="#009E73", lw=1.2, ls=":", zorder=1, label=f"{word} frequency, {tooth:.4g} Hz")
        )
    if handles:
        legend = axes.legend(
            handles=handles, loc="upper center", ncols=2, frameon=True, edgecolor="none", framealpha=0.9
        )
        legend.set_zorder(7)


def _label_peak(axes: Axes, frequency: float, amplitude: float, leftward: bool) -> None:
    axes.plot([frequency], [amplitude], "o", ms=3.5, color=INK, zorder=6)
    axes.annotate(
        f"{frequency:.3g} Hz", (frequency, amplitude), (-4 if leftward else 4, 4), textcoords="offset points",
        fontsize=8, color=INK, ha="right" if leftward else "left",
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.8}, zorder=5,
    )  # fmt: skip
