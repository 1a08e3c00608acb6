"""Broken files: each gives one InputError that names the place, whatever else is wrong with the file."""

import functools
import operator
import os
import sys
import tomllib

import pytest

from chaindrive.errors import InputError
from chaindrive.model import Drive, example_names, load, loads
from chaindrive.model.files.text import example_path

GOOD = """
name = "pair"
gravity = [0, -9.81]

[chain]
standard = "08B-1"
links = 108

[contact]
stiffness = "50 GN/m^1.5"
restitution = 0.1
friction = 0.1

[[wheels]]
name = "motor"
teeth = 17
position = ["0 mm", "0 mm"]
tooth = { form = "iso-606" }
motion = { kind = "constant_speed", speed = "500 rpm" }

[[wheels]]
name = "load"
teeth = 38
position = ["509.2 mm", "0 mm"]
inertia = "0.1 kg*m^2"
tooth = { form = "iso-606" }

[run]
until = "1 s"
"""

# what is written for what, the place that must be named, and words of the message
BROKEN = [
    # syntax
    ("links = 108", "links = ", "line 7, column 9", "not valid TOML"),
    ("links = 108", "links == 108", "line 7, column 8", "not valid TOML"),
    ("[chain]", "[chain", "line 5, column 7", "not valid TOML"),
    ("links = 108", "links = 108\nlinks = 109", "line 8, column 12", "overwrite"),
    ('"load"', '"load', "line 22, column 13", "not valid TOML"),
    ("links = 108", "links = " + "[" * 5000, "", "nested too deeply"),
    ("links = 108", "links = 108\ndeep" + ".a" * 2000 + " = 1", "", "nested too deeply; at most 50 levels"),
    ("links = 108", f"links = {'[' * 51}{']' * 51}", "", "nested too deeply; at most 50 levels"),
    ("links = 108", "links = " + "9" * 5000, "", "not valid TOML"),
    ("links = 108", "links = 2026-02-30", "line 7, column 9", "not valid TOML"),
    # unknown, missing and misplaced fields
    ("links = 108", "lniks = 108", "chain.lniks", "did you mean 'links'?"),
    ("links = 108", "", "chain.links", "is missing"),
    ("links = 108", 'links = 108\n"\\u001b[31mred" = 1', "chain.\\x1b[31mred", "is not a known field"),
    ("[chain]", "[chian]", "chian", "did you mean 'chain'?"),
    ("teeth = 17", "tooths = 17", "wheels[0].tooths", "did you mean 'tooth'?"),
    ("teeth = 17", "", "wheels[0].teeth", "is missing: number of teeth"),
    ('name = "motor"', "", "wheels[0].name", "is missing"),
    ('form = "iso-606"', 'shape = "iso-606"', "wheels[0].tooth.form", "is missing: one of 'asa-ii', 'iso-606'"),
    ('kind = "constant_speed", ', "", "wheels[0].motion.kind", "is missing: one of 'constant_speed'"),
    (', speed = "500 rpm"', "", "wheels[0].motion.speed", "is missing"),
    ('stiffness = "50 GN/m^1.5"', "", "contact.stiffness", "is missing"),
    ("[run]", "[ruin]", "ruin", "did you mean 'run'?"),
    ('"08B-1"', '"9B-1"', "chain.standard", "or '10B-1'?"),
    ('standard = "08B-1"', "", "chain.pitch", "or name a standard chain"),
    (
        'inertia = "0.1 kg*m^2"',
        'inertia = 1\nloads = [{ torque = { over = "angle", angles = [0, "360 deg"], torques = [1, 1], orders = 5 } }]',
        "wheels[1].loads[0].torque.orders",
        "is not a known field",
    ),
    # wrong choices
    ('"iso-606"', '"iso-660"', "wheels[0].tooth.form", "did you mean 'iso-606'?"),
    ('"constant_speed"', '"constant"', "wheels[0].motion.kind", "did you mean 'constant_speed'?"),
    (
        'tooth = { form = "iso-606" }',
        'tooth = { form = "iso-606", gap = "mid" }',
        "wheels[0].tooth.gap",
        "'minimum', 'mean'",
    ),
    ('name = "pair"', 'name = "pair"\nloop = "ccw"', "loop", "'counterclockwise' or 'clockwise'"),
    # units
    ('"509.2 mm"', '"509.2 kg"', "wheels[1].position", "x: '509.2 kg' is a mass; give a length"),
    ('"509.2 mm"', '"509,2 mm"', "wheels[1].position", "decimals with a point"),
    ('"509.2 mm"', '"509.2 mmm"', "wheels[1].position", "unknown unit 'mmm'"),
    ('"500 rpm"', '"8 Hz"', "wheels[0].motion.speed", "is a frequency; give an angular speed"),
    ('"50 GN/m^1.5"', '"50 GN/m"', "contact.stiffness", "exponent 1.5"),
    ('"0.1 kg*m^2"', '"0.1 kg*m^99999999999"', "wheels[1].inertia", "power beyond 9"),
    ('"0.1 kg*m^2"', '"heavy"', "wheels[1].inertia", "is not a quantity"),
    ('"1 s"', "\"__import__('os').abort()\"", "run.until", "is not a quantity"),
    ('"1 s"', '"' + "1" * 100_000 + '"', "run.until", "80 characters"),
    # wrong types
    ("links = 108", "links = 108.0", "chain.links", "whole number"),
    ("links = 108", "links = true", "chain.links", "whole number"),
    ("links = 108", 'links = "108"', "chain.links", "whole number"),
    ("teeth = 17", "teeth = [17]", "wheels[0].teeth", "whole number"),
    ("teeth = 17", "teeth = 2026-01-01", "wheels[0].teeth", "whole number"),
    ('name = "motor"', "name = 7", "wheels[0].name", "must be text"),
    ('inertia = "0.1 kg*m^2"', "inertia = false", "wheels[1].inertia", "not true or false"),
    ('inertia = "0.1 kg*m^2"', "inertia = { a = 1 }", "wheels[1].inertia", "not a table"),
    ('["509.2 mm", "0 mm"]', '"509.2 mm"', "wheels[1].position", "a list [x, y]"),
    ('["509.2 mm", "0 mm"]', '["509.2 mm"]', "wheels[1].position", "two values, not of 1"),
    ('["509.2 mm", "0 mm"]', "[1, 2, 3]", "wheels[1].position", "two values, not of 3"),
    ("gravity = [0, -9.81]", "gravity = 9.81", "gravity", "a list [x, y]"),
    ('tooth = { form = "iso-606" }', 'tooth = "iso-606"', "wheels[0].tooth", "must be a table"),
    ("[run]", "run = 3\n[other]", "wheels[1].run", "not a known field"),
    ("gravity = [0, -9.81]", "notes = 'one'", "notes", "must be a list"),
    ("gravity = [0, -9.81]", "preload = 5", "preload", "must be a table"),
    # not finite, huge, negative, zero
    ('"0.1 kg*m^2"', "nan", "wheels[1].inertia", "finite"),
    ('"0.1 kg*m^2"', "inf", "wheels[1].inertia", "finite"),
    ('"0.1 kg*m^2"', "-0.1", "wheels[1].inertia", "above 0"),
    ('"0.1 kg*m^2"', "0", "wheels[1].inertia", "above 0"),
    ('"0.1 kg*m^2"', "1e300", "wheels[1].inertia", "at most"),
    ('"0.1 kg*m^2"', "1" * 400, "wheels[1].inertia", "too large"),
    ("links = 108", "links = 2", "chain.links", "at least 3 in a closed chain"),
    ("links = 108", "links = -108", "chain.links", "from 1 to 100000"),
    ("links = 108", "links = 100000000000000000000000", "chain.links", "from 1 to 100000"),
    ("links = 108", 'links = 108\npitch = "-12.7 mm"', "chain.pitch", "above 0"),
    ("links = 108", 'links = 108\npitch = "12.7 km"', "chain.pitch", "at most 10 m"),
    ("teeth = 17", "teeth = 4", "wheels[0].teeth", "from 5 to 1000"),
    ("restitution = 0.1", "restitution = 1.5", "contact.restitution", "at most 1"),
    ("friction = 0.1", "friction = -0.1", "contact.friction", "at least 0"),
    ('"1 s"', "0", "run.until", "above 0 s"),
    ('"motor"', '""', "wheels[0].name", "must not be empty"),
    ('"motor"', '"mo\\u001btor"', "wheels[0].name", "control character"),
    ('"motor"', '"' + "m" * 101 + '"', "wheels[0].name", "at most 100 characters"),
    # impossible drives
    ('"509.2 mm"', '"50 mm"', "wheels[1].position", "overlaps wheels[0] 'motor'"),
    ('"509.2 mm"', '"0 mm"', "wheels[1].position", "is on the axis of wheels[0] 'motor'"),
    ('inertia = "0.1 kg*m^2"', "", "wheels[1].inertia", "turns freely"),
    (
        'motion = { kind = "constant_speed", speed = "500 rpm" }',
        "inertia = 1",
        "wheels",
        "at least one wheel needs a motion",
    ),
    ('"load"', '"motor"', "wheels[1].name", "must be unique"),
    ("teeth = 17", "teeth = 17\npitch_radius = 1", "wheels[0].pitch_radius", "within 0.5 %"),
    ("links = 108", 'links = 108\nroller_diameter = "12.7 mm"', "chain.roller_diameter", "less than the pitch"),
    ("links = 108", 'links = 108\nroller_diameter = "12.65 mm"', "wheels[0].tooth", "leaves no tooth"),
    ("links = 108", "links = 108\nstrands = 2", "chain.strands", "must be 1"),
    ("[run]", "[preload]\nspan = 5\ntension = 10\nby = 'pitch'\n[run]", "preload.span", "from 0 to 1"),
    ("[run]", "[preload]\nspan = 0\nby = 'pitch'\n[run]", "preload", "exactly one of tension and sag"),
    ("[run]", "[preload]\nspan = 0\nsag = 0.01\nby = 'wheel'\n[run]", "preload.wheel", "is missing"),
    ('"1 s"', '1\nformulation = { contact_law = "kelvin-voigt" }', "contact.exponent", "must be 1"),
    ('"1 s"', '1\nformulation = { contact_law = "hertzz" }', "run.formulation.contact_law", "did you mean 'hertz'?"),
    ('"1 s"', "1\nsave = { channels = 'link_tension' }", "run.save.channels", "write ['link_tension']"),
    ('"1 s"', "1\nsolver = { method = 'rk45' }", "run.solver.method", "'verlet' or 'verlet-beeman'"),
]


