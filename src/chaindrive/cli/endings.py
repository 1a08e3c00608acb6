"""Exit codes, and the ways for a command to end that are neither an error nor success."""

from __future__ import annotations

__all__ = ["DONE", "FAILED", "INTERRUPTED", "TERMINATED", "WRONG_INPUT", "Stopped", "Terminated"]

DONE, WRONG_INPUT, FAILED = 0, 1, 2
INTERRUPTED, TERMINATED = 130, 143
"""As shells count them: 128 and the number of the signal."""


class Terminated(KeyboardInterrupt):
    """The process was asked to terminate (SIGTERM); for a run the same as Ctrl-C."""


class Stopped(Exception):
    """A command ended because it was asked to. Not a KeyboardInterrupt, which typer turns into an ending of its own."""

    def __init__(self, interruption: KeyboardInterrupt) -> None:
        self.exit_code = TERMINATED if isinstance(interruption, Terminated) else INTERRUPTED
        super().__init__()
