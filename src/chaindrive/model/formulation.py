"""Options of the formulations of a drive's physics, and what each asks of the parts of a drive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.errors import Problem
from chaindrive.model.base import Model, Quantity

if TYPE_CHECKING:
    from chaindrive.model.parts import Parts

__all__ = ["FormulationOptions", "PlanarOptions", "RollerOptions"]

_NEEDS_RESTITUTION = {"flores": "8 (1 - e) / (5 e)", "gonthier": "(1 - e^2) / e", "hu-guo": "3 (1 - e) / (2 e)"}
"""Laws whose damping has no bound as the restitution goes to 0."""


class _Options(Model):
    """Options of a formulation; each has a ``kind`` of its own."""

    kind: str

    def misfits(self, parts: Parts) -> Iterator[Problem]:
        """What in the parts of a drive this formulation cannot take, with these options."""
        yield from ()


class PlanarOptions(_Options):
    """Options that all planar formulations have: contact with teeth and guides."""

    contact_law: Literal[
        "hertz",
        "kelvin-voigt",
        "hunt-crossley",
        "lankarani-nikravesh",
        "flores",
        "herbert-mcwhannell",
        "lee-wang",
        "gonthier",
        "hu-guo",
    ] = Field("lankarani-nikravesh", description="Law of the normal contact force.")
    impact_memory: Literal["stored", "reference"] = Field(
        "stored", description="Impact speed stored at each impact, or one reference speed throughout (no memory)."
    )
    impact_speed_floor: Annotated[float, Quantity("m/s", above=0, most=100)] = Field(
        0.05, description="Least impact speed that is stored; with impact_memory = 'reference' none is."
    )
    reference_speed: Annotated[float, Quantity("m/s", above=0, most=1e3)] = Field(
        1.0,
        description="Impact speed of rollers that are in contact where the run starts, at least impact_speed_floor; "
        "with impact_memory = 'reference' that of every contact throughout.",
    )
    friction_regularisation: Literal[
        "linear", "polynomial", "super-elliptic", "bezier", "tanh", "arctan", "logistic"
    ] = Field("tanh", description="How Coulomb friction passes through zero speed.")
    friction_speed: Annotated[float, Quantity("m/s", above=0, most=100)] = Field(
        0.1, description="Speed v* of the regularisation."
    )
    friction_sharpness: Annotated[float, Quantity("", above=0, most=10)] = Field(
        0.01,
        description="Epsilon of tanh, arctan and logistic, and of bezier, where it is at most 1; v* times epsilon is "
        "their speed scale.",
    )
    on_jump: Literal["stop", "continue"] = Field(
        "stop", description="When the chain jumps a tooth the run ends, or goes on and counts the jumps on every wheel."
    )

    @field_validator("friction_sharpness")
    @classmethod
    def _rises_all_along(cls, sharpness: float, info: ValidationInfo) -> float:
        if sharpness > 1.0 and info.data.get("friction_regularisation") == "bezier":
            raise ValueError("must be at most 1 with friction_regularisation = 'bezier', whose curve turns back beyond")
        return sharpness

    def misfits(self, parts: Parts) -> Iterator[Problem]:
        """Contacts that the law cannot have."""
        law = self.contact_law
        contacts = [("contact", parts.contact)]
        contacts += [(f"wheels[{index}].contact", wheel.contact) for index, wheel in parts.present_wheels()]
        contacts += [(f"guides[{index}].contact", guide.contact) for index, guide in parts.present_guides()]
        for place, contact in contacts:
            if contact is None:
                continue
            if law == "kelvin-voigt" and contact.exponent != 1:
                message = "must be 1 with contact_law = 'kelvin-voigt', a linear spring and damper; or take another law"
                yield Problem(f"{place}.exponent", message, f"{contact.exponent:g}")
            if law in _NEEDS_RESTITUTION and contact.restitution == 0:
                message = f"must be above 0 with contact_law = {law!r}, whose damping is {_NEEDS_RESTITUTION[law]}"
                yield Problem(f"{place}.restitution", message, "0")


class RollerOptions(PlanarOptions):
    """Options of the planar formulation with rollers as lumped masses."""

    kind: Literal["roller"] = "roller"
    joint_friction_rate: Annotated[float, Quantity("rad/s", above=0, most=1e6)] | None = Field(
        None,
        description="Turning rate of a joint at which its Coulomb friction is 76 % of its full value; left out, "
        "0.02 of the speed of the fastest wheel, with which joints turn as they come onto it; 0.01 with guides.",
    )


FormulationOptions = RollerOptions
"""Options of any formulation, told apart by ``kind``."""
