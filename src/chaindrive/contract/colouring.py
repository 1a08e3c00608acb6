"""Groups of positions of a closed chain that may be shifted together in a finite-difference Jacobian.

A formulation puts the result into ``Rest.colours`` and ``Rest.neighbours``; solvers read it there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["chain_colouring"]

IntArray = NDArray[np.int64]


def chain_colouring(n_links: int, blocks: int, border: int = 0) -> tuple[IntArray, IntArray]:
    """Return colours and neighbours for a closed chain whose links couple to the previous and the next link.

    The positions are arranged in blocks, one for each coordinate: all x, all y, all angles (rigid links), and finally
    ``border`` positions such as wheel angles.

    Returns colours, shape (blocks n_links + border,), and neighbours, shape (blocks n_links + border, 3 blocks), as in
    the fields of ``Rest`` with these names. Two positions of the same colour never enter the same row: in a chain,
    links of the same colour are three or more apart (a distance-two colouring: Coleman & Moré, SIAM J. Numer. Anal. 20,
    1983). With N = 3 a + 4 b, the ring closes with a groups 0 1 2 and b = N mod 3 groups 0 1 2 3. N = 5, 2 and 1 cannot
    be written in this way; every link then has its own colour.
    """
    if n_links < 1 or blocks < 1 or border < 0:
        raise ValueError(f"a chain needs n_links >= 1, blocks >= 1, border >= 0; got {n_links}, {blocks}, {border}")
    fours = n_links % 3
    if n_links >= 4 * fours:
        threes = (n_links - 4 * fours) // 3
        link_colours = np.concatenate([np.tile(np.arange(3), threes), np.tile(np.arange(4), fours)])
    else:
        link_colours = np.arange(n_links)
    block = np.arange(blocks)
    colours = (block[:, None] + blocks * link_colours[None, :]).ravel()

    link = np.arange(n_links)
    near = np.stack([link, (link - 1) % n_links, (link + 1) % n_links], axis=1)
    near[near[:, 1] == near[:, 0], 1] = -1  # a chain of one link
    near[(near[:, 2] == near[:, 0]) | (near[:, 2] == near[:, 1]), 2] = -1  # ... of one or two
    rows = np.where(near[:, None, :] >= 0, block[None, :, None] * n_links + near[:, None, :], -1)
    neighbours = np.tile(rows.reshape(n_links, 3 * blocks), (blocks, 1))
    return (
        np.concatenate([colours, np.full(border, -1)]).astype(np.int64),
        np.concatenate([neighbours, np.full((border, 3 * blocks), -1)]).astype(np.int64),
    )
