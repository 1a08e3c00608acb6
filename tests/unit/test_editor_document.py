"""The editor's document: edits change nothing else, undo to the byte, a persistent journal, safe saving."""

from __future__ import annotations

import difflib
import json
import math
import os
import random
import tomllib

import pytest

from chaindrive.editor.changes import Change, applied, change_of, changed, in_unit_of, with_units
from chaindrive.editor.document import Document, journal_path, locked_for_editing
from chaindrive.errors import InputError
from chaindrive.model.files.text import example_names, example_path

FILE = """\
# A drive with remarks.
name = "two"   # its name

[chain]
standard = "08B-1"
links = 108

[[wheels]]
name = "motor"            # 4 kW
teeth = 17
position = ["0 mm", "2 in"]
tooth = { form = "iso-606" }

# the other one
[[wheels]]
name = "conveyor"
position = [0.5092, 0]    # from the drawing
teeth = 38
[wheels.shaft]
length = "40 mm"

[run]
until = "2 s"
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "drive.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


def lines_changed(before: str, after: str) -> list[str]:
    return [line for line in difflib.ndiff(before.split("\n"), after.split("\n")) if line[0] in "+-"]


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (Change("set", ("wheels", 0, "teeth"), 19), ["- teeth = 17", "+ teeth = 19"]),
        (Change("set", ("chain", "wear"), "1 %"), ['+ wear = "1 %"']),
        (Change("set", ("name",), "one"), ['- name = "two"   # its name', '+ name = "one"   # its name']),
        (Change("remove", ("wheels", 1, "teeth")), ["- teeth = 38"]),
        (
            Change("set", ("wheels", 0, "tooth", "form"), "smooth"),
            ['- tooth = { form = "iso-606" }', '+ tooth = { form = "smooth" }'],
        ),
        (Change("set", ("run", "save", "rate"), "1 kHz"), ["+ ", "+ [run.save]", '+ rate = "1 kHz"']),
    ],
    ids=lambda each: each.kind if isinstance(each, Change) else "",
)
def test_only_what_is_changed_changes(change, lines):
    assert sorted(lines_changed(FILE, changed(FILE, [change]))) == sorted(lines)


def test_a_part_is_added_with_an_empty_line_before_its_heading():
    after = changed(FILE, [Change("add", ("wheels",), {"name": "idler", "teeth": 15}, 1)])
    wanted = ["+ ", "+ [[wheels]]", '+ name = "idler"', "+ teeth = 15"]
    assert sorted(lines_changed(FILE, after)) == sorted(wanted)
    assert [wheel["name"] for wheel in tomllib.loads(after)["wheels"]] == ["motor", "idler", "conveyor"]


def test_a_wheel_is_moved_with_all_that_belongs_to_it():
    after = changed(FILE, [Change("move", ("wheels", 1), to=0)])
    before = tomllib.loads(FILE)
    assert tomllib.loads(after) == before | {"wheels": before["wheels"][::-1]}
    assert "# from the drawing" in after
    assert "# 4 kW" in after


def test_points_keep_the_units_of_the_file():
    fields = tomllib.loads(FILE)
    placed = [with_units(fields, Change("set", ("wheels", k, "position"), [0.0254, 0.1234567])).value for k in range(2)]
    assert placed == [["25.4 mm", "4.8605 in"], [0.0254, 0.123457]]


@pytest.mark.parametrize(
    ("present", "value", "written"),
    [
        ("280 mm", 0.281, "281 mm"),
        ("2 m", 1.5, "1.5 m"),
        (0.28, 0.281, 0.281),
        (None, -0.0, "0 mm"),
        ("left", 0.001, "1 mm"),
        ("1e3 mm", 0.0001234, "0.123 mm"),
    ],
)
def test_a_value_in_the_unit_of_the_one_before(present, value, written):
    assert in_unit_of(present, value, "mm", 3) == written


def test_a_speed_stays_in_revolutions_per_minute():
    assert in_unit_of("300 1/min", 10 * math.pi, "rad/s", 3) == "300 1/min"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (Change("set", ("wheels", 2, "teeth"), 1), "wheels[2]"),
        (Change("remove", ("wheels", 0, "mass")), "wheels[0].mass"),
        (Change("set", ("name", "x"), 1), "name.x"),
        (Change("add", ("name",), 1), "name"),
        (Change("move", ("wheels", 0), to=2), "wheels[0]"),
        (Change("add", ("wheels",), {}, 3), "wheels"),
        (Change("set", ("wheels", 0), 3), "[0]"),
    ],
    ids=str,
)
def test_a_change_that_is_not_possible_names_its_place(change, place):
    with pytest.raises(InputError) as error:
        changed(FILE, [change])
    assert error.value.problems[0].place == place


@pytest.mark.parametrize(
    "given",
    [
        None,
        {},
        {"kind": "set", "path": []},
        {"kind": "set", "path": ["a"] * 13, "value": 1},
        {"kind": "set", "path": ["a b"], "value": 1},
        {"kind": "set", "path": [True], "value": 1},
        {"kind": "set", "path": ["a"]},
        {"kind": "set", "path": ["a"], "value": float("inf")},
        {"kind": "set", "path": ["a"], "value": 2**70},
        {"kind": "set", "path": ["a"], "value": "\ud800"},
        {"kind": "set", "path": ["a"], "value": {"b c": 1}},
        {"kind": "set", "path": ["a"], "value": "x" * 1_000_001},
        {"kind": "move", "path": ["a", 0], "to": -1},
    ],
    ids=str,
)
def test_requests_that_are_no_change_are_refused(given):
    with pytest.raises(InputError):
        change_of(given)


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "bom"])
def test_undo_gives_the_file_back_to_the_byte(path, newline, mark):
    original = (mark + FILE.replace("\n", newline)).encode()
    path.write_bytes(original)
    document = Document(path)
    document.change([Change("set", ("wheels", 0, "teeth"), 19)], "set teeth")
    assert document.unsaved
    document.save()
    assert path.read_bytes() == original.replace(b"teeth = 17", b"teeth = 19")
    document.undo()
    document.save()
    assert path.read_bytes() == original
    document.redo()
    assert b"teeth = 19" in document.content


def test_keystrokes_in_a_row_are_one_step(path):
    document = Document(path)
    for teeth in (18, 19, 20):
        document.change([Change("set", ("wheels", 0, "teeth"), teeth)], "more teeth", merge=True)
    assert document.undoes == "more teeth"
    document.undo()
    assert document.text == FILE


def test_a_killed_program_loses_nothing(path):
    document = Document(path)
    document.change([Change("set", ("wheels", 0, "teeth"), 19)], "first")
    document.change([Change("set", ("wheels", 0, "teeth"), 21)], "second")
    document.undo()
    with journal_path(path).open("a") as journal:
        journal.write('{"text": "cut off')  # the last line of a program that was killed while writing it
    again = Document(path)
    assert (again.text, again.undoes, again.redoes) == (document.text, "first", "second")
    assert again.restored == 3
    assert not again.changed_outside
    again.undo()
    assert again.text == FILE
    again.redo()
    again.save()
    assert not journal_path(path).exists()
    assert not Document(path).restored


def test_a_new_file_is_there_when_it_is_saved(tmp_path):
    document = Document(tmp_path / "new.toml")
    document.replace(FILE, "begin")
    assert not document.path.exists()
    assert Document(tmp_path / "new.toml").text == FILE
    document.save()
    assert document.path.read_text() == FILE


def test_a_change_outside_is_taken_where_nothing_is_unsaved(path):
    document = Document(path)
    path.write_text(FILE.replace("108", "110"))
    document.look()
    assert "110" in document.text
    document.undo()
    assert document.text == FILE


def test_other_line_ends_from_outside_are_taken_as_they_are(path):
    document = Document(path)
    path.write_bytes(FILE.replace("\n", "\r\n").encode())
    document.look()
    assert (document.text, document.unsaved) == (FILE, False)
    document.change([Change("set", ("wheels", 0, "teeth"), 19)], "mine")
    document.save()
    assert b"teeth = 19\r\n" in path.read_bytes()


def test_a_file_that_is_no_longer_text_is_left_to_its_owner(path):
    document = Document(path)
    path.write_bytes(b"\xff\xfe")
    document.look()
    assert (document.text, document.changed_outside) == (FILE, True)
    with pytest.raises(InputError, match="changed by another program"):
        document.save()
    assert path.read_bytes() == b"\xff\xfe"


def test_a_change_outside_is_not_overwritten(path):
    document = Document(path)
    document.change([Change("set", ("wheels", 0, "teeth"), 19)], "mine")
    path.write_text(FILE.replace("108", "110"))
    with pytest.raises(InputError, match="changed by another program"):
        document.save()
    assert "110" in path.read_text()
    assert Document(path).changed_outside  # also after the program was ended
    document.take_file()
    assert ("teeth = 17" in document.text, "110" in document.text) == (True, True)
    document.undo()  # mine again
    assert "teeth = 19" in document.text
    document.save()
    assert "teeth = 19" in path.read_text()
    path.write_text(FILE)
    document.change([Change("set", ("wheels", 0, "teeth"), 23)], "mine")
    document.save(over=True)
    assert "teeth = 23" in path.read_text()


@pytest.mark.skipif(os.name != "posix", reason="rights of files")
def test_saving_keeps_the_rights_of_the_file(path):
    path.chmod(0o640)
    document = Document(path)
    document.change([Change("set", ("wheels", 0, "teeth"), 19)], "mine")
    document.save()
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_second_editor_is_refused(path):
    with locked_for_editing(path), pytest.raises(InputError, match="another editor"), locked_for_editing(path):
        pass
    with locked_for_editing(path):
        pass


def test_a_file_in_place_of_the_journal_is_not_touched(path):
    journal_path(path).write_text("mine")
    with pytest.raises(InputError, match="not a journal"):
        Document(path)
    assert journal_path(path).read_text() == "mine"


def random_change(rng: random.Random, fields: dict) -> Change | None:
    """A change of an existing part, or None."""
    paths, todo = [], [((), fields)]
    while todo:
        path, here = todo.pop()
        parts = here.items() if isinstance(here, dict) else enumerate(here[:30]) if isinstance(here, list) else ()
        for key, value in parts:
            paths.append((*path, key))
            todo.append(((*path, key), value))
    path = rng.choice(paths)
    parent = fields
    for step in path[:-1]:
        parent = parent[step]
    value, kind = parent[path[-1]], rng.choice(["set", "add", "remove", "move"])
    if kind == "add":
        if not isinstance(value, list) or not isinstance(path[-1], str):
            return None
        new = rng.choice(value) if value else {"name": "new"}
        return Change("add", path, new, rng.choice([None, rng.randrange(len(value) + 1)]))
    if kind == "move":
        return Change("move", path, to=rng.randrange(len(parent))) if isinstance(parent, list) else None
    if kind == "set":
        same = isinstance(parent, list) and isinstance(value, dict)
        return Change("set", path, value if same else rng.choice([3, 0.5, "4 mm", [1, 2], {"kind": "new"}, value]))
    return Change("remove", path)


@pytest.mark.parametrize(
    "sequences", [10, pytest.param(200, marks=pytest.mark.long)], ids=lambda count: f"{count} sequences"
)
def test_random_edits_always_load_and_undo_to_the_byte(tmp_path, sequences):
    """After every change the file is TOML and contains the requested values; after undo it is as before, to the
    byte.
    """
    names, made = example_names(), 0
    for seed in range(sequences):
        rng = random.Random(seed)
        source = example_path(names[seed % len(names)]).read_bytes()
        path = tmp_path / f"{seed}.toml"
        path.write_bytes(source)
        document = Document(path)
        texts = [document.content]
        for _ in range(8):
            fields = tomllib.loads(document.text)
            change = random_change(rng, fields) if fields else None
            if change is None:
                continue
            document.change([change], "random")
            assert tomllib.loads(document.text) == applied(fields, [change]), (seed, change)
            assert fields == tomllib.loads(texts[-1].decode()), (seed, change)  # what is dragged changes nothing
            if document.content != texts[-1]:
                texts.append(document.content)
        made += len(texts) - 1
        assert Document(path).content == texts[-1]
        for text in reversed(texts[:-1]):
            document.undo()
            assert document.content == text
        assert document.undoes is None
        assert document.content == source
    assert made > 3 * sequences


def test_every_entry_of_a_journal_is_one_line(path):
    document = Document(path)
    document.change([Change("set", ("name",), "a\nb")], "set name")
    lines = journal_path(path).read_text().splitlines()
    assert [sorted(json.loads(line)) for line in lines] == [["base", "bom", "crlf"], ["label", "merge", "text"]]
