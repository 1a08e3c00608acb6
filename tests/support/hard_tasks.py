"""Tasks for a pool of processes that end, hang or die."""

from __future__ import annotations

import os
import time
from typing import Any


def warm_up(part: str) -> None:
    """Loads nothing."""


def answer(task: dict[str, Any]) -> dict[str, Any]:
    """Do what the task says: spin, sleep, die, or anything else, which is returned."""
    if task["do"] == "spin":
        while True:
            pass
    if task["do"] == "sleep":
        time.sleep(600.0)
    if task["do"] == "die":
        os._exit(3)
    return {"outcome": "found", "pid": os.getpid()}
