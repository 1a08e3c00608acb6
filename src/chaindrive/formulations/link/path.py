"""The links of a drive in path coordinates: the trajectory, and conversion of states to and from Cartesian coordinates.

The trajectory is that of the chain at the start: around the wheels in their positions at that time, and around the arcs
of guides on which the chain then lies. It does not move. Links that leave it, for example at a yielding tensioner, have
a transverse displacement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.errors import ComputationError, InputError
from chaindrive.formulations.link import parameters as L
from chaindrive.formulations.link.variants import PATH_VARIANTS
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.channels import channels, counts_of, row_of
from chaindrive.formulations.planar.parameters import FloatArray
from chaindrive.geometry import trajectory_kernels as K
from chaindrive.geometry.initial_configuration import InitialConfiguration
from chaindrive.geometry.kernels import distance
from chaindrive.geometry.route import Route, route
from chaindrive.geometry.trajectory import GuideArc, Trajectory, trajectory_of_fitting_arcs
from chaindrive.kernels.tables import blank

__all__ = ["along_the_path", "in_plane", "no_path"]

OFF_THE_PATH = replace(
    Status.NOT_A_NUMBER,
    advice="A link may have moved beyond the centre of curvature of a bend, where path coordinates fail: try "
    f"coordinates = 'cartesian'. {Status.NOT_A_NUMBER.advice}",
)


NEAR_A_GUIDE = 0.1
"""Largest distance from a guide, in pitches, at which a bush counts as lying on the guide at the start."""


FARTHEST = 2.0
"""Largest distance along the trajectory between a link and the position expected from the previous link. [pitches]"""


def no_path() -> L.Path:
    """Return an empty trajectory, for Cartesian coordinates."""
    none = np.zeros(0)
    return L.Path(np.zeros((0, K.COLUMNS)), none, np.zeros(0, dtype=np.int64), none, blank(L.Points, 0))


def along_the_path(configuration: InitialConfiguration, system: System) -> System:
    """Return the system as a run integrates it, with its links along the trajectory that the chain has at the start.

    configuration: the configuration in which the chain was placed. Raises ComputationError if there is no such
    trajectory, or if a link is too far from it.
    """
    p: L.Parameters = system.parameters
    system.kernels.rhs(0.0, system.state, p.planar.derivative, p)
    curve, left_out = _trajectory(configuration, p)
    n, layout = p.links, p.planar.layout
    rows, plane, point = np.zeros(n, dtype=np.int64), np.zeros(layout.size), blank(L.Points, n)
    path = L.Path(curve.table, np.zeros(n), rows, plane, point)
    state, rolling = _along(path, p.planar.pitch, layout.positions, system.state, system.motion.rolling)
    variant, counts = PATH_VARIANTS.of_drive(p.planar), counts_of(p.planar)
    p = p._replace(path=path, row=row_of(variant.groups, counts))
    running = replace(
        system,
        kernels=variant.kernels._replace(forces=None),
        parameters=p,
        state=state,
        channels=channels(variant.groups, counts),
        motion=replace(system.motion, rolling=rolling),
        rest=replace(system.rest, statics=None),
        story=replace(system.story, endings=(*system.story.endings, OFF_THE_PATH)),
    ).noted(_facts(curve, left_out, state[n : 2 * n], system.labels.get("guide", ())))
    running.kernels.begin(0.0, running.state, p)
    return running


def in_plane(p: L.Parameters, state: FloatArray) -> FloatArray:
    """Return a state with Cartesian coordinates of the links, whichever coordinates the parameters use."""
    if not p.path.table.size:
        return state
    found, n, v = state.copy(), p.links, p.planar.layout.positions
    for i in range(n):
        place, rates = slice(i, 3 * n, n), slice(v + i, v + 3 * n, n)
        s, beside, turn = state[place]
        at = K.trajectory_point(p.path.table, 0, s)
        found[place] = K.to_plane(p.path.table, 0, s, beside, turn + p.path.turned[i])[1:]
        found[rates] = K.velocity_to_plane(at, beside, *state[rates])
    return found


def _along(path: L.Path, pitch: float, v: int, state: FloatArray, rolling: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a state and its rolling velocities in path coordinates.

    v: index of the first velocity in the state.
    """
    n = path.turned.size
    state, rolling = state.copy(), rolling.copy()
    places = state[: 2 * n].reshape(2, n).T.copy()
    row, s, near = 0, 0.0, 0.0
    for i in range(n):
        place = slice(i, 3 * n, n)
        x, y, angle = state[place]
        if i == 0:
            row, s, beside, turn = K.find(path.table, x, y, angle)
            near = s
        else:
            near = s + float(np.hypot(*(places[i] - places[i - 1])))
            row, s, beside, turn = K.to_path(path.table, row, x, y, angle, near)
        if not abs(s - near) < FARTHEST * pitch:
            message = f"link {i} is too far from the trajectory of the chain, or beyond the centre of a bend, for path"
            raise ComputationError(f"{message} coordinates: use coordinates = 'cartesian'")
        at = K.trajectory_point(path.table, row, s)
        path.turned[i] = angle - at[3] - turn
        path.row[i] = row
        state[place] = s, beside, turn
        for rates in (state[v : v + 3 * n], rolling[: 3 * n]):
            rates[i::n] = K.velocity_to_path(at, beside, *rates[i::n])
    return state, rolling


