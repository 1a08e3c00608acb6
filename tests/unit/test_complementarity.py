"""Complementarity problems: the three methods, the three forms of contacts with friction, and how each can fail."""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive.errors import InputError
from chaindrive.solvers.complementarity import FORMS, METHODS, Outcome, solve_contacts, solve_lcp


def contacts(seed: int, count: int, velocities: int = 14, friction: float = 0.3) -> tuple[np.ndarray, ...]:
    """Inverse inertia, free motion and friction of random contacts of a system with this number of velocities."""
    rng = np.random.default_rng(seed)
    mass = rng.normal(size=(velocities, velocities))
    mass = mass @ mass.T + np.eye(velocities)
    w, u = rng.normal(size=(velocities, 2 * count)), rng.normal(size=velocities)
    return w.T @ np.linalg.solve(mass, w), w.T @ u, rng.uniform(0.1 * friction, friction, count)


def violation(matrix: np.ndarray, vector: np.ndarray, friction: np.ndarray, force: np.ndarray) -> float:
    """Amount by which contact forces violate Coulomb's law, or press where the contact opens."""
    motion = matrix @ force + vector
    (normal, tangential), (opens, slip) = np.split(force, 2), np.split(motion, 2)
    slides = np.abs(slip) > 1e-9
    return max(
        (-normal).max(),
        (-opens).max(),
        np.abs(normal * opens).max(),
        (np.abs(tangential) - friction * normal).max(),
        np.abs((tangential + friction * normal * np.sign(slip))[slides]).max(initial=0.0),
    )


def test_the_solution_of_two_unknowns():
    # y = A x + b with x1 = 0: y2 = 2 x2 - 4 = 0 gives x2 = 2, y1 = 1 x2 + 1 = 3.
    found = solve_lcp([[2.0, 1.0], [1.0, 2.0]], [1.0, -4.0])
    np.testing.assert_allclose(found.x, [0.0, 2.0], atol=1e-15)
    np.testing.assert_allclose(found.y, [3.0, 0.0], atol=1e-15)
    assert (found.outcome, found.pivots) == (Outcome.SOLVED, 2)


def test_nothing_is_pivoted_where_nothing_presses():
    assert solve_lcp(np.eye(3), [0.0, 1.0, 2.0]).pivots == 0
    assert solve_lcp(np.eye(3), [0.0, 0.0, 0.0]).outcome is Outcome.SOLVED


