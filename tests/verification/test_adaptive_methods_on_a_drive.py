"""The adaptive methods on a drive with impacts and elastic friction: motion, losses, and the same bits when run in
pieces.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from chaindrive.contract.status import Status
from chaindrive.solvers import METHODS, Integrator, SolverSettings
from support.small_drives import compiled, run, two_wheels

ADAPTIVE = [
    pytest.param(name, marks=pytest.mark.long) if name == "adams" else name  # with kernels that no other test needs
    for name, method in METHODS.items()
    if not method.fixed_step and name not in ("bdf", "ida")
]
"""Adaptive methods; those of SUNDIALS have separate tests."""
UNTIL, INTERVAL = 0.02, 5e-4
"""End of the run and interval of rows [s]; two links pass."""


@pytest.fixture(scope="module")
def system():
    losses = {"link_damping": 10.0, "joint_friction": 0.1, "pin_diameter": 4.45e-3}
    drive = two_wheels(
        (8, 11), 6.3, speed=60.0, contact={"stiffness": 1e9, "restitution": 0.6, "friction": 0.2}, link_stiffness=1e6,
        links=22, second={"load_torque": 3.0, "inertia": 2e-4}, **losses,
    )  # fmt: skip
    return compiled(drive)


def begun(system):
    """The system at its start, with the memory of it."""
    own = dataclasses.replace(system, state=system.state.copy())
    own.kernels.begin(0.0, own.state, own.parameters)
    return own


@pytest.fixture(scope="module")
def tight(system):
    step = 0.02 / system.motion.highest_frequency
    return run(begun(system), UNTIL, INTERVAL, SolverSettings(method="verlet", step=step)).channels


@pytest.mark.parametrize("method", ADAPTIVE)
def test_tension_and_losses_are_those_of_a_tight_run(method, system, tight):
    done = run(begun(system), UNTIL, INTERVAL, SolverSettings(method=method))
    assert done.status == Status.REACHED_END
    found = done.channels
    early = slice(1, 11)  # 5 ms; later the impacts drift apart
    scale = np.abs(tight["link_tension"]).max()
    np.testing.assert_allclose(found["link_tension"][early], tight["link_tension"][early], rtol=0, atol=0.02 * scale)
    for name in ("work_input", "work_output", "work_contact", "work_friction", "work_articulation"):
        assert found[name][-1] == pytest.approx(tight[name][-1], rel=0.03), name
    exchanged = abs(found["work_input"][-1]) + abs(found["work_output"][-1])
    assert np.abs(found["energy_residual"]).max() < (1e-4 if method == "generalized-alpha" else 1e-5) * exchanged


@pytest.mark.parametrize("method", ADAPTIVE)
def test_in_pieces_it_gives_the_same_bits(method, system):
    """Cut every 37 steps and when its buffer of three rows is full, each piece by a new integrator."""
    until = 0.25 * UNTIL
    memory = begun(system).parameters.planar.impact_speed.copy()
    whole = Integrator(begun(system), SolverSettings(method=method), 1e-4, chunk_rows=100)
    assert whole.advance(until, 10**9) == Status.REACHED_END
    rows = []
    piece = Integrator(begun(system), SolverSettings(method=method), 1e-4, chunk_rows=3)
    while (status := piece.advance(until, 37)) == Status.RUNNING:
        saved = piece.snapshot()
        piece = Integrator(begun(system), SolverSettings(method=method), 1e-4, chunk_rows=3)
        piece.restore(saved)
        rows.append(piece.take_rows()[1])
    assert status == Status.REACHED_END
    np.testing.assert_array_equal(np.concatenate([*rows, piece.take_rows()[1]]), whole.take_rows()[1])
    np.testing.assert_array_equal(piece.state, whole.state)
    assert piece.statistics == whole.statistics
    assert np.count_nonzero(system.parameters.planar.impact_speed != memory) > 1
