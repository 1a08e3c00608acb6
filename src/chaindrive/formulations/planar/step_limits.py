"""Limits of an explicit step due to each part, which show a user which part of a drive to change.

Each part is considered alone with a roller, a link or another part that it moves, by the rules of limits.py. Together
the parts limit the step slightly more than the strictest of them does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from chaindrive.formulations.planar.frequency import SMALL_SLIP
from chaindrive.formulations.planar.limits import Expected, lone_step_limit, step_limit, tangents
from chaindrive.formulations.planar.parameters import FloatArray, PlanarParameters
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism.elements import element_limits, line_rates
from chaindrive.mechanism.tree import stiffness_frequency
from chaindrive.model import Drive
from chaindrive.physics.friction import regularised_sign

if TYPE_CHECKING:
    from chaindrive.mechanism.description import Mechanism

__all__ = ["limits_of_parts"]


def limits_of_parts(
    p: PlanarParameters, mechanism: Mechanism, drive: Drive, expected: Expected, yielding: float,
    chain: Mapping[str, float],
) -> dict[str, float]:  # fmt: skip
    """Return the frequency by which each part limits an explicit step, the strictest first. [rad/s]

    yielding: speed of a roller or link per unit impulse [1/kg]; chain: the limiting frequencies of the links and
    joints.
    """
    bare, rate = stiffness_frequency(mechanism.tree, mechanism.point_masses)
    found = dict(chain) | _contacts(p, drive, yielding) | _torques(p, drive, expected.load_damping)
    if not p.elastic_friction:
        found |= _smoothed_on_guides(p, drive, expected.tension, yielding)
    found |= _elements(mechanism, drive, bare)
    found["joints of the bodies"] = step_limit(bare**2, rate, 0.0)
    return dict(
        sorted(((name, float(limit)) for name, limit in found.items() if limit > 0.0), key=lambda each: -each[1])
    )


def _contacts(p: PlanarParameters, drive: Drive, yielding: float) -> dict[str, float]:
    """Return the limits due to rollers on teeth and guides at the reference penetration, by surface. [rad/s]"""
    names = [f"contact with wheel {wheel.name!r}" for wheel in drive.wheels]
    names += [f"contact with guide {name!r}" for name in drive.part_names.get("guide", ())]
    yields = yielding + p.surface.inverse_mass
    limits = [
        step_limit(stiffness * each, viscous * each, 0.0)
        for stiffness, viscous, each in zip(tangents(p), p.surface.viscous, yields, strict=True)
    ]
    return dict(zip(names, limits, strict=True))


def _smoothed_on_guides(p: PlanarParameters, drive: Drive, tension: float, yielding: float) -> dict[str, float]:
    """Return the limit due to smoothed friction of rollers on guides, under the weight of a link and a tension [N].
    [rad/s]
    """
    found = {}
    slip = SMALL_SLIP * p.friction_speed * min(p.friction_sharpness, 1.0)
    slope = regularised_sign(p.friction_kind, slip, p.friction_speed, p.friction_sharpness) / slip
    for s, name in enumerate(drive.part_names.get("guide", ()), p.wheels):
        rows = slice(int(p.surface.profile[s]), int(p.surface.profile_end[s]))
        bend = np.abs(p.guide_profile[rows, 4]).max(initial=0.0)
        pressed = tension * p.pitch * bend + drive.chain.link_mass * np.hypot(*drive.gravity)
        rate = p.surface.friction[s] * pressed * slope * (yielding + p.surface.inverse_mass[s])
        found[f"smoothed friction on guide {name!r}"] = step_limit(0.0, float(rate), 0.0)
    return found


def _torques(p: PlanarParameters, drive: Drive, load_damping: FloatArray) -> dict[str, float]:
    """Return the limits due to torques that grow with the speed of a free wheel. [rad/s]"""
    return {
        f"torque on wheel {drive.wheels[w].name!r}": lone_step_limit(load_damping[w] / p.wheel.inertia[w])
        for w in np.flatnonzero(p.wheel.motion == motions.FREE)
    }


def _elements(mechanism: Mechanism, drive: Drive, bare: float) -> dict[str, float]:
    """Return the limits due to tensioners against the masses that they move, and due to their oil. [rad/s]

    bare: frequency of the joints alone [rad/s].
    """
    limits, found = element_limits(mechanism.elements), {}
    for k, tensioner in enumerate(drive.tensioners):
        rates = line_rates(mechanism.elements, mechanism.tree, k)
        square = np.outer(rates, rates)
        root, rate = stiffness_frequency(
            mechanism.tree, mechanism.point_masses, limits.stiffness[k] * square, limits.damping[k] * square
        )
        found[f"tensioner {tensioner.name!r}"] = step_limit(max(root**2 - bare**2, 0.0), rate, 0.0)
        found[f"oil of tensioner {tensioner.name!r}"] = lone_step_limit(float(limits.rate[k]))
    return found
