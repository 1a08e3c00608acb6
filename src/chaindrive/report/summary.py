"""The summary of the results: drive, settings, how the run ended, steady or not, energy, what differs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chaindrive.analyses.periodicity import repetitions, steady_text
from chaindrive.numbers import clock, column, count, scaled
from chaindrive.report.contents import Cell, Section, Table, amount, merged, row, table
from chaindrive.report.drive import span_names
from chaindrive.report.findings import Findings
from chaindrive.report.subject import Subject
from chaindrive.system import Status

__all__ = ["differences", "drive_section", "energy_section", "run_section", "summary_section", "warnings_of"]

TO_DEGREES, TO_RPM = 180.0 / math.pi, 30.0 / math.pi


def _compared(caption: str, subjects: Sequence[Subject], facts: Sequence[Mapping[str, str]], note: str = "") -> Table:
    """A table of facts with one column for each result."""
    names = merged(facts)
    columns = ["", *([subject.label for subject in subjects] if len(subjects) > 1 else [""])]
    return table(caption, columns, [row(name, *(each.get(name, "–") for each in facts)) for name in names], note)


def warnings_of(subjects: Sequence[Subject]) -> tuple[str, ...]:
    """What the reader must know before all else: warnings of the runs, and those that did not reach their end."""
    found = []
    for subject in subjects:
        solution = subject.solution
        before = f"{subject.label}: " if len(subjects) > 1 else ""
        if solution.status is not Status.REACHED_END:
            found.append(f"{before}{solution.status.meaning} {solution.status.advice}".strip())
        found += [before + text for text in solution.warnings]
    return tuple(found)


def summary_section(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Section:
    """The facts that one looks for first."""
    facts = [_facts(subject) | _loads(found) for subject, found in zip(subjects, findings, strict=True)]
    return Section("summary", "Summary", (), (_compared("What was simulated, and how it went", subjects, facts),))


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
        "How it ended": f"{solution.status.meaning} {solution.status.advice}".strip(),
        "Steady": _steady(subject),
        "Energy": _energy_text(subject),
        "Formulation and solver": f"{solution.attrs.get('formulation', '')}, {solution.attrs.get('solver', '')}"
        + (f", contact {options['formulation']['contact_law']}" if _has(options, "formulation", "contact_law") else ""),
    }
    return {name: text for name, text in facts.items() if text.strip(" ,")}


def _loads(found: Findings) -> dict[str, str]:
    """The largest loads, in a few words."""
    facts = {}
    for peak in found.peaks.peaks if found.peaks else ():
        if peak.quantity in ("largest link tension", "largest contact force") and peak.quantity not in facts:
            where = f" {peak.where}" if peak.where else ""
            words = f"{amount(peak.value, peak.unit)} at {amount(peak.time, 's', 6)}, {peak.kind} {peak.index}{where}"
            facts[peak.quantity] = words
    if found.losses is not None:
        words = amount(found.losses.total, "W")
        if math.isfinite(found.losses.efficiency):
            words += f"; efficiency {100.0 * found.losses.efficiency:.2f} %"
        facts["losses"] = f"{words} (mean from {found.losses.start:.4g} to {found.losses.stop:.4g} s)"
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
    rows = [each for each in repetitions(subject.solution) if each.name.startswith("span tension")]
    shares = [each.revolution for each in rows if math.isfinite(each.revolution)]
    if not shares:
        return "not known: the result is too short to compare two revolutions of the driver"
    return (
        f"span tensions at the end differ by at most {100.0 * max(shares):.2g} % (rms) from those one revolution of "
        "the driver before"
    )


def _energy_text(subject: Subject) -> str:
    audit = subject.solution.audit
    if not audit.turned_over > 0.0:
        return ""
    return (
        f"{amount(audit.input, 'J')} put in; at most {audit.relative_residual:.1e} of the "
        f"{amount(audit.turned_over, 'J')} turned over is not accounted for"
    )


def drive_section(subjects: Sequence[Subject]) -> Section:
    """Wheels, spans, guides, bodies and tensioners, as described; results of the same drive share the tables."""
    groups: dict[str, list[Subject]] = {}
    for subject in subjects:
        groups.setdefault(_description(subject), []).append(subject)
    tables: list[Table] = []
    for members in groups.values():
        whose = f" of {_listed(member.label for member in members)}" if len(groups) > 1 else ""
        tables += _drive_tables(members[0].drive, whose)
    notes = tuple(dict.fromkeys(text for subject in subjects for text in getattr(subject.drive, "notes", ()) or ()))
    return Section("drive", "The drive", notes, tuple(tables))


def _description(subject: Subject) -> str:
    return str(subject.drive.model_dump(exclude={"run", "name"}))


def _listed(names: Iterable[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def _drive_tables(drive: Any, whose: str) -> list[Table]:
    from chaindrive.drawing.scene import drive_route

    chain, way = drive.chain, drive_route(drive)
    wheels = [
        row(
            wheel.name,
            Cell(str(wheel.teeth)),
            f"{1e3 * float(way.radii[w]):.5g}",
            f"{TO_DEGREES * float(way.wrap[w]):.1f}",
            f"({1e3 * wheel.position[0]:.6g}, {1e3 * wheel.position[1]:.6g})",
            "–" if wheel.inertia is None else f"{wheel.inertia:.4g}",
            wheel.tooth.form,
            _motion_text(wheel),
        )
        for w, wheel in enumerate(drive.wheels)
    ]
    tables = [
        table(
            f"Wheels{whose}, in the order in which the chain meets them",
            ["wheel", ">teeth", ">pitch radius [mm]", ">wrap [deg]", ">centre [mm]", ">inertia [kg m²]", "tooth form",
             "motion and load"],
            wheels,
        ),
        table(
            f"Spans{whose}",
            ["span", ">length [mm]", ">length [pitches]"],
            [
                row(name, f"{1e3 * float(length):.5g}", f"{float(length) / chain.pitch:.2f}")
                for name, length in zip(span_names(drive), way.span_length, strict=True)
            ],
        ),
        table(f"Chain{whose}", ["", ">"], [row(name, text) for name, text in _chain_facts(chain)]),
    ]  # fmt: skip
    carried = [
        row(each.name, kind, what)
        for each, kind, what in [
            *((guide, "guide", f"{guide.shape.kind}, on {guide.body}") for guide in drive.guides),
            *((body, "body", _body_text(body)) for body in drive.bodies),
            *((each, "tensioner", _tensioner_text(each)) for each in drive.tensioners),
        ]
    ]
    if carried:
        tables.append(table(f"Guides, bodies and tensioners{whose}", ["name", "kind", "description"], carried))
    return tables


def _chain_facts(chain: Any) -> list[tuple[str, str]]:
    facts = [
        ("links", str(chain.links)),
        ("pitch", amount(chain.pitch, "m", 6)),
        ("roller diameter", amount(chain.roller_diameter, "m")),
        ("mass of a link", amount(1e3 * chain.link_mass, "g")),
        ("stiffness of a link", amount(chain.link_stiffness, "N/m")),
        ("damping of a link", amount(chain.link_damping, "N s/m")),
    ]
    if chain.joint_friction:
        facts.append(("friction in the joints", f"{chain.joint_friction:.4g}"))
    if chain.joint_damping:
        facts.append(("damping in the joints", amount(chain.joint_damping, "N m s/rad")))
    if chain.breaking_load is not None:
        facts.append(("breaking load", amount(chain.breaking_load, "N")))
    return facts


def _motion_text(wheel: Any) -> str:
    parts = []
    motion = wheel.motion
    if motion is not None:
        words = motion.kind.replace("_", " ")
        if hasattr(motion, "final_speed"):
            words = f"{TO_RPM * motion.initial_speed:.5g} to {TO_RPM * motion.final_speed:.5g} rpm, {words}"
        else:
            words = f"{TO_RPM * motion.speed:.5g} rpm, {words}"
        if motion.kind == "orders":
            words += " " + ", ".join(f"{term.order:g}" for term in motion.orders)
        parts.append(words)
    if wheel.load_torque:
        parts.append(f"torque {amount(wheel.load_torque, 'N m')}")
    if wheel.load_viscous:
        parts.append(f"viscous {amount(wheel.load_viscous, 'N m s/rad')}")
    if wheel.load_quadratic:
        parts.append(f"quadratic {amount(wheel.load_quadratic, 'N m s²/rad²')}")
    if wheel.load_table is not None:
        torques = wheel.load_table.torques
        parts.append(f"torque over the angle, {amount(min(torques), 'N m')} to {amount(max(torques), 'N m')}")
    return ", ".join(parts) or "turns freely"


def _body_text(body: Any) -> str:
    return f"{body.joint.kind} joint on {body.parent}, mass {amount(1e3 * body.mass, 'g')}"


def _tensioner_text(each: Any) -> str:
    return f"{each.kind.replace('_', ' ')}, from {each.from_body} to {each.to_body}, {amount(each.stiffness, 'N/m')}"


def run_section(subjects: Sequence[Subject]) -> Section:
    """Options, statistics and how well the result repeats."""
    settings = [
        {".".join(path): text for path, text in _flat(subject.solution.options).items()} for subject in subjects
    ]
    tables = [
        _compared("Options of the run", subjects, settings, "SI units."),
        _compared("Integration", subjects, [_statistics(subject) for subject in subjects]),
    ]
    for subject in subjects:
        if rows := repetitions(subject.solution):
            whose = f" ({subject.label})" if len(subjects) > 1 else ""
            tables.append(
                table(
                    f"How well it repeats at the end{whose}",
                    ["channel", ">one loop before [%]", ">one driver revolution before [%]", ">one tooth before [%]"],
                    [row(each.name, *(_share(x) for x in each[1:])) for each in rows],
                    "Rms of the difference; 0 % repeats exactly, 100 % is not related.",
                )
            )
    return Section("run", "How it was computed", (), tuple(tables))


def _share(value: float) -> str:
    return f"{100.0 * value:.2g}" if math.isfinite(value) else "–"


def _flat(values: Any, before: tuple[str, ...] = ()) -> dict[tuple[str, ...], str]:
    """Nested options as paths and texts; parts of lists go by their names where they have any."""
    if isinstance(values, Mapping):
        items = [(str(key), item) for key, item in values.items()]
    elif isinstance(values, list | tuple) and any(isinstance(item, Mapping | list | tuple) for item in values):
        items = [
            (str(item["name"]) if isinstance(item, Mapping) and item.get("name") else str(number), item)
            for number, item in enumerate(values)
        ]
    elif isinstance(values, list | tuple):
        return {before: ", ".join(_number(item) for item in values)} if values else {}
    else:
        return {before: "–" if values is None else _number(values)}
    found: dict[tuple[str, ...], str] = {}
    for key, item in items:
        found |= _flat(item, (*before, key))
    return found


def _number(value: Any) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _statistics(subject: Subject) -> dict[str, str]:
    statistics = subject.solution.statistics
    known = {
        "steps": ("steps", count),
        "rejected": ("of them rejected", count),
        "evaluations": ("evaluations of the right-hand side", count),
        "changed": ("of them after an impact", count),
        "smallest_step": ("smallest step", lambda value: amount(value, "s", 3)),
        "mean_step": ("mean step", lambda value: amount(value, "s", 3)),
        "largest_step": ("largest step", lambda value: amount(value, "s", 3)),
        "simulated_time": ("simulated time", lambda value: amount(value, "s", 6)),
        "wall_time": ("wall-clock time", clock),
    }
    found = {words: str(form(statistics[key])) for key, (words, form) in known.items() if key in statistics}
    return found | {key.replace("_", " "): f"{value:g}" for key, value in statistics.items() if key not in known}


def energy_section(subjects: Sequence[Subject]) -> Section:
    """Where the energy went, over the whole run."""
    audits = [subject.solution.audit for subject in subjects]
    accounts = []
    for audit in audits:
        entries = {"work put in": audit.input, "work taken out": audit.output}
        entries |= {f"lost in {name.replace('_', ' ')}": loss for name, loss in audit.losses.items()}
        entries |= {f"stored as {name.replace('_', ' ')} energy": change for name, change in audit.stored.items()}
        accounts.append(entries | {"not accounted for": audit.residual})
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
        + f"{amount(audit.turned_over, 'J')} changed their account; of that at most {audit.relative_residual:.1e} is "
        f"not accounted for ({amount(audit.largest_residual, 'J')})."
        for subject, audit in zip(subjects, audits, strict=True)
        if audit.turned_over > 0.0
    )
    caption = "Energy balance of the whole run: put in = taken out + lost + stored + not accounted for"
    return Section("energy", "Energy audit", paragraphs, (table(caption, headings, rows),))


def differences(subjects: Sequence[Subject]) -> Section | None:
    """Values of the descriptions and options in which several results differ; None for one result."""
    if len(subjects) < 2:
        return None
    words = {"name", "source", "notes"}
    flat = [_shortened(_flat(each.drive.model_dump(exclude_none=True, exclude=words)), subjects) for each in subjects]
    rows = [
        row(".".join(path), *(each.get(path, "–") for each in flat))
        for path in merged(flat)
        if len({each.get(path) for each in flat}) > 1
    ]
    if not rows:
        return Section("differences", "What differs", ("The results have the same description and the same options.",))
    headings = ["", *(subject.label for subject in subjects)]
    caption = "Values that differ, in SI units; everything else in description and options is the same"
    return Section("differences", "What differs", (), (table(caption, headings, rows),))


def _shortened(values: dict[tuple[str, ...], str], subjects: Sequence[Subject]) -> dict[tuple[str, ...], str]:
    """One line for a part (wheel, guide, body, tensioner) that not all of the results have, instead of all it says."""
    found: dict[tuple[str, ...], str] = {}
    for path, text in values.items():
        name = path[1] if len(path) > 2 and path[0] in _PARTS else ""
        if name and not all(any(part.name == name for part in getattr(each.drive, path[0])) for each in subjects):
            found[path[:2]] = "there"
        elif not (name and path[2:] == ("name",)):
            found[path] = text
    return found


_PARTS = ("wheels", "guides", "bodies", "tensioners")
