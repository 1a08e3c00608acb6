"""Slow drives with scaled masses: quasi-static quantities stay the same, and the step becomes longer.

With all masses and inertias multiplied by s^2, gravity divided by s^2 and the damping of links multiplied by s,
weights, loads and tensions of a drive without inertia forces are unchanged, while the periods of all its vibrations,
and therefore the step, are s times as long. Apart from the time scale, this is a run of the actual drive at s times its
speed. The disadvantage is that inertia contributes more to the tensions: s^2 q v^2 in a chain of mass q per length that
runs at the speed v.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np

from chaindrive.contract.channels import Channel
from chaindrive.contract.states import FloatArray
from chaindrive.contract.system import System
from chaindrive.errors import InputError, Problem
from chaindrive.geometry.route import tooth_frequency
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive
from chaindrive.model.base import Model
from chaindrive.model.files.keys import unit_of
from chaindrive.model.torques.vehicle import Vehicle
from chaindrive.numbers import percent

__all__ = [
    "Inertia",
    "largest_factor",
    "quasi_static_inertia",
    "quasi_static_warning",
    "take_out_scale",
    "with_scaled_masses",
]

M = TypeVar("M", bound=Model)
MASSES = ("kg", "kg*m^2", "kg*m", "kg/m")
"""Units of the quantities that are scaled like masses."""
SMALL = 1e-3
"""A factor is recommended if the tension due to the inertia of the chain is at most this fraction of the expected
tension. [-]"""
SLOW = 0.2
"""A factor is recommended if the tooth frequency times the factor is at most this fraction of the frequency of the
longest span, regarded as a taut string. [-]
"""

LARGE, LARGEST_TOOTH = 0.01, 0.5
"""A factor is too large if one of these two ratios exceeds this value. [-]"""


class Inertia(NamedTuple):
    """Two ratios that must be small for the influence of inertia in a run with scaled masses to be small. [-]"""

    tension: float
    """s^2 q v^2 divided by the expected tension"""
    tooth: float
    """s times the tooth frequency of the fastest wheel, divided by the first natural frequency of the longest span"""


def with_scaled_masses(drive: Drive, factor: float) -> Drive:
    """Return the drive with masses ``factor``^2 times as large and unchanged weights. factor s >= 1 [-].

    The largest values that keys allow do not apply, because these masses are not those of a drive. Raises InputError
    for a vehicle on a wheel, whose weight also loads the drive.
    """
    if vehicles := _vehicles(drive):
        message = "cannot be run with quasi_static: its weight also loads the drive; omit run.quasi_static"
        raise InputError([Problem(place, message) for place in vehicles])
    gravity = tuple(each / (factor * factor) for each in drive.gravity)
    return _scaled(drive, factor).model_copy(update={"gravity": gravity})


def _scaled(part: M, factor: float) -> M:
    """Return a part of a drive with its masses ``factor``^2 times as large, and those of the parts that it contains."""
    changes: dict[str, Any] = {}
    for name, field in type(part).model_fields.items():
        value: Any = getattr(part, name)
        if name == "run":
            continue
        if isinstance(value, Model):
            changes[name] = _scaled(value, factor)
        elif isinstance(value, tuple):
            changes[name] = tuple(_scaled(each, factor) if isinstance(each, Model) else each for each in value)
        elif isinstance(value, int | float) and not isinstance(value, bool) and unit_of(field) in MASSES:
            changes[name] = value * (factor * factor)
        elif name == "link_damping":
            changes[name] = value * factor
    return part.model_copy(update=changes)


def take_out_scale(rows: FloatArray, channels: Iterable[Channel], factor: float) -> None:
    """Divide the masses in rows of a run with scaled masses, (n, row_size), by ``factor``^2, in place: those of the
    goods are then the masses of the drive [kg].
    """
    for channel in channels:
        if channel.unit in MASSES:
            rows[:, channel.offset : channel.offset + channel.size] /= factor * factor


def _vehicles(drive: Drive) -> list[str]:
    """Return the paths of the keys of vehicles in the drive description."""
    return [place for place, part in _parts(drive, "") if isinstance(part, Vehicle)]


def _parts(part: Model, place: str) -> Iterator[tuple[str, Model]]:
    """Yield all parts of a drive that are contained in this part, each with its path."""
    for name in type(part).model_fields:
        value: Any = getattr(part, name)
        listed = enumerate(value) if isinstance(value, tuple) else [(None, value)]
        for number, each in listed:
            if isinstance(each, Model) and name != "run":
                below = f"{place}.{name}".lstrip(".") + ("" if number is None else f".{number}")
                yield below, each
                yield from _parts(each, below)


def quasi_static_inertia(drive: Drive, system: System, factor: float = 1.0) -> Inertia:
    """Return the measures of inertia of the drive with masses scaled by a factor s; system: the system of the actual
    drive.
    """
    facts, chain = drive_facts(drive), drive.chain
    driver = drive.wheels[facts.driver].teeth if facts.driver >= 0 else 0
    frequency = float(tooth_frequency(facts.highest_speed, driver)) if driver else 0.0
    per_length, tension = chain.link_mass / chain.pitch, max(system.force_scale, 1e-300)
    speed, longest = frequency * chain.pitch, float(np.max(facts.route.span_length, initial=chain.pitch))
    string = math.sqrt(tension / per_length) / (2.0 * longest)
    return Inertia(factor**2 * per_length * speed**2 / tension, factor * frequency / string)


def largest_factor(drive: Drive, system: System) -> float:
    """Return the largest factor at which inertia is still small, to one significant digit; 1 if no larger factor is
    possible, if there is a vehicle on a wheel, or if no wheel determines the speed of the chain. [-]
    """
    now = quasi_static_inertia(drive, system)
    if now.tooth == 0.0 or _vehicles(drive):
        return 1.0
    factor = min(math.sqrt(SMALL / max(now.tension, 1e-30)), SLOW / max(now.tooth, 1e-30), 1e4)
    return max(float(f"{factor:.1g}"), 1.0)


def quasi_static_warning(drive: Drive, system: System, factor: float) -> str:
    """Return a warning that names the results that are not valid in a run with scaled masses, and the error due to
    inertia.
    """
    inertia = quasi_static_inertia(drive, system, factor)
    text = (
        f"Quasi-static run: masses are {factor**2:g} times as large with unchanged weights, so vibrations, their "
        f"frequencies and impacts are not those of the drive. Inertia of the chain adds {percent(inertia.tension)} % "
        "to tensions"
    )
    if not (inertia.tension > LARGE or inertia.tooth > LARGEST_TOOTH):
        return f"{text}."
    allowed = _allowed_factor(quasi_static_inertia(drive, system))
    advice = (
        f"take run.quasi_static = {math.floor(allowed * 10.0) / 10.0:g} or less"
        if allowed >= 1.1
        else "omit run.quasi_static, because the drive is too fast for scaled masses"
    )
    return f"{text}, and the tooth frequency is {inertia.tooth:.2g} times the frequency of the longest span: {advice}."


def _allowed_factor(unscaled: Inertia) -> float:
    """Return the factor above which inertia is too large; below 1 if it is too large with the masses of the drive. [-]

    unscaled: ratios of the drive with its own masses.
    """
    return min(math.sqrt(LARGE / max(unscaled.tension, 1e-30)), LARGEST_TOOTH / max(unscaled.tooth, 1e-30))
