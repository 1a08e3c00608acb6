"""Where a shaft can be joined to a system."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Port"]


class Port(NamedTuple):
    """A wheel of a system that a shaft can be joined to, see ``coupling/joined.py``."""

    running: Any
    """``mechanism.torque_kernels.Running`` of the wheels, the table that the parameters of the system hold."""
    wheel: int
    """Its row there."""
    angle: int
    """Where its angle stands in the state; its speed stands n_q behind."""
    accounts: tuple[int, int, int]
    """Where the work put in, the work taken out, and that of its own shaft stand in w."""
