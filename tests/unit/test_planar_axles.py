"""Which rollers may touch a wheel that shares its centre with another one: those near it along the chain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from chaindrive.formulations.planar.axles import in_its_plane


class Wheels(NamedTuple):
    first: np.ndarray
    along: np.ndarray


class Parameters(NamedTuple):
    wheel: Wheels
    rollers: int
    closed: bool


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("turned", [0.0, 7.0, 33.0, -4.0])
def test_rollers_near_a_wheel_follow_its_rotation(closed: bool, turned: float) -> None:
    """Of a chain of 40 rollers, 5 to 15 lie near the wheel at the start; in a closed chain the others follow."""
    p = Parameters(Wheels(np.array([5]), np.array([10])), 40, closed)
    near = {i for i in range(40) if getattr(in_its_plane, "py_func", in_its_plane)(p, 0, i, turned)}
    run_on = {round(i - turned) for i in range(5, 16)}
    assert near == ({i % 40 for i in run_on} if closed else run_on & set(range(40)))
