"""Runs that repeat stretches, stopped at any line: rows stay readable, and resuming gives the same bits."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import h5py
import numpy as np
import pytest

import chaindrive as cd
from chaindrive import results
from chaindrive.cli.main import main
from chaindrive.contract.status import Status
from chaindrive.errors import ComputationError
from chaindrive.model import SaveOptions
from chaindrive.results import checkpoint
from chaindrive.simulation import simulate as simulation
from chaindrive.simulation.stretches import Stretches
from support.forked import Forked, posix
from support.sections import set_sections

FIVE = Path(__file__).parents[2] / "docs" / "validation" / "crash_five_wheels.toml"
UNTIL = 0.004
WITHIN = 0.00366
"""A time within a stretch, after others. [s]"""
STRETCH = 500
TRACED = (
    "simulation",
    "stretches",
    "balance",
    "integrator",
    "writer",
    "lowlevel",
    "checkpoint",
    "steady",
    "files",
    "netcdf",
)
"""Modules in which a run is stopped between any two lines."""


class Case:
    """A run, and its result when nothing stops it."""

    def __init__(self, name: str, drive: cd.Drive, until: Any, **options: Any) -> None:
        self.name, self.drive, self.until, self.options = name, drive, until, options
        self.lines = 0
        with counting() as count, self.run() as whole:
            self.whole = facts(whole)
            self.rows = whole.time.size
            self.taken_back = whole.statistics.get("steps_taken_back", 0)
        self.lines = count[0]

    def run(self, **more: Any) -> cd.Solution:
        return cd.simulate(self.drive, self.until, **(self.options | more))


def facts(solution: cd.Solution) -> dict[str, Any]:
    """Results that must not depend on interruptions."""
    found: dict[str, Any] = {name: solution.values(name).tobytes() for name in solution.channels}
    statistics = {name: value for name, value in solution.statistics.items() if name != "wall_time"}
    return found | {
        "time": solution.time.tobytes(),
        "status": solution.status,
        "statistics": statistics,
        "notes": dict(solution.notes),
        "warnings": solution.warnings,
    }


@contextlib.contextmanager
def counting(stop_at: int = -1, stop: Callable[[], None] | None = None) -> Iterator[list[int]]:
    """Count the lines that are executed in TRACED; at one of them call a function."""
    count = [0]
    names = {
        os.path.join("chaindrive", *part, f"{name}.py") for name in TRACED for part in ((), ("results",), ("solvers",))
    }
    wanted: dict[str, bool] = {}

    def line(_: FrameType, event: str, __: Any) -> Any:
        if event == "line":
            count[0] += 1
            if count[0] == stop_at and stop is not None:
                stop()
        return line

    def call(frame: FrameType, _: str, __: Any) -> Any:
        file = frame.f_code.co_filename
        if file not in wanted:
            wanted[file] = any(file.endswith(name) for name in names)
        return line if wanted[file] else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        yield count
    finally:
        sys.settrace(before)


def interrupt() -> None:
    sys.settrace(None)
    raise KeyboardInterrupt


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def short() -> Iterator[None]:
    """Short stretches, many batches, a checkpoint after every one of them."""
    with pytest.MonkeyPatch.context() as patch:
        set_sections(patch, STRETCH)
        patch.setattr(simulation, "BUDGET", 260_000)  # some four hundred steps: cut at odd places
        patch.setattr(simulation, "CHECKPOINT_INTERVAL", 0.0)
        patch.setattr(simulation, "COST_OF_EXPLICIT", 1e-3)  # every step is too short to be worthwhile
        yield


LONG = pytest.mark.long
CASES = ("instants", "left", *(pytest.param(name, marks=LONG) for name in ("means", "steady", "dormand-prince")))


@pytest.fixture(scope="module")
def case(request: pytest.FixtureRequest, short: None) -> Case:
    drive = cd.load(FIVE)
    save = SaveOptions(rate=10000.0, channels="all", chunk_rows=7)
    if request.param == "means":
        save = save.model_copy(update={"reduce": "mean", "oversample": 6})
    if request.param == "steady":
        lenient = cd.model.SteadyOptions(revolutions=1, loops=0.0, imbalance=1.0, tension=1.0)
        small = cd.example("industrial-08b")
        save = save.model_copy(update={"rate": 500.0})
        return Case("steady", small, "steady", at_most=0.6, solver="verlet", save=save, steady=lenient)
    if request.param == "left":
        return Case("left", drive.replace("contact.friction", 0.0), 6.0 * UNTIL, solver="auto", save=save)
    solver = "dormand-prince" if request.param == "dormand-prince" else "verlet"
    return Case(request.param, drive, UNTIL, solver=solver, save=save)


def goes_on(case: Case, path: Path) -> None:
    """The file holds the first rows of the run, except those not yet balanced; resuming adds the rest."""
    there = path.exists()
    if there:
        with results.open(path) as left:
            assert left.status == Status.INTERRUPTED
            assert np.all(np.diff(left.time) > 0.0)
            kept = counted(path)
            assert kept <= left.time.size <= case.rows
            for name in left.channels:
                found = left.values(name, slice(0, kept)).tobytes()
                assert found == case.whole[name][: len(found)], name
    with case.run(output=path, resume=there) as again:
        found = facts(again)
        for name, value in case.whole.items():
            assert found[name] == value, name
    assert sorted(os.listdir(path.parent)) == ["run.nc", "run.nc.checkpoint"]


def counted(path: Path) -> int:
    """Rows that the checkpoint counted."""
    import json

    with np.load(checkpoint.name_for(path), allow_pickle=False) as stored:
        return int(json.loads(stored[checkpoint.METADATA].tobytes().decode())["metadata"]["rows"])


@pytest.mark.parametrize("case", CASES, indirect=True)
@pytest.mark.parametrize("share", [0.5, *(pytest.param(share, marks=LONG) for share in (0.02, 0.88))])
def test_ctrl_c_between_any_two_lines(tmp_path: Path, case: Case, share: float) -> None:
    assert (case.taken_back > 0) == (case.name not in ("dormand-prince", "left"))
    assert (case.whole["statistics"]["rejected"] > 0) == (case.name in ("dormand-prince", "left"))
    path = tmp_path / "run.nc"
    with contextlib.suppress(KeyboardInterrupt), counting(int(share * case.lines), interrupt):
        case.run(output=path).close()
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]
    goes_on(case, path)


@posix
@pytest.mark.parametrize("case", CASES, indirect=True)
@pytest.mark.parametrize("share", [0.33, pytest.param(0.93, marks=LONG)])
def test_killed_between_any_two_lines(tmp_path: Path, case: Case, share: float) -> None:
    path = tmp_path / "run.nc"
    child = os.fork()
    if child == 0:
        try:
            with counting(int(share * case.lines), die):
                case.run(output=path)
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    goes_on(case, path)


def after(time: float, error: type[BaseException] = KeyboardInterrupt) -> Callable[[Any], None]:
    def stop(progress: Any) -> None:
        if progress.time >= time:
            raise error("stopped")

    return stop


verlet = pytest.mark.parametrize("case", ["instants", pytest.param("means", marks=LONG)], indirect=True)


@verlet
def test_rows_beyond_the_last_stretch_are_readable_and_computed_again(tmp_path: Path, case: Case) -> None:
    path = tmp_path / "run.nc"
    with case.run(output=path, progress=after(WITHIN)) as cut:
        assert cut.status == Status.INTERRUPTED
        assert 0 < counted(path) < cut.time.size < case.rows
        assert cut.statistics["simulated_time"] >= cut.time[-1]
    goes_on(case, path)


@verlet
def test_a_run_stopped_in_its_first_stretch_keeps_its_rows(
    tmp_path: Path, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice: each starts again, none loses the rows of the one before."""
    set_sections(monkeypatch, 10**6)
    path = tmp_path / "run.nc"
    whole = case.run()
    sizes = []
    for share in (0.3, 0.6):
        with case.run(output=path, resume=path.exists(), progress=after(share * UNTIL)) as cut:
            assert cut.status == Status.INTERRUPTED
            assert counted(path) == 0
            assert cut.statistics["steps"] > 0
            sizes.append(cut.time.size)
            assert cut.time.tobytes() == whole.time[: cut.time.size].tobytes()
    assert 0 < sizes[0] < sizes[1] < whole.time.size
    with pytest.raises(KeyboardInterrupt), counting(200, interrupt):  # before a first step
        case.run(output=path, resume=True)
    with results.open(path) as left:
        assert left.time.size == sizes[1]
    with case.run(output=path, resume=True) as again:
        assert facts(again) == facts(whole)


