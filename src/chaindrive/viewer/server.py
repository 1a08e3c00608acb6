"""A small web server for one page on the loopback address: the page, its feed, its buttons, the report at the end.

Only this machine can reach it, and only programs that know the address, which contains a
random token. A page of another site cannot read it either, since a request must name this server as its host (no DNS
rebinding) and the answers forbid other sites to use them.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from chaindrive.errors import InputError, Problem

__all__ = ["COMMANDS", "HOST", "POLICY", "REPORT", "Server"]

HOST = "127.0.0.1"
"""The only address listened on."""
REPORT = "report.html"
"""Address of the finished report, relative to the page."""
COMMANDS = ("pause", "continue", "stop")
"""Addresses, relative to the page, to which it posts what its buttons ask for."""
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content security policy of every answer: the page talks to this server only."""
POLL_INTERVAL = 0.1
"""How often the server looks whether it is to stop. [s]"""
TIMEOUT = 30.0
"""Time after which an idle connection is closed. [s]"""
PRESENT = 5.0
"""A page without a request for this time counts as closed; visible pages send four requests per second, hidden ones
one. [s]"""


class Server:
    """Serves from the moment it is made until it is closed; use it in a ``with`` statement.

    page: makes the HTML of the page. feed: the answer (JSON) to a page with this many frames of this generation.
    port: port to listen on; 0 lets the system choose. command: called with one of COMMANDS when the page posts it.
    Raises InputError if the port is not available.
    """

    def __init__(
        self,
        page: Callable[[], str],
        feed: Callable[[int, int], str],
        port: int = 0,
        command: Callable[[str], None] | None = None,
    ) -> None:
        self._page, self._feed, self._command = page, feed, command
        self._report: Path | None = None
        self._token = secrets.token_urlsafe(16)
        self._seen: dict[int, float] = {}
        self._served: set[int] = set()
        self._changed = threading.Condition()
        try:
            self._http = _Http(self, port)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            message = f"{HOST} cannot be opened at this port ({reason}); without --port a free one is chosen"
            raise InputError(Problem("--port", message, str(port))) from None
        self.port: int = self._http.server_address[1]
        """The port in use."""
        self.address = f"http://{HOST}:{self.port}/{self._token}/"
        """The address to open in a browser."""
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(POLL_INTERVAL,), daemon=True, name="live view"
        )
        self._thread.start()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def offer_report(self, path: Path) -> None:
        """Offer the finished report, a file, to the page."""
        self._report = path

    @property
    def watched(self) -> bool:
        """Whether a page has ever requested frames."""
        return bool(self._seen)

    def wait_until_fetched(self, seconds: float) -> bool:
        """Wait until all open pages have fetched the report, at most this long; returns whether any has."""
        with self._changed:
            self._changed.wait_for(lambda: self._served and not self._waiting(), seconds)
            return bool(self._served)

    def _waiting(self) -> set[int]:
        """Open pages without the report."""
        now = time.monotonic()
        return {page for page, asked in self._seen.items() if now - asked < PRESENT} - self._served

    def close(self) -> None:
        """Stop listening. Answers in progress are cut off."""
        self._http.shutdown()
        self._http.server_close()
        self._http.cut_off()
        self._thread.join()

    def _name(self, path: str) -> str | None:
        """What a path asks for below the token; None without the token, or for anything deeper."""
        empty, token, name, *more = [*path.split("/"), "", ""]
        right = secrets.compare_digest(token.encode(), self._token.encode())
        return None if empty or len(more) != 2 or not right else name

    def command(self, target: str) -> tuple[HTTPStatus, str, bytes]:
        """Do what a button of the page asks for: status, content type and content."""
        name = self._name(target)
        if self._command is None or name not in COMMANDS:
            return _refusal(HTTPStatus.METHOD_NOT_ALLOWED)
        self._command(name)
        return HTTPStatus.OK, "application/json", b"true"

    def answer(self, target: str) -> tuple[HTTPStatus, str, bytes]:
        """Status, content type and content for a path with query."""
        path, _, query = target.partition("?")
        name = self._name(path)
        if name is None:
            return _refusal(HTTPStatus.NOT_FOUND)
        if name == "":
            return HTTPStatus.OK, "text/html; charset=utf-8", self._page().encode()
        if name == "feed":
            numbers = _numbers(query)
            if numbers is None:
                return _refusal(HTTPStatus.BAD_REQUEST)
            after, generation, page = numbers
            self._seen[page] = time.monotonic()
            return HTTPStatus.OK, "application/json", self._feed(after, generation).encode()
        if name == REPORT and self._report is not None:
            return HTTPStatus.OK, "text/html; charset=utf-8", self._report.read_bytes()
        return _refusal(HTTPStatus.NOT_FOUND)

    def answered(self, target: str) -> None:
        """Called when an answer has been sent completely."""
        path, _, query = target.partition("?")
        if self._report is not None and path.endswith(f"/{REPORT}"):
            with self._changed:
                self._served.add((_numbers(query) or (0, 0, 0))[-1])
                self._changed.notify_all()


