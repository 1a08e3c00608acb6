"""Systems with unilateral contacts: what integrators require for rigid contacts with dry friction in the plane.

With generalised velocities u = q' (f,) and n contacts with gaps g_N (Pfeiffer, Fritz & Srnik 1997, Eq. 1):

    M u' = h + W lambda,      g' = W^T u + drift,      g'' = W^T u' + rate.

Contact quantities are in one array, (2n,): first the normal directions of all contacts, then the tangential directions.
Normal forces push the bodies apart; g_T' is the sliding velocity, and a tangential force is the friction in its
direction.

No integrator uses M or W itself: a chain has thousands of velocities, and each contact affects only a few. An
integrator needs the product of the inverse of M and a vector, and the inverse inertia G = W^T M^-1 W in given
directions, whose size depends only on the number of active contacts. A system of a few bodies obtains these kernels
from ``solvers/nonsmooth/dense.py``; a chain of links solves block by block (``bordered.py``), at linear cost.

    evaluate(t, q, u, step, state, p)   writes gap, drift, rate and force at this instant into ``state``, and leaves the
                             data for the other kernels in p. step: step of the method [s]; 0 if accelerations are
                             required. A system may treat stiff springs implicitly over the step: force and M are then
                             those of the linearised implicit step, and the springs no longer limit it.
    solve_mass(force, rate, p)          writes M^-1 force, (f,)
    project(u, speed, p)     writes W^T u, (2n,)
    spread(impulse, force, p)           writes W impulse, (f,) from (2n,)
    inverse_inertia(rows, count, matrix, p)   writes G for the first ``count`` of the directions in ``rows``,
                             (count, count)

The last four functions use the results of the last evaluation. Like all kernels, they allocate no memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray
from chaindrive.errors import InputError, Problem

__all__ = ["ContactKernels", "ContactLaws", "ContactState", "UnilateralSystem", "contact_laws"]


class ContactState(NamedTuple):
    """The state of the contacts of a system at an instant."""

    gap: FloatArray
    """Gaps, (n,) [m]"""
    drift: FloatArray
    """Velocity of the contacts for u = 0, due to prescribed motions, (2n,). [m/s]"""
    rate: FloatArray
    """Acceleration of the contacts for u' = 0, (2n,). [m/s^2]"""
    force: FloatArray
    """All generalised forces, including gyroscopic forces but without the forces of these contacts, (f,)."""


class ContactLaws(NamedTuple):
    """Laws of the contacts."""

    friction: FloatArray
    """Coefficient of sliding friction, (n,). [-]"""
    static_friction: FloatArray
    """Coefficient of static friction, at least the coefficient of sliding friction, (n,). [-]"""
    restitution: FloatArray
    """Coefficient of restitution in the normal direction, 0 to 1, (n,). [-]"""


class ContactKernels(NamedTuple):
    """Compiled functions of a system; the docstring of the module describes them."""

    evaluate: Callable[..., None]
    solve_mass: Callable[..., None]
    project: Callable[..., None]
    spread: Callable[..., None]
    inverse_inertia: Callable[..., None]


class UnilateralSystem(NamedTuple):
    """A system with unilateral contacts."""

    kernels: ContactKernels
    parameters: Any
    laws: ContactLaws
    velocities: int
    """Number of velocities f, which is also the number of positions."""
    names: tuple[str, ...]
    """Names of the contacts, for messages, (n,)."""

    @property
    def contacts(self) -> int:
        """Number of contacts, n."""
        return len(self.names)

    def state(self) -> ContactState:
        """Return arrays for ``evaluate``."""
        n = self.contacts
        return ContactState(np.zeros(n), np.zeros(2 * n), np.zeros(2 * n), np.zeros(self.velocities))


def contact_laws(
    names: tuple[str, ...], friction: Any = 0.0, static_friction: Any = None, restitution: Any = 0.0
) -> ContactLaws:
    """Return the laws of the contacts with these names; a single number applies to all contacts. Static friction
    defaults to sliding friction.

    Raises InputError with every value that is not allowed.
    """
    n = len(names)
    given = {
        "friction": np.asarray(friction, dtype=float),
        "static_friction": np.asarray(friction if static_friction is None else static_friction, dtype=float),
        "restitution": np.asarray(restitution, dtype=float),
    }
    problems = [
        Problem(
            quantity, f"Must be a single number, or one number for each of the {n} contacts.", f"{values.size} of them"
        )
        for quantity, values in given.items()
        if values.shape not in ((), (n,))
    ]
    if problems:
        raise InputError(problems)
    sliding, static, impact = (np.broadcast_to(values, (n,)).copy() for values in given.values())
    for i, name in enumerate(names):
        if not 0.0 <= sliding[i] < np.inf:
            problems.append(_problem(name, "friction", "Must be 0 or above.", sliding[i]))
        elif not sliding[i] <= static[i] < np.inf:
            problems.append(
                _problem(name, "static_friction", f"Must be at least the sliding friction, {sliding[i]:g}.", static[i])
            )
        if not 0.0 <= impact[i] <= 1.0:
            problems.append(_problem(name, "restitution", "Must be between 0 (plastic) and 1 (elastic).", impact[i]))
    if problems:
        raise InputError(problems)
    return ContactLaws(sliding, static, impact)


def _problem(contact: str, quantity: str, allowed: str, value: float) -> Problem:
    return Problem(f"contact '{contact}', {quantity}", allowed, f"{value:g}")
