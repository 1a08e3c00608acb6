"""Substitutes for the processes of an editor in tests."""

from __future__ import annotations

import threading
from typing import Any

from chaindrive.editor.tasks import TASKS, problem_entry
from chaindrive.editor.worker import Order
from chaindrive.errors import ChaindriveError, InputError

__all__ = ["Still", "Threaded"]

IDLE: dict[str, Any] = {"state": "idle", "revision": -1, "progress": None, "result": None, "error": None}


class Still:
    """Keeps the orders it receives, and computes nothing."""

    def __init__(self, name: str, changed: Any) -> None:
        self.given: list[Order] = []
        self.state = dict(IDLE)

    def give(self, order: Order) -> None:
        self.given.append(order)

    def stop(self) -> None:
        self.given.clear()

    def close(self) -> None:
        pass


class Threaded(Still):
    """Does the tasks in this process, where everything is loaded, the newest order last."""

    lock = threading.Lock()

    def __init__(self, name: str, changed: Any) -> None:
        super().__init__(name, changed)
        self._changed = changed

    def give(self, order: Order) -> None:
        self.given.append(order)
        self.state = IDLE | {"state": "waiting", "revision": order.revision}
        threading.Thread(target=self._do, args=(order,), daemon=True).start()

    def _do(self, order: Order) -> None:
        with self.lock:
            if order is not self.given[-1]:
                return
            done: dict[str, Any]
            try:
                told = lambda progress: False  # noqa: E731
                done = {"state": "done", "result": TASKS[order.task](order.text, order.folder, told, **order.options)}
            except InputError as error:
                problems = [problem_entry(each) for each in error.problems]
                done = {"state": "failed", "error": {"message": str(error), "problems": problems}}
            except ChaindriveError as error:
                done = {"state": "failed", "error": {"message": str(error)}}
        self.state = self.state | done
        self._changed()
