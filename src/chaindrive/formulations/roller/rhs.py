"""The right-hand side of the roller formulation: the recipe of one evaluation.

Rollers are lumped masses, links are springs and dampers, joints carry viscous moments as force couples, and wheels turn
about fixed centres (Pedersen 2004, chapter 3). State, with N rollers and W wheels, n_q = 2 N + W:

    q = [x(N), y(N), angle(W)],  v = dq/dt,  w = work integrals (parameters.WORKS)

Written for vector registers: structure of arrays, one simple loop for each stage of the computation, no branch inside a
loop that depends on data, and the choice of a law made outside the loop.
"""

from __future__ import annotations

import math

from chaindrive.formulations.roller.parameters import (
    CANDIDATE_COS,
    CANDIDATE_SIN,
    CANDIDATE_SPEED,
    CONTACT_CURVATURE,
    CONTACT_ELASTIC,
    CONTACT_ETA,
    CONTACT_FORCE,
    CONTACT_FRICTION,
    CONTACT_MX,
    CONTACT_MY,
    CONTACT_NORMAL_X,
    CONTACT_NORMAL_Y,
    CONTACT_NX,
    CONTACT_NY,
    CONTACT_PENETRATION,
    CONTACT_RATE,
    CONTACT_SIDE,
    CONTACT_SIGN,
    CONTACT_SLIP,
    CONTACT_UX,
    CONTACT_UY,
    CONTACT_XI,
    INDEX_LAW,
    INDEX_MOTION,
    INDEX_PROFILE,
    INDEX_PROFILE_END,
    LAW_HERTZ,
    LAW_LINEAR,
    LINK_FORCE_X,
    LINK_FORCE_Y,
    LINK_INVERSE,
    LINK_SPIN,
    LINK_TENSION,
    LINK_X,
    LINK_Y,
    SEGMENT_END,
    SEGMENT_FIRST,
    SEGMENT_SLOT,
    SEGMENT_WHEEL,
    USED_SEGMENTS,
    WHEEL_BEARING_DAMPING,
    WHEEL_BEARING_FRICTION,
    WHEEL_EXPONENT,
    WHEEL_FRICTION,
    WHEEL_HYSTERESIS,
    WHEEL_INERTIA,
    WHEEL_LOAD,
    WHEEL_STIFFNESS,
    WHEEL_VISCOUS,
    WHEEL_X,
    WHEEL_Y,
    WORK_BEARING,
    WORK_CONTACT,
    WORK_FRICTION,
    WORK_INPUT,
    WORK_JOINT,
    WORK_LINK_DAMPING,
    WORK_OUTPUT,
)
from chaindrive.geometry.kernels import distance
from chaindrive.kernels import kernel
from chaindrive.mechanism.motion import FREE, motion_acceleration
from chaindrive.physics.contact import (
    elastic_force_hertz,
    elastic_force_linear,
    elastic_force_power,
    normal_force,
)
from chaindrive.physics.friction import regularised_signs

BEARING_SPEED = 1e-2
"""Speed scale below which Coulomb friction of a bearing is smoothed. [rad/s]"""


@kernel
def rhs(t, y, dy, p):
    """Write dy/dt of the state y at time t. Leaves link and contact quantities in p.link and p.contact."""
    positions = 2 * p.links + p.wheels
    for i in range(positions):
        dy[i] = y[positions + i]
    for k in range(2 * positions, y.size):
        dy[k] = 0.0
    for w in range(p.wheels):
        dy[positions + 2 * p.links + w] = 0.0
    _link_forces(y, dy, p)
    for s in range(p.segments_used[USED_SEGMENTS]):
        _contact_forces(y, dy, p, p.segment[s, SEGMENT_WHEEL], s)
    _accelerations(t, y, dy, p)


@kernel(inline=True)
def _link_forces(y, dy, p):
    """Tension, joint moments and their powers; the sum of link forces on every roller goes to dy. [N]"""
    n = p.links
    positions = 2 * n + p.wheels
    link = p.link
    dissipated = 0.0
    for i in range(n - 1):
        dissipated += _one_link(y, link, i, i + 1, n, positions, p.pitch, p.stiffness, p.damping)
    dissipated += _one_link(y, link, n - 1, 0, n, positions, p.pitch, p.stiffness, p.damping)
    dy[2 * positions + WORK_LINK_DAMPING] = dissipated

    if p.joint_damping != 0.0:
        # Moment on link i from its two joints, as a couple of transverse forces at its ends (physics.joint).
        c = p.joint_damping
        last = n - 1
        lost = 0.0
        for i in range(1, n - 1):
            lost += _one_joint(link, i - 1, i, i + 1, c)
        lost += _one_joint(link, last, 0, 1, c)
        lost += _one_joint(link, last - 1, last, 0, c)
        dy[2 * positions + WORK_JOINT] = lost

    ax, ay = positions, positions + n
    dy[ax] = link[LINK_FORCE_X, 0] - link[LINK_FORCE_X, n - 1]
    dy[ay] = link[LINK_FORCE_Y, 0] - link[LINK_FORCE_Y, n - 1]
    for i in range(1, n):
        dy[ax + i] = link[LINK_FORCE_X, i] - link[LINK_FORCE_X, i - 1]
        dy[ay + i] = link[LINK_FORCE_Y, i] - link[LINK_FORCE_Y, i - 1]


