"""Plots the stability of a span whose tension fluctuates, as a map over frequency and amplitude of the fluctuation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from chaindrive.analyses.analytical.operating import OperatingPoint, span_frequencies, span_stability
from chaindrive.analyses.linear.stability import SpanStability, principal_tongue, tension_fluctuation
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.style import INK, LINE, Scale, new_figure, scale_for
from chaindrive.plots.tables import table

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["data_stability", "plot_stability"]

SMALLEST_GROWTH = 1e-3
"""Growth per period of the fluctuation above which a point counts as unstable; smaller values are rounding errors of
the eigenvalues."""
LEVELS = 12
DAMPING_RATIO = 0.01
"""Damping ratio assumed for the first mode if it is unknown. It closes the many narrow tongues of combination
resonances of higher modes."""


Edges = tuple[NDArray[np.float64], NDArray[np.float64]]


def _stability(
    point: OperatingPoint, span: int = 0, damping_ratio: float = DAMPING_RATIO, found: SpanStability | None = None
) -> tuple[OperatingPoint, int, float, SpanStability, Edges]:
    """damping_ratio: damping ratio of the first mode. The map shown is that of
    :func:`chaindrive.analyses.analytical.operating.span_stability` with these arguments, unless another map is passed
    as found. Raises InputError as that function does.
    """
    shown = span_stability(point, span, damping_ratio=damping_ratio) if found is None else found
    return point, span, damping_ratio, shown, _first_order(point, span, damping_ratio, shown)


@tabulates(_stability)
def data_stability(
    point: OperatingPoint, span: int, damping_ratio: float, shown: SpanStability, edges: Edges
) -> DataFrame:
    """The data of :func:`plot_stability`, with a row for each point of the map: frequency [Hz] and amplitude [N] of the
    fluctuation, growth of the vibration [1/s] (the span is stable if it is not above zero), and the edges [Hz] of the
    principal resonance of one mode to first order at this amplitude, which are nan if damping closes it.
    """
    frequency, amplitude = np.meshgrid(shown.frequency, shown.amplitude)
    low, high = (np.repeat(edge, shown.frequency.size) for edge in edges)
    return table(
        {
            "frequency [Hz]": frequency.ravel(),
            "amplitude [N]": amplitude.ravel(),
            "growth [1/s]": shown.growth.ravel(),
            "lower edge of one mode [Hz]": low,
            "upper edge of one mode [Hz]": high,
        }
    )


def _first_order(point: OperatingPoint, span: int, damping_ratio: float, shown: SpanStability) -> Edges:
    """Edges of the principal resonance of one mode to first order at every amplitude; nan if damping closes it. [Hz]"""
    tension, first = float(point.tension[span]), float(span_frequencies(point)[span])
    density = float(point.span_mass_per_length[span])
    low, high = np.full((2, shown.amplitude.size), math.nan)
    for row, amplitude in enumerate(shown.amplitude):
        eps = float(tension_fluctuation(amplitude, tension, density, point.chain_speed))
        edges = principal_tongue(eps, damping_ratio)
        if edges is not None:
            low[row], high[row] = edges[0] * first, edges[1] * first
    return low, high


@draws(_stability)
def plot_stability(
    point: OperatingPoint, span: int, damping_ratio: float, shown: SpanStability, edges: Edges
) -> Figure:
    """Draw where a fluctuating tension makes a span unstable, and how fast its vibration grows.

    The axes are the frequency of the fluctuation, in Hz and at the top as an order of the driver, and its amplitude, in
    N and per cent of the tension. Dashed lines show the principal resonance of one mode to first order, W = 2 w1 -+
    sqrt((eps w1 / 2)^2 - (2 zeta w1)^2) with eps from :func:`chaindrive.analyses.linear.stability.tension_fluctuation`.
    Labels name the resonances.
    """
    unit = scale_for(shown.amplitude, "N")
    figure = new_figure(9.0, 5.2)
    axes = figure.add_subplot()
    axes.grid(visible=False)
    _draw_growth(figure, axes, shown, unit)
    _draw_first_order(axes, edges, unit(shown.amplitude))
    _mark_resonances(axes, float(span_frequencies(point)[span]), shown)
    axes.set_xlim(float(shown.frequency[0]), float(shown.frequency[-1]))
    axes.set_ylim(float(shown.amplitude[0]) * unit.factor, float(shown.amplitude[-1]) * unit.factor)
    axes.set_xlabel("frequency at which the tension fluctuates [Hz]")
    axes.set_ylabel(f"amplitude of the fluctuation [{unit.unit}]")
    _order_axis(axes, point)
    tension = float(point.tension[span])
    share = axes.secondary_yaxis("right", functions=_proportional(100.0 / (tension * unit.factor)))
    share.set_ylabel("of the tension [%]")
    axes.set_title(f"Stability of span {span}, {point.drive.span_names[span]}", pad=52)
    remark = (
        f"tension {scale_for(tension, 'N').text(tension)}, chain speed {point.chain_speed:.3g} m/s, "
        f"damping ratio {damping_ratio:g}"
    )
    axes.annotate(remark, (0, 1), (0, 40), "axes fraction", "offset points", fontsize=8.5, color="#55606A")
    return figure


def _draw_growth(figure: Figure, axes: Axes, shown: SpanStability, unit: Scale) -> None:
    """Draw growth rates as filled contours, which are white where the span is stable."""
    largest = float(shown.growth.max())
    if not np.log(shown.multiplier).max() > SMALLEST_GROWTH:
        axes.text(0.5, 0.5, "stable everywhere", transform=axes.transAxes, ha="center", color=INK)
        return
    levels = np.array(MaxNLocator(LEVELS).tick_values(0.0, largest))
    levels[0] = 1e-3 * largest
    warm = LinearSegmentedColormap.from_list("growth", colormaps["YlOrRd"](np.linspace(0.12, 0.95, 64)))
    amplitude = unit(shown.amplitude)
    filled = axes.contourf(shown.frequency, amplitude, shown.growth, levels, cmap=warm)
    axes.contour(shown.frequency, amplitude, shown.growth, levels[:1], colors=INK, linewidths=0.8)
    bar = figure.colorbar(filled, ax=axes, pad=0.02, ticks=levels[1:], format="%.4g")
    bar.set_label("growth of the vibration [1/s]")


def _draw_first_order(axes: Axes, edges: Edges, amplitude: NDArray[np.float64]) -> None:
    open_ = np.isfinite(edges[0])
    if open_.any():
        low, high, at = (values[open_] for values in (*edges, amplitude))
        axes.plot(low, at, "--", color=LINE, lw=1.2, label="one mode, first order")
        axes.plot(high, at, "--", color=LINE, lw=1.2)
        axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.12), borderaxespad=0.0)


def _mark_resonances(axes: Axes, first: float, shown: SpanStability) -> None:
    """Write the names of the resonances at the bottom of their tongues; all natural frequencies are multiples of the
    first.
    """
    for multiple, text in ((1, "f1"), (2, "2 f1"), (3, "f1 + f2"), (4, "2 f2"), (5, "f2 + f3"), (6, "2 f3")):
        if shown.frequency[0] <= multiple * first <= shown.frequency[-1]:
            axes.axvline(multiple * first, color=INK, lw=0.7, ls=":", zorder=0)
            place, move = (multiple * first, 0.0), (3, 4)
            axes.annotate(text, place, move, ("data", "axes fraction"), "offset points", fontsize=8.5, color=INK)


def _proportional(factor: float) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Functions that convert the scale of an axis to a proportional scale and back."""
    return lambda value: np.asarray(value) * factor, lambda value: np.asarray(value) / factor


def _order_axis(axes: Axes, point: OperatingPoint) -> None:
    turn = point.driver_speed / (2.0 * math.pi)
    if turn > 0.0:
        above = axes.secondary_xaxis("top", functions=_proportional(1.0 / turn))
        above.set_xlabel(f"order of {point.drive.wheels[point.driver].name}")
