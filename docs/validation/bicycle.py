"""Bicycles: the features that Omar (2014) describes, and losses compared with measurements by others.

    python docs/validation/bicycle.py [omar losses] [--write]

generates both sections of the page, or one of them; ``--write`` puts them into ``bicycle.md`` next to this file and
draws the picture. Measured values are those given in the papers and by Friction Facts; nothing here is fitted to them.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _made import kept, kept_folder, made

import chaindrive as cd
from chaindrive.analyses.results.losses import losses, wheel_losses
from chaindrive.contract.states import FloatArray
from chaindrive.model import Drive, override
from chaindrive.plots.style import new_figure

HERE = Path(__file__).parent
PAGE, PICTURE = HERE / "bicycle.md", HERE / "pictures" / "omar-112.png"

LONG, SHORT = 9.0, 1.6
"""Lengths of the runs of Omar's chain, and of bicycles. [s]"""
FROM = 0.8
"""Start of the part over which mean losses of a bicycle are computed. [s]"""
TURNING = 3.2
"""Time from which Omar's driver has its speed. [s]"""
TEETH_A_SECOND = 23.0
"""Tooth frequency of Omar's driver. [Hz]"""
NEAR = 1.3
"""Largest distance of a line from a multiple to which it is assigned. [Hz]"""
LOWEST, HIGHEST, LINES = 5.0, 500.0, 6
"""Frequency range of the lines [Hz], and how many of the highest are listed."""
LINK = 40
OMAR_WORDS = """The example `omar-112` has 112 links and a driving sprocket of 23 teeth, offset by 30 mm, which is
brought to one turn per second within 3 s. No stiffnesses, masses or tooth forms are legible in the paper, so we chose
these data, and only features can be compared, not amplitudes. The paper says of the lateral
acceleration of link 1 that the dominant peaks of its spectrum are at multiples of 23 Hz."""
OMAR_WHY = """The table shows the following:

- The highest lines are near multiples of 11.5 Hz, which is half the tooth frequency, both odd and even: inner and outer
  links alternate, so that the excitation by the teeth of the driver repeats after two links. Omar's chain alternates,
  too, but the spectrum in his Figure 12 is no longer legible.
- With play in the joints, which real bicycle chains have and Omar's bushings do not, the motion is weaker, and a
  larger part of it is near these lines.
- Without play the chain is stiff against bending out of its plane, and pulses run along the slack spans, where
  the spring of the cage maintains only a small tension. There the force along a link becomes negative for short
  times, more so without friction in the joints. With a stronger spring (the paper does not give its stiffness) all
  forces stay positive.
- So bushings without play and a stronger spring reproduce Omar's positive forces, and joints with play have them, too.
  No choice that we have tried makes multiples of 23 Hz alone the dominant lines.
- A torque that depends on the rotation vector has no potential (decision 0005): such a joint gains energy, and the
  error of the energy balance is larger."""
RIGID = {f"chain__sideways__{name}_play": 0.0 for name in ("bend", "twist", "pin")}
CHOICES: dict[str, dict[str, Any]] = {
    "ours": {},
    "joints without play": RIGID,
    "without play, bushings that resist the rotation vector": RIGID
    | {"run__formulation__bushing": "rotation-vector", "run__solver__method": "splitting", "run__solver__step": "4 us"},
    "without play, no friction in joints": RIGID | {"chain__joint_friction": 0.0},
    "without play, spring of the cage 3 N m instead of 1": RIGID | {"bodies__0__joint__load": "-3 N*m"},
}
"""Changes of the example, by their description on the page."""
OMAR_HEAD, LOSSES_HEAD = "## The features that Omar (2014) describes", "## Losses compared with Wilson's table"
OMAR = ("bushing_force", "lateral_acceleration", "span_tension", "link_path_position")
WILSON = {24: (94.2, 96.2, 97.4, 98.1), 19: (94.1, 96.4, 97.6, 98.4), 13: (92.1, 94.9, 96.9, 97.8)}
"""Efficiency of a derailleur drive at 50, 100, 200, 400 W by cog (Wilson, Bicycling Science, 3rd ed., p. 343). [%]"""
POWERS = (50.0, 100.0, 200.0, 400.0)
SPICER = {40: 97.8, 50: 95.9, 60: 94.4, 70: 92.8, 80: 91.3, 90: 89.9}
"""Efficiency of a drive with 52 and 21 teeth at 100 W, by cadence in rpm (Spicer 2001). [%]"""


