"""What ``chaindrive check`` says about torques, loads and speeds: directions, sizes and units."""

from __future__ import annotations

from typing import Any

import pytest

import chaindrive as cd
from chaindrive.cli.check import speed_text
from chaindrive.cli.check_loads import load_lines
from chaindrive.cli.check_mechanism import rotor_lines
from chaindrive.errors import InputError
from chaindrive.mechanism.layout import judge_layout
from chaindrive.mechanism.stages import chains_alone
from chaindrive.model import Drive, override
from chaindrive.model.payload import Payload, payload_text
from chaindrive.simulation.start import prepare

INDUCTION = {"kind": "induction_motor", "rated_power": "4 kW", "rated_speed": "1435 rpm", "pull_out_ratio": 2.9}
DIRECT = {"kind": "dc_motor", "no_load_speed": "600 rpm", "stall_torque": "200 N*m"}
CURVE = {"over": "speed", "speeds": [0, "600 rpm"], "torques": ["20 N*m", 0]}


def turned(torque: Any, speed: str | None = "500 rpm") -> Drive:
    """industrial-08b, driven by a torque on its motor, from an initial speed."""
    start = {"wheels.motor.motion": "none", "wheels.motor.torque": torque, "wheels.motor.inertia": 0.01}
    return override(cd.example("industrial-08b"), start | {"wheels.motor.initial_speed": speed or "none"})


def braked(torque: dict[str, Any]) -> str:
    """The line about a torque on the conveyor of industrial-08b, whose motor drives it clockwise."""
    drive = override(cd.example("industrial-08b"), {"wheels.conveyor.torque": torque})
    (line,) = [line for line in load_lines(drive) if line.startswith("torque on conveyor")]
    return line


def test_a_torque_supplied_from_outside_drives_or_brakes() -> None:
    """A brake was said to drive; an input whose largest torque is not that of its mean was given the mean alone."""
    assert "20 N m, counter-clockwise (against its direction of rotation, which it brakes)" in braked(
        {"kind": "input", "mean": "20 N*m"}
    )
    both = braked({"kind": "input", "mean": "20 N*m", "largest": "-40 N*m"})
    assert "mean 20 N m, counter-clockwise, largest 40 N m, clockwise (in its direction" in both
    assert "largest 40 N m, clockwise" in braked({"kind": "input", "largest": "-40 N*m"})


@pytest.mark.parametrize(
    ("torque", "key"), [(INDUCTION, "rated_speed"), (DIRECT, "no_load_speed"), (CURVE, "speeds and torques")]
)
def test_a_motor_that_drives_backwards_is_doubted(torque: dict[str, Any], key: str) -> None:
    """The sign of its speed contradicts the initial speed: the drive is braked, and then turns backwards."""

    def doubts(drive: Drive) -> list[str]:
        return [each for each in judge_layout(drive).warnings if "the motor drives against" in each]

    (told,) = doubts(turned(torque, "-500 rpm"))
    assert told.startswith("wheels[0].torque: ")
    assert "clockwise" in told
    assert key in told
    assert not doubts(turned(torque))
    assert not doubts(turned(torque, None))
    assert not doubts(turned("-5 N*m"))  # a brake


def test_a_motor_that_drives_a_variator_backwards_is_doubted() -> None:
    changes = {"sheaves.0.motion": "none", "sheaves.0.inertia": 0.02, "sheaves.0.torque": DIRECT}
    drive = override(cd.example("cvt-63"), changes | {"sheaves.0.initial_speed": "-200 rad/s"})
    (told,) = [each for each in prepare(drive).system.story.warnings if "the motor drives against" in each]
    assert told.startswith("sheaves[0].torque: ")
    forwards = override(drive, {"sheaves.0.initial_speed": "50 rad/s"})
    assert not any("the motor drives against" in each for each in prepare(forwards).system.story.warnings)


