"""The right-hand side of the spatial formulation, step by step.

Links are rigid bodies in space (Omar 2014), one for each pitch, alternately inner and outer, each with a bush at its
rear end and a pin at its front end. A joint is a bushing between the pin of a link and the bush of the next one
(joints.py); wheels may be offset from each other, or tilted (wheels.py), on fixed axes or on bodies that move
(support.py). Coordinates of the chain are described in chain.py, the rest of the state in planar/layout.py.
"""

from __future__ import annotations

from chaindrive.formulations.spatial.chain import COORDINATES, SPEEDS
from chaindrive.formulations.spatial.joints import joint_forces, link_accelerations
from chaindrive.formulations.spatial.support import Mounting, bearing_losses
from chaindrive.formulations.spatial.wheels import contacts
from chaindrive.kernels import Kernel, index, kernel

__all__ = ["evaluation"]


def evaluation(mounting: Mounting) -> Kernel:
    """Return the right-hand side, compiled for the supports of the wheels."""
    frames, accelerations = mounting.frames, mounting.accelerations

    @kernel(apart=True)
    def rhs(t, y, dy, p):
        """Write dy/dt of the state y at time t.

        Links, joints, contacts and their resultants stay in the scratch arrays of p.
        """
        planar, n = p.planar, p.links
        first = planar.layout.positions
        for i in range(index(3 * n)):
            dy[i] = y[index(first) + i]
        for k in range(planar.layout.wheel_angle, first):
            dy[k] = y[first + SPEEDS * n + k - COORDINATES * n]
        for k in range(index(planar.layout.wheel_speed), index(y.size)):
            dy[k] = 0.0
        frames(y, p)
        joint_forces(y, dy, p)
        contacts(dy, p)
        link_accelerations(dy, p)
        accelerations(t, y, dy, p)
        bearing_losses(y, dy, p)

    return rhs
