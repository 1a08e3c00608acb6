"""Geometric data of a drawing of a drive: outlines of the wheels, rollers, spans and mechanism."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.drawing.links import LinksView, links_view
from chaindrive.drawing.mechanism import BodyView, GuideView, TensionerView, mechanism_views, poses_of
from chaindrive.geometry.pitch_line import OvalWheel, PitchPolygon
from chaindrive.geometry.profile import Profile, outline
from chaindrive.geometry.route import Route
from chaindrive.mechanism.facts import drive_facts, moved_route
from chaindrive.mechanism.layout import initial_configuration
from chaindrive.mechanism.teeth import tooth_gaps
from chaindrive.mechanism.variator import placed_chain

__all__ = ["Scene", "scene_of", "wheel_outline"]

FloatArray = NDArray[np.float64]


class Scene(NamedTuple):
    """A drive at one instant. W wheels, N rollers; lengths in m."""

    names: tuple[str, ...]
    teeth: tuple[float, ...]
    """Number of teeth of every wheel. For a pair of sheaves it is the number of pitches around it, not a whole number.
    """
    route: Route
    outlines: tuple[FloatArray, ...]
    """Closed tooth outline of every wheel, at its present position."""
    rollers: FloatArray
    """Centres, shape (N, 2)."""
    roller_diameter: float
    pitch: float
    sense: int
    """+1 if the chain runs in the listed order of the wheels, -1 if it runs the other way."""
    speeds: tuple[float | None, ...]
    """Prescribed speed of every wheel [rad/s], the higher one if it changes between two speeds; None if no motion is
    prescribed."""
    drives: tuple[bool, ...]
    """Whether a wheel drives the others: its motion is prescribed, or its torque drives them."""
    gravity: tuple[float, float]
    guides: tuple[GuideView, ...] = ()
    bodies: tuple[BodyView, ...] = ()
    tensioners: tuple[TensionerView, ...] = ()
    wheel_angles: tuple[float, ...] = ()
    """Direction of the centre line of gap 0 of every wheel. [rad]"""
    pitch_polygons: Mapping[int, FloatArray] = MappingProxyType({})
    """Closed pitch polygon of each oval sprocket at this instant, (z + 1, 2) [m], with the index of the wheel as key.
    """
    links: LinksView | None = None
    """Rigid links, if the formulation has them."""
    anchored: FloatArray = np.zeros((0, 2))
    """Anchored ends of an open chain, shape (A, 2). [m]"""
    loads: FloatArray = np.zeros((0, 2))
    """Loaded free ends of an open chain, shape (F, 2). [m]"""
    variator: bool = False
    """Whether the drive has pairs of sheaves instead of wheels."""

    @property
    def link_ends(self) -> FloatArray:
        """Both joints of every link, shape (links, 2, 2). [m]"""
        ends = np.stack([self.rollers, np.roll(self.rollers, -1, axis=0)], axis=1)
        return ends if self.route.closed else ends[:-1]

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of everything drawn."""
        points = np.concatenate(
            [
                *self.outlines,
                self.rollers[np.isfinite(self.rollers).all(axis=1)],
                *(guide.strip for guide in self.guides),
                *(np.concatenate([[b.place, b.centre], b.points]) for b in self.bodies),
                *(tensioner.ends for tensioner in self.tensioners),
            ]
        )
        (left, bottom), (right, top) = points.min(axis=0), points.max(axis=0)
        return float(left), float(right), float(bottom), float(top)


def _pitch_polygon(oval: OvalWheel, way: Route, angles: FloatArray) -> dict[int, FloatArray]:
    w = oval.wheel
    corners = way.centres[w] + oval._replace(angle=float(angles[w])).corners
    return {w: np.concatenate([corners, corners[:1]])}


def _speed(wheel: Any) -> float | None:
    if wheel.motion is None:
        return None
    speed = getattr(wheel.motion, "running_speed", None)
    return float(wheel.motion.speed if speed is None else speed)


