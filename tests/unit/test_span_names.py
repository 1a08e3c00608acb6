"""Spans are named like wheels, consistently everywhere: labels, tables, plots, report, command line."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest
import scipy.io
import xarray
from matplotlib.figure import Figure
from matplotlib.text import Text

import chaindrive as cd
from chaindrive import plots
from chaindrive.analyses.analytical.operating import operating_point, span_stability
from chaindrive.analyses.results.comparison import comparison
from chaindrive.analyses.results.extremes import extremes
from chaindrive.analyses.results.loop import loop_zones
from chaindrive.analyses.results.periodicity import repetitions
from chaindrive.analyses.signals.frequencies import frequency_marks
from chaindrive.analyses.signals.selection import signal_of
from chaindrive.analyses.signals.waterfall import campbell_lines
from chaindrive.cli.main import main
from chaindrive.export.matlab import write_matlab
from chaindrive.export.tables import write_table
from chaindrive.formulations import compile_system
from chaindrive.model import override
from chaindrive.plot_names import OF_A_VARIATOR
from chaindrive.plots.stability import plot_stability
from chaindrive.report.curves import curve_groups
from chaindrive.report.drive import drive_entry
from chaindrive.report.pack import Blob
from chaindrive.results import files
from chaindrive.results.layout import Layout
from support.made_run import made_run
from support.shared_runs import SharedRuns
from support.small_drives import two_wheels

pytestmark = pytest.mark.usefixtures("few_windows")

MARINE = (
    "crankshaft - counterweight 2",
    "counterweight 2 - tightener",
    "tightener - counterweight 4",
    "counterweight 4 - crankshaft",
)
CONVEYOR = ("motor - conveyor", "conveyor - motor")
OTHERWISE = re.compile(
    r"(crankshaft|tightener|counterweight \d|motor|conveyor) to (crankshaft|tightener|counterweight \d|motor|conveyor)"
)
"""Names of spans in other places."""


@pytest.fixture(scope="module")
def run() -> cd.Solution:
    return made_run()


@pytest.fixture(scope="module")
def stored(shared_runs: SharedRuns, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results file of a short run."""
    path = tmp_path_factory.mktemp("stored") / "run.nc"
    shutil.copyfile(shared_runs.file("industrial-08b", 0.02), path)
    return path


def older(path: Path, drive: str | None = None) -> Path:
    """The file as the first versions wrote it: spans by number, whole numbers without a meaning. drive: the one in the
    file.
    """
    to = path.with_name("older.nc")
    with cd.open(path) as solution:
        channels = tuple(channel._replace(holds="quantity") for channel in solution.channels.values())
        labels = {dim: names for dim, names in solution.labels.items() if dim != "span"}
        table = {name: solution.values(name) for name in solution.channels}
        attrs = solution.attrs if drive is None else {**solution.attrs, "drive": drive}
        rows = [(solution.time, table)]
        files.create_compact(to, Layout(channels, labels), attrs, solution.time.size, rows)
    with h5py.File(to) as file:
        assert "span_name" not in file
        assert file["span"][...].tolist() == [0, 1]
        assert "holds" not in file["contact_surface"].attrs
    return to


def texts(figure: Figure) -> str:
    return "\n".join(each.get_text() for each in figure.findobj(Text))


# ------------------------------------------------------------------------------------------------- in the drive


def test_a_span_is_called_by_the_wheels_at_its_ends() -> None:
    assert cd.example("6l60mc").span_names == MARINE
    assert cd.example("industrial-08b").span_names == CONVEYOR


def test_spans_that_would_be_called_alike_have_their_number() -> None:
    drive = override(cd.example("6l60mc"), {f"wheels.{k}.name": n for k, n in enumerate(["a - b", "c", "a", "b - c"])})
    assert drive.span_names == ("a - b - c (0)", "c - a", "a - b - c (2)", "b - c - a - b")


# -------------------------------------------------------------------------------------------- labels of results


