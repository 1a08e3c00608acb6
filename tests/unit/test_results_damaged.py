"""Results files with attributes, time or drive that no run writes are reported as damaged, never as an internal
error.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

import chaindrive as cd
from chaindrive import results
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.results.readers import HEAP
from support.hostile_files import lose_data
from support.shared_runs import SharedRuns

Change = Callable[[h5py.File], None]
INFO, REPORT = ("info", "run.nc"), ("report", "run.nc", "--force")
COMMANDS = (
    INFO,
    REPORT,
    ("plot", "run.nc", "tension-around"),
    ("plot", "run.nc", "comparison"),
    ("export", "run.nc", "-o", "run.csv", "--force"),
)

pytestmark = pytest.mark.usefixtures("few_windows")


@pytest.fixture(scope="module")
def good(shared_runs: SharedRuns) -> Path:
    return shared_runs.file("industrial-08b", 0.02)


@pytest.fixture
def damaged(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Change], Path]:
    """A copy with a manual change, in a separate folder."""
    monkeypatch.chdir(tmp_path)

    def made(change: Change) -> Path:
        path = tmp_path / "run.nc"
        shutil.copyfile(good, path)
        with h5py.File(path, "r+") as file:
            change(file)
        return path

    return made


def attribute(name: str, value: object) -> Change:
    def change(file: h5py.File) -> None:
        file.attrs[name] = value

    return change


def in_table(attribute_name: str, key: str, value: object) -> Change:
    def change(file: h5py.File) -> None:
        held = file.attrs[attribute_name]
        table = json.loads(held.decode() if isinstance(held, bytes) else held)
        file.attrs[attribute_name] = np.bytes_(json.dumps(table | {key: value}))

    return change


def times(values: Callable[[np.ndarray], np.ndarray]) -> Change:
    def change(file: h5py.File) -> None:
        file["time"][...] = values(file["time"][...])

    return change


def put(values: np.ndarray, index: int, value: float) -> np.ndarray:
    values[index] = value
    return values


def with_one_dimension(name: str, dimension: str = "") -> Change:
    """A channel as a series of numbers, in the list of the time, and in that of a second dimension if one is given, as
    after damage to its shape.
    """

    def change(file: h5py.File) -> None:
        count = file[name].shape[0]
        del file[name]
        file.create_dataset(name, data=np.zeros(count)).attrs["units"] = np.bytes_(b"1")
        for position, scale in enumerate(("time", dimension) if dimension else ("time",)):
            listed = file[scale].attrs["REFERENCE_LIST"]
            more = np.array([(file[name].ref, position)], dtype=listed.dtype)
            file[scale].attrs["REFERENCE_LIST"] = np.concatenate([listed, more])

    return change


REFUSED: dict[str, Change] = {
    "a channel without its second dimension": with_one_dimension("contact_surface", "roller"),
    "extremes without their second dimension": with_one_dimension("bearing_force_max"),
    "speeds without their second dimension": with_one_dimension("wheel_speed"),
    **{
        f"{name} {value!r}": attribute(name, value)
        for name in ("statistics", "warnings", "notes", "options", "versions")
        for value in (7, 2.5, np.arange(3), "no JSON", "3", '"text"')
    },
    "warnings as a table": attribute("warnings", "{}x"),
    "warnings of numbers": attribute("warnings", "[1, 2]"),
    "statistics as a list": attribute("statistics", "[]"),
    "steps as a text": in_table("statistics", "steps", "many"),
    "steps as a list": in_table("statistics", "steps", [1]),
    "a statistic of nothing": in_table("statistics", "other", None),
    "an end that is no time": in_table("notes", "end_time", "late"),
    "steady since a word": in_table("notes", "steady_since", "long"),
    "steady, nobody knows since when": in_table("notes", "steady", True),
    "steady, or how much": in_table("notes", "steady", 5),
    "half of what shows that it is steady": in_table("notes", "steady_imbalance", 0.1),
    "statistics that are not finite": in_table("statistics", "wall_time", "inf"),
    "an end not-a-number": in_table("notes", "end_time", "nan"),
    "no number as format": attribute("chaindrive_format", "first"),
    "constant time": times(np.zeros_like),
    "time that goes back": times(lambda t: t[::-1]),
    "infinite time": times(lambda t: put(t, -1, np.inf)),
    "time that is not-a-number": times(lambda t: put(t, 3, np.nan)),
    "two equal instants": times(lambda t: put(t, 5, t[4])),
}


@pytest.mark.parametrize("kind", list(REFUSED))
def test_refused_when_opened(damaged, kind: str) -> None:
    path = damaged(REFUSED[kind])
    with pytest.raises(InputError, match="damaged"):
        results.open(path)


def lost(name: str) -> Change:
    return lambda file: lose_data(file, name)


def removed(name: str) -> Change:
    def change(file: h5py.File) -> None:
        del file[name]

    return change


LOST = {name: lost(name) for name in ("link_tension", "wheel_speed", "work_input", "work_friction", "contact_surface")}


@pytest.mark.parametrize("name", list(LOST))
def test_a_variable_without_its_data_is_refused(damaged, name: str, capfd: pytest.CaptureFixture) -> None:
    """HDF5 reads zeros where a block is missing: a tension of 0 N would look valid."""
    path = damaged(LOST[name])
    with pytest.raises(InputError, match=f"damaged: blocks of the data of {name} are missing"):
        results.open(path)
    for command in COMMANDS[:1] if name != "link_tension" else COMMANDS:
        assert _call(command, capfd) == 1


def test_lost_names_of_parts_are_those_of_the_drive(damaged) -> None:
    path = damaged(lost("wheel_name"))
    with results.open(path) as solution:
        assert solution.labels["wheel"] == ("motor", "conveyor")


@pytest.mark.parametrize("packed", [False, True])
def test_a_zeroed_block_is_not_read_as_numbers(damaged, packed: bool, capfd: pytest.CaptureFixture) -> None:
    """The checksum does not match, with and without compression."""
    path = damaged(lambda file: None)
    with h5py.File(path, "r") as file:
        stored = (each for each in file if each.startswith(("link_", "contact_")))
        name = next(each for each in stored if (file[each].compression is not None) == packed)
        block = file[name].id.get_chunk_info(0)
    data = bytearray(path.read_bytes())
    begin = block.byte_offset + block.size // 2
    size = min(512, block.size // 2)
    data[begin : begin + size] = bytes(size)
    path.write_bytes(data)
    with results.open(path) as solution, pytest.raises(InputError, match=f"damaged: {name} cannot be read"):
        solution.values(name)
    assert _call(("info", "run.nc"), capfd) in (0, 1)
    assert _call(("export", "run.nc", "-o", "run.csv", "--force"), capfd) == 1


@pytest.mark.parametrize(
    "name",
    [
        "link_tension",
        "wheel_angle",
        *(pytest.param(name, marks=pytest.mark.long) for name in ("wheel_speed", "span_tension", "roller_position")),
    ],
)
def test_without_a_variable_the_others_are_shown(damaged, name: str, capfd: pytest.CaptureFixture) -> None:
    damaged(removed(name))
    for command in COMMANDS:
        assert _call(command, capfd) in (0, 1)
    assert _call(INFO, capfd) == 0


DRIVES = {
    "another drive": lambda: cd.example("6l60mc").to_toml(),
    "one link more": lambda: cd.example("industrial-08b").to_toml().replace("links = 108", "links = 110"),
    "another name": lambda: cd.example("industrial-08b").to_toml().replace('"conveyor"', '"drum"'),
}


@pytest.mark.parametrize("kind", list(DRIVES))
def test_the_text_of_another_drive(damaged, kind: str, capfd: pytest.CaptureFixture) -> None:
    path = damaged(attribute("drive", np.bytes_(DRIVES[kind]().encode())))
    with (
        results.open(path) as solution,
        pytest.raises(InputError, match="damaged: its results are not those of the drive"),
    ):
        _ = solution.drive
    for command in COMMANDS:
        _call(command, capfd)


DEEP = np.bytes_(b"[" * 50_000)
ODD = {
    "notes nested without end": attribute("notes", DEEP),
    "statistics nested without end": attribute("statistics", DEEP),
    "versions nested without end": attribute("versions", DEEP),
    "no names of wheels": lambda file: file.__delitem__("wheel_name"),
    "rows below none": lambda file: file["rows_written"].__setitem__((), -5) if "rows_written" in file else None,
    "status of no name": attribute("status", "MIDDLING"),
    "status of a number": attribute("status", 3),
    "name of a number": attribute("name", 3),
    "solver of an array": attribute("solver", np.arange(3.0)),
    "drive of a number": attribute("drive", 5),
    "drive of words": attribute("drive", "no drive"),
    "no drive": lambda file: file.attrs.__delitem__("drive"),
    "no statistics": lambda file: file.attrs.__delitem__("statistics"),
    "no warnings": lambda file: file.attrs.__delitem__("warnings"),
    "options of lists": attribute("options", '{"save": [1, 2], "solver": 5}'),
    "options without anything": attribute("options", "{}"),
    "versions of tables": attribute("versions", '{"chaindrive": {"a": []}}'),
    "notes of odd things": attribute("notes", '{"steady": false, "chain_speed": [], "static_span_tension": "x"}'),
    "units of a number": lambda file: file["link_tension"].attrs.__setitem__("units", 5),
    "description of an array": lambda file: file["link_tension"].attrs.__setitem__("description", np.arange(2)),
    "not-a-number in a channel": lambda file: file["link_tension"].__setitem__(slice(0, 5), np.nan),
    "an infinite work": lambda file: file["work_input"].__setitem__(3, np.inf),
    "speeds of nothing": lambda file: file["wheel_speed"].__setitem__(slice(None), np.nan),
    "a wheel touched that is not there": lambda file: file["contact_surface"].__setitem__(slice(None), 77.0),
}
ALIKE = {
    "statistics nested without end",
    "versions nested without end",
    "status of a number",
    "name of a number",
    "drive of words",
    "no warnings",
    "options without anything",
    "description of an array",
    "an infinite work",
}
"""Attributes that are refused or shown in the same way as another of these."""


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # as the command line does: of numbers that are none
@pytest.mark.parametrize(
    "kind",
    [kind if kind not in ALIKE else pytest.param(kind, marks=pytest.mark.long) for kind in ODD]
    + ["constant time", "warnings of numbers"],
)
def test_no_command_takes_damage_for_a_mistake_of_chaindrive(damaged, kind: str, capfd) -> None:
    damaged((ODD | REFUSED)[kind])
    for command in (INFO, REPORT):  # a report asks for most of what there is
        _call(command, capfd)


def _call(command: tuple[str, ...], capfd: pytest.CaptureFixture) -> object:
    """Run a command; it may refuse, but neither show a traceback nor report an internal error; returns its exit
    code.
    """
    with pytest.raises(SystemExit) as ending:
        main(list(command))
    out, err = capfd.readouterr()
    assert "bug in chaindrive" not in out + err, f"{command}: {err}"
    assert "Traceback" not in out + err
    return ending.value.code


def test_no_search_without_end_in_a_damaged_heap(good: Path, tmp_path: Path) -> None:
    """HDF5 itself does not return from an object of no size; the process is killed if it does not, either."""
    content, path = bytearray(good.read_bytes()), tmp_path / "run.nc"
    at = content.find(HEAP) + 16
    while any(content[at : at + 2]):
        at += 16 + (int.from_bytes(content[at + 8 : at + 16], "little") + 7) // 8 * 8
    content[at + 8 : at + 16] = bytes(8)
    path.write_bytes(content)
    opens = f"import chaindrive as cd; print(len(cd.open({str(path)!r}).values('link_tension')))"
    done = subprocess.run([sys.executable, "-c", opens], capture_output=True, text=True, check=True, timeout=120)
    with cd.open(good) as whole:
        assert int(done.stdout) == len(whole.time)
    with cd.open(path) as solution, pytest.raises(InputError, match="damaged"):
        _ = solution.dataset


def test_rows_that_a_power_cut_kept_from_the_disk(tmp_path: Path) -> None:
    """The count was on the disk, the last rows were not: the existing ones are shown."""
    from chaindrive.contract.channels import Channel

    path = tmp_path / "run.nc"
    writer = results.ResultsWriter(path, (Channel("a", (), "N", "", 0, ()),), {}, results.describe("", {}), 50)
    writer.append(np.arange(20.0), np.ones((20, 1)))
    writer.abandon()
    with h5py.File(path, "r+") as file:
        file["rows_written"][...] = 35
    with results.open(path) as solution:
        assert solution.time.size == 20
        assert solution.values("a").shape == (20,)
