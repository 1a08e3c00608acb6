"""A short run of the timing drive made of formulas, with a body that swings, for films and notebooks."""

from __future__ import annotations

import numpy as np

from chaindrive.drawing.scene import scene_of
from chaindrive.model import example, override
from chaindrive.results.attributes import describe
from support.made_run import solution_of

RATE = 2000.0
TIME = np.arange(0.0, 0.05 + 0.5 / RATE, 1.0 / RATE)
SPEED = 2 * np.pi * 50.0  # of the crankshaft: 3000 rpm, a revolution in 0.02 s


def on_a_shaft(drive, number=1):
    """The drive with one wheel at the end of an elastic shaft."""
    shaft = {"length": 0.04, "bending_stiffness": 512.0, "damping": 220.0}
    return override(drive, {f"wheels.{number}.shaft": shaft, f"wheels.{number}.mass": 0.2})


def moving_run(drop=(), drive=None, name=None):
    """The run; ``drop``: channels that it did not keep; drive: one with other names, or with a wheel on an elastic
    shaft.
    """
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
        "link_tension": 400.0 + 100.0 * np.sin(2 * np.pi * place / links),
        "link_path_position": place,
        "roller_position": np.broadcast_to(scene.rollers, (rows, links, 2)),
        "contact_surface": np.where(place < 10.0, 0.0, -1.0),
        "contact_force": np.where(place < 10.0, 50.0, 0.0),
        "wheel_angle": angles,
        "wheel_speed": np.broadcast_to(SPEED * ratio, (rows, wheels)),
        "span_tension": np.full((rows, wheels), 400.0),
        "span_displacement": np.zeros((rows, wheels)),
        "body_position": pivot + (turn @ arm[:, None])[..., 0],
        "body_angle": swing,
        "energy_residual": 0.0 * TIME,
        "work_input": 100.0 * TIME,
        "work_friction": 100.0 * TIME,
    }
    if any(wheel.shaft is not None for wheel in drive.wheels):
        table |= {"wheel_tilt": np.zeros((rows, wheels, 2)), "tilting_moment": np.zeros((rows, wheels, 2))}
    attrs = describe(drive.to_toml(), {}, name=drive.name if name is None else name, formulation="roller")
    values = {key: np.array(values) for key, values in table.items() if key not in drop}
    return solution_of(drive, TIME, values, attrs | {"status": "REACHED_END"})
