"""The benchmark: how fast chaindrive is, against what it wants to reach and against general engines.

python benchmarks/speed.py [--quick] [--only PART ...] [--no-readme]

Without --quick and --only the results in benchmarks/README.md are written anew. Let nothing else run meanwhile.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import Section, machine, markdown, put_between

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before the parts import NumPy
README = Path(__file__).resolve().parent / "README.md"
BEGIN, END = "<!-- results: written by speed.py -->", "<!-- end of results -->"


def start(quick: bool) -> Section:
    """First and warm start; first, while this process is small and the machine fresh."""
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
    """Cost over the number of links; the picture is drawn by the full benchmark only."""
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


def measure(names: list[str], quick: bool) -> list[Section]:
    """Run the parts; one that fails says so in its place, the others still run."""
    sections = []
    for name in names:
        begun = time.perf_counter()
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            sections.append(PARTS[name](quick))
        except Exception as error:
            traceback.print_exc()
            sections.append(Section(f"{name}: failed", [], [f"{type(error).__name__}: {error}"]))
        print(f"{name}: {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
    return sections


def write_readme(results: str, readme: Path = README) -> None:
    """Put the results between the two marks."""
    put_between(readme, BEGIN, END, results)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write the README; the exit code is 1 when a part failed (a limit missed is a result)."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="short and coarse, about a minute and a half")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), help="these parts only")
    parser.add_argument("--no-readme", action="store_true", help="leave README.md alone")
    chosen = parser.parse_args(arguments)
    facts = machine()
    begun = time.perf_counter()
    sections = measure(chosen.only or list(PARTS), chosen.quick)
    facts["duration"] = f"{time.perf_counter() - begun:.0f} s"
    results = markdown(sections, facts)
    print(results)
    if not (chosen.quick or chosen.only or chosen.no_readme):
        write_readme(results)
        print(f"written: {README}", file=sys.stderr)
    missed = [row.what for section in sections for row in section.rows if row.met is False]
    if missed:
        print("missed: " + "; ".join(missed), file=sys.stderr)
    return 1 if any(section.title.endswith(": failed") for section in sections) else 0


if __name__ == "__main__":
    sys.exit(main())
