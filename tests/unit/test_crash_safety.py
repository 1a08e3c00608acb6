"""Nothing is lost or mixed: resumption stopped anywhere, two runs into one output, Ctrl-C between any two lines."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import chaindrive as cd
from chaindrive import results
from chaindrive.contract.channels import Channel
from chaindrive.contract.status import Status
from chaindrive.errors import ComputationError, InputError
from chaindrive.model import override
from chaindrive.results import ResultsWriter, checkpoint
from chaindrive.results.files import check_target
from chaindrive.results.lock import locked
from chaindrive.results.spool import Spool
from chaindrive.simulation import simulate as simulation
from support.forked import Forked, posix
from support.interrupted import Stop
from support.sections import set_sections

CHANNELS = (
    Channel("link_tension", ("link",), "N", "", 0, (5,), precision="single"),
    Channel("work_input", (), "J", "", 5, (), kept="always"),
)
ROWS, BLOCK, COUNTED = 200, 40, 170
"""Numbers of rows stored, copied at a time, and counted by the checkpoint."""
IDENTITY = checkpoint.fingerprint("drive", {})


def made(count: int) -> tuple[np.ndarray, np.ndarray]:
    times = np.arange(count) * 1.0
    return times, np.outer(times + 1.0, np.ones(6))


def interrupted(path: Path) -> None:
    """A file of 200 rows with a checkpoint that counted 170, as a killed run leaves it."""
    writer = ResultsWriter(path, CHANNELS, {}, results.describe("", {}), 1000, BLOCK)
    writer.append(*made(ROWS))
    writer.abandon()
    checkpoint.save(path, {}, {"rows": COUNTED, "time": COUNTED - 1.0}, IDENTITY)


def reopened(path: Path) -> ResultsWriter:
    rows = int(checkpoint.load(path, IDENTITY).metadata["rows"])
    return ResultsWriter.reopen(path, rows, CHANNELS, {}, results.describe("", {}), 1000, BLOCK)


def assert_can_go_on(path: Path) -> None:
    """The file is readable and holds every row that the checkpoint counted; resuming it gives all rows."""
    with results.open(path) as solution:
        held = solution.time
        assert held.size >= COUNTED
        np.testing.assert_array_equal(solution.values("work_input"), held + 1.0)
    writer = reopened(path)
    times, rows = made(300)
    writer.append(times[COUNTED:], rows[COUNTED:])
    with writer.finish(Status.REACHED_END) as solution:
        np.testing.assert_array_equal(solution.time, times)
        np.testing.assert_array_equal(solution.values("work_input"), times + 1.0)


@pytest.mark.parametrize("block", range(-(-COUNTED // BLOCK)))
@pytest.mark.parametrize("error", [KeyboardInterrupt, ComputationError])
def test_resuming_stopped_at_any_block_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, error: type[BaseException]
) -> None:
    path = tmp_path / "run.nc"
    interrupted(path)
    real, calls = ResultsWriter._store, []

    def stopped(self: ResultsWriter, *arguments: object) -> None:
        if len(calls) == block:
            raise error("stopped")
        calls.append(arguments)
        real(self, *arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(ResultsWriter, "_store", stopped)
        with pytest.raises(error):
            reopened(path)
    assert sorted(os.listdir(tmp_path)) == ["run.nc", "run.nc.checkpoint"]
    assert_can_go_on(path)


@posix
@pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.long)])
def test_resuming_killed_at_any_write_loses_nothing(tmp_path: Path, step: int) -> None:
    """A separate process dies at the k-th write, renaming or synchronisation, for every ``step``-th of them."""
    path = tmp_path / "run.nc"
    interrupted(path)
    whole, mark = path.read_bytes(), checkpoint.name_for(path).read_bytes()
    number = survived = 0
    while not survived:
        path.write_bytes(whole)
        checkpoint.name_for(path).write_bytes(mark)
        child = os.fork()
        if child == 0:
            _die_at(number)
            try:
                reopened(path)
            finally:
                os._exit(0)
        survived = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        with locked(check_target(path, overwrite=True)):  # as a run does: what the killed one left goes
            assert_can_go_on(path)
        assert sorted(os.listdir(tmp_path)) == ["run.nc", "run.nc.checkpoint"]
        number += step
    assert number > 20


def _die_at(number: int) -> None:
    """Kill this process at an operation on files, counted from 0."""
    left = [number]

    def deadly(real):
        def call(*arguments, **options):
            if left[0] == 0:
                os._exit(9)
            left[0] -= 1
            return real(*arguments, **options)

        return call

    for name in ("pwrite", "replace", "fsync", "unlink"):
        setattr(os, name, deadly(getattr(os, name)))


# Two runs into one output ---------------------------------------------------------------------------------------------

HOLDER = """
import sys, time
from pathlib import Path
from chaindrive.results.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@posix
def test_the_lock_names_its_process_and_ends_with_it(tmp_path: Path) -> None:
    path = tmp_path / "run.nc"
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        try:
            with pytest.raises(InputError, match=rf"is being written by another run \(process {holder.pid}\)"):
                locked(path).__enter__()
        finally:
            holder.kill()
    assert (tmp_path / ".run.nc.lock").exists()
    with locked(path):
        pass
    assert os.listdir(tmp_path) == []


