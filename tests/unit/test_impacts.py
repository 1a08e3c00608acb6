"""Impacts of rigid contacts: both laws, with friction, several at once."""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive.errors import InputError
from chaindrive.solvers.complementarity import Outcome
from chaindrive.solvers.nonsmooth import LAWS, impact


@pytest.mark.parametrize("law", LAWS)
def test_frictionless_contacts_that_all_take_part(law: str):
    # Pfeiffer, Fritz & Srnik (1997), Eq. 12, corrected: Lambda = -G^-1 (E + eps) g'-.
    inertia = np.zeros((4, 4))
    inertia[:2, :2] = [[2.0, 0.5], [0.5, 1.0]]
    before, restitution = np.array([-1.0, -2.0, 0.3, 0.4]), np.array([0.5, 0.5])
    found = impact(inertia, before, [0.0, 0.0], restitution, law)
    wanted = -np.linalg.solve(inertia[:2, :2], (1.0 + restitution) * before[:2])
    np.testing.assert_allclose(found.impulse, [*wanted, 0.0, 0.0], atol=1e-14)
    assert (found.law, found.outcome) == (law, Outcome.SOLVED)


@pytest.mark.parametrize("law", LAWS)
def test_a_ball_with_friction_slides_or_is_stopped(law: str):
    # A particle of mass 2 with normal speed -3 and restitution 0.5: P_N = 9; friction stops 2 * 1.5 = 3 at most.
    for slip, friction, tangential in ((1.0, 0.5, -2.0), (4.0, 0.5, -4.5), (-4.0, 0.5, 4.5)):
        found = impact(np.eye(2) / 2.0, [-3.0, slip], [friction], [0.5], law)
        np.testing.assert_allclose(found.impulse, [9.0, tangential], atol=1e-12)
        after = np.array([-3.0, slip]) + found.impulse / 2.0
        assert found.energy == pytest.approx(after @ after - 9.0 - slip**2)


def test_a_contact_that_parts_has_no_impulse():
    found = impact(np.eye(4), [1.0, -1.0, 0.0, 0.0], [0.3, 0.3], [0.5, 0.5])
    np.testing.assert_allclose(found.impulse, [0.0, 1.5, 0.0, 0.0], atol=1e-14)


def test_newton_gives_way_where_it_would_create_energy():
    # Normal and tangential directions that are strongly coupled (Kane & Levinson 1985): the slip reverses.
    inertia, laws = np.array([[1.0, -0.9], [-0.9, 1.0]]), set()
    for friction in np.linspace(0.0, 1.2, 13):
        for slip in np.linspace(-1.0, 2.0, 16):
            found = impact(inertia, [-1.0, slip], [friction], [0.9])
            assert found.energy <= 1e-15
            laws.add(found.law)
    assert laws == {"newton", "poisson"}


def test_a_body_between_walls_has_no_rebound_by_newton():
    # One velocity, two walls that both touch: Newton wants +1/2 from the one, the other allows no speed at all.
    inertia = np.zeros((4, 4))
    inertia[:2, :2] = [[1.0, -1.0], [-1.0, 1.0]]
    found = impact(inertia, [-1.0, 1.0, 0.0, 0.0], [0.0, 0.0], [0.5, 0.5])
    assert found.law != "newton"
    assert found.outcome is Outcome.SOLVED
    np.testing.assert_allclose(inertia[0, :2] @ found.impulse[:2], 1.0)


def test_poisson_gives_way_where_several_restitutions_would_create_energy():
    # Found among random impacts: a plastic and an elastic contact. Poisson's law alone gains 2.3 times the energy.
    w = np.array([[0.6, -0.7, 0.0, -0.8], [0.1, -1.5, -1.8, 0.0], [0.4, 0.7, 0.6, -0.3]])
    before = np.array([-0.3, 0.2, -1.3])
    found = impact(w.T @ w, w.T @ before, [2.0, 1.0], [0.0, 1.0], "poisson")
    after = before + w @ found.impulse
    assert (found.law, found.outcome) == ("poisson, one restitution", Outcome.SOLVED)
    assert found.energy == pytest.approx(0.5 * (after @ after - before @ before))
    assert after @ after < before @ before
    assert impact(w.T @ w, w.T @ before, [2.0, 1.0], [1.0, 1.0], "poisson").law == "poisson"


def test_what_is_not_allowed_is_refused():
    with pytest.raises(InputError) as caught:
        impact(np.eye(2), [-1.0, 0.0], [0.3], [1.2], "stronge")
    assert [problem.place for problem in caught.value.problems] == ["restitution[0]", "law"]
