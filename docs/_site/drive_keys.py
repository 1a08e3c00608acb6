"""Every table and key of a file (drive or study) as Markdown, read from the models, so that the page is always
current.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from chaindrive.model.files.keys import DISCRIMINATORS, Key, Table, tables

__all__ = ["Key", "Table", "as_markdown", "shown", "tables"]

_STAR = re.compile(r"(?<!\w)\*(?!\w)|(?<=\w)\*(?=\w)")


def as_markdown(listed: Iterable[Table], level: int = 2) -> str:
    """Tables with their headings, in Markdown."""
    return "\n\n".join(_section(table, level) for table in listed) + "\n"


def _section(table: Table, level: int) -> str:
    kind = next((f"`{key.name} = {key.allowed.strip('`')}`" for key in table.keys if _tells_kind(table, key)), "")
    first = shown(table.paths[0]) if table.paths[0] else "Top level"
    heading = f"{'#' * level} {first}{', ' + kind if kind else ''}"
    also = [path for path in table.paths[1:] if path]
    lines = [heading, "", _prose(table.text)]
    if also:
        lines += ["", "The same table is also allowed at " + ", ".join(shown(path) for path in also) + "."]
    lines += ["", "| key | unit | default | allowed | meaning |", "|:--|:--|:--|:--|:--|"]
    for key in table.keys:
        cells = (f"`{key.name}`", f"`{key.unit}`" if key.unit else "", key.default or "**required**", key.allowed)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in (*cells, _prose(key.text))) + " |")
    return "\n".join(lines)


def _tells_kind(table: Table, key: Key) -> bool:
    """Whether this key distinguishes a table from the others allowed in the same place."""
    return key.name in DISCRIMINATORS


def shown(path: str) -> str:
    """A path as it is written in a file."""
    plain = path.replace("[]", "")
    return f"`[[{plain}]]`" if path.endswith("[]") else f"`[{plain}]`"


def _prose(text: str) -> str:
    """A docstring as Markdown: only code in backticks has a meaning."""
    marked = text.replace("``", "`").replace(":attr:`", "`").replace(":class:`", "`")
    return "".join(f"`{part}`" if i % 2 else _escaped(part) for i, part in enumerate(marked.split("`")))


def _escaped(part: str) -> str:
    return _STAR.sub(r"\\*", part).replace("_", "\\_").replace("<", "&lt;").replace("$", "\\$").replace("[", "\\[")
