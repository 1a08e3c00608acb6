"""Generated drives without a prescribed motion, in which a torque on the driver balances the loads or the driver
coasts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from _generated_parts import between, rounded
from numpy.random import Generator

from chaindrive.mechanism.balance import net_torque
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive

__all__ = ["driven_by_torque"]

KINDS = {"constant": 0.25, "over time": 0.25, "over speed": 0.4, "coasting": 0.1}
IDLING = 0.02
"""Torque of a motor whose drive has no loads, as a fraction of the torque that gives the breaking load. [-]"""


def driven_by_torque(drive: Drive, seed: int, index: int) -> Drive:
    """The given drive with a torque on its driver instead of a motion, always the same for the same seed and index."""
    rng = np.random.default_rng([seed, index, 7])
    first = drive_facts(drive).driver
    speed, sense = abs(drive_facts(drive).driver_speed), int(drive_facts(drive).senses[first])
    needed = -net_torque(drive_facts(drive).shafts, speed)
    radius = drive.chain.pitch * drive.wheels[first].teeth / (2.0 * np.pi)
    moment = max(needed, IDLING * 0.1 * float(drive.chain.breaking_load or 1e4) * radius)
    kind = str(rng.choice(list(KINDS), p=list(KINDS.values())))
    at_speed = kind == "coasting" or bool(rng.random() < 0.5)
    changes: dict[str, Any] = {"motion": None}
    if kind != "coasting":
        changes["torque"] = _torque(rng, kind, sense, moment, speed, float(drive.run.until))
    if at_speed:
        changes["initial_speed"] = rounded(sense * speed * between(rng, 0.5, 1.2), 4)
    fields = drive.to_dict()
    wheels = fields["wheels"]
    wheels[first] = {name: value for name, value in (wheels[first] | changes).items() if value is not None}
    fields |= {
        "wheels": wheels,
        "name": f"{drive.name}, {kind}{' at speed' if at_speed else ' from rest'}",
        "run": drive.run.model_dump() | {"start": "at_speed" if at_speed else "at_rest"},
    }
    return Drive.from_dict(fields)


def _torque(rng: Generator, kind: str, sense: int, moment: float, speed: float, until: float) -> Any:
    """A motor for this resistance [N m] at this speed [rad/s], for a run of this length [s]."""
    size = sense * moment * rng.uniform(0.7, 1.6)
    if kind == "constant":
        return rounded(size)
    if kind == "over time":
        times = np.sort(rng.uniform(0.0, until, 4))
        torques = size * np.array([0.0, 1.0, rng.uniform(-0.3, 1.2), 1.0])
        return {"over": "time", "times": [rounded(t, 4) for t in times], "torques": [rounded(m) for m in torques]}
    # Stall, breakdown, no load, and the braking beyond it; a clockwise motor has all of it mirrored.
    speeds = sense * speed * np.array([0.0, rng.uniform(0.6, 0.8), rng.uniform(1.02, 1.15), 1.3])
    torques = size * np.array([rng.uniform(1.0, 2.0), rng.uniform(1.5, 2.5), 0.0, -2.0])
    points = sorted(zip(speeds, torques, strict=True))
    return {"over": "speed", "speeds": [rounded(w, 4) for w, _ in points], "torques": [rounded(m) for _, m in points]}
