"""Runs cases in processes of low priority."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeVar

from _cases import Case

from chaindrive.contract.states import TOLERANCES, Kind
from chaindrive.model import SolverOptions

PROCESSES = 2
"""Default number of simultaneous runs."""
Kept = TypeVar("Kept")


def tolerances(part: float) -> dict[str, float]:
    """Absolute tolerances of the solver, multiplied by this factor."""
    names = [name for name in SolverOptions.model_fields if name.startswith("atol_")]
    return {name: part * TOLERANCES[Kind[name.removeprefix("atol_").upper()]] for name in names}


def simulate_all(
    cases: Iterable[Case], run: Callable[[Case], Kept], processes: int = PROCESSES, say: bool = True
) -> dict[str, Kept]:
    """Results of ``run`` for each case, by key; the longest cases are run first."""
    ordered = sorted(cases, key=lambda case: -(case.until * (3.0 if case.method == "dormand-prince" else 1.0)))
    for case in ordered:
        _ = case.model  # what is wrong with a description shall show before an hour of computing
    results: dict[str, Kept] = {}
    with ProcessPoolExecutor(processes, initializer=os.nice, initargs=(5,)) as pool:
        waiting = {pool.submit(run, case): case for case in ordered}
        for done in as_completed(waiting):
            case = waiting[done]
            results[case.key] = done.result()
            if say:
                print(f"{len(results):3d}/{len(ordered)}  {case.key}", file=sys.stderr)
    return results
