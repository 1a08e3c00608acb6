"""Simulation of a drive: the only module that combines a description, a formulation, a solver and the channels to
keep.
"""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.channels import Channel, channel_named
from chaindrive.contract.end_state import EndState
from chaindrive.contract.states import FloatArray
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.cosimulation.master import Coupling
from chaindrive.cosimulation.subsystem import Subsystem
from chaindrive.errors import ChaindriveError, InputError, Problem
from chaindrive.formulations import end_state_of
from chaindrive.mechanism.save_rate import automatic_rate, rate_warnings
from chaindrive.model import (
    Drive,
    FormulationOptions,
    Run,
    SaveOptions,
    SolverOptions,
    SteadyOptions,
    drive_of,
)
from chaindrive.model.arguments import path_of
from chaindrive.model.problems import shown, spelled
from chaindrive.model.tabulated import skipped_rows
from chaindrive.results import checkpoint
from chaindrive.results.attributes import describe
from chaindrive.results.files import RESULTS, check_results
from chaindrive.results.layout import select, storage_dtype
from chaindrive.results.lock import locked
from chaindrive.results.solution import Solution, open_solution
from chaindrive.results.step_limits import step_set_by
from chaindrive.results.writer import ResultsWriter
from chaindrive.simulation.compiling_ahead import helped
from chaindrive.simulation.disturbance import check_disturbance, disturbed
from chaindrive.simulation.forecast import Forecast, run_forecast
from chaindrive.simulation.machines import CoupledRun, couple, coupling_of, machines_of, release
from chaindrive.simulation.progress import Progress, own_display
from chaindrive.simulation.quasi_static import quasi_static_warning, take_out_scale, with_scaled_masses
from chaindrive.simulation.settings import (
    COST_OF_EXPLICIT,
    IMPLICIT,
    Chosen,
    chosen_method,
    chosen_step,
    run_with,
    settings_of,
    tolerance_warnings,
)
from chaindrive.simulation.start import check_continued, prepare
from chaindrive.simulation.steady import Criteria, Cycle, SteadyWatch, cycle_of, read
from chaindrive.simulation.stretches import Instead, Stretches
from chaindrive.solvers.choice import integrator_for
from chaindrive.solvers.integrator import METHODS, Integrator, largest_step
from chaindrive.units import to_si

__all__ = ["Observation", "Progress", "simulate"]

BUDGET = 10_000_000
"""Number of steps times number of states between two checks of the clock and the keyboard; this takes a few hundredths
of a second."""
CHECKPOINT_INTERVAL = 2.0
"""Minimum time between two checkpoints. [s of wall clock]"""


LEAST_INTERVAL = 1e-3
"""Time between the last row and the end of a run, relative to the interval of rows, above which the end is stored as
one more row. [-]"""
MOMENT = 0.05
"""Time between two checks of the keyboard while waiting for the steady state. [s of wall clock]"""


class Observation(NamedTuple):
    """Results computed since the last observation: all channels, whether stored or not.

    The run does not use the arrays again, so the observer may keep them or views of them.
    """

    time: FloatArray
    """Instants, shape (n,) with n >= 1 [s]. They follow those of the previous observation."""
    rows: FloatArray
    """All channels at these instants, as recorded by the formulation, shape (n, row_size)."""
    channels: tuple[Channel, ...]
    """The channels by name, with their offsets in a row."""
    labels: Mapping[str, tuple[str, ...]]
    """Names along dimensions that have them, such as the wheels."""

    def values(self, name: str) -> FloatArray:
        """One channel as a view, shape (n, *shape). Raises KeyError if the formulation has no such channel."""
        return channel_named(self.channels, name).read(self.rows)


