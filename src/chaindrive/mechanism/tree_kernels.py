"""Bodies in a tree of joints: the tables that describe the tree, and the equations of motion.

The coordinates are minimal, one for each moving joint, so that constraints hold exactly and need no multipliers. The
equations are those of the composite rigid body method (Featherstone 2008, chapter 6) in the plane. Every wrench and
first moment of mass is taken about the global origin, so that they can be added without being transformed.

One evaluation; calls that the caller makes in between are indented:

    kinematics, clear, load_joints
        apply_force(...) and add_mass(...)       for everything that acts on the bodies and is carried by them
    assemble
        couple(...) or couple_prescribed(...)    for unbalanced wheels
    solve
    reactions, energies                          when they are needed
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

    In the reference configuration, all coordinates are zero and all frames are parallel to the global frame; the origin
    of the frame of a body is then at its joint. The laws of a joint use N and m for a prismatic joint, and N m and rad
    for a revolute joint.
    """

    parent: Wholes
    """index of the parent body, or GROUND"""
    joint: Wholes
    """FIXED, REVOLUTE, PRISMATIC"""
    coordinate: Wholes
    """index of the joint coordinate, -1 for a fixed joint"""
    motion: Wholes
    """mechanism.motion.MotionKind, FREE for a joint without prescribed motion"""
    order: Wholes
    """entry k: the k-th body in an order in which parents come before their children"""
    mass: Reals
    """[kg]"""
    inertia: Reals
    """moment of inertia about the centre of mass [kg m^2]"""
    centre_x: Reals
    centre_y: Reals
    """centre of mass in the frame of the body [m]"""
    joint_x: Reals
    joint_y: Reals
    """position of the joint in the frame of the parent, at coordinate zero [m]"""
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
    """rate at which smoothed friction has 76 % of its full value, in rad/s or m/s"""
    sticking: Reals
    settling: Reals
    """spring and damper of elastic friction; without a spring, friction is smoothed"""


class Frames(NamedTuple):
    """Frames of the bodies after the last ``kinematics``, (B,) each."""

    x: Reals
    y: Reals
    vx: Reals
    vy: Reals
    """origin of the frame [m] and its velocity [m/s]"""
    angle: Reals
    angular_velocity: Reals
    """angle [rad] and angular velocity [rad/s]"""
    cos: Reals
    sin: Reals
    ax: Reals
    ay: Reals
    """acceleration of the origin when all joint accelerations are zero [m/s^2]"""
    dx: Reals
    dy: Reals
    """direction of the joint in global coordinates"""


class Wrenches(NamedTuple):
    """Loads on every body, (B,) each; after ``assemble``, they include the loads on all parts that the body supports.

    The moment is about the global origin.
    """

    force_x: Reals
    force_y: Reals
    moment: Reals
    """[N], [N m]"""


class Composites(NamedTuple):
    """Mass of every body and of the parts on it, (B,) each; after ``assemble`` as for ``Wrenches``.

    Moments of mass are about the global origin.
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
    """centre of the wheel [m]"""
    cx: Reals
    cy: Reals
    """minus the force on the body per unit of angular acceleration [kg m]"""
    moment: Reals
    """moment on the wheel [N m]; for a wheel with prescribed motion, its angular acceleration [rad/s^2]"""
    inertia: Reals
    """moment of inertia about the axis [kg m^2]; infinite for a wheel with prescribed motion"""


class Tree(NamedTuple):
    """The data of a mechanism as arrays, and scratch arrays for its equations of motion.

    B bodies, J coordinates, W wheels.
    """

    bodies: int
    joints: int
    """number J of moving joints, and thus of coordinates"""
    elastic: bool
    """Whether friction of joints may be elastic (physics/elastic_friction.py)"""
    body: Bodies
    motion: MotionRows
    """(J,) each"""
    motion_table: FloatArray
    """(rows, 6), see mechanism.motion"""
    load: LoadRows
    """loads on joints that change over time"""
    load_table: FloatArray
    """(rows, 5), see mechanism.load_kernels"""
    # memory, changed by ``stick_bodies`` only
    anchor: FloatArray
    """(B,) coordinate at which elastic friction has no force [m or rad]"""
    # scratch
    applied: FloatArray
    """(J,) force or torque of the loads over time [N, N m]"""
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
    """(J,) force or torque that makes a joint follow its prescribed motion [N, N m]"""
    coupling: FloatArray
    """(W, J): (unbalanced.cx, unbalanced.cy) . d(centre of the wheel)/d(coordinate) [kg m or kg m^2]"""
    unbalanced: Unbalanced


SCRATCH = (
    *("applied", "frame", "wrench", "composite", "mass", "factor", "force", "acceleration"),
    *("motion_force", "coupling", "unbalanced"),
)
"""Fields of a ``Tree`` into which an evaluation writes."""


@kernel
def kinematics(y, at, positions, tree):
    """Compute the frames of all bodies, their velocities, and the accelerations that do not come from joint
    accelerations.

    y: state, with joint coordinate j at y[at + j] and its speed at y[positions + at + j]. [m, m/s, rad, rad/s]
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
    """Return the global position [m] and velocity [m/s] of the point (x, y) in the frame of body b: px, py, vx, vy.

    For the ground (b = -1), this is the point itself, at rest.
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
    """Return the acceleration of the point of body b at the global position (px, py) if all joint accelerations are
    zero. [m/s^2]
    """
    if b < 0:
        return 0.0, 0.0
    frame = tree.frame
    square = frame.angular_velocity[b] * frame.angular_velocity[b]
    return frame.ax[b] - square * (px - frame.x[b]), frame.ay[b] - square * (py - frame.y[b])


@kernel
def clear(tree, gx, gy):
    """Begin to add up forces, starting with the weight and the inertial bias force of the bodies themselves.

    gx, gy: gravity [m/s^2]. To be called after ``kinematics``.
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
    """Evaluate the time-dependent loads of the joints at time t [s], for ``assemble`` and ``solve``."""
    tree.applied[:] = 0.0
    for k in range(tree.load.coordinate.size):
        tree.applied[tree.load.coordinate[k]] += load_at(t, tree.load, tree.load_table, k)


