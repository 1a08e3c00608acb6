"""Forces on links in space compared with the slope of their energy, and drives soft enough for differences of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from chaindrive.contract.system import System
from support.small_drives import PITCH

FloatArray = NDArray[np.float64]
SMOOTH = {"friction": 0.0, "restitution": 1.0}
SOFT = {"link_stiffness": 1e5, "link_damping": 0.0, "joint_damping": 0.0, "joint_friction": 0.0}
OPTIONS = {"side_friction": 0.0, "side_damping": 0.0, "side_stiffness": 1e6}


def started(system: System) -> FloatArray:
    y = system.state.copy()
    y[system.positions : system.positions + system.velocities] = system.motion.rolling
    return y


def read(system: System, state: FloatArray, name: str) -> Any:
    return system.channel(name).read(system.row(0.0, state))


def pushed(system: System, aside: float, outward: float, seed: int) -> FloatArray:
    """The chain moved aside and to the right as a whole, every link a little in its own way [m]."""
    n, rng = system.parameters.links, np.random.default_rng(seed)
    y = system.state.copy()
    y[:n] += outward
    y[2 * n : 3 * n] += aside
    y[: 3 * n] += 2e-4 * rng.normal(size=3 * n)
    turn = Rotation.from_quat(np.roll(y[3 * n : 7 * n].reshape(4, n).T, -1, axis=1))
    turn *= Rotation.from_rotvec(0.01 * rng.normal(size=(n, 3)))
    y[3 * n : 7 * n] = np.roll(turn.as_quat(), 1, axis=1).T.ravel()
    return y


def slopes(system: System, state: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Forces and moments on all links at a state, and the negative slope of the elastic energy there, (6 N,) each."""
    p, n = system.parameters, system.parameters.links
    force = np.zeros(system.velocities)
    system.kernels.forces(0.0, state, p, force)
    found, by = np.zeros(6 * n), 2e-8
    for k in range(6 * n):
        part, i = divmod(k, n)
        stored = []
        for sign in (1.0, -1.0):
            y = state.copy()
            if part < 3:
                y[k] += sign * by
            else:
                own = np.zeros(3)
                own[part - 3] = sign * by / PITCH
                q = Rotation.from_quat(np.roll(y[3 * n + i : 7 * n : n], -1)) * Rotation.from_rotvec(own)
                y[3 * n + i : 7 * n : n] = np.roll(q.as_quat(), 1)
            stored.append(float(read(system, y, "energy_elastic")))
        found[k] = (stored[1] - stored[0]) / (2.0 * by / (1.0 if part < 3 else PITCH))
    return force[: 6 * n], found
