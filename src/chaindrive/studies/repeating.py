"""Repetition of a run from starts that differ by a tiny amount, to find how much the extremes scatter."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from numbers import Integral
from typing import NamedTuple

from chaindrive.contract.status import Status
from chaindrive.errors import InputError, Problem
from chaindrive.model.problems import shown
from chaindrive.results import Solution
from chaindrive.results.repeats import Repeat
from chaindrive.studies.pools import open_pool, worker_count
from chaindrive.studies.worker import Outcome, Task, received

__all__ = ["RepeatProgress", "repeat"]

MOST = 1000
"""Largest number of runs."""
NEEDED = frozenset({
    "link_tension", "link_tension_max", "span_tension", "tooth_force_max", "contact_force", "contact_surface",
    "bearing_force", "bearing_force_max", "span_displacement", "wheel_angle", "wheel_speed", "wheel_torque",
    "power_input",
})  # fmt: skip
"""Channels from which the extremes, and the part of the run to which they belong, are determined."""


class RepeatProgress(NamedTuple):
    """Progress of repetitions."""

    done: int
    """Number of runs whose extremes are known, including the given run and earlier repetitions."""
    total: int
    remaining: float
    """Forecast of the remaining time, from the time that the runs so far have taken. [s of wall clock]"""
    latest: Repeat | None
    """The repetition that ended last; None before the first has ended."""


def repeat(
    solution: Solution,
    runs: int = 5,
    *,
    workers: int | None = None,
    progress: Callable[[RepeatProgress], None] | None = None,
) -> tuple[Repeat, ...]:
    """Repeat a run from perturbed starts and keep the extremes of the repetitions in its solution.

    runs: total number of runs, including the given one; repetitions that the solution already has are not computed
    again. Each repetition starts with speeds perturbed by 1e-9 (``simulation.disturbance``), and has the options of the
    run. workers: number of processes; None: one for each core; 1: no process other than this one. progress: called
    before the first and after every repetition. The verdict of the solution then states the lowest, median and highest
    value of every extreme.

    Ctrl-C raises KeyboardInterrupt; the repetitions that have ended are kept in the solution. Workers do not run the
    calling script. Raises InputError for a run that did not reach its end, that began at the end of another run, or
    whose own start was disturbed, and for wrong numbers of runs or workers; ComputationError if workers die.
    """
    _check(solution, runs)
    processes = worker_count(workers)
    known = {each.disturbance: each for each in solution.repeats}
    missing = [number for number in range(1, runs) if number not in known]
    if not missing:
        return solution.repeats
    first = float(solution.statistics.get("wall_time", math.nan))
    walls: list[float] = []
    tasks = iter([_task(solution, number) for number in missing])
    count = min(processes, len(missing))

    def tell(latest: Repeat | None) -> None:
        if progress is not None:
            left = len(missing) - len(walls)
            each = sum(walls) / len(walls) if walls else first
            progress(RepeatProgress(runs - left, runs, math.ceil(left / count) * each, latest))

    tell(None)
    for outcome in _outcomes(tasks, count):
        walls.append(outcome.wall)
        known[outcome.number] = Repeat(outcome.number, outcome.status, dict(outcome.extremes), outcome.remark)
        solution.keep_repeats(known.values())
        tell(known[outcome.number])
    return solution.repeats


def _outcomes(tasks: Iterator[Task], workers: int) -> Iterator[Outcome]:
    """Yield the outcomes of tasks as they finish, computed by this number of processes."""
    with open_pool(workers, None) as pool:
        running = 0
        for task in tasks:
            pool.submit(task)
            running += 1
            while running >= pool.slots:
                for outcome in pool.wait():
                    running -= 1
                    yield received(outcome)
        while running:
            for outcome in pool.wait():
                running -= 1
                yield received(outcome)


def _task(solution: Solution, number: int) -> Task:
    """Return the task of one repetition, with the channels that its extremes need."""
    channels = tuple(name for name in solution.channels if name.rpartition(".")[2] in NEEDED)
    task = Task(number, solution.drive_text, None, None, (), keep_end=False, channels=channels)
    return task._replace(disturbance=number, extremes=True)


def _check(solution: Solution, runs: int) -> None:
    """Raise InputError, with all problems at once, if the run cannot be repeated."""
    if not isinstance(solution, Solution):
        raise InputError(Problem("solution", "must be a Solution: open a results file with cd.open", shown(solution)))
    problems = []
    if isinstance(runs, bool) or not isinstance(runs, Integral) or not 2 <= runs <= MOST:
        problems.append(Problem("runs", f"must be a whole number from 2 (run and repetition) to {MOST}", repr(runs)))
    if solution.status != Status.REACHED_END:
        message = "the run did not reach its end; only a complete run can be repeated"
        problems.append(Problem("solution", message, solution.status.name))
    for note, words in (("continues", "it began at the end of another run"), ("disturbance", "its start is perturbed")):
        if note in solution.notes:
            problems.append(Problem("solution", f"cannot be repeated: {words}"))
    if problems:
        raise InputError(problems)
