"""Simulates the two marine chain drives of Pedersen (2004) in about a hundred runs and writes the validation page.

    python docs/validation/marine_drives.py

makes ``marine-drives.md`` and ``pictures/*.png`` beside this file.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import UTC, datetime
from pathlib import Path

import _page
import _pictures
from _cases import Case, law_cases, main_cases, open_cases
from _quantities import Outcome, run

PROCESSES = 2


def simulate_all(cases: Iterable[Case], processes: int = PROCESSES, say: bool = True) -> dict[str, Outcome]:
    """Outcomes of the cases by key, computed in processes of low priority."""
    ordered = sorted(cases, key=lambda case: -(case.until * (3.0 if case.method == "dormand-prince" else 1.0)))
    for case in ordered:
        _ = case.model  # what is wrong with a description shall show before an hour of computing
    results: dict[str, Outcome] = {}
    with ProcessPoolExecutor(processes, initializer=os.nice, initargs=(5,)) as pool:
        for done in as_completed([pool.submit(run, case) for case in ordered]):
            outcome = done.result()
            results[outcome.case.key] = outcome
            if say:
                count = f"{len(results):3d}/{len(ordered)}"
                print(f"{count}  {outcome.case.key}: {outcome.status}, {outcome.seconds:.1f} s", file=sys.stderr)
    return results


def main() -> None:
    """Run everything, draw, write the page."""
    begun = time.monotonic()
    results = simulate_all(main_cases() + open_cases() + law_cases())
    _pictures.draw_all(results)
    page = _page.page(results, datetime.now(UTC).date().isoformat(), time.monotonic() - begun)
    Path(__file__).with_name("marine-drives.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
