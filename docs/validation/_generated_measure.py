"""Measurements of one generated drive, made in the processes of ``_generated_pool``."""

from __future__ import annotations

import itertools
import math
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from _generated import class_of, generate
from _simulate import tolerances

from chaindrive.contract.status import Status
from chaindrive.errors import ChaindriveError
from chaindrive.model import Drive, SaveOptions, SolverOptions, loads
from chaindrive.results.audit import doubtful_losses
from chaindrive.results.solution import Solution
from chaindrive.simulation.progress import Progress
from chaindrive.simulation.simulate import simulate
from chaindrive.simulation.start import channel_at_start, prepare
from chaindrive.solvers.jacobian import forces_at_rest

__all__ = ["AGREED", "METHODS", "agreement", "answer", "methods", "of_accuracy", "rest", "run", "warm_up"]

WARMING = ("taut", "arm")
"""Classes of which a drive is computed first, to load the kernels: one without and one with a mechanism, which have
separate kernels.
"""
METHODS = ("dormand-prince", "verlet")
CAPPED = 0.8
"""Fraction of the limit after which a run is ended normally; its results up to then are judged."""
ROWS = 400
"""Number of rows stored for each compared run."""
LEAST_ROWS = 1000
"""Smallest number of rows of both methods for a comparison."""
FLOOR = 0.05
"""Differences of span tensions are taken relative to at least this fraction of the largest tension in the drive. [-]"""
AGREED = 0.02
"""Largest difference between two methods that needs no warning. [-]"""
NOTHING = 1e-4
"""Differences of losses below this fraction of the energy exchanged are ignored. [-]"""
OF_ACCURACY = (
    re.compile(r"the energy residual is \S+ \S+, \S+ % of the "),
    re.compile(r"losses that may be wrong by more than 1 %: "),
    re.compile(r"the step of \S+ \S+ is too long for the stiffest contact of this run "),
)
"""Beginnings of the warnings about inaccurate results, which come from ``results.audit.doubts`` and
``stretches.Stretches.warnings`` only.
"""
SPAN = 0.5
"""Fraction of the duration of a drive's run over which the methods are compared. [-]"""
METHOD_ROWS = 100_000
"""Number of rows of each run when methods are compared; it is so large that the largest force of an impact does not
depend on the instants of the rows. With a tenth of these rows, the impact of a light roller (20 us) had two rows; the
larger values differed by 3 % although the peaks differed by only 0.15 %.
"""
OWN = (0.95, 0.9, 0.85)
"""Factors on the tolerances and the step (for Dormand-Prince the longest step) of the compared run, for the runs that
show how a drive responds to minute changes. [-]
"""
OWN_SHARE = 0.5
"""Fraction of the permitted time that is reserved for these runs. [-]"""


def warm_up(part: str) -> None:
    """Load all kernels that a part needs, or compile them."""
    for kind in WARMING:
        index = next(k for k in range(1000) if class_of(1, k) == kind)
        text = generate(1, index).to_toml()
        answer({"part": part, "text": text, "limit": 2.0})


def answer(task: Mapping[str, Any]) -> dict[str, Any]:
    """Measure the drive of a task, which contains the part and the text of the drive file. An error is also an
    answer.
    """
    drive = loads(task["text"])
    begun = time.process_time()
    try:
        found = {"rest": rest, "run": run, "methods": methods}[task["part"]](drive, float(task["limit"]))
    except ChaindriveError as error:
        found = {"outcome": "refused", "error": str(error)}
    except KeyboardInterrupt:  # ended in good order before anything was stored
        found = {"outcome": "limit", "error": f"more than {task['limit']:g} s of CPU time, nothing stored"}
    except Exception as error:  # a defect of chaindrive, which the table shall show
        found = {"outcome": "error", "error": f"{type(error).__name__}: {error}"}
    return {"cpu": time.process_time() - begun} | found