@spelled
def simulate(
    drive: Drive | str | os.PathLike[str],
    until: float | str | None = None,
    *,
    at_most: float | str | None = None,
    formulation: FormulationOptions | str | None = None,
    solver: SolverOptions | str | None = None,
    save: SaveOptions | None = None,
    start: str | None = None,
    steady: SteadyOptions | None = None,
    initial: EndState | Solution | None = None,
    disturbance: int = 0,
    progress: Callable[[Progress], None] | bool | None = None,
    observe: Callable[[Observation], None] | None = None,
    forecast: Callable[[Forecast], None] | None = None,
    machines: Mapping[str, Subsystem] | None = None,
    allow_machines: Collection[str] = (),
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
    overwrite: bool = False,
) -> Solution:
    """Simulate a drive and return its solution.

    drive: a drive, the path of its file, or the name of an example. until: end of the run, in seconds or with a unit
    ("500 ms"), or "steady": the run ends one loop of the chain after work and span tensions have repeated from
    revolution to revolution of the driver (``steady.Criteria``); the notes state since when. at_most: for "steady", no
    revolution is begun after it [s]; default: 200 revolutions of the driver or 10 loops of the chain, whichever is
    longer; a run that is not steady by then ends there, and its notes say so. steady: the criteria for the steady
    state.

    formulation, solver, save, start: options of the computation and of the stored results; formulation and solver may
    be given by name. None means the value of ``drive.run``. initial: the end of a previous run of this drive, or of the
    same drive with wheels in other positions: rollers, wheels and motions continue from there, with time and works at
    zero (``formulations.roller.continued``). disturbance: number of a perturbation of the start speeds by 1e-9
    (``simulation.disturbance``), 0 for none; ``studies.repeat`` uses it. progress: called a few times per second; None
    shows it by default in a notebook and at a terminal, True everywhere, False nowhere. observe: called with every
    batch of instants as soon as it is computed, at least a few times per second; the run waits for it. It receives the
    individual instants even if means are stored (``run.save.reduce``), and for a resumed run only new instants.
    forecast: called before the first step with the forecast of the run, except for a resumed one. machines: objects for
    machines of the drive, by name (``cosimulation.subsystem.Subsystem``). allow_machines: names of the machines whose
    FMU, which contains third-party code, may run. output: results file, written during the run and locked against other
    runs; None keeps everything in memory. resume: continue from the checkpoint beside ``output``, to an end not before
    the last stored row; bit for bit as an uninterrupted run if the end is the same (the last steps of a run are fitted
    to its end). overwrite: an existing file at ``output`` may be replaced.

    A run that ends early for a numerical or physical reason is returned like any other: ``solution.status`` says why
    and what to try. Ctrl-C ends it with Status.INTERRUPTED and keeps the results so far (KeyboardInterrupt if there are
    none). Raises InputError for wrong input, ComputationError if results cannot be written.
    """
    drive = drive_of(drive)
    ending = _ending(drive, until, at_most)
    given = {"formulation": formulation, "solver": solver, "save": save, "start": start, "steady": steady}
    run = run_with(drive, ending | {name: value for name, value in given.items() if value is not None})
    cycle = cycle_of(drive, run.at_most) if run.until == "steady" else None
    if resume and output is None:
        raise InputError(Problem("resume", "to resume a run, give the results file that it was writing (output)"))
    end_before = _end_of(initial, start, drive)
    check_disturbance(disturbance)
    output = None if output is None else path_of(output, "output", RESULTS)
    _check_functions(observe=observe, forecast=forecast)
    with contextlib.ExitStack() as held:
        shown = progress if callable(progress) else held.enter_context(own_display(progress))
        if output is not None:
            held.enter_context(locked(check_results(output, overwrite=overwrite or resume)))
        parts = machines_of(drive, machines, allow_machines)
        held.callback(release, parts)
        held.enter_context(helped(drive, run))
        moved = drive if run.quasi_static is None else with_scaled_masses(drive, run.quasi_static)
        started = prepare(moved, run.formulation, run.start, end_before)
        system = disturbed(started.system.as_integrated, disturbance)
        if end_before is not None:
            system = system.noted({"continues": end_before.digest()})
        if forecast is not None and not resume:
            forecast(run_forecast(drive, system, run))
        before = _run_before(output) if resume and output is not None else None
        chosen = _chosen(run, drive, system, before)
        run = run.model_copy(update={"solver": chosen.of(run.solver)})
        if chosen.method == IMPLICIT and chosen.reason:
            system = system.noted({"step_set_by": f"accuracy, in implicit steps ({chosen.method}): {chosen.reason}"})
        watch = None
        if cycle is not None:
            watch = _watch(cycle, system, run)
            run = run.model_copy(update={"at_most": watch.at_most})
        latest = float(run.until) if watch is None else watch.latest
        run = run.model_copy(update={"save": _with_rate(run.save, drive, latest, system, before)})
        if run.quasi_static is not None:
            slow = quasi_static_warning(drive, system, run.quasi_static)
            system = system.with_story(warnings=(*system.story.warnings, slow))
        told = (*skipped_rows(drive), *tolerance_warnings(run.solver, chosen.method))
        system = system.with_story(warnings=(*system.story.warnings, *told))
        if run.save.reduce == "sample":
            warnings = rate_warnings(drive, float(run.save.rate))
            system = system.with_story(warnings=(*system.story.warnings, *warnings))
        text = drive.model_copy(update={"run": run}).to_toml()
        # A run may go on to another end: when it ends does not make it another run.
        endless = run.model_copy(update={"until": 1.0, "at_most": None, "steady": SteadyOptions()})
        options = endless.model_dump() | ({"initial": end_before.digest()} if end_before else {})
        options |= {"disturbance": disturbance} if disturbance else {}
        identity = checkpoint.fingerprint(drive.model_copy(update={"run": endless}).to_toml(), options)
        attributes = describe(
            text,
            run,
            name=drive.name,
            formulation=run.formulation.kind,
            solver=run.solver.method,
            balance=run.solver.balance,
            offered=[channel.name for channel in system.channels if channel.size > 0],
        )
        coupled = (drive, parts, coupling_of(drive, run.coupling)) if parts else None
        session = _Session(system, run, attributes, output, identity, watch, coupled, chosen.instead)
        session.open(resume, overwrite)
        solution = session.go(shown, observe)
        if not (solution.status.failed or drive.stages or drive.rotors):
            integrator = session.integrator
            solution.end = end_state_of(run.formulation.kind, system, started.drive, integrator.time, integrator.state)
        return solution


