"""Contact of the rollers of a chain with wheels and guides.

Wheels and guides are both surfaces: moving frames, each with a profile and with the rollers that may touch it. A
formulation supplies the positions and velocities of its rollers, whatever its coordinates: ``place`` and ``velocity``,
(2 N,), first all x, then all y.

The code is written for vector registers. It uses a structure of arrays, with one simple loop for each stage of the
computation and no data-dependent branch inside a loop; the law is chosen outside the loop. The columns that a loop
writes are passed separately, as ``kernel(distinct=True)`` requires. Loops that only write fill the last register
(``filled_up``).
"""

from __future__ import annotations

from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.own_laws import own_forces
from chaindrive.formulations.planar.runs import filled_up
from chaindrive.formulations.planar.sticking import spring_forces
from chaindrive.geometry.kernels import NOTHING_NEAR, beyond, distance, open_profile_distance, profile_row
from chaindrive.kernels import Kernel, index, kernel
from chaindrive.physics.contact import (
    contact_dissipation,
    elastic_force_hertz,
    elastic_force_linear,
    elastic_force_power,
    impact_speed,
    normal_force,
)
from chaindrive.physics.elastic_friction import held_force
from chaindrive.physics.friction import friction_force, regularised_signs

__all__ = ["contact_forces", "elastic_force", "guide_contact"]

FEW = 4
"""Number of elements of half a gap that is sufficient for most tooth forms; for these forms no more elements are
computed."""


@kernel(inner=True)
def contact_forces(place, velocity, force, dy, p):
    """Add the forces of all surfaces on the rollers to ``force`` (2 N,) [N], and their powers to dy.

    The forces on the surfaces are added to p.resultant. The frames of the surfaces must be those of the state.
    """
    _approaches(place, velocity, p)
    if p.rigid_contacts:
        _forces_of_impulses(p)
        _surface_forces(place, force, dy, p)
        return
    _elastic_forces(p)
    if p.has_friction and p.elastic_friction:
        spring_forces(place, p)
    elif p.has_friction:
        slots = p.used.slots[0]
        slip, sign = p.contact.slip, p.contact.sign
        regularised_signs(p.friction_kind, slip, p.friction_speed, p.friction_sharpness, sign, slots)
    if p.own_laws:
        _forces(p, p.contact.force, p.contact.friction)
        own_forces(p, p.contact.force, p.contact.friction)
    elif p.has_friction and p.elastic_friction:
        _held_forces(p, p.contact.force, p.contact.friction)
    else:
        _forces(p, p.contact.force, p.contact.friction)
    _surface_forces(place, force, dy, p)


@kernel(inner=True)
def _approaches(place, velocity, p):
    """Compute penetration, normal, approach speed and slip of all runs of rollers."""
    contact = p.contact
    normal_x, normal_y, rate, slip = contact.normal_x, contact.normal_y, contact.rate, contact.slip
    for s in range(p.used.segments[0]):
        surface = p.segment.surface[s]
        if surface < p.wheels and p.gap_shift.shape[0] > 0:
            _touch_shifted(place, velocity, p, surface, s, contact.penetration, normal_x, normal_y, rate, slip)
        elif surface < p.wheels and _has_few_elements(p, s):
            _touch_few_elements(place, velocity, p, surface, s, contact.penetration, normal_x, normal_y, rate, slip)
        elif surface < p.wheels:
            _touch_elements(place, velocity, p, surface, s, contact.penetration, normal_x, normal_y, rate, slip)
        else:
            guide_contact(place, velocity, p, surface, s)
        if p.surface.arm[surface] > 0.0:
            _slip_of_links(p, surface, s, slip)


@kernel(inner=True)
def _forces_of_impulses(p):
    """Set the forces of rigid contacts to those computed in the last step; see rigid.py."""
    contact, rigid = p.contact, p.rigid
    for s in range(p.used.segments[0]):
        first, slot = p.segment.first[s], p.segment.slot[s]
        number = p.segment.face[s] * p.rollers + first
        for i in range(p.segment.end[s] - first):
            contact.elastic[slot + i] = rigid.elastic[number + i]
            contact.force[slot + i] = rigid.normal[number + i]
            contact.friction[slot + i] = rigid.friction[number + i]


@kernel(inner=True)
def _elastic_forces(p):
    """Compute the elastic part of the normal force of all runs of rollers."""
    for s in range(p.used.segments[0]):
        elastic_force(p, p.segment.surface[s], s)


