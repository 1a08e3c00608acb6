"""Extremes of forces over all steps since the last row, so that peaks between two rows are in the results."""

from __future__ import annotations

import math

from chaindrive.formulations.cvt.parameters import PAIRS
from chaindrive.kernels import fill, kernel

__all__ = ["forget_peaks", "gather", "include"]


@kernel(inner=True)
def forget_peaks(peaks):
    """Reset the extremes."""
    fill(peaks.largest_tension, -math.inf)
    fill(peaks.smallest_tension, math.inf)
    fill(peaks.axial, 0.0)
    fill(peaks.bearing, 0.0)


@kernel(inner=True)
def include(p, peaks):
    """Include the forces of the last evaluation in the extremes."""
    for i in range(p.pins):
        tension = p.link.tension[i]
        peaks.largest_tension[i] = max(peaks.largest_tension[i], tension)
        peaks.smallest_tension[i] = min(peaks.smallest_tension[i], tension)
    for c in range(p.contacts[0]):
        i = p.touch.pin[c]
        peaks.axial[i] = max(peaks.axial[i], p.touch.axial[c])
    for w in range(PAIRS):
        fx, fy = p.sum.bearing_x[w], p.sum.bearing_y[w]
        peaks.bearing[w] = max(peaks.bearing[w], math.sqrt(fx * fx + fy * fy))


@kernel
def gather(t, y, dy, p, anew):
    """See contract/kernels.py."""
    if anew:
        forget_peaks(p.peaks)
    include(p, p.peaks)
    return 0.0
