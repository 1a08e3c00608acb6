"""Plugs: functions that objects of lower packages offer, but that only higher packages can compute.

For example, a drive is displayed in a notebook, and some of its numbers follow from its geometry; a result has plots
and a verdict. ``notebook``, ``plots``, ``analyses`` and ``placing`` import drives and results. Drives and results
therefore cannot import these packages; they call a plug instead. ``connections.py``, which the package imports before
any other of its modules, connects the plugs.
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
    """A function that is connected later. Calling it before then raises a RuntimeError."""

    def __init__(self) -> None:
        self._function: Callable[Arguments, Answer] | None = None

    def connect(self, function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
        """Decorator that connects a function to this plug."""
        self._function = function
        return function

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
        """Call the function that is connected."""
        if self._function is None:
            raise RuntimeError("chaindrive/connections.py has not connected this plug")
        return self._function(*args, **kwargs)


fitted: Plug[[Mapping[str, Any], Callable[[Any, Any], Any]], Fitted | None] = Plug()
"""Returns the fields of a drive with the derived numbers of links and positions; None if everything is given."""
bicycle_parts: Plug[[Bicycle, Chain, int | None], Generated] = Plug()
"""Returns the parts that a bicycle contributes to its drive."""
drive_html: Plug[[Drive], str] = Plug()
"""Returns the HTML that displays a drive in a notebook."""
solution_html: Plug[[Solution], str] = Plug()
"""Returns the HTML that displays a result in a notebook."""
verdict_html: Plug[[Verdict], str] = Plug()
"""Returns the HTML that displays a verdict in a notebook."""
shown_report: Plug[[Solution], Any] = Plug()
"""Shows the report of a result in a notebook, or otherwise in a browser."""
report_page: Plug[[Solution, int], bytes] = Plug()
"""Returns the content of a report of a result with at most a given number of frames."""
plots: Plug[[Solution], Plots] = Plug()
"""Returns the plots of a result as methods of an object."""
verdict: Plug[[Solution, float | None, float | None], Verdict] = Plug()
"""Returns the verdict on a result between two instants [s]."""
