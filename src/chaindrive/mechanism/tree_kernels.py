"""Bodies in a tree of joints: the tables that describe it, and the equations of motion.

Minimal coordinates: one for each moving joint, so that constraints hold exactly and need no multipliers. The equations
are those of the composite rigid body method (Featherstone 2008, chapter 6) in the plane, with every wrench and moment
of mass taken about the global origin, where they add without being transformed.

One evaluation, the caller's part indented:

    kinematics, clear, load_joints apply_force(...) and add_mass(...) for everything that acts on the bodies and is
        carried by them assemble couple(...) or couple_prescribed(...) unbalanced wheels solve reactions, energies when
        they are needed
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.kernels import kernel
from chaindrive.kernels.tables import Reals, Wholes
from chaindrive.mechanism.load_kernels import LoadRows, load_at
from chaindrive.mechanism.motion import FREE, MotionRows, motion_acceleration
from chaindrive.physics.elastic_friction import held_force, settling_spring, spring_left
from chaindrive.physics.tensioners.mechanical import stop_force

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

GROUND = -1
FIXED, REVOLUTE, PRISMATIC = 0, 1, 2


class Bodies(NamedTuple):
    """Bodies, (B,) each.

    In the reference configuration all coordinates are zero and all frames are parallel to the global one; the origin of
    the frame of a body is then the point of its joint. The laws of a joint are in N, m for a prismatic one, in N m, rad
    for a revolute one.
    """

    parent: Wholes
    """another body, or GROUND"""
    joint: Wholes
    """FIXED, REVOLUTE, PRISMATIC"""
    coordinate: Wholes
    """index of the joint coordinate, -1 for a fixed joint"""
    motion: Wholes
    """mechanism.motion.MotionKind, FREE for a joint that moves freely"""
    order: Wholes
    """row k: the k-th body in an order in which parents come before their children"""
    mass: Reals
    """[kg]"""
    inertia: Reals
    """moment of inertia about the centre of mass [kg m^2]"""
    centre_x: Reals
    centre_y: Reals
    """centre of mass in the frame of the body [m]"""
    joint_x: Reals
    joint_y: Reals
    """the joint's point in the frame of the parent, at coordinate zero [m]"""
    direction_x: Reals
    direction_y: Reals
    """direction of a prismatic joint, unit vector in the frame of the parent"""
    stiffness: Reals
    damping: Reals
    neutral: Reals
    """coordinate at which the spring is unloaded"""
    load: Reals
    """constant force or torque in the positive direction"""
    lower: Reals
    upper: Reals
    """end stops, -inf and inf for none"""
    stop_stiffness: Reals
    stop_damping: Reals
    friction: Reals
    """Coulomb friction"""
    friction_rate: Reals
    """rate at which it has 76 % of its full value where it is smoothed, in rad/s or m/s"""
    sticking: Reals
    settling: Reals
    """spring and damper of elastic friction; without a spring it is smoothed"""


class Frames(NamedTuple):
    """Frames of the bodies after the last ``kinematics``, (B,) each."""

    x: Reals
    y: Reals
    vx: Reals
    vy: Reals
    """origin of the frame [m] and its velocity [m/s]"""
    angle: Reals
    angular_velocity: Reals
    """[rad], [rad/s]"""
    cos: Reals
    sin: Reals
    ax: Reals
    ay: Reals
    """acceleration of the origin when all joint accelerations are zero [m/s^2]"""
    dx: Reals
    dy: Reals
    """direction of the joint, global"""


class Wrenches(NamedTuple):
    """Loads on every body, (B,) each; after ``assemble`` including those on all parts that it supports.

    The moment is about the global origin.
    """

    force_x: Reals
    force_y: Reals
    moment: Reals
    """[N], [N m]"""


class Composites(NamedTuple):
    """Mass of every body and of the parts on it, (B,) each; after ``assemble`` as ``Wrenches``.

    Moments of mass about the global origin.
    """

    total: Reals
    """[kg]"""
    first_x: Reals
    first_y: Reals
    """[kg m]"""
    second: Reals
    """[kg m^2]"""


