"""What the search of the site leaves out: pages on how chaindrive is built, where a user who searches is not helped."""

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
"""Pages by pattern. They stay in the table of contents, and links lead there."""


def is_internal(docname: str) -> bool:
    """Whether a page is left out."""
    return any(fnmatchcase(docname, pattern) for pattern in INTERNALS)


def _leave_out(app: Any, env: Any) -> None:
    for page in filter(is_internal, env.found_docs):
        env.metadata[page]["nosearch"] = "true"


def setup(app: Any) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("env-updated", _leave_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
