"""The derivatives in the equations of an implicit step (``structure.py``), supplied by a formulation or computed by
coloured differences.

Differences take one evaluation for each colour and each border position (Curtis, Powell & Reid, J. Inst. Math. Appl.
13, 1974). If the formulation supplies the derivatives of its chain (``Kernels.tangent``), only one evaluation for each
position of wheels and mechanism and for each pressure is needed.

In the rows of the border the contributions of the links of one colour cannot be separated. The rows are taken to be the
transpose of the columns, in terms of forces, which is true for potentials and dampers. With friction it is only
approximately true, and Newton's iteration corrects the error. This assumption is not needed for the links if the
formulation supplies their derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chaindrive.contract.kernels import Kernels
from chaindrive.kernels import index, kernel
from chaindrive.solvers.control import bound_kernel
from chaindrive.solvers.elimination import invert

__all__ = ["linearise_of", "linearising"]


def transposing(mass: Callable[..., None] | None) -> tuple[Callable[..., None], Callable[..., float]]:
    """Make the kernels ready(t, y, s, p) and transposed(s, inertia, columns, r).

    The second kernel returns the entry in row r of the border and the column of a link of this inertia [kg, kg m^2]. It
    finds the entry from the row of the link in the columns of the border (m,), because forces are equal and opposite.
    """
    if mass is None:

        @kernel(inner=True)
        def nothing(t, y, s, p):
            """Do nothing: there is nothing to prepare if masses are not coupled."""

        return nothing, _transposed

    @kernel(inner=True)
    def ready(t, y, s, p):
        mass(t, y, p, s.mass)
        invert(s.mass, s.mobility)

    @kernel(inner=True)
    def transposed(s, inertia, columns, r):
        together = s.mass.shape[0]
        if r >= together:
            return _transposed(s, inertia, columns, r)
        found = 0.0
        for k in range(together):
            if s.masses[s.border[k]] < np.inf and s.masses[s.border[r]] < np.inf:
                found += inertia * s.mobility[r, k] * columns[k]
        return found

    return ready, transposed


@kernel(inline=True)
def _transposed(s, inertia, columns, r):
    """``transposed`` for masses that are not coupled."""
    return columns[r] * inertia / s.masses[s.border[r]]


@kernel(inline=True)
def _inertia(s, j):
    """Return the mass of a coordinate of a link; zero if its motion is prescribed, because then no force is needed.
    [kg, kg m^2]
    """
    return s.masses[j] if s.masses[j] < np.inf else 0.0


def shifting(rates: Callable[..., None] | None) -> Callable[..., None]:
    """Return the kernel shift(y, s, p), which sets the positions in ``s.shifted`` to those of y plus the displacements
    ``s.way``; the velocities in ``s.shifted`` are kept.
    """
    if rates is None:

        @kernel(inner=True)
        def straight(y, s, p):
            for j in range(s.way.size):
                s.shifted[j] = y[j] + s.way[j]

        return straight

    @kernel(inner=True)
    def turning(y, s, p):
        n = s.turned.size
        rates(y[:n], s.way, s.turned, p)
        for j in range(n):
            s.shifted[j] = y[j] + s.turned[j]

    return turning


def columns_of_border(rhs: Callable[..., None], shift: Callable[..., None]) -> Callable[..., None]:
    """Return the kernel columns(t, y, dy, follow, lead, scale, s, p, first, end), which writes the columns of the
    border positions from ``first`` up to, but not including, ``end``.
    """

    @kernel(inner=True)
    def columns(t, y, dy, follow, lead, scale, s, p, first, end):
        n, rise = y.size - s.place.shape[0], s.rates
        blocks, b = s.chain.shape
        for k in range(first, end):
            j = s.border[k]
            factor = -scale / move(j, n, follow, lead, s)
            shift(y, s, p)
            rhs(t, s.shifted, rise, p)
            move_back(j, n, y, s)
            for i in range(blocks):
                for r in range(b):
                    row = n + s.chain[i, r]
                    s.right[i, r, k] = factor * (rise[row] - dy[row])
            for r in range(s.border.size):
                row = n + s.border[r]
                s.corner[r, k] = factor * (rise[row] - dy[row])

    return columns


@kernel(inline=True)
def reach(j, follow, lead, s):
    """Return the shift of the rate of unknown j."""
    return min(s.moves[j, 0] / follow, s.moves[j, 1] / lead)


@kernel(inner=True)
def move(j, n, follow, lead, s):
    """Shift unknown j and the position that depends on it; return the shift of its rate."""
    delta = reach(j, follow, lead, s)
    s.shifted[n + j] += lead * delta
    if j < s.way.size:
        s.way[j] = follow * delta
    return delta


@kernel(inner=True)
def move_back(j, n, y, s):
    """Shift unknown j back."""
    s.shifted[n + j] = y[n + j]
    if j < s.way.size:
        s.way[j] = 0.0


@kernel(inner=True)
def add_identity(s):
    """Add the unit matrix."""
    for i in range(s.chain.shape[0]):
        for r in range(s.chain.shape[1]):
            s.diagonal[i, r, r] += 1.0
    for r in range(s.border.size):
        s.corner[r, r] += 1.0


def linearising(kernels: Kernels) -> Callable[..., int]:
    """Return the kernel linearise(t, y, dy, follow, lead, scale, s, p), which writes 1 - scale G into the blocks and
    returns the number of its evaluations.

    dy: derivative at y, from the last evaluation; follow, lead: the factors p and s of G.
    """
    shift = shifting(kernels.rates)
    columns = columns_of_border(kernels.rhs, shift)
    ready, transposed = transposing(kernels.mass)
    if kernels.tangent is None:
        return _by_colours(kernels.rhs, shift, columns, ready, transposed)
    return _by_tangent(kernels.tangent, columns, ready, transposed)


def _by_colours(rhs: Any, shift: Any, columns: Any, ready: Any, transposed: Any) -> Callable[..., int]:
    """``linearise`` with differences alone."""

    @kernel(inner=True)
    def linearise(t, y, dy, follow, lead, scale, s, p):
        n = y.size - s.place.shape[0]
        blocks, b = s.chain.shape
        m = s.border.size
        rise = s.rates
        for j in range(y.size):
            s.shifted[j] = y[j]
        for k in range(s.colours.size - 1):
            for at in range(s.colours[k], s.colours[k + 1]):
                move(s.coloured[at], n, follow, lead, s)
            shift(y, s, p)
            rhs(t, s.shifted, rise, p)
            for at in range(s.colours[k], s.colours[k + 1]):
                j = s.coloured[at]
                factor = -scale / reach(j, follow, lead, s)
                move_back(j, n, y, s)
                i, c = s.place[j, 0], s.place[j, 1]
                for r in range(b):
                    own = n + s.chain[i, r]
                    s.diagonal[i, r, c] = factor * (rise[own] - dy[own])
                    if i > 0:
                        left = n + s.chain[i - 1, r]
                        s.upper[i - 1, r, c] = factor * (rise[left] - dy[left])
                    if i < blocks - 1:
                        right = n + s.chain[i + 1, r]
                        s.lower[i + 1, r, c] = factor * (rise[right] - dy[right])
        columns(t, y, dy, follow, lead, scale, s, p, 0, m)
        s.below[:] = 0.0
        ready(t, y, s, p)
        for i in range(blocks):
            for c in range(b):
                for r in range(s.moving[0]):
                    s.below[i, r, c] = transposed(s, _inertia(s, s.chain[i, c]), s.right[i, c], r)
        add_identity(s)
        return s.colours.size - 1 + m

    return linearise


def _by_tangent(tangent: Any, columns: Any, ready: Any, transposed: Any) -> Callable[..., int]:
    """``linearise`` with the derivatives of the formulation for its chain."""

    @kernel(inner=True)
    def linearise(t, y, dy, follow, lead, scale, s, p):
        blocks, b = s.chain.shape
        m, together, moving = s.border.size, s.mass.shape[0], s.moving[0]
        tangent(t, y, follow, lead, p, s.band)
        for j in range(y.size):
            s.shifted[j] = y[j]
        _clear_links(s, together, moving)
        columns(t, y, dy, follow, lead, scale, s, p, 0, together)
        columns(t, y, dy, follow, lead, scale, s, p, moving, m)
        ready(t, y, s, p)
        for i in range(blocks):
            for c in range(b):
                for r in range(together):
                    s.below[i, r, c] = transposed(s, _inertia(s, s.chain[i, c]), s.right[i, c], r)
        for k in range(together, moving):
            for r in range(together):
                s.corner[r, k] = transposed(s, _inertia(s, s.border[k]), s.corner[k], r)
        _enter_chain(s, -scale)
        add_identity(s)
        return together + m - moving

    return linearise


@kernel(inner=True)
def _clear_links(s, first, end):
    """Clear the columns and rows of the border positions from ``first`` up to, but not including, ``end``; these are
    the positions of links.
    """
    for k in range(first, end):
        for i in range(s.chain.shape[0]):
            for r in range(s.chain.shape[1]):
                s.right[i, r, k] = s.below[i, k, r] = 0.0
        for r in range(s.border.size):
            s.corner[r, k] = 0.0


@kernel(inner=True)
def _enter_chain(s, factor):
    """Enter the derivatives of the chain, times a factor, into blocks, columns, rows and corner.

    A block contains as many links as a link influences on either side, so derivatives have entries only in neighbouring
    blocks.
    """
    links, width, size = s.band.shape[0], s.band.shape[1], s.band.shape[2]
    blocks, behind = s.chain.shape[0], s.band.shape[1] // 2
    for here in range(blocks):
        for own in range(behind):
            i = here * behind + own
            for d in range(width):
                other = own + d - behind
                if 0 <= other < behind:
                    _enter_block(s.diagonal, here, own, other, s.band, i, d, size, factor)
                elif other < 0 and here > 0:
                    _enter_block(s.lower, here, own, other + behind, s.band, i, d, size, factor)
                elif other >= behind and here < blocks - 1:
                    _enter_block(s.upper, here, own, other - behind, s.band, i, d, size, factor)
                else:
                    _enter_border(s, i, d, behind, factor)
    for i in range(blocks * behind, links):
        for d in range(width):
            _enter_border(s, i, d, behind, factor)


@kernel(inline=True)
def _enter_block(block, here, own, other, band, i, d, size, factor):
    """Enter the derivatives of link i with respect to the link at position d of its row into a block."""
    row, column = index(own * size), index(other * size)
    for r in range(index(size)):
        for c in range(index(size)):
            block[here, row + r, column + c] = factor * band[i, d, r, c]


@kernel(inner=True)
def _enter_border(s, i, d, behind, factor):
    """Enter the derivatives for which one or both of the links are in the border."""
    links, size, inner = s.band.shape[0], s.band.shape[2], s.chain.shape[0] * behind
    j = (i + d - behind + links) % links
    for r in range(size):
        for c in range(size):
            row, column, value = s.links[i, r], s.links[j, c], factor * s.band[i, d, r, c]
            if i < inner:
                s.right[s.place[row, 0], s.place[row, 1], s.seat[column]] += value
            elif j < inner:
                s.below[s.place[column, 0], s.seat[row], s.place[column, 1]] += value
            else:
                s.corner[s.seat[row], s.seat[column]] += value


def linearise_of(kernels: Kernels) -> Any:
    """Return the kernel linearise(t, y, dy, follow, lead, scale, structure, p) of a formulation, for callers in Python.

    The last evaluation may have been at any state: if the derivatives require an evaluation at y, the kernel performs
    it and includes it in the number of evaluations that it returns.
    """
    inner, rhs = linearising(kernels), kernels.rhs
    if kernels.tangent is None:

        def linearise(t, y, dy, follow, lead, scale, structure, p):
            return inner(t, y, dy, follow, lead, scale, structure, p)

    else:

        def linearise(t, y, dy, follow, lead, scale, structure, p):
            rhs(t, y, structure.rates, p)
            return 1 + inner(t, y, dy, follow, lead, scale, structure, p)

    return bound_kernel(linearise, rhs)
