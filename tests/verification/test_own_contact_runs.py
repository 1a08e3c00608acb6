"""Runs with user-defined contact laws: at rest, energy, resumed, in a study."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.model import Contact, loads
from chaindrive.model.study.description import Study
from chaindrive.studies.worker import Task, execute
from support import own_laws
from support.small_drives import rail, resting, running_links, two_wheels


def test_rollers_at_rest_lie_as_deep_as_the_law_says() -> None:
    """The static equilibrium uses differences of the law as slopes: the contacts carry the weight of the chain."""
    drive = two_wheels(contact={"law": own_laws.rubber})
    system = resting(compile_system(drive, cd.RollerOptions(), False))
    row = system.row(0.0, system.state)
    force = np.asarray(system.channel("contact_force").read(row))
    depth = np.asarray(system.channel("contact_penetration").read(row))
    on = force > 0.0
    np.testing.assert_allclose(Contact(law=own_laws.rubber).penetration(force[on]), depth[on], rtol=1e-6)
    bearings = np.asarray(system.channel("bearing_force").read(row))
    weight = 9.81 * drive.chain.links * drive.chain.link_mass
    assert abs(bearings[:, 1].sum()) == pytest.approx(weight, rel=1e-6)


@pytest.mark.parametrize(("name", "residual"), [("rubber", 1e-6), ("measured_curve", 1e-5)])
def test_energy_is_stored_and_lost_apart(name: str, residual: float) -> None:
    """The balance closes, at kinks of a curve to the lower order of the method there; the contact only dissipates
    energy.
    """
    given = {"law": getattr(own_laws, name)}
    drive = running_links(guides=[rail(1, contact=given | {"friction": 0.2})], contact=given | {"friction": 0.1})
    solution = cd.simulate(drive, until=0.02, solver="dormand-prince")
    assert not solution.status.failed
    assert solution.audit.relative_residual < residual
    work = solution.values("work_contact")
    assert (np.diff(work) >= 0.0).all()
    assert work[-1] > 0.0


def test_a_run_is_resumed_bit_for_bit_and_results_name_the_law(tmp_path: Any) -> None:
    drive = running_links(contact={"law": own_laws.rubber}, guides=[])
    drive = drive.replace("run.solver", {"method": "verlet", "step": 2e-6})
    whole = cd.simulate(drive, until=0.01, output=tmp_path / "a.nc")
    cd.simulate(drive, until=0.005, output=tmp_path / "b.nc").close()
    resumed = cd.simulate(drive, until=0.01, output=tmp_path / "b.nc", resume=True)
    for channel in ("contact_force", "wheel_angle", "work_contact"):
        np.testing.assert_array_equal(resumed[channel].values, whole[channel].values)
    assert own_laws.rubber.text in whole.drive_text
    assert loads(whole.drive_text).contact.law == own_laws.rubber
    with pytest.raises(InputError, match="another drive"):
        cd.simulate(drive.replace("contact.law", own_laws.elastic), until=0.02, output=tmp_path / "b.nc", resume=True)


def test_studies_vary_a_contact_law() -> None:
    texts = [own_laws.rubber.text, own_laws.elastic.text]
    study = Study(
        name="s", drive="d.toml",
        parameters=[{"name": "law", "values": texts, "set": "contact.law"}],
        figures_of_merit=[{"name": "m", "channel": "contact_force", "reduce": "max"}],
    )  # fmt: skip
    assert list(study.parameters[0].values) == texts
    drive = running_links(guides=[], contact={"law": own_laws.rubber})
    drive = drive.replace({"contact.law": texts[1], "run.until": 0.002, "run.solver.method": "verlet"})
    outcome = execute(Task(0, str(drive), None, None, (), keep_end=False, modules=("support.own_laws",)), None)
    assert outcome.status == "REACHED_END", outcome.remark
