"""The text of the page about variators. Every number in a table comes from a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from _drawing import PICTURES, save
from _made import made
from _rows import number, table
from _variators_runs import (
    BENDING,
    ECCENTRICITIES,
    LOADS,
    LONG_LOADS,
    PRESSED,
    RADII,
    RADIUS,
    REACH,
    SINCE,
    SMOOTH,
    STARTS,
    STEP,
    STEPS,
    TORQUES,
    UNTIL,
    variator,
)
from _variators_words import EULER, HEAD, MARKS, PLATES, PROTOTYPE, SMOOTHED, STARTED, STEPPED, THRUST, WINDOWS

import chaindrive as cd
from chaindrive.mechanism.variator import loop_of
from chaindrive.plots import plot_plate_forces
from chaindrive.plots.study import plot_study
from chaindrive.studies.table import StudyTable

Found = Mapping[str, Any]

OF_LOADS = {
    0.0: (0.985, 3203.0),
    50.0: (1.217, 4013.0),
    100.0: (1.273, 4448.0),
    150.0: (1.271, 4820.0),
    175.0: (1.126, 4874.0),
}
OF_RADII = {
    32e-3: (0.938, 3927.0),
    40e-3: (1.075, 4098.0),
    49.5e-3: (1.277, 4405.0),
    58e-3: (1.5, 4734.0),
    68e-3: (1.776, 4876.0),
}
"""Results of the prototype: thrust ratio and tension of the tight span [N], by load [N m] and by driving radius [m]."""


def draw(study: StudyTable) -> None:
    """Draw the pictures of the page."""
    save(plot_study(study), PICTURES / "variators-thrust-ratio.png")
    solution = cd.simulate(variator({}), until=0.4)
    save(plot_plate_forces(solution), PICTURES / "variators-plate-forces.png")


def page(found: Found, study: StudyTable) -> str:
    """The whole page, in Markdown."""
    return "\n".join(
        [
            _head(found, study),
            f"## Features of Figures 9 and 10\n\n{MARKS}\n{_marks(found['marks'], study)}\n",
            f"## Thrust ratio versus torque and transmission ratio\n\n{THRUST}\n{_thrust(study)}\n",
            f"## An independent prototype\n\n{PROTOTYPE.format(median=_median(found))}\n{_prototype(found)}\n",
            f"## A closer look at the largest ratio\n\n{EULER.format(drift=_drift(found))}\n{_euler(found)}\n",
            f"## Steps\n\n{STEPPED}\n{_steps(found)}\n",
            f"## Starts\n\n{STARTED}\n{_starts(found)}\n",
            f"## Windows of a long run\n\n{WINDOWS}\n{_windows(found)}\n",
            f"## Effect of smoothed friction\n\n{SMOOTHED}\n{_smoothed(found)}\n",
            f"## What is not known about plates and pins\n\n{PLATES}\n{_plates(found['marks'])}",
        ]
    )


def _head(found: Found, study: StudyTable) -> str:
    runs = [each for each in found.values() if "seconds" in each]
    seconds = sum(each["seconds"] for each in runs)
    residual = max(each.get("residual", 0.0) for each in runs)
    return (
        f"{HEAD}\n- {made()}\n- {len(found)} runs, {seconds:.0f} s of CPU time for the {len(runs)} with means, and "
        f"{study.total} of the study\n- means are from {SINCE:g} to {UNTIL:g} s, with steps of 2 µs, unless stated "
        f"otherwise\n"
        f"- energy residual: at most {residual:.0e} of the energy exchanged\n"
    )


def _kept(right: bool) -> str:
    return "yes" if right else "**no**"


def _marks(m: Found, study: StudyTable) -> str:
    first, second = (np.array(each["normal"]) for each in m["normal"])
    slack, tight = m["strands"]
    clasp = m["peaks"]["largest force of a clasp plate"]
    loss, output = m["radial loss"], m["output"]
    lines = [
        [
            "Figure 9: no contact forces act on pins in a span",
            f"at most {m['outside']:.2g} N",
            _kept(m["outside"] == 0.0),
        ],
        [
            "the normal force increases as a pin comes between the sheaves",
            f"to {first[0]:.0f} N on the driving and {second[0]:.0f} N on the driven pair in the first tenth of the "
            "wrap",
            _kept(min(first[0], second[0]) > 500.0),
        ],
        [
            "its amplitude depends on the geometry of the sheaves and the transmitted power",
            f"largest in the last third of the wrap: {first.max():.0f} N on the driving and {second.max():.0f} N on "
            "the driven pair on average; for geometry and power see the thrusts below",
            _kept(first.argmax() >= 6 and second.argmax() >= 6),
        ],
        [
            "friction is a function of the normal force and the sliding velocity",
            f"up to {m['cone']:.3f} mu N in 99 % of the contacts above {1e-3 * PRESSED:g} kN; "
            f"{100 * m['sticking']:.0f} % of all contacts stick",
            _kept(m["cone"] < 1.02),
        ],
        [
            "radial friction coincides with a radial movement and dissipates",
            f"friction times radial speed: {m['radial power']:.0f} W, lost along the cones: {loss:.0f} W, "
            f"{100 * loss / output:.2f} % of {1e-3 * output:.1f} kW",
            _kept(abs(m["radial power"] / loss - 1.0) < 0.03),
        ],
        [
            "circumferential friction causes the changes of the tension of the link",
            f"from link to link it changes by {m['change']:.0f} N (standard deviation on the sheaves); all but "
            f"{m['unexplained']:.0f} N, due to the inertia of the pin, comes from friction",
            _kept(m["unexplained"] < 0.1 * m["change"]),
        ],
        [
            "two levels of tension, which agree with the transmitted torque",
            f"{tight:.0f} and {slack:.0f} N: {tight - slack:.0f} N apart, M / R = {m['pull']:.0f} N",
            _kept(abs((tight - slack) / m["pull"] - 1.0) < 0.02),
        ],
        [
            "Figure 10: the clasp plate follows the two levels of the link",
            f"{m['clasp']['in span secondary - primary'][1]:.2f} of the mean of the plates in the tight span, "
            f"{m['clasp']['in span primary - secondary'][1]:.2f} in the slack span",
            _kept(all(abs(m["clasp"][f"in span {each}"][1] - 1.0) < 0.05 for each in
                      ("secondary - primary", "primary - secondary"))),
        ],
        [
            "on the sheaves it departs from them",
            "from {:.2f} to {:.2f} of the mean on the driving pair, {:.2f} to {:.2f} on the driven one; largest "
            "{:.0f} N ({:.0f} N in the mean of its link), {}".format(
                *(m["clasp"][f"on {pair}"][k] for pair in ("primary", "secondary") for k in (0, 2)),
                clasp["value"], clasp["mean"], clasp["where"],
            ),
            "the paper gives no values for comparison",
        ],
        [
            "the thrust ratio rises, has a flat maximum, and falls where the chain slips",
            _shape(study),
            _kept(all(_rises_and_falls(each) for each in _curves(study).values())),
        ],
    ]  # fmt: skip
    return table(["feature", "found", "reproduced?"], lines)


def _curves(study: StudyTable) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Torque ratios and thrust ratios of the runs of each curve in which the chain did not slip."""
    made: dict[str, tuple[list[float], list[float]]] = {}
    for row in study.rows:
        if not row.failed:
            torques, ratios = made.setdefault(row.curve, ([], []))
            torques.append(float(row.parameters[0]))
            ratios.append(float(row.figures[0]))
    return {name: (np.array(x), np.array(y)) for name, (x, y) in made.items()}


