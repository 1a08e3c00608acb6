"""Plates of a rocker-pin chain by finite elements: a second way to the same forces.

Displacements instead of forces: every pin a row of Hermite's beam elements between neighbouring rows and the ends,
every plate a spring that is taken out where it would push, every link with its own extension.
"""

from __future__ import annotations

import numpy as np

from chaindrive.analyses.analytical.plate_rows import PlateRows


def hermite(length, stiffness):
    """Stiffness matrix (4, 4) for w and slope at both ends."""
    a = length
    return stiffness / a**3 * np.array(
        [[12, 6 * a, -12, 6 * a], [6 * a, 4 * a * a, -6 * a, 2 * a * a],
         [-12, -6 * a, 12, -6 * a], [6 * a, 2 * a * a, -6 * a, 4 * a * a]]
    )  # fmt: skip


def forces(rows: PlateRows, tension, friction, moment):
    """Force of every plate at one instant, by link and then row. Arguments (N,), as of ``PlateSystem.forces``."""
    nodes = np.array([-0.5 * rows.pin_length, *rows.places, 0.5 * rows.pin_length])
    n, each = rows.links, 2 * nodes.size
    period = max(rows.pattern) + 1
    plates = [(j, r) for j in range(n) for r, of in enumerate(rows.pattern) if of == j % period]
    size = n * each + n  # deflections and slopes, then the extension of every link
    beams, load = np.zeros((size, size)), np.zeros(size)
    for i in range(n):
        for k, length in enumerate(np.diff(nodes)):
            at = i * each + 2 * k
            beams[at : at + 4, at : at + 4] += hermite(length, rows.bending_stiffness)
        ends = i * each + np.array([0, each - 2])
        load[ends] += friction[i]
        load[ends + 1] += moment[i] * np.array([-1.0, 1.0])
        inertia = tension[i - 1] - tension[i] - 2.0 * friction[i]
        load[i * each + 2 * (1 + np.arange(len(rows.pattern)))] += inertia / len(rows.pattern)
    load[n * each :] = tension
    stretch = np.zeros((len(plates), size))
    for q, (j, r) in enumerate(plates):
        stretch[q, n * each + j] = 1.0
        stretch[q, ((j + 1) % n) * each + 2 * (1 + r)] += 1.0
        stretch[q, j * each + 2 * (1 + r)] -= 1.0
    # Only the extension of its links places a pin: its mean deflection is 0, and the first one does not turn.
    held = [np.bincount(i * each + 2 * np.arange(nodes.size), minlength=size) for i in range(n)]
    held.append(np.bincount([1], minlength=size))
    pulling = np.ones(len(plates), dtype=bool)
    while True:
        active = stretch[pulling]
        stiffness = beams + rows.plate_stiffness * active.T @ active
        whole = np.block([[stiffness, np.array(held).T * 1e9], [np.array(held) * 1e9, np.zeros((n + 1, n + 1))]])
        solved = np.linalg.solve(whole, np.concatenate([load, np.zeros(n + 1)]))[:size]
        found = rows.plate_stiffness * (stretch @ solved)
        now = found > 0.0
        if (now == pulling).all():
            return np.where(pulling, found, 0.0)
        pulling = now
