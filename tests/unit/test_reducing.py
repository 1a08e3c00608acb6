"""Reduced drives: from a drive that is a chain drive block itself, all values must be recovered."""

from __future__ import annotations

import re

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.errors import ComputationError, InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import loads
from chaindrive.studies.reduced import LossPoint
from chaindrive.studies.reducing import StaticPoint, _line, _losses, reduce
from chaindrive.studies.ripple import Course, Geometry, waves_of

STIFFNESS, SLACK = (2.0e5, 3.0e5), 1.5e-3


def block(slack=SLACK, **more):
    """A block of known values."""
    changes = {"run.formulation": {"kind": "block", "stiffness": list(STIFFNESS), "slack": slack, "damping": 40.0}}
    return cd.example("industrial-08b").replace(changes | more)


@pytest.mark.parametrize("slack", [SLACK, -1.0e-3])
def test_a_block_comes_back(slack):
    found = reduce(block(slack), load="40 N*m")
    assert [line.stiffness for line in found.spans] == pytest.approx(STIFFNESS, rel=1e-6)
    assert found.slack == pytest.approx(slack, abs=1e-9)
    assert max(line.error for line in found.spans) < 1e-6
    assert max(line.check_error for line in found.spans) < 1e-6
    assert found.friction == pytest.approx(0.0, abs=1e-3)  # springs in equilibrium lose nothing
    assert [point.fitted for point in found.losses] == [True] * 4 + [False]
    options = found.drive.run.formulation
    assert (options.kind, options.stiffness) == ("block", tuple(line.stiffness for line in found.spans))


def test_friction_over_the_tensions_comes_back():
    """The friction of the block over its tensions, a key of the block, is recovered."""
    found = reduce(block(**{"run.formulation.tension_friction": 5e-3}), load="40 N*m")
    assert found.tension_friction == pytest.approx(5e-3, rel=1e-3)
    assert abs(found.losses[-1].error) < 1e-5
    assert found.drive.run.formulation.tension_friction == found.tension_friction


def test_friction_over_the_tension_takes_its_part_of_it():
    """For one taut span F R = M + mu R F, so that F grows by 1 / (1 - mu), and the driver's torque by a further 1 +
    mu.
    """
    runs = [
        cd.simulate(block(**{"run.formulation.tension_friction": mu}), until=0.1, progress=False) for mu in (0.0, 0.01)
    ]
    assert max(run.audit.relative_residual for run in runs) < 1e-9
    without, rubbed = (run["span_tension"].values[-1].max() for run in runs)
    assert rubbed == pytest.approx(without / (1.0 - 0.01), rel=1e-9)
    without, rubbed = (run["wheel_torque"].sel(wheel="conveyor").values[-1] for run in runs)
    assert rubbed == pytest.approx(without, rel=1e-9)  # of the shaft, not of the chain


def test_the_file_holds_the_table_and_is_the_drive():
    found = reduce(block(), load="40 N*m", speed="300 rpm")
    assert len(repr(found)) < 200
    assert found.drive.name in repr(found)
    text = found.to_toml()
    assert loads(text) == found.drive
    table = [line[2:] for line in text.splitlines() if line.startswith("# ")]
    told = found.table().splitlines()
    assert table[: len(told)] == told
    assert sum("not used for the fit" in line for line in table) == 1
    assert reduce(block(), load="40 N*m", speed="300 rpm").to_toml() == text
    assert abs(drive_facts(found.drive).nominal_speed) == abs(drive_facts(block()).nominal_speed)


def test_a_span_is_the_line_of_its_taut_points():
    x = np.array([-3.0, -1.0, 1.0, 2.0, 4.0])
    force = np.maximum(5.0 * (x + 0.5), 0.0)
    points = [
        StaticPoint(1, 1.0, k != 3, np.array([e, 0.0]), np.array([f, 0.0]))
        for k, (e, f) in enumerate(zip(x, force, strict=True))
    ]
    line = _line(points, 0, "a - b")
    assert (line.stiffness, line.offset, line.check_error) == pytest.approx((5.0, 0.5, 0.0))
    assert line.tension(x) == pytest.approx(force)


