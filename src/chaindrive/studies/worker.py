"""Computation of one run of a study, in any process. Its task and its outcome consist of text and numbers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from chaindrive import plugs
from chaindrive.analyses.results.speed_map import Column, Wish, column_of
from chaindrive.analyses.results.verdict import headline_extremes
from chaindrive.contract.end_state import EndState
from chaindrive.contract.status import Status
from chaindrive.details import details_of, leave_details
from chaindrive.errors import MOST_PROBLEMS, ComputationError, InputError
from chaindrive.formulations import compile_system
from chaindrive.kernels.source import kernels_digest
from chaindrive.model import Drive, SaveOptions, loads
from chaindrive.model.own_law import import_laws
from chaindrive.results import Solution
from chaindrive.results.ending import likely_cause
from chaindrive.simulation.progress import Progress
from chaindrive.simulation.simulate import simulate
from chaindrive.studies.merit import Measured, NotKnownError, evaluate
from chaindrive.studies.remarks import remark_of
from chaindrive.version import __version__

REPORT_FRAMES = 600
"""Number of frames of the animation in the report of a run."""

__all__ = ["Outcome", "Task", "execute", "problems_remark", "received", "warm"]


class Task(NamedTuple):
    """The data that a process needs for a run."""

    number: int
    drive: str
    """The drive as TOML text."""
    start: str | None
    initial: EndState | None
    figures: tuple[Measured, ...]
    keep_end: bool
    """Whether another run begins at the end of this run."""
    spectra: tuple[Wish, ...] = ()
    channels: tuple[str, ...] = ()
    """Channels that the run keeps in addition to those of the figures."""
    report: bool = False
    """Whether a report is requested; if so, the run keeps all channels that its drive selects."""
    disturbance: int = 0
    """Number of the perturbation of the start; see ``simulate``."""
    extremes: bool = False
    """Whether the extremes of the main part of the run are requested."""
    modules: tuple[str, ...] = ()
    """Modules with the user-defined laws of the drive."""


class Outcome(NamedTuple):
    """The outcome of a run."""

    number: int
    status: str
    """Name of a ``status.Status``, or INPUT_ERROR, COMPUTATION_ERROR or INTERNAL_ERROR."""
    remark: str
    values: tuple[float, ...]
    """Values of the figures of merit; not-a-number if the run failed."""
    cpu: float
    """CPU time of the thread that computed the run. [s]"""
    wall: float
    """Wall-clock time. [s]"""
    steps: int
    end: EndState | None
    version: str
    """Version of chaindrive that computed the run, and the digest of its kernels (``version_here``)."""
    details: str = ""
    """Details of an internal error, for a file in the folder of the study."""
    spectra: tuple[Column, ...] = ()
    report: bytes = b""
    """Page of the report."""
    extremes: Mapping[str, float] = MappingProxyType({})
    """Extremes of the main part of the run (``verdict.headline_extremes``)."""


def received(outcome: Outcome) -> Outcome:
    """Return the outcome of a run, as received by the process of the study. Details of an internal error are written to
    a file, which is named in the remark.

    Raises ComputationError if the run was computed by a different version of chaindrive, or by the same version with
    different kernels.
    """
    if outcome.version != (here := version_here()):
        raise ComputationError(
            f"a worker uses chaindrive {outcome.version}; this is {here}",
            "install the same version everywhere.",
        )
    if outcome.details and (log := leave_details(outcome.details)):
        return outcome._replace(remark=f"{outcome.remark}; details in {log}")
    return outcome


def version_here() -> str:
    """Return the version of chaindrive in this process, and the digest of its kernels: if both are the same, so are the
    results.
    """
    return f"{__version__}, kernels {kernels_digest()}"


_warm: set[tuple[str, str]] = set()


def warm(drive: Drive) -> None:
    """Load or compile the kernels for the formulation and the method of a drive, by computing a few steps of a run.

    This is done once in a process, so that the first run takes no longer than the others. A drive that fails to start
    is ignored.
    """
    key = (drive.run.formulation.kind, drive.run.solver.method)
    if key in _warm:
        return
    _warm.add(key)
    try:
        simulate(drive, 1e-4, save=_saved(drive, ("wheel_speed",)), progress=False)
    except (InputError, ComputationError):
        _warm.discard(key)


def execute(task: Task, stopped: Callable[[], bool] | None = None) -> Outcome | None:
    """Compute one run; return None if it was interrupted, by Ctrl-C or because ``stopped`` returned True.

    Any other failure gives an outcome with a corresponding status, so a failed run does not stop a study.
    """
    status, remark, steps = Status.REACHED_END.name, "", 0
    values: tuple[float, ...] = ()
    end, details = None, ""
    spectra: tuple[Column, ...] = ()
    report = b""
    extremes: Mapping[str, float] = {}
    begun, used = time.monotonic(), time.thread_time()
    try:
        import_laws(task.modules)
        drive = loads(task.drive)
        warm(drive)
        begun, used = time.monotonic(), time.thread_time()
        solution = _solution(drive, task, stopped)
        if solution.status == Status.INTERRUPTED:
            return None
        steps = int(solution.statistics.get("steps", 0))
        status, warnings = solution.status.name, list(solution.warnings)
        if solution.status.failed:
            cause = likely_cause(solution.status, solution.notes)
            remark = (
                f"{cause} {solution.status.description} t = {float(solution.notes.get('end_time', math.nan)):.6g} s"
            )
        else:
            values = tuple(_value(figure, solution, warnings) for figure in task.figures)
            remark = remark_of(warnings)
            spectra = tuple(column_of(solution, wish) for wish in task.spectra)
            report = _report(solution) if task.report else b""
            extremes = headline_extremes(solution) if task.extremes else {}
            end = solution.end if task.keep_end else None
    except KeyboardInterrupt:
        return None
    except InputError as error:
        status, remark = "INPUT_ERROR", problems_remark(error)
    except ComputationError as error:
        status, remark = "COMPUTATION_ERROR", str(error)
    except Exception as error:
        status, remark, details = "INTERNAL_ERROR", f"{type(error).__name__}: {error}", details_of(error)
    return Outcome(
        number=task.number,
        status=status,
        remark=" ".join(remark.split()),
        values=values or (math.nan,) * len(task.figures),
        cpu=time.thread_time() - used,
        wall=time.monotonic() - begun,
        steps=steps,
        end=end,
        version=version_here(),
        details=details,
        spectra=spectra,
        report=report,
        extremes=extremes,
    )


def _value(figure: Measured, solution: Solution, warnings: list[str]) -> float:
    """Return the value of a figure; if this run has none, return not-a-number and add the reason to the warnings."""
    try:
        return evaluate(figure, solution)
    except NotKnownError as error:
        warnings.append(f"{figure.finding or figure.channel} is not known: {problems_remark(error)}")
        return math.nan


def problems_remark(error: InputError) -> str:
    """Return the problems in one line, of which only the first are listed, as in a message."""
    shown = [str(problem) for problem in error.problems[:MOST_PROBLEMS]]
    return "; ".join([*shown, error.unlisted] if error.unlisted else shown)


def _solution(drive: Drive, task: Task, stopped: Callable[[], bool] | None) -> Solution:
    def look(_: Progress) -> None:
        if stopped is not None and stopped():
            raise KeyboardInterrupt

    read = (name for figure in task.figures for name in figure.channels)
    save = _saved(drive, tuple(dict.fromkeys((*read, *task.channels))), task.report)
    start, initial, disturbance = task.start, task.initial, task.disturbance
    return simulate(drive, start=start, initial=initial, disturbance=disturbance, save=save, progress=look)


def _report(solution: Solution) -> bytes:
    """Return the page of the report of a run. It is made where the run was computed, because the results are not
    kept.
    """
    return plugs.report_page(solution, REPORT_FRAMES)


def _saved(drive: Drive, channels: tuple[str, ...], whole: bool = False) -> SaveOptions:
    """Return the save options of the drive with only the channels that are evaluated or, if ``whole``, with these
    channels added.
    """
    save = drive.run.save
    if whole and save.channels == "all":
        return save
    if whole:
        known = compile_system(drive, drive.run.formulation, True).channels
        own = [c.name for c in known if c.kept == "standard"] if save.channels == "standard" else save.channels
        channels = tuple(dict.fromkeys((*own, *channels)))
    return save.model_copy(update={"channels": channels})