@kernel(inner=True, distinct=True)
def _forces(p, normal, tangential):
    """Compute normal force and friction of every slot, all in one loop."""
    contact, candidate = p.contact, p.candidate
    for k in range(index(p.used.slots[0])):
        rate, elastic, depth = contact.rate[k], contact.elastic[k], contact.penetration[k]
        speed = impact_speed(max(candidate.speed[k], p.speed_floor), elastic, depth, candidate.speed_of_depth[k])
        force = normal_force(elastic, rate, speed, candidate.hysteresis[k], candidate.viscous[k], depth)
        normal[k] = force
        tangential[k] = friction_force(contact.sign[k], force, candidate.friction[k])


@kernel(inner=True, distinct=True)
def _held_forces(p, normal, tangential):
    """Compute normal force and elastic friction of every slot, all in one loop."""
    contact, candidate = p.contact, p.candidate
    for k in range(index(p.used.slots[0])):
        rate, elastic, depth = contact.rate[k], contact.elastic[k], contact.penetration[k]
        speed = impact_speed(max(candidate.speed[k], p.speed_floor), elastic, depth, candidate.speed_of_depth[k])
        force = normal_force(elastic, rate, speed, candidate.hysteresis[k], candidate.viscous[k], depth)
        normal[k] = force
        tangential[k] = -held_force(contact.spring[k], candidate.friction[k] * force)


@kernel(inner=True)
def _surface_forces(place, on_rollers, dy, p):
    """Apply contact forces and friction of all runs of rollers.

    Forces on rollers are added to ``on_rollers``, powers to dy, and forces and moments on surfaces to their resultants.
    """
    work, resultant = p.layout.work, p.resultant
    for s in range(p.used.segments[0]):
        surface = p.segment.surface[s]
        fx, fy, moment, lost, friction_power = _surface_force(place, p, surface, s, on_rollers)
        if p.surface.arm[surface] > 0.0:
            moment += _twist_of_links(p, surface, s, p.twist)
        resultant.x[surface] -= fx
        resultant.y[surface] -= fy
        resultant.moment[surface] += moment
        if surface < p.wheels:
            dy[work + P.WORK_CONTACT] += lost
            dy[work + P.WORK_FRICTION] += friction_power
        else:
            dy[work + P.WORK_GUIDE] += lost + friction_power


@kernel(inline=True)
def _has_few_elements(p, s):
    """Return whether the teeth that a run of rollers may touch have at most FEW elements."""
    row = p.face.profile[p.segment.face[s]] + FEW
    return p.profile[row, 7] == 0.0 and p.profile[row, 8] == 0.0


def _touching(elements: int, shifted: bool) -> Kernel:
    """Return the kernel of contacts with teeth of at most this many elements.

    shifted: the gaps are shifted, as on an oval sprocket.
    """

    @kernel(inner=True, distinct=True)
    def _tooth_contact(place, velocity, p, w, s, penetration, normal_x, normal_y, rate, slip):
        """Compute penetration, normal, approach speed and slip between the teeth of wheel w and one run of rollers.

        A roller meets the flank on its side of the gap. A wedged roller meets both flanks, in two runs, one for each
        flank.
        """
        n = index(p.rollers)
        first, slot = index(p.segment.first[s]), index(p.segment.slot[s])
        count = filled_up(p, s)
        candidate = p.candidate
        cx, cy, cvx, cvy = p.frame.x[w], p.frame.y[w], p.frame.vx[w], p.frame.vy[w]
        ca, sa, angular_velocity = p.frame.cos[w], p.frame.sin[w], p.frame.angular_velocity[w]
        radius = p.surface.radius[w]

        face = p.segment.face[s]
        row, flank = p.face.profile[face], float(p.face.side[face])
        seat = profile_row(p.profile, row)
        second, third = profile_row(p.profile, row + 1), profile_row(p.profile, row + 2)
        fourth, fifth = profile_row(p.profile, row + 3), profile_row(p.profile, row + 4)
        outermost = profile_row(p.profile, row + 5)

        for i in range(count):
            k = slot + i
            # The roller in the gap's own frame, mirrored so that the flank is at positive xi.
            ux = ca * candidate.cos[k] - sa * candidate.sin[k]
            uy = sa * candidate.cos[k] + ca * candidate.sin[k]
            rx = place[first + i] - cx
            ry = place[n + first + i] - cy
            side = ux * ry - uy * rx
            eta = ux * rx + uy * ry
            if shifted:
                side -= candidate.y[k]
                eta -= candidate.x[k]
            mirror = flank if flank != 0.0 else (1.0 if side >= 0.0 else -1.0)
            xi = mirror * side
            # The element of the profile that faces it.
            facing = beyond(seat, second, xi, eta)
            facing = beyond(facing, third, xi, eta)
            facing = beyond(facing, fourth, xi, eta)
            if elements > FEW:
                facing = beyond(facing, fifth, xi, eta)
                facing = beyond(facing, outermost, xi, eta)
            phi, gx, gy = distance(xi - facing[0], eta - facing[1], facing[2], facing[3], facing[4])
            gx *= mirror
            # Normal out of the tooth, approach and slip.
            nx = gy * ux - gx * uy
            ny = gy * uy + gx * ux
            vx = velocity[first + i] - cvx + angular_velocity * ry
            vy = velocity[n + first + i] - cvy - angular_velocity * rx
            penetration[k] = radius - phi
            normal_x[k] = nx
            normal_y[k] = ny
            rate[k] = -(vx * nx + vy * ny)
            slip[k] = vy * nx - vx * ny

    return _tooth_contact


