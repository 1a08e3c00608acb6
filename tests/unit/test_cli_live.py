"""``chaindrive run --live`` as a program: its output, pages, files and errors."""

from __future__ import annotations

import json
import signal
import socket
import time
from functools import partial
from urllib.error import URLError
from urllib.request import urlopen

import pytest

import chaindrive
from chaindrive.cli.live import Live
from chaindrive.cli.main import main
from chaindrive.report.page import MARK
from support.forked import Forked, posix

pytestmark = pytest.mark.usefixtures("few_windows")

DRIVE = "industrial-08b"
PATIENCE = 240.0
"""Longest wait, for a machine that compiles everything and is also doing other work. [s]"""


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Run the command line in this process, in a folder of its own: exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return ending.value.code, out, err

    return run


def address(line):
    """Address in the first line that the command prints."""
    assert line.startswith("Live view: http://127.0.0.1:"), line
    return line.split(": ", 1)[1].strip()


class Page:
    """A substitute for the page: it sends the requests of the page."""

    def __init__(self, address):
        self.address = address

    def get(self, what):
        with urlopen(self.address + what, timeout=30) as answer:
            return answer.read().decode()

    def until(self, found):
        """Request the feed until it contains something."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            told = json.loads(self.get("feed?after=0"))
            if found(told):
                return told
            time.sleep(0.05)
        pytest.fail(f"never: {told}")


@posix
def test_page_feed_and_report(tmp_path):
    with Forked(lambda: main(["run", DRIVE, "--live", "--until", "0.05", "--no-browser"]), tmp_path) as process:
        process.wait(until=lambda: "\n" in process.out, timeout=PATIENCE)
        run = Page(address(process.out))
        assert "industrial 08B" in run.get("")
        told = run.until(lambda told: told["frames"])
        assert told["state"] == "running"
        assert 0.0 < told["time"] <= told["until"] == 0.05
        told = run.until(lambda told: told["report"])
        assert told["state"] == "finished"
        assert told["time"] == pytest.approx(0.05)
        begun = time.monotonic()
        report = run.get(told["report"])
        code, out, err = process.wait(timeout=PATIENCE), process.out, process.err
        assert time.monotonic() - begun < 8.0  # the command ends when the page has the report, not 10 s later
    assert code == 0, err
    assert "Report in industrial-08b.html" in out
    assert (tmp_path / "industrial-08b.html").read_text(encoding="utf-8") == report
    assert MARK in report
    assert '"live":false' in report
    with chaindrive.open(tmp_path / "industrial-08b.nc") as solution:
        assert solution.status is chaindrive.Status.REACHED_END
    with pytest.raises(URLError):
        run.get("")


LONG = partial(main, ["run", DRIVE, "--live", "--until", "60", "--save-rate", "500 Hz", "--no-browser"])


def shown(process):
    """The page of a long run once it shows something."""
    process.wait(until=lambda: "\n" in process.out, timeout=PATIENCE)
    run = Page(address(process.out))
    run.until(lambda told: told["frames"])
    return run


@posix
def test_interrupted_run_leaves_results_and_report(tmp_path):
    with Forked(LONG, tmp_path) as process:
        run = shown(process)
        process.send_signal(signal.SIGINT)
        told = run.until(lambda told: told["report"])
        assert told["state"] == "interrupted"
        assert "status" in run.get(told["report"])
        code, err = process.wait(timeout=PATIENCE), process.err
    assert code == 130
    assert "Traceback" not in err
    (command,) = [line.strip() for line in err.splitlines() if line.strip().startswith("chaindrive run")]
    assert command == "chaindrive run industrial-08b --until 60 --save-rate '500 Hz' --live --no-browser --resume"
    with chaindrive.open(tmp_path / "industrial-08b.nc") as solution:
        assert solution.status is chaindrive.Status.INTERRUPTED
        assert solution.time.size > 1


@posix
@pytest.mark.long
def test_terminated_run_ends_at_once(tmp_path):
    with Forked(LONG, tmp_path) as process:
        shown(process)
        process.send_signal(signal.SIGTERM)
        code, err = process.wait(timeout=PATIENCE), process.err
    assert code == 143
    assert "Traceback" not in err
    assert not (tmp_path / "industrial-08b.html").exists()


def test_a_failed_run_leaves_its_report(call, tmp_path):
    """The events that led to the failure are what a user wants to see."""
    code, out, err = call(
        "run", DRIVE, "--live", "--until", "0.05", "--set", "chain.breaking_load=100 N", "--start", "as_placed"
    )
    assert code == 2
    assert "breaking load" in err
    assert "Report in industrial-08b.html" in out
    assert MARK in (tmp_path / "industrial-08b.html").read_text(encoding="utf-8")


def test_a_file_of_somebody_else_is_not_replaced(call, tmp_path):
    page = tmp_path / "industrial-08b.html"
    page.write_text("<p>my own page", encoding="utf-8")
    code, _, err = call("run", DRIVE, "--live", "--until", "0.01", "--force")
    assert code == 1
    assert "industrial-08b.html" in err
    assert page.read_text(encoding="utf-8") == "<p>my own page"
    assert not (tmp_path / "industrial-08b.nc").exists()


def test_options_that_do_not_fit_are_listed_together(call):
    code, _, err = call("run", DRIVE, "--port", "99999", "--no-browser")
    assert code == 1
    assert err.count("applies to --live only") == 2
    assert "1 to 65535" in err
    code, _, err = call("run", DRIVE, "--live", "--port", "x")
    assert code == 1
    assert "--port" in err


def test_a_port_that_is_taken(call, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, _, err = call("run", DRIVE, "--live", "--until", "0.01", "--port", port)
    assert code == 1
    assert "--port" in err
    assert str(port) in err
    assert not (tmp_path / "industrial-08b.nc").exists()


def test_a_sweep_has_no_live_view(call):
    code, _, err = call("sweep", "study.toml", "--live")
    assert code == 1
    assert "--live" in err


def test_words_of_the_options():
    assert Live().words() == ["--live"]
    assert Live(8000, browser=False).words() == ["--live", "--port", "8000", "--no-browser"]
