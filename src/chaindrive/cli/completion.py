"""Shell completion, available after ``chaindrive --install-completion``."""

from __future__ import annotations

from pathlib import Path

__all__ = ["drives", "kinds", "results", "schemas", "studies"]


def drives(incomplete: str) -> list[str]:
    """Return the examples and files of drives that begin with the typed text."""
    from chaindrive.model import example_names

    return [*_beginning(example_names(), incomplete), *_files(incomplete, ".toml")]


def kinds(incomplete: str) -> list[str]:
    """Return the kinds of drives for which there are templates."""
    from chaindrive.templates import TEMPLATES

    return _beginning(tuple(TEMPLATES), incomplete)


def schemas(incomplete: str) -> list[str]:
    """Return the kinds of files that have a schema."""
    from chaindrive.model.files.schema import SCHEMAS

    return _beginning(tuple(SCHEMAS), incomplete)


def studies(incomplete: str) -> list[str]:
    """Return the included studies and files of studies that begin with the typed text."""
    from chaindrive.model.study.files import study_names

    return [*_beginning(study_names(), incomplete), *_files(incomplete, ".toml")]


def results(incomplete: str) -> list[str]:
    """Return the results files that begin with the typed text."""
    return _files(incomplete, ".nc")


def _beginning(names: tuple[str, ...], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _files(incomplete: str, ending: str) -> list[str]:
    """Return the files with this extension, and the folders, that begin with the typed text."""
    folder, _, begun = incomplete.rpartition("/")
    try:
        found = sorted(Path(folder or ("/" if incomplete.startswith("/") else ".")).iterdir())
    except OSError:
        return []
    before = incomplete[: len(incomplete) - len(begun)]
    names = [f"{path.name}/" if path.is_dir() else path.name for path in found]
    return [before + name for name in names if name.startswith(begun) and name.endswith((ending, "/"))]