_touch_few_elements, _touch_elements = _touching(FEW, False), _touching(P.PROFILE_ROWS, False)
_touch_shifted = _touching(P.PROFILE_ROWS, True)


@kernel(inner=True)
def guide_contact(place, velocity, p, g, s):
    """Compute penetration, normal, approach speed and slip between guide surface g and one run of rollers.

    Source: Pedersen (2004), 3.8.2.

    The last search has found the element that faces each roller (Hippmann, Arnold & Schittenhelm 2005, section 2.3.3).
    Exceptions are the few rollers that may reach another element before the next search; for these, all elements are
    searched.
    """
    contact = p.contact
    normal_x, normal_y, rate, slip = contact.normal_x, contact.normal_y, contact.rate, contact.slip
    _known_elements(place, velocity, p, g, s, contact.penetration, normal_x, normal_y, rate, slip)
    _all_elements(place, velocity, p, g, s)


@kernel(inner=True, distinct=True)
def _known_elements(place, velocity, p, g, s, penetration, normal_x, normal_y, rate, slip):
    """Do the work of ``guide_contact`` with the elements that the last search has found."""
    n = index(p.rollers)
    first, slot = index(p.segment.first[s]), index(p.segment.slot[s])
    count = filled_up(p, s)
    candidate = p.candidate
    cx, cy, cvx, cvy = p.frame.x[g], p.frame.y[g], p.frame.vx[g], p.frame.vy[g]
    ca, sa, angular_velocity = p.frame.cos[g], p.frame.sin[g], p.frame.angular_velocity[g]
    radius, depth = p.surface.radius[g], p.surface.depth[g]
    for i in range(count):
        k = slot + i
        rx = place[first + i] - cx
        ry = place[n + first + i] - cy
        phi, gx, gy = distance(
            ca * rx + sa * ry - candidate.x[k],
            ca * ry - sa * rx - candidate.y[k],
            candidate.nx[k],
            candidate.ny[k],
            candidate.curvature[k],
        )
        vx = velocity[first + i] - cvx + angular_velocity * ry
        vy = velocity[n + first + i] - cvy - angular_velocity * rx
        penetration[k] = radius - (phi if phi >= -depth else NOTHING_NEAR)
        normal_x[k], normal_y[k], rate[k], slip[k] = _turn_normal(gx, gy, ca, sa, vx, vy)


@kernel(inner=True)
def _all_elements(place, velocity, p, g, s):
    """Do the work of ``guide_contact`` for the few rollers that may reach another element before the next search."""
    n = index(p.rollers)
    first, slot = index(p.segment.first[s]), index(p.segment.slot[s])
    contact, candidate = p.contact, p.candidate
    cx, cy, cvx, cvy = p.frame.x[g], p.frame.y[g], p.frame.vx[g], p.frame.vy[g]
    ca, sa, angular_velocity = p.frame.cos[g], p.frame.sin[g], p.frame.angular_velocity[g]
    row, end = p.surface.profile[g], p.surface.profile_end[g]
    for i in range(index(p.segment.end[s]) - first):
        k = slot + i
        if candidate.element[k] < 0.0:
            rx = place[first + i] - cx
            ry = place[n + first + i] - cy
            own_x, own_y = ca * rx + sa * ry, ca * ry - sa * rx
            phi, gx, gy = open_profile_distance(p.guide_profile, row, end, own_x, own_y, p.surface.depth[g])
            vx = velocity[first + i] - cvx + angular_velocity * ry
            vy = velocity[n + first + i] - cvy - angular_velocity * rx
            nx, ny, rate, slip = _turn_normal(gx, gy, ca, sa, vx, vy)
            contact.penetration[k] = p.surface.radius[g] - phi
            contact.normal_x[k], contact.normal_y[k] = nx, ny
            contact.rate[k], contact.slip[k] = rate, slip


