"""Measured numbers on the pages of the documentation: a script writes them, or the page says when and by which version
they were made. Pages of docs/validation have a test of their own, test_docs_validation_age.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
ELSEWHERE = ("api", "decisions", "notebooks", "project", "validation")
MADE = re.compile(r"\b[Mm]ade\s+on\s+\d{4}-\d\d-\d\d\s+with\s+chaindrive\s+\d+\.\d+\.\d+")
MEASURED = re.compile(
    r"""\bCPU\b | \b\d+\ steps\ of\b | [\d.]\ µs\b | \btook\ [\d.]  # what a run costs
    | ^\ *[✓!✗–]\ .*\d | lost\ at\ \[ | unbalanced\ force\D*\d | <!--\ (?:printed|measured)  # what a command prints
    | \blose[s]?\ [\d.]+\ W | \bworth\ [\d.]+\ \w | [\d.]+\ (?:and|or)\ [\d.]+\ kN | [\d.]+\ kN\ (?:instead|at\ speed)
    """,
    re.VERBOSE | re.MULTILINE,
)
"""Numbers that only a run can have given. The pattern need not find every such number of a page, only every such
page.
"""
QUOTED = {
    "theory/chain.md": "validation/marine-drives.md",
    "theory/corrections.md": "validation/marine-drives.md",
    "theory/teeth.md": "validation/marine-drives.md",
}
"""Pages that repeat numbers of a page of docs/validation, to which they link."""
SCRIPTS = {
    "guide/compare.md": "guide/compare.py",
    "guide/ten-questions.md": "guide/ten_questions.py",
    "recipes": "recipes/make.py",
}
"""Pages, or folders of pages, that a script writes as a whole."""


def text_of(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def fault(name: str, text: str) -> str:
    """Description of missing content on a page, empty if complete."""
    if MEASURED.search(text) is None or MADE.search(text) is not None:
        return ""
    if name in QUOTED:
        return "" if Path(QUOTED[name]).name in text else f"does not lead to {QUOTED[name]}"
    script = SCRIPTS.get(name, SCRIPTS.get(name.split("/", maxsplit=1)[0]))
    return "" if script is not None else "neither a script makes its numbers nor does it say when they were made"


PAGES = sorted(
    name
    for name in (path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    if name.split("/", maxsplit=1)[0] not in (*ELSEWHERE, "_site")
)


@pytest.mark.parametrize("name", PAGES)
def test_numbers_are_made_by_a_script_or_have_a_date(name: str) -> None:
    assert fault(name, text_of(name)) == ""


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_scripts_write_their_pages(name: str) -> None:
    script = text_of(SCRIPTS[name])
    assert "write_text" in script
    assert (Path(name).name if name.endswith(".md") else '"*.md"') in script


@pytest.mark.parametrize("name", [name for name in PAGES if "<!-- measured: " in text_of(name)])
def test_measured_tables_have_their_date_and_a_script(name: str) -> None:
    script = "".join(path.read_text(encoding="utf-8") for path in DOCS.glob(name.removesuffix(".md") + "*.py"))
    parts = re.findall(r"<!-- measured: (\w+) -->(.*?)<!-- end -->", text_of(name), re.DOTALL)
    assert parts
    for part, table in parts:
        assert MADE.search(table), part
        assert f'"{part}"' in script


def test_a_page_without_either_is_noticed() -> None:
    for told in ("takes 3 s of CPU", "| 216 | 1.9 µs |", " ✓ Steady  0.41 %", "71 and 132 kN", "cogs lose 2.6 W"):
        assert fault("guide/new.md", told).startswith("neither")
        assert fault("guide/new.md", f"{told}\n\nMade on 2026-11-26 with chaindrive 0.2.0 (kernels 1).") == ""
    assert fault("theory/teeth.md", "worth 0.7 kN").startswith("does not lead")
    assert fault("guide/new.md", 'tension = "3 kN"  # limit') == ""
