"""The editor in a real browser, wide and narrow: a drive begun, moved, repaired, routed, saved, by mouse and keys."""

from __future__ import annotations

import io
import tomllib

import pytest
from PIL import Image

from chaindrive.editor.changes import Change
from chaindrive.editor.document import Document, journal_path
from chaindrive.model.files.text import example_path
from support.editor_page import AT_390, AT_1280, Editor


@AT_390
def test_a_timing_drive_from_its_drawing_in_under_40_actions(edited, size, screenshots):
    """Drawing: crankshaft at 4000 rpm, camshafts 150 mm apart and 372 mm above it, the left one 2 mm lower."""
    with edited("", size, computes=True) as (editor, path, _):
        editor.press("timing")
        for name, text in (("speed", "4000 rpm"), ("height", "372 mm"), ("spacing", "150 mm")):
            editor.actions += 1
            editor.page.locator(f"#question-{name}").fill(text)
        editor.press("Draw it")
        editor.wait("c.fields.wheels")
        heights = [float(wheel["position"][1].split()[0]) for wheel in editor.fields["wheels"]]
        editor.wait("c.state.tasks.check.state === 'done'")  # news may come while a field is filled faster than by hand
        editor.press("left camshaft", "#parts")
        editor.fill("wheels[2].position", f"{heights[2] - 2.0:g} mm", which=1)
        if editor.problems:  # the chain no longer closes
            assert editor.problems == ["chain.links"]
            editor._done(lambda: editor.press("Count from the route", "#problems"))
        assert editor.problems == []
        editor.wait("c.state.tasks.check.state === 'done' && c.state.tasks.check.revision === c.state.revision")
        assert "First frequencies" in editor.page.locator("#check").inner_text()
        editor.wait("c.state.tasks.short.state === 'done'")
        assert "Link tension" in editor.page.locator("#short").inner_text()
        editor.opened.keep(screenshots / f"editor-timing-{size[0]}.png")
        editor.press("Save")
        editor.wait("!c.state.unsaved")
        assert editor.actions < 40
        saved = tomllib.loads(path.read_text("utf-8"))
        assert saved["wheels"][2]["position"][1] == f"{heights[2] - 2.0:g} mm"
        assert "# A timing drive with two camshafts." in path.read_text("utf-8")  # with its comments


@AT_1280
def test_parts_are_placed_moved_copied_and_removed(edited, size):
    """With mouse and keys; after undoing every step the file is as before, to the byte."""
    text = example_path("industrial-08b").read_text("utf-8")
    with edited(text, size) as (editor, _, _server):
        editor.press("Wheel")
        editor._done(lambda: editor.click(0.2501, 0.1003))
        wheel = editor.fields["wheels"][2]
        assert [round(float(part.split()[0])) for part in wheel["position"]] == [250, 100]
        assert wheel["tooth"] == editor.fields["wheels"][1]["tooth"]
        assert "wheels[2].inertia" in editor.problems  # what the drawing does not say is told at its field
        assert "inertia" in editor.page.locator('[data-place="wheels[2].inertia"] .field-problem').inner_text()
        editor.fill("wheels[2].inertia", "4 kg*cm^2")
        editor.drag((0.25, 0.1), (0.26, -0.06))
        x, y = (float(part.split()[0]) for part in editor.fields["wheels"][2]["position"])
        assert (round(x), round(y)) == (260, -60)
        editor.page.locator("canvas.board").focus()
        editor.key("Shift+ArrowUp")
        assert editor.fields["wheels"][2]["position"][1] == f"{y + 10:g} mm"
        editor.key("Control+d")
        assert [wheel["name"] for wheel in editor.fields["wheels"]][2:] == ["wheel 3", "wheel 3 copy"]
        editor.key("Delete")
        assert len(editor.fields["wheels"]) == 3
        assert editor.actions < 10
        while editor.opened.state("state")["undo"] is not None:
            editor.key("Control+z")
        assert editor.opened.state("text") == text
        assert not editor.opened.state("state")["unsaved"]
        editor.key("Control+y")
        assert len(editor.fields["wheels"]) == 3


@AT_390
def test_the_route_is_drawn_by_clicking_wheels(edited, size):
    """The order of clicks is the order of the file; a second click on a wheel changes its side."""
    text = example_path("timing-06b").read_text("utf-8")
    with edited(text, size) as (editor, _, _server):
        names = [wheel["name"] for wheel in editor.fields["wheels"]]
        centres = [wheel["centre"] for wheel in editor.page.evaluate("() => chaindrive.sketch.wheels")]
        editor.press("Route")
        for w in (0, 2, 1):
            editor.click(*centres[w])
        editor._done(lambda: editor.click(*centres[1]))
        assert editor.fields["wheels"][1]["side"] == "back"
        editor._done(lambda: editor.press("Done"))
        assert [wheel["name"] for wheel in editor.fields["wheels"]] == [names[w] for w in (0, 2, 1)]
        assert editor.actions < 10