def test_contacts_that_tie_in_every_ratio_are_solved():
    # A square table: four legs share a load, every ratio ties; redundant (rank 3 of 4).
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    w = np.column_stack([np.ones(4), corners])
    found = solve_lcp(w @ w.T, -w @ [9.81, 0.0, 0.0])
    assert found.outcome is Outcome.SOLVED
    np.testing.assert_allclose(w.T @ found.x, [9.81, 0.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("light", [1.0, 1e-9, 1e9])
def test_scales_of_contacts_do_not_matter(light: float):
    # Entries of a light body beside those of a heavy one: forces scale with the inertia, no ray appears.
    matrix, vector, friction = contacts(3, 5)
    scale = np.tile([1.0, light, 1.0, light, 1.0], 2)
    wanted = solve_contacts(matrix, vector, friction)
    found = solve_contacts(scale[:, None] * matrix * scale, scale * vector, friction)
    assert found.outcome is Outcome.SOLVED
    np.testing.assert_allclose(scale * found.force, wanted.force, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", [1, 4, 12])
def test_every_method_gives_forces_that_obey_coulomb(method: str, count: int):
    for seed in range(10):
        matrix, vector, friction = contacts(seed, count, velocities=30)
        found = solve_contacts(matrix, vector, friction, method=method)
        assert found.outcome is Outcome.SOLVED
        assert found.residual < 1e-10
        np.testing.assert_allclose(found.motion, matrix @ found.force + vector)
        assert violation(matrix, vector, friction, found.force) < 1e-8


@pytest.mark.parametrize("form", FORMS)
def test_a_block_pushed_below_and_above_the_limit_of_friction(form: str):
    # Mass 2, weight 20, mu = 0.5: sticks against 8, slides with (12 - 10)/2 under 12, and so backwards.
    inertia = np.eye(2) / 2.0
    for push, force, slip in ((8.0, -8.0, 0.0), (12.0, -10.0, 1.0), (-12.0, 10.0, -1.0)):
        found = solve_contacts(inertia, [-10.0, push / 2.0], [0.5], form=form)
        np.testing.assert_allclose(found.force, [20.0, force], atol=1e-12)
        np.testing.assert_allclose(found.motion, [0.0, slip], atol=1e-12)
    # One that slides already has friction against its motion, whatever pushes.
    found = solve_contacts(inertia, [-10.0, 4.0], [0.5], sliding=[1.0], form=form)
    np.testing.assert_allclose(found.force, [20.0, -10.0], atol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_sliding_friction_acts_on_normal_forces(form: str):
    # A rod whose end slides: with W coupled by friction, the normal force is -c_N/(G_NN - mu G_NT), not -c_N/G_NN.
    inertia = np.array([[2.0, 0.8], [0.8, 1.5]])
    for direction in (1.0, -1.0):
        found = solve_contacts(inertia, [-3.0, 0.0], [0.5], sliding=[direction], form=form)
        normal = 3.0 / (2.0 - 0.5 * direction * 0.8)
        np.testing.assert_allclose(found.force, [normal, -0.5 * direction * normal], rtol=1e-12)
        np.testing.assert_allclose(found.motion[0], 0.0, atol=1e-12)


def test_redundant_contacts_have_a_solution_in_the_copositive_form():
    solved = dict.fromkeys(("compact", "copositive"), 0)
    for seed in range(200):
        matrix, vector, friction = contacts(seed, 6, velocities=3, friction=1.0)
        for form in solved:
            found = solve_contacts(matrix, vector, friction, form=form)
            solved[form] += found.outcome is Outcome.SOLVED
            if found.outcome is Outcome.SOLVED:
                assert violation(matrix, vector, friction, found.force) < 1e-7 * max(1.0, np.abs(found.force).max())
    assert solved["copositive"] == 200 > solved["compact"] > 150


def test_over_relaxation_needs_fewer_sweeps_for_blocks_in_a_stack():
    n = 12  # the lowest stands on the ground, each carries those above
    inverse = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    inverse[0, 0] = 1.0
    matrix = np.kron(np.eye(2), inverse)
    vector = np.concatenate([[-1.0], np.zeros(2 * n - 1)])
    plain, relaxed = (
        solve_contacts(matrix, vector, np.zeros(n), method="gauss-seidel", relaxation=w) for w in (1.0, 1.7)
    )
    np.testing.assert_allclose(plain.force[:n], np.arange(n, 0, -1.0), rtol=1e-8)
    np.testing.assert_allclose(relaxed.force[:n], np.arange(n, 0, -1.0), rtol=1e-8)
    assert relaxed.iterations < 0.4 * plain.iterations


def test_newton_takes_few_iterations_however_many_contacts():
    for count in (4, 40):
        matrix, vector, friction = contacts(7, count, velocities=200)
        assert 0 < solve_contacts(matrix, vector, friction, method="semismooth-newton").iterations <= 12


def test_a_start_that_is_the_solution_needs_no_iteration():
    matrix, vector, friction = contacts(1, 5)
    start = solve_contacts(matrix, vector, friction).force
    for method in ("gauss-seidel", "semismooth-newton"):
        found = solve_contacts(matrix, vector, friction, method=method, start=start, tolerance=1e-10)
        assert (found.outcome, found.iterations) == (Outcome.SOLVED, 0)


def test_every_way_to_fail_is_told():
    matrix, vector, friction = contacts(2, 5)
    assert solve_lcp([[-1.0]], [-1.0]).outcome is Outcome.RAY
    assert solve_lcp(np.eye(2), [np.nan, 1.0]).outcome is Outcome.NOT_A_NUMBER
    assert solve_lcp([[1.0, np.inf], [0.0, 1.0]], [-1.0, 1.0]).outcome is Outcome.NOT_A_NUMBER
    assert solve_contacts(matrix, vector, friction, most=1).outcome is Outcome.TOO_MANY_ITERATIONS
    for method in ("gauss-seidel", "semismooth-newton"):
        few = solve_contacts(matrix, vector, friction, method=method, most=1, tolerance=0.0)
        assert few.outcome is Outcome.TOO_MANY_ITERATIONS
        assert few.iterations == 1
        held = solve_contacts(np.zeros((2, 2)), [-1.0, 0.0], [0.1], method=method)
        assert held.outcome is Outcome.SINGULAR
        assert solve_contacts(np.eye(2), [np.nan, 0.0], [0.1], method=method).outcome is Outcome.NOT_A_NUMBER
    for outcome in Outcome:
        assert outcome.meaning.endswith(".")
        assert bool(outcome.advice) == (outcome is not Outcome.SOLVED)


def test_what_does_not_fit_is_refused_with_its_place():
    with pytest.raises(InputError) as caught:
        solve_lcp(np.eye(2), np.zeros(3))
    assert [problem.place for problem in caught.value.problems] == ["matrix"]
    with pytest.raises(InputError) as caught:
        solve_contacts(np.eye(4), np.zeros(4), [0.1, -0.2], method="newton", form="short", relaxation=2.0)
    assert [problem.place for problem in caught.value.problems] == ["friction[1]", "method", "form", "relaxation"]
    with pytest.raises(InputError, match="copositive"):
        solve_contacts(np.eye(2), np.zeros(2), [0.1], before=[1.0], form="paper")
    with pytest.raises(InputError, match="lemke"):
        solve_contacts(np.eye(2), np.zeros(2), [0.1], sliding=[1.0], method="gauss-seidel")
