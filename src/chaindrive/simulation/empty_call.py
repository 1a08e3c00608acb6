"""Cost of a call of a kernel from Python with as many arrays as an evaluation has."""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["no_evaluation"]


@kernel
def no_evaluation(t, y, dy, p):
    """A kernel with the arguments of an evaluation that evaluates nothing."""
