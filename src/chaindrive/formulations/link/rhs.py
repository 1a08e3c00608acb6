"""The right-hand side of the equations of motion of the link formulation.

Links are rigid bodies, one for each pitch. All have the same geometry, with a bush at the rear and a pin at the front
(Hippmann, Arnold & Schittenhelm 2005, section 2.3). A joint is the pin of a link in the bush of the next one. Bushes,
or the rollers on them, touch wheels and guides as in all planar formulations. The ends of an open chain are joints with
fittings, or are free (ends.py). The coordinates of the chain are x(N), y(N) of the centres of mass and the angles
gamma(N); the rest of the state is described in planar/layout.py.
"""

from __future__ import annotations

import math

from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.link.chain import locate
from chaindrive.formulations.link.coordinates import Coordinates
from chaindrive.formulations.link.ends import load_anchors, show_forces, show_loads, turning_before
from chaindrive.formulations.link.joints import damped_joint, damped_joints, held_joints
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.contact import contact_forces
from chaindrive.formulations.planar.end_forces import pull_ends
from chaindrive.formulations.planar.payload import carry
from chaindrive.formulations.planar.sticking import relaxed
from chaindrive.kernels import Kernel, copy_into, index, kernel
from chaindrive.physics.joint import joint_dissipation, joint_friction_moment, joint_moment
from chaindrive.physics.pin import oil_film_force, pin_force

__all__ = ["evaluation"]

SMALLEST_OFFSET = 1e-24
"""Added to the square of the distance between pin and bush, so that the direction between them is always defined.
[m^2]
"""


def evaluation(coordinates: Coordinates, frames: Kernel, accelerations: Kernel) -> Kernel:
    """Return the right-hand side, compiled around the coordinates of the links and the supports of the chain
    (variants.py).
    """
    in_plane, last_in_plane, to_coordinates = coordinates

    @kernel(apart=True)
    def rhs(t, y, dy, p):
        """Write dy/dt of the state y at time t.

        Frames, links, joints, contacts and their resultants are left in the scratch arrays of p.
        """
        planar = p.planar
        positions = index(planar.layout.positions)
        for i in range(positions):
            dy[i] = y[positions + i]
        for k in range(index(planar.layout.wheel_speed), index(y.size)):
            dy[k] = 0.0
        frames(y, planar)
        locate(in_plane(y, p), p)
        _joint_forces(t, dy, p)
        if not planar.closed:
            load_anchors(p)
            pull_ends(t, p.velocity, p.force, dy, planar)
            show_forces(p)
        contact_forces(p.place, p.velocity, p.force, dy, planar)
        if p.roller_damping > 0.0 or p.surface_oil_damping > 0.0:
            _rollers_and_oil(dy, p)
        _link_accelerations(dy, p)
        plane, own = last_in_plane(y, p), 2 * index(p.links)
        place, velocity, moved = plane[:own], plane[positions : positions + own], dy[positions : positions + own]
        carry(place, velocity, moved, p.body.mass, dy, planar)
        if not planar.closed:
            show_loads(y, dy, p)
        to_coordinates(y, dy, p)
        accelerations(t, y, dy, planar)

    return rhs


@kernel(inner=True)
def _joint_forces(t, dy, p):
    """Write forces between pins and bushes and moments between links into scratch arrays, and their powers into dy."""
    n, last, pin, moment = p.planar.rollers, p.links - 1, p.pin, p.link.moment
    for i in range(n):
        moment[i] = 0.0
        p.planar.twist[i] = 0.0
    if p.joint_kind == L.CLEARANCE:
        _clearances(dy, p)
    else:
        _journals(dy, p)
    if p.joint_kind == L.REVOLUTE:
        _constraints(dy, p)
    copy_into(p.force[:n], pin.force_x)
    copy_into(p.force[n:], pin.force_y)
    if p.joint_damping != 0.0 or p.joint_friction_radius != 0.0:
        dy[p.planar.layout.work + P.WORK_ARTICULATION] = _rotations(t, p)
        _add(pin.moment, -1.0, moment)
        _add(pin.moment[1:], 1.0, moment)
        if p.planar.closed:
            moment[last] += pin.moment[0]


