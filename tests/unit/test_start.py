"""The start: static equilibrium, wanted preload or sag, velocities that roll with the driver."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.status import Accepted, Status
from chaindrive.contract.system import System
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar.endings import CHAIN_JUMPED_TOOTH
from chaindrive.geometry.route import length_in_pitches, pitch_radius, route
from chaindrive.model import override
from chaindrive.simulation.start import _not_at_rest, channel_at_start, prepare, settle
from chaindrive.solvers.equilibrium import equilibrium
from chaindrive.solvers.jacobian import forces_at_rest
from support.short_searches import give_up_early


@pytest.fixture(scope="module")
def drive() -> cd.Drive:
    return cd.example("industrial-08b")


def test_start_at_rest_is_an_equilibrium(drive: cd.Drive) -> None:
    system = prepare(drive, start="at_rest").system
    # 40 N m on a radius of 77 mm pull 520 N; the tolerance is 1e-5 of that and of the weight of the chain.
    assert (
        np.abs(forces_at_rest(system, 0.0, system.state)).max()
        < system.story.notes["static_tolerance"]
        < 1.1e-5 * 530.0
    )
    assert not system.story.warnings
    # Moment balance of the conveyor about its centre: (tight - slack) R = load torque; the wheel is free.
    slack, tight = channel_at_start(system, "span_tension")
    radius = drive.chain.pitch / (2.0 * math.sin(math.pi / 38))
    weight = drive.chain.links * drive.chain.link_mass * 9.81  # the strands' own weight acts besides: at most this
    assert (tight - slack) * radius == pytest.approx(40.0, abs=weight * radius)


@pytest.mark.parametrize(("breaking_load", "told"), [(500.0, True), (600.0, False)])
def test_a_tension_at_rest_above_the_breaking_load_is_told(drive: cd.Drive, breaking_load: float, told: bool) -> None:
    weak = override(drive, {"chain.breaking_load": breaking_load})
    warnings = prepare(weak, start="at_rest").system.story.warnings
    assert [all(part in text for part in ("524 N", "500 N", "chain.breaking_load")) for text in warnings] == [
        True
    ] * told


def test_slack_span_hangs_on_top(drive: cd.Drive) -> None:
    system = prepare(drive, start="at_rest").system
    slack, tight = channel_at_start(system, "span_displacement")
    assert system.story.notes["initial_sag"] == pytest.approx(abs(slack), rel=0.2)
    assert abs(slack) > 5.0 * abs(tight)


def test_start_at_speed_rolls(drive: cd.Drive) -> None:
    """No tooth runs into a roller: the first evaluation finds no approach faster than the mesh allows."""
    system = prepare(drive, start="at_speed").system
    speed = channel_at_start(system, "wheel_speed")
    # Equal tooth frequencies: z1 w1 = z2 w2.
    assert 17 * speed[0] == pytest.approx(38 * speed[1], rel=1e-12)
    rollers = channel_at_start(system, "roller_velocity")
    chain_speed = abs(speed[0]) * 17 * drive.chain.pitch / (2.0 * math.pi)
    # On a wheel a roller moves on the pitch circle: p z w / (2 pi) times (pi/z)/sin(pi/z), 0.6 % above for z=17.
    ratio = np.hypot(*rollers.T) / chain_speed
    assert ratio.max() < (math.pi / 17) / math.sin(math.pi / 17) + 1e-3
    assert ratio.min() > 1.0 - 1e-2
    force = channel_at_start(system, "contact_force")
    assert force.max() < 3.0 * 40.0 / 0.0769  # statics only: far below any impact


def test_wanted_tension_by_moving_a_wheel(drive: cd.Drive) -> None:
    wanted = override(drive, {"preload": {"span": 0, "tension": "200 N", "by": "wheel", "wheel": 1}})
    started = prepare(wanted, start="at_rest")
    assert channel_at_start(started.system, "span_tension")[0] == pytest.approx(200.0, rel=1e-3)
    moved = started.drive.wheels[1].position[0] - drive.wheels[1].position[0]
    said = re.search(r"moved by ([+-][0-9.]+) mm", started.system.story.notes["preload_adjustment"])
    assert said is not None
    assert float(said[1]) == pytest.approx(moved * 1e3, abs=1e-4)
    assert 0.0 < moved < 1e-3


def test_wanted_sag(drive: cd.Drive) -> None:
    wanted = override(drive, {"preload": {"span": 0, "sag": "15 mm", "by": "wheel", "wheel": 1}})
    started = prepare(wanted, start="at_rest")
    assert abs(channel_at_start(started.system, "span_displacement")[0]) == pytest.approx(0.015, rel=1e-3)
    assert started.drive.wheels[1].position[0] < drive.wheels[1].position[0]


def test_wanted_tension_by_the_pitch(drive: cd.Drive) -> None:
    wanted = override(drive, {"preload": {"span": 0, "tension": "200 N", "by": "pitch"}})
    started = prepare(wanted, start="at_rest")
    assert channel_at_start(started.system, "span_tension")[0] == pytest.approx(200.0, rel=1e-3)
    assert started.drive.chain.pitch < drive.chain.pitch
    assert "pitch changed" in started.system.story.notes["preload_adjustment"]


def test_preload_out_of_reach_is_said(drive: cd.Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chaindrive.simulation.preload.GROWTH", 4.0)  # a third of the searches for rest
    far = override(drive, {"preload": {"span": 0, "sag": "400 mm", "by": "wheel", "wheel": 1}})
    with pytest.raises(
        cd.InputError,
        match=r"sag of 400 mm in span 0 \(motor - conveyor\) cannot be reached: moving wheels\[1\] gives values from",
    ) as said:
        prepare(far, start="at_rest")
    assert "to 70.23 mm (at -13 mm)" in str(said.value)  # at -52 mm the chain would lie on a wheel


def test_marine_drives_static_tension() -> None:
    """Prototype: 5.0-5.6 kN, +-0.5 kN with the phase of configuration (6L60MC); 66.7-78 kN (6S90MC-C, both centres)."""
    small = prepare(cd.example("6l60mc"), start="at_rest").system.story.notes
    large = prepare(cd.example("6s90mc-c"), start="at_rest").system.story.notes
    assert 4.0e3 < min(small["static_span_tension"]) < max(small["static_span_tension"]) < 6.1e3
    assert 60e3 < min(large["static_span_tension"]) < max(large["static_span_tension"]) < 78e3
    assert small["static_residual"] < small["static_tolerance"] < 0.2
    assert large["static_residual"] < large["static_tolerance"] < 1.5


def two_wheels(links: int, needed: float, torque: float = 40.0) -> cd.Drive:
    """08B on 17 and 38 teeth, at the distance for which the route takes this many pitches."""
    from scipy.optimize import brentq

    teeth, pitch = np.array([17, 38]), 0.0127

    def excess(distance: float) -> float:
        way = route(np.array([[0.0, 0.0], [distance, 0.0]]), pitch_radius(pitch, teeth), np.array([1.0, 1.0]))
        return length_in_pitches(way, pitch, teeth) - needed

    return override(
        cd.example("industrial-08b"),
        {
            "chain.links": links,
            "wheels.1.position": [brentq(excess, 0.15, 5.0), 0.0],
            "wheels.1.load_torque": torque,
        },
    )


@pytest.mark.parametrize("needed", [109.94, 111.0, 111.9])
@pytest.mark.parametrize("torque", [0.0, 40.0])
def test_slack_chains_come_to_rest(needed: float, torque: float) -> None:
    """112 links on 109.94 pitches: the residual force used to be 54.7 N after 1006 iterations."""
    system = prepare(two_wheels(112, needed, torque), start="at_rest").system
    assert system.story.notes["static_converged"]
    assert not system.story.warnings
    slack, tight = channel_at_start(system, "span_tension")
    assert 0.0 < slack < 40.0
    assert tight - slack == pytest.approx(torque / 0.0769, abs=20.0)


@pytest.fixture(scope="module")
def beyond() -> tuple[System, list[str]]:
    """A drive with 80 links on 78 pitches, and the progress messages of the search.

    The slack strand pulls with 2.5 N; a torque of 100 N m pulls with 1300 N.
    """
    told: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        give_up_early(patch)
        return prepare(two_wheels(80, 78.0, 100.0), start="at_rest", progress=told.append).system, told


def test_what_no_chain_can_hold_starts_from_the_best_position(beyond: tuple[System, list[str]]) -> None:
    """Rollers climb their teeth under such a load."""
    system, _ = beyond
    assert not system.story.notes["static_converged"]
    (warning,) = system.story.warnings
    assert "no static equilibrium was found" in warning
    assert "at roller" in warning
    assert "take up the slack" in warning
    left = np.abs(forces_at_rest(system, 0.0, system.state)).max()
    # The initial configuration, which was taken before, leaves the whole load of the wheel.
    assert left == pytest.approx(system.story.notes["static_residual"], rel=0.5)
    assert left < 0.5


def conveyor(links: int, slack: float, **changes) -> cd.Drive:
    """A chain on two rails, its tail wheel on a carriage that is pulled with 3 kN."""
    from scipy.optimize import brentq

    pitch, teeth = 0.0635, np.array([20, 20])
    radius = float(pitch_radius(pitch, 20))

    def excess(distance: float) -> float:
        way = route(np.array([[0.0, 0.0], [distance, 0.0]]), pitch_radius(pitch, teeth), np.array([1.0, 1.0]))
        return length_in_pitches(way, pitch, teeth) - links + slack

    far = brentq(excess, 1.0, links * pitch)
    rails = [("top", 0.9, 0.0, "right", radius), ("bottom", far - 0.9, math.pi, "left", -radius)]
    return cd.Drive(
        **{
            "name": "conveyor",
            "chain": {
                "pitch": pitch, "roller_diameter": 0.04, "links": links, "link_mass": 1.0, "link_stiffness": 50e6,
                "link_damping": 2e3,
            },
            "contact": {"stiffness": 5e9, "restitution": 0.0, "friction": 0.1},
            "wheels": [
                {
                    "name": "drive", "teeth": 20, "position": (0.0, 0.0), "tooth": {"form": "iso-606"},
                    "motion": {"kind": "constant_speed", "speed": 1.0},
                },
                {
                    "name": "tail", "teeth": 20, "position": (far, 0.0), "tooth": {"form": "iso-606"}, "inertia": 5.0,
                    "mass": 50.0, "body": "carriage",
                },
            ],
            "bodies": [
                {
                    "name": "carriage", "mass": 200.0,
                    "joint": {"kind": "prismatic", "position": (far, 0.0), "direction": 0.0, "load": 3e3},
                }
            ],
            "guides": [
                {
                    "name": name,
                    "shape": {
                        "kind": "path", "start": (x, y - 0.02), "direction": direction, "side": side,
                        "pieces": [{"length": far - 1.8}],
                    },
                    "contact": {"stiffness": 1e9, "restitution": 0.0, "friction": 0.1},
                }
                for name, x, direction, side, y in rails
            ],
        }
        | changes
    )  # fmt: skip


def test_a_long_conveyor_comes_to_rest_in_few_steps() -> None:
    """1,600 links with rails and take-up did not finish in 300 s; the work of a step grows with the links."""
    few, many = (prepare(conveyor(links, 0.5), start="at_rest").system.story.notes for links in (334, 1600))
    assert few["static_converged"]
    assert many["static_converged"]
    assert many["static_iterations"] < 400


def test_a_start_at_speed_has_the_friction_of_its_running_sense() -> None:
    """Along a rail the tension of a chain with the weight q per length grows by mu q L from end to end."""
    drive = conveyor(334, 0.5)
    at_rest, at_speed = (prepare(drive, start=start).system for start in ("at_rest", "at_speed"))
    length = drive.wheels[1].position[0] - 1.8
    still, running = (channel_at_start(system, "link_tension") for system in (at_rest, at_speed))
    where = channel_at_start(at_speed, "roller_position")
    strand = (where[:, 1] > 0.15) & (where[:, 0] > 1.0) & (where[:, 0] < length + 0.8)
    grows = 0.1 * 1.0 * 9.81 * strand.sum()  # friction of each roller on the rail: mu m g
    assert np.ptp(still[strand]) < 0.02 * grows
    assert np.ptp(running[strand]) == pytest.approx(grows, rel=0.03)


def test_a_start_at_speed_carries_the_resistance_of_a_vehicle() -> None:
    """The cog carries the inertia of the vehicle, 19.2 kg m^2. The search has to turn it until the chain is taut."""
    system = prepare(cd.example("tandem")).system
    slack, tight = sorted(channel_at_start(system, "drive chain.span_tension"))
    resistance = channel_at_start(system, "drive chain.wheel_torque")[1]
    assert (tight - slack) * pitch_radius(0.0127, 16) == pytest.approx(resistance, rel=0.02)


def test_the_search_tells_how_far_it_is(beyond: tuple[System, list[str]]) -> None:
    _, told = beyond
    assert told
    assert "iterations, largest residual force" in told[-1]


@pytest.mark.parametrize("friction", [0.1, 0.3])
def test_a_start_at_speed_is_not_jammed_by_friction_in_joints(friction: float) -> None:
    """With a friction of 0.3 another equilibrium exists, with 1075 N where the load explains 543 N."""
    drive = cd.example("industrial-08b").replace({"chain.joint_friction": friction})
    loaded, started = (
        channel_at_start(prepare(drive, start=start).system, "link_tension") for start in ("at_rest", "at_speed")
    )
    assert started.max() < 1.05 * loaded.max()
    assert started.min() < loaded.min() + 0.05 * loaded.max()


def test_a_start_at_speed_does_not_begin_with_a_jump():
    """Dragged along by its loads, this chain would lie a tooth farther on its first wheel: it starts from its position
    at rest.

    A slack chain of 54 links on three wheels, one of the generated drives (docs/validation/generated_drives.py).
    """
    tooth = {"form": "iso-606", "gap": "maximum"}
    places = {"driven": (-0.005499, 0.048613), "driver": (0.032701, -0.038513), "idler": (-0.05033, 0.002894)}
    of_wheels = {
        "driven": {"teeth": 16, "inertia": 1.51e-5, "bearing_friction": 2.6e-3, "load_quadratic": 2e-4},
        "driver": {"teeth": 11, "motion": {"kind": "constant_speed", "speed": 60.96}},
        "idler": {"teeth": 15, "inertia": 2.13e-6, "bearing_friction": 4.1e-3},
    }
    drive = cd.Drive(
        name="slack",
        loop="clockwise",
        gravity=(0.0, -9.81),
        chain={"standard": "25", "links": 54},
        contact={"exponent": 1.5, "stiffness": 1.3e9, "restitution": 0.72, "friction": 0.053},
        wheels=[{"name": name, "position": places[name], "tooth": tooth} | given for name, given in of_wheels.items()],
    )
    system = prepare(drive, start="at_speed").system
    assert system.story.notes["static_converged"]
    p = system.parameters
    assert p.planar.stop_at_jump
    assert system.kernels.begin(0.0, system.state, p) == Accepted.UNCHANGED
    done = cd.simulate(drive, 0.002)
    assert done.status == Status.REACHED_END


def test_a_chain_that_is_placed_through_a_rail_does_not_start_as_placed() -> None:
    """Timing 06B: the led spans are placed straight, up to 8 mm behind the rails."""
    with pytest.raises(cd.InputError, match=r"run\.start: the chain cannot start as placed: .*guide 'fixed rail'"):
        prepare(cd.example("timing-06b"), start="as_placed")


def test_a_rest_from_which_no_run_can_start_is_none(drive: cd.Drive) -> None:
    """A formulation may refuse to begin from balanced forces; the start reports this with the reason."""
    system = compile_system(drive, drive.run.formulation, False)

    def begin(t, y, p):
        answer = system.kernels.begin(t, y, p)
        return CHAIN_JUMPED_TOOTH.code if p.planar.stop_at_jump else answer

    found = settle(dataclasses.replace(system, kernels=system.kernels._replace(begin=begin)))
    assert not found.story.notes["static_converged"]
    assert "static_span_tension" not in found.story.notes
    assert found.story.notes["static_residual"] <= found.story.notes["static_tolerance"]
    assert found.story.warnings[-1].startswith("the static equilibrium that was found is not a valid start: ")
    assert "jumped a tooth" in found.story.warnings[-1]


@pytest.mark.parametrize("formulation", ["roller", "block"])
def test_a_failed_search_advises_nothing_that_the_formulation_lacks(drive: cd.Drive, formulation: str) -> None:
    """For example a block, which has no guides."""
    other = override(drive, {"run.formulation.kind": formulation})
    system = compile_system(other, other.run.formulation, False)
    failed = equilibrium(system, max_iterations=1, ways=())._replace(status=Status.NOT_A_NUMBER, converged=False)
    told = _not_at_rest(system, failed, None)
    assert Status.NOT_A_NUMBER.meaning in told
    assert (system.rest.advice or Status.NOT_A_NUMBER.advice.rstrip(".")) in told
    assert "guide" not in told
    assert not re.search(r"[.] [a-z]", told)  # no sentence begins with a small letter


@pytest.mark.parametrize(("preload", "holds"), [(600.0, True), (50.0, False)])
def test_a_tensioner_that_gives_way_is_told(
    preload: float, holds: bool, drive: cd.Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """40 N m pull 520 N: a base with 600 N of preload holds the wheel, one with 50 N and 500 N/m does not."""
    give_up_early(monkeypatch)
    x, y = drive.wheels[1].position
    spring = {"stiffness": preload * 10.0, "neutral": 0.1}
    base = {"name": "base", "mass": 1.0, "inertia": 0.01, "centre_of_mass": [x, y]}
    base |= {"joint": {"kind": "prismatic", "direction": 0.0} | spring}
    started = prepare(
        override(drive, {"bodies": [base], "wheels.1.body": "base", "wheels.1.mass": 2.0}), start="at_rest"
    )
    assert started.system.story.notes["static_converged"] == holds
    told = [text for text in started.system.story.warnings if "given way" in text]
    assert len(told) == (not holds)
    if not holds:
        moved = x - channel_at_start(started.system, "wheel_position")[1][0]
        slack = [
            float(number)
            for number in re.findall(r"slack by ([\d.]+) mm|by ([\d.]+) mm in the drawing", told[0])[0]
            if number
        ]
        assert slack[0] == pytest.approx(2e3 * moved, rel=0.2)  # two spans become shorter by nearly the same


def test_what_a_run_cannot_continue_from_is_told_with_its_reason(drive: cd.Drive) -> None:
    staged = cd.example("pump-10b")
    ended = cd.simulate(staged, 0.002, formulation="block", progress=False)
    for other in (staged, drive):
        with pytest.raises(InputError, match="stages or rotors") as error:
            cd.simulate(other, 0.002, formulation="block", initial=ended, progress=False)
        assert error.value.problems[0].place == "initial"
    with pytest.raises(InputError) as error:
        cd.simulate(drive, 0.002, initial="run.nc", progress=False)
    assert (error.value.problems[0].place, error.value.problems[0].value) == ("initial", "'run.nc'")
