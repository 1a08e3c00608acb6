"""The sketch shown in the editor while a drive changes: wheels, route, guides and the points that can be moved.

It is computed within milliseconds. A drive that is not complete yet is drawn as far as possible.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from chaindrive.drawing.mechanism import mechanism_views, poses_of
from chaindrive.editor.changes import Place
from chaindrive.errors import InputError
from chaindrive.geometry.pitch_line import OvalWheel
from chaindrive.geometry.route import Route, oval_route, pitch_radius, route
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import route_in_pitches
from chaindrive.mechanism.stages import chains_alone
from chaindrive.model import Drive, standard_chain
from chaindrive.model.base import Vector
from chaindrive.model.files.keys import parts_of, tables
from chaindrive.model.pitch_line import PitchLine
from chaindrive.units import to_si

__all__ = ["handles", "point_names", "sketch"]

USUAL_PITCH = 0.0127
"""Pitch with which wheels are drawn if the chain does not have a pitch yet. [m]"""
ROUNDING = 1e-9
"""Slack below which a chain counts as taut. [m]"""
_LISTS = ("wheels", "sheaves")


def sketch(fields: Mapping[str, Any], drive: Drive | None) -> dict[str, Any]:
    """Return the sketch of a file, as tables for the page and for tests; lengths in m, angles in rad.

    fields: the content of the file; drive: the drive that the file describes, or None.
    """
    chains = [] if drive is None else list(chains_alone(drive))
    found: dict[str, Any] = {"handles": list(handles(fields)), "wheels": [], "routes": [], "rails": [], "forces": []}
    found |= {"bodies": [], "numbers": []}
    for number, chain in enumerate(chains):
        prefix: Place = () if number == 0 else ("stages", number - 1)
        with_route = _of_drive(chain, prefix, fields)
        for key, values in with_route.items():
            found[key] += values
    if drive is None:
        found |= _as_far_as_known(fields)
    found["loads"] = list(_loads(found["wheels"]))
    return found


def _of_drive(drive: Drive, prefix: Place, fields: Mapping[str, Any]) -> dict[str, list[Any]]:
    facts = drive_facts(drive)
    part = _LISTS[1] if drive.sheaves else _LISTS[0]
    wheels = [
        {
            "path": [*prefix, part, w] if _exists(fields, (*prefix, part, w)) else None,
            "name": wheel.name,
            "teeth": float(wheel.teeth),
            "centre": _pair(wheel.position),
            "radius": float(radius),
            "corners": _corners(facts.oval, w, wheel.position),
            "back": getattr(wheel, "side", "front") == "back",
            "driver": w == facts.driver,
            "sense": int(sense),
            "load": bool(getattr(wheel, "load_torque", None) or getattr(wheel, "load_table", None)),
        }
        for w, (wheel, radius, sense) in enumerate(zip(drive.wheels, facts.pitch_radii, facts.senses, strict=True))
    ]
    try:
        way = facts.route
    except InputError:
        return {"wheels": wheels}
    rails, bodies, forces = mechanism_views(drive, way, poses_of(drive))
    return {
        "wheels": wheels,
        "routes": [_route(way)],
        "rails": [
            {"path": [*prefix, "guides", g], "name": view.name, "surface": np.round(view.surface, 7).tolist()}
            for g, view in enumerate(rails)
        ],
        "forces": [
            {"path": [*prefix, "tensioners", k], "name": view.name, "ends": [_pair(end) for end in view.ends]}
            for k, view in enumerate(forces)
        ],
        "bodies": [
            {"path": place if _exists(fields, place) else None, "bars": np.round(view.bars, 7).tolist()}
            for b, view in enumerate(bodies)
            for place in ([*prefix, "bodies", b],)
        ],
        "numbers": [_numbers(drive, way)],
    }


def _corners(oval: OvalWheel | None, w: int, centre: Any) -> list[list[float]]:
    """Return the pitch polygon of wheel w at its present angle if it is an oval sprocket; no points for a round wheel.
    [m]
    """
    if oval is None or oval.wheel != w:
        return []
    found: list[list[float]] = np.round(np.asarray(centre) + oval.corners, 7).tolist()
    return found


def _route(way: Route) -> dict[str, Any]:
    """Return the spans, the arcs on round wheels, and the line of the chain on an oval sprocket."""
    w = -1 if way.oval is None else way.oval.wheel
    parts = zip(way.centres, way.radii, way.arrival_angle, way.departure_angle, way.signs, strict=True)
    return {
        "spans": np.round(np.concatenate([way.span_start, way.span_end], axis=1), 7).tolist(),
        "arcs": [
            [*_pair(centre), float(radius), float(first), float(last), int(sign)]
            for k, (centre, radius, first, last, sign) in enumerate(parts)
            if k != w
        ],
        "lines": [] if way.oval is None else [np.round(way.centres[w] + way.on_oval, 7).tolist()],
    }


def _numbers(drive: Drive, way: Route) -> dict[str, Any]:
    """Return lengths and angles shown beside the drawing.

    They include slack and sag of a closed chain, assuming that only its slack span sags. The sag is that of a parabola:
    slack = 8 sag^2 / (3 span).
    """
    chain = drive.chain
    numbers: dict[str, Any] = {
        "chain": chain.standard or "",
        "links": chain.links,
        "chosen": bool(chain.links_follow),
        "spans": [
            {"name": name, "length": float(length)}
            for name, length in zip(drive.span_names, way.span_length, strict=True)
        ],
        "wraps": [
            {"name": wheel.name, "wrap": float(wrap), "teeth": float(wrap * wheel.teeth / (2.0 * math.pi))}
            for wheel, wrap in zip(drive.wheels, way.wrap, strict=True)
        ],
    }
    if chain.ends is not None or drive.sheaves:
        return numbers | {"pitches": None, "slack": None, "sag": None}
    pitches = route_in_pitches(drive)
    slack = (chain.links - pitches) * chain.mean_pitch
    slack = slack if abs(slack) > ROUNDING else 0.0
    span = float(way.span_length[drive_facts(drive).slack_span])
    return numbers | {"pitches": pitches, "slack": slack, "sag": math.sqrt(0.375 * max(slack, 0.0) * span)}


def _as_far_as_known(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the wheels and the route of a file that does not describe a complete drive yet."""
    pitch = _pitch(fields.get("chain"))
    wheels: list[dict[str, Any]] = []
    oval: OvalWheel | None = None
    given = fields.get("wheels")
    for w, table in enumerate(given if isinstance(given, list) else []):
        centre = _point(table.get("position")) if isinstance(table, dict) else None
        teeth = table.get("teeth") if isinstance(table, dict) else None
        if centre is None or isinstance(teeth, bool) or not isinstance(teeth, int) or not 3 <= teeth <= 1000:
            continue
        oval = oval or _oval(table.get("pitch_line"), len(wheels), teeth, pitch)
        wheels.append(
            {
                "path": ["wheels", w],
                "name": str(table.get("name", "")),
                "teeth": float(teeth),
                "centre": centre,
                "radius": float(pitch_radius(pitch, teeth)),
                "corners": _corners(oval, len(wheels), centre),
                "back": table.get("side") == "back",
                "driver": "motion" in table or "initial_speed" in table,
                "sense": 0,
                "load": "load_torque" in table or "load_table" in table,
            }
        )
    routes = []
    if len(wheels) > 1:
        loop = -1 if fields.get("loop") == "clockwise" else 1
        signs = [-loop if wheel["back"] else loop for wheel in wheels]
        try:
            way = route([w["centre"] for w in wheels], [w["radius"] for w in wheels], signs)
            routes.append(_route(way if oval is None else oval_route(way, oval)))
        except InputError:
            pass  # reported as a problem once the drive is complete
    return {"wheels": wheels, "routes": routes}