def test_labels_of_a_run_in_memory_and_in_its_file(stored: Path) -> None:
    made = cd.simulate(cd.example("industrial-08b"), 0.002)
    with cd.open(stored) as opened:
        for solution in (made, opened):
            assert solution.labels["span"] == CONVEYOR
            assert solution["span_tension"].coords["span"].values.tolist() == list(CONVEYOR)
            pull = solution["span_tension"].sel(span="conveyor - motor")
            np.testing.assert_array_equal(pull, solution.values("span_tension")[:, 1])
            assert solution.channels["contact_surface"].holds == "index"
            assert solution.channels["tooth_jumps"].holds == "count"
    with xarray.open_dataset(stored, engine="h5netcdf") as data:  # as other programs see it
        assert data["span_name"].values.astype(str).tolist() == list(CONVEYOR)
        assert "span_name" in data["span_tension"].coords
        assert (data["contact_surface"].attrs["holds"], data["tooth_jumps"].attrs["holds"]) == ("index", "count")


def test_a_file_without_names_of_spans_has_those_of_its_drive(stored: Path, tmp_path: Path) -> None:
    with cd.open(older(stored)) as solution, cd.open(stored) as now:
        assert solution.labels == now.labels
        assert solution.drive.span_names == CONVEYOR
        assert solution["span_tension"].sel(span="motor - conveyor").size == solution.time.size
        first = [name for name in now.channels if not name.endswith(("_max", "_min"))]  # which first versions lacked
        assert [solution.channels[name].holds for name in first] == [now.channels[name].holds for name in first]
        assert signal_of(solution, "span_tension", "conveyor - motor").label == "span tension of conveyor - motor"
        solution.save(tmp_path / "again.nc")
    with h5py.File(tmp_path / "again.nc") as file:
        assert file["span_name"].shape[0] == 2


@pytest.mark.parametrize("drive", ["", "no drive", cd.example("6l60mc").to_toml()], ids=["none", "damaged", "another"])
def test_a_file_without_names_of_spans_or_a_drive_numbers_them(stored: Path, drive: str) -> None:
    with cd.open(older(stored, drive)) as solution:
        assert solution.labels["span"] == ("span 0", "span 1")
        assert solution["span_tension"].sel(span="span 1").size == solution.time.size
        with pytest.raises(cd.InputError):
            _ = solution.drive


@pytest.mark.long
def test_an_older_run_is_gone_on_with(tmp_path: Path) -> None:
    """Earlier rows are copied from the old file; the new file has the names."""
    drive, paths = cd.example("industrial-08b"), (tmp_path / "new.nc", tmp_path / "old.nc")
    for path in paths:
        cd.simulate(drive, 0.01, output=path).close()
    older(paths[1]).replace(paths[1])
    new, old = (cd.simulate(drive, 0.02, output=path, resume=True) for path in paths)
    with new, old:
        assert old.labels == new.labels
        assert old.channels == new.channels
        for name in new.channels:
            np.testing.assert_array_equal(old.values(name), new.values(name), err_msg=name)


# ------------------------------------------------------------------------------------------------- who uses them


def test_analyses_agree(run: cd.Solution) -> None:
    assert run.labels["span"] == MARINE
    assert run.items("span_tension") == MARINE
    assert signal_of(run, "span_displacement", 3).label == f"span displacement of {MARINE[3]}"
    assert signal_of(run, "span_displacement", MARINE[3]).item == 3
    zones = {zone.index: zone.name for zone in loop_zones(run) if zone.kind == "span"}
    assert tuple(zones[k] for k in range(4)) == MARINE
    peaks = extremes(run).peaks
    assert {peak.name for peak in peaks if peak.kind == "span"} == set(MARINE)
    assert {peak.where for peak in peaks if peak.where.startswith("in span")} <= {f"in span {name}" for name in MARINE}
    assert {row.name for row in repetitions(run) if "span" in row.name} == {f"span tension of {n}" for n in MARINE}
    compared = comparison(run)
    told = {row.where for row in (*compared.rows, *compared.left_out)}
    assert {place for place in told if " - " in place} == set(MARINE)
    strings = {line.label.partition(", ")[2] for line in campbell_lines(run, [1.0], [2.0]) if line.kind == "string"}
    assert strings == set(MARINE)
    marks = {mark.label.partition(", ")[2] for mark in frequency_marks(run, span=2) if mark.kind == "string"}
    assert marks == {MARINE[2]}


