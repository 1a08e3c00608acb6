"""Forces and moments that the joints of a mechanism transmit, and the energies of its bodies, after ``solve`` at the
same state.
"""

from __future__ import annotations

import math

from chaindrive.kernels import kernel
from chaindrive.mechanism.tree_kernels import momentum, outer, place
from chaindrive.physics.tensioners.mechanical import stop_energy


@kernel
def reactions(tree, joint_force, joint_moment):
    """Compute the force [N] and moment [N m] that every body exerts on its parent through its joint.

    They are written to joint_force (B, 2), in global coordinates, and joint_moment (B,), about the present position of
    the joint. They contain everything that the joint transmits: the constraint, the joint's spring, damper, stops and
    load, and the force for a prescribed motion. They equal all loads on the parts supported by the joint minus the rate
    of change of momentum of these parts.
    """
    for b in range(tree.bodies):
        joint_force[b, 0], joint_force[b, 1] = tree.wrench.force_x[b], tree.wrench.force_y[b]
        joint_moment[b] = tree.wrench.moment[b]
    for b in range(tree.bodies):
        c = b
        while c >= 0:
            j = tree.body.coordinate[c]
            if j >= 0:  # joint c moves all that b supports
                px, py, moment = momentum(tree, b, c)
                _subtract(b, tree.acceleration[j], px, py, moment, joint_force, joint_moment)
            c = tree.body.parent[c]
        j, c = tree.body.coordinate[b], tree.body.parent[b]
        if j < 0:
            continue
        px, py, moment = momentum(tree, b, b)
        while c >= 0:  # and all that c supports holds b, which moves by its own joint
            _subtract(c, tree.acceleration[j], px, py, moment, joint_force, joint_moment)
            c = tree.body.parent[c]
    _unbalanced_reactions(tree, joint_force, joint_moment)
    for b in range(tree.bodies):
        joint_moment[b] += tree.frame.y[b] * joint_force[b, 0] - tree.frame.x[b] * joint_force[b, 1]


@kernel
def _subtract(b, factor, fx, fy, moment, joint_force, joint_moment):
    joint_force[b, 0] -= factor * fx
    joint_force[b, 1] -= factor * fy
    joint_moment[b] -= factor * moment


@kernel
def _unbalanced_reactions(tree, joint_force, joint_moment):
    """Add the forces that the angular accelerations of unbalanced wheels exert on the bodies that carry them."""
    unbalanced = tree.unbalanced
    for w in range(unbalanced.body.size):
        b = unbalanced.body[w]
        if b < 0:
            continue
        acceleration = unbalanced_acceleration(tree, w)
        cx, cy = unbalanced.cx[w], unbalanced.cy[w]
        moment = unbalanced.x[w] * cy - unbalanced.y[w] * cx
        while b >= 0:
            _subtract(b, acceleration, cx, cy, moment, joint_force, joint_moment)
            b = tree.body.parent[b]


@kernel
def unbalanced_acceleration(tree, w):
    """Return the angular acceleration of the unbalanced wheel w after ``solve``. [rad/s^2]"""
    moment, inertia = tree.unbalanced.moment[w], tree.unbalanced.inertia[w]
    return moment if inertia == math.inf else (moment - outer(tree, w)) / inertia


@kernel
def energies(tree, y, at, positions, gx, gy):
    """Return the kinetic, elastic and gravity energy of the bodies themselves, without the parts that they carry. [J]

    The elastic energy is that of springs and stops of the joints, and -load x coordinate, since a constant load is like
    an infinitely long spring. The gravity energy is zero at the global origin. To be called after ``kinematics`` with
    the same state y.
    """
    kinetic, elastic, gravity = 0.0, 0.0, 0.0
    for b in range(tree.bodies):
        body = tree.body
        px, py, vx, vy = place(tree, b, body.centre_x[b], body.centre_y[b])
        angular_velocity = tree.frame.angular_velocity[b]
        kinetic += 0.5 * (body.mass[b] * (vx * vx + vy * vy) + body.inertia[b] * angular_velocity * angular_velocity)
        gravity -= body.mass[b] * (gx * px + gy * py)
        j = tree.body.coordinate[b]
        if j >= 0:
            s = y[at + j]
            elastic += 0.5 * body.stiffness[b] * (s - body.neutral[b]) ** 2 - body.load[b] * s
            elastic += stop_energy(body.lower[b] - s, body.stop_stiffness[b])
            elastic += stop_energy(s - body.upper[b], body.stop_stiffness[b])
    return kinetic, elastic, gravity