@kernel(inner=True, distinct=True)
def _add(given, factor, total):
    for j in range(given.size):
        total[j] += factor * given[j]


@kernel(inner=True)
def _rotations(t, p):
    """Compute the moments due to rotation of pins in bushes on the links of the pins; return the lost power. [W]"""
    n, turning = p.planar.rollers, p.planar.turning
    moment, force = p.pin.moment, p.pin.force
    moment[0] = turning[0] - (turning[n - 1] if p.planar.closed else turning_before(p))
    _difference(turning[1:], turning, moment[1:])
    lost = 0.0
    radius, scale = p.joint_friction_radius, p.joint_friction_rate
    if p.joint_relaxation > 0.0 and p.planar.elastic_joints:
        kept, gained = relaxed(t, p.joint_relaxation, p.planar)
        if p.planar.elastic_friction:
            return damped_joints(p, kept, gained, moment)
        for j in range(n):
            rate = moment[j]
            moment[j] = damped_joint(p, j, kept, gained) + joint_friction_moment(rate, force[j], radius, scale)
            lost += moment[j] * rate
        return lost
    if radius == 0.0:
        for j in range(n):
            rate = moment[j]
            moment[j] = joint_moment(rate, p.joint_damping)
            lost += joint_dissipation(rate, p.joint_damping)
        return lost
    if p.planar.elastic_friction:
        return held_joints(p, 0.0, 0.0, moment)
    for j in range(n):
        rate = moment[j]
        moment[j] = joint_friction_moment(rate, force[j], radius, scale) + joint_moment(rate, p.joint_damping)
        lost += moment[j] * rate
    return lost


@kernel(inner=True)
def _clearances(dy, p):
    """Compute the contacts of pins in bushes with clearance."""
    pin, work = p.pin, p.planar.layout.work
    damped, filmed = _pins(
        p, pin.normal_x, pin.normal_y, pin.penetration, pin.rate, pin.force, pin.force_x, pin.force_y
    )
    dy[work + P.WORK_LINK_DAMPING] = damped
    dy[work + L.WORK_OIL_FILM] = filmed


@kernel(inner=True, distinct=True)
def _pins(p, normal_x, normal_y, penetration, rate, force, force_x, force_y):
    """Compute forces of pins in bushes with clearance, for all joints; return the powers lost in dampers and in oil.
    [W]
    """
    n, pin, joint = index(p.planar.rollers), p.pin, p.joint
    oil_damping, inverse_distance = p.oil_damping, p.oil_inverse_distance
    damped, filmed = 0.0, 0.0
    for j in range(n):
        ox, oy = pin.x[j] - p.place[j], pin.y[j] - p.place[n + j]
        square = ox * ox + oy * oy
        inverse = 1.0 / math.sqrt(square + SMALLEST_OFFSET)
        nx, ny = ox * inverse, oy * inverse
        depth = square * inverse - joint.clearance[j]
        speed = (pin.vx[j] - p.velocity[j]) * nx + (pin.vy[j] - p.velocity[n + j]) * ny
        stiffness = joint.stiffness[j]
        solid = pin_force(depth, speed, stiffness, joint.damping[j])
        oil = oil_film_force(depth, speed, oil_damping, inverse_distance)
        elastic = stiffness * depth if depth > 0.0 else 0.0
        damped += (solid - elastic) * speed
        filmed += oil * speed
        pressed = solid + oil
        normal_x[j], normal_y[j], penetration[j], rate[j] = nx, ny, depth, speed
        force[j], force_x[j], force_y[j] = pressed, pressed * nx, pressed * ny
    return damped, filmed