def test_losses_are_friction_and_damping():
    speeds = (10.0, 10.0, 20.0, 20.0)
    pulled = (1e3, 2e3, 2e3, 4e3)
    points = [
        LossPoint(w, 1.0, True, 1.0, (0.3 + 0.02 * w) * w + 4e-3 * part, 0.5, np.array([2.0 * part]), 0.0)
        for w, part in zip(speeds, pulled, strict=True)
    ]
    unseen = LossPoint(15.0, 1.0, False, 1.0, 1e9, 0.5, np.ones(1), 0.0)
    assert _losses([*points, unseen])[:3] == pytest.approx((0.3, 0.02, 4e-3), rel=1e-9)


SPEEDS, TENSIONS = (0.2, 3.0), (50.0, 2000.0)
MAP = {"speeds": list(SPEEDS), "tensions": list(TENSIONS), "forces": [[2.0, 4.0], [3.0, 9.0]]}


def mapped(speed, tension):
    """Bilinear interpolation between the points."""
    part, along = (speed - SPEEDS[0]) / np.ptp(SPEEDS), (tension - TENSIONS[0]) / np.ptp(TENSIONS)
    (a, b), (c, d) = MAP["forces"]
    return (1.0 - part) * (a + along * (b - a)) + part * (c + along * (d - c))


def test_friction_by_a_map_takes_its_part_of_the_tension():
    """F - f(v, F) is the tension without friction."""
    load = {"wheels.conveyor.load_torque": 25.0}
    none, by_map = (
        cd.simulate(block(**load, **more), until=0.1, progress=False)
        for more in ({}, {"run.formulation.friction_map": MAP})
    )
    assert by_map.audit.relative_residual < 1e-9
    without, rubbed = (run.values("span_tension")[-1].max() for run in (none, by_map))
    conveyor = drive_facts(block()).levers[1]
    speed = abs(by_map.values("wheel_speed")[-1, 1]) * conveyor
    assert SPEEDS[0] < speed < SPEEDS[1]
    assert rubbed - mapped(speed, rubbed) == pytest.approx(without, rel=1e-9)
    lost = by_map.values("work_link_damping")[-20:]
    power = np.polyfit(by_map.time[-20:], lost, 1)[0]
    assert power == pytest.approx(2.0 * mapped(speed, rubbed) * speed, rel=1e-3)  # on both wheels


def test_a_map_of_losses_comes_back():
    """For a bilinear map, also at runs between those of the fit."""
    found = reduce(block(**{"run.formulation.friction_map": MAP}), load="40 N*m", loss_map=True)
    assert [point.fitted for point in found.losses] == [True] * 9 + [False] * 3
    assert max(abs(point.error) for point in found.losses) < 1e-5
    given = found.friction_map
    assert found.drive.run.formulation.friction_map == given
    assert loads(found.to_toml()) == found.drive
    assert "from a map for" in found.table()
    for speed, row in zip(given.speeds, given.forces, strict=True):
        for tension, value in zip(given.tensions, row, strict=True):
            assert value == pytest.approx(mapped(speed, tension), rel=1e-3)


def test_a_map_has_a_value_for_each_point():
    with pytest.raises(InputError, match=r"must be 2 lists.*not 1 lists of 2"):
        block(**{"run.formulation.friction_map": MAP | {"forces": [[1.0, 2.0]]}})
    with pytest.raises(InputError, match="must increase"):
        block(**{"run.formulation.friction_map": MAP | {"speeds": [1.0, 1.0]}})


AMPLITUDES = {(1, 0): 9e-6, (1, 1): 4e-6}
PHASES = {(1, 0): 0.6, (1, 1): -1.1}
RIPPLE = [
    {"span": span, "wheel": wheel, "amplitude": size, "phase": PHASES[span, wheel]}
    for (span, wheel), size in AMPLITUDES.items()
]


def test_ripple_comes_back():
    """Likewise for the ripple of the span that pulls, clockwise: on both wheels, and with it the tensions."""
    own = {"run.formulation.ripple": RIPPLE, "run.formulation.damping": None}  # that of the chain, as the reduced one
    found = reduce(block(**own), load="40 N*m", ripple=True)
    first = {(wave.span, wave.wheel): wave for wave in found.waves if wave.harmonic == 1}
    assert first.keys() == AMPLITUDES.keys()
    for where, wave in first.items():
        assert wave.amplitude == pytest.approx(AMPLITUDES[where], rel=0.02)  # rows are means over 1/48 of a tooth
        assert wave.phase == pytest.approx(PHASES[where], abs=0.02)
    assert max(wave.amplitude for wave in found.waves if wave.harmonic == 2) < 5e-8
    assert [point.fitted for point in found.ripples] == [True] * 4 + [False]
    assert min(abs(point.detailed) for point in found.ripples) > 0.3
    assert max(abs(point.reduced / point.detailed - 1.0) for point in found.ripples) < 0.01
    assert loads(found.to_toml()) == found.drive
    assert "polygonal action" in found.table()


