"""Possible gain from lanes: variants of one drive in the vector registers of a core, compared with runs one after
another.

python benchmarks/lanes.py [--quick] [--no-readme]

Without --quick the results of this script in benchmarks/README.md are rewritten. Run nothing else at the same time.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import Script, Section, own_kernels

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before the parts import NumPy
BEGIN, END = "<!-- results: written by lanes.py -->", "<!-- end of the results of lanes.py -->"


def loops(quick: bool) -> Section:
    """Links and tooth contacts, one chain after another and in lanes."""
    from parts import lanes

    return lanes.loops(quick)


def alike(quick: bool) -> Section:
    """Similarity of the contacts of variants over time."""
    from parts import lanes

    return lanes.alike(quick)


def bound(quick: bool) -> Section:
    """Largest possible gain of a run."""
    from parts import lanes

    return lanes.bound(quick)


SCRIPT = Script(__doc__ or "", {"loops": loops, "alike": alike, "bound": bound}, BEGIN, END)

if __name__ == "__main__":
    with own_kernels():
        sys.exit(SCRIPT.main())
