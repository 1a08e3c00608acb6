"""The method that ``auto`` selects, and its agreement with a finer one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.model import override
from chaindrive.simulation.settings import chosen_method
from chaindrive.simulation.start import as_laid


def chosen(drive: cd.Drive) -> str:
    return chosen_method(drive.run, drive, as_laid(drive)).method


@pytest.mark.parametrize(
    ("name", "changes", "method"),
    [
        ("motorcycle", {}, "verlet-beeman"),
        ("pump-10b", {}, "verlet-beeman"),  # two chains
        ("motor-08b", {}, "verlet-beeman"),
        ("6l60mc", {}, "verlet-beeman"),  # no friction
        ("pfeiffer-roller", {}, "verlet-beeman"),
        ("motorcycle", {"run.formulation.friction_law": "smoothed"}, "dormand-prince"),  # a light chain, heavily loaded
        ("motorcycle", {"run.formulation.friction_law": "smoothed", "contact.friction": 0.0}, "verlet-beeman"),
        ("timing-06b", {"run.formulation.friction_law": "smoothed"}, "verlet"),  # fast, lightly loaded
        ("motorcycle", {"run.solver.method": "verlet"}, "verlet"),
        ("motorcycle", {"run.solver.atol_speed": 1e-6}, "dormand-prince"),
        ("motorcycle", {"run.solver.step": "1 us"}, "dormand-prince"),
        ("motorcycle", {"run.solver.step": "auto"}, "verlet-beeman"),
        ("motor-08b", {"run.formulation": {"kind": "block"}}, "dormand-prince"),
        ("6s90mc-c", {}, "verlet"),  # friction is smoothed
        ("6s90mc-c", {"contact.friction": 0.0}, "verlet-beeman"),
        ("6s90mc-c", {"run.solver.rtol_work": 1e-4}, "dormand-prince"),
        ("6s90mc-c", {"run.formulation.kind": "link"}, "verlet"),
        ("6s90mc-c-tightener-oscillating", {}, "verlet"),
        ("cvt-63", {}, "leapfrog"),
        ("omar-112", {}, "splitting"),  # links in space
        ("omar-112", {"run.formulation.friction_law": "smoothed"}, "dormand-prince"),
        ("omar-112", {"run.solver.step": "1 us"}, "dormand-prince"),
    ],
)
def test_what_auto_takes(name, changes, method):
    assert chosen(override(cd.example(name), changes)) == method


@pytest.mark.parametrize(
    ("changes", "balance"),
    [
        ({}, "all-losses"),
        ({"run.solver.method": "verlet"}, "auto"),
        ({"run.solver.balance": "each-loss"}, "each-loss"),
        ({"run.formulation": {"kind": "roller"}}, "auto"),  # elastic friction
    ],
)
def test_the_balance_of_what_auto_takes(changes, balance):
    """The balance of Verlet when selected automatically is as accurate as the default of other methods."""
    drive = override(cd.example("6s90mc-c"), changes)
    taken = chosen_method(drive.run, drive, as_laid(drive)).of(drive.run.solver)
    assert (taken.method, taken.balance) == (chosen(drive), balance)
    run = cd.simulate(drive, 1e-4, progress=False)
    assert (run.attrs["solver"], run.attrs["balance"]) == (taken.method, balance)


@pytest.mark.parametrize(("changes", "instead"), [({"contact.friction": 0.0}, "dormand-prince"), ({}, "")])
def test_verlet_may_be_left_where_there_is_no_friction(changes: dict[str, Any], instead: str):
    """With friction Dormand-Prince rejects steps, and takes more time in the same impacts."""
    drive = override(cd.example("industrial-08b"), {"chain.joint_friction": 0.0} | changes)
    assert chosen_method(drive.run, drive, as_laid(drive)) == ("verlet-beeman", "", instead)


def slow() -> cd.Drive:
    return override(cd.example("industrial-08b"), {"wheels.motor.motion.speed": "1 rpm"})


def test_a_slow_drive_takes_implicit_steps():
    assert chosen(cd.example("industrial-08b")) == "verlet-beeman"
    assert chosen(slow()) == "generalized-alpha"


@pytest.mark.parametrize(("shaft", "method"), [({}, "verlet-beeman"), ({"stiffness": 1e5}, "generalized-alpha")])
def test_a_slow_drive_with_a_rigid_shaft_takes_explicit_steps(shaft: dict[str, float], method: str):
    """Implicit steps let rigid shafts slip, because nothing resists the remaining error of their iteration."""
    rotor = {"name": "motor", "inertia": 0.1, "shaft": {"from_wheel": "motor"} | shaft}
    drive = override(slow(), {"rotors": [rotor]})
    found = chosen_method(drive.run, drive, as_laid(drive))
    assert found.method == method
    assert ("rigid" in found.reason) == (method == "verlet-beeman")


def test_the_reason_for_implicit_steps_names_the_shorter_of_period_and_run():
    drive = slow()
    assert chosen_method(drive.run, drive, as_laid(drive)).reason.endswith("in the run")
    drive = override(drive, {"run.until": 60.0})
    assert chosen_method(drive.run, drive, as_laid(drive)).reason.endswith("in a period of the fastest excitation")


def test_a_moment_of_a_slow_drive_takes_explicit_steps():
    assert chosen(override(slow(), {"run.until": 0.01})) == "verlet-beeman"
    # The speed that its motor reaches in a moment is low, but the moment is short.
    assert chosen(override(cd.example("motor-08b"), {"run.until": 0.002})) == "verlet-beeman"


def test_a_run_that_goes_on_to_another_end_keeps_its_method(monkeypatch, tmp_path):
    drive, file = slow(), tmp_path / "run.nc"
    cd.simulate(drive, 1e-4, output=file, progress=False)
    monkeypatch.setattr("chaindrive.simulation.settings.MOST_EXPLICIT_STEPS", 50.0)
    assert chosen(override(drive, {"run.until": 3e-4})) == "generalized-alpha"
    cd.simulate(drive, 3e-4, output=file, resume=True, progress=False)
    whole = cd.simulate(drive, 3e-4, solver="verlet-beeman", progress=False)
    with cd.open(file) as found:
        assert found.attrs["solver"] == "verlet-beeman"
        np.testing.assert_array_equal(found.time, whole.time)
        tension, expected = found.values("link_tension"), whole.values("link_tension")
        np.testing.assert_array_equal(tension[:-1], expected[:-1])
        # The end lies between two rows, and the first part ended with a step of its own at 0.1 ms.
        np.testing.assert_allclose(tension[-1], expected[-1], rtol=1e-4)


def statistics(solution: cd.Solution) -> dict[str, float]:
    """Means and peaks of a run, and its losses; all after its first third except the losses."""
    late = slice(solution.time.size // 3, None)
    bearing = np.linalg.norm(solution.values("bearing_force", late), axis=-1)
    return {
        "mean tension": float(solution.values("link_tension", late).mean()),
        "peak tension": float(solution.values("link_tension_max", late).max()),
        "mean bearing force": float(bearing.mean()),
        "peak bearing force": float(solution.values("bearing_force_max", late).max()),
        "peak tooth force": float(solution.values("tooth_force_max", late).max()),
        "losses": sum(solution.audit.losses.values()),
    }


@pytest.mark.parametrize(
    ("name", "until"),
    [
        ("motorcycle", 0.03),
        ("6s90mc-c", 0.1),
        *(
            pytest.param(name, 0.1, marks=pytest.mark.long)
            for name in ("harvester-10b", "industrial-08b", "pump-10b", "timing-06b", "pfeiffer-roller")
        ),
        pytest.param("6s90mc-c-tightener-oscillating", 0.5, marks=pytest.mark.long),
    ],
)
def test_statistics_are_those_of_a_finer_run(name, until):
    """Means and losses within 1 %, peaks within 2 % of Dormand-Prince with a quarter of its step; every loss within
    0.2 % of all of them, as the balance of the step requires."""
    drive = override(cd.example(name), {"run.save.rate": 5000.0})
    own = cd.simulate(drive, until, progress=False)
    assert own.attrs["solver"] == ("verlet" if drive.run.formulation.friction_law == "smoothed" else "verlet-beeman")
    assert own.warnings == ()
    longest = cd.simulate(drive, 1e-4, solver="dormand-prince", progress=False).statistics["largest_step"]
    exact = {"method": "dormand-prince", "step": 0.25 * float(longest)}
    finer = cd.simulate(drive, until, solver=cd.SolverOptions(**exact), progress=False)
    found, expected = statistics(own), statistics(finer)
    for what, value in expected.items():
        assert found[what] == pytest.approx(value, rel=0.02 if what.startswith("peak") else 0.01), what
    for cause, loss in finer.audit.losses.items():
        assert own.audit.losses[cause] == pytest.approx(loss, abs=2e-3 * expected["losses"]), cause


@pytest.mark.parametrize(
    ("method", "given", "named"),
    [
        ("verlet", {"atol_speed": 1e-6, "rtol_work": 1e-5}, "run.solver.rtol_work, run.solver.atol_speed"),
        ("verlet-beeman", {"rtol": 1e-6}, "run.solver.rtol"),
        ("verlet", {"step": 1e-6}, ""),
        ("dormand-prince", {"atol_speed": 1e-6}, ""),
        ("auto", {"atol_speed": 1e-6}, ""),
    ],
)
def test_tolerances_of_a_method_with_a_fixed_step_are_told(method, given, named):
    """They change nothing, so a study of convergence over tolerances would seem to have converged."""
    solver = {"method": method, **given}
    run = cd.simulate("industrial-08b", until=1e-5, solver=solver, progress=False)
    told = [text for text in run.warnings if "does not follow from tolerances" in text]
    assert len(told) == bool(named)
    assert all(f"({named}): give a shorter run.solver.step" in text for text in told)
