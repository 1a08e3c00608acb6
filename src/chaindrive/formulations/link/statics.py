"""Forces and stiffness of a chain of rigid links, for the search for the equilibrium at rest.

A joint with the vector d from the centre of the bush to the centre of the pin has the stiffness k n n^T + (F/|d|)(1 - n
n^T) against d, with n = d/|d| and F the force of its contact; a journal has k 1. Let a and b be the arms of pin and
bush from the centres of mass. Then d changes by (dr + a^ dgamma) of the link before minus (dr + b^ dgamma) of the
link after, where ^ rotates by a right angle counter-clockwise. Rotations of the arms add -F n.a and F n.b to the
stiffness against the angles. ``convex`` omits these terms where they are negative. End joints of an open chain are
treated together with the anchors (planar/anchors.py), which they connect to the first bush and the last pin.
"""

from __future__ import annotations

from chaindrive.contract.rest import Statics
from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.planar.statics import (
    clear,
    contact_stiffness,
    mechanism_forces,
    statics_of,
    symmetrise,
    wheel_stiffness,
)
from chaindrive.formulations.planar.support import Support
from chaindrive.kernels import Kernel, kernel

__all__ = ["forces_of", "statics"]


def forces_of(rhs: Kernel, support: Support) -> Kernel:
    """Return the kernel of the generalised forces, compiled around the supports of the chain (variants.py)."""
    moments = support.moments

    @kernel
    def forces(t, y, p, force):
        """Write the generalised forces at the state y, (n_q,), which are zero where a motion is prescribed. [N, N m]"""
        planar, n = p.planar, p.links
        dy = planar.derivative
        rhs(t, y, dy, p)
        first = planar.layout.positions
        for i in range(n):
            mass = p.body.mass[i] + planar.carried[i]
            force[i] = mass * dy[first + i]
            force[n + i] = mass * dy[first + n + i]
            force[2 * n + i] = p.body.inertia[i] * dy[first + 2 * n + i]
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
        if p.planar.closed:
            contact_stiffness(p.place, p.planar, matrix, convex)
            _bushes_to_links(p, matrix, convex)
            _joint(p, matrix, p.links - 1, 0, convex)
        else:
            _open_chain(p, matrix, convex)
        for j in range(1, p.links):
            _joint(p, matrix, j - 1, j, convex)
        wheel_stiffness(t, y, p.planar, matrix, convex)
        joint_stiffness(y, p.planar, matrix)
        symmetrise(matrix)

    return statics_of(stiffness)


@kernel(inner=True)
def _bushes_to_links(p, matrix, convex):
    """Convert the stiffness of contacts from positions of bushes to coordinates of the links."""
    n, joints = p.links, p.planar.rollers
    for i in range(n):
        bx, by = p.link.bush_x[i], p.link.bush_y[i]
        block = matrix.diagonal[i]
        tx = -by * block[0, 0] + bx * block[0, 1]
        ty = -by * block[1, 0] + bx * block[1, 1]
        # Contacts alone: what the joint before has put into the force on the bush is its own.
        fx = p.force[i] - p.pin.force_x[i]
        fy = p.force[joints + i] - p.pin.force_y[i]
        turned = bx * fx + by * fy
        block[0, 2] += tx
        block[2, 0] += tx
        block[1, 2] += ty
        block[2, 1] += ty
        block[2, 2] += -by * tx + bx * ty + (max(turned, 0.0) if convex else turned)
        for c in range(matrix.border.shape[2]):
            matrix.border[i, 2, c] += -by * matrix.border[i, 0, c] + bx * matrix.border[i, 1, c]