def the_problem(make, place):
    with pytest.raises(InputError) as caught:
        make()
    error = caught.value
    assert error.exit_code == 1
    assert error.__cause__ is None
    assert "Traceback" not in str(error)
    assert "pydantic" not in str(error).lower()
    assert len(str(error)) < 3000
    found = {problem.place: problem for problem in error.problems}
    assert place in found, str(error)
    return found[place], error


def test_the_good_file_is_good(tmp_path):
    path = tmp_path / "good.toml"
    path.write_text(GOOD)
    assert load(path).wheels[1].teeth == 38
    assert len(BROKEN) >= 40


@pytest.mark.parametrize(("old", "new", "place", "says"), BROKEN, ids=[f"{b[2]}: {b[3]}"[:60] for b in BROKEN])
def test_broken_files(tmp_path, old, new, place, says):
    assert old in GOOD
    path = tmp_path / "broken.toml"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    problem, error = the_problem(lambda: load(path), place)
    assert says in problem.message, str(error)
    assert error.source == str(path)
    assert str(error).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is missing"),
        (b"\x00\x01\x02\x03", "binary file"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "binary file"),
        (GOOD.replace("pair", "pärchen").encode("latin-1"), "not UTF-8 text: byte 0xe4 in line 2"),
        (GOOD.encode("utf-16"), "binary file"),
        (b"\xff\xfe\xfd", "not UTF-8 text"),
        (b"<html></html>", "not valid TOML"),
        (b'{"name": "pair"}', "not valid TOML"),
        (b"#" * 10_000_001, "may have at most 10000000"),
    ],
)
def test_files_that_are_something_else(tmp_path, content, says):
    path = tmp_path / "drive.toml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=says):
        load(path)


