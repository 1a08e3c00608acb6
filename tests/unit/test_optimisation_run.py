"""Optimisation from start to end: drives whose best values are known in closed form.

The chain drive block has no polygon effect: with one span slack the other one carries load torque / radius, where a
turn moves as many pitches as the wheel has teeth: radius = teeth x pitch / 2 pi (power balance).
"""

from __future__ import annotations

import csv
import math
import re
from pathlib import Path

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.model.study.optimisation import Optimisation
from chaindrive.plots.optimisation import data_optimisation, plot_optimisation
from chaindrive.studies import OptimisationTable, optimise
from chaindrive.studies.store import BEST, IDENTITY, PICTURE, TABLE
from support.forked import posix
from support.forked_workers import fork_workers

COSTS = ("CPU time", "wall time")
RADIUS = 38 * 0.0127 / (2.0 * math.pi)
FIELDS = {
    "name": "small",
    "drive": "industrial-08b",
    "set": {
        "run.until": "2 ms",
        "run.formulation.kind": "block",
        "wheels.conveyor.bearing_damping": 0,
        "wheels.conveyor.bearing_friction": 0,
    },
    "variables": [
        {"name": "load", "unit": "N*m", "least": 20, "most": 90, "start": 30, "set": "wheels.conveyor.load_torque"},
    ],
    "figures_of_merit": [
        {"name": "pull", "channel": "span_tension", "reduce": "max"},
        {"name": "driven", "channel": "wheel_speed", "item": "conveyor", "reduce": "mean", "unit": "rpm"},
    ],
}
TEETH = {"name": "teeth", "least": 30, "most": 48, "step": 1, "set": "wheels.conveyor.teeth"}


def small(**changes: object) -> Optimisation:
    return Optimisation.from_dict(FIELDS | changes)


CONSTRAINED = {
    "maximise": "load",
    "constraints": ["pull <= 600"],
    "search": {"evaluations": 40, "tolerance": 1e-3, "population": 8},
}
FEW = CONSTRAINED | {"search": CONSTRAINED["search"] | {"evaluations": 16}}
"""The first two generations of an optimisation."""


@pytest.fixture(scope="module")
def serial() -> OptimisationTable:
    return optimise(small(**CONSTRAINED), workers=1)


@pytest.fixture(scope="module")
def few() -> OptimisationTable:
    return optimise(small(**FEW), workers=1)


def content(table: OptimisationTable) -> list[tuple]:
    """All results except computing time."""
    keep = [i for i, column in enumerate(table.columns) if column.name not in COSTS]
    return [tuple(row[i] for i in keep) for row in csv.reader(table.csv().splitlines())]


def test_the_load_with_a_wanted_tension() -> None:
    """(pull - 800 N)^2 is least where load / radius is 800 N: within tolerance x range / radius, 0.07 N m / 76.9 mm."""
    search = {"method": "nelder-mead", "tolerance": 1e-3, "evaluations": 60}
    table = optimise(small(minimise="('pull' - 800) ** 2", search=search), workers=1)
    assert table.complete
    assert table.ending == "converged"
    assert table.best is not None
    assert table.best.values[0] == pytest.approx(800.0 * RADIUS, abs=0.07)
    assert table["pull"] == pytest.approx(table["load"] / RADIUS, rel=1e-6)
    assert table.best.objective == min(table["objective"])
    assert np.flatnonzero(table["best"] == "best").tolist() == [table.best.run]
    assert table.best_drive is not None
    assert table.best_drive.wheels[1].load_torque == table.best.values[0]


def test_what_is_beyond_a_constraint_is_told_apart(few: OptimisationTable) -> None:
    passed = few["violation"] > 0.0
    assert passed.any()
    assert few.best is not None
    assert few.best.violation == 0.0
    assert few.best.objective == few["load"][~passed].max()
    np.testing.assert_array_equal(passed, few["pull"] > 600.0)
    np.testing.assert_allclose(few["violation"][passed], few["pull"][passed] / 600.0 - 1.0, rtol=1e-12)


@pytest.mark.long
def test_a_constraint_that_is_active_at_the_best(serial: OptimisationTable) -> None:
    """The largest load with at most 600 N is 600 N x radius: 0.1 % of the range of 70 N m below, and never above."""
    best = serial.best
    assert best is not None
    assert best.violation == 0.0
    assert best.objective <= 600.0 * RADIUS * (1.0 + 1e-9)
    assert best.objective == pytest.approx(600.0 * RADIUS, abs=0.07)
    assert 595.0 < serial.active["pull <= 600"] <= 600.0


@pytest.mark.long
def test_the_same_search_again(serial: OptimisationTable) -> None:
    assert content(optimise(small(**CONSTRAINED), workers=1)) == content(serial)