def _refusal(status: HTTPStatus) -> tuple[HTTPStatus, str, bytes]:
    return status, "text/plain; charset=utf-8", f"{status.value} {status.phrase}\n".encode()


def _numbers(query: str) -> tuple[int, int, int] | None:
    """Numbers ``after``, ``generation``, ``page`` of a query, 0 if omitted; None if one is not a whole number."""
    given = parse_qs(query)
    found = []
    for name in ("after", "generation", "page"):
        text = given.get(name, ["0"])[-1]
        if not (text.isascii() and text.isdigit() and len(text) <= 15):
            return None
        found.append(int(text))
    return found[0], found[1], found[2]


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = os.name == "posix"  # elsewhere this would let two programs share a port

    def __init__(self, owner: Server, port: int) -> None:
        self.owner = owner
        self._connections: set[socket.socket] = set()
        super().__init__((HOST, port), _Handler)
        self.hosts = {f"{name}:{self.server_address[1]}" for name in (HOST, "localhost")}

    def server_bind(self) -> None:
        """Bind without looking up the name of the machine, which may take seconds."""
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = HOST, self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a connection in a thread of its own, and register it."""
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Unregister a closed connection."""
        self._connections.discard(request)
        super().shutdown_request(request)

    def cut_off(self) -> None:
        """Close the connections that are still open: browsers keep theirs for the next request."""
        for connection in list(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a page that is closed during an answer."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = TIMEOUT
    server: _Http

    def do_POST(self) -> None:
        self.close_connection = True  # whatever follows the header is not read
        self._answer(self.server.owner.command)

    def do_GET(self) -> None:
        self._answer(self.server.owner.answer)

    def _answer(self, make: Callable[[str], tuple[HTTPStatus, str, bytes]]) -> None:
        host = self.headers.get_all("Host") or []
        if len(host) != 1 or host[0].lower() not in self.server.hosts:
            self._send(*_refusal(HTTPStatus.MISDIRECTED_REQUEST))
            return
        try:
            answer = make(self.path)
        except Exception:  # a mistake in the view: the run goes on, the page shows that something is wrong
            answer = _refusal(HTTPStatus.INTERNAL_SERVER_ERROR)
        self._send(*answer)
        if answer[0] is HTTPStatus.OK:
            self.server.owner.answered(self.path)

    def _send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(content))),
            ("Content-Security-Policy", POLICY),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ):
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)
        with contextlib.suppress(OSError):
            self.wfile.flush()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer anything but GET, or invalid HTTP, without repeating any part of the request."""
        status = HTTPStatus(code)
        if status is HTTPStatus.NOT_IMPLEMENTED:
            status = HTTPStatus.METHOD_NOT_ALLOWED
        self.close_connection = True
        self._send(*_refusal(status))

    def version_string(self) -> str:
        return "chaindrive"

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing of the page's requests to the terminal."""
