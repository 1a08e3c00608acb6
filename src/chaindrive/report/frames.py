"""Frames of the animation: the choice of stored rows, and their data for the page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.drawing.along_route import chain_along_route
from chaindrive.drawing.contacts import Places, contact_normals
from chaindrive.drawing.links import link_sizes
from chaindrive.report.pack import Blob, Reference

__all__ = [
    "ALONG_THE_ROUTE",
    "FRAME_CHANNELS",
    "Band",
    "along_the_route",
    "frame_rows",
    "frames_entry",
    "frames_wanted",
    "no_frames",
    "tension_band",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

FRAMES = 2400
"""Number of frames for a chain of ordinary length, if none is specified."""
BUDGET = 10_000_000
"""Approximate number of bytes that the frames of a result may occupy in the file."""
LINK_BYTES, JOINT_BYTES = 14, 8
"""Characters per link and frame, and additional characters for a rigid link with its joint. They were measured on the
examples and rounded up."""

OF_PINS = ("pin_normal_force", "pin_circumferential_friction", "pin_radial_friction", "pin_slip", "pin_drift")
OF_SHEAVES = ("sheave_closure", "running_radius", "sheave_thrust")
FRAME_CHANNELS = (
    "roller_position", "link_tension", "contact_force", "contact_surface", "friction_force", "link_path_position",
    "wheel_angle", "wheel_position", "wheel_speed", "wheel_torque", "bearing_force", "guide_force", "body_position",
    "body_angle", "joint_force", "tensioner_force", "span_tension", "span_displacement", "link_angle", "pin_force",
    "pin_gap", "pin_moment", "roller_offset", "link_roll", "side_force", "wheel_offset", "wheel_tilt",
    *OF_PINS, *OF_SHEAVES,
)  # fmt: skip
"""Channels of the frames, as far as a run stored them."""


ALONG_THE_ROUTE = "this formulation has no individual rollers; they are drawn evenly spaced along the route"


class Band(NamedTuple):
    """Minimum and maximum tension of every link in all rows since the previous frame, (F, N) each. [N]"""

    low: NDArray[np.floating[Any]]
    high: NDArray[np.floating[Any]]


def frames_wanted(links: int, rigid: bool = False) -> int:
    """Default number of frames of a result; rigid: whether it also contains the joints of rigid links."""
    return max(2, min(FRAMES, BUDGET // ((LINK_BYTES + JOINT_BYTES * rigid) * links)))


def frame_rows(rows: int, wanted: int, at_most: bool = False, extra: Sequence[int] = ()) -> tuple[IntArray, int]:
    """Rows that become frames (the first, every step-th, the last, and extra rows), and the step between them.

    wanted: approximate number of frames, or largest number if ``at_most``, not counting extra rows.
    """
    if rows == 0:
        return np.zeros(0, dtype=np.int64), 1
    ratio = (rows - 1) / max(wanted - 1, 1)
    step = max(1, math.ceil(ratio - 1e-9) if at_most else round(ratio))
    even = np.append(np.arange(0, rows - 1, step), rows - 1)
    return np.unique(np.concatenate([even, np.asarray(extra, dtype=np.int64)])).astype(np.int64), step


def tension_band(tension: NDArray[np.floating[Any]], rows: IntArray) -> Band:
    """Minimum and maximum tension of every link in the rows from the frame before (excluded) to each frame (included).
    tension (rows, N) [N], rows (F,) increasing.

    The first frame has its own tensions.
    """
    starts = np.append(rows[:1], rows[:-1] + 1)
    with np.errstate(invalid="ignore"):
        upto = tension[: rows[-1] + 1]
        return Band(np.minimum.reduceat(upto, starts, axis=0), np.maximum.reduceat(upto, starts, axis=0))


def along_the_route(drive: Any, table: Mapping[str, NDArray[Any]], advance: FloatArray) -> dict[str, NDArray[Any]]:
    """Return the table of channels with rollers placed along the route, and links with the tension of their span, for a
    formulation without individual rollers.

    advance (F,): advance of the chain in pitches.
    """
    position, span = chain_along_route(drive, advance)
    drawn = dict(table) | {"roller_position": position}
    if "span_tension" in table:
        tension = np.take_along_axis(table["span_tension"], np.maximum(span, 0), axis=1)
        drawn["link_tension"] = np.where(span >= 0, tension, np.nan)
    return drawn


def no_frames(drive: Any, blob: Blob) -> Reference:
    """Data for a result without frames: that of a run that has just begun, or in which the roller positions were not
    stored.
    """
    n, w = drive.chain.joints, len(drive.wheels)
    empty = {
        "roller_position": np.zeros((0, n, 2)),
        "link_tension": np.zeros((0, n)),
        "wheel_angle": np.zeros((0, w)),
    }
    return frames_entry(drive, empty, np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64), blob, stored=0)


def frames_entry(
    drive: Any,
    table: Mapping[str, NDArray[Any]],
    advance: FloatArray,
    time: FloatArray,
    rows: IntArray,
    blob: Blob,
    *,
    stored: int,
    band: Band | None = None,
) -> Reference:
    """Pack F frames into the blob and return their description for the page.

    table: stored channels by name, (F, ...); roller_position and wheel_angle are required. advance
    (F,): advance of the chain in pitches, increasing without jumps (``analyses.signals.windows.chain_advance``). time
    (F,) [s]; rows (F,): numbers of the rows in the results file; stored: number of rows of the file in the window.
    """
    count, links = time.size, drive.chain.joints
    tension = _for_every_joint(drive, table.get("link_tension"))
    touched = table.get("contact_surface")
    body = None if touched is None else np.where(np.isfinite(touched), np.rint(touched), -1.0).astype(np.int64)
    entry: Reference = {
        "time": blob.add(time, "f8"),
        "row": blob.add(rows, "i4"),
        "advance": blob.add(advance, "f8"),
        "roller": blob.quantised(table["roller_position"]),
        "link_tension": blob.quantised(np.full((count, links), np.nan) if tension is None else tension),
        "tension_low": None if band is None else blob.quantised(_for_every_joint(drive, band.low)),
        "tension_high": None if band is None else blob.quantised(_for_every_joint(drive, band.high)),
        "contact_force": _quantised(blob, table.get("contact_force")),
        "contact_surface": None if body is None else blob.add(body, "i2", delta=True),
        "contact_direction": None,
        "friction_force": _quantised(blob, table.get("friction_force")),
        "wheel_angle": blob.add(table.get("wheel_angle", np.zeros((count, 0))), "f8"),
        "wheel_position": _exact(blob, table.get("wheel_position") if _supported(drive) else None),
    }
    if body is not None:
        normals = contact_normals(drive, table["roller_position"], body, _places(table))
        entry["contact_direction"] = blob.add(direction_bytes(normals), "u1", delta=True)
    entry |= _joints(drive, table, blob)
    entry |= {
        name: _quantised(blob, table.get(name)) for name in ("roller_offset", "link_roll", "side_force", *OF_PINS)
    }
    for name in (
        "body_position", "body_angle", "joint_force", "tensioner_force", "guide_force", "bearing_force", "wheel_speed",
        "wheel_torque", "span_tension", "span_displacement", "wheel_offset", "wheel_tilt", *OF_SHEAVES,
    ):  # fmt: skip
        entry[name] = _exact(blob, table.get(name))
    return entry | {"stored": stored, "kept": int(count)}


def _for_every_joint(drive: Any, values: Any) -> Any:
    """Values of links (F, links), with an additional column of nan for the last joint of an open chain."""
    if values is None or drive.chain.ends is None or values.shape[1] == drive.chain.joints:
        return values
    return np.concatenate([values, np.full((len(values), 1), np.nan)], axis=1)


def _supported(drive: Any) -> bool:
    return any(wheel.body != "ground" for wheel in drive.wheels)


def _joints(drive: Any, table: Mapping[str, NDArray[Any]], blob: Blob) -> Reference:
    """Pack the angles of rigid links [rad, -pi to pi], and for every joint the magnitude of the force, the moment, the
    gap, and the direction of the pin from the centre of its bush.
    """
    angle, force, sizes = table.get("link_angle"), table.get("pin_force"), link_sizes(drive)
    direction = None
    if sizes is not None and angle is not None:
        offset = sizes.pins(table["roller_position"], angle) - table["roller_position"]
        if drive.chain.ends is not None and force is not None:  # the pin of a fitting is where it presses
            offset[:, 0] = force[:, 0]
        direction = blob.add(direction_bytes(offset), "u1", delta=True)
    turned = None if angle is None else np.remainder(np.asarray(angle, np.float64) + math.pi, 2.0 * math.pi) - math.pi
    turned = _for_every_joint(drive, turned)
    return {
        "link_angle": _quantised(blob, turned),
        "pin_force": _quantised(blob, None if force is None else np.hypot(force[..., 0], force[..., 1])),
        "pin_gap": _quantised(blob, table.get("pin_gap")),
        "pin_moment": _quantised(blob, table.get("pin_moment")),
        "pin_direction": direction,
    }


def _places(table: Mapping[str, NDArray[Any]]) -> Places:
    return Places(*(table.get(name) for name in ("wheel_angle", "wheel_position", "body_position", "body_angle")))  # type: ignore[arg-type]


def _quantised(blob: Blob, values: NDArray[Any] | None) -> Reference | None:
    return None if values is None else blob.quantised(values)


def _exact(blob: Blob, values: NDArray[Any] | None) -> Reference | None:
    return None if values is None else blob.add(values, "f4")


def direction_bytes(normals: FloatArray) -> IntArray:
    """Directions of unit vectors (..., 2) in 256ths of a turn, counter-clockwise from +x; 0 for a vector without a
    direction.
    """
    turns = np.arctan2(normals[..., 1], normals[..., 0]) / (2.0 * math.pi)
    return np.asarray(np.where(np.isfinite(turns), np.rint(256.0 * turns), 0.0).astype(np.int64) % 256)
