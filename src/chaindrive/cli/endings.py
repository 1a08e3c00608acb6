"""Exit codes, and endings of a command that are neither an error nor a success."""

from __future__ import annotations

__all__ = ["DONE", "FAILED", "INTERRUPTED", "TERMINATED", "WRONG_INPUT", "Stopped", "Terminated"]

DONE, WRONG_INPUT, FAILED = 0, 1, 2
INTERRUPTED, TERMINATED = 130, 143
"""Exit codes as in shells: 128 plus the number of the signal."""


class Terminated(KeyboardInterrupt):
    """The process was asked to terminate (SIGTERM); for a run this is the same as Ctrl-C."""


class Stopped(Exception):
    """A command was ended on request. This is not a KeyboardInterrupt, because typer handles that in its own way."""

    def __init__(self, interruption: KeyboardInterrupt) -> None:
        self.exit_code = TERMINATED if isinstance(interruption, Terminated) else INTERRUPTED
        super().__init__()
