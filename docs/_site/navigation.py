"""The navigation beside a page opens the branch of that page alone.

Otherwise every page would hold links to all the others: two thirds of its text, and much of the time of a build.
"""

from __future__ import annotations

from typing import Any

__all__ = ["setup"]


def _own_branch(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    if whole := context.get("toctree"):
        context["toctree"] = lambda **options: whole(**options | {"collapse": True})


def setup(app: Any) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("html-page-context", _own_branch, priority=100)  # before the theme asks for it
    return {"parallel_read_safe": True, "parallel_write_safe": True}
