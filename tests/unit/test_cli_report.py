"""``chaindrive report``: one page from results files; all problems of files and options are reported at once."""

from __future__ import annotations

import shutil
import sys

import h5py
import numpy as np
import pytest

from chaindrive.cli.main import main
from chaindrive.cli.report import default_report, labels_of
from support.report_run import Page, drive_called, made_solution

pytestmark = pytest.mark.usefixtures("few_windows")


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Run the command line in an empty folder: exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ending:
            main([str(each) for each in arguments])
        captured = capfd.readouterr()
        assert "Traceback" not in captured.err
        return int(ending.value.code or 0), captured.out, captured.err

    return run


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    made_solution(drive_called("one drive")).save(folder / "first.nc")
    made_solution(drive_called("one drive"), rows=60).save(folder / "second run.nc")
    return folder


@pytest.fixture
def runs(saved, tmp_path):
    """Copies in a separate folder."""
    return shutil.copytree(saved, tmp_path, dirs_exist_ok=True)


def test_one_run(runs, call):
    code, out, err = call("report", "first.nc")
    assert code == 0
    assert "Report in first.html" in out
    assert "packing one drive" in err
    page = Page((runs / "first.html").read_text(encoding="utf-8"))
    assert page.header["title"] == "one drive"
    assert sorted(each.name for each in runs.iterdir()) == ["first.html", "first.nc", "second run.nc"]


def test_two_runs_with_all_options(runs, call):
    code, out, _ = call(
        "report", "first.nc", "second run.nc", "-o", "both.html", "--start", "10 ms", "--stop", "0.04", "--frames", "5",
        "--title", "Both <of> them", "--label", "before", "--label", "after",
    )  # fmt: skip
    assert code == 0
    assert "both.html" in out
    header = Page((runs / "both.html").read_text(encoding="utf-8")).header
    assert header["title"] == "Both <of> them"
    assert [each["label"] for each in header["results"]] == ["before", "after"]
    assert [each["time_range"] for each in header["results"]] == [[0.01, 0.04]] * 2


def test_runs_of_one_drive_go_by_their_files(runs, call):
    assert call("report", "first.nc", "second run.nc")[0] == 0
    header = Page((runs / "report.html").read_text(encoding="utf-8")).header
    assert [each["label"] for each in header["results"]] == ["first", "second run"]


def test_names():
    assert str(default_report(["a/b/run.nc"])) == "run.html"
    assert str(default_report(["a.nc", "b.nc"])) == "report.html"
    assert labels_of(["x", "y"], ["1.nc", "2.nc"]) == ["x", "y"]
    assert labels_of(["x", "x"], ["d/1.nc", "2.nc"]) == ["1", "2"]
    assert labels_of(["x", "x"], ["d/1.nc", "e/1.nc"]) == ["d/1.nc", "e/1.nc"]
    assert labels_of(["x", ""], ["1.nc", "2.nc"]) == ["1", "2"]


def test_a_file_that_is_no_report_stays(runs, call):
    (runs / "first.html").write_text("mine", encoding="utf-8")
    code, _, err = call("report", "first.nc")
    assert code == 1
    assert "is not a chaindrive report" in err
    assert (runs / "first.html").read_text(encoding="utf-8") == "mine"
    assert call("report", "first.nc", "--force")[0] == 0
    assert call("report", "first.nc")[0] == 0  # a report of its own it replaces


def test_everything_that_is_wrong_at_once(runs, call):
    code, _, err = call(
        "report", "first.nc", "missing.nc", "-o", "page.pdf", "--start", "soon", "--frames", "1", "--label", "one"
    )
    assert code == 1
    for words in ("--start", "soon", "--frames", "--label", "2 files", "--output", "must end in .html", "missing.nc"):
        assert words in err
    assert "5 problems" in err
    code, _, err = call("report", "first.nc", "--start", "2", "--stop", "1")
    assert code == 1
    assert "must be later than" in err
    assert not list(runs.glob("*.html"))


def _truncated(path):
    made_solution(drive_called("cut off")).save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])


