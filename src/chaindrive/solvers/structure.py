"""The equations of an implicit step, arranged by the structure of a chain.

An implicit step solves for rates a of the velocities v (and of pressures and similar states) with

    (1 - G) a = r        G = p A_q + s A_v,        A_q, A_v: derivatives of dv/dt with respect to q and v,

where q depends on a with the factor p and v with the factor s (both are powers of the step times coefficients of the
method). This is the first-order system after elimination (Hippmann, Arnold & Schittenhelm 2005, Eq. 22: "block Gauss").
Links are coupled to their neighbours (if the coupling extends further, several links form a block) and to a border of
wheels, joints of a mechanism and pressures (Eq. 23):

    1 - G = | T  B |     T block tridiagonal, N blocks b x b;  B (N b, m);  R (m, N b);  C (m, m)
            | R  C |

The last links of a chain are moved to the border, which opens the ring of its blocks; several chains follow one
another. ``linearising.py`` fills the matrix, ``elimination.py`` factorises it. Unlike the stiffness at rest
(``contract/bordered.py``) the matrix is not symmetric, because of friction, dampers and joints of a mechanism.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray, IntArray, Kind

if TYPE_CHECKING:
    from chaindrive.contract.system import System

__all__ = ["COLOURS", "SHIFT", "WAYS", "Structure", "border_size", "full_matrix", "structure_of"]

WAYS = {Kind.SPEED: Kind.LENGTH, Kind.ANGULAR_SPEED: Kind.ANGLE}
"""Kind of displacement that corresponds to each kind of velocity."""
FEWEST_BLOCKS = 4
"""Smallest number of blocks of a chain; shorter chains belong to the border."""
COLOURS = 3
"""Smallest distance between two blocks that have no equation in common."""
SHIFT = 0.003
"""Shift in a finite difference, relative to the tolerance of the state that is shifted. [-]"""


class Structure(NamedTuple):
    """Indices and blocks of the equations. The unknowns are numbered like the states after the positions, y[n_q:]."""

    chain: IntArray
    """Unknowns of every block, (N, b)."""
    border: IntArray
    """Unknowns of the border, (m,): first the velocities of wheels and mechanism, then the velocities of links, then
    first-order states other than works."""
    moving: IntArray
    """Number of unknowns of the border that are velocities, (1,)."""
    solved: IntArray
    """Unknowns of the blocks and the border, (N b + m,)."""
    coloured: IntArray
    """Unknowns of the chain, grouped by colour, (N b,)."""
    colours: IntArray
    """Indices at which every colour begins in ``coloured``, and at which the last colour ends, (colours + 1,)."""
    place: IntArray
    """Block of every unknown and index of the unknown in this block, (unknowns, 2); -1 if it belongs to the border."""
    seat: IntArray
    """Index of every unknown in the border, (unknowns,); -1 if it belongs to a block."""
    links: IntArray
    """Unknowns of every link of the chain, if the formulation supplies its derivatives, (links, coordinates)."""
    band: FloatArray
    """The derivatives that the formulation supplies; see ``Kernels.tangent``."""
    moves: FloatArray
    """Largest shifts of q and of v (or of the state itself) in a finite difference, (unknowns, 2)."""
    masses: FloatArray
    """Mass of every unknown that is a velocity, infinite where its motion is prescribed. [kg, kg m^2]"""
    diagonal: FloatArray
    """(N, b, b)"""
    upper: FloatArray
    """(N, b, b): rows of block i, columns of block i + 1"""
    lower: FloatArray
    """(N, b, b): rows of block i, columns of block i - 1"""
    right: FloatArray
    """(N, b, m): columns of the border"""
    below: FloatArray
    """(N, m, b): rows of the border"""
    corner: FloatArray
    """(m, m)"""
    mass: FloatArray
    """Mass matrix of wheels and mechanism, which are the first part of the border, if their masses are coupled, (k,
    k)."""
    mobility: FloatArray
    """Inverse of the mass matrix, (k, k)."""
    inverse: FloatArray
    """(N, b, b): inverse pivots"""
    ahead: FloatArray
    """(N, b, b): pivot^-1 times ``upper``"""
    columns: FloatArray
    """(N, b, m): pivot^-1 times the columns of the border"""
    rows: FloatArray
    """(N, m, b): rows of the border"""
    end: FloatArray
    """(m, m): the remaining matrix of the border, factorised"""
    order: IntArray
    """Pivots of ``end``, (m,)."""
    tail: FloatArray
    """(m,)"""
    work: FloatArray
    """(N + 1, b)"""
    shifted: FloatArray
    """A shifted state, (states,)."""
    rates: FloatArray
    """Derivative at the shifted state, (states,)."""
    way: FloatArray
    """Displacement in a shift, (n_v,); ``turned`` is the corresponding change of the positions, (n_q,), if the two
    differ."""
    turned: FloatArray
    """(n_q,)"""
    fault: IntArray
    """Unknown at which the last factorisation failed, -1 if it did not, (1,)."""


def structure_of(system: System) -> Structure:
    """Return the structure of a system; the tolerances of the system determine the size of the differences.

    Unknowns that belong to no chain (``Motion.chains``) form the border, so without chains there is one dense matrix.
    """
    n, speeds = system.positions, system.velocities
    unknowns = system.state.size - n
    at = _blocks(system)
    blocks, size = at.shape
    of_chains = [chain.velocities.ravel() for chain in system.motion.chains]
    mechanism = np.setdiff1d(np.arange(speeds), np.concatenate([*of_chains, np.zeros(0, np.int64)]))
    others = np.concatenate([mechanism, np.setdiff1d(np.arange(speeds), [*mechanism, *at.ravel()])])
    states = np.flatnonzero(system.kinds[n + speeds :] != Kind.WORK) + speeds
    border = np.concatenate([others, states]).astype(np.int64)
    place = np.full((unknowns, 2), -1)
    place[at, 0], place[at, 1] = np.arange(blocks)[:, None], np.arange(size)[None, :]
    by_colour = [at[first::COLOURS, c] for first in range(min(COLOURS, blocks)) for c in range(size)]
    tolerance = np.array([system.motion.tolerances.get(kind, np.inf) for kind in Kind])
    moves = np.full((unknowns, 2), np.inf)
    moves[:, 1] = SHIFT * tolerance[system.kinds[n:]]
    moves[:speeds, 0] = SHIFT * tolerance[[WAYS[kind] for kind in system.kinds[n : n + speeds]]]
    masses = np.full(unknowns, np.inf)
    masses[:speeds] = system.masses
    m = border.size
    seat = np.full(unknowns, -1)
    seat[border] = np.arange(m)
    links, band = _band(system)
    return Structure(
        chain=at,
        border=border,
        moving=np.full(1, others.size),
        solved=np.concatenate([at.ravel(), border]),
        coloured=np.concatenate([*by_colour, np.zeros(0, np.int64)]).astype(np.int64),
        colours=np.cumsum([0, *(part.size for part in by_colour)]),
        place=place,
        seat=seat,
        links=links,
        band=band,
        moves=moves,
        masses=masses,
        diagonal=np.zeros((blocks, size, size)),
        upper=np.zeros((blocks, size, size)),
        lower=np.zeros((blocks, size, size)),
        right=np.zeros((blocks, size, m)),
        below=np.zeros((blocks, m, size)),
        corner=np.zeros((m, m)),
        mass=np.zeros((mechanism.size, mechanism.size)),
        mobility=np.zeros((mechanism.size, mechanism.size)),
        inverse=np.zeros((blocks, size, size)),
        ahead=np.zeros((blocks, size, size)),
        columns=np.zeros((blocks, size, m)),
        rows=np.zeros((blocks, m, size)),
        end=np.zeros((m, m)),
        order=np.zeros(m, np.int64),
        tail=np.zeros(m),
        work=np.zeros((blocks + 1, size)),
        shifted=np.zeros(system.state.size),
        rates=np.zeros(system.state.size),
        way=np.zeros(speeds),
        turned=np.zeros(n),
        fault=np.full(1, -1),
    )


def border_size(system: System) -> int:
    """Return the number of unknowns of a system that belong to the border of its structure."""
    unknowns = system.kinds[system.positions :] != Kind.WORK
    return int(unknowns.sum()) - _blocks(system).size


def _blocks(system: System) -> IntArray:
    """Return the unknowns of the blocks of all chains, (blocks, unknowns of a block), where a block contains as many
    links as a link influences on either side.

    The last block of a chain, and the remaining links, belong to the border, and so do short chains and
    chains whose blocks differ in size from those of the first.
    """
    found: list[IntArray] = []
    for chain in system.motion.chains:
        links, coordinates = chain.velocities.shape
        inner = (links - chain.reach) // chain.reach
        size = chain.reach * coordinates
        if inner < FEWEST_BLOCKS or (found and size != found[0].shape[1]):
            continue
        found.append(chain.velocities[: inner * chain.reach].reshape(inner, size))
    return np.concatenate(found).astype(np.int64) if found else np.zeros((0, 0), np.int64)


def _band(system: System) -> tuple[IntArray, FloatArray]:
    """Return the unknowns of the links of the chain for which the formulation supplies derivatives, and an array for
    the derivatives.
    """
    if system.kernels.tangent is None:
        return np.zeros((0, 1), np.int64), np.zeros((0, 1, 1, 1))
    chain = system.motion.chains[0]
    links, size = chain.velocities.shape
    return chain.velocities.astype(np.int64), np.zeros((links, 2 * chain.reach + 1, size, size))


def full_matrix(s: Structure) -> FloatArray:
    """Return the matrix in the blocks as a dense matrix, (unknowns, unknowns); the rows and columns of works are those
    of the unit matrix.
    """
    full = np.eye(s.place.shape[0])
    blocks = s.chain.shape[0]
    full[np.ix_(s.border, s.border)] = s.corner
    for i in range(blocks):
        here = s.chain[i]
        full[np.ix_(here, here)] = s.diagonal[i]
        full[np.ix_(here, s.border)] = s.right[i]
        if i < blocks - 1:
            full[np.ix_(here, s.chain[i + 1])] = s.upper[i]
            full[np.ix_(s.chain[i + 1], here)] = s.lower[i + 1]
        full[np.ix_(s.border, here)] = s.below[i]
    return full
