"""Parametric stability against published numbers, perturbation theory and an independent integration."""

import numpy as np
import pytest

from chaindrive.analyses.linear import stability as s
from chaindrive.errors import InputError


def test_principal_resonance():
    """eps = 0.2 at W = 2 w0: multiplier 1.16987; to first order it is exp(pi eps / 4) = 1.17009."""
    multiplier = float(s.mathieu_multiplier(2.0, 0.2))
    assert multiplier == pytest.approx(1.16987, abs=5e-6)
    assert multiplier == pytest.approx(np.exp(np.pi * 0.2 / 4), rel=5e-4)


def test_principal_tongue():
    """eps = 0.2: [1.8988, 2.0987], printed where the multiplier passes 1.0005, a little inside of the edge itself."""
    low, high = s.tongue(0.2)
    # Near an edge at distance d the growth is pi / 2 sqrt(eps d / 2) (first order): 5e-4 is passed at d = 1e-6.
    assert (low, high) == (pytest.approx(1.8988, abs=1e-4), pytest.approx(2.0987, abs=1e-4))
    assert s.mathieu_multiplier(low - 1e-6, 0.2) == 1.0
    assert s.mathieu_multiplier(high + 1e-6, 0.2) == 1.0
    assert s.mathieu_multiplier(low + 1e-5, 0.2) > 1.0005
    assert s.mathieu_multiplier(high - 1e-5, 0.2) > 1.0005
    # First order: 2 (1 -+ eps / 4), and second order - eps^2 / 32 w0 on both (McLachlan 1947): -0.00125.
    assert s.principal_tongue(0.2) == pytest.approx((1.9, 2.1))
    assert (low + high) / 2 == pytest.approx(2.0 - 0.2**2 / 32, abs=1e-4)


@pytest.mark.parametrize("eps", [0.05, 0.2, 0.5])
def test_edges_are_mathieu_characteristic_values(eps):
    """With z = W t / 2: a = 4 / r^2 and q = -2 eps / r^2, on an edge a is a characteristic value of Mathieu's equation.

    Its sign of q is a shift of the phase, which swaps a_1 with b_1 and leaves a_2 and b_2.
    """
    from scipy.special import mathieu_a, mathieu_b

    for order in (1, 2):
        low, high = s.tongue(eps, order)
        for ratio, characteristic in ((high, mathieu_b), (low, mathieu_a)):
            # the lower the frequency the larger a: the upper characteristic value, a_n, belongs to the lower edge
            assert 4 / ratio**2 == pytest.approx(characteristic(order, 2 * eps / ratio**2), rel=1e-6)


def test_damping():
    """First order: the tongue closes at eps = 4 zeta, and its edges move in by sqrt((eps/2)^2 - (2 zeta)^2)."""
    assert s.principal_tongue(0.1, 0.026) is None
    assert s.tongue(0.1, damping_ratio=0.026) is None
    low, high = s.tongue(0.1, damping_ratio=0.02)
    assert high - low == pytest.approx(2 * np.sqrt(0.05**2 - 0.04**2), rel=2e-3)
    assert s.mathieu_multiplier(low, 0.1, 0.02) == pytest.approx(1.0, abs=1e-9)
    assert s.mathieu_multiplier(high, 0.1, 0.02) == pytest.approx(1.0, abs=1e-9)


