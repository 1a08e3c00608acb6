"""Every kind of torque and load: the facts of its class agree with its law in the kernels and with each other."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray

import chaindrive as cd
from chaindrive.analyses.results.comparison import Comparison, comparison
from chaindrive.mechanism.torque_kernels import torque_of
from chaindrive.mechanism.torques import drag, pack, steepest
from chaindrive.model import Wheel, driving_torque, override, torque_text, torques_on
from chaindrive.model.torques.acting import ActingTorque, TorqueFacts, TorqueRow
from chaindrive.model.torques.torque import Machine, TorqueTable
from support import own_laws
from support.made_run import solution_of

WHEEL = {"name": "w", "teeth": 20, "position": (0, 0), "tooth": {"form": "iso-606"}, "inertia": 0.1}
PLATE = {"kind": "induction_motor", "rated_power": "1.5 kW", "rated_speed": "940 rpm", "pull_out_ratio": 2.2}
DC = {"kind": "dc_motor", "no_load_speed": 100.0, "stall_torque": 20.0}
GOVERNOR = {"kind": "governor", "speed": 50.0, "largest_torque": 30.0, "proportional": 2.0}
ORDERS = {"kind": "orders", "mean": 9.0, "orders": [{"order": 2, "amplitude": 4.0, "phase": 0.3}]}
ANGLE = {"over": "angle", "angles": [0.2, 1.0, 2.0, 0.2 + math.pi], "torques": [3, 18, 5, 3], "phase": 0.4}
SPEED = {"over": "speed", "speeds": [0, 70, 100], "torques": [20, 18, 0]}
TURN = {"angles": [0.0, 1.0, 2.5, 4.0, 2.0 * math.pi], "torques": [1, 6, 2, 5, 1], "phase": 0.3}
TORQUES: dict[str, Any] = {
    "number": 12.0,
    "clockwise number": -12.0,
    "over time": {"over": "time", "times": [0, 1], "torques": [15, 15]},
    "over speed": SPEED,
    "over speed, of either sense": {"over": "speed", "speeds": [-100, -40, 40, 100], "torques": [9, 18, 12, -3]},
    "over angle": ANGLE,
    "over angle, behind a gear": ANGLE | {"gear_ratio": 2.0},
    "orders": ORDERS,
    "orders, behind a gear": ORDERS | {"gear_ratio": 2.0},
    "clockwise orders": ORDERS | {"mean": -9.0},
    "pedals": {"kind": "pedals", "mean": 9.0, "ripple": 0.6, "phase": 0.2},
    "clockwise pedals": {"kind": "pedals", "mean": -9.0},
    "induction motor": PLATE,
    "induction motor, behind a gear": PLATE | {"gear_ratio": 2.5, "starting_ratio": 1.7},
    "induction motor at 40 Hz": PLATE | {"supply": {"times": [0, 1], "frequencies": ["40 Hz", "40 Hz"]}},
    "induction motor at a lower voltage": PLATE | {"supply": {"times": [0, 1], "voltages": [0.7, 0.7]}},
    "dc motor": DC,
    "clockwise dc motor": DC | {"no_load_speed": -100.0, "gear_ratio": 1.5},
    "dc motor at a lower voltage": DC | {"supply": {"times": [0, 1], "voltages": [0.6, 0.6]}},
    "governor": GOVERNOR,
    "input": {"kind": "input", "mean": 7.0, "largest": "9 N*m"},
    "clockwise input": {"kind": "input", "mean": -7.0},
    "clockwise governor": GOVERNOR | {"speed": -50.0, "least_torque": -4.0},
    "law of one's own": {"kind": "law", "law": own_laws.machine},
}
LOADS: dict[str, Any] = {
    "load_torque": {"load_torque": 3.0},
    "load that drives": {"load_torque": -3.0},
    "viscous and quadratic": {"load_viscous": 0.2, "load_quadratic": 0.01},
    "over a turn": {"load_table": TURN},
    "against the motion": {"loads": [{"torque": 5.0, "standstill_speed": 0.5}]},
    "against the running sense": {"loads": [{"torque": ANGLE, "against": "running_sense"}]},
    "orders against the motion": {"loads": [{"torque": ORDERS, "standstill_speed": 0.5}]},
    "over speed against the motion": {"loads": [{"torque": SPEED, "standstill_speed": 0.5}]},
    "over speed in the running sense": {"loads": [{"torque": SPEED, "against": "running_sense"}]},
    "law of one's own against the motion": {
        "loads": [{"torque": {"kind": "law", "law": own_laws.resisting}, "standstill_speed": 0.5}]
    },
    "vehicle": {"vehicle": {"equivalent_mass": 50.0, "rolling_radius": 0.3, "grade": 0.02, "drag_area": 0.5}},
    "rolling": {"vehicle": {"equivalent_mass": 50.0, "rolling_radius": 0.3, "rolling_resistance": 0.01}},
}
WHEELS = {name: Wheel(**WHEEL, torque=each) for name, each in TORQUES.items()}
WHEELS |= {name: Wheel(**WHEEL, **fields) for name, fields in LOADS.items()}
CURVED = ("induction",)
"""Parts of the names of torques whose curve over the speed is neither a line nor a parabola between its kinks."""
SPEEDS = (-130.0, -60.0, -20.0, 0.0, 3.0, 45.0, 60.0, 99.0, 140.0)


def kinds() -> set[int]:
    """Numbers of the kinds of laws that the samples have."""
    return {torque.row().kind for wheel in WHEELS.values() for torque in torques_on(wheel)}


def law(torque: ActingTorque, turned: float, speed: float, sense: float) -> float:
    """The law of the kernels, in the middle of the run, counter-clockwise."""
    return float(laws(torque, np.array([turned]), speed, sense)[0])


def laws(torque: ActingTorque, turned: NDArray[np.float64], speed: float, sense: float) -> NDArray[np.float64]:
    """The same law at many angles: the arrays of the kernels are packed once."""
    packed = pack([[torque]], sense, 0.3, 0.5)
    return np.array([torque_of(0.5, angle, speed, 0.0, packed, 0, 0) for angle in 0.3 + sense * turned])


def mean_law(torque: ActingTorque, speed: float, sense: float) -> float:
    """Mean of the law over two turns, from equally spaced points."""
    turns = np.arange(800) * 4.0 * math.pi / 800
    return float(np.mean(laws(torque, turns if torque.facts().cycles else turns[:1], speed, sense)))


def test_there_is_a_sample_of_every_class() -> None:
    def classes(of: type) -> set[type]:
        return {of, *(each for sub in of.__subclasses__() for each in classes(sub))}

    made = {type(torque) for wheel in WHEELS.values() for torque in torques_on(wheel)}
    made |= {type(load.torque) for wheel in WHEELS.values() for load in wheel.loads if load.torque != 5.0}
    own = {each for each in classes(ActingTorque) if each.__module__.startswith("chaindrive.")}
    assert made == {each for each in own if not each.__abstractmethods__}
    assert {kind for union in (TorqueTable, Machine) for kind in get_args(get_args(union)[0])} <= made


def test_a_forgotten_part_is_noticed_where_the_class_is_defined() -> None:
    with pytest.raises(TypeError, match="Forgetful, a torque, has no facts, mean_torque"):

        class Forgetful(ActingTorque):
            def row(self, at_speed: bool = True) -> TorqueRow:
                return TorqueRow(0)

    with pytest.raises(TypeError, match="missing 2 required positional arguments: 'kinks' and 'slope'"):  # and by mypy
        TorqueFacts("a torque", 1.0, 1.0, ())  # type: ignore[call-arg]


def test_a_kind_without_a_law_is_not_a_number() -> None:
    (torque,) = torques_on(WHEELS["number"])
    for kind in (-1, 1 + max(kinds()), 99):
        packed = pack([[torque]], 1.0, 0.0, 0.5)
        packed.torque.kind[0] = kind
        assert math.isnan(torque_of(0.0, 0.1, 2.0, 0.0, packed, 0, 0))


@pytest.mark.parametrize("name", WHEELS)
def test_the_mean_is_that_of_the_law(name: str) -> None:
    for torque in torques_on(WHEELS[name]):
        for sense in (1.0, -1.0):
            for speed in (s for s in SPEEDS if s):
                expected = mean_law(torque, speed, sense)
                assert torque.mean_torque(speed, sense, 0.5) == pytest.approx(expected, rel=2e-4, abs=1e-9), speed
                assert torque.mean_torque(speed, sense) == torque.mean_torque(speed, sense, 0.5)


@pytest.mark.parametrize("name", WHEELS)
def test_nothing_exceeds_the_largest_nor_falls_more_steeply_than_the_steepest(name: str) -> None:
    for torque in torques_on(WHEELS[name]):
        for speed in SPEEDS:
            turns = np.linspace(0.0, 2.0 * math.pi, 60) if torque.facts().cycles else np.zeros(1)
            size = float(np.max(np.abs(laws(torque, turns, speed, 1.0))))
            limit = abs(torque.facts(speed).largest) * (1.05 if "over a turn" in name else 1.0)  # the spline overshoots
            if "dc motor" not in name:  # which exceeds its stall torque where it is driven backwards
                assert size <= limit * (1.0 + 1e-9), speed
            slope = (law(torque, 0.7, speed - 0.01, 1.0) - law(torque, 0.7, speed + 0.01, 1.0)) / 0.02
            assert slope <= steepest([[torque]], abs(speed) + 0.01, 0.1, 0.5)[0] * (1.0 + 1e-6) + 1e-9, speed


@pytest.mark.parametrize("name", WHEELS)
def test_what_changes_with_the_speed_drags_a_drive_that_runs(name: str) -> None:
    """Before it runs, the chain is then placed as the drive drags it (``drag``)."""
    for torque in torques_on(WHEELS[name]):
        packed = pack([[torque]], 1.0, 0.3, 0.5)
        changes = len({law(torque, 0.7, speed, 1.0) for speed in SPEEDS}) > 1
        assert drag(packed.torque) == changes


@pytest.mark.parametrize("name", WHEELS)
def test_between_two_kinks_the_mean_is_a_line_or_a_parabola(name: str) -> None:
    """The search for a balance relies on this; a smooth curve has enough kinks to resolve it."""
    for torque in torques_on(WHEELS[name]):
        ends = sorted({0.0, 150.0, *(kink for kink in torque.facts().kinks if 0.0 < kink < 150.0)})
        for low, high in pairwise(ends):
            at = low + (high - low) * np.array([0.01, 0.25, 0.5, 0.75, 0.99])
            found = [torque.mean_torque(speed, 1.0) for speed in at]
            fitted = np.polyval(np.polyfit(at - low, found, 2), at - low)
            allowed = 0.02 if any(each in name for each in CURVED) else 1e-9
            np.testing.assert_allclose(
                found, fitted, rtol=0.0, atol=allowed * max(abs(torque.facts(150.0).largest), 1e-12)
            )


@pytest.mark.parametrize("name", WHEELS)
def test_words_and_what_varies(name: str) -> None:
    for torque in torques_on(WHEELS[name]):
        assert torque.facts().text
        if torque.facts().cycles:
            turned = laws(torque, np.linspace(0.0, 2.0 * math.pi, 30), 30.0, 1.0)
            assert np.max(turned) > np.min(turned)
            once = law(torque, 1.1 + 2.0 * math.pi / torque.facts().cycles[0], 30.0, 1.0)
            assert once == pytest.approx(law(torque, 1.1, 30.0, 1.0), rel=1e-9)


# A torque alone, and in a list ----------------------------------------------------------------------------------------

NUMBERS = {"number": 12.0, "clockwise number": -12.0}  # a list has no numbers alone: there as a table


def in_a_list(name: str) -> list[Any]:
    if name in NUMBERS:
        return [{"over": "time", "times": [0, 1], "torques": [NUMBERS[name]] * 2}]
    return [TORQUES[name]]


def compared(torque: Any, sense: float, loaded: dict[str, Any]) -> Comparison:
    """A made run of two wheels, 17 teeth driven by a torque and 38 teeth, compared with its analytical checks."""
    drive = cd.example("industrial-08b")
    first = {"torque": torque, "initial_speed": sense * 45.0, "motion": None}
    changes = {f"wheels.0.{key}": value for key, value in first.items()}
    drive = override(drive, changes | {f"wheels.1.{key}": value for key, value in loaded.items()})
    time = np.arange(0.0, 2.0, 2e-3)
    ones = np.ones((time.size, 1))
    speeds = ones * [45.0, 45.0 * 17 / 38] * sense
    table = {
        "span_tension": ones * [500.0, 100.0] if sense > 0.0 else ones * [100.0, 500.0],
        "wheel_angle": speeds * time[:, None],
        "wheel_speed": speeds,
        "wheel_torque": ones * [0.0, 0.0],
        "bearing_force": np.ones((time.size, 2, 2)),
    }
    return comparison(solution_of(drive, time, table))


@pytest.mark.parametrize("loaded", ["load_torque", "against the motion"])
@pytest.mark.parametrize("name", TORQUES)
def test_alone_and_in_a_list_of_one_a_torque_is_the_same(name: str, loaded: str) -> None:
    """Its row, its text, the direction in which it drives, and all results of analytical checks."""
    (torque,), (listed,) = torques_on(WHEELS[name]), torques_on(Wheel(**WHEEL, torque=in_a_list(name)))
    if name not in NUMBERS:
        assert torque == listed
        assert torque_text([listed]) == torque_text(WHEELS[name].torque) == torque.facts().text
    assert listed.facts().driving == driving_torque(WHEELS[name].torque) == torque.facts().driving
    sense = math.copysign(1.0, torque.facts().driving)
    one, other = (compared(each, sense, LOADS[loaded]) for each in (TORQUES[name], in_a_list(name)))
    assert one.rows == other.rows
    assert one.left_out == other.left_out
    (step,) = (row for row in one.rows if (row.quantity, row.index) == ("mean tension difference across the wheel", 0))
    drives = torque.mean_torque(sense * 45.0, sense, 0.5) * sense
    if "governor" not in name:
        arm = 17 * cd.example("industrial-08b").chain.pitch / (2.0 * math.pi)
        pull = abs(step.analytical) * arm
        assert pull == pytest.approx(abs(drives), rel=0.02)  # the weight of the chain is no more
