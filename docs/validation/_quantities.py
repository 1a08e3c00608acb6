"""Quantities that the page about the marine drives takes from a run."""

from __future__ import annotations

import pickle
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from _cases import Case
from _signals import BLOCK, SEGMENT_1
from numpy.typing import NDArray

from chaindrive.model import SaveOptions, SolverOptions
from chaindrive.results import Solution
from chaindrive.simulation.simulate import simulate


@dataclass
class Outcome:
    """Stored results of a run. Segments are spans, in the order of the route."""

    case: Case
    status: str
    reached: float
    """End of the run. [s]"""
    seconds: float
    """CPU time of the run, including compilation if it was the first. [s]"""
    static: NDArray[np.float64]
    """Span tensions of the static equilibrium from which the run starts, (spans,) [N]."""
    mean: NDArray[np.float64]
    """Mean span tensions over the window, (spans,) [N]."""
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    history: NDArray[np.float64]
    """Mean tension of segment 1 in each second, (seconds,) [N]."""
    swing: NDArray[np.float64]
    """Standard deviation of the displacement of the middle of each span in the last 10 s, (spans,) [m]."""
    residual: float
    """Energy that the energy balance cannot account for, as a fraction of the energy exchanged."""

    @property
    def failed(self) -> bool:
        """Whether the run failed to reach its end."""
        return self.status != "REACHED_END"


def run(case: Case) -> Outcome:
    """Simulate a case and extract the quantities of the page."""
    begun = time.process_time()
    save = SaveOptions(rate=case.rate, channels=case.keep)
    solution = simulate(case.model, case.until, start=case.start, save=save, solver=SolverOptions(method=case.method))
    return reduce(case, solution, time.process_time() - begun)


def kept(folder: Path, case: Case) -> Outcome:
    """The outcome of a case, kept in the folder; a stored outcome is used if there is one."""
    path = folder / f"{case.key.replace('/', '-')}.pickle"
    if path.exists():
        found: Outcome = pickle.loads(path.read_bytes())
        return found
    outcome = run(case)
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(pickle.dumps(outcome))
    unfinished.rename(path)
    return outcome


def reduce(case: Case, solution: Solution, seconds: float) -> Outcome:
    """The outcome of a run."""
    times, tension = solution.time, solution.values("span_tension")
    window = times >= case.begin - 1e-9
    if solution.status.name != "REACHED_END" or not window.any():
        window = np.ones(times.size, dtype=bool)
    per_second = int(case.rate)
    whole = (times.size - 1) // per_second
    mean = tension[window].mean(axis=0)
    return Outcome(
        case=case,
        status=solution.status.name,
        reached=float(times[-1]),
        seconds=seconds,
        static=np.array(solution.notes.get("static_span_tension", np.full(mean.size, np.nan))),
        mean=mean,
        low=tension[window].min(axis=0),
        high=tension[window].max(axis=0),
        history=tension[: whole * per_second, SEGMENT_1].reshape(whole, per_second).mean(axis=1),
        swing=solution.values("span_displacement")[times >= times[-1] - BLOCK].std(axis=0),
        residual=solution.audit.relative_residual,
    )
