"""Pages omitted from the search of the site: those on how chaindrive is built, which do not help users."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

__all__ = ["INTERNALS", "is_internal", "setup"]

INTERNALS = (
    "decisions/*",
    "project/architecture",
    "project/contributing",
    "project/changes",
    "project/benchmarks",
    "validation/mutations",
    "validation/crash-safety",
)
"""Patterns of these pages. They stay in the table of contents and can be linked."""


def is_internal(docname: str) -> bool:
    """Whether a page is omitted."""
    return any(fnmatchcase(docname, pattern) for pattern in INTERNALS)


def _leave_out(app: Any, env: Any) -> None:
    for page in filter(is_internal, env.found_docs):
        env.metadata[page]["nosearch"] = "true"


def setup(app: Any) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("env-updated", _leave_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
