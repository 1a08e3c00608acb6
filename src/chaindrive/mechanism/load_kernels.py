"""Loads over time: forces and torques on joints of bodies and free ends of a chain that follow a table or oscillate.

Each load is a row of ``LoadRows``. A load with a table also has rows of this table, each of which holds an instant and
the cubic that follows it; before the first instant the load is constant. A load without a table oscillates. An input
has one row of the table, which is written between steps (``contract.inputs``).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from chaindrive.kernels import kernel
from chaindrive.kernels.tables import Reals, Wholes
from chaindrive.mechanism.motion import cubic_value, smooth_weight

__all__ = ["TABLE_COLUMNS", "LoadRows", "load_at"]

TABLE_COLUMNS = 5
"""Instant [s], and the coefficients of the cubic in the time since this instant, highest power first [N/s^3, ...]"""


class LoadRows(NamedTuple):
    """Loads over time, one per row; loads on the same coordinate add up."""

    coordinate: Wholes
    """coordinate on which the load acts"""
    rows: Wholes
    rows_end: Wholes
    """rows of the table that belong to the load; none for an oscillation"""
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
    """Return load k at time t [s]: the value of its table, or A sin(f (t - start) + phase), growing from zero during
    the fade-in.

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
