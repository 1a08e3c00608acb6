"""Work in processes that are killed when they take too long, with a separate measurement for each task."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

__all__ = ["Limits", "computed"]

Task = Mapping[str, Any]
GRACE = 1800.0
"""Longest time until a process is ready; the first one compiles kernels. [s of wall-clock time]"""
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Environment variables that restrict a process to one thread, so that its CPU time is that of the work."""


class Limits(NamedTuple):
    """Limits of a task."""

    cpu: float
    """CPU time [s] after which the process ends itself."""
    wall: float
    """Wall-clock time [s] after which it is killed. It is far longer than ``cpu``, because other work may be
    running.
    """


class _Worker:
    """A process with one task at a time."""

    def __init__(self, module: str, part: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process: BaseProcess = context.Process(target=_serve, args=(other, module, part), daemon=True)
        self.process.start()
        other.close()
        self.task: Task | None = None
        self.ready, self.begun = False, time.monotonic()

    def give(self, task: Task, limits: Limits) -> None:
        self.task, self.begun = task, time.monotonic()
        self.pipe.send((dict(task), limits.cpu))

    def end(self) -> int | None:
        """Kill the process and return its exit code."""
        self.process.kill()
        self.process.join()
        self.pipe.close()
        return self.process.exitcode


def computed(
    tasks: Sequence[Task], module: str, part: str, processes: int, limits: Limits
) -> Iterator[tuple[Task, dict[str, Any]]]:
    """Yield every task with its answer, in order of completion.

    module: a module with ``warm_up(part)`` and ``answer(task) -> dict``, which run in the processes. The answer is
    {"outcome": "limit"} for a task that takes too long, and {"outcome": "crash", "error": ...} for a task whose process
    dies. Raises RuntimeError if a process does not start.
    """
    for variable in ONE_THREAD:
        os.environ.setdefault(variable, "1")
    waiting = list(reversed(tasks))
    workers = [_Worker(module, part)] if waiting else []
    try:
        while workers:
            wait([worker.pipe for worker in workers], timeout=0.5)
            if all(worker.ready for worker in workers) and len(workers) < min(processes, len(workers) + len(waiting)):
                workers.append(_Worker(module, part))  # one after the other: the kernels are compiled once
            for worker in list(workers):
                answer = _heard(worker, limits)
                if answer is not None and worker.task is not None:
                    yield worker.task, answer
                    worker.task = None
                if not worker.process.is_alive():
                    worker.end()
                    workers.remove(worker)
                    if waiting:
                        workers.append(_Worker(module, part))
                elif worker.ready and worker.task is None and waiting:
                    worker.give(waiting.pop(), limits)
                elif worker.ready and worker.task is None:
                    worker.end()
                    workers.remove(worker)
    finally:
        for worker in workers:
            worker.end()


def _heard(worker: _Worker, limits: Limits) -> dict[str, Any] | None:
    """The answer to a worker's task; None if it is not yet available."""
    try:
        if worker.pipe.poll():
            said: dict[str, Any] = worker.pipe.recv()
            worker.ready = True
            return None if worker.task is None else said
    except (EOFError, ConnectionResetError):
        code = worker.end()
        if worker.task is None:
            raise RuntimeError(f"a process ended before it had a task (exit code {code})") from None
        if code == -signal.SIGPROF if hasattr(signal, "SIGPROF") else False:
            return {"outcome": "limit", "error": f"more than {limits.cpu:g} s of CPU time"}
        return {"outcome": "crash", "error": f"the process ended with exit code {code}"}
    if time.monotonic() - worker.begun > (GRACE if worker.task is None else limits.wall):
        worker.process.kill()
        worker.process.join()
        if worker.task is None:
            raise RuntimeError(f"a process was not ready within {GRACE:g} s")
        return {"outcome": "limit", "error": f"more than {limits.wall:g} s of wall clock"}
    return None


def _serve(pipe: Connection, module: str, part: str) -> None:
    """Main function of a process, which warms up and then does one task after the other."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr
    work = importlib.import_module(module)
    work.warm_up(part)
    pipe.send("ready")
    while True:
        try:
            task, cpu = pipe.recv()
        except EOFError:
            return
        _alarm(cpu)
        answer = work.answer(task)
        _alarm(0.0)
        pipe.send(answer)


def _alarm(seconds: float) -> None:
    """Let the system end this process after a CPU time [s]; 0 for no limit. Without it only the wall-clock limit
    applies.
    """
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)
