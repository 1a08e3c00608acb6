"""A pin held at its ends between two conical sheaves, which clamp it and, if they are compliant, tilt.

After Pfeiffer, Fritz & Srnik (1997), section 4.1, and Srnik & Pfeiffer (1999), who print no equations; the equations
below follow from the geometry of the cones. The pin spans the groove at a radius r from the axis of the sheaves and at
the position (X, Y) relative to it; beta is the half angle of the groove. Both ends are alike.

    delta = 2 (R - r) tan(beta) + s - 2 (a X + b Y)      excess length of the pin over the groove; it touches above 0
    Q = k delta + d delta'                               force along the pin, the thrust on either sheave
    N = (Q + G sin(beta)) / cos(beta)                    normal force on an end; Q = N cos(beta) - G sin(beta)
    radial force on the pin = 2 (N sin(beta) + G cos(beta)) = 2 Q tan(beta) + 2 G / cos(beta)

with G, the friction along the generator of the cone, outwards, at the speed r' / cos(beta). The first term of the last
line derives from the potential k delta^2 / 2. The second is conjugate to the sliding speed of G, so that the friction
loss is the force times this speed, however the sheaves move. R is the radius at which an unloaded pin touches the
sheaves at s = 0, s is the distance by which they are closed, and a and b are the tilt angles of each sheave about two
axes normal to its own axis. These axes are fixed in space: the deformation does not turn with the sheave.

Sattler's trigonometric deformation is, to first order, a tilt of a given size (``tilt_of_variation``).
"""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["axial_force", "closure", "closure_rate", "normal_force", "tilt_of_variation", "tilt_rate"]


@kernel(inline=True)
def closure(reference, radius, slope, closed, tilted):
    """Excess length delta of the pin over the width of the groove; if negative, the total gap at both ends. [m]

    reference R, radius r of the pin [m]; slope tan(beta) [-]; closed s: sum for both sheaves [m]; tilted a X +
    b Y: distance by which a sheave has moved away from the pin [m].
    """
    return 2.0 * (reference - radius) * slope + closed - 2.0 * tilted


@kernel(inline=True)
def closure_rate(radial_speed, slope, closing, tilting):
    """Rate of change of :func:`closure`. [m/s]

    radial_speed r' [m/s]; slope tan(beta) [-]; closing s' [m/s]; tilting: rate of a X + b Y [m/s].
    """
    return closing - 2.0 * radial_speed * slope - 2.0 * tilting


@kernel(inline=True)
def axial_force(deep, rate, stiffness, damping):
    """Force along a pin pressed between the sheaves, Q = k delta + d delta'; zero where they do not touch. [N]

    deep: delta [m], rate: delta' [m/s]; stiffness of the pin and both of its ends k [N/m]; damping d [N s/m]. It never
    pulls.
    """
    if deep <= 0.0:
        return 0.0
    return max(stiffness * deep + damping * rate, 0.0)


@kernel(inline=True)
def normal_force(axial, along, sine, cosine):
    """Normal force on an end of the pin. [N]

    axial Q [N]; along G: friction along the generator, positive outwards [N]; sine, cosine of beta.
    """
    return (axial + along * sine) / cosine


@kernel(inline=True)
def tilt_rate(moment, tilt, stiffness, time):
    """Rate of change of a tilt that follows its moment with a relaxation time: (M / k - a) / tau. [rad/s]

    moment M of the pins on a sheave about an axis normal to its own axis, the sum of Q X [N m]; tilt a [rad];
    stiffness k [N m/rad]; time tau [s]. Both sheaves together store k a^2 and lose 2 k tau a'^2.
    """
    return (moment / stiffness - tilt) / time


@kernel(inline=True)
def tilt_of_variation(variation, cosine):
    """Tilt that has the same effect on pins as Sattler's trigonometric deformation: D (1 + cos^2 beta) / (2 cos^2
    beta). [rad]

    variation D: the half angle is beta + D/2 cos(theta - theta_c), widest at theta_c [rad]; cosine of beta. A pin of
    constant length then moves radially at omega R D (1 + cos^2 beta) / sin(2 beta) sin(theta - theta_c) (Sattler 1999,
    as used by Carbone, Mangialardi & Mantriota 2005; quoted from memory, not checked against the paper). With a tilt f
    the pin moves at omega R f / tan(beta) sin(theta - theta_c), which follows from the closure.
    """
    square = cosine * cosine
    return 0.5 * variation * (1.0 + square) / square
