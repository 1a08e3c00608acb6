"""Drawings as DXF in text form, written line by line as its reference says."""

from __future__ import annotations

import math

from chaindrive.geometry.profile import Arc, Segment


def pairs(*values: object) -> str:
    return "".join(f"{value}\n" for value in values)


def entity(element: Arc | Segment, layer: str, size: float) -> str:
    if isinstance(element, Segment):
        (a, b), (c, d) = element.start, element.end
        return pairs(0, "LINE", 8, layer, 10, a * size, 20, b * size, 11, c * size, 21, d * size)
    first, last = sorted((math.degrees(element.start_angle), math.degrees(element.end_angle)))
    x, y = element.centre
    radius = element.radius * size
    return pairs(0, "ARC", 8, layer, 10, x * size, 20, y * size, 40, radius, 50, first % 360, 51, last % 360)


def dxf(*entities: str, units: int | None = None) -> str:
    head = "" if units is None else pairs(0, "SECTION", 2, "HEADER", 9, "$INSUNITS", 70, units, 0, "ENDSEC")
    return head + pairs(0, "SECTION", 2, "ENTITIES") + "".join(entities) + pairs(0, "ENDSEC", 0, "EOF")


def polyline(points, bulges, layer="0", light=False, closed=0) -> str:
    if light:
        body = "".join(pairs(10, x, 20, y, 42, b) for (x, y), b in zip(points, bulges, strict=True))
        return pairs(0, "LWPOLYLINE", 8, layer, 90, len(points), 70, closed) + body
    body = "".join(pairs(0, "VERTEX", 8, layer, 10, x, 20, y, 42, b) for (x, y), b in zip(points, bulges, strict=True))
    return pairs(0, "POLYLINE", 8, layer, 66, 1, 70, closed) + body + pairs(0, "SEQEND")
