"""Support for keyboards and screen readers missing in the theme and Sphinx, added to the HTML of every page.

``docs/check_pages.py`` looks for the rest, with axe-core.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["accessible", "setup"]

SCROLLS = re.compile(r'<pre>|<div class="table-wrapper[^"]*"|<div class="lines"')
"""Elements that scroll sideways if wider than the page."""
SIGNATURE = re.compile(r'<dt class="sig .*?</dt>', re.DOTALL)


def accessible(html: str) -> str:
    """The HTML with a level for every heading, boxes that the keyboard can scroll, and no list without terms.

    Sphinx writes the parameters of a long signature as a definition list that has definitions alone.
    """
    html = html.replace('role="heading">', 'role="heading" aria-level="2">')
    html = SCROLLS.sub(lambda found: f'{found[0].rstrip(">")} tabindex="0"{">" * found[0].endswith(">")}', html)
    return SIGNATURE.sub(lambda found: _without_list(found[0]), html)


def _without_list(signature: str) -> str:
    for tag, other in (("dl", 'div class="parameters"'), ("dd", "div")):
        signature = signature.replace(f"<{tag}>", f"<{other}>").replace(f"</{tag}>", "</div>")
    return signature


def _page(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    for part in ("body", "toc", "furo_navigation_tree"):
        if part in context:
            context[part] = accessible(context[part])


def setup(app: Any) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("html-page-context", _page, priority=900)  # after the theme
    return {"parallel_read_safe": True, "parallel_write_safe": True}
