"""Wrong input through the command line: a message that names the place, exit code 1 (2 when computing failed), never a
traceback, never a damaged results file.
"""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from chaindrive import results
from chaindrive.cli.main import main
from chaindrive.cli.pictures import FORMATS, check_picture, default_picture, save_picture
from chaindrive.results.files import HDF5_SIGNATURE
from chaindrive.results.lock import locked
from chaindrive.solvers.integrator import Integrator
from support.forked import Forked, posix

GOOD = """\
name = "two wheels"
gravity = [0, -9.81]
loop = "counterclockwise"

[chain]
links = 60
pitch = "12.7 mm"
link_mass = "8.9 g"
link_stiffness = "40 MN/m"
link_damping = "100 N*s/m"
roller_diameter = "8.51 mm"

[contact]
stiffness = "1 GN/m^1.5"
restitution = 0.5
friction = 0.1

[[wheels]]
name = "driver"
teeth = 20
position = [0, 0]
tooth = { form = "asa-ii" }
motion = { kind = "constant_speed", speed = "300 rpm" }

[[wheels]]
name = "driven"
teeth = 20
position = ["254.02 mm", 0]
inertia = "0.001 kg*m^2"
tooth = { form = "asa-ii" }
load_torque = "1 N*m"

[run]
until = "2 ms"
"""

DEEP = "x = " + "[" * 5000 + "]" * 5000

