"""The live view of one run, for a program that performs the simulation."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from chaindrive.contract.status import Status
from chaindrive.report.build import live_parts
from chaindrive.report.page import render
from chaindrive.viewer.feed import Feed
from chaindrive.viewer.server import REPORT, Server

if TYPE_CHECKING:
    from chaindrive.model import Drive
    from chaindrive.simulation.progress import Progress
    from chaindrive.simulation.simulate import Observation

__all__ = ["GRACE", "LiveView", "can_open_browser", "open_browser"]

PAUSE = 0.05
"""Interval at which a paused run checks whether it should continue. [s]"""
GRACE = 10.0
"""Time allowed for an open page to fetch the report. [s]"""
_STATES = {Status.REACHED_END: "finished", Status.INTERRUPTED: "interrupted"}


class LiveView:
    """Shows a run in progress in a browser on this machine.

        with LiveView(drive) as view:
            print(view.address)
            solution = simulate(drive, observe=view.observe, progress=view.progress)
            view.finish(solution.status, solution.ending)

    The page can pause the run, let it continue, and stop it: ``progress`` then waits, or raises KeyboardInterrupt,
    which ends a run as Ctrl-C does. Apart from that, the run never waits for a browser. An error in the view never ends
    a run; it is described in ``trouble``. Raises InputError if the port is not available, or the drive cannot be drawn.
    """

    def __init__(self, drive: Drive, port: int = 0) -> None:
        ends = drive.run.until
        until = float(ends) if isinstance(ends, int | float) else float(drive.run.at_most or 0.0)
        self._page = render(*live_parts(drive, drive.name or "unnamed drive"))
        self._feed = Feed(drive, until or 10.0)
        self.trouble = ""
        """Error in the view itself; empty if there was none."""
        self.while_paused: Callable[[], None] = lambda: None
        """Called repeatedly while the run is paused."""
        self._paused = self._stopped = False
        self._server = Server(lambda: self._page, self._feed.answer, port, self._command)
        self.address = self._server.address
        """The address to open in a browser; it is valid on this machine only, and only with the token that it
        contains."""

    def __enter__(self) -> LiveView:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def observe(self, observation: Observation) -> None:
        """Receive the results of the run; for ``simulate(observe=...)``."""
        if self.trouble:
            return
        try:
            self._feed.observe(observation)
        except Exception as error:  # an error in the view must not end the run
            self.trouble = f"the live view stopped: {type(error).__name__}: {error}"
            self._feed.update(message="The live view stopped; the run continues.")

    def _command(self, name: str) -> None:
        """Execute the command of a button of the page; in a thread of the server."""
        self._paused = name == "pause"
        self._stopped = self._stopped or name == "stop"

    def progress(self, progress: Progress) -> None:
        """Receive the progress of the run; for ``simulate(progress=...)``.

        The call waits as long as the page pauses the run. Raises KeyboardInterrupt if the page stops it.
        """
        remaining = progress.remaining if progress.remaining < float("inf") else None
        message = "" if not self.trouble else "The live view stopped; the run continues."
        until = progress.until
        self._feed.update(state="running", message=message, time=progress.time, until=until, remaining=remaining)
        if self._paused:
            self._feed.update(state="paused")
            while self._paused and not self._stopped:
                self.while_paused()
                time.sleep(PAUSE)
            self._feed.update(state="running")
        if self._stopped:
            raise KeyboardInterrupt

    def finish(self, status: Status, ending: str = "") -> None:
        """End the view: show the last instant, and how the run ended (``Solution.ending``)."""
        self._feed.close()
        message = ending or f"{status.meaning} {status.advice}".strip()
        state = _STATES.get(status, "failed")
        self._feed.update(state=state, message=f"{message} The report is being written.", remaining=None)

    def offer_report(self, path: Path) -> bool:
        """Redirect all open pages to the finished report.

        Waits a short time for the pages, and returns whether any page has fetched the report. If no page has ever sent
        a request, there is nothing to wait for.
        """
        self._server.offer_report(path)
        self._feed.update(report=REPORT)
        return self._server.watched and self._server.wait_until_fetched(GRACE)

    def close(self) -> None:
        """Stop serving."""
        self._server.close()


def can_open_browser() -> bool:
    """Whether the user would see a browser, that is, whether there is a terminal and a display."""
    if not sys.stderr.isatty() or os.environ.get("SSH_CONNECTION"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_browser(address: str) -> None:
    """Open a browser in the background, because some browsers take seconds to respond."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True, name="browser").start()
