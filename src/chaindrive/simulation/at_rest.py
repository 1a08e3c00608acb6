"""The drive at the start of its run, before anything moves: positions, angles and tensioner forces."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.system import System

__all__ = ["AtRest", "at_rest"]

FloatArray = NDArray[np.float64]


class AtRest(NamedTuple):
    """A drive with N rollers, W wheels, B bodies, K tensioners."""

    found: bool
    """Whether the state is the static equilibrium. If not, it is the state at which the search for equilibrium ended,
    or the initial configuration."""
    residual: float
    """Largest unbalanced force or moment, not-a-number without a search. [N, N m]"""
    rollers: FloatArray | None
    """Centres of the rollers, shape (N, 2) [m]; None if the formulation has no rollers, which are then drawn as
    placed."""
    wheel_angles: FloatArray
    """Wheel angles, shape (W,). [rad]"""
    wheel_positions: FloatArray
    """Wheel positions, shape (W, 2). [m]"""
    joint_positions: FloatArray
    """Coordinates of the joints of the bodies, 0 in the drawn position, shape (B,). [rad or m]"""
    body_positions: FloatArray
    """Centres of mass, shape (B, 2). [m]"""
    body_angles: FloatArray
    """Body angles, shape (B,). [rad]"""
    tensioner_lengths: FloatArray
    """Tensioner lengths, shape (K,). [m]"""
    tensioner_forces: FloatArray
    """Forces with which the tensioners push their ends apart, shape (K,). [N]"""
    link_angles: FloatArray | None = None
    """Angles of rigid links, shape (N,) [rad]; None if the formulation has none."""


def at_rest(system: System) -> AtRest:
    """Return the start state of a system, with zero velocities."""
    still = system.state.copy()
    still[system.positions : system.positions + system.velocities] = 0.0
    row = system.row(0.0, still)
    there = {channel.name for channel in system.channels}

    def value(name: str, *shape: int) -> FloatArray:
        return system.channel(name).read(row) if name in there else np.zeros(shape)

    return AtRest(
        found="static_span_tension" in system.story.notes,
        residual=float(system.story.notes.get("static_residual", np.nan)),
        rollers=value("roller_position") if "roller_position" in there else None,
        wheel_angles=value("wheel_angle", 0),
        wheel_positions=value("wheel_position", 0, 2),
        joint_positions=value("joint_position", 0),
        body_positions=value("body_position", 0, 2),
        body_angles=value("body_angle", 0),
        tensioner_lengths=value("tensioner_position", 0),
        tensioner_forces=value("tensioner_force", 0),
        link_angles=value("link_angle") if "link_angle" in there else None,
    )
