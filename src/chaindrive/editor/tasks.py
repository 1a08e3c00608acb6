"""Tasks computed for the editor in a separate process while the page is shown: the check, a short run, and the run
itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chaindrive.editor.sweep import sweep
from chaindrive.errors import ChaindriveError, ComputationError, InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import initial_configuration, judge_layout
from chaindrive.mechanism.stages import chains_alone
from chaindrive.model import Drive, loads
from chaindrive.model.files.drawing import looking_in
from chaindrive.numbers import quantity

__all__ = ["TASKS", "check", "in_block", "problem_entry", "read", "run", "run_short"]

Send = Callable[[dict[str, Any]], bool]
"""A function that reports progress and returns whether the task is to stop."""
MODES = 6
"""Number of natural frequencies shown, starting with the lowest."""
SHORT = 2.0
"""Longest simulated time of the short run. [s]"""
EFFORT = 3.0
"""Longest expected computing time of the short run. [s]"""


def read(text: str, folder: Path) -> Drive:
    """Return the drive described by a text, in which file names are relative to a folder. Raises InputError if the text
    is not a valid drive.
    """
    with looking_in(folder):
        return loads(text)


def problem_entry(problem: Problem) -> dict[str, str]:
    """Return a problem in the form that the page expects."""
    return {"place": problem.place, "message": problem.message, "value": problem.value}


def check(text: str, folder: Path, send: Send) -> dict[str, Any]:
    """Return warnings, spans with tensions, first natural frequencies, pictures, and the cost of the run.

    Everything that can be computed is included; problems are in ``problems``. Raises InputError if the text does not
    describe a drive.
    """
    found: dict[str, Any] = {"problems": [], "warnings": [], "chains": [], "pictures": []}
    drive = read(text, folder)
    for chain in chains_alone(drive):
        try:
            _check_chain(chain, found)
        except InputError as error:
            found["problems"] += [problem_entry(problem) for problem in error.problems]
        except ComputationError as error:
            found["warnings"].append(str(error))
    return found


def _check_chain(drive: Drive, found: dict[str, Any]) -> None:
    from chaindrive.analyses.analytical.back_tension import doubt
    from chaindrive.editor.picture import rest_picture
    from chaindrive.simulation.at_rest import at_rest
    from chaindrive.simulation.start import prepare

    if not drive.sheaves:
        placed = None if drive.preload is not None else initial_configuration(drive)
        judged = judge_layout(drive, placed)
        found["warnings"] += judged.warnings
        if placed is not None and (told := doubt(drive, placed)):
            found["warnings"].append(told)
        if judged.problems:
            raise InputError(judged.problems)
    started = prepare(drive) if drive.sheaves else prepare(drive, start="at_rest")
    system = started.system.as_integrated
    notes = system.story.notes
    rest = at_rest(started.system)
    tensions = notes.get("static_span_tension")
    facts = drive_facts(started.drive)
    spans = []
    for k, (name, length) in enumerate(zip(started.drive.span_names, facts.route.span_length, strict=True)):
        tension = None if tensions is None else float(tensions[k])
        spans.append({"name": name, "length": float(length), "tension": tension})
    found["warnings"] += [warning for warning in system.story.warnings if warning not in found["warnings"]]
    frequencies, reason = _frequencies(started.system)
    expected = _forecast(started)
    found["chains"].append(
        {
            "name": drive.name,
            "at_rest": bool(rest.found),
            "residual": None if math.isnan(rest.residual) else rest.residual,
            "spans": spans,
            "tensioners": [
                {"name": tensioner.name, "length": float(length), "force": float(force)}
                for tensioner, length, force in zip(
                    drive.tensioners, rest.tensioner_lengths, rest.tensioner_forces, strict=True
                )
            ],
            "frequencies": frequencies,
            "no_frequencies": reason,
            "cost": " ".join([expected.text, *(f"{each}." for each in expected.cheaper)]),
        }
    )
    if not drive.sheaves:
        found["pictures"].append(rest_picture(started.drive, rest, started.system))


def _frequencies(system: Any) -> tuple[list[float], str]:
    """Return the first natural frequencies at rest [Hz], and a reason if there are none."""
    from chaindrive.analyses.linear.linearised import system_modes

    try:
        modes = system_modes(system, MODES)
    except ChaindriveError as error:
        return [], str(error)
    return [float(each) for each in modes.frequency if math.isfinite(each)], ""


def _forecast(started: Any) -> Any:
    """Return the forecast of the cost of the run."""
    from chaindrive.simulation.forecast import run_forecast

    run = started.drive.run
    return run_forecast(started.drive, started.system.as_integrated, run, run.quasi_static or 1.0)


def run_short(text: str, folder: Path, send: Send) -> dict[str, Any]:
    """Return the verdict on a short run, in the chain drive block or, if that does not support the drive, as specified.

    The run ends at the time given in the file or earlier: after SHORT, or after the simulated time that EFFORT is
    expected to allow. Raises InputError for a drive that cannot be built, ComputationError if the run fails.
    """
    from chaindrive.simulation.simulate import simulate

    drive, reasons = in_block(read(text, folder))
    wanted = drive.run.until if isinstance(drive.run.until, int | float) else SHORT
    until = min(float(wanted), SHORT, _affordable(drive))
    with simulate(drive, until, progress=_progress_to(send)) as solution:
        if not solution.time.size:
            raise ComputationError(solution.ending or "nothing was computed")
        verdicts = [_verdict_entry(chain) for chain in solution.chains]
        return {"formulation": drive.run.formulation.kind, "reasons": reasons, "until": until, "verdicts": verdicts}


def in_block(drive: Drive) -> tuple[Drive, list[str]]:
    """Return the drive in the formulation of the chain drive block, or the unchanged drive and the reasons if the block
    does not support it.
    """
    from chaindrive.studies.formulations import in_formulation

    try:
        return in_formulation(drive, "block"), []
    except InputError as error:
        return drive, [f"{problem.place}: {problem.message}" for problem in error.problems]


def _affordable(drive: Drive) -> float:
    """Return the simulated time that EFFORT is expected to allow [s]; with several chains, for the most
    expensive one.
    """
    from chaindrive.simulation.start import prepare

    times = [SHORT]
    for chain in chains_alone(drive):
        expected = _forecast(prepare(chain))
        if expected.cost and expected.cost.seconds > 0.0:
            times.append(EFFORT * expected.simulated / expected.cost.seconds)
    return min(times)


def run(text: str, folder: Path, send: Send, output: str = "", report: str = "") -> dict[str, Any]:
    """Perform the run described in the file, with results and report; if stopped, keep the results so far.

    Raises InputError and ComputationError as ``simulate`` does.
    """
    from chaindrive.report import write_report
    from chaindrive.simulation.simulate import simulate

    drive = read(text, folder)
    with simulate(drive, output=folder / output, progress=_progress_to(send)) as solution:
        if not solution.time.size:
            raise ComputationError("the run was stopped before its first step")
        write_report(solution, folder / report)
        verdicts = [_verdict_entry(chain) for chain in solution.chains]
        return {"output": output, "report": report, "ending": solution.ending, "verdicts": verdicts}


def _progress_to(send: Send) -> Callable[[Any], None]:
    def tell(progress: Any) -> None:
        remaining = progress.remaining if math.isfinite(progress.remaining) else None
        if send({"time": progress.time, "until": progress.until, "remaining": remaining}):
            raise KeyboardInterrupt

    return tell


def _verdict_entry(solution: Any) -> dict[str, Any]:
    found = solution.verdict
    return {
        "name": solution.name,
        "window": f"{found.part.name}, {found.window}",
        "summary": found.summary,
        "tiles": [
            {
                "title": tile.title,
                "headline": tile.headline,
                "word": tile.word,
                "sign": tile.sign.name.lower(),
                "mark": tile.mark,
                "lines": list(tile.lines),
            }
            for tile in found.tiles
        ],
        "until": quantity(float(solution.time[-1]), "s"),
    }


TASKS: dict[str, Callable[..., dict[str, Any]]] = {"check": check, "short": run_short, "run": run, "sweep": sweep}
"""Tasks by name; each is called with (text, folder, send, ...)."""
