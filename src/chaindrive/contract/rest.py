"""What the search for a rest of a system needs besides its forces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray, IntArray

__all__ = ["Obstacles", "Rest", "Statics"]


class Statics(NamedTuple):
    """The compiled functions that the search for rest uses where a formulation has them, see ``bordered.py``.

    Without them the stiffness is taken by differences of the forces.
    """

    stiffness: Callable[..., None]
    """(t, y, p, matrix, convex): minus the derivative of the kernel ``forces``, which belongs to it, by the positions
    into a ``Bordered``; directly after ``forces`` at this y. convex: leave out what can make it indefinite."""
    links: Callable[[Any], int]
    """(p): how many links the chain has; it need not be compiled"""
    leeway: Callable[..., None]
    """(p, free, near, limit): how far each link may go in one step, (links,): at most ``free``, and a part ``near`` of
    its distance from what it may touch; directly after ``forces`` [m]"""


class Obstacles(NamedTuple):
    """What reaches into the positions from which a rest is searched, too far to be pushed out by contacts alone."""

    penetration: float
    """How far it reaches in, above 0. [m]"""
    retract: Callable[[float, float], None]
    """(by, out): make the obstacles stand back from their places by so much [m], and push out what lies behind their
    places by so much [m], too; twice 0 puts them where they belong."""


@dataclass(frozen=True)
class Rest:
    """How a rest of a system is found: the structure of its forces, what is let loose or held meanwhile, how exact it
    is. All of it may be left out: the stiffness is then taken by differences, one position at a time.
    """

    colours: IntArray | None = None
    """Colour of every velocity for coloured differences, shape (n_v,); displacements of one colour share no equation
    except in the dense border, colour -1 marks the border (wheels), whose columns are taken one by one. None: all of
    them are of the border (``System.colours``)."""
    neighbours: IntArray = field(default_factory=lambda: np.empty((0, 0), np.int64))
    """Rows (equations) that every displacement enters, shape (n_v, k), padded with -1; the border is left out, for it
    couples to everything. No two displacements of one colour share a row. May be left out when all colours are -1.
    ``colouring.chain_colouring`` makes both for a closed chain."""
    statics: Statics | None = None
    """For a closed chain of three links or more. Positions are laid out in blocks: one coordinate of all links, the
    next of all links, ..., then the border, whose ``colours`` are -1."""
    least_size: float = 0.0
    """How large the system is at least, where its positions do not tell: of a single body they are one point. [m]"""
    tolerance: float = 1e-5
    """Largest force that may be left at rest, of ``System.force_scale``. [-]"""
    advice: str = ""
    """One sentence: what to try where no rest is found."""
    held: tuple[int, ...] = ()
    """Positions that are held where they are while a rest is searched, though they move freely in the run: the wheel
    whose torque drives, as by a brake that is released when the run starts."""
    searched: Any = None
    """Parameters with which a rest is searched, where those of the run refuse positions that may lie on the way there;
    None: those of the run. Shares memory and scratch."""
    softened: Callable[[float, float], Any] | None = None
    """Parameters with links and contacts softer by these factors, sharing memory and scratch with those of the run."""
    dragged: Any = None
    """Parameters in which only friction in one sense acts while the drive runs, so that forces at rest can be balanced
    with it; None where nothing does. Shares memory and scratch."""
    obstacles: Obstacles | None = None
    """What a search has to push out of its way first; None where nothing is."""
    targeted: Callable[[FloatArray], tuple[FloatArray, tuple[str, ...]]] | None = None
    """From the start that was found, the one with the initial values that were asked for, and in words how well each of
    them is met; None where none were. Raises InputError for what cannot be met."""
