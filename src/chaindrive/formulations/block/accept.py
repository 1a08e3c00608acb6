"""Tasks between steps and at the start of a run: storing the initial energy, and checking the limit of the
tension.
"""

from __future__ import annotations

import math

from chaindrive.contract.status import Accepted
from chaindrive.formulations.block.endings import TENSION_AT_MAXIMUM
from chaindrive.formulations.block.peaks import forget_peaks
from chaindrive.formulations.block.rhs import energies, rhs, stick
from chaindrive.kernels import kernel

UNCHANGED, TOO_TENSE = int(Accepted.UNCHANGED), TENSION_AT_MAXIMUM.code


@kernel
def margin(p):
    """Return how far the largest tension of the last evaluation is below the maximum, as a fraction of the maximum."""
    if p.maximum_tension == math.inf:
        return 1.0
    tension = -math.inf
    for k in range(p.wheels):
        tension = max(tension, p.pull.tension[k])
    return 1.0 - tension / p.maximum_tension


@kernel(apart=True)
def accept(t, y, p):
    """Let bearings slide. Return Accepted.UNCHANGED, or the code of the ending due to excessive tension."""
    stick(y, p, False)
    return UNCHANGED if margin(p) > 0.0 else TOO_TENSE


@kernel(apart=True)
def begin(t, y, p):
    """Store the energy for the balance, and let bearings that turn slide.

    Return Accepted.UNCHANGED, or the code of the ending due to excessive tension.
    """
    forget_peaks(p.peaks)
    rhs(t, y, p.derivative, p)
    if not p.anchors_kept:
        stick(y, p, True)
    kinetic, elastic, gravity = energies(y, p)
    p.start_energy[0] = kinetic + elastic + gravity
    return UNCHANGED if margin(p) > 0.0 else TOO_TENSE
