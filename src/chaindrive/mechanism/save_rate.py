"""Number of rows per second that a run stores if the drive does not state it: enough to show the fastest excitation."""

from __future__ import annotations

import math
from collections.abc import Callable

from chaindrive.geometry.route import tooth_frequency
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.periods import load_orders, motion_orders, oscillations
from chaindrive.mechanism.stages import chains_alone
from chaindrive.model import Drive

__all__ = [
    "LEAST_RATE",
    "LEAST_ROWS",
    "ROWS",
    "automatic_rate",
    "fastest_excitation",
    "rate_warnings",
    "recommended_rate",
]

ROWS = 10
"""Number of rows per period of the fastest excitation."""
LEAST_ROWS = 4
"""Number of rows per period below which curves and spectra of a result do not show the fastest excitation."""
LEAST_RATE = 1000.0
"""Lowest rate that is chosen automatically. [Hz]"""
LARGEST = 500e6
"""Largest size of results, before compression, up to which a rate above the lowest is chosen. [bytes]"""


def fastest_excitation(drive: Drive) -> float:
    """Return the highest of the tooth frequencies and the frequencies of the orders of motions and torques, over all
    chains. [Hz]

    It applies to the highest expected speed (``DriveFacts.highest_speed``), and is 0 if nothing turns or oscillates.
    """
    chains = chains_alone(drive)
    return max((each for chain in chains for each in (*_frequencies(chain), *oscillations(chain))), default=0.0)


def recommended_rate(drive: Drive) -> float:
    """Return the rows per second that show the fastest excitation: ROWS in each of its periods, at least LEAST_RATE.
    [Hz]

    The rate is rounded up to one significant digit.
    """
    return _round_rate(max(LEAST_RATE, ROWS * fastest_excitation(drive)), math.ceil)


def automatic_rate(drive: Drive, duration: float, row_bytes: int) -> float:
    """Return the recommended rate, or the highest rate with which results stay below LARGEST, but at least LEAST_RATE.
    [Hz]

    duration: longest simulated time [s]; row_bytes: size of a row before compression.
    """
    affordable = _round_rate(LARGEST / (duration * max(row_bytes, 1)), math.floor)
    return max(LEAST_RATE, min(recommended_rate(drive), affordable))


def rate_warnings(drive: Drive, rate: float) -> tuple[str, ...]:
    """Return warnings about what a result does not show because its rows are too far apart for the fastest excitation.

    rate: rate at which rows are stored [Hz].
    """
    fastest = fastest_excitation(drive)
    if rate >= LEAST_ROWS * fastest:
        return ()
    return (
        f"run.save.rate = {rate:g} Hz stores {rate / fastest:.2g} rows in a period of the fastest excitation "
        f"({fastest:.4g} Hz): curves and spectra do not show this excitation, but may show aliases of it. Forces in "
        f"channels ..._max and ..._min are still those of every step. {recommended_rate(drive):g} Hz shows it.",
    )


def _frequencies(chain: Drive) -> list[float]:
    """Return the tooth frequency of a chain and the frequencies of all orders of its wheels. [Hz]"""
    if not chain.wheels:
        return []
    facts = drive_facts(chain)
    teeth = float(tooth_frequency(facts.highest_speed, chain.wheels[facts.driver].teeth))
    orders = (*load_orders(chain), *motion_orders(chain))
    return [teeth, *(order * teeth / chain.wheels[wheel].teeth for wheel, order in orders)]


def _round_rate(rate: float, to: Callable[[float], int]) -> float:
    """Return a rate rounded to one significant digit. rate: more than 0 [Hz]; to: math.ceil to round up, math.floor to
    round down.
    """
    decade = 10.0 ** math.floor(math.log10(rate))
    digits = rate / decade
    nearest = round(digits)  # 1 kHz from a speed in rpm is not to become 2 kHz
    return decade * (nearest if math.isclose(digits, nearest, rel_tol=1e-6) else to(digits))
