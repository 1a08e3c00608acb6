"""Symbols for parts that are not drawn to scale."""

from __future__ import annotations

import numpy as np

from chaindrive.drawing.mechanism import FloatArray, TensionerView

__all__ = ["PISTON", "tensioner_lines"]

PISTON = 2
"""Index of the line that is the piston of a hydraulic tensioner, drawn thick."""
_TURNS = 8


def tensioner_lines(tensioner: TensionerView, size: float) -> list[FloatArray]:
    """Return the lines that show a tensioner, shape (n, 2) each [m].

    A spring is a zigzag, and a hydraulic tensioner a cylinder with piston and rod. size: half the width of the symbol
    [m].
    """
    first, last = tensioner.ends
    along = tensioner.along
    length = float(np.hypot(*(last - first)))
    across = np.array([-along[1], along[0]])

    def line(points: list[tuple[float, float]]) -> FloatArray:
        return np.array([first + length * s * along + h * size * across for s, h in points])

    if tensioner.kind == "hydraulic":
        return [
            line([(0.0, 0.0), (0.08, 0.0)]),
            line([(0.65, 0.7), (0.08, 0.7), (0.08, -0.7), (0.65, -0.7)]),
            line([(0.5, 0.65), (0.5, -0.65)]),
            line([(0.5, 0.0), (1.0, 0.0)]),
        ]
    coil = [(0.15 + 0.7 * (k + 0.5) / (2 * _TURNS), 0.75 * (-1.0) ** k) for k in range(2 * _TURNS)]
    return [line([(0.0, 0.0), (0.15, 0.0), *coil, (0.85, 0.0), (1.0, 0.0)])]
