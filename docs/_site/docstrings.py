"""Docstrings of the package as reStructuredText.

They are plain text with an indented block here and there (a formula, a table, a list of fields): what is indented is
set unchanged, the rest is prose in which only ``code`` and roles have a meaning. So |x|, d* and a_ stay. Sentences that
explain a parameter ("step: of the samples [s].") become a list.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

__all__ = ["as_text", "setup", "with_lists"]

_KEPT = re.compile(r"``.+?``|:[a-z:]+:`[^`]+`|(?<![\w*])\*[A-Za-z][^*\n]*[A-Za-z]\*(?![\w*])")
_BARE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_SPECIAL = re.compile(r"([\\*|`])|(?<=\w)(_)(?!\w)")


def _escaped(text: str) -> str:
    """Prose in which only ``code`` and roles have a meaning."""
    text = _BARE.sub(r"``\1``", text) if not re.search(r":[a-z:]+:`", text) else text
    parts, last = [], 0
    for kept in _KEPT.finditer(text):
        parts += [_plain(text[last : kept.start()]), _kept(kept.group())]
        last = kept.end()
    return "".join([*parts, _plain(text[last:])])


def _plain(text: str) -> str:
    return _SPECIAL.sub(lambda found: "\\" + found.group(0), text)


def _kept(text: str) -> str:
    """Code unchanged; a role as the name in it."""
    role = re.fullmatch(r":[a-z:]+:`~?([^`]+)`", text)
    return f"\\ ``{role.group(1)}``\\ " if role else f"\\ {text}\\ "


_ARRAY = re.compile(
    r"~?(?:numpy\.)?ndarray\[tuple\[(?:~typing\.)?(?:Any|int), \.\.\.\], ~?(?:numpy\.)?dtype\[[^\]]*\]\]"
)
"""Pattern of spelt-out types of arrays, whose content is described in the docstring."""


_CHOICE = re.compile(r"~?(?:\w+\.)*Annotated\[([^\[\]]+), FieldInfo\([^()]*\)\]")
"""Pattern of pydantic's choice of tables by their kind."""


def _short(text: str) -> str:
    return _CHOICE.sub(r"\1", _ARRAY.sub("ndarray", text))


def _shorter(app: Any, what: str, name: str, thing: Any, options: Any, signature: str, returns: str) -> Any:
    """Signatures without the content of array types and choices."""
    return tuple(_short(text) if text else text for text in (signature, returns))


def _shorter_fields(app: Any, doctree: Any, page: str) -> None:
    """Types of fields without that content, once their names are resolved."""
    from docutils import nodes
    from sphinx.addnodes import desc_annotation

    for node in doctree.findall(desc_annotation):
        text = node.astext()
        if text != _short(text):
            node.children = []
            node += nodes.Text(_short(text))


def as_text(lines: Iterable[str]) -> list[str]:
    """The lines of a docstring as reStructuredText."""
    found: list[str] = []
    for indented, block in groupby(_paragraph_lines(lines), key=lambda line: None if not line else line[:1] == " "):
        part = list(block)
        if indented is None:
            found.append("")
        elif indented:
            found += ["", "::", "", *(f"    {line}" for line in part), ""]
        else:
            found += ["", *_escaped("\n".join(part)).splitlines(), ""]
    return found


def _paragraph_lines(lines: Iterable[str]) -> list[str]:
    """Lines of a paragraph; blank lines between two indented ones belong to the block."""
    given = [line.rstrip() for line in lines]
    for i in range(1, len(given) - 1):
        following = next((line for line in given[i + 1 :] if line), "")
        if not given[i] and given[i - 1][:1] == " " and following[:1] == " ":
            given[i] = " "
    return given


_ENDS = re.compile(r"(?:(?<=[.;])\s+|\n)(?=(?:Returns?|Raises|Needs)\b)")
"""Pattern of the point where a paragraph turns from arguments to results, exceptions or requirements."""


def with_lists(lines: Iterable[str], names: Sequence[str]) -> list[str]:
    """A docstring as reStructuredText, whose sentences "name: ..." and "a, b [m]: ..." become a list of parameters.

    names: of the parameters. Text before the first of them in its paragraph stays prose; an argument lasts to the next
    one, or to the end of the paragraph.
    """
    if not names:
        return as_text(lines)
    one = rf"(?:{'|'.join(re.escape(name) for name in names)})"
    begin = re.compile(rf"(?:^|(?<=[.;])\s+|\n)(?P<names>{one}(?:(?:, | and ){one})*)(?P<unit> \[[^\]\n]*\])?:\s+")
    found: list[str] = []
    for blank, block in groupby(_paragraph_lines(lines), key=lambda line: not line):
        part = list(block)
        text = "\n".join(part)
        if blank or part[0][:1] == " " or not (parts := list(begin.finditer(text))):
            found += as_text(part)
            continue
        before, last = text[: parts[0].start()].strip(), _ENDS.search(text, parts[-1].end())
        end = last.start() if last else len(text)
        stops = [*(each.start() for each in parts[1:]), end]
        found += as_text(before.splitlines()) if before else []
        found += ["", ".. rst-class:: parameters", ""]
        for each, stop in zip(parts, stops, strict=True):
            named = ", ".join(f"``{name}``" for name in re.findall(r"\w+", each["names"]) if name != "and")
            found.append("    " + named + _plain(each["unit"] or ""))
            found.append("        " + _escaped(" ".join(text[each.end() : stop].split()).rstrip(";")).strip())
        found.append("")
        found += as_text(text[end:].strip().splitlines()) if last else []
    return found


def _parameters(thing: Any) -> list[str]:
    """Names of the parameters of a function, or of the constructor of a class."""
    try:
        return [name for name in inspect.signature(thing).parameters if name not in ("self", "cls")]
    except (TypeError, ValueError):
        return []


def _process(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    if lines and lines[0].startswith("Alias for field number"):
        lines[:] = []
        return
    lines[:] = with_lists(lines, _parameters(thing)) if what in ("function", "method", "class") else as_text(lines)


def setup(app: Any) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("autodoc-process-docstring", _process)
    app.connect("autodoc-process-signature", _shorter)
    app.connect("doctree-resolved", _shorter_fields)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
