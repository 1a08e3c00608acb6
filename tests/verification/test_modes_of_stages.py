"""Modes of several chains and rotors joined by shafts, against springs and inertias and receptances of the parts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import eigh

from chaindrive.analyses.linear.linearised import frequencies_by_part, mode_shares, system_modes
from chaindrive.analyses.signals.frequencies import frequencies_at_rest
from chaindrive.contract.system import System
from chaindrive.simulation.start import prepare
from chaindrive.solvers.jacobian import force_jacobian
from support.staged_drives import compiled_only, effective, two_stages, with_rotors

RATIO = 1.7
STILL = {"motion": {"kind": "constant_speed", "speed": 0.0}}
SPRING = {"link_stiffness": 2e6, "link_damping": 0.0}


@pytest.mark.parametrize("shaft", [{"stiffness": 5e3}, {"stiffness": 5e3, "backlash": 0.05}, {}])
def test_two_wheels_on_their_chains_with_a_shaft_between_them(shaft):
    """For wheels J1, J2 on spans k1, k2 with a shaft of ratio r K = [[k1 + r^2 k, -r k], [-r k, k2 + k]].

    Rigid: w^2 = (k1 + r^2 k2) / (J1 + r^2 J2). The drum (J3) is so heavy that it moves the squares by J2 / J3 = 1e-8;
    the shaft is twisted by its load to one side of its backlash.
    """
    drive = two_stages(
        options={"slack": -1e-3}, shaft={"ratio": RATIO} | shaft, motor=STILL, middle={"inertia": 3e-3},
        drum={"inertia": 2e5, "load_torque": 3.0}, chain=SPRING, second_chain=SPRING,
    )  # fmt: skip
    system = prepare(drive).system
    notes = system.story.notes
    k1 = sum(notes["span_stiffness"]) * effective(34) ** 2
    k2 = sum(notes["stages"]["second"]["span_stiffness"]) * effective(19) ** 2
    k = shaft.get("stiffness", 0.0)
    stiffness = np.array([[k1 + RATIO**2 * k, -RATIO * k], [-RATIO * k, k2 + k]])
    inertia = np.diag([3e-3, 2e-3])
    if not k:
        both = np.array([[1.0], [RATIO]])
        stiffness, inertia = both.T @ stiffness @ both, both.T @ inertia @ both
    squares, shapes = eigh(stiffness, inertia)
    modes = system_modes(system)
    np.testing.assert_allclose(2.0 * math.pi * modes.frequency[1:], np.sqrt(squares), rtol=1e-7)
    wheels = shapes.T if k else shapes.T * both[:, 0]
    np.testing.assert_allclose(np.abs(modes.shape[1:, 1:3]), np.abs(wheels), rtol=1e-6)
    assert modes.residual < 1e-9
    shares = mode_shares(system, modes)
    assert shares.part == ("motor", "middle", "second: small", "second: drum")
    np.testing.assert_allclose(shares.share[1:, 1:3], wheels**2 * [3e-3, 2e-3], rtol=1e-6)


def test_two_rotors_and_the_wheel_between_them():
    """On slack chains J1 turns rigidly with the wheel and J2 on a spring: w^2 = k (1 / J1 + 1 / J2), and rotation of
    the whole.
    """
    stiffness, first, second = 4e3, 0.01 + 2e-3, 0.005
    rotors = [
        {"name": "disc", "inertia": second, "shaft": {"from_wheel": "rear", "stiffness": stiffness}},
        {"name": "flywheel", "inertia": 0.01, "shaft": {"from_wheel": "rear", "ratio": -1.0}},
    ]
    drive = with_rotors(
        *rotors, front=STILL, rear={"inertia": 2e-3}, run={"formulation": {"kind": "block", "slack": 1.0}}
    )
    system = prepare(drive).system
    modes = system_modes(system)
    swings = math.sqrt(stiffness * (1.0 / first + 1.0 / second))
    np.testing.assert_allclose(2.0 * math.pi * modes.frequency, [0.0, swings], rtol=1e-9)
    shares = mode_shares(system, modes)
    assert shares.kind == ("wheel", "wheel", "rotor", "rotor")
    whole = first + second
    np.testing.assert_allclose(shares.share[0], np.array([0.0, 2e-3, second, 0.01]) / whole, rtol=1e-9)
    assert list(frequencies_by_part(modes, shares)) == ["wheels and rotors"]
    np.testing.assert_array_equal(frequencies_at_rest(drive)["wheels and rotors"], modes.frequency)


def dynamic_stiffness(part: System, wheel: int, frequency: float) -> float:
    """Ratio of an oscillating torque at a wheel to its angle: 1 / ((K - w^2 M)^-1)_ww. [N m/rad]"""
    free = np.flatnonzero(np.isfinite(part.masses))
    stiffness = -force_jacobian(part.with_rest(held=()), 0.0, part.state, 3e-8)[free][:, free].toarray()
    square = (2.0 * math.pi * frequency) ** 2
    unit: NDArray[np.float64] = np.asarray(free == wheel, dtype=np.float64)
    return 1.0 / float(np.linalg.solve(stiffness - square * np.diag(part.masses[free]), unit) @ unit)


@compiled_only
@pytest.mark.parametrize("stiffness", [2e4, math.inf])
def test_chains_of_rollers_by_the_receptances_of_each(stiffness):
    """Dynamic stiffnesses D1, D2 at the joined wheels of both chains alone (Bishop & Johnson 1960): (D1 + r^2 k) (D2 +
    k) = r^2 k^2, rigid D1 + r^2 D2 = 0, change their sign within 1e-5 of every frequency in which these wheels move.
    """
    system = prepare(two_stages("roller", shaft={"ratio": RATIO, "stiffness": 2e4}), start="at_rest").system
    (shaft,) = system.modes.shafts
    system = replace(system, modes=replace(system.modes, shafts=(shaft._replace(stiffness=stiffness),)))
    first, second = system.modes.parts
    modes = system_modes(system)
    shares = mode_shares(system, modes)
    np.testing.assert_allclose(shares.share.sum(axis=1), 1.0, rtol=1e-12)
    joined = shares.share[:, [shares.part.index("middle"), shares.part.index("second: small")]].sum(axis=1)
    chosen = np.flatnonzero(joined > 0.1)[:4]

    def mismatch(frequency: float) -> float:
        one = dynamic_stiffness(first, shaft.before, frequency)
        other = dynamic_stiffness(second, shaft.behind - first.velocities, frequency)
        if math.isinf(stiffness):
            return one + RATIO**2 * other
        return (one + RATIO**2 * stiffness) * (other + stiffness) - (RATIO * stiffness) ** 2

    assert chosen.size == 4
    for frequency in modes.frequency[chosen]:
        assert mismatch(frequency * (1.0 - 1e-5)) * mismatch(frequency * (1.0 + 1e-5)) < 0.0
