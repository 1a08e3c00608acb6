"""Elastic friction of links in space compared with smoothed friction for examples, generated drives, and one drive at
two speeds.

    python docs/validation/elastic_friction_in_space.py [--write]

``--write`` makes ``elastic-friction-in-space.md`` next to this file. Takes ten minutes.
"""

from __future__ import annotations

import math
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _made import kept, kept_folder, made
from _writing import main_of
from elastic_friction import drive

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.formulations import compile_system
from chaindrive.model import override
from chaindrive.simulation.start import settle

HERE = Path(__file__).parent
PAGE = HERE / "elastic-friction-in-space.md"

EXAMPLES = ("misaligned-08b", "single-speed-46x16", "two-legs-46x16")
UNTIL = 0.1
"""Length of the runs of the examples, of which the second half is measured. [s]"""
SMOOTHED = {"friction_law": "smoothed", "friction_speed": 0.6}
"""Smoothed friction as formerly used for bicycles: smoothed over 60 mm/s, with joints that yield by the default value
of ``presliding``.
"""
EXACT = {"friction_law": "smoothed", "friction_speed": 0.01, "presliding": 5e-5}
EXACT_STEP = 4e-8
"""Nearly exact Coulomb friction, smoothed over 1 mm/s, and the step that its slope requires [s]."""
SPEEDS = (1000.0, 100.0)
"""Speeds of the driver, as on the page about elastic friction in the plane. [rpm]"""
GENERATED = 12
PARTS = ("articulation", "friction", "side_plates")


class Measured(NamedTuple):
    """Results of the second half of a run."""

    losses: tuple[float, ...]
    """Losses in joints, on teeth and at their sides. [W]"""
    tension: float
    """Mean tension of the tightest span. [N]"""
    step: float
    """Mean step of the run. [s]"""
    residual: float
    """Residual of the energy balance, relative to the energy exchanged. [-]"""
    seconds: float
    """CPU time, including the start of the run. [s]"""

    @property
    def total(self) -> float:
        """Sum of all three losses. [W]"""
        return math.fsum(self.losses)


def measured(given: cd.Drive, until: float) -> Measured:
    """Run a drive to its end."""
    begun = time.process_time()
    solution = cd.simulate(given, until)
    taken = time.process_time() - begun
    if solution.status != Status.REACHED_END:
        raise RuntimeError(solution.status.description)
    first = len(solution.time) // 2
    span = float(solution.time[-1] - solution.time[first])
    works = [solution.values(f"work_{part}") for part in PARTS]
    return Measured(
        tuple(float(work[-1] - work[first]) / span for work in works),
        float(solution.values("span_tension")[first:].mean(axis=0).max()),
        solution.statistics["mean_step"],
        abs(solution.audit.relative_residual),
        taken,
    )


def with_friction(given: cd.Drive, law: dict[str, Any], step: float | None) -> cd.Drive:
    """A drive in space with these options of friction, by 'splitting' with this step or the default step."""
    memory = getattr(given.run.formulation, "impact_memory", "stored")
    formulation = {"kind": "spatial", "impact_memory": memory} | law
    return override(given, {"run.formulation": formulation, "run.solver": {"method": "splitting", "step": step}})


def of_example(name: str, law: dict[str, Any], step: float | None) -> Measured:
    """Run an example once."""
    return measured(with_friction(cd.example(name), law, step), UNTIL)


def example_rows(folder: Path) -> list[tuple[str, str, Measured]]:
    """Runs of every example with every law."""
    laws: list[tuple[str, dict[str, Any], float | None]] = [
        ("smoothed over 60 mm/s", SMOOTHED, None),
        ("smoothed over 1 mm/s", EXACT, EXACT_STEP),
        ("elastic", {}, None),
        ("elastic, 1 µs", {}, 1e-6),
    ]
    return [
        (name, words, _run(folder, f"{name} {number}", partial(of_example, name, law, step)))
        for name in EXAMPLES
        for number, (words, law, step) in enumerate(laws)
    ]


def _run(folder: Path, name: str, run: Any) -> Measured:
    losses, *others = kept(folder / f"{name.replace(' ', '-')}.json", run)
    return Measured(tuple(losses), *others)


