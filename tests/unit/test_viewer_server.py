"""The web server of the live view: permitted requests and their answers, and refusal of all others."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from chaindrive.errors import InputError
from chaindrive.viewer import can_open_browser
from chaindrive.viewer.loopback import HOST
from chaindrive.viewer.server import REPORT, Server


@pytest.fixture(autouse=True, scope="module")
def looked_at_often():
    """Stopping a server takes as long as one wait for requests, which would be most of the time of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("chaindrive.viewer.loopback.POLL_INTERVAL", 0.005)
        yield


@pytest.fixture
def server():
    with Server(lambda: "<!doctype html><p>Kette ☃", lambda after, generation: f'["{after}", "{generation}"]') as made:
        yield made


def ask(server, path, method="GET", host=None, headers=None):
    """Status, headers and text of the answer to a raw request."""
    connection = http.client.HTTPConnection(HOST, server.port, timeout=10)
    connection.putrequest(method, path, skip_host=True)
    if host != "":
        connection.putheader("Host", host or f"{HOST}:{server.port}")
    for name, value in (headers or {}).items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


@pytest.fixture
def root(server):
    return urlsplit(server.address).path


def test_page_and_feed(server, root):
    status, headers, text = ask(server, root)
    assert (status, text) == (200, "<!doctype html><p>Kette ☃")
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert ask(server, f"{root}feed?after=12&generation=3")[2] == '["12", "3"]'
    assert ask(server, f"{root}feed")[2] == '["0", "0"]'
    assert ask(server, root, host=f"localhost:{server.port}")[0] == 200


def test_only_the_loopback_address_is_listened_at(server):
    assert server._http.socket.getsockname()[0] == "127.0.0.1"
    assert urlsplit(server.address).hostname == "127.0.0.1"


def test_a_request_for_another_host_is_refused(server, root):
    """DNS rebinding: a page of evil.example whose name now points here sends its own host name."""
    for host in ("evil.example", f"evil.example:{server.port}", HOST, f"{HOST}:1", "", f"{HOST}:{server.port}, x"):
        status, _, text = ask(server, root, host=host)
        assert status == 421, host
        assert "Kette" not in text


def test_two_hosts_are_refused(server, root):
    with socket.create_connection((HOST, server.port), timeout=10) as wire:
        right = f"{HOST}:{server.port}"
        wire.sendall(
            f"GET {root} HTTP/1.1\r\nHost: {right}\r\nHost: evil.example\r\nConnection: close\r\n\r\n".encode()
        )
        assert b" 421 " in wire.makefile("rb").readline()


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "//",
        "/feed",
        "/x/",
        "{root}x",
        "{root}../",
        "{root}../../etc/passwd",
        "{root}feed/",
        "{root}report.html",
        "{cut}/",
        "{root}/",
        "http://evil.example{root}x",
        "/%2e%2e/",
        "*",
    ],
)
def test_any_other_path_is_not_there(server, root, path):
    status, _, text = ask(server, path.format(root=root, cut=root[:-2]))
    assert status == 404
    assert path not in text


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "after=1e3", "after=9999999999999999", "generation=%D9%A3", "page=x"]
)
def test_a_feed_of_no_number_is_refused(server, root, query):
    assert ask(server, f"{root}feed?{query}")[0] == 400


@pytest.mark.parametrize("method", ["POST", "HEAD", "PUT", "DELETE", "OPTIONS", "<SCRIPT>"])
def test_only_get(server, root, method):
    status, _, text = ask(server, root, method)
    assert status == 405
    assert "SCRIPT" not in text
    assert "Kette" not in text


def test_what_is_no_http_is_answered_and_the_server_goes_on(server, root):
    for noise in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"):
        with socket.create_connection((HOST, server.port), timeout=10) as wire:
            wire.sendall(noise)
            wire.shutdown(socket.SHUT_WR)
            wire.recv(4096)
    with socket.create_connection((HOST, server.port), timeout=10) as wire:
        wire.sendall(b"GET " + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n")
        assert b" 414 " in wire.recv(4096)
    assert ask(server, root)[0] == 200


def test_every_answer_forbids_other_sites(server, root):
    for path in (root, f"{root}feed", "/"):
        _, headers, _ = ask(server, path)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "connect-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Access-Control-Allow-Origin"] is None
        assert "Python" not in headers["Server"]


def test_the_address_cannot_be_guessed():
    with Server(str, lambda *_: "") as first, Server(str, lambda *_: "") as second:
        tokens = {urlsplit(server.address).path.strip("/") for server in (first, second)}
        assert len(tokens) == 2
        assert min(map(len, tokens)) >= 21  # 128 bits in base64


def test_report_when_it_is_there(server, root, tmp_path: Path):
    assert not server.watched
    ask(server, f"{root}feed")
    assert server.watched
    report = tmp_path / "run.html"
    report.write_text("<!doctype html><p>fertig ☃", encoding="utf-8")
    server.offer_report(report)
    assert not server.wait_until_fetched(0.0)
    waiting = threading.Thread(target=lambda: ask(server, f"{root}{REPORT}"))
    waiting.start()
    assert server.wait_until_fetched(10.0)
    waiting.join()
    assert ask(server, f"{root}{REPORT}")[2].endswith("fertig ☃")


