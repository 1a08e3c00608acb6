"""A real browser for the tests: Chromium found on the PATH or named by CHAINDRIVE_BROWSER, driven by Playwright.

Without one the tests are skipped, unless CHAINDRIVE_REQUIRE_BROWSER=1, which makes its absence a failure. What they see
is kept in build/screenshots.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--no-first-run",
)
SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
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
