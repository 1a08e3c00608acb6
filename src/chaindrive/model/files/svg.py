"""Reads the curves of an SVG drawing: lines, polylines, and paths of straight lines, circular arcs and Bézier curves.

Only the standard library is used. A file that declares entities is refused, so nothing is expanded or fetched. In the
file y points downwards, in the result upwards; the origin is the same.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from xml.parsers import expat

from chaindrive.geometry.joined import bezier_arcs, bulged
from chaindrive.geometry.profile import Arc, Element, Point, Segment
from chaindrive.model.problems import nearest

__all__ = ["svg_curves", "svg_drawing"]

_MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72.0, "pc": 25.4 / 6.0}
"""The units in which the size of a drawing may be given, in millimetres."""
_WITHOUT_CURVES = {"defs", "symbol", "clipPath", "mask", "marker", "pattern", "metadata", "style", "title", "desc"}
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_PATH = re.compile(rf"\s*,?\s*(?:(?P<command>[A-Za-z])|(?P<number>{_NUMBER}))")
_TRANSFORM = re.compile(r"[\s,]*(?P<name>\w+)\s*\((?P<numbers>[^()]*)\)[\s,]*")
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "A": 7, "C": 6, "S": 4, "Q": 4, "T": 2, "Z": 0}
DEEPEST = 100
"""Greatest depth to which elements may be nested."""


class _Matrix(NamedTuple):
    """An SVG transformation, which maps a point to (a x + c y + e, b x + d y + f)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def at(self, point: Point) -> Point:
        x, y = point
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def times(self, other: _Matrix) -> _Matrix:
        """Return the transformation that applies ``other`` first and then this transformation."""
        (a, b), (c, d) = ((self.a * u + self.c * v, self.b * u + self.d * v) for u, v in (other[:2], other[2:4]))
        return _Matrix(a, b, c, d, *self.at(other[4:]))

    @property
    def sense(self) -> float:
        """1, or -1 if the transformation mirrors. Raises ValueError if it does not map circles to circles."""
        along, across = math.hypot(self.a, self.b), math.hypot(self.c, self.d)
        skew = self.a * self.c + self.b * self.d
        if not along > 0.0 or abs(along - across) > 1e-6 * along or abs(skew) > 1e-6 * along * across:
            raise ValueError(
                "the SVG has a transform that skews or scales unequally: apply it to the path and save again"
            )
        return math.copysign(1.0, self.a * self.d - self.b * self.c)


class _Group(NamedTuple):
    """Attributes that apply inside an open element."""

    tag: str
    matrix: _Matrix
    wanted: bool
    """Whether the element is in the requested layer."""
    hidden: bool


