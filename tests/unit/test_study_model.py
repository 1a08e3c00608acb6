"""Study files: content, refusals, and the runs that they define."""

from __future__ import annotations

import copy
import math
from pathlib import Path

import pytest

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.model import loads
from chaindrive.model.study.description import Parameter, Study
from chaindrive.model.study.files import drive_of, load_study, study_names, study_path
from chaindrive.studies.plan import make_plan
from chaindrive.units import to_si

FIELDS = {
    "name": "small",
    "drive": "industrial-08b",
    "set": {"run.until": 0.02},
    "parameters": [
        {"name": "speed", "unit": "rpm", "first": 400, "last": 500, "step": 50, "set": "wheels.0.motion.speed"},
        {"name": "load", "unit": "N*m", "values": [10, "0.02 kN*m"], "set": ["wheels.1.load_torque"]},
    ],
    "curves": [
        {"name": "fresh"},
        {"name": "after", "start": "from:fresh", "set": {"wheels.1.bearing_damping": 0.1}},
        {"name": "down", "start": "previous", "order": "backwards", "first_start": "from:fresh"},
    ],
    "figures_of_merit": [{"name": "largest", "channel": "link_tension", "reduce": "max", "start": "10 ms"}],
}


def changed(**changes: object) -> dict:
    return copy.deepcopy(FIELDS) | changes


def problems(fields: dict) -> dict[str, str]:
    with pytest.raises(InputError) as caught:
        Study.from_dict(fields)
    return {problem.place: problem.message for problem in caught.value.problems}


def test_values_are_those_of_the_file_to_the_last_digit() -> None:
    tenths = Parameter(name="a", unit="deg", first=0, last="0.7 deg", step=0.1, set="x").points()
    assert tenths == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
    falling = Parameter(name="a", unit="rpm", first="90 rpm", last="84 rpm", step=-2, set="x").points()
    assert falling == (90.0, 88.0, 86.0, 84.0)
    assert Parameter(name="a", unit="mm", values=["1 cm", 5, "7"], set="x").points() == (10.0, 5.0, 7.0)
    assert Parameter(name="a", values=["verlet", True, 3], set="x").points() == ("verlet", True, 3.0)


def test_a_point_on_a_circle() -> None:
    """The tightener of Pedersen (2004), section 5.9: at 156.5 deg its centre is (0.333199, 4.748179) m.

    The coordinates are printed to 1e-6 m, the radius that fits them (0.17098 m) has four digits: 5e-6 m.
    """
    study = load_study(study_path("6s90mc-c-tightener-angle"))
    at = study.parameters[0].points().index(156.5)
    x, y = study.parameters[0].changes(at)["wheels.tightener.position"]
    assert math.hypot(x - 0.333199, y - 4.748179) < 5e-6


def test_what_values_set() -> None:
    also = {"wheels.1.load_torque": ["1 N*m", "2 N*m"]}
    parameter = Parameter(name="speed", unit="rpm", values=[400, 500], set=["a.b", "c"], also=also)
    assert parameter.changes(1) == {"a.b": "500.0 rpm", "c": "500.0 rpm", "wheels.1.load_torque": "2 N*m"}


def test_runs_of_a_study() -> None:
    study = Study.from_dict(FIELDS)
    plan = make_plan(study, drive_of(study))
    assert len(plan.runs) == 3 * 2 * 3
    assert [run.number for run in plan.runs] == list(range(18))
    fresh, after, down = plan.runs[:6], plan.runs[6:12], plan.runs[12:]
    assert [run.values for run in fresh] == [
        (400.0, 10.0), (450.0, 10.0), (500.0, 10.0), (400.0, 20.0), (450.0, 20.0), (500.0, 20.0)
    ]  # fmt: skip
    assert [run.parent for run in fresh] == [None] * 6
    assert [run.parent for run in after] == [run.number for run in fresh]
    assert [run.parent for run in down] == [13, 14, 2, 16, 17, 5]  # from the last value to the first
    assert plan.heights() == [2, 2, 4, 2, 2, 4] + [1] * 6 + [1, 2, 3, 1, 2, 3]
    drive = loads(after[4].drive)
    motion = drive.wheels[0].motion
    assert motion is not None
    assert motion.kind == "constant_speed"
    assert motion.speed == to_si("450 rpm", "rad/s")
    assert (drive.wheels[1].load_torque, drive.wheels[1].bearing_damping, drive.run.until) == (20.0, 0.1, 0.02)


def test_what_a_curve_sets_overrides_the_study_and_parameters_override_both() -> None:
    path, other = "wheels.1.bearing_damping", "wheels.1.load_torque"
    curves = [{"name": "own", "set": {path: 0.3, other: 5.0}}, {"name": "none"}]
    study = Study.from_dict(changed(set={"run.until": 0.02, path: 0.2, other: 4.0}, curves=curves))
    runs = [loads(run.drive) for run in make_plan(study, drive_of(study)).runs]
    assert [drive.wheels[1].bearing_damping for drive in runs] == [0.3] * 6 + [0.2] * 6
    assert {drive.wheels[1].load_torque for drive in runs} == {10.0, 20.0}


