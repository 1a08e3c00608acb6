"""Ripple of a chain drive block, identified from detailed runs: polygonal action, as amplitudes and phases of waves
that depend on the angles of the wheels.

In a detailed run every taut span has the tension F = K (e + r) + D (e + r)', where e is the elongation due to the
angles of its wheels, K is known from static equilibria, and D (e + r)' is approximately D F'/K; r is the ripple of the
span, a sum of waves that depend on the angles of both wheels. The tensions pull at the corresponding lever arms, so the
chain exerts on a wheel the torque R (F_k - F_(k-1)) - F_k dr_k/dtheta - F_(k-1) dr_(k-1)/dtheta. Both equations are
linear in the waves. As all waves have the same tooth frequency, the first equation gives only their sum, and the second
the share of each wheel.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.analytical.formulas import polygon_harmonic
from chaindrive.model.ripple import Ripple
from chaindrive.results.solution import Solution

__all__ = ["Course", "Geometry", "RipplePoint", "Wave", "compared", "course_of", "waves_of"]

FloatArray = NDArray[np.float64]
HARMONICS = (1, 2)
"""Harmonics of the tooth frequency that are identified."""
SAMPLES = 48
"""Number of rows that a run stores while one tooth passes."""
TAUT = 0.2
"""A span counts as taut throughout a run if its smallest tension is above this fraction of the largest mean tension.
[-]"""


class Geometry(NamedTuple):
    """Data of a drive and its block with which the waves are fitted, for W wheels and spans."""

    radii: FloatArray
    """Negative for wheels that turn clockwise along the route, (W,). [m]"""
    teeth: NDArray[np.int64]
    inertia: FloatArray
    """(W,) [kg m^2]"""
    driver: int
    stiffness: FloatArray
    offset: FloatArray
    """Slope and offset of the lines fitted to the tensions at rest, (W,). [N/m, m]"""


class Course(NamedTuple):
    """The T rows that a run stored from the time at which its evaluation begins."""

    time: FloatArray
    angle: FloatArray
    speed: FloatArray
    """(T, W) [rad, rad/s]"""
    torque: FloatArray
    """Torques of the shafts on the wheels, (T, W). [N m]"""
    tension: FloatArray
    """(T, W) [N]"""

    @property
    def taut(self) -> NDArray[np.bool_]:
        """Whether each span is taut throughout the run, (W,)."""
        return np.asarray(self.tension.min(axis=0) > TAUT * self.tension.mean(axis=0).max())


class Wave(NamedTuple):
    """A wave of the elongation of a span that depends on the angle of a wheel: amplitude sin(order angle + phase)."""

    span: int
    wheel: int
    harmonic: int
    amplitude: float
    phase: float
    """[m, rad]"""
    polygon: float
    """Amplitude due to polygonal action alone, for a chain that always leaves the wheel along the same line. [m]"""


class RipplePoint(NamedTuple):
    """Tension of a span in a run of the detailed drive, and in the same run of the reduced drive."""

    span: int
    speed: float
    load: float
    """Speed and load of the run. [rad/s, N m]"""
    fitted: bool
    tension: float
    """Mean tension in the detailed run. [N]"""
    detailed: complex
    reduced: complex
    """Complex amplitudes (phasors) at the tooth frequency. [N]"""

    @property
    def error(self) -> float:
        """Magnitude of the difference between the two complex amplitudes, divided by the mean tension. [-]"""
        return abs(self.reduced - self.detailed) / self.tension


def course_of(run: Solution, begin: float) -> Course:
    """Return the rows of a run from the time ``begin`` [s]."""
    late = run.time >= begin
    names = ("wheel_angle", "wheel_speed", "wheel_torque", "span_tension")
    return Course(run.time[late], *(np.asarray(run.values(name)[late], dtype=np.float64) for name in names))


def waves_of(courses: Sequence[Course], drive: Geometry) -> tuple[Wave, ...]:
    """Return the waves of all spans that are taut in any run, found by least squares; their phases refer to the angles
    of the block.

    Other effects of a detailed drive are identified as well: the inertia of the wrapped chain, which is added to every
    wheel except the driver, and the damping of the spans.
    """
    count = drive.radii.size
    pulled = [k for k in range(count) if any(course.taut[k] for course in courses)]
    waves = [(k, w, n) for k in pulled for w in (k, (k + 1) % count) for n in HARMONICS]
    if not waves:
        return ()
    blocks = [block for course in courses for block in _equations(course, drive, waves)]
    matrix, right = (np.concatenate(part) for part in zip(*blocks, strict=True))
    sizes = np.linalg.norm(matrix, axis=0)
    sizes[sizes == 0.0] = 1.0  # unknowns that no run determines
    found = np.linalg.lstsq(matrix / sizes, right, rcond=1e-6)[0] / sizes
    turned = _turned(drive)
    ripples = []
    for i, (k, w, n) in enumerate(waves):
        order, radius = n * int(drive.teeth[w]), abs(float(drive.radii[w]))
        size, phase = math.hypot(*found[2 * i : 2 * i + 2]), math.atan2(found[2 * i + 1], found[2 * i])
        phase = math.remainder(phase + order * turned[w], 2.0 * math.pi)
        ripples.append(Wave(k, w, n, size, phase, radius * float(polygon_harmonic(drive.teeth[w], n)) / order))
    return tuple(ripples)


def _equations(
    course: Course, drive: Geometry, waves: Sequence[tuple[int, int, int]]
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the matrix and the right-hand side for a run, with their means subtracted: first for elongations of the
    spans, then for torques on the wheels.

    Unknowns are the sine and cosine of every wave [m], the inertia to be added to every wheel [kg m^2], and the time
    constant of the dampers of every span [s]. All equations are in m.
    """
    count, known = drive.radii.size, 2 * len(waves)
    unknown = known + 2 * count
    moved, mean = drive.radii * course.angle, course.tension.mean(axis=0)
    ripple = course.tension / drive.stiffness - (np.roll(moved, -1, axis=1) - moved + drive.offset)
    for k in np.flatnonzero(course.taut):
        matrix = np.zeros((course.time.size, unknown))
        for i, (span, w, n) in enumerate(waves):
            if span == k:
                angle = n * drive.teeth[w] * course.angle[:, w]
                matrix[:, 2 * i], matrix[:, 2 * i + 1] = np.sin(angle), np.cos(angle)
        matrix[:, known + count + k] = np.gradient(course.tension[:, k], course.time) / drive.stiffness[k]
        yield matrix - matrix.mean(axis=0), ripple[:, k] - ripple[:, k].mean()
    for w in range(count):
        matrix = np.zeros((course.time.size, unknown))
        scale = 1.0 / (float(mean.max()) * float(drive.teeth[w]))
        acceleration = np.gradient(course.speed[:, w], course.time)
        if w != drive.driver:
            matrix[:, known + w] = -acceleration
        for i, (span, wheel, n) in enumerate(waves):
            if wheel == w:
                order = n * drive.teeth[w]
                angle, pull = order * course.angle[:, w], order * course.tension[:, span]
                matrix[:, 2 * i], matrix[:, 2 * i + 1] = -pull * np.cos(angle), pull * np.sin(angle)
        chain = drive.inertia[w] * acceleration - course.torque[:, w]
        left = chain - drive.radii[w] * (course.tension[:, w] - course.tension[:, w - 1])
        yield scale * (matrix - matrix.mean(axis=0)), scale * (left - left.mean())


