"""Exact kinematics of the tight span between two wheels: a sequence of four-bar linkages.

The crank R1 ends at the roller A seated last on the driver, the coupler m P is the straight span of m whole links, the
rocker R2 ends at the roller B that leaves the driven wheel next, and the frame is the centre distance C. The closure
condition |A - B| = m P gives the driven angle for every driver angle. Assumptions: rigid links, no slack, rollers
seated on the pitch circles, both wheels inside the loop of the chain (Bouillon & Tordion 1965; Chen & Freudenstein
1988).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.geometry.route import pitch_radius

__all__ = ["SpanKinematics", "tight_span_kinematics"]


class SpanKinematics(NamedTuple):
    """Motion of the tight span and the driven wheel over one tooth of the driver; all arrays have the shape
    (samples,).
    """

    driver_angle: NDArray[np.float64]
    """Angle turned by the driver [rad]."""
    driven_angle: NDArray[np.float64]
    """Angle turned by the driven wheel [rad]."""
    ratio: NDArray[np.float64]
    """Instantaneous value of (w2 / w1) (z2 / z1); its average over a tooth is 1. [1]"""
    links: NDArray[np.int64]
    """Number of whole links in the straight span."""

    @property
    def ripple(self) -> float:
        """Return the peak-to-peak variation of the ratio. [1]"""
        return float(np.ptp(self.ratio))


class _Linkage:
    """The linkage in its current position.

    The centre of the driver is at the origin, that of the driven wheel at (C, 0), and both turn CCW. The tight span is
    on top and runs towards the driver.
    """

    def __init__(self, teeth_1: int, teeth_2: int, centre: float, pitch: float) -> None:
        self.radius_1, self.radius_2 = float(pitch_radius(pitch, teeth_1)), float(pitch_radius(pitch, teeth_2))
        self.step_1, self.step_2 = 2.0 * math.pi / teeth_1, 2.0 * math.pi / teeth_2
        self.centre, self.pitch = centre, pitch
        self.captured = self.released = 0
        self.links = 0

    def close(self, a: float) -> tuple[float, float]:
        """Return the angle b of the rocker and the direction phi of the span A -> B at the crank angle a, from |A - B|
        = m P.
        """
        dx, dy = self.centre - self.radius_1 * math.cos(a), -self.radius_1 * math.sin(a)
        coupler = self.links * self.pitch
        cosine = (coupler**2 - dx**2 - dy**2 - self.radius_2**2) / (2.0 * self.radius_2 * math.hypot(dx, dy))
        if abs(cosine) > 1.0:
            return math.nan, math.nan
        b = math.atan2(dy, dx) + math.acos(cosine)
        return b, math.atan2(dy + self.radius_2 * math.sin(b), dx + self.radius_2 * math.cos(b))

    def start(self, a: float, tangent: float) -> None:
        """Choose the whole number of links for which the rocker ends at the next roller to leave the driven wheel."""
        middle = round(tangent / self.pitch)
        candidates = range(max(1, middle - 2), middle + 3)
        errors = {}
        for self.links in candidates:
            b, phi = self.close(a)
            errors[self.links] = math.inf if math.isnan(b) else abs(b - math.pi / 2 - phi)
        self.links = min(candidates, key=errors.__getitem__)

    def advance(self, driver_angle: float) -> tuple[float, float, float]:
        """Return crank angle, rocker angle and span direction at a driver angle; until then, rollers may engage and
        leave.
        """
        for _ in range(8):
            a = driver_angle - self.captured * self.step_1
            b, phi = self.close(a)
            if a - self.step_1 / 2 - math.pi / 2 > phi:  # the span lies along the side A -> A' of the driver
                self.captured, self.links = self.captured + 1, self.links - 1
            elif b - self.step_2 / 2 - math.pi / 2 > phi:  # the span lies along the side B' -> B of the driven wheel
                self.released, self.links = self.released + 1, self.links + 1
            else:
                break
        return a, b, phi


def tight_span_kinematics(
    teeth_1: int, teeth_2: int, tangent: float, pitch: float = 1.0, samples: int = 2000
) -> SpanKinematics:
    """Return the motion of the driven wheel over one tooth of the driver, with whole links in the tight span.

    teeth_1: number of teeth of the driver; teeth_2: number of teeth of the driven wheel; tangent: length of the span
    L_t [m] (centre distance C = sqrt(L_t^2 + (R1 - R2)^2)), pitch [m]. The ratio follows from the closure condition
    without finite differences: w2 / w1 = R1 sin(a - phi) / (R2 sin(b - phi)), with a and b the directions of the seated
    rollers and phi that of the span.

    Equal wheels with a whole number of pitches in the span form a parallelogram, for which the ratio is exactly 1; with
    half a pitch more, the ratio varies between cos(pi / z) and 1 / cos(pi / z) (in the limit of a long span).

    Raises ValueError if the span is shorter than two pitches.
    """
    if tangent < 2.0 * pitch:
        raise ValueError(f"the tight span must be at least two pitches long (got {tangent / pitch:.3g} pitches)")
    radius_1, radius_2 = float(pitch_radius(pitch, teeth_1)), float(pitch_radius(pitch, teeth_2))
    centre = math.hypot(tangent, radius_1 - radius_2)
    linkage = _Linkage(teeth_1, teeth_2, centre, pitch)
    first = math.acos((radius_1 - radius_2) / centre)
    linkage.start(first, tangent)
    linkage.advance(first + linkage.step_1)

    driver = first + linkage.step_1 * (1.0 + np.arange(samples) / samples)
    driven, ratio = np.empty(samples), np.empty(samples)
    links = np.empty(samples, dtype=np.int64)
    for i, angle in enumerate(driver):
        a, b, phi = linkage.advance(float(angle))
        driven[i] = b + linkage.released * linkage.step_2
        ratio[i] = radius_1 * math.sin(a - phi) / (radius_2 * math.sin(b - phi)) * teeth_2 / teeth_1
        links[i] = linkage.links
    return SpanKinematics(driver - driver[0], driven - driven[0], ratio, links)
