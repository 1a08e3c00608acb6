"""The joint between two links that move in space: a bushing with play that is elastic in all directions except about
its pin.

In Omar (2014) the bushing has three forces, stiffness times displacement of the bush relative to the pin, and three
torques, stiffness times rotation vector. His equations are not available; those used here are our own and agree with
his text. Rotation is measured by the relative quaternion c = (cw, cx, cy, cz) instead, cw >= 0. A rotation by phi about
the pin, followed by a swing by theta about a transverse axis at psi, has

    (cx, cy) = sin(theta/2) (cos(psi - phi/2), sin(psi - phi/2)),

so that 2 cx (twist) and 2 cy (bend) are the angles of misalignment in the frame midway between both links, whatever the
angle of the pin. A potential U(2 cx, 2 cy) gives a torque that also has a small component about the pin, without which
energy would not be conserved. If the components of the rotation vector are used for torques in the frame of the pin,
the direction of the torque is wrong by half the angle of the pin: 16.5 degrees on a wheel with eleven teeth.

The forces on both links act at the position of the bush, so that momentum and angular momentum are conserved to within
rounding errors.
"""

from __future__ import annotations

import math

from chaindrive.kernels import kernel

__all__ = ["beyond_play", "play_energy", "rotation_vector_scale", "rotation_vector_torque", "swing_torque"]

SMALL = 1e-9
"""Sine of half an angle below which the angle is taken as twice this sine. [-]"""


@kernel(inline=True)
def beyond_play(displacement, play):
    """The part of a displacement that exceeds a play to either side, [m] or [rad]; play >= 0. nan is passed on."""
    inside = -play if displacement < -play else displacement
    inside = play if inside > play else inside
    return displacement - inside


@kernel(inline=True)
def play_energy(displacement, play, stiffness):
    """Energy of a spring that acts beyond a play: K (displacement beyond the play)^2/2 [J]. Arguments as for
    :func:`beyond_play`; stiffness K [N/m or N m/rad].
    """
    beyond = beyond_play(displacement, play)
    return 0.5 * stiffness * beyond * beyond


@kernel(inline=True)
def swing_torque(cw, cx, cy, cz, twist, twist_play, bend, bend_play):
    """Torque on the link of the bush, in the axes of this link [N m]; the opposite torque acts on the link of the pin.

    U = Kt g(2 cx)^2/2 + Kb g(2 cy)^2/2 with g = ``beyond_play``. c: quaternion from the axes of the link of the bush to
    those of the link of the pin. With G = dU/d(cx, cy), a rotation by a small vector d in the axes of the bush's
    link changes c by c (0, d)/2, hence the torque -1/2 (Gx cw + Gy cz, -Gx cz + Gy cw, Gx cy - Gy cx). twist, bend:
    stiffness Kt about the longitudinal axis of the link and Kb about its transverse axis [N m/rad]; twist_play,
    bend_play: the corresponding plays [rad].
    """
    gx = 2.0 * twist * beyond_play(2.0 * cx, twist_play)
    gy = 2.0 * bend * beyond_play(2.0 * cy, bend_play)
    return -0.5 * (gx * cw + gy * cz), -0.5 * (gy * cw - gx * cz), -0.5 * (gx * cy - gy * cx)


@kernel(inline=True)
def rotation_vector_scale(cw, sine):
    """Ratio of the rotation vector to (cx, cy, cz), that is the angle divided by the sine of half the angle; cw >= 0,
    sine >= 0. [-]
    """
    return 2.0 * math.atan2(sine, cw) / sine if sine > SMALL else 2.0


@kernel(inline=True)
def rotation_vector_torque(cw, cx, cy, cz, twist, twist_play, bend, bend_play):
    """Omar's torque on the link of the bush: -K times the rotation vector, in components of the frame of the pin's
    link. [N m]

    It acts about the longitudinal and the transverse axis of the pin's link, not about the pin. Arguments as in
    ``swing_torque``. As the direction of the torque is wrong by a, half the angle of the pin, it has no potential: a
    swing grows at the rate w sin(a/2) unless it is damped.
    """
    scale = rotation_vector_scale(cw, math.sqrt(cx * cx + cy * cy + cz * cz))
    return -twist * beyond_play(scale * cx, twist_play), -bend * beyond_play(scale * cy, bend_play)
