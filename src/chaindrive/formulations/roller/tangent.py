"""Derivatives of the accelerations of rollers with respect to their positions and velocities: ``Kernels.tangent``.

A displacement changes the position of a roller by ``follow`` times, and its velocity by ``lead`` times, that
displacement. A link depends on the displacement of its second roller relative to its first roller; the joint of two
links depends on the displacements of three rollers. The moment M of a joint does work on the angle phi between its
links, so it pushes a roller with -M dphi/dx. M changes with phi, its rate and the force of the pin. Terms of
contacts are in planar/tangent.py.
"""

from __future__ import annotations

from chaindrive.formulations.planar.sticking import relaxed
from chaindrive.formulations.planar.tangent import contact_slopes, force_change, presses
from chaindrive.formulations.roller.chain import positions_of
from chaindrive.formulations.roller.joints import joint_slopes
from chaindrive.kernels import index, kernel
from chaindrive.physics.joint import couple_force, couple_force_slopes, link_turn_slopes
from chaindrive.physics.link import link_force_slope

__all__ = ["tangent"]

ZERO, ONE, TWO, THREE = index(0), index(1), index(2), index(3)


@kernel(apart=True)
def tangent(t, y, follow, lead, p, band):
    """Write the derivatives of the accelerations of the rollers with respect to displacements, see
    ``Kernels.tangent``.
    """
    links = index(p.links)
    for i in range(links):
        for d in range(index(band.shape[1])):
            for r in range(TWO):
                band[i, d, r, ZERO] = band[i, d, r, ONE] = 0.0
    _links(y, follow, lead, p, band)
    if p.joint_damping != 0.0 or p.joint_friction_radius != 0.0:
        _joints(t, y, follow, lead, p, band)
    _contacts(positions_of(y, p), follow, lead, p, band)
    if not p.planar.closed:
        _anchors(follow, lead, p.planar, band)
    for i in range(links):
        inverse = 1.0 / p.roller.mass[i]
        for d in range(index(band.shape[1])):
            for r in range(TWO):
                band[i, d, r, ZERO] *= inverse
                band[i, d, r, ONE] *= inverse


@kernel(inline=True)
def _add(band, i, d, xx, xy, yx, yy):
    """Add the derivative of the force on roller i with respect to the roller at index d of its row."""
    band[i, d, ZERO, ZERO] += xx
    band[i, d, ZERO, ONE] += xy
    band[i, d, ONE, ZERO] += yx
    band[i, d, ONE, ONE] += yy


@kernel(inline=True)
def _length_rate(y, p, i, j):
    """Return the rate of elongation of link i between rollers i and j. [m/s]"""
    n, v = index(p.links), index(p.planar.layout.positions)
    return p.link.x[i] * (y[v + j] - y[v + i]) + p.link.y[i] * (y[v + n + j] - y[v + n + i])


@kernel(inner=True)
def _links(y, follow, lead, p, band):
    """Add springs and dampers, and the force couples of constant moments on links that turn."""
    last = index(p.links) - ONE
    for i in range(last):
        _one_link(i, i + ONE, follow, lead, p, band)
    if p.planar.closed:
        _one_link(last, ZERO, follow, lead, p, band)


