"""Syntax trees of source files, for tests of the project's source text."""

from __future__ import annotations

import ast
import functools
import gc
from collections.abc import Iterable
from pathlib import Path


@functools.cache
def _tree(path: Path) -> ast.Module:
    """The tree of a file that several test modules read."""
    return ast.parse(path.read_text(encoding="utf-8"))


def syntax_trees(paths: Iterable[Path]) -> dict[Path, ast.Module]:
    """The tree of every file.

    Without the garbage collector: it looks through all that is alive again and again while hundreds of thousands of
    nodes come into being, none of which is garbage, and takes three times as long as the parser. Nor need it look
    through them later: they live until the end.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        parsed = _tree.cache_info().misses
        trees = {path: _tree(path) for path in paths}
        if _tree.cache_info().misses > parsed:
            gc.freeze()
        return trees
    finally:
        if enabled:
            gc.enable()
