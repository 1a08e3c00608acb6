"""The joints of a chain of rollers: viscous damping, alone or in series with springs, and smoothed or
elastic friction.
"""

from __future__ import annotations

from chaindrive.formulations.planar.sticking import elastic_radius, followed_joint, hold_joint, joint_spring, relaxed
from chaindrive.formulations.planar.tangent import Turning, turning_slopes
from chaindrive.kernels import Kernel, index, kernel
from chaindrive.physics.elastic_friction import damped_force, held_force
from chaindrive.physics.friction import vector_tanh
from chaindrive.physics.joint import joint_dissipation, joint_friction_moment, joint_moment

__all__ = ["damped_joints", "held_joints", "joint_slopes", "smoothed_joints", "stick_joints", "viscous_joints"]

ZERO, ONE = index(0), index(1)


@kernel(inline=True)
def _viscous_joint(p, before, i, radius, kept, gained, moments):
    """Set the moment of the joint between link ``before`` and link i; return the lost power. [W]"""
    rate = p.link.angular_velocity[i] - p.link.angular_velocity[before]
    moments[i] = joint_moment(rate, p.joint_damping)
    return joint_dissipation(rate, p.joint_damping)


@kernel(inline=True)
def _smoothed_joint(p, before, i, radius, kept, gained, moments):
    """Add smoothed Coulomb friction to the moment of joint i, on link ``before``; return its power. [W]"""
    rate = p.link.angular_velocity[i] - p.link.angular_velocity[before]
    force = _pin_force(p.link, before, i)
    moment = joint_friction_moment(rate, force, p.joint_friction_radius, p.joint_friction_rate)
    moments[i] += moment
    return moment * rate


@kernel(inline=True)
def _pin_force(link, before, i):
    """Return the force between pin and bush of the joint between link ``before`` and link i. [N]

    It is the tension of the outer link, to which the pin belongs, because a tooth pushes on the bush, which belongs to
    the inner link. Of two neighbouring joints, one has the tension before a tooth and the other the tension after it.
    Each joint is therefore assigned the mean of both.
    """
    return 0.5 * (link.tension[before] + link.tension[i])


@kernel(inline=True)
def _joint_angle(link, before, i):
    """Return cosine and sine of the angle from link ``before`` to link i [-]."""
    cosine = link.x[before] * link.x[i] + link.y[before] * link.y[i]
    return cosine, link.x[before] * link.y[i] - link.y[before] * link.x[i]


@kernel(inline=True)
def _held_joint(p, before, i, radius, kept, gained, moments):
    """Add elastic friction to the moment of joint i, on link ``before``; return its power. [W]"""
    link = p.link
    cosine, sine = _joint_angle(link, before, i)
    spring = joint_spring(cosine, sine, p.joint_friction_stiffness, p.planar.hinge, i)
    moment = held_force(spring, p.joint_friction_radius * abs(_pin_force(link, before, i)))
    moments[i] += moment
    return moment * (link.angular_velocity[i] - link.angular_velocity[before])


@kernel(inline=True)
def _limit(link, before, i, radius):
    """Return the moment at which joint i slides if friction is elastic; radius: that of ``elastic_radius``. [N m]"""
    return radius * abs(_pin_force(link, before, i))


@kernel(inline=True)
def _damped_joint(p, before, i, radius, kept, gained, moments):
    """Set the moment of joint i, with damping in series with its spring, on link ``before``; return its power. [W]"""
    link, hinge = p.link, p.planar.hinge
    cosine, sine = _joint_angle(link, before, i)
    spring = joint_spring(cosine, sine, p.joint_friction_stiffness, hinge, i)
    moment = damped_force(spring, hinge.moment[i], _limit(link, before, i, radius), kept, gained)
    moments[i] = moment
    return moment * (link.angular_velocity[i] - link.angular_velocity[before])


@kernel(inner=True)
def joint_slopes(p, before, i, kept, gained):
    """Return the derivatives of the moment of joint i, on link ``before``.

    They are with respect to the angle of the joint [N m/rad], its rate [N m s/rad] and the tension of either link [m].
    """
    law = Turning(
        p.joint_damping, p.joint_friction_radius, p.joint_friction_rate, p.joint_friction_stiffness, p.joint_relaxation
    )
    cosine, sine = _joint_angle(p.link, before, i)
    rate, force = p.link.angular_velocity[i] - p.link.angular_velocity[before], _pin_force(p.link, before, i)
    by_turn, by_rate, by_force = turning_slopes(law, i, cosine, sine, rate, force, kept, gained, p.planar)
    return by_turn, by_rate, 0.5 * by_force


def _of_all(joint: Kernel) -> Kernel:
    """Return the kernel joints(parameters, kept, gained, moments), built around the moment of one joint.

    The kernel computes the moments [N m] of all joints of a chain that is treated as closed, and returns the lost power
    [W]. kept, gained: results of ``relaxed``, for damping in series.
    """

    @kernel(inner=True, distinct=True)
    def joints(p, kept, gained, moments):
        radius, last = elastic_radius(p), index(p.links) - ONE
        lost = joint(p, last, ZERO, radius, kept, gained, moments)
        for i in range(ONE, last + ONE):
            lost += joint(p, i - ONE, i, radius, kept, gained, moments)
        return lost

    return joints


viscous_joints, damped_joints = _of_all(_viscous_joint), _of_all(_damped_joint)
held_joints, smoothed_joints = _of_all(_held_joint), _of_all(_smoothed_joint)


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
    link, stiffness, radius, last = p.link, p.joint_friction_stiffness, elastic_radius(p), index(p.links) - ONE
    for i in range(ONE, last + ONE):
        cosine, sine = _joint_angle(link, i - ONE, i)
        anchor_cos[i], anchor_sin[i], moments[i] = followed_joint(
            cosine,
            sine,
            stiffness,
            anchor_cos[i],
            anchor_sin[i],
            moments[i],
            _limit(link, i - ONE, i, radius),
            kept,
            gained,
        )
    cosine, sine = _joint_angle(link, last, ZERO)
    anchor_cos[0], anchor_sin[0], moments[0] = followed_joint(
        cosine,
        sine,
        stiffness,
        anchor_cos[0],
        anchor_sin[0],
        moments[0],
        _limit(link, last, ZERO, radius),
        kept,
        gained,
    )


@kernel(inner=True)
def _stick_as_turning(p, hinge, damped):
    """Anchor all joints so that their springs have the moments of turning joints, as at the start of a run."""
    link, stiffness, radius = p.link, p.joint_friction_stiffness, elastic_radius(p)
    for i in range(p.links):
        before = i - 1 if i > 0 else p.links - 1
        cosine, sine = _joint_angle(link, before, i)
        rate = link.angular_velocity[i] - link.angular_velocity[before]
        moment = _limit(link, before, i, radius) * vector_tanh(rate / p.joint_friction_rate)
        moment += p.joint_damping * rate if damped else 0.0
        hold_joint(cosine, sine, stiffness, hinge, i, moment)
        hinge.moment[i] = moment
