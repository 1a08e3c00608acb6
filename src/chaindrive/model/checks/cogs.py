"""Cross-checks of the cogs beside a wheel (``Wheel.cogs``), see ``checks``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from chaindrive.errors import Problem
from chaindrive.model.checks.open_chain import is_open
from chaindrive.model.checks.parts import Parts
from chaindrive.model.wheel import Wheel

__all__ = ["COG_CHECKS"]

CLOSEST = 0.5
"""Smallest distance between two cogs that leaves room for the plates of the chain, as a fraction of its inner width.
[-]
"""


def _alone(parts: Parts) -> Iterator[Problem]:
    """Yield keys that a wheel with cogs does not support."""
    for index, wheel in parts.present_wheels():
        if wheel.cogs:
            for name, message in _refused(parts, wheel):
                yield Problem(f"wheels[{index}].{name}", f"{message}: omit either this or the cogs", "")


def _refused(parts: Parts, wheel: Wheel) -> Iterator[tuple[str, str]]:
    if is_open(parts):
        yield "cogs", "need a closed chain"
    if wheel.tooth.form == "smooth":
        yield "tooth", "has no teeth, but the cogs have the same form as the wheel"
    if wheel.shaft is not None:
        yield "shaft", "cannot bend with several cogs on the hub"
    if any(wheel.tilt):
        yield "tilt", "does not apply to a wheel with additional cogs"
    if wheel.pitch_line is not None:
        yield "pitch_line", "does not apply to a wheel with additional cogs"
    if wheel.roller_diameter is not None:
        yield "roller_diameter", "does not apply to a wheel with additional cogs"
    if wheel.tooth_width_wide is not None:
        yield (
            "tooth_width_wide",
            "does not apply to a wheel with additional cogs, whose teeth may meet inner or outer links",
        )
    if wheel.lateral_motion is not None or wheel.lateral_stiffness is not None:
        name = "lateral_motion" if wheel.lateral_motion is not None else "lateral_stiffness"
        yield (
            name,
            "does not apply to a wheel with additional cogs: the chain is moved sideways by the wheel from which it "
            "comes",
        )


def _apart(parts: Parts) -> Iterator[Problem]:
    """Check that cogs are far enough apart."""
    if parts.chain is None or parts.chain.inner_width is None:
        return
    least = CLOSEST * parts.chain.inner_width
    for index, wheel in parts.present_wheels():
        planes = sorted([(0.0, -1), *((cog.offset, number) for number, cog in enumerate(wheel.cogs))])
        for (one, first), (other, second) in pairwise(planes):
            if other - one < least:
                number = max(first, second)
                message = (
                    f"must be at least {least:.3g} m (half the inner width of the chain) from the next cog or the wheel"
                )
                yield Problem(f"wheels[{index}].cogs[{number}].offset", message, f"{wheel.cogs[number].offset:g} m")


LOWEST_TIP = 0.25
"""Largest depth of a gate as a fraction of the pitch; tooth tips extend about this far beyond the pitch circle. [-]"""


def _gates(parts: Parts) -> Iterator[Problem]:
    """Check that gates are on existing teeth, and that their teeth fit between the plates of a link."""
    width = None if parts.chain is None else parts.chain.inner_width
    pitch = None if parts.chain is None else parts.chain.pitch
    for index, wheel in parts.present_wheels():
        where = f"wheels[{index}]"
        if wheel.gates is not None and not wheel.cogs:
            yield Problem(f"{where}.gates", "are for shifts between cogs: give cogs, or omit them", "")
        rings = [(where, wheel.teeth, wheel.gates)]
        rings += [(f"{where}.cogs[{number}]", cog.teeth, cog.gates) for number, cog in enumerate(wheel.cogs)]
        for place, teeth, gates in rings:
            for number, gate in enumerate(gates or ()):
                if gate.tooth >= teeth:
                    yield Problem(f"{place}.gates[{number}].tooth", f"the last tooth is {teeth - 1:g}", str(gate.tooth))
                if gate.teeth > teeth:
                    yield Problem(f"{place}.gates[{number}].teeth", f"there are {teeth:g}", str(gate.teeth))
                if width is not None and abs(gate.lean) > 0.5 * width:
                    message = f"must be within {0.5 * width:.3g} m, half the inner width of the chain"
                    yield Problem(f"{place}.gates[{number}].lean", message, f"{gate.lean:g} m")
                if pitch is not None and gate.depth > LOWEST_TIP * pitch:
                    message = f"must be at most {LOWEST_TIP * pitch:.3g} m, a quarter of the pitch"
                    yield Problem(f"{place}.gates[{number}].depth", message, f"{gate.depth:g} m")


COG_CHECKS = (_alone, _apart, _gates)
