"""Requirements of time stepping on a chain with rigid contacts: unilateral contacts, with impulses instead of forces.

The state y, with its parts q, v and w, is that of ``states.py``; contacts are numbered, n of them, and active ones are
listed by their numbers, in ascending order. Quantities of contacts are in arrays (2n,): first the normal directions of
all, then the tangential ones. Some contacts may keep their springs: their normal force is the mean over a step of the
forces that ``press`` gives; everything else is as for the others.

    release(t, y, dy, h, p)  an evaluation (``kernels.py``) without the forces of contacts; the rates of v are those of
                             the linearised implicit midpoint rule for all springs that are not to limit the step h [s],
                             and v + h times these rates satisfies the constraints of the chain. The functions below use
                             its places and directions, and M^-1 preserves the constraints
    soften(change, p)        turns velocities (n_v,) that forces give within the step of release with springs unchanged
                             into those that they give with springs that yield: M^-1 times the masses without springs.
                             These satisfy the constraints of the chain if the former did; the forces of constraints
                             that this takes are added to those without contacts
    gaps(gap, opening, p)    gaps of the contacts, (n,), infinite where nothing is near [m], and the speeds at which
                             they open, (n,), where they are finite [m/s]. Returns the highest speed at which any of
                             them closes until the end of a step [m/s]
    speeds(y, later, active, count, speed, p)   with the velocities in y: opening speeds of the gaps of active contacts
                             and their sliding speeds, into (2n,), at a later (or earlier) time if places and directions
                             move with the touched part [m/s]
    inverse_inertia(y, active, count, matrix, p)   change of the speed in one direction of the active contacts by a
                             unit impulse in another, (2 count, 2 count): W^T M^-1 W, of up to MOST_DENSE [1/kg]
    relax(y, active, count, vector, friction, compliance, impulse, motion, most, tolerance, scratch, p)   may be None:
                             projected Gauss-Seidel without this matrix (problem: complementarity/contacts.py), where
                             the coupling of the contacts allows cheaper sweeps: vector (2 count,), friction (count,),
                             compliance (count,), added to normal directions on the diagonal, impulse (2 count,) from
                             the start to the result, motion (2 count,) the speeds at the end; at most ``most`` sweeps,
                             until no change exceeds the tolerance, a fraction of the vector (both with inertia 1).
                             Returns the number of sweeps, and the change in the last one [-]
    press(contact, gap, opening, speed, h, p)   action of a contact with a spring in a step of h [s] that begins with
                             this gap [m], opening at the first speed, and in which it opens at the second, mean, speed
                             [m/s]: its normal impulse [N s], and the rate at which this falls with the speed at the
                             end [kg]; the gaps must be those of the last evaluation. Evaluations include the elastic
                             part of it until the next release
    respond(count, impulse, change, p)   after either: change of v, (n_v,), by impulses in these directions, (2 count,)
    renew(t, y, dy, h, p)    may be None, like book. Directly after an evaluation of y: later calls use its places and
                             directions, and M^-1 of a step of h [s] from there; dy is scratch
    book(part, y, p)         directly after an evaluation of y: adds this part of the stored energy to the account of
                             the projection of positions in y [J]
    give(active, count, force, p)   sets the forces in these directions, (2 count,), that all evaluations use from now
                             on, together with the forces of constraints of the chain over the step [N]
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
"""Largest number of active contacts for which there is a matrix between them."""


class RigidKernels(NamedTuple):
    """The compiled functions, see the module."""

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
    """1 of contacts that keep their springs, which have no restitution in ``laws``, 0 of all others, (n,)."""
    closing: float = 0.0
    """Fraction of the gaps in constraints of the chain that closes by the middle of a step; 0: there are none. A run
    begins with velocities that satisfy them."""
    scratch: Any = None
    """Scratch arrays of ``relax``; None without it."""
    allowed: float = math.inf
    """Depth beyond which positions are projected after a step; infinite: never. [m]"""