@pytest.mark.long
@verlet
def test_an_internal_mistake_in_a_stretch_leaves_its_rows(tmp_path: Path, case: Case) -> None:
    path = tmp_path / "run.nc"
    with pytest.raises(ZeroDivisionError):
        case.run(output=path, progress=after(WITHIN, ZeroDivisionError))
    with results.open(path) as left:
        assert left.time[-1] > WITHIN - 3e-4
        assert left.time.size > counted(path)
    goes_on(case, path)


@pytest.mark.parametrize("case", ["instants"], indirect=True)
@pytest.mark.parametrize("first", [False, pytest.param(True, marks=LONG)])
def test_a_full_disk_at_ctrl_c(tmp_path: Path, case: Case, monkeypatch: pytest.MonkeyPatch, first: bool) -> None:
    """The rows of the stretch cannot be written: a message says so, earlier rows stay, no file remains open."""
    path = tmp_path / "run.nc"
    real, full = Stretches.stop, []

    def stop(self: Stretches) -> Any:
        full.append(True)
        return real(self)

    def write(*arguments: Any) -> None:
        if full:
            raise OSError(28, os.strerror(28))
        store(*arguments)

    store = results.writer.lowlevel.write_at
    opened = len(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else 0
    with monkeypatch.context() as patch:
        patch.setattr(Stretches, "stop", stop)
        patch.setattr("chaindrive.results.lowlevel.write_at", write)
        if first:
            set_sections(patch, 10**6)
        with pytest.raises(ComputationError, match="disk is full"):
            case.run(output=path, progress=after(WITHIN))
    if opened:
        assert len(os.listdir("/proc/self/fd")) == opened
    assert path.exists() is not first
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]
    goes_on(case, path)