@posix
def test_the_same_search_in_parallel(few: OptimisationTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fork_workers(monkeypatch)
    parallel = optimise(small(**FEW), workers=2, output=tmp_path / "two")
    assert content(parallel) == content(few)


@pytest.mark.long
def test_the_whole_search_in_parallel_and_another_seed_find_the_same(serial: OptimisationTable, tmp_path: Path) -> None:
    parallel = optimise(small(**CONSTRAINED), workers=2, output=tmp_path / "two")
    assert content(parallel) == content(serial)
    fine = CONSTRAINED["search"] | {"seed": 2, "evaluations": 60, "tolerance": 1e-4}
    other = optimise(small(**CONSTRAINED | {"search": fine}), workers=1)
    assert other["load"][:8].tolist() != serial["load"][:8].tolist()
    assert other.best is not None
    assert other.best.objective == pytest.approx(600.0 * RADIUS, abs=0.1)


class Interrupt:
    """A progress callback that presses Ctrl-C when a number of runs have ended, and counts them."""

    def __init__(self, after: float = math.inf) -> None:
        self.after, self.calls = after, 0

    def __call__(self, progress: object) -> None:
        self.calls += 1
        if self.calls >= self.after:
            raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("search", "after"),
    [("few", 5), *(pytest.param("serial", after, marks=pytest.mark.long) for after in (1, 5, 8, 27))],
)
def test_a_search_that_was_stopped_goes_on_to_the_same_table(
    request: pytest.FixtureRequest, tmp_path: Path, search: str, after: int
) -> None:
    whole, asked = request.getfixturevalue(search), {"few": FEW, "serial": CONSTRAINED}[search]
    out = tmp_path / "out"
    stopped = optimise(small(**asked), workers=1, output=out, progress=Interrupt(after))
    assert not stopped.complete
    assert len(stopped) == after
    path = out / TABLE
    path.write_bytes(path.read_bytes() + b"99,12.5,half a li")  # the machine stopped while a line was written
    watch = Interrupt()
    going_on = optimise(small(**asked), workers=1, output=out, progress=watch)
    assert content(going_on) == content(whole)
    assert watch.calls == len(whole) - after  # none is computed twice
    assert (out / TABLE).read_text() == going_on.csv()
    none = Interrupt()
    assert content(optimise(small(**asked), workers=1, output=out, progress=none)) == content(whole)
    assert none.calls == 0


def test_more_evaluations_and_another_objective_use_what_is_there(tmp_path: Path) -> None:
    def search(evaluations: int) -> dict:
        return CONSTRAINED | {"search": CONSTRAINED["search"] | {"evaluations": evaluations}}

    first = optimise(small(**search(10)), workers=1, output=tmp_path / "out")
    assert (len(first), first.ending) == (10, "all permitted evaluations have been made")
    watch = Interrupt()
    more = optimise(small(**search(20)), workers=1, output=tmp_path / "out", progress=watch)
    assert watch.calls == len(more) - 10 == 10
    assert more["load"][:8].tolist() == first["load"][:8].tolist()  # the first generation
    assert more["pull"][:10].tolist() == first["pull"].tolist()
    other = search(10) | {"maximise": "-abs(pull - 500)", "constraints": []}
    again = optimise(small(**other), workers=1, output=tmp_path / "out")
    assert again.rows[0].objective == pytest.approx(-abs(30.0 / RADIUS - 500.0), rel=1e-5)
    changed = small(**CONSTRAINED | {"figures_of_merit": FIELDS["figures_of_merit"][:1]})
    with pytest.raises(InputError, match="the study has changed"):
        optimise(changed, workers=1, output=tmp_path / "out")


def test_whole_numbers_and_drives_that_cannot_be_built() -> None:
    """A conveyor that turns at 500 rpm x 17/36 has 36 teeth; with 108 links from 40 teeth on the chain is too short."""
    goal = 500.0 * 17 / 36
    study = small(
        minimise=f"abs(abs(driven) - {goal})",
        variables=[TEETH],
        search={"evaluations": 30, "population": 8},
        set=FIELDS["set"] | {"wheels.conveyor.inertia": 100},
    )
    table = optimise(study, workers=1)
    assert table.best is not None
    assert table.best.values == (36.0,)
    assert len(set(table["teeth"])) == len(table)  # none is computed twice
    failed = {row.values[0]: row for row in table.failed}
    assert failed
    assert min(failed) == 40.0
    row = failed[min(failed)]
    assert row.status == "INPUT_ERROR"
    assert "the route needs" in row.remark
    assert math.isnan(row.objective)
    assert table.complete


