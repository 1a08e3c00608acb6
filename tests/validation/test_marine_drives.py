"""The marine drives of Pedersen (2004): every level of tension that their validation page marks as a gate.

The fast tests at the top run by default; the rest, about two minutes of CPU time, by ``python tests/long.py``.
"""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import chaindrive as cd

GROUPS = ("gate_rows", "damping_rows", "l60_rows")
BREADTH = {"gate_rows": 4, "damping_rows": 2, "l60_rows": 4}
"""Least number of gates in each group: a page that lost its gates would pass otherwise."""


def helper(name: str):
    """A helper module of the page."""
    return importlib.import_module(name)


def test_6s90mc_c_holds_the_tension_of_the_thesis():
    """Thesis section 5.6: about 70 kN with friction 0.1 and joint damping; 71 kN within 2 % is the gate (5 s of it)."""
    save = cd.SaveOptions(rate=500, channels=("span_tension",))
    solution = cd.simulate(cd.example("6s90mc-c"), 5.0, save=save, solver=cd.SolverOptions(method="verlet"))
    assert solution.status == cd.Status.REACHED_END
    tension = solution.values("span_tension")[solution.time >= 3.0].mean(axis=0)
    assert tension[0] == pytest.approx(71e3, rel=0.02)
    assert tension[3] == pytest.approx(71e3, rel=0.02)
    # Sprockets turn freely, so that spans differ by the weight of the chain between them, rho g h: with rho = 119 kg/m
    # and the middles of segments 2 and 3 about 2.5 +- 0.5 m above those of 1 and 4, 2.9 kN within 20 %.
    assert np.all(tension[1:3] > tension[[0, 3]].max())
    assert tension[1:3].mean() - tension[[0, 3]].mean() == pytest.approx(2.9e3, rel=0.2)


def test_a_row_outside_its_tolerance_says_so():
    row = helper("_rows").Row
    inside = row("x", "", "", 10.4, 10.0, 0.5, "N", "")
    assert inside.within
    assert not inside._replace(ours=10.6).within
    assert not inside._replace(ours=np.nan).within
    bound = inside._replace(bound=True, ours=9.9)
    assert bound.within
    assert not bound._replace(ours=10.1).within
    assert not bound._replace(ours=np.nan).within


@pytest.fixture(scope="module")
def outcomes():
    """All runs that a gate needs."""
    cases = helper("_cases")
    wanted = cases.main_cases() + [case for case in cases.law_cases() if case.drive == cases.S90]
    skipped = ("at-rest", "long", "l60-real-dormand-prince", "l60-circular-dormand-prince")
    wanted = [case for case in wanted if not case.key.endswith(skipped)]
    return helper("_simulate").simulate_all(wanted, helper("_quantities").run, say=False)


@pytest.mark.validation
@pytest.mark.parametrize("group", GROUPS)
def test_every_gate_of_the_page_holds(outcomes, group):
    gates = [row for row in getattr(helper("_table"), group)(outcomes) if row.gate]
    assert len(gates) >= BREADTH[group]
    missed = [
        f"{row.quantity}: {row.ours:.6g}, expected {row.expected} ({row.reason})" for row in gates if not row.within
    ]
    assert not missed, "\n".join(missed)


@pytest.mark.validation
def test_every_run_reaches_its_end(outcomes):
    assert not [outcome.case.key for outcome in outcomes.values() if outcome.failed]


@pytest.mark.validation
def test_integrators_agree(outcomes):
    """Same mean tension from Verlet and Dormand-Prince, within the 0.5 % due to the growth of an oscillation."""
    verlet, runge_kutta = outcomes["s90-gate"].mean, outcomes["s90-gate-dormand-prince"].mean
    np.testing.assert_allclose(verlet, runge_kutta, rtol=5e-3)


@pytest.mark.validation
def test_energy_is_accounted_for(outcomes):
    """Verlet at its own step: the audit closes to a thousandth of the energy exchanged; that of Dormand-Prince closes
    better.
    """
    for outcome in outcomes.values():
        assert outcome.residual < 1e-3, outcome.case.key
    assert outcomes["s90-gate-dormand-prince"].residual < 1e-4
