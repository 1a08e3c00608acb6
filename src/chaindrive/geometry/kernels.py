"""Distance, normal and contact point between a roller and a surface made of arcs and lines, in compiled code.

Penetration of a roller of radius r at x: r - phi. Contact point on the surface: x - phi (gx, gy).
"""

from __future__ import annotations

from math import sqrt

from chaindrive.kernels import kernel

__all__ = [
    "FAR",
    "bend",
    "beyond",
    "distance",
    "gap_distance",
    "lone_element",
    "open_profile_distance",
    "open_profile_field",
    "profile_distance",
    "profile_row",
]

NOTHING_NEAR = 1.0e3
"""Distance assigned to a surface that does not face the point; it is so large that no roller can reach the
surface. [m]
"""

SEVERAL, FAR = -1, -2
"""Value used instead of the row of an element if several elements may face a point, or none."""

SEAM = 1.0e-12
"""Overlap of the sectors of neighbouring elements, so that no point falls between them through rounding. [m]"""


@kernel(inline=True)
def distance(ux, uy, nx, ny, curvature):
    """Return the signed distance from a line or a circle, and its gradient. [m], [-], [-].

    One formula covers both, and does not suffer from cancellation as the curvature k tends to zero. It follows from
    |x - centre| = s/|k|:

        s = |n + k u|,  phi = (k |u|^2 + 2 u.n)/(1 + s),  grad phi = (n + k u)/s

    ux, uy: the point relative to a point on the surface [m]; nx, ny: unit normal there, out of the material; curvature
    k [1/m]: +1/r bulging towards the point, -1/r hollow, 0 straight. phi > 0 outside the material. At the centre of a
    hollow arc every direction is a gradient, and n is returned.
    """
    vx = nx + curvature * ux
    vy = ny + curvature * uy
    s = sqrt(vx * vx + vy * vy)
    phi = (curvature * (ux * ux + uy * uy) + 2.0 * (ux * nx + uy * ny)) / (1.0 + s)
    if s > 1.0e-300:
        return phi, vx / s, vy / s
    return phi, nx, ny


@kernel(inline=True)
def bend(ux, uy, nx, ny, curvature):
    """Return the rate at which the gradient of :func:`distance` turns as the point moves along the surface:
    k/|n + k u|. [1/m]

    The second derivative of phi is this times t t^T with t the tangent; arguments as for :func:`distance`. It is zero
    at the centre of a hollow arc, where there is no tangent.
    """
    vx = nx + curvature * ux
    vy = ny + curvature * uy
    s = sqrt(vx * vx + vy * vy)
    return curvature / s if s > 1.0e-12 else 0.0


@kernel(inline=True)
def profile_row(table, row):
    """Return one row of a profile table as a tuple: point, normal, curvature, boundary before it, direction into it."""
    return (
        table[row, 0],
        table[row, 1],
        table[row, 2],
        table[row, 3],
        table[row, 4],
        table[row, 5],
        table[row, 6],
        table[row, 7],
        table[row, 8],
    )


@kernel(inline=True)
def beyond(facing, candidate, x, y):
    """Return the later of two rows of a profile if the point lies beyond the boundary before it, else the earlier one.

    Selections are used instead of branches, so that loops over points can use vector registers; rows are those of
    :func:`profile_row`. A row of zeros is never chosen.
    """
    chosen = (x - candidate[5]) * candidate[7] + (y - candidate[6]) * candidate[8] > 0.0
    return (
        candidate[0] if chosen else facing[0],
        candidate[1] if chosen else facing[1],
        candidate[2] if chosen else facing[2],
        candidate[3] if chosen else facing[3],
        candidate[4] if chosen else facing[4],
        0.0,
        0.0,
        0.0,
        0.0,
    )


@kernel(inline=True)
def profile_distance(table, x, y):
    """Return the signed distance of a point from an unfolded profile, and its gradient. [m], [-], [-].

    table: shape (E, 9), see ``profile.table``; x, y [m] in the frame of the profile.
    """
    row = 0
    for e in range(1, table.shape[0]):
        if (x - table[e, 5]) * table[e, 7] + (y - table[e, 6]) * table[e, 8] > 0.0:
            row = e
    return distance(x - table[row, 0], y - table[row, 1], table[row, 2], table[row, 3], table[row, 4])


@kernel(inline=True)
def gap_distance(table, xi, eta):
    """Return the signed distance of a point from the surface of a symmetric tooth gap, and its gradient. [m], [-], [-].

    table: profile of the half xi >= 0, shape (E, 9), see ``profile.table``; xi, eta [m] in the gap frame (origin at the
    wheel centre, eta outward along the centre line of the gap).
    """
    phi, gx, gy = profile_distance(table, abs(xi), eta)
    if xi < 0.0:
        gx = -gx
    return phi, gx, gy


