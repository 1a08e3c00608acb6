"""Content of the archive of an FMU that is stepped in the importer's Python, other than the description of the model.

The shared libraries are those of pythonfmu (FMI 2.0) and pythonfmu3 (3.0), which call an installed Python.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from chaindrive.errors import InputError, Problem
from chaindrive.fmu.model import Model
from chaindrive.fmu.toolchain import PLATFORMS
from chaindrive.model import Drive
from chaindrive.version import release

__all__ = ["library_of", "needs_python", "python_parts"]

LIBRARIES = {"2.0": "pythonfmu", "3.0": "pythonfmu3"}
"""Libraries, with the version of the interface as key."""
SLAVES = Path(__file__).parent / "slaves"


def needs_python() -> str:
    """Return what the importing tool needs."""
    return f"Python with chaindrive {release()} in the importing tool"


def library_of(version: str) -> Distribution:
    """Return the installed library for a version of the interface. Raises InputError that states what to install."""
    name = LIBRARIES[version]
    try:
        return distribution(name)
    except PackageNotFoundError:
        message = f"needs the package {name}, which is not installed: pip install chaindrive[fmu] adds it"
        raise InputError(Problem("--python", message, version)) from None


def python_parts(
    model: Model, version: str, drive: Drive, outputs: Sequence[str], parameters: Sequence[str]
) -> dict[str, bytes]:
    """Return the contents of the archive with their paths as keys.

    They are libraries for all platforms, the slave, and the drive as data.
    """
    library = library_of(version)  # the installed one: an FMU that runs in this process adds its own to sys.path
    name, slave, here = LIBRARIES[version], f"chaindrive_fmi{version[0]}", "chaindrive_here"
    contents = {
        "release": release(),
        "token": model.token,
        "outputs": list(outputs),
        "parameters": list(parameters),
    }
    found = {
        "resources/chaindrive.json": json.dumps(contents, indent=1).encode(),
        "resources/drive.toml": drive.to_toml().encode(),
        "resources/slavemodule.txt": slave.encode(),
        **{f"resources/{each}.py": (SLAVES / f"{each}.py").read_bytes() for each in (slave, here)},
    }
    binaries = {f"{name}/resources/binaries/{each.folders[version]}": each for each in PLATFORMS.values()}
    for file in sorted(library.files or ()):
        folder, content = file.parent.as_posix(), Path(str(file.locate())).read_bytes
        if folder == name and file.suffix == ".py":
            found[f"resources/{file.as_posix()}"] = content()
        elif folder in binaries:
            platform = binaries[folder]
            found[f"binaries/{platform.folders[version]}/{model.identifier}{platform.ending}"] = content()
        elif file.name.startswith("LICENSE"):  # a copy of which belongs to every copy of the library
            found[f"documentation/licenses/{name}.txt"] = content()
    return found