@kernel
def apply_force(tree, b, px, py, fx, fy, moment):
    """Add an external force [N] at the global position (px, py) and a moment [N m] on body b; nothing is done for the
    ground.
    """
    if b >= 0:
        tree.wrench.force_x[b] += fx
        tree.wrench.force_y[b] += fy
        tree.wrench.moment[b] += px * fy - py * fx + moment


@kernel
def add_mass(tree, b, px, py, m):
    """Add a point mass [kg] carried by body b at the global position (px, py); nothing is done for the ground.

    Its weight and its bias force -m ``bias`` are applied by the caller.
    """
    if b >= 0:
        tree.composite.total[b] += m
        tree.composite.first_x[b] += m * px
        tree.composite.first_y[b] += m * py
        tree.composite.second[b] += m * (px * px + py * py)


@kernel
def point_jacobian(tree, b, px, py):
    """Return the velocity of the global position (px, py) for a unit speed of the joint of body b, which supports
    it.
    """
    if tree.body.joint[b] == REVOLUTE:
        return tree.frame.y[b] - py, px - tree.frame.x[b]
    return tree.frame.dx[b], tree.frame.dy[b]


@kernel
def _along(tree, b, fx, fy, moment):
    """Return the component of a wrench about the global origin that does work on the joint coordinate of body b. [N or
    N m]
    """
    if tree.body.joint[b] == REVOLUTE:
        return moment - tree.frame.x[b] * fy + tree.frame.y[b] * fx
    return tree.frame.dx[b] * fx + tree.frame.dy[b] * fy


@kernel
def momentum(tree, b, c):
    """Return the momentum of all parts supported by body b, and its moment about the global origin, for a unit speed of
    joint c.

    Joint c is that of body c, which is b itself or supports b.
    """
    total, mx, my = tree.composite.total[b], tree.composite.first_x[b], tree.composite.first_y[b]
    if tree.body.joint[c] == REVOLUTE:
        x, y = tree.frame.x[c], tree.frame.y[c]
        return total * y - my, mx - total * x, tree.composite.second[b] - x * mx - y * my
    dx, dy = tree.frame.dx[c], tree.frame.dy[c]
    return total * dx, total * dy, mx * dy - my * dx


@kernel
def joint_law(tree, b, s, rate):
    """Return the force of spring, damper, friction, stops and loads on the joint coordinate of body b [N or N m] and
    the lost power [W].

    s: coordinate [m or rad]; rate: speed of the coordinate.
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
    """Update the anchors of joints at an accepted state; anew: reset them so that moving parts slide, as at the start
    of a run.

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
    """Compute the mass matrix and generalised forces of the tree; return the power lost in dampers, friction and stops
    of joints. [W]

    Wrenches and composites are accumulated from the leaves to the roots, and the joints' own laws are added. State y as
    in ``kinematics``.
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
    """Compute the coupling of wheel w, whose centre (px, py) is carried by body b, to the coordinates of the tree."""
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

    The kinetic energy of the wheel contains the product of its angular velocity and (cx, cy) . velocity of its centre
    (px, py). For an eccentric mass m at the position e from the axis, (cx, cy) = m (-e_y, e_x) [kg m]. inertia: about
    the axis, including the eccentric mass [kg m^2]; moment: all moments on the wheel, including that of its weight,
    minus (cx, cy) . ``bias`` of its centre [N m]. The force m w^2 e, with which the eccentric mass pulls the centre
    outwards, is applied by the caller. To be called between ``assemble`` and ``solve``; the angular acceleration is
    then (moment - ``outer``)/inertia.
    """
    _place_unbalanced(tree, w, b, px, py, cx, cy)
    tree.unbalanced.moment[w], tree.unbalanced.inertia[w] = moment, inertia
    for j in range(tree.joints):
        tree.force[j] -= tree.coupling[w, j] * moment / inertia
        for i in range(tree.joints):
            tree.mass[j, i] -= tree.coupling[w, j] * tree.coupling[w, i] / inertia


@kernel
def couple_prescribed(tree, w, b, px, py, cx, cy, acceleration):
    """The same as ``couple``, for a wheel whose angular acceleration is prescribed. [rad/s^2]"""
    _place_unbalanced(tree, w, b, px, py, cx, cy)
    tree.unbalanced.moment[w], tree.unbalanced.inertia[w] = acceleration, math.inf
    for j in range(tree.joints):
        tree.force[j] -= tree.coupling[w, j] * acceleration


@kernel
def outer(tree, w):
    """Return the moment of the inertia forces on the unbalanced wheel w due to the accelerations of the tree. [N m]"""
    total = 0.0
    for j in range(tree.joints):
        total += tree.coupling[w, j] * tree.acceleration[j]
    return total


@kernel
def solve(t, y, at, positions, tree, dy):
    """Solve for the joint accelerations, and write them to ``acceleration`` and dy[positions + at + j].

    Joints with a prescribed motion follow it. Returns the power supplied by prescribed motions and by loads over time.
    [W]
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
    """Set up the equations of the free joints; joints with known accelerations are moved to the right-hand side."""
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
    """Solve factor . x = acceleration by the Cholesky factorisation without square roots, L D L^T; both are
    overwritten.
    """
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
