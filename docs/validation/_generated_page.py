"""The text of the page of the generated drives. Every number in a table comes from a measurement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import _generated_table
from _generated import CLASSES
from _generated_measure import AGREED, FLOOR, METHOD_ROWS, NOTHING, OWN, SPAN
from _generated_table import BALANCED, REPEATED
from _made import made

Row = dict[str, Any]

TITLES = {
    "rest": "## The search for the start",
    "run": "## Runs and their balance",
    "methods": "## Verlet compared with Dormand-Prince",
}


class Words(NamedTuple):
    """Texts that differ between the pages of the two formulations."""

    title: str
    more: str
    option: str


ROLLERS = Words("Generated drives", "", "")
LINKS = Words(
    "Generated drives with rigid links",
    """
These are drives as on [the page of rollers](generated-drives.md), with another seed and rigid links. The joints
are 60 % clearance contact, half of them with an oil film, 20 % journals, 20 % ideal ones. Clearance is up to 0.5 %
of the pitch in four of five; elongation by wear up to 1.5 % in six of ten, where the drive can have the resulting
slack; bushes without rollers in three of ten. The speed is 0.01 to 0.1 times that drawn (*creep*), as drawn, or 1.2
to 2.5 times (*fast*); no load, as drawn, or three times (*heavy*).
""",
    "--links ",
)


def page(rows: Mapping[str, Sequence[Row]], wanted: Mapping[str, int], seed: int, links: bool = False) -> str:
    """The whole page, markdown. rows: measurements by part; wanted: number of requested drives.

    links: they have rigid links.
    """
    texts = [_head(rows, wanted, seed, LINKS if links else ROLLERS)]
    for part, title in TITLES.items():
        if rows.get(part):
            texts.append(f"{title}\n\n{_words(part, rows[part])}\n\n{_generated_table.of_part(part, rows[part])}\n")
    return "\n".join(texts)


def _head(rows: Mapping[str, Sequence[Row]], wanted: Mapping[str, int], seed: int, what: Words) -> str:
    cpu = sum(row.get("cpu", row["limit"]) for part in rows.values() for row in part)
    counts = ", ".join(f"{len(rows[part])} of {wanted[part]} in part `--{part}`" for part in rows if rows[part])
    total = sum(CLASSES.values())
    dates, versions, kernels = (
        sorted({row[name] for part in rows.values() for row in part}) for name in ("date", "version", "source")
    )
    shares = ", ".join(f"{kind} {100 * share / total:.0f} %" for kind, share in CLASSES.items())
    return f"""# {what.title}: is an equilibrium found, and does the balance hold?

A generator with a seed creates plausible chain drives at random, to show what a table of examples cannot. The page
and all its numbers are made by [`generated_drives.py`](generated_drives.py); nothing in a table is typed by hand.
{what.more}

- {made(dates[0], ", ".join(versions), ", ".join(kernels))}
- seed {seed}; drives measured: {counts}; {cpu:.0f} s of CPU time
- classes: {shares}. Two to six wheels on the front and back of the chain, either direction of rotation; every chain of
  the catalogue in
  turn, 40 to 400 links; teeth of ISO 606 and ASA type II, in the class *simplified teeth* circular, single-point,
  rectangular and semi-real; all contact laws, exponents 1 to 2, all forms of friction; joint damping or friction in
  six of ten; loads constant, viscous, quadratic and over the angle; motions constant, with ramp, orders, angle
  tables, run-up and run-down; gravity down, in other directions, or none
- slack is the length of the chain beyond the path around wheels and rails: none, or 0.01 or 0.02 pitches too little in
  *taut*, up to 0.3 % of the links in *slightly slack*, 0.3 to 2 % in *slack*
- drives are drawn again until they can be built: no wheel overlaps another or reaches into the span of another,
  spans do not cross, a slack span hangs clear, the driver and loaded wheels are wrapped by 80 degrees or more,
  loads are at most 6 % of the breaking load (`_generated_checks.py`)
- a drive that the page names is printed as a file by
  `python docs/validation/generated_drives.py {what.option}--toml INDEX`, with the number that its name ends with
"""


def _words(part: str, rows: Sequence[Row]) -> str:
    limit = " or ".join(f"{value:g}" for value in sorted({row["limit"] for row in rows}))
    if part == "rest":
        return (
            "`chaindrive.simulation.start.prepare` runs for each drive in a separate process, with "
            "kernels compiled "
            f"beforehand, and is killed after {limit} s of CPU. *Left* is the largest residual force at the "
            f"equilibrium found, as the "
            "search reports it, and relative to the largest span tension by a separate evaluation."
        )
    if part == "run":
        return (
            "`simulate` runs as the file of each drive says: over 30 pitches of chain, or 0.2 s if that is "
            "less, with the "
            f"default solver. A run is ended without an error after 0.8 times {limit} s of CPU (*capped*) and "
            f"judged by "
            "what it has reached. *Balance*: the largest energy that cannot be accounted for, relative to the energy "
            f"exchanged; above {BALANCED:g} it needs a warning."
        )
    return (
        f"{100 * SPAN:g} % of these runs are repeated with both methods at their default tolerances and steps, over "
        f"the same time, in {METHOD_ROWS:,} rows. "
        "The quantities compared are the mean and the largest tension of every span (relative to the larger value, "
        "and to "
        f"{100 * FLOOR:g} % of the tightest span at least), the largest force on a tooth, and each loss (differences "
        f"below {NOTHING:g} of the energy exchanged do not count). They must agree within {100 * AGREED:g} %, or a "
        f"warning must name the balance, the losses or the step. All runs of a drive "
        f"together may take {limit} s of CPU; the results that both methods have reached by then are compared.\n\n"
        f"Where they differ by more, each method runs {len(OWN)} times again with {min(OWN):g} to {max(OWN):g} times "
        "its tolerances and its step. A difference due to tolerance or step then changes by at most "
        "a third of itself; but a slack chain that throws its rollers at teeth and rails is chaotic: a "
        "roller moved by 1e-12 m at the start is a tenth of a millimetre away after a few pitches, and two runs "
        "of one method are as far apart as two methods. *Not repeatable* is a drive without a warning for "
        f"which two runs of Dormand-Prince differ by more than {100 * AGREED:g} % in something, and two methods by "
        f"at most "
        f"{REPEATED:g} times what two runs of one method do in the same quantity; it is not a test of methods and "
        "is counted separately. *Within, with a warning* are drives whose methods agree although there is a warning; "
        "*unfounded* are those where each loss that is named agrees within 1 %, too."
    )
