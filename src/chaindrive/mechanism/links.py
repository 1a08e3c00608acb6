"""The links of a drive as numbers: masses, inertias, lengths, clearances and stiffnesses of rigid links and joints."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.model import Drive

__all__ = ["LinkData", "link_data"]

FloatArray = NDArray[np.float64]


class LinkData(NamedTuple):
    """N links; joint i is the pin of link i - 1 in the bush of link i."""

    mass: FloatArray
    inertia: FloatArray
    centre: FloatArray
    length: FloatArray
    clearance: FloatArray
    stiffness: FloatArray
    damping: FloatArray


def link_data(drive: Drive) -> LinkData:
    """The links of a drive."""
    chain, n = drive.chain, drive.chain.links
    ones = np.ones(n)
    clearance = 15e-6 * ones
    return LinkData(
        chain.link_mass * ones,
        0.15 * chain.link_mass * chain.pitch**2 * ones,
        np.column_stack([0.5 * chain.pitch * ones, 0.0 * ones]),
        chain.pitch - np.roll(clearance, -1),
        clearance,
        chain.link_stiffness * ones,
        chain.link_damping * ones,
    )
