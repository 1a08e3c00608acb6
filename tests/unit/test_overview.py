"""``cd.table``: one row for each chain of each run, numbers as in the verdict, units in the names of columns."""

import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.errors import InputError
from support.made_run import solution_of
from support.moving_run import moving_run


def test_rows_are_runs_and_numbers_those_of_the_verdict():
    run = moving_run()
    table = cd.table({"first": run, "second": moving_run(drop=("contact_force",))})
    assert list(table.index) == ["first", "second"]
    verdict = run.verdict
    row = table.loc["first"]
    assert (row["status"], row["verdict"]) == (run.status.name, str(verdict.sign))
    assert (row["start [s]"], row["stop [s]"]) == (verdict.start, verdict.stop)
    for found in verdict.findings:
        value = row[f"{found.key} [{found.unit}]" if found.unit else found.key]
        assert value == found.value or math.isnan(found.value)
    near = ", ".join(tile.title for tile in verdict.tiles if tile.sign.name == "NEAR")
    assert row["near"] == near
    assert math.isnan(table.loc["second", "contact_force [N]"])


def test_a_run_that_ended_at_once_has_a_row():
    run = moving_run()
    at_once = solution_of(run.drive, np.zeros(1), {"work_input": np.zeros(1)})
    table = cd.table({"whole": run, "at once": at_once})
    assert list(table.loc["at once", ["status", "verdict"]]) == [at_once.status.name, "none"]
    assert math.isnan(table.loc["at once", "start [s]"])
    assert table.loc["whole", "verdict"] == str(run.verdict.sign)


def test_runs_of_one_drive_are_numbered():
    run = moving_run()
    assert list(cd.table([run, run]).index) == [f"{run.name} (1)", f"{run.name} (2)"]
    assert list(cd.table(run).index) == [run.name]


@pytest.mark.parametrize(
    ("given", "said"), [([], "at least one"), (["a.nc"], "must be a Solution"), (3, "must be a Solution")]
)
def test_what_is_no_result_is_refused(given, said):
    with pytest.raises(InputError, match=said):
        cd.table(given)
