"""Tiles of the verdict: each is an answer with its value, its limit and its sign."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from chaindrive.analyses.results.peaks import of_rows_text
from chaindrive.analyses.results.scatter import Spread
from chaindrive.analyses.results.shifting import Shifting
from chaindrive.analyses.results.strength import Finding, Strength
from chaindrive.errors import InputError
from chaindrive.numbers import hours, quantity
from chaindrive.results.solution import Solution

__all__ = [
    "MARKS",
    "ORDER",
    "Sign",
    "Tile",
    "life_tile",
    "limit_line",
    "limited",
    "percent",
    "plates_tile",
    "scatter_lines",
    "shift_tile",
    "sign_of",
    "tension_tile",
    "tile_not_judged",
    "tile_of",
    "unknown_tile",
    "worst",
]

NEAR = 0.8
"""Utilisation above which a value is near its limit. [-]"""
NEAR_BREAKING = 0.5
"""Utilisation of the breaking load above which a value is near the limit: plates yield from about 60 % of the breaking
load (usual proof load: a third to a half). [-]
"""
LEAST_SCATTER = 0.01
"""If the smallest and the largest extreme differ by more than this fraction of the largest, both are stated. [-]"""


class Sign(StrEnum):
    """Judgement of a value with respect to its limit."""

    GOOD = "good"
    NEAR = "near the limit"
    BEYOND = "beyond the limit"
    OPEN = "not judged"


MARKS = {Sign.GOOD: "✓", Sign.NEAR: "!", Sign.BEYOND: "✗", Sign.OPEN: "–"}
"""Symbols that can be distinguished without colour."""


class Tile(NamedTuple):
    """One answer: a headline, its details, and its judgement."""

    key: str
    title: str
    headline: str
    lines: tuple[str, ...]
    """Additional values, limits with their source, or the key that sets a limit."""
    sign: Sign
    word: str
    """The sign as a word, such as "NOT STEADY"."""
    time: float = math.nan
    """Time of the worst value [s]; nan if it has no particular time."""
    kind: str = ""
    """Kind of the worst part: link, roller, span, wheel; or empty."""
    index: int = -1  # type: ignore[assignment]
    scatter: str = ""
    """Scatter of an extreme: its range between windows or runs as a text, if it varies by ``LEAST_SCATTER`` or more."""

    @property
    def brief(self) -> str:
        """Return the first two lines, for use where space is short; the first three if they include the scatter of an
        extreme.
        """
        return "; ".join(self.lines[: 3 if self.scatter else 2]).replace(".; ", "; ")

    @property
    def number(self) -> str:
        """The headline with its scatter."""
        return f"{self.headline} ({self.scatter})" if self.scatter else self.headline

    @property
    def mark(self) -> str:
        """The sign as one character."""
        return MARKS[self.sign]


BROKEN = "TENSION_ABOVE_BREAKING_LOAD"
"""Name of the status of a run that ended because a tension reached the breaking load."""
ORDER = (Sign.OPEN, Sign.GOOD, Sign.NEAR, Sign.BEYOND)


def worst(signs: Sequence[Sign]) -> Sign:
    """Return the worst of several signs; "not judged" if there are none."""
    return max(signs, key=ORDER.index, default=Sign.OPEN)


def tension_tile(solution: Solution, found: Sequence[Finding], part: str) -> Tile:
    """Return the tile of the largest tension, from the findings of ``strength.tension_findings``; part: name of the
    window.
    """
    by_key = {finding.key: finding for finding in found}
    steady, whole, breaking = (by_key[key] for key in ("tension_steady", "tension_run", "breaking_load"))
    sign = worst([sign_of(whole), sign_of(breaking, NEAR_BREAKING)])
    if solution.status.name == BROKEN:
        sign = Sign.BEYOND
    known = math.isfinite(breaking.utilisation)
    headline = f"{percent(breaking.utilisation)} of the breaking load" if known else quantity(whole.value, "N", 3)
    scatter = scatter_lines(steady)
    whole_run = f"whole run {_worst_place(whole)}"
    # The headline is that of the whole run, which must therefore be among the few lines of ``Tile.brief``.
    lines = [
        f"{part} {_worst_place(steady)}",
        *([*scatter, whole_run] if _scatter(steady) else [whole_run, *scatter]),
        limit_line(whole),
        limit_line(breaking) if not known else f"breaking load {quantity(breaking.limit, 'N', 3)}",
    ]
    if text := of_rows_text(solution, f"{whole.kind}_tension"):
        lines.append(text)
    place = whole.time, whole.kind, whole.index
    return Tile("tension", "Link tension", headline, tuple(lines), sign, _word(sign), *place, _scatter(steady))


def plates_tile(found: Strength) -> Tile | None:
    """Return the tile of the damage-equivalent range of the plates; None if it is not known."""
    plates, life = found.finding("plate_range"), found.finding("plate_life")
    if plates is None:
        return None
    headline = quantity(plates.value, "N", 3)
    if math.isfinite(plates.utilisation):
        headline = f"{percent(plates.utilisation)} of the dynamic strength"
    lines = [f"{plates.name} {quantity(plates.value, 'N', 3)} in {plates.where}", limit_line(plates)]
    if life is not None and not math.isnan(life.value):
        lines.insert(1, f"life {hours(life.value)}")
    sign = sign_of(plates)
    return Tile("plates", "Plate fatigue", headline, tuple(lines), sign, _word(sign), plates.time, plates.kind,
                plates.index)  # fmt: skip


LIVES = {"plate_life": "plates", "roller_bush_life": "rollers and bushes", "wear_life": "wear of the chain joints"}
"""Names of the parts that have a life."""


def life_tile(found: Strength) -> Tile | None:
    """Return the tile of the shortest life of the parts of the chain; None if no life is known."""
    known = [each for key in LIVES if (each := found.finding(key)) is not None and not math.isnan(each.value)]
    if not known:
        return None
    lives = sorted(known, key=lambda each: each.value)
    least = lives[0]
    sign = worst([sign_of(each) for each in lives])
    lines = [f"{LIVES[each.key]} {hours(each.value)}" for each in lives]
    missing = {each.missing for each in lives if each.missing}
    lines.append(f"no limit given ({missing.pop()})" if missing else limit_line(least))
    return Tile("life", "Life", hours(least.value), tuple(lines), sign, _word(sign), kind=least.kind, index=least.index)


def _worst_place(finding: Finding) -> str:
    when = f" at {quantity(finding.time, 's', 5)}" if math.isfinite(finding.time) else ""
    return f"{quantity(finding.value, 'N', 3)} in {finding.where}{when}"


def limited(key: str, name: str, value: float, unit: str, limit: float | None, sense: str, time: float) -> Finding:
    """Return a finding with the limit that the drive file gives under the same key."""
    where = f"limits.{key}"
    given = ("" if limit is None else f"given: {where}", sense, where if limit is None else "")
    return Finding(key, name, value, unit, math.nan if limit is None else limit, *given, time=float(time))  # type: ignore[arg-type]


def tile_of(key: str, title: str, headline: str, lines: Sequence[str], finding: Finding) -> Tile:
    """Return the tile of a value, with the sign that follows from its limit."""
    sign = sign_of(finding)
    place = finding.time, finding.kind, finding.index
    return Tile(key, title, headline, tuple(lines), sign, _word(sign), *place, _scatter(finding))


def unknown_tile(key: str, title: str, error: InputError) -> Tile:
    """Return the tile of an unknown value, with the reason."""
    reason = error.problems[0].message.split(";")[0]
    return Tile(key, title, "not known", (reason,), Sign.OPEN, _word(Sign.OPEN))


def shift_tile(found: Shifting) -> Tile:
    """Return the tile that says whether and when a shift between cogs was completed, with the chain tension, or with
    advice if it was not completed.
    """
    on = ", ".join(f"{count} on {teeth}" for teeth, count in zip(found.teeth, found.seated, strict=True))
    lines = [f"rollers seated on {found.wheel} at the end: {on} teeth"]
    tight = f"largest tension of a link {quantity(found.tension, 'N', 3)} in the stored rows"
    if found.complete:
        took = quantity(found.end - found.start, "s", 3)
        lines[:0] = [
            f"the shift took {took}, from the first roller on another cog at {quantity(found.start, 's', 4)}; "
            f"meanwhile {found.wheel} turned {math.degrees(found.turned):.0f} deg; {tight}"
        ]
        headline = f"on the {found.cog}-tooth cog from {quantity(found.end, 's', 4)} on"
        return Tile("shift", "Shift", headline, tuple(lines), Sign.GOOD, _word(Sign.GOOD), found.end)
    advice = (
        "move the pulleys further (bicycle.shift.overshift), make the run longer, or start the shift at another time: "
        "the teeth of both cogs match only at some points of the circumference"
    )
    started = math.isfinite(found.start)
    headline = (
        "not complete"
        if found.cog == 0
        else f"the chain {'fell back to' if started else 'stays on'} the {found.cog}-tooth cog"
    )
    return Tile("shift", "Shift", headline, (*lines, tight, advice), Sign.BEYOND, "NOT COMPLETE")


def scatter_lines(finding: Finding) -> list[str]:
    """Return the scatter of an extreme between windows and between runs, one line for each that is known."""
    shown = _shown(finding)
    lines = []
    if (of := finding.windows) is not None:
        lines.append(f"{of.count} windows of this part {of.text(shown)}, median {shown(of.median)}")
    if (of := finding.runs) is not None:
        lines.append(f"{of.count} runs from perturbed starts {of.text(shown)}, median {shown(of.median)}")
    return lines


def _scatter(finding: Finding) -> str:
    """Return a short text with the scatter of an extreme: between runs if known, otherwise between windows; empty if it
    is small.
    """
    spreads: list[tuple[Spread | None, str]] = [(finding.runs, "runs"), (finding.windows, "windows")]
    of, name = next(((each, name) for each, name in spreads if each is not None), (None, ""))
    return "" if of is None or of.share < LEAST_SCATTER else f"{of.count} {name}: {of.text(_shown(finding))}"


def _shown(finding: Finding) -> Callable[[float], str]:
    """Return a function that formats the value of a finding."""
    return percent if finding.unit == "" else lambda value: quantity(value, finding.unit, 3)


def sign_of(finding: Finding, near: float = NEAR) -> Sign:
    """Return the judgement of a value with respect to its limit; near: utilisation above which it counts as near the
    limit [-].
    """
    used = finding.utilisation
    if math.isnan(used):
        return Sign.OPEN
    return Sign.BEYOND if used > 1.0 else Sign.NEAR if used > near else Sign.GOOD


def _word(sign: Sign) -> str:
    return str(sign)


def limit_line(finding: Finding) -> str:
    """Return a line with the limit and its source, or with the key that would set a limit."""
    if finding.missing:
        return f"no limit given ({finding.missing})"
    limit = percent(finding.limit) if finding.unit == "" else quantity(finding.limit, finding.unit, 3)
    if finding.unit == "s":
        limit = hours(finding.limit)
    sense = "at most" if finding.sense == "most" else "at least"
    return f"{sense} {limit} ({finding.limit_source})"


def percent(share: float) -> str:
    """Return a share in per cent as a string with three significant digits."""
    return f"{100.0 * share:.3g} %"


def tile_not_judged(tile: Tile, reason: str) -> Tile:
    """Return a tile without a judgement, because its value is not valid for the given reason."""
    if tile.sign == Sign.OPEN:
        return tile
    return tile._replace(sign=Sign.OPEN, word=_word(Sign.OPEN), lines=(*tile.lines, f"not judged: {reason}"))
