"""A process that performs tasks for an editor, one at a time.

A waiting task is dropped when one for a newer text arrives.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from chaindrive.collecting import collect_later
from chaindrive.errors import ChaindriveError, InputError

__all__ = ["Order", "Worker", "serve"]


class Order(NamedTuple):
    """A task to be carried out."""

    task: str
    """Name of the task in ``tasks.TASKS``."""
    text: str
    folder: Path
    revision: int
    """Revision of the text to which the task belongs."""
    options: dict[str, Any]


class Worker:
    """Performs tasks in a process that is started by the first task, and restarted after an unexpected end.

    name: name of the thread. State and results are read with ``state``.
    """

    def __init__(self, name: str, changed: Callable[[], None]) -> None:
        self._name, self._changed = name, changed
        self._lock = threading.Condition()
        self._waiting: Order | None = None
        self._process: Any = None
        self._link: Connection | None = None
        self._stop = self._closed = False
        self._state: dict[str, Any] = {"state": "idle", "revision": -1, "progress": None, "result": None, "error": None}
        threading.Thread(target=self._work, daemon=True, name=name).start()

    @property
    def state(self) -> dict[str, Any]:
        """State of the last task (idle, waiting, running, done, failed), with its revision and progress, and its result
        or error.
        """
        with self._lock:
            return dict(self._state)

    def give(self, order: Order) -> None:
        """Perform this task after the present one; a task that is still waiting is dropped."""
        with self._lock:
            self._waiting = order
            self._stop = False
            if self._state["state"] != "running":
                self._state |= {"state": "waiting", "revision": order.revision}
            self._lock.notify_all()

    def stop(self) -> None:
        """Ask the present task to stop; its results so far are kept."""
        with self._lock:
            self._stop = True
            self._waiting = None

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._closed, self._waiting = True, None
            self._lock.notify_all()
        if self._process is not None:
            self._process.terminate()

    def _work(self) -> None:
        while True:
            with self._lock:
                self._lock.wait_for(lambda: self._closed or self._waiting is not None)
                if self._closed or self._waiting is None:
                    return
                order, self._waiting = self._waiting, None
                begun = {"state": "running", "revision": order.revision, "progress": None, "error": None}
                self._state |= begun | {"task": order.task}
            self._changed()
            try:
                answer = self._done(order)
            except (OSError, EOFError):
                self._process = None
                answer = {"error": {"message": "the computation ended unexpectedly; change something to try again"}}
            with self._lock:
                ended = "failed" if "error" in answer else "done"
                result, error = answer.get("result"), answer.get("error")
                self._state |= {"state": ended, "progress": None, "result": result, "error": error}
            self._changed()

    def _done(self, order: Order) -> dict[str, Any]:
        """Have a task performed and pass on its progress; return its result."""
        if self._process is None or not self._process.is_alive():
            self._begin()
        link = self._link
        assert link is not None  # begun above
        link.send(order)
        while True:
            answer: dict[str, Any] = link.recv()
            if "progress" not in answer:
                return answer
            with self._lock:
                self._state["progress"] = answer["progress"]
                stop = self._stop
            link.send(stop)

    def _begin(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._link, other = context.Pipe()
        self._process = context.Process(target=serve, args=(other,), daemon=True, name=self._name)
        self._process.start()
        other.close()


def serve(link: Connection) -> None:
    """Perform incoming tasks until the other end of the link is closed."""
    import signal

    from chaindrive.editor.tasks import TASKS

    collect_later()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process

    def send(progress: dict[str, Any]) -> bool:
        link.send({"progress": progress})
        return bool(link.recv())

    with contextlib.suppress(EOFError, OSError):
        while True:
            order: Order = link.recv()
            try:
                answer = {"result": TASKS[order.task](order.text, order.folder, send, **order.options)}
            except InputError as error:
                answer = {"error": {"message": str(error), "problems": [tuple(each) for each in error.problems]}}
            except ChaindriveError as error:
                answer = {"error": {"message": str(error)}}
            except KeyboardInterrupt:
                answer = {"error": {"message": "stopped before there were any results"}}
            except Exception as error:  # an internal error: the editor continues
                answer = {"error": {"message": f"internal error: {type(error).__name__}: {error}"}}
            link.send(answer)
