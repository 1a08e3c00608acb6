"""Cost of every example with default settings: CPU time per simulated second, mean step, and its limit.

python benchmarks/examples.py [NAME ...] [--seconds 1] [--no-readme]

The cost is that of everything that `simulate` does, with the rows and channels of the example, minus the time of a very
short run (start and results). Kernels are compiled beforehand. Without names the results in benchmarks/README.md are
rewritten.

The limits apply to a machine on which EXUDYN takes 191 us for a step of the 122-roller chain. If EXUDYN is installed,
its step is measured before and after the examples, and CPU times are scaled accordingly.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import README, machine, put_between

BEGIN, END = "<!-- results: written by examples.py -->", "<!-- end of the results of examples.py -->"
WANTED, LARGE = 1.5, {"v6-timing": 3.0, "conveyor-16b": 10.0}
"""Largest CPU time per simulated second, for all examples and for large ones. [s/s]"""
MOMENT = 1e-4
"""End of a run that consists only of its start. [s]"""
RUNS = 3
"""Number of times that each run is made: the first may also wait for memory that no program has used before."""
STEP, PITCH = 2e-6, 12.7e-3
"""Smallest mean step [s] for drives with at least this pitch [m]."""
OF_PEER = 191e-6
"""Step of EXUDYN with the lean mesh of the 122-roller chain (``peers/exudyn_chain.py``), to which the limits apply.
[s]
"""
PEER_STEP, PEER_UNTIL, PEER_RUNS = 24e-6, 0.05, 3
"""Step and length of the runs of EXUDYN [s], and their number at a time."""


class Cost(NamedTuple):
    """Cost of one example."""

    name: str
    pitch: float
    """[m]"""
    method: str
    links: int
    start: float
    """CPU time of a very short run. [s]"""
    speed: float
    """CPU time per simulated second. [s/s]"""
    step: float
    """Mean step. [s]"""
    of_longest: float
    """Mean step divided by the longest step. [-]"""
    rejected: float
    """Share of rejected steps in all steps. [-]"""
    set_by: str

    def missed(self, scale: float = 1.0) -> list[str]:
        """Limits that are missed; scale: factor of CPU times to the machine to which the limits apply [-]."""
        wanted = {
            "CPU": scale * self.speed <= LARGE.get(self.name, WANTED),
            "step": self.step >= STEP or self.pitch < PITCH,
        }
        return [name for name, kept in wanted.items() if not kept]

    def line(self, scale: float = 1.0) -> str:
        """Row of the example in the table."""
        return (
            f"| {self.name} | {self.method} | {self.links} | {self.start:.1f} | {self.speed:.2f} | "
            f"{scale * self.speed:.2f} | {1e6 * self.step:.2f} | {self.of_longest:.2f} | "
            f"{100.0 * self.rejected:.1f} | {self.set_by} | {', '.join(self.missed(scale)) or '-'} |"
        )


def peer_step() -> float | None:
    """CPU time of a step of EXUDYN, the median of some runs; None where it is not installed. [s]"""
    if importlib.util.find_spec("exudyn") is None:
        return None
    from peers.chain import chain_data
    from peers.exudyn_chain import ExudynChain

    engine = ExudynChain(chain_data())
    steps = max(1, round(PEER_UNTIL / PEER_STEP))
    return median(engine.run(PEER_STEP, PEER_UNTIL) for _ in range(PEER_RUNS)) / steps


def of_machine(steps: list[float | None]) -> tuple[float, str]:
    """Scale of CPU times to the machine to which the limits apply [-], and a text about it.

    steps: CPU times of a step of EXUDYN, before and after the examples [s].
    """
    known = [step for step in steps if step is not None]
    if not known:
        return 1.0, "not installed; CPU times are those of this machine and are not scaled"
    found = " and ".join(f"{1e6 * step:.0f}" for step in known)
    scale = OF_PEER / mean(known)
    return scale, (
        f"{found} us per step of the 122-roller chain, before and after the examples; the targets apply to "
        f"{1e6 * OF_PEER:.0f} us, so CPU times are scaled by {scale:.2f}"
    )


def cost(name: str, seconds: float) -> Cost:
    """Cost of an example with default settings over its first seconds: medians of RUNS after one that compiles."""
    import chaindrive as cd

    drive = cd.example(name)
    cd.simulate(drive, MOMENT, progress=False)
    used: dict[float, list[float]] = {MOMENT: [], seconds: []}
    for until in (MOMENT, seconds) * RUNS:
        begun = time.process_time()
        run = cd.simulate(drive, until, progress=False)
        used[until].append(time.process_time() - begun)
    start, whole = (median(times) for times in used.values())
    if run.status != cd.Status.REACHED_END:
        print(f"{name}: {run.status.meaning}", file=sys.stderr)
    s = run.statistics
    return Cost(
        name,
        drive.chain.pitch,
        run.attrs["solver"],
        drive.chain.links,
        start,
        (whole - start) / (float(run.time[-1]) - MOMENT),
        float(s["mean_step"]),
        float(s["mean_step"]) / float(s["largest_step"]),
        float(s["rejected"]) / (float(s["rejected"]) + float(s["steps"])),
        str(run.notes.get("step_set_by", "")),
    )


def table(rows: list[Cost], facts: dict[str, str], scale: float = 1.0) -> str:
    """The results as Markdown; scale: factor of CPU times to the machine to which the limits apply [-]."""
    lines = [f"- {name}: {value}" for name, value in facts.items()]
    lines += [
        "",
        f"Targets: at most {WANTED:g} s of scaled CPU time per simulated second "
        f"({' and '.join(f'{most:g} for {name}' for name, most in LARGE.items())}), and a mean step of at least "
        f"{1e6 * STEP:g} us for chains of half-inch pitch and larger. {sum(not row.missed(scale) for row in rows)} of "
        f"{len(rows)} meet both.",
        "",
        "| example | method | links | start [s] | CPU [s/s] | scaled [s/s] | mean step [us] | of the longest "
        "| rejected [%] | set by | missed |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---|---|",
        *(row.line(scale) for row in rows),
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
    facts, rows, before = machine(), [], peer_step()
    for name in chosen.names or example_names():
        rows.append(cost(name, chosen.seconds))
        print(rows[-1].line(), file=sys.stderr, flush=True)
    scale, facts["EXUDYN"] = of_machine([before, peer_step()])
    results = table(rows, facts, scale)
    print(results)
    if not (chosen.names or chosen.no_readme):
        put_between(README, BEGIN, END, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