def test_every_page_that_is_open_gets_the_report(server, root, tmp_path: Path):
    for page in (11, 22):
        ask(server, f"{root}feed?page={page}")
    report = tmp_path / "run.html"
    report.write_text("<!doctype html>", encoding="utf-8")
    server.offer_report(report)
    ask(server, f"{root}{REPORT}?page=11")
    begun = time.monotonic()
    assert server.wait_until_fetched(0.3)  # one has it; the other one is waited for, but not for ever
    assert time.monotonic() - begun >= 0.29
    later = threading.Thread(target=lambda: ask(server, f"{root}{REPORT}?page=22"))
    later.start()
    assert server.wait_until_fetched(10.0)
    assert time.monotonic() - begun < 10.0
    later.join()


def test_a_page_that_was_closed_is_not_waited_for(server, root, tmp_path: Path, monkeypatch):
    monkeypatch.setattr("chaindrive.viewer.server.PRESENT", 0.1)
    ask(server, f"{root}feed?page=1")
    time.sleep(0.15)
    ask(server, f"{root}feed?page=2")
    report = tmp_path / "run.html"
    report.write_text("<!doctype html>", encoding="utf-8")
    server.offer_report(report)
    ask(server, f"{root}{REPORT}?page=2")
    begun = time.monotonic()
    assert server.wait_until_fetched(30.0)
    assert time.monotonic() - begun < 10.0


def test_a_mistake_behind_the_feed_is_an_answer_too():
    def broken(after, generation):
        raise RuntimeError("secret")

    with Server(str, broken) as server:
        status, _, text = ask(server, f"{urlsplit(server.address).path}feed")
    assert status == 500
    assert "secret" not in text


def test_slow_readers_do_not_hold_up_others(server, root):
    with socket.create_connection((HOST, server.port), timeout=10):  # connected, says nothing
        begun = time.monotonic()
        assert ask(server, root)[0] == 200
        assert time.monotonic() - begun < 5.0


def test_a_connection_kept_open_ends_with_the_server():
    with Server(str, lambda *_: "[]") as server:
        connection = http.client.HTTPConnection(HOST, server.port, timeout=10)
        for _ in range(3):  # one connection for several questions
            connection.request("GET", f"{urlsplit(server.address).path}feed")
            assert connection.getresponse().read() == b"[]"
        wire = connection.sock
    wire.settimeout(10)
    assert wire.recv(1) == b""
    connection.close()


def test_port_of_ones_own_choice():
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    for _ in range(2):  # again at once: the port is free as soon as the server is closed
        with Server(str, lambda *_: "", port) as server:
            assert server.port == port
            ask(server, urlsplit(server.address).path)
            with pytest.raises(InputError, match=r"--port.*cannot be opened"):
                Server(str, lambda *_: "", port)
    with pytest.raises(OSError, match="refused"), socket.create_connection((HOST, port), timeout=2):
        pass


def test_a_port_that_is_no_port():
    with pytest.raises(InputError, match="--port"):
        Server(str, lambda *_: "", 70000)


@pytest.mark.parametrize(
    ("environment", "terminal", "opens"),
    [
        ({"DISPLAY": ":0"}, True, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True, True),
        ({"DISPLAY": ":0"}, False, False),  # in a script: nobody asked for a window
        ({}, True, False),  # no screen
        ({"DISPLAY": ":0", "SSH_CONNECTION": "1.2.3.4 5 6.7.8.9 22"}, True, False),  # the screen is somewhere else
    ],
)
def test_a_browser_is_opened_where_somebody_would_see_it(environment, terminal, opens, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal, raising=False)
    assert can_open_browser() is opens


def test_buttons_are_posted_and_nothing_else_is():
    asked = []
    with Server(str, lambda after, generation: "", command=asked.append) as made:
        root = urlsplit(made.address).path
        json = {"Content-Type": "application/json", "Content-Length": "0"}
        for name in ("pause", "continue", "stop"):
            assert ask(made, f"{root}{name}", "POST", headers=json)[0] == 200
        assert asked == ["pause", "continue", "stop"]
        for name in ("", "feed", "quit"):
            assert ask(made, f"{root}{name}", "POST", headers=json)[0] == 405
        for path in (f"{root}stop/now", "/wrong/stop", "/stop"):
            assert ask(made, path, "POST", headers=json)[0] == 404
        assert ask(made, f"{root}stop", "POST", host="example.org", headers=json)[0] == 421
        assert ask(made, f"{root}stop", "POST", headers={"Content-Length": "0"})[0] == 415  # as a form of another site
        assert ask(made, f"{root}stop")[0] == 404  # a link cannot stop a run
    assert asked == ["pause", "continue", "stop"]