def test_against_a_general_integrator():
    """Hill's equation with two harmonics, damped, off resonance and on it, by an adaptive method of order 8."""
    from scipy.integrate import solve_ivp

    def wave(phase):
        return np.sin(phase) + 0.5 * np.cos(2 * phase + 1.0)

    for ratio in (0.31, 1.0, 2.02):
        zeta, eps = 0.01, 0.3

        def rate(t, y, ratio=ratio, zeta=zeta, eps=eps):
            return [y[1], -2 * zeta * y[1] - (1 + eps * wave(ratio * t)) * y[0]]

        columns = [
            solve_ivp(rate, (0, 2 * np.pi / ratio), start, method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
            for start in ([1.0, 0.0], [0.0, 1.0])
        ]
        expected = np.abs(np.linalg.eigvals(np.transpose(columns))).max()
        assert s.hill_multiplier(ratio, eps, wave, zeta) == pytest.approx(expected, rel=5e-7)


def test_map():
    grid = s.stability_map([1.0, 1.5, 2.0], [0.0, 0.2])
    assert grid.multiplier.shape == (2, 3)
    # Nothing fluctuates. At W = 2 w0 the trace is just -2: its rounding, 1e-15, enters by its square root.
    np.testing.assert_allclose(grid.multiplier[0], 1.0, atol=1e-6)
    assert grid.multiplier[1, 2] == pytest.approx(1.16987, abs=5e-6)
    assert grid.multiplier[1, 1] == 1.0


def test_moving_span_at_rest_is_mathieu():
    """Without transport the modes are uncoupled, and the first is Mathieu's equation."""
    first = np.sqrt(100.0) / (2 * 1.5)  # c / (2 l) [Hz]
    found = s.moving_span_multiplier(1.5, 100.0, 1.0, 0.0, 20.0, 2 * first, modes=1)
    assert found == pytest.approx(1.16987, abs=5e-6)
    # 2 w_1 is also the natural frequency of mode 2, its second tongue, and 4 w_1 / 2 ... : the largest counts.
    assert s.moving_span_multiplier(1.5, 100.0, 1.0, 0.0, 20.0, 2 * first, modes=3) == pytest.approx(found, rel=1e-3)


def test_moving_span_resonates_at_twice_its_moving_frequency():
    """V / c = 0.4, l = 1, c = 1: w_1 = pi (1 - 0.16) = 2.638938 (Eq. 4.27); unstable about 2 w_1, stable at 2 pi."""
    moving = 2.638938 / np.pi  # 2 w_1 / (2 pi) [Hz]
    assert s.moving_span_multiplier(1.0, 1.0, 1.0, 0.4, 0.1, moving) > 1.05
    assert s.moving_span_multiplier(1.0, 1.0, 1.0, 0.4, 0.1, 1.0) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("speed", [0.0, 0.2, pytest.param(0.4, marks=pytest.mark.long)])
def test_growth_of_the_moving_span(speed):
    """ln(multiplier) = pi eps / 4 with eps = dT / (T - m V^2) sinc(V / c): the multiple-scales result for one mode.

    dT is so small that 12 sines keep mode 1 inside its tongue but modes 3, 5, ... out of the exact 1 : 3 : 5 by which
    they would take part; without the sinc the values at 0.2 and 0.4 are 7 % and 32 % off.
    """
    amplitude, twice = 0.002, 1.0 - speed**2  # 2 f_1 [Hz] for l = c = 1
    growth = np.log(s.moving_span_multiplier(1.0, 1.0, 1.0, speed, amplitude, twice, modes=12))
    assert growth == pytest.approx(np.pi / 4 * s.tension_fluctuation(amplitude, 1.0, 1.0, speed), rel=0.01)


@pytest.mark.parametrize(
    "cells",
    [
        ((1, 1), (1, 2), (2, 0), (2, 1), (2, 4)),
        pytest.param(tuple(np.ndindex(3, 5)), marks=pytest.mark.long),
    ],
    ids=["some", "all"],
)
def test_map_of_the_moving_span(cells):
    """The map against the other integration, on and off resonances. Split steps of h err by (w h)^2 / 12 (Strang).

    The fastest of four sines has w h = 2 pi / 24 at the most; mode 2, the highest that grows here, half of it: 1.4e-3.
    """
    length, tension, density, speed = 2.7, 8e4, 119.0, 9.0
    first = (tension / density - speed**2) / (2 * length * np.sqrt(tension / density))
    amplitudes, frequencies = np.array([0.0, 0.1, 0.4]) * tension, np.array([1.5, 2.0, 2.1, 3.0, 4.02]) * first
    grid = s.moving_span_map(length, tension, density, speed, amplitudes, frequencies, modes=4)
    assert grid.multiplier.shape == (3, 5)
    np.testing.assert_allclose(grid.multiplier[0], 1.0, atol=1e-6)
    for i, j in cells:
        exact = s.moving_span_multiplier(length, tension, density, speed, amplitudes[i], frequencies[j], 4)
        assert np.log(grid.multiplier[i, j]) == pytest.approx(np.log(exact), rel=1.4e-3, abs=2e-6)
    np.testing.assert_allclose(grid.growth, np.log(grid.multiplier) * frequencies, rtol=1e-15)
    assert grid.growth[2, 1] == grid.growth.max()  # twice the first frequency


def test_sum_resonance_comes_with_the_transport():
    """W = w1 + w2: odd and even modes are coupled by 2 V y_xt only.

    Two sines have frequencies a few per cent off those of the string; about 3 w1 nothing else happens with them.
    """
    for speed, unstable in ((0.0, False), (0.3, True)):
        first = 0.5 * (1 - speed**2)
        grid = s.moving_span_map(1.0, 1.0, 1.0, speed, [0.1], np.linspace(2.7, 3.3, 61) * first, modes=2)
        assert bool(grid.multiplier.max() > 1.01) is unstable


def test_damping_of_the_moving_span():
    """Without fluctuation everything decays as exp(-b t / 2); with it growth requires a threshold (Nayfeh & Mook).

    One mode of damping ratio zeta = b / (2 w1) needs eps > 4 zeta, eps = dT / (T - m V^2) sinc(V / c); six sines have
    the other modes take part, which moves the threshold by the order of eps^2: amplitudes 10 % on either side of the
    threshold.
    """
    speed, zeta = 0.2, 0.01
    first = 0.5 * (1 - speed**2)
    damping = 4 * np.pi * zeta * first
    still = s.moving_span_map(1.0, 1.0, 1.0, speed, [0.0], [2 * first], damping=damping)
    assert still.growth[0, 0] == pytest.approx(-0.5 * damping, rel=1e-6)
    threshold = 4 * zeta / float(s.tension_fluctuation(1.0, 1.0, 1.0, speed))
    low, high = s.moving_span_map(
        1.0, 1.0, 1.0, speed, [0.9 * threshold, 1.1 * threshold], [2 * first], damping=damping
    ).growth
    assert low[0] < 0.0 < high[0]


def test_wave_of_the_fluctuation():
    """cos(2 phase) at W is cos(phase) at 2 W: the same growth, the multiplier of two periods being its square."""
    first = 0.5
    one = s.moving_span_map(1.0, 1.0, 1.0, 0.0, [0.2], [2 * first], modes=1)
    two = s.moving_span_map(1.0, 1.0, 1.0, 0.0, [0.2], [first], wave=lambda phase: np.cos(2 * phase), modes=1)
    assert one.multiplier[0, 0] == pytest.approx(1.16987, abs=2e-5)
    assert two.growth[0, 0] == pytest.approx(one.growth[0, 0], rel=1e-3)


def test_above_the_critical_speed_the_span_is_unstable_by_itself():
    assert s.moving_span_multiplier(1.0, 1.0, 1.0, 1.2, 0.0, 1.0, modes=1) > 1.5


def test_bad_values():
    with pytest.raises(InputError, match="2 problems"):
        s.tongue(1.5, 0)
