"""Tables of results for other tools: read back by those tools, the numbers are those of the run, with units."""

import csv
import io
from typing import Any

import numpy as np
import openpyxl
import pandas
import pyarrow.parquet
import pytest
import scipy.io

from chaindrive import results
from chaindrive.contract.channels import Channel
from chaindrive.errors import ComputationError, InputError
from chaindrive.export import matlab
from chaindrive.export.data import save_table
from chaindrive.export.matlab import matlab_names, write_matlab
from chaindrive.export.selection import split_names
from chaindrive.export.tables import write_table
from chaindrive.model import example, override
from chaindrive.plots.tables import table
from chaindrive.results.attributes import describe
from chaindrive.results.layout import Layout
from chaindrive.results.solution import Solution

WHEELS = ("crank, front", 'the "#2" wheel, below', "链轮 größer")
NAME = "line one\nline <two>, 链条"
ROWS = 2001


def made(rows=ROWS):
    """A result with one channel of every kind, with names that are hard to encode."""
    drive = example("timing-06b")
    drive = override(drive, {f"wheels.{i}.name": name for i, name in enumerate(WHEELS)} | {"chain.links": 4})
    channels, at = [], 0
    single: dict[str, Any] = {"precision": "single"}
    for name, dims, unit, shape, flags in (
        ("link_tension", ("link",), "N", (4,), single),
        ("contact_surface", ("roller",), "1", (4,), single | {"holds": "index"}),
        ("wheel_speed", ("wheel",), "rad/s", (3,), {}),
        ("bearing_force", ("wheel", "axis"), "N", (3, 2), {}),
        ("joint_position", ("body",), "1", (1,), {}),
        ("energy_kinetic", (), "J", (), {}),
    ):
        channels.append(Channel(name, dims, unit, f"what {name} is", at, shape, **flags))
        at += channels[-1].size
    layout = Layout(tuple(channels), {"wheel": WHEELS, "axis": ("x", "y"), "body": ("tension guide",)})
    rng = np.random.default_rng(1)
    values = {c.name: rng.standard_normal((rows, *c.shape)) * 1e3 for c in channels}
    values["link_tension"] = values["link_tension"].astype(np.float32)
    values["contact_surface"] = rng.integers(-1, 5, (rows, 4)).astype(np.float32)
    values["link_tension"][3, 1] = np.nan
    values["wheel_speed"][4] = [np.inf, -np.inf, 1e-300]
    attrs = describe(drive.to_toml(), {}, name=NAME, formulation="roller", solver="verlet")
    return Solution.from_memory(layout, np.arange(rows) / 1000.0, values, attrs | {"status": "REACHED_END"})


@pytest.fixture(scope="module")
def run():
    return made()


def header(path):
    """Comment lines, and the cells of the line of names, by the csv module of Python."""
    text = path.read_bytes().decode()
    lines = text.split("\r\n")
    comments = [line for line in lines if line.startswith("#")]
    return comments, next(csv.reader(io.StringIO("\r\n".join(lines[len(comments) :]), newline="")))


HEADINGS = [
    "time [s]",
    *(f"link_tension[{i}] [N]" for i in range(4)),
    *(f"contact_surface[{i}] [-]" for i in range(4)),
    *(f"wheel_speed[{name}] [rad/s]" for name in WHEELS),
    *(f"bearing_force[{name},{axis}] [N]" for name in WHEELS for axis in "xy"),
    "joint_position[tension guide] [rad]",
    "energy_kinetic [J]",
]


def read_exactly(path):
    """The numbers of a table to the last bit, which pandas before version 3 does not read by default."""
    return pandas.read_csv(path, comment="#", dtype=str).astype(float)


def same(frame, run, rows=slice(None), finite=False):
    """Assert that every column equals the values of the run; finite: infinite values are missing."""
    assert list(frame.columns) == HEADINGS
    np.testing.assert_array_equal(frame["time [s]"], run.time[rows])
    at = 1
    for name, channel in run.channels.items():
        values = run.values(name)[rows].reshape(len(frame), -1)
        if finite:
            values = np.where(np.isfinite(values), values, np.nan).astype(values.dtype)
        got = frame.iloc[:, at : at + channel.size].to_numpy()
        np.testing.assert_array_equal(got.astype(values.dtype), values, name)
        at += channel.size


def test_csv_holds_every_number_exactly(run, tmp_path):
    path = tmp_path / "out.csv"
    told = []
    assert write_table(run, path, progress=lambda done, total: told.append((done, total))) == ROWS
    assert told[-1] == (ROWS, ROWS)
    comments, names = header(path)
    assert names == HEADINGS
    assert comments[0].startswith("# made by chaindrive ")
    assert "# drive: line one line <two>, 链条" in comments
    assert "# solver: verlet" in comments
    same(read_exactly(path), run)
    # an empty cell where there is no number, whole numbers without a point
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(line for line in file if not line.startswith("#")))
    assert lines[4][2] == ""
    assert lines[5][9:11] == ["inf", "-inf"]
    assert {len(cells) for cells in lines} == {len(HEADINGS)}
    assert set(lines[9][5:9]) <= {"-1", "0", "1", "2", "3", "4"}


