"""Tables on the terminal: strength and life of a chain, and its static rating."""

from __future__ import annotations

import math

from chaindrive.analyses.analytical.rating import known_strength, not_rated, wheel_ratings
from chaindrive.analyses.results.strength import Finding, Strength
from chaindrive.cli import console
from chaindrive.model import Drive
from chaindrive.numbers import column, hours, percent, quantity, scaled

__all__ = ["show_ratings", "show_strength"]


def show_strength(found: Strength) -> None:
    """Print every finding with its limit, the sources of limits, and the keys that would set missing limits."""
    sources = list(dict.fromkeys(each.limit_source for each in found.findings if not each.missing))
    when = f"{found.part.name} {found.part.text}"
    caption = f"largest tensions and pressure; {when}"
    table = console.table("", ">found", ">limit", ">used [%]", "worst", ">", caption=caption)
    for each in found.findings:
        limit = "-" if each.missing else _value(each.limit, each.unit)
        number = "" if each.missing else str(sources.index(each.limit_source) + 1)
        table.add_row(
            each.name,
            _value(each.value, each.unit),
            limit,
            percent(each.utilisation),
            console.printable(_where(each)),
            number,
        )
    console.out().print(table)
    console.out().print(console.grid(*((f"{k}:", source) for k, source in enumerate(sources, 1))), style="dim")
    for each in found.findings:
        if each.key.endswith("_life") and each.note and not math.isnan(each.value):
            _note(f"{each.name[:1].upper()}{each.name[1:]}: {each.note}.")
    keys = dict.fromkeys(each.missing for each in found.findings if each.missing)
    if keys:
        wanted = ", ".join(keys)
        _note(f"Not judged because no limit is given: {wanted} (chaindrive keys limits).")
    for why in dict.fromkeys(found.missing.values()):
        parts = ", ".join(part for part, reason in found.missing.items() if reason == why)
        _note(f"Not evaluated: {parts}: {why}.")
    for text in found.remarks:
        _note(text)


def _note(text: str) -> None:
    console.out().print(console.printable(text), style="dim")


def _value(value: float, unit: str) -> str:
    if unit == "s":
        return hours(value)
    return quantity(value, unit) if math.isfinite(value) else "not known"


def _where(each: Finding) -> str:
    when = f", {quantity(each.time, 's')}" if math.isfinite(each.time) else ""
    return f"{each.where}{when}"


def show_ratings(drive: Drive, tooth_frequency: float) -> None:
    """Print the rated power of every wheel according to ANSI B29.1, and the power of the loads in the description.

    tooth_frequency: pitches of chain per second [Hz].
    """
    if why := not_rated(drive.chain, known_strength(drive)):
        console.say()
        _note(f"No static rating: {why}.")
        return
    ratings = wheel_ratings(drive, tooth_frequency)
    factor, unit = scaled([each.rated for each in ratings], "W")
    table = console.table(
        ">",
        "wheel",
        ">teeth",
        f">power\n[{unit}]",
        f">plates\n[{unit}]",
        f">rollers,\nbushes\n[{unit}]",
        f">galling\n[{unit}]",
        ">used\n[%]",
        f">P f1 f2\n[{unit}]",
        title="Static rating of the chain (ANSI B29.1, ISO 10823)",
    )
    for each in ratings:
        numbers = (each.power, each.plates, each.rollers, each.galling)
        table.add_row(
            str(each.wheel),
            console.printable(each.name),
            str(each.teeth),
            *(column(x * factor, 2) if math.isfinite(x) else "-" for x in numbers),
            percent(each.used),
            column(each.selection_power * factor, 2),
        )
    console.say()
    console.out().print(table)
    f1 = ratings[0].application_factor
    console.out().print(
        "Ratings are for smooth load, 15 000 h and all strands; plates outside the A series are rated by their dynamic "
        f"strength (ISO 606). Used: power times f1 = {f1:g} (limits.application_factor) divided by the smallest of the "
        "three. P f1 f2: the power by which ISO 10823 selects a chain in its charts for 19 teeth. Power: that of loads "
        "and bearings at this speed.",
        style="dim",
    )
