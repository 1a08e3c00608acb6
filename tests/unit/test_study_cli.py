"""``chaindrive sweep`` and the studies among the examples."""

from __future__ import annotations

import csv
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from chaindrive.cli.main import main
from chaindrive.studies.store import PICTURE, STATES, TABLE
from support.forked import Forked, posix
from support.forked_workers import fork_workers

COMMAND = [sys.executable, "-m", "chaindrive.cli.main"]
STUDY = """
name = "load"
drive = "industrial-08b"
[set]
"run.until" = "5 ms"
"run.solver.method" = "verlet"
[[parameters]]
name = "load"
unit = "N*m"
first = 20
last = 40
step = 10
set = "wheels.conveyor.load_torque"
[[curves]]
name = "rising"
start = "previous"
[[figures_of_merit]]
name = "largest"
channel = "link_tension"
reduce = "max"
"""


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture):
    """Run the command line in a folder of its own; gives the exit code and both texts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "load.toml").write_text(STUDY, encoding="utf-8")

    def run(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        assert isinstance(ending.value.code, int)
        return (ending.value.code, *capfd.readouterr())

    return run


def test_sweep_leaves_a_table_and_a_picture(call, tmp_path: Path) -> None:
    code, out, err = call("sweep", "load.toml", "--workers", 1)
    assert code == 0, err
    assert "Table in load-study/table.csv: 3 runs" in out
    assert "Picture in load-study/picture.png" in out
    assert "load [N*m]" in out
    rows = list(csv.DictReader((tmp_path / "load-study" / TABLE).read_text().splitlines()))
    assert [row["load [N*m]"] for row in rows] == ["20.0", "30.0", "40.0"]
    assert all(row["status"] == "REACHED_END" and float(row["largest [N]"]) > 200.0 for row in rows)
    assert (tmp_path / "load-study" / PICTURE).read_bytes().startswith(b"\x89PNG")
    code, again, _ = call("sweep", "load.toml", "--workers", 1)  # nothing to do, the same answer
    assert (code, again) == (0, out)


def test_what_is_given_on_the_command_line(call, tmp_path: Path) -> None:
    code, _, err = call("sweep", "load.toml", "--workers", 1, "-o", "other", "--set", "run.until=4 ms",
                          "--picture", "p.svg")  # fmt: skip
    assert code == 0, err
    assert (tmp_path / "other" / TABLE).is_file()
    assert (tmp_path / "p.svg").is_file()
    code, _, err = call("sweep", "load.toml", "--workers", 1, "-o", "other")
    assert (code, "the study has changed since" in err) == (1, True)
    code, _, err = call("sweep", "load.toml", "--workers", 1, "-o", "other", "--restart")
    assert code == 0, err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.toml",), "does not exist"),
        (("6s90mc-c-sped",), "did you mean '6s90mc-c-speed'"),
        (("load.toml", "--workers", "0"), "--workers: must be at least 1"),
        (("load.toml", "--workers", "2", "--cluster", "tcp://x:1"), "omit --workers or --cluster"),
        (("load.toml", "--set", "chain.links=2"), "chain.links: must be at least 3 in a closed chain"),
        (("load.toml", "--set", "chain.lniks=90"), "is not a known field; did you mean 'links'"),
        (("load.toml", "--picture", "p.txt"), "the name of a picture must end in"),
        (("load.toml", "-o", "load.toml"), "is a file; give the name of a folder"),
    ],
)
def test_wrong_input(call, arguments: tuple[str, ...], message: str) -> None:
    code, _, err = call("sweep", *arguments)
    assert code == 1
    assert message in err
    assert "Traceback" not in err


def test_everything_wrong_with_a_file(call, tmp_path: Path) -> None:
    wrong = STUDY.replace("first = 20", "fist = 20").replace('"max"', '"most"').replace('"previous"', '"befor"')
    (tmp_path / "load.toml").write_text(wrong, encoding="utf-8")
    code, _, err = call("sweep", "load.toml")
    assert code == 1
    for place in ("parameters[0].fist", "curves[0].start", "figures_of_merit[0].reduce"):
        assert place in err


def test_failed_runs_are_told_and_the_others_stand(call, tmp_path: Path) -> None:
    code, out, err = call("sweep", "load.toml", "--workers", 1, "--set", "chain.breaking_load=1 N",
                          "--set", "chain.link_stiffness=120 MN/m")  # fmt: skip
    assert code == 2
    assert "run 0 (rising, load 20 N*m): TENSION_ABOVE_BREAKING_LOAD" in err
    assert "3 of 3 runs have no result: NOT_STARTED, TENSION_ABOVE_BREAKING_LOAD" in err
    assert "Picture in" in out
    assert (tmp_path / "load-study" / TABLE).is_file()


@posix
@pytest.mark.parametrize(
    ("number", "expected"),
    [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.long)],
)
def test_interrupted_and_gone_on_with(call, tmp_path: Path, number: signal.Signals, expected: int) -> None:
    """Stopped while two processes compute; finished runs are kept, and the next call adds the missing ones."""
    (tmp_path / "load.toml").write_text(STUDY.replace("last = 40", "last = 60"), encoding="utf-8")
    table = tmp_path / "load-study" / TABLE

    def sweep() -> None:
        os.setsid()
        with pytest.MonkeyPatch.context() as patch:
            if number == signal.SIGINT:  # the long test is of processes that begin anew
                fork_workers(patch)
            main(["sweep", "load.toml", "--workers", "2", "--set", "run.until=0.15 s"])

    with Forked(sweep, tmp_path) as process:
        process.wait(until=lambda: table.is_file() and table.read_text().count("\n") > 1)
        os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
        code, err = process.wait(), process.err
    assert code == expected, err
    assert "Traceback" not in err
    assert "continue with them" in err
    kept = table.read_text().splitlines()
    assert 2 <= len(kept) < 6
    assert list((tmp_path / "load-study" / STATES).glob("*.npz"))
    code, _, err = call("sweep", "load.toml", "--workers", 1, "--set", "run.until=0.15 s")
    assert code == 0, err
    assert set(kept) <= set(table.read_text().splitlines())


def test_studies_among_the_examples(call, tmp_path: Path) -> None:
    code, out, _ = call("examples")
    assert code == 0
    assert "6s90mc-c-tightener-angle" in out
    assert "6s90mc-c-speed" in out
    assert re.search(r"smoothest-centres +<= 45 +centres, teeth, minimised", out)
    code, out, _ = call("examples", "copy", "6s90mc-c-speed")
    assert (code, "Next: chaindrive sweep 6s90mc-c-speed.toml" in out) == (0, True)
    assert (tmp_path / "6s90mc-c-speed.toml").is_file()
    assert "Usage: chaindrive sweep" in call("sweep", "--help")[1]
