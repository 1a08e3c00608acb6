"""Check every page of the built site in a browser: python docs/check_pages.py build/site [PAGE ...]

No page may be nearly empty, or longer than 12 screens of 1280 x 900 pixels, and axe-core may find nothing serious or
critical on it, in light and in dark colours. Needs the extra "test", Chromium, and axe-core: ``npm ci --prefix web``.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

from gallery.screens import browser
from playwright.sync_api import Browser, Page, sync_playwright

__all__ = ["AXE", "SCREENS", "problems", "serious"]

AXE = Path(__file__).parents[1] / "web" / "node_modules" / "axe-core" / "axe.min.js"
WIDTH, HEIGHT = 1280, 900
SCREENS = 12
"""Largest length of a page. [screens]"""
LONG = ("project/", "validation/mutations", "validation/examples", "validation/rigid-links", "guide/ten-questions")
"""Beginnings of names of pages that are files of the repository, or tables and pictures that scripts write."""
LETTERS = 150
"""Least length of the text of a page. [letters]"""
NOT_PAGES = ("genindex", "py-modindex", "search")
EXAMPLES = 4
"""Number of places listed for one violation."""


def serious(page: Page) -> list[str]:
    """Violations that axe-core rates serious or critical on an open page: rule, message, and the first places."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']} ({len(each['nodes'])}): {each['help']}: "
        + "; ".join(" ".join(map(str, node["target"])) for node in each["nodes"][:EXAMPLES])
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


def problems(chromium: Browser, site: Path, names: list[str]) -> Iterator[str]:
    """The faults of the site, one sentence each."""
    page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT})  # one for all: a window takes a while to open
    for name in names:
        page.emulate_media(color_scheme="light")
        page.goto((site / f"{name}.html").resolve().as_uri())
        screens = page.evaluate("document.documentElement.scrollHeight") / HEIGHT
        letters = len(page.inner_text("article"))
        if letters < LETTERS:
            yield f"{name}: nearly empty, {letters} letters"
        if screens > SCREENS and not name.startswith(LONG):
            yield f"{name}: {screens:.1f} screens, more than {SCREENS}"
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            yield from (f"{name}, {scheme}: {each}" for each in serious(page))
    page.close()


def problems_of_part(site: Path, names: list[str]) -> list[str]:
    """The faults of a part of the pages, in a separate browser."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox", "--disable-gpu"])
        found = list(problems(chromium, site, names))
        chromium.close()
    return found


def main() -> None:
    """Print all problems; exit code 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("pages", nargs="*", help="such as guide/start; all of them where none is named")
    parser.add_argument("--every", type=int, default=1, help="look at one page in so many: all of them take minutes")
    asked = parser.parse_args()
    pages = sorted(str(path.relative_to(asked.site).with_suffix("")) for path in asked.site.rglob("*.html"))
    shown = [name for name in pages if name not in NOT_PAGES and not name.startswith(("_", "gallery/reports/"))]
    names, cores = asked.pages or shown[:: asked.every], os.cpu_count() or 1
    if not AXE.is_file():
        sys.exit(f"{AXE} is not there: npm ci --prefix web")
    with ProcessPoolExecutor(cores) as pool:
        parts = pool.map(problems_of_part, repeat(asked.site), [names[k::cores] for k in range(min(cores, len(names)))])
        found = [problem for part in parts for problem in part]
    print("\n".join(found) or f"{len(names)} pages without problems.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
