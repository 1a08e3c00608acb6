"""Interruption of a run from outside, as by Ctrl-C."""

from __future__ import annotations

import chaindrive as cd


class Stop:
    """A progress callback that interrupts the run after a time.

    after: [s]."""

    def __init__(self, after: float) -> None:
        self.after = after

    def __call__(self, progress: cd.Progress) -> None:
        if progress.time >= self.after:
            raise KeyboardInterrupt
