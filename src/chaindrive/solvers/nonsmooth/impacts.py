"""Simultaneous impacts of several contacts with friction, by Newton's or Poisson's law.

Pfeiffer, Fritz & Srnik (1997), Eq. 9 to 12; in Lambda = -G^-1 (E - eps) g', as printed there, the bracket is corrected
to (E + eps). With friction, or if not all contacts take part, the impulses follow from the complementarity problem of
``complementarity/forms.py``.

Newton's law: g_N'+ = -eps g_N'- wherever an impulse acts (Moreau's form). Poisson's law: an impact without restitution,
followed by eps times its normal impulses, or by larger impulses where bodies would penetrate.

There is no tangential restitution. On the energy:

- Poisson's law with one restitution for all contacts always loses energy. The impulses of the expansion minimise the
  kinetic energy over all impulses that friction allows. Among these are eps times the impulses of the compression,
  after which the energy is lower than before the impact by (1 - eps^2) P G P/2 and by the loss due to friction.
- Newton's law with friction may create energy (Kane & Levinson 1985), and so may Poisson's law if restitutions differ.
  Newton's law may have no solution: a body that touches walls on both sides cannot leave one of them.
  Such an impact is solved again by Poisson's law and, if need be, with the smallest restitution for all contacts.
  ``Impact.law`` records this.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from chaindrive.contract.states import FloatArray
from chaindrive.errors import InputError, Problem
from chaindrive.solvers.complementarity.contacts import ContactSolution, solve_contacts
from chaindrive.solvers.complementarity.outcome import Outcome

__all__ = ["LAWS", "Impact", "impact"]

LAWS = ("newton", "poisson")
FORMS_TRIED = ("copositive", "compact")
"""Forms that are tried in turn. In the first form, Lemke's method solves every plastic impact, unless rounding errors
prevent this when contacts are redundant."""
ROUNDING = 1e-10
"""An increase in energy counts as such if it exceeds this fraction of the energy exchanged by impulses; a smaller
increase is due to rounding. [-]"""

STOPPED = 1e-12
"""A contact has stopped if its speed is below this fraction of the largest speed before the impact; what remains is due
to rounding. [-]"""


class Impact(NamedTuple):
    """Result of an impact."""

    impulse: FloatArray
    """k normal impulses, then k tangential impulses, (2k,). [N s]"""
    energy: float
    """Energy supplied by the contacts, P (g'- + g'+)/2; it does not exceed zero, apart from rounding. Without
    prescribed motions it is the change of kinetic energy. [J]"""
    law: str
    """Law that was used: the requested law, "poisson", or "poisson, one restitution"."""
    outcome: Outcome


def impact(
    matrix: ArrayLike, speed: ArrayLike, friction: ArrayLike, restitution: ArrayLike, law: str = "newton"
) -> Impact:
    """Return the impulses at closed contacts when the bodies approach each other at some of them.

    matrix G (2k, 2k), speed g'- (2k,) [m/s], friction (k,), restitution (k,), law: a name in LAWS. Raises InputError
    for an unknown law or a restitution outside its range.
    """
    g, before, mu, eps = (np.asarray(values, dtype=float) for values in (matrix, speed, friction, restitution))
    problems = [
        Problem(f"restitution[{i}]", "Must be between 0 (plastic) and 1 (elastic).", f"{value:g}")
        for i, value in enumerate(eps)
        if not 0.0 <= value <= 1.0
    ]
    if law not in LAWS:
        problems.append(Problem("law", f"Must be one of {', '.join(LAWS)}.", repr(law)))
    if problems:
        raise InputError(problems)
    one = np.full(eps.size, min(eps, default=0.0))
    attempts = [("newton", eps), ("poisson", eps), ("poisson, one restitution", one)]
    for name, taken in attempts[LAWS.index(law) :]:
        impulse, outcome = (_newton if name == "newton" else _poisson)(g, before, mu, taken)
        exchanged = 0.5 * impulse @ g @ impulse
        found = Impact(impulse, float(impulse @ before + exchanged), name, outcome)
        if outcome is Outcome.SOLVED and found.energy <= ROUNDING * exchanged:
            break
    return found


def _newton(g: FloatArray, before: FloatArray, mu: FloatArray, eps: FloatArray) -> tuple[FloatArray, Outcome]:
    """Return the impulses to which g_N'+ + eps g_N'- is complementary; contacts that move apart have no restitution."""
    k = mu.size
    vector = before.copy()
    vector[:k] += eps * np.minimum(before[:k], 0.0)
    found = _solved(g, vector, mu)
    return found.force, found.outcome


def _poisson(g: FloatArray, before: FloatArray, mu: FloatArray, eps: FloatArray) -> tuple[FloatArray, Outcome]:
    """Return the sum of the impulses of compression and expansion."""
    k = mu.size
    compression = _solved(g, before, mu)
    if compression.outcome is not Outcome.SOLVED:
        return compression.force, compression.outcome
    given = eps * compression.force[:k]
    stopped = np.abs(compression.motion) <= STOPPED * np.abs(before).max()
    expansion = _solved(g, np.where(stopped, 0.0, compression.motion) + g[:, :k] @ given, mu, given)
    total = compression.force + expansion.force
    total[:k] += given
    return total, expansion.outcome


def _solved(g: FloatArray, vector: FloatArray, mu: FloatArray, before: FloatArray | None = None) -> ContactSolution:
    """Try the forms of the contact problem in turn; return the first solution found, or else the last attempt."""
    for form in FORMS_TRIED:
        found = solve_contacts(g, vector, mu, before=before, form=form)
        if found.outcome is Outcome.SOLVED:
            break
    return found
