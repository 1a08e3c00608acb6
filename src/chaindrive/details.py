"""Details of an internal error, with its traceback, in a file that can be sent to the developers.

They are never shown on a terminal.
"""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from pathlib import Path

from chaindrive.version import __version__

__all__ = ["details_of", "leave_details"]


def details_of(error: BaseException) -> str:
    """Return the data needed to find the cause of an internal error: versions, machine and traceback."""
    head = f"chaindrive {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
    return head + "".join(traceback.format_exception(error))


def leave_details(details: str) -> str:
    """Write details into a separate file and return its name, or an empty string if none can be written.

    The folder for temporary files, which may be full, the working folder and the user's folder are tried in turn.
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
