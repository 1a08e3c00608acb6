"""The text of the page about rigid links. Every number in a table comes from a run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from _links_cases import (
    CLEARANCE,
    CLEARANCES,
    CONVEYOR,
    FOUR,
    MARINE,
    REVOLUTION,
    RUN_UP,
    SHARES,
    STIFFER,
    V6,
    VARIANTS,
    Kept,
    orders_of_torque,
    own_share,
)
from _links_impact import LAWS, STIFFNESSES, arrivals, impact
from _links_measure import Summary, deviation, differences, named_peaks, spectrum, stays, summary
from _links_words import (
    ADVICE,
    ARRIVALS,
    CLEARANCE_WORDS,
    CONVERGENCE,
    CYCLE,
    INERTIA_WORDS,
    MARKS,
    ORDERS,
    RUN_UP_WORDS,
    SLOW,
    STIFFNESS,
    TABLE,
)
from _made import made
from _rows import number, table

import chaindrive as cd
from chaindrive.analyses.signals.frequencies import frequencies_at_rest
from chaindrive.analyses.signals.spectra import peaks
from chaindrive.analyses.signals.transmission import transmission_orders

Runs = Mapping[str, Kept]
DRIVES = {
    V6: "a V6, 6000 rpm",
    FOUR: "four cylinders, 3000 rpm",
    CONVEYOR: "conveyor, 500 rpm",
    MARINE: "marine engine, 76 rpm",
}
NAMES = {
    "rollers": "rollers",
    "points": "links of I = m P²/4, no clearance",
    "links": "links, no clearance",
    "clearance": "links with clearance",
    "oil": "the same, oil in the joints",
}
COLUMNS = ("", "mean tension, tight / slack [N]", "ripple of the tight span, rms [N]", "largest link tension [N]",
           "contact peak, wheels [N]", "rails [N]", "spans, transverse, rms [mm]", "pins off their bushes", "CPU s / s",
           "evaluations / s")  # fmt: skip


def page(runs: Runs, run_up: str) -> str:
    """The whole page, in Markdown."""
    return "\n".join(
        [_head(runs), _convergence(runs), _impacts(runs), _cycle(runs), _orders(runs), _slow(runs["v6-2500"]),
         _run_up(runs[run_up], runs["v6-3500-rollers"]), _choose(runs)]
    )  # fmt: skip


def _head(runs: Runs) -> str:
    cpu = sum(run.seconds for run in runs.values())
    return f"""# Rigid links with clearance

This page compares results of the [formulation with rigid links](../guide/links.md) with the roller formulation, with
closed forms, and with features that two papers show for timing drives, for which the formulation is intended: Pfeiffer,
Fritz and Srnik (1997, Figures 12 and 13) and Hippmann, Arnold and Schittenhelm (2005, Figure 9). The page is written by
[`rigid_links.py`](rigid_links.py): `python docs/validation/rigid_links.py --write`.

- {made()}
- {len(runs)} runs, {cpu:.0f} s of CPU time without starts and compilation, on a machine shared with other work.
  Including starts and compilation it takes a few minutes on one core; runs are kept, and the next call continues where
  the last one ended
- all runs use Dormand-Prince with default tolerances, and start at speed in equilibrium. Nothing is random, so there
  is no seed
- the papers give neither data of their drives nor numerical results. The examples `v6-timing` and `pfeiffer-roller`
  have the arrangement of these drives; all other data are assumed. Shapes, orders and ratios can be compared, but not
  forces, angles or levels
