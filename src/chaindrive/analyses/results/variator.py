"""Operation of a variator: ratio, thrusts, slip limit, and the motion of the pins through the sheaves."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.loop import Zone, loop_zones
from chaindrive.analyses.signals.selection import check_index, steady_window
from chaindrive.analyses.signals.windows import chain_advance, instants, loop_window, mean_tooth_frequency, window_of
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.results.solution import Solution

__all__ = [
    "PinPassage",
    "SheavePassage",
    "VariatorPoint",
    "pin_passage",
    "ratios",
    "require_sheaves",
    "sheave_passage",
    "torque_over_limit",
    "variator_point",
]

FloatArray = NDArray[np.float64]

OF_THE_PAIRS = ("sheave_thrust", "running_radius", "wheel_torque", "wheel_speed", "sheave_slip")
BIN = math.radians(5.0)
"""Width of the sections of a wrap over which the values of pins are averaged. [rad]"""


class VariatorPoint(NamedTuple):
    """Mean values over a window; values of both pairs of sheaves are in the order of the drive."""

    driver: int
    """Index of the driving pair."""
    thrust: tuple[float, float]
    """Thrust of the pins on a sheave [N]"""
    torque: tuple[float, float]
    """Magnitude of the torque transmitted by the pins: torque of shaft and bearing minus the torque that accelerates
    the pair [N m]
    """
    radius: tuple[float, float]
    """Running radius [m]"""
    sliding: tuple[float, float]
    """Mean speed at which the pins slide around the axis [m/s]"""
    limit: tuple[float, float]
    """Torque that the thrust can transmit before the chain slips, 2 mu S R / cos(beta) [N m]"""
    ratio: float
    """Speed of the driving pair divided by that of the driven pair [-]"""
    slip: float
    """Fraction by which the driven pair is slower than it would be without slip at the same running radii [-]"""

    @property
    def thrust_ratio(self) -> float:
        """Thrust of the driving pair divided by that of the driven pair; nan if the latter has no thrust. [-]"""
        driven = self.thrust[1 - self.driver]
        return self.thrust[self.driver] / driven if driven > 0.0 else math.nan

    @property
    def used(self) -> tuple[float, float]:
        """Torque divided by its limit, for both pairs [-]"""
        first, second = (
            torque / limit if limit > 0.0 else math.inf for torque, limit in zip(*self[2:6:3], strict=True)
        )
        return first, second


def require_sheaves(solution: Solution) -> None:
    """Raise InputError for a drive without sheaves."""
    if not solution.drive.sheaves:
        message = "is for the rocker-pin chain of a CVT: this drive has no sheaves"
        raise InputError(Problem("sheaves", message))


def variator_point(solution: Solution, start: float | None = None, stop: float | None = None) -> VariatorPoint:
    """Return the mean operating point of a variator from start to stop [s], by default over the last whole loops of the
    steady part.

    Needs the channels sheave_thrust, running_radius, wheel_torque, wheel_speed and sheave_slip. Raises InputError
    without them, for a drive without sheaves, and for an empty window.
    """
    require_sheaves(solution)
    window = window_of(instants(solution), *steady_window(solution, start, stop))
    pins, driver = solution.drive.chain.pins, drive_facts(solution.drive).driver
    assert pins is not None  # of a drive with sheaves

    each = [np.asarray(solution.values(name, window.rows), dtype=np.float64) for name in OF_THE_PAIRS]
    known = np.isfinite(each).all(axis=(0, 2))
    each = [values[known] for values in each]
    each[1] = _touching(each[1])
    thrust, radius, torque, speed, sliding = (values.mean(axis=0) for values in each)
    pace = (each[1] * each[3]).mean(axis=0)
    limit = 2.0 * pins.friction * thrust * radius / math.cos(pins.half_angle)
    for w, sheave in enumerate(solution.drive.sheaves):
        if sheave.motion is None and window.duration > 0.0:
            inertia = solution.drive.wheels[w].turned_inertia or 0.0
            first, last = np.asarray(solution.values("wheel_speed", window.rows, w), dtype=np.float64)[[0, -1]]
            torque[w] -= inertia * (last - first) / window.duration
    with np.errstate(divide="ignore", invalid="ignore"):
        return VariatorPoint(
            driver=driver,
            thrust=_both(thrust),
            torque=_both(np.abs(torque)),
            radius=_both(radius),
            sliding=_both(sliding),
            limit=_both(limit),
            ratio=float(np.divide(speed[driver], speed[1 - driver])),
            slip=float(1.0 - np.divide(pace[1 - driver], pace[driver])),
        )


def _touching(radius: FloatArray) -> FloatArray:
    """Return the running radii (n, 2) with the mean of the other instants wherever no pin touches a pair, for which 0
    is stored. [m]
    """
    touches = radius > 0.0
    mean = np.divide(radius.sum(axis=0), touches.sum(axis=0), out=np.zeros(2), where=touches.any(axis=0))
    return np.where(touches, radius, mean)


def _both(values: FloatArray) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def ratios(solution: Solution) -> dict[str, FloatArray]:
    """Return the ratios of the speeds and of the thrusts, driving over driven, and of the running radii, at every
    instant (n,). [-]

    The ratio of the radii is driven over driving, which equals the ratio of the speeds if there is no slip. A ratio is
    nan if its divisor is 0.
    """
    require_sheaves(solution)
    driver = drive_facts(solution.drive).driver
    speed, radius, thrust = (
        np.asarray(solution.values(name), dtype=np.float64)
        for name in ("wheel_speed", "running_radius", "sheave_thrust")
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        found = {
            "speed ratio": speed[:, driver] / speed[:, 1 - driver],
            "ratio of the running radii": radius[:, 1 - driver] / radius[:, driver],
            "thrust ratio": thrust[:, driver] / thrust[:, 1 - driver],
        }
    return {name: np.where(np.isfinite(values), values, np.nan) for name, values in found.items()}


def torque_over_limit(solution: Solution, part: slice = slice(None)) -> FloatArray:
    """Return the torque of the shafts relative to the torque at which the chain slips, for both pairs, as moving means
    over a loop, (n, 2). [-]

    For a pair without prescribed motion, the torque that accelerates its inertia is subtracted. The result is nan if no
    pin touches.
    """
    from scipy.ndimage import uniform_filter1d

    require_sheaves(solution)
    pins, times = solution.drive.chain.pins, instants(solution)[part]
    assert pins is not None  # of a drive with sheaves
    torque, thrust, radius, speed = (
        np.asarray(solution.values(name, part), dtype=np.float64)
        for name in ("wheel_torque", "sheave_thrust", "running_radius", "wheel_speed")
    )
    for w, sheave in enumerate(solution.drive.sheaves):
        if sheave.motion is None and times.size > 1:
            torque[:, w] -= (solution.drive.wheels[w].turned_inertia or 0.0) * np.gradient(speed[:, w], times)
    frequency = mean_tooth_frequency(solution)
    step = np.ptp(times) / max(times.size - 1, 1)
    loop = solution.drive.chain.links / frequency if frequency > 0.0 else 0.0
    count = max(1, min(round(loop / step) if step > 0.0 else 1, times.size))
    limit = 2.0 * pins.friction / math.cos(pins.half_angle) * thrust * _touching(radius)
    torque, limit = (uniform_filter1d(values, count, axis=0) for values in (torque, limit))
    return np.divide(np.abs(torque), limit, out=np.full_like(torque, np.nan), where=limit > 0.0)


class PinPassage(NamedTuple):
    """Forces on one pin and the tension of the link after it around the loop, at M instants."""

    pin: int
    time: FloatArray
    """(M,) [s]"""
    place: FloatArray
    """Position of the pin along the loop, (M,) [pitches]; counting continues beyond the number of links"""
    normal: FloatArray
    radial: FloatArray
    circumferential: FloatArray
    """Forces on one end of the pin, each (M,): normal force, friction along the cone (positive outwards), friction
    around the axis (positive in the running direction of the chain) [N]"""
    tension: FloatArray
    """Tension of the link after the pin, (M,) [N]"""
    zones: tuple[Zone, ...]
    loops: float
    """Number of loops in this time. [-]"""


def pin_passage(solution: Solution, pin: int = 0, start: float | None = None, stop: float | None = None) -> PinPassage:
    """Return the forces on one pin and the tension of the link after it over the last loop, or from start to stop [s].

    Pfeiffer, Fritz & Srnik (1997) show these forces in Figure 9. Needs the channels of the forces on the pins,
    link_tension and link_path_position. Raises InputError without them, for a pin that does not exist, a drive without
    sheaves, and an empty window.
    """
    require_sheaves(solution)
    links = solution.drive.chain.links
    check_index("pin", pin, links)
    advance = chain_advance(solution)
    window, loops = loop_window(solution, start, stop, advance)
    place = pin + advance[window.rows]
    place -= links * np.floor(place.min() / links)

    def of(name: str) -> FloatArray:
        return np.asarray(solution.values(name, window.rows, pin), dtype=np.float64)

    return PinPassage(
        pin=pin,
        time=instants(solution)[window.rows],
        place=place,
        normal=of("pin_normal_force"),
        radial=of("pin_radial_friction"),
        circumferential=_running_sense(solution) * of("pin_circumferential_friction"),
        tension=of("link_tension"),
        zones=loop_zones(solution),
        loops=loops,
    )


def _running_sense(solution: Solution) -> float:
    """Return +1 if the sheaves turn counter-clockwise, otherwise -1."""
    return float(drive_facts(solution.drive).senses[0])


class SheavePassage(NamedTuple):
    """Mean values over all pins that pass through one pair of sheaves, in K sections of the angle from the first
    contact.

    Forces and powers are totals over both ends of a pin; speeds are sliding speeds on the sheaves.
    """

    wheel: int
    name: str
    angle: FloatArray
    """Middle of every section, in the direction of rotation from the first contact of the pins, (K,) [rad]"""
    slip: FloatArray
    """Speed at which a pin slides around the axis, in the direction of rotation, (K,) [m/s]"""
    drift: FloatArray
    """Speed at which a pin slides along the cone, positive outwards, (K,) [m/s]"""
    radius: FloatArray
    """Radius at which the pins run, (K,) [m]"""
    loss_around: FloatArray
    loss_radial: FloatArray
    """Friction power around the axis and along the cone, per unit of angle, (K,) [W/rad]"""
    start: float
    stop: float
    """End of the window [s]"""

    @property
    def lost(self) -> tuple[float, float]:
        """Mean friction power around the axis, and along the cones. [W]"""
        width = float(self.angle[1] - self.angle[0]) if self.angle.size > 1 else 0.0
        return width * float(self.loss_around.sum()), width * float(self.loss_radial.sum())


def sheave_passage(
    solution: Solution, wheel: int, start: float | None = None, stop: float | None = None
) -> SheavePassage:
    """Return slip, drift, radius and loss of the pins in one pair of sheaves versus their angle, averaged over the last
    loop.

    start, stop [s]: a different window. The angle is counted from the smallest angle at which a pin touched. Needs the
    channels of the pins, roller_position and wheel_position. Raises InputError without them, for a pair that does not
    exist, a drive without sheaves, and a window in which no pin touches the pair.
    """
    require_sheaves(solution)
    check_index("wheel", wheel, len(solution.drive.sheaves))
    window, _ = loop_window(solution, start, stop)
    rows, sense = window.rows, _running_sense(solution)

    def of(name: str) -> FloatArray:
        return np.asarray(solution.values(name, rows), dtype=np.float64)

    centres = of("wheel_position")
    x, y = np.moveaxis(of("roller_position") - centres[:, None, wheel], -1, 0)
    touching = of("contact_surface") == wheel
    if not touching.any():
        name = solution.drive.sheaves[wheel].name
        raise InputError(Problem("window", f"no pin touches {name!r} in it"))
    other = centres[0, 1 - wheel] - centres[0, wheel]
    # From the direction of the other pair, where no pin touches this one, in the direction of rotation.
    angle = (sense * (np.arctan2(y, x) - math.atan2(other[1], other[0]))) % (2.0 * math.pi)
    inside = angle[touching]
    first = float(inside.min())
    count = max(math.ceil((float(inside.max()) - first) / BIN), 1)
    part = np.minimum(((inside - first) / BIN).astype(int), count - 1)
    members = np.bincount(part, minlength=count)

    def total(values: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(part, weights=values[touching], minlength=count), dtype=np.float64)

    slip, drift = of("pin_slip"), of("pin_drift")
    per_angle = 1.0 / (BIN * (rows.stop - rows.start))
    with np.errstate(invalid="ignore"):
        return SheavePassage(
            wheel=wheel,
            name=solution.drive.sheaves[wheel].name,
            angle=BIN * (np.arange(count, dtype=np.float64) + 0.5),
            slip=sense * total(slip) / members,
            drift=total(drift) / members,
            radius=total(np.hypot(x, y)) / members,
            loss_around=-2.0 * per_angle * total(of("pin_circumferential_friction") * slip),
            loss_radial=-2.0 * per_angle * total(of("pin_radial_friction") * drift),
            start=window.start,
            stop=window.stop,
        )
