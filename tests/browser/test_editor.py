"""The editor in a real browser, wide and narrow: a drive begun, moved, repaired, routed, saved, by mouse and keys."""

from __future__ import annotations

import tomllib
from contextlib import contextmanager

import pytest

from chaindrive.editor.document import Document, journal_path
from chaindrive.editor.server import EditorServer
from chaindrive.editor.session import Session
from chaindrive.model.files.text import example_path
from support.editing import Still, Threaded

WIDE, NARROW = (1280, 900), (390, 844)
SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["1280", "390"])


class Editor:
    """A page of the editor. Every gesture and every text typed is counted as an action."""

    def __init__(self, opened, address, size) -> None:
        self.opened = opened(address, size)
        self.page = self.opened.page
        self.actions = 0

    def wait(self, condition, argument=None) -> None:
        self.opened.wait_for(condition, argument)

    def leave(self) -> None:
        """Go to another page: a request that waits for news ends there, and is no problem."""
        assert self.opened.problems == []
        self.page.goto("about:blank")
        self.opened.problems.clear()

    def press(self, name, inside="body") -> None:
        self.actions += 1
        self.page.locator(inside).get_by_role("button", name=name, exact=True).click()

    def fill(self, place, text, which=0) -> None:
        """Type into the field of a place, such as wheels[1].teeth."""
        self.actions += 1
        self._done(lambda: self._type(place, text, which))

    def _type(self, place, text, which) -> None:
        field = self.page.locator(f'[data-place="{place}"]').locator("input, select").nth(which)
        field.fill(text)
        field.press("Enter")

    def _done(self, run) -> None:
        """Run what changes the file, and wait until the page has it."""
        before = self.opened.state("state")["revision"]
        run()
        self.wait("c.state.revision > x", before)

    def at(self, x, y):
        """Where a point of the drive [m] is in the window."""
        self.page.locator("canvas.board").scroll_into_view_if_needed()
        box = self.page.locator("canvas.board").bounding_box()
        px, py = self.page.evaluate("p => chaindrive.pixel(...p)", [x, y])
        return box["x"] + px, box["y"] + py

    def click(self, x, y) -> None:
        self.actions += 1
        self.page.mouse.click(*self.at(x, y))

    def drag(self, start, end) -> None:
        self.actions += 1
        self.page.mouse.move(*self.at(*start))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(*end), steps=4)
        self.wait("c.dragged")
        self._done(self.page.mouse.up)

    def key(self, keys, changes=True) -> None:
        self.actions += 1
        if changes:
            self._done(lambda: self.page.keyboard.press(keys))
        else:
            self.page.keyboard.press(keys)

    @property
    def fields(self):
        return self.opened.state("fields")

    @property
    def problems(self):
        return [each["place"] for each in self.page.evaluate("() => chaindrive.problems")]


@pytest.fixture
def edited(tmp_path, opened, monkeypatch):
    """Opens the editor of a file of this text; computes: whether its tasks are done."""

    @contextmanager
    def at(text, size=WIDE, computes=False):
        monkeypatch.setattr("chaindrive.editor.session.Worker", Threaded if computes else Still)
        monkeypatch.setattr("chaindrive.editor.session.LOOK", 0.05)
        path = tmp_path / "drive.toml"
        if text:
            path.write_text(text, encoding="utf-8")
        session = Session(path)
        with EditorServer(session) as server:
            editor = Editor(opened, server.address, size)
            editor.wait("c.state")
            yield editor, path, server
            assert editor.opened.overflow() == 0
            editor.leave()
        session.close()

    return at


@SIZES
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
        editor.press("left camshaft", "#parts")
        editor.fill("wheels[2].position", f"{heights[2] - 2.0:g} mm", which=1)
        if editor.problems:  # the chain no longer closes: its link leads to the field
            assert editor.problems == ["chain.links"]
            editor.press("chain.links", "#problems")
            editor.fill("chain.links", "auto")
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
        assert path.read_text("utf-8").startswith("# A timing drive with two camshafts.")  # with its comments


def test_parts_are_placed_moved_copied_and_removed(edited):
    """By mouse and keys; every step undone, the file is as it was, to the byte."""
    text = example_path("industrial-08b").read_text("utf-8")
    with edited(text) as (editor, _, _server):
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
        while editor.opened.state("state")["undo"] is not None:
            editor.key("Control+z")
        assert editor.opened.state("text") == text
        assert not editor.opened.state("state")["unsaved"]
        editor.key("Control+y")
        assert len(editor.fields["wheels"]) == 3


def test_the_route_is_drawn_by_clicking_wheels(edited):
    """The order of clicks is the order of the file; a second click on a wheel turns its side."""
    text = example_path("timing-06b").read_text("utf-8")
    with edited(text) as (editor, _, _server):
        names = [wheel["name"] for wheel in editor.fields["wheels"]]
        centres = [wheel["centre"] for wheel in editor.page.evaluate("() => chaindrive.sketch.wheels")]
        editor.press("Route")
        for w in (0, 2, 1):
            editor.click(*centres[w])
        editor._done(lambda: editor.click(*centres[1]))
        assert editor.fields["wheels"][1]["side"] == "back"
        editor._done(lambda: editor.press("Done"))
        assert [wheel["name"] for wheel in editor.fields["wheels"]] == [names[w] for w in (0, 2, 1)]


def test_a_guide_lies_along_its_span(edited):
    """Clicked against the route, it is written along it, on its side of the chain."""
    with edited(example_path("industrial-08b").read_text("utf-8")) as (editor, _, _server):
        editor.press("Guide")
        editor.click(0.2, -0.10)
        editor._done(lambda: editor.click(0.3, -0.10))
        shape = editor.fields["guides"][0]["shape"]
        span = next(s for s in editor.page.evaluate("() => chaindrive.sketch.routes")[0]["spans"] if s[1] < 0)
        along = 1 if span[2] > span[0] else -1
        start, end = (float(shape[key][0].split()[0]) for key in ("start", "end"))
        assert (end - start) * along > 0
        assert shape["side"] == ("right" if along > 0 else "left")


@SIZES
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
        editor.press("Take the file")
        editor.wait("c.fields.chain.links === 110 && c.fields.wheels[0].teeth === 17")
        editor.press("Undo")  # and what was typed here is back
        editor.wait("c.fields.chain.links === 108 && c.fields.wheels[0].teeth === 19")
        assert journal_path(path).exists()
        again = Document(path)  # what a program that starts now would find
        assert again.text == editor.opened.state("text")
        other.leave()
