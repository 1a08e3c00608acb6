"""Points at which a shaft can be joined to a system."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Port"]


class Port(NamedTuple):
    """A wheel of a system to which a shaft can be joined (see ``coupling/joined.py``)."""

    running: Any
    """Table ``mechanism.torque_kernels.Running`` of the wheels, the same object as in the parameters of the system."""
    wheel: int
    """Row of the wheel in ``running``."""
    angle: int
    """Index of the angle of the wheel in the state."""
    speed: int
    """Index of the speed of the wheel in the state."""
    accounts: tuple[int, int, int]
    """Indices in w of the input, the output and the work of the wheel's own shaft."""
    motion_kind: Any = None
    """Array with the ``mechanism.motion.MotionKind`` of the wheels, the same object as in the parameters of the system;
    None: no wheel has a prescribed motion."""
    motion: Any = None
    """``mechanism.motion.MotionRows`` of the wheels, also the same object as in the parameters."""