def test_a_file_that_is_being_written_is_not_called_interrupted(tmp_path: Path) -> None:
    path, link = tmp_path / "run.nc", tmp_path / "link.nc"
    interrupted(path)
    link.symlink_to(path)
    with locked(path):
        for name in (path, link):
            with results.open(name) as solution:
                assert solution.being_written
                assert f"process {os.getpid()}" in solution.ending
                assert f"t = {ROWS - 1} s" in solution.ending
                assert "--resume" not in solution.ending
    (tmp_path / ".run.nc.lock").touch()  # as a killed run leaves it
    with results.open(path) as solution:
        assert not solution.being_written
        assert "--resume" in solution.ending
    with locked(path):  # opening the file has left the lock free
        pass


def test_a_lock_holds_within_a_process_too(tmp_path: Path) -> None:
    path = tmp_path / "run.nc"
    with locked(path):
        with pytest.raises(InputError, match=f"process {os.getpid()}"):
            locked(path).__enter__()
        with locked(tmp_path / "other.nc"):
            pass
    with locked(path):
        pass


@posix
@pytest.mark.parametrize("rounds", [20])
def test_of_many_who_begin_together_one_at_a_time_has_the_lock(tmp_path: Path, rounds: int) -> None:
    """Four processes take and release the lock as fast as they can; a file shows whether two ever held it at once."""
    path, inside, had = tmp_path / "run.nc", tmp_path / "inside", 0

    def take() -> None:
        nonlocal had
        while had < rounds:
            try:
                with locked(path):
                    os.close(os.open(inside, os.O_CREAT | os.O_EXCL))
                    time.sleep(1e-4)
                    inside.unlink()
                    had += 1
            except InputError:
                time.sleep(1e-4)

    for process in [Forked(take, tmp_path) for _ in range(4)]:
        with process:
            assert process.wait() == 0, process.err
    assert os.listdir(tmp_path) == []


@pytest.fixture(scope="module")
def drive() -> cd.Drive:
    """A drive whose method emits rows at once, not at the end of a stretch with its balance."""
    return override(cd.example("industrial-08b"), {"run.solver.method": "dormand-prince"})


def test_a_second_run_into_the_same_output_is_refused(tmp_path: Path, drive: cd.Drive) -> None:
    path = tmp_path / "run.nc"
    told: list[str] = []

    def second(_: object) -> None:
        if not told:
            for call in (
                lambda: cd.simulate(drive, 0.01, output=path, overwrite=True),
                lambda: cd.simulate(drive, 0.01, output=path, resume=True),
                lambda: whole.save(path),
            ):
                with pytest.raises(InputError, match="being written by another run") as caught:
                    call()
                told.append(str(caught.value))

    whole = cd.simulate(drive, 0.02)
    with cd.simulate(drive, 0.02, output=path, progress=second) as solution:
        assert len(told) == 3
        for name in whole.channels:
            np.testing.assert_array_equal(solution.values(name), whole.values(name))


def test_what_killed_runs_left_is_removed_by_the_next(tmp_path: Path, drive: cd.Drive) -> None:
    left = [".run.nc.4000000.part", ".run.nc.checkpoint.4000000.part"]
    others = [".other.nc.4000000.part", "run.nc.part", ".run.nc.part"]
    for name in left + others:
        (tmp_path / name).write_bytes(b"x")
    cd.simulate(drive, 0.005, output=tmp_path / "run.nc").close()
    assert sorted(os.listdir(tmp_path)) == sorted([*others, "run.nc", "run.nc.checkpoint"])


@posix
def test_old_files_of_dead_processes_are_removed_and_others_stay(tmp_path: Path) -> None:
    from chaindrive.results.lowlevel import replacing

    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    names = {f".table.csv.{dead.pid}.part": True, f".table.csv.{os.getppid()}.part": False}
    for name in names:
        (tmp_path / name).write_bytes(b"x")
        os.utime(tmp_path / name, (time.time() - 3600.0,) * 2)
    fresh = tmp_path / ".table.csv.3999999.part"
    fresh.write_bytes(b"x")
    with replacing(tmp_path / "table.csv") as part:
        part.write_bytes(b"table")
    assert {name for name, gone in names.items() if (tmp_path / name).exists() == gone} == set()
    assert fresh.exists()


