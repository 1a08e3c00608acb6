"""Bicycles: the marks of Omar (2014), and losses beside what others measured.

    python docs/validation/bicycle.py [--write]

``--write`` makes ``bicycle.md`` and its picture beside this file. Takes some minutes. Measured values are those that
facts and papers name; nothing here is fitted to them.
"""

from __future__ import annotations

import argparse
import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import chaindrive as cd
from chaindrive.analyses.results.losses import losses, wheel_losses
from chaindrive.model import Drive, override
from chaindrive.plots.style import new_figure

HERE = Path(__file__).parent
PAGE, PICTURE = HERE / "bicycle.md", HERE / "pictures" / "omar-112.png"

LONG, SHORT = 9.0, 1.6
"""Runs of the chain of Omar, and of bicycles. [s]"""
FROM = 0.8
"""When losses of bicycles are taken from, means over the rest. [s]"""
TURNING = 3.2
"""From when on Omar's driver has its speed. [s]"""
TEETH_A_SECOND = 23.0
"""Of Omar's driver. [Hz]"""
LINK = 40
WILSON = {24: (94.2, 96.2, 97.4, 98.1), 19: (94.1, 96.4, 97.6, 98.4), 13: (92.1, 94.9, 96.9, 97.8)}
"""Efficiency of a derailleur drive at 50, 100, 200, 400 W by cog (Wilson, Bicycling Science, 3rd ed., p. 343). [%]"""
POWERS = (50.0, 100.0, 200.0, 400.0)
SPICER = {40: 97.8, 50: 95.9, 60: 94.4, 70: 92.8, 80: 91.3, 90: 89.9}
"""Efficiency at 100 W of 52 teeth on 21 by cadence in rpm (Spicer 2001). [%]"""


class Loss(NamedTuple):
    """What a bicycle loses."""

    power: float
    """Arriving at the wheel [W]"""
    lost: float
    """[W]"""
    joints: float
    teeth: float
    sides: float
    bearings: float
    tension: float
    """Of the upper run [N]"""

    @property
    def share(self) -> float:
        """Of what is put in. [%]"""
        return 100.0 * self.lost / (self.power + self.lost)


def omar() -> tuple[list[tuple[str, str, str]], dict[str, Any]]:
    """The marks of the paper, what is found, and what the picture needs."""
    channels = (
        "link_tension",
        "bushing_force",
        "lateral_acceleration",
        "span_tension",
        "wheel_speed",
        "link_path_position",
    )
    save = cd.SaveOptions(rate=2000.0, channels=channels)
    run = cd.simulate(cd.example("omar-112"), until=LONG, save=save)
    time = run.time
    late = time > TURNING
    spans = run.values("span_tension")[late]
    turned = np.diff(np.unwrap(run.values("link_path_position")[late][:, LINK] * 2.0 * math.pi / 112))
    pace = abs(turned.sum()) / (time[late][-1] - time[late][0])
    loop = 2.0 * math.pi / pace
    sway = run.values("lateral_acceleration")[late][:, LINK]
    window = np.hanning(sway.size)
    spectrum = np.abs(np.fft.rfft((sway - sway.mean()) * window))
    frequency = np.fft.rfftfreq(sway.size, time[1] - time[0])
    peaks = []
    for order in range(1, 6):
        near = np.abs(frequency - order * TEETH_A_SECOND) < 1.0
        around = (np.abs(frequency - order * TEETH_A_SECOND) < 8.0) & ~near
        at = frequency[near][spectrum[near].argmax()]
        peaks.append((order * TEETH_A_SECOND, at, spectrum[near].max() / np.median(spectrum[around])))
    shear = run.values("bushing_force")[late][:, LINK, 2]
    place = np.mod(run.values("link_path_position")[late][:, LINK], 112)
    rows = [
        (
            "all spans in tension",
            "always",
            ", ".join(f"{lo:.1f} to {hi:.1f} N" for lo, hi in zip(spans.min(axis=0), spans.max(axis=0), strict=True)),
        ),
        ("time of a loop", "4.870 s", f"{loop:.3f} s"),
        (
            "lateral acceleration of a link: peaks at multiples of 23 Hz",
            "23, 46, 69 ... Hz",
            ", ".join(f"{at:.1f} Hz ({times:.0f} times its surroundings)" for _, at, times in peaks),
        ),
        (
            "lateral force in the joints changes its sign along the loop",
            "yes",
            f"{shear.min():.1f} to {shear.max():.1f} N",
        ),
    ]
    return rows, {
        "time": time[late],
        "sway": sway,
        "frequency": frequency,
        "spectrum": spectrum,
        "place": place,
        "shear": shear,
    }


def bicycle(**changes: Any) -> Drive:
    """The example bicycle-50x19 with other values of its table [bicycle] by their names."""
    wanted = {f"bicycle.{name.replace('__', '.')}": value for name, value in changes.items()}
    return override(cd.example("bicycle-50x19"), wanted)


