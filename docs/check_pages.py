"""Look at every page of the built site in a browser: python docs/check_pages.py build/site [PAGE ...]

No page may be nearly empty, or longer than 12 screens of 1280 x 900 pixels, and axe-core may find nothing serious or
critical on it, in light and in dark colours. Needs the extra "test", Chromium, and axe-core: ``npm ci --prefix web``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from gallery.screens import browser
from playwright.sync_api import Browser, Page, sync_playwright

__all__ = ["AXE", "SCREENS", "problems", "serious"]

AXE = Path(__file__).parents[1] / "web" / "node_modules" / "axe-core" / "axe.min.js"
WIDTH, HEIGHT = 1280, 900
SCREENS = 12
"""Length of a page. [screens]"""
LONG = ("project/", "validation/mutations", "validation/examples", "validation/rigid-links", "guide/ten-questions")
"""Beginnings of names of pages that are files of the repository, or tables and pictures that scripts write."""
LETTERS = 150
"""Length of the text of a page, at least."""
NOT_PAGES = ("genindex", "py-modindex", "search")
EXAMPLES = 4
"""Places that are named of one violation."""


def serious(page: Page) -> list[str]:
    """What axe-core calls serious or critical on an open page: rule, what it says, and the first places."""
    if not AXE.is_file():
        raise SystemExit(f"{AXE} is not there: npm ci --prefix web")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']} ({len(each['nodes'])}): {each['help']}: "
        + "; ".join(" ".join(map(str, node["target"])) for node in each["nodes"][:EXAMPLES])
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


def problems(chromium: Browser, site: Path, names: list[str]) -> Iterator[str]:
    """What is wrong, one sentence each."""
    for name in names:
        for scheme in ("light", "dark"):
            page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme=scheme)
            page.goto((site / f"{name}.html").resolve().as_uri())
            screens = page.evaluate("document.documentElement.scrollHeight") / HEIGHT
            letters = len(page.inner_text("article"))
            if scheme == "light" and letters < LETTERS:
                yield f"{name}: nearly empty, {letters} letters"
            if scheme == "light" and screens > SCREENS and not name.startswith(LONG):
                yield f"{name}: {screens:.1f} screens, more than {SCREENS}"
            yield from (f"{name}, {scheme}: {each}" for each in serious(page))
            page.close()


def main() -> None:
    """Print all problems; exit code 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("pages", nargs="*", help="such as guide/start; all of them where none is named")
    parser.add_argument("--every", type=int, default=1, help="look at one page in so many: all of them take minutes")
    asked = parser.parse_args()
    pages = sorted(str(path.relative_to(asked.site).with_suffix("")) for path in asked.site.rglob("*.html"))
    shown = [name for name in pages if name not in NOT_PAGES and not name.startswith(("_", "gallery/reports/"))]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox", "--disable-gpu"])
        found = False
        for problem in problems(chromium, asked.site, asked.pages or shown[:: asked.every]):
            found = True
            print(problem, flush=True)
        chromium.close()
    sys.exit(found)


if __name__ == "__main__":
    main()