class Unbalanced(NamedTuple):
    """Unbalanced wheels, (W,) each."""

    body: Wholes
    x: Reals
    y: Reals
    """its centre [m]"""
    cx: Reals
    cy: Reals
    """force on the body for each unit of angular acceleration, reversed [kg m]"""
    moment: Reals
    """[N m]; of a wheel whose motion is prescribed: its angular acceleration [rad/s^2]"""
    inertia: Reals
    """moment of inertia about the axis [kg m^2]; infinite for a wheel whose motion is prescribed"""


class Tree(NamedTuple):
    """A mechanism as numbers, and scratch for its equations of motion.

    B bodies, J coordinates, W point_masses wheels.
    """

    bodies: int
    joints: int
    """Moving joints, that is coordinates: J"""
    elastic: bool
    """Whether friction of joints may be elastic (physics/elastic_friction.py)"""
    body: Bodies
    motion: MotionRows
    """(J,) each"""
    motion_table: FloatArray
    """(rows, 5), see mechanism.motion"""
    load: LoadRows
    """loads on joints that change over time"""
    load_table: FloatArray
    """(rows, 3), see mechanism.load_kernels"""
    # memory, changed by ``stick_bodies`` only
    anchor: FloatArray
    """(B,) coordinate at which elastic friction has no force [m or rad]"""
    # scratch
    applied: FloatArray
    """(J,) force or torque of those loads [N, N m]"""
    frame: Frames
    wrench: Wrenches
    composite: Composites
    mass: FloatArray
    """(J, J)"""
    factor: FloatArray
    """(J, J)"""
    force: FloatArray
    """(J,)"""
    acceleration: FloatArray
    """(J,)"""
    motion_force: FloatArray
    """(J,) force or torque that makes a joint follow a prescribed motion [N, N m]"""
    coupling: FloatArray
    """(W, J): (unbalanced.cx, unbalanced.cy) . d(centre of the wheel)/d(coordinate) [kg m or kg m^2]"""
    unbalanced: Unbalanced


SCRATCH = (
    *("applied", "frame", "wrench", "composite", "mass", "factor", "force", "acceleration"),
    *("motion_force", "coupling", "unbalanced"),
)
"""Fields of a ``Tree`` that an evaluation writes."""


@kernel
def kinematics(y, at, positions, tree):
    """Frames of all bodies, with their velocities and the accelerations that do not come from joint accelerations.

    y: state, joint coordinate j at y[at + j], its speed at y[positions + at + j]. [m, m/s, rad, rad/s]
    """
    for k in range(tree.bodies):
        b = tree.body.order[k]
        _frame(y, at, positions, tree, b)


@kernel
def _frame(y, at, positions, tree, b):
    body, frame, a, j = tree.body, tree.frame, tree.body.parent[b], tree.body.coordinate[b]
    turn, joint_rate, slide, slip = 0.0, 0.0, 0.0, 0.0
    if tree.body.joint[b] == REVOLUTE:
        turn, joint_rate = y[at + j], y[positions + at + j]
    elif tree.body.joint[b] == PRISMATIC:
        slide, slip = y[at + j], y[positions + at + j]
    ox, oy, vx, vy, angle, angular_velocity, cos, sin, ax, ay = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    if a >= 0:
        ox, oy, vx, vy = frame.x[a], frame.y[a], frame.vx[a], frame.vy[a]
        angle, angular_velocity, cos, sin = frame.angle[a], frame.angular_velocity[a], frame.cos[a], frame.sin[a]
        ax, ay = frame.ax[a], frame.ay[a]
    px = body.joint_x[b] + slide * body.direction_x[b]
    py = body.joint_y[b] + slide * body.direction_y[b]
    rx, ry = cos * px - sin * py, sin * px + cos * py
    dx = cos * body.direction_x[b] - sin * body.direction_y[b]
    dy = sin * body.direction_x[b] + cos * body.direction_y[b]
    frame.x[b], frame.y[b] = ox + rx, oy + ry
    frame.vx[b], frame.vy[b] = vx - angular_velocity * ry + slip * dx, vy + angular_velocity * rx + slip * dy
    # Centripetal, and Coriolis where the joint slides in a turning parent.
    frame.ax[b] = ax - angular_velocity * angular_velocity * rx - 2.0 * angular_velocity * slip * dy
    frame.ay[b] = ay - angular_velocity * angular_velocity * ry + 2.0 * angular_velocity * slip * dx
    frame.dx[b], frame.dy[b] = dx, dy
    frame.angle[b], frame.angular_velocity[b] = angle + turn, angular_velocity + joint_rate
    frame.cos[b], frame.sin[b] = math.cos(angle + turn), math.sin(angle + turn)


