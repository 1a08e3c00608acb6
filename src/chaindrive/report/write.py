"""Writes results to a report."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from chaindrive.errors import InputError, Problem
from chaindrive.model.arguments import path_of
from chaindrive.report.build import built
from chaindrive.report.page import MARK, render
from chaindrive.results import Solution, lowlevel
from chaindrive.results.files import check_target

if TYPE_CHECKING:
    from chaindrive.results import Solution

__all__ = ["Report", "check_report", "page_of", "write_report", "written"]


class Report(NamedTuple):
    """A written report."""

    path: Path
    bytes: int
    left_out: tuple[str, ...]
    """Descriptions of the parts of the results that the report omits."""


def check_report(path: str | os.PathLike[str], place: str = "path", *, overwrite: bool = False) -> Path:
    """Check that a report can be written to a path, and return the path.

    Raises InputError if the report cannot be written or if, without ``overwrite``, the path is that of an existing file
    that is not a report.
    """
    target = path_of(path, place, "a report such as run.html")
    if target.suffix.lower() not in (".html", ".htm"):
        raise InputError(Problem(place, "the name of a report must end in .html", repr(str(path))))
    try:
        found = check_target(target, overwrite=True, wanted="a report such as run.html")
    except InputError as error:
        raise InputError(Problem(place, error.problems[0].message, repr(str(path)))) from None
    if overwrite or not found.exists():
        return found
    with found.open("rb") as file:
        ours = MARK.encode() in file.read(4096)
    if not ours:
        allowed = "allow it to be overwritten (--force, overwrite=True)"
        message = f"exists and is not a chaindrive report; choose a different name, or {allowed}"
        raise InputError(Problem(place, message, repr(str(path))))
    return found


def write_report(
    results: Solution | Sequence[Solution] | Mapping[str, Solution],
    path: str | os.PathLike[str],
    *,
    labels: Sequence[str] | None = None,
    start: float | str | None = None,
    stop: float | str | None = None,
    title: str | None = None,
    frames: int | None = None,
    overwrite: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Report:
    """Write a report of results into one self-contained HTML file.

    results: a result, or several that are shown side by side on the same axes, by label or as a list. labels: by
    default the names of their drives, numbered if they are the same. start, stop [s, or text with a unit]: ends of the
    part of the run that is reported. title: by default the labels. frames: largest number of frames of the animation
    for each result; by default about 2400, fewer for a long chain. overwrite: whether a file that is not a report may
    be replaced; an existing report is always replaced. progress: called with a description of the current task.

    An existing file is replaced only when the new one is complete. Raises InputError for results or paths that cannot
    be used, ComputationError if the disk is full.
    """
    target = check_report(path, overwrite=overwrite)
    if isinstance(results, Mapping):
        labels, results = labels or list(results), list(results.values())
    several = isinstance(results, Iterable) and not isinstance(results, str | Solution)
    given: list[Any] = list(results) if several else [results]
    header, data, contents = built(
        given, labels=labels, start=start, stop=stop, title=title, frames=frames, progress=progress
    )
    if progress:
        progress("writing")
    size = written(target, render(header, data, contents))
    return Report(
        target,
        size,
        tuple(str(line) for section in contents.sections if section.key == "left-out" for line in section.paragraphs),
    )


def page_of(solution: Solution, *, frames: int | None = None) -> bytes:
    """The content of the file with the report of a result; frames: largest number of frames of the animation."""
    return _encoded(render(*built([solution], frames=frames)))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def written(target: Path, text: str) -> int:
    """Write a complete page and return its number of bytes. Raises ComputationError if the disk is full."""
    content = _encoded(text)
    try:
        with lowlevel.replacing(target) as part:
            part.write_bytes(content)
    except OSError as error:
        raise lowlevel.full_disk(error, target, "no report was written; an earlier report is unchanged.") from None
    return len(content)
