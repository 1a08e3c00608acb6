"""Whole runs through ``simulate``: both engines, both methods, in memory and into a file."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import Row, Section, paired

import chaindrive as cd
from parts.drives import ENGINES

SECONDS = 10.0
LIMITS = {"auto": (1.2, 1.6), "dormand-prince": (3.5, 3.5)}
"""Wanted process time of 10 simulated seconds in memory, and into a file. [s]"""


class Run:
    """One call of ``simulate`` with the defaults of the drive (standard channels, 1 kHz)."""

    def __init__(self, name: str, method: str, until: float, output: Path | None) -> None:
        self.drive = cd.example(name)
        self.solver = self.drive.run.solver.model_copy(update={"method": method})
        self.until, self.output = until, output
        self.statistics: dict[str, Any] = {}
        self.method = method
        """Method of the run; after the call, the one selected by ``auto``."""

    def __call__(self) -> None:
        """Simulate; keeps the statistics."""
        with cd.simulate(
            self.drive, self.until, solver=self.solver, output=self.output, overwrite=self.output is not None
        ) as solution:
            if solution.status != cd.Status.REACHED_END:
                raise RuntimeError(f"{self.drive.name} by {self.solver.method}: {solution.status.meaning}")
            self.statistics, self.method = dict(solution.statistics), str(solution.attrs["solver"])


def run(quick: bool) -> Section:
    """Process time of 10 simulated seconds (1 in a quick run, where fixed costs hide the limits)."""
    until, repeats = (1.0, 1) if quick else (SECONDS, 3)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for method, limits in LIMITS.items():
            runs: dict[str, Run] = {}
            for name in ENGINES:
                Run(name, method, 0.01, Path(folder) / "warm.nc")()
                runs[f"{name}, in memory"] = Run(name, method, until, None)
                runs[f"{name}, into a file"] = Run(name, method, until, Path(folder) / "run.nc")
            things: dict[str, Callable[[], None]] = dict(runs)
            for text, cost in paired(things, repeats).items():
                s = runs[text].statistics
                per_step = 1e6 * until / int(s["steps"])
                remark = (
                    f"wall {cost.wall:.3g} s; {int(s['steps'])} steps of {per_step:.3g} us, "
                    f"{int(s['rejected'])} rejected, {int(s['evaluations'])} evaluations; "
                    f"{1e6 * cost.cpu / int(s['evaluations']):.3g} us per evaluation, everything included; "
                    f"spread {cost.spread}"
                )
                limit = limits[runs[text].output is not None]
                rows.append(
                    Row(
                        f"{text}: {until:g} s by {runs[text].method}, CPU",
                        cost.cpu,
                        "s",
                        None if quick else limit,
                        remark=remark,
                    )
                )
    remarks = [
        "The time is that of everything that `simulate` does, including static equilibrium and results; kernels are "
        "loaded beforehand."
    ]
    return Section("Ten simulated seconds", rows, remarks)
