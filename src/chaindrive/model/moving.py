"""Moves a body in the drawing with everything that it carries: wheels, guides, ends of tensioners and other bodies.

Parts are models, or tables as in a file, whose values may be strings with units.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from chaindrive.model.base import Vector
from chaindrive.model.body import GROUND, Body, PrismaticJoint, RevoluteJoint, parents_first
from chaindrive.units import to_si

__all__ = ["carried", "moved_fields"]

_METRES = Vector("m", most=1e6)


def carried(bodies: Sequence[Body], name: str) -> frozenset[str]:
    """Return the names of a body and of all bodies joined to it, directly or indirectly."""
    found = {name}
    for body in parents_first(tuple(bodies)):
        if body.parent in found:
            found.add(body.name)
    return frozenset(found)


def moved_fields(
    joint: RevoluteJoint | PrismaticJoint,
    names: Collection[str],
    coordinate: float,
    parts: Sequence[Any],
    kind: str,
    body: str = "",
) -> list[Any]:
    """Return the parts of a drive after the joint is moved to a coordinate, as a new reference configuration.

    names: bodies that move; kind: 'wheels', 'guides', 'bodies' or 'tensioners'; body: the body whose joint is moved,
    whose end stops and neutral spring position stay in place. Raises ValueError for values that cannot be read.
    """
    move = _Move(joint, coordinate)
    return [_CHANGES[kind](move, part, names, body) for part in parts]


class _Move:
    """The motion of a joint: a rotation about a point, or a translation."""

    def __init__(self, joint: RevoluteJoint | PrismaticJoint, coordinate: float) -> None:
        self.joint, self.coordinate = joint, coordinate
        self.turn = coordinate if isinstance(joint, RevoluteJoint) else 0.0

    def point(self, given: Any) -> tuple[float, float]:
        x, y = _METRES.parse(given)
        if isinstance(self.joint, PrismaticJoint):
            along = self.joint.direction
            return x + self.coordinate * math.cos(along), y + self.coordinate * math.sin(along)
        px, py = self.joint.position
        c, s = math.cos(self.turn), math.sin(self.turn)
        return px + c * (x - px) - s * (y - py), py + s * (x - px) + c * (y - py)

    def angle(self, given: Any) -> float:
        return to_si(given, "rad") + self.turn


def _value(part: Any, name: str) -> Any:
    return part.get(name) if isinstance(part, Mapping) else getattr(part, name, None)


def _with(part: Any, changes: Mapping[str, Any]) -> Any:
    if isinstance(part, Mapping):
        return {**part, **changes}
    return part.model_copy(update=dict(changes))


def _wheel(move: _Move, part: Any, names: Collection[str], _: str) -> Any:
    if (_value(part, "body") or GROUND) not in names:
        return part
    return _with(part, {"position": move.point(_value(part, "position"))})


def _guide(move: _Move, part: Any, names: Collection[str], _: str) -> Any:
    if (_value(part, "body") or GROUND) not in names:
        return part
    shape = _value(part, "shape")
    changes: dict[str, Any] = {}
    for name in ("start", "end"):
        if _value(shape, name) is not None:
            changes[name] = move.point(_value(shape, name))
    if _value(shape, "kind") == "path":
        changes["direction"] = move.angle(_value(shape, "direction"))
    return _with(part, {"shape": _with(shape, changes)})  # a rail on a span follows the span


def _body(move: _Move, part: Any, names: Collection[str], body: str) -> Any:
    if _value(part, "name") not in names:
        return part
    changes: dict[str, Any] = {}
    if (centre := _value(part, "centre_of_mass")) is not None:
        changes["centre_of_mass"] = move.point(centre)
    joint, own = _value(part, "joint"), _value(part, "name") == body
    inside: dict[str, Any] = {}
    if own:
        unit = "rad" if isinstance(move.joint, RevoluteJoint) else "m"
        for name in ("neutral", "lower", "upper"):
            given = _value(joint, name)
            if given is not None or name == "neutral":
                inside[name] = to_si(0.0 if given is None else given, unit) - move.coordinate
    else:
        if _value(joint, "position") is not None:
            inside["position"] = move.point(_value(joint, "position"))
        if _value(joint, "direction") is not None:
            inside["direction"] = move.angle(_value(joint, "direction"))
    return _with(part, changes | {"joint": _with(joint, inside)})


def _tensioner(move: _Move, part: Any, names: Collection[str], _: str) -> Any:
    changes = {
        f"{end}_position": move.point(_value(part, f"{end}_position"))
        for end in ("from", "to")
        if (_value(part, f"{end}_body") or GROUND) in names
    }
    return _with(part, changes)


_CHANGES = {"wheels": _wheel, "guides": _guide, "bodies": _body, "tensioners": _tensioner}
