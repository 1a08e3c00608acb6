"""First start with nothing compiled, warm start, and memory: ``chaindrive run`` in a separate process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from measure import Row, Section

COMMAND = Path(__file__).with_name("command.py")
COLD_LIMIT, WARM_LIMIT, MEMORY_LIMIT = 30.0, 2.0, 300.0
"""Wanted: cold start to a results file [s], key press to the first step when warm [s], memory [MB]."""


def command(folder: Path, cache: Path, *arguments: str, source: Path | None = None) -> dict[str, float]:
    """One ``chaindrive`` command in a new process; its notes, see ``command.py``. source: another tree's src folder.

    Raises RuntimeError with its output if it fails.
    """
    notes = folder / "notes.json"
    notes.unlink(missing_ok=True)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)} | ({} if source is None else {"PYTHONPATH": str(source)})
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    line = [sys.executable, str(COMMAND), repr(time.time()), str(notes), *arguments]
    ended = subprocess.run(line, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise RuntimeError(f"{' '.join(arguments)}: exit code {ended.returncode}\n{ended.stdout}\n{ended.stderr}")
    held: dict[str, float] = json.loads(notes.read_text())
    return held


def run(quick: bool) -> Section:
    """Times and memory of cold and warm commands."""
    cold_repeats, warm_repeats, long = (1, 2, "1") if quick else (2, 5, "10")
    short = ("run", "6l60mc", "--until", "0.1", "--force", "-o", "run.nc")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        colds = [command(folder, folder / f"cache{k}", *short) for k in range(cold_repeats)]
        cache = folder / "cache0"
        warms = [command(folder, cache, *short) for _ in range(warm_repeats)]
        once = ("run", "6l60mc", "--until", "0.01", "--force", "-o", "run.nc")
        command(folder, cache, *once, "--solver", "verlet-beeman")
        longs = {
            method: command(
                folder, cache, "run", "6l60mc", "--until", long, "--force", "-o", "run.nc", "--solver", method
            )
            for method in ("dormand-prince", "verlet-beeman")
        }
    rows = [
        Row("cold: chaindrive run 6l60mc --until 0.1, wall", _middle(colds, "total"), "s", COLD_LIMIT),
        Row("cold: CPU", _middle(colds, "cpu"), "s"),
        Row("cold: memory", max(c["memory"] for c in colds), "MB", MEMORY_LIMIT),
        Row("warm: process start to the end of the first step", _middle(warms, "first_step"), "s", WARM_LIMIT),
        Row("warm: process start to the integrator", _middle(warms, "first_call"), "s"),
        Row("warm: the whole command", _middle(warms, "total"), "s"),
        Row("warm: CPU", _middle(warms, "cpu"), "s"),
        Row("warm: memory", max(c["memory"] for c in warms), "MB", MEMORY_LIMIT),
    ]
    for method, held in longs.items():
        rows.append(Row(f"{long} s by {method} into a file: memory", held["memory"], "MB", MEMORY_LIMIT))
        rows.append(Row(f"{long} s by {method} into a file: whole command, wall", held["total"], "s"))
        rows.append(Row(f"{long} s by {method} into a file: whole command, CPU", held["cpu"], "s"))
    remarks = [
        "Cold: the folder for compiled kernels is empty, and Python's own bytecode is in place, as after an "
        "installation. Times are medians, counted from just before the process is started. Memory is the largest "
        "amount that the process held."
    ]
    return Section("Start and memory", rows, remarks)


def _middle(held: list[dict[str, float]], key: str) -> float:
    return float(median(h[key] for h in held))