@AT_1280
def test_a_guide_lies_along_its_span(edited, size):
    """Clicked against the route, it is written along it, on its side of the chain."""
    with edited(example_path("industrial-08b").read_text("utf-8"), size) as (editor, _, _server):
        editor.press("Guide")
        editor.click(0.2, -0.10)
        editor._done(lambda: editor.click(0.3, -0.10))
        shape = editor.fields["guides"][0]["shape"]
        span = next(s for s in editor.page.evaluate("() => chaindrive.sketch.routes")[0]["spans"] if s[1] < 0)
        along = 1 if span[2] > span[0] else -1
        start, end = (float(shape[key][0].split()[0]) for key in ("start", "end"))
        assert (end - start) * along > 0
        assert shape["side"] == ("right" if along > 0 else "left")


def test_an_oval_sprocket_is_drawn_while_it_is_dragged(edited):
    """It has 60 teeth and an upright long axis: 10 % beyond the circle at the top, inside it at the right."""
    text = example_path("industrial-08b").read_text("utf-8").replace("teeth = 17", "teeth = 60", 1)
    oval = 'pitch_line = { form = "ellipse", ovality = 1.2, angle = "90 deg" }'
    with edited(text.replace("teeth = 60", f"teeth = 60\n{oval}", 1)) as (editor, _, _server):
        (x, y), radius = (
            editor.page.evaluate(f"() => chaindrive.sketch.wheels[0].{key}") for key in ("centre", "radius")
        )
        editor.page.mouse.move(*editor.at(x, y))
        editor.page.mouse.down()
        editor.page.mouse.move(*editor.at(x + 0.03, y + 0.02), steps=4)
        editor.wait("c.dragged && Math.abs(c.sketch.wheels[0].centre[0] - x) < 2e-3", x + 0.03)
        wheel = editor.page.evaluate("() => chaindrive.sketch.wheels[0]")
        (x, y), corners = wheel["centre"], wheel["corners"]
        above, right = max(corners, key=lambda at: at[1]), max(corners, key=lambda at: at[0])
        assert above[1] - y > 1.05 * radius > 1.15 * (right[0] - x)
        lines = darkness(editor, above, right)
        empty = darkness(editor, (x + radius, y + 0.1 * radius), (x - radius, y - 0.1 * radius))
        assert min(lines) > 60 > max(empty)
        editor.page.mouse.up()
        editor.wait("!c.dragged")


def test_a_body_is_selected_at_its_arm(edited):
    """The arm lies between its joint and the parts it carries; it stays drawn while something is dragged."""
    with edited(example_path("timing-06b").read_text("utf-8")) as (editor, _, _server):
        (bars,) = (body["bars"] for body in editor.page.evaluate("() => chaindrive.sketch.bodies"))
        start, end = max(bars, key=lambda bar: abs(bar[1][1] - bar[0][1]))
        middle = [0.6 * a + 0.4 * b for a, b in zip(start, end, strict=True)]
        editor.click(*middle)
        assert editor.opened.state("selected") in ("bodies[0]", "guides[0]")


@AT_1280
def test_two_tabs_a_text_editor_and_a_killed_program_lose_nothing(edited, opened, size):
    text = example_path("industrial-08b").read_text("utf-8")
    with edited(text, size) as (editor, path, server):
        other = Editor(opened, server.address, size)
        other.wait("c.state")
        editor.press("motor", "#parts")
        editor.fill("wheels[0].teeth", "19")
        other.wait("c.fields.wheels[0].teeth === 19")
        other.press("Undo")
        editor.wait("c.fields.wheels[0].teeth === 17")
        other.press("Redo")
        editor.wait("c.fields.wheels[0].teeth === 19")
        path.write_text(text.replace("links = 108", "links = 110"), encoding="utf-8")
        editor.wait("c.state.changed_outside")
        editor.press("Load the file")
        editor.wait("c.fields.chain.links === 110 && c.fields.wheels[0].teeth === 17")
        editor.press("Undo")  # and what was typed here is back
        editor.wait("c.fields.chain.links === 108 && c.fields.wheels[0].teeth === 19")
        assert journal_path(path).exists()
        again = Document(path)  # what a program that starts now would find
        assert again.text == editor.opened.state("text")
        other.leave()


