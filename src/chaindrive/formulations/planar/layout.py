"""Layout of the state of a planar formulation, after the coordinates of its chain.

With C coordinates of the chain, W wheels on A shafts, J moving joints of the mechanism and H hydraulic chambers,
n_q = C + A + J:

    q = [coordinates of the chain(C), angle(A), joint coordinate(J)],  v = dq/dt,
    w = [work integrals (parameters.WORKS), works of shafts(W), states of motors and governors(M), pressure(H)]
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Layout", "state_layout"]


class Layout(NamedTuple):
    """Index of the first state of each kind; the states of one kind follow one another."""

    positions: int
    """Number of positions n_q; the velocities begin at this index."""
    wheel_angle: int
    """index of the first wheel angle, equal to the number of coordinates of the chain"""
    joint_position: int
    wheel_speed: int
    joint_speed: int
    work: int
    """index of the first work, n_q + n_v"""
    shaft_work: int
    machine: int
    """index of the first state of motors and governors, see mechanism.torque_kernels"""
    pressure: int
    size: int
    """size of the whole state"""


def state_layout(
    chain: int, wheels: int, joints: int, works: int, pressures: int, machines: int = 0, axles: int | None = None
) -> Layout:
    """Return the layout for these counts.

    axles: number of shafts of the wheels, by default one for every wheel.
    """
    turning = wheels if axles is None else axles
    positions = chain + turning + joints
    shaft_work = 2 * positions + works
    return Layout(
        positions=positions,
        wheel_angle=chain,
        joint_position=chain + turning,
        wheel_speed=positions + chain,
        joint_speed=positions + chain + turning,
        work=2 * positions,
        shaft_work=shaft_work,
        machine=shaft_work + wheels,
        pressure=shaft_work + wheels + machines,
        size=shaft_work + wheels + machines + pressures,
    )