@kernel
def place(tree, b, x, y):
    """Global place [m] and velocity [m/s] of the point (x, y) of the frame of body b: px, py, vx, vy.

    For the ground (b = -1): the point itself, at rest.
    """
    if b < 0:
        return x, y, 0.0, 0.0
    frame = tree.frame
    rx = frame.cos[b] * x - frame.sin[b] * y
    ry = frame.sin[b] * x + frame.cos[b] * y
    angular_velocity = frame.angular_velocity[b]
    vx, vy = frame.vx[b] - angular_velocity * ry, frame.vy[b] + angular_velocity * rx
    return frame.x[b] + rx, frame.y[b] + ry, vx, vy


@kernel
def bias(tree, b, px, py):
    """Acceleration of the point of body b at the global place (px, py) with all joint accelerations zero. [m/s^2]"""
    if b < 0:
        return 0.0, 0.0
    frame = tree.frame
    square = frame.angular_velocity[b] * frame.angular_velocity[b]
    return frame.ax[b] - square * (px - frame.x[b]), frame.ay[b] - square * (py - frame.y[b])


@kernel
def clear(tree, gx, gy):
    """Begin to add up forces, with only the weight and inertial bias force of the bodies themselves.

    gx, gy: gravity [m/s^2]. Needs ``kinematics``.
    """
    for b in range(tree.bodies):
        mass = tree.body.mass[b]
        px, py, _, _ = place(tree, b, tree.body.centre_x[b], tree.body.centre_y[b])
        ax, ay = bias(tree, b, px, py)
        fx, fy = mass * (gx - ax), mass * (gy - ay)
        tree.wrench.force_x[b], tree.wrench.force_y[b] = fx, fy
        tree.wrench.moment[b] = px * fy - py * fx
        tree.composite.total[b] = mass
        tree.composite.first_x[b], tree.composite.first_y[b] = mass * px, mass * py
        tree.composite.second[b] = mass * (px * px + py * py) + tree.body.inertia[b]
    tree.force[:] = 0.0
    tree.unbalanced.body[:] = GROUND


@kernel
def load_joints(t, tree):
    """Loads over time on the joints at time t [s], for ``assemble`` and ``solve``."""
    tree.applied[:] = 0.0
    for k in range(tree.load.coordinate.size):
        tree.applied[tree.load.coordinate[k]] += load_at(t, tree.load, tree.load_table, k)


@kernel
def apply_force(tree, b, px, py, fx, fy, moment):
    """Add an external force [N] at the global place (px, py) and a moment [N m] on body b; on the ground: nothing."""
    if b >= 0:
        tree.wrench.force_x[b] += fx
        tree.wrench.force_y[b] += fy
        tree.wrench.moment[b] += px * fy - py * fx + moment


@kernel
def add_mass(tree, b, px, py, m):
    """Add a point mass [kg] carried by body b at the global position (px, py); on the ground: nothing.

    Its weight and its bias force -m ``bias`` are applied by the caller.
    """
    if b >= 0:
        tree.composite.total[b] += m
        tree.composite.first_x[b] += m * px
        tree.composite.first_y[b] += m * py
        tree.composite.second[b] += m * (px * px + py * py)


@kernel
def point_jacobian(tree, b, px, py):
    """Velocity of the global place (px, py) for a unit speed of the joint of body b that supports it."""
    if tree.body.joint[b] == REVOLUTE:
        return tree.frame.y[b] - py, px - tree.frame.x[b]
    return tree.frame.dx[b], tree.frame.dy[b]


@kernel
def _along(tree, b, fx, fy, moment):
    """Component of a wrench about the global origin that does work on the coordinate of the joint of body b. [N or N
    m]
    """
    if tree.body.joint[b] == REVOLUTE:
        return moment - tree.frame.x[b] * fy + tree.frame.y[b] * fx
    return tree.frame.dx[b] * fx + tree.frame.dy[b] * fy


