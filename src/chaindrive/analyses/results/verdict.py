"""The verdict on a run: strength, steadiness, resonance, losses, and trustworthiness.

All values apply to one window, the steady part of the run (``steadiness.headline_part``), with values of the whole run
for comparison. A value with a limit is good, near the limit or beyond it; for a value without a limit, the key of the
drive file that would set the limit is named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive import plugs
from chaindrive.analyses.analytical.conveyor_pull import is_conveyor
from chaindrive.analyses.results.conveyor_tiles import carrying_text, conveyor_tiles
from chaindrive.analyses.results.losses import losses
from chaindrive.analyses.results.peaks import extreme_values, of_rows_text, tooth_forces
from chaindrive.analyses.results.rainflow import Rainflow
from chaindrive.analyses.results.resonance import Resonance, resonances
from chaindrive.analyses.results.scatter import EXTREMES, equal_windows, spread_of_runs, spread_of_windows
from chaindrive.analyses.results.shifting import shifting
from chaindrive.analyses.results.steadiness import STEADY, Part, headline_part, steadiness
from chaindrive.analyses.results.strength import Finding, strength, tension_findings
from chaindrive.analyses.results.tiles import (
    ORDER,
    Sign,
    Tile,
    life_tile,
    limit_line,
    limited,
    percent,
    plates_tile,
    scatter_lines,
    shift_tile,
    sign_of,
    tension_tile,
    tile_not_judged,
    tile_of,
    unknown_tile,
    worst,
)
from chaindrive.analyses.results.variator import VariatorPoint, variator_point
from chaindrive.analyses.signals.frequencies import DriveFrequencies, drive_frequencies
from chaindrive.analyses.signals.windows import instants, mean_tooth_frequency, window_of
from chaindrive.contract.status import Status
from chaindrive.errors import InputError, Problem
from chaindrive.formulations.cvt.endings import SLIPS
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Limits
from chaindrive.numbers import quantity
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

ROUNDING = 1e-12
"""Transverse motion of a span, relative to its length, that counts as rounding, for example on rigid rails; also used
for lost power relative to input power, or to the stored energy divided by the duration of the window. [-]"""
OF_A_WINDOW = (
    "tension",
    "slip",
    "thrust_ratio",
    "contact_force",
    "bearing_force",
    "vibration",
    "efficiency",
    "resonance",
)
"""Keys of the tiles that are available for any window (``window_tiles``). The other tiles concern the end of the run,
the whole run, or whole loops of the chain."""
MODES_OF_THE_DRIVE = 20
"""Number of natural frequencies of the whole drive that are kept; ``resonances`` considers the lowest of them."""
OF_A_CONVEYOR = ("motor", "start_torque", "take_up")
"""Keys of the tiles for a conveyor."""
OF_A_STATE = ("plates", "life", "efficiency", "resonance", "motor")
"""Keys of the tiles that extrapolate from the part; they are not judged for a run that is NOT STEADY or has stopped."""


MEAN_OF_A_STEP = "with rigid contacts it is an impulse divided by the step, which grows as the step becomes shorter"
"""Reason why the largest force in a contact, on a bearing, or in a link with revolute joints is not judged."""


class Verdict(NamedTuple):
    """The verdict on the drive of a run."""

    part: Part
    """The time window of all values."""
    tiles: tuple[Tile, ...]
    findings: tuple[Finding, ...]
    """The values of the tiles, with their limits."""

    @property
    def sign(self) -> Sign:
        """The worst of all judgements."""
        return worst([tile.sign for tile in self.tiles])

    @property
    def start(self) -> float:
        """Start of the window. [s]"""
        return self.part.start

    @property
    def stop(self) -> float:
        """End of the window. [s]"""
        return self.part.stop

    @property
    def window(self) -> str:
        """The time range in words."""
        return self.part.text

    @property
    def summary(self) -> str:
        """The numbers of tiles by sign: "1 beyond the limit, 2 near the limit, 5 good, 2 not judged"."""
        counted = [(sum(tile.sign == sign for tile in self.tiles), sign) for sign in reversed(ORDER)]
        return ", ".join(f"{count} {sign}" for count, sign in counted if count)

    def tile(self, key: str) -> Tile | None:
        """Return the tile with this key; None if there is none."""
        return next((each for each in self.tiles if each.key == key), None)

    def __repr__(self) -> str:
        width = max((len(tile.title) for tile in self.tiles), default=0)
        rows = [f"{tile.mark} {tile.title:{width}}  {tile.number} ({tile.word})" for tile in self.tiles]
        name = self.part.name
        return "\n".join([f"{name[:1].upper()}{name[1:]}: {self.window}", *rows])

    def _repr_html_(self) -> str:
        """The display in a notebook."""
        return plugs.verdict_html(self)


def verdict(
    solution: Solution, start: float | None = None, stop: float | None = None, cycles: Rainflow | None = None
) -> Verdict:
    """Return the verdict on the chain of a run.

    For stages, use each of ``solution.chains``. start, stop: the window [s], by default the last whole revolutions of
    the driver in the steady part. cycles: cycles of the links, if already counted.

    Raises InputError if nothing was stored in the window.
    """
    part = headline_part(solution, start, stop)
    window_of(instants(solution), part.start, part.stop, least=2)
    found: list[Finding] = []
    made = _Maker(_Channels(solution), part, found)
    steady = made.steady()
    tiles = [made.ending(), steady, *made.strength(start, stop, cycles)]
    tiles += [
        made.shift(),
        made.slip(),
        made.thrust_ratio(),
        made.tooth_force(),
        made.bearing_force(),
        made.vibration(),
        made.efficiency(),
        made.resonance(),
        *made.conveyor(),
        made.balance(),
    ]
    shown = [tile for tile in tiles if tile is not None]
    unsettled = steady is not None and steady.sign == Sign.BEYOND
    if part.headline and (unsettled or solution.status.failed):
        reason = "the run is NOT STEADY" if unsettled else "the run stopped"
        reason += ": its state is not final"
        shown = [tile_not_judged(tile, reason) if tile.key in OF_A_STATE else tile for tile in shown]
    return Verdict(part, tuple(shown), tuple(found))


def window_tiles(solution: Solution, parts: Sequence[Part]) -> list[tuple[Tile, ...]]:
    """Return the tiles of OF_A_WINDOW that the run has, for each of several windows of the same run."""
    channels = _Channels(solution)
    found = []
    for part in parts:
        made = _Maker(channels, part, [])
        tiles = [made.tension(), made.slip(), made.thrust_ratio(), made.tooth_force(), made.bearing_force()]
        tiles += [made.vibration(), made.efficiency(), made.resonance()]
        found.append(tuple(tile for tile in tiles if tile is not None))
    return found


def headline_extremes(solution: Solution) -> dict[str, float]:
    """Return the extremes of the headline part of every chain of a run, by the key of their finding
    (``scatter.EXTREMES``).

    For a stage, the key has its name as a prefix, such as "final.contact_force". Extremes whose channels were not
    stored are missing. Raises InputError if nothing was stored.
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
    """Return one value of the verdict, from VERDICT_FINDINGS; start, stop: as for :func:`verdict` [s].

    Raises InputError with the reason if the value is unknown, and if nothing was stored in the window.
    """
    found: list[Finding] = []
    made = _Maker(_Channels(solution), headline_part(solution, start, stop), found)
    makers: dict[str, Callable[[], Tile | None]] = {
        "steady": made.steady, "slip": made.slip, "thrust_ratio": made.thrust_ratio,
        "contact_force": made.tooth_force, "bearing_force": made.bearing_force,
        "vibration": made.vibration, "efficiency": made.efficiency, "resonance": made.resonance,
        "balance": made.balance,
        **dict.fromkeys(OF_A_CONVEYOR, lambda: made.conveyor_tile(key)),
    }  # fmt: skip
    tile = makers[key]()
    own = next((each for each in found if each.key == key), None)
    if own is not None and math.isfinite(own.value):
        return own
    reason = tile.lines[-1] if tile is not None and tile.lines else "this drive has no such value"
    raise InputError(Problem("", reason))


