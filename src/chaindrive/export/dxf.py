"""A drawing of a drive to scale as DXF (AutoCAD 2010), in millimetres and in layers.

Tooth forms and guides are true arcs and lines.
"""

from __future__ import annotations

import io
import os
import re
from math import degrees
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.drawing.contours import around, wheel_contour
from chaindrive.drawing.labels import LABEL_POINTS, place_labels
from chaindrive.drawing.scene import Scene, scene_of
from chaindrive.drawing.symbols import tensioner_lines
from chaindrive.export.optional import optional
from chaindrive.export.target import check_export, maker, writing
from chaindrive.geometry.profile import Arc, Element
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.rails import guide_profile
from chaindrive.mechanism.teeth import tooth_gap

__all__ = ["LAYERS", "write_dxf"]


class Layer(NamedTuple):
    """Appearance of a layer: colour number (7 is black on white and white on black), line type and line width."""

    colour: int
    line: str = "CONTINUOUS"
    width: int = 25
    """Line width. [hundredths of a mm]"""


LAYERS = {
    "wheels": Layer(7, width=35),
    "pitch circles": Layer(8, "CENTER", 13),
    "centre lines": Layer(8, "CONTINUOUS", 13),
    "route": Layer(9, "CENTER", 13),
    "links": Layer(5, width=18),
    "rollers": Layer(5, width=18),
    "plates": Layer(5, width=18),
    "pins": Layer(5, width=18),
    "guides": Layer(30, width=35),
    "guide backs": Layer(33, width=13),
    "bodies": Layer(6, width=35),
    "tensioners": Layer(3),
    "text": Layer(7, width=13),
}
"""Layers and their content. Plates and pins are for formulations with rigid links. The backs of guides show only on
which side of its surface a guide lies."""

_LONGEST = 8.8
"""Size of the longer side of the drive in the figure in which labels are placed [inches]; it determines the size of the
labels."""