# Runs -----------------------------------------------------------------------------------------------------------------


def test_an_earlier_end_than_the_time_reached_is_refused(tmp_path: Path, drive: cd.Drive) -> None:
    path = tmp_path / "run.nc"
    cd.simulate(drive, 0.01, output=path).close()
    content = path.read_bytes()
    with pytest.raises(InputError, match=r"until: the run has already reached t = 0\.01 s"):
        cd.simulate(drive, 0.004, output=path, resume=True)
    with pytest.raises(InputError, match=r"until: the run has already reached t = 0\.01 s"):
        cd.simulate(override(drive, {"run.until": 0.006}), output=path, resume=True)
    assert path.read_bytes() == content
    with cd.simulate(drive, 0.01, output=path, resume=True) as again:  # to the same end: nothing is left to do
        assert again.status == Status.REACHED_END


def test_an_earlier_end_of_an_interrupted_run(tmp_path: Path, drive: cd.Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chaindrive.simulation.simulate.BUDGET", 10**6)

    def stop(progress: object) -> None:
        if progress.time > 0.02:  # type: ignore[attr-defined]
            raise KeyboardInterrupt

    path = tmp_path / "run.nc"
    cd.simulate(drive, 0.04, output=path, progress=stop).close()
    with pytest.raises(InputError, match=r"already reached t = 0\.0[23]"):
        cd.simulate(drive, 0.01, output=path, resume=True)


@pytest.mark.parametrize("reduce", ["sample", pytest.param("mean", marks=pytest.mark.long)])
def test_an_end_between_the_checkpoint_and_the_last_row_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reduce: str
) -> None:
    """Of a stretch that was stopped, rows are kept that no checkpoint counts."""
    monkeypatch.setattr(simulation, "BUDGET", 10**5)
    set_sections(monkeypatch, 3000)
    drive = override(cd.example("industrial-08b"), {"run.save.reduce": reduce})
    path = tmp_path / "run.nc"
    with cd.simulate(drive, 0.5, output=path, progress=Stop(0.08)) as cut:
        last = float(cut.time[-1])
    content = path.read_bytes()
    with checkpoint.name_for(path).open("rb") as file:
        arrays, _ = checkpoint.read_arrays(file)
    counted = json.loads(arrays[checkpoint.METADATA].tobytes())["metadata"]["time"]
    assert 0.0 < counted < last - 0.002
    with pytest.raises(InputError, match="already reached") as refused:
        cd.simulate(drive, 0.5 * (counted + last), output=path, resume=True)
    told = float(re.search(r"t = (\S+) s;", str(refused.value))[1])  # type: ignore[index]
    assert 0.0 <= told - last < 0.001
    assert path.read_bytes() == content
    with cd.simulate(drive, last + 0.01, output=path, resume=True) as further:
        assert further.time[-1] > last


def test_the_wall_clock_time_of_a_resumed_run_includes_that_before(
    tmp_path: Path, drive: cd.Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation, "BUDGET", 10**6)
    path = tmp_path / "run.nc"
    spent = 0.0
    for until, stop in ((0.04, Stop(0.01)), (0.04, Stop(0.02)), (0.04, None), (0.04, None), (0.041, None)):
        with cd.simulate(drive, until, output=path, progress=stop or False, resume=spent > 0.0) as run:
            assert run.statistics["wall_time"] > spent
            spent = run.statistics["wall_time"]


