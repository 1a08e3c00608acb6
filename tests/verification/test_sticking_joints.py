"""Elastic friction in joints of bodies, and of dragged goods: parked bodies stay, sliding ones lose M s."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.formulations import compile_system
from chaindrive.mechanism import tree as trees
from chaindrive.mechanism.tree import GROUND, PRISMATIC, BodyData
from chaindrive.mechanism.tree_kernels import joint_law, stick_bodies
from chaindrive.model import Body, Drive, SaveOptions, override
from chaindrive.results.solution import Solution
from support.interrupted import Stop
from support.small_drives import PITCH, two_wheels

LONG = pytest.mark.long
MASS, HOLDS = 2.0, 50.0
"""Mass of a body on a slide [kg], and its friction [N]."""
INERTIA, G = 1e-2, 9.81
"""Moment of inertia of wheels [kg m^2]; gravity [m/s^2]."""
SOLVER = {"method": "verlet"}


def sliding(load: float = 0.0, holds: float = HOLDS, **joint: Any) -> Drive:
    """A drive and a separate body on a horizontal slide with friction under a load [N]."""
    slide = {"kind": "prismatic", "direction": 0.0, "friction": holds, "load": load} | joint
    body = Body(name="carriage", mass=MASS, joint=slide)
    return two_wheels(bodies=(body,), run={"solver": SOLVER})


def ran(given: Drive, until: float, **options: Any) -> Solution:
    """A run to its end."""
    save = SaveOptions(rate=2000.0, precision="double", channels="all")
    found = cd.simulate(given, until, save=save, **options)
    assert found.status == Status.REACHED_END
    return found


def test_a_slide_that_goes_to_and_fro_loses_its_friction_times_the_way():
    # moved by A sin x: on each of both ways it first slides back by 2 F/k, on the spring, without loss
    yields, amplitude = 2e-4, 3e-3
    slide = BodyData(GROUND, PRISMATIC, MASS, friction=HOLDS, friction_yield=yields)
    made = trees.sticking_joints(trees.build_tree([slide]), (), 1e5)
    body, steps = made.body, 4000
    assert body.sticking[0] == pytest.approx(HOLDS / yields)
    assert body.settling[0] == pytest.approx(2.0 * math.sqrt(body.sticking[0] * MASS))
    places = amplitude * np.sin(np.linspace(0.0, 4.0 * math.pi, 2 * steps + 1))
    force = np.zeros_like(places)
    for i, place in enumerate(places):  # so slowly that the damper does nothing
        force[i], _ = joint_law(made, 0, place, 0.0)
        stick_bodies(np.array([place, 0.0]), 0, 1, made, False)
    lost = -np.sum(0.5 * (force[1:] + force[:-1]) * np.diff(places))
    first = -np.sum(0.5 * (force[1 : steps + 1] + force[:steps]) * np.diff(places[: steps + 1]))
    assert lost - first == pytest.approx(4.0 * HOLDS * (amplitude - yields), rel=2e-3)
    assert np.abs(force).max() == pytest.approx(HOLDS)


@pytest.mark.parametrize(("share", "until"), [(0.9, 0.05), (1.2, 0.05), pytest.param(0.9, 10.0, marks=LONG)])
def test_a_carriage_stays_parked_below_its_friction(share, until):
    # beyond it what is left accelerates it; a load that is put on at once slides once, as it is put on
    solution = ran(sliding(share * HOLDS), until)
    place, speed = solution.values("joint_position")[:, 0], solution.values("joint_speed")[:, 0]
    if share < 1.0:
        assert np.abs(place).max() < 2e-5
        assert np.ptp(place[solution.time > 0.75 * until]) < 1e-12
        return
    half = len(speed) // 2
    gained = (share - 1.0) * HOLDS / MASS * (solution.time[-1] - solution.time[half])
    assert speed[-1] - speed[half] == pytest.approx(gained, rel=1e-4)
    lost = solution.values("work_bearing")[-1]
    assert lost == pytest.approx(HOLDS * place[-1], rel=0.01)
    assert solution.audit.relative_residual < 1e-4


def test_a_joint_with_a_rate_of_its_own_creeps_as_it_did():
    # F tanh(v/v*) = 0.5 F
    solution = ran(sliding(0.5 * HOLDS, friction_speed=0.01), 0.05)
    assert solution.values("joint_speed")[-1, 0] == pytest.approx(0.01 * math.atanh(0.5), rel=1e-4)


def test_the_step_is_not_shorter_for_it():
    def limit(given: Drive) -> float:
        return compile_system(given, given.run.formulation, True).motion.highest_frequency

    steep = {"joint": {"kind": "prismatic", "direction": 0.0, "friction": 5e4, "friction_speed": 1e-4}}
    given = sliding(holds=5e4)
    assert limit(given) == limit(sliding(holds=0.0))
    smoothed = override(given, {"bodies": [{"name": "carriage", "mass": MASS, **steep}]})
    assert limit(smoothed) > 10.0 * limit(given)


def test_a_light_body_is_held_softly():
    # 0.1 of the frequency of the links, sqrt(4 K/m), at most
    given = override(sliding(), {"bodies": [{**sliding().bodies[0].model_dump(), "mass": 1e-4}]})
    system = compile_system(given, given.run.formulation, True)
    body, chain = system.parameters.planar.tree.body, given.chain
    frequency = 0.1 * math.sqrt(4.0 * chain.link_stiffness / chain.link_mass)
    assert body.sticking[0] == pytest.approx(frequency**2 * 1e-4)
    assert body.settling[0] == pytest.approx(2.0 * frequency * 1e-4)


def scraper() -> Drive:
    """A chain that drags goods up a slope, and stops; a separate carriage slides."""
    goods = {"span": 1, "mass_per_length": 5.0, "start": 0.02, "end": 0.12, "resistance": 0.4}
    motion = {"kind": "speed_table", "times": [0.0, 0.01, 0.02, 0.04], "speeds": [10.0, 10.0, 0.0, 0.0]}
    given = two_wheels(first={"motion": motion}, second={"inertia": 1e-3}, run={"solver": SOLVER})
    slide = {"kind": "prismatic", "direction": 0.0, "friction": HOLDS, "load": 1.3 * HOLDS}
    changes = {"payloads": [goods], "bodies": [{"name": "carriage", "mass": MASS, "joint": slide}]}
    return override(given, changes)


def test_a_run_that_was_cut_goes_on_bit_for_bit(tmp_path, monkeypatch):
    given, until = scraper(), 0.01
    save = SaveOptions(rate=10_000.0, precision="double", chunk_rows=7)
    whole = cd.simulate(given, until, save=save)
    monkeypatch.setattr("chaindrive.simulation.simulate.BUDGET", 97 * 110)  # cut at odd places
    path = tmp_path / "run.nc"
    cd.simulate(given, until, save=save, output=path, progress=Stop(0.4 * until)).close()
    again = cd.simulate(given, until, save=save, output=path, resume=True)
    assert again.status == Status.REACHED_END
    for name in whole.channels:
        np.testing.assert_array_equal(again.values(name), whole.values(name), err_msg=name)


def test_a_run_that_continues_another_one_keeps_what_its_springs_hold():
    given = override(sliding(0.9 * HOLDS), {"bodies[0].joint.load": 0.9 * HOLDS})
    whole, part = ran(given, 0.02), ran(given, 0.01)
    rest = ran(given, 0.01, initial=part)
    difference = rest.values("joint_position")[-1, 0] - whole.values("joint_position")[-1, 0]
    assert abs(difference) < 1e-9


def laden(share: float, friction_law: str) -> Solution:
    """Free wheels with a taut chain that carries goods, pulled by a share of the force that these hold."""
    goods = {"span": 0, "mass_per_length": 5.0, "start": 0.02, "end": 0.12, "resistance": 0.4, "gravity": (0.0, -G)}
    radius = PITCH / (2.0 * math.sin(math.pi / 12))
    held = 0.4 * 5.0 * 0.08 * G  # goods come and leave over 20 mm each
    given = two_wheels(
        (12, 12), 11.05, links=34, gravity=(0.0, 0.0), link_damping=20.0,
        first={"motion": None, "inertia": INERTIA}, second={"inertia": INERTIA, "torque": share * held * radius},
        run={"formulation": {"kind": "roller", "friction_law": friction_law}, "solver": SOLVER},
    )  # fmt: skip
    return ran(override(given, {"payloads": [goods]}), 0.1)


def test_goods_on_a_parked_chain_hold_it_up_to_their_friction():
    # smoothed over the speed they let it creep with v* eps atanh(share); beyond it what is left accelerates all
    parked, creeping, pulled = laden(0.6, "elastic"), laden(0.6, "smoothed"), laden(2.0, "elastic")
    late = parked.time > 0.08
    angles = [found.values("wheel_angle")[late].mean(axis=1) for found in (parked, creeping)]
    assert np.ptp(angles[0]) < 0.2 * np.ptp(angles[1])  # it swings a little, the other creeps
    mass, radius = pulled.values("payload_mass")[-1, 0], PITCH / (2.0 * math.sin(math.pi / 12))
    moved = pulled.drive.chain.links * pulled.drive.chain.link_mass + mass
    speed, half = pulled.values("wheel_speed").mean(axis=1), pulled.time.size // 2
    left = (2.0 * 0.4 * 5.0 * 0.08 - 0.4 * mass) * G * radius
    gained = left / (2.0 * INERTIA + moved * radius**2) * (pulled.time[-1] - pulled.time[half])
    assert abs(speed[-1] - speed[half]) == pytest.approx(gained, rel=0.03)
    for found in (parked, pulled):
        assert found.audit.relative_residual < 1e-3
