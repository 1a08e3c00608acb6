"""Contacts by user-defined laws: normal forces, friction coefficients, and the other values that a run needs.

A surface with such a law has the address of the law (``kernels.pointers``); physics/own_contact.py evaluates it. Code
for user-defined laws is compiled separately, so that the kernels of the built-in laws are not slowed down by it.
"""

from __future__ import annotations

from chaindrive.kernels import index, kernel
from chaindrive.kernels.pointers import call_at_two
from chaindrive.physics.contact import impact_speed
from chaindrive.physics.elastic_friction import held_force
from chaindrive.physics.friction import friction_force
from chaindrive.physics.own_contact import (
    depth_reached,
    elastic_energy_own,
    elastic_force_own,
    elastic_slope_own,
    normal_force_own,
    rate_slope_own,
    slope_own,
)

__all__ = [
    "own_coefficient",
    "own_elastic",
    "own_energy",
    "own_exponent",
    "own_force",
    "own_forces",
    "own_slopes",
]


@kernel(apart=True)
def own_forces(p, normal, tangential):
    """Compute elastic force, normal force and friction of every slot whose surface has a user-defined contact or
    friction law.

    This kernel is called after the built-in laws, whose values remain if there is no user-defined law.
    """
    contact = p.contact
    for s in range(p.used.segments[0]):
        surface, slot = p.segment.surface[s], p.segment.slot[s]
        for k in range(slot, slot + p.segment.end[s] - p.segment.first[s]):
            if contact.penetration[k] > 0.0:
                elastic = own_elastic(p, surface, k)
                speed = _impact_speed(p, surface, k, contact.penetration[k], elastic)
                normal[k] = own_force(p, surface, k, abs(contact.slip[k]), speed, normal[k])
    for k in range(index(p.used.slots[0])):
        if p.has_friction and p.elastic_friction:
            tangential[k] = -held_force(contact.spring[k], p.candidate.friction[k] * normal[k])
        else:
            tangential[k] = friction_force(contact.sign[k], normal[k], p.candidate.friction[k])


@kernel(inner=True)
def own_elastic(p, surface, k):
    """Compute and return the elastic force of the contact in slot k, by the user-defined law if the surface has one.
    [N]
    """
    law, contact = p.surface.contact_law[surface], p.contact
    if law != 0:
        contact.elastic[k] = p.surface.softness[surface] * elastic_force_own(law, contact.penetration[k])
    return contact.elastic[k]


@kernel(inner=True)
def own_force(p, surface, k, slip, speed, force):
    """Return the normal force in slot k by the law of the surface [N], and write its friction coefficient into the
    slot.

    slip: sliding speed, 0 or above [m/s]; speed: speed of the impact [m/s]; force: value by the built-in law, returned
    if the surface has no other law [N].
    """
    law = p.surface.contact_law[surface]
    if law != 0:
        rate = p.surface.losing[surface] * p.contact.rate[k]
        force = p.surface.softness[surface] * normal_force_own(law, p.contact.penetration[k], rate, speed)
    p.candidate.friction[k] = own_coefficient(p, surface, p.surface.friction[surface], slip, force)
    return force


@kernel(inner=True)
def own_coefficient(p, surface, given, slip, force):
    """Return the friction coefficient by the law of the surface. [-]

    slip: sliding speed, 0 or above [m/s]; force: normal force [N]; given: the coefficient that is returned if the
    surface has no such law or no friction.
    """
    law = p.surface.coefficient_law[surface]
    if law == 0 or p.surface.friction[surface] == 0.0:
        return given
    coefficient = call_at_two(law, slip, force)
    return 0.0 if coefficient < 0.0 else coefficient


@kernel(inner=True)
def _impact_speed(p, surface, k, depth, elastic):
    """Return the speed of the impact in slot k, at a depth that it has or will have. [m/s]"""
    return impact_speed(max(p.candidate.speed[k], p.speed_floor), elastic, depth, p.surface.speed_of_depth[surface])


@kernel(apart=True)
def own_energy(p, surface, s):
    """Return the energy stored in the contacts of one run of rollers. [J]"""
    slot, law, total = p.segment.slot[s], p.surface.contact_law[surface], 0.0
    deepest, energies = p.surface.deepest[surface], p.law_energy[surface]
    for k in range(slot, slot + p.segment.end[s] - p.segment.first[s]):
        total += elastic_energy_own(law, p.contact.penetration[k], deepest, energies)
    return p.surface.softness[surface] * total


@kernel(inner=True)
def own_exponent(p, surface, depth):
    """Return the exponent of the power law that has the force and the slope of the surface's law at a depth. [-]"""
    law = p.surface.contact_law[surface]
    force = elastic_force_own(law, depth)
    return elastic_slope_own(law, depth) * depth / force if force > 0.0 else 0.0


@kernel(inner=True)
def own_slopes(p, surface, k, yields):
    """Return stiffness [N/m] and damping [N s/m] of the contact in slot k, at the depth that it will reach.

    yields: speed of the roller per unit impulse [1/kg].
    """
    law, approach = p.surface.contact_law[surface], max(p.contact.rate[k], 0.0)
    depth, steepest = depth_reached(law, p.contact.penetration[k], 0.5 * approach * approach / yields)
    speed = _impact_speed(p, surface, k, depth, elastic_force_own(law, depth))
    stiffness = max(steepest, slope_own(law, depth, approach, speed))
    return stiffness, rate_slope_own(law, depth, approach, speed)
