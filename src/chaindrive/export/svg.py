"""A drawing of a drive to scale as SVG in millimetres, with one group per kind of part.

Tooth forms and guides are true arcs and lines.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from math import cos, pi, sin
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

from chaindrive.drawing.contours import around, moved, wheel_contour
from chaindrive.drawing.labels import LABEL_POINTS, Label, place_labels
from chaindrive.drawing.links import LinksView
from chaindrive.drawing.scene import Scene, scene_of
from chaindrive.drawing.symbols import PISTON, tensioner_lines
from chaindrive.export.target import check_export, maker, writing
from chaindrive.geometry.profile import Arc, Element
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.rails import guide_profile
from chaindrive.mechanism.teeth import tooth_gap

__all__ = ["drive_svg", "write_svg"]

FloatArray = NDArray[np.float64]

_INK, _STEEL, _FACE, _LINK, _ROLLER = "#22303C", "#5B6770", "#EDF1F4", "#0B4F6C", "#BCD3DF"
_RAIL, _RAIL_EDGE, _BODY, _PITCH_LINE = "#DCC08A", "#7A5A1E", "#7D70A8", "#8A949C"
_LONGEST, _LONGEST_INLINE = 8.8, 6.6
"""Size of the longer side of the drive in the figure in which labels are placed [inches]; it determines the size of the
labels. On a page the drawing is smaller, with legible labels."""
_PIXELS = 92
"""Pixels per inch of that figure for a drawing on a page."""
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot contain, not even escaped."""