def _turned(drive: Geometry) -> FloatArray:
    """Return the angles of the wheels in the detailed drive at which the angles in the block are zero, (W,) [rad]; for
    the driver both are zero.

    In the block the slack is distributed over the spans in proportion to their compliance.
    """
    compliance = 1.0 / drive.stiffness
    own = drive.offset.sum() * compliance / compliance.sum()
    moved = np.concatenate([[0.0], np.cumsum(own - drive.offset)[:-1]])
    return np.asarray((moved - moved[drive.driver]) / drive.radii)


def ripples_of(waves: Sequence[Wave], drive: Geometry) -> tuple[Ripple, ...]:
    """Return the waves as ripple entries of a chain drive block."""
    return tuple(
        Ripple(
            span=wave.span,
            wheel=wave.wheel,
            amplitude=wave.amplitude,
            phase=wave.phase,
            order=wave.harmonic * int(drive.teeth[wave.wheel]),
        )
        for wave in waves
    )


def compared(
    detailed: Course, reduced: Course, drive: Geometry, at: tuple[float, float, bool]
) -> Iterator[RipplePoint]:
    """Yield the comparison with the reduced drive for every span that is taut in a run of the detailed drive.

    at: speed of the driver, load, and whether the fit used the run.
    """
    for k in np.flatnonzero(detailed.taut):
        phasors = (_phasor(each, int(k), drive) for each in (detailed, reduced))
        yield RipplePoint(int(k), *at, float(detailed.tension[:, k].mean()), *phasors)


def _phasor(course: Course, span: int, drive: Geometry) -> complex:
    """Return the complex amplitude of the tension of a span at the tooth frequency, relative to the angle of the
    driver. [N]
    """
    angle = drive.teeth[drive.driver] * course.angle[:, drive.driver]
    waves = np.column_stack([np.ones(angle.size), np.sin(angle), np.cos(angle)])
    _, sine, cosine = np.linalg.lstsq(waves, course.tension[:, span], rcond=None)[0]
    return complex(sine, cosine)