# name of the case: (what of the good file is replaced, by what, what the message must name)
BROKEN = {
    "syntax: no value": ('name = "two wheels"', "name = ", ["line 1"]),
    "syntax: unclosed text": ('name = "two wheels"', 'name = "two', ["line 1"]),
    "syntax: unclosed table": ("[chain]", "[chain", ["line 5"]),
    "syntax: key twice": ("links = 60", "links = 60\nlinks = 62", ["line 7"]),
    "syntax: nested too deeply": ('name = "two wheels"', f'name = "a"\n{DEEP}', ["nested"]),
    "unknown field": ("links = 60", "links = 60\nlinkz = 3", ["chain.linkz", "links"]),
    "unknown field of a wheel": ("teeth = 20\nposition = [0, 0]", "teth = 20\nposition = [0, 0]", ["wheels[0].teth"]),
    "unknown table": ("[contact]", "[contakt]", ["contakt", "contact"]),
    "unknown unit": ('pitch = "12.7 mm"', 'pitch = "12.7 mmm"', ["chain.pitch", "mmm"]),
    "wrong dimension": ('pitch = "12.7 mm"', 'pitch = "12.7 kg"', ["chain.pitch", "length"]),
    "unit of an angle in Hz": ('speed = "300 rpm"', 'speed = "5 Hz"', ["wheels[0].motion.speed"]),
    "not a quantity": ('pitch = "12.7 mm"', 'pitch = "about half an inch"', ["chain.pitch"]),
    "expression as quantity": ('pitch = "12.7 mm"', "pitch = \"__import__('os').getpid() mm\"", ["chain.pitch"]),
    "not a number": ('link_mass = "8.9 g"', "link_mass = nan", ["chain.link_mass", "finite"]),
    "infinite": ('link_mass = "8.9 g"', "link_mass = inf", ["chain.link_mass", "finite"]),
    "infinite gravity": ("gravity = [0, -9.81]", "gravity = [0, -inf]", ["gravity"]),
    "negative mass": ('link_mass = "8.9 g"', 'link_mass = "-8.9 g"', ["chain.link_mass", "above 0"]),
    "zero pitch": ('pitch = "12.7 mm"', "pitch = 0", ["chain.pitch", "above 0"]),
    "huge stiffness": ('link_stiffness = "40 MN/m"', "link_stiffness = 1e300", ["chain.link_stiffness"]),
    "huge number of links": ("links = 60", "links = 999999999999", ["chain.links"]),
    "integer of 200 digits": ("links = 60", "links = 1" + "0" * 200, ["chain.links"]),
    "negative number of links": ("links = 60", "links = -60", ["chain.links"]),
    "fraction of a tooth": ("teeth = 20\nposition = [0, 0]", "teeth = 20.5\nposition = [0, 0]", ["wheels[0].teeth"]),
    "two teeth": ("teeth = 20\nposition = [0, 0]", "teeth = 2\nposition = [0, 0]", ["wheels[0].teeth"]),
    "text for a number": ("links = 60", 'links = "many"', ["chain.links"]),
    "number for a text": ('name = "two wheels"', "name = 7", ["name"]),
    "number for a table": ('tooth = { form = "asa-ii" }\nmotion', "tooth = 3\nmotion", ["wheels[0].tooth"]),
    "true for a number": ("restitution = 0.5", "restitution = true", ["contact.restitution"]),
    "position of three numbers": ("position = [0, 0]", "position = [0, 0, 0]", ["wheels[0].position"]),
    "position is one number": ("position = [0, 0]", "position = 3", ["wheels[0].position"]),
    "restitution above one": ("restitution = 0.5", "restitution = 1.5", ["contact.restitution"]),
    "negative friction": ("friction = 0.1", "friction = -0.1", ["contact.friction"]),
    "unknown tooth form": ('form = "asa-ii" }\nload', 'form = "asa-iii" }\nload', ["wheels[1].tooth.form", "asa-ii"]),
    "unknown motion": ('kind = "constant_speed"', 'kind = "constant"', ["wheels[0].motion.kind"]),
    "motion without speed": (', speed = "300 rpm"', "", ["wheels[0].motion.speed", "missing"]),
    "no stiffness of contact": ('stiffness = "1 GN/m^1.5"\n', "", ["contact.stiffness", "missing"]),
    "wheels of one name": ('name = "driven"', 'name = "driver"', ["wheels[1].name", "unique"]),
    "wheels that overlap": ('["254.02 mm", 0]', '["50 mm", 0]', ["wheels[1].position", "overlap"]),
    "wheels in one place": ('["254.02 mm", 0]', "[0, 0]", ["wheels[1].position"]),
    "free wheel without inertia": ('inertia = "0.001 kg*m^2"\n', "", ["wheels[1].inertia", "missing"]),
    "nothing moves": ('motion = { kind = "constant_speed", speed = "300 rpm" }', "inertia = 1", ["wheels"]),
    "roller larger than pitch": ('"8.51 mm"', '"14 mm"', ["chain.roller_diameter"]),
    "rollers leave no tooth": ('"8.51 mm"', '"12.6 mm"', ["tooth"]),
    "chain too short": ("links = 60", "links = 56", ["chain.links", "56 links", "60"]),
    "chain far too long": ("links = 60", "links = 90", ["chain.links", "90 links"]),
    "standard chain unknown": ("links = 60", 'links = 60\nstandard = "08C-1"', ["chain.standard"]),
    "preload without a kind": ("[run]", '[preload]\nspan = 0\nby = "wheel"\nwheel = 1\n[run]', ["preload", "tension"]),
    "preload of no span": (
        "[run]",
        '[preload]\nspan = 9\ntension = "1 kN"\nby = "wheel"\nwheel = 1\n[run]',
        ["preload.span"],
    ),
    "wheel on a body that is not there": (
        'name = "driven"',
        'name = "driven"\nbody = "amr"',
        ["wheels[1].body", "amr"],
    ),
    "body that hangs on itself": (
        "[run]",
        '[[bodies]]\nname = "arm"\nparent = "arm"\nmass = 1\njoint = { kind = "fixed" }\n[run]',
        ["bodies[0].parent", "closed loop"],
    ),
    "body without a joint": ("[run]", '[[bodies]]\nname = "arm"\n[run]', ["bodies[0].joint", "missing"]),
    "bodies that are no list": ('loop = "counterclockwise"', "bodies = 7", ["bodies", "list"]),
    "arm without mass": (
        "[run]",
        '[[bodies]]\nname = "arm"\njoint = { kind = "revolute", position = [0, 1] }\n[run]',
        ["bodies[0]", "moves no mass"],
    ),
    "joint between two numbers": (
        "[run]",
        '[[bodies]]\nname = "arm"\nmass = 1\njoint = { kind = "prismatic", direction = [1, 0] }\n[run]',
        ["bodies[0].joint.direction"],
    ),
    "guide on no span": (
        "[run]",
        '[[guides]]\nname = "g"\ncontact = { stiffness = 1e6 }\n'
        'shape = { kind = "on_span", span = 2, length = 0.1 }\n[run]',
        ["guides[0].shape.span", "0 to 1"],
    ),
    "guide of no shape": (
        "[run]",
        '[[guides]]\nname = "g"\ncontact = { stiffness = 1e6 }\nshape = "flat"\n[run]',
        ["guides[0].shape"],
    ),
    "tensioner of no kind": ("[run]", '[[tensioners]]\nname = "t"\n[run]', ["tensioners[0].kind", "hydraulic"]),
    "tensioner between ground and ground": (
        "[run]",
        '[[tensioners]]\nkind = "spring_damper"\nname = "t"\nstiffness = 1\npreload = 1\n'
        "from_position = [0, 0]\nto_position = [1, 0]\n[run]",
        ["tensioners[0].to_body", "from_body"],
    ),
    "cam that does not close": (
        'load_torque = "1 N*m"',
        'load_table = { angles = [0, 1, 2, "360 deg"], torques = [0, 1, 2, 3] }',
        ["wheels[1].load_table.torques", "first"],
    ),
    "load over time in the place of a number": (
        'load_torque = "1 N*m"',
        'load_torque = { over = "time", times = [0, 1], torques = [0, 1] }',
        ["wheels[1].load_torque", "a single number", "loads = [{ torque = { over = 'time'"],
    ),
    "several loads in the place of one": ('load_torque = "1 N*m"', "load_torque = [1, 2]", ["loads = [{"]),
    "run until nobody knows when": ('until = "2 ms"', 'until = "steadily"', ["run.until", "'steady'"]),
    "waiting for a time": ('until = "2 ms"', 'until = "2 ms"\nat_most = 1', ["run.at_most", "until = 'steady'"]),
    "run for no time": ('until = "2 ms"', "until = 0", ["run.until"]),
    "run until not-a-number": ('until = "2 ms"', "until = nan", ["run.until"]),
    "unknown solver": ('until = "2 ms"', 'solver = { method = "euler" }', ["run.solver.method", "verlet"]),
    "negative tolerance": ('until = "2 ms"', "solver = { atol_length = -1 }", ["run.solver.atol_length"]),
    "unknown law": ('until = "2 ms"', 'formulation = { contact_law = "hooke" }', ["run.formulation.contact_law"]),
    "escape sequence as name": ('name = "two wheels"', 'name = "\\u001b[31mred"\nx = 1', ["x", "not a known field"]),
    "markup in a field": ("links = 60", 'links = "[bold]60[/bold] [/]"', ["chain.links", "[bold]60[/bold] [/]"]),
}


