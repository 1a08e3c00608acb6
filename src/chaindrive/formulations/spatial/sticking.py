"""Elastic friction (physics/elastic_friction.py) in space: links stick to teeth, plates and guides, and joints stick at
an angle.

A point of the link sticks to the anchor A on the surface. A is given in the frame of the surface and moves with it.
With the present position B of that point of the link, the normal n and the stiffness k,

    d = B - A - (n.(B - A))/(n.n) n,  f = -k d,  or mu N f/|f| if that is less.

The friction limit applies to the resultant of both directions of sliding. At wheels, the point that sticks is on a line
parallel to the pins, and moves along it as the link slides along its pins. On guides any point of the link may stick.
The moment of the spring of a joint is proportional to twice the sine of half the angle by which the joint has turned
since it stuck.

Every evaluation computes where the anchors would be if the step were accepted (``p.follow``). The anchors themselves
are part of the history, and move only at accepted steps.
"""

from __future__ import annotations

import math

import numpy as np

from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.chain import ONE, TOO_NARROW, in_block
from chaindrive.kernels import Kernel, kernel
from chaindrive.physics.elastic_friction import anchor_turned, held_force, held_share, turn_since
from chaindrive.physics.friction import regularised_sign

__all__ = [
    "hold_by_own_law",
    "hold_joints",
    "hold_on_guide",
    "hold_on_wheel",
    "release",
    "side_rows",
    "stick",
    "teeth_of",
]


@kernel(inline=True)
def teeth_of(planar, w, face):
    """Return the row of ``p.tooth`` for a face of wheel w."""
    cog = planar.face.cog[face]
    return w if cog < 0 else planar.wheels + cog


@kernel(inline=True)
def side_rows(p, teeth):
    """Return the rows of the anchors of joint 0 for inner and for outer plates, at the teeth of a row of
    ``p.tooth``.
    """
    inner = (p.planar.faces + teeth) * p.links
    return inner, inner + p.tooth.half.size * p.links


# ---- at wheels, in the rows of ``p.near``


@kernel(inner=True, distinct=True)
def _gather_anchors(n, row, count, m, held, own, x, y, z):
    """Copy the anchors of some links, beginning with the given row, into ``p.near``; the remaining lanes stick to
    nothing.
    """
    for i in range(count):
        r = row + i
        n[S.NEAR_HELD + i], n[S.NEAR_OWN + i] = held[r], own[r]
        n[S.NEAR_PX + i], n[S.NEAR_PY + i], n[S.NEAR_PZ + i] = x[r], y[r], z[r]
    for i in range(count, m):
        n[S.NEAR_HELD + i] = n[S.NEAR_OWN + i] = 0.0
        n[S.NEAR_PX + i] = n[S.NEAR_PY + i] = n[S.NEAR_PZ + i] = 0.0


