"""``chaindrive run --repeat``: repeats a run from perturbed starts, and keeps the repetitions with its results."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from chaindrive.cli.study_display import shown_as
from chaindrive.contract.status import Status
from chaindrive.errors import InputError, Problem
from chaindrive.numbers import clock

if TYPE_CHECKING:
    from chaindrive.results import Solution
    from chaindrive.results.repeats import Repeat
    from chaindrive.studies import RepeatProgress

__all__ = ["Earlier", "check_repeat", "repeated"]


def check_repeat(runs: int | None) -> None:
    """Raise InputError for an invalid number of runs, before anything is computed."""
    if runs is None:
        return
    from chaindrive.studies.repeating import MOST

    if not 2 <= runs <= MOST:
        message = f"must be from 2 (the run and one repetition) to {MOST}"
        raise InputError(Problem("--repeat", message, str(runs)))


class Earlier(NamedTuple):
    """The repetitions in a results file before its run is resumed, and data of the run that they repeat."""

    repeats: tuple[Repeat, ...]
    run: tuple[object, ...]

    @classmethod
    def of(cls, output: Path) -> Earlier | None:
        """Return the repetitions in a file; None if there are none."""
        from chaindrive.results import open as open_results

        try:
            with open_results(output) as solution:
                return cls(solution.repeats, _run(solution)) if solution.repeats else None
        except InputError:  # reported when the run is resumed
            return None

    def restore(self, solution: Solution, output: Path) -> None:
        """Give the repetitions to the resumed run if it was already complete; they do not apply to a new end time."""
        if _run(solution) == self.run:
            _stored(solution, output, self.repeats)


def _run(solution: Solution) -> tuple[object, ...]:
    return solution.drive_text, solution.versions, solution.notes.get("end_time"), solution.status.name


def repeated(
    solution: Solution, output: Path, runs: int, signals: AbstractContextManager[Any]
) -> KeyboardInterrupt | None:
    """Repeat a run that reached its end, with a forecast, and keep the extremes in its file. signals: the context in
    which Ctrl-C and SIGTERM are handled.

    Returns the interruption if only some of the repetitions exist because of it, otherwise None.
    """
    from chaindrive.studies import repeat

    if solution.status != Status.REACHED_END:
        return None
    before, interruption = solution.repeats, None
    try:
        with signals, shown_as("repeating the run") as show:

            def tell(progress: RepeatProgress) -> None:
                done = f"run {progress.done} of {progress.total}"
                show(done, f"{clock(progress.remaining)} left", progress.done, progress.total)

            repeat(solution, runs, progress=tell)
    except KeyboardInterrupt as stopped:
        interruption = stopped
    if solution.repeats != before:
        _stored(solution, output, solution.repeats)
    return interruption


def _stored(solution: Solution, output: Path, repeats: tuple[Repeat, ...]) -> None:
    """Store the repetitions in the solution and in its file."""
    from chaindrive.results.repeats import store_repeats

    solution.keep_repeats(repeats)
    store_repeats(output, repeats)