def _check_functions(**given: object) -> None:
    """Raise InputError for arguments, by name, that are neither functions nor None."""
    wrong = {name: value for name, value in given.items() if not (value is None or callable(value))}
    if wrong:
        raise InputError([Problem(name, "must be a function", shown(value)) for name, value in wrong.items()])


def _end_of(initial: EndState | Solution | None, start: str | None, drive: Drive) -> EndState | None:
    """Return the state from which the run of a drive continues. Raises InputError if the argument contains no end
    state.
    """
    if initial is None:
        return None
    if start is not None:
        raise InputError(
            Problem("start", "a run that continues from an initial state cannot have another start", repr(start))
        )
    if not isinstance(initial, EndState | Solution):
        message = "must be a result that simulate returned, or its end; a file holds no end state"
        raise InputError(Problem("initial", message, shown(initial)))
    check_continued(drive)
    if isinstance(initial, EndState):
        return initial
    if initial.end is None:
        check_continued(initial.drive)
        message = (
            "holds no end state: the run failed, or it was read from a file; pass the result that simulate returned"
        )
        raise InputError(Problem("initial", message, repr(initial)))
    return initial.end


def _watch(cycle: Cycle, system: System, run: Run) -> SteadyWatch:
    """Return a watch that waits for the steady state once all ramps and fade-ins of the motions have ended."""
    criteria = Criteria(**run.steady.model_dump())
    begin = float(max(system.motion.stops, default=0.0))
    return SteadyWatch(cycle, system.channel("span_tension").size, begin, run.at_most, criteria)


def _run_before(output: str | os.PathLike[str]) -> Run | None:
    """Return the run settings of the run that is resumed. Settings that were chosen automatically are kept, even if the
    end is different. None if they cannot be read, which is reported later.
    """
    with contextlib.suppress(InputError), open_solution(output) as earlier:
        return earlier.drive.run
    return None


def _chosen(run: Run, drive: Drive, system: System, before: Run | None) -> Chosen:
    """Return the method of a run; if it is not specified, the method of the run that is resumed."""
    chosen = chosen_method(run, drive, system)
    if before is None or run.solver.method != "auto" or before.solver.method == chosen.method:
        return chosen
    return Chosen(before.solver.method, "")


