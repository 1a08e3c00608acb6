"""The numbers that a user sees of a run, compared with those computed from rows at 100 kHz, for 200 drives.

    python docs/validation/shown_numbers.py [--only INDEX ...] [--write]

``--write`` makes ``shown-numbers.md`` next to this file. Answers are kept in ``build/validation/shown-numbers``, one
file for each drive: a call that was interrupted is resumed by the next one. ``--only`` prints the numbers of some.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from _made import kept, kept_folder, made
from _shown_checks import DENSE, EXACT, INSTANTS, LEAST, Seen, seen
from _shown_drives import COUNT, GROUPS, drive_of, group_of
from _writing import options

from chaindrive.errors import ChaindriveError

PAGE = Path(__file__).with_name("shown-numbers.md")
WORST = 10
TABLE = """\
| number | count | median difference | 90th percentile | largest | too low by | rows alone, median | least |
|:--|--:|--:|--:|--:|--:|--:|--:|"""
Answers = Mapping[int, Sequence[Seen]]


def main(words: Sequence[str] | None = None) -> None:
    """Evaluate the requested drives; write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--only", type=int, nargs="+", metavar="INDEX", help=f"some drives, from 0 to {COUNT - 1}")
    asked = parser.parse_args(words)
    folder, answers = kept_folder("shown-numbers"), {}
    for index in asked.only or range(COUNT):
        found = kept(folder / f"{index}.json", lambda index=index: answer(index))
        answers[index] = [Seen(*each) for each in found]
        doubtful = [each for each in answers[index] if each.fault]
        print(f"{index} {drive_of(index).name}: {len(found)} numbers, {len(doubtful)} off", flush=True)
        for each in answers[index] if asked.only else doubtful:
            print(f"    {each.what}: {each.shown:.6g}, dense rows {each.dense:.6g}, {100.0 * each.off:.2g} %")
    if asked.write:
        PAGE.write_text(page(answers), encoding="utf-8")


def answer(index: int) -> list[Any]:
    """The numbers of a drive; for one that cannot be run, its ending."""
    try:
        return [list(each) for each in seen(drive_of(index))]
    except ChaindriveError as error:
        print(f"{index}: {error}")
        return []


def page(answers: Answers) -> str:
    """The whole page, markdown."""
    numbers = [(index, each) for index, found in answers.items() for each in found]
    faults = [(index, each) for index, each in numbers if each.fault]
    groups = ", ".join(f"{group.count} {group.name}" for group in GROUPS)
    return f"""# What a user sees, compared with dense rows

For random drives and varied examples, every number of the verdict that can be computed from rows, the largest forces,
the positions of the spans and the balance, as a user gets them from a run with default settings, are compared with the
same numbers computed by other code from a second run that stores {DENSE:g} rows per second. The page and all its
numbers are made by [`shown_numbers.py`](shown_numbers.py).

- {made()}
- drives: {len(answers)} ({groups}), {sum(not found for found in answers.values())} of them without a run
- numbers: {len(numbers)}; beyond what is allowed: {len(faults)}
- *of dense rows* is not an exact answer: a force that lasts a few microseconds lies between rows even at that rate,
  and the number shown, the largest of all steps, may exceed it. What counts is how much it is *too low*: up to
  {100 * LEAST:g} % is allowed. Other numbers may differ by {100 * EXACT:g} %
- extremes are taken at the ends of steps, and within a step if the largest force of a tooth has its maximum there
- *rows alone*: what the stored rows of the default save rate would have shown, relative to the dense rows
- spans: at {INSTANTS} instants of each run, relative to their length; balance and work: relative to the energy
  exchanged

{TABLE}
{chr(10).join(_lines(numbers))}

The table lists the numbers beyond what is allowed, and then the largest of the other differences:

| drive | group | number | shown | of dense rows | difference | beyond |
|:--|:--|:--|--:|--:|--:|:--|
{chr(10).join(_worst(numbers))}
"""


def _lines(numbers: Sequence[tuple[int, Seen]]) -> list[str]:
    """A row of the table for every kind of number."""
    by_kind: dict[str, list[Seen]] = defaultdict(list)
    for _, each in numbers:
        by_kind[each.what].append(each)
    lines = []
    for what, found in by_kind.items():
        off = np.array([each.off for each in found])
        low = max(0.0, *(each.too_low for each in found))
        alone = np.array(
            [each.of_rows / each.dense for each in found if np.isfinite(each.of_rows) and each.dense > 0.0]
        )
        rows = f"{np.median(alone):.3g} | {alone.min():.2g}" if alone.size else "– | –"
        percent = " | ".join(
            f"{100.0 * value:.2g} %" for value in (np.median(off), np.quantile(off, 0.9), off.max(), low)
        )
        lines.append(f"| {what} | {len(found)} | {percent} | {rows} |")
    return lines


def _worst(numbers: Sequence[tuple[int, Seen]]) -> list[str]:
    faults = sum(each.fault for _, each in numbers)
    ordered = sorted(numbers, key=lambda each: (not each[1].fault, -each[1].off))[: faults + WORST]
    return [
        f"| {index} {drive_of(index).name} | {group_of(index)[0]} | {each.what} | {each.shown:.5g} | "
        f"{each.dense:.5g} | {100.0 * each.off:.2g} % | {'**yes**' if each.fault else 'no'} |"
        for index, each in ordered
    ]


if __name__ == "__main__":
    main()
