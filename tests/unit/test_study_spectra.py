"""Spectra that a study keeps: requested, refused, stored, resumed, and the map made from them."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.speed_map import Column, Wish, column_of
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.model import override
from chaindrive.model.study.description import Study
from chaindrive.model.study.files import load_study, study_path
from chaindrive.plots import data_campbell, plot_campbell, tables_of
from chaindrive.report.campbell import write_campbell
from chaindrive.studies import run_study
from chaindrive.studies.spectra import load_spectra, save_spectra
from chaindrive.studies.store import MAP_PICTURE, REPORTS, SPECTRA, STATES, TABLE
from chaindrive.studies.table import Row, StudyTable
from support.report_run import Page
from support.swept_runs import ALIASED, RESONANCE, answer, run_at, tooth_frequency

pytestmark = pytest.mark.usefixtures("few_windows")

FIELDS = {
    "name": "speed",
    "drive": "industrial-08b",
    "set": {"run.until": "40 ms", "run.solver.method": "verlet"},
    "parameters": [
        {"name": "speed", "unit": "rpm", "values": [500, 400, 450], "set": "wheels.motor.motion.speed",
         "also": {"wheels.motor.motion.speed": ["-500 rpm", "-400 rpm", "-450 rpm"]}},
    ],
    "figures_of_merit": [{"name": "largest", "channel": "link_tension", "reduce": "max"}],
    "spectra": [
        {"channel": "span_displacement", "item": "motor - conveyor"},
        {"channel": "bearing_force", "axis": "x", "item": [1], "start": "10 ms", "highest_frequency": "400 Hz"},
    ],
}  # fmt: skip
FIELDS["parameters"][0].pop("set")


def speed(**changes: object) -> Study:
    return Study.from_dict(FIELDS | changes)


def problems(**changes: object) -> dict[str, str]:
    with pytest.raises(InputError) as caught:
        Study.from_dict(FIELDS | changes)
    return {problem.place: problem.message for problem in caught.value.problems}


class Interrupt:
    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, progress: object) -> None:
        if progress.done >= self.after:  # type: ignore[attr-defined]
            raise KeyboardInterrupt


def same(one: tuple[Column, ...], other: tuple[Column, ...]) -> bool:
    """Assert equality bit for bit."""
    pairs = [(a, b) for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True)]
    return all(np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b for a, b in pairs)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> tuple[StudyTable, Path]:
    """The table of a study interrupted after each of its runs."""
    output = tmp_path_factory.mktemp("study") / "out"
    for done in (1, 2):
        cut = run_study(speed(), output=output, workers=1, progress=Interrupt(done))
        assert len(cut) == done == len(cut.spectra)
    return run_study(speed(), output=output, workers=1), output


def test_all_that_is_wrong_is_told_at_once() -> None:
    found = problems(
        operating="3 m",
        reports="perhaps",
        spectra=[
            {"channel": "span_displacement", "start": "20 ms", "stop": "10 ms"},
            {"channel": "span_tension", "start": "steady", "stop": "10 ms"},
            {"channel": "span_tension", "resolution": "10 Hz", "highest_frequency": "60 Hz"},
            {"channel": "span_tension", "item": True, "window": "round"},
            {"item": 1},
        ],
    )
    assert "must be after the start of the window, 0.02 s" in found["spectra[0].stop"]
    assert "omit this" in found["spectra[1].stop"]
    assert "at least 8 bins, 80 Hz" in found["spectra[2].highest_frequency"]
    assert "an index or a name" in found["spectra[3].item"]
    assert {"operating", "reports", "spectra[3].window", "spectra[4].channel"} <= set(found)


def test_what_does_not_fit_the_drive_is_told_before_the_first_run() -> None:
    study = speed(
        set=FIELDS["set"] | {"run.save.rate": "1 kHz"},
        spectra=[
            {"channel": "span_displacment"},
            {"channel": "contact_surface"},
            {"channel": "span_tension", "item": ["motor - conveyer", 0]},
            {"channel": "energy_kinetic", "item": 0},
            {"channel": "wheel_speed", "item": 2},
            {"channel": "wheel_speed", "highest_frequency": "2 kHz", "resolution": "10 Hz"},
            {"channel": "link_tension"},
        ],
    )
    with pytest.raises(InputError) as caught:
        run_study(study, workers=1, progress=Interrupt(0))
    found = {problem.place: problem.message for problem in caught.value.problems}
    assert "did you mean 'span_displacement'" in found["spectra[0].channel"]
    assert "whole numbers" in found["spectra[1].channel"]
    assert "did you mean 'motor - conveyor'" in found["spectra[2].item"]
    assert "is a single signal" in found["spectra[3].item"]
    assert "index from 0 to 1, or one of motor, conveyor" in found["spectra[4].item"]
    assert "half the save rate, 500 Hz: raise run.save.rate" in found["spectra[5].highest_frequency"]
    assert "needs a window of 0.1 s, but this one has at most 0.021 s" in found["spectra[5].resolution"]
    assert "select with item" in found["spectra"]
    with pytest.raises(InputError, match=r"spectra\[0\].start: the run ends at 0.04 s, steady or not"):
        run_study(speed(spectra=[{"channel": "span_tension", "start": "steady"}]), workers=1)
    with pytest.raises(InputError, match=r"spectra\[0\].start: the run ends at 0.04 s"):
        run_study(speed(spectra=[{"channel": "span_tension", "start": "1 s"}]), workers=1)


def test_spectra_are_those_of_the_runs(table: tuple[StudyTable, Path]) -> None:
    drive = override(cd.example("industrial-08b"), FIELDS["set"] | {"wheels.motor.motion.speed": "-400 rpm"})
    run = cd.simulate(drive)
    wishes = (
        Wish("span_displacement", 0, "magnitude", "hann", None, None, None, math.inf),
        Wish("bearing_force", 1, "x", "hann", 0.01, None, None, 400.0),
    )
    assert same(table[0].spectra[1], tuple(column_of(run, wish) for wish in wishes))
    assert table[0].operating == pytest.approx(500.0 * math.pi / 30.0)


def test_an_interrupted_study_has_the_same_spectra(table: tuple[StudyTable, Path]) -> None:
    found, output = table
    whole = run_study(speed(), workers=1)
    assert whole.complete
    assert found.complete
    assert all(same(found.spectra[run], whole.spectra[run]) for run in range(3))
    assert sorted(path.name for path in (output / SPECTRA).iterdir()) == ["000000.nc", "000001.nc", "000002.nc"]
    again = run_study(speed(), output=output, workers=1, progress=Interrupt(0))  # nothing is left to do
    assert all(same(again.spectra[run], whole.spectra[run]) for run in range(3))


@pytest.mark.long
def test_processes_keep_the_same_spectra_and_reports(table: tuple[StudyTable, Path], tmp_path: Path) -> None:
    found = run_study(speed(reports=True), output=tmp_path / "out", workers=2)
    assert all(same(found.spectra[run], table[0].spectra[run]) for run in range(3))
    assert sorted(path.name for path in (tmp_path / "out" / REPORTS).iterdir()) == ["0.html", "1.html", "2.html"]
    page = (tmp_path / "out" / REPORTS / "1.html").read_text(encoding="utf-8")
    assert "chaindrive" in page[:400]
    assert "-400 rpm" in page.replace("\u2212", "-").replace("\u00a0", " ")


def test_a_marked_speed_may_change_what_is_kept_may_not(table: tuple[StudyTable, Path]) -> None:
    _, output = table
    moved = run_study(speed(operating="420 rpm"), output=output, workers=1, progress=Interrupt(0))
    assert moved.operating == pytest.approx(420.0 * math.pi / 30.0)
    assert moved.maps[0].operating == moved.operating
    with pytest.raises(InputError, match="the study has changed since"):
        run_study(speed(spectra=[]), output=output, workers=1)


def test_a_missing_or_damaged_file_is_told(table: tuple[StudyTable, Path], tmp_path: Path) -> None:
    path = tmp_path / "000000.nc"
    save_spectra(path, table[0].spectra[0])
    assert same(load_spectra(path), table[0].spectra[0])
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(InputError, match="not readable spectra"):
        load_spectra(path)
    with pytest.raises(InputError, match="no longer exist; --restart"):
        load_spectra(tmp_path / "other.nc")


def test_a_study_that_begins_anew_forgets_what_it_kept(table: tuple[StudyTable, Path], tmp_path: Path) -> None:
    output = tmp_path / "out"
    shutil.copytree(table[1], output)
    (output / MAP_PICTURE).write_bytes(b"old")
    (output / SPECTRA / "mine.txt").write_text("mine")
    run_study(speed(), output=output, workers=1, restart=True, progress=Interrupt(1))
    assert sorted(path.name for path in (output / SPECTRA).iterdir()) == ["000000.nc", "mine.txt"]
    assert not (output / MAP_PICTURE).exists()
    assert {path.name for path in output.iterdir()} == {"study.json", TABLE, STATES, SPECTRA}


def made_table(speeds: list[float], curves: int = 1, **fields: object) -> StudyTable:
    """A study of made-up runs: every number in it is known."""
    parameters = [{"name": "speed", "unit": "rpm", "values": speeds, "set": "wheels.motor.motion.speed"}]
    named = [{"name": f"curve {k}"} for k in range(curves)]
    study = speed(parameters=parameters, curves=named, **fields)
    wish = Wish("span_displacement", 0, "magnitude", "hann", None, None, None, math.inf)
    wishes = (wish, wish._replace(channel="span_tension"))
    rows, spectra = [], {}
    for number in range(curves * len(speeds)):
        rpm = speeds[number % len(speeds)]
        rows.append(Row(number, f"curve {number // len(speeds)}", (rpm,), (1.0,), "REACHED_END", "", 1.0, 1.0, 10))
        spectra[number] = tuple(column_of(run_at(rpm), each) for each in wishes)
    return StudyTable(study, ["N"], rows, len(rows), spectra, 500.0 * math.pi / 30.0)


SPEEDS = [540.0, 300.0, 380.0, 420.0, 460.0, 500.0, 580.0]


@pytest.fixture(scope="module")
def made() -> StudyTable:
    return made_table(SPEEDS, 2)


def test_maps_are_those_of_every_signal_and_curve(made: StudyTable) -> None:
    assert [each.title for each in made.maps] == [
        "span displacement of motor - conveyor, curve 0", "span displacement of motor - conveyor, curve 1",
        "span tension of motor - conveyor, curve 0", "span tension of motor - conveyor, curve 1",
    ]  # fmt: skip
    second = made.maps[1].waterfall
    c, _ = np.unravel_index(second.amplitude.argmax(), second.amplitude.shape)
    assert made.rows[second.run[c]].parameters == (500.0,)  # the teeth meet 140 Hz at 494 rpm
    assert made.rows[second.run[c]].curve == "curve 1"


def test_the_picture_and_its_numbers(made: StudyTable) -> None:
    figure = plot_campbell(made, "span_displacement", curve="curve 1", index="motor - conveyor")
    upper, cuts, words = (axes for axes in figure.axes if axes.get_label() != "<colorbar>")
    assert upper.get_ylabel() == "frequency [Hz]"
    assert cuts.get_xlabel() == "speed of motor [rpm]"
    assert "tooth frequency meets mode" in words.texts[0].get_text()
    assert "teeth above half the save rate, aliased" in upper.get_legend_handles_labels()[1]
    tables = tables_of(
        data_campbell(made, "span_displacement", cuts=["tooth frequency", "4 × tooth frequency, aliased"])
    )
    ordered = sorted(SPEEDS)
    found = tables["cuts"]
    np.testing.assert_allclose(found["speed of motor [rad/s]"] * 30.0 / math.pi, ordered, rtol=1e-6)
    np.testing.assert_allclose(found["tooth frequency [m]"], [answer(tooth_frequency(s)) for s in ordered], rtol=5e-3)
    assert found["4 × tooth frequency, aliased [m]"].iloc[-1] == pytest.approx(ALIASED, rel=0.06)
    assert abs(tooth_frequency(ordered[int(found["tooth frequency [m]"].idxmax())]) - RESONANCE) < 5.0
    assert (tables["crossings"]["meets"] == "mode 1 of span motor - conveyor").any()
    with pytest.raises(InputError, match="there is no line of this name; did you mean 'tooth frequency'"):
        plot_campbell(made, cuts=["tooth freqency"])


def test_the_page_tells_and_marks_warnings(made: StudyTable, tmp_path: Path) -> None:
    rows = [row._replace(remark="slack" if row.run in (1, 2) else "") for row in made.rows]
    marked = StudyTable(made.study, made.units, rows, made.total, made.spectra)
    text = write_campbell(marked, tmp_path / "map.html").path.read_text(encoding="utf-8")
    assert "slack (2 of 14 runs: curve curve 0; speed 300, 380 rpm)" in text
    assert text.count("1 warning<") == 2
    assert "1 warning<" not in write_campbell(made, tmp_path / "calm.html").path.read_text(encoding="utf-8")


def test_what_is_not_there_is_told(made: StudyTable) -> None:
    with pytest.raises(InputError, match="only of span_displacement, span_tension"):
        plot_campbell(made, "wheel_speed")
    with pytest.raises(InputError, match="did you mean 'curve 1'"):
        plot_campbell(made, curve="curve1")
    with pytest.raises(InputError, match="item with spectra; available: span displacement of motor - conveyor"):
        plot_campbell(made, index=7)
    with pytest.raises(InputError, match=r"the study stores none: add a table \[\[spectra\]\]"):
        _ = StudyTable(speed(spectra=[]), ["N"], [], 3).maps
    with pytest.raises(InputError, match="no run has ended with a result"):
        _ = StudyTable(speed(), ["N"], [], 3).maps
    with pytest.raises(InputError, match="needs runs at different speeds"):
        _ = made_table([500.0, 501.0]).maps


def test_the_study_that_comes_along_keeps_spectra() -> None:
    study = load_study(study_path("timing-06b-speed"))
    assert study.operating == pytest.approx(3000.0 * math.pi / 30.0)
    assert len(study.parameters[0].points()) == 31
    assert [each.channel for each in study.spectra] == ["span_displacement", "span_tension", "wheel_speed"]


STUDY = """
name = "speed"
drive = "industrial-08b"
reports = true
[set]
"run.until" = "20 ms"
"run.solver.method" = "verlet"
[[parameters]]
name = "speed"
unit = "rpm"
values = [-400, -500]
set = "wheels.motor.motion.speed"
[[figures_of_merit]]
name = "largest"
channel = "link_tension"
reduce = "max"
[[spectra]]
channel = "span_tension"
"""


def test_the_command_leaves_page_picture_and_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("speed.toml").write_text(STUDY, encoding="utf-8")
    with pytest.raises(SystemExit) as ending:
        main(["sweep", "speed.toml", "--workers", "1"])
    out, err = capsys.readouterr()
    assert (ending.value.code, err.count("warn")) == (0, 0)
    assert "Speed map of the spectra in speed-study/campbell.html and speed-study/campbell.png" in " ".join(out.split())
    page = Page(Path("speed-study/campbell.html").read_text(encoding="utf-8"))
    assert [each["title"] for each in page.header["maps"]] == [
        "Span tension of motor - conveyor", "Span tension of conveyor - motor"
    ]  # fmt: skip
    assert page.header["maps"][0]["operating"] == pytest.approx(500.0)
    runs = page.header["maps"][0]["runs"]
    assert runs == [
        {"name": "run 0, speed -400 rpm", "href": "reports/0.html"},
        {"name": "run 1, speed -500 rpm", "href": "reports/1.html"},
    ]
    assert all((Path("speed-study") / run["href"]).is_file() for run in runs)
    assert Path("speed-study/campbell.png").read_bytes().startswith(b"\x89PNG")


def test_a_study_of_one_speed_says_that_it_has_no_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = STUDY.replace("-400, -500", "-500").replace("reports = true", "")
    Path("speed.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as ending:
        main(["sweep", "speed.toml", "--workers", "1"])
    assert ending.value.code == 0
    assert "needs runs at different speeds" in " ".join(capsys.readouterr().err.split())
    assert not Path("speed-study/campbell.html").exists()
