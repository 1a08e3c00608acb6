"""Modular integration of two masses, of which one is the mechanism, against the closed-form solution of the whole."""

from __future__ import annotations

import dataclasses
import math
from unittest.mock import ANY

import numpy as np
import pytest

from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.simulation.cost import expected_cost
from chaindrive.solvers import SolverSettings, integrator_for
from chaindrive.solvers.integrator import largest_step
from support import masses_in_modules, solver_problems
from support.two_masses import Masses, exact

MASSES = Masses()
PLACES = [0, 2, 1, 3]
"""Positions of x1, v1, x2, v2 in the state."""


def settings(**given) -> SolverSettings:
    usual = {"method": "modular", "step": 5e-4, "macro_step": 0.01, "atol_length": 1e-10, "atol_speed": 1e-10}
    return SolverSettings(**(usual | given))


def run(**given):
    """The integrator after a second."""
    integrator = integrator_for(masses_in_modules.system(MASSES), settings(**given), 0.02)
    assert integrator.advance(1.0) == Status.REACHED_END
    return integrator


@pytest.mark.parametrize(
    ("scheme", "extrapolation", "order"),
    [
        ("gauss-seidel", "constant", 1),
        ("gauss-seidel", "linear", 2),
        ("gauss-seidel", "quadratic", 3),
        ("corrected", "constant", 2),
        ("corrected", "linear", 3),
    ],
)
def test_order(scheme, extrapolation, order):
    # Steps of the chain are 1/20 of the macro step and less: their own error, of the order h^2, is below 1e-5.
    whole = exact(MASSES, 1.0)
    coarse, fine = (
        np.abs(run(scheme=scheme, extrapolation=extrapolation, macro_step=step).state[PLACES] - whole).max()
        for step in (0.02, 0.01)
    )
    assert math.log2(coarse / fine) > order - 0.35
    assert fine < 1.0


@pytest.mark.parametrize(("scheme", "within"), [("gauss-seidel", 1e-3), ("corrected", 0.05)])
def test_what_the_coupling_made_is_what_the_balance_misses(scheme, within):
    # With 'corrected' the damper of mass 2 is taken along the motion that the chain has seen: of the order H^2.
    integrator = run(scheme=scheme, extrapolation="constant")
    integrator.advance(1.0 + 1e-9)  # a macro step is booked, and corrected, where the next one begins
    made = integrator.notes()["modules"]["bonds"]["chain and mechanism"]["made"]
    missed = energy(integrator.state) + integrator.state[4] - energy(masses_in_modules.system(MASSES).state)
    assert made == pytest.approx(missed, abs=within)
    assert (abs(made) > 1.0) == (scheme == "gauss-seidel")  # of some 30 J exchanged


def energy(state) -> float:
    """Energy of masses and springs. [J]"""
    (x1, x2, v1, v2), p = state[:4], MASSES
    kinetic = p.m1 * v1 * v1 + p.m2 * v2 * v2
    return 0.5 * float(kinetic + p.k1 * x1 * x1 + p.k2 * x2 * x2 + p.kc * (x2 - x1) ** 2)


@pytest.mark.parametrize(("budget", "chunk_rows", "fresh"), [(1, 500, True), (7, 2, True), (10**9, 1, False)])
def test_cut_anywhere_goes_on_bit_for_bit(budget, chunk_rows, fresh):
    def pieces(budget, chunk_rows, fresh):
        make = lambda: integrator_for(  # noqa: E731
            masses_in_modules.system(MASSES), settings(scheme="corrected"), 0.013, chunk_rows
        )
        integrator, rows = make(), []
        while (status := integrator.advance(0.2, budget)) == Status.RUNNING:
            if fresh:
                saved = integrator.snapshot()
                integrator = make()
                integrator.restore(saved)
            rows.append(integrator.take_rows()[1])
        assert status == Status.REACHED_END
        rows.append(integrator.take_rows()[1])
        return np.concatenate(rows), integrator.state, integrator.statistics, integrator.notes()

    whole, cut = pieces(10**9, 500, False), pieces(budget, chunk_rows, fresh)
    np.testing.assert_array_equal(whole[0], cut[0])
    np.testing.assert_array_equal(whole[1], cut[1])
    assert whole[2:] == cut[2:]


