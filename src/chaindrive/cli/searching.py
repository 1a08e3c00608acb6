"""Shows the progress of the search for equilibrium: a changing line on a terminal, an occasional line elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from chaindrive.cli import console
from chaindrive.simulation.progress import REPORT_INTERVAL

__all__ = ["searching"]


@contextmanager
def searching(task: str) -> Iterator[Callable[[str], None]]:
    """Show a task while it lasts; yield a function that is called with a short text about its progress."""
    reported = time.monotonic()
    screen = console.err()
    with screen.status(f"{task} ...") as status:

        def progress(words: str) -> None:
            nonlocal reported
            if screen.is_terminal:
                status.update(console.printable(f"{task}: {words}"))
            elif time.monotonic() - reported >= REPORT_INTERVAL:
                reported = time.monotonic()
                console.note(f"{task}: {words}")

        yield progress