"""


# 1 --------------------------------------------------------------------------------------------------------------------


def _convergence(runs: Runs) -> str:
    parts = ["## One file in both formulations\n", CONVERGENCE]
    for name, words in ((CONVEYOR, "`industrial-08b`"), (FOUR, "`pfeiffer-roller`, rails without friction")):
        reference = runs[f"start-{name}-rollers"]
        lines = []
        for share, key in [*((share, f"inertia-{share:g}") for share in SHARES), (None, "own")]:
            run = runs[f"start-{name}-{key}"]
            value = own_share(run.case.drive) if share is None else share
            found = differences(run, reference)
            away = abs(value - 1.0)
            slope = f"{100.0 * found.tension / away:.2f} %" if away else "–"
            lines.append([f"{value:.3g}" + (" (its own)" if share is None else ""), f"{100.0 * found.tension:.3f} %",
                          slope, f"{100.0 * found.contact:.2f} %", f"{100.0 * found.largest:+.2f} %"])  # fmt: skip
        lines.sort(key=lambda line: -float(line[0].split()[0]))
        parts.append(f"### {words}, {1e3 * reference.case.until:g} ms from the start: inertia, no clearance\n")
        parts.append(table(["I / (m P²/4)", "span tensions", "over the distance from 1", "contact forces",
                            "largest link tension"], lines) + "\n")  # fmt: skip
        base = runs[f"start-{name}-clearance-0"]
        lines, before = [], None
        for c in CLEARANCES:
            run = runs[f"start-{name}-clearance-{1e6 * c:g}"]
            to_rollers, to_none = differences(run, reference), differences(run, base)
            order = "–"
            if before and c:
                order = f"{math.log(before[1] / to_none.tension) / math.log(before[0] / c):.2f}"
            before = (c, to_none.tension)
            lines.append([f"{1e6 * c:g}", f"{100.0 * to_rollers.tension:.3f} %", f"{100.0 * to_rollers.contact:.2f} %",
                          f"{100.0 * to_none.tension:.3f} %", f"{100.0 * to_none.contact:.2f} %", order])  # fmt: skip
        parts.append("### The same, clearance of the joints, I = m P²/4\n")
        parts.append(table(["clearance [µm]", "span tensions", "contact forces", "span tensions, to no clearance",
                            "contact forces, to no clearance", "order"], lines) + "\n")  # fmt: skip
    parts += [INERTIA_WORDS, CLEARANCE_WORDS]
    lines = []
    for name in (CONVEYOR, FOUR):
        for factor in (1.0, *STIFFER):
            keys = ("inertia-1", "rollers") if factor == 1.0 else (f"stiff-{factor:g}", f"stiff-{factor:g}-rollers")
            found = differences(*(runs[f"start-{name}-{key}"] for key in keys))
            lines.append(
                [f"`{name}`", f"{factor:g}", f"{100.0 * found.tension:.3f} %", f"{100.0 * found.contact:.2f} %"]
            )
    rough = differences(runs[f"start-{FOUR}-friction"], runs[f"start-{FOUR}-friction-rollers"])
    parts += [
        "### Stiffer links in both formulations, I = m P²/4, no clearance\n",
        STIFFNESS,
        table(["drive", "stiffness of the links", "span tensions", "contact forces"], lines) + "\n",
        f"The friction of the rails (0.08) exerts a moment on plates, but not on rollers; with it the "
        f"differences for `{FOUR}` are {100.0 * rough.tension:.3f} %\nand {100.0 * rough.contact:.2f} %, about as "
        f"without it.\n",
    ]
    return "\n".join(parts)


# 2 --------------------------------------------------------------------------------------------------------------------


def _impacts(runs: Runs) -> str:
    lines = []
    for law, asked in LAWS:
        for stiffness in STIFFNESSES if law == "lankarani-nikravesh" else STIFFNESSES[-1:]:
            found = impact(law, asked, stiffness)
            errors = [abs(got / wanted - 1.0) for wanted, got in (found.speed, found.turning)]
            lines.append([law, f"{asked:g}", f"{stiffness:.0e}", f"{found.achieved:.4f}", f"{1e3 * found.speed[0]:.2f}",
                          f"{1e3 * found.speed[1]:.2f}", f"{found.turning[0]:.3f}", f"{found.turning[1]:.3f}",
                          f"{max(errors):.1e}"])  # fmt: skip
    header = ["law", "restitution given", "K [N/m^1.5]", "achieved e", "bush leaves, Newton [mm/s]", "computed",
              "link turns, Newton [rad/s]", "computed", "error"]  # fmt: skip
    arrived = []
    for name in (CONVEYOR, V6):
        run = runs[f"arrivals-{name}"]
        for wheel in range(len(run.case.drive.wheels)):
            found = arrivals(run, wheel)
            if found.share.size:
                arrived.append([f"`{name}`, {found.wheel}", str(found.share.size), f"{found.share.mean():.2f}",
                                f"{found.share.min():.2f} to {found.share.max():.2f}", f"{found.exact.mean():.3f}",
                                f"{np.abs(found.exact - 1.0).max():.3f}", f"{found.normal.mean():.2f}"])  # fmt: skip
    return f"""## Impacts

