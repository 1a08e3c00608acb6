"""Files of end states of runs: arrays and text in one .npz file, which is replaced by one atomic rename. Nothing is
unpickled.
"""

from __future__ import annotations

import os
import zipfile
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from chaindrive.contract.end_state import FACTS, EndState
from chaindrive.errors import InputError, Problem
from chaindrive.results.lowlevel import full_disk, replacing

__all__ = ["load_end_state", "save_end_state"]

_SHAPES = {"kinds": (1, np.int64), "state": (1, np.float64)}
"""Number of dimensions and type of the arrays ``kinds`` and ``state``."""


def save_end_state(path: str | os.PathLike[str], end: EndState) -> None:
    """Save an end state as .npz; an existing file at ``path`` is replaced once the new one is on disk.

    Raises ComputationError if it cannot be written.
    """
    target = Path(path)
    try:
        with replacing(target) as part, part.open("wb") as file:
            np.savez(file, allow_pickle=False, **{name: np.asarray(value) for name, value in end.arrays().items()})
    except OSError as error:
        raise full_disk(error, target, "the end state is not saved.") from None


def load_end_state(path: str | os.PathLike[str]) -> EndState:
    """Load an end state. Raises InputError if the file is missing or not an end state."""
    place = os.fspath(path)
    try:
        with np.load(place, allow_pickle=False) as stored:
            found: dict[str, Any] = {each.name: stored[each.name] for each in fields(EndState) if each.name != "facts"}
            facts = {name.removeprefix(FACTS): stored[name] for name in stored.files if name.startswith(FACTS)}
        for name, (dimensions, kind) in _SHAPES.items():
            if found[name].ndim != dimensions or found[name].dtype != kind:
                raise ValueError(f"{name} has the wrong shape or type")
        for name in ("drive", "formulation"):
            found[name] = str(found[name])
        found["time"], found["positions"] = float(found["time"]), int(found["positions"])
    except FileNotFoundError:
        raise InputError(Problem(place, "this end state does not exist")) from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(Problem(place, f"this is not a readable end state of a run ({error})")) from None
    return EndState(**found, facts=facts)
