"""Findings from the memory and the state at the end of a run: how far the chain has travelled and where it jumped
teeth.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from chaindrive.formulations.planar.parameters import (
    FloatArray,
    PlanarParameters,
)
from chaindrive.model import Drive
from chaindrive.model.checks.tilt import side_play
from chaindrive.numbers import quantity

__all__ = ["findings"]

TOO_DEEP = 0.005
"""Penetration of a rigid contact above which it is reported, as a fraction of the pitch."""
BESIDE = 1.5
"""Penetration of a guide above which a roller cannot have come through its surface, relative to max_penetration [-]:
within a step, a roller that is pressed into the surface moves only a little beyond that."""


def findings(drive: Drive, p: PlanarParameters, state: FloatArray) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return notes and warnings about a run that ended in ``state`` (Story.findings).

    They concern loops of the chain, tooth jumps, tilts too large for a planar model, excessive penetration of rigid
    contacts, and rollers that came into a guide from beside it.
    """
    notes: dict[str, Any] = {}
    if p.closed:
        turned = float(state[p.layout.wheel_angle] - p.path_angle) / (2.0 * math.pi)
        notes["loops"] = abs(turned) * drive.wheels[0].teeth / p.rollers
    deep: tuple[str, ...] = ()
    if p.rigid_contacts:
        notes["largest_penetration"] = deepest = float(p.search.deepest[0])
        if deepest > TOO_DEEP * p.pitch:
            deep = (
                f"rollers penetrated rigid surfaces by up to {quantity(deepest, 'm', 3)} within a step, "
                f"{100.0 * deepest / p.pitch:.2g} % of the pitch, which strains the chain: use a shorter step "
                "(run.solver.step)",
            )
    jumps = {
        wheel.name: {"teeth": int(teeth), "first": float(first)}
        for wheel, teeth, first in zip(drive.wheels, p.mesh.jumps, p.mesh.first, strict=True)
        if teeth > 0.0
    }
    if jumps:
        notes["tooth_jumps"] = jumps
    play = side_play(drive.chain)
    runs = {
        wheel.name: (float(tilt), 0.5 * p.pitch / math.sin(math.pi / wheel.teeth) * float(tilt))
        for wheel, tilt in zip(drive.wheels, p.mesh.tilt, strict=True)
    }
    tilted = tuple(
        f"{name!r} tilted by up to {math.degrees(tilt):.3g} deg: its teeth moved {quantity(run, 'm', 3)} out of the "
        f"plane of the chain; the teeth of a standard wheel have {quantity(play, 'm', 3)} of play between the plates; "
        "lateral forces on the plates are not included in the results"
        for name, (tilt, run) in runs.items()
        if run > play
    )
    return notes, deep + tilted + tuple(_entered(drive, p)) + tuple(
        f"the chain jumped {found['teeth']} {'tooth' if found['teeth'] == 1 else 'teeth'} on {name!r}, "
        f"first at {found['first']:.6g} s (channel tooth_jumps shows the jumps over time)"
        for name, found in jumps.items()
    )


def _entered(drive: Drive, p: PlanarParameters) -> Iterator[str]:
    """Yield a warning for every guide that a roller entered other than through its surface, in the last evaluation."""
    deepest: dict[int, tuple[float, int]] = {}
    for s in range(p.used.segments[0]):
        first, end, slot = int(p.segment.first[s]), int(p.segment.end[s]), int(p.segment.slot[s])
        depths = p.contact.penetration[slot : slot + end - first]
        surface, most = int(p.segment.surface[s]), int(np.argmax(depths))
        deepest[surface] = max(deepest.get(surface, (0.0, 0)), (float(depths[most]), first + most))
    for surface, (depth, roller) in sorted(deepest.items()):
        if surface >= p.wheels and depth > BESIDE * p.surface.max_penetration[surface]:
            yield (
                f"roller {roller} is {quantity(depth, 'm', 3)} inside guide {drive.guides[surface - p.wheels].name!r}, "
                "which it entered at an end or from behind: a slack span sags beside the guide; tension the chain, "
                "let the guide reach nearer to the wheel, or bend its ends away from the chain (end_radius, end_length)"
            )
