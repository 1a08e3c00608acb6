"""Tables of a drive that come from files of columns: each in its place, in any notation, with every error reported."""

import math
import re

import pytest

import chaindrive as cd
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.model import load, loads, override
from chaindrive.model.study.files import load_study
from chaindrive.model.tabulated import skipped_rows, sources_of
from chaindrive.studies.plan import make_plan

HEAD = """name = "two wheels"
[chain]
standard = "08B-1"
links = 108
[contact]
stiffness = "50 GN/m^1.5"
"""
DRIVER = 'name = "motor"\nteeth = 17\nposition = [0, 0]\ntooth = { form = "iso-606" }\n'
DRIVEN = (
    'name = "conveyor"\nteeth = 38\nposition = ["509.2 mm", 0]\ninertia = "0.1 kg*m^2"\ntooth = { form = "iso-606" }\n'
)
MOTION = 'motion = { kind = "constant_speed", speed = "500 rpm" }\n'
MOTOR = (
    'inertia = 0.01\ntorque = { kind = "induction_motor", rated_power = "2 kW", rated_speed = "1440 rpm", '
    "pull_out_ratio = 2.5, supply = TABLE }\n"
)
DIRECT = (
    'inertia = 0.01\ntorque = { kind = "dc_motor", no_load_speed = "1440 rpm", stall_torque = "20 N*m", '
    "supply = TABLE }\n"
)
TURN = "angle [deg]; {} {}\n0; 1,5 \n90;2\n180; -3,5\n270; 0,5\n360; 1,5\n"
PLACES = {
    "torque over time": ("wheels[1].torque", 'torque = { over = "time", file = "t.csv" }'),
    "torque over speed": ("wheels[1].torque", 'torque = { over = "speed", file = "t.csv" }'),
    "torque over angle": ("wheels[1].torque", 'torque = { over = "angle", file = "t.csv" }'),
    "load over speed": ("wheels[1].loads[0].torque", 'loads = [{ torque = { over = "speed", file = "t.csv" } }]'),
    "load table": ("wheels[1].load_table", 'load_table = { file = "t.csv" }'),
}
CONTENT = {
    "torque over time": "time [ms]\ttorque [N m]\n0\t1,5\n500\t2\n",
    "torque over speed": "# bench 3\nspeed [rpm], torque [N m]\n0, 1.5\n1000, 2\n",
    "torque over angle": TURN.format("torque", "[N m]"),
    "load over speed": "sep=;\nspeed [rpm];torque [kN m]\n0;0,0015\n1000;0,002\n",
    "load table": TURN.format("torque", "[N m]"),
}
MOTIONS = {
    "speed_table": ("time [s];speed [rpm]\n0;500\n1;0,5e3\n2;600\n", "times", "speeds", 600 * math.pi / 30),
    "angle_table": (TURN.format("acceleration", "[rad/s^2]").replace("2\n", "1,5\n"), "angles", "accelerations", -3.5),
}


def drive_with(tmp_path, content, driver=MOTION, driven="", name="t.csv"):
    (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "d.toml").write_text(f"{HEAD}[[wheels]]\n{DRIVER}{driver}\n[[wheels]]\n{DRIVEN}{driven}\n")
    return load(tmp_path / "d.toml")


@pytest.mark.parametrize("name", PLACES)
def test_torques_and_loads(tmp_path, name):
    place, given = PLACES[name]
    drive = drive_with(tmp_path, CONTENT[name], driven=given)
    (source,) = sources_of(drive)
    assert (source.place, source.text[:7]) == (place, "t.csv: ")
    wheel = drive.wheels[1]
    table = wheel.load_table or (wheel.loads[0].torque if wheel.loads else wheel.torque)
    assert table.torques[:2] == (1.5, 2.0)
    second = {"times": 0.5, "speeds": 1000 * math.pi / 30, "angles": math.pi / 2}[type(table).abscissae]
    assert getattr(table, type(table).abscissae)[:2] == pytest.approx((0.0, second))
    (tmp_path / "t.csv").unlink()
    assert loads(str(drive)) == drive  # it holds what was read