class Loss(NamedTuple):
    """Losses of a bicycle drive."""

    power: float
    """Power at the wheel [W]"""
    lost: float
    """Power lost [W]"""
    joints: float
    teeth: float
    sides: float
    bearings: float
    tension: float
    """Tension of the upper span [N]"""
    missing: float
    """Residual of the power balance divided by the losses"""

    @property
    def share(self) -> float:
        """Losses divided by the input power. [%]"""
        return 100.0 * self.lost / (self.power + self.lost)


class Omar(NamedTuple):
    """A run of Omar's chain at full speed."""

    time: FloatArray
    spans: FloatArray
    """Tensions of all spans [N]"""
    loop: float
    """Time of a loop [s]"""
    sway: FloatArray
    """Lateral accelerations of all links [m/s^2]"""
    shear: FloatArray
    """Forces along the pins of all joints [N]"""
    pull: FloatArray
    """Forces along the links in all joints [N]"""
    place: FloatArray
    """Positions of all links along the loop [links]"""
    missing: float
    """Largest residual of the energy balance over the energy exchanged"""


class Marks(NamedTuple):
    """Results of a run of Omar's chain on the page."""

    sway: float
    """Root mean square of the lateral accelerations of all links [m/s^2]"""
    shear: tuple[float, float]
    """Forces along pins: root mean square and largest [N]"""
    pull: float
    """Smallest force along a link [N]"""
    pushed: float
    """Share of links and time with a negative force [-]"""
    lines: list[float]
    """The highest lines of the lateral acceleration, highest first [Hz]"""
    whole: float
    """Share of the mean square of the lateral acceleration near multiples of the tooth frequency [-]"""
    half: float
    """Share near odd multiples of half the tooth frequency [-]"""
    missing: float
    """Largest residual of the energy balance over the energy exchanged"""


def omar(**changes: Any) -> Omar:
    """The example omar-112 with changed values, given by their keys with dots written as double underscores."""
    save = cd.SaveOptions(rate=2000.0, channels=(*OMAR, "energy_residual"))
    drive = override(cd.example("omar-112"), {name.replace("__", "."): value for name, value in changes.items()})
    run = cd.simulate(drive, until=LONG, save=save)
    if run.status != cd.Status.REACHED_END:
        raise SystemExit(f"omar-112 with {changes}: {run.status.meaning}")
    late = run.time > TURNING
    time, place = run.time[late], run.values("link_path_position")[late]
    turned = np.unwrap(place[:, LINK] * 2.0 * math.pi / 112)
    loop = 2.0 * math.pi * (time[-1] - time[0]) / abs(turned[-1] - turned[0])
    return Omar(
        time,
        run.values("span_tension")[late],
        loop,
        np.asarray(run.values("lateral_acceleration")[late], np.float64),
        np.asarray(run.values("bushing_force")[late][:, :, 2], np.float64),
        np.asarray(run.values("bushing_force")[late][:, :, 0], np.float64),
        np.mod(place, 112.0),
        run.audit.relative_residual,
    )


def spectrum(run: Omar) -> tuple[FloatArray, FloatArray]:
    """Frequencies [Hz], and the root of the mean square over all links of the amplitudes of their lateral
    acceleration.
    """
    sway = (run.sway - run.sway.mean(axis=0)) * np.hanning(len(run.time))[:, None]
    amplitude = np.sqrt((np.abs(np.fft.rfft(sway, axis=0)) ** 2).mean(axis=1))
    return np.fft.rfftfreq(len(run.time), run.time[1] - run.time[0]), amplitude


