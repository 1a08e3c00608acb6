"""The Python interface of the integrators: one object for one run.

run = Integrator(system, SolverSettings(), save_interval=1e-3, chunk_rows=500)
while (status := run.advance(until=2.0)) == Status.RUNNING:
    times, rows = run.take_rows()
"""

from __future__ import annotations

import functools
import math
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.kernels import Kernels
from chaindrive.contract.states import FloatArray, Kind
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.kernels.tables import arrays_in, blank
from chaindrive.solvers import (
    adams,
    dormand_prince,
    dormand_prince_853,
    generalized_alpha,
    leapfrog,
    library_steps,
    modular,
    moreau_jean,
    nonsmooth_alpha,
    splitting,
    verlet,
    verlet_beeman,
)
from chaindrive.solvers import control as ctl
from chaindrive.solvers.control import Advance, Control, Method

__all__ = ["METHODS", "ImplicitStatistics", "Integrator", "SolverSettings", "Statistics"]

METHODS: dict[str, Method] = {
    "adams": adams.METHOD,
    "bdf": library_steps.METHOD,
    "dormand-prince": dormand_prince.METHOD,
    "dormand-prince-853": dormand_prince_853.METHOD,
    "generalized-alpha": generalized_alpha.METHOD,
    "ida": library_steps.METHOD,
    "leapfrog": leapfrog.METHOD,
    "modular": modular.METHOD,
    "moreau-jean": moreau_jean.METHOD,
    "nonsmooth-alpha": nonsmooth_alpha.METHOD,
    "splitting": splitting.METHOD,
    "verlet": verlet.METHOD,
    "verlet-beeman": verlet_beeman.METHOD,
}
"""All integrators by name. A new integrator takes one new file and one line here."""

BUDGET_STEPS = 20_000
"""Number of steps after which ``advance`` returns, so that a run can show its progress and can be interrupted."""

_MEMORY = "memory_"
_TOLERANCES = {
    "atol_length": Kind.LENGTH,
    "atol_angle": Kind.ANGLE,
    "atol_speed": Kind.SPEED,
    "atol_angular_speed": Kind.ANGULAR_SPEED,
    "atol_pressure": Kind.PRESSURE,
}
_CONTROL_FIELDS = ("state", "derivative", "before", "stages", "times", "counts", "account")
OF_STEPS = {
    "next_step",
    "largest_step",
    "shortest_step",
    "error_before",
    "relative_tolerance",
    "work_tolerance",
    "least_work",
    "segment_start",
    "segment_end",
    "segment_steps",
    "segment_step",
    "weighed",
    "was_rejected",
    "dense",
}
"""Names in ``Times`` and ``Counts`` that concern the length of steps."""
MOST_CUTS = 12
"""Largest number of times that an automatically chosen step may be halved."""


NEGLIGIBLE_DISTANCE = 1e-7
"""Work smaller than that of the largest static force over this distance is negligible and is not used to scale errors.
[m]"""


class SolverSettings(NamedTuple):
    """Settings of the integration."""

    method: str = "dormand-prince"
    """A name in METHODS."""
    rtol: float = 0.0
    """Relative tolerance [-]; 0 by default, because it is of little use for positions of the order of a metre."""
    atol_length: float | None = None
    """[m]. For this and the following tolerances, None means the tolerance of the system."""
    atol_angle: float | None = None
    """[rad]"""
    atol_speed: float | None = None
    """[m/s]"""
    atol_angular_speed: float | None = None
    """[rad/s]"""
    atol_pressure: float | None = None
    """[Pa]"""
    step: float | None = None
    """With fixed steps: upper limit of the step. With adaptive steps: the first and longest step. None: see ``Method``.
    [s]"""
    max_steps: int = 10**9
    """Number of accepted and rejected steps after which the run ends."""
    rtol_work: float = 1e-3
    """With adaptive steps: permitted error of every work, relative to the work done; infinite if works do not control
    the step. [-]"""
    linear_solver: str = "structured"
    """For bdf and ida: a name in ``sundials.LINEAR_SOLVERS``."""
    macro_step: float | None = None
    """For modular: length of a macro step; None: chosen from the step of the chain. [s]"""
    scheme: str = "corrected"
    """For modular: one of ``modular.SCHEMES``."""
    extrapolation: str = "linear"
    """For modular: a name in ``modular.EXTRAPOLATIONS``."""


