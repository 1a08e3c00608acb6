"""Computation of the runs of a study: in this process, in several processes, or on a dask.distributed cluster.

A pool accepts tasks (``submit``), returns outcomes as they finish (``wait``) and has a limited number of ``slots``. No
more tasks than that are submitted, so that the most urgent task is always next.
"""

from __future__ import annotations

import contextlib
import importlib.util
import multiprocessing
import os
import signal
import socket
import sys
import types
import urllib.parse
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from numbers import Integral
from typing import Any, Protocol

from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.model.own_law import modules_of
from chaindrive.model.problems import shown
from chaindrive.simulation.compiling_ahead import SWITCH
from chaindrive.studies.process import begin_worker, work
from chaindrive.studies.worker import Outcome, Task, execute

__all__ = ["Pool", "available_cores", "check_cluster", "open_pool", "worker_count"]

LOOK = 0.2
"""Interval at which a waiting parent process checks whether it has been interrupted. [s]"""
CONNECTING = 15.0
"""Time allowed for finding a scheduler. [s]"""
ANSWERING = 5.0
"""Time allowed for connecting to the scheduler. [s]"""
PROTOCOLS = ("tcp", "tls", "ws", "wss")
"""Protocols whose addresses consist of a host and a port."""
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Environment variables with which linear algebra uses one thread in each worker, because the runs themselves are
parallel."""


class Pool(Protocol):
    """Interface of anything that computes runs."""

    slots: int
    """Number of tasks that the pool accepts at a time."""

    def submit(self, task: Task) -> None:
        """Submit a task. Raises ComputationError if no process can accept it."""

    def wait(self) -> list[Outcome]:
        """Return the outcomes that are ready; wait for at least one, unless none is ready within a short time. Raises
        KeyboardInterrupt if interrupted.
        """

    def close(self) -> None:
        """Close the pool; computations in progress are abandoned."""


def available_cores() -> int:
    """Return the number of processor cores that this process may use."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1


@contextlib.contextmanager
def open_pool(workers: int, cluster: str | None) -> Iterator[Pool]:
    """Provide a pool with this number of processes, with this process alone for workers = 1, or on a cluster (address
    of its scheduler).

    Raises InputError if there is no such cluster, or the package ``distributed`` is missing.
    """
    pool: Pool
    if cluster is not None:
        pool = _Executed(*_cluster(cluster))
    elif workers > 1:
        pool = _Processes(workers)
    else:
        pool = _OneProcess()
    try:
        yield pool
    finally:
        pool.close()


class _OneProcess:
    """Computes one run after the other, in this process."""

    slots = 1

    def __init__(self) -> None:
        self._task: Task | None = None

    def submit(self, task: Task) -> None:
        self._task = task

    def wait(self) -> list[Outcome]:
        assert self._task is not None
        outcome = execute(self._task)
        if outcome is None:
            raise KeyboardInterrupt
        return [outcome]

    def close(self) -> None:
        pass


class _Executed:
    """Computes runs on an executor of concurrent.futures."""

    def __init__(self, executor: Executor, slots: int, client: Any = None) -> None:
        self.slots, self._executor, self._client = slots, executor, client
        self._running: set[Future[Outcome | None]] = set()

    def submit(self, task: Task) -> None:
        self._running.add(self._executor.submit(work, task._replace(modules=modules_of(task.drive))))

    def wait(self) -> list[Outcome]:
        done, self._running = wait(self._running, timeout=LOOK, return_when=FIRST_COMPLETED)
        outcomes = []
        for future in done:
            try:
                outcome = future.result()
            except Exception as error:  # the worker itself failed: out of memory, killed, another version
                raise _lost(error) from None
            if outcome is None:
                raise KeyboardInterrupt
            outcomes.append(outcome)
        return outcomes

    def close(self) -> None:
        for future in self._running:
            future.cancel()
        self._executor.shutdown(wait=False)
        if self._client is not None:
            self._client.close()