def test_a_stop_is_met_by_a_macro_step():
    system = masses_in_modules.system(MASSES).with_motion(stops=np.array([0.0317, 0.1]))
    integrator = integrator_for(system, settings(), 0.02)
    assert integrator.advance(0.0317) == Status.REACHED_END
    assert integrator.time == 0.0317
    whole = exact(MASSES, 0.0317)
    assert np.abs(integrator.state[PLACES] - whole).max() < 5e-3


def test_a_stiff_mechanism_takes_steps_of_its_own():
    # w2 = 1000/s: the chain, with 60/s at most, keeps steps of 5 ms, with which Verlet of the whole is unstable.
    stiff = Masses(k2=1e6, d2=200.0)
    integrator = integrator_for(masses_in_modules.system(stiff), settings(step=2e-3, macro_step=4e-3), 0.02)
    assert integrator.advance(0.5) == Status.REACHED_END
    assert np.abs(integrator.state[PLACES] - exact(stiff, 0.5)).max() < 0.05
    notes = integrator.notes()["modules"]
    assert notes["mechanism_steps"] > 5 * notes["macro_steps"]


@pytest.mark.parametrize(("frequency", "macro_step"), [(0.0, 2e-3), (1e3, 1e-3)])
def test_a_macro_step_that_is_not_given(frequency, macro_step):
    # Four steps of the chain, or one over the frequency of the mechanism on its contacts.
    system = masses_in_modules.system(MASSES).with_motion(coupling_frequency=frequency)
    integrator = integrator_for(system, settings(macro_step=None), 0.02)
    assert integrator.advance(0.2) == Status.REACHED_END
    rise = (1.0 - 2.0**-6) * macro_step  # of the first macro steps, which double
    steps = integrator.notes()["modules"]["macro_steps"]
    assert steps == pytest.approx((0.2 - rise) / macro_step + 6, abs=1.5)


def test_the_step_is_that_of_the_chain_alone():
    # In the step that is told, in the one that is taken, and in the cost of a run; the mechanism alone is stiffer.
    system = masses_in_modules.system(MASSES)
    alone = system.motion.highest_frequency
    system = system.with_motion(undamped_frequency=alone)

    def chain_alone(whole):
        assert whole.motion.highest_frequency == 100.0 * alone  # once: what is limited so already stays as it is
        return dataclasses.replace(whole, motion=whole.motion.limited_by(alone))

    stiff = dataclasses.replace(
        system.with_motion(highest_frequency=100.0 * alone, undamped_frequency=100.0 * alone),
        modules=system.modules._replace(chain_alone=chain_alone),
    )
    asked, whole = settings(step=None), SolverSettings("verlet-beeman")
    step = largest_step(system, asked)
    assert (
        largest_step(stiff, asked)
        == integrator_for(stiff, asked, 0.02).step
        == step
        > 50.0 * largest_step(stiff, whole)
    )
    assert expected_cost(stiff, asked, 1000.0 * step) == (step, pytest.approx(1000.0), ANY)


def test_wrong_settings_are_reported_all_at_once():
    with pytest.raises(InputError) as caught:
        integrator_for(
            masses_in_modules.system(MASSES),
            settings(macro_step=-1.0, scheme="iterated", extrapolation="cubic", step=0.0),
            0.02,
        )
    places = {problem.place for problem in caught.value.problems}
    assert places == {"run.solver.step", "run.solver.macro_step", "run.solver.scheme", "run.solver.extrapolation"}


def test_a_system_that_is_not_cut_is_refused():
    with pytest.raises(InputError, match="rollers or links"):
        integrator_for(solver_problems.oscillator(), settings(), 0.02)
