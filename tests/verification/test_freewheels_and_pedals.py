"""Freewheels, pedals and the friction of joints, in planar formulations: closed-form solutions and balances."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core import config

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.mechanism.torque_kernels import torque_of
from chaindrive.mechanism.torques import pack
from chaindrive.mechanism.tree import REVOLUTE, BodyData, build_tree, stiffness_frequency
from chaindrive.mechanism.tree_kernels import joint_law
from chaindrive.model import PedalTorque, Wheel, override
from support.small_drives import tightened, two_wheels

COMPILED = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")
FREEWHEEL = {"inertia": 0.05, "stiffness": 300.0, "damping": 0.5}
STOPPING = {"kind": "run_down", "initial_speed": 10.0, "final_speed": 0.0, "start": 0.2, "duration": 0.05}


def coasting(kind: str = "roller", **hub):
    """A drive whose driver stops, so that the driven wheel is overtaken by its hub."""
    first = {"motion": STOPPING}
    second = {"bearing_friction": 0.02, "freewheel": FREEWHEEL, "load_viscous": 0.1, "load_quadratic": 0.003, **hub}
    return two_wheels(first=first, second=second, link_damping=20.0, run={"formulation": {"kind": kind}})


@COMPILED
@pytest.mark.parametrize("kind", ["roller", pytest.param("link", marks=pytest.mark.long)])
def test_a_hub_runs_on_where_its_wheel_stops(kind: str) -> None:
    """Driving, the hub turns with the wheel and takes its load. Coasting, it follows J w' = -c w - q w^2 alone."""
    solution = cd.simulate(coasting(kind), until=0.6, save=cd.SaveOptions(rate=4000.0))
    time, hub, wheel = solution["time"].values, solution.values("hub_speed")[:, 1], solution.values("wheel_speed")[:, 1]
    torque = solution.values("freewheel_torque")[:, 1]
    driving = (time > 0.1) & (time < 0.2)
    twist = (solution.values("wheel_angle")[:, 1] - solution.values("hub_angle")[:, 1])[driving]
    assert np.ptp(twist) < torque[driving].max() / FREEWHEEL["stiffness"]
    assert torque[driving].mean() == pytest.approx(0.1 * 10.0 + 0.003 * 100.0, rel=0.02)
    free = np.flatnonzero(time > 0.3)
    assert not torque[free].any()
    assert np.abs(wheel[free]).mean() < 0.5
    c, q, inertia = 0.1, 0.003, FREEWHEEL["inertia"]
    start, later = hub[free[0]], time[free] - time[free[0]]
    gone = np.exp(-c * later / inertia)
    np.testing.assert_allclose(hub[free], c * start * gone / (c + q * start * (1.0 - gone)), rtol=1e-6)
    assert np.isnan(solution.values("hub_speed")[:, 0]).all()
    assert solution.audit.relative_residual < 1e-4


@COMPILED
def test_a_freewheel_that_drives_loses_nothing_but_by_its_damper() -> None:
    """Energy is balanced through engagement and release; at speed almost nothing is lost."""
    motion = {"kind": "constant_speed", "speed": 10.0, "ramp": 0.2}
    drive = two_wheels(first={"motion": motion}, second={"freewheel": FREEWHEEL, "load_torque": 0.5}, link_damping=20.0)
    solution = cd.simulate(drive, until=0.5, start="at_rest", save=cd.SaveOptions(rate=4000.0))
    assert solution.audit.relative_residual < 1e-4
    late = solution["time"].values > 0.3
    lost, supplied = (solution.values(name)[late].mean() for name in ("power_bearing", "power_input"))
    assert 0.0 < lost < 0.01 * supplied
    torque, hub = (solution.values(name)[late, 1] for name in ("freewheel_torque", "hub_speed"))
    time = solution["time"].values[late]
    faster = (hub[-1] - hub[0]) / (time[-1] - time[0])
    assert torque.mean() == pytest.approx(0.5 + FREEWHEEL["inertia"] * faster, rel=0.01)


def test_a_clutch_takes_hold_at_once_of_a_hub_that_has_run_ahead_in_many_steps() -> None:
    """It remembers the whole angle: when the wheel turns faster again there is no backlash."""
    drive = coasting()
    system = compile_system(drive, drive.run.formulation, True)
    p, layout, ahead = system.parameters, system.parameters.planar.layout, (0.2, 0.05, 0.4)
    sense, hub = p.planar.freewheel.sense[1], p.planar.tree.body.coordinate[p.planar.wheel.hub[1]]
    y, rates = system.state.copy(), np.zeros_like(system.state)
    for turned in ahead:
        y[layout.joint_position + hub] += sense * turned
        system.kernels.rhs(0.0, y, rates, p)
        system.kernels.accept(0.0, y, p)
    assert system.channel("freewheel_torque").read(system.row(0.0, y))[1] == 0.0
    y[layout.joint_position + hub] -= sense * 0.01
    torque = system.channel("freewheel_torque").read(system.row(0.0, y))[1]
    assert abs(torque) == pytest.approx(0.01 * FREEWHEEL["stiffness"], rel=1e-9)