@pytest.mark.long
def test_steps_beside_the_best_are_tried() -> None:
    """A bowl with its bottom at 50 N m and 35 teeth: few generations stop near it, the last runs reach it."""
    study = small(
        minimise="(load - 50) ** 2 + 8 * (teeth - 35) ** 2",
        constraints=["pull >= 600"],
        variables=[FIELDS["variables"][0], TEETH],
        search={"evaluations": 50, "population": 6},
    )
    table = optimise(study, workers=1)
    assert table.best is not None
    assert table.best.values[1] == 35.0
    assert table.best.values[0] == pytest.approx(50.0, abs=0.07)


@pytest.mark.long
def test_runs_that_end_early(tmp_path: Path) -> None:
    """The least number of permitted steps with which a run reaches its end is the number it takes; with fewer it
    fails.
    """
    steps = {"name": "allowed", "least": 1, "most": 60, "step": 1, "set": "run.solver.max_steps"}
    longer = FIELDS["set"] | {"run.until": "10 ms"}
    study = small(minimise="allowed", variables=[steps], search={"evaluations": 40, "population": 8}, set=longer)
    table = optimise(study, workers=1, output=tmp_path)
    assert table.best is not None
    taken = table.best.steps
    assert taken > 5
    assert table.best.values[0] == taken
    assert table.failed
    assert all(row.values[0] < taken for row in table.failed)
    assert {row.status for row in table.failed} == {"TOO_MANY_STEPS"}
    assert all("largest number of steps" in row.remark for row in table.failed)


def test_steps_of_which_none_meets_the_constraints_come_to_an_end() -> None:
    """There are only ten numbers of teeth to try, however many evaluations are allowed."""
    study = small(minimise="pull", constraints=["pull <= 100"], variables=[TEETH | {"most": 39}],
                  search={"evaluations": 500, "population": 8})  # fmt: skip
    table = optimise(study, workers=1)
    assert table.complete
    assert table.best is None
    assert 5 <= len(table) <= 10
    assert table.nearest is not None
    assert table.nearest.violation == min(table["violation"])


@pytest.mark.long
def test_bounds_that_were_moved_leave_out_what_is_beyond_them(tmp_path: Path) -> None:
    """Evaluations beyond the present bounds stay in the table, and are neither the best nor its drive."""
    wide = FIELDS["variables"][0]
    search = {"evaluations": 12, "population": 8}
    first = optimise(small(maximise="load", search=search), workers=1, output=tmp_path / "out")
    assert first.best is not None
    assert first.best.values[0] > 80.0
    narrow = small(maximise="load", search=search | {"evaluations": 24}, variables=[wide | {"most": 60}])
    table = optimise(narrow, workers=1, output=tmp_path / "out")
    assert table.best is not None
    assert 55.0 < table.best.values[0] <= 60.0
    beyond = [row for row in table.rows if row.values[0] > 60.0]
    assert beyond
    assert all(row.violation == pytest.approx((row.values[0] - 60.0) / 40.0, rel=1e-9) for row in beyond)
    none = small(maximise="load", search=search, variables=[wide | {"most": 60}], constraints=["load >= 70"])
    assert optimise(none, workers=1, output=tmp_path / "out").best is None
    assert not (tmp_path / "out" / BEST).exists()


def test_an_objective_without_a_value() -> None:
    study = small(minimise="1 / min(load - 50, 0) + 1e3", search={"evaluations": 12, "population": 8})
    table = optimise(study, workers=1)
    lost = [row for row in table.rows if row.values[0] >= 50.0]
    assert lost
    assert all(row.status == "NO_VALUE" and "no value" in row.remark for row in lost)
    assert table.best is not None
    assert table.best.values[0] < 50.0


def test_what_is_wrong_for_every_run_is_told_before_the_first() -> None:
    wrong = FIELDS["variables"][0] | {"set": "wheels.conveyor.load_torqe"}
    with pytest.raises(InputError, match=r"load 30 N\*m: where the search begins"):
        optimise(small(minimise="pull", variables=[wrong]), workers=1)
    late = [FIELDS["figures_of_merit"][0] | {"start": "1 s"}]
    with pytest.raises(InputError, match=r"the run ends at 0\.002 s"):
        optimise(small(minimise="pull", figures_of_merit=late), workers=1)
    other = [FIELDS["figures_of_merit"][0] | {"channel": "span_tensoin"}]
    with pytest.raises(InputError, match="is not a channel of this drive"):
        optimise(small(minimise="pull", figures_of_merit=other), workers=1)


