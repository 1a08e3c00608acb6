"""The right-hand side of the link formulation: the recipe of one evaluation.

Links are rigid bodies, one for each pitch, all of one geometry: a bush at the rear, a pin at the front (Hippmann,
Arnold & Schittenhelm 2005, section 2.3). A joint is the pin of a link in the bush of the next one. Bushes, or the
rollers on them, touch wheels and guides as those of all planar formulations do. Joints at the ends of an open chain are
those of fittings, or free (ends.py). The coordinates of the chain are x(N),
y(N) of the centres of mass and the angles gamma(N); what follows them in the state stands in planar/layout.py.
"""

from __future__ import annotations

import math

from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.link.chain import locate
from chaindrive.formulations.link.coordinates import Coordinates
from chaindrive.formulations.link.ends import load_anchors, show_loads, turning_before
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.contact import contact_forces, index
from chaindrive.formulations.planar.payload import carry
from chaindrive.kernels import Kernel, copy_into, kernel
from chaindrive.physics.joint import joint_dissipation, joint_friction_moment, joint_moment
from chaindrive.physics.pin import oil_film_force, pin_force

__all__ = ["evaluation"]

SMALLEST_OFFSET = 1e-24
"""Added to the square of the distance between pin and bush, so that one has a direction from the other. [m^2]"""


def evaluation(coordinates: Coordinates, frames: Kernel, accelerations: Kernel) -> Kernel:
    """The right-hand side, compiled around the coordinates of the links and what supports the chain (variants.py)."""
    in_plane, last_in_plane, to_coordinates = coordinates

    @kernel
    def rhs(t, y, dy, p):
        """Write dy/dt of the state y at time t.

        Frames, links, joints, contacts and their resultants stay in the scratch arrays of p.
        """
        planar = p.planar
        positions = index(planar.layout.positions)
        for i in range(positions):
            dy[i] = y[positions + i]
        for k in range(index(planar.layout.wheel_speed), index(y.size)):
            dy[k] = 0.0
        frames(y, planar)
        locate(in_plane(y, p), p)
        _joint_forces(dy, p)
        if not planar.closed:
            load_anchors(p)
        contact_forces(p.place, p.velocity, p.force, dy, planar)
        if p.roller_damping > 0.0 or p.surface_oil_damping > 0.0:
            _rollers_and_oil(dy, p)
        _link_accelerations(dy, p)
        plane, own = last_in_plane(y, p), 2 * index(p.links)
        place, velocity, moved = plane[:own], plane[positions : positions + own], dy[positions : positions + own]
        carry(place, velocity, moved, p.body[L.BODY_MASS], dy, planar)
        if not planar.closed:
            show_loads(y, dy, p)
        to_coordinates(y, dy, p)
        accelerations(t, y, dy, planar)

    return rhs


@kernel(inner=True)
def _joint_forces(dy, p):
    """Forces between pins and bushes and moments between links into scratch, their powers into dy."""
    n, last, pin, moment = p.planar.rollers, p.links - 1, p.pin, p.link[L.LINK_MOMENT]
    for i in range(n):
        moment[i] = 0.0
        p.planar.twist[i] = 0.0
    if p.joint_kind == L.CLEARANCE:
        _clearances(dy, p)
    else:
        _journals(dy, p)
    copy_into(p.force[:n], pin[L.PIN_FORCE_X])
    copy_into(p.force[n:], pin[L.PIN_FORCE_Y])
    if p.joint_damping != 0.0 or p.joint_friction_radius != 0.0:
        dy[p.planar.layout.work + P.WORK_ARTICULATION] = _rotations(p)
        _add(pin[L.PIN_MOMENT], -1.0, moment)
        _add(pin[L.PIN_MOMENT, 1:], 1.0, moment)
        if p.planar.closed:
            moment[last] += pin[L.PIN_MOMENT, 0]


@kernel(inner=True)
def _add(given, factor, total):
    for j in range(given.size):
        total[j] += factor * given[j]


@kernel(inner=True)
def _rotations(p):
    """Moments that the rotation of pins in bushes makes, on the links of the pins; returns the lost power. [W]"""
    n, turning = p.planar.rollers, p.planar.turning
    moment, force = p.pin[L.PIN_MOMENT], p.pin[L.PIN_FORCE]
    moment[0] = turning[0] - (turning[n - 1] if p.planar.closed else turning_before(p))
    _difference(turning[1:], turning, moment[1:])
    lost = 0.0
    if p.joint_friction_radius == 0.0:
        for j in range(n):
            rate = moment[j]
            moment[j] = joint_moment(rate, p.joint_damping)
            lost += joint_dissipation(rate, p.joint_damping)
        return lost
    radius, scale = p.joint_friction_radius, p.joint_friction_rate
    for j in range(n):
        rate = moment[j]
        moment[j] = joint_friction_moment(rate, force[j], radius, scale) + joint_moment(rate, p.joint_damping)
        lost += moment[j] * rate
    return lost


