"""Widths of the teeth of wheels and cogs, and their taper towards the tips."""

from __future__ import annotations

import math

import numpy as np

from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.gates import put_gates
from chaindrive.geometry.route import pitch_radius
from chaindrive.model import Chain, Drive, Wheel
from chaindrive.model.checks.tilt import side_play
from chaindrive.model.links import link_dimensions

__all__ = ["CHAMFER", "RELIEF", "half_tooth_width", "put_teeth", "tip_relief"]

RELIEF = 0.13
"""Reduction in width of a tooth at its tip, on each side, relative to the pitch (tooth side relief, ISO 606). [-]"""

SHARPEST = 0.75
"""Largest fraction of its width by which a tooth narrows towards its tip. [-]"""

CHAMFER = 0.5
"""Size of the chamfered edges of plates, which guide teeth between the plates, relative to the thickness of inner
plates (an estimate). [-]
"""

ANYWHERE = 10.0
"""Lateral travel assumed for a wheel whose motion is an external input, so that outer plates are always checked. [m]"""


def half_tooth_width(chain: Chain, wheel: Wheel) -> float:
    """Return half the width of the teeth of a wheel: the given value, or that of ISO 606. [m]"""
    if wheel.tooth_width is not None:
        return 0.5 * wheel.tooth_width
    return 0.5 * link_dimensions(chain)["inner_width"].value - side_play(chain)


def tip_relief(chain: Chain, half_width: float) -> float:
    """Return the side relief at the tip of a tooth of the given half width, on each side. [m]"""
    return min(RELIEF * chain.pitch, SHARPEST * half_width)


def put_teeth(p: S.Parameters, drive: Drive) -> None:
    """Write the teeth of all wheels, and of their additional cogs, into ``p.tooth``."""
    for w, wheel in enumerate(drive.wheels):
        half = half_tooth_width(drive.chain, wheel)
        wide = half if wheel.tooth_width_wide is None else 0.5 * wheel.tooth_width_wide
        _put(p, drive.chain, w, wheel.teeth, float(p.planar.wheel.tip[w]), half, wide)
        if wheel.cogs:
            p.tooth.passable[w], p.tooth.outer[w] = 1, -math.inf
            p.planar.wheel.height[w], p.planar.wheel.band[w] = wheel.offset, p.half_width + half
        else:
            p.tooth.outer[w] = _depth_of_inner_plates(p, drive, w, wide - half)
    cog = p.planar.cog
    for c, w in enumerate(cog.wheel):
        row, half = p.planar.wheels + c, float(p.tooth.half[w])
        _put(p, drive.chain, row, int(cog.teeth[c]), float(cog.tip[c]), half, half)
        p.tooth.passable[row], p.tooth.outer[row], p.tooth.offset[row] = 1, -math.inf, cog.offset[c]
        cog.band[c] = p.half_width + half
    put_gates(p, drive)
    for passable in np.flatnonzero(p.tooth.passable):
        c = int(passable) - p.planar.wheels
        first = int(cog.gap[c] if c >= 0 else p.planar.wheel.gap[passable])
        many = int(cog.teeth[c] if c >= 0 else p.planar.wheel.teeth[passable])
        p.tooth.lowest[passable] = p.cut.tip[first : first + many].min()


def _put(p: S.Parameters, chain: Chain, row: int, teeth: int, tip: float, half: float, wide: float) -> None:
    """Write one row of ``p.tooth``: half the widths of narrow and wide teeth, which end at the radius ``tip`` [m]."""
    tooth, radius = p.tooth, float(pitch_radius(chain.pitch, teeth))
    height = max(tip - radius, 0.1 * chain.roller_diameter)
    falls = [tip_relief(chain, each) / height for each in (half, wide)]
    tooth.half[row], tooth.full[row], tooth.slope[row], tooth.tip[row] = half, radius, falls[0], tip
    tooth.half_wide[row], tooth.slope_wide[row], tooth.wide[row] = wide, falls[1], -1.0


def _depth_of_inner_plates(p: S.Parameters, drive: Drive, w: int, wider: float) -> float:
    """Return the smallest penetration of inner plates into teeth of wheel w at which outer plates begin to touch. [m]

    wider: half the width of a wide tooth minus half that of a narrow one [m]. At the same joint, an outer plate is
    farther from the tooth by the thickness of a plate. It comes closer by the play along the pin and by the slope of
    both links relative to the wheel, because each link touches a tooth one roller radius from the joint, on its own
    side. The slope is one and a half times the sum of the slope of the spans at the wheel, the tilt of the wheel, and
    the play of joints.
    """
    count, wheel = len(drive.wheels), drive.wheels[w]
    slopes, planes = [], _planes(wheel)
    for other in (drive.wheels[w - 1], drive.wheels[(w + 1) % count]):
        apart = math.dist(wheel.position, other.position)
        radii = (float(pitch_radius(drive.chain.pitch, each.teeth)) for each in (wheel, other))
        free = math.sqrt(max(apart**2 - (math.fsum(radii)) ** 2, drive.chain.pitch**2))
        slopes.append(float(np.abs(np.subtract.outer(planes, _planes(other))).max()) / free)
    slope = 1.5 * (max(slopes) + math.hypot(*wheel.tilt) + p.bend_play)
    return p.outer_half_width - p.half_width - wider - p.pin_play - slope * drive.chain.roller_diameter


def _planes(wheel: Wheel) -> list[float]:
    """Return the distances in front of the drawing plane at which the chain may run on a wheel: at its cogs, and at the
    positions to which the wheel is moved. [m]
    """
    motion, moved = wheel.lateral_motion, [0.0]
    if motion is not None and motion.kind == "input":
        moved = [-ANYWHERE, ANYWHERE]
    elif motion is not None and motion.kind == "harmonic":
        moved = [-motion.amplitude, motion.amplitude]
    elif motion is not None:
        moved = [0.0, motion.by] if motion.kind == "move" else [*motion.coordinates]
    return [wheel.offset + each for each in (*moved, *(cog.offset for cog in wheel.cogs))]
