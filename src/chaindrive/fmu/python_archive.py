"""What the archive of an FMU that is stepped in the importer's Python holds, besides its description.

The shared libraries are those of pythonfmu (FMI 2.0) and pythonfmu3 (3.0), which call a Python that is there.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path

from chaindrive.errors import InputError, Problem
from chaindrive.fmu.model import Model
from chaindrive.fmu.toolchain import PLATFORMS
from chaindrive.model import Drive
from chaindrive.version import release

__all__ = ["library_of", "needs_python", "python_parts"]

LIBRARIES = {"2.0": "pythonfmu", "3.0": "pythonfmu3"}
"""By the version of the interface."""
SLAVES = Path(__file__).parent / "slaves"


def needs_python() -> str:
    """What the importing tool must have."""
    return f"Python with chaindrive {release()} in the importing tool"


def library_of(version: str) -> str:
    """Name of the library for a version of the interface. Raises InputError, which says what to install, without it."""
    name = LIBRARIES[version]
    if importlib.util.find_spec(name) is None:
        message = f"needs the package {name}, which is not here: pip install chaindrive[fmu] brings it"
        raise InputError(Problem("--python", message, version))
    return name


def python_parts(
    model: Model, version: str, drive: Drive, outputs: Sequence[str], parameters: Sequence[str]
) -> dict[str, bytes]:
    """Contents by their places in the archive: libraries for all platforms, the slave, and the drive as data."""
    name = library_of(version)
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    source = Path(spec.origin).parent
    slave, here = f"chaindrive_fmi{version[0]}", "chaindrive_here"
    told = {
        "release": release(),
        "token": model.token,
        "outputs": list(outputs),
        "parameters": list(parameters),
    }
    found = {
        "resources/chaindrive.json": json.dumps(told, indent=1).encode(),
        "resources/drive.toml": drive.to_toml().encode(),
        "resources/slavemodule.txt": slave.encode(),
        **{f"resources/{each}.py": (SLAVES / f"{each}.py").read_bytes() for each in (slave, here)},
        f"documentation/licenses/{name}.txt": _license(name),
    }
    found |= {f"resources/{name}/{each.name}": each.read_bytes() for each in sorted(source.glob("*.py"))}
    for platform in PLATFORMS.values():
        folder = platform.folders[version]
        (library,) = (source / "resources" / "binaries" / folder).glob(f"*{platform.ending}")
        found[f"binaries/{folder}/{model.identifier}{platform.ending}"] = library.read_bytes()
    return found


def _license(name: str) -> bytes:
    """The licence of a library, a copy of which goes with every copy of it."""
    files = importlib.metadata.files(name) or ()
    return next(each.read_text() for each in files if each.name.startswith("LICENSE")).encode()
