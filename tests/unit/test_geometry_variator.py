"""Radii, lengths and places of a chain between two pairs of conical sheaves."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.geometry.variator import (
    groove_width,
    loop_around,
    loop_length,
    place_pins,
    radii_of_ratio,
    second_radius,
)

DISTANCE, PITCH, LINKS = 0.155, 9.85e-3, 63


def test_an_equal_ratio_has_half_a_turn_on_both_sides():
    # 2 a + 2 pi p / (2 asin(p / 2R)): both wraps are pi, both strands the distance of the centres.
    loop = loop_around(0.05, 0.05, DISTANCE)
    assert loop.wraps == (math.pi, math.pi)
    assert loop.span == DISTANCE
    pitches_of_a_turn = math.pi / math.asin(PITCH / 0.1)
    assert loop_length(loop, PITCH) == pytest.approx(2 * DISTANCE + pitches_of_a_turn * PITCH, rel=1e-15)


def test_mixed_pitch_covers_a_wrap_by_its_angles():
    # Ten pairs of a long and a short link go around a full circle: both halves of it at an equal ratio.
    long, short = 0.0165, 0.0135
    low, high = 0.04, 0.06
    for _ in range(60):
        radius = 0.5 * (low + high)
        turned = 20.0 * (math.asin(0.5 * long / radius) + math.asin(0.5 * short / radius))
        low, high = (radius, high) if turned > 2.0 * math.pi else (low, radius)
    loop = loop_around(radius, radius, DISTANCE)
    assert loop_length(loop, [long, short]) == pytest.approx(2.0 * DISTANCE + 10.0 * (long + short), rel=1e-14)
    distance = 5.0 * (long + short)  # another ten pairs are in the strands
    assert second_radius(radius, distance, [long, short] * 20, 40) == pytest.approx(radius, rel=1e-12)


def test_a_fine_pitch_is_a_belt():
    # With p -> 0 the length is that of an open belt, 2 a cos(al) + R0 (pi + 2 al) + R1 (pi - 2 al); what is left is of
    # the order of a wrap times (p/R)^2 / 24.
    loop = loop_around(0.06, 0.035, DISTANCE)
    belt = 2 * loop.span + sum(r * w for r, w in zip(loop.radii, loop.wraps, strict=True))
    assert loop.inclination == pytest.approx(math.asin(0.025 / DISTANCE))
    assert loop_length(loop, 1e-5) == pytest.approx(belt, rel=1e-8)


@pytest.mark.parametrize("first", [0.032, 0.04, 0.0495, 0.058, 0.068])
def test_the_chain_closes_on_the_second_radius(first):
    # The pairs of radii of facts of a prototype, to a hundredth of a millimetre: 64.8 58.3 49.5 40.4 27.7 mm.
    known = {0.032: 0.0648, 0.04: 0.0583, 0.0495: 0.0495, 0.058: 0.0404, 0.068: 0.0277}
    second = second_radius(first, DISTANCE, PITCH, LINKS)
    assert loop_length(loop_around(first, second, DISTANCE), PITCH) == pytest.approx(LINKS * PITCH, rel=1e-14)
    assert second == pytest.approx(known[first], abs=6e-5)
    ratio = second / first
    assert radii_of_ratio(ratio, DISTANCE, PITCH, LINKS) == pytest.approx((first, second), rel=1e-12)
    assert loop_around(first, second, DISTANCE).ratio == ratio


def test_what_does_not_close_is_refused():
    with pytest.raises(ValueError, match="too short"):
        second_radius(0.1, DISTANCE, PITCH, LINKS)
    with pytest.raises(ValueError, match="too long"):
        second_radius(0.03, DISTANCE, PITCH, 200)
    with pytest.raises(ValueError, match="do not fit on a circle of radius"):
        second_radius(0.004, DISTANCE, PITCH, LINKS)
    with pytest.raises(ValueError, match="does not close at a ratio of 40"):
        radii_of_ratio(40.0, DISTANCE, PITCH, LINKS)
    with pytest.raises(ValueError, match="no chain runs around"):
        loop_around(0.2, 0.03, DISTANCE)


def test_the_groove_is_wider_by_twice_the_slope():
    assert groove_width(0.06, 0.05, math.radians(11), 0.024) == pytest.approx(0.024 + 0.02 * math.tan(math.radians(11)))
    assert groove_width(0.05, 0.05, 0.2, 0.024) == 0.024


@pytest.mark.parametrize("first", [0.04, 0.0495, 0.065])
@pytest.mark.parametrize("mixed", [False, True])
def test_pins_lie_on_circles_and_strands_a_pitch_apart(first, mixed):
    pitches = np.full(LINKS, PITCH)
    if mixed:  # long and short links in a sequence without a period; the mean is the pitch
        pitches += 1e-3 * (np.random.default_rng(1).permutation(LINKS) % 2 - 31 / 63)
    second = second_radius(first, DISTANCE, float(pitches.mean()), LINKS)
    places, ways = place_pins(loop_around(first, second, DISTANCE), pitches)
    lengths = np.linalg.norm(np.roll(places, -1, axis=0) - places, axis=1)
    # Chords of mixed pitch differ from the arcs that are shared out by (p/R)^2/24 of the difference of pitches, and a
    # link across the end of a wrap by up to p (p/R)^2/8 of a chord that is half straight.
    np.testing.assert_allclose(lengths, pitches, atol=PITCH * (PITCH / min(first, second)) ** 2 / 8)
    np.testing.assert_allclose(np.linalg.norm(ways, axis=1), 1.0, rtol=1e-14)
    for centre, radius in ((0.0, first), (DISTANCE, second)):
        away = np.hypot(places[:, 0] - centre, places[:, 1])
        on_it = np.abs(away - radius) < 1e-12
        assert on_it.sum() >= 8
        # On a circle the pins move around its centre, counter-clockwise.
        arm = places[on_it] - [centre, 0.0]
        turning = arm[:, 0] * ways[on_it, 1] - arm[:, 1] * ways[on_it, 0]
        np.testing.assert_allclose(turning, radius, rtol=1e-12)
    following = np.roll(places, -1, axis=0) - places
    assert ((following * ways).sum(axis=1) > 0.9 * lengths).all()
