"""Formulas for the fatigue and wear of a chain: plates (S-N curve, Goodman line), rollers and bushes, joints.

SI units. Forces are totals over all strands. Sources: ISO 15654:2015 and ISO 606:2015, annex D (Johnson-Goodman line of
the fatigue test); M. A. Miner, J. Appl. Mech. 12 (1945); E. Haibach, LBF TM 50/70 (1970), the slope below the knee;
Shigley (2011), Eq. 17-39, life of rollers and bushes; J. F. Archard, J. Appl. Phys. 24 (1953), wear.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.analyses.analytical.rating import (
    RATED_LIFE,
    RATED_LINKS,
    RATED_TEETH,
    wheel_rating,
)
from chaindrive.model import Chain

__all__ = [
    "Woehler",
    "bearing_pressure",
    "conformance_force",
    "cycles_to_failure",
    "damage",
    "endurable_range",
    "plain_range",
    "pulsating_range",
    "rated_wear_coefficient",
    "roller_bush_life",
    "wear_life",
    "wear_per_loop",
]

FloatArray = NDArray[np.float64]
Real: TypeAlias = Any
"""A float or an array of floats."""


class Woehler(NamedTuple):
    """The S-N curve (Woehler line) of the plates of a chain under a tension that pulsates from zero."""

    strength: float
    """Dynamic strength: the force range that the plates endure for ``knee`` cycles. [N]"""
    knee: float
    """Cycles at the knee. [cycles]"""
    exponent: float
    """Exponent k above the dynamic strength. [-]"""
    exponent_below: float
    """Exponent below the dynamic strength; 2 k - 1 according to Haibach. [-]"""


def pulsating_range(range: Real, least: Real, breaking_load: float) -> Real:
    """Return the range of a tension that pulsates from zero and causes the same damage as a range above a minimum
    tension, dF F_u / (F_u - F_min) [N].

    The Johnson-Goodman line of ISO 15654 and ISO 606, annex D, is Goodman's line through F_u in amplitude and mean: a
    range dF about a mean F_m has F_min = F_m - dF / 2. A minimum tension below zero, which no link has, counts as zero;
    one at or above the breaking load gives infinity. range dF, least F_min, breaking_load F_u [N].
    """
    low = np.clip(least, 0.0, None)
    left = breaking_load - low
    with np.errstate(divide="ignore", invalid="ignore"):
        made = np.where(left > 0.0, np.asarray(range) * breaking_load / np.where(left > 0.0, left, 1.0), np.inf)
    return made if np.ndim(made) else float(made)


def plain_range(pulsating: Real, least: Real, breaking_load: float) -> Real:
    """Return the range above a minimum tension that causes the same damage as a range from zero; the inverse of
    ``pulsating_range``. [N]
    """
    return pulsating * np.clip(breaking_load - np.clip(least, 0.0, None), 0.0, None) / breaking_load


def conformance_force(dynamic_strength: float, least: float, breaking_load: float) -> float:
    """Return the largest force of the conformance test, F_max = (F_d F_u + F_min (F_u - F_d)) / F_u (ISO 606:2015,
    annex D) [N].

    least F_min: between 1 and 5 % of the breaking load F_u in the standard's test. [N]
    """
    return (dynamic_strength * breaking_load + least * (breaking_load - dynamic_strength)) / breaking_load


def cycles_to_failure(pulsating: ArrayLike, line: Woehler) -> FloatArray:
    """Return the cycles that the plates endure at a range from zero: N = N_k (F_d / dF)^k, with a different k on each
    side of the knee.

    The result is infinite for a range of zero, and zero for an infinite range. pulsating: shape (n,) [N].
    """
    ratio = np.asarray(pulsating, dtype=np.float64) / line.strength
    with np.errstate(divide="ignore", over="ignore"):
        cycles = line.knee * np.where(ratio >= 1.0, ratio**-line.exponent, ratio**-line.exponent_below)
    return np.asarray(cycles)


def endurable_range(cycles: float, line: Woehler) -> float:
    """Return the range from zero at which the plates endure this number of cycles [N]; the inverse of
    ``cycles_to_failure``.
    """
    if not cycles > 0.0:
        return math.inf
    exponent = line.exponent if cycles <= line.knee else line.exponent_below
    return float(line.strength * (line.knee / cycles) ** (1.0 / exponent)) if math.isfinite(cycles) else 0.0


def damage(pulsating: ArrayLike, counts: ArrayLike, line: Woehler) -> float:
    """Return Miner's sum, cycles divided by cycles to failure; the plates fail at 1. pulsating, counts: shape (n,).
    [-]
    """
    endured = cycles_to_failure(pulsating, line)
    counted = np.asarray(counts, dtype=np.float64)
    with np.errstate(divide="ignore"):
        parts = np.where(endured > 0.0, counted / endured, np.where(counted > 0.0, np.inf, 0.0))
    return float(parts.sum())


def roller_bush_life(power: float, rated: float, links: int) -> float:
    """Return the life of rollers and bushes at a transmitted power, 15 000 h (L / 100) (H2 / H)^2.5 [s].

    Shigley Eq. 17-39, H2 = 1000 K (z / n)^1.5 p^0.8 (L / 100)^0.4 (15 000 / h)^0.4 hp, solved for the hours: in a
    longer chain each roller meets teeth less often. rated: H2 for 15 000 h and 100 links (``roller_bush_power``, all
    strands).
    """
    return RATED_LIFE * links / RATED_LINKS * (rated / power) ** 2.5 if power > 0.0 else math.inf


def bearing_pressure(force: Real, area: float) -> Real:
    """Return the pressure between pin and bush: force divided by the projected area, pin diameter times length of the
    bush. force [N], area [m^2]. [Pa]
    """
    return force / area


def wear_per_loop(
    pin_diameter: float, area: float, teeth: ArrayLike, before: ArrayLike, behind: ArrayLike, coefficient: float
) -> float:
    """Return the wear depth of pin and bush together in each joint during one loop of the chain [m].

    Archard: k times the sum of p s over all articulations. At each wheel the joint bends by 2 pi / z where it runs on,
    under the tension of the span before the wheel. Where it runs off, it bends back under the tension of the span after
    the wheel. The sliding distance is s = (d / 2) 2 pi / z each time. teeth, before, behind [N]: shape (W,); area
    [m^2], coefficient k [m^2/N]. A tension below zero causes no pressure.
    """
    angle = 2.0 * np.pi / np.asarray(teeth, dtype=np.float64)
    tension = np.clip(before, 0.0, None) + np.clip(behind, 0.0, None)
    return float(coefficient * 0.5 * pin_diameter * (angle * tension).sum() / area)


def wear_life(elongation: float, pitch: float, depth: float, time: float) -> float:
    """Return the time until the chain has elongated by this fraction of its pitch [s]. The wear of a joint lengthens
    one pitch by its depth.

    depth: wear depth of every joint within ``time`` [s], of both surfaces together [m]. The elongation during
    running-in, less than 0.1 %, is neglected.
    """
    return elongation * pitch / depth * time if depth > 0.0 else math.inf


RATED_RATIO, RATED_CHAIN, RATED_ELONGATION = 3, 120, 0.03
"""Reference conditions of ISO 10823:2004 in addition to 19 teeth: ratio 1 : 3, 120 links, elongation 3 % in 15 000 h.
"""


def rated_wear_coefficient(
    chain: Chain, pin_diameter: float, area: float, chain_speed: float, dynamic_strength: float | None = None
) -> float:
    """Return the largest wear coefficient that is consistent with the rating of a chain at a speed [m^2/N]; nan without
    a rating.

    Ratings (ISO 10823:2004, quoted from memory) apply to a chain of 120 links on two wheels of 19 and 57 teeth,
    lubricated as the standard requires at this speed: it elongates by no more than 3 % in 15 000 h. A chain at its
    rated power wears no faster than this, so the life computed for a different load is a lower bound.
    chain_speed [m/s].
    """
    teeth, other = RATED_TEETH, RATED_RATIO * RATED_TEETH
    speed = 2.0 * math.pi * chain_speed / (teeth * chain.pitch)
    rated = min(wheel_rating(chain, teeth, speed, dynamic_strength))
    if not rated > 0.0 or not chain_speed > 0.0:
        return math.nan
    pull = rated / chain_speed
    loops = RATED_LIFE * chain_speed / (RATED_CHAIN * chain.pitch)
    depth = wear_per_loop(pin_diameter, area, [teeth, other], [pull, 0.0], [0.0, pull], 1.0)
    return RATED_ELONGATION * chain.pitch / (depth * loops)
