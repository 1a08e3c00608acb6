"""Shares of the time of a step for six examples, in us by part; operations and bytes compared with the limits of a
core.

python benchmarks/steps.py [--quick] [--no-readme]

Without --quick the results of this script in benchmarks/README.md are rewritten. Run nothing else at the same time.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import Script, Section, own_kernels

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before the parts import NumPy
BEGIN, END = "<!-- results: written by steps.py -->", "<!-- end of the results of steps.py -->"


def steps(quick: bool) -> Section:
    """All parts of a step."""
    from parts import steps

    return steps.run(quick)


def profile(quick: bool) -> Section:
    """Operations and bytes."""
    from parts import profile

    return profile.run(quick)


SCRIPT = Script(__doc__ or "", {"steps": steps, "profile": profile}, BEGIN, END)

if __name__ == "__main__":
    with own_kernels():
        sys.exit(SCRIPT.main())
