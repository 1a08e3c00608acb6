"""The summary of the results: drive, settings, largest loads, end of the run, steadiness and energy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chaindrive.analyses.carried import carried_text
from chaindrive.analyses.results.jumps import jumps_text, tooth_jumps
from chaindrive.analyses.results.periodicity import steady_text
from chaindrive.analyses.results.steadiness import steadiness
from chaindrive.contract.status import Status
from chaindrive.geometry.route import pitch_radius
from chaindrive.model import Drive, Wheel
from chaindrive.numbers import count
from chaindrive.report.contents import Section, Table, amount, row, side_by_side, table
from chaindrive.report.subject import Subject
from chaindrive.results.trajectory import trajectory_text
from chaindrive.studies.run_warnings import warnings_of_repeats

MOST_JUMPS = 20
"""Largest number of chain jumps that are listed individually."""
__all__ = ["summary_section", "warnings_of"]


def warnings_of(subjects: Sequence[Subject]) -> tuple[str, ...]:
    """The most important facts: warnings of the runs, and runs that did not reach their end."""
    found = []
    for subject in subjects:
        solution = subject.solution
        before = f"{subject.label}: " if len(subjects) > 1 else ""
        if solution.status != Status.REACHED_END:
            found.append(before + solution.ending)
        found += [before + text for text in (*solution.warnings, *warnings_of_repeats(solution))]
    return tuple(found)


def summary_section(subjects: Sequence[Subject]) -> Section:
    """The section with the facts that a reader needs first."""
    facts = [_facts(subject) for subject in subjects]
    paragraphs: tuple[str, ...] = ()
    sources = {each.get("Source", "") for each in facts}
    if len(facts) > 1 and len(sources) == 1 and (source := sources.pop()):
        paragraphs = (f"All have the same source: {source}",)
        facts = [{key: text for key, text in each.items() if key != "Source"} for each in facts]
    return Section(
        "summary",
        "Summary",
        paragraphs,
        (
            side_by_side("Drive and run", [each.label for each in subjects], facts),
            *(each for subject in subjects for each in _jumps(subject, len(subjects) > 1)),
        ),
    )


def _jumps(subject: Subject, named: bool) -> tuple[Table, ...]:
    """A table of the times and wheels of chain jumps, if there are any; jumps beyond the first MOST_JUMPS are only
    counted.
    """
    found = tooth_jumps(subject.solution)
    if not found:
        return ()
    rows = [row(amount(jump.time, "s", 6), jump.name, str(jump.teeth)) for jump in found[:MOST_JUMPS]]
    if len(found) > MOST_JUMPS:
        rest = found[MOST_JUMPS:]
        rows.append(row(f"{len(rest)} more, to {amount(rest[-1].time, 's', 6)}", "", str(sum(j.teeth for j in rest))))
    whose = f" ({subject.label})" if named else ""
    return (
        table(
            f"Jumps of the chain{whose}, at the first stored instant after each jump", ["time", "wheel", ">teeth"], rows
        ),
    )


def _size(drive: Drive, wheel: Wheel) -> str:
    """The number of teeth of a wheel, or for a pair of sheaves the radius at which the chain runs at the start, as
    text.
    """
    if not drive.sheaves:
        return f"{wheel.teeth}"
    return f"from {amount(float(pitch_radius(drive.chain.mean_pitch, wheel.teeth)), 'm')}"


def _facts(subject: Subject) -> dict[str, str]:
    solution, drive, chain = subject.solution, subject.drive, subject.drive.chain
    first, last = float(subject.time[0]), float(subject.time[-1])
    spacing = (last - first) / max(subject.time.size - 1, 1)
    rate = f", {amount(1.0 / spacing, 'Hz')}" if spacing > 0.0 else ""
    options = solution.options
    facts = {
        "Drive": drive.name or "unnamed",
        "Source": getattr(drive, "source", "") or "",
        "Chain": f"{chain.links} links of {amount(chain.pitch, 'm')}"
        + (f", {chain.standard}" if getattr(chain, "standard", None) else ""),
        "Wheels": ", ".join(f"{wheel.name} ({_size(drive, wheel)})" for wheel in drive.wheels),
        "Guides": ", ".join(guide.name for guide in drive.guides),
        "Tensioners": ", ".join(each.name for each in drive.tensioners),
        "Carried": carried_text(drive),
        "Time range": f"{amount(first, 's', 6)} to {amount(last, 's', 6)}, "
        f"{count(subject.time.size)} stored instants{rate}",
        "Ending": solution.ending,
        "Teeth jumped": jumps_text(solution.notes),
        "Steady": _steady(subject),
        "Energy": _energy_text(subject),
        "Formulation and solver": f"{solution.attrs.get('formulation', '')}, {solution.attrs.get('solver', '')}"
        + _contacts(options, drive),
        "Path coordinates": trajectory_text(solution.notes),
        "Not modelled by this formulation": ", ".join(solution.notes.get("left_out", ())),
    }
    return {name: text for name, text in facts.items() if text.strip(" ,")}


def _contacts(options: Mapping[str, Any], drive: Drive) -> str:
    """Text that states whether contacts are rigid, or else names their law; empty for a formulation without
    contacts.
    """
    if not _has(options, "formulation", "contact_law"):
        return ""
    formulation = options["formulation"]
    if formulation.get("contacts") == "rigid":
        return ", rigid contacts"
    law = drive.contact.law if drive.contact is not None else None
    return f", contact {formulation['contact_law']}" if law is None else f", contact by the law {law}"


def _has(options: Mapping[str, Any], *path: str) -> bool:
    here: Any = options
    for key in path:
        if not isinstance(here, Mapping) or key not in here:
            return False
        here = here[key]
    return True


def _steady(subject: Subject) -> str:
    waited = steady_text(subject.solution.notes)
    return steadiness(subject.solution).text + (f" (steady criterion: {waited})" if waited else "")


def _energy_text(subject: Subject) -> str:
    audit = subject.solution.audit
    if not audit.energy_exchanged > 0.0:
        return ""
    residual, of_what = audit.judged
    return f"input {amount(audit.input, 'J')}; energy residual at most {residual:.1e} {of_what}"
