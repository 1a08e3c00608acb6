"""Sheaves with a given deformation: Sattler's trigonometric law, compared with a tilt and with rigid sheaves."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.formulations.cvt.parameters import CONTROLS, TILTS
from chaindrive.geometry.roots import root_to_rounding
from chaindrive.physics.sheave import closure, tilt_of_variation
from support import variators
from support.variator_cases import loaded, run
from support.variators import variator

BETA = math.radians(11.0)
BY_TILT = (1.0 + math.cos(BETA) ** 2) / (2.0 * math.cos(BETA) ** 2)
"""Tilt over the variation of the half angle."""


def test_pins_run_as_the_half_angle_varies():
    # v_r = omega R D (1 + cos^2 beta) / sin(2 beta) sin(theta - theta_c): the way of a pin of constant length.
    variation, radius, widest, omega = 1e-5, 0.05, 0.7, 200.0
    tilt = tilt_of_variation(variation, math.cos(BETA))

    def way(theta: float) -> float:
        def gap(r: float) -> float:
            return closure(radius, r, math.tan(BETA), 0.0, tilt * r * math.cos(theta - widest))

        return root_to_rounding(gap, 0.9 * radius, 1.1 * radius, 1e-18)

    amplitude = omega * radius * variation * (1.0 + math.cos(BETA) ** 2) / math.sin(2.0 * BETA)
    for theta in np.linspace(0.0, 6.0, 13):
        speed = omega * (way(theta + 1e-3) - way(theta - 1e-3)) / 2e-3
        assert speed == pytest.approx(amplitude * math.sin(theta - widest), abs=2e-4 * amplitude)


def as_large_as_tilts(**driven_and_driver):
    """Variations as large as the tilt of the elastic sheaves of the example."""
    tilt = np.hypot(*loaded().mean["sheave_tilt"].T)
    return [{"variation": float(each) / BY_TILT} | driven_and_driver for each in tilt]


@pytest.mark.parametrize("rigid", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_deformation_as_large_as_the_tilt_does_the_same(rigid):
    driver, driven = as_large_as_tilts()
    given, elastic = run(tilting=False, driver=driver, driven=driven, rigid=rigid), loaded(rigid=rigid)
    np.testing.assert_allclose(given.mean["sheave_tilt"], elastic.mean["sheave_tilt"], rtol=0.02, atol=1e-5)
    assert given.thrust_ratio == pytest.approx(elastic.thrust_ratio, rel=0.02)
    np.testing.assert_allclose(given.mean["span_tension"], elastic.mean["span_tension"], rtol=0.025)
    assert given.efficiency == pytest.approx(elastic.efficiency, abs=0.002)
    assert given.efficiency < loaded(tilting=False, rigid=rigid).efficiency - 0.005
    assert abs(given.value("energy_residual")[-1]) < 1e-4 * given.value("work_input")[-1]


def test_a_deformation_that_stands_still_takes_no_work():
    driver, driven = as_large_as_tilts()
    tilt = loaded().mean["sheave_tilt"]
    for pair, (a, b) in zip((driver, driven), tilt, strict=True):
        pair["widest"] = math.atan2(b, a)
    case = run(tilting=False, driver=driver, driven=driven)
    np.testing.assert_allclose(case.value("sheave_tilt"), np.broadcast_to(tilt, (case.times.size, 2, 2)), rtol=1e-12)
    assert not case.value("work_tilt").any()
    assert abs(case.value("energy_residual")[-1]) < 1e-4 * case.value("work_input")[-1]
    assert case.thrust_ratio == pytest.approx(loaded().thrust_ratio, rel=0.02)


def test_rigid_sheaves_are_the_limit():
    rigid = loaded(tilting=False).mean["span_tension"]
    for variation, near in ((6e-6, 1e-2), (6e-8, 2e-3)):
        pair = {"variation": variation}
        np.testing.assert_allclose(run(tilting=False, driver=pair, driven=pair).mean["span_tension"], rigid, rtol=near)


def test_its_direction_follows_within_its_time():
    # It begins without size, and is as large as given, towards the moment of the pins, after some times tilt_time.
    made = variator(tilting=False, driver={"variation": 6e-4}, driven={"variation": 5e-4, "widest": 0.4})
    system = variators.rolling(made)
    end = system.state.size - CONTROLS
    tilts = slice(end - TILTS, end)
    assert system.state[tilts] == pytest.approx(
        [0.0, 5e-4 * BY_TILT * math.cos(0.4), 0.0, 5e-4 * BY_TILT * math.sin(0.4)]
    )
    _, times, rows = variators.run(system, 2e-3, rate=20000.0)
    size = np.hypot(*np.moveaxis(system.channel("sheave_tilt").read(rows), -1, 0))[:, 0]
    expected = 6e-4 * BY_TILT * (1.0 - np.exp(-times / 2e-4))
    np.testing.assert_allclose(size, expected, atol=0.03 * 6e-4)
    # The pins do work on it meanwhile, which is accounted for.
    done, residual = (system.channel(name).read(rows) for name in ("work_tilt", "energy_residual"))
    assert done[-1] > 0.3
    assert np.abs(residual).max() < 0.02 * done[-1]
