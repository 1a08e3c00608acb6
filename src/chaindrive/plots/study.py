"""Plots a study: figures of merit over the first parameter, with a line for each curve."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.style import MARK, heading, new_figure, scale_for, wheel_colour
from chaindrive.studies.maps import lines_of_rows
from chaindrive.studies.table import cells

if TYPE_CHECKING:
    from pandas import DataFrame

    from chaindrive.studies import StudyTable
    from chaindrive.studies.table import Row

__all__ = ["data_study", "plot_study"]

_DASHES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))
_MARKERS = ("o", "s", "^", "D", "v", "P")
MOST_LINES = 60
"""Largest number of lines with markers and legend entries; if a study has more lines, they have neither."""

MOST_LETTERS = 90
"""Largest total number of characters up to which words along the axis are written horizontally; above it they are
written vertically."""
PANEL, LOW_PANEL = 3.4, 2.2
"""Height of a panel, and of a panel if there are more than three. [in]"""


def _study(table: StudyTable) -> tuple[StudyTable, dict[str, list[Row]]]:
    place = {value: i for i, value in enumerate(table.study.parameters[0].points())}
    lines = lines_of_rows(table).items()
    return table, {label: sorted(rows, key=lambda row: place[row.parameters[0]]) for label, rows in lines}


@tabulates(_study)
def data_study(table: StudyTable, lines: dict[str, list[Row]]) -> DataFrame:
    """The data of :func:`plot_study`: the table of the study, with the line to which every run belongs.

    There is a row for each run in the order of the lines; units are those of the study.
    """
    import pandas

    columns = [column.heading for column in table.columns]
    rows = [(label, *cells(row)) for label, members in lines.items() for row in members]
    return pandas.DataFrame(rows, columns=["line", *columns])


@draws(_study)
def plot_study(table: StudyTable, lines: dict[str, list[Row]]) -> Figure:
    """Plot all figures of merit of a study over its first parameter, with a panel for each figure and a line for each
    curve and each combination of the other parameters. Crosses at the bottom mark runs without a result.
    """
    figures = table.study.figures_of_merit
    made = new_figure(8.6, 1.4 + (PANEL if len(figures) <= 3 else LOW_PANEL) * len(figures))
    panels = made.subplots(len(figures), 1, sharex=True, squeeze=False)[:, 0]
    for k, axes in enumerate(panels):
        _draw(axes, table, lines, k)
    axis = table.study.parameters[0]
    panels[-1].set_xlabel(f"{axis.name} [{axis.unit}]" if axis.unit else axis.name)
    done = sum(not row.failed for row in table.rows)
    remark = f"{done} of {table.total} runs" + (f", {len(table.failed)} failed" if table.failed else "")
    heading(panels[0], table.study.name, remark)
    if 1 < len(lines) <= MOST_LINES:
        made.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=_columns(list(lines)))
    return made


def _columns(names: list[str]) -> int:
    """Number of legend entries side by side: as many as fit."""
    return max(1, min(len(names), 110 // (max(map(len, names)) + 8)))


def _draw(axes: Axes, table: StudyTable, lines: dict[str, list[Row]], k: int) -> None:
    """Draw figure of merit number k."""
    figure, unit = table.study.figures_of_merit[k], table.units[k]
    numeric = all(isinstance(value, float) for value in table.study.parameters[0].points())
    place = {value: i for i, value in enumerate(table.study.parameters[0].points())}
    scale = scale_for([row.figures[k] for row in table.rows], unit) if unit != "1" and not figure.unit else None
    for number, (label, rows) in enumerate(lines.items()):
        x = np.array([row.parameters[0] if numeric else place[row.parameters[0]] for row in rows], dtype=float)
        y = np.array([row.figures[k] for row in rows], dtype=float)
        axes.plot(
            x,
            scale(y) if scale is not None else y,
            label=label,
            color=wheel_colour(number),
            linestyle=_DASHES[number % len(_DASHES)],
            marker=_MARKERS[number % len(_MARKERS)] if len(lines) <= MOST_LINES else None,
            markersize=3.2,
        )
        failed = np.array([math.isnan(value) for value in y], dtype=bool)
        if failed.any():
            axes.plot(x[failed], np.full(failed.sum(), 0.02), "x", color=MARK, transform=axes.get_xaxis_transform())
    if not numeric:
        crowded = sum(len(str(value)) for value in place) > MOST_LETTERS
        axes.set_xticks(range(len(place)), [str(value) for value in place], rotation=90 if crowded else 0)
    shown = scale.unit if scale is not None else ("" if unit == "1" else unit)
    axes.set_ylabel(f"{figure.name} [{shown}]" if shown else figure.name)