def _holding(own: bool) -> Kernel:
    """Return the kernel of elastic friction at wheels; own: whether every link has its own friction coefficient."""

    @kernel(inner=True)
    def _hold(n, m, cos, sin, inward, friction, stiffness):
        """Add elastic friction to the forces on links that touch a wheel, and find their new anchors.

        Return the power dissipated. [W]
        """
        step, lost = np.uintp(S.STRIDE), 0.0
        for i in range(m):
            ax, ay, az = n[S.OWN_AX + i], n[S.OWN_AX + step + i], n[S.OWN_AX + step + step + i]
            x = n[S.OWN_X + i] + inward * n[S.OWN_UX + i]
            y = n[S.OWN_X + step + i] + inward * n[S.OWN_UX + step + i]
            z = n[S.OWN_X + step + step + i] + inward * n[S.OWN_UX + step + step + i]
            px, py, was = n[S.NEAR_PX + i], n[S.NEAR_PY + i], n[S.NEAR_OWN + i]
            dx = x + was * ax - (cos * px - sin * py)
            dy = y + was * ay - (sin * px + cos * py)
            dz = z + was * az - n[S.NEAR_PZ + i]
            nx, ny, nz = n[S.NEAR_NX + i], n[S.NEAR_NY + i], n[S.NEAR_NZ + i]
            share = (dx * nx + dy * ny + dz * nz) / (nx * nx + ny * ny + nz * nz + TOO_NARROW)
            sticks = -stiffness * n[S.NEAR_HELD + i]
            fx, fy, fz = sticks * (dx - share * nx), sticks * (dy - share * ny), sticks * (dz - share * nz)
            spring, limit = math.sqrt(fx * fx + fy * fy + fz * fz), friction * n[S.NEAR_FORCE + i]
            if own:
                limit *= n[S.NEAR_FRICTION + i]
            held = held_share(spring, limit)
            fx, fy, fz = held * fx, held * fy, held * fz
            slid = n[S.NEAR_SX + i] * fx + n[S.NEAR_SY + i] * fy + n[S.NEAR_SZ + i] * fz
            lost -= n[S.NEAR_SLIP + i] * slid
            n[S.NEAR_FX + i] += fx
            n[S.NEAR_FY + i] += fy
            n[S.NEAR_FZ + i] += fz
            # The direction of sliding gives way to that of friction.
            size = held * spring
            n[S.NEAR_RUBBING + i] = size
            n[S.NEAR_SX + i], n[S.NEAR_SY + i] = fx / (size + TOO_NARROW), fy / (size + TOO_NARROW)
            n[S.NEAR_SZ + i] = fz / (size + TOO_NARROW)
            along = n[S.NEAR_ALONG + i]
            x, y = x + along * ax + fx / stiffness, y + along * ay + fy / stiffness
            stays = spring <= limit and n[S.NEAR_HELD + i] != 0.0
            n[S.NEAR_PX + i] = px if stays else cos * x + sin * y
            n[S.NEAR_PY + i] = py if stays else cos * y - sin * x
            n[S.NEAR_PZ + i] = n[S.NEAR_PZ + i] if stays else z + along * az + fz / stiffness
            n[S.NEAR_OWN + i] = was if stays else along
            n[S.NEAR_HELD + i] = 1.0 if n[S.NEAR_DEPTH + i] > 0.0 else 0.0
        return lost

    return _hold


@kernel(inner=True, distinct=True)
def _keep_anchors(n, row, count, held, own, x, y, z):
    """Copy the anchors of some links from ``p.near`` into ``p.follow``."""
    for i in range(count):
        r = row + i
        held[r], own[r] = n[S.NEAR_HELD + i], n[S.NEAR_OWN + i]
        x[r], y[r], z[r] = n[S.NEAR_PX + i], n[S.NEAR_PY + i], n[S.NEAR_PZ + i]


def _holding_on_wheel(own: bool) -> Kernel:
    """Return the kernel that adds elastic friction at wheels; own: as for ``_holding``."""
    hold = _holding(own)

    @kernel(inner=True)
    def hold_on_wheel(p, w, row, count, m, inward, friction, stiffness):
        """Add elastic friction to the forces on links at wheel w in ``p.near``; return the power lost. [W]

        To be called after the normal forces are known. row: row of the anchor of the first link; inward: position of
        the sticking point, from the joint into the link [m]; stiffness [N/m].
        """
        n, was, now, r, links = p.near, p.planar.anchored, p.follow, np.uintp(row), np.uintp(count)
        _gather_anchors(n, r, links, m, was.held, was.own_z, was.x, was.y, was.z)
        cos, sin = p.planar.frame.cos[w], p.planar.frame.sin[w]
        lost = hold(n, m, cos, sin, inward, friction, stiffness)
        _keep_anchors(n, r, links, now.held, now.own_z, now.x, now.y, now.z)
        return lost

    return hold_on_wheel


hold_on_wheel, hold_by_own_law = _holding_on_wheel(False), _holding_on_wheel(True)


@kernel(inner=True)
def release(p, row, count):
    """Release the anchors of some links that touch nothing."""
    for r in range(np.uintp(row), np.uintp(row + count)):
        p.follow.held[r] = 0.0


