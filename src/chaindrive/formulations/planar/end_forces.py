"""Forces over time on the free ends of an open chain (``FreeEnd.force``), acting on its first or last joint.

Each force has a fixed direction, and acts as two loads over time, along x and y. The work of these forces counts as
input, and is negative if the end moves against the force.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from chaindrive.formulations.planar.parameters import WORK_INPUT, PlanarParameters
from chaindrive.kernels import kernel
from chaindrive.mechanism.load_kernels import load_at
from chaindrive.mechanism.loads import pack_loads

if TYPE_CHECKING:
    from chaindrive.model import Chain
    from chaindrive.model.load_over_time import LoadRow

__all__ = ["end_force_stops", "pull_ends", "put_end_forces"]


def put_end_forces(p: PlanarParameters, chain: Chain) -> PlanarParameters:
    """Return the parameters with the forces on the free ends of a chain."""
    loads = pack_loads(_forces(chain))
    return p._replace(end_load=loads.rows, end_load_table=loads.table)


def end_force_stops(chain: Chain) -> list[float]:
    """Return the times at which the force on an end has a kink or a jump. [s]"""
    return [stop for _, row in _forces(chain) for stop in row.stops if stop > 0.0]


def _forces(chain: Chain) -> list[tuple[int, LoadRow]]:
    """Return the loads, with the joint coordinates on which they act (first all x, then all y)."""
    from chaindrive.model import FreeEnd
    from chaindrive.model.load_over_time import constant_load, constant_row, load_rows

    found = []
    for number, end in enumerate(chain.ends or ()):
        if not isinstance(end, FreeEnd) or end.force is None:
            continue
        size, direction, joint = end.force.size, end.force.direction, number * (chain.joints - 1)
        for row in (constant_row(constant_load(size)), *load_rows(size)):
            found.append((joint, row.scaled(math.cos(direction))))
            found.append((chain.joints + joint, row.scaled(math.sin(direction))))
    return found


@kernel(inner=True)
def _no_pull(t, velocity, force, dy, p):
    """Apply no forces, because a closed chain has no ends."""


@kernel(inner=True, without=("ways", _no_pull))
def pull_ends(t, velocity, force, dy, p):
    """Add the forces on free ends at time t [s] to ``force`` [N], and their power to dy.

    velocity, force: values of all joints, (2 N,), first all x, then all y [m/s, N].
    """
    power = 0.0
    for k in range(p.end_load.coordinate.size):
        i, pull = p.end_load.coordinate[k], load_at(t, p.end_load, p.end_load_table, k)
        force[i] += pull
        power += pull * velocity[i]
    dy[p.layout.work + WORK_INPUT] += power