@kernel(inner=True)
def _clearances(dy, p):
    """Contacts of pins in bushes with clearance."""
    n, pin, joint = p.planar.rollers, p.pin, p.joint
    nx, ny = pin[L.PIN_NORMAL_X], pin[L.PIN_NORMAL_Y]
    penetration, rate, force = pin[L.PIN_PENETRATION], pin[L.PIN_RATE], pin[L.PIN_FORCE]
    _difference(pin[L.PIN_X], p.place[:n], nx)
    _difference(pin[L.PIN_Y], p.place[n:], ny)
    _normalise(nx, ny, joint[L.JOINT_CLEARANCE], penetration)
    _approach(pin[L.PIN_VX], p.velocity[:n], nx, pin[L.PIN_VY], p.velocity[n:], ny, rate)
    damped, filmed = 0.0, 0.0
    for j in range(n):
        depth, speed = penetration[j], rate[j]
        stiffness = joint[L.JOINT_STIFFNESS, j]
        solid = pin_force(depth, speed, stiffness, joint[L.JOINT_DAMPING, j])
        oil = oil_film_force(depth, speed, p.oil_damping, p.oil_inverse_distance)
        elastic = stiffness * depth if depth > 0.0 else 0.0
        damped += (solid - elastic) * speed
        filmed += oil * speed
        force[j] = solid + oil
    _scale(force, nx, pin[L.PIN_FORCE_X])
    _scale(force, ny, pin[L.PIN_FORCE_Y])
    dy[p.planar.layout.work + P.WORK_LINK_DAMPING] = damped
    dy[p.planar.layout.work + L.WORK_OIL_FILM] = filmed


@kernel(inner=True)
def _difference(one, other, found):
    for j in range(one.size):
        found[j] = one[j] - other[j]


@kernel(inner=True)
def _normalise(nx, ny, clearance, penetration):
    """Vectors become unit vectors; how much longer they were than the clearance."""
    for j in range(nx.size):
        square = nx[j] * nx[j] + ny[j] * ny[j]
        inverse = 1.0 / math.sqrt(square + SMALLEST_OFFSET)
        nx[j] *= inverse
        ny[j] *= inverse
        penetration[j] = square * inverse - clearance[j]


@kernel(inner=True)
def _approach(vx, ux, nx, vy, uy, ny, rate):
    for j in range(vx.size):
        rate[j] = (vx[j] - ux[j]) * nx[j] + (vy[j] - uy[j]) * ny[j]


@kernel(inner=True)
def _scale(force, direction, found):
    for j in range(force.size):
        found[j] = force[j] * direction[j]


@kernel(inner=True)
def _journals(dy, p):
    """Springs and dampers between pins and bushes (Pfeiffer, Fritz & Srnik 1997, Figure 2).

    The force acts at the place of the pin on both links, and the damper sees their velocities there: so it turns
    nothing, and a chain that turns as one loses nothing.
    """
    n, pin, joint = p.planar.rollers, p.pin, p.joint
    damped = 0.0
    for j in range(n):
        ox, oy = pin[L.PIN_X, j] - p.place[j], pin[L.PIN_Y, j] - p.place[n + j]
        vx = pin[L.PIN_VX, j] - p.velocity[j] + p.planar.turning[j] * oy
        vy = pin[L.PIN_VY, j] - p.velocity[n + j] - p.planar.turning[j] * ox
        inverse = 1.0 / math.sqrt(ox * ox + oy * oy + SMALLEST_OFFSET)
        stiffness, damping = joint[L.JOINT_STIFFNESS, j], joint[L.JOINT_DAMPING, j]
        fx, fy = stiffness * ox + damping * vx, stiffness * oy + damping * vy
        damped += damping * (vx * vx + vy * vy)
        pin[L.PIN_NORMAL_X, j], pin[L.PIN_NORMAL_Y, j] = ox * inverse, oy * inverse
        pin[L.PIN_PENETRATION, j] = (ox * ox + oy * oy) * inverse
        pin[L.PIN_RATE, j] = (ox * vx + oy * vy) * inverse
        pin[L.PIN_FORCE, j] = math.sqrt(fx * fx + fy * fy)
        pin[L.PIN_FORCE_X, j], pin[L.PIN_FORCE_Y, j] = fx, fy
        p.link[L.LINK_MOMENT, j] = ox * fy - oy * fx
    dy[p.planar.layout.work + P.WORK_LINK_DAMPING] = damped


