"""Elements between bodies: geometry, signs, forces, memory, refusal of a bad description."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.mechanism.elements import (
    ElementData,
    HydraulicData,
    RatchetData,
    build_elements,
    element_limits,
    energy,
    forces,
    initial_pressures,
    joint_matrices,
    latch,
    start,
)
from chaindrive.mechanism.tree import FIXED, PRISMATIC, REVOLUTE, BodyData, assemble, build_tree, clear, kinematics
from chaindrive.physics.tensioners import hydraulic

TENSIONER = HydraulicData(
    piston_diameter=0.012,
    chamber_length=0.02,
    supply_pressure=3e5,
    bulk_modulus=1.5e9,
    viscosity=0.01,
    density=850.0,
    air_content=0.02,
    polytropic_exponent=1.2,
    gap=3e-5,
    gap_length=0.02,
    eccentricity=0.3,
    valve_diameter=0.003,
    opening_pressure=1e4,
)


def two_arms():
    """An arm on the ground, a slider on the arm, and a bracket fixed to the slider."""
    arm = BodyData(joint=REVOLUTE, mass=3.0, inertia=0.1, centre=(0.3, 0.1), position=(0.1, 0.2))
    slider = BodyData(parent=0, joint=PRISMATIC, mass=1.0, centre=(0.5, 0.3), position=(0.4, 0.3), direction=(3.0, 4.0))
    bracket = BodyData(parent=1, joint=FIXED, mass=0.2, inertia=1e-3, centre=(0.6, 0.3), position=(0.6, 0.4))
    return build_tree([arm, slider, bracket])


def slider_tree(mass=1.0):
    """One body that slides along x, so that an element from (-0.1, 0) has the length 0.1 + coordinate."""
    return build_tree([BodyData(joint=PRISMATIC, mass=mass)])


def to_slider(**given):
    return ElementData("t", -1, (-0.1, 0.0), 0, (0.0, 0.0), **given)


def evaluate(tree, elements, position, speed, pressures=()):
    """Forces at a state; returns the generalised forces, the pressure rates and the lost power."""
    n = tree.joints
    y = np.concatenate([position, speed, pressures])
    dy = np.zeros_like(y)
    kinematics(y, 0, n, tree)
    clear(tree, 0.0, 0.0)
    for part in tree.wrench:  # of the elements alone
        part[:] = 0.0
    lost = forces(0.0, y, 2 * n, dy, tree, elements)
    wrench = np.column_stack(tree.wrench)
    assemble(y, 0, n, tree)
    return tree.force.copy(), dy[2 * n :], lost, wrench


def column(elements, name):
    return getattr(elements.state, name.lower())


ENDS = [
    ElementData("to ground", 2, (0.7, 0.5), -1, (1.0, 0.9), stiffness=4e3, preload=30.0, damping=20.0),
    ElementData("between", 0, (0.2, 0.4), 1, (0.6, 0.1), stiffness=1e4, preload=-50.0, damping_compression=7.0),
    ElementData("piston", -1, (0.3, -0.2), 0, (0.35, 0.0), hydraulic=TENSIONER),
    ElementData("inside", 1, (0.5, 0.1), 2, (0.7, 0.6), preload=11.0),
]


def test_lengths_and_rates_are_those_of_the_points():
    tree = two_arms()
    elements = build_elements(ENDS, tree)
    evaluate(tree, elements, [0.0, 0.0], [0.0, 0.0], [3e5])
    np.testing.assert_allclose(column(elements, "LENGTH"), [each.drawing_length for each in ENDS], rtol=1e-14)
    # Rate against a central difference of the length along the motion; its error is a third derivative times h^2/6.
    position, speed, step = np.array([0.3, -0.05]), np.array([1.7, 0.6]), 1e-5
    before, after = (
        (evaluate(tree, elements, position + s * speed, speed, [3e5]), column(elements, "LENGTH").copy())[1]
        for s in (-step, step)
    )
    evaluate(tree, elements, position, speed, [3e5])
    np.testing.assert_allclose(column(elements, "RATE"), (after - before) / (2.0 * step), atol=1e-8)
    # The fixed bracket keeps its distance from the slider.
    assert column(elements, "LENGTH")[3] == pytest.approx(ENDS[3].drawing_length)
    assert column(elements, "RATE")[3] == pytest.approx(0.0, abs=1e-14)


def test_forces_on_both_ends_are_opposite_and_along_the_line():
    tree = two_arms()
    elements = build_elements(ENDS[1:2], tree)
    _, _, _, wrench = evaluate(tree, elements, [0.4, 0.1], [2.0, -1.0])
    # Both bodies together feel nothing, neither force nor moment about the origin.
    scale = np.abs(wrench).max()
    np.testing.assert_allclose(wrench.sum(axis=0), 0.0, atol=1e-14 * scale)
    assert np.hypot(*wrench[0, :2]) == pytest.approx(abs(column(elements, "FORCE")[0]))


def test_the_work_of_all_elements_is_force_times_rate():
    # d'Alembert: generalised forces times speeds = sum of F dL/dt over the elements, at any state.
    tree = two_arms()
    elements = build_elements(ENDS, tree)
    speed = np.array([2.0, -1.0])
    force, _, _, _ = evaluate(tree, elements, [0.4, 0.1], speed, [4e5])
    work = column(elements, "FORCE") @ column(elements, "RATE")
    assert force @ speed == pytest.approx(work, rel=1e-12)


def test_positive_force_pushes_the_ends_apart():
    tree = slider_tree()
    elements = build_elements([to_slider(preload=80.0)], tree)
    force, _, _, _ = evaluate(tree, elements, [0.01], [0.0])
    assert force[0] == pytest.approx(80.0)


def test_spring_by_free_length_and_by_preload_are_the_same():
    tree = slider_tree()
    elements = build_elements(
        [to_slider(stiffness=2e3, preload=30.0), to_slider(stiffness=2e3, free_length=0.115)], tree
    )
    force, _, _, _ = evaluate(tree, elements, [0.002], [0.0])
    np.testing.assert_allclose(column(elements, "FORCE"), 30.0 - 2e3 * 0.002, rtol=1e-12)
    assert force[0] == pytest.approx(52.0)
    # k (L - L0)^2/2 each.
    assert energy(elements) == pytest.approx(2.0 * 0.5 * 2e3 * 0.013**2)


def test_dampers_by_direction_and_their_loss():
    tree = slider_tree()
    elements = build_elements([to_slider(damping=100.0, damping_compression=900.0), to_slider(damping=40.0)], tree)
    for speed, expected in ((0.5, -70.0), (-0.5, 470.0)):
        force, _, lost, _ = evaluate(tree, elements, [0.0], [speed])
        assert force[0] == pytest.approx(expected)
        assert lost == pytest.approx(-expected * speed)


def test_end_stops_push_back_into_the_range():
    tree = slider_tree()
    data = to_slider(shortest=0.09, longest=0.12, stop_stiffness=1e6, stop_damping=1e3)
    elements = build_elements([data], tree)
    for position, speed, expected in (
        (0.0, 1.0, 0.0),
        (-0.011, 0.0, 1e3),
        (-0.011, -0.5, 1.5e3),
        (-0.011, 9.0, 0.0),  # leaving fast: it does not pull
        (0.021, 0.0, -1e3),
        (0.021, 0.5, -1.5e3),
        (0.021, -9.0, 0.0),
    ):
        force, _, lost, _ = evaluate(tree, elements, [position], [speed])
        assert force[0] == pytest.approx(expected, abs=1e-9)
        assert lost >= 0.0
    evaluate(tree, elements, [0.021], [0.0])
    assert energy(elements) == pytest.approx(0.5 * 1e6 * 1e-3**2)


def test_latch_moves_on_outwards_only_and_changes_no_force():
    tree = slider_tree()
    data = to_slider(ratchet=RatchetData(pitch=1e-3, stiffness=1e6, damping=50.0, backlash=2e-4))
    elements = build_elements([data, to_slider(preload=1.0)], tree)
    evaluate(tree, elements, [0.0], [0.0])
    start(elements)
    assert elements.latch[0] == pytest.approx(0.1)
    assert elements.latch[1] == -math.inf
    assert latch(elements) == 0
    for position, moved, held in ((0.9e-3, 0, 0.1), (2.3e-3, 1, 0.102), (2.1e-3, 0, 0.102), (0.5e-3, 0, 0.102)):
        before, _, _, _ = evaluate(tree, elements, [position], [-0.01])
        assert latch(elements) == moved
        assert elements.latch[0] == pytest.approx(held)
        after, _, _, _ = evaluate(tree, elements, [position], [-0.01])
        assert after[0] == before[0]
    # Pushed back 1.5 mm below the tooth, of which 0.2 mm are backlash: k d + c d' - beside the constant 1 N.
    assert after[0] == pytest.approx(1e6 * 1.3e-3 + 50.0 * 0.01 + 1.0)
    assert energy(elements) == pytest.approx(0.5 * 1e6 * 1.3e-3**2 - 1.0 * 0.5e-3)
    # A start forgets.
    start(elements)
    assert elements.latch[0] == pytest.approx(0.1)


def test_piston_pushes_with_the_pressure_and_its_work_counts_as_lost():
    tree = slider_tree()
    elements = build_elements([to_slider(hydraulic=TENSIONER)], tree)
    area = math.pi * 0.006**2
    force, rates, lost, _ = evaluate(tree, elements, [-0.004], [-0.2], [8e5])
    assert force[0] == pytest.approx(area * 8e5)
    assert lost == pytest.approx(area * 8e5 * 0.2)
    # E/V (-G p - A L') with the column 16 mm long; the valve is closed.
    modulus = hydraulic.bulk_modulus(8e5, 1.5e9, 0.02, 1.2)
    leak = hydraulic.gap_conductance(0.012, 3e-5, 0.02, 0.3, 0.01) * 8e5
    assert rates[0] == pytest.approx(modulus / (area * 0.016) * (area * 0.2 - leak), rel=1e-12)
    # Open valve, drawn out: inflow 0.7 A_v sqrt(2 dp/rho) at a difference beyond full opening.
    _, rates, lost, _ = evaluate(tree, elements, [0.0], [0.2], [1e5])
    inflow = 0.7 * math.pi * 0.0015**2 * math.sqrt(2.0 * 2e5 / 850.0)
    modulus = hydraulic.bulk_modulus(1e5, 1.5e9, 0.02, 1.2)
    assert rates[0] == pytest.approx(modulus / (area * 0.02) * (inflow - leak / 8.0 - area * 0.2), rel=1e-12)
    assert lost == pytest.approx(-area * 1e5 * 0.2)


def test_piston_neither_sticks_to_a_void_nor_reaches_the_bottom():
    tree = slider_tree()
    elements = build_elements([to_slider(hydraulic=TENSIONER)], tree)
    force, _, _, _ = evaluate(tree, elements, [0.0], [0.5], [-4e6])
    assert force[0] == pytest.approx(-math.pi * 0.006**2 * hydraulic.ATMOSPHERE)
    assert column(elements, "PRESSURE")[0] == -hydraulic.ATMOSPHERE
    _, rates, _, _ = evaluate(tree, elements, [-0.05], [-0.1], [5e5])
    assert math.isfinite(rates[0])
    assert rates[0] > 0.0


def test_each_chamber_has_its_own_pressure():
    tree = slider_tree()
    other = TENSIONER._replace(supply_pressure=1e5, gap=5e-5)
    elements = build_elements(
        [to_slider(hydraulic=TENSIONER), to_slider(preload=5.0), to_slider(hydraulic=other)], tree
    )
    _, rates, _, _ = evaluate(tree, elements, [0.0], [0.0], initial_pressures(elements))
    assert initial_pressures(elements).shape == (2,)
    np.testing.assert_allclose(column(elements, "PRESSURE")[[0, 2]], initial_pressures(elements))
    assert column(elements, "PRESSURE")[1] == 0.0
    # At rest: the rates vanish but for the rounding of the flows, which E/V magnifies.
    leak = elements.value.gap.max() * 3e5
    np.testing.assert_allclose(rates, 0.0, atol=1e-12 * 1.5e9 / (math.pi * 0.006**2 * 0.02) * leak)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"gap": 0.0}, 3e5 - 1e4),
        ({"gap": 0.0, "valve_diameter": 0.0}, 3e5),
        ({"valve_diameter": 0.0}, 0.0),
        ({"supply_pressure": 5e3}, 0.0),  # below the opening pressure
        ({"supply_pressure": 5e3, "gap": 0.0}, 0.0),
    ],
)
def test_pressure_at_rest_in_the_limits(change, expected):
    elements = build_elements([to_slider(hydraulic=TENSIONER._replace(**change))], slider_tree())
    assert initial_pressures(elements)[0] == pytest.approx(expected, abs=1e-9)


def test_full_opening_pressure():
    default, given = (
        build_elements([to_slider(hydraulic=TENSIONER._replace(**change))], slider_tree()).value.valve_range[0]
        for change in ({}, {"full_opening_pressure": 4e4})
    )
    assert (default, given) == (1e4, 3e4)
    free = build_elements([to_slider(hydraulic=TENSIONER._replace(opening_pressure=0.0))], slider_tree())
    assert free.value.valve_range[0] > 0.0


def test_limits_are_the_slopes_of_force_and_pressure_rate():
    tree = slider_tree()
    data = to_slider(
        stiffness=1e4,
        damping=20.0,
        damping_compression=60.0,
        shortest=0.085,
        stop_stiffness=1e6,
        stop_damping=300.0,
        ratchet=RatchetData(stiffness=2e6, damping=40.0),
        hydraulic=TENSIONER,
    )
    elements = build_elements([data], tree)
    limits = element_limits(elements)
    area = math.pi * 0.006**2
    assert limits.stiffness[0] == pytest.approx(1e4 + 1e6 + 2e6 + area * 1.5e9 / 0.005)
    assert limits.damping[0] == pytest.approx(60.0 + 300.0 + 40.0)
    # The rate bounds -d(dp/dt)/dp of a held piston wherever the valve works, and is not far above it.
    pressures = np.linspace(-9e4, 1.2e6, 4001)
    rates = np.array([evaluate(tree, elements, [-0.015], [0.0], [p])[1][0] for p in pressures])
    slope = -np.diff(rates) / np.diff(pressures)
    assert slope.max() <= limits.rate[0]
    assert slope.max() > 0.3 * limits.rate[0]
    # Made slower, it settles just as fast as asked for, where it did before.
    fastest = elements.value.fastest[0] = 0.05 * limits.rate[0]
    slower = np.array([evaluate(tree, elements, [-0.015], [0.0], [p])[1][0] for p in pressures])
    assert element_limits(elements).rate[0] == fastest
    np.testing.assert_array_equal(np.sign(slower), np.sign(rates))
    beside = initial_pressures(elements)[0] + np.array([-10.0, 10.0])
    found = [evaluate(tree, elements, [-0.015], [0.0], [p])[1][0] for p in beside]
    assert (found[0] - found[1]) / 20.0 == pytest.approx(fastest, rel=1e-3)
    without = build_elements([to_slider(stiffness=1e4, stop_stiffness=1e9)], tree)
    assert element_limits(without).stiffness[0] == 1e4
    assert element_limits(without).rate[0] == 0.0


def test_joint_matrices_are_the_stiffness_that_the_joints_feel():
    # Springs at their free length: no geometric stiffness, K = sum k n n^T = -d(generalised force)/d(coordinate).
    tree = two_arms()
    constants = ((4e3, 20.0), (1e4, 7.0), (2e3, 90.0), (5e3, 1.0))
    data = [
        ElementData(each.name, each.body_a, each.a, each.body_b, each.b, stiffness=k, damping=c)
        for each, (k, c) in zip(ENDS, constants, strict=True)
    ]
    elements = build_elements(data, tree)
    stiffness, damping = joint_matrices(elements, tree)
    step, numeric = 1e-6, np.zeros((2, 2))
    for j in range(2):
        shift = step * np.eye(2)[j]
        ahead, behind = (evaluate(tree, elements, s * shift, [0.0, 0.0])[0] for s in (1.0, -1.0))
        numeric[:, j] = -(ahead - behind) / (2.0 * step)
    # The difference errs by a third derivative, about 1e4/L^2 step^2 = 1e-7; by rounding, 1e4 L eps/step = 1e-6.
    np.testing.assert_allclose(stiffness, numeric, atol=1e-5)
    speeds = np.array([0.3, -0.2])
    force, _, _, _ = evaluate(tree, elements, [0.0, 0.0], speeds)
    np.testing.assert_allclose(force, -damping @ speeds, rtol=1e-12, atol=1e-11)


BAD = [
    ({"body_b": 3}, "its end is on body 3, which does not exist"),
    ({"body_b": -1}, "both of its ends are on body -1"),
    ({"b": (-0.1, 0.0)}, "it has no direction"),
    ({"shortest": 0.2, "longest": 0.1}, "the shortest length 0.2 m is not below the longest 0.1 m"),
    ({"free_length": 0.1, "preload": 5.0}, "a free length of 0.1 m and a preload of 5.0 N"),
    ({"stiffness": -1.0}, "stiffness -1.0 is below zero"),
    ({"damping": float("nan")}, "damping nan is below zero"),
    ({"damping_compression": -2.0}, "damping_compression -2.0 is below zero"),
    ({"ratchet": RatchetData(pitch=-1e-3)}, "ratchet pitch -0.001 is below zero"),
    ({"hydraulic": TENSIONER, "shortest": 0.08}, "the oil column of 0.02 m would be"),
]
BAD += [
    ({"hydraulic": TENSIONER._replace(**change)}, text)
    for change, text in (
        ({"piston_diameter": 0.0}, "piston_diameter 0.0 is not above zero"),
        ({"viscosity": -1.0}, "viscosity -1.0 is not above zero"),
        ({"air_content": -0.1}, "air_content -0.1 is below zero"),
        ({"eccentricity": 1.2}, "eccentricity 1.2 is outside"),
        ({"opening_pressure": -1.0}, "opening_pressure -1.0 Pa is below zero"),
        ({"full_opening_pressure": 1e4}, "full_opening_pressure 10000.0 Pa is not above the opening pressure"),
    )
]


@pytest.mark.parametrize(("change", "text"), BAD)
def test_bad_descriptions_are_told(change, text):
    with pytest.raises(ValueError, match="tensioner 't': ") as caught:
        build_elements([to_slider()._replace(**change)], slider_tree())
    assert text in str(caught.value)


def test_all_problems_are_told_at_once():
    bad = [to_slider(stiffness=-1.0, shortest=2.0, longest=1.0), to_slider(damping=-3.0)._replace(name="u")]
    with pytest.raises(ValueError, match="below zero") as caught:
        build_elements(bad, slider_tree())
    lines = str(caught.value).splitlines()
    assert len(lines) == 3
    assert [line.split(":")[0] for line in lines] == ["tensioner 't'", "tensioner 't'", "tensioner 'u'"]


def test_no_elements_do_nothing():
    tree = slider_tree()
    elements = build_elements([], tree)
    force, _, lost, _ = evaluate(tree, elements, [0.0], [1.0])
    start(elements)
    assert (force[0], lost, latch(elements), energy(elements)) == (0.0, 0.0, 0, 0.0)
    assert initial_pressures(elements).shape == (0,)
