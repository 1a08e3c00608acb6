"""Measure the cost and accuracy of a fixed step of Verlet with rigid links, for the page on them.

    python docs/guide/links.py [--write]

It runs the example v6-timing over one revolution of its chain, from a start at speed, and compares losses, mean and
largest forces of each solver with Dormand-Prince at a hundredth of its tolerances. Without --write it only prints.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

from _measured import with_table

import chaindrive as cd
from chaindrive.analyses.results.losses import losses

PAGE = Path(__file__).parent / "links.md"
DRIVE = "v6-timing"
AFTER = 0.05
"""Time from which forces and losses are evaluated. [s]"""
UNTIL = AFTER + 216 / 21 / 100.0
"""One turn of its chain later: 216 links over 21 teeth at 100 turns a second. [s]"""
SPEED, ANGULAR_SPEED, LENGTH, ANGLE, PRESSURE = 1e-6, 1e-6, 1e-10, 1e-10, 0.1
"""A hundredth of the tolerances of Dormand-Prince. [m/s, rad/s, m, rad, Pa]"""
REFERENCE = cd.SolverOptions(
    method="dormand-prince",
    atol_length=LENGTH,
    atol_angle=ANGLE,
    atol_speed=SPEED,
    atol_angular_speed=ANGULAR_SPEED,
    atol_pressure=PRESSURE,
)
STEPS = (0.5, 1.0, 2.0, 3.0, 4.0)
"""Steps of Verlet. [us]"""
LOSSES = {
    "link_damping": "contact of pins",
    "articulation": "rotation of pins",
    "contact": "impacts on teeth",
    "friction": "friction on teeth",
    "guide": "guides",
    "tensioner": "tensioner",
}
FORCES = {"link_tension_max": "tension", "tooth_force_max": "tooth force", "guide_force_max": "guide force"}


class Turn(NamedTuple):
    """One loop of the chain."""

    steps: int
    seconds: float
    """CPU time. [s]"""
    residual: float
    """Largest energy residual over the energy exchanged."""
    lost: dict[str, float]
    """Losses by cause. [W]"""
    mean: float
    """Mean of the tensions of all links. [N]"""
    largest: dict[str, float]
    """Mean over all links, wheels or guides of the largest force of each. [N]"""


def turn(solver: cd.SolverOptions) -> Turn:
    """Run and evaluate one revolution."""
    begun = time.process_time()
    run = cd.simulate(cd.example(DRIVE), UNTIL, solver=solver)
    seconds = time.process_time() - begun
    found, late = losses(run, AFTER, UNTIL), run.time > AFTER
    power = dict(zip(found.keys, found.power, strict=True))
    return Turn(
        run.statistics["steps"],
        seconds,
        run.audit.relative_residual,
        {name: float(power[name]) for name in LOSSES},
        float(run.values("link_tension")[late].mean()),
        {name: float(run.values(name)[late].max(axis=0).mean()) for name in FORCES},
    )


def table() -> list[str]:
    """Return the lines of the table."""
    cd.simulate(cd.example(DRIVE), 1e-4)  # compiles, or loads
    exact = turn(REFERENCE)
    cases = {f"`{method}`": cd.SolverOptions(method=method) for method in ("dormand-prince", "verlet")}
    cases |= {f"`verlet`, {step:g} µs": cd.SolverOptions(method="verlet", step=step * 1e-6) for step in STEPS}
    heads = [f"lost: {name}" for name in LOSSES.values()] + ["mean tension"]
    heads += [f"largest {name}" for name in FORCES.values()]
    lines = ["| | steps | CPU [s] | energy residual | " + " | ".join(heads) + " |", "|:--|" + "--:|" * (3 + len(heads))]
    values = [f"{exact.lost[name]:.3g} W" for name in LOSSES] + [f"{exact.mean:.4g} N"]
    values += [f"{exact.largest[name]:.4g} N" for name in FORCES]
    lines.append(f"| reference | {exact.steps} | {exact.seconds:.2g} | {exact.residual:.0e} | {' | '.join(values)} |")
    for name, solver in cases.items():
        run = turn(solver)
        off = [run.lost[key] / exact.lost[key] - 1.0 for key in LOSSES] + [run.mean / exact.mean - 1.0]
        off += [run.largest[key] / exact.largest[key] - 1.0 for key in FORCES]
        shares = " | ".join(f"{100.0 * value:+.2g} %" for value in off)
        lines.append(f"| {name} | {run.steps} | {run.seconds:.2g} | {run.residual:.0e} | {shares} |")
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    asked = parser.parse_args()
    lines = table()
    print("\n".join(lines))
    if asked.write:
        PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), "steps", lines), encoding="utf-8")


if __name__ == "__main__":
    main()
