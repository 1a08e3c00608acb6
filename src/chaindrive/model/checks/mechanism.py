"""Cross-checks of bodies, guides and tensioners with each other and with the wheels, see ``checks``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from chaindrive.errors import Problem
from chaindrive.model.body import GROUND, Body, moving_bodies, parents_first
from chaindrive.model.checks.open_chain import is_open, span_count
from chaindrive.model.checks.parts import Parts
from chaindrive.model.problems import nearest
from chaindrive.model.wheel import Wheel

__all__ = ["MECHANISM_CHECKS"]


def _named_once(parts: Parts) -> Iterator[Problem]:
    lists = {"bodies": parts.bodies, "guides": parts.guides, "tensioners": parts.tensioners}
    for where, items in lists.items():
        first: dict[str, int] = {}
        for index, item in enumerate(items):
            if item is not None and item.name in first:
                message = f"must be unique, but {where}[{first[item.name]}] has the same name"
                yield Problem(f"{where}[{index}].name", message, repr(item.name))
            if item is not None:
                first.setdefault(item.name, index)


def _bodies_exist(parts: Parts) -> Iterator[Problem]:
    """Check that every body that is referred to exists."""
    if parts.wrong_bodies is None:
        return
    known = {GROUND, *parts.wrong_bodies, *(body.name for _, body in parts.present_bodies())}
    named = [(f"bodies[{index}].parent", body.parent) for index, body in parts.present_bodies()]
    named += [(f"wheels[{index}].body", wheel.body) for index, wheel in parts.present_wheels()]
    named += [(f"guides[{index}].body", guide.body) for index, guide in parts.present_guides()]
    for index, tensioner in parts.present_tensioners():
        named += [(f"tensioners[{index}].from_body", tensioner.from_body)]
        named += [(f"tensioners[{index}].to_body", tensioner.to_body)]
    for place, name in named:
        if name not in known:
            there = ", ".join(repr(other) for other in sorted(known))
            yield Problem(
                place, f"is not a body of the drive{nearest(name, known) or '.'} Available: {there}", repr(name)
            )


def _no_circles(parts: Parts) -> Iterator[Problem]:
    """Check that every sequence of parents ends at the ground."""
    bodies = {body.name: body for _, body in reversed(list(parts.present_bodies()))}
    seen: set[str] = set()
    for index, body in parts.present_bodies():
        path = [body.name]
        while (parent := bodies.get(path[-1])) is not None and parent.parent not in path:
            path.append(parent.parent)
        if parent is not None and parent.parent == body.name and body.name not in seen:
            seen.update(path)
            supported = " on ".join(repr(name) for name in [*path, body.name])
            message = f"is part of a closed loop, {supported}: one of these bodies must be joined to the ground"
            yield Problem(f"bodies[{index}].parent", message, repr(body.parent))


def _supported_wheels(parts: Parts) -> Iterator[Problem]:
    """Check that a wheel whose centre moves has a mass, and that its mass and inertia can include any eccentric
    mass.
    """
    moving = moving_bodies(body for _, body in parts.present_bodies())
    for index, wheel in parts.present_wheels():
        if wheel.body in moving and wheel.mass is None:
            message = f"is missing: the wheel moves with the body {wheel.body!r} and needs its mass"
            yield Problem(f"wheels[{index}].mass", message)
        if wheel.unbalance is None or wheel.mass is None or wheel.inertia is None:
            continue
        # Cauchy: (sum m r)^2 < sum m * sum m r^2 for a body that turns about an axis.
        most = math.sqrt(wheel.mass * wheel.inertia)
        if wheel.unbalance.mass_moment >= most:
            yield Problem(
                f"wheels[{index}].unbalance.mass_moment",
                f"must be below sqrt(mass x inertia) = {most:.6g} kg m: mass and inertia include the eccentric mass",
                f"{wheel.unbalance.mass_moment:g}",
            )


def _masses(parts: Parts) -> Iterator[Problem]:
    """Check that every freely moving joint moves some mass."""
    present = list(parts.present_bodies())
    for index, body in present:
        if body.joint.kind == "fixed" and body.mass > 0.0 and body.centre_of_mass is None:
            message = "is missing: a fixed joint has no position that could serve as the centre of mass"
            yield Problem(f"bodies[{index}].centre_of_mass", message)
    if None in parts.bodies or None in parts.wheels:  # the mass may be that of an invalid part
        return
    names = {body.name for _, body in present}
    if len(names) != len(present):
        return
    wheels = [wheel for _, wheel in parts.present_wheels()]
    ordered = parents_first([body for _, body in present])
    for index, body in present:
        if body.joint.kind == "fixed" or body.joint.motion is not None:
            continue
        if not _moves_mass(body, _supported(body, ordered), wheels):
            off = " away from its joint, or an inertia" if body.joint.kind == "revolute" else ""
            message = f"the joint of {body.name!r} moves no mass: give a mass to the body, or to a part on it{off}"
            yield Problem(f"bodies[{index}]", message)


def _supported(body: Body, ordered: Sequence[Body]) -> list[Body]:
    """Return the body and all bodies that it supports; ``ordered``: bodies with parents first."""
    found = {body.name: body}
    for other in ordered:
        if other.parent in found:
            found.setdefault(other.name, other)
    return list(found.values())


def _moves_mass(body: Body, supported: Sequence[Body], wheels: Sequence[Wheel]) -> bool:
    """Return whether a body and what it supports have mass (prismatic joint), or inertia about its joint (revolute
    joint).
    """
    names = {other.name for other in supported}
    supported_wheels = [wheel for wheel in wheels if wheel.body in names]
    if any(wheel.mass is None for wheel in supported_wheels):  # reported on its own
        return True
    masses = [(other.mass, _centre(other)) for other in supported]
    masses += [(wheel.mass or 0.0, wheel.position) for wheel in supported_wheels]
    if body.joint.kind != "revolute":
        return any(mass > 0.0 for mass, _ in masses)
    about = body.joint.position
    turning = (mass > 0.0 and centre is not None and math.dist(centre, about) > 0.0 for mass, centre in masses)
    return any(other.inertia > 0.0 for other in supported) or any(turning)


def _centre(body: Body) -> tuple[float, float] | None:
    """Return the centre of mass of a body in the reference configuration; None if missing. [m]"""
    if body.centre_of_mass is not None or body.joint.kind == "fixed":
        return body.centre_of_mass
    return body.joint.position


def _tensioner_ends(parts: Parts) -> Iterator[Problem]:
    """Check that the ends of a tensioner can move relative to each other."""
    anchors = _anchors([body for _, body in parts.present_bodies()])
    for index, tensioner in parts.present_tensioners():
        one, other = (anchors.get(name, name) for name in (tensioner.from_body, tensioner.to_body))
        if one != other:
            continue
        if tensioner.from_body == tensioner.to_body:
            message = "must be a body other than from_body: otherwise the tensioner has no effect"
        else:
            message = (
                f"must be a body that moves relative to from_body {tensioner.from_body!r}: fixed joints connect the two"
            )
        yield Problem(f"tensioners[{index}].to_body", message, repr(tensioner.to_body))


def _anchors(bodies: Sequence[Body]) -> Mapping[str, str]:
    """Return the name of the body, or the ground, to which each body is rigidly connected by fixed joints."""
    anchors = {GROUND: GROUND}
    for body in parents_first(bodies):
        fixed = body.joint.kind == "fixed"
        anchors.setdefault(body.name, anchors.get(body.parent, body.parent) if fixed else body.name)
    return anchors


def _guides(parts: Parts) -> Iterator[Problem]:
    """Check that guides fit the spans and the chain."""
    count = span_count(len(parts.wheels), parts.chain.ends if parts.chain is not None else None)
    for index, guide in parts.present_guides():
        shape, place = guide.shape, f"guides[{index}]"
        if shape.kind == "on_span" and count:
            if shape.span >= count:
                message = f"must be from 0 to {count - 1}: the drive has {count} spans"
                yield Problem(f"{place}.shape.span", message, str(shape.span))
            else:
                yield from _within_span(parts, f"{place}.shape.length", shape.span, shape.length)
        if parts.chain is None:
            continue
        pitch, radius = parts.chain.pitch, guide.contact_radius
        if radius is not None and radius > pitch:
            message = f"must be at most the pitch {pitch:g} m: no plate reaches farther from the line of the rollers"
            yield Problem(f"{place}.contact_radius", message, f"{radius:g}")
        reach = 0.5 * parts.chain.roller_diameter if radius is None else radius
        if shape.kind == "path":
            for number, piece in enumerate(shape.pieces):
                hollow = piece.radius is not None and piece.bend != shape.side
                if hollow and piece.radius is not None and piece.radius <= reach:
                    message = f"must be above {reach:g} m, as otherwise the chain does not fit into the hollow"
                    yield Problem(f"{place}.shape.pieces[{number}].radius", message, f"{piece.radius:g}")


def _within_span(parts: Parts, place: str, span: int, length: float) -> Iterator[Problem]:
    """Check that a length on a span is not longer than the centre distance of its wheels."""
    if is_open(parts):
        return
    one, other = parts.wheels[span], parts.wheels[(span + 1) % len(parts.wheels)]
    if one is None or other is None:
        return
    distance = math.dist(one.position, other.position)
    if length > distance:
        message = f"must be at most {distance:.6g} m, the distance between the wheels {one.name!r} and {other.name!r}"
        yield Problem(place, message, f"{length:g}")


MECHANISM_CHECKS: tuple[Callable[[Parts], Iterator[Problem]], ...] = (
    _named_once,
    _bodies_exist,
    _no_circles,
    _masses,
    _supported_wheels,
    _guides,
    _tensioner_ends,
)
