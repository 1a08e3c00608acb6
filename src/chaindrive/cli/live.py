"""``chaindrive run --live``: shows the run in a browser, and its report at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chaindrive.cli import console
from chaindrive.cli.report import written_beside
from chaindrive.errors import InputError, Problem

if TYPE_CHECKING:
    from chaindrive.model import Drive
    from chaindrive.results import Solution
    from chaindrive.viewer import LiveView

__all__ = ["Live", "live_request", "live_view", "redirect_to_report"]

PORTS = range(1, 65536)


class Live(NamedTuple):
    """Options of the live view."""

    port: int = 0
    """Port of the page; with 0, the system chooses it."""
    browser: bool = True
    """Whether to open a browser if there is a display."""

    def words(self) -> list[str]:
        """Return the options that request a live view."""
        port = ["--port", str(self.port)] if self.port else []
        return ["--live", *port, *([] if self.browser else ["--no-browser"])]


def live_request(live: bool, port: int | None, browser: bool) -> Live | None:
    """Return the requested live view, or None. Raises InputError with all problems of the options."""
    problems = []
    if port is not None and port not in PORTS:
        problems.append(Problem("--port", f"a port is a number from {PORTS[0]} to {PORTS[-1]}", str(port)))
    if not live:
        given = {"--port": port is not None, "--no-browser": not browser}
        problems += [Problem(name, "applies to --live only") for name, was in given.items() if was]
    if problems:
        raise InputError(problems)
    return Live(port or 0, browser) if live else None


@contextmanager
def live_view(drive: Drive, live: Live | None) -> Iterator[LiveView | None]:
    """Yield the view of a run, which is served while the context lasts; None if not requested."""
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


def redirect_to_report(solution: Solution, output: Path, view: LiveView) -> None:
    """Write the report beside the results and redirect the page to it."""
    view.finish(solution.status, solution.ending)
    if view.trouble:
        console.warn(view.trouble)
    if not solution.time.size:
        return
    path = written_beside(solution, output)
    if path is None:
        return
    try:
        view.offer_report(path)
    except KeyboardInterrupt:
        console.note("The run did not wait for the page.")
