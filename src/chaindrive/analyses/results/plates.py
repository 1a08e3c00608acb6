"""Fatigue of the plates of every link, from the rainflow counts of its tension."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.analytical import fatigue
from chaindrive.analyses.analytical.fatigue import Woehler
from chaindrive.analyses.analytical.limits import ChainLimits
from chaindrive.analyses.results.rainflow import Rainflow

__all__ = ["PlateLife", "plate_life"]

FloatArray = NDArray[np.float64]

WHOLE = 0.999
"""Number of loops above which the counted cycles are representative of a loop."""


class PlateLife(NamedTuple):
    """Fatigue of the plates of L links, from the rainflow counts of their tension."""

    links: NDArray[np.int64]
    """Numbers of the links, shape (L,)."""
    largest_range: FloatArray
    """Largest range, converted to a range from zero (Goodman), shape (L,) [N]."""
    equivalent_range: FloatArray
    """Range from zero that, once per loop, causes the same damage as all cycles, shape (L,) [N]; nan for less than a
    loop."""
    damage_per_loop: FloatArray
    """Miner's sum of one loop, shape (L,) [-]; nan without an S-N curve, and for less than a loop."""
    life: FloatArray
    """Life, shape (L,) [s]; nan without an S-N curve."""
    cycles: Rainflow
    corrected: bool
    """Whether ranges are converted to ranges from zero. Without a breaking load they are used as counted."""

    @property
    def worst(self) -> int:
        """Position in ``links`` of the most damaged link."""
        if np.isfinite(self.damage_per_loop).any():
            return int(np.nanargmax(self.damage_per_loop))
        known = np.isfinite(self.life).any()
        return int(np.nanargmin(self.life)) if known else int(np.argmax(self.largest_range))


def plate_life(cycles: Rainflow, limits: ChainLimits) -> PlateLife:
    """Return the fatigue of the plates of every counted link, by the Goodman line to the breaking load, the S-N curve
    and Miner's sum.

    Ranges are converted to ranges from zero (``fatigue.pulsating_range``), then their damage is summed with the S-N
    curve of ``limits``. Without a dynamic strength, equivalent ranges follow from the exponent alone, and no life is
    given.
    """
    load = limits.breaking_load.value
    least = cycles.mean - 0.5 * cycles.range
    ranges = cycles.range if load is None else np.asarray(fatigue.pulsating_range(cycles.range, least, load))
    where = np.searchsorted(cycles.links, cycles.link)
    size = cycles.links.size
    largest = np.zeros(size)
    np.maximum.at(largest, where, ranges)
    line = limits.woehler
    judged = line is not None
    if line is None:  # far below all ranges, so that the upper exponent holds for all
        line = Woehler(1e-9, 1.0, limits.woehler_exponent, limits.woehler_exponent)
    endured = fatigue.cycles_to_failure(ranges, line)
    with np.errstate(divide="ignore"):
        total = np.bincount(where, weights=np.where(np.isinf(endured), 0.0, cycles.count / endured), minlength=size)
        per_loop = total / cycles.loops if cycles.loops > WHOLE else np.full(size, np.nan)
        life = np.where(total > 0.0, cycles.duration / np.where(total > 0.0, total, 1.0), np.inf)
    equivalent = [
        math.nan if math.isnan(each) else fatigue.endurable_range(1.0 / each, line) if each > 0.0 else 0.0
        for each in per_loop
    ]
    none = np.full(size, np.nan)
    return PlateLife(
        links=cycles.links,
        largest_range=largest,
        equivalent_range=np.array(equivalent),
        damage_per_loop=per_loop if judged else none,
        life=life if judged else none,
        cycles=cycles,
        corrected=load is not None,
    )
