"""Cost of the rocker-pin chain of a CVT: a step compared with an evaluation of an engine, and a revolution of its
chain.

python benchmarks/variator.py [--quick] [--only PART ...] [--no-readme]

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
BEGIN, END = "<!-- results: written by variator.py -->", "<!-- end of the results of variator.py -->"


def revolution(quick: bool) -> Section:
    """A step, and a loop of the chain, compared with an evaluation of 6l60mc in the same process."""
    from parts import variator

    return variator.revolution(quick)


PARTS: dict[str, Callable[[bool], Section]] = {"revolution": revolution}

SCRIPT = Script(__doc__ or "", PARTS, BEGIN, END)

if __name__ == "__main__":
    sys.exit(SCRIPT.main())
