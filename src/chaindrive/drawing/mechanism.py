"""Guides, bodies and tensioners of a drive at an instant, as points to draw."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.geometry.guide import middle, outline
from chaindrive.geometry.route import Route
from chaindrive.mechanism.rails import guide_profile

__all__ = ["BodyView", "GuideView", "Poses", "TensionerView", "mechanism_views", "poses_of"]

FloatArray = NDArray[np.float64]

_STRIP = 0.35  # thickness of the strip behind the surface of a guide, in pitches


class Poses(NamedTuple):
    """Positions of the bodies: the centre of mass in the reference configuration, its present position [m], and the
    angle [rad].
    """

    drawing: FloatArray
    now: FloatArray
    angle: FloatArray

    def to(self, body: int, points: ArrayLike) -> FloatArray:
        """Return the present positions of points of a body, given in the reference configuration [m]; body -1 is the
        ground.
        """
        given = np.asarray(points, dtype=np.float64)
        if body < 0:
            return given
        c, s = math.cos(self.angle[body]), math.sin(self.angle[body])
        turn = np.array([[c, s], [-s, c]])
        return np.asarray((given - self.drawing[body]) @ turn + self.now[body], dtype=np.float64)


class GuideView(NamedTuple):
    """The surface of a guide and the strip behind it, of shape (n, 2) each, and the middle of the strip. [m]"""

    name: str
    surface: FloatArray
    strip: FloatArray
    centre: FloatArray


class BodyView(NamedTuple):
    """A body: its joint, its centre of mass, and the positions of the parts it carries. [m]"""

    name: str
    joint: str
    place: FloatArray
    direction: FloatArray
    """Unit vector along a prismatic joint."""
    on_ground: bool
    """Whether the joint is fixed to the ground."""
    centre: FloatArray
    points: FloatArray

    @property
    def support(self) -> FloatArray:
        """Unit vector from the joint to its support: away from the body, or downwards for a body without extent."""
        away = self.place - np.concatenate([[self.centre], self.points]).mean(axis=0)
        length = float(np.hypot(*away))
        return away / length if length > 1e-9 else np.array([0.0, -1.0])

    @property
    def bars(self) -> FloatArray:
        """Lines from the joint to the centre of mass and to the parts that the body carries, shape (k, 2, 2)."""
        ends = np.concatenate([[self.centre], self.points])
        bars = np.stack([np.broadcast_to(self.place, ends.shape), ends], axis=1)
        return bars[np.hypot(*(ends - self.place).T) > 1e-9]


class TensionerView(NamedTuple):
    """A force element between two points, shape (2, 2) [m], and whether each of them is on the ground."""

    name: str
    kind: str
    ends: FloatArray
    on_ground: tuple[bool, bool]

    @property
    def along(self) -> FloatArray:
        """Unit vector from the first end to the last; upwards if the length is zero."""
        way = self.ends[1] - self.ends[0]
        length = float(np.hypot(*way))
        return way / length if length > 0.0 else np.array([0.0, 1.0])


def _centre(body: Any) -> Any:
    """Return the centre of mass in the reference configuration or, if it is not given, the point of the joint, as in a
    run.
    """
    if body.centre_of_mass is not None:
        return body.centre_of_mass
    return getattr(body.joint, "position", (0.0, 0.0))


def poses_of(drive: Any, positions: ArrayLike | None = None, angles: ArrayLike | None = None) -> Poses:
    """Return the poses of the bodies of a drive: in the reference configuration, or at given positions.

    positions: of the centres of mass, (B, 2) [m]; angles: (B,) [rad].
    """
    drawing = np.array([_centre(body) for body in drive.bodies], dtype=np.float64).reshape(-1, 2)
    now = drawing if positions is None else np.asarray(positions, dtype=np.float64).reshape(-1, 2)
    turned = np.zeros(len(drawing)) if angles is None else np.asarray(angles, dtype=np.float64)
    return Poses(drawing, now, turned)


def mechanism_views(
    drive: Any, way: Route, poses: Poses
) -> tuple[tuple[GuideView, ...], tuple[BodyView, ...], tuple[TensionerView, ...]]:
    """Return views of the guides, bodies and tensioners of a drive.

    way: the route in the reference configuration. Raises InputError if a guide cannot be constructed.
    """
    number = {"ground": -1} | {body.name: index for index, body in enumerate(drive.bodies)}
    guides = tuple(_guide_view(drive, index, way, poses, number) for index in range(len(drive.guides)))
    bodies = tuple(_body_view(drive, index, guides, poses) for index in range(len(drive.bodies)))
    tensioners = []
    for t in drive.tensioners:
        ends = [poses.to(number[t.from_body], t.from_position), poses.to(number[t.to_body], t.to_position)]
        on_ground = (t.from_body == "ground", t.to_body == "ground")
        tensioners.append(TensionerView(t.name, t.kind, np.stack(ends), on_ground))
    return guides, bodies, tuple(tensioners)


def _guide_view(drive: Any, index: int, way: Route, poses: Poses, number: dict[str, int]) -> GuideView:
    guide, chain = drive.guides[index], drive.chain
    profile = guide_profile(guide, way, 0.5 * chain.roller_diameter, index)
    surface = outline(profile)
    back = []
    for element in profile:
        # thinner than the radius of a bulging arc, so that the back of the strip does not cross itself
        depth = min(_STRIP * chain.pitch, 0.8 / element.curvature if element.curvature > 0.0 else math.inf)
        for fraction in np.linspace(0.0, 1.0, 9):
            (x, y), (tx, ty) = element.at(float(fraction))
            back.append((x + depth * ty, y - depth * tx))
    (x, y), (tx, ty) = middle(profile)
    depth = 0.5 * _STRIP * chain.pitch
    views = (surface, np.concatenate([surface, np.array(back[::-1])]), np.array([x + depth * ty, y - depth * tx]))
    surface, strip, centre = (poses.to(number[guide.body], points) for points in views)
    return GuideView(guide.name, surface, strip, centre)


def _supported_places(drive: Any, name: str) -> list[Any]:
    """Return the drawn positions of the wheels, tensioners and joints of other bodies carried by a body, but not its
    guides.
    """
    found = [wheel.position for wheel in drive.wheels if wheel.body == name]
    found += [t.from_position for t in drive.tensioners if t.from_body == name]
    found += [t.to_position for t in drive.tensioners if t.to_body == name]
    children = [body for body in drive.bodies if body.parent == name]
    return found + [place for place in map(_place, children) if place is not None]


def _place(body: Any) -> Any:
    """Return the position at which the joint of a body is drawn.

    It is the point of the joint, or the centre of mass of a body that slides or is fixed; None if neither is known.
    """
    return body.joint.position if body.joint.kind == "revolute" else body.centre_of_mass


def _body_view(drive: Any, index: int, guides: tuple[GuideView, ...], poses: Poses) -> BodyView:
    """Return the view of a body. One without a known position is drawn in the middle of the parts it carries."""
    body = drive.bodies[index]
    points = poses.to(index, np.array(_supported_places(drive, body.name), dtype=np.float64).reshape(-1, 2))
    supported = [view.centre for guide, view in zip(drive.guides, guides, strict=True) if guide.body == body.name]
    points = np.concatenate([points, np.array(supported).reshape(-1, 2)])
    known = _place(body) is not None or not len(points)
    centre = poses.to(index, _centre(body)) if known else points.mean(axis=0)
    place = poses.to(index, body.joint.position) if body.joint.kind == "revolute" else centre
    angle = float(getattr(body.joint, "direction", 0.0)) + float(poses.angle[index])
    along = np.array([math.cos(angle), math.sin(angle)])
    return BodyView(body.name, body.joint.kind, place, along, body.parent == "ground", centre, points)
