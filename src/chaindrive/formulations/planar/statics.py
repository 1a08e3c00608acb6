"""Stiffness of the contacts of a chain, and of the mechanism that supports it, for the search for equilibrium.

The stiffness K = -dF/dq is exact, and is written into the blocks of :class:`chaindrive.contract.bordered.Bordered`.
Consider a contact of depth d, normal n and force f(d), and let h be the turning of the normal along the surface
(``geometry.kernels.bend``). If the roller moves by dx, and the surface moves by du at the contact and turns by dpsi,
then

    d(f n) = -f' n n.(dx - du) + f (h t t.(dx - du) + dpsi n^),     t = n^ the normal turned counter-clockwise.

The few springs and weights of the mechanism are treated by finite differences, one joint at a time
(``joint_stiffness``).

Where K is not positive definite, ``convex`` omits the terms that can make it indefinite: contacts on convex edges, and
the turning of a normal with its surface. The remaining terms are positive semidefinite and give a descent direction.
"""

from __future__ import annotations

from typing import Any

from chaindrive.contract.rest import Statics
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.anchors import anchor_stiffness, load_anchored_bodies
from chaindrive.formulations.planar.axles import wheel_angle
from chaindrive.formulations.planar.freewheel import clutch_stiffness
from chaindrive.formulations.planar.own_laws import own_exponent
from chaindrive.formulations.planar.support import mass_moment, speeds_behind, unbalanced
from chaindrive.geometry.kernels import bend, open_profile_field
from chaindrive.kernels import Kernel, kernel
from chaindrive.mechanism import element_kernels as elements
from chaindrive.mechanism import tree
from chaindrive.mechanism.motion import FREE
from chaindrive.mechanism.torque_kernels import torque_at_rest
from chaindrive.mechanism.tree_kernels import REVOLUTE

JOINT_SHIFT = 1e-7
"""Displacement of a joint for the stiffness of the mechanism by finite differences, where springs are linear and
lengths are of order one. [m, rad]"""
ANGLE_SHIFT = 1e-5
"""Angle by which a wheel is turned for the slope of a tabulated load. [rad]"""


@kernel(inner=True)
def mechanism_forces(dy, p, force):
    """Write the generalised forces of wheels and joints into ``force``; zero where a motion is prescribed. [N, N m]

    To be called after ``Support.moments``, which stores the moments on the wheels in dy and the forces of the joints in
    the tree.
    """
    first, joint = p.layout.wheel_speed - p.layout.positions, p.layout.joint_speed - p.layout.positions
    for a in range(p.axles):
        force[first + a] = dy[p.layout.wheel_speed + a] if p.wheel.motion[p.axle.wheel[a]] == FREE else 0.0
    for b in range(p.tree.bodies):
        j = p.tree.body.coordinate[b]
        if j >= 0:
            free = p.tree.body.motion[b] == FREE
            force[joint + j] = p.tree.force[j] if free else 0.0


@kernel(inner=True)
def mechanism_mass(p, matrix):
    """Write the inertias of wheels and joints, and their coupling by eccentric masses, into matrix (A + J, A + J).

    To be called after an evaluation, which subtracts the effect of free wheels with an eccentric mass from the masses
    of joints.
    """
    matrix[:, :] = 0.0
    for a in range(p.axles):
        matrix[a, a] = p.axle.inertia[a]
    for i in range(p.tree.joints):
        for j in range(p.tree.joints):
            matrix[p.axles + i, p.axles + j] = p.tree.mass[i, j]
    for w in range(p.wheels):
        if p.surface.body[w] < 0 or p.wheel.motion[w] != FREE or not unbalanced(p, w):
            continue
        a = p.wheel.axle[w]
        for i in range(p.tree.joints):
            matrix[p.axles + i, a] = matrix[a, p.axles + i] = p.tree.coupling[w, i]
            for j in range(p.tree.joints):
                shared = p.tree.coupling[w, i] * p.tree.coupling[w, j] / p.wheel.inertia[w]
                matrix[p.axles + i, p.axles + j] += shared


