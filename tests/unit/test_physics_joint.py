"""The joint damping: rate of the joint angle, force couples, power."""

import math

import numpy as np
import pytest

from chaindrive.physics.joint import (
    couple_force,
    joint_dissipation,
    joint_moment,
    link_angular_velocity,
    presliding_moment,
    presliding_rate,
)


def three_rollers(seed):
    rng = np.random.default_rng(seed)
    position, velocity = np.cumsum(rng.normal(size=(3, 2)) + np.array([1.5, 0.0]), axis=0), rng.normal(size=(3, 2))
    return position, velocity, np.diff(position, axis=0), np.diff(velocity, axis=0)


def along(link):
    """Unit vector of a link and 1/length, as computed by the formulation."""
    length = np.linalg.norm(link)
    return *(link / length), 1.0 / length


def rate_of(links, rates):
    """Rate of the joint angle, phi' = w_next - w, as the formulation defines it."""
    angular_velocities = [link_angular_velocity(*along(link), *rate) for link, rate in zip(links, rates, strict=True)]
    return angular_velocities[1] - angular_velocities[0]


def angle(links):
    """Angle from the first to the second link, counter-clockwise positive. [rad]"""
    (ax, ay), (bx, by) = links
    return math.atan2(ax * by - ay * bx, ax * bx + ay * by)


@pytest.mark.parametrize("seed", range(20))
def test_rate_is_the_derivative_of_the_angle(seed):
    # Central difference with h = 1e-5: error h^2/6 |phi'''| with |phi'''| below the sum of
    # 4 (|l'|/|l|)^3; rounding 1e-16/h = 1e-11.
    _, _, links, rates = three_rollers(seed)
    h = 1e-5
    difference = (angle(links + h * rates) - angle(links - h * rates)) / (2.0 * h)
    cubes = sum((np.linalg.norm(rates[i]) / np.linalg.norm(links[i])) ** 3 for i in range(2))
    assert rate_of(links, rates) == pytest.approx(difference, abs=h**2 * 4.0 / 6.0 * cubes + 1e-10)


@pytest.mark.parametrize("seed", range(20))
def test_rate_is_pedersen_3_14_with_its_sign_corrected(seed):
    # Pedersen (2004), Eq. 3.14, phi positive clockwise; printed  -1/(l.l+) (l+.l^' + l^.l+' - (l' l+ + l l+') sin phi),
    # corrected                                                  -1/(l.l+) (l+.l^' + l^.l+' + (l' l+ + l l+') sin phi).
    _, _, (a, b), (da, db) = three_rollers(seed)
    hat, dhat = np.array([-a[1], a[0]]), np.array([-da[1], da[0]])
    la, lb = np.linalg.norm(a), np.linalg.norm(b)
    dla, dlb = a @ da / la, b @ db / lb
    clockwise = -angle((a, b))
    stretch = (dla * lb + la * dlb) * math.sin(clockwise)
    corrected = -(b @ dhat + hat @ db + stretch) / (a @ b)
    printed = -(b @ dhat + hat @ db - stretch) / (a @ b)
    rate = rate_of((a, b), (da, db))
    # The quotient loses digits as the links come to a right angle: condition (|l||l+| / l.l+).
    tolerance = 1e-13 * (np.linalg.norm(da) * lb + np.linalg.norm(db) * la) / abs(a @ b)
    assert -rate == pytest.approx(corrected, abs=tolerance)
    assert abs(-rate - printed) > 1e3 * tolerance


def test_rigid_turning_and_stretching_leave_the_rate_zero():
    _, _, links, _ = three_rollers(4)
    turning = np.stack([-links[:, 1], links[:, 0]], axis=1) * 3.0
    assert rate_of(links, turning + 0.7 * links) == pytest.approx(0.0, abs=1e-14)
    assert link_angular_velocity(*along(links[0]), *turning[0]) == pytest.approx(3.0, rel=1e-14)


@pytest.mark.parametrize("seed", range(20))
def test_couples_balance_and_dissipate(seed):
    # Pedersen (2004), Eq. 3.17: no net force, no net moment, power -C phi'^2 exactly.
    position, velocity, links, rates = three_rollers(seed)
    damping = 0.5
    rate = rate_of(links, rates)
    moment = joint_moment(rate, damping)
    before = np.array(couple_force(*along(links[0]), moment))
    after = np.array(couple_force(*along(links[1]), -moment))
    force = np.array([-before, before - after, after])
    size = np.abs(force).max()
    np.testing.assert_allclose(force.sum(axis=0), 0.0, atol=4e-16 * size)
    turning = position[:, 0] * force[:, 1] - position[:, 1] * force[:, 0]
    assert turning.sum() == pytest.approx(0.0, abs=1e-15 * 6 * size * np.abs(position).max())
    power = np.sum(force * velocity)
    assert power == pytest.approx(-joint_dissipation(rate, damping), abs=1e-15 * 6 * size * np.abs(velocity).max())
    # each couple is perpendicular to its link and of size moment / length
    assert before @ links[0] == pytest.approx(0.0, abs=1e-15 * size * np.linalg.norm(links[0]))
    assert np.linalg.norm(after) == pytest.approx(abs(moment) / np.linalg.norm(links[1]), rel=1e-14)
    assert links[0][0] * before[1] - links[0][1] * before[0] == pytest.approx(moment, rel=1e-13)


@pytest.mark.parametrize("swing", [5e-4, 2e-3, 0.14])
def test_a_joint_that_yields_loses_what_its_loop_encloses(swing):
    """Oscillating by an angle a at any speed, it loses M0 (a - 2 z0 tanh(a/(2 z0))) in each direction (Dahl 1968)."""
    limit, force, radius, turns = 1e-3, 300.0, 1.6e-4, 4000
    turned, lost = 0.0, 0.0
    for sign in (1.0, -1.0) * 10:
        lost, step = 0.0, sign * swing / turns
        for _ in range(turns):
            middle = turned + 0.5 * presliding_rate(step, turned, limit)
            turned += presliding_rate(step, middle, limit)
            lost += presliding_moment(middle, force, radius, limit) * step
    assert lost == pytest.approx(radius * force * (swing - 2.0 * limit * np.tanh(0.5 * swing / limit)), rel=1e-3)


def test_a_joint_that_was_jerked_beyond_its_limit_holds_with_its_full_moment_and_comes_back():
    assert presliding_moment(5e-3, 300.0, 1.6e-4, 1e-3) == pytest.approx(0.048)
    assert presliding_rate(1.0, 5e-3, 1e-3) == 0.0
    assert presliding_rate(-1.0, 5e-3, 1e-3) < 0.0
