"""Reads curves from DXF files (LINE, ARC, LWPOLYLINE and POLYLINE), SVG files (``svg.py``) and text files with points.

A DXF file in text form consists of pairs of lines, a code and a value (Autodesk, DXF Reference). Only the parts needed
are read, without another package. R12 and newer versions are supported, with bulges, layers and units.
"""

from __future__ import annotations

import contextlib
import contextvars
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

from chaindrive.errors import InputError
from chaindrive.geometry.joined import bulged
from chaindrive.geometry.profile import Arc, Element, Point, Segment
from chaindrive.model.files.svg import svg_curves, svg_drawing
from chaindrive.model.problems import nearest
from chaindrive.units import to_si

__all__ = ["Drawn", "FileUnit", "beside", "curves_of", "drawing_in", "looking_beside", "looking_in"]

FileUnit = Literal["mm", "cm", "m", "inch", "ft"]

_FOLDER: contextvars.ContextVar[Path | None] = contextvars.ContextVar("folder of the drive's file", default=None)
_UNITS = {1: "inch", 2: "ft", 4: "mm", 5: "cm", 6: "m"}
"""Units by their codes in $INSUNITS, in the header."""
_CURVES = {"SPLINE", "ELLIPSE", "CIRCLE", "INSERT", "REGION"}
"""Entities that cannot be converted."""
MOST_ELEMENTS = 500
"""Largest number of lines and arcs, or points, of a curve."""
LARGEST = 5_000_000


@contextlib.contextmanager
def looking_beside(file: str) -> Iterator[None]:
    """Make file names in this context relative to the folder of the given file, if it exists."""
    with looking_in(Path(file).parent) if Path(file).is_file() else contextlib.nullcontext():
        yield


@contextlib.contextmanager
def looking_in(folder: Path) -> Iterator[None]:
    """Make file names in this context relative to the given folder."""
    token = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(token)


def beside(name: str) -> Path:
    """Return the path of a file whose name is relative to the folder of the file being read."""
    return (_FOLDER.get() or Path()) / name


def curves_of(name: str, layer: str | None, unit: str | None) -> list[Element]:
    """Return the lines and arcs of a file, in the order of the file [m]. Raises ValueError, with a message for the
    user.
    """
    from chaindrive.model.files.text import read_text

    path = beside(name)
    try:
        text = read_text(str(path), "a curve (DXF, SVG or points)")
    except InputError as error:
        raise ValueError(f"{path}: {error.problems[0].message}") from None
    if len(text) > LARGEST:
        raise ValueError(f"{path}: is too large for a single curve; save only the layer that contains the curve")
    if path.suffix.lower() == ".dxf" or re.match(r"\s*(0|999)\s*\n", text):
        found = _of_dxf(text, layer, unit)
    elif path.suffix.lower() == ".svg" or _is_svg(text):
        found = svg_curves(text, layer, None if unit is None else _factor(unit))
    else:
        if layer is not None:
            raise ValueError("a file of points has no layers: omit layer")
        found = _of_points(text, unit)
    if len(found) > MOST_ELEMENTS:
        raise ValueError(f"{path}: has {len(found)} lines and arcs, but a curve may have at most {MOST_ELEMENTS}")
    return found


class Drawn(NamedTuple):
    """The parts of a file that can be drawn."""

    elements: list[Element]
    """Lines and arcs [m]; circles are whole arcs."""
    layers: list[str]
    """Names of all layers."""
    skipped: dict[str, int]
    """Number of curves of each kind that cannot be read."""


def drawing_in(text: str, layer: str | None = None, unit: str | None = None) -> Drawn:
    """Return the lines and arcs of a DXF or SVG, given as text, in one layer or in all. Curves that cannot be read are
    omitted.

    unit: that of the numbers in the file; None: the unit stated in the file, or else mm. Raises ValueError, with a
    message for the user.
    """
    if _is_svg(text):
        return Drawn(*svg_drawing(text, layer, None if unit is None else _factor(unit)))
    return _drawn_dxf(text, layer, unit)


def _is_svg(text: str) -> bool:
    return re.match(r"\s*<(\?xml|!--|!DOCTYPE|svg)", text) is not None


def _factor(unit: str) -> float:
    return to_si(f"1 {unit}", "m")


