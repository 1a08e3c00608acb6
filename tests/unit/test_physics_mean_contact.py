"""The mean force of a contact over a step: its work equals the stored energy, whatever the step."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from chaindrive.physics.contact import elastic_force_power
from chaindrive.physics.mean_contact import mean_elastic_force, pressed_part, stored_energy

STIFFNESS, DEPTH = 1e9, 3e-6
LAWS = pytest.mark.parametrize("exponent", [1.0, 1.5, 2.2])
WAYS = [(DEPTH, 2.0 * DEPTH), (2.0 * DEPTH, 0.5 * DEPTH), (-DEPTH, DEPTH), (DEPTH, -3.0 * DEPTH), (0.0, DEPTH)]


@LAWS
@pytest.mark.parametrize(("before", "after"), WAYS)
def test_it_is_the_mean_over_the_depth(exponent: float, before: float, after: float) -> None:
    low, high = sorted((before, after))
    area = quad(elastic_force_power, max(low, 0.0), max(high, 0.0), (STIFFNESS, exponent), epsabs=0.0, epsrel=1e-12)[0]
    wanted = area / (high - low)
    assert mean_elastic_force(before, after, STIFFNESS, exponent) == pytest.approx(wanted, rel=1e-9)
    stored = stored_energy(after, STIFFNESS, exponent) - stored_energy(before, STIFFNESS, exponent)
    assert stored == pytest.approx(np.sign(after - before) * area, rel=1e-9)


@LAWS
def test_small_changes_have_the_mean_to_rounding(exponent: float) -> None:
    """On both sides of the change at which the quotient takes over; at rest it is the force itself."""
    for change in (1.02e-3, 0.98e-3, 1e-5):
        after = DEPTH * (1.0 + change)
        wanted = quad(elastic_force_power, DEPTH, after, (STIFFNESS, exponent), epsabs=0.0)[0] / (after - DEPTH)
        assert mean_elastic_force(DEPTH, after, STIFFNESS, exponent) == pytest.approx(wanted, rel=1e-11)
    at_rest = elastic_force_power(DEPTH, STIFFNESS, exponent)
    assert mean_elastic_force(DEPTH, DEPTH, STIFFNESS, exponent) == pytest.approx(at_rest, rel=1e-15)


@LAWS
def test_it_never_pulls_and_grows_with_the_depth_that_the_step_reaches(exponent: float) -> None:
    for before in (-DEPTH, 0.0, DEPTH):
        found = [mean_elastic_force(before, each, STIFFNESS, exponent) for each in np.linspace(-DEPTH, 3 * DEPTH, 401)]
        assert min(found) >= 0.0
        assert (np.diff(found) >= 0.0).all()
    assert mean_elastic_force(-DEPTH, -0.5 * DEPTH, STIFFNESS, exponent) == 0.0
    assert mean_elastic_force(-DEPTH, -DEPTH, STIFFNESS, exponent) == 0.0


def test_part_of_the_way_on_which_it_is_pressed() -> None:
    parts = [pressed_part(*way) for way in ((1.0, 2.0), (-1.0, 3.0), (1.0, -1.0), (-2.0, -1.0), (0.0, 1.0), (0.0, 0.0))]
    assert parts == pytest.approx([1.0, 0.75, 0.5, 0.0, 1.0, 0.0])
