"""Analytical formulas for chain drives: strings, tooth loads, polygonal action, free chains. Pure functions, SI units.

Scalars and numpy arrays are accepted wherever the formula allows it. Equation numbers (4.xx, 5.x) refer to S. L.
Pedersen, *Simulation and Analysis of Roller Chain Drive Systems* (PhD thesis, DTU, 2004); where a printed equation is
wrong, the docstring states the printed equation and the one that is used instead.

Symbols: P pitch [m], z teeth, R = P / (2 sin(pi / z)) pitch radius [m], V chain speed [m/s], F tension [N].
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chaindrive.geometry.route import pitch_radius, tooth_frequency

__all__ = [
    "binder_link_tensions",
    "binder_ratio",
    "binder_tooth_loads",
    "capstan_ratio",
    "catenary_sag",
    "centrifugal_tension",
    "chain_pull",
    "chain_speed",
    "critical_link_damping",
    "free_polygon_tension",
    "friction_shift",
    "hanging_chain_frequencies",
    "joint_friction_efficiency",
    "loop_time",
    "meshing_impact_speed",
    "moving_string_frequency",
    "moving_string_mode",
    "parabola_sag",
    "pitch_radius",
    "polygon_acceleration",
    "polygon_harmonic",
    "polygon_rise",
    "polygon_speed_drop",
    "polygon_speed_fluctuation",
    "pressure_angle",
    "static_string_frequency",
    "string_resonance_speed",
    "tooth_frequency",
]

Real: TypeAlias = Any
"""A float or an array of floats; results have the shape that numpy's broadcasting gives."""

STANDARD_GRAVITY = 9.80665
"""Standard acceleration of free fall (ISO 80000-3) [m/s^2]."""


# --- Speeds and frequencies of a running drive ---------------------------------------------------------------------


def chain_speed(wheel_speed: Real, teeth: Real, pitch: Real) -> Real:
    """Mean speed of the chain: z pitches per revolution, V = |w| z P / (2 pi) [m/s].

    It is slightly less than the pitch-circle speed w R, by the factor sin(pi/z) / (pi/z). wheel_speed w [rad/s].
    """
    return tooth_frequency(wheel_speed, teeth) * pitch


def chain_pull(torque: Real, teeth: Real, pitch: Real) -> Real:
    """Mean pull with which a chain turns a wheel: tension before the wheel minus tension after it, 2 pi M / (z P) [N].

    In one revolution, z pitches pass over the wheel. Power divided by chain speed gives the same value; torque divided
    by pitch radius is smaller, by the factor sin(pi/z) / (pi/z). torque M [N m].
    """
    return 2.0 * np.pi * torque / (np.asarray(teeth) * pitch)


def loop_time(links: Real, wheel_speed: Real, teeth: Real) -> Real:
    """Time in which the chain runs once around its loop, N / tooth frequency [s]."""
    return links / tooth_frequency(wheel_speed, teeth)


def meshing_impact_speed(wheel_speed: Real, teeth: Real, pitch: Real, flank_angle: Real) -> Real:
    """Speed normal to the flank at which a roller meets its seat, |w| P sin(2 pi / z + gamma) [m/s].

    The arriving link is still in line with the span while its seat turns with the wheel: their relative velocity is |w|
    P, perpendicular to the link (provided that the span itself does not rotate). flank_angle gamma [rad]: the pressure
    angle.
    """
    return np.abs(wheel_speed) * pitch * np.sin(2.0 * np.pi / np.asarray(teeth) + flank_angle)


# --- The span as a string ------------------------------------------------------------------------------------------


def static_string_frequency(mode: Real, length: Real, tension: Real, mass: Real) -> Real:
    """Natural frequency of a string at rest, f_n = n sqrt(F / (4 l m)) (Eq. 5.1) [Hz].

    mass m of the whole string [kg], length l [m]. This equals Eq. 4.25 with the mass per length m / l.
    """
    return np.asarray(mode) * np.sqrt(tension / (4.0 * length * mass))


def moving_string_frequency(
    mode: Real, length: Real, tension: Real, mass_per_length: Real, speed: Real = 0.0, relaxation: Real = 0.0
) -> Real:
    """Natural frequency of a string that runs between two fixed points, f_n = n (c^2 - V^2) / (2 l c) [Hz].

    Eq. 4.27 with Eqs. 4.23 and 4.31 (Mahalingam 1957; Naguleswaran & Williams 1968): c^2 = F / m_l with F = F_s + eta
    m_l V^2. relaxation eta is 0 when ``tension`` is what a link carries while running (a measured or simulated link
    force) or when the centres are fixed, and 1 when ``tension`` is the static one, maintained by a spring or weight. At
    c <= V the string does not oscillate: 0 is returned at the critical speed and nan above it.
    """
    wave_speed = np.sqrt(tension / mass_per_length + relaxation * np.square(speed))
    frequency = np.asarray(mode) * (wave_speed - np.square(speed) / wave_speed) / (2.0 * length)
    return np.where(frequency >= 0.0, frequency, np.nan)[()]