def write_dxf(drive: Any, path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Write a drive to scale as a DXF file, in which 1 unit is 1 mm and wheels are blocks of arcs and lines about their
    centres.

    The chain is placed on its route. See ``LAYERS``. Raises InputError if the chain cannot be placed, a guide cannot
    be constructed, the library ezdxf is missing, or a file from another program exists (unless ``overwrite``);
    ComputationError if the disk is full.
    """
    target = check_export(path, overwrite=overwrite, wanted="a drawing such as drive.dxf")
    text = io.StringIO()
    _Dxf(drive, scene_of(drive)).document.write(text)
    head = f"999\n{maker()}\n"  # a comment, first of all
    with writing(target) as part:
        part.write_text(head + text.getvalue(), encoding="utf-8", newline="\n")


class _Dxf:
    """Builds the drawing from data in m."""

    def __init__(self, drive: Any, scene: Scene) -> None:
        ezdxf = optional("ezdxf", "ezdxf", "DXF drawings")
        self.drive, self.scene = drive, scene
        left, right, bottom, top = scene.extent
        self.scale = _LONGEST / max(right - left, top - bottom)
        """Inches of the figure per metre of the drive."""
        self.document = ezdxf.new("R2010", setup=["linetypes"], units=ezdxf.units.MM)
        self.document.header["$MEASUREMENT"] = 1
        self.document.header["$LWDISPLAY"] = 1
        self.document.header["$LTSCALE"] = max(right - left, top - bottom) * 1e3 / 1500.0
        self.document.header.custom_vars.append("Title", _line(drive.name))
        self.document.header.custom_vars.append("Program", maker())
        for name, layer in LAYERS.items():
            self.document.layers.add(name, color=layer.colour, linetype=layer.line, lineweight=layer.width)
        self.space = self.document.modelspace()
        self._wheels()
        self._route()
        self._guides()
        self._chain()
        self._mechanism()
        self._names()
        self._show_all()

    def _wheels(self) -> None:
        way = self.scene.route
        for w, wheel in enumerate(self.drive.wheels):
            block = self.document.blocks.new(f"WHEEL_{w}_{_block_name(wheel.name)}")
            block.block.dxf.description = _line(f"{wheel.name}, {around(self.drive, w)}")
            _draw(
                block,
                wheel_contour(tooth_gap(self.drive, w), wheel.teeth, drive_facts(self.drive).polygon_of(w)),
                "wheels",
            )
            (x, y), radius = _mm(way.centres[w]), 1e3 * float(way.radii[w])
            turn = degrees(self.scene.wheel_angles[w])
            self.space.add_blockref(block.name, (x, y), dxfattribs={"layer": "wheels", "rotation": turn})
            if w in self.scene.pitch_polygons:
                corners = [_mm(corner) for corner in self.scene.pitch_polygons[w]]
                self.space.add_lwpolyline(corners, dxfattribs={"layer": "pitch circles"})
            else:
                self.space.add_circle((x, y), radius, dxfattribs={"layer": "pitch circles"})
            for dx, dy in ((0.09 * radius, 0.0), (0.0, 0.09 * radius)):
                self.space.add_line((x - dx, y - dy), (x + dx, y + dy), dxfattribs={"layer": "centre lines"})

    def _route(self) -> None:
        """Draw the centre line of a taut chain.

        It consists of lines along the spans, arcs along the pitch circles, and the sides of the pitch polygon of an
        oval sprocket.
        """
        way = self.scene.route
        attributes = {"layer": "route"}
        for start, end in zip(way.span_start, way.span_end, strict=True):
            self.space.add_line(_mm(start), _mm(end), dxfattribs=attributes)
        for w, centre in enumerate(way.centres):
            if way.oval is not None and w == way.oval.wheel:
                corners = [_mm(corner) for corner in way.centres[w] + way.on_oval]
                self.space.add_lwpolyline(corners, dxfattribs=attributes)
                continue
            ends = (degrees(way.arrival_angle[w]), degrees(way.departure_angle[w]))
            first, last = ends if way.signs[w] > 0 else ends[::-1]
            self.space.add_arc(_mm(centre), 1e3 * float(way.radii[w]), first, last, dxfattribs=attributes)

    def _guides(self) -> None:
        for number, (guide, view) in enumerate(zip(self.drive.guides, self.scene.guides, strict=True)):
            profile = guide_profile(guide, self.scene.route, 0.5 * self.scene.roller_diameter, number)
            _draw(self.space, profile, "guides")
            back = view.strip[len(view.surface) - 1 :]
            points = [_mm(point) for point in [*back, view.surface[0]]]
            self.space.add_lwpolyline(points, dxfattribs={"layer": "guide backs"})

    def _chain(self) -> None:
        rollers = self.scene.rollers
        for first, last in self.scene.link_ends:
            self.space.add_line(_mm(first), _mm(last), dxfattribs={"layer": "links"})
        radius = 0.5e3 * self.scene.roller_diameter
        for point in rollers:
            self.space.add_circle(_mm(point), radius, dxfattribs={"layer": "rollers"})
        if (links := self.scene.links) is not None:
            for i in range(len(links.angles)):
                _draw(self.space, links.contour(i), "plates")
            for pin in links.pins:
                self.space.add_circle(_mm(pin), 1e3 * links.sizes.pin, dxfattribs={"layer": "pins"})

    def _mechanism(self) -> None:
        size = 0.06 / self.scale
        for body in self.scene.bodies:
            attributes = {"layer": "bodies"}
            for start, end in body.bars:
                self.space.add_line(_mm(start), _mm(end), dxfattribs=attributes)
            if body.joint == "revolute":
                self.space.add_circle(_mm(body.place), 1e3 * size, dxfattribs=attributes)
            else:
                along, across = body.direction, np.array([-body.direction[1], body.direction[0]])
                signs = ((2, 1), (-2, 1), (-2, -1), (2, -1))
                corners = [_mm(body.place + size * (a * along + b * across)) for a, b in signs]
                self.space.add_lwpolyline(corners, close=True, dxfattribs=attributes)
            self.space.add_point(_mm(body.centre), dxfattribs=attributes)
        for tensioner in self.scene.tensioners:
            for points in tensioner_lines(tensioner, 0.09 / self.scale):
                self.space.add_lwpolyline([_mm(point) for point in points], dxfattribs={"layer": "tensioners"})

    def _names(self) -> None:
        from ezdxf.enums import MTextEntityAlignment as Alignment

        height = 0.75 * LABEL_POINTS / 72.0 / self.scale * 1e3  # height of capitals, as in DXF
        for label in place_labels(self.scene, self.scale, details=True):
            place = label.point + label.offset / self.scale
            words = r"\P".join(_escaped(line) for line in label.text.split("\n"))
            text = self.space.add_mtext(words, dxfattribs={"layer": "text", "char_height": height})
            vertical = {"top": "TOP", "center": "MIDDLE", "bottom": "BOTTOM"}[label.vertical]
            text.set_location(_mm(place), attachment_point=Alignment[f"{vertical}_{label.horizontal.upper()}"])

    def _show_all(self) -> None:
        """Set the initial view of the file so that it shows everything."""
        left, right, bottom, top = (1e3 * value for value in self.scene.extent)
        wide, high = 1.3 * (right - left), 1.2 * (top - bottom)
        self.document.set_modelspace_vport(max(high, wide / 1.6), (0.5 * (left + right), 0.5 * (bottom + top)))


def _draw(layout: Any, elements: tuple[Element, ...], layer: str) -> None:
    """Add arcs and lines. A DXF arc runs counter-clockwise from its start to its end."""
    for element in elements:
        if isinstance(element, Arc):
            low, high = sorted((element.start_angle, element.end_angle))
            angles = degrees(low), degrees(high)
            layout.add_arc(_mm(element.centre), 1e3 * element.radius, *angles, dxfattribs={"layer": layer})
        else:
            layout.add_line(_mm(element.start), _mm(element.end), dxfattribs={"layer": layer})


def _mm(point: tuple[float, float] | NDArray[np.float64]) -> tuple[float, float]:
    return 1e3 * float(point[0]), 1e3 * float(point[1])


def _line(text: str) -> str:
    """Return a string on one line, without characters that control a terminal."""
    return "".join(c if c.isprintable() else " " for c in text)


def _block_name(name: str) -> str:
    """Return the name of a wheel in the form used in the name of its block: letters, digits and underscores only.

    The full name is in the description of the block.
    """
    return re.sub(r"\W+", "_", name)[:40].strip("_")


def _escaped(line: str) -> str:
    r"""Return a line of text with formatting codes escaped: \, {, }, ^ and %% have a special meaning in DXF."""
    text = re.sub(r"([\\{}])", r"\\\1", _line(line)).replace("^", "^ ")
    return text.replace("%%", "% %")
