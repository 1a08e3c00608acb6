"""Loads over time and motions by a table in the description: permitted values, files, and refused ones."""

from __future__ import annotations

import re
import tomllib

import numpy as np
import pytest

from chaindrive.cli.check_mechanism import mechanism_tables
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.joint_motions import position_table
from chaindrive.mechanism.motion import POSITION_TABLE, motion_acceleration
from chaindrive.mechanism.save_rate import fastest_excitation
from chaindrive.mechanism.weights import end_loads, weight_pull
from chaindrive.model import FreeEnd, GroundEnd, Wheel, load, loads, override
from chaindrive.model.body import motion_text
from chaindrive.model.ends import end_text
from chaindrive.model.load_over_time import constant_load, largest_load, lasting_load, load_text
from chaindrive.report.description import _body_text
from support.open_drives import open_drive
from support.schemas import drive_validator

RAMP = '{ over = "time", times = [0, "0.2 s"], forces = ["2 kN", "-3 kN"] }'
HARMONIC = '{ kind = "harmonic", amplitude = "50 N", frequency = "333 Hz", fade_in = 0 }'
TEXT = f"""
name = "rig"
[chain]
standard = "16B-1"
links = 10
ends = [
  {{ kind = "free", mass = 1, force = {{ direction = "90 deg", size = {RAMP} }} }},
  {{ kind = "body", body = "slide", position = ["254 mm", 0] }},
]
[contact]
stiffness = "5 GN/m^1.5"
[[bodies]]
name = "arm"
mass = 5
inertia = 0.1
[bodies.joint]
kind = "revolute"
position = [1, 0]
load = [2, {{ over = "time", times = [0, 1], torques = [0, "4 N*m"] }}]
motion = {{ kind = "table", times = [0, 1], angles = [0, "2 deg"] }}
[[bodies]]
name = "slide"
mass = 5
joint = {{ kind = "prismatic", direction = 0, load = ["-100 N", {RAMP}, {HARMONIC}] }}
"""
MOVED = 'motion = { kind = "table", times = [0, 1], angles = [0, "2 deg"] }'


def problems(text):
    with pytest.raises(InputError) as caught:
        loads(text)
    return {problem.place: problem.message for problem in caught.value.problems}


def test_a_file_gives_loads_and_tables_and_keeps_them():
    drive = loads(TEXT)
    arm, slide = (body.joint for body in drive.bodies)
    assert (constant_load(slide.load), lasting_load(slide.load), largest_load(slide.load)) == (-100.0, -3100.0, 3150.0)
    assert (constant_load(arm.load), lasting_load(arm.load)) == (2.0, 6.0)
    assert arm.motion.coordinates == pytest.approx((0.0, np.radians(2.0)))
    assert loads(str(drive)) == drive
    assert hash(loads(str(drive))) == hash(drive)
    assert not list(drive_validator().iter_errors(tomllib.loads(TEXT)))


def test_what_is_said_of_them():
    drive = loads(TEXT)
    arm, slide = drive.bodies
    assert motion_text(arm.joint) == "moved by a table between 0° and 2°, from 0 s to 1 s"
    assert load_text(slide.joint.load, "N") == "-100 N and -3 kN to 2 kN over time and ±50 N at 333 Hz"
    assert load_text(0.0, "N") == ""
    assert "pulled at 90° with -3 kN to 2 kN over time" in end_text(drive.chain.ends[0])
    held = list(mechanism_tables(drive)[0].columns[-1].cells)
    assert "moved by a table" in held[0]
    assert "±50" in held[1]
    assert "load 2 N m and 0 N m to 4 N m over time" in _body_text(arm)
    assert fastest_excitation(drive) == pytest.approx(333.0)


