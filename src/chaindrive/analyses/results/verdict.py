"""The verdict on a run: strength, steadiness, resonance, losses, and trustworthiness.

All numbers are of one window, the steady part of the run (``steadiness.headline_part``), those of the whole run beside
them. A value with a limit is good, near it or beyond it; one without names the key of the drive file that would set it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.losses import losses
from chaindrive.analyses.results.peaks import extreme_values, of_rows_text, tooth_forces
from chaindrive.analyses.results.rainflow import Rainflow
from chaindrive.analyses.results.resonance import Resonance, resonances
from chaindrive.analyses.results.scatter import EXTREMES, Spread, equal_windows, spread_of_runs, spread_of_windows
from chaindrive.analyses.results.steadiness import STEADY, Part, headline_part, steadiness
from chaindrive.analyses.results.strength import Finding, Strength, strength, tension_findings
from chaindrive.analyses.signals.frequencies import system_frequencies
from chaindrive.analyses.signals.windows import instants, mean_tooth_frequency, window_of
from chaindrive.contract.status import Status
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Limits
from chaindrive.numbers import hours, quantity
from chaindrive.results.audit import OUT_OF_BALANCE
from chaindrive.results.solution import Solution

__all__ = [
    "OF_A_WINDOW",
    "Sign",
    "Tile",
    "Verdict",
    "headline_extremes",
    "verdict",
    "verdict_finding",
    "window_tiles",
]

FloatArray = NDArray[np.float64]

NEAR = 0.8
"""Utilisation above which a value is near its limit. [-]"""
NEAR_BREAKING = 0.5
"""The same for the breaking load: plates yield from about 60 % of it (usual proof load: a third to a half). [-]"""
ROUNDING = 1e-12
"""Transverse motion of a span over its length that counts as rounding: a chain on rigid rails. [-]"""
TOLD = 0.01
"""Difference of the lowest and the largest of an extreme, relative to the largest, from which they are told. [-]"""
OF_A_WINDOW = ("tension", "contact_force", "bearing_force", "vibration", "efficiency", "resonance")
"""Keys of the tiles available for any window (``window_tiles``). The others concern the end of the run, the whole run,
or whole loops of the chain."""


class Sign(StrEnum):
    """Judgement of a value against its limit."""

    GOOD = "good"
    NEAR = "near the limit"
    BEYOND = "beyond the limit"
    OPEN = "not judged"


MARKS = {Sign.GOOD: "✓", Sign.NEAR: "!", Sign.BEYOND: "✗", Sign.OPEN: "–"}
"""Symbols that are distinguishable without colour."""


class Tile(NamedTuple):
    """One answer: a headline, its details, and its judgement."""

    key: str
    title: str
    headline: str
    lines: tuple[str, ...]
    """Further numbers, limits with their source, or the key that sets one."""
    sign: Sign
    word: str
    """The sign in a word, such as "NOT STEADY"."""
    time: float = math.nan
    """Time of the worst value [s]; nan if it has no time."""
    kind: str = ""
    """Kind of the worst part: link, roller, span, wheel; or empty."""
    index: int = -1  # type: ignore[assignment]
    scatter: str = ""
    """Of an extreme: its range between windows or runs in a few words, if it differs by ``TOLD`` or more."""

    @property
    def brief(self) -> str:
        """The first two of the lines, if space is short; with the scatter of an extreme the first three."""
        return "; ".join(self.lines[: 3 if self.scatter else 2])

    @property
    def number(self) -> str:
        """The headline with its scatter."""
        return f"{self.headline} ({self.scatter})" if self.scatter else self.headline

    @property
    def mark(self) -> str:
        """The sign as one character."""
        return MARKS[self.sign]


class Verdict(NamedTuple):
    """The verdict on the drive of a run."""

    part: Part
    """The time window of all values."""
    tiles: tuple[Tile, ...]
    findings: tuple[Finding, ...]
    """The numbers of the tiles, with their limits."""

    @property
    def sign(self) -> Sign:
        """The worst of all judgements."""
        return _worst([tile.sign for tile in self.tiles])

    @property
    def start(self) -> float:
        """Start of the window. [s]"""
        return self.part.start

    @property
    def stop(self) -> float:
        """Stop of the window. [s]"""
        return self.part.stop

    @property
    def window(self) -> str:
        """The time range in words."""
        return self.part.text

    @property
    def summary(self) -> str:
        """The counts: "1 beyond the limit, 2 near the limit, 5 good, 2 not judged"."""
        counted = [(sum(tile.sign == sign for tile in self.tiles), sign) for sign in reversed(_ORDER)]
        return ", ".join(f"{count} {sign}" for count, sign in counted if count)

    def tile(self, key: str) -> Tile | None:
        """The tile with this key; None if there is none."""
        return next((each for each in self.tiles if each.key == key), None)

    def __repr__(self) -> str:
        width = max((len(tile.title) for tile in self.tiles), default=0)
        rows = [f"{tile.mark} {tile.title:{width}}  {tile.number} ({tile.word})" for tile in self.tiles]
        name = self.part.name
        return "\n".join([f"{name[:1].upper()}{name[1:]}: {self.window}", *rows])


_ORDER = (Sign.OPEN, Sign.GOOD, Sign.NEAR, Sign.BEYOND)


def _worst(signs: Sequence[Sign]) -> Sign:
    return max(signs, key=_ORDER.index, default=Sign.OPEN)


def verdict(
    solution: Solution, start: float | None = None, stop: float | None = None, cycles: Rainflow | None = None
) -> Verdict:
    """The verdict on the chain of a run (of stages: of each of ``solution.chains``).

    start, stop: another window than the steady part, by default the last whole revolutions of the driver in it [s].
    cycles: of the links, if already counted.

    Raises InputError if nothing was stored in it.
    """
    part = headline_part(solution, start, stop)
    window_of(instants(solution), part.start, part.stop, least=2)
    found: list[Finding] = []
    made = _Maker(_Channels(solution), part, found)
    tiles = [made.ending(), made.steady(), *made.strength(start, stop, cycles)]
    tiles += [
        made.tooth_force(),
        made.bearing_force(),
        made.vibration(),
        made.efficiency(),
        made.resonance(),
        made.balance(),
    ]
    return Verdict(part, tuple(tile for tile in tiles if tile is not None), tuple(found))


def window_tiles(solution: Solution, parts: Sequence[Part]) -> list[tuple[Tile, ...]]:
    """The tiles of OF_A_WINDOW, as far as the run has them, for each of several windows of the same run."""
    channels = _Channels(solution)
    found = []
    for part in parts:
        made = _Maker(channels, part, [])
        tiles = [made.tension(), made.tooth_force(), made.bearing_force()]
        tiles += [made.vibration(), made.efficiency(), made.resonance()]
        found.append(tuple(tile for tile in tiles if tile is not None))
    return found


def headline_extremes(solution: Solution) -> dict[str, float]:
    """The extremes of the headline part of every chain of a run, by the key of their finding (``scatter.EXTREMES``).

    Those of a stage have its name before them, "final.contact_force". Those whose channels were not kept are missing.
    Raises InputError if nothing was stored.
    """
    extremes: dict[str, float] = {}
    for prefix, chain in zip(("", *(f"{name}." for name in solution.stages)), solution.chains, strict=True):
        part, found = headline_part(chain), list[Finding]()
        made = _Maker(_Channels(chain), part, found)
        if "link_tension" in chain or "span_tension" in chain:
            found += tension_findings(chain, part)
        made.tooth_force()
        made.bearing_force()
        made.vibration()
        known = (each for each in found if each.key in EXTREMES and math.isfinite(each.value))
        extremes |= {f"{prefix}{each.key}": each.value for each in known}
    return extremes


def verdict_finding(solution: Solution, key: str, start: float | None = None, stop: float | None = None) -> Finding:
    """One number of the verdict, of VERDICT_FINDINGS; start, stop: as for :func:`verdict` [s].

    Raises InputError with the reason if it is not known, and if nothing was stored in the window.
    """
    found: list[Finding] = []
    made = _Maker(_Channels(solution), headline_part(solution, start, stop), found)
    makers: dict[str, Callable[[], Tile | None]] = {
        "steady": made.steady, "contact_force": made.tooth_force, "bearing_force": made.bearing_force,
        "vibration": made.vibration, "efficiency": made.efficiency, "resonance": made.resonance,
        "balance": made.balance,
    }  # fmt: skip
    tile = makers[key]()
    if found and math.isfinite(found[0].value):
        return found[0]
    reason = tile.lines[-1] if tile is not None and tile.lines else "this drive has no such number"
    raise InputError(Problem("", reason))


class _Channels:
    """Channels of the whole run, each read once. Raises InputError if the run does not have them."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    @cached_property
    def tooth_forces(self) -> tuple[FloatArray, str]:
        """Largest forces of teeth, and the kind of part they are of, see ``peaks.tooth_forces``."""
        return tooth_forces(self.solution)

    @cached_property
    def bearing_forces(self) -> tuple[FloatArray, str]:
        """Largest magnitudes of bearing forces, shape (rows, wheels) [N], and "wheel"."""
        return np.asarray(extreme_values(self.solution, "bearing_force"), dtype=np.float64), "wheel"

    @cached_property
    def transverse(self) -> FloatArray:
        """Transverse displacement of spans over their length, shape (rows, spans)."""
        values = np.asarray(self.solution.values("span_displacement"), dtype=np.float64)
        return values / np.asarray(drive_facts(self.solution.drive).route.span_length)

    @cached_property
    def longitudinal(self) -> FloatArray:
        """Lowest longitudinal frequencies of the drive. [Hz]"""
        return system_frequencies(self.solution.drive)


