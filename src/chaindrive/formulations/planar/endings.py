"""Endings of a run of a planar chain for physical reasons, and the places at which they occur."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.status import Status
from chaindrive.formulations.planar.parameters import FloatArray, PlanarParameters
from chaindrive.numbers import quantity

if TYPE_CHECKING:
    from chaindrive.model import Drive

__all__ = [
    "CHAIN_JUMPED_TOOTH",
    "CHAIN_LEFT_WHEEL",
    "ENDINGS",
    "NO_REST",
    "PENETRATION_TOO_DEEP",
    "TENSION_ABOVE_BREAKING_LOAD",
    "ended_at",
]

PRESSED = 0.1
"""Fraction of the largest force above which a surface is reported as pressing on the roller. [-]"""

CHAIN_JUMPED_TOOTH = Status(
    "CHAIN_JUMPED_TOOTH",
    20,
    "A roller moved from one tooth gap into another while pressed against the wheel: the chain jumped a tooth.",
    "Take up the slack, raise the preload (the slack span holds the chain on the last teeth), or lower the load; "
    "chaindrive check states slack, sag and the tension that the teeth need. "
    'run.formulation.on_jump = "continue" continues and counts the jumps.',
)
CHAIN_LEFT_WHEEL = Status(
    "CHAIN_LEFT_WHEEL",
    21,
    "A wheel lost contact with all rollers: the chain came off it.",
    "Check route, side and preload with chaindrive check; start with a slower ramp.",
)
TENSION_ABOVE_BREAKING_LOAD = Status(
    "TENSION_ABOVE_BREAKING_LOAD",
    22,
    "A link tension exceeded the breaking load of the chain.",
    "The real chain would have broken here. To simulate beyond it, give a larger chain.breaking_load, and with it "
    "chain.link_stiffness, which chaindrive check prints and which is otherwise estimated from the breaking load.",
)
PENETRATION_TOO_DEEP = Status(
    "PENETRATION_TOO_DEEP",
    23,
    "A roller was pressed into a wheel by more than a quarter of its diameter, or into a guide beyond its "
    "max_penetration.",
    "A roller that runs against the end of a guide, or is squeezed between two parts, needs room: look at the place "
    "(chaindrive plot). Otherwise the step may be too large: shorten run.solver.step. Or a contact spring is too soft "
    "for the load: raise contact.stiffness or, for a rubber guide, max_penetration.",
)
STEP_TOO_SMALL = Status(
    Status.STEP_TOO_SMALL.name,
    Status.STEP_TOO_SMALL.code,
    Status.STEP_TOO_SMALL.meaning,
    "Increase the absolute tolerances, or look for a contact far stiffer than the links.",
)
CONTACTS_NOT_SOLVED = Status(
    Status.CONTACTS_NOT_SOLVED.name,
    Status.CONTACTS_NOT_SOLVED.code,
    "No impulses of the rigid contacts can keep rollers and surfaces apart.",
    "Where a roller is pressed between surfaces that do not give way (fixed, or moved as prescribed), it jams: make "
    "room for it, let a spring hold one of them, or use run.formulation.contacts = 'compliant'. Otherwise look for "
    "masses that differ by many orders of magnitude.",
)
ENDINGS = (
    CHAIN_JUMPED_TOOTH,
    CHAIN_LEFT_WHEEL,
    TENSION_ABOVE_BREAKING_LOAD,
    PENETRATION_TOO_DEEP,
    STEP_TOO_SMALL,
    CONTACTS_NOT_SOLVED,
)
NO_REST = (
    "at rest, teeth hold rollers without friction: if a load pulls rollers up the flanks, raise the preload, take up "
    "the slack, or reduce the load"
)


def ended_at(
    drive: Drive, p: PlanarParameters, tensions: FloatArray, status: Status, time: float, state: FloatArray
) -> str:
    """Return the roller or link, and the wheel, guide or span, at which a run ended (Story.ended_at).

    If a solver ended the run, the place is that of the first value that was not a number, of the largest force of a
    rigid contact, or of the largest penetration. The memory and the scratch arrays of the last evaluation are read.
    tensions: tensions of the links, (N,) [N].
    """
    if status == TENSION_ABOVE_BREAKING_LOAD:
        link = int(np.argmax(tensions))
        return f"{_link(drive, p, link)}: {quantity(float(tensions[link]), 'N')}"
    if status == PENETRATION_TOO_DEEP:
        depth, roller, surface = _deepest(p)
        return f"roller {roller} on {_surface(drive, surface)}: {quantity(depth, 'm')}"
    if status == CHAIN_LEFT_WHEEL:
        return ", ".join(_last_on(drive, p, w) for w, gaps in enumerate(p.gap) if (gaps < 0).all())
    if status == CHAIN_JUMPED_TOOTH:
        jumped = np.flatnonzero(p.mesh.jumps > 0.0)
        return ", ".join(_jumped_on(drive, p, int(w)) for w in jumped) or _out_of_order(drive, p)
    if status == CONTACTS_NOT_SOLVED:
        return _pressed_most(drive, p)
    if status == Status.NOT_A_NUMBER:
        return _not_a_number(drive, p, tensions)
    if status == STEP_TOO_SMALL and p.used.segments[0]:
        depth, roller, surface = _deepest(p)
        return (
            f"roller {roller} on {_surface(drive, surface)}, pressed {quantity(depth, 'm')} deep" if depth > 0.0 else ""
        )
    return ""


def _pressed_most(drive: Drive, p: PlanarParameters) -> str:
    """Return the roller on which the largest force of a rigid contact acts, and the surfaces that press on it."""
    force = p.rigid.normal.reshape(p.faces, p.rollers)
    largest = float(force.max(initial=0.0))
    if not 0.0 < largest < math.inf:
        return ""
    roller = int(np.argmax(force.max(axis=0)))
    surfaces = dict.fromkeys(int(s) for s in p.face.surface[force[:, roller] > PRESSED * largest])
    return f"roller {roller}, pressed by {' and '.join(_surface(drive, surface) for surface in surfaces)}"


def _last_on(drive: Drive, p: PlanarParameters, wheel: int) -> str:
    """Return a wheel without rollers, with the middle roller of those between its teeth at the previous search."""
    roller, name = int(p.mesh.roller[wheel]), drive.wheels[wheel].name
    return f"wheel {name!r}, last touched by roller {roller}" if roller >= 0 else f"wheel {name!r}"


def _jumped_on(drive: Drive, p: PlanarParameters, wheel: int) -> str:
    """Return a text that names a wheel on which the chain has jumped, and a roller: the first one that presses into a
    gap not next to that of the roller before it, or else the tracked roller, if there is one.
    """
    torn = _torn(p.gap[wheel], _pressed(p)[wheel], drive.wheels[wheel].teeth, bool(p.closed))
    roller = torn if torn >= 0 else int(p.mesh.roller[wheel])
    return (
        f"roller {roller} on wheel {drive.wheels[wheel].name!r}"
        if roller >= 0
        else f"wheel {drive.wheels[wheel].name!r}"
    )


def _not_a_number(drive: Drive, p: PlanarParameters, tensions: FloatArray) -> str:
    """Return the first contact, or else the first link, whose force was not a number in the last evaluation."""
    for s in range(p.used.segments[0]):
        first, end, slot = int(p.segment.first[s]), int(p.segment.end[s]), int(p.segment.slot[s])
        wrong = np.flatnonzero(~np.isfinite([column[slot : slot + end - first] for column in p.contact]).all(axis=0))
        if wrong.size:
            return f"roller {first + int(wrong[0])} on {_surface(drive, int(p.segment.surface[s]))}"
    wrong = np.flatnonzero(~np.isfinite(tensions))
    return _link(drive, p, int(wrong[0])) if wrong.size else ""


def _link(drive: Drive, p: PlanarParameters, link: int) -> str:
    return f"link {link} {_place_of_link(drive, p, link)}".strip()


def _place_of_link(drive: Drive, p: PlanarParameters, link: int) -> str:
    """Return the wheel on which a link lies, or else its span.

    The span is the one after the last wheel on which an earlier roller presses. In an open chain without such a wheel
    it is the first span.
    """
    from chaindrive.model import WheelEnd

    both = [link, (link + 1) % p.rollers]
    pressed = _pressed(p)
    for wheel, rollers in zip(drive.wheels, pressed, strict=True):
        if rollers[both].all():
            return f"on wheel {wheel.name!r}"
    ends = drive.chain.ends
    before = 0 if ends is None or isinstance(ends[0], WheelEnd) else 1  # spans before the first wheel
    for back in range(p.rollers if p.closed else link + 1):
        seated = np.flatnonzero(pressed[:, (link - back) % p.rollers])
        if seated.size:
            return _span(drive, int(seated[0]) + before)
    return _span(drive, 0) if before else ""


def _span(drive: Drive, span: int) -> str:
    return f"in the span {drive.span_names[span]!r}" if span < len(drive.span_names) else ""


def _pressed(p: PlanarParameters) -> NDArray[np.bool_]:
    """Return which rollers press on each wheel, on any of its faces, (W, N)."""
    pressed = p.impact_speed > 0.0
    found = [pressed[p.face.surface == w].any(axis=0) for w in range(p.wheels)]
    return np.array(found, dtype=np.bool_).reshape(p.wheels, p.rollers)  # an open chain may have no wheel


def _deepest(p: PlanarParameters) -> tuple[float, int, int]:
    """Return the penetration that is largest relative to the limit of its surface [m], with its roller and surface."""
    found = []
    for s in range(p.used.segments[0]):
        first, end, slot = int(p.segment.first[s]), int(p.segment.end[s]), int(p.segment.slot[s])
        depths = p.contact.penetration[slot : slot + end - first]
        surface, most = int(p.segment.surface[s]), int(np.argmax(depths))
        limit = float(p.surface.max_penetration[surface])
        found.append((float(depths[most]) / limit, float(depths[most]), first + most, surface))
    return max(found)[1:]


def _surface(drive: Drive, surface: int) -> str:
    wheels = len(drive.wheels)
    if surface < wheels:
        return f"wheel {drive.wheels[surface].name!r}"
    return f"guide {drive.guides[surface - wheels].name!r}"


def _out_of_order(drive: Drive, p: PlanarParameters) -> str:
    """Return the first roller that presses into a gap not next to that of the roller before it, with its wheel."""
    for wheel, gaps, presses in zip(drive.wheels, p.gap, _pressed(p), strict=True):
        torn = _torn(gaps, presses, wheel.teeth, bool(p.closed))
        if torn >= 0:
            return f"roller {torn} on wheel {wheel.name!r}"
    return ""


def _torn(gaps: NDArray[np.int64], presses: NDArray[np.bool_], teeth: int, closed: bool) -> int:
    """Return the first roller that presses into a gap of a wheel that is not next to the gap of the roller before it,
    or -1.

    In a chain that is not closed, no roller precedes the first one.
    """
    pressed = presses & np.roll(presses, -1)
    pressed[-1:] &= closed
    step = (np.roll(gaps, -1) - gaps) % teeth
    torn = np.flatnonzero(pressed & (step != 1) & (step != teeth - 1))
    return (int(torn[0]) + 1) % gaps.size if torn.size else -1
