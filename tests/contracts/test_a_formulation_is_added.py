"""A formulation comes as one folder, its options, and one line in the registry: nothing else refers to it."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest
from pydantic import Field

import chaindrive as cd
from chaindrive.analyses.linear.linearised import mode_shares, system_modes
from chaindrive.cli.main import main
from chaindrive.formulations.registry import FORMULATIONS
from chaindrive.model.drive import Drive
from chaindrive.model.formulation import FormulationOptions
from chaindrive.model.run import Run
from chaindrive.report import write_report
from chaindrive.simulation.start import prepare
from support import two_shafts
from support.small_drives import two_wheels

pytestmark = pytest.mark.usefixtures("few_windows")


@pytest.fixture(autouse=True)
def added(monkeypatch):
    """The line in the registry, and that in the union of options."""
    monkeypatch.setitem(FORMULATIONS, "shafts", two_shafts.FORMULATION)
    known = Run.model_fields["formulation"].annotation
    Run.model_fields["formulation"].annotation = Annotated[
        FormulationOptions | two_shafts.ShaftsOptions, Field(discriminator="kind")
    ]
    _rebuilt()
    yield
    Run.model_fields["formulation"].annotation = known
    _rebuilt()


def _rebuilt():
    for model in (Run, Drive):
        model.model_rebuild(force=True)


@pytest.fixture
def drive():
    made = two_wheels((16, 32), 20.0, speed=10.0, second={"inertia": 0.05, "load_torque": 40.0})
    return made.model_copy(update={"run": Run(formulation=two_shafts.ShaftsOptions(), until=0.2)})


@pytest.mark.parametrize("solver", ["dormand-prince", "verlet"])
def test_it_runs_and_balances_its_energy(drive, solver):
    done = cd.simulate(drive, 0.2, solver=solver)
    assert done.status == cd.Status.REACHED_END
    assert done.attrs["formulation"] == "shafts"
    assert abs(done.audit.residual) < 1e-6 * done.audit.energy_exchanged
    ratio = done["wheel_speed"].values[-1]
    assert ratio[1] == pytest.approx(0.5 * ratio[0], rel=1e-2)
    tension = 40.0 / (0.0127 * 32 / (2.0 * np.pi))
    assert done["span_tension"].values[0].max() == pytest.approx(tension, rel=1e-4)  # begins at rest under its load


def test_a_run_goes_on_from_a_file_and_from_another_run(drive, tmp_path):
    whole = cd.simulate(drive, 0.1)
    cd.simulate(drive, 0.05, output=tmp_path / "run.nc").close()
    with cd.simulate(drive, 0.1, output=tmp_path / "run.nc", resume=True) as resumed:
        np.testing.assert_allclose(resumed["wheel_angle"].values, whole["wheel_angle"].values, rtol=0, atol=1e-12)
    after = cd.simulate(drive, 0.05, initial=cd.simulate(drive, 0.05))
    assert after["wheel_angle"].values[-1] == pytest.approx(whole["wheel_angle"].values[-1], rel=1e-6)


def test_its_ending_is_told_with_its_place_by_the_file_alone(drive, tmp_path, monkeypatch):
    run = drive.run.model_copy(update={"formulation": two_shafts.ShaftsOptions(limit=4e-3, lag=0.1)})
    hard = drive.model_copy(update={"run": run, "wheels": (drive.wheels[0], _jolted(drive.wheels[1]))})
    cd.simulate(hard, 0.2, output=tmp_path / "run.nc").close()
    monkeypatch.delitem(FORMULATIONS, "shafts")
    with cd.open(tmp_path / "run.nc") as opened:
        assert opened.status.name == "TWISTED_OFF"
        assert opened.status.failed
        assert opened.ending.startswith(
            "The spring was stretched beyond its limit. It happened at the spring, 0.004 m."
        )
        assert opened.ending.endswith("Take a longer one.")


def _jolted(wheel):
    return wheel.model_copy(update={"load_torque": 25.0, "bearing_damping": 0.0})


def test_it_has_its_steady_state_modes_and_report(drive, tmp_path, capfd):
    steady = cd.simulate(drive, "steady", output=tmp_path / "run.nc")
    assert steady.notes["steady"]
    system = prepare(drive).system
    modes = system_modes(system)
    radius, inertia = system.parameters.radius[1], system.parameters.inertia
    assert modes.frequency == pytest.approx([radius * np.sqrt(1e5 / inertia) / (2.0 * np.pi)], rel=1e-6)
    assert mode_shares(system, modes).largest(0) == ("position 1", pytest.approx(1.0))
    write_report([steady], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "this formulation has no individual rollers; they are drawn evenly spaced along the route" in page
    told = page.replace("&#x27;", "&#39;")
    assert "The formulation &#39;shafts&#39; has no bearing_force" in told
    assert "The formulation &#39;shafts&#39; computes only span tensions" in told
    results, picture, data = (str(tmp_path / name) for name in ("run.nc", "run.png", "run.csv"))
    for words in (["info", results], ["plot", results, "-o", picture], ["export", results, "-o", data]):
        with pytest.raises(SystemExit) as ending:
            main(words)
        assert not ending.value.code, words
    printed = capfd.readouterr()
    assert "Traceback" not in printed.err
    assert "Efficiency: 100.00 %, 200 W in, 200 W out" in printed.out


def test_what_it_has_not_is_said_with_its_name(drive):
    done = cd.simulate(drive, 0.01)
    with pytest.raises(cd.InputError, match="the formulation 'shafts' has no link_tension; the nearest"):
        done.values("link_tension")
