"""Cost of a kernel call from Python with the number of arrays of an evaluation."""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["no_evaluation"]


@kernel
def no_evaluation(t, y, dy, p):
    """A kernel with the arguments of an evaluation that does nothing."""