def test_the_picture_and_its_numbers(few: OptimisationTable) -> None:
    figure = plot_optimisation(few)
    assert len(figure.axes) == 2
    frame = data_optimisation(few)
    so_far = frame["best so far"].dropna().to_numpy()
    assert np.all(np.diff(so_far) >= 0.0)
    assert so_far[-1] == few.best.objective  # type: ignore[union-attr]
    assert (frame["best"] == "best").sum() == 1
    two = small(
        minimise="(load - 50) ** 2 + teeth",
        variables=[FIELDS["variables"][0], TEETH],
        search={"evaluations": 8, "population": 8},
    )
    table = optimise(two, workers=1)
    assert len(plot_optimisation(table).axes) == 5  # objective, two variables, map, its colours
    nothing = OptimisationTable(two, cd.example("industrial-08b"), table.units, (), "")
    assert nothing.best is None
    plot_optimisation(nothing)


STUDY = """
name = "load"
drive = "industrial-08b"
maximise = "load"
constraints = ["pull <= {most}"]
[set]
"run.until" = "2 ms"
"run.formulation.kind" = "block"
[[variables]]
name = "load"
unit = "N*m"
least = 20
most = 90
set = "wheels.conveyor.load_torque"
[[figures_of_merit]]
name = "pull"
channel = "span_tension"
reduce = "max"
[search]
evaluations = 10
population = 8
"""


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture):
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        assert isinstance(ending.value.code, int)
        return (ending.value.code, *capfd.readouterr())

    return run


def test_the_command_line(call, tmp_path: Path) -> None:
    doubted = '"contact.friction" = 1.5'
    (tmp_path / "load.toml").write_text(STUDY.format(most=600).replace("[set]", f"[set]\n{doubted}"))
    code, out, err = call("sweep", "load.toml", "--workers", 1)
    assert code == 0, err
    assert err.count("contact.friction: 1.5") == 1
    assert "(all 10 evaluations)" in " ".join(err.split())
    assert re.search(r"best, \d+ warning", " ".join(out.split()))
    assert "Largest load:" in out
    assert "pull <= 600:" in out
    assert "Table in load-study/table.csv: 10 evaluations" in out
    assert (tmp_path / "load-study" / PICTURE).read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader((tmp_path / "load-study" / TABLE).read_text().splitlines()))
    best = [row for row in rows if row["best"]]
    assert len(best) == 1
    assert {row["warnings"] for row in rows} == {"1"}
    drive = cd.load(tmp_path / "load-study" / BEST)
    assert drive.wheels[1].load_torque == float(best[0]["load [N*m]"])
    code, again, _ = call("sweep", "load.toml", "--workers", 1)
    assert (code, again) == (0, out)
    (tmp_path / "load-study" / IDENTITY).unlink()
    code, _, err = call("sweep", "load.toml", "--workers", 1)
    assert (code, "contains other files" in err) == (1, True)


def test_the_command_line_where_nothing_meets_the_constraints(call, tmp_path: Path) -> None:
    (tmp_path / "load.toml").write_text(STUDY.format(most=100))
    code, _, err = call("sweep", "load.toml", "--workers", 1)
    assert code == 2
    assert re.search(r"none of the \d+ runs meets all constraints; the nearest is evaluation \d+ \(load 20 N\*m\)", err)
    assert not (tmp_path / "load-study" / BEST).exists()


def test_variables_without_influence_are_told(call, tmp_path: Path) -> None:
    mass = STUDY.replace('"N*m"\nleast = 20\nmost = 90', '"kg"\nleast = 2\nmost = 9').replace("load_torque", "mass")
    (tmp_path / "mass.toml").write_text(mass.replace('maximise = "load"', 'minimise = "pull"').format(most=6000))
    code, _, err = call("sweep", "mass.toml", "--workers", 1)
    assert code == 0
    assert re.search(r"all \d+ evaluations gave the same objective", err)
    (tmp_path / "load.toml").write_text(STUDY.format(most=600).replace('maximise = "load"', 'minimise = "pull"'))
    assert "the same objective" not in call("sweep", "load.toml", "--workers", 1)[2]


def test_where_every_run_fails_the_reason_is_told(call, tmp_path: Path) -> None:
    broken = STUDY.format(most=600).replace('maximise = "load"', 'minimise = "1 / min(load - 100, 0) ** 0.5"')
    (tmp_path / "load.toml").write_text(broken)
    code, _, err = call("sweep", "load.toml", "--workers", 1)
    assert code == 2
    assert re.search(r"none of the \d+ runs gave a result\. NO_VALUE: .*no value", " ".join(err.split()))


def test_a_mistake_in_a_study_names_its_file(call, tmp_path: Path) -> None:
    for key, wrong in (('"run.until"', '"run.untill"'), ('"span_tension"', '"span_tensoin"')):
        (tmp_path / "load.toml").write_text(STUDY.format(most=600).replace(key, wrong))
        code, _, err = call("sweep", "load.toml", "--workers", 1)
        assert (code, "load.toml: " in err) == (1, True), err