def _of_points(text: str, unit: str | None) -> list[Element]:
    """Return the lines between points: x and y in each line, separated by a comma, semicolon or space; # begins a
    comment.

    If semicolons separate, a comma is a decimal comma. The first line may be a heading, 'x [mm]; y [mm]'.
    """
    points: list[Point] = []
    heading, factors = True, (_factor(unit or "mm"),) * 2
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        if heading and len(units := re.findall(r"\[([^\[\]]+)\]", content)) == 2 and unit is None:
            factors = _factor(units[0]), _factor(units[1])
        plain = content.replace(",", ".") if ";" in content else content.replace(",", " ")
        words = re.split(r"[;\s]+", plain.strip("; "))
        try:
            x, y = (float(word) * factor for word, factor in zip(words, factors, strict=True))
        except ValueError:
            if heading:
                heading = False
                continue
            raise ValueError(f"line {number} of the file must have two numbers, x and y: {line[:60]!r}") from None
        heading = False
        if not (math.isfinite(x) and math.isfinite(y)):
            raise ValueError(f"line {number} of the file must have two finite numbers: {line[:60]!r}")
        if not points or math.dist(points[-1], (x, y)) > 0.0:
            points.append((x, y))
    if len(points) < 2:
        raise ValueError("the file needs at least two points, x and y in each line")
    return [Segment(a, b) for a, b in pairwise(points)]


# DXF ------------------------------------------------------------------------------------------------------------------


class _Entity(NamedTuple):
    kind: str
    values: list[tuple[int, str]]

    def number(self, code: int, default: float | None = None) -> float:
        for each, value in self.values:
            if each == code:
                return _float(value)
        if default is None:
            raise ValueError(f"{self.kind} in the DXF has no value of code {code}")
        return default

    @property
    def layer(self) -> str:
        return next((value for code, value in self.values if code == 8), "0")