@kernel(inner=True)
def _one_link(i, j, follow, lead, p, band):
    """Add spring, damper and force couple of the link between rollers i and j."""
    link, own = p.link, index(band.shape[1] // 2)
    ux, uy, inverse = link.x[i], link.y[i], link.inverse[i]
    gx, gy = link_force_slope(ux, uy, link.angular_velocity[i], p.stiffness, p.damping, follow, lead)
    across = follow * link.tension[i] * inverse
    xx, xy, yy = ux * gx + across * uy * uy, ux * gy - across * ux * uy, uy * gy + across * ux * ux
    yx = uy * gx - across * ux * uy
    cxx, cxy, cyy = couple_force_slopes(ux, uy, inverse, follow * (link.moment[j] - link.moment[i]))
    xx, xy, yx, yy = xx - cxx, xy - cxy, yx - cxy, yy - cyy
    _add(band, i, own, -xx, -xy, -yx, -yy)
    _add(band, i, own + ONE, xx, xy, yx, yy)
    _add(band, j, own, -xx, -xy, -yx, -yy)
    _add(band, j, own - ONE, xx, xy, yx, yy)


@kernel(inner=True)
def _joints(t, y, follow, lead, p, band):
    """Add changing moments of joints, except at the first and last joint of an open chain."""
    n, relaxes = index(p.links), p.joint_relaxation > 0.0 and p.planar.elastic_joints
    kept, gained = relaxed(t, p.joint_relaxation, p.planar) if relaxes else (0.0, 0.0)
    for j in range(ONE, n - ONE):
        _one_joint(y, j - ONE, j, j + ONE, kept, gained, follow, lead, p, band)
    if p.planar.closed:
        _one_joint(y, n - TWO, n - ONE, ZERO, kept, gained, follow, lead, p, band)
        _one_joint(y, n - ONE, ZERO, ONE, kept, gained, follow, lead, p, band)


@kernel(inner=True)
def _one_joint(y, a, b, c, kept, gained, follow, lead, p, band):
    """Add the joint at roller b, between link a (from roller a) and link b (to roller c)."""
    link, own = p.link, index(band.shape[1] // 2)
    by_turn, by_rate, by_tension = joint_slopes(p, a, b, kept, gained)
    before = _moment_slope(y, a, b, -by_turn, -by_rate, by_tension, follow, lead, p)
    behind = _moment_slope(y, b, c, by_turn, by_rate, by_tension, follow, lead, p)
    slope_x = (-before[0], before[0] - behind[0], behind[0])
    slope_y = (-before[1], before[1] - behind[1], behind[1])
    ex, ey = couple_force(link.x[a], link.y[a], link.inverse[a], 1.0)
    fx, fy = couple_force(link.x[b], link.y[b], link.inverse[b], 1.0)
    push_x, push_y, rollers = (-ex, ex + fx, -fx), (-ey, ey + fy, -fy), (a, b, c)
    for r in range(THREE):
        for k in range(THREE):
            x, z, gx, gy = push_x[r], push_y[r], slope_x[k], slope_y[k]
            _add(band, rollers[r], own + k - r, x * gx, x * gy, z * gx, z * gy)


@kernel(inline=True)
def _moment_slope(y, i, j, by_turn, by_rate, by_tension, follow, lead, p):
    """Return the derivative of the moment of a joint with respect to a relative displacement of the rollers of link i,
    (x, y).

    It is the displacement of the second roller j relative to the first roller. by_turn, by_rate, by_tension:
    derivatives with respect to the angle of the link, its angular velocity and its tension.
    """
    link = p.link
    ux, uy, inverse, turning = link.x[i], link.y[i], link.inverse[i], link.angular_velocity[i]
    tx, ty = link_force_slope(ux, uy, turning, p.stiffness, p.damping, follow, lead)
    ax, ay, wx, wy = link_turn_slopes(ux, uy, inverse, _length_rate(y, p, i, j), turning, follow, lead)
    return (
        by_turn * ax + by_rate * wx + by_tension * tx,
        by_turn * ay + by_rate * wy + by_tension * ty,
    )


@kernel(inner=True)
def _contacts(place, follow, lead, p, band):
    """Add contacts with wheels and guides."""
    planar, own = p.planar, index(band.shape[1] // 2)
    for s in range(planar.used.segments[0]):
        first, slot = planar.segment.first[s], planar.segment.slot[s]
        for i in range(first, planar.segment.end[s]):
            if presses(planar, slot + i - first):
                slopes = contact_slopes(place, planar, s, i)
                xx, yx, _ = force_change(planar, slopes, s, i, follow, 0.0, lead, 0.0, 0.0, 0.0)
                xy, yy, _ = force_change(planar, slopes, s, i, 0.0, follow, 0.0, lead, 0.0, 0.0)
                _add(band, index(i), own, xx, xy, yx, yy)


@kernel(inner=True)
def _anchors(follow, lead, p, band):
    """Add the fittings of the ends of an open chain."""
    own = index(band.shape[1] // 2)
    for a in range(p.anchor.roller.size):
        held = follow * p.anchor.stiffness[a] + lead * p.anchor.damping[a]
        _add(band, index(p.anchor.roller[a]), own, -held, 0.0, 0.0, -held)
