"""Selection of chains from the catalogue, and of numbers of teeth for a ratio."""

from __future__ import annotations

import math
from collections.abc import Callable

from chaindrive.analyses.analytical.rating import wheel_rating
from chaindrive.errors import InputError, Problem
from chaindrive.model import Chain, StandardChain, chain_names, chain_strength, standard_chain
from chaindrive.numbers import quantity

__all__ = ["LARGEST_TEETH", "MOST_PITCHES", "rated_chain", "strong_chain", "sufficient", "teeth_of_ratio"]

LARGEST_TEETH = 114
"""Largest of the preferred numbers of teeth in ISO 606. [-]"""
SMALL_TEETH = range(17, 26)
"""Numbers of teeth of the smaller sprocket recommended by ISO 10823: at least 17."""
USUAL_TEETH = 19
MOST_PITCHES = 80
"""Largest centre distance recommended by ISO 10823, in pitches. [-]"""


def teeth_of_ratio(ratio: float) -> tuple[int, int]:
    """Return the numbers of teeth of the smaller and the larger sprocket whose ratio is nearest to ``ratio``, which is
    at least 1; of equally near pairs, the one whose smaller sprocket has nearest to 19 teeth.
    """
    pairs = [(small, round(small * ratio)) for small in SMALL_TEETH if round(small * ratio) <= LARGEST_TEETH]
    return min(pairs, key=lambda pair: (round(abs(pair[1] / pair[0] / ratio - 1.0), 3), abs(pair[0] - USUAL_TEETH)))


def rated_power(chain: StandardChain, teeth: int, speed: float) -> float:
    """Return the lowest of the envelopes of ANSI B29.1 for the smaller sprocket [W]; speed [rad/s]."""
    strength = chain_strength(chain.name).dynamic_strength
    return min(wheel_rating(Chain(standard=chain.name, links=100), teeth, speed, strength))


def rated_chain(
    power: float, speed: float, teeth: int, places: str, fits: Callable[[StandardChain], bool]
) -> tuple[StandardChain, float]:
    """Return the chain of the B series of ISO 606 with the fewest strands, and among these the smallest pitch, that is
    rated for a power [W] at the speed of the smaller sprocket [rad/s]; also return its rating [W].

    places: names of the answers on which the choice depends; fits: whether a chain fits into the drive. Raises
    InputError if there is no such chain.
    """
    chains = [standard_chain(name) for name in chain_names("iso-606-b")]
    rated = [(chain, rated_power(chain, teeth, speed)) for chain in chains if fits(chain)]
    for chain, rating in sorted(rated, key=lambda each: (each[0].strands, each[0].pitch)):
        if rating >= power:
            return chain, rating
    best = max((rating for _, rating in rated if rating > 0.0), default=0.0)
    message = (
        f"no chain of the B series of ISO 606 that fits between the centres is rated for {quantity(power, 'W')}, "
        f"application factor included, at {teeth} teeth and {quantity(speed * 30.0 / math.pi, 'rpm')}"
    )
    hint = f"; the best is rated for {quantity(best, 'W')}" if best else ""
    raise InputError(Problem(places, f"{message}{hint}"))


def strong_chain(
    series: str,
    pull: Callable[[StandardChain], float],
    safety: float,
    places: str,
    fits: Callable[[StandardChain], bool] = lambda _: True,
    smooth: bool = False,
) -> StandardChain:
    """Return the chain of a series whose breaking load is at least its largest pull [N] times the safety: the one with
    the fewest strands and, among these, with the smallest breaking load and pitch.

    smooth: whether the smallest pitch is tried first, for high speeds. places: names of the answers on which the choice
    depends. Raises InputError if there is no such chain.
    """
    chains = [chain for name in chain_names(series) if fits(chain := standard_chain(name))]
    enough = [chain for chain in chains if chain.breaking_load >= safety * pull(chain)]
    if not enough:
        if not chains:
            raise InputError(Problem(places, f"no chain of the catalogue ({series}) fits"))
        best = max(chains, key=lambda chain: chain.breaking_load / pull(chain))
        message = (
            f"no chain of the catalogue ({series}) suffices: with a safety of {safety:g} the pull of "
            f"{quantity(pull(best), 'N')} needs a breaking load of {quantity(safety * pull(best), 'N')}, but "
            f"{best.name} has only {quantity(best.breaking_load, 'N')}"
        )
        raise InputError(Problem(places, message))
    if smooth:
        return min(enough, key=lambda chain: (chain.pitch, chain.strands))
    return min(enough, key=lambda chain: (chain.strands, chain.breaking_load, chain.pitch))


def sufficient(chain: StandardChain, safety: float, pull: float, what: str) -> str:
    """Return why a chain suffices, for the comment beside its name; pull [N]; what: description of the pull."""
    load = quantity(chain.breaking_load, "N")
    return f"breaking load {load}, at least {safety:.4g} times {quantity(pull, 'N')}, {what}"
