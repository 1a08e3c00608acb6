"""Compares rigid links with rollers, with closed-form solutions, and with the results of two papers on timing drives.

    python docs/validation/rigid_links.py [FOLDER] [--run-up 2] [--only PART] [--write]

Every run is kept in ``build/validation/rigid-links`` or in FOLDER: an interrupted call is resumed by the next one with
the same kernels. ``--run-up``: time in s that the engine takes from 800 to 6500 rpm. ``--only``: only the runs whose
names begin with PART. ``--write`` makes ``rigid-links.md`` and its pictures next to this file.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import _links_page
import _links_pictures
from _links_cases import (
    CONVEYOR,
    FOUR,
    MARINE,
    V6,
    Case,
    arrival_cases,
    convergence_cases,
    kept,
    resonance_case,
    run_up_case,
    slow_case,
    table_cases,
)
from _made import kept_folder


def cases(run_up: float) -> list[Case]:
    """All runs, the longest ones last."""
    found = [*convergence_cases(), *arrival_cases()]
    for name in (FOUR, CONVEYOR, V6, MARINE):
        found += table_cases(name)
    return [*found, slow_case(), resonance_case(), run_up_case(run_up)]


def main(words: Sequence[str] | None = None) -> None:
    """Make missing runs; write the page if requested."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="folder in which runs are kept")
    parser.add_argument("--run-up", type=float, default=2.0, help="duration of the run-up in s of engine time")
    parser.add_argument("--only", default="", help="only the runs whose names begin with this")
    parser.add_argument("--write", action="store_true", help="write the page and its pictures")
    asked = parser.parse_args(words)
    if asked.write and asked.only:
        parser.error("the page needs all runs: --write cannot be combined with --only")
    folder = kept_folder("rigid-links", asked.folder)
    found = {case.key: kept(folder, case) for case in cases(asked.run_up) if case.key.startswith(asked.only)}
    if asked.write:
        run_up = run_up_case(asked.run_up).key
        _links_pictures.draw_all(found, run_up)
        text = _links_page.page(found, run_up)
        Path(__file__).with_name("rigid-links.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