def _foreign(path):
    with h5py.File(path, "w") as file:
        file["time"] = np.arange(3.0)


def _without_rows(path):
    made_solution(drive_called("no rows"), rows=0).save(path)


def _damaged_drive(path):
    run = made_solution(drive_called("damaged"))
    run._reader.attrs["drive"] = run.drive_text.replace("teeth = 17", "teeth = -17")
    run.save(path)


def _no_drive(path):
    run = made_solution(drive_called("no drive"))
    run._reader.attrs["drive"] = ""
    run.save(path)


BROKEN = {
    "empty": (lambda path: path.write_bytes(b""), "the file is empty"),
    "text": (lambda path: path.write_text("no netCDF", encoding="utf-8"), "not a results file"),
    "netCDF-3": (lambda path: path.write_bytes(b"CDF\x01" + bytes(100)), "netCDF-3"),
    "folder": (lambda path: path.mkdir(), "directory"),
    "cut off": (_truncated, "damaged"),
    "of other software": (_foreign, "not a results file of chaindrive"),
    "without rows": (_without_rows, "ended before the first instant was stored"),
    "with a damaged drive": (_damaged_drive, "wheels[0].teeth"),
    "without a drive": (_no_drive, "contain the simulated drive"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_and_foreign_files(case, runs, call):
    make, message = BROKEN[case]
    make(runs / "run.nc")
    code, out, err = call("report", "first.nc", "run.nc")
    assert code == 1
    assert message in err
    assert out == ""
    assert not list(runs.glob("*.html"))


def test_hostile_names(tmp_path, call):
    name = "</script><script>alert(1)</script>"
    made_solution(drive_called(name)).save(tmp_path / "a.nc")
    file = tmp_path / 'quo"te <img src=x onerror=alert(1)> 链.nc'
    made_solution(drive_called(name)).save(file)
    code, out, _ = call("report", "a.nc", file.name, "-o", "<b>.html")
    assert code == 0
    assert "<b>.html" in out
    page = Page((tmp_path / "<b>.html").read_text(encoding="utf-8"))
    assert file.stem in page.text
    assert not any(tag in ("img", "b") for tag, _ in page.tags)
    assert len(page.scripts) == 4


def test_run_check_and_report_load_what_they_need(runs, call):
    """Simulating alone does not load the drawing modules or the many modules of SciPy; reporting does not load the
    tables.
    """
    import subprocess

    simulated = ("pint", "xarray", "matplotlib", "h5py", "scipy.linalg", "scipy.optimize")
    code = f"""
import sys, chaindrive.cli.run, chaindrive.cli.check, chaindrive.simulation.simulate
print([name for name in {simulated} if name in sys.modules])
from chaindrive.cli.main import _guarded
from chaindrive.report import windows
windows.PARTS = 2
_guarded(["report", "first.nc"])
print([name for name in ("matplotlib", "xarray", "pandas") if name in sys.modules])
"""
    found = subprocess.run([sys.executable, "-c", code], cwd=runs, capture_output=True, text=True, check=True)
    lines = found.stdout.splitlines()
    assert (lines[0], lines[-1]) == ("[]", "[]")


def test_a_run_leaves_its_report_and_opens_it(call, tmp_path, monkeypatch):
    shown: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: bool(shown.append(address)) or True)
    block = ("--formulation", "block", "--until", "20 ms")
    code, out, _ = call("run", "industrial-08b", *block, "--report")
    assert (code, shown) == (0, [])
    assert "Report in industrial-08b.html" in out
    code, out, _ = call("run", "industrial-08b", *block, "--open", "--force")
    assert (code, shown) == (0, [(tmp_path / "industrial-08b.html").as_uri()])
    assert Page((tmp_path / "industrial-08b.html").read_text(encoding="utf-8")).header["results"]
    (tmp_path / "mine.html").write_text("mine")
    code, _, err = call("run", "industrial-08b", *block, "--report", "-o", "mine.nc")
    assert code == 1
    assert "--report" in err
    assert not (tmp_path / "mine.nc").exists()
