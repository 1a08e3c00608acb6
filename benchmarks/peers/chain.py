"""Input of every peer: the 122-link chain of the 6L60MC as plain numbers, and the search for its largest step."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

import chaindrive as cd
from chaindrive.geometry.profile import Profile
from chaindrive.mechanism.teeth import tooth_gaps
from chaindrive.simulation.start import prepare

LOAD = 2e3
"""Contact force at which a linear contact has the stiffness of the Hertz law F = K d^1.5. [N]"""
RESTITUTION = 0.66
"""Restitution of the Lankarani-Nikravesh law of the drive with its parameter 0, to which a linear damper is set. [-]"""
GENTLE_FACTOR = 1.5
"""A run is stable while no roller is faster than this times the chain (a running chain stays below 1.1), see also
LARGEST_TENSION.
"""
LARGEST_TENSION = 200e3
"""Largest magnitude of a link force in a stable run (a running chain stays below 40 kN). [N]"""
FACETS_AT = ((0.0, 0.5, 1.0), (), (0.5,), (0.6,))
"""Positions at which facets touch the elements of half a gap of form asa-ii: seat arc, working arc, flank, topping
arc.
"""
HEAVY = 1e6
"""Factor on the inertia of the driver in a peer: it keeps its speed without a constraint."""


class ChainData(NamedTuple):
    """Start state and constants, SI units. N rollers, W wheels."""

    position: np.ndarray
    """(N, 2)"""
    velocity: np.ndarray
    """(N, 2)"""
    wheel_position: np.ndarray
    """(W, 2)"""
    wheel_angle: np.ndarray
    wheel_speed: np.ndarray
    wheel_inertia: np.ndarray
    """That of the driver is multiplied by HEAVY."""
    teeth: tuple[int, ...]
    facets: tuple[np.ndarray, ...]
    """Facets of one gap of every wheel: (F, 2, 2) ends of straight pieces in the gap frame (xi, eta), travelled with
    the material on the right."""
    pitch: float
    mass: float
    stiffness: float
    damping: float
    roller_radius: float
    contact_stiffness: float
    contact_damping: float
    gravity: float


def chain_data() -> ChainData:
    """The 6L60MC at speed in its static equilibrium, as chaindrive starts it."""
    drive = cd.example("6l60mc")
    system = prepare(drive).system
    n, n_q, y = drive.chain.links, system.positions, system.state
    contact = drive.contact
    depth = (LOAD / contact.stiffness) ** (1.0 / contact.exponent)
    stiffness = contact.exponent * LOAD / depth
    # Restitution of a linear spring and damper: e = exp(-pi z / sqrt(1 - z^2)), c = 2 z sqrt(k m).
    log = math.log(RESTITUTION)
    ratio = -log / math.sqrt(math.pi**2 + log**2)
    gaps = tooth_gaps(drive)
    return ChainData(
        position=y[: 2 * n].reshape(2, n).T.copy(),
        velocity=y[n_q : n_q + 2 * n].reshape(2, n).T.copy(),
        wheel_position=np.array([w.position for w in drive.wheels]),
        wheel_angle=y[2 * n : n_q].copy(),
        wheel_speed=y[n_q + 2 * n : 2 * n_q].copy(),
        wheel_inertia=np.array([(w.inertia or 0.0) * (HEAVY if w.motion else 1.0) for w in drive.wheels]),
        teeth=tuple(w.teeth for w in drive.wheels),
        facets=tuple(gap_facets(gap) for gap in gaps),
        pitch=drive.chain.pitch,
        mass=drive.chain.link_mass,
        stiffness=drive.chain.link_stiffness,
        damping=drive.chain.link_damping,
        roller_radius=0.5 * drive.chain.roller_diameter,
        contact_stiffness=stiffness,
        contact_damping=2.0 * ratio * math.sqrt(stiffness * drive.chain.link_mass),
        gravity=drive.gravity[1],
    )


def gap_facets(gap: Profile) -> np.ndarray:
    """A gap as a polygon that touches the profile from outside the clearance: (F, 2, 2), from -xi to +xi.

    Tangents at the bottom, at the middle and end of the seat arc, along the flank, and at the topping arc; the
    corners are where neighbouring tangents meet. A polygon of chords would lift the rollers out of a hollow seat.
    """
    tangents = []
    for element, fractions in zip(gap.elements, FACETS_AT, strict=False):
        tangents += [element.at(fraction) for fraction in fractions]
    corners = [_meet(a, b) for a, b in pairwise(tangents)]
    point, _ = tangents[-1]
    corners.append((point[0] + 0.5 * (point[0] - corners[-1][0]), point[1] + 0.5 * (point[1] - corners[-1][1])))
    half = np.array(corners)
    line = np.concatenate([half[::-1] * (-1.0, 1.0), half])
    return np.stack([line[:-1], line[1:]], axis=1)


def _meet(
    a: tuple[tuple[float, float], tuple[float, float]], b: tuple[tuple[float, float], tuple[float, float]]
) -> tuple[float, float]:
    """Intersection of two tangents, each a point and a direction."""
    (ax, ay), (ux, uy) = a
    (bx, by), (vx, vy) = b
    along = ((bx - ax) * vy - (by - ay) * vx) / (ux * vy - uy * vx)
    return ax + along * ux, ay + along * uy


def wheel_facets(data: ChainData, wheel: int) -> np.ndarray:
    """All facets of a wheel in its own frame, (z F, 2, 2)."""
    pieces = []
    for j in range(data.teeth[wheel]):
        angle = 2.0 * math.pi * j / data.teeth[wheel]
        radial = np.array([math.cos(angle), math.sin(angle)])
        tangential = np.array([-radial[1], radial[0]])
        local = data.facets[wheel]
        pieces.append(local[..., :1] * tangential + local[..., 1:] * radial)
    return np.concatenate(pieces)


def mean_tension(position: np.ndarray, data: ChainData) -> float:
    """Mean of the elastic part of all links. [N]"""
    return float(data.stiffness * (link_lengths(position).mean() - data.pitch))


def link_lengths(position: np.ndarray) -> np.ndarray:
    """Distance of every roller from the next one. [m]"""
    lengths: np.ndarray = np.linalg.norm(np.roll(position, -1, axis=0) - position, axis=1)
    return lengths


def is_stable(position: np.ndarray, velocity: np.ndarray, data: ChainData) -> bool:
    """Whether a run ended with sensible numbers."""
    if not (np.isfinite(position).all() and np.isfinite(velocity).all()):
        return False
    limit = GENTLE_FACTOR * np.linalg.norm(data.velocity, axis=1).max()
    tensions = data.stiffness * (link_lengths(position) - data.pitch)
    return bool(np.linalg.norm(velocity, axis=1).max() < limit and np.abs(tensions).max() < LARGEST_TENSION)


def largest_stable_step(stable: Callable[[float], bool], low: float, high: float, trials: int) -> float:
    """The largest stable step found by bisection of its logarithm between a stable and an unstable one. [s]"""
    while not stable(low):
        high, low = low, 0.5 * low
        if low < 1e-8:
            raise RuntimeError("no stable step was found")
    while stable(high):
        low, high = high, 2.0 * high
        if high > 1e-2:
            return low
    for _ in range(trials):
        middle = math.sqrt(low * high)
        if stable(middle):
            low = middle
        else:
            high = middle
    return low


def cpu_of(thing: Callable[[], object]) -> float:
    """Process time of one call. [s]"""
    begun = time.process_time()
    thing()
    return time.process_time() - begun