def loss_of(drive: Drive) -> Loss:
    """Run a bicycle, and its mean losses."""
    run = cd.simulate(drive, until=SHORT, save=cd.SaveOptions(rate=500.0))
    found, where = losses(run, FROM, SHORT), wheel_losses(run, FROM, SHORT)
    assert where is not None
    late = run.time > FROM
    joints, teeth, sides, bearings = where.power.sum(axis=0)
    return Loss(
        found.output,
        found.total,
        joints,
        teeth,
        sides,
        bearings,
        float(run.values("span_tension")[late].mean(axis=0).max()),
    )


def wilson() -> tuple[list[tuple[int, float, Loss]], list[tuple[int, float, float]]]:
    """Losses by cog and power, and the straight line through those of each cog: constant [W], part of the power [%]."""
    rows, lines = [], []
    for cog in WILSON:
        found = []
        for power in POWERS:
            drive = bicycle(
                gear=f"50x{cog}", cassette=[13, 15, 17, 19, 21, 24], rider__power=f"{power} W", rider__cadence="75 rpm"
            )
            found.append(loss_of(drive))
            rows.append((cog, power, found[-1]))
        slope, constant = np.polyfit([x.power for x in found], [x.lost for x in found], 1)
        lines.append((cog, float(constant), 100.0 * float(slope)))
    return rows, lines


def spicer() -> tuple[list[tuple[int, Loss]], float, list[tuple[int, Loss]]]:
    """Losses over the cadence, the slope of the efficiency over 1/tension [N], and losses over the cog at 60 rpm."""
    common: dict[str, Any] = {"chainrings": [52], "cassette": [11, 13, 15, 17, 19, 21], "rider__power": "100 W"}
    by_cadence = [(rpm, loss_of(bicycle(gear="52x21", rider__cadence=f"{rpm} rpm", **common))) for rpm in SPICER]
    slope = np.polyfit([1.0 / x.tension for _, x in by_cadence], [100.0 - x.share for _, x in by_cadence], 1)[0]
    by_cog = [(cog, loss_of(bicycle(gear=f"52x{cog}", rider__cadence="60 rpm", **common))) for cog in (11, 15, 21)]
    return by_cadence, float(slope) / 100.0, by_cog


def friction_facts() -> dict[str, tuple[Loss, Loss]]:
    """53x15 and 39x11 at 250 W and 95 rpm: in line, and with the chain line of their wheels."""
    common: dict[str, Any] = {"chainrings": [53, 39], "cassette": [11, 12, 13, 14, 15, 17, 19, 21, 23, 25, 28]}
    common |= {"rider__power": "250 W", "rider__cadence": "95 rpm"}
    lines = {"in line": {"straight_chainline": True}, "with its chain line": {}}
    return {
        name: (loss_of(bicycle(gear="53x15", **common, **more)), loss_of(bicycle(gear="39x11", **common, **more)))
        for name, more in lines.items()
    }


def draw(found: dict[str, Any]) -> None:
    """The picture of Omar's marks."""
    figure = new_figure(7.0, 7.5)
    axes = figure.subplots(3, 1)
    axes[0].plot(found["time"], found["sway"], linewidth=0.5)
    axes[0].set_xlabel("time [s]")
    axes[0].set_ylabel("lateral acceleration [m/s²]")
    axes[1].plot(found["frequency"], found["spectrum"], linewidth=0.7)
    for order in range(1, 6):
        axes[1].axvline(order * TEETH_A_SECOND, color="grey", linewidth=0.5, linestyle=":")
    axes[1].set_xlim(0.0, 130.0)
    axes[1].set_xlabel("frequency [Hz]; dotted: multiples of 23 Hz")
    axes[1].set_ylabel("spectrum")
    axes[2].plot(found["place"], found["shear"], ".", markersize=1.0)
    axes[2].set_xlabel("place of the link along the loop [links]")
    axes[2].set_ylabel("force along the pin [N]")
    figure.savefig(PICTURE, dpi=110)


