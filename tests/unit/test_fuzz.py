"""Hostile files of every kind: a few here, thousands as long tests; and the command that runs them."""

from __future__ import annotations

import json
import random
import signal
import tomllib
from pathlib import Path

import pytest

import fuzz
from chaindrive.model import loads
from support import hostile
from support.hostile_texts import changed_file, drives, text_of

FEW = {"drives": 20, "studies": 8, "checkpoints": 3, "results": 5}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Good files are made once."""
    return tmp_path_factory.mktemp("fuzz")


COUNTS = [
    *FEW.items(),
    *(pytest.param(kind, count, marks=pytest.mark.long) for kind, count in hostile.COUNTS.items()),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "count"), COUNTS)
def test_no_hostile_file_is_a_mistake_of_chaindrive(folder: Path, kind: str, count: int) -> None:
    session = fuzz.Session(kind, 2, folder)
    session.go(count)
    assert session.faults == 0, session.failed
    assert session.done >= count
    ways = {"refused"} if kind == "checkpoints" else {"taken", "refused"}  # a checkpoint knows what was saved
    assert ways <= set(session.counts)


def test_an_internal_error_is_seen_kept_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A description that fails for one name; checks the exit code and the kept input with its traceback, which fails
    again.
    """

    def breaking(*_: object) -> None:
        raise ZeroDivisionError("nobody foresaw this")

    monkeypatch.setattr("chaindrive.cli.check.chain_table", breaking)
    words = ["drives", "--seed", "3", "--count", "8", "--folder", str(tmp_path)]
    assert fuzz.main(words) == 1
    out = capsys.readouterr().out
    assert "internal" in out
    kept = sorted((tmp_path / "drives-3-failed").iterdir())
    assert kept
    assert (kept[0] / "drive.toml").read_bytes()
    assert "ZeroDivisionError: nobody foresaw this" in (kept[0] / "details.txt").read_text()
    assert fuzz.main([*words, "--only", kept[0].name]) == 1
    assert "nobody foresaw this" in capsys.readouterr().out
    monkeypatch.undo()
    assert fuzz.main([*words, "--again"]) == 0
    assert not (tmp_path / "drives-3-failed").exists()


def test_an_interrupted_call_is_resumed_and_a_dead_process_is_a_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def attempt(_: object, __: str, ___: int, index: int, *____: object) -> hostile.Ending:
        tried.append(index)
        if tried.count(index) == 1 and index == 2:
            raise KeyboardInterrupt
        (tmp_path / "drives-1-input").mkdir(exist_ok=True)
        return hostile.Ending("taken")

    monkeypatch.setattr(fuzz, "attempt", attempt)
    with pytest.raises(KeyboardInterrupt):
        fuzz.Session("drives", 1, tmp_path).go(4)
    again = fuzz.Session("drives", 1, tmp_path)
    again.go(4)
    assert tried == [0, 1, 2, 2, 3]
    assert (again.counts, again.faults) == ({"taken": 4}, 0)
    journal = tmp_path / "drives-1.json"
    journal.write_text(json.dumps(json.loads(journal.read_text()) | {"begun": True}))
    dead = fuzz.Session("drives", 1, tmp_path)
    assert (dead.done, dead.faults) == (5, 1)


def test_too_much_effort_is_a_fault_of_its_own() -> None:
    def endless() -> None:
        while True:
            pass

    assert hostile.judged(endless, limit=0.1).outcome == "limit"
    assert hostile.judged(lambda: 0, lambda: 1, endless, limit=10.0).outcome == "refused"


def test_the_same_number_gives_the_same_file() -> None:
    made = [changed_file(drives(), random.Random(f"drives 1 {k}")) for k in range(20)]
    assert made == [changed_file(drives(), random.Random(f"drives 1 {k}")) for k in range(20)]
    assert len(set(made)) == 20


@pytest.mark.parametrize("name", ["6l60mc", "timing-06b", "bicycle-50x19"])
def test_a_file_without_changes_is_the_good_one(name: str) -> None:
    """Otherwise everything would be refused for the same reason."""
    assert loads(text_of(tomllib.loads(drives()[name]))) == loads(drives()[name])


def test_the_fuzzer_leaves_no_limit_and_no_handler_behind(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="Windows")
    before = signal.getsignal(signal.SIGTERM), resource.getrlimit(resource.RLIMIT_AS)
    assert fuzz.main(["drives", "--count", "1", "--folder", str(tmp_path)]) == 0
    assert (signal.getsignal(signal.SIGTERM), resource.getrlimit(resource.RLIMIT_AS)) == before
