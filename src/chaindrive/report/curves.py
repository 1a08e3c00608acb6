"""Curves over time in groups of channels, thinned such that every peak keeps its time and height."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.losses import LOSS_NAMES, loss_history
from chaindrive.analyses.results.peaks import extreme_channel, extreme_values, magnitudes
from chaindrive.analyses.results.variator import ratios, torque_over_limit
from chaindrive.analyses.signals.ratio import speed_ratio
from chaindrive.analyses.signals.transmission import transmission_error
from chaindrive.analyses.signals.windows import instants, window_of
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.rails import guided_spans
from chaindrive.numbers import quantity
from chaindrive.report.pack import Blob, Reference

if TYPE_CHECKING:
    from chaindrive.results import Solution

__all__ = ["CURVE_CHANNELS", "RPM", "Group", "Series", "curve_groups", "curves_entry", "ratio_groups", "thinned"]

FloatArray = NDArray[np.float64]

POINTS = 4000
"""Largest number of instants in a group of curves."""
RPM = 30.0 / np.pi
"""Factor from radians per second to revolutions per minute."""


class Series(NamedTuple):
    """Name of a curve, and the part to which it belongs."""

    name: str
    kind: str
    number: int


class Group(NamedTuple):
    """Curves with the same unit that share a chart: values (S, rows) in SI units, but speeds of wheels in rpm."""

    key: str
    title: str
    unit: str
    series: tuple[Series, ...]
    values: FloatArray
    time: FloatArray | None = None
    """Times of the curves, if they differ from those of the rows, (rows,). [s]"""
    remark: str = ""
    """Remark that explains the curves."""
    offsets: FloatArray | None = None
    """Value subtracted from each curve, (series,)."""


_CHANNELS = {
    "span_tension": ("Span tension", "N", "span"),
    "span_displacement": ("Transverse displacement at midspan", "m", "span"),
    "span_elongation": ("Span elongation", "m", "span"),
    "wheel_speed": ("Wheel speed", "rpm", "wheel"),
    "wheel_torque": ("Shaft torque on the wheels", "N m", "wheel"),
    "motor_torque": ("Driving torque on the wheels", "N m", "wheel"),
    "load_torque": ("Load torque on the wheels", "N m", "wheel"),
    "bearing_force": ("Bearing force of the wheels", "N", "wheel"),
    "sheave_thrust": ("Thrust of the pins on a sheave", "N", "wheel"),
    "sheave_force": ("Force that closes the sheaves", "N", "wheel"),
    "running_radius": ("Running radius", "m", "wheel"),
    "sheave_slip": ("Mean slip of the pins around the axes", "m/s", "wheel"),
    "guide_force": ("Chain force on the guides", "N", "guide"),
    "tensioner_force": ("Tensioner force", "N", "tensioner"),
    "tensioner_position": ("Tensioner length", "m", "tensioner"),
    "tensioner_pressure": ("Tensioner pressure", "Pa", "tensioner"),
}
CURVE_CHANNELS = tuple(_CHANNELS)
"""Channels that are drawn over time as they are; for forces with two components the magnitude is drawn."""
_ENERGIES = ("kinetic", "elastic", "gravity")


def curve_groups(
    solution: Solution, drive: Any, part: slice, *, running: bool = False, means: tuple[float, float] | None = None
) -> Iterator[Group]:
    """Yield groups of curves of the rows in ``part``, which are read one after the other; groups whose channels were
    not stored are omitted.

    running: whether the rows are part of a run in progress. In this case curves without a value and losses of zero are
    included, so that all parts have the same curves; losses are instantaneous values, not means over a tooth, and
    energies are not changes since the first row. means: time range [s] of the mean about which spans with a guide are
    shown; None: they are shown as they are.
    """
    names = {
        "span": drive.span_names,
        "wheel": [wheel.name for wheel in drive.wheels],
        "guide": [guide.name for guide in drive.guides],
        "tensioner": [tensioner.name for tensioner in drive.tensioners],
    }
    for key, (title, unit, kind) in _CHANNELS.items():
        if key not in solution or not names[kind]:
            continue
        values = magnitudes(np.asarray(solution.values(key, part), dtype=np.float64))
        values = values * RPM if unit == "rpm" else values
        shown = [i for i in range(values.shape[1]) if running or np.isfinite(values[:, i]).any()]
        if not shown:
            continue
        series = tuple(Series(names[kind][i], kind, i) for i in shown)
        group = Group(key, title, unit, series, values.T[shown])
        yield _about_means(solution, drive, group, means) if key == "span_displacement" and means else group
    if not running:
        yield from _jumps(solution, names["wheel"], part)
    yield from _shaft_powers(solution, names["wheel"], part)
    yield from _shaft_groups(solution, drive, part)
    yield from _joint_groups(solution, drive, part)
    yield from _largest(solution, part)
    if running:
        yield from _powers(solution, part)
    else:
        yield from _mean_losses(solution, part)
        yield from _transmission_errors(solution, drive, part)
        yield from ratio_groups(solution, drive, part)[:1]
        yield from _ratios_of_sheaves(solution, drive, part)
    yield from _energies(solution, part, running)


def _ratios_of_sheaves(solution: Solution, drive: Any, part: slice) -> Iterator[Group]:
    """Yield the thrust ratio and transmission ratio of a variator, and its torque divided by the torque at which the
    chain slips.
    """
    if not drive.sheaves:
        return
    try:
        found = ratios(solution)
        used = torque_over_limit(solution, part)
    except InputError:  # channels not kept
        return
    thrusts, *others = (
        (name, found[name][part]) for name in ("thrust ratio", "speed ratio", "ratio of the running radii")
    )
    yield Group(
        "thrust_ratio", "Thrust ratio, driving over driven", "1", (Series(thrusts[0], "other", 0),), thrusts[1][None]
    )
    series = tuple(Series(name, "other", k) for k, (name, _) in enumerate(others))
    values = np.stack([values for _, values in others])
    yield Group("transmission_ratio", "Transmission ratio, driving over driven speed", "1", series, values)
    names = tuple(Series(sheave.name, "wheel", w) for w, sheave in enumerate(drive.sheaves))
    yield Group(
        "slip_limit", "Torque divided by that at which the chain slips, means over one loop", "1", names, used.T
    )


def _about_means(solution: Solution, drive: Any, group: Group, means: tuple[float, float]) -> Group:
    """Return the displacements of the spans. Those of spans with a guide are shown about their means, because a guide
    deflects its span far more than the span vibrates.
    """
    spans = guided_spans(drive, drive_facts(drive).route) if drive.guides else frozenset()
    guided = [k for k, each in enumerate(group.series) if each.number in spans]
    if not guided:
        return group
    rows = window_of(instants(solution), *means).rows
    offsets = np.zeros(len(group.series))
    chosen = [group.series[k].number for k in guided]
    offsets[guided] = np.asarray(solution.values("span_displacement", rows), np.float64)[:, chosen].mean(axis=0)
    shown = ", ".join(f"{group.series[k].name} {quantity(float(offsets[k]), 'm', 3)}" for k in guided)
    remark = f"Spans on guides are shown about their mean from {quantity(means[0], 's', 4)} onwards: {shown}."
    return group._replace(values=group.values - offsets[:, None], remark=remark, offsets=offsets)


def _jumps(solution: Solution, names: list[str], part: slice) -> Iterator[Group]:
    """Yield the number of teeth that the chain has jumped on every wheel, if it has jumped."""
    if "tooth_jumps" not in solution:
        return
    counted = np.asarray(solution.values("tooth_jumps", part), dtype=np.float64).T
    jumped = [i for i, values in enumerate(counted) if values.any()]
    if jumped:
        series = tuple(Series(names[i], "wheel", i) for i in jumped)
        yield Group("tooth_jumps", "Tooth jumps of the chain", "1", series, counted[jumped])


def _shaft_powers(solution: Solution, names: list[str], part: slice) -> Iterator[Group]:
    """Yield the power supplied by the shafts, negative if power is taken out; only if there are driving torques or
    lists of loads.
    """
    if not {"motor_torque", "wheel_torque", "wheel_speed"} <= set(solution.channels):
        return
    torque, speed = (
        np.asarray(solution.values(key, part), dtype=np.float64) for key in ("wheel_torque", "wheel_speed")
    )
    series = tuple(Series(name, "wheel", i) for i, name in enumerate(names))
    yield Group("shaft_power", "Shaft power", "W", series, (torque * speed).T)


def _shaft_groups(solution: Solution, drive: Any, part: slice) -> Iterator[Group]:
    """Yield the tilt of the wheels on elastic shafts, and the moments that bend the shafts."""
    chosen = [i for i, wheel in enumerate(drive.wheels) if wheel.shaft is not None]
    series = tuple(Series(drive.wheels[i].name, "wheel", i) for i in chosen)
    bending = "Bending moment at the clamped end of shafts"
    if "axial_thrust" in solution:  # links in space: the moment of the chain, out of the plane
        bending = "Out-of-plane moment of the chain on wheels on elastic shafts"
    for key, title, unit in (
        ("wheel_tilt", "Tilt of the wheels on elastic shafts", "rad"),
        ("tilting_moment", bending, "N m"),
    ):
        if chosen and key in solution:
            values = np.asarray(solution.values(key, part), dtype=np.float64)[:, chosen]
            yield Group(key, title, unit, series, np.hypot(values[..., 0], values[..., 1]).T)


def _joint_groups(solution: Solution, drive: Any, part: slice) -> Iterator[Group]:
    """Yield the coordinates of the joints that move, lengths and angles separately."""
    if "joint_position" not in solution:
        return
    values = np.asarray(solution.values("joint_position", part), dtype=np.float64)
    for joint, title, unit in (
        ("revolute", "Joint angle", "rad"),
        ("prismatic", "Joint displacement", "m"),
    ):
        chosen = [i for i, body in enumerate(drive.bodies) if body.joint.kind == joint]
        if chosen:
            series = tuple(Series(drive.bodies[i].name, "body", i) for i in chosen)
            key = "joint_position" if joint == "revolute" else "joint_displacement"
            yield Group(key, title, unit, series, values.T[chosen])


def _largest(solution: Solution, part: slice) -> Iterator[Group]:
    """Yield the largest value of all links, teeth or joints at every instant, or since the instant before."""
    teeth = "tooth_force" if "tooth_force_max" in solution else "contact_force"
    of_teeth = "Largest force of any tooth" if teeth == "tooth_force" else "Largest contact force of any roller"
    for channel, title, unit in (
        ("link_tension", "Largest tension of any link", "N"),
        (teeth, of_teeth, "N"),
        ("pin_axial_force", "Largest force along any pin", "N"),
        ("pin_force", "Largest force of any pin on its bush", "N"),
        ("pin_gap", "Largest gap of any pin in its bush", "m"),
    ):
        if extreme_channel(solution, channel) in solution:
            largest = extreme_values(solution, channel, part).max(axis=1).astype(np.float64)
            series = Series(title.split(" of ")[0].lower(), "other", -1)
            yield Group(f"largest_{channel}", title, unit, (series,), largest[None])


def _powers(solution: Solution, part: slice) -> Iterator[Group]:
    losses = [name for name in LOSS_NAMES if f"power_{name}" in solution]
    powers = [np.asarray(solution.values(f"power_{name}", part), dtype=np.float64) for name in losses]
    if powers:
        series = tuple(Series(solution.loss_names[name], "loss", i) for i, name in enumerate(losses))
        yield Group("power_loss", "Power lost", "W", series, np.stack(powers))


def _mean_losses(solution: Solution, part: slice) -> Iterator[Group]:
    """Yield losses as means over a tooth, computed from the work integrals, which include losses between stored
    instants.
    """
    time = solution.time[part]
    try:
        found = loss_history(solution, float(time[0]), float(time[-1]), over="tooth")
    except InputError:  # works or wheel_speed not kept, or one instant only
        return
    used = [k for k in range(len(found.names)) if found.power[:, k].any()]
    if used:
        series = tuple(Series(found.names[k], "loss", k) for k in used)
        yield Group("power_loss", f"Lost power, mean over {found.over}", "W", series, found.power.T[used], found.time)


def _transmission_errors(solution: Solution, drive: Any, part: slice) -> Iterator[Group]:
    """Yield the transmission error of every wheel without a motion relative to the driver, over the whole part."""
    time = solution.time[part]
    free = [w for w, wheel in enumerate(drive.wheels) if wheel.motion is None and w != drive_facts(drive).driver]
    try:
        found = [transmission_error(solution, None, w, float(time[0]), float(time[-1])) for w in free]
    except InputError:  # wheel_angle not kept
        return
    if found and all(each.time.size == time.size for each in found):
        series = tuple(Series(each.names[1], "wheel", each.wheel_2) for each in found)
        title = f"Transmission error against {found[0].names[0]}, about its mean"
        yield Group("transmission_error", title, "rad", series, np.stack([each.angle for each in found]))


def ratio_groups(solution: Solution, drive: Any, part: slice) -> list[Group]:
    """Return the deviation of the speed of every wheel except the driver from that given by its mean ratio to the
    driver, in [%] and in [rpm].

    The mean is taken over the whole part. Empty if there is no ratio.
    """
    time, reference = solution.time[part], drive_facts(drive).driver
    others = [w for w in range(len(drive.wheels)) if w != reference]
    try:
        found = [speed_ratio(solution, w, reference, float(time[0]), float(time[-1])) for w in others]
    except InputError:  # wheel_speed not kept, or a driver that oscillates
        return []
    if not found:
        return []
    series = tuple(Series(each.names[0], "wheel", each.wheel) for each in found)
    title = f"Deviation from the mean ratio to {found[0].names[1]}"
    return [
        Group("ratio_deviation", title, "%", series, np.stack([100.0 * each.relative for each in found])),
        Group("speed_deviation", title, "rpm", series, np.stack([RPM * each.absolute for each in found])),
    ]


def _energies(solution: Solution, part: slice, running: bool) -> Iterator[Group]:
    kept = [name for name in _ENERGIES if f"energy_{name}" in solution]
    if kept:
        stored = [np.asarray(solution.values(f"energy_{name}", part), dtype=np.float64) for name in kept]
        series = tuple(Series(name, "energy", i) for i, name in enumerate(kept))
        changes = np.stack([values if running else values - values[:1] for values in stored])
        yield Group("energy", "Stored energy since the start", "J", series, changes)


def thinned(values: FloatArray, points: int = POINTS) -> tuple[NDArray[np.int64], int]:
    """Return at most ``points`` rows to keep of curves (S, rows), and the number of rows in one interval. The rows are
    divided into intervals of equal length.

    The rows at which any curve has its minimum or maximum in an interval are kept, as well as the very first and last
    row. Curves drawn through these rows show every peak at its time.
    """
    rows = values.shape[1]
    if rows <= points:
        return np.arange(rows), 1
    filled = np.where(np.isfinite(values), values, np.nan)
    length = max(2, -(-rows // points))
    while True:
        kept = _extreme_rows(filled, length)
        if kept.size <= points:
            return kept, length
        length = max(length + 1, int(length * min(1.5, 1.02 * kept.size / points)))


def _extreme_rows(values: FloatArray, length: int) -> NDArray[np.int64]:
    count, rows = values.shape
    stretches = -(-rows // length)
    padded = np.full((count, stretches * length), np.nan)
    padded[:, :rows] = values
    blocks = padded.reshape(count, stretches, length)
    starts = np.arange(stretches) * length
    low = np.where(np.isnan(blocks), np.inf, blocks).argmin(axis=2) + starts
    high = np.where(np.isnan(blocks), -np.inf, blocks).argmax(axis=2) + starts
    return np.unique(np.concatenate([[0, rows - 1], low.ravel(), high.ravel()]))


def curves_entry(group: Group, time: FloatArray, blob: Blob, points: int = POINTS) -> Reference:
    """Pack a group into the blob and return its description for the page. time (rows,) [s]."""
    time = time if group.time is None else group.time
    rows, length = thinned(group.values, points)
    remark = ""
    if rows.size < time.size:
        remark = (
            f"{rows.size} of {time.size} stored instants: those with the minimum and maximum of each curve among "
            f"every {length}"
        )
    return {
        "key": group.key,
        "title": group.title,
        "unit": group.unit,
        "series": [
            {"name": each.name, "kind": each.kind, "index": each.number}
            | ({} if group.offsets is None else {"offset": float(group.offsets[k])})
            for k, each in enumerate(group.series)
        ],
        "time": blob.add(time[rows], "f8"),
        "values": blob.add(group.values[:, rows], "f4"),
        "stored": int(time.size),
        "kept": int(rows.size),
        "remark": remark,
        "note": group.remark,
    }
