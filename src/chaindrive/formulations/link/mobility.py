"""Mobility of links at their bushes, minus the part that their joints take up: B^T A^-1 B of rigid.py.

With the last joint as border, A^-1 = G + U C^-1 U^T. G is the inverse for the other joints. U is G (border) for the
other joints and -1 for the last joint, and C is the Schur complement of the last joint. Because G_jk = -ratio_j G_j+1,k
for j < k, the effect of an impulse on the joints of a link is passed from each joint to the one before it, in linear
time (contract/bordered.py has the factors). A link is listed at the first of its joints; the link whose first
joint is the border is listed at the other joint.
"""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["arm_of", "mobility"]

DECAYED = 1e-30
"""Effect of an impulse on another joint below which it counts as zero, relative to its effect on the
joint itself. [-]"""


@kernel(inline=True)
def arm_of(p, i):
    """Return the link that bush i is part of, and the arm to the bush.

    The index after the last link of an open chain stands for its last pin.
    """
    if i < p.links:
        return i, p.link.bush_x[i], p.link.bush_y[i]
    return i - 1, p.link.pin_x[i - 1], p.link.pin_y[i - 1]


@kernel(inner=True)
def mobility(count, matrix, p):
    """See ``planar.rigid.RigidChain``."""
    meeting, near, row = p.planar.meeting, p.near, p.implicit
    _invert_joints(p)
    _number_positions(count, p)
    for a in range(2 * count):
        _meet_joints(a, p)
    for b in range(2 * count):
        _travel(b, p)
        for a in range(2 * count):
            if near.position[a] > near.position[b]:
                continue
            taken = _dot(near.far, a, near.through, b)
            if near.position[a] < near.position[b]:
                taken += _dot(near.left, a, near.travelled, near.position[a])
            else:
                taken += _dot(near.behind, a, near.right, b) + _dot(near.ahead, a, near.second, b)
            yields = -taken
            if near.link[a] == near.link[b]:
                i = near.link[a]
                yields += (meeting.x[a] * meeting.x[b] + meeting.y[a] * meeting.y[b]) * row.inverse_mass[i]
                yields += near.moment[a] * near.moment[b] * row.inverse_inertia[i]
            matrix[a, b] += yields
            if near.position[a] < near.position[b]:
                matrix[b, a] += yields


@kernel(inline=True)
def _dot(one, a, other, b):
    return one[a, 0] * other[b, 0] + one[a, 1] * other[b, 1] + one[a, 2] * other[b, 2]


@kernel(inline=True)
def _position(p, i):
    """Return the joint at which link i is listed."""
    return i if i + 1 < p.planar.rollers else 0


@kernel(inner=True)
def _invert_joints(p):
    """Compute the block of G and the rows of U of every joint except the last, and C^-1."""
    row, factors, last = p.implicit, p.implicit.factors, p.planar.rollers - 1
    _invert_corner(factors.corner, row.corner)
    for r in range(3):
        for c in range(3):
            row.own[last, r, c] = 0.0
            row.far[last, r, c] = -1.0 if r == c else 0.0
    for j in range(last - 1, -1, -1):
        for r in range(3):
            for c in range(3):
                far, own = 0.0, factors.inverse[j, r, c]
                for k in range(3):
                    far += factors.inverse[j, r, k] * factors.reduced[j, k, c]
                row.far[j, r, c], row.own[j, r, c] = far, own
        if j == last - 1:
            continue
        for r in range(3):
            for k in range(3):
                ratio = factors.ratio[j, r, k]
                for c in range(3):
                    row.far[j, r, c] -= ratio * row.far[j + 1, k, c]
                    for m in range(3):
                        row.own[j, r, c] += ratio * row.own[j + 1, k, m] * factors.ratio[j, c, m]


@kernel(inner=True)
def _invert_corner(factor, corner):
    """Write (L L^T)^-1 of a lower triangle L (3, 3) into ``corner``."""
    for c in range(3):
        for r in range(3):
            value = 1.0 if r == c else 0.0
            for k in range(r):
                value -= factor[r, k] * corner[k, c]
            corner[r, c] = value / factor[r, r]
        for r in range(2, -1, -1):
            value = corner[r, c]
            for k in range(r + 1, 3):
                value -= factor[k, r] * corner[k, c]
            corner[r, c] = value / factor[r, r]


