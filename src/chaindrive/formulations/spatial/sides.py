"""Plates of the chain on the sides of the teeth that they straddle.

A plate meets the side of the tooth that its link straddles at the edges of that tooth, a roller radius from either
joint. At these points the tooth is offset by s from the middle between the plates (found as in contact.py). The
penetration is

    d = |s| + (half width h of the tooth at the radius r) - (half the width between the plates)

The tooth becomes narrower towards its tip (tip relief). It ends in edges of 45 degrees or, if its tip is wider than the
chamfer of the plate, within a height equal to that chamfer. There the chamfer of the plate slides on the tooth: h falls
below zero, down to minus the chamfer, so that the force has a radial component. The force is K d (1 + c d') (Hunt &
Crossley 1975), but never pulls, with friction on the side of the tooth. The penetration is at most the width of the
tooth and both chamfers: a plate that is deeper rides on the tooth and is pushed outwards. On a cassette, such a plate
is beside the tooth: a plate that is more than halfway through is pushed out on the other side, and beyond the tooth
there is room:

    d = 2 (h + chamfer) - (|s| + h - half the width between the plates),

so that the chain can leave a cog and run beside it. For a chain beside it, a cog is a disc as large as its tip circle.
With gates (gates.py), its rim and the lean of its tips vary with the angle around it: s + e(r) replaces s, where e
grows linearly from the pitch circle to the tip circle, and the force has a circumferential component.

Inner plates are closest to teeth. Outer plates come near them on wheels with a large offset, and on narrow-wide wheels,
where every second tooth fits only between outer plates. They are checked only where inner plates are so deep that outer
plates could touch (``Teeth.outer``).
"""

from __future__ import annotations

import math

import numpy as np

from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.chain import TOO_NARROW, whole
from chaindrive.formulations.spatial.contact import FAR, NO_SLIP, act, against_wheel, hand_back, signs
from chaindrive.formulations.spatial.sticking import hold_on_wheel, release
from chaindrive.kernels import Kernel, kernel
from chaindrive.physics.friction import friction_force

__all__ = ["plates", "side_energy"]


@kernel(inner=True)
def plates(dy, p, carriers, w, teeth, first, slot, count, room, depth, force, anchors):
    """Compute the contacts of the plates of some links, gathered in ``p.near``, with the sides of the teeth of wheel w.

    Return the largest penetration. [m]

    carriers: ``p.owner`` or ``p.other``; teeth: row of ``p.tooth``; room: half the width between these plates [m];
    depth, force: columns of ``p.slot`` for these plates; anchors: row of the anchor of joint 0 for these plates and
    teeth.
    """
    planar, n, m, start, e = p.planar, p.near, whole(np.uintp(count)), np.uintp(slot), p.axes[w]
    _straddled(p, carriers, w, teeth, first, count, m)
    radius, full, tip = planar.roller_radius, p.tooth.full[teeth], p.tooth.tip[teeth]
    if p.tooth.passable[teeth] != 0:
        touched = _straddle_on_cassette(n, m, radius, room, p.chamfer, full, tip)
    else:
        touched = _straddle(n, m, radius, room, p.chamfer, full, tip)
    if touched > 0.0:
        _press_plates(n, m, e, planar.frame.angular_velocity[w], radius, p.side_stiffness, p.side_damping)
        if planar.elastic_friction:
            lost = _rub(n, m, 0.0)
            lost += hold_on_wheel(p, w, anchors + first, count, m, radius, p.side_friction, p.side_stiffness)
            _along_pins(n, m)
        else:
            signs(planar, n, count)
            lost = _rub(n, m, p.side_friction)
        dy[planar.layout.work + S.WORK_SIDE] += lost
        dy[p.losses_at + w * len(S.LOSSES) + S.LOST_SIDES] += lost
        act(n, m, e, p.thrust, w)
        hand_back(p, carriers, first, count)
    else:
        for i in range(m):
            n[S.NEAR_SIDE_FORCE + i] = 0.0
        if planar.elastic_friction:
            release(p, anchors + first, count)
    deepest = -FAR
    for i in range(np.uintp(count)):
        depth[start + i] = n[S.NEAR_DEPTH + i]
        force[start + i] = n[S.NEAR_SIDE_FORCE + i]
        deepest = max(deepest, n[S.NEAR_DEPTH + i])
    return deepest


