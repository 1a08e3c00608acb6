"""Bodies in a tree of joints: building it, frames, points and masses, step limits, and mechanisms alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.contract.states import Kind
from chaindrive.contract.status import Status
from chaindrive.kernels.tables import copied
from chaindrive.mechanism import motion, tree
from chaindrive.mechanism.tree import FIXED, GROUND, PRISMATIC, REVOLUTE, BodyData, PointMass
from chaindrive.mechanism.tree_kernels import joint_law
from chaindrive.solvers import Integrator, SolverSettings
from support.mechanism_alone import alone

ARM = [
    BodyData(GROUND, REVOLUTE, 2.0, 0.1, (0.5, 0.1), (0.2, -0.1)),
    BodyData(0, PRISMATIC, 1.0, 0.2, (1.1, 0.3), (1.0, 0.2), (3.0, 4.0)),
    BodyData(1, REVOLUTE, 0.5, 0.05, (1.4, 0.2), (1.3, 0.4)),
]
S, RATE = np.array([0.4, -0.3, 1.2]), np.array([1.5, 0.8, -2.0])


def moved(made, s, rate):
    tree.kinematics(np.concatenate([s, rate]), 0, made.joints, made)


def test_places_in_the_reference_configuration():
    made = tree.build_tree(ARM)
    moved(made, np.zeros(3), np.zeros(3))
    for b, body in enumerate(ARM):
        px, py, vx, vy = tree.place(made, b, body.centre[0] - body.position[0], body.centre[1] - body.position[1])
        assert (px, py) == pytest.approx(body.centre)
        assert (vx, vy) == (0.0, 0.0)
    assert tree.place(made, GROUND, 3.0, 4.0) == (3.0, 4.0, 0.0, 0.0)
    assert tree.bias(made, GROUND, 3.0, 4.0) == (0.0, 0.0)


def test_places_by_hand():
    made = tree.build_tree(ARM)
    moved(made, S, RATE)
    first, second = np.exp(0.4j), np.exp(1.6j)
    slide = (0.2 - 0.1j) + first * (0.8 + 0.3j - 0.3 * (0.6 + 0.8j))
    tip = slide + first * (0.3 + 0.2j) + second * (0.1 - 0.2j)
    px, py, _, _ = tree.place(made, 2, 0.1, -0.2)
    assert complex(px, py) == pytest.approx(tip, rel=1e-14)


@pytest.mark.parametrize("b", [0, 1, 2])
def test_velocity_and_bias_are_derivatives_of_the_place(b):
    # Along s + t rate, joint accelerations zero. Central differences, h = 1e-5: the third derivatives are below 100,
    # h^2/6 100 = 2e-9; rounding of the second difference 2e-16/h^2 = 2e-6.
    made = tree.build_tree(ARM)
    h, own = 1e-5, (0.7, -0.4)

    def at(t):
        moved(made, S + t * RATE, RATE)
        return np.array(tree.place(made, b, *own))

    back, here, ahead = at(-h), at(0.0), at(h)
    np.testing.assert_allclose((ahead[:2] - back[:2]) / (2 * h), here[2:], atol=1e-8)
    moved(made, S, RATE)
    expected = (ahead[2:] - back[2:]) / (2 * h)
    np.testing.assert_allclose(tree.bias(made, b, here[0], here[1]), expected, atol=1e-7)


def test_kinetic_energy_is_that_of_the_mass_matrix():
    made = tree.build_tree(ARM)
    matrix = tree.mass_matrix(made)
    moved(made, np.zeros(3), RATE)
    y = np.concatenate([np.zeros(3), RATE])
    kinetic, elastic, gravity = tree.energies(made, y, 0, 3, 0.0, -9.81)
    assert kinetic == pytest.approx(0.5 * RATE @ matrix @ RATE, rel=1e-13)
    assert elastic == 0.0
    assert gravity == pytest.approx(9.81 * sum(body.mass * body.centre[1] for body in ARM), rel=1e-13)
    # A point mass adds m v v^T; the rates of its place are those of a small motion.
    more = tree.mass_matrix(made, [PointMass(2, (2.0, 1.0), 3.0)])
    rates = tree.point_rates(made, 2, (2.0, 1.0))
    np.testing.assert_allclose(more - matrix, 3.0 * rates.T @ rates, rtol=1e-12, atol=1e-13)
    moved(made, np.zeros(3), RATE)
    assert rates @ RATE == pytest.approx(tree.place(made, 2, 0.7, 0.6)[2:], rel=1e-13)
    np.testing.assert_array_equal(tree.point_rates(made, GROUND, (1.0, 1.0)), np.zeros((2, 3)))


def test_loads_of_the_ground_do_nothing():
    made = tree.build_tree(ARM)
    moved(made, S, RATE)
    tree.clear(made, 0.0, -9.81)
    wrench, composite = copied(made.wrench), copied(made.composite)
    tree.apply_force(made, GROUND, 1.0, 1.0, 50.0, 60.0, 7.0)
    tree.add_mass(made, GROUND, 1.0, 1.0, 9.0)
    np.testing.assert_array_equal(made.wrench, wrench)
    np.testing.assert_array_equal(made.composite, composite)


def test_bodies_may_stand_in_any_order():
    # The same arm from the tip to the ground; coordinates follow the order of the bodies.
    other = [ARM[2]._replace(parent=2), ARM[0], ARM[1]._replace(parent=1)]
    one, two = tree.build_tree(ARM), tree.build_tree(other)
    assert two.body.coordinate.tolist() == [0, 1, 2]
    swap = [2, 0, 1]
    results = []
    for made, s, rate in ((one, S, RATE), (two, S[swap], RATE[swap])):
        y, dy = np.concatenate([s, rate]), np.zeros(6)
        tree.kinematics(y, 0, 3, made)
        tree.clear(made, 0.0, -9.81)
        tree.assemble(y, 0, 3, made)
        tree.solve(0.0, y, 0, 3, made, dy)
        force, moment = np.zeros((3, 2)), np.zeros(3)
        tree.reactions(made, force, moment)
        results.append((dy[3:], force, moment))
    for given, swapped in zip(*results, strict=True):
        np.testing.assert_allclose(given[swap], swapped, rtol=1e-12, atol=1e-12)


def test_joint_coordinates_may_stand_anywhere_in_the_state():
    made = tree.build_tree(ARM)
    short, dy = np.concatenate([S, RATE]), np.zeros(6)
    long, longer = np.full(30, np.nan), np.full(30, np.nan)
    long[5:8], long[17:20] = S, RATE
    for y, out, at, positions in ((short, dy, 0, 3), (long, longer, 5, 12)):
        tree.kinematics(y, at, positions, made)
        tree.clear(made, 0.0, -9.81)
        tree.assemble(y, at, positions, made)
        tree.solve(0.0, y, at, positions, made, out)
    np.testing.assert_array_equal(longer[17:20], dy[3:])
    assert np.isnan(np.delete(longer, [17, 18, 19])).all()


def test_two_prescribed_joints_and_a_free_one():
    # Rows of M s'' = f: the free one holds, the others say what the motions supply.
    bodies = [
        ARM[0]._replace(motion=motion.harmonic(0.5, 1.0, 1.0)),
        ARM[1],
        ARM[2]._replace(motion=motion.move(1.0, 0.0, 2.0)),
    ]
    made = tree.build_tree(bodies)
    y, dy = np.concatenate([S, RATE]), np.zeros(6)
    tree.kinematics(y, 0, 3, made)
    tree.clear(made, 0.0, -9.81)
    tree.assemble(y, 0, 3, made)
    power = tree.solve(0.3, y, 0, 3, made, dy)
    turn = 2.0 * math.pi
    assert dy[3] == pytest.approx(-0.5 * turn**2 * math.sin(0.3 * turn + 1.0), rel=1e-13)
    assert dy[5] == pytest.approx(motion.smooth_move(0.3, 0.0, 2.0, 1.0), rel=1e-15)
    left = made.mass @ dy[3:] - made.force
    assert left[1] == pytest.approx(0.0, abs=1e-12)
    assert power == pytest.approx(left @ RATE, rel=1e-12)


def test_joint_law():
    body = BodyData(
        GROUND, PRISMATIC, 1.0, stiffness=100.0, damping=3.0, neutral=0.2, load=7.0,
        lower=-0.1, upper=0.5, stop_stiffness=1e4, stop_damping=20.0,
    )  # fmt: skip
    made = tree.build_tree([body])
    assert joint_law(made, 0, 0.3, 2.0) == pytest.approx((7.0 - 10.0 - 6.0, 12.0))
    assert joint_law(made, 0, 0.51, 2.0) == pytest.approx((7.0 - 31.0 - 6.0 - 100.0 - 40.0, 12.0 + 80.0))
    assert joint_law(made, 0, -0.11, -1.0) == pytest.approx((7.0 + 31.0 + 3.0 + 100.0 + 20.0, 3.0 + 20.0))
    # Left faster than the stop can follow: no force, and the elastic energy 100 N x 10 m/s is lost.
    assert joint_law(made, 0, 0.51, -10.0) == pytest.approx((7.0 - 31.0 + 30.0, 300.0 + 1000.0))


def test_step_limit_of_joint_springs():
    body = BodyData(GROUND, PRISMATIC, 2.0, stiffness=800.0, damping=6.0, stop_stiffness=1000.0, stop_damping=4.0)
    made = tree.build_tree([body])
    assert tree.stiffness_frequency(made) == pytest.approx((math.sqrt(1800.0 / 2.0), 10.0 / 2.0))
    point_masses = [PointMass(0, (0.0, 0.0), 3.0)]
    more = tree.stiffness_frequency(made, point_masses, np.array([[200.0]]), np.array([[5.0]]))
    assert more == pytest.approx((math.sqrt(2000.0 / 5.0), 15.0 / 5.0))
    driven = tree.build_tree([body._replace(motion=motion.move(1.0, 0.0, 1.0))])
    assert tree.stiffness_frequency(driven) == (0.0, 0.0)
    assert tree.stiffness_frequency(tree.build_tree([BodyData()])) == (0.0, 0.0)
    # Two equal masses on two equal springs in a row: w^2 = (3 + sqrt 5)/2 k/m. The second slides on the first.
    row = [BodyData(b - 1, PRISMATIC, 2.0, stiffness=800.0) for b in range(2)]
    expected = math.sqrt(0.5 * (3.0 + math.sqrt(5.0)) * 400.0)
    assert tree.stiffness_frequency(tree.build_tree(row))[0] == pytest.approx(expected)


def test_where_a_run_starts():
    bodies = [
        ARM[0]._replace(motion=motion.harmonic(0.5, 1.0, 1.0)),
        BodyData(0, FIXED, 1.0),
        ARM[1]._replace(motion=motion.move(0.1, 0.5, 0.2)),
    ]
    coordinates, speeds = tree.joint_start(bodies)
    np.testing.assert_allclose(coordinates, [0.5 * math.sin(1.0), 0.0])
    np.testing.assert_allclose(speeds, [math.pi * math.cos(1.0), 0.0])
    np.testing.assert_allclose(tree.joint_stops(bodies), [0.5, 0.7])
    assert tree.joint_kinds(tree.build_tree(bodies)) == (REVOLUTE, PRISMATIC)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"parent": 5}, "body 1: its parent 5 does not exist; there are bodies 0 to 2"),
        ({"parent": 2}, r"bodies \[1, 2\]: each of them is supported by one of the others"),
        ({"parent": 1}, r"bodies \[1, 2\]: each of them is supported by one of the others"),
        ({"joint": 3}, "body 1: joint 3 is not one of fixed"),
        ({"mass": -1.0}, "body 1: mass -1.0 is below zero"),
        ({"inertia": math.nan}, "body 1: inertia nan is below zero"),
        ({"direction": (0.0, 0.0)}, "body 1: the direction"),
        ({"lower": 0.1, "upper": 0.1}, "body 1: the lower end stop 0.1 is not below"),
        ({"joint": FIXED, "motion": motion.move(1.0, 0.0, 1.0)}, "body 1: a fixed joint cannot have a motion"),
    ],
)
def test_trees_that_cannot_be(change, text):
    bodies = list(ARM)
    bodies[1] = bodies[1]._replace(**change)
    with pytest.raises(ValueError, match=text):
        tree.build_tree(bodies)


def test_all_problems_are_told_at_once():
    with pytest.raises(ValueError, match=r"(?s)body 0: mass.*body 1: its parent") as caught:
        tree.build_tree([BodyData(mass=-1.0), BodyData(7)])
    assert str(caught.value).count("\n") == 1


def test_motions_that_move_no_mass():
    tip = BodyData(0, REVOLUTE, 0.0, 0.0, (1.0, 0.0), (1.0, 0.0))
    with pytest.raises(ValueError, match=r"bodies \[1\]: their joints move no mass"):
        tree.build_tree([ARM[0], tip])
    # A wheel that rides on it is mass enough, and a prescribed motion needs none.
    tree.build_tree([ARM[0], tip], [PointMass(1, (1.5, 0.0), 3.0)])
    tree.build_tree([ARM[0], tip._replace(motion=motion.move(1.0, 0.0, 1.0))])
    # Two slides along one line under one mass: one of them moves it, both against each other move nothing.
    slides = [BodyData(GROUND, PRISMATIC), BodyData(0, PRISMATIC, 1.0)]
    with pytest.raises(ValueError, match=r"bodies \[0, 1\]: a combined motion of their joints moves no mass"):
        tree.build_tree(slides)


def test_an_empty_tree():
    made = tree.build_tree([], wheels=2)
    y = np.zeros(0)
    tree.kinematics(y, 0, 0, made)
    tree.clear(made, 0.0, -9.81)
    assert tree.assemble(y, 0, 0, made) == 0.0
    tree.couple(made, 0, GROUND, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0)
    assert tree.solve(0.0, y, 0, 0, made, np.zeros(0)) == 0.0
    assert tree.outer(made, 0) == 0.0
    assert tree.unbalanced_acceleration(made, 0) == 1.5


def test_a_mechanism_alone_is_a_system():
    driven = ARM[1]._replace(motion=motion.harmonic(0.1, 2.0, math.pi / 2))
    system = alone([ARM[0], driven, BodyData(1, FIXED, 1.0)], (0.0, -9.81), names=("arm", "slide", "weight"))
    assert system.positions == 2
    assert system.kinds.tolist()[:4] == [Kind.ANGLE, Kind.LENGTH, Kind.ANGULAR_SPEED, Kind.SPEED]
    np.testing.assert_allclose(system.state[:2], [0.0, 0.1])
    assert system.labels["body"] == ("arm", "slide", "weight")
    assert np.isfinite(system.masses).tolist() == [True, False]
    # Channels fill the row without gap; none is empty.
    assert [c.offset for c in system.channels] == np.cumsum([0, *(c.size for c in system.channels)])[:-1].tolist()
    assert all(c.size for c in system.channels)
    with pytest.raises(ValueError, match="needs a revolute or prismatic joint"):
        alone([BodyData(mass=1.0)])


def test_a_run_in_pieces_is_the_run_in_one():
    def fresh():
        return Integrator(alone(ARM, (0.0, -9.81), [0.3, 0.0, 0.1]), SolverSettings(), 0.01)

    whole, first, second = fresh(), fresh(), fresh()
    assert whole.advance(0.2) == Status.REACHED_END
    first.advance(0.2, 5)
    second.restore(first.snapshot())
    second.advance(0.2)
    np.testing.assert_array_equal(second.state, whole.state)
