"""Contact laws in the impact of a mass, compared with closed-form solutions and published values."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from chaindrive.physics.contact import (
    contact_dissipation,
    elastic_force_hertz,
    elastic_force_linear,
    elastic_force_power,
    normal_force,
)
from chaindrive.physics.contact_laws import CONTACT_LAWS, ForceCoefficients, achieved_restitution
from chaindrive.physics.contact_laws.kelvin_voigt import damping_ratio, restitution_of

# Restitution achieved for 0, 0.1 .. 0.9 asked for, from the first integral D - ln(1+D) = -D e - ln(1 - D e).
# nan: infinite damping, e = 0.
ACHIEVED = {
    "hunt-crossley": (0.488, 0.516, 0.547, 0.581, 0.620, 0.663, 0.712, 0.768, 0.833, 0.909),
    "herbert-mcwhannell": (0.488, 0.491, 0.501, 0.520, 0.550, 0.594, 0.651, 0.723, 0.807, 0.901),
    "lee-wang": (0.663, 0.687, 0.712, 0.739, 0.768, 0.799, 0.833, 0.869, 0.909, 0.952),
    "lankarani-nikravesh": (0.663, 0.665, 0.672, 0.684, 0.702, 0.725, 0.756, 0.796, 0.847, 0.913),
    "gonthier": (math.nan, 0.101, 0.205, 0.304, 0.398, 0.488, 0.577, 0.670, 0.768, 0.876),
    "flores": (math.nan, 0.069, 0.156, 0.256, 0.363, 0.470, 0.577, 0.683, 0.789, 0.894),
    "hu-guo": (math.nan, 0.074, 0.166, 0.271, 0.380, 0.488, 0.594, 0.697, 0.799, 0.900),
}
CASES = [(law, tenth, e) for law, row in ACHIEVED.items() for tenth, e in enumerate(row) if not math.isnan(e)]
LAST_DIGIT = 0.5001e-3
INTEGRATION = 1e-8  # rtol 1e-11 over some hundred steps, on speeds relative to the impact speed


class Impact(NamedTuple):
    """Results of one impact."""

    restitution: float
    duration: float
    deepest: float
    largest_force: float
    heat: float


def elastic_force(penetration: float, stiffness: float, exponent: float) -> float:
    """K d^n by the form that a run uses for this n (INDEX_LAW). [N]"""
    if exponent == 1.0:
        return elastic_force_linear(penetration, stiffness)
    if exponent == 1.5:
        return elastic_force_hertz(penetration, stiffness)
    return elastic_force_power(penetration, stiffness, exponent)


def hit(law: ForceCoefficients, mass: float = 1.0, speed: float = 0.5) -> Impact:
    """Integrate a mass that meets the contact at this speed until it has left, with the compiled laws.

    Time, depth and speed in units of d/v, d = (m v^2/K)^(1/(n+1)), v: the absolute tolerances hold for all stiffnesses.
    """
    depth_unit = (mass * speed**2 / law.stiffness) ** (1.0 / (law.exponent + 1.0))
    time_unit = depth_unit / speed

    def force(state):
        penetration, rate = state[0] * depth_unit, state[1] * speed
        elastic = elastic_force(penetration, law.stiffness, law.exponent)
        normal = normal_force(elastic, rate, speed, law.hysteresis, law.viscous, penetration)
        return normal, contact_dissipation(normal, elastic, rate)

    def rhs(_, state):
        normal, heat = force(state)
        return [state[1], -normal / mass * time_unit / speed, heat * time_unit / (mass * speed**2)]

    def left(_, state):
        return state[0]

    def turned(_, state):
        return state[1]

    left.terminal, left.direction, turned.direction = True, -1.0, -1.0
    run = solve_ivp(
        rhs, (0.0, 1e4), [1e-14, 1.0, 0.0], method="DOP853", rtol=1e-11, atol=1e-13, events=(left, turned), max_step=0.1
    )
    assert run.status == 1, run.message
    deepest = run.y_events[1][0]
    return Impact(
        restitution=-run.y_events[0][0][1],
        duration=run.t_events[0][0] * time_unit,
        deepest=deepest[0] * depth_unit,
        largest_force=max(force(state)[0] for state in run.y.T),
        heat=run.y_events[0][0][2] * mass * speed**2,
    )


@pytest.mark.parametrize(("law", "tenth", "achieved"), CASES)
def test_first_integral_gives_the_published_table(law, tenth, achieved):
    coefficients = CONTACT_LAWS[law](1e10, 1.5, tenth / 10.0, 1.0)
    assert achieved_restitution(coefficients.hysteresis) == pytest.approx(achieved, abs=LAST_DIGIT)


@pytest.mark.parametrize(("law", "tenth", "achieved"), CASES)
def test_an_impact_achieves_the_published_restitution(law, tenth, achieved):
    # Also for D > 1 (flores, hu-guo, gonthier): e < 1/D, so neither clip of the force acts in a free impact.
    coefficients = CONTACT_LAWS[law](1e10, 1.5, tenth / 10.0, 1.0)
    impact = hit(coefficients)
    assert impact.restitution == pytest.approx(achieved, abs=LAST_DIGIT)
    assert impact.restitution == pytest.approx(achieved_restitution(coefficients.hysteresis), abs=INTEGRATION)
    # Energy: what the contact turned into heat is what the mass lost, m v^2 (1 - e^2)/2.
    assert impact.heat == pytest.approx(0.5 * 0.25 * (1.0 - impact.restitution**2), rel=10.0 * INTEGRATION)


def test_lankarani_nikravesh_to_six_digits():
    # e = 0, 0.5, 0.8 asked for: 0.662962, 0.725241, 0.847102. "Maximal dissipation" e = 0 is really 0.66.
    for asked, achieved in ((0.0, 0.662962), (0.5, 0.725241), (0.8, 0.847102)):
        assert hit(CONTACT_LAWS["lankarani-nikravesh"](1e10, 1.5, asked, 1.0)).restitution == pytest.approx(
            achieved, abs=0.5001e-6
        )


@pytest.mark.parametrize("law", ["flores", "hu-guo", "gonthier"])
def test_laws_for_large_losses_come_to_rest_as_the_restitution_asked_for_goes_to_zero(law):
    # D = a/e with a = 8/5, 3/2, 1: for large D the first integral needs 1 - D e -> 0, so e_out -> 1/D = e/a.
    hysteresis = CONTACT_LAWS[law](1e10, 1.5, 0.01, 1.0).hysteresis
    assert achieved_restitution(hysteresis) == pytest.approx(1.0 / hysteresis, rel=1e-9)


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.2])
@pytest.mark.parametrize(("stiffness", "mass", "speed"), [(1e6, 30.0, 5.0), (1e9, 6.8, 0.05), (1e10, 1.0, 0.5)])
def test_hysteresis_restitution_depends_on_nothing_else(stiffness, exponent, mass, speed):
    coefficients = CONTACT_LAWS["flores"](stiffness, exponent, 0.4, mass)
    expected = achieved_restitution(coefficients.hysteresis)
    assert hit(coefficients, mass, speed).restitution == pytest.approx(expected, abs=INTEGRATION)


def test_hertz_impact():
    # Goldsmith (1960): d_max = (5 m v^2/(4 K))^(2/5), duration 2.943275 d_max/v; K = 1e10, m = 1, v = 0.5.
    stiffness, mass, speed = 1e10, 1.0, 0.5
    impact = hit(CONTACT_LAWS["hertz"](stiffness, 1.5, 0.3, mass), mass, speed)
    deepest = (5.0 * mass * speed**2 / (4.0 * stiffness)) ** 0.4
    assert impact.deepest == pytest.approx(deepest, rel=INTEGRATION)
    assert impact.deepest == pytest.approx(62.797e-6, abs=0.5e-9)
    assert elastic_force(impact.deepest, stiffness, 1.5) == pytest.approx(4976.34, abs=0.005)
    assert impact.duration == pytest.approx(3.69659e-4, abs=0.5e-9)
    assert impact.duration == pytest.approx(2.943275 * deepest / speed, rel=2e-7)
    assert impact.restitution == pytest.approx(1.0, abs=INTEGRATION)
    assert impact.heat == pytest.approx(0.0, abs=1e-12)
    # all of the energy is elastic at the deepest: K d^(5/2)/(5/2) = F d/(5/2)
    stored = elastic_force(impact.deepest, stiffness, 1.5) * impact.deepest / 2.5
    assert stored == pytest.approx(0.5 * mass * speed**2, rel=3 * INTEGRATION)


@pytest.mark.parametrize(("zeta", "pulling", "pushing"), [(0.1, 0.729248, 0.744079), (0.2, 0.526621, 0.571740)])
def test_kelvin_voigt_values(zeta, pulling, pushing):
    # Released at d = 0 (the contact pulls at the end): exp(-pi zeta/sqrt(1-zeta^2)); at f = 0: the law used here.
    assert math.exp(-math.pi * zeta / math.sqrt(1.0 - zeta**2)) == pytest.approx(pulling, abs=0.5e-6)
    assert restitution_of(zeta) == pytest.approx(pushing, abs=0.5e-6)
    law = ForceCoefficients(1e8, 1.0, 0.0, 2.0 * zeta * math.sqrt(1e8 * 6.8))
    assert hit(law, 6.8, 0.3).restitution == pytest.approx(pushing, abs=0.5e-6)


@pytest.mark.parametrize("restitution", [0.02, 0.1, math.exp(-2.0), 0.3, 0.5, 0.8, 0.95])
def test_kelvin_voigt_achieves_what_is_asked_for(restitution):
    # Its restitution is exact for the mass it was made for, under- and overdamped; the clip makes a kink: 1e-7.
    stiffness, mass = 1e8, 6.8
    law = CONTACT_LAWS["kelvin-voigt"](stiffness, 1.0, restitution, mass)
    assert law.viscous == pytest.approx(2.0 * damping_ratio(restitution) * math.sqrt(stiffness * mass), rel=1e-15)
    impact = hit(law, mass, 0.3)
    assert impact.restitution == pytest.approx(restitution, abs=1e-7)
    assert impact.heat == pytest.approx(0.5 * mass * 0.3**2 * (1.0 - restitution**2), rel=1e-6)


@pytest.mark.parametrize("zeta", np.geomspace(1e-3, 30.0, 12))
def test_kelvin_voigt_damping_ratio_inverts_the_restitution(zeta):
    assert damping_ratio(restitution_of(zeta)) == pytest.approx(zeta, rel=1e-9)
