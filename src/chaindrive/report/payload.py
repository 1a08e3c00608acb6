"""Packs a result for the page's script: its description in a header, its numbers in a blob."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.analytical.limits import chain_limits
from chaindrive.analyses.signals.windows import chain_advance
from chaindrive.mechanism.facts import drive_facts
from chaindrive.report.curves import curve_groups, curves_entry
from chaindrive.report.drive import drive_entry, extent_of
from chaindrive.report.findings import Findings
from chaindrive.report.frames import (
    ALONG_THE_ROUTE,
    FRAME_CHANNELS,
    along_the_route,
    frame_rows,
    frames_entry,
    frames_wanted,
    no_frames,
    tension_band,
)
from chaindrive.report.free import free_chart
from chaindrive.report.frequencies import frequencies_of
from chaindrive.report.pack import Blob, Reference
from chaindrive.report.subject import Subject
from chaindrive.report.view import mean_window, opening_of, view_entry

if TYPE_CHECKING:
    from chaindrive.analyses.results.loop import Envelope
    from chaindrive.model import Drive

__all__ = ["Payload", "payload_of"]

FloatArray = NDArray[np.float64]


class Payload(NamedTuple):
    """The data of a result for the page's script, and a description of the omitted data."""

    header: Reference
    data: str
    left_out: tuple[str, ...]
    missing: dict[str, str]
    """Reasons why parts of the page (loop, spectra, orders, campbell) have no data."""


def payload_of(subject: Subject, findings: Findings, frames: int | None = None) -> Payload:
    """Pack a result.

    findings: findings of its analyses; rows with extreme values become additional frames. frames: largest number of
    frames; None: as many as fit into a file of a few megabytes.
    """
    blob = Blob()
    drive, solution = subject.drive, subject.solution
    window = mean_window(subject, findings)
    opening = opening_of(subject, window)
    opened = [] if opening is None else [opening.row]
    extra = sorted({row - (subject.part.start or 0) for row in (*findings.rows, *opened)})
    frame_part, tension_range, left_out, rows = _frames(subject, frames, extra, blob)
    means = (window.start, window.stop)
    groups = list(curve_groups(solution, drive, subject.part, means=means))
    curves = [curves_entry(group, subject.time, blob) for group in groups]
    thinned = [group for group in curves if group["kept"] < group["stored"]]
    if thinned:
        left_out.append(
            f"Curves: at most {max(group['kept'] for group in thinned)} of {subject.time.size} stored instants, "
            "those with the minimum and maximum of each curve in each short interval, so that no peak is lost. "
            f"Maxima over all links or {'pins' if drive.sheaves else 'rollers'} are taken from every stored instant "
            "first."
        )
    free = free_chart(subject, groups, _advance(subject), rows, findings.part, blob)
    left_out += [free.left_out] if free and free.left_out else []
    over_frequency = frequencies_of(subject, blob)
    left_out += over_frequency.left_out
    missing = over_frequency.missing | findings.missing
    header: Reference = {
        "label": subject.label,
        "drive": drive_entry(drive, blob, _extent(subject)),
        "frames": frame_part,
        "view": view_entry(subject, window, opening, blob),
        "curves": curves,
        "free": free.entry if free else None,
        "loop": None if findings.loop is None else _loop(findings.loop, findings.joints, blob, tension_limits(drive)),
        "spectra": over_frequency.spectra,
        "orders": over_frequency.orders,
        "campbell": over_frequency.campbell,
        "tension_range": tension_range,
        "time_range": [float(subject.time[0]), float(subject.time[-1])],
        "status": solution.ending,
        "absent": {name: solution.absent(name) for name in ("contact_force", "bearing_force") if name not in solution},
    }
    return Payload(header, blob.packed(), tuple(left_out), missing)


