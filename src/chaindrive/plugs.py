"""Plugs: functions that the objects of lower packages offer but only higher packages can compute.

A drive is displayed in a notebook, and some of its numbers follow from its geometry; a result has plots and a verdict.
``notebook``, ``plots``, ``analyses`` and ``placing`` import drives and results, which therefore do not import them but
call a plug. ``connections.py``, which the package imports before any other of its modules, connects it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from chaindrive.analyses.results.verdict import Verdict
    from chaindrive.model import Bicycle, Chain, Drive
    from chaindrive.model.bicycle.description import Generated
    from chaindrive.model.closing import Fitted
    from chaindrive.plots.accessor import Plots
    from chaindrive.results import Solution

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


class Plug(Generic[Arguments, Answer]):
    """A function that is connected later. Calling it before that raises a RuntimeError."""

    def __init__(self) -> None:
        self._function: Callable[Arguments, Answer] | None = None

    def connect(self, function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
        """Call this function from now on; a decorator."""
        self._function = function
        return function

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
        """Call the function that is connected."""
        if self._function is None:
            raise RuntimeError("chaindrive/connections.py has not connected this plug")
        return self._function(*args, **kwargs)


fitted: Plug[[Mapping[str, Any], Callable[[Any, Any], Any]], Fitted | None] = Plug()
"""The fields of a drive with derived numbers of links and positions; None if nothing is derived."""
bicycle_parts: Plug[[Bicycle, Chain, int | None], Generated] = Plug()
"""The contribution of a bicycle to its drive."""
drive_html: Plug[[Drive], str] = Plug()
"""The display of a drive in a notebook."""
solution_html: Plug[[Solution], str] = Plug()
"""The display of a result in a notebook."""
verdict_html: Plug[[Verdict], str] = Plug()
"""The display of a verdict in a notebook."""
shown_report: Plug[[Solution], Any] = Plug()
"""The report of a result: inline in a notebook, otherwise in a browser."""
report_page: Plug[[Solution, int], bytes] = Plug()
"""The report of a result as a file, with at most this many frames."""
plots: Plug[[Solution], Plots] = Plug()
"""The plots of a result as methods."""
verdict: Plug[[Solution, float | None, float | None], Verdict] = Plug()
"""The verdict on a result between two instants [s]."""
