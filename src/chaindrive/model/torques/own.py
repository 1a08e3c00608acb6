"""Torques given by user-defined laws."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from chaindrive.model.base import Model
from chaindrive.model.own_law import Kind, Law, LawOf
from chaindrive.model.points import NewtonMetre
from chaindrive.model.torques import acting as A
from chaindrive.model.torques.acting import ActingTorque, TorqueFacts, TorqueRow, span_text

__all__ = ["LOAD_LAW", "TORQUE_LAW", "OwnLoad", "OwnTorque"]

TORQUE_LAW = Kind("torque", ("time", "angle", "speed"), "torque", "N m")
LOAD_LAW = Kind("load", ("time", "angle", "speed"), "torque", "N m")
ANGLES = 48
"""Number of angles per turn over which a mean is taken."""
FROM_PYTHON = (
    "User-defined law, which can only be given in Python: a file contains its name and the digest of its source."
)


@lru_cache(maxsize=4096)
def _mean(law: Law, time: float, speed: float) -> float:
    """Return the mean torque over a turn. [N m]"""
    return float(np.mean([law(time, k * 2.0 * math.pi / ANGLES, speed) for k in range(ANGLES)]))


def _driving(law: Law) -> float:
    """Return the largest torque in the direction of the speed, or else that at standstill, with its sign. [N m]"""
    driving = np.where(law.values * law.axes[2] > 0.0, law.values, 0.0)
    still = law.values[..., np.abs(law.axes[2]).argmin()]
    driving = driving if driving.any() else still
    return float(driving.flat[np.abs(driving).argmax()])


class OwnTorque(ActingTorque, Model):
    """A torque on a wheel given by a user-defined law, counter-clockwise positive (``chaindrive.law.torque``)."""

    kind: Literal["law"] = Field("law", description="Determines the other keys.")
    law: Annotated[Law, LawOf(TORQUE_LAW)] = Field(description=FROM_PYTHON)

    driving: NewtonMetre = Field(
        0.0,
        description="Largest torque with which the law can drive, with its sign; computed from the law if this "
        "process has it.",
    )

    @model_validator(mode="before")
    @classmethod
    def _as_the_law_drives(cls, given: Any) -> Any:
        """Compute ``driving`` if this process has the law; otherwise keep the value given, such as that in results."""
        if not isinstance(given, Mapping):
            return given
        law = given.get("law")
        law = Law.known.get(law) if isinstance(law, str) else law
        return {**given, "driving": _driving(law)} if isinstance(law, Law) and law.is_available else given

    def row(self, at_speed: bool = True) -> TorqueRow:
        """See ``ActingTorque``. Raises InputError if this process does not have the law."""
        return TorqueRow(A.LAW, law=self.law.address)

    def facts(self, speed: float = 0.0) -> TorqueFacts:
        """See ``ActingTorque``; within the ranges specified for the law."""
        law = self.law
        if not law.is_available:
            return TorqueFacts(f"law {law.name}", self.driving, self.driving, (), kinks=(), slope=0.0)
        values, speeds = law.values, law.axes[2]
        varies = bool(np.ptp(values, axis=1).max() > 0.0)
        return TorqueFacts(
            text=f"{span_text((float(values.min()), float(values.max())))} by the law {law.name}",
            largest=float(values.flat[np.abs(values).argmax()]),
            driving=self.driving,
            cycles=(1.0,) if varies else (),
            kinks=[sign * float(each) for each in speeds for sign in (-1.0, 1.0)],
            slope=max(map(abs, law.slope(2))),
            shown_speeds=(float(speeds[0]), float(speeds[-1])),
        )

    def mean_torque(self, speed: float, sense: float, time: float | None = None) -> float:
        """See ``ActingTorque``."""
        law = self.law
        return _mean(law, float(law.axes[0][-1] if time is None else time), float(speed)) if law.is_available else 0.0


class OwnLoad(OwnTorque):
    """A torque that opposes the motion, given by a user-defined law (``chaindrive.law.load``)."""

    law: Annotated[Law, LawOf(LOAD_LAW)] = Field(description=FROM_PYTHON)
