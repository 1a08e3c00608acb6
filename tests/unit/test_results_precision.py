"""The number of digits with which results store computed values: ``save.precision``."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
import xarray

import chaindrive as cd
from chaindrive.export.tables import write_table
from chaindrive.model import override
from chaindrive.simulation.simulate import Observation

UNTIL = 0.02
OF_LINKS = {"link", "roller"}


@pytest.fixture(scope="module")
def drive() -> cd.Drive:
    return override(cd.example("industrial-08b"), {"run.until": UNTIL})


@pytest.fixture(scope="module")
def computed(drive: cd.Drive) -> Observation:
    """All numbers as computed by the integration."""
    seen: list[Observation] = []
    cd.simulate(drive, observe=seen.append)
    rows = np.concatenate([part.rows for part in seen])
    return seen[0]._replace(time=np.concatenate([part.time for part in seen]), rows=rows)


def saved(drive: cd.Drive, precision: str, output: Path | None = None) -> cd.Solution:
    chosen = override(drive, {"run.save": {"channels": "all", "precision": precision}})
    return cd.simulate(chosen, output=output)


@pytest.mark.parametrize("stored", [False, True], ids=["in memory", "in a file"])
@pytest.mark.parametrize("precision", ["single", "double"])
def test_numbers_are_those_computed_to_the_precision(
    drive: cd.Drive, computed: Observation, precision: str, stored: bool, tmp_path: Path
) -> None:
    with saved(drive, precision, tmp_path / "run.nc" if stored else None) as solution:
        assert {"link_tension", "roller_velocity", "wheel_angle", "energy_residual"} <= set(solution.channels)
        for name, channel in solution.channels.items():
            short = precision == "single" and bool(OF_LINKS & set(channel.dims))
            values = solution.values(name)
            assert values.dtype == (np.float32 if short else np.float64), name
            assert channel.precision == ("single" if short else "double"), name
            assert solution[name].dtype == values.dtype, name
            np.testing.assert_array_equal(values, computed.values(name).astype(values.dtype), err_msg=name)
        tension = computed.values("link_tension")
        assert np.any(tension.astype(np.float32) != tension)  # the two differ


def test_double_precision_goes_into_files_of_others_and_copies(
    drive: cd.Drive, computed: Observation, tmp_path: Path
) -> None:
    with saved(drive, "double", tmp_path / "run.nc") as solution:
        assert solution.options["save"]["precision"] == solution.drive.run.save.precision == "double"
        solution.save(tmp_path / "copy.nc")
        write_table(solution, tmp_path / "table.csv", ["link_tension[3]"])
    for name in ("run.nc", "copy.nc"):
        with xarray.open_dataset(tmp_path / name, engine="h5netcdf") as data:
            assert data["link_tension"].dtype == np.float64
            np.testing.assert_array_equal(data["link_tension"], computed.values("link_tension"))
    lines = [line for line in (tmp_path / "table.csv").read_text().splitlines() if not line.startswith("#")]
    written = [float(row[1]) for row in list(csv.reader(lines))[1:]]
    np.testing.assert_array_equal(written, computed.values("link_tension")[:, 3])


def test_a_run_goes_on_with_the_precision_it_began_with(drive: cd.Drive, tmp_path: Path) -> None:
    path = tmp_path / "run.nc"
    saved(drive, "single", path).close()
    longer = override(drive, {"run.save": {"channels": "all", "precision": "double"}, "run.until": 2.0 * UNTIL})
    with pytest.raises(cd.InputError, match="other options"):
        cd.simulate(longer, output=path, resume=True)
    with cd.open(path) as kept:
        assert kept.values("link_tension").dtype == np.float32


@pytest.mark.parametrize("typed", ["quad", "Double", 64])
def test_another_precision_is_refused(drive: cd.Drive, typed: object) -> None:
    with pytest.raises(cd.InputError) as refused:
        override(drive, {"run.save.precision": typed})
    (problem,) = refused.value.problems
    assert problem.place == "run.save.precision"
    assert "'single'" in problem.message
    assert "'double'" in problem.message
    assert problem.value == repr(typed)
