"""The tooth gaps of the wheels of a drive: the one way from a description to a profile."""

from __future__ import annotations

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.profile import Profile
from chaindrive.geometry.tooth_forms import tooth_profile
from chaindrive.model import Drive

__all__ = ["tooth_gap", "tooth_gaps"]


def tooth_gap(drive: Drive, number: int) -> Profile:
    """Tooth gap of one wheel of a drive. Raises InputError, which names the wheel, where no tooth can be made."""
    wheel, chain = drive.wheels[number], drive.chain
    options = wheel.tooth.model_dump(exclude={"form"}, exclude_none=True)
    try:
        return tooth_profile(wheel.tooth.form, wheel.teeth, chain.pitch, chain.roller_diameter, **options)
    except InputError as error:
        sizes = f"{wheel.teeth} teeth, rollers of {chain.roller_diameter:g} m, a pitch of {chain.pitch:g} m"
        raise InputError(
            [
                Problem(f"wheels[{number}].{place}", f"wheel {wheel.name!r}: {message}", value or sizes)
                for place, message, value in error.problems
            ]
        ) from None


def tooth_gaps(drive: Drive) -> tuple[Profile, ...]:
    """Tooth gaps of all wheels of a drive. Raises InputError with the problems of all whose teeth cannot be made."""
    gaps: list[Profile] = []
    problems: list[Problem] = []
    for number in range(len(drive.wheels)):
        try:
            gaps.append(tooth_gap(drive, number))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return tuple(gaps)
