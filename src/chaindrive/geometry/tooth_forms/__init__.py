"""Tooth forms: each gives the surface of a tooth gap from teeth, pitch and roller diameter."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from chaindrive.errors import InputError, Problem
from chaindrive.geometry.profile import MOST_ELEMENTS, Profile
from chaindrive.geometry.tooth_forms import (
    asa_ii,
    circular,
    conveyor,
    iso_606,
    kinematic_seat,
    pieces,
    rectangular,
    semi_real,
    single_point,
    six_point,
    smooth,
)

__all__ = ["TOOTH_FORMS", "tooth_profile"]

TOOTH_FORMS: MappingProxyType[str, Callable[..., Profile]] = MappingProxyType(
    {
        "asa-ii": asa_ii.profile,
        "iso-606": iso_606.profile,
        "conveyor": conveyor.profile,
        "circular": circular.profile,
        "single-point": single_point.profile,
        "kinematic-seat": kinematic_seat.profile,
        "rectangular": rectangular.profile,
        "semi-real": semi_real.profile,
        "six-point": six_point.profile,
        "smooth": smooth.profile,
        "profile": pieces.profile,
    }
)
"""All tooth forms by name."""


def tooth_profile(form: str, teeth: int, pitch: float, roller_diameter: float, **options: Any) -> Profile:
    """Return the tooth gap of a form; pitch and roller_diameter in m, options as named by the form (SI).

    Raises InputError for an unknown form, for dimensions that allow no tooth, and for a form whose profile the
    kernels cannot read: they accept one half of a symmetric gap, with at most MOST_ELEMENTS arcs and lines.
    """
    problems = []
    if form not in TOOTH_FORMS:
        problems.append(Problem("tooth.form", f"choose one of {', '.join(TOOTH_FORMS)}", form))
    if teeth < 5:
        problems.append(Problem("teeth", "at least 5", str(teeth)))
    if not 0.0 < roller_diameter < pitch:
        problems.append(Problem("roller_diameter", f"between 0 and the pitch, {pitch} m", str(roller_diameter)))
    if problems:
        raise InputError(problems)
    gap = TOOTH_FORMS[form](teeth, pitch, roller_diameter, **options)
    if not gap.symmetric:
        message = "its gap must be symmetric about its centre line: give the half with xi >= 0"
        problems.append(Problem("tooth.form", message, form))
    if len(gap.elements) > MOST_ELEMENTS:
        message = (
            f"half of its gap may have at most {MOST_ELEMENTS} arcs and lines, not {len(gap.elements)}: merge some of "
            "them"
        )
        problems.append(Problem("tooth.form", message, form))
    if problems:
        raise InputError(problems)
    return gap
