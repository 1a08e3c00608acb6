"""A part of a co-simulation: the interface that a master requires."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from chaindrive.contract.states import FloatArray
from chaindrive.cosimulation.signals import Signals

__all__ = ["Subsystem", "SubsystemError", "can_restore", "feeds_through"]


class SubsystemError(Exception):
    """A part could not take a step; the text gives the reason."""


@runtime_checkable
class Subsystem(Protocol):
    """A part with named inputs and outputs that advances in time independently. Numbers are in SI units.

    Besides the methods below, it may have

    - ``feedthrough = True``: its outputs depend on its inputs at the same instant (a spring, a proportional
      controller). Without this attribute, ``read`` also receives the inputs, but the master does not rely on their
      effect.
    - ``save()`` and ``restore(saved)``: save and restore its state, so that iterated schemes can repeat a step. If
      ``save`` returns a NumPy array, a run can be resumed from its checkpoint. ``restorable = False``: the methods
      exist, but the part cannot go back.
    - ``equal_steps = True``: all of its steps must have the same length.
    - ``close()``: called when the part is no longer needed.
    """

    @property
    def inputs(self) -> Sequence[str]:
        """Names of the inputs."""
        ...

    @property
    def outputs(self) -> Sequence[str]:
        """Names of the outputs."""
        ...

    def read(self, time: float, inputs: FloatArray) -> FloatArray:
        """Return the present outputs of the part, (outputs,), for its present inputs, (inputs,); time [s]."""
        ...

    def step(self, time: float, step: float, inputs: Signals) -> None:
        """Advance from a time by a step [s]; inputs: signals during the step. Raises SubsystemError if this is not
        possible.
        """
        ...


def feeds_through(part: Any) -> bool:
    """Return whether the outputs of a part depend on its inputs at the same time."""
    return bool(getattr(part, "feedthrough", False))


def can_restore(part: Any) -> bool:
    """Return whether a part can repeat a step."""
    return (
        bool(getattr(part, "restorable", True))
        and callable(getattr(part, "save", None))
        and callable(getattr(part, "restore", None))
    )
