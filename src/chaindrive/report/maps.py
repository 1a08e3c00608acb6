"""Packs a waterfall or a map over speed, with its lines, for the page, and makes tables of crossings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.results.speed_map import Crossing
from chaindrive.analyses.signals.waterfall import CampbellLine, Waterfall, amplitude_along
from chaindrive.report.contents import Table, row, table
from chaindrive.report.pack import Blob, Reference

__all__ = ["TO_RPM", "crossings_table", "map_entry"]

FloatArray = NDArray[np.float64]

ROWS = 800
"""Largest number of frequencies of a map in the page."""
TO_RPM = 30.0 / math.pi


def map_entry(
    found: Waterfall,
    lines: Sequence[CampbellLine],
    blob: Blob,
    title: str,
    operating: float | None = None,
    crossings: Sequence[Crossing] = (),
) -> Reference:
    """Data of a map for the script: decimal logarithms of the amplitudes, and lines with the amplitudes along them.

    operating: operating speed of the driver [rad/s]; crossings: crossings that are marked in a map over speed.
    """
    columns = TO_RPM * found.speed if found.over_speed else found.time
    order = np.argsort(columns, kind="stable")
    frequency, amplitude = _grouped(found)
    with np.errstate(divide="ignore"):
        heights = np.log10(amplitude[order])
    return {
        "title": title,
        "unit": found.unit,
        "x": f"speed of {found.wheel_name} [rpm]" if found.over_speed else "time [s]",
        "columns": blob.add(columns[order], "f4"),
        "frequency": blob.add(frequency, "f4"),
        "amplitude": blob.quantised(heights),
        "lines": [
            {
                "label": line.label,
                "kind": line.kind,
                "frequency": blob.add(line.frequency[order], "f4"),
                "cut": blob.add(amplitude_along(found, line.frequency)[order], "f4"),
            }
            for line in lines
        ],
        "resolution": found.resolution,
        "operating": None if operating is None else TO_RPM * operating,
        "crossings": [[TO_RPM * each.speed, each.frequency, f"{each.excitation}, {each.mode}"] for each in crossings],
    }


def _grouped(found: Waterfall) -> tuple[FloatArray, FloatArray]:
    """Return frequencies (R,) and amplitudes (C, R), with R at most ROWS. Neighbouring bins are combined into one, with
    their highest amplitude and their mean frequency.
    """
    group = -(-found.frequency.size // ROWS)
    if group <= 1:
        return found.frequency, found.amplitude
    count = found.frequency.size // group
    middle = found.frequency[: count * group].reshape(count, group).mean(axis=1)
    return middle, found.amplitude[:, : count * group].reshape(-1, count, group).max(axis=2)


def crossings_table(caption: str, crossings: Sequence[Crossing], note: str, most: int, beside: str) -> Table:
    """Return a table of excitations that meet natural frequencies, with the speeds at which they do, and the relative
    distances from the speed that ``beside`` names.

    Rows have the numbers with which the crossings are marked in a map.
    """
    rows = [
        row(
            f"{k}. {each.excitation}",
            each.mode,
            f"{TO_RPM * each.speed:.4g}",
            f"{each.frequency:.4g}",
            "–" if math.isnan(each.distance) else f"{100.0 * each.distance:+.1f} %".replace("-", "\u2212"),
        )
        for k, each in enumerate(crossings[:most], 1)
    ]
    columns = ["excitation", "meets", ">at [rpm]", ">frequency [Hz]", f">from {beside}"]
    return table(caption, columns, rows, note)
