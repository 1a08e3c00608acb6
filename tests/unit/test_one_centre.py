"""Wheels of one centre: the route with a loop that hangs between them, its chain, and what obstructs nothing."""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive import InputError, example
from chaindrive.geometry.initial_configuration import place_chain
from chaindrive.geometry.route import pitch_radius, route
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import judge_layout, placed_chain
from chaindrive.model import override

P = 0.0127
TEETH = np.array([18, 16, 15])
CENTRES = np.array([[0.0, 0.0], [-0.0061, -0.5], [0.0, 0.0]])
LARGE, PULLEY, SMALL = pitch_radius(P, TEETH)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_chain_leaves_and_reaches_wheels_of_one_centre_along_gravity(sign):
    way = route(CENTRES * [sign, 1.0], [LARGE, PULLEY, SMALL], [sign] * 3)
    assert way.loop == 2
    assert way.span_start[2] == pytest.approx([-sign * SMALL, 0.0])
    assert way.span_end[2] == pytest.approx([sign * LARGE, 0.0])
    assert way.span_length[2] == pytest.approx(LARGE + SMALL)
    assert np.isnan(way.string_length).tolist() == [False, False, True]
    # the loop turns by pi, and all of it goes round twice
    assert way.wrap.sum() + np.pi == pytest.approx(4.0 * np.pi)
    assert np.argwhere(way.one_centre).tolist() == [[0, 2], [2, 0]]


def test_gravity_gives_the_loop_its_direction():
    turned = route(CENTRES @ [[0.0, 1.0], [-1.0, 0.0]], [LARGE, PULLEY, SMALL], [1] * 3, gravity=(9.81, 0.0))
    assert turned.span_start[2] == pytest.approx([0.0, -SMALL])
    with pytest.raises(InputError) as caught:
        route(CENTRES, [LARGE, PULLEY, SMALL], [1] * 3, gravity=(0.0, 0.0))
    assert [problem.place for problem in caught.value.problems] == ["gravity"]
    with pytest.raises(InputError) as caught:
        route(np.zeros((2, 2)), [LARGE, SMALL], [1, 1])
    assert [problem.place for problem in caught.value.problems] == ["wheels"]


def test_the_loop_takes_the_links_that_the_rest_does_not_need():
    signs = [1, 1, 1]
    short, long = (place_chain(CENTRES, TEETH, signs, P, links) for links in (156, 166))
    for k in (0, 1):
        assert (short.roller_span == k).sum() == (long.roller_span == k).sum()
    assert (long.roller_span == 2).sum() - (short.roller_span == 2).sum() == 10
    assert long.sag - short.sag == pytest.approx(5.0 * P, rel=0.01)
    step = np.hypot(*(np.roll(short.roller_position, -1, axis=0) - short.roller_position).T)
    assert step == pytest.approx(P, rel=1e-9)
    with pytest.raises(InputError) as caught:
        place_chain(CENTRES, TEETH, signs, P, 110)
    assert [problem.place for problem in caught.value.problems] == ["chain.links"]


def test_strands_that_cross_in_the_drawing_are_in_nobodys_way():
    drive = example("differential-hoist")
    configuration, doubts = placed_chain(drive)
    facts = drive_facts(drive)
    assert facts.slack_span == 2
    assert [shaft.ratio for shaft in facts.shafts] == [1.0, 18 / 16, 1.0]
    assert doubts == ()
    assert judge_layout(drive, configuration).problems == ()
    # what is at none of these wheels is found as ever, and doubted: the load moves
    bar = {"name": "bar", "shape": {"kind": "path", "start": [-0.2, -0.25], "direction": 0.0, "side": "right",
           "pieces": [{"length": 0.4}]}, "contact": {"stiffness": 1e9}}  # fmt: skip
    _, doubts = placed_chain(override(drive, {"guides": [bar]}))
    assert any("'bar' cuts span 0" in text for text in doubts)


def test_a_wheel_on_the_axis_of_another_must_be_fixed_to_its_shaft():
    drive = example("differential-hoist")
    for values, place in (
        ({"wheels.2.shaft_with": None}, "wheels[2].position"),
        ({"wheels.2.body": "load", "wheels.2.mass": 1.0}, "wheels[2]"),
        ({"preload": {"span": 0, "tension": 100.0, "by": "pitch"}}, "preload"),
        ({"chain.links": "auto"}, "chain.links"),
    ):
        with pytest.raises(InputError) as caught:
            override(drive, values)
        assert place in [problem.place for problem in caught.value.problems]
