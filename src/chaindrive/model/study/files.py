"""Reads studies from files and finds the included ones."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

from chaindrive.errors import InputError, Problem
from chaindrive.model.drive import Drive
from chaindrive.model.files import drives
from chaindrive.model.files.drawing import looking_in
from chaindrive.model.files.drives import load
from chaindrive.model.files.text import example_names, example_path, read_text, tables
from chaindrive.model.problems import nearest, shown
from chaindrive.model.study.description import Study
from chaindrive.model.study.optimisation import Optimisation
from chaindrive.shell import command

__all__ = ["drive_of", "load_study", "study_names", "study_path"]


def load_study(path: str | os.PathLike[str]) -> Study | Optimisation:
    """Read a study from a TOML file.

    A study with ``minimise``, ``maximise`` or ``variables`` is an Optimisation. The path of the drive in the result is
    relative to the working folder. Raises InputError if the file cannot be read, or with all problems of its content.
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(Problem("study", "must be a Study, an Optimisation, or the path of a study file", shown(path)))
    source = os.fspath(path)
    try:
        fields = tables(read_text(source, "a study"), source)
        if "wheels" in fields and "drive" not in fields:
            message = (
                f"is a drive, not a study: {command('run', source)} simulates it; a study names it with the key drive"
            )
            raise InputError(Problem("", message), source)
        search = not {"minimise", "maximise", "variables"}.isdisjoint(fields)
        with looking_in(Path(source).parent):
            study: Study | Optimisation = Optimisation.from_dict(fields) if search else Study.from_dict(fields)
    except InputError as error:
        raise InputError(error.problems, error.source or source) from None
    beside = Path(source).parent / study.drive
    if study.drive in example_names() and not beside.is_file():
        return study
    return study.model_copy(update={"drive": str(beside)})


def drive_of(study: Study | Optimisation, given: Drive | str | os.PathLike[str] | None = None) -> Drive:
    """Return the drive of a study, from its file, or the example of that name if there is no such file; or the drive
    given instead (``model.files.drives.drive_of``). Raises InputError.
    """
    if given is not None:
        return drives.drive_of(given)
    if study.drive in example_names() and not Path(study.drive).is_file():
        return load(example_path(study.drive))
    hint = nearest(Path(study.drive).name, example_names())
    if hint and not study.drive.endswith(".toml") and not os.path.lexists(study.drive):
        raise InputError(Problem("drive", f"is neither a file nor an example{hint}", shown(study.drive)))
    return load(study.drive)


def study_names() -> tuple[str, ...]:
    """Return the names of the included studies, in alphabetical order."""
    folder = resources.files("chaindrive").joinpath("examples", "studies")
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def study_path(name: str) -> Path:
    """Return the path of the file of an included study. Raises InputError if there is none of this name, and suggests
    the nearest one.
    """
    wanted = str(name).removesuffix(".toml")
    if wanted not in study_names():
        hint = nearest(wanted, study_names()) or "."
        raise InputError(
            Problem("study", f"is not an example{hint} Available: {', '.join(study_names())}", shown(name))
        )
    return Path(str(resources.files("chaindrive").joinpath("examples", "studies", f"{wanted}.toml")))
