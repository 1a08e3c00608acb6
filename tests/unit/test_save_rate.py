"""The number of rows stored per second if a drive does not state it: it follows the fastest excitation."""

from __future__ import annotations

import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.mechanism import save_rate
from chaindrive.mechanism.save_rate import automatic_rate, fastest_excitation, rate_warnings, recommended_rate
from chaindrive.model import example, loads, override
from chaindrive.model.study.description import Study
from chaindrive.studies.plan import make_plan

TEETH = 17
"""Teeth of the motor of industrial-08b, at 500 rpm."""


def turning_at(rpm: float, **changes: object) -> cd.Drive:
    return override(
        example("industrial-08b"), {"wheels.0.motion": {"kind": "constant_speed", "speed": f"{-rpm} rpm"}} | changes
    )


@pytest.mark.parametrize("rpm", [3.0, 60.0, 500.0, 1234.0, 4000.0, 12000.0])
def test_ten_rows_in_a_tooth_period_and_at_least_one_kilohertz(rpm):
    tooth = TEETH * rpm / 60.0
    drive = turning_at(rpm)
    assert fastest_excitation(drive) == pytest.approx(tooth)
    rate = recommended_rate(drive)
    assert rate >= max(1000.0, 10.0 * tooth) * (1.0 - 1e-6)
    assert rate <= 2.0 * max(1000.0, 10.0 * tooth)
    assert rate == float(f"{rate:.0e}")  # one digit


def test_orders_of_motions_and_loads_count_at_the_speed_of_their_wheel():
    orders = [{"order": 40, "amplitude": "1 rad/s^2"}]
    motion = {"kind": "orders", "speed": "-600 rpm", "orders": orders}
    assert fastest_excitation(turning_at(1.0, **{"wheels.0.motion": motion})) == pytest.approx(40 * 10.0)
    drive = turning_at(600.0)
    teeth = drive.wheels[1].teeth
    load = {"kind": "orders", "mean": "-20 N m", "orders": [{"order": 90, "amplitude": "1 N m"}]}
    loaded = override(drive, {"wheels.1.torque": load})
    assert fastest_excitation(loaded) == pytest.approx(90 * 10.0 * TEETH / teeth)
    run_up = {"kind": "run_up", "initial_speed": "-60 rpm", "final_speed": "-1200 rpm", "duration": 1, "orders": orders}
    assert fastest_excitation(override(drive, {"wheels.0.motion": run_up})) == pytest.approx(40 * 20.0)


def test_bodies_that_oscillate_and_stages_that_turn_faster_count():
    still = example("6s90mc-c-tightener")
    arm = next(k for k, body in enumerate(still.bodies) if body.joint.kind == "revolute")
    swing = {"kind": "harmonic", "amplitude": "0.1 deg", "frequency": "333 Hz"}
    shaken = override(still, {f"bodies.{arm}.joint.motion": swing})
    assert fastest_excitation(still) == pytest.approx(64 * 76 / 60, rel=0.01)
    assert fastest_excitation(shaken) == pytest.approx(333.0)
    engine = example("v6-timing")
    first = engine.model_copy(update={"stages": (), "rotors": ()})
    assert fastest_excitation(engine) >= fastest_excitation(first) > 0.0


def test_nothing_turns_in_a_chain_that_hangs():
    assert fastest_excitation(example("hanging-chain")) == 0.0
    assert recommended_rate(example("hanging-chain")) == 1000.0


@pytest.mark.parametrize(("duration", "row_bytes"), [(1.0, 5000), (10.0, 20_000), (1e4, 1_000_000), (1e-3, 0)])
def test_long_and_large_results_keep_to_the_limit_of_size(duration, row_bytes):
    drive = turning_at(6000.0)
    rate = automatic_rate(drive, duration, row_bytes)
    assert 1000.0 <= rate <= recommended_rate(drive)
    assert rate == 1000.0 or rate * duration * row_bytes <= 500e6
    if rate < recommended_rate(drive):  # not lower than it has to be
        assert 2.0 * rate * duration * row_bytes > 500e6


def test_a_run_stores_them_and_says_so_in_its_description():
    run = cd.simulate(turning_at(3000.0), until=0.02, formulation="block", progress=False)
    rate = recommended_rate(turning_at(3000.0))
    np.testing.assert_allclose(np.diff(run.time), 1.0 / rate)
    assert run.drive.run.save.rate == rate
    assert not any("save.rate" in text for text in run.warnings)


def test_a_rate_too_low_for_the_teeth_is_said_with_the_one_that_shows_them():
    drive = turning_at(3000.0)
    (text,) = rate_warnings(drive, 1000.0)
    assert all(word in text for word in ("save.rate", "1000 Hz", "850 Hz", f"{recommended_rate(drive):g} Hz"))
    assert rate_warnings(drive, 4.01 * TEETH * 50.0) == ()
    sampled = cd.simulate(drive, 0.02, formulation="block", save=cd.SaveOptions(rate=1000.0), progress=False)
    assert text in sampled.warnings
    means = cd.SaveOptions(rate=1000.0, reduce="mean")
    assert not any("save.rate" in told for told in cd.simulate(drive, 0.02, formulation="block", save=means).warnings)


def test_a_resumed_run_keeps_its_rate_even_to_a_later_end(tmp_path, monkeypatch):
    drive, path = turning_at(6000.0), tmp_path / "run.nc"
    monkeypatch.setattr(save_rate, "LARGEST", 60_000.0)
    with cd.simulate(drive, 0.02, formulation="block", output=path, progress=False) as before:
        step = float(before.time[1] - before.time[0])
    assert 1.0 / step < recommended_rate(drive)
    monkeypatch.setattr(save_rate, "LARGEST", 500e6)
    with cd.simulate(drive, 0.05, formulation="block", output=path, resume=True, progress=False) as after:
        np.testing.assert_allclose(np.diff(after.time), step)
        assert after.time[-1] == pytest.approx(0.05)


def test_runs_of_a_study_with_spectra_share_the_rate_of_the_fastest():
    fields = {
        "name": "speeds",
        "drive": "industrial-08b",
        "parameters": [{"name": "n", "unit": "rpm", "values": [-300, -3000], "set": "wheels.0.motion.speed"}],
        "figures_of_merit": [{"name": "largest", "channel": "link_tension", "reduce": "max"}],
    }
    spectra = [{"channel": "span_tension", "item": [0]}]
    plain = make_plan(Study.from_dict(fields), example("industrial-08b"))
    shown = make_plan(Study.from_dict(fields | {"spectra": spectra}), example("industrial-08b"))
    high = make_plan(
        Study.from_dict(fields | {"spectra": [spectra[0] | {"highest_frequency": "6 kHz"}]}), example("industrial-08b")
    )
    rates = [[loads(run.drive).run.save.rate for run in plan.runs] for plan in (plain, shown, high)]
    assert rates == [["auto", "auto"], [recommended_rate(turning_at(3000.0))] * 2, [30_000.0] * 2]
    assert math.isfinite(rates[2][0])
