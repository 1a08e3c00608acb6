"""A real browser for the tests: Chromium found on the PATH or named by CHAINDRIVE_BROWSER, driven by Playwright.

Without one the tests are skipped, unless CHAINDRIVE_REQUIRE_BROWSER=1, which makes its absence a failure. What they see
is kept in build/screenshots; pictures of whole pages, which take some seconds each, if CHAINDRIVE_WHOLE_PAGES=1.
"""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import chaindrive
from chaindrive.report import write_report
from support.editing import Still, Threaded
from support.editor_page import NARROW, WIDE, Editor
from support.shared_runs import SharedRuns, once

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
USUALLY_OFF = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,"
    "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch"
)
"""Features that Playwright switches off. Chromium reads the last list alone, so this one repeats them."""
UNSEEN = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess"
"""Two pages for the address bar and a spare process: never seen, they take half of the CPU time of opening a report."""
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--no-first-run",
    f"--disable-features={USUALLY_OFF},{UNSEEN}",
)
UNTIL = 0.15
"""End of the runs under observation. [s]"""
PATIENCE = 240.0
"""Longest wait for anything in a page, on a machine that is also doing other work. [s]"""
SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.parent == here:
            item.add_marker(pytest.mark.browser)


def _absent(reason: str) -> None:
    if os.environ.get("CHAINDRIVE_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{reason}; CHAINDRIVE_REQUIRE_BROWSER=1 wants one")
    pytest.skip(reason)


def executable() -> str:
    """The browser on this machine; skips or fails where there is none."""
    named = os.environ.get("CHAINDRIVE_BROWSER")
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        what = f"CHAINDRIVE_BROWSER names no program ({named})" if named else f"no browser here ({', '.join(NAMES)})"
        _absent(what)
    return str(found)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = executable()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _absent('Playwright is not installed: pip install -e ".[test]"')
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
        yield made
        made.close()


@pytest.fixture(scope="session")
def screenshots() -> Path:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS


