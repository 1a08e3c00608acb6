"""The law of friction by default, and the turning rate that smooths joint friction, if the drive determines it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import chaindrive as cd
from chaindrive.formulations import compile_system
from chaindrive.model import override
from support.small_drives import wheels_in_space

SMOOTHED = cd.RollerOptions(friction_law="smoothed")
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
    system = compile_system(drive(), SMOOTHED, at_speed)
    assert system.parameters.joint_friction_rate == pytest.approx(0.02 * 600.0, rel=1e-12)
    assert system.story.notes["joint_friction_rate"] == system.parameters.joint_friction_rate


def test_rate_with_guides_at_rest_and_given() -> None:
    guided = compile_system(drive(guides=[GUIDE]), SMOOTHED, True)
    assert guided.parameters.joint_friction_rate == pytest.approx(0.01 * 600.0, rel=1e-12)
    resting = compile_system(drive(speed=0.0), SMOOTHED, True)
    assert resting.parameters.joint_friction_rate == 1.0
    given = compile_system(drive(), cd.RollerOptions(joint_friction_rate=2.5), True)
    assert given.parameters.joint_friction_rate == given.story.notes["joint_friction_rate"] == 2.5
    smooth = compile_system(override(drive(), {"chain.joint_friction": 0.0}), SMOOTHED, True)
    assert "joint_friction_rate" not in smooth.story.notes


def test_friction_is_elastic_unless_something_of_smoothed_friction_is_given() -> None:
    def law(given: cd.Drive | None = None, **options: Any) -> Any:
        return compile_system(given or drive(), cd.RollerOptions(**options), True).story.notes.get("friction_law")

    assert law() == law(friction_law="elastic") == law(friction_speed=0.1) == "elastic"
    assert law(friction_law="smoothed") == law(friction_sharpness=0.1) == law(joint_friction_rate=2.0) == "smoothed"
    assert law(override(drive(), {"chain.joint_friction": 0.0})) is None  # nothing rubs


def test_it_is_so_in_space() -> None:
    def law(**options: Any) -> Any:
        given = wheels_in_space(options=options)
        return compile_system(given, given.run.formulation, True).story.notes.get("friction_law")

    assert law() == law(friction_law="elastic") == law(friction_sharpness=0.1, presliding=0.0005) == "elastic"
    assert law(friction_law="smoothed") == law(friction_speed=0.6) == law(presliding=0.001) == "smoothed"


@pytest.mark.parametrize(("kind", "option"), [("roller", "joint_friction_rate"), ("spatial", "presliding")])
def test_an_option_of_smoothed_friction_does_not_fit_elastic_friction(kind: str, option: str) -> None:
    with pytest.raises(cd.InputError, match=rf"run\.formulation\.{option}.*smoothed"):
        drive(run={"formulation": {"kind": kind, "friction_law": "elastic", option: 0.2}})


@pytest.mark.parametrize(
    ("law", "shown"),
    [("elastic", "friction elastic: sticks"), ("smoothed", "joint friction is smoothed over 12 rad/s")],
)
def test_check_shows_the_law_and_the_rate(
    law: str, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from chaindrive.cli.check import Request, check

    path = tmp_path / "two.toml"
    path.write_text(drive(run={"formulation": {"friction_law": law}}).to_toml(), encoding="utf-8")
    check(Request(str(path), [], no_draw=True))
    out = " ".join(capsys.readouterr().out.split())
    assert shown in out
    assert ("rad/s" in out.partition("friction is smoothed over")[2]) == (law == "smoothed")


@pytest.mark.long
def test_loss_is_that_of_a_sharper_friction_in_fewer_steps() -> None:
    """tanh of 33 and 17 on the wheels: the loss is complete; the step follows the slope at rest."""
    tight = override(drive(), {"wheels.1.position": (0.3915, 0.0), "wheels.1.load_torque": 100.0})
    runs = [
        cd.simulate(
            tight,
            0.015,
            formulation=cd.RollerOptions(friction_law="smoothed", joint_friction_rate=rate, impact_memory="stored"),
            start="at_speed",
        )
        for rate in (None, 2.0)
    ]
    assert [run.status.name for run in runs] == ["REACHED_END"] * 2
    losses = [run.audit.losses["articulation"] for run in runs]
    assert losses[0] == pytest.approx(losses[1], rel=0.01)
    assert runs[0].statistics["steps"] < 0.4 * runs[1].statistics["steps"]
    assert math.isclose(runs[0].notes["joint_friction_rate"], 12.0)
