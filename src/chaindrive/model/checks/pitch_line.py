"""Cross-checks of an oval sprocket (``pitch_line``), see ``checks``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from chaindrive.errors import Problem
from chaindrive.model.checks.open_chain import is_open
from chaindrive.model.checks.parts import Parts
from chaindrive.model.pitch_line import PitchLineTable
from chaindrive.model.wheel import Wheel

__all__ = ["PITCH_LINE_CHECKS"]

OVAL_KINDS = ("roller", "link", "spatial")
"""Formulations that support the teeth of an oval sprocket."""
SCALED = 0.02
"""Largest relative change in the scale of a table of radii that may be needed to place the teeth one pitch apart.
[-]
"""


def _alone(parts: Parts) -> Iterator[Problem]:
    """Check that an oval sprocket has teeth and a shaft of its own, and is the only one of a closed chain with at least
    two wheels.
    """
    oval = [(index, wheel) for index, wheel in parts.present_wheels() if wheel.pitch_line is not None]
    for index, wheel in oval[1:]:
        message = f"wheels[{oval[0][0]}] {oval[0][1].name!r} has one already: only one wheel of a chain can be oval"
        yield Problem(f"wheels[{index}].pitch_line", message, repr(wheel.name))
    for index, wheel in oval[:1]:
        place = f"wheels[{index}].pitch_line"
        if is_open(parts):
            yield Problem(place, "needs a closed chain: omit chain.ends, or the pitch line")
        if len(parts.wheels) < 2:
            yield Problem(place, "needs a second wheel: on a single wheel, a chain hangs in a loop")
        if wheel.tooth.form == "smooth":
            yield Problem(place, "needs teeth, which keep the chain in place: use a different tooth.form")
        shafts = {each.shaft_with for _, each in parts.present_wheels() if each.shaft_with is not None}
        if wheel.shaft_with is not None or wheel.name in shafts:
            yield Problem(place, "does not apply to wheels of one chain on one shaft (shaft_with): omit it")


def _shape(parts: Parts) -> Iterator[Problem]:
    """Check that the pitch line is convex, and that the teeth on it can be one pitch apart."""
    if parts.chain is None:
        return
    for index, wheel in parts.present_wheels():
        if wheel.pitch_line is not None:
            yield from _shape_of(index, wheel, parts.chain.pitch)


def _shape_of(index: int, wheel: Wheel, pitch: float) -> Iterator[Problem]:
    line, place = wheel.pitch_line, f"wheels[{index}].pitch_line"
    assert line is not None
    polygon = line.polygon(wheel.teeth, pitch)
    name = "radii" if isinstance(line, PitchLineTable) else "ovality"
    if not (np.isfinite(polygon.corners).all() and polygon.convex):
        message = "must be convex, as otherwise the chain would lift off the sprocket somewhere; use a smaller ovality"
        yield Problem(f"{place}.{name}", message)
    elif name == "radii" and abs(polygon.scale - 1.0) > SCALED:
        mean = float(np.mean(polygon.radii))
        message = (
            f"must fit {wheel.teeth} teeth one pitch apart to within {100 * SCALED:g} %: such teeth need a mean "
            f"radius of {mean:.6g} m; check unit, teeth and pitch"
        )
        yield Problem(f"{place}.radii", message, f"mean {mean / polygon.scale:.6g} m")


def _formulation(parts: Parts) -> Iterator[Problem]:
    """Check that the formulation supports the teeth of an oval sprocket."""
    oval = [(index, wheel) for index, wheel in parts.present_wheels() if wheel.pitch_line is not None]
    if not oval or parts.run is None:
        return
    options = parts.run.formulation
    place = f"wheels[{oval[0][0]}].pitch_line"
    if options.kind not in OVAL_KINDS:
        kinds = ", ".join(repr(kind) for kind in OVAL_KINDS)
        message = f"cannot be used with the formulation {options.kind!r}, which has no teeth: use one of {kinds}"
        yield Problem(place, message, repr(oval[0][1].name))
    if getattr(options, "coordinates", "cartesian") == "path":
        message = "the trajectory of path coordinates needs round wheels (no pitch_line): use 'cartesian'"
        yield Problem("run.formulation.coordinates", message, "'path'")


PITCH_LINE_CHECKS = (_alone, _shape, _formulation)
