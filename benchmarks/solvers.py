"""Every integration method on the timing drive of a car engine (Table 2 of the paper), and the equations of a step.

python benchmarks/solvers.py [--quick] [--only PART ...] [--no-readme]

Without --quick and --only the results of this script in benchmarks/README.md are rewritten. Run nothing else at the
same time. Needs scikit-sundae: pip install -e ".[sundials]".
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import Script, Section

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before the parts import NumPy
BEGIN, END = "<!-- results: written by solvers.py -->", "<!-- end of the results of solvers.py -->"


def methods(quick: bool) -> Section:
    """Cost of every method for the same drive over the same time."""
    from parts import solvers

    return solvers.methods(quick)


def equations(quick: bool) -> Section:
    """Cost of the linear equations of an implicit step over the number of links."""
    from parts import solvers

    return solvers.equations(quick)


PARTS: dict[str, Callable[[bool], Section]] = {"methods": methods, "equations": equations}

SCRIPT = Script(__doc__ or "", PARTS, BEGIN, END)

if __name__ == "__main__":
    sys.exit(SCRIPT.main())
