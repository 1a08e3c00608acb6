"""Normal contact force with hysteresis or viscous damping: f = K d^n (1 + D clip(d'/v0)) + c d', never pulling.

All laws in ``contact_laws/`` have this form: each law is only a choice of the hysteresis damping factor D and the
viscous damping coefficient c. The kernels use selections instead of branches, so that loops over contacts are
vectorised. Every selection passes on nan.
"""

from __future__ import annotations

import math

from chaindrive.kernels import kernel

__all__ = [
    "contact_dissipation",
    "elastic_force_hertz",
    "elastic_force_linear",
    "elastic_force_power",
    "impact_speed",
    "impact_speed_slope",
    "normal_force",
    "normal_force_slopes",
]


@kernel(inline=True)
def elastic_force_linear(penetration, stiffness):
    """Elastic contact force K d for d > 0, else 0 [N].

    penetration d [m], positive when pressed; stiffness K [N/m].
    """
    depth = 0.0 if penetration <= 0.0 else penetration
    return stiffness * depth


@kernel(inline=True)
def elastic_force_hertz(penetration, stiffness):
    """Elastic contact force K d^(3/2) for d > 0, else 0, without calling pow [N].

    Hertz (1882). penetration d [m], positive when pressed; stiffness K [N/m^1.5].
    """
    depth = 0.0 if penetration <= 0.0 else penetration
    return stiffness * depth * math.sqrt(depth)


@kernel(inline=True)
def elastic_force_power(penetration, stiffness, exponent):
    """Elastic contact force K d^n for d > 0, else 0 [N].

    penetration d [m], positive when pressed; stiffness K [N/m^n]; exponent n > 0 [-].
    It calls pow, which does not vectorise; a loop with n = 1 or 3/2 uses one of the two kernels above instead.
    """
    depth = 0.0 if penetration <= 0.0 else penetration
    return stiffness * depth**exponent


@kernel(inline=True)
def impact_speed(stored, elastic, penetration, speed_of_depth):
    """Approach speed assigned to the impact of a contact of this depth: max(v0, s sqrt(f_e d)). [m/s]

    A free impact never penetrates deeper than its approach speed v0 allows, so that this speed applies throughout. If
    other forces press the contact deeper, its hysteresis is that of an impact that would reach the same depth. With the
    low speed of the first touch, damping would be far above critical, unlike in any impact.

    stored v0 [m/s]; elastic f_e [N]; penetration d [m]; speed_of_depth: s of ``contact_laws.speed_of_depth``
    [1/sqrt(kg)].
    """
    reached = speed_of_depth * math.sqrt(elastic * penetration)
    return reached if reached > stored else stored


@kernel(inline=True)
def normal_force(elastic, rate, impact_speed, hysteresis, viscous, penetration):
    """Normal force of a dissipative contact: max(0, f_e (1 + D clip(d'/v0, -1, 1)) + c d') for d > 0, else 0 [N].

    The hysteresis term has the form of Hunt & Crossley (1975); Pedersen (2004), Eq. 3.47, is one choice of D. The term
    with c gives the Kelvin-Voigt law.

    elastic f_e [N], from one of the kernels above at the same penetration d [m];
    rate d' [m/s], positive on approach; impact_speed v0 [m/s], > 0: the approach speed when this contact began, or a
    fixed reference speed; hysteresis D [-]; viscous c [N s/m].

    The ratio d'/v0 is clipped to [-1, 1]. During a free impact |d'| never exceeds v0, so that clipping has no effect.
    But a roller that touched down gently (tiny v0) and is later pressed by its links would otherwise have unbounded
    damping. With clipping, the force stays between (1 - D) and (1 + D) times the elastic force. The sum is clipped at
    zero because neither a dry nor an oiled surface can pull. With viscous damping this ends every impact. With
    hysteresis alone the force of a free impact never reaches zero before separation, whatever D, as the separation
    speed is e v0 < v0/D; if D > 1, the force of a contact that other forces pull apart does reach zero.
    """
    ratio = rate / impact_speed
    ratio = 1.0 if ratio > 1.0 else ratio
    ratio = -1.0 if ratio < -1.0 else ratio
    force = elastic + elastic * hysteresis * ratio + viscous * rate
    force = 0.0 if force <= 0.0 else force
    return 0.0 if penetration <= 0.0 else force


@kernel(inline=True)
def impact_speed_slope(stored, elastic, penetration, speed_of_depth, stiffness):
    """Derivative of :func:`impact_speed` with respect to the penetration [1/s]: that of s sqrt(f_e d) where this
    exceeds v0, otherwise 0.

    stiffness: df_e/dd [N/m].
    """
    reached = speed_of_depth * math.sqrt(elastic * penetration)
    if not reached > stored:
        return 0.0
    return 0.5 * speed_of_depth * speed_of_depth * (elastic + stiffness * penetration) / reached


@kernel(inline=True)
def normal_force_slopes(elastic, rate, impact_speed, hysteresis, viscous, stiffness, speed_slope):
    """Derivatives of :func:`normal_force` with respect to penetration [N/m] and rate [N s/m], where the force is
    positive.

    stiffness: df_e/dd [N/m]; speed_slope: result of :func:`impact_speed_slope` [1/s]. A clipped ratio d'/v0 contributes
    nothing.
    """
    ratio = rate / impact_speed
    if ratio > 1.0 or ratio < -1.0:
        return stiffness * (1.0 + hysteresis * (1.0 if ratio > 0.0 else -1.0)), viscous
    damping = elastic * hysteresis / impact_speed
    return stiffness * (1.0 + hysteresis * ratio) - damping * ratio * speed_slope, damping + viscous


@kernel(inline=True)
def contact_dissipation(force, elastic, rate):
    """Power that a contact turns into heat: (f - f_e) d' [W], which is never negative for a force from
    :func:`normal_force`.

    force f [N], the total normal force; elastic f_e [N], the elastic part of the force; rate d' [m/s], positive on
    approach. Where the force is clipped at zero during separation, the elastic energy that is not returned counts as
    heat.
    """
    return (force - elastic) * rate