@kernel(inner=True)
def _open_chain(p, matrix, convex):
    """Add the contacts of the bushes and of the last pin of an open chain, and its end joints, which anchors hold."""
    planar, bushes, n, joints = p.planar, p.bushes, p.links, p.planar.rollers
    for a in range(planar.anchor.roller.size):
        xx, xy, yy = _resistance(p, planar.anchor.roller[a])
        planar.anchor.xx[a], planar.anchor.xy[a], planar.anchor.yy[a] = xx, xy, yy
    clear(bushes)
    contact_stiffness(p.place, planar, bushes, convex)
    _bushes_to_links(p, bushes, convex)
    # the force of an anchor turns its link, too; the last block is that of a pin
    turned = 0.0
    for a in range(planar.anchor.roller.size):
        if planar.anchor.end[a] == 0:
            turned -= p.link.bush_x[0] * planar.anchor.force_x[a]
            turned -= p.link.bush_y[0] * planar.anchor.force_y[a]
    bushes.diagonal[0, 2, 2] += max(turned, 0.0) if convex else turned
    ax, ay, last = p.link.pin_x[n - 1], p.link.pin_y[n - 1], bushes.diagonal[n]
    turned = ax * p.force[n] + ay * p.force[joints + n]
    tx, ty = ax * last[0, 1] - ay * last[0, 0], ax * last[1, 1] - ay * last[1, 0]
    _add(last, 0.0, 0.0, 0.0, tx, ty, ax * ty - ay * tx + (max(turned, 0.0) if convex else turned))
    for c in range(bushes.border.shape[2]):
        bushes.border[n, 2, c] = ax * bushes.border[n, 1, c] - ay * bushes.border[n, 0, c]
    for j in range(joints):
        i = min(j, n - 1)
        for r in range(3):
            for c in range(3):
                matrix.diagonal[i, r, c] += bushes.diagonal[j, r, c]
            for c in range(bushes.border.shape[2]):
                matrix.border[i, r, c] += bushes.border[j, r, c]
    for r in range(matrix.corner.shape[0]):
        for c in range(matrix.corner.shape[1]):
            matrix.corner[r, c] = bushes.corner[r, c]


@kernel(inner=True)
def _resistance(p, j):
    """Return the stiffness of joint j against the vector from its bush to its pin. [N/m]"""
    nx, ny = p.pin.normal_x[j], p.pin.normal_y[j]
    along = across = p.joint.stiffness[j]
    if p.joint_kind == L.CLEARANCE:
        depth = p.pin.penetration[j]
        if depth <= 0.0:
            return 0.0, 0.0, 0.0
        across *= depth / (depth + p.joint.clearance[j])
    return along * nx * nx + across * ny * ny, (along - across) * nx * ny, along * ny * ny + across * nx * nx


@kernel(inner=True)
def _joint(p, matrix, i, j, convex):
    """Add joint j, which is the pin of link i in the bush of link j."""
    xx, xy, yy = _resistance(p, j)
    if xx + yy == 0.0:
        return
    fx, fy = p.pin.force_x[j], p.pin.force_y[j]
    ax, ay = p.link.pin_x[i], p.link.pin_y[i]
    bx, by = p.link.bush_x[j], p.link.bush_y[j]
    # For a unit of each angle: how d moves, and with what force the spring responds.
    pin_x, pin_y = -ay * xx + ax * xy, -ay * xy + ax * yy
    bush_x, bush_y = -by * xx + bx * xy, -by * xy + bx * yy
    turned_pin, turned_bush = -(fx * ax + fy * ay), fx * bx + fy * by
    if convex:
        turned_pin, turned_bush = max(turned_pin, 0.0), max(turned_bush, 0.0)
    _add(matrix.diagonal[i], xx, xy, yy, pin_x, pin_y, -ay * pin_x + ax * pin_y + turned_pin)
    _add(matrix.diagonal[j], xx, xy, yy, bush_x, bush_y, -by * bush_x + bx * bush_y + turned_bush)
    upper = matrix.upper[i]
    upper[0, 0] -= xx
    upper[0, 1] -= xy
    upper[1, 0] -= xy
    upper[1, 1] -= yy
    upper[0, 2] -= bush_x
    upper[1, 2] -= bush_y
    upper[2, 0] -= pin_x
    upper[2, 1] -= pin_y
    upper[2, 2] -= -ay * bush_x + ax * bush_y


@kernel(inner=True)
def _add(block, xx, xy, yy, xa, ya, aa):
    """Add a symmetric stiffness against x, y and the angle to a block."""
    block[0, 0] += xx
    block[0, 1] += xy
    block[1, 0] += xy
    block[1, 1] += yy
    block[0, 2] += xa
    block[2, 0] += xa
    block[1, 2] += ya
    block[2, 1] += ya
    block[2, 2] += aa
