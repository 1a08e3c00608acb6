"""Doubts about a drive that can be built: values and positions that are unrealistic for chain drives."""

from __future__ import annotations

from collections.abc import Container, Iterator

import numpy as np

from chaindrive.geometry import clearance
from chaindrive.geometry.clearance import FloatArray, Layout, Rail
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.teeth import forms_with_room, obstructions, tooth_wedges
from chaindrive.model import Drive, driving_torque, torques_of, torques_on
from chaindrive.model.body import moving_bodies
from chaindrive.model.guide import Guide
from chaindrive.numbers import quantity

__all__ = ["doubts", "turned_back"]

NO_RISE = 1e-6
"""Height of a roller above the bottom of its gap up to which it counts as touching the bottom, relative to the roller
diameter. [-]
"""
IN_THE_WAY = 1.5e-3
"""Length, relative to the pitch, by which teeth may obstruct the path of rollers before a warning is given. New chains
are longer than nominal by as much (Tsubaki, The Complete Guide to Chain, section 2.1.2). [-]"""
ROUGH = 1.0
"""Friction coefficient beyond which a warning is given. [-]"""
AWAY, SAG = 0.5, 0.03
"""Distance of a guide from the chain beyond which a warning is given: number of pitches, plus a fraction of the span
length if gravity pulls the chain towards the guide. [-]"""
POINTS = 100
"""Number of points of the surface of a guide that are checked."""


def doubts(drive: Drive, layout: Layout, colliding: Container[int] = ()) -> Iterator[str]:
    """Yield doubts about a drive whose parts are laid out as given; each begins with a key and a number.

    colliding: guides that collide with other parts; these are reported elsewhere.
    """
    yield from _wedged(drive)
    yield from _obstructed(drive)
    yield from _rough(drive)
    yield from _tensioned_where_tight(drive, layout)
    yield from turned_back(drive)
    moving = moving_bodies(drive.bodies)
    for number, (guide, rail) in enumerate(zip(drive.guides, layout.rails, strict=True)):
        wheels = [w for w in layout.route.wheels_of(rail.span) if w >= 0]
        still = guide.body not in moving and not any(drive.wheels[w].body in moving for w in wheels)
        if still and number not in colliding:
            yield from (f"guides[{number}].shape: {text}" for text in _idle(drive, layout, guide, rail))


def turned_back(drive: Drive) -> Iterator[str]:
    """Yield warnings about motors that drive against the direction in which the drive starts, if nothing else drives it
    in this direction: they brake the drive, then turn it backwards.
    """
    facts = drive_facts(drive)
    if facts.given_speed is None or facts.prescribed:
        return
    turning = list(zip(drive.wheels, facts.senses, strict=True))
    if any(driving_torque(wheel.torque) * sense > 0.0 for wheel, sense in turning):
        return
    first = drive.wheels[facts.driver].name
    for number, (wheel, sense) in enumerate(turning):
        for torque in torques_of(wheel.torque):
            keys = torque.facts().direction_key
            if keys and torque.mean_torque(0.0, float(sense)) * sense < 0.0:
                way = "counter-clockwise" if sense > 0 else "clockwise"
                yield (
                    f"{'sheaves' if drive.sheaves else 'wheels'}[{number}].torque: the motor drives against the "
                    f"direction in which {wheel.name!r} turns at the start, {way}: it brakes the drive and then turns "
                    f"it backwards; change the signs of its {keys}, or of the initial_speed of {first!r}"
                )


def _obstructed(drive: Drive) -> Iterator[str]:
    """Yield warnings about teeth that obstruct rollers as they enter and leave: how far they reach, the resulting pull,
    and alternatives.
    """
    chain = drive.chain
    alike: dict[tuple[str, str, str, str], list[str]] = {}
    for number, depth in enumerate(obstructions(drive)):
        if depth > IN_THE_WAY * chain.pitch:
            pull = f"stretching a link by this much takes {quantity(depth * chain.link_stiffness, 'N', 3)}"
            if chain.breaking_load is not None:
                pull += f", the breaking load is {quantity(chain.breaking_load, 'N', 3)}"
            room = "".join(f"tooth.form = {form!r} or " for form in forms_with_room(drive, number))
            facts = str(drive.wheels[number].tooth.form), quantity(depth, "m", 3), pull, room
            alike.setdefault(facts, []).append(f"wheels[{number}].tooth")
    for (own, reach, pull, room), places in alike.items():
        yield (
            f"{', '.join(places)}: {own!r} teeth reach {reach} into the path of rollers that enter or leave, which "
            "turn about the roller in the next gap: they are lifted over the tooth, or jam where the chain is heavy "
            f"or tight ({pull}); use {room}more teeth"
        )


def _rough(drive: Drive) -> Iterator[str]:
    """Yield warnings about friction coefficients larger than those of any pair of materials in a chain drive."""
    given = [("contact.friction", drive.contact.friction), ("chain.joint_friction", drive.chain.joint_friction)]
    for name in ("wheels", "guides"):
        contacts = enumerate(part.contact for part in getattr(drive, name))
        given += [(f"{name}[{k}].contact.friction", own.friction) for k, own in contacts if own is not None]
    for place, value in given:
        if value > ROUGH:
            yield (
                f"{place}: {value:g} is more than for dry steel on steel (0.1 to 0.8); 0.05 to 0.15 is typical of "
                "oiled chains"
            )