def wheel_outline(
    gap: Profile,
    teeth: float,
    angle: float,
    points: int = 25,
    centre: ArrayLike = (0.0, 0.0),
    polygon: PitchPolygon | None = None,
) -> FloatArray:
    """Return the closed outline of a wheel: its tooth gap, repeated for every tooth, shape (teeth points + 1, 2) [m].

    The outline of a pair of sheaves is repeated once for every pitch around it, with the number rounded up. angle:
    direction of the centre line of gap 0 [rad]; points: number of points per gap; centre: position of the wheel [m];
    polygon: pitch polygon of an oval sprocket, for which ``angle`` is the direction of its angle 0.
    """
    line = outline(gap, points)
    pieces = math.ceil(teeth)
    turned = 2.0 * np.pi * np.arange(pieces) / pieces if polygon is None else polygon.direction
    origin = np.zeros((pieces, 2)) if polygon is None else polygon.origins
    direction = angle + turned
    cosine, sine = np.cos(direction)[:, None], np.sin(direction)[:, None]
    c, s = math.cos(angle), math.sin(angle)
    x = line[:, 1] * cosine - line[:, 0] * sine + (c * origin[:, :1] - s * origin[:, 1:])
    y = line[:, 1] * sine + line[:, 0] * cosine + (s * origin[:, :1] + c * origin[:, 1:])
    closed = np.stack([x.ravel(), y.ravel()], axis=1) + np.asarray(centre)
    return np.concatenate([closed, closed[:1]])


def scene_of(
    drive: Any,
    rollers: ArrayLike | None = None,
    wheel_angles: ArrayLike | None = None,
    wheel_positions: ArrayLike | None = None,
    body_positions: ArrayLike | None = None,
    body_angles: ArrayLike | None = None,
    link_angles: ArrayLike | None = None,
) -> Scene:
    """Return the scene of a drive, with its chain placed on its route, or at an instant of a run.

    rollers: shape (N, 2) [m]; wheel_angles: shape (W,) [rad]; wheel_positions: shape (W, 2) [m]; body_positions: of the
    centres of mass, shape (B, 2) [m]; body_angles: shape (B,) [rad]; link_angles: of rigid links, shape (N,) [rad].
    Omitted arguments have their values in the reference configuration. Raises InputError if the chain cannot be placed,
    or if a tooth or a guide cannot be constructed.
    """
    chain = drive.chain
    teeth = tuple(wheel.teeth for wheel in drive.wheels)
    facts = drive_facts(drive)
    drawn = facts.route
    way = drawn if wheel_positions is None else moved_route(drive, wheel_positions)
    if drive.sheaves:
        rollers = placed_chain(drive)[0] if rollers is None else rollers
        wheel_angles = np.zeros(len(teeth)) if wheel_angles is None else wheel_angles
    elif rollers is None or wheel_angles is None:
        placed = initial_configuration(drive, centres=way.centres)
        rollers, wheel_angles = placed.roller_position, placed.wheel_angle
    angles = np.asarray(wheel_angles, dtype=np.float64)
    wheels = zip(tooth_gaps(drive), teeth, angles, way.centres, strict=True)
    guides, bodies, tensioners = mechanism_views(drive, drawn, poses_of(drive, body_positions, body_angles))
    ends = list(zip(chain.ends or (), (0, -1), strict=False))
    places = np.asarray(rollers, dtype=np.float64)
    return Scene(
        names=tuple(wheel.name for wheel in drive.wheels),
        teeth=teeth,
        route=way,
        outlines=tuple(
            wheel_outline(gap, z, float(angle), centre=centre, polygon=facts.polygon_of(w))
            for w, (gap, z, angle, centre) in enumerate(wheels)
        ),
        rollers=np.asarray(rollers, dtype=np.float64),
        roller_diameter=chain.roller_diameter,
        pitch=chain.pitch,
        sense=facts.direction,
        speeds=tuple(_speed(wheel) for wheel in drive.wheels),
        drives=tuple(wheel.motion is not None or w == facts.driver for w, wheel in enumerate(drive.wheels)),
        gravity=tuple(drive.gravity),
        guides=guides,
        bodies=bodies,
        tensioners=tensioners,
        wheel_angles=tuple(angles.tolist()),
        pitch_polygons={} if facts.oval is None else _pitch_polygon(facts.oval, way, angles),
        links=links_view(drive, rollers, link_angles),
        anchored=places[[at for end, at in ends if end.kind != "free"]],
        variator=bool(drive.sheaves),
        loads=places[[at for end, at in ends if end.kind == "free" and end.mass > 0.0]],
    )