@kernel(inner=True)
def lone_element(table, first, end, x, y, reach, margin):
    """Return the row of the only element of a rail that faces a point, now and after it moves by up to the margin.

    The result of :func:`open_profile_distance` is then the distance from this element, as long as it is at most reach,
    on either side. Returns SEVERAL near joints and ends, where there may be more than one, and FAR if the point cannot
    come within reach. table, first, end, x, y: as for that function; reach, margin [m].
    """
    lone = FAR
    for e in range(first, end):
        past_start = (x - table[e, 5]) * table[e, 7] + (y - table[e, 6]) * table[e, 8]
        past_end = (x - table[e, 9]) * table[e, 11] + (y - table[e, 10]) * table[e, 12]
        if past_start < -margin or past_end > margin:
            continue
        height, _, _ = distance(x - table[e, 0], y - table[e, 1], table[e, 2], table[e, 3], table[e, 4])
        if abs(height) > reach + margin:
            continue
        if lone >= 0 or past_start < margin or past_end > -margin:
            return SEVERAL
        lone = e
    last = end - 1
    before_start = _may_meet(
        x - table[first, 5], y - table[first, 6], -table[first, 7], -table[first, 8], reach, margin
    )
    after_end = _may_meet(x - table[last, 9], y - table[last, 10], table[last, 11], table[last, 12], reach, margin)
    return SEVERAL if before_start or after_end else lone


@kernel(inline=True)
def _may_meet(ux, uy, tx, ty, reach, margin):
    """Return whether a point beyond the end of a rail may come within reach of that end; arguments as in
    :func:`_edge`.
    """
    return ux * tx + uy * ty > -margin and ux * ux + uy * uy < (reach + margin) * (reach + margin)


@kernel(inline=True)
def open_profile_distance(table, first, end, x, y, limit):
    """Return the signed distance of a point from a thin rail, and its gradient. [m], [-], [-].

    See :func:`open_profile_field`.
    """
    phi, gx, gy, _ = open_profile_field(table, first, end, x, y, limit)
    return phi, gx, gy


@kernel(inline=True)
def open_profile_field(table, first, end, x, y, limit):
    """Return the signed distance of a point from the thin rail in the rows first..end-1 of a table, its gradient, and
    its bend as defined by :func:`bend`. [m], [-], [-], [1/m].

    table: shape (E, 13), see ``guide.table``; x, y [m] in the frame of the table.

    An element faces the point when the point lies in its sector, between the normals at its ends: (x - start).t_start
    >= 0 and (x - end).t_end <= 0. The nearest of the facing elements counts; its foot point is x - phi (gx, gy). For a
    point beyond an end of the rail and in front of it, the end itself is the foot point: the edge at which a roller
    arrives or leaves. A point that no element faces, or that is more than limit [m] behind the facing surface, touches
    nothing: its distance is ``NOTHING_NEAR``. The sectors of neighbouring elements meet, so that phi and its gradient
    are continuous across joints and, in front of the rail, across its ends.
    """
    phi, gx, gy, turn = NOTHING_NEAR, 0.0, 1.0, 0.0
    for e in range(first, end):
        after_start = (x - table[e, 5]) * table[e, 7] + (y - table[e, 6]) * table[e, 8] >= -SEAM
        before_end = (x - table[e, 9]) * table[e, 11] + (y - table[e, 10]) * table[e, 12] <= SEAM
        if after_start and before_end:
            height, nx, ny = distance(x - table[e, 0], y - table[e, 1], table[e, 2], table[e, 3], table[e, 4])
            if height >= -limit and abs(height) < abs(phi):
                phi, gx, gy = height, nx, ny
                turn = bend(x - table[e, 0], y - table[e, 1], table[e, 2], table[e, 3], table[e, 4])
    on_surface = phi
    phi, gx, gy = _edge(phi, gx, gy, x - table[first, 5], y - table[first, 6], -table[first, 7], -table[first, 8], 1.0)
    last = end - 1
    phi, gx, gy = _edge(phi, gx, gy, x - table[last, 9], y - table[last, 10], table[last, 11], table[last, 12], -1.0)
    return phi, gx, gy, turn if phi == on_surface else 1.0 / phi


@kernel(inline=True)
def _edge(phi, gx, gy, ux, uy, tx, ty, turn):
    """Return the nearer of the foot point found so far and the end of a rail.

    ux, uy: the point relative to that end; tx, ty: unit tangent that points away from the rail; turn: +1 where the
    normal lies to its right, -1 to its left.
    """
    height = turn * (uy * -tx + ux * ty)
    if ux * tx + uy * ty > SEAM and height > 0.0:
        distance_to_end = sqrt(ux * ux + uy * uy)
        if distance_to_end < abs(phi):
            return distance_to_end, ux / distance_to_end, uy / distance_to_end
    return phi, gx, gy
