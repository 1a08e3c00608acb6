"""Forces and stiffness of a chain of rollers, for the search for the equilibrium at rest.

A link of length l and tension T, with unit vector u along it, has the stiffness k u u^T + (T/l)(1 - u u^T). The
stiffness of contacts and mechanism is in planar/statics.py; ``convex`` also omits the effect of compression in links.
"""

from __future__ import annotations

from chaindrive.contract.rest import Statics
from chaindrive.formulations.planar.statics import (
    add_block,
    clear,
    contact_stiffness,
    mechanism_forces,
    statics_of,
    symmetrise,
    wheel_stiffness,
)
from chaindrive.formulations.planar.support import Support
from chaindrive.formulations.roller.chain import positions_of, velocities_of
from chaindrive.kernels import Kernel, kernel

__all__ = ["forces_of", "statics"]


def forces_of(rhs: Kernel, support: Support) -> Kernel:
    """Return the kernel of the generalised forces, compiled around the supports of the chain (variants.py)."""
    moments = support.moments

    @kernel
    def forces(t, y, p, force):
        """Write the generalised forces at the state y, (n_q,), which are zero where a motion is prescribed. [N, N m]"""
        planar = p.planar
        dy = planar.derivative
        rhs(t, y, dy, p)
        accelerations = velocities_of(dy, p)
        for i in range(p.links):
            mass = p.roller.mass[i] + planar.carried[i]
            force[i] = mass * accelerations[i]
            force[p.links + i] = mass * accelerations[p.links + i]
        moments(t, y, dy, planar)
        mechanism_forces(dy, planar, force)

    return forces


def statics(support: Support) -> Statics:
    """Return the kernels of the statics, compiled around the supports of the chain (variants.py)."""
    joint_stiffness = support.joint_stiffness

    @kernel
    def stiffness(t, y, p, matrix, convex):
        """Write minus the derivative of ``forces`` with respect to the positions into ``matrix``.

        This kernel must be called directly after ``forces`` at this y. Friction and velocities are taken as constant.
        """
        clear(matrix)
        _links(p, matrix, convex)
        contact_stiffness(positions_of(y, p), p.planar, matrix, convex)
        wheel_stiffness(t, y, p.planar, matrix, convex)
        joint_stiffness(y, p.planar, matrix)
        symmetrise(matrix)

    return statics_of(stiffness)


@kernel(inner=True)
def _links(p, matrix, convex):
    for i in range(p.links):
        j = i + 1 if i + 1 < p.links else 0
        if j == 0 and not p.planar.closed:
            break
        ux, uy = p.link.x[i], p.link.y[i]
        across = p.link.tension[i] * p.link.inverse[i]
        if convex and across < 0.0:
            across = 0.0
        along = p.stiffness - across
        xx, xy, yy = along * ux * ux + across, along * ux * uy, along * uy * uy + across
        add_block(matrix.diagonal, i, xx, xy, yy)
        add_block(matrix.diagonal, j, xx, xy, yy)
        add_block(matrix.upper, i, -xx, -xy, -yy)
