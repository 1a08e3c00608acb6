"""``chaindrive export`` and ``chaindrive plot --data``: their files, messages and refusals."""

import os
import signal
import time
from pathlib import Path

import ezdxf
import imageio_ffmpeg
import numpy as np
import pandas
import pytest
import scipy.io
from PIL import Image

import chaindrive
from chaindrive.cli.endings import Terminated
from chaindrive.cli.main import main
from chaindrive.cli.run import Signals
from support.forked import Forked, posix
from support.moving_run import TIME, moving_run


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "run.nc"
    moving_run().save(path)
    return path


@pytest.fixture
def call(tmp_path, monkeypatch, capfd, stored):
    """Run the command line in a folder of its own where run.nc is; give exit code, output and messages."""
    monkeypatch.chdir(tmp_path)
    os.symlink(stored, "run.nc")

    def run(*arguments):
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        return ending.value.code, *capfd.readouterr()

    return run


def left():
    return sorted(name for name in os.listdir() if name != "run.nc")


def test_tables(call):
    code, said, _ = call(
        "export",
        "run.nc",
        "-o",
        "a.csv",
        "--channels",
        "link_tension[3],body_angle",
        "--every",
        "4",
        "--start",
        "10 ms",
    )
    assert code == 0
    assert "21 instants in a.csv" in said
    frame = pandas.read_csv("a.csv", comment="#")
    assert list(frame.columns) == ["time [s]", "link_tension[3] [N]", "body_angle[tension guide] [rad]"]
    np.testing.assert_array_equal(frame["time [s]"], TIME[20::4])
    for name in ("a.parquet", "a.mat", "a.xlsx"):
        assert call("export", "run.nc", "-o", name, "--every", "20")[0] == 0
    tension = moving_run()["link_tension"].isel(time=slice(None, None, 20), link=3).to_numpy()
    for opened in (pandas.read_parquet("a.parquet"), pandas.read_excel("a.xlsx", sheet_name="channels")):
        np.testing.assert_array_equal(opened["time [s]"], TIME[::20])
        np.testing.assert_allclose(opened["link_tension[3] [N]"], tension, rtol=1e-6)  # stored in single precision
    struct = scipy.io.loadmat("a.mat", simplify_cells=True)
    np.testing.assert_allclose(struct["link_tension"]["value"][:, 3], tension, rtol=1e-6)
    assert struct["link_tension"]["unit"] == "N"
    assert left() == ["a.csv", "a.mat", "a.parquet", "a.xlsx"]


