"""Parts of generated drives with typical values: chain, contacts, teeth, motions, loads."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from chaindrive.model import StandardChain

LAWS = (
    "lankarani-nikravesh", "hunt-crossley", "hertz", "kelvin-voigt", "flores", "herbert-mcwhannell", "lee-wang",
    "gonthier", "hu-guo",
)  # fmt: skip
NEED_RESTITUTION = ("kelvin-voigt", "flores", "gonthier", "hu-guo")
SMOOTH = ("linear", "polynomial", "super-elliptic", "bezier", "tanh", "arctan", "logistic")
STEEL = 7850.0  # kg/m^3
WORKING_SHARE = 0.03
"""Force, as a fraction of the breaking load, to which the stiffness of a contact refers. [-]"""


class Sizes(NamedTuple):
    """Sizes from which the values of a drive are derived, in SI units."""

    pitch: float
    link_mass: float
    roller: float
    pin: float
    width: float
    """Width of a sprocket, for all strands."""
    plate: float
    breaking: float
    speed: float
    """Speed of the chain."""
    law: str
    """The law of the contacts."""


def rounded(value: float, digits: int = 3) -> float:
    """The value rounded to a few digits, as written into a file."""
    return float(f"{value:.{digits}g}")


def between(rng: Generator, low: float, high: float) -> float:
    """A random value between two values, uniform in the logarithm."""
    return float(math.exp(rng.uniform(math.log(low), math.log(high))))


def sizes(rng: Generator, standard: StandardChain, smallest: int) -> Sizes:
    """The sizes for a chain, whose speed is below the manufacturers' limit for the smallest wheel."""
    pitch = standard.pitch
    fastest = 60000.0 / (1e3 * pitch) ** 1.2 / 60.0 * smallest * pitch  # m/s, about the makers' limit
    speed = between(rng, 0.03, 0.6) * min(fastest, 25.0)
    return Sizes(
        pitch=pitch,
        link_mass=standard.mass_per_length * pitch,
        roller=standard.roller_diameter,
        pin=standard.pin_diameter,
        width=standard.inner_width * standard.strands,
        plate=standard.inner_plate_depth,
        breaking=standard.breaking_load,
        speed=speed,
        law=str(rng.choice(LAWS, p=[0.44, *[0.07] * 8])),
    )


def chain(rng: Generator, size: Sizes, standard: str, links: int, smallest_radius: float) -> dict[str, Any]:
    """A catalogue chain, with joint damping or joint friction in most cases."""
    made: dict[str, Any] = {"standard": standard, "links": links}
    kind = rng.random()
    if kind < 0.35:
        moment = 0.1 * WORKING_SHARE * size.breaking * 0.5 * size.pin
        made["joint_damping"] = rounded(rng.uniform(0.2, 2.0) * moment * smallest_radius / size.speed)
    elif kind < 0.6:
        made["joint_friction"] = rounded(rng.uniform(0.03, 0.15), 2)
    if rng.random() < 0.15:
        made["link_stiffness"] = rounded(between(rng, 50.0, 120.0) * size.breaking / size.pitch)
    if rng.random() < 0.2:
        critical = 2.0 * math.sqrt(86.0 * size.breaking / size.pitch * size.link_mass)
        made["link_damping"] = rounded(between(rng, 0.003, 0.08) * critical)
    return made


def contact(rng: Generator, size: Sizes) -> dict[str, Any]:
    """A contact of steel on steel: the working force presses a roller in by 0.04 to 1 % of its diameter, or the
    stiffness is 1 GN/m^1.5.
    """
    made: dict[str, Any] = {}
    if size.law == "kelvin-voigt":
        made["exponent"] = 1.0
    elif rng.random() < 0.35:
        made["exponent"] = float(rng.choice([1.0, 1.08, 1.11, 1.25, 2.0]))
    exponent = made.get("exponent", 1.5)
    depth = between(rng, 4e-4, 1e-2) * size.roller
    made["stiffness"] = rounded(WORKING_SHARE * size.breaking / depth**exponent, 2)
    if exponent == 1.5 and rng.random() < 0.2:
        made["stiffness"] = 1e9
    return made | _losses(rng, size.law, (0.05, 0.16))