@kernel(inner=True, distinct=True)
def _difference(one, other, found):
    for j in range(one.size):
        found[j] = one[j] - other[j]


@kernel(inner=True)
def _journals(dy, p):
    """Compute the springs and dampers between pins and bushes (Pfeiffer, Fritz & Srnik 1997, Figure 2).

    The force acts at the position of the pin on both links, and the damper acts on their relative velocity there. The
    forces therefore have no resultant moment, and a chain that turns as a rigid body loses no energy.
    """
    n, pin, joint = p.planar.rollers, p.pin, p.joint
    damped = 0.0
    for j in range(n):
        ox, oy = pin.x[j] - p.place[j], pin.y[j] - p.place[n + j]
        vx = pin.vx[j] - p.velocity[j] + p.planar.turning[j] * oy
        vy = pin.vy[j] - p.velocity[n + j] - p.planar.turning[j] * ox
        inverse = 1.0 / math.sqrt(ox * ox + oy * oy + SMALLEST_OFFSET)
        stiffness, damping = joint.stiffness[j], joint.damping[j]
        fx, fy = stiffness * ox + damping * vx, stiffness * oy + damping * vy
        damped += damping * (vx * vx + vy * vy)
        pin.normal_x[j], pin.normal_y[j] = ox * inverse, oy * inverse
        pin.penetration[j] = (ox * ox + oy * oy) * inverse
        pin.rate[j] = (ox * vx + oy * vy) * inverse
        pin.force[j] = math.sqrt(fx * fx + fy * fy)
        pin.force_x[j], pin.force_y[j] = fx, fy
        p.link.moment[j] = ox * fy - oy * fx
    dy[p.planar.layout.work + P.WORK_LINK_DAMPING] = damped


@kernel(inner=True)
def _constraints(dy, p):
    """Apply the forces of joints that are constraints, as found in the last step, see rigid.py.

    The force acts at the position of the pin on both links, as in ``_journals``. Its power comes from the correction of
    drift.
    """
    pin, reaction, joints = p.pin, p.reaction, p.planar.rollers
    lost = 0.0
    for j in range(0 if p.planar.closed else 1, joints if p.planar.closed else p.links):
        ox, oy = pin.x[j] - p.place[j], pin.y[j] - p.place[joints + j]
        fx, fy = reaction.x[j], reaction.y[j]
        lost += fx * (pin.vx[j] - p.velocity[j] + p.planar.turning[j] * oy)
        lost += fy * (pin.vy[j] - p.velocity[joints + j] - p.planar.turning[j] * ox)
        pin.force_x[j], pin.force_y[j] = fx, fy
        pin.force[j] = math.sqrt(fx * fx + fy * fy)
        p.link.moment[j] = ox * fy - oy * fx
    dy[p.planar.layout.work + P.WORK_LINK_DAMPING] += lost


@kernel(inner=True)
def _rollers_and_oil(dy, p):
    """Compute the forces and moments of rollers and of oil, and write their powers into dy.

    Rollers that are pressed against a wheel turn on their bushes (Hippmann, Arnold & Schittenhelm 2005, Eq. 11); oil
    acts between surfaces and links near them.
    """
    planar, n = p.planar, p.planar.rollers
    contact, work = planar.contact, planar.layout.work
    for s in range(planar.used.segments[0]):
        surface, first = planar.segment.surface[s], planar.segment.first[s]
        slot = planar.segment.slot[s]
        rolls = surface < planar.wheels and planar.surface.arm[surface] == 0.0
        cx, cy = planar.frame.x[surface], planar.frame.y[surface]
        back = planar.segment.back[s]
        for i in range(first, planar.segment.end[s]):
            k = slot + i - first
            rate, penetration = contact.rate[k], contact.penetration[k]
            oil = oil_film_force(penetration, rate, p.surface_oil_damping, p.surface_oil_inverse_distance)
            fx, fy = oil * contact.normal_x[k], oil * contact.normal_y[k]
            p.force[i] += fx
            p.force[n + i] += fy
            contact.force[k] += oil
            moment = (p.place[i] - cx) * fy - (p.place[n + i] - cy) * fx
            dy[work + L.WORK_OIL_FILM] += oil * rate
            held = back > 0 and contact.penetration[k - back] > 0.0  # by the other flank, and counted there
            if rolls and penetration > 0.0 and not held:
                slower = planar.frame.angular_velocity[surface] - planar.turning[i]
                planar.twist[i] += p.roller_damping * slower
                moment += p.roller_damping * slower
                dy[work + P.WORK_FRICTION] += p.roller_damping * slower * slower
            planar.resultant.x[surface] -= fx
            planar.resultant.y[surface] -= fy
            planar.resultant.moment[surface] -= moment


