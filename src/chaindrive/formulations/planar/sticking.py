"""Springs of friction and damping (physics/elastic_friction.py): of rollers on surfaces, and of joints.

The anchor of a roller is a place in the frame of the surface that it touches, and where a part of its link slides on
that surface also a direction of the link. What the roller has moved along the surface from there stretches its
spring. The anchor of a joint is the angle between its links at which its spring has no moment. All anchors are memory:
they move at accepted steps only. Damping of joints that would limit the step is in series with these springs.
"""

from __future__ import annotations

from chaindrive.kernels import Kernel, kernel
from chaindrive.physics.elastic_friction import anchor_turned, damped_force, held_force, relaxation, turn_since
from chaindrive.physics.friction import regularised_sign

__all__ = [
    "follow_joint",
    "hold_joint",
    "joint_spring",
    "relaxed",
    "spring_forces",
    "stick",
    "stick_as_sliding",
    "sticking",
]


@kernel(inner=True)
def spring_forces(place, p):
    """Forces of the springs of all slots, before their limits, into ``p.contact.spring`` [N]; place as in contact.py.

    Of a roller that has just come into contact it is 0 until the step is accepted.
    """
    for s in range(p.used.segments[0]):
        surface, first, slot = p.segment.surface[s], p.segment.first[s], p.segment.slot[s]
        row, stiffness = _row(p, s), p.surface.tangential[surface]
        for i in range(p.segment.end[s] - first):
            r, k = row + i, slot + i
            x, y = _place_on(place, p, surface, first + i)
            along = _along(p, surface, k, x - p.anchored.x[r], y - p.anchored.y[r])
            p.contact.spring[k] = p.anchored.held[r] * stiffness * along
        if p.surface.arm[surface] > 0.0:
            stiffness *= p.surface.arm[surface]
            for i in range(p.segment.end[s] - first):
                r = row + i
                c, sine = _direction_on(p, surface, first + i)
                turn = turn_since(c, sine, p.anchored.cos[r], p.anchored.sin[r])
                p.contact.spring[slot + i] -= p.anchored.held[r] * stiffness * turn


@kernel(inner=True)
def stick(place, p):
    """Let the anchors follow where the limit has cut a force of the last evaluation, at an accepted state."""
    for s in range(p.used.segments[0]):
        surface, first, slot = p.segment.surface[s], p.segment.first[s], p.segment.slot[s]
        row = _row(p, s)
        for i in range(p.segment.end[s] - first):
            r, k = row + i, slot + i
            if not p.contact.penetration[k] > 0.0:
                p.anchored.held[r] = 0.0
            elif p.anchored.held[r] == 0.0:
                _anchor(place, p, surface, first + i, r, k, 0.0)
            elif p.contact.spring[k] != -p.contact.friction[k]:
                _anchor(place, p, surface, first + i, r, k, -p.contact.friction[k])


@kernel(inner=True)
def stick_as_sliding(place, p):
    """Set all anchors so that the springs have the friction of what slides in the last evaluation, as a run starts."""
    for s in range(p.used.segments[0]):
        surface, first, slot = p.segment.surface[s], p.segment.first[s], p.segment.slot[s]
        friction, row = p.surface.friction[surface], _row(p, s)
        for i in range(p.segment.end[s] - first):
            k = slot + i
            if p.contact.penetration[k] > 0.0:
                sign = regularised_sign(p.friction_kind, p.contact.slip[k], p.friction_speed, p.friction_sharpness)
                _anchor(place, p, surface, first + i, row + i, k, friction * sign * p.contact.force[k])


def sticking(positions: Kernel, stick_joints: Kernel) -> Kernel:
    """The kernel ``ChainKernels.stick`` of a chain in the plane, compiled around where its rollers are and its joints.

    stick_joints(t, p, anew): does for the joints what the kernel does.
    """

    @kernel(inner=True)
    def follow(t, y, p, anew):
        """Let the anchors of rollers and joints follow the last evaluation (``ChainKernels.stick``)."""
        if p.planar.elastic_friction:
            if anew:
                stick_as_sliding(positions(y, p), p.planar)
            elif p.planar.has_friction:
                stick(positions(y, p), p.planar)
        if p.planar.elastic_joints:
            stick_joints(t, p, anew)

    return follow


@kernel(inline=True)
def _row(p, s):
    """Row of the anchors of the first roller of a run."""
    return p.segment.face[s] * p.rollers + p.segment.first[s]


@kernel(inline=True)
def _place_on(place, p, surface, i):
    """Place of roller i in the frame of a surface. [m]"""
    rx, ry = place[i] - p.frame.x[surface], place[p.rollers + i] - p.frame.y[surface]
    c, s = p.frame.cos[surface], p.frame.sin[surface]
    return c * rx + s * ry, c * ry - s * rx


@kernel(inline=True)
def _direction_on(p, surface, i):
    """Direction of link i in the frame of a surface."""
    c, s, x, y = p.frame.cos[surface], p.frame.sin[surface], p.heading_x[i], p.heading_y[i]
    return c * x + s * y, c * y - s * x


@kernel(inline=True)
def _along(p, surface, k, x, y):
    """Part of a displacement in the frame of a surface along the tangent of slot k, in the sense of its slip. [m]"""
    c, s = p.frame.cos[surface], p.frame.sin[surface]
    return (s * x + c * y) * p.contact.normal_x[k] - (c * x - s * y) * p.contact.normal_y[k]


@kernel(inline=True)
def _anchor(place, p, surface, i, r, k, force):
    """Anchor roller i, in slot k, so that its spring has this force where it is now. [N]"""
    stretch = force / p.surface.tangential[surface]
    c, s = p.frame.cos[surface], p.frame.sin[surface]
    x, y = _place_on(place, p, surface, i)
    along_x, along_y = -p.contact.normal_y[k] * stretch, p.contact.normal_x[k] * stretch
    p.anchored.held[r] = 1.0
    p.anchored.x[r], p.anchored.y[r] = x - (c * along_x + s * along_y), y - (c * along_y - s * along_x)
    if p.surface.arm[surface] > 0.0:
        p.anchored.cos[r], p.anchored.sin[r] = _direction_on(p, surface, i)


@kernel(inline=True)
def joint_spring(cosine, sine, stiffness, hinge, i):
    """Moment of the spring of joint i, before its limit; cosine, sine: of the angle between its links. [N m]"""
    return stiffness * turn_since(cosine, sine, hinge.cos[i], hinge.sin[i])


@kernel(inline=True)
def hold_joint(cosine, sine, stiffness, hinge, i, moment):
    """Anchor joint i so that its spring has this moment where it is now. [N m]"""
    hinge.cos[i], hinge.sin[i] = anchor_turned(cosine, sine, moment / stiffness)


@kernel(inline=True)
def relaxed(t, rate, p):
    """``relaxation`` since the last accepted state, to time t [s], of joints that relax at a rate [1/s]."""
    return relaxation(rate, t - p.search.accepted[0])


@kernel(inline=True)
def follow_joint(cosine, sine, stiffness, hinge, i, limit, damped, kept, gained):
    """Let the spring of joint i follow an accepted state, where friction has this limit [N m]; rest as above.

    damped: whether damping is in series with the spring; kept, gained: of ``relaxed``.
    """
    spring = joint_spring(cosine, sine, stiffness, hinge, i)
    moment = damped_force(spring, hinge.moment[i], limit, kept, gained) if damped else held_force(spring, limit)
    if moment != spring:
        hold_joint(cosine, sine, stiffness, hinge, i, moment)
    hinge.moment[i] = moment
