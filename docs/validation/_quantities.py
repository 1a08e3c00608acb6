"""What the validation page takes from a run: a few numbers and short stretches of channels."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from _cases import Case
from numpy.typing import NDArray

from chaindrive.analyses.formulas import chain_speed, moving_string_frequency
from chaindrive.analyses.spectra import Peak, Spectrum, amplitude_spectrum, peaks
from chaindrive.analyses.statistics import contact_windows, mean_contact_force_by_seat
from chaindrive.geometry.route import Route, pitch_radius, route
from chaindrive.mechanism.running import turning_signs
from chaindrive.model import Drive, SaveOptions, SolverOptions
from chaindrive.results import Solution
from chaindrive.simulation import simulate

SEGMENT_1, SEGMENT_4 = 0, 3
"""Spans that the thesis looks at: from sprocket 1 to 2, and from sprocket 4 to 1."""
BLOCK = 10.0
"""Length of the stretches whose spectra are averaged: the length of the thesis' runs. [s]"""
FRACTIONS = np.linspace(0.0, 1.0, 101)
ROLLER = 40
"""The roller, and the link after it, whose history is shown."""
SHOWN = 2.6
"""How much of the end of a run is kept for pictures. [s]"""

KEPT = {
    "spans": ("span_tension", "span_displacement"),
    "contacts": ("span_tension", "span_displacement", "link_tension", "contact_force", "contact_body",
                 "friction_force", "wheel_speed"),
    "joints": ("span_tension", "span_displacement", "link_tension", "roller_position", "roller_velocity"),
}  # fmt: skip
AUDIT = ("work_input", "work_output", "work_link_damping", "work_joint", "work_contact", "work_friction",
         "work_bearing", "energy_kinetic", "energy_elastic", "energy_gravity", "energy_residual")  # fmt: skip


@dataclass
class Outcome:
    """What is left of a run. Segments are spans, in the order of the route."""

    case: Case
    status: str
    reached: float
    """End of the run. [s]"""
    seconds: float
    """CPU time of the run, compilation included where it was the first. [s]"""
    static: NDArray[np.float64]
    """Span tensions of the static equilibrium from which the run starts, (spans,) [N]."""
    mean: NDArray[np.float64]
    """Mean span tensions over the window, (spans,) [N]."""
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    history: NDArray[np.float64]
    """Means of segment 1 over each second, (seconds,) [N]."""
    string: dict[int, NDArray[np.float64]]
    """Moving string, Eq. 4.27 at the run's own mean tension, modes 1 to 9, by span [Hz]."""
    spectrum: dict[int, Spectrum]
    speed: float
    """Chain speed. [m/s]"""
    tooth: float
    """Tooth frequency. [Hz]"""
    residual: float
    """Energy that the audit cannot account for, as a part of the energy turned over."""
    shown: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    """End of the run: time, tension and displacement of the spans, and what one roller feels."""
    contacts: dict[str, Any] = field(default_factory=dict)
    moment: float = np.nan
    """Largest moment in a joint. [N m]"""

    @property
    def failed(self) -> bool:
        """True when the run did not reach its end."""
        return self.status != "REACHED_END"


def drive_route(drive: Drive) -> Route:
    """Route on the pitch circles."""
    centres = np.array([wheel.position for wheel in drive.wheels])
    return route(centres, pitch_radius(drive.chain.pitch, [w.teeth for w in drive.wheels]), turning_signs(drive))


def run(case: Case) -> Outcome:
    """Simulate a case and take from it what the page needs."""
    drive = case.model
    begun = time.process_time()
    save = SaveOptions(rate=case.rate, channels=KEPT[case.keep] + AUDIT)
    solution = simulate(
        drive, case.until, start=case.start, save=save, solver=SolverOptions(method=case.method)
    )  # fmt: skip
    seconds = time.process_time() - begun
    return reduce(case, drive, solution, seconds)


def reduce(case: Case, drive: Drive, solution: Solution, seconds: float) -> Outcome:
    """The outcome of a run."""
    times, tension = solution.time, solution.values("span_tension")
    window = times >= case.begin - 1e-9
    failed = solution.status.name != "REACHED_END"
    if failed or not window.any():
        window = np.ones(times.size, dtype=bool)
    first = drive.wheels[0]
    speed = float(chain_speed(first.motion.speed, first.teeth, drive.chain.pitch))
    mean = tension[window].mean(axis=0)
    lengths, density = drive_route(drive).span_length, drive.chain.link_mass / drive.chain.pitch
    string, spectrum = {}, {}
    for span in (SEGMENT_1, SEGMENT_4):
        modes = np.arange(1, 10)
        string[span] = moving_string_frequency(modes, lengths[span], max(mean[span], 0.0), density, speed)
        if not failed:
            spectrum[span] = averaged_spectrum(solution.values("span_displacement")[window, span], 1.0 / case.rate)
    per_second = int(case.rate)
    seconds_whole = (times.size - 1) // per_second
    outcome = Outcome(
        case=case,
        status=solution.status.name,
        reached=float(times[-1]),
        seconds=seconds,
        static=np.array(solution.notes.get("static_span_tension", np.full(mean.size, np.nan))),
        mean=mean,
        low=tension[window].min(axis=0),
        high=tension[window].max(axis=0),
        history=tension[: seconds_whole * per_second, SEGMENT_1].reshape(seconds_whole, per_second).mean(axis=1),
        string=string,
        spectrum=spectrum,
        speed=speed,
        tooth=speed / drive.chain.pitch,
        residual=solution.audit.relative_residual,
    )
    if failed:
        return outcome
    outcome.shown = last_stretch(solution, case)
    if case.keep == "contacts":
        outcome.contacts = contact_quantities(solution, drive, case)
    if case.keep == "joints":
        outcome.moment = largest_joint_moment(solution, drive, case.begin)
    return outcome


