"""The support of the chain: frames of wheels and guides, accelerations of wheels and of the mechanism.

A wheel turns about its centre, which is fixed or carried by a body of the mechanism; its angle is relative to the
ground. An unbalanced wheel has its centre of mass off its axis (Pedersen 2004, section 3.8.3, where only the inertia is
affected). Let m e be the mass times the position of the centre of mass relative to the axis, r the position of the axis
and theta the angle. Then

    J theta'' + (m e)^ . r'' = M + (m e) x g,        m r'' + theta'' (m e)^ - theta'^2 m e = m g + forces,

where ^ turns a vector by a right angle counter-clockwise and J is the inertia about the axis.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.anchors import (
    load_anchored_bodies,
    place_anchors_on_bodies,
    place_anchors_on_wheels,
)
from chaindrive.formulations.planar.axles import speed_place, wheel_angle, wheel_speed
from chaindrive.formulations.planar.bearings import wheel_bearing_moment
from chaindrive.formulations.planar.freewheel import clutch, hub_of
from chaindrive.formulations.planar.tilt import fold_wheels, unfold_forces
from chaindrive.kernels import Kernel, kernel
from chaindrive.mechanism import element_kernels as elements
from chaindrive.mechanism import tree
from chaindrive.mechanism.motion import FREE, motion_acceleration
from chaindrive.mechanism.wheels import shaft_moment, turn_wheel


class Support(NamedTuple):
    """The kernels that differ between a drive with everything on the ground and one with bodies or tensioners."""

    frames: Kernel
    """(y, p): computes the frames of all surfaces and clears the resultants of the contacts"""
    accelerations: Kernel
    """(t, y, dy, p): computes accelerations of wheels and joints, rates of pressures, and powers"""
    centre_acceleration: Kernel
    """(p, w): returns the acceleration of the centre of wheel w in the last evaluation [m/s^2]"""
    bodies: Kernel | None
    """(y, dy, p): writes channels of the bodies, see ``channels.Group``"""
    tensioners: Kernel | None
    """(y, dy, p): writes channels of the tensioners"""
    freewheels: Kernel | None
    """(y, dy, p): writes channels of the freewheels"""
    energies: Kernel
    """(y, p): returns kinetic, elastic and gravity energy of bodies and tensioners [J]"""
    latch: Kernel
    """(p): latches ratchets and freewheels at an accepted state and stores the largest tilts; returns whether any
    ratchet moved"""
    stick: Kernel
    """(y, p, anew): lets anchors of joints follow at an accepted state; anew: resets them as at the start of a run"""
    start: Kernel
    """(p): sets the latches for the initial state of a run; returns whether forces may have changed"""
    moments: Kernel
    """(t, y, dy, p): after an evaluation, writes moments on the wheels into dy [N m] and forces of the joints into the
    tree"""
    joint_stiffness: Kernel
    """(y, p, matrix): adds to a matrix the stiffness of bodies, tensioners, and contacts on parts that these support
    """


@kernel(inline=True)
def speeds_behind(p):
    """Return the offset in the state from the coordinate of a joint to its speed."""
    return p.layout.joint_speed - p.layout.joint_position


@kernel(inner=True)
def _clear_resultants(p):
    for s in range(p.surfaces):
        p.resultant.x[s] = p.resultant.y[s] = 0.0
        p.resultant.moment[s] = p.resultant.tilting[s] = 0.0


@kernel(inner=True)
def _turn_wheels(y, p):
    """Compute direction and angular velocity of the frames of the wheels."""
    for w in range(p.wheels):
        angle = wheel_angle(y, p, w)
        p.frame.cos[w], p.frame.sin[w] = math.cos(angle), math.sin(angle)
        p.frame.angular_velocity[w] = wheel_speed(y, p, w)


@kernel(inner=True)
def fixed_frames(y, p):
    """Compute the frames of all surfaces at the state y, with everything on the ground, and clear the resultants of
    contacts.
    """
    _clear_resultants(p)
    _turn_wheels(y, p)
    place_anchors_on_wheels(p)


@kernel(inner=True)
def supported_frames(y, p):
    """Compute the frames of all surfaces at the state y, and clear the resultants of their contacts."""
    tree.kinematics(y, p.layout.joint_position, speeds_behind(p), p.tree)
    _clear_resultants(p)
    _turn_wheels(y, p)
    for s in range(p.surfaces):
        body = p.surface.body[s]
        if body < 0:
            continue
        px, py, vx, vy = tree.place(p.tree, body, p.surface.x[s], p.surface.y[s])
        p.frame.x[s], p.frame.y[s] = px, py
        p.frame.vx[s], p.frame.vy[s] = vx, vy
        if s >= p.wheels:
            p.frame.cos[s] = p.tree.frame.cos[body]
            p.frame.sin[s] = p.tree.frame.sin[body]
            p.frame.angular_velocity[s] = p.tree.frame.angular_velocity[body]
    if p.tilted:
        fold_wheels(y, p)
    place_anchors_on_wheels(p)
    place_anchors_on_bodies(p)


@kernel(inner=True)
def fixed_accelerations(t, y, dy, p):
    """Write accelerations of the wheels, with everything on the ground, and the powers of their shafts, into dy."""
    fixed_moments(t, y, dy, p)
    _turn(t, y, dy, p)


@kernel(inner=True)
def fixed_moments(t, y, dy, p):
    """Write moments on the wheels, with everything on the ground, and the powers of their shafts, into dy."""
    _clear_moments(dy, p)
    for w in range(p.wheels):
        place = speed_place(p, w)
        speed, angle = y[place], wheel_angle(y, p, w)
        moment = _shaft_moment(t, y, dy, p, w, angle, speed) + _chain_moment(y, dy, p, w, speed)
        if unbalanced(p, w):
            ex, ey = mass_moment(p, w)
            moment += ex * p.gravity_y - ey * p.gravity_x
        dy[place] += moment


@kernel(inner=True)
def _clear_moments(dy, p):
    """Set the moments on all shafts of wheels to zero."""
    for a in range(p.axles):
        dy[p.layout.wheel_speed + a] = 0.0


@kernel(inner=True)
def supported_accelerations(t, y, dy, p):
    """Write accelerations of wheels and joints, rates of chamber pressures, and the powers of all of them, into dy."""
    if p.tilted:
        unfold_forces(p)
    supported_moments(t, y, dy, p)
    supported_motion(t, y, dy, p)


@kernel(inner=True)
def supported_motion(t, y, dy, p):
    """Write accelerations of wheels and joints, and powers of prescribed motions and loads of joints, into dy.

    To be called after ``supported_moments``.
    """
    _mechanism(t, y, dy, p)
    for w in range(p.wheels):
        if p.surface.body[w] >= 0 and unbalanced(p, w):
            dy[speed_place(p, w)] -= tree.outer(p.tree, w)
    _turn(t, y, dy, p)


@kernel(inner=True)
def supported_moments(t, y, dy, p):
    """Write moments on the wheels into dy, and generalised forces of the joints into the tree, from resultants on the
    surfaces.

    Rates of chamber pressures and powers of bearings, loads and tensioners are also written into dy.
    """
    work = p.layout.work
    tree.clear(p.tree, p.gravity_x, p.gravity_y)
    tree.load_joints(t, p.tree)
    _clear_moments(dy, p)
    for w in range(p.wheels):
        dy[speed_place(p, w)] += _wheel_moment(t, y, dy, p, w)
    _load_bodies(y, p)
    dy[work + P.WORK_TENSIONER] += elements.forces(t, y, p.layout.pressure, dy, p.tree, p.elements)
    dy[work + P.WORK_BEARING] += tree.assemble(y, p.layout.joint_position, speeds_behind(p), p.tree)


@kernel(inner=True)
def _turn(t, y, dy, p):
    """Convert the moments on the shafts of the wheels in dy to accelerations."""
    first, work = p.layout.wheel_speed, p.layout.work
    for a in range(p.axles):
        w = p.axle.wheel[a]
        angle, own = y[p.layout.wheel_angle + a], p.layout.shaft_work + w
        moment, inertia, kind = dy[first + a], p.axle.inertia[a], p.wheel.motion[w]
        turn_wheel(kind, t, angle, y[first + a], moment, inertia, dy, first + a, work, own, p, w)


@kernel(inner=True)
def unbalanced(p, w):
    """Return whether the centre of mass of wheel w is off its axis."""
    return p.wheel.moment_x[w] != 0.0 or p.wheel.moment_y[w] != 0.0


@kernel(inner=True)
def mass_moment(p, w):
    """Return the mass of wheel w times the position of its centre of mass relative to its axis, in
    global axes. [kg m]
    """
    c, s = p.frame.cos[w], p.frame.sin[w]
    x, y = p.wheel.moment_x[w], p.wheel.moment_y[w]
    return c * x - s * y, s * x + c * y


@kernel(inner=True)
def _chain_moment(y, dy, p, w, turning):
    """Return the moment on wheel w from chain and bearing [N m], and add its power to dy.

    turning: angular velocity of the wheel in its bearing [rad/s].
    """
    bearing = wheel_bearing_moment(y, p, w, turning)
    dy[p.layout.work + P.WORK_BEARING] += bearing * turning
    return p.resultant.moment[w] - bearing


@kernel(inner=True)
def _shaft_moment(t, y, dy, p, w, angle, angular_velocity):
    """Return the moment of loads and torques on wheel w or its hub, which has this angle and angular velocity. [N m]"""
    layout = p.layout
    own = layout.shaft_work + w
    return shaft_moment(t, angle, angular_velocity, y, dy, layout.machine, layout.work, own, p, w)


@kernel(inner=True)
def _wheel_moment(t, y, dy, p, w):
    """Return the moment on wheel w, which may be carried by a body, from chain, shaft, hub and unbalance [N m].

    The torque of its bearing acts on the body.
    """
    body = p.surface.body[w]
    turning = wheel_speed(y, p, w)
    if body >= 0:
        turning -= p.tree.frame.angular_velocity[body]
        tree.apply_force(p.tree, body, 0.0, 0.0, 0.0, 0.0, wheel_bearing_moment(y, p, w, turning))
    moment = _chain_moment(y, dy, p, w, turning)
    j = hub_of(p, w)
    if j < 0:
        moment += _shaft_moment(t, y, dy, p, w, wheel_angle(y, p, w), wheel_speed(y, p, w))
    else:
        angle = y[p.layout.joint_position + j] + p.running.reference_angle[w]
        on_hub = _shaft_moment(t, y, dy, p, w, angle, y[p.layout.joint_speed + j])
        tree.apply_force(p.tree, p.wheel.hub[w], 0.0, 0.0, 0.0, 0.0, on_hub)
        moment += clutch(y, dy, p, w)
    if unbalanced(p, w):
        ex, ey = mass_moment(p, w)
        ax, ay = 0.0, 0.0
        if body >= 0:
            ax, ay = tree.bias(p.tree, body, p.frame.x[w], p.frame.y[w])
        moment += ex * (p.gravity_y - ay) - ey * (p.gravity_x - ax)
    return moment


@kernel(inner=True)
def _load_bodies(y, p):
    """Pass the resultants of the contacts, and the weight and inertia of wheels, on to the bodies that support them."""
    for s in range(p.surfaces):
        body = p.surface.body[s]
        if body < 0:
            continue
        px, py = p.frame.x[s], p.frame.y[s]
        fx, fy = p.resultant.x[s], p.resultant.y[s]
        moment = p.resultant.moment[s]
        if s < p.wheels:
            mass, angular_velocity = p.wheel.mass[s], p.frame.angular_velocity[s]
            ex, ey = mass_moment(p, s)
            ax, ay = tree.bias(p.tree, body, px, py)
            fx += mass * (p.gravity_x - ax) + angular_velocity * angular_velocity * ex
            fy += mass * (p.gravity_y - ay) + angular_velocity * angular_velocity * ey
            moment = p.resultant.tilting[s]  # the other one turns the wheel, not the body
            tree.add_mass(p.tree, body, px, py, mass)
        tree.apply_force(p.tree, body, px, py, fx, fy, moment)
    load_anchored_bodies(p)


@kernel(inner=True)
def _mechanism(t, y, dy, p):
    """Compute the accelerations of the joints."""
    at, work = p.layout.joint_position, p.layout.work
    for w in range(p.wheels):
        body = p.surface.body[w]
        if body < 0 or not unbalanced(p, w):
            continue
        ex, ey = mass_moment(p, w)
        px, py = p.frame.x[w], p.frame.y[w]
        kind = p.wheel.motion[w]
        if kind == FREE:
            tree.couple(p.tree, w, body, px, py, -ey, ex, p.wheel.inertia[w], dy[speed_place(p, w)])
        else:
            alpha = motion_acceleration(kind, t, wheel_angle(y, p, w), p.motion, p.motion_table, w)
            tree.couple_prescribed(p.tree, w, body, px, py, -ey, ex, alpha)
    dy[work + P.WORK_INPUT] += tree.solve(t, y, at, speeds_behind(p), p.tree, dy)