def moving_string_mode(
    position: Real, time: Real, mode: int, length: float, tension: float, mass_per_length: float, speed: float
) -> Real:
    """Free vibration of the moving string in one mode, sin(n pi x / l) sin(w t + n pi V x / (l c)) (Eq. 4.28) [1].

    position x [m] and time t [s] broadcast against each other. The solution is not separable: the phase travels along
    the string.
    """
    wave_speed = np.sqrt(tension / mass_per_length)
    angular = 2.0 * np.pi * moving_string_frequency(mode, length, tension, mass_per_length, speed)
    along = mode * np.pi * np.asarray(position) / length
    return np.sin(along) * np.sin(angular * np.asarray(time) + along * speed / wave_speed)


def string_resonance_speed(
    length: Real, tension: Real, mass_per_length: Real, wavenumber: Real, mode: Real = 1, relaxation: Real = 0.0
) -> Real:
    """Chain speed V at which an excitation that keeps pace with the chain meets a string frequency [m/s].

    Solves k V = w_n(V) with w_n from Eqs. 4.27 and 4.31; wavenumber k [rad/m] is the excitation's angular frequency
    divided by the chain speed: 2 pi / P for the teeth, (order / R) for an order of a wheel of radius R, and half of
    either for the principal parametric resonance, where the tension varies at twice the string's frequency
    (Naguleswaran & Williams 1968). With u = V^2, q = n pi / l and c^2 = F / m_l the square of the condition is (q^2 (1
    - eta)^2 - k^2 eta) u^2 - (2 q^2 (1 - eta) + k^2) c^2 u + q^2 c^4 = 0, whose smaller positive root is taken.
    """
    square = np.asarray(tension, dtype=float) / mass_per_length
    string, excitation = np.square(np.asarray(mode) * np.pi / length), np.square(wavenumber)
    kept = 1.0 - np.asarray(relaxation)
    quadratic = string * kept**2 - excitation * relaxation
    linear = (2.0 * string * kept + excitation) * square
    constant = string * square**2
    return np.sqrt(2.0 * constant / (linear + np.sqrt(linear**2 - 4.0 * quadratic * constant)))


def centrifugal_tension(mass_per_length: Real, speed: Real) -> Real:
    """Tension that a running loop of chain of any shape has without external forces, rho V^2 (Routh 1905, Art. 597)
    [N].

    Eq. 4.42 has m V^2 / (P g), which is in kgf; in SI units g does not appear (error in the source: the value should be
    3857 N instead of 393).
    """
    return mass_per_length * np.square(speed)


def free_polygon_tension(roller_mass: Real, pitch: Real, wheel_speed: Real, links: Real) -> Real:
    """Tension of a regular polygon of N point masses turning about its centre, m (w R)^2 / P, exactly [N].

    From m w^2 R = 2 T sin(pi / N) with P = 2 R sin(pi / N).
    """
    return roller_mass * np.square(np.asarray(wheel_speed) * pitch_radius(pitch, links)) / pitch


def critical_link_damping(links: Real, roller_mass: Real, link_stiffness: Real) -> Real:
    """Link damping for which a span of n links is critically damped, 2 n sqrt(m K) (Eq. 4.62) [N s/m].

    n links in series have the stiffness K / n and the mass n m: D_n = 2 sqrt(n m K / n). The damping of one link is n
    times that of the series.
    """
    return 2.0 * np.asarray(links) * np.sqrt(roller_mass * link_stiffness)


# --- Tooth loads ---------------------------------------------------------------------------------------------------


def pressure_angle(teeth: Real, of: Literal["new", "mean", "minimum"] = "new") -> Real:
    """Angle between the force of the flank on a roller and the line of its link towards the tight span [rad].

    Binder (1956), Eq. 4.40, for the tooth form ANSI B29.1 type II: 35 - 120 / z degrees for a new chain, with a mean of
    26 - 92 / z and a minimum of 17 - 64 / z degrees; the angle decreases to these values as the worn chain rides up the
    flank. Other forms have no such angle: a roller in an ISO 606 seat climbs its side as the load grows.
    """
    constant, slope = {"new": (35.0, 120.0), "mean": (26.0, 92.0), "minimum": (17.0, 64.0)}[of]
    return np.radians(constant - slope / np.asarray(teeth, dtype=float))


