"""Tables of what the analyses found: peaks, forces on bearings, losses."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from chaindrive.analyses.results.extremes import Extreme
from chaindrive.analyses.results.losses import WheelLosses
from chaindrive.numbers import column, scaled
from chaindrive.report.contents import Cell, Jump, Section, Table, amount, merged, row, table
from chaindrive.report.findings import Findings
from chaindrive.report.subject import Subject
from chaindrive.results.audit import NOT_ACCOUNTED_FOR, PUT_IN, TAKEN_OUT, lost_in

__all__ = ["bearings_section", "losses_section", "missing_lines", "peaks_section", "window_text"]

TO_DEGREES = 180.0 / math.pi
CHAIN_PARTS = ("link", "roller", "joint")
"""Kinds of what has peaks and goes by a number."""


def window_text(start: float, stop: float) -> str:
    """From when to when. [s]"""
    return f"{amount(start, 's', 6)} to {amount(stop, 's', 6)}"


def missing_lines(subjects: Sequence[Subject], findings: Sequence[Findings], name: str) -> tuple[str, ...]:
    """Why a table has no numbers of a result."""
    lines = []
    for subject, found in zip(subjects, findings, strict=True):
        if name in found.missing:
            lines.append(f"{subject.label}: {found.missing[name]}." if len(subjects) > 1 else f"{found.missing[name]}.")
    return tuple(line[:1].upper() + line[1:] for line in lines)


def peaks_section(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Section:
    """The largest and smallest values, when and where; each can be jumped to."""
    paragraphs = list(missing_lines(subjects, findings, "peaks"))
    for subject, found in zip(subjects, findings, strict=True):
        if found.peaks is not None:
            before = f"{subject.label}: of" if len(subjects) > 1 else "Of"
            when = window_text(found.peaks.start, found.peaks.stop)
            line = f"{before} all {found.peaks.rows} stored instants from {when}"
            if found.peaks.not_kept:
                line += f"; not kept, and therefore missing: {', '.join(found.peaks.not_kept)}"
            paragraphs.append(f"{line}.")
    tables: tuple[Table, ...] = ()
    if any(found.peaks and found.peaks.peaks for found in findings):
        tables = (_one(findings[0]) if len(subjects) == 1 else _several(subjects, findings),)
    return Section("peaks", "Peaks", tuple(paragraphs), tables)


def _one(found: Findings) -> Table:
    assert found.peaks is not None
    rows = []
    for peak in found.peaks.peaks:
        time = Cell(f"{amount(peak.time, 's', 6)}", _jump(0, peak))
        rows.append(row(peak.quantity, amount(peak.value, peak.unit), time, _what(peak)))
    return table("Peaks, with where and when", ["", ">value", "when", "where"], rows, _NOTE)


_NOTE = "A time leads to that moment of the animation. What happens between two stored instants is not seen."


def _several(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Table:
    """A row for each kind of peak; peaks of a chain are counted, those of an item go by its name."""
    columns: list[dict[tuple[str, str], Cell]] = []
    for k, found in enumerate(findings):
        counted: dict[str, int] = {}
        here: dict[tuple[str, str], Cell] = {}
        for peak in found.peaks.peaks if found.peaks else ():
            counted[peak.quantity] = counted.get(peak.quantity, 0) + 1
            name, note = peak.name, f"at {amount(peak.time, 's', 6)}"
            if peak.kind in CHAIN_PARTS:
                name = f"no. {counted[peak.quantity]}" if counted[peak.quantity] > 1 else ""
                note += f", {_what(peak)}"
            here[peak.quantity, name] = Cell(amount(peak.value, peak.unit), _jump(k, peak), note)
        columns.append(here)
    rows = [
        row(f"{what}, {name}" if name else what, *(here.get((what, name), Cell("–")) for here in columns))
        for what, name in merged(columns)
    ]
    return table("Peaks, with where and when", ["", *(f">{each.label}" for each in subjects)], rows, _NOTE)


def _jump(result: int, peak: Extreme) -> Jump:
    kind = "roller" if peak.kind == "joint" else peak.kind  # a joint is picked with the roller that it is in
    return Jump(result, peak.time, kind, peak.index)


def _what(peak: Extreme) -> str:
    """Where a peak was."""
    if peak.kind in CHAIN_PARTS:
        words = f"{peak.kind} {peak.index}"
        words += f" {peak.where}" if peak.where else ""
        return words + (f", {peak.place:.1f} pitches along the loop" if math.isfinite(peak.place) else "")
    words = f"{peak.name}"
    return words + (f", direction {TO_DEGREES * peak.direction:.0f}°" if math.isfinite(peak.direction) else "")


_BEARING_NOTE = (
    "Mean: of the force as a vector. Directions counter-clockwise from the x axis. Fluctuation: rms of what is left "
    "without the mean. With the weight and inertia of a wheel as far as its mass is given."
)


def bearings_section(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Section:
    """Forces of the wheels on their bearings."""
    tables = []
    for k, (subject, found) in enumerate(zip(subjects, findings, strict=True)):
        loads = found.bearings
        if loads is None:
            continue
        factor, unit = scaled([*loads.largest, *loads.mean_magnitude], "N")
        rows = [
            row(
                name,
                column(float(np.hypot(*loads.mean[w])) * factor),
                f"{TO_DEGREES * loads.mean_direction[w]:.1f}",
                column(float(loads.smallest[w]) * factor),
                column(float(loads.largest[w]) * factor),
                f"{TO_DEGREES * loads.largest_direction[w]:.1f}",
                Cell(amount(float(loads.largest_time[w]), "s", 6), Jump(k, float(loads.largest_time[w]), "wheel", w)),
                column(float(loads.fluctuation[w]) * factor),
            )
            for w, name in enumerate(loads.names)
        ]
        whose = f"{subject.label}: forces" if len(subjects) > 1 else "Forces"
        headings = [
            "wheel", f">mean [{unit}]", ">direction [deg]", f">smallest [{unit}]", f">largest [{unit}]",
            ">direction [deg]", "when", f">fluctuation [{unit}]",
        ]  # fmt: skip
        caption = f"{whose} of the wheels on their bearings, {window_text(loads.start, loads.stop)}"
        tables.append(table(caption, headings, rows, _BEARING_NOTE))
    return Section("bearings", "Forces on bearings", missing_lines(subjects, findings, "bearings"), tuple(tables))


def losses_section(subjects: Sequence[Subject], findings: Sequence[Findings]) -> Section:
    """Mean powers, and what is lost where."""
    paragraphs = list(missing_lines(subjects, findings, "losses"))
    columns: list[dict[str, tuple[float, str]]] = []
    for subject, found in zip(subjects, findings, strict=True):
        here: dict[str, tuple[float, str]] = {}
        if found.losses is not None:
            each = found.losses
            before = f"{subject.label}: means" if len(subjects) > 1 else "Means"
            line = f"{before} over {window_text(each.start, each.stop)}, from the work done as integrated by the solver"
            if math.isfinite(each.efficiency):
                line += f"; efficiency {100.0 * each.efficiency:.2f} %"
            if each.not_kept:
                line += f"; not kept, and therefore missing: {', '.join(each.not_kept)}"
            paragraphs.append(f"{line}.")
            here = {PUT_IN: (each.input, ""), TAKEN_OUT: (each.output, "")}
            for name, power, share in zip(each.names, each.power, each.share, strict=True):
                here[lost_in(name)] = (float(power), f"{100.0 * share:.1f}" if math.isfinite(share) else "")
            here["lost in all"] = (each.total, "100" if each.total else "")
            here["stored"] = (each.stored, "")
            here[NOT_ACCOUNTED_FOR] = (each.residual, "")
        columns.append(here)
    factor, unit = scaled((value for here in columns for value, _ in here.values()), "W")
    headings = [""]
    for subject in subjects:
        before = f"{subject.label}: " if len(subjects) > 1 else ""
        headings += [f">{before}mean power [{unit}]", f">{before}share of the losses [%]"]
    rows = []
    for name in merged(columns):
        cells = []
        for here in columns:
            value, share = here.get(name, (math.nan, ""))
            cells += [column(value * factor) if math.isfinite(value) else "–", share]
        rows.append(row(name, *cells))
    tables = [table("Mean power put in, taken out and lost", headings, rows)] if rows else []
    for subject, found in zip(subjects, findings, strict=True):
        if found.wheel_losses is not None:
            tables.append(_wheel_losses(f"{subject.label}: " if len(subjects) > 1 else "", found.wheel_losses))
    return Section("losses", "Losses", tuple(paragraphs), tuple(tables))


def _wheel_losses(before: str, found: WheelLosses) -> Table:
    """Mean power lost at each wheel."""
    factor, unit = scaled([found.elsewhere, *found.power.ravel()], "W")
    rows = []
    for name, powers in zip(found.wheels, found.power, strict=True):
        rows.append(row(name, *(column(float(x) * factor) for x in (*powers, powers.sum()))))
    rows.append(row("elsewhere", *("" for _ in found.causes), column(found.elsewhere * factor)))
    headings = ["at", *(f">{cause} [{unit}]" for cause in found.causes), f">together [{unit}]"]
    note = "Joints of the chain that turn at the teeth of the wheel; elsewhere: in the spans, in the damping of links."
    return table(
        f"{before}mean power lost at each wheel" if before else "Mean power lost at each wheel", headings, rows, note
    )