@kernel(inline=True)
def clear(matrix):
    """Set a ``Bordered`` matrix to zero."""
    matrix.diagonal[:, :, :] = 0.0
    matrix.upper[:, :, :] = 0.0
    matrix.border[:, :, :] = 0.0
    matrix.corner[:, :] = 0.0


@kernel(inner=True)
def contact_stiffness(place, p, matrix, convex):
    """Add the stiffness of the contacts of all rollers, and of the anchors of an open chain, to ``matrix``.

    The first two coordinates of block i of the matrix must be those of the centre of roller i.
    """
    for s in range(p.used.segments[0]):
        _contacts(place, p, matrix, s, convex)
    anchor_stiffness(p, matrix, convex)


@kernel(inner=True)
def wheel_stiffness(t, y, p, matrix, convex):
    """Add the stiffness due to unbalance and loads of the wheels to ``matrix``."""
    for w in range(p.wheels):
        ex, ey = mass_moment(p, w)
        slope = -(ex * p.gravity_x + ey * p.gravity_y)
        angle, a = wheel_angle(y, p, w), p.wheel.axle[w]
        ahead = torque_at_rest(t, angle + ANGLE_SHIFT, y, p.layout.machine, p, w)
        behind = torque_at_rest(t, angle - ANGLE_SHIFT, y, p.layout.machine, p, w)
        slope += (ahead - behind) / (2.0 * ANGLE_SHIFT)
        matrix.corner[a, a] -= min(slope, 0.0) if convex else slope


@kernel(inline=True)
def symmetrise(matrix):
    """Make the corner of ``matrix`` symmetric, because finite differences make it only nearly so."""
    size = matrix.corner.shape[0]
    for r in range(size):
        for c in range(r):
            mean = 0.5 * (matrix.corner[r, c] + matrix.corner[c, r])
            matrix.corner[r, c] = matrix.corner[c, r] = mean


@kernel(inner=True)
def contact_leeway(p, free, near, limit):
    """Compute the largest travel of every roller, or link, in one step, (N,). [m]

    It is the fraction ``near`` of the distance of the roller from a surface, but at most ``free``. The roller at the
    end of the last link of an open chain belongs to this link. Rollers that touch a surface, or nearly so, may move by
    a tenth of their radius. To be called directly after an evaluation.
    """
    least, last = 0.1 * p.roller_radius, limit.size - 1
    for i in range(limit.size):
        limit[i] = free
    for s in range(p.used.segments[0]):
        first, slot = p.segment.first[s], p.segment.slot[s]
        for i in range(first, p.segment.end[s]):
            distance = -p.contact.penetration[slot + i - first]
            limit[min(i, last)] = min(limit[min(i, last)], max(near * distance, least))


@kernel(inner=True)
def add_block(block, i, xx, xy, yy):
    """Add a symmetric stiffness in the directions x and y to block i."""
    block[i, 0, 0] += xx
    block[i, 0, 1] += xy
    block[i, 1, 0] += xy
    block[i, 1, 1] += yy


@kernel(inner=True)
def tooth_bend(place, p, w, face, i, k):
    """Return the change of direction of the normal along the face where roller i, in slot k, presses on it. [1/m]

    face: a face of wheel w.
    """
    ca, sa = p.frame.cos[w], p.frame.sin[w]
    ux = ca * p.candidate.cos[k] - sa * p.candidate.sin[k]
    uy = sa * p.candidate.cos[k] + ca * p.candidate.sin[k]
    dx, dy = place[i] - p.frame.x[w], place[p.rollers + i] - p.frame.y[w]
    side, eta, flank = ux * dy - uy * dx, ux * dx + uy * dy, p.face.side[face]
    if p.gap_shift.shape[0] > 0:
        side, eta = side - p.candidate.y[k], eta - p.candidate.x[k]
    xi = flank * side if flank != 0 else abs(side)
    first = p.face.profile[face]
    e = first
    for row in range(first + 1, first + P.PROFILE_ROWS):
        if (xi - p.profile[row, 5]) * p.profile[row, 7] + (eta - p.profile[row, 6]) * p.profile[row, 8] > 0.0:
            e = row
    return bend(xi - p.profile[e, 0], eta - p.profile[e, 1], p.profile[e, 2], p.profile[e, 3], p.profile[e, 4])


