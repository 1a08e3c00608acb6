"""Elementary functions of arrays: numpy's values, shapes and kinds, to the last bits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive import elementary

ANGLES = np.linspace(-7.0, 7.0, 60).reshape(3, 20)


@pytest.mark.parametrize(("name", "values"), [
    ("sin", (ANGLES,)), ("cos", (ANGLES,)), ("exp", (ANGLES,)), ("arcsin", (ANGLES / 7.0,)),
    ("arctan2", (ANGLES, np.linspace(-1.0, 1.0, 20))), ("arctan2", (0.0, -1.0)), ("sin", ([],)), ("cos", (2,)),
    ("power", (1e-5, np.array([0.5, 1.0 / 9.0, 1.0]))),
])  # fmt: skip
def test_values_and_shapes_are_those_of_numpy(name: str, values: tuple) -> None:
    found, expected = getattr(elementary, name)(*values), getattr(np, name)(*map(np.float64, values))
    assert found == pytest.approx(expected, rel=4e-16, abs=0.0)
    assert (np.shape(found), type(found)) == (np.shape(expected), type(expected))


def test_every_element_is_that_of_the_library_of_the_system() -> None:
    assert elementary.sin(ANGLES).ravel().tolist() == [math.sin(angle) for angle in ANGLES.ravel().tolist()]
