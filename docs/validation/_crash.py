"""Commands that are stopped at a random instant, and checks of what they leave behind (see ``crash_safety.py``)."""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from _crash_command import FILL, WAIT, Ended, Fault, Stop, command

import chaindrive
from chaindrive.errors import ChaindriveError
from chaindrive.kernels.cache import cache_folder
from chaindrive.results.checkpoint import METADATA

OUTPUT = "run.nc"
DRIVE = ("industrial-08b", "-o", OUTPUT, "--until", "0.5", "--save-rate", "2 kHz", "--channels", "all",
         "--set", "run.save.chunk_rows=20")  # fmt: skip
FIVE = str(Path(__file__).with_name("crash_five_wheels.toml"))
"""A drive with which Verlet repeats steps many times."""
RUNS = {
    "verlet": (*DRIVE, "--solver", "verlet"),
    "means": (*DRIVE, "--solver", "verlet", "--set", 'run.save.reduce="mean"'),
    "dormand-prince": (*DRIVE, "--solver", "dormand-prince"),
    "taken back": (FIVE, *DRIVE[1:], "--solver", "verlet", "--until", "0.04", "--save-rate", "10 kHz"),
}
"""Simulated drives: both methods, instantaneous and mean values, and a case in which the energy balance fails and the
step is halved.
"""
STUDY = """
name = "load"
drive = "industrial-08b"
[set]
"run.until" = "30 ms"
"run.solver.method" = "verlet"
"run.solver.step" = "0.5 us"
[[parameters]]
name = "load"
unit = "N*m"
first = 20
last = 48
step = 4
set = "wheels.conveyor.load_torque"
[[curves]]
name = "rising"
start = "previous"
[[figures_of_merit]]
name = "largest"
channel = "link_tension"
reduce = "max"
[[figures_of_merit]]
name = "mean"
channel = "span_tension"
item = [0]
reduce = "mean"
"""
FOLDER = "load-study"
SIGNALS = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
KINDS = {"run": 24, "resume": 24, "replace": 12, "study": 20, "full disk": 14, "damaged cache": 5, "full cache": 1}
"""Commands that are stopped, with their shares in 100 trials."""
SOME, MANY = 0.15, 0.6
"""Smallest and largest fraction of its rows that a run has when it is resumed."""
DISK = 64
"""Size of the small disk once it has room again. [MB]"""


class Trial(NamedTuple):
    """One trial."""

    kind: str
    case: str
    signal: str
    """Name of the signal, or "disk full" if this happened first."""
    delay: float
    """Time from the beginning, or from the appearance of its first file, to the signal. [s]"""
    writing: bool
    """Whether the delay is counted from the first file."""
    left: str
    """What was found: no file, the earlier file, or a number of rows or runs."""
    fault: str
    """The condition that failed; empty if all are met."""


def _compile(arguments: Sequence[str]) -> None:
    """Let a child process compile missing kernels, so that all trials are compared with runs that load their
    kernels.
    """
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        try:
            _load(arguments)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]):
        raise RuntimeError("the kernels could not be compiled")


def _load(arguments: Sequence[str]) -> None:
    """Load the kernels of a run into this process."""
    method = arguments[arguments.index("--solver") + 1]
    drive = chaindrive.load(FIVE) if arguments[0] == FIVE else chaindrive.example(arguments[0])
    chaindrive.simulate(drive, 1e-3, solver=method)


