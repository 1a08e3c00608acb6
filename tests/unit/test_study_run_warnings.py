"""Warnings of the runs of a study: each once, with the runs and values that it concerns; marked in table and page."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import chaindrive as cd
from chaindrive.cli.main import main
from chaindrive.model.study.description import Study
from chaindrive.model.study.optimisation import Optimisation
from chaindrive.report.subject import Subject
from chaindrive.report.summary import warnings_of as warnings_of_report
from chaindrive.results.repeats import Repeat
from chaindrive.studies.evaluations import NO_VALUE, OptimisationTable, Scale, judged_evaluation, read_evaluation
from chaindrive.studies.remarks import remark_of
from chaindrive.studies.run_warnings import warnings_of, warnings_of_repeats
from chaindrive.studies.table import Row, StudyTable, line
from support.report_run import made_solution

LOST = "the energy residual is {} µJ. Use smaller tolerances (a tenth of run.solver.atol_speed)"


def table(speeds: list[float], warnings: dict[int, list[str]], curves: int = 1, **failed: str) -> StudyTable:
    """A study over the speed and two loads, with warnings by the number of the run."""
    study = Study.from_dict(
        {
            "name": "made up",
            "drive": "industrial-08b",
            "parameters": [
                {"name": "speed", "unit": "rpm", "values": speeds, "set": "wheels.motor.motion.speed"},
                {"name": "load", "unit": "N*m", "values": [10, 20], "set": "wheels.conveyor.load_torque"},
            ],
            "curves": [{"name": f"curve {k}"} for k in range(curves)],
            "figures_of_merit": [{"name": "largest", "channel": "link_tension", "reduce": "max"}],
        }
    )
    rows = []
    for number in range(curves * 2 * len(speeds)):
        curve, place = divmod(number, 2 * len(speeds))
        values = (speeds[place // 2], (10.0, 20.0)[place % 2])
        remark, status = remark_of(warnings.get(number, [])), failed.get(f"run_{number}", "REACHED_END")
        rows.append(Row(number, f"curve {curve}", values, (1.0,), status, remark, 1.0, 1.0, 10))
    return StudyTable(study, ["N"], rows, len(rows))


SPEEDS = [300.0, 350.0, 400.0, 450.0, 500.0]


def test_each_warning_once_with_runs_and_values() -> None:
    at_low = {number: ["slack"] for number in (0, 2, 4)}  # 300, 350 and 400 rpm at 10 N m
    found = warnings_of(table(SPEEDS, at_low | {9: ["slack", "jam of wheel 2"]}))
    assert [(each.message, each.runs) for each in found] == [("slack", (0, 2, 4, 9)), ("jam of wheel 2", (9,))]
    assert found[0].text == "slack (4 of 10 runs: speed 300 to 400, 500 rpm)"
    assert found[1].text == "jam of wheel 2 (run 9: speed 500 rpm; load 20 N*m)"


def test_a_warning_of_all_runs_names_no_values() -> None:
    (found,) = warnings_of(table(SPEEDS, {number: ["slack"] for number in range(10)}))
    assert found.text == "slack (all 10 runs)"


def test_warnings_that_differ_in_their_numbers_are_one() -> None:
    """The text is that of the first; names with digits of their own, such as 08B, stay apart."""
    told = {1: [LOST.format(197)], 3: [LOST.format("2.1e-05")], 4: ["chain A1"], 5: ["chain A2"]}
    found = warnings_of(table(SPEEDS, told))
    assert [each.runs for each in found] == [(1, 3), (4,), (5,)]
    assert found[0].text == f"{LOST.format(197)} (numbers from run 1; 2 of 10 runs: speed 300, 350 rpm; load 20 N*m)"


def test_curves_are_named_where_there_are_others() -> None:
    (found,) = warnings_of(table([300.0, 400.0], {4: ["slack"], 6: ["slack"]}, curves=2))
    assert found.text == "slack (2 of 8 runs: curve curve 1; load 10 N*m)"


def test_many_values_are_counted() -> None:
    speeds = [300.0 + 10.0 * k for k in range(24)]
    (found,) = warnings_of(table(speeds, {4 * k: ["slack"] for k in range(12)}))
    assert found.text.endswith("speed 300, 320, 340, 360, 380, 400, 420, 440 and 4 more rpm; load 10 N*m)")


def test_the_remark_of_a_failed_run_is_no_warning() -> None:
    made = table(SPEEDS, {3: ["the chain jumped"], 4: ["a", "b; c | d"]}, run_3="CHAIN_LEFT_WHEEL")
    assert made.rows[3].warnings == ()
    assert [row.ending for row in made.rows[3:6]] == ["CHAIN_LEFT_WHEEL", "2 warnings", ""]
    assert made.rows[4].warnings == ("a", "b; c / d")
    assert [each.runs for each in warnings_of(made)] == [(4,), (4,)]
    lines = list(csv.DictReader(made.csv().splitlines()))
    assert [line["warnings"] for line in lines[3:6]] == ["0", "2", "0"]


def test_a_sweep_tells_marks_and_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Friction above 1 is doubted, an efficiency without output is not known: the row keeps its other figures."""
    monkeypatch.chdir(tmp_path)
    Path("study.toml").write_text(
        """
name = "friction"
drive = "industrial-08b"
[set]
"run.until" = "10 ms"
"run.solver.method" = "verlet"
"wheels.conveyor.load_torque" = 0
[[parameters]]
name = "friction"
values = [0.1, 1.5]
set = "contact.friction"
[[figures_of_merit]]
name = "largest"
channel = "link_tension"
reduce = "max"
[[figures_of_merit]]
name = "efficiency"
finding = "efficiency"
unit = "%"
""",
        encoding="utf-8",
    )
    told = []
    for _ in range(2):  # the second call reads the table
        with pytest.raises(SystemExit) as ending:
            main(["sweep", "study.toml", "--workers", "1"])
        out, err = capfd.readouterr()
        assert ending.value.code == 0, err
        told.append(" ".join(err[err.index("Warning") :].split()))  # behind the progress
        assert "warning" in out
    assert told[0] == told[1]
    assert told[0].count("contact.friction: 1.5") == 1
    assert "(run 1: friction 1.5)" in told[0]
    assert told[0].count("efficiency is not known") == 1
    rows = list(csv.DictReader(Path("study-study/table.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["status"] for row in rows] == ["REACHED_END"] * 2
    assert [row["efficiency [%]"] for row in rows] == ["", ""]
    assert all(float(row["largest [N]"]) > 0.0 for row in rows)
    assert int(rows[1]["warnings"]) > int(rows[0]["warnings"]) >= 1


SEARCH = {
    "name": "made up",
    "drive": "industrial-08b",
    "minimise": "largest",
    "variables": [
        {"name": "load", "unit": "N*m", "least": 0, "most": 90, "set": "wheels.conveyor.load_torque"},
        {"name": "friction", "least": 0, "most": 2, "set": "contact.friction"},
    ],
    "figures_of_merit": [{"name": "largest", "channel": "link_tension", "reduce": "max"}],
}


def searched(*rows: tuple[float, float, float, list[str]]) -> OptimisationTable:
    """The table of a search: load, friction, largest tension and warnings of each run."""
    study = Optimisation.from_dict(SEARCH)
    scale, cost = Scale(study), (1.0, 1.0, 10)
    made = [
        judged_evaluation(scale, run, (load, friction), (largest,), "REACHED_END", remark_of(told), *cost)
        for run, (load, friction, largest, told) in enumerate(rows)
    ]
    return OptimisationTable(study, cd.example("industrial-08b"), ["N"], made, "converged")


def test_warnings_of_a_search_name_ranges_and_the_best() -> None:
    high, lost = "contact.friction: {} is doubted", "the balance is missed"
    made = searched(
        (10.0, 0.1, 900.0, []),
        (40.0, 1.2, 800.0, [high.format(1.2), lost]),
        (20.0, 1.5, 700.0, [high.format(1.5)]),
        (30.0, 0.4, 950.0, []),
    )
    found = warnings_of(made)
    assert [each.runs for each in found] == [(1, 2), (1,)]
    assert found[0].text.endswith(
        "(numbers from evaluation 1; 2 of 4 evaluations: "
        "load 20 to 40 N*m; friction 1.2 to 1.5; the best one among them)"
    )
    assert found[1].text == f"{lost} (evaluation 1: load 40 N*m; friction 1.2)"
    assert made.warnings == tuple(each.text for each in found)
    assert repr(made) == f"<OptimisationTable {made.study.name}: 4 evaluations, 0 failed, 2 warnings>"
    assert [row.ending for row in made.rows] == ["", "2 warnings", "1 warning", ""]
    lines = list(csv.DictReader(made.csv().splitlines()))
    assert [row["warnings"] for row in lines] == ["0", "2", "1", "0"]


def test_a_search_whose_runs_are_all_doubted_names_no_values() -> None:
    (found,) = warnings_of(searched((10.0, 0.1, 900.0, ["slack"]), (20.0, 0.2, 950.0, ["slack"])))
    assert found.text == "slack (all 2 evaluations)"


def test_an_evaluation_without_objective_keeps_why() -> None:
    """If a figure is not known, the reason is a warning of the run; it is kept in the file of the table."""
    made = searched((10.0, 0.1, float("nan"), ["link_tension is not known: not kept", "slack"]))
    row = made.rows[0]
    assert row.status == NO_VALUE
    assert "link_tension is not known: not kept" in row.remark
    assert row.warnings == ()
    cells = next(csv.reader([line(made.cells(row))]))
    assert read_evaluation(cells, made.study).remark == row.remark


def test_repetitions_tell_what_the_run_does_not() -> None:
    drive = cd.example("6l60mc")
    made = made_solution(drive, warnings=["residual 3 J"])
    made.keep_repeats(
        [
            Repeat(1, "REACHED_END", {}, remark_of(["residual 4 J"])),
            Repeat(2, "REACHED_END", {}, remark_of(["residual 5 J", "wheel 2 slips"])),
            Repeat(3, "CHAIN_JUMPED_TOOTH", {}, "at 0.2 s"),
        ]
    )
    told = warnings_of_repeats(made)
    assert told == ("repetition 3: CHAIN_JUMPED_TOOTH. at 0.2 s", "wheel 2 slips (repetition 2)")
    subject = Subject("run", made, drive, made.time, slice(None))
    assert warnings_of_report([subject]) == ("residual 3 J", *told)