@AT_1280
def test_news_while_a_field_is_being_typed_wait_for_the_typist(edited, opened, size):
    text = example_path("industrial-08b").read_text("utf-8")
    with edited(text, size) as (editor, _, server):
        other = Editor(opened, server.address, size)
        other.wait("c.state")
        editor.press("motor", "#parts")
        field = editor.page.locator('[data-place="wheels[0].teeth"] input')
        field.click()
        editor.page.keyboard.press("Control+a")
        editor.page.keyboard.type("2")
        other.press("conveyor", "#parts")
        other.fill("wheels[1].inertia", "0.02 kg*m^2")
        editor.wait("c.fields.wheels[1].inertia === '0.02 kg*m^2'")
        editor.page.keyboard.type("3")
        assert field.input_value() == "23"
        editor._done(lambda: editor.page.keyboard.press("Tab"))
        editor.wait("c.fields.wheels[0].teeth === 23")
        assert editor.fields["wheels"][1]["inertia"] == "0.02 kg*m^2"
        assert editor.page.evaluate("() => document.activeElement.closest('#part') !== null")  # at the next field
        other.leave()


@AT_390
def test_changes_of_a_killed_program_are_there_again(edited, size, tmp_path):
    """The page says so until the user confirms it; undo brings the file back as it is saved."""
    text = example_path("industrial-08b").read_text("utf-8")
    (tmp_path / "drive.toml").write_text(text, encoding="utf-8")
    Document(tmp_path / "drive.toml").change([Change("set", ("wheels", 0, "teeth"), 19)], "set teeth")
    with edited(text, size) as (editor, _, _server):
        told = editor.page.get_by_text("One unsaved change from the last session was restored.")
        told.wait_for()
        assert editor.fields["wheels"][0]["teeth"] == 19
        editor.press("Close", ".notices")
        told.wait_for(state="detached")
        editor._done(lambda: editor.press("Undo"))
        assert editor.opened.state("text") == text
        assert not editor.opened.state("state")["unsaved"]


@AT_390
def test_a_motor_and_a_load_are_put_on_wheels(edited, size):
    """Every kind of the schema is offered; a second torque adds up with the first one, a number is typed at once."""
    text = example_path("industrial-08b").read_text("utf-8")
    with edited(text, size) as (editor, _, _server):
        wheels = editor.page.evaluate("() => chaindrive.sketch.wheels")
        before = tomllib.loads(text)["wheels"]

        def put(label, wheel):
            editor.press("Torque")
            editor.choose("What acts on the wheel", label=label)
            editor._done(lambda: editor.click(*wheels[wheel]["centre"]))

        put("torque: induction motor", 1)
        assert editor.fields["wheels"][1]["torque"] == {"kind": "induction_motor"}
        assert "wheels[1].torque.rated_power" in editor.problems
        editor.fill("wheels[1].torque.rated_power", "5.5 kW")
        put("torque: a number", 1)
        editor.wait("document.activeElement.closest('[data-place]')?.dataset.place === 'wheels[1].torque[1]'")
        assert editor.fields["wheels"][1]["torque"] == [{"kind": "induction_motor", "rated_power": "5.5 kW"}, "0 N*m"]
        put("loads: speed", 0)
        assert editor.fields["wheels"][0]["loads"] == [{"torque": {"over": "speed"}}]
        put("motion: run up", 0)
        assert [before[0]["motion"]["kind"], editor.fields["wheels"][0]["motion"]["kind"]] == [
            "constant_speed",
            "run_up",
        ]
        assert editor.actions < 20
        editor.wait("document.activeElement.closest('[data-place]')?.dataset.place.startsWith('wheels[0].motion')")
        while editor.opened.state("state")["undo"] is not None:
            editor.key("Control+z")
        assert editor.opened.state("text") == text


def darkness(editor, *points):
    """Darkness of the drawing at points [m], 0 to 255: the darkest of the 5 x 5 pixels of the page around each."""
    editor.opened.settle()
    seen = Image.open(io.BytesIO(editor.page.locator("canvas.board").screenshot())).convert("L")
    fine = editor.page.evaluate("() => devicePixelRatio")
    places = [editor.page.evaluate("p => chaindrive.pixel(...p)", point) for point in points]
    corners = [(round(x) - 2, round(y) - 2, round(x) + 3, round(y) + 3) for x, y in places]
    around = [tuple(fine * each for each in box) for box in corners]
    return [255 - seen.crop(box).getextrema()[0] for box in around]


