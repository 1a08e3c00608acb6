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
