"""Attributes stored as text with every result: drive, options, versions, warnings, notes, status and statistics."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

import numpy as np

from chaindrive.contract.status import FORMULATION_ENDINGS, Status
from chaindrive.kernels.source import kernels_digest
from chaindrive.version import __version__

__all__ = [
    "FORMAT",
    "decode",
    "describe",
    "encode",
    "fault_in_attributes",
    "status_attributes",
    "status_of",
    "versions",
]

FORMAT = 1
"""Version of the layout of results files. A reader refuses files with a higher version."""

_KINDS: dict[str, Any] = dict.fromkeys(("ending", "statistics", "notes", "options", "versions", "repeats"), dict)
_KINDS |= dict.fromkeys(("warnings", "offered"), list)
_CRITERIA = {"steady_imbalance", "steady_tension_change", "steady_tension_drift", "steady_revolutions"}
_TEXTS = {"shortened"}
"""Names of the statistics whose values are strings."""
_NUMERIC_NOTES = _CRITERIA | {"end_time", "steady_since"}


def _plain(value: Any) -> Any:
    """Convert arrays, NamedTuples, enumerations and pydantic models to types supported by JSON."""
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)  # JSON has no nan: "nan", "inf", "-inf"
    if isinstance(value, np.generic | np.ndarray):
        return _plain(value.tolist())
    if hasattr(value, "model_dump"):
        return _plain(value.model_dump(mode="python"))
    if hasattr(value, "_asdict"):
        return _plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(_plain(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    return str(value)


def encode(value: Any) -> str:
    """Return the JSON text of a mapping or sequence that may contain arrays; nan and infinity become strings."""
    return json.dumps(_plain(value), ensure_ascii=False, allow_nan=False)


def decode(text: str) -> Any:
    """Return the value of a JSON text, as the inverse of :func:`encode` as far as JSON allows; an empty text gives an
    empty dict.

    Raises ValueError for text that is not JSON, or is nested deeper than any text written here.
    """
    try:
        return json.loads(text) if text else {}
    except RecursionError:
        raise ValueError("is nested too deeply") from None


def status_attributes(status: Status) -> dict[str, str]:
    """Return a status as attributes: its name; for a failure or an ending that the formulation defines, also its
    meaning, the advice and the place.
    """
    texts = {"meaning": status.meaning, "advice": status.advice, "where": status.where}
    own = {} if status in Status.GENERAL and not status.failed else texts
    return {"status": status.name, "ending": encode(own)}


def status_of(attributes: Mapping[str, str]) -> Status:
    """Return the status stored in attributes; INTERRUPTED if the run was never finished (killed, or still running)."""
    name = attributes.get("status", "")
    general = {status.name: status for status in Status.GENERAL}
    texts = {key: str(value) for key, value in decode(attributes.get("ending", "")).items()}
    found = general.get(name)
    if found == Status.RUNNING or not name:
        return Status.INTERRUPTED
    if found is not None and not texts:
        return found
    words = name.replace("_", " ").capitalize()
    code = FORMULATION_ENDINGS if found is None else found.code
    return Status(name, code, texts.get("meaning") or f"{words}.", texts.get("advice", ""), texts.get("where", ""))


def versions() -> dict[str, str]:
    """Return the versions of the software that computes the result: Python, NumPy, Numba and chaindrive, and the digest
    of the kernels.

    The version of chaindrive is that of the running source, which may differ from the installed one.
    """
    import platform
    from importlib import metadata

    try:
        numba = metadata.version("numba")
    except metadata.PackageNotFoundError:
        numba = "unknown"
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba,
        "chaindrive": __version__,
        "kernels": kernels_digest(),
    }


def describe(
    drive: str,
    options: Any,
    *,
    name: str = "",
    formulation: str = "",
    solver: str = "",
    balance: str = "auto",
    offered: Sequence[str] = (),
    warnings: Sequence[str] = (),
    notes: Mapping[str, Any] | None = None,
) -> dict[str, str]:
    """Return the global attributes of a run at its beginning.

    drive: text of the drive as TOML; options: mapping or pydantic model with all other settings of the run; name: name
    of the drive; offered: all channels of the formulation, stored or not; warnings and notes: warnings and notes known
    before the run, which remain in the file if the run is killed. A result contains no paths of the computer and no
    user name.
    """
    import datetime

    found = versions()
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "Conventions": "CF-1.8",
        "title": f"Dynamics of the chain drive {name}" if name else "Dynamics of a chain drive",
        "source": f"chaindrive {found['chaindrive']}",
        "history": f"{now} simulated by chaindrive {found['chaindrive']}",
        "chaindrive_format": str(FORMAT),
        "name": name,
        "formulation": formulation,
        "solver": solver,
        "balance": balance,
        "offered": encode(list(offered)),
        "drive": drive,
        "options": encode(options),
        "versions": encode(found),
        "status": "RUNNING",
        "statistics": "{}",
        "warnings": encode(list(warnings)),
        "notes": encode(notes or {}),
    }


def fault_in_attributes(attributes: Mapping[str, str]) -> str:
    """Return a description of an error in the attributes of a results file; empty for attributes as :func:`describe`
    writes them.

    Statistics must be numbers, except ``shortened``; warnings and the offered channels must be strings, and the other
    attributes tables; notes that are used in computations must have the right type.
    """
    for name, kind in _KINDS.items():
        try:
            value: Any = decode(attributes.get(name, ""))
        except ValueError:
            return f"{name} is not JSON"
        if kind is list and value == {}:  # no such attribute
            continue
        if not isinstance(value, kind):
            return f"{name} is of the wrong type"
        if name == "statistics" and not all(
            isinstance(each, str) if key in _TEXTS else _is_number(each) for key, each in value.items()
        ):
            return "statistics are not numbers"
        if kind is list and not all(isinstance(each, str) for each in value):
            return f"{name} are not strings"
        if name == "notes" and (found := _fault_in_notes(value)):
            return found
        if name == "repeats" and not _are_repeats(value):
            return "repeats are not tables of numbers"
    return ""


def _fault_in_notes(notes: Mapping[str, Any]) -> str:
    """Return a description of an error in the notes that readers use in computations; empty if there is none."""
    for note in sorted(notes.keys() & _NUMERIC_NOTES):
        if not _is_number(notes[note]):
            return f"the note {note} is not a number"
    if not isinstance(notes.get("steady", False), bool):
        return "the note steady is neither true nor false"
    needed = {"steady_since"} if notes.get("steady") else set()
    needed |= _CRITERIA if notes.keys() & _CRITERIA else set()
    missing = sorted(needed - notes.keys())
    return f"the note {missing[0]} is missing" if missing else ""


def _are_repeats(stored: Mapping[str, Any]) -> bool:
    """Return whether repetitions have the format of ``repeats.packed_repeats``."""
    runs = stored.get("runs", [])
    return isinstance(runs, list) and all(
        isinstance(run, dict)
        and isinstance(run.get("disturbance"), int)
        and isinstance(run.get("status"), str)
        and isinstance(run.get("extremes"), dict)
        and all(map(_is_number, run["extremes"].values()))
        for run in runs
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)
