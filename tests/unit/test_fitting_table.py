"""Tables of the terminal: no word and no number is broken, and nothing is wider than the terminal, however narrow."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console

from chaindrive.cli import console
from chaindrive.cli.fitting_table import narrowed
from chaindrive.cli.main import main
from chaindrive.model import example_names

WORDS = ["crankshaft", "of", "the", "tension", "hydraulic", "(148,", "343)", "MN/m^1.5", "-5.86", "µm", "[mm]", "a"]


def printed(table: object, width: int) -> list[str]:
    stream = io.StringIO()
    Console(file=stream, width=width, markup=False, highlight=False).print(table)
    return stream.getvalue().split("\n")


def made(random_: random.Random) -> tuple[object, list[str]]:
    """A table of some columns and rows, and all words in it."""
    count = random_.randint(1, 9)
    heads = [" ".join(random_.choices(WORDS, k=random_.randint(1, 3))) for _ in range(count)]
    numbers = [random_.random() < 0.5 for _ in range(count)]
    table = console.table(*(f">{head}" if right else head for head, right in zip(heads, numbers, strict=True)))
    words = []
    for _ in range(random_.randint(1, 5)):
        row = [
            f"{random_.uniform(-1e4, 1e4):.3f}" if right else " ".join(random_.choices(WORDS, k=random_.randint(1, 12)))
            for right in numbers
        ]
        table.add_row(*row)
        words += " ".join(row).split()
    return table, words + " ".join(heads[1:]).split()  # in blocks the first column needs no heading


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_word_is_broken_and_nothing_is_too_wide(width: int) -> None:
    blocks = 0
    for seed in range(100):
        table, words = made(random.Random(seed))
        lines = printed(table, width)
        assert max(len(line) for line in lines) <= width, seed
        found = " ".join(lines).replace(": ", " ").split()
        assert not {word for word in words if word not in found and f"{word}:" not in found}, seed
        blocks += not any("──" in line for line in lines)
    assert 0 < blocks < 100 or width == 120  # both layouts were seen


def test_the_widest_columns_give_first() -> None:
    assert narrowed([40, 10, 30], [5, 10, 5], 60) == [25, 10, 25]
    assert narrowed([40, 10], [35, 10], 20) == [35, 10]  # not below what words need
    assert narrowed([4, 3], [4, 3], 80) == [4, 3]


def test_a_table_that_fits_is_printed_as_a_table() -> None:
    table = console.table(">", "guide", ">length\n[mm]", caption="Length without the ends.")
    table.add_row("0", "tension rail", "250.0")
    lines = [line.rstrip() for line in printed(table, 80)]
    assert any(line.endswith("guide          [mm]") or "guide" in line for line in lines)
    assert " 0   tension rail    250.0" in lines
    narrow = printed(table, 16)
    assert "0  tension rail" in [line.rstrip() for line in narrow]
    assert "    length [mm]: 250.0"[:16].strip() in " ".join(narrow)


@pytest.mark.parametrize("width", [24, 30, 40, 60])
def test_numbers_keep_their_thousands_and_their_units(width: int) -> None:
    words = ["life > 1 000 000 h", "bushes 14 400 h at 4.2 µm", "6.21 % of the load"]
    words += ["at 3 000 rpm and 12.5 kN", "by 10 mN m s/rad"]
    table = console.table("", "", headed=False)
    for word in words:
        table.add_row("x", f"{word}; {word}; {word}")
    for shown in (table, console.grid(("name", "; ".join(words)))):
        lines = printed(shown, width)
        assert len(lines) > 3
        found = "\n".join(lines)
        for number in ("1 000 000 h", "14 400 h", "4.2 µm", "6.21 %", "3 000 rpm", "12.5 kN", "10 mN m s/rad"):
            assert number in found, (number, found)
        assert "\u2800" not in found


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """Output of the command line in a terminal of this many columns, without colours."""
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")

    def run(*arguments: str, columns: int) -> str:
        monkeypatch.setenv("COLUMNS", str(columns))
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main(list(arguments))
        assert ending.value.code == 0
        return capfd.readouterr().out

    yield run
    monkeypatch.undo()
    console.prepare_streams()


TIME_NEEDED = re.compile(r"about \S+ \S+ of computing")
"""Pattern of a time, which every call measures anew."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if k % 4 else ()) for k, name in enumerate(example_names())]
)
def test_check_of_every_example_fits_80_columns(name: str, call: Any) -> None:
    wide, narrow = (call("check", name, "--no-draw", "--no-equilibrium", columns=columns) for columns in (400, 80))
    assert max(len(line) for line in narrow.splitlines()) <= 80
    wide, narrow = (TIME_NEEDED.sub("", " ".join(text.split())) for text in (wide, narrow))
    words = {word.rstrip(":") for word in narrow.split()}
    assert not {word for word in wide.split() if word.rstrip(":") not in words and not set(word) <= set("─…")}