@kernel(inner=True)
def _link_accelerations(dy, p):
    """Convert forces on bushes and pins into accelerations and tensions of the links."""
    n, first, last, joints = p.links, p.planar.layout.positions, p.links - 1, p.planar.rollers
    link, pin, moment, tension = p.link, p.pin, p.link.moment, p.link.tension
    fx, fy = p.force[:joints], p.force[joints:]
    ax, ay, alpha = dy[first : first + n], dy[first + n : first + 2 * n], dy[first + 2 * n : first + 3 * n]
    # Link i has its pin in joint i + 1, whose force on it is the opposite of that on the bush.
    hx, hy = pin.force_x[0], pin.force_y[0]
    if not p.planar.closed:
        hx, hy = -fx[n], -fy[n]
        moment[last] += p.planar.twist[n]
    _add_moments(p, fx, fy, pin.force_x[1:], pin.force_y[1:], moment, tension)
    moment[last] += link.bush_x[last] * fy[last] - link.bush_y[last] * fx[last] + p.planar.twist[last]
    moment[last] -= link.pin_x[last] * hy - link.pin_y[last] * hx
    tension[last] = -(hx * link.cos[last] + hy * link.sin[last])
    _accelerate(fx, fy, pin.force_x[1:], pin.force_y[1:], p.body.inverse_mass[:last], p, ax, ay)
    ax[last] = (fx[last] - hx) * p.body.inverse_mass[last] + p.planar.gravity_x
    ay[last] = (fy[last] - hy) * p.body.inverse_mass[last] + p.planar.gravity_y
    _turn(moment, p.body.inverse_inertia, alpha)


@kernel(inner=True, distinct=True)
def _add_moments(p, fx, fy, gx, gy, moment, tension):
    """Add the moments [N m] on all links except the last one, and compute their tensions [N].

    The forces are (fx, fy) on bushes and -(gx, gy) on pins.
    """
    link, twist = p.link, p.planar.twist
    for i in range(p.links - 1):
        on_bush = link.bush_x[i] * fy[i] - link.bush_y[i] * fx[i] + twist[i]
        moment[i] += on_bush - (link.pin_x[i] * gy[i] - link.pin_y[i] * gx[i])
        tension[i] = -gx[i] * link.cos[i] - gy[i] * link.sin[i]


@kernel(inner=True, distinct=True)
def _accelerate(fx, fy, gx, gy, inverse_mass, p, ax, ay):
    """Compute the accelerations of centres of mass due to the forces of ``_add_moments``. [m/s^2]"""
    gravity_x, gravity_y = p.planar.gravity_x, p.planar.gravity_y
    for i in range(inverse_mass.size):
        ax[i] = (fx[i] - gx[i]) * inverse_mass[i] + gravity_x
        ay[i] = (fy[i] - gy[i]) * inverse_mass[i] + gravity_y


@kernel(inner=True, distinct=True)
def _turn(moment, inverse_inertia, alpha):
    """Compute the angular accelerations of the links. [rad/s^2]"""
    for i in range(alpha.size):
        alpha[i] = moment[i] * inverse_inertia[i]