@pytest.mark.parametrize(
    ("reduce", "late"),
    [
        ("mean", True),
        *(
            pytest.param(*both, marks=pytest.mark.long)
            for both in (("sample", False), ("sample", True), ("mean", False))
        ),
    ],
)
def test_ctrl_c_between_any_two_lines_keeps_rows_and_checkpoint_together(
    tmp_path: Path, drive: cd.Drive, monkeypatch: pytest.MonkeyPatch, reduce: str, late: bool
) -> None:
    """Before or after rows go into the file, when the integrator has already handed them over."""
    monkeypatch.setattr("chaindrive.simulation.simulate.BUDGET", 10**6)
    save, until = drive.run.save.model_copy(update={"reduce": reduce, "rate": 4000.0, "chunk_rows": 20}), 0.025
    whole = cd.simulate(drive, until, save=save)
    real, calls = ResultsWriter._store, []

    def hit(self: ResultsWriter, *arguments: object) -> None:
        calls.append(arguments)
        if late:
            real(self, *arguments)  # type: ignore[arg-type]
        if len(calls) == 4:
            raise KeyboardInterrupt
        if not late:
            real(self, *arguments)  # type: ignore[arg-type]

    path = tmp_path / "run.nc"
    with monkeypatch.context() as patch:
        patch.setattr(ResultsWriter, "_store", hit)
        cut = cd.simulate(drive, until, save=save, output=path)
    assert cut.status == Status.INTERRUPTED
    assert 0 < cut.time.size < whole.time.size
    cut.close()
    with cd.simulate(drive, until, save=save, output=path, resume=True) as again:
        assert again.time.tobytes() == whole.time.tobytes()
        for name in whole.channels:
            assert again.values(name).tobytes() == whole.values(name).tobytes(), name


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_at_any_write_of_the_packing_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """The last chunk of a compressed channel is written while HDF5 frees the dataset, which can raise nothing."""
    write, seen = Spool.write, 0

    def signalled(self: Spool, data: object) -> int:
        nonlocal seen
        seen += 1
        if seen == at:
            signal.raise_signal(number)
        return write(self, data)

    monkeypatch.setattr(Spool, "write", signalled)
    values = np.outer(np.arange(ROWS) // 50 + 1.0, np.ones(6))  # which repeat, so that they are compressed
    before = signal.signal(number, signal.default_int_handler)
    try:
        at, packed = 0, 0
        while not packed:
            path = tmp_path / f"{at}.nc"
            writer = ResultsWriter(path, CHANNELS, {}, results.describe("", {}), ROWS, BLOCK)
            writer.append(np.arange(ROWS) * 1.0, values)
            at, seen = at + 1, 0
            try:
                writer.finish(Status.REACHED_END).close()
                packed = seen < at  # the signal was not sent
            except KeyboardInterrupt:
                assert signal.getsignal(number) is signal.default_int_handler
            with results.open(path) as solution:
                for name in ("link_tension", "work_input"):
                    stored = np.asarray(solution.values(name)).reshape(ROWS, -1)
                    np.testing.assert_array_equal(stored, values[:, : stored.shape[1]])
        assert at > 10
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("force", [False, pytest.param(True, marks=pytest.mark.long)])
def test_killed_before_its_first_checkpoint_a_run_can_be_gone_on_with(
    tmp_path: Path, drive: cd.Drive, force: bool
) -> None:
    """The checkpoint of the beginning exists before the file has its name."""
    path = tmp_path / "run.nc"
    if force:
        cd.simulate(drive, 0.004, output=path).close()

    def stop(progress: object) -> None:
        if progress.time > 0.01:  # type: ignore[attr-defined]
            os.kill(os.getpid(), signal.SIGKILL)

    def run() -> None:
        simulation.BUDGET = 10**6
        cd.simulate(drive, 0.02, output=path, progress=stop, overwrite=True)

    with Forked(run, tmp_path) as process:
        assert process.wait() == -signal.SIGKILL, process.err
    with results.open(path) as solution:
        assert solution.time[-1] > 0.006
    whole = cd.simulate(drive, 0.02)
    with cd.simulate(drive, 0.02, output=path, resume=True) as again:
        for name in whole.channels:
            assert again.values(name).tobytes() == whole.values(name).tobytes(), name


def test_a_run_that_fails_keeps_its_checkpoint_until_its_results_are_packed(
    tmp_path: Path, drive: cd.Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.nc"
    few = drive.run.solver.model_copy(update={"max_steps": 1000})
    with monkeypatch.context() as patch:
        patch.setattr("chaindrive.results.files.create_compact", _full)
        with pytest.raises(ComputationError, match="disk is full"):
            cd.simulate(drive, 0.05, solver=few, output=path)
    assert checkpoint.name_for(path).exists()
    again = cd.simulate(drive, 0.05, solver=few, output=path, resume=True)
    assert again.status == Status.TOO_MANY_STEPS
    assert not checkpoint.name_for(path).exists()
    again.close()


def _full(*_: object) -> None:
    import errno

    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


# At random instants ---------------------------------------------------------------------------------------------------


@posix
@pytest.mark.long
def test_killed_at_random_instants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six of the hundred kills in ``docs/validation/crash_safety.py``."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs" / "validation"))
    from crash_safety import page, trials

    kinds = ["run", "resume", "study", "resume", "full disk", "replace"]
    done = trials(kinds, 7, tmp_path, ("verlet",))
    assert [trial.fault for trial in done] == [""] * len(kinds)
    assert "**6 of 6 readable" in page(done, 7, 1.0)
