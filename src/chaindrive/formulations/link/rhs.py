"""The right-hand side of the link formulation: the recipe of one evaluation.

Links are rigid bodies, one for each pitch, all of one geometry: a bush at the rear, a pin at the front (Hippmann,
Arnold & Schittenhelm 2005, section 2.3). A joint is the pin of a link in the bush of the next one. Bushes, or the
rollers on them, touch wheels and guides as those of all planar formulations do. The coordinates of the chain are x(N),
y(N) of the centres of mass and the angles gamma(N); what follows them in the state stands in planar/layout.py.
"""

from __future__ import annotations

import math

from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.link.chain import locate
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.contact import contact_forces, index
from chaindrive.kernels import Kernel, kernel
from chaindrive.physics.joint import joint_dissipation, joint_friction_moment, joint_moment
from chaindrive.physics.pin import oil_film_force, pin_force

__all__ = ["evaluation"]

ZERO, ONE = index(0), index(1)
SMALLEST_OFFSET = 1e-24
"""Added to the square of the distance between pin and bush, so that one has a direction from the other. [m^2]"""


def evaluation(frames: Kernel, accelerations: Kernel) -> Kernel:
    """The right-hand side, compiled around the kernels of what supports the chain (variants.py)."""

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
        locate(y, p)
        _joint_forces(y, dy, p)
        contact_forces(p.place, p.velocity, p.force, dy, planar)
        if p.roller_damping > 0.0 or p.surface_oil_damping > 0.0:
            _rollers_and_oil(dy, p)
        _link_accelerations(dy, p)
        accelerations(t, y, dy, planar)

    return rhs


@kernel(inline=True)
def _joint_forces(y, dy, p):
    """Forces between pins and bushes and moments between links into scratch, their powers into dy."""
    n, first = index(p.links), index(p.planar.layout.positions)
    for i in range(n):
        p.link[L.LINK_MOMENT, i] = 0.0
        p.planar.twist[i] = 0.0
    if p.joint_kind == L.CLEARANCE:
        _clearances(dy, p)
    else:
        _journals(y, dy, p)
    for j in range(n):
        p.force[j], p.force[n + j] = p.pin[L.PIN_FORCE_X, j], p.pin[L.PIN_FORCE_Y, j]
    if p.joint_damping != 0.0 or p.joint_friction_radius != 0.0:
        lost = _rotation(y, p, first + n + n, n - ONE, ZERO)
        for j in range(ONE, n):
            lost += _rotation(y, p, first + n + n, j - ONE, j)
        dy[p.planar.layout.work + P.WORK_ARTICULATION] = lost


@kernel(inline=True)
def _clearances(dy, p):
    """Contacts of pins in bushes with clearance."""
    n, pin, joint = index(p.links), p.pin, p.joint
    damped, filmed = 0.0, 0.0
    for j in range(n):
        ox, oy = pin[L.PIN_X, j] - p.place[j], pin[L.PIN_Y, j] - p.place[n + j]
        vx, vy = pin[L.PIN_VX, j] - p.velocity[j], pin[L.PIN_VY, j] - p.velocity[n + j]
        inverse = 1.0 / math.sqrt(ox * ox + oy * oy + SMALLEST_OFFSET)
        nx, ny = ox * inverse, oy * inverse
        penetration = ox * nx + oy * ny - joint[L.JOINT_CLEARANCE, j]
        rate = vx * nx + vy * ny
        stiffness = joint[L.JOINT_STIFFNESS, j]
        solid = pin_force(penetration, rate, stiffness, joint[L.JOINT_DAMPING, j])
        oil = oil_film_force(penetration, rate, p.oil_damping, p.oil_inverse_distance)
        elastic = stiffness * penetration if penetration > 0.0 else 0.0
        damped += (solid - elastic) * rate
        filmed += oil * rate
        force = solid + oil
        pin[L.PIN_NORMAL_X, j], pin[L.PIN_NORMAL_Y, j] = nx, ny
        pin[L.PIN_PENETRATION, j], pin[L.PIN_RATE, j] = penetration, rate
        pin[L.PIN_FORCE, j] = force
        pin[L.PIN_FORCE_X, j], pin[L.PIN_FORCE_Y, j] = force * nx, force * ny
    dy[p.planar.layout.work + P.WORK_LINK_DAMPING] = damped
    dy[p.planar.layout.work + L.WORK_OIL_FILM] = filmed