def test_the_closed_form_of_polygonal_action():
    """x = r sin(a) - R a over half a tooth to either side; its first harmonic is R 2 / (z (z^2 - 1))."""
    teeth, pitch = 17, 12.7e-3
    radius = teeth * pitch / (2.0 * np.pi)
    drive = Geometry(np.array([radius, 2 * radius]), np.array([teeth, 34]), np.ones(2), 0, np.full(2, 1e6), np.zeros(2))
    angle = np.linspace(0.0, 4.0 * np.pi / teeth, 4001)
    turned = np.remainder(angle + np.pi / teeth, 2.0 * np.pi / teeth) - np.pi / teeth
    rise = pitch / (2.0 * np.sin(np.pi / teeth)) * np.sin(turned) - radius * turned
    course = Course(angle, np.outer(angle, [1.0, 0.5]), np.zeros((4001, 2)), np.zeros((4001, 2)), np.zeros((4001, 2)))
    tension = 500.0 + 1e6 * (rise - rise.mean())
    lever = radius - np.gradient(rise, angle)
    torque = np.column_stack([-lever * tension, 2 * radius * tension])
    course = course._replace(tension=np.column_stack([tension, np.zeros(4001)]), torque=torque)
    waves = {(wave.wheel, wave.harmonic): wave for wave in waves_of([course], drive)}
    for harmonic in (1, 2):
        wave = waves[0, harmonic]
        assert wave.amplitude == pytest.approx(wave.polygon, rel=0.02)
    assert waves[0, 1].polygon == pytest.approx(radius * 2.0 / (teeth * (teeth**2 - 1)))
    # Angles of the detailed drive count from anywhere: the phase is that over the angle of the block.
    shift = np.array([0.05, 0.0])
    beside = drive._replace(driver=1, offset=radius * shift[0] * np.array([1.0, -1.0]))
    shifted = waves_of([course._replace(angle=course.angle + shift)], beside)
    plain = waves_of([course], drive._replace(driver=1))
    assert [wave.phase for wave in shifted[-4:] if wave.wheel == 0] == pytest.approx(
        [wave.phase for wave in plain[-4:] if wave.wheel == 0], abs=1e-6
    )
    # What the damper of a span adds to its tension is no ripple; to (17 x 0.003)^2.
    damped = tension + 1e6 * 0.003 * np.gradient(rise, angle)
    torque = np.column_stack([-lever * damped, 2 * radius * damped])
    beside = waves_of([course._replace(tension=np.column_stack([damped, np.zeros(4001)]), torque=torque)], drive)
    found = next(wave for wave in beside if (wave.wheel, wave.harmonic) == (0, 1))
    assert found.phase == pytest.approx(waves[0, 1].phase, abs=3e-3)
    assert found.amplitude == pytest.approx(waves[0, 1].amplitude, rel=3e-3)


def test_ripple_needs_a_span_that_pulls():
    drive = block(**{"run.formulation.ripple": [{"span": 1, "wheel": 0, "amplitude": 60e-6}]})
    with pytest.raises(ComputationError, match="no span is taut throughout"):
        reduce(drive, load="0.5 N*m", ripple=True)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"load": "1 mm", "speed": -1.0}, "2 problems"),
        ({"load": 0.0}, "load: must be given, above 0"),
    ],
)
def test_wrong_arguments(given, says):
    with pytest.raises(InputError, match=re.escape(says)):
        reduce(block(), **given)