def _facts(
    curve: Trajectory, left_out: Sequence[GuideArc], beside: FloatArray, guides: Sequence[str]
) -> dict[str, Any]:
    """Return notes on the trajectory, with the distance of links from it [m].

    guides: names of the guides.
    """
    arcs = Counter(guides[arc.guide] for arc in left_out)
    return {
        "trajectory_length": curve.length,
        "trajectory_residual": curve.residual,
        "trajectory_offset": float(np.abs(beside).max()),
        "trajectory_left_out": dict(arcs),
    }


def _trajectory(configuration: InitialConfiguration, p: L.Parameters) -> tuple[Trajectory, list[GuideArc]]:
    """Return the trajectory around wheels and guides in the last evaluation, and the arcs of guides that it omits."""
    planar, way = p.planar, configuration.route
    here = route(np.column_stack([planar.frame.x, planar.frame.y])[: planar.wheels], way.radii, way.signs)
    transition = min(planar.pitch, float(here.span_length.min()))
    try:
        return trajectory_of_fitting_arcs(here, transition, _arcs(here, p))
    except InputError as error:
        message = "the chain has no smooth trajectory for path coordinates; use coordinates = 'cartesian'"
        raise ComputationError(f"{message} ({error})") from error


def _arcs(way: Route, p: L.Parameters) -> list[list[GuideArc]]:
    """Return the arcs of guides on which the chain lies in the last evaluation, for each span in the order of the
    route.
    """
    found: list[dict[GuideArc, float]] = [{} for _ in way.radii]
    places = p.place.reshape(2, p.links).T
    ahead = np.roll(places, -1, axis=0) - places
    for surface in range(p.planar.wheels, p.planar.surfaces):
        for place, direction in zip(places, ahead, strict=True):
            arc = _arc_at(p.planar, surface, place, direction)
            if arc is not None:
                along = ((place - way.span_start) * way.span_direction).sum(axis=1)
                off = place - way.span_start - np.clip(along, 0.0, way.span_length)[:, None] * way.span_direction
                span = int(np.argmin(np.hypot(*off.T)))
                found[span].setdefault(arc, float(along[span]))
    return [sorted(arcs, key=arcs.__getitem__) for arcs in found]


def _arc_at(planar: P.PlanarParameters, surface: int, place: FloatArray, ahead: FloatArray) -> GuideArc | None:
    """Return the convex arc of a guide on which a bush at ``place`` lies while its link points ``ahead``, (2,) each
    [m].
    """
    frame = planar.frame
    x, y, c, s = frame.x[surface], frame.y[surface], frame.cos[surface], frame.sin[surface]
    to_ground = np.array([[c, -s], [s, c]])
    seen = (place - (x, y)) @ to_ground
    radius = float(planar.surface.radius[surface])
    first, end = planar.surface.profile[surface], planar.surface.profile_end[surface]
    for row in planar.guide_profile[first:end]:
        after_start, before_end = (seen - row[5:7]) @ row[7:9] >= 0.0, (seen - row[9:11]) @ row[11:13] <= 0.0
        if not (after_start and before_end and row[4] > 0.0):
            continue
        height, _, _ = distance(*(seen - row[:2]), *row[2:5])
        if abs(height - radius) < NEAR_A_GUIDE * planar.pitch:
            centre = to_ground @ (row[:2] - row[2:4] / row[4]) + (x, y)
            with_the_chain = (to_ground @ row[7:9]) @ ahead > 0.0
            turn = -1.0 if with_the_chain else 1.0
            return GuideArc(
                (float(centre[0]), float(centre[1])), 1.0 / float(row[4]) + radius, turn, surface - planar.wheels
            )
    return None