class _Processes(_Executed):
    """Computes runs in processes on this machine. They are spawned, so they share no state with this process."""

    def __init__(self, workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=begin_worker, initargs=(self._stop,))
        super().__init__(pool, workers)

    def submit(self, task: Task) -> None:
        try:
            with _quiet_start():  # this may start a process
                super().submit(task)
        except BrokenProcessPool as error:
            raise _lost(error) from None

    def close(self) -> None:
        self._stop.set()
        self._executor.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _quiet_start() -> Iterator[None]:
    """Within this context, processes are started that compute with one thread each, leave Ctrl-C to this process, and
    do not run its script.

    Ctrl-C is blocked in the meantime but not lost: a child process begins with Ctrl-C blocked, and this process
    receives it afterwards. The script is replaced by an empty one, because a spawned process would run the script
    before anything else and start the study again.
    """
    given = dict.fromkeys(THREADS, "1") | {SWITCH: "0"}  # no compiling helpers in addition to the workers
    before = {name: os.environ.get(name) for name in given}
    hold = getattr(signal, "pthread_sigmask", None)  # not on Windows
    held = hold(signal.SIG_BLOCK, {signal.SIGINT}) if hold is not None else None
    for name, value in given.items():
        os.environ.setdefault(name, value)
    script = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script
        for name, earlier in before.items():
            if earlier is None:
                os.environ.pop(name, None)
        if hold is not None:
            hold(signal.SIG_SETMASK, held)


def _lost(error: Exception) -> ComputationError:
    text = " ".join(str(error).split())[:200]
    return ComputationError(
        f"a worker of the study ended unexpectedly ({type(error).__name__}: {text})",
        "run the study again: it continues with the missing runs; use fewer workers if memory is short",
    )


def worker_count(workers: int | None) -> int:
    """Return the number of processes: the given number, or that of the cores for None. Raises InputError unless it is a
    whole number of at least 1.
    """
    if workers is None:
        return available_cores()
    if not isinstance(workers, Integral) or isinstance(workers, bool) or workers < 1:
        message = "must be a whole number of at least 1; without it there is one process for each core"
        raise InputError(Problem("workers", message, shown(workers)))
    return int(workers)


def check_cluster(address: str) -> None:
    """Raise InputError for an unusable address before anything is computed.

    address: in the notation of dask.distributed, ``tcp://host:8786``, ``tls://...``, ``host:8786``; other protocols
    (``inproc://``, ``ucx://``) are checked by dask.distributed itself. Raises InputError if the package is missing, the
    address is invalid, or no connection is possible.
    """
    if not isinstance(address, str):
        raise InputError(Problem("cluster", "must be an address such as tcp://192.168.0.7:8786", shown(address)))
    scheme, separator, place = address.rpartition("://")
    has_port = not separator or scheme in PROTOCOLS
    try:
        parts = urllib.parse.urlsplit(f"//{place}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if has_port and (not host or port is None or parts.path.strip("/") or not address.isprintable()):
        message = "is not an address of a scheduler of dask.distributed, such as tcp://192.168.0.7:8786"
        raise InputError(Problem("cluster", message, repr(address)))
    if importlib.util.find_spec("distributed") is None:
        message = "needs the package distributed: pip install 'chaindrive[cluster]'"
        raise InputError(Problem("cluster", message, repr(address)))
    if not has_port:
        return
    try:
        socket.create_connection((host or "", port or 0), timeout=ANSWERING).close()
    except (OSError, UnicodeError) as error:  # a name that no host can have
        raise InputError(Problem("cluster", _unreachable(error), repr(address))) from None


def _unreachable(error: Exception) -> str:
    text = " ".join((getattr(error, "strerror", None) or str(error)).split())[:200]
    return f"no scheduler of dask.distributed answers there: {text}"


def _cluster(address: str) -> tuple[Executor, int, Any]:
    """Return the executor, the total number of threads of all workers, and the client of a dask.distributed cluster."""
    try:
        from distributed import Client
    except ImportError:
        message = "needs the package distributed: pip install 'chaindrive[cluster]'"
        raise InputError(Problem("cluster", message, repr(address))) from None
    try:
        client = Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError, TypeError, TimeoutError) as error:
        raise InputError(Problem("cluster", _unreachable(error), repr(address))) from None
    threads = sum(client.nthreads().values())
    if threads == 0:
        client.close()
        raise InputError(Problem("cluster", "this scheduler has no workers; start some: dask worker ADDRESS", address))
    return client.get_executor(pure=False), threads, client
