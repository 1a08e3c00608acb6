"""The details of a mistake of ours: its traceback, in a file that can be sent. A user never sees it on a terminal."""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from pathlib import Path

from chaindrive.version import __version__

__all__ = ["details_of", "leave_details"]


def details_of(error: BaseException) -> str:
    """What is needed to find a mistake: versions, machine, traceback."""
    head = f"chaindrive {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
    return head + "".join(traceback.format_exception(error))


def leave_details(details: str) -> str:
    """Write details into a file of their own; return its name, empty where none can be written.

    Tried are the folder for temporary files, which may be full, the working folder and that of the user.
    """
    for folder in (None, os.curdir, Path.home):
        try:
            place = folder() if callable(folder) else folder
            with tempfile.NamedTemporaryFile(
                "w", prefix="chaindrive-", suffix=".log", delete=False, encoding="utf-8", errors="replace", dir=place
            ) as log:
                try:
                    log.write(details)
                    log.flush()
                except OSError:
                    os.unlink(log.name)
                    raise
            return os.path.abspath(log.name)
        except (OSError, RuntimeError):  # a full disk, no permission, no such user
            continue
    return ""