@kernel(inner=True)
def _straddled(p, carriers, w, teeth, first, count, m):
    """Find half the width of the teeth that some links straddle, and its decrease with the radius.

    Tooth t of a wheel is between its gaps t and t + 1. A link whose rear joint is in a gap straddles the tooth ahead of
    it, and a link whose front joint is there straddles the tooth behind it.
    """
    n, half, slope = p.near, p.tooth.half[teeth], p.tooth.slope[teeth]
    for i in range(m):
        n[S.NEAR_HALF + i], n[S.NEAR_SLOPE + i] = half, slope
    if p.tooth.passable[teeth] != 0:
        _gated(p, w, teeth, count, m)
        return
    if p.tooth.wide[teeth] < 0.0:
        return
    odd, grows = int(p.tooth.wide[w]), p.planar.wheel.order[w] > 0
    for c in range(count):
        ahead = carriers[first + c, 1] != 0
        tooth = p.planar.gap[w, first + c] - (0 if ahead == grows else 1)
        wide, i = (tooth & 1) == odd, np.uintp(c)
        n[S.NEAR_HALF + i] = p.tooth.half_wide[w] if wide else half
        n[S.NEAR_SLOPE + i] = p.tooth.slope_wide[w] if wide else slope


@kernel(inner=True)
def _gated(p, w, teeth, count, m):
    """Find, beside some links, the tip radius and the lean of the teeth of a cog, and how fast both change around the
    wheel.

    Both are given at the middles of teeth, and interpolated linearly over the angle.
    """
    n, planar, step, radius = p.near, p.planar, np.uintp(S.STRIDE), p.planar.roller_radius
    cog = teeth - planar.wheels
    first = planar.cog.gap[cog] if cog >= 0 else planar.wheel.gap[w]
    many = planar.cog.teeth[cog] if cog >= 0 else planar.wheel.teeth[w]
    cos, sin, per_angle = planar.direction[first, 0], planar.direction[first, 1], many / (2.0 * math.pi)
    c = planar.frame.cos[w] * cos - planar.frame.sin[w] * sin
    s = planar.frame.sin[w] * cos + planar.frame.cos[w] * sin
    for i in range(m):
        n[S.NEAR_TIP + i], n[S.NEAR_LEAN + i] = p.tooth.tip[teeth], 0.0
        n[S.NEAR_TIP_RISE + i], n[S.NEAR_LEAN_RISE + i] = 0.0, 0.0
    beyond = p.tooth.tip[teeth] + p.chamfer
    within = max(min(p.tooth.full[teeth], p.tooth.lowest[teeth] - p.tooth.half[teeth]), 0.0)
    for i in range(np.uintp(count)):
        iz = n[S.OWN_UX + step + step + i]
        along = -(n[S.OWN_X + step + step + i] + radius * iz) / n[S.OWN_AZ + i]
        qx = n[S.OWN_X + i] + radius * n[S.OWN_UX + i] + along * n[S.OWN_AX + i]
        qy = n[S.OWN_X + step + i] + radius * n[S.OWN_UX + step + i] + along * n[S.OWN_AY + i]
        square = qx * qx + qy * qy
        if square > beyond * beyond or square < within * within:
            continue  # beyond all tips, or where no tooth leans and even the lowest has its full width
        at = math.atan2(c * qy - s * qx, c * qx + s * qy) * per_angle - 0.5
        behind = math.floor(at)
        one, other, share = first + int(behind) % many, first + (int(behind) + 1) % many, at - behind
        tip, lean = p.cut.tip[one], p.cut.lean[one]
        more_tip, more_lean = p.cut.tip[other] - tip, p.cut.lean[other] - lean
        n[S.NEAR_TIP + i], n[S.NEAR_LEAN + i] = tip + share * more_tip, lean + share * more_lean
        n[S.NEAR_TIP_RISE + i], n[S.NEAR_LEAN_RISE + i] = more_tip * per_angle, more_lean * per_angle


