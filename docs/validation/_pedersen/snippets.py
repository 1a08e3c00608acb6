"""The lines of Python below each figure that draw a similar figure."""

from __future__ import annotations

from typing import NamedTuple

from _cases import L60, S90

__all__ = ["SNIPPETS", "snippet"]


class _Drawn(NamedTuple):
    """A run of an example, and a plot of it."""

    example: str
    plot: str
    """Plot and arguments, as a method of ``run.plot``, or a line of code that makes ``figure``."""
    until: float
    """[s]"""
    changes: str = ""
    """Argument of ``drive.replace``."""
    rate: str = ""
    """Rows stored per second."""
    channels: str = ""


def _link(start: float, length: float = 1.0) -> str:
    return f'run.plot.link_tension(link=40, start="{start:g} s", stop="{start + length:g} s")'


def _contact(start: float, length: float = 1.0) -> str:
    return f'run.plot.contact_force(roller=40, start="{start:g} s", stop="{start + length:g} s")'


def _strand(span: int, start: float) -> str:
    return f'run.plot.span(span={span}, start="{start:g} s")'


def _spectrum(span: int, start: float, highest: int = 20) -> str:
    shown = f'index={span}, start="{start:g} s", scaling="rms", highest={highest}'
    return f'run.plot.spectrum(channel="span_displacement", {shown})'


def _channel(name: str, select: str) -> str:
    return f'run["{name}"].{select}.plot()[0].figure'


_BARE = '{"contact.friction": 0, "chain.joint_damping": 0}'
_RUBBING = '{"contact.friction": 0.1, "chain.joint_damping": 0}'
_DAMPED = '"chain.joint_damping", "5 N*m*s/rad"'
_REBOUND = '{"contact.restitution": 0.8, "chain.joint_damping": 0}'
_ROLLER = "isel(roller=40).sel(time=slice({:g}, {:g}))"
_ARM = "isel(body=0, axis=0)"
_OSCILLATING, _GUIDES = f"{S90}-oscillating", f"{S90}-guides"
_BOTH, _TIGHTENER = f"{S90}-guides-oscillating", f"{S90}-tightener"
_ALL = f"{S90}-tightener-oscillating"

SNIPPETS: dict[str, _Drawn] = {
    "5.2": _Drawn(L60, _link(24), 25),
    "5.3": _Drawn(L60, "run.plot.tension_envelope()", 25),
    "5.4": _Drawn(L60, _strand(0, 20), 30),
    "5.5": _Drawn(L60, _strand(3, 20), 30),
    "5.6": _Drawn(L60, _spectrum(0, 20), 30),
    "5.7": _Drawn(L60, _spectrum(3, 20), 30),
    "5.8": _Drawn(L60, _contact(24), 25),
    "5.9": _Drawn(L60, "run.plot.comparison()", 25),
    "5.10": _Drawn(L60, "run.plot.comparison()", 25),
    "5.12": _Drawn(S90, _channel("contact_penetration", _ROLLER.format(6, 7.3)), 7.5, _RUBBING, "5 kHz"),
    "5.13": _Drawn(S90, _channel("roller_velocity", "isel(roller=40, axis=0)"), 7.5, _RUBBING, "5 kHz"),
    "5.14": _Drawn(S90, _channel("friction_force", _ROLLER.format(6, 7.3)), 7.5, _RUBBING),
    "5.15": _Drawn(S90, _channel("friction_force", _ROLLER.format(6, 7.3)), 7.5, _RUBBING, "5 kHz"),
    "5.16": _Drawn(S90, _contact(20, 1.3), 22, _BARE),
    "5.17": _Drawn(S90, _link(20, 1.3), 22, _BARE),
    "5.18": _Drawn(S90, _channel("contact_penetration", _ROLLER.format(7, 7.3)), 7.5, _REBOUND, "5 kHz"),
    "5.19": _Drawn(S90, _contact(7, 0.3), 7.5, _REBOUND, "5 kHz"),
    "5.21": _Drawn(S90, "run.plot.losses()", 22, _DAMPED),
    "5.22": _Drawn(S90, _strand(0, 12), 22, _DAMPED),
    "5.23": _Drawn(S90, _link(20, 1.3), 22, _DAMPED),
    "5.24": _Drawn(_GUIDES, _strand(0, 5), 15),
    "5.25": _Drawn(_GUIDES, _strand(3, 5), 15),
    "5.26": _Drawn(_GUIDES, _spectrum(0, 5), 15),
    "5.27": _Drawn(_GUIDES, _spectrum(3, 5), 15),
    "5.28": _Drawn(_OSCILLATING, _strand(0, 5), 25),
    "5.29": _Drawn(_OSCILLATING, _strand(0, 23), 25),
    "5.30": _Drawn(_OSCILLATING, _strand(3, 5), 25),
    "5.31": _Drawn(_OSCILLATING, _spectrum(0, 5), 25),
    "5.32": _Drawn(_OSCILLATING, _spectrum(3, 5), 25),
    "5.33": _Drawn(_GUIDES, _link(13, 1.3), 15),
    "5.34": _Drawn(_BOTH, _link(23, 1.3), 25),
    "5.35": _Drawn(_GUIDES, _contact(13, 1.3), 15),
    "5.36": _Drawn(_BOTH, _contact(23, 1.3), 25),
    "5.38": _Drawn(_TIGHTENER, _channel("body_position", _ARM), 15),
    "5.39": _Drawn(_ALL, _channel("body_position", _ARM), 25),
    "5.40": _Drawn(_ALL, 'run.plot.spectrum(channel="body_position", index=0, start="5 s", scaling="rms")', 25),
    "5.41": _Drawn(_TIGHTENER, _strand(0, 5), 15),
    "5.42": _Drawn(_ALL, _strand(0, 5), 25),
    "5.43": _Drawn(_ALL, _spectrum(0, 5), 25),
    "5.44": _Drawn(_TIGHTENER, _link(13, 1.3), 15),
    "5.45": _Drawn(_ALL, _link(23, 1.3), 25),
    "5.46": _Drawn(_TIGHTENER, _contact(13, 1.3), 15),
    "5.47": _Drawn(_ALL, _contact(23, 1.3), 25),
}
"""Data of the code, by the number of the figure. The pages themselves draw several runs in one figure and compare
numbers.
"""

