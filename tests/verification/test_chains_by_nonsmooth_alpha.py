"""Chains with rigid contacts by nonsmooth generalized alpha: of second order while contacts stay closed."""

from __future__ import annotations

import numpy as np
import pytest
from _chains_on_rails import (
    CURVED,
    LINKS,
    PIVOT,
    UNTIL,
    G,
    end_of,
    landing,
    on_a_curve,
    orders,
    pendulum,
    swinging,
)

from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.model import example, override
from chaindrive.simulation.settings import chosen_method
from chaindrive.simulation.start import as_laid
from chaindrive.solvers import Integrator, SolverSettings

FIRST, SECOND = "moreau-jean", "nonsmooth-alpha"
STEPS = (8e-4, 4e-4, 2e-4, 1e-4)
"""[s]"""


def test_a_chain_without_contacts_whose_joints_have_damping() -> None:
    finest = end_of(swinging(), SECOND, 1e-5)[0]
    errors = {
        method: [float(np.abs(end_of(swinging(), method, step)[0] - finest).max()) for step in STEPS]
        for method in (FIRST, SECOND)
    }
    assert orders(errors[SECOND]) == pytest.approx(2.0, abs=0.25)
    assert (np.array(errors[SECOND]) < 0.5 * np.array(errors[FIRST])).all()


@pytest.mark.parametrize("way", CURVED)
def test_a_chain_that_slides_on_a_curve_is_a_pendulum(way: str) -> None:
    """It never leaves the rail, at any step, and its error falls with the square of the step."""
    angle, speed, middle, errors = 0.3, 0.5, LINKS // 2, []
    for step in STEPS:
        system, radius = on_a_curve(way, 0.0, angle, speed)
        place, force = end_of(system, SECOND, step)
        errors.append(abs(complex(*place[:, middle]) - pendulum(way, radius, angle, speed)))
        assert (force > 0.0).all()
    assert orders(errors) == pytest.approx(2.0, abs=0.15)


def test_on_a_crest_the_other_method_parts_and_lands() -> None:
    assert (end_of(on_a_curve("crest", 0.0, 0.3, 0.5)[0], FIRST, STEPS[-1])[1] == 0.0).any()


def test_landings_are_of_first_order_by_either_method() -> None:
    """The order is not less and hardly more, over all steps together: the instant of landing within a step is
    random.
    """
    finest = end_of(landing(), SECOND, 4e-6)[0]
    for method in (FIRST, SECOND):
        errors = [float(np.abs(end_of(landing(), method, step)[0] - finest).max()) for step in STEPS]
        assert 0.6 < orders(errors).mean() < 1.5


def test_order_of_both_methods_on_a_curve_with_friction() -> None:
    finest = end_of(on_a_curve("hollow", 0.3, 0.3, 0.5)[0], SECOND, 4e-6)[0]
    errors = {
        method: [
            float(np.abs(end_of(on_a_curve("hollow", 0.3, 0.3, 0.5)[0], method, step)[0] - finest).max())
            for step in STEPS
        ]
        for method in (FIRST, SECOND)
    }
    assert orders(errors[SECOND]) == pytest.approx(2.0, abs=0.15)
    assert orders(errors[FIRST]) == pytest.approx(1.0, abs=0.15)
    assert errors[SECOND][0] < 0.1 * errors[FIRST][0]


def test_a_chain_sticks_on_a_curve() -> None:
    """Friction above the slope holds it where it has landed, to rounding."""
    system, _ = on_a_curve("hollow", 0.9, 0.3, 0.0)
    run = Integrator(system, SolverSettings(method=SECOND, step=1e-4), 1e-3)
    places = []
    for until in (0.5 * UNTIL, UNTIL):
        run.advance(until)
        places.append(run.state[: 2 * (LINKS + 1)])
    np.testing.assert_allclose(*places, rtol=0.0, atol=1e-12)


def test_a_chain_that_sticks_is_carried_by_its_rail() -> None:
    """It turns with the rail, whose motion is prescribed, as if it were part of it; to second order in the step."""
    turn, errors = 0.01, []
    for step in STEPS:
        system, _ = on_a_curve("hollow", 0.9, 0.0, 0.0, turn)
        points = np.array([1.0, 1j]) @ system.state[: 2 * (LINKS + 1)].reshape(2, -1)
        turned = complex(*PIVOT) + (points - complex(*PIVOT)) * np.exp(1j * turn)
        place = end_of(system, SECOND, step)[0]
        errors.append(float(np.abs(np.array([1.0, 1j]) @ place - turned).max()))
    assert orders(errors) == pytest.approx(2.0, abs=0.2)
    assert errors[0] < 2.0 * G * STEPS[0] ** 2  # in the first step it falls on the rail


def test_energy_of_a_chain_on_a_curve_goes_into_friction_alone() -> None:
    """Closed contacts do no other work, and the remaining energy never grows."""
    system, _ = on_a_curve("hollow", 0.3, 0.3, 0.5)
    run = Integrator(system, SolverSettings(method=SECOND, step=2e-4), 1e-3)
    run.advance(UNTIL)
    rows = run.take_rows()[1]
    read = {channel.name: channel.read(rows) for channel in system.channels}
    kept = sum(values for name, values in read.items() if name.startswith("energy_") and name != "energy_residual")
    spent = read["work_guide"] + read["work_contact"]
    np.testing.assert_allclose(kept[0] - kept, spent, rtol=0.0, atol=1e-6 * np.ptp(spent))
    assert (np.diff(spent) > 0.0).all()
    assert np.ptp(read["work_contact"]) < 1e-3 * np.ptp(read["work_guide"])


RIGID_CONTACTS = {"run.formulation": {"kind": "roller", "contacts": "rigid"}}


@pytest.mark.parametrize("given", ["generalized-alpha", "nonsmooth-alpha"])
def test_it_is_chosen_by_either_name(given: str) -> None:
    drive = override(example("industrial-08b"), RIGID_CONTACTS | {"run.solver.method": given})
    system = as_laid(drive)
    assert chosen_method(drive.run, drive, system).method == SECOND
    assert not [text for text in system.story.warnings if given in text]


def test_it_needs_rigid_contacts() -> None:
    with pytest.raises(InputError, match="contacts = 'rigid'") as refused:
        override(example("industrial-08b"), {"run.solver.method": SECOND})
    assert [problem.place for problem in refused.value.problems] == ["run.solver.method"]
    drive = example("industrial-08b")
    with pytest.raises(InputError, match="contacts = 'rigid'"):
        Integrator(compile_system(drive, drive.run.formulation, True), SolverSettings(method=SECOND, step=1e-5), 1e-3)


def test_a_method_of_springs_is_refused_for_rigid_contacts_by_name() -> None:
    drive = override(example("industrial-08b"), RIGID_CONTACTS)
    system = compile_system(drive, drive.run.formulation, True)
    with pytest.raises(InputError, match="'nonsmooth-alpha'"):
        Integrator(system, SolverSettings(method="generalized-alpha"), 1e-3)