@pytest.mark.parametrize("kind", MOTIONS)
def test_motions(tmp_path, kind):
    content, variable, values, extreme = MOTIONS[kind]
    speed = "" if kind == "speed_table" else ', speed = "500 rpm"'
    drive = drive_with(tmp_path, content, f'motion = {{ kind = "{kind}", file = "t.csv"{speed} }}')
    motion = drive.wheels[0].motion
    assert len(getattr(motion, variable)) == len(getattr(motion, values))
    assert max(getattr(motion, values), key=abs) == pytest.approx(extreme)


def test_supplies_of_motors(tmp_path):
    table = '{ file = "t.csv" }'
    content = "time [s], frequency [Hz], voltage [1]\n0, 0, 0\n2, 50, 1\n"
    supply = drive_with(tmp_path, content, MOTOR.replace("TABLE", table)).wheels[0].torque.supply
    assert (supply.times, supply.frequencies, supply.voltages) == ((0.0, 2.0), (0.0, 50.0), (0.0, 1.0))
    alone = drive_with(tmp_path, "time [s], voltage\n0, 0.5\n2, 1\n", MOTOR.replace("TABLE", table)).wheels[0]
    assert (alone.torque.supply.frequencies, alone.torque.supply.voltages) == (None, (0.5, 1.0))
    direct = drive_with(tmp_path, "time [s], voltage [%]\n0, 50\n2, 100\n", DIRECT.replace("TABLE", table))
    assert direct.wheels[0].torque.supply.voltages == (0.5, 1.0)
    with pytest.raises(InputError, match="no column called frequency or voltage"):
        drive_with(tmp_path, "time [s], U [1]\n0, 0.5\n2, 1\n", MOTOR.replace("TABLE", table))


def test_lists_of_the_chain(tmp_path):
    rows = "".join(f"{k};{0.1 + 0.001 * k:.3f}\n".replace(".", ",") for k in range(108))
    (tmp_path / "wear.csv").write_text(f"link;elongation [%]\n{rows}")
    head = HEAD.replace("links = 108\n", 'links = 108\nelongation = { file = "wear.csv", column = "elongation" }\n')
    (tmp_path / "d.toml").write_text(f"{head}[[wheels]]\n{DRIVER}{MOTION}\n[[wheels]]\n{DRIVEN}")
    drive = load(tmp_path / "d.toml")
    assert drive.chain.elongation[:2] == pytest.approx((0.001, 0.00101))
    assert len(drive.chain.elongation) == 108
    (tmp_path / "wear.csv").write_text("link;elongation [mm]\n0;1\n")
    with pytest.raises(InputError, match=r"chain\.elongation.*mm"):
        load(tmp_path / "d.toml")


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        ("phi [deg], M [N m]\n0, 1\n180, 3\n360, 1\n", 'angles = "phi", torques = "M"'),
        ("M [N m], phi [deg]\n1, 0\n3, 180\n1, 360\n", 'angle = "phi", torque = "M"'),
        ("phi, M, T\n0, 1, 9\n180, 3, 9\n360, 1, 9\n", 'angles = "phi [deg]", torques = "M [N m]"'),
        ("0;1\n180;3\n360;1\n", 'angles = "1 [deg]", torques = "2 [N m]"'),
        ('phi [°],M [N m]\n"0,0","1,0"\n180,3\n360,"1,0"\n', 'torques = "M"'),
    ],
)
def test_columns_by_name_unit_and_number(tmp_path, content, columns):
    given = f'torque = {{ over = "angle", file = "t.csv", columns = {{ {columns} }} }}'
    torque = drive_with(tmp_path, content, driven=given).wheels[1].torque
    assert torque.angles == pytest.approx((0.0, math.pi, 2.0 * math.pi))
    assert torque.torques == (1.0, 3.0, 1.0)


