"""Cost of an evaluation in this source tree compared with that in another one: two processes in turns.

python benchmarks/evaluation.py --against OTHER/src [--rounds N] [--drives NAME ...] [--methods NAME ...] [--cold N]

For every drive the script measures one evaluation of the right-hand side at a running state, one row of channels, and
one complete step of each method. The processes run alternately in short turns, every second turn in reverse order; the
ratio is the median over all turns, so that a disturbance affects both equally. Both trees must have the functions that
``parts/drives.py`` uses.

With --cold N it also measures N pairs of cold starts, ``chaindrive run 6l60mc --until 0.1`` with nothing compiled, and
of warm starts after them. All times are CPU times.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
DRIVES = ("6l60mc", "6s90mc-c", "6s90mc-c-tightener-oscillating", "timing-06b")
METHODS = ("verlet", "dormand-prince")
EVALUATIONS, ROWS, STEPS = 4_000, 1_000, 12_000


class Tree:
    """A process that measures one source tree, on request."""

    def __init__(self, source: Path, drives: list[str], methods: list[str]) -> None:
        environment = os.environ | {"PYTHONPATH": str(source), "OPENBLAS_NUM_THREADS": "1"}
        line = [sys.executable, __file__, "--serve", *drives, "--methods", *methods]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(line, env=environment, stdin=pipe, stdout=pipe, text=True)
        self.says: dict[str, Any] = {}

    def ask(self, word: str) -> Any:
        """Send a word and wait for the answer; raises RuntimeError if the process has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(word + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the measuring process ended with exit code {self._process.wait()}")
        return json.loads(answer)


def serve(drives: list[str], methods: list[str]) -> None:
    """Answer requests on standard input: "where", or the number of a measurement."""
    import time

    import numpy as np
    from parts.drives import RARE, running
    from parts.evaluation import Stepper, evaluator

    import chaindrive

    things: list[tuple[str, int, Any]] = []
    for name in drives:
        system, state, t = running(name)
        row = np.zeros(system.row_size)

        def rows(system: Any = system, state: Any = state, t: float = t, row: Any = row) -> None:
            for _ in range(ROWS):
                system.kernels.record(t, state, system.parameters, row)

        things.append((f"{name}: one evaluation", EVALUATIONS, evaluator(system, state, t, EVALUATIONS)))
        things.append((f"{name}: one row, called from Python", ROWS, rows))
        for method in methods:
            steps = (
                STEPS if method.startswith(("verlet", "leapfrog", "splitting")) else STEPS // 6
            )  # one evaluation, six
            things.append((f"{name}: one step of {method}", steps, Stepper(system, state, t, method, steps, RARE)))
    for line in sys.stdin:
        word = line.strip()
        if word == "where":
            print(json.dumps([str(Path(chaindrive.__file__).parent), [what for what, _, _ in things]]), flush=True)
            continue
        _, count, thing = things[int(word)]
        begun = time.process_time()
        thing()
        print(json.dumps(1e6 * (time.process_time() - begun) / count), flush=True)


def compare(here: Tree, other: Tree, rounds: int) -> list[str]:
    """Table of medians [us] and of the ratio here / other with its quartiles."""
    (place, names), (other_place, others) = here.ask("where"), other.ask("where")
    if place == other_place or names != others:
        raise SystemExit(f"nothing to compare: {place} and {other_place}")
    print(f"here:  {place}\nother: {other_place}", flush=True)
    taken: list[list[tuple[float, float]]] = [[] for _ in names]
    for turn in range(rounds):
        for k in range(len(names)):
            pair = [(tree, tree.ask(str(k))) for tree in ((here, other) if turn % 2 == 0 else (other, here))]
            cost = dict(pair)
            taken[k].append((cost[here], cost[other]))
    lines = ["| what | here | other | here / other | quartiles |", "|---|---:|---:|---:|---:|"]
    for name, costs in zip(names, taken, strict=True):
        ratios = [mine / theirs for mine, theirs in costs]
        low, _, high = quantiles(ratios, n=4)
        mine, theirs = (median(cost[i] for cost in costs) for i in (0, 1))
        lines.append(f"| {name} | {mine:.3g} us | {theirs:.3g} us | {median(ratios):.3f} | {low:.3f} to {high:.3f} |")
    return lines


def starts(sources: tuple[Path, Path], rounds: int) -> list[str]:
    """Table of CPU times of cold and warm starts [s] of both trees and of the ratio here / other with its range."""
    from parts.startup import command

    line = ("run", "6l60mc", "--until", "0.1", "--force", "-o", "run.nc")
    taken: dict[str, list[tuple[float, float]]] = {"cold": [], "warm": []}
    for turn in range(rounds):
        cost: dict[tuple[str, Path], float] = {}
        for source in sources if turn % 2 == 0 else sources[::-1]:
            with tempfile.TemporaryDirectory() as name:
                for which in taken:  # the second run finds the kernels that the first one compiled
                    held = command(Path(name), Path(name) / "kernels", *line, source=source)
                    cost[which, source] = held["cpu"]
        for which, pairs in taken.items():
            pairs.append((cost[which, sources[0]], cost[which, sources[1]]))
    lines = ["| start | here | other | here / other | range |", "|---|---:|---:|---:|---:|"]
    for which, pairs in taken.items():
        ratios = [mine / theirs for mine, theirs in pairs]
        mine, theirs = (median(pair[i] for pair in pairs) for i in (0, 1))
        spread = f"{min(ratios):.3f} to {max(ratios):.3f}"
        lines.append(f"| {which} | {mine:.3g} s | {theirs:.3g} s | {median(ratios):.3f} | {spread} |")
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Compare both trees and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, help="the src folder of the other tree")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--drives", nargs="+", default=list(DRIVES))
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    parser.add_argument("--cold", type=int, default=0, help="pairs of cold starts, a minute each or more")
    parser.add_argument("--serve", nargs="+", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.serve:
        serve(chosen.serve, chosen.methods)
        return 0
    if chosen.against is None or not (chosen.against / "chaindrive").is_dir():
        parser.error("--against must be a folder that holds the package chaindrive")
    sources = HERE.parent / "src", chosen.against.resolve()
    here, other = (Tree(source, chosen.drives, chosen.methods) for source in sources)
    print("\n".join(compare(here, other, chosen.rounds)), flush=True)
    if chosen.cold:
        print("\n".join(["", *starts(sources, chosen.cold)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
