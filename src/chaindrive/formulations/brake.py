"""Friction of bearings that holds a wheel from the start of a run."""

from __future__ import annotations

from collections.abc import Iterable

from chaindrive.contract.states import FloatArray

__all__ = ["hold_by_bearings"]


def hold_by_bearings(
    anchor: FloatArray, friction: FloatArray, stiffness: FloatArray, wheels: Iterable[int], torque: float
) -> None:
    """Let the bearings of wheels on one shaft, which stand still, exert a torque as far as their friction allows.

    anchor (W,): angles at which elastic friction of the bearings exerts no moment [rad], changed in place; friction
    (W,) [N m]; stiffness (W,): of sticking bearings [N m/rad]; wheels: indices of the wheels on the shaft; torque: on
    the wheels, counter-clockwise [N m].
    """
    for w in wheels:
        part = min(max(torque, -float(friction[w])), float(friction[w]))
        if part != 0.0:
            anchor[w] += part / stiffness[w]
        torque -= part