@pytest.mark.parametrize(("ratio", "says"), [(1.0, "in its direction of rotation, where"), (-1.0, "which it brakes")])
def test_the_direction_of_a_motor_on_a_rotor(ratio: float, says: str) -> None:
    rotor = {"name": "rotor", "inertia": 0.01, "torque": DIRECT, "shaft": {"from_wheel": "motor", "ratio": ratio}}
    drive = cd.Drive(**turned(0.0).to_dict() | {"rotors": [rotor]})
    (line,) = [line for line in rotor_lines(drive) if line.startswith("torque on rotor")]
    assert says in line


@pytest.mark.parametrize(
    ("speed", "poles", "says"),
    [
        ("1500 rpm", None, "is the synchronous speed of 4 poles at 50 Hz, 1500 rpm"),
        ("-750 rpm", None, "is the synchronous speed of 8 poles at 50 Hz, 750 rpm"),
        ("3000 rpm", None, "is the synchronous speed of 2 poles at 50 Hz, 3000 rpm"),
        ("1900 rpm", None, "2 poles at 50 Hz, 3000 rpm, by less than 30 %, but is 1900 rpm, 36.7 % below it"),
        ("1435", None, "is 13703 rpm, above that of two poles, the highest"),
        ("1500 rpm", 4, "4 poles at 50 Hz, 1500 rpm, by less than 30 %, but is 1500 rpm:"),
    ],
)
def test_rated_speeds_that_no_motor_has(speed: str, poles: int | None, says: str) -> None:
    """750 rpm was taken for a motor of six poles with a rated slip of 25 %."""
    motor = INDUCTION | {"rated_speed": speed} | ({} if poles is None else {"poles": poles})
    with pytest.raises(InputError) as error:
        turned(motor, None)
    assert any(each.place == "wheels[0].torque.rated_speed" and says in each.message for each in error.value.problems)


@pytest.mark.parametrize("speed", ["1435 rpm", "-1499 rpm", "725 rpm", "2997 rpm"])
def test_rated_speeds_of_motors(speed: str) -> None:
    assert turned(INDUCTION | {"rated_speed": speed}, None)


def test_units_of_masses() -> None:
    """1200 kg were written as 1.2 kkg, and 0.5 kg/m as 500 mkg/m."""
    road = {"equivalent_mass": 1200.0, "rolling_radius": 0.3, "gear_ratio": 5.0, "grade": -0.04}
    drive = override(cd.example("industrial-08b"), {"wheels.conveyor.vehicle": road})
    (line,) = [line for line in load_lines(drive) if line.startswith("vehicle of conveyor")]
    assert "1200 kg, 4.32 kg m^2 on the wheel" in line
    assert "down a slope, 28.23 N m in the direction of rotation" in line  # 1200 x 9.81 x sin(atan 0.04) x 0.3 / 5
    goods = Payload(name="goods", span=0, start=0.0, mass_per_length=0.5)
    assert payload_text(goods, "a - b").startswith("0.5 kg/m on span")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, "152.4 mm/s, from rest within 300 ms"),
        ({"wheels.0.motion.ramp": "0.7 s"}, "152.4 mm/s, from rest within 700 ms"),
    ],
)
def test_the_ramp_of_a_stage_is_that_of_the_driver(changes: dict[str, Any], says: str) -> None:
    """The chain of a stage was said to start within the 2 s that are the default of a motion."""
    drive = override(cd.example("chain-hoist"), changes)
    first, stage = chains_alone(drive)
    assert speed_text(first, drive) == says
    assert speed_text(stage, drive) == says.replace("152.4", "3.81")


def test_the_start_of_a_stage_that_a_torque_drives() -> None:
    drive = cd.example("tandem")
    assert "rest" not in speed_text(chains_alone(drive)[1], drive)
    still = override(drive, {"run.start": "at_rest"})
    assert speed_text(chains_alone(still)[1], still).endswith("mm/s, from rest")
