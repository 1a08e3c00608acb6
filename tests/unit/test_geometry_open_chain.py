"""The route of an open chain and its joints on it: tangents to points, free ends, anchors on wheels, slack."""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive.errors import InputError
from chaindrive.geometry.open_chain import place_open_chain
from chaindrive.geometry.open_route import RouteEnd, open_route, turned_round
from chaindrive.geometry.route import length_in_pitches, pitch_radius, route

PITCH = 0.0254
DOWN = (0.0, -1.0)


def way(wheels, ends, links):
    """An open route; wheels: centre, teeth and sign of each."""
    centres = np.array([centre for centre, _, _ in wheels]).reshape(-1, 2)
    teeth = np.array([z for _, z, _ in wheels], dtype=int)
    signs = np.array([s for _, _, s in wheels], dtype=float)
    return open_route(centres, pitch_radius(PITCH, teeth), signs, teeth, ends, links, PITCH), teeth


def lengths(placed):
    return np.hypot(*np.diff(placed.roller_position, axis=0).T)


def test_over_one_wheel_between_two_points():
    found, _ = way([((0.0, 1.0), 19, -1)], (RouteEnd(point=(-0.3, 0.0)), RouteEnd(point=(0.3, 0.0))), 80)
    radius = float(found.radii[0])
    assert found.leading == 1
    assert not found.closed
    distance = np.hypot(0.3, 1.0)
    assert found.span_length == pytest.approx([np.sqrt(distance**2 - radius**2)] * 2)
    for start, end, u in zip(found.span_start, found.span_end, found.span_direction, strict=True):
        assert end - start == pytest.approx(u * np.hypot(*(end - start)))
    assert np.hypot(*(found.span_end[0] - found.centres[0])) == pytest.approx(radius)
    assert (found.span_end[0] - found.centres[0]) @ found.span_direction[0] == pytest.approx(0.0, abs=1e-12)
    slope = np.arctan2(1.0, 0.3) + np.arcsin(radius / distance)
    assert found.wrap[0] == pytest.approx(2.0 * slope)
    assert [found.span_before(0), found.span_after(0)] == [0, 1]
    assert [found.wheels_of(0), found.wheels_of(1)] == [(-1, 0), (0, -1)]


def test_spans_of_a_closed_route_know_their_wheels():
    found = route([(0.0, 0.0), (1.0, 0.0)], [0.1, 0.1], [1.0, 1.0])
    assert [found.span_before(0), found.span_after(0), found.wheels_of(1)] == [1, 0, (1, 0)]


def test_backwards_and_forwards_are_the_same_way():
    ends = RouteEnd(point=(-0.5, 0.1)), RouteEnd(towards=DOWN)
    found, _ = way([((0.0, 1.0), 19, -1), ((0.5, 0.6), 15, 1), ((0.9, 1.0), 21, -1)], ends, 120)
    back = turned_round(turned_round(found))
    for one, other in zip(found, back, strict=True):
        assert np.array_equal(one, other)
    assert length_in_pitches(found, PITCH, [19, 15, 21]) == pytest.approx(120)


@pytest.mark.parametrize(
    ("first", "second", "free"),
    [
        (RouteEnd(point=(-0.1, -0.9)), RouteEnd(towards=DOWN), (True, True)),
        (RouteEnd(point=(-0.1, -0.9)), RouteEnd(towards=DOWN), (False, True)),
        (RouteEnd(towards=DOWN), RouteEnd(point=(0.1, -0.9)), (True, False)),
        (RouteEnd(on_wheel=2.5), RouteEnd(towards=DOWN), (False, True)),
        (RouteEnd(towards=DOWN), RouteEnd(on_wheel=0.6), (True, False)),
    ],
)
def test_a_free_end_takes_what_is_left(first, second, free):
    found, teeth = way([((0.0, 0.0), 21, -1)], (first, second), 60)
    placed = place_open_chain(found, teeth, PITCH, 60, free)
    assert len(placed.roller_position) == 61
    assert lengths(placed) == pytest.approx(PITCH, rel=1e-9)
    seated = placed.seat_wheel == 0
    assert np.hypot(*placed.roller_position[seated].T) == pytest.approx(found.radii[0])
    angle = np.arctan2(*placed.roller_position[seated].T[::-1]) - placed.wheel_angle[0]
    off = angle * 21 / (2.0 * np.pi)
    assert off == pytest.approx(np.round(off), abs=1e-9)
    assert placed.slack_span == -1


