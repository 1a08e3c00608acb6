"""Tasks between steps and at the start of a run."""

from __future__ import annotations

from chaindrive.contract.status import Accepted
from chaindrive.formulations.cvt.endings import LEFT_GROOVE, SLIPS
from chaindrive.formulations.cvt.parameters import PAIRS
from chaindrive.formulations.cvt.peaks import forget_peaks
from chaindrive.formulations.cvt.rhs import energies, rhs
from chaindrive.kernels import fill, kernel

UNCHANGED = int(Accepted.UNCHANGED)
SLIPPING, OUTSIDE = SLIPS.code, LEFT_GROOVE.code


@kernel(apart=True)
def accept(t, y, p):
    """Store the friction torque for the next prediction. Return Accepted.UNCHANGED or the code of an ending.

    The chain slips if the pins of a pair slide faster than ``slip_speed`` on average.
    """
    for w in range(PAIRS):
        p.expected[w] = p.sum.torque[w]
        if abs(p.sum.sliding[w]) > p.slip_speed:
            return SLIPPING
    for c in range(p.contacts[0]):
        w, radius = p.touch.wheel[c], p.touch.radius[c]
        if radius < p.sheave.least[w] or radius > p.sheave.most[w]:
            return OUTSIDE
    return UNCHANGED


@kernel(apart=True)
def begin(t, y, p):
    """Start without friction, and store the energy for the balance. Return Accepted.UNCHANGED."""
    fill(p.pin.along, 0.0)
    fill(p.pin.across, 0.0)
    fill(p.pin.sliding_along, 0.0)
    fill(p.pin.sliding_across, 0.0)
    fill(p.sum.sliding, 0.0)
    fill(p.expected, 0.0)
    fill(p.joint_x, 0.0)
    fill(p.joint_y, 0.0)
    forget_peaks(p.peaks)
    rhs(t, y, p.derivative, p)
    kinetic, elastic, gravity = energies(y, p)
    p.start_energy[0] = kinetic + elastic + gravity
    return UNCHANGED
