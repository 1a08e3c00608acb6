"""Analyses, tables and drawings of a chain over two wheels of one shaft, which has no speed that all wheels share."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import chaindrive.cli.info
from chaindrive import InputError, example
from chaindrive.analyses.linear.modes import drive_model
from chaindrive.analyses.results.comparison_case import NotSteadyError, case_of
from chaindrive.analyses.results.shafts import shafts
from chaindrive.analyses.signals.frequencies import frequency_marks, order_marks
from chaindrive.analyses.signals.transmission import transmission_error
from chaindrive.analyses.signals.waterfall import campbell_lines
from chaindrive.cli.check import wheel_table
from chaindrive.drawing.labels import place_labels
from chaindrive.drawing.scene import scene_of
from chaindrive.geometry.route import length_in_pitches
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import route_in_pitches
from chaindrive.mechanism.stages import turned_parts
from chaindrive.model import Stage, override
from support.signals_of_known_answer import made_up

TEETH, TURN = (18, 16, 15), 2.0 * math.pi
RATE, TIME = 0.5, np.linspace(0.0, 10.0, 501)
"""Speed of the shaft [rev/s], and instants [s]."""
PULLEY = RATE * (18 + 15) / (2 * 16)
"""Speed of the pulley, between those of both wheels [rev/s]."""
TENSIONS, TORQUES = (1240.0, 1241.0, 13.0), (-89.0, 0.0, 74.0)


@pytest.fixture(scope="module")
def drive():
    return example("differential-hoist")


@pytest.fixture(scope="module")
def run(drive):
    speed = -TURN * np.array([RATE, PULLEY, RATE])
    work = np.outer(TIME, [speed[0] * sum(TORQUES), 0.0, 0.0])
    return made_up(
        drive, TIME,
        wheel_speed=np.tile(speed, (TIME.size, 1)), wheel_angle=np.outer(TIME, speed),
        wheel_torque=np.tile(TORQUES, (TIME.size, 1)), shaft_work=work,
        span_tension=np.tile(TENSIONS, (TIME.size, 1)),
    )  # fmt: skip


def test_every_wheel_has_its_own_tooth_frequency(run):
    marks = {mark.label: mark.frequency for mark in frequency_marks(run)}
    expected = {f"tooth frequency of {name}": z * f for name, z, f in (
        ("large", 18, RATE), ("pulley", 16, PULLEY), ("small", 15, RATE))}  # fmt: skip
    expected |= {"large, order 1": RATE, "revolution of pulley": PULLEY}
    assert marks == pytest.approx(expected)


@pytest.mark.parametrize(("wheel", "driver"), [("large", True), ("pulley", False), ("small", True)])
def test_orders_of_a_wheel_are_its_teeth_and_those_of_the_driver_on_its_shaft(wheel, driver, drive):
    teeth = TEETH[["large", "pulley", "small"].index(wheel)]
    kinds = {mark.order: mark.kind for mark in order_marks(drive, wheel)}
    assert kinds == {n * teeth: "tooth" for n in (1, 2, 3)} | ({1.0: "driver"} if driver else {})


def test_a_campbell_diagram_has_only_the_strings_of_what_is_taut(run):
    lines = campbell_lines(run, [0.0, 5.0], [5.0, 10.0])
    assert {line.kind for line in lines} == {"string"}
    density = run.drive.chain.link_mass / run.drive.chain.pitch
    still = math.sqrt(TENSIONS[0] / density) / (2.0 * drive_facts(run.drive).route.span_length[0])
    assert lines[0].frequency == pytest.approx(still, rel=1e-4)  # 0.2 m/s of the chain beside 22 m/s of the wave


def test_what_needs_one_speed_of_the_chain_is_refused(run):
    for refused, error in ((transmission_error, InputError), (case_of, NotSteadyError)):
        with pytest.raises(error) as caught:
            refused(run)
        assert [problem.place for problem in caught.value.problems] == ["wheels"]
        assert "one shaft" in caught.value.problems[0].message
    with pytest.raises(InputError):
        drive_model(run.drive)


def test_both_wheels_of_a_shaft_take_its_torque_together(run, capsys):
    assert shafts(run).driving == pytest.approx(np.tile([-15.0, 0.0, -15.0], (TIME.size, 1)))
    chaindrive.cli.info._show_shafts(run, None, None)
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["large,", "small", "-30.000", "-15.000", "47.124"] in rows
    assert any(row[:2] == ["pulley", f"{-60.0 * PULLEY:.3f}"] for row in rows)


def test_the_second_wheel_turns_with_the_first(drive):
    turns = list(wheel_table(drive, drive_facts(drive).route).columns[-1].cells)
    assert turns[1:] == ["freely", "with 'large'"]


def test_names_of_wheels_of_one_centre_do_not_cover_each_other(drive):
    scale = 6.0  # inches per metre, as beside the curves of an overview
    boxes = [label.box(scale) for label in place_labels(scene_of(drive), scale, False)]
    assert len(boxes) == 3
    for (left, right, bottom, top), other in itertools.combinations(boxes, 2):
        assert right <= other[0] or other[1] <= left or top <= other[2] or other[3] <= bottom


def test_the_way_of_the_chain_without_rails_is_its_route(drive):
    expected = length_in_pitches(drive_facts(drive).route, drive.chain.pitch, TEETH)
    assert route_in_pitches(drive) == pytest.approx(expected, rel=1e-9)


def test_behind_a_shaft_both_wheels_turn_as_one(drive):
    wheels = tuple(wheel.model_copy(update={"motion": None}) for wheel in drive.wheels)
    stage = Stage(
        name="hoist", shaft={"from_wheel": "conveyor", "to_wheel": "large"}, chain=drive.chain, wheels=wheels,
        bodies=drive.bodies, loop=drive.loop,
    )  # fmt: skip
    joined = override(example("industrial-08b"), {"stages": [stage]})
    ratios = {turned.part.name: abs(turned.ratio) for turned in turned_parts(joined)}
    assert ratios == pytest.approx({"large": 1.0, "pulley": 18 / 16, "small": 1.0})