@kernel(inline=True)
def _turn_normal(gx, gy, ca, sa, vx, vy):
    """Return a normal turned with its guide, and approach speed and slip of a point with velocity (vx, vy) [m/s]."""
    nx = ca * gx - sa * gy
    ny = sa * gx + ca * gy
    return nx, ny, -(vx * nx + vy * ny), vy * nx - vx * ny


@kernel(inner=True, distinct=True)
def _slip_of_links(p, surface, s, slip):
    """Correct the slip where a part of the link itself slides, because this part turns with the link and not with the
    surface.
    """
    first, slot = index(p.segment.first[s]), index(p.segment.slot[s])
    count = filled_up(p, s)
    arm, angular_velocity = p.surface.arm[surface], p.frame.angular_velocity[surface]
    for i in range(count):
        slip[slot + i] -= arm * (p.turning[first + i] - angular_velocity)


@kernel(inner=True, distinct=True)
def _twist_of_links(p, surface, s, twist):
    """Add the moments on the links due to friction, which acts at the surface and not in the middle of the bush.

    Return the sum of the opposite moments, which act on the surface. [N m]
    """
    first, slot = index(p.segment.first[s]), index(p.segment.slot[s])
    count = index(p.segment.end[s]) - first
    arm, total = p.surface.arm[surface], 0.0
    for i in range(count):
        moment = arm * p.contact.friction[slot + i]
        twist[first + i] -= moment
        total += moment
    return total


@kernel(inner=True)
def elastic_force(p, surface, s):
    """Compute the elastic part of the normal force on one run of rollers, by the power law of the surface.

    The elastic part of a user-defined law is computed later.
    """
    _elastic_force(p, surface, s, p.contact.elastic)


@kernel(inner=True, distinct=True)
def _elastic_force(p, surface, s, elastic):
    """Do the work of ``elastic_force``, and write the forces into the column ``elastic``."""
    first, slot = index(p.segment.first[s]), index(p.segment.slot[s])
    end = slot + filled_up(p, s)
    penetration = p.contact.penetration
    stiffness, exponent = p.surface.stiffness[surface], p.surface.exponent[surface]
    law = p.surface.law[surface]
    if law == P.LAW_HERTZ:
        for k in range(slot, end):
            elastic[k] = elastic_force_hertz(penetration[k], stiffness)
    elif law == P.LAW_LINEAR:
        for k in range(slot, end):
            elastic[k] = elastic_force_linear(penetration[k], stiffness)
    else:
        for k in range(slot, slot + index(p.segment.end[s]) - first):
            elastic[k] = elastic_force_power(penetration[k], stiffness, exponent)


@kernel(inner=True)
def elastic_force_at(p, surface, penetration):
    """Return ``elastic_force`` of one roller at this penetration [m]. [N]"""
    stiffness, law = p.surface.stiffness[surface], p.surface.law[surface]
    if law == P.LAW_HERTZ:
        return elastic_force_hertz(penetration, stiffness)
    if law == P.LAW_LINEAR:
        return elastic_force_linear(penetration, stiffness)
    return elastic_force_power(penetration, stiffness, p.surface.exponent[surface])


@kernel(inner=True, distinct=True)
def _surface_force(place, p, surface, s, on_rollers):
    """Add the forces between a surface and one run of rollers to the forces on these rollers.

    Return the sum of the forces on the rollers [N], the moment on the surface [N m], and the powers lost in contact and
    in friction [W].
    """
    n = index(p.rollers)
    first, slot = index(p.segment.first[s]), index(p.segment.slot[s])
    count = index(p.segment.end[s]) - first
    contact = p.contact
    cx, cy = p.frame.x[surface], p.frame.y[surface]
    sum_x, sum_y, moment, lost, friction_power = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(count):
        k = slot + i
        force, tangential = contact.force[k], contact.friction[k]
        nx, ny = contact.normal_x[k], contact.normal_y[k]
        fx = force * nx - tangential * ny
        fy = force * ny + tangential * nx
        on_rollers[first + i] += fx
        on_rollers[n + first + i] += fy
        sum_x += fx
        sum_y += fy
        moment -= (place[first + i] - cx) * fy - (place[n + first + i] - cy) * fx
        lost += contact_dissipation(force, contact.elastic[k], contact.rate[k])
        friction_power -= tangential * contact.slip[k]
    return sum_x, sum_y, moment, lost, friction_power
