"""Springs that model friction of rollers and joints, and damping of joints (physics/elastic_friction.py).

The anchor of a roller is a position in the frame of the surface that it touches. Where a part of its link slides on
that surface, it is also a direction of the link. The displacement of the roller from the anchor along the surface is
the elongation of its spring. The anchor of a joint is the angle between its links at which its spring has no moment.
All anchors are memory: they move at accepted steps only. Damping of joints that would limit the step is in series with
these springs.
"""

from __future__ import annotations

from chaindrive.formulations.planar.runs import filled_up
from chaindrive.kernels import Kernel, index, kernel
from chaindrive.physics.elastic_friction import (
    anchor_turned,
    damped_force,
    relaxation,
    turn_since,
    turn_since_slope,
)
from chaindrive.physics.friction import regularised_sign

__all__ = [
    "elastic_radius",
    "followed_joint",
    "hold_joint",
    "joint_spring",
    "joint_stiffness",
    "relaxed",
    "spring_forces",
    "stick",
    "stick_as_sliding",
    "sticking",
]


@kernel(inner=True)
def spring_forces(place, p):
    """Write the forces of the springs of all slots, before they are limited, into ``p.contact.spring`` [N].

    place: as in contact.py. The force is 0 for a roller that has just come into contact, until the step is accepted.
    """
    for s in range(p.used.segments[0]):
        surface = p.segment.surface[s]
        _stretched(place, p, surface, s, p.contact.spring)
        if p.surface.arm[surface] > 0.0:
            _turned(p, surface, s, p.contact.spring)


@kernel(inner=True, distinct=True)
def _stretched(place, p, surface, s, spring):
    """Compute the forces of the springs of a run of rollers from their positions. [N]"""
    contact, anchored, n = p.contact, p.anchored, index(p.rollers)
    row, first, slot, _ = _run(p, s)
    x, y, c, sine = p.frame.x[surface], p.frame.y[surface], p.frame.cos[surface], p.frame.sin[surface]
    stiffness = p.surface.tangential[surface]
    for i in range(filled_up(p, s)):
        r, k = row + i, slot + i
        stretch_x = place[first + i] - x - (c * anchored.x[r] - sine * anchored.y[r])
        stretch_y = place[n + first + i] - y - (sine * anchored.x[r] + c * anchored.y[r])
        along = stretch_y * contact.normal_x[k] - stretch_x * contact.normal_y[k]
        spring[k] = anchored.held[r] * stiffness * along


@kernel(inner=True, distinct=True)
def _turned(p, surface, s, spring):
    """Add the spring forces due to the rotation of links where a part of the link slides. [N]"""
    anchored = p.anchored
    row, first, slot, _ = _run(p, s)
    c, sine = p.frame.cos[surface], p.frame.sin[surface]
    stiffness = p.surface.tangential[surface] * p.surface.arm[surface]
    for i in range(filled_up(p, s)):
        r = row + i
        cosine, turned = _direction_on(c, sine, p.heading_x[first + i], p.heading_y[first + i])
        turn = turn_since(cosine, turned, anchored.cos[r], anchored.sin[r])
        spring[slot + i] -= anchored.held[r] * stiffness * turn


@kernel(inner=True)
def stick(place, p):
    """At an accepted state, let the anchors follow where the limit has cut off a force of the last evaluation."""
    anchored = p.anchored
    for s in range(p.used.segments[0]):
        surface = p.segment.surface[s]
        if p.surface.arm[surface] > 0.0:
            _follow_links(place, p, surface, s, anchored.held, anchored.x, anchored.y, anchored.cos, anchored.sin)
        else:
            _follow_rollers(place, p, surface, s, anchored.held, anchored.x, anchored.y, anchored.cos, anchored.sin)


def _following(turn: bool) -> Kernel:
    """Return the kernel that moves the anchors of a run of rollers and marks the rollers that have one.

    turn: also update the directions of turning links.
    """

    @kernel(inner=True, distinct=True)
    def _follow_run(place, p, surface, s, held, x, y, cosine, sine):
        n = index(p.rollers)
        row, first, slot, count = _run(p, s)
        penetration, spring, friction = p.contact.penetration, p.contact.spring, p.contact.friction
        normal_x, normal_y, heading_x, heading_y = p.contact.normal_x, p.contact.normal_y, p.heading_x, p.heading_y
        cx, cy, ca, sa = p.frame.x[surface], p.frame.y[surface], p.frame.cos[surface], p.frame.sin[surface]
        softness = 1.0 / p.surface.tangential[surface]
        for i in range(count):
            r, k = row + i, slot + i
            stretch = -held[r] * friction[k] * softness
            dx = place[first + i] - cx + normal_y[k] * stretch
            dy = place[n + first + i] - cy - normal_x[k] * stretch
            moves = _moves(penetration[k], held[r], spring[k], friction[k])
            x[r] = ca * dx + sa * dy if moves else x[r]
            y[r] = ca * dy - sa * dx if moves else y[r]
            if turn:
                along, across = _direction_on(ca, sa, heading_x[first + i], heading_y[first + i])
                cosine[r] = along if moves else cosine[r]
                sine[r] = across if moves else sine[r]
            held[r] = 1.0 if penetration[k] > 0.0 else 0.0

    return _follow_run


