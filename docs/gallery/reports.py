"""Make the live reports of the gallery: python docs/gallery/reports.py, before the site is built

Short runs of a few examples are reported into docs/gallery/reports/, which is not part of the repository; a site
built afterwards shows them in its gallery. The script ends with an error if a run fails.
"""

from __future__ import annotations

import sys
from pathlib import Path

import chaindrive as cd
from chaindrive.report import write_report

FOLDER = Path(__file__).parent / "reports"
RUNS = {"timing-06b": 0.06, "6s90mc-c": 1.0, "bicycle-50x19": 0.1}
"""Examples, and their simulated times. [s]"""
FRAMES = 400
"""Largest number of frames of the animation: enough for a first look."""


def main(chosen: list[str]) -> None:
    """Make the chosen reports, or all."""
    FOLDER.mkdir(exist_ok=True)
    for name in chosen or RUNS:
        solution = cd.simulate(name, until=RUNS[name], progress=False)
        if solution.status.failed:
            raise SystemExit(f"{name}: {solution.status.meaning}")
        path = FOLDER / f"{name}.html"
        write_report(solution, path, frames=FRAMES, overwrite=True)
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
