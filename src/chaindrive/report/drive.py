"""Data with which the page draws a drive: outlines, guides, bodies and tensioners in the reference configuration."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from chaindrive.drawing.links import link_sizes
from chaindrive.drawing.mechanism import BodyView, mechanism_views, poses_of
from chaindrive.drawing.scene import wheel_outline
from chaindrive.formulations.planar.cassette import cogs_of
from chaindrive.geometry.route import pitch_radius
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.teeth import cog_gap, tooth_gaps
from chaindrive.report.pack import Blob
from chaindrive.report.space import space_entry

__all__ = ["POINTS_PER_GAP", "drive_entry", "extent_of"]

FloatArray = NDArray[np.float64]

POINTS_PER_GAP = 25
"""Number of points of an outline per tooth gap; the middle point is at the bottom of the gap."""


def drive_entry(drive: Any, blob: Blob, extent: tuple[float, float, float, float] | None = None) -> dict[str, Any]:
    """Data of the drive for the page; the outlines are added to the blob.

    extent: left, right, bottom and top of all moving parts [m]; None: those of the reference configuration. Raises
    InputError if a tooth or a guide cannot be constructed.
    """
    chain, facts = drive.chain, drive_facts(drive)
    way = facts.route
    cogs = _cogs(drive, blob)
    number = {"ground": -1} | {body.name: index for index, body in enumerate(drive.bodies)}
    guides, bodies, tensioners = mechanism_views(drive, way, poses_of(drive))
    wheels = [
        {
            "name": wheel.name,
            "teeth": wheel.teeth,
            "centre": _pair(wheel.position),
            "radius": float(radius),
            "sign": int(sign),
            "driven": wheel.motion is not None or w == facts.driver,
            "body": number[wheel.body],
            "outline": blob.add(
                wheel_outline(gap, wheel.teeth, 0.0, POINTS_PER_GAP, polygon=facts.polygon_of(w)), "f4"
            ),
            "cogs": cogs[w],
        }
        for w, (wheel, gap, radius, sign) in enumerate(
            zip(drive.wheels, tooth_gaps(drive), way.radii, facts.signs, strict=True)
        )
    ]
    return {
        "name": drive.name,
        "pitch": chain.pitch,
        "roller_diameter": chain.roller_diameter,
        "plates": _plates(drive, blob),
        "space": space_entry(drive),
        "sheaves": _sheaves(drive, way.radii),
        "links": chain.joints,
        "closed": chain.ends is None,
        "ends": [
            {"joint": index * (chain.joints - 1), "anchored": end.kind != "free", "mass": getattr(end, "mass", 0.0)}
            for index, end in enumerate(chain.ends or ())
        ],
        "sense": facts.direction,
        "gravity": _pair(drive.gravity),
        "wheels": wheels,
        "guides": [
            {
                "name": view.name,
                "body": number[guide.body],
                "surface": blob.add(view.surface, "f4"),
                "strip": blob.add(view.strip, "f4"),
            }
            for guide, view in zip(drive.guides, guides, strict=True)
        ],
        "bodies": [
            _body_entry(view, number[body.parent], poses_of(drive).drawing[number[body.name]])
            for body, view in zip(drive.bodies, bodies, strict=True)
        ],
        "tensioners": [
            {
                "name": view.name,
                "kind": view.kind,
                "ends": [_pair(end) for end in view.ends],
                "bodies": [number[given.from_body], number[given.to_body]],
            }
            for given, view in zip(drive.tensioners, tensioners, strict=True)
        ],
        "spans": [{"name": name} for name in drive.span_names],
        "extent": list(extent_of(drive) if extent is None else extent),
    }


def _sheaves(drive: Any, radii: NDArray[np.float64]) -> dict[str, Any] | None:
    """Data of the pins and sheaves of a variator [rad, m]; None for any other drive. radii: radii at which the chain is
    placed.
    """
    if drive.chain.pins is None:
        return None
    pairs = [
        {"inner": sheave.inner_radius, "outer": sheave.outer_radius, "radius": float(radius)}
        for sheave, radius in zip(drive.sheaves, radii, strict=True)
    ]
    return {"half_angle": drive.chain.pins.half_angle, "pin_length": drive.chain.pins.length, "pairs": pairs}


def _plates(drive: Any, blob: Blob) -> dict[str, Any] | None:
    """Radii of the ends of inner and outer plates, of bushes and pins, and clearances of the joints; None if the drive
    has none.
    """
    sizes = link_sizes(drive)
    if sizes is None:
        return None
    return {
        "inner": float(sizes.rear[0]),
        "outer": float(sizes.rear[:2][-1]),
        "bush": sizes.bush,
        "pin": sizes.pin,
        "clearance": blob.add(sizes.clearance, "f4"),
    }


def _body_entry(view: BodyView, parent: int, reference: FloatArray) -> dict[str, Any]:
    """Data of a body; ``centre`` is the point whose position is the channel body_position."""
    return {
        "name": view.name,
        "joint": view.joint,
        "on_ground": view.on_ground,
        "parent": parent,
        "centre": _pair(reference),
        "place": _pair(view.place),
        "direction": _pair(view.direction),
        "support": _pair(view.support),
        "bars": [[_pair(first), _pair(last)] for first, last in view.bars],
    }


def _pair(point: Any) -> list[float]:
    return [float(point[0]), float(point[1])]


def _cogs(drive: Any, blob: Blob) -> list[list[dict[str, Any]]]:
    """Data of the additional cogs of every wheel, relative to the wheel, the largest first; lengths [m]."""
    found: list[list[dict[str, Any]]] = [[] for _ in drive.wheels]
    table, profiles, phases = cogs_of(drive, np.asarray(drive_facts(drive).senses), 0)
    for c in np.argsort(-table.tip, kind="stable"):
        teeth = int(table.teeth[c])
        found[table.wheel[c]].append(
            {
                "teeth": teeth,
                "radius": float(pitch_radius(drive.chain.pitch, teeth)),
                "offset": float(table.offset[c]),
                "outline": blob.add(wheel_outline(profiles[c], teeth, phases[c], POINTS_PER_GAP), "f4"),
            }
        )
    return found


def extent_of(
    drive: Any,
    rollers: FloatArray | None = None,
    wheel_position: FloatArray | None = None,
    body_position: FloatArray | None = None,
    body_angle: FloatArray | None = None,
) -> tuple[float, float, float, float]:
    """Return left, right, bottom and top of all drawn parts of a drive over F instants. [m]

    rollers (F, N, 2), wheel_position (F, W, 2), body_position (F, B, 2) [m], body_angle (F, B) [rad]; None: the
    parts do not move.
    """
    facts = drive_facts(drive)
    way = facts.route
    points = [np.zeros((0, 2))]
    for w, (wheel, gap) in enumerate(zip(drive.wheels, tooth_gaps(drive), strict=True)):
        outline = wheel_outline(gap, wheel.teeth, 0.0, 9, polygon=facts.polygon_of(w))
        reach = max([float(np.hypot(*outline.T).max()), *(cog_gap(drive, w, cog).tip_radius for cog in wheel.cogs)])
        centres = _box(np.zeros((0, 2)) if wheel_position is None else wheel_position[:, w])
        if not len(centres):
            centres = np.asarray(wheel.position)[None]
        points.append(centres + np.array([[-reach, -reach], [reach, reach]]))
    if rollers is not None:
        points.append(_box(rollers.reshape(-1, 2)))
    count = 1 if body_position is None or body_angle is None else len(body_position)
    for row in np.unique(np.linspace(0, count - 1, min(count, 24)).astype(int)):
        moved = body_position is not None and body_angle is not None
        poses = poses_of(drive, body_position[row], body_angle[row]) if moved else poses_of(drive)  # type: ignore[index]
        guides, bodies, tensioners = mechanism_views(drive, way, poses)
        points += [_box(guide.strip) for guide in guides]
        points += [_box(np.concatenate([[body.place, body.centre], body.points])) for body in bodies]
        points += [_box(tensioner.ends) for tensioner in tensioners]
    all_points = np.concatenate(points)
    all_points = all_points[np.isfinite(all_points).all(axis=1)]
    (left, bottom), (right, top) = all_points.min(axis=0), all_points.max(axis=0)
    return float(left), float(right), float(bottom), float(top)


def _box(points: Any) -> FloatArray:
    """Two opposite corners of the box around points (n, 2); empty if no point is finite."""
    given = np.asarray(points, dtype=np.float64)
    given = given[np.isfinite(given).all(axis=1)]
    return np.stack([given.min(axis=0), given.max(axis=0)]) if len(given) else np.zeros((0, 2))
