"""Pages written while the site is built: one for each module of the Python reference, group of keys, and notebook.

They are next to the hand-written pages and are not under version control. One page for all of them would be a hundred
screens long.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from _site import notebooks
from chaindrive.model.files.keys import Table, tables

__all__ = ["key_groups", "modules_below", "pages", "setup", "summary"]

DOCS = Path(__file__).resolve().parents[1]
MODULES, KEYS, NOTEBOOKS = "api/modules", "guide/keys", "notebooks"
DIRECTIVE = re.compile(r"^```\{public-(names|package)\} (.+)$", re.MULTILINE)
SPLIT = 8
"""Number of tables in a group of keys above which it is divided by the next part of their paths."""
LONGEST = 75
"""Number of keys in a group above which it is divided by the kinds of its tables."""


def pages() -> dict[str, str]:
    """The text of every generated page, by its name."""
    found = {f"{KEYS}/{name}": _key_page(name, group) for name, group in key_groups().items()}
    for path in sorted(notebooks.FOLDER.glob("*.ipynb")):
        found[f"{NOTEBOOKS}/{path.stem}"] = notebooks.as_markdown(notebooks.read(path), path.stem)
    for page in sorted((DOCS / "api").glob("*.md")):
        for kind, names in DIRECTIVE.findall(page.read_text(encoding="utf-8")):
            listed = names.split() if kind == "names" else list(modules_below(names))
            found |= {f"{MODULES}/{name}": f"# {name}\n\n```{{module-names}} {name}\n```\n" for name in listed}
    return found


def modules_below(package: str) -> Iterator[str]:
    """Every module of a package, and of the packages in it, that has public names."""
    inside = importlib.import_module(package).__path__
    for found in sorted(pkgutil.iter_modules(inside, f"{package}."), key=lambda each: each.name):
        if found.ispkg:
            yield from modules_below(found.name)
        elif getattr(importlib.import_module(found.name), "__all__", ()):
            yield found.name


def summary(name: str) -> str:
    """The first sentence of a module."""
    text = " ".join((inspect.getdoc(importlib.import_module(name)) or "").split("\n\n")[0].split())
    return text.replace("``", "`").replace("|", "\\|")


def key_groups() -> dict[str, list[Table]]:
    """Tables of a drive's file except the top level, by the name of their page: the beginning of their path."""
    from chaindrive.model import Drive

    found: dict[str, list[Table]] = {}
    for table in tables(Drive):
        if table.paths[0]:
            found.setdefault(_begins(table, 1), []).append(table)
    for name in [name for name, group in found.items() if len(group) > SPLIT]:
        for table in found.pop(name):
            found.setdefault(_begins(table, 2), []).append(table)
    for name in [name for name, group in found.items() if sum(len(table.keys) for table in group) > LONGEST]:
        for table in found.pop(name):
            kind = next((key.allowed.strip('`"') for key in table.keys if key.name == "kind"), "")
            found.setdefault("-".join(filter(None, (name, kind))), []).append(table)
    return found


def _begins(table: Table, parts: int) -> str:
    return "-".join(table.paths[0].replace("[]", "").split(".")[:parts])


def _key_page(name: str, group: list[Table]) -> str:
    how = "[Every table and key](../keys.md) says how to read these tables."
    return f"# Keys of `{name.replace('-', '.')}`\n\n{how}\n\n```{{key-group}} {name}\n```\n"


def _write(app: Any) -> None:
    """Write changed pages, and remove obsolete ones."""
    wanted = {DOCS / f"{name}.md": text for name, text in pages().items()}
    for folder in (MODULES, KEYS, NOTEBOOKS):
        (DOCS / folder).mkdir(exist_ok=True)
        for path in set((DOCS / folder).glob("*.md")) - set(wanted):
            path.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
