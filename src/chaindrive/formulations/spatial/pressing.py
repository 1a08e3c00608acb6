"""Forces of teeth on rollers in space, from built-in or user-defined contact laws, in the rows of ``p.near``.

Positions and sliding speeds of the rollers are computed in contact.py.
"""

from __future__ import annotations

from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.own_laws import own_coefficient
from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.sticking import hold_by_own_law, hold_on_wheel
from chaindrive.kernels import Kernel, kernel
from chaindrive.physics.contact import (
    contact_dissipation,
    elastic_force_hertz,
    elastic_force_linear,
    elastic_force_power,
    impact_speed,
    normal_force,
)
from chaindrive.physics.friction import friction_force
from chaindrive.physics.own_contact import elastic_force_own, normal_force_own

__all__ = ["press_teeth"]


@kernel(inner=True)
def press_teeth(p, w, row, count, m):
    """Compute the forces of the teeth of wheel w on some rollers, in the frame of the wheel. Return the power lost in
    contact and the power lost in friction. [W]

    row: row of the anchor of the first roller.
    """
    planar, n, surface = p.planar, p.near, p.planar.surface
    friction = surface.friction[w] if planar.has_friction else 0.0
    if surface.contact_law[w] != 0 or surface.coefficient_law[w] != 0:
        return _press_by_own_laws(p, w, row, count, m, friction)
    _elastic(n, m, surface.law[w], surface.stiffness[w], surface.exponent[w])
    smoothed = 0.0 if planar.elastic_friction else friction
    of_depth, hysteresis, viscous = surface.speed_of_depth[w], surface.hysteresis[w], surface.viscous[w]
    lost, rubbed = _press(n, m, planar.speed_floor, of_depth, hysteresis, viscous, smoothed)
    if planar.elastic_friction:
        rubbed = hold_on_wheel(p, w, row, count, m, 0.0, friction, surface.tangential[w])
    return lost, rubbed


@kernel(apart=True)
def _press_by_own_laws(p, w, row, count, m, friction):
    """Do the same as ``press_teeth``, for a user-defined law of the normal force or the friction coefficient."""
    planar, n, surface = p.planar, p.near, p.planar.surface
    if surface.law[w] == P.LAW_OWN:
        _own_forces(planar, n, m, w)
    else:
        _elastic(n, m, surface.law[w], surface.stiffness[w], surface.exponent[w])
        of_depth, hysteresis, viscous = surface.speed_of_depth[w], surface.hysteresis[w], surface.viscous[w]
        _named_forces(n, m, planar.speed_floor, of_depth, hysteresis, viscous)
    _own_coefficients(planar, n, m, w, friction)
    lost, rubbed = _press_found(n, m, 0.0, 0.0, 0.0, 0.0, 0.0 if planar.elastic_friction else 1.0)
    if planar.elastic_friction:
        rubbed = hold_by_own_law(p, w, row, count, m, 0.0, 1.0, surface.tangential[w])
    return lost, rubbed


@kernel(inner=True)
def _elastic(n, m, law, stiffness, exponent):
    """Compute the elastic part of the normal forces. [N]"""
    if law == P.LAW_HERTZ:
        for i in range(m):
            n[S.NEAR_ELASTIC + i] = elastic_force_hertz(n[S.NEAR_DEPTH + i], stiffness)
    elif law == P.LAW_LINEAR:
        for i in range(m):
            n[S.NEAR_ELASTIC + i] = elastic_force_linear(n[S.NEAR_DEPTH + i], stiffness)
    else:
        for i in range(m):
            n[S.NEAR_ELASTIC + i] = elastic_force_power(n[S.NEAR_DEPTH + i], stiffness, exponent)


