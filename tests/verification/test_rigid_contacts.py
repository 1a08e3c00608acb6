"""Motion with rigid contacts, dry friction and impacts against closed-form solutions and published numbers.

The problems and their formulas are in ``docs/validation/_nonsmooth_rows.py``, from which the page is made, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from _nonsmooth_rows import ROWS, Row, on_its_left_corner
from _nonsmooth_systems import WOODPECKER_START, block, body, bowl, rod, woodpecker

from chaindrive.contract.status import Status
from chaindrive.contract.unilateral import contact_laws
from chaindrive.errors import InputError
from chaindrive.solvers.complementarity import FORMS
from chaindrive.solvers.nonsmooth import TIME_STEPPING, EventDriven, TimeStepping, dense_system
from chaindrive.solvers.nonsmooth.accelerations import reactions
from chaindrive.solvers.nonsmooth.instant import Instant
from support.row_of_masses import energy, row_of_masses

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "rigid-contacts.md"


@pytest.mark.parametrize("rows", ROWS, ids=lambda rows: rows.__name__)
def test_numbers_of_the_page(rows: Callable[[], list[Row]]):
    found = rows()
    assert found
    assert [row for row in found if not row.kept] == []


def test_events_are_the_same_in_both_forms():
    compact, paper = (
        EventDriven(woodpecker(), form=form).run(*WOODPECKER_START, (0.0, 0.13)) for form in ("compact", "paper")
    )
    assert [event.kind for event in compact.events[:4]] == ["sticks", "slips", "opens", "impact"]
    assert [event[1:3] for event in compact.events] == [event[1:3] for event in paper.events]
    np.testing.assert_allclose(compact.position, paper.position, atol=1e-9)


def test_a_block_on_a_belt_slips_and_sticks_in_turn():
    system = block(1.0, 100.0, 0.0, 10.0, belt=0.1, friction=0.3, static_friction=0.5)
    found = EventDriven(system).run((0.03, 0.0), (0.1, 0.0), (0.0, 3.0))
    assert [event.kind for event in found.events] == ["slips", "sticks"] * 3 + ["slips"]


def test_reactions_of_a_block_that_sticks_and_of_one_that_slips():
    # Weight 10, pushed by 4 and by 6: below and above static friction 5; then sliding friction 3 is left.
    for push, force, motion, sliding in ((4.0, -4.0, 0.0, 0.0), (6.0, -3.0, 3.0, 1.0), (-6.0, 3.0, -3.0, -1.0)):
        system = block(1.0, 0.0, push, 10.0, friction=0.3, static_friction=0.5)
        instant = Instant(system)
        instant.at(0.0, np.zeros(2), np.zeros(2))
        for form in FORMS:
            found = reactions(instant, system.laws, np.array([0]), np.zeros(1), form)
            np.testing.assert_allclose(found.force, [10.0, force], atol=1e-12)
            np.testing.assert_allclose(found.motion, [0.0, motion], atol=1e-12)
            assert found.sliding == [sliding]


def test_friction_takes_the_energy_that_the_oscillator_loses():
    # m = k = mu N = 1: energy of the spring and the mass, less the path times the force of friction.
    times = np.linspace(0.0, 20.0, 20_001)
    found = EventDriven(block(1.0, 1.0, 0.0, 1.0, friction=1.0)).run((12.0, 0.0), (6.0, 0.0), times)
    x, v = found.position[:, 0], found.velocity[:, 0]
    path = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(x)))])
    energy = 0.5 * (x * x + v * v)
    # Rows beside a turning point miss less than w^2 a h^2/8 of the path.
    np.testing.assert_allclose(energy[0] - energy, path, atol=2e-5)


@pytest.mark.parametrize("method", TIME_STEPPING)
def test_time_stepping_creates_no_energy(method: str):
    # A tall block dropped on its corner: impacts, rocking and sliding, until it lies.
    system = body(0.1, 0.2, friction=0.4, restitution=0.6)
    place = on_its_left_corner(0.1, 0.2, 0.4) + np.array([0.0, 0.05, 0.0])
    found = TimeStepping(system, method, step=1e-3).run(place, (0.5, 0.0, 2.0), 3.0)
    assert found.status == Status.REACHED_END
    inertia = (0.05**2 + 0.1**2) / 3.0
    energy = found.velocity**2 @ [0.5, 0.5, 0.5 * inertia] + 9.81 * (found.position[:, 1] - 0.1)
    # Of the step, by which an impact is late: it gains no more than the fall in it.
    assert np.diff(energy).max() < 9.81 * 1e-3 * np.abs(found.velocity[:, 1]).max()
    assert energy[-1] < 1e-3 * energy[0]
    assert np.abs(found.velocity[-1]).max() < 1e-6
    # At rest both corners carry the weight.
    assert found.force[-1, :2].sum() == pytest.approx(9.81, rel=1e-3)
    assert found.penetration < 5e-3


@pytest.mark.parametrize("method", TIME_STEPPING)
def test_positions_can_be_projected(method: str):
    start = (math.sin(1.0), -math.cos(1.0)), (0.0, 0.0)
    gaps = []
    for projects in (False, True):
        found = TimeStepping(bowl(1.0), method, step=0.01, project_positions=projects).run(*start, 0.5)
        gaps.append(np.abs(1.0 - np.hypot(*found.position.T)).max())
    assert gaps[1] < 2e-4
    assert gaps[1] <= gaps[0]


def test_stiff_springs_taken_implicitly_limit_no_step():
    # 60 masses fly against a wall, h = 25 times the limit of explicit steps 2/omega = sqrt(m/k). In flight the midpoint
    # rule keeps the energy to rounding; the wall takes some, and lets the row go with what its springs gave back.
    system = row_of_masses(60, 0.01, 1e7)
    step = 25.0 * math.sqrt(0.01 / 1e7)
    pulled = 1e-4 * np.sin(np.linspace(0.0, 3.0, 60))
    found = TimeStepping(system, step=step).run(0.01 + pulled, np.full(60, -2.0), 0.02)
    total = energy(system, found.position, found.velocity)
    touches = np.flatnonzero(found.force[:, 0] > 0.0)
    assert touches.size > 1
    flight = total[: touches[0]]
    np.testing.assert_allclose(flight, flight[0], rtol=1e-10)
    assert np.diff(total).max() < 1e-10 * total[0]
    after = found.velocity[touches[-1] + 1 :].mean(axis=1)
    # Free again: the momentum stays, and the impulses of the wall have turned it.
    np.testing.assert_allclose(after, after[0], rtol=1e-9)
    assert after[0] > 0.0
    impulse = found.force[:, 0].sum() * step
    assert 0.6 * (after[0] + 2.0) == pytest.approx(impulse, rel=1e-9)


def test_a_system_with_structure_is_the_same_as_a_dense_one():
    system, step = row_of_masses(12, 0.01, 1e5), 1e-3
    instant, rng = Instant(system), np.random.default_rng(2)
    position, force = rng.normal(size=12), rng.normal(size=12)
    instant.at(0.0, position, position, step)
    stiffness = 1e5 * (np.diag([1.0, *[2.0] * 10, 1.0]) - np.eye(12, k=1) - np.eye(12, k=-1))
    mass = 0.01 * np.eye(12) + 0.25 * step**2 * stiffness
    np.testing.assert_allclose(instant.solved(force), np.linalg.solve(mass, force), rtol=1e-10)
    np.testing.assert_allclose(instant.state.force, -stiffness @ position, rtol=1e-10)
    inverse = instant.inverse_inertia(instant.rows([0]))
    np.testing.assert_allclose(inverse, [[np.linalg.inv(mass)[0, 0], 0.0], [0.0, 0.0]], rtol=1e-10)


def test_a_contact_that_opens_by_its_forces():
    # A particle with less speed than a loop takes leaves the bowl where u^2/R + g cos(phi) = 0, phi from below.
    speed = math.sqrt(4.0 * 9.81)
    found = EventDriven(bowl(1.0)).run((0.0, -1.0), (speed, 0.0), np.linspace(0.0, 2.0, 20_001))
    opens = found.events[0]
    assert (opens.kind, opens.contacts) == ("opens", ("particle in bowl",))
    at = np.searchsorted(found.time, opens.time)
    # u^2 = 4 g R - 2 g R (1 - cos(phi)): cos(phi) = -2/3, that is 2/3 R above the centre.
    assert found.position[at, 1] == pytest.approx(2.0 / 3.0, abs=1e-3)
    assert [event.kind for event in found.events[:2]] == ["opens", "impact"]


def test_a_rod_that_comes_to_jam_is_stopped_by_name():
    # Its tip slides at 3 m/s while it turns towards the first configuration of Painleve: the force grows beyond bounds.
    tilt, turn = 0.6, 3.0
    place = (math.cos(tilt), math.sin(tilt), tilt)
    velocity = (-3.0 - turn * math.sin(tilt), turn * math.cos(tilt), turn)
    found = EventDriven(rod(1.0, friction=2.0)).run(place, velocity, (0.0, 0.1))
    assert found.status.name == "PAINLEVE"
    assert found.status.where == "contact 'tip of the rod'"
    assert "jams" in found.status.description
    assert found.status.advice
    assert 0.0 < found.end < 0.1
    # Where it slides the other way nothing jams. Time stepping has an impact there.
    assert EventDriven(rod(1.0, friction=2.0)).run(place, (1.0, 0.0, 0.0), (0.0, 0.1)).status == Status.REACHED_END
    steps = TimeStepping(rod(1.0, friction=2.0), step=1e-4).run(place, velocity, 0.1)
    assert steps.status == Status.REACHED_END


def test_the_example_of_the_guide(capsys: pytest.CaptureFixture[str]):
    """Its rod jams by name; when dropped, its tip meets the table after sqrt(2 (2 - sin 0.3)/g)."""
    code = GUIDE.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    exec(compile(code, str(GUIDE), "exec"), {})
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "PAINLEVE contact 'tip of the rod'"
    assert told[1].startswith(f"{math.sqrt(2.0 * (2.0 - math.sin(0.3)) / 9.81):.4f} s: impact of tip of the rod, -")


def test_endless_events_end_the_run():
    system = block(1.0, 0.0, 0.0, 9.81, restitution=0.9)
    found = EventDriven(system).run((0.0, 1.0), (0.0, 0.0), (0.0, 9.0), most_events=5)
    assert found.status.name == "TOO_MANY_EVENTS"
    assert found.status.advice
    assert len(found.events) == 6
    assert len(found.time) == 1
    assert found.end == pytest.approx(found.events[-1].time)


def test_a_force_that_is_no_number_ends_the_run():
    system = block(1.0, 0.0, math.nan, 9.81, friction=0.1)
    assert EventDriven(system).run((0.0, 0.0), (0.0, 0.0), (0.0, 1.0)).status == Status.NOT_A_NUMBER
    for method in TIME_STEPPING:
        found = TimeStepping(system, method, step=1e-3).run((0.0, 0.0), (0.0, 0.0), 1.0)
        assert found.status == Status.NOT_A_NUMBER
        assert found.time[-1] == 1e-3


def test_a_start_in_an_impact_has_it_at_once():
    found = EventDriven(block(1.0, 0.0, 0.0, 9.81, restitution=0.5)).run((0.0, 0.0), (0.0, -1.0), (0.0, 1e-3))
    assert (found.events[0].time, found.events[0].kind) == (0.0, "impact")
    assert found.velocity[0, 1] == pytest.approx(0.5)


def test_what_is_not_allowed_is_refused_with_its_place():
    system = block(1.0, 0.0, 0.0, 1.0)
    with pytest.raises(InputError) as caught:
        contact_laws(
            ("a", "b", "c"), friction=(-0.1, 0.3, 0.1), static_friction=(0.2, 0.2, 0.1), restitution=(0, 0, 1.5)
        )
    assert [problem.place for problem in caught.value.problems] == [
        "contact 'a', friction",
        "contact 'b', static_friction",
        "contact 'c', restitution",
    ]
    with pytest.raises(InputError) as caught:
        TimeStepping(system, "euler", step=0.0, theta=0.2, spectral_radius=1.5)
    assert [problem.place for problem in caught.value.problems] == ["method", "step", "theta", "spectral_radius"]
    with pytest.raises(InputError) as caught:
        EventDriven(system, law="stronge", form="short", rtol=0.0)
    assert [problem.place for problem in caught.value.problems] == ["rtol", "law", "form"]
    with pytest.raises(InputError, match="velocity"):
        TimeStepping(system, step=1e-3).run((0.0, 0.0), (np.nan, 0.0), 1.0)
    with pytest.raises(InputError) as caught:
        TimeStepping(system, step=1e-3).run((0.0, 0.0), (0.0, 0.0), -1.0, every=0)
    assert [problem.place for problem in caught.value.problems] == ["until", "every"]
    with pytest.raises(InputError, match="3 of them"):
        contact_laws(("a", "b"), friction=(0.1, 0.2, 0.3))
    with pytest.raises(InputError, match="times"):
        EventDriven(system).run((0.0, 0.0), (0.0, 0.0), (1.0, 0.0))
    with pytest.raises(InputError, match="laws"):
        dense_system(lambda *_: None, system.parameters.own, contact_laws(("a",)), 2, ("a", "b"))
