"""How fast rigid links are: beside rollers, over one revolution of a car engine's chain, over the links, and cold.

python benchmarks/links.py [--quick] [--only PART ...] [--no-readme]

Without --quick and --only the results of this script in benchmarks/README.md are written anew. Let nothing else run
meanwhile.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import Section, machine, markdown, put_between

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before the parts import NumPy
README = Path(__file__).resolve().parent / "README.md"
BEGIN, END = "<!-- results: written by links.py -->", "<!-- end of the results of links.py -->"


def start(quick: bool) -> Section:
    """First start with nothing compiled; first, while this process is small."""
    from parts import links

    return links.start(quick)


def evaluation(quick: bool) -> Section:
    """One evaluation of the right-hand side, beside that of rollers."""
    from parts import links

    return links.evaluation(quick)


def revolution(quick: bool) -> Section:
    """One revolution of the chain of the car engine."""
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


def write_readme(results: str, readme: Path = README) -> None:
    """Put the results between the two marks."""
    put_between(readme, BEGIN, END, results)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write the README."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="short and coarse, only prints")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), help="these parts only, only prints")
    parser.add_argument("--no-readme", action="store_true", help="leave README.md alone")
    chosen = parser.parse_args(arguments)
    facts = machine()
    results = markdown([PARTS[name](chosen.quick) for name in chosen.only or PARTS], facts)
    print(results)
    if not (chosen.quick or chosen.only or chosen.no_readme):
        write_readme(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
