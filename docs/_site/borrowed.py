"""Pages of the site that are files of the repository outside of docs/: the same text, with links adjusted."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

__all__ = ["PAGES", "borrowed", "setup"]

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "project/architecture": "ARCHITECTURE.md",
    "project/contributing": "CONTRIBUTING.md",
    "project/changes": "CHANGELOG.md",
    "project/benchmarks": "benchmarks/README.md",
}
_LINK = re.compile(r"(?<=\]\()([^)#:\s]+)(?=[)#])")


def borrowed(docname: str) -> str:
    """The text of the page."""
    source = ROOT / PAGES[docname]
    here = (ROOT / "docs" / docname).parent
    text = source.read_text(encoding="utf-8")
    return _LINK.sub(lambda found: _led_on(found.group(1), source, here), text)


def _led_on(address: str, source: Path, here: Path) -> str:
    """The link relative to the page."""
    target = (source.parent / address).resolve()
    if target.is_dir():
        target = next(iter(sorted(target.glob("*.md"))), target)
    own = {(ROOT / path).resolve(): ROOT / "docs" / f"{name}.md" for name, path in PAGES.items()}
    return os.path.relpath(own.get(target, target), here)


def _read(app: Any, docname: str, source: list[str]) -> None:
    if docname in PAGES:
        source[0] = borrowed(docname)
        app.env.note_dependency(str(ROOT / PAGES[docname]), docname=docname)


def setup(app: Any) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