def _rises_and_falls(curve: tuple[np.ndarray, np.ndarray]) -> bool:
    """Whether a curve is lowest without torque and falls by more than 2 % at its end."""
    ratios = curve[1]
    return bool(ratios.argmin() == 0 and ratios[-1] < 0.98 * ratios.max())


def _shape(study: StudyTable) -> str:
    told = []
    for name, (torques, ratios) in _curves(study).items():
        flat = torques[ratios > 0.97 * ratios.max()]
        most = f"{ratios.max():.2f} (within 3 % from {flat[0]:g} to {flat[-1]:g})"
        told.append(f"{name}: {ratios[0]:.2f}, {most}, {ratios[-1]:.2f}")
    return "; ".join(told)


def _thrust(study: StudyTable) -> str:
    curves = _curves(study)
    torques = sorted({float(row.parameters[0]) for row in study.rows})
    lines = []
    for torque in torques:
        cells = []
        for x, y in curves.values():
            at = np.flatnonzero(x == torque)
            cells.append(number(y[at[0]], 4) if at.size else "slips")
        lines.append([f"{torque:g}", *cells])
    picture = "![Thrust ratio versus torque ratio for five transmission ratios](pictures/variators-thrust-ratio.png)"
    return f"{table(['torque ratio', *curves], lines)}\n\n{picture}\n"


