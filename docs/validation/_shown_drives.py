"""The drives whose numbers are compared: generated drives in all formulations, and varied examples with additional
parts.
"""

from __future__ import annotations

import contextlib
import itertools
from typing import Any, NamedTuple

import numpy as np
from _generated import generate
from _generated_links import with_links
from _generated_torque import driven_by_torque

from chaindrive.errors import InputError
from chaindrive.model import Drive, example, override
from chaindrive.studies.formulations import in_formulation

__all__ = ["COUNT", "Group", "drive_of", "group_of"]

SEED = 33
MOMENT = {
    "hanging-chain": 0.3, "hoist": 0.3, "bucket-elevator": 0.3, "forklift-mast": 0.3, "winch-16b": 0.3,
    "pump-10b": 0.05, "tandem": 0.05, "press-12b": 0.1, "motorcycle": 0.03, "misaligned-08b": 0.02,
}  # fmt: skip
"""Examples with chain ends, bodies that move far, stages, motors, several freewheels, and sprockets out of line, each
with the length of a varied run [s].
"""


OF_LINKS = 0.03
"""Longest simulated time of a run with rigid links, whose steps are short. [s]"""
MOST_STEPS = 100_000
"""Largest number of steps of such a run, which limits slow drives."""


class Group(NamedTuple):
    """A group of drives of one kind."""

    name: str
    count: int


GROUPS = (
    Group("rollers", 100),
    Group("rollers, driven by torque", 30),
    Group("rigid links", 30),
    Group("block", 20),
    Group("varied examples", 2 * len(MOMENT)),
)
COUNT = sum(group.count for group in GROUPS)


def group_of(index: int) -> tuple[str, int]:
    """Name of the group of a drive, and the number of the drive in it."""
    for group in GROUPS:
        if index < group.count:
            return group.name, index
        index -= group.count
    raise IndexError("there are no more drives")


def drive_of(index: int) -> Drive:
    """The drive with this index, which is always the same."""
    name, number = group_of(index)
    if name == "varied examples":
        return _varied(number)
    if name == "block":
        return _block(number)
    drive = generate(SEED, index)
    if name == "rigid links":
        linked = with_links(drive, SEED, index)
        until = min(float(linked.run.until), OF_LINKS)
        return override(linked, {"run.until": until, "run.solver.max_steps": MOST_STEPS})
    return driven_by_torque(drive, SEED, index) if name == "rollers, driven by torque" else drive


def _block(number: int) -> Drive:
    """The next generated drive that springs between wheels can represent, that is, with fixed bearings and without
    guides.
    """
    for index in itertools.count(COUNT + 20 * number):
        with contextlib.suppress(InputError):
            return in_formulation(generate(SEED, index), "block")
    raise AssertionError("there is always one")


def _varied(number: int) -> Drive:
    """An example with varied stiffness, friction, damping and inertia, for a short run."""
    rng = np.random.default_rng([SEED, number])
    name = list(MOMENT)[number % len(MOMENT)]
    plain = example(name)

    def times(value: float, spread: float) -> float:
        return float(f"{value * spread ** rng.uniform(-1.0, 1.0):.3g}")

    changes: dict[str, Any] = {
        "run.until": MOMENT[name],
        "chain.link_stiffness": times(plain.chain.link_stiffness, 3.0),
        "chain.link_mass": times(plain.chain.link_mass, 1.5),
        "contact.stiffness": times(plain.contact.stiffness, 3.0),
        "contact.friction": times(max(plain.contact.friction, 0.01), 2.0),
    }
    changes |= {
        f"wheels.{w}.inertia": times(wheel.inertia, 2.0)
        for w, wheel in enumerate(plain.wheels)
        if wheel.inertia and wheel.motion is None
    }
    return override(plain, changes)
