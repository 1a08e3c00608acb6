"""Positions of rigid contacts that are projected after a step: the problem, its energy, runs against those without."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest
from _chains_on_rails import LINK_MASS, RIGID, G
from _sprung_rails import LAYS, on_a_soft_rail
from rigid_chains import longer

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar.rigid_laws import ALLOWED
from chaindrive.model import Drive, example, override
from chaindrive.results.solution import Solution
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.solvers.complementarity import Outcome, solve_lcp
from chaindrive.studies.formulations import in_formulation

STEP, LONG = 2e-5, 1e-4
"""A step, and one at which rollers penetrate deeply into the teeth of an industrial drive. [s]"""
PROJECTED = {"position_projection": True}
CHAINS = {
    "rollers": {"kind": "roller"},
    "links": {"kind": "link", "joint": "clearance"},
    "ideal": {"kind": "link", "joint": "ideal"},
    "revolute": {"kind": "link", "joint": "revolute"},
}


def rigid(name: str, chain: str = "rollers", step: float = STEP, **options: bool) -> Drive:
    """An example with rigid contacts."""
    changes = {"run.formulation": CHAINS[chain] | {"contacts": "rigid"} | options, "run.solver.step": step}
    return override(example(name), changes | ({"chain.joint_clearance": 0.0} if chain == "revolute" else {}))


@pytest.mark.parametrize(
    ("chain", "method"),
    [
        *(("rollers", "moreau-jean"), ("rollers", "nonsmooth-alpha")),
        # with kernels of their own; by default revolute links are projected in a closed chain, below
        *(pytest.param("revolute", method, marks=pytest.mark.long) for method in ("moreau-jean", "nonsmooth-alpha")),
    ],
)
def test_a_chain_is_lifted_out_of_a_rail(chain: str, method: str) -> None:
    """At rest on a flat rail the projection only lifts its weight, to the permitted depth."""
    depth = 1e-4
    system = on_a_soft_rail(-depth, RIGID | PROJECTED | CHAINS[chain], compliant=False)
    allowed = system.rigid.allowed
    assert allowed == pytest.approx(ALLOWED * 0.0254)
    run = Integrator(system, SolverSettings(method=method, step=STEP), STEP)
    assert run.advance(10 * STEP).name == "REACHED_END"
    rows = run.take_rows()[1]
    lifted = depth - allowed
    found = {name: system.channel(name).read(rows) for name in ("work_projection", "energy_gravity", "energy_residual")}
    height = system.channel("roller_position").read(rows)[..., 1]
    np.testing.assert_allclose(height[-1] - height[0], lifted, rtol=1e-6)
    assert -found["work_projection"][-1] == pytest.approx((LAYS + 1) * LINK_MASS * G * lifted, rel=1e-2)  # end masses
    assert -found["work_projection"][-1] == pytest.approx(found["energy_gravity"][-1] - found["energy_gravity"][0])
    assert np.abs(found["energy_residual"]).max() < 1e-9 * abs(found["work_projection"][-1]) + 1e-15
    assert np.abs(system.channel("roller_velocity").read(rows)[..., 1]).max() < 1e-12


@pytest.mark.parametrize("chain", ["rollers", "revolute"])
def test_the_projection_is_the_smallest_in_the_inertia_of_the_step(chain: str) -> None:
    """M dq = W lambda, 0 <= gap + allowed + W^T dq _|_ lambda >= 0, solved densely; velocities stay as they are."""
    ends, allowed = [], 0.0
    for projects in (False, True):
        drive = rigid("industrial-08b", chain, position_projection=projects)
        system = compile_system(drive, drive.run.formulation, True)
        n, chain_of = system.positions, system.parameters.planar.layout.wheel_angle
        shift = 1e-4 * np.random.default_rng(30).standard_normal(2)
        third = chain_of // (2 if chain == "rollers" else 3)
        system.state[:third] += shift[0]
        system.state[third : 2 * third] += shift[1]
        system.state[n : 2 * n] = system.motion.rolling
        run = Integrator(system, SolverSettings(method="moreau-jean", step=STEP), STEP)
        run.advance(STEP)
        ends.append(run.state.copy())
        allowed = allowed if system.rigid.allowed == np.inf else system.rigid.allowed
        if not projects:
            kernels, p, y = system.kernels.rigid, system.parameters, ends[0]
            gap, opening = np.zeros((2, system.rigid.laws.friction.size))
            dy = np.zeros_like(y)
            system.kernels.rhs(STEP, y, dy, p)
            kernels.renew(STEP, y, dy, STEP, p)
            kernels.gaps(gap, opening, p)
            near = np.flatnonzero(gap < -gap.min()).astype(np.int64)
            k = near.size
            matrix, response = np.zeros((2 * k, 2 * k)), np.zeros(system.velocities)
            kernels.inverse_inertia(y, near, k, matrix, p)
    assert -gap.min() > 1.5 * allowed
    found = solve_lcp(matrix[:k, :k], gap[near] + allowed)
    assert found.outcome is Outcome.SOLVED
    assert (found.x > 0.0).any()
    kernels.respond(k, np.concatenate([found.x, np.zeros(k)]), response, p)
    np.testing.assert_allclose(ends[1][:n] - ends[0][:n], response, rtol=0.0, atol=1e-6 * np.abs(response).max())
    np.testing.assert_array_equal(ends[1][n : 2 * n], ends[0][n : 2 * n])


@functools.cache
def run_of(chain: str, projects: bool, step: float = LONG) -> Solution:
    """A chain of 120 rollers with long steps."""
    changes = {"run.formulation": CHAINS[chain] | {"contacts": "rigid", "position_projection": projects}}
    drive = override(longer(example("industrial-08b"), 120), changes | {"run.solver.step": step, "run.until": 0.1})
    return cd.simulate(drive, progress=False)


@pytest.mark.parametrize("chain", ["rollers", pytest.param("links", marks=pytest.mark.long)])
def test_rollers_go_less_deep_at_the_price_of_the_account(chain: str) -> None:
    without, run = run_of(chain, False), run_of(chain, True)
    assert run.notes["largest_penetration"] < 0.8 * without.notes["largest_penetration"]
    assert "work_projection" not in without.channels
    spent = float(run.values("work_projection")[-1])
    assert run.audit.rows["lost in projection of positions"] == pytest.approx(spent, rel=1e-6)
    means = [np.nanmean(each.values("span_tension")[10:], axis=0).max() for each in (without, run)]
    assert means[1] == pytest.approx(means[0], rel=0.02)


@pytest.mark.parametrize(
    ("chain", "above", "missed"),
    [("rollers", 20.0, 2e-5), pytest.param("links", 5.0, 1e-4, marks=pytest.mark.long)],
)
def test_the_balance_closes_with_the_account_of_the_projection(chain: str, above: float, missed: float) -> None:
    """The input is far above the residual, for runs with three steps together.

    Pins with clearance part and land within such long steps, by which the balance of one run, projected or not, misses
    anything from 1e-6 to 1e-4.
    """
    runs = [run_of(chain, True, part * LONG) for part in (0.97, 1.0, 1.03)]
    ends = [
        [float(run.values(name)[-1]) for run in runs] for name in ("work_projection", "energy_residual", "work_input")
    ]
    spent, residual, exchanged = (np.abs(end).sum() for end in ends)
    assert residual < missed * exchanged
    assert spent > above * residual


@pytest.mark.parametrize(
    ("chain", "method"),
    [
        *(("rollers", "moreau-jean"), ("rollers", "nonsmooth-alpha"), ("ideal", "moreau-jean")),
        ("revolute", "moreau-jean"),
        *(pytest.param(chain, "nonsmooth-alpha", marks=pytest.mark.long) for chain in ("ideal", "revolute")),
    ],
)
def test_a_run_that_was_cut_goes_on_bit_for_bit(chain: str, method: str) -> None:
    drive = rigid("industrial-08b", chain, LONG, position_projection=True)

    def integrator() -> tuple[Integrator, System]:
        system = compile_system(drive, drive.run.formulation, True)
        system = replace(system, rigid=system.rigid._replace(allowed=2e-5 * drive.chain.pitch))  # less than is let in
        system.state[system.positions : 2 * system.positions] = system.motion.rolling
        return Integrator(system, SolverSettings(method=method, step=LONG), 5e-4), system

    (whole, system), (first, _), (second, _) = integrator(), integrator(), integrator()
    assert whole.advance(1e-2).name == "REACHED_END"
    first.advance(1e-2, budget_steps=37)
    second.restore(first.snapshot())
    second.advance(1e-2)
    account = system.channel("work_projection").read(whole.take_rows()[1])
    assert account[-1] != 0.0
    np.testing.assert_array_equal(whole.state, second.state)


def test_contacts_with_springs_are_left_alone() -> None:
    """Rollers on rails that keep their springs stay pressed in; if all contacts keep springs, nothing is projected."""
    sprung = override(rigid("industrial-08b", step=LONG, position_projection=True), {"contact.compliant": True})
    run = cd.simulate(override(sprung, {"run.until": 0.02}), progress=False)
    assert not run.values("work_projection").any()


def refused(drive: Drive, changes: dict[str, object]) -> list[str]:
    with pytest.raises(InputError) as error:
        override(drive, changes)
    return [f"{problem.place}: {problem.message}" for problem in error.value.problems]


def test_what_it_does_not_go_with_is_refused_by_name() -> None:
    place = "run.formulation.position_projection"
    springs = refused(example("industrial-08b"), {place: True})
    assert [text for text in springs if text.startswith(place) and "contacts = 'rigid'" in text]
    stages = refused(in_formulation(example("tandem"), "roller-rigid"), {place: True})
    assert [text for text in stages if text.startswith(place) and "one chain" in text]


def test_the_option_stays_behind_with_rigid_contacts() -> None:
    springs = in_formulation(rigid("industrial-08b", position_projection=True), "roller")
    assert not springs.run.formulation.position_projection
