"""Figures of merit that compare a run with a measured curve: known differences, files, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.model.files.curves import read_curve
from chaindrive.model.study.description import FigureOfMerit
from chaindrive.model.study.measured import Measurement
from chaindrive.model.tabulated import skipped_rows
from chaindrive.studies.difference import Reference, rms_difference
from chaindrive.studies.merit import evaluate, prepare_figures
from chaindrive.studies.plan import window_problems
from support.made_run import solution_of

TIME = np.linspace(0.0, 1.0, 1001)
OMEGA = 2.0 * math.pi * 5.0


@pytest.fixture(scope="module")
def run() -> cd.Solution:
    """Span tension 300 + 40 sin(2 pi 5 t) N; the other spans have none."""
    drive = cd.example("industrial-08b")
    tension = np.zeros((TIME.size, len(drive.wheels)))
    tension[:, 0] = 300.0 + 40.0 * np.sin(OMEGA * TIME)
    return solution_of(drive, TIME, {"span_tension": tension})


def measured_of(run: cd.Solution, item: object = 0, **fields: object) -> float:
    figure = FigureOfMerit(name="d", channel="span_tension", item=item, reduce="rms_difference", **fields)
    prepared, _ = prepare_figures([figure], list(run.channels.values()), run.labels)
    return evaluate(prepared[0], run)


def curve(times: np.ndarray, values: np.ndarray, **fields: object) -> dict[str, object]:
    return {"times": times.tolist(), "values": values.tolist(), **fields}


def test_the_difference_of_known_curves(run: cd.Solution) -> None:
    """rms of 40 sin - (-10) over whole periods: sqrt(40^2/2 + 10^2), with the factors of units and of divide_by."""
    level = curve(np.array([0.0, 2.0]), np.array([0.29, 0.29]), unit="kN")
    expected = math.sqrt(40.0**2 / 2.0 + 10.0**2)
    window = {"start": 0.2, "stop": 0.3999}
    assert measured_of(run, measured=level, **window) == pytest.approx(expected, rel=1e-9)
    assert measured_of(run, measured=level, unit="kN", **window) == pytest.approx(1e-3 * expected, rel=1e-9)
    assert measured_of(run, measured=level, divide_by="100 N", **window) == pytest.approx(1e-2 * expected, rel=1e-9)


def test_coarser_instants_are_interpolated(run: cd.Solution) -> None:
    """Linear interpolation of a sine at steps h is off by (omega h)^2/8 of its amplitude at most."""
    step = 0.004
    times = np.arange(0.0, 1.0 + step, step)
    found = measured_of(run, measured=curve(times, 300.0 + 40.0 * np.sin(OMEGA * times), unit="N"))
    assert 0.0 < found < 40.0 * (OMEGA * step) ** 2 / 8.0


def test_the_clock_of_the_measurement(run: cd.Solution) -> None:
    """The clock of the measurement is 30 ms late: shift = -30 ms puts it right, without it the sines are 0.94 rad
    apart.
    """
    times = np.linspace(0.0, 1.2, 12001)
    late = curve(times, 300.0 + 40.0 * np.sin(OMEGA * (times - 0.03)), unit="N")
    window = {"start": 0.2, "stop": 0.7999}
    apart = 2.0 * 40.0 * math.sin(0.5 * OMEGA * 0.03) / math.sqrt(2.0)
    assert measured_of(run, measured=late, **window) == pytest.approx(apart, rel=1e-6)
    assert measured_of(run, measured={**late, "shift": -0.03}, **window) < 1e-3
    assert measured_of(run, measured={**late, "shift_within": 0.05}, **window) < 1e-2
    assert measured_of(run, measured={**late, "shift_within": 0.01}, **window) == pytest.approx(
        2.0 * 40.0 * math.sin(0.5 * OMEGA * 0.02) / math.sqrt(2.0), rel=1e-6
    )


def test_the_best_shift_is_found_between_instants() -> None:
    times = np.linspace(-1.0, 2.0, 30001)
    reference = Reference(tuple(times), tuple(np.sin(OMEGA * (times + 0.0123456))), 0.0, 0.03)
    found, shift = rms_difference(TIME, np.sin(OMEGA * TIME), reference)
    assert shift == pytest.approx(0.0123456, abs=2e-6)
    assert found < 1e-4


def test_a_window_that_was_hardly_measured_is_refused(run: cd.Solution) -> None:
    short = curve(np.array([0.0, 0.3]), np.array([1.0, 1.0]), unit="N")
    with pytest.raises(InputError, match="less than half"):
        measured_of(run, measured=short)
    assert measured_of(run, measured=short, stop=0.5) > 0.0
    with pytest.raises(InputError, match="less than half"):
        measured_of(run, measured={**short, "shift": 5.0}, stop=0.5)


FILES = {
    "plain.csv": "time [ms], force [kN]\n0, 1\n500, 2.5\n",
    "german.txt": "# from the bench\n\ufefftime [ms]; force [kN]\n0; 1\n500; 2.5\n",
    "exported.csv": "# chaindrive\ntime [s],wheel_speed[a] [rad/s],force [kN]\n0,7,1\n0.25,7,\n0.5,7,2.5\n",
}


@pytest.mark.parametrize("name", FILES)
def test_files(name: str, tmp_path, monkeypatch) -> None:
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    given = {"file": name, "column": "force"} if name == "exported.csv" else name
    read = FigureOfMerit(name="d", channel="x", reduce="rms_difference", measured=given).measured
    assert read is not None
    assert (read.times, read.values, read.unit) == ((0.0, 0.5), (1.0, 2.5), "kN")


def test_a_heading_may_have_a_unit_that_only_a_quantity_explains(tmp_path) -> None:
    (tmp_path / "speed.csv").write_text("time [s],speed [min-1]\n0,300\n1,301\n", encoding="utf-8")
    assert read_curve(str(tmp_path / "speed.csv")).unit == "min-1"


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("0,1\n1,2\n3,4\n", None, "heading"),
        ("time [s],force\n0,1\n1,2\n", None, "needs a unit"),
        ("time [m],force [N]\n0,1\n1,2\n", None, "not a unit of time"),
        ("time [s],force [N]\n0,1\n0,2\n", None, "line 3, column 'time': must increase"),
        ("time [s],force [N]\n0,1\n1,two\n", None, "line 3"),
        ("time [s],force [N]\n0,1\n1,inf\n", None, "finite"),
        ("time [s],force [N]\n0,1\n1\n", None, "line 3 has 1 columns"),
        ("time [s],a [N],b [N]\n0,1,1\n1,2,2\n", None, "several columns"),
        ("time [s],force [N]\n0,1\n1,2\n", "froce", "did you mean 'force'"),
        ("time [s],force [N]\n0,1\n", None, "at least two rows"),
    ],
)
def test_files_that_are_refused(text: str, column: str | None, message: str, tmp_path, monkeypatch) -> None:
    (tmp_path / "m.csv").write_text(text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        Measurement(file="m.csv", **({} if column is None else {"column": column}))


def test_rows_without_a_value_are_skipped_with_a_warning(tmp_path, monkeypatch) -> None:
    """A measured curve of another clock in the same file: its rows have no force."""
    (tmp_path / "m.csv").write_text("time [ms],force [N],noise [1]\n0,1,\n1,,5\n3,2,\n")
    monkeypatch.chdir(tmp_path)
    figure = FigureOfMerit(
        name="d",
        channel="span_tension",
        item=0,
        reduce="rms_difference",
        measured={"file": "m.csv", "column": "force"},
    )
    assert figure.measured is not None
    assert figure.measured.values == (1.0, 2.0)
    (warning,) = skipped_rows(figure)
    assert warning.startswith("measured: m.csv: 1 of 3 rows")
    assert "'time' 0 to 3 ms (lines 2 to 4)" in warning
    (tmp_path / "m.csv").write_text("time [s],force [N]\n0,1\n1,NaN\n2,3\n")
    with pytest.raises(InputError, match="line 3, column 'force': 'NaN'"):
        Measurement(file="m.csv")


def test_what_contradicts_itself(run: cd.Solution) -> None:
    level = curve(np.array([0.0, 1.0]), np.array([1.0, 1.0]), unit="N")
    for wrong, message in [
        ({"measured": {**level, "file": "m.csv"}}, "not both"),
        ({"measured": {**level, "values": [1.0]}}, "values"),
        ({"measured": {**level, "times": [1.0, 0.0]}}, "increase"),
        ({"measured": {**level, "unit": "mm"}}, "mm"),
        ({"measured": level, "item": "all"}, "one item"),
    ]:
        with pytest.raises(InputError, match=message):
            measured_of(run, **wrong)


def test_a_study_needs_both_and_reads_the_file_beside_it(tmp_path) -> None:
    head = (
        'name = "s"\ndrive = "industrial-08b"\n[[parameters]]\nname = "f"\nvalues = [0.1]\nset = "contact.friction"\n'
    )
    figure = '[[figures_of_merit]]\nname = "d"\nchannel = "wheel_speed"\nitem = "conveyor"\n'
    (tmp_path / "study.toml").write_text(f'{head}{figure}reduce = "rms_difference"\n')
    with pytest.raises(InputError, match="must be given together"):
        cd.load_study(tmp_path / "study.toml")
    (tmp_path / "study.toml").write_text(f'{head}{figure}reduce = "max"\nmeasured = "m.csv"\n')
    (tmp_path / "m.csv").write_text("time [s], speed [rpm]\n0, 20\n1, 21\n")
    with pytest.raises(InputError, match="must be given together"):
        cd.load_study(tmp_path / "study.toml")
    (tmp_path / "study.toml").write_text(f'{head}{figure}reduce = "rms_difference"\nmeasured = "m.csv"\n')
    found = cd.load_study(tmp_path / "study.toml").figures_of_merit[0].measured
    assert found is not None
    assert found.values == (20.0, 21.0)
    (tmp_path / "m.csv").unlink()
    with pytest.raises(InputError, match="does not exist"):
        cd.load_study(tmp_path / "study.toml")


def test_a_cell_longer_than_a_table_may_have_is_refused(tmp_path) -> None:
    path = tmp_path / "long.csv"
    path.write_text(f"time [s], force [N]\n0, {'1' * 140_000}\n1, 2\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"long\.csv: field larger"):
        read_curve(str(path))


@pytest.mark.parametrize(
    ("fields", "until", "told"),
    [
        ({}, 2.0, "covers 0 to 0.3 s of the run; at least half of the window, 0 to 2 s,"),
        ({"start": 0.2}, 0.5, "0.2 to 0.5 s"),
        ({"stop": 0.6}, 2.0, ""),
        ({"stop": 0.601}, 2.0, "0 to 0.601 s"),
        ({"start": 0.2}, "steady", ""),
        ({"start": 0.2, "stop": 0.5}, "steady", "0.2 to 0.5 s"),
        ({"start": "steady"}, "steady", ""),
    ],
)
def test_a_window_that_is_hardly_measured_is_refused_before_the_runs(fields, until, told, tmp_path) -> None:
    (tmp_path / "m.csv").write_text("time [ms],a [N],b [N]\n0,1,1\n300,2,2\n")
    curve_in_file = {"file": str(tmp_path / "m.csv"), "column": "b"}
    figure = {"name": "d", "channel": "span_tension", "item": 0, "reduce": "rms_difference", "measured": curve_in_file}
    found = window_problems(
        [FigureOfMerit(**figure, **fields)], cd.example("industrial-08b").replace("run.until", until)
    )
    assert [problem.place for problem in found] == ["figures_of_merit[0].measured"] * bool(told)
    assert all(told in problem.message and "m.csv, column 'b'" in problem.value for problem in found)


def test_shifts_that_leave_nothing_are_refused_before_the_runs() -> None:
    short = curve(np.array([0.0, 0.3]), np.array([1.0, 1.0]), unit="N", shift_within=0.2)
    figures = [FigureOfMerit(name="d", channel="span_tension", item=0, reduce="rms_difference", measured=short)]
    study = cd.Study(
        name="s",
        drive="industrial-08b",
        set={"run.until": 0.1},
        parameters=[{"name": "f", "values": [0.1, 0.2], "set": "contact.friction"}],
        figures_of_merit=figures,
    )
    ended = []
    with pytest.raises(InputError, match=r"covers no part of the run for every shift within 0\.2 s.*\[all runs\]"):
        cd.run_study(study, workers=1, progress=ended.append)
    assert not ended


def test_a_table_has_the_warnings_of_its_study_and_of_its_runs(tmp_path) -> None:
    """In Python, where nothing is printed, they are in the table, and its repr counts them."""
    (tmp_path / "m.csv").write_text("time [s],force [N]\n0,1\n0.001,\n0.002,1\n")
    study = cd.Study(
        name="s",
        drive="industrial-08b",
        set={"run.until": 0.002, "run.formulation.kind": "block", "contact.friction": 1.2},
        parameters=[{"name": "load", "values": [10.0, 20.0], "set": "wheels.conveyor.load_torque"}],
        figures_of_merit=[
            {
                "name": "d",
                "channel": "span_tension",
                "item": 0,
                "reduce": "rms_difference",
                "measured": {"file": str(tmp_path / "m.csv")},
            }
        ],
    )
    table = cd.run_study(study, workers=1)
    skipped, doubtful = table.warnings
    assert skipped == skipped_rows(study)[0]
    assert "1 of 3 rows" in skipped
    assert "contact.friction" in doubtful
    assert doubtful.endswith("(all 2 runs)")
    assert repr(table) == "<StudyTable s: 2 of 2 runs, 0 failed, 2 warnings>"
