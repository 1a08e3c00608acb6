"""The attribute ``solution.plot``, which has every plot of a result as a method."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from chaindrive.errors import InputError, Problem
from chaindrive.model.problems import nearest, nearest_of, spelled
from chaindrive.plots import PLOTS
from chaindrive.plots.loop import table_of_peaks

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from chaindrive.results import Solution

__all__ = ["Plots"]

ALSO = {"tension_along_loop": "tension-envelope"}
"""Alternative names of plots."""


class Plots:
    """The plots of a result as methods, such as ``solution.plot.tension_along_loop()``; ``dir(solution.plot)`` lists
    them.

    Their signatures show the arguments (link, span, start, stop ...).
    """

    def __init__(self, solution: Solution) -> None:
        self._solution = solution

    def __getattr__(self, name: str) -> Callable[..., Figure]:
        if name.startswith("_"):
            raise AttributeError(name)
        plot = PLOTS.get(ALSO.get(name, name.replace("_", "-")))
        if plot is None:
            raise AttributeError(f"there is no plot of this name: {name!r}{nearest(name, dir(self))}")
        return _bound(plot, self._solution)

    def __dir__(self) -> list[str]:
        return sorted([*ALSO, *(name.replace("-", "_") for name in PLOTS)])

    def __repr__(self) -> str:
        return f"<Plots of {self._solution.name}: {', '.join(dir(self))}>"

    def __call__(self, name: str = "overview", **chosen: Any) -> Figure:
        """Draw the plot of this name, as written here or on the command line. Raises InputError if there is none."""
        method = name.replace("-", "_")
        if method not in dir(self):
            hint = nearest_of(method, known := dir(self), len(known))
            raise InputError(Problem("plot", f"there is no plot of this name{hint}", repr(name)))
        return self.__getattr__(method)(**chosen)

    def table_of_peaks(self, start: float | None = None, stop: float | None = None) -> DataFrame:
        """See ``Solution.peaks``."""
        return table_of_peaks(self._solution, start, stop)


def _bound(plot: Callable[..., Figure], solution: Solution) -> Callable[..., Figure]:
    """The plot function bound to this solution, with the remaining arguments in its signature."""
    signature = inspect.signature(plot)
    left = list(signature.parameters.values())[1:]

    @functools.wraps(plot)
    def drawn(*arguments: Any, **chosen: Any) -> Figure:
        return plot(solution, *arguments, **chosen)

    drawn.__name__ = plot.__name__.removeprefix("plot_")
    drawn.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
    return spelled(drawn)