def friction_shift(roller_friction: Real, bush_friction: Real = np.inf) -> Real:
    """Angle by which friction rotates the tooth force, delta = min(atan(mu_r), atan(mu_b)) [rad].

    Naji & Marshek (1983). roller_friction mu_r acts between roller and tooth, bush_friction mu_b between roller and
    bush: the roller slides on the tooth or turns on its bush, whichever meets less resistance; with infinite mu_b it
    does not turn. The force acts at the angle zeta - delta on a roller that climbs its flank (friction presses it
    down), and at zeta + delta on a roller that slides down; zeta is the pressure angle.
    """
    return np.arctan(np.minimum(roller_friction, bush_friction))


def binder_ratio(teeth: Real, angle: Real | None = None) -> Real:
    """Ratio of a wrapped link's tension to the tension of the next link towards the span, sin(zeta) / sin(zeta + 2 pi /
    z) [1].

    Binder (1956), in Eq. 4.39. angle zeta [rad], by default :func:`pressure_angle` of a new chain; with friction it is
    that angle minus or plus :func:`friction_shift`.
    """
    zeta = pressure_angle(teeth) if angle is None else angle
    return np.sin(zeta) / np.sin(zeta + 2.0 * np.pi / np.asarray(teeth))


def binder_link_tensions(
    rollers: int,
    teeth: int,
    tension_in: float,
    tension_out: float,
    centrifugal: float = 0.0,
    angle: float | None = None,
    shift: float = 0.0,
) -> NDArray[np.float64]:
    """Tensions of the links between the rollers seated on a wheel, shape (rollers - 1,) [N].

    Eq. 4.39 with corrected terms: (q_a - q_c) r_a^i + (q_b - q_c) r_b^(n-i) + q_c for link i = 1 .. n - 1 between n
    rollers, where r is the :func:`binder_ratio`. The thesis prints q_a and q_b without subtracting the centrifugal
    tension q_c = m V^2 / P (:func:`centrifugal_tension`). This tension loads no tooth, so only the excess over it
    decays along the wrap. n_b counts links in Eq. 4.39, but rollers in Eq. 4.41. See :func:`binder_tooth_loads` for the
    shift and for short wraps.
    """
    into, out = _shifted(teeth, angle, shift)
    link = np.arange(1, rollers)
    arriving = (tension_in - centrifugal) * binder_ratio(teeth, into) ** link
    leaving = (tension_out - centrifugal) * binder_ratio(teeth, out) ** (rollers - link)
    return arriving + leaving + centrifugal


def binder_tooth_loads(
    rollers: int,
    teeth: int,
    tension_in: float,
    tension_out: float,
    centrifugal: float = 0.0,
    angle: float | None = None,
    shift: float = 0.0,
) -> NDArray[np.float64]:
    """Contact forces of the rollers seated on a wheel, from the arriving span a to the leaving span b, shape (rollers,)
    [N].

    The formula of Binder (1956), extended to two tight spans in Eq. 4.41, is used with corrected terms: ((q_a - q_c)
    r_a^(i-1) s_a + (q_b - q_c) r_b^(n-i) s_b), s = sin(alpha) / sin(zeta + alpha), alpha = 2 pi / z. The thesis does
    not subtract q_c from q_a and q_b, and adds "+ 2 q_c sin(alpha / 2)". That term equals the centripetal force m V^2 /
    R of the roller itself, which the chain's own tension supplies; it does not load the tooth.

    shift [rad]: :func:`friction_shift` (Naji & Marshek 1983). A roller that arrives under high tension loses load along
    the wrap and slides down its flank: zeta + shift applies to the term of span a (a driver). A roller that leaves into
    a span of high tension climbs its flank: zeta - shift applies to the term of span b (a driven wheel). Measurements
    by Eldiwany & Marshek (1983) show that friction acts in opposite directions on driver and driven wheel. The loads
    are then the resultants of normal force and friction between tooth and roller; the normal force is cos(shift) times
    the resultant. If shift exceeds zeta, the last tooth carries the whole load. zeta + shift is limited to (pi - alpha)
    / 2, at which the tension is the same in all links, as on a drum.

    The sum of two one-sided solutions is not in equilibrium if both are still significant on the same rollers, that is,
    on short wraps. On 4 to 7 rollers it overestimates the loads by a factor of 1.5 to 2.3; from about ten rollers
    upwards it is reliable.
    """
    into, out = _shifted(teeth, angle, shift)
    alpha = 2.0 * np.pi / teeth
    roller = np.arange(1, rollers + 1)
    arriving = (tension_in - centrifugal) * binder_ratio(teeth, into) ** (roller - 1) / np.sin(into + alpha)
    leaving = (tension_out - centrifugal) * binder_ratio(teeth, out) ** (rollers - roller) / np.sin(out + alpha)
    return (arriving + leaving) * np.sin(alpha)


