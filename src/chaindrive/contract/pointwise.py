"""Requirements of a step on a formulation whose friction is solved implicitly at every contact separately.

The state y, with its parts q, v and w, is that of ``states.py``.

    release(t, y, dy, p)     an evaluation (``kernels.py``) without friction
    resolve(t, y, dy, h, p)  directly after it, in dy: adds to dv/dt the friction forces that are consistent with the
                             velocities v + h dv/dt at the end of a step h [s], these forces included. Each contact is
                             solved separately, with the other parts at the velocities that the forces of the previous
                             step would give. Rates of w use the mean of the velocities before and after wherever
                             friction contributes to them: the loss in a contact is exactly the impulse times its mean
                             sliding speed.

The forces stay in the memory of p until the next ``resolve``. Every other evaluation (``rhs``, ``record``) uses them
unchanged, so friction is a force over a step, and not a function of the state. The data from which ``resolve``
predicts velocities of other parts change in ``accept`` only: a repeated call gives the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

__all__ = ["PointwiseKernels"]


class PointwiseKernels(NamedTuple):
    """The compiled functions, see the module."""

    release: Callable[..., None]
    resolve: Callable[..., None]