def _straddling(passable: bool) -> Kernel:
    """Return the kernel for plates on the teeth that they straddle; passable: whether plates can pass beside the
    teeth.
    """

    @kernel(inner=True)
    def straddle(n, m, radius, room, chamfer, full, tip):
        """Find where plates touch the sides of the teeth that they straddle: penetration, position and direction.
        Return the sum of the penetrations. [m]

        radius: roller radius [m]; room: half the width between the plates [m]; chamfer: size of their edges [m]; full:
        radius up to which teeth have their full width [m]; tip: radius at which they end [m].
        """
        step, pressed = np.uintp(S.STRIDE), 0.0
        for i in range(m):
            ax, ay, az = n[S.OWN_AX + i], n[S.OWN_AX + step + i], n[S.OWN_AX + step + step + i]
            ix, iy, iz = n[S.OWN_UX + i], n[S.OWN_UX + step + i], n[S.OWN_UX + step + step + i]
            along = -(n[S.OWN_X + step + step + i] + radius * iz) / az
            qx = n[S.OWN_X + i] + radius * ix + along * ax
            qy = n[S.OWN_X + step + i] + radius * iy + along * ay
            ox, oy = qx - n[S.NEAR_CX + i], qy - n[S.NEAR_CY + i]
            far = math.sqrt(ox * ox + oy * oy) + TOO_NARROW
            falls = n[S.NEAR_SLOPE + i]
            flank = n[S.NEAR_HALF + i] - max(far - full, 0.0) * falls
            steep = max((n[S.NEAR_HALF + i] - (tip - full) * falls) / chamfer, 1.0)
            edge = steep * ((n[S.NEAR_TIP + i] if passable else tip) - far)
            half = min(flank, edge)
            middle, outwards = along, 0.0
            if passable:
                outwards = min(max((far - full) / (tip - full), 0.0), 1.0)
                middle = along + outwards * n[S.NEAR_LEAN + i]
            depth, most = abs(middle) + half - room, 2.0 * max(half + chamfer, 0.0)
            rides = not passable and depth > most
            depth = most if rides else depth
            sign = 0.0 if rides else (1.0 if middle > 0.0 else -1.0)
            if passable and most - depth < depth:  # more than half the way through the plate
                depth, sign = most - depth, -sign
            slope = steep if edge < flank else (falls if far > full else 0.0)
            slope = 2.0 * slope if rides else slope
            # The direction in which the link yields: against the gradient of d.
            around = 0.0
            if passable:
                if full < far < tip:
                    slope -= sign * n[S.NEAR_LEAN + i] / (tip - full)
                around = -sign * outwards * n[S.NEAR_LEAN_RISE + i]
                if edge < flank:
                    around -= steep * n[S.NEAR_TIP_RISE + i]
            nx, ny = slope * ox / far, slope * oy / far
            if passable:
                nx, ny = nx - around * oy / (far * far), ny + around * ox / (far * far)
            nz = (sign - nx * ax - ny * ay) / az
            n[S.NEAR_DEPTH + i], n[S.NEAR_ALONG + i] = depth, along
            n[S.NEAR_NX + i], n[S.NEAR_NY + i], n[S.NEAR_NZ + i] = nx, ny, nz
            pressed += max(depth, 0.0)
        return pressed

    return straddle


_straddle, _straddle_on_cassette = _straddling(False), _straddling(True)


