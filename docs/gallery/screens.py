"""Make the pictures of reports: python docs/gallery/screens.py (needs the extra "test" and Chromium)

The report of a short run of an example is opened in a browser and photographed: its verdict, and the instant of
its largest link tension; one with links in space is photographed in 3-D.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import chaindrive as cd
from chaindrive.report import write_report

FOLDER = Path(__file__).parent / "pictures"
COLOURS = 256
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
RUNS = {"timing-06b": 0.3, "bicycle-50x19": 0.5}
"""Examples shown, and their simulated times. [s]"""
IN_SPACE = ("bicycle-50x19",)


def browser() -> str:
    """Return the path of the installed browser, or of the one named by CHAINDRIVE_BROWSER."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    path = os.environ.get("CHAINDRIVE_BROWSER") or found
    if path is None:
        raise SystemExit("no Chromium found: install it, or name it in CHAINDRIVE_BROWSER")
    return path


def photograph(page: Page, selector: str, name: str) -> None:
    """Write one part of the page as a small PNG file."""
    part = page.locator(selector).first
    for _ in range(2):  # sections are drawn, and change their height, when they come into view
        part.scroll_into_view_if_needed()
        page.wait_for_timeout(500)
    picture = Image.open(io.BytesIO(part.screenshot())).convert("RGB")
    picture.quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)
    print(f"{name}.png: {(FOLDER / f'{name}.png').stat().st_size / 1e3:.0f} kB, {picture.size}")


def main() -> None:
    """Make all pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox", "--disable-gpu"])
        for name, until in RUNS.items():
            report = Path(folder) / f"{name}.html"
            write_report(cd.simulate(cd.example(name), until=until), report)
            page = chromium.new_page(viewport={"width": 1180, "height": 900})
            page.goto(report.as_uri())
            page.wait_for_selector("#stage canvas")
            if name not in IN_SPACE:
                photograph(page, "section:has(> .tiles)", f"report-{name}-verdict")
            page.locator("button.jump").first.click()
            page.wait_for_timeout(1500)
            if name in IN_SPACE:
                page.get_by_role("button", name="3-D").click()
                page.wait_for_timeout(1500)
            photograph(page, "#stage", f"report-{name}")
            if name not in IN_SPACE:
                photograph(page, "section:has(#loop)", f"report-{name}-loop")
        chromium.close()


if __name__ == "__main__":
    main()
