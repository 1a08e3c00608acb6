"""The summary of the results: drive, settings, largest loads, how the run ended, steady or not, energy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from chaindrive.analyses.results.jumps import jumps_text, tooth_jumps
from chaindrive.analyses.results.losses import efficiency_text
from chaindrive.analyses.results.periodicity import period_text, repetitions, share_text, steady_text
from chaindrive.numbers import column, count, scaled
from chaindrive.report.contents import Section, Table, amount, merged, row, side_by_side, table
from chaindrive.report.findings import Findings
from chaindrive.report.subject import Subject
from chaindrive.system import Status

MOST_JUMPS = 20
"""Jumps of the chain that are listed one by one."""
_SHOWN = ("largest link tension", "largest contact force", "largest pin force", "largest pin gap")
"""Peaks that the summary tells."""

__all__ = ["energy_section", "summary_section", "warnings_of"]


def warnings_of(subjects: Sequence[Subject]) -> tuple[str, ...]:
    """What the reader must know before all else: warnings of the runs, and those that did not reach their end."""
    found = []
    for subject in subjects:
        solution = subject.solution
        before = f"{subject.label}: " if len(subjects) > 1 else ""
        if solution.status != Status.REACHED_END:
            found.append(before + solution.ending)
        found += [before + text for text in solution.warnings]
    return tuple(found)


def summary_section(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Section:
    """The facts that one looks for first."""
    facts = [_facts(subject) | _loads(found) for subject, found in zip(subjects, findings, strict=True)]
    return Section(
        "summary",
        "Summary",
        (),
        (
            side_by_side("What was simulated, and how it went", [each.label for each in subjects], facts),
            *(each for subject in subjects for each in _jumps(subject, len(subjects) > 1)),
        ),
    )


def _jumps(subject: Subject, named: bool) -> tuple[Table, ...]:
    """When the chain jumped on which wheel, if it did; after MOST_JUMPS the rest is counted only."""
    found = tooth_jumps(subject.solution)
    if not found:
        return ()
    rows = [row(amount(jump.time, "s", 6), jump.name, str(jump.teeth)) for jump in found[:MOST_JUMPS]]
    if len(found) > MOST_JUMPS:
        rest = found[MOST_JUMPS:]
        rows.append(row(f"{len(rest)} more, to {amount(rest[-1].time, 's', 6)}", "", str(sum(j.teeth for j in rest))))
    whose = f" ({subject.label})" if named else ""
    return (
        table(f"Jumps of the chain{whose}, at the first stored instant after each", ["time", "wheel", ">teeth"], rows),
    )


def _facts(subject: Subject) -> dict[str, str]:
    solution, drive, chain = subject.solution, subject.drive, subject.drive.chain
    first, last = float(subject.time[0]), float(subject.time[-1])
    spacing = (last - first) / max(subject.time.size - 1, 1)
    rate = f", {amount(1.0 / spacing, 'Hz')}" if spacing > 0.0 else ""
    options = solution.options
    facts = {
        "Drive": drive.name or "without name",
        "Source": getattr(drive, "source", "") or "",
        "Chain": f"{chain.links} links of {amount(chain.pitch, 'm')}"
        + (f", {chain.standard}" if getattr(chain, "standard", None) else ""),
        "Wheels": ", ".join(f"{wheel.name} ({wheel.teeth})" for wheel in drive.wheels),
        "Guides": ", ".join(guide.name for guide in drive.guides),
        "Tensioners": ", ".join(each.name for each in drive.tensioners),
        "Time reported": f"{amount(first, 's', 6)} to {amount(last, 's', 6)}, "
        f"{count(subject.time.size)} stored instants{rate}",
        "How it ended": solution.ending,
        "Teeth jumped": jumps_text(solution.notes),
        "Steady": _steady(subject),
        "Energy": _energy_text(subject),
        "Formulation and solver": f"{solution.attrs.get('formulation', '')}, {solution.attrs.get('solver', '')}"
        + (f", contact {options['formulation']['contact_law']}" if _has(options, "formulation", "contact_law") else ""),
        "Left out by the formulation": ", ".join(solution.notes.get("left_out", ())),
    }
    return {name: text for name, text in facts.items() if text.strip(" ,")}


def _loads(found: Findings) -> dict[str, str]:
    """The largest loads, in a few words."""
    facts = {}
    for peak in found.peaks.peaks if found.peaks else ():
        if peak.quantity in _SHOWN and peak.quantity not in facts:
            where = f" {peak.where}" if peak.where else ""
            words = f"{amount(peak.value, peak.unit)} at {amount(peak.time, 's', 6)}, {peak.kind} {peak.index}{where}"
            facts[peak.quantity] = words
    if found.losses is not None:
        words = amount(found.losses.total, "W")
        facts["losses"] = f"{words} (mean from {found.losses.start:.4g} to {found.losses.stop:.4g} s)"
        facts["efficiency"] = efficiency_text(found.losses)
    return {name.capitalize(): text for name, text in facts.items()}


def _has(options: Mapping[str, Any], *path: str) -> bool:
    here: Any = options
    for key in path:
        if not isinstance(here, Mapping) or key not in here:
            return False
        here = here[key]
    return True


def _steady(subject: Subject) -> str:
    """Whether the run was steady: what the run found when it waited for it, else how well its end repeats."""
    if text := steady_text(subject.solution.notes):
        return text
    if subject.drive.chain.ends is not None:
        return "not looked at: nothing comes round in an open chain"
    rows = [each for each in repetitions(subject.solution) if each.name.startswith("span tension")]
    shares, period = [each.period for each in rows if math.isfinite(each.period)], period_text(subject.drive)
    if not shares:
        return f"not known: the result is too short to compare it with itself one {period} before"
    largest = share_text(max(shares))
    return f"span tensions at the end differ by at most {largest} % (rms) from those one {period} before"


def _energy_text(subject: Subject) -> str:
    audit = subject.solution.audit
    if not audit.energy_exchanged > 0.0:
        return ""
    return (
        f"{amount(audit.input, 'J')} put in; at most {audit.relative_residual:.1e} of the "
        f"{amount(audit.energy_exchanged, 'J')} exchanged is not accounted for"
    )


def energy_section(subjects: Sequence[Subject]) -> Section:
    """Where the energy went, over the whole run."""
    audits = [subject.solution.audit for subject in subjects]
    accounts = [audit.rows for audit in audits]
    factor, unit = scaled((value for each in accounts for value in each.values()), "J")
    powers = [
        {name: value / audit.duration for name, value in each.items()} if audit.duration > 0.0 else {}
        for each, audit in zip(accounts, audits, strict=True)
    ]
    power_factor, power_unit = scaled((value for each in powers for value in each.values()), "W")
    headings = [""]
    for subject in subjects:
        whose = f"{subject.label}: " if len(subjects) > 1 else ""
        headings += [f">{whose}energy [{unit}]", f">{whose}mean power [{power_unit}]"]
    rows = []
    for name in merged(accounts):
        cells = []
        for each, power in zip(accounts, powers, strict=True):
            cells += [
                column(each[name] * factor) if name in each else "–",
                column(power[name] * power_factor) if name in power else "–",
            ]
        rows.append(row(name, *cells))
    paragraphs = tuple(
        (f"{subject.label}: " if len(subjects) > 1 else "")
        + f"{amount(audit.energy_exchanged, 'J')} changed their account; of that at most {audit.relative_residual:.1e} "
        f"is not accounted for ({amount(audit.largest_residual, 'J')})."
        for subject, audit in zip(subjects, audits, strict=True)
        if audit.energy_exchanged > 0.0
    )
    caption = "Energy balance of the whole run: put in = taken out + lost + stored + not accounted for"
    return Section("energy", "Energy audit", paragraphs, (table(caption, headings, rows),))
