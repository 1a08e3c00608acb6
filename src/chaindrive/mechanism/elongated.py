"""Elongated chains on their teeth: the rollers of a longer chain lie on a larger circle, at most at the tips."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.errors import Problem
from chaindrive.geometry.route import Route, pitch_radius
from chaindrive.mechanism.teeth import tooth_gaps
from chaindrive.model import Chain, Drive
from chaindrive.model.wear import link_elongations

__all__ = ["accepted_wear", "elongation_problems"]

FloatArray = NDArray[np.float64]


class _Teeth(NamedTuple):
    """Teeth of a wheel that carry part of the chain."""

    wheel: int
    links: int
    """Number of links on the wheel, rounded up."""
    accepted: float
    """Mean elongation of these links with which their rollers lie at the tips of the teeth. [-]"""


def elongation_problems(drive: Drive, way: Route) -> list[Problem]:
    """Return a problem if, with the mean elongation of the links on a wheel, rollers would lie beyond the tips of the
    teeth.
    """
    chain = drive.chain
    each = np.asarray(chain.elongations, dtype=np.float64)
    reach = [(float(_means(chain, each, on.links).max()) - on.accepted, on) for on in _all_teeth(drive, way)]
    beyond, on = max(reach, default=(0.0, None))
    if on is None or beyond <= 0.0 or beyond + on.accepted <= 0.0:
        return []
    wheel = drive.wheels[on.wheel]
    field, given, advice = _changeable(drive, way, beyond + on.accepted)
    message = (
        f"is too much for wheels[{on.wheel}] {wheel.name!r} with {wheel.teeth} teeth: the rollers of an elongated "
        "chain lie on a larger circle, which is outside the tips of the teeth if the elongation exceeds "
        f"{100.0 * on.accepted:.3g} % on average over the {on.links} links on this wheel; {advice}, or use wheels with "
        "fewer teeth"
    )
    return [Problem(f"chain.{field}", message, f"{100.0 * given:.3g} %")]


def _changeable(drive: Drive, way: Route, longest: float) -> tuple[str, float, str]:
    """Return the key of the chain that elongates it most, its value, and advice on it.

    longest: largest mean elongation of the links on a wheel, the value of a list. [-]
    """
    chain = drive.chain
    if isinstance(chain.elongation, tuple):
        return "elongation", longest, "keep the links on this wheel within this limit"
    field, part = "elongation", np.ones(chain.links)
    if chain.wear > chain.elongation:
        field, part = "wear", _of_wear(chain)
    given = float(getattr(chain, field))
    rest = np.asarray(chain.elongations, dtype=np.float64) - given * part
    most = max(min(_most(chain, rest, part, on) for on in _all_teeth(drive, way)), 0.0)
    return field, given, f"chain.{field} may be at most {math.floor(1e4 * most) / 100.0:g} %"


def accepted_wear(drive: Drive, way: Route) -> tuple[float, int]:
    """Return the largest mean elongation by wear with which all rollers of an otherwise exact chain are within the
    tips of the teeth [-], and the number of the wheel that limits it; infinity and -1 without teeth.
    """
    new, part = np.zeros(drive.chain.links), _of_wear(drive.chain)
    found = [(_most(drive.chain, new, part, on), on.wheel) for on in _all_teeth(drive, way)]
    return min(found, default=(math.inf, -1))


def _all_teeth(drive: Drive, way: Route) -> list[_Teeth]:
    gaps, pitch = tooth_gaps(drive), drive.chain.pitch
    found = []
    for w, wheel in enumerate(drive.wheels):
        if wheel.tooth.form == "smooth":
            continue
        links = min(max(math.ceil(float(way.wrap[w]) * wheel.teeth / (2.0 * math.pi)), 1), drive.chain.links)
        accepted = float(gaps[w].tip_radius / pitch_radius(pitch, wheel.teeth)) - 1.0
        found.append(_Teeth(w, links, accepted))
    return found


def _of_wear(chain: Chain) -> FloatArray:
    """Return the elongation of each link by a wear of 1, (links,) [-]."""
    return np.asarray(link_elongations(0.0, 1.0, None, chain.links), dtype=np.float64)


def _means(chain: Chain, each: FloatArray, links: int) -> FloatArray:
    """Return the means over all sequences of this number of links."""
    window = np.concatenate([each, each[: links - 1]]) if chain.ends is None else each
    return np.convolve(window, np.ones(links) / links, "valid")


def _most(chain: Chain, rest: FloatArray, part: FloatArray, on: _Teeth) -> float:
    """Return the largest factor of a part of the elongation, beside the rest, that the teeth accept."""
    fixed, share = _means(chain, rest, on.links), _means(chain, part, on.links)
    return float(np.min((on.accepted - fixed[share > 0.0]) / share[share > 0.0], initial=math.inf))