@kernel
def momentum(tree, b, c):
    """Momentum, and its moment about the global origin, of all parts supported by body b for a unit speed of joint c.

    Joint c: that of body c, which is b itself or supports it.
    """
    total, mx, my = tree.composite.total[b], tree.composite.first_x[b], tree.composite.first_y[b]
    if tree.body.joint[c] == REVOLUTE:
        x, y = tree.frame.x[c], tree.frame.y[c]
        return total * y - my, mx - total * x, tree.composite.second[b] - x * mx - y * my
    dx, dy = tree.frame.dx[c], tree.frame.dy[c]
    return total * dx, total * dy, mx * dy - my * dx


@kernel
def joint_law(tree, b, s, rate):
    """Force of spring, damper, friction, stops and loads of the joint of body b on its coordinate; lost power [W].

    s: coordinate [m or rad]; rate: its speed. [N or N m]
    """
    body = tree.body
    damper = body.damping[b] * rate
    if tree.elastic and body.sticking[b] > 0.0:
        spring, _ = settling_spring(s - tree.anchor[b], rate, body.sticking[b], body.settling[b])
        damper += held_force(spring, body.friction[b])
    elif body.friction[b] > 0.0:
        damper += body.friction[b] * math.tanh(rate / body.friction_rate[b])
    stiffness, damping = body.stop_stiffness[b], body.stop_damping[b]
    from_low, lost_low = stop_force(body.lower[b] - s, -rate, stiffness, damping)
    from_high, lost_high = stop_force(s - body.upper[b], rate, stiffness, damping)
    load = body.load[b] + tree.applied[body.coordinate[b]]
    force = load - body.stiffness[b] * (s - body.neutral[b]) - damper + from_low - from_high
    return force, damper * rate + lost_low + lost_high


@kernel
def stick_bodies(y, at, positions, tree, anew):
    """Let the anchors of joints follow at an accepted state; anew: reset them so that moving parts slide, as at the
    start of a run.

    State y as in ``kinematics``.
    """
    if not tree.elastic:
        return
    body = tree.body
    for b in range(tree.bodies):
        if body.sticking[b] == 0.0:
            continue
        s, rate = y[at + body.coordinate[b]], y[positions + at + body.coordinate[b]]
        spring, damper = settling_spring(s - tree.anchor[b], rate, body.sticking[b], body.settling[b])
        force = held_force(spring, body.friction[b])
        if anew:
            force = body.friction[b] * math.tanh(rate / body.friction_rate[b])
        if anew or force != spring:
            tree.anchor[b] = s - spring_left(force, damper) / body.sticking[b]


@kernel
def assemble(y, at, positions, tree):
    """Mass matrix and generalised forces of the tree; returns the power lost in dampers and stops of joints. [W]

    Takes wrenches and composites from the leaves to the roots, and adds the joints' own laws. State y as in
    ``kinematics``.
    """
    lost = 0.0
    tree.mass[:, :] = 0.0
    for k in range(tree.bodies - 1, -1, -1):
        b = tree.body.order[k]
        j, a = tree.body.coordinate[b], tree.body.parent[b]
        if j >= 0:
            own, heat = joint_law(tree, b, y[at + j], y[positions + at + j])
            lost += heat
            wrench = tree.wrench
            tree.force[j] += own + _along(tree, b, wrench.force_x[b], wrench.force_y[b], wrench.moment[b])
            px, py, moment = momentum(tree, b, b)
            ancestor = b
            while ancestor >= 0:
                i = tree.body.coordinate[ancestor]
                if i >= 0:
                    tree.mass[i, j] = tree.mass[j, i] = _along(tree, ancestor, px, py, moment)
                ancestor = tree.body.parent[ancestor]
        if a >= 0:
            _hand_down(tree, b, a)
    return lost


@kernel(inner=True)
def _hand_down(tree, b, a):
    """Transfer the loads on body b, and its mass, to the body a that supports it."""
    wrench, composite = tree.wrench, tree.composite
    wrench.force_x[a] += wrench.force_x[b]
    wrench.force_y[a] += wrench.force_y[b]
    wrench.moment[a] += wrench.moment[b]
    composite.total[a] += composite.total[b]
    composite.first_x[a] += composite.first_x[b]
    composite.first_y[a] += composite.first_y[b]
    composite.second[a] += composite.second[b]


