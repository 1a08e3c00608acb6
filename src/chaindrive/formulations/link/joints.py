"""Springs in the joints of rigid links (pins in bushes): for elastic friction, and in series with damping."""

from __future__ import annotations

from chaindrive.formulations.link.ends import heading_before, turning_before
from chaindrive.formulations.planar.sticking import elastic_radius, followed_joint, hold_joint, joint_spring, relaxed
from chaindrive.kernels import Kernel, index, kernel
from chaindrive.physics.elastic_friction import damped_force, held_force
from chaindrive.physics.friction import vector_tanh
from chaindrive.physics.joint import joint_moment

__all__ = ["damped_joint", "damped_joints", "held_joints", "joint_angle", "joint_spring_of", "stick_joints"]

ZERO, ONE = index(0), index(1)


@kernel(inline=True)
def joint_angle(p, j):
    """Return cosine and sine of the angle from the link that has the pin of joint j to the link that has
    its bush [-].
    """
    link = p.link
    if j > 0:
        x, y = link.cos[j - 1], link.sin[j - 1]
    elif p.planar.closed:
        x, y = link.cos[p.links - 1], link.sin[p.links - 1]
    else:
        x, y = heading_before(p)
    return _angle(x, y, link, j)


@kernel(inline=True)
def _angle(x, y, link, j):
    """Return cosine and sine of the angle from a direction (x, y) to link j."""
    return x * link.cos[j] + y * link.sin[j], x * link.sin[j] - y * link.cos[j]


@kernel(inline=True)
def joint_spring_of(p, j):
    """Return the moment of the spring of joint j, before it is limited, on the link of the pin. [N m]"""
    cosine, sine = joint_angle(p, j)
    return joint_spring(cosine, sine, p.joint_friction_stiffness, p.planar.hinge, j)


@kernel(inline=True)
def _limit(p, j, radius):
    """Return the moment at which joint j slides if friction is elastic; radius: that of ``elastic_radius``. [N m]"""
    return radius * abs(p.pin.force[j])


@kernel(inline=True)
def damped_joint(p, j, kept, gained):
    """Return the moment of joint j, with damping in series with its spring, on the link of the pin. [N m]"""
    cosine, sine = joint_angle(p, j)
    return _damped(p, j, cosine, sine, 0.0, elastic_radius(p), kept, gained)


@kernel(inline=True)
def _damped(p, j, cosine, sine, rate, radius, kept, gained):
    """Return the moment of joint j as in ``damped_joint``, from cosine and sine of its angle. [N m]"""
    spring = joint_spring(cosine, sine, p.joint_friction_stiffness, p.planar.hinge, j)
    return damped_force(spring, p.planar.hinge.moment[j], _limit(p, j, radius), kept, gained)


@kernel(inline=True)
def _held(p, j, cosine, sine, rate, radius, kept, gained):
    """Return the moment of the friction of joint j and of the damping in parallel with it, on the link of its pin.
    [N m]
    """
    spring = joint_spring(cosine, sine, p.joint_friction_stiffness, p.planar.hinge, j)
    return held_force(spring, _limit(p, j, radius)) + joint_moment(rate, p.joint_damping)


def _of_all(joint: Kernel) -> Kernel:
    """Return the kernel joints(parameters, kept, gained, moments), compiled around the moment of one joint.

    The kernel replaces the rates [rad/s] at which joints turn by their moments [N m], and returns the lost power [W].
    kept, gained: see ``relaxed``.
    """

    @kernel(inner=True, distinct=True)
    def joints(p, kept, gained, moments):
        link, rate, radius = p.link, moments[0], elastic_radius(p)
        cosine, sine = joint_angle(p, 0)
        moments[0] = joint(p, ZERO, cosine, sine, rate, radius, kept, gained)
        lost = moments[0] * rate
        for j in range(ONE, index(p.planar.rollers)):
            rate = moments[j]
            cosine, sine = _angle(link.cos[j - ONE], link.sin[j - ONE], link, j)
            moment = joint(p, j, cosine, sine, rate, radius, kept, gained)
            moments[j] = moment
            lost += moment * rate
        return lost

    return joints


damped_joints, held_joints = _of_all(_damped), _of_all(_held)


@kernel(inner=True)
def stick_joints(t, p, anew):
    """Let the springs of the joints follow the last evaluation (``planar.sticking.sticking``)."""
    damped = p.joint_relaxation > 0.0
    if p.joint_friction_radius == 0.0 and not damped:
        return
    hinge = p.planar.hinge
    if anew:
        _stick_as_turning(p, hinge, damped)
        return
    kept, gained = relaxed(t, p.joint_relaxation, p.planar) if damped else (0.0, 0.0)
    _follow(p, kept, gained, hinge.cos, hinge.sin, hinge.moment)


@kernel(inner=True, distinct=True)
def _follow(p, kept, gained, anchor_cos, anchor_sin, moments):
    link, stiffness, radius = p.link, p.joint_friction_stiffness, elastic_radius(p)
    for j in range(ONE, index(p.planar.rollers)):
        cosine, sine = _angle(link.cos[j - ONE], link.sin[j - ONE], link, j)
        anchor_cos[j], anchor_sin[j], moments[j] = followed_joint(
            cosine, sine, stiffness, anchor_cos[j], anchor_sin[j], moments[j], _limit(p, j, radius), kept, gained
        )
    cosine, sine = joint_angle(p, 0)
    anchor_cos[0], anchor_sin[0], moments[0] = followed_joint(
        cosine, sine, stiffness, anchor_cos[0], anchor_sin[0], moments[0], _limit(p, 0, radius), kept, gained
    )


@kernel(inner=True)
def _stick_as_turning(p, hinge, damped):
    """Anchor all joints so that their springs have the moments of joints that turn, as at the start of a run."""
    turning, n, radius = p.planar.turning, p.planar.rollers, elastic_radius(p)
    for j in range(n):
        cosine, sine = joint_angle(p, j)
        before = turning[j - 1] if j > 0 else (turning[n - 1] if p.planar.closed else turning_before(p))
        rate = turning[j] - before
        moment = _limit(p, j, radius) * vector_tanh(rate / p.joint_friction_rate)
        moment += p.joint_damping * rate if damped else 0.0
        hold_joint(cosine, sine, p.joint_friction_stiffness, hinge, j, moment)
        hinge.moment[j] = moment
