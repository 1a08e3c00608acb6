"""Stability of a span whose tension fluctuates: Mathieu's equation, Hill's equation, and the moving string with many
modes.

S. L. Pedersen, *Simulation and Analysis of Roller Chain Drive Systems* (PhD thesis, DTU, 2004), section 4.4.4, after
Mahalingam (1957) and Naguleswaran & Williams (1968). Stability follows from Floquet's theorem: the motion is integrated
over one period of the forcing, and the largest modulus of the eigenvalues of this map (the multiplier) is the growth of
small vibrations per period. If it is above 1, the span is unstable.

Integration: the Magnus series of fourth order with two Gauss points (Magnus 1954; Iserles & Norsett 1999), which
preserves the product of the multipliers exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.errors import InputError, Problem

__all__ = [
    "SpanStability",
    "StabilityMap",
    "hill_multiplier",
    "mathieu_multiplier",
    "moving_span_map",
    "moving_span_multiplier",
    "principal_tongue",
    "stability_map",
    "tension_fluctuation",
    "tongue",
]

FloatArray = NDArray[np.float64]

STEPS_PER_CYCLE = 96
"""Steps per cycle of the forcing or of the vibration, whichever is faster: multipliers are accurate to about 1e-7 for
low harmonics."""
STEPS_OF_MAP = 24
"""Split steps per cycle of the fastest mode for maps of the moving span (at least twice as many per cycle of the
forcing): the relative error of the growth of a mode at a quarter of the fastest frequency is about (2 pi / 96)^2 / 12 =
4e-4."""
GAUSS = math.sqrt(3.0) / 6.0
"""Distance of the two Gauss points from the middle of a step, in steps."""


class StabilityMap(NamedTuple):
    """Multipliers for a grid of forcing frequencies and amplitudes, for a plot of the instability tongues."""

    frequency_ratio: FloatArray
    """Forcing frequency divided by natural frequency, shape (F,)."""
    amplitude: FloatArray
    """Relative fluctuation of the restoring force, shape (A,)."""
    multiplier: FloatArray
    """Multiplier per period of the forcing, shape (A, F): unstable if above 1."""


class SpanStability(NamedTuple):
    """Growth of the vibration of a moving span as a function of frequency and amplitude of its tension fluctuation."""

    frequency: FloatArray
    """Frequency of the fluctuation, shape (F,). [Hz]"""
    amplitude: FloatArray
    """Amplitude of the fluctuation, shape (A,). [N]"""
    multiplier: FloatArray
    """Multiplier per period of the fluctuation, shape (A, F): unstable if above 1."""

    @property
    def growth(self) -> FloatArray:
        """Growth rate of small vibrations, ln(multiplier) times the frequency, shape (A, F). [1/s]"""
        return np.log(self.multiplier) * self.frequency


def tension_fluctuation(amplitude: Any, tension: Any, mass_per_length: Any, speed: Any = 0.0, mode: Any = 1) -> Any:
    """Effective fluctuation eps of a span's mode n at its principal resonance, dT / (T - m_l V^2) sinc(n V / c) [1].

    tension T, its amplitude dT [N]; c^2 = T / m_l; sinc(x) = sin(pi x) / (pi x). The first factor follows from (c^2 -
    V^2) y'', where only c^2 fluctuates (Eqs. 4.35 to 4.37, printed with c0 and dc0 unsquared and without -V^2, and with
    waves exp(i mu x) that do not satisfy the condition of fixed ends). The second factor is what remains of the first
    between fixed ends: the phase of the moving mode sin(k x) exp(i k x V / c), k = n pi / l (Eq. 4.28), turns along the
    span. The solvability condition of the method of multiple scales gives for one mode the growth rate d(ln y)/dt = (dT
    / m_l) k / (4 c) sinc(n V / c). :func:`moving_span_multiplier` includes the interaction of the modes.
    """
    ratio = speed / np.sqrt(np.asarray(tension) / mass_per_length)
    return amplitude / (tension - mass_per_length * np.square(speed)) * np.abs(np.sinc(np.asarray(mode) * ratio))


def mathieu_multiplier(frequency_ratio: ArrayLike, amplitude: ArrayLike, damping_ratio: float = 0.0) -> FloatArray:
    """Return the Floquet multiplier of y'' + 2 zeta w0 y' + w0^2 (1 + eps cos(W t)) y = 0 after one period 2 pi / W
    [1].

    frequency_ratio W / w0 > 0 and amplitude eps broadcast against each other. The largest modulus is returned. With the
    moving-string frequency for w0 and :func:`tension_fluctuation` for eps, the equation describes a span in one mode
    (Eq. 4.37 with the missing factor 4 w0^2 / W^2 in z = W t / 2).
    """
    return hill_multiplier(frequency_ratio, amplitude, np.cos, damping_ratio)


def hill_multiplier(
    frequency_ratio: ArrayLike, amplitude: ArrayLike, wave: Callable[[float], Any], damping_ratio: float = 0.0
) -> FloatArray:
    """Return the Floquet multiplier of Hill's equation y'' + 2 zeta w0 y' + w0^2 (1 + eps g(W t)) y = 0 (Eq. 4.38) [1].

    wave g: periodic function of the phase W t [rad] with the period 2 pi. Otherwise as :func:`mathieu_multiplier`.
    """
    ratio, eps = np.broadcast_arrays(np.asarray(frequency_ratio, dtype=float), np.asarray(amplitude, dtype=float))
    period = 2.0 * np.pi / ratio  # in 1 / w0
    half = 0.5 * np.abs(_trace(ratio, eps, wave, damping_ratio))
    growth = np.where(half > 1.0, half + np.sqrt(np.maximum(np.square(half) - 1.0, 0.0)), 1.0)
    return np.asarray(growth * np.exp(-damping_ratio * period))


def stability_map(
    frequency_ratio: ArrayLike,
    amplitude: ArrayLike,
    wave: Callable[[float], Any] = np.cos,
    damping_ratio: float = 0.0,
) -> StabilityMap:
    """Return the multipliers of :func:`hill_multiplier` on a grid of frequency ratios, shape (F,), and amplitudes,
    shape (A,).
    """
    ratio, eps = np.asarray(frequency_ratio, dtype=float), np.asarray(amplitude, dtype=float)
    return StabilityMap(ratio, eps, hill_multiplier(ratio[None, :], eps[:, None], wave, damping_ratio))


def principal_tongue(amplitude: float, damping_ratio: float = 0.0) -> tuple[float, float] | None:
    """Return the edges W / w0 of the first tongue to first order, 2 -+ sqrt((eps / 2)^2 - (2 zeta)^2), or None if
    damping closes it.

    Without damping the edges are 2 (1 -+ eps / 4); instability requires eps > 4 zeta (Nayfeh & Mook 1979, section 5.7).
    """
    square = (amplitude / 2.0) ** 2 - (2.0 * damping_ratio) ** 2
    return None if square < 0.0 else (2.0 - math.sqrt(square), 2.0 + math.sqrt(square))


def tongue(
    amplitude: float, order: int = 1, wave: Callable[[float], Any] = np.cos, damping_ratio: float = 0.0
) -> tuple[float, float] | None:
    """Return the edges W / w0 of the tongue that starts at 2 / order, by Floquet's theorem; None if there is no such
    tongue.

    order 1 is the principal resonance, at twice the natural frequency. amplitude eps in (0, 1). The search extends
    halfway to the roots of the neighbouring tongues (where 2 w0 / W = order -+ 1/2); for an edge beyond this range, the
    end of the range is returned. Raises InputError for an amplitude or order out of range.
    """
    problems = []
    if not 0.0 < amplitude < 1.0:
        problems.append(Problem("amplitude", "must lie between 0 and 1: the span must not go slack", f"{amplitude}"))
    if order < 1:
        problems.append(Problem("order", "must be 1 or more", str(order)))
    if problems:
        raise InputError(problems)
    from scipy.optimize import brentq, minimize_scalar

    sign = -1.0 if order % 2 else 1.0

    def excess(ratio: float) -> float:
        """Return a number that is positive inside the tongue, where a multiplier exceeds 1 because the trace exceeds 2
        cosh(zeta w0 T).
        """
        level = math.cosh(damping_ratio * 2.0 * math.pi / ratio)
        trace = _trace(np.asarray(ratio), np.asarray(amplitude), wave, damping_ratio)
        return float(sign * 0.5 * trace) - level

    low, high = 2.0 / (order + 0.5), 2.0 / (order - 0.5)
    grid = np.linspace(low, high, 81)
    values = [excess(float(ratio)) for ratio in grid]
    best = int(np.argmax(values))
    around = (float(grid[max(best - 1, 0)]), float(grid[min(best + 1, 80)]))
    found = minimize_scalar(lambda ratio: -excess(ratio), bounds=around, method="bounded", options={"xatol": 1e-10})
    top = float(found.x)
    if excess(top) <= 0.0:
        return None
    lower = brentq(excess, low, top, xtol=1e-12) if values[0] < 0.0 else low
    upper = brentq(excess, top, high, xtol=1e-12) if values[-1] < 0.0 else high
    return float(lower), float(upper)


def moving_span_multiplier(
    length: float,
    tension: float,
    mass_per_length: float,
    speed: float,
    tension_amplitude: float,
    frequency: float,
    modes: int = 8,
) -> float:
    """Return the Floquet multiplier per period of a moving string between fixed ends with the tension T + dT cos(W t)
    [1].

    Eq. 4.35, with c0^2 and dc0^2 instead of the printed c0 and dc0, is (c^2 + dc^2 cos(W t) - V^2) y_xx = 2 V y_xt +
    y_tt. It is solved by Galerkin's method with ``modes`` sines (Naguleswaran & Williams 1968). The transport couples
    odd with even modes, so that sum resonances (W = w_m + w_n) appear in addition to the resonances of single modes.
    All frequencies of a string are multiples of the first. With transport, a fluctuation at 2 w_1 therefore also
    exchanges energy between the modes n and n + 2; where this exchange is large, the vibration grows more slowly than
    :func:`tension_fluctuation` predicts.

    length l [m]; tension T, its amplitude dT [N]; mass_per_length [kg/m]; speed V [m/s]; frequency W / (2 pi) > 0 [Hz].
    More than 8 sines are needed if V exceeds about half of c and the tongue is narrow.
    """
    from scipy.linalg import expm

    steady, stiffening = _galerkin(length, tension, mass_per_length, speed, 0.0, modes)
    zero = np.zeros((modes, modes))
    varying = np.block([[zero, zero], [-tension_amplitude * stiffening, zero]])
    period = 1.0 / frequency
    fastest = modes * math.sqrt((tension + abs(tension_amplitude)) / mass_per_length) / (2.0 * length)
    steps = STEPS_PER_CYCLE * math.ceil(max(1.0, fastest * period))
    step = period / steps
    middle = np.arange(steps) + 0.5
    first, second = (np.cos(2.0 * np.pi * (middle + at) / steps) for at in (-GAUSS, GAUSS))
    commutator = varying @ steady - steady @ varying
    generator = (
        step * steady
        + 0.5 * step * (first + second)[:, None, None] * varying
        + step**2 * GAUSS / 2.0 * (second - first)[:, None, None] * commutator
    )
    monodromy = np.eye(2 * modes)
    for part in expm(generator):
        monodromy = part @ monodromy
    return float(np.abs(np.linalg.eigvals(monodromy)).max())


def moving_span_map(
    length: float,
    tension: float,
    mass_per_length: float,
    speed: float,
    tension_amplitude: ArrayLike,
    frequency: ArrayLike,
    wave: Callable[[float], Any] = np.cos,
    damping: float = 0.0,
    modes: int = 6,
) -> SpanStability:
    """Return the multipliers of a moving string with the tension T + dT g(W t) on a grid of amplitudes dT and
    frequencies W.

    The motion is that of :func:`moving_span_multiplier`, with all resonances W = 2 w_n / k and (w_m + w_n) / k.
    tension_amplitude dT: shape (A,) [N]; frequency W / (2 pi) > 0: shape (F,) [Hz]; wave g: function of the phase W t
    [rad] with the period 2 pi (Eq. 4.38). damping b [1/s]: force per mass -b (y_t + V y_x) (Mahalingam 1957, section
    4.4.5), which makes every free vibration decay as exp(-b t / 2).

    Each step is split (Strang 1968) into the motion under the constant tension, which is solved exactly, and a kick by
    the excess tension at the middle of the step. The kick changes only velocities and is also exact.
    """
    from scipy.linalg import expm

    frequencies, amplitudes = np.asarray(frequency, dtype=float), np.asarray(tension_amplitude, dtype=float)
    steady, stiffening = _galerkin(length, tension, mass_per_length, speed, damping, modes)
    fastest = modes * math.sqrt(tension / mass_per_length) / (2.0 * length)
    multiplier = np.empty((amplitudes.size, frequencies.size))
    for column, pace in enumerate(frequencies):
        steps = math.ceil(STEPS_OF_MAP * max(2.0, fastest / pace))
        step = 1.0 / (pace * steps)
        half = expm(0.5 * step * steady)
        whole = half @ half
        monodromy = np.broadcast_to(half, (amplitudes.size, *half.shape)).copy()
        for k in range(steps):
            excess = step * float(wave(2.0 * math.pi * (k + 0.5) / steps)) * amplitudes
            monodromy[:, modes:] -= excess[:, None, None] * (stiffening @ monodromy[:, :modes])
            monodromy = (whole if k < steps - 1 else half) @ monodromy
        multiplier[:, column] = np.abs(np.linalg.eigvals(monodromy)).max(axis=1)
    return SpanStability(frequencies, amplitudes, multiplier)


def _galerkin(
    length: float, tension: float, mass_per_length: float, speed: float, damping: float, modes: int
) -> tuple[FloatArray, FloatArray]:
    """Return the matrices of the moving string in sines sin(n pi x / l): d/dt [q, v] = S [q, v], and dv/dt = -dT C q
    for a tension increase dT.

    S has the shape (2 modes, 2 modes), C the shape (modes, modes) [1 / (kg m)]. The transport 2 V y_xt couples odd with
    even n, by (2 / l) times the integral of sin(m pi x / l) d/dx sin(n pi x / l) = 4 m n / (l (m^2 - n^2)).
    """
    n = np.arange(1, modes + 1)
    row, column = n[:, None], n[None, :]
    odd = (row + column) % 2 == 1
    along = np.where(odd, 4.0 * row * column / (length * np.where(odd, row**2 - column**2, 1)), 0.0)
    waves = np.diag((n * np.pi / length) ** 2)
    zero, one = np.zeros((modes, modes)), np.eye(modes)
    restoring = -(tension / mass_per_length - speed**2) * waves - damping * speed * along
    steady = np.block([[zero, one], [restoring, -2.0 * speed * along - damping * one]])
    return steady, waves / mass_per_length


def _trace(ratio: FloatArray, eps: FloatArray, wave: Callable[[float], Any], damping_ratio: float) -> FloatArray:
    """Return the trace of the map over one period of u'' + (1 - zeta^2 + eps g) u = 0, where y = u exp(-zeta t), t in 1
    / w0.

    A step of the Magnus series is the exponential of [[a, h], [-h k, -a]] with k the mean of 1 - zeta^2 + eps g at the
    two Gauss points and a = sqrt(3) / 12 h^2 (k2 - k1): cosh(s) plus sinh(s) / s times this matrix, s^2 = a^2 - h^2 k.
    """
    if ratio.size == 0:
        return np.zeros(ratio.shape)
    steps = STEPS_PER_CYCLE * math.ceil(max(1.0, 1.0 / float(ratio.min())))
    h = 2.0 * np.pi / (ratio * steps)
    xx, xv, vx, vv = np.ones(ratio.shape), np.zeros(ratio.shape), np.zeros(ratio.shape), np.ones(ratio.shape)
    for i in range(steps):
        phase = 2.0 * math.pi * (i + 0.5) / steps
        shift = 2.0 * math.pi * GAUSS / steps
        k1, k2 = (1.0 - damping_ratio**2 + eps * float(wave(phase + at)) for at in (-shift, shift))
        a = GAUSS / 2.0 * h**2 * (k2 - k1)
        k = 0.5 * (k1 + k2)
        s = np.sqrt((a**2 - h**2 * k).astype(complex))
        cosh = np.cosh(s).real
        sinh = np.where(np.abs(s) > 1e-8, np.sinh(s) / np.where(s == 0.0, 1.0, s), 1.0).real
        p, q, r, t = cosh + sinh * a, sinh * h, -sinh * h * k, cosh - sinh * a
        xx, xv, vx, vv = p * xx + q * vx, p * xv + q * vv, r * xx + t * vx, r * xv + t * vv
    return np.asarray(xx + vv)
