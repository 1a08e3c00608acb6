"""Power that a roller chain may transmit according to standards: ANSI B29.1 with its three envelopes, and ISO 10823.

Ratings hold for about 15 000 h with the lubrication required by the standards, for a chain of 100 pitches on two
aligned sprockets under a smooth load. The sources use pounds, inches and horsepower; arguments and results here are SI.

Sources: J. E. Shigley, C. R. Mischke, R. G. Budynas, *Mechanical Engineering Design*, 9th ed. (2011), Eqs. 17-32 to
17-40 and tables 17-20, 17-23, after the American Chain Association, *Chains for Power Transmission and Material
Handling* (1982), and ANSI B29.1M-1993; ISO 10823:2004 for the factors f1 and f2. The constants of the third envelope
and of ISO 10823 are quoted from memory: no copy was available.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.wheel_torques import resistance
from chaindrive.model import Chain, Drive, chain_strength, standard_chain, strand_factor

__all__ = [
    "RATED_LIFE",
    "RATED_LINKS",
    "RATED_TEETH",
    "RatingClass",
    "WheelRating",
    "galling_power",
    "known_strength",
    "not_rated",
    "plate_power",
    "rating_class",
    "roller_bush_power",
    "tooth_factor",
    "wheel_rating",
    "wheel_ratings",
]

RatingClass = Literal["standard", "bush", "light"]
"""Classes of ANSI B29.1: roller chains 40 to 240, bush chains 25 and 35, light chain 41."""
RATED_LIFE = 15_000.0 * 3600.0
"""Life to which ratings refer. [s]"""
RATED_LINKS = 100
RATED_TEETH = 19
"""Number of teeth of the small sprocket for which the selection power of ISO 10823 is defined."""

HORSEPOWER = 745.69987
INCH = 0.0254
_PLATES = {"standard": 0.004, "bush": 0.004, "light": 0.0022}
_ROLLERS = {"standard": 17.0, "bush": 29.0, "light": 3.4}
_LEAST_PITCH, _MOST_PITCH = 0.0063, 0.0763
"""Smallest and largest pitch of the chains that ANSI B29.1 rates, 25 to 240. [m]"""
PER_DYNAMIC_STRENGTH = 0.73
"""Plate rating of ANSI B29.1, as a force at one tooth and one rpm, divided by the dynamic strength of ISO 606: from
0.715 to 0.740 for 04C to 32A, 0.73 on average. [-]"""


class WheelRating(NamedTuple):
    """Rating and load of a chain at one wheel and its speed, for all strands together."""

    wheel: int
    """Index of the wheel."""
    name: str
    teeth: int
    speed: float
    """Magnitude of the speed of the wheel. [rad/s]"""
    power: float
    """Magnitude of the power transmitted by the chain over this wheel. [W]"""
    plates: float
    """Fatigue envelope of the plates [W]; nan outside the range of the formula."""
    rollers: float
    """Fatigue envelope of rollers and bushes. [W]"""
    galling: float
    """Power at which pin and bush gall; 0 above the speed at which they gall even without load. [W]"""
    application_factor: float
    """Application factor f1."""

    @property
    def rated(self) -> float:
        """Return the smallest of the envelopes [W]; nan if the chain has no rating."""
        return min(self.plates, self.rollers, self.galling) if math.isfinite(self.plates) else math.nan

    @property
    def governing(self) -> str:
        """Return the name of the smallest envelope."""
        names = {"plates": self.plates, "rollers and bushes": self.rollers, "galling": self.galling}
        return min(names, key=lambda name: names[name]) if math.isfinite(self.plates) else ""

    @property
    def used(self) -> float:
        """Transmitted power times f1, divided by the rated power. [-]"""
        return self.application_factor * self.power / self.rated if self.rated > 0.0 else math.inf

    @property
    def selection_power(self) -> float:
        """Return the power P f1 f2 by which ISO 10823 selects a chain in its charts for sprockets with 19 teeth. [W]"""
        return self.power * self.application_factor * tooth_factor(self.teeth)


def tooth_factor(teeth: int) -> float:
    """Factor f2 for the number of teeth of the small wheel, (19 / z)^1.08 (ISO 10823:2004). [-]"""
    return float((RATED_TEETH / teeth) ** 1.08)


def plate_power(teeth: float, speed: float, pitch: float, kind: RatingClass = "standard") -> float:
    """Return the power that the plates of one strand endure, H1 = 0.004 z^1.08 n^0.9 p^(3 - 0.07 p) hp [W].

    Shigley Eq. 17-32 (ANSI B29.1, A series): pitch p in inches, n in rpm; 0.0022 instead of 0.004 for the light chain
    41. speed [rad/s], pitch [m].
    """
    inches, rpm = pitch / INCH, speed * 30.0 / math.pi
    return HORSEPOWER * _PLATES[kind] * float(teeth**1.08 * rpm**0.9 * inches ** (3.0 - 0.07 * inches))


def roller_bush_power(teeth: float, speed: float, pitch: float, kind: RatingClass = "standard") -> float:
    """Return the power that the rollers and bushes of one strand endure despite their impacts on the teeth [W].

    H2 = 1000 K z^1.5 p^0.8 / n^1.5 hp, K = 17, but 29 for the bush chains 25 and 35, and 3.4 for the light chain 41;
    pitch p in inches, n in rpm (Shigley Eq. 17-33, ANSI B29.1). speed [rad/s], pitch [m]. The result is infinite at
    standstill.
    """
    inches, rpm = pitch / INCH, speed * 30.0 / math.pi
    return HORSEPOWER * 1000.0 * _ROLLERS[kind] * teeth**1.5 * inches**0.8 / rpm**1.5 if rpm > 0.0 else math.inf


def galling_power(teeth: float, speed: float, pitch: float) -> float:
    """Return the power at which pins and bushes of one strand gall even if lubricated [W]; 0 if they gall without load.

    H3 = (z p n / 110.88) (ln 82.5 - p ln 7.95 - z ln 1.0278 - ln(n / 1000) (1.59 log10 p + 1.873)) hp: Shigley
    Eq. 17-40, which gives the speed at a tension of F pounds, solved for the power F z p n / 396 000. p in inches, n in
    rpm. speed [rad/s], pitch [m].
    """
    inches, rpm = pitch / INCH, speed * 30.0 / math.pi
    if not rpm > 0.0:
        return math.inf
    slope = 1.59 * math.log10(inches) + 1.873
    margin = math.log(82.5) - inches * math.log(7.95) - teeth * math.log(1.0278) - math.log(rpm / 1000.0) * slope
    pounds = 1000.0 / math.log(1.323) * margin
    return max(HORSEPOWER * pounds * teeth * inches * rpm / 396_000.0, 0.0)


def not_rated(chain: Chain, dynamic_strength: float | None = None) -> str:
    """Return the reason why a chain has no rating; empty if it has one. dynamic_strength: of all strands together [N];
    None: not known.
    """
    if chain.kind in ("leaf", "rocker-pin"):
        return f"ANSI B29.1 rates roller chains and bush chains, and no {chain.kind} chains"
    if not _LEAST_PITCH <= chain.pitch <= _MOST_PITCH:
        return (
            f"ANSI B29.1 rates chains with pitches from 6.35 mm to 76.2 mm, and this one has {1e3 * chain.pitch:g} mm"
        )
    if dynamic_strength is None and not _of_a_series(chain):
        return (
            "the rating of a chain outside the A series of ISO 606 follows from its dynamic strength, which is not "
            "known: give limits.dynamic_strength or, for a chain of ISO 606, chain.standard"
        )
    return ""


def rating_class(chain: Chain, dynamic_strength: float | None = None) -> RatingClass | None:
    """Return the class of formulas of ANSI B29.1 that applies to a chain.

    The result is None for a chain without a rating (``not_rated``). dynamic_strength: see there [N].
    """
    if not_rated(chain, dynamic_strength):
        return None
    if chain.standard and standard_chain(chain.standard, chain.strands).name.startswith("085-"):
        return "light"
    return "bush" if chain.kind == "bush" else "standard"


def wheel_rating(
    chain: Chain, teeth: int, speed: float, dynamic_strength: float | None = None
) -> tuple[float, float, float]:
    """Return the envelopes of plates, of rollers and bushes, and of galling for a chain at a wheel, for all strands
    together [W].

    dynamic_strength: dynamic strength of all strands together [N]. It rates the plates of chains outside the A series,
    by the mean ratio of the rating of ANSI B29.1 to the dynamic strength of ISO 606 in the A series
    (``PER_DYNAMIC_STRENGTH``), because the plates of a B-series chain may have only half the strength of those of the A
    series. The envelopes are nan for chains without a class (``rating_class``). speed [rad/s].
    """
    kind = rating_class(chain, dynamic_strength)
    if kind is None:
        return math.nan, math.nan, math.nan
    factor = strand_factor(chain.strands)
    plates = factor * plate_power(teeth, speed, chain.pitch, kind)
    if dynamic_strength is not None and not _of_a_series(chain):
        rpm = speed * 30.0 / math.pi
        pace = teeth * chain.pitch * speed / (2.0 * math.pi)
        force = PER_DYNAMIC_STRENGTH * dynamic_strength * teeth**0.08 * rpm**-0.1 if rpm > 0.0 else 0.0
        plates = float(force * pace)
    return (
        plates,
        factor * roller_bush_power(teeth, speed, chain.pitch, kind),
        factor * galling_power(teeth, speed, chain.pitch),
    )


def _of_a_series(chain: Chain) -> bool:
    return bool(chain.standard) and standard_chain(str(chain.standard), chain.strands).series == "iso-606-a"


def known_strength(drive: Drive) -> float | None:
    """Return the dynamic strength of the chain of a drive, for all strands together [N]: from its limits, or from the
    catalogue; None if it is not known.
    """
    given = None if drive.limits is None else drive.limits.dynamic_strength
    return given or chain_strength(drive.chain.standard, drive.chain.strands).dynamic_strength


def wheel_ratings(drive: Drive, tooth_frequency: float, powers: Sequence[float] | None = None) -> list[WheelRating]:
    """Return the rating of the chain at every wheel of a drive, with the power that the chain transmits over this
    wheel.

    tooth_frequency: pitches of chain per second [Hz]. powers: magnitude of the power at every wheel [W]; None: the
    power of loads and bearings on every wheel at this speed; on the driver, the sum of these powers over the other
    wheels without prescribed motion. The dynamic strength of the chain comes from ``limits.dynamic_strength`` or the
    catalogue.
    """
    chain, limits = drive.chain, drive.limits
    strength = known_strength(drive)
    factor = 1.0 if limits is None else limits.application_factor
    speeds = [2.0 * math.pi * tooth_frequency / wheel.teeth for wheel in drive.wheels]
    taken = _load_powers(drive, speeds) if powers is None else powers
    return [
        WheelRating(
            w, wheel.name, wheel.teeth, speeds[w], taken[w], *wheel_rating(chain, wheel.teeth, speeds[w], strength),
            factor,
        )
        for w, wheel in enumerate(drive.wheels)
    ]  # fmt: skip


def _load_powers(drive: Drive, speeds: Sequence[float]) -> list[float]:
    """Return the power transmitted by each wheel, from the loads in the drive description. [W] speeds: speeds of the
    wheels, not negative, (W,) [rad/s].
    """
    facts = drive_facts(drive)
    first = facts.driver
    own = np.array([resistance(facts, w, speed) * speed for w, speed in enumerate(speeds)])
    through = np.abs(own)
    through[first] = abs(sum(float(own[w]) for w, wheel in enumerate(drive.wheels) if w != first and not wheel.motion))
    return [float(power) for power in through]
