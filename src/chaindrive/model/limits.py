"""Limits by which results are judged: the loads that a chain may carry and the life that it must reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from chaindrive.errors import Problem
from chaindrive.model.base import Model, Quantity

if TYPE_CHECKING:
    from chaindrive.model.chain import Chain

__all__ = ["FINDINGS", "VERDICT_FINDINGS", "WOEHLER_EXPONENT", "WOEHLER_KNEE", "Limits", "limit_problems"]

FINDINGS = {
    "tension_steady": "N",
    "tension_run": "N",
    "breaking_load": "N",
    "plate_range": "N",
    "plate_life": "s",
    "roller_bush_life": "s",
    "bearing_pressure": "Pa",
    "wear_life": "s",
    "rated_power": "W",
}
"""Findings on strength and life of a run, with their units: ``Finding.key`` of the analysis ``strength``."""
VERDICT_FINDINGS = {
    "steady": "",
    "slip": "",
    "thrust_ratio": "",
    "contact_force": "N",
    "bearing_force": "N",
    "vibration": "",
    "efficiency": "",
    "resonance": "",
    "balance": "",
    "motor": "W",
    "start_torque": "N m",
    "take_up": "m",
}
"""The other findings of the verdict on a run, by the keys of their tiles, with their units."""
WOEHLER_EXPONENT = 5.0
"""Exponent of the S-N curve of the plates above their dynamic strength, from the FKM guideline for unwelded steel
under normal stress."""
WOEHLER_KNEE = 3e6
"""Number of cycles that a chain endures at its dynamic strength in the conformance test (ISO 606:2015, 3.4.5; ISO
15654:2015)."""


class Limits(Model):
    """Limits by which strength and life of a chain are judged. Defaults come from the catalogue if it has data; values
    without a limit are not judged. Forces are totals of all strands.
    """

    tension: Annotated[float, Quantity("N", above=0, most=1e12)] | None = Field(
        None, description="Largest allowed link tension; at most the breaking load."
    )
    dynamic_strength: Annotated[float, Quantity("N", above=0, most=1e12)] | None = Field(
        None,
        description="Dynamic strength of the plates: they endure a tension pulsating between zero and this value "
        "for woehler_knee cycles (ISO 606, ISO 15654). Default: that of the standard chain.",
    )
    woehler_exponent: Annotated[float, Quantity("", least=1, most=50)] = Field(
        WOEHLER_EXPONENT,
        description="Exponent of the S-N curve (Woehler line) of the plates above the dynamic strength.",
    )
    woehler_knee: Annotated[float, Quantity("", least=1e3, most=1e10)] = Field(
        WOEHLER_KNEE, description="Number of cycles that the plates endure at the dynamic strength."
    )
    woehler_exponent_below: Annotated[float, Quantity("", least=1, most=1000)] | None = Field(
        None,
        description="Exponent below the dynamic strength; default: 2 x woehler_exponent - 1 (Haibach 1970). A large "
        "value, such as 1000, makes the dynamic strength an endurance limit.",
    )
    bearing_pressure: Annotated[float, Quantity("Pa", above=0, most=1e12)] | None = Field(
        None, description="Largest allowed pressure between pin and bush, such as '25 MPa'."
    )
    bearing_area: Annotated[float, Quantity("m^2", above=0, most=1)] | None = Field(
        None,
        description="Bearing area of a joint, pin diameter times length of the bush, summed over all strands; "
        "default: that of the standard chain, or an estimate from the inner width.",
    )
    wear_coefficient: Annotated[float, Quantity("m^2/N", above=0, most=1e-6)] | None = Field(
        None,
        description="Wear volume of pin and bush per force and sliding distance, such as '2e-10 mm^2/N'; default: "
        "the largest value with which a drive at its rated load lasts 15 000 h.",
    )
    elongation: Annotated[float, Quantity("", above=0, most=0.2)] | None = Field(
        None,
        description="Elongation by wear at which the chain is replaced, such as '2 %'; default: 3 %, or 200 % "
        "divided by the number of teeth of the largest wheel if that is less.",
    )
    life: Annotated[float, Quantity("s", above=0, most=1e13)] | None = Field(
        None, description="Required life of plates, rollers and joints, such as '15000 h'."
    )
    application_factor: Annotated[float, Quantity("", least=0.1, most=10)] = Field(
        1.0,
        description="Application factor f1 applied to the transmitted power for shocks from driver and load, from "
        "1.0 (smooth) to 2.1 (ISO 10823).",
    )
    contact_force: Annotated[float, Quantity("N", above=0, most=1e12)] | None = Field(
        None, description="Largest allowed force between a roller and a tooth."
    )
    bearing_force: Annotated[float, Quantity("N", above=0, most=1e12)] | None = Field(
        None, description="Largest allowed force of a wheel on its bearing."
    )
    vibration: Annotated[float, Quantity("", above=0, most=1)] | None = Field(
        None, description="Largest allowed transverse motion of a span, relative to its length, such as '2 %'."
    )
    efficiency: Annotated[float, Quantity("", above=0, most=1)] | None = Field(
        None, description="Lowest acceptable efficiency, such as '97 %'."
    )
    resonance: Annotated[float, Quantity("", above=0, most=1)] | None = Field(
        None,
        description="Smallest acceptable distance of the speed from the nearest resonance, relative to the "
        "speed, such as '10 %'.",
    )
    motor_power: Annotated[float, Quantity("W", above=0, most=1e9)] | None = Field(
        None, description="Rated power of the motor of a conveyor."
    )
    gear_efficiency: Annotated[float, Quantity("", above=0, most=1)] | None = Field(
        None,
        description="Efficiency of the gearing between the motor and the driving shaft of a conveyor, such as '94 %'; "
        "default: gearing without losses.",
    )
    start_torque: Annotated[float, Quantity("N*m", above=0, most=1e9)] | None = Field(
        None,
        description="Largest torque on the driving shaft of a conveyor at its start: the motor torque transmitted "
        "by the gearing.",
    )
    breakaway: Annotated[float, Quantity("", least=1, most=10)] | None = Field(
        None,
        description="Friction of a conveyor as it starts, relative to its friction in motion, such as 1.5; default: 1.",
    )
    take_up: Annotated[float, Quantity("m", above=0, most=1e3)] | None = Field(
        None, description="Travel of the take-up of a conveyor."
    )
    thermal_elongation: Annotated[float, Quantity("", least=-0.02, most=0.02)] | None = Field(
        None,
        description="Thermal elongation of the chain of a conveyor relative to its frame: for steel 12e-6 per kelvin "
        "of temperature difference.",
    )


def limit_problems(limits: Limits | None, chain: Chain | None, place: str = "limits") -> list[Problem]:
    """Return the problems of limits above the breaking load of the chain: one of the two must then be wrong."""
    if limits is None or chain is None or chain.breaking_load is None:
        return []
    return [
        Problem(
            f"{place}.{name}",
            f"must be at most the breaking load of the chain, {chain.breaking_load:g} N (chain.breaking_load)",
            f"{value:g}",
        )
        for name, value in (("tension", limits.tension), ("dynamic_strength", limits.dynamic_strength))
        if value is not None and value > chain.breaking_load
    ]
