"""Bodies in a tree of joints: the arrays that describe it, their columns, and the equations of motion.

Minimal coordinates: one for each moving joint, so that constraints hold exactly and need no multipliers. The equations
are those of the composite rigid body method (Featherstone 2008, chapter 6) in the plane, with every wrench and moment
of mass taken about the global origin, where they add without being transformed.

One evaluation, the caller's part indented:

    kinematics, clear
        apply_force(...) and add_mass(...) whatever acts and rides on the bodies
    assemble
        couple(...) or couple_prescribed(...) unbalanced wheels
    solve
    reactions, energies when they are wanted
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.kernels import kernel
from chaindrive.mechanism.motion import FREE, motion_acceleration
from chaindrive.physics.tensioners.mechanical import stop_force

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

GROUND = -1
FIXED, REVOLUTE, PRISMATIC = 0, 1, 2

# Columns of Tree.index, one row a body
PARENT = 0  # another body, or GROUND
JOINT = 1  # FIXED, REVOLUTE, PRISMATIC
COORDINATE = 2  # -1 for a fixed joint
MOTION = 3  # mechanism.motion.MotionKind, FREE for a joint that moves freely
ORDER = 4  # row k: the body that comes k-th when parents come before their children
INDEX_COLUMNS = 5

# Columns of Tree.body, one row a body. In the reference configuration all coordinates are zero and all frames are
# parallel to the global one; the origin of a body's frame is then its joint's point.
MASS = 0  # [kg]
INERTIA = 1  # about the centre of mass [kg m^2]
CENTRE_X, CENTRE_Y = 2, 3  # centre of mass in the frame of the body [m]
JOINT_X, JOINT_Y = 4, 5  # the joint's point in the frame of the parent, at coordinate zero [m]
DIRECTION_X, DIRECTION_Y = 6, 7  # of a prismatic joint, unit vector in the frame of the parent
# The joint's own laws: in N, m for a prismatic joint, in N m, rad for a revolute one.
STIFFNESS, DAMPING = 8, 9
NEUTRAL = 10  # coordinate at which the spring is unloaded
LOAD = 11  # constant force or torque in the positive sense
LOWER, UPPER = 12, 13  # end stops, -inf and inf for none
STOP_STIFFNESS, STOP_DAMPING = 14, 15
FRICTION = 16  # Coulomb friction
FRICTION_RATE = 17  # rate at which it has 76 % of its full value, in rad/s or m/s
BODY_COLUMNS = 18

# Columns of Tree.frame, one row a body, of the last ``kinematics``
X, Y, VX, VY = 0, 1, 2, 3  # origin of the frame [m], [m/s]
ANGLE, ANGULAR_VELOCITY = 4, 5  # [rad], [rad/s]
COS, SIN = 6, 7
AX, AY = 8, 9  # acceleration of the origin when all joint accelerations are zero [m/s^2]
DX, DY = 10, 11  # direction of the joint, global
FRAME_COLUMNS = 12

# Columns of Tree.wrench
FORCE_X, FORCE_Y, MOMENT = 0, 1, 2  # [N], [N m]

# Columns of Tree.composite
TOTAL = 0  # [kg]
FIRST_X, FIRST_Y = 1, 2  # [kg m]
SECOND = 3  # [kg m^2]

# Columns of Tree.unbalanced, one row an unbalanced wheel
UNBALANCED_BODY = 0
UNBALANCED_X, UNBALANCED_Y = 1, 2  # its centre [m]
UNBALANCED_CX, UNBALANCED_CY = 3, 4  # force on the body for each unit of angular acceleration, reversed [kg m]
UNBALANCED_MOMENT = 5  # [N m]; of a wheel whose motion is prescribed: its angular acceleration [rad/s^2]
UNBALANCED_INERTIA = 6  # about the axis [kg m^2]; infinite for a wheel whose motion is prescribed
UNBALANCED_COLUMNS = 7


class Tree(NamedTuple):
    """A mechanism as numbers, and scratch for its equations of motion.

    B bodies, J coordinates, W point_masses wheels.
    """

    bodies: int
    joints: int
    """Moving joints, that is coordinates: J"""
    index: IntArray  # type: ignore[assignment]  # tuple.index, which nobody asks of parameters
    """(B, INDEX_COLUMNS)"""
    body: FloatArray
    """(B, BODY_COLUMNS)"""
    motion: FloatArray
    """(J, columns), see mechanism.motion"""
    motion_table: FloatArray
    """(rows, 5), see mechanism.motion"""
    # scratch
    frame: FloatArray
    """(B, FRAME_COLUMNS)"""
    wrench: FloatArray
    """(B, 3): what acts on a body, moment about the global origin; after ``assemble`` and on all that it supports"""
    composite: FloatArray
    """(B, 4): mass of a body and what rides on it, moments about the global origin; after ``assemble`` as wrench"""
    mass: FloatArray
    """(J, J)"""
    factor: FloatArray
    """(J, J)"""
    force: FloatArray
    """(J,)"""
    acceleration: FloatArray
    """(J,)"""
    coupling: FloatArray
    """(W, J): (UNBALANCED_CX, UNBALANCED_CY) . d(centre of the wheel)/d(coordinate) [kg m or kg m^2]"""
    unbalanced: FloatArray
    """(W, UNBALANCED_COLUMNS)"""


SCRATCH = ("frame", "wrench", "composite", "mass", "factor", "force", "acceleration", "coupling", "unbalanced")
"""Fields of a ``Tree`` that an evaluation leaves something in."""


@kernel
def kinematics(y, at, positions, tree):
    """Frames of all bodies, with their velocities and the accelerations that do not come from joint accelerations.

    y: state, joint coordinate j at y[at + j], its speed at y[positions + at + j]. [m, m/s, rad, rad/s]
    """
    for k in range(tree.bodies):
        b = tree.index[k, ORDER]
        _frame(y, at, positions, tree, b)


@kernel
def _frame(y, at, positions, tree, b):
    body, frame, a, j = tree.body, tree.frame, tree.index[b, PARENT], tree.index[b, COORDINATE]
    turn, joint_rate, slide, slip = 0.0, 0.0, 0.0, 0.0
    if tree.index[b, JOINT] == REVOLUTE:
        turn, joint_rate = y[at + j], y[positions + at + j]
    elif tree.index[b, JOINT] == PRISMATIC:
        slide, slip = y[at + j], y[positions + at + j]
    ox, oy, vx, vy, angle, angular_velocity, cos, sin, ax, ay = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    if a >= 0:
        ox, oy, vx, vy = frame[a, X], frame[a, Y], frame[a, VX], frame[a, VY]
        angle, angular_velocity, cos, sin = frame[a, ANGLE], frame[a, ANGULAR_VELOCITY], frame[a, COS], frame[a, SIN]
        ax, ay = frame[a, AX], frame[a, AY]
    px = body[b, JOINT_X] + slide * body[b, DIRECTION_X]
    py = body[b, JOINT_Y] + slide * body[b, DIRECTION_Y]
    rx, ry = cos * px - sin * py, sin * px + cos * py
    dx = cos * body[b, DIRECTION_X] - sin * body[b, DIRECTION_Y]
    dy = sin * body[b, DIRECTION_X] + cos * body[b, DIRECTION_Y]
    frame[b, X], frame[b, Y] = ox + rx, oy + ry
    frame[b, VX], frame[b, VY] = vx - angular_velocity * ry + slip * dx, vy + angular_velocity * rx + slip * dy
    # Centripetal, and Coriolis where the joint slides in a turning parent.
    frame[b, AX] = ax - angular_velocity * angular_velocity * rx - 2.0 * angular_velocity * slip * dy
    frame[b, AY] = ay - angular_velocity * angular_velocity * ry + 2.0 * angular_velocity * slip * dx
    frame[b, DX], frame[b, DY] = dx, dy
    frame[b, ANGLE], frame[b, ANGULAR_VELOCITY] = angle + turn, angular_velocity + joint_rate
    frame[b, COS], frame[b, SIN] = math.cos(angle + turn), math.sin(angle + turn)


@kernel
def place(tree, b, x, y):
    """Global place [m] and velocity [m/s] of the point (x, y) of the frame of body b: px, py, vx, vy.

    Of the ground (b = -1): the point itself, at rest.
    """
    if b < 0:
        return x, y, 0.0, 0.0
    frame = tree.frame
    rx = frame[b, COS] * x - frame[b, SIN] * y
    ry = frame[b, SIN] * x + frame[b, COS] * y
    angular_velocity = frame[b, ANGULAR_VELOCITY]
    vx, vy = frame[b, VX] - angular_velocity * ry, frame[b, VY] + angular_velocity * rx
    return frame[b, X] + rx, frame[b, Y] + ry, vx, vy


@kernel
def bias(tree, b, px, py):
    """Acceleration of the point of body b at the global place (px, py) with all joint accelerations zero. [m/s^2]"""
    if b < 0:
        return 0.0, 0.0
    frame = tree.frame
    square = frame[b, ANGULAR_VELOCITY] * frame[b, ANGULAR_VELOCITY]
    return frame[b, AX] - square * (px - frame[b, X]), frame[b, AY] - square * (py - frame[b, Y])


@kernel
def clear(tree, gx, gy):
    """Begin to add up forces: weight and inertial bias force of the bodies themselves, and nothing else.

    gx, gy: gravity [m/s^2]. Needs ``kinematics``.
    """
    for b in range(tree.bodies):
        mass = tree.body[b, MASS]
        px, py, _, _ = place(tree, b, tree.body[b, CENTRE_X], tree.body[b, CENTRE_Y])
        ax, ay = bias(tree, b, px, py)
        fx, fy = mass * (gx - ax), mass * (gy - ay)
        tree.wrench[b, FORCE_X], tree.wrench[b, FORCE_Y] = fx, fy
        tree.wrench[b, MOMENT] = px * fy - py * fx
        tree.composite[b, TOTAL] = mass
        tree.composite[b, FIRST_X], tree.composite[b, FIRST_Y] = mass * px, mass * py
        tree.composite[b, SECOND] = mass * (px * px + py * py) + tree.body[b, INERTIA]
    tree.force[:] = 0.0
    tree.unbalanced[:, UNBALANCED_BODY] = GROUND


@kernel
def apply_force(tree, b, px, py, fx, fy, moment):
    """Add an external force [N] at the global place (px, py) and a moment [N m] on body b; on the ground: nothing."""
    if b >= 0:
        tree.wrench[b, FORCE_X] += fx
        tree.wrench[b, FORCE_Y] += fy
        tree.wrench[b, MOMENT] += px * fy - py * fx + moment


@kernel
def add_mass(tree, b, px, py, m):
    """Let a point mass [kg] ride on body b at the global place (px, py); on the ground: nothing.

    Its weight and its bias force -m ``bias`` are pushed by the caller.
    """
    if b >= 0:
        tree.composite[b, TOTAL] += m
        tree.composite[b, FIRST_X] += m * px
        tree.composite[b, FIRST_Y] += m * py
        tree.composite[b, SECOND] += m * (px * px + py * py)


@kernel
def point_jacobian(tree, b, px, py):
    """Velocity of the global place (px, py) for a unit speed of the joint of body b that supports it."""
    if tree.index[b, JOINT] == REVOLUTE:
        return tree.frame[b, Y] - py, px - tree.frame[b, X]
    return tree.frame[b, DX], tree.frame[b, DY]


@kernel
def _along(tree, b, fx, fy, moment):
    """Part of a wrench about the global origin that works on the coordinate of the joint of body b. [N or N m]"""
    if tree.index[b, JOINT] == REVOLUTE:
        return moment - tree.frame[b, X] * fy + tree.frame[b, Y] * fx
    return tree.frame[b, DX] * fx + tree.frame[b, DY] * fy


@kernel
def momentum(tree, b, c):
    """Momentum, and its moment about the global origin, of all that body b supports for a unit speed of joint c.

    Joint c: that of body c, which is b itself or supports it.
    """
    total, mx, my = tree.composite[b, TOTAL], tree.composite[b, FIRST_X], tree.composite[b, FIRST_Y]
    if tree.index[c, JOINT] == REVOLUTE:
        x, y = tree.frame[c, X], tree.frame[c, Y]
        return total * y - my, mx - total * x, tree.composite[b, SECOND] - x * mx - y * my
    dx, dy = tree.frame[c, DX], tree.frame[c, DY]
    return total * dx, total * dy, mx * dy - my * dx


@kernel
def joint_law(tree, b, s, rate):
    """Force of spring, damper, friction, stops and load of the joint of body b on its coordinate; lost power [W].

    s: coordinate [m or rad]; rate: its speed. [N or N m]
    """
    body = tree.body
    damper = body[b, DAMPING] * rate
    if body[b, FRICTION] > 0.0:
        damper += body[b, FRICTION] * math.tanh(rate / body[b, FRICTION_RATE])
    stiffness, damping = body[b, STOP_STIFFNESS], body[b, STOP_DAMPING]
    from_low, lost_low = stop_force(body[b, LOWER] - s, -rate, stiffness, damping)
    from_high, lost_high = stop_force(s - body[b, UPPER], rate, stiffness, damping)
    force = body[b, LOAD] - body[b, STIFFNESS] * (s - body[b, NEUTRAL]) - damper + from_low - from_high
    return force, damper * rate + lost_low + lost_high


@kernel
def assemble(y, at, positions, tree):
    """Mass matrix and generalised forces of the tree; returns the power lost in dampers and stops of joints. [W]

    Takes wrenches and composites from the leaves to the roots, and adds the joints' own laws. State y as in
    ``kinematics``.
    """
    lost = 0.0
    tree.mass[:, :] = 0.0
    for k in range(tree.bodies - 1, -1, -1):
        b = tree.index[k, ORDER]
        j, a = tree.index[b, COORDINATE], tree.index[b, PARENT]
        if j >= 0:
            own, heat = joint_law(tree, b, y[at + j], y[positions + at + j])
            lost += heat
            wrench = tree.wrench
            tree.force[j] += own + _along(tree, b, wrench[b, FORCE_X], wrench[b, FORCE_Y], wrench[b, MOMENT])
            px, py, moment = momentum(tree, b, b)
            ancestor = b
            while ancestor >= 0:
                i = tree.index[ancestor, COORDINATE]
                if i >= 0:
                    tree.mass[i, j] = tree.mass[j, i] = _along(tree, ancestor, px, py, moment)
                ancestor = tree.index[ancestor, PARENT]
        if a >= 0:
            for i in range(3):
                tree.wrench[a, i] += tree.wrench[b, i]
            for i in range(4):
                tree.composite[a, i] += tree.composite[b, i]
    return lost


@kernel
def _place_unbalanced(tree, w, b, px, py, cx, cy):
    """Coupling of wheel w, whose centre (px, py) rides on body b, to the coordinates of the tree."""
    unbalanced = tree.unbalanced
    unbalanced[w, UNBALANCED_BODY], unbalanced[w, UNBALANCED_X], unbalanced[w, UNBALANCED_Y] = b, px, py
    unbalanced[w, UNBALANCED_CX], unbalanced[w, UNBALANCED_CY] = cx, cy
    tree.coupling[w, :] = 0.0
    while b >= 0:
        j = tree.index[b, COORDINATE]
        if j >= 0:
            ux, uy = point_jacobian(tree, b, px, py)
            tree.coupling[w, j] = cx * ux + cy * uy
        b = tree.index[b, PARENT]


@kernel
def couple(tree, w, b, px, py, cx, cy, inertia, moment):
    """Take the angle of an unbalanced wheel w that rides on body b out of the equations of the tree.

    Its kinetic energy holds the product of its angular velocity and (cx, cy) . velocity of its centre (px, py); with
    an eccentric mass m at the place e from the axis (cx, cy) = m (-e_y, e_x) [kg m]. inertia: about the axis, with the
    eccentric mass [kg m^2]; moment: all that turns the wheel, its weight too, less (cx, cy) . ``bias`` of its centre
    [N m]. The force m w^2 e, with which the eccentric mass pulls the centre outwards, is pushed by the caller.
    Between ``assemble`` and ``solve``; the angular acceleration is then (moment - ``outer``)/inertia.
    """
    _place_unbalanced(tree, w, b, px, py, cx, cy)
    tree.unbalanced[w, UNBALANCED_MOMENT], tree.unbalanced[w, UNBALANCED_INERTIA] = moment, inertia
    for j in range(tree.joints):
        tree.force[j] -= tree.coupling[w, j] * moment / inertia
        for i in range(tree.joints):
            tree.mass[j, i] -= tree.coupling[w, j] * tree.coupling[w, i] / inertia


@kernel
def couple_prescribed(tree, w, b, px, py, cx, cy, acceleration):
    """As ``couple`` for a wheel whose angular acceleration is prescribed. [rad/s^2]"""
    _place_unbalanced(tree, w, b, px, py, cx, cy)
    tree.unbalanced[w, UNBALANCED_MOMENT], tree.unbalanced[w, UNBALANCED_INERTIA] = acceleration, math.inf
    for j in range(tree.joints):
        tree.force[j] -= tree.coupling[w, j] * acceleration


@kernel
def outer(tree, w):
    """Inertia moment that the accelerations of the tree put on the unbalanced wheel w. [N m]"""
    total = 0.0
    for j in range(tree.joints):
        total += tree.coupling[w, j] * tree.acceleration[j]
    return total


@kernel
def solve(t, y, at, positions, tree, dy):
    """Joint accelerations, into ``acceleration`` and dy[positions + at + j]; joints with a motion follow it.

    Returns the power that the prescribed motions supply. [W]
    """
    acceleration, mass = tree.acceleration, tree.mass
    for b in range(tree.bodies):
        j, kind = tree.index[b, COORDINATE], tree.index[b, MOTION]
        if j >= 0:
            acceleration[j] = tree.force[j]
            if kind != FREE:
                acceleration[j] = motion_acceleration(kind, t, y[at + j], tree.motion, tree.motion_table, j)
    _equations(tree)
    _eliminate(tree)
    power = 0.0
    for b in range(tree.bodies):
        j = tree.index[b, COORDINATE]
        if j < 0:
            continue
        dy[positions + at + j] = acceleration[j]
        if tree.index[b, MOTION] != FREE:
            supplied = -tree.force[j]
            for i in range(tree.joints):
                supplied += mass[j, i] * acceleration[i]
            power += supplied * y[positions + at + j]
    return power


@kernel
def _equations(tree):
    """Matrix of the free joints; those whose acceleration is known stand on the right-hand side."""
    factor, acceleration = tree.factor, tree.acceleration
    for b in range(tree.bodies):
        j = tree.index[b, COORDINATE]
        if j >= 0:
            free = tree.index[b, MOTION] == FREE
            for i in range(tree.joints):
                factor[j, i] = tree.mass[j, i] if free else 0.0
            if not free:
                factor[j, j] = 1.0
    for b in range(tree.bodies):
        j = tree.index[b, COORDINATE]
        if j >= 0 and tree.index[b, MOTION] != FREE:
            for i in range(tree.joints):
                if i != j:
                    acceleration[i] -= factor[i, j] * acceleration[j]
                    factor[i, j] = 0.0


@kernel
def _eliminate(tree):
    """Solve factor . x = acceleration, both overwritten: Cholesky without square roots, L D L^T."""
    a, x, n = tree.factor, tree.acceleration, tree.joints
    for k in range(n):
        for i in range(k + 1, n):
            ratio = a[i, k] / a[k, k]
            for j in range(k + 1, i + 1):
                a[i, j] -= ratio * a[j, k]
            x[i] -= ratio * x[k]
    for k in range(n - 1, -1, -1):
        x[k] /= a[k, k]
        for i in range(k):
            x[i] -= a[k, i] * x[k]
