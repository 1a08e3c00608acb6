"""The frequency that bounds an explicit step, against closed-form solutions and against the spectrum of whole
drives.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from steps_in_space import derivatives

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar.limits import coupled_square
from chaindrive.model import override
from chaindrive.simulation.start import prepare
from chaindrive.solvers import splitting
from chaindrive.solvers.fastest import highest_frequency
from chaindrive.solvers.integrator import Integrator, SolverSettings
from chaindrive.solvers.splitting import LARGEST_IN_SPACE, carried_on
from support.small_drives import wheels_in_space


def test_a_spring_between_two_that_move() -> None:
    """Two masses, each on its own spring, with one between them, of which one or both may be heavy, soft or absent."""
    rng = np.random.default_rng(29)
    for own, other, between, mass, heavier in 10.0 ** rng.uniform(-2.0, 2.0, (20, 5)):
        stiffness = np.array([[own + between, -between], [-between, other + between]])
        exact = np.linalg.eigvals(stiffness / np.array([[mass], [heavier]])).max()
        found = coupled_square(own / mass, between / mass, other / heavier, between / heavier)
        assert found == pytest.approx(exact, rel=1e-9)
    assert coupled_square(3.0, 2.0, 0.0, 0.0) == 5.0
    assert coupled_square(0.0, 0.0, 3.0, 2.0) == 5.0


def test_links_of_two_kinds_vibrate_as_a_chain_of_two_masses() -> None:
    """w^2 = 2 k (1/m1 + 1/m2), the optical branch of a chain of alternating masses (Brillouin 1946)."""
    drive = override(cd.example("v6-timing"), {"chain.link_damping": 0.0})
    system = compile_system(drive, drive.run.formulation, True)
    body, stiffness = system.parameters.body, float(system.parameters.joint.stiffness[0])
    assert body.mass[0] != body.mass[1]
    exact = math.sqrt(2.0 * stiffness * (1.0 / body.mass[0] + 1.0 / body.mass[1]))
    assert system.story.notes["step_limits"]["links"] == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(("name", "kind"), [("timing-06b", "roller"), ("timing-06b", "link")])
def test_a_drive_with_a_tensioner_has_hardly_a_lower_one(name: str, kind: str) -> None:
    """The value is above all frequencies of the drive in equilibrium, and not far above."""
    drive = override(cd.example(name), {"run.formulation.kind": kind})
    system = prepare(drive, drive.run.formulation).system
    bound = system.motion.undamped_frequency
    assert 1.0 <= bound / _fastest(system) < 1.2


def _fastest(system: System) -> float:
    """The highest frequency at the state of a system, by differences of its accelerations. [rad/s]"""
    n, y = system.positions, system.state.copy()
    system.kernels.begin(0.0, y, system.parameters)
    columns = np.empty((n, n))
    for j in range(n):
        found = []
        for step in (1e-9, -1e-9):
            moved, rates = y.copy(), np.zeros_like(y)
            moved[j] += step
            system.kernels.rhs(0.0, moved, rates, system.parameters)
            found.append(rates[n : 2 * n])
        columns[:, j] = (found[0] - found[1]) / 2e-9
    return math.sqrt(-np.linalg.eigvals(columns).real.min())


IN_SPACE = {
    "in line": {},
    "offset and tilted": {"offset": 2e-3, "tilt": (0.01, 0.02)},
    "friction smoothed over the speed": {"options": {"friction_speed": 0.6}, "offset": 1e-3},
    "heavily damped links": {"link_damping": 60.0},
    "heavy links at high speed": {"link_mass": 0.05, "speed": 200.0},
    "light links, hard teeth": {"link_mass": 0.002, "contact": {"stiffness": 1e11, "friction": 0.1}},
}
"""Drives of two wheels, named by their change."""


def begun(**changes) -> System:
    """A drive in space at its start."""
    drive = wheels_in_space(second={"load_torque": 10.0}, **changes)
    return prepare(drive, drive.run.formulation, "at_speed").system


@pytest.mark.parametrize("changes", IN_SPACE.values(), ids=list(IN_SPACE))
def test_the_frequency_of_links_in_space_is_that_of_the_linearised_equations(changes) -> None:
    """W^2 is the largest eigenvalue of M^-1 K + 2 k W M^-1 C, all of whose columns are differences here.

    A hundredth is what ``Motion.linearised_frequency`` promises.
    """
    system = begun(**changes)
    stiffness, damping = derivatives(system)
    exact, carried = system.motion.linearised_frequency, 1.0 + carried_on(system)
    for _ in range(40):
        both = stiffness + 2.0 * carried * exact * damping
        exact = math.sqrt(np.linalg.eigvals(both).real.max())
    assert system.motion.linearised_frequency == pytest.approx(exact, rel=0.01)


def test_a_step_that_has_become_too_long_is_shortened_before_it_feeds_anything() -> None:
    """The start assumes half of the frequency; the first check comes before the first step."""
    system = begun(offset=2e-3)
    known = system.motion.linearised_frequency
    system = replace(system, motion=replace(system.motion, linearised_frequency=0.5 * known))
    run = Integrator(system, SolverSettings(method="splitting"), 1.0)
    first = run.step
    assert run.advance(20e-6) == Status.REACHED_END
    assert first * known > 2.0
    assert 0.9 * LARGEST_IN_SPACE < run.step * known < 1.01 * LARGEST_IN_SPACE
    assert run.cuts.number > 0


def test_a_run_whose_springs_harden_takes_shorter_steps() -> None:
    """The sticking stiffness on teeth grows a hundredfold in the middle of a run."""
    system = begun(offset=2e-3)
    run = Integrator(system, SolverSettings(method="splitting"), 1.0)
    first, p = run.step, system.parameters
    assert run.advance(1e-3) == Status.REACHED_END
    before = run.step
    p.planar.surface.tangential[:] *= 100.0
    assert run.advance(3e-3) == Status.REACHED_END
    now = highest_frequency(replace(system, state=run.state), 1.0 + carried_on(system))
    assert before == first
    assert now > 1.5 * system.motion.linearised_frequency
    assert run.step * now < 2.0
    assert run.cuts.highest_asked == pytest.approx(now, rel=0.05)

    p.planar.surface.tangential[:] /= 100.0
    run.begin_section()
    assert run.cuts.highest_asked == 0.0
    assert run.advance(4e-3) == Status.REACHED_END
    assert 0.0 < run.cuts.highest_asked < 0.8 * now
    shorter = run.step
    run.lengthen(first)
    assert run.advance(5e-3) == Status.REACHED_END
    assert shorter < run.step <= first


@pytest.mark.parametrize(
    ("options", "most", "part"),
    [({}, 5e-4, 0.6), ({"friction_speed": 0.6, "presliding": 0.005}, 5e-5, 1.0)],
    ids=["elastic", "smoothed"],
)
def test_the_default_step_in_space_keeps_the_balance_of_energy(options, most, part, monkeypatch) -> None:
    """Residuals over losses. With elastic friction a velocity extrapolated by half is more exact."""

    def residual() -> float:
        drive = wheels_in_space(second={"load_torque": 10.0}, offset=1e-3, options=options)
        audit = cd.simulate(drive, 0.02, progress=False).audit
        return float(audit.largest_residual) / math.fsum(audit.losses.values())

    found = residual()
    monkeypatch.setattr(splitting, "CARRIED", 0.0)
    assert found < most
    assert found <= part * residual()


def test_joints_that_yield_do_not_gain_energy_in_the_default_step() -> None:
    """Their state acts as a spring: predicted along its rate alone, or twice that, the balance would require half the
    step.
    """
    options = {"friction_speed": 0.6, "presliding": 3e-4}
    drive = wheels_in_space(second={"load_torque": 10.0}, offset=1e-3, options=options, joint_damping=0.0)
    run = cd.simulate(drive, 4e-3, progress=False)
    assert "shortened" not in run.statistics
    assert float(run.audit.largest_residual) < 2e-4 * math.fsum(run.audit.losses.values())
