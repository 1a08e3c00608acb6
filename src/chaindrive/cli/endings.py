"""Ways for a command to end that are neither an error nor success."""

from __future__ import annotations

__all__ = ["Terminated"]


class Terminated(KeyboardInterrupt):
    """The process was asked to terminate (SIGTERM)."""
