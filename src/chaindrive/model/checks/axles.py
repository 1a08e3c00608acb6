"""Cross-checks of wheels of one chain that are fixed to one shaft (``shaft_with``), see ``checks``."""

from __future__ import annotations

from collections.abc import Iterator

from chaindrive.errors import Problem
from chaindrive.model.body import GROUND
from chaindrive.model.checks.parts import Parts
from chaindrive.model.problems import nearest
from chaindrive.model.wheel import Wheel

__all__ = ["AXLE_CHECKS"]

AXLE_KINDS = ("roller", "link")
"""Formulations that support two wheels of one chain on the same shaft."""


def _fixed_to(parts: Parts) -> Iterator[Problem]:
    """Check that the other wheel comes earlier in the list, and that the chain turns both wheels in the same
    direction.
    """
    first: dict[str, tuple[int, Wheel]] = {}
    known = len(list(parts.present_wheels())) == len(parts.wheels)
    for index, wheel in parts.present_wheels():
        other = None if wheel.shaft_with is None else first.get(wheel.shaft_with)
        if other is not None:
            yield from _unlike(index, wheel, other)
        elif wheel.shaft_with is not None and known:
            names = [name for name, (_, each) in first.items() if each.shaft_with is None]
            there = ", ".join(repr(name) for name in names) or "none"
            message = f"is not a wheel earlier in the list{nearest(wheel.shaft_with, names) or '.'} Available: {there}"
            yield Problem(f"wheels[{index}].shaft_with", message, repr(wheel.shaft_with))
        first.setdefault(wheel.name, (index, wheel))


def _unlike(index: int, wheel: Wheel, other: tuple[int, Wheel]) -> Iterator[Problem]:
    """Yield problems of a wheel that is fixed to the shaft of another wheel; other: the first wheel on the shaft, with
    its index.
    """
    place, (number, leader) = f"wheels[{index}]", other
    if leader.shaft_with is not None:
        message = f"is itself fixed to the shaft of {leader.shaft_with!r}: name that wheel"
        yield Problem(f"{place}.shaft_with", message, repr(wheel.shaft_with))
    if wheel.side != leader.side:
        message = (
            f"must be that of wheels[{number}] {leader.name!r}: the chain turns wheels on its front and on its back "
            "in opposite directions, but these two turn together"
        )
        yield Problem(f"{place}.side", message, repr(wheel.side))
    for key in ("motion", "initial_speed"):
        if getattr(wheel, key) is not None:
            message = f"does not apply: the wheel turns with wheels[{number}] {leader.name!r}; give it there"
            yield Problem(f"{place}.{key}", message)
    for there, each in ((place, wheel), (f"wheels[{number}]", leader)):
        if each.freewheel is not None:
            yield Problem(f"{there}.freewheel", "cannot be on a shaft with two wheels (shaft_with): omit it")
        if each.unbalance is not None and (each.body != GROUND or each.shaft is not None):
            message = (
                "cannot be on a shaft with two wheels (shaft_with) where the support of its wheel moves: omit it, "
                "or fix the wheel to the ground"
            )
            yield Problem(f"{there}.unbalance", message)


def _one_centre(parts: Parts) -> Iterator[Problem]:
    """Yield parts and options that a chain in several planes, over coaxial wheels, does not support."""
    wheels = dict(parts.present_wheels())
    for index, wheel in wheels.items():
        number = next((i for i, each in wheels.items() if each.name == wheel.shaft_with), None)
        if number is None or wheels[number].position != wheel.position:
            continue
        for i in (number, index):
            if wheels[i].body != GROUND or wheels[i].shaft is not None:
                message = "must be on the ground, without an elastic shaft, as a coaxial wheel turns with it"
                yield Problem(f"wheels[{i}]", message, wheels[i].name)
        for place in ["preload"] * (parts.preload is not None) + [f"payloads[{k}]" for k in range(len(parts.payloads))]:
            message = f"needs a chain in one plane, but wheels[{number}] and wheels[{index}] are coaxial; omit it"
            yield Problem(place, message)


def _run_of(parts: Parts) -> Iterator[Problem]:
    """Yield options of a run that need the same chain speed on all wheels."""
    joined = [(index, wheel) for index, wheel in parts.present_wheels() if wheel.shaft_with is not None]
    if not joined or parts.run is None:
        return
    kind = parts.run.formulation.kind
    if kind not in AXLE_KINDS:
        message = (
            f"cannot be used with the formulation {kind!r}: use run.formulation.kind = 'roller' or 'link', or give "
            "each wheel its own chain (stages)"
        )
        index, wheel = joined[0]
        yield Problem(f"wheels[{index}].shaft_with", message, repr(wheel.shaft_with))
    if getattr(parts.run.formulation, "coordinates", "cartesian") == "path":
        message = "the trajectory of path coordinates needs the same chain speed on all wheels: use 'cartesian'"
        yield Problem("run.formulation.coordinates", message, "'path'")
    if parts.run.until == "steady":
        message = (
            "the motion of a chain over two wheels of one shaft (shaft_with) never repeats: give the end of the run "
            "as a time"
        )
        yield Problem("run.until", message, "'steady'")


AXLE_CHECKS = (_fixed_to, _one_centre, _run_of)
