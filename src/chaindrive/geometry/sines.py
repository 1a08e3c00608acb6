"""Sine and cosine from basic arithmetic, so that a loop over the angles of many links can use vector registers."""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["vector_sincos"]

ROUNDING = 1.5 * 2.0**52
"""Adding and then subtracting this number rounds to the nearest whole number, as floats of this size have no
fraction.
"""


@kernel(inline=True)
def vector_sincos(angle):
    """Sine and cosine of an angle, |angle| < 1e6 rad; absolute error below 3e-16 near zero, 1e-15 anywhere. [-]

    Quarter turns, k pi/2 in two parts, are subtracted from half the angle, so that at most pi/4 remains. For this range
    the polynomials of the C library fdlibm (Sun Microsystems 1993, k_sin.c and k_cos.c) are valid. The angle itself is
    twice the remainder plus k half turns. Both parts, and ``ROUNDING``, work only if sums are not reordered
    (``kernel(parallel_sums=False)``).
    """
    half_turns = (angle * 0.3183098861837907 + ROUNDING) - ROUNDING
    r = (0.5 * angle - half_turns * 1.57079632673412561417) - half_turns * 6.07710050650619224932e-11
    z = r * r
    sine = z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)
    sine = z * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06 + z * sine)
    sine = r + r * z * (-1.66666666666666324348e-01 + z * 8.33333333332248946124e-03 + z * sine)
    cosine = z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)
    cosine = z * (2.48015872894767294178e-05 + z * -2.75573143513906633035e-07 + z * cosine)
    cosine = 1.0 - 0.5 * z + z * z * (4.16666666666666019037e-02 + z * -1.38888888888741095749e-03 + z * cosine)
    odd = half_turns - 2.0 * ((0.5 * half_turns + ROUNDING) - ROUNDING)
    sign = 1.0 - 2.0 * odd * odd
    return 2.0 * sign * sine * cosine, sign * (1.0 - 2.0 * sine * sine)