class _Channels:
    """Channels of the whole run, each read once. Raises InputError for a channel that the run does not have."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution

    @cached_property
    def tooth_forces(self) -> tuple[FloatArray, str]:
        """Largest tooth forces, and the kind of part to which they belong (see ``peaks.tooth_forces``)."""
        return tooth_forces(self.solution)

    @cached_property
    def bearing_forces(self) -> tuple[FloatArray, str]:
        """Largest magnitudes of bearing forces, shape (rows, wheels) [N], and "wheel"."""
        return np.asarray(extreme_values(self.solution, "bearing_force"), dtype=np.float64), "wheel"

    @cached_property
    def transverse(self) -> FloatArray:
        """Transverse displacement of the spans divided by their length, shape (rows, spans)."""
        values = np.asarray(self.solution.values("span_displacement"), dtype=np.float64)
        return values / np.asarray(drive_facts(self.solution.drive).route.span_length)

    @cached_property
    def drive_frequencies(self) -> DriveFrequencies:
        """Lowest natural frequencies of the whole drive."""
        return drive_frequencies(self.solution, MODES_OF_THE_DRIVE)


class _Maker:
    """Makes the tiles of one window of a run; values are also added to ``found``."""

    def __init__(self, channels: _Channels, part: Part, found: list[Finding]) -> None:
        self.solution, self.channels, self.part, self.found = channels.solution, channels, part, found
        self.begin, self.end = part.start, part.stop
        self.times = instants(self.solution)
        self.window = window_of(self.times, self.begin, self.end)
        self.limits = self.solution.drive.limits or Limits()

    @cached_property
    def pieces(self) -> tuple[slice, ...]:
        """Rows of the equal windows of the part (see ``scatter.equal_windows``)."""
        return equal_windows(self.solution, self.part)

    def _scattered(self, finding: Finding, values: FloatArray) -> Finding:
        """Return the finding of an extreme with its scatter; values: (rows, items) of the whole run."""
        runs = spread_of_runs(self.solution, finding.key, finding.value) if self.part.headline else None
        return finding._replace(windows=spread_of_windows(values, self.pieces), runs=runs)

    def ending(self) -> Tile | None:
        """Return the tile that says when and why the run stopped before its end, or that it is still in progress; None
        if it reached its end.
        """
        status = self.solution.status
        if status in (Status.REACHED_END, Status.RUNNING):
            return None
        running = self.solution.being_written
        sign, word = (Sign.BEYOND, "STOPPED") if status.failed else (Sign.NEAR, "RUNNING" if running else "INTERRUPTED")
        headline = f"{'at' if running else 'ended at'} {quantity(float(self.times[-1]), 's', 4)}"
        return Tile(
            "ending", "Run", headline, tuple(each for each in (status.description, status.advice) if each), sign, word
        )

    def steady(self) -> Tile | None:
        """Return the tile that says whether the end of the run repeats the previous period."""
        if self.solution.drive.chain.ends is not None:
            return None
        found = steadiness(self.solution)
        sign = Sign.OPEN
        if found.steady is not None:
            name, limit = "difference from one period earlier", "a tenth of the fluctuation"
            finding = Finding("steady", name, found.share, "", STEADY, limit, "most", "")
            self.found.append(finding)
            sign = Sign.GOOD if found.irregular else sign_of(finding) if found.steady else Sign.BEYOND
        return Tile("steady", "Steady", found.headline, found.lines, sign, found.word)

    def strength(self, start: float | None, stop: float | None, cycles: Rainflow | None) -> list[Tile | None]:
        """Return the tiles for tension, fatigue and life of the chain."""
        try:
            found = strength(self.solution, start, stop, cycles)
        except InputError as error:
            return [unknown_tile("tension", "Link tension", error), None, None]
        self.found += found.findings
        lives = [plates_tile(found), life_tile(found)]
        if not found.repeats:
            lives = [None if tile is None else _of_no_turn(tile, found.turns) for tile in lives]
        tiles = [tension_tile(self.solution, found.findings, self.part.name), *lives]
        return [self._of_links(tile) for tile in tiles]

    def tension(self) -> Tile | None:
        """Return the tile of the largest tension only, without the fatigue of the chain."""
        try:
            found = tension_findings(self.solution, self.part)
            return self._of_links(tension_tile(self.solution, found, self.part.name))
        except InputError as error:
            return unknown_tile("tension", "Link tension", error)

    def _of_links(self, tile: Tile | None) -> Tile | None:
        """Return a tile of the link tension, without a judgement if links are constraints."""
        rigid = self.solution.drive.run.formulation.rigid_links
        return tile_not_judged(tile, MEAN_OF_A_STEP) if rigid and tile is not None else tile

    def shift(self) -> Tile | None:
        """Return the tile that says whether a shift between cogs is complete; None for a drive without additional
        cogs.
        """
        if not any(wheel.cogs for wheel in self.solution.drive.wheels):
            return None
        try:
            return shift_tile(shifting(self.solution))
        except InputError as error:
            return unknown_tile("shift", "Shift", error)

    @cached_property
    def variator_point(self) -> VariatorPoint:
        """Mean values of a variator over the part that is judged. Raises InputError if channels were not stored."""
        return variator_point(self.solution, self.begin, self.end)

    def slip(self) -> Tile | None:
        """Return the tile of the slip margin of a variator chain; None for any other drive."""
        if not self.solution.drive.sheaves:
            return None
        try:
            found = self.variator_point
        except InputError as error:
            return unknown_tile("slip", "Slip limit", error)
        worst_pair = int(np.argmax(found.used))
        name = self.solution.drive.sheaves[worst_pair].name
        finding = Finding("slip", "torque relative to that at which the chain slips", found.used[worst_pair], "", 1.0,
                          "2 mu S R / cos(half angle)", "most", "",
                          kind="wheel", index=worst_pair, where=name)  # fmt: skip
        self.found.append(finding)
        lines = [
            f"{sheave.name}: {quantity(torque, 'N m', 4)} of {quantity(limit, 'N m', 4)} with "
            f"{quantity(thrust, 'N', 4)} "
            f"at {quantity(radius, 'm', 4)}"
            for sheave, torque, limit, thrust, radius in zip(
                self.solution.drive.sheaves, found.torque, found.limit, found.thrust, found.radius, strict=True
            )
        ]
        lines.append(f"pins slide around the axes at {' and '.join(quantity(abs(v), 'm/s', 3) for v in found.sliding)}")
        used = found.used[worst_pair]
        headline = f"{percent(used)} used, {percent(max(1.0 - used, 0.0))} left" if math.isfinite(used) else "no grip"
        tile = tile_of("slip", "Slip limit", headline, lines, finding)
        if self.solution.status.name != SLIPS.name:
            return tile
        mean = f"mean of this part before the slip: {percent(used)} of the limit"
        return tile._replace(headline="slips", lines=(mean, *tile.lines), sign=Sign.BEYOND, word=str(Sign.BEYOND))

    def thrust_ratio(self) -> Tile | None:
        """Return the tile of the thrust ratio and the speed ratio of a variator; None for any other drive."""
        drive, key, title = self.solution.drive, "thrust_ratio", "Thrust ratio"
        if not drive.sheaves:
            return None
        try:
            found = self.variator_point
        except InputError as error:
            return unknown_tile(key, title, error)
        self.found.append(
            Finding(key, "thrust ratio, driving over driven", found.thrust_ratio, "", math.nan, "", "most", "")
        )
        first, second = (quantity(found.thrust[w], "N", 4) for w in (found.driver, 1 - found.driver))
        lines = (
            f"{first} on {drive.sheaves[found.driver].name} over {second} on {drive.sheaves[1 - found.driver].name}",
            f"ratio {found.ratio:.4f}, driving over driven speed; {percent(found.slip)} slip relative to running radii",
        )
        return Tile(key, title, f"{found.thrust_ratio:.3f}", lines, Sign.OPEN, str(Sign.OPEN))

    def tooth_force(self) -> Tile | None:
        """Return the tile of the largest force on a tooth; None for a variator or a drive without wheels."""
        if self.solution.drive.sheaves:
            return None
        return self._force("contact_force", "Tooth force", lambda: self.channels.tooth_forces)

    def bearing_force(self) -> Tile | None:
        """Return the tile of the largest force on a bearing; None for a drive without wheels."""
        return self._force("bearing_force", "Bearing load", lambda: self.channels.bearing_forces)

    def _force(self, key: str, title: str, read: Callable[[], tuple[FloatArray, str]]) -> Tile | None:
        if not self.solution.drive.wheels:
            return None
        try:
            values, kind = read()
            row, item, value = self._largest(values)
        except InputError as error:
            return unknown_tile(key, title, error)
        limit = getattr(self.limits, key)
        where = self.solution.drive.wheels[item].name if kind == "wheel" else self.solution.items(key)[item]
        finding = limited(key, f"largest {title.lower()}, {self.part.name}", value, "N", limit, "most", self.times[row])
        finding = self._scattered(finding._replace(kind=kind, index=item, where=where), values)
        self.found.append(finding)
        lines = [f"{where}, at {quantity(float(self.times[row]), 's', 5)}", *scatter_lines(finding)]
        lines += [self._whole(values), limit_line(finding)]
        if text := of_rows_text(self.solution, key):
            lines.append(text)
        made = tile_of(key, title, quantity(value, "N", 3), lines, finding)
        rigid = self.solution.drive.run.formulation.rigid_contacts
        return tile_not_judged(made, MEAN_OF_A_STEP) if rigid else made

    def _largest(self, values: FloatArray) -> tuple[int, int, float]:
        """Return row, item and value of the largest value in the steady part. Raises InputError if no value is
        finite.
        """
        if not np.isfinite(values[self.window.rows]).any():
            raise InputError(Problem("window", "no finite values in it"))
        part = np.where(np.isfinite(values[self.window.rows]), values[self.window.rows], -np.inf)
        row, item = np.unravel_index(int(part.argmax()), part.shape)
        return self.window.first + int(row), int(item), float(part[row, item])

    def _whole(self, values: FloatArray, unit: str = "N") -> str:
        return f"whole run {quantity(float(np.nanmax(values)), unit, 3)}"

    def vibration(self) -> Tile | None:
        """Return the tile of the largest transverse amplitude of a span, relative to its length; None for a hanging
        loop.
        """
        key, title = "vibration", "Span vibration"
        if drive_facts(self.solution.drive).route.hanging_loop:
            return None
        try:
            values = self.channels.transverse
            moved = _moved(values - values[self.window.rows].mean(axis=0))
            row, span, value = self._largest(moved)
        except InputError as error:
            return unknown_tile(key, title, error)
        quantity_name = "largest transverse amplitude of a span, relative to its length"
        finding = limited(key, quantity_name, value, "", self.limits.vibration, "most", self.times[row])
        name = self.solution.drive.span_names[span]
        finding = self._scattered(finding._replace(kind="span", index=span, where=name), moved)
        self.found.append(finding)
        length = float(drive_facts(self.solution.drive).route.span_length[span])
        lines = (
            f"{quantity(value * length, 'm', 3)} about its mean in span {name}",
            *scatter_lines(finding),
            f"whole run {percent(float(np.nanmax(moved)))}, about the same mean",
            limit_line(finding),
        )
        return tile_of(key, title, f"{percent(value)} of the span", lines, finding)

    def efficiency(self) -> Tile:
        """Return the tile of the efficiency, output divided by output and losses, over the steady part."""
        key, title = "efficiency", "Efficiency"
        try:
            lost = losses(self.solution, self.begin, self.end)
        except InputError as error:
            return unknown_tile(key, title, error)
        finding = limited(key, "efficiency", lost.efficiency, "", self.limits.efficiency, "least", math.nan)
        self.found.append(finding)
        largest = int(np.argmax(lost.power))
        rounding = ROUNDING * max(abs(lost.input), self.solution.audit.level / (self.end - self.begin))
        total, most = (
            quantity(0.0 if abs(power) < rounding else power, "W", 3)
            for power in (lost.total, float(lost.power[largest]))
        )
        lines = [f"{total} lost, {most} in {lost.names[largest]}"]
        lines.append(lost.no_efficiency if lost.no_efficiency else limit_line(finding))
        headline = f"{total} lost" if lost.no_efficiency else f"{100.0 * lost.efficiency:.2f} %"
        if (
            lost.no_efficiency
            and self.solution.drive.payloads
            and (carrying := carrying_text(self.solution, self.part))
        ):
            headline = carrying[0]
            lines.insert(0, carrying[1])
        return tile_of(key, title, headline, tuple(lines), finding)

    def resonance(self) -> Tile | None:
        """Return the tile of the distance of the speed from the nearest resonance."""
        key, title = "resonance", "Nearest resonance"
        facts = drive_facts(self.solution.drive)
        if facts.route.hanging_loop or not facts.one_speed:
            return None
        try:
            found = resonances(self.solution, self.begin, self.end, self.channels.drive_frequencies)
        except InputError as error:
            return None if self.solution.drive.chain.ends is not None else unknown_tile(key, title, error)
        if not found:
            reason = "none between 1/5 and 5 times the speed"
            return self._of_all_modes(Tile(key, title, "none near", (reason,), Sign.GOOD, "good"))
        near = found[0]
        distance = abs(near.distance)
        finding = limited(key, "distance of the speed from the nearest resonance", distance, "", self.limits.resonance,
                           "least", math.nan)  # fmt: skip
        if near.span >= 0:
            finding = finding._replace(kind="span", index=near.span, where=self.solution.drive.span_names[near.span])
        self.found.append(finding)
        side = "above" if near.distance > 0.0 else "below"
        lines = (
            f"{near.excitation.label} meets {near.mode} ({self._model(near)}) at {quantity(near.frequency, 'Hz', 3)}",
            limit_line(finding),
            self._other_frequency(near),
        )
        return self._of_all_modes(tile_of(key, title, f"{percent(distance)} {side} the speed", lines, finding))

    def _of_all_modes(self, tile: Tile) -> Tile:
        """Return the tile of the nearest resonance; if the modes of the drive are not known, it says so and is not
        good, because one of them may be nearer.
        """
        known = self.channels.drive_frequencies
        if known.frequency.size:
            return tile
        missing = f"only spans: {known.reason}"
        made = tile._replace(lines=(tile.lines[0], missing, *tile.lines[1:]))
        return tile_not_judged(made, "a mode of the drive may be nearer") if tile.sign == Sign.GOOD else made

    def _other_frequency(self, near: Resonance) -> str:
        """Return a line about the part to which a natural frequency belongs, and why the drive linearised at rest has a
        different frequency.
        """
        whole = self.channels.drive_frequencies
        noted = self.solution.notes.get("static_span_tension", ())
        still = [each for each in noted if isinstance(each, int | float)] if isinstance(noted, list | tuple) else []
        if near.span < 0 and whole.linearised:
            most = f", with {quantity(float(max(still)), 'N', 3)} in its tightest span" if len(still) else ""
            block = self.solution.drive.run.formulation.kind == "block"
            kept = "springs between the wheels" if block else "seats, teeth, slack and moving bodies"
            return f"mode of the drive in which {near.part} moves most: linearised at rest{most}, with {kept}"
        if near.span < 0:
            why = f" ({whole.reason})" * bool(whole.reason)
            return (
                "mode of the drive: wheels and links in longitudinal motion, on rigid seats and fixed wheel centres"
                f"{why}; the drive linearised at rest (chaindrive analyze) also includes bodies and the stiffness of "
                "seats and teeth"
            )
        pull = float(self.solution.values("span_tension", self.window.rows, near.span).mean())
        pace = abs(mean_tooth_frequency(self.solution, self.begin, self.end)) * self.solution.drive.chain.pitch
        at_rest = f"{quantity(float(still[near.span]), 'N', 3)}" if near.span < len(still) else "its tension at rest"
        means = f"moving string at the means of this part, {quantity(pull, 'N', 3)} and {quantity(pace, 'm/s', 3)}"
        if self.solution.drive.sheaves:
            return means
        return (
            f"{means}; in the "
            f"drive linearised at rest (chaindrive analyze) the span has {at_rest} and no speed, and teeth hold its "
            "ends"
        )

    def _model(self, near: Resonance) -> str:
        """Return the name of the model from which the natural frequency of a resonance follows."""
        if near.span >= 0:
            return "moving string"
        return "linearised at rest" if self.channels.drive_frequencies.linearised else "longitudinal"

    def conveyor(self) -> list[Tile]:
        """Return the tiles of motor, start and take-up of a conveyor; empty for any other drive."""
        if not is_conveyor(self.solution.drive):
            return []
        tiles, found = conveyor_tiles(self.solution, self.part)
        self.found += found
        return tiles

    def conveyor_tile(self, key: str) -> Tile | None:
        """Return the tile of a conveyor with this key; if no value is known, the single tile that gives the reason."""
        tiles = self.conveyor()
        return next((tile for tile in tiles if tile.key == key), tiles[0] if len(tiles) == 1 else None)

    def balance(self) -> Tile | None:
        """Return the tile that says whether the energy balance closes."""
        audit = self.solution.audit
        if not audit.energy_exchanged > 0.0:
            return None
        residual, of_what = audit.judged
        lines = (of_what if audit.hardly_exchanges else f"{of_what}; limit 0.1 %",)
        finding = Finding("balance", "energy residual", residual, "", OUT_OF_BALANCE,
                          "chaindrive: 0.1 % of the energy exchanged", "most", "")  # fmt: skip
        self.found.append(finding)
        return tile_of("balance", "Energy residual", f"{residual:.1e}", lines, finding)


def _of_no_turn(tile: Tile, turns: float) -> Tile:
    """Return a tile whose value is extrapolated from the window, without a judgement, because the driver turned by less
    than one revolution.
    """
    reason = f"not judged: the driver turns by only {turns:.2g} revolutions in this window"
    return tile._replace(sign=Sign.OPEN, word=str(Sign.OPEN), lines=(tile.lines[0], reason, *tile.lines[1:]))


def _moved(displacement: FloatArray) -> FloatArray:
    """Return the magnitudes, or 0 for values that are mere rounding of the positions from which they were computed."""
    size = np.abs(displacement)
    return np.where(size <= ROUNDING, 0.0, size)  # what is not a number stays so