@pytest.mark.parametrize(
    ("loads", "speed", "largest"),
    [
        ({"load_torque": 30.0}, None, 30.0),
        ({"load_torque": 0.0, "load_viscous": 0.5}, None, 0.5 * 10.0),
        ({"load_torque": 0.0, "load_quadratic": 0.2}, None, 0.2 * 10.0**2),
        ({"load_torque": 0.0, "load_quadratic": 0.2}, "10 rad/s", 0.2 * 5.0**2),
        ({"load_torque": 3.0, "loads": [{"torque": 5.0}, {"torque": 20.0, "start": 1.0, "hold": 0.1}]}, None, 28.0),
        ({"load_torque": 0.0, "torque": -12.0}, None, 12.0),
        ({"load_torque": 0.0, "torque": {"kind": "input", "mean": -8.0, "largest": 9.0}}, None, 8.0),
    ],
)
def test_the_default_load_is_that_of_the_file(loads, speed, largest):
    """All loads of the wheel count, at the highest speed: the driver, with half its teeth, turns at 20 rad/s."""
    drive = block(**{f"wheels.conveyor.{name}": value for name, value in loads.items()})
    drive = drive.replace({"wheels.motor.motion.speed": 20.0, "wheels.conveyor.teeth": 2 * drive.wheels[0].teeth})
    assert reduce(drive, speed=speed).largest_load == pytest.approx(largest, rel=1e-9)


def test_the_default_load_is_the_pull_of_the_other_wheels():
    """An idler at the end of the list has no load: the load in the middle pulls the chain."""
    fields = block().to_dict()
    fields["run"]["formulation"] = {"kind": "block", "stiffness": 1e6}
    motor, conveyor = fields["wheels"]
    idler = {"name": "idler", "teeth": 15, "position": [0.25, -0.25], "inertia": 1e-3, "tooth": {"form": "iso-606"}}
    fields["chain"]["links"] = "auto"
    drive = cd.Drive(**fields | {"wheels": [motor, conveyor, idler]})
    load = drive.wheels[1].load_torque
    assert load > 0.0
    assert reduce(drive).largest_load == pytest.approx(load * 15 / drive.wheels[1].teeth, rel=1e-9)


def test_a_drive_with_machines():
    """The detailed runs need no machine; the reduced drive has the same inputs and couplings."""
    fields = block().to_dict()
    motor, conveyor = fields["wheels"]
    motor["motion"] = {"kind": "input", "speed": 20.0}
    conveyor |= {"load_torque": 0.0, "torque": {"kind": "input", "mean": -25.0}}
    fields["machines"] = [
        {"name": "servo", "shafts": [{"wheel": "motor", "speed": "n"}]},
        {"name": "brake", "shafts": [{"wheel": "conveyor", "torque": "M", "speed": "n"}]},
    ]
    drive = cd.Drive(**fields)
    found = reduce(drive)
    assert found.largest_load == pytest.approx(25.0)
    assert [line.stiffness for line in found.spans] == pytest.approx(STIFFNESS, rel=1e-6)
    assert found.drive.machines == drive.machines
    assert [wheel.motion for wheel in found.drive.wheels] == [wheel.motion for wheel in drive.wheels]
    assert [wheel.torque for wheel in found.drive.wheels] == [wheel.torque for wheel in drive.wheels]


@pytest.mark.parametrize("name", ["cvt-63", "bicycle-50x19", "6s90mc-c-tightener", "differential-hoist"])
def test_drives_that_the_block_cannot_be(name):
    with pytest.raises(InputError, match="cannot be reduced"):
        reduce(name)


def test_a_stiffness_for_each_span():
    with pytest.raises(InputError, match="one for each span"):
        block(**{"run.formulation": {"kind": "block", "stiffness": [1e5, 2e5, 3e5]}})


@pytest.mark.long
def test_against_detailed_runs():
    """Rollers on teeth: errors at points not used in the fit."""
    found = reduce("industrial-08b", load="40 N*m")
    assert max(line.error for line in found.spans) < 0.1
    assert max(line.check_error for line in found.spans) < 0.1
    (check,) = (point for point in found.losses if not point.fitted)
    assert abs(check.error) < 0.02
    reduced, detailed = (
        cd.simulate(drive.replace("wheels.conveyor.load_torque", 30.0), until=0.3)["span_tension"].values[-200:]
        for drive in (found.drive, cd.example("industrial-08b"))
    )
    (slack, tight), (reduced_slack, reduced_tight) = detailed.mean(axis=0), reduced.mean(axis=0)
    assert reduced_tight - reduced_slack == pytest.approx(tight - slack, rel=0.005)
    assert reduced_slack < 1e-6  # it has no weight, whose tension is in both spans of the detailed drive
    assert slack > 20.0
