"""Speed of links in space: compared with links in the plane, over the number of links, compared with a general engine.

python benchmarks/space.py [--quick] [--only PART ...] [--no-readme]

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
BEGIN, END = "<!-- results: written by space.py -->", "<!-- end of the results of space.py -->"


def evaluation(quick: bool) -> Section:
    """One evaluation and one step, compared with an evaluation of the same drive in the plane."""
    from parts import space

    return space.evaluation(quick)


def scaling(quick: bool) -> Section:
    """Cost over the number of links."""
    from parts import space

    return space.scaling(quick)


def bicycle(quick: bool) -> Section:
    """Five seconds of a bicycle, for two stiffnesses of its links."""
    from parts import space

    return space.bicycle(quick)


def peers(quick: bool) -> Section:
    """A general engine on the same ring of links."""
    from parts import space

    return space.peers(quick)


PARTS: dict[str, Callable[[bool], Section]] = {
    "evaluation": evaluation,
    "scaling": scaling,
    "bicycle": bicycle,
    "peers": peers,
}
SCRIPT = Script(__doc__ or "", PARTS, BEGIN, END)

if __name__ == "__main__":
    sys.exit(SCRIPT.main())
