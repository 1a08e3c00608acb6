"""Plots of spectra over frequency and order, with marks at the known frequencies of the drive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from chaindrive.analyses.signals.frequencies import Kind, Mark, OrderMark, frequency_marks, order_marks
from chaindrive.analyses.signals.orders import OrderSpectrum, order_spectrum
from chaindrive.analyses.signals.selection import Axis, motion_channel, span_of
from chaindrive.analyses.signals.spectra import ChannelSpectrum, Peak, Scaling, Spectrum, Window, peaks, spectrum_of
from chaindrive.errors import InputError, Problem
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.style import INK, LINE, MARK, Scale, heading, new_figure, scale_for
from chaindrive.plots.tables import side_by_side, table
from chaindrive.results.solution import Solution

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = [
    "KIND_STYLE",
    "WIDE_ROOM",
    "amplitude_scale",
    "caption",
    "data_orders",
    "data_spectrum",
    "draw_marks",
    "draw_spectrum",
    "highest_shown",
    "meaning_of",
    "plot_orders",
    "plot_spectrum",
]

WIDE_ROOM = 92
"""Number of characters of a title above axes that are as wide as a figure of 9 inches."""
KIND_STYLE: dict[Kind, tuple[str, object, str]] = {
    "tooth": ("#009E73", ":", "teeth"),
    "folded": ("#8A7A3D", (0, (1, 3)), "teeth above half the save rate, aliased"),
    "driver": ("#CC79A7", "-", "orders of the driver"),
    "order": ("#8A949C", (0, (1, 1.5)), "revolutions of wheels and chain"),
    "string": (MARK, (0, (5, 2)), "spans as moving strings"),
    "system": ("#0072B2", (0, (3, 1.5, 1, 1.5)), "eigenfrequencies of the drive"),
}
"""Colour, line style and meaning of the lines that mark frequencies."""


def meaning_of(meaning: str, label: str) -> str:
    """Text of the legend for a kind of mark. For a chain between sheaves it names pins instead of teeth, like the label
    of the mark.
    """
    return meaning.replace("teeth", "pins") if label.split(",")[0].endswith(("pin frequency", "pins")) else meaning


_QUANTITY: dict[Scaling, str] = {
    "amplitude": "amplitude",
    "rms": "rms amplitude",
    "density": "power spectral density",
}
_PREFIXED = frozenset({"N", "m", "m/s", "W", "J", "Pa", "rad", "rad/s", "N m"})
_PEAKS = 6
_DECADES = 1e-4
"""Lowest amplitude shown, relative to the highest."""


def amplitude_scale(values: object, unit: str) -> Scale:
    """Scale with a suitable prefix, for units that can have a prefix."""
    return scale_for(np.asarray(values), unit) if unit in _PREFIXED else Scale(1.0, unit)


LEAST_LINES = 4
"""Minimum number of spectral lines in the drawn range."""


def highest_shown(channel: str, tooth: float, there: NDArray[np.float64], highest: float | None) -> float:
    """Highest frequency or order to be drawn: the requested one, or else one that covers the motion of spans and the
    tooth forces.

    tooth: frequency or order of the teeth, 0 if unknown; there: the available frequencies or orders, increasing, shape
    (n,). For a drive almost at a standstill all of them are shown. Raises InputError if ``highest`` is below all of
    them.
    """
    usable = float(there[-1])
    if highest is not None:
        lowest = float(there[there > 0.0][0])
        if highest < lowest:
            raise InputError(Problem("highest", f"must be at least {lowest:.4g}, the lowest available", f"{highest:g}"))
        return min(highest, usable)
    last = (1.35 if channel == "span_displacement" else 3.3) * tooth
    return min(last, usable) if last > there[min(LEAST_LINES, there.size - 1)] else usable


def _spectrum(
    solution: Solution,
    channel: str | None = None,
    index: int | str | None = None,
    start: float | None = None,
    stop: float | None = None,
    scaling: Scaling = "amplitude",
    window: Window = "hann",
    axis: Axis = "magnitude",
    highest: float | None = None,
) -> tuple[ChannelSpectrum, list[Mark], float]:
    """The marks need the channel wheel_speed, and those of strings also span_tension; they are omitted if these are
    missing. channel (by default the displacement of spans, or else their tension), index (number or name of the wheel,
    span, link ...), start, stop, scaling, window, axis: see :func:`chaindrive.analyses.signals.spectra.spectrum_of`;
    highest: highest frequency drawn [Hz].
    """
    found = spectrum_of(solution, channel or motion_channel(solution), index, start, stop, window, scaling, axis)
    span = span_of(solution, found.channel, found.item)
    marks = frequency_marks(solution, found.start, found.stop, span, float(found.frequency[-1]))
    tooth = min((mark.frequency for mark in marks if mark.kind == "tooth"), default=0.0)
    return found, marks, highest_shown(found.channel, tooth, found.frequency, highest)


@tabulates(_spectrum)
def data_spectrum(found: ChannelSpectrum, marks: list[Mark], last: float) -> DataFrame:
    """The data of :func:`plot_spectrum`: frequency [Hz] and amplitude up to ``highest``, and the marked frequencies."""
    shown = found.frequency <= last
    return side_by_side(
        spectrum=table(
            {
                "frequency [Hz]": found.frequency[shown],
                f"{_QUANTITY[found.scaling]} of {found.label} [{found.unit}]": found.amplitude[shown],
            },
            window=f"{found.window}, {found.start:.6g} to {found.stop:.6g} s, resolution {found.resolution:.4g} Hz, "
            f"noise bandwidth {found.noise_bandwidth:.4g} Hz",
        ),
        marks=table(
            {"mark": [mark.label for mark in marks], "frequency of the mark [Hz]": [mark.frequency for mark in marks]}
        ),
    )


@draws(_spectrum)
def plot_spectrum(found: ChannelSpectrum, marks: list[Mark], last: float) -> Figure:
    """Plot the spectrum of any channel, with marks at tooth frequencies, orders of the driver, string frequencies and
    eigenfrequencies of the drive.
    """
    figure = new_figure(9.0, 4.6)
    axes = figure.add_subplot()
    unit = amplitude_scale(found.amplitude, found.unit)
    draw_spectrum(axes, found.spectrum, unit, last, "Hz")
    axes.set_xlabel("frequency [Hz]")
    axes.set_ylabel(f"{_QUANTITY[found.scaling]} [{unit.unit}]")
    remark = f"{found.start:.4g} to {found.stop:.4g} s, {found.window}, resolution {found.resolution:.3g} Hz"
    caption(axes, found.label, remark)
    draw_marks(figure, axes, marks, last, "Hz")
    return figure


def caption(axes: Axes, label: str, remark: str, room: int = WIDE_ROOM) -> None:
    """Write the label as a title and a remark at the right, or below the title if both do not fit on one line.

    room: number of characters of a title that fit on one line.
    """
    title = label[:1].upper() + label[1:]
    heading(axes, f"{title}\n" if len(title) + 0.78 * len(remark) > room else title, remark)


def draw_spectrum(axes: Axes, spectrum: Spectrum, unit: Scale, highest: float, suffix: str = "") -> None:
    """Draw amplitudes on a logarithmic axis up to the highest frequency or order, with labels at the highest peaks."""
    shown = (spectrum.frequency <= highest) & (spectrum.frequency > 0.5 * spectrum.resolution)
    heights = unit(spectrum.amplitude[shown])
    top = float(heights.max(initial=0.0))
    if not top > 0.0:
        axes.plot(spectrum.frequency[shown], heights, color=LINE)
        axes.set_xlim(0.0, highest)
        return
    axes.semilogy(spectrum.frequency[shown], np.maximum(heights, 0.1 * _DECADES * top), color=LINE, zorder=3)
    axes.set_ylim(_DECADES * top, 8.0 * top)
    axes.set_xlim(0.0, highest)
    for peak in peaks(spectrum, _PEAKS, 0.01, spectrum.resolution, highest, separation=0.05 * highest):
        _label(axes, peak, unit, highest, suffix)


def _label(axes: Axes, peak: Peak, unit: Scale, highest: float, suffix: str) -> None:
    leftward = peak.frequency > 0.93 * highest
    axes.plot([peak.frequency], unit([peak.amplitude]), "o", ms=3.5, color=INK, zorder=6)
    axes.annotate(
        f"{peak.frequency:.4g} {suffix}".strip(),
        (peak.frequency, float(unit(peak.amplitude))),
        (-4 if leftward else 4, 4),
        textcoords="offset points",
        fontsize=8,
        color=INK,
        ha="right" if leftward else "left",
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.8},
        zorder=5,
    )


def draw_marks(
    figure: Figure, axes: Axes, marks: Sequence[Mark] | Sequence[OrderMark], highest: float, unit: str = ""
) -> None:
    """Draw vertical lines at frequencies or orders up to the highest. Each kind has one legend entry with its
    values.
    """
    handles: list[Artist] = []
    for kind, (colour, dashes, meaning) in KIND_STYLE.items():
        shown_marks = [mark for mark in marks if mark.kind == kind and 0.0 < mark[1] <= highest]
        here = [mark[1] for mark in shown_marks]  # frequency or order
        if not here:
            continue
        meaning = meaning_of(meaning, shown_marks[0].label)
        shown = list(dict.fromkeys(f"{place:.4g}" for place in here))
        values = ", ".join(shown[:5]) + (" ..." if len(shown) > 5 else "")
        for n, place in enumerate(here):
            label = f"{meaning}: {values} {unit}".strip() if n == 0 else None
            line = axes.axvline(place, color=colour, ls=dashes, lw=1.1, zorder=1, label=label)
            handles += [line] if n == 0 else []
    if handles:
        figure.legend(handles=handles, loc="outside lower center", ncols=2)


def _orders(
    solution: Solution,
    channel: str = "span_tension",
    index: int | str | None = None,
    wheel: int | str | None = None,
    start: float | None = None,
    stop: float | None = None,
    window: Window = "hann",
    axis: Axis = "magnitude",
    highest: float | None = None,
) -> tuple[OrderSpectrum, list[OrderMark], float]:
    """channel, index, wheel, start, stop, window, axis: see :func:`chaindrive.analyses.signals.orders.order_spectrum`;
    highest: highest order drawn. Needs the channel wheel_angle.
    """
    found = order_spectrum(solution, channel, index, wheel, start, stop, window, axis)
    marks = order_marks(solution.drive, found.wheel, float(found.order[-1]))
    return found, marks, highest_shown(found.channel, solution.drive.wheels[found.wheel].teeth, found.order, highest)


@tabulates(_orders)
def data_orders(found: OrderSpectrum, marks: list[OrderMark], last: float) -> DataFrame:
    """The data of :func:`plot_orders`: order (cycles per revolution of the wheel), amplitude, and the marked orders."""
    shown = found.order <= last
    return side_by_side(
        orders=table(
            {
                f"order of {found.wheel_name} [1]": found.order[shown],
                f"amplitude of {found.label} [{found.unit}]": found.amplitude[shown],
            },
            window=f"{found.window}, {found.start:.6g} to {found.stop:.6g} s, {found.revolutions} revolutions",
        ),
        marks=table({"mark": [mark.label for mark in marks], "order of the mark [1]": [mark.order for mark in marks]}),
    )


@draws(_orders)
def plot_orders(found: OrderSpectrum, marks: list[OrderMark], last: float) -> Figure:
    """Plot the order spectrum of any channel: amplitude over cycles per revolution of a wheel, with marks at the orders
    of teeth, driver and other wheels.
    """
    figure = new_figure(9.0, 4.6)
    axes = figure.add_subplot()
    unit = amplitude_scale(found.amplitude, found.unit)
    draw_spectrum(axes, found.spectrum, unit, last, "")
    axes.set_xlabel(f"order of {found.wheel_name} [cycles per revolution]")
    axes.set_ylabel(f"amplitude [{unit.unit}]")
    caption(axes, found.label, _span_of_speeds(found))
    draw_marks(figure, axes, marks, last)
    return figure


def _span_of_speeds(found: OrderSpectrum) -> str:
    low, high = (speed * 30.0 / np.pi for speed in found.speed)
    speed = f"{high:.4g} rpm" if high - low < 0.005 * high else f"{low:.4g} to {high:.4g} rpm"
    return f"{found.revolutions} revolutions, {found.start:.4g} to {found.stop:.4g} s, {speed}, {found.window}"
