"""The turning rate that smooths joint friction, where the drive is to give it."""

from __future__ import annotations

import math
from typing import Any

import pytest

import chaindrive as cd
from chaindrive.formulations import compile_system
from chaindrive.model import override

GUIDE = {
    "name": "rail",
    "shape": {"kind": "on_span", "span": 0, "side": "left", "length": "100 mm"},
    "contact": {"stiffness": 1e8},
}


def drive(speed: float = 300.0, **more: Any) -> cd.Drive:
    """19 and 38 teeth, driven at ``speed`` [rad/s] by the large wheel, after a ramp."""
    wheel = {"tooth": {"form": "asa-ii"}}
    motion = {"kind": "constant_speed", "speed": speed, "ramp": 0.05}
    return cd.Drive(
        name="two wheels",
        gravity=(0.0, 0.0),
        chain={"standard": "08B-1", "links": 90, "joint_friction": 0.1, "joint_damping": 1e-4},
        contact={"stiffness": 1e10, "restitution": 0.3},
        wheels=[
            wheel | {"name": "a", "teeth": 38, "position": (0.0, 0.0), "motion": motion},
            wheel | {"name": "b", "teeth": 19, "position": (0.3925, 0.0), "inertia": 1e-3, "load_torque": 10.0},
        ],
        **more,
    )


@pytest.mark.parametrize("at_speed", [True, False])
def test_rate_comes_from_the_fastest_wheel(at_speed: bool) -> None:
    """Twice the speed of the driver, and that of the run also where it starts at rest."""
    system = compile_system(drive(), cd.RollerOptions(), at_speed)
    assert system.parameters.joint_friction_rate == pytest.approx(0.02 * 600.0, rel=1e-12)
    assert system.story.notes["joint_friction_rate"] == system.parameters.joint_friction_rate


def test_rate_with_guides_at_rest_and_given() -> None:
    guided = compile_system(drive(guides=[GUIDE]), cd.RollerOptions(), True)
    assert guided.parameters.joint_friction_rate == pytest.approx(0.01 * 600.0, rel=1e-12)
    resting = compile_system(drive(speed=0.0), cd.RollerOptions(), True)
    assert resting.parameters.joint_friction_rate == 1.0
    given = compile_system(drive(), cd.RollerOptions(joint_friction_rate=2.5), True)
    assert given.parameters.joint_friction_rate == given.story.notes["joint_friction_rate"] == 2.5
    smooth = compile_system(override(drive(), {"chain.joint_friction": 0.0}), cd.RollerOptions(), True)
    assert "joint_friction_rate" not in smooth.story.notes


def test_check_shows_the_rate(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    from chaindrive.cli.check import Request, check

    path = tmp_path / "two.toml"
    path.write_text(drive().to_toml(), encoding="utf-8")
    check(Request(str(path), [], no_draw=True))
    assert "joint friction is smoothed over 12 rad/s" in " ".join(capsys.readouterr().out.split())


def test_loss_is_that_of_a_sharper_friction_in_fewer_steps() -> None:
    """tanh of 33 and 17 on the wheels: what is lost is lost in full; the step follows the slope at rest."""
    tight = override(drive(), {"wheels.1.position": (0.3915, 0.0), "wheels.1.load_torque": 100.0})
    runs = [
        cd.simulate(tight, 0.015, formulation=cd.RollerOptions(joint_friction_rate=rate), start="at_speed")
        for rate in (None, 2.0)
    ]
    assert [run.status.name for run in runs] == ["REACHED_END"] * 2
    losses = [run.audit.losses["articulation"] for run in runs]
    assert losses[0] == pytest.approx(losses[1], rel=0.01)
    assert runs[0].statistics["steps"] < 0.4 * runs[1].statistics["steps"]
    assert math.isclose(runs[0].notes["joint_friction_rate"], 12.0)