@kernel(inner=True)
def guide_bend(place, p, g, i):
    """Return the change of direction of the normal along the surface where roller i presses on guide
    surface g. [1/m]
    """
    dx, dy = place[i] - p.frame.x[g], place[p.rollers + i] - p.frame.y[g]
    ca, sa = p.frame.cos[g], p.frame.sin[g]
    first, end = p.surface.profile[g], p.surface.profile_end[g]
    own_x, own_y, depth = ca * dx + sa * dy, ca * dy - sa * dx, p.surface.depth[g]
    _, _, _, turn = open_profile_field(p.guide_profile, first, end, own_x, own_y, depth)
    return turn


@kernel(inner=True)
def _contacts(place, p, matrix, s, convex):
    """Add the stiffness of the contacts of one run of rollers with a wheel or a guide to ``matrix``."""
    surface, first, slot = p.segment.surface[s], p.segment.first[s], p.segment.slot[s]
    face = p.segment.face[s]
    for i in range(first, p.segment.end[s]):
        k = slot + i - first
        depth = p.contact.penetration[k]
        if depth <= 0.0:
            continue
        nx, ny = p.contact.normal_x[k], p.contact.normal_y[k]
        force = p.contact.elastic[k]
        exponent = p.surface.exponent[surface]
        if p.surface.law[surface] == P.LAW_OWN:
            exponent = own_exponent(p, surface, depth)
        slope = exponent * force / depth
        turn = tooth_bend(place, p, surface, face, i, k) if surface < p.wheels else guide_bend(place, p, surface, i)
        across = -force * turn
        if convex and across < 0.0:
            across = 0.0
        xx, xy, yy = (
            slope * nx * nx + across * ny * ny,
            (slope - across) * nx * ny,
            slope * ny * ny + across * nx * nx,
        )
        add_block(matrix.diagonal, i, xx, xy, yy)
        if convex:
            force = 0.0
        rx, ry = place[i] - p.frame.x[surface], place[p.rollers + i] - p.frame.y[surface]
        wheel = surface < p.wheels
        if wheel:  # dx - du = -(-ry, rx) dtheta
            sx, sy = xy * rx - xx * ry, yy * rx - xy * ry
            a = p.wheel.axle[surface]
            matrix.border[i, 0, a] -= sx - force * ny
            matrix.border[i, 1, a] -= sy + force * nx
            matrix.corner[a, a] += sy * rx - sx * ry + force * (rx * nx + ry * ny)
        body = p.surface.body[surface]
        if body >= 0:
            _supported_contact(
                p, matrix, surface, body, i, xx, xy, yy, force * nx, force * ny, place[i], place[p.rollers + i]
            )


