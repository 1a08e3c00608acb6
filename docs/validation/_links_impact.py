"""A link that hits its seat, compared with Newton's law of impact, and the speeds at which bushes of running chains
arrive on wheels.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from _links_cases import Kept
from numpy.typing import NDArray

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.formulations import compile_system
from chaindrive.model import LinkOptions, override
from chaindrive.physics.contact_laws import CONTACT_LAWS, achieved_restitution
from chaindrive.solvers import Integrator, SolverSettings

SPEED, AWAY, OPEN = 0.2, 2e-6, 1e3
"""Speed towards the seat [m/s], distance from the seat [m], and clearance of an open joint [m]."""
LAWS = (("hertz", 0.0), ("hunt-crossley", 0.3), ("lankarani-nikravesh", 0.0), ("flores", 0.3))
STIFFNESSES = (1e8, 1e10, 1e12, 1e14)
TIGHT = SolverSettings(atol_length=1e-13, atol_angle=1e-12, atol_speed=1e-8, atol_angular_speed=1e-7)


class Impact(NamedTuple):
    """Result of an impact of a link on its seat."""

    law: str
    asked: float
    stiffness: float
    achieved: float
    """Coefficient of restitution that the law achieves, from its first integral."""
    speed: tuple[float, float]
    """Speed of the bush away from its seat: by Newton's law, and computed. [m/s]"""
    turning: tuple[float, float]
    """Angular velocity of the link: by Newton's law, and computed. [rad/s]"""


def impact(law: str, asked: float, stiffness: float) -> Impact:
    """A link of the conveyor, with open joints and without weight, that moves straight onto its seat on the larger
    wheel.
    """
    drive = override(
        cd.example("industrial-08b"),
        {
            "gravity": [0.0, 0.0],
            "chain.joint_damping": 0.0,
            "contact": {"stiffness": stiffness, "exponent": 1.5, "restitution": asked, "friction": 0.0},
            "wheels.1.inertia": 1e3, "wheels.1.load_torque": 0.0, "wheels.1.bearing_friction": 0.0,
        },
    )  # fmt: skip
    system = compile_system(drive, LinkOptions(contact_law=law), False)
    p, n, first = system.parameters, drive.chain.links, system.positions
    joint = p.joint._replace(clearance=np.full_like(p.joint.clearance, OPEN))
    p = p._replace(joint=joint)
    place = system.channel("roller_position").read(system.row(0.0, system.state))
    outwards = place - np.array(drive.wheels[1].position)
    i = int(np.argmax(outwards[:, 0]))
    normal = outwards[i] / np.hypot(*outwards[i])
    state = system.state.copy()
    arm = place[i] - state[[i, n + i]]
    depth = system.channel("contact_penetration").read(system.row(0.0, system.state))[i]
    state[[i, n + i]] += (AWAY + depth) * normal
    state[[first + i, first + n + i]] = -SPEED * normal
    system.kernels.begin(0.0, state, p)
    until = (AWAY + 8.0 * (1.25 * p.body.mass[i] * SPEED**2 / stiffness) ** 0.4) / SPEED  # Hertz, twice as long
    integrator = Integrator(replace(system, state=state, parameters=p), TIGHT, until / 16.0, chunk_rows=20)
    while integrator.advance(until) == Status.RUNNING:
        pass
    moving = integrator.state[first + i + n * np.arange(3)]
    turning = arm[0] * normal[1] - arm[1] * normal[0]
    mass, inertia = system.masses[i], system.masses[2 * n + i]
    achieved = achieved_restitution(CONTACT_LAWS[law](stiffness, 1.5, asked, 1.0).hysteresis)
    impulse = (1.0 + achieved) * SPEED / (1.0 / mass + turning**2 / inertia)
    away = float(moving[:2] @ normal + moving[2] * turning)
    return Impact(law, asked, stiffness, achieved, (achieved * SPEED, away),
                  (impulse * turning / inertia, float(moving[2])))  # fmt: skip


class Arrivals(NamedTuple):
    """Data of bushes that arrive on a wheel, one value for each bush."""

    wheel: str
    share: NDArray[np.float64]
    """Speed relative to the seat, divided by w P."""
    exact: NDArray[np.float64]
    """Speed relative to the seat, divided by (w - w_link) P."""
    normal: NDArray[np.float64]
    """Speed into the seat, divided by w P."""


def arrivals(run: Kept, wheel: int) -> Arrivals:
    """All bushes that arrive on a wheel in the examined part; see :func:`impact` for the impact.

    The run must contain the velocities of bushes and links, and contact_penetration.
    """
    solution, drive = run.solution, run.case.drive
    n, pitch = drive.chain.links, drive.chain.pitch
    on = solution.values("contact_surface") == wheel
    step = float(solution.time[1] - solution.time[0])
    quiet = round(pitch / _speed(run) / step)  # of a tooth
    found = []
    for j in range(n):
        for row in np.flatnonzero(on[1:, j] & ~on[:-1, j]):
            if row < quiet or on[row - quiet : row + 1, j].any():
                continue  # bounces off its seat
            now = slice(row, row + 1)
            place, velocity = (solution.values(name, now)[0] for name in ("roller_position", "roller_velocity"))
            centre = solution.values("wheel_position", now)[0, wheel]
            rate = float(solution.values("wheel_speed", now)[0, wheel])
            arm = place[j] - centre
            relative = velocity[j] - rate * np.array([-arm[1], arm[0]])
            nearer = np.hypot(*(place[(j + 1) % n] - centre)) < np.hypot(*(place[j - 1] - centre))
            link = j if nearer else j - 1
            turning = float(solution.values("link_angular_velocity", now)[0, link])
            depth = solution.values("contact_penetration", slice(row - 1, row + 1), j)
            found.append((np.hypot(*relative) / abs(rate * pitch), np.hypot(*relative) / abs((rate - turning) * pitch),
                          float(depth[1] - depth[0]) / step / abs(rate * pitch)))  # fmt: skip
    return Arrivals(drive.wheels[wheel].name, *np.array(found).reshape(-1, 3).T)


def _speed(run: Kept) -> float:
    """Speed of the chain. [m/s]"""
    first = run.case.drive.wheels[0]
    mean = float(np.abs(run.solution.values("wheel_speed", item=0)).mean())
    return mean * first.teeth * run.case.drive.chain.pitch / (2.0 * math.pi)