@kernel(inline=True)
def _one_link(y, link, i, j, n, positions, pitch, stiffness, damping):
    """Spring and damper between rollers i and j (Pedersen 2004, Eq. 3.7); returns the dissipated power. [W]"""
    dx = y[j] - y[i]
    dz = y[n + j] - y[n + i]
    vx = y[positions + j] - y[positions + i]
    vz = y[positions + n + j] - y[positions + n + i]
    inverse = 1.0 / math.sqrt(dx * dx + dz * dz)
    ux = dx * inverse
    uz = dz * inverse
    rate = ux * vx + uz * vz
    length = (dx * dx + dz * dz) * inverse
    tension = stiffness * (length - pitch) + damping * rate
    link[LINK_X, i] = ux
    link[LINK_Y, i] = uz
    link[LINK_TENSION, i] = tension
    link[LINK_SPIN, i] = (ux * vz - uz * vx) * inverse
    link[LINK_INVERSE, i] = inverse
    link[LINK_FORCE_X, i] = tension * ux
    link[LINK_FORCE_Y, i] = tension * uz
    return damping * rate * rate


@kernel(inline=True)
def _one_joint(link, before, i, after, c):
    """Couple on link i of the viscous moments of both its joints; returns the power lost in the first one. [W]"""
    opening = link[LINK_SPIN, i] - link[LINK_SPIN, before]
    closing = link[LINK_SPIN, after] - link[LINK_SPIN, i]
    transverse = c * (closing - opening) * link[LINK_INVERSE, i]
    link[LINK_FORCE_X, i] += transverse * link[LINK_Y, i]
    link[LINK_FORCE_Y, i] -= transverse * link[LINK_X, i]
    return c * opening * opening


