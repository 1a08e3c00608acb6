"""Beginnings and ends of spans along the loop, from the arc lengths of the route."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.geometry.initial_configuration import place_chain, span_places

PITCH = 0.0127


@pytest.mark.parametrize("teeth", [(16, 16), (17, 38)])
@pytest.mark.parametrize("phase", [0.0, 0.3, 0.8])
def test_spans_alternate_with_wraps_of_known_length(teeth: tuple[int, int], phase: float) -> None:
    """Span k begins with the tangent that leaves wheel k and ends where the next wheel is reached.

    It is as long as the tangent; to the next one it is the wrap, one pitch for each tooth. Both are chords or arcs of
    whole and broken links: a link that lies half on the wheel turns by half a tooth, (1 - cos(pi / z)) of a pitch.
    """
    radius = [PITCH / (2.0 * math.sin(math.pi / z)) for z in teeth]
    distance = 0.3
    tilt = math.asin((radius[1] - radius[0]) / distance)
    span = math.sqrt(distance**2 - (radius[1] - radius[0]) ** 2) / PITCH
    wraps = [(math.pi - 2.0 * tilt) * teeth[0] / (2.0 * math.pi), (math.pi + 2.0 * tilt) * teeth[1] / (2.0 * math.pi)]
    links = math.floor(2.0 * span + sum(wraps))
    configuration = place_chain([(0.0, 0.0), (distance, 0.0)], teeth, (1, 1), PITCH, links, phase=phase)
    places = span_places(configuration, PITCH)
    loose = 2.0 * (1.0 - math.cos(math.pi / teeth[0])) + 0.002 * span
    length = places[:, 1] - places[:, 0]
    np.testing.assert_allclose(length, span * PITCH / configuration.spacing, atol=loose)
    between = (np.roll(places[:, 0], -1) - places[:, 1]) % links
    np.testing.assert_allclose(between, np.roll(wraps, -1), atol=loose)