@AT_1280
def test_a_picture_beneath_is_brought_to_scale(edited, size, tmp_path):
    """Two black squares 300 pixels apart on a white picture of 400 x 200 are 150 mm apart, the first at (0.1, 0.2)."""
    picture = Image.new("L", (400, 200), 255)
    for middle in (50, 350):
        picture.paste(0, (middle - 4, 96, middle + 5, 105))
    picture.save(tmp_path / "photo.png")
    with edited(example_path("industrial-08b").read_text("utf-8"), size) as (editor, _, _server):
        editor.open("Background drawing or photo")
        editor.write("Background picture or drawing", tmp_path / "photo.png")
        editor.wait("c.beneath")
        left, right, bottom, top = editor.opened.state("beneath")
        assert (right - left) / (top - bottom) == pytest.approx(2.0)
        editor.press("Scale", ".beneath")
        per_pixel, height = (right - left) / 400, 0.5 * (bottom + top)
        for middle in (50.5, 350.5):
            editor.click(left + per_pixel * middle, height)
        editor.write("Distance in mm", "150")
        editor.write("x of the first point in mm", "100")
        editor.write("y of the first point in mm", "200")
        editor.press("Scale", ".scale-box")
        assert editor.actions < 12
        clicked = 2e-3  # on whole pixels
        expected = (0.1 - 50.5 * 0.5e-3, 0.1 + 349.5 * 0.5e-3, 0.15, 0.25)
        assert editor.opened.state("beneath") == pytest.approx(expected, abs=clicked)
        *squares, between = darkness(editor, (0.1, 0.2), (0.25, 0.2), (0.175, 0.22))
        assert min(squares) > 100 > 60 > between
        editor.page.get_by_label("Show").uncheck()
        assert darkness(editor, (0.1, 0.2))[0] < 60


DXF = """0
SECTION
2
HEADER
9
$INSUNITS
70
4
0
ENDSEC
0
SECTION
2
ENTITIES
0
CIRCLE
8
wheels
10
200
20
150
40
50
0
LINE
8
frame
10
-100
20
0
11
400
21
0
0
SPLINE
8
frame
0
ENDSEC
0
EOF
"""


@AT_390
def test_a_layer_of_a_drawing_lies_beneath(edited, size, tmp_path):
    """In mm, at the coordinates of the drive; one layer or all; what cannot be drawn is reported."""
    (tmp_path / "engine.dxf").write_text(DXF)
    with edited(example_path("industrial-08b").read_text("utf-8"), size) as (editor, _, _server):
        editor.open("Background drawing or photo")
        editor.write("Background picture or drawing", tmp_path / "engine.dxf")
        editor.wait("c.beneath")
        assert editor.opened.state("beneath") == pytest.approx([-0.1, 0.4, 0.0, 0.2])
        assert "500 mm by 200 mm; not shown: 1 SPLINE" in editor.page.locator(".beneath").inner_text()
        editor.choose("Layer", value="wheels")
        editor.wait("c.beneath[0] > 0")
        assert editor.opened.state("beneath") == pytest.approx([0.15, 0.25, 0.1, 0.2])
        *circle, within = darkness(editor, (0.25, 0.15), (0.2, 0.2), (0.213, 0.137))
        assert min(circle) > 60 > within
        editor.choose("Unit", value="cm")
        editor.wait("c.beneath[1] > 2")
        assert editor.opened.state("beneath") == pytest.approx([1.5, 2.5, 1.0, 2.0])
        editor.page.reload()  # it stays in this browser
        editor.wait("c.beneath")
        assert editor.opened.state("beneath") == pytest.approx([1.5, 2.5, 1.0, 2.0])
        editor.open("Background drawing or photo")
        editor.press("Remove it")
        assert editor.opened.state("beneath") is None
        editor.opened.problems.clear()  # the request that waited for news as the page was loaded again


RAIL = """0
SECTION
2
ENTITIES
0
LINE
8
rail
10
200
20
-85
11
300
21
-95
0
CIRCLE
8
bolts
10
250
20
-120
40
5
0
ENDSEC
0
EOF
"""


@AT_1280
def test_a_rail_is_read_from_a_layer(edited, size, tmp_path):
    """The drawing is kept next to the drive; the rail runs with the chain, which moves to the left below its wheels."""
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "rails.dxf").write_text(RAIL)
    with edited(example_path("industrial-08b").read_text("utf-8"), size) as (editor, path, _server):
        editor.open("Background drawing or photo")
        editor.write("Background picture or drawing", tmp_path / "engine" / "rails.dxf")
        editor.wait("c.beneath")
        editor.choose("Layer", value="rail")
        editor.wait("c.beneath[2] > -0.1")
        editor._done(lambda: editor.press("Create rail"))
        assert path.with_name("rails.dxf").read_text() == RAIL
        assert editor.actions < 10
        shape = editor.fields["guides"][0]["shape"]
        assert shape == {"kind": "drawn", "file": "rails.dxf", "layer": "rail", "reverse": True, "side": "left"}
        editor.wait("c.selected === 'guides[0]'")
        assert [place for place in editor.problems if "shape" in place] == []
        path.with_name("rails.dxf").write_text("another one")
        editor.press("Create rail")
        editor.wait("c.trouble.includes('another name')")
        editor.opened.problems.clear()  # the browser's own word on the answer 422
