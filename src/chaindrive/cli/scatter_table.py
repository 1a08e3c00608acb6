"""Shows the scatter of the extremes of a run as a table on the terminal, and the advice to repeat a run."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from chaindrive.cli import console
from chaindrive.numbers import quantity

if TYPE_CHECKING:
    from chaindrive.analyses.results.strength import Finding
    from chaindrive.results import Solution

__all__ = ["advise_repeating", "show_scatter", "warn_of_repeats"]

ADVISED = 5
"""Number of runs that the advice recommends."""


def show_scatter(solution: Solution, findings: Iterable[Finding]) -> None:
    """Print a table of the extremes of a chain with their scatter between windows and runs; print nothing if neither is
    known.

    findings: findings of its verdict.
    """
    found = [each for each in _scattered(findings) if each.key != "breaking_load"]
    if not found:
        return
    headings = ["this run", "windows", *(["runs: lowest", "median", "largest"] if solution.repeats else [])]
    table = console.table("largest", *(f">{each}" for each in headings), caption=_counts(found))
    for each in found:
        runs = [] if each.runs is None else [each.runs.low, each.runs.median, each.runs.high]
        windows = "-" if each.windows is None else each.windows.text(lambda value, of=each: _value(of, value))  # type: ignore[misc]
        table.add_row(
            console.printable(_name(each)), _value(each, each.value), windows, *(_value(each, x) for x in runs)
        )
    console.out().print(table)


def _scattered(findings: Iterable[Finding]) -> list[Finding]:
    """Return the extremes whose scatter is known."""
    return [each for each in findings if each.windows is not None or each.runs is not None]


def _name(finding: Finding) -> str:
    """Return the name of an extreme for a table that lists only the largest values."""
    return finding.name.removeprefix("largest ").partition(", relative")[0]


def _counts(found: list[Finding]) -> str:
    """Return a text with the numbers of windows and runs, to be shown below the table."""
    windows = next((each.windows.count for each in found if each.windows is not None), 0)
    runs = next((each.runs.count for each in found if each.runs is not None), 0)
    parts = [f"largest in each of {windows} equal windows of this part"] if windows else []
    parts += [f"in each of {runs} runs whose initial speeds differ by 1e-9"] if runs else []
    return ", and ".join(parts)


def _value(finding: Finding, value: float) -> str:
    """Return the value of an extreme with its unit, with three digits."""
    from chaindrive.analyses.results.tiles import percent

    return percent(value) if finding.unit == "" else quantity(value, finding.unit, 3)


def warn_of_repeats(solution: Solution) -> None:
    """Warn about events in the repetitions of a run that did not occur in the run itself."""
    from chaindrive.studies.run_warnings import warnings_of_repeats

    for text in warnings_of_repeats(solution):
        console.warn(text)


def advise_repeating(solution: Solution, findings: Iterable[Finding], whose: str = "") -> None:
    """Warn about an extreme that differs between windows by ``SCATTERED`` or more, in a run that was not repeated: by
    chance in an irregular motion, or because the run is still changing. A regular motion is no matter of chance, and a
    run that failed cannot be continued.

    findings: findings of the verdict on the chain; whose: text that names the chain of several.
    """
    from chaindrive.analyses.results.scatter import SCATTERED

    scattered = [] if solution.repeats or solution.status.failed else _scattered(findings)
    of = [(each.windows, each) for each in scattered if each.windows is not None and each.windows.share >= SCATTERED]
    reason = _reason(solution) if of else ""
    if not reason:
        return
    windows, worst = max(of, key=lambda each: each[0].share)
    shown = windows.text(lambda value: _value(worst, value))
    console.warn(f"{worst.name}{whose}: {shown} in {windows.count} equal windows, {reason}")


def _reason(solution: Solution) -> str:
    """Return why extremes differ between windows, with what to do; empty for a regular motion."""
    from chaindrive.analyses.results.steadiness import DRIFT, steadiness

    found = steadiness(solution)
    if found.drift > DRIFT:
        return "because the run is still changing; --resume with a later --until continues it"
    if found.steady and not found.irregular:
        return ""
    if math.isnan(found.drift):
        return "but it is not known whether the run is still changing; --resume with a later --until continues it"
    return (
        f"so its largest value is partly due to chance; --resume --repeat {ADVISED} repeats the run from starts that "
        "differ by rounding and shows how far it scatters"
    )