@pytest.mark.parametrize(
    ("content", "more", "says"),
    [
        ("speed [rpm]; torque [N m]\n0; x\n10; 1.234,5\n5; 3\n", "", "line 2, column 'torque': 'x' is not a number"),
        (
            "speed [rpm]; torque [N m]\n0; x\n10; 1.234,5\n5; 3\n",
            "",
            "line 3, column 'torque': '1.234,5' has thousands separators",
        ),
        ("speed [rpm]; torque [N m]\n9; 1\n5; 3\n", "", "line 3, column 'speed': must increase"),
        ("speed [rpm]; torque [N m]\n0; 0,5\n10; 1.5\n", "", "line 3 has a decimal point and line 2 a decimal comma"),
        ("speed [rpm]; torque [N m]\n0; 5e9\n10; 1\n", "", "line 2, column 'torque': '5e9' must be a torque"),
        ("speed [rpm], torque [N m]\n0,5, 1,5\n", "", "line 2 has 4 columns, not 2; with decimal commas"),
        ("speed [rpm]\ttorque [mm]\n0\t1\n1\t2\n", "", "heading 'torque [mm]'"),
        ("speed, torque [N m]\n0, 1\n1, 2\n", "", "the column 'speed' needs a unit"),
        ("0, 1\n1, 2\n", "", "the column '1' needs a unit"),
        ("speed [rpm], M [N m], M [N m]\n0, 1, 2\n1, 2, 2\n", ', column = "M"', "has 2 columns 'M'"),
        ("speed [rpm], M [N m]\n0, 1\n1, 2\n", ", columns = { torqe = 'M' }", "columns has no 'torqe'"),
        ("speed [rpm], M [N m]\n0, 1\n1, 2\n", ", columns = { torques = 'M [kN m]' }", "is in 'N m', not in 'kN m'"),
        ("speed [rpm], M [N m]\n0, 1\n1, nan\n", "", "line 3, column 'M': 'nan' must be a finite number"),
        ("speed [rpm], M [N m]\n0, 1\n1,\n", "", "at least two rows"),
    ],
)
def test_what_is_wrong_is_told_by_line_column_and_value(tmp_path, content, more, says):
    with pytest.raises(InputError, match=re.escape(says)) as caught:
        drive_with(tmp_path, content, driven=f'torque = {{ over = "speed", file = "t.csv"{more} }}')
    (problem,) = caught.value.problems
    assert (problem.place, "t.csv" in problem.message) == ("wheels[1].torque", True)


HOLES = "time [s],M [N m],T [N m]\n0,40,1\n0.02,,1\n0.05,41,1\n0.1,,1\n0.2,,1\n0.3,200,1\n0.4,,1\n"
OVER_TIME = 'loads = [{ torque = { over = "time", file = "t.csv", column = "M" } }]'


def test_rows_without_a_value_are_skipped_with_a_warning(tmp_path):
    drive = drive_with(tmp_path, HOLES, driven=OVER_TIME)
    assert drive.wheels[1].loads[0].torque.times == (0.0, 0.05, 0.3)
    (warning,) = skipped_rows(drive)
    assert warning.startswith("wheels[1].loads[0].torque: t.csv: 4 of 7 rows")
    assert "'M'" in warning
    assert "'time' 0.05 to 0.3 s (lines 4 to 7)" in warning
    assert skipped_rows(loads(drive.to_toml())) == (warning,)
    assert skipped_rows(drive_with(tmp_path, HOLES, driven=OVER_TIME.replace('"M"', '"T"'))) == ()


def test_rows_without_a_value_at_an_end_leave_no_gap(tmp_path):
    drive = drive_with(tmp_path, "time [s],M [N m]\n0,\n1,2\n2,3\n3,\n", driven=OVER_TIME)
    (warning,) = skipped_rows(drive)
    assert "2 of 4 rows" in warning
    assert "gap" not in warning


def test_check_and_run_warn_of_skipped_rows(tmp_path, capsys):
    drive = drive_with(tmp_path, HOLES, driven=OVER_TIME)
    with pytest.raises(SystemExit):
        main(["check", str(tmp_path / "d.toml"), "--no-draw", "--no-equilibrium"])
    assert "lines 4 to 7" in " ".join(capsys.readouterr().err.split())
    solution = cd.simulate(drive, 0.001, formulation="block", progress=False)
    assert set(skipped_rows(drive)) <= set(solution.warnings)


@pytest.mark.parametrize("hole", ["", "nan"])
def test_a_hole_in_a_list_for_every_link_is_refused(tmp_path, hole):
    rows = "".join(f"{k};{hole if k == 7 else k / 1000}\n" for k in range(109))
    (tmp_path / "wear.csv").write_text(f"link;elongation [%]\n{rows}109;\n")
    head = HEAD.replace("links = 108\n", 'links = 108\nelongation = { file = "wear.csv", column = "elongation" }\n')
    (tmp_path / "d.toml").write_text(f"{head}[[wheels]]\n{DRIVER}{MOTION}\n[[wheels]]\n{DRIVEN}")
    with pytest.raises(InputError, match="line 9, column 'elongation'"):
        load(tmp_path / "d.toml")


