"""CONTRIBUTING.md: how to add another item of each kind, and its checks. Everything that it names exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## Add an? (.+?)\n(.+?)(?=^## )", TEXT, re.MULTILINE | re.DOTALL))
PACKAGE = ROOT / "src" / "chaindrive"
ROOMS = [PACKAGE / "formulations" / "planar", PACKAGE / "formulations" / "roller", PACKAGE / "solvers"]
FOLDERS = [ROOT, PACKAGE, *ROOMS, *(ROOT / "tests").glob("[a-z]*/")]


@pytest.mark.parametrize("added", ["plot", "analysis", "friction form", "result channel"])
def test_it_tells_how_to_add_and_what_checks_it(added):
    how, checks = SECTIONS[added].split("What checks it: ")
    assert "`" in how
    assert re.search(r"`tests/(unit|contracts|verification)/test_\w+\.py`", checks)


@pytest.mark.parametrize("added", SECTIONS)
def test_files_that_it_names_are_there(added):
    named = re.findall(r"`([\w/.*-]+\.(?:py|md|toml)|[\w/]+/)`", SECTIONS[added])
    assert named
    assert [name for name in named if not any(any(folder.glob(name)) for folder in FOLDERS)] == []


@pytest.fixture(scope="module")
def code():
    files = [path for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py") if path != Path(__file__)]
    return set(re.findall(r"\w+", "\n".join(path.read_text(encoding="utf-8") for path in files)))


@pytest.mark.parametrize("added", SECTIONS)
def test_names_that_it_uses_are_those_of_the_code(added, code):
    names = {
        word
        for quoted in re.findall(r"`([A-Za-z_][\w.]*)`", SECTIONS[added])
        if not quoted.endswith((".py", ".md")) and "NAME" not in quoted
        for word in filter(None, quoted.split("."))
    }
    assert names - code == set()
