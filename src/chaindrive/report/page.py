"""Writes the page: template, script and style sheet in a single self-contained file."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from chaindrive.analyses.results.verdict import OF_A_WINDOW
from chaindrive.drawing.colours import RESULTS, TENSION
from chaindrive.numbers import kept_together
from chaindrive.version import __version__

__all__ = ["MARK", "finite", "header_of", "header_text", "render"]

MARK = '<meta name="generator" content="chaindrive'
"""Mark in the head of every page. It allows another report to replace the file."""
FORMAT = 1
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; font-src data:"
)


def header_of(title: str, results: Sequence[dict[str, Any]], *, live: bool = False) -> dict[str, Any]:
    """The header that the page's script reads. results: header of each result from ``payload_of``."""
    import datetime

    return {
        "format": FORMAT,
        "made": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "version": __version__,
        "title": title,
        "live": live,
        "colours": {
            "tension": list(TENSION),
            "results": [RESULTS[k % len(RESULTS)] for k in range(len(results))],
        },
        "results": list(results),
    }


def header_text(header: Any) -> str:
    """The header as JSON that is safe inside a script element: nothing in it ends the element or starts a comment. nan
    and infinity, which JSON does not have, become null.
    """
    text = json.dumps(finite(header), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return re.sub("[<>&\u2028\u2029]", lambda found: f"\\u{ord(found.group()):04x}", text)


def finite(value: Any) -> Any:
    """The data with None in place of nan and infinity, which JSON does not have."""
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value


@cache
def _asset(name: str) -> str:
    """Text of a file of the bundle, in which sequences that would end its element are escaped."""
    text = resources.files("chaindrive.report").joinpath("assets", name).read_text(encoding="utf-8")
    return re.sub(r"</(script|style)", r"<\\/\1", text, flags=re.IGNORECASE)


@cache
def _template(name: str) -> Any:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("chaindrive.report", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["kept"] = kept_together
    environment.globals["of_a_window"] = OF_A_WINDOW
    return environment.get_template(name)


def render(header: dict[str, Any], data: Sequence[str], contents: Any, template: str = "page.html.j2") -> str:
    """The page as text.

    header: from :func:`header_of`; data: blob of each result in base64; contents: contents of the page apart from the
    parts that the script draws (see ``contents.Contents``); template: name of a template of this package.
    """
    from markupsafe import Markup

    spatial = any(each["drive"]["space"] is not None for each in header["results"])
    policy = _POLICY + ("; connect-src 'self'" if header["live"] else "")
    return str(
        _template(template).render(
            policy=policy,
            header=header,
            page=contents,
            style=Markup(_asset("report.css")),  # noqa: S704  our own files, and JSON that was escaped for its place
            script=Markup(_asset("report.js")),  # noqa: S704
            space=Markup(_asset("space.js")) if spatial else None,  # noqa: S704
            header_text=Markup(header_text(header)),  # noqa: S704
            data=[Markup(each) for each in data],  # noqa: S704
        )
    )