def _beside(ours: float, theirs: float, digits: int = 4) -> list[str]:
    return [number(theirs, digits), f"**{number(ours, digits)}**", f"{100.0 * (ours / theirs - 1.0):+.1f} %"]


def _named(group: str, columns: Sequence[str]) -> list[str]:
    """Headings of columns that belong together; the first one contains the name of the group."""
    return [f"{group}: {columns[0]}", *columns[1:]]


def _median(found: Found) -> float:
    """Median thrust ratio of the time windows of a long run at half of the slip limit."""
    return float(np.median(found[f"windows {TORQUES[2]:g}"]["ratios"]))


def _prototype(found: Found) -> str:
    lines = []
    for load in LOADS:
        ours, (ratio, tight) = found[f"load {load:g}"], OF_LOADS[load]
        lines.append([f"49.5 mm, {load:g} N m", *_beside(ours["ratio"], ratio), *_beside(ours["tight"], tight)])
    for radius, load in zip(RADII, TORQUES, strict=True):
        ours, (ratio, tight) = found[f"radius {1e3 * radius:g}"], OF_RADII[radius]
        name = f"{1e3 * radius:g} mm, {load:g} N m"
        lines.append([name, *_beside(ours["ratio"], ratio), *_beside(ours["tight"], tight)])
    columns = ["prototype", "chaindrive", ""]
    header = ["driving radius, load", *_named("thrust ratio", columns), *_named("tight span [N]", columns)]
    rigid, plain = found["rigid"], found["load 100"]
    return (
        f"{table(header, lines)}\n\nWith rigid sheaves at 100 N m, the thrust ratio is {rigid['ratio']:.3f} instead "
        f"of {plain['ratio']:.3f}, and the efficiency is {100 * rigid['efficiency']:.2f} instead of "
        f"{100 * plain['efficiency']:.2f} %.\n"
    )


def _drift(found: Found) -> float:
    """Speed at which sticking pins on the driven pair drift outwards if directions do not turn. [mm/s]"""
    loop = loop_of(variator({RADIUS: RADII[-1], **REACH}))
    return 1e3 * found["radius 68"]["speed"] ** 2 * loop.radii[1] * 0.5 * STEP


def _euler(found: Found) -> str:
    lines = []
    for radius, ours, theirs in ((RADII[2], "load 100", OF_LOADS[100.0]), (RADII[-1], "radius 68", OF_RADII[68e-3])):
        name = f"{1e3 * radius:g}"
        lines.append([f"{name} mm: chaindrive", number(found[ours]["ratio"], 4), number(found[ours]["tight"], 4)])
        for key, text in (
            ("11", "second program, the same equations"),
            ("01", "directions of sliding do not turn within the step"),
            ("10", "without the force of the tilt in the plane"),
            ("00", "without both"),
        ):
            each = found[f"second {name} {key}"]
            lines.append([f"{name} mm: {text}", number(each["ratio"], 4), number(each["tight"], 4)])
        lines.append([f"{name} mm: prototype", number(theirs[0], 4), number(theirs[1], 4)])
    return table(["", "thrust ratio", "tight span [N]"], lines)


