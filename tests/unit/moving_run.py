"""A short run of the timing drive made of formulas, with a body that swings, for films and notebooks."""

from __future__ import annotations

import numpy as np

from chaindrive.drawing.scene import scene_of
from chaindrive.model import example
from chaindrive.results.attributes import describe
from chaindrive.results.layout import Layout
from chaindrive.results.solution import Solution
from chaindrive.system import Channel

RATE = 2000.0
TIME = np.arange(0.0, 0.05 + 0.5 / RATE, 1.0 / RATE)
SPEED = 2 * np.pi * 50.0  # of the crankshaft: 3000 rpm, a revolution in 0.02 s


def moving_run(drop=(), drive=None, name=None):
    """The run; ``drop``: channels that it did not keep; drive: with other names."""
    drive = example("timing-06b") if drive is None else drive
    scene = scene_of(drive)
    rows, links, wheels = TIME.size, drive.chain.links, len(drive.wheels)
    ratio = drive.wheels[0].teeth / np.array([wheel.teeth for wheel in drive.wheels])
    angles = np.array(scene.wheel_angles) + SPEED * TIME[:, None] * ratio
    place = (np.arange(links) + 0.5 + 1000.0 * TIME[:, None]) % links
    swing = 0.02 * np.sin(2 * np.pi * 50.0 * TIME)[:, None]
    pivot = np.array(drive.bodies[0].joint.position)
    arm = np.array(drive.bodies[0].centre_of_mass) - pivot
    turn = np.stack([np.cos(swing), -np.sin(swing), np.sin(swing), np.cos(swing)], axis=-1).reshape(rows, 1, 2, 2)
    table = {
        "link_tension": (("link",), "N", 400.0 + 100.0 * np.sin(2 * np.pi * place / links)),
        "link_path_position": (("link",), "pitch", place),
        "roller_position": (("roller", "axis"), "m", np.broadcast_to(scene.rollers, (rows, links, 2))),
        "contact_body": (("roller",), "1", np.where(place < 10.0, 0.0, -1.0)),
        "contact_force": (("roller",), "N", np.where(place < 10.0, 50.0, 0.0)),
        "wheel_angle": (("wheel",), "rad", angles),
        "wheel_speed": (("wheel",), "rad/s", np.broadcast_to(SPEED * ratio, (rows, wheels))),
        "span_tension": (("span",), "N", np.full((rows, wheels), 400.0)),
        "span_displacement": (("span",), "m", np.zeros((rows, wheels))),
        "body_position": (("body", "axis"), "m", pivot + (turn @ arm[:, None])[..., 0]),
        "body_angle": (("body",), "rad", swing),
        "energy_residual": ((), "J", 0.0 * TIME),
        "work_input": ((), "J", 100.0 * TIME),
        "work_friction": ((), "J", 100.0 * TIME),
    }
    channels, at = [], 0
    for key, (dims, unit, values) in table.items():
        if key not in drop:
            channels.append(Channel(key, dims, unit, "", at, np.shape(values)[1:]))
            at += channels[-1].size
    labels = {"wheel": tuple(w.name for w in drive.wheels), "body": ("tension guide",), "axis": ("x", "y")}
    attrs = describe(drive.to_toml(), {}, name=drive.name if name is None else name, formulation="roller")
    values = {key: np.array(values) for key, (_, _, values) in table.items()}
    return Solution.from_memory(Layout(tuple(channels), labels), TIME, values, attrs | {"status": "REACHED_END"})
