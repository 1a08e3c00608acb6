"""``chaindrive reduce``: identifies a chain drive block for a drive from detailed runs."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from chaindrive.cli import console
from chaindrive.cli.drives import in_formulation, named_drive
from chaindrive.cli.files import refuse_existing, write_file
from chaindrive.shell import command
from chaindrive.studies.reducing import reduce as reduced_from

__all__ = ["Request", "reduce"]


class Request(NamedTuple):
    """What the command line requests."""

    file: str
    changes: list[str]
    load: str | None
    speed: str | None
    formulation: str | None
    loss_map: bool
    ripple: bool
    output: Path | None
    force: bool


def reduce(request: Request) -> None:
    """Identify the reduced drive, print its values and errors, and write its file.

    Raises InputError for wrong input, ComputationError if a run fails.
    """
    drive, stem = named_drive(request.file, request.changes, in_formulation(request.formulation))
    target = request.output or Path(f"{stem}-reduced.toml")
    refuse_existing(target, request.force)
    found = reduced_from(
        drive,
        load=request.load,
        speed=request.speed,
        loss_map=request.loss_map,
        ripple=request.ripple,
        progress=console.note,
    )
    for line in found.table().splitlines():
        console.say(line)
    write_file(target, found.to_toml().encode(), request.force, "--output", str(target))
    console.say(f"{target} written. Next: {command('check', target)}")
