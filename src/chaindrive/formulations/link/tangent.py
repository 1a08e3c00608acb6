"""Derivatives of the accelerations of rigid links with respect to their coordinates: ``Kernels.tangent``.

A displacement changes a coordinate by ``follow`` times, and its velocity by ``lead`` times, that displacement. The arms
r from the centre of mass of a link to bush and pin turn with the link. The ends of the arms move by r^ and turn with w,
so that their velocities change by lead r^ - follow w r, and moments of forces F there change by r^ x F.
"""

from __future__ import annotations

import math

from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.link.ends import turning_before
from chaindrive.formulations.link.joints import joint_angle
from chaindrive.formulations.planar.sticking import relaxed
from chaindrive.formulations.planar.tangent import Turning, contact_slopes, force_change, presses, turning_slopes
from chaindrive.kernels import index, kernel
from chaindrive.physics.pin import oil_film_slopes, pin_force_slopes

__all__ = ["tangent"]

ZERO, ONE, TWO, THREE = index(0), index(1), index(2), index(3)
BEFORE, OWN, BEHIND = index(0), index(1), index(2)
"""Indices of neighbouring links in a row of the band."""
DIRECTED = 0.5
"""Squared length of the normal of a pin below which the pin is too near the middle of its bush to have a
direction. [-]"""


@kernel(apart=True)
def tangent(t, y, follow, lead, p, band):
    """Write the derivatives of the accelerations of the links with respect to displacements, see
    ``Kernels.tangent``.
    """
    for i in range(index(p.links)):
        for d in range(THREE):
            for r in range(THREE):
                for c in range(THREE):
                    band[i, d, r, c] = 0.0
    _joints(t, follow, lead, p, band)
    _contacts(follow, lead, p, band)
    for i in range(index(p.links)):
        for d in range(THREE):
            for c in range(THREE):
                band[i, d, ZERO, c] *= p.body.inverse_mass[i]
                band[i, d, ONE, c] *= p.body.inverse_mass[i]
                band[i, d, TWO, c] *= p.body.inverse_inertia[i]


@kernel(inline=True)
def _end_moved(c, arm_x, arm_y, turning, follow, lead):
    """Return the displacement of the end of an arm, and the change of its velocity, due to coordinate c of its link.

    turning: angular velocity of the link.
    """
    if c == ZERO:
        return follow, 0.0, lead, 0.0
    if c == ONE:
        return 0.0, follow, 0.0, lead
    back = follow * turning
    return -follow * arm_y, follow * arm_x, -lead * arm_y - back * arm_x, lead * arm_x - back * arm_y


@kernel(inner=True)
def _joints(t, follow, lead, p, band):
    """Add pins in bushes, and the moments that resist their rotation."""
    relaxes = p.joint_relaxation > 0.0 and p.planar.elastic_joints
    kept, gained = relaxed(t, p.joint_relaxation, p.planar) if relaxes else (0.0, 0.0)
    n, closed = p.links, p.planar.closed
    for j in range(p.planar.rollers):
        if closed or _held(p, j):
            _one_joint(p, j, (j + n - 1) % n if closed else j - 1, kept, gained, follow, lead, band)


@kernel(inner=True)
def _held(p, j):
    """Return whether joint j exists; there is no joint at a free end of an open chain."""
    if 0 < j < p.links:
        return True
    held = False
    for a in range(p.planar.anchor.roller.size):
        held = held or (p.planar.anchor.end[a] == 0) == (j == 0)
    return held


@kernel(inner=True)
def _one_joint(p, j, a, kept, gained, follow, lead, band):
    """Add joint j, the pin of link a in the bush of link j; either may belong to a fitting, which does not move."""
    link, pin, turning = p.link, p.pin, p.planar.turning
    fx, fy = pin.force_x[j], pin.force_y[j]
    by_turn, by_rate, by_force = _turning(p, j, kept, gained)
    has_pin, has_bush = a >= 0, j < p.links
    for side in range(2):
        of_pin = side == 0
        if not (has_pin if of_pin else has_bush):
            continue
        k, sense = (a, 1.0) if of_pin else (j, -1.0)
        rx, ry = (link.pin_x[k], link.pin_y[k]) if of_pin else (link.bush_x[k], link.bush_y[k])
        for c in range(THREE):
            dx, dy, dvx, dvy = _end_moved(c, rx, ry, turning[k], follow, lead)
            turn, spin = (follow, lead) if c == TWO else (0.0, 0.0)
            of_bush = 0.0 if of_pin else spin
            gx, gy, size, moment = _pin_change(p, j, sense * dx, sense * dy, sense * dvx, sense * dvy, of_bush)
            resisting = by_force * size - sense * (by_turn * turn + by_rate * spin)
            if has_pin:
                cx, cy = link.pin_x[a], link.pin_y[a]
                turned = resisting - (cx * gy - cy * gx) + (turn * (cx * fx + cy * fy) if of_pin else 0.0)
                _add(band, a, OWN if of_pin else BEHIND, c, -gx, -gy, turned)
            if has_bush:
                bx, by = link.bush_x[j], link.bush_y[j]
                turned = moment - resisting + bx * gy - by * gx - (0.0 if of_pin else turn * (bx * fx + by * fy))
                _add(band, j, BEFORE if of_pin else OWN, c, gx, gy, turned)


