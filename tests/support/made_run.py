"""A run made of formulas: the 6L60MC drive whose chain passes at a constant pace, every channel a known function.

Channels are chosen so that the results of the analyses are known in closed form.
"""

from __future__ import annotations

import numpy as np

from chaindrive import results
from chaindrive.analyses.results.loop import loop_zones
from chaindrive.formulations.link.variants import VARIANTS as LINKS
from chaindrive.formulations.planar.channels import Counts, channels
from chaindrive.formulations.roller.variants import VARIANTS as ROLLERS
from chaindrive.formulations.spatial.kernels import VARIANTS as SPATIAL
from chaindrive.model import example, override
from chaindrive.results import Solution
from chaindrive.results.layout import Layout

PACE = 120.0  # pitches per second: 60 teeth at 120 rpm
RATE = 1000.0
TIME = np.arange(0.0, 2.5 + 0.5 / RATE, 1.0 / RATE)


def solution_of(drive, time, table, attributes=None):
    """A Solution of arrays by channel name, with channels and labels as the formulation of the drive has them.

    Of formulations with rollers, rigid links or links in space. attributes: instead of those of a run that reached its
    end.
    """
    parts = {"wheel": drive.wheels, "guide": drive.guides, "body": drive.bodies, "tensioner": drive.tensioners}
    tilted = any(wheel.shaft is not None for wheel in drive.wheels)
    counts = Counts(drive.chain.links, drive.chain.joints, len(drive.span_names), *map(len, parts.values()), 0, tilted)
    variants = {"roller": ROLLERS, "link": LINKS, "spatial": SPATIAL}[drive.run.formulation.kind]
    known = {c.name: c for c in channels(variants.supported.groups, counts)}
    made, offset = [], 0
    for name, values in table.items():
        assert np.shape(values) == (len(time), *known[name].shape), name
        made.append(known[name]._replace(offset=offset))
        offset += made[-1].size
    if attributes is None:
        attributes = results.describe(drive.to_toml(), {}, name=drive.name) | {"status": "REACHED_END"}
    labels = {dim: tuple(each.name for each in found) for dim, found in parts.items() if found}
    labels |= {"span": drive.span_names, "axis": ("x", "y")}
    return Solution.from_memory(Layout(tuple(made), labels), time, table, attributes)


def changed(solution, changes, drop=(), **attributes):
    """The same channels, except for those that are dropped, for a drive that is changed."""
    drive = override(solution.drive, changes)
    kept = [channel for name, channel in solution.channels.items() if name not in drop]
    offset, made = 0, []
    for channel in kept:
        made.append(channel._replace(offset=offset))
        offset += channel.size
    table = {channel.name: solution.values(channel.name) for channel in kept}
    attrs = {**solution.attrs, "drive": drive.to_toml(), **attributes}
    return Solution.from_memory(Layout(tuple(made), solution.labels), solution.time, table, attrs)


def made_run(drop=()):
    """The run; ``drop``: names of channels that it did not keep."""
    drive = example("6l60mc")
    links, wheels = drive.chain.links, drive.wheels
    teeth = np.array([wheel.teeth for wheel in wheels])
    rows = TIME.size
    place = (np.arange(links) + 0.5 + PACE * TIME[:, None]) % links
    sign = np.array([1.0, -1.0, 1.0, 1.0])
    angle = sign * 2.0 * np.pi * PACE / teeth * TIME[:, None]
    table = {
        # by place, and 100 N more on every tenth link
        "link_tension": 19e3 + 4e3 * np.sin(2 * np.pi * place / links) + 100.0 * (np.arange(links) % 10 == 0),
        "link_path_position": place,
        "wheel_angle": angle,
        "wheel_speed": np.broadcast_to(sign * 2.0 * np.pi * PACE / teeth, (rows, 4)).copy(),
        "roller_position": np.zeros((rows, links, 2)),
        "contact_force": np.zeros((rows, links)),
        "contact_surface": np.full((rows, links), -1.0),
        # a force that turns in a circle of 300 N about a mean of 5 kN at 3/4/5
        "bearing_force": np.stack(
            [
                3e3 + 300.0 * np.cos(2 * np.pi * 2.0 * TIME[:, None] + np.arange(4)),
                4e3 + 300.0 * np.sin(2 * np.pi * 2.0 * TIME[:, None] + np.arange(4)),
            ],
            axis=-1,
        ),
        "span_tension": np.broadcast_to(np.array([19e3, 18e3, 18.5e3, 20e3]), (rows, 4)).copy(),
        "span_displacement": 1e-3 * np.sin(2 * np.pi * 5.0 * TIME[:, None] * np.ones(4)),
        "wheel_torque": np.zeros((rows, 4)),
        "work_input": 2000.0 * TIME,
        "work_output": 1500.0 * TIME,
        "work_link_damping": 1.0 * TIME,
        "work_articulation": 300.0 * TIME,
        # every revolution (0.5 s) an impact of 40 J at its middle, between two stored instants
        "work_contact": 40.0 * np.floor(TIME / 0.5 + 0.5),
        "work_friction": 119.0 * TIME,
        "work_bearing": 0.0 * TIME,
        "energy_kinetic": 1e5 + 0.0 * TIME,
        "energy_elastic": 50.0 + 0.0 * TIME,
        "energy_gravity": -3e4 + 0.0 * TIME,
        "energy_residual": 0.0 * TIME,
    }
    run = solution_of(drive, TIME, {name: v for name, v in table.items() if name not in drop})
    if "contact_surface" not in drop:  # rollers on wheels where the zones say so, at 2500 N
        roller = (place - 0.5) % links
        for zone in loop_zones(run):
            if zone.kind == "wheel":
                on = ((roller - zone.start) % links) <= zone.end - zone.start
                table["contact_surface"][on] = zone.index
                table["contact_force"][on] = 2500.0
    return run
