"""Freewheels: an elastic clutch between a wheel and its hub, which turns the hub in one direction and lets it run
ahead.

Let phi and psi be the angles of wheel and hub, and s = +-1 the direction in which the wheel turns. The clutch is
twisted by u and carries the torque T,

    u = s (phi - psi) + r,        T = max(k u + c u', 0) for u > 0, otherwise T = 0,

with s T on the hub and -s T on the wheel. r is the angle by which the hub has run ahead. It is memory that grows at
accepted steps at which u has become negative, so that the clutch drives again as soon as the wheel is no slower than
the hub. As there is no force and no stored energy then, this causes no loss. The hub is a massless body of the
mechanism on a revolute joint, and turns freely.
"""

from __future__ import annotations

from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.axles import wheel_angle, wheel_speed
from chaindrive.kernels import kernel
from chaindrive.mechanism import tree
from chaindrive.physics.tensioners.mechanical import stop_energy, stop_force

__all__ = ["clutch", "clutch_energy", "clutch_stiffness", "hub_of", "latch_freewheels"]


@kernel(inline=True)
def hub_of(p, w):
    """Return the joint coordinate of the hub of wheel w, or -1 without a freewheel."""
    body = p.wheel.hub[w]
    return p.tree.body.coordinate[body] if body >= 0 else -1


@kernel(inner=True)
def clutch(y, dy, p, w):
    """Return the moment of the clutch on wheel w [N m].

    Its reaction is added to the hub, and its loss to dy.
    """
    j, sense = hub_of(p, w), p.freewheel.sense[w]
    twist = sense * (wheel_angle(y, p, w) - y[p.layout.joint_position + j]) + p.overrun[w]
    rate = sense * (wheel_speed(y, p, w) - y[p.layout.joint_speed + j])
    torque, lost = stop_force(twist, rate, p.freewheel.stiffness[w], p.freewheel.damping[w])
    p.twisted.angle[w], p.twisted.torque[w] = twist, sense * torque
    tree.apply_force(p.tree, p.wheel.hub[w], 0.0, 0.0, 0.0, 0.0, sense * torque)
    dy[p.layout.work + P.WORK_BEARING] += lost
    return -sense * torque


@kernel(inner=True)
def latch_freewheels(p):
    """Store by how much hubs have run ahead in the state evaluated last; this changes no forces."""
    for w in range(p.wheels):
        if p.wheel.hub[w] >= 0 and p.twisted.angle[w] < 0.0:
            p.overrun[w] -= p.twisted.angle[w]
            p.twisted.angle[w] = 0.0


@kernel(inner=True)
def clutch_energy(p):
    """Return the elastic energy of all clutches in the state evaluated last. [J]"""
    stored = 0.0
    for w in range(p.wheels):
        if p.wheel.hub[w] >= 0:
            stored += stop_energy(p.twisted.angle[w], p.freewheel.stiffness[w])
    return stored


@kernel(inner=True)
def clutch_stiffness(p, matrix):
    """Add the stiffness of the clutches that are engaged in the state evaluated last to a matrix."""
    for w in range(p.wheels):
        if p.wheel.hub[w] < 0 or p.twisted.angle[w] < 0.0:
            continue
        a, j, stiffness = p.wheel.axle[w], p.axles + hub_of(p, w), p.freewheel.stiffness[w]
        matrix.corner[a, a] += stiffness
        matrix.corner[j, j] += stiffness
        matrix.corner[a, j] -= stiffness
        matrix.corner[j, a] -= stiffness
