"""Limits of a chain, each with its source: given in the drive file, taken from the catalogue, or estimated."""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.analyses.analytical.fatigue import Woehler, rated_wear_coefficient
from chaindrive.mechanism.elongated import accepted_wear
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Chain, ChainStrength, Drive, Limits, chain_strength
from chaindrive.model.limits import WOEHLER_EXPONENT, WOEHLER_KNEE
from chaindrive.model.links import link_dimensions

__all__ = ["ChainLimits", "Limit", "chain_limits"]

ELONGATION = 0.03
"""Elongation of chains at the end of their life; the teeth of sprockets are designed for it (ISO 606; ANSI B29.1,
manufacturers)."""
ELONGATION_TEETH = 2.0
"""Elongation times number of teeth up to which a worn chain meshes with a large sprocket: 200 % / z (manufacturers).
[-]"""
AS_RATED = "estimated: the largest that agrees with the rating, 3 % in 15 000 h (ISO 10823:2004, ANSI B29.1)"


class Limit(NamedTuple):
    """One limit, in SI units."""

    value: float | None
    """Value in SI units; None if the limit is unknown."""
    source: str
    """Source of the limit: "given: KEY", "catalogue: ...", "estimated: ..."; empty without a value."""
    key: str
    """Key that sets the limit in the drive file, such as "limits.dynamic_strength"."""


class ChainLimits(NamedTuple):
    """Every limit of the chain of a drive, for all strands together."""

    tension: Limit
    """Tension. [N]"""
    breaking_load: Limit
    """Breaking load. [N]"""
    dynamic_strength: Limit
    """Dynamic strength. [N]"""
    bearing_pressure: Limit
    """Bearing pressure. [Pa]"""
    bearing_area: Limit
    """Bearing area. [m^2]"""
    wear_coefficient: Limit
    """Wear coefficient [m^2/N]; it has no value if no speed is given or no rating applies to the chain."""
    elongation: Limit
    """Elongation. [-]"""
    life: Limit
    """Life. [s]"""
    woehler_knee: float
    """Cycles at the knee of the S-N curve. [cycles]"""
    woehler_exponent: float
    woehler_exponent_below: float

    @property
    def woehler(self) -> Woehler | None:
        """Return the S-N curve of the plates; None without a dynamic strength."""
        strength = self.dynamic_strength.value
        if strength is None:
            return None
        return Woehler(strength, self.woehler_knee, self.woehler_exponent, self.woehler_exponent_below)

    @property
    def all(self) -> dict[str, Limit]:
        """Return all fields that are a ``Limit``, by name, even those without a value."""
        return {name: value for name, value in self._asdict().items() if isinstance(value, Limit)}


def chain_limits(drive: Drive, chain_speed: float | None = None) -> ChainLimits:
    """Return the limits of the chain of a drive.

    The stages of the drive are not included: ``chains_alone`` makes each of them a separate drive. chain_speed:
    determines the wear coefficient that follows from the rating [m/s].
    """
    chain, given = drive.chain, drive.limits
    known = chain_strength(chain.standard, chain.strands)
    area = _bearing_area(chain, given, known)
    strength = _limit_of_drive(given, "dynamic_strength") or Limit(
        known.dynamic_strength, known.dynamic_strength_source, "limits.dynamic_strength"
    )
    exponent = WOEHLER_EXPONENT if given is None else given.woehler_exponent
    below = None if given is None else given.woehler_exponent_below
    return ChainLimits(
        tension=_limit_of_drive(given, "tension") or Limit(None, "", "limits.tension"),
        breaking_load=_breaking_load(chain),
        dynamic_strength=strength,
        bearing_pressure=_limit_of_drive(given, "bearing_pressure") or Limit(None, "", "limits.bearing_pressure"),
        bearing_area=area,
        wear_coefficient=_limit_of_drive(given, "wear_coefficient") or _as_rated(chain, area, strength, chain_speed),
        elongation=_limit_of_drive(given, "elongation") or _elongation(drive),
        life=_limit_of_drive(given, "life") or Limit(None, "", "limits.life"),
        woehler_knee=WOEHLER_KNEE if given is None else given.woehler_knee,
        woehler_exponent=exponent,
        woehler_exponent_below=2.0 * exponent - 1.0 if below is None else below,
    )


def _limit_of_drive(limits: Limits | None, name: str) -> Limit | None:
    value = None if limits is None else getattr(limits, name)
    return None if value is None else Limit(value, f"given: limits.{name}", f"limits.{name}")


def _breaking_load(chain: Chain) -> Limit:
    source = chain.sources.get("breaking_load", "")
    return Limit(
        chain.breaking_load, "given: chain.breaking_load" if source == "given" else source, "chain.breaking_load"
    )


def _bearing_area(chain: Chain, limits: Limits | None, known: ChainStrength) -> Limit:
    key = "limits.bearing_area"
    if (own := _limit_of_drive(limits, "bearing_area")) is not None:
        return own
    if chain.kind in ("leaf", "rocker-pin"):
        return Limit(None, "", key)
    changed = {"pin_diameter", "inner_width", "inner_link", "pitch"} & chain.model_fields_set
    if known.bearing_area is not None and not changed:
        return Limit(known.bearing_area, known.bearing_area_source, key)
    size = link_dimensions(chain)
    pin, width, plate = (size[name].value for name in ("pin_diameter", "inner_width", "inner_link.plate_thickness"))
    source = "estimated: pin diameter x (inner width + two inner plates)"
    return Limit(chain.strands * pin * (width + 2.0 * plate), source, key)


def _as_rated(chain: Chain, area: Limit, strength: Limit, chain_speed: float | None) -> Limit:
    nothing = Limit(None, "", "limits.wear_coefficient")
    if area.value is None or not chain_speed:
        return nothing
    pin = link_dimensions(chain)["pin_diameter"].value
    value = rated_wear_coefficient(chain, pin, area.value, abs(chain_speed), strength.value)
    return Limit(value, AS_RATED, nothing.key) if value > 0.0 else nothing


def _elongation(drive: Drive) -> Limit:
    most = max((wheel.teeth for wheel in drive.wheels), default=0)
    large = bool(most) and most * ELONGATION > ELONGATION_TEETH
    value = ELONGATION_TEETH / most if large else ELONGATION
    rule = f"200 % / {most} teeth" if large else "3 %"
    accepted, wheel = accepted_wear(drive, drive_facts(drive).route)
    if accepted < value:
        rule += f", but the teeth of {drive.wheels[wheel].name} accept only {100.0 * accepted:.3g} %"
    return Limit(value, f"manufacturers' rule: {rule}", "limits.elongation")
