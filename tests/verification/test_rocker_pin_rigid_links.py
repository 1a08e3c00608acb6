"""A rocker-pin chain of rigid links, 189 degrees of freedom: closed-form solutions, and the results of point masses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.contract.status import Status
from chaindrive.formulations.cvt import chain
from chaindrive.formulations.cvt.compile import compile_variator
from chaindrive.formulations.cvt.endings import SLIPS
from chaindrive.solvers import Integrator, SolverSettings
from support import variators
from support.variator_cases import DRIVEN, STEP, loaded, run
from support.variators import LINKS, PITCH, variator

LOADS = (0.0, 50.0, 100.0, 150.0)
RATIOS = ((0.032, 119.0), (0.04, 107.0), (0.058, 74.0))


@pytest.mark.parametrize(
    ("first", "load", "near"),
    [
        (0.0495, 100.0, 0.02),
        *(pytest.param(0.0495, load, 0.06, marks=pytest.mark.long) for load in LOADS if load != 100.0),
        *(pytest.param(*each, 0.06, marks=pytest.mark.long) for each in RATIOS),
    ],
)
def test_rigid_links_do_as_point_masses_do(first, load, near):
    points, rigid = (loaded(first=first, load=load, rigid=rigid) for rigid in (False, True))
    assert rigid.status == Status.REACHED_END
    assert rigid.thrust_ratio == pytest.approx(points.thrust_ratio, rel=near)
    np.testing.assert_allclose(rigid.mean["span_tension"], points.mean["span_tension"], rtol=near)
    np.testing.assert_allclose(rigid.mean["sheave_tilt"], points.mean["sheave_tilt"], rtol=2.0 * near, atol=1e-5)
    if load:
        assert rigid.efficiency == pytest.approx(points.efficiency, abs=0.005)


def test_a_prototype_of_another_hand():
    # Semi-implicit Euler with bushings at the pin points, at 2 us: S1/S2 1.297, eta .985, tensions 4473 and 2454 N.
    case = loaded(rigid=True)
    assert case.thrust_ratio == pytest.approx(1.297, rel=0.02)
    assert case.efficiency == pytest.approx(0.985, abs=0.003)
    assert sorted(case.mean["span_tension"]) == pytest.approx([2454.0, 4473.0], rel=0.02)


@pytest.mark.parametrize("steps", [(4e-6, 6e-6), pytest.param((2e-6, 4e-6, 6e-6), marks=pytest.mark.long)])
def test_the_means_do_not_depend_on_the_step(steps):
    results = [loaded(rigid=True, step=step) for step in steps]
    assert np.ptp([case.thrust_ratio for case in results]) < 2e-3
    assert np.ptp([case.mean["span_tension"][1] for case in results]) < 2e-3 * 4400.0


def test_frictionless_wedge():
    # As of point masses: T = 2 tan(beta) S / pi + (m/p) v^2.
    case = run(load=0.0, speed=20.0, friction=0.0, slip_speed=math.inf, rigid=True)
    speed = 20.0 * case.mean["running_radius"][0]
    belt = 2.0 * math.tan(math.radians(11.0)) * 20e3 / math.pi + 0.012 / PITCH * speed**2
    assert case.status == Status.REACHED_END
    np.testing.assert_allclose(case.mean["span_tension"], belt, rtol=0.01)


def test_torque_thrust_and_power_balance():
    case = loaded(rigid=True)
    slack, tight = case.mean["span_tension"]
    radius = case.mean["running_radius"]
    assert (tight - slack) * radius[DRIVEN] == pytest.approx(100.0, rel=0.01)
    # By its work, as rows of the torque, five a pitch, are off by 0.5 %.
    torque = case.change("work_input") / case.change("wheel_angle")
    assert (tight - slack) * radius[0] == pytest.approx(torque, rel=0.01)
    assert case.mean["sheave_thrust"][DRIVEN] == pytest.approx(20e3, rel=5e-3)
    assert abs(case.value("energy_residual")[-1]) < 1e-4 * case.value("work_input")[-1]
    losses = [c.name for c in case.system.channels if c.name.startswith("work_")][2:]
    stored = sum(case.change(f"energy_{name}") for name in ("kinetic", "elastic", "gravity"))
    missing = case.change("work_input") - case.change("work_output") - stored
    assert missing == pytest.approx(sum(case.change(name) for name in losses), rel=5e-3)
    assert all(case.change(name) >= 0.0 for name in losses)


def test_friction_stays_in_its_cone():
    case = loaded(rigid=True)
    normal, radial = case.value("pin_normal_force"), case.value("pin_radial_friction")
    total = np.hypot(radial, case.value("pin_circumferential_friction"))
    pressed = normal > 100.0
    assert np.quantile(total[pressed] / normal[pressed], 0.99) < 0.09 * 1.02
    slides = pressed & (np.hypot(case.value("pin_slip"), case.value("pin_drift")) > 1e-6)
    assert 0.2 < slides.sum() / pressed.sum() < 1.0
    assert np.median(total[slides] / normal[slides]) == pytest.approx(0.09, rel=1e-3)


def test_the_slip_limit():
    most = 2.0 * 0.09 * 20e3 * loaded(rigid=True).mean["running_radius"][DRIVEN] / math.cos(math.radians(11.0))
    assert loaded(load=0.955 * most, rigid=True).status == Status.REACHED_END
    assert loaded(load=1.03 * most, rigid=True).status == SLIPS


def test_the_mirrored_drive_is_the_mirrored_run():
    case, other = loaded(rigid=True), run(speed=-200.0, load=-100.0, rigid=True)
    # Pin i is part of the link after it: mirrored, it is part of the one before, which moves it by half a percent.
    np.testing.assert_allclose(other.mean["wheel_speed"], -case.mean["wheel_speed"], rtol=2e-3)
    np.testing.assert_allclose(other.mean["span_tension"], case.mean["span_tension"][::-1], rtol=0.02)


def test_a_run_in_pieces_is_the_same_to_the_last_bit():
    def fresh() -> Integrator:
        settings = SolverSettings(method="leapfrog", step=STEP)
        return Integrator(variators.rolling(variator(rigid=True)), settings, 1e-4, chunk_rows=1000)

    whole, first, second = fresh(), fresh(), fresh()
    assert whole.advance(0.01) == Status.REACHED_END
    assert first.advance(0.01, 1234) == Status.RUNNING
    second.restore(first.snapshot())
    assert second.advance(0.01) == Status.REACHED_END
    for one, other in zip(whole.take_rows(), second.take_rows(), strict=True):
        np.testing.assert_array_equal(one, other)


def stiffest(rigid: bool, inertia: float) -> tuple[float, float]:
    """Highest frequency of the chain at rest from the derivatives of its forces, and the one from which the step is
    chosen. [rad/s]
    """
    made = variator(rigid=rigid, link_inertia=inertia, friction=0.0, link_damping=0.0, pin_damping=0.0, tilting=False)
    system = compile_variator(made)
    p, n = system.parameters, system.parameters.coordinates
    y, rates = system.state.copy(), np.zeros_like(system.state)
    columns = []
    for j in range(n):
        found = []
        for moved in (1e-8, -1e-8):
            y[:] = system.state
            y[j] += moved
            system.kernels.pointwise.release(0.0, y, rates, p)
            found.append(rates[system.positions : system.positions + n].copy())
        columns.append((found[0] - found[1]) / 2e-8)
    return math.sqrt(-np.linalg.eigvals(np.array(columns).T).real.min()), system.motion.highest_frequency


@pytest.mark.parametrize(("rigid", "inertia"), [(False, 3.2e-7), (True, 3.2e-7), (True, 1e-7), (True, 1e-6)])
def test_the_step_follows_from_the_stiffest_mode(rigid, inertia):
    exact, bound = stiffest(rigid, inertia)
    assert exact < bound < 1.12 * exact


def test_pins_yield_as_the_delassus_matrix_says():
    system = variators.rolling(variator(rigid=True))
    p, speeds, rates = system.parameters, system.positions, np.zeros_like(system.state)
    for i, direction in enumerate(np.linspace(0.0, 6.0, 20)):
        ex, ey = math.cos(direction), math.sin(direction)
        mobility = chain.pin_mobility(i, ex, ey, p)
        yields = []
        for fx, fy in ((ex, ey), (-ey, ex)):
            rates[:] = 0.0
            chain.push(rates, speeds, i, fx, fy, p)
            after = chain.mean_velocity(rates, speeds, i, 1.0, p)
            vx, vy = after[0] - p.place.vx[i], after[1] - p.place.vy[i]
            yields.append((vx * ex + vy * ey, vy * ex - vx * ey))
        (radially, askew), (same, around) = yields
        np.testing.assert_allclose(
            [radially, askew, same, around], np.take(mobility, [0, 1, 1, 2]), rtol=1e-9, atol=1e-9
        )


def test_a_pin_moves_on_with_its_link():
    # Velocity at the end of a step, half of which its link has turned on from where its arm was taken.
    system = variators.rolling(variator(rigid=True))
    p, y, rates = system.parameters, system.state, np.zeros_like(system.state)
    speeds, n = system.positions, LINKS
    rates[speeds : speeds + 3 * n] = np.random.default_rng(3).normal(size=3 * n) * np.repeat([1e4, 1e4, 1e6], n)
    errors = []
    for h in (4e-5, 2e-5):
        worst = 0.0
        for i in range(n):
            vx, vy, turning = (y[speeds + k * n + i] + h * rates[speeds + k * n + i] for k in range(3))
            angle = y[2 * n + i] + 0.5 * h * turning
            ax, ay = -0.5 * PITCH * math.cos(angle), -0.5 * PITCH * math.sin(angle)
            found = chain.velocity_after(rates, speeds, i, h, p)
            worst = max(worst, math.hypot(found[0] - vx + turning * ay, found[1] - vy - turning * ax))
        errors.append(worst)
    assert errors[0] < 1e-4
    assert errors[0] / errors[1] > 3.0  # of second order
