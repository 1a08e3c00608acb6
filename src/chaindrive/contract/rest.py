"""Data that a system provides for the search for equilibrium, in addition to its forces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray, IntArray

__all__ = ["Obstacles", "Rest", "Statics"]


class Statics(NamedTuple):
    """Compiled functions that the search for equilibrium uses if a formulation has them (see ``bordered.py``).

    Without them, the stiffness is computed from differences of the forces.
    """

    stiffness: Callable[..., None]
    """Function (t, y, p, matrix, convex): writes minus the derivative of ``forces`` with respect to the positions into
    a ``Bordered``. It requires ``forces``, and is called directly after it at the same y. convex: omit terms that can
    make the matrix indefinite."""
    links: Callable[[Any], int]
    """Function (p): returns the number of links of the chain; it need not be compiled"""
    leeway: Callable[..., None]
    """Function (p, free, near, limit): writes the largest travel of each link in one step into limit (links,). It is at
    most ``free``, and at most the fraction ``near`` of the distance from surfaces that the link may touch. It is called
    directly after ``forces``. [m]
    """


class Obstacles(NamedTuple):
    """Obstacles that reach so far into the start positions of a search that contact forces alone cannot separate them
    from the chain.
    """

    penetration: float
    """Depth by which they reach into the start positions, above 0. [m]"""
    retract: Callable[[float, float], None]
    """Function (by, out): retracts the obstacles from their places by a distance [m], and pushes out parts that are
    behind them by a distance [m]; with 0 for both, the obstacles are in place."""


@dataclass(frozen=True)
class Rest:
    """How the equilibrium of a system is found: structure of its forces, parts that are released or held during the
    search, accuracy. All fields are optional; without them, the stiffness is computed from differences, one position at
    a time.
    """

    colours: IntArray | None = None
    """Colour of every velocity for coloured differences, shape (n_v,). Displacements of the same colour share no
    equation except in the dense border. Colour -1 marks the border (wheels), whose columns are computed one by one.
    None: all velocities belong to the border (``System.colours``)."""
    neighbours: IntArray = field(default_factory=lambda: np.empty((0, 0), np.int64))
    """Rows (equations) that every displacement enters, shape (n_v, k), padded with -1; the border is omitted, because
    it couples to everything. No two displacements of the same colour share a row. This field may be omitted if all
    colours are -1. ``colouring.chain_colouring`` returns both fields for a closed chain."""
    statics: Statics | None = None
    """Stiffness functions for a closed chain of three links or more. Positions are arranged in blocks: one coordinate
    of all links, the next coordinate of all links, ..., then the border, whose ``colours`` are -1."""
    least_size: float = 0.0
    """Smallest size assumed for the system, if its positions do not determine it: a single body is only one point.
    [m]"""
    tolerance: float = 1e-5
    """Largest residual force at rest, relative to ``System.force_scale``. [-]"""
    advice: str = ""
    """One sentence on what to try if no equilibrium is found."""
    held: tuple[int, ...] = ()
    """Positions that are held during the search for equilibrium although they move freely in the run: the driving wheel
    is held as if by a brake that is released when the run starts.
    """
    standing: tuple[int, ...] = ()
    """Positions of bodies that only friction keeps in place; they are also held, because the search neglects friction,
    and without friction they have no equilibrium."""
    searched: Any = None
    """Parameters for the search and for modes, if the parameters of the run do not allow positions that may occur
    during the search, or include friction with sticking; None: use the parameters of the run. Both share memory and
    scratch arrays."""
    softened: Callable[[float, float], Any] | None = None
    """Function that returns parameters with links and contacts softer by the given factors; they share memory and
    scratch arrays with the parameters of the run."""
    dragged: Any = None
    """Parameters with the friction of the running drive only in its direction of rotation, so that it can balance
    forces at rest; None without such friction. They share memory and scratch arrays."""
    obstacles: Obstacles | None = None
    """Obstacles that a search must first move out of the way; None if there are none."""
    targeted: Callable[[FloatArray], tuple[FloatArray, tuple[str, ...]]] | None = None
    """Function that changes the start that was found so that it meets the requested initial values; it also returns
    strings that state how closely each value is met. None if no values were requested. Raises InputError for values
    that cannot be met."""
