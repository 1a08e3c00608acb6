"""Cost of precision with every method: trajectories over a short time, statistics over a longer time.

python benchmarks/precision.py [--quick] [--only PART ...] [--no-readme]

Without --quick and --only the results of this script in benchmarks/README.md are rewritten. Run nothing else at the
same time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import Script, Section

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before the parts import NumPy
BEGIN, END = "<!-- results: written by precision.py -->", "<!-- end of the results of precision.py -->"


def trajectories(quick: bool) -> Section:
    """Errors of positions over a time in which trajectories are comparable, and the cost of each method."""
    from parts import precision

    return precision.trajectories(quick, picture=None if quick else precision.PICTURE)


def statistics(quick: bool) -> Section:
    """Means, peaks, losses and energy balance with default settings."""
    from parts import precision

    return precision.statistics(quick)


PARTS: dict[str, Callable[[bool], Section]] = {"trajectories": trajectories, "statistics": statistics}
SCRIPT = Script(__doc__ or "", PARTS, BEGIN, END)

if __name__ == "__main__":
    sys.exit(SCRIPT.main())
