"""Garbage collection in processes of this package: the command line, the workers of a study and of the editor.

A program that imports the package keeps its own settings.
"""

from __future__ import annotations

import gc

__all__ = ["collect_later"]

FIRST = 400_000
"""Number of objects at which garbage is collected for the first time."""


def collect_later() -> None:
    """Postpone the first garbage collection until the start of the process is over, and exclude all earlier objects
    from later collections.

    The modules of a run create some 300,000 objects, which live as long as the process; to search them for garbage
    took a fifth of the time of the start.
    """
    usual = gc.get_threshold()
    if usual[0] == FIRST:
        return

    def go_on_as_usual(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            gc.callbacks.remove(go_on_as_usual)
            gc.freeze()
            gc.set_threshold(*usual)

    gc.callbacks.append(go_on_as_usual)
    gc.set_threshold(FIRST, *usual[1:])
