"""Tables of the findings of the analyses: peaks, forces on bearings, and losses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from chaindrive.analyses.results.bearings import BearingLoads
from chaindrive.analyses.results.conveyor import Conveyor
from chaindrive.analyses.results.extremes import Extreme
from chaindrive.analyses.results.losses import Losses, WheelLosses
from chaindrive.numbers import column, scaled
from chaindrive.report.contents import Cell, Column, Jump, Section, Table, amount, merged, row, table
from chaindrive.report.findings import Findings
from chaindrive.report.subject import Subject
from chaindrive.results.audit import NOT_ACCOUNTED_FOR, PUT_IN, TAKEN_OUT, EnergyAudit, lost_in

__all__ = [
    "bearing_cells",
    "bearing_scale",
    "bearings_section",
    "efficiency_line",
    "elsewhere_cell",
    "losses_section",
    "missing_lines",
    "part_line",
    "part_lines",
    "peak_cell",
    "peaks_section",
    "power_cells",
    "power_scale",
    "powers_of",
    "wheel_cells",
    "wheel_scale",
    "window_text",
]

TO_DEGREES = 180.0 / math.pi
CHAIN_PARTS = ("link", "roller", "joint", "pin")
"""Kinds of parts whose peaks are identified by the number of the part."""


def window_text(start: float, stop: float) -> str:
    """The time range of a window [s] as text."""
    return f"{amount(start, 's', 6)} to {amount(stop, 's', 6)}"


def missing_lines(subjects: Sequence[Subject], findings: Sequence[Findings], name: str) -> tuple[str, ...]:
    """Texts that state why a table has no values for a result."""
    lines = []
    for subject, found in zip(subjects, findings, strict=True):
        if name in found.missing:
            lines.append(f"{subject.label}: {found.missing[name]}." if len(subjects) > 1 else f"{found.missing[name]}.")
    return tuple(line[:1].upper() + line[1:] for line in lines)


def part_lines(subjects: Sequence[Subject], findings: Sequence[Findings]) -> tuple[Cell, ...]:
    """The window of the values in a section, for each result; it follows the window chosen in the page."""
    return tuple(
        Cell(part_line(each.part.name, each.part.text, subject.label if len(subjects) > 1 else ""), follows=f"{k}/line")
        for k, (subject, each) in enumerate(zip(subjects, findings, strict=True))
    )


def part_line(name: str, when: str, label: str = "") -> str:
    """A text such as "Of the steady part, 0.2 s to 0.4 s."."""
    return f"{label}: of the {name}, {when}." if label else f"Of the {name}, {when}."


def peaks_section(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Section:
    """The section with the largest and smallest values of the window and of the whole run, with position and time; a
    click jumps to that time.
    """
    paragraphs: list[str | Cell] = [*missing_lines(subjects, findings, "peaks"), *part_lines(subjects, findings)]
    for subject, found in zip(subjects, findings, strict=True):
        if found.peaks_run is not None and found.peaks_run.not_kept:
            before = f"{subject.label}: not" if len(subjects) > 1 else "Not"
            paragraphs.append(f"{before} stored in the results: {', '.join(found.peaks_run.not_kept)}.")
    tables: tuple[Table, ...] = ()
    if any(found.peaks_run and found.peaks_run.peaks for found in findings):
        tables = (_peaks(subjects, findings),)
    return Section("peaks", "Peaks", tuple(paragraphs), tables)


def _note(subjects: Sequence[Subject]) -> str:
    pressed = all(subject.drive.sheaves for subject in subjects)
    parts = "pins and bearings" if pressed else "teeth, bearings, guides and tensioners"
    return (
        f"Click a value to move the animation to that time. Tensions of links, and forces of {parts}, are the "
        "extremes of all steps since the previous stored instant; other values are those at stored instants."
    )


def _peaks(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Table:
    """A table with a row for each quantity and part, and for each result the peaks of the window and of the whole
    run.
    """
    columns: list[str | Column] = [""]
    by_result: list[dict[tuple[str, str], Cell]] = []
    for k, (subject, found) in enumerate(zip(subjects, findings, strict=True)):
        whose = f"{subject.label}: " if len(subjects) > 1 else ""
        columns += [
            Column(whose + found.part.name, True, f"{k}/name"),
            f">{whose}{'whole run' if subject.whole else 'reported time range'}",
        ]
        both = (found.peaks, "peak"), (found.peaks_run, "")
        for peaks, kind in both:
            by_result.append({_key(peak): peak_cell(k, peak, kind) for peak in (peaks.peaks if peaks else ())})
    rows = []
    for what, name in merged(by_result):
        cells = []
        for number, here in enumerate(by_result):
            follows = f"{number // 2}/peak/{what}/{name}" if number % 2 == 0 else ""
            cells.append(here.get((what, name), Cell("–", follows=follows)))
        rows.append(row(f"{what}, {name}" if name else what, *cells))
    return table("Peaks, with place and time", columns, rows, _note(subjects))


def _key(peak: Extreme) -> tuple[str, str]:
    """The quantity and part that a row of the table names; links, rollers and joints share a row."""
    return peak.quantity, "" if peak.kind in CHAIN_PARTS else peak.name


def peak_cell(result: int, peak: Extreme, kind: str) -> Cell:
    """Return a cell with a peak; a click on it jumps to the time of the peak. The cell follows the window of the page
    if a kind is given.
    """
    follows = "/".join((str(result), kind, *_key(peak))) if kind else ""
    return Cell(amount(peak.value, peak.unit), _jump(result, peak), _where(peak), follows)


def _jump(result: int, peak: Extreme) -> Jump:
    kind = "roller" if peak.kind in ("joint", "pin") else peak.kind  # picked with the roller at its place
    return Jump(result, peak.time, kind, peak.index)


def _where(peak: Extreme) -> str:
    """The time and position of a peak as text."""
    words = f"at {amount(peak.time, 's', 6)}"
    if peak.kind in CHAIN_PARTS:
        return f"{words}, {peak.kind} {peak.index}{' ' if peak.where else ''}{peak.where}"
    return words + (f", direction {TO_DEGREES * peak.direction:.0f}°" if math.isfinite(peak.direction) else "")


_BEARING_NOTE = (
    "Mean: mean of the force vector. Direction: counter-clockwise from the x axis. Fluctuation: RMS about the mean "
    "vector. Weight and inertia of a wheel are included if its mass is given."
)


def bearings_section(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Section:
    """The section with the forces of the wheels on their bearings; for each wheel the results are listed one below the
    other.
    """
    known = [(k, found.bearings) for k, found in enumerate(findings) if found.bearings is not None]
    paragraphs: tuple[str | Cell, ...] = (
        *missing_lines(subjects, findings, "bearings"), *part_lines(subjects, findings),
    )  # fmt: skip
    if not known:
        return Section("bearings", "Bearing forces", paragraphs)
    factor, unit = bearing_scale(findings)
    rows = []
    for name in merged(loads.names for _, loads in known):
        for k, loads in known:
            if name in loads.names:
                cells = bearing_cells(k, loads.names.index(name), loads, factor)
                rows.append(row(name, *((subjects[k].label,) if len(subjects) > 1 else ()), *cells))
    headings = [
        "wheel", *(["result"] if len(subjects) > 1 else []), f">mean [{unit}]", ">direction [deg]",
        f">smallest [{unit}]", f">largest [{unit}]", ">direction [deg]", "when", f">fluctuation [{unit}]",
    ]  # fmt: skip
    made = table("Forces of the wheels on their bearings", headings, rows, _BEARING_NOTE)
    return Section("bearings", "Bearing forces", paragraphs, (made,))


def bearing_scale(findings: Sequence[Findings]) -> tuple[float, str]:
    """Factor and unit of the forces in the table of bearing forces."""
    known = [each.bearings for each in findings if each.bearings is not None]
    return scaled((x for loads in known for x in (*loads.largest, *loads.mean_magnitude)), "N")


def bearing_cells(result: int, wheel: int, loads: BearingLoads, factor: float) -> list[Cell]:
    """Return the cells of a wheel in the table of bearing forces."""
    time = float(loads.largest_time[wheel])
    texts = {
        "mean": column(float(np.hypot(*loads.mean[wheel])) * factor),
        "mean_direction": f"{TO_DEGREES * loads.mean_direction[wheel]:.1f}",
        "smallest": column(float(loads.smallest[wheel]) * factor),
        "largest": column(float(loads.largest[wheel]) * factor),
        "largest_direction": f"{TO_DEGREES * loads.largest_direction[wheel]:.1f}",
        "time": amount(time, "s", 6),
        "fluctuation": column(float(loads.fluctuation[wheel]) * factor),
    }
    jump = Jump(result, time, "wheel", wheel)
    return [
        Cell(text, jump if key == "time" else None, "", f"{result}/bearing/{wheel}/{key}/{factor:g}")
        for key, text in texts.items()
    ]


LOST, STORED = "total losses", "stored"
"""Rows of the balance in addition to those of each cause."""


def losses_section(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Section:
    """The section with input, output and losses by cause: mean powers in the window, and energies of the whole run."""
    paragraphs: list[str | Cell] = [*missing_lines(subjects, findings, "losses"), *part_lines(subjects, findings)]
    powers, energies = [], []
    for k, (subject, found) in enumerate(zip(subjects, findings, strict=True)):
        whose = f"{subject.label}: " if len(subjects) > 1 else ""
        if found.losses is not None:
            paragraphs.append(Cell(efficiency_line(found.losses, whose), follows=f"{k}/efficiency"))
            if found.losses.not_kept:
                missing = ", ".join(found.losses.not_kept)
                paragraphs.append(sentence(f"not stored in the results: {missing}.", whose))
        if text := _accounted(subject.solution.audit):
            paragraphs.append(sentence(text, whose))
        powers.append(powers_of(found.losses))
        energies.append(_energies(subject.solution.audit))
    factor, unit = power_scale(findings)
    energy_factor, energy_unit = scaled((value for here in energies for value in here.values()), "J")
    headings: list[str | Column] = [""]
    for k, (subject, found) in enumerate(zip(subjects, findings, strict=True)):
        whose = f"{subject.label}: " if len(subjects) > 1 else ""
        headings += [
            Column(f"{whose}{found.part.name}, mean power [{unit}]", True, f"{k}/name/, mean power [{unit}]"),
            ">share of losses [%]",
            f">{whose}whole run, energy [{energy_unit}]",
        ]
    rows = []
    for name in merged([*powers, *energies]):
        cells: list[Cell | str] = []
        for k, (power, energy) in enumerate(zip(powers, energies, strict=True)):
            cells += [
                *power_cells(k, name, power, factor),
                _column(energy.get(name, math.nan), energy_factor),
            ]
        rows.append(row(name, *cells))
    tables = [table("Input = output + losses + stored + residual", headings, rows)] if rows else []
    for k, (subject, found) in enumerate(zip(subjects, findings, strict=True)):
        if found.wheel_losses is not None:
            label = f"{subject.label}: " if len(subjects) > 1 else ""
            tables.append(_wheel_losses(k, label, found.wheel_losses))
        if found.conveyor is not None:
            tables.append(_conveyor(found, found.conveyor, subject.label if len(subjects) > 1 else ""))
    return Section("losses", "Losses and energy balance", tuple(paragraphs), tuple(tables))


def _conveyor(findings: Findings, found: Conveyor, label: str) -> Table:
    """A table of the power of a conveyor by rail and by part."""
    factor, unit = scaled((value for part in found.parts for value in (part.power, part.by_hand)), "W")
    shares = [100.0 * part.power / found.shaft if found.shaft > 0.0 else math.nan for part in found.parts]
    rows = [
        row(part.name, _column(part.power, factor), _column(share, 1.0), _column(part.by_hand, factor))
        for part, share in zip(found.parts, shares, strict=True)
    ]
    caption = f"{label}: power of the conveyor by part" if label else "Power of the conveyor by part"
    headings = ["", f">mean power [{unit}]", ">share of shaft power [%]", f">by hand [{unit}]"]
    when = part_line(findings.part.name, findings.part.text)
    return table(caption, headings, rows, f"{when} By hand: friction due to the weight on straight rails, and goods.")


def power_scale(findings: Sequence[Findings]) -> tuple[float, str]:
    """Factor and unit of the mean powers in the table."""
    return scaled((value for each in findings for value in powers_of(each.losses).values()), "W")


def power_cells(result: int, name: str, power: Mapping[str, float], factor: float) -> tuple[Cell, Cell]:
    """Cells with the mean power of a row of the balance, and its share of the total loss."""
    value, total = power.get(name, math.nan), power.get(LOST, math.nan)
    lost = name == LOST or name.startswith(lost_in(""))
    share = f"{100.0 * value / total:.1f}" if lost and total and math.isfinite(value) else ""
    key = f"{result}/loss/{name}"
    return (
        Cell(_column(value, factor), follows=f"{key}/power/{factor:g}"),
        Cell(share, follows=f"{key}/share" if lost else ""),
    )


def sentence(text: str, whose: str) -> str:
    """A text as a sentence: after the label of its result if there is one, otherwise capitalised."""
    return whose + text if whose else text[:1].upper() + text[1:]


def efficiency_line(found: Losses, whose: str) -> str:
    """A sentence that states the efficiency, or why there is none."""
    if found.no_efficiency:
        return sentence(f"no efficiency: {found.no_efficiency}.", whose)
    return sentence(f"efficiency {100.0 * found.efficiency:.2f} %.", whose)


def _accounted(audit: EnergyAudit) -> str:
    if not audit.energy_exchanged > 0.0:
        return ""
    residual, of_what = audit.judged
    return f"energy residual over the whole run: {residual:.1e} {of_what} ({amount(audit.largest_residual, 'J')})."


def _column(value: float, factor: float) -> str:
    return column(value * factor) if math.isfinite(value) else "–"


def powers_of(found: Losses | None) -> dict[str, float]:
    """Mean powers by the names of the rows. [W]"""
    if found is None:
        return {}
    lost = {lost_in(name): float(power) for name, power in zip(found.names, found.power, strict=True)}
    return {
        PUT_IN: found.input, TAKEN_OUT: found.output, **lost, LOST: found.total, STORED: found.stored,
        NOT_ACCOUNTED_FOR: found.residual,
    }  # fmt: skip


def _energies(audit: EnergyAudit) -> dict[str, float]:
    """Energies of the whole run by the names of the rows. [J]"""
    lost = {name: value for name, value in audit.rows.items() if name.startswith(lost_in(""))}
    return {
        PUT_IN: audit.input, TAKEN_OUT: audit.output, **lost, LOST: sum(audit.losses.values()),
        STORED: sum(audit.stored.values()), NOT_ACCOUNTED_FOR: audit.residual,
    }  # fmt: skip


def _wheel_losses(result: int, before: str, found: WheelLosses) -> Table:
    """A table of the mean power lost at each wheel."""
    factor, unit = wheel_scale(found)
    rows = [row(name, *wheel_cells(result, w, found, factor)) for w, name in enumerate(found.wheels)]
    rows.append(row("elsewhere", *("" for _ in found.causes), elsewhere_cell(result, found, factor)))
    headings = ["at", *(f">{cause} [{unit}]" for cause in found.causes), f">total [{unit}]"]
    note = "Includes the chain joints that turn at the wheel. Elsewhere: spans, and damping of the links."
    return table(
        f"{before}mean lost power at each wheel" if before else "Mean lost power at each wheel", headings, rows, note
    )


def wheel_scale(found: WheelLosses) -> tuple[float, str]:
    """Factor and unit of the powers lost at wheels."""
    return scaled([found.elsewhere, *found.power.ravel()], "W")


def wheel_cells(result: int, wheel: int, found: WheelLosses, factor: float) -> list[Cell]:
    """Cells with the mean power lost at a wheel, by cause and in total."""
    powers = found.power[wheel]
    items = [(c, float(x)) for c, x in (*enumerate(powers), ("sum", powers.sum()))]
    return [Cell(column(x * factor), follows=f"{result}/at/{wheel}/{c}/{factor:g}") for c, x in items]


def elsewhere_cell(result: int, found: WheelLosses, factor: float) -> Cell:
    """Cell with the mean power that is not lost at wheels."""
    return Cell(column(found.elsewhere * factor), follows=f"{result}/at/elsewhere/sum/{factor:g}")