def test_files_that_are_not_there(tmp_path):
    (tmp_path / "mydrive.toml").write_text(GOOD)
    with pytest.raises(InputError, match=r"does not exist; did you mean 'mydrive.toml'"):
        load(tmp_path / "my_drive.toml")
    with pytest.raises(InputError, match="neither does its folder"):
        load(tmp_path / "nowhere" / "drive.toml")
    with pytest.raises(InputError, match="chaindrive examples copy 6l60mc"):
        load(tmp_path / "6l60mc.toml")
    with pytest.raises(InputError, match="is a folder"):
        load(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        load("a\0b")
    with pytest.raises(InputError, match="cannot be read"):
        load("x" * 10_000)


@pytest.mark.skipif(sys.platform == "win32", reason="needs devices and modes of Unix")
def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="not a regular file"):
        load("/dev/zero")
    fifo = tmp_path / "fifo.toml"
    os.mkfifo(fifo)
    with pytest.raises(InputError, match="not a regular file"):
        load(fifo)
    if os.geteuid() != 0:
        secret = tmp_path / "secret.toml"
        secret.write_text(GOOD)
        secret.chmod(0)
        with pytest.raises(InputError, match="permission denied"):
            load(secret)


def tables_in(value, place=()):
    """The tables of a description with their places."""
    if isinstance(value, dict):
        yield place, value
        for name, part in value.items():
            yield from tables_in(part, (*place, name))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from tables_in(part, (*place, number))


