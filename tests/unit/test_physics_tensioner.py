"""The laws of tensioner elements on their own: spring, damper, stop, ratchet; oil, gap, valve and chamber in their
limits.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from chaindrive.physics.tensioners import hydraulic as h
from chaindrive.physics.tensioners import mechanical as m

OIL = 1.5e9
AIR = h.ATMOSPHERE


# ---- spring, damper, stop, ratchet


@pytest.mark.parametrize(("stiffness", "preload"), [(6e6, 0.0), (0.0, 120.0), (2e4, -35.0)])
def test_spring_force_is_minus_the_slope_of_its_energy(stiffness, preload):
    reference, step = 1.19, 1e-5
    for length in (1.1, 1.19, 1.2):
        force = m.spring_force(length, reference, stiffness, preload)
        assert force == pytest.approx(preload + stiffness * (reference - length))
        # A parabola: the central difference is exact but for the rounding of energies and of length + step.
        energies = [m.spring_energy(length + s, reference, stiffness, preload) for s in (-step, step)]
        slope = (energies[1] - energies[0]) / (2.0 * step)
        largest = abs(preload) + stiffness * (abs(length - reference) + step)
        rounding = 4.0 * np.finfo(float).eps * (max(map(abs, energies)) + largest * length) / step
        assert force == pytest.approx(-slope, abs=rounding)


def test_damping_differs_by_direction_and_always_loses():
    assert m.damping_force(0.2, 50.0, 900.0) == pytest.approx(-10.0)
    assert m.damping_force(-0.2, 50.0, 900.0) == pytest.approx(180.0)
    assert m.damping_force(0.0, 50.0, 900.0) == 0.0
    for rate in np.linspace(-1.0, 1.0, 21):
        assert -m.damping_force(rate, 50.0, 900.0) * rate >= 0.0


def test_a_stop_never_pulls_and_never_gives_more_than_it_took():
    rng = np.random.default_rng(5)
    for _ in range(300):
        depth, rate, damping = rng.normal() * 1e-4, rng.normal(), 10.0 ** rng.uniform(1.0, 5.0)
        force, lost = m.stop_force(depth, rate, 1e7, damping)
        assert force >= 0.0
        assert lost >= 0.0
        if depth <= 0.0:
            assert (force, lost) == (0.0, 0.0)
        else:
            assert force == pytest.approx(max(0.0, 1e7 * depth + damping * rate))
            assert lost == pytest.approx((force - 1e7 * depth) * rate)


def test_energy_of_a_stop():
    assert m.stop_energy(2e-3, 1e7) == pytest.approx(20.0)
    assert m.stop_energy(-2e-3, 1e7) == 0.0
    assert m.stop_energy(-math.inf, 1e7) == 0.0


def test_a_ratchet_holds_at_the_longest_tooth_reached():
    rng = np.random.default_rng(2)
    lengths = 0.5 + np.cumsum(rng.normal(size=400)) * 1e-4
    reference, pitch = 0.5, 7e-4
    latch, smooth = -math.inf, -math.inf
    for i, length in enumerate(lengths):
        latch, smooth = m.ratchet_latch(latch, length, reference, pitch), m.ratchet_latch(smooth, length, 0.5, 0.0)
        longest = lengths[: i + 1].max()
        assert smooth == longest
        # A tooth, at or less than one pitch below the longest length so far (up to the rounding it allows itself).
        teeth = (latch - reference) / pitch
        assert abs(teeth - round(teeth)) < 1e-9
        assert -1e-8 * pitch <= longest - latch < pitch


def test_a_tooth_is_not_missed_by_rounding():
    # 0.1 + 3 * 0.1 is a little more than 0.4.
    assert m.ratchet_latch(-math.inf, 0.4, 0.1, 0.1) == pytest.approx(0.4)


def test_a_ratchet_presses_only_when_pushed_back_beyond_its_backlash():
    assert m.ratchet_depth(0.499, 0.5, 2e-4) == pytest.approx(8e-4)
    assert m.ratchet_depth(0.4999, 0.5, 2e-4) == pytest.approx(-1e-4)
    assert m.stop_force(m.ratchet_depth(0.4, -math.inf, 0.0), -1.0, 1e7, 1e3) == (0.0, 0.0)


# ---- oil


@pytest.mark.parametrize("exponent", [1.0, 1.2, 1.4])
def test_oil_without_air_or_under_high_pressure_is_liquid(exponent):
    assert h.bulk_modulus(3e5, OIL, 0.0, exponent) == OIL
    # 1 - E/E_l = g (E_l/(nP) - 1)/(1 + E_l g/(nP)) < E_l g/(n P), g = a (p_a/P)^(1/n).
    pressure = 1e9
    bound = OIL * 0.01 * (AIR / pressure) ** (1.0 / exponent) / (exponent * pressure)
    assert 0.0 < 1.0 - h.bulk_modulus(pressure, OIL, 0.01, exponent) / OIL < bound


@pytest.mark.parametrize("exponent", [1.0, 1.4])
def test_much_air_at_low_pressure_is_a_gas(exponent):
    # E = (1 + g)/(1/E_l + g/(n P)): for g >> 1 the n P of the gas, with an error of 1/g + n P/(E_l g) at most.
    absolute, air = 2e3, 0.05
    gas = air * (AIR / absolute) ** (1.0 / exponent)
    modulus = h.bulk_modulus(absolute - AIR, OIL, air, exponent)
    assert modulus == pytest.approx(exponent * absolute, rel=1.0 / gas + exponent * absolute / OIL / gas)
    assert modulus == pytest.approx((1.0 + gas) / (1.0 / OIL + gas / (exponent * absolute)), rel=1e-12)


@pytest.mark.parametrize("exponent", [1.0, 1.3])
@pytest.mark.parametrize("pressure", [-9e4, 0.0, 3e5, 4e6])
def test_modulus_as_the_manual_prints_it(pressure, exponent):
    # Simscape, Hydraulic Fluid: E_l (1 + a (p_a/(p_a+p))^(1/n)) / (1 + a p_a^(1/n)/(n (p_a+p)^((n+1)/n)) E_l).
    a, n = 0.02, exponent
    share = a * (AIR / (AIR + pressure)) ** (1.0 / n)
    slope = a * AIR ** (1.0 / n) / (n * (AIR + pressure) ** ((n + 1.0) / n))
    assert h.bulk_modulus(pressure, OIL, a, n) == pytest.approx(OIL * (1.0 + share) / (1.0 + slope * OIL), rel=1e-13)


def test_a_sealed_chamber_follows_the_closed_form_of_air_and_oil():
    # n = 1: ln(V1/V2) = integral dp/E = [P - a p_a ln(P + a p_a)]/E_l - [ln(1 + a p_a/P)].
    air, first, last = 0.03, 2e4, 5e6
    integral, _ = quad(lambda P: 1.0 / h.bulk_modulus(P - AIR, OIL, air, 1.0), first, last, epsrel=1e-11, limit=400)

    def primitive(P):
        return (P - air * AIR * math.log(P + air * AIR)) / OIL - math.log1p(air * AIR / P)

    assert integral == pytest.approx(primitive(last) - primitive(first), rel=1e-9)


@pytest.mark.parametrize("air", [0.0, 1e-6, 1e-3, 0.05])
def test_a_void_must_be_filled_again_before_pressure_rises(air):
    """A sealed chamber extended far beyond the volume of its oil and back: the same pressure, never below zero."""
    assert h.oil_pressure(-5e6) == -AIR
    assert h.oil_pressure(-5e4) == -5e4
    pressures = -AIR + np.concatenate([-np.logspace(9, 2, 60), np.logspace(-4, 9, 200)])
    moduli = np.array([h.bulk_modulus(p, OIL, air, 1.0) for p in pressures])
    # Positive everywhere, so that volume and state stay one to one; and as stiff as oil one atmosphere below nothing.
    assert np.all(moduli > 0.0)
    assert np.all(moduli <= OIL * (1.0 + 1e-12))
    assert h.bulk_modulus(-2.0 * AIR - 1.0, OIL, air, 1.0) == pytest.approx(OIL, rel=1e-9)
    # Continuous where the void begins: a relative step of 1e-9 of the pressure moves E by as little.
    lowest = AIR * air / h.LARGEST_GAS_SHARE
    above, below = (h.bulk_modulus(lowest * x - AIR, OIL, air, 1.0) for x in (1.0 + 1e-9, 1.0 - 1e-9))
    assert above == pytest.approx(below, rel=1e-6, abs=OIL * lowest * 2e-9 / AIR + 1e-3)


# ---- gap and valve


@pytest.mark.parametrize("eccentricity", [0.0, 0.4, 1.0])
def test_gap_is_the_sum_of_plane_slits_around_the_piston(eccentricity):
    # Slit of width d/2 dphi and height h (1 + e cos phi): dQ = (height)^3 dp/(12 mu l) times its width.
    d, gap, length, viscosity = 0.014, 3e-5, 0.025, 0.012
    around, _ = quad(lambda phi: 0.5 * d * (gap * (1.0 + eccentricity * math.cos(phi))) ** 3, 0.0, 2.0 * math.pi)
    expected = around / (12.0 * viscosity * length)
    assert h.gap_conductance(d, gap, length, eccentricity, viscosity) == pytest.approx(expected, rel=1e-12)


def test_valve_is_an_orifice_when_open_and_lets_nothing_back():
    opening, span, coefficient = 2e4, 3e4, 2.4e-7
    for difference in (-1e6, -1.0, 0.0, 1.0, 1.9999e4, 2e4):
        assert h.valve_flow(difference, opening, span, coefficient) == 0.0
    assert h.valve_flow(3.5e4, opening, span, coefficient) == pytest.approx(0.5 * coefficient * math.sqrt(3.5e4))
    for difference in (5e4, 3e5):
        assert h.valve_flow(difference, opening, span, coefficient) == pytest.approx(coefficient * difference**0.5)
    assert h.valve_flow(-1.0, 0.0, span, coefficient) == 0.0


@pytest.mark.parametrize("opening", [0.0, 1e4])
def test_valve_slope_is_finite_and_bounded(opening):
    span, coefficient = 1e4, 2.4e-7
    bound = h.largest_valve_slope(opening, span, coefficient)
    differences = np.linspace(-1e3, 6e4, 200_001)
    flows = np.array([h.valve_flow(x, opening, span, coefficient) for x in differences[::20]])
    slopes = np.diff(flows) / np.diff(differences[::20])
    assert np.all(slopes >= 0.0)
    assert slopes.max() <= bound
    # It is reached where the valve gets fully open; one interval away by the curvature there, below 3/span of it.
    assert slopes.max() > bound * (1.0 - 3.0 * (differences[20] - differences[0]) / span)


@pytest.mark.parametrize("opening", [0.0, 1e4])
def test_the_slope_of_the_valve_is_that_of_its_flow(opening):
    span, coefficient = 1e4, 2.4e-7
    for difference in (-5.0, opening + 1.0, opening + 3e3, opening + 9.9e3, opening + 1.01e4, 3e5):
        step = 0.5
        sides = [h.valve_flow(difference + each, opening, span, coefficient) for each in (-step, step)]
        slope = (sides[1] - sides[0]) / (2.0 * step)
        assert h.valve_slope(difference, opening, span, coefficient) == pytest.approx(slope, rel=1e-5)


def test_oil_is_softer_only_where_it_would_settle_too_fast():
    volume, slope, fastest = 2e-6, 1e-11, 1e3
    assert h.settling_modulus(1e8, volume, slope, fastest) == 1e8  # 500 /s
    assert h.settling_modulus(1e9, volume, slope, fastest) * slope / volume == pytest.approx(fastest)
    assert h.settling_modulus(1e9, volume, slope, math.inf) == 1e9
    assert h.settling_modulus(1e9, volume, 0.0, fastest) == 1e9


def test_not_a_number_stays_visible():
    nan = float("nan")
    assert math.isnan(h.valve_flow(nan, 1e4, 1e4, 1e-7))
    assert math.isnan(h.bulk_modulus(nan, OIL, 0.01, 1.0))
    assert math.isnan(h.oil_pressure(nan))
    assert math.isnan(m.damping_force(nan, 1.0, 2.0))
    assert math.isnan(m.stop_force(nan, nan, 1e7, 1.0)[0])


# ---- chamber: closed forms in the limits

AREA, COLUMN = 1.13e-4, 0.02
CONDUCTANCE = h.gap_conductance(0.012, 4e-5, 0.02, 0.5, 0.02)


def chamber(pressure, column, speed, conductance=CONDUCTANCE, air=0.0):
    """Rate of the pressure with the gap only; speed: of extension."""
    modulus = h.bulk_modulus(pressure, OIL, air, 1.0)
    return h.pressure_rate(modulus, AREA * column, -conductance * pressure, AREA * speed)


def test_sealed_chamber_is_a_spring():
    # dF/dL = A dp/dL = -A^2 E/V.
    rate = chamber(2e5, COLUMN, -0.03, conductance=0.0)
    assert AREA * rate == pytest.approx(AREA**2 * OIL / (AREA * COLUMN) * 0.03, rel=1e-12)


def test_incompressible_oil_is_a_dashpot():
    # dp/dt = 0: F = A p = A^2/G v, c = A^2 12 mu l/(pi d h^3 (1 + 1.5 e^2)).
    speed = 0.05
    damping = AREA**2 * 12.0 * 0.02 * 0.02 / (math.pi * 0.012 * 4e-5**3 * (1.0 + 1.5 * 0.5**2))
    pressure = damping * speed / AREA
    # The flows cancel to their rounding, which E/V magnifies.
    rounding = 8.0 * np.finfo(float).eps * OIL / COLUMN * speed
    assert chamber(pressure, COLUMN, -speed) == pytest.approx(0.0, abs=rounding)


def test_leak_empties_a_held_chamber_with_its_time_constant():
    # p = p0 exp(-t/tau), tau = c/k = (A^2/G)/(A^2 E/V) = V/(E G). Integrator tolerance 1e-9.
    tau = AREA * COLUMN / (OIL * CONDUCTANCE)
    assert tau == pytest.approx((AREA**2 / CONDUCTANCE) / (AREA * OIL / COLUMN), rel=1e-12)
    times = np.linspace(0.0, 3.0 * tau, 7)
    found = solve_ivp(lambda t, p: [chamber(p[0], COLUMN, 0.0)], (0.0, times[-1]), [8e5], t_eval=times, rtol=1e-9)
    np.testing.assert_allclose(found.y[0], 8e5 * np.exp(-times / tau), rtol=1e-7)


@pytest.mark.parametrize("frequency_times_tau", [0.1, 1.0, 10.0])
def test_energy_lost_per_cycle_is_that_of_a_maxwell_element(frequency_times_tau):
    # Spring k and damper c in series, x = X sin(w t): pi X^2 k (w tau)/(1 + (w tau)^2).
    # X/l = 1e-6, so that V is constant to 1e-6; and the pressure stays far from a void: E X/l = 1.5 kPa.
    stroke = 1e-6 * COLUMN
    tau = AREA * COLUMN / (OIL * CONDUCTANCE)
    omega = frequency_times_tau / tau

    def rhs(t, y):
        column, speed = COLUMN + stroke * math.sin(omega * t), stroke * omega * math.cos(omega * t)
        return [chamber(y[0], column, speed), -AREA * y[0] * speed]

    cycle = 2.0 * math.pi / omega
    settle = math.ceil(25.0 * tau / cycle) * cycle  # the transient decays by exp(-25)
    limits = {"rtol": 1e-9, "atol": [1e-6, 1e-18], "max_step": 0.25 * cycle}
    before = solve_ivp(rhs, (0.0, settle), [0.0, 0.0], **limits).y[:, -1]
    lost = solve_ivp(rhs, (settle, settle + cycle), [before[0], 0.0], **limits).y[1, -1]
    stiffness = AREA * OIL / COLUMN
    expected = math.pi * stroke**2 * stiffness * frequency_times_tau / (1.0 + frequency_times_tau**2)
    assert lost == pytest.approx(expected, rel=1e-5)


def test_air_makes_the_chamber_soft():
    # k = A E/l: at 3 bar with 2 % air E = (1 + g)/(1/E_l + g/P).
    share = 0.02 * AIR / (3e5 + AIR)
    modulus = (1.0 + share) / (1.0 / OIL + share / (3e5 + AIR))
    assert AREA * chamber(3e5, COLUMN, -1.0, conductance=0.0, air=0.02) == pytest.approx(
        AREA * modulus / COLUMN, rel=1e-12
    )
    assert modulus < 0.1 * OIL
