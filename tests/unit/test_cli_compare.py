"""``chaindrive compare`` and ``compare`` in Python: several formulations of one file, one table, one report."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

import chaindrive as cd
from chaindrive.cli.main import main
from chaindrive.contract.status import Status
from chaindrive.model import override
from chaindrive.report.page import MARK
from chaindrive.studies import formulations
from chaindrive.studies.formulations import compare, in_formulation
from support.report_run import Page
from support.short_searches import give_up_early
from support.small_drives import rail, two_wheels

pytestmark = pytest.mark.usefixtures("few_windows")

FILES = ["small-block.nc", "small-formulations.html", "small-roller.nc", "small.toml"]


def small(**changes) -> cd.Drive:
    """Two wheels under a load, with losses, for 20 ms."""
    given = {"speed": 20.0, "second": {"load_torque": 2.0}, "link_damping": 20.0, "joint_damping": 0.01}
    drive = two_wheels((16, 16), 11.98, **(given | changes))
    return override(drive, {"run.until": 0.02, "run.save.rate": 5000.0})


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture):
    """Run the command line in a folder with small.toml; returns the exit code and both texts."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")  # no cell of a table is wrapped, however long its numbers
    (tmp_path / "small.toml").write_text(small().to_toml(), encoding="utf-8")

    def run(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        assert "Traceback" not in captured.err
        return int(ending.value.code or 0), captured.out, captured.err

    return run


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith((".checkpoint", ".lock")))


def test_both_formulations_with_table_and_report(call, tmp_path: Path):
    code, out, err = call("compare", "small.toml", "--data", "table.csv")
    assert code == 0, err
    assert set(files(tmp_path)) >= {*FILES, "table.csv"}
    assert "speed over that of driver" in out
    assert "the same: 16 and 16 teeth" in out
    assert "block neglects: inertia of the chain, weight of the chain, polygonal action" in out
    assert "joints of the chain" in out
    assert "roller neglects: nothing known" in out
    assert "Report in small-formulations.html" in out
    assert "eigenfrequency 1 at rest" in out
    page = (tmp_path / "small-formulations.html").read_text(encoding="utf-8")
    assert MARK in page
    table = (tmp_path / "table.csv").read_text(encoding="utf-8")
    assert "block,roller,roller: difference,roller: explained by" in table
    for kind in ("block", "roller"):
        with cd.open(tmp_path / f"small-{kind}.nc") as solution:
            assert solution.attrs["formulation"] == kind
            assert solution.status == Status.REACHED_END
            assert solution.time[-1] == pytest.approx(0.02)
    # again: nothing is written over without being asked for
    before = (tmp_path / "small-block.nc").read_bytes()
    code, _, err = call("compare", "small.toml")
    assert code == 1
    assert "small-block.nc: exists already" in err
    assert "small-roller.nc: exists already" in err
    assert (tmp_path / "small-block.nc").read_bytes() == before
    # one line says what the block leaves out, wherever a result is told of
    _, out, _ = call("info", "small-block.nc")
    assert "neglects" in out
    assert "compliance of teeth" in out
    _, out, _ = call("info", "small-roller.nc")
    assert "neglects" not in out
    assert "Not modelled by this formulation" in page
    assert "Formulations side by side" in page
    block, roller = Page(page).header["results"]
    assert block["absent"] == {"contact_force": "the formulation 'block' has no contact_force"}
    assert roller["absent"] == {}


def test_above_the_modes_stands_what_the_formulation_has(call):
    code, out, err = call("analyze", "small.toml", "--set", "run.formulation.kind=block")
    assert code == 0, err
    text = " ".join(out.split())
    assert "in the formulation 'block', which omits: inertia of the chain" in text
    assert "The complete drive at rest: spans across, teeth" not in text


def test_run_says_what_the_formulation_leaves_out(call):
    code, out, err = call("run", "small.toml", "--formulation", "block")
    assert code == 0, err
    assert "The block neglects: inertia of the chain, weight of the chain" in out