def _with_rate(save: SaveOptions, drive: Drive, latest: float, system: System, before: Run | None) -> SaveOptions:
    """Return the options for the stored results, with the number of rows per second filled in if it is to be chosen
    from the drive.

    latest: end of the run [s]. before: settings of the run that is resumed.
    """
    if save.rate != "auto":
        return save
    if before is not None:
        return save.model_copy(update={"rate": before.save.rate})
    kept = select(system.channels, save.channels, save.precision)
    row_bytes = sum(channel.size * storage_dtype(channel).itemsize for channel in kept)
    return save.model_copy(update={"rate": automatic_rate(drive, latest, row_bytes)})


def _ending(drive: Drive, until: float | str | None, at_most: float | str | None) -> dict[str, float | str | None]:
    """Return the checked values of until and at_most, from the arguments or from the drive."""
    ends = drive.run.until if until is None else until
    if not (isinstance(ends, str) and ends == "steady"):
        if at_most is not None:
            message = 'applies to until="steady" only; other runs end at until'
            raise InputError(Problem("at_most", message, repr(at_most)))
        return {"until": _time(ends, "until", ', or "steady"'), "at_most": None}
    longest = drive.run.at_most if at_most is None else at_most
    return {"until": "steady", "at_most": None if longest is None else _time(longest, "at_most")}


def _time(value: float | str, place: str, other: str = "") -> float:
    """Return the time at which a run ends, given in seconds or as text with a unit. [s]"""
    time: object = value
    with contextlib.suppress(ValueError):  # of what is not a time, which is reported below
        time = to_si(value, "s") if isinstance(value, str) else value
    found = float(time) if isinstance(time, Real) and not isinstance(time, bool) else math.nan
    if not (math.isfinite(found) and found > 0.0):
        message = f'must be a finite time above zero, such as 2 (in seconds), "500 ms"{other}'
        raise InputError(Problem(place, message, repr(value)))
    return found


