"""Reports on the limits of the step, the cost of a run, and ways to reduce it
(results/step_limits.py, simulation/cost.py, simulation/forecast.py)."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import chaindrive as cd
from chaindrive.analyses.analytical.conveyor_pull import conveyor_pull
from chaindrive.cli.main import app
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar.rigid_laws import rigid_step
from chaindrive.model import override
from chaindrive.results.step_limits import step_set_by
from chaindrive.simulation.cost import expected_cost
from chaindrive.simulation.forecast import _softer, run_forecast
from chaindrive.simulation.settings import settings_of
from chaindrive.simulation.start import channel_at_start, prepare
from chaindrive.solvers.integrator import METHODS, Integrator, SolverSettings, largest_step
from chaindrive.templates import TEMPLATES


def limits(drive: cd.Drive, **formulation: Any) -> tuple[dict[str, float], float]:
    """Limits of the step by part, strictest first, and the limit assumed for all parts together. [rad/s]"""
    given = override(drive, {f"run.formulation.{name}": value for name, value in formulation.items()})
    system = compile_system(given, given.run.formulation, True)
    return dict(system.story.notes["step_limits"]), system.motion.highest_frequency


@pytest.mark.parametrize("name", ["misaligned-08b", "omar-112"])
def test_links_in_space_name_their_parts(name: str) -> None:
    found, together = limits(cd.example(name))
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert {"links along the chain", "links transverse to the chain", "plates beside the teeth"} <= {*found}
    assert 0.99 * next(iter(found.values())) <= together <= sum(found.values())
    drive = override(cd.example(name), {"chain.joint_damping": 10.0})
    assert next(iter(limits(drive)[0])) == "friction and damping of the joints"


def test_blocks_name_their_spans_and_torques() -> None:
    drive = override(cd.example("industrial-08b"), {f"wheels.1.bearing_{law}": 0.0 for law in ("damping", "friction")})
    found, together = limits(drive, kind="block")
    first, *others = found
    assert first == f"span {drive.span_names[0]!r}"
    # Two wheels: the driver turns as told, and both spans act on the driven one.
    assert len(others) >= 1
    assert found[first] == pytest.approx(together / math.sqrt(2.0), rel=0.1)
    steep = override(drive, {"wheels.1.bearing_damping": 1e4})
    assert next(iter(limits(steep, kind="block")[0])) == f"torques on wheel {drive.wheels[1].name!r}"


@pytest.mark.parametrize("kind", ["roller", "link"])
@pytest.mark.parametrize("name", ["timing-06b", "industrial-08b", "tandem"])
def test_the_strictest_part_comes_first_and_all_together_are_a_little_stricter(name: str, kind: str) -> None:
    found, together = limits(cd.example(name), kind=kind)
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert 0.99 * next(iter(found.values())) <= together <= sum(found.values())


def test_each_part_is_named_when_it_is_the_strictest() -> None:
    drive = cd.example("timing-06b")
    stiff = override(drive, {"wheels.1.contact": {"stiffness": 1e14, "exponent": 1.5}})
    assert next(iter(limits(stiff)[0])) == f"contact with wheel {drive.wheels[1].name!r}"
    slow = override(cd.example("tandem"), {"run.formulation.joint_friction_rate": 1e-3})
    assert next(iter(limits(slow)[0])) == "smoothed friction of the joints"
    steep = override(drive, {"wheels.1.inertia": 1e-9, "wheels.1.load_viscous": 1e-2})
    assert next(iter(limits(steep)[0])) == f"torque on wheel {drive.wheels[1].name!r}"


@pytest.mark.parametrize("kind", ["roller", pytest.param("link", marks=pytest.mark.long)])
def test_no_dashpot_of_joints_or_oil_sets_the_step(kind: str) -> None:
    drive = cd.example("timing-06b")
    given = {"tensioners.0.check_valve.diameter": 0.05, "chain.joint_friction": 0.1}
    found = [limits(override(drive, given | {"chain.joint_damping": c}), kind=kind) for c in (0.0, 0.1, 1e4)]
    assert all(next(iter(parts)) == "links" for parts, _ in found)
    # beside the links, rigid ones turn on springs that are stiff against their inertia
    assert [together for _, together in found[1:]] == pytest.approx([found[0][1]] * 2, rel=1e-12)
    damped = [limits(override(drive, {"chain.joint_damping": c}), kind=kind)[1] for c in np.geomspace(1e-5, 1e3, 5)]
    assert max(damped) < 1.4 * limits(drive, kind=kind)[1]


def test_what_is_told() -> None:
    told = step_set_by({"links": 1e6, "contact with wheel 'a'": 5e5, "bodies": 1e5}, 1.2)
    assert told == "links 1.2 µs; contact with wheel 'a' 2.4 µs; without them 12 µs"
    assert step_set_by({"oil of 'piston'": 4e6, "links": 3e5}, 1.2).endswith("300 ns; without it 4 µs")
    assert step_set_by({"links": 1e6}, 1.2, 0.9) == "links 1.2 µs"
    assert step_set_by({"links": 1e6}, 1.2, 0.1).startswith("accuracy")
    assert step_set_by({}, 1.2) == ""


def test_a_run_a_file_and_check_tell_it(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    begun = CliRunner().invoke(app, ["run", "industrial-08b", "--until", "0.005", "-o", "run.nc"])
    line = " ".join(begun.stderr.split())
    assert line.startswith("Step set by links ")
    assert "steps of at most" in line
    quiet = CliRunner().invoke(app, ["run", "industrial-08b", "--until", "0.005", "-o", "quiet.nc", "--quiet"])
    assert (quiet.exit_code, quiet.stderr) == (0, "")
    with cd.open("run.nc") as run, cd.open("quiet.nc") as other:
        assert run.notes["step_set_by"].startswith("links ")
        assert np.array_equal(run.values("link_tension"), other.values("link_tension"))  # a forecast changes nothing
    told = [CliRunner().invoke(app, words).output for words in (["info", "run.nc"], ["check", "industrial-08b"])]
    assert all("step set by" in text for text in told)
    assert "cost of the run" in told[1]


def test_what_would_make_a_long_run_cheaper_has_its_price(monkeypatch) -> None:
    """The step varies with the root of the stiffness, up to the limit of the other parts; the block has no rollers."""
    stiff = {"links": 4e5, "contact with wheel 'a'": 3e5, "oil of tensioner 'piston'": 2.5e5, "joints": 1e3}
    start = "a quarter of the stiffness of links, contact with wheel 'a' would make the run 1.6 "
    assert _softer(stiff).startswith(start)
    assert "at most 64 kHz" in _softer(stiff)
    assert "2 times shorter" in _softer({"links": 4e5, "joints": 1e3})
    assert _softer({"oil of tensioner 'piston'": 4e5, "links": 3e5}) == ""
    assert _softer({"links": 4e5, "torque on wheel 'a'": 3.9e5}) == ""
    drive = cd.example("industrial-08b")
    system = compile_system(drive, drive.run.formulation, True)
    short = run_forecast(drive, system, drive.run)
    assert short.cost is not None
    assert short.cheaper == ()
    monkeypatch.setattr("chaindrive.simulation.forecast.LONG", 0.0)
    told = run_forecast(drive, system, drive.run).cheaper
    assert any("'block'" in each and "no rollers" in each for each in told)
    assert any(each.startswith("a quarter of the stiffness of links") for each in told)


def test_the_cost_is_that_of_steps_as_long_as_they_may_be() -> None:
    drive = cd.example("industrial-08b")
    system = compile_system(drive, drive.run.formulation, True)
    cost = expected_cost(system, settings_of(drive.run.solver, "dormand-prince"), 2.0)
    assert cost is not None
    assert cost.step == pytest.approx(METHODS["dormand-prince"].step_times_frequency / system.motion.highest_frequency)
    assert cost.steps == pytest.approx(2.0 / cost.step)
    assert 1e-8 < cost.seconds / cost.steps < 1e-2
    longer = expected_cost(system, settings_of(drive.run.solver, "dormand-prince"), 2.0, 10.0)
    assert longer is not None
    assert longer.steps == pytest.approx(0.1 * cost.steps)


RIGID = {"run.formulation": {"kind": "roller", "contacts": "rigid"}}


@pytest.mark.parametrize(("step", "told"), [("auto", "rigid contacts"), (2e-5, "given")])
def test_the_step_of_rigid_contacts_is_chosen_or_given(step: str | float, told: str) -> None:
    drive = override(cd.example("timing-06b"), RIGID | {"run.solver.step": step})
    system = compile_system(drive, drive.run.formulation, True)
    assert step_set_by(system.story.notes["step_limits"], 1.0).startswith(told)


def test_a_slow_drive_resolves_the_vibration_of_its_tight_links() -> None:
    """A roller between links of length P and tension T vibrates at 2 sqrt(T/(m P)) at most: 30 steps per period."""
    drive = override(cd.example("industrial-08b"), RIGID)
    mass, pitch, tension = drive.chain.link_mass, drive.chain.pitch, 600.0
    period = math.pi * math.sqrt(mass * pitch / tension)
    assert rigid_step(drive, np.array([0.5, 0.2]), tension) == pytest.approx(period / (10.0 * math.pi))
    fast = 2.0 * math.pi / (400.0 * drive.wheels[0].teeth)  # the time of a link at 400 rad/s
    assert fast / 150.0 <= rigid_step(drive, np.array([400.0, 150.0]), tension) <= fast / 80.0


CONVEYOR = {"length": "3 m", "speed": "0.1 m/s", "goods": "80 kg/m"}


def test_the_step_of_a_conveyor_on_rigid_rails_resolves_its_tension_at_the_start() -> None:
    """Its take-up, and goods and chain on rails, make it tight, while no wheel has a load: 30 steps per period of the
    fastest vibration. Joints are as stiff as this step resolves, (1.5 / h)^2 m P^2/16."""
    drive = override(TEMPLATES["conveyor"].made(CONVEYOR).drive, RIGID)
    mass, pitch = drive.chain.link_mass, drive.chain.pitch
    system = prepare(drive, drive.run.formulation).system
    tension = float(channel_at_start(system, "link_tension").max())
    pull = conveyor_pull(drive).friction
    assert tension > pull > 50.0
    step = 0.1 * math.sqrt(mass * pitch / tension)
    assert largest_step(system, SolverSettings("moreau-jean")) == pytest.approx(step, rel=1e-3)
    assert list(system.story.notes["step_limits"].values()) == pytest.approx([1.0 / step], rel=1e-3)
    held = mass * pitch**2 / 16.0 * (1.5 / step) ** 2
    assert system.parameters.joint_friction_stiffness == pytest.approx(held, rel=2e-3)


def test_a_given_step_of_a_conveyor_on_rigid_rails_is_kept() -> None:
    drive = TEMPLATES["conveyor"].made(CONVEYOR).drive
    drive = override(drive, RIGID | {"run.solver.step": 1e-3, "run.start": "as_placed"})
    system = prepare(drive, drive.run.formulation).system
    assert largest_step(system, SolverSettings("moreau-jean")) == pytest.approx(1e-3)


def test_the_cost_of_rigid_contacts_is_that_of_whole_steps() -> None:
    """Measured time of a step with its contacts; the system is left unchanged."""
    drive = override(cd.example("industrial-08b"), RIGID | {"run.solver.step": 2e-5})
    system = prepare(drive, drive.run.formulation).system
    settings, memory = settings_of(drive.run.solver, "moreau-jean"), system.memory_arrays()
    before = {name: array.copy() for name, array in memory.items()}
    cost = expected_cost(system, settings, 0.5)
    assert all(np.array_equal(array, before[name], equal_nan=True) for name, array in memory.items())
    run = Integrator(system, settings, 1e6)
    run.advance(1.0, 100)
    begun = time.thread_time()
    run.advance(1.0, 200)
    used = time.thread_time() - begun
    assert cost is not None
    assert cost.steps == pytest.approx(0.5 / 2e-5)
    assert 0.4 < cost.seconds / cost.steps / (used / 200) < 2.5