class Opened:
    """A page in the browser, and everything that went wrong in it."""

    def __init__(self, context: Any, address: str) -> None:
        self.address = address
        self.problems: list[str] = []
        self.page = context.new_page()
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.problems.append(f"exception: {error}"))
        self.page.on("dialog", self._refuse_dialog)
        self.page.on("requestfailed", lambda request: self.problems.append(f"failed request: {request.url[:200]}"))
        self.page.route("**/*", self._watch)
        self.page.goto(address)

    def _hear(self, said: Any) -> None:
        """Collect errors and warnings, except those of the graphics driver about screenshots."""
        if said.type in ("error", "warning") and "GPU stall due to ReadPixels" not in said.text:
            self.problems.append(said.text)

    def _refuse_dialog(self, dialog: Any) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _watch(self, route: Any) -> None:
        """Let nothing through but the page itself and the files next to it under its own address."""
        url = route.request.url
        if url.partition("#")[0] == self.address.partition("#")[0] or (
            self.address.startswith("http:") and url.startswith(self.address)
        ):
            route.continue_()
        else:
            self.problems.append(f"request to {url[:200]}")
            route.abort()

    def state(self, name: str) -> Any:
        """State that the page reports: time, frame, frames, playing, picked, zoom ..."""
        return self.page.evaluate("name => window.chaindrive[name]", name)

    def wait_for(self, condition: str, argument: Any = None) -> None:
        """Wait until an expression of ``c`` (the state of the page) and ``x`` holds."""
        script = f"x => {{ const c = window.chaindrive; return c && ({condition}); }}"
        self.page.wait_for_function(script, arg=argument)

    def settle(self) -> None:
        """Wait until everything requested is drawn."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def button(self, name: str) -> Any:
        """A button of the transport, by the beginning of its name."""
        return self.page.locator(f'#stage button[aria-label^="{name}"]').first

    def scrub(self) -> Any:
        return self.page.locator("#stage input[type=range]")

    def canvas(self, result: int = 0) -> Any:
        return self.page.locator("#stage canvas").nth(result)

    def click_part(self, kind: str, index: int, result: int = 0) -> None:
        """Click or tap where a part of the drive is drawn."""
        x, y = self.page.evaluate("a => window.chaindrive.place(...a)", [result, kind, index])
        touch = self.page.evaluate("() => navigator.maxTouchPoints > 0")
        (self.canvas(result).tap if touch else self.canvas(result).click)(position={"x": x, "y": y})

    def colours(self, result: int = 0) -> int:
        """Number of different colours on a canvas."""
        return int(
            self.canvas(result).evaluate(
                """canvas => {
                    const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
                    const found = new Set();
                    for (let i = 0; i < data.length; i += 4) found.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
                    return found.size;
                }"""
            )
        )

    def keep(self, path: Path) -> None:
        """Scroll through the page, so that all its charts are drawn; with CHAINDRIVE_WHOLE_PAGES=1 take a picture of
        it.
        """
        height = self.page.evaluate("() => document.documentElement.scrollHeight")
        window = self.page.viewport_size["height"]
        for top in range(0, height, window):
            self.page.evaluate("top => window.scrollTo({top, behavior: 'instant'})", top)
            self.settle()
        self.page.evaluate("() => window.scrollTo({top: 0, behavior: 'instant'})")
        if os.environ.get("CHAINDRIVE_WHOLE_PAGES") != "1":
            return
        unstuck = (
            ".transport .bar, nav { position: static !important }"  # what sticks to the window covers other things
        )
        self.page.screenshot(path=path, full_page=True, scale="css", style=unstuck)

    def overflow(self) -> int:
        """Number of pixels by which the page is wider than its window."""
        return int(
            self.page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        )


Open = Callable[..., Opened]
SIGHTS = pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param(WIDE, "light", id="1280-light"),
        pytest.param(NARROW, "dark", id="390-dark"),
        pytest.param(WIDE, "dark", id="1280-dark", marks=pytest.mark.long),
        pytest.param(NARROW, "light", id="390-light", marks=pytest.mark.long),
    ],
)
"""Window sizes and colour schemes: each once by default."""


@pytest.fixture
def opened(browser: Any) -> Iterator[Open]:
    """Opens files and addresses; checks at the end that nothing went wrong in any page."""
    contexts, pages = [], []

    def open_page(what: Path | str, size: tuple[int, int] = WIDE, **options: Any) -> Opened:
        phone = {"device_scale_factor": 2, "is_mobile": True, "has_touch": True} if size == NARROW else {}
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **phone, **options)
        context.set_default_timeout(1000.0 * PATIENCE)
        contexts.append(context)
        page = Opened(context, what.resolve().as_uri() if isinstance(what, Path) else what)
        pages.append(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [problem for page in pages for problem in page.problems] == []


@pytest.fixture(scope="session")
def run_of(shared_runs: SharedRuns) -> Callable[[str], chaindrive.Solution]:
    """A short run of an example, made once."""

    @functools.cache
    def made(name: str) -> chaindrive.Solution:
        return shared_runs.run(name, UNTIL)

    return made


@pytest.fixture(scope="session")
def report_of(run_of: Callable[[str], chaindrive.Solution], shared_runs: SharedRuns) -> Callable[..., Path]:
    """The report of one or several examples, made once."""

    def made(*names: str) -> Path:
        path = shared_runs.folder / f"{'+'.join(names)}.html"
        return once(path, lambda part: write_report([run_of(name) for name in names], part))

    return made


@pytest.fixture
def edited(tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch, record_property: Any) -> Callable[..., Any]:
    """Opens the editor of a file of this text; computes: whether its tasks are done."""

    @contextmanager
    def at(text: str, size: tuple[int, int] = WIDE, computes: bool = False) -> Iterator[tuple[Editor, Path, Any]]:
        from chaindrive.editor.server import EditorServer
        from chaindrive.editor.session import Session

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
            record_property("actions", editor.actions)
            assert editor.opened.overflow() == 0
            editor.leave()
        session.close()

    return at
