"""Values that a file may have, but no chain drive has, are reported with their key and number."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive import example
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import judge_layout
from chaindrive.model import Drive, example_names, override


@pytest.mark.parametrize(
    ("name", "key", "place"),
    [
        ("industrial-08b", "contact.friction", "contact.friction"),
        ("industrial-08b", "chain.joint_friction", "chain.joint_friction"),
        ("timing-06b", "guides.0.contact.friction", "guides[0].contact.friction"),
    ],
)
def test_a_friction_coefficient_of_ten_is_doubted(name: str, key: str, place: str) -> None:
    warnings = judge_layout(example(name).replace(key, 10.0)).warnings
    (told,) = [each for each in warnings if each.startswith(f"{place}: ")]
    assert "10 " in told
    assert "0.05 to 0.15" in told


@pytest.mark.parametrize("name", example_names())
def test_no_example_is_doubted_for_its_friction(name: str) -> None:
    assert not any("friction" in each for each in judge_layout(example(name)).warnings)


def railed(turned: float, span: int, side: str, distance: float) -> Drive:
    """industrial-08b turned by an angle [rad], with a straight rail whose surface runs along a span.

    distance: of its surface from the line of the roller centres, to the side named. [m]
    """
    plain = example("industrial-08b")
    c, s = math.cos(turned), math.sin(turned)
    places = {f"wheels.{k}.position": [c * x - s * y, s * x + c * y]
              for k, (x, y) in enumerate(wheel.position for wheel in plain.wheels)}  # fmt: skip
    drive = override(plain, places)
    way = drive_facts(drive).route
    ux, uy = way.span_direction[span]
    left = np.array([-uy, ux]) * (1.0 if side == "left" else -1.0)
    middle = 0.5 * (way.span_start[span] + way.span_end[span]) + distance * left
    ends = [(middle + k * 0.1 * way.span_direction[span]).tolist() for k in (-1, 1)]
    shape = {"kind": "straight", "start": ends[0], "end": ends[1], "side": side}
    contact = {"stiffness": "100 MN/m^1.5", "restitution": 0.3}
    return override(drive, {"guides": [{"name": "rail", "shape": shape, "contact": contact}]})


PLACES = [(turned, span, side) for turned in (0.0, 1.0, 2.5, 4.4) for span in (0, 1) for side in ("left", "right")]


@pytest.mark.parametrize(("turned", "span", "side"), PLACES)
def test_a_guide_on_the_other_side_or_away_from_the_chain_is_told(turned: float, span: int, side: str) -> None:
    touching = 0.5 * example("industrial-08b").chain.roller_diameter
    other = "right" if side == "left" else "left"

    def warnings_at(distance: float) -> list[str]:
        return [each for each in judge_layout(railed(turned, span, side, distance)).warnings if "rail" in each]

    assert warnings_at(touching) == warnings_at(0.2 * touching) == warnings_at(touching + 1e-3) == []
    (wrong,) = warnings_at(-touching)
    assert wrong.startswith("guides[0].shape: ")
    assert all(fact in wrong for fact in (f"side = '{side}'", f"side = '{other}'", "4.26 mm"))
    (away,) = warnings_at(touching + 25e-3)
    assert away.startswith("guides[0].shape: ")
    assert "25 mm" in away
    assert "touches nothing" in away


def test_a_guide_under_a_long_strand_may_be_as_far_away_as_it_sags() -> None:
    below = railed(0.0, 0, "left", 0.5 * example("industrial-08b").chain.roller_diameter + 15e-3)
    above = override(below, {"gravity": [0.0, 9.81]})
    sagging, hanging = (judge_layout(drive).warnings for drive in (below, above))
    assert sum("touches nothing" in each for each in (*sagging, *hanging)) == 1


@pytest.mark.parametrize("name", example_names())
def test_no_example_is_doubted_for_its_guides(name: str) -> None:
    assert not any("guides[" in each for each in judge_layout(example(name)).warnings)


def backwards(drive: Drive) -> Drive:
    return override(drive, {"wheels.0.motion.speed": -drive.wheels[0].motion.speed})


@pytest.mark.parametrize("name", ["timing-06b", "v6-timing"])
def test_a_timing_drive_that_turns_backwards_has_its_tension_rail_on_the_tight_span(name: str) -> None:
    drive = example(name)
    told = [each for each in judge_layout(backwards(drive)).warnings if each.startswith("wheels[0].motion: ")]
    assert len(told) == 1
    assert "'crankshaft' turns clockwise" in told[0]
    assert f"'tension rail' on a moving body tensions span {drive.span_names[0]!r}" in told[0]
    assert f"feeds the chain into span {drive.span_names[-1]!r}" in told[0]


def test_a_tension_rail_is_in_its_place_where_the_load_drives() -> None:
    """Camshafts that drive the crankshaft backwards load the other span; without loads, no span is tight."""
    drive = backwards(example("timing-06b"))
    for torque in (-3.0, 0.0):
        tables = {f"wheels.{w}.load_table.torques": [torque] * 37 for w in (1, 2)}
        assert not any("tension rail" in each for each in judge_layout(override(drive, tables)).warnings)


@pytest.mark.parametrize("name", example_names())
def test_no_example_is_doubted_for_the_place_of_its_tensioner(name: str) -> None:
    assert not any("carries the load" in each for each in judge_layout(example(name)).warnings)
