"""Compilation and linking of the shell of an FMU, with a C compiler of this machine or the one in ziglang."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from chaindrive.errors import ComputationError, InputError, Problem

__all__ = ["PLATFORMS", "Platform", "compiler_for", "link"]


class Platform(NamedTuple):
    """A system for which a shared library can be built."""

    triple: str
    """Target triple in the notation of LLVM."""
    folders: dict[str, str]
    """Name of the folder of its binaries, for each version of the interface."""
    ending: str
    zig: str
    """Target in the notation of zig, with the oldest C library on which the result runs."""
    compilers: tuple[str, ...]
    """Names of other compilers for this system."""


PLATFORMS = {
    "linux64": Platform(
        "x86_64-unknown-linux-gnu",
        {"2.0": "linux64", "3.0": "x86_64-linux"},
        ".so",
        "x86_64-linux-gnu.2.17",
        ("gcc", "clang", "cc"),
    ),
    "win64": Platform(
        "x86_64-w64-windows-gnu",
        {"2.0": "win64", "3.0": "x86_64-windows"},
        ".dll",
        "x86_64-windows-gnu",
        ("x86_64-w64-mingw32-gcc",),
    ),
}
"""Platforms by name: Linux and Windows on x86-64."""
SHELL = Path(__file__).parent / "shell"


def compiler_for(name: str) -> list[str]:
    """Return the command of a C compiler for a platform.

    Raises InputError that states what to install if there is none.
    """
    wanted = PLATFORMS[name]
    here = sys.platform == "linux" and platform.machine().lower() in ("x86_64", "amd64")
    for each in wanted.compilers if here or name == "win64" else ():
        if found := shutil.which(each):
            return [found]
    if importlib.util.find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc", "-target", wanted.zig]
    message = f"needs a C compiler for {name}, and none was found: pip install chaindrive[fmu] installs one (ziglang)"
    others = f", or install {wanted.compilers[0]}" if here or name == "win64" else ""
    python = "; --python writes an FMU without a compiler, for tools with Python and chaindrive"
    raise InputError(Problem("--platform", message + others + python, name))


def link(name: str, version: str, folder: Path, objects: Sequence[Path], output: Path) -> None:
    """Compile the shell and link it with object files into a shared library.

    name: name of the platform; version: version of the interface; folder: folder of ``model.h``. Raises InputError if
    there is no compiler, and ComputationError with the message of the compiler if compilation fails.
    """
    command = [
        *compiler_for(name),
        *("-std=gnu11", "-O2", "-Wall", "-Wextra", "-shared", "-fvisibility=hidden"),
        *(["-fPIC", "-Wl,--no-undefined"] if name.startswith("linux") else []),
        *("-I", str(folder), str(SHELL / f"fmi{version[0]}.c")),
        *map(str, objects),
        *("-o", str(output), "-lm"),
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)  # noqa: S603
    except OSError as error:
        raise ComputationError(f"the C compiler {command[0]} could not be started: {error.strerror or error}") from None
    if done.returncode != 0:
        errors = " ".join(done.stderr.split())[-1000:]
        raise ComputationError(f"the C compiler could not build the library for {name}: {errors}", "another compiler.")
