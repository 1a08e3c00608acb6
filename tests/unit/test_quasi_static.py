"""Slow drives with heavier masses (simulation/quasi_static.py)."""

from __future__ import annotations

import re

import numpy as np
import pytest
from typer.testing import CliRunner

import chaindrive as cd
from chaindrive.cli.main import app
from chaindrive.model import override
from chaindrive.simulation.quasi_static import (
    largest_factor,
    quasi_static_inertia,
    quasi_static_warning,
    with_scaled_masses,
)
from chaindrive.simulation.start import prepare

RPM = np.pi / 30.0


def slow(rpm: float, passages: float = 2.0, **run: object) -> cd.Drive:
    """A chain 08B on 15 and 60 teeth with friction in its joints, which runs for several transits of a link."""
    drive = cd.Drive(
        name="08B, slow",
        chain={"standard": "08B", "links": 110, "joint_friction": 0.1},
        contact={"stiffness": 1e9, "exponent": 1.5, "friction": 0.1, "restitution": 0.3},
        wheels=[
            {"name": "driver", "teeth": 15, "position": [0, 0], "inertia": 0.01, "tooth": {"form": "iso-606"},
             "motion": {"kind": "constant_speed", "speed": -rpm * RPM}},
            {"name": "driven", "teeth": 60, "position": [0.442, 0], "inertia": 0.1, "tooth": {"form": "iso-606"},
             "load_torque": 100.0},
        ],
        closing={"wheel": "driven", "direction": 0, "slack": 0.0005},
        loop="clockwise",
        gravity=[0, -9.81],
    )  # fmt: skip
    return override(drive, {"run.until": passages * 60.0 / (15.0 * rpm)} | {f"run.{k}": v for k, v in run.items()})


def lost(drive: cd.Drive) -> tuple[float, float]:
    """Loss in the joints in the last of two transits [J], and mean tension of the tight span [N]."""
    sol = cd.simulate(drive, progress=False)
    work, tension = sol["work_articulation"].values, sol["span_tension"].values.max(axis=1)
    last = len(work) // 2
    return work[-1] - work[last], tension[last:].mean()


def test_masses_are_scaled_and_weights_are_not():
    drive = cd.example("forklift-mast")
    scaled = with_scaled_masses(drive, 5.0)
    assert scaled.chain.link_mass == pytest.approx(25.0 * drive.chain.link_mass)
    assert scaled.chain.link_damping == pytest.approx(5.0 * drive.chain.link_damping)
    assert scaled.chain.link_stiffness == drive.chain.link_stiffness
    assert scaled.bodies[0].mass == pytest.approx(25.0 * drive.bodies[0].mass)
    assert scaled.wheels[0].inertia == pytest.approx(25.0 * drive.wheels[0].inertia)
    weights = [np.multiply(each.gravity, each.chain.link_mass) for each in (drive, scaled)]
    np.testing.assert_allclose(*weights)
    at_rest = [prepare(each, start="at_rest").system.story.notes["static_span_tension"] for each in (drive, scaled)]
    np.testing.assert_allclose(*at_rest, rtol=1e-6)


def test_a_recommended_factor_can_be_used_even_if_no_key_allows_such_masses():
    drive = slow(0.001)
    factor = largest_factor(drive, prepare(drive, start="as_placed").system)
    mass = factor**2 * drive.chain.link_mass
    with pytest.raises(cd.InputError, match="link_mass"):
        override(drive, {"chain.link_mass": mass})
    assert with_scaled_masses(drive, factor).chain.link_mass == pytest.approx(mass)
    sol = cd.simulate(override(drive, {"run.quasi_static": factor}), 1.0, progress=False)
    assert sol.status.name == "REACHED_END"


def test_losses_and_tensions_do_not_depend_on_the_factor():
    loss, tension = zip(*(lost(slow(1.0, quasi_static=factor)) for factor in (20.0, 40.0)), strict=True)
    assert loss[1] == pytest.approx(loss[0], rel=0.01)
    assert tension[1] == pytest.approx(tension[0], rel=1e-3)
    # a joint turns by 2 pi/z on both sides of both wheels, under a little less than the tension of the span
    closed = 0.1 * 0.5 * 4.45e-3 * (tension[0] + 16.0) * 2.0 * np.pi * (1.0 / 15.0 + 1.0 / 60.0)
    assert 0.92 * closed < loss[0] < closed


