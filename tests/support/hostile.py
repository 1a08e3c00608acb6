"""Hostile files of four kinds, and the outcome of each: accepted, refused with a message, or an internal error.

Every input follows from its kind, a seed and its number. It is used as on the command line, in this process; most often
in a way that takes milliseconds, for some numbers in one that takes a second. Searches for a rest give up early.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import shutil
import signal
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import chaindrive as cd
from chaindrive.cli import main as command_line
from chaindrive.details import details_of
from chaindrive.errors import ChaindriveError
from chaindrive.model import loads, override
from chaindrive.model.study.description import Study
from chaindrive.model.study.files import drive_of, load_study
from chaindrive.plot_names import PLOT_NAMES
from chaindrive.results import checkpoint
from chaindrive.studies.execute import _wanted
from chaindrive.studies.optimising import _prepared
from chaindrive.studies.plan import make_plan
from support.hostile_files import damaged_checkpoint, damaged_results
from support.hostile_texts import changed_file, drives, studies
from support.small_files import SMALL

__all__ = ["COUNTS", "KINDS", "LIMIT", "Ending", "Kind", "attempt", "judged"]

LIMIT = 120.0
"""CPU time of one input. [s]"""
EFFORT = 4e5
"""Limit of a search for equilibrium, in linear systems times unknowns: a hundredth of the default."""
MOST_RUNS = 6
"""Largest number of runs of a study that is actually run."""
STUDY = """\
name = "load"
drive = "drive.toml"
[set]
"run.until" = "0.5 ms"
[[parameters]]
name = "load"
unit = "N*m"
values = [1, 2]
set = "wheels.driven.load_torque"
[[curves]]
name = "placed"
start = "at_speed"
[[curves]]
name = "continued"
start = "from:placed"
[[figures_of_merit]]
name = "largest"
channel = "link_tension"
reduce = "max"
[[figures_of_merit]]
name = "life"
finding = "plate_life"
unit = "h"
"""


class Ending(NamedTuple):
    """Outcome of an input."""

    outcome: str
    """"taken", "refused" (exit code 1), "failed" (exit code 2: the computation), "limit" or "internal"."""
    details: str = ""
    """Traceback of an internal error."""


class OutOfEffort(BaseException):
    """An input took more CPU time than allowed."""


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise OutOfEffort in this process after some CPU time, between two lines of Python."""

    def ended(*_: object) -> None:
        raise OutOfEffort

    before = signal.signal(signal.SIGVTALRM, ended)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


def judged(*actions: Callable[[], object], limit: float = LIMIT) -> Ending:
    """Run actions one after the other, with nothing printed; return the ending of the first that fails. An

    action returns an exit code of the command line or raises what a function of the package raises.
    """
    told: list[str] = []

    def tell(details: str) -> str:
        told.append(details)
        return "details.log"

    outcome = "taken"
    with (
        contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()),
        mock.patch("chaindrive.details.leave_details", tell),
        mock.patch("chaindrive.studies.worker.leave_details", tell),
        mock.patch("chaindrive.simulation.start.EFFORT", EFFORT),
        warnings.catch_warnings(),
    ):  # fmt: skip
        warnings.simplefilter("ignore")
        try:
            with _limited(limit):
                for action in actions:
                    if outcome == "taken" and not told:
                        outcome = _outcome(action())
        except OutOfEffort:
            outcome = "limit"
        except ChaindriveError as error:
            outcome = _outcome(error.exit_code)
        except Exception as error:
            told.append(details_of(error))
    return Ending("internal", told[0]) if told else Ending(outcome)


def _outcome(code: object) -> str:
    return {1: "refused", 2: "failed"}.get(code if isinstance(code, int) else 0, "taken")


def command(*words: str | Path) -> Callable[[], int]:
    """A command as an action, in this process."""
    return lambda: command_line._guarded([str(word) for word in words])


class Kind(NamedTuple):
    """A kind of input."""

    file: str
    """Name of the file in a folder of its own, which is the working folder."""
    make: Callable[[random.Random, Path], object]
    """Writes it, with the files that it needs; the second argument is a folder with good files of all kinds."""
    actions: Callable[[int, random.Random], tuple[Callable[[], object], ...]]
    """Actions with the input of a number."""


