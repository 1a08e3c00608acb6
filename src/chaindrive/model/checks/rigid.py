"""Checks of options and parts that are incompatible with rigid contacts or with joints that are constraints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from chaindrive.errors import Problem

if TYPE_CHECKING:
    from chaindrive.model.checks.parts import Parts
    from chaindrive.model.drive import Drive

__all__ = ["constraint_misfits", "options_left_out", "rigid_misfits"]

CONTACTS, PROJECTION = "run.formulation.contacts", "run.formulation.position_projection"
OF_COMPLIANT = (
    "contact_law", "impact_memory", "impact_speed_floor", "reference_speed", "roller_damping", "surface_oil_damping",
    "coordinates",
)  # fmt: skip
"""Options of springs and dampers between rollers and surfaces, and of links that are integrated by explicit methods."""
OF_SPRINGS = ("contact_law", "impact_memory", "impact_speed_floor", "reference_speed")
"""Options of ``OF_COMPLIANT`` that also apply to contacts with ``compliant``."""
METHODS = ("moreau-jean", "nonsmooth-alpha")


def rigid_misfits(options: Any, parts: Parts) -> Iterator[Problem]:
    """Return conflicts of formulation options and parts with rigid contacts, or of the method with contacts that are
    not rigid.
    """
    method = parts.run.solver.method if parts.run is not None else "auto"
    if not options.rigid_contacts:
        if method in METHODS:
            message = (
                "is a method for rigid contacts: set run.formulation.contacts = 'rigid', or use a different method"
            )
            yield Problem("run.solver.method", message, repr(method))
        if options.position_projection:
            message = "applies only with contacts = 'rigid': springs push rollers out by themselves; omit it"
            yield Problem(PROJECTION, message, "true")
        return
    if options.projects and parts.joined:
        message = "applies only to drives with one chain and without rotors: omit it, or use a shorter run.solver.step"
        yield Problem(PROJECTION, message, "true")
    defaults, left = type(options).model_fields, options_left_out(parts)
    for name in (each for each in left if each in defaults):
        value, default = getattr(options, name), defaults[name].default
        if value != default:
            message = (
                "applies only with contacts = 'compliant': rigid contacts have only a restitution and friction; "
                f"omit it, or give its default, {default!r}"
            )
            if name in OF_SPRINGS:
                message += ", or let a wheel or guide keep its springs (contact.compliant)"
            yield Problem(f"run.formulation.{name}", message, f"{value!r}")


def options_left_out(parts: Parts | Drive) -> tuple[str, ...]:
    """Return the options that are incompatible with rigid contacts. Those in ``OF_SPRINGS`` are allowed if a wheel or
    guide has a compliant contact.
    """
    own = (part.contact or parts.contact for part in (*parts.wheels, *parts.guides) if part is not None)
    sprung = any(contact is not None and contact.compliant for contact in own)
    return tuple(name for name in OF_COMPLIANT if not (sprung and name in OF_SPRINGS))


def constraint_misfits(options: Any, parts: Parts) -> Iterator[Problem]:
    """Return conflicts of options and of the chain with joints of rigid links that are constraints."""
    if options.joint != "revolute":
        return
    place, value = "run.formulation.joint", "'revolute'"
    if not options.rigid_contacts:
        message = f"is a constraint, which needs {CONTACTS} = 'rigid'; or use 'ideal', a joint as stiff as the links"
        yield Problem(place, message, value)
    if options.oil_damping:
        message = "applies only with joint = 'clearance': a revolute joint has no gap for oil; omit it"
        yield Problem("run.formulation.oil_damping", message, f"{options.oil_damping:g}")
    if parts.chain is not None and np.any(parts.chain.joint_clearance):
        largest = float(np.max(parts.chain.joint_clearance))
        message = "must be 0 with joint = 'revolute', which has no clearance; or use joint = 'clearance' or 'ideal'"
        yield Problem("chain.joint_clearance", message, f"{largest:g}")