@pytest.mark.parametrize(
    "names", [("overview", "span", "tension-around"), pytest.param(tuple(plots.PLOTS), marks=pytest.mark.long)]
)
def test_plots_agree(run: cd.Solution, names: tuple[str, ...]) -> None:
    drawn = plots.data_drive(run.drive)
    assert tuple(drawn.loc[drawn["part"] == "span", "name"].unique()) == MARINE
    assert f"displacement of {MARINE[1]} [m]" in plots.data_span(run, span=1).columns
    overview = plots.data_overview(run, span=1).columns
    assert {f"mean tension of {name} [N]" for name in MARINE} <= set(overview)
    figures = {name: plot(run) for name, plot in plots.PLOTS.items() if name in names and name not in OF_A_VARIATOR}
    for name, figure in figures.items():
        assert not OTHERWISE.search(texts(figure)), name
    assert MARINE[0] in texts(figures["span"])
    assert all(name in texts(figures["overview"]) for name in MARINE)
    point = operating_point(run.drive, [19e3, 18e3, 18.5e3, 20e3])
    few = span_stability(point, 1, [4.0, 6.0, 8.0], [2e3, 4e3])
    assert f"Stability of span 1, {MARINE[1]}" in texts(plot_stability(point, 1, found=few))


def test_report_agrees(run: cd.Solution, tmp_path: Path) -> None:
    assert tuple(each["name"] for each in drive_entry(run.drive, Blob())["spans"]) == MARINE
    (tension,) = (group for group in curve_groups(run, run.drive, slice(None)) if group.key == "span_tension")
    assert tuple(each.name for each in tension.series) == MARINE
    cd.write_report(run, tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert all(f"<td>{name}" in page or f">{name}<" in page for name in MARINE)
    assert not OTHERWISE.search(page)


def test_exports_agree(run: cd.Solution, tmp_path: Path) -> None:
    write_table(run, tmp_path / "run.csv", ["span_tension"])
    lines = [line for line in (tmp_path / "run.csv").read_text().splitlines() if not line.startswith("#")]
    assert next(csv.reader(lines)) == ["time [s]", *(f"span_tension[{name}] [N]" for name in MARINE)]
    write_table(run, tmp_path / "one.csv", [f"span_tension[{MARINE[2]}]", "span_tension[0]"])  # by name or by number
    write_matlab(run, tmp_path / "run.mat", ["span_tension"])
    names = scipy.io.loadmat(tmp_path / "run.mat", squeeze_me=True)["span_tension"]["names"].item()
    assert tuple(str(name) for name in np.ravel(names)) == MARINE


def test_the_command_line_agrees(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, stored: Path, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    plot = ("plot", stored, "spectrum", "--channel", "span_tension", "--index", CONVEYOR[1], "-o", "a.png")
    for arguments in (("check", "industrial-08b", "--no-draw"), ("analyze", "industrial-08b"), ("info", stored), plot):
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert ending.value.code == 0, err
        assert not OTHERWISE.search(out + err)
        if arguments[0] in ("check", "analyze"):
            assert all(name in out for name in CONVEYOR)


@pytest.mark.long
def test_messages_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chaindrive.simulation.preload.GROWTH", 4.0)  # a third of the searches for rest
    beyond = {"span": 0, "tension": "17 kN", "by": "wheel", "wheel": 1}
    far = override(two_wheels(link_stiffness=1e6), {"preload": beyond})
    with pytest.raises(cd.InputError, match=r"in span 0 \(driver - driven\) cannot be reached"):
        cd.simulate(far, 0.001)


def test_the_system_has_them() -> None:
    drive = cd.example("6l60mc")
    assert compile_system(drive, drive.run.formulation, False).labels["span"] == drive.span_names == MARINE
