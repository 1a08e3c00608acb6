"""Running studies: rows, in parallel and in series, resumption, failures, figures of merit."""

from __future__ import annotations

import csv
import importlib.util
import json
import math
import socket
import time
from pathlib import Path

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.channels import Channel
from chaindrive.errors import ComputationError, InputError
from chaindrive.kernels.source import kernels_digest
from chaindrive.model import loads, override
from chaindrive.model.study.description import Study
from chaindrive.plots.study import plot_study
from chaindrive.results.layout import Layout
from chaindrive.results.solution import Solution
from chaindrive.studies import run_study
from chaindrive.studies.merit import evaluate, prepare_figures
from chaindrive.studies.store import IDENTITY, PICTURE, STATES, TABLE
from chaindrive.studies.table import StudyTable
from chaindrive.studies.worker import Outcome, received, version_here

COSTS = ("CPU time", "wall time")
FIELDS = {
    "name": "small",
    "drive": "industrial-08b",
    "set": {"run.until": "5 ms", "run.solver.method": "verlet"},
    "parameters": [
        {"name": "load", "unit": "N*m", "values": [20, 30, 40], "set": "wheels.conveyor.load_torque"},
    ],
    "curves": [
        {"name": "fresh"},
        {"name": "after", "start": "from:fresh"},
        {"name": "rising", "start": "previous", "first_start": "from:fresh"},
        {"name": "falling", "start": "previous", "order": "backwards"},
    ],
    "figures_of_merit": [
        {"name": "largest", "channel": "link_tension", "reduce": "max", "start": "2 ms", "divide_by": "17.8 kN"},
        {"name": "driven", "channel": "wheel_speed", "item": "conveyor", "reduce": "mean", "unit": "rpm"},
    ],
}


def small(**changes: object) -> Study:
    return Study.from_dict(FIELDS | changes)


@pytest.fixture(scope="module")
def serial() -> StudyTable:
    """Every run in this process, without a folder."""
    return run_study(small(), workers=1)


def content(table: StudyTable) -> list[tuple]:
    """All content except computing time."""
    keep = [i for i, column in enumerate(table.columns) if column.name not in COSTS]
    lines = list(csv.reader(table.csv().splitlines()))
    return [tuple(line[i] for i in keep) for line in lines]


def test_the_table(serial: StudyTable) -> None:
    assert serial.complete
    assert not serial.failed
    assert content(serial)[0] == (
        "run", "curve", "load [N*m]", "largest [1]", "driven [rpm]", "status", "warnings", "remark", "steps"
    )  # fmt: skip
    assert len(serial) == 12
    assert serial["curve"].tolist() == ["fresh"] * 3 + ["after"] * 3 + ["rising"] * 3 + ["falling"] * 3
    assert serial["load"].tolist() == [20.0, 30.0, 40.0] * 4
    # The chain carries the load torque: 20 N m on a pitch radius of 76.9 mm are 260 N of the breaking load of 17.8 kN.
    least = serial["load"] / (0.0127 / (2.0 * math.sin(math.pi / 38))) / 17.8e3
    assert np.all(serial["largest"] > 0.9 * least)
    assert np.all(serial["largest"] < 5.0 * least)
    np.testing.assert_allclose(serial["driven"], -500.0 * 17 / 38, rtol=0.05)
    assert np.all(serial["CPU time"] > 0.0)
    with pytest.raises(InputError, match="did you mean 'largest'"):
        serial["largets"]
    dataset = serial.dataset
    assert dataset["largest"].dims == ("curve", "load")
    assert dataset["driven"].attrs["units"] == "rpm"
    assert float(dataset["largest"].sel(curve="rising", load=30.0)) == serial["largest"][7]


