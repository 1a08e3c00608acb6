"""Builds everything that a report shows: its header, its data and its table of contents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from chaindrive.errors import InputError, Problem
from chaindrive.model.arguments import times
from chaindrive.model.problems import shown
from chaindrive.report.comparison import comparison_section, rainflow_section
from chaindrive.report.contents import Contents, Section, Table
from chaindrive.report.description import drive_section
from chaindrive.report.findings import Findings, findings_of
from chaindrive.report.formulations import formulations_sections
from chaindrive.report.page import header_of
from chaindrive.report.payload import Payload, payload_of
from chaindrive.report.resonance import resonance_tables
from chaindrive.report.run import differences, run_section
from chaindrive.report.strength import strength_section
from chaindrive.report.subject import Subject, subject_of
from chaindrive.report.summary import summary_section, warnings_of
from chaindrive.report.tables import bearings_section, losses_section, peaks_section
from chaindrive.report.verdicts import verdicts_table
from chaindrive.report.windows import windows_of
from chaindrive.results import Solution

__all__ = ["built", "distinct", "live_parts"]


NO_RESULT = "must be a Solution: open a results file with chaindrive.open"


def built(
    results: Sequence[Solution],
    *,
    labels: Sequence[str] | None = None,
    start: float | str | None = None,
    stop: float | str | None = None,
    title: str | None = None,
    frames: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> tuple[dict[str, Any], list[str], Contents]:
    """Return the header, the data of each result, and the contents of the page; arguments as for ``write_report``.

    Raises InputError with all problems of the arguments and of the results at once.
    """
    wrong = [(k, given) for k, given in enumerate(results) if not isinstance(given, Solution)]
    if wrong:
        raise InputError([Problem(f"results[{k}]", NO_RESULT, shown(given)) for k, given in wrong])
    start, stop = times(start=start, stop=stop)
    problems = _problems(results, labels, start, stop, frames)
    if title is None and labels is None and len(results) == 1:
        title = results[0].name or None
    if not problems:
        results, labels = _by_chain(results, labels)
    names = distinct(labels if labels is not None else [each.name or "unnamed drive" for each in results])
    subjects: list[Subject] = []
    if not problems:
        for solution, name in zip(results, names, strict=True):
            try:
                subjects.append(subject_of(solution, name, start, stop))
            except InputError as error:
                problems += error.problems
    if problems:
        raise InputError(problems)
    payloads, findings = [], []
    for subject in subjects:
        if progress:
            progress(f"analysing {subject.label}")
        findings.append(findings_of(subject))
        if progress:
            progress(f"packing {subject.label}")
        payloads.append(payload_of(subject, findings[-1], frames))
    heading = title if title is not None else " · ".join(names)
    if progress:
        progress("tables")
    for payload, windows in zip(payloads, windows_of(subjects, findings), strict=True):
        payload.header["windows"] = windows
    contents = _contents(heading, subjects, payloads, findings)
    return header_of(heading, [each.header for each in payloads]), [each.data for each in payloads], contents


def _by_chain(results: Sequence[Solution], labels: Sequence[str] | None) -> tuple[list[Solution], list[str] | None]:
    """Return every chain of every result, and their labels. The first chain is named after the result, and the chains
    of stages follow it.
    """
    chains = [chain for each in results for chain in each.chains]
    if labels is None:
        return chains, None
    named = []
    for label, each in zip(labels, results, strict=True):
        named += [label, *(f"{label}: {stage}" for stage in each.stages)]
    return chains, named


def _problems(
    results: Sequence[Solution],
    labels: Sequence[str] | None,
    start: float | None,
    stop: float | None,
    frames: int | None,
) -> list[Problem]:
    found = []
    if not results:
        found.append(Problem("results", "at least one result is needed"))
    if labels is not None and len(labels) != len(results):
        found.append(Problem("label", f"there must be one for each of the {len(results)} results", str(len(labels))))
    if start is not None and stop is not None and not start < stop:
        found.append(Problem("stop", f"must be later than start ({start:g} s)", f"{stop:g} s"))
    if frames is not None and frames < 2:
        found.append(Problem("frames", "an animation needs at least 2", str(frames)))
    return found


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names made distinct: equal names are numbered, as in "drive (1)", "drive (2)"."""
    made: list[str] = []
    for place, name in enumerate(names):
        chosen = name if names.count(name) == 1 else f"{name} ({list(names[: place + 1]).count(name)})"
        while chosen in made:
            chosen += "'"
        made.append(chosen)
    return made


