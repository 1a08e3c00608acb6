"""The right-hand side of the spatial formulation: the recipe of one evaluation.

Links are rigid bodies in space (Omar 2014), one for each pitch, inner and outer ones in turn: a bush at the rear, a pin
at the front. A joint is a bushing between the pin of a link and the bush of the next one (joints.py); wheels turn about
fixed axes that may stand aside of each other, or askew (contact.py). Coordinates of the chain stand in chain.py, what
follows them in the state in planar/layout.py.
"""

from __future__ import annotations

from chaindrive.formulations.planar.contact import index
from chaindrive.formulations.planar.support import fixed_accelerations, fixed_frames
from chaindrive.formulations.spatial.chain import COORDINATES, SPEEDS, locate
from chaindrive.formulations.spatial.contact import wheel_contacts
from chaindrive.formulations.spatial.joints import joint_forces, link_accelerations
from chaindrive.kernels import kernel

__all__ = ["rhs"]


@kernel
def rhs(t, y, dy, p):
    """Write dy/dt of the state y at time t.

    Links, joints, contacts and their resultants stay in the scratch arrays of p.
    """
    planar, n = p.planar, p.links
    first = planar.layout.positions
    for i in range(index(3 * n)):
        dy[i] = y[index(first) + i]
    for w in range(planar.wheels):
        dy[COORDINATES * n + w] = y[first + SPEEDS * n + w]
    for k in range(index(planar.layout.wheel_speed), index(y.size)):
        dy[k] = 0.0
    fixed_frames(y, planar)
    locate(y, p)
    joint_forces(dy, p)
    wheel_contacts(dy, p)
    link_accelerations(dy, p)
    fixed_accelerations(t, y, dy, planar)
