"""A table of several runs: verdicts and the values behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from chaindrive.analyses.results.verdict import verdict
from chaindrive.errors import InputError, Problem
from chaindrive.model.problems import shown
from chaindrive.results.solution import Solution

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["table"]

FEWEST = 2
"""Number of stored instants that a verdict needs."""


def table(runs: Sequence[Solution] | Mapping[str, Solution]) -> DataFrame:
    """Return a table with the verdicts and key values of several runs: one row for each chain of each run.

    runs: results, or results by name; without names, the names of the drives are used, numbered where they are equal.

    Columns: ``status``; ``verdict``, the worst of all judgements; ``beyond`` and ``near``, the quantities beyond or
    near their limits; ``start [s]`` and ``stop [s]`` of the part to which the values apply; and the values, each with
    its unit: ``tension_steady [N]``, ``contact_force [N]``, ``efficiency`` ... (``Finding.key``). A value that a run
    does not have is nan; a run of which fewer than 2 instants were stored, because it ended at once, has only a status,
    and "none" as its verdict.

    Raises InputError if anything but results is given.
    """
    from pandas import DataFrame

    named = dict(runs) if isinstance(runs, Mapping) else _by_name(runs)
    wrong = [(name, given) for name, given in named.items() if not isinstance(given, Solution)]
    if wrong or not named:
        problems = [Problem(f"runs[{name!r}]", "must be a Solution", shown(given)) for name, given in wrong]
        raise InputError(problems or [Problem("runs", "at least one result is needed")])
    rows = {}
    for name, run in named.items():
        for chain, own in zip(run.chains, [name, *(f"{name}: {stage}" for stage in run.stages)], strict=True):
            rows[own] = _row(chain)
    return DataFrame.from_dict(rows, orient="index").rename_axis("run")


def _by_name(runs: Any) -> dict[str, Any]:
    given = [runs] if isinstance(runs, Solution) or not isinstance(runs, Sequence) else list(runs)
    names = [getattr(run, "name", "") or "unnamed drive" for run in given]
    alike = [f"{name} ({names[: place + 1].count(name)})" for place, name in enumerate(names)]
    return {
        name if names.count(name) == 1 else numbered: run
        for name, numbered, run in zip(names, alike, given, strict=True)
    }


def _row(chain: Solution) -> dict[str, Any]:
    if len(chain.time) < FEWEST:
        return {"status": chain.status.name, "verdict": "none"}
    found = verdict(chain)
    titles = {
        word: ", ".join(tile.title for tile in found.tiles if tile.sign.name == word.upper())
        for word in ("beyond", "near")
    }
    row: dict[str, Any] = {"status": chain.status.name, "verdict": str(found.sign), **titles}
    row |= {"start [s]": found.start, "stop [s]": found.stop}
    return row | {
        f"{finding.key} [{finding.unit}]" if finding.unit else finding.key: finding.value for finding in found.findings
    }
