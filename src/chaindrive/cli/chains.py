"""``chaindrive chains``: the chains of the catalogue by series, or all data of one chain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chaindrive.cli import console
from chaindrive.errors import InputError, Problem
from chaindrive.model import SERIES, Chain, StandardChain, chain_names, chain_strength, standard_chain
from chaindrive.model.links import link_dimensions

__all__ = ["chains"]

MILLIMETRES = (
    "Pitch, roller diameter (bush chain: bush diameter; leaf chain: plate depth) and inner width in mm, "
    "mass per metre, minimum breaking load."
)
MARKS = "~ estimated, ? from memory and not verified; all other values are from the sources named above each table."
_COLUMNS = {
    "pitch": ("pitch", 1e3, 5),
    "roller_diameter": ("roller", 1e3, 4),
    "inner_width": ("width", 1e3, 4),
    "link_mass": ("kg/m", 1.0, 4),
    "breaking_load": ("kN", 1e-3, 4),
}
"""Columns of a list: heading, factor from SI units, number of digits."""


def chains(words: str | None) -> None:
    """List the chains whose names, series, kind or standard contain all of ``words``; show all data if only one chain
    matches.

    Raises InputError if none matches.
    """
    found = _matching_chains(words)
    if len(found) == 1:
        _show_one(found[0])
        return
    for key, series in SERIES.items():
        here = [chain for chain in found if chain.series == key]
        if not here:
            continue
        console.say(f"{series.title} [{key}]", "bold")
        console.out().print(f"{series.standard}. Source: {series.source}", style="dim")
        table = console.table("name", "also", *(f">{heading}" for heading, _, _ in _COLUMNS.values()), "kind")
        for names, also, chain in _rows(here, whole=words is not None and len(found) <= MOST_SINGLY):
            table.add_row(names, also, *(_cell(chain, field) for field in _COLUMNS), chain.kind)
        console.out().print(table)
    console.out().print(f"{len(found)} chains. {MILLIMETRES}")
    console.out().print(MARKS, style="dim")
    console.out().print(
        "For one chain with its sources: chaindrive chains NAME; for a selection: chaindrive chains leaf", style="dim"
    )


MOST_SINGLY = 60
"""Up to this number of chains, each has its own row; in longer lists, all pitches of a conveyor chain share a row."""


def _matching_chains(words: str | None) -> list[StandardChain]:
    chains = [standard_chain(name) for name in chain_names()]
    if words is None:
        return chains
    typed = "".join(words.split()).lower()
    for chain in chains:
        if typed in {"".join(name.split()).lower() for name in (chain.name, chain.ansi, *chain.other_names)}:
            return [chain]
    parts = words.lower().split()
    found = [chain for chain in chains if all(_has(chain, part) for part in parts)]
    if found:
        return found
    try:
        return [standard_chain(words)]
    except InputError as error:
        raise InputError(Problem("chain", error.problems[0].message, repr(words))) from None


def _has(chain: StandardChain, part: str) -> bool:
    series = SERIES[chain.series]
    texts = (chain.name, chain.ansi, *chain.other_names, chain.series, chain.kind, series.title, series.standard)
    return any(part in text.lower() for text in texts)


def _rows(found: Sequence[StandardChain], whole: bool) -> Iterator[tuple[str, str, StandardChain]]:
    """Yield name, other names and a chain for each row; all pitches of a conveyor chain share a row unless
    ``whole``.
    """
    taken = set()
    for chain in found:
        also = ", ".join(name for name in (chain.ansi, *chain.other_names) if name)
        if whole or chain.series != "conveyor":
            yield chain.name, also, chain
            continue
        size = chain.name.rpartition("-")[0]
        if size not in taken:
            taken.add(size)
            pitches = [other.name.rpartition("-")[2] for other in found if other.name.rpartition("-")[0] == size]
            yield f"{size}-{pitches[0]}", f"... -{pitches[-1]}" if len(pitches) > 1 else "", chain


def _cell(chain: StandardChain, field: str) -> str:
    _, factor, digits = _COLUMNS[field]
    value = chain.mass_per_length if field == "link_mass" else getattr(chain, field)
    source = chain.sources.get(field, "")
    mark = "~" if source.startswith("estimated") else "?" if "unverified" in source else ""
    return f"{mark}{factor * value:.{digits}g}" if value else "-"


def _show_one(chain: StandardChain) -> None:
    """Print the values of a chain with their sources, masses from other manufacturers, and doubts."""
    series = SERIES[chain.series]
    names = ", ".join(name for name in (chain.ansi, *chain.other_names) if name)
    console.say(f"{chain.name}{f' ({names})' if names else ''}: {series.title}", "bold")
    made = Chain(standard=chain.name, links=100)
    sources, sizes = made.sources, link_dimensions(made)
    strands = "1 strand" if chain.strands == 1 else f"{chain.strands} strands"
    rows = [("kind", f"{chain.kind} chain, {strands}", "")]
    rows += [
        ("pitch", f"{1e3 * chain.pitch:.5g} mm", sources["pitch"]),
        ("roller", f"{1e3 * chain.roller_diameter:.4g} mm", sources["roller_diameter"]),
        ("mass", f"{chain.mass_per_length:.4g} kg/m", sources["link_mass"]),
        ("", f"{1e3 * made.link_mass:.4g} g per link", ""),
        ("breaking load", f"{1e-3 * chain.breaking_load:.5g} kN", sources["breaking_load"]),
        ("stiffness", f"{1e-6 * made.link_stiffness:.3g} MN/m per link", sources["link_stiffness"]),
    ]
    rows += [
        (re.sub(r"[._]", " ", name), f"{1e3 * size.value:.4g} mm", size.source)
        for name, size in sizes.items()
        if size.value and not (chain.kind == "leaf" and name == "bush_diameter")
    ]
    strength = chain_strength(chain.name)
    if strength.dynamic_strength is not None:
        force = f"{1e-3 * strength.dynamic_strength:.5g} kN"
        rows.append(("dynamic strength", force, strength.dynamic_strength_source))
    if strength.bearing_area is not None:
        rows.append(("bearing area", f"{1e6 * strength.bearing_area:.4g} mm²", strength.bearing_area_source))
    notes = list(dict.fromkeys(source for *_, source in rows if source))
    table = console.table("", ">", ">source")
    for name, value, source in rows:
        table.add_row(name, value, str(notes.index(source) + 1) if source else "")
    console.out().print(table)
    console.out().print(console.grid(*((f"{number}:", note) for number, note in enumerate(notes, 1))))
    for other in chain.other_masses:
        apart = other.mass_per_length / chain.mass_per_length - 1.0
        console.out().print(f"Other mass: {other.mass_per_length:.4g} kg/m, {apart:+.1%} ({other.source})")
    console.out().print(f"Standard: {series.standard}. Source: {series.source}.")
    for doubt in (chain.doubts, series.doubts):
        if doubt:
            console.out().print(f"Note: {doubt[0].upper()}{doubt[1:].rstrip('.')}.")
    if chain.kind == "leaf":
        console.out().print('It runs only over smooth sheaves: wheels with tooth = { form = "smooth" }.')
    else:
        console.say(f'In a drive: chain = {{ standard = "{chain.name}", links = 100 }}', "dim")