def test_a_run_of_a_study_is_the_run_of_its_drive(serial: StudyTable) -> None:
    changes = {"run.until": "5 ms", "run.solver.method": "verlet", "wheels.conveyor.load_torque": "30 N*m"}
    drive = override(cd.example("industrial-08b"), changes)
    fresh = cd.simulate(drive)
    after = cd.simulate(drive, initial=fresh)
    rows = {(row.curve, row.parameters[0]): row.figures for row in serial.rows}
    for curve, run in (("fresh", fresh), ("after", after)):
        tension = run.values("link_tension_max")[run.time >= 0.002 - 1e-12].astype(float)
        expected = (tension.max() / 17.8e3, run.values("wheel_speed")[:, 1].astype(float).mean() * 30.0 / math.pi)
        assert rows[curve, 30.0] == pytest.approx(expected, rel=1e-12)
    after20 = cd.simulate(
        override(drive, {"wheels.conveyor.load_torque": "20 N*m"}),
        initial=cd.simulate(override(drive, {"wheels.conveyor.load_torque": "20 N*m"})),
    )
    rising = cd.simulate(drive, initial=after20)
    tension = rising.values("link_tension_max")[rising.time >= 0.002 - 1e-12].astype(float)
    assert rows["rising", 30.0][0] == pytest.approx(tension.max() / 17.8e3, rel=1e-12)


class Interrupt:
    """A progress callback that presses Ctrl-C after a number of runs have ended."""

    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, progress: object) -> None:
        if progress.done >= self.after:  # type: ignore[attr-defined]
            raise KeyboardInterrupt


def test_an_interrupted_study_goes_on_to_the_same_table(serial: StudyTable, tmp_path: Path) -> None:
    output = tmp_path / "study"
    for done in (4, 9):
        cut = run_study(small(), output=output, workers=1, progress=Interrupt(done))
        assert not cut.complete
        assert len(cut) == done
        lines = (output / TABLE).read_text().splitlines()
        assert len(lines) == done + 1
    seen = []
    whole = run_study(small(), output=output, workers=1, progress=seen.append)
    assert [progress.done for progress in seen] == [10, 11, 12]
    assert seen[-1].remaining == 0.0
    assert content(whole) == content(serial)
    assert (output / TABLE).read_text() == whole.csv()
    assert not (output / STATES).exists()
    again = run_study(small(), output=output, workers=1, progress=seen.append)  # nothing is left to do
    assert len(seen) == 3
    assert again.csv() == whole.csv()


def test_a_killed_study_goes_on(serial: StudyTable, tmp_path: Path) -> None:
    """A line that was being written is cut off; the lines before it are kept, in whatever order runs ended."""
    output = tmp_path / "study"
    run_study(small(), output=output, workers=1, progress=Interrupt(5))
    lines = (output / TABLE).read_text().splitlines(keepends=True)
    (output / TABLE).write_text("".join([lines[0], *reversed(lines[1:]), lines[1][:-9]]))
    assert content(run_study(small(), output=output, workers=1)) == content(serial)


@pytest.mark.long  # by default: the search in parallel of test_optimisation_run.py
def test_processes_compute_the_same_bit_for_bit(serial: StudyTable, tmp_path: Path) -> None:
    parallel = run_study(small(), output=tmp_path / "study", workers=2)
    assert content(parallel) == content(serial)


@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="dask.distributed is not installed")
def test_a_cluster_computes_the_same(serial: StudyTable) -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        assert content(run_study(small(), cluster=cluster.scheduler_address)) == content(serial)
    with pytest.raises(InputError, match=r"no scheduler of dask\.distributed answers"):
        run_study(small(), cluster="nonsense://1")


@pytest.mark.skipif(importlib.util.find_spec("distributed") is not None, reason="dask.distributed is installed")
def test_a_cluster_needs_its_package() -> None:
    with pytest.raises(InputError, match="needs the package distributed"):
        run_study(small(), cluster="tcp://localhost:1")