def rail_contact(rng: Generator, size: Sizes) -> dict[str, Any]:
    """A contact of plastic on steel: 100 N press a roller of an 06B chain in by 30 to 200 um."""
    exponent = 1.0 if size.law == "kelvin-voigt" else 1.5
    depth = between(rng, 5e-3, 3e-2) * size.roller
    stiffness = rounded(0.011 * size.breaking / depth**exponent, 2)
    return {"exponent": exponent, "stiffness": stiffness} | _losses(rng, size.law, (0.03, 0.15))


def _losses(rng: Generator, law: str, friction: tuple[float, float]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if law in NEED_RESTITUTION or rng.random() < 0.6:
        made["restitution"] = rounded(rng.uniform(0.2, 0.85), 2)
    if rng.random() < 0.75:
        made["friction"] = rounded(rng.uniform(*friction), 2)
    return made


def formulation(rng: Generator, size: Sizes, smallest_radius: float, joint_friction: bool) -> dict[str, Any]:
    """The friction law and its regularisation; the smoothing speed is the default or ten times as large."""
    made: dict[str, Any] = {"kind": "roller", "contact_law": size.law}
    if rng.random() < 0.2:
        made["impact_memory"] = "reference"
    if rng.random() < 0.3:
        made["friction_regularisation"] = str(rng.choice(SMOOTH))
    if rng.random() < 0.6:
        made |= {"friction_speed": 0.1, "friction_sharpness": 0.1}
    if joint_friction and rng.random() < 0.7:
        made["joint_friction_rate"] = rounded(max(0.03 * size.speed / smallest_radius, 0.01), 2)
    return made


def tooth(rng: Generator, size: Sizes, simplified: bool) -> dict[str, Any]:
    """Tooth form of all wheels of a drive: to a standard, or one of the four simplified forms."""
    if not simplified:
        if rng.random() < 0.6:
            return {"form": "iso-606", "gap": str(rng.choice(["minimum", "mean", "maximum"], p=[0.2, 0.6, 0.2]))}
        return {"form": "asa-ii", "flank_factor": float(rng.choice([1.4, 1.24]))}
    form = str(rng.choice(["circular", "single-point", "rectangular", "semi-real"], p=[0.3, 0.2, 0.2, 0.3]))
    if form == "circular":
        return {"form": form} | ({"clearance": rounded(0.01 * size.roller, 2)} if rng.random() < 0.3 else {})
    if form == "single-point":
        return {"form": form}
    made = {"form": form, "clearance": rounded(rng.uniform(0.006, 0.02) * size.roller, 2)}
    made["height"] = rounded(rng.uniform(0.1, 0.2) * size.pitch, 2)
    if form == "semi-real":
        made |= {"flank_angle": rounded(rng.uniform(0.25, 0.45), 2), "corner_radius": rounded(0.05 * size.pitch, 2)}
    return made


def disc(size: Sizes, radius: float) -> tuple[float, float]:
    """Mass and inertia of a sprocket as a disc of steel. [kg, kg m^2]"""
    mass = STEEL * math.pi * radius**2 * size.width
    return mass, 0.5 * mass * radius**2


def load(rng: Generator, torque: float, speed: float) -> dict[str, Any]:
    """A load of about this torque [N m] on a wheel at this speed [rad/s]."""
    kind = str(rng.choice(["constant", "viscous", "quadratic", "table", "mixed"], p=[0.4, 0.15, 0.15, 0.15, 0.15]))
    if kind == "viscous":
        return {"load_viscous": rounded(torque / speed)}
    if kind == "quadratic":
        return {"load_quadratic": rounded(torque / speed**2)}
    if kind == "table":
        return {"load_table": _load_table(rng, torque)}
    if kind == "mixed":
        return {"load_torque": rounded(0.6 * torque), "load_viscous": rounded(0.4 * torque / speed)}
    return {"load_torque": rounded(torque)}


def _load_table(rng: Generator, torque: float) -> dict[str, Any]:
    """A torque with two to six waves per revolution, whose peaks are ``torque``; with large waves it sometimes drives
    the wheel.
    """
    share, waves = rng.uniform(0.2, 0.7), int(rng.integers(2, 7))
    angles = np.linspace(0.0, 2.0 * math.pi, 73)
    torques = torque * (1.0 - share + share * np.sin(waves * angles))
    torques[-1] = torques[0]
    made: dict[str, Any] = {"angles": tuple(float(a) for a in angles), "torques": tuple(rounded(t, 4) for t in torques)}
    return made | ({"phase": rounded(rng.uniform(0.0, 6.0), 2)} if rng.random() < 0.5 else {})


class Drag(NamedTuple):
    """The masses that a motion must accelerate, and the force for it."""

    mass: float
    """Mass of everything that moves with the chain, referred to the chain speed. [kg]"""
    most: float
    """Largest force for the acceleration. [N]"""


def motion(rng: Generator, speed: float, radius: float, drag: Drag, at_speed: bool) -> dict[str, Any]:
    """A motion of the driver with a signed speed [rad/s], for its radius [m]."""
    most = drag.most / drag.mass / radius  # rad/s^2
    least = 1.9 * abs(speed) / most  # s, from rest: the ramp is steepest in its middle
    ramp = {"ramp": rounded(max(0.02, least) * between(rng, 1.0, 4.0), 2)}
    if at_speed:
        ramp = [{}, {"ramp": 0.0}, ramp][int(rng.integers(3))]
    kind = str(rng.choice(["constant_speed", "orders", "angle_table", "run"], p=[0.5, 0.2, 0.12, 0.18]))
    if kind == "orders":
        return {"kind": kind, "speed": speed, **ramp, **_orders(rng, abs(speed), most)}
    if kind == "angle_table":
        angles = np.linspace(0.0, 2.0 * math.pi, 37)
        order = int(rng.integers(1, 5))
        amplitude = rounded(min(most, 0.015 * order * speed**2) * rng.uniform(0.2, 0.9))
        swing = amplitude * np.sin(order * angles)
        swing[-1] = swing[0]
        table = {"angles": tuple(float(a) for a in angles), "accelerations": tuple(rounded(a, 5) for a in swing)}
        return {"kind": kind, "speed": speed, **ramp, **table, "fade_in": _fade(rng, abs(speed))}
    if kind == "run":
        slow = rounded(speed * rng.uniform(0.3, 0.9), 4)
        up = rng.random() < 0.6
        initial, final = (slow, speed) if up else (speed, slow)
        duration = rounded(max(0.02, 2.0 * abs(final - initial) / most) * between(rng, 1.0, 4.0), 2)
        run = {"initial_speed": initial, "final_speed": final, "start": float(rng.choice([0.0, 0.01]))}
        return {"kind": "run_up" if up else "run_down", **run, "duration": duration, **ramp}
    return {"kind": kind, "speed": speed, **ramp}


def _orders(rng: Generator, speed: float, most: float) -> dict[str, Any]:
    made = []
    for order in rng.choice([1, 2, 3, 4, 6], int(rng.integers(1, 3)), replace=False):
        amplitude = min(0.5 * most, 0.012 * order * speed**2) * rng.uniform(0.2, 0.9)
        made.append({"order": float(order), "amplitude": rounded(amplitude), "phase": rounded(rng.uniform(0, 6), 2)})
    return {"orders": tuple(made), "over": str(rng.choice(["angle", "time"])), "fade_in": _fade(rng, speed)}


def _fade(rng: Generator, speed: float) -> float:
    """Time over which a fluctuation fades in: zero, or for a few radians. [s]"""
    return float(rng.choice([0.0, rounded(6.0 / speed, 2)]))
