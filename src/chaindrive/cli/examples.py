"""``chaindrive examples``: the included drives and studies."""

from __future__ import annotations

import math
import textwrap
from pathlib import Path

from chaindrive.cli import console
from chaindrive.cli.files import write_file
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.stages import chains_alone
from chaindrive.model import Drive, example, example_names, example_path
from chaindrive.model.study.files import load_study, study_names, study_path
from chaindrive.model.study.optimisation import Optimisation
from chaindrive.shell import command

__all__ = ["copy", "show"]

HEADINGS = ("name", "wheels", "chain", "speed")
GAP = 3
"""Number of characters between two columns."""
SOURCE = 20
"""The column for the source is omitted if it would be narrower than this number of characters."""


def show() -> None:
    """List the examples, one line each: name, wheels, chain, speed, and as much of the source as fits."""
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
    console.say("Copy the file of either into this folder: chaindrive examples copy NAME.", "dim")


def _show_studies() -> None:
    """List the studies: name, runs, and what is varied."""
    table = console.table("study", ">runs", "varied")
    for name in study_names():
        study = load_study(study_path(name))
        if isinstance(study, Optimisation):
            runs, varied = f"<= {study.search.evaluations}", [variable.name for variable in study.variables]
            varied.append("minimised" if study.minimise is not None else "maximised")
        else:
            runs = str(len(study.curves) * math.prod(len(parameter.points()) for parameter in study.parameters))
            varied = [parameter.name for parameter in study.parameters]
        table.add_row(name, runs, console.printable(", ".join(varied)))
    console.out().print(table)


def _chain(drive: Drive) -> str:
    chain = drive.chain
    return console.printable(f"{chain.links} x {chain.standard or f'{chain.pitch * 1e3:g} mm'}")


def _speed(drive: Drive) -> str:
    for wheel in drive.wheels:
        speed = getattr(wheel.motion, "final_speed", getattr(wheel.motion, "speed", None))
        if speed is not None:
            return f"{abs(speed) * 30.0 / math.pi:.4g} rpm"
    nominal = drive_facts(chains_alone(drive)[0]).nominal_speed
    return "" if nominal is None else f"{nominal * 30.0 / math.pi:.4g} rpm"


def copy(name: str, folder: Path, force: bool) -> None:
    """Copy the file of an example into a folder. Raises InputError if it cannot be written."""
    wanted = name.removesuffix(".toml")
    content = (study_path(wanted) if wanted in study_names() else example_path(name)).read_bytes()
    target = folder / f"{wanted}.toml"
    write_file(target, content, force, "--to", str(folder))
    following = "sweep" if wanted in study_names() else "check"
    console.say(f"{target} written. Next: {command(following, target)}")