def page() -> str:
    """The page, from runs of everything."""
    marks, found = omar()
    draw(found)
    by_power, lines = wilson()
    by_cadence, slope, by_cog = spicer()
    facts = friction_facts()
    out = [
        "# Bicycles",
        "",
        f"Made by `python docs/validation/bicycle.py --write` on {datetime.now(UTC):%Y-%m-%d} with chaindrive "
        f"{cd.__version__}.",
        "",
        "## The marks of Omar (2014)",
        "",
        "The example `omar-112`: 112 links, a driving sprocket of 23 teeth 30 mm aside, brought to one turn a",
        "second within 3 s. The paper prints no stiffnesses, masses or tooth forms that can still be read: the",
        "data are ours, and what can be held against it are marks, not amplitudes.",
        "",
        "| mark | Omar | here |",
        "|:--|:--|:--|",
        *(f"| {what} | {paper} | {ours} |" for what, paper, ours in marks),
        "",
        "![lateral acceleration of a link, its spectrum, and the force along its pin around the loop]"
        "(pictures/omar-112.png)",
        "",
        f"From {TURNING:g} s on, link {LINK}.",
        "",
        "## Losses beside Wilson's table",
        "",
        "The example `bicycle-50x19` with other cogs at 75 rpm. Wilson (Bicycling Science, 3rd edition, p. 343)",
        "does not say which chainring, chain and cadence; his losses hold those of a test rig and of a chain that",
        "is not said to be new.",
        "",
        "| cog | power [W] | lost here [W] | in joints | on teeth | at their sides | in pulley bearings "
        "| efficiency [%] | Wilson [%] |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for cog, power, loss in by_power:
        theirs = WILSON[cog][POWERS.index(power)]
        out.append(
            f"| {cog} | {power:g} | {loss.lost:.2f} | {loss.joints:.2f} | {loss.teeth:.2f} | {loss.sides:.2f} | "
            f"{loss.bearings:.2f} | {100.0 - loss.share:.2f} | {theirs:g} |"
        )
    out += ["", "| cog | lost here | part of the power within 0.5 to 1.5 % | Wilson |", "|--:|:--|:--|:--|"]
    for cog, constant, part in lines:
        theirs = np.polyfit(POWERS, [p * (100.0 / e - 1.0) for p, e in zip(POWERS, WILSON[cog], strict=True)], 1)
        inside = "yes" if 0.5 <= part <= 1.5 else "**no**"
        out.append(
            f"| {cog} | {constant:.2f} W + {part:.2f} % | {inside} | {theirs[1]:.2f} W + {100.0 * theirs[0]:.2f} % |"
        )
    by_name = {(cog, power): loss for cog, power, loss in by_power}
    worse = all(by_name[13, p].lost > by_name[19, p].lost > by_name[24, p].lost for p in POWERS)
    out += [
        "",
        f"The smaller cog loses more at every power: {'yes' if worse else '**no**'}.",
        "The constant part of a rig (seals, drag, its",
        "own bearings) is not in the drive: ours is the friction of two pulleys and what the slack run takes.",
        "",
        "## Over the tension: Spicer",
        "",
        "52 teeth on 21 at 100 W. Spicer (2001) found efficiencies that fall with 1/tension so steeply that they",
        "would reach 104 % at large tension: only the sign and that it is a straight line can be compared.",
        "",
        "| rpm | tension here [N] | efficiency here [%] | Spicer [%] |",
        "|--:|--:|--:|--:|",
        *(f"| {rpm} | {x.tension:.0f} | {100.0 - x.share:.2f} | {SPICER[rpm]:g} |" for rpm, x in by_cadence),
        "",
        f"Slope of the efficiency over 1/tension: {slope:.3g} N here, -14.4 N there.",
        "",
        "| cog at 60 rpm | lost [%] |",
        "|--:|--:|",
        *(f"| {cog} | {x.share:.2f} |" for cog, x in by_cog),
        "",
        f"52x11 loses {by_cog[0][1].share - by_cog[2][1].share:.2f} % of the power more than 52x21; Spicer: 2 to 5 %.",
        "",
        "## A road bicycle: Smit, Friction Facts",
        "",
        "Smit et al. (2023) found 2.1 % ± 1.5 for a single rider between 100 and 400 W. Friction Facts measured",
        "that 53x15 loses 1.5 W less than 39x11 at 250 W in line, and about 3 W less with their chain lines.",
        "",
        "| | 53x15 | 39x11 | difference | measured |",
        "|:--|--:|--:|--:|--:|",
    ]
    for (name, (one, other)), measured in zip(facts.items(), ("1.5 W", "about 3 W"), strict=True):
        out.append(
            f"| {name} | {one.lost:.2f} W ({one.share:.2f} %) | {other.lost:.2f} W ({other.share:.2f} %) | "
            f"{other.lost - one.lost:.2f} W | {measured} |"
        )
    within = [x.share for _, power, x in by_power if power >= 100.0] + [
        x.share for pair in facts.values() for x in pair
    ]
    out += [
        "",
        f"Shares between 100 and 400 W on this page: {min(within):.2f} to {max(within):.2f} %;",
        "Smit's window is 0.6 to 3.6 %.",
        "",
        "## What the differences say",
        "",
        "- The part that grows with the power is friction of pins in bushes, as much as its coefficient of 0.09",
        "  makes of it, and 1/N of both wheels: sign and size are those of the measurements.",
        "- What a measured drive loses at no power (seals of pulleys, oil that is sheared, the bearings of the",
        "  rig) is not in the example, whose pulley bearings have 2 N mm each. `derailleur.pulley_friction`,",
        "  `joint_damping` and `bearing_damping` are where it can be put.",
        "",
    ]
    return "\n".join(out)


def main() -> None:
    """Print the page, and write it where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the page and its picture")
    chosen = parser.parse_args()
    text = page()
    print(text)
    if chosen.write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