@pytest.mark.parametrize(
    "address",
    ["", "nonsense", "tcp://", "tcp://host", "tcp://host:none", "host:99999", "tcp://a:1/b", "\0:1"],
)
def test_an_address_that_is_none_is_refused_at_once(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chaindrive.studies.execute.make_plan", None)  # nothing is planned, nothing compiled
    with pytest.raises(InputError, match=r"cluster: is not an address .* tcp://192"):
        run_study(small(), cluster=address)


def test_an_address_where_nobody_listens_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chaindrive.studies.execute.make_plan", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: object())
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # no listening: the system refuses connections
        begun = time.monotonic()
        with pytest.raises(InputError, match=r"no scheduler of dask\.distributed answers there: Connection refused"):
            run_study(small(), cluster=f"tcp://127.0.0.1:{taken.getsockname()[1]}")
        assert time.monotonic() - begun < 5.0


@pytest.mark.parametrize(
    "killed",
    ["while its table began", pytest.param("after its table", marks=pytest.mark.long), "when it began anew"],
)
def test_a_study_that_was_killed_while_it_began_can_be_begun(tmp_path: Path, killed: str) -> None:
    output = tmp_path / "study"
    (output / STATES).mkdir(parents=True)
    (output / ".table.csv.4000000.part").write_text("run,cur")
    (output / STATES / ".000001.npz.4000000.part").write_bytes(b"x")
    if killed != "while its table began":
        (output / TABLE).write_text("run,curve,load\n")
        (output / ".study.json.4000000.part").write_text("{")
    if killed == "when it began anew":
        (output / PICTURE).write_bytes(b"x")
    table = run_study(small(curves=FIELDS["curves"][:1]), output=output, workers=1)
    assert table.complete
    assert sorted(path.name for path in output.iterdir() if path.name != PICTURE) == ["study.json", TABLE]


def test_a_table_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    output = tmp_path / "study"
    (output / STATES).mkdir(parents=True)
    (output / TABLE).write_text("state,capital\n")
    with pytest.raises(InputError, match="contains other files and no study"):
        run_study(small(), output=output, workers=1)
    assert (output / TABLE).read_text() == "state,capital\n"


def test_a_changed_study_is_not_mixed_with_the_old_one(tmp_path: Path) -> None:
    output = tmp_path / "study"
    run_study(small(), output=output, workers=1, progress=Interrupt(1))
    other = small(set={"run.until": "6 ms", "run.solver.method": "verlet"})
    with pytest.raises(InputError, match="the study has changed since"):
        run_study(other, output=output, workers=1)
    heavier = override(cd.example("industrial-08b"), {"chain.link_mass": "10 g"})
    with pytest.raises(InputError, match="the drive has changed since"):
        run_study(small(), drive=heavier, output=output, workers=1)
    told = small(name="another name", notes=["and a note"])
    assert len(run_study(told, output=output, workers=1, progress=Interrupt(2))) == 2
    begun = run_study(other, output=output, workers=1, restart=True, progress=Interrupt(1))
    assert len(begun) == 1
    stored = json.loads((output / IDENTITY).read_text())
    stored["identity"]["version"] = "0.0"
    (output / IDENTITY).write_text(json.dumps(stored))
    with pytest.raises(InputError, match=r"chaindrive 0\.0\b.*--restart"):
        run_study(other, output=output, workers=1)
    stored["identity"] |= {"version": cd.__version__, "kernels": "0123456789"}
    (output / IDENTITY).write_text(json.dumps(stored))
    with pytest.raises(InputError, match=rf"0123456789.*{kernels_digest()}.*--restart"):
        run_study(other, output=output, workers=1)


def test_what_a_worker_with_other_kernels_computed_is_refused() -> None:
    here = Outcome(0, "REACHED_END", "", (), cpu=0.0, wall=0.0, steps=1, end=None, version=version_here())
    assert received(here) is here
    for other in (f"0.0.1, kernels {kernels_digest()}", f"{cd.__version__}, kernels 0123456789"):
        with pytest.raises(ComputationError) as caught:
            received(here._replace(version=other))
        assert other in str(caught.value)
        assert version_here() in str(caught.value)


def test_nothing_of_the_users_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="contains other files and no study"):
        run_study(small(), output=tmp_path, workers=1, restart=True)
    with pytest.raises(InputError, match="is a file"):
        run_study(small(), output=tmp_path / "thesis.txt", workers=1)
    output = tmp_path / "study"
    run_study(small(), output=output, workers=1, progress=Interrupt(1))
    (output / TABLE).write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="is no longer the table of this study"):
        run_study(small(), output=output, workers=1)


