"""Measure steps and balances for How to choose, and put them into its tables.

    python docs/guide/choosing.py [timing mixer solvers] [--write]

measures all or some of them: what laws of joint friction cost in the example timing-06b, and in the mixer of From
a drawing to a file; steps and energy balances of both solvers. Without --write it only prints.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path

from _measured import with_table

import chaindrive as cd
from chaindrive.model import Drive, loads, override

GUIDE = Path(__file__).parent
PAGE = GUIDE / "choosing.md"
FILE = re.compile(r"^## The file$.*?^```toml\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FORMULATION = "run.formulation"
UNTIL = 0.25
"""Time of the runs of timing-06b. [s]"""
TENSION = 1.3e3
"""Tension of the tight span of the mixer. [N]"""
MIXED = 0.05
"""Time of the runs of the mixer, longer than a section after which Verlet checks its balance. [s]"""
LONG = 10.0
"""Time of the runs of both marine drives. [s]"""


def mixer() -> Drive:
    """Return the drive whose file is in the page of the drawing."""
    found = FILE.search((GUIDE / "drawing.md").read_text(encoding="utf-8"))
    assert found is not None
    return loads(found[1])


def smoothed(rate: float | None) -> dict[str, object]:
    """Return options of smoothed friction, of joints over this rate [rad/s], or over the default rate of the drive."""
    return {"kind": "roller", "friction_law": "smoothed", "friction_sharpness": 0.1, "joint_friction_rate": rate}


def timing(options: dict[str, object]) -> tuple[float | None, int, int, float]:
    """Return rate used [rad/s], steps of Dormand-Prince and Verlet, loss in the joints [W] by Dormand-Prince."""
    given = {"chain.joint_friction": 0.1, "chain.joint_damping": 0.0, FORMULATION: options}
    drive = override(cd.example("timing-06b"), given)
    exact, quick = (
        cd.simulate(drive, UNTIL, start="at_speed", solver=cd.SolverOptions(method=method))
        for method in ("dormand-prince", "verlet")
    )
    lost = exact.audit.losses["articulation"] / UNTIL
    return exact.notes.get("joint_friction_rate"), exact.statistics["steps"], quick.statistics["steps"], lost


def mixing(changes: dict[str, object]) -> tuple[float | None, str, str]:
    """Return rate used [rad/s], damping of the joints as a rate of the chain, and step of Verlet, both as text."""
    drive = override(mixer(), changes)
    run = cd.simulate(drive, MIXED, solver=cd.SolverOptions(method="verlet"))
    rate, chain = run.notes.get("joint_friction_rate"), drive.chain
    last = run.statistics["largest_step"]
    step = f"{1e6 * last:.2g} µs"
    if "step_first" in run.notes:
        step = f"{1e6 * run.notes['step_first']:.2g} µs, shortened to {step}"
    if rate is None:
        return None, "", step
    damping = 0.5 * chain.joint_friction * chain.pin_diameter * TENSION / rate
    digits, exponent = f"{16.0 * damping / (chain.pitch**2 * chain.link_mass):.1e}".split("e")
    return rate, f"${digits}\\cdot10^{int(exponent)}$ /s", step


def timing_table() -> list[str]:
    """Return the lines of the table of timing-06b."""
    fastest = max(abs(wheel.motion.speed) for wheel in cd.example("timing-06b").wheels if wheel.motion)
    lines = [
        "| friction | steps of `dormand-prince` | of `verlet` | loss in the joints |",
        "|:--|--:|--:|--:|",
    ]
    cases: tuple[tuple[dict[str, object], str], ...] = (
        ({"kind": "roller"}, ""),
        (smoothed(1.0), ""),
        (smoothed(None), " (0.01, its default)"),
        (smoothed(0.03 * fastest), " (0.03)"),
    )
    for given, words in cases:
        rate, exact, quick, lost = timing(given)
        law = "elastic, the default" if rate is None else f"smoothed over {rate:.2g} rad/s{words}"
        steps = [f"{number:,}".replace(",", " ") for number in (exact, quick)]
        lines.append(f"| {law} | {steps[0]} | {steps[1]} | {lost:.2f} W |")
    return lines


def mixer_table() -> list[str]:
    """Return the lines of the table of the mixer."""
    lines = ["| friction of joints | $16\\,C/(P^2 m)$ | step of `verlet` |", "|:--|--:|--:|"]
    cases: tuple[tuple[dict[str, object], str], ...] = (
        ({FORMULATION: {"kind": "roller"}}, "elastic, the default"),
        ({FORMULATION: smoothed(None)}, " (its default)"),
        ({FORMULATION: smoothed(10.0)}, ""),
        ({FORMULATION: {"kind": "roller"}, "chain.joint_friction": 0.0}, "none"),
    )
    for changes, words in cases:
        rate, damped, step = mixing(changes)
        law = words if rate is None else f"smoothed over {rate:.2g} rad/s{words}"
        lines.append(f"| {law} | {damped} | {step} |")
    return lines


def solver_rows() -> list[str]:
    """Return two rows of the table of the solvers."""
    steps, missed = {}, {}
    for method in ("dormand-prince", "verlet"):
        runs = [
            cd.simulate(cd.example(name), LONG, solver=cd.SolverOptions(method=method))
            for name in ("6s90mc-c", "6l60mc")
        ]
        missed[method] = [f"{run.audit.relative_residual:.0e}".replace("e-0", "e-") for run in runs]
        steps[method] = runs[0]
    mean = 1e6 * steps["dormand-prince"].statistics["mean_step"]
    first, last = (1e6 * steps["verlet"].notes[name] for name in ("step_first", "step_last"))
    exact, quick = missed["dormand-prince"], missed["verlet"]
    return [
        f"| step | adaptive, {mean:.2g} µs on average | fixed, {first:.2g} µs; "
        f"shortened automatically for contacts or the energy balance, here to {last:.2g} µs |",
        f"| energy residual over energy exchanged | {exact[0]} (6S90MC-C), {exact[1]} (6L60MC) | "
        f"{quick[0]}, {quick[1]} |",
    ]


def with_rows(page: str, rows: list[str]) -> str:
    """Return the page with these rows instead of those whose first cell is the same."""
    for row in rows:
        page, times = re.subn(rf"^{re.escape(row[: row.index(' | ')])} \|.*$", lambda _, row=row: row, page, flags=re.M)
        assert times == 1, row
    return page


WORDS = [
    "The CPU times are those of the [benchmarks](../project/benchmarks.md), "
    "and the tensions are those of the marine drives."
]
"""Text below the table of the solvers, whose other rows are measured here."""
PARTS: dict[str, Callable[[], list[str]]] = {"timing": timing_table, "mixer": mixer_table, "solvers": solver_rows}


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    asked = parser.parse_args()
    for name in asked.parts or PARTS:
        lines = PARTS[name]()
        print("\n".join(lines), end="\n\n", flush=True)
        page = PAGE.read_text(encoding="utf-8")
        page = with_table(with_rows(page, lines), name, WORDS) if name == "solvers" else with_table(page, name, lines)
        if asked.write:
            PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
