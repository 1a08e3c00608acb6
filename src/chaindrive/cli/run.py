"""``chaindrive run``: simulates a drive, shows the progress, and keeps the results so far."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from chaindrive.cli import console
from chaindrive.cli.drives import named_drive, problems_in
from chaindrive.cli.endings import Stopped, Terminated
from chaindrive.cli.live import Live, live_view, redirect_to_report
from chaindrive.cli.repeating import Earlier, check_repeat, repeated
from chaindrive.cli.report import check_beside, opened, written_beside
from chaindrive.contract.status import Status
from chaindrive.errors import ChaindriveError, ComputationError, InputError, Problem
from chaindrive.numbers import quantity
from chaindrive.results.ending import likely_cause
from chaindrive.results.trajectory import trajectory_text
from chaindrive.shell import command
from chaindrive.simulation.progress import Show, bar, lines

if TYPE_CHECKING:
    from chaindrive.analyses.results.strength import Finding
    from chaindrive.model import Drive
    from chaindrive.results import Solution
    from chaindrive.simulation.forecast import Forecast
    from chaindrive.simulation.progress import Progress

__all__ = ["Request", "Signals", "display", "run"]

PATHS = {
    "--until": "run.until",
    "--at-most": "run.at_most",
    "--formulation": "run.formulation.kind",
    "--solver": "run.solver.method",
    "--step": "run.solver.step",
    "--start": "run.start",
    "--save-rate": "run.save.rate",
    "--channels": "run.save.channels",
}
"""Path of the value in the drive that each option sets."""


class Request(NamedTuple):
    """What the command line requests."""

    file: str
    output: Path | None
    resume: bool
    force: bool
    changes: list[str]
    picture: Path | None
    options: dict[str, str]
    live: Live | None = None
    """Whether to show the run in a browser while it lasts."""
    report: bool = False
    """Whether to write a report beside the results."""
    opened: bool = False
    """Whether to open this report in a browser."""
    repeat: int | None = None
    """Number of runs including the run itself; all others begin from perturbed starts. None: only the run itself."""
    machines: tuple[str, ...] = ()
    """Names of machines whose FMU may run."""
    quiet: bool = False
    """Whether to hide the forecast and the progress."""


def run(request: Request) -> None:
    """Simulate the drive; print the energy balance and what was written.

    Raises InputError for wrong input, ComputationError if the run failed, Stopped if it was interrupted.
    """
    if request.resume and request.force:
        raise InputError(Problem("--force", "starts again, but --resume continues: give only one of these options"))
    check_repeat(request.repeat)
    options = {PATHS[name]: (name, _value(name, text)) for name, text in request.options.items()}
    if "--until" in request.options and "--at-most" not in request.options:
        options["run.at_most"] = ("--until", None)  # how long the file waits belongs to what the file waits for
    drive, stem = named_drive(request.file, request.changes, options)
    output = request.output or Path(f"{stem}.nc")
    if request.picture is not None:
        from chaindrive.cli.pictures import check_picture

        check_picture(request.picture, "--picture")
    _check_output(output, request)
    if request.live is not None or request.report:
        check_beside(output, "--report" if request.live is None else "--live")

    signals = Signals()
    try:
        with problems_in(request.file):
            _simulate(drive, output, request, signals)
    except Stopped:  # kept results have been reported
        raise
    except KeyboardInterrupt as interruption:
        _interrupted_early(output, request, signals)
        raise Stopped(interruption) from None
    except ChaindriveError:
        raise
    except Exception:  # an internal error, which main.py reports
        if signals.begun:
            _tell_kept(output, request)
        raise


def _simulate(drive: Drive, output: Path, request: Request, signals: Signals) -> None:
    from chaindrive.simulation.simulate import simulate

    earlier = Earlier.of(output) if request.resume else None
    with live_view(drive, request.live) as view:
        if view is not None:
            view.while_paused = signals.between_batches
        with signals, display(request.quiet) as show:

            def report(progress: Progress) -> None:
                show(progress)
                if view is not None:
                    view.progress(progress)
                signals.between_batches()

            solution = simulate(
                drive,
                progress=report,
                observe=view.observe if view is not None else None,
                forecast=None if request.quiet else _tell_forecast,
                allow_machines=request.machines,
                output=output,
                resume=request.resume,
                overwrite=request.force or request.resume,
            )
        with solution:
            if solution.status == Status.INTERRUPTED and not solution.time.size:
                raise signals.interruption
            if earlier is not None:
                earlier.restore(solution, output)
            interruption = repeated(solution, output, request.repeat, Signals()) if request.repeat else None
            _show(solution, output)
            _leave_picture(solution, request.picture)
            if view is not None and not isinstance(signals.interruption, Terminated):
                redirect_to_report(solution, output, view)
            elif request.report and solution.time.size:
                path = written_beside(solution, output)
                if path is not None and request.opened:
                    opened(path)
            _end(solution, output, request, signals)
            if interruption is not None:
                console.note("Interrupted: the run and its finished repetitions are kept. To resume:", "")
                console.note(f"  {_resume_command(request)}", "bold")
                raise Stopped(interruption)


def _tell_forecast(found: Forecast) -> None:
    """Print the forecast of the run before it starts."""
    if found.text:
        console.note(found.text)
    for each in found.cheaper:
        console.note(f"Cheaper: {each}.")


def _value(name: str, text: str) -> Any:
    if name == "--channels" and text not in ("standard", "all"):
        return [part.strip() for part in text.split(",")]
    return text


def _check_output(output: Path, request: Request) -> None:
    """Raise InputError for an unusable output, before anything is compiled."""
    from chaindrive.results.files import check_results
    from chaindrive.results.lock import refuse_locked

    refuse_locked(check_results(output, overwrite=True))
    if output.exists() and not (request.force or request.resume):
        message = "exists already: --force replaces it, --resume continues it, -o PATH writes elsewhere"
        raise InputError(Problem(str(output), message))


def _interrupted_early(output: Path, request: Request, signals: Signals) -> None:
    """Print which results exist if a run was interrupted before its first rows or while finishing."""
    if signals.begun:
        _tell_kept(output, request)
    elif output.exists():
        console.note(f"Interrupted before the first step: {output} is unchanged.", "")
    else:
        console.note("Interrupted before the first step: nothing was stored.", "")


def _tell_kept(output: Path, request: Request) -> None:
    """Print up to which time an interrupted run has results, and how to resume it."""
    from chaindrive.results import open as open_results

    try:
        with open_results(output) as solution:
            time, status = solution.time, solution.status
    except InputError:
        return
    if status == Status.REACHED_END:
        console.note(f"The run is complete: its results are in {output}.", "")
    elif time.size:
        _tell_how_to_resume(float(time[-1]), output, request)


def _tell_how_to_resume(time: float, output: Path, request: Request) -> None:
    """Print up to which time [s] results exist, and the command that continues the run."""
    console.note(f"Results up to t = {time:.6g} s are kept in {output}. To resume:", "")
    console.note(f"  {_resume_command(request)}", "bold")


class Signals:
    """Lets Ctrl-C and SIGTERM end a run between two batches of steps, so that everything computed is stored.

    Before the first batch (while compiling), and after a second signal, the interruption is immediate.
    """

    def __init__(self) -> None:
        self._asked: list[int] = []
        self._running = False
        self._at_once = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Signals:
        if threading.current_thread() is threading.main_thread():
            self._before = {
                number: signal.signal(number, self._on_signal) for number in (signal.SIGINT, signal.SIGTERM)
            }
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._at_once and isinstance(error, Exception) and not isinstance(error, ChaindriveError):
            raise self.interruption from error  # libraries in C turn an interruption into errors of their own

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        self._asked.append(number)
        if not self._running or len(self._asked) > 1:
            sys.unraisablehook = lambda _: None  # half-made objects (h5netcdf's) raise when they are deleted
            self._at_once = True
            raise self.interruption

    def between_batches(self) -> None:
        """Raise KeyboardInterrupt if an interruption was requested; called at points where the run can end without
        loss.
        """
        self._running = True
        if self._asked:
            raise self.interruption

    @property
    def begun(self) -> bool:
        """Return whether the first batch has been computed."""
        return self._running

    @property
    def interruption(self) -> KeyboardInterrupt:
        """Return the exception for the first signal."""
        return Terminated() if self._asked[:1] == [signal.SIGTERM] else KeyboardInterrupt()


@contextmanager
def display(quiet: bool = False) -> Iterator[Show]:
    """Show a progress bar on a terminal, and an occasional line elsewhere; quiet: show nothing."""
    if quiet:
        yield lambda progress, before="": None
    elif console.err().is_terminal:
        with bar(console.err()) as show:
            yield show
    else:
        yield lines(lambda text: console.note(text, ""))


def _show(solution: Solution, output: Path) -> None:
    from chaindrive.analyses.results.differences import left_out_text
    from chaindrive.cli.info import (
        audit_table,
        coupling_bonds,
        coupling_table,
        show_verdict,
        show_where,
        statistics_table,
        steady_line,
    )
    from chaindrive.cli.scatter_table import advise_repeating, show_scatter, warn_of_repeats

    console.say(solution.name, "bold")
    for warning in solution.warnings:
        console.warn(warning)
    warn_of_repeats(solution)
    chains = solution.chains if solution.time.size > 1 else ()
    if not chains:
        console.say("no verdict: fewer than 2 instants were stored")
    findings: list[tuple[Finding, ...]] = []
    for chain in chains:
        if solution.stages:
            console.headline(chain.name)
        found = show_verdict(chain)
        if chain.repeats:
            show_scatter(chain, found)
        findings.append(found)
    console.out().print(statistics_table(solution.statistics, solution.notes))
    for chain in chains:
        if solution.stages or solution.rotors:
            console.headline(chain.name)
        console.out().print(audit_table(chain.audit))
        show_where(chain)
    for name in solution.rotors if solution.time.size > 1 else ():
        console.headline(f"rotor {name}")
        console.out().print(audit_table(solution.rotor_audit(name)))
    if bonds := coupling_bonds(solution):
        console.out().print(coupling_table(bonds))
    for chain in chains:
        whose = f" ({chain.name})" if solution.stages else ""
        line = steady_line(chain)
        console.say(f"{'Steadiness ' if line.startswith('not known') else ''}{line}{whose}")
        if text := trajectory_text(chain.notes):
            console.say(f"Path coordinates{whose}: {text}")
    if text := left_out_text(solution):
        console.say(text)
    for chain, found in zip(chains, findings, strict=True):
        advise_repeating(chain, found, f" ({chain.name})" if solution.stages else "")
    console.say(f"Results in {output} ({quantity(os.path.getsize(output), 'B', 3)}): {command('plot', output)}")


def _leave_picture(solution: Solution, path: Path | None) -> None:
    if path is not None and solution.time.size:
        from chaindrive.cli.pictures import save_picture
        from chaindrive.cli.plot import run_picture

        save_picture(run_picture(solution.chains[0]), path)
        console.say(f"Picture in {path}")


def _end(solution: Solution, output: Path, request: Request, signals: Signals) -> None:
    """Raise Stopped for an interrupted run, and ComputationError for a failed run."""
    status = solution.status
    if status == Status.INTERRUPTED:
        _tell_how_to_resume(float(solution.time[-1]), output, request)
        raise Stopped(signals.interruption)
    if status.failed:
        cause = likely_cause(status, solution.notes)
        end = float(solution.notes.get("end_time", solution.time[-1] if solution.time.size else 0.0))
        raise ComputationError(f"{cause} {status.description}".strip(), status.advice, end)


def _resume_command(request: Request) -> str:
    """Return the command that resumes this run: the same command with --resume."""
    words = ["run", request.file]
    for name, text in request.options.items():
        words += [name, text]
    for change in request.changes:
        words += ["--set", change]
    if request.output is not None:
        words += ["-o", str(request.output)]
    if request.picture is not None:
        words += ["--picture", str(request.picture)]
    if request.live is not None:
        words += request.live.words()
    if request.report:
        words += ["--report", *(["--open"] if request.opened else [])]
    for name in request.machines:
        words += ["--allow-machine", name]
    if request.repeat is not None:
        words += ["--repeat", str(request.repeat)]
    if request.quiet:
        words.append("--quiet")
    return command(*words, "--resume")
