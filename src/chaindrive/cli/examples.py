"""``chaindrive examples``: the drives and studies that come with the package."""

from __future__ import annotations

import math
import os
import textwrap
from pathlib import Path

from chaindrive.cli import console
from chaindrive.errors import InputError, Problem
from chaindrive.model import Drive, example, example_names, example_path
from chaindrive.model.study_files import load_study, study_names, study_path

__all__ = ["copy", "show"]

HEADINGS = ("name", "wheels", "chain", "speed")
GAP = 3
"""Characters between two columns."""
SOURCE = 20
"""Characters of a source that are worth a column."""


def show() -> None:
    """List the examples, one line each: name, wheels, chain, speed, and as much of the source as there is room for."""
    drives = {name: example(name) for name in example_names()}
    rows = [(name, str(len(drive.wheels)), _chain(drive), _speed(drive)) for name, drive in drives.items()]
    taken = sum(max(map(len, column)) + GAP for column in zip(*rows, HEADINGS, strict=True))
    room = console.out().width - taken - GAP
    sources = ["source"] if room >= SOURCE else []  # a narrow terminal has room for names only
    table = console.table("name", *(f">{heading}" for heading in HEADINGS[1:]), *sources)
    for row, drive in zip(rows, drives.values(), strict=True):
        source = textwrap.shorten(console.printable(drive.source), max(room, SOURCE), placeholder=" ...")
        table.add_row(*row, *(source for _ in sources))
    console.out().print(table)
    _show_studies()
    console.say("Simulate a drive: chaindrive run NAME; run a study: chaindrive sweep NAME.", "dim")
    console.say("Put the file of either here: chaindrive examples copy NAME.", "dim")


def _show_studies() -> None:
    """List the studies: name, runs, and what is varied."""
    table = console.table("study", ">runs", "varied")
    for name in study_names():
        study = load_study(study_path(name))
        runs = len(study.curves) * math.prod(len(parameter.points()) for parameter in study.parameters)
        table.add_row(name, str(runs), console.printable(", ".join(parameter.name for parameter in study.parameters)))
    console.out().print(table)


def _chain(drive: Drive) -> str:
    chain = drive.chain
    kind = f"{chain.standard}, " if chain.standard else ""
    return console.printable(f"{kind}{chain.links} x {chain.pitch * 1e3:g} mm")


def _speed(drive: Drive) -> str:
    for wheel in drive.wheels:
        speed = getattr(wheel.motion, "final_speed", getattr(wheel.motion, "speed", None))
        if speed is not None:
            return f"{abs(speed) * 30.0 / math.pi:.4g} rpm"
    return ""


def copy(name: str, folder: Path, force: bool) -> None:
    """Copy the file of an example into a folder. Raises InputError when it cannot be put there."""
    wanted = name.removesuffix(".toml")
    content = (study_path(wanted) if wanted in study_names() else example_path(name)).read_bytes()
    target = folder / f"{name.removesuffix('.toml')}.toml"
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if force else os.O_EXCL)
    try:
        with os.fdopen(os.open(target, flags, 0o666), "wb") as file:
            file.write(content)
    except FileExistsError:
        raise InputError(Problem("", "exists already; --force replaces it", ""), str(target)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(Problem("--to", f"no file can be written there: {reason}", str(folder))) from None
    following = "sweep" if wanted in study_names() else "check"
    console.say(f"{target} written. Next: chaindrive {following} {target}")
