"""HTTP on the loopback address, for pages on this machine alone.

Only programs on this machine can reach a server, and only if they know its address, which contains a random token. A
page of another site cannot read the answers either, because a request must name this server as its host (no DNS
rebinding) and the answers forbid their use by other sites. Nor can such a page change anything: posted data must not
come from another origin and must be JSON, for which a browser first requests permission, which is never granted.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs

from chaindrive.errors import InputError, Problem

__all__ = ["HOST", "POLICY", "Answer", "Loopback", "refusal", "whole_numbers"]

HOST = "127.0.0.1"
"""The only address on which a server listens."""
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content security policy of every answer: the page may communicate with this server only."""
POLL_INTERVAL = 0.1
"""Interval at which the server checks whether it should stop. [s]"""
TIMEOUT = 30.0
"""Time after which an idle connection is closed. [s]"""
LARGEST_REQUEST = 4_000_000
"""Largest number of bytes in a posted message."""

Answer = tuple[HTTPStatus, str, bytes]
"""Status, content type, content."""


def refusal(status: HTTPStatus) -> Answer:
    """Return an answer that contains only its status."""
    return status, "text/plain; charset=utf-8", f"{status.value} {status.phrase}\n".encode()


def whole_numbers(query: str, **defaults: int) -> tuple[int, ...] | None:
    """Return the whole numbers in a query by name, in the order of the names; None if one of them is not a whole
    number.

    The arguments are the defaults of numbers that are omitted. Only a number whose default is below 0 may be negative.
    """
    given, found = parse_qs(query), []
    for name, default in defaults.items():
        text = given.get(name, [str(default)])[-1]
        digits = text.removeprefix("-") if default < 0 else text
        if not (text.isascii() and digits.isdigit() and len(text) <= 15):
            return None
        found.append(int(text))
    return tuple(found)


class Loopback:
    """Answers requests from its creation until it is closed; use it in a ``with`` statement.

    Subclasses answer requests below the token (``got``, ``posted``). port: port to listen on; 0 lets the system
    choose. Raises InputError if the port is not available.
    """

    takes_posts = False
    """Whether the server accepts posted data at all."""

    def __init__(self, port: int = 0, name: str = "loopback") -> None:
        self._token = secrets.token_urlsafe(16)
        try:
            self._http = _Http(self, port)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            message = f"{HOST} cannot be opened on this port ({reason}); omit --port to use a free one"
            raise InputError(Problem("--port", message, str(port))) from None
        self.port: int = self._http.server_address[1]
        """The port in use."""
        self.address = f"http://{HOST}:{self.port}/{self._token}/"
        """The address to open in a browser."""
        self._thread = threading.Thread(target=self._http.serve_forever, args=(POLL_INTERVAL,), daemon=True, name=name)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop listening. Answers in progress are interrupted."""
        self._http.shutdown()
        self._http.server_close()
        self._http.cut_off()
        self._thread.join()

    def got(self, name: str, query: str) -> Answer:
        """Return the answer to a GET request for a name below the token."""
        return refusal(HTTPStatus.NOT_FOUND)

    def posted(self, name: str, body: bytes) -> Answer:
        """Return the answer to a message posted to a name below the token."""
        return refusal(HTTPStatus.NOT_FOUND)

    def answered(self, target: str) -> None:
        """Called when a response to a GET request has been sent completely."""

    def answer(self, target: str, body: bytes | None = None) -> Answer:
        """Return the answer for a path with a query; body: content of a POST request."""
        path, _, query = target.partition("?")
        empty, token, name, *more = [*path.split("/"), "", ""]
        right = secrets.compare_digest(token.encode(errors="replace"), self._token.encode())
        if empty or len(more) != 2 or not right:
            return refusal(HTTPStatus.NOT_FOUND)
        return self.got(name, query) if body is None else self.posted(name, body)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = os.name == "posix"  # elsewhere this would let two programs share a port

    def __init__(self, owner: Loopback, port: int) -> None:
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
        """Answer a connection in its own thread, and register it."""
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Unregister a closed connection."""
        self._connections.discard(request)
        super().shutdown_request(request)

    def cut_off(self) -> None:
        """Close the connections that are still open, because browsers keep connections open for the next request."""
        for connection in list(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors caused by a page that is closed during an answer."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = TIMEOUT
    disable_nagle_algorithm = True  # head and content are sent one after the other, without waiting
    server: _Http

    def do_GET(self) -> None:
        if not self._for_this_host():
            return
        answer = self._answer(None)
        self._send(*answer)
        if answer[0] is HTTPStatus.OK:
            self.server.owner.answered(self.path)

    def do_POST(self) -> None:
        if not self._for_this_host():
            return
        length = self.headers.get("Content-Length", "")
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        origin = self.headers.get("Origin")
        status = None
        if not self.server.owner.takes_posts:
            status = HTTPStatus.METHOD_NOT_ALLOWED
        elif origin is not None and origin.lower().removeprefix("http://") not in self.server.hosts:
            status = HTTPStatus.FORBIDDEN
        elif not (length.isascii() and length.isdigit()) or "Transfer-Encoding" in self.headers:
            status = HTTPStatus.LENGTH_REQUIRED
        elif len(length) > 9 or int(length) > LARGEST_REQUEST:
            status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        elif kind != "application/json":
            status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        if status is not None:
            self.close_connection = True  # posted data are not read
            self._send(*refusal(status))
            return
        self._send(*self._answer(self.rfile.read(int(length))))

    def _for_this_host(self) -> bool:
        host = self.headers.get_all("Host") or []
        if len(host) == 1 and host[0].lower() in self.server.hosts:
            return True
        self.close_connection = True
        self._send(*refusal(HTTPStatus.MISDIRECTED_REQUEST))
        return False

    def _answer(self, body: bytes | None) -> Answer:
        try:
            return self.server.owner.answer(self.path, body)
        except Exception:  # a defect: the program continues, and the page shows the error
            return refusal(HTTPStatus.INTERNAL_SERVER_ERROR)

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
        self.end_headers()
        self.wfile.write(content)
        with contextlib.suppress(OSError):
            self.wfile.flush()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer invalid HTTP, and anything other than GET and POST, without repeating any part of the request."""
        status = HTTPStatus(code)
        if status is HTTPStatus.NOT_IMPLEMENTED:
            status = HTTPStatus.METHOD_NOT_ALLOWED
        self.close_connection = True
        self._send(*refusal(status))

    def version_string(self) -> str:
        return "chaindrive"

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing about the requests of the page to the terminal."""
