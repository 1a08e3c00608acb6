"""``chaindrive edit``: draws a drive in a browser on this machine, where it can be edited."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

from chaindrive.cli import console
from chaindrive.cli.live import PORTS
from chaindrive.errors import InputError, Problem
from chaindrive.shell import command

__all__ = ["Request", "edit"]

FIRST = "drive.toml"
"""Name of a new file."""


class Request(NamedTuple):
    """What the command line requests."""

    file: Path | None
    port: int | None = None
    browser: bool = True


def edit(request: Request) -> None:
    """Serve the page until Ctrl-C. Raises InputError for a file or a port that cannot be used."""
    from chaindrive.editor.document import journal_path, locked_for_editing
    from chaindrive.editor.server import EditorServer
    from chaindrive.editor.session import Session
    from chaindrive.viewer import can_open_browser, open_browser

    if request.port is not None and request.port not in PORTS:
        raise InputError(Problem("--port", f"a port is a number from {PORTS[0]} to {PORTS[-1]}", str(request.port)))
    path = _target(request.file)
    with locked_for_editing(path):
        session = Session(path)
        try:
            with EditorServer(session, request.port or 0) as server:
                console.say(f"Editor of {path.name}: {server.address}", "bold")
                console.say("Ctrl-C ends it.", "dim")
                console.out().file.flush()
                if request.browser and can_open_browser():
                    open_browser(server.address)
                try:
                    while True:
                        time.sleep(3600.0)
                except KeyboardInterrupt:
                    console.say("")
        finally:
            session.close()
    if session.document.unsaved:
        console.say(f"Unsaved changes are kept in {journal_path(path).name}; {command('edit', path)} restores them.")


def _target(file: Path | None) -> Path:
    """Return the file to edit: the given file, or a new file with an unused name. Raises InputError for a file that is
    not TOML.
    """
    if file is None:
        number = 1
        while True:
            path = Path(FIRST if number == 1 else f"{Path(FIRST).stem}-{number}.toml").resolve()
            if not path.exists():
                return path
            number += 1
    if file.suffix.lower() != ".toml":
        raise InputError(Problem("FILE", "must be the name of a TOML file, such as drive.toml", repr(str(file))))
    path = file.resolve()
    if not path.parent.is_dir():
        raise InputError(Problem("FILE", "its folder does not exist", repr(str(file))))
    return path
