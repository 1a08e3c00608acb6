"""Cross-checks of the links of a chain: values that contradict each other or are impossible."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from chaindrive.errors import Problem
from chaindrive.model.chain import Chain
from chaindrive.model.links import LINKS, Link, link_dimensions, series_stiffness

if TYPE_CHECKING:
    from chaindrive.model.checks.parts import Parts

__all__ = ["LINK_CHECKS"]

SAME = 0.005
"""Relative difference in mass or stiffness that counts as rounding. [-]"""
MOST_CLEARANCE = 0.25
"""Largest clearance of a joint divided by the diameter of its pin, many times that of a worn-out chain. [-]"""


def _links(chain: Chain) -> Iterator[tuple[str, Link]]:
    return ((name, getattr(chain, name)) for name in LINKS)


def _masses(parts: Parts) -> Iterator[Problem]:
    """Check that the mean of both masses is ``link_mass``. If only one mass is given, it must leave a positive mass for
    the other link.
    """
    chain = parts.chain
    if chain is None:
        return
    inner, outer = chain.inner_link.mass, chain.outer_link.mass
    if inner is not None and outer is not None:
        mean = 0.5 * (inner + outer)
        if abs(chain.link_mass - mean) > SAME * mean:
            message = f"contradicts inner_link.mass and outer_link.mass, whose mean is {mean:.6g} kg: omit one of them"
            yield Problem("chain.link_mass", message, f"{chain.link_mass:g}")
        return
    for name, link in _links(chain):
        if link.mass is not None and link.mass >= 2.0 * chain.link_mass:
            message = (
                f"must be less than 2 x link_mass = {2.0 * chain.link_mass:g} kg, as otherwise no mass is left for "
                "the other links: correct it, or give the mass of both kinds of link"
            )
            yield Problem(f"chain.{name}.mass", message, f"{link.mass:g}")


def _stiffnesses(parts: Parts) -> Iterator[Problem]:
    """Check that half an inner and half an outer link in series together have ``link_stiffness``. If only one stiffness
    is given, it must leave a positive stiffness for the other link.
    """
    chain = parts.chain
    if chain is None:
        return
    inner, outer = chain.inner_link.stiffness, chain.outer_link.stiffness
    if inner is not None and outer is not None:
        both = series_stiffness(inner, outer)
        if abs(chain.link_stiffness - both) > SAME * both:
            message = (
                "contradicts inner_link.stiffness and outer_link.stiffness: half an inner and half an outer link in "
                f"series together have {both:.6g} N/m; omit one of them"
            )
            yield Problem("chain.link_stiffness", message, f"{chain.link_stiffness:g}")
        return
    for name, link in _links(chain):
        if link.stiffness is not None and link.stiffness <= 0.5 * chain.link_stiffness:
            message = (
                f"must be above link_stiffness / 2 = {0.5 * chain.link_stiffness:g} N/m: half an inner and half "
                "an outer link in series must together have link_stiffness; correct it, or give the stiffness of both"
            )
            yield Problem(f"chain.{name}.stiffness", message, f"{link.stiffness:g}")


def _bodies(parts: Parts) -> Iterator[Problem]:
    """Check that inertia and centre of mass are possible for a link of this pitch and depth."""
    chain = parts.chain
    if chain is None:
        return
    pitch, dimensions = chain.pitch, link_dimensions(chain)
    for name, link in _links(chain):
        place = f"chain.{name}"
        mass = link.mass if link.mass is not None else 2.0 * chain.link_mass
        centre = link.centre_of_mass if link.centre_of_mass is not None else (0.5 * pitch, 0.0)
        depth = min(dimensions[f"{name}.plate_depth"].value, pitch)
        farthest = 0.5 * (pitch + depth)
        most = mass * max(farthest**2 - (centre[0] - 0.5 * pitch) ** 2 - centre[1] ** 2, 0.0)
        if link.inertia is not None and link.inertia > most:
            message = (
                f"must be at most {most:.4g} kg m^2: no part of this link of {mass:.4g} kg is farther from its middle "
                f"than {farthest:.4g} m, half the sum of pitch and plate depth"
            )
            yield Problem(f"{place}.inertia", message, f"{link.inertia:g}")
        along, across = centre
        if not (0.0 <= along <= pitch and abs(across) <= 0.5 * depth):
            message = (
                f"must be within the link: from 0 (its bush) to {pitch:g} m (its pin) along it, and at most "
                f"{0.5 * depth:g} m, half the depth of its plates, beside the line between them"
            )
            yield Problem(f"{place}.centre_of_mass", message, repr(list(centre)))


def _plates(parts: Parts) -> Iterator[Problem]:
    """Check that plates have room for the parts that pass through them, and do not collide with neighbouring plates."""
    chain = parts.chain
    if chain is None:
        return
    dimensions = link_dimensions(chain)
    given = chain.elongation if isinstance(chain.elongation, tuple) else (chain.elongation,)
    each = chain.elongations if len(given) in (1, chain.links) else given  # wrong lengths are reported elsewhere
    room = chain.pitch * (1.0 + min(each))
    for name, link in _links(chain):
        depth, source = dimensions[f"{name}.plate_depth"]
        what, place = ("the round ends of neighbouring plates would collide", f"chain.{name}.plate_depth")
        if depth >= room and link.plate_depth is not None:
            message = f"must be less than the pitch {room:g} m of the shortest link: {what}"
            yield Problem(place, message, f"{depth:g}")
        elif depth >= room:
            message = (
                f"must be more than the plate depth {depth:g} m of {name} ({source}), or {what}; correct it, or give "
                f"{name}.plate_depth"
            )
            yield Problem("chain.pitch", message, f"{chain.pitch:g}")
        part = "bush" if name == "inner_link" else "pin"
        through = dimensions[f"{part}_diameter"].value
        if depth <= through:
            message = f"must be more than the diameter {through:g} m of the {part}, which goes through the plate"
            more = "" if link.plate_depth is not None else f" ({source})"
            yield Problem(place, message, f"{depth:g}{more}")


def _lengths(parts: Parts) -> Iterator[Problem]:
    """Check that a list has one value for each link, or for each joint; in a closed chain these numbers are equal."""
    chain = parts.chain
    if chain is None:
        return
    for name, what in (("joint_clearance", "joint"), ("elongation", "link")):
        values = getattr(chain, name)
        if isinstance(values, tuple) and len(values) != chain.links:
            message = f"must be one value, or a list with one for each {what}: {chain.links}, not {len(values)}"
            yield Problem(f"chain.{name}", message, f"{len(values)} values")


def _clearances(parts: Parts) -> Iterator[Problem]:
    """Check that a pin fits its bush with little clearance, and that the bush has a wall."""
    chain = parts.chain
    if chain is None:
        return
    given = chain.joint_clearance
    values = given if isinstance(given, tuple) else (given,)
    if not any(values):
        return
    if chain.pin_diameter is None:
        yield Problem(
            "chain.pin_diameter", "is needed for joint_clearance, which is the bore of the bush minus the pin diameter"
        )
        return
    bush = link_dimensions(chain)["bush_diameter"].value
    least, why = min(
        (MOST_CLEARANCE * chain.pin_diameter, "pin_diameter / 4: no chain wears that far"),
        (bush - chain.pin_diameter, f"or the bush of {bush:g} m would have no wall"),
    )
    wrong = [index for index, value in enumerate(values) if value >= least]
    if wrong:
        place = f"chain.joint_clearance[{wrong[0]}]" if isinstance(given, tuple) else "chain.joint_clearance"
        more = f"; {len(wrong) - 1} more of the values are too large" if len(wrong) > 1 else ""
        yield Problem(place, f"must be less than {least:g} m, {why}{more}", f"{values[wrong[0]]:g}")


LINK_CHECKS: tuple[Callable[[Parts], Iterator[Problem]], ...] = (
    _masses,
    _stiffnesses,
    _bodies,
    _plates,
    _lengths,
    _clearances,
)
