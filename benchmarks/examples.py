"""What every example costs by default settings: CPU time of a simulated second, mean step, and what sets the step.

python benchmarks/examples.py [NAME ...] [--seconds 1] [--no-readme]

Everything that `simulate` does, with the rows and channels of the example, less what a run of a moment takes: start and
results. Compilation is before that. Without names the results in benchmarks/README.md are written anew.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import README, machine, put_between

BEGIN, END = "<!-- results: written by examples.py -->", "<!-- end of the results of examples.py -->"
WANTED, LARGE = 1.5, {"v6-timing": 3.0, "conveyor-16b": 10.0}
"""CPU time of a simulated second, of all examples and of large ones. [s/s]"""
MOMENT = 1e-4
"""A run that is all start. [s]"""
STEP, PITCH = 2e-6, 12.7e-3
"""Wanted: a mean step of at least this [s], of drives with at least this pitch [m]."""


class Cost(NamedTuple):
    """Of one example."""

    name: str
    pitch: float
    """[m]"""
    method: str
    links: int
    start: float
    """CPU time of a run of a moment. [s]"""
    speed: float
    """CPU time of a simulated second. [s/s]"""
    step: float
    """Mean. [s]"""
    of_longest: float
    """Mean step over the longest one taken. [-]"""
    rejected: float
    """Part of all steps. [-]"""
    set_by: str

    @property
    def missed(self) -> list[str]:
        """What is not as wanted."""
        wanted = {
            "CPU": self.speed <= LARGE.get(self.name, WANTED),
            "step": self.step >= STEP or self.pitch < PITCH,
        }
        return [name for name, kept in wanted.items() if not kept]

    @property
    def line(self) -> str:
        """Its row of the table."""
        return (
            f"| {self.name} | {self.method} | {self.links} | {self.start:.1f} | {self.speed:.2f} | "
            f"{1e6 * self.step:.2f} | {self.of_longest:.2f} | {100.0 * self.rejected:.1f} | {self.set_by} | "
            f"{', '.join(self.missed) or '-'} |"
        )


def cost(name: str, seconds: float) -> Cost:
    """Of an example, by default settings, over its first seconds; the first of two runs of a moment compiles."""
    import chaindrive as cd

    drive = cd.example(name)
    used = []
    for until in (MOMENT, MOMENT, seconds):
        begun = time.process_time()
        run = cd.simulate(drive, until, progress=False)
        used.append(time.process_time() - begun)
    if run.status != cd.Status.REACHED_END:
        print(f"{name}: {run.status.meaning}", file=sys.stderr)
    s = run.statistics
    return Cost(
        name,
        drive.chain.pitch,
        run.attrs["solver"],
        drive.chain.links,
        used[1],
        (used[2] - used[1]) / (float(run.time[-1]) - MOMENT),
        float(s["mean_step"]),
        float(s["mean_step"]) / float(s["largest_step"]),
        float(s["rejected"]) / (float(s["rejected"]) + float(s["steps"])),
        str(run.notes.get("step_set_by", "")),
    )


def table(rows: list[Cost], facts: dict[str, str]) -> str:
    """The results as Markdown."""
    lines = [f"- {name}: {value}" for name, value in facts.items()]
    lines += [
        "",
        f"Wanted: at most {WANTED:g} s of CPU time a simulated second, "
        f"{' and '.join(f'{most:g} of {name}' for name, most in LARGE.items())}; a mean step of {1e6 * STEP:g} us for "
        f"chains of half-inch pitch and larger. {sum(not row.missed for row in rows)} of {len(rows)} keep both.",
        "",
        "| example | method | links | start [s] | CPU [s/s] | mean step [us] | of the longest | rejected [%] | set by "
        "| missed |",
        "|---|---|---:|---:|---:|---:|---:|---:|---|---|",
        *(row.line for row in rows),
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write the README."""
    from chaindrive.model import example_names

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="these examples only, only prints")
    parser.add_argument("--seconds", type=float, default=1.0, help="simulated time")
    parser.add_argument("--no-readme", action="store_true", help="leave README.md alone")
    chosen = parser.parse_args(arguments)
    facts, rows = machine(), []
    for name in chosen.names or example_names():
        rows.append(cost(name, chosen.seconds))
        print(rows[-1].line, file=sys.stderr, flush=True)
    results = table(rows, facts)
    print(results)
    if not (chosen.names or chosen.no_readme):
        put_between(README, BEGIN, END, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
