"""Elastic friction: losses and steps of one drive at four speeds, and generated drives that run slowly.

    python docs/validation/elastic_friction.py [--write]

``--write`` makes ``elastic-friction.md`` next to this file. Takes five minutes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _elastic_slow import FASTEST, SLOWEST, STEPS, Slow, slow_runs
from _made import kept, kept_folder, made
from _writing import options, publish

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.geometry.route import pitch_radius
from chaindrive.model import override
from chaindrive.results.solution import Solution

__all__ = ["JOINT_FRICTION", "TEETH", "articulations", "closed_form", "drive", "slid"]

HERE = Path(__file__).parent
PAGE = HERE / "elastic-friction.md"

TEETH, JOINT_FRICTION = (15, 60), 0.1
PASSAGES = {1000.0: (8, 4), 100.0: (4, 2), 10.0: (3, 1), 1.0: (2, 1)}
"""Numbers of passages (of links onto the driver) by the speed of the driver [rpm]: in the whole run, and those measured
at its end.
"""
ROWS = 2000
"""Rows stored per passage."""
SHARP = 0.01
"""Fraction of the default rate over which smoothed joint friction changes its sign; it gives practically exact Coulomb
friction.
"""
TURNING = 0.5
"""Fraction of the speed of a wheel above which a joint counts as articulating on it. [-]"""


def drive(rpm: float, passages: float, backwards: bool = False, **formulation: Any) -> cd.Drive:
    """An 08B chain of 110 links on 15 and 60 teeth with friction 0.1 in joints and on teeth, and a load of 100 N m.

    rpm: speed of the driver; passages: number of passages of a link after which the run ends; formulation: its options.
    """
    wheel = {"tooth": {"form": "iso-606"}}
    motion = {"kind": "constant_speed", "speed": (1.0 if backwards else -1.0) * rpm * math.pi / 30.0}
    until = passages * 60.0 / (rpm * TEETH[0])
    driven = {"name": "driven", "teeth": TEETH[1], "position": (0.442, 0.0), "inertia": 0.1, "load_torque": 100.0}
    return cd.Drive(
        name="08B 15/60",
        loop="clockwise",
        gravity=(0.0, -9.81),
        chain={"standard": "08B", "links": 110, "joint_friction": JOINT_FRICTION, "link_stiffness": 120.5e6},
        contact={"stiffness": 1e9, "exponent": 1.5, "friction": 0.1, "restitution": 0.3},
        wheels=[
            wheel | {"name": "driver", "teeth": TEETH[0], "position": (0.0, 0.0), "inertia": 0.01, "motion": motion},
            wheel | driven,
        ],
        closing={"wheel": "driven", "direction": 0.0, "slack": 0.0005},
        run={
            "until": until,
            "start": "at_speed",
            "formulation": {"kind": "roller"} | formulation,
            "solver": {"method": "dormand-prince"},
            "save": {"rate": ROWS * passages / until, "channels": "all", "precision": "double"},
        },
    )


class Joints(NamedTuple):
    """Angles and forces of the joints of a run with rollers, from a given row on, (rows, N) each."""

    angle: np.ndarray
    """Angle from the link before the joint to the link after it, continuous. [rad]"""
    force: np.ndarray
    """Mean of the tensions of both links. [N]"""


def joints(solution: Solution, first: int = 0) -> Joints:
    """Angles and forces of the joints from the positions of the rollers and the tensions of the links."""
    place, tension = solution.values("roller_position")[first:], solution.values("link_tension")[first:]
    along = np.roll(place, -1, axis=1) - place
    heading = np.unwrap(np.arctan2(along[..., 1], along[..., 0]), axis=0)
    return Joints(heading - np.roll(heading, 1, axis=1), 0.5 * (tension + np.roll(tension, 1, axis=1)))


def slid(solution: Solution, first: int, radius: float, stiffness: float) -> float:
    """Work lost by Coulomb friction in the joints, computed from the recorded motion, from a given row on. [J]

    A joint slides when it has turned by mu r F/k from where it last stuck; radius mu r [m], stiffness k [N m/rad].
    """
    angle, force = joints(solution)
    anchor, work = angle[0].copy(), 0.0
    for i in range(1, len(angle)):
        limit = radius * np.abs(force[i])
        away = angle[i] - anchor
        moved = np.sign(away) * np.maximum(np.abs(away) - limit / stiffness, 0.0)
        anchor += moved
        work += float((limit * np.abs(moved)).sum()) if i > first else 0.0
    return work


def articulations(solution: Solution, first: int) -> np.ndarray:
    """Mean force in the joints that articulate on each wheel, on its tight and on its slack side, (2, 2). [N]"""
    angle, force = joints(solution, first)
    turned, force = np.abs(np.diff(angle, axis=0)), 0.5 * (force[1:] + force[:-1])
    steps = np.diff(solution.time[first:])[:, None]
    speed = np.abs(solution.values("wheel_speed")[first:]).mean(axis=0)
    centre, place = solution.values("wheel_position")[first], solution.values("roller_position")[first + 1 :]
    tight = force > 0.5 * force.max()
    found = np.zeros((2, 2))
    for w, teeth in enumerate(TEETH):
        off = np.hypot(*np.moveaxis(place - centre[w], -1, 0)) - pitch_radius(solution.drive.chain.pitch, teeth)
        near = (np.abs(off) < 0.5 * solution.drive.chain.pitch) & (turned > TURNING * speed[w] * steps)
        for side, where in enumerate((near & tight, near & ~tight)):
            found[w, side] = float((force * turned)[where].sum() / turned[where].sum())
    return found


def closed_form(force: np.ndarray, radius: float) -> float:
    """Loss in the joints per passage of a link: each joint turns by 2 pi/z on both sides of each wheel. [J]

    force: mean force in the joints that turn, (2, 2) [N]; radius: mu r [m].
    """
    return float(radius * (2.0 * math.pi / np.array(TEETH) @ force).sum())


class Passage(NamedTuple):
    """Measured values of a run over its last passages."""

    rpm: float
    law: str
    loss: float
    """Loss in joints per passage. [J]"""
    by_spans: float
    """Loss in joints by the closed-form solution with the tensions of the spans. [J]"""
    by_joints: float
    """Loss in joints by the closed-form solution with the forces of the joints that articulate. [J]"""
    recorded: float
    """Loss by Coulomb friction, computed from the recorded motion. [J]"""
    teeth: float
    """Loss by friction on teeth per passage. [J]"""
    mean_step: float
    largest_step: float
    """[s]"""
    residual: float
    """Residual of the energy balance divided by the energy exchanged. [-]"""
    revolution: float
    """CPU time per revolution of the driver, with only a few rows and without the start of the run. [s]"""


def measured(rpm: float, **formulation: Any) -> Passage:
    """Run the drive at a speed [rpm] with these options of its formulation."""
    ran, passages = PASSAGES[rpm]
    given = drive(rpm, ran, **formulation)
    if "friction_law" in formulation:
        given = override(given, {"run.solver.method": "verlet"})
    solution = cd.simulate(given)
    if solution.status != Status.REACHED_END:
        raise RuntimeError(solution.status.description)
    first = len(solution.time) - 1 - passages * ROWS
    radius, stiffness = friction_radius(given), 0.25 * given.chain.link_stiffness * given.chain.pitch**2
    spans = np.tile(solution.values("span_tension")[first:].mean(axis=0), (2, 1))

    def lost(name: str) -> float:
        work = solution.values(name)
        return float(work[-1] - work[first]) / passages

    return Passage(
        rpm,
        str(formulation.get("friction_law", "elastic")),
        lost("work_articulation"),
        closed_form(spans, radius),
        closed_form(articulations(solution, first), radius),
        slid(solution, first, radius, stiffness) / passages,
        lost("work_friction"),
        solution.statistics["mean_step"],
        solution.statistics["largest_step"],
        solution.audit.relative_residual,
        _seconds(override(given, {"run.save": {"rate": 10.0 * ran / float(given.run.until)}})) * TEETH[0] / ran,
    )


def _seconds(given: cd.Drive) -> float:
    """CPU time of a run without its start. [s]"""
    taken = []
    for until in (1e-6 * float(given.run.until), float(given.run.until)):
        begun = time.process_time()
        cd.simulate(given, until)
        taken.append(time.process_time() - begun)
    return taken[1] - taken[0]


def friction_radius(given: cd.Drive) -> float:
    """Coefficient of joint friction times radius of the pin. [m]"""
    assert given.chain.pin_diameter is not None
    return given.chain.joint_friction * 0.5 * given.chain.pin_diameter


def all_measured(folder: Path) -> list[Passage]:
    """Runs at every speed with elastic friction, and at the highest speed with friction smoothed over a very small
    speed.
    """
    runs: list[tuple[str, float, dict[str, Any]]] = [(f"{rpm:g}", rpm, {}) for rpm in PASSAGES]
    rate = SHARP * 0.02 * 1000.0 * math.pi / 30.0
    runs.append(("smoothed", 1000.0, {"friction_law": "smoothed", "joint_friction_rate": rate}))
    return [Passage(*kept(folder / f"{name}.json", partial(measured, rpm, **options))) for name, rpm, options in runs]


def page(passages: Sequence[Passage], slow: Sequence[Slow]) -> str:
    """The page, in Markdown."""
    rows = "\n".join(
        f"| {p.rpm:g} | {p.law} | {p.loss * 1e3:.2f} | {p.by_spans * 1e3:.2f} | {p.by_joints * 1e3:.2f} | "
        f"{p.recorded * 1e3:.2f} | {p.teeth * 1e3:.2f} | {p.mean_step * 1e6:.3f} | {p.largest_step * 1e6:.3f} | "
        f"{abs(p.residual):.1e} | {p.revolution:.2f} | {p.revolution * p.rpm:.0f} |"
        for p in passages
    )
    return f"""# Elastic friction

