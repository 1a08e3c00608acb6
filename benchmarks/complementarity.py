"""Speed of solving complementarity problems: Lemke's method compared with that of quantecon, contacts with friction.

python benchmarks/complementarity.py [--quick] [--only PART ...] [--no-readme]

Without --quick and --only the results of this script in benchmarks/README.md are rewritten. Run nothing else at the
same time. quantecon (pip install quantecon) is omitted if it is not installed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import Script, Section

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before the parts import NumPy
BEGIN, END = "<!-- results: written by complementarity.py -->", "<!-- end of the results of complementarity.py -->"


def problems(quick: bool) -> Section:
    """Linear complementarity problems with dense positive definite matrices."""
    from parts import complementarity

    return complementarity.problems(quick)


def contacts(quick: bool) -> Section:
    """Planar contacts with friction, by every method and form."""
    from parts import complementarity

    return complementarity.contacts(quick)


PARTS: dict[str, Callable[[bool], Section]] = {"problems": problems, "contacts": contacts}

SCRIPT = Script(__doc__ or "", PARTS, BEGIN, END)

if __name__ == "__main__":
    sys.exit(SCRIPT.main())
