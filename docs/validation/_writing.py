"""The command line of a script that generates one page, which prints the page and writes it if requested."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path


def options(description: str | None, page: Path) -> argparse.ArgumentParser:
    """A parser with the option ``--write``. description: the docstring of the script."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"write {page.name}")
    return parser


def publish(text: str, page: Path, write: bool) -> None:
    """Print a page; write it if requested."""
    print(text)
    if write:
        page.write_text(text, encoding="utf-8")


def main_of(description: str | None, page: Path, make: Callable[[bool], str]) -> None:
    """Main function of a script without other options. make(write) returns the text, and makes the pictures if the page
    is to be written.
    """
    write = options(description, page).parse_args().write
    publish(make(write), page, write)
