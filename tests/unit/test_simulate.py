"""simulate: stored results, resumption, and endings of runs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.formulations.planar.endings import TENSION_ABOVE_BREAKING_LOAD
from chaindrive.model import override
from chaindrive.results import checkpoint
from chaindrive.simulation import simulate as simulation
from chaindrive.simulation.simulate import Observation
from support.forked import Forked, posix
from support.interrupted import Stop

UNTIL = 0.03


@pytest.fixture(scope="module")
def drive() -> cd.Drive:
    return cd.example("industrial-08b")


def table(solution: cd.Solution) -> dict[str, np.ndarray]:
    return {name: np.asarray(solution[name]) for name in solution.channels}


LONG = pytest.mark.long


@pytest.mark.parametrize(
    ("method", "reduce", "precision"),
    [
        ("verlet", "sample", "single"),
        pytest.param("dormand-prince", "mean", "double", marks=LONG),
        pytest.param("verlet", "mean", "double", marks=LONG),
        pytest.param("dormand-prince", "sample", "single", marks=LONG),
        pytest.param("verlet", "mean", "single", marks=LONG),
        pytest.param("dormand-prince", "mean", "single", marks=LONG),
    ],
)
def test_resumed_run_is_the_uninterrupted_run_bit_for_bit(
    drive: cd.Drive,
    method: str,
    tmp_path: Path,
    reduce: str,
    precision: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("chaindrive.simulation.simulate.BUDGET", 777 * 250)  # cut at odd places
    solver = drive.run.solver.model_copy(update={"method": method})
    options = {"channels": "all", "reduce": reduce, "precision": precision, "rate": 1000.0, "chunk_rows": 7}
    save = drive.run.save.model_copy(update=options)
    whole = cd.simulate(drive, UNTIL, solver=solver, save=save)
    digits = np.float32 if precision == "single" else np.float64
    assert whole.values("link_tension").dtype == digits
    path = tmp_path / "run.nc"
    cut = cd.simulate(drive, UNTIL, solver=solver, save=save, output=path, progress=Stop(0.4 * UNTIL))
    assert cut.status == Status.INTERRUPTED
    kept = len(cut.time)
    assert 0 < kept < len(whole.time)
    cut.close()
    again = cd.simulate(drive, UNTIL, solver=solver, save=save, output=path, resume=True)
    assert again.status == Status.REACHED_END
    expected, got = table(whole), table(again)
    assert len(again.time) == len(whole.time)
    for name, values in expected.items():
        np.testing.assert_array_equal(got[name], values, err_msg=name)


def rows_in(path: Path) -> int:
    with cd.open(path) as solution:
        return int(solution.time.size)


@posix
def test_killed_run_leaves_a_readable_file_and_resumes(tmp_path: Path, drive: cd.Drive) -> None:
    path = tmp_path / "run.nc"

    def run() -> None:
        simulation.CHECKPOINT_INTERVAL = 0.05
        simulation.BUDGET = 10**6
        cd.simulate(drive, 50.0, output=path, solver="dormand-prince")  # rows are not held back

    with Forked(run, tmp_path) as process:
        process.wait(until=lambda: checkpoint.name_for(path).exists() and path.exists() and rows_in(path) > 0)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL, "the run ended by itself"
    with cd.open(path) as left:
        assert left.status == Status.INTERRUPTED
        rows = len(left.time)
        assert rows > 0
        before = np.asarray(left["link_tension"]).copy()
        end = float(np.asarray(left.time)[-1])
    until = end + 0.02
    again = cd.simulate(drive, until, output=path, resume=True, solver="dormand-prince")
    assert again.status == Status.REACHED_END
    saved = np.asarray(again["link_tension"])
    assert len(saved) > rows - drive.run.save.chunk_rows
    same = min(len(before), len(saved)) - 1
    np.testing.assert_array_equal(saved[:same], before[:same])


def test_a_finished_run_can_be_made_longer(tmp_path: Path, drive: cd.Drive) -> None:
    path = tmp_path / "run.nc"
    cd.simulate(drive, 0.02, output=path).close()
    longer = cd.simulate(drive, 0.03, output=path, resume=True)
    assert longer.status == Status.REACHED_END
    assert np.asarray(longer.time)[-1] == pytest.approx(0.03, abs=1e-12)


def test_interruption_before_the_first_row_leaves_an_earlier_file_alone(
    tmp_path: Path, drive: cd.Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.nc"
    cd.simulate(drive, 0.01, output=path).close()
    content = path.read_bytes()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("chaindrive.solvers.integrator.Integrator.advance", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cd.simulate(drive, 0.02, output=path, overwrite=True)
    assert path.read_bytes() == content


def test_resume_refuses_another_drive(tmp_path: Path, drive: cd.Drive) -> None:
    path = tmp_path / "run.nc"
    cd.simulate(drive, 0.01, output=path).close()
    content = path.read_bytes()
    heavier = override(drive, {"chain.link_mass": 0.02})
    with pytest.raises(cd.InputError, match="another drive"):
        cd.simulate(heavier, 0.02, output=path, resume=True)
    assert path.read_bytes() == content


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, drive: cd.Drive) -> Path:
    path = tmp_path_factory.mktemp("finished") / "run.nc"
    cd.simulate(drive, 0.01, output=path).close()
    return path


@pytest.mark.parametrize("spoilt", ["no arrays", "no rows", "shapes", "kinds"])
def test_resume_refuses_a_checkpoint_that_does_not_fit_the_run(
    tmp_path: Path, drive: cd.Drive, spoilt: str, finished: Path
) -> None:
    """As if made by someone: readable, with the identity of the run, but with other content."""
    path = tmp_path / "run.nc"
    shutil.copyfile(finished, path)
    shutil.copyfile(checkpoint.name_for(finished), checkpoint.name_for(path))
    with np.load(checkpoint.name_for(path)) as stored:
        content = json.loads(stored[checkpoint.METADATA].tobytes())
        kept = [name for name in stored.files if name not in (checkpoint.METADATA, checkpoint.DIGEST)]
        arrays = {name: stored[name] for name in kept}
    metadata = content["metadata"]
    if spoilt == "no arrays":
        arrays = {}
    elif spoilt == "no rows":
        del metadata["rows"]
    elif spoilt == "shapes":
        arrays = {name: values[..., None] for name, values in arrays.items()}
    else:
        arrays = {name: np.array(["x"] * values.size).reshape(values.shape) for name, values in arrays.items()}
    checkpoint.save(path, arrays, metadata, checkpoint.Fingerprint(**content["identity"]))
    before = path.read_bytes()
    with pytest.raises(cd.InputError, match=r"(fit|match) this|rows"):
        cd.simulate(drive, 0.02, output=path, resume=True)
    assert path.read_bytes() == before


def test_observer_sees_every_instant_that_is_stored(
    drive: cd.Drive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It also sees channels that are not stored, the instants behind means, and a resumed run from its continuation
    on.
    """
    monkeypatch.setattr("chaindrive.simulation.simulate.BUDGET", 777 * 250)  # cut at odd places
    options = {"channels": ("wheel_speed", "link_tension"), "rate": 1000.0, "chunk_rows": 7}
    drive = override(drive, {"run.solver.method": "dormand-prince"})  # rows are not held back
    save = drive.run.save.model_copy(update=options)
    seen: list[Observation] = []
    path = tmp_path / "run.nc"
    with cd.simulate(drive, UNTIL, save=save, output=path, progress=Stop(0.4 * UNTIL), observe=seen.append) as cut:
        np.testing.assert_array_equal(np.concatenate([part.time for part in seen]), cut.time)
        before = cut.time.size
    assert 0 < before < 31
    with cd.simulate(drive, UNTIL, save=save, output=path, resume=True, observe=seen.append) as whole:
        assert len(seen) > 2
        assert min(part.time.size for part in seen) > 0
        np.testing.assert_array_equal(np.concatenate([part.time for part in seen]), whole.time)
        for name in ("wheel_speed", "link_tension"):
            got = np.concatenate([part.values(name) for part in seen])
            np.testing.assert_array_equal(got.astype(whole.values(name).dtype), whole.values(name))
    assert np.concatenate([part.values("roller_velocity") for part in seen]).shape == (31, drive.chain.links, 2)
    assert seen[0].labels["wheel"] == ("motor", "conveyor")
    with pytest.raises(KeyError, match="link_tensions"):
        seen[0].values("link_tensions")
    means = save.model_copy(update={"reduce": "mean", "oversample": 4})
    seen.clear()
    stored = cd.simulate(drive, UNTIL, save=means, observe=seen.append)
    speed = np.concatenate([part.values("wheel_speed") for part in seen])[: 4 * stored.time.size]
    np.testing.assert_allclose(stored.values("wheel_speed"), speed.reshape(-1, 4, 2).mean(axis=1), rtol=1e-14)