@kernel(inline=True)
def _moves(penetration, held, spring, friction):
    """Return whether an anchor moves, because its roller has come into contact or slides."""
    return (penetration > 0.0) & ((held == 0.0) | (spring != -friction))


_follow_links, _follow_rollers = _following(True), _following(False)


@kernel(inner=True)
def stick_as_sliding(place, p):
    """Set all anchors for the start of a run, so that springs exert the sliding friction of the last evaluation."""
    for s in range(p.used.segments[0]):
        surface = p.segment.surface[s]
        row, first, slot, count = _run(p, s)
        for i in range(count):
            k = slot + i
            if p.contact.penetration[k] > 0.0:
                sign = regularised_sign(p.friction_kind, p.contact.slip[k], p.friction_speed, p.friction_sharpness)
                friction = p.candidate.friction[k] * sign * p.contact.force[k]
                _anchor(place, p, surface, first + i, row + i, k, friction)


def sticking(positions: Kernel, stick_joints: Kernel) -> Kernel:
    """Return the kernel ``ChainKernels.stick`` of a chain in the plane, compiled around its roller positions and its
    joints.

    stick_joints(t, p, anew): does the same for the joints.
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
def _run(p, s):
    """Return the row of the anchor of the first roller of a run, that roller, its slot, and the number of rollers."""
    first = index(p.segment.first[s])
    row = index(p.segment.face[s]) * index(p.rollers) + first
    return row, first, index(p.segment.slot[s]), index(p.segment.end[s]) - first


@kernel(inline=True)
def _direction_on(c, s, x, y):
    """Return a direction (x, y) in a frame at an angle of cosine c and sine s."""
    return c * x + s * y, c * y - s * x


@kernel(inline=True)
def _anchor(place, p, surface, i, r, k, force):
    """Anchor roller i, in slot k, so that its spring has this force at the present position. [N]"""
    stretch = force / p.surface.tangential[surface]
    x = place[i] - p.frame.x[surface] + p.contact.normal_y[k] * stretch
    y = place[index(p.rollers) + i] - p.frame.y[surface] - p.contact.normal_x[k] * stretch
    c, s = p.frame.cos[surface], p.frame.sin[surface]
    p.anchored.held[r] = 1.0
    p.anchored.x[r], p.anchored.y[r] = c * x + s * y, c * y - s * x
    if p.surface.arm[surface] > 0.0:
        p.anchored.cos[r], p.anchored.sin[r] = _direction_on(c, s, p.heading_x[i], p.heading_y[i])


@kernel(inline=True)
def joint_spring(cosine, sine, stiffness, hinge, i):
    """Return the moment of the spring of joint i before it is limited [N m]; cosine, sine: of the angle between its
    links.
    """
    return stiffness * turn_since(cosine, sine, hinge.cos[i], hinge.sin[i])


@kernel(inline=True)
def joint_stiffness(cosine, sine, stiffness, hinge, i):
    """Return the derivative of :func:`joint_spring` with respect to the angle of the joint. [N m/rad]"""
    return stiffness * turn_since_slope(cosine, sine, hinge.cos[i], hinge.sin[i])


@kernel(inline=True)
def hold_joint(cosine, sine, stiffness, hinge, i, moment):
    """Anchor joint i so that its spring has this moment at the present angle. [N m]"""
    hinge.cos[i], hinge.sin[i] = anchor_turned(cosine, sine, moment / stiffness)


@kernel(inline=True)
def relaxed(t, rate, p):
    """Return ``relaxation`` from the last accepted state to time t [s], of joints that relax at a rate [1/s]."""
    return relaxation(rate, t - p.search.accepted[0])


@kernel(inline=True)
def elastic_radius(p):
    """Return the friction coefficient times the pin radius of elastic friction; zero where friction is smoothed. [m]

    p: parameters of a formulation. To be called outside a loop: the compiler does not vectorise a loop with this choice
    in it.
    """
    return p.joint_friction_radius if p.planar.elastic_friction else 0.0


@kernel(inline=True)
def followed_joint(cosine, sine, stiffness, anchor_cosine, anchor_sine, before, limit, kept, gained):
    """Return anchor and moment of the spring of a joint after an accepted state: cosine, sine, moment [N m].

    cosine, sine: of the angle between the links of the joint; before: moment at the previous accepted state [N m];
    limit: limit due to friction [N m]; kept, gained: results of ``relaxed``, both 0 if no damping is in series with the
    spring. The kernel has no branches, so that a loop over joints can use vector registers.
    """
    spring = stiffness * turn_since(cosine, sine, anchor_cosine, anchor_sine)
    moment = damped_force(spring, before, limit, kept, gained)
    c, s = anchor_turned(cosine, sine, moment / stiffness)
    stays = moment == spring
    return anchor_cosine if stays else c, anchor_sine if stays else s, moment