@pytest.mark.parametrize(
    ("old", "new", "place", "says"),
    [
        (MOVED, MOVED.replace('[0, "2 deg"]', '["1 deg", 0]'), "bodies[0].joint.motion.angles", "start at 0"),
        (MOVED, MOVED.replace("[0, 1]", "[1, 1]"), "bodies[0].joint.motion.times", "increase"),
        (MOVED, MOVED.replace("[0, 1]", "[0, 1e-8]"), "bodies[0].joint.motion.angles", "speed at most"),
        (MOVED, MOVED.replace("[0, 1]", "[0, 1e-300]"), "bodies[0].joint.motion.angles", "s apart"),
        (MOVED, MOVED.replace('[0, "2 deg"]', '[0, "2 mm"]'), "bodies[0].joint.motion.angles[1]", "a length"),
        (MOVED, MOVED.replace('[0, "2 deg"]', "[0]"), "bodies[0].joint.motion.angles", "at least 2"),
        (MOVED, MOVED.replace("angles", "positions"), "bodies[0].joint.motion.positions", "prismatic|angles"),
        (MOVED, MOVED.replace('"table"', '"tabel"'), "bodies[0].joint.motion.kind", "did you mean 'table'"),
        (
            "torques = [0,",
            "torques = [0, 1,",
            "bodies[0].joint.load[1].torques",
            "2 entries, one for each of the times",
        ),
        ('"50 N"', '"50 N*m"', "bodies[1].joint.load[2].amplitude", "a torque"),
        ('frequency = "333 Hz"', "frequncy = 3", "bodies[1].joint.load[2].frequncy", "did you mean 'frequency'"),
        ('over = "time", times', 'over = "speed", times', "chain.ends[0].force.size.over", "'time'"),
        ('direction = "90 deg", ', "", "chain.ends[0].force.direction", "missing"),
        ('kind = "free", mass = 1', 'kind = "ground", position = [0, 0]', "chain.ends[0].force", "kind = 'free'"),
        ('["-100 N", ', '["-100 N", [1], ', "bodies[1].joint.load[1]", "must be"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(old, new, place, says):
    assert old in TEXT
    found = problems(TEXT.replace(old, new, 1))
    assert place in found, found
    assert re.search(says, found[place]), found[place]


def test_wrong_times_are_told_alone():
    assert set(problems(TEXT.replace(MOVED, MOVED.replace("[0, 1]", "[1, 0]")))) == {"bodies[0].joint.motion.times"}


def test_tables_come_from_files_with_their_units(tmp_path):
    (tmp_path / "rig.csv").write_text("time [ms], swing [deg], pull [kN]\n0, 10, 0.1\n250, 11, 0.1\n500, 9, -0.5\n")
    text = TEXT.replace(MOVED, 'motion = { kind = "table", file = "rig.csv", column = "swing" }')
    text = text.replace(RAMP, '{ over = "time", file = "rig.csv", column = "pull" }')
    (tmp_path / "rig.toml").write_text(text)
    assert not list(drive_validator().iter_errors(tomllib.loads(text)))
    drive = load(tmp_path / "rig.toml")
    motion, force = drive.bodies[0].joint.motion, drive.bodies[1].joint.load[1]
    assert motion.times == force.times == (0.0, 0.25, 0.5)
    assert motion.angles == pytest.approx(np.radians([0.0, 1.0, -1.0]))  # from the first
    assert force.forces == pytest.approx((100.0, 100.0, -500.0))
    (tmp_path / "rig.csv").unlink()
    assert loads(str(drive)) == drive  # which holds all of it


@pytest.mark.parametrize(
    ("content", "more", "says"),
    [
        (None, "", "does not exist"),
        ("time [s], swing [deg]\n0, 0\n1, 1\n", ", times = [0, 1]", "either file, or times and angles"),
        ("time [s], swing [deg]\n0, 0\n1, 1\n", ', column = "swingg"', "did you mean 'swing'"),
        ("time [s], swing [deg]\n1, 0\n0, 1\n", "", "line 3, column 'time': must increase"),
        ("time [s], swing [mm]\n0, 0\n1, 1\n", "", "a length; give an angle"),
        ("time [s], swing [deg]\n-1, 0\n0, 1\n", "", "at least 0"),
    ],
)
def test_files_that_cannot_be_read_are_told(tmp_path, content, more, says):
    if content is not None:
        (tmp_path / "rig.csv").write_text(content)
    (tmp_path / "rig.toml").write_text(TEXT.replace(MOVED, f'motion = {{ kind = "table", file = "rig.csv"{more} }}'))
    with pytest.raises(InputError, match=re.escape(says)) as caught:
        load(tmp_path / "rig.toml")
    assert all(problem.place.startswith("bodies[0].joint.motion") for problem in caught.value.problems)


def test_forces_on_free_ends_count_in_the_pull_of_the_chain():
    wheel = Wheel(name="w", teeth=19, inertia=0.02, tooth={"form": "iso-606"}, side="back", position=(0.0772, 1.0))
    size = [100.0, {"over": "time", "times": [0, 1], "forces": [0, 60]}]
    ends = FreeEnd(mass=5.0, position=(0.0, 0.0)), FreeEnd(mass=5.0)
    plain = open_drive(ends, 80, wheels=[wheel])
    pulled = override(plain, {"chain.ends.1.force": {"direction": "-90 deg", "size": size}})
    pulls = [weight_pull(drive, drive_facts(drive).route) for drive in (plain, pulled)]
    assert pulls[1] - pulls[0] == pytest.approx(160.0, rel=1e-3)
    assert end_loads(pulled) - end_loads(plain) == pytest.approx(160.0)
    held = override(pulled, {"chain.ends.0": GroundEnd(position=(0.0, 0.0)).model_dump(exclude_none=True)})
    assert weight_pull(held, drive_facts(held).route) == 0.0


def test_a_monotone_table_never_turns_back_between_rising_points():
    rng = np.random.default_rng(3)
    times = np.cumsum(10.0 ** rng.uniform(-3.0, 0.0, 60))
    positions = np.concatenate([[0.0], np.cumsum(10.0 ** rng.uniform(-4.0, 0.0, 59))])
    motion = position_table(times, positions)
    # the speed from the accelerations of the kernel, by the antiderivative of cubics between the points
    speeds = []
    for k, width in enumerate(np.diff(times)):
        u = np.linspace(0.0, width, 101)
        cubic = np.polyint(motion.table[k, 1:5])
        start = speeds[-1][-1] if speeds else 0.0
        speeds.append(start + np.polyval(cubic, u))
        middle = motion_acceleration(POSITION_TABLE, times[k] + u[50], 0.0, motion.row, motion.table, 0)
        assert middle == pytest.approx(np.polyval(motion.table[k, 1:5], u[50]), rel=1e-6, abs=1e-9)
    scale = np.abs(speeds).max()
    assert np.min(speeds) > -1e-9 * scale
    assert abs(speeds[-1][-1]) < 1e-9 * scale
    for outside in (times[0] - 1e-6, times[-1] + 1e-6):
        assert motion_acceleration(POSITION_TABLE, outside, 0.0, motion.row, motion.table, 0) == 0.0
