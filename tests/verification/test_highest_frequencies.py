"""The frequency that bounds an explicit step, beside closed forms and beside the spectrum of whole drives."""

from __future__ import annotations

import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar.limits import coupled_square
from chaindrive.model import override
from chaindrive.simulation.start import prepare


def test_a_spring_between_two_that_move() -> None:
    """Two masses on springs of their own, with one between them, of which one or both may be heavy, soft or absent."""
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
    """Above all frequencies of the drive in equilibrium, and not far above."""
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
