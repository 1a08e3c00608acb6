"""What happens between steps, and where a run begins: the start energy of the audit, and the limit of the tension."""

from __future__ import annotations

import math

from chaindrive.formulations.block.parameters import PULL_TENSION
from chaindrive.formulations.block.rhs import energies, rhs
from chaindrive.kernels import kernel
from chaindrive.system import Accepted, Status

UNCHANGED = int(Accepted.UNCHANGED)
TOO_TENSE = int(Status.TENSION_ABOVE_BREAKING_LOAD)


@kernel(inner=True)
def _ending(p):
    """UNCHANGED, or the ending where a span of the last evaluation is tenser than it may be."""
    tension = -math.inf
    for k in range(p.wheels):
        tension = max(tension, p.pull[k, PULL_TENSION])
    return TOO_TENSE if tension > p.maximum_tension else UNCHANGED


@kernel
def accept(t, y, p):
    """Nothing changes at an accepted state; returns Accepted.UNCHANGED or the ending by the tension."""
    return _ending(p)


@kernel
def begin(t, y, p):
    """Store the energy for the audit. Returns Accepted.UNCHANGED or the ending by the tension."""
    rhs(t, y, p.derivative, p)
    kinetic, elastic, gravity = energies(y, p)
    p.start_energy[0] = kinetic + elastic + gravity
    return _ending(p)
