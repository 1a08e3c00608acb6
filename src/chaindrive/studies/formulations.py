"""One drive simulated in several formulations, one after the other, with the results side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from chaindrive.analyses.linear.linearised import frequencies_by_part, in_line, mode_shares, system_modes
from chaindrive.analyses.results.differences import TOLERANCE
from chaindrive.analyses.results.side_by_side import SideBySide, side_by_side
from chaindrive.contract.states import FloatArray
from chaindrive.contract.status import Status
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.formulations.registry import FORMULATIONS
from chaindrive.mechanism.stages import number_of_spans
from chaindrive.model import Drive, carried_over, override
from chaindrive.model.checks.rigid import options_left_out
from chaindrive.model.files.drives import drive_of
from chaindrive.model.problems import nearest, shown
from chaindrive.results.files import check_results
from chaindrive.results.solution import Solution
from chaindrive.simulation.progress import Progress
from chaindrive.simulation.simulate import simulate
from chaindrive.simulation.start import prepare

__all__ = ["RIGID", "FormulationComparison", "checked_kinds", "compare", "in_formulation"]

RIGID = {"roller-rigid": "roller", "link-rigid": "link"}
"""Formulations with rigid contacts, by the names that they have in a comparison."""
MODES_PER_SPAN = 8
"""Number of modes, from the lowest, computed for every span."""


class FormulationComparison(NamedTuple):
    """A drive in several formulations."""

    solutions: Mapping[str, Solution]
    """Results by kind of formulation, in the requested order, whether or not the runs reached their end;
    ``write_report`` accepts them."""
    table: SideBySide | None
    """Side-by-side table of the runs that reached their end; None if there are fewer than two."""
    refused: Mapping[str, tuple[Problem, ...]]
    """Reasons why formulations do not support the drive, by kind."""
    failed: Mapping[str, str]
    """How the runs ended that did not reach their end, with advice."""
    interrupted: bool
    """Whether Ctrl-C ended the comparison; formulations whose run had not begun then have no result."""

    def __repr__(self) -> str:
        groups = {"compared": self.solutions.keys() - self.failed, "failed": self.failed, "refused": self.refused}
        texts = (f"{', '.join(sorted(kinds))} {word}" for word, kinds in groups.items() if kinds)
        return f"<FormulationComparison: {'; '.join(texts)}{'; interrupted' * self.interrupted}>"


def compare(
    drive: Drive | str | os.PathLike[str],
    formulations: Sequence[str] = ("block", "roller"),
    until: float | Literal["steady"] | None = None,
    *,
    at_most: float | None = None,
    outputs: Mapping[str, str | os.PathLike[str]] | None = None,
    overwrite: bool = False,
    frequencies: bool = True,
    tolerance: float = TOLERANCE,
    progress: Callable[[str, Progress], None] | None = None,
) -> FormulationComparison:
    """Simulate a drive in several formulations, and compare their common results.

    drive: a drive, the path of its file, or the name of an example. formulations: at least two kinds ("roller-rigid"
    and "link-rigid" are also allowed); all others are compared with the first. Options of the formulation in
    ``drive.run`` (laws of contact and friction) also apply to other formulations that have the same options; everything
    else is the same for all. until, at_most: as for ``simulate``. outputs: a results file for each kind, which is
    written during the run. frequencies: whether eigenfrequencies at rest are compared, which takes a few seconds.
    tolerance: see ``side_by_side``. progress: called with the kind and the progress of its run.

    A formulation that does not support the drive is omitted, all reasons are recorded, and the others still run. Ctrl-C
    ends the current run; its result and those of earlier runs are kept. Raises InputError, which lists all problems,
    for unknown or repeated names of formulations; also if fewer than two formulations support the drive, with the
    reasons why the others do not.
    """
    drive = drive_of(drive)
    kinds = checked_kinds(formulations)
    if drive.sheaves:
        message = (
            "a variator has only one formulation, 'cvt', so there is nothing to compare; a study can compare options"
        )
        raise InputError(Problem("formulations", message, ", ".join(kinds)))
    _check_outputs(outputs, kinds, overwrite)
    drives: dict[str, Drive] = {}
    refused: dict[str, tuple[Problem, ...]] = {}
    for kind in kinds:
        try:
            drives[kind] = in_formulation(drive, kind)
        except InputError as error:
            refused[kind] = error.problems
    _enough(len(kinds), refused)
    solutions: dict[str, Solution] = {}
    failed: dict[str, str] = {}
    interrupted = False
    for kind, one in drives.items():
        tell = None if progress is None else _progress_of(progress, kind)
        output = None if outputs is None else outputs.get(kind)
        try:
            found = simulate(one, until, at_most=at_most, output=output, overwrite=overwrite, progress=tell)
        except InputError as error:  # errors found only when the drive is built: a chain too short, a tooth
            if all(problem.place in ("until", "at_most") for problem in error.problems):
                raise  # the request is wrong, not the formulation
            refused[kind] = error.problems
            _enough(len(kinds), refused)
            continue
        except ComputationError as error:
            failed[kind] = str(error)
            continue
        except KeyboardInterrupt:  # before its first row
            interrupted = True
            break
        solutions[kind] = found
        if found.status == Status.INTERRUPTED:
            interrupted = True
            break
        if found.status != Status.REACHED_END:
            failed[kind] = found.ending
    whole = {kind: one for kind, one in solutions.items() if one.status == Status.REACHED_END}
    table = None
    if len(whole) > 1:
        modes = None
        if frequencies and not interrupted:
            try:
                modes = {kind: _modes(drives[kind]) for kind in whole}
            except KeyboardInterrupt:
                interrupted = True
        table = side_by_side(whole, modes, tolerance)
    return FormulationComparison(solutions, table, refused, failed, interrupted)


def in_formulation(drive: Drive, kind: str) -> Drive:
    """Return the drive with a different formulation in its ``run`` (see ``model.override``); a name in RIGID stands for
    a formulation with rigid contacts.

    Options that belong to a different kind of contact or to different methods are omitted. Raises InputError listing
    everything that the formulation does not support.
    """
    given, rigid = drive.run.formulation, kind in RIGID
    own = RIGID.get(kind, kind)
    if rigid == given.rigid_contacts:
        return drive if given.kind == own else override(drive, {"run.formulation.kind": own})
    options = carried_over(given.model_dump(), own)
    if rigid:  # their friction sticks, and no steep slope limits the step
        left = {*options_left_out(drive), *getattr(given, "smoothing", ())}
        options = {name: value for name, value in options.items() if name not in left} | {"contacts": "rigid"}
    else:
        for name in ("contacts", "position_projection"):
            options.pop(name, None)
        if options.get("joint") == "revolute":
            options["joint"] = "ideal"
    chosen = {"run.solver.method": "auto", "run.solver.step": "auto"}
    return override(drive, {"run.formulation": options} | chosen)


def checked_kinds(formulations: Sequence[str]) -> list[str]:
    """Return the kinds. Raises InputError with all problems if a kind is unknown or given twice, or if there are fewer
    than two.
    """
    several = isinstance(formulations, Iterable) and not isinstance(formulations, str)
    kinds: list[str] = list(formulations) if several else [formulations]  # type: ignore[list-item]  # or not a name
    known = [*FORMULATIONS, *RIGID]
    problems = []
    for kind in dict.fromkeys(kinds):
        if kind not in known:
            hint = nearest(str(kind), known) or "."
            message = f"is not a formulation{hint} Available: {', '.join(known)}"
            problems.append(Problem("formulations", message, shown(kind)))
        elif kinds.count(kind) > 1:
            problems.append(Problem("formulations", "is given more than once", shown(kind)))
    if not problems and len(kinds) < 2:
        message = f"at least two are compared; available: {', '.join(known)}"
        problems.append(Problem("formulations", message, ", ".join(kinds)))
    if problems:
        raise InputError(problems)
    return kinds


def _check_outputs(outputs: Mapping[str, str | os.PathLike[str]] | None, kinds: Sequence[str], overwrite: bool) -> None:
    """Raise InputError unless results can be written to these files, each for one of the kinds."""
    if not isinstance(outputs, Mapping | None):
        message = "must be a mapping of kinds to results files, such as {'block': 'drive-block.nc'}"
        raise InputError(Problem("outputs", message, shown(outputs)))
    if unknown := [kind for kind in outputs or {} if kind not in kinds]:
        message = f"is not one of the formulations compared, {', '.join(kinds)}"
        raise InputError([Problem("outputs", message, shown(kind)) for kind in unknown])
    for target in (outputs or {}).values():
        check_results(target, overwrite=overwrite)


def _enough(count: int, refused: Mapping[str, tuple[Problem, ...]]) -> None:
    """Raise InputError, with the reasons, if fewer than two formulations are left."""
    if count - len(refused) < 2:
        raise InputError(
            [
                each._replace(message=f"formulation {kind!r}: {each.message}")
                for kind, problems in refused.items()
                for each in problems
            ]
        )


def _progress_of(progress: Callable[[str, Progress], None], kind: str) -> Callable[[Progress], None]:
    return lambda reached: progress(kind, reached)


def _modes(drive: Drive) -> dict[str, FloatArray]:
    """Return the natural frequencies of the drive at rest by the part that moves most, with the lowest first; in the
    formulation 'spatial' with all wheels moved into one plane. [Hz]
    """
    system = prepare(in_line(drive), start="at_rest").system
    modes = system_modes(system, MODES_PER_SPAN * number_of_spans(drive))
    return frequencies_by_part(modes, mode_shares(system, modes))
