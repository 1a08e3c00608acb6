"""Every kind of torque on generated drives against its analytical value (docs/validation/driven_wheels.py)."""

from __future__ import annotations

import _driven_kinds as kinds
import driven_wheels as command
import pytest

from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.torques import resisting
from chaindrive.model import loads_on

FAR = 0.15
"""Part of the compared numbers that may deviate by more than a fifth."""


def _made(rows):
    numbers = [
        {"quantity": "mean speed", "where": "a", "run": 1.0 + x, "check": 1.0, "unit": "1", "relative": x} for x in rows
    ]
    return {"kind": "loads", "name": "loads 0", "ending": "REACHED_END", "rows": numbers, "left_out": []}


@pytest.mark.parametrize("kind", kinds.LOADING)
def test_a_load_has_its_mean(kind):
    """Whatever its course, each load has the same mean torque over a turn at its speed."""
    _, plain = kinds.with_torque(0, "load_torque")
    _, drive = kinds.with_torque(0, kind)
    facts = drive_facts(drive)
    last = next(w for w in range(len(drive.wheels)) if w != facts.driver)
    teeth = [wheel.teeth for wheel in drive.wheels]
    speed = abs(facts.driver_speed) * teeth[facts.driver] / teeth[last]
    part = drive.rotors[0] if drive.rotors else drive.wheels[last]
    moment = resisting(loads_on(part), speed, int(facts.senses[last]))
    assert moment == pytest.approx(plain.wheels[last].load_torque, rel=0.02)


@pytest.mark.parametrize("kind", kinds.DRIVING)
def test_a_driver_balances_its_load_at_the_speed_of_the_start(kind):
    _, drive = kinds.with_torque(0, kind)
    facts = drive_facts(drive)
    first = drive.wheels[facts.driver]
    assert first.motion is None
    assert abs(facts.nominal_speed) == pytest.approx(abs(first.initial_speed), rel=0.05)


def test_the_same_index_gives_the_same_drive():
    assert kinds.with_torque(0) == kinds.with_torque(0)
    assert kinds.with_torque(1)[0] == "load_viscous"
    assert len(set(kinds.KINDS)) == len(kinds.KINDS) == 21


def test_what_is_far_is_counted_and_listed():
    row = _made([0.0, 0.1, -0.5, float("nan")])
    assert len(command.far(row)) == 2
    text = command.page([row], [])
    assert "| loads | 1 | 1 | 4 | 10 % |" in text
    assert "| loads 0 | mean speed | a | 0.5 1 | 1 1 | -50 % |" in text


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=pytest.mark.long) for kind in kinds.KINDS])
def test_runs_agree_with_their_analytical_values(kind):
    """On average nine of ten numbers agree within a fifth; the page lists and explains the others."""
    _, drive = kinds.with_torque(1, kind)
    row = command.measured(drive, kind, float(drive.run.until))
    assert row["rows"] or row["left_out"]
    assert len(command.far(row)) <= FAR * len(row["rows"]) + 1
