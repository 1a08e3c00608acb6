"""A single definition of the content of a figure and its table.

``_span(solution, span=0)`` has the arguments, computes, and returns a tuple, here a result and a spectrum. This is
passed to ``plot_span(solution, spectrum)``, decorated with ``draws(_span)``, and ``data_span(solution, spectrum)``,
decorated with ``tabulates(_span)``. Both are then called with its arguments: ``plot_span(solution, span=2)``.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar, TypeVarTuple

from matplotlib.figure import Figure

from chaindrive.model.arguments import settled
from chaindrive.plots.style import styled

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["draws", "tabulates"]

P = ParamSpec("P")
T = TypeVar("T")
Found = TypeVarTuple("Found")


def draws(compute: Callable[P, tuple[*Found]]) -> Callable[[Callable[[*Found], Figure]], Callable[P, Figure]]:
    """Decorator of a function that draws the results of ``compute``: the result takes the arguments of ``compute``.

    Its arguments are converted as in :func:`chaindrive.model.arguments.settled`, and it draws in the style of this
    package. The docstring of ``compute``, which describes the arguments and the channels needed, is added to its own.
    """
    return lambda draw: styled(_view(compute, draw))


def tabulates(compute: Callable[P, tuple[*Found]]) -> Callable[[Callable[[*Found], DataFrame]], Callable[P, DataFrame]]:
    """Decorator of a function that returns the drawn data as a table, otherwise as ``draws``."""
    return lambda tabulate: settled(_view(compute, tabulate))


def _view(compute: Callable[P, tuple[*Found]], show: Callable[[*Found], T]) -> Callable[P, T]:
    """``show`` applied to the result of ``compute``: arguments of ``compute``, name and return type of ``show``."""

    @functools.wraps(compute)
    def view(*arguments: P.args, **named: P.kwargs) -> T:
        return show(*compute(*arguments, **named))

    returned = show.__annotations__["return"]
    view.__name__, view.__qualname__ = show.__name__, show.__qualname__
    view.__annotations__ = compute.__annotations__ | {"return": returned}
    view.__signature__ = inspect.signature(compute).replace(return_annotation=returned)  # type: ignore[attr-defined]
    view.__doc__ = "\n\n".join(inspect.getdoc(function) or "" for function in (show, compute)).rstrip()
    return view