@kernel(inline=True)
def _add(band, i, d, c, x, y, turned):
    """Add derivatives of forces and moment on link i with respect to coordinate c of the link at index d of its row."""
    band[i, d, ZERO, c] += x
    band[i, d, ONE, c] += y
    band[i, d, TWO, c] += turned


@kernel(inner=True)
def _turning(p, j, kept, gained):
    """Return the derivatives of the moment of joint j on the link of the pin, with respect to angle, rate and pin
    force.
    """
    if p.joint_damping == 0.0 and p.joint_friction_radius == 0.0:
        return 0.0, 0.0, 0.0
    law = Turning(
        p.joint_damping, p.joint_friction_radius, p.joint_friction_rate, p.joint_friction_stiffness, p.joint_relaxation
    )
    before = p.planar.turning[j - 1 if j > 0 else p.links - 1]
    if j == 0 and not p.planar.closed:
        before = turning_before(p)
    cosine, sine = joint_angle(p, j)
    rate = p.planar.turning[j] - before
    return turning_slopes(law, j, cosine, sine, rate, p.pin.force[j], kept, gained, p.planar)


@kernel(inner=True)
def _pin_change(p, j, dx, dy, dvx, dvy, spin):
    """Return the change of the force on the bush of joint j (x, y), of its magnitude, and of its moment on the link of
    the bush.

    The change is due to a displacement (dx, dy) and a velocity (dvx, dvy) of the pin relative to the bush, and to an
    angular velocity ``spin`` of the link of the bush.
    """
    pin, n = p.pin, p.planar.rollers
    ox, oy = pin.x[j] - p.place[j], pin.y[j] - p.place[n + j]
    if p.joint_kind == L.JOURNAL:
        stiffness, damping, turning = p.joint.stiffness[j], p.joint.damping[j], p.planar.turning[j]
        gx = stiffness * dx + damping * (dvx + turning * dy + spin * oy)
        gy = stiffness * dy + damping * (dvy - turning * dx - spin * ox)
        fx, fy = pin.force_x[j], pin.force_y[j]
        size = math.sqrt(fx * fx + fy * fy)
        return gx, gy, (fx * gx + fy * gy) / size if size > 0.0 else 0.0, dx * fy - dy * fx + ox * gy - oy * gx
    nx, ny, depth, rate = pin.normal_x[j], pin.normal_y[j], pin.penetration[j], pin.rate[j]
    if nx * nx + ny * ny < DIRECTED:  # in the middle of its bush, which is equally stiff all around, or has clearance
        stiffness = 0.0 if p.joint.clearance[j] > 0.0 else p.joint.stiffness[j]
        return stiffness * dx, stiffness * dy, 0.0, 0.0
    by_depth, by_rate = pin_force_slopes(depth, rate, p.joint.stiffness[j], p.joint.damping[j])
    oil_by_depth, oil_by_rate = oil_film_slopes(depth, rate, p.oil_damping, p.oil_inverse_distance)
    across = (nx * dy - ny * dx) / (depth + p.joint.clearance[j])
    passing = (pin.vy[j] - p.velocity[n + j]) * nx - (pin.vx[j] - p.velocity[j]) * ny
    closing = nx * dvx + ny * dvy + passing * across
    size = (by_depth + oil_by_depth) * (nx * dx + ny * dy) + (by_rate + oil_by_rate) * closing
    turned = pin.force[j] * across
    return size * nx - turned * ny, size * ny + turned * nx, size, 0.0


@kernel(inner=True)
def _contacts(follow, lead, p, band):
    """Add contacts of bushes, and of a roller on the last pin, with wheels and guides."""
    planar = p.planar
    for s in range(planar.used.segments[0]):
        first, slot = planar.segment.first[s], planar.segment.slot[s]
        for i in range(first, planar.segment.end[s]):
            if presses(planar, slot + i - first):
                _one_contact(p, s, i, slot + i - first, follow, lead, band)


@kernel(inner=True)
def _one_contact(p, s, i, k, follow, lead, band):
    """Add the contact of bush i in slot k, which belongs to run s."""
    planar, link, contact = p.planar, p.link, p.planar.contact
    surface, own = planar.segment.surface[s], min(i, p.links - 1)
    arm, on_pin = planar.surface.arm[surface], i == p.links
    rx, ry = (link.pin_x[own], link.pin_y[own]) if on_pin else (link.bush_x[own], link.bush_y[own])
    nx, ny, force, friction = contact.normal_x[k], contact.normal_y[k], contact.force[k], contact.friction[k]
    fx, fy = force * nx - friction * ny, force * ny + friction * nx
    rolls, back = surface < planar.wheels and arm == 0.0, planar.segment.back[s]
    held = back > 0 and contact.penetration[k - back] > 0.0
    braked = p.roller_damping if rolls and not held else 0.0
    slopes = contact_slopes(p.place, planar, s, i)
    for c in range(THREE):
        dx, dy, dvx, dvy = _end_moved(c, rx, ry, planar.turning[own], follow, lead)
        turn, spin = (follow, lead) if c == TWO else (0.0, 0.0)
        gx, gy, rubbing = force_change(planar, slopes, s, i, dx, dy, dvx, dvy, turn, spin)
        turned = rx * gy - ry * gx - turn * (rx * fx + ry * fy) - arm * rubbing - braked * spin
        _add(band, own, OWN, c, gx, gy, turned)
