"""Displacement of spans between wheels that move: from their tangent at the instant, not from that of the drawing."""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive import SaveOptions, example, simulate
from chaindrive.geometry.route import route
from chaindrive.mechanism.facts import drive_facts
from chaindrive.results.solution import Solution


def displacements(solution: Solution, row: int) -> np.ndarray:
    """Displacements from the positions of rollers and wheels alone, with the route around the wheels of this row."""
    drive = solution.drive
    centres = solution.values("wheel_position")[row]
    facts = drive_facts(drive)
    way = route(centres, facts.wrapped_radii, facts.signs)
    rollers = np.asarray(solution.values("roller_position")[row], dtype=np.float64)
    found = []
    for k in range(len(centres)):
        u = way.span_direction[k]
        middle = 0.5 * (way.span_start[k] + way.span_end[k])
        along, left = (rollers - middle) @ u, (rollers - middle) @ (-u[1], u[0])
        crossing = [
            left[i] - along[i] * (left[j] - left[i]) / (along[j] - along[i])
            for i in range(len(rollers))
            for j in [(i + 1) % len(rollers)]
            if (along[i] <= 0.0) != (along[j] <= 0.0) and along[j] > along[i]
        ]
        found.append(min(crossing, key=abs))
    return np.array(found)


@pytest.mark.parametrize("name", ["motorcycle", "6s90mc-c-tightener"])
def test_it_is_measured_from_the_tangent_of_the_instant(name: str) -> None:
    """The swingarm has sunk by 5 mm, the arm of the tightener by its weight: spans follow, and are not bent by that."""
    solution = simulate(example(name), 0.02, save=SaveOptions(rate=200.0, precision="double"), progress=False)
    drawn = np.array([wheel.position for wheel in solution.drive.wheels])
    moved = np.abs(solution.values("wheel_position")[-1] - drawn).max()
    assert moved > 5e-4
    for row in (0, len(solution.time) - 1):
        shown = np.asarray(solution.values("span_displacement")[row])
        np.testing.assert_allclose(shown, displacements(solution, row), atol=1e-6)
