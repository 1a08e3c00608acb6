"""The list of sources: every work that a page of the documentation cites by author and year is in it, and it is in
alphabetical order.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
CITED = re.compile(r"\b([A-Z][^\W\d_]+)(?: et al\.)?,? \(?((?:18|19|20)\d\d)\b(?!-)")
"""Last author (first one before "et al.") and year: "Brüls et al. (2014)", "Storn and Price 1997"."""
NO_AUTHORS = {"DTU", "ISO", "November"}
"""Words before a year that name no author."""


def plain(text: str) -> str:
    """Text without accents: "Nørsett" is "Norsett"."""
    return "".join(
        character
        for character in unicodedata.normalize("NFKD", text.replace("ø", "o"))
        if not unicodedata.combining(character)
    )


def entries() -> list[str]:
    text = (DOCS / "theory/sources.md").read_text(encoding="utf-8")
    return [plain(" ".join(entry.split())) for entry in text.split("\n- ")[1:]]


def surname(entry: str) -> str:
    """First author of an entry without initials."""
    return re.sub(r"^(?:Lord |(?:[A-Z]\.-?)+ )+| et al\.", "", entry.split(",")[0]).lower()


def test_every_cited_work_is_listed() -> None:
    sources, missing = entries(), []
    for folder in (".", "guide", "theory", "recipes", "decisions"):
        for page in sorted((DOCS / folder).glob("*.md")):
            for name, year in CITED.findall(plain(page.read_text(encoding="utf-8"))):
                if name not in NO_AUTHORS and not any(name in entry and year in entry for entry in sources):
                    missing.append(f"{page.relative_to(DOCS)}: {name} {year}")
    assert missing == []


def test_sources_are_in_alphabetical_order() -> None:
    names = [surname(entry) for entry in entries()]
    assert names == sorted(names)
    assert len(set(entries())) == len(names) > 100