def test_resume_without_output_says_what_is_missing(drive: cd.Drive) -> None:
    with pytest.raises(cd.InputError, match="results file"):
        cd.simulate(drive, 0.01, resume=True)


@pytest.mark.parametrize("until", [0.0, -1.0, float("nan"), float("inf")])
def test_end_of_run_is_checked(drive: cd.Drive, until: float) -> None:
    with pytest.raises(cd.InputError, match="until"):
        cd.simulate(drive, until)


def test_options_given_win_over_those_of_the_drive(drive: cd.Drive) -> None:
    save = drive.run.save.model_copy(update={"rate": 2000.0, "channels": ("wheel_speed",)})
    solution = cd.simulate(drive, 0.005, save=save)
    assert set(solution.channels) >= {"wheel_speed"}
    assert "link_tension" not in solution.channels
    assert len(solution.time) == 11
    assert solution["wheel_speed"].attrs["units"] == "rad/s"


def test_formulation_and_solver_go_by_name_too(drive: cd.Drive) -> None:
    drive = override(drive, {"run.solver.max_steps": 12345})
    solution = cd.simulate(drive, 0.001, formulation="roller", solver="verlet")
    assert solution.options["solver"]["method"] == "verlet"
    assert solution.options["solver"]["max_steps"] == 12345  # the rest stays that of the drive
    with pytest.raises(cd.InputError) as wrong:
        cd.simulate(drive, 0.001, formulation="rollers", solver="rk4", start="rolling", save=3)  # type: ignore[arg-type]
    assert [problem.place for problem in wrong.value.problems] == [
        "start", "formulation.kind", "solver.method", "save",
    ]  # fmt: skip


