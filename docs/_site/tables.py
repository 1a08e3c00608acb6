"""Tables of the site read from the package: channels, endings, contact laws, examples."""

from __future__ import annotations

import inspect
from pathlib import Path

from chaindrive.contract.channels import Channel
from chaindrive.contract.status import Status
from chaindrive.formulations.every_channel import every_channel
from chaindrive.formulations.registry import FORMULATIONS
from chaindrive.model import example
from chaindrive.model.files.text import example_names
from chaindrive.physics.contact_laws import CONTACT_LAWS, achieved_restitution
from chaindrive.results import EnergyAudit

__all__ = ["balance_table", "chain_table", "channel_table", "ending_table", "gallery", "law_table", "plot_table"]

PICTURES = Path(__file__).parents[1] / "gallery" / "pictures"
REPORTS = PICTURES.with_name("reports")
"""Folder of reports made by docs/gallery/reports.py; without it the gallery has none."""
GROUPS = {
    "marine": ("6l60mc", "6s90mc-c", "6s90mc-c-oscillating", "6s90mc-c-guides", "6s90mc-c-guides-oscillating",
               "6s90mc-c-tightener", "6s90mc-c-tightener-oscillating"),
    "engines": ("timing-06b", "timing-06b-run-up", "v6-timing", "cvt-63", "cvt-63-shift", "motorcycle"),
    "bicycles": ("bicycle-50x19", "bicycle-shift", "single-speed-46x16", "two-legs-46x16", "tandem"),
    "machines": ("industrial-08b", "motor-08b", "press-12b", "pump-10b", "harvester-10b", "harvester-10b-worn"),
    "lifting": ("conveyor-16b", "bucket-elevator", "hoist", "chain-hoist", "differential-hoist", "winch-16b",
                "forklift-mast"),
    "research": ("hanging-chain", "misaligned-08b", "omar-112", "pfeiffer-roller"),
}  # fmt: skip
"""Examples on each page of the gallery."""
SHOWN = {
    "drive": "the drive", "tension": "tension around the loop at the end of the run",
    "span": "a span over time",
}  # fmt: skip
"""Pictures of an example, by the endings of their names."""

RESTITUTIONS = (0.0, 0.2, 0.5, 0.8)


def _row(*cells: object) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _every_channel() -> tuple[Channel, ...]:
    """All channels by name; one of several formulations is described in the words of the first."""
    found: dict[str, Channel] = {}
    for kind in ("roller", "link", "spatial", "block", "cvt"):
        for channel in every_channel(kind):
            found.setdefault(channel.name, channel)
    return tuple(found.values())


def channel_table() -> str:
    """Every channel of all formulations with its unit, dimensions, and whether it is kept by default."""
    lines = [_row("channel", "unit", "dimensions after time", "kept", "what"), "|:--|:--|:--|:--|:--|"]
    for channel in _every_channel():
        kept = "yes" if channel.kept == "standard" else channel.kept
        dims = ", ".join(channel.dims)
        lines.append(_row(f"`{channel.name}`", channel.unit, dims, kept, channel.description))
    return "\n".join(lines) + "\n"


def balance_table() -> str:
    """The rows of the energy balance in the words of all tables, and the channels that they come from."""
    channels = {channel.name: channel.description for channel in _every_channel()}
    losses = {name.removeprefix("work_"): 1.0 for name in channels if name.startswith("work_")}
    stored = dict.fromkeys(("kinetic", "elastic", "gravity"), 1.0)
    del losses["input"], losses["output"]
    rows = EnergyAudit(1.0, 1.0, 1.0, losses, stored, 0.0, 0.0, 1.0).rows
    names = ["shaft_work", "shaft_work", *(f"work_{name}" for name in losses), *(f"energy_{name}" for name in stored)]
    channels["energy_residual"] += "; in the balance its sign is reversed"
    lines = [_row("row", "channel", "what"), "|:--|:--|:--|"]
    for words, name in zip(rows, [*names, "energy_residual"], strict=True):
        lines.append(_row(words, f"`{name}`", channels[name]))
    return "\n".join(lines) + "\n"


def ending_table() -> str:
    """Every way in which a run can stop, with its advice: in general, and those of each formulation."""
    lines = [_row("status", "formulation", "what happened", "what to try"), "|:--|:--|:--|:--|"]
    kinds = {"every": Status.GENERAL[1:]} | {kind: found.endings for kind, found in FORMULATIONS.items()}
    for kind, endings in kinds.items():
        lines += [_row(f"`{status.name}`", kind, status.meaning, status.advice) for status in endings]
    return "\n".join(lines) + "\n"


