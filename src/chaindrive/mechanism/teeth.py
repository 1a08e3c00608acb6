"""The tooth gaps of the wheels of a drive: conversion of descriptions into profiles, and into the parts that rollers
touch.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from typing import TypeVar

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.profile import Profile
from chaindrive.geometry.route import pitch_radius
from chaindrive.geometry.tooth_forms import tooth_profile
from chaindrive.geometry.tooth_forms.passing import obstruction
from chaindrive.geometry.tooth_forms.smooth import disc
from chaindrive.geometry.tooth_forms.wear import worn
from chaindrive.geometry.tooth_forms.wedge import Wedge, wedge
from chaindrive.model import Drive
from chaindrive.model.cog import Cog

__all__ = ["cog_gap", "forms_with_room", "obstructions", "tooth_gap", "tooth_gaps", "tooth_wedge", "tooth_wedges"]

FORMS_OF_STANDARDS = ("iso-606", "asa-ii", "conveyor")
"""Tooth forms that messages may suggest."""

Found = TypeVar("Found")


def tooth_gap(drive: Drive, number: int) -> Profile:
    """Return the tooth gap of one wheel of a drive; for a pair of sheaves, its outer rim.

    Raises InputError, which names the wheel, if no tooth is possible.
    """
    wheel, chain = drive.wheels[number], drive.chain
    if drive.sheaves:
        radius = pitch_radius(chain.mean_pitch, wheel.teeth)
        return disc(math.ceil(wheel.teeth), drive.sheaves[number].outer_radius, float(radius))
    return _gap_with(drive, number, wheel.teeth)


def cog_gap(drive: Drive, number: int, cog: Cog) -> Profile:
    """Return the tooth gap of a cog beside one wheel of a drive, with the tooth form of this wheel. Raises InputError
    as ``tooth_gap`` does.
    """
    return _gap_with(drive, number, cog.teeth)


def _gap_with(drive: Drive, number: int, teeth: int) -> Profile:
    """Return the tooth gap for the tooth form of one wheel, with this number of teeth."""
    wheel, chain = drive.wheels[number], drive.chain
    options = wheel.tooth.model_dump(exclude={"form"}, exclude_none=True)
    diameter = wheel.roller_diameter or chain.roller_diameter
    try:
        gap = tooth_profile(wheel.tooth.form, teeth, chain.pitch, diameter, **options)
        return worn(gap, teeth, wheel.tooth_wear) if wheel.tooth_wear else gap
    except InputError as error:
        sizes = f"{teeth} teeth, rollers of {diameter:g} m, a pitch of {chain.pitch:g} m"
        fit = " or ".join(f"tooth.form = {form!r}" for form in forms_with_room(drive, number))
        raise InputError(
            [
                Problem(
                    f"wheels[{number}].{place}",
                    f"wheel {wheel.name!r}: {message}{f'; {fit} fits' if fit and place == 'tooth' else ''}",
                    value or sizes,
                )
                for place, message, value in error.problems
            ]
        ) from None


def tooth_gaps(drive: Drive) -> tuple[Profile, ...]:
    """Return the tooth gaps of all wheels of a drive. Raises InputError with the problems of all wheels whose teeth are
    impossible.
    """
    return _of_all(drive, tooth_gap)


def tooth_wedge(drive: Drive, number: int) -> Wedge | None:
    """Return the parts that hold the rollers in the gaps of one wheel if the rollers do not fit into the seat; None if
    they fit.

    Raises InputError as ``tooth_gap`` does, and if the rollers are so large that they rest on the tips of the teeth.
    """
    gap, wheel, roller = tooth_gap(drive, number), drive.wheels[number], drive.chain.roller_diameter
    found = wedge(gap, 0.5 * roller)
    if found is not None and found.flank.seat_radius > gap.tip_radius:
        message = f"wheel {wheel.name!r}: rollers of {roller:g} m would rest on the tips of its teeth"
        raise InputError(Problem(f"wheels[{number}].roller_diameter", message, f"{wheel.roller_diameter:g} m"))
    return found


def tooth_wedges(drive: Drive) -> tuple[Wedge | None, ...]:
    """Return the parts that hold the rollers in the gaps of each wheel of a drive, see ``tooth_wedge``. Raises
    InputError.
    """
    return _of_all(drive, tooth_wedge)


def obstructions(drive: Drive) -> tuple[float, ...]:
    """Return how far the teeth of each wheel reach into the path of its rollers (``geometry.tooth_forms.passing``). [m]

    The value is negative if rollers pass freely. This is always so for wheels without teeth, for gaps that are too
    narrow for the rollers (``tooth_wedge``), and in a formulation without teeth. Raises InputError as ``tooth_gap``
    does.
    """
    if drive.run.formulation.kind in ("block", "cvt"):
        return (-math.inf,) * len(drive.wheels)
    roller, found = 0.5 * drive.chain.roller_diameter, []
    for wheel, gap in zip(drive.wheels, tooth_gaps(drive), strict=True):
        toothed = gap.tip_radius > gap.seat_radius and wedge(gap, roller) is None
        found.append(obstruction(gap, wheel.teeth, drive.chain.pitch, roller) if toothed else -math.inf)
    return tuple(found)


def forms_with_room(drive: Drive, number: int) -> tuple[str, ...]:
    """Return the names of other standard tooth forms that are possible for a wheel of this drive and leave room for
    entering and leaving rollers.
    """
    wheel, chain = drive.wheels[number], drive.chain
    roller = wheel.roller_diameter or chain.roller_diameter
    found = []
    for form in FORMS_OF_STANDARDS:
        if form == wheel.tooth.form:
            continue
        with contextlib.suppress(InputError):
            gap = tooth_profile(form, wheel.teeth, chain.pitch, roller)
            if obstruction(gap, wheel.teeth, chain.pitch, 0.5 * chain.roller_diameter) <= 0.0:
                found.append(form)
    return tuple(found)


def _of_all(drive: Drive, of_wheel: Callable[[Drive, int], Found]) -> tuple[Found, ...]:
    """Return the result of a function for every wheel of a drive. Raises InputError with the problems of all wheels."""
    found: list[Found] = []
    problems: list[Problem] = []
    for number in range(len(drive.wheels)):
        try:
            found.append(of_wheel(drive, number))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return tuple(found)
