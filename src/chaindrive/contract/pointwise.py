"""What a step requires of a formulation whose friction is solved implicitly, for every contact separately.

The state y, with its parts q, v and w, is defined in ``states.py``.

    release(t, y, dy, p)     evaluates the rates (``kernels.py``) without friction
    resolve(t, y, dy, h, p)  called directly after ``release``: adds to dv/dt in dy the friction that is consistent
                             with the velocities v + h dv/dt at the end of a step h [s], which include its effect. Each
                             contact is solved separately; the other parts have the velocities that the forces of the
                             previous step would give. Where friction contributes to the rates of w, they use the mean
                             of the velocities before and after the step, so that the loss in a contact is exactly the
                             impulse times its mean sliding speed.

The forces stay in the memory of p until the next ``resolve``. Every other evaluation (``rhs``, ``record``) uses them
unchanged, so friction is constant during a step rather than a function of the state. The data from which ``resolve``
predicts velocities of other parts change only in ``accept``, so that a repeated call gives exactly the same result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

__all__ = ["PointwiseKernels"]


class PointwiseKernels(NamedTuple):
    """The compiled functions; the docstring of the module describes them."""

    release: Callable[..., None]
    resolve: Callable[..., None]
