"""Output of the command line: results go to standard output, progress and errors to standard error.

Text from a user is never interpreted as markup: the consoles do not parse markup, and colours come from ``Text`` and
styles.
"""

from __future__ import annotations

import contextlib
import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Literal, TextIO

from chaindrive.errors import MOST_PROBLEMS

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from chaindrive.errors import ComputationError, InputError

__all__ = [
    "discard_output",
    "grid",
    "headline",
    "note",
    "out",
    "output_obstacle",
    "prepare_streams",
    "printable",
    "say",
    "show_computation_error",
    "show_input_error",
    "table",
    "warn",
]

WIDTH_WITHOUT_TERMINAL = 120
"""Width of tables that are written to a file or a pipe."""


def prepare_streams() -> None:
    """Replace characters that the terminal cannot show instead of failing, and closed streams by empty ones."""
    sys.stdin = sys.stdin or _nothing("r")
    sys.stdout = sys.stdout or _nothing("w")
    sys.stderr = sys.stderr or _nothing("w")
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            with contextlib.suppress(OSError, ValueError):
                reconfigure(errors="replace")
    _console.cache_clear()


def _nothing(mode: Literal["r", "w"]) -> TextIO:
    return open(os.devnull, mode, encoding="utf-8")


def discard_output() -> None:
    """Write the rest of standard output into nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def output_obstacle() -> str:
    """Return why standard output cannot be written; empty if it can, which leaves an empty line there."""
    try:
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError as error:
        return error.strerror or str(error)
    return ""


@cache
def _console(stderr: bool, width: int | None) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, markup=False, emoji=False, highlight=False, width=width)


def _width(stream: TextIO) -> int | None:
    """Return the width set by the environment, or the width for output to a file or a pipe; None stands for the width
    of the terminal.
    """
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit():
        return int(columns)
    return None if stream.isatty() else WIDTH_WITHOUT_TERMINAL


def out() -> Console:
    """Return the console for results: standard output."""
    return _console(False, _width(sys.stdout))


def err() -> Console:
    """Return the console for progress, warnings and errors: standard error."""
    return _console(True, _width(sys.stderr))


def printable(text: object) -> str:
    """Return the text with escape sequences in place of characters that would move the cursor or change colours, or
    that cannot be encoded.
    """
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape", "backslashreplace").decode()
        for c in str(text)
    )


def say(text: object = "", style: str = "") -> None:
    """Print a line to standard output."""
    _print(out(), printable(text), style)


def note(text: object, style: str = "dim") -> None:
    """Print a line to standard error."""
    _print(err(), printable(text), style)


def warn(text: object) -> None:
    """Print a warning to standard error."""
    _labelled("Warning: ", "bold yellow", text)


def headline(text: object) -> None:
    """Print a heading with an empty line before it."""
    out().print()
    say(text, "bold")


def show_input_error(error: InputError) -> None:
    """Print all problems with an input, one per line, each with its place."""
    source = printable(error.source)
    problems = error.problems
    if len(problems) == 1:
        _labelled("Error: ", "bold red", f"{source}: {problems[0]}" if source else problems[0])
        return
    head = f"{len(problems)} problems in {source}" if source else f"{len(problems)} problems"
    _labelled("Error: ", "bold red", head)
    from rich.text import Text

    for problem in problems[:MOST_PROBLEMS]:
        line = Text("  ")
        line.append(printable(problem.place), "bold cyan")
        got = f" (got {problem.value})" if problem.value else ""
        line.append(f"{': ' if problem.place else ''}{printable(problem.message)}{printable(got)}")
        _print(err(), line)
    if error.unlisted:
        note(f"  {error.unlisted}", "")


def show_computation_error(error: ComputationError) -> None:
    """Print what failed, at which time, and what to try."""
    at = f" at t = {error.time:.6g} s" if error.time is not None else ""
    _labelled("Error: ", "bold red", f"{error.message.rstrip('.')}{at}")
    if error.advice:
        _labelled("Try:   ", "bold", error.advice)


def _labelled(label: str, style: str, text: object) -> None:
    from rich.text import Text

    _print(err(), Text(label, style).append(printable(text), "not bold default"))


def _print(console: Console, line: str | Text, style: str = "") -> None:
    """Print a line: wrapped between words in a terminal, but unbroken elsewhere so that it can be searched."""
    console.print(line, style=style or None, soft_wrap=not console.is_terminal)


def table(*columns: str, title: str = "", caption: str = "", headed: bool = True) -> Table:
    """Return a table in which no word is broken. Columns whose heading starts with ``>`` are right-aligned, for
    numbers.
    """
    from rich import box

    from chaindrive.cli.fitting_table import FittingTable

    made = FittingTable(
        title=printable(title) or None,
        caption=printable(caption) or None,
        title_justify="left",
        caption_justify="left",
        title_style="bold",
        caption_style="dim",
        header_style="dim",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_header=headed,
    )
    for heading in columns:
        if heading.startswith(">"):
            made.add_column(heading.removeprefix(">"), justify="right")
        else:
            made.add_column(heading, overflow="fold")
    return made


def grid(*rows: tuple[str, object], indent: int = 0) -> Table:
    """Return a table of names and values in two columns, without rules."""
    from chaindrive.cli.fitting_table import KeptTable

    made = KeptTable.grid(padding=(0, 2, 0, 0))
    made.add_column(style="dim", no_wrap=True)
    made.add_column(overflow="fold")
    for name, value in rows:
        made.add_row(" " * indent + name, printable(value))
    return made
