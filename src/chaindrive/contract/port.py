"""Points at which a shaft can be joined to a system."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Port"]


class Port(NamedTuple):
    """A wheel of a system to which a shaft can be joined, see ``coupling/joined.py``."""

    running: Any
    """``mechanism.torque_kernels.Running`` of the wheels, the table that the parameters of the system hold."""
    wheel: int
    """Row of the wheel in ``running``."""
    angle: int
    """Index of the angle of the wheel in the state."""
    speed: int
    """Index of its speed there."""
    accounts: tuple[int, int, int]
    """Indices of input, output and work of its own shaft in w."""
    motion_kind: Any = None
    """``mechanism.motion.MotionKind`` of the wheels, the array that the parameters of the system hold; None: all turn
    freely."""
    motion: Any = None
    """``mechanism.motion.MotionRows`` of the wheels, likewise."""
