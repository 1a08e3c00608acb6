"""Figures of merit of signals of known answer: every reduction, over a window, with a factor."""

from __future__ import annotations

import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.studies.merit import Measured, evaluate
from support.made_run import solution_of

TIME = np.linspace(0.0, 2.0, 2001)


@pytest.fixture(scope="module")
def run() -> cd.Solution:
    """Span tension 3 + 4 sin(2 pi 5 t) N in the second second, 100 N before it; the other spans none."""
    drive = cd.example("industrial-08b")
    tension = np.zeros((TIME.size, len(drive.wheels)))
    tension[:, 0] = np.where(TIME < 1.0, 100.0, 3.0 + 4.0 * np.sin(2.0 * math.pi * 5.0 * TIME))
    return solution_of(drive, TIME, {"span_tension": tension})


@pytest.mark.parametrize(
    ("reduce", "expected"),
    [
        ("max", 7.0),
        ("min", -1.0),
        ("mean", 3.0),
        ("rms", math.sqrt(3.0**2 + 4.0**2 / 2.0)),
        ("range", 8.0),
        ("last", 3.0),
        ("peak_frequency", 5.0),
    ],
)
def test_a_reduction_is_that_of_the_window(run: cd.Solution, reduce: str, expected: float) -> None:
    """1.0 to 1.999 s are five whole periods of a thousand rows; the factor 2 stands for another unit."""
    stop = TIME[-1] if reduce == "last" else 1.999
    figure = Measured("span_tension", (0,), reduce, 1.0, stop, 2.0, (0.0, math.inf))
    assert evaluate(figure, run) == pytest.approx(2.0 * expected, rel=1e-3 if reduce == "peak_frequency" else 1e-9)


def test_both_ends_belong_to_the_window(run: cd.Solution) -> None:
    before = Measured("span_tension", (0,), "max", 0.999, 1.5, 1.0, (0.0, math.inf))
    assert evaluate(before, run) == 100.0
    assert evaluate(before._replace(start=1.0), run) == pytest.approx(7.0)