def test_everything_wrong_with_a_file_at_once() -> None:
    found = problems(
        {
            "name": "",
            "drive": 3,
            "parameter": [],
            "parameters": [
                {"name": "a", "unit": "rmp", "values": [1], "set": "x"},
                {"name": "b", "unit": "mm", "first": 0, "last": 1, "step": -1, "set": "x"},
                {"name": "curve", "values": [1, 1]},
                {"name": "angle", "unit": "mm", "values": [1],
                 "on_circle": {"set": "x", "centre": [0, 0], "radius": "1 s"}},
                {"name": "c", "values": [1, 2], "set": "x", "also": {"y": [1]}},
                {"name": "d", "values": ["a"], "first": 1, "set": "x"},
                {"name": "e", "unit": "mm", "values": ["1 kg"], "set": "x"},
            ],
            "curves": [
                {"name": "one", "start": "from:two"},
                {"name": "two", "start": "from:one"},
                {"name": "three", "start": "form:one"},
                {"name": "four", "start": "from:tow", "first_start": "at_rest"},
                {"name": "four", "start": "previous", "first_start": "previous"},
            ],
            "figures_of_merit": [
                {"name": "b", "channel": "x", "reduce": "biggest"},
                {"name": "b", "channel": "x", "reduce": "max", "start": 3, "stop": 2},
                {"name": "f", "channel": "x", "reduce": "max", "divide_by": "2 N", "unit": "kN"},
                {"name": "g", "channel": "x", "reduce": "peak_frequency", "unit": "mm", "item": [0.5]},
                {"name": "h", "channel": "x", "reduce": "rms", "lowest_frequency": "2 Hz"},
                {"name": "i", "channel": "x", "reduce": "max", "divide_by": [1]},
            ],
        }
    )  # fmt: skip
    expected = {
        "name": "must not be empty",
        "drive": "must be text",
        "parameter": "is not a known field; did you mean 'parameters'?",
        "parameters[0].unit": "unknown unit 'rmp'",
        "parameters[1].first": "step must lead from first to last",
        "parameters[2].name": "every table has a column of this name",
        "parameters[2].values": "a value is given twice",
        "parameters[2]": "sets nothing",
        "parameters[3].on_circle.radius": "is a time; give a length",
        "parameters[4].also['y']": "must have 2 entries, one for each value",
        "parameters[5].values": "give either values, or first, last and step",
        "parameters[6].values": "is a mass; give a length",
        "curves": "wait for each other to end: one, two",
        "curves[2].start": "must be 'at_speed', 'at_rest', 'previous', or 'from:'",
        "curves[3].start": "is not a curve of this study; did you mean 'two'?",
        "curves[3].first_start": "applies only with start = 'previous'",
        "curves[4].name": "is used twice",
        "curves[4].first_start": "the first run has no previous one",
        "figures_of_merit[0].reduce": "must be 'max'",
        "figures_of_merit[1].name": "is used twice",
        "figures_of_merit[1].stop": "must be after the start of the window",
        "figures_of_merit[2].unit": "a ratio has no unit",
        "figures_of_merit[3].item": "must be an index or a name",
        "figures_of_merit[4].reduce": "frequency limits apply only with",
        "figures_of_merit[5].divide_by": "must be a number, or a string",
    }
    for place, message in expected.items():
        assert message in found.get(place, "nothing"), place
    assert set(found) == set(expected)


def test_a_point_on_a_circle_needs_an_angle() -> None:
    circle = {"set": "wheels.0.position", "centre": [0, 0], "radius": 1}
    found = problems(changed(parameters=[{"name": "angle", "unit": "mm", "values": [1], "on_circle": circle}]))
    assert found == {"parameters[0].unit": "must be that of an angle for a point on a circle, such as 'deg'"}


def test_too_many_runs() -> None:
    many = [{"name": f"p{i}", "first": 0, "last": 999, "step": 1, "set": "x"} for i in range(2)]
    assert "give 3000000 runs" in problems(changed(parameters=many))["parameters"]


def test_overrides_that_do_not_fit_are_told_with_their_runs() -> None:
    bad = [
        {"name": "speed", "unit": "rpm", "values": [1, 2], "set": "wheels.moter.motion.speed"},
        {"name": "load", "values": ["9 N*m", "9 kg"], "set": "wheels.1.load_torque"},
    ]
    fields = changed(parameters=bad, curves=[{"name": "fresh"}], set={"run.until": "1 ms"})
    study = Study.from_dict(fields)
    with pytest.raises(InputError) as caught:
        make_plan(study, drive_of(study))
    (problem,) = caught.value.problems
    assert problem.place == "wheels.moter"
    assert "[all runs]" in problem.message
    fields["parameters"][0]["set"] = "wheels.motor.motion.speed"
    study = Study.from_dict(fields)
    with pytest.raises(InputError) as caught:
        make_plan(study, drive_of(study))
    told = {problem.place: problem.message for problem in caught.value.problems}
    assert "2 runs, the first: fresh, speed 1 rpm, load 9 kg" in told["wheels[1].load_torque"]
    assert told["figures_of_merit[0].start"].startswith("the run ends at 0.001 s")


