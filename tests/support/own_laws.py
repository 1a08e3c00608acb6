"""User-defined laws, in a module that other processes can import; and functions that are not laws."""

from __future__ import annotations

import math

import numpy as np

from chaindrive import law

STIFFNESS, DAMPING, PRELOAD, LENGTH = 2e4, 20.0, -60.0, 0.0
"""Spring of ``small_drives.pulling``; its length in the drawing is set by ``spring_from``."""
LENGTHS, RATES = np.array([0.02, 0.06, 0.10, 0.20]), np.array([-2.0, 0.0, 2.0])
FORCES = np.array([[30.0, 10.0, -10.0], [-5.0, -40.0, -80.0], [-70.0, -90.0, -150.0], [-200.0, -240.0, -260.0]])
"""A measured map: force over length and rate. [N]"""
TABLE = np.array([0.0, 50.0, 100.0]), np.array([4.0, 6.0, 9.0])
SPEEDS, TORQUES = TABLE
bilinear, linear = law.interpolate_map, law.interpolate


@law.tensioner(lengths=("1 cm", "30 cm"), rates=("-3 m/s", "3 m/s"))
def as_a_spring(length: float, rate: float) -> float:
    """Spring and damper that pull, with a free length of 30 mm."""
    return 2e3 * (0.03 - length) - 20.0 * rate


@law.tensioner(lengths=(0.02, 0.2), rates=(-2, 2))
def measured(length: float, rate: float) -> float:
    """A measured map from a test bench."""
    return bilinear(length, rate, LENGTHS, RATES, FORCES)


@law.load(speeds=(0, 100))
def over_speed(time: float, angle: float, speed: float) -> float:
    """A load as a table over the speed."""
    return linear(speed, SPEEDS, TORQUES)


@law.torque(speeds=(-10, 60))
def control(time: float, angle: float, speed: float) -> float:
    """Holds 30 rad/s in proportion, between 0 and 5 N m, with a ripple."""
    return min(max(0.5 * (30.0 - speed), 0.0), 5.0) * (1.0 + 0.2 * math.sin(2.0 * angle))


@law.torque(speeds=(-150, 150))
def machine(time: float, angle: float, speed: float) -> float:
    """Falls with the speed, with a ripple of the second order."""
    return (12.0 - 0.05 * speed) * (1.0 + 0.3 * math.cos(2.0 * angle))


@law.load(speeds=(0, 150))
def resisting(time: float, angle: float, speed: float) -> float:
    """Rises with the speed."""
    return 2.0 + 0.03 * speed


@law.friction(speeds=(0, 5), forces=(0, 2000))
def constant(speed: float, force: float) -> float:
    """Coulomb friction."""
    return 0.2


@law.friction(speeds=(0, "5 m/s"), forces=(0, "2 kN"))
def stribeck(speed: float, force: float) -> float:
    """Falls with the speed, then rises, and falls with the force."""
    return (0.08 + 0.12 * math.exp(-speed / 0.2) + 0.02 * speed) / (1.0 + force / 1000.0)


IMPACTS = {"depths": ("0 mm", "0.3 mm"), "rates": ("-3 m/s", "3 m/s")}
CURVE = np.array([0.0, 4e-5, 1e-4, 3e-4]), np.array([0.0, 200.0, 2000.0, 20000.0])
"""A measured loading curve: depth [m] and force [N]; it stiffens in two bends."""
DEPTHS, PRESSED = CURVE


@law.contact(**IMPACTS)
def elastic(depth: float, rate: float, impact_speed: float) -> float:
    """Hertz with 1 GN/m^1.5."""
    return 1e9 * depth * math.sqrt(depth)


@law.contact(**IMPACTS)
def hysteretic(depth: float, rate: float, impact_speed: float) -> float:
    """Lankarani and Nikravesh with 1 GN/m^1.5 and restitution 0.3."""
    ratio = min(max(rate / impact_speed, -1.0), 1.0)
    return 1e9 * depth * math.sqrt(depth) * (1.0 + 0.75 * (1.0 - 0.3**2) * ratio)


@law.contact(**IMPACTS)
def viscous(depth: float, rate: float, impact_speed: float) -> float:
    """Spring of 10 MN/m and damper of 100 N s/m."""
    return 1e7 * depth + 100.0 * rate


@law.contact(**IMPACTS)
def rubber(depth: float, rate: float, impact_speed: float) -> float:
    """A pad that stiffens as a polynomial, with a loss factor of its own."""
    part = depth / 1e-4
    return 200.0 * part * (1.0 + part * part) * (1.0 + 0.2 * math.tanh(rate / 0.1))


@law.contact(**IMPACTS)
def measured_curve(depth: float, rate: float, impact_speed: float) -> float:
    """A loading curve from a test bench with damping in proportion to its force."""
    return linear(depth, DEPTHS, PRESSED) * (1.0 + min(max(rate, -0.5), 0.5))


def drives_contact(depth, rate, impact_speed):
    return 1e9 * depth**1.5 * (1.0 - 0.1 * rate)


def remembers_impacts(depth, rate, impact_speed):
    return 1e9 * depth**1.5 * (1.0 + impact_speed)


def pulls_when_deep(depth, rate, impact_speed):
    return 1e7 * depth * (1.0 - depth / 2e-4)


def jumps_when_touched(depth, rate, impact_speed):
    return 50.0 + 1e6 * depth


def flat_between(depth, rate, impact_speed):
    return 1e7 * (min(depth, 2e-5) + max(depth - 1e-4, 0.0))


def in_millimetres(depth, rate, impact_speed):
    return 1e-3 * depth


def one_argument(length):
    return length


def raises(length, rate):
    if length > 1.0:
        raise ValueError("too long")
    return length


def infinite(length, rate):
    return 1.0 / (length - 0.1) if length != 0.1 else math.inf


def allocates(length, rate):
    return np.array([length, rate]).sum()


def drives(length, rate):
    return 10.0 * rate


def fails(length, rate):
    return math.sqrt(-length)


def text_or_number(length, rate):
    return length if rate < 5.0 else "fast"


def pushes(speed, force):
    return 0.1 - 0.05 * speed


def below_zero(time, angle, speed):
    return 1.0 - 0.1 * speed