def test_what_is_written_block_by_block_is_the_same(run, tmp_path, monkeypatch):
    write_table(run, tmp_path / "one.csv", every=3, start=0.1, stop=1.9)
    monkeypatch.setattr("chaindrive.export.selection.BLOCK_BYTES", 7000)
    told = []
    rows = write_table(
        run, tmp_path / "many.csv", every=3, start=0.1, stop=1.9, progress=lambda *done: told.append(done)
    )
    assert len(told) > 10
    assert rows == told[-1][0] == told[-1][1] == 601
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "many.csv").read_bytes()
    same(read_exactly(tmp_path / "many.csv"), run, slice(100, 1901, 3))


def test_no_more_of_a_file_is_read_than_a_block(run, tmp_path, monkeypatch):
    run.save(tmp_path / "run.nc")
    monkeypatch.setattr("chaindrive.export.selection.BLOCK_BYTES", 20_000)
    read = []
    with results.open(tmp_path / "run.nc") as stored:
        values = stored.values
        monkeypatch.setattr(stored, "values", lambda name, rows: read.append(rows) or values(name, rows))
        write_table(stored, tmp_path / "out.parquet", ["link_tension", "wheel_speed"])
    assert max(part.stop - part.start for part in read) <= 20_000 // (8 * 8)
    table = pandas.read_parquet(tmp_path / "out.parquet")
    np.testing.assert_array_equal(table["link_tension[2] [N]"], run.values("link_tension")[:, 2])
    assert table.shape == (ROWS, 1 + 4 + 3)


def test_parquet_has_units_in_the_schema(run, tmp_path):
    path = tmp_path / "out.parquet"
    write_table(run, path, every=2)
    same(pandas.read_parquet(path), run, slice(None, None, 2))
    schema = pyarrow.parquet.read_schema(path)
    units = {field.name: field.metadata[b"units"].decode() for field in schema}
    assert units["link_tension[0] [N]"] == "N"
    assert units["joint_position[tension guide] [rad]"] == "rad"
    assert units["time [s]"] == "s"
    assert schema.field("energy_kinetic [J]").metadata[b"description"] == b"what energy_kinetic is"
    assert str(schema.field("link_tension[0] [N]").type) == "float"
    assert str(schema.field("contact_surface[0] [-]").type) == "int32"
    assert schema.metadata[b"name"].decode() == NAME
    assert schema.metadata[b"drive"].decode() == run.drive_text


def test_a_workbook_as_another_program_reads_it(run, tmp_path):
    path = tmp_path / "out.xlsx"
    write_table(run, path, every=2)
    same(pandas.read_excel(path, sheet_name="channels"), run, slice(None, None, 2), finite=True)
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["channels", "run"]
    assert book["channels"].freeze_panes == "A2"
    facts = {name.value: text.value for name, text in book["run"].iter_rows()}
    assert facts["made by"].startswith("made by chaindrive")
    assert facts["drive"] == NAME
    assert facts["status"] == run.status.name


def test_a_workbook_has_no_more_rows_than_a_sheet(run, tmp_path, monkeypatch):
    monkeypatch.setattr("chaindrive.export.xlsx.MOST_ROWS", ROWS)
    with pytest.raises(InputError, match="more than an Excel sheet can have"):
        write_table(run, tmp_path / "out.xlsx", ["wheel_speed"])
    assert not list(tmp_path.iterdir())
    assert write_table(run, tmp_path / "out.xlsx", ["wheel_speed"], every=2) == (ROWS + 1) // 2


def test_channels_and_single_elements(run, tmp_path):
    wanted = "energy_kinetic, link_tension[2],wheel_speed[crank, front],bearing_force[1,y],bearing_force[链轮 größer]"
    assert split_names(wanted)[2:4] == ["wheel_speed[crank, front]", "bearing_force[1,y]"]
    write_table(run, tmp_path / "out.csv", split_names(wanted))
    assert header(tmp_path / "out.csv")[1] == [
        "time [s]",
        "energy_kinetic [J]",
        "link_tension[2] [N]",
        "wheel_speed[crank, front] [rad/s]",
        f"bearing_force[{WHEELS[1]},y] [N]",
        "bearing_force[链轮 größer,x] [N]",
        "bearing_force[链轮 größer,y] [N]",
    ]
    frame = read_exactly(tmp_path / "out.csv")
    np.testing.assert_array_equal(frame.iloc[:, 4], run.values("bearing_force")[:, 1, 1])


def test_everything_that_is_not_there_is_told_at_once(run, tmp_path):
    with pytest.raises(InputError) as caught:
        write_table(run, tmp_path / "out.csv", ["link_tensoin", "link_tension[4]", "wheel_speed[pump]"])
    texts = [str(problem) for problem in caught.value.problems]
    assert len(texts) == 3
    assert "link_tension" in texts[0]
    assert "link_tension[0] to link_tension[3]" in texts[1]
    assert "wheel_speed[0] to wheel_speed[2]" in texts[2]
    for window in ({"start": 5.0}, {"stop": -1.0}, {"start": 1.0, "stop": 0.5}, {"every": 0}):
        with pytest.raises(InputError):
            write_table(run, tmp_path / "out.csv", **window)
    with pytest.raises(InputError, match=r"\.csv or \.parquet or \.xlsx"):
        write_table(run, tmp_path / "out.ods")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.xlsx", "out.mat"])
