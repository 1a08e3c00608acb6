"""What limits the explicit step of generated drives besides their links, evaluated before a run.

    python docs/validation/generated_step_limits.py [--count 70] [--seed 9] [--write]

Every drive is evaluated with a prescribed motion and with a torque (motors, governors), with elastic friction and with
friction in the joints of its bodies. ``--write`` makes ``generated-step-limits.md``.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from _generated import generate
from _generated_torque import driven_by_torque
from _made import made
from _writing import options, publish

from chaindrive.model import Drive
from chaindrive.simulation.start import as_laid

PAGE = Path(__file__).with_suffix(".md").with_name("generated-step-limits.md")
ARM_FRICTION, SLIDE_FRICTION = 2.0, 50.0
"""[N m, N]"""
SMOOTHING = ("friction_regularisation", "friction_speed", "friction_sharpness", "joint_friction_rate", "friction_law")


def with_friction(drive: Drive) -> Drive:
    """The drive with elastic friction, and with friction in the joints of its bodies."""
    data: dict[str, Any] = drive.model_dump()
    for name in SMOOTHING:
        data["run"]["formulation"].pop(name, None)
    for body in data["bodies"]:
        kind = body["joint"]["kind"]
        if kind != "fixed":
            body["joint"]["friction"] = ARM_FRICTION if kind == "revolute" else SLIDE_FRICTION
    return Drive(**data)


def limits(drive: Drive) -> tuple[dict[str, float], float]:
    """Step required by the links divided by that required by each part, and by all parts together. [-]"""
    system = as_laid(drive).as_integrated
    found = system.story.notes["step_limits"]
    links = next(value for name, value in found.items() if name.startswith("links"))
    return {name: value / links for name, value in found.items()}, system.motion.highest_frequency / links


def kind_of(part: str) -> str:
    """The kind of a part, without the name that the drive gives it."""
    return part.split(" '")[0]


def main() -> None:
    """Evaluate the drives, and print and write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--count", type=int, default=70, help="number of drives")
    parser.add_argument("--seed", type=int, default=9, help="seed of the generator")
    asked = parser.parse_args()
    parts, together = defaultdict(list), []
    for index in range(asked.count):
        given = generate(asked.seed, index)
        for drive in (given, driven_by_torque(given, asked.seed, index)):
            found, total = limits(with_friction(drive))
            together.append(total)
            largest: dict[str, float] = {}
            for part, value in found.items():
                largest[kind_of(part)] = max(value, largest.get(kind_of(part), 0.0))
            for part, value in largest.items():
                parts[part].append(value)
    lines = [
        "# What limits the step of generated drives",
        "",
        f"This page is written by `python docs/validation/generated_step_limits.py --write`; it was {made()}.",
        "",
        f"This page covers {asked.count} [generated drives](generated-drives.md), each once with a prescribed motion "
        f"and once with a torque on its driver (motors, governors). All have elastic friction, also in the joints of "
        f"bodies. For each kind of part the table gives the step required by the links divided by the explicit step "
        f"required by this part; a value above 1 means that the part limits the step more strictly than the links. "
        f"For each drive the strictest part of each kind counts.",
        "",
        "| part | in drives | median | largest | stricter than the links |",
        "|:--|--:|--:|--:|--:|",
    ]
    for part, values in sorted(parts.items(), key=lambda each: -max(each[1])):
        stricter = sum(value > 1.0 for value in values)
        lines.append(f"| {part} | {len(values)} | {np.median(values):.2g} | {max(values):.2f} | {stricter} |")
    lines += [
        f"| all together | {len(together)} | {np.median(together):.2g} | {max(together):.2f} | |",
        "",
        f"The step required by all parts together is shorter than that required by the links alone by a factor of at "
        f"most {max(together):.2f}, and in nine of ten drives by at most {np.quantile(together, 0.9):.2f}.",
        "",
    ]
    publish("\n".join(lines), PAGE, asked.write)


if __name__ == "__main__":
    main()
