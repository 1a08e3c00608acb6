"""A made run of the 6L60MC with every channel that a figure draws, in closed form."""

import numpy as np

from chaindrive.drawing.scene import scene_of
from chaindrive.model import example
from support.made_run import solution_of

RATE = 500.0
TIME = np.arange(0.0, 2.0, 1.0 / RATE)
PACE = 120.0  # links per second: 60 teeth at 120 rpm


def plotted_run():
    drive, result = example("6l60mc"), {}
    scene = scene_of(drive)
    links, teeth = drive.chain.links, np.array(scene.teeth)
    wrapped = scene.route.wrap * teeth / (2 * np.pi)
    spans = scene.route.span_length / drive.chain.pitch

    def add(name, values):
        result[name] = np.array(np.broadcast_to(values, (TIME.size, *np.shape(values)[1:])))

    # Along the loop from where the chain leaves wheel 0: span 0, wheel 1, span 1 ... span 3, wheel 0.
    path = (np.arange(links) + PACE * TIME[:, None]) % links
    body = np.full(path.shape, -1.0)
    end = 0.0
    for k in range(4):
        begin, end = end + spans[k], end + spans[k] + wrapped[(k + 1) % 4]
        body[(path >= begin) & (path < end)] = (k + 1) % 4
    tension = 19e3 + 4e3 * np.sin(2 * np.pi * path / links)
    add("link_tension", tension)
    add("link_path_position", (path + 0.5) % links)
    add("roller_position", scene.rollers[None])
    add("contact_surface", body)
    add("contact_force", np.where(body >= 0, 2500.0 + 100.0 * body, 0.0))
    add("wheel_angle", scene.route.signs * 2 * np.pi * PACE / teeth * TIME[:, None])
    add("wheel_speed", scene.route.signs[None] * 2 * np.pi * PACE / teeth)
    add("wheel_torque", np.array([[400.0, -100.0, -100.0, -200.0]]) + 5.0 * np.sin(9.0 * TIME)[:, None])
    add("span_tension", np.array([[19e3, 18e3, 18.5e3, 20e3]]))
    waves = 3e-3 * np.sin(2 * np.pi * 5.0 * TIME) + 4e-4 * np.sin(2 * np.pi * 120.0 * TIME)
    add("span_displacement", np.stack([waves, 0.1 * waves, 0.2 * waves, 2.0 * waves], axis=1))
    turning = 300.0 * np.stack([np.cos(9.0 * TIME), np.sin(9.0 * TIME)], axis=1)
    add("bearing_force", np.array([3e3, 4e3]) + turning[:, None, :] * np.ones((1, 4, 1)))
    add("work_input", 2000.0 * TIME)
    add("work_contact", 1500.0 * TIME)
    add("work_friction", 400.0 * TIME)
    add("work_articulation", 0.0 * TIME)
    add("energy_kinetic", 1e5 + 100.0 * TIME)
    add("energy_elastic", 50.0 + 0.0 * TIME)
    add("energy_gravity", -3e4 + 0.0 * TIME)
    add("energy_residual", -1e-3 * TIME)
    return solution_of(drive, TIME, result)