def rest(drive: Drive, limit: float) -> dict[str, Any]:
    """Search for the initial state, and evaluate the residual forces there independently."""
    system = prepare(drive, start="at_rest").system
    notes, warnings = system.story.notes, list(system.story.warnings)
    tensions = channel_at_start(system, "span_tension")
    return {
        "outcome": "not found" if any("equilibrium" in text for text in warnings) else "found",
        "residual": _number(notes.get("static_residual")),
        "tolerance": _number(notes.get("static_tolerance")),
        "iterations": notes.get("static_iterations"),
        "method": notes.get("static_method"),
        "left": _number(np.abs(forces_at_rest(system, 0.0, system.state)).max()),
        "tensions": [_number(tension) for tension in tensions],
        "warnings": warnings,
    }


def run(drive: Drive, limit: float) -> dict[str, Any]:
    """Run the drive as defined by its file, and evaluate its energy balance."""
    rate = ROWS / float(drive.run.until)
    solution = _run(drive, CAPPED * limit, save=SaveOptions(rate=rate, channels=("span_tension",)))
    audit = solution.audit
    return _told(solution) | {
        "until": drive.run.until,
        "reached": float(solution.time[-1]),
        "unaccounted": _number(audit.relative_residual),
        "energy_exchanged": _number(audit.energy_exchanged),
        "steps": int(solution.statistics.get("steps", 0)),
    }


def methods(drive: Drive, limit: float) -> dict[str, Any]:
    """Run both methods over the same time, and determine their differences (``agreement``).

    If these exceed ``AGREED``, each method runs again with nearly the same tolerances and step (``OWN``): the largest
    difference between runs of one method ("own") is due not to the method but to a motion that is not repeatable.
    """
    begun, until = time.process_time(), SPAN * float(drive.run.until)
    channels = ("span_tension", "contact_force", "contact_surface")
    save = SaveOptions(rate=METHOD_ROWS / until, channels=channels)
    done: list[Solution] = []
    for method, share in zip(METHODS, (0.5, 1.0), strict=True):
        left = CAPPED * limit * (1.0 - OWN_SHARE) - (time.process_time() - begun)
        done.append(_run(drive, share * left, until=until, save=save, solver=SolverOptions(method=method)))
    told = [_told(solution) for solution in done]
    rows = min(solution.time.size for solution in done)
    found: dict[str, Any] = {
        "until": until,
        "reached": float(done[0].time[rows - 1]),
        "warnings": [text for each in told for text in each["warnings"]],
        "says_so": any(each["says_so"] for each in told),
        "said_by": [method for method, each in zip(METHODS, told, strict=True) if each["says_so"]],
        "endings": {method: each["outcome"] for method, each in zip(METHODS, told, strict=True)},
        "unaccounted": {m: _number(s.audit.relative_residual) for m, s in zip(METHODS, done, strict=True)},
    }
    found["losses"] = {m: dict(s.audit.losses) for m, s in zip(METHODS, done, strict=True)}
    found["doubted"] = {m: doubtful_losses(s.audit, m) for m, s in zip(METHODS, done, strict=True)}
    if rows < LEAST_ROWS:
        return found | {"outcome": "capped" if any(each["capped"] for each in told) else "ended early"}
    firsts = [quantities(solution, rows, len(drive.wheels)) for solution in done]
    differences = agreement(*firsts)
    found |= {"outcome": "compared", "differences": differences, "own": {}}
    if max(differences.values()) <= AGREED:
        return found
    runs = {str(solution.attrs["solver"]): [first] for solution, first in zip(done, firsts, strict=True)}
    for part in OWN:
        for solution in done:
            left = CAPPED * limit - (time.process_time() - begun)
            again = _run(drive, left, until=found["reached"], save=save, solver=_nearly(solution, part))
            if again.time.size >= rows:
                runs[str(solution.attrs["solver"])].append(quantities(again, rows, len(drive.wheels)))
    return found | {"own": {method: _largest(of_method) for method, of_method in runs.items() if len(of_method) > 1}}


