"""Rigid links under impulses from rigid contacts.

The joints are solved implicitly over a step, or are constraints.

The rates of a joint are the rates of change of the vector from its bush to its pin and of the angle between the two
links. If the joint resists them with a stiffness K and a damping C, the implicit midpoint rule over a step h turns K
and C into a resistance to a change of the rates J v,

    D = h^2 K/4 + h C/2 = E^T E.

With B := E J for all joints,

    (M + B^T B)^-1 M = 1 - M^-1 B^T A^-1 B,      A = 1 + B M^-1 B^T.

A revolute joint that neither deflects nor has clearance is a constraint. In its rows E is the unit matrix, A lacks the
term 1, and a fraction b of the gap d from the bush to the pin closes by the middle of the next step:

    J v+ = -b d/h.

With b = 1 this is one iteration of the leapfrog method with constraints (SHAKE: Ryckaert, Ciccotti & Berendsen 1977).
For a link of length l that turns with angular velocity w, the gap settles at (h w)^2 l/(2 b) in the middle of a step.
J v only changes its sign there, so constraints do no work. With b = 0.1 a gap at the start of a run or after an impact
closes in some ten steps without a jerk.

A joint is coupled to the adjacent ones: A is cyclic block tridiagonal, with 3 x 3 blocks (contract/bordered.py). M also
contains the resistance of the tension of a link to its rotation.
"""

from __future__ import annotations

import math

from chaindrive.contract.bordered import factorise, solve
from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.link.chain import locate
from chaindrive.formulations.link.joints import joint_spring_of
from chaindrive.formulations.link.mobility import arm_of, mobility
from chaindrive.formulations.planar.rigid import RigidChain
from chaindrive.kernels import copy_into, fill, kernel
from chaindrive.physics.friction import vector_tanh
from chaindrive.physics.pin import oil_film_force, pin_force

__all__ = ["CLOSING", "RIGID_CHAIN", "is_constrained"]

CLOSING = 0.1
"""Fraction of the gap of a constraint that closes in one step. [-]"""


@kernel(inline=True)
def is_constrained(p, j):
    """Return whether joint j is a constraint.

    Joints of fittings, which have a stiffness, and free ends are not constraints.
    """
    return p.joint_kind == L.REVOLUTE and (p.planar.closed or 0 < j < p.links)


@kernel(inner=True)
def _locate(y, later, p):
    """See ``planar.rigid.RigidChain``: links continue to turn, and so do the relative velocities of their bushes."""
    locate(y, p)
    joints, turning, velocity = p.planar.rollers, p.planar.turning, p.velocity
    for bush in range(joints):
        i, ax, ay = arm_of(p, bush)
        rate = turning[i]
        cosine, sine = math.cos(rate * later) - 1.0, math.sin(rate * later)
        velocity[bush] -= rate * (sine * ax + cosine * ay)
        velocity[joints + bush] += rate * (cosine * ax - sine * ay)


@kernel(inner=True)
def _prepare(h, p):
    """Factorise A for the joints of the last evaluation."""
    n, joints, row = p.links, p.planar.rollers, p.implicit
    row.step[0] = h
    for i in range(n):
        row.inverse_mass[i] = 1.0 / (p.body.mass[i] + p.planar.carried[i])
        row.inverse_inertia[i] = 1.0 / (p.body.inertia[i] + 0.25 * h * h * _straightening(p, i))
    for j in range(joints):
        _weigh(h, j, p)
        for r in range(3):
            for c in range(3):
                row.matrix.diagonal[j, r, c] = row.matrix.upper[j, r, c] = 0.0
            row.matrix.diagonal[j, r, r] = 0.0 if r < 2 and is_constrained(p, j) else 1.0
    for i in range(n):
        ahead = i + 1 if i + 1 < joints else 0
        _couple(row.rear, row.rear, i, row.matrix.diagonal[i], row)
        _couple(row.front, row.front, i, row.matrix.diagonal[ahead], row)
        _couple(row.rear, row.front, i, row.matrix.upper[i], row)
    if not factorise(row.matrix, row.shift, row.free, row.factors):
        row.step[0] = math.nan  # links folded upon each other: no impulse closes them, and the run ends


@kernel(inner=True)
def _straightening(p, i):
    """Return the stiffness of a link against rotation due to the forces on its two joints, each part at least
    zero. [N m/rad]
    """
    link, pin = p.link, p.pin
    ahead = i + 1 if i + 1 < p.planar.rollers else 0
    at_bush = pin.force_x[i] * link.bush_x[i] + pin.force_y[i] * link.bush_y[i]
    at_pin = pin.force_x[ahead] * link.pin_x[i] + pin.force_y[ahead] * link.pin_y[i]
    return max(at_bush, 0.0) + max(-at_pin, 0.0)