def test_failed_runs_are_rows_and_stop_nothing(tmp_path: Path) -> None:
    """A chain that breaks, one that does not fit, and the runs that should begin at their ends."""
    study = small(
        parameters=[
            {"name": "distance", "unit": "mm", "values": [509.2, 600, 509.1], "set": "wheels.conveyor.position.0"},
            {
                "name": "breaking load",
                "unit": "N",
                "values": [1e5, 1],
                "set": "chain.breaking_load",
                "also": {"chain.link_stiffness": ["120 MN/m", "120 MN/m"]},  # estimated from it otherwise
            },
        ],
        curves=[{"name": "fresh"}, {"name": "on", "start": "previous", "first_start": "from:fresh"}],
    )
    progress: list = []
    table = run_study(study, output=tmp_path / "study", workers=1, progress=progress.append)
    assert table.complete
    found = {(row.curve, *row.parameters): row.status for row in table.rows}
    breaks, fits_not, not_begun = "TENSION_ABOVE_BREAKING_LOAD", "INPUT_ERROR", "NOT_STARTED"
    assert found == {
        ("fresh", 509.2, 1e5): "REACHED_END", ("fresh", 600.0, 1e5): fits_not, ("fresh", 509.1, 1e5): "REACHED_END",
        ("fresh", 509.2, 1.0): breaks, ("fresh", 600.0, 1.0): fits_not, ("fresh", 509.1, 1.0): breaks,
        ("on", 509.2, 1e5): "REACHED_END", ("on", 600.0, 1e5): fits_not, ("on", 509.1, 1e5): not_begun,
        ("on", 509.2, 1.0): not_begun, ("on", 600.0, 1.0): not_begun, ("on", 509.1, 1.0): not_begun,
    }  # fmt: skip
    remarks = {row.status: row.remark for row in table.rows}
    assert "the route needs" in remarks[fits_not]
    assert "exceeded the breaking load" in remarks[breaks]
    assert "has no result" in remarks[not_begun]
    assert all(np.isnan(row.figures).all() == row.failed for row in table.rows)
    assert progress[-1].failed == len(table.failed) == 9
    again = run_study(study, output=tmp_path / "study", workers=1, progress=progress.append)
    assert again.csv() == table.csv()
    assert len(progress) == 12


def test_figures_of_merit() -> None:
    study = small(
        figures_of_merit=[
            {"name": f"f{i}", "channel": channel, "item": item, "reduce": reduce, "start": "1 ms", "stop": "4 ms"}
            for i, (channel, item, reduce) in enumerate(
                [
                    ("link_tension", 3, "max"), ("link_tension", [], "min"), ("roller_position", ["all", "y"], "mean"),
                    ("wheel_speed", "motor", "rms"), ("roller_velocity", [7, 1], "range"),
                    ("span_tension", 1, "last"), ("work_input", [], "last"),
                ]
            )
        ]
    )  # fmt: skip
    changes = {"run.until": "5 ms", "run.save.channels": "all", "run.save.rate": "1 kHz"}
    run = cd.simulate(override(cd.example("industrial-08b"), changes))
    made, units = prepare_figures(study.figures_of_merit, list(run.channels.values()), run.labels)
    assert units == ["N", "N", "m", "rad/s", "m/s", "N", "J"]
    rows = slice(1, 5)
    value = {name: run.values(name)[rows].astype(float) for name in run.channels}
    expected = [
        value["link_tension_max"][:, 3].max(),
        value["link_tension_min"].min(),
        value["roller_position"][:, :, 1].mean(),
        math.sqrt((value["wheel_speed"][:, 0] ** 2).mean()),
        np.ptp(value["roller_velocity"][:, 7, 1]),
        value["span_tension"][-1, 1],
        value["work_input"][-1],
    ]
    assert [evaluate(figure, run) for figure in made] == pytest.approx(expected, rel=1e-12)