def _contents(
    title: str, subjects: Sequence[Subject], payloads: Sequence[Payload], findings: Sequence[Findings]
) -> Contents:
    differing = differences(subjects)
    sections = [
        *([differing] if differing else []),
        *formulations_sections(subjects),
        peaks_section(subjects, findings),
        bearings_section(subjects, findings),
        losses_section(subjects, findings),
        comparison_section(subjects, findings),
        strength_section(subjects, findings),
        rainflow_section(subjects, findings),
        drive_section(subjects),
        run_section(subjects),
    ]
    sections += [_left_out(subjects, payloads), _made(subjects)]
    return Contents(
        title=title,
        subtitle=_subtitle(subjects),
        labels=tuple(subject.label for subject in subjects),
        warnings=warnings_of(subjects),
        verdicts=tuple(
            (number, subject.label, found.verdict)
            for number, (subject, found) in enumerate(zip(subjects, findings, strict=True))
            if found.verdict is not None
        ),
        verdicts_table=verdicts_table(subjects, findings),
        summary=summary_section(subjects),
        islands=_missing(subjects, payloads),
        sections=tuple(sections),
        below={"campbell": resonance_tables(subjects)},
    )


def _subtitle(subjects: Sequence[Subject]) -> str:
    first, last = min(each.time[0] for each in subjects), max(each.time[-1] for each in subjects)
    return f"Chain drive simulation, {first:g} to {last:g} s"


_NEEDS = {
    "stage": ("roller_position", "wheel_angle"),
    "curves": ("span_tension", "wheel_speed"),
    "free": ("span_tension", "wheel_speed"),
    "loop": ("link_tension", "link_path_position"),
    "spectra": ("span_displacement", "span_tension"),
    "orders": ("wheel_speed", "span_tension"),
    "campbell": ("span_displacement", "span_tension"),
}
"""Channels that each interactive part ("island") of the page needs: all of them for the animation and the loop, any of
them for the others."""


def _missing(subjects: Sequence[Subject], payloads: Sequence[Payload]) -> dict[str, str]:
    """Return a message for each island of the page that has no data; empty for islands with data."""
    headers = [payload.header for payload in payloads]
    there = {key: any(each[key] for each in headers) for key in _NEEDS if key != "stage"}
    there["stage"] = any(each["frames"]["kept"] for each in headers)
    reasons: dict[str, str] = {}
    for payload in payloads:
        for key, words in payload.missing.items():
            reasons.setdefault(key, f"No data: {words}.")
    solution = subjects[0].solution
    absent = {key: f"No data: {solution.absent(*names)}." for key, names in _NEEDS.items()}
    return {key: "" if found else reasons.get(key, absent[key]) for key, found in there.items()}


def _left_out(subjects: Sequence[Subject], payloads: Sequence[Payload]) -> Section:
    lines = []
    for subject, payload in zip(subjects, payloads, strict=True):
        before = f"{subject.label}: " if len(subjects) > 1 else ""
        lines += [before + text for text in payload.left_out]
    if not lines:
        lines.append("No data reduction: every stored instant is a frame of the animation and a point of every curve.")
    return Section("left-out", "Data reduction", tuple(lines))


def _made(subjects: Sequence[Subject]) -> Section:
    tables: tuple[Table, ...] = ()
    lines = []
    for subject in subjects:
        before = f"{subject.label}: " if len(subjects) > 1 else ""
        found = subject.solution.versions
        words = ", ".join(f"{name} {version}" for name, version in found.items())
        history = subject.solution.attrs.get("history", "").strip()
        lines.append(f"{before}{history}{'; ' if history and words else ''}{words}.")
    return Section("made", "Provenance", tuple(lines), tables)


def live_parts(drive: Any, title: str) -> tuple[dict[str, Any], list[str], Contents]:
    """Return header, data and contents of the page of a run that has just begun, which shows the drive without frames
    and curves.
    """
    from chaindrive.report.drive import drive_entry
    from chaindrive.report.frames import no_frames
    from chaindrive.report.pack import Blob

    blob = Blob()
    label = str(drive.name or "unnamed drive")
    result = {
        "label": label,
        "drive": drive_entry(drive, blob),
        "frames": no_frames(drive, blob),
        "view": None,
        "curves": [],
        "free": None,
        "loop": None,
        "spectra": [],
        "orders": [],
        "campbell": [],
        "tension_range": [0.0, 0.0],
        "time_range": [0.0, 0.0],
        "status": "running",
    }
    later = "Available in the report at the end of the run."
    contents = Contents(
        title=title,
        subtitle="Chain drive simulation in progress",
        labels=(label,),
        warnings=(),
        verdicts=(),
        verdicts_table=None,
        summary=Section("summary", "The run", ("This page follows the run; the report replaces it at the end.",)),
        islands={
            "stage": "",
            "curves": "",
            "free": later,
            "loop": later,
            "spectra": later,
            "orders": later,
            "campbell": later,
        },
        sections=(),
    )
    return header_of(title, [result], live=True), [blob.packed()], contents
