"""Plots of bearing forces, losses, rainflow counts of link tension, and the comparison with analytical checks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from chaindrive.analyses.results.bearings import BearingLoads, bearing_loads
from chaindrive.analyses.results.comparison import Compared, Comparison, comparison
from chaindrive.analyses.results.losses import LOSS_NAMES, Losses, LossHistory, loss_history, losses
from chaindrive.analyses.results.rainflow import (
    Exceedance,
    Histogram,
    Rainflow,
    equivalent_range,
    exceedance,
    link_rainflow,
    range_mean_histogram,
)
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.style import (
    INK,
    LINE,
    MARK,
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

__all__ = [
    "data_bearing_force",
    "data_comparison",
    "data_losses",
    "data_rainflow",
    "plot_bearing_force",
    "plot_comparison",
    "plot_losses",
    "plot_rainflow",
]

EXPONENT = 5.0
"""Exponent of the S-N curve for the equivalent range shown in the plot."""
_PLATES = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A5A1E", "#5B6770", "#A6761D",
    "#009E73", "#D55E00", "#CC79A7", "#E69F00", "#56B4E9", "#8C6BB1",
)  # fmt: skip


def _bearing_force(solution: Solution, start: float | None = None, stop: float | None = None) -> tuple[BearingLoads]:
    """The default window covers the last whole revolutions of the driver. Needs the channel bearing_force. start, stop
    [s].
    """
    return (bearing_loads(solution, start, stop),)


@tabulates(_bearing_force)
def data_bearing_force(found: BearingLoads) -> DataFrame:
    """The data of :func:`plot_bearing_force` side by side: the forces at each instant, and their statistics for each
    wheel.
    """
    columns = {"time [s]": found.time}
    for w, name in enumerate(found.names):
        columns[f"force in x on {name} [N]"] = found.force[:, w, 0]
        columns[f"force in y on {name} [N]"] = found.force[:, w, 1]
        columns[f"magnitude on {name} [N]"] = found.magnitude[:, w]
    statistics = {
        "wheel": list(found.names),
        "mean force in x [N]": found.mean[:, 0],
        "mean force in y [N]": found.mean[:, 1],
        "mean magnitude [N]": found.mean_magnitude,
        "smallest magnitude [N]": found.smallest,
        "largest magnitude [N]": found.largest,
        "direction of the largest [rad]": found.largest_direction,
        "time of the largest [s]": found.largest_time,
        "rms of the fluctuation [N]": found.fluctuation,
    }
    return side_by_side(forces=table(columns), statistics=table(statistics))


@draws(_bearing_force)
def plot_bearing_force(found: BearingLoads) -> Figure:
    """Plot the path of the tip of the force vector of every wheel on its bearing (hodograph), and the magnitudes over
    time.

    In the hodographs the origin is zero force, the dot marks the mean, and the cross marks the largest force.
    """
    wheels = len(found.names)
    unit = scale_for(found.largest, "N")
    columns = min(wheels, 4)
    rows = math.ceil(wheels / columns)
    figure = new_figure(max(2.9 * columns, 9.0), 3.0 * rows + 3.0)
    grid = figure.add_gridspec(rows + 1, columns, height_ratios=[3.0] * rows + [2.6])
    for w, name in enumerate(found.names):
        axes = figure.add_subplot(grid[w // columns, w % columns])
        _hodograph(axes, unit, found.force[:, w], found.mean[w], wheel_colour(w))
        if w % columns == 0:
            axes.set_ylabel(f"force in y [{unit.unit}]")
        else:
            axes.set_ylabel(f"[{unit.unit}]")
        axes.set_xlabel(f"force in x [{unit.unit}]")
        heading(axes, name)
    axes = figure.add_subplot(grid[rows, :])
    for w, name in enumerate(found.names):
        mean, largest = (unit.text(float(x[w])) for x in (found.mean_magnitude, found.largest))
        axes.plot(
            found.time, unit(found.magnitude[:, w]), color=wheel_colour(w), lw=0.8,
            label=f"{name}: mean {mean}, largest {largest}",
        )  # fmt: skip
    axes.set_ylim(bottom=0.0)
    show_times(axes, found.start, found.stop)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(f"magnitude [{unit.unit}]")
    heading(axes, "Force on the bearings")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def _hodograph(axes: Axes, unit: Any, force: Any, mean: Any, colour: str) -> None:
    """Draw the path of the tip of a force vector, and an arrow from the origin to the mean."""
    x, y = unit(force).T
    axes.plot(x, y, color=colour, lw=0.5, alpha=0.8)
    tip = unit(mean)
    axes.annotate("", tip, (0.0, 0.0), arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1.0})
    axes.plot([0.0], [0.0], "+", color=INK, ms=7)
    axes.plot(*tip, "o", color=INK, ms=3.0)
    most = int(np.argmax(np.hypot(x, y)))
    axes.plot([x[most]], [y[most]], "x", color=MARK, ms=6.0)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.12)


def _losses(solution: Solution, start: float | None = None, stop: float | None = None) -> tuple[LossHistory, Losses]:
    """By default the losses over time cover the whole run, where each value is the mean over one revolution of the
    driver, and the means cover the last whole revolutions in the steady part. Both are computed from the works, so that
    no impact is missed. Needs the channels work_* and wheel_speed. start, stop [s].
    """
    return loss_history(solution, start, stop), losses(solution, start, stop)


@tabulates(_losses)
def data_losses(history: LossHistory, found: Losses) -> DataFrame:
    """The data of :func:`plot_losses` side by side: moving means of the losses over time, and means by cause."""
    over = {f"{name} [W]": history.power[:, k] for k, name in enumerate(history.names)}
    whole = {
        "cause": [*found.names, "input", "output"],
        "mean power [W]": [*found.power, found.input, found.output],
        "share of all losses [-]": [*found.share, math.nan, math.nan],
    }
    return side_by_side(over_time=table({"time [s]": history.time} | over), means=table(whole))


@draws(_losses)
def plot_losses(history: LossHistory, found: Losses) -> Figure:
    """Plot the losses by cause: moving means over time, and mean powers with their shares."""
    figure = new_figure(9.5, 6.6)
    above, below = figure.subplots(2, 1, height_ratios=(1.4, 1.0))
    unit = scale_for(found.power, "W")
    colours = dict(zip(LOSS_NAMES, _PLATES, strict=True))
    for k, (key, name) in enumerate(zip(history.keys, history.names, strict=True)):
        if np.any(history.power[:, k]):
            above.plot(history.time, unit(history.power[:, k]), color=colours[key], label=name)
    above.set_xlabel("time [s]")
    above.set_ylabel(f"lost power [{unit.unit}]")
    heading(above, "Losses over time", f"means over {history.over}, {history.period:.3g} s")
    if above.lines:
        above.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    order = [int(k) for k in np.argsort(found.power)]
    below.barh(range(len(order)), unit(found.power[order]), color=[colours[found.keys[k]] for k in order])
    below.set_yticks(range(len(order)), [found.names[k] for k in order])
    for row, k in enumerate(order):  # right of the axis also where energy was put in
        text = f"{unit.text(float(found.power[k]))}, {100.0 * found.share[k]:.3g} %"
        end = float(unit(max(found.power[k], 0.0)))
        below.annotate(text, (end, row), (4, 0), textcoords="offset points", va="center", fontsize=8.5)
    below.margins(x=0.25)
    below.grid(visible=False, axis="y")
    below.set_xlabel(f"mean lost power, {found.start:.4g} to {found.stop:.4g} s [{unit.unit}]")
    remark = f"input {unit.text(found.input)}" if math.isfinite(found.input) else ""
    if math.isfinite(found.efficiency):
        remark += f", output {unit.text(found.output)}, efficiency {100.0 * found.efficiency:.2f} %"
    heading(below, f"Total losses {unit.text(found.total)}", remark)
    return figure


def _rainflow(
    solution: Solution, link: int | None = None, start: float | None = None, stop: float | None = None
) -> tuple[int | None, Rainflow, Histogram, Exceedance]:
    """link: a single link, by default all links together. The default window covers all whole loops in the steady part
    of a run. Needs the channel link_tension, and link_path_position for counts per loop. start, stop [s].
    """
    cycles = link_rainflow(solution, None if link is None else [link], start, stop)
    return link, cycles, range_mean_histogram(cycles), exceedance(cycles)


@tabulates(_rainflow)
def data_rainflow(link: int | None, cycles: Rainflow, histogram: Histogram, reached: Exceedance) -> DataFrame:
    """The data of :func:`plot_rainflow` side by side: the cells of range and mean that contain cycles, cumulative
    counts by range, and the equivalent range of each link.
    """
    row, column = np.nonzero(histogram.count)
    cells = {
        "range from [N]": histogram.range_edges[row],
        "range to [N]": histogram.range_edges[row + 1],
        "mean from [N]": histogram.mean_edges[column],
        "mean to [N]": histogram.mean_edges[column + 1],
        "cycles [-]": histogram.count[row, column],
    }
    spectrum = {
        "range [N]": reached.range,
        "cycles of at least this range, per link [-]": reached.cycles,
        "per link and loop [-]": reached.per_loop,
        "per link and hour [1/h]": reached.per_hour,
    }
    blocks = {"cells": table(cells), "ranges": table(spectrum)}
    if cycles.loops > 0.0:
        name = f"damage-equivalent range, one cycle per loop, exponent {EXPONENT:g} [N]"
        blocks["links"] = table({"link": cycles.links, name: equivalent_range(cycles, EXPONENT)})
    return side_by_side(**blocks)


@draws(_rainflow)
def plot_rainflow(link: int | None, cycles: Rainflow, histogram: Histogram, reached: Exceedance) -> Figure:
    """Plot rainflow counts of link tension (ASTM E1049-85): cycles by range and mean, and cumulative counts by range.

    The equivalent range is that of the most damaged link; applied once per loop, it causes the same damage (Miner,
    exponent 5).
    """
    unit = scale_for([histogram.range_edges[-1], histogram.mean_edges[-1]], "N")
    figure = new_figure(9.8, 4.8)
    left, right = figure.subplots(1, 2, width_ratios=(1.15, 1.0))
    counts = np.ma.masked_less_equal(histogram.count, 0.0)
    top = float(histogram.count.max()) or 1.0
    mesh = left.pcolormesh(
        unit(histogram.mean_edges), unit(histogram.range_edges), counts, cmap=tension_colours(),
        norm=LogNorm(0.5, max(top, 1.0)),
    )  # fmt: skip
    bar = figure.colorbar(mesh, ax=left, location="bottom", shrink=0.9, pad=0.02)
    bar.set_label("cycles [-]")
    left.set_xlabel(f"cycle mean [{unit.unit}]")
    left.set_ylabel(f"cycle range [{unit.unit}]")
    which = "all links" if link is None else f"link {link}"
    heading(left, f"Rainflow counts, {which}", f"{cycles.start:.4g} to {cycles.stop:.4g} s")
    by_loop = math.isfinite(cycles.loops) and cycles.loops > 0.0
    often = reached.per_loop if by_loop else reached.cycles
    right.step(often, unit(reached.range), color=LINE, where="post")
    right.set_xscale("log")
    right.set_xlabel("cycles of at least this range, " + ("per link and loop [-]" if by_loop else "per link [-]"))
    right.set_ylabel(f"range [{unit.unit}]")
    right.set_ylim(bottom=0.0)
    remark = ""
    if by_loop and cycles.range.size:
        ranges = equivalent_range(cycles, EXPONENT)
        worst = int(np.argmax(ranges))
        right.axhline(float(unit(ranges[worst])), color=MARK, ls=(0, (5, 2)), lw=1.0)
        remark = f"equivalent {unit.text(float(ranges[worst]))}, link {cycles.links[worst]}"
    heading(right, "Ranges reached", remark)
    return figure


def _two_numbers(row: Compared) -> tuple[str, str]:
    """Both numbers of a row as text, with the same prefix; numbers without a unit have none."""
    both = (row.simulated, row.analytical)
    if row.unit == "1":
        mine, theirs = (f"{value:.4g}".replace("-", "−", 1) for value in both)
    else:
        unit = scale_for(both, row.unit)
        mine, theirs = (unit.text(value, 4) for value in both)
    return mine, theirs


def _comparison(solution: Solution, start: float | None = None, stop: float | None = None) -> tuple[Comparison]:
    """The default window covers the last whole revolutions of the driver in the steady part of the run; see
    ``analyses.results.comparison`` for the quantities compared. Needs the channels span_tension and wheel_speed. start,
    stop [s].
    """
    return (comparison(solution, start, stop),)


@tabulates(_comparison)
def data_comparison(found: Comparison) -> DataFrame:
    """The data of :func:`plot_comparison`, with a row for each check that states its formula and source.

    The rows of checks that do not apply have no numbers and state the reason.
    """
    rows, out = found.rows, found.left_out
    none = [math.nan] * len(out)
    return table(
        {
            "quantity": [row.quantity for row in rows] + [row.quantity for row in out],
            "where": [row.where for row in rows] + [row.where for row in out],
            "simulated [in unit]": [row.simulated for row in rows] + none,
            "analytical [in unit]": [row.analytical for row in rows] + none,
            "unit": [row.unit for row in rows] + [""] * len(out),
            "relative difference [-]": [row.relative for row in rows] + none,
            "formula": [row.formula for row in rows] + [""] * len(out),
            "source": [row.source for row in rows] + [""] * len(out),
            "remark": [row.remark for row in rows] + [f"not compared: {row.reason}" for row in out],
        }
    )


@draws(_comparison)
def plot_comparison(found: Comparison) -> Figure:
    """Plot the relative differences between a run and the analytical checks of its drive.

    There is a row for each check with both numbers; see ``data_comparison`` for formulas, sources and omitted checks.
    """
    rows = found.rows
    figure = new_figure(10.5, 1.4 + 0.3 * max(len(rows), 2))
    axes = figure.add_subplot()
    shares = np.array([100.0 * row.relative for row in rows], dtype=np.float64)
    beyond = 100.0
    y = np.arange(len(rows))
    shown = np.clip(np.nan_to_num(shares), -beyond, beyond)
    axes.hlines(y, 0.0, shown, color=LINE, lw=2.2)
    inside = np.abs(np.nan_to_num(shares)) <= beyond
    axes.plot(shown[inside], y[inside], "o", color=LINE, ms=4.5)
    for k in np.flatnonzero(~inside).tolist():
        axes.plot([shown[k]], [k], ">" if shown[k] > 0.0 else "<", color=LINE, ms=6.5)
    names = [f"{row.quantity}, {row.where}" if row.where else row.quantity for row in rows]
    axes.set_yticks(y, names)
    for k, row in enumerate(rows):
        mine, theirs = _two_numbers(row)
        share = f"{shares[k]:+.3g} %".replace("-", "−", 1) if math.isfinite(shares[k]) else ""
        text = f"{mine}  |  {theirs}  |  {share}"
        axes.text(1.01, k, text, transform=axes.get_yaxis_transform(), va="center", fontsize=8.5, color=INK)
    axes.axvline(0.0, color=INK, lw=0.8)
    most = max(5.0, 1.1 * float(np.abs(shown).max(initial=0.0)))
    axes.set_xlim(-most, most)
    axes.set_ylim(max(len(rows), 1) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(f"(simulated - analytical) / analytical [%], {found.start:.4g} to {found.stop:.4g} s")
    left = f", {len(found.left_out)} not compared" if found.left_out else ""
    heading(axes, f"Analytical checks{left}")
    axes.text(1.01, -0.6, "simulated  |  analytical  |  difference", transform=axes.get_yaxis_transform(), va="bottom",
              fontsize=8.5, fontweight="bold", color=INK)  # fmt: skip
    if not rows:
        axes.text(0.5, 0.5, found.left_out[0].reason, transform=axes.transAxes, ha="center", fontsize=8.5, color=INK)
    return figure
