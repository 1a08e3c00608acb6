"""Text about the trajectory of the chain, from the notes of a run in path coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chaindrive.numbers import quantity

__all__ = ["trajectory_text"]


def trajectory_text(notes: Mapping[str, Any]) -> str:
    """Return a text with the length of the trajectory, the distance of the links from it at the start, and the arcs of
    guides that it omits.

    notes: notes of a run or a system. The text is empty in Cartesian coordinates.
    """
    if "trajectory_length" not in notes:
        return ""
    text = f"trajectory of {quantity(notes['trajectory_length'], 'm', 5)}"
    if "trajectory_offset" in notes:
        text += f", links up to {quantity(notes['trajectory_offset'], 'm', 2)} away from it at the start"
    left_out = ", ".join(f"{name} ({arcs})" for name, arcs in notes.get("trajectory_left_out", {}).items())
    return f"{text}; arcs of guides that the chain does not follow are omitted: {left_out}" if left_out else text
