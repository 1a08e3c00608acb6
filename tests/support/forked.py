"""Processes of tests that are forks of this one: everything is imported, so that they begin at once.

For tests of what happens to a process (a signal, a limit, its end), not of how a new one begins.
"""

from __future__ import annotations

import logging
import os
import runpy
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")


class Forked:
    """A function that runs in a fork, in a folder: its standard output and errors, and its exit code.

    Signals act as in a new process. Objects of this process are not taken down when it ends.
    """

    def __init__(self, function: Callable[[], object], folder: Path) -> None:
        self._out, self._err = (tempfile.TemporaryFile("w+", encoding="utf-8") for _ in range(2))  # noqa: SIM115
        self.returncode: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            code = 1
            try:
                code = self._run(function, folder)
            finally:
                os._exit(code)

    def _run(self, function: Callable[[], object], folder: Path) -> int:
        """Run the function in the fork; its exit code."""
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            logging.getLogger().handlers.clear()  # those of pytest
            os.dup2(self._out.fileno(), 1)
            os.dup2(self._err.fileno(), 2)
            sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))  # noqa: SIM115
            os.chdir(folder)
            function()
        except SystemExit as ending:
            return int(ending.code or 0)
        except BaseException:
            traceback.print_exc()
            return 1
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
        return 0

    @property
    def out(self) -> str:
        """Text written to standard output so far."""
        return _text(self._out.fileno())

    @property
    def err(self) -> str:
        """Text written to standard error so far."""
        return _text(self._err.fileno())

    def poll(self) -> int | None:
        """The exit code, the negative number of the signal that ended it, or None while it runs."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def wait(self, until: Callable[[], object] = lambda: False, timeout: float = 120.0) -> int | None:
        """Wait until it ends or a condition holds; return the exit code, None while it runs. Kill it at the limit."""
        deadline = time.monotonic() + timeout
        while self.poll() is None and not until():
            if time.monotonic() > deadline:
                self.kill()
                pytest.fail(f"still running after {timeout:g} s\n{self.out}\n{self.err}")
            time.sleep(0.005)
        return self.returncode

    def kill(self) -> None:
        """End it if it runs."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def __enter__(self) -> Forked:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._out.close()
        self._err.close()


def _text(file: int) -> str:
    """The content of a file; the position of its writer is unchanged."""
    return os.pread(file, os.fstat(file).st_size, 0).decode("utf-8", "replace")


def run_script(script: Path, cache: Path, *arguments: str, **environment: str) -> Forked:
    """Run a Python file, with arguments and an environment, in a fork that has a cache of kernels of its own."""
    from chaindrive.kernels import cache as kernel_cache

    def call() -> None:
        os.environ.update(environment | {"NUMBA_CACHE_DIR": str(cache)})
        for remembered in (kernel_cache.cache_folder, kernel_cache._lock_file, kernel_cache._say):
            remembered.cache_clear()
        tempfile.tempdir = None
        sys.argv = [str(script), *arguments]
        runpy.run_path(str(script), run_name="__main__")

    return Forked(call, script.parent)