@dataclass(frozen=True)
class Statistics:
    """Cost of a run so far."""

    steps: int
    """Number of accepted steps."""
    rejected: int
    evaluations: int
    """Number of evaluations of the right-hand side by the method; evaluations for rows (``record``) are not counted."""
    changed: int
    """Number of accepted steps after which the memory changed and the derivative was evaluated again (these evaluations
    are included in ``evaluations``).
    """
    smallest_step: float
    """[s]; 0 before the first step"""
    largest_step: float
    """[s]"""
    mean_step: float
    """[s]"""


@dataclass(frozen=True)
class ImplicitStatistics(Statistics):
    """Cost of a run with an implicit method so far."""

    jacobians: int
    """Number of Jacobians evaluated."""
    evaluations_for_jacobians: int
    """Number of evaluations of the right-hand side for Jacobians; included in ``evaluations``."""
    failed_error_tests: int
    failed_correctors: int
    """Number of steps whose corrector did not converge. For SUNDIALS they are distinguished from failed error tests by
    the next step, which is a quarter of the failed one; IDA also takes a quarter after the second failed error test of
    a step."""


class Cuts(NamedTuple):
    """Record of how a fixed step was shortened during a run because the system required shorter steps."""

    number: int
    first: float
    """Time at which the step was first shortened; infinite if it was not shortened. [s]"""
    last: float
    """[s]"""
    largest_asked: float
    """Largest product of step and frequency in the run; a step is unstable beyond 2. [-]"""
    highest_asked: float
    """Highest frequency since the last call of ``begin_section``; 0 if none was determined. [rad/s]"""


@functools.cache
def bound(method: str, kernels: Kernels) -> Advance:
    """Return the compiled loop of a method around the kernels of a formulation; it is made once per process."""
    return METHODS[method].bind(kernels)


