"""``chaindrive run --live``: the run in a browser while it goes on, and its report at the end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chaindrive.cli import console
from chaindrive.errors import ChaindriveError, InputError, Problem
from chaindrive.numbers import quantity

if TYPE_CHECKING:
    from chaindrive.model import Drive
    from chaindrive.results import Solution
    from chaindrive.viewer import LiveView

__all__ = ["Live", "check_live", "leave_report", "live_request", "live_view", "report_path"]

PORTS = range(1, 65536)


class Live(NamedTuple):
    """How a run is shown while it goes on."""

    port: int = 0
    """Of the page; 0: chosen by the system."""
    browser: bool = True
    """Open one where somebody would see it."""

    def words(self) -> list[str]:
        """The options that ask for it."""
        port = ["--port", str(self.port)] if self.port else []
        return ["--live", *port, *([] if self.browser else ["--no-browser"])]


def live_request(live: bool, port: int | None, browser: bool) -> Live | None:
    """What the options ask for; None: not to be shown. Raises InputError with all that is wrong with them."""
    problems = []
    if port is not None and port not in PORTS:
        problems.append(Problem("--port", f"a port is a number from {PORTS[0]} to {PORTS[-1]}", str(port)))
    if not live:
        given = {"--port": port is not None, "--no-browser": not browser}
        problems += [Problem(name, "belongs to --live") for name, was in given.items() if was]
    if problems:
        raise InputError(problems)
    return Live(port or 0, browser) if live else None


def report_path(output: Path) -> Path:
    """Where the report of these results goes."""
    return output.with_suffix(".html")


def check_live(output: Path) -> None:
    """Refuse a run whose report would take the place of somebody's file. Raises InputError."""
    from chaindrive.report import check_report

    check_report(report_path(output), "--live")


@contextmanager
def live_view(drive: Drive, live: Live | None) -> Iterator[LiveView | None]:
    """The view of a run, served as long as the context lasts; None where it was not asked for."""
    if live is None:
        yield None
        return
    from chaindrive.viewer import LiveView, can_open_browser, open_browser

    with LiveView(drive, live.port) as view:
        console.say(f"Live view: {view.address}", "bold")
        console.out().file.flush()
        if live.browser and can_open_browser():
            open_browser(view.address)
        yield view


def leave_report(solution: Solution, output: Path, view: LiveView) -> None:
    """Write the report beside the results and send the page to it.

    A report that cannot be written is a warning: the results are there, ``chaindrive report`` makes it again.
    """
    from chaindrive.report import write_report

    view.finish(solution.status, solution.ending)
    if view.trouble:
        console.warn(view.trouble)
    if not solution.time.size:
        return
    path = report_path(output)
    again = f"chaindrive report {output} makes it later"
    begun = time.monotonic()
    try:
        report = write_report(solution, path)
    except ChaindriveError as error:
        console.warn(f"The report was not written: {error}; {again}")
        return
    except KeyboardInterrupt:
        console.warn(f"Interrupted: the report was not written; {again}")
        return
    took = time.monotonic() - begun
    console.say(f"Report in {path} ({quantity(report.bytes, 'B', 3)}, written in {took:.1f} s)")
    try:
        view.offer_report(path)
    except KeyboardInterrupt:
        console.note("The page was not waited for.")
