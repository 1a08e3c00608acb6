"""Checkpoints: all data needed to resume a run, stored beside its results file, replaced by one atomic rename."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.errors import InputError, Problem
from chaindrive.results.attributes import encode, versions
from chaindrive.results.lowlevel import full_disk, replacing

__all__ = [
    "Checkpoint",
    "Fingerprint",
    "fingerprint",
    "load",
    "name_for",
    "read_arrays",
    "remove",
    "save",
    "write_arrays",
]

METADATA, DIGEST = "checkpoint_metadata", "checkpoint_digest"
FORMAT = 3


class Fingerprint(NamedTuple):
    """Identity of a run: two runs with the same fingerprint give the same results, bit for bit, on the same machine."""

    drive: str
    """SHA-256 of the text of the drive."""
    options: str
    """SHA-256 of all options."""
    version: str
    """Version of chaindrive."""
    kernels: str = ""
    """Digest of the kernels, because two copies of the source with the same version may differ; empty if it was not
    stored."""

    def other_source(self, here: Fingerprint) -> str:
        """Return a short text that names the version that computed this run, if it differs from ``here``; otherwise
        empty.
        """
        if self.version != here.version:
            return f"chaindrive {self.version}, this is {here.version}"
        if self.kernels != here.kernels:
            return f"chaindrive {self.version} with other kernels ({self.kernels or 'unknown'}, here {here.kernels})"
        return ""


class Checkpoint(NamedTuple):
    """Contents of a checkpoint."""

    arrays: dict[str, NDArray[Any]]
    """State, memory of the contacts, and rows not yet written by the writer."""
    metadata: dict[str, Any]
    """Other data saved with the arrays; by convention ``rows`` is the number of rows that the results file holds."""


def fingerprint(drive: str, options: Any) -> Fingerprint:
    """Return the fingerprint of a run; drive: its text; options: a mapping or a pydantic model."""

    def digest(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()

    found = versions()
    return Fingerprint(digest(drive), digest(encode(options)), found["chaindrive"], found["kernels"])


def name_for(path: str | os.PathLike[str]) -> Path:
    """Return the path of the checkpoint of a results file, such as ``run.nc.checkpoint``."""
    return Path(f"{os.fspath(path)}.checkpoint")


def save(
    path: str | os.PathLike[str],
    arrays: Mapping[str, NDArray[Any]],
    metadata: Mapping[str, Any],
    identity: Fingerprint,
) -> None:
    """Save a checkpoint beside the results file ``path``; the previous one is replaced once this one is on disk.

    Raises ComputationError if it cannot be written; the previous one is then kept.
    """
    target = name_for(path)
    content = {"format": FORMAT, "identity": identity._asdict(), "metadata": dict(metadata)}
    text = np.frombuffer(json.dumps(content).encode(), dtype=np.uint8)
    if METADATA in arrays:
        raise ValueError(f"no array may be called {METADATA}")
    try:
        with replacing(target) as part, part.open("wb") as file:
            write_arrays(file, {**arrays, METADATA: text})
    except OSError as error:
        raise full_disk(error, target, "the previous checkpoint is kept.") from None


def load(path: str | os.PathLike[str], identity: Fingerprint) -> Checkpoint:
    """Load the checkpoint of the results file ``path``.

    Raises InputError if there is none, if it is damaged, or if it was written with a different drive, different
    options, a different version of chaindrive or different kernels.
    """
    target = name_for(path)
    place = str(target)
    start_over = "run without --resume to start again"
    if not target.is_file():
        raise InputError(Problem(place, f"there is no checkpoint to continue from; {start_over}"))
    try:
        with target.open("rb") as file:
            arrays, whole = read_arrays(file)
        content = json.loads(arrays[METADATA].tobytes().decode())
        found = Fingerprint(**content["identity"])
        metadata = dict(content["metadata"])
        readable = content["format"] == FORMAT
        if readable and not whole:
            raise ValueError("its content is not what was saved")
    except PermissionError:
        raise InputError(Problem(place, "no permission to read this checkpoint")) from None
    except Exception as error:  # any error of the readers of zip files, arrays and JSON
        reason = str(error)[:200] or type(error).__name__
        raise InputError(Problem(place, f"this is not a readable checkpoint ({reason}); {start_over}")) from None
    if not readable:
        raise InputError(Problem(place, f"written by another version of chaindrive; {start_over}"))
    problems = []
    if found.drive != identity.drive:
        problems.append(Problem(place, f"belongs to another drive: the description has changed since; {start_over}"))
    if found.options != identity.options:
        problems.append(Problem(place, f"belongs to a run with other options; use the same ones, or {start_over}"))
    if other := found.other_source(identity):
        problems.append(Problem(place, f"written by {other}; {start_over}"))
    if problems:
        raise InputError(problems)
    return Checkpoint({name: values for name, values in arrays.items() if name != METADATA}, metadata)


def write_arrays(file: IO[bytes], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays of numbers by name, with a digest of all of them. Raises ValueError for other arrays."""
    plain: dict[str, Any] = {name: np.asarray(values) for name, values in arrays.items()}
    if DIGEST in plain or any(values.dtype.hasobject for values in plain.values()):
        raise ValueError(f"arrays of numbers only, and none of them called {DIGEST}")
    np.savez(file, **plain | {DIGEST: _digest(plain)})  # without objects, see above: nothing is pickled


def read_arrays(file: IO[bytes]) -> tuple[dict[str, NDArray[Any]], bool]:
    """Return the arrays written by ``write_arrays``, by name, and whether they match the digest stored with them.

    For any other kind of file the exceptions of the readers of zip files and arrays are raised.
    """
    _check_parts(file)
    file.seek(0)
    with np.load(file, allow_pickle=False) as stored:
        arrays = {name: np.asarray(stored[name]) for name in stored.files}
    digest = arrays.pop(DIGEST, None)
    return arrays, digest is not None and np.array_equal(digest, _digest(arrays))


def _digest(arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.uint8]:
    """Return the SHA-256 of all arrays with their names, types and shapes, as bytes, shape (32,)."""
    found = hashlib.sha256()
    for name in sorted(arrays):
        values = np.ascontiguousarray(arrays[name])
        found.update(f"{name} {values.dtype.str} {values.shape} ".encode())
        found.update(values.tobytes())
    return np.frombuffer(found.digest(), dtype=np.uint8)


def _check_parts(file: IO[bytes]) -> None:
    """Raise ValueError if a member of the zip file is damaged, or if its uncompressed members claim to be larger than
    the file.
    """
    size = file.seek(0, os.SEEK_END)
    with zipfile.ZipFile(file) as archive:
        parts = archive.infolist()
        if sum(part.file_size for part in parts) > size:
            raise ValueError("its parts are larger than the file")
        if damaged := archive.testzip():
            raise ValueError(f"{damaged} is damaged")


def remove(path: str | os.PathLike[str]) -> None:
    """Remove the checkpoint of a results file, if there is one."""
    with contextlib.suppress(OSError):
        name_for(path).unlink()