This page is written by `python docs/validation/elastic_friction.py --write`; it was {made()}.

This page shows losses in joints and lengths of steps, from fast to slow drives, with friction that yields elastically
before it slides ([theory](../theory/contact.md#friction)), which is the default of the planar formulations.

## One drive at four speeds

The drive is an 08B chain of 110 links on {TEETH[0]} and {TEETH[1]} teeth, with friction {JOINT_FRICTION:g} in joints
and on teeth and a load of 100 N m on the large wheel, run by Dormand-Prince with default settings. A passage is the
time in which the chain advances by one link; all losses are given per passage, as means over the last passages of a
run.

The table gives losses in mJ. *Joints*: lost in the joints in the run. *Spans* and *turning*: by the closed form, with
the tensions of the spans and with the forces of the joints as they turn. *Recorded*: computed from the recorded motion.
*Teeth*: lost on teeth. Steps are in us. *CPU* is the CPU time in s for a revolution of the driver, with ten rows in a
passage and without the start of the run; *x* is this time multiplied by the speed in rpm.

{HEAD}
{rows}

- *Closed form*: on both sides of each wheel a joint turns by $2\\pi/z$ under the force $F$ between pin and bush, so
  that $\\mu r \\sum F\\,2\\pi/z$ is lost. *Spans*: F is the mean tension of the span. *Turning*: F is the mean force of
  the joints as they turn, measured in the run. One of the two links that meet in such a joint lies on the wheel
  already, where its tension is lower; the force between pin and bush is the mean of the two tensions.
- *Recorded motion*: the work of Coulomb friction, computed by a separate program from the recorded positions of the
  rollers and tensions of the links ({ROWS} rows in a passage). It contains effects that no closed form includes: spans
  vibrate because of polygonal action, joints on a wheel turn as rollers climb, and the slack span sags and moves.
- *Smoothed*: friction in joints is smoothed over {SHARP:g} of the default rate of smoothed friction, and the run is by
  Verlet.
- *Residual*: of the energy balance, relative to the energy exchanged. The work of friction is all the energy
  that friction forces absorb,
  including the small energy in their springs.

{_slow_section(slow)}"""


HEAD = """| rpm | friction | joints | spans | turning | recorded | teeth | mean step | largest | residual | CPU | x |
|--:|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"""
"""Head of the table of speeds."""


def _slow_section(slow: Sequence[Slow]) -> str:
    """The section about generated drives, in Markdown."""
    ended = [each for each in slow if each.outcome == Status.REACHED_END.name]
    others = "".join(
        f"\n- drive {each.number}, {each.kind}, {each.rpm:.3g} rpm: {each.outcome}"
        for each in slow
        if each.outcome != Status.REACHED_END.name
    )
    rows = "\n".join(_slow_row(name, [e for e in ended if low <= e.rpm < high]) for name, low, high in SPEEDS)
    kinds = ", ".join(f"{sum(e.kind == kind for e in slow)} {kind}" for kind in sorted({e.kind for e in slow}))
    return f"""## Generated drives that run slowly

{len(slow)} of the [generated drives](generated-drives.md) ({kinds}) run with their fastest wheel at {SLOWEST:g} to
{FASTEST:g} rpm, with friction in joints, on teeth and on guides, and with constant loads. Each starts at speed and runs
for a time of {0.5 * STEPS:.0f}$/\\omega$, where $\\omega = \\sqrt{{4K/m}}$ is the highest frequency of its links.
{len(ended)} complete their run.

| speed | drives | mean step [us], shortest to longest | times frequency | residual, median | largest |
|:--|--:|--:|--:|--:|--:|
{rows}

*Times frequency*: the mean step times $\\omega$. Dormand-Prince takes at most 1.2, relative to the highest
frequency of all parts. {others}"""


SPEEDS = (("0.01 to 0.1 rpm", 0.01, 0.1), ("0.1 to 1 rpm", 0.1, 1.0), ("1 to 20 rpm", 1.0, 20.001))


def _slow_row(name: str, runs: Sequence[Slow]) -> str:
    steps, residuals = np.array([e.mean_step for e in runs]), np.abs([e.residual for e in runs])
    share = np.array([e.mean_step * e.frequency for e in runs])
    return (
        f"| {name} | {len(runs)} | {steps.min() * 1e6:.2f} to {steps.max() * 1e6:.1f} | "
        f"{share.min():.2f} to {share.max():.2f} | {np.median(residuals):.1e} | {residuals.max():.1e} |"
    )


def main(words: Sequence[str] | None = None) -> None:
    """Compute, print, and write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--slow", type=int, default=100, help="number of generated drives")
    asked = parser.parse_args(words)
    folder = kept_folder("elastic-friction")
    text = page(all_measured(folder), slow_runs(folder, asked.slow))
    publish(text, PAGE, asked.write)


if __name__ == "__main__":
    main()
