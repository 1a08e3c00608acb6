"""Simulates the two marine chain drives of Pedersen (2004) in about eighty runs and writes what decides their tension.

    python docs/validation/marine_drives.py [--processes 2]

makes ``marine-drives.md`` and ``pictures/*.png`` beside this file.
"""

from __future__ import annotations

import argparse
import time
from datetime import UTC, datetime
from pathlib import Path

import _page
import _pictures
from _cases import law_cases, main_cases, open_cases
from _quantities import run
from _simulate import PROCESSES, simulate_all


def main() -> None:
    """Run everything, draw, write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    processes = parser.parse_args().processes
    begun = time.monotonic()
    results = simulate_all(main_cases() + open_cases() + law_cases(), run, processes)
    _pictures.draw_all(results)
    page = _page.page(results, datetime.now(UTC).date().isoformat(), time.monotonic() - begun, processes)
    Path(__file__).with_name("marine-drives.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
