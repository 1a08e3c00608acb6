"""Internal errors, anywhere: a message, a file with the details, and the results so far. Never a traceback.

Errors in the middle of a run are also tested in ``test_bad_input_cli.py``, with the resumption of the run.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from chaindrive import results
from chaindrive.cli.main import main
from chaindrive.details import details_of, leave_details
from support.report_run import drive_called, made_solution
from support.small_files import SMALL

pytestmark = pytest.mark.usefixtures("few_windows")

STUDY = """\
name = "load"
drive = "drive.toml"
[[parameters]]
name = "load"
unit = "N*m"
values = [1, 2, 3, 4]
set = "wheels.driven.load_torque"
[[figures_of_merit]]
name = "largest"
channel = "link_tension"
reduce = "max"
"""


class Unforeseen(RuntimeError):
    """An exception that nothing catches."""


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture):
    """Run the command line in a folder of its own: exit code, standard output, standard error."""
    (tmp_path / "logs").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "logs"))
    (tmp_path / "drive.toml").write_text(SMALL, encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")

    def run(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        assert isinstance(ending.value.code, int)
        return ending.value.code, out, err

    return run


def the_log(folder: Path, told: str) -> str:
    """The text of the one file of details, which is named in the message."""
    (log,) = (folder / "logs").glob("chaindrive-*.log")
    assert str(log) in told
    text = log.read_text(encoding="utf-8")
    assert "Traceback (most recent call last)" in text
    assert "nobody foresaw this" in text
    return text


def break_at(monkeypatch: pytest.MonkeyPatch, target: str, count: int) -> None:
    """Let the function at a dotted path fail when it is called for the ``count``-th time, and only then."""
    owner, name = target.rsplit(".", 1)
    from importlib import import_module

    try:
        holder: object = import_module(owner)
    except ModuleNotFoundError:
        module, cls = owner.rsplit(".", 1)
        holder = getattr(import_module(module), cls)
    real, calls = getattr(holder, name), []

    def breaking(*arguments: object, **options: object) -> object:
        calls.append(name)
        if len(calls) == count:
            raise Unforeseen("nobody foresaw this")
        return real(*arguments, **options)

    monkeypatch.setattr(holder, name, breaking)


def test_in_the_middle_of_a_run_where_it_is_written(call, monkeypatch, tmp_path):
    monkeypatch.setattr("chaindrive.simulation.simulate.BUDGET", 10**5)
    monkeypatch.setattr("chaindrive.simulation.simulate.CHECKPOINT_INTERVAL", 0.0)
    break_at(monkeypatch, "chaindrive.cli.run.Signals.between_batches", 5)
    code, _, err = call("run", "drive.toml", "--save-rate", "20 kHz", "--set", "run.save.chunk_rows=5")
    assert code == 2
    assert "internal error: Unforeseen: nobody foresaw this" in err
    assert "are kept in drive.nc. To resume:" in err
    assert "chaindrive run drive.toml" in err
    the_log(tmp_path, err)
    with results.open("drive.nc") as solution:
        assert 0.0 < solution.time[-1] < 4e-3


def test_after_a_run_where_its_picture_is_drawn(call, monkeypatch, tmp_path):
    break_at(monkeypatch, "chaindrive.cli.plot.run_picture", 1)
    code, out, err = call("run", "drive.toml", "--picture", "p.png")
    assert code == 2
    assert "Results in drive.nc" in out
    assert "The run is complete: its results are in drive.nc." in err
    the_log(tmp_path, err)
    with results.open("drive.nc") as solution:
        assert solution.time[-1] == pytest.approx(4e-3)


def test_in_one_run_of_a_study(call, monkeypatch, tmp_path):
    """The run becomes a row whose remark names the file; the other runs are kept."""
    break_at(monkeypatch, "chaindrive.studies.worker._solution", 2)
    code, out, err = call("sweep", "study.toml", "--workers", 1)
    assert code == 2
    rows = list(csv.DictReader(Path("study-study/table.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["status"] for row in rows] == ["REACHED_END", "INTERNAL_ERROR", "REACHED_END", "REACHED_END"]
    assert [float(row["largest [N]"] or "nan") > 0.0 for row in rows] == [True, False, True, True]
    the_log(tmp_path, rows[1]["remark"])
    assert rows[1]["remark"].startswith("Unforeseen: nobody foresaw this; details in ")
    assert str(tmp_path / "logs") in err  # said at once
    assert "INTERNAL_ERROR is a bug in chaindrive: please report it" in err
    assert "4 runs" in out


def test_in_a_study_between_its_runs(call, monkeypatch, tmp_path):
    with monkeypatch.context() as patch:
        break_at(patch, "chaindrive.studies.execute._Session._take", 3)
        code, _, err = call("sweep", "study.toml", "--workers", 1)
    assert code == 2
    assert "internal error: Unforeseen: nobody foresaw this" in err
    assert "2 runs are kept in study-study. Run the same command again to continue with them." in err
    the_log(tmp_path, err)
    code, out, _ = call("sweep", "study.toml", "--workers", 1)
    assert code == 0
    assert "4 runs" in out


def test_in_a_report(call, monkeypatch, tmp_path):
    made_solution(drive_called("one drive")).save(tmp_path / "first.nc")
    before = Path("first.nc").read_bytes()
    break_at(monkeypatch, "chaindrive.report.write.render", 1)
    code, out, err = call("report", "first.nc")
    assert code == 2
    assert "internal error: Unforeseen" in err
    assert "No report was written; the results in first.nc are unchanged." in err
    assert "Report in" not in out
    the_log(tmp_path, err)
    assert Path("first.nc").read_bytes() == before
    assert not Path("first.html").exists()


def test_in_a_comparison(call, monkeypatch, tmp_path):
    break_at(monkeypatch, "chaindrive.studies.formulations.simulate", 2)
    code, _, err = call("compare", "drive.toml", "--formulations", "block,roller")
    assert code == 2
    assert re.search(r"Results of unfinished runs are kept: .*drive-block\.nc", err)
    the_log(tmp_path, err)
    with results.open("drive-block.nc") as solution:
        assert solution.time[-1] == pytest.approx(4e-3)


def test_where_details_go(monkeypatch, tmp_path):
    """The folder for temporary files, else the working folder, else that of the user; nothing if none is writable."""
    text = details_of(Unforeseen("nobody foresaw this"))
    assert text.startswith("chaindrive ")
    assert "Unforeseen: nobody foresaw this" in text
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert Path(leave_details(text)).parent == tmp_path / "here"
    (tmp_path / "home").mkdir()
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    monkeypatch.setattr("os.curdir", str(tmp_path / "gone"))
    assert Path(leave_details(text)).parent == tmp_path / "home"
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "gone")
    assert leave_details(text) == ""
