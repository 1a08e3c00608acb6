"""Position of a tensioner when the chain closes: analytical solutions, a table for a bicycle, and the placed chain."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from chaindrive.errors import InputError
from chaindrive.geometry.closing import Loop, closing, fewest_links
from chaindrive.geometry.initial_configuration import place_chain
from chaindrive.geometry.route import pitch_radius

PITCH = 0.0127
AXLE = np.array([-0.40398, 0.070])


def bicycle(ring, cog, offsets=None):
    """Chainring, tension pulley, guide pulley and cog; the coordinate is the direction of the cage.

    Bottom bracket at the origin, guide pulley 8 mm ahead of the axle and 14 mm from pitch circle to pitch circle below
    the cog, cage 56 mm, pulleys of 11 teeth.
    """
    radius = [float(pitch_radius(PITCH, z)) for z in (ring, 11, 11, cog)]
    assert radius[1] == pytest.approx(22.539e-3, abs=1e-6)
    distance = radius[3] + radius[2] + 0.014
    guide = AXLE + np.array([0.008, -math.sqrt(distance**2 - 0.008**2)])

    def centres(direction):
        return np.array([[0, 0], guide + 0.056 * np.array([math.cos(direction), math.sin(direction)]), guide, AXLE])

    return Loop(centres, [ring, 11, 11, cog], [-1, -1, 1, -1], PITCH, offsets=offsets)


# Direction of the cage [deg] and the change of the route's length with it [mm/rad], computed on its own with arcs of
# the pitch circles, rounded to 0.1.
WITH_ARCS = {
    (108, 50, 11): (-102.9, 100.5), (108, 50, 19): (-75.0, 98.3), (108, 50, 28): (-38.9, 77.6),
    (108, 34, 11): (-174.3, 57.0), (108, 34, 19): (-134.2, 85.4), (108, 34, 28): (-97.8, 99.8),
    (110, 50, 11): (-117.6, 97.0), (110, 50, 19): (-89.5, 101.0), (110, 50, 28): (-56.1, 90.7),
    (110, 34, 19): (-152.6, 72.6), (110, 34, 28): (-112.7, 95.2),
}  # fmt: skip


@pytest.mark.parametrize("gear", WITH_ARCS)
def test_the_cage_of_a_bicycle_in_its_gears(gear):
    links, ring, cog = gear
    direction, rate = WITH_ARCS[gear]
    loop, near = bicycle(ring, cog), math.radians(direction)
    arcs = brentq(lambda q: loop.route_at(q).length - links * PITCH, near - 0.05, near + 0.05)
    assert math.degrees(arcs) == pytest.approx(direction, abs=0.05)
    slope = (loop.route_at(arcs + 1e-4).length - loop.route_at(arcs - 1e-4).length) / 2e-4
    assert -1e3 * slope == pytest.approx(rate, abs=0.06)
    found = closing(loop, links, math.radians(-10.0), math.radians(-185.0))
    assert found.closes
    # Chords are shorter than arcs: by 2 pi R - z P a turn on each wheel, some mm for all together, so that
    # the cage goes further back by that over the slope.
    assert 0.015 < arcs - found.coordinate < 0.06
    teeth, path = np.array(loop.teeth), loop.route_at(arcs)
    shorter = float(path.wrap @ (path.radii - teeth * PITCH / (2.0 * math.pi)))
    assert arcs - found.coordinate == pytest.approx(-shorter / (0.5 * (slope + found.rate)), rel=0.15)


def test_too_many_and_too_few_links_say_by_how_much():
    loop = bicycle(34, 11)
    limits = math.radians(-20.0), math.radians(-180.0)
    long = closing(loop, 110, *limits)
    assert not long.closes
    assert long.coordinate == pytest.approx(limits[1])
    # two links more than those with which it closes at -177.7 deg, less what the cage still takes up to -180 deg
    closes = closing(loop, 108, *limits)
    assert long.spare == pytest.approx(2 * PITCH + (limits[1] - closes.coordinate) * -closes.rate, abs=0.2e-3)
    short = closing(bicycle(50, 28), 104, *limits)
    assert short.spare == pytest.approx((104 - bicycle(50, 28).pitches_at(limits[0])) * PITCH)
    assert short.spare < 0.0
    assert short.coordinate == limits[0]


def test_fewest_links():
    loop, limits = bicycle(50, 28), (math.radians(-20.0), math.radians(-180.0))
    fewest = fewest_links(loop, *limits)
    assert fewest == 108
    assert closing(loop, fewest, *limits).closes
    assert not closing(loop, fewest - 2, *limits).closes


def placed(loop, links, coordinate):
    return place_chain(
        loop.centres_at(coordinate), loop.teeth, loop.signs, PITCH, links, radii=loop.radii, offsets=loop.offsets
    )


@pytest.mark.parametrize("links", [108, 110])
@pytest.mark.parametrize("cog", [11, 13, 19, 28])
def test_all_links_are_as_long_as_the_pitch_where_it_closes(links, cog):
    loop = bicycle(50, cog)
    found = closing(loop, links, -0.2, -3.1)
    lay = placed(loop, links, found.coordinate)
    apart = np.linalg.norm(np.roll(lay.roller_position, -1, axis=0) - lay.roller_position, axis=1)
    assert len(apart) == links
    np.testing.assert_allclose(apart, PITCH, rtol=1e-12)
    assert lay.slack_span == -1
    assert abs(lay.strain) < 1e-12


@pytest.mark.parametrize("aside", [10e-3, -30e-3])
def test_links_that_go_over_to_wheels_aside_are_as_long_as_the_pitch(aside):
    """In space, between the last roller on a wheel and the first on the next all links are inclined equally."""
    offsets = np.array([0.0, aside, aside, aside])
    loop = bicycle(50, 19, offsets)
    found = closing(loop, 110, -0.2, -3.1)
    lay = placed(loop, 110, found.coordinate)
    across = np.zeros(110)
    for i in range(110):
        span, wheel = lay.span_of_link[i], lay.seat_wheel[i]
        if span < 0:
            continue
        links = int((lay.span_of_link == span).sum())
        across[i] = (offsets[(span + 1) % 4] - offsets[span]) / links
        assert wheel in (-1, span)
    assert across.sum() == pytest.approx(0.0, abs=1e-15)
    assert np.abs(across).max() > abs(aside) / 40
    flat = np.linalg.norm(np.roll(lay.roller_position, -1, axis=0) - lay.roller_position, axis=1)
    np.testing.assert_allclose(np.hypot(flat, across), PITCH, rtol=1e-11)
    # The way over is longer by aside^2 / (2 length) in each of both long runs, and the cage gives as much.
    path = loop.route_at(found.coordinate)
    more = sum(aside**2 / (2.0 * path.span_length[k]) for k in (0, 3))
    less = found.coordinate - closing(bicycle(50, 19), 110, -0.2, -3.1).coordinate
    assert -found.rate * less == pytest.approx(more, rel=0.08)


def test_two_wheels_closed_form():
    """Equal wheels: links = 2 distance / pitch + teeth."""
    loop = Loop(lambda q: [[0.0, 0.0], [0.3 + q, 0.0]], [20, 20], [1, 1], PITCH)
    found = closing(loop, 70, 0.0, 0.05)
    assert found.coordinate == pytest.approx(25 * PITCH - 0.3, abs=1e-15)
    assert found.rate == pytest.approx(2.0)
    hanging = closing(loop, 70, 0.0, 0.05, slack=1e-3)
    assert hanging.coordinate == pytest.approx(25 * PITCH - 0.3 - 0.5e-3, abs=1e-12)
    assert closing(loop, 70, 0.0, 0.01).spare == pytest.approx((70 - 20) * PITCH - 0.62)


def test_no_route_at_all_says_why():
    loop = Loop(lambda q: [[0.0, 0.0], [0.01 + q, 0.0]], [20, 40], [1, -1], PITCH)
    with pytest.raises(InputError, match="overlap"):
        closing(loop, 70, 0.0, 0.05)
    with pytest.raises(InputError, match="overlap"):
        fewest_links(loop, 0.0, 0.05)