def test_a_formulation_that_refuses_the_drive_is_told_with_all_its_reasons(call, tmp_path: Path):
    drive = small(guides=[rail(0), rail(1, "other")])
    (tmp_path / "railed.toml").write_text(drive.to_toml(), encoding="utf-8")
    code, _, err = call("compare", "railed.toml")
    assert code == 1
    assert "2 problems in railed.toml" in err
    assert "guides[0]: formulation 'block': the chain drive block has no guides" in err
    assert "guides[1]: formulation 'block': the chain drive block has no guides" in err
    assert files(tmp_path) == ["railed.toml", "small.toml"]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ("blok,roller", ["--formulations: is not a formulation; did you mean 'block'?", "'blok'"]),
        ("blok,rollr", ["did you mean 'block'?", "did you mean 'roller'?"]),
        ("block,a/b", ["--formulations: is not a formulation", "'a/b'"]),
        ("block", ["at least two are compared", "block, cvt, link, roller"]),
        ("block,block", ["is given more than once"]),
        ("", ["at least two are compared"]),
    ],
)
def test_wrong_names(call, tmp_path: Path, names, words):
    code, _, err = call("compare", "small.toml", "--formulations", names)
    assert code == 1
    assert all(word in err for word in words)
    assert files(tmp_path) == ["small.toml"]


def test_wrong_options_are_said_once(call):
    code, _, err = call("compare", "small.toml", "--until", "-1")
    assert (code, err.count("--until")) == (1, 1)
    code, _, err = call("compare", "small.toml", "-o", "report.pdf", "--data", "table.txt")
    assert code == 1
    assert "must end in .html" in err
    assert "must end in .csv" in err


def test_ctrl_c_keeps_what_is_finished(call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    simulate, begun = formulations.simulate, []

    def interrupted(drive, *arguments, progress, **options):
        begun.append(drive.run.formulation.kind)

        def press(reached):
            if len(begun) == 2:
                signal.raise_signal(signal.SIGINT)
            progress(reached)

        return simulate(drive, *arguments, progress=press, **options)

    monkeypatch.setattr(formulations, "simulate", interrupted)
    code, out, err = call("compare", "small.toml", "--formulations", "roller,block", "--until", "20 ms")
    assert (code, begun) == (130, ["roller", "block"])
    assert "results computed so far are kept" in err
    assert "Results of roller in small-roller.nc" in out
    with cd.open(tmp_path / "small-roller.nc") as solution:
        assert solution.status == Status.REACHED_END
    assert not (tmp_path / "small-formulations.html").exists()


def test_a_run_that_fails_is_told_and_the_other_kept(call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    give_up_early(monkeypatch)  # nor is there a rest
    code, _, err = call("compare", "small.toml", "--set", "chain.breaking_load=10")
    assert code == 2
    assert "no comparison with block, roller" in err
    assert "breaking" in err.lower() or "tension" in err.lower()
    assert files(tmp_path) != ["small.toml"]


def test_in_python():
    told = []
    found = compare(small(), until=0.005, frequencies=False, progress=lambda kind, reached: told.append(kind))
    assert list(dict.fromkeys(told)) == ["block", "roller"]
    assert list(found.solutions) == ["block", "roller"]
    assert found.table is not None
    assert found.table.labels == ("block", "roller")
    assert (found.refused, found.failed, found.interrupted) == ({}, {}, False)
    with pytest.raises(cd.InputError) as wrong:
        compare(small(), until=-1.0)
    assert [problem.place for problem in wrong.value.problems] == ["until"]


def test_options_of_the_file_belong_to_its_formulation():
    drive = override(small(), {"run.formulation": {"kind": "roller", "contact_law": "hu-guo"}})
    assert in_formulation(drive, "roller") is drive
    block = in_formulation(drive, "block")
    assert block.run.formulation == cd.BlockOptions()
    assert block.run.solver == drive.run.solver


def test_what_only_one_of_three_refuses_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch):
    known = formulations.FORMULATIONS
    monkeypatch.setattr(formulations, "FORMULATIONS", {**known, "other": known["roller"]})
    monkeypatch.setattr(
        formulations, "in_formulation", lambda drive, kind: in_formulation(drive, "roller" if kind == "other" else kind)
    )
    drive = small(guides=[rail(0)])
    found = compare(drive, ("block", "roller", "other"), until=0.002, frequencies=False)
    assert list(found.refused) == ["block"]
    assert [problem.place for problem in found.refused["block"]] == ["guides[0]"]
    assert list(found.solutions) == ["roller", "other"]
    assert found.table is not None
    for row in found.table.rows:
        if row.group != "computation":
            assert row.values[0] == pytest.approx(row.values[1], rel=1e-12, nan_ok=True)