def test_a_run_says_what_does_not_hold_and_what_is_too_much():
    sol = cd.simulate(slow(1.0, 0.05, quasi_static=30.0), progress=False)
    (told,) = [text for text in sol.warnings if "Quasi-static" in text]
    assert "900 times" in told
    assert "run.quasi_static" not in told
    assert sol.drive.chain.link_mass == slow(1.0).chain.link_mass  # what is stored is the drive itself
    fast = cd.simulate(slow(100.0, 0.05, quasi_static=30.0), progress=False)
    assert any("run.quasi_static" in text for text in fast.warnings)


def test_the_advice_on_a_factor_that_is_too_large_can_be_followed():
    def told(rpm, factor):
        drive = slow(rpm)
        return quasi_static_warning(drive, prepare(drive, start="as_placed").system, factor)

    allowed = float(re.search(r"run\.quasi_static = ([\d.]+) or less", told(10.0, 30.0))[1])
    assert 1.0 < allowed < 30.0
    assert "run.quasi_static" not in told(10.0, allowed)
    assert "run.quasi_static" in told(10.0, allowed + 0.2)
    assert "omit run.quasi_static" in told(3000.0, 1.1)


def test_the_mass_of_goods_is_that_of_the_drive(tmp_path):
    """Between two points that are 0.2 m apart; in results in memory, in a file, and as observed."""
    goods = [{"name": "grain", "span": 1, "start": 0.1, "end": 0.3, "transition": 0.05, "mass_per_length": 10.0}]
    drive = override(slow(100.0, 0.001), {"payloads": goods})
    mass = cd.simulate(drive, progress=False).values("payload_mass")
    assert 1.0 < mass[0, 0] < 2.0
    heavier = override(drive, {"run.quasi_static": 20.0})
    seen: list[np.ndarray] = []
    observed = cd.simulate(heavier, progress=False, observe=lambda given: seen.append(given.values("payload_mass")))
    stored = cd.simulate(heavier, progress=False, output=tmp_path / "run.nc").values("payload_mass")
    for each in (cd.simulate(heavier, progress=False).values("payload_mass"), stored, np.concatenate(seen)):
        np.testing.assert_allclose(each, mass, rtol=1e-3)
    np.testing.assert_array_equal(observed.values("payload_mass"), stored)


def test_the_recommended_factor_falls_with_the_speed():
    found = []
    for rpm in (1.0, 10.0, 1000.0):
        drive = slow(rpm)
        found.append(largest_factor(drive, prepare(drive, start="at_rest").system))
    assert found[0] == pytest.approx(10.0 * found[1], rel=0.2)
    assert found[2] == 1.0
    for name in ("motorcycle", "hanging-chain"):
        given = cd.example(name)
        assert largest_factor(given, prepare(given, start="as_placed").system) == 1.0
    drive = slow(1.0)
    inertia = quasi_static_inertia(drive, prepare(drive, start="at_rest").system, found[0])
    assert inertia.tension < 2e-3
    assert inertia.tooth < 0.3


def test_a_vehicle_is_refused():
    with pytest.raises(cd.InputError) as caught:
        cd.simulate(override(cd.example("motorcycle"), {"run.quasi_static": 2.0}), progress=False)
    assert caught.value.problems[0].place == "wheels.1.vehicle"


@pytest.mark.parametrize(("method", "recommended"), [("dormand-prince", True), ("auto", False)])
def test_check_recommends_it_for_a_slow_drive_in_explicit_steps(method, recommended, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "slow.toml"
    path.write_text(override(slow(0.01), {"run.solver.method": method}).to_toml(), encoding="utf-8")
    shown = CliRunner().invoke(app, ["check", str(path)]).output
    assert ("run.quasi_static = " in shown) == recommended
    assert ("generalized-alpha" in shown) == (not recommended)
