"""Strength and life of a chain in a run: plates, rollers and bushes, and joints, each with its limit.

All values apply to the steady part of the run; for a formulation with span tensions only, they are computed from span
tensions. Values without a limit are not judged: such a finding names the key of the drive file that would set the
limit.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.analytical import fatigue, formulas
from chaindrive.analyses.analytical.limits import ChainLimits, Limit, chain_limits
from chaindrive.analyses.analytical.rating import WheelRating, known_strength, not_rated, wheel_ratings
from chaindrive.analyses.carried import mass_per_length
from chaindrive.analyses.results.passing import spans_only
from chaindrive.analyses.results.peaks import extreme_values
from chaindrive.analyses.results.plates import PlateLife, plate_life
from chaindrive.analyses.results.rainflow import Rainflow, link_rainflow
from chaindrive.analyses.results.scatter import Spread, equal_windows, spread_of_runs, spread_of_windows
from chaindrive.analyses.results.steadiness import Part, headline_part
from chaindrive.analyses.signals.windows import instants, mean_tooth_frequency, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import chain_alike, chain_strength
from chaindrive.model.links import link_dimensions
from chaindrive.numbers import quantity
from chaindrive.results.solution import Solution

__all__ = ["Finding", "JointWear", "RollerLife", "Strength", "strength", "tension_findings"]

FloatArray = NDArray[np.float64]

STILL = 1e-6
"""Advance of the chain below which it does not run. [pitches]"""
ONCE = 0.9
"""Revolutions of the driver in a window that count as one: a window ends at stored instants. [-]"""


class Finding(NamedTuple):
    """A value that is judged if it has a limit."""

    key: str
    """Key for programs, such as "plate_life"."""
    name: str
    """Name for the user."""
    value: float
    unit: str
    """SI unit."""
    limit: float
    """Limit; nan if there is none."""
    limit_source: str
    """Source of the limit: "given: limits.tension", "catalogue: ...", "estimated: ..."; empty without a limit."""
    sense: Literal["most", "least"]
    """Whether the limit is an upper or a lower one."""
    missing: str
    """Key of the drive file that would set a limit; empty if a limit is given."""
    time: float = math.nan
    """Time of the worst value; nan if it has no particular time. [s]"""
    kind: str = ""
    """Kind of the worst part: link, roller, span or wheel; or empty."""
    index: int = -1  # type: ignore[assignment]
    where: str = ""
    """Name of the worst part, such as "link 17"."""
    note: str = ""
    """Method, and neglected effects."""
    windows: Spread | None = None
    """Values of an extreme in equal windows of the part; None if the part cannot be divided."""
    runs: Spread | None = None
    """Values of an extreme in this run and in its repetitions from perturbed starts; None without repetitions."""

    @property
    def utilisation(self) -> float:
        """Utilisation: 1 at the limit, larger beyond it; nan without a limit. [-]"""
        if not math.isfinite(self.limit) or math.isnan(self.value):
            return math.nan
        upper, lower = (self.value, self.limit) if self.sense == "most" else (self.limit, self.value)
        if math.isinf(lower):
            return 0.0
        return upper / lower if lower > 0.0 else math.inf


class RollerLife(NamedTuple):
    """Fatigue of rollers and bushes due to impact on the teeth of W wheels."""

    power: FloatArray
    """Chain speed times the generalised mean, with exponent 2.5, of the tension without its centrifugal part, in
    whichever of the two spans at the wheel is tighter at each instant, shape (W,) [W]."""
    rated: FloatArray
    """Envelope of rollers and bushes from ANSI B29.1, shape (W,) [W]."""
    life: FloatArray
    """Life, shape (W,). [s]"""


class JointWear(NamedTuple):
    """Pressure and wear between pin and bush."""

    area: float
    """Bearing area. [m^2]"""
    largest_pressure: float
    """Largest pressure. [Pa]"""
    largest_time: float
    """Time of the largest pressure. [s]"""
    largest_index: int
    """Index of the link, joint or span."""
    largest_kind: str
    mean_pressure: float
    """Pressure under the mean tension of the tightest span. [Pa]"""
    path: FloatArray
    """Sliding distance per loop at each wheel, running on and off, shape (W,) [m]."""
    friction_work: float
    """Sum of tension times sliding distance over one loop, which determines wear; multiplied by a friction coefficient,
    it is the work lost. [J]"""
    depth: float
    """Wear depth per loop [m]; nan without a wear coefficient."""
    life: float
    """Time until the elongation at which the chain is replaced [s]; nan without a wear coefficient."""


class Strength(NamedTuple):
    """Strength and life of the chain of one run."""

    part: Part
    """The time window of all values, except for the cycles of the links, which have their own window."""
    findings: tuple[Finding, ...]
    limits: ChainLimits
    plates: PlateLife | None
    rollers: RollerLife | None
    joints: JointWear | None
    ratings: tuple[WheelRating, ...]
    """Ratings of every wheel at the mean power transmitted over the wheel."""
    missing: dict[str, str]
    """Reason why one of the fields above is None or empty, by name of the field."""
    remarks: tuple[str, ...]
    """General remarks."""
    turns: float
    """Revolutions of the driver in the window; infinite for an open chain, nan if they are not known. [-]"""

    @property
    def repeats(self) -> bool:
        """Return whether the driver turns once in the window, so that cycles and wear can be extrapolated from it."""
        return not self.turns < ONCE

    @property
    def start(self) -> float:
        """Start of the window. [s]"""
        return self.part.start

    @property
    def stop(self) -> float:
        """End of the window. [s]"""
        return self.part.stop

    def finding(self, key: str) -> Finding | None:
        """The finding with this key; None if there is none."""
        return next((each for each in self.findings if each.key == key), None)


def strength(
    solution: Solution, start: float | None = None, stop: float | None = None, cycles: Rainflow | None = None
) -> Strength:
    """Return strength and life of the chain of a run, with the limits of its drive. For stages, use
    ``solution.chains``.

    start, stop [s]: by default the last whole revolutions of the driver in the steady part; for the cycles of the
    links, as many whole loops of the chain as fit into the steady part. cycles: cycles of the links, if already
    counted. Needs span_tension, and link_tension if the formulation has it. Raises InputError for an empty window, and
    without span_tension.
    """
    part = headline_part(solution, start, stop)
    begin, end = part.start, part.stop
    window = window_of(instants(solution), begin, end)
    spans = np.asarray(solution.values("span_tension", window.rows), dtype=np.float64)
    spans = spans[np.isfinite(spans).all(axis=1)]
    if not spans.size:
        raise InputError(Problem("span_tension", "is not a number in this window: the run diverged"))
    frequency = _tooth_frequency(solution, begin, end)
    rows = window.rows.stop - window.rows.start
    covered = (end - begin) * rows / max(rows - 1, 1)  # each row stands for one step of saving
    drive, closed = solution.drive, solution.drive.chain.ends is None
    limits = chain_limits(drive, frequency * drive.chain.pitch if closed and math.isfinite(frequency) else None)
    missing: dict[str, str] = {}
    plates = None
    try:
        plates = plate_life(cycles or link_rainflow(solution, None, start, stop), limits)
    except InputError as error:
        missing["plates"] = error.problems[0].message
    peaks = tension_findings(solution, part, limits)
    rollers: RollerLife | None = None
    joints: JointWear | None = None
    ratings: tuple[WheelRating, ...] = ()
    if not closed or not frequency > 0.0:
        why = (
            "the chain does not run in this window, or it has too few rows" if closed else "an open chain has no loops"
        )
        missing |= dict.fromkeys(("rollers", "ratings"), why)
    else:
        mean = spans.mean(axis=0)
        pace = frequency * drive.chain.pitch
        powers = [float(x) for x in np.abs(mean - np.roll(mean, 1)) * pace]
        ratings = tuple(wheel_ratings(drive, frequency, powers))
        rollers = _rollers(solution, spans, pace, ratings)
        if rollers is None:
            missing |= dict.fromkeys(("rollers", "ratings"), not_rated(drive.chain, known_strength(drive)))
    if limits.bearing_area.value is None:
        missing["joints"] = f"a {drive.chain.kind} chain has no bushes: set limits.bearing_area"
    else:
        joints = _joints(solution, spans, frequency if closed else 0.0, limits, peaks)
    return Strength(
        part=part,
        findings=(
            *peaks,
            *_of_plates(plates, limits),
            *_of_rollers(solution, rollers, limits),
            *_of_joints(solution, joints, limits),
            *_of_ratings(ratings if rollers is not None else ()),
        ),
        limits=limits,
        plates=plates,
        rollers=rollers,
        joints=joints,
        ratings=ratings if rollers is not None else (),
        missing=missing,
        remarks=_remarks(solution, plates, limits),
        turns=frequency * covered / drive.wheels[drive_facts(drive).driver].teeth
        if closed and drive.wheels
        else math.inf,
    )


def _tooth_frequency(solution: Solution, start: float, stop: float) -> float:
    """Return the mean tooth frequency: 0 for a chain that moves only by rounding errors, nan if it is unknown. [Hz]"""
    try:
        frequency = abs(mean_tooth_frequency(solution, start, stop))
    except InputError:
        return math.nan
    return 0.0 if frequency * (stop - start) < STILL else frequency


def _alike(solution: Solution) -> str:
    """Return a remark with the dynamic strength of the standard chain of the same size, if the drive gives the data of
    its chain instead of a standard; otherwise an empty string.
    """
    chain = solution.drive.chain
    alike = None if chain.standard else chain_alike(chain.pitch, chain.roller_diameter)
    strength_of = chain_strength(alike).dynamic_strength
    if strength_of is None:
        return ""
    return (
        f"The standard chain of this pitch and roller diameter, {alike}, has a dynamic strength of "
        f"{quantity(strength_of, 'N')} per strand: it can be given as limits.dynamic_strength."
    )


def _remarks(solution: Solution, plates: PlateLife | None, limits: ChainLimits) -> tuple[str, ...]:
    texts = []
    if spans_only(solution):
        formulation = solution.attrs.get("formulation", "")
        texts.append(
            f"The formulation {formulation!r} computes only span tensions: contributions of teeth and roller motion to "
            "the link tension are missing, so lives are overestimated."
        )
    if plates is not None and plates.cycles.loops < 1.0 and solution.drive.chain.ends is None:
        texts.append(
            f"The cycles cover only {plates.cycles.loops:.2g} of a loop: not every link has passed through every "
            "position. Run longer for reliable lives."
        )
    if limits.dynamic_strength.value is None and (text := _alike(solution)):
        texts.append(text)
    if solution.drive.chain.links % 2 and solution.drive.chain.ends is None and not solution.drive.sheaves:
        texts.append(
            "The chain has a cranked link, which is weaker than the others; "
            "dynamic strengths do not take it into account."
        )
    return tuple(texts)


def _judged(limit: Limit) -> tuple[float, str, str]:
    """Return limit, source and missing key of a finding."""
    return (math.nan, "", limit.key) if limit.value is None else (limit.value, limit.source, "")


def tension_findings(solution: Solution, part: Part, limits: ChainLimits | None = None) -> list[Finding]:
    """Return findings about the largest tension of a window and of the whole run: tension_steady, tension_run,
    breaking_load.

    The first has the scatter between equal windows of the part. All have the scatter between repeated runs if the part
    is the one that is judged by default. limits: limits of the drive, if already known. Raises InputError for a run
    without tensions.
    """
    limits = limits or chain_limits(solution.drive)
    kept = "link_tension" if "link_tension" in solution else "span_tension"
    kind = kept.removesuffix("_tension")
    names = solution.items(kept)
    times = instants(solution)
    values = extreme_values(solution, kept)
    found = []
    first, last = float(times[0]), float(times[-1])
    for key, name, window in (
        ("tension_steady", f"{kind} tension, {part.name}", window_of(times, part.start, part.stop)),
        ("tension_run", f"{kind} tension, whole run", window_of(times, first, last)),
    ):
        finite = np.where(np.isfinite(values[window.rows]), values[window.rows], -np.inf)
        if not np.isfinite(finite).any():
            raise InputError(Problem(kept, "is not a number in this window: the run diverged"))
        row, item = np.unravel_index(int(finite.argmax()), finite.shape)
        time, value = float(times[window.first + row]), float(finite[row, item])
        limit, source, absent = _judged(limits.tension)
        made = Finding(key, name, value, "N", limit, source, "most", absent, time, kind, int(item), names[item])
        pieces = equal_windows(solution, part) if key == "tension_steady" else ()
        runs = spread_of_runs(solution, key, value) if part.headline else None
        found.append(made._replace(windows=spread_of_windows(values, pieces), runs=runs))
    worst = found[-1]
    limit, source, absent = _judged(limits.breaking_load)
    name = f"{kind} tension compared with the breaking load"
    found.append(worst._replace(key="breaking_load", name=name, limit=limit, limit_source=source, missing=absent))
    return found


def _of_plates(plates: PlateLife | None, limits: ChainLimits) -> list[Finding]:
    if plates is None or not plates.cycles.range.size:
        return []
    worst = plates.worst
    link = int(plates.links[worst])
    place = (math.nan, "link", link, f"link {link}")
    value = float(plates.equivalent_range[worst])
    name, note = "equivalent range", "damage-equivalent cycle from zero, once per loop"
    if not math.isfinite(value):
        value, name, note = float(plates.largest_range[worst]), "largest range", "converted to a cycle from zero"
    if not plates.corrected:
        note += "; no mean-stress correction, because chain.breaking_load is not given"
    limit, source, absent = _judged(limits.dynamic_strength)
    found = [Finding("plate_range", name, value, "N", limit, source, "most", absent, *place, note)]
    if math.isfinite(limit):
        limit, source, absent = _judged(limits.life)
        line = f"exponent {limits.woehler_exponent:g}, {limits.woehler_exponent_below:g} below the dynamic strength"
        name, life = "life of plates", float(plates.life[worst])
        found.append(Finding("plate_life", name, life, "s", limit, source, "least", absent, *place, f"Miner, {line}"))
    else:
        found.append(
            Finding("plate_life", "life of plates", math.nan, "s", math.nan, "", "least", absent, *place,
                    f"not known without {absent}")
        )  # fmt: skip
    return found


def _rollers(solution: Solution, spans: FloatArray, pace: float, ratings: tuple[WheelRating, ...]) -> RollerLife | None:
    """Return the fatigue of rollers and bushes; None for a chain without a rating."""
    rated = np.array([each.rollers for each in ratings])
    if not np.isfinite(rated).all():
        return None
    chain = solution.drive.chain
    centrifugal = float(formulas.centrifugal_tension(mass_per_length(solution.drive), pace))
    tighter = np.maximum(spans, np.roll(spans, 1, axis=1))
    pull = np.clip(tighter - centrifugal, 0.0, None)
    power = pace * np.mean(pull**2.5, axis=0) ** 0.4
    life = [fatigue.roller_bush_life(float(p), float(h), chain.links) for p, h in zip(power, rated, strict=True)]
    return RollerLife(power, rated, np.array(life))


def _of_rollers(solution: Solution, rollers: RollerLife | None, limits: ChainLimits) -> list[Finding]:
    if rollers is None:
        return []
    worst = int(np.argmin(rollers.life))
    limit, source, absent = _judged(limits.life)
    name = solution.drive.wheels[worst].name
    note = "ANSI B29.1 (Shigley 2011, Eq. 17-39), by the tension of the tighter span at each instant"
    return [
        Finding("roller_bush_life", "life of rollers, bushes", float(rollers.life[worst]), "s", limit, source,
                "least", absent, math.nan, "wheel", worst, name, note)
    ]  # fmt: skip


def _joints(
    solution: Solution, spans: FloatArray, frequency: float, limits: ChainLimits, peaks: list[Finding]
) -> JointWear:
    drive, chain = solution.drive, solution.drive.chain
    area = float(limits.bearing_area.value or math.nan)
    pin = link_dimensions(chain)["pin_diameter"].value
    worst = peaks[0]
    mean = np.clip(spans.mean(axis=0), 0.0, None)
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    path, work, depth, life = np.zeros(teeth.size), math.nan, math.nan, math.nan
    if frequency > 0.0:
        path = pin * 2.0 * np.pi / teeth
        work = fatigue.wear_per_loop(pin, 1.0, teeth, np.roll(mean, 1), mean, 1.0)
        coefficient = limits.wear_coefficient.value
        if coefficient is not None:
            depth = coefficient * work / area
            elongation = float(limits.elongation.value or math.nan)
            life = fatigue.wear_life(elongation, chain.pitch, depth, chain.links / frequency)
    return JointWear(
        area=area,
        largest_pressure=float(fatigue.bearing_pressure(worst.value, area)),
        largest_time=worst.time,
        largest_index=worst.index,
        largest_kind=worst.kind,
        mean_pressure=float(fatigue.bearing_pressure(mean.max(initial=0.0), area)),
        path=path,
        friction_work=work,
        depth=depth,
        life=life,
    )


def _of_joints(solution: Solution, joints: JointWear | None, limits: ChainLimits) -> list[Finding]:
    if joints is None:
        return []
    limit, source, absent = _judged(limits.bearing_pressure)
    items = solution.items(f"{joints.largest_kind}_tension")
    where = items[joints.largest_index]
    note = f"largest in the window; area {1e6 * joints.area:.4g} mm², {limits.bearing_area.source}"
    found = [
        Finding("bearing_pressure", "pressure of pin on bush", joints.largest_pressure, "Pa",
                limit, source, "most", absent, joints.largest_time, joints.largest_kind, joints.largest_index, where,
                note)
    ]  # fmt: skip
    if math.isfinite(joints.friction_work):
        limit, source, absent = _judged(limits.life)
        key = limits.wear_coefficient
        elongation = f"until {100.0 * float(limits.elongation.value or math.nan):.3g} % longer"
        least = "; at least this, if lubricated as the rating requires" if key.source.startswith("estimated") else ""
        note = f"{elongation} ({limits.elongation.source}); {key.source}{least}"
        if key.value is None:
            limit, source, absent, note = math.nan, "", key.key, f"not known without {key.key}"
        found.append(
            Finding("wear_life", "life of joints (wear)", joints.life, "s", limit, source, "least", absent,
                    note=note)
        )  # fmt: skip
    return found


def _of_ratings(ratings: tuple[WheelRating, ...]) -> list[Finding]:
    """Return the finding for the wheel whose mean power, times the application factor, is highest relative to its
    rating.
    """
    if not ratings:
        return []
    worst = max(ratings, key=lambda each: each.used)
    source = f"ANSI B29.1, {worst.governing}, 15 000 h"
    note = "mean power"
    if worst.application_factor != 1.0:
        note += f", with f1 = {worst.application_factor:g}"
    value = worst.power * worst.application_factor
    return [
        Finding("rated_power", "power compared with the rating", value, "W", worst.rated,
                source, "most", "", math.nan, "wheel", worst.wheel, worst.name, note)
    ]  # fmt: skip