@kernel(inner=True)
def _press_plates(n, m, e, turning, radius, stiffness, damping):
    """Compute the normal forces of the sides of teeth on plates, and the sliding velocities of the plates.

    e: row of ``p.axes``; turning: angular velocity of the wheel [rad/s]; radius: roller radius [m]; stiffness [N/m];
    damping [s/m].
    """
    step, wx, wy, wz = np.uintp(S.STRIDE), e[S.TURNING], e[S.TURNING + 1], e[S.TURNING + 2] + turning
    for i in range(m):
        ax, ay, az = n[S.OWN_AX + i], n[S.OWN_AX + step + i], n[S.OWN_AX + step + step + i]
        ix, iy, iz = n[S.OWN_UX + i], n[S.OWN_UX + step + i], n[S.OWN_UX + step + step + i]
        along, depth = n[S.NEAR_ALONG + i], n[S.NEAR_DEPTH + i]
        nx, ny, nz = n[S.NEAR_NX + i], n[S.NEAR_NY + i], n[S.NEAR_NZ + i]
        bx, by, bz = radius * ix + along * ax, radius * iy + along * ay, radius * iz + along * az
        qx, qy = n[S.OWN_X + i] + bx, n[S.OWN_X + step + i] + by
        vx, vy, vz = against_wheel(n, i, step, bx, by, bz, wx, wy, wz, qx, qy)
        parting = vx * nx + vy * ny + vz * nz
        share = parting / (nx * nx + ny * ny + nz * nz + TOO_NARROW)
        vx, vy, vz = vx - share * nx, vy - share * ny, vz - share * nz
        slip = math.sqrt(vx * vx + vy * vy + vz * vz + NO_SLIP)
        elastic = stiffness * max(depth, 0.0)
        n[S.NEAR_RATE + i], n[S.NEAR_SLIP + i] = -parting, slip
        n[S.NEAR_ELASTIC + i], n[S.NEAR_FORCE + i] = elastic, max(elastic * (1.0 - damping * parting), 0.0)
        n[S.NEAR_SX + i], n[S.NEAR_SY + i], n[S.NEAR_SZ + i] = vx / slip, vy / slip, vz / slip
        n[S.NEAR_BX + i] = radius * n[S.NEAR_UX + i] + along * n[S.NEAR_AX + i]
        n[S.NEAR_BY + i] = radius * n[S.NEAR_UY + i] + along * n[S.NEAR_AY + i]
        n[S.NEAR_BZ + i] = radius * n[S.NEAR_UZ + i] + along * n[S.NEAR_AZ + i]


@kernel(inner=True)
def _rub(n, m, friction):
    """Compute the forces of the sides of teeth on plates, in the frame of the wheel; return the power lost. [W]"""
    lost = 0.0
    for i in range(m):
        force = n[S.NEAR_FORCE + i]
        rubbing = friction_force(n[S.NEAR_SIGN + i], force, friction)
        fx = force * n[S.NEAR_NX + i] + rubbing * n[S.NEAR_SX + i]
        fy = force * n[S.NEAR_NY + i] + rubbing * n[S.NEAR_SY + i]
        fz = force * n[S.NEAR_NZ + i] + rubbing * n[S.NEAR_SZ + i]
        n[S.NEAR_FX + i], n[S.NEAR_FY + i], n[S.NEAR_FZ + i] = fx, fy, fz
        n[S.NEAR_SIDE_FORCE + i] = fx * n[S.OWN_AX + i] + fy * n[S.OWN_AY + i] + fz * n[S.OWN_AZ + i]
        lost += (force - n[S.NEAR_ELASTIC + i]) * n[S.NEAR_RATE + i] - rubbing * n[S.NEAR_SLIP + i]
    return lost


@kernel(inner=True)
def _along_pins(n, m):
    """Compute the components along the pins of all forces of the sides of teeth on plates."""
    for i in range(m):
        force = n[S.NEAR_FX + i] * n[S.OWN_AX + i] + n[S.NEAR_FY + i] * n[S.OWN_AY + i]
        n[S.NEAR_SIDE_FORCE + i] = force + n[S.NEAR_FZ + i] * n[S.OWN_AZ + i]


@kernel(inner=True)
def side_energy(p):
    """Return the elastic energy of plates on the sides of teeth in the last evaluation. [J]"""
    planar, stored = p.planar, 0.0
    for s in range(planar.used.segments[0]):
        if planar.segment.back[s] == 0:
            slot = planar.segment.slot[s]
            for k in range(slot, slot + planar.segment.end[s] - planar.segment.first[s]):
                inner, outer = max(p.slot.side[k], 0.0), max(p.slot.outer[k], 0.0)
                stored += 0.5 * p.side_stiffness * (inner**2 + outer**2)
    return stored
