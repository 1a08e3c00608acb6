"""The steps of a new user from the installation to the report of a timing drive, in the editor and by commands. The
drive is given by a drawing: the crankshaft turns at 4000 rpm, and two camshafts are 150 mm apart and 372 mm above it,
the left one 2 mm lower. All clicks and key presses are really performed and counted, and all waiting times really pass.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

__all__ = ["Step", "commands", "editor", "installed"]

DRAWING = {"speed": "4000 rpm", "height": "372 mm", "spacing": "150 mm"}
"""Data from the drawing, as answers to the questions of the template ``timing``."""
LOWER = 2.0
"""Offset of the left camshaft downwards. [mm]"""
PATIENCE = 900.0
"""Time limit for the longest of the steps, a run with compiled kernels. [s]"""
SIZE = {"width": 1280, "height": 900}
COLOURS = 96


class Step(NamedTuple):
    """An action, its clicks and keys, and the time of the machine. [s]"""

    what: str
    clicks: int
    keys: int
    seconds: float


def installed(folder: Path, what: list[str], words: str) -> list[Step]:
    """Create an environment in a folder and install the requirements there, with nothing downloaded before.

    words: the command as a user types it.
    """
    found = []
    pip = [str(folder / "bin" / "pip"), "install", "--quiet", "--no-cache-dir"]
    made = "python3 -m venv .venv && . .venv/bin/activate"
    for typed, line in ((made, [sys.executable, "-m", "venv", str(folder)]), (words, [*pip, *what])):
        begun = time.perf_counter()
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
        found.append(Step(f"`{typed}`", 0, len(typed) + 1, time.perf_counter() - begun))
    return found


def _alone(environment: Path, home: Path) -> dict[str, str]:
    """Environment variables of a new user: this environment first on the path, an empty home folder."""
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
    path = os.pathsep.join([str(environment / "bin"), "/usr/local/bin", "/usr/bin", "/bin"])
    return kept | {"PATH": path, "HOME": str(home), "COLUMNS": "100"}


def commands(environment: Path, folder: Path, report: Callable[[Path], None]) -> list[Step]:
    """The steps with commands and a text editor. report: opens the report in a browser and waits until it is drawn."""
    folder.mkdir()
    around, found = _alone(environment, folder / "home"), []

    def typed(line: str, succeeds: bool = True) -> str:
        begun = time.perf_counter()
        done = subprocess.run(shlex.split(line), cwd=folder, env=around, capture_output=True, text=True, check=False)
        found.append(Step(f"`{line}`", 0, len(line) + 1, time.perf_counter() - begun))
        if (done.returncode == 0) != succeeds:
            raise RuntimeError(f"{line}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    answers = " ".join(f'--set {name}="{value}"' for name, value in DRAWING.items())
    typed(f"chaindrive new timing {answers} --defaults")
    file = folder / "timing.toml"
    text = file.read_text(encoding="utf-8")
    place = re.compile(r'(name = "left camshaft"\n(?:.*\n)*?position = \[".*?", ")([\d.]+)( mm"\])')
    height = float(place.search(text)[2])  # type: ignore[index]  (a template without it is an error here)
    text = place.sub(lambda m: f"{m[1]}{height - LOWER:g}{m[3]}", text, count=1)
    links = re.compile(r"^links = \d+", re.MULTILINE)
    begun = time.perf_counter()
    file.write_text(links.sub('links = "auto"', text, count=1), encoding="utf-8")
    keys = len(f"{height - LOWER:g}") + len('"auto"')
    words = 'in a text editor: change the height of the left camshaft, enter `"auto"` for `links`, and save'
    found.append(Step(words, 4, keys + 1, time.perf_counter() - begun))
    typed("chaindrive check timing.toml")
    typed("chaindrive run timing.toml --report")
    begun = time.perf_counter()
    report(folder / "timing.html")
    found.append(Step("open `timing.html`", 2, 0, time.perf_counter() - begun))
    return found


@contextmanager
def _served(environment: Path, folder: Path) -> Iterator[str]:
    """``chaindrive edit`` of a new file, and the address that it prints."""
    line = ["chaindrive", "edit", "my-engine.toml", "--no-browser"]
    around = _alone(environment, folder / "home")
    with subprocess.Popen(
        [str(environment / "bin" / line[0]), *line[1:]], cwd=folder, env=around, stdout=subprocess.PIPE, text=True
    ) as program:
        try:
            assert program.stdout is not None
            said = ""
            while not (found := re.search(r"http://\S+", said)):
                said += program.stdout.readline()
                if program.poll() is not None:
                    raise RuntimeError(f"chaindrive edit ended: {said}")
            yield found[0]
        finally:
            program.terminate()


class Hand:
    """Mouse and keyboard on a page; counts the actions and measures the time of the page."""

    def __init__(self, page: Any) -> None:
        self.page, self.steps = page, []
        self._begin()

    def _begin(self) -> None:
        self._clicks = self._keys = 0
        self._begun = time.perf_counter()

    def did(self, what: str) -> None:
        """End a step."""
        self.steps.append(Step(what, self._clicks, self._keys, time.perf_counter() - self._begun))
        self._begin()

    def click(self, element: Any) -> None:
        """Click on the middle of an element."""
        self._clicks += 1
        element.click()

    def press(self, name: str, inside: str = "body") -> None:
        """Click a button by its name."""
        self.click(self.page.locator(inside).get_by_role("button", name=name, exact=True))

    def replace(self, field: Any, text: str, enter: bool = True) -> None:
        """Click on a field, select its content and type over it."""
        self.click(field)
        self.keys("Control+a", *text, *(["Enter"] if enter else []))

    def keys(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self._keys += 1
            self.page.keyboard.press(key)

    def wait(self, condition: str) -> None:
        """Wait until an expression in ``c``, the state of the page, is true."""
        self.page.wait_for_function(f"() => {{ const c = window.chaindrive; return c && ({condition}); }}")


def editor(environment: Path, folder: Path, browser: Any, pictures: Path | None = None) -> list[Step]:
    """The steps in the editor, from its command to the report in a new tab. pictures: folder for screenshots."""
    folder.mkdir()
    words, begun = "chaindrive edit my-engine.toml", time.perf_counter()
    with _served(environment, folder) as address:
        context = browser.new_context(viewport=SIZE)
        context.set_default_timeout(1000.0 * PATIENCE)
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("html[data-chaindrive=ready]")
        hand = Hand(page)
        first = Step(f"`{words}`; the page appears", 0, len(words) + 1, time.perf_counter() - begun)

        def photograph(name: str) -> None:
            if pictures is not None:
                _photograph(hand.page, pictures / f"first-report-{name}.png")
            hand._begin()

        hand.press("timing")
        for name, value in DRAWING.items():
            hand.replace(page.locator(f"#question-{name}"), value, enter=False)
        hand.did("*timing*; enter speed, height and distance from the drawing")
        photograph("begin")
        hand.press("Draw it")
        hand.wait("c.fields.wheels")
        hand.did("*Draw it*")
        _lowered(hand)
        hand.wait("c.state.tasks.check.state === 'done' && c.state.tasks.check.revision === c.state.revision")
        hand.did("wait until tensions and natural frequencies at rest are shown")
        hand.wait("c.state.tasks.short.state === 'done' && c.state.tasks.short.revision === c.state.revision")
        hand.did("wait until the verdict of the short run is shown")
        photograph("short-run")
        hand.press("Save")
        hand.wait("!c.state.unsaved")
        hand.did("*Save*")
        hand.press("Run")
        page.get_by_role("link", name="Open the report").wait_for()
        hand.did("*Run*, and wait until it has ended")
        with context.expect_page() as opened:
            hand.click(page.get_by_role("link", name="Open the report"))
        hand.page = opened.value
        hand.wait("c.frames > 1")
        hand.did("*Open the report*")
        photograph("report")
        context.close()
    return [first, *hand.steps]


def _lowered(hand: Hand) -> None:
    """Lower the left camshaft; if the chain no longer closes, let the number of links be found from the route."""
    page = hand.page
    hand.press("left camshaft", "#parts")
    w = page.evaluate("() => chaindrive.fields.wheels.findIndex(wheel => wheel.name === 'left camshaft')")
    height = float(page.evaluate("w => chaindrive.fields.wheels[w].position[1]", w).split()[0])
    before = page.evaluate("() => chaindrive.state.revision")
    hand.replace(page.locator(f'[data-place="wheels[{w}].position"] input').nth(1), f"{height - LOWER:g} mm")
    hand.wait(f"c.state.revision > {before}")
    hand.did(f"lower the left camshaft by {LOWER:g} mm")
    if page.evaluate("() => chaindrive.problems.length"):
        hand.press("chain.links", "#problems")
        before = page.evaluate("() => chaindrive.state.revision")
        hand.keys("Control+a", *"auto", "Enter")
        hand.wait(f"c.state.revision > {before}")
        hand.did("the problem *chain.links*: enter `auto` in the field to which it leads")
    assert page.evaluate("() => chaindrive.problems") == []


def _photograph(page: Any, path: Path) -> None:
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.resize((SIZE["width"] * 3 // 4, SIZE["height"] * 3 // 4)).quantize(COLOURS).save(path, optimize=True)