@pytest.mark.parametrize("content", ["time [s]  speed [rpm]\n0 0\n1 -500\n", "time [s]\n0\n1\n"])
def test_a_single_column_is_told(tmp_path, content):
    with pytest.raises(InputError, match="has only one column: separate columns by commas, semicolons or tabs"):
        drive_with(tmp_path, content, 'motion = { kind = "speed_table", file = "t.csv" }')


def test_many_wrong_cells_are_counted(tmp_path):
    content = "speed [rpm], torque [N m]\n" + "".join(f"{k}, x{k}\n" for k in range(9))
    with pytest.raises(InputError, match="'x4' is not a number; and 4 more"):
        drive_with(tmp_path, content, driven='torque = { over = "speed", file = "t.csv" }')


@pytest.mark.parametrize("file", ["/dev/zero", "missing.csv", ".", "d.toml"])
def test_only_regular_files_of_columns_are_read(tmp_path, file):
    with pytest.raises(InputError) as caught:
        drive_with(tmp_path, "", driven=f'torque = {{ over = "speed", file = "{file}" }}')
    assert {problem.place for problem in caught.value.problems} == {"wheels[1].torque"}


def test_columns_belong_to_a_file():
    with pytest.raises(InputError, match="apply only with file"):
        loads(
            f"{HEAD}[[wheels]]\n{DRIVER}{MOTION}\n[[wheels]]\n{DRIVEN}"
            'torque = { over = "speed", speeds = [0, 1], torques = [1, 2], column = "M" }'
        )


def test_a_changed_file_is_a_changed_drive(tmp_path):
    content = "# bench\nspeed [rpm]; torque [N m]\n0; 1\n10; 2\n"
    given = 'torque = { over = "speed", file = "t.csv" }'
    before = drive_with(tmp_path, content, driven=given)
    after = drive_with(tmp_path, content.replace("bench", "bench 2"), driven=given)
    assert before.wheels[1].torque.torques == after.wheels[1].torque.torques
    assert str(before) != str(after)  # the digest: a run is not resumed with another file
    assert re.search(r"speed \[rpm\], torque \[N m\], 2 rows, SHA-256 [0-9a-f]{16}", str(before))


def test_another_file_takes_the_place_of_the_first(tmp_path, monkeypatch, capfd):
    """Also on the command line and in studies, where names are relative to the drive as well."""
    given = 'torque = { over = "speed", file = "a.csv" }'
    content = "speed [rpm]; torque [N m]\n0; {}\n10; 2\n"
    (tmp_path / "b.csv").write_text(content.format(5))
    drive_with(tmp_path, content.format(1), driven=given, name="a.csv")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    with pytest.raises(SystemExit) as ending:
        main(["check", "../d.toml", "--no-draw", "--no-equilibrium", "--set", "wheels.1.torque.file=b.csv"])
    told = " ".join(capfd.readouterr().out.split())
    assert ending.value.code == 0
    assert "wheels[1].torque: read from b.csv: speed [rpm], torque [N m], 2 rows, SHA-256" in told
    (tmp_path / "study.toml").write_text(
        'name = "s"\ndrive = "d.toml"\n[[parameters]]\nname = "machine"\nvalues = ["a.csv", "b.csv"]\n'
        'set = "wheels.1.torque.file"\n[[figures_of_merit]]\nname = "m"\nchannel = "wheel_speed"\nreduce = "max"\n'
    )
    plan = make_plan(load_study("../study.toml"), load("../d.toml"))
    assert [loads(run.drive).wheels[1].torque.torques[0] for run in plan.runs] == [1.0, 5.0]
    monkeypatch.chdir(tmp_path)
    drive = load("d.toml")
    assert override(drive, {"wheels.1.torque.file": "b.csv"}).wheels[1].torque.torques == (5.0, 2.0)
    with pytest.raises(InputError, match="does not exist"):
        override(drive, {"wheels.1.torque.file": "c.csv"})