@kernel(inline=True)
def _journals(y, dy, p):
    """Springs and dampers between pins and bushes (Pfeiffer, Fritz & Srnik 1997, Figure 2).

    The force acts at the place of the pin on both links, and the damper sees their velocities there: so it turns
    nothing, and a chain that turns as one loses nothing.
    """
    n, pin, joint = index(p.links), p.pin, p.joint
    first = index(p.planar.layout.positions) + n + n
    damped = 0.0
    for j in range(n):
        ox, oy = pin[L.PIN_X, j] - p.place[j], pin[L.PIN_Y, j] - p.place[n + j]
        vx = pin[L.PIN_VX, j] - p.velocity[j] + y[first + j] * oy
        vy = pin[L.PIN_VY, j] - p.velocity[n + j] - y[first + j] * ox
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


@kernel(inline=True)
def _rotation(y, p, first, before, j):
    """Moments of joint j on the link ``before`` and on link j; returns the lost power. [W]

    first: index of the first angular velocity of a link.
    """
    rate = y[first + j] - y[first + before]
    moment = joint_moment(rate, p.joint_damping)
    lost = joint_dissipation(rate, p.joint_damping)
    if p.joint_friction_radius != 0.0:
        friction = joint_friction_moment(rate, p.pin[L.PIN_FORCE, j], p.joint_friction_radius, p.joint_friction_rate)
        moment += friction
        lost += friction * rate
    p.pin[L.PIN_MOMENT, j] = moment
    p.link[L.LINK_MOMENT, before] += moment
    p.link[L.LINK_MOMENT, j] -= moment
    return lost


@kernel(inner=True)
def _rollers_and_oil(dy, p):
    """Rollers that are pressed on a wheel turn with it and on their bushes (Hippmann, Arnold & Schittenhelm 2005,
    Eq. 11), and oil between surfaces and what comes near them: forces, moments, and their powers into dy.
    """
    planar, n = p.planar, p.links
    contact, work = planar.contact, planar.layout.work
    for s in range(planar.segments_used[P.USED_SEGMENTS]):
        surface, first = planar.segment[s, P.SEGMENT_SURFACE], planar.segment[s, P.SEGMENT_FIRST]
        slot = planar.segment[s, P.SEGMENT_SLOT]
        rolls = surface < planar.wheels and planar.surface[surface, P.SURFACE_ARM] == 0.0
        cx, cy = planar.frame[surface, P.FRAME_X], planar.frame[surface, P.FRAME_Y]
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
            if rolls and penetration > 0.0:
                slower = planar.frame[surface, P.FRAME_ANGULAR_VELOCITY] - planar.turning[i]
                planar.twist[i] += p.roller_damping * slower
                moment += p.roller_damping * slower
                dy[work + P.WORK_FRICTION] += p.roller_damping * slower * slower
            planar.resultant[surface, P.RESULTANT_MOMENT] -= moment


@kernel(inline=True)
def _link_accelerations(dy, p):
    """Forces on bushes and pins become accelerations of the links, and their tensions."""
    n = index(p.links)
    for i in range(n - ONE):
        _accelerate(dy, p, i, i + ONE, n)
    _accelerate(dy, p, n - ONE, ZERO, n)


@kernel(inline=True)
def _accelerate(dy, p, i, after, n):
    """Link i, whose pin belongs to joint ``after``."""
    first = index(p.planar.layout.positions)
    link, body = p.link, p.body
    fx, fy = p.force[i], p.force[n + i]
    gx, gy = -p.pin[L.PIN_FORCE_X, after], -p.pin[L.PIN_FORCE_Y, after]
    moment = link[L.LINK_BUSH_X, i] * fy - link[L.LINK_BUSH_Y, i] * fx + link[L.LINK_MOMENT, i]
    moment += p.planar.twist[i]
    moment += link[L.LINK_PIN_X, i] * gy - link[L.LINK_PIN_Y, i] * gx
    inverse = 1.0 / body[L.BODY_MASS, i]
    dy[first + i] = (fx + gx) * inverse + p.planar.gravity_x
    dy[first + n + i] = (fy + gy) * inverse + p.planar.gravity_y
    dy[first + n + n + i] = moment / body[L.BODY_INERTIA, i]
    link[L.LINK_TENSION, i] = gx * link[L.LINK_COS, i] + gy * link[L.LINK_SIN, i]
