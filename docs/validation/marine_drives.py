"""Simulates the two marine chain drives of Pedersen (2004) in about eighty runs, and writes a page about what
determines their tension.

    python docs/validation/marine_drives.py [FOLDER] [--processes 2]

makes ``marine-drives.md`` and ``pictures/*.png`` next to this file. The results of each run are kept in
``build/validation/marine-drives`` or in the folder; after an interruption the next call with the same kernels continues
there.
"""

from __future__ import annotations

import argparse
import functools
from pathlib import Path

import _page
import _pictures
from _cases import law_cases, main_cases, open_cases
from _made import kept_folder
from _quantities import kept
from _simulate import PROCESSES, simulate_all


def main(folder: Path, processes: int) -> None:
    """Run everything, draw the pictures and write the page."""
    results = simulate_all(main_cases() + open_cases() + law_cases(), functools.partial(kept, folder), processes)
    _pictures.draw_all(results)
    page = _page.page(results)
    Path(__file__).with_name("marine-drives.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="folder in which the results of each run are kept")
    parser.add_argument("--processes", type=int, default=PROCESSES)
    asked = parser.parse_args()
    main(kept_folder("marine-drives", asked.folder), asked.processes)