class Laboratory:
    """Reference runs, and trials that are compared with them, in an empty folder."""

    def __init__(self, folder: Path, seed: int, cases: Sequence[str] = tuple(RUNS)) -> None:
        self.folder, self.random, self.cases = folder, random.Random(seed), tuple(cases)
        self.seconds: dict[str, float] = {}
        """Time of each command if it is not stopped. [s]"""
        self.writing: dict[str, float] = {}
        """Time from the appearance of its first file to its end. [s]"""
        self.number = 0
        self.full = False
        """Whether the disk was full in the current trial."""
        for case in self.cases:
            _compile(RUNS[case])
        for case in self.cases:
            _load(RUNS[case])
            self._reference(case, ["run", *RUNS[case]], case)
        halves = self.folder / "half"
        for case in self.cases:
            self._half(halves / case, case)
        (self.folder / "load.toml").write_text(STUDY, encoding="utf-8")
        self._reference("study", ["sweep", str(self.folder / "load.toml"), "--workers", "1"], "study")
        self.rows = table(self.folder / "study" / FOLDER)
        print(f"seconds: {self.seconds}, writing: {self.writing}", flush=True)

    def _reference(self, name: str, arguments: list[str], folder: str) -> None:
        """Run a command without stopping it; the second run shows how long it takes."""
        for _ in range(2):
            place = self.folder / folder
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            ended = command(place, arguments, Stop(WAIT, signal.SIGKILL, _first(name)))
            if ended.code:
                raise RuntimeError(f"the reference {name} failed:\n{ended.err}")
        self.seconds[name], self.writing[name] = ended.seconds, ended.writing

    def _half(self, place: Path, case: str) -> None:
        """Prepare a run that was interrupted about halfway, to be resumed."""
        share, all_rows = 0.3 * self.writing[case], self._rows(self.folder / case, case)
        while True:
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            ended = command(place, ["run", *RUNS[case]], Stop(share, signal.SIGKILL, (OUTPUT,)))
            if ended.stopped and SOME < (rows := self._rows(place, case)) / all_rows < MANY:
                print(f"{case}: {self.seconds[case]:.2f} s, stopped with {rows} rows", flush=True)
                return
            share = self.random.uniform(0.02, 0.6) * self.writing[case]

    def trial(self, kind: str) -> Trial:
        """Stop a command of this kind until the signal comes in time, check its files, and continue to the end."""
        self.number += 1
        sent = SIGNALS[self.number % len(SIGNALS)]
        case = "study" if kind == "study" else self.random.choice(self.cases)
        if kind == "full disk" and self.random.random() < 0.25:
            case = "study"
        share = 0.6 if kind == "resume" else 1.0
        while True:
            place, self.full = self.folder / f"trial-{self.number}", False
            stop = self._instant(case, sent, share)
            try:
                left, fault = getattr(self, f"_{kind.replace(' ', '_')}")(place, case, stop), ""
            except Fault as error:
                left, fault = "", str(error)
            if left is not None:
                if not fault:
                    shutil.rmtree(place)
                return Trial(
                    kind, case, "disk full" if self.full else sent.name, stop.delay, bool(stop.begun), left, fault
                )
            shutil.rmtree(place)

    def _instant(self, case: str, sent: int, share: float) -> Stop:
        """Return a random instant: one in five is within the whole command, one in five just after its first file
        appears, when rows are copied and files renamed, and the others are within the time in which it writes.
        """
        if self.number % 5 == 0:
            return Stop(self.random.uniform(0.0, share * self.seconds[case]), sent)
        writing = 0.05 if self.number % 5 == 1 else share * self.writing[case]
        return Stop(self.random.uniform(0.0, writing), sent, _first(case))

    def _run(self, place: Path, case: str, stop: Stop, **options: object) -> str | None:
        place.mkdir()
        ended = command(place, ["run", *RUNS[case]], stop, **options)  # type: ignore[arg-type]
        if not ended.stopped and not ended.code:
            return None
        return self._go_on(place, case, ended)

    def _resume(self, place: Path, case: str, stop: Stop, **options: object) -> str | None:
        shutil.copytree(self.folder / "half" / case, place)
        self._rows(place, case)
        before = counted(place)
        ended = command(place, ["run", *RUNS[case], "--resume"], stop, **options)  # type: ignore[arg-type]
        if not ended.stopped and not ended.code:
            return None
        if not (place / OUTPUT).exists():
            raise Fault("the file of the run that was resumed is lost")
        if (rows := self._rows(place, case, self._judged(place))) < before:  # later rows are computed again
            raise Fault(f"{before} rows counted by the checkpoint before, {rows} afterwards")
        return self._go_on(place, case, ended)

    def _replace(self, place: Path, case: str, stop: Stop) -> str | None:
        others = [name for name in (*self.cases, *RUNS) if name != case]
        other = others[0] if others[0] in self.cases else None
        place.mkdir()
        earlier = b""
        if other is not None:
            for name in (OUTPUT, f"{OUTPUT}.checkpoint"):
                shutil.copy(self.folder / other / name, place)
            earlier = (place / OUTPUT).read_bytes()
        ended = command(place, ["run", *RUNS[case], "--force"], stop)
        if not ended.stopped and not ended.code:
            return None
        if other is not None and (place / OUTPUT).read_bytes() == earlier:
            self._quiet(ended)
            self._finished(place, case, ["--force"])
            return "the earlier file"
        return self._go_on(place, case, ended)

    def _study(self, place: Path, case: str, stop: Stop, **options: object) -> str | None:
        place.mkdir()
        workers = "2" if self.random.random() < 0.2 else "1"
        arguments = ["sweep", str(self.folder / "load.toml"), "--workers", workers]
        ended = command(place, arguments, stop, **options)  # type: ignore[arg-type]
        if not ended.stopped and not ended.code:
            return None
        self._quiet(ended)
        kept = table(place / FOLDER)
        for run, cells in kept.items():
            if self.rows.get(run) != cells:
                raise Fault(f"the remaining table has different numbers: {cells} instead of {self.rows.get(run)}")
        with self._room(place):
            again = command(place, arguments)
            if again.code:
                raise Fault(f"resuming the study failed: {again.err[-500:]}")
            ended_with = table(place / FOLDER)
            for run, cells in self.rows.items():
                if ended_with.get(run) != cells:
                    raise Fault(f"the study ended with different numbers: {ended_with.get(run)} instead of {cells}")
            clean(place / FOLDER)
        return f"{len(kept)} runs"

    def _full_disk(self, place: Path, case: str, stop: Stop) -> str | None:
        """Provide a separate disk that fills up, if one can be mounted, or a limit on the size of files.

        In three of four cases nothing else stops the command. Most of these disks are filled while the command writes,
        as if by another program; the others are too small from the beginning.
        """
        inner = place / "disk"
        what = self._study if case == "study" else self.random.choice((self._run, self._resume))
        place.mkdir()
        size = 200_000 if case == "study" else 2 * (self.folder / "half" / case / OUTPUT).stat().st_size
        limit = int(size * self.random.uniform(0.05, 1.2))
        alone, filled = self.random.random() < 0.75, self.random.random() < 0.7
        if os.geteuid() != 0:
            return what(inner, case, stop._replace(delay=WAIT) if alone else stop, limit=limit)
        if alone and filled:
            writing = self.random.uniform(0.0, (0.6 if what == self._resume else 1.0) * self.writing[case])
            stop, limit = Stop(writing, FILL, _first(case)), DISK << 20
        elif alone:
            stop = stop._replace(delay=WAIT)
        disk = place / "small"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={limit}", "tmpfs", disk], check=True)
        try:
            return what(disk / "disk", case, stop)
        except OSError:  # not even the folder has room
            return None
        finally:  # workers of a killed study may still hold it
            subprocess.run(["umount", "-l", disk], check=True)

    def _quiet(self, ended: Ended) -> None:
        """Check that a command that was stopped, or ran out of disk space, shows no internal errors."""
        if "Traceback" in ended.err or "bug in chaindrive" in ended.err:
            raise Fault(f"exit code {ended.code}: {ended.err[-800:]}")
        self.full = self.full or "disk is full" in ended.err or "are possible" in ended.err

    @contextmanager
    def _room(self, place: Path) -> Iterator[None]:
        """Free the space on a small disk."""
        if place.parent.name == "small":
            (place.parent / "filler").unlink(missing_ok=True)
            subprocess.run(["mount", "-o", f"remount,size={DISK}m", place.parent], check=True)
        yield

    def _damaged_cache(self, place: Path, case: str, stop: Stop) -> str | None:
        """Damage files of compiled kernels before the run, and again before it is resumed."""
        cache = self.folder / f"cache-{self.number}"
        kernels = cache / "chaindrive" / cache_folder().name
        shutil.rmtree(cache, ignore_errors=True)
        shutil.copytree(cache_folder(), kernels)
        for _ in range(self.random.randint(1, 3)):
            damage(self.random.choice(sorted(kernels.glob("*.nbc"))), self.random)
        try:
            return self._run(place, case, stop, cache=cache)
        finally:
            shutil.rmtree(cache)

    def _full_cache(self, place: Path, case: str, stop: Stop) -> str | None:
        """Provide a disk for compiled kernels that has no room for them; the run is stopped anywhere while compiling or
        running.
        """
        if os.geteuid() != 0:
            cache = self.folder / "no-cache"
            cache.write_bytes(b"")  # a file where the folder should be
            return self._run(place, case, stop._replace(delay=8.0 * stop.delay), cache=cache)
        cache = self.folder / f"small-cache-{self.number}"
        cache.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", cache], check=True)
        try:
            return self._run(place, case, stop._replace(delay=8.0 * stop.delay), cache=cache)
        finally:
            subprocess.run(["umount", "-l", cache], check=True)

    def _go_on(self, place: Path, case: str, ended: Ended) -> str:
        """Check the files of a stopped run, resume it, and compare with the uninterrupted run."""
        self._quiet(ended)
        with self._room(place):
            if not (place / OUTPUT).exists():
                self._finished(place, case, [])
                return "no file"
            rows = self._rows(place, case, self._judged(place))
            self._finished(place, case, ["--resume"])
            return f"{rows} rows"

    @staticmethod
    def _judged(place: Path) -> int | None:
        """Return the number of rows that must equal those of the reference: those counted by the checkpoint, if there
        is one.

        An interrupted run also leaves the rows of the stretch it was in, which may be run again with another step.
        """
        return counted(place) if (place / f"{OUTPUT}.checkpoint").exists() else None

    def _finished(self, place: Path, case: str, options: list[str]) -> None:
        ended = command(place, ["run", *RUNS[case], *options])
        if ended.code:
            raise Fault(f"continuing ({' '.join(options) or 'from the beginning'}) failed: {ended.err[-500:]}")
        wanted = self._rows(self.folder / case, case)
        if (rows := self._rows(place, case)) != wanted:
            raise Fault(f"{rows} rows at the end instead of {wanted}")
        clean(place)

    def _rows(self, place: Path, case: str, judged: int | None = None) -> int:
        """Number of rows of a results file; the given number of first rows (None: all) must equal those of the
        reference bit for bit.
        """
        try:
            with (
                chaindrive.open(place / OUTPUT) as found,
                chaindrive.open(self.folder / case / OUTPUT) as reference,
            ):
                rows = found.time.size
                for name in ("time", *reference.channels):
                    first = slice(0, rows if judged is None else min(rows, judged))
                    left = found.time[first] if name == "time" else found.values(name, first)
                    right = reference.time[first] if name == "time" else reference.values(name, first)
                    if left.tobytes() != right.tobytes():
                        raise Fault(f"{name} differs from the uninterrupted run")
                return rows
        except ChaindriveError as error:
            raise Fault(f"the file cannot be read: {error}") from None