class Outcome:
    """Result of one call of the command line."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Run the command line in this process, in a separate folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CHAINDRIVE_DEBUG", raising=False)

    def run(*arguments: object) -> Outcome:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        assert isinstance(ending.value.code, int)
        return Outcome(ending.value.code, *capfd.readouterr())

    return run


def refused(outcome: Outcome, *named: str, code: int = 1) -> None:
    """Assert that the input was refused with a message that names all of these, and without a traceback."""
    text = outcome.err
    assert outcome.code == code, text + outcome.out
    for part in named:
        assert part in text, text
    assert "Error: " in text or "problems" in text
    for sign in ("Traceback", 'File "', "internal error", "site-packages", "\x1b[31m"):
        assert sign not in text + outcome.out, text


@pytest.mark.parametrize("case", BROKEN)
def test_broken_file(call, case):
    replaced, by, named = BROKEN[case]
    assert replaced in GOOD
    Path("drive.toml").write_text(GOOD.replace(replaced, by, 1), encoding="utf-8")
    refused(call("check", "drive.toml", "--no-draw"), *named)
    assert not Path("drive.nc").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("check", "drive.toml", "--no-draw"),
        ("run", "drive.toml"),
        ("analyze", "drive.toml"),
        ("export", "drive.toml", "-o", "drive.svg"),
    ],
    ids=lambda command: command[0],
)
def test_a_tooth_that_cannot_be_made_is_told_by_file_wheel_and_field(call, command):
    """This shows only when the wheel is built."""
    low = 'tooth = { form = "rectangular", clearance = "0.2 mm", height = "0.1 mm" }\nload_torque'
    Path("drive.toml").write_text(GOOD.replace('tooth = { form = "asa-ii" }\nload_torque', low), encoding="utf-8")
    outcome = call(*command)
    refused(outcome, "drive.toml", "wheels[1].tooth.height", "wheel 'driven'", "height above clearance", "0.0001")
    assert "Error: drive.toml: wheels[1]" in outcome.err
    assert sorted(path.name for path in Path().iterdir()) == ["drive.toml"]


def test_another_file_is_not_taken_for_a_field_of_the_drive(call):
    """The results of the drive in run.toml go to run.nc; ``run`` is a table of every drive."""
    Path("run.toml").write_text(GOOD, encoding="utf-8")
    Path("run.nc").write_bytes(b"x" * 100)
    outcome = call("run", "run.toml", "--resume")
    refused(outcome, "run.nc")
    assert "run.toml: run.nc" not in outcome.err


def test_the_good_file_is_good(call):
    """Without it, the broken files above could be refused for another reason than the intended one."""
    Path("drive.toml").write_text(GOOD)
    outcome = call("run", "drive.toml")
    assert outcome.code == 0, outcome.err
    assert Path("drive.nc").stat().st_size > 1000


def test_all_problems_at_once(call):
    wrong = (
        GOOD.replace("links = 60", 'links = "x"').replace("friction = 0.1", "friction = -1").replace("[0, 0]", "[0]")
    )
    Path("drive.toml").write_text(wrong)
    refused(call("check", "drive.toml"), "chain.links", "contact.friction", "wheels[0].position", "3 problems")


# Files that are no text of a drive ------------------------------------------------------------------------------------


def test_file_that_is_missing(call):
    Path("drive.toml").write_text(GOOD)
    refused(call("check", "drve.toml"), "drve.toml", "does not exist", "drive.toml")


def test_name_near_that_of_an_example(call):
    refused(call("check", "6l60mk"), "6l60mk", "6l60mc")
    refused(call("check", "6l60mc.toml"), "chaindrive examples copy 6l60mc")


def test_folder_that_is_missing(call):
    refused(call("check", "nowhere/drive.toml"), "nowhere/drive.toml", "does not exist")


def test_directory_instead_of_a_file(call):
    Path("drive.toml").mkdir()
    refused(call("check", "drive.toml"), "drive.toml", "folder")


def test_binary_file(call):
    Path("drive.toml").write_bytes(bytes(range(256)) * 20)
    refused(call("check", "drive.toml"), "drive.toml", "binary")


def test_file_in_another_encoding(call):
    Path("drive.toml").write_bytes(GOOD.replace("two wheels", "zwei Räder").encode("latin-1"))
    refused(call("check", "drive.toml"), "drive.toml", "UTF-8", "line 1")


def test_empty_file(call):
    Path("drive.toml").write_text("")
    refused(call("check", "drive.toml"), "drive.toml", "chain", "wheels", "missing")


def test_device_instead_of_a_file(call):
    refused(call("check", os.devnull), os.devnull, "not a regular file")


def test_name_with_a_null_byte_or_too_long(call):
    refused(call("check", "a\0b"), "cannot be read")
    refused(call("check", "a" * 5000), "cannot be read")


def test_name_that_is_no_utf_8(call):
    refused(call("check", "drive\udcff.toml"), "drive\\udcff.toml", "does not exist")


# Options --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--until", "soon"], ["--until", "soon"]),
        (["--until", "-1"], ["--until", "above 0"]),
        (["--until", "nan"], ["--until", "finite"]),
        (["--until", "10 kg"], ["--until", "time"]),
        (["--until", "steady", "--set", "wheels.0.motion.speed=0"], ["standstill", "wheels[0].motion.speed"]),
        (["--until", "steady", "--at-most", "never"], ["--at-most", "never"]),
        (["--at-most", "3 s"], ["--at-most", "until = 'steady'"]),
        (["--formulation", "spacial"], ["--formulation", "spatial"]),
        (["--solver", "eulr"], ["--solver", "verlet"]),
        (["--step", "0"], ["--step", "above 0"]),
        (["--start", "slowly"], ["--start", "at_rest"]),
        (["--save-rate", "often"], ["--save-rate"]),
        (["--save-rate", "1 GHz"], ["--save-rate"]),
        (["--channels", "link_tenson"], ["link_tenson", "link_tension"]),
        (["--set", "wheels.0.motion.speed"], ["--set", "PATH=VALUE"]),
        (["--set", "wheels.0.motion.spee=3"], ["wheels[0].motion.spee", "speed"]),
        (["--set", "wheels.7.teeth=3"], ["wheels.7", "0 to 1"]),
        (["--set", "chain.links=[bold]"], ["chain.links", "[bold]"]),
        (["--set", "chain.links=61", "--set", "chain.links=62"], ["--set", "twice"]),
        (["--picture", "picture.xyz"], ["--picture", "png"]),
        (["--picture", "nowhere/picture.png"], ["--picture", "does not exist"]),
        (["--resume"], ["checkpoint"]),
        (["--resume", "--force"], ["--force", "--resume"]),
        (["--colour"], ["--colour"]),
    ],
)
def test_wrong_option(call, options, named):
    Path("drive.toml").write_text(GOOD)
    refused(call("run", "drive.toml", *options), *named)
    assert not Path("drive.nc").exists()


def test_wrong_command(call):
    refused(call("simulate", "drive.toml"), "simulate")


def test_command_without_its_file(call):
    refused(call("run"), "FILE")


def test_unknown_example(call):
    refused(call("examples", "copy", "6l60mk"), "6l60mk", "6l60mc")


def test_example_onto_an_existing_file(call):
    Path("6l60mc.toml").write_text("mine")
    refused(call("examples", "copy", "6l60mc"), "6l60mc.toml", "exists")
    assert Path("6l60mc.toml").read_text() == "mine"
    refused(call("examples", "copy", "6l60mc", "--to", "nowhere"), "nowhere")


@pytest.mark.parametrize("ending", FORMATS)
def test_pictures_replace_only_pictures_of_chaindrive(ending, call):
    """An explicit name is protected like a default name; the mark of a PDF is at its end."""
    Path("drive.toml").write_text(GOOD)
    path = Path(f"drive.{ending}")
    path.write_text("photograph " * 1000)
    assert default_picture(str(path)) is None
    for command in ("check drive.toml --draw", "run drive.toml --picture", "plot drive.nc --output"):
        *words, option = command.split()
        refused(call(*words, option, path), option, path.name)
    assert path.read_text() == "photograph " * 1000
    path.write_text("")
    check_picture(path, "--picture")
    figure = Figure()
    figure.subplots(8, 8)
    save_picture(figure, path)
    check_picture(path, "--picture")
    assert default_picture(str(path)) == path


def test_picture_onto_a_folder(call):
    Path("drive.toml").write_text(GOOD)
    Path("x.png").mkdir()
    refused(call("check", "drive.toml", "--draw", "x.png"), "x.png", "folder")


# Places for results ---------------------------------------------------------------------------------------------------


def test_output_that_exists(call):
    Path("drive.toml").write_text(GOOD)
    earlier = HDF5_SIGNATURE + b"earlier results"
    Path("drive.nc").write_bytes(earlier)
    refused(call("run", "drive.toml"), "drive.nc", "exists", "--force", "--resume")
    assert Path("drive.nc").read_bytes() == earlier


def test_output_that_is_no_results_file(call):
    """Most likely it is the drive itself."""
    Path("drive.toml").write_text(GOOD)
    refused(call("run", "drive.toml", "-o", "drive.toml", "--force"), "drive.toml", "is not a results file")
    assert Path("drive.toml").read_text() == GOOD


def test_output_that_is_a_folder(call):
    Path("drive.toml").write_text(GOOD)
    Path("out").mkdir()
    refused(call("run", "drive.toml", "-o", "out"), "out", "directory")


def test_output_into_a_folder_that_is_missing(call):
    Path("drive.toml").write_text(GOOD)
    refused(call("run", "drive.toml", "-o", "nowhere/out.nc"), "nowhere", "does not exist")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_output_into_a_protected_folder(call):
    Path("drive.toml").write_text(GOOD)
    Path("closed").mkdir(mode=0o500)
    refused(call("run", "drive.toml", "-o", "closed/out.nc"), "closed", "permission")


def test_output_into_a_folder_without_permission(call, monkeypatch):
    """The same for the superuser: the answer of the system is simulated."""
    Path("drive.toml").write_text(GOOD)
    Path("closed").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: "closed" not in str(path))
    refused(call("run", "drive.toml", "-o", "closed/out.nc"), "closed", "permission")


def test_full_disk(call, monkeypatch):
    """The disk accepts nothing: exit code 2, and the earlier results are unchanged."""
    Path("drive.toml").write_text(GOOD)
    assert call("run", "drive.toml").code == 0
    earlier = Path("drive.nc").read_bytes()

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("chaindrive.results.lowlevel.write_at", full)
    monkeypatch.setattr("chaindrive.results.spool.write_at", full)
    refused(call("run", "drive.toml", "--force"), "disk is full", "Try:", code=2)
    assert Path("drive.nc").read_bytes() == earlier


def limited(limit: int, folder: Path, *words: str) -> Outcome:
    """Run the command with a limit on the size of files. [bytes]"""

    def run() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        main(list(words))

    with Forked(run, folder) as process:
        return Outcome(process.wait(), process.out, process.err)


@posix
def test_disk_that_fills_up_in_the_middle_of_a_run(call, tmp_path):
    """A limit on the size of files, which the system enforces: earlier data stay readable."""
    Path("drive.toml").write_text(GOOD)
    words = ("run", "drive.toml", "--until", "1 s", "--set", "run.save.chunk_rows=20")
    refused(limited(400_000, tmp_path, *words), "disk is full", code=2)
    assert [path.name for path in tmp_path.glob(".*part")] == []


# Files that are no results --------------------------------------------------------------------------------------------


@pytest.fixture
def foreign_file(tmp_path) -> Path:
    """A good netCDF-4 file from another program."""
    import xarray

    path = tmp_path / "weather.nc"
    xarray.Dataset({"temperature": ("hour", [1.0, 2.0])}).to_netcdf(path, engine="h5netcdf")
    return path


@pytest.mark.parametrize("command", ["info", "plot"])
def test_file_that_is_no_result(call, command, foreign_file):
    refused(call(command, foreign_file), "weather.nc")
    refused(call(command, "missing.nc"), "missing.nc")
    Path("empty.nc").write_bytes(b"")
    refused(call(command, "empty.nc"), "empty.nc")
    Path("text.nc").write_text(GOOD)
    refused(call(command, "text.nc"), "text.nc")
    Path("torn.nc").write_bytes(foreign_file.read_bytes()[:700])
    refused(call(command, "torn.nc"), "torn.nc")
    refused(call(command, "."), ".")


def test_plots_that_cannot_be(call):
    Path("drive.toml").write_text(GOOD)
    assert call("run", "drive.toml").code == 0
    refused(call("plot", "drive.nc", "spam"), "spam", "span")
    refused(call("plot", "drive.nc", "link-tension", "--link", "60"), "link", "60")
    refused(call("plot", "drive.nc", "span", "--span", "-1"), "span", "-1")
    refused(call("plot", "drive.nc", "contact-force", "--roller", "999"), "roller", "999")
    refused(call("plot", "drive.nc", "energy", "--link", "1"), "--link", "energy")
    refused(call("plot", "drive.nc", "tension-around", "--time", "noon"), "--time", "noon")
    refused(call("plot", "drive.nc", "--link", "one"), "--link", "integer")
    refused(call("plot", "drive.nc", "-o", "picture"), "--output", "png")
    refused(call("plot", "drive.nc", "-o", "nowhere/picture.png"), "--output", "nowhere")
    assert list(Path().glob("*.png")) == []


def test_plot_of_a_channel_that_was_not_kept(call):
    Path("drive.toml").write_text(GOOD)
    assert call("run", "drive.toml", "--channels", "wheel_speed").code == 0
    refused(call("plot", "drive.nc", "link-tension"), "link_tension")


# Computations that fail -----------------------------------------------------------------------------------------------


def test_step_that_is_too_large(call):
    """Verlet far beyond its limit of stability: the run diverges, a message says so, and the stored part is kept."""
    Path("drive.toml").write_text(GOOD)
    outcome = call("run", "drive.toml", "--solver", "verlet", "--step", "1 ms", "--until", "0.3 s")
    refused(outcome, "t = ", "Try:", code=2)
    assert call("info", "drive.nc").code == 0


def test_too_many_steps(call):
    Path("drive.toml").write_text(GOOD)
    outcome = call("run", "drive.toml", "--set", "run.solver.max_steps=10")
    refused(outcome, "steps", "t = ", "max_steps", code=2)


def test_chain_that_breaks(call):
    Path("drive.toml").write_text(GOOD.replace('link_mass = "8.9 g"', 'link_mass = "8.9 g"\nbreaking_load = "1 N"'))
    refused(call("run", "drive.toml"), "breaking load", "t = ", code=2)


# Mistakes of our own --------------------------------------------------------------------------------------------------


def test_internal_error_shows_no_traceback_and_leaves_its_details(call, monkeypatch, tmp_path):
    """Also without CHAINDRIVE_DEBUG: nobody should have to reproduce an error to report it."""
    Path("drive.toml").write_text(GOOD)

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("[bold]nobody foresaw this[/]")

    monkeypatch.setattr("chaindrive.simulation.start.prepare", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    outcome = call("check", "drive.toml")
    assert outcome.code == 2
    assert "internal error: ZeroDivisionError: [bold]nobody foresaw this[/]" in outcome.err
    assert "Traceback" not in outcome.err + outcome.out
    (log,) = tmp_path.glob("chaindrive-*.log")
    assert log.name in outcome.err
    assert "Traceback" in log.read_text()
    assert "chaindrive 0" in log.read_text()


def test_internal_error_without_a_folder_for_temporary_files(call, monkeypatch, tmp_path):
    Path("drive.toml").write_text(GOOD)
    monkeypatch.setattr("chaindrive.simulation.start.prepare", lambda *_, **__: {}["nothing"])
    real = tempfile.NamedTemporaryFile

    def full(*arguments: object, **options: object) -> object:
        if options.get("prefix") == "chaindrive-" and options.get("dir") is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(*arguments, **options)

    monkeypatch.setattr("tempfile.NamedTemporaryFile", full)
    outcome = call("check", "drive.toml")
    assert outcome.code == 2
    (log,) = tmp_path.glob("chaindrive-*.log")
    assert log.name in outcome.err


def test_the_end_of_a_file_is_no_interruption(call, monkeypatch):
    """typer takes every EOFError for Ctrl-D: "Interrupted." hid the error."""
    Path("drive.toml").write_text(GOOD)

    def broken(*_: object, **__: object) -> None:
        raise EOFError("Ran out of input")

    monkeypatch.setattr("chaindrive.simulation.start.prepare", broken)
    outcome = call("check", "drive.toml")
    assert outcome.code == 2
    assert "internal error: EOFError: Ran out of input" in outcome.err


@pytest.mark.long
def test_internal_error_in_the_middle_of_a_run_keeps_the_results(call, monkeypatch, tmp_path):
    """The results so far, the way to continue them, and the details."""
    Path("drive.toml").write_text(GOOD)
    monkeypatch.setattr("chaindrive.simulation.simulate.BUDGET", 10**5)
    monkeypatch.setattr("chaindrive.simulation.simulate.CHECKPOINT_INTERVAL", 0.0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    real, calls = Integrator.advance, []

    def breaking(self: Integrator, *arguments: float) -> object:
        calls.append(arguments)
        if len(calls) == 6:
            raise ZeroDivisionError("nobody foresaw this")
        return real(self, *arguments)

    arguments = ("run", "drive.toml", "--set", "run.save.rate=20 kHz", "--set", "run.save.chunk_rows=5")
    with monkeypatch.context() as patch:
        patch.setattr(Integrator, "advance", breaking)
        outcome = call(*arguments)
    assert outcome.code == 2
    assert "internal error: ZeroDivisionError" in outcome.err
    assert "are kept in drive.nc. To resume:" in outcome.err
    assert len(list(tmp_path.glob("chaindrive-*.log"))) == 1
    with results.open("drive.nc") as solution:
        kept = solution.time.size
    assert kept > 0
    assert call(*arguments, "--resume").code == 0
    assert call(*arguments, "-o", "whole.nc").code == 0
    with results.open("drive.nc") as resumed, results.open("whole.nc") as whole:
        assert resumed.time.size > kept
        for name in whole.channels:
            assert resumed.values(name).tobytes() == whole.values(name).tobytes()


# Long lists, full disks, wrong times --------------------------------------------------------------------------------


def test_lists_of_mistakes_stop_at_twenty(call):
    wheel = GOOD[GOOD.index("[[wheels]]") : GOOD.index("[run]")]
    second = wheel[wheel.rindex("[[wheels]]") :]
    Path("drive.toml").write_text(GOOD.replace("[run]", second * 100 + "[run]"))
    outcome = call("check", "drive.toml")
    refused(outcome, "problems in drive.toml", "... and ", " more")
    assert len(outcome.err.splitlines()) == 22
    assert len(outcome.err) < 4000


def test_example_on_a_full_disk_leaves_nothing(call, monkeypatch, tmp_path):
    Path("6l60mc.toml").write_text("mine")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        patch.setattr(Path, "write_bytes", full)
        refused(call("examples", "copy", "industrial-08b"), "disk is full", "nothing was written", code=2)
        refused(call("examples", "copy", "6l60mc", "--force"), "disk is full", "nothing was written", code=2)
    assert [path.name for path in tmp_path.iterdir()] == ["6l60mc.toml"]
    assert Path("6l60mc.toml").read_text() == "mine"
    assert call("examples", "copy", "6l60mc", "--force").code == 0
    assert Path("6l60mc.toml").read_text() != "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["6l60mc.toml"]


@posix
def test_example_into_a_limit_of_the_system(tmp_path):
    """Likewise at the system's own limit: not even a part of the file is left."""
    refused(limited(500, tmp_path, "examples", "copy", "industrial-08b"), "disk is full", code=2)
    assert list(tmp_path.iterdir()) == []


def test_going_on_to_a_time_that_is_over(call):
    Path("drive.toml").write_text(GOOD)
    assert call("run", "drive.toml").code == 0
    content = Path("drive.nc").read_bytes()
    refused(call("run", "drive.toml", "--resume", "--until", "1 ms"), "until", "already reached t = 0.002 s")
    assert Path("drive.nc").read_bytes() == content


def test_a_run_into_an_output_that_is_being_written(call, tmp_path):
    """Reported before anything is compiled, and instead of the message that the file exists."""
    Path("drive.toml").write_text(GOOD)
    written = HDF5_SIGNATURE + b"being written"
    Path("drive.nc").write_bytes(written)
    with locked(tmp_path / "drive.nc"):
        for options in ((), ("--force",), ("--resume",)):
            outcome = call("run", "drive.toml", *options)
            refused(outcome, "drive.nc", f"is being written by another run (process {os.getpid()})")
    assert Path("drive.nc").read_bytes() == written