@kernel(inner=True)
def _number_positions(count, p):
    """Number the links in contact in the order of the joints, and compute the factors between neighbouring ones."""
    place, near, ratio, joints, found = p.place_near, p.near, p.implicit.factors.ratio, p.planar.rollers, 0
    for j in range(joints):
        place[j] = -1
    for c in range(count):
        i, _, _ = arm_of(p, p.planar.meeting.roller[c])
        place[_position(p, i)] = 0
    before = 0
    for j in range(joints):
        if place[j] == 0:
            if found > 0:
                _transfer(before + 1, j, ratio, near.short[found - 1], near.block)
                _transfer(before + 1, j + 1, ratio, near.way[found - 1], near.block)
            place[j], before = found, j
            found += 1


@kernel(inner=True)
def _transfer(first, end, ratio, way, block):
    """Write the product of all -ratio from one joint to another into ``way``, or zeros if it has decayed."""
    for r in range(3):
        for c in range(3):
            way[r, c] = 1.0 if r == c else 0.0
    for j in range(first, end):
        largest = 0.0
        for r in range(3):
            for c in range(3):
                value = 0.0
                for k in range(3):
                    value -= way[r, k] * ratio[j, k, c]
                block[r, c] = value
                largest = max(largest, abs(value))
        for r in range(3):
            for c in range(3):
                way[r, c] = block[r, c] if largest > DECAYED else 0.0
        if not largest > DECAYED:
            return


@kernel(inner=True)
def _meet_joints(a, p):
    """Compute the effect of a unit impulse in direction a on the joints of its link.

    It consists of the rates, and the impulses A^-1 times these rates.
    """
    meeting, near, row, last = p.planar.meeting, p.near, p.implicit, p.planar.rollers - 1
    i, ax, ay = arm_of(p, meeting.roller[a])
    dx, dy = meeting.x[a], meeting.y[a]
    moment = ax * dy - ay * dx + meeting.twist[a]
    mass, inertia = row.inverse_mass[i], row.inverse_inertia[i]
    near.link[a], near.moment[a], near.position[a] = i, moment, p.place_near[_position(p, i)]
    rear, front, behind, ahead = row.rear[i], row.front[i], near.behind[a], near.ahead[a]
    for r in range(3):
        behind[r] = mass * (rear[r, 0] * dx + rear[r, 1] * dy) + inertia * rear[r, 2] * moment
        ahead[r] = mass * (front[r, 0] * dx + front[r, 1] * dy) + inertia * front[r, 2] * moment
    j = i
    if i == last:  # the ring closes: at the bush is the border
        for r in range(3):
            near.far[a, r] = -behind[r]
            behind[r], ahead[r] = ahead[r], 0.0
        j = 0
        for c in range(3):
            near.far[a, c] += _column(row.far[0], behind, c)
    else:
        for c in range(3):
            near.far[a, c] = _column(row.far[j], behind, c) + _column(row.far[j + 1], ahead, c)
    ratio, own, after = row.factors.ratio[j], row.own[j], row.own[j + 1]
    beside = j + 1 < last
    for r in range(3):
        near.through[a, r] = near.right[a, r] = near.second[a, r] = 0.0
        near.left[a, r] = ahead[r] - (_column(ratio, behind, r) if beside else 0.0)
        for c in range(3):
            near.through[a, r] += row.corner[r, c] * near.far[a, c]
            near.right[a, r] += own[r, c] * behind[c]
            near.second[a, r] += after[r, c] * ahead[c]
    if not beside:
        return
    for r in range(3):  # G_j,j+1 = -ratio_j G_j+1,j+1
        for k in range(3):
            across = 0.0
            for c in range(3):
                across += after[k, c] * ahead[c]
            near.right[a, r] -= ratio[r, k] * across
            near.second[a, r] -= after[r, k] * _column(ratio, behind, k)


@kernel(inline=True)
def _column(matrix, vector, c):
    """Return column c of matrix (3, 3) times vector (3,)."""
    return matrix[0, c] * vector[0] + matrix[1, c] * vector[1] + matrix[2, c] * vector[2]


@kernel(inner=True)
def _travel(b, p):
    """Compute the impulses that direction b causes, by A^-1, at every position before its own."""
    near, travelled = p.near, p.near.travelled
    at = near.position[b] - 1
    if at < 0:
        return
    for r in range(3):
        travelled[at, r] = _dot(near.short[at], r, near.right, b)
    for a in range(at - 1, -1, -1):
        for r in range(3):
            travelled[a, r] = _dot(near.way[a], r, travelled, a + 1)
