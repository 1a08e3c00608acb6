"""Extremes of forces over all steps since the last row, so that the results include peaks between two rows."""

from __future__ import annotations

import math

from chaindrive.kernels import fill, kernel
from chaindrive.mechanism.wheels import bearing_force
from chaindrive.physics.unbalance import mass_moment

__all__ = ["force_on_bearing", "forget_peaks", "gather", "include"]


@kernel(inner=True)
def forget_peaks(peaks):
    """Reset the extremes."""
    fill(peaks.largest_tension, -math.inf)
    fill(peaks.smallest_tension, math.inf)
    fill(peaks.bearing, 0.0)


@kernel(inner=True)
def include(y, dy, p, peaks):
    """Include the forces of the last evaluation, of y into dy, in the extremes."""
    for w in range(p.wheels):
        tension = p.pull.tension[w]
        peaks.largest_tension[w] = max(peaks.largest_tension[w], tension)
        peaks.smallest_tension[w] = min(peaks.smallest_tension[w], tension)
        fx, fy = force_on_bearing(y, dy, p, w)
        peaks.bearing[w] = max(peaks.bearing[w], math.sqrt(fx * fx + fy * fy))


@kernel
def gather(t, y, dy, p, anew):
    """See contract/kernels.py."""
    if anew:
        forget_peaks(p.peaks)
    include(y, dy, p, p.peaks)
    return 0.0


@kernel(inner=True)
def force_on_bearing(y, dy, p, w):
    """Return the force of wheel w on its bearing in the last evaluation: applied forces minus inertia force. [N]"""
    before = w - 1 if w > 0 else p.wheels - 1
    mass, angular_velocity, alpha = p.wheel.mass[w], y[p.wheels + w], dy[p.wheels + w]
    ex, ey = mass_moment(y[w], p.wheel.moment_x[w], p.wheel.moment_y[w])
    leaving, arriving = p.pull.tension[w], p.pull.tension[before]
    fx = leaving * p.span.ux[w] - arriving * p.span.ux[before]
    fy = leaving * p.span.uy[w] - arriving * p.span.uy[before]
    return bearing_force(fx, fy, mass, ex, ey, angular_velocity, alpha, p.gravity_x, p.gravity_y)