@kernel(inner=True)
def _rollers_and_oil(dy, p):
    """Rollers that are pressed on a wheel turn with it and on their bushes (Hippmann, Arnold & Schittenhelm 2005,
    Eq. 11), and oil between surfaces and what comes near them: forces, moments, and their powers into dy.
    """
    planar, n = p.planar, p.planar.rollers
    contact, work = planar.contact, planar.layout.work
    for s in range(planar.segments_used[P.USED_SEGMENTS]):
        surface, first = planar.segment[s, P.SEGMENT_SURFACE], planar.segment[s, P.SEGMENT_FIRST]
        slot = planar.segment[s, P.SEGMENT_SLOT]
        rolls = surface < planar.wheels and planar.surface[surface, P.SURFACE_ARM] == 0.0
        cx, cy = planar.frame[surface, P.FRAME_X], planar.frame[surface, P.FRAME_Y]
        back = planar.segment[s, P.SEGMENT_BACK]
        for i in range(first, planar.segment[s, P.SEGMENT_END]):
            k = slot + i - first
            rate, penetration = contact[P.CONTACT_RATE, k], contact[P.CONTACT_PENETRATION, k]
            oil = oil_film_force(penetration, rate, p.surface_oil_damping, p.surface_oil_inverse_distance)
            fx, fy = oil * contact[P.CONTACT_NORMAL_X, k], oil * contact[P.CONTACT_NORMAL_Y, k]
            p.force[i] += fx
            p.force[n + i] += fy
            contact[P.CONTACT_FORCE, k] += oil
            moment = (p.place[i] - cx) * fy - (p.place[n + i] - cy) * fx
            dy[work + L.WORK_OIL_FILM] += oil * rate
            held = back > 0 and contact[P.CONTACT_PENETRATION, k - back] > 0.0  # by the other flank, and counted there
            if rolls and penetration > 0.0 and not held:
                slower = planar.frame[surface, P.FRAME_ANGULAR_VELOCITY] - planar.turning[i]
                planar.twist[i] += p.roller_damping * slower
                moment += p.roller_damping * slower
                dy[work + P.WORK_FRICTION] += p.roller_damping * slower * slower
            planar.resultant[surface, P.RESULTANT_MOMENT] -= moment


@kernel(inner=True)
def _link_accelerations(dy, p):
    """Forces on bushes and pins become accelerations of the links, and their tensions."""
    n, first, last, joints = p.links, p.planar.layout.positions, p.links - 1, p.planar.rollers
    link, body, pin = p.link, p.body, p.pin
    moment, tension = link[L.LINK_MOMENT], link[L.LINK_TENSION]
    fx, fy = p.force[:joints], p.force[joints:]
    ax, ay, alpha = dy[first : first + n], dy[first + n : first + 2 * n], dy[first + 2 * n : first + 3 * n]
    for i in range(n):
        moment[i] += link[L.LINK_BUSH_X, i] * fy[i] - link[L.LINK_BUSH_Y, i] * fx[i] + p.planar.twist[i]
    # Link i has its pin in joint i + 1, whose force on it is the opposite of that on the bush.
    gx, gy = pin[L.PIN_FORCE_X, 1:], pin[L.PIN_FORCE_Y, 1:]
    for i in range(last):
        moment[i] -= link[L.LINK_PIN_X, i] * gy[i] - link[L.LINK_PIN_Y, i] * gx[i]
    hx, hy = pin[L.PIN_FORCE_X, 0], pin[L.PIN_FORCE_Y, 0]
    if not p.planar.closed:
        hx, hy = -fx[n], -fy[n]
        moment[last] += p.planar.twist[n]
    moment[last] -= link[L.LINK_PIN_X, last] * hy - link[L.LINK_PIN_Y, last] * hx
    for i in range(last):
        tension[i] = -gx[i] * link[L.LINK_COS, i] - gy[i] * link[L.LINK_SIN, i]
    tension[last] = -(hx * link[L.LINK_COS, last] + hy * link[L.LINK_SIN, last])
    _accelerate(fx[:last], gx, body[L.BODY_INVERSE_MASS], p.planar.gravity_x, ax)
    _accelerate(fy[:last], gy, body[L.BODY_INVERSE_MASS], p.planar.gravity_y, ay)
    ax[last] = (fx[last] - hx) * body[L.BODY_INVERSE_MASS, last] + p.planar.gravity_x
    ay[last] = (fy[last] - hy) * body[L.BODY_INVERSE_MASS, last] + p.planar.gravity_y
    for i in range(n):
        alpha[i] = moment[i] * body[L.BODY_INVERSE_INERTIA, i]


@kernel(inner=True)
def _accelerate(behind, ahead, inverse_mass, gravity, acceleration):
    for i in range(behind.size):
        acceleration[i] = (behind[i] - ahead[i]) * inverse_mass[i] + gravity
