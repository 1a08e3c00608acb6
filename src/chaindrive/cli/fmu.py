"""``chaindrive fmu``: writes a drive as a functional mock-up unit."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

from chaindrive.cli import console
from chaindrive.cli.drives import named_drive, problems_in
from chaindrive.numbers import clock, count

__all__ = ["Request", "fmu"]


class Request(NamedTuple):
    """What the command line requests."""

    file: str
    output: Path | None
    changes: list[str]
    force: bool
    options: dict[str, Any]
    """Arguments of ``write_fmu`` by name."""


def fmu(request: Request) -> None:
    """Write the FMU of a drive, and print what it contains.

    Raises InputError for wrong input, ComputationError if it cannot be made.
    """
    from chaindrive.fmu.build import write_fmu

    began = time.monotonic()
    named = named_drive(request.file, request.changes)
    kind = "-python" if request.options["python"] else ""
    output = Path(f"{named.stem}{kind}.fmu") if request.output is None else request.output
    with problems_in(request.file):
        written = write_fmu(named.drive, output, overwrite=request.force, **request.options)
    for warning in written.warnings:
        console.warn(warning)
    kinds = {kind: [v.name for v in written.model.variables if v.causality == kind] for kind in ("input", "parameter")}
    for kind, names in kinds.items():
        if names:
            console.say(f"{kind}s: {', '.join(names)}")
    outputs = len(written.model.variables) - sum(map(len, kinds.values()))
    facts = ", ".join(f"{name} {value}" for name, value in written.model.facts.items() if name != "kernels")
    size = f"{count(round(written.path.stat().st_size / 1000))} kB"
    console.say(f"Wrote {written.path.name} ({size}): {facts}, {outputs} outputs ({clock(time.monotonic() - began)})")
    if written.model.needs:
        console.say(f"It needs {written.model.needs}.")
