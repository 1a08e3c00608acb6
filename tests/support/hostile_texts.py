"""Drive and study files with errors: a good one, changed at random.

Every change is of the table (a value of another type, sign or size, a part missing, twice or from another file) or of
its text (a character or line missing, twice or foreign, endless nesting, bytes that are no text). The same generator of
random numbers gives the same file.
"""

from __future__ import annotations

import copy
import datetime
import json
import math
import random
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from chaindrive.model import example_names
from chaindrive.model.files.text import example_path
from chaindrive.model.study.files import study_names, study_path

__all__ = ["changed_file", "drives", "places_in", "studies", "text_of"]

Table = dict[str, Any]
Place = tuple[Any, str | int]
"""A table or list, and a key or index in it."""

NUMBERS = (0, -1, 1, 2, 3, 1e-300, 1e-9, 1e9, 1e300, -1e9, 10**20, -(10**30), 0.5, math.nan, math.inf, -math.inf, -0.0)
UNITS = (
    "mm", "m", "km", "kg", "g", "N", "kN", "N*m", "rpm", "rad/s", "deg", "s", "ms", "Hz", "%", "K", "N/m", "GN/m^1.5",
    "parsec", "m^99", "1/0", "mm mm", "N*", "°", "µm", "kg*cm^2", "W", "bar", "m/s", "", "(m", "m^-1e9", "degC",
)  # fmt: skip
WORDS = (
    "", " ", "none", "auto", "nan", "inf", "1e999 m", "-5 mm", "5", "0x10 mm", "1_000 N", "١٢ mm", "5 mm", "\u202e5 mm",
    "😀", "\ud7ff", "\x00", "\x7f", "a\nb", "../../etc", "/dev/zero", ".", "x" * 10_000, "1 mm" * 50, "{0}", "%s",
    "$HOME",
    "constant_speed", "iso-606", "08B-1", "520", "roller", "link", "block", "spatial", "verlet", "steady", "at_rest",
    "9" * 400 + " mm", "1e-400 kg", "--help", "[bold]", "wheels.0", "from:previous", "previous", "all",
)  # fmt: skip
OTHERS = (
    True, False, [], {}, [[]], [{}], {"": {}}, [1], [1, "a"], [None][:0], {"kind": "other"}, {"kind": []},
    datetime.date(2026, 2, 28), datetime.time(7, 30), datetime.datetime(2026, 2, 28, 7, 30), [[1, 2], [3]],
    [math.nan, math.nan], list(range(3000)), [0.0, 0.0],
)  # fmt: skip
MARKS = ("", "[", "]", "{", "}", '"', "'", "=", ",", "#", "\n", "\\", "0")
DEEP = 3000
"""Levels of endless nesting."""


@cache
def drives() -> Mapping[str, str]:
    """Texts of the drives that come with the package, by name."""
    return {name: example_path(name).read_text(encoding="utf-8") for name in example_names()}


@cache
def studies() -> Mapping[str, str]:
    """Texts of the studies that come with the package, by name."""
    return {name: study_path(name).read_text(encoding="utf-8") for name in study_names()}


def changed_file(texts: Mapping[str, str], rng: random.Random) -> bytes:
    """One of the files with some changes: most often few of its table, seldom of its text."""
    name = rng.choice(sorted(texts))
    table = copy.deepcopy(_parsed(texts[name]))
    for _ in range(min(1 + int(rng.expovariate(0.9)), 12)):
        rng.choice(CHANGES)(table, texts, rng)
    text = text_of(table)
    if rng.random() < 0.1:
        return rng.choice(OF_TEXT)(rng.choice((text, texts[name])), rng)
    return text.encode("utf-8", "surrogatepass")


@cache
def _parsed(text: str) -> Table:
    return tomllib.loads(text)


