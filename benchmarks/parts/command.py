"""Run as a program: the command line of chaindrive in this process, with a note of when the first step was done.

python command.py BEGUN NOTES run 6l60mc --until 0.1 ...

BEGUN: time.time() just before this process was started. NOTES: file for the numbers, JSON: seconds from BEGUN to the
interpreter, to the first call of the integrator, to the end of the first step and to the end, and the largest memory
that the process held [MB].
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

notes: dict[str, float] = {}


def memory() -> float:
    """Largest resident memory of this process so far. [MB]

    From /proc where there is one: ru_maxrss of a child also counts what its parent held when it was started.
    """
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return float(line.split()[1]) / 1000.0 * 1.024
    except OSError:
        pass
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest / (1e6 if sys.platform == "darwin" else 1e3)


def note_first_step(begun: float) -> None:
    """Let the integrator note when its first step begins and ends."""
    from chaindrive.solvers.integrator import Integrator

    advance: Any = Integrator.advance

    def noted(self: Integrator, until: float, budget_steps: int = 20_000) -> Any:
        if "first_step" not in notes:
            notes["first_call"] = time.time() - begun
            status = advance(self, until, 1)
            notes["first_step"] = time.time() - begun
            return status
        return advance(self, until, budget_steps)

    Integrator.advance = noted  # type: ignore[method-assign]


def program(begun: float, target: Path, arguments: list[str]) -> None:
    """Run the command line, then write the notes."""
    notes["interpreter"] = time.time() - begun
    from chaindrive.cli.main import main

    note_first_step(begun)
    sys.argv = ["chaindrive", *arguments]
    code = 0
    try:
        main()
    except SystemExit as ending:
        code = int(ending.code or 0)
    notes["total"] = time.time() - begun
    notes["cpu"] = time.process_time()
    notes["memory"] = memory()
    target.write_text(json.dumps(notes))
    sys.exit(code)


if __name__ == "__main__":
    program(float(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