def tension_limits(drive: Drive) -> list[Reference]:
    """Lines of limits in the chart of the tension along the loop: allowed tension and breaking load. [N]"""
    limits = chain_limits(drive)
    named = (("limits.tension", limits.tension), ("breaking load", limits.breaking_load))
    return [{"name": name, "value": limit.value} for name, limit in named if limit.value is not None]


def _loop(tension: Envelope, joints: Mapping[str, Envelope], blob: Blob, limits: list[Reference]) -> Reference:
    arrays = ("places", "low", "mean", "high", "link_low", "link_mean", "link_high")
    curves = [
        {"key": key} | {name: blob.add(getattr(found, name), "f4") for name in arrays}
        for key, found in ({"link_tension": tension} | dict(joints)).items()
    ]
    return {
        "curves": curves,
        "zones": [zone._asdict() for zone in tension.zones],
        "start": tension.start,
        "stop": tension.stop,
        "limits": limits,
    }


def _frames(
    subject: Subject, frames: int | None, extra: Sequence[int], blob: Blob
) -> tuple[Reference, list[float], list[str], NDArray[np.int64]]:
    """Frames of the animation, range of the tension over all stored rows [N], description of the omitted data, and rows
    of the part that are frames.
    """
    solution, drive, part = subject.solution, subject.drive, subject.part
    tension = solution.values("link_tension", part) if "link_tension" in solution else None
    finite = tension[np.isfinite(tension)] if tension is not None else np.zeros(0)
    extent = [float(finite.min()), float(finite.max())] if finite.size else [0.0, 0.0]
    drawn = solution.offers("roller_position") is False
    needed = ("roller_position", "wheel_angle") if drive.wheels else ("roller_position",)
    missing = [name for name in needed if name not in solution]
    missing = [name for name in missing if not (drawn and name == "roller_position")]
    if missing:
        words = f"The animation: {solution.absent(*missing)}."
        return no_frames(drive, blob), extent, [words], np.zeros(0, dtype=np.int64)
    count = subject.time.size
    wanted = frames_wanted(drive.chain.joints, "pin_gap" in solution) if frames is None else frames
    rows, step = frame_rows(count, wanted, at_most=frames is not None, extra=extra)
    every = rows.size == count
    table = {}
    for name in FRAME_CHANNELS:
        if name in solution:
            table[name] = solution.values(name, part)[rows]
    advance = _advance(subject)[rows]
    left_out = []
    if drawn:
        table = along_the_route(drive, table, advance)
        left_out.append(f"Animation: {ALONG_THE_ROUTE}.")
    entry = frames_entry(
        drive,
        table,
        advance,
        subject.time[rows],
        rows + (part.start or 0),
        blob,
        stored=count,
        band=None if every or tension is None else tension_band(tension, rows),
    )
    if not every:
        added = rows.size - (math.ceil((count - 1) / step) + 1)
        besides = f" and {added} with extreme values" if added else ""
        left_out.append(
            f"Animation: every {_ordinal(step)} of {count} stored instants is a frame{besides}, {rows.size} in all. "
            "Minimum and maximum tension of every link between two frames are taken from all stored instants. For "
            f"more frames use --frames {count}, or --start and --stop for a part of the run."
        )
    return entry, extent, left_out, rows


def _advance(subject: Subject) -> FloatArray:
    """Advance of the chain in pitches at every instant, (rows,), relative to the first instant if the absolute value is
    unknown.
    """
    if "link_path_position" in subject.solution:
        return chain_advance(subject.solution)[subject.part]
    if "wheel_angle" not in subject.solution or not subject.drive.wheels:
        return np.full(subject.time.size, np.nan)
    angle = subject.solution.values("wheel_angle", subject.part, 0)
    return drive_facts(subject.drive).pitches_turned(angle - angle[:1])


def _extent(subject: Subject) -> tuple[float, float, float, float]:
    moving = [
        subject.solution.values(name, subject.part) if name in subject.solution else None
        for name in ("roller_position", "wheel_position", "body_position", "body_angle")
    ]
    return extent_of(subject.drive, *moving)


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
