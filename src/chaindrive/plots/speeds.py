"""Plots of the speeds of the wheels over time, and of their deviations from the mean ratio to a reference wheel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from chaindrive.analyses.signals.ratio import SpeedRatio, speed_ratio
from chaindrive.analyses.signals.selection import wheel_index
from chaindrive.analyses.signals.windows import instants, window_of
from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.style import heading, new_figure, show_times, wheel_colour
from chaindrive.plots.tables import table
from chaindrive.results.solution import Solution

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

__all__ = ["data_speeds", "plot_speeds"]


def _speeds(
    solution: Solution, reference: int | str | None = None, start: float | None = None, stop: float | None = None
) -> tuple[tuple[str, ...], NDArray[np.float64], NDArray[np.float64], list[SpeedRatio]]:
    """reference: number or name of the reference wheel, by default the driver. start, stop [s]: window over which the
    mean is taken (:func:`chaindrive.analyses.signals.ratio.speed_ratio`), by default the whole result. Needs the
    channel wheel_speed.
    """
    time = instants(solution)
    window = window_of(time, start, stop)
    speeds = np.asarray(solution.values("wheel_speed", window.rows), dtype=np.float64)
    first = wheel_index(solution.drive, reference)
    others = [w for w in range(speeds.shape[1]) if w != first]
    ratios = [speed_ratio(solution, w, first, window.start, window.stop) for w in others]
    return tuple(wheel.name for wheel in solution.drive.wheels), time[window.rows], speeds, ratios


@tabulates(_speeds)
def data_speeds(
    names: tuple[str, ...], time: NDArray[np.float64], speeds: NDArray[np.float64], ratios: list[SpeedRatio]
) -> DataFrame:
    """The data of :func:`plot_speeds`: time [s], speed of every wheel [rad/s], and deviations from the mean ratio
    [1].
    """
    columns = {"time [s]": time}
    columns |= {f"speed of {name} [rad/s]": speeds[:, w] for w, name in enumerate(names)}
    columns |= {f"deviation of {each.names[0]} from the mean ratio [1]": each.relative for each in ratios}
    return table(columns, **{f"mean ratio of {each.names[0]} to {each.names[1]} [1]": each.mean for each in ratios})


@draws(_speeds)
def plot_speeds(
    names: tuple[str, ...], time: NDArray[np.float64], speeds: NDArray[np.float64], ratios: list[SpeedRatio]
) -> Figure:
    """Plot the speeds of the wheels over time, and their deviations from the mean ratio to a reference wheel."""
    figure = new_figure(9.0, 6.4)
    upper, lower = figure.subplots(2, 1)
    for w, name in enumerate(names):
        upper.plot(time, speeds[:, w] * 30.0 / np.pi, color=wheel_colour(w), lw=0.8, label=name)
    upper.set_ylabel("speed [rpm]")
    heading(upper, "Speeds of the wheels", "counter-clockwise positive")
    upper.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    for each in ratios:
        label = f"{each.names[0]}: mean ratio {each.mean:.5g}"
        lower.plot(time, 100.0 * each.relative, color=wheel_colour(each.wheel), lw=0.8, label=label)
    lower.set_ylabel("deviation [%]")
    to = f" to {ratios[0].names[1]}" if ratios else ""
    heading(lower, f"Deviation from the mean ratio{to}", "positive: ahead")
    if ratios:
        lower.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    for axes in (upper, lower):
        axes.set_xlabel("time [s]")
        show_times(axes, float(time[0]), float(time[-1]))
    return figure
