"""A page of the editor in a browser, as a user handles it."""

from __future__ import annotations

import pytest

__all__ = ["AT_390", "AT_1280", "NARROW", "SIZES", "WIDE", "Editor"]

WIDE, NARROW = (1280, 900), (390, 844)
SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["1280", "390"])
_LONG = pytest.mark.long
AT_1280 = pytest.mark.parametrize("size", [pytest.param(WIDE, id="1280"), pytest.param(NARROW, id="390", marks=_LONG)])
AT_390 = pytest.mark.parametrize("size", [pytest.param(WIDE, id="1280", marks=_LONG), pytest.param(NARROW, id="390")])
"""One width by default, where other tests show this part of the page at the other one. What differs with the width
(layout, touch in place of the mouse) is tested at both: ``SIZES``.
"""


class Editor:
    """A page of the editor. Every gesture and every typed text counts as an action."""

    def __init__(self, opened, address, size) -> None:
        self.opened = opened(address, size)
        self.page = self.opened.page
        self.actions = 0

    def wait(self, condition, argument=None) -> None:
        self.opened.wait_for(condition, argument)

    def leave(self) -> None:
        """Go to another page: a waiting request for news ends there, which is not an error."""
        assert self.opened.problems == []
        self.page.goto("about:blank")
        self.opened.problems.clear()

    def press(self, name, inside="body") -> None:
        self.actions += 1
        self.page.locator(inside).get_by_role("button", name=name, exact=True).click()

    def open(self, words) -> None:
        """Click a text, such as that of a part of the page that is folded."""
        self.actions += 1
        self.page.get_by_text(words).click()

    def write(self, label, text) -> None:
        """Type into the field with a label: a text, a number, or the name of a file."""
        self.actions += 1
        field = self.page.get_by_label(label)
        (field.fill if isinstance(text, str) else field.set_input_files)(text)

    def choose(self, name, **option) -> None:
        """Choose from a list by its label; option: ``label`` or ``value``."""
        self.actions += 1
        self.page.get_by_label(name).select_option(**option)

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
        """Position in the window of a point of the drive [m]."""
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