def _oval(line: Any, number: int, teeth: int, pitch: float) -> OvalWheel | None:
    """Return the sprocket with this pitch line, given as in a drive file; None if the line is missing or invalid."""
    try:
        found: Any = _pitch_line().validate_python(line)
    except (ValidationError, InputError):
        return None
    polygon = found.polygon(teeth, pitch)
    return OvalWheel(number, polygon, found.angle) if np.isfinite(polygon.corners).all() else None


@cache
def _pitch_line() -> TypeAdapter[Any]:
    return TypeAdapter(PitchLine)


def _pitch(chain: Any) -> float:
    """Return the pitch of a chain, or the usual pitch if none is given. [m]"""
    if not isinstance(chain, dict):
        return USUAL_PITCH
    try:
        named = str(chain.get("standard", ""))
        found = to_si(chain["pitch"], "m") if "pitch" in chain else standard_chain(named).pitch
    except (ValueError, InputError):
        return USUAL_PITCH
    return found if 1e-4 < found < 10.0 else USUAL_PITCH


@cache
def point_names() -> frozenset[str]:
    """Return the keys of a drive file whose value is a point or a list of points."""
    return frozenset(
        name
        for table in tables(Drive)
        for name, field in table.model.model_fields.items()
        if any(isinstance(part, Vector) and part.unit == "m" for part in (*field.metadata, *parts_of(field.annotation)))
    )


def handles(fields: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the points of a file that can be moved, each with its path and its position [m]."""
    yield from _handles(fields, ())


def _handles(here: Any, path: Place) -> Iterator[dict[str, Any]]:
    for key, value in here.items() if isinstance(here, Mapping) else ():
        if key in point_names() and isinstance(value, list):
            if (at := _point(value)) is not None:
                yield {"path": [*path, key], "at": at}
                continue
            for k, each in enumerate(value):
                if (at := _point(each)) is not None:
                    yield {"path": [*path, key, k], "at": at}
        if isinstance(value, Mapping):
            yield from _handles(value, (*path, key))
        elif isinstance(value, list):
            for k, each in enumerate(value):
                if isinstance(each, Mapping):
                    yield from _handles(each, (*path, key, k))


def _loads(wheels: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the loaded wheels; an arrow against the rotation is drawn at each of them."""
    for wheel in wheels:
        if wheel["load"]:
            yield {"centre": wheel["centre"], "radius": wheel["radius"], "sense": -wheel["sense"]}


def _point(value: Any) -> list[float] | None:
    if not isinstance(value, list) or len(value) != 2 or any(isinstance(part, list | dict | bool) for part in value):
        return None
    try:
        return [to_si(part, "m") for part in value]
    except ValueError:
        return None


def _exists(fields: Any, path: Iterable[str | int]) -> bool:
    """Return whether a file has a value at a path."""
    for step in path:
        try:
            fields = fields[step]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def _pair(point: Any) -> list[float]:
    return [round(float(point[0]), 9), round(float(point[1]), 9)]
