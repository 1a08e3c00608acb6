"""``chaindrive schema``: writes the JSON Schemas of drive and study files for editors."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import typer

from chaindrive.cli import console
from chaindrive.cli.files import refuse_existing, write_file
from chaindrive.errors import InputError, Problem
from chaindrive.model.files.schema import SCHEMAS, schema_line, schema_path
from chaindrive.model.problems import nearest_of, shown

__all__ = ["Wanted", "schema"]


class Wanted(NamedTuple):
    """What the command line requests."""

    kind: str | None
    """Kind of file whose schema is printed; with None, the schemas of all kinds are written."""
    folder: Path | None
    force: bool


def schema(wanted: Wanted) -> None:
    """Print the schema of one kind of file, or write the schemas of all kinds into a folder.

    Raises InputError for an unknown kind, if different files have these names, and if nothing can be written.
    """
    kind = wanted.kind
    if kind is not None and kind not in SCHEMAS:
        message = f"is not a kind of file that has a schema{nearest_of(kind, [*SCHEMAS])}"
        raise InputError(Problem("KIND", message, shown(kind)))
    if kind is not None and wanted.folder is None:
        typer.echo(schema_path(kind).read_text("utf-8"), nl=False)
        return
    folder = wanted.folder or Path()
    texts = {folder / f"{each}.schema.json": schema_path(each).read_bytes() for each in ([kind] if kind else SCHEMAS)}
    stale = [path for path, text in texts.items() if not (path.is_file() and path.read_bytes() == text)]
    for path in stale:
        refuse_existing(path, wanted.force, "--to")
    for path in stale:
        write_file(path, texts[path], True, "--to", str(folder))
    for path in texts:
        console.say(f"{path} {'written' if path in stale else 'is up to date'}.")
    lines = " or ".join(schema_line(each) for each in ([kind] if kind else SCHEMAS))
    console.say(f"Editors find the schema by the first line of a file in the same folder: {lines}", "dim")
