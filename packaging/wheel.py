"""Builds the wheel, with the compiled kernels of common drives in it.

    python packaging/wheel.py [-o dist] [EXAMPLE ...]

The package must be installed here as it is in this checkout. The examples named (all, when none is) are simulated for a
moment each, with their forecast, and as the editor does: at rest with their frequencies, and in the chain drive block
where that supports them. The files of compiled kernels that are read for that go into the wheel. They serve where
Python, Numba and llvmlite have the versions of this environment and the processor runs x86-64-v3; elsewhere kernels are
compiled, as from source. Every file says what it was compiled from, and is not used for anything else
(``chaindrive.kernels.cache``).
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNTIL = 2e-3
"""How long the runs last. [s]"""
READS = """
import json
import sys

import chaindrive
from chaindrive.editor.tasks import check, in_block
from chaindrive.kernels.cache import files_read
from chaindrive.model import example_path

drive, until, file = chaindrive.example(sys.argv[1]), float(sys.argv[2]), example_path(sys.argv[1])
check(file.read_text("utf-8"), file.parent, lambda told: False)
short = in_block(drive)[0]
for each in (drive,) if short is drive else (drive, short):
    chaindrive.simulate(each, until, progress=False, forecast=lambda told: None)
print(json.dumps(sorted(map(str, files_read()))))
"""
"""Prints the files that the runs of one example read."""


def main() -> None:
    """Simulate, gather, build."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", nargs="*", help="whose kernels go into the wheel; all examples when none is named")
    parser.add_argument("-o", "--output", type=Path, default=Path("dist"), help="folder of the wheel")
    asked = parser.parse_args()
    from chaindrive.kernels.cache import SHIPPED
    from chaindrive.model import example_names

    shutil.rmtree(SHIPPED, ignore_errors=True)
    files: set[Path] = set()
    for name in asked.examples or example_names():
        files |= read_by(name)
        print(f"{name}: {len(files)} kernels so far", flush=True)
    SHIPPED.mkdir()
    try:
        for file in files:
            shutil.copy(file, SHIPPED)
        size = sum(file.stat().st_size for file in files)
        print(f"{len(files)} kernels, {size / 1e6:.1f} MB")
        line = [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            str(asked.output),
            str(ROOT),
        ]
        subprocess.run(line, check=True)
    finally:
        shutil.rmtree(SHIPPED)


def read_by(name: str) -> set[Path]:
    """The files of compiled kernels that all of this reads for an example, in a separate process.

    A process reads no file of what it compiles itself: another one follows until nothing is compiled.
    """
    from chaindrive.kernels.cache import cache_folder

    line, compiled = [sys.executable, "-c", READS, name, str(UNTIL)], set(cache_folder().glob("*.nbc"))
    while True:
        done = subprocess.run(line, check=True, capture_output=True, text=True)
        before, compiled = compiled, set(cache_folder().glob("*.nbc"))
        if compiled == before:
            return set(map(Path, json.loads(done.stdout.splitlines()[-1])))


if __name__ == "__main__":
    main()