@kernel
def _place_unbalanced(tree, w, b, px, py, cx, cy):
    """Coupling of wheel w, whose centre (px, py) is carried by body b, to the coordinates of the tree."""
    unbalanced = tree.unbalanced
    unbalanced.body[w], unbalanced.x[w], unbalanced.y[w] = b, px, py
    unbalanced.cx[w], unbalanced.cy[w] = cx, cy
    tree.coupling[w, :] = 0.0
    while b >= 0:
        j = tree.body.coordinate[b]
        if j >= 0:
            ux, uy = point_jacobian(tree, b, px, py)
            tree.coupling[w, j] = cx * ux + cy * uy
        b = tree.body.parent[b]


@kernel
def couple(tree, w, b, px, py, cx, cy, inertia, moment):
    """Eliminate the angle of an unbalanced wheel w carried by body b from the equations of the tree.

    Its kinetic energy holds the product of its angular velocity and (cx, cy) . velocity of its centre (px, py); with an
    eccentric mass m at the place e from the axis (cx, cy) = m (-e_y, e_x) [kg m]. inertia: that about the axis, with
    the eccentric mass [kg m^2]; moment: all moments on the wheel, including that of its weight, minus (cx, cy) .
    ``bias`` of its centre [N m]. The force m w^2 e, with which the eccentric mass pulls the centre outwards, is applied
    by the caller. Between ``assemble`` and ``solve``; the angular acceleration is then (moment - ``outer``)/inertia.
    """
    _place_unbalanced(tree, w, b, px, py, cx, cy)
    tree.unbalanced.moment[w], tree.unbalanced.inertia[w] = moment, inertia
    for j in range(tree.joints):
        tree.force[j] -= tree.coupling[w, j] * moment / inertia
        for i in range(tree.joints):
            tree.mass[j, i] -= tree.coupling[w, j] * tree.coupling[w, i] / inertia


@kernel
def couple_prescribed(tree, w, b, px, py, cx, cy, acceleration):
    """Like ``couple``, for a wheel whose angular acceleration is prescribed. [rad/s^2]"""
    _place_unbalanced(tree, w, b, px, py, cx, cy)
    tree.unbalanced.moment[w], tree.unbalanced.inertia[w] = acceleration, math.inf
    for j in range(tree.joints):
        tree.force[j] -= tree.coupling[w, j] * acceleration


@kernel
def outer(tree, w):
    """Moment of inertia forces on the unbalanced wheel w due to the accelerations of the tree. [N m]"""
    total = 0.0
    for j in range(tree.joints):
        total += tree.coupling[w, j] * tree.acceleration[j]
    return total


@kernel
def solve(t, y, at, positions, tree, dy):
    """Joint accelerations, into ``acceleration`` and dy[positions + at + j]; joints with a motion follow it.

    Returns the power that the prescribed motions, and the loads over time, supply. [W]
    """
    acceleration, mass = tree.acceleration, tree.mass
    for b in range(tree.bodies):
        j, kind = tree.body.coordinate[b], tree.body.motion[b]
        if j >= 0:
            acceleration[j] = tree.force[j]
            if kind != FREE:
                acceleration[j] = motion_acceleration(kind, t, y[at + j], tree.motion, tree.motion_table, j)
    _equations(tree)
    _eliminate(tree)
    power = 0.0
    for b in range(tree.bodies):
        j = tree.body.coordinate[b]
        if j < 0:
            continue
        dy[positions + at + j] = acceleration[j]
        power += tree.applied[j] * y[positions + at + j]
        if tree.body.motion[b] != FREE:
            supplied = -tree.force[j]
            for i in range(tree.joints):
                supplied += mass[j, i] * acceleration[i]
            tree.motion_force[j] = supplied
            power += supplied * y[positions + at + j]
    return power


@kernel
def _equations(tree):
    """Matrix of the free joints; those whose acceleration is known are on the right-hand side."""
    factor, acceleration = tree.factor, tree.acceleration
    for b in range(tree.bodies):
        j = tree.body.coordinate[b]
        if j >= 0:
            free = tree.body.motion[b] == FREE
            for i in range(tree.joints):
                factor[j, i] = tree.mass[j, i] if free else 0.0
            if not free:
                factor[j, j] = 1.0
    for b in range(tree.bodies):
        j = tree.body.coordinate[b]
        if j >= 0 and tree.body.motion[b] != FREE:
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
