"""Transmission error: lead or lag of a wheel relative to the angle that follows from the tooth ratio and the angle of
another wheel.

The term comes from gearing (Harris 1958; Smith 1999, "Gear noise and vibration"): the difference between the position
of the driven wheel and the position that it would have if the drive were perfectly uniform. In a chain drive it
contains the polygonal action (Bouillon & Tordion 1965; :mod:`chaindrive.analyses.analytical.four_bar`), the stretch of
the spans, and torsional vibration.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.signals.orders import monotone_window, resampled_over_angle
from chaindrive.analyses.signals.selection import wheel_index
from chaindrive.analyses.signals.spectra import Spectrum, Window, amplitude_spectrum
from chaindrive.errors import InputError, Problem
from chaindrive.geometry.route import pitch_radius
from chaindrive.mechanism.facts import drive_facts
from chaindrive.results.solution import Solution

__all__ = ["TransmissionError", "transmission_error", "transmission_orders"]

FloatArray = NDArray[np.float64]


class TransmissionError(NamedTuple):
    """Transmission error between two wheels at n instants."""

    wheel_1: int
    wheel_2: int
    names: tuple[str, str]
    time: FloatArray
    """Instants, shape (n,). [s]"""
    turned: FloatArray
    """Angle turned by wheel 1 in the direction of rotation since the first saved instant, shape (n,). [rad]"""
    angle: FloatArray
    """theta_2 - theta_1 z_1 / z_2 at wheel 2, positive if wheel 2 is ahead, shape (n,). [rad]"""
    radius: float
    """Pitch radius of wheel 2. [m]"""
    mean: float
    """Static part: mean of the error in the window, relative to the first saved instant of the result. [rad]

    At this instant the drive is in static equilibrium, or in the state in which the chain was placed."""
    mean_removed: bool
    """Whether the static part was removed from ``angle``."""

    @property
    def path(self) -> FloatArray:
        """Return the error as a distance along the pitch circle of wheel 2, shape (n,). [m]"""
        return self.angle * self.radius

    @property
    def peak_to_peak(self) -> float:
        """Return the peak-to-peak value. [rad]"""
        return float(np.ptp(self.angle))

    @property
    def rms(self) -> float:
        """Return the root mean square about the mean, which is the dynamic part. [rad]"""
        return float(self.angle.std())


def transmission_error(
    solution: Solution,
    wheel_1: int | str | None = None,
    wheel_2: int | str | None = None,
    start: float | None = None,
    stop: float | None = None,
    remove_mean: bool = True,
) -> TransmissionError:
    """Return the transmission error of wheel 2 relative to wheel 1: theta_2 - theta_1 z_1 / z_2, both angles positive
    in the direction of rotation.

    wheel_1: number or name, by default the driver; wheel_2: by default the first wheel after it (in the order of the
    route) whose motion is not prescribed. Angles are counted from the first saved instant. start, stop [s]: by default
    the last whole revolutions of the driver in the steady part; in a run-up, the run-up. Needs the channel wheel_angle.
    Raises InputError for wheels that do not exist or are the same, and for a chain over two wheels of one shaft, for
    which no ratio follows from the teeth.
    """
    drive = solution.drive
    if drive.sheaves:
        message = "a variator has no tooth ratio: it slips, and its ratio changes; see the plot variator"
        raise InputError(Problem("wheels", message))
    if not drive_facts(drive).one_speed:
        message = "a chain over two wheels of one shaft runs at several speeds: no ratio follows from the teeth"
        raise InputError(Problem("wheels", message))
    first = wheel_index(drive, wheel_1)
    count = len(drive.wheels)
    if count < 2:
        raise InputError(Problem("wheel_2", "there is only one wheel, so there is no other to compare it with"))
    after = [(first + k) % count for k in range(1, count)]
    second = (
        next((w for w in after if drive.wheels[w].motion is None), after[0])
        if wheel_2 is None
        else wheel_index(drive, wheel_2)
    )
    if first == second:
        raise InputError(Problem("wheel_2", "must be a wheel other than wheel_1", repr(drive.wheels[second].name)))
    time, angles = solution.time, solution.values("wheel_angle")
    begin, end = monotone_window(solution, first, start, stop)
    rows = np.flatnonzero((time >= begin) & (time <= end))
    senses = drive_facts(drive).senses
    teeth = [wheel.teeth for wheel in drive.wheels]
    turned = senses * (angles - angles[0])
    error = turned[rows, second] - turned[rows, first] * (teeth[first] / teeth[second])
    if not np.all(np.isfinite(error)):
        at = float(time[rows[np.flatnonzero(~np.isfinite(error))[0]]])
        raise InputError(Problem("wheel_angle", f"is not a finite number at {at:.6g} s: choose an earlier stop"))
    mean = float(error.mean())
    return TransmissionError(
        wheel_1=first,
        wheel_2=second,
        names=(drive.wheels[first].name, drive.wheels[second].name),
        time=time[rows],
        turned=turned[rows, first],
        angle=error - mean if remove_mean else error,
        radius=float(pitch_radius(drive.chain.pitch, teeth[second])),
        mean=mean,
        mean_removed=remove_mean,
    )


def transmission_orders(found: TransmissionError, window: Window = "hann", padding: int = 1) -> Spectrum:
    """Return the amplitude of the error [rad at wheel 2] versus the orders of wheel 1; ``frequency`` is in cycles per
    revolution.

    Order z_1 is the polygonal action, order z_1 / z_2 an eccentricity of wheel 2. Raises InputError as
    :func:`chaindrive.analyses.signals.orders.resampled_over_angle` does: for less than one revolution, or a wheel that
    reverses.
    """
    name = f"the wheel {found.names[0]!r}"
    resampled = resampled_over_angle(found.time, found.angle, found.turned, name)
    spectrum = amplitude_spectrum(resampled.values, resampled.step, window, "linear", padding)
    usable = spectrum.frequency <= resampled.highest
    return spectrum._replace(frequency=spectrum.frequency[usable], amplitude=spectrum.amplitude[usable])
