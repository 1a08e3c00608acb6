"""The table of outcomes: on the terminal, and as a page of the documentation."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from collections.abc import Sequence
from pathlib import Path

from mutations.mutation import Mutation
from mutations.trial import Outcome

Rows = Sequence[tuple[Mutation, Outcome]]

TEXT = """# Mutations

Do the tests notice errors in the program? To find out, {count} changes of one line each were made in a copy of the
sources, one at a time: in kernels, solvers, geometry, results, analyses, report, exports and studies. For each change,
the tests that should notice it were run{whole}:
**{killed} of {measured} were noticed, {share:.1f} %**.{unmeasured}
The list and the tests grew together: a change that was not noticed at first led to a new test, so the share is valid
for this list only.

This page is written by `python tests/mutate.py --write`; the changes are listed in `tests/mutations/`. Made {date},
chaindrive {version}, Python {python}. The measurements took {seconds:.0f} s with {cores} cores of a shared machine;
each is valid for the present code of the changed file and of its tests.

{survivors}## All of them

| mutation | resulting error | noticed by |
|---|---|---|
{rows}
"""


def summary(rows: Rows) -> str:
    """One line: number of mutations, and the survivors."""
    killed = sum(outcome.killed for _, outcome in rows)
    survivors = [mutation.name for mutation, outcome in rows if not outcome.killed]
    share = 100.0 * killed / max(len(rows), 1)
    return f"{killed} of {len(rows)} killed ({share:.1f} %); survivors: {', '.join(survivors) or 'none'}"


def write(path: Path, rows: Rows, count: int, whole: bool) -> None:
    """Write the page of the outcomes measured so far."""
    killed = sum(outcome.killed for _, outcome in rows)
    alive = [mutation for mutation, outcome in rows if not outcome.killed]
    survivors = ""
    if alive:
        lines = [f"- **{m.name}** (`{m.within}`): {m.wrong} {m.survives or 'Not explained yet.'}" for m in alive]
        survivors = "## Survivors\n\n" + "\n".join(lines) + "\n\n"
    table = "\n".join(
        f"| {m.name} | {m.wrong.replace('|', chr(92) + '|')} | {_killer(outcome)} |" for m, outcome in rows
    )
    path.write_text(
        TEXT.format(
            count=count,
            whole=", then the whole fast suite" if whole else "",
            killed=killed,
            measured=len(rows),
            share=100.0 * killed / max(len(rows), 1),
            unmeasured=f" {count - len(rows)} have not been measured." if count > len(rows) else "",
            date=datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
            version=_version(),
            python=platform.python_version(),
            seconds=sum(outcome.seconds for _, outcome in rows),
            cores=os.cpu_count(),
            survivors=survivors,
            rows=table,
        ),
        encoding="utf-8",
    )


def _killer(outcome: Outcome) -> str:
    return f"`{outcome.by.rpartition('/')[2]}`" if outcome.killed else "**survived**"


def _version() -> str:
    """Version of the package and the commit that was measured."""
    from chaindrive import __version__

    folder = Path(__file__).parent
    told = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=folder, capture_output=True, text=True, check=False
    )
    return f"{__version__} ({told.stdout.strip()})" if told.returncode == 0 else __version__