class _Session:
    """The part of a run between opening and closing the results."""

    def __init__(
        self,
        system: System,
        run: Any,
        attributes: dict[str, str],
        output: Any,
        identity: Any,
        watch: SteadyWatch | None = None,
        coupled: tuple[Drive, Mapping[str, Subsystem], Coupling] | None = None,
        instead: str = "",
    ) -> None:
        self.system, self.run, self.attributes, self.watch = system, run, attributes, watch
        self.latest = float(run.until) if watch is None else watch.latest
        self.output, self.identity = output, identity
        save: SaveOptions = run.save
        self.mean = save.reduce == "mean"
        self.interval = 1.0 / (float(save.rate) * (save.oversample if self.mean else 1))
        method, room = METHODS[run.solver.method], save.chunk_rows
        within = 0 if coupled is None else math.ceil(coupled[2].step / self.interval) + 1  # rows of a macro step
        self.room = room + within
        integrator = self._integrator_of(run.solver.method)
        self.step_times_frequency = method.step_times_frequency
        self.longest_step = self._longest_step_of(run.solver.method)
        # A step that somebody asked for is not changed, and one that adapts itself need not be.
        halved = method.fixed_step and chosen_step(run.solver) and coupled is None
        other = Instead(instead, self._longest_step_of(instead) / COST_OF_EXPLICIT) if halved and instead else None
        self.stretches = Stretches(system, integrator, watch, halved, run.solver.method, run.solver.balance, other)
        self.coupled: CoupledRun | None = None
        if coupled is not None:
            drive, parts, coupling = coupled
            self.coupled = couple(drive, system, self.integrator, parts, coupling, room)
        self.writer: ResultsWriter
        self.kept: _Kept
        self.begun, self.before = time.monotonic(), 0.0
        """When this part of the run began, and the wall-clock time of the parts before it. [s]"""

    def _integrator_of(self, method: str) -> Integrator:
        """Return an integrator of this method at the start of the run."""
        return integrator_for(self.system, settings_of(self.run.solver, method), self.interval, self.room)

    def _longest_step_of(self, method: str) -> float:
        """Return the longest step of a method. [s]"""
        return largest_step(self.system, settings_of(self.run.solver, method))

    @property
    def integrator(self) -> Integrator:
        """The integrator that the run uses now."""
        return self.stretches.integrator

    @property
    def stepping(self) -> Integrator | CoupledRun:
        """What advances the run: the integrator, or the master of coupled machines."""
        return self.coupled or self.integrator

    def _leave_method(self) -> None:
        """Continue with the other method, if the sections have left the present one."""
        instead = self.stretches.instead
        if instead is None or not self.stretches.left or self.integrator.method is METHODS[instead.method]:
            return
        integrator = self._integrator_of(instead.method)
        integrator.take_over(self.integrator)
        self.stretches.integrator = integrator

    def _restore(self, arrays: Mapping[str, Any]) -> None:
        """Continue from the data of a checkpoint, by the method that the run used at that instant."""
        instead = self.stretches.instead
        method = instead.method if instead is not None and Stretches.left_in(arrays) else self.run.solver.method
        if METHODS[method] is not self.integrator.method:
            self.stretches.integrator = self._integrator_of(method)
        self.stretches.restore(arrays)

    def open(self, resume: bool, overwrite: bool) -> None:
        """Open the results: either new ones, or those of the checkpoint."""
        save: SaveOptions = self.run.save
        rows = math.floor(self.latest / self.interval * (1.0 + 1e-12)) + 1
        rows_total = rows // save.oversample if self.mean else rows
        layout: dict[str, Any] = {
            "channels": select(self.system.channels, save.channels, save.precision),
            "labels": self.system.labels,
            "attributes": self.attributes,
            "rows_total": rows_total + 1,
            "chunk_rows": save.chunk_rows,
            "reduce": save.reduce,
            "oversample": save.oversample,
        }
        if not resume:
            self.kept = _Kept(self.stretches.checkpoint() | self._coupled_arrays(), 0, self.stretches.since)
            beginning = None if self.output is None else self._save_kept
            self.writer = ResultsWriter(self.output, overwrite=overwrite, before_publishing=beginning, **layout)
            return
        saved = checkpoint.load(self.output, self.identity)
        try:
            rows, time = int(saved.metadata["rows"]), float(saved.metadata["time"])
            reached = max(time, self._covered())
            _check_end(self.latest, reached, "until" if self.watch is None else "at_most")
            self.before = float(saved.metadata.get("wall_time", 0.0))
            self._restore(saved.arrays)
            if self.coupled is not None:
                self.coupled.restore(saved.arrays)
            held = {k[5:]: v for k, v in saved.arrays.items() if k.startswith("write")}
            self.writer = ResultsWriter.reopen(self.output, rows, state=held, **layout)
        except (LookupError, ValueError, TypeError, ArithmeticError) as error:  # made by something else
            reason = f"does not fit this run ({str(error)[:200]}); run without --resume to start again"
            raise InputError(Problem(str(checkpoint.name_for(self.output)), reason)) from None
        self.kept = self._keep()

    def _covered(self) -> float:
        """Return the last instant that the rows of the results file cover, including rows after the checkpoint; 0 if
        there are none or if they cannot be read, which is reported later. [s]
        """
        times = np.empty(0)
        with contextlib.suppress(InputError), open_solution(self.output) as earlier:
            times = earlier.time
        if times.size == 0:
            return 0.0
        # Of a single row the run may have ended before its interval did (ResultsWriter.finish).
        after = 0.5 * (self.run.save.oversample - 1) * self.interval if self.mean and times.size > 1 else 0.0
        return float(times[-1]) + after

    def go(
        self, progress: Callable[[Progress], None] | None, observe: Callable[[Observation], None] | None = None
    ) -> Solution:
        """Integrate until the run reaches its end, ends early or is interrupted, and return the results so far."""
        until, self.begun = self.latest, time.monotonic()
        last_saved, forecast = self.begun, _Forecast(until)
        budget = max(1, BUDGET // self.system.state.size)
        pack = self.stretches.pack if observe is not None else self.writer.pack
        self.stretches.pack = lambda rows, waiting: pack(self._of_the_drive(rows), waiting)
        status = Status.RUNNING
        try:
            while status == Status.RUNNING:
                status = self.stretches.judge(self._advance(self.stretches.budget(budget)))
                self._leave_method()
                if not self.stretches.within:
                    self._store(self.stretches.take(), observe)
                    self.kept = self._keep()
                now = time.monotonic()
                if self.output is not None and self.writer.rows and now - last_saved > CHECKPOINT_INTERVAL:
                    self._save_checkpoint()
                    last_saved = now
                if progress is not None:
                    reached, steps = self.integrator.time, self.integrator.statistics.steps
                    progress(Progress(reached, until, steps, now - self.begun, *forecast.of(now, reached, steps)))
        except KeyboardInterrupt:
            cost = self._cost()
            self._go_back()
            if self.writer.rows == 0:  # still compiling: nothing to keep, and an earlier file stays
                self._abandon()
                raise
            status = Status.INTERRUPTED
        except BaseException:
            with contextlib.suppress(ChaindriveError):  # a full disk, which has been reported
                self._store_held()
            self._abandon()
            raise
        else:
            cost = self._cost()
        try:
            return self._finish(status, cost | {"wall_time": self._wall_time()}, observe)
        except BaseException:  # a full disk, one more Ctrl-C: the rows are in the file
            self.writer.abandon()
            raise

    def _wall_time(self) -> float:
        """Return the wall-clock time of the run so far, with that of the parts before it was resumed. [s]"""
        return self.before + time.monotonic() - self.begun

    def _of_the_drive(self, rows: FloatArray) -> FloatArray:
        """Return the rows with the masses of the drive, which are scaled in a quasi-static run."""
        if self.run.quasi_static is not None:
            take_out_scale(rows, self.system.channels, self.run.quasi_static)
        return rows

    def _cost(self) -> dict[str, Any]:
        """Return the cost of the run so far, including steps that were computed after the last checkpoint before an
        interruption.
        """
        return asdict(self.integrator.statistics) | {"simulated_time": self.integrator.time}

    def _finish(
        self, status: Status, statistics: dict[str, Any], observe: Callable[[Observation], None] | None
    ) -> Solution:
        """Finish the results. The checkpoint of a failed run is removed once the results are complete."""
        goes_on = status == Status.INTERRUPTED or status == Status.REACHED_END
        if self.output is not None and goes_on:
            self._save_checkpoint()
        if status != Status.INTERRUPTED:
            self._store_end(status, observe)
        statistics |= self.stretches.statistics()
        notes = dict(self.system.story.notes) | {"end_time": statistics["simulated_time"]} | self.stretches.notes()
        shorter = statistics["mean_step"] / self.longest_step
        if cause := step_set_by(notes.pop("step_limits", {}), self.step_times_frequency, shorter):
            notes["step_set_by"] = cause
        notes |= self.integrator.notes()
        if self.watch is not None:
            notes |= self.watch.notes()
        warnings = (*self.system.story.warnings, *self.stretches.warnings())
        if self.coupled is not None:
            notes, warnings = notes | self.coupled.notes(), (*warnings, *self.coupled.warnings())
        if self.system.story.findings is not None:
            found, more = self.system.story.findings(self.integrator.state)
            notes, warnings = notes | found, (*warnings, *more)
        solution = self.writer.finish(status, statistics, warnings=warnings, notes=notes)
        if self.output is not None and not goes_on:
            checkpoint.remove(self.output)
        return solution

    def _store_end(self, status: Status, observe: Callable[[Observation], None] | None) -> None:
        """Store the end of the run as one more row if it lies between two rows, so that the results contain everything
        that happened up to it.

        The checkpoint does not count this row: a run that is continued drops it. Of a run that stores means, an
        incomplete block is stored only if the run failed (``ResultsWriter.finish``).
        """
        time, state = self.integrator.time, self.integrator.state
        between = time - self.integrator.last_row > LEAST_INTERVAL * self.interval
        if between and np.isfinite(state).all() and (status.failed or not self.mean):
            self._store([(np.array([time]), self._of_the_drive(self.system.row(time, state)[None]))], observe)

    def _abandon(self) -> None:
        """Close the results; a run without rows leaves no file."""
        self.writer.abandon()
        if self.output is not None and self.writer.rows == 0 and not os.path.exists(self.output):
            checkpoint.remove(self.output)

    def _go_back(self) -> None:
        """Return to the last instant at which the integrator and the rows are consistent, because Ctrl-C may come at
        any time.

        Later rows remain readable, and a resumed run computes them again.
        """
        try:
            self._store_held()
            if self.writer.rows:
                self._restore(self.kept.arrays)
                self.writer.restore({k[5:]: v for k, v in self.kept.arrays.items() if k.startswith("write")})
        except BaseException:  # a full disk, one more Ctrl-C
            self._abandon()
            raise

    def _store_held(self) -> None:
        """Store the rows of an unfinished section, unless some of them have already been stored."""
        if self.writer.rows == self.kept.rows:
            self._store(self.stretches.stop(), None)

    def _advance(self, budget: int) -> Status:
        """Integrate for a short time; REACHED_END only if the run is over."""
        watch, integrator = self.watch, self.integrator
        if watch is None:
            return self.stepping.advance(self.latest, budget)
        begun = time.monotonic()
        while time.monotonic() - begun < MOMENT:
            if self.stretches.over:
                return Status.RUNNING
            status = self.stepping.advance(watch.target, self.stretches.budget(budget))
            if status != Status.REACHED_END:
                return status
            if watch.reached(read(self.system, watch.cycle, integrator.time, integrator.state)):
                return status
        return Status.RUNNING

    def _store(
        self, batches: list[tuple[FloatArray, FloatArray]], observe: Callable[[Observation], None] | None
    ) -> None:
        for times, rows in batches:
            self.writer.append(times, rows)
            if observe is not None:
                observe(Observation(times, rows, self.system.channels, self.system.labels))

    def _keep(self) -> _Kept:
        """Return the data for a checkpoint at the end of the last section, with the number of rows stored by then."""
        waiting = {f"write{k}": v for k, v in self.writer.state().items()}
        arrays = self.stretches.checkpoint() | self._coupled_arrays() | waiting
        return _Kept(arrays, self.writer.rows, self.stretches.since)

    def _coupled_arrays(self) -> dict[str, Any]:
        """Return the state of coupled machines and of the master, for a checkpoint."""
        return {} if self.coupled is None else self.coupled.checkpoint()

    def _save_checkpoint(self) -> None:
        """Write the rows to disk, and then the data needed to resume after these rows."""
        self.writer.sync()
        self._save_kept()

    def _save_kept(self) -> None:
        kept = self.kept
        facts = {"rows": kept.rows, "time": kept.time, "wall_time": self._wall_time()}
        checkpoint.save(self.output, kept.arrays, facts, self.identity)


class _Forecast:
    """Forecast of the remaining wall-clock time of a run, based on its progress after the first batch, in which kernels
    are compiled.
    """

    def __init__(self, until: float) -> None:
        self._until = until
        self._first: tuple[float, float, int] | None = None

    def of(self, now: float, reached: float, steps: int) -> tuple[float, float]:
        """Return the time left [s of wall clock], infinite until it is known, and the steps per second, nan until then.

        now: wall-clock time [s]; reached: simulated time [s]; steps: number of steps so far.
        """
        if self._first is None:
            self._first = now, reached, steps
        begun, first, before = self._first
        if not (now > begun and reached > first):
            return 0.0 if reached >= self._until else math.inf, math.nan
        return (now - begun) * (self._until - reached) / (reached - first), (steps - before) / (now - begun)


class _Kept(NamedTuple):
    """Data at an instant from which the run can continue."""

    arrays: dict[str, Any]
    """Arrays of the sections (integrator, watch, balance) and of the writer; the names of the latter begin with
    write."""
    rows: int
    """Number of rows stored in the results by then."""
    time: float
    """Time. [s]"""


def _check_end(end: float, reached: float, place: str) -> None:
    """Raise InputError if a run is to continue to an end [s] that it has already passed."""
    if end < reached * (1.0 - 1e-12):
        message = (
            f"the run has already reached t = {reached:.9g} s; give a later end to continue it, or run it again "
            "without resume"
        )
        raise InputError(Problem(place, message, f"{end:.9g} s"))