def law_table() -> str:
    """The contact laws with the restitution of an actual free impact, for some values of the parameter."""
    head = ("law", *(f"e = {e:g}" for e in RESTITUTIONS))
    lines = [_row(*head), "|:--|" + "--:|" * len(RESTITUTIONS)]
    for name in CONTACT_LAWS:
        lines.append(_row(f"`{name}`", *(_achieved(name, e) for e in RESTITUTIONS)))
    return "\n".join(lines) + "\n"


def _achieved(name: str, restitution: float) -> str:
    exponent = 1.0 if name == "kelvin-voigt" else 1.5
    try:
        found = CONTACT_LAWS[name](1.0, exponent, restitution, 1.0)
    except ValueError:
        return "refused"
    return f"{restitution if found.viscous else achieved_restitution(found.hysteresis):.3f}"


def plot_table() -> str:
    """Every plot of a result with what it shows and its arguments."""
    from chaindrive.plots import DATA, PLOTS

    lines = [_row("plot", "shows", "arguments", "in Python"), "|:--|:--|:--|:--|"]
    for name, draw in PLOTS.items():
        takes = ", ".join(f"`{key}`" for key in list(inspect.signature(draw).parameters)[1:])
        shows = _plain((inspect.getdoc(draw) or "").partition("\n\n")[0].replace("``", "").replace("\n", " "))
        lines.append(_row(f"`{name}`", shows, takes, f"`{draw.__name__}`, `{DATA[name].__name__}`"))
    return "\n".join(lines) + "\n"


def gallery(group: str) -> str:
    """The examples of a group with their pictures, sources and notes."""
    return "\n\n".join(_example(name) for name in GROUPS[group]) + "\n"


def glance() -> str:
    """A small picture of every example, linked to it."""
    titles = {name: _plain(example(name).name) for name in example_names()}
    small = {name: next(kind for kind in ("tension", "drive") if _picture(name, kind).exists()) for name in titles}
    links = (
        f"[![{title}](pictures/{name}-{small[name]}.png) {title}](#example-{name})" for name, title in titles.items()
    )
    return "\n\n".join([":::{container} overview", *links, ":::"])


def _picture(name: str, kind: str) -> Path:
    return PICTURES / f"{name}-{kind}.png"


def _example(name: str) -> str:
    drive = example(name)
    chain = f"{drive.chain.links} links of {drive.chain.pitch * 1e3:g} mm"
    wheels = ", ".join(f"{_plain(wheel.name)} ({wheel.teeth})" for wheel in drive.wheels)
    around = (
        f"sheaves: {', '.join(_plain(each.name) for each in drive.sheaves)}"
        if drive.sheaves
        else f"wheels (teeth): {wheels}"
    )
    pictures = [kind for kind in SHOWN if _picture(name, kind).exists()]
    lines = [
        f"(example-{name})=",
        f"## {_plain(drive.name)}",
        "",
        f"{chain}; {around}.",
        "",
        f"```\nchaindrive run {name}\n```",
    ]
    lines += ["", *(f"![{_plain(drive.name)}: {SHOWN[kind]}](pictures/{name}-{kind}.png)" for kind in pictures)]
    if (REPORTS / f"{name}.html").exists():
        lines += ["", _live(f"reports/{name}.html", _plain(drive.name))]
    lines += ["", "<details><summary>Source and notes</summary>", "", _plain(drive.source), ""]
    return "\n".join([*lines, *(f"- {_plain(note)}" for note in drive.notes), "", "</details>"])


def _live(address: str, name: str) -> str:
    """A report that ``docs/gallery/reports.py`` has made, shown when it is opened, and a link to it alone."""
    return (
        f'<p><a class="report" href="{address}">Open the interactive report of {name}</a></p>\n'
        f'<details class="live"><summary>or view it here</summary>\n'
        f'<iframe src="{address}" title="Report of {name}" loading="lazy"></iframe>\n</details>'
    )


def _plain(text: str) -> str:
    """Text escaped for Markdown."""
    return "".join("\\" + c if c in "*_`[]#$\\" else "&lt;" if c == "<" else c for c in text)


def chain_table() -> str:
    """The series of the catalogue: number of chains, names, standard, sources of values, doubts."""
    from chaindrive.model import SERIES, chain_names

    head = "| series | chains | entries | names | standard | source | uncertainties |\n|:--|:--|--:|:--|:--|:--|:--|"
    rows = []
    for key, series in SERIES.items():
        names = chain_names(key)
        shown = f"`{names[0]}` to `{names[-1]}`"
        told = (series.title, len(names), shown, series.standard, series.source, series.doubts or "-")
        rows.append(_row(f"`{key}`", *told))
    return "\n".join([head, *rows])