def text_of(table: Mapping[str, Any]) -> str:
    """A table as TOML, one line for each key of the top level."""
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _key(key: str) -> str:
    return json.dumps(key, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):
        return _key(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else repr(value)


# ---- places in a table


def places_in(part: Any) -> list[Place]:
    """Every place in a table and in what is in it."""
    found: list[Place] = []
    keys: Sequence[Any] = list(part) if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ()
    for key in keys:
        found += [(part, key), *places_in(part[key])]
    return found


def _anywhere(table: Table, rng: random.Random, wanted: Callable[[Any], bool] = lambda _: True) -> Place | None:
    """A place whose value meets a condition; None if there is none. Numbers in long lists do not dominate the
    choice.
    """
    places = [(part, key) for part, key in places_in(table) if wanted(part[key])]
    of_tables = [place for place in places if isinstance(place[0], dict)]
    places = of_tables if of_tables and rng.random() < 0.7 else places
    return rng.choice(places) if places else None


def _other_value(texts: Mapping[str, str], key: str | int, rng: random.Random) -> Any:
    """The value at a key of this name in any of the files."""
    other = _parsed(texts[rng.choice(sorted(texts))])
    found = [part[at] for part, at in places_in(other) if at == key or isinstance(key, int)]
    return copy.deepcopy(rng.choice(found)) if found else rng.choice(WORDS)


# ---- changes of a table


def _replace(table: Table, texts: Mapping[str, str], rng: random.Random) -> None:
    """A value of another type or size."""
    if place := _anywhere(table, rng):
        part, key = place
        unit = f"{rng.choice(NUMBERS)!r} {rng.choice(UNITS)}"
        part[key] = copy.deepcopy(rng.choice((rng.choice(NUMBERS), rng.choice(WORDS), rng.choice(OTHERS), unit)))


def _scale(table: Table, texts: Mapping[str, str], rng: random.Random) -> None:
    """A number, with or without its unit, of another sign or size."""

    def number(value: Any) -> bool:
        return (isinstance(value, (int, float)) and not isinstance(value, bool)) or _split(value) is not None

    if place := _anywhere(table, rng, number):
        part, key = place
        factor = rng.choice((-1, 0, 2, 3, 0.5, 10, 0.1, 1.01, 0.99, 1e3, 1e-3, 1e6, 1e-6))
        split = _split(part[key])
        if split is not None:
            part[key] = f"{split[0] * factor!r} {split[1]}"
        elif isinstance(part[key], int) and float(factor).is_integer():
            part[key] = part[key] * int(factor)
        else:
            part[key] = part[key] * factor


def _split(value: Any) -> tuple[float, str] | None:
    """Number and unit of a quantity."""
    if not isinstance(value, str):
        return None
    number, _, unit = value.partition(" ")
    try:
        return float(number), unit
    except ValueError:
        return None


def _unit(table: Table, texts: Mapping[str, str], rng: random.Random) -> None:
    """Another unit."""
    if place := _anywhere(table, rng, lambda value: _split(value) is not None):
        part, key = place
        split = _split(part[key])
        part[key] = f"{split[0]!r} {rng.choice(UNITS)}" if split else ""


def _delete(table: Table, texts: Mapping[str, str], rng: random.Random) -> None:
    """Delete something."""
    if place := _anywhere(table, rng):
        del place[0][place[1]]


def _double(table: Table, texts: Mapping[str, str], rng: random.Random) -> None:
    """Duplicate something, or repeat it very often."""
    if place := _anywhere(table, rng, lambda value: isinstance(value, list) and bool(value)):
        items = place[0][place[1]]
        times = rng.choice((1, 1, 1, 2, 50))
        items[rng.randrange(len(items)) : 0] = [copy.deepcopy(rng.choice(items)) for _ in range(times)]


def _swap(table: Table, texts: Mapping[str, str], rng: random.Random) -> None:
    """Exchange two values."""
    one, other = _anywhere(table, rng), _anywhere(table, rng)
    if one and other:
        kept = copy.deepcopy(one[0][one[1]]), copy.deepcopy(other[0][other[1]])
        one[0][one[1]], other[0][other[1]] = kept[1], kept[0]


def _borrow(table: Table, texts: Mapping[str, str], rng: random.Random) -> None:
    """The value that another file has there: another kind, form, number of teeth, position."""
    if place := _anywhere(table, rng):
        place[0][place[1]] = _other_value(texts, place[1], rng)


def _kind(table: Table, texts: Mapping[str, str], rng: random.Random) -> None:
    """Another kind of the same thing, which has other keys."""
    if place := _anywhere(table, rng, lambda value: isinstance(value, dict) and ("kind" in value or "form" in value)):
        part = place[0][place[1]]
        key = "kind" if "kind" in part else "form"
        part[key] = _other_value(texts, key, rng)


def _graft(table: Table, texts: Mapping[str, str], rng: random.Random) -> None:
    """A table, or an item of a list, of another file in addition."""
    other = copy.deepcopy(_parsed(texts[rng.choice(sorted(texts))]))
    key = rng.choice(sorted(other))
    if isinstance(other[key], list) and isinstance(table.get(key), list) and other[key]:
        table[key].append(rng.choice(other[key]))
    else:
        table[key] = other[key]


def _rename(table: Table, texts: Mapping[str, str], rng: random.Random) -> None:
    """A key misspelt, in capitals, or of another table."""
    if place := _anywhere(table, rng):
        part, key = place
        if isinstance(part, dict) and isinstance(key, str):
            others = [at for _, at in places_in(table) if isinstance(at, str)]
            new = rng.choice(
                (key.upper(), key[:-1], f"{key}s", f"{key}\u00e9", "", rng.choice(others), rng.choice(WORDS))
            )
            part[new] = part.pop(key)


def _unknown(table: Table, texts: Mapping[str, str], rng: random.Random) -> None:
    """A key that does not belong there."""
    if place := _anywhere(table, rng, lambda value: isinstance(value, dict)):
        others = [at for _, at in places_in(table) if isinstance(at, str)]
        place[0][place[1]][rng.choice(others)] = rng.choice((rng.choice(NUMBERS), rng.choice(WORDS), {}, []))


def _nest(table: Table, texts: Mapping[str, str], rng: random.Random) -> None:
    """A value within itself, many times; rarely deeper than any parser accepts."""
    if place := _anywhere(table, rng):
        depth = rng.choice((1, 1, 2, 50))
        for _ in range(depth):
            inner = place[0][place[1]]
            place[0][place[1]] = [inner] if rng.random() < 0.5 else {"kind": inner}


CHANGES = (
    *3 * (_replace, _scale, _borrow), *2 * (_delete, _kind, _graft), _unit, _double, _swap, _rename, _unknown, _nest,
)  # fmt: skip


# ---- changes of a text


def _cut(text: str, rng: random.Random) -> bytes:
    return text.encode()[: rng.randrange(len(text.encode()) + 1)]


def _characters(text: str, rng: random.Random) -> bytes:
    letters = list(text)
    for _ in range(rng.choice((1, 1, 2, 5, 50))):
        at = rng.randrange(len(letters) or 1)
        letters[at : at + rng.randrange(2)] = rng.choice(
            ("", "[", "]", "{", "}", '"', "'", "=", ",", "#", "\n", "\\", "0")
        )
    return "".join(letters).encode()


def _bytes(text: str, rng: random.Random) -> bytes:
    data = bytearray(text.encode() or b" ")
    for _ in range(rng.choice((1, 2, 20))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def _lines(text: str, rng: random.Random) -> bytes:
    lines = text.splitlines(keepends=True) or [""]
    at = rng.randrange(len(lines))
    lines[at : at + rng.randrange(2)] = rng.choice(([], 2 * lines[at : at + 1], [rng.choice(lines)]))
    return "".join(lines).encode()


def _deep(text: str, rng: random.Random) -> bytes:
    opened, closed = rng.choice((("[", "]"), ("{ a = ", "}"), ("[", ""), ("{ a = [", "]}")))
    depth = rng.choice((100, DEEP))
    return f"{text}\ndeep = {opened * depth}{closed * depth}\n".encode() + rng.choice(
        (b"", b"a." * DEEP + b"b = 1\n", b"[" + b"a." * DEEP + b"b]\n")
    )


def _encoding(text: str, rng: random.Random) -> bytes:
    return text.encode(rng.choice(("utf-16", "utf-8-sig", "utf-32", "cp1252", "ascii")), "replace")


OF_TEXT: tuple[Callable[[str, random.Random], bytes], ...] = (
    _cut, _characters, _characters, _bytes, _lines, _lines, _deep, _encoding,
)  # fmt: skip