def _wedged(drive: Drive) -> Iterator[str]:
    """Yield warnings about wheels in whose gaps rollers are wedged, except for kinematic seats, whose walls are meant
    to hold rollers.
    """
    for number, (wheel, wedge) in enumerate(zip(drive.wheels, tooth_wedges(drive), strict=True)):
        if wheel.tooth.form == "kinematic-seat":
            continue
        if wedge is not None and wedge.rise > NO_RISE * drive.chain.roller_diameter:
            roller, cut = quantity(drive.chain.roller_diameter, "m"), quantity(wheel.roller_diameter or 0.0, "m")
            yield (
                f"wheels[{number}]: rollers of {roller} are wedged between the flanks of {wheel.name!r}, whose teeth "
                f"are cut for {cut}: they touch both {quantity(wedge.rise, 'm', 3)} above the bottom of a gap"
            )


def _idle(drive: Drive, layout: Layout, guide: Guide, rail: Rail) -> Iterator[str]:
    """Yield a warning about a guide on the wrong side of its span, or so far away that the chain does not touch it."""
    start, end = layout.route.span_start[rail.span], layout.route.span_end[rail.span]
    along, length = layout.route.span_direction[rail.span], float(layout.route.span_length[rail.span])
    left = np.array([-along[1], along[0]])
    outwards = left if guide.shape.side == "left" else -left
    surface = _evenly(rail.surface)
    beside = ((surface - start) @ along > 0.0) & ((surface - start) @ along < length)
    behind = -((surface - start) @ outwards)[beside]
    span = f"span {drive.span_names[rail.span]!r}"
    if behind.size and behind.min() > max(guide.shape.indentation, 0.0) + 0.5 * rail.contact_radius:
        other = "right" if guide.shape.side == "left" else "left"
        yield (
            f"{guide.name!r} has side = {guide.shape.side!r}, but its surface is "
            f"{quantity(float(behind.min()), 'm', 3)} to {quantity(float(behind.max()), 'm', 3)} to the {other} of "
            f"{span}; if it guides the chain from there, set side = {other!r}; if it is pressed into the chain, set "
            "its indentation"
        )
        return
    lines = [np.stack([start, end]), layout.lines[rail.span]]
    towards = float(np.dot(drive.gravity, outwards)) > 0.0
    least = AWAY * layout.pitch + (SAG * length if towards else 0.0)
    gap = min(clearance.apart(rail.surface, lines), _from_wheels(layout, surface)) - rail.contact_radius
    if gap > least:
        yield (
            f"{guide.name!r} touches nothing: on {span}, the chain passes it at a distance of "
            f"{quantity(gap, 'm', 3)}; move it to the chain, or remove it"
        )


def _tensioned_where_tight(drive: Drive, layout: Layout) -> Iterator[str]:
    """Yield a warning if moving bodies press on the span that carries the mean load to the driver, and none on the span
    into which the driver feeds the chain, as in a drive whose driver turns in the wrong direction.
    """
    facts = drive_facts(drive)
    if drive.chain.ends is not None or not (facts.prescribed and facts.one_speed) or layout.route.hanging_loop:
        return
    driver, moving = facts.driver, moving_bodies(drive.bodies)
    pressed = [(rail.span, guide.name) for guide, rail in zip(drive.guides, layout.rails, strict=True)
               if guide.body in moving]  # fmt: skip
    for w, wheel in enumerate(drive.wheels):
        if wheel.body in moving:
            pressed += [(span, wheel.name) for span in (layout.route.span_before(w), layout.route.span_after(w))]
    slack = facts.slack_span
    tight = layout.route.span_before(driver) if slack == layout.route.span_after(driver) else driver
    names = list(dict.fromkeys(name for span, name in pressed if span == tight))
    if not names or any(span == slack for span, _ in pressed) or not _mean_pull(drive) > 0.0:
        return
    name, turns = drive.wheels[driver].name, "counter-clockwise" if facts.senses[driver] > 0 else "clockwise"
    yield (
        f"wheels[{driver}].motion: {name!r} turns {turns} and feeds the chain into span {drive.span_names[slack]!r}, "
        f"where slack collects, but {' and '.join(map(repr, names))} on a moving body tensions span "
        f"{drive.span_names[tight]!r}, which carries the load: if the direction of rotation is wrong, change the sign "
        "of the speed; otherwise move the tensioner to the other span"
    )


def _mean_pull(drive: Drive) -> float:
    """Return the chain pull of the mean loads of the wheels that the driver turns. [N]"""
    facts, pull = drive_facts(drive), 0.0
    for w, wheel in enumerate(drive.wheels):
        if w != facts.driver:
            sense, teeth = float(facts.senses[w]), drive.wheels[facts.driver].teeth / wheel.teeth
            speed = sense * abs(facts.driver_speed) * teeth
            pull -= sense * sum(each.mean_torque(speed, sense) for each in torques_on(wheel)) / float(facts.levers[w])
    return pull


def _evenly(line: FloatArray) -> FloatArray:
    """Return points at equal distances along a polyline, shape (POINTS, 2)."""
    place = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.linspace(0.0, place[-1], POINTS)
    return np.stack([np.interp(at, place, line[:, k]) for k in (0, 1)], axis=1)


def _from_wheels(layout: Layout, points: FloatArray) -> float:
    """Return the smallest distance of points from the parts of pitch circles on which the chain lies; below 0 inside a
    circle. [m]
    """
    arms = points[:, None] - layout.route.centres[None]
    return float((np.hypot(arms[..., 0], arms[..., 1]) - layout.route.radii).min(initial=np.inf))
