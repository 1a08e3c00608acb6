"""Measured tables of a page of the guide: between two marks, with a line on date and version."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "validation"))
from _made import made

__all__ = ["with_table"]


def with_table(page: str, name: str, lines: Sequence[str]) -> str:
    """Return the page with other lines between the marks of a table, and below them date and version."""
    place = re.compile(rf"(?<=<!-- measured: {name} -->\n\n).*?(?=\n\n<!-- end -->)", re.DOTALL)
    told = made()
    text = "\n".join([*lines, "", f"{told[0].upper()}{told[1:]}."])
    page, times = place.subn(lambda _: text, page)
    if times != 1:
        raise ValueError(f"the page has {times} tables named {name}")
    return page
