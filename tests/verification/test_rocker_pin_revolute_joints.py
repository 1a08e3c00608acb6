"""Rigid links with revolute joints: connected ends, closed-form solutions, and the limit of ever stiffer bushings."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.contract.status import Status
from chaindrive.solvers import Integrator, SolverSettings
from support import variators
from support.variator_cases import DRIVEN, loaded, run
from support.variators import PITCH, variator

STEP, UNTIL, RATE = 8e-6, 0.2, 62_500.0
"""Rows in every other step: tensions of a chain that does not stretch change with every pin. [s], [s], [Hz]"""
LONGER = 0.4
"""End of runs whose means are compared to a percent. [s]"""
BUSHINGS = {"links": (2e8, 4e-6), "stiffer": (1e10, 7e-7)}
"""Stiffness of bushings, and a step for it. [N/m], [s]"""


def revolute(until=UNTIL, **given):
    return loaded(step=STEP, until=until, rate=RATE, rigid=True, revolute=True, **given)


def test_the_ends_of_links_meet():
    case = revolute()
    assert case.status == Status.REACHED_END
    n = case.system.parameters.pins
    integrator = Integrator(case.system, SolverSettings(method="leapfrog", step=STEP), 1.0)
    integrator.advance(0.02)
    x, y, angle = integrator.state[: 3 * n].reshape(3, n)
    ahead, aside = 0.5 * PITCH * np.cos(angle), 0.5 * PITCH * np.sin(angle)
    gaps = np.hypot(np.roll(x - ahead, -1) - x - ahead, np.roll(y - aside, -1) - y - aside)
    assert gaps.max() < 2e-7  # a bushing gives way by 20 um


def test_torque_thrust_and_power_balance():
    case = revolute()
    slack, tight = case.mean["span_tension"]
    assert (tight - slack) * case.mean["running_radius"][DRIVEN] == pytest.approx(100.0, rel=0.01)
    assert case.mean["sheave_thrust"][DRIVEN] == pytest.approx(20e3, rel=5e-3)
    assert abs(case.value("energy_residual")[-1]) < 2e-4 * case.value("work_input")[-1]
    assert not case.value("work_link_damping").any()


def test_friction_stays_in_its_cone():
    case = revolute()
    normal, radial = case.value("pin_normal_force"), case.value("pin_radial_friction")
    total = np.hypot(radial, case.value("pin_circumferential_friction"))
    pressed = normal > 100.0
    assert np.quantile(total[pressed] / normal[pressed], 0.99) < 0.09 * 1.05


@pytest.mark.long
def test_frictionless_wedge():
    # T = 2 tan(beta) S / pi + (m/p) v^2
    case = run(step=STEP, load=0.0, speed=20.0, friction=0.0, slip_speed=math.inf, rigid=True, revolute=True)
    speed = 20.0 * case.mean["running_radius"][0]
    belt = 2.0 * math.tan(math.radians(11.0)) * 20e3 / math.pi + 0.012 / PITCH * speed**2
    np.testing.assert_allclose(case.mean["span_tension"], belt, rtol=0.015)


@pytest.mark.long
def test_bushings_tend_to_it():
    case = revolute(until=LONGER)
    stretched, stiffer = (
        loaded(step=step, until=LONGER, rate=20_000.0, rigid=True, link_stiffness=stiffness)
        for stiffness, step in BUSHINGS.values()
    )
    total, soft, stiff = (each.mean["span_tension"].sum() for each in (case, stretched, stiffer))
    assert total < stiff < soft
    assert stiff - total < 0.5 * (soft - total)
    assert case.thrust_ratio == pytest.approx(stiffer.thrust_ratio, rel=0.02)
    assert case.efficiency == pytest.approx(stiffer.efficiency, abs=0.002)


@pytest.mark.long
def test_the_means_do_not_depend_on_the_step():
    shorter, longer = (
        loaded(step=step, until=LONGER, rate=RATE, rigid=True, revolute=True) for step in (STEP, 2.0 * STEP)
    )
    assert longer.thrust_ratio == pytest.approx(shorter.thrust_ratio, rel=0.01)
    np.testing.assert_allclose(longer.mean["span_tension"], shorter.mean["span_tension"], rtol=0.01)


def test_a_run_in_pieces_is_the_same_to_the_last_bit():
    def fresh() -> Integrator:
        settings = SolverSettings(method="leapfrog", step=STEP)
        return Integrator(variators.rolling(variator(rigid=True, revolute=True)), settings, 1e-4, chunk_rows=1000)

    whole, first, second = fresh(), fresh(), fresh()
    assert whole.advance(0.005) == Status.REACHED_END
    assert first.advance(0.005, 123) == Status.RUNNING
    second.restore(first.snapshot())
    assert second.advance(0.005) == Status.REACHED_END
    for one, other in zip(whole.take_rows(), second.take_rows(), strict=True):
        np.testing.assert_array_equal(one, other)
