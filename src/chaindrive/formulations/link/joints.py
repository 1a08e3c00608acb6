"""Elastic friction in the joints of rigid links: pins in bushes."""

from __future__ import annotations

from chaindrive.formulations.link.ends import heading_before, turning_before
from chaindrive.formulations.planar.sticking import hold_joint, joint_spring
from chaindrive.kernels import kernel
from chaindrive.physics.elastic_friction import held_force
from chaindrive.physics.friction import vector_tanh

__all__ = ["held_joint", "stick_joints"]


@kernel(inline=True)
def _joint_angle(p, j):
    """Cosine and sine of the angle from the link of the pin of joint j to that of its bush [-]."""
    link = p.link
    if j > 0:
        x, y = link.cos[j - 1], link.sin[j - 1]
    elif p.planar.closed:
        x, y = link.cos[p.links - 1], link.sin[p.links - 1]
    else:
        x, y = heading_before(p)
    return x * link.cos[j] + y * link.sin[j], x * link.sin[j] - y * link.cos[j]


@kernel(inline=True)
def held_joint(p, j):
    """Moment of the friction of joint j on the link of its pin. [N m]"""
    cosine, sine = _joint_angle(p, j)
    spring = joint_spring(cosine, sine, p.joint_friction_stiffness, p.planar.hinge, j)
    return held_force(spring, p.joint_friction_radius * abs(p.pin.force[j]))


@kernel(inner=True)
def stick_joints(p, anew):
    """Let the anchors of the joints follow the last evaluation (``planar.sticking.sticking``)."""
    if p.joint_friction_radius == 0.0:
        return
    hinge, stiffness, turning, n = p.planar.hinge, p.joint_friction_stiffness, p.planar.turning, p.planar.rollers
    for j in range(n):
        cosine, sine = _joint_angle(p, j)
        limit = p.joint_friction_radius * abs(p.pin.force[j])
        if anew:
            before = turning[j - 1] if j > 0 else (turning[n - 1] if p.planar.closed else turning_before(p))
            moment = limit * vector_tanh((turning[j] - before) / p.joint_friction_rate)
            hold_joint(cosine, sine, stiffness, hinge, j, moment)
            continue
        spring = joint_spring(cosine, sine, stiffness, hinge, j)
        if abs(spring) > limit:
            hold_joint(cosine, sine, stiffness, hinge, j, held_force(spring, limit))
