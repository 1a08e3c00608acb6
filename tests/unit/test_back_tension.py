"""Slack spans that hang: their pull by weight, the one that the teeth need, and how both are reported."""

from __future__ import annotations

import math

import pytest

from chaindrive import example, simulate
from chaindrive.analyses.analytical.back_tension import (
    LARGE_SAG,
    back_tension,
    doubt,
    doubt_at_rest,
    doubt_of_pretension,
)
from chaindrive.cli.main import main
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import initial_configuration
from chaindrive.model import Drive, loads, override
from chaindrive.simulation.start import prepare

SLACK = """
name = "slack"
loop = "clockwise"
chain = {{ standard = "40", links = "auto" }}
contact = {{ stiffness = "50 GN/m^1.5", friction = {friction} }}
[[wheels]]
name = "driver"
teeth = 15
tooth = {{ form = "asa-ii" }}
position = [0, 0]
motion = {{ kind = "constant_speed", speed = "-1000 rpm" }}
[[wheels]]
name = "driven"
teeth = 45
tooth = {{ form = "asa-ii" }}
position = ["{distance} in", 0]
inertia = "0.1 kg*m^2"
load_torque = "143.24 N*m"
"""


def slack(distance: float = 20.0, friction: float = 0.1) -> Drive:
    return loads(SLACK.format(distance=distance, friction=friction))


def test_pull_and_need_against_the_formulas_by_hand() -> None:
    drive = slack(friction=0.0)
    found = back_tension(drive, initial_configuration(drive))
    assert found is not None
    length = math.sqrt(
        0.508**2 - (drive.chain.pitch / 2 * (1 / math.sin(math.pi / 45) - 1 / math.sin(math.pi / 15))) ** 2
    )
    rise = math.sqrt(0.508**2 - length**2) / 0.508
    weight = drive.chain.link_mass / drive.chain.pitch * 9.81 * math.sqrt(1.0 - rise**2)
    assert found.share == pytest.approx(0.107, abs=1e-3)
    assert found.pull == pytest.approx(weight * length / (8.0 * found.share), rel=1e-3)
    load = 143.24 / (drive.chain.pitch / (2.0 * math.sin(math.pi / 45)))
    zeta = math.radians(35.0 - 120.0 / 15.0)
    links = 6  # between the seven rollers on 166 degrees of the driver
    left = (math.sin(zeta) / math.sin(zeta + 2.0 * math.pi / 15.0)) ** links
    assert drive.wheels[found.wheel].name == "driver"
    assert found.needed == pytest.approx(load * left / (1.0 - left), rel=1e-3)


def test_friction_of_rollers_on_teeth_holds_the_chain() -> None:
    needs = []
    for friction in (0.0, 0.1, 0.2):
        drive = slack(friction=friction)
        found = back_tension(drive, initial_configuration(drive))
        assert found is not None
        needs.append(found.needed)
    assert needs[0] > needs[1] > needs[2]


def test_a_word_is_said_of_much_slack_and_of_no_other() -> None:
    drive = slack()
    text = doubt(drive, initial_configuration(drive))
    assert text.startswith("chain.links: the slack span driver - driven")
    assert "10.7 %" in text
    assert "3.6 N" in text
    tighter = slack(20.3)
    assert back_tension(tighter, initial_configuration(tighter)).share <= LARGE_SAG  # type: ignore[union-attr]
    assert doubt(tighter, initial_configuration(tighter)) == ""


@pytest.mark.parametrize("name", ["timing-06b", "hanging-chain", "6l60mc", "industrial-08b"])
def test_led_taut_and_open_chains_have_none(name: str) -> None:
    drive = example(name)
    assert doubt(drive, initial_configuration(drive)) == ""


def test_the_slack_side_at_rest_of_a_sprung_cage_against_the_formula_by_hand() -> None:
    """A run of this bicycle jumps on the cog at 1000 W and 1500 W, and does not at 800 W."""
    drive = example("bicycle-50x19")
    zeta = math.radians(35.0 - 120.0 / 19.0) - math.atan(0.1)
    left = (math.sin(zeta) / math.sin(zeta + 2.0 * math.pi / 19.0)) ** 7  # between the eight rollers on 152 degrees
    wraps = drive_facts(drive).route.wrap
    assert f"{1576.0 * left:.0f}" == "37"
    told = doubt_at_rest(drive, wraps, (9.8, 10.2, 10.4, 1576.0))
    assert told.startswith("the slack side of 'cog' carries 10 N at rest, but its teeth need 37 N for 1.58 kN")
    assert "'cog'" in doubt_at_rest(drive, wraps, (9.8, 10.2, 10.4, 1054.0))
    assert not doubt_at_rest(drive, wraps, (9.8, 10.2, 10.4, 845.0))
    assert not doubt_at_rest(drive, wraps, (0.0, 0.0, 0.0, 0.0))


