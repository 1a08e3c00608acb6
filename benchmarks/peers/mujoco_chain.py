"""The 122-link chain of the 6L60MC in MuJoCo: spheres on slides, spatial tendons as links, boxes as tooth facets.

Alone: python benchmarks/peers/mujoco_chain.py
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from peers.chain import ChainData, chain_data, cpu_of, is_stable, mean_tension, wheel_facets

NAME = "MuJoCo"
DEPTH = 3e-3
"""Half the thickness of the boxes behind the facets. [m]"""
PIECE = 50
"""Number of steps between two checks for divergence."""
FAST = 1e3
"""Speed that no roller or wheel reaches. [m/s, rad/s]"""
IMPEDANCE = 0.95
"""Constant impedance of the contacts."""
SAME = (
    "rollers move in the plane with the same mass, links are spatial tendons with the same stiffness and damping, "
    "gravity, wheel inertias and centres, start at speed from the same static equilibrium, no friction, one thread"
)
DIFFERENT = (
    "contact is a soft constraint solved at every step, whose stiffness scales with the mass: it is set, for the mass "
    "of one roller, to the linear stiffness and damping that EXUDYN also uses; a tooth gap is nine thin boxes whose "
    "faces touch the true profile from outside; a roller is a sphere; semi-implicit Euler is its only explicit "
    "integrator; the driver keeps its speed because its inertia is a million times as large; nothing is recorded"
)


class MujocoChain:
    """The model, compiled once."""

    def __init__(self, data: ChainData) -> None:
        import mujoco

        mujoco.set_mju_user_warning(lambda text: None)  # else a blow-up leaves a log file in the working folder
        self.data = data
        self.model: Any = mujoco.MjModel.from_xml_string(model_text(data))
        self.state: Any = mujoco.MjData(self.model)
        self.position, self.velocity = data.position, data.velocity

    def run(self, step: float, until: float) -> float:
        """Integrate from the start; returns the CPU time. [s]"""
        import mujoco

        d, n = self.data, len(self.data.position)
        self.model.opt.timestep = step
        self.state = mujoco.MjData(self.model)
        self.state.qvel[: 2 * n] = d.velocity.ravel()
        self.state.qvel[2 * n :] = d.wheel_speed
        pieces = max(1, round(until / step / PIECE))

        def go() -> None:
            for _ in range(pieces):
                mujoco.mj_step(self.model, self.state, nstep=PIECE)
                if not abs(self.state.qvel).max() < FAST:
                    return

        try:
            used = cpu_of(go) * until / (pieces * PIECE * step)
        except mujoco.FatalError:  # a blow-up ran out of memory for contacts
            self.state = mujoco.MjData(self.model)
            self.state.qvel[:] = math.nan
            used = math.nan
        self.position = d.position + np.asarray(self.state.qpos[: 2 * n]).reshape(n, 2)
        self.velocity = np.array(self.state.qvel[: 2 * n]).reshape(n, 2)
        return used

    def stable(self, step: float, until: float) -> bool:
        """Whether a run with this step ends with sensible numbers."""
        self.run(step, until)
        return is_stable(self.position, self.velocity, self.data)

    @property
    def tension(self) -> float:
        """Mean link tension at the end of the last run. [N]"""
        return mean_tension(self.position, self.data)


def model_text(d: ChainData) -> str:
    """The chain in MuJoCo's own format."""
    # Reference acceleration of a contact: b v + k r, b = damping / impedance, k = stiffness / impedance.
    stiffness = d.contact_stiffness / d.mass * IMPEDANCE
    damping = d.contact_damping / d.mass * IMPEDANCE
    bodies, tendons = [], []
    n = len(d.position)
    for i, (x, y) in enumerate(d.position):
        bodies.append(
            f'<body pos="{x!r} {y!r} 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>'
            f'<geom type="sphere" size="{d.roller_radius}" mass="{d.mass}" contype="1" conaffinity="0"/>'
            f'<site name="s{i}"/></body>'
        )
        tendons.append(
            f'<spatial springlength="{d.pitch}" stiffness="{d.stiffness}" damping="{d.damping}">'
            f'<site site="s{i}"/><site site="s{(i + 1) % n}"/></spatial>'
        )
    for w in range(len(d.teeth)):
        (x, y), inertia = d.wheel_position[w], d.wheel_inertia[w]
        boxes = "".join(_box(a, b) for a, b in wheel_facets(d, w))
        half = 0.5 * d.wheel_angle[w]
        bodies.append(
            f'<body pos="{x!r} {y!r} 0" quat="{math.cos(half)!r} 0 0 {math.sin(half)!r}">'
            f'<joint type="hinge" axis="0 0 1"/>'
            f'<inertial pos="0 0 0" mass="1000" diaginertia="{inertia} {inertia} {inertia}"/>{boxes}</body>'
        )
    text = "\n".join(bodies).replace("np.float64(", "").replace(")", "")
    return (
        f'<mujoco><compiler angle="radian"/><option gravity="0 {d.gravity} 0" integrator="Euler" cone="pyramidal">'
        '<flag autoreset="disable"/></option><size memory="50M"/>'
        f'<default><geom condim="1" solref="{-stiffness} {-damping}" '
        f'solimp="{IMPEDANCE} {IMPEDANCE} 0.001 0.5 2"/></default>'
        f"<worldbody>{text}</worldbody><tendon>{''.join(tendons)}</tendon></mujoco>"
    )


def _box(a: np.ndarray, b: np.ndarray) -> str:
    """The box whose upper face is the facet; facets run around the wheel counter-clockwise."""
    along = (b - a) / np.linalg.norm(b - a)
    outward = np.array([along[1], -along[0]])
    centre = 0.5 * (a + b) - DEPTH * outward
    angle = 0.5 * math.atan2(along[1], along[0])
    size = f"{0.5 * float(np.linalg.norm(b - a))} {DEPTH} 0.02"
    return (
        f'<geom type="box" size="{size}" pos="{float(centre[0])} {float(centre[1])} 0" mass="0" '
        f'quat="{math.cos(angle)} 0 0 {math.sin(angle)}" contype="0" conaffinity="1"/>'
    )


if __name__ == "__main__":
    chain = MujocoChain(chain_data())
    for trial in (2e-5, 4e-5, 5e-5, 6e-5, 7e-5):
        seconds = chain.run(trial, 0.1)
        rate = 1e6 * seconds * trial / 0.1
        fine = is_stable(chain.position, chain.velocity, chain.data)
        print(f"step {1e6 * trial:.3g} us: {rate:.4g} us/step, stable {fine}, tension {chain.tension:.5g} N,", end=" ")
        print(f"{chain.state.ncon} contacts")
