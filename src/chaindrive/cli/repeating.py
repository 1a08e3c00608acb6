"""``chaindrive run --repeat``: a run again from disturbed starts, and how much its extremes scatter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chaindrive.cli import console
from chaindrive.cli.study_display import shown_as
from chaindrive.contract.status import Status
from chaindrive.errors import InputError, Problem
from chaindrive.numbers import clock, percent, quantity

if TYPE_CHECKING:
    from chaindrive.analyses.results.strength import Finding
    from chaindrive.results import Solution
    from chaindrive.results.repeats import Repeat
    from chaindrive.studies import RepeatProgress

__all__ = ["Earlier", "advise_repeating", "check_repeat", "repeated", "show_scatter"]

MOST = 1000
ADVISED = 5
"""Number of runs that the advice names."""


def check_repeat(runs: int | None) -> None:
    """Refuse an invalid number of runs before anything is computed."""
    if runs is not None and not 2 <= runs <= MOST:
        message = f"must be from 2 (the run and one repetition) to {MOST}"
        raise InputError(Problem("--repeat", message, str(runs)))


class Earlier(NamedTuple):
    """The repetitions in a results file before its run is resumed, and what they are repetitions of."""

    repeats: tuple[Repeat, ...]
    run: tuple[object, ...]

    @classmethod
    def of(cls, output: Path) -> Earlier | None:
        """Those of a file; None if there are none."""
        from chaindrive.results import open as open_results

        try:
            with open_results(output) as solution:
                return cls(solution.repeats, _run(solution)) if solution.repeats else None
        except InputError:  # told where the run is resumed
            return None

    def restore(self, solution: Solution, output: Path) -> None:
        """Give them to the resumed run, if it was complete: to its present end they were never computed."""
        if _run(solution) == self.run:
            _stored(solution, output, self.repeats)


def _run(solution: Solution) -> tuple[object, ...]:
    return solution.drive_text, solution.versions, solution.notes.get("end_time"), solution.status.name


def repeated(solution: Solution, output: Path, runs: int) -> KeyboardInterrupt | None:
    """Repeat a run that reached its end, with a forecast, and keep the extremes in its file.

    Returns the interruption after which only some of the repetitions are there, or None.
    """
    from chaindrive.cli.run import Signals
    from chaindrive.studies import repeat

    if solution.status != Status.REACHED_END:
        return None
    before, interruption = solution.repeats, None
    signals = Signals()
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
    """Keep repetitions in the solution and in its file."""
    from chaindrive.results.repeats import store_repeats

    solution.keep_repeats(repeats)
    store_repeats(output, repeats)


def show_scatter(solution: Solution, start: float | None = None, stop: float | None = None) -> None:
    """Print a table of the extremes of a run with their scatter between windows and runs; nothing without either."""
    found = [each for each in _scattered(solution, start, stop) if each.key != "breaking_load"]
    if not found:
        return
    headings = ["this run", "windows", *(["runs: lowest", "median", "largest"] if solution.repeats else [])]
    table = console.table("largest", *(f">{each}" for each in headings), caption=_counts(found))
    for each in found:
        runs = [] if each.runs is None else [each.runs.low, each.runs.median, each.runs.high]
        told = "-" if each.windows is None else each.windows.text(lambda value, of=each: _value(of, value))  # type: ignore[misc]
        table.add_row(console.printable(_name(each)), _value(each, each.value), told, *(_value(each, x) for x in runs))
    console.out().print(table)
    for repeat in solution.repeats:
        if repeat.failed:
            console.warn(f"repetition {repeat.disturbance}: {repeat.status}. {repeat.remark}")


def _scattered(solution: Solution, start: float | None = None, stop: float | None = None) -> list[Finding]:
    """Extremes whose scatter is known."""
    from chaindrive.analyses.results.verdict import verdict

    try:
        found = verdict(solution, start, stop).findings
    except InputError:
        return []
    return [each for each in found if each.windows is not None or each.runs is not None]


def _name(finding: Finding) -> str:
    """Name of an extreme in a table of the largest."""
    return finding.name.removeprefix("largest ").partition(", relative")[0]


def _counts(found: list[Finding]) -> str:
    """Numbers of windows and runs, below the table."""
    windows = next((each.windows.count for each in found if each.windows is not None), 0)
    runs = next((each.runs.count for each in found if each.runs is not None), 0)
    told = [f"largest in each of {windows} equal windows of this part"] if windows else []
    told += [f"in each of {runs} runs whose start speeds differ by 1e-9"] if runs else []
    return ", and ".join(told)


def _value(finding: Finding, value: float) -> str:
    return f"{percent(value)} %" if finding.unit == "" else quantity(value, finding.unit, 3)


def advise_repeating(solution: Solution) -> None:
    """Warn of an extreme that differs between windows by ``SCATTERED`` or more, in a run that was not repeated."""
    from chaindrive.analyses.results.scatter import SCATTERED

    told = [] if solution.repeats else [each for chain in solution.chains for each in _scattered(chain)]
    of = [(each.windows, each) for each in told if each.windows is not None and each.windows.share >= SCATTERED]
    if not of:
        return
    windows, worst = max(of, key=lambda each: each[0].share)
    shown = windows.text(lambda value: _value(worst, value))
    console.warn(
        f"{worst.name}: {shown} in {windows.count} equal windows, so that its largest is partly chance; "
        f"--resume --repeat {ADVISED} repeats the run from starts that differ by rounding and tells how far"
    )