def upright(slack: float, share: float, teeth: int = 17) -> Drive:
    """Return two wheels above one another, with centres that stay in place, whose chain has this slack, in pitches, and
    pulls this share of its breaking load.
    """
    pitch, tooth = 0.0127, {"form": "iso-606"}
    lever = pitch / (2.0 * math.sin(math.pi / (2 * teeth)))
    driver = {"name": "a", "teeth": teeth, "position": [0, 0], "tooth": tooth}
    driven = {"name": "b", "teeth": 2 * teeth, "position": [0, (100 - 1.5 * teeth) / 2 * pitch], "tooth": tooth}
    return Drive.from_dict(
        {
            "name": "upright",
            "chain": {"standard": "08B-1", "links": 100},
            "contact": {"stiffness": 2e10, "friction": 0.1},
            "closing": {"wheel": "b", "slack": slack * pitch},
            "wheels": [
                driver | {"motion": {"kind": "constant_speed", "speed": "300 rpm"}},
                driven | {"inertia": 0.01, "load_torque": share * 17800.0 * lever},
            ],
        }
    )


@pytest.mark.parametrize(
    ("slack", "share", "tensions", "told"),
    [
        (0.2, 0.1, (20.0, 1800.0), False),  # 0.25 pitches free: runs
        (0.2, 0.3, (30.0, 5360.0), False),  # 0.34: runs
        (0.4, 0.3, (20.0, 5360.0), True),  # 0.54: jumps
    ],
)
def test_on_wheels_that_stay_in_place_a_chain_without_length_to_spare_is_held(
    slack: float, share: float, tensions: tuple[float, float], told: bool
) -> None:
    drive = upright(slack, share)
    wraps = drive_facts(drive).route.wrap
    assert ("'a'" in doubt_at_rest(drive, wraps, tensions)) == told


def test_a_tension_of_rounding_needs_no_slack_side() -> None:
    """A chain that hangs slack below its lower wheel, which a motor does not drive yet."""
    drive = upright(2.0, 0.0)
    wraps = drive_facts(drive).route.wrap
    assert doubt_at_rest(drive, wraps, (-8e-10, 4e-10)) == ""
    assert doubt_at_rest(drive, wraps, (0.0, 4.0)) != ""


@pytest.mark.parametrize(("slack", "share", "jumps"), [(0.2, 0.3, False), (0.4, 0.3, True)])
def test_a_run_jumps_where_it_is_told(slack: float, share: float, jumps: bool) -> None:
    ending = simulate(upright(slack, share), 0.2).status.name
    assert (ending == "CHAIN_JUMPED_TOOTH") == jumps


@pytest.mark.parametrize(("distance", "told"), [(0.5092, False), (0.5095, False), (0.5105, True), (0.512, True)])
def test_a_chain_that_is_too_short_is_told(distance: float, told: bool) -> None:
    """Wheels 1.1 mm too far apart pull a chain of 108 links with an eighth of its breaking load: nothing said so."""
    drive = override(example("industrial-08b"), {"wheels.conveyor.position": [distance, 0.0]})
    notes = prepare(drive, start="at_rest").system.story.notes
    tensions, strength = notes["static_span_tension"], drive.chain.breaking_load
    assert strength is not None
    assert (min(tensions) > strength / 8.0) == told
    text = doubt_of_pretension(drive, drive_facts(drive).route, tensions)
    assert bool(text) == told
    if told:
        assert text.startswith("chain.links: ")
        assert f"{100.0 * min(tensions) / strength:.3g} % of the breaking load" in text
        assert "(taut at a centre distance of 509.41 mm)" in text
        intended = override(drive, {"preload": {"span": 0, "tension": "3 kN", "by": "wheel", "wheel": "conveyor"}})
        assert doubt_of_pretension(intended, drive_facts(drive).route, tensions) == ""


def test_check_tells_of_a_chain_that_is_too_short(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["check", "industrial-08b", "--no-draw", "--set", "wheels.conveyor.position.0=512 mm"])
    assert ending.value.code == 0
    assert "of the breaking load" in capfd.readouterr().err