@posix
def test_the_command_line_says_up_to_when_there_are_results(
    tmp_path: Path, short: None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """For a run in its first stretch it is the time of the last row, not the beginning, from which the run resumes."""
    set_sections(monkeypatch, 10**6)
    real, calls = Stretches.judge, []

    def judge(self: Stretches, status: Status) -> Status:
        calls.append(status)
        if len(calls) == 6:
            signal.raise_signal(signal.SIGINT)
        return real(self, status)

    path = tmp_path / "run.nc"
    monkeypatch.setattr(Stretches, "judge", judge)
    with pytest.raises(SystemExit) as ending:
        main(["run", str(FIVE), "-o", str(path), "--solver", "verlet", "--until", "0.02", "--save-rate", "5 kHz"])
    assert ending.value.code == 130
    with results.open(path) as left:
        last = left.time[-1]
    assert last > 0.0
    assert f"Results up to t = {last:.6g} s are kept" in capfd.readouterr().err


class Stopped(h5py.File):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        super().__init__(*arguments, **options)


@posix
@pytest.mark.long
def test_sigterm_while_the_file_is_laid_out_shows_no_traceback(tmp_path: Path) -> None:
    """The half-made object of h5netcdf complained when it was deleted: 'Exception ignored in File.close'."""

    def run() -> None:
        h5py.File = Stopped
        try:
            main(["run", "industrial-08b", "-o", "run.nc", "--until", "0.005"])
        finally:
            gc.collect()

    with Forked(run, tmp_path) as process:
        assert process.wait() == 128 + signal.SIGTERM, process.err
        assert "Interrupted before the first step: nothing was stored." in process.err
        assert "Traceback" not in process.err
        assert "Exception ignored" not in process.err
    assert os.listdir(tmp_path) == []


def test_a_file_of_a_shortened_step_can_be_opened(tmp_path: Path, short: None) -> None:
    """The description of the step is the only text among the statistics."""
    path = tmp_path / "run.nc"
    cd.simulate(cd.load(FIVE), 0.004, solver="verlet", output=path).close()
    with results.open(path) as found:
        assert "from" in found.statistics["shortened"]
