"""The contact between rollers and surfaces: its normal force and its friction."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field, ValidationInfo, field_validator, model_validator

from chaindrive.model.base import Quantity
from chaindrive.model.calls import ContactCall
from chaindrive.model.own_law import Kind, Law, LawOf
from chaindrive.units import to_si

__all__ = ["CONTACT_LAW", "FRICTION_LAW", "Contact", "closest_power", "elastic_values"]

FloatArray = NDArray[np.float64]

CONTACT_LAW = Kind("contact", ("depth", "rate", "impact_speed"), "force", "N")
CURVE_POINTS = 2000
FRICTION_LAW = Kind("friction", ("speed", "force"), "coefficient", "")


class Contact(ContactCall):
    """Contact between rollers and teeth: F = stiffness x penetration^exponent with losses according to ``restitution``,
    or a user-defined law.
    """

    exponent: Annotated[float, Quantity("", least=1, most=3)] = Field(
        1.5,
        description="Exponent of the penetration: 1.5 for Hertzian point contact, 1 for a linear spring. With law: the "
        "exponent of the closest power law, for estimates.",
    )
    stiffness: float = Field(
        gt=0,
        le=1e16,
        description="Contact stiffness of all strands in N/m^exponent, such as '1 GN/m^1.5' for exponent = 1.5. With "
        "law: the stiffness of the closest power law, for estimates.",
    )
    restitution: Annotated[float, Quantity("", least=0, most=1)] = Field(
        0.0,
        description="Coefficient of restitution, a parameter of the contact law; 0 dissipates most. Not used with law.",
    )
    law: Annotated[Law, LawOf(CONTACT_LAW)] | None = Field(
        None,
        description="User-defined law of the normal force as a function of penetration, its rate and the impact speed "
        "(chaindrive.law.contact), instead of run.formulation.contact_law. Available only from Python: a file "
        "stores the name of the law and the digest of its source. Requires elastic contacts.",
    )
    friction: Annotated[float, Quantity("", least=0, most=10)] = Field(
        0.0,
        description="Coefficient of friction between roller and tooth; with coefficient_law, the largest value of the "
        "law.",
    )
    coefficient_law: Annotated[Law, LawOf(FRICTION_LAW)] | None = Field(
        None,
        description="User-defined law of the coefficient of friction as a function of sliding speed and normal force "
        "(chaindrive.law.friction). Available only from Python: a file stores the name of the law and the digest "
        "of its source. Requires elastic contacts.",
    )
    static_friction: Annotated[float, Quantity("", least=0, most=10)] | None = Field(
        None,
        description="Coefficient of friction up to which a roller sticks, not less than friction; only for "
        "run.formulation.contacts = 'rigid'. Default: the value of friction.",
    )
    compliant: bool = Field(
        False,
        description="Whether the contact keeps its stiffness with run.formulation.contacts = 'rigid'. By default all "
        "contacts are then rigid; with 'compliant' every contact has its stiffness, regardless of this key.",
    )

    @model_validator(mode="before")
    @classmethod
    def _numbers_of_the_laws(cls, given: Any) -> Any:
        """Add the largest coefficient of friction and the closest power law of user-defined laws.

        Results store these numbers for processes that do not have the laws.
        """
        if not isinstance(given, Mapping):
            return given
        if (law := _available_law(given.get("coefficient_law"), FRICTION_LAW)) is not None:
            given = {**given, "friction": float(law.values.max())}
        if (law := _available_law(given.get("law"), CONTACT_LAW)) is not None:
            stiffness, exponent = closest_power(law)
            given = {**given, "stiffness": stiffness, "exponent": exponent, "restitution": 0.0}
        return given

    @field_validator("static_friction")
    @classmethod
    def _holds_more_than_sliding(cls, static: float | None, info: ValidationInfo) -> float | None:
        sliding = info.data.get("friction")
        if static is not None and sliding is not None and static < sliding:
            raise ValueError(f"must be at least the coefficient of sliding friction, friction = {sliding:g}")
        return static

    @property
    def sticking_friction(self) -> float:
        """Coefficient of friction up to which a roller sticks. [-]"""
        return self.friction if self.static_friction is None else self.static_friction

    @field_validator("stiffness", mode="before", json_schema_input_type=float | str)
    @classmethod
    def _in_its_unit(cls, value: Any, info: ValidationInfo) -> float:
        exponent = info.data.get("exponent")
        if exponent is None:  # a wrong exponent is reported on its own
            exponent = 1.5
        return to_si(value, "N/m" if exponent == 1 else f"N/m^{exponent:g}")

    def penetration(self, force: ArrayLike) -> FloatArray:
        """Return the penetration at which the elastic force is ``force`` [N]; NaN beyond the range of a law. [m]"""
        pressed = np.asarray(force, dtype=np.float64)
        if self.law is None or not self.law.is_available:
            return np.asarray((pressed / self.stiffness) ** (1.0 / self.exponent))
        lightest, heaviest, depth_of = _depth_at_force(self.law)
        found = np.exp(depth_of(np.log(np.clip(pressed, lightest, heaviest))))
        return np.where(pressed <= heaviest, np.where(pressed >= lightest, found, 0.0), math.nan)


def _available_law(given: Any, kind: Kind) -> Law | None:
    """Return the law that a value is or names, if it is of this kind and this process has its function."""
    law = Law.known.get(given) if isinstance(given, str) else given
    return law if isinstance(law, Law) and law.kind == kind and law.is_available else None


def elastic_values(law: Law) -> FloatArray:
    """Return the force of a contact law at its depths and zero rate, (depths,). [N]"""
    still = int(np.flatnonzero(law.axes[1] == 0.0)[0])
    return np.asarray(law.values[:, still, 0])


@lru_cache(maxsize=256)
def closest_power(law: Law) -> tuple[float, float]:
    """Return stiffness K [N/m^n] and exponent n of the power law K d^n with the smallest relative deviation from a
    contact law.
    """
    depth, force = np.log(law.axes[0]), np.log(elastic_values(law))
    exponent = float(np.polyfit(depth, force, 1)[0])
    exponent = round(min(max(exponent, 1.0), 3.0), 6)
    return float(np.exp((force - exponent * depth).mean())), exponent


@lru_cache(maxsize=256)
def _depth_at_force(law: Law) -> tuple[float, float, Callable[[FloatArray], FloatArray]]:
    """Return the smallest and largest elastic force [N] of a contact law, and the logarithm of the depth as a function
    of the logarithm of the force.
    """
    from scipy.interpolate import CubicSpline  # takes a tenth of a second to import

    depths = law.axes[0][-1] * np.geomspace(1e-6, 1.0, CURVE_POINTS)
    forces, first = np.unique([law(depth, 0.0, 1.0) for depth in depths], return_index=True)
    rising = forces > 0.0
    return (
        float(forces[rising][0]), float(forces[-1]), CubicSpline(np.log(forces[rising]), np.log(depths[first][rising]))
    )  # fmt: skip