def averaged_spectrum(values: NDArray[np.float64], step: float) -> Spectrum:
    """Root of the mean square of the amplitude spectra of stretches of 10 s that overlap by half (Welch 1967).

    One long spectrum splits the line of a strand that wanders in amplitude into many; this is what a run of 10 s
    shows, without its luck. Shorter signals are taken in one piece.
    """
    size = min(round(BLOCK / step), values.size)
    parts = [amplitude_spectrum(values[k : k + size], step) for k in range(0, values.size - size + 1, size // 2)]
    amplitude = np.sqrt(np.mean([part.amplitude**2 for part in parts], axis=0))
    keep = parts[0].frequency <= 400.0
    return Spectrum(parts[0].frequency[keep], amplitude[keep], parts[0].resolution)


def highest(spectrum: Spectrum, low: float, high: float) -> Peak:
    """The highest peak between two frequencies; not a number when there is none."""
    found = peaks(spectrum, 1, least=0.0, low=low, high=high)
    return found[0] if found else Peak(np.nan, np.nan)


def side_bands(spectrum: Spectrum, tooth: float) -> tuple[float, float]:
    """Highest peaks 25 to 45 Hz below and above the tooth frequency, found independently [Hz]."""
    below, above = highest(spectrum, tooth - 45.0, tooth - 25.0), highest(spectrum, tooth + 25.0, tooth + 45.0)
    return below.frequency, above.frequency


def last_stretch(solution: Solution, case: Case) -> dict[str, NDArray[np.float64]]:
    """The end of the run, for pictures."""
    last = solution.time >= solution.time[-1] - SHOWN
    shown = {"time": solution.time[last]}
    for name in ("span_tension", "span_displacement"):
        shown[name] = solution.values(name)[last]
    if case.keep != "spans":
        shown["link_tension"] = solution.values("link_tension")[last, ROLLER]
    if case.keep == "contacts":
        for name in ("contact_force", "contact_body", "friction_force"):
            shown[name] = solution.values(name)[last, ROLLER]
    long = solution.time >= solution.time[-1] - BLOCK
    shown["long_time"] = solution.time[long][::5]
    shown["long_displacement"] = solution.values("span_displacement")[long][::5]
    return shown


def contact_quantities(solution: Solution, drive: Drive, case: Case) -> dict[str, Any]:
    """Stays of the rollers on the wheels, the forces there, and the extremes of the window."""
    times, force = solution.time, solution.values("contact_force")
    window = times >= case.begin - 1e-9
    first = drive.wheels[0]
    bridge = 0.5 * min(w.teeth for w in drive.wheels) / float(chain_speed(first.motion.speed, first.teeth, 1.0))
    stays: dict[int, list[float]] = {w: [] for w in range(len(drive.wheels))}
    passages: dict[int, list[NDArray[np.float64]]] = {w: [] for w in range(len(drive.wheels))}
    lag: dict[int, list[float]] = {w: [] for w in range(len(drive.wheels))}
    for roller in range(0, drive.chain.links, 3):
        entered = None
        for stay in contact_windows(solution, roller, bridge):
            if stay.start <= case.begin or stay.stop >= times[-1] - 0.05:
                continue
            stays[stay.wheel].append(stay.stop - stay.start + 1.0 / case.rate)
            entered = stay.start if stay.wheel == len(drive.wheels) - 1 else entered
            if entered is not None:
                lag[stay.wheel].append(stay.start - entered)
            at = stay.start + FRACTIONS * (stay.stop - stay.start)
            passages[stay.wheel].append(np.interp(at, times, force[:, roller]))
    return {
        "stay": {w: float(np.mean(x)) for w, x in stays.items()},
        "lag": {w: float(np.median(x)) for w, x in lag.items()},
        "passage": {w: np.percentile(np.array(x), [10, 50, 90], axis=0) for w, x in passages.items()},
        "passage_mean": {w: np.mean(np.array(x), axis=0) for w, x in passages.items()},
        "seats": {w: mean_contact_force_by_seat(solution, w, case.begin) for w in stays},
        "largest": float(force[window].max()),
        "largest_link": float(solution.values("link_tension")[window].max()),
        "link_mean": float(solution.values("link_tension")[window].mean()),
    }


def largest_joint_moment(solution: Solution, drive: Drive, begin: float) -> float:
    """Largest magnitude of Cd (w_next - w) over all joints and instants, w the angular velocities of links [N m]."""
    largest = 0.0
    rows = np.flatnonzero(solution.time >= begin - 1e-9)
    position, velocity = solution.values("roller_position"), solution.values("roller_velocity")
    for part in np.array_split(rows, 20):
        along = np.roll(position[part], -1, axis=1) - position[part]
        rate = np.roll(velocity[part], -1, axis=1) - velocity[part]
        spin = (along[..., 0] * rate[..., 1] - along[..., 1] * rate[..., 0]) / (along**2).sum(axis=2)
        largest = max(largest, float(np.abs(np.roll(spin, -1, axis=1) - spin).max()))
    return drive.chain.joint_damping * largest