class Integrator:
    """One run of a system that begins at ``t_start``.

    The state is copied; the memory arrays inside ``system.parameters`` are changed in place, so a system can be used by
    only one run at a time. Row k is recorded at t_start + k save_interval, with row 0 before the first step. A run with
    the same ``until`` gives the same results, bit for bit, even if it is interrupted by ``budget_steps``, a full
    buffer, or ``snapshot`` and ``restore``. A different ``until`` changes the time at which a step must end.

    Raises InputError with all problems of the settings.
    """

    def __init__(
        self,
        system: System,
        settings: SolverSettings,
        save_interval: float,
        chunk_rows: int = 500,
        t_start: float = 0.0,
    ) -> None:
        check(system, settings, save_interval, chunk_rows)
        self._settings = settings
        self._system = system = METHODS[settings.method].limiting(system)
        self._advance = bound(settings.method, system.kernels)
        self._aside = system.aside
        self._control = new_control(system, settings, save_interval, chunk_rows, t_start)
        self._kept = self._arrays()
        """Arrays of the control and of the contact memory that a snapshot contains, by name; they are changed in
        place."""

    def compile(self) -> None:
        """Load or compile the loop and everything that it calls, without taking a step."""
        self._advance.compile_for(self._control, self._system.parameters, self._aside)  # type: ignore[attr-defined]

    @property
    def method(self) -> Method:
        """The method of the run."""
        return METHODS[self._settings.method]

    @property
    def time(self) -> float:
        """Time reached by the run. [s]"""
        return float(self._control.times.time[0])

    @property
    def state(self) -> FloatArray:
        """A copy of the state at ``time``, shape (n,)."""
        return self._control.state.copy()

    @property
    def settled(self) -> bool:
        """Whether the last step has been accepted; if not, a row within this step is still due."""
        return int(self._control.counts.taken[0]) == 0

    @property
    def rows_waiting(self) -> int:
        """Number of rows that ``take_rows`` would return."""
        return int(self._control.counts.filled[0])

    @property
    def last_row(self) -> float:
        """Time of the last row that was recorded; -inf before the first row. [s]"""
        times, next_row = self._control.times, int(self._control.counts.next_row[0])
        return ctl.instant_of_row(next_row - 1, times.start[0], times.interval[0]) if next_row else -math.inf

    @property
    def statistics(self) -> Statistics:
        """Steps, evaluations and step sizes since ``t_start``; for an implicit method also Jacobians and failures."""
        counts, times = self._control.counts, self._control.times
        steps = int(counts.steps[0])
        explicit = Statistics(
            steps=steps,
            rejected=int(counts.rejected[0]),
            evaluations=int(counts.evaluations[0]),
            changed=int(counts.changed[0]),
            smallest_step=float(times.smallest_taken[0]) if steps else 0.0,
            largest_step=float(times.largest_taken[0]),
            mean_step=float(times.time[0] - times.start[0]) / steps if steps else 0.0,
        )
        counted = self.method.counted
        if counted is None:
            return explicit
        jacobians, evaluations, failed = counted(self._control.own)
        return ImplicitStatistics(
            **asdict(explicit),
            jacobians=jacobians,
            evaluations_for_jacobians=evaluations,
            failed_error_tests=explicit.rejected - failed,
            failed_correctors=failed,
        )

    @property
    def step(self) -> float:
        """The longest step allowed at present; for a method with a fixed step, this step. [s]"""
        return float(self._control.times.largest_step[0])

    @property
    def cuts(self) -> Cuts:
        """Record of how a fixed step was shortened because the system required it."""
        times = self._control.times
        found = times.first_cut, times.last_cut, times.largest_asked, times.highest_asked
        return Cuts(int(self._control.counts.cuts[0]), *(float(value[0]) for value in found))

    @property
    def work_errors(self) -> FloatArray:
        """Estimated error of every work since ``t_start``, in the order of the states, (n_works,). [J]

        It is the sum of the magnitudes of the errors of all steps, and zero for a method without an error estimate.
        """
        return self._control.account.error.copy()

    def notes(self) -> dict[str, Any]:
        """Facts about the method for the results, by name; for an implicit method, how its Jacobians are obtained."""
        if not isinstance(self.statistics, ImplicitStatistics):
            return {}
        return {"jacobians_by": "differences" if self._system.kernels.tangent is None else "formulas"}

    def shorten(self, factor: float = 0.5) -> None:
        """Multiply the length of all subsequent steps by a factor below 1."""
        self._control.times.largest_step[0] *= factor
        self._control.times.shortest_step[0] *= factor
        self._divide_anew()

    def lengthen(self, step: float) -> None:
        """Make all subsequent steps longer, up to a length [s]."""
        self._control.times.largest_step[0] = step
        self._divide_anew()

    def begin_section(self) -> None:
        """Forget the highest frequency found so far (``Cuts.highest_asked``)."""
        self._control.times.highest_asked[0] = 0.0

    def _divide_anew(self) -> None:
        """Let the next step divide the remaining time to the next stop into steps of the new length."""
        self._control.counts.segment_step[0] = self._control.counts.segment_steps[0]

    def take_over(self, before: Integrator) -> None:
        """Continue where another integrator of the same system has arrived, whose rows have been taken.

        Time, state, counts and the instants of rows are taken over; everything that concerns the length of steps is
        that of this integrator, which begins with a step as long as the last one. The memory of contacts belongs to the
        system and is not changed.
        """
        mine, other = self._control, before._control
        mine.state[...] = mine.before[...] = mine.trial[...] = other.state
        for name in set(ctl.Times._fields) - OF_STEPS:
            getattr(mine.times, name)[...] = getattr(other.times, name)
        for name in set(ctl.Counts._fields) - OF_STEPS:
            getattr(mine.counts, name)[...] = getattr(other.counts, name)
        mine.times.next_step[0] = other.times.last_step[0]
        mine.counts.started[0] = mine.counts.loads_changed[0] = 1  # the derivative is evaluated again

    def change_loads(self) -> None:
        """Report that loads or other parameters have been changed in place, at the instant at which ``advance``
        returned.
        """
        self._control.counts.loads_changed[0] = 1

    def record_at(self, time: float) -> None:
        """Set the time of the next row [s], which must not be before the present time; rows that have not been taken
        are dropped.

        ``times.start`` is unchanged, because steps are compared with the time since then.
        """
        times, counts = self._control.times, self._control.counts
        later = time > times.start[0]
        times.interval[0] = time - times.start[0] if later else math.inf
        counts.next_row[0], counts.filled[0] = int(later), 0

    def advance(self, until: float, budget_steps: int = BUDGET_STEPS) -> Status:
        """Integrate to ``until`` [s], where a step ends exactly.

        Returns Status.RUNNING when the buffer is full and a row is due (call ``take_rows``), or after ``budget_steps``
        steps; REACHED_END at ``until``; otherwise the reason why the run ended. After an ending found by ``accept``
        every further call returns that status again.
        """
        if not math.isfinite(until):
            raise InputError(Problem("until", "The end of a run must be a finite number of seconds.", repr(until)))
        self._control.times.end[0] = until
        self._control.counts.budget[0] = budget_steps
        code = int(self._advance(self._control, self._system.parameters, self._aside))
        status = self._system.status(code, self.time, self._control.state)
        return self._with_fault(status) if status == Status.STEP_TOO_SMALL else status

    def _with_fault(self, status: Status) -> Status:
        """Return the status and, if an equation could not be solved, its position."""
        at = self._fault()
        return (
            replace(status, where=f"{self._system.story.name_of(at)}, whose equation is singular")
            if at >= 0
            else status
        )

    def _fault(self) -> int:
        """Return the position whose equation could not be solved, or -1."""
        fault = self.method.fault
        return -1 if fault is None else fault(self._control.own)

    def take_rows(self, copied: bool = True) -> tuple[FloatArray, FloatArray]:
        """Return the rows recorded since the last call: times (k,) [s], rows (k, row_size).

        copied: if False, views of the buffer are returned, which the next rows overwrite.
        """
        filled = self.rows_waiting
        self._control.counts.filled[0] = 0
        rows = self._control.rows[:filled]
        return self._control.row_times[:filled].copy(), rows.copy() if copied else rows

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """Return what a snapshot contains: columns of tables have names such as "times.time", and names of the memory
        begin with "memory_".
        """
        control = self._control
        kept = {name: getattr(control, name) for name in _CONTROL_FIELDS} | {"own": self.method.kept(control.own)}
        found = dict(part for name, values in kept.items() for part in arrays_in(values, name))
        return found | {_MEMORY + name: array for name, array in self._system.memory_arrays().items()}

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Return copies of everything needed to continue, by name: state, control, rows that have not been taken,
        contact memory.
        """
        control, filled = self._control, self.rows_waiting
        saved = {name: array.copy() for name, array in self._kept.items()}
        saved["rows"] = control.rows[:filled].copy()
        saved["row_times"] = control.row_times[:filled].copy()
        return saved

    def restore(self, snapshot: dict[str, NDArray[Any]]) -> None:
        """Continue from a snapshot of a run of the same system with the same method.

        Raises InputError, and changes nothing, if the snapshot does not fit this run.
        """
        control = self._control
        problems = [
            Problem("checkpoint", f"It does not match this drive or solver: '{name}' should have shape {target.shape}.")
            for name, target in self._kept.items()
            if name not in snapshot or snapshot[name].shape != target.shape
        ]
        filled = len(snapshot.get("row_times", ()))
        if filled > control.row_times.size:
            problems.append(Problem("checkpoint", f"It holds {filled} rows, more than the buffer.", str(filled)))
        elif filled and ("rows" not in snapshot or snapshot["rows"].shape != (filled, control.rows.shape[1])):
            problems.append(Problem("checkpoint", "Its rows do not have the channels of this run."))
        if problems:
            raise InputError(problems)
        for name, target in self._kept.items():
            target[...] = snapshot[name]
        if filled:
            control.rows[:filled] = snapshot["rows"]
            control.row_times[:filled] = snapshot["row_times"]


def check(system: System, settings: SolverSettings, save_interval: float, chunk_rows: int) -> None:
    """Raise InputError with everything that is wrong with the settings of a run."""
    problems = []
    method = METHODS.get(settings.method)
    if method is None:
        problems.append(Problem("run.solver.method", f"Known methods: {', '.join(METHODS)}.", settings.method))
    if not 0.0 <= settings.rtol < 1.0:
        problems.append(
            Problem("run.solver.rtol", "A relative tolerance must be at least 0 and below 1.", repr(settings.rtol))
        )
    if not settings.rtol_work > 0.0:
        problems.append(
            Problem("run.solver.rtol_work", "The tolerance of works must be above 0.", repr(settings.rtol_work))
        )
    for name in _TOLERANCES:
        value = getattr(settings, name)
        if value is not None and not value > 0.0:
            problems.append(Problem(f"run.solver.{name}", "An absolute tolerance must be above 0.", repr(value)))
    if method is not None and (text := _unsuitable(system, method)):
        problems.append(Problem("run.solver.method", text, settings.method))
    if settings.step is not None and not 0.0 < settings.step < math.inf:
        problems.append(
            Problem("run.solver.step", "A step must be finite and above 0, in seconds.", repr(settings.step))
        )
    if settings.macro_step is not None and not 0.0 < settings.macro_step < math.inf:
        message = "A macro step must be finite and above 0, in seconds."
        problems.append(Problem("run.solver.macro_step", message, repr(settings.macro_step)))
    for name, known in (("scheme", modular.SCHEMES), ("extrapolation", tuple(modular.EXTRAPOLATIONS))):
        if getattr(settings, name) not in known:
            message = f"It must be one of {', '.join(known)}."
            problems.append(Problem(f"run.solver.{name}", message, repr(getattr(settings, name))))
    if settings.max_steps < 1:
        problems.append(Problem("run.solver.max_steps", "At least one step must be allowed.", repr(settings.max_steps)))
    if not save_interval > 0.0:
        problems.append(Problem("run.save.rate", "The time between rows must be more than 0 s.", repr(save_interval)))
    if chunk_rows < 1:
        problems.append(Problem("run.save.chunk_rows", "The buffer must hold at least one row.", repr(chunk_rows)))
    limited = settings.step is not None or system.motion.highest_frequency > 0.0
    if method is not None and method.fixed_step and not limited:
        problems.append(
            Problem("run.solver.step", f"'{settings.method}' needs a step here: the system has no highest frequency.")
        )
    if problems:
        raise InputError(problems)


def _unsuitable(system: System, method: Method) -> str:
    """Return the reason why the method cannot be used for the system; empty if it can be used."""
    if system.kernels.pointwise is not None and method is not leapfrog.METHOD:
        return "Friction that is solved at every contact separately needs 'leapfrog' or 'auto'."
    if system.rigid is not None and method not in (moreau_jean.METHOD, nonsmooth_alpha.METHOD):
        return "Rigid contacts need 'moreau-jean', 'nonsmooth-alpha' or 'auto'."
    return "" if method.hindrance is None else method.hindrance(system)


def tolerances(system: System, settings: SolverSettings) -> FloatArray:
    """Return the absolute tolerance of every state, shape (n,); it is infinite for works, which have a relative
    tolerance.
    """
    of_kind = np.full(len(Kind), math.inf)
    of_kind[Kind.MACHINE] = system.motion.tolerances[Kind.MACHINE]
    for name, kind in _TOLERANCES.items():
        given = getattr(settings, name)
        of_kind[kind] = system.motion.tolerances[kind] if given is None else given
    return of_kind[system.kinds]


def new_control(
    system: System, settings: SolverSettings, save_interval: float, chunk_rows: int, t_start: float
) -> Control:
    """Return the arrays of a run that has not yet begun."""
    method = METHODS[settings.method]
    size = system.state.size
    tolerance = tolerances(system, settings)
    works = np.flatnonzero(system.kinds == Kind.WORK)
    times, counts = blank(ctl.Times, 1), blank(ctl.Counts, 1)
    times.time[0] = times.time_before[0] = times.start[0] = times.end[0] = t_start
    times.segment_start[0] = times.segment_end[0] = t_start
    times.largest_step[0] = largest_step(system, settings)
    times.interval[0] = save_interval
    times.error_before[0] = 1.0
    times.relative_tolerance[0] = settings.rtol
    times.next_step[0] = settings.step or 0.0
    times.smallest_taken[0] = math.inf
    # A step set by the user is not changed.
    times.shortest_step[0] = times.largest_step[0] * (0.5**MOST_CUTS if settings.step is None else 1.0)
    times.first_cut[0] = math.inf
    times.work_tolerance[0] = settings.rtol_work
    times.least_work[0] = system.force_scale * NEGLIGIBLE_DISTANCE
    counts.positions[0] = system.positions
    counts.velocities[0] = system.velocities
    counts.max_steps[0] = settings.max_steps
    counts.weighed[0] = max(int(np.isfinite(tolerance).sum()), 1)
    control = Control(
        state=np.array(system.state, dtype=np.float64),
        derivative=np.zeros(size),
        before=np.array(system.state, dtype=np.float64),
        trial=np.array(system.state, dtype=np.float64),
        stages=np.zeros((method.stages, size)),
        inside=np.zeros(size),
        times=times,
        counts=counts,
        tolerance=tolerance,
        weights=1.0 / tolerance,
        stops=np.unique(np.asarray(system.motion.stops, dtype=np.float64)),
        rows=np.zeros((chunk_rows, system.row_size)),
        row_times=np.zeros(chunk_rows),
        works=works,
        account=blank(ctl.Accounts, works.size),
        own=method.own(system, tolerance),
    )
    if method is modular.METHOD:
        frequency = system.motion.coupling_frequency
        modular.set_up(control, settings.macro_step, settings.scheme, settings.extrapolation, frequency)
    return control


def largest_step(system: System, settings: SolverSettings) -> float:
    """Return the longest step allowed; infinite if the system has no highest frequency. [s]"""
    if settings.step is not None:
        return settings.step
    method = METHODS[settings.method]
    motion = method.limiting(system).motion
    if not motion.highest_frequency > 0.0:
        return math.inf
    if method.longest_step is not None:
        return method.longest_step(motion)
    return method.step_times_frequency / motion.highest_frequency
