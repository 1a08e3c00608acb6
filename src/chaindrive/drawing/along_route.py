"""A chain without rollers in its formulation, drawn along its route."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.mechanism.facts import drive_facts

__all__ = ["chain_along_route"]

FloatArray = NDArray[np.float64]


def chain_along_route(drive: Any, advance: ArrayLike) -> tuple[FloatArray, NDArray[np.int64]]:
    """Return rollers spread evenly along the route of a drive, and the span in which each of them lies.

    advance (F,): advance of the chain in pitches. The results are positions (F, N, 2) [m] and spans (F, N), which are
    -1 on a wheel.
    """
    path, links = drive_facts(drive).route, drive.chain.links
    lengths = np.column_stack([path.wrap * path.radii, path.span_length]).ravel()
    ends = np.cumsum(lengths)
    along = (np.arange(links) + np.asarray(advance, dtype=np.float64)[:, None]) * (path.length / links) % path.length
    element = np.minimum(np.searchsorted(ends, along, side="right"), lengths.size - 1)
    wheel, past = element // 2, along - (ends - lengths)[element]
    angle = path.arrival_angle[wheel] + path.signs[wheel] * past / path.radii[wheel]
    around = path.centres[wheel] + path.radii[wheel][..., None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    straight = path.span_start[wheel] + past[..., None] * path.span_direction[wheel]
    in_span = element % 2 == 1
    return np.where(in_span[..., None], straight, around), np.where(in_span, wheel, -1)
