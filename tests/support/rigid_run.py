"""A run of rigid links made of formulas: the timing drive, whose links turn a little in their joints."""

from __future__ import annotations

import numpy as np

from chaindrive.model import LinkOptions, example
from chaindrive.results.attributes import describe
from support.made_run import solution_of
from support.moving_run import TIME, moving_run

CLEARANCE = 40e-6


def rigid(drive, joint="clearance", clearance=CLEARANCE):
    """A drive whose formulation is that of rigid links, with a clearance in its joints [m]."""
    chain = drive.chain.model_copy(update={"joint_clearance": clearance})
    run = drive.run.model_copy(update={"formulation": LinkOptions(joint=joint)})
    return drive.model_copy(update={"chain": chain, "run": run})


def offsets(drive, bushes, angles):
    """Vector from the middle of the bush of every joint to its pin, link by link (..., N, 2) [m]."""
    length = drive.chain.pitch - 0.5 * drive.chain.joint_clearance  # a taut chain has the pitch
    found = np.empty(bushes.shape)
    for joint in range(drive.chain.links):
        angle, bush = angles[..., joint - 1], bushes[..., joint - 1, :]
        found[..., joint, 0] = bush[..., 0] + length * np.cos(angle) - bushes[..., joint, 0]
        found[..., joint, 1] = bush[..., 1] + length * np.sin(angle) - bushes[..., joint, 1]
    return found


def rigid_run(drop=()):
    """The run; ``drop``: channels that it did not keep. Joints have 300 N and one more for each, along x."""
    base, drive = moving_run(), rigid(example("timing-06b"))
    links = drive.chain.links
    bushes = np.asarray(base.values("roller_position"), dtype=float)
    ahead = np.roll(bushes, -1, axis=1) - bushes
    wave = 2e-3 * np.sin(2.0 * np.pi * (100.0 * TIME[:, None] + 0.1 * np.arange(links)))
    angles = np.unwrap(np.arctan2(ahead[..., 1], ahead[..., 0]), axis=1) + wave
    pins = offsets(drive, bushes, angles)
    force = np.zeros((TIME.size, links, 2))
    force[..., 0] = 300.0 + np.arange(links)
    table = {name: base.values(name) for name in base.channels}
    table |= {
        "link_angle": angles,
        "pin_force": force,
        "pin_gap": 0.5 * CLEARANCE - np.hypot(pins[..., 0], pins[..., 1]),
        "work_link_damping": 1.0 * TIME,
        "work_oil_film": 2.0 * TIME,
        "power_link_damping": 1.0 + 0.0 * TIME,
    }
    attrs = describe(drive.to_toml(), {}, name=drive.name, formulation="link") | {"status": "REACHED_END"}
    return solution_of(drive, TIME, {name: values for name, values in table.items() if name not in drop}, attrs)
