"""A helper process that compiles kernels ahead of a run, so that two processes share the compilation.

It is started when a run meets the first kernel that has to be compiled, and ends when the run ends, if not before. It
receives the drive as the text of a file, places the chain as the run does, and compiles the integration loop starting
from its last kernel (``kernels/from_the_end.py``). Meanwhile the run compiles the kernels of the start, and then the
loop from its first kernel. They share compiled kernels through files and their locks (``kernels/cache.py``). The
results of a run do not depend on the helper: the run compiles all kernels that the helper has not compiled.

``python -m chaindrive.simulation.compiling_ahead`` is the helper.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from chaindrive.kernels.cache import can_share, when_missing
from chaindrive.model import Drive, Run, loads

__all__ = ["SWITCH", "helped"]

SWITCH = "CHAINDRIVE_COMPILE_AHEAD"
"""Environment variable; the value 0 disables the helper."""
_one_at_a_time = threading.Lock()


@contextlib.contextmanager
def helped(drive: Drive, run: Run) -> Iterator[None]:
    """Let a helper process compile for a run, from the first kernel that is missing until the context ends."""
    helper = _Helper(drive, run)
    if not (helper.wanted() and _one_at_a_time.acquire(blocking=False)):
        yield
        return
    try:
        with when_missing(helper.start):
            yield
    finally:
        helper.end()
        _one_at_a_time.release()


class _Helper:
    """The process that helps a run. Its failures are ignored."""

    def __init__(self, drive: Drive, run: Run) -> None:
        self._drive, self._run = drive, run
        self._begun = False
        self._process: subprocess.Popen[bytes] | None = None

    @staticmethod
    def wanted() -> bool:
        """Whether a helper is useful and a core is free for it; in a pool of processes all cores are busy."""
        python = Path(sys.executable or "").name.lower().startswith("python")  # not an application that embeds Python
        apart = multiprocessing.parent_process() is None
        return os.environ.get(SWITCH) != "0" and python and apart and _cores() > 1

    def start(self) -> None:
        """Start the process, once."""
        if self._begun or not can_share():
            return
        self._begun = True
        with contextlib.suppress(Exception):
            text = self._drive.model_copy(update={"run": self._run}).to_toml()
            self._process = subprocess.Popen(  # noqa: S603 (this Python, this module)
                [sys.executable, "-P", "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=os.environ | {SWITCH: "0", "OPENBLAS_NUM_THREADS": "1"} | _way_here(),
                start_new_session=True,  # Ctrl-C is for the run, which ends its helper
            )
            threading.Thread(target=_hand_over, args=(self._process, text), daemon=True).start()

    def end(self) -> None:
        """End the process."""
        if self._process is None:
            return
        with contextlib.suppress(Exception):
            self._process.kill()
            self._process.wait()
            assert self._process.stdin is not None
            self._process.stdin.close()


def _way_here() -> dict[str, str]:
    """Return the environment variables with which another Python process finds this package if it is not installed.

    The working folder and the folder of a script are omitted, so that files there are not imported by mistake.
    """
    home = Path(__file__).parents[2]
    if home.name in ("site-packages", "dist-packages"):
        return {}
    others = "" if sys.flags.ignore_environment else os.environ.get("PYTHONPATH", "")
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(home), others)))}


def _hand_over(process: subprocess.Popen[bytes], text: str) -> None:
    """Send the helper its drive and wait for it to finish, so that it does not remain as a defunct process.

    Its input pipe stays open: the helper ends when the pipe is closed, or when this process ends.
    """
    assert process.stdin is not None
    with contextlib.suppress(OSError, ValueError):
        process.stdin.write(json.dumps(text).encode() + b"\n")
        process.stdin.flush()
    process.wait()


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1


def _main() -> None:
    """Main function of the helper process."""
    with open(0, "rb", closefd=False) as given:
        text = json.loads(given.readline())
    threading.Thread(target=_end_with_the_run, daemon=True).start()
    _compile(loads(text))
    os._exit(0)


def _end_with_the_run() -> None:
    """Wait until the pipe that supplied the drive is closed, then end the process."""
    while os.read(0, 1):
        pass
    os._exit(0)


def _compile(drive: Drive) -> None:
    """Compile the kernels that a run of a drive calls, starting with the last one."""
    from chaindrive.kernels.from_the_end import compile_from_the_end
    from chaindrive.simulation.settings import chosen_method
    from chaindrive.simulation.start import as_laid
    from chaindrive.solvers.choice import integrator_for
    from chaindrive.solvers.integrator import SolverSettings

    compile_from_the_end()
    system = as_laid(drive)
    method = chosen_method(drive.run, drive, system).method
    settings = SolverSettings(method=method, step=1.0)  # any length: no step is taken
    integrator_for(system, settings, 1.0, drive.run.save.chunk_rows).compile()


if __name__ == "__main__":
    _main()