def test_only_files_of_our_own_are_replaced(run, name, tmp_path):
    write = write_matlab if name.endswith("mat") else write_table
    path = tmp_path / name
    path.write_text("mine")
    with pytest.raises(InputError, match="not made by an export"):
        write(run, path)
    assert path.read_text() == "mine"
    write(run, path, every=10, overwrite=True)
    first = path.stat().st_size
    write(run, path, every=100)
    assert path.stat().st_size < first
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_an_interrupted_export_leaves_nothing(run, tmp_path):
    def interrupt(*_):
        raise KeyboardInterrupt

    for name in ("out.csv", "out.parquet", "out.mat"):
        with pytest.raises(KeyboardInterrupt):
            (write_matlab if name.endswith("mat") else write_table)(run, tmp_path / name, progress=interrupt)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_told(run, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("chaindrive.export.tables._lines", full)
    with pytest.raises(ComputationError, match="No space left"):
        write_table(run, tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_a_missing_library_is_told(run, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install chaindrive\[export\]"):
        write_table(run, tmp_path / "out.parquet")
    assert not list(tmp_path.iterdir())


def test_matlab_file(run, tmp_path):
    path = tmp_path / "out.mat"
    assert write_matlab(run, path, every=5, start=0.5) == 301
    assert path.read_bytes().startswith(b"MATLAB 5.0 MAT-file, made by chaindrive")
    found = scipy.io.loadmat(path)
    assert {name for name in found if name[0] != "_"} == {"info", "time", *run.channels}
    part = slice(500, None, 5)
    np.testing.assert_array_equal(found["time"]["value"][0, 0], run.time[part, None])
    for name, channel in run.channels.items():
        struct = found[name][0, 0]
        expected = run.values(name)[part]
        np.testing.assert_array_equal(struct["value"], expected if channel.shape else expected[:, None], name)
        assert struct["value"].dtype == expected.dtype
        assert struct["description"][0] == f"what {name} is"
        assert [cell[0] for cell in struct["dims"].ravel()] == ["time", *channel.dims]
    assert found["wheel_speed"][0, 0]["unit"][0] == "rad/s"
    assert found["joint_position"][0, 0]["unit"][0] == "rad"
    assert [cell[0] for cell in found["wheel_speed"][0, 0]["names"][0, 0].ravel()] == list(WHEELS)
    info = found["info"][0, 0]
    assert info["name"][0] == NAME
    assert info["drive"][0] == run.drive_text
    assert info["status"][0] == "REACHED_END"


def test_names_that_matlab_takes():
    long = "a" * 70
    names = matlab_names(["link_tension", "2nd", "_x", "end", "größe", "gr??e", long, long + "b", "x_end"])
    assert names["link_tension"] == "link_tension"
    assert names["2nd"] == "x_2nd"
    assert names["end"] == "x_end"
    assert len(set(names.values())) == len(names)
    for name in names.values():
        assert name.isascii()
        assert name.isidentifier()
        assert name[0].isalpha()
        assert len(name) <= 63


def test_what_is_too_large_for_matlab_is_refused_before_it_is_read(run, tmp_path, monkeypatch):
    monkeypatch.setattr(matlab, "LARGEST", ROWS * 4 * 4)  # link_tension just fits, bearing_force does not
    with pytest.raises(InputError, match=r"smaller than 2 GB.*netCDF-4.*ncread") as caught:
        write_matlab(run, tmp_path / "out.mat")
    assert {problem.place for problem in caught.value.problems} == {"bearing_force", "wheel_speed"}
    assert write_matlab(run, tmp_path / "out.mat", ["link_tension"]) == ROWS
    assert write_matlab(run, tmp_path / "out.mat", every=4) == 501


def test_the_public_names():
    import chaindrive.export

    for name in chaindrive.export.__all__:
        assert callable(getattr(chaindrive.export, name))
    assert chaindrive.export.write_table is write_table
    assert dir(chaindrive.export) == sorted(chaindrive.export.__all__)
    with pytest.raises(AttributeError, match="write_tables"):
        chaindrive.export.write_tables  # noqa: B018


def test_numbers_of_a_figure_are_read_back(tmp_path):
    frame = table(
        {"time [s]": [0.1, 1e-300, np.nan], "on": ["wheel #2", 'a "b", c', ""], "n": [1, 2, 3]}, remark="a\nb"
    )
    save_table(frame, tmp_path / "t.csv", "figure of\n链条")
    comments, names = header(tmp_path / "t.csv")
    assert names == list(frame.columns)
    assert comments[0].startswith("# figure of 链条, made by chaindrive")
    assert comments[1] == "# remark: a b"
    back = pandas.read_csv(tmp_path / "t.csv", comment="#", keep_default_na=False, na_values={"time [s]": [""]})
    pandas.testing.assert_frame_equal(back, frame, check_dtype=False, check_exact=True)
