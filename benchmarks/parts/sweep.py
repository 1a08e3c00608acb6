"""A study of many runs: the resonance sweep of the 6S90MC-C, in one process and in several."""

from __future__ import annotations

import time
from statistics import median
from typing import NamedTuple

from measure import Row, Section

from chaindrive.model.study.description import Study
from chaindrive.model.study.files import load_study, study_path
from chaindrive.studies import StudyTable, run_study

STUDY = "6s90mc-c-speed"
WORKERS = 2
CPU_LIMIT = 3.5
"""Wanted process time of a run of ten simulated seconds, the same as for a single run (parts/runs.py). [s]"""


class Sweep(NamedTuple):
    """Cost of a study."""

    table: StudyTable
    wall: float
    """Wall-clock time of the whole call of ``run_study``, including the start of the processes. [s]"""

    @property
    def cpu(self) -> list[float]:
        """CPU time of every run. [s]"""
        return [row.cpu for row in self.table.rows]


def study(values: int, seconds: float) -> Study:
    """Two curves of the study over a number of speeds, with runs of a given length [s]."""
    whole = load_study(study_path(STUDY))
    speed = whole.parameters[0]
    kept = speed.points()[:: max(1, len(speed.points()) // values)][:values]
    figure = whole.figures_of_merit[0].model_copy(update={"start": 0.5 * seconds, "stop": seconds})
    return whole.model_copy(
        update={
            "set": whole.set | {"run.until": seconds},
            "parameters": (speed.model_copy(update={"values": kept, "first": None, "last": None, "step": None}),),
            "curves": whole.curves[:2],
            "figures_of_merit": (figure,),
        }
    )


def measured(what: Study, workers: int) -> Sweep:
    """Run a study. Raises RuntimeError when a run fails."""
    begun = time.perf_counter()
    table = run_study(what, workers=workers)
    wall = time.perf_counter() - begun
    if table.failed or not table.complete:
        raise RuntimeError(f"{len(table.failed)} of {table.total} runs failed")
    return Sweep(table, wall)


def run(quick: bool) -> Section:
    """60 runs of 10 s each (4 of 0.5 s in a quick run, where starting the processes hides the efficiency)."""
    values, seconds = (2, 0.5) if quick else (30, 10.0)
    run_study(study(1, 0.01), workers=WORKERS)  # compile
    what = study(values, seconds)
    alone, together = measured(what, 1), measured(what, WORKERS)
    if (
        alone.table["largest link force / breaking load"].tolist()
        != together.table["largest link force / breaking load"].tolist()
    ):
        raise RuntimeError("processes give other numbers than a run alone")
    runs, of = len(alone.cpu), f"{seconds:g} s of 6s90mc-c"
    busy = sum(row.wall for row in together.table.rows)
    rows = [
        Row(
            f"{runs} runs of {of}, 1 process: CPU of a run",
            median(alone.cpu),
            "s",
            None if quick else CPU_LIMIT,
            remark=f"{min(alone.cpu):.3g} to {max(alone.cpu):.3g} s; all of them {alone.wall:.4g} s wall",
        ),
        Row(
            f"{runs} runs of {of}, {WORKERS} processes: CPU of a run",
            median(together.cpu),
            "s",
            remark=f"{min(together.cpu):.3g} to {max(together.cpu):.3g} s; all of them {together.wall:.4g} s wall",
        ),
        Row(
            f"parallel efficiency on {WORKERS} cores",
            100.0 * alone.wall / (WORKERS * together.wall),
            "%",
            remark=f"time alone / ({WORKERS} x time together); for {together.wall - busy / WORKERS:.3g} s of the time "
            "together a process computed no run (start of processes, loading of the compiled equations, last run)",
        ),
    ]
    remarks = [
        f"The study covers constant speed and an oscillating crankshaft at {values} speeds, with the default method; "
        "kernels are on the disk beforehand. The results of both sweeps are compared and are the same, bit for bit.",
    ]
    return Section("A study", rows, remarks)
