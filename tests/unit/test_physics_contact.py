"""The contact force scalars alone: forms, limits, clips, energy and dissipation."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from chaindrive.kernels import kernel
from chaindrive.physics.contact import (
    contact_dissipation,
    elastic_force_hertz,
    elastic_force_linear,
    elastic_force_power,
    impact_speed,
    normal_force,
)
from chaindrive.physics.contact_laws import CONTACT_LAWS, ForceCoefficients, achieved_restitution, speed_of_depth

PENETRATIONS = (1e-9, 3.7e-6, 1e-4, 2.5e-3)
SINGULAR_AT_ZERO = ("kelvin-voigt", "flores", "gonthier", "hu-guo")


def exponent_for(law):
    return 1.0 if law == "kelvin-voigt" else 1.5


@pytest.mark.parametrize("penetration", PENETRATIONS)
def test_fast_forms_are_the_power_law(penetration):
    # K d^n with n = 1 and 3/2; pow and sqrt are each within an ulp or two.
    assert elastic_force_linear(penetration, 1e8) == pytest.approx(1e8 * penetration, rel=1e-15)
    assert elastic_force_hertz(penetration, 1e9) == pytest.approx(elastic_force_power(penetration, 1e9, 1.5), rel=1e-14)
    expected = 1e9 * math.exp(2.2 * math.log(penetration))
    assert elastic_force_power(penetration, 1e9, 2.2) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("penetration", [0.0, -1e-12, -0.3])
def test_no_contact_no_force(penetration):
    assert elastic_force_linear(penetration, 1e9) == 0.0
    assert elastic_force_hertz(penetration, 1e9) == 0.0
    assert elastic_force_power(penetration, 1e9, 1.7) == 0.0
    assert normal_force(0.0, 5.0, 0.1, 0.75, 1e4, penetration) == 0.0


def test_hysteresis_is_the_published_law_below_the_impact_speed():
    # Pedersen (2004), Eq. 3.47: f = K d^n (1 + 3 (1 - e^2) v / (4 v-)).
    d, e, v, v0 = 1.3e-4, 0.4, 0.11, 0.35
    law = CONTACT_LAWS["lankarani-nikravesh"](1e9, 1.5, e, 1.0)
    elastic = elastic_force_hertz(d, law.stiffness)
    expected = 1e9 * d**1.5 * (1.0 + 3.0 * (1.0 - e**2) * v / (4.0 * v0))
    assert normal_force(elastic, v, v0, law.hysteresis, law.viscous, d) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("rate", [-50.0, -0.05, -0.01, 0.0, 0.01, 0.05, 50.0])
def test_ratio_is_clipped_so_that_the_force_stays_between_one_minus_and_one_plus_d(rate):
    force = normal_force(1000.0, rate, 0.05, 0.75, 0.0, 1e-4)
    assert 250.0 <= force <= 1750.0
    assert force == pytest.approx(1000.0 * (1.0 + 0.75 * max(-1.0, min(1.0, rate / 0.05))), rel=1e-15)


def test_the_force_never_pulls():
    assert normal_force(1000.0, -0.05, 0.05, 3.0, 0.0, 1e-4) == 0.0
    assert normal_force(1.0, -0.05, 0.05, 0.0, 1e4, 1e-4) == 0.0


def test_dissipation_is_never_negative_and_bounded_by_what_the_elastic_force_gives_back():
    rng = np.random.default_rng(3)
    for _ in range(500):
        elastic, rate, hysteresis = rng.uniform(0.0, 1e4), rng.normal(), rng.uniform(0.0, 4.0)
        viscous = rng.uniform(0.0, 1e4)
        force = normal_force(elastic, rate, 0.3, hysteresis, viscous, 1e-4)
        power = contact_dissipation(force, elastic, rate)
        assert power >= 0.0
        if rate < 0.0:
            assert power <= -elastic * rate


def test_not_a_number_stays_visible():
    nan = float("nan")
    assert math.isnan(elastic_force_hertz(nan, 1e9))
    assert math.isnan(elastic_force_linear(nan, 1e9))
    assert math.isnan(normal_force(nan, 0.1, 0.3, 0.75, 0.0, nan))
    assert math.isnan(normal_force(10.0, nan, 0.3, 0.75, 0.0, 1e-4))


@kernel
def contact_loop(penetration, rate, impact_speed, stiffness, hysteresis, out):
    for i in range(penetration.shape[0]):
        elastic = elastic_force_hertz(penetration[i], stiffness)
        out[i] = normal_force(elastic, rate[i], impact_speed[i], hysteresis, 0.0, penetration[i])


def test_inlined_in_a_loop_the_law_is_the_same():
    # The vectorised loop may contract a*b+c: a few units in the last place.
    rng = np.random.default_rng(1)
    penetration, rate = rng.normal(size=97) * 1e-4, rng.normal(size=97)
    impact_speed, out = rng.uniform(0.05, 1.0, size=97), np.empty(97)
    contact_loop(penetration, rate, impact_speed, 1e9, 0.75, out)
    ratio = np.clip(rate / impact_speed, -1.0, 1.0)
    expected = 1e9 * np.maximum(penetration, 0.0) ** 1.5 * (1.0 + 0.75 * ratio)
    np.testing.assert_allclose(out, expected, rtol=1e-13, atol=0.0)


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("hysteresis", [0.05, 0.75, 1.6, 6.0])
def test_a_free_impact_keeps_its_speed_and_is_deepest_where_another_would_begin(hysteresis, exponent):
    # v' = -f/m to where it stands still: there, and only there, s sqrt(f_e d) is the approach speed
    mass, approach = 4e-3, 0.3
    law = ForceCoefficients(1e9, exponent, hysteresis, 0.0)
    of_depth, elastic = speed_of_depth(law, mass), lambda depth: 1e9 * depth**exponent

    def motion(t, y):
        depth = max(y[0], 0.0)
        return y[1], -normal_force(elastic(depth), y[1], approach, hysteresis, 0.0, depth) / mass

    def still(t, y):
        return y[1]

    still.terminal = True
    way = solve_ivp(motion, (0.0, 1.0), (0.0, approach), events=still, rtol=1e-9, atol=1e-14, dense_output=True)
    deepest = way.y_events[0][0][0]
    assert impact_speed(0.01, elastic(deepest), deepest, of_depth) == pytest.approx(approach, rel=1e-6)
    for depth in way.y[0][:-1]:
        assert impact_speed(approach, elastic(depth), depth, of_depth) == approach


def test_a_contact_that_is_pressed_is_damped_alike_at_every_depth():
    # c = f_e D/v0 over 2 sqrt(m k): sqrt(5/6 (D - ln(1 + D))/2) with the exponent 1.5, however gently it began
    law, mass, found = CONTACT_LAWS["flores"](8e9, 1.5, 0.3, 4e-3), 4e-3, []
    for depth in (1e-6, 1e-5, 1e-4):
        elastic = elastic_force_hertz(depth, law.stiffness)
        damping = elastic * law.hysteresis / impact_speed(1e-6, elastic, depth, speed_of_depth(law, mass))
        found.append(damping / (2.0 * math.sqrt(mass * 1.5 * elastic / depth)))
    expected = math.sqrt(5.0 / 12.0 * (law.hysteresis - math.log1p(law.hysteresis)))
    assert found == pytest.approx([expected] * 3, rel=1e-12)
    assert impact_speed(0.05, 100.0, 1e-5, 0.0) == 0.05  # without hysteresis nothing is asked for


def test_the_names_of_the_laws():
    assert set(CONTACT_LAWS) == {
        "hertz",
        "kelvin-voigt",
        "hunt-crossley",
        "lankarani-nikravesh",
        "flores",
        "herbert-mcwhannell",
        "lee-wang",
        "gonthier",
        "hu-guo",
    }


@pytest.mark.parametrize("law", sorted(CONTACT_LAWS))
def test_restitution_one_is_elastic(law):
    coefficients = CONTACT_LAWS[law](2e9, exponent_for(law), 1.0, 6.8)
    assert coefficients == ForceCoefficients(2e9, exponent_for(law), 0.0, 0.0)


@pytest.mark.parametrize("law", sorted(set(CONTACT_LAWS) - {"hertz"}))
def test_less_restitution_means_more_damping(law):
    damping = [sum(CONTACT_LAWS[law](2e9, exponent_for(law), e, 6.8)[2:]) for e in np.linspace(0.05, 1.0, 20)]
    assert np.all(np.diff(damping) < 0.0)


@pytest.mark.parametrize("law", sorted(CONTACT_LAWS))
def test_restitution_outside_its_range_is_refused(law):
    for restitution in (-0.1, 1.01, float("nan")):
        with pytest.raises(ValueError, match="between 0 and 1"):
            CONTACT_LAWS[law](1e9, exponent_for(law), restitution, 1.0)
    if law in SINGULAR_AT_ZERO:
        with pytest.raises(ValueError, match=f"(?i){law} law needs infinite damping"):
            CONTACT_LAWS[law](1e9, exponent_for(law), 0.0, 1.0)
    else:
        assert math.isfinite(CONTACT_LAWS[law](1e9, exponent_for(law), 0.0, 1.0).hysteresis)


def test_kelvin_voigt_is_linear_only():
    with pytest.raises(ValueError, match=r"exponent must be 1, not 1\.5"):
        CONTACT_LAWS["kelvin-voigt"](1e9, 1.5, 0.5, 1.0)


@pytest.mark.parametrize("hysteresis", [1e-3, 0.1, 0.75, 1.5, 4.0, 10.0])
def test_achieved_restitution_satisfies_the_first_integral(hysteresis):
    # D - ln(1+D) = -D e - ln(1 - D e), Zhang & Sharf (2009).
    e = achieved_restitution(hysteresis)
    left, right = hysteresis - math.log1p(hysteresis), -hysteresis * e - math.log1p(-hysteresis * e)
    # e is known to its last bit or so; the right side's slope is D^2 e/(1 - D e), and 1 - D e = exp(-D e - right).
    slope = hysteresis**2 * e / math.exp(-hysteresis * e - right)
    assert right == pytest.approx(left, abs=4e-16 * (slope + left + 1.0))
    assert hysteresis * e < 1.0


def test_achieved_restitution_without_damping():
    assert achieved_restitution(0.0) == 1.0
    # Small D: both sides to third order give e = 1 - 2 D/3 + O(D^2).
    assert achieved_restitution(1e-3) == pytest.approx(1.0 - 2e-3 / 3.0, abs=1e-6)
