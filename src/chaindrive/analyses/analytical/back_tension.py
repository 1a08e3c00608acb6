"""Compares the pull of a hanging slack span with the slack-side tension that the teeth need to carry the load."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from chaindrive.analyses.analytical import formulas
from chaindrive.analyses.carried import span_mass_per_length
from chaindrive.contract.states import FloatArray
from chaindrive.geometry.initial_configuration import InitialConfiguration, fitting_distance
from chaindrive.geometry.route import Route, pitch_radius
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import route_in_pitches
from chaindrive.mechanism.rails import guided_spans
from chaindrive.model import Drive, torques_on
from chaindrive.model.body import moving_bodies
from chaindrive.numbers import quantity

__all__ = ["LARGE_SAG", "BackTension", "back_tension", "doubt", "doubt_at_rest", "doubt_of_pretension"]

LARGE_SAG = 0.05
"""A warning is given if the sag of a span, divided by its length, exceeds this value. [-]"""


HOLDS = 0.5
"""A warning is given if the tension at rest on the slack side of a wheel, divided by the tension that its teeth need,
is below this value. The example bicycle-50x19 runs at 0.52 (800 W) and jumps at 0.42 (1000 W). [-]"""

FREE = 0.35
"""Length by which the chain must be longer than its route, relative to the pitch, before it can jump on wheels and
guides that all stay in place; a shorter chain is pulled tight as it climbs, which holds it. Of 60 runs of two wheels
(11 to 25 teeth of two forms, five chains, friction 0 to 0.2, loads of 0.1 to 0.6 of the breaking load), all with more
than 0.5 pitches ended by a jump or a broken link, some between 0.39 and 0.5, and none below. [-]"""

TAUT = 1e-9
"""Strain of a link up to which its tension is that of rounding. [-]"""

LARGE_PRETENSION = 0.125
"""A warning is given if every span of a chain at rest carries more than this fraction of the breaking load. An eighth
is what drives are designed for with their load (template ``two-wheels``), and pretension adds to the load. [-]"""


class BackTension(NamedTuple):
    """Sag and pull of the slack span of a closed chain."""

    span: int
    sag: float
    """Sag of the chain as placed. [m]"""
    share: float
    """Sag divided by the length of the span. [-]"""
    pull: float
    """Tension in the span due to its own weight. [N]"""
    needed: float
    """Tension needed to keep the last tooth loaded on the wheels at both ends of the span, at the largest loads; nan
    without a load. [N]
    """
    wheel: int
    """Index of the wheel that needs this tension; -1 for none."""


def back_tension(drive: Drive, configuration: InitialConfiguration) -> BackTension | None:
    """Return sag and pull of the slack span of the chain as placed. The result is None if the chain has no slack span,
    if a guide or tensioner supports the slack span, if the chain hangs in a loop from a single wheel, or if the wheels
    are not in one plane.

    The pull is computed for a parabola, w l^2 / (8 f), with w the transverse component of the weight per length. The
    tension of the links on a wheel decreases from that of the tight span by the factor ``formulas.binder_ratio`` from
    roller to roller (Binder 1956, Eq. 4.39, with the pressure angle of ASA teeth), with friction opposing rollers that
    climb (Naji and Marshek 1983). The tension of the slack span must be at least the tension that remains after the
    last roller.
    """
    k, way = configuration.slack_span, configuration.route
    if k < 0 or not configuration.sag > 0.0 or drive.chain.ends is not None or drive.tensioners or drive.bodies:
        return None
    if way.hanging_loop or k in guided_spans(drive, way):
        return None
    if len({wheel.offset for wheel in drive.wheels}) > 1:  # the chain was placed in the plane, where it sags more
        return None
    length, (ux, uy), (gx, gy) = float(way.span_length[k]), way.span_direction[k], drive.gravity
    weight = float(span_mass_per_length(drive)[k]) * abs(ux * gy - uy * gx)
    pull = weight * length**2 / (8.0 * configuration.sag)
    load, shift = _load(drive), float(formulas.friction_shift(drive.contact.friction))
    needed, wheel = math.nan, -1
    for w in (k, (k + 1) % len(drive.wheels)):
        left = _left(drive.wheels[w].teeth, float(way.wrap[w]), shift)
        if left < 1.0 and not load * left / (1.0 - left) <= needed:
            needed, wheel = load * left / (1.0 - left), w
    return BackTension(k, configuration.sag, configuration.sag / length, float(pull), needed, wheel)


def _left(teeth: float, wrap: float, shift: float) -> float:
    """Return the tension after the last roller on a wheel, divided by that of the tight span.

    wrap [rad]; shift: angle by which friction reduces the pressure angle [rad].
    """
    links = max(round(wrap * teeth / (2.0 * math.pi)) - 1, 0)
    return float(formulas.binder_ratio(teeth, float(formulas.pressure_angle(teeth)) - shift)) ** links


def _load(drive: Drive) -> float:
    """Return the chain pull due to all loads, each at its largest value; without loads, the chain pull of the motors.
    [N]
    """
    pulls = {True: 0.0, False: 0.0}
    speed, own = drive_facts(drive).highest_speed, drive.wheels[drive_facts(drive).driver].teeth
    for wheel in drive.wheels:
        for torque in torques_on(wheel):
            facts = torque.facts(speed * own / wheel.teeth)
            pulls[facts.driving != 0.0] += abs(facts.largest) / float(pitch_radius(drive.chain.pitch, wheel.teeth))
    return pulls[False] or pulls[True]


def doubt(drive: Drive, configuration: InitialConfiguration) -> str:
    """Return a warning if the slack span sags too far, with the pull that it exerts; an empty string otherwise.

    A low pull alone causes no warning: drives run without tooth jumping at a third of the pull that the teeth need
    according to this estimate.
    """
    found = back_tension(drive, configuration)
    if found is None or not found.share > LARGE_SAG:
        return ""
    parts = [f"sags by {100.0 * found.share:.3g} % of its length (chain makers recommend 1 to 4 %)"]
    if found.needed > found.pull:
        parts.append(
            f"its weight exerts a pull of {quantity(found.pull, 'N', 2)}, but {drive.wheels[found.wheel].name!r} needs "
            f"{quantity(found.needed, 'N', 2)} at the largest load (Binder 1956, ASA teeth)"
        )
    span = drive.span_names[found.span]
    return (
        f"chain.links: the slack span {span} {' and '.join(parts)}: the chain may jump. Take up the slack (move a "
        "wheel, or preload), or add a guide or tensioner to the span"
    )


def doubt_at_rest(drive: Drive, wraps: FloatArray, tensions: Sequence[float]) -> str:
    """Return a warning if the slack side of a wheel is so loose at rest that the chain may jump; an empty string
    otherwise.

    The tension that the teeth need is that of ``back_tension``, with the tight side at rest as the load. A tensioner
    gives way when the chain climbs. If all wheels and guides stay in place, the chain is pulled tight instead, unless
    it is longer than its route by more than ``FREE``. wraps (W,) [rad] and tensions (W,) [N] at rest of a closed chain,
    in which span k leads from wheel k to the next.
    """
    if not drive.wheels or (not _gives_way(drive) and _free(drive, tensions) < FREE * drive.chain.pitch):
        return ""
    taut = TAUT * drive.chain.link_stiffness * drive.chain.pitch
    shift = float(formulas.friction_shift(drive.contact.friction)) if drive.contact is not None else 0.0
    for w, wheel in enumerate(drive.wheels):
        slack, tight = sorted((tensions[w - 1], tensions[w]))
        needed = tight * _left(wheel.teeth, wraps[w], shift)
        if tight > taut and slack < HOLDS * needed:
            return (
                f"the slack side of {wheel.name!r} carries {quantity(slack, 'N', 2)} at rest, but its teeth need "
                f"{quantity(needed, 'N', 2)} for {quantity(tight, 'N', 3)} on the tight side (Binder 1956, ASA teeth): "
                "the chain may climb its teeth and jump. Stiffen or preload the tensioner, wrap the wheel farther, or "
                "lower the load"
            )
    return ""


def doubt_of_pretension(drive: Drive, way: Route, tensions: Sequence[float]) -> str:
    """Return a warning if the chain is so short for its route that all of its spans carry a large tension at rest; an
    empty string otherwise.

    way: route with the wheels at rest; tensions (W,) [N] at rest. There is no warning for an open chain, for a chain of
    unknown breaking load, or if the drive specifies a preload.
    """
    strength = drive.chain.breaking_load
    if strength is None or drive.chain.ends is not None or drive.preload is not None or way.hanging_loop:
        return ""
    least = min(tensions, default=0.0)
    if not least > LARGE_PRETENSION * strength:
        return ""
    distance = None
    if not drive.guides and drive.chain.mean_pitch == drive.chain.pitch:
        distance = fitting_distance(way, drive.chain.pitch, [wheel.teeth for wheel in drive.wheels], drive.chain.links)
    where = "" if distance is None else f" (taut at a centre distance of {distance * 1e3:.2f} mm)"
    return (
        f"chain.links: every span carries at least {quantity(least, 'N', 3)} at rest, {100.0 * least / strength:.3g} % "
        f"of the breaking load, to which loads add: the route is too long for {drive.chain.links} links{where}. Bring "
        "the wheels closer together, add links, or let [closing] move a wheel; specify an intended pretension as "
        "[preload]"
    )


def _gives_way(drive: Drive) -> bool:
    """Return whether a moving body carries a wheel or a guide of the chain, or a wheel has an elastic shaft."""
    moving = moving_bodies(drive.bodies)
    carriers = [wheel.body for wheel in drive.wheels] + [guide.body for guide in drive.guides]
    return any(body in moving for body in carriers) or any(wheel.shaft is not None for wheel in drive.wheels)


def _free(drive: Drive, tensions: Sequence[float]) -> float:
    """Return the length by which the chain, with its spans stretched by these tensions [N], exceeds its route. [m]"""
    chain, lengths = drive.chain, drive_facts(drive).route.span_length
    stretched = sum(
        max(tension, 0.0) / chain.link_stiffness * length / chain.pitch
        for tension, length in zip(tensions, lengths, strict=True)
    )
    return (chain.links - route_in_pitches(drive)) * chain.mean_pitch + float(stretched)