def test_films_and_drawings(call):
    code, said, _ = call("export", "run.nc", "-o", "a.gif", "--fps", "10", "--duration", "300 ms", "--width", "200")
    assert code == 0
    assert "3 frames of 30 ms" in said
    code, said, err = call("export", "run.nc", "-o", "frames/", "--stop", "1 ms", "--duration", "0.4", "--width", "200")
    assert code == 0
    assert "3 instants in this time" in err
    assert len(os.listdir("frames")) == 10
    assert "drawn to scale" in call("export", "run.nc", "-o", "a.dxf")[1]
    assert call("export", "6l60mc", "-o", "b.svg", "--set", "name=another")[0] == 0
    assert "another" in Path("b.svg").read_text(encoding="utf-8")
    assert call("export", "run.nc", "-o", "a.mp4", "--fps", "10", "--duration", "300 ms", "--width", "200")[0] == 0
    assert imageio_ffmpeg.count_frames_and_secs("a.mp4")[0] == 3
    with Image.open("a.gif") as film:
        assert (film.n_frames, film.width) == (3, 200)
    drawing = ezdxf.readfile("a.dxf")
    assert not drawing.audit().has_errors
    assert len(drawing.modelspace()) > 100  # arcs and lines of every tooth
    assert left() == ["a.dxf", "a.gif", "a.mp4", "b.svg", "frames"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run.nc", "-o", "a.ods"), ("--output", "csv, parquet, xlsx, mat", "gif, mp4", "frames/", "dxf, svg")),
        (("run.nc", "-o", "a.csv", "--fps", "3", "--width", "9"), ("2 problems", "--fps", "--width", "--channels")),
        (("run.nc", "-o", "a.gif", "--every", "3"), ("--every", "an animation, which takes --fps")),
        (("run.nc", "-o", "a.dxf", "--start", "3"), ("--start", "does not apply to a drawing")),
        (("run.nc", "-o", "a.dxf", "--set", "name=b"), ("--set", "not to results")),
        (("run.nc", "-o", "a.csv", "--start", "3 kg", "--stop", "x"), ("2 problems", "--start", "--stop")),
        (("run.nc", "-o", "a.csv", "--start", "3 s"), ("no saved instant", "0 to 0.05 s")),
        (("run.nc", "-o", "a.csv", "--channels", "link_tensoin"), ("link_tension",)),
        (("run.nc", "-o", "a.csv", "--channels", ""), ("channels", "names no channel")),
        (("run.nc", "-o", "a.csv", "--every", "0"), ("every", "at least 1")),
        (("drive.toml", "-o", "a.mat"), ("chaindrive run drive.toml",)),
        (("6l60mc", "-o", "a.gif"), ("chaindrive run 6l60mc -o 6l60mc.nc",)),
        (("nothing.nc", "-o", "a.csv"), ("nothing.nc", "no such file")),
        (("nothing.toml", "-o", "a.svg"), ("nothing.toml",)),
        (("run.nc", "-o", "no/a.csv"), ("does not exist",)),
        (("run.nc",), ("--output",)),
        (("run.nc", "-o", "a.gif", "--width", "5"), ("between 100 and 8000 pixels",)),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_left(call, arguments, words):
    code, _, err = call("export", *arguments)
    assert code == 1
    for word in words:
        assert word in err
    assert "Traceback" not in err
    assert left() == []


def test_foreign_and_broken_files(call, stored):
    from h5py import File

    with File("other.nc", "w") as file:
        file["x"] = [1.0]
    Path("cut.nc").write_bytes(stored.read_bytes()[:3000])
    Path("empty.nc").touch()
    before = left()
    for name, words in (("other.nc", "not a results file"), ("cut.nc", "damaged"), ("empty.nc", "is empty")):
        for made in ("a.csv", "a.gif", "a.dxf", "frames/"):
            code, _, err = call("export", name, "-o", made)
            assert code == 1, err
            assert words in err
    assert left() == before


def test_files_of_others_are_replaced_by_force_only(call):
    Path("a.csv").write_text("mine")
    code, _, err = call("export", "run.nc", "-o", "a.csv")
    assert code == 1
    assert "--force" in err
    assert Path("a.csv").read_text() == "mine"
    assert call("export", "run.nc", "-o", "a.csv", "--force")[0] == 0
    assert call("export", "run.nc", "-o", "a.csv", "--every", "2")[0] == 0


def test_numbers_of_a_plot(call):
    code, said, _ = call("plot", "run.nc", "link-tension", "--link", "4", "--data", "a.csv", "-o", "a.png")
    assert code == 0
    assert "a.csv" in said
    frame = pandas.read_csv("a.csv", comment="#")
    run = moving_run()
    part = run["link_tension"].sel(time=frame["time [s]"].to_numpy(), method="nearest").isel(link=4)
    np.testing.assert_allclose(frame["tension of link 4 [N]"], part)
    code, said, _ = call("plot", "run.nc", "peaks", "--data", "p.csv", "-o", "p.png")
    assert (code, "its values in p.csv, p-peaks.csv" in said) == (0, True)
    over_time, peaks = (pandas.read_csv(name, comment="#") for name in ("p.csv", "p-peaks.csv"))
    assert over_time.columns[0] == "time [s]"
    assert {"quantity", "value [in its unit]"} <= set(peaks.columns)
    assert not any(name.endswith("(2)") for name in (*over_time.columns, *peaks.columns))
    assert over_time.notna().all().all()
    Path("q-peaks.csv").write_text("mine")
    code, _, err = call("plot", "run.nc", "peaks", "--data", "q.csv", "-o", "p.png")
    assert (code, "q-peaks.csv" in err, Path("q.csv").exists()) == (1, True, False)
    for bad in ("a.txt", "no/a.csv"):
        code, _, err = call("plot", "run.nc", "energy", "--data", bad)
        assert code == 1
        assert "--data" in err
    Path("b.csv").write_text("mine")
    code, _, err = call("plot", "run.nc", "energy", "--data", "b.csv")
    assert (code, "--force" in err) == (1, False)  # which this command does not have
    assert Path("b.csv").read_text() == "mine"


@posix
@pytest.mark.parametrize(
    ("number", "expected"), [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.long)]
)
def test_an_interrupted_export_leaves_nothing(tmp_path, stored, number, expected):
    command = ["export", str(stored), "-o", "a.mp4", "--duration", "100", "--fps", "100"]
    with Forked(lambda: main(command), tmp_path) as process:
        process.wait(until=lambda: list(tmp_path.iterdir()))
        time.sleep(0.1)
        process.send_signal(number)
        code, err = process.wait(), process.err
    assert code == expected, err
    assert "was not written" in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("number", "kind"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated)])
def test_an_interruption_that_a_library_turns_into_its_own_error_is_still_one(number, kind):
    def drawing():
        try:
            signal.raise_signal(number)
        except KeyboardInterrupt:
            raise ValueError("Invalid bounding box") from None

    with pytest.raises(KeyboardInterrupt) as raised, Signals():
        drawing()
    assert raised.type is kind


def test_an_error_without_an_interruption_stays_what_it_is():
    with pytest.raises(ValueError, match="bounding"), Signals():
        raise ValueError("Invalid bounding box")


def test_help_names_the_endings(call):
    shown = " ".join(call("export", "--help")[1].split())
    for ending in ("csv", "parquet", "xlsx", "mat", "gif", "mp4", "dxf", "svg", "frames/"):
        assert ending in shown
    assert chaindrive.__version__ in call("--version")[1]
