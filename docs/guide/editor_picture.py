"""Take the picture of "Draw a drive in the browser": python docs/guide/editor_picture.py

It needs Chromium and Playwright, as the tests in a browser do.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from chaindrive.editor.server import EditorServer
from chaindrive.editor.session import Session
from chaindrive.model.files.text import example_path

PICTURE = Path(__file__).resolve().parent / "pictures" / "editor.png"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
SIZE = {"width": 1280, "height": 960}
PATIENCE = 300.0
"""Longest time that the tasks of the page may take. [s]"""
DONE = """() => {
  const { tasks, revision } = window.chaindrive.state;
  return [tasks.check, tasks.short].every(task => task.state === "done" && task.revision === revision);
}"""


def main() -> None:
    """Take the picture: the timing drive with a camshaft selected, after the check and the short run."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    assert program is not None, "no browser here"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "timing-06b.toml"
        path.write_bytes(example_path("timing-06b").read_bytes())
        session = Session(path)
        try:
            with EditorServer(session) as server, sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
                page = browser.new_page(viewport=SIZE)
                page.goto(server.address)
                page.wait_for_selector("html[data-chaindrive=ready]")
                end = time.monotonic() + PATIENCE
                while not page.evaluate(DONE):
                    assert time.monotonic() < end, page.evaluate("() => window.chaindrive.state.tasks")
                    page.wait_for_timeout(200)
                page.locator("#parts").get_by_role("button", name="intake camshaft", exact=True).click()
                page.wait_for_timeout(500)
                page.screenshot(path=PICTURE)
                browser.close()
        finally:
            session.close()
    Image.open(PICTURE).convert("RGB").quantize(96).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
