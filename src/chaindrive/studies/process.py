"""The code that a worker process runs first, before NumPy is loaded, and the signal that tells a worker to stop."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from typing import TYPE_CHECKING, Any

from chaindrive.collecting import collect_later

if TYPE_CHECKING:
    from chaindrive.studies.worker import Outcome, Task

__all__ = ["begin_worker", "work"]

_stop: Any = None


def begin_worker(stop: Any) -> None:
    """Prepare a worker process. stop: an event (multiprocessing) that is set when the study is interrupted.

    The parent process handles Ctrl-C and sets the event; a worker also ends if its parent was killed.
    """
    global _stop
    _stop = stop
    collect_later()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()


def work(task: Task) -> Outcome | None:
    """Compute one run in a worker process; return None if it was interrupted."""
    from chaindrive.studies.worker import execute

    return execute(task, None if _stop is None else _stop.is_set)