@kernel(inline=True)
def _contact_forces(y, dy, p, w, s):
    """Contact and friction between wheel w and one run of rollers; adds forces and the wheel's moment to dy."""
    n = p.links
    positions = 2 * n + p.wheels
    first, slot = p.segment[s, SEGMENT_FIRST], p.segment[s, SEGMENT_SLOT]
    count = p.segment[s, SEGMENT_END] - first
    contact, candidate = p.contact, p.candidate
    cx, cy = p.wheel[w, WHEEL_X], p.wheel[w, WHEEL_Y]
    angle, spin = y[2 * n + w], y[positions + 2 * n + w]
    ca, sa = math.cos(angle), math.sin(angle)

    # 1. Position in the gap's own frame, folded to one side of its centre line.
    for i in range(count):
        k = slot + i
        ux = ca * candidate[CANDIDATE_COS, k] - sa * candidate[CANDIDATE_SIN, k]
        uy = sa * candidate[CANDIDATE_COS, k] + ca * candidate[CANDIDATE_SIN, k]
        dx = y[first + i] - cx
        dz = y[n + first + i] - cy
        xi = ux * dz - uy * dx
        contact[CONTACT_UX, k] = ux
        contact[CONTACT_UY, k] = uy
        contact[CONTACT_XI, k] = abs(xi)
        contact[CONTACT_SIDE, k] = 1.0 if xi >= 0.0 else -1.0
        contact[CONTACT_ETA, k] = ux * dx + uy * dz

    # 2. Which element of the profile faces the roller (geometry.profile.table): one pass for each boundary.
    row = p.wheel_index[w, INDEX_PROFILE]
    profile = p.profile
    for i in range(count):
        k = slot + i
        contact[CONTACT_MX, k] = profile[row, 0]
        contact[CONTACT_MY, k] = profile[row, 1]
        contact[CONTACT_NX, k] = profile[row, 2]
        contact[CONTACT_NY, k] = profile[row, 3]
        contact[CONTACT_CURVATURE, k] = profile[row, 4]
    for e in range(row + 1, p.wheel_index[w, INDEX_PROFILE_END]):
        mx, my, nx, ny = profile[e, 0], profile[e, 1], profile[e, 2], profile[e, 3]
        curvature, bx, by, tx, ty = profile[e, 4], profile[e, 5], profile[e, 6], profile[e, 7], profile[e, 8]
        for i in range(count):
            k = slot + i
            beyond = (contact[CONTACT_XI, k] - bx) * tx + (contact[CONTACT_ETA, k] - by) * ty > 0.0
            contact[CONTACT_MX, k] = mx if beyond else contact[CONTACT_MX, k]
            contact[CONTACT_MY, k] = my if beyond else contact[CONTACT_MY, k]
            contact[CONTACT_NX, k] = nx if beyond else contact[CONTACT_NX, k]
            contact[CONTACT_NY, k] = ny if beyond else contact[CONTACT_NY, k]
            contact[CONTACT_CURVATURE, k] = curvature if beyond else contact[CONTACT_CURVATURE, k]

    # 3. Penetration, normal, approach and slip.
    for i in range(count):
        k = slot + i
        phi, gx, gy = distance(
            contact[CONTACT_XI, k] - contact[CONTACT_MX, k],
            contact[CONTACT_ETA, k] - contact[CONTACT_MY, k],
            contact[CONTACT_NX, k],
            contact[CONTACT_NY, k],
            contact[CONTACT_CURVATURE, k],
        )
        gx *= contact[CONTACT_SIDE, k]
        ux, uy = contact[CONTACT_UX, k], contact[CONTACT_UY, k]
        nx = gy * ux - gx * uy
        ny = gy * uy + gx * ux
        vx = y[positions + first + i] + spin * (y[n + first + i] - cy)
        vz = y[positions + n + first + i] - spin * (y[first + i] - cx)
        contact[CONTACT_PENETRATION, k] = p.roller_radius - phi
        contact[CONTACT_NORMAL_X, k] = nx
        contact[CONTACT_NORMAL_Y, k] = ny
        contact[CONTACT_RATE, k] = -(vx * nx + vz * ny)
        contact[CONTACT_SLIP, k] = vz * nx - vx * ny

    # 4. Elastic part of the force, by exponent.
    stiffness, exponent = p.wheel[w, WHEEL_STIFFNESS], p.wheel[w, WHEEL_EXPONENT]
    law = p.wheel_index[w, INDEX_LAW]
    if law == LAW_HERTZ:
        for k in range(slot, slot + count):
            contact[CONTACT_ELASTIC, k] = elastic_force_hertz(contact[CONTACT_PENETRATION, k], stiffness)
    elif law == LAW_LINEAR:
        for k in range(slot, slot + count):
            contact[CONTACT_ELASTIC, k] = elastic_force_linear(contact[CONTACT_PENETRATION, k], stiffness)
    else:
        for k in range(slot, slot + count):
            contact[CONTACT_ELASTIC, k] = elastic_force_power(contact[CONTACT_PENETRATION, k], stiffness, exponent)

    # 5. Friction direction.
    friction = p.wheel[w, WHEEL_FRICTION]
    if friction != 0.0:
        regularised_signs(
            p.friction_kind,
            contact[CONTACT_SLIP],
            p.friction_speed,
            p.friction_sharpness,
            contact[CONTACT_SIGN],
            slot,
            slot + count,
        )

    # 6. Forces, moment and powers.
    hysteresis, viscous = p.wheel[w, WHEEL_HYSTERESIS], p.wheel[w, WHEEL_VISCOUS]
    moment, lost, rubbed = 0.0, 0.0, 0.0
    ax, ay = positions + first, positions + n + first
    for i in range(count):
        k = slot + i
        rate, slip = contact[CONTACT_RATE, k], contact[CONTACT_SLIP, k]
        speed = max(candidate[CANDIDATE_SPEED, k], p.speed_floor)
        force = normal_force(
            contact[CONTACT_ELASTIC, k], rate, speed, hysteresis, viscous, contact[CONTACT_PENETRATION, k]
        )
        rub = -friction * contact[CONTACT_SIGN, k] * force
        nx, ny = contact[CONTACT_NORMAL_X, k], contact[CONTACT_NORMAL_Y, k]
        fx = force * nx - rub * ny
        fz = force * ny + rub * nx
        contact[CONTACT_FORCE, k] = force
        contact[CONTACT_FRICTION, k] = rub
        dy[ax + i] += fx
        dy[ay + i] += fz
        moment -= (y[first + i] - cx) * fz - (y[n + first + i] - cy) * fx
        lost += (force - contact[CONTACT_ELASTIC, k]) * rate
        rubbed -= rub * slip
    dy[positions + 2 * n + w] += moment
    dy[2 * positions + WORK_CONTACT] += lost
    dy[2 * positions + WORK_FRICTION] += rubbed


@kernel(inline=True)
def _accelerations(t, y, dy, p):
    """Forces and moments in dy become accelerations; wheels with a prescribed motion follow it."""
    n = p.links
    positions = 2 * n + p.wheels
    inverse = 1.0 / p.mass
    for i in range(n):
        dy[positions + i] = dy[positions + i] * inverse + p.gravity_x
        dy[positions + n + i] = dy[positions + n + i] * inverse + p.gravity_y
    work = 2 * positions
    for w in range(p.wheels):
        at = positions + 2 * n + w
        spin = y[at]
        bearing = p.wheel[w, WHEEL_BEARING_DAMPING] * spin
        bearing += p.wheel[w, WHEEL_BEARING_FRICTION] * math.tanh(spin / BEARING_SPEED)
        load = p.wheel[w, WHEEL_LOAD]
        moment = dy[at] - bearing + load
        kind = p.wheel_index[w, INDEX_MOTION]
        dy[work + WORK_BEARING] += bearing * spin
        dy[work + WORK_OUTPUT] -= load * spin
        if kind == FREE:
            dy[at] = moment / p.wheel[w, WHEEL_INERTIA]
        else:
            dy[at] = motion_acceleration(kind, t, y[2 * n + w], p.motion, p.motion_table, w)
            dy[work + WORK_INPUT] += (p.wheel[w, WHEEL_INERTIA] * dy[at] - moment) * spin