A single link of `industrial-08b`, with open joints and without weight, hits its seat in the normal direction at 0.2
m/s. The table compares the result with Newton's law of impact at the bush. Its restitution e is what the contact law
achieves (from its first integral), and the effective mass of the link is 1/(1/m + a²/I), where a is the lever arm of
the normal about the centre of mass (Pfeiffer, Eq. 12, with E + e; the paper prints E - e):

{table(header, lines)}

The restitution that a law achieves does not depend on the mass, so that Newton's law holds at any stiffness as long
as the bush does not slide along its seat during the impact. `tests/verification/test_link_impacts.py` asserts this,
also for centres of mass away from the middle of the link.

In a running drive a bush meets its wheel with a speed of (w - w_link) P relative to its seat, in the direction normal
to the link:

{
        table(
            [
                "wheel",
                "bushes",
                "speed / (w P)",
                "from, to",
                "speed / ((w - w_link) P), mean",
                "largest error",
                "into the tooth / (w P)",
            ],
            arrived,
        )
    }

{ARRIVALS}
"""


# 3 --------------------------------------------------------------------------------------------------------------------


def _cycle(runs: Runs) -> str:
    parts = ["## One loop of the chain\n", CYCLE]
    for name in (V6, FOUR):
        run = runs[f"{name}-clearance"]
        lines = [
            [one.name, f"{one.entry:.0f}", f"{one.middle:.0f}", f"{one.exit:.0f}", f"{one.mean:.1f}"]
            for one in stays(run)
        ]
        parts += [
            f"![Contact force and joint force of a link over one revolution](pictures/links-cycle-{name}.png)\n",
            f"`{name}`: contact force of a bush and force in its joint over one loop of the chain, "
            f"{1e3 * REVOLUTION[name]:.0f} ms.\n",
            "Largest contact force in the first, middle and last fifth of the time on a wheel or guide, and mean "
            "force, averaged over all bushes [N]:\n",
            table([f"`{name}`", "first fifth", "middle fifth", "last fifth", "mean"], lines) + "\n",
            _marks(run, name) + "\n",
        ]
    return "\n".join([*parts, MARKS])


def _marks(run: Kept, name: str) -> str:
    """Table of features of Pfeiffer's Figure 12 and its description, and whether they are found."""
    found = stays(run)
    wheels, rails = [one for one in found if not one.guide], [one for one in found if one.guide]
    whole = summary(run)
    driven = wheels[1:]
    lines_of = spectrum(run.solution, "span_tension", len(run.case.drive.wheels) - 1)
    teeth = run.case.drive.wheels[0].teeth

    def line(order: float) -> float:
        near = np.abs(lines_of.order - order) < 0.3
        return float(lines_of.amplitude[near].max())

    loads = line(1.5 if name == V6 else 2.0)
    rows = [
        ("a peak where a link enters a wheel: first fifth divided by middle fifth, smallest value of the "
        "wheels", "peak",
         min(one.entry / one.middle for one in wheels), lambda x: x > 2.0, "above 2"),
        ("a peak where a link leaves: last fifth divided by middle fifth, driven wheels", "peak",
         min(one.exit / one.middle for one in driven), lambda x: x > 1.2, "above 1.2"),
        ("the same, crankshaft", "peak", wheels[0].exit / wheels[0].middle, lambda x: x > 1.2, "above 1.2"),
        ("forces on guides: mean of the most heavily loaded guide divided by that of the most lightly loaded "
        "wheel", "very low",
         max(one.mean for one in rails) / min(one.mean for one in wheels), lambda x: x < 0.33, "below 1/3"),
        ("mean tension, tight side divided by slack side", "2", whole.tight / whole.slack,
            lambda x: abs(x - 2.0) < 0.2, "2 ± 0.2"),
        ("tension of the tight span: tooth order divided by the order of the camshaft "
        "torque", "small", line(teeth) / loads,
         lambda x: x < 0.2, "below 0.2"),
    ]  # fmt: skip
    lines = [[text, paper, f"**{number(value)}**", bound, "met" if good(value) else "**not met**"]
             for text, paper, value, good, bound in rows]  # fmt: skip
    return table(["feature", "paper", "here", "bound", ""], lines)