# ---- on guides


@kernel(inner=True)
def hold_on_guide(p, g, r, s, lane, joint, nx, ny, limit):
    """Return the elastic friction of guide surface g on a link, along the guide and out of the plane. [N, N]

    r: row of the anchor; s, lane, joint: the link and its joint, see guides.py; (nx, ny): normal; limit: mu N [N].
    """
    anchored, follow, frame, step = p.planar.anchored, p.follow, p.planar.frame, np.uintp(S.STRIDE)
    arm, stiffness, c, d = p.planar.surface.arm[g], p.planar.surface.tangential[g], frame.cos[g], frame.sin[g]
    x, y, z = s[joint + lane], s[joint + step + lane], s[joint + step + step + lane]
    px, py, ox, oy, oz = anchored.x[r], anchored.y[r], anchored.own_x[r], anchored.own_y[r], anchored.own_z[r]
    dx = x + s[S.R11 + lane] * ox + s[S.R12 + lane] * oy + s[S.R13 + lane] * oz - (c * px - d * py + frame.x[g])
    dy = y + s[S.R21 + lane] * ox + s[S.R22 + lane] * oy + s[S.R23 + lane] * oz - (d * px + c * py + frame.y[g])
    dz = z + s[S.R31 + lane] * ox + s[S.R32 + lane] * oy + s[S.R33 + lane] * oz - anchored.z[r]
    sticks = -stiffness * anchored.held[r]
    along, aside = sticks * (dy * nx - dx * ny), sticks * dz
    spring = math.sqrt(along * along + aside * aside)
    held = held_share(spring, limit)
    along, aside = held * along, held * aside
    if spring <= limit and anchored.held[r] != 0.0:
        _copy_row(anchored, follow, r)
        return along, aside
    bx, by = -arm * nx, -arm * ny
    x, y = x + bx - along * ny / stiffness - frame.x[g], y + by + along * nx / stiffness - frame.y[g]
    follow.held[r] = 1.0
    follow.x[r], follow.y[r], follow.z[r] = c * x + d * y, c * y - d * x, z + aside / stiffness
    follow.own_x[r] = s[S.R11 + lane] * bx + s[S.R21 + lane] * by
    follow.own_y[r] = s[S.R12 + lane] * bx + s[S.R22 + lane] * by
    follow.own_z[r] = s[S.R13 + lane] * bx + s[S.R23 + lane] * by
    return along, aside


@kernel(inline=True)
def _copy_row(source, target, r):
    target.held[r] = source.held[r]
    target.x[r], target.y[r], target.z[r] = source.x[r], source.y[r], source.z[r]
    target.own_x[r], target.own_y[r], target.own_z[r] = source.own_x[r], source.own_y[r], source.own_z[r]


@kernel(inner=True)
def _slide_on_guides(p):
    """Shift the anchors on guides at the start of a run, so that their springs exert the friction of sliding links."""
    planar, contact = p.planar, p.planar.contact
    for s in range(planar.used.segments[0]):
        g, first, slot = planar.segment.surface[s], planar.segment.first[s], planar.segment.slot[s]
        if g < planar.wheels:
            continue
        c, d = planar.frame.cos[g], planar.frame.sin[g]
        for i in range(first, planar.segment.end[s]):
            k, r = slot + i - first, planar.segment.face[s] * p.links + i
            sign = regularised_sign(
                planar.friction_kind, contact.slip[k], planar.friction_speed, planar.friction_sharpness
            )
            stretch = planar.candidate.friction[k] * sign * contact.force[k] / planar.surface.tangential[g]
            x, y = contact.normal_y[k] * stretch, -contact.normal_x[k] * stretch
            planar.anchored.x[r] += c * x + d * y
            planar.anchored.y[r] += c * y - d * x


# ---- joints