@kernel(inner=True)
def _supported_contact(p, matrix, surface, body, i, xx, xy, yy, fx, fy, x, y):
    """Add the stiffness that the contact of roller i, at (x, y), gives to the joints that support its surface.

    xx, xy, yy: stiffness of the contact; fx, fy: force of the contact on the roller. The angle of a wheel is relative
    to the ground, so its normals do not turn with the body. The point that moves with the body is then the centre of
    the wheel.
    """
    wheel = surface < p.wheels
    px, py = (p.frame.x[surface], p.frame.y[surface]) if wheel else (x, y)
    rx, ry = x - p.frame.x[surface], y - p.frame.y[surface]
    b = body
    while b >= 0:
        j = p.tree.body.coordinate[b]
        if j >= 0:
            column = p.axles + j
            gx, gy = tree.point_jacobian(p.tree, b, px, py)
            turns = 1.0 if p.tree.body.joint[b] == REVOLUTE and not wheel else 0.0
            sx, sy = xx * gx + xy * gy - turns * fy, xy * gx + yy * gy + turns * fx
            matrix.border[i, 0, column] -= sx
            matrix.border[i, 1, column] -= sy
            if wheel:
                # with the angle of the wheel, whose turning turns the normal
                mixed = gx * (xy * rx - xx * ry - fy) + gy * (yy * rx - xy * ry + fx)
                matrix.corner[p.wheel.axle[surface], column] += mixed
                matrix.corner[column, p.wheel.axle[surface]] += mixed
            a = body
            while a >= 0:
                i_a = p.tree.body.coordinate[a]
                if i_a >= 0:
                    hx, hy = tree.point_jacobian(p.tree, a, px, py)
                    matrix.corner[p.axles + i_a, column] += hx * sx + hy * sy
                a = p.tree.body.parent[a]
        b = p.tree.body.parent[b]


@kernel(inner=True)
def no_joint_stiffness(y, p, matrix):
    """Add no stiffness, because there is no mechanism."""


@kernel(inner=True)
def joint_stiffness(y, p, matrix):
    """Add the stiffness due to springs, weights and tensioners, by finite differences with constant contact forces, and
    that of the clutches.
    """
    at = p.layout.joint_position
    for b in range(p.tree.bodies):
        k = p.tree.body.coordinate[b]
        if k < 0:
            continue
        here = y[at + k]
        y[at + k] = here + JOINT_SHIFT
        _joint_forces(y, p)
        for j in range(p.tree.joints):
            matrix.corner[p.axles + j, p.axles + k] -= p.tree.force[j] / (2.0 * JOINT_SHIFT)
        y[at + k] = here - JOINT_SHIFT
        _joint_forces(y, p)
        for j in range(p.tree.joints):
            matrix.corner[p.axles + j, p.axles + k] += p.tree.force[j] / (2.0 * JOINT_SHIFT)
        y[at + k] = here
    _joint_forces(y, p)
    clutch_stiffness(p, matrix)


@kernel(inner=True)
def _joint_forces(y, p):
    """Compute the generalised forces of the joints for the roller forces of the last evaluation.

    Forces on a wheel act at its centre, even if the centre has moved; forces on a guide remain at the rollers.
    """
    at = p.layout.joint_position
    tree.kinematics(y, at, speeds_behind(p), p.tree)
    tree.clear(p.tree, p.gravity_x, p.gravity_y)
    for s in range(p.surfaces):
        body = p.surface.body[s]
        if body < 0:
            continue
        fx, fy = p.resultant.x[s], p.resultant.y[s]
        if s < p.wheels:
            px, py, _, _ = tree.place(p.tree, body, p.surface.x[s], p.surface.y[s])
            mass = p.wheel.mass[s]
            tree.apply_force(p.tree, body, px, py, fx + mass * p.gravity_x, fy + mass * p.gravity_y, 0.0)
        else:
            moment = p.frame.x[s] * fy - p.frame.y[s] * fx + p.resultant.moment[s]
            tree.apply_force(p.tree, body, 0.0, 0.0, fx, fy, moment)
    load_anchored_bodies(p)
    elements.forces(0.0, y, p.layout.pressure, p.derivative, p.tree, p.elements)
    tree.assemble(y, at, speeds_behind(p), p.tree)


def statics_of(stiffness: Kernel) -> Statics:
    """Return the kernels of the statics, compiled around the stiffness of a formulation."""
    return Statics(stiffness, _links_of, _leeway)


def _links_of(p: Any) -> int:
    return int(p.links)


@kernel
def _leeway(p, free, near, limit):
    """Compute the largest travel of every roller, or bush, in one step, (N,). [m]"""
    contact_leeway(p.planar, free, near, limit)