# 4 --------------------------------------------------------------------------------------------------------------------


def _orders(runs: Runs) -> str:
    picture = "![Order spectra of the tension guide and of the tensioner's force](pictures/links-spectra.png)\n"
    parts = ["## Tensioner and guide, and their orders\n", picture]
    for name in (V6, FOUR):
        run = runs[f"{name}-clearance"]
        drive, solution = run.case.drive, run.solution
        force = solution.values("tensioner_force")
        lines = []
        for channel, index, words, unit, scale in (
            ("tensioner_force", None, "tensioner force", "N", 1.0),
            ("joint_position", "tension guide", "tension guide", "mrad", 1e3),
        ):
            found = spectrum(solution, channel, index)
            lines += [[words, f"{order:.2f}", f"{scale * amplitude:.3g} {unit}", what]
                      for order, amplitude, what in named_peaks(found, name, drive, 6)]  # fmt: skip
        parts.append(
            f"### `{name}`: {np.mean(force):.0f} N, {force.min():.0f} to {force.max():.0f} N\n\n"
            + table(["signal", "order of the crankshaft", "amplitude", "origin"], lines)
            + "\n"
        )
    return "\n".join([*parts, ORDERS])


def _slow(run: Kept) -> str:
    lines = []
    for wheel in ("right bank", "left bank"):
        found = deviation(run, wheel)
        high = peaks(transmission_orders(found), 4)
        lines.append([wheel, f"{math.degrees(found.peak_to_peak):.2f}", f"{math.degrees(found.rms):.3f}",
                      ", ".join(f"{p.frequency:.1f} ({math.degrees(p.amplitude):.3f})" for p in high)])  # fmt: skip
    force = run.solution.values("tensioner_force")
    (a, b), (c, d) = (tuple(orders_of_torque(rpm).values()) for rpm in (2500.0, 6000.0))
    torque = (f"{abs(a):.1f} and {abs(b):.1f} N m of orders 3 and 6 instead of {abs(c):.1f} and {abs(d):.1f} N m, with "
              "the sign of the sixth order reversed")  # fmt: skip
    return f"""## The V6 at 2500 rpm

This is the drive of Figure 9 of Hippmann, Arnold and Schittenhelm, at the speed of that figure. The camshaft torque in
the file is for 6000 rpm; here it is recomputed for 2500 rpm from the valve train that the notes of the file describe:
{torque}.

![Deviation of the camshafts and force of the tensioner at 2500 rpm](pictures/links-v6-2500.png)

{
        table(
            [
                "deviation from half the crankshaft's angle",
                "peak to peak [deg]",
                "rms [deg]",
                "highest orders of the crankshaft (amplitude [deg])",
            ],
            lines,
        )
    }

Tensioner force: mean {force.mean():.0f} N, {force.min():.0f} to {force.max():.0f} N.

{SLOW}
"""


# 5 --------------------------------------------------------------------------------------------------------------------