def test_a_freewheel_goes_with_a_wheel_that_turns_freely() -> None:
    with pytest.raises(InputError) as caught:
        two_wheels(first={"freewheel": FREEWHEEL})
    assert {problem.place for problem in caught.value.problems} == {"wheels[0].freewheel"}
    with pytest.raises(InputError) as caught:
        override(coasting(), {"run.formulation": {"kind": "block"}})
    assert {problem.place for problem in caught.value.problems} == {"wheels[1].freewheel"}


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_torque_of_pedals(sense: float) -> None:
    """T = mean (1 - ripple cos 2 (turned - phase)); 2 pi mean of work in a turn, in either sense."""
    pedals = PedalTorque(mean=sense * 26.5, ripple=0.79, phase=0.3)
    packed = pack([[pedals]], [sense], [1.2], 0.0)

    def torque(turned: float) -> float:
        return torque_of(0.0, 1.2 + sense * turned, 9.0, 0.0, packed, 0, 0)

    assert torque(0.3) == pytest.approx(sense * 26.5 * 0.21)
    assert torque(0.3 + 0.5 * np.pi) == pytest.approx(sense * 26.5 * 1.79)
    assert torque(0.3 + 0.25 * np.pi) == pytest.approx(sense * 26.5)
    turns = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)
    assert np.mean([torque(a) for a in turns]) == pytest.approx(sense * 26.5, rel=1e-12)
    assert pedals.mean_torque(5.0, sense) == pytest.approx(sense * 26.5)


@COMPILED
@pytest.mark.parametrize("kind", ["block", pytest.param("roller", marks=pytest.mark.long)])
def test_pedals_put_in_their_mean(kind: str) -> None:
    """Over whole turns of the crank the work of the shaft is 2 pi mean, and the power mean x speed - covariance."""
    pedals = {"kind": "pedals", "mean": 3.0, "ripple": 0.8, "phase": 0.4}
    first = {"motion": None, "initial_speed": 12.0, "torque": pedals, "inertia": 0.02}
    second = {"load_viscous": 0.25, "inertia": 0.02}
    drive = two_wheels(first=first, second=second, link_damping=50.0, run={"formulation": {"kind": kind}})
    solution = cd.simulate(drive, until=1.25, save=cd.SaveOptions(rate=2000.0, precision="double"))
    angle, work = solution.values("wheel_angle")[:, 0], solution.values("shaft_work")[:, 0]
    marks = angle[0] + 2.0 * np.pi * np.arange(1, int((angle[-1] - angle[0]) / (2.0 * np.pi)) + 1)
    np.testing.assert_allclose(np.diff(np.interp(marks, angle, work)), 2.0 * np.pi * 3.0, rtol=1e-5)
    at = np.interp(marks[[-2, -1]], angle, solution["time"].values)
    time = np.linspace(*at, 4001)[:-1]
    turned = np.interp(time, solution["time"].values, angle) - angle[0]
    speed = np.interp(time, solution["time"].values, solution.values("wheel_speed")[:, 0])
    torque = 3.0 * (1.0 - 0.8 * np.cos(2.0 * (turned - 0.4)))
    covariance = np.mean((torque - torque.mean()) * (speed - speed.mean()))
    assert np.mean(torque * speed) == pytest.approx(torque.mean() * speed.mean() + covariance)
    assert 2.0 * np.pi * 3.0 / (at[1] - at[0]) == pytest.approx(np.mean(torque * speed), rel=1e-3)
    assert covariance != 0.0
    assert solution.audit.relative_residual < 1e-3


@pytest.mark.parametrize(
    ("torque", "place"),
    [
        ({"kind": "pedals"}, "torque.mean"),
        ({"kind": "pedals", "mean": 0.0}, "torque.mean"),
        ({"kind": "pedals", "mean": "3 N*m", "ripple": -1.0}, "torque.ripple"),
        ({"kind": "motor", "mean": "3 N*m"}, "torque.kind"),
    ],
)
def test_wrong_pedals_are_refused(torque: dict, place: str) -> None:
    with pytest.raises(InputError) as caught:
        Wheel(name="crank", teeth=20, position=(0.0, 0.0), tooth={"form": "iso-606"}, torque=torque)
    assert {problem.place for problem in caught.value.problems} == {place}
    assert PedalTorque(mean=1.0).ripple == 0.79


def test_friction_of_a_joint() -> None:
    """F tanh(rate/rate0), all of it lost; its slope counts for the step."""
    joint = {"joint": REVOLUTE, "inertia": 2.0, "damping": 0.5, "friction": 3.0, "friction_rate": 0.1}
    tree = build_tree([BodyData(**joint)])
    for rate in (-2.0, 0.05, 1.0):
        force, lost = joint_law(tree, 0, 0.0, rate)
        assert force == pytest.approx(-0.5 * rate - 3.0 * np.tanh(rate / 0.1))
        assert lost == pytest.approx(-force * rate)
    assert stiffness_frequency(tree) == pytest.approx((0.0, (0.5 + 30.0) / 2.0))


@COMPILED
def test_a_clutch_holds_an_arm() -> None:
    """Work of the friction of an arm that swings is in the balance; a clutch stronger than the driving moment holds
    it.
    """
    swing = {}
    for friction in (0.0, 5.0):
        drive = tightened(joint={"friction": friction}, driven={"load_torque": 1.0}, tightener={"bearing_damping": 0.0})
        solution = cd.simulate(drive, until=0.1, save=cd.SaveOptions(rate=4000.0))
        assert solution.audit.relative_residual < 1e-3
        swing[friction] = np.ptp(solution.values("joint_position")), float(solution.values("work_bearing")[-1])
    assert swing[5.0][0] < 0.3 * swing[0.0][0]
    assert swing[0.0][1] == 0.0 < swing[5.0][1]