def write_svg(drive: Any, path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Write a drive to scale as an SVG file: 1 mm in the drawing is 1 mm of the drive.

    Raises InputError if the chain cannot be placed, a guide cannot be constructed, or a file from another program
    exists (unless ``overwrite``); ComputationError if the disk is full.
    """
    target = check_export(path, overwrite=overwrite, wanted="a drawing such as drive.svg")
    text = drive_svg(drive)
    with writing(target) as part:
        part.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n', encoding="utf-8", newline="\n")


def drive_svg(drive: Any, full_size: bool = True) -> str:
    """Return a drive as the text of an SVG element, in millimetres.

    The chain is placed on its route. Groups: wheels (one for each, with its name as title), pitch-circles, guides,
    chain (links and rollers), bodies, tensioners, names. full_size: give the width and height in mm; otherwise the
    width [pixels] is chosen so that names are legible on a page. Raises InputError if the chain cannot be placed or a
    guide cannot be constructed.
    """
    return ET.tostring(_Svg(drive, scene_of(drive), full_size).root(), encoding="unicode")


class _Svg:
    """Builds the picture from data in m, with y upwards."""

    def __init__(self, drive: Any, scene: Scene, full_size: bool) -> None:
        self.drive, self.scene, self.full_size = drive, scene, full_size
        left, right, bottom, top = scene.extent
        self.scale = (_LONGEST if full_size else _LONGEST_INLINE) / max(right - left, top - bottom)
        self.thin = 0.7 / 72.0 / self.scale * 1e3
        """Width [mm] of a line that is 0.7 points wide in the figure."""

    def root(self) -> ET.Element:
        labels = place_labels(self.scene, self.scale, details=True)
        left, right, bottom, top = self._limits(labels)
        box = (left * 1e3, -top * 1e3, (right - left) * 1e3, (top - bottom) * 1e3)
        size = {"width": f"{box[2]:.6g}mm", "height": f"{box[3]:.6g}mm"}
        if not self.full_size:
            size = {"width": f"{1e-3 * box[2] * self.scale * _PIXELS:.0f}", "role": "img"}
        root = ET.Element(
            "svg",
            {"xmlns": "http://www.w3.org/2000/svg", **size},
            viewBox=" ".join(f"{value:.6g}" for value in box),
        )
        root.set("font-family", "sans-serif")
        root.set("stroke-linejoin", "round")
        _text(root, "title", self.drive.name)
        _text(root, "desc", f"{maker()}; 1 unit is 1 mm")
        self._wheels(root)
        self._guides(root)
        self._chain(root)
        self._bodies(root)
        self._tensioners(root)
        self._names(root, labels)
        return root

    def _limits(self, labels: Sequence[Label]) -> tuple[float, float, float, float]:
        left, right, bottom, top = self.scene.extent
        boxes = np.array([label.box(self.scale) for label in labels])
        margin = 0.1 / self.scale
        low, high = boxes.min(axis=0), boxes.max(axis=0)
        return (
            min(left, low[0]) - margin,
            max(right, high[1]) + margin,
            min(bottom, low[2]) - margin,
            max(top, high[3]) + margin,
        )

    def _group(self, parent: ET.Element, name: str, title: str, **style: Any) -> ET.Element:
        attributes = {key.replace("_", "-"): _number(value) for key, value in style.items()}
        group = ET.SubElement(parent, "g", {"id": name, **attributes})
        _text(group, "title", title)
        return group

    def _wheels(self, root: ET.Element) -> None:
        style = {"fill": _FACE, "stroke": _STEEL, "stroke_width": self.thin}
        wheels = self._group(root, "wheels", "wheels", **style)
        dashes = " ".join(_number(self.thin * k) for k in (9, 3, 2, 3))
        circles = self._group(
            root, "pitch-circles", "pitch circles", fill="none", stroke=_PITCH_LINE, stroke_width=0.8 * self.thin,
            stroke_dasharray=dashes,
        )  # fmt: skip
        way = self.scene.route
        for w, wheel in enumerate(self.drive.wheels):
            x, y = (float(value) for value in way.centres[w])
            radius, angle = float(way.radii[w]), self.scene.wheel_angles[w]
            group = self._group(wheels, f"wheel-{w}", f"{wheel.name}, {around(self.drive, w)}")
            still = wheel_contour(tooth_gap(self.drive, w), wheel.teeth, drive_facts(self.drive).polygon_of(w))
            contour = [moved(element, angle, (x, y)) for element in still]
            ET.SubElement(group, "path", d=_path(contour, closed=True))
            self._circle(group, (x, y), 0.05 * radius)
            arm = 0.09 * radius
            self._line(group, [(x - arm, y), (x + arm, y)])
            self._line(group, [(x, y - arm), (x, y + arm)])
            if w in self.scene.pitch_polygons:
                self._line(circles, self.scene.pitch_polygons[w])
            else:
                self._circle(circles, (x, y), radius)

    def _guides(self, root: ET.Element) -> None:
        if not self.scene.guides:
            return
        guides = self._group(root, "guides", "guides", stroke=_RAIL_EDGE, stroke_width=self.thin)
        for number, (guide, view) in enumerate(zip(self.drive.guides, self.scene.guides, strict=True)):
            group = self._group(guides, f"guide-{number}", guide.name)
            self._line(group, view.strip, fill=_RAIL, stroke="none")
            profile = guide_profile(guide, self.scene.route, 0.5 * self.scene.roller_diameter, number)
            ET.SubElement(group, "path", {"d": _path(profile), "fill": "none", "stroke-width": _number(2 * self.thin)})

    def _chain(self, root: ET.Element) -> None:
        chain = self._group(root, "chain", "chain", stroke=_LINK, stroke_width=1.4 * self.thin)
        if self.scene.links is None:
            line = self._group(chain, "links", "links", fill="none")
            closing = self.scene.rollers[: 1 if self.scene.route.closed else 0]
            self._line(line, np.concatenate([self.scene.rollers, closing]))
        rollers = self._group(
            chain, "rollers", "pins" if self.drive.sheaves else "rollers", fill=_ROLLER, stroke_width=0.7 * self.thin
        )
        for point in self.scene.rollers:
            self._circle(rollers, point, 0.5 * self.scene.roller_diameter)
        if self.scene.links is not None:
            self._plates(chain, self.scene.links)

    def _plates(self, chain: ET.Element, links: LinksView) -> None:
        style = {"fill": _ROLLER, "fill_opacity": 0.5, "stroke_width": 0.7 * self.thin}
        for first, name in enumerate(("inner", "outer")):
            plates = self._group(chain, f"{name}-plates", f"{name} plates", **style)
            for i in range(first, len(links.angles), 2):
                ET.SubElement(plates, "path", d=_path(links.contour(i), closed=True))
        pins = self._group(chain, "pins", "pins", fill="white", stroke_width=0.7 * self.thin)
        for point in links.pins:
            self._circle(pins, point, links.sizes.pin)

    def _bodies(self, root: ET.Element) -> None:
        if not self.scene.bodies:
            return
        style = {"fill": "white", "stroke": _BODY, "stroke_linecap": "round"}
        bodies = self._group(root, "bodies", "bodies", **style)
        for number, body in enumerate(self.scene.bodies):
            group = self._group(bodies, f"body-{number}", f"{body.name}, {body.joint} joint")
            bars = self._group(group, f"body-{number}-bars", body.name, stroke_width=6 * self.thin, stroke_opacity=0.6)
            for bar in body.bars:
                self._line(bars, bar)
            size = 5.0 * self.thin * 1e-3
            joint = self._group(group, f"body-{number}-joint", f"joint of {body.name}", stroke=_INK)
            joint.set("stroke-width", _number(1.4 * self.thin))
            if body.joint == "revolute":
                self._circle(joint, body.place, size)
            else:
                along, across = body.direction, np.array([-body.direction[1], body.direction[0]])
                corners = [(2, 1), (-2, 1), (-2, -1), (2, -1), (2, 1)]
                self._line(joint, [body.place + size * (a * along + b * across) for a, b in corners], fill="white")
            self._circle(joint, body.centre, 0.5 * size, fill=_INK)

    def _tensioners(self, root: ET.Element) -> None:
        if not self.scene.tensioners:
            return
        style = {"fill": "none", "stroke": _INK, "stroke_width": 1.6 * self.thin, "stroke_linecap": "round"}
        tensioners = self._group(root, "tensioners", "tensioners", **style)
        for number, tensioner in enumerate(self.scene.tensioners):
            group = self._group(tensioners, f"tensioner-{number}", tensioner.name)
            for k, points in enumerate(tensioner_lines(tensioner, 9.0 * self.thin * 1e-3)):
                thick = {"stroke-width": _number(3.5 * self.thin)} if len(points) == 2 and k == PISTON else {}
                self._line(group, points, **thick)

    def _names(self, root: ET.Element, labels: Sequence[Label]) -> None:
        size = LABEL_POINTS / 72.0 / self.scale * 1e3
        names = self._group(root, "names", "names", fill=_INK, font_size=size)
        anchors = {"left": "start", "center": "middle", "right": "end"}
        for label in labels:
            x, y = 1e3 * (label.point + label.offset / self.scale)
            lines = label.text.split("\n")
            height = 1.25 * size
            first = {"top": 0.0, "center": 0.5, "bottom": 1.0}[label.vertical]
            top = -float(y) - first * height * len(lines)
            group = ET.SubElement(names, "text", {"text-anchor": anchors[label.horizontal]})
            for k, line in enumerate(lines):
                place = {"x": _number(float(x)), "y": _number(top + (k + 0.8) * height)}
                _text(group, "tspan", line, **place)

    def _circle(self, parent: ET.Element, centre: Sequence[float] | FloatArray, radius: float, **style: str) -> None:
        x, y = (_number(value) for value in _at(centre))
        ET.SubElement(parent, "circle", {"cx": x, "cy": y, "r": _number(1e3 * radius), **style})

    def _line(self, parent: ET.Element, points: Iterable[Any], **style: str) -> None:
        text = " ".join(",".join(map(_number, _at(point))) for point in points)
        ET.SubElement(parent, "polyline", {"points": text, **({"fill": "none"} | style)})


def _at(point: Sequence[float] | FloatArray) -> tuple[float, float]:
    """Return a position in the picture, in mm with y downwards."""
    return 1e3 * float(point[0]), -1e3 * float(point[1])


def _path(elements: Sequence[Element], closed: bool = False) -> str:
    """Return the SVG path of consecutive arcs and lines."""
    start, _ = elements[0].at(0.0)
    words = ["M", *map(_number, _at(start))]
    for element in elements:
        if isinstance(element, Arc):
            way = element.end_angle - element.start_angle
            (x, y), r, end = element.centre, element.radius, element.end_angle
            place = _at((x + r * cos(end), y + r * sin(end)))
            turned = "0" if way > 0.0 else "1"  # y points down: an arc that turns left here is drawn "negative"
            words += ["A", *[_number(1e3 * r)] * 2, "0", "1" if abs(way) > pi else "0", turned, *map(_number, place)]
        else:
            words += ["L", *map(_number, _at(element.end))]
    return " ".join([*words, "Z"] if closed else words)


def _number(value: Any) -> str:
    """Return a number rounded to a millionth of a millimetre, which is finer than any manufacturing tolerance."""
    if isinstance(value, str):
        return value
    return f"{float(value):.6f}".rstrip("0").rstrip(".")


def _text(parent: ET.Element, tag: str, text: str, **attributes: str) -> None:
    ET.SubElement(parent, tag, attributes).text = _NOT_XML.sub("\ufffd", text)