def marks(run: Omar) -> Marks:
    """Results of a run on the page."""
    frequency, amplitude = spectrum(run)
    within = (frequency > LOWEST) & (frequency < HIGHEST)
    frequency, amplitude = frequency[within], amplitude[within]
    tops = 1 + np.flatnonzero((amplitude[1:-1] > amplitude[:-2]) & (amplitude[1:-1] >= amplitude[2:]))
    tops = tops[np.argsort(-amplitude[tops])][:LINES]
    off = np.abs(np.mod(frequency + 0.5 * TEETH_A_SECOND, TEETH_A_SECOND) - 0.5 * TEETH_A_SECOND)
    parts = amplitude**2 / (amplitude**2).sum()
    return Marks(
        float(run.sway.std()),
        (float(run.shear.std()), float(np.abs(run.shear).max())),
        float(run.pull.min()),
        float((run.pull < 0.0).mean()),
        [float(each) for each in frequency[tops]],
        float(parts[off < NEAR].sum()),
        float(parts[off > 0.5 * TEETH_A_SECOND - NEAR].sum()),
        run.missing,
    )


def marks_of(choice: str) -> Marks:
    """Results for one of the choices, kept in ``build/validation/bicycle``."""
    name = hashlib.sha256(repr(CHOICES[choice]).encode()).hexdigest()[:20]
    path = kept_folder("bicycle") / f"omar-{name}.json"
    return Marks(*kept(path, lambda: marks(omar(**CHOICES[choice]))))


def line_texts(found: Marks) -> str:
    """The frequencies of the lines as a text, each also as a multiple of the tooth frequency."""
    return ", ".join(f"{each:.1f} Hz ({each / TEETH_A_SECOND:.2f})" for each in found.lines)


def omar_part() -> str:
    """The section about Omar's features and the effects of the choices in his model."""
    ours = omar()
    draw(ours)
    joined = (
        f"{low:.1f} to {high:.1f} N" for low, high in zip(ours.spans.min(axis=0), ours.spans.max(axis=0), strict=True)
    )
    own, shear = marks(ours), ours.shear[:, LINK]
    found = {"ours": own} | {choice: marks_of(choice) for choice in CHOICES if choice != "ours"}
    chance = 2.0 * NEAR / TEETH_A_SECOND
    return "\n".join(
        [
            OMAR_HEAD,
            "",
            f"This section is written by `python docs/validation/bicycle.py omar --write`; it was {made()}.",
            "",
            OMAR_WORDS,
            "",
            "| mark | Omar | here |",
            "|:--|:--|:--|",
            f"| forces along links | always positive | {own.pull:.1f} N and more; spans {', '.join(joined)} |",
            f"| time of a loop | 4.870 s | {ours.loop:.3f} s |",
            f"| lateral acceleration of links: highest lines (multiples of 23 Hz) | 23, 46, 69 ... Hz | **no**: "
            f"{line_texts(own)} |",
            f"| force along a pin changes its sign along the loop | yes | {shear.min():.1f} to {shear.max():.1f} N |",
            "",
            f"The time window begins at {TURNING:g} s. The lines listed are the highest lines between {LOWEST:g} and "
            f"{HIGHEST:g} Hz in the spectrum of the mean square over all links.",
            "",
            "![lateral acceleration of a link, its spectrum, and the force along its pin around the loop]"
            "(pictures/omar-112.png)",
            "",
            f"The upper and lower diagrams show link {LINK}; the middle one shows all links.",
            "",
            "### What the choices of his model change",
            "",
            "Omar's bushings are linear, have no play, and resist the rotation vector of a joint; he mentions no "
            f"friction in joints. *Near multiples* and *near odd halves* are the shares of the mean square within "
            f"{NEAR:g} Hz of multiples of 23 Hz and of odd multiples of 11.5 Hz; by chance each would be "
            f"{100.0 * chance:.0f} %.",
            "",
            "| | lateral acceleration, rms [m/s²] | force along pins, rms; largest [N] "
            "| smallest force along a link [N]; negative "
            "| highest lines (multiples of 23 Hz) | near multiples | near odd halves | error of the energy balance |",
            "|:--|--:|--:|--:|:--|--:|--:|--:|",
            *(
                f"| {name} | {x.sway:.1f} | {x.shear[0]:.2f}; {x.shear[1]:.1f} "
                f"| {x.pull:.1f}; {100.0 * x.pushed:.2g} % | {line_texts(x)} "
                f"| {100.0 * x.whole:.0f} % | {100.0 * x.half:.0f} % | {100.0 * x.missing:.2g} % |"
                for name, x in found.items()
            ),
            "",
            OMAR_WHY,
            "",
        ]
    )