@kernel(inner=True)
def _weigh(h, j, p):
    """Compute the rows of B for joint j, for the link of its bush and for the link of its pin."""
    row, pin, joint = p.implicit, p.pin, p.joint
    ex, ey, along, across = 1.0, 0.0, 1.0, 1.0
    off_x, off_y = 0.0, 0.0
    if is_constrained(p, j):  # its force acts at the pin on both links
        off_x, off_y = pin.x[j] - p.place[j], pin.y[j] - p.place[p.planar.rollers + j]
    elif p.joint_kind == L.CLEARANCE:
        ex, ey = pin.normal_x[j], pin.normal_y[j]
        along, across = _pressed(h, j, p)
    else:
        along = across = math.sqrt(0.25 * h * h * joint.stiffness[j] + 0.5 * h * joint.damping[j])
    turning = 0.0
    if is_constrained(p, j) or joint.stiffness[j] > 0.0:  # not where an end is free
        turning = math.sqrt(0.25 * h * h * _held(j, p) + 0.5 * h * _rotation_damping(j, p))
    i = j if j < p.links else -1
    if i >= 0:
        bx, by = p.link.bush_x[i] + off_x, p.link.bush_y[i] + off_y
        _rows(row.rear[i], -1.0, along * ex, along * ey, -across * ey, across * ex, bx, by, turning)
    before = j - 1 if j > 0 else (p.links - 1 if p.planar.closed else -1)
    if before >= 0:
        ax, ay = p.link.pin_x[before], p.link.pin_y[before]
        _rows(row.front[before], 1.0, along * ex, along * ey, -across * ey, across * ex, ax, ay, turning)


@kernel(inner=True)
def _rows(rows, sign, ux, uy, vx, vy, px, py, turning):
    """Write the rows of B for one link into ``rows`` (3, 3), with the arm (px, py).

    There are two rows for the directions, and one for the angle.
    """
    rows[0, 0], rows[0, 1], rows[0, 2] = sign * ux, sign * uy, sign * (uy * px - ux * py)
    rows[1, 0], rows[1, 1], rows[1, 2] = sign * vx, sign * vy, sign * (vy * px - vx * py)
    rows[2, 0], rows[2, 1], rows[2, 2] = 0.0, 0.0, -sign * turning


@kernel(inner=True)
def _pressed(h, j, p):
    """Return the square roots of the resistance of a pin in a bush with clearance. [kg^(1/2)]

    The first is along the line between the centres, the second normal to it.
    """
    depth, rate, stiffness, damping = p.pin.penetration[j], p.pin.rate[j], p.joint.stiffness[j], p.joint.damping[j]
    along, across = 0.0, 0.0
    if pin_force(depth, rate, stiffness, damping) > 0.0:
        along = 0.25 * h * h * stiffness + 0.5 * h * damping
        across = 0.25 * h * h * stiffness * depth / (depth + p.joint.clearance[j])
    if rate > 0.0:
        along += 0.5 * h * oil_film_force(depth, 1.0, p.oil_damping, p.oil_inverse_distance)
    return math.sqrt(along), math.sqrt(across)


@kernel(inner=True)
def _held(j, p):
    """Return the stiffness of joint j against rotation while its friction holds it. [N m/rad]"""
    if not p.planar.elastic_friction or p.joint_friction_radius == 0.0:
        return 0.0
    limit = p.joint_friction_radius * abs(p.pin.force[j])
    return p.joint_friction_stiffness if abs(joint_spring_of(p, j)) < limit else 0.0


@kernel(inner=True)
def _rotation_damping(j, p):
    """Return the damping of joint j against rotation, including the slope of smoothed friction. [N m s/rad]"""
    if p.planar.elastic_friction or p.joint_friction_radius == 0.0:
        return p.joint_damping
    before = p.planar.turning[j - 1 if j > 0 else (p.links - 1 if p.planar.closed else 0)]
    share = vector_tanh((p.planar.turning[j] - before) / p.joint_friction_rate)
    slope = p.joint_friction_radius * abs(p.pin.force[j]) / p.joint_friction_rate
    return p.joint_damping + slope * (1.0 - share * share)


@kernel(inner=True)
def _couple(one, other, i, block, row):
    """Add ``one`` M^-1 ``other``^T of link i to a block of A."""
    mass, inertia = row.inverse_mass[i], row.inverse_inertia[i]
    for r in range(3):
        x, y, turn = mass * one[i, r, 0], mass * one[i, r, 1], inertia * one[i, r, 2]
        for c in range(3):
            block[r, c] += x * other[i, c, 0] + y * other[i, c, 1] + turn * other[i, c, 2]


@kernel(inner=True)
def _gather(v, p):
    """Write B v into ``p.implicit.right``, (3 J,): the first row of all joints, then the second, then the third."""
    n, joints, row = p.links, p.planar.rollers, p.implicit
    fill(row.right, 0.0)
    for i in range(n):
        ahead = i + 1 if i + 1 < joints else 0
        for r in range(3):
            behind = row.rear[i, r, 0] * v[i] + row.rear[i, r, 1] * v[n + i] + row.rear[i, r, 2] * v[2 * n + i]
            before = row.front[i, r, 0] * v[i] + row.front[i, r, 1] * v[n + i] + row.front[i, r, 2] * v[2 * n + i]
            row.right[r * joints + i] += behind
            row.right[r * joints + ahead] += before