def test_the_frequency_of_the_highest_peak() -> None:
    """Two sines in one channel: the larger one, and the smaller one if the band excludes the larger.

    Lines 97.3 Hz apart are resolved by 0.5 s (2 Hz); the parabola finds a single line within a tenth of a bin.
    """
    time = np.arange(500) * 1e-3
    signal = 2.0 * np.sin(2.0 * np.pi * 40.0 * time) + np.sin(2.0 * np.pi * 137.3 * time + 1.0)
    channel = Channel("span_displacement", ("span",), "m", "", 0, (2,))
    values = np.column_stack([np.zeros(500), signal])
    run = Solution.from_memory(Layout((channel,), {}), time, {"span_displacement": values}, {})
    figure = {"name": "f", "channel": "span_displacement", "item": 1, "reduce": "peak_frequency"}
    band = {"name": "g", "lowest_frequency": "60 Hz", "highest_frequency": "1 kHz", "unit": "1/min"}
    made, units = prepare_figures(small(figures_of_merit=[figure, figure | band]).figures_of_merit, [channel], {})
    assert units == ["Hz", "1/min"]
    assert evaluate(made[0], run) == pytest.approx(40.0, abs=0.2)
    assert evaluate(made[1], run) == pytest.approx(60.0 * 137.3, abs=60.0 * 0.2)
    with pytest.raises(InputError, match="a spectrum needs one item"):
        prepare_figures(small(figures_of_merit=[figure | {"item": []}]).figures_of_merit, [channel], {})


def test_the_window_from_when_a_run_was_steady() -> None:
    time, channel = np.arange(100) * 0.01, Channel("span_tension", ("span",), "N", "", 0, (1,))
    figures = small(
        set={"run.until": "steady"},
        figures_of_merit=[{"name": "f", "channel": "span_tension", "reduce": "min", "start": "steady"}],
    ).figures_of_merit
    made, _ = prepare_figures(figures, [channel], {})
    table = {"span_tension": time[:, None]}
    steady = Solution.from_memory(Layout((channel,), {}), time, table, {"notes": '{"steady_since": 0.42}'})
    assert evaluate(made[0], steady) == 0.42
    with pytest.raises(InputError, match="did not become steady"):
        evaluate(made[0], Solution.from_memory(Layout((channel,), {}), time, table, {}))


def test_figures_that_do_not_fit_the_channels() -> None:
    study = small(
        figures_of_merit=[
            {"name": "a", "channel": "link_tensoin", "reduce": "max"},
            {"name": "b", "channel": "link_tension", "item": 108, "reduce": "max"},
            {"name": "c", "channel": "wheel_speed", "item": "conveyer", "reduce": "max"},
            {"name": "d", "channel": "link_tension", "reduce": "max", "divide_by": "3 kg"},
            {"name": "e", "channel": "link_tension", "reduce": "max", "unit": "rpm"},
            {"name": "f", "channel": "work_input", "item": 0, "reduce": "last"},
            {"name": "g", "channel": "link_tension", "reduce": "max", "divide_by": 0},
        ]
    )
    with pytest.raises(InputError) as caught:
        run_study(study, workers=1)
    found = {problem.place.removeprefix("figures_of_merit"): problem.message for problem in caught.value.problems}
    expected = {
        "[0].channel": "did you mean 'link_tension'?",
        "[1].item": "link is an index from 0 to 107",
        "[2].item": "did you mean 'conveyor'?",
        "[3].divide_by": "is a mass",
        "[4].unit": "is an angular speed",
        "[5].item": "work_input has the dimensions none",
        "[6].divide_by": "must not be zero",
    }
    assert set(found) == set(expected)
    for place, message in expected.items():
        assert message in found[place], place


def test_a_drive_that_never_fits_is_told_before_anything_runs(tmp_path: Path) -> None:
    study = small(set={"chain.links": 60, "run.until": "5 ms"})
    with pytest.raises(InputError, match=r"the route needs .* \[all runs\]") as caught:
        run_study(study, output=tmp_path / "study", workers=1)
    assert caught.value.source == study.drive
    assert not (tmp_path / "study").exists()


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("chaindrive.studies.store.os.write", full)
    with pytest.raises(ComputationError, match="the disk is full"):
        run_study(small(), output=tmp_path / "study", workers=1)


