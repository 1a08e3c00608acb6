"""What rigid contacts do not go with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from chaindrive.errors import Problem

if TYPE_CHECKING:
    from chaindrive.model.checks.parts import Parts

__all__ = ["OF_COMPLIANT", "rigid_misfits"]

CONTACTS = "run.formulation.contacts"
OF_COMPLIANT = ("contact_law", "impact_memory", "impact_speed_floor", "reference_speed")
"""Options of springs and dampers between rollers and surfaces."""
METHOD = "moreau-jean"


def rigid_misfits(options: Any, parts: Parts) -> Iterator[Problem]:
    """Of the options of a formulation with rigid contacts, and the parts of a drive; also the method without them."""
    method = parts.run.solver.method if parts.run is not None else "auto"
    if not options.rigid_contacts:
        if method == METHOD:
            message = "steps over rigid contacts: set run.formulation.contacts = 'rigid', or use another method"
            yield Problem("run.solver.method", message, repr(method))
        return
    if method not in ("auto", METHOD):
        message = f"must be {METHOD!r} or 'auto' with {CONTACTS} = 'rigid': the others need forces"
        yield Problem("run.solver.method", message, repr(method))
    defaults = type(options).model_fields
    for name in OF_COMPLIANT:
        value, default = getattr(options, name), defaults[name].default
        if value != default:
            message = (
                "belongs to contacts = 'compliant': rigid contacts have a restitution and friction only; leave it out, "
                f"or give its default, {default!r}"
            )
            yield Problem(f"run.formulation.{name}", message, f"{value!r}")
    yield from (Problem(CONTACTS, f"must be 'compliant' {why}", "'rigid'") for why in _unsupported(parts))


def _unsupported(parts: Parts) -> Iterator[str]:
    if any(wheel.shaft_with is not None for _, wheel in parts.present_wheels()):
        yield "with two wheels on one shaft (shaft_with)"
    if parts.joined:
        yield "with stages or rotors"
