"""A ring of links in space as plain numbers for every peer, and the ring in chaindrive itself.

The chain of a bicycle without its wheels: 112 links that run around in a circle, pulled by their own inertia, a little
out of their plane. Bushings hold the joints: three forces, twist and bending; nothing resists the turn about a pin.
"""

from __future__ import annotations

import dataclasses
import math
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.formulations.planar.compile import planar_parameters
from chaindrive.formulations.planar.limits import Expected
from chaindrive.formulations.planar.surfaces import NO_SURFACES
from chaindrive.formulations.spatial.chain import COORDINATES
from chaindrive.formulations.spatial.compile import parameters_of, spatial_layout, system_at_rest
from chaindrive.formulations.spatial.links import spatial_links
from chaindrive.formulations.spatial.parameters import WORKS
from chaindrive.formulations.spatial.placing import link_attitudes
from chaindrive.mechanism.description import Mechanism
from chaindrive.mechanism.elements import build_elements
from chaindrive.mechanism.tree import build_tree
from chaindrive.model import Drive, SpatialOptions
from chaindrive.solvers.integrator import Integrator, SolverSettings
from peers.chain import cpu_of

NAME = "chaindrive"
LINKS, PITCH = 112, 12.7e-3
SPEED = 2.92
"""Speed of the chain along itself. [m/s]"""
SWAY = 0.05
"""Amplitude of the velocity across the plane of the ring, three waves around it. [m/s]"""
GENTLE = 3.0
"""A run is stable while no link is faster than this times the chain."""


class RingData(NamedTuple):
    """Start state and constants of N equal links, SI units; a link has x along its length, z along its pins."""

    place: np.ndarray
    """Centres of mass, (N, 3)"""
    attitude: Rotation
    velocity: np.ndarray
    """(N, 3)"""
    rate: float
    """At which all links turn about z"""
    pitch: float
    mass: float
    inertia: tuple[float, float, float]
    stiffness: tuple[float, float, float]
    """Stiffness of a joint along and across the link, and along the pin"""
    damping: tuple[float, float, float]
    swing: tuple[float, float]
    """Stiffness against twist and bending"""
    swing_damping: float


def ring_drive() -> Drive:
    """A drive whose chain is that of the ring: 2.35 g a link, 3e7 N/m, joints without play and friction."""
    wheel = {"teeth": 23, "tooth": {"form": "asa-ii"}, "inertia": 1e-3}
    half = 0.5 * (LINKS - 23) * PITCH
    return Drive(
        name="ring",
        chain={
            "pitch": PITCH,
            "links": LINKS,
            "roller_diameter": 7.75e-3,
            "link_mass": 2.35e-3,
            "link_stiffness": 3e7,
            "link_damping": 10.6,
            "sideways": {"bend_play": 0.0, "twist_play": 0.0, "pin_play": 0.0},
        },
        wheels=[
            {"name": "one", "position": (0.0, 0.0), "motion": {"kind": "constant_speed", "speed": 1.0}} | wheel,
            {"name": "other", "position": (half, 0.0)} | wheel,
        ],
        contact={"stiffness": 1e9, "exponent": 1.5},
        run={"until": 1.0},
    )


def ring_data(drive: Drive) -> RingData:
    """The ring in plain numbers."""
    links = spatial_links(drive)
    plane = links.plane
    place, attitude, rate = _circle()
    wave = 2.0 * math.pi * 3.0 * np.arange(LINKS) / LINKS
    velocity = np.column_stack([-rate * place[:, 1], rate * place[:, 0], SWAY * np.sin(wave)])
    return RingData(
        place=place,
        attitude=attitude,
        velocity=velocity,
        rate=rate,
        pitch=PITCH,
        mass=float(plane.mass.mean()),
        inertia=tuple(float(x) for x in links.inertia.mean(axis=0)),
        stiffness=(float(plane.stiffness[0]), float(plane.stiffness[0]), links.side_stiffness),
        damping=(float(plane.damping[0]), float(plane.damping[0]), links.side_damping),
        swing=(links.twist_stiffness, links.bend_stiffness),
        swing_damping=links.swing_damping,
    )


def _circle() -> tuple[np.ndarray, Rotation, float]:
    """Centres of the links of a regular polygon, their attitudes, and the rate at which they turn."""
    angle = 2.0 * math.pi * np.arange(LINKS) / LINKS
    middle = 0.5 * PITCH / math.tan(math.pi / LINKS)
    place = middle * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(LINKS)])
    return place, Rotation.from_euler("z", (angle + 0.5 * math.pi)[:, None]), SPEED / middle


def ring_system(drive: Drive, data: RingData) -> System:
    """The ring as a system of the spatial formulation, all links with the mean mass and inertia."""
    links, n = spatial_links(drive), LINKS
    plane = links.plane._replace(
        mass=np.full(n, data.mass),
        inertia=np.full(n, data.inertia[2]),
        centre=np.broadcast_to((0.5 * PITCH, 0.0), (n, 2)).copy(),
    )
    links = links._replace(plane=plane, inertia=np.tile(data.inertia, (n, 1)))
    tree, none = build_tree([]), np.zeros(0)
    mechanism = Mechanism(tree, build_elements([], tree), {}, 0, (), none, none, none, none)
    options = SpatialOptions()
    planar = planar_parameters(drive.chain, (0.0, 0.0), options, NO_SURFACES, mechanism, COORDINATES * n, len(WORKS))
    p = parameters_of(drive.chain, links, options, spatial_layout(planar, n, len(WORKS)))
    bushes = data.place - 0.5 * PITCH * data.attitude.apply((1.0, 0.0, 0.0))
    state = link_attitudes(bushes, np.broadcast_to((0.0, 0.0, 1.0), (n, 3)), plane.centre)
    system = system_at_rest(p, state, none, mechanism, Expected(0.0, none))
    own = np.zeros((3, n))
    own[2] = data.rate
    start = system.state.copy()
    start[system.positions : system.positions + 6 * n] = np.concatenate([data.velocity.T.ravel(), own.ravel()])
    return dataclasses.replace(system, state=start)


class ChaindriveRing:
    """The ring by the method 'splitting'; ``step`` None is the default one."""

    def __init__(self) -> None:
        drive = ring_drive()
        self.data = ring_data(drive)
        self.system = ring_system(drive, self.data)
        self.place, self.velocity = self.data.place, self.data.velocity
        self.steps = 0

    def run(self, step: float | None, until: float) -> float:
        """Integrate from the start; returns the CPU time. [s]"""
        run = Integrator(self.system, SolverSettings(method="splitting", step=step), 1e6)
        status = Status.RUNNING

        def go() -> None:
            nonlocal status
            while status == Status.RUNNING:
                status = run.advance(until, 10**9)
                run.take_rows()

        used = cpu_of(go)
        n, n_q = LINKS, self.system.positions
        state = run.state if status == Status.REACHED_END else np.full(self.system.state.size, np.nan)
        self.place = state[: 3 * n].reshape(3, n).T.copy()
        self.velocity = state[n_q : n_q + 3 * n].reshape(3, n).T.copy()
        self.steps = run.statistics.steps
        return used

    def stable(self, step: float, until: float) -> bool:
        """Whether a run with this step ends with sensible numbers."""
        self.run(step, until)
        return sensible(self.velocity)


def sensible(velocity: np.ndarray) -> bool:
    """Whether velocities (N, 3) are those of a run that has not diverged."""
    return bool(np.isfinite(velocity).all() and np.linalg.norm(velocity, axis=1).max() < GENTLE * SPEED)