def _run_up(run: Kept, rollers: Kept) -> str:
    own = frequencies_at_rest(cd.example(V6))["wheels"][0]
    speed = np.abs(run.solution.values("wheel_speed", item=0)) * 30.0 / math.pi
    lines = []
    for low, high in ((1000, 1600), (1700, 2100), (2300, 3000), (3200, 4000), (4500, 6500)):
        lines.append([f"{low} to {high} rpm", *_extremes(run, (speed > low) & (speed < high))])
    lines.append(["rollers, 3500 rpm, orders of the file", *_extremes(rollers, rollers.solution.time > 0.05)])
    turned = np.abs(run.solution.values("wheel_angle", item=0))
    last = turned > turned[-1] - 4.0 * math.pi
    ends = np.abs(run.solution.values("wheel_speed", item=0)[last]).mean() * 30.0 / math.pi
    return f"""## Run-up

`v6-timing` is to run up from {RUN_UP[0]:.0f} rpm to {RUN_UP[1]:.0f} rpm in {run.case.until:g} s of engine time, and
reaches {ends:.0f} rpm at the end. The run takes {run.solution.statistics["evaluations"] / 1e6:.1f} million evaluations
and
{run.seconds:.0f} s of CPU time. For a slower run-up, call `python docs/validation/rigid_links.py --run-up 6 --only
v6-run-up-6`.

![Waterfall of the tensioner force](pictures/links-run-up-tensioner.png)

![Waterfall of the tension of the tight span](pictures/links-run-up-tight.png)

{table(["", "tight span, smallest [N]", "largest [N]", "tensioner, smallest [N]", "largest [N]"], lines)}

The natural frequency of the camshafts on the spans at rest is {own:.0f} Hz, which is that of order 6 at {
        10.0 * own:.0f} rpm and of order 3 at {20.0 * own:.0f} rpm.

{RUN_UP_WORDS}
"""


def _extremes(run: Kept, rows: np.ndarray) -> list[str]:
    tight, force = run.solution.values("span_tension", item=3)[rows], run.solution.values("tensioner_force")[rows]
    return [f"{value:.0f}" for value in (tight.min(), tight.max(), force.min(), force.max())]


# 6 --------------------------------------------------------------------------------------------------------------------


def _choose(runs: Runs) -> str:
    parts = ["## Which formulation to use\n", TABLE]
    for name, words in DRIVES.items():
        found = {key: summary(runs[f"{name}-{key}"]) for key in VARIANTS}
        lines = [_line(NAMES[key], one, found["rollers"]) for key, one in found.items()]
        clearance = f"clearance {1e6 * CLEARANCE[name]:.0f} µm"
        parts += [f"### `{name}`: {words}; {clearance}\n", table(COLUMNS, lines) + "\n",
                  _losses_table(found), ADVICE[name]]  # fmt: skip
    return "\n".join(parts)


def _line(words: str, one: Summary, reference: Summary) -> list[str]:
    def with_change(value: float, other: float, unit: float = 1.0) -> str:
        if not np.isfinite(value):
            return "–"
        text = number(value * unit)
        return text if one is reference else f"{text} ({100.0 * (value / other - 1.0):+.1f} %)"

    return [
        words,
        f"{number(one.tight)} / {number(one.slack)}",
        with_change(one.ripple, reference.ripple),
        with_change(one.largest, reference.largest),
        with_change(one.wheel_peak, reference.wheel_peak),
        with_change(one.guide_peak, reference.guide_peak),
        with_change(one.vibration, reference.vibration, 1e3),
        "–" if not np.isfinite(one.open_share) else f"{100.0 * one.open_share:.2f} %",
        number(one.per_second),
        f"{one.evaluations:.2g}",
    ]


def _losses_table(found: Mapping[str, Summary]) -> str:
    """Table of losses by source, for losses that exceed a thousandth of the total in any of the runs."""
    keys = list(dict.fromkeys(key for one in found.values() for key in one.losses.keys))

    def of(one: Summary, key: str) -> float:
        return float(one.losses.power[one.losses.keys.index(key)]) if key in one.losses.keys else 0.0

    total = max(one.losses.total for one in found.values())
    shown = [key for key in keys if max(of(one, key) for one in found.values()) > 1e-3 * total]
    lines: Sequence[Sequence[str]] = [
        [NAMES[key], number(one.losses.total), *(number(of(one, source)) for source in shown)]
        for key, one in found.items()
    ]
    return table(["losses [W]", "all", *(key.replace("_", " ") for key in shown)], lines) + "\n"
