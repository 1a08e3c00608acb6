"""Initial targets of the chain drive block: met by priority; too many and contradictory ones are named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.errors import InputError
from chaindrive.simulation.start import prepare
from support import block_drives as blocks

MOTION = {"kind": "constant_speed", "speed": 20.0}


def started(targets: list[dict[str, Any]], **options: Any) -> System:
    """Two wheels, the first of them driven at 20 rad/s; both can be chosen except its speed."""
    options = {"damping": 30.0, "slack": 2e-3} | options
    drive = blocks.two_wheels({"motion": MOTION}, {"load_torque": 3.0}, targets=targets, **options)
    return prepare(drive, start="at_speed").system


def value(system: System, name: str) -> Any:
    return system.channel(name).read(system.row(0.0, system.state))


def target(variable: str, index: int, wanted: float, priority: str = "high") -> dict[str, Any]:
    part = "wheel" if variable in ("speed", "angle") else "span"
    return {"variable": variable, part: index, "value": wanted, "priority": priority}


def test_high_targets_are_met_exactly_and_nothing_else_moves() -> None:
    before = started([])
    after = started([target("speed", 1, 7.5), target("elongation", 0, -1.5e-3)])
    assert value(after, "wheel_speed").tolist() == pytest.approx([20.0, 7.5], rel=1e-12)
    assert value(after, "span_elongation")[0] == pytest.approx(-1.5e-3, rel=1e-12)
    only_speed = started([target("speed", 1, 7.5)])
    np.testing.assert_allclose(value(only_speed, "wheel_angle"), value(before, "wheel_angle"), rtol=1e-12, atol=1e-15)


def test_a_tension_is_that_of_spring_and_damper() -> None:
    """1e5 N/m e + 30 N s/m e' with e' = R_a w_a - R_b w_b = 0.05 x 20 - 0.1 x 9 = 0.1 m/s."""
    system = started([target("tension", 1, 250.0), target("speed", 1, 9.0)])
    assert value(system, "span_tension")[1] == pytest.approx(250.0, rel=1e-12)
    assert value(system, "span_elongation")[1] == pytest.approx((250.0 - 30.0 * 0.1) / blocks.STIFFNESS, rel=1e-9)


def test_low_targets_share_what_high_ones_leave() -> None:
    """Two targets of low priority for one speed meet in the middle; against one of high priority they have no
    effect.
    """
    wishes = [target("speed", 1, 8.0, "low"), target("speed", 1, 10.0, "low")]
    assert value(started(wishes), "wheel_speed")[1] == pytest.approx(9.0, rel=1e-12)
    assert value(started([*wishes, target("speed", 1, 2.0)]), "wheel_speed")[1] == pytest.approx(2.0, rel=1e-12)


def test_low_against_the_motion_gives_way_and_is_told() -> None:
    system = started([target("speed", 0, 3.0, "low")])
    assert value(system, "wheel_speed")[0] == pytest.approx(20.0)
    assert system.story.notes["targets"] == ["speed of wheel 'a': 20 rad/s, requested 3 rad/s (priority low)"]


def test_priority_none_asks_for_nothing() -> None:
    np.testing.assert_array_equal(started([target("speed", 1, 3.0, "none")]).state, started([]).state)


def problems(targets: list[dict[str, Any]], **options: Any) -> list[str]:
    with pytest.raises(InputError) as error:
        started(targets, **options)
    return [str(problem) for problem in error.value.problems]


def test_a_target_against_a_motion_is_told() -> None:
    (found,) = problems([target("speed", 0, 3.0)])
    assert "run.formulation.targets[0]" in found
    assert "speed of wheel 'a' contradicts the prescribed speed of wheel 'a' (20 rad/s)" in found or (
        "speed of wheel 'a'" in found and "20 rad/s" in found and "3 rad/s" in found
    )


def test_contradictions_and_surplus_are_told_all_at_once_with_names_and_values() -> None:
    """Both elongations add up to -2 mm: one of the two is redundant, whether they agree with that or not."""
    surplus = [target("elongation", 0, -1.5e-3), target("elongation", 1, -0.5e-3)]
    (found,) = problems(surplus)
    assert "targets[1]" in found
    assert "is redundant as a target" in found
    assert "elongation of span 1 (b - a)" in found
    assert "elongation of span 0 (a - b) = -1.5 mm" in found
    contrary = [target("elongation", 0, -1.5e-3), target("elongation", 1, 1e-3), target("speed", 0, 1.0)]
    first, second = problems(contrary)
    assert "contradicts" in first
    assert "from which -500 µm follows" in first
    assert "got 1 mm" in first
    assert "speed of wheel 'a'" in second


def test_one_of_them_with_low_priority_is_no_contradiction() -> None:
    system = started([target("elongation", 0, -1.5e-3), target("elongation", 1, 1e-3, "low")])
    assert value(system, "span_elongation").tolist() == pytest.approx([-1.5e-3, -0.5e-3], rel=1e-9)


def test_a_tension_that_would_push_is_told() -> None:
    (found,) = problems([target("tension", 1, 1.0), target("speed", 1, 9.0)], damping=3000.0)
    assert "tension of span 1 (b - a) cannot be met" in found
    assert "slack by" in found


def test_targets_come_through_a_file_and_hold_for_a_run() -> None:
    drive = blocks.two_wheels({"motion": MOTION}, targets=[target("speed", 1, 7.5), target("elongation", 1, 2e-4)])
    again = cd.model.loads(drive.to_toml())
    assert again == drive
    solution = cd.simulate(again, 0.01)
    assert float(solution.values("wheel_speed")[0, 1]) == pytest.approx(7.5, rel=1e-12)
    assert float(solution.values("span_elongation")[0, 1]) == pytest.approx(2e-4, rel=1e-9)
    assert len(solution.notes["targets"]) == 2


def test_targets_of_wheels_that_are_not_there() -> None:
    with pytest.raises(InputError) as error:
        blocks.two_wheels({"motion": MOTION}, targets=[target("speed", 2, 1.0), target("tension", 5, 1.0)])
    told = str(error.value)
    assert "run.formulation.targets[0].wheel" in told
    assert "run.formulation.targets[1].span" in told
    assert "from 0 to 1" in told


def test_a_drive_runs_freely_from_its_targets_alone() -> None:
    """Only its initial speed drives it; without one it is refused as before."""
    nothing = {"initial_speed": None}
    drive = blocks.two_wheels(nothing, targets=[target("speed", 0, 10.0)], damping=30.0)
    solution = cd.simulate(drive, 0.05, progress=False)
    speed = solution.values("wheel_speed")
    assert float(speed[0, 0]) == pytest.approx(10.0, rel=1e-12)
    assert abs(float(speed[-1, 1])) > 0.0
    assert solution.audit.relative_residual < 1e-5
    with pytest.raises(InputError, match="nothing drives the chain"):
        blocks.two_wheels(nothing, damping=30.0)