def kinds_of_tables():
    """One table of every kind that the examples have: example and place."""
    found = {}
    for name in example_names():
        content = tomllib.loads(example_path(name).read_text(encoding="utf-8"))
        for place, table in tables_in(content):
            kind = (*(part for part in place if isinstance(part, str)), *sorted(table))
            found.setdefault(kind, (name, place))
    return sorted(found.values(), key=str)


@pytest.mark.parametrize("key", ["nonsense", pytest.param("orders", marks=pytest.mark.long)])
def test_an_unknown_key_is_told_with_its_place_in_every_table(key):
    for name, place in kinds_of_tables():
        content = tomllib.loads(example_path(name).read_text(encoding="utf-8"))
        table = functools.reduce(operator.getitem, place, content)
        if key in table:
            continue
        table[key] = 5
        with pytest.raises(InputError) as caught:
            Drive.from_dict(content)
        assert any(key in problem.place for problem in caught.value.problems), (name, place, str(caught.value))


def test_all_mistakes_of_a_file_come_at_once():
    text = GOOD
    for old, new, *_ in [entry for entry in BROKEN if entry[2] in {"chain.standard", "contact.friction"}]:
        text = text.replace(old, new, 1)
    text = text.replace("teeth = 38", "teeth = 1").replace('"1 s"', "-1").replace('"500 rpm"', '"5 m"')
    with pytest.raises(InputError) as caught:
        loads(text)
    places = [problem.place for problem in caught.value.problems]
    wanted = ["chain.standard", "contact.friction", "wheels[0].motion.speed", "wheels[1].teeth", "run.until"]
    assert places == wanted
