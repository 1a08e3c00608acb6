"""What time stepping requires of a chain with rigid contacts: its unilateral contacts, with impulses instead of forces.

The state y, with its parts q, v and w, is that of ``states.py``; contacts are numbered, n of them, and active ones are
listed by their numbers, in rising order. Quantities of contacts are in arrays (2n,): first the normal directions of
all, then the tangential ones. Some of them may keep their springs: their normal force is the mean over a step of the
forces that ``press`` gives, everything else is as for the others.

    release(t, y, dy, h, p)  an evaluation (``kernels.py``) without the forces of contacts; the rates of v are those of
                             the linearised implicit midpoint rule for all springs that are not to limit the step h [s],
                             and v + h times them fits the constraints of the chain. What follows uses the places and
                             directions of it, and M^-1 leaves constraints as they are
    soften(change, p)        turns velocities (n_v,) that forces give within the step of release if springs stay as they
                             are into those that they give if springs yield; these fit the constraints of the chain if
                             the former did: M^-1 times the masses without springs; what constraints exert for it is
                             added to what they exert without contacts
    gaps(gap, opening, p)    gaps of the contacts, (n,), infinite where nothing is near [m], and how fast they open,
                             (n,), where they are finite [m/s]. Returns the highest speed at which any of them closes
                             until the end of a step [m/s]
    speeds(y, later, active, count, speed, p)   with the velocities in y: speeds at which the gaps of active contacts
                             open, and at which these slide, into (2n,), as they are a time later (or before) if places
                             and directions move with what is touched [m/s]
    inverse_inertia(y, active, count, matrix, p)   by how much a unit impulse in one direction of the active contacts
                             changes the speed in another, (2 count, 2 count): W^T M^-1 W, of up to MOST_DENSE [1/kg]
    relax(y, active, count, vector, friction, compliance, impulse, motion, most, tolerance, scratch, p)   may be None:
                             projected Gauss-Seidel without this matrix (problem: complementarity/contacts.py), where
                             the coupling of the contacts allows cheaper sweeps: vector (2 count,), friction (count,),
                             compliance (count,), added to normal directions on the diagonal, impulse (2 count,) from
                             the start to the result, motion (2 count,) the speeds in the end; at most this many sweeps,
                             until none changes more than the tolerance, a part of the vector (both with inertia 1).
                             Returns the sweeps, and the change in the last one [-]
    press(contact, gap, opening, speed, h, p)   how a contact with a spring presses in a step of h [s] that begins with
                             this gap [m], opening at this speed, and in which it opens at that mean speed [m/s]: its
                             normal impulse [N s], and by how much this falls with the speed at the end [kg]; the gaps
                             must be those of the last evaluation. Evaluations have the elastic part of it until the
                             next release
    respond(count, impulse, change, p)   after either: change of v, (n_v,), by impulses in these directions, (2 count,)
    renew(t, y, dy, h, p)    may be None, as book. Directly after an evaluation of y: what follows uses its places and
                             directions, and M^-1 of a step of h [s] from there; dy is scratch
    book(part, y, p)         directly after an evaluation of y: adds this part of the stored energy to the account of
                             the projection of positions in y [J]
    give(active, count, force, p)   forces in these directions, (2 count,), that all evaluations have from now on, and
                             with them what constraints of the chain have exerted over the step [N]
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
    """Largest number of contacts that are active at once."""
    springs: IntArray
    """1 of contacts that keep their springs, which have no restitution in ``laws``, 0 of all others, (n,)."""
    closing: float = 0.0
    """Part of the gaps in constraints of the chain that closes until the middle of a step; 0: there are none. A run
    begins with velocities that fit them."""
    scratch: Any = None
    """Scratch arrays of ``relax``; None without it."""
    allowed: float = math.inf
    """Depth beyond which positions are projected after a step; infinite: they never are. [m]"""
