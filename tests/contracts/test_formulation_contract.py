"""What every formulation must do for solvers and results (see ``chaindrive.system``): one suite over all of them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chaindrive.formulations import compile_system
from chaindrive.model import RollerOptions
from chaindrive.solvers.jacobian import acceleration_jacobian, forces_at_rest
from chaindrive.system import Accepted, Kind

sys.path.insert(0, str(Path(__file__).parents[1] / "verification"))

import small_drives

UNITS = {"1", "m", "m/s", "rad", "rad/s", "N", "N m", "W", "J", "pitch"}

DRIVE = small_drives.two_wheels(
    (17, 13), 9.4, speed=20.0, ramp=0.1, contact={"stiffness": 1e9, "restitution": 0.3, "friction": 0.1},
    link_damping=20.0, joint_damping=1e-3, second={"load_torque": 1.0, "bearing_friction": 0.1},
)  # fmt: skip

FORMULATIONS = {
    "roller, stored impact speed": RollerOptions(),
    "roller, reference speed": RollerOptions(impact_memory="reference"),
    "roller, Kelvin-Voigt": RollerOptions(contact_law="kelvin-voigt"),
}
"""Every formulation, with options that change its memory."""

pytestmark = pytest.mark.parametrize("name", FORMULATIONS)


def system_of(name, at_speed=False):
    drive = DRIVE
    if name.endswith("Kelvin-Voigt"):
        contact = drive.contact.model_copy(update={"exponent": 1.0, "stiffness": 1e7})
        drive = drive.model_copy(update={"contact": contact})
    return compile_system(drive, FORMULATIONS[name], at_speed)


def memory(system):
    return {key: array.copy() for key, array in system.memory_arrays().items()}


def wild_states(system, count=20):
    """States such as trial stages of a step that is far too long produce, some of them not even finite."""
    rng = np.random.default_rng(5)
    for k in range(count):
        y = system.state + rng.normal(scale=10.0 ** rng.uniform(-7, 1), size=system.state.size)
        if k % 7 == 6:
            y[rng.integers(y.size)] = [np.nan, np.inf, 1e300][k % 3]
        yield rng.uniform(0.0, 3.0), y


def test_shapes(name):
    system = system_of(name)
    n, size = system.positions, system.state.size
    works = size - 2 * n
    assert works >= 0
    assert system.kinds.shape == (size,)
    assert set(system.kinds[:n]) <= {Kind.LENGTH, Kind.ANGLE}
    assert set(system.kinds[n : 2 * n]) <= {Kind.SPEED, Kind.ANGULAR_SPEED}
    # speeds belong to positions one by one
    np.testing.assert_array_equal(system.kinds[:n] == Kind.ANGLE, system.kinds[n : 2 * n] == Kind.ANGULAR_SPEED)
    assert np.all(system.kinds[2 * n :] == Kind.WORK)
    assert system.masses.shape == system.colours.shape == system.rolling.shape == (n,)
    assert np.all(system.masses > 0.0)
    assert np.all(np.isfinite(system.state))
    assert np.all(system.state[n:] == 0.0)
    assert np.all(np.diff(system.stops) > 0.0)
    assert np.all(system.stops > 0.0)
    assert 0.0 < system.highest_frequency < np.inf


def test_channels_tile_the_row(name):
    system = system_of(name)
    at = 0
    for channel in system.channels:
        assert channel.offset == at, channel.name
        assert len(channel.dims) == len(channel.shape)
        assert channel.unit in UNITS
        assert channel.description
        at += channel.size
    assert at == system.row_size
    names = [c.name for c in system.channels]
    assert len(set(names)) == len(names)
    for dimension in system.labels:
        lengths = {c.shape[c.dims.index(dimension)] for c in system.channels if dimension in c.dims}
        assert lengths == {len(system.labels[dimension])}


def test_channels_of_one_dimension_have_one_length(name):
    lengths: dict[str, set[int]] = {}
    for channel in system_of(name).channels:
        for dimension, length in zip(channel.dims, channel.shape, strict=True):
            lengths.setdefault(dimension, set()).add(length)
    assert all(len(found) == 1 for found in lengths.values())


def test_the_channels_that_everybody_relies_on(name):
    units = {c.name: c.unit for c in system_of(name).channels}
    expected = {"link_tension": "N", "roller_position": "m", "contact_force": "N", "wheel_angle": "rad"}
    expected |= {"wheel_speed": "rad/s", "wheel_torque": "N m", "span_tension": "N", "span_displacement": "m"}
    expected |= {"power_input": "W", "work_input": "J", "energy_residual": "J", "link_path_position": "pitch"}
    assert expected.items() <= units.items()


def test_record_fills_the_whole_row(name):
    system = system_of(name)
    row = np.full(system.row_size + 3, 1234.5)
    system.kernels.record(0.0, system.state, system.parameters, row[: system.row_size])
    assert not np.any(row[: system.row_size] == 1234.5)
    assert np.all(row[system.row_size :] == 1234.5)


def test_rates_of_positions_are_velocities(name):
    system = system_of(name)
    rng = np.random.default_rng(1)
    y = system.state + rng.normal(scale=1e-5, size=system.state.size)
    dy = np.full_like(y, np.nan)
    system.kernels.rhs(0.05, y, dy, system.parameters)
    np.testing.assert_array_equal(dy[: system.positions], y[system.positions : 2 * system.positions])
    assert np.all(np.isfinite(dy))


def test_work_does_not_act_back(name):
    system = system_of(name)
    y = system.state.copy()
    first, second = np.zeros_like(y), np.zeros_like(y)
    system.kernels.rhs(0.05, y, first, system.parameters)
    y[2 * system.positions :] = 77.0
    system.kernels.rhs(0.05, y, second, system.parameters)
    np.testing.assert_array_equal(first, second)


def test_trial_stages_leave_no_trace(name):
    """rhs and record at wild states change no memory, and not what they answer later."""
    system = system_of(name)
    rng = np.random.default_rng(2)
    y = system.state + rng.normal(scale=1e-5, size=system.state.size)
    before, row = memory(system), np.zeros(system.row_size)
    first, again = np.zeros_like(y), np.zeros_like(y)
    system.kernels.rhs(0.02, y, first, system.parameters)
    with np.errstate(all="ignore"):
        for t, wild in wild_states(system):
            copy = wild.copy()
            system.kernels.rhs(t, wild, np.zeros_like(y), system.parameters)
            if np.all(np.isfinite(wild)):
                system.kernels.record(t, wild, system.parameters, row)
            np.testing.assert_array_equal(wild, copy)
    for key, array in memory(system).items():
        np.testing.assert_array_equal(array, before[key], err_msg=key)
    system.kernels.rhs(0.02, y, again, system.parameters)
    np.testing.assert_array_equal(first, again)


def test_everything_that_changes_is_memory(name):
    """Putting the memory back brings the right-hand side back, bit for bit: a checkpoint holds all there is."""
    system = system_of(name)
    rng = np.random.default_rng(3)
    y = system.state.copy()
    saved = memory(system)
    first, again = np.zeros_like(y), np.zeros_like(y)
    system.kernels.rhs(0.0, y, first, system.parameters)
    changed = False
    for k in range(10):
        there = y.copy()
        there[: system.positions] += rng.normal(scale=3e-4, size=system.positions)
        there[system.positions : 2 * system.positions] += rng.normal(size=system.positions)
        system.kernels.rhs(0.1 * k, there, again, system.parameters)
        changed |= system.kernels.accept(0.1 * k, there, system.parameters) != Accepted.UNCHANGED
    assert changed
    for key, array in system.memory_arrays().items():
        array[...] = saved[key]
    system.kernels.rhs(0.0, y, again, system.parameters)
    np.testing.assert_array_equal(first, again)


def test_accept_says_when_the_right_hand_side_has_changed(name):
    """Where accept answers UNCHANGED, the derivative at the accepted state is still the one computed before."""
    system = system_of(name)
    rng = np.random.default_rng(4)
    before, after = np.zeros_like(system.state), np.zeros_like(system.state)
    answers = []
    t = 0.0
    for _ in range(60):
        y = system.state.copy()
        y[: system.positions] += rng.normal(scale=2e-5, size=system.positions)
        y[system.positions : 2 * system.positions] += rng.normal(scale=0.3, size=system.positions)
        t += 1e-5
        system.kernels.rhs(t, y, before, system.parameters)
        kept = y.copy()
        answer = system.kernels.accept(t, y, system.parameters)
        answers.append(answer)
        np.testing.assert_array_equal(y, kept)
        if answer == Accepted.UNCHANGED:
            system.kernels.rhs(t, y, after, system.parameters)
            np.testing.assert_array_equal(before, after)
        # a second time at the same place nothing is left to change
        system.kernels.rhs(t, y, after, system.parameters)
        assert system.kernels.accept(t, y, system.parameters) in (Accepted.UNCHANGED, answer)
    assert set(answers) <= {Accepted.UNCHANGED, Accepted.RHS_CHANGED}
    assert Accepted.UNCHANGED in answers or "stored" in name


def test_begin_forgets_the_past(name):
    """After begin the memory depends on the state alone."""
    system = system_of(name)
    rng = np.random.default_rng(6)
    system.kernels.begin(0.0, system.state, system.parameters)
    fresh = memory(system)
    dy = np.zeros_like(system.state)
    for k in range(5):
        y = system.state.copy()
        y[: system.positions] += rng.normal(scale=3e-4, size=system.positions)
        system.kernels.rhs(0.1 * k, y, dy, system.parameters)
        system.kernels.accept(0.1 * k, y, system.parameters)
    assert system.kernels.begin(0.0, system.state, system.parameters) == Accepted.UNCHANGED
    used = system.parameters.segments_used
    for key, array in memory(system).items():
        known = {"candidate": np.s_[:, : used[1]], "segment": np.s_[: used[0]]}.get(key, np.s_[...])  # rest: unused
        np.testing.assert_array_equal(array[known], fresh[key][known], err_msg=key)


def test_coloured_jacobian_is_the_dense_one(name):
    system = system_of(name)
    n = system.positions
    # Differences with one and the same step: truncation is common to both, and a colour adds only the rounding of
    # forces, K eps x 0.1 m = 2e-10 N over 2e-7 m.
    step = 1e-7
    coloured = acceleration_jacobian(system, 0.0, system.state, step).toarray()
    dense = np.zeros((n, n))
    for j in range(n):
        there = system.state.copy()
        there[j] = system.state[j] + step
        ahead = forces_at_rest(system, 0.0, there)
        there[j] = system.state[j] - step
        width = (system.state[j] + step) - (system.state[j] - step)
        dense[:, j] = (ahead - forces_at_rest(system, 0.0, there)) / width
    free = np.isfinite(system.masses)
    border = system.colours < 0
    scale = np.abs(dense).max()
    inner = np.ix_(free, ~border)
    rows = ~border
    np.testing.assert_allclose(coloured[rows][:, :], dense[rows][:, :], rtol=0.0, atol=1e-9 * scale)
    # Rows of the border are taken as the transpose of its columns: equal to the truncation of both differences.
    np.testing.assert_allclose(coloured[inner], dense[inner], rtol=0.0, atol=1e-4 * scale)
    # and the Jacobian of forces at rest, which have a potential, is symmetric
    both = coloured[np.ix_(free, free)]
    np.testing.assert_allclose(both, both.T, rtol=0.0, atol=1e-4 * scale)


def test_prescribed_positions_have_infinite_mass(name):
    """... and follow their motion whatever the forces; a free one has force over mass."""
    system = replace(system_of(name))
    n = system.positions
    prescribed = ~np.isfinite(system.masses)
    assert prescribed.any()
    dy, other = np.zeros_like(system.state), np.zeros_like(system.state)
    system.kernels.rhs(0.05, system.state, dy, system.parameters)
    moved = system.state.copy()
    moved[:n] += np.where(prescribed, 0.0, 1e-4)
    system.kernels.rhs(0.05, moved, other, system.parameters)
    np.testing.assert_array_equal(dy[n : 2 * n][prescribed], other[n : 2 * n][prescribed])
    assert np.all(dy[n : 2 * n][prescribed] != 0.0)  # in the middle of the ramp
