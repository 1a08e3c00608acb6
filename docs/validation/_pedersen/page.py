"""The text of the pages: the runs, a table of verdicts, and the figures one by one."""

from __future__ import annotations

from collections.abc import Sequence

from _made import made
from _rows import table

from _pedersen.entry import Entry
from _pedersen.runs import Runs

INTRODUCTION = """\
This page covers figures of [chapter 5 of Pedersen (2004)](../pedersen.md): what the thesis states, what chaindrive
gives, and the difference. The linked page also explains how runs and tolerances were chosen."""
AUDIT_LIMIT = 1e-4
"""Largest permitted energy residual of an unchanged example, divided by the energy exchanged."""


def pages(groups: dict[str, Sequence[Entry]], runs: Runs, swept: int) -> dict[str, str]:
    """All pages, in Markdown, by the path of their file: one with the verdicts and all runs, and one for each group of
    figures.

    swept: number of runs of the studies.
    """
    parts = [_head(groups, runs, swept), _overview(groups), _all_runs(runs)]
    found = {"pedersen.md": "\n\n".join(parts) + "\n"}
    for title, entries in groups.items():
        text = [f"# {title}", INTRODUCTION, *(entry.text() for entry in entries)]
        found[f"pedersen/{slug(title)}.md"] = "\n\n".join(text) + "\n"
    return found


def slug(title: str) -> str:
    """Name of the file for a group of figures: its title without the section of the thesis."""
    words = "".join(c if c.isalnum() else " " for c in title.partition(" (")[0].lower())
    return "-".join(words.split())


def _head(groups: dict[str, Sequence[Entry]], runs: Runs, swept: int) -> str:
    rows = [row for entries in groups.values() for entry in entries for row in entry.rows]
    gates = [row for row in rows if row.gate]
    simulated = sum(float(run.time[-1]) for run in runs.values())
    return f"""# Chapter 5 of Pedersen (2004), figure by figure

S. L. Pedersen, *Simulation and Analysis of Roller Chain Drive Systems* (PhD thesis, Technical University of Denmark,
2004): for each figure of its chapter 5 this page gives what the thesis states in words and numbers, what chaindrive
computes, and the difference. {sum(row.within for row in rows)} of {len(rows)} numbers are within their tolerance,
{sum(row.within for row in gates)} of {len(gates)} gates are met. What determines the level of tension, and what the
thesis leaves open, is on [another page](marine-drives.md). The first of the following commands generates these pages,
their numbers and their pictures; the second generates a single figure from the runs that it needs:

    python docs/validation/pedersen.py
    python docs/validation/pedersen.py --figure 5.6

Below each figure, some ten lines of Python show how to draw a similar one.

- {made()}
- there are {len(runs)} runs with a total of {simulated:.0f} s of simulated time, and {swept} runs of two studies. As a
  precaution, all are by Dormand-Prince at the tolerances of the examples, unless the table at the end states otherwise;
  where friction or joint damping stabilise the drive, Verlet gives the same tensions (see the [other
  page](marine-drives.md)). Nothing is random
- drives: the examples `6l60mc`, `6s90mc-c` and those whose names begin with `6s90mc-c`; a case changes only what its
  name says. The contact exponent is 1.5, with 1e9 N/m^1.5 (the thesis gives 1 GN/m without an exponent; see the other
  page)
- figures 5.1, 5.11, 5.20, 5.37 and 5.51 are drawings; the thesis contains curves but no tables of results, so that
  numbers are taken from its text
- rows marked *gate* are also asserted by `python tests/long.py`. Differences are relative to the column *expected*. A
  number outside its tolerance is listed with the reason
- *segment k* is the span from sprocket k to the next. Its tension is the mean tension of the links in it, including the
  centrifugal part; *moving string* is Eq. 4.27 with that tension. Spectra are root mean squares over sections of 10 s,
  which is the length of the runs in the thesis (resolution 0.1 Hz, Hann window, interpolated peaks)
"""


def _overview(groups: dict[str, Sequence[Entry]]) -> str:
    lines = [
        [f"[{entry.number}](pedersen/{slug(title)}.md#{_anchor(entry)})", entry.title, entry.verdict]
        for title, entries in groups.items()
        for entry in entries
    ]
    return "## Verdicts\n\n" + table(["figure", "what it shows", "verdict"], lines).replace(
        "|:--|--:|--:|", "|:--|:--|:--|"
    )


def _anchor(entry: Entry) -> str:
    """The anchor that common Markdown renderers generate for a heading."""
    kept = "".join(c for c in entry.heading.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def _all_runs(runs: Runs) -> str:
    lines = []
    for key, run in sorted(runs.items()):
        case, done = run.case, run.solution.statistics
        ended = (
            "" if not run.failed else f", {run.solution.status.name.lower().replace('_', ' ')} at {run.time[-1]:.2f} s"
        )
        method = case.method if case.tolerance == 1.0 else f"{case.method}, tolerances × {case.tolerance:g}"
        lines.append([f"`{key}`", case.words + ended, f"{case.begin:g} … {case.until:g}", method, f"{done['steps']}",
                      f"{run.residual:.0e}"])  # fmt: skip
    header = ["run", "description", "window [s]", "method", "steps", "energy residual / energy exchanged"]
    return (
        "## All runs\n\nThe energy residual is the largest energy that the energy balance cannot account for, "
        f"relative to the energy exchanged. For the unchanged examples it must be below {AUDIT_LIMIT:g}.\n\n"
        + table(header, lines).replace("|:--|--:|--:|--:|--:|--:|", "|:--|:--|--:|:--|--:|--:|")
    )  # fmt: skip