def bicycle(**changes: Any) -> Drive:
    """The example bicycle-50x19 with other values in its table [bicycle], given by their names."""
    wanted = {f"bicycle.{name.replace('__', '.')}": value for name, value in changes.items()}
    return override(cd.example("bicycle-50x19"), wanted)


def loss_of(drive: Drive) -> Loss:
    """Run a bicycle and return its mean losses, which are kept in ``build/validation/bicycle``."""
    name = hashlib.sha256(drive.to_toml().encode()).hexdigest()[:20]
    return Loss(*kept(kept_folder("bicycle") / f"{name}.json", functools.partial(_run, drive)))


def _run(drive: Drive) -> Loss:
    run = cd.simulate(drive, until=SHORT, save=cd.SaveOptions(rate=500.0))
    if run.status != cd.Status.REACHED_END:
        raise SystemExit(f"{drive.name}: {run.status.meaning}")
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
        abs(found.residual) / found.total,
    )


def wilson() -> tuple[list[tuple[int, float, Loss]], list[tuple[int, float, float]]]:
    """Losses by cog and power, and for each cog the line through them: constant [W], share of the power [%]."""
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
    """Losses versus cadence, the slope of the efficiency versus 1/tension [N], and losses versus cog at 60 rpm."""
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


def draw(run: Omar) -> None:
    """Draw the picture of the features that Omar describes."""
    figure = new_figure(7.0, 7.5)
    axes = figure.subplots(3, 1)
    axes[0].plot(run.time, run.sway[:, LINK], linewidth=0.5)
    axes[0].set_xlabel("time [s]")
    axes[0].set_ylabel("lateral acceleration [m/s²]")
    frequency, amplitude = spectrum(run)
    axes[1].plot(frequency, amplitude / amplitude.max(), linewidth=0.7)
    for order in range(1, 11):
        axes[1].axvline(order * TEETH_A_SECOND, color="grey", linewidth=0.5, linestyle=":")
    axes[1].set_xlim(0.0, 250.0)
    axes[1].set_xlabel("frequency [Hz]; dotted: multiples of 23 Hz")
    axes[1].set_ylabel("of the highest peak")
    axes[2].plot(run.place[:, LINK], run.shear[:, LINK], ".", markersize=1.0)
    axes[2].set_xlabel("position of the link along the loop [links]")
    axes[2].set_ylabel("force along the pin [N]")
    figure.savefig(PICTURE, dpi=110)