def _first(case: str) -> tuple[str, ...]:
    """Files of which at least one exists as soon as a command writes."""
    return (f"{FOLDER}/table.csv",) if case == "study" else (OUTPUT, f".{OUTPUT}.*.part")


def counted(place: Path) -> int:
    """Number of rows according to the checkpoint of a run."""
    with np.load(place / f"{OUTPUT}.checkpoint", allow_pickle=False) as stored:
        return int(json.loads(stored[METADATA].tobytes().decode())["metadata"]["rows"])


def clean(place: Path) -> None:
    """Check that no partial files are left."""
    if left := [path.name for path in place.rglob(".*") if path.suffix in (".part", ".lock")]:
        raise Fault(f"left behind: {', '.join(left)}")


def table(folder: Path) -> dict[str, list[str]]:
    """Rows of a study's table by the number of the run, without computing times; incomplete lines are omitted."""
    path = folder / "table.csv"
    if not path.exists():
        return {}
    text = path.read_text(encoding="utf-8")
    lines = list(csv.reader(text[: text.rfind("\n") + 1].splitlines()))
    return {cells[0]: cells[1:-3] + cells[-1:] for cells in lines[1:]}


def damage(path: Path, chance: random.Random) -> None:
    """Damage a file as a failing disk or a killed process would."""
    content = path.read_bytes()
    at = chance.randrange(len(content))
    ways = (
        b"",
        content[:at],
        bytes(len(content)),
        content[:at] + chance.randbytes(16) + content[at + 16 :],
        chance.randbytes(len(content)),
        b"\x80\x04N.",  # a pickle of nothing
    )
    path.write_bytes(chance.choice(ways))
