"""Plots the energy audit of a run over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from chaindrive.plots.definition import draws, tabulates
from chaindrive.plots.style import INK, MARK, heading, new_figure, scale_for, show_times, wheel_colour
from chaindrive.plots.tables import table
from chaindrive.results.audit import LOSS_NAMES, NOT_ACCOUNTED_FOR, PUT_IN, TAKEN_OUT, lost_in, stored_as
from chaindrive.results.solution import Solution

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["data_energy", "plot_energy"]

_LINES = ("-", "--", "-.")


class _Energy(NamedTuple):
    """Energies over time. [J]"""

    times: NDArray[np.float64]
    balance: dict[str, NDArray[np.float64]]
    """Works of input and output, and the sum of all losses, by their labels."""
    losses: dict[str, NDArray[np.float64]]
    """Losses, by the NAME in their channels (work_NAME)."""
    changes: dict[str, NDArray[np.float64]]
    """Changes in stored energies, by the NAME in their channels (energy_NAME)."""
    residual: NDArray[np.float64]


def _energy(solution: Solution) -> tuple[Solution, _Energy]:
    """Needs the channel energy_residual; the works (work_*) and energies (energy_*) that were stored are shown."""
    residual, times = solution.values("energy_residual"), solution.time
    works = {name: _kept(solution, f"work_{name}") for name in ("input", "output", *LOSS_NAMES)}
    energies = {name: _kept(solution, f"energy_{name}") for name in ("kinetic", "elastic", "gravity")}
    used = {name: values for name, values in works.items() if values is not None and np.any(values != values[0])}
    losses = {name: used[name] for name in used if name in LOSS_NAMES}
    balance = {words: used[name] for name, words in (("input", PUT_IN), ("output", TAKEN_OUT)) if name in used}
    if losses:
        balance["lost"] = np.sum(list(losses.values()), axis=0)
    changes = {name: values - values[0] for name, values in energies.items() if values is not None}
    return solution, _Energy(times, balance, losses, changes, residual)


@tabulates(_energy)
def data_energy(solution: Solution, found: _Energy) -> DataFrame:
    """The data of :func:`plot_energy`: time [s], and works, losses, changes in stored energy and residual [J]."""
    columns = {"time [s]": found.times}
    columns |= {f"work {name} [J]": values for name, values in found.balance.items()}
    columns |= {f"{lost_in(solution.loss_names[name])} [J]": values for name, values in found.losses.items()}
    columns |= {f"{stored_as(name)} [J]": values for name, values in found.changes.items()}
    return table(columns | {"residual [J]": found.residual})


@draws(_energy)
def plot_energy(solution: Solution, found: _Energy) -> Figure:
    """Plot the energy audit over time: work input, output and losses, changes in stored energy, and the residual."""
    times, balance, losses, changes, values = found
    figure = new_figure(9.0, 8.2)
    panels = figure.subplots(4, 1, sharex=True, height_ratios=(1.2, 1.2, 1.2, 0.9))
    _lines(panels[0], times, balance, "work", "Work")
    _lines(panels[1], times, {solution.loss_names[name]: values for name, values in losses.items()}, "work", "Losses")
    _lines(panels[2], times, changes, "change", "Stored energy since the start")
    unit = scale_for(values, "J")
    panels[3].plot(times, unit(values), color=MARK)
    panels[3].set_ylabel(f"residual [{unit.unit}]")
    panels[3].set_xlabel("time [s]")
    show_times(panels[3], times[0], times[-1])
    accounts = [*(v for name, v in balance.items() if name != "lost"), *losses.values(), *changes.values()]
    turned = max((float(np.ptp(v)) for v in accounts), default=0.0)
    worst = float(np.max(np.abs(values)))
    share = f"largest {unit.text(worst)}" + (f", {worst / turned:.1e} of the largest item" if turned > 0.0 else "")
    heading(panels[3], NOT_ACCOUNTED_FOR.capitalize(), share)
    return figure


def _kept(solution: Solution, name: str) -> NDArray[np.float64] | None:
    return solution.values(name) if name in solution else None


def _lines(
    axes: Axes, times: NDArray[np.float64], series: dict[str, NDArray[np.float64]], what: str, title: str
) -> None:
    unit = scale_for(np.concatenate(list(series.values())) if series else [0.0], "J")
    for n, (name, values) in enumerate(series.items()):
        colour = INK if n == 0 else wheel_colour(n - 1)
        axes.plot(times, unit(values), color=colour, ls=_LINES[n % len(_LINES)], label=name)
    axes.set_ylabel(f"{what} [{unit.unit}]")
    heading(axes, title)
    if series:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
