"""Velocity Verlet with forces that use a velocity accurate to second order: the method that ``auto`` chooses for
friction with sticking.

Positions and velocities of a step are those of verlet.py. The velocity at the end of the step, on which forces depend,
is predicted as in Beeman (J. Comput. Phys. 20, 1976, 130-139), with the two-step Adams-Bashforth formula:

    v* = v + h a + r h/2 (a - a0)       a0 at the start of the previous step, r = h/h0, at most 1

With v + h a, as in verlet.py, damping that the step resolves is too strong by (w h)^2/2 in a mode of the frequency w.
As the work of damping is computed with the speed v*, the energy balance has an error of the same size. Here both errors
are of fourth order.

The method is stable for (h w/2)^2 + 2 h c < 1 with damping rate c; with v + h a the last term is half as large. The
step is OF_STABLE times the longest step that satisfies this for the highest w and c of a system; a limit of h w also
bounds the error of the highest frequency. The method cannot be used if forces depend on speed with slopes that c does
not include, as with smoothed friction: it would excite motions that v + h a damps.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from chaindrive.contract.kernels import Kernels
from chaindrive.kernels import kernel
from chaindrive.solvers.control import Advance, Method
from chaindrive.solvers.verlet import predicting, verlet_with

if TYPE_CHECKING:
    from chaindrive.contract.motion import Motion

__all__ = ["METHOD", "STEP_TIMES_FREQUENCY", "longest_step", "verlet_beeman"]

STEP_TIMES_FREQUENCY = 1.3
"""Product of step and highest frequency from which the step is chosen if none is given: 0.65 of the stability limit
without damping. It bounds the error of frequencies. [-]"""
OF_STABLE = 0.73
"""Ratio of the step to the longest stable step; it leaves a margin because impacts cause more damping than the parts of
a drive. [-]"""
LARGEST_STEP_TIMES_FREQUENCY, LEFT = 1.9, 0.97
"""Product of step and frequency above which the step is shortened during a run (verlet.py), and the factor by which it
is shortened each time. [-]"""


@kernel(inline=True)
def extrapolated(h, before):
    """Return the factor by which the last change of the rates is multiplied in the extrapolation, h/2 times r [s];
    before: the previous step [s].

    The first step has no previous step. After a short step, as at a stop, rates are not extrapolated over more than the
    length of the short step.
    """
    return 0.5 * h * min(h / before, 1.0) if before > 0.0 else 0.0


def verlet_beeman(kernels: Kernels) -> Advance:
    """Make ``advance`` from the kernels of a formulation."""
    return verlet_with(kernels, predicting(kernels.rates, extrapolated), LARGEST_STEP_TIMES_FREQUENCY, LEFT)


def longest_step(motion: Motion) -> float:
    """Return OF_STABLE times the longest step that is stable for the frequency w and the damping rate c of a motion,
    but not more than STEP_TIMES_FREQUENCY/w. [s]

    If only W = c + sqrt(c^2 + w^2) is known, the step is OF_STABLE/W, because 1/W is stable for every combination of w
    and c.
    """
    w, c = motion.frequency_and_damping
    if not w > 0.0:
        return OF_STABLE / motion.highest_frequency
    return min(STEP_TIMES_FREQUENCY / w, OF_STABLE / (c + math.sqrt(c * c + 0.25 * w * w)))


METHOD = Method(
    bind=verlet_beeman,
    stages=3,
    fixed_step=True,
    step_times_frequency=STEP_TIMES_FREQUENCY,
    largest_step_times_frequency=LARGEST_STEP_TIMES_FREQUENCY,
    longest_step=longest_step,
)