class _Maker:
    """Makes the tiles of one window of a run; numbers are also added to ``found``."""

    def __init__(self, channels: _Channels, part: Part, found: list[Finding]) -> None:
        self.solution, self.channels, self.part, self.found = channels.solution, channels, part, found
        self.begin, self.end = part.start, part.stop
        self.times = instants(self.solution)
        self.window = window_of(self.times, self.begin, self.end)
        self.limits = self.solution.drive.limits or Limits()

    @cached_property
    def pieces(self) -> tuple[slice, ...]:
        """Rows of the equal windows of the part, see ``scatter.equal_windows``."""
        return equal_windows(self.solution, self.part)

    def _scattered(self, finding: Finding, values: FloatArray) -> Finding:
        """An extreme with its scatter; values (rows, items) of the whole run."""
        runs = spread_of_runs(self.solution, finding.key, finding.value) if self.part.headline else None
        return finding._replace(windows=spread_of_windows(values, self.pieces), runs=runs)

    def ending(self) -> Tile | None:
        """When and why the run stopped before its end; None if it reached it."""
        status = self.solution.status
        if status in (Status.REACHED_END, Status.RUNNING):
            return None
        sign, word = (Sign.BEYOND, "STOPPED") if status.failed else (Sign.NEAR, "INTERRUPTED")
        headline = f"ended at {quantity(float(self.times[-1]), 's', 4)}"
        return Tile(
            "ending", "Run", headline, tuple(each for each in (status.description, status.advice) if each), sign, word
        )

    def steady(self) -> Tile | None:
        """Whether the end of the run repeats the period before."""
        if self.solution.drive.chain.ends is not None:
            return None
        found = steadiness(self.solution)
        sign = Sign.OPEN
        if found.steady is not None:
            name, limit = "difference to one period earlier", "a tenth of the fluctuation"
            finding = Finding("steady", name, found.share, "", STEADY, limit, "most", "")
            self.found.append(finding)
            sign = Sign.GOOD if found.irregular else _sign(finding) if found.steady else Sign.BEYOND
        return Tile("steady", "Steady", found.headline, found.lines, sign, found.word)

    def strength(self, start: float | None, stop: float | None, cycles: Rainflow | None) -> list[Tile | None]:
        """Tension, fatigue and life of the chain."""
        try:
            found = strength(self.solution, start, stop, cycles)
        except InputError as error:
            return [_unknown("tension", "Link tension", error), None, None]
        self.found += found.findings
        return [_tension(self.solution, found.findings, self.part.name), _plates(found), _life(found)]

    def tension(self) -> Tile | None:
        """The largest tension alone, without the fatigue of the chain."""
        try:
            return _tension(self.solution, tension_findings(self.solution, self.part), self.part.name)
        except InputError as error:
            return _unknown("tension", "Link tension", error)

    def tooth_force(self) -> Tile | None:
        """The largest force on a tooth, for a chain with wheels."""
        return self._force("contact_force", "Tooth force", lambda: self.channels.tooth_forces)

    def bearing_force(self) -> Tile | None:
        """The largest force on a bearing, for a chain with wheels."""
        return self._force("bearing_force", "Bearing load", lambda: self.channels.bearing_forces)

    def _force(self, key: str, title: str, read: Callable[[], tuple[FloatArray, str]]) -> Tile | None:
        if not self.solution.drive.wheels:
            return None
        try:
            values, kind = read()
            row, item, value = self._largest(values)
        except InputError as error:
            return _unknown(key, title, error)
        limit = getattr(self.limits, key)
        where = self.solution.drive.wheels[item].name if kind == "wheel" else self.solution.items(key)[item]
        finding = _finding(
            key, f"largest {title.lower()}, {self.part.name}", value, "N", limit, "most", self.times[row]
        )
        finding = self._scattered(finding._replace(kind=kind, index=item, where=where), values)
        self.found.append(finding)
        lines = [f"{where}, at {quantity(float(self.times[row]), 's', 5)}", *scatter_lines(finding)]
        lines += [self._whole(values), _limit_line(finding)]
        if text := of_rows_text(self.solution, key):
            lines.append(text)
        return _tile(key, title, quantity(value, "N", 3), lines, finding)

    def _largest(self, values: FloatArray) -> tuple[int, int, float]:
        """Row of the run, item and value of the largest of the steady part. Raises InputError without any number."""
        if not np.isfinite(values[self.window.rows]).any():
            raise InputError(Problem("window", "no finite values in it"))
        part = np.where(np.isfinite(values[self.window.rows]), values[self.window.rows], -np.inf)
        row, item = np.unravel_index(int(part.argmax()), part.shape)
        return self.window.first + int(row), int(item), float(part[row, item])

    def _whole(self, values: FloatArray, unit: str = "N") -> str:
        return f"whole run {quantity(float(np.nanmax(values)), unit, 3)}"

    def vibration(self) -> Tile | None:
        """The largest transverse amplitude of a span, relative to its length; None for a loop that hangs."""
        key, title = "vibration", "Strand vibration"
        if drive_facts(self.solution.drive).route.hanging_loop:
            return None
        try:
            values = self.channels.transverse
            moved = _moved(values - values[self.window.rows].mean(axis=0))
            row, span, value = self._largest(moved)
        except InputError as error:
            return _unknown(key, title, error)
        quantity_name = "largest transverse amplitude of a span, relative to its length"
        finding = _finding(key, quantity_name, value, "", self.limits.vibration, "most", self.times[row])
        name = self.solution.drive.span_names[span]
        finding = self._scattered(finding._replace(kind="span", index=span, where=name), moved)
        self.found.append(finding)
        length = float(drive_facts(self.solution.drive).route.span_length[span])
        known = np.isfinite(values)
        mean = np.where(known, values, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        lines = (
            f"{quantity(value * length, 'm', 3)} about its mean in span {name}",
            *scatter_lines(finding),
            f"whole run {_percent(float(np.nanmax(_moved(values - mean))))}",
            _limit_line(finding),
        )
        return _tile(key, title, f"{_percent(value)} of the span", lines, finding)

    def efficiency(self) -> Tile:
        """Output over input, over the steady part."""
        key, title = "efficiency", "Efficiency"
        try:
            lost = losses(self.solution, self.begin, self.end)
        except InputError as error:
            return _unknown(key, title, error)
        finding = _finding(key, "efficiency", lost.efficiency, "", self.limits.efficiency, "least", math.nan)
        self.found.append(finding)
        largest = int(np.argmax(lost.power))
        total = quantity(lost.total, "W", 3)
        lines = [f"{total} lost, {quantity(float(lost.power[largest]), 'W', 3)} in {lost.names[largest]}"]
        lines.append(lost.no_efficiency if lost.no_efficiency else _limit_line(finding))
        headline = f"{total} lost" if lost.no_efficiency else f"{100.0 * lost.efficiency:.2f} %"
        return _tile(key, title, headline, tuple(lines), finding)

    def resonance(self) -> Tile | None:
        """Distance of the speed from the nearest resonance."""
        key, title = "resonance", "Nearest resonance"
        if drive_facts(self.solution.drive).route.hanging_loop:
            return None
        try:
            found = resonances(self.solution, self.begin, self.end, self.channels.longitudinal)
        except InputError as error:
            return None if self.solution.drive.chain.ends is not None else _unknown(key, title, error)
        if not found:
            reason = "none between 1/5 and 5 times the speed"
            return Tile(key, title, "none near", (reason,), Sign.GOOD, "good")
        near = found[0]
        distance = abs(near.distance)
        finding = _finding(key, "distance of the speed from the nearest resonance", distance, "", self.limits.resonance,
                           "least", math.nan)  # fmt: skip
        if near.span >= 0:
            finding = finding._replace(kind="span", index=near.span, where=self.solution.drive.span_names[near.span])
        self.found.append(finding)
        side = "above" if near.distance > 0.0 else "below"
        lines = (
            f"{near.excitation.label} meets {near.mode} ({_model(near)}) at {quantity(near.frequency, 'Hz', 3)}",
            _limit_line(finding),
            self._other_frequency(near),
        )
        return _tile(key, title, f"{_percent(distance)} {side} the speed", lines, finding)

    def _other_frequency(self, near: Resonance) -> str:
        """From what the natural frequency of a resonance is, and why the drive linearised at rest has another one."""
        if near.span < 0:
            return (
                "mode of the drive: wheels and links in longitudinal motion, on rigid seats; the drive linearised at "
                "rest (chaindrive analyze) has the stiffness of seats and teeth, and bodies, as well"
            )
        pull = float(self.solution.values("span_tension", self.window.rows, near.span).mean())
        pace = abs(mean_tooth_frequency(self.solution, self.begin, self.end)) * self.solution.drive.chain.pitch
        still = self.solution.notes.get("static_span_tension", ())
        at_rest = f"{quantity(float(still[near.span]), 'N', 3)}" if near.span < len(still) else "its tension at rest"
        return (
            f"moving string: {quantity(pull, 'N', 3)} and {quantity(pace, 'm/s', 3)}, means of this part; the drive "
            f"linearised at rest (chaindrive analyze) has {at_rest} there and no speed, and teeth hold its ends"
        )

    def balance(self) -> Tile | None:
        """Whether the energy balance closes."""
        audit = self.solution.audit
        if not audit.energy_exchanged > 0.0:
            return None
        finding = Finding("balance", "energy residual", audit.relative_residual, "", OUT_OF_BALANCE,
                          "chaindrive: 0.1 % of the energy exchanged", "most", "")  # fmt: skip
        self.found.append(finding)
        exchanged = quantity(audit.energy_exchanged, "J", 4)
        lines = (f"of the {exchanged} exchanged; limit 0.1 %",)
        return _tile("balance", "Energy residual", f"{audit.relative_residual:.1e}", lines, finding)


def _model(near: Resonance) -> str:
    """What the natural frequency of a resonance belongs to, in two words."""
    return "moving string" if near.span >= 0 else "longitudinal"


def _moved(displacement: FloatArray) -> FloatArray:
    """Magnitudes, 0 if they are only rounding of the positions from which they were computed."""
    size = np.abs(displacement)
    return np.where(size <= ROUNDING, 0.0, size)  # what is not a number stays so


def _tension(solution: Solution, found: Sequence[Finding], part: str) -> Tile:
    by_key = {finding.key: finding for finding in found}
    steady, whole, breaking = (by_key[key] for key in ("tension_steady", "tension_run", "breaking_load"))
    sign = _worst([_sign(whole), _sign(breaking, NEAR_BREAKING)])
    known = math.isfinite(breaking.utilisation)
    headline = f"{_percent(breaking.utilisation)} of the breaking load" if known else quantity(whole.value, "N", 3)
    lines = [
        f"{part} {_worst_place(steady)}",
        *scatter_lines(steady),
        f"whole run {_worst_place(whole)}",
        _limit_line(whole),
        _limit_line(breaking) if not known else f"breaking load {quantity(breaking.limit, 'N', 3)}",
    ]
    if text := of_rows_text(solution, f"{whole.kind}_tension"):
        lines.append(text)
    place = whole.time, whole.kind, whole.index
    return Tile("tension", "Link tension", headline, tuple(lines), sign, _word(sign), *place, _scatter(steady))


def _plates(found: Strength) -> Tile | None:
    plates, life = found.finding("plate_range"), found.finding("plate_life")
    if plates is None:
        return None
    headline = quantity(plates.value, "N", 3)
    if math.isfinite(plates.utilisation):
        headline = f"{_percent(plates.utilisation)} of the endurance"
    lines = [f"{plates.name} {quantity(plates.value, 'N', 3)} in {plates.where}", _limit_line(plates)]
    if life is not None and not math.isnan(life.value):
        lines.insert(1, f"life {hours(life.value)}")
    sign = _sign(plates)
    return Tile("plates", "Plate fatigue", headline, tuple(lines), sign, _word(sign), plates.time, plates.kind,
                plates.index)  # fmt: skip


LIVES = {"plate_life": "plates", "roller_bush_life": "rollers and bushes", "wear_life": "chain joints, until worn"}
"""Names of the parts with a life."""


def _life(found: Strength) -> Tile | None:
    known = [each for key in LIVES if (each := found.finding(key)) is not None and not math.isnan(each.value)]
    if not known:
        return None
    lives = sorted(known, key=lambda each: each.value)
    least = lives[0]
    sign = _worst([_sign(each) for each in lives])
    lines = [f"{LIVES[each.key]} {hours(each.value)}" for each in lives]
    missing = {each.missing for each in lives if each.missing}
    lines.append(f"no limit given ({missing.pop()})" if missing else _limit_line(least))
    return Tile("life", "Life", hours(least.value), tuple(lines), sign, _word(sign), kind=least.kind, index=least.index)


def _worst_place(finding: Finding) -> str:
    when = f" at {quantity(finding.time, 's', 5)}" if math.isfinite(finding.time) else ""
    return f"{quantity(finding.value, 'N', 3)} in {finding.where}{when}"


def _finding(key: str, name: str, value: float, unit: str, limit: float | None, sense: str, time: float) -> Finding:
    """A number with the limit of the drive file that has its key."""
    where = f"limits.{key}"
    given = ("" if limit is None else f"given: {where}", sense, where if limit is None else "")
    return Finding(key, name, value, unit, math.nan if limit is None else limit, *given, time=float(time))  # type: ignore[arg-type]


def _tile(key: str, title: str, headline: str, lines: Sequence[str], finding: Finding) -> Tile:
    sign = _sign(finding)
    place = finding.time, finding.kind, finding.index
    return Tile(key, title, headline, tuple(lines), sign, _word(sign), *place, _scatter(finding))


def _unknown(key: str, title: str, error: InputError) -> Tile:
    reason = error.problems[0].message.split(";")[0]
    return Tile(key, title, "not known", (reason,), Sign.OPEN, _word(Sign.OPEN))


def scatter_lines(finding: Finding) -> list[str]:
    """The scatter of an extreme between windows and between runs, a line for each that is known."""
    shown = _shown(finding)
    lines = []
    if (of := finding.windows) is not None:
        lines.append(f"{of.count} windows of this part {of.text(shown)}, median {shown(of.median)}")
    if (of := finding.runs) is not None:
        lines.append(f"{of.count} runs from disturbed starts {of.text(shown)}, median {shown(of.median)}")
    return lines


def _scatter(finding: Finding) -> str:
    """The same in a few words: between runs if they are there, else between windows; empty if it is small."""
    told: list[tuple[Spread | None, str]] = [(finding.runs, "runs"), (finding.windows, "windows")]
    of, name = next(((each, name) for each, name in told if each is not None), (None, ""))
    return "" if of is None or of.share < TOLD else f"{of.count} {name}: {of.text(_shown(finding))}"


def _shown(finding: Finding) -> Callable[[float], str]:
    """How the value of a finding is written."""
    return _percent if finding.unit == "" else lambda value: quantity(value, finding.unit, 3)


def _sign(finding: Finding, near: float = NEAR) -> Sign:
    used = finding.utilisation
    if math.isnan(used):
        return Sign.OPEN
    return Sign.BEYOND if used > 1.0 else Sign.NEAR if used > near else Sign.GOOD


def _word(sign: Sign) -> str:
    return str(sign)


def _limit_line(finding: Finding) -> str:
    """The limit with its source, or the key that would set one."""
    if finding.missing:
        return f"no limit given ({finding.missing})"
    limit = _percent(finding.limit) if finding.unit == "" else quantity(finding.limit, finding.unit, 3)
    if finding.unit == "s":
        limit = hours(finding.limit)
    sense = "at most" if finding.sense == "most" else "at least"
    return f"{sense} {limit} ({finding.limit_source})"


def _percent(share: float) -> str:
    return f"{100.0 * share:.3g} %"
