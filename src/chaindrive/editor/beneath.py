"""A DXF or SVG file shown as lines beneath the drawing in the editor."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.geometry.profile import Arc, Element
from chaindrive.model.files.drawing import FileUnit, drawing_in
from chaindrive.model.problems import shown

__all__ = ["MOST_ELEMENTS", "beneath", "keep_drawing", "polylines"]

STEP = math.radians(3.0)
"""Angle between the points of an arc; the chords then deviate from the arc by 0.03 % of its radius."""
JOINED = 1e-9
"""Largest distance from the end of one curve to the beginning of the next at which they count as connected. [m]"""
MOST_ELEMENTS = 20_000
FILE_NAME = re.compile(r"(?!\.)[^/\\\\:*?\"<>|\x00-\x1f]{1,100}\.(dxf|svg)", re.IGNORECASE)
FARTHEST = 1e5
"""Largest permitted coordinate of a drawing. [m]"""


def beneath(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the polylines drawn in a DXF or SVG file [m], the names of all its layers, and the omitted elements.

    given: ``text``, the content of the file; ``layer``, or None for all layers; ``unit`` of its numbers, where None
    stands for the unit stated in the file, or mm. Raises InputError for anything else and for a file that contains
    nothing that can be drawn.
    """
    text, layer, unit = (given.get(key) for key in ("text", "layer", "unit"))
    if not isinstance(text, str):
        raise InputError(Problem("text", "must be the text of a DXF or SVG file", shown(text)))
    if not (layer is None or isinstance(layer, str)):
        raise InputError(Problem("layer", "must be the name of a layer", shown(layer)))
    if not (unit is None or unit in get_args(FileUnit)):
        raise InputError(Problem("unit", f"must be one of {', '.join(get_args(FileUnit))}", shown(unit)))
    try:
        drawn = drawing_in(text, layer, unit)
    except ValueError as error:
        raise InputError(Problem("drawing", str(error))) from None
    if not drawn.elements:
        raise InputError(Problem("drawing", "has no lines, arcs or circles that can be drawn"))
    if len(drawn.elements) > MOST_ELEMENTS:
        message = f"has {len(drawn.elements)} lines and arcs; at most {MOST_ELEMENTS} can be shown, so choose a layer"
        raise InputError(Problem("drawing", message))
    if not all(_reach(element) <= FARTHEST for element in drawn.elements):
        raise InputError(
            Problem("drawing", f"has points more than {FARTHEST:g} m from its origin: is the unit correct?")
        )
    return {"lines": list(polylines(drawn.elements)), "layers": drawn.layers, "skipped": drawn.skipped}


def keep_drawing(folder: Path, given: Mapping[str, Any]) -> None:
    """Save a drawing in the folder of the drive, so that guides can be read from it.

    given: ``name`` of the file and its ``text``. Raises InputError if the name is not that of a DXF or SVG file, or if
    a file with different content already has this name; ComputationError if the file cannot be written.
    """
    name, text = given.get("name"), given.get("text")
    problems = []
    if not isinstance(name, str) or not FILE_NAME.fullmatch(name):
        problems.append(Problem("name", "must be the name of a DXF or SVG file, without a folder", shown(name)))
    if not isinstance(text, str):
        problems.append(Problem("text", "must be the text of a DXF or SVG file", shown(text)))
    if problems:
        raise InputError(problems)
    path = folder / str(name)
    try:
        if not path.exists():
            path.write_text(str(text), encoding="utf-8", newline="")
        elif path.read_bytes() != str(text).encode():
            raise InputError(
                Problem("name", "already exists next to the drive with different content; choose another name")
            )
    except (OSError, UnicodeEncodeError) as error:
        message = f"{path} cannot be written ({getattr(error, 'strerror', None) or error})"
        raise ComputationError(message, "free some space, or check the permissions.") from None


def polylines(elements: list[Element]) -> Iterator[list[list[float]]]:
    """Yield the points [x, y] of lines and arcs [m]; consecutive elements form one line."""
    line: list[list[float]] = []
    for element in elements:
        points = [[round(x, 9), round(y, 9)] for x, y in _points(element)]
        if line and math.dist(line[-1], points[0]) <= JOINED:
            line += points[1:]
            continue
        if line:
            yield line
        line = points
    if line:
        yield line


def _points(element: Element) -> list[tuple[float, float]]:
    if not isinstance(element, Arc):
        return [element.start, element.end]
    count = max(1, math.ceil(abs(element.end_angle - element.start_angle) / STEP))
    return [element.at(k / count)[0] for k in range(count + 1)]


def _reach(element: Element) -> float:
    """Return the largest absolute coordinate or radius of an element. [m]"""
    numbers = (*element.centre, element.radius) if isinstance(element, Arc) else (*element.start, *element.end)
    return max(map(abs, numbers))