def _largest(runs: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The largest differences between any two of these runs."""
    pairs = [agreement(one, other) for one, other in itertools.combinations(runs, 2)]
    return {name: max(pair[name] for pair in pairs) for name in pairs[0]}


def _nearly(solution: Solution, part: float) -> SolverOptions:
    """Options of a run whose tolerances or step are this fraction of those of another run."""
    options = SolverOptions(method=solution.attrs["solver"])
    step = solution.notes.get("step_last") or solution.statistics["largest_step"]
    return options.model_copy(update=tolerances(part) | {"step": part * float(step)})


def quantities(solution: Solution, rows: int, wheels: int) -> dict[str, Any]:
    """The compared quantities of a run: tensions and tooth forces [N], losses and energy exchanged [J], in this number
    of rows.
    """
    tension = solution.values("span_tension", slice(0, rows))
    on_teeth = (solution.values("contact_surface", slice(0, rows)) >= 0) & (
        solution.values("contact_surface", slice(0, rows)) < wheels
    )
    works = {name: np.asarray(solution.values(f"work_{name}", slice(0, rows))) for name in solution.audit.losses}
    accounts = [
        np.asarray(solution.values(name, slice(0, rows)))
        for name in solution.channels
        if name.startswith(("work_", "energy_")) and name != "energy_residual"
    ]
    return {
        "mean tension": tension.mean(axis=0),
        "largest tension": tension.max(axis=0),
        "tooth force": np.where(on_teeth, solution.values("contact_force", slice(0, rows)), 0.0).max(),
        "losses": {name: float(work[-1] - work[0]) for name, work in works.items()},
        "energy_exchanged": 0.5 * sum(float(np.abs(np.diff(account)).sum()) for account in accounts),
    }


def agreement(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, float]:
    """Relative differences of the results of ``quantities``, by name.

    Each difference is relative to the larger of the two values, for tensions to at least ``FLOOR`` of the largest
    tension. Losses that differ by less than ``NOTHING`` of the energy exchanged count as equal.
    """
    found = {}
    for name in ("mean tension", "largest tension"):
        a, b = np.asarray(one[name]), np.asarray(other[name])
        size = np.maximum(np.abs(a), np.abs(b))
        size = np.maximum(size, FLOOR * size.max())
        for span, share in enumerate(np.abs(a - b) / np.where(size > 0.0, size, 1.0)):
            found[f"{name} of span {span}"] = float(share)
    found["largest tooth force"] = _relative(one["tooth force"], other["tooth force"], 0.0)
    nothing = NOTHING * max(one["energy_exchanged"], other["energy_exchanged"])
    for name in one["losses"]:
        found[f"loss: {name.replace('_', ' ')}"] = _relative(one["losses"][name], other["losses"][name], nothing)
    return found


def _relative(a: float, b: float, nothing: float) -> float:
    return 0.0 if abs(a - b) <= nothing else float(abs(a - b) / max(abs(a), abs(b)))


def _run(drive: Drive, cpu: float, **options: Any) -> Solution:
    """Run a drive, and end the run normally after a CPU time [s]."""
    begun = time.process_time()

    def watch(progress: Progress) -> None:
        if time.process_time() - begun > cpu:
            raise KeyboardInterrupt

    return simulate(drive, progress=watch, **options)


def _told(solution: Solution) -> dict[str, Any]:
    """The end status and the warnings of a run."""
    status, warnings = solution.status, list(solution.warnings)
    return {
        "outcome": "capped" if status == Status.INTERRUPTED else status.name,
        "capped": status == Status.INTERRUPTED,
        "warnings": warnings,
        "says_so": any(of_accuracy(text) for text in warnings),
    }


def of_accuracy(warning: str) -> bool:
    """Whether a warning is about inaccurate results."""
    return any(beginning.match(warning) for beginning in OF_ACCURACY)


def _number(value: Any) -> float | None:
    """A number for JSON; None for infinite values and not-a-number."""
    return None if value is None or not math.isfinite(value) else float(value)
