"""Joints between rigid links as constraints instead of springs, with forces that are constant over a step.

Joint i is between the front end of link i and the pin of link i + 1. With a force l_i on the front end and the opposite
force on the pin, the gap between them opens at the end of a step h at the rate

    c' = c0' - h S l,     S_ii = A_i + A_(i+1),    S_(i,i+1) = -C_(i+1)
    A = 1/m + b b^T / J,  C = 1/m - b b^T / J,     b = (-a_y, a_x) of the arm a of a link

and l is such that a fraction of the gap closes in each step. S is cyclic block tridiagonal (contract/bordered.py). The
forces are memory, like those of friction.
"""

from __future__ import annotations

from chaindrive.contract.bordered import factorise, solve
from chaindrive.kernels import kernel

__all__ = ["hold_joints", "pull_joints", "ready_joints"]

CLOSES = 0.1
"""Fraction of a gap that closes in a step. [-]"""


@kernel(inner=True)
def ready_joints(p):
    """Fill and factorise S for the positions of the last evaluation."""
    n, matrix, per_mass = p.pins, p.joint.matrix, 1.0 / p.link_mass
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        for r in range(2):
            for c in range(2):
                own = per_mass if r == c else 0.0
                here, there = _turns(p, i, r) * _turns(p, i, c), _turns(p, j, r) * _turns(p, j, c)
                matrix.diagonal[i, r, c] = 2.0 * own + (here + there) * p.per_inertia
                matrix.upper[i, r, c] = there * p.per_inertia - own
    factorise(matrix, p.joint.shift, p.joint.free, p.joint.factors)


@kernel(inline=True)
def _turns(p, i, axis):
    """Return a component of b of link i."""
    return -p.place.arm_y[i] if axis == 0 else p.place.arm_x[i]


@kernel(inner=True)
def hold_joints(y, rates, speeds, h, p):
    """Find the forces of the joints at these accelerations over a step h [s], and add the accelerations that they
    cause.
    """
    n, place, right = p.pins, p.place, p.joint.right
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        front_x, front_y = _end_after(y, rates, speeds, i, -1.0, h, p)
        rear_x, rear_y = _end_after(y, rates, speeds, j, 1.0, h, p)
        gap_x = place.x[j] - place.x[i] + 2.0 * place.arm_x[i]
        gap_y = place.y[j] - place.y[i] + 2.0 * place.arm_y[i]
        right[i] = (rear_x - front_x + CLOSES * gap_x / h) / h
        right[n + i] = (rear_y - front_y + CLOSES * gap_y / h) / h
    solve(p.joint.matrix, p.joint.free, p.joint.factors, right, p.joint.found)
    for i in range(n):
        fx, fy = p.joint.found[i], p.joint.found[n + i]
        p.joint_x[i], p.joint_y[i] = fx, fy
        p.link.tension[i] = -2.0 * (fx * place.arm_x[i] + fy * place.arm_y[i]) / p.link.pitch[i]
    pull_joints(rates, speeds, p)


@kernel(inline=True)
def _end_after(y, rates, speeds, i, end, h, p):
    """Return the velocity of an end of link i after a step, including the rotation of its arm. [m/s]

    end: 1 for the pin, -1 for the front end.
    """
    n = p.pins
    turning = p.place.turning[i] + h * rates[speeds + 2 * n + i]
    inwards = 0.5 * h * turning * turning
    ax, ay = end * p.place.arm_x[i], end * p.place.arm_y[i]
    vx = y[speeds + i] + h * rates[speeds + i] - turning * ay - inwards * ax
    vy = y[speeds + n + i] + h * rates[speeds + n + i] + turning * ax - inwards * ay
    return vx, vy


@kernel(inner=True)
def pull_joints(rates, speeds, p):
    """Add the accelerations that the forces of the joints cause."""
    n, per_mass = p.pins, 1.0 / p.link_mass
    for i in range(n):
        before = i - 1 if i > 0 else n - 1
        fx, fy, gx, gy = p.joint_x[i], p.joint_y[i], p.joint_x[before], p.joint_y[before]
        rates[speeds + i] += (fx - gx) * per_mass
        rates[speeds + n + i] += (fy - gy) * per_mass
        turned = p.place.arm_y[i] * (fx + gx) - p.place.arm_x[i] * (fy + gy)
        rates[speeds + 2 * n + i] += turned * p.per_inertia
