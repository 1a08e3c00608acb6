"""Hydraulic tensioner: a piston on an oil chamber that is filled through a check valve and drained through a narrow
gap.

    force on the piston     F = A p
    pressure in the chamber dp/dt = E(p)/V (Q_valve - Q_leak - A L')
    chamber                 V = A (oil column), growing with the length L of the element

All pressures p are relative to atmospheric pressure [Pa], which acts on the outside of the piston and at the outer end
of the gap. The oil column cannot carry tension: the absolute pressure does not fall below zero (:func:`oil_pressure`).
The model has a single lumped pressure and oil at constant temperature; the masses of valve ball and piston and the
inertia of the oil are neglected. Fast compression is resisted by the stiffness A^2 E/V, slow compression by the damping
A^2/G of the gap, and extension only by the resistance of the valve: the damping is asymmetric. The structure of the
equations follows Merritt (1967), Hydraulic Control Systems, Wiley, chapters 1 to 3; Feng, Yang & Wang (2023), Dynamic
simulation and test verification of hydraulic automatic tensioner for an engine timing chain drive system, Chinese
Journal of Mechanical Engineering 36, model the same parts (chamber, leakage gap, check valve, air content) and confirm
the model by measurements.
"""

from __future__ import annotations

import math

from chaindrive.kernels import kernel

__all__ = [
    "ATMOSPHERE",
    "bulk_modulus",
    "gap_conductance",
    "largest_valve_slope",
    "oil_pressure",
    "pressure_rate",
    "settling_modulus",
    "valve_flow",
    "valve_slope",
]

ATMOSPHERE = 101325.0
"""Atmospheric pressure. [Pa]"""

LARGEST_GAS_SHARE = 10.0
"""Largest volume of the entrained air, relative to that of the oil, up to which the air follows its gas law. [-]"""


@kernel(inline=True)
def oil_pressure(pressure):
    """Pressure in the chamber relative to atmospheric pressure, not below zero absolute pressure. [Pa]

    It is the value of the state unless the absolute pressure would be negative. The vapour pressure of oil (below 1 Pa)
    counts as zero. Below zero absolute pressure the state measures the void instead, so that the chamber must be filled
    again before the pressure rises (see :func:`bulk_modulus`).
    """
    return -ATMOSPHERE if pressure < -ATMOSPHERE else pressure


@kernel
def bulk_modulus(pressure, liquid_modulus, air_content, exponent):
    """Effective bulk modulus E of oil with entrained air, -V dp/dV at constant mass [Pa].

        E = E_l (1 + g)/(1 + E_l g/(n P)),   g = a (p_a/P)^(1/n),   P = p_a + p

    pressure p above atmospheric [Pa]; liquid_modulus E_l of pure oil [Pa]; air_content a: volume of undissolved air
    divided by volume of oil, both at atmospheric pressure p_a [-]; exponent n: polytropic exponent, from 1 (isothermal)
    to 1.4 (adiabatic) [-].

    Compressibilities of oil and air are added in proportion to their volumes: Merritt (1967), chapter 1; this
    analytical form is from the Simscape manual, Hydraulic Fluid block. Without air, or at high pressure, the result is
    E_l; at low pressure it is the n P of the gas.

    Where the air has expanded to ten times the volume of the oil, or absolute pressure reaches zero, a void opens in
    the chamber. Below this point E returns to E_l within one atmosphere, and the state falls by E_l times the volume of
    the void divided by V. The state is then not a pressure, but it is reversible: the void must be filled before the
    pressure rises.
    """
    if air_content == 0.0:
        return liquid_modulus
    absolute = pressure + ATMOSPHERE
    lowest = ATMOSPHERE * (air_content / LARGEST_GAS_SHARE) ** exponent
    held = lowest if absolute < lowest else absolute
    gas = air_content * (ATMOSPHERE / held) ** (1.0 / exponent)
    modulus = liquid_modulus * (1.0 + gas) / (1.0 + liquid_modulus * gas / (exponent * held))
    below = (held - absolute) / ATMOSPHERE
    below = 1.0 if below > 1.0 else below
    return modulus + below * (liquid_modulus - modulus)


