"""Plots an optimisation: objective and variables over the evaluations, and for two variables the path in their
plane.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.style import INK, MARK, Scale, heading, new_figure, scale_for, wheel_colour
from chaindrive.studies.evaluations import cells_of

if TYPE_CHECKING:
    from pandas import DataFrame

    from chaindrive.model.study.optimisation import Variable
    from chaindrive.studies import OptimisationTable
    from chaindrive.studies.evaluations import Evaluation

__all__ = ["data_optimisation", "plot_optimisation"]

MOST_VARIABLES = 8
"""Largest number of variables drawn; if there are more, the first ones are drawn."""
FEWEST_ON_MAP = 6
"""Least number of runs for which the map is also coloured between the runs."""
LONGEST_NAME = 26
"""Largest number of characters with which an objective is written along its axis."""
LONGEST_TITLE = 34
"""Largest number of characters of the name of a study that leaves room for a remark on the same line."""
PALE = "#9AA5AD"
FloatArray = NDArray[np.float64]


def _optimisation(table: OptimisationTable) -> tuple[OptimisationTable, FloatArray]:
    return table, _best_so_far(table)


@tabulates(_optimisation)
def data_optimisation(table: OptimisationTable, best_so_far: FloatArray) -> DataFrame:
    """The data of :func:`plot_optimisation`: the table, with the best objective so far (nan before the first valid
    one).
    """
    import pandas

    best = table.best
    frame = pandas.DataFrame(
        [cells_of(row, row is best) for row in table.rows], columns=[column.heading for column in table.columns]
    )
    return frame.assign(**{"best so far": best_so_far})


@draws(_optimisation)
def plot_optimisation(table: OptimisationTable, best_so_far: FloatArray) -> Figure:
    """Plot objective and variables over the evaluations, with the best objective so far, and for two variables the path
    in a map.

    Filled symbols mark evaluations that meet all constraints, open symbols those that violate at least one, and crosses
    at the bottom failed runs. The star marks the best evaluation.
    """
    variables = table.study.variables[:MOST_VARIABLES]
    on_map = len(table.study.variables) == 2
    heights = [2.6, *(1.5 for _ in variables), *([4.6] if on_map else [])]
    made = new_figure(8.6, 1.2 + sum(heights))
    panels = made.subplots(len(heights), 1, squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
    scale = _scale(table)
    _objective(panels[0], panels[1], table, scale, best_so_far)
    for k, variable in enumerate(variables):
        axes = panels[k + 1]
        axes.sharex(panels[0])
        values = np.array([row.values[k] for row in table.rows])
        _runs(axes, table, values)
        path = table.improvements
        axes.step([*(r.run for r in path), _last(table)], [*(r.values[k] for r in path), *_held(path, k)], where="post",
                  color=wheel_colour(0))  # fmt: skip
        axes.set_ylabel(_labelled(variable.name, variable.unit))
        if _whole(variable):
            axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    for axes in panels[: len(variables)]:
        axes.tick_params(labelbottom=False)
    panels[len(variables)].set_xlabel("evaluation")
    if on_map:
        _map(made, panels[-1], table, scale)
    return made


def _held(path: tuple[Evaluation, ...], k: int) -> list[float]:
    """The last value of the path, with which the line is extended to the end; nan if there is no path."""
    return [path[-1].values[k] if path else np.nan]


def _last(table: OptimisationTable) -> int:
    return table.rows[-1].run if table.rows else 0


def _scale(table: OptimisationTable) -> Scale:
    """The unit in which the objective is drawn, with a prefix if it is a figure of merit without a given unit."""
    column = next(c for c in table.columns if c.name == "objective")
    own = {figure.name: figure.unit for figure in table.study.figures_of_merit}
    if column.unit not in ("", "1") and own.get(table.study.objective.text) == "":
        return scale_for([row.objective for row in table.rows], column.unit)
    return Scale(1.0, "" if column.unit == "1" else column.unit)


def _best_so_far(table: OptimisationTable) -> FloatArray:
    found = np.full(len(table.rows), np.nan)
    steps = {row.run: row.objective for row in table.improvements}
    for i, row in enumerate(table.rows):
        found[i] = steps.get(row.run, found[i - 1] if i else np.nan)
    return found


def _runs(axes: Axes, table: OptimisationTable, values: FloatArray) -> None:
    """Draw each run as a filled symbol, an open symbol, or a cross at the bottom, and the best one as a star."""
    run = np.array([row.run for row in table.rows])
    good = np.array([row.feasible for row in table.rows], dtype=bool)
    failed = np.array([row.failed for row in table.rows], dtype=bool)
    axes.plot(run[good], values[good], "o", color=PALE, markersize=3.4, label="meets all constraints")
    off = ~good & ~failed
    if off.any():
        axes.plot(run[off], values[off], "o", color=PALE, markersize=3.4, markerfacecolor="none", label="does not")
    if failed.any():
        axes.plot(run[failed], np.full(failed.sum(), 0.02), "x", color=MARK, transform=axes.get_xaxis_transform(),
                  markersize=4, label="no result")  # fmt: skip
    if (best := table.best) is not None:
        axes.plot(best.run, values[[row is best for row in table.rows]], "*", color=MARK, markersize=11, zorder=5)


def _objective(axes: Axes, below: Axes, table: OptimisationTable, scale: Scale, best_so_far: FloatArray) -> None:
    study = table.study
    _runs(axes, table, scale([row.objective for row in table.rows]))
    axes.step([row.run for row in table.rows], scale(best_so_far), where="post", color=wheel_colour(0),
              label="best so far")  # fmt: skip
    feasible = scale([row.objective for row in table.rows if row.feasible])
    if feasible.size > 4:  # a few outliers must not squeeze all others into a line
        low, high = np.quantile(feasible, [0.0, 0.95]) if study.sense > 0.0 else np.quantile(feasible, [0.05, 1.0])
        room = 0.08 * (high - low) or 1.0
        axes.set_ylim(low - room, high + room)
    which = "least" if study.sense > 0.0 else "largest"
    name = study.objective.text
    axes.set_ylabel(_labelled(name if len(name) <= LONGEST_NAME else "objective", scale.unit))
    summary = f"{len(table)} evaluations" + (f", {len(table.failed)} failed" if table.failed else "")
    best = table.best
    summary = f"{summary}; {which}: {best.objective * scale.factor:.5g} {scale.unit}".strip() if best else summary
    beside = len(study.name) <= LONGEST_TITLE
    heading(axes, study.name, summary if beside else "")
    if not beside:  # in the line of the next panel
        heading(below, "", summary)
    axes.legend(loc="best")


def _map(figure: Figure, axes: Axes, table: OptimisationTable, scale: Scale) -> None:
    """Draw the plane of two variables, with the objective as colour, open symbols for violated constraints, and the
    path of the best point.
    """
    from matplotlib.tri import Triangulation

    first, second = table.study.variables
    there = [row for row in table.rows if not row.failed]
    x, y = (np.array([row.values[k] for row in there]) for k in (0, 1))
    z = scale([row.objective for row in there])
    good = np.array([row.feasible for row in there], dtype=bool)
    if there:
        low, high = np.quantile(z, [0.0, 0.9]) if table.study.sense > 0.0 else np.quantile(z, [0.1, 1.0])
        shown = {"vmin": low, "vmax": max(high, low + 1e-12 * (abs(low) or 1.0)), "cmap": "viridis"}
        if len(there) >= FEWEST_ON_MAP and min(np.unique(x).size, np.unique(y).size) >= 3:
            levels = np.linspace(shown["vmin"], shown["vmax"], 15)
            with contextlib.suppress(RuntimeError, ValueError):  # all runs on one line span no triangles
                axes.tricontourf(Triangulation(x, y), z, levels, extend="both", alpha=0.6, cmap="viridis")
        dots = axes.scatter(x[good], y[good], c=z[good], s=16, edgecolors=INK, linewidths=0.4, **shown)
        axes.scatter(x[~good], y[~good], s=16, facecolors="none", edgecolors=PALE, linewidths=0.9)
        figure.colorbar(dots, ax=axes, label=_labelled("objective", scale.unit), extend="both")
    failed = [row.values for row in table.failed]
    if failed:
        axes.plot(*np.array(failed).T, "x", color=MARK, markersize=4)
    path = np.array([row.values for row in table.improvements])
    if path.size:
        axes.plot(*path.T, "-", color=INK, linewidth=1.0)
        axes.plot(*path[-1], "*", color=MARK, markersize=14, markeredgecolor="white", zorder=5)
    for variable, limit, axis in ((first, axes.set_xlim, axes.xaxis), (second, axes.set_ylim, axes.yaxis)):
        low, high = variable.bounds
        limit(low - 0.03 * (high - low), high + 0.03 * (high - low))
        if _whole(variable):
            axis.set_major_locator(MaxNLocator(nbins=8, integer=True))
    axes.set_xlabel(_labelled(first.name, first.unit))
    axes.set_ylabel(_labelled(second.name, second.unit))
    heading(axes, "Path of the best point", "open: violates a constraint")


def _whole(variable: Variable) -> bool:
    """Whether all values of a variable are whole numbers, such as numbers of teeth."""
    return variable.step is not None and all(
        variable.value(place).is_integer() for place in (0.0, 1.0, variable.places[1])
    )


def _labelled(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit and unit != "1" else name
