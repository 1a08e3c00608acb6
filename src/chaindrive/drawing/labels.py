"""Placement of names in a drawing of a drive: beside the parts they name, covering as little as possible."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.drawing.scene import Scene

__all__ = ["LABEL_POINTS", "SYMBOL", "Label", "place_labels"]

LABEL_POINTS = 8.5
"""Font size. [points]"""
SYMBOL = 0.085
"""Half the width of the symbol of a support. [inches]"""


class Label(NamedTuple):
    """A text placed at an offset [inches] from a point."""

    text: str
    point: NDArray[np.float64]
    offset: NDArray[np.float64]
    horizontal: str
    vertical: str

    def box(self, scale: float) -> tuple[float, float, float, float]:
        """Return left, right, bottom and top of the text [m].

        scale: inches per metre.
        """
        lines = self.text.split("\n")
        width, height = max(map(len, lines)) * 0.57 * LABEL_POINTS / 72.0, len(lines) * 1.3 * LABEL_POINTS / 72.0
        x, y = self.point * scale + self.offset
        left = x - {"left": 0.0, "center": 0.5, "right": 1.0}[self.horizontal] * width
        bottom = y - {"bottom": 0.0, "center": 0.5, "top": 1.0}[self.vertical] * height
        return left / scale, (left + width) / scale, bottom / scale, (bottom + height) / scale


def place_labels(scene: Scene, scale: float, details: bool) -> list[Label]:
    """Return the labels of wheels and spans, each placed where it covers least of the wheels, the chain and earlier
    labels.

    scale: inches per metre of the drawing; details: also show numbers of teeth, speeds, wraps, spans, and the names of
    guides and bodies.
    """
    way = scene.route
    centred = list(zip(way.centres, scene.outlines, strict=True))
    faces = np.concatenate([np.zeros((0, 2)), *(c + f * (o - c) for c, o in centred for f in (0.25, 0.5, 0.7, 0.85))])
    between = scene.link_ends.mean(axis=1)
    lines = np.concatenate([*scene.outlines, scene.rollers, between, *_mechanism_points(scene, scale)])
    labels: list[Label] = []

    def place(among: list[Label], obstacles: NDArray[np.float64]) -> None:
        boxes = [label.box(scale) for label in labels]
        grids = [np.meshgrid(np.linspace(b[0], b[1], 12), np.linspace(b[2], b[3], 8)) for b in boxes]
        taken = np.concatenate([obstacles, *(np.stack([x.ravel(), y.ravel()], axis=1) for x, y in grids)])
        labels.append(min(among, key=lambda label: _covered(label.box(scale), taken, 0.05 / scale)))

    choices = [_wheel_choices(scene, w, scale, details) for w in range(len(scene.names))]
    if details:
        choices += [_span_choices(scene, k) for k in range(len(way.span_length))]
    for among in sorted(choices, key=len):  # those without a choice first
        place(among, np.concatenate([lines, faces]))
    for among in _part_choices(scene) if details else ():  # these may be on a wheel
        place(among, lines)
    return labels


def _span_choices(scene: Scene, k: int) -> list[Label]:
    """Return the possible labels of a span, with its number and length, at several positions on both sides of it.

    The first choice is outside the loop, at the middle of the span. Keys of a drive file identify a span by this
    number; the names of the wheels at its ends are shown there anyway.
    """
    route = scene.route
    length = float(route.span_length[k])
    shown = f"{length:.3f} m" if float(route.span_length.max()) >= 2.0 else f"{1e3 * length:.1f} mm"
    text = f"span {k}\n{shown}"
    ux, uy = route.span_direction[k]
    outward = -math.copysign(1.0, float(route.signs @ route.wrap)) * np.array([-uy, ux])
    choices = []
    for distance in (0.13, 0.3, 0.5):
        for fraction in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8):
            point = route.span_start[k] + fraction * (route.span_end[k] - route.span_start[k])
            level = np.array([math.copysign(1.0, outward[0]), 0.0])
            choices += [_beside(text, point, distance, way) for way in (outward, -outward, level, -level)]
    return choices


def _part_choices(scene: Scene) -> list[list[Label]]:
    """Return the possible labels of every guide, body and tensioner, beside several of its points in any direction."""
    choices = [_around(g.name, [g.centre], g.centre - g.surface[len(g.surface) // 2]) for g in scene.guides]
    for body in scene.bodies:
        choices.append(_around(body.name, [body.centre, *body.bars.mean(axis=1)], -body.support))
    for tensioner in scene.tensioners:
        first, last = tensioner.ends
        across = np.array([last[1] - first[1], first[0] - last[0]])
        choices.append(_around(tensioner.name, [first + f * (last - first) for f in (0.5, 0.3, 0.7)], across))
    return choices


def _around(name: str, places: list[NDArray[np.float64]], direction: NDArray[np.float64]) -> list[Label]:
    """Return labels with this name beside each of several points, in eight directions, the given direction first."""
    first = math.atan2(direction[1], direction[0])
    choices = []
    for distance in (0.18, 0.32):
        for turn in (0, 4, 1, -1, 2, -2, 3, -3):
            angle = first + turn * math.pi / 4.0
            away = np.array([math.cos(angle), math.sin(angle)])
            choices += [_beside(name, place, distance, away) for place in places]
    return choices


def _mechanism_points(scene: Scene, scale: float) -> list[NDArray[np.float64]]:
    """Return points along guides, bodies with their supports, and tensioners, which labels should not cover."""
    fractions = np.linspace(0.0, 1.0, 21)[:, None]
    found = [guide.strip for guide in scene.guides]
    for body in scene.bodies:
        symbol = 2.0 * SYMBOL / scale * (body.support if body.joint == "revolute" else body.direction)
        ends = [*body.bars, (body.place, body.place + symbol), (body.place, body.place - symbol)]
        found += [first + fractions * (last - first) for first, last in ends]
    return found + [t.ends[0] + fractions * (t.ends[1] - t.ends[0]) for t in scene.tensioners]


def _wheel_choices(scene: Scene, w: int, scale: float, details: bool) -> list[Label]:
    """Return the possible labels of a wheel with its name, teeth, speed and wrap.

    They are inside the wheel if they fit there and cover no part, otherwise anywhere around it.
    """
    name, centre, radius = scene.names[w], scene.route.centres[w], float(scene.route.radii[w])
    facts: list[str] = []
    if details:
        speed = scene.speeds[w]
        around = f"runs at {1e3 * radius:.4g} mm" if scene.variator else f"{scene.teeth[w]:g} teeth"
        facts.append(around + (f", {abs(speed) * 30.0 / math.pi:.4g} rpm" if speed else ""))
        facts.append(f"wrap {math.degrees(scene.route.wrap[w]):.1f}°")
    parts = np.concatenate([np.empty((0, 2)), *_mechanism_points(scene, scale)])
    taken = scene.route.one_centre[w, :w].any()  # by the label of an earlier wheel of the same centre
    for inside in () if taken else _inside_choices(scene, w, scale, facts):
        if not _covered(inside.box(scale), parts):
            return [inside]
    middle = scene.route.arrival_angle[w] + 0.5 * scene.route.signs[w] * scene.route.wrap[w]
    reach = radius + 0.5 * scene.roller_diameter + 0.3 * scene.pitch
    choices = []
    for turn in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, 8):
        angle = middle + turn * math.pi / 8.0
        away = np.array([math.cos(angle), math.sin(angle)])
        choices.append(_beside("\n".join([name, *facts]), centre + reach * away, 0.06, away))
    return choices


def _inside_choices(scene: Scene, w: int, scale: float, facts: list[str]) -> list[Label]:
    """Return the labels inside a wheel: below its centre, or above it where the arrow of rotation leaves room."""
    name, centre, radius = scene.names[w], scene.route.centres[w], float(scene.route.radii[w])
    choices = []
    for shift, vertical, widest in ((-0.13, "top", 0.85), (-0.25, "top", 0.85), (0.13, "bottom", 0.7)):
        for lines in ([name], name.rsplit(" ", 1)):
            offset = np.array([0.0, shift * radius * scale])
            label = Label("\n".join([*lines, *facts]), centre, offset, "center", vertical)
            left, right, bottom, top = label.box(scale)
            near, far = sorted((abs(centre[1] - top), abs(centre[1] - bottom)))
            half = 0.5 * (right - left)
            if math.hypot(half, near) < 0.8 * radius and math.hypot(0.7 * half, far) < widest * radius:
                choices.append(label)
    return choices


def _beside(text: str, point: NDArray[np.float64], distance: float, direction: NDArray[np.float64]) -> Label:
    """Return a label with this text at a distance [inches] from a point."""
    horizontal, vertical = _side(direction[0], "left", "right"), _side(direction[1], "bottom", "top")
    return Label(text, point, distance * direction, horizontal, vertical)


def _covered(box: tuple[float, float, float, float], points: NDArray[np.float64], margin: float = 0.0) -> int:
    """Return the number of points inside a box or closer to it than a margin [m]."""
    left, right, bottom, top = box
    x, y = points[:, 0], points[:, 1]
    across, upright = (x > left - margin) & (x < right + margin), (y > bottom - margin) & (y < top + margin)
    return int(np.count_nonzero(across & upright))


def _side(component: float, positive: str, negative: str) -> str:
    if abs(component) < 0.35:
        return "center"
    return positive if component > 0.0 else negative