def _float(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        raise ValueError(f"the DXF has {value[:40]!r} where a number is expected") from None
    if not math.isfinite(number):
        raise ValueError(f"the DXF has {value[:40]!r} where a finite number is expected")
    return number


def _of_dxf(text: str, layer: str | None, unit: str | None) -> list[Element]:
    dxf = _read_dxf(text, layer, unit)
    found = [element for group in dxf.groups for element in _of_group(group, dxf.factor)]
    if not found:
        where = f" in the layer {layer!r}" if layer is not None else ""
        raise ValueError(f"the DXF has no LINE, ARC, LWPOLYLINE or POLYLINE{where}")
    return found


class _Dxf(NamedTuple):
    groups: list[list[_Entity]]
    """Entities of the requested layer; a POLYLINE is followed by its vertices."""
    layers: list[str]
    factor: float
    """Length of a unit of the file in metres."""


def _read_dxf(text: str, layer: str | None, unit: str | None) -> _Dxf:
    entities, units = _entities(text)
    layers = sorted({entity.layer for entity in entities})
    if layer is not None and layer.lower() not in (each.lower() for each in layers):
        hint = nearest(layer, layers) or "."
        raise ValueError(f"the DXF has nothing in the layer {layer!r}{hint} Layers: {', '.join(layers)}")
    groups = [each for each in _grouped(entities) if layer is None or each[0].layer.lower() == layer.lower()]
    return _Dxf(groups, layers, _factor(unit or _UNITS.get(units, "mm")))


def _grouped(entities: list[_Entity]) -> Iterator[list[_Entity]]:
    """Yield the entities one by one, a POLYLINE together with its vertices."""
    waiting: list[_Entity] | None = None
    for entity in entities:
        if entity.kind == "POLYLINE":
            waiting = [entity]
        elif entity.kind == "VERTEX" and waiting is not None:
            waiting.append(entity)
        elif entity.kind == "SEQEND" and waiting is not None:
            yield waiting
            waiting = None
        elif entity.kind not in ("VERTEX", "SEQEND"):
            yield [entity]


def _of_group(group: list[_Entity], factor: float) -> list[Element]:
    """Return the lines and arcs of a group of ``_grouped``. Raises ValueError for a curve that cannot be read."""
    entity = group[0]
    if entity.kind in ("LINE", "ARC", "LWPOLYLINE", "POLYLINE") and entity.number(230, 1.0) < 0.0:
        message = "is drawn as seen from behind (extrusion -1): mirror it in the drawing"
        raise ValueError(f"{entity.kind} in the DXF {message}")
    if entity.kind == "POLYLINE":
        return _polyline(group, factor)
    if entity.kind in _CURVES:
        message = "explode it" if entity.kind == "INSERT" else "save it as lines and arcs (a polyline)"
        raise ValueError(f"the DXF has a {entity.kind} (layer {entity.layer!r}), which cannot be read: {message}")
    return _simple(entity, factor)


def _drawn_dxf(text: str, layer: str | None, unit: str | None) -> Drawn:
    dxf, found, skipped = _read_dxf(text, layer, unit), list[Element](), Counter[str]()
    for group in dxf.groups:
        entity = group[0]
        try:
            if entity.kind == "CIRCLE" and entity.number(230, 1.0) > 0.0:
                x, y, radius = (dxf.factor * entity.number(code) for code in (10, 20, 40))
                found.append(Arc((x, y), radius, 0.0, 2.0 * math.pi))
            else:
                found += _of_group(group, dxf.factor)
        except ValueError:
            skipped[entity.kind] += 1
    return Drawn(found, dxf.layers, dict(skipped))


def _entities(text: str) -> tuple[list[_Entity], int]:
    """Return the entities of the section ENTITIES, and the number of the unit given in the header."""
    lines = text.splitlines()
    if "AutoCAD Binary DXF" in text[:30]:
        raise ValueError("is a binary DXF; save it as text (ASCII)")
    section, units, entities, wants_units = "", 0, [], False
    for at in range(0, len(lines) - 1, 2):
        try:
            code = int(lines[at])
        except ValueError:
            raise ValueError(f"is not a DXF: line {at + 1} must be a group code, not {lines[at][:40]!r}") from None
        value = lines[at + 1].strip()
        if code == 0 and value in ("SECTION", "ENDSEC", "EOF"):
            section = ""
        elif code == 2 and not section:
            section = value
        elif section == "HEADER":
            if code == 9:
                wants_units = value == "$INSUNITS"
            elif wants_units and code == 70:
                units = int(_float(value))
        elif section == "ENTITIES":
            if code == 0:
                entities.append(_Entity(value, []))
            elif entities:
                entities[-1].values.append((code, value))
    return entities, units


def _simple(entity: _Entity, factor: float) -> list[Element]:
    """Return the elements of a LINE, ARC or LWPOLYLINE; none for texts, points, dimensions and other entities that are
    not curves.
    """
    if entity.kind == "LINE":
        x0, y0, x1, y1 = (factor * entity.number(code) for code in (10, 20, 11, 21))
        return [Segment((x0, y0), (x1, y1))]
    if entity.kind == "ARC":
        x, y, radius = (factor * entity.number(code) for code in (10, 20, 40))
        first, last = (math.radians(entity.number(code)) for code in (50, 51))
        return [Arc((x, y), radius, first, first + (last - first) % (2.0 * math.pi))]
    if entity.kind != "LWPOLYLINE":
        return []
    vertices: list[list[float]] = []
    for code, value in entity.values:
        if code == 10:
            vertices.append([_float(value), 0.0, 0.0])
        elif code in (20, 42) and vertices:
            vertices[-1][1 if code == 20 else 2] = _float(value)
    return _between(vertices, int(entity.number(70, 0.0)) & 1 == 1, factor)


def _polyline(parts: list[_Entity], factor: float) -> list[Element]:
    head, *vertices = parts
    flags = int(head.number(70, 0.0))
    if flags & (8 | 16 | 64) or int(head.number(75, 0.0)) != 0:
        raise ValueError("the DXF has a POLYLINE in space, a mesh or a spline fit: flatten it")
    return _between([[v.number(10), v.number(20), v.number(42, 0.0)] for v in vertices], flags & 1 == 1, factor)


def _between(vertices: list[list[float]], closed: bool, factor: float) -> list[Element]:
    points = [((factor * x, factor * y), bulge) for x, y, bulge in vertices]
    following = [*points[1:], *(points[:1] if closed else [])]
    pairs = zip(points, following, strict=False)
    return [bulged(a, b, bulge) for (a, bulge), (b, _) in pairs if math.dist(a, b) > 0.0]
