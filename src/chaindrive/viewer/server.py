"""A small web server for one page on the loopback address: the page, its feed, its buttons, and the report at the
end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

from chaindrive.viewer.loopback import HOST, POLICY, Answer, Loopback, refusal, whole_numbers

__all__ = ["COMMANDS", "HOST", "POLICY", "REPORT", "Server"]

REPORT = "report.html"
"""Address of the finished report, relative to the page."""
COMMANDS = ("pause", "continue", "stop")
"""Addresses, relative to the page, to which the page posts the commands of its buttons."""
PRESENT = 5.0
"""A page counts as closed if it has sent no request for this time; visible pages send four requests per second, hidden
pages one. [s]"""


class Server(Loopback):
    """Serves from its creation until it is closed; use it in a ``with`` statement.

    page: function that returns the HTML of the page. feed: function that returns the answer (JSON) to a page,
    given the number of frames that the page has and their generation. port: port to listen on; 0 lets the system
    choose. command: called with one of COMMANDS when the page posts it. Raises InputError if the port is not available.
    """

    def __init__(
        self,
        page: Callable[[], str],
        feed: Callable[[int, int], str],
        port: int = 0,
        command: Callable[[str], None] | None = None,
    ) -> None:
        self._page, self._feed, self._command = page, feed, command
        self.takes_posts = command is not None
        self._report: Path | None = None
        self._seen: dict[int, float] = {}
        self._served: set[int] = set()
        self._changed = threading.Condition()
        super().__init__(port, "live view")

    def offer_report(self, path: Path) -> None:
        """Offer the file of the finished report to the page."""
        self._report = path

    @property
    def watched(self) -> bool:
        """Whether a page has ever requested frames."""
        return bool(self._seen)

    def wait_until_fetched(self, seconds: float) -> bool:
        """Wait until all open pages have fetched the report, but at most this long; return whether any page has fetched
        it.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._served and not self._waiting(), seconds)
            return bool(self._served)

    def _waiting(self) -> set[int]:
        """Return the open pages that do not yet have the report."""
        now = time.monotonic()
        return {page for page, asked in self._seen.items() if now - asked < PRESENT} - self._served

    def posted(self, name: str, body: bytes) -> Answer:
        """Execute the command of a button of the page."""
        if self._command is None or name not in COMMANDS:
            return refusal(HTTPStatus.METHOD_NOT_ALLOWED)
        self._command(name)
        return HTTPStatus.OK, "application/json", b"true"

    def got(self, name: str, query: str) -> Answer:
        """Return the page, its feed, or the report."""
        if name == "":
            return HTTPStatus.OK, "text/html; charset=utf-8", self._page().encode()
        if name == "feed":
            numbers = _frames_of(query)
            if numbers is None:
                return refusal(HTTPStatus.BAD_REQUEST)
            after, generation, page = numbers
            self._seen[page] = time.monotonic()
            return HTTPStatus.OK, "application/json", self._feed(after, generation).encode()
        if name == REPORT and self._report is not None:
            return HTTPStatus.OK, "text/html; charset=utf-8", self._report.read_bytes()
        return refusal(HTTPStatus.NOT_FOUND)

    def answered(self, target: str) -> None:
        """Record which page has fetched the report."""
        path, _, query = target.partition("?")
        if self._report is not None and path.endswith(f"/{REPORT}"):
            with self._changed:
                self._served.add((_frames_of(query) or (0, 0, 0))[-1])
                self._changed.notify_all()


def _frames_of(query: str) -> tuple[int, ...] | None:
    """Return the numbers ``after``, ``generation`` and ``page`` of a query; None if one of them is not a whole
    number.
    """
    return whole_numbers(query, after=0, generation=0, page=0)