def test_files_that_are_no_studies(tmp_path) -> None:
    path = tmp_path / "study.toml"
    with pytest.raises(InputError, match="does not exist"):
        load_study(path)
    path.write_text("name = ", encoding="utf-8")
    with pytest.raises(InputError, match="is not valid TOML"):
        load_study(path)
    with pytest.raises(InputError, match="give the file of a study"):
        load_study(tmp_path)
    path.write_text("when = 1979-05-27\nset = { 'run.until' = 1979-05-27 }\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_study(path)
    assert caught.value.source == str(path)
    told = {problem.place: problem.message for problem in caught.value.problems}
    assert {"name", "drive", "parameters", "figures_of_merit", "when", "set"} == set(told)
    assert "values must be numbers, strings, true or false" in told["set"]


def test_a_drive_beside_the_study(tmp_path) -> None:
    (tmp_path / "mine.toml").write_text(str(cd.example("industrial-08b")), encoding="utf-8")
    study = tmp_path / "study.toml"
    study.write_text(
        'name = "n"\ndrive = "mine.toml"\n[[parameters]]\nname = "a"\nvalues = [1]\nset = "wheels.1.load_torque"\n'
        '[[figures_of_merit]]\nname = "b"\nchannel = "link_tension"\nreduce = "max"\n',
        encoding="utf-8",
    )
    assert drive_of(load_study(study)).name == cd.example("industrial-08b").name
    study.write_text(study.read_text(encoding="utf-8").replace("mine.toml", "industrial-08c"), encoding="utf-8")
    with pytest.raises(InputError, match="did you mean 'industrial-08b'"):
        drive_of(load_study(study))


def test_the_study_of_a_bicycle_has_all_its_gears() -> None:
    """Of 2 x 11 gears, those close whose chain is taken up; the rows of the others state by how much it is not."""
    study = load_study(study_path("bicycle-gears"))
    drive = drive_of(study)
    plan = make_plan(study, drive)
    assert drive.bicycle is not None
    assert [run.values[0] for run in plan.runs] == list(drive.bicycle.gears)
    open_ = [run for run in plan.runs if run.misfit]
    assert [run.values[0] for run in open_] == ["34x11", "34x12", "34x13", "34x14"]
    assert all(f"{run.values[0]} with 110 links: slack by" in run.misfit for run in open_)
    closed = [loads(run.drive) for run in plan.runs if not run.misfit]
    assert [made.bicycle.gear for made in closed if made.bicycle] == [r.values[0] for r in plan.runs if not r.misfit]
    assert {made.chain.sideways for made in closed} == {drive.chain.sideways}


@pytest.mark.parametrize(
    "name",
    sorted(set(study_names()) - {"bicycle-gears", "cvt-63-thrust-ratio", "smoothest-centres", "timing-06b-speed"}),
)
def test_studies_that_come_along(name: str) -> None:
    study = load_study(study_path(name))
    plan = make_plan(study, drive_of(study))
    assert len(plan.runs) in (76, 90)
    drive = loads(plan.runs[0].drive)
    assert drive.contact.friction == 0.0
    assert drive.chain.joint_damping == 0.0
    assert drive.run.until == 10.0
    assert study.source
    assert study.notes


def test_the_thesis_study_of_the_tightener_waits_as_the_thesis_does() -> None:
    """Pedersen (2004), Figure 5.52: at constant speed; from the next smaller angle; from the next larger one."""
    study = load_study(study_path("6s90mc-c-tightener-angle"))
    plan = make_plan(study, drive_of(study))
    n = len(study.parameters[0].points())
    assert n == 19
    constant, after, growing, falling = (plan.runs[i * n : (i + 1) * n] for i in range(4))
    assert [run.parent for run in after] == [run.number for run in constant]
    assert [run.parent for run in growing] == [after[0].number, *(run.number for run in growing[:-1])]
    assert [run.parent for run in falling] == [*(run.number for run in falling[1:]), after[-1].number]


def test_the_study_of_the_documentation(tmp_path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "studies.md").read_text(encoding="utf-8")
    path = tmp_path / "study.toml"
    path.write_text(text.split("```toml\n")[1].split("```")[0], encoding="utf-8")
    study = load_study(path)
    plan = make_plan(study, drive_of(study))
    assert len(plan.runs) == 2 * 7 * 2
    assert loads(plan.runs[3].drive).wheels[1].load_torque == 35.0