@kernel(inner=True)
def hold_joints(s, m, radius, stiffness):
    """Add elastic friction about the pins to the moments of the rear joints of a block; return its power. [W]

    To be called after the forces are known. radius: friction coefficient times pin radius [m]; stiffness [N m/rad].
    """
    turned = 0.0
    for i in range(m):
        h, k = i, i + ONE
        cx, cy, cz = s[S.C1 + k], s[S.C2 + k], s[S.C3 + k]
        cw = math.sqrt(max(1.0 - (cx * cx + cy * cy + cz * cz), 0.0))
        scale = 1.0 / math.sqrt(cw * cw + cz * cz + TOO_NARROW)
        cosine, sine = scale * cw, scale * cz
        spring = 2.0 * stiffness * turn_since(cosine, sine, s[S.HINGE_COS + k], s[S.HINGE_SIN + k])
        moment = held_force(spring, radius * s[S.PIN_GRIP + k])
        s[S.HALF_COS + k], s[S.HALF_SIN + k], s[S.PIN_SPRING + k] = cosine, sine, spring
        r1, r2, r3 = s[S.R13 + h], s[S.R23 + h], s[S.R33 + h]
        rate = r1 * (s[S.OX + k] - s[S.OX + h]) + r2 * (s[S.OY + k] - s[S.OY + h]) + r3 * (s[S.OZ + k] - s[S.OZ + h])
        s[S.PIN_MOMENT + k] += moment
        s[S.PIN_LOSS + k] += moment * rate
        s[S.TX + k] -= moment * r1
        s[S.TY + k] -= moment * r2
        s[S.TZ + k] -= moment * r3
        turned += moment * rate
    return turned


# ---- at accepted states


@kernel(inner=True)
def stick(t, y, p, anew):
    """Move all anchors to where the last evaluation put them (``ChainKernels.stick``)."""
    _follow_links(p)
    if anew:
        _slide_on_guides(p)
    if p.joint_friction_radius > 0.0:
        for b in range(p.blocks):
            _stick_joints(p, p.link[b], b * S.LANES, in_block(p, b), anew)


@kernel(inner=True)
def _follow_links(p):
    """Move the anchors of links on teeth, plates and guides to where the last evaluation put them."""
    planar, n = p.planar, p.links
    for s in range(planar.used.segments[0]):
        face, surface = planar.segment.face[s], planar.segment.surface[s]
        first, count = planar.segment.first[s], planar.segment.end[s] - planar.segment.first[s]
        _follow(planar.anchored, p.follow, np.uintp(face * n + first), np.uintp(count))
        if surface < planar.wheels and planar.segment.back[s] == 0:
            inner, outer = side_rows(p, teeth_of(planar, surface, face))
            _follow(planar.anchored, p.follow, np.uintp(inner + first), np.uintp(count))
            _follow(planar.anchored, p.follow, np.uintp(outer + first), np.uintp(count))


@kernel(inner=True)
def _follow(anchored, follow, row, count):
    """Adopt the new anchors of the contacts in these rows, and remove the anchors of those that no longer touch."""
    for r in range(row, row + count):
        if follow.held[r] != 0.0:
            _copy_row(follow, anchored, r)
        else:
            anchored.held[r] = 0.0


@kernel(inner=True)
def _stick_joints(p, s, first, count, anew):
    """Move the anchors of those joints of a block that have slid, so that the moments of their springs equal the
    friction limit.

    anew: anchor all joints at their present angles instead.
    """
    hinge, stiffness = p.planar.hinge, 2.0 * p.joint_friction_stiffness
    for i in range(count):
        k, j = i + ONE, np.uintp(first) + i
        spring, limit = s[S.PIN_SPRING + k], p.joint_friction_radius * s[S.PIN_GRIP + k]
        if anew:
            hinge.cos[j], hinge.sin[j] = s[S.HALF_COS + k], s[S.HALF_SIN + k]
        elif abs(spring) > limit:
            turn = held_force(spring, limit) / stiffness
            hinge.cos[j], hinge.sin[j] = anchor_turned(s[S.HALF_COS + k], s[S.HALF_SIN + k], turn)
