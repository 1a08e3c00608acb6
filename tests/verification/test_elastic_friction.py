"""Elastic friction in whole drives: losses, the step, sticking at rest, balance, memory.

Losses are compared with those of Coulomb friction over the recorded motion and with the closed-form solution, both from
the page docs/validation/elastic-friction.md.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from elastic_friction import articulations, closed_form, drive, friction_radius, slid

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.formulations import compile_system
from chaindrive.model import BodyEnd, Drive, FreeEnd, Guide, SaveOptions, Wheel, override
from chaindrive.results import checkpoint
from chaindrive.results.solution import Solution
from support.interrupted import Stop
from support.open_drives import LINK_MASS, PITCH, open_drive
from support.small_drives import hydraulic, mechanism, running_links, tightened

LONG = pytest.mark.long
BOTH = pytest.mark.parametrize("kind", ["roller", pytest.param("link", marks=LONG)])
G = 9.81
EVERYTHING = SaveOptions(channels="all", precision="double")


def ran(given: Drive, **options: Any) -> Solution:
    """A run to its end."""
    found = cd.simulate(given, **options)
    assert found.status == Status.REACHED_END
    return found


def lost(solution: Solution, name: str, first: int = 0) -> float:
    """Work of one kind of loss from a row on. [J]"""
    work = solution.values(f"work_{name}")
    return float(work[-1] - work[first])


def stiffness(given: Drive) -> float:
    """Stiffness of a joint of rollers that sticks. [N m/rad]"""
    return 0.25 * given.chain.link_stiffness * given.chain.pitch**2


# ---- losses


@pytest.mark.parametrize(("rpm", "passages"), [(1000.0, 1.0), (100.0, 1.0), pytest.param(10.0, 1.0, marks=LONG)])
def test_joints_lose_what_coulomb_friction_takes_from_the_recorded_motion(rpm, passages):
    given = drive(rpm, passages)
    solution = ran(given)
    first = len(solution.time) // 2
    work = lost(solution, "articulation", first)
    assert work == pytest.approx(slid(solution, first, friction_radius(given), stiffness(given)), rel=2e-3)
    assert solution.audit.relative_residual < 1e-5


@LONG
@pytest.mark.parametrize("backwards", [False, True])
def test_the_loss_of_a_slow_drive_is_the_closed_form_and_what_swings(backwards):
    # mu r F 2 pi/z on both sides of both wheels, with the mean of both tensions in a joint that articulates; what spans
    # swing and joints turn under the load beside that comes on top: up to 4 %
    given = drive(100.0, 4, backwards)
    solution = ran(given)
    first = len(solution.time) // 2
    force = articulations(solution, first)
    spans = solution.values("span_tension")[first:].mean(axis=0)
    assert np.all(force[:, 0] < spans.max())
    assert np.all(force[:, 0] > 0.85 * spans.max())
    by_joints = 2.0 * closed_form(force, friction_radius(given))
    assert 1.0 < lost(solution, "articulation", first) / by_joints < 1.04


@pytest.mark.parametrize(
    ("passages", "share", "within"), [(1.0, 0.05, 0.01), pytest.param(6.0, 0.01, 0.005, marks=LONG)]
)
def test_the_loss_is_that_of_friction_smoothed_over_next_to_nothing(passages, share, within):
    # share: of the default rate, 2 % of the speed of the fastest wheel, here the driver. In the first passage both
    # swing from their start
    rate = share * 0.02 * 1000.0 * math.pi / 30.0
    elastic = ran(drive(1000.0, passages))
    smoothed = ran(
        override(
            drive(1000.0, passages, friction_law="smoothed", joint_friction_rate=rate),
            {"run.solver.method": "verlet"},
        )
    )
    first = len(elastic.time) // 2
    losses = [lost(each, "articulation", first) for each in (elastic, smoothed)]
    assert losses[0] == pytest.approx(losses[1], rel=within)
    tensions = [each.values("span_tension")[first:].mean(axis=0).max() for each in (elastic, smoothed)]
    assert tensions[0] == pytest.approx(tensions[1], rel=within)
    assert elastic.statistics["steps"] < 0.1 * smoothed.statistics["steps"]


# ---- the step


def highest_frequency(given: Drive) -> float:
    return compile_system(given, given.run.formulation, True).motion.highest_frequency


@pytest.mark.parametrize("kind", ["roller", pytest.param("link", marks=LONG)])
def test_the_step_does_not_depend_on_the_speed(kind):
    steps = [ran(drive(rpm, 0.001 * rpm / 60.0 * 15.0, kind=kind)).statistics for rpm in (1000.0, 10.0, 0.1)]
    largest = [each["largest_step"] for each in steps]
    np.testing.assert_allclose(largest, largest[0], rtol=1e-9)
    assert min(each["mean_step"] for each in steps) > 0.9 * largest[0]
    rubbing = drive(1000.0, 1.0, kind=kind)
    limits = [highest_frequency(each) for each in (rubbing, override(rubbing, {"chain.joint_friction": 0.0}))]
    assert limits[0] < 1.3 * limits[1]


def test_a_load_on_the_end_softens_no_joint():
    # a joint that sticks belongs to the links, whatever hangs on the last of them
    drives = [weights(load, "link") for load in (0.0, 5000.0)]
    found = [compile_system(each, each.run.formulation, False).parameters.joint_friction_stiffness for each in drives]
    assert found[0] == found[1] > 1000.0


@LONG
def test_both_methods_and_shorter_steps_agree():
    given = drive(300.0, 2)
    solver = [{"method": "dormand-prince"}, {"method": "verlet"}, {"method": "verlet", "step": 1e-6}]
    runs = [ran(override(given, {"run.solver": each})) for each in solver]
    losses = [lost(each, "articulation") for each in runs]
    assert losses[:2] == pytest.approx([losses[2]] * 2, rel=1e-3)
    places = [each.values("roller_position")[-1] for each in runs]
    assert np.abs(places[0] - places[2]).max() < 2e-6
    assert np.abs(places[1] - places[2]).max() < 2e-6
    assert max(each.audit.relative_residual for each in runs) < 1e-5


@LONG
def test_rollers_lose_the_mean_of_what_links_lose_forwards_and_backwards():
    # all rigid links are alike: their pins have the tension before a tooth in one direction of travel, and that behind
    # it in the other
    links = [lost(ran(drive(100.0, 2, backwards, kind="link")), "articulation") for backwards in (False, True)]
    rollers = [lost(ran(drive(100.0, 2, backwards)), "articulation") for backwards in (False, True)]
    assert max(links) > 1.05 * min(links)
    assert np.mean(rollers) == pytest.approx(np.mean(links), rel=0.02)


def rubbing(given: Drive, kind: str, method: str) -> Drive:
    """A small test drive with friction in its joints and on its teeth."""
    chain = {"chain.joint_friction": 0.15, "chain.pin_diameter": 0.00445, "chain.link_damping": 20.0}
    run = {"run.formulation": {"kind": kind}, "run.solver": {"method": method}}
    return override(given, chain | {"contact.friction": 0.15} | run)


def light_idler() -> Drive:
    """A tightener on a spring, as light as two of its rollers."""
    return tightened(tightener={"inertia": 2e-6, "mass": 0.02}, driven={"load_torque": 3.0})


MADE = {"rail": running_links, "bodies": mechanism, "oil": hydraulic, "light idler": light_idler}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("rail", "roller"),
        *(
            pytest.param(*case, marks=LONG)
            for case in itertools.product(MADE, ("roller", "link"))
            if case != ("rail", "roller")
        ),
    ],
)
def test_energy_is_accounted_for_with_guides_bodies_oil_and_light_wheels(name, kind):
    methods = ("dormand-prince", "verlet")
    audits = [ran(rubbing(MADE[name](), kind, method), until=0.02, start="at_speed").audit for method in methods]
    assert max(each.relative_residual for each in audits) < 2e-5
    for loss in ("articulation", "friction"):
        assert audits[1].losses[loss] == pytest.approx(audits[0].losses[loss], rel=0.01)


@LONG
def test_positions_and_balance_converge_with_the_step():
    # positions between first and second order, as the instant at which a joint starts to slide is known to a step
    runs = [
        ran(override(drive(300.0, 0.25), {"run.solver": {"method": "verlet", "step": h * 1e-6}}))
        for h in (4.0, 1.0, 0.25, 0.0625)
    ]
    places = [each.values("roller_position")[-1] for each in runs]
    off = [float(np.sqrt(((place - places[-1]) ** 2).mean())) for place in places[:-1]]
    assert off[0] > 4.0 * off[1] > 16.0 * off[2]
    missed = [each.audit.relative_residual for each in runs[:-1]]
    assert missed[0] > 16.0 * missed[1] > 256.0 * missed[2]


# ---- sticking


def table(slope: float, friction: float) -> Guide:
    along = np.array([math.cos(slope), math.sin(slope)])
    return Guide(
        name="table",
        contact={"stiffness": 5e9, "restitution": 0.0, "friction": friction},
        shape={"kind": "straight", "start": tuple(-along), "end": tuple(1.5 * along), "side": "right"},
    )


@pytest.mark.parametrize("speed", [0.001, 0.1, pytest.param(1.0, marks=LONG)])
def test_a_chain_is_dragged_over_a_table_at_any_speed_and_stays_where_it_stops(speed):
    friction, links, height = 0.2, 20, 0.5 * 0.01588
    way = 0.1 * speed
    move = {"kind": "move", "by": way, "duration": way / speed}
    pull = {"kind": "prismatic", "direction": 0.0, "motion": move}
    dragged = open_drive(
        (FreeEnd(direction=math.pi), BodyEnd(body="pull", position=(links * PITCH, height))),
        links,
        until=0.15,
        bodies=[{"name": "pull", "mass": 1.0, "joint": pull}],
        guides=[table(0.0, friction)],
        chain={"link_damping": 400.0},
        run={"start": "at_rest"},
    )
    solution = ran(dragged, save=SaveOptions(channels="all", precision="double", rate=2e4))
    time, mass = solution.time, np.full(links, LINK_MASS)
    mass[0] *= 0.5
    moving = np.flatnonzero((time > 0.02) & (time < 0.08))
    taken = time[moving[-1]] - time[moving[0]]
    pull = np.trapezoid(solution.values("link_tension")[moving, -1], time[moving]) / taken
    momentum = solution.values("roller_velocity")[:, :-1, 0] @ mass
    inertia = (momentum[moving[-1]] - momentum[moving[0]]) / taken
    assert pull - inertia == pytest.approx(friction * G * mass.sum(), rel=5e-3)
    place = solution.values("roller_position")
    stopped = np.flatnonzero(time > 0.14)
    assert np.abs(place[-1] - place[stopped[0]]).max() / (time[-1] - time[stopped[0]]) < 1e-7


@BOTH
@pytest.mark.parametrize(("slope", "stays"), [(0.15, True), (0.25, False)])
def test_a_chain_on_an_incline_stays_below_the_angle_of_friction(kind, slope, stays):
    friction, normal = 0.2, np.array([-math.sin(slope), math.cos(slope)])
    ends = FreeEnd(position=tuple(0.5 * 0.01588 * normal)), FreeEnd(direction=slope)
    lying = open_drive(ends, 12, until=0.3, guides=[table(slope, friction)], run={"start": "as_placed"})
    solution = ran(formed(kind, lying), save=EVERYTHING, solver="dormand-prince")
    along = (solution.values("roller_velocity") @ np.array([math.cos(slope), math.sin(slope)])).mean(axis=1)
    half = len(along) // 2
    acceleration = (along[-1] - along[half]) / (solution.time[-1] - solution.time[half])
    expected = 0.0 if stays else -G * (math.sin(slope) - friction * math.cos(slope))
    assert acceleration == pytest.approx(expected, abs=2e-4)
    assert not stays or abs(along[-1]) < 2e-6
    assert solution.audit.relative_residual < 1e-5


TEETH, PIN = 20, 0.00794


def weights(light: float, kind: str = "roller", until: float = 0.5) -> Drive:
    """Two loads on a chain over a wheel that turns freely: 50 kg on the left, less or more on the right.

    Half of an even number of teeth is wrapped, so that both strands have the same lever at every angle of the wheel.
    """
    radius = PITCH / (2.0 * math.sin(math.pi / TEETH))
    wheel = Wheel(
        name="sprocket", teeth=TEETH, inertia=0.02, tooth={"form": "iso-606"}, side="back", position=(radius, 1.0)
    )
    ends = FreeEnd(mass=50.0, position=(0.0, 0.2)), FreeEnd(mass=light)
    chain = {"joint_friction": 0.2, "pin_diameter": PIN, "joint_damping": 1e-3}
    return formed(kind, open_drive(ends, 60, until=until, wheels=[wheel], chain=chain))


def formed(kind: str, given: Drive) -> Drive:
    alike = {"chain.inner_link.mass": given.chain.link_mass} if kind == "link" else {}
    return override(given, {"run.formulation.kind": kind} | alike)


@BOTH
@pytest.mark.parametrize(("light", "until"), [(50.2, 0.5), (49.0, 0.3), pytest.param(50.2, 10.0, marks=LONG)])
def test_a_wheel_with_two_weights_stays_below_the_friction_of_its_joints(kind, light, until):
    # the joint that comes onto the wheel and the one that leaves it turn by dx/R each under the tension of its strand:
    # they hold a difference of mu r (T1 + T2)/R, the more exactly so the smaller it is
    solution = ran(weights(light, kind, until), save=EVERYTHING)
    place = solution.values("roller_position")[0]
    mass = np.full(len(place), LINK_MASS)
    mass[[0, -1]] = 0.5 * LINK_MASS + np.array([50.0, light])
    left = place[:, 0] < place[:, 0].mean()
    difference = G * float(mass[left].sum() - mass[~left].sum())
    radius = PITCH / (2.0 * math.sin(math.pi / TEETH))
    limit = 0.2 * 0.5 * PIN * G * float(mass.sum()) / radius
    turned = radius * np.abs(solution.values("wheel_angle")[:, 0] - solution.values("wheel_angle")[0, 0])
    if difference < 0.6 * limit:
        assert turned.max() < 0.02 * PITCH
        assert turned[-1] < turned.max() + 1e-9
    else:
        assert difference > 1.5 * limit
        free = 0.5 * (difference - 1.1 * limit) / (mass.sum() + 0.02 / radius**2) * until**2
        assert turned[-1] > free > 0.0
    assert solution.audit.relative_residual < 1e-6


@LONG
@pytest.mark.parametrize("kind", ["roller", "link"])
def test_a_chain_that_was_pulled_over_a_drum_keeps_its_tension(kind):
    # Euler and Eytelwein: T2 = T1 e^(mu phi) as the chain slides on a drum that stands still, and after it has stopped
    pitch, around, friction = 0.01, 90, 0.1
    radius = pitch / (2.0 * math.sin(math.pi / around))
    still = {"kind": "constant_speed", "speed": 0.0}
    drum = Wheel(
        name="drum", teeth=around, position=(0.0, 0.0), tooth={"form": "smooth"}, side="back", motion=still
    )  # fmt: skip
    down = {"kind": "prismatic", "direction": -0.5 * math.pi, "motion": {"kind": "move", "by": 0.03, "duration": 0.2}}
    ends = FreeEnd(mass=20.0), BodyEnd(body="slide", position=(radius, -0.1))
    chain = {"pitch": pitch, "link_mass": 1e-4, "link_stiffness": 5e5, "roller_diameter": 0.006, "joint_damping": 2e-4}
    pulled = open_drive(
        ends,
        70,
        until=0.28,  # until the load, which was stopped, swings back
        chain=chain,
        wheels=[drum],
        bodies=[{"name": "slide", "mass": 1.0, "joint": down}],
        friction=friction,
        run={"start": "at_rest"},
    )
    solution = ran(formed(kind, pulled), save=EVERYTHING)
    tension = solution.values("span_tension")
    ratio = tension[:, 1] / tension[:, 0]
    sliding, stopped = (solution.time > 0.06) & (solution.time < 0.14), solution.time > 0.22
    assert ratio[sliding].mean() == pytest.approx(math.exp(friction * math.pi), rel=0.005)
    np.testing.assert_allclose(ratio[stopped], math.exp(friction * math.pi), rtol=0.005)
    assert solution.audit.relative_residual < 1e-4


# ---- memory


@pytest.mark.parametrize("kind", ["roller", pytest.param("link", marks=LONG)])
def test_a_run_that_was_cut_goes_on_bit_for_bit(kind, tmp_path, monkeypatch):
    given, until = drive(1000.0, 1.0, kind=kind), 0.002
    save = SaveOptions(rate=20_000.0, channels="all", precision="double", chunk_rows=7)
    whole = ran(given, until=until, save=save)
    monkeypatch.setattr("chaindrive.simulation.simulate.BUDGET", 97 * 110)  # cut at odd places
    path = tmp_path / "run.nc"
    cut = cd.simulate(given, until, save=save, output=path, progress=Stop(0.4 * until))
    assert cut.status == Status.INTERRUPTED
    cut.close()
    saved = np.load(checkpoint.name_for(path))
    held, turned = saved["solvememory_anchored.held"], saved["solvememory_hinge.sin"]
    assert held.sum() > 10
    assert np.ptp(turned) > 0.3
    again = ran(given, until=until, save=save, output=path, resume=True)
    for name in whole.channels:
        np.testing.assert_array_equal(again.values(name), whole.values(name), err_msg=name)
