"""An empty kernel, to measure the cost of a kernel call from Python with as many arrays as an evaluation has."""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["no_evaluation"]


@kernel
def no_evaluation(t, y, dy, p):
    """Do nothing; this kernel takes the arguments of an evaluation."""