_STRINGS = """\
import numpy as np
import chaindrive as cd
from chaindrive.analyses.formulas import moving_string_frequency
from chaindrive.mechanism.facts import drive_facts

drive = cd.example("6s90mc-c")
length, mass = drive_facts(drive).route.span_length[{span}], drive.chain.link_mass / drive.chain.pitch
for speed in np.linspace(0.0, 10.0, 6):  # of the chain [m/s]
    print(speed, moving_string_frequency(1, length, 2002e3 / 25, mass, speed), "Hz")
"""
_STUDY = """\
import chaindrive as cd
from chaindrive.plots import plot_study

study = cd.load_study("{study}.toml")  # chaindrive examples copy {study}
table = cd.run_study(study, output="{study}-study", workers=2)
figure = plot_study(table)
figure.savefig("figure-{number}.png")
"""
_OTHERS = {
    "5.48": (_STRINGS, {"span": 0}),
    "5.49": (_STRINGS, {"span": 0}),
    "5.50": (_STRINGS, {"span": 1}),
    "5.52": (_STUDY, {"study": "6s90mc-c-tightener-angle"}),
    "5.53": (_STUDY, {"study": "6s90mc-c-speed"}),
}


def snippet(number: str) -> str:
    """The code for the figure of this number; empty if it is not a figure of the thesis."""
    name = number.replace(".", "-")
    if number in _OTHERS:
        text, words = _OTHERS[number]
        return text.format(number=name, **words)
    if number not in SNIPPETS:
        return ""
    drawn = SNIPPETS[number]
    options = [f'rate="{drawn.rate}"'] if drawn.rate else []
    needs = "friction_force", "contact_penetration", "roller_velocity", "body_position"
    options += ['channels="all"'] if any(channel in drawn.plot for channel in needs) else []
    save = f", save=cd.SaveOptions({', '.join(options)})" if options else ""
    changed = f".replace({drawn.changes})" if drawn.changes else ""
    return (
        f'import chaindrive as cd\n\ndrive = cd.example("{drawn.example}"){changed}\n'
        f'run = cd.simulate(drive, until="{drawn.until:g} s"{save})\n'
        f"figure = {drawn.plot}\n"
        f'figure.savefig("figure-{name}.png")\n'
    )
