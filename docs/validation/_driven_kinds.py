"""Generated drives with one torque each, of a given kind, on a driven wheel or on the driver, for a steady run at
speed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from _generated import generate
from _generated_parts import rounded
from numpy.random import Generator

from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive

__all__ = ["DRIVING", "KINDS", "LOADING", "SEED", "with_torque"]

SEED = 21
LAYOUTS = 16
"""Number of the generator's layouts that are used: with 16 layouts and 21 kinds, every combination occurs before any is
repeated.
"""
LINKS, WHEELS = 100, 4
"""Largest number of links and largest number of wheels."""
LEFT_OUT = ("simplified teeth", "preload", "rails")
"""Classes of drives that another page covers; this page is about torques."""
PACE = (1.5, 5.0)
"""Speed of the chain. [m/s]"""
LOAD = (0.005, 0.02)
"""Pull of the load as a fraction of the breaking load."""
TURNS = 2.3
"""Length of a run in revolutions of the driver, and in revolutions of a wheel whose torque depends on the angle; the
second half of the run then contains a whole revolution.
"""
PITCHES = 40.0
"""Shortest length of a run. [pitches]"""
OVER_THE_ANGLE = ("load_table", "loads over angle", "loads of a machine (orders)")
OF_SPEED = ("joint_friction_rate", "friction_speed", "friction_sharpness")
"""Options that the generator sets for the speed of its own drive; they are removed, because their defaults follow from
the speed.
"""
RPM = 30.0 / math.pi
OWN = ("load_torque", "load_viscous", "load_quadratic", "load_table", "loads", "vehicle", "torque", "unbalance",
       "initial_speed", "motion", "freewheel")  # fmt: skip
"""Keys that are removed from a generated wheel."""


class Torque(NamedTuple):
    """The wheel and the required mean of its torque, which is positive against the rotation for a load and in its
    direction for a driver.
    """

    rng: Generator
    moment: float
    """[N m]"""
    speed: float
    """Magnitude of the speed of the wheel. [rad/s]"""
    sense: int
    """Direction of rotation of the wheel, 1 counter-clockwise."""
    until: float
    """End of the run. [s]"""

    def around(self, low: float = 0.6) -> tuple[list[float], list[float]]:
        """Angles within a revolution, and the torques there, for a piecewise linear table with this mean."""
        shares = (low, 1.0, 2.0 - low, low)
        return [k * 2.0 * math.pi / 3.0 for k in range(4)], [rounded(self.moment * each, 6) for each in shares]


Fields = dict[str, Any]
Load = Callable[[Torque], Fields]


def _pulse(t: Torque) -> Fields:
    """A time-dependent load that reaches its full value before the middle of the run."""
    times = [0.0, 0.1 * t.until, 0.4 * t.until, t.until]
    return {"over": "time", "times": times, "torques": [0.9 * t.moment, 1.1 * t.moment, t.moment, t.moment]}


def _curve(t: Torque) -> Fields:
    """A torque that increases with the speed and has the required value at the nominal speed."""
    return {"over": "speed", "speeds": [0.0, t.speed, 2.0 * t.speed], "torques": [0.5 * t.moment, t.moment, t.moment]}


def _turn(t: Torque) -> Fields:
    angles, torques = t.around()
    return {"over": "angle", "angles": angles, "torques": torques}


def _orders(t: Torque, sense: int = 1) -> Fields:
    terms = [{"order": order, "amplitude": rounded(share * t.moment, 4)} for order, share in ((1, 0.3), (2, 0.2))]
    return {"kind": "orders", "mean": sense * t.moment, "orders": terms}


def _vehicle(t: Torque) -> Fields:
    """A vehicle on a slope with rolling resistance and air drag, which contribute half, a quarter and a quarter of the
    moment.
    """
    radius = 0.3
    force = t.moment / radius
    weight, slope = 2.0 * force, math.asin(0.25)
    return {
        "equivalent_mass": weight / 9.81, "rolling_radius": radius, "grade": math.tan(slope),
        "rolling_resistance": 0.25 * force / (weight * math.cos(slope)),
        "drag_area": 0.25 * force / (0.6 * (t.speed * radius) ** 2),
    }  # fmt: skip


LOADING: dict[str, Load] = {
    "load_torque": lambda t: {"load_torque": t.moment},
    "load_viscous": lambda t: {"load_viscous": t.moment / t.speed},
    "load_quadratic": lambda t: {"load_quadratic": t.moment / t.speed**2},
    "load_table": lambda t: {"load_table": dict(zip(("angles", "torques"), t.around(), strict=True))},
    "loads over time": lambda t: {"loads": [{"torque": _pulse(t)}]},
    "loads over angle": lambda t: {"loads": [{"torque": _turn(t)}]},
    "loads over speed": lambda t: {"loads": [{"torque": _curve(t)}]},
    "loads of a machine (orders)": lambda t: {"loads": [{"torque": _orders(t)}]},
    "vehicle": lambda t: {"vehicle": _vehicle(t)},
    "load behind a rigid shaft": lambda t: {"rotor": {"load_torque": t.moment}},
    "load behind an elastic shaft": lambda t: {
        "rotor": {"load_viscous": t.moment / t.speed},
        "stiffness": 200.0 * t.moment,
        "damping": 0.2 * t.moment / t.speed,
    },
}
"""Loads on a driven wheel of a drive whose driver turns at constant speed."""


def _induction(t: Torque) -> Fields:
    """An induction motor rated for the moment, with four poles, 50 Hz and a suitable gear."""
    rated = 1440.0 / RPM
    gear = rated / t.speed
    power = t.moment * t.speed
    return {"kind": "induction_motor", "rated_power": power, "rated_speed": t.sense * rated, "pull_out_ratio": 2.8,
            "gear_ratio": gear}  # fmt: skip


DRIVING: dict[str, Load] = {
    "torque, constant": lambda t: {"torque": t.sense * t.moment},
    "torque over time": lambda t: {"torque": _mirrored(_pulse(t), t.sense)},
    "torque over speed": lambda t: {"torque": {
        "over": "speed",
        "speeds": sorted(t.sense * x * t.speed for x in (0.0, 1.0, 1.5)),
        "torques": [t.sense * x * t.moment for x in ((1.5, 1.0, 0.5) if t.sense > 0 else (0.5, 1.0, 1.5))],
    }},
    "torque over the angle": lambda t: {"torque": _mirrored(_turn(t), t.sense)},
    "torque of an engine (orders)": lambda t: {"torque": _orders(t, t.sense)},
    "pedals": lambda t: {"torque": {"kind": "pedals", "mean": t.sense * t.moment, "ripple": 0.5}},
    "induction motor": lambda t: {"torque": _induction(t)},
    "direct-current motor": lambda t: {"torque": {
        "kind": "dc_motor", "no_load_speed": t.sense * 1.25 * t.speed, "stall_torque": 5.0 * t.moment,
    }},
    "governor": lambda t: {"torque": {
        "kind": "governor", "speed": t.sense * t.speed, "largest_torque": 3.0 * t.moment,
        "proportional": 20.0 * t.moment / t.speed, "integral": 20.0 * t.moment,
    }},
    "motor behind a shaft": lambda t: {"rotor": {"torque": _induction(t)}},
}  # fmt: skip
"""Torques on a driver without a prescribed motion; the driven wheel has a fan as its load."""
KINDS = (*LOADING, *DRIVING)
WITHOUT_A_CURVE = (
    "torque, constant",
    "torque over time",
    "torque over the angle",
    "torque of an engine (orders)",
    "pedals",
)
"""Kinds of drivers whose torque does not decrease with the speed: the losses of the chain would slow them down during
the run.
"""
FLYWHEEL = 10.0
"""Angular momentum of such a drive divided by the angular impulse of its torque during the run; losses of 5 % then
reduce the speed by only half a per cent.
"""


def _mirrored(table: Fields, sense: int) -> Fields:
    return table | {"torques": [sense * each for each in table["torques"]]}


@cache
def _layouts() -> Iterator[Drive]:
    """The generator's drives that are small enough, in their order, as one shared iterator."""
    drives = (generate(SEED, number) for number in itertools.count())
    return (
        drive
        for drive in drives
        if drive.chain.links <= LINKS
        and len(drive.wheels) <= WHEELS
        and not (drive.guides or drive.name.startswith(LEFT_OUT))
    )