def test_a_formulation_that_does_not_support_the_drive_is_refused() -> None:
    with pytest.raises(cd.InputError) as error:
        cd.simulate("timing-06b", 1e-3, formulation="block", progress=False)
    assert [problem.place for problem in error.value.problems] == [
        "bodies[0]",
        "guides[0]",
        "guides[1]",
        "tensioners[0]",
    ]


def test_start_at_rest_ramps_up(drive: cd.Drive) -> None:
    quick = override(drive, {"wheels.0.motion.ramp": 0.05})
    solution = cd.simulate(quick, 0.08, start="at_rest")
    speed = np.asarray(solution["wheel_speed"])[:, 0]
    assert abs(speed[0]) < 1e-12
    # Pedersen (2004), Eq. 4.3: the ramp ends at the wanted speed, V = integral of 6 V t (T - t)/T^3; the step ends on
    # it. The trapezoids of Verlet miss V (h/T)^2 of it.
    wanted = float(quick.wheels[0].motion.speed)  # type: ignore[union-attr]
    missed = (solution.statistics["largest_step"] / 0.05) ** 2
    assert speed[-1] == pytest.approx(wanted * (1.0 - missed), rel=0.1 * missed)


def test_ending_by_physics_is_reported_not_raised(drive: cd.Drive) -> None:
    weak = override(drive, {"chain.breaking_load": 100.0})
    solution = cd.simulate(weak, 0.05, start="as_placed")
    assert solution.status == TENSION_ABOVE_BREAKING_LOAD
    assert "breaking" in solution.status.advice
    assert solution.notes["end_time"] < 0.05


def test_audit_closes_at_default_settings(drive: cd.Drive) -> None:
    solution = cd.simulate(drive, 0.15)
    assert solution.audit.relative_residual < 1e-4


@pytest.mark.long
def test_parallel_processes_share_the_compiled_code(tmp_path: Path) -> None:
    """A second process finds the machine code of the first: it starts integrating without compiling."""
    script = (
        "import chaindrive as cd, time\n"
        "from chaindrive.solvers.integrator import bound\n"
        "from chaindrive.simulation.start import prepare\n"
        "system = prepare(cd.example('industrial-08b')).system\n"
        "rhs = system.kernels.rhs\n"
        "print(sum(rhs.stats.cache_hits.values()), sum(rhs.stats.cache_misses.values()))\n"
    )
    environment = dict(os.environ, NUMBA_CACHE_DIR=str(tmp_path))
    outputs = [
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert outputs == [["0", "1"], ["1", "0"]]
