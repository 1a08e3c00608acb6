"""Data of a system for the search for equilibrium, in addition to its forces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray, IntArray

__all__ = ["Obstacles", "Rest", "Statics"]


class Statics(NamedTuple):
    """The compiled functions used by the search for equilibrium if a formulation has them, see ``bordered.py``.

    Without them the stiffness is taken by differences of the forces.
    """

    stiffness: Callable[..., None]
    """(t, y, p, matrix, convex): minus the derivative of ``forces``, which it requires, with respect to the positions,
    into a ``Bordered``; directly after ``forces`` at this y. convex: omit the terms that can make it indefinite."""
    links: Callable[[Any], int]
    """(p): number of links of the chain; need not be compiled"""
    leeway: Callable[..., None]
    """Function (p, free, near, limit): largest travel of each link in one step, (links,): at most ``free``, and a
    fraction ``near`` of its distance from surfaces that it may touch; directly after ``forces``. [m]
    """


class Obstacles(NamedTuple):
    """Obstacles that reach too far into the start positions of a search to be pushed out by contacts alone."""

    penetration: float
    """Depth by which they reach into the start positions, above 0. [m]"""
    retract: Callable[[float, float], None]
    """Function (by, out): retract the obstacles from their places by a distance [m], and push out parts behind them by
    a distance [m]; 0 for both puts them in place."""


@dataclass(frozen=True)
class Rest:
    """Method of the search for equilibrium of a system: structure of its forces, parts released or held during
    the search, accuracy. All fields are optional: the stiffness is then taken by differences, one position at a time.
    """

    colours: IntArray | None = None
    """Colour of every velocity for coloured differences, shape (n_v,); displacements of one colour share no equation
    except in the dense border, colour -1 marks the border (wheels), whose columns are taken one by one. None: all
    belong to the border (``System.colours``)."""
    neighbours: IntArray = field(default_factory=lambda: np.empty((0, 0), np.int64))
    """Rows (equations) that every displacement enters, shape (n_v, k), padded with -1; the border is omitted,
    because it couples to everything. No two displacements of one colour share a row. May be omitted when all
    colours are -1. ``colouring.chain_colouring`` makes both for a closed chain."""
    statics: Statics | None = None
    """Stiffness for a closed chain of three links or more. Positions are laid out in blocks: one coordinate of all
    links, the next of all links, ..., then the border, whose ``colours`` are -1."""
    least_size: float = 0.0
    """Smallest size assumed for the system, if its positions do not determine it: a single body is only one point.
    [m]"""
    tolerance: float = 1e-5
    """Largest residual force at rest, relative to ``System.force_scale``. [-]"""
    advice: str = ""
    """One sentence on what to try if no equilibrium is found."""
    held: tuple[int, ...] = ()
    """Positions held during the search for equilibrium, though they move freely in the run: the wheel whose torque
    drives, held as by a brake that is released when the run starts.
    """
    standing: tuple[int, ...] = ()
    """Positions, likewise held, of bodies that friction alone keeps in place: without friction, as in the search, they
    have no equilibrium."""
    searched: Any = None
    """Parameters for the search and for modes, if those of the run do not allow positions that may occur on the way, or
    have friction that sticks; None: those of the run. They share memory and scratch."""
    softened: Callable[[float, float], Any] | None = None
    """Parameters with links and contacts softer by these factors, sharing memory and scratch with those of the run."""
    dragged: Any = None
    """Parameters with the friction of the running drive in its direction of rotation only, so that forces at rest can
    be balanced with it; None if there is none. They share memory and scratch."""
    obstacles: Obstacles | None = None
    """Obstacles that a search must first push out of its way; None if there are none."""
    targeted: Callable[[FloatArray], tuple[FloatArray, tuple[str, ...]]] | None = None
    """Function from the start that was found to the one with the requested initial values, and a text that states how
    closely each of them is met; None if none were requested. Raises InputError for values that cannot be met."""
