"""Make the pictures of the README: python docs/pictures/make.py"""

from __future__ import annotations

from pathlib import Path

import chaindrive as cd
from chaindrive.plots import plot_overview

FOLDER = Path(__file__).parent


def overview(name: str, until: float) -> None:
    """Simulate an example and draw its overview into a picture of the same name."""
    solution = cd.simulate(cd.example(name), until=until)
    if solution.status.failed:
        raise SystemExit(f"{name}: {solution.status.meaning}")
    plot_overview(solution).savefig(FOLDER / f"{name}.png", dpi=110)


if __name__ == "__main__":
    overview("6l60mc", 3.0)