class _Reader:
    """Collects the curves of a file while it is parsed."""

    def __init__(self, layer: str | None, factor: float | None, skipped: Counter[str] | None = None) -> None:
        self.layer, self.factor = layer, factor
        self.skipped = skipped
        """If this is given, closed shapes are read as well, and curves that cannot be read are counted here instead of
        being refused."""
        self.groups: list[_Group] = []
        self.layers: list[str] = []
        self.found: list[Element] = []

    def start(self, tag: str, given: Mapping[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if len(self.groups) >= DEEPEST:
            raise ValueError(f"the SVG nests elements more than {DEEPEST} deep")
        if not self.groups:
            if tag != "svg":
                raise ValueError(f"is not an SVG: its first element is {tag[:40]!r}")
            size = _unit_of(given) if self.factor is None else self.factor
            outer = _Group("", _Matrix(size, 0.0, 0.0, -size), self.layer is None, False)
        else:
            outer = self.groups[-1]
        names = [given[key] for key in ("inkscape:label", "id") if given.get(key)] if tag == "g" else []
        self.layers += names[:1]
        wanted = outer.wanted or (self.layer is not None and self.layer.lower() in (name.lower() for name in names))
        style = given.get("style", "").replace(" ", "")
        hidden = outer.hidden or tag in _WITHOUT_CURVES or given.get("display") == "none" or "display:none" in style
        matrix = outer.matrix.times(_transform(given.get("transform", "")))
        self.groups.append(_Group(tag, matrix, wanted, hidden))
        if wanted and not hidden:
            self.found += self.read(tag, given, matrix)

    def read(self, tag: str, given: Mapping[str, str], matrix: _Matrix) -> list[Element]:
        """Return the lines and arcs of an element. Raises ValueError for a curve that cannot be read, unless such
        curves are counted.
        """
        if self.skipped is None:
            return list(_elements(tag, given, matrix))
        try:
            return list(_closed(tag, given, matrix) if tag in ("circle", "rect") else _elements(tag, given, matrix))
        except ValueError:
            self.skipped[tag] += 1
            return []

    def end(self, _tag: str) -> None:
        self.groups.pop()


def svg_curves(text: str, layer: str | None, factor: float | None) -> list[Element]:
    """Return the lines and arcs of an SVG, in the order of the file [m].

    layer: label or id of a group; None: all groups. factor: length of a unit of the drawing in metres; None: as the
    size of the drawing implies, or else 1 mm. Raises ValueError, with a message for the user.
    """
    reader = _Reader(layer, factor)
    _parse(text, reader)
    if not reader.found:
        where = f" in the layer {layer!r}" if layer is not None else ""
        raise ValueError(f"the SVG has no path, line or polyline{where}")
    return reader.found


def svg_drawing(text: str, layer: str | None, factor: float | None) -> tuple[list[Element], list[str], dict[str, int]]:
    """Return the lines and arcs of an SVG, including circles and rectangles [m], the names of its layers, and the
    number of omitted elements by tag.

    Arguments and errors are those of ``svg_curves``, except that it refuses the elements that are omitted here.
    """
    skipped = Counter[str]()
    reader = _Reader(layer, factor, skipped)
    _parse(text, reader)
    return reader.found, list(dict.fromkeys(reader.layers)), dict(skipped)


def _parse(text: str, reader: _Reader) -> None:
    """Pass the elements of a file to a reader. Raises ValueError for a file that is not an SVG, or that lacks the
    requested layer.
    """
    layer = reader.layer
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.EntityDeclHandler = _refuse_entities
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise ValueError(f"is not an SVG: {error}") from None
    if layer is not None and layer.lower() not in (each.lower() for each in reader.layers) and not reader.found:
        hint = nearest(layer, reader.layers) or "."
        raise ValueError(f"the SVG has no layer {layer!r}{hint} Layers: {', '.join(reader.layers[:12]) or 'none'}")


def _refuse_entities(*_: object) -> None:
    raise ValueError("the SVG declares entities, which are not read: save it as plain SVG")


def _unit_of(given: Mapping[str, str]) -> float:
    """Return the length of a unit of the drawing in metres, from its width and viewBox; 1 mm if the width is not a
    length.
    """
    size = re.fullmatch(rf"\s*({_NUMBER})\s*([a-z]+)\s*", given.get("width", ""))
    box = _numbers(given.get("viewBox", ""))
    if size is None or size[2] not in _MILLIMETRES or len(box) != 4 or not box[2] > 0.0 or not float(size[1]) > 0.0:
        return 1e-3
    return 1e-3 * float(size[1]) * _MILLIMETRES[size[2]] / box[2]


def _numbers(text: str) -> list[float]:
    numbers = [float(number) for number in re.findall(_NUMBER, text)]
    if not all(map(math.isfinite, numbers)):
        raise ValueError("the SVG has a number that is not finite")
    return numbers


def _number(given: Mapping[str, str], name: str) -> float:
    """Return the value of a numerical attribute; 0 if it is not given."""
    numbers = _numbers(given.get(name, "0"))
    if not numbers:
        raise ValueError(f"the SVG has {given[name][:40]!r} where {name} must be a number")
    return numbers[0]


def _transform(text: str) -> _Matrix:
    matrix, at = _Matrix(), 0
    while at < len(text.rstrip()):
        found = _TRANSFORM.match(text, at)
        if found is None:
            raise ValueError(f"the SVG has a transform that cannot be read: {text[:60]!r}")
        matrix, at = matrix.times(_one_transform(found["name"], _numbers(found["numbers"]))), found.end()
    return matrix


def _one_transform(name: str, numbers: list[float]) -> _Matrix:
    count = len(numbers)
    if name == "matrix" and count == 6:
        return _Matrix(*numbers)
    if name == "translate" and count in (1, 2):
        return _Matrix(e=numbers[0], f=numbers[1] if count == 2 else 0.0)
    if name == "scale" and count in (1, 2):
        return _Matrix(a=numbers[0], d=numbers[-1])
    if name == "rotate" and count in (1, 3):
        angle = math.radians(numbers[0])
        turn = _Matrix(math.cos(angle), math.sin(angle), -math.sin(angle), math.cos(angle))
        x, y = numbers[1:] if count == 3 else (0.0, 0.0)
        return _Matrix(e=x, f=y).times(turn).times(_Matrix(e=-x, f=-y))
    raise ValueError(f"the SVG has a transform that cannot be read: {name[:20]} with {count} numbers")


def _elements(tag: str, given: Mapping[str, str], matrix: _Matrix) -> Iterator[Element]:
    if tag == "path":
        yield from _path(given.get("d", ""), matrix)
    elif tag == "line":
        start, end = ((_number(given, f"x{k}"), _number(given, f"y{k}")) for k in (1, 2))
        yield Segment(matrix.at(start), matrix.at(end))
    elif tag in ("polyline", "polygon"):
        numbers = _numbers(given.get("points", ""))
        points = [matrix.at(point) for point in zip(numbers[::2], numbers[1::2], strict=False)]
        closing = points[:1] if tag == "polygon" else []
        for start, end in zip(points, [*points[1:], *closing], strict=False):
            yield Segment(start, end)
    elif tag in ("circle", "ellipse", "rect", "use"):
        advice = "save it as a path" if tag == "use" else "it is closed; draw a path with two ends"
        raise ValueError(f"the SVG has a <{tag}>, which is not a rail: {advice}, or name the layer of the curve")


def _closed(tag: str, given: Mapping[str, str], matrix: _Matrix) -> Iterator[Element]:
    """Yield the elements of a circle, or of a rectangle with sharp corners."""
    names = ("cx", "cy", "r") if tag == "circle" else ("x", "y", "width", "height")
    x, y, *size = (_number(given, name) for name in names)
    if tag == "circle":
        turn = 2.0 * math.pi * matrix.sense
        yield Arc(matrix.at((x, y)), size[0] * math.hypot(matrix.a, matrix.b), 0.0, turn)
        return
    width, height = size
    corners = [matrix.at(point) for point in ((x, y), (x + width, y), (x + width, y + height), (x, y + height))]
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        yield Segment(start, end)


def _path(text: str, matrix: _Matrix) -> Iterator[Element]:
    """Yield the lines and arcs of a path, from its attribute d (SVG 2, chapter 9)."""
    here = begin = (0.0, 0.0)
    handle: tuple[str, Point] = ("", here)
    for command, numbers in _commands(text):
        kind, base = command.upper(), here if command.islower() else (0.0, 0.0)
        if kind == "H":
            numbers = [numbers[0] + base[0], here[1]]
        elif kind == "V":
            numbers = [here[0], numbers[0] + base[1]]
        elif kind == "A":
            numbers = [*numbers[:5], numbers[5] + base[0], numbers[6] + base[1]]
        elif kind != "Z":
            numbers = [number + base[k % 2] for k, number in enumerate(numbers)]
        end = begin if kind == "Z" else (numbers[-2], numbers[-1])
        if kind == "M":
            begin = end
        elif kind in "LHVZ":
            if math.dist(here, end) > 0.0:
                yield Segment(matrix.at(here), matrix.at(end))
        elif kind == "A":
            yield from _arc(here, end, numbers, matrix)
        else:
            controls, handle = _controls(kind, here, numbers, handle)
            yield from bezier_arcs(*(matrix.at(point) for point in (here, *controls, end)))
        if kind not in "CSQT":
            handle = ("", end)
        here = end


def _commands(text: str) -> Iterator[tuple[str, list[float]]]:
    """Yield the commands with their numbers. Further numbers repeat the command, except that M and m become L and l."""
    command, at = "", 0
    numbers: list[float] = []
    stripped = text.rstrip()
    while at < len(stripped):
        found = _PATH.match(stripped, at)
        if found is None or (found["command"] and found["command"].upper() not in _ARGUMENTS):
            raise ValueError(f"the SVG has a path that cannot be read at {stripped[at:][:20]!r}")
        at = found.end()
        if found["command"]:
            if numbers:
                raise ValueError(f"the SVG has a path in which {command!r} has too few numbers")
            command = found["command"]
        elif not command or command in "Zz":
            raise ValueError(f"the SVG has a path that cannot be read: {stripped[:20]!r}")
        else:
            numbers.append(_numbers(found["number"])[0])
        if command and len(numbers) == _ARGUMENTS[command.upper()]:
            yield command, numbers
            numbers = []
            command = {"M": "L", "m": "l"}.get(command, command)
    if numbers:
        raise ValueError(f"the SVG has a path in which {command!r} has too few numbers")


def _arc(start: Point, end: Point, numbers: list[float], matrix: _Matrix) -> Iterator[Element]:
    """Yield a circular arc given by its end, its radius, and the flags for the longer arc and for the direction."""
    rx, ry = abs(numbers[0]), abs(numbers[1])
    chord = math.dist(start, end)
    if chord == 0.0:
        return
    if abs(rx - ry) > 1e-6 * max(rx, ry):
        raise ValueError(f"the SVG has an arc of an ellipse, {rx:g} by {ry:g}: save it as a circular arc or a spline")
    turn = 2.0 * math.asin(min(0.5 * chord / rx, 1.0)) if rx > 0.0 else 0.0
    turn = 2.0 * math.pi - turn if numbers[3] else turn
    sense = matrix.sense * (1.0 if numbers[4] else -1.0)
    yield bulged(matrix.at(start), matrix.at(end), sense * math.tan(0.25 * turn))


def _controls(
    kind: str, here: Point, numbers: list[float], handle: tuple[str, Point]
) -> tuple[tuple[Point, Point], tuple[str, Point]]:
    """Return both control points of a cubic Bézier curve, and the control point that the next smooth curve mirrors."""
    last, (hx, hy) = handle
    mirrored = (2.0 * here[0] - hx, 2.0 * here[1] - hy)
    end = (numbers[-2], numbers[-1])
    if kind in "CS":
        smooth = mirrored if last == "C" else here
        first = (numbers[0], numbers[1]) if kind == "C" else smooth
        second = (numbers[-4], numbers[-3])
        return (first, second), ("C", second)
    middle = (numbers[0], numbers[1]) if kind == "Q" else (mirrored if last == "Q" else here)
    first = (here[0] + 2.0 / 3.0 * (middle[0] - here[0]), here[1] + 2.0 / 3.0 * (middle[1] - here[1]))
    second = (end[0] + 2.0 / 3.0 * (middle[0] - end[0]), end[1] + 2.0 / 3.0 * (middle[1] - end[1]))
    return (first, second), ("Q", middle)