def _shifted(teeth: int, angle: float | None, shift: float) -> tuple[float, float]:
    """Return the angle of the tooth force on rollers that slide down and on rollers that climb [rad]."""
    zeta = float(pressure_angle(teeth)) if angle is None else angle
    return min(zeta + shift, max(zeta, 0.5 * np.pi - np.pi / teeth)), max(zeta - shift, 0.0)


def capstan_ratio(friction: Real, wrap: Real, groove_angle: Real = np.pi / 2) -> Real:
    """Largest ratio of tensions that friction can hold over a wrap, exp(mu phi / sin(beta)) (Euler, Eytelwein) [1].

    wrap phi [rad]; groove_angle beta [rad], half the included angle of a V-groove (pi / 2 for a flat drum).
    """
    return np.exp(friction * np.asarray(wrap) / np.sin(groove_angle))


def joint_friction_efficiency(
    friction: Real, pin_diameter: Real, pitch: Real, teeth_1: Real, teeth_2: Real, slack_ratio: Real = 0.0
) -> Real:
    """Efficiency of a two-wheel drive whose only losses are Coulomb friction in its joints [1].

    1 - eta = 2 pi mu (r / P) (1 / z1 + 1 / z2) (1 + T_s / T_t): for every pitch that the chain advances, a joint bends
    by 2 pi / z at each end of the tight span and of the slack span. friction: coefficient mu at the surface of the pin;
    slack_ratio: T_s / T_t.
    """
    bends = 1.0 / np.asarray(teeth_1) + 1.0 / np.asarray(teeth_2)
    return 1.0 - np.pi * friction * pin_diameter / pitch * bends * (1.0 + slack_ratio)


# --- Polygonal (chordal) action ------------------------------------------------------------------------------------


def polygon_speed_drop(teeth: Real) -> Real:
    """Largest drop of the chain speed below w R between two teeth, relative to w R, 1 - cos(pi / z) [1]."""
    return 1.0 - np.cos(np.pi / np.asarray(teeth))


def polygon_speed_fluctuation(teeth: Real) -> Real:
    """Relative fluctuation of the chain speed, (v_max - v_min) / v_mean = (pi / z) (1 / sin(pi / z) - 1 / tan(pi / z))
    [1].
    """
    half = np.pi / np.asarray(teeth)
    return half * (1.0 / np.sin(half) - 1.0 / np.tan(half))


def polygon_rise(teeth: Real, pitch: Real = 1.0) -> Real:
    """Rise and fall of the end of the span with each tooth, R (1 - cos(pi / z)) [m]."""
    return pitch_radius(pitch, teeth) * polygon_speed_drop(teeth)


def polygon_harmonic(teeth: Real, harmonic: Real = 1) -> Real:
    """Amplitude of the k-th tooth harmonic of the chain speed, relative to the mean speed, 2 / (k^2 z^2 - 1) [1].

    Fourier series of v = w R cos(theta), -pi / z <= theta < pi / z, repeated with every tooth.
    """
    return 2.0 / (np.square(np.asarray(harmonic, dtype=float) * np.asarray(teeth)) - 1.0)


def polygon_acceleration(wheel_speed: Real, pitch: Real) -> Real:
    """Largest acceleration of the span due to polygonal action, w^2 R sin(pi / z) = w^2 P / 2 [m/s^2]."""
    return np.square(wheel_speed) * pitch / 2.0


# --- Free chains ---------------------------------------------------------------------------------------------------


def catenary_sag(span: Real, mass_per_length: Real, horizontal_tension: Real, gravity: Real = STANDARD_GRAVITY) -> Real:
    """Sag of a level span, (H / w) (cosh(w l / (2 H)) - 1) with w = rho g [m].

    It is computed as (2 H / w) sinh^2(w l / (4 H)), which avoids cancellation when the span is tight. A running chain
    hangs in the same curve if its tension is H + rho V^2.
    """
    weight = mass_per_length * gravity
    return 2.0 * horizontal_tension / weight * np.sinh(weight * span / (4.0 * np.asarray(horizontal_tension))) ** 2


def parabola_sag(span: Real, mass_per_length: Real, horizontal_tension: Real, gravity: Real = STANDARD_GRAVITY) -> Real:
    """Sag of a level, tight span, rho g l^2 / (8 H): the catenary to first order [m]."""
    return mass_per_length * gravity * np.square(span) / (8.0 * np.asarray(horizontal_tension))


def hanging_chain_frequencies(length: float, count: int, gravity: float = STANDARD_GRAVITY) -> NDArray[np.float64]:
    """Lowest natural frequencies of a chain that hangs from one end, (j_0n / 2) sqrt(g / l), shape (count,) [rad/s].

    j_0n are the zeros of the Bessel function J_0 (Daniel Bernoulli 1732; Routh 1905).
    """
    from scipy.special import jn_zeros

    return 0.5 * np.asarray(jn_zeros(0, count), dtype=np.float64) * np.sqrt(gravity / length)