def generated(number: int) -> tuple[cd.Drive, str]:
    """A drive with two sprockets out of line, generated from this number, and its description."""
    rng = np.random.default_rng(number)
    standard, pitch, pull = [("08B", 0.0127, 800.0), ("10B", 0.015875, 1200.0), ("12B", 0.01905, 1800.0)][number % 3]
    teeth = int(rng.integers(11, 26)), int(rng.integers(17, 61))
    rpm, offset = float(10.0 ** rng.uniform(1.0, 3.0)), float(rng.uniform(0.0, 0.004))
    links = 2 * round(0.5 * (2.0 * rng.uniform(25.0, 40.0) + 0.5 * sum(teeth)))
    radius = teeth[1] * pitch / (2.0 * math.pi)
    middle = 0.5 * (links - 0.5 * sum(teeth)) * pitch
    motion = {"kind": "constant_speed", "speed": -rpm * math.pi / 30.0}
    form = {"tooth": {"form": "iso-606"}}
    friction = {"stiffness": 1e9, "exponent": 1.5, "friction": 0.1, "restitution": 0.3}
    made_of = cd.Drive(
        name=f"generated {number}",
        loop="clockwise",
        gravity=(0.0, -9.81),
        chain={"standard": standard, "links": links, "joint_friction": 0.1},
        contact=friction,
        wheels=[
            form | {"name": "driver", "teeth": teeth[0], "position": (0.0, 0.0), "inertia": 0.01, "motion": motion},
            form | {"name": "driven", "teeth": teeth[1], "position": (middle, 0.0), "inertia": 0.1, "offset": offset}
            | {"load_torque": pull * radius},
        ],
        closing={"wheel": "driven", "direction": 0.0, "slack": 0.0005},
        run={"start": "at_speed", "formulation": {"kind": "spatial"}},
    )  # fmt: skip
    return made_of, f"{standard}, {teeth[0]}/{teeth[1]}, {links} links, {rpm:.0f} rpm, {offset * 1e3:.1f} mm offset"


def of_generated(number: int, law: str) -> Measured:
    """Run a generated drive for two passages of a link."""
    given, _ = generated(number)
    passage = 2.0 * math.pi / (abs(given.wheels[0].motion.speed) * given.wheels[0].teeth)
    return measured(with_friction(given, {"friction_law": law}, None), min(4.0 * passage, UNTIL))


def of_speed(rpm: float, law: str) -> Measured:
    """Run the drive of the page about elastic friction in the plane, with links in space, for two passages of a
    link.
    """
    given = drive(rpm, 4.0)
    return measured(with_friction(given, {"friction_law": law}, None), float(given.run.until))


SWING = 0.02
"""Period of the load of the parked drive. [s]"""


def parked(law: str) -> list[float]:
    """Rotation of the loaded wheel of two equal free wheels since 0.2 s, at 0.4 to 1 s. [rad]

    The torque is half of what friction in the joints can hold, 4 mu r T, and oscillates by 60 %.
    """
    apart = 11.03 * 0.0127
    wheel = {"teeth": 12, "inertia": 1e-3, "tooth": {"form": "asa-ii"}, "bearing_damping": 0.1}
    given = cd.Drive(
        name="parked",
        gravity=(0.0, 0.0),
        chain={"links": 34, "pitch": 0.0127, "link_mass": 0.0088, "link_stiffness": 1e7, "link_damping": 20.0,
               "roller_diameter": 0.00851, "joint_friction": 0.1, "pin_diameter": 0.00445},
        contact={"stiffness": 1e10, "exponent": 1.5, "restitution": 0.5, "friction": 0.1},
        wheels=[wheel | {"name": "free", "position": (0.0, 0.0)},
                wheel | {"name": "loaded", "position": (apart, 0.0), "torque": 1e-6}],
        run={"formulation": {"kind": "spatial", "friction_law": law}, "solver": {"method": "splitting"}},
    )  # fmt: skip
    rest = settle(compile_system(given, given.run.formulation, False))
    tension = float(rest.channel("span_tension").read(rest.row(0.0, rest.state)).mean())
    holds = 4.0 * 0.1 * 0.5 * 0.00445 * tension
    times = np.linspace(0.0, 1.0, 1001)
    load = 0.5 * holds * (1.0 + 0.6 * np.sin(2.0 * math.pi * times / SWING))
    swinging = {"over": "time", "times": times.tolist(), "torques": load.tolist()}
    solution = cd.simulate(override(given, {"wheels.1.torque": swinging}), 1.0)
    angle, instants = solution.values("wheel_angle")[:, 1], solution.time
    ends = [angle[(instants > t - SWING) & (instants <= t)].mean() for t in (0.2, 0.4, 0.6, 0.8, 1.0)]
    return [float(end - ends[0]) for end in ends[1:]]


