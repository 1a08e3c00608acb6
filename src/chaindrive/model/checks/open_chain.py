"""Cross-checks of the ends of a chain: requirements of open and closed chains, see ``checks``.

The number of spans and their names, which follow from wheels and ends, are also defined here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from chaindrive.errors import Problem
from chaindrive.model.body import GROUND
from chaindrive.model.checks.parts import Parts
from chaindrive.model.ends import BodyEnd, FreeEnd, GroundEnd, WheelEnd
from chaindrive.model.problems import nearest

__all__ = ["LEAST_LINKS", "LEAST_WHEELS", "OPEN_CHECKS", "is_open", "span_count", "span_names"]

LEAST_LINKS, LEAST_WHEELS = 3, 1
"""Smallest numbers of links and wheels of a closed chain."""
FREE_KINDS = ("roller", "link")
"""Formulations that support open chains, and chains that hang in a loop from a single wheel."""


def is_open(parts: Parts) -> bool:
    """Return whether the chain has ends."""
    return parts.chain is not None and parts.chain.ends is not None


def span_count(wheels: int, ends: Sequence[Any] | None) -> int:
    """Return the number of spans: one after every wheel; in an open chain, also one before the first wheel.

    There is no span beyond a wheel to which an end is anchored.
    """
    if ends is None:
        return wheels
    return wheels + 1 - sum(isinstance(end, WheelEnd) for end in ends)


def span_names(wheels: Sequence[str], ends: Sequence[Any] | None) -> tuple[str, ...]:
    """Return the names of the spans, see ``Drive.span_names``; wheels: names of the wheels in the order of the
    route.
    """
    if ends is None:
        ways: Iterable[tuple[str, str]] = zip(wheels, [*wheels[1:], *wheels[:1]], strict=True)
    else:
        first, second = ([] if isinstance(end, WheelEnd) else [_called(end)] for end in ends)
        ways = pairwise([*first, *wheels, *second])
    spans = [f"{name} - {after}" for name, after in ways]
    return tuple(span if spans.count(span) == 1 else f"{span} ({k})" for k, span in enumerate(spans))


def _called(end: GroundEnd | BodyEnd | FreeEnd) -> str:
    """Return the name of an end that is not on a wheel."""
    if isinstance(end, BodyEnd):
        return end.body
    return "ground" if isinstance(end, GroundEnd) else "free end"


def is_hanging_loop(parts: Parts) -> bool:
    """Return whether the chain is closed and hangs from a single wheel."""
    return parts.chain is not None and not is_open(parts) and len(parts.wheels) == 1


def _closed(parts: Parts) -> Iterator[Problem]:
    """Yield problems of a closed chain."""
    if parts.chain is None or is_open(parts):
        return
    if parts.chain.links < LEAST_LINKS:
        message = f"must be at least {LEAST_LINKS} in a closed chain; an open chain has ends (chain.ends)"
        yield Problem("chain.links", message, str(parts.chain.links))


def _hanging_loop(parts: Parts) -> Iterator[Problem]:
    """Yield keys that a loop hanging from a single wheel does not support."""
    if not is_hanging_loop(parts):
        return
    if parts.preload is not None:
        message = (
            "needs two wheels: the chain on a single wheel hangs, and its tension comes from its weight; omit it, "
            "or change the number of links"
        )
        yield Problem("preload", message)
    for index in range(len(parts.payloads)):
        message = "needs two wheels: a chain that hangs from a single wheel carries no goods; omit it"
        yield Problem(f"payloads[{index}]", message)
    if parts.run is None:
        return
    kind = parts.run.formulation.kind
    if kind not in FREE_KINDS:
        message = (
            f"needs at least two with the formulation {kind!r}: a chain on a single wheel hangs in a loop; use "
            "run.formulation.kind = 'roller' or 'link'"
        )
        yield Problem("wheels", message, "1")
    if getattr(parts.run.formulation, "coordinates", "cartesian") == "path":
        message = "the trajectory of path coordinates needs two wheels: for a single wheel use 'cartesian'"
        yield Problem("run.formulation.coordinates", message, "'path'")


def _anchors(parts: Parts) -> Iterator[Problem]:
    """Check that bodies and wheels to which ends are anchored exist and are in the right place."""
    if parts.chain is None or parts.chain.ends is None:
        return
    bodies = {body.name for _, body in parts.present_bodies()} | {GROUND}
    names = [wheel.name if wheel is not None else None for wheel in parts.wheels]
    for index, end in enumerate(parts.chain.ends):
        place = f"chain.ends[{index}]"
        if isinstance(end, BodyEnd) and parts.wrong_bodies is not None and end.body not in bodies | parts.wrong_bodies:
            there = ", ".join(repr(name) for name in sorted(bodies))
            message = f"is not a body of the drive{nearest(end.body, bodies) or '.'} Available: {there}"
            yield Problem(f"{place}.body", message, repr(end.body))
        if isinstance(end, WheelEnd) and None not in names:
            known = [name for name in names if name is not None]
            beside = names[-index:][:1]
            if not known:
                message = "there are no wheels: anchor the end to the ground or to a body, or leave it free"
                yield Problem(f"{place}.wheel", message, repr(end.wheel))
            elif end.wheel != beside[0]:
                which = "first" if index == 0 else "last"
                hint = "" if end.wheel in known else nearest(end.wheel, known)
                message = (
                    f"must be {beside[0]!r}, the {which} wheel of the list, as it is the first that the chain meets "
                    f"from this end{hint}; or change the order of the wheels"
                )
                yield Problem(f"{place}.wheel", message, repr(end.wheel))
    first, second = parts.chain.ends
    if len(parts.wheels) == 1 and isinstance(first, WheelEnd) and isinstance(second, WheelEnd):
        message = "both ends are anchored to the only wheel, so the chain cannot move: release one of them"
        yield Problem("chain.ends", message, repr(first.wheel))


def _free_ends(parts: Parts) -> Iterator[Problem]:
    """Check positions of free ends: they follow from the links, unless nothing else determines where the chain is."""
    if parts.chain is None or parts.chain.ends is None:
        return
    first, second = parts.chain.ends
    if isinstance(first, FreeEnd) and isinstance(second, FreeEnd) and first.position is None:
        message = "is missing: both ends are free, so the position of the first end at the start of the run is needed"
        yield Problem("chain.ends[0].position", message)
    for index, (end, other) in enumerate(((first, second), (second, first))):
        needed = index == 0 and isinstance(other, FreeEnd)
        if isinstance(end, FreeEnd) and end.position is not None and not needed:
            message = "follows from the number of links: omit it, or give direction"
            yield Problem(f"chain.ends[{index}].position", message, repr(list(end.position)))


def _preload(parts: Parts) -> Iterator[Problem]:
    """Refuse a preload for a chain with a free end, because the weight on this end determines the tension."""
    if parts.preload is None or parts.chain is None or parts.chain.ends is None:
        return
    free = [f"chain.ends[{k}]" for k, end in enumerate(parts.chain.ends) if isinstance(end, FreeEnd)]
    if free:
        message = (
            f"needs an open chain that is anchored at both ends: weight and force on its free end ({free[0]}) "
            "determine its tension; give that end a mass or a force, or anchor it"
        )
        yield Problem("preload", message)


def _left_to_closed_chains(parts: Parts) -> Iterator[Problem]:
    """Yield keys that an open chain does not support."""
    if not is_open(parts):
        return
    if parts.run is None:
        return
    if parts.run.until == "steady":
        message = "an open chain does not circulate, so no revolution repeats: give a time"
        yield Problem("run.until", message, "'steady'")
    kind = parts.run.formulation.kind
    if kind not in FREE_KINDS:
        message = f"the formulation {kind!r} supports only closed chains: use run.formulation.kind = 'roller' or 'link'"
        yield Problem("chain.ends", message, kind)
    if getattr(parts.run.formulation, "coordinates", "cartesian") == "path":
        message = "the trajectory of path coordinates is a closed curve, and this chain is open: use 'cartesian'"
        yield Problem("run.formulation.coordinates", message, "'path'")


def _smooth(parts: Parts) -> Iterator[Problem]:
    """Check that the formulation supports wheels without teeth, on which a chain slides with friction."""
    if parts.run is None or parts.run.formulation.kind not in ("block", "spatial"):
        return
    for index, wheel in parts.present_wheels():
        if wheel.tooth.form == "smooth":
            message = (
                f"the formulation {parts.run.formulation.kind!r} supports only sprockets: use run.formulation.kind = "
                "'roller'"
            )
            yield Problem(f"wheels[{index}].tooth.form", message, "'smooth'")


OPEN_CHECKS: tuple[Callable[[Parts], Iterator[Problem]], ...] = (
    _closed,
    _hanging_loop,
    _anchors,
    _free_ends,
    _preload,
    _left_to_closed_chains,
    _smooth,
)