@kernel
def gap_conductance(diameter, gap, length, eccentricity, viscosity):
    """Laminar flow through the annular gap around the piston, per unit of pressure difference [m^3/(s Pa)].

    G = pi d h^3 (1 + 1.5 e^2)/(12 mu l): Merritt (1967), chapter 3, flow in an annulus.
    diameter d of the piston [m]; radial gap h << d [m]; length l of the gap along the flow [m]; eccentricity e of the
    piston divided by h, from 0 (concentric) to 1 (touching) [-]; dynamic viscosity mu [Pa s].
    """
    return math.pi * diameter * gap**3 * (1.0 + 1.5 * eccentricity**2) / (12.0 * viscosity * length)


@kernel
def valve_flow(difference, opening_pressure, opening_range, coefficient):
    """Flow through a check valve into the chamber, never out of it [m^3/s].

        Q = s C_d A_v sqrt(2 dp/rho),   s = (dp - p_o)/p_r limited to 0...1

    difference dp: supply pressure minus chamber pressure [Pa]; opening_pressure p_o [Pa]; opening_range p_r > 0: the
    valve is fully open at p_o + p_r [Pa]; coefficient C_d A_v sqrt(2/rho) [m^3/(s sqrt(Pa))].

    The orifice equation is from Merritt (1967), chapter 3. The area grows linearly with the pressure difference,
    because a spring holds the ball (Simscape manual, Check Valve (IL) block). dQ/dp is therefore finite everywhere,
    unlike that of sqrt(dp) at zero flow.
    """
    lift = (difference - opening_pressure) / opening_range
    if lift <= 0.0 or difference <= 0.0:
        return 0.0
    lift = 1.0 if lift > 1.0 else lift
    return lift * coefficient * math.sqrt(difference)


@kernel
def valve_slope(difference, opening_pressure, opening_range, coefficient):
    """Magnitude of the slope dQ/dp of :func:`valve_flow`, with the same arguments [m^3/(s Pa)]."""
    lift = (difference - opening_pressure) / opening_range
    if lift <= 0.0 or difference <= 0.0:
        return 0.0
    root = math.sqrt(difference)
    if lift >= 1.0:
        return 0.5 * coefficient / root
    return coefficient * (root / opening_range + 0.5 * lift / root)


@kernel
def largest_valve_slope(opening_pressure, opening_range, coefficient):
    """The largest slope dQ/dp of :func:`valve_flow`, at which the valve becomes fully open [m^3/(s Pa)].

    d/ddp ((dp - p_o)/p_r sqrt(dp)) grows with dp up to p_o + p_r; beyond this, the slope 1/(2 sqrt(dp)) is smaller.
    Arguments as for :func:`valve_flow`.
    """
    full = math.sqrt(opening_pressure + opening_range)
    return coefficient * (full / opening_range + 0.5 / full)


@kernel(inline=True)
def pressure_rate(modulus, volume, inflow, expansion):
    """Rate of change of the pressure in a chamber: E/V (Q - V') [Pa/s].

    This is the continuity equation of Merritt (1967), chapter 1. modulus E [Pa]; volume V > 0 [m^3]; inflow Q [m^3/s];
    expansion V' [m^3/s], rate at which the piston enlarges the chamber.
    """
    return modulus / volume * (inflow - expansion)


@kernel(inline=True)
def settling_modulus(modulus, volume, slope, fastest):
    """The modulus E, or a smaller modulus such that a chamber at rest does not settle faster than within 1/fastest
    [Pa].

    If the flows depend on the pressure with the slope s, the pressure settles at the rate E s/V. If this rate is far
    above that of any motion of a tensioner, the flows balance the motion of the piston at a pressure that does not
    depend on the modulus: a softer chamber follows this pressure with a delay of 1/fastest and allows a longer explicit
    step. With the valve shut, s is small and the oil keeps its stiffness.

    volume V [m^3]; slope s of all flows with respect to pressure [m^3/(s Pa)]; fastest [1/s].
    """
    return fastest * volume / slope if modulus * slope > fastest * volume else modulus
