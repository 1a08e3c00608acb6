"""The ways in which runs of a rocker-pin chain end early, and where they do so."""

from __future__ import annotations

import numpy as np

from chaindrive.contract.status import Status
from chaindrive.formulations.cvt.parameters import FloatArray, Parameters
from chaindrive.numbers import quantity

__all__ = ["ENDINGS", "LEFT_GROOVE", "SLIPS", "ended_at"]

SLIPS = Status(
    "CHAIN_SLIPS",
    20,
    "The chain slips on a pair of sheaves: the thrust is too small for the torque.",
    "Raise the clamping force, or lower the torque, which must not exceed 2 mu S R / cos(half angle).",
)
LEFT_GROOVE = Status(
    "LEFT_GROOVE",
    21,
    "A pin left the groove of a pair of sheaves.",
    "Check whether the ratio is at the end of its range, the clamping force drives it there, "
    "or the groove is too shallow.",
)
ENDINGS = (SLIPS, LEFT_GROOVE)


def ended_at(names: tuple[str, ...], p: Parameters, status: Status, _: float, state: FloatArray) -> str:
    """Return the pair, with the speed at which the chain slides or the position of the pin (Story.ended_at)."""
    if status == SLIPS:
        speed = np.abs(p.sum.sliding)
        w = int(np.argmax(speed))
        return f"{names[w]!r}, where its pins slide at {quantity(float(speed[w]), 'm/s', 3)}"
    if status == LEFT_GROOVE:
        touching = int(p.contacts[0])
        wheel, radius = p.touch.wheel[:touching], p.touch.radius[:touching]
        beyond = np.flatnonzero((radius < p.sheave.least[wheel]) | (radius > p.sheave.most[wheel]))
        if beyond.size:
            c = beyond[np.argmin(wheel[beyond])]
            where = quantity(float(radius[c]), "m", 4)
            return f"{names[wheel[c]]!r}, pin {int(p.touch.pin[c])} at a radius of {where}"
    wrong = np.flatnonzero(~np.isfinite(state[: p.coordinates]))
    return f"{'link' if p.rigid else 'pin'} {int(wrong[0]) % p.pins}" if wrong.size else ""
