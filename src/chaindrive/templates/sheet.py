"""The text of a drive file, written line by line with a comment after every value."""

from __future__ import annotations

import textwrap
from typing import Any

from chaindrive.model.files.schema import schema_line
from chaindrive.model.files.toml import toml_value
from chaindrive.shell import command

__all__ = ["ESTIMATE", "Sheet"]

ESTIMATE = "estimate: "
"""Beginning of the comment beside a value that is neither given nor derived from a standard."""
_WIDTH = 110


class Sheet:
    """Lines of a TOML file. A comment follows its value, or precedes it if the line would be too long."""

    def __init__(self, kind: str, name: str, about: str, loop: str = "counterclockwise") -> None:
        self._lines = [schema_line()]
        self._lines += _comment(f"{about} Made by: {command('new', kind)}. Comments state the source of each value.")
        self._lines += ["", f"name = {toml_value(name)}"]
        self.put("source", command("new", kind))
        if loop:
            self.put("gravity", ["0 m/s^2", "-9.81 m/s^2"], "y is upwards")
            self.put("loop", loop)

    def table(self, header: str, remark: str = "") -> None:
        """Begin a table, such as "[chain]" or "[[wheels]]"."""
        self._lines += ["", *(_comment(remark) if remark else []), header]

    def put(self, key: str, value: Any, why: str = "") -> None:
        """Add a value: text, number, list, or table in one line; why: the origin of the value."""
        line = f"{key} = {toml_value(value)}"
        if not why:
            self._lines.append(line)
        elif len(line) + len(why) + 4 <= _WIDTH:
            self._lines.append(f"{line:<36}  # {why}")
        else:
            self._lines += [*_comment(why), line]

    def estimate(self, key: str, value: Any, how: str) -> None:
        """Add a value that is an estimate; how: what it was estimated from."""
        self.put(key, value, f"{ESTIMATE}{how}; replace with your value")

    @property
    def text(self) -> str:
        """The text of the file."""
        return "\n".join(self._lines) + "\n"


def _comment(text: str) -> list[str]:
    lines = [textwrap.wrap(part, _WIDTH - 2, break_on_hyphens=False) or [""] for part in text.splitlines()]
    return [f"# {line}".rstrip() for part in lines for line in part]
