"""A controller with a proportional and an integral part and a limited output.

Astrom and Hagglund (2006), Advanced PID Control, section 3.5: u = P e + X within limits, X' = I e + (u - (P e + X)) / T
with the tracking time T = P / I. While the output is at a limit, X tends to the value at which the output just leaves
it.
"""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["controller_output", "controller_rate"]


@kernel
def controller_output(error, integral_part, proportional, least, largest):
    """Output of the controller: the sum of proportional and integral part, within the limits.

    error: error of the controlled quantity; integral_part, least, largest: in the unit of the output; proportional:
    output per unit of error.
    """
    return min(max(proportional * error + integral_part, least), largest)


@kernel
def controller_rate(error, integral_part, proportional, integral, least, largest):
    """Rate of change of the integral part, in the unit of the output per second; integral: rate per unit of error."""
    raw = proportional * error + integral_part
    limited = min(max(raw, least), largest)
    return integral * error + integral / proportional * (limited - raw)
