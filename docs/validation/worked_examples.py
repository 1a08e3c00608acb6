"""Compares numbers from public worked examples (textbooks, makers' catalogues, forums, papers and programs) with ours.

    python docs/validation/worked_examples.py [--write]

prints the tables; ``--write`` makes ``worked-examples.md`` next to this file. A row is defined in ``_worked_rows.py``
(a call of the package) or ``_worked_runs.py`` (a drive file in the folder ``worked``, at rest or run), and its source
in ``_worked_sources.toml``. Results from drive files are kept in ``build/validation/worked-examples``. To add a row,
write it and its source there; the page and the test (``tests/unit/test_docs_worked_examples.py``) then include it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import _worked_rows
import _worked_runs
from _made import made
from _worked_rows import Example, Found
from _writing import main_of

HERE = Path(__file__).parent
PAGE = HERE / "worked-examples.md"
SOURCES = tomllib.loads((HERE / "_worked_sources.toml").read_text(encoding="utf-8"))
"""Title and address of every source, by its key in the rows."""
NOTICED = 0.01
"""Difference above which a row states the reason. [-]"""
LACKING = """- There was no function for the pull of the chain from torque or power; `formulas.chain_pull` now computes
it.
- The pull of a conveyor from its masses and coefficients of friction is available only from a run, as above.
- Dimensions of sprockets and chain lengths are available only through `tooth_profile` and `fitting_distance`.
- No function lists the chains that are sufficient for a given power; `wheel_rating` rates a given chain.
- Friction of a pin with pressure distributed over half of its bush is not modelled: in the package the pin bears on a
  line, so `joint_friction` must include this factor.
- No formula was found for the ratings of No. 25 in the newer table."""
NOT_FOUND = """No public example with both input and result was found for the impact speed of rollers, for bearing
loads, for the life of rollers and bushes, or for a timing drive of a car."""


def computed(examples: Iterable[Example]) -> list[Found]:
    """The examples with the computed numbers."""
    return [Found(example, example.ours()) for example in examples]


def number(value: float, unit: str) -> str:
    """A number with six digits and its unit."""
    return f"{value:.6g}{'' if unit in ('°', '') else ' '}{unit}"


def line(row: Found) -> str:
    """A row as a line of a table in Markdown."""
    example = row.example
    theirs, ours = (number(value, example.unit) for value in (example.theirs, row.ours))
    cells = (source_number(example), example.quantity, example.given, theirs, ours, f"{100.0 * row.difference:+.2f} %")
    return f"| {' | '.join(cells)} | {remark(row)} |"


def source_number(example: Example) -> str:
    """The number of a source in the list of sources."""
    return f"[{list(SOURCES).index(example.source) + 1}](#sources)"


def remark(row: Found) -> str:
    """The reason of the difference, and the difference after the correction."""
    example = row.example
    if example.settled is None:
        return example.why
    return f"{example.why}: {number(example.settled, example.unit)}, ours {100.0 * row.left:+.2f} %"


def tables(rows: list[Found]) -> list[str]:
    """A table for each kind of example, in the order of the rows."""
    lines: list[str] = []
    for kind, of_kind in groupby(rows, key=lambda row: row.example.kind):
        lines += ["", f"## {kind}", "", "| source | quantity | given | source's | ours | difference | why |",
                  "|--:|:--|:--|--:|--:|--:|:--|", *map(line, of_kind)]  # fmt: skip
    return lines


def cited(source: dict[str, str]) -> str:
    """Title and address of a source."""
    return f"{source['title']}: `{source['address']}`" if source["address"] else source["title"]


def page(rows: list[Found]) -> str:
    """The page, made from all rows."""
    beyond = [row for row in rows if abs(row.difference) > NOTICED]
    apart = sum(row.example.settled is None for row in beyond)
    lines = [
        "# Public worked examples",
        "",
        f"This page is written by `python docs/validation/worked_examples.py --write`; it was {made()}. "
        "`tests/unit/test_docs_worked_examples.py` asserts these numbers.",
        "",
        f"This page lists {len(rows)} numbers from {len({row.example.source for row in rows})} public sources, each "
        "with the data and the result of the source and with our result. Our result is returned by a function of the "
        "package, or computed from a drive file in `docs/validation/worked`, at rest or in a short run. "
        f"{len(rows) - len(beyond)} numbers agree within {100 * NOTICED:.0f} %. {len(beyond) - apart} more agree when "
        "an error in the source is corrected or its number is read as intended; the last column explains this and "
        f"gives the corrected number. {apart} differ for the reason given there.",
        *tables(rows),
        "",
        "## What is missing",
        "",
        LACKING,
        "",
        NOT_FOUND,
        "",
        "## Sources",
        "",
        "The addresses are those of copies stored in 2026-11; books are quoted from such copies.",
        "",
        *(f"{count}. {cited(source)}" for count, source in enumerate(SOURCES.values(), start=1)),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main_of(__doc__, PAGE, lambda _: page(computed([*_worked_rows.EXAMPLES, *_worked_runs.EXAMPLES])))
