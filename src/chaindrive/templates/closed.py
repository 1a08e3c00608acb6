"""Number of links of a chain, and the distance at which the chain closes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.roots import root_to_rounding
from chaindrive.geometry.route import Route
from chaindrive.model import Chain, Guide, StandardChain
from chaindrive.model.wheel import Wheel
from chaindrive.placing.fitting import way_of

__all__ = ["Placed", "closed_at", "even_links", "way_around"]

Placed = tuple[int, tuple[float, float], bool]
"""A sprocket: number of teeth, centre [m], and whether it runs on the back of the chain."""


def way_around(chain: StandardChain, sprockets: Sequence[Placed], rails: Sequence[Guide] = ()) -> tuple[float, Route]:
    """Return the number of pitches of a chain around sprockets and rails, counter-clockwise, and its route. Raises
    InputError if there is no route.
    """
    wheels = [
        Wheel(name=f"{k}", teeth=teeth, position=at, side="back" if back else "front", inertia=1.0, tooth=_TOOTH)
        for k, (teeth, at, back) in enumerate(sprockets)
    ]
    return way_of(Chain(standard=chain.name, links=100), wheels, rails, 1.0)


_TOOTH = {"form": "iso-606"}


def even_links(pitches: float) -> int:
    """Return the even number of links nearest to a length in pitches; an odd number would require a cranked link."""
    return 2 * round(0.5 * pitches)


def closed_at(lacking: Callable[[float], float], low: float, high: float, places: str) -> float:
    """Return the value at which a length is correct: the root of ``lacking`` between two values.

    places: names of the answers on which the length depends. Raises InputError if there is no root.
    """
    ends = lacking(low), lacking(high)
    if not ends[0] * ends[1] <= 0.0:
        message = "no even number of links closes near these lengths: change them slightly"
        raise InputError(Problem(places, message))
    return root_to_rounding(lacking, low, high, 1e-16)
