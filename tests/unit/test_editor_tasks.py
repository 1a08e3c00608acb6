"""Background computations of the editor: check, a short run, the run with its report."""

from __future__ import annotations

import math
import time

import pytest

from chaindrive.editor.sweep import study_text, sweep
from chaindrive.editor.tasks import check, run, run_short
from chaindrive.editor.worker import Order, Worker
from chaindrive.errors import InputError
from chaindrive.model.files.text import example_path

TEXT = example_path("industrial-08b").read_text("utf-8")


def quiet(progress):
    return False


def test_check_tells_statics_frequencies_and_cost(tmp_path):
    found = check(TEXT, tmp_path, quiet)
    assert found["problems"] == []
    (chain,) = found["chains"]
    slack, tight = sorted(span["tension"] for span in chain["spans"])
    # 40 N m on a wheel of 38 teeth of 12.7 mm: the tensions differ by torque over pitch radius
    assert tight - slack == pytest.approx(40.0 / 0.076895, rel=2e-2)
    assert chain["at_rest"]
    assert chain["frequencies"] == sorted(chain["frequencies"])
    assert "steps" in chain["cost"]
    assert found["pictures"][0]["drive"]["links"] == 108


def test_what_cannot_be_built_is_a_problem_at_its_place(tmp_path):
    crossed = TEXT.replace("links = 108", "links = 60", 1)
    found = check(crossed, tmp_path, quiet)
    assert [problem["place"] for problem in found["problems"]] == ["chain.links"]
    assert found["chains"] == []


def test_a_slack_span_that_sags_too_far_is_told_as_check_tells_it(tmp_path):
    assert check(TEXT, tmp_path, quiet)["warnings"] == []
    (told,) = check(TEXT.replace("links = 108", "links = 110", 1), tmp_path, quiet)["warnings"]
    assert told.startswith("chain.links: the slack span motor - conveyor sags by ")


def test_the_short_run_is_in_the_block_where_that_supports_the_drive(tmp_path):
    found = run_short(TEXT, tmp_path, quiet)
    assert (found["formulation"], found["reasons"], found["until"]) == ("block", [], 2.0)
    assert "Link tension" in [tile["title"] for tile in found["verdicts"][0]["tiles"]]


def test_a_drive_with_guides_runs_as_its_file_says(tmp_path, monkeypatch):
    monkeypatch.setattr("chaindrive.editor.tasks.EFFORT", 0.05)
    found = run_short(example_path("timing-06b").read_text("utf-8"), tmp_path, quiet)
    assert found["formulation"] == "roller"
    assert any("has no guides" in reason for reason in found["reasons"])
    assert 0.0 < found["until"] < 0.5


@pytest.mark.usefixtures("few_windows")
def test_a_run_leaves_results_and_report_and_can_be_stopped(tmp_path):
    text = TEXT.replace('kind = "roller"', 'kind = "block"').replace('until = "2 s"', 'until = "0.1 s"')
    told = []
    found = run(text, tmp_path, lambda progress: told.append(progress) or False, "a.nc", "a.html")
    assert (tmp_path / "a.nc").exists()
    assert (tmp_path / "a.html").read_text().startswith("<!DOCTYPE html>")
    assert found["verdicts"]
    assert told[-1]["until"] == pytest.approx(0.1)
    stopped = run(text, tmp_path, lambda progress: progress["time"] > 0.0, "b.nc", "b.html")
    assert "interrupted" in stopped["ending"].lower()
    assert (tmp_path / "b.html").exists()


@pytest.mark.long
def test_a_worker_does_the_newest_order_and_survives_a_killed_process(tmp_path):
    """In a separate process: its first answer takes the time of starting Python."""
    worker = Worker("test", lambda: None)

    def wait(revision):
        end = time.monotonic() + 120.0
        while time.monotonic() < end:
            state = worker.state
            if state["revision"] == revision and state["state"] in ("done", "failed"):
                return state
            time.sleep(0.05)
        raise AssertionError(worker.state)

    try:
        for revision in range(4):
            worker.give(Order("check", TEXT, tmp_path, revision, {}))
        assert wait(3)["result"]["chains"][0]["at_rest"]
        worker._process.kill()
        worker.give(Order("check", "name = 1", tmp_path, 4, {}))
        assert wait(4)["state"] == "failed"
        worker.give(Order("check", TEXT, tmp_path, 5, {}))
        assert wait(5)["state"] == "done"
    finally:
        worker.close()


SWEEP = {"place": "wheels[0].motion.speed", "values": "-400 rpm; -500 rpm", "block": True, "figures": ["efficiency"]}


def test_a_sweep_is_a_study_beside_the_drive(tmp_path):
    """Bearings take power with the square of the speed: 0.01 N m s of viscous damping."""
    (tmp_path / "drive.toml").write_text(TEXT)
    told = []
    found = sweep(TEXT, tmp_path, lambda each: told.append(each) or False, study_text("drive.toml", SWEEP), "out")
    assert found["columns"] == ["wheels[0].motion.speed [rpm]", "efficiency [%]"]
    slow, fast = (float(row[1]) for row in found["rows"])
    # 40 N m over 40 N m, 0.2 N m of friction and 0.01 N m s times the speed of the driven wheel
    expected = [4000.0 / (40.2 + 0.01 * rpm * math.tau / 60.0 * 17 / 38) for rpm in (400.0, 500.0)]
    assert [slow, fast] == pytest.approx(expected, rel=2e-3)
    assert [each["time"] for each in told] == [1, 2]
    assert (tmp_path / "out" / "table.csv").is_file()
    stopped = sweep(TEXT, tmp_path, lambda each: True, study_text("drive.toml", SWEEP), "stopped")
    assert (len(stopped["rows"]), stopped["total"]) == (1, 2)


@pytest.mark.parametrize(
    ("given", "places"),
    [
        ({}, ["place", "block", "figures", "values"]),
        (SWEEP | {"place": "wheels[0]; x"}, ["place"]),
        (SWEEP | {"values": "400 rpm, fast"}, ["values"]),
        (SWEEP | {"values": "1," * 201}, ["values"]),
        (SWEEP | {"values": "400 rpm, 3 mm"}, ["parameters[0].values"]),
        (SWEEP | {"figures": ["beauty"]}, ["figures"]),
    ],
)
def test_what_is_no_sweep_is_refused_at_its_place(given, places):
    with pytest.raises(InputError) as caught:
        study_text("drive.toml", given)
    assert [problem.place for problem in caught.value.problems] == places
