"""Plots of the forces on the individual plates of a rocker-pin chain over one loop."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from chaindrive.analyses.results.plate_forces import PlateForces, plate_forces
from chaindrive.analyses.signals.selection import check_index
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.style import INK, LINE, MARK, heading, new_figure, scale_for, show_times, wheel_colour
from chaindrive.plots.tables import side_by_side, table
from chaindrive.results.solution import Solution

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["data_plate_forces", "plot_plate_forces"]

OTHERS = "#9AA5AE"
"""Colour of all plates except the clasp plate."""


def _plate_forces(
    solution: Solution, link: int | None = None, start: float | None = None, stop: float | None = None
) -> tuple[PlateForces, int]:
    """The default link is the first one with a clasp plate, which is in an outermost row; the default window is the
    last loop of the chain. Needs a rocker-pin chain with [chain.plates], and the channels link_tension,
    pin_circumferential_friction, pin_axial_force, roller_position and wheel_position. start, stop [s].
    """
    found = plate_forces(solution, start, stop)
    chosen = int(found.link[found.clasp[0]]) if link is None else check_index("link", link, found.mean.shape[1])
    return found, chosen


def _of_link(found: PlateForces, link: int) -> NDArray[np.int64]:
    return np.flatnonzero(found.link == link)


@tabulates(_plate_forces)
def data_plate_forces(found: PlateForces, link: int) -> DataFrame:
    """The data of :func:`plot_plate_forces` side by side: the forces on the plates of the link at each instant by row
    (counted from 0), their mean, and the position of the link; and for every row of the chain the minimum, mean and
    maximum over all plates of the row and the window.
    """
    columns = {f"row {found.row[plate]} [N]": found.force[:, plate] for plate in _of_link(found, link)}
    on = [found.names[place] for place in found.where[:, link]]
    forces = table({"time [s]": found.time, **columns, "mean of the plates [N]": found.mean[:, link], "where": on})
    by_row = [found.force[:, found.row == row] for row in range(found.rows)]
    rows = {
        "row": np.arange(found.rows),
        "smallest force [N]": [each.min() for each in by_row],
        "mean force [N]": [each.mean() for each in by_row],
        "largest force [N]": [each.max() for each in by_row],
    }
    return side_by_side(forces=forces, rows=table(rows))


@draws(_plate_forces)
def plot_plate_forces(found: PlateForces, link: int) -> Figure:
    """Plot the force on every plate of a link over one loop, with the clasp plate and the mean of all plates
    highlighted, and for every row of the chain the range and the mean.
    """
    plates = _of_link(found, link)
    clasp = np.intersect1d(plates, found.clasp)
    figure = new_figure(9.5, 6.8)
    above, below = figure.subplots(2, 1, height_ratios=[3.0, 2.0])
    unit = scale_for(found.force, "N")
    for k, plate in enumerate(np.setdiff1d(plates, clasp)):
        above.plot(
            found.time, unit(found.force[:, plate]), color=OTHERS, lw=0.6, label="other plates" if k == 0 else None
        )
    for k, plate in enumerate(clasp):
        above.plot(found.time, unit(found.force[:, plate]), color=MARK, lw=1.4, label="clasp plate" if k == 0 else None)
    above.plot(found.time, unit(found.mean[:, link]), color=INK, lw=1.1, ls=(0, (4, 2)), label="mean of the plates")
    _bands(above, found, link)
    above.set_ylim(bottom=0.0)
    above.set_xlabel("time [s]")
    above.set_ylabel(f"force on a plate [{unit.unit}]")
    show_times(above, found.time[0], found.time[-1])
    above.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    heading(above, f"Plates of link {link}", f"largest in the chain {unit.text(float(found.force.max()))}")
    _draw_rows(below, found)
    return figure


def _bands(axes: Axes, found: PlateForces, link: int) -> None:
    """Draw bands where a pair of sheaves holds the link."""
    where = found.where[:, link]
    named = set()
    edges = np.concatenate([[0], np.flatnonzero(np.diff(where)) + 1, [where.size]])
    for first, end in itertools.pairwise(edges):
        pair = int(where[first])
        if pair < 2:
            stop = found.time[min(end, where.size - 1)]
            label = None if pair in named else found.names[pair]
            axes.axvspan(found.time[first], stop, color=wheel_colour(pair), alpha=0.22, lw=0, zorder=0, label=label)
            named.add(pair)


def _draw_rows(axes: Axes, found: PlateForces) -> None:
    """Draw the range and mean of every row over all links and the window."""
    unit = scale_for(found.force, "N")
    for row in range(found.rows):
        forces = unit(found.force[:, found.row == row])
        colour = MARK if row in (0, found.rows - 1) else LINE
        axes.plot([row, row], [forces.min(), forces.max()], color=colour, lw=4.0, alpha=0.5, solid_capstyle="butt")
        axes.plot([row], [forces.mean()], "o", color=colour, ms=4.0)
    axes.set_ylim(bottom=0.0)
    axes.set_xlabel("row across the chain [-]")
    axes.set_ylabel(f"force on a plate [{unit.unit}]")
    heading(axes, "Rows of the whole chain", "bar: range, dot: mean")