@kernel(inner=True)
def _resist(p):
    """Compute the impulses of the joints against the rates in ``p.implicit.right``, into ``p.implicit.impulse``."""
    row = p.implicit
    solve(row.matrix, row.free, row.factors, row.right, row.impulse)
    if math.isnan(row.step[0]):
        fill(row.impulse, math.nan)


@kernel(inner=True)
def _yield(v, p):
    """Change the velocities (C,) by the impulses of the joints."""
    n, joints, row, impulse = p.links, p.planar.rollers, p.implicit, p.implicit.impulse
    for i in range(n):
        ahead, x, y, turn = i + 1 if i + 1 < joints else 0, 0.0, 0.0, 0.0
        for r in range(3):
            behind, before = impulse[r * joints + i], impulse[r * joints + ahead]
            x += row.rear[i, r, 0] * behind + row.front[i, r, 0] * before
            y += row.rear[i, r, 1] * behind + row.front[i, r, 1] * before
            turn += row.rear[i, r, 2] * behind + row.front[i, r, 2] * before
        v[i] -= row.inverse_mass[i] * x
        v[n + i] -= row.inverse_mass[i] * y
        v[2 * n + i] -= row.inverse_inertia[i] * turn


@kernel(inner=True)
def _add_reactions(before_x, before_y, p):
    """Set the forces that constraints exert until the next step.

    They are the previous forces, (J,) each, plus the latest impulses.
    """
    joints, impulse = p.planar.rollers, p.implicit.impulse
    for j in range(joints):
        if is_constrained(p, j):
            p.reaction.x[j] = before_x[j] + impulse[j]
            p.reaction.y[j] = before_y[j] + impulse[joints + j]


@kernel(inner=True)
def _soften(v, p):
    """See ``planar.rigid.RigidChain``; v are accelerations with the last reactions of constraints."""
    n, joints, row, pin, place = p.links, p.planar.rollers, p.implicit, p.pin, p.place
    for i in range(n):
        v[2 * n + i] *= p.body.inertia[i] * row.inverse_inertia[i]
    _gather(v, p)
    h = row.step[0]
    for j in range(joints):
        if is_constrained(p, j):
            x, y = pin.x[j] - place[j], pin.y[j] - place[joints + j]
            vx = pin.vx[j] - p.velocity[j] + p.planar.turning[j] * y
            vy = pin.vy[j] - p.velocity[joints + j] - p.planar.turning[j] * x
            row.right[j] += (vx + CLOSING * x / h) / h
            row.right[joints + j] += (vy + CLOSING * y / h) / h
    _resist(p)
    _yield(v, p)
    if p.joint_kind == L.REVOLUTE:
        _add_reactions(p.reaction.x, p.reaction.y, p)
        copy_into(row.alone_x, p.reaction.x)
        copy_into(row.alone_y, p.reaction.y)


@kernel(inner=True)
def _correct(v, p):
    """See ``planar.rigid.RigidChain``; v are velocities that fit the constraints."""
    n, row = p.links, p.implicit
    for i in range(n):
        v[2 * n + i] *= p.body.inertia[i] * row.inverse_inertia[i]
    _join(v, p)
    if p.joint_kind == L.REVOLUTE:
        for r in range(row.impulse.size):
            row.impulse[r] /= row.step[0]
        _add_reactions(row.alone_x, row.alone_y, p)
        copy_into(row.alone_x, p.reaction.x)
        copy_into(row.alone_y, p.reaction.y)


@kernel(inner=True)
def _join(v, p):
    """See ``planar.rigid.RigidChain``."""
    _gather(v, p)
    _resist(p)
    _yield(v, p)


@kernel(inner=True)
def _react(count, force, p):
    """See ``planar.rigid.RigidChain``."""
    if p.joint_kind != L.REVOLUTE or count == 0:
        return
    v = p.implicit.moved
    fill(v, 0.0)
    for a in range(2 * count):
        _push(a, force[a], v, p)
    _gather(v, p)
    _resist(p)
    _add_reactions(p.implicit.alone_x, p.implicit.alone_y, p)


@kernel(inner=True)
def _push(a, impulse, v, p):
    """See ``planar.rigid.RigidChain``."""
    meeting, n = p.planar.meeting, p.links
    i, ax, ay = arm_of(p, meeting.roller[a])
    dx, dy = meeting.x[a], meeting.y[a]
    v[i] += impulse * dx * p.implicit.inverse_mass[i]
    v[n + i] += impulse * dy * p.implicit.inverse_mass[i]
    v[2 * n + i] += impulse * (ax * dy - ay * dx + meeting.twist[a]) * p.implicit.inverse_inertia[i]


RIGID_CHAIN = RigidChain(
    locate=_locate,
    prepare=_prepare,
    soften=_soften,
    correct=_correct,
    join=_join,
    mobility=mobility,
    push=_push,
    react=_react,
)