def _line(name: str, law: str, run: Measured, against: Measured | None = None) -> str:
    losses = " | ".join(f"{1e3 * loss:.1f}" for loss in (*run.losses, run.total))
    off = "" if against is None else f"{100.0 * (run.total / against.total - 1.0):+.1f}"
    tail = f"{run.tension:.1f} | {run.step * 1e6:.3f} | {run.residual:.0e} | {run.seconds:.1f}"
    return f"| {name} | {law} | {losses} | {off} | {tail} |"


def page(folder: Path) -> str:
    """The page, in Markdown."""
    examples = example_rows(folder)
    exact = {name: run for name, law, run in examples if law == "smoothed over 1 mm/s"}
    of_examples = "\n".join(_line(name, law, run, exact[name]) for name, law, run in examples)
    both = ("smoothed", "elastic")
    pairs = [
        [_run(folder, f"generated {number} {law}", partial(of_generated, number, law)) for law in both]
        for number in range(GENERATED)
    ]
    of_generated_drives = "\n".join(
        f"| {generated(number)[1]} | " + " | ".join(
            f"{1e3 * a:.1f}, {1e3 * b:.1f}" for a, b in zip(*(run.losses for run in pair), strict=True)
        ) + " | " + ", ".join(f"{run.step * 1e6:.2f}" for run in pair)
        + " | " + ", ".join(f"{run.residual:.0e}" for run in pair) + " |"
        for number, pair in enumerate(pairs)
    )  # fmt: skip
    laws = [(rpm, law) for rpm in SPEEDS for law in both]
    of_speeds = "\n".join(
        _line(f"{rpm:g} rpm", law, _run(folder, f"speed {rpm:g} {law}", partial(of_speed, rpm, law)))
        for rpm, law in laws
    )
    turned = {law: kept(folder / f"parked-{law}.json", partial(parked, law)) for law in both}
    of_parked = "\n".join(f"| {law} | " + " | ".join(f"{x:.1e}" for x in turned[law]) + " |" for law in turned)
    return f"""# Elastic friction in space

This page is written by `python docs/validation/elastic_friction_in_space.py --write`; it was {made()}.

This page compares [elastic friction](../theory/contact.md#friction) of links in space with the smoothed law, which has
a smoothed sign of the sliding speed on teeth and at their sides, and joints that yield by 0.0005 rad before they slide
(Dahl 1968). All runs use `splitting`; losses [mW] are means over the second half of a run, steps are in µs, and CPU
times, in s, include the start.

## Examples

Runs of {UNTIL:g} s start at speed. *Smoothed over 1 mm/s*: friction on teeth is smoothed over 1 mm/s and joints yield
by 5e-5 rad, with a step of {EXACT_STEP * 1e6:g} µs. This is nearly exact Coulomb friction, but its loss on teeth still
grows as the smoothing speed decreases. *Deviation*: of the total loss from that with this friction, in %.

| example | friction | joints | teeth | sides | total | deviation | tension [N] | mean step | residual | CPU |
|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|
{of_examples}

## Generated drives

Two sprockets are out of line, and the coefficient of friction is 0.1 everywhere. Pairs of values are for smoothed
friction with default settings and for elastic friction.

| drive | joints | teeth | sides | mean step | residual |
|:--|--:|--:|--:|--:|--:|
{of_generated_drives}

## One drive at falling speeds

This is the drive of [elastic friction](elastic-friction.md) in the plane, with links in space.

| driver | friction | joints | teeth | sides | all | | tension [N] | mean step | residual | CPU |
|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|
{of_speeds}

## A parked drive

Two equal wheels can turn freely in a taut chain; half the torque that friction in the joints can hold acts on one of
them, and oscillates by 60 % with a period of {SWING:g} s. The table gives the angle by which the wheel has turned since
0.2 s [rad]. The wheel creeps because the tensions and the friction limits of the joints oscillate with the load; under
a steady load elastic friction holds it.

| friction | 0.4 s | 0.6 s | 0.8 s | 1 s |
|:--|--:|--:|--:|--:|
{of_parked}
"""


if __name__ == "__main__":
    main_of(__doc__, PAGE, lambda _: page(kept_folder("elastic-friction-in-space")))
