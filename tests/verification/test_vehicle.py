"""A vehicle on a wheel: how it accelerates, coasts, rolls back and stops, against closed-form solutions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numba.core import config

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.model import Drive, Vehicle, loads, override
from support import block_drives as blocks
from support.block_drives import INERTIAS, RADII

MASS, RADIUS, GRAVITY = 180.0, 0.3, 9.81
CAR = {"equivalent_mass": MASS, "rolling_radius": RADIUS}
FREEWHEEL = {"inertia": 0.01, "stiffness": 2e4, "damping": 5.0}


def drive(first: dict[str, Any], vehicle: dict[str, Any], **more: Any) -> Drive:
    """A chain from 20 to 40 teeth, whose second wheel is on the axle of the vehicle, with damping."""
    given = {"damping": 2000.0} | more
    return blocks.two_wheels(first, {"vehicle": CAR | vehicle}, **given)


def speeds(solution: cd.Solution, vehicle: Vehicle) -> np.ndarray:
    """Speeds of the vehicle, positive in the sense of the counter-clockwise wheel. [m/s]"""
    return np.asarray(solution.values("wheel_speed")[:, 1] * vehicle.way)


def test_it_accelerates_as_its_mass_and_the_road_let_it() -> None:
    """M a = T i / w - c m g cos a - m g sin a, M with the inertias of both wheels over the square of the distance per
    radian.
    """
    torque, rolling, grade = 60.0, 0.02, 0.05
    found = drive({"torque": torque, "initial_speed": 1.0}, {"rolling_resistance": rolling, "grade": grade})
    vehicle = found.wheels[1].vehicle
    assert vehicle is not None
    slope = math.atan(grade)
    force = torque * 2.0 / RADIUS - MASS * GRAVITY * (rolling * math.cos(slope) + math.sin(slope))
    mass = MASS + (INERTIAS[1] + INERTIAS[0] * 4.0) / RADIUS**2
    solution = blocks.run(override(found, {"run.start": "at_rest"}), 1.5)
    v = speeds(solution, vehicle)
    late = solution.time > 0.5  # the chain is taut, and rolling resistance has its full size
    slope_of_speed = np.polyfit(solution.time[late], v[late], 1)[0]
    assert slope_of_speed == pytest.approx(force / mass, rel=2e-3)
    assert solution.audit.relative_residual < 1e-6


def test_it_coasts_down_as_rolling_resistance_and_air_let_it() -> None:
    """M v' = -F0 - F2 v^2: v = sqrt(F0/F2) tan(atan(v0 sqrt(F2/F0)) - t sqrt(F0 F2)/M)."""
    found = drive({"initial_speed": 80.0}, {"rolling_resistance": 0.015, "drag_area": 0.8, "air_density": 1.2})
    vehicle = found.wheels[1].vehicle
    assert vehicle is not None
    solution = blocks.run(override(found, {"run.start": "at_speed"}), 8.0)
    v, t = speeds(solution, vehicle), solution.time
    constant, square = 0.015 * MASS * GRAVITY, 0.5 * 1.2 * 0.8
    mass = MASS + (INERTIAS[1] + INERTIAS[0] * 4.0) / RADIUS**2
    root = math.sqrt(constant * square)
    exact = math.sqrt(constant / square) * np.tan(math.atan(v[0] * math.sqrt(square / constant)) - t * root / mass)
    assert exact[-1] > 2.0
    np.testing.assert_allclose(v, exact, rtol=1e-3)


def test_the_slope_keeps_its_direction_when_it_rolls_back() -> None:
    """No torque, uphill in its running sense: it rolls back with m g sin a / M; rolling resistance reverses."""
    grade = 0.1
    found = drive({"initial_speed": 1.0}, {"grade": grade, "rolling_resistance": 0.01})
    vehicle = found.wheels[1].vehicle
    assert vehicle is not None
    solution = blocks.run(override(found, {"run.start": "at_speed"}), 2.0)
    v = speeds(solution, vehicle)
    mass = MASS + (INERTIAS[1] + INERTIAS[0] * 4.0) / RADIUS**2
    slope = math.atan(grade)
    back = MASS * GRAVITY * (math.sin(slope) - 0.01 * math.cos(slope)) / mass
    late = solution.time > 1.0
    assert v[-1] < -0.5
    assert np.polyfit(solution.time[late], v[late], 1)[0] == pytest.approx(-back, rel=2e-3)


def test_a_gear_turns_force_and_mass_into_torque_and_inertia() -> None:
    vehicle = Vehicle(equivalent_mass=200.0, rolling_radius=0.5, gear_ratio=4.0, mass=180.0, grade=0.2)
    assert vehicle.inertia == pytest.approx(200.0 * 0.125**2)
    assert vehicle.slope_torque == pytest.approx(180.0 * GRAVITY * math.sin(math.atan(0.2)) * 0.125)
    assert vehicle.drag == 0.0
    air = Vehicle(equivalent_mass=1.0, rolling_radius=0.5, drag_area=0.6, air_density=1.0)
    assert air.drag == pytest.approx(0.3 * 0.125)  # rho A r^3 / 2: torque F r at v = w r


def test_a_wheel_with_a_vehicle_needs_no_inertia_of_its_own() -> None:
    found = drive({"torque": 5.0}, {})
    alone = override(found, {"wheels.b.inertia": "none"})
    assert alone.wheels[1].turned_inertia == pytest.approx(MASS * RADIUS**2)
    assert loads(found.to_toml()) == found
    with pytest.raises(InputError, match=r"wheels\[1\]\.inertia"):
        override(alone, {"wheels.b.vehicle": "none"})


@pytest.mark.long
@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")
@pytest.mark.parametrize("hub", [FREEWHEEL, None], ids=["freewheel", "rigid"])
def test_the_same_with_rollers_and_behind_a_freewheel(hub: dict[str, float] | None) -> None:
    """The force in the tight span is that of the mean torque; behind a freewheel the vehicle's mass is on the hub."""
    found = override(
        drive({"torque": 60.0, "initial_speed": 1.0}, {"rolling_resistance": 0.02}),
        {"run.formulation": {"kind": "roller"}, "run.start": "at_rest", "chain.link_damping": 2000.0},
    )
    vehicle = found.wheels[1].vehicle
    assert vehicle is not None
    mass = MASS + (INERTIAS[1] + INERTIAS[0] * 4.0) / RADIUS**2 + 94 * 0.03 * (RADII[1] / RADIUS) ** 2
    force = 60.0 * 2.0 / RADIUS - 0.02 * MASS * GRAVITY
    solution = cd.simulate(override(found, {"wheels.b.freewheel": hub}) if hub else found, until=0.35)
    assert solution.status == Status.REACHED_END
    v = speeds(solution, vehicle)
    late = solution.time > 0.2
    assert np.polyfit(solution.time[late], v[late], 1)[0] == pytest.approx(force / mass, rel=0.02)
