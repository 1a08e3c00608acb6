"""Loads over time: forces and torques, on joints of bodies and free ends of a chain, that follow a table or oscillate.

Each is a row of ``LoadRows``; one with a table has rows of it, each of which holds a time and the cubic after it;
before the first it is constant. One without a table oscillates. An input has one row, which is written between steps
(``contract.inputs``).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from chaindrive.kernels import kernel
from chaindrive.kernels.tables import Reals, Wholes
from chaindrive.mechanism.motion import cubic_value, smooth_weight

__all__ = ["TABLE_COLUMNS", "LoadRows", "load_at"]

TABLE_COLUMNS = 5
"""Time [s], and the coefficients of the cubic in the time since then, the highest power first [N/s^3, ...]"""


class LoadRows(NamedTuple):
    """Loads over time, one each; those on one coordinate add up."""

    coordinate: Wholes
    """coordinate on which it acts"""
    rows: Wholes
    rows_end: Wholes
    """its rows of the table; none for an oscillation"""
    amplitude: Reals
    """[N or N m]"""
    frequency: Reals
    """[rad/s]"""
    phase: Reals
    """[rad]"""
    start: Reals
    fade_in: Reals
    """[s]"""
    given: Wholes
    """1 for an input"""


@kernel
def load_at(t, load, table, k):
    """Load k at time t [s]: A sin(f (t - start) + phase), growing from nothing within the fade-in, or its table.

    [N or N m]
    """
    if load.rows[k] < load.rows_end[k]:
        first = load.rows[k]
        return cubic_value(t, table, first, load.rows_end[k]) if t > table[first, 0] else table[first, 4]
    s = t - load.start[k]
    if s < 0.0:
        return 0.0
    weight = 1.0 if s >= load.fade_in[k] else smooth_weight(s / load.fade_in[k])
    return weight * load.amplitude[k] * math.sin(load.frequency[k] * s + load.phase[k])