_drawn: list[Drive] = []


def _base(index: int) -> Drive:
    """The drive whose layout is used for the drive with this index."""
    while len(_drawn) <= index % LAYOUTS:
        _drawn.append(next(_layouts()))
    return _drawn[index % LAYOUTS]


def with_torque(index: int, kind: str | None = None) -> tuple[str, Drive]:
    """A generated drive with one torque; the same index always gives the same drive. kind: by default all kinds in
    turn.
    """
    kind = kind or KINDS[index % len(KINDS)]
    drive, rng = _base(index), np.random.default_rng([SEED, index, 11])
    facts = drive_facts(drive)
    first = facts.driver
    last = max((w for w in range(len(drive.wheels)) if w != first), key=lambda w: float(facts.route.wrap[w]))
    teeth, pitch = [wheel.teeth for wheel in drive.wheels], drive.chain.pitch
    pace = float(rng.uniform(*PACE)) / pitch  # pitches per second
    speeds = [2.0 * math.pi * pace / z for z in teeth]
    pull = float(rng.uniform(*LOAD)) * float(drive.chain.breaking_load or 1e4)
    varying = teeth[last] if kind in OVER_THE_ANGLE else 0
    until = rounded(max(PITCHES, TURNS * max(teeth[first], varying)) / pace, 3)
    faster = pace * pitch / (abs(facts.nominal_speed) * facts.pitch_radii[first])
    moments = [pull * pitch * z / (2.0 * math.pi) for z in teeth]
    signs = [int(each) for each in facts.senses]
    fields = drive.to_dict()
    wheels = [{key: value for key, value in wheel.items() if key not in OWN} for wheel in fields["wheels"]]
    chain = dict(fields["chain"])
    if chain.get("joint_damping"):  # at the speed of the generator it takes a part of the load: at this one the same
        chain["joint_damping"] = rounded(float(chain["joint_damping"]) / faster)
    inertia = max(float(wheel.get("inertia") or 0.0) for wheel in wheels)
    for w in (first, last):
        wheels[w]["inertia"] = wheels[w].get("inertia") or inertia or pull * (pitch * teeth[w]) ** 2 * 1e-4
    of = first if kind in DRIVING else last
    torque = Torque(rng, moments[of], speeds[of], signs[of], until)
    more = (DRIVING if kind in DRIVING else LOADING)[kind](torque)
    if kind in DRIVING:
        wheels[last]["load_quadratic"] = moments[last] / speeds[last] ** 2
        wheels[first]["initial_speed"] = signs[first] * speeds[first]
        if kind in WITHOUT_A_CURVE:
            wheels[first]["inertia"] = FLYWHEEL * moments[first] * until / speeds[first]
    else:
        wheels[first]["motion"] = {"kind": "constant_speed", "speed": signs[first] * speeds[first]}
    rotor = more.pop("rotor", None)
    if rotor is not None:
        shaft = {"from_wheel": wheels[of]["name"], **more}
        fields["rotors"] = [{"name": "machine", "inertia": 0.5 * wheels[of]["inertia"], "shaft": shaft, **rotor}]
    else:
        wheels[of] |= more
    run = drive.run.model_dump(exclude_unset=True) | {"until": until, "start": "at_speed"}
    kept = {key: value for key, value in run["formulation"].items() if key not in OF_SPEED}
    run["formulation"] = {"kind": "roller", **kept}
    fields |= {"chain": chain, "wheels": wheels, "name": f"{kind} {index}", "run": run}
    return kind, Drive.from_dict(fields)
