"""Shifting by creep (docs/validation/creep_shifting.py): elastic sheaves shift in proportion to speed and the logarithm
of the force ratio.
"""

from __future__ import annotations

import creep_shifting
import numpy as np
import pytest
from numba.core import config

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python"),
]


def rate(elastic: bool, speed: float, ratio: float, links: str = "points") -> float:
    """Rate of the running radius over the speed of the driver, per unit of the logarithm. [m]"""
    return creep_shifting.slope(creep_shifting.creep(elastic, speed, ratio, links), ratio) / speed


def test_the_rate_is_proportional_to_the_speed_of_the_driver():
    rates = [rate(True, speed, 0.15) for speed in (50.0, 100.0, 200.0)]
    assert np.ptp(rates) < 0.05 * np.mean(rates)


@pytest.mark.parametrize("links", ["points", "rigid"])
def test_the_rate_is_proportional_to_the_logarithm_of_the_force_ratio(links):
    rates = [rate(True, 200.0, ratio, links) for ratio in (0.1, 0.2, 0.3)]
    assert np.ptp(rates) < 0.1 * np.mean(rates)


def test_rigid_sheaves_hardly_shift():
    rigid, elastic = ([rate(yields, speed, 0.15) for speed in (100.0, 200.0)] for yields in (False, True))
    assert max(rigid) < 0.2 * min(elastic)


def test_more_force_shifts_outwards():
    for elastic in (True, False):
        found = creep_shifting.creep(elastic, 200.0, 0.15)
        assert found.inwards < 0.0 < found.outwards