@pytest.mark.parametrize("links", [70, 71, 72, 75, 90, 120])
def test_between_two_anchors_the_chain_reaches_both(links):
    ends = (-0.4, 0.0), (0.5, 0.05)
    found, teeth = way([((0.0, 0.7), 19, -1)], tuple(RouteEnd(point=end) for end in ends), links)
    needed = length_in_pitches(found, PITCH, teeth)
    assert 70 < needed < 71
    if links == 70:
        assert needed / links < 1.008  # stretched
    placed = place_open_chain(found, teeth, PITCH, links, (False, False))
    assert placed.roller_position[0] == pytest.approx(ends[0], abs=1e-9)
    assert placed.roller_position[-1] == pytest.approx(ends[1], abs=1e-9)
    assert (placed.slack_span >= 0) == (links > needed)
    expected = placed.spacing if placed.slack_span < 0 else PITCH
    on_wheel = placed.span_of_link < 0
    assert lengths(placed)[~on_wheel] == pytest.approx(expected, rel=1e-3)
    assert lengths(placed).max() < 1.02 * PITCH
    # A joint on the wheel is pressed onto it by both of its links, and no other one reaches into the pitch circle.
    ahead = np.diff(placed.roller_position, axis=0)
    bend = -(ahead[:-1, 0] * ahead[1:, 1] - ahead[:-1, 1] * ahead[1:, 0])
    assert bend[placed.seat_wheel[1:-1] == 0].min() > -1e-9
    assert np.hypot(*(placed.roller_position - (0.0, 0.7)).T).min() > found.radii[0] - 2e-6 * PITCH


@pytest.mark.parametrize("links", [101, 102, 103, 104, 105])
def test_a_joint_that_is_on_the_wheel_and_off_it_by_turns(links):
    """A chain of four times its route hangs from a sheave next to its upper ends: all joints are there."""
    ends = RouteEnd(point=(-0.065, 0.1)), RouteEnd(point=(0.065, 0.3))
    found, teeth = way([((0.0, 0.0), 16, -1)], ends, links)
    placed = place_open_chain(found, teeth, PITCH, links, (False, False))
    assert placed.roller_position.shape == (links + 1, 2)
    assert placed.roller_position[[0, -1]] == pytest.approx(np.array([ends[0].point, ends[1].point]))
    assert lengths(placed) == pytest.approx(PITCH, rel=1e-3)


@pytest.mark.parametrize(
    ("ends", "links"),
    [
        (((0.0, 0.0), (1.0, 0.2)), 50),
        (((0.0, 0.0), (0.3, -0.9)), 80),
        (((0.0, 0.0), (0.0, -0.8)), 60),
        (((0.0, 0.0), (0.0, 0.0)), 40),
        (((0.0, 0.0), (0.0254, 0.0)), 1),
        (((0.0, 0.0), (0.05, 0.0)), 2),
    ],
)
def test_a_chain_without_wheels_hangs_between_its_ends(ends, links):
    found, teeth = way([], tuple(RouteEnd(point=end) for end in ends), links) if ends[0] != ends[1] else (None, None)
    if found is None:
        with pytest.raises(InputError, match="leaves no path"):
            way([], tuple(RouteEnd(point=end) for end in ends), links)
        return
    placed = place_open_chain(found, teeth, PITCH, links, (False, False))
    assert placed.roller_position[[0, -1]] == pytest.approx(np.array(ends), abs=1e-9)
    assert lengths(placed) == pytest.approx(PITCH, rel=0.02)


def test_too_few_links_are_told():
    ends = RouteEnd(point=(-0.4, 0.0)), RouteEnd(point=(0.5, 0.05))
    found, teeth = way([((0.0, 0.7), 19, -1)], ends, 60)
    with pytest.raises(InputError, match=r"needs 70\.\d* pitches; the chain has 60 links"):
        place_open_chain(found, teeth, PITCH, 60, (False, False))
    found, teeth = way([((0.0, 0.7), 19, -1)], (ends[0], RouteEnd(towards=DOWN)), 20)
    with pytest.raises(InputError, match="the chain has 20 links"):
        place_open_chain(found, teeth, PITCH, 20, (False, True))


def test_an_end_inside_a_wheel_is_told():
    with pytest.raises(InputError, match="leaves no path for the chain"):
        way([((0.0, 0.0), 21, -1)], (RouteEnd(point=(0.01, 0.0)), RouteEnd(towards=DOWN)), 40)
