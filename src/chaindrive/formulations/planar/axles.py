"""Angle and speed of the wheels: one angle in the state for every shaft, however many wheels are fixed to it.

A wheel on a shaft of its own has the angle of the shaft. A second wheel on the shaft is ahead of it by a constant
angle, determined when the chain is placed. Both thus turn together without a constraint; their moments and inertias
are added.
"""

from __future__ import annotations

import math

from chaindrive.kernels import kernel

__all__ = ["in_its_plane", "speed_place", "teeth_since_start", "wheel_angle", "wheel_speed"]


@kernel(inline=True)
def wheel_angle(y, p, w):
    """Angle of wheel w over ground, counter-clockwise. [rad]"""
    return y[p.layout.wheel_angle + p.wheel.axle[w]] + p.wheel.ahead[w]


@kernel(inline=True)
def speed_place(p, w):
    """Index of the speed of wheel w in the state, and of its acceleration in the derivative."""
    return p.layout.wheel_speed + p.wheel.axle[w]


@kernel(inline=True)
def wheel_speed(y, p, w):
    """Angular velocity of wheel w, counter-clockwise. [rad/s]"""
    return y[speed_place(p, w)]


@kernel(inner=True)
def teeth_since_start(y, p, w):
    """Number of teeth by which wheel w has turned since the chain was placed, positive as the chain runs."""
    turned = wheel_angle(y, p, w) - p.start_angle[w]
    return turned * p.wheel.order[w] * p.wheel.teeth[w] / (2.0 * math.pi)


@kernel(inline=True)
def in_its_plane(p, w, i, turned):
    """Whether roller i is near wheel w along the chain, which runs in several planes.

    turned: teeth by which the wheel has turned since the chain was placed.
    """
    along = i - p.wheel.first[w] + turned
    if p.closed:
        along -= p.rollers * math.floor(along / p.rollers)
    return 0.0 <= along <= p.wheel.along[w]
