"""Findings from the memory and the state at the end of a run: how far the chain has travelled and where it jumped
teeth.
"""

from __future__ import annotations

import math
from typing import Any

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


def findings(drive: Drive, p: PlanarParameters, state: FloatArray) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return notes and warnings about a run that ended in ``state`` (Story.findings).

    They concern loops of the chain, tooth jumps, tilts too large for a planar model, and excessive penetration of
    rigid contacts.
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
    return notes, deep + tilted + tuple(
        f"the chain jumped {found['teeth']} {'tooth' if found['teeth'] == 1 else 'teeth'} on {name!r}, "
        f"first at {found['first']:.6g} s (channel tooth_jumps shows the jumps over time)"
        for name, found in jumps.items()
    )