def losses_part() -> str:
    """The section that compares losses, from runs of all bicycles, with measurements by others."""
    by_power, lines = wilson()
    by_cadence, slope, by_cog = spicer()
    facts = friction_facts()
    out = [
        LOSSES_HEAD,
        "",
        f"This section is written by `python docs/validation/bicycle.py losses --write`; it was {made()}.",
        "",
        "The example `bicycle-50x19` is run here with other cogs, at 75 rpm. Wilson (Bicycling Science, 3rd "
        "edition, p. 343)",
        "does not name the chainring, chain and cadence; his losses include those of the test rig, and he does not "
        "say that the chain was new.",
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
        f"Does the smaller cog lose more at every power, as in the measurements? {'Yes' if worse else '**No**'}.",
        "The constant losses of a rig (seals, drag, its",
        "own bearings) are not in the drive: our constant part consists of the friction of two pulleys and the loss "
        "in the slack span.",
        "",
        "## Efficiency versus tension: Spicer",
        "",
        "The drive has 52 and 21 teeth and transmits 100 W. Spicer (2001) found efficiencies that fall with "
        "1/tension so "
        "steeply that they",
        "would reach 104 % at large tension: only the sign of the slope and the straightness of the line can be "
        "compared.",
        "",
        "| rpm | tension here [N] | efficiency here [%] | Spicer [%] |",
        "|--:|--:|--:|--:|",
        *(f"| {rpm} | {x.tension:.0f} | {100.0 - x.share:.2f} | {SPICER[rpm]:g} |" for rpm, x in by_cadence),
        "",
        f"Slope of the efficiency versus 1/tension: {slope:.3g} N here, -14.4 N according to Spicer.",
        "",
        "| cog at 60 rpm | lost [%] |",
        "|--:|--:|",
        *(f"| {cog} | {x.share:.2f} |" for cog, x in by_cog),
        "",
        f"52x11 loses {by_cog[0][1].share - by_cog[2][1].share:.2f} % more of the power than 52x21; Spicer gives 2 "
        f"to 5 %.",
        "",
        "## A road bicycle: Smit, Friction Facts",
        "",
        "Smit et al. (2023) found losses of 2.1 ± 1.5 % for a single rider between 100 and 400 W. Friction Facts "
        "measured "
        "that, at 250 W, 53x15 loses 1.5 W less than 39x11 if both are in line, and about 3 W less with their actual "
        "chain lines.",
        "",
        "| | 53x15 | 39x11 | difference | measured |",
        "|:--|--:|--:|--:|--:|",
    ]
    for (name, (one, other)), measured in zip(facts.items(), ("1.5 W", "about 3 W"), strict=True):
        out.append(
            f"| {name} | {one.lost:.2f} W ({one.share:.2f} %) | {other.lost:.2f} W ({other.share:.2f} %) | "
            f"{other.lost - one.lost:.2f} W | {measured} |"
        )
    every = [*(x for _, _, x in by_power), *(x for _, x in (*by_cadence, *by_cog))]
    worst = max(x.missing for x in (*every, *(x for pair in facts.values() for x in pair)))
    within = [x.share for _, power, x in by_power if power >= 100.0] + [
        x.share for pair in facts.values() for x in pair
    ]
    out += [
        "",
        f"The losses between 100 and 400 W on this page are {min(within):.2f} to {max(within):.2f} % of the power; "
        f"Smit's range is 0.6 to 3.6 %.",
        "",
        f"In no run does the error of the power balance exceed {100.0 * worst:.2g} % of the losses.",
        "",
        "## What the differences say",
        "",
        "- The part that grows with the power is the friction of pins in bushes. It is proportional to its "
        "coefficient, 0.09, and to the sum of 1/N over both wheels; sign and size agree with the measurements.",
        "- The no-load losses of a measured drive (seals of pulleys, shearing of oil, the bearings of the rig) are "
        "not part of the example, whose pulley bearings have 2 N mm each. `derailleur.pulley_friction`,",
        "  `joint_damping` and `bearing_damping` can represent it.",
        "",
    ]
    return "\n".join(out)


PARTS: dict[str, tuple[str, Callable[[], str]]] = {
    "omar": (OMAR_HEAD, omar_part),
    "losses": (LOSSES_HEAD, losses_part),
}


def with_part(page: str, name: str, text: str) -> str:
    """The page, in which the section of this name, up to the next section or the end, is replaced by this text."""
    begin = page.index(PARTS[name][0])
    ends = [page.find(head, begin + 1) for head, _ in PARTS.values()]
    end = min((place for place in ends if place > 0), default=len(page))
    return page[:begin] + text + page[end:]


def main() -> None:
    """Print the sections, and write them if requested."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}; both by default")
    parser.add_argument("--write", action="store_true", help="write the page and its picture")
    chosen = parser.parse_args()
    for name in chosen.parts or PARTS:
        text = PARTS[name][1]()
        print(text, flush=True)
        if chosen.write:
            PAGE.write_text(with_part(PAGE.read_text(encoding="utf-8"), name, text), encoding="utf-8")


if __name__ == "__main__":
    main()
