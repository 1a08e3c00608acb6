"""Curves of the free chart, at common instants, thinned only if there are too many instants."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.losses import LOSS_NAMES
from chaindrive.analyses.results.steadiness import Part
from chaindrive.mechanism.facts import drive_facts
from chaindrive.report.curves import Group, Series, ratio_groups
from chaindrive.report.pack import Blob, Reference
from chaindrive.report.subject import Subject

if TYPE_CHECKING:
    from chaindrive.results import Solution

__all__ = ["FreeChart", "common_rows", "free_chart", "further_groups"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

BUDGET = 2_500_000
"""Largest number of characters that the curves of a result may occupy in the file, before compression."""
CURVE_LETTERS, EXACT_LETTERS = 8.0 / 3.0, 32.0 / 3.0
"""Number of characters of a value of a curve, if it is quantised and if it is stored exactly."""


class FreeChart(NamedTuple):
    """The data for the page, and a text on data reduction, which may be empty."""

    entry: Reference
    left_out: str


def free_chart(
    subject: Subject,
    groups: Sequence[Group],
    advance: FloatArray,
    frames: IntArray,
    window: Part,
    blob: Blob,
) -> FreeChart | None:
    """Pack curves at common instants; None if the result has no curves.

    groups: groups of curves (``curves.curve_groups``) of the rows of the part; groups with separate times are
    omitted, and the additional curves of the free chart are added here (``further_groups``). advance (rows,): advance
    of the chain in pitches. frames: rows of the part that are frames of the animation, all of which are among the
    instants, so that values known only at frames can be drawn over any curve. window: window of the key values.
    """
    solution, drive, part = subject.solution, subject.drive, subject.part
    curves = [group for group in groups if group.time is None] + list(further_groups(solution, drive, part))
    if not curves:
        return None
    count = subject.time.size
    turned = _turned(solution, drive, part)
    exact = EXACT_LETTERS * (2 + len(turned))
    most = int(BUDGET / (exact + CURVE_LETTERS * sum(len(group.series) for group in curves)))
    rows, step = common_rows(count, most, frames)
    entry: Reference = {
        "time": blob.add(subject.time[rows], "f8"),
        "advance": blob.add(advance[rows], "f8"),
        "turned": blob.add(turned[:, rows], "f8"),
        "period": drive_facts(drive).period if drive.wheels else 0,
        "window": {"name": window.name, "start": _before(subject.time, window.start), "stop": window.stop},
        "groups": [_group_entry(group, rows, blob) for group in curves],
        "stored": int(count),
        "kept": int(rows.size),
    }
    if rows.size == count:
        return FreeChart(entry, "")
    added = " and those of the animation" if frames.size else ""
    return FreeChart(entry, f"Free chart: one in {step} of {count} stored instants{added}, {rows.size} in all.")


def _before(time: FloatArray, start: float) -> float:
    """Time of the instant before the first instant of a window. As each instant represents the step before it, the
    window covers whole revolutions from this time on.
    """
    first = int(np.searchsorted(time, start - 1e-9 * abs(start)))
    return float(time[max(first - 1, 0)])


def common_rows(count: int, most: int, frames: IntArray) -> tuple[IntArray, int]:
    """Every step-th of ``count`` rows, about ``most`` in all, with the last row and the rows of the frames; and the
    step.
    """
    step = max(1, math.ceil(count / max(most, 1)))
    even = np.append(np.arange(0, count, step), count - 1)
    return np.unique(np.concatenate([even, frames])).astype(np.int64), step


def further_groups(solution: Solution, drive: Any, part: slice) -> Iterator[Group]:
    """Yield curves that are only in the free chart: force components, rates, instantaneous losses, and deviations in
    rpm.
    """
    names = {"wheel": [wheel.name for wheel in drive.wheels], "guide": [guide.name for guide in drive.guides]}
    for key, what, kind in (
        ("bearing_force", "Bearing force of the wheels", "wheel"),
        ("guide_force", "Chain force on the guides", "guide"),
    ):
        if key in solution and names[kind]:
            values = np.asarray(solution.values(key, part), dtype=np.float64)
            shown = [i for i in range(values.shape[1]) if np.isfinite(values[:, i]).any()]
            series = tuple(Series(names[kind][i], kind, i) for i in shown)
            for axis, letter, direction in ((0, "x", "to the right"), (1, "y", "upwards")) if shown else ():
                yield Group(f"{key}_{letter}", f"{what}, {direction}", "N", series, values[:, shown][..., axis].T)
    yield from _rates(solution, drive, part)
    losses = [name for name in LOSS_NAMES if f"power_{name}" in solution]
    powers = [np.asarray(solution.values(f"power_{name}", part), dtype=np.float64) for name in losses]
    used = [i for i, power in enumerate(powers) if power.any()]
    if used:
        series = tuple(Series(solution.loss_names[losses[i]], "loss", i) for i in used)
        yield Group("power_loss_now", "Lost power, instantaneous", "W", series, np.stack([powers[i] for i in used]))
    yield from ratio_groups(solution, drive, part)[1:]


def _rates(solution: Solution, drive: Any, part: slice) -> Iterator[Group]:
    """Yield the velocities of the spans, as central differences of all stored instants, and of the joints, as computed
    in the run.
    """
    if "span_displacement" in solution and solution.time[part].size > 2:
        values = np.asarray(solution.values("span_displacement", part), dtype=np.float64)
        rates = np.gradient(values, solution.time[part], axis=0)
        shown = [i for i in range(len(drive.span_names)) if np.isfinite(rates[:, i]).any()]
        if shown:
            series = tuple(Series(drive.span_names[i], "span", i) for i in shown)
            title = "Transverse velocity at midspan"
            yield Group("span_velocity", title, "m/s", series, rates[:, shown].T)
    if "joint_speed" in solution:
        speeds = np.asarray(solution.values("joint_speed", part), dtype=np.float64)
        for joint, key, title, unit in (
            ("revolute", "joint_speed", "Angular speed of the joints", "rad/s"),
            ("prismatic", "joint_velocity", "Speed of the joints", "m/s"),
        ):
            chosen = [i for i, body in enumerate(drive.bodies) if body.joint.kind == joint]
            if chosen:
                series = tuple(Series(drive.bodies[i].name, "body", i) for i in chosen)
                yield Group(key, title, unit, series, speeds.T[chosen])


def _turned(solution: Solution, drive: Any, part: slice) -> FloatArray:
    """Angle turned by every wheel in its direction of rotation since the first instant of the result, (W, rows). [rad]

    It is nan if angles were not stored.
    """
    count, wheels = solution.time[part].size, len(drive.wheels)
    if "wheel_angle" not in solution or not wheels:
        return np.full((wheels, count), np.nan)
    angles = np.asarray(solution.values("wheel_angle", part), dtype=np.float64)
    first = np.asarray(solution.values("wheel_angle", slice(0, 1)), dtype=np.float64)
    return np.asarray((drive_facts(drive).senses * (angles - first)).T)


def _group_entry(group: Group, rows: IntArray, blob: Blob) -> Reference:
    return {
        "key": group.key,
        "title": group.title,
        "unit": group.unit,
        "remark": group.remark,
        "series": [{"name": each.name, "kind": each.kind, "index": each.number} for each in group.series],
        "values": [blob.quantised(values[rows]) for values in group.values],
    }
