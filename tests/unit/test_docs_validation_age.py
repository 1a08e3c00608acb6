"""Pages of docs/validation state the version that made them, and are not much older than the kernels that they
judge.
"""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from datetime import date, timedelta
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER, PACKAGE = ROOT / "docs" / "validation", ROOT / "src" / "chaindrive"
LIMIT = timedelta(days=14)
"""How much older than the last change of the kernels a page may be; docs/validation/README.md states it."""
OF_NO_KERNELS = {"README.md", "mutations.md"}
"""Pages about no kernels: the list of the pages, and the page that judges tests."""
PAGES = sorted(path.name for path in FOLDER.glob("*.md") if path.name not in OF_NO_KERNELS)
MADE = re.compile(r"made on (\d{4}-\d\d-\d\d) with chaindrive (\d+\.\d+\.\d+[^\s,]*)(?: \(kernels ([0-9a-f]{20})[,)])?")
KERNEL = re.compile(r"^ *@kernel\b", re.MULTILINE)


def fault(text: str, changed: date) -> str:
    """Description of the fault of a page, empty if there is none. changed: time of the last change of the kernels."""
    found = MADE.search(text)
    if found is None:
        return "does not say when and by which version it was made"
    late = changed - date.fromisoformat(found[1])
    return f"is {late.days} days older than the kernels; make it anew" if late > LIMIT else ""


def git(*words: str) -> str:
    """Answer of git, empty without a history."""
    command = shutil.which("git")
    if command is None:
        return ""
    done = subprocess.run([command, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


@functools.cache
def last_change() -> date | None:
    """Day of the last commit that changed a file with kernels; None without the whole history."""
    if git("rev-parse", "--is-shallow-repository") != "false" or Path(git("rev-parse", "--show-toplevel")) != ROOT:
        return None
    files = [path for path in sorted(PACKAGE.rglob("*.py")) if KERNEL.search(path.read_text(encoding="utf-8"))]
    answer = git("log", "-1", "--format=%cs", "--", *(path.relative_to(ROOT).as_posix() for path in files))
    return date.fromisoformat(answer) if answer else None


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_what_made_it(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    found = MADE.search(text)
    assert fault(text, date.min) == ""
    assert found is not None
    assert found[3] is not None, "names no kernels"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_not_much_older_than_the_kernels(name: str) -> None:
    changed = last_change()
    if changed is None:
        pytest.skip("no history of the sources")
    assert fault((FOLDER / name).read_text(encoding="utf-8"), changed) == ""


def test_old_pages_and_those_without_the_words_are_noticed() -> None:
    words = "- made on 2026-11-25 with chaindrive 0.2.0 (kernels 0cc654289217a508c6f9), numpy 2.4.6"
    made = date(2026, 11, 25)
    for days in (-100, 0, 1, 14):
        assert fault(words, made + timedelta(days=days)) == ""
    assert fault(words, made + timedelta(days=15)) == "is 15 days older than the kernels; make it anew"
    for bad in ("", words.replace("2026-11-25", "yesterday"), words.replace("0.2.0", "of today"),
                words.replace("chaindrive 0.2.0", "it")):  # fmt: skip
        assert fault(bad, made).startswith("does not say")


def test_what_scripts_write_is_what_is_looked_for() -> None:
    made = pytest.importorskip("_made")
    found = MADE.search(made.made())
    assert found is not None
    assert found.groups() == (made.today(), made.chaindrive.__version__, made.kernels_digest())


def test_the_list_names_every_page_and_the_limit() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[(\S+\.md)\]", text, re.MULTILINE)
    assert {*re.findall(r"^\| \[(\S+\.md)\]", text, re.MULTILINE), "README.md"} == {*PAGES, *OF_NO_KERNELS}
    assert f"{LIMIT.days} days" in text
