"""The command line in processes that are stopped by a signal or by a full disk."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

__all__ = ["FILL", "STRETCH", "WAIT", "Ended", "Fault", "Stop", "call", "command"]

CHILD = """
import sys
sys.path.insert(0, sys.argv[1])
from _crash_command import call
print("ready", flush=True)
call(sys.argv[2:])
"""
"""Program of a separate process that loads the compiled kernels; other processes are forked from one that has loaded
them.
"""
STRETCH = 3000
"""Number of steps after which Verlet checks the energy balance."""
FILL = 0
"""What happens instead of a signal: the disk is filled up."""
WAIT = 600.0
"""Longest wait for the end of a process. [s]"""


class Stop(NamedTuple):
    """Instant and way in which a command is stopped."""

    delay: float
    """[s]"""
    signal: int
    begun: tuple[str, ...] = ()
    """Pattern of files in its folder; the delay begins when a new one appears, because the command is then writing.
    """


class Ended(NamedTuple):
    """The end of a process."""

    code: int
    err: str
    stopped: bool
    """Whether the signal came before the process ended by itself."""
    seconds: float
    """Time from the end of the imports to the end of the process or to the signal."""
    writing: float
    """The part of this time after the first file appeared."""


class Fault(Exception):
    """A required condition is not met."""


def call(arguments: Sequence[str]) -> None:
    """The command line with checkpoints every 20 ms instead of every 2 s and with short stretches, so that a run has
    many of both.
    """
    from chaindrive.cli.main import main
    from chaindrive.simulation import simulate as simulation
    from chaindrive.simulation import stretches

    simulation.CHECKPOINT_INTERVAL, simulation.BUDGET = 0.02, 1_000_000
    stretches.SHORTEST_SECTION = stretches.LONGEST_SHORTENED = stretches.LONGEST_SECTION = STRETCH
    main(list(arguments))


def command(
    folder: Path,
    arguments: Sequence[str],
    stop: Stop | None = None,
    cache: Path | None = None,
    limit: int = 0,
) -> Ended:
    """Call the command line in a folder. cache: folder of compiled kernels, which a separate process then loads. limit:
    largest permitted size of a file [bytes]; 0 for no limit.
    """

    def files_begun() -> set[Path]:
        return {path for name in stop.begun for path in folder.glob(name)} if stop else set()

    before = files_begun()  # a killed run may have left some
    with tempfile.TemporaryFile() as err:
        process = _fresh(folder, arguments, cache, err) if cache else _forked(folder, arguments, limit, err)
        begun = writing = time.monotonic()
        code = None
        if stop is not None:
            if stop.begun:
                code, writing = _wait(process, WAIT, lambda: bool(files_begun() - before)), time.monotonic()
            if code is None:
                code = _wait(process, stop.delay)
            if code is None and stop.signal == FILL:
                fill(folder.parent / "filler")
            elif code is None:
                os.kill(process, stop.signal)
        stopped = stop is not None and code is None and stop.signal != FILL
        ended = time.monotonic()
        if code is None:
            code = _wait(process, WAIT)
        if code is None:
            os.kill(process, signal.SIGKILL)
            _wait(process, WAIT)
            raise Fault(f"did not end within {WAIT:.0f} s")
        err.seek(0)
        text = err.read().decode(errors="replace")
        ended = ended if stopped else time.monotonic()
        return Ended(code, text, stopped, ended - begun, ended - writing)


def _wait(process: int, seconds: float, reached: Callable[[], bool] = lambda: False) -> int | None:
    """The exit code of a child process, negative for a signal; None if it still runs after a time [s] or when a
    condition is met.
    """
    end = time.monotonic() + seconds
    while True:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        left = end - time.monotonic()
        if left <= 0.0 or reached():
            return None
        time.sleep(min(0.002, left))


def _forked(folder: Path, arguments: Sequence[str], limit: int, err: IO[bytes]) -> int:
    """A child of this process, which has the same imported modules and loaded kernels."""
    sys.stdout.flush()
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        os.dup2(err.fileno(), 2)
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
        os.chdir(folder)
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        call(arguments)
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 1
    except KeyboardInterrupt:  # before the command line had begun
        code = 130
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(Exception):
            sys.stderr.flush()
        os._exit(code)


def _fresh(folder: Path, arguments: Sequence[str], cache: Path, err: IO[bytes]) -> int:
    """Start a new process, and return when its imports are done."""
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(Path(__file__).parent), *arguments],
        cwd=folder,
        env=dict(os.environ) | {"NUMBA_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE,
        stderr=err,
    )
    assert process.stdout is not None
    process.stdout.readline()
    threading.Thread(target=_drain, args=(process.stdout,), daemon=True).start()
    process.returncode = 0  # waited for by number
    return process.pid


def _drain(pipe: IO[bytes]) -> None:
    """Read all output, so that the pipe never fills."""
    with pipe:
        pipe.read()


def fill(path: Path) -> None:
    """Fill the remaining space of a disk with one file."""
    with suppress(OSError), path.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            with suppress(OSError):
                while file.write(bytes(size)) == size:
                    pass
