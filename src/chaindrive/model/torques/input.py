"""A torque that a machine coupled to the drive or a program supplies during a run."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chaindrive.model.base import Model
from chaindrive.model.points import NewtonMetre
from chaindrive.model.torques import acting as A
from chaindrive.model.torques.acting import ActingTorque, TorqueFacts, TorqueRow, sense_text
from chaindrive.numbers import quantity

__all__ = ["InputTorque"]


class InputTorque(ActingTorque, Model):
    """A torque that a coupled machine or a Python program sets between steps, as a polynomial in time.

    Until it is set for the first time it equals ``mean``, with which the start is computed. It is positive
    counter-clockwise: M = c0 + c1 s + c2 s^2 + c3 s^3, with the time s since it was set (``contract.inputs``).
    """

    kind: Literal["input"] = Field("input", description="Determines the other keys.")
    mean: NewtonMetre = Field(
        0.0,
        description="Expected mean, positive counter-clockwise: the drive starts with this torque, which acts until "
        "another value is set.",
    )
    largest: NewtonMetre | None = Field(
        None,
        description="Expected torque of largest magnitude, positive counter-clockwise, from which tolerances and "
        "the driving direction follow; default: the mean.",
    )

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``."""
        return TorqueRow(A.INPUT, table=[(0.0, 0.0, 0.0, 0.0, self.mean)])

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``."""
        largest = max(self.mean, self.largest or 0.0, key=abs)
        text = f"supplied from outside, mean {quantity(abs(self.mean), 'N m')}"
        if self.mean:
            text += f", {sense_text(self.mean)}"
        if largest * self.mean < 0.0 or (largest and not self.mean):
            text += f", largest {quantity(abs(largest), 'N m')}, {sense_text(largest)}"
        return TorqueFacts(text, largest, largest, (), (), 0.0)

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """See ``ActingTorque``."""
        return self.mean