def attempt(kind: Kind, name: str, seed: int, index: int, good: Path, folder: Path, limit: float = LIMIT) -> Ending:
    """Make an input in an empty folder; return its ending.

    good: a folder for files made once; folder: where the input is left.
    """
    rng = random.Random(f"{name} {seed} {index}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    before = Path.cwd()
    os.chdir(folder)
    try:
        kind.make(rng, good)
        return judged(*kind.actions(index, rng), limit=limit)
    finally:
        os.chdir(before)


# ---- drives


def _make_drive(rng: random.Random, _: Path) -> None:
    Path("drive.toml").write_bytes(changed_file(drives(), rng))


def _of_drive(index: int, rng: random.Random) -> tuple[Callable[[], object], ...]:
    file = "drive.toml"
    first = command("check", file, "--no-draw", "--no-equilibrium")
    if index % 50 == 49:
        return first, command("run", file, "--until", "0.2 ms", "--start", "at_speed", "-o", "run.nc")
    if index % 20 == 19:
        return first, command("check", file, "--no-draw")
    kind = rng.choice(("block", "link", "roller", "spatial"))
    others = (
        command("analyze", file), command("export", file, "-o", "drive.svg"),
        command("check", file, "--no-draw", "--no-equilibrium", "--set", f"run.formulation={kind}"),
    )  # fmt: skip
    return (first, rng.choice(others)) if index % 4 == 3 else (first,)


# ---- studies


def _make_study(rng: random.Random, _: Path) -> None:
    Path("drive.toml").write_text(SMALL, encoding="utf-8")
    Path("study.toml").write_bytes(changed_file({**studies(), "small": STUDY, "smaller": STUDY}, rng))


def _of_study(index: int, _: random.Random) -> tuple[Callable[[], object], ...]:
    return (lambda: _planned(index % 10 == 9),)


def _planned(with_runs: bool) -> int:
    """Exit code of a study up to its first run, or with all runs if they are few and short."""
    study = load_study("study.toml")
    base = drive_of(study)
    if not isinstance(study, Study):
        _prepared(study, base)
        return 0
    plan = make_plan(study, base)
    _wanted(plan)
    short = all(run.misfit or loads(run.drive).run.until < 1e-3 for run in plan.runs[:MOST_RUNS])
    if with_runs and len(plan.runs) <= MOST_RUNS and short:
        return command("sweep", "study.toml", "--workers", "1")()
    return 0


# ---- results and checkpoints


def _good_results(good: Path, formulation: str) -> Path:
    """Results of a short run, kept in the folder of good files."""
    path = good / f"{formulation}.nc"
    if not path.exists():
        drive = override(cd.example("industrial-08b"), {"run.formulation.kind": formulation})
        cd.simulate(drive, 0.02, output=path).close()
        checkpoint.name_for(path).unlink()
    return path


def _make_results(rng: random.Random, good: Path) -> None:
    formulation = rng.choice(("roller", "roller", "block"))
    damaged_results(_good_results(good, formulation), Path("run.nc"), rng)


def _of_results(index: int, rng: random.Random) -> tuple[Callable[[], object], ...]:
    file = "run.nc"
    others = (
        command("report", file), command("export", file, "-o", "run.csv"), command("export", file, "-o", "run.mat"),
        command("plot", file, rng.choice(sorted(PLOT_NAMES)), "-o", "plot.png"),
        command("export", file, "-o", "run.gif", "--duration", "0.1 s", "--width", "200"),
        command("export", file, "-o", "run.svg"),
    )  # fmt: skip
    return command("info", file), others[index % len(others)]


def _make_checkpoint(rng: random.Random, good: Path) -> None:
    """The results of a run that ended early, and its checkpoint, damaged."""
    whole = good / "begun.nc"
    if not whole.exists():
        cd.simulate(loads(SMALL), 0.002, output=whole).close()
    shutil.copyfile(whole, "run.nc")
    good_one = checkpoint.name_for(whole).read_bytes()
    checkpoint.name_for("run.nc").write_bytes(damaged_checkpoint(good_one, rng))
    Path("drive.toml").write_text(SMALL, encoding="utf-8")


def _of_checkpoint(_: int, __: random.Random) -> tuple[Callable[[], object], ...]:
    return (command("run", "drive.toml", "-o", "run.nc", "--resume", "--until", "0.003"),)


KINDS: dict[str, Kind] = {
    "drives": Kind("drive.toml", _make_drive, _of_drive),
    "studies": Kind("study.toml", _make_study, _of_study),
    "checkpoints": Kind("run.nc.checkpoint", _make_checkpoint, _of_checkpoint),
    "results": Kind("run.nc", _make_results, _of_results),
}
COUNTS = {"drives": 10_000, "studies": 2_000, "checkpoints": 2_000, "results": 500}
"""Number of inputs of each kind in the long tests."""
