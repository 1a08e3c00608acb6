"""The benchmark: speed of chaindrive compared with its targets and with general engines.

python benchmarks/speed.py [--quick] [--only PART ...] [--no-readme]

Without --quick and --only the results in benchmarks/README.md are rewritten. Run nothing else at the same time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import Script, Section

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before the parts import NumPy
BEGIN, END = "<!-- results: written by speed.py -->", "<!-- end of results -->"


def start(quick: bool) -> Section:
    """Cold and warm start, measured first, while this process is small and the machine idle."""
    from parts import startup

    return startup.run(quick)


def evaluation(quick: bool) -> Section:
    """One evaluation of the right-hand side."""
    from parts import evaluation as part

    return part.run(quick)


def runs(quick: bool) -> Section:
    """Ten simulated seconds."""
    from parts import runs as part

    return part.run(quick)


def scaling(quick: bool) -> Section:
    """Cost over the number of links; only the full benchmark draws the picture."""
    from parts import scaling as part

    return part.run(quick, picture=None if quick else part.PICTURE)


def sweep(quick: bool) -> Section:
    """A study of many runs, in one process and in several."""
    from parts import sweep as part

    return part.run(quick)


def peers(quick: bool) -> Section:
    """General engines on the same chain."""
    from parts import peers as part

    return part.run(quick)


PARTS: dict[str, Callable[[bool], Section]] = {
    "start": start,
    "evaluation": evaluation,
    "runs": runs,
    "scaling": scaling,
    "sweep": sweep,
    "peers": peers,
}


SCRIPT = Script(__doc__ or "", PARTS, BEGIN, END)

if __name__ == "__main__":
    sys.exit(SCRIPT.main())
