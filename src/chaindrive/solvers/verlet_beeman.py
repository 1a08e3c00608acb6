"""Velocity Verlet whose forces use a velocity correct to second order: the choice of ``auto`` if friction sticks.

Positions and velocities of a step are those of verlet.py. The velocity at its end, on which forces depend, is predicted
as in Beeman (J. Comput. Phys. 20, 1976, 130-139), with the two-step Adams-Bashforth formula:

    v* = v + h a + r h/2 (a - a0)       a0 at the start of the previous step, r = h/h0, at most 1

With v + h a, as in verlet.py, damping that the step resolves is too strong by (w h)^2/2 in a mode of the frequency
w, and its work is computed with the speed v*, which causes an equal error in the energy balance. Here both errors are
of the fourth order.

Stable for (h w/2)^2 + 2 h c < 1 with damping rate c; with v + h a the last term is half as large. The step is OF_STABLE
times the longest one that satisfies this for the highest w and c of a system, and keeps h w below a limit, which bounds
the error of the highest frequency. The method is not usable if forces have slopes versus speed that c does not include,
such as smoothed friction: it excites motions that v + h a would damp.
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
"""Step chosen when none is given, times the highest frequency: 0.65 of the stability limit without damping. It bounds
the error of frequencies. [-]"""
OF_STABLE = 0.73
"""Step divided by the longest stable one: impacts cause more damping than the parts of a drive. [-]"""
LARGEST_STEP_TIMES_FREQUENCY, LEFT = 1.9, 0.97
"""Limit at which the step is shortened during a run (verlet.py), and the fraction that remains each time. [-]"""


@kernel(inline=True)
def extrapolated(h, before):
    """Factor with which the last change of the rates is extrapolated, h/2 times r [s]; before: the previous step [s].

    There is no step before the first one. After a short step, as at a stop, rates are not extrapolated over more than
    the length of that step.
    """
    return 0.5 * h * min(h / before, 1.0) if before > 0.0 else 0.0


def verlet_beeman(kernels: Kernels) -> Advance:
    """Make ``advance`` from the kernels of a formulation."""
    return verlet_with(kernels, predicting(kernels.rates, extrapolated), LARGEST_STEP_TIMES_FREQUENCY, LEFT)


def longest_step(motion: Motion) -> float:
    """OF_STABLE times the longest step that is stable for the frequency w and the damping rate c of a motion, but not
    above STEP_TIMES_FREQUENCY/w. [s]

    If only W = c + sqrt(c^2 + w^2) is known it is OF_STABLE/W, because 1/W is stable for every combination of both.
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
    longest_step=longest_step,
)
