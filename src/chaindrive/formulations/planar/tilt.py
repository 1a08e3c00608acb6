"""Wheels whose axis is not perpendicular to the plane of the chain, folded into that plane.

The method is that of Hippmann, Arnold & Schittenhelm (2005), section 2.1. The actual wheel is tilted about the axes of
the plane by alpha and beta, and turns about its own axis by phi. Rotated back about its own x and y axes by cardan
angles, it becomes a virtual wheel in the plane, which has turned by gamma (Eq. 2),

    Rz(gamma) = Rx(alpha) Ry(beta) Rz(phi) T_AW,    tan gamma = (cos a sin phi + sin a sin b cos phi)/(cos b cos phi).

It turns like the output of a universal joint: faster and slower twice per revolution, by an amount of second order in
the tilt. The centre of the virtual wheel is that of the actual wheel, which lies in the plane (Eq. 1, and Eq. 4 with
r_WA = 0). The forces of the chain act on the virtual wheel (Eq. 3). Their moment M about its axis does the work
M dgamma: M dgamma/dphi turns the actual wheel, and M dgamma/dalpha and M dgamma/dbeta tilt it. Folding therefore
conserves energy.

The tilt is given, or it is the slope of an elastic shaft at its end (mechanism/shafts.py), which bends about -x where
its end moves along y, and about y where it moves along x. Gyroscopic moments and the inertia against tilting are
neglected.
"""

from __future__ import annotations

import math

from chaindrive.formulations.planar.axles import wheel_angle, wheel_speed
from chaindrive.kernels import kernel

__all__ = ["fold_wheels", "remember_tilt", "unfold_forces"]


@kernel(inner=True)
def _tilts(p, w):
    """Return whether wheel w is or may be tilted."""
    return p.tilt.slope[w] > 0.0 or p.tilt.x[w] != 0.0 or p.tilt.y[w] != 0.0


@kernel(inner=True)
def fold_wheels(y, p):
    """Turn the frames of tilted wheels as the virtual wheels in the plane turn."""
    for w in range(p.wheels):
        if not _tilts(p, w):
            continue
        slope = p.tilt.slope[w]
        alpha, beta, alpha_rate, beta_rate = p.tilt.x[w], p.tilt.y[w], 0.0, 0.0
        if slope > 0.0:
            along_y = p.surface.body[w]
            along_x = p.tree.body.parent[along_y]
            i, j = p.tree.body.coordinate[along_x], p.tree.body.coordinate[along_y]
            alpha -= slope * y[p.layout.joint_position + j]
            beta += slope * y[p.layout.joint_position + i]
            alpha_rate -= slope * y[p.layout.joint_speed + j]
            beta_rate += slope * y[p.layout.joint_speed + i]
        angle = wheel_angle(y, p, w)
        c, s = math.cos(angle), math.sin(angle)
        ca, sa, cb, sb = math.cos(alpha), math.sin(alpha), math.cos(beta), math.sin(beta)
        # The x axis of the actual wheel in the plane, and its changes with each of the angles.
        ax, ay = cb * c, ca * s + sa * sb * c
        square = ax * ax + ay * ay
        turn = (ax * (ca * c - sa * sb * s) + ay * cb * s) / square
        by_alpha = ax * (-sa * s + ca * sb * c) / square
        by_beta = (ax * sa * cb * c + ay * sb * c) / square
        length = math.sqrt(square)
        p.frame.cos[w], p.frame.sin[w] = ax / length, ay / length
        p.frame.angular_velocity[w] = turn * wheel_speed(y, p, w) + by_alpha * alpha_rate + by_beta * beta_rate
        p.fold.alpha[w], p.fold.beta[w], p.fold.turn[w] = alpha, beta, turn
        p.fold.by_alpha[w], p.fold.by_beta[w] = by_alpha, by_beta


@kernel(inner=True)
def unfold_forces(p):
    """Convert the forces on the virtual wheels to forces on the actual wheels, in ``p.resultant``."""
    for w in range(p.wheels):
        slope, moment = p.tilt.slope[w], p.resultant.moment[w]
        if not _tilts(p, w):
            continue
        p.resultant.x[w] += slope * p.fold.by_beta[w] * moment
        p.resultant.y[w] -= slope * p.fold.by_alpha[w] * moment
        p.resultant.moment[w] = p.fold.turn[w] * moment


@kernel(inner=True)
def remember_tilt(p):
    """At an accepted state, store the largest tilt of every tilted wheel."""
    for w in range(p.wheels):
        if not _tilts(p, w):
            continue
        alpha, beta = p.fold.alpha[w], p.fold.beta[w]
        p.mesh.tilt[w] = max(p.mesh.tilt[w], math.sqrt(alpha * alpha + beta * beta))
