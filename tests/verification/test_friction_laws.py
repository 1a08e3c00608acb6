"""The seven regularisations against their published forms (Pedersen 2004, section 3.9 and appendix G)."""

import math

import numpy as np
import pytest

from chaindrive.physics.friction import Regularisation, kernel_sharpness, regularised_sign

SHARPNESSES = (0.5, 0.1, 0.01)  # figures G.1, G.2, G.3
KERNEL_ERROR = 2e-13  # sgn = 2H - 1 and the stated 1e-13 of the vectorised hyperbolic tangent


def sign(name, v, speed=1.0, sharpness=0.01):
    form = Regularisation.named(name)
    return regularised_sign(int(form), v, speed, kernel_sharpness(form, sharpness))


@pytest.mark.parametrize("epsilon", SHARPNESSES)
@pytest.mark.parametrize("x", np.linspace(-0.999, 0.999, 41))
def test_heaviside_forms(x, epsilon):
    # Eqs. G.2 and G.4: sgn = 2 H - 1; H1 = (1 + tanh(x/eps))/2, H2 = 1/2 + arctan(x/eps)/pi, H3 = 1/(1 + exp(-x/eps)).
    h1 = 0.5 * (1.0 + math.tanh(x / epsilon))
    h2 = 0.5 + math.atan(x / epsilon) / math.pi
    h3 = 1.0 / (1.0 + math.exp(-x / epsilon))
    assert sign("tanh", x, sharpness=epsilon) == pytest.approx(2.0 * h1 - 1.0, abs=KERNEL_ERROR)
    assert sign("arctan", x, sharpness=epsilon) == pytest.approx(2.0 * h2 - 1.0, abs=KERNEL_ERROR)
    assert sign("logistic", x, sharpness=epsilon) == pytest.approx(2.0 * h3 - 1.0, abs=KERNEL_ERROR)


@pytest.mark.parametrize("v", [1e-5, 1e-4, 1e-3, 0.02, 0.09999])
def test_the_default_of_the_engine_drives(v):
    # Eq. 3.98 with v* = 0.1 m/s and eps = 0.01: tanh(v / (1 mm/s)).
    assert sign("tanh", v, speed=0.1) == pytest.approx(math.tanh(v / 1e-3), abs=KERNEL_ERROR)


@pytest.mark.parametrize("v", np.linspace(0.0, 0.1, 21))
def test_polynomial(v):
    # Eq. 3.97: |v|^2 (3 v* - 2 |v|)/v*^3.
    assert sign("polynomial", v, speed=0.1) == pytest.approx(v**2 * (3.0 * 0.1 - 2.0 * v) / 0.1**3, abs=1e-15)
    assert sign("linear", v, speed=0.1) == pytest.approx(v / 0.1, abs=1e-15)


@pytest.mark.parametrize("x", np.linspace(0.02, 0.98, 25))
def test_super_ellipse(x):
    # Eq. G.6 with exponent 5: sin(arccos((1-x)^(5/2)))^(2/5), hence (1-x)^5 + mu^5 = 1.
    mu = sign("super-elliptic", x)
    assert mu == pytest.approx(math.sin(math.acos((1.0 - x) ** 2.5)) ** 0.4, rel=1e-13)
    assert (1.0 - x) ** 5 + mu**5 == pytest.approx(1.0, abs=1e-14)


def test_super_ellipse_slopes():
    # Appendix G: "the slope at one end is vertical and at the other horizontal". Near 0 mu = (5 x)^(1/5), near 1 mu =
    # 1 - (1-x)^5/5, both to leading order.
    assert sign("super-elliptic", 1e-12) == pytest.approx((5e-12) ** 0.2, rel=1e-4)  # 1 - (1-x)^5 keeps 1e-16/5e-12
    assert 1.0 - sign("super-elliptic", 0.99) == pytest.approx(0.01**5 / 5.0, rel=1e-5)


@pytest.mark.parametrize("epsilon", [1.0, 0.999, 0.7, 0.1, 0.01, 10 ** (-15 / 4), 1e-8])
@pytest.mark.parametrize("t", [1e-6, 1e-3, 0.05, 0.2, 0.5, 0.8, 0.97, 1.0])
def test_bezier(epsilon, t):
    # Eqs. G.7 and G.8 with eps_1 = 1/eps, eps_2 = 0, x* = 1, forwards: from t to x and to mu.
    x = epsilon * (3.0 * t - 3.0 * t**2) + t**3
    mu = (3.0 * t - 3.0 * t**2) + t**3
    # x has rounding of 1e-16; it comes back through dmu/dx = mu'(t)/x'(t).
    slope = (1.0 - t) ** 2 / (epsilon * (1.0 - 2.0 * t) + t**2) if t < 1.0 else 1.0
    assert sign("bezier", x, sharpness=epsilon) == pytest.approx(mu, abs=4e-16 * (slope * x + 1.0) + 1e-15)


@pytest.mark.parametrize("epsilon", [1.0, 0.1, 0.01, 10 ** (-15 / 4)])
def test_bezier_and_tanh_start_with_the_same_slope(epsilon):
    # d mu/dx = 1/eps at 0; the next terms are of relative size x/eps^2 (Bezier) and x^2/eps^2 (tanh).
    x = 1e-7 * epsilon**2
    assert sign("bezier", x, sharpness=epsilon) == pytest.approx(x / epsilon, rel=1e-6)
    assert sign("tanh", x, sharpness=epsilon) == pytest.approx(x / epsilon, rel=1e-6)


@pytest.mark.parametrize("name", ["tanh", "arctan", "logistic", "bezier"])
def test_all_sharp_forms_tend_to_the_signum(name):
    # Appendix G: the limit eps -> 0. At x = 0.05: arctan misses by (2/pi) eps/x, Bezier by (1 - x^(1/3))^3 at eps = 0.
    missing = [1.0 - sign(name, 0.05, sharpness=epsilon) for epsilon in (0.5, 0.1, 0.01, 1e-4)]
    assert np.all(np.diff(missing[:3]) < 0.0)
    limit = (1.0 - 0.05 ** (1.0 / 3.0)) ** 3 if name == "bezier" else 0.0
    assert missing[-1] == pytest.approx(limit, abs=3e-3)


def sliding_block(name, until):
    """Speed [m/s] of a block that slows down on mu = 0.1, in 1e-4 s steps of the classical Runge-Kutta method."""
    deceleration, v, h = 0.1 * 9.81, 1.0, 1e-4

    def rate(v):
        return -deceleration * sign(name, v, speed=0.01, sharpness=0.1)

    for _ in range(round(until / h)):
        k1 = rate(v)
        k2 = rate(v + 0.5 * h * k1)
        k3 = rate(v + 0.5 * h * k2)
        k4 = rate(v + h * k3)
        v += h * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0
    return v


@pytest.mark.parametrize("name", ["linear", "polynomial", "tanh"])
def test_a_sliding_block_loses_speed_as_coulomb_says(name):
    # Well above v* the friction is exactly mu m g: v = v0 - mu g t until v*, here to 0.5 s with v = 0.5 m/s left.
    assert sliding_block(name, 0.5) == pytest.approx(1.0 - 0.1 * 9.81 * 0.5, abs=1e-10)
