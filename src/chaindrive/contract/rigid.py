"""What time stepping requires of a chain with rigid contacts: unilateral contacts, with impulses instead of forces.

The state y, with its parts q, v and w, is defined in ``states.py``. The n contacts are numbered, and active contacts
are listed by their numbers in ascending order. Quantities of contacts are in arrays (2n,): first the normal directions
of all contacts, then the tangential directions. Some contacts may keep their springs: their normal force is then the
mean over a step of the forces that ``press`` gives. In all other respects they are treated like rigid contacts.

    release(t, y, dy, h, p)  evaluates the rates (``kernels.py``) without contact forces. The rates of v follow from the
                             linearised implicit midpoint rule for all springs that must not limit the step h [s], and
                             v + h times these rates satisfies the constraints of the chain. The functions below use
                             the positions and directions of this evaluation, and M^-1 preserves the constraints
    soften(change, p)        converts velocities (n_v,) that forces cause within the step of ``release`` with unchanged
                             springs into the velocities with springs that deflect: multiplies by M^-1 and by the masses
                             without springs. The result satisfies the constraints of the chain if the given velocities
                             do; the constraint forces needed for this are added to those without contacts
    gaps(gap, opening, p)    writes the gaps of the contacts, (n,), infinite if nothing is near [m], and for finite gaps
                             the speeds at which they open, (n,) [m/s]. Returns the highest speed at which any gap
                             closes until the end of a step [m/s]
    speeds(y, later, active, count, speed, p)   writes the opening speeds of the gaps of active contacts
                             and their sliding speeds, (2n,), for the velocities in y, at a later (or earlier) time, if
                             positions and directions move with the touched part [m/s]
    inverse_inertia(y, active, count, matrix, p)   writes the change of the speed in one direction of the
                             active contacts due to a unit impulse in another direction, (2 count, 2 count):
                             W^T M^-1 W, for up to MOST_DENSE contacts [1/kg]
    relax(y, active, count, vector, friction, compliance, impulse, motion, most, tolerance, scratch, p)   may be None:
                             projected Gauss-Seidel without this matrix (problem: complementarity/contacts.py), if the
                             coupling of the contacts allows cheaper sweeps: vector (2 count,), friction (count,);
                             compliance (count,) is added to normal directions on the diagonal; impulse (2 count,)
                             contains the start values and then the result; motion (2 count,) receives the speeds at
                             the end. It makes at most ``most`` sweeps, until no change exceeds the tolerance, which is
                             a fraction of the vector (both with inertia 1). Returns the number of sweeps, and the
                             change in the last sweep [-]
    press(contact, gap, opening, speed, h, p)   returns the action of a contact with a spring in a step of h [s]: its
                             normal impulse [N s], and the rate at which this impulse falls with the speed at the end
                             [kg]. The gap [m] at the start opens at the speed ``opening``; during the step it opens at
                             the mean speed ``speed`` [m/s]. The gaps must be those of the last evaluation. Evaluations
                             include the elastic part of this action until the next ``release``
    respond(count, impulse, change, p)   called after ``inverse_inertia`` or ``relax``: writes the change of v,
                             (n_v,), due to impulses in the same directions, (2 count,)
    renew(t, y, dy, h, p)    may be None, like ``book``. Called directly after an evaluation of y: later calls use its
                             positions and directions, and M^-1 for a step of h [s] from there; dy is a scratch array
    book(part, y, p)         called directly after an evaluation of y: adds a fraction ``part`` of the stored energy to
                             the account in y of the projection of positions [J]
    give(active, count, force, p)   sets the forces in these directions, (2 count,), that all evaluations use from now
                             on, together with the constraint forces of the chain over the step [N]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from chaindrive.contract.states import IntArray

if TYPE_CHECKING:  # no kernel depends on it
    from chaindrive.contract.unilateral import ContactLaws

__all__ = ["MOST_DENSE", "RigidContacts", "RigidKernels"]

MOST_DENSE = 128
"""Largest number of active contacts for which the matrix that couples them is computed."""


class RigidKernels(NamedTuple):
    """The compiled functions; the docstring of the module describes them."""

    release: Callable[..., None]
    soften: Callable[..., None]
    gaps: Callable[..., float]
    speeds: Callable[..., None]
    inverse_inertia: Callable[..., None]
    respond: Callable[..., None]
    give: Callable[..., None]
    press: Callable[..., tuple[float, float]]
    relax: Callable[..., tuple[int, float]] | None = None
    renew: Callable[..., None] | None = None
    book: Callable[..., None] | None = None


class RigidContacts(NamedTuple):
    """The rigid contacts of a system."""

    laws: ContactLaws
    """Laws of all contacts."""
    most: int
    """Largest number of contacts that are active at the same time."""
    springs: IntArray
    """1 for contacts that keep their springs, which have no restitution in ``laws``; 0 for all others, (n,)."""
    closing: float = 0.0
    """Fraction of the gaps in the constraints of the chain that is closed by the middle of a step; 0 without
    constraints. A run begins with velocities that satisfy the constraints."""
    scratch: Any = None
    """Scratch arrays of ``relax``; None without ``relax``."""
    allowed: float = math.inf
    """Depth of penetration beyond which positions are projected after a step; infinite: never. [m]"""
