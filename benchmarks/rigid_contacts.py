"""Cost of chains with rigid contacts: a step compared with an evaluation, over the number of links, and a revolution.

python benchmarks/rigid_contacts.py [--quick] [--only PART ...] [--no-readme]

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
BEGIN, END = "<!-- results: written by rigid_contacts.py -->", "<!-- end of the results of rigid_contacts.py -->"


def steps(quick: bool) -> Section:
    """A step of several drives, compared with an evaluation of 6l60mc in the same process."""
    from parts import rigid

    return rigid.steps(quick)


def links(quick: bool) -> Section:
    """Cost of a step over the number of links."""
    from parts import rigid

    return rigid.links(quick)


def revolution(quick: bool) -> Section:
    """One revolution of a V6 engine's timing drive."""
    from parts import rigid

    return rigid.revolution(quick)


PARTS: dict[str, Callable[[bool], Section]] = {"steps": steps, "links": links, "revolution": revolution}

SCRIPT = Script(__doc__ or "", PARTS, BEGIN, END)

if __name__ == "__main__":
    sys.exit(SCRIPT.main())
