"""Explains differences between the results of two formulations of one drive, from facts about the results and the known
consequences of the effects that a formulation neglects.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive
from chaindrive.numbers import quantity

if TYPE_CHECKING:
    from chaindrive.results.solution import Solution

__all__ = ["EFFECTS", "ROUNDING", "TOLERANCE", "Difference", "Effect", "Facts", "Reason", "explained", "left_out_text"]

TOLERANCE = 0.01
"""Relative difference up to which two values count as the same. [-]"""
SHARE = 0.1
"""Fraction of a difference that losses may leave unexplained. [-]"""
ROUNDING = 1e-6
"""Differences below this fraction of the largest value of the same kind count as rounding. [-]"""


class Effect(NamedTuple):
    """How a formulation with an effect differs from one without it, by group and quantity."""

    raises: tuple[tuple[str, str], ...] = ()
    lowers: tuple[tuple[str, str], ...] = ()
    why: str = ""
    """The reason in a few words, with the source."""


_TENSION = ("spans", "tension, mean")
_RANGES = (("spans", "tension, range"), ("wheels", "speed, range"), ("wheels", "shaft torque, range"))
_FREQUENCIES = ("frequencies", "")

EFFECTS: dict[str, Effect] = {
    "inertia of the chain": Effect((_TENSION,), (_FREQUENCIES,), "centrifugal tension; moving mass"),
    "weight of the chain": Effect((_TENSION,), (), "a hanging span pulls at both ends"),
    "polygonal action": Effect(
        (*_RANGES, ("power", "lost in damping of the links")), (), "excites at the tooth frequency"
    ),
    "contact with teeth": Effect(_RANGES, (), "rollers engage and leave the teeth"),
    "compliance of teeth and wrapped links": Effect((), (_FREQUENCIES,), "adds compliance to that of the spans"),
    "compliance of the contacts": Effect(
        (), (_TENSION,), "rollers pressed into teeth relieve a preload between fixed centres"
    ),
    "joints of the chain": Effect((), (), "their losses are listed in a separate row"),
    "clearance of the joints": Effect((), (), "pins move in their bushes where the chain is slack"),
    "difference between inner and outer links": Effect((), (), "every second link is heavier"),
    "rotation of bushes on teeth": Effect(
        (("power", "lost in friction on teeth"),), (), "a bush is part of its link and rubs in its gap when it turns"
    ),
}
"""Effects, by the names that formulations use in their notes (``notes["left_out"]``). Additional mass or compliance
lowers every eigenfrequency (Rayleigh 1877, section 88); the centrifugal tension is that of a moving string."""

Kind = Literal["motion", "teeth", "torque", "left out", "losses", "doubt"]


class Reason(NamedTuple):
    """A fact that explains why two values differ, or why they do not."""

    kind: Kind
    formulation: str
    """Formulation that the fact concerns; empty for a fact about the drive."""
    text: str


class Difference(NamedTuple):
    """The difference between a value and that of the first formulation, with the reasons."""

    relative: float
    """(value - first) divided by the larger magnitude [-]; nan if either is missing."""
    same: bool
    """Whether the values are equal within the tolerance."""
    reasons: tuple[Reason, ...]

    @property
    def text(self) -> str:
        """Return the reasons as one string; without reasons, "the same" or "not explained"; empty if a value is
        missing.
        """
        if not math.isfinite(self.relative):
            return ""
        return "; ".join(reason.text for reason in self.reasons) or ("the same" if self.same else "not explained")


class Facts(NamedTuple):
    """Facts known about one result."""

    label: str
    drive: Drive
    left_out: tuple[str, ...]
    doubts: tuple[str, ...]
    losses: Mapping[str, float]
    """Mean power lost by cause. [W]"""
    loss_names: Mapping[str, str]
    """Names of the causes for the user."""
    no_loss: tuple[str, ...]
    """Causes of losses that the formulation does not model."""
    put_in: float
    """Input power. [W]"""
    speed: NDArray[np.float64] | None
    """Mean speed of every wheel; None if not stored. [rad/s]"""
    torque: NDArray[np.float64] | None
    """Mean torque of every shaft; None if not stored. [N m]"""

    def own_losses(self, other: Facts) -> dict[str, float]:
        """Return the power lost by causes that the other formulation does not model. [W]"""
        return {key: power for key, power in self.losses.items() if key in other.no_loss and power != 0.0}


def left_out_text(solution: Solution) -> str:
    """Return a sentence with the effects that the formulation of a result neglects; empty if the result names none."""
    left_out = solution.notes.get("left_out", ())
    return f"The {solution.attrs.get('formulation', '')} neglects: {', '.join(left_out)}" if left_out else ""


def explained(
    group: str,
    what: str,
    where: str,
    value: float,
    other: float,
    first: Facts,
    second: Facts,
    tolerance: float,
    scale: float,
) -> Difference:
    """Return the difference between ``other`` (from ``second``) and ``value`` (from ``first``), with the facts that
    explain it.

    scale: largest magnitude among the values of this group and unit, used to judge rounding.
    """
    larger = max(abs(value), abs(other))
    if not math.isfinite(value - other):
        return Difference(math.nan, False, ())
    apart = other - value
    relative = apart / larger if larger > 0.0 else 0.0
    if abs(apart) <= max(tolerance * larger, ROUNDING * scale):
        return Difference(relative, True, _why_the_same(group, what, where, (value, other), (first, second), tolerance))
    reasons = [
        *_effects(group, what, where, apart, first, second),
        *_losses(group, what, where, apart, larger, first, second),
    ]
    if group != "frequencies":
        reasons += [Reason("doubt", f.label, f"{f.label} {doubt}") for f in (first, second) for doubt in f.doubts]
    return Difference(relative, False, tuple(reasons))


def _effects(group: str, what: str, where: str, apart: float, first: Facts, second: Facts) -> list[Reason]:
    """Return the effects that only one of the two formulations neglects, if the other differs in the known direction.

    apart: second minus first.
    """
    found = []
    names = {(group, ""), (group, what), (group, f"{what} {where}")}
    for without, sign in ((first, 1.0), (second, -1.0)):
        having = second if without is first else first
        for effect in without.left_out:
            known = EFFECTS.get(effect, Effect())
            to = known.raises if sign * apart > 0.0 else known.lowers
            if effect not in having.left_out and not names.isdisjoint(to):
                found.append(Reason("left out", without.label, f"{without.label} neglects the {effect}: {known.why}"))
    return found


def _losses(
    group: str, what: str, where: str, apart: float, larger: float, first: Facts, second: Facts
) -> list[Reason]:
    """Return the losses that only one of the two formulations has, if they explain the difference except for the
    fraction SHARE.
    """
    more, less = second.own_losses(first), first.own_losses(second)
    own = sum(more.values()) - sum(less.values())
    expected = {"input": own, "total losses": own}.get(what) if group == "power" else None
    if group == "power" and what == "efficiency":
        expected = -own / max(first.put_in, second.put_in)
    if group == "wheels" and what == "shaft torque, mean" and first.speed is not None:
        wheel = drive_facts(first.drive).driver
        if first.drive.wheels[wheel].name == where and first.speed[wheel] != 0.0:
            expected = own / float(first.speed[wheel])
    if expected is None or not own or abs(apart - expected) > SHARE * abs(apart):
        return []
    found = []
    for has, powers, lacks in ((second, more, first), (first, less, second)):
        if powers:
            each = ", ".join(f"{has.loss_names[key]} {quantity(power, 'W', 3)}" for key, power in powers.items())
            found.append(Reason("losses", has.label, f"losses that {lacks.label} does not model: {each}"))
    return found


def _why_the_same(
    group: str, what: str, where: str, values: tuple[float, float], both: tuple[Facts, Facts], tolerance: float
) -> tuple[Reason, ...]:
    """Return why two values are the same, if both agree with a value that the drive determines."""
    drive = both[0].drive
    index = next((w for w, wheel in enumerate(drive.wheels) if wheel.name == where), None)
    if index is None:
        return ()
    wheel, first = drive.wheels[index], drive.wheels[drive_facts(drive).driver]
    if group == "wheels" and what == "speed, mean" and wheel.motion is not None:
        return (Reason("motion", "", "prescribed"),)
    if group == "wheels" and what == f"speed over that of {first.name}":
        ratio = first.teeth / wheel.teeth
        if all(abs(abs(value) - ratio) <= tolerance * ratio for value in values):
            return (Reason("teeth", "", f"the same: {first.teeth} and {wheel.teeth} teeth"),)
    if group == "spans" and what == "tension after minus before":
        radius = float(drive_facts(drive).levers[index])
        torques = [abs(float(fact.torque[index])) for fact in both if fact.torque is not None]
        pulls = [abs(value) * radius for value in values]
        if len(torques) == len(pulls) and all(
            torque > 0.0 and abs(pull - torque) <= tolerance * torque
            for pull, torque in zip(pulls, torques, strict=True)
        ):
            return (Reason("torque", "", f"the same: balances the torque at {wheel.name}"),)
    return ()
