"""How far a step that was shortened grows after an accepted section."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from chaindrive.contract.status import Status
from chaindrive.results.balance import Exactness
from chaindrive.simulation.stretches import (
    AIM,
    COSTLY_STEPS,
    LONGEST_SECTION,
    LONGEST_SHORTENED,
    MEMORY,
    MOST_GROWTH,
    SHORTEST_SECTION,
    Instead,
    Stretches,
    _StepFacts,
)
from chaindrive.solvers.integrator import Cuts

FIRST, STEP = 4e-6, 1e-6
"""Steps at the start of the run and in the section. [s]"""
LIMIT = 1.7
"""Largest product of step and frequency to which the step grows."""


def section(residual: float = 0.0, asked: float = 0.0, product: float = 0.0) -> Any:
    """A section with a residual, relative to the permitted residual, the highest frequency [rad/s] in it, and the
    largest product of step and frequency in the run.
    """
    integrator = SimpleNamespace(step=STEP, cuts=Cuts(1, 0.0, 0.0, product, asked), time=1.0, settled=True)
    integrator.lengthen = lambda step: setattr(integrator, "step", step)
    return SimpleNamespace(
        _facts=_StepFacts(FIRST),
        integrator=integrator,
        _largest_product=LIMIT,
        instead=Instead("dormand-prince", 2.0 * STEP),
        _of_section=lambda: (residual, 1.0),
        _set_aside=False,
    )


@pytest.mark.parametrize(
    ("found", "step"),
    [
        (section(), MOST_GROWTH * STEP),
        (section(residual=0.5), math.sqrt(AIM / 0.5) * STEP),
        (section(residual=0.7), STEP),  # by 7 % only
        (section(residual=2.0), STEP),
        (section(asked=1e6), LIMIT / 1e6),
        (section(asked=2e6), STEP),
        (section(residual=0.5, asked=1.5e6), LIMIT / 1.5e6),
        (section(product=2.1), STEP),  # unstable at some time: a warning gives the limit of this step
    ],
    ids=["free", "balance", "little", "unbalanced", "frequency", "unstable", "both", "warned"],
)
def test_the_step_after_one_accepted_section(found: Any, step: float) -> None:
    Stretches._lengthen(found)
    assert found.integrator.step == pytest.approx(step, rel=1e-12)
    assert found._facts.lengthened == (step > STEP)
    assert (found._facts.grown_from, found._facts.grown_to) == ((STEP, step) if step > STEP else (0.0, 0.0))


def test_the_step_never_exceeds_the_first() -> None:
    found = section()
    for _ in range(5):
        Stretches._count_costly(found)
        Stretches._lengthen(found)
    assert found.integrator.step == FIRST
    assert found._facts.lengthened == 2
    assert found._facts.shortest == STEP


def test_a_step_that_was_too_long_is_approached_and_forgotten_after_a_time() -> None:
    found = section()
    found._facts.too_long = 1.5 * STEP
    Stretches._lengthen(found)
    first = found.integrator.step
    assert first == pytest.approx(math.sqrt(1.5) * STEP, rel=1e-12)
    Stretches._lengthen(found)
    second = found.integrator.step
    assert second == pytest.approx(math.sqrt(first * 1.5 * STEP), rel=1e-12)
    for _ in range(int(MEMORY) - 3):
        Stretches._lengthen(found)
    assert found.integrator.step == second  # 4 % below
    Stretches._lengthen(found)
    assert found.integrator.step == MOST_GROWTH * second


def test_after_growth_that_failed_the_step_is_as_before() -> None:
    found = section()
    found._shorter = 0.3
    Stretches._lengthen(found)
    Stretches._note_failure(found)
    assert found._shorter * MOST_GROWTH * STEP == STEP
    assert found._facts.too_long == MOST_GROWTH * STEP
    found._shorter = 0.6
    Stretches._note_failure(found)
    assert found._shorter == 0.6
    found.integrator.step = STEP
    Stretches._lengthen(found)
    found._shorter = 0.5
    found._facts.grown_from = found._facts.grown_to = 0.0  # accepted since
    Stretches._note_failure(found)
    assert found._shorter == 0.5


def test_the_method_is_left_after_costly_sections_in_succession() -> None:
    """One longer step in between begins the count again; within a step the run waits."""
    found = section()
    found._facts.section = LONGEST_SECTION
    sections = COSTLY_STEPS // LONGEST_SECTION
    for step in (STEP, STEP, 3.0 * STEP, *[STEP] * (sections - 1)):
        found.integrator.step = step
        Stretches._count_costly(found)
        assert found._facts.left == math.inf
    found.integrator.settled = False
    Stretches._count_costly(found)
    assert found._facts.left == math.inf
    found.integrator.settled = True
    Stretches._count_costly(found)
    assert found._facts.left == found.integrator.time
    assert found._facts.shortest == STEP


def test_without_another_method_none_is_left() -> None:
    found = section()
    found.instead = None
    found._facts.section = 2.0 * COSTLY_STEPS
    Stretches._count_costly(found)
    assert found._facts.left == math.inf


@pytest.mark.parametrize(("step", "longest"), [(FIRST, LONGEST_SECTION), (STEP, LONGEST_SHORTENED)])
def test_sections_double_while_the_step_does_not_change(step: float, longest: int) -> None:
    """They are short where the step is in question: a section that must be repeated then costs little."""
    found = section()
    found.integrator.step = step
    Stretches._choose_section(found, 1.2 * step)
    lengths = [found._facts.section]
    for _ in range(8):
        Stretches._choose_section(found, step)
        lengths.append(found._facts.section)
    assert lengths == [min(SHORTEST_SECTION * 2**k, longest) for k in range(9)]


def test_sections_that_no_shorter_step_improves_become_longer() -> None:
    found = section()
    found._facts.section, found._set_aside = SHORTEST_SECTION, True
    for _ in range(8):
        Stretches._choose_section(found, STEP)
    assert found._facts.section == found._facts.shortest_section == LONGEST_SECTION
    found._set_aside = False
    Stretches._choose_section(found, 1.2 * STEP)
    assert found._facts.section == LONGEST_SECTION


@pytest.mark.parametrize(
    ("begun", "now", "ends", "in_section", "in_run"),
    [
        (0, LONGEST_SECTION, True, 1.0, 1.0),
        (0, LONGEST_SECTION // 16, False, 16.0, 16.0),
        (LONGEST_SECTION, LONGEST_SECTION * 5 // 4, False, 4.0, 1.6),
        (LONGEST_SECTION, LONGEST_SECTION * 5 // 4, True, 1.0, 1.0),
    ],
    ids=["end", "first section", "second section", "end of the run"],
)
@pytest.mark.parametrize(("of_section", "of_run"), [(1.01, 1.01), (1.01, 0.99), (0.99, 1.01)])
def test_a_section_is_rejected_if_it_and_the_run_exceed_their_limits(
    begun: int, now: int, ends: bool, in_section: float, in_run: float, of_section: float, of_run: float
) -> None:
    """Before its end the limits are those expected at its end."""
    found = section(residual=in_section * of_section)
    found.integrator.statistics = SimpleNamespace(steps=now)
    found._begun = SimpleNamespace(steps=begun, end=begun + LONGEST_SECTION)
    found._exactness = Exactness(of_all=1e-2)
    found.balance = SimpleNamespace(
        energy_exchanged=1e3, losses=np.array([10.0]), residual=-0.1 * in_run * of_run, rounding=lambda exchanged: 0.0
    )
    missed = Stretches._missed(found, Status.RUNNING, ends)
    if min(of_section, of_run) < 1.0:
        assert missed == (0.0, 1.0)
    else:
        assert missed == (in_section * of_section, pytest.approx(1.0 / 1.01))


def test_a_section_is_looked_at_whenever_its_number_of_steps_has_doubled() -> None:
    found = section()
    found._begun = SimpleNamespace(steps=7, end=7 + LONGEST_SECTION)
    looks = []
    for taken in range(0, LONGEST_SECTION + 1, SHORTEST_SECTION // 2):
        found.integrator.statistics = SimpleNamespace(steps=7 + taken)
        if Stretches._at_look.fget(found):  # type: ignore[attr-defined]
            looks.append(taken)
    assert looks == [SHORTEST_SECTION * 2**k for k in range(6)]
