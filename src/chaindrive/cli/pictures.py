"""Pictures as files: no file of the user is overwritten by accident, and the reason for a failed write is stated."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.export.target import is_ours
from chaindrive.results.lowlevel import replacing
from chaindrive.version import __version__

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["check_picture", "default_picture", "save_picture"]

FORMATS = ("png", "svg", "pdf")
MAKER = "chaindrive"
"""Mark in every picture, by which chaindrive recognises that it wrote the file."""


def default_picture(name: str) -> Path | None:
    """Return the default path of a picture, or None if a file from another program is there."""
    path = Path(name)
    return None if _is_foreign(path) else path


def _is_foreign(path: Path) -> bool:
    """Return whether a file exists that chaindrive did not write, or that cannot be read."""
    try:
        return path.stat().st_size > 0 and not is_ours(path, MAKER)
    except FileNotFoundError:
        return False
    except OSError:
        return True


def check_picture(path: Path, option: str) -> None:
    """Raise InputError for an unusable path of a picture, and for one at which a file from another program is, before
    a long run rather than after it.
    """
    _check_place(path, option)
    if _is_foreign(path):
        message = "exists already and was not made by chaindrive: choose another name"
        raise InputError(Problem(option, message, repr(str(path))))


def _check_place(path: Path, option: str) -> None:
    """Raise InputError if no picture can be written to that path."""
    ending = path.suffix.lower().lstrip(".")
    if ending not in FORMATS:
        raise InputError(Problem(option, f"the name of a picture must end in {', '.join(FORMATS)}", repr(str(path))))
    try:
        problem = _obstacle(path)
    except (OSError, ValueError) as error:
        problem = f"the picture cannot be written: {getattr(error, 'strerror', None) or error}"
    if problem:
        raise InputError(Problem(option, problem, repr(str(path))))


def _obstacle(path: Path) -> str:
    if path.is_dir():
        return "is a folder; give the name of a picture"
    folder = path.absolute().parent
    if not folder.is_dir():
        return f"the folder {folder} does not exist"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"no permission to write into the folder {folder}"
    if path.exists() and not os.access(path, os.W_OK):
        return "exists already and is write-protected"
    return ""


def save_picture(figure: Figure, path: Path) -> None:
    """Write a figure into a file; an existing file is replaced only by a complete one.

    Raises InputError if it cannot be written, ComputationError if the disk is full.
    """
    _check_place(path, "picture")
    ending = path.suffix.lower().lstrip(".")
    key = {"png": "Software", "svg": "Creator", "pdf": "Creator"}[ending]
    try:
        with replacing(path) as part:
            figure.savefig(part, format=ending, metadata={key: f"{MAKER} {__version__}"})
    except OSError as error:
        raise ComputationError(
            f"the picture {path} could not be written: {error.strerror or error}",
            "free some space, or write elsewhere.",
        ) from None
