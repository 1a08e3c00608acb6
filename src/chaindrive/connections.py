"""Connects every plug (``plugs.py``) to a function of a higher package, which is imported only when the plug is
called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from chaindrive import plugs

if TYPE_CHECKING:
    from chaindrive.analyses.results.verdict import Verdict
    from chaindrive.model import Bicycle, Chain, Drive
    from chaindrive.model.bicycle.description import Generated
    from chaindrive.model.closing import Fitted
    from chaindrive.plots.accessor import Plots
    from chaindrive.results import Solution


@plugs.fitted.connect
def _fitted(given: Mapping[str, Any], alone: Callable[[Any, Any], Any]) -> Fitted | None:
    from chaindrive.placing.fitting import fitted

    return fitted(given, alone)


@plugs.bicycle_parts.connect
def _bicycle_parts(bicycle: Bicycle, chain: Chain, links: int | None) -> Generated:
    from chaindrive.placing.bicycle import generated

    return generated(bicycle, chain, links)


@plugs.drive_html.connect
def _drive_html(drive: Drive) -> str:
    from chaindrive.notebook import drive_html

    return drive_html(drive)


@plugs.solution_html.connect
def _solution_html(solution: Solution) -> str:
    from chaindrive.notebook import solution_html

    return solution_html(solution)


@plugs.verdict_html.connect
def _verdict_html(verdict: Verdict) -> str:
    from chaindrive.notebook import verdict_html

    return verdict_html(verdict)


@plugs.shown_report.connect
def _shown_report(solution: Solution) -> Any:
    from chaindrive.notebook import show

    return show(solution)


@plugs.report_page.connect
def _report_page(solution: Solution, frames: int) -> bytes:
    from chaindrive.report.write import page_of

    return page_of(solution, frames=frames)


@plugs.plots.connect
def _plots(solution: Solution) -> Plots:
    from chaindrive.plots.accessor import Plots

    return Plots(solution)


@plugs.verdict.connect
def _verdict(solution: Solution, start: float | None, stop: float | None) -> Verdict:
    from chaindrive.analyses.results.verdict import verdict

    return verdict(solution, start, stop)
