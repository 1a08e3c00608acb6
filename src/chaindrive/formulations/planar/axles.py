"""Angle and speed of the wheels. The state contains one angle for each shaft, however many wheels are fixed to it.

A wheel that is alone on its shaft has the angle of the shaft. A second wheel on a shaft is ahead of the first by a
constant angle, given by the initial position of the chain. Both therefore turn as one without a constraint: their
moments add up, and so do their inertias.
"""

from __future__ import annotations

import math

from chaindrive.kernels import kernel

__all__ = ["in_its_plane", "speed_place", "teeth_since_start", "wheel_angle", "wheel_speed"]


@kernel(inline=True)
def wheel_angle(y, p, w):
    """Return the angle of wheel w relative to the ground, counter-clockwise. [rad]"""
    return y[p.layout.wheel_angle + p.wheel.axle[w]] + p.wheel.ahead[w]


@kernel(inline=True)
def speed_place(p, w):
    """Return the index of the speed of wheel w in the state, which is also that of its acceleration in
    the derivative.
    """
    return p.layout.wheel_speed + p.wheel.axle[w]


@kernel(inline=True)
def wheel_speed(y, p, w):
    """Return the angular velocity of wheel w, counter-clockwise. [rad/s]"""
    return y[speed_place(p, w)]


@kernel(inner=True)
def teeth_since_start(y, p, w):
    """Return the number of teeth by which wheel w has turned since the chain was placed.

    It is positive in the direction in which the chain runs.
    """
    turned = wheel_angle(y, p, w) - p.start_angle[w]
    return turned * p.wheel.order[w] * p.wheel.teeth[w] / (2.0 * math.pi)


@kernel(inline=True)
def in_its_plane(p, w, i, turned):
    """Return whether roller i of a chain that runs in several planes is near wheel w along the chain.

    turned: teeth by which the wheel has turned since the chain was placed.
    """
    along = i - p.wheel.first[w] + turned
    if p.closed:
        along -= p.rollers * math.floor(along / p.rollers)
    return 0.0 <= along <= p.wheel.along[w]