@kernel(inner=True)
def _own_forces(planar, n, m, w):
    """Compute elastic and normal forces from the user-defined law of wheel w. [N]"""
    surface = planar.surface
    law, softness, losing = surface.contact_law[w], surface.softness[w], surface.losing[w]
    for i in range(m):
        depth, rate = n[S.NEAR_DEPTH + i], losing * n[S.NEAR_RATE + i]
        elastic = elastic_force_own(law, depth)
        stored = max(n[S.NEAR_SPEED + i], planar.speed_floor)
        speed = impact_speed(stored, elastic, depth, surface.speed_of_depth[w])
        n[S.NEAR_ELASTIC + i] = softness * elastic
        n[S.NEAR_FORCE + i] = softness * normal_force_own(law, depth, rate, speed)


@kernel(inner=True)
def _named_forces(n, m, speed_floor, of_depth, hysteresis, viscous):
    """Compute normal forces from a built-in law, for a friction coefficient that depends on them. [N]"""
    for i in range(m):
        depth, rate, elastic = n[S.NEAR_DEPTH + i], n[S.NEAR_RATE + i], n[S.NEAR_ELASTIC + i]
        speed = impact_speed(max(n[S.NEAR_SPEED + i], speed_floor), elastic, depth, of_depth)
        n[S.NEAR_FORCE + i] = normal_force(elastic, rate, speed, hysteresis, viscous, depth)


@kernel(inner=True)
def _own_coefficients(planar, n, m, w, friction):
    """Compute the friction coefficients of rollers at wheel w by the wheel's user-defined law, or from the given value.
    [-]
    """
    for i in range(m):
        coefficient = friction
        if n[S.NEAR_DEPTH + i] > 0.0 and friction > 0.0:
            coefficient = own_coefficient(planar, w, friction, n[S.NEAR_SLIP + i], n[S.NEAR_FORCE + i])
        n[S.NEAR_FRICTION + i] = coefficient


def _pressing(found: bool) -> Kernel:
    """Return the kernel for the tooth forces; found: whether normal forces and friction coefficients are already
    known.
    """

    @kernel(inner=True)
    def _press(n, m, speed_floor, of_depth, hysteresis, viscous, friction):
        """Compute the forces of teeth on rollers, in the frame of the wheel; return the power lost in contact and in
        friction. [W]

        of_depth: for the impact speed, see ``impact_speed`` [1/sqrt(kg)]; friction: the coefficient, or a factor on the
        coefficients already computed.
        """
        lost, rubbed = 0.0, 0.0
        for i in range(m):
            depth, rate, elastic = n[S.NEAR_DEPTH + i], n[S.NEAR_RATE + i], n[S.NEAR_ELASTIC + i]
            if found:
                force, coefficient = n[S.NEAR_FORCE + i], friction * n[S.NEAR_FRICTION + i]
            else:
                speed = impact_speed(max(n[S.NEAR_SPEED + i], speed_floor), elastic, depth, of_depth)
                force, coefficient = normal_force(elastic, rate, speed, hysteresis, viscous, depth), friction
            rubbing = friction_force(n[S.NEAR_SIGN + i], force, coefficient)
            n[S.NEAR_FORCE + i], n[S.NEAR_RUBBING + i] = force, rubbing
            n[S.NEAR_FX + i] = force * n[S.NEAR_NX + i] + rubbing * n[S.NEAR_SX + i]
            n[S.NEAR_FY + i] = force * n[S.NEAR_NY + i] + rubbing * n[S.NEAR_SY + i]
            n[S.NEAR_FZ + i] = force * n[S.NEAR_NZ + i] + rubbing * n[S.NEAR_SZ + i]
            along = n[S.NEAR_ALONG + i]
            n[S.NEAR_BX + i] = along * n[S.NEAR_AX + i]
            n[S.NEAR_BY + i] = along * n[S.NEAR_AY + i]
            n[S.NEAR_BZ + i] = along * n[S.NEAR_AZ + i]
            lost += contact_dissipation(force, elastic, rate)
            rubbed -= rubbing * n[S.NEAR_SLIP + i]
        return lost, rubbed

    return _press


_press, _press_found = _pressing(False), _pressing(True)
