"""Speed of rigid links: compared with rollers, over a revolution of a timing chain, over the links, from a cold start.

python benchmarks/links.py [--quick] [--only PART ...] [--no-readme]

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
BEGIN, END = "<!-- results: written by links.py -->", "<!-- end of the results of links.py -->"


def start(quick: bool) -> Section:
    """Cold start with nothing compiled, measured first, while this process is small."""
    from parts import links

    return links.start(quick)


def evaluation(quick: bool) -> Section:
    """One evaluation of the right-hand side, compared with an evaluation of rollers."""
    from parts import links

    return links.evaluation(quick)


def revolution(quick: bool) -> Section:
    """One loop of the chain of the car engine."""
    from parts import links

    return links.revolution(quick)


def scaling(quick: bool) -> Section:
    """Cost over the number of links."""
    from parts import links

    return links.scaling(quick)


PARTS: dict[str, Callable[[bool], Section]] = {
    "start": start,
    "evaluation": evaluation,
    "revolution": revolution,
    "scaling": scaling,
}


SCRIPT = Script(__doc__ or "", PARTS, BEGIN, END)

if __name__ == "__main__":
    sys.exit(SCRIPT.main())
