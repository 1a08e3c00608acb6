"""A running chain that is moved onto wheels in new positions: the resulting positions and velocities.

The kinematic initial configurations (geometry.initial_configuration) of the old and the new geometry, both turned to
the present angle of the driver, differ by a displacement of every roller. Rollers between the teeth turn and shift
rigidly with their wheel, so that penetrations do not change: in a small chain, a tenth of a micrometre changes the
force by a tenth. Rollers in the spans are displaced, and then shifted slightly until every link has its previous length
plus the change in the initial configuration: in a large chain, a micrometre corresponds to a kilonewton.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.elementary import rotated
from chaindrive.formulations.planar.parameters import (
    FloatArray,
    IntArray,
)
from chaindrive.geometry.initial_configuration import InitialConfiguration, place_chain
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive

__all__ = ["Geometry", "Moved", "move_along"]

PHASE_ACCURACY = 1e-11
"""Accuracy with which the kinematic initial configuration is turned to the angle of the driver. [teeth]"""
PHASE_TRIALS = 50
LENGTH_ACCURACY = 1e-10
"""Accuracy with which lengths of links are restored if possible. [m]"""
LENGTH_TRIALS = 30
STRAIGHT = 1e-10
"""Square of the slope of a span below which straightening the span makes no link shorter. [-]"""


class Geometry(NamedTuple):
    """A drive with the positions of its wheels."""

    drive: Drive
    centres: FloatArray
    """(W, 2) [m]"""
    tips: FloatArray
    """Tip radii of the teeth, (W,) [m]"""


class Moved(NamedTuple):
    """A chain of N rollers on W wheels in new positions."""

    place: FloatArray
    """Positions of the rollers, (N, 2) [m]"""
    velocity: FloatArray
    """(N, 2) [m/s]"""
    rolled: FloatArray
    """Angle by which every wheel was turned, (W,) [rad]"""
    furthest: float
    """Largest displacement of a roller. [m]"""
    warnings: tuple[str, ...]


def move_along(
    place: FloatArray, velocity: FloatArray, angle: float, speed: float, old: Geometry, new: Geometry
) -> Moved:
    """Move rollers and wheels from one geometry to the other.

    place, velocity: positions and velocities of the rollers, (N, 2) [m, m/s]; angle, speed: angle and speed of the
    driver [rad, rad/s]. Raises InputError when the chain does not fit the new geometry.
    """
    drive = new.drive
    first = drive_facts(drive).driver
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    was, now = _alike(old, new, teeth, first, angle)
    behind = _numbering(place, was.roller_position)
    was, now = _renumbered(was, behind), _renumbered(now, behind)

    rolled = now.wheel_angle - was.wheel_angle
    tooth = 2.0 * np.pi / teeth
    rolled -= tooth * np.round(rolled / tooth)
    rolled[first] = 0.0
    there = place + now.roller_position - was.roller_position
    wheel, seated = _between_teeth(place, old, was, now)
    wheel = wheel[seated]
    there[seated] = new.centres[wheel] + rotated(place[seated] - old.centres[wheel], rolled[wheel])
    _restore_lengths(there, place, was, now, seated, drive.chain.pitch)
    pace = speed / now.wheel_rate[first] * now.roller_tangent - speed / was.wheel_rate[first] * was.roller_tangent
    faster = velocity + pace
    faster[seated] = rotated(velocity[seated], rolled[wheel])

    furthest = float(np.hypot(*(there - place).T).max())
    warnings: tuple[str, ...] = ()
    if furthest > 0.25 * drive.chain.pitch:
        warnings = (
            f"rollers of the start state were moved by up to {furthest * 1e3:.3g} mm to the new positions of the "
            "wheels: the vibration of the spans is carried over from the old route",
        )
    return Moved(there, faster, rolled, furthest, warnings)


def _between_teeth(
    place: FloatArray, old: Geometry, was: InitialConfiguration, now: InitialConfiguration
) -> tuple[IntArray, NDArray[np.bool_]]:
    """Return the nearest wheel of every roller, and whether the roller follows it rigidly, (N,) each.

    The rollers of a taut chain that follow are those seated on this wheel in both initial configurations. A slack chain
    rides up the flanks and leaves its seats elsewhere; its rollers follow if they are inside the tips of the teeth.
    """
    outside = np.hypot(*(place[:, None] - old.centres).transpose(2, 0, 1)) - old.tips
    wheel = outside.argmin(axis=1)
    if was.slack_span < 0 and now.slack_span < 0:
        return wheel, (was.seat_wheel == wheel) & (now.seat_wheel == wheel)
    return wheel, outside[np.arange(len(place)), wheel] < 0.0


def _alike(
    old: Geometry, new: Geometry, teeth: IntArray, first: int, angle: float
) -> tuple[InitialConfiguration, InitialConfiguration]:
    """Return the chain as placed in both geometries, with the rollers of the second numbered as those of the first.

    A slack span hangs down, or bulges outwards if it would otherwise touch a wheel. In both geometries it hangs in the
    same way.
    """
    pairs = []
    for gravity in (new.drive.gravity, (0.0, 0.0)):  # without gravity it hangs outward
        was, now = (_placed(geometry, gravity, teeth, first, angle) for geometry in (old, new))
        now = _renumbered(now, _numbering(was.roller_position, now.roller_position))
        pairs.append((float(np.abs(now.roller_position - was.roller_position).max()), was, now))
        if was.slack_span < 0 and now.slack_span < 0:
            break
    _, was, now = min(pairs, key=lambda pair: pair[0])
    return was, now


def _placed(
    geometry: Geometry, gravity: tuple[float, float], teeth: IntArray, first: int, angle: float
) -> InitialConfiguration:
    """Return the kinematic initial configuration in which the gaps of wheel ``first`` point as they do at ``angle``
    [rad].
    """
    drive, phase = geometry.drive, 0.0
    facts = drive_facts(drive)
    signs, tooth = facts.signs, 2.0 * np.pi / teeth[first]
    for _ in range(PHASE_TRIALS):
        configuration = place_chain(
            geometry.centres,
            teeth,
            signs,
            drive.chain.mean_pitch,
            drive.chain.links,
            gravity,
            slack_span=facts.slack_span,
            phase=phase,
            radii=facts.wrapped_radii,
        )
        missing = (angle - configuration.wheel_angle[first]) / tooth
        missing -= round(missing)
        if abs(missing) < PHASE_ACCURACY:
            break
        phase = (phase + signs[first] * missing) % 1.0
    return configuration


def _numbering(actual: FloatArray, placed: FloatArray) -> int:
    """Return by how many rows ``placed`` (N, 2) must be rolled to be closest to ``actual`` (N, 2).

    The sum of squared distances is smallest where the circular cross-correlation is largest.
    """
    centred = actual - actual.mean(axis=0), placed - placed.mean(axis=0)
    spectra = np.fft.rfft(centred[0], axis=0) * np.conj(np.fft.rfft(centred[1], axis=0))
    return int(np.argmax(np.fft.irfft(spectra.sum(axis=1), len(actual))))


def _renumbered(configuration: InitialConfiguration, places: int) -> InitialConfiguration:
    """Return an initial configuration with its rollers renumbered by this many places."""
    of_rollers = ("roller_position", "roller_tangent", "seat_wheel", "roller_span", "span_of_link")
    return configuration._replace(
        **{name: np.roll(getattr(configuration, name), places, axis=0) for name in of_rollers}
    )


def _restore_lengths(
    there: FloatArray,
    place: FloatArray,
    was: InitialConfiguration,
    now: InitialConfiguration,
    seated: NDArray[np.bool_],
    pitch: float,
) -> None:
    """Shift the rollers that are between seated rollers until the links have their required lengths.

    there: positions of the rollers, (N, 2), changed in place; place: their previous positions, (N, 2).
    """
    n = len(there)
    if not seated.any():
        return
    ahead = [_lengths(points) for points in (place, was.roller_position, now.roller_position)]
    wanted = np.maximum(ahead[0] * ahead[2] / ahead[1], np.minimum(ahead[0], pitch))  # nothing slack is pushed together
    hanging = np.zeros(n, dtype=bool)
    for configuration in (was, now):
        hanging |= (configuration.roller_span == configuration.slack_span) & (configuration.slack_span >= 0)
    start = int(np.flatnonzero(seated)[0])
    order = (start + np.arange(n + 1)) % n
    fixed = np.flatnonzero(seated[order])
    for a, b in itertools.pairwise(fixed):
        if b - a > 1:
            rollers = order[a : b + 1]
            there[rollers[1:-1]] = _with_lengths(there[rollers], wanted[rollers[:-1]], bool(hanging[rollers].any()))


def _lengths(points: FloatArray) -> FloatArray:
    return np.hypot(*(np.roll(points, -1, axis=0) - points).T)


def _with_lengths(points: FloatArray, wanted: FloatArray, hanging: bool) -> FloatArray:
    """Return the inner points of (k + 1, 2) points, shifted as little as necessary for k links to have the required
    lengths [m].

    Newton's method for |l_i| = wanted_i with the smallest shift, dx = -J^T (J J^T)^-1 r, whose matrix is tridiagonal.
    In a taut span, and in a hanging span where the required lengths are impossible, all links share the excess or lack
    of length.
    """
    from scipy.linalg import solveh_banded

    given = points
    points = given.copy()
    for _ in range(LENGTH_TRIALS):
        link = np.diff(points, axis=0)
        length = np.hypot(*link.T)
        excess = length - wanted
        if not hanging:
            excess -= excess.mean()
        if np.abs(excess).max() < LENGTH_ACCURACY:
            return points[1:-1]
        along = link / length[:, None]
        bands = np.full((2, len(wanted)), 2.0 + STRAIGHT)
        bands[1, [0, -1]] -= 1.0
        bands[0, 1:] = -np.einsum("ij,ij->i", along[:-1], along[1:])
        pull = along * solveh_banded(bands, excess)[:, None]
        points[1:-1] += np.diff(pull, axis=0)
    return _with_lengths(given, wanted, False) if hanging else given[1:-1]
