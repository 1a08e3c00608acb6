"""Generated drives whose load, speed or tensioner changes slowly during the whole run, and drives that are steady."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.steadiness import DRIFT, PACE, drift, pace_change, steadiness
from chaindrive.model import Body, Drive, Wheel
from support.sprung_drives import Hold, sprung_drive

UNTIL = 1.0


def changed(drive: Drive, number: int, **changes: Any) -> Drive:
    """The drive with keys of one wheel changed; None omits a key."""
    given = drive.wheels[number].model_dump(exclude_unset=True) | changes
    wheels = list(drive.wheels)
    wheels[number] = Wheel(**{key: value for key, value in given.items() if value is not None})
    return drive.model_copy(update={"wheels": tuple(wheels)})


def warming(drive: Drive, constant: float) -> Drive:
    """A torque drives against a viscous load, from 5 % below the final speed, with this time constant [s]."""
    motion, load = drive.wheels[0].motion, drive.wheels[2].load_torque
    assert motion is not None
    speed, ratio = motion.speed, drive.wheels[0].teeth / drive.wheels[2].teeth
    viscous = load / (speed * ratio)
    inertia = constant * viscous * ratio**2
    driver = {"motion": None, "torque": load * ratio / 0.97, "inertia": inertia, "initial_speed": 0.95 * speed}
    return changed(changed(drive, 0, **driver), 2, load_torque=0.0, load_viscous=viscous, torque=0.0)


def loaded(drive: Drive, gain: float, constant: float) -> Drive:
    """The load grows by this share of itself, exponentially with this time constant [s]."""
    time = np.linspace(0.0, UNTIL, 201)
    torques = -gain * drive.wheels[2].load_torque * (1.0 - np.exp(-time / constant))
    return changed(drive, 2, torque={"over": "time", "times": time.tolist(), "torques": torques.tolist()})


def creeping(drive: Drive) -> Drive:
    """The force of the tensioner falls in the course of the run."""
    joint = drive.bodies[0].joint.model_dump(exclude_unset=True)
    load = {"times": [0.0, UNTIL], "torques": [0.0, -9.0]}
    body = drive.bodies[0].model_dump(exclude_unset=True) | {"joint": joint | {"load": load}}
    return drive.model_copy(update={"bodies": (Body(**body),)})


def faster(drive: Drive) -> Drive:
    """The speed grows linearly, by 1 % in the run."""
    motion = drive.wheels[0].motion
    assert motion is not None
    gain = np.linspace(0.0, 0.02, 41)
    speeds = (motion.speed * (1.0 + gain)).tolist()
    return changed(drive, 0, motion={"kind": "speed_table", "times": (gain * 100.0).tolist(), "speeds": speeds})


@pytest.mark.parametrize(("seed", "hold"), [(1, "arm"), (6, "weight")])
@pytest.mark.parametrize("change", ["load", "speed", "warm-up", "tensioner"])
def test_a_slow_change_of_a_drive_is_not_steady(seed: int, hold: Hold, change: str) -> None:
    """The halves of the last part differ by less than their limits, and the motion repeats from tooth to tooth."""
    drive = sprung_drive(seed, hold)
    drifting = {
        "load": lambda: loaded(drive, 0.5, 3.0),
        "speed": lambda: faster(drive),
        "warm-up": lambda: warming(drive, 3.0),
        "tensioner": lambda: creeping(drive),
    }[change]()
    run = cd.simulate(drifting, UNTIL, progress=False)
    assert drift(run) < DRIFT
    assert pace_change(run)[1] < PACE
    found = steadiness(run)
    assert found.steady is False
    assert "slowly changing" in found.text


@pytest.mark.parametrize("seed", range(15))
def test_a_steady_drive_stays_steady(seed: int) -> None:
    hold: Hold = ("arm", "slide", "weight", "fixed")[seed % 4]  # type: ignore[assignment]
    assert steadiness(cd.simulate(sprung_drive(seed, hold), UNTIL, progress=False)).steady is True


@pytest.mark.parametrize("settled", [lambda drive: loaded(drive, 0.5, 0.05), lambda drive: warming(drive, 0.05)])
def test_a_drive_that_has_settled_is_steady(settled: Any) -> None:
    assert steadiness(cd.simulate(settled(sprung_drive(1, "arm")), UNTIL, progress=False)).steady is True
