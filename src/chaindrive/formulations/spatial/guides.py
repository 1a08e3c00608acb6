"""Contact of a chain in space with guides, which lead it in the plane of the drawing.

A guide is at least as wide as the chain, and is uniform over its width. Only the position of a joint in the plane
determines its penetration (planar/contact.py), and the normal force acts in the middle of the joint, in the plane. The
normal force therefore has a potential, and only friction holds a link against rolling or moving out of the plane.
Friction opposes all sliding of the point of contact, along the guide and out of the plane. If plates slide, this point
is at the distance b below the joint. With the normal n, r = -b n and the angular velocity W of the link,

    v = v_joint + W x r - v_guide - (v.n) n.
"""

from __future__ import annotations

import math

import numpy as np

from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.contact import elastic_force, guide_contact
from chaindrive.formulations.planar.own_laws import own_elastic, own_force
from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.chain import ONE
from chaindrive.formulations.spatial.contact import FAR, NO_SLIP
from chaindrive.formulations.spatial.sticking import hold_on_guide
from chaindrive.kernels import kernel
from chaindrive.physics.contact import contact_dissipation, impact_speed, normal_force
from chaindrive.physics.friction import friction_force, regularised_sign

__all__ = ["touch_guide"]


@kernel(inner=True)
def touch_guide(dy, p, segment):
    """Apply the contacts of a run of joints with a guide: forces on the links, the moment on the guide, and powers into
    dy.
    """
    planar = p.planar
    g, first, slot = planar.segment.surface[segment], planar.segment.first[segment], planar.segment.slot[segment]
    for i in range(first, planar.segment.end[segment]):
        _locate(p, i)
    guide_contact(p.joint_place, p.joint_velocity, planar, g, segment)
    elastic_force(planar, g, segment)
    lost = 0.0
    for i in range(first, planar.segment.end[segment]):
        k = slot + i - first
        p.slot.side[k] = p.slot.outer[k] = -FAR
        p.slot.side_force[k] = p.slot.outer_force[k] = p.slot.axial[k] = 0.0
        planar.contact.force[k] = planar.contact.friction[k] = 0.0
        row = planar.segment.face[segment] * p.links + i
        if planar.contact.penetration[k] > 0.0:
            lost += _press(p, g, i, k, row)
        elif planar.elastic_friction:
            p.follow.held[row] = 0.0
    dy[planar.layout.work + P.WORK_GUIDE] += lost


@kernel(inner=True)
def _carrier(p, i):
    """Return the block and the lane of the link that carries joint i, and the first row of that joint."""
    link = p.owner[i, 0]
    block = link // S.LANES
    return p.link[block], np.uintp(link - block * S.LANES) + ONE, S.BX if p.owner[i, 1] != 0 else S.PX


@kernel(inner=True)
def _locate(p, i):
    """Write position and velocity, in the plane, of joint i on the link that carries its roller."""
    s, lane, joint = _carrier(p, i)
    n, step = p.links, np.uintp(S.STRIDE)
    x, y = s[joint + lane], s[joint + step + lane]
    dx, dy, dz = x - s[S.X + lane], y - s[S.Y + lane], s[joint + step + step + lane] - s[S.Z + lane]
    ox, oy, oz = s[S.OX + lane], s[S.OY + lane], s[S.OZ + lane]
    p.joint_place[i], p.joint_place[n + i] = x, y
    p.joint_velocity[i] = s[S.VX + lane] + oy * dz - oz * dy
    p.joint_velocity[n + i] = s[S.VY + lane] + oz * dx - ox * dz


@kernel(inner=True)
def _press(p, g, i, k, row):
    """Compute normal force and friction of guide surface g on joint i, in slot k; return the power lost. [W]

    row: row of the anchor of the joint.
    """
    planar, contact = p.planar, p.planar.contact
    s, lane, joint = _carrier(p, i)
    step = np.uintp(S.STRIDE)
    nx, ny, rate, arm = contact.normal_x[k], contact.normal_y[k], contact.rate[k], planar.surface.arm[g]
    ox, oy, oz = s[S.OX + lane], s[S.OY + lane], s[S.OZ + lane]
    dx, dy = s[joint + lane] - s[S.X + lane], s[joint + step + lane] - s[S.Y + lane]
    dz = s[joint + step + step + lane] - s[S.Z + lane]
    # The point that touches, from the centre of mass of the link.
    rx, ry = dx - arm * nx, dy - arm * ny
    along = contact.slip[k] - arm * (oz - planar.frame.angular_velocity[g])
    aside = s[S.VZ + lane] + ox * ry - oy * rx
    elastic, depth = contact.elastic[k], contact.penetration[k]
    if planar.own_laws:
        elastic = own_elastic(planar, g, k)
    stored = max(planar.candidate.speed[k], planar.speed_floor)
    speed = impact_speed(stored, elastic, depth, planar.surface.speed_of_depth[g])
    hysteresis, viscous = planar.candidate.hysteresis[k], planar.candidate.viscous[k]
    force = normal_force(elastic, rate, speed, hysteresis, viscous, depth)
    if planar.own_laws:
        force = own_force(planar, g, k, math.sqrt(along * along + aside * aside), speed, force)
    if planar.elastic_friction:
        tangential, fz = hold_on_guide(p, g, row, s, lane, joint, nx, ny, planar.candidate.friction[k] * force)
        rubbed = -(tangential * along + fz * aside)
    else:
        slip = math.sqrt(along * along + aside * aside + NO_SLIP)
        sign = regularised_sign(planar.friction_kind, slip, planar.friction_speed, planar.friction_sharpness)
        rubbing = friction_force(sign, force, planar.candidate.friction[k]) / slip
        tangential, fz, rubbed = rubbing * along, rubbing * aside, -rubbing * slip * slip
    contact.force[k], contact.friction[k], contact.slip[k], p.slot.axial[k] = force, tangential, along, fz
    fx, fy = force * nx - tangential * ny, force * ny + tangential * nx
    s[S.CFX + lane] += fx
    s[S.CFY + lane] += fy
    s[S.CFZ + lane] += fz
    s[S.CTX + lane] += ry * fz - dz * fy
    s[S.CTY + lane] += dz * fx - rx * fz
    s[S.CTZ + lane] += rx * fy - ry * fx
    cx, cy = s[S.X + lane] + rx - planar.frame.x[g], s[S.Y + lane] + ry - planar.frame.y[g]
    planar.resultant.x[g] -= fx
    planar.resultant.y[g] -= fy
    planar.resultant.moment[g] -= cx * fy - cy * fx
    return contact_dissipation(force, elastic, rate) + rubbed