def _steps(found: Found) -> str:
    lines = []
    for step in STEPS:
        name = f"step {1e6 * step:g}"
        lines.append([f"{1e6 * step:g} µs", *_of_step(found[name]), *_of_step(found[f"{name} at 68 mm"])])
    auto = found["step auto"]
    mean = 1e6 * UNTIL / auto["steps"]
    lines.append([f"chosen, {mean:.2g} µs", *_of_step(auto), "", ""])
    header = ["step", "49.5 mm: thrust ratio", "tight span [N]", "68 mm: thrust ratio", "tight span [N]"]
    return table(header, lines)


def _of_step(each: Found) -> list[str]:
    return [number(each["ratio"], 4), number(each["tight"], 4)]


def _starts(found: Found) -> str:
    each = {"as placed": found["load 100"]} | {f"end of a run: {name}": found[f"start {name}"] for name in STARTS}
    ratios = [one["ratio"] for one in each.values()]
    lines = [[name, *_of_step(one), f"{100 * one['efficiency']:.2f}"] for name, one in each.items()]
    spread = 100.0 * (max(ratios) / min(ratios) - 1.0)
    header = ["start", "thrust ratio", "tight span [N]", "efficiency [%]"]
    return f"{table(header, lines)}\n\nThe thrust ratios agree to within {spread:.2f} %.\n"


def _windows(found: Found) -> str:
    lines = []
    for load in LONG_LOADS:
        ratios = np.array(found[f"windows {load:g}"]["ratios"])
        lines.append([f"{load:g} N m", *(number(each, 4) for each in (ratios.min(), np.median(ratios), ratios.max()))])
    width, count = 1e3 * (UNTIL - SINCE), len(ratios)
    header = [f"{count} windows of {width:.0f} ms", "smallest thrust ratio", "median", "largest"]
    return table(header, lines)


def _smoothed(found: Found) -> str:
    exact = found["load 100"], found["rigid"]
    lines = []
    for speed in SMOOTH:
        cells: list[str] = []
        for of, name in zip(exact, (f"smooth {speed:g}", f"smooth {speed:g} rigid"), strict=True):
            cells += _off(found[name], of)
        lines.append([f"{1e3 * speed:g} mm/s", *cells])
    coulomb = [cell for each in exact for cell in _of_step(each)]
    columns = ["thrust ratio", "tight span"]
    header = ["smoothed over", *_named("tilting sheaves", columns), *_named("rigid sheaves", columns)]
    return table(header, [["Coulomb", *coulomb], *lines])


def _off(each: Found, exact: Found) -> list[str]:
    if each["ending"] != "REACHED_END":
        return ["slips", f"at {each['end']:.3f} s"]
    return [f"{100.0 * (each[name] / exact[name] - 1.0):+.1f} %" for name in ("ratio", "tight")]


def _plates(m: Found) -> str:
    lines = []
    for bending, eccentricity in [*((2.2, e) for e in ECCENTRICITIES), *((b, 0.0) for b in BENDING if b != 2.2)]:
        largest, clasp, least = m["variants"][f"{bending:g} {eccentricity:g}"]
        name = f"EI {bending:g} N m², eccentricity {1e3 * eccentricity:g} mm"
        lines.append([name, *(f"{each:.0f}" for each in (largest, clasp, least))])
    header: Sequence[str] = [
        "",
        "largest of all plates [N]",
        "largest of the clasp plates [N]",
        "smallest of the clasp plates [N]",
    ]
    picture = "![Force of every plate of a link over one loop](pictures/variators-plate-forces.png)"
    stiffness = 1e-6 / m["extension"]
    return (
        f"{table(header, lines)}\n\nThe stiffness of a link from plates and pins is {stiffness:.0f} kN/mm; the file "
        f"gives 200 kN/mm."
        "\n\n"
        f"{picture}\n"
    )