def test_the_picture(serial: StudyTable, tmp_path: Path) -> None:
    figure = plot_study(serial)
    first, second = figure.axes
    assert [line.get_label() for line in first.get_lines()] == ["fresh", "after", "rising", "falling"]
    np.testing.assert_array_equal(first.get_lines()[2].get_xdata(), [20.0, 30.0, 40.0])
    np.testing.assert_array_equal(first.get_lines()[2].get_ydata(), serial["largest"][6:9])
    assert (first.get_ylabel(), second.get_ylabel()) == ("largest", "driven [rpm]")
    assert second.get_xlabel() == "load [N*m]"
    figure.savefig(tmp_path / PICTURE)


def test_the_picture_of_words_and_failures() -> None:
    study = small(
        parameters=[
            {"name": "law", "values": ["hertz", "hunt-crossley"], "set": "run.formulation.contact_law"},
            {"name": "breaking load", "unit": "N", "values": [1e5, 1], "set": "chain.breaking_load",
             "also": {"chain.link_stiffness": ["120 MN/m", "120 MN/m"]}},
        ],
        curves=[{"name": "fresh"}],
    )  # fmt: skip
    axes, last = plot_study(run_study(study, workers=1)).axes
    assert [label.get_text() for label in last.get_xticklabels()] == ["hertz", "hunt-crossley"]
    assert [line.get_label() for line in axes.get_lines()][:2] == ["breaking load 100000 N", "breaking load 1 N"]
    crosses = axes.get_lines()[2]
    np.testing.assert_array_equal(crosses.get_xdata(), [0.0, 1.0])
    assert crosses.get_marker() == "x"


GEARS = """
name = "no tensioner"
[chain]
standard = "bicycle-8"
links = 96
[contact]
stiffness = "30 MN/m"
exponent = 1
[bicycle]
gear = "46x16"
chainrings = [46]
cassette = [15, 16, 22]
chainstay = "405 mm"
straight_chainline = true
[run]
until = "2 ms"
formulation = { kind = "block" }
"""


def gears(**changes: object) -> Study:
    fields = {
        "name": "gears",
        "drive": "given",
        "parameters": [{"name": "gear", "values": ["46x15", "46x22", "46x16"], "set": "bicycle.gear"}],
        "curves": [{"name": "fresh"}, {"name": "after", "start": "from:fresh"}],
        "figures_of_merit": [{"name": "driven", "channel": "wheel_speed", "item": "cog", "reduce": "mean"}],
    }
    return Study.from_dict(fields | changes)


def test_values_with_which_the_drive_cannot_be_stop_a_study_or_are_rows(tmp_path: Path) -> None:
    drive = loads(GEARS)
    with pytest.raises(
        InputError, match=r"46x22 with 96 links: too short by .* \[2 runs, the first: fresh, gear 46x22\]"
    ):
        run_study(gears(), drive=drive, workers=1)
    table = run_study(gears(on_misfit="row"), drive=drive, workers=1, output=tmp_path / "gears")
    assert table.complete
    assert [(row.curve, row.parameters[0], row.status) for row in table.rows] == [
        ("fresh", "46x15", "REACHED_END"),
        ("fresh", "46x22", "INPUT_ERROR"),
        ("fresh", "46x16", "REACHED_END"),
        ("after", "46x15", "REACHED_END"),
        ("after", "46x22", "INPUT_ERROR"),
        ("after", "46x16", "REACHED_END"),
    ]
    assert "46x22 with 96 links: too short by" in table.rows[1].remark
    np.testing.assert_allclose(
        [row.figures[0] for row in table.rows if not row.failed],
        [-3.0 * math.pi * 46 / cog for cog in (15, 16, 15, 16)],
        rtol=0.05,
    )
    again = run_study(gears(on_misfit="row"), drive=drive, workers=1, output=tmp_path / "gears")
    assert again.csv() == table.csv()
    only = [{"name": "gear", "values": ["46x22"], "set": "bicycle.gear"}]
    with pytest.raises(InputError, match="all runs"):
        run_study(gears(on_misfit="row", parameters=only), drive=drive, workers=1)
    late = [{"name": "driven", "channel": "wheel_speed", "item": "cog", "reduce": "mean", "start": "1 s"}]
    with pytest.raises(InputError, match=r"figures_of_merit\[0\].start: the run ends at 0.002 s"):
        run_study(gears(on_misfit="row", figures_of_merit=late), drive=drive, workers=1)
