"""Decorators that define the content of a figure and of its table in one place.

``_span(solution, span=0)`` takes the arguments, computes what is shown, and returns it as a tuple, such as a result and
a spectrum. ``plot_span(solution, spectrum)``, decorated with ``draws(_span)``, and ``data_span(solution, spectrum)``,
decorated with ``tabulates(_span)``, receive this tuple. After decoration both are called with the arguments of
``_span``: ``plot_span(solution, span=2)``.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar, TypeVarTuple

from matplotlib.figure import Figure

from chaindrive.model.arguments import converting_arguments
from chaindrive.plots.style import styled

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["draws", "tabulates"]

P = ParamSpec("P")
T = TypeVar("T")
Found = TypeVarTuple("Found")


def draws(compute: Callable[P, tuple[*Found]]) -> Callable[[Callable[[*Found], Figure]], Callable[P, Figure]]:
    """Decorator for a function that draws the results of ``compute``.

    The decorated function takes the arguments of ``compute``, converts them as in
    :func:`chaindrive.model.arguments.settled`, and draws in the style of this package. The docstring of ``compute``,
    which describes the arguments and the channels needed, is appended to its docstring.
    """
    return lambda draw: styled(_view(compute, draw))


def tabulates(compute: Callable[P, tuple[*Found]]) -> Callable[[Callable[[*Found], DataFrame]], Callable[P, DataFrame]]:
    """Decorator for a function that returns the results of ``compute`` as a table; in all other respects like
    :func:`draws`.
    """
    return lambda tabulate: converting_arguments(_view(compute, tabulate))


def _view(compute: Callable[P, tuple[*Found]], show: Callable[[*Found], T]) -> Callable[P, T]:
    """The function that applies ``show`` to the result of ``compute``. It has the arguments of ``compute``, and the
    name and return type of ``show``.
    """

    @functools.wraps(compute)
    def view(*arguments: P.args, **named: P.kwargs) -> T:
        return show(*compute(*arguments, **named))

    returned = show.__annotations__["return"]
    view.__name__, view.__qualname__ = show.__name__, show.__qualname__
    view.__annotations__ = compute.__annotations__ | {"return": returned}
    view.__signature__ = inspect.signature(compute).replace(return_annotation=returned)  # type: ignore[attr-defined]
    view.__doc__ = "\n\n".join(inspect.getdoc(function) or "" for function in (show, compute)).rstrip()
    return view
