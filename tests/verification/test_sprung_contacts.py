"""Contacts that keep their springs among rigid ones: between the limits of springs everywhere and rigid contacts
everywhere.
"""

from __future__ import annotations

import functools
import math
from dataclasses import replace

import numpy as np
import pytest
from _chains_on_rails import LINK_MASS, RADIUS, RIGID, ROLLER, G, end_of, on_a_curve, orders
from _sprung_rails import (
    LAYS,
    SOFT,
    SPRUNG,
    course_of,
    depths_of_links,
    middle_of,
    on_a_soft_rail,
    rest_depth,
    soft_rail,
)

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.model import example, override
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.studies.formulations import in_formulation

METHODS = ("moreau-jean", "nonsmooth-alpha")
LINKS = SPRUNG | {"kind": "link"}
UNTIL = 2e-3
"""Duration of oscillations of chains, more than a period. [s]"""
FREQUENCY = math.sqrt(SOFT / LINK_MASS)
FALL = 0.05
"""Speed with which a chain falls on a rail. [m/s]"""
LEFT = 1e-7
"""Error of an impulse after Newton's method, relative to the largest impulse. [-]"""
LOSSES = {"contact_law": "hunt-crossley"}
"""A law with damping."""
BY_METHOD = pytest.mark.parametrize("method", METHODS)


@BY_METHOD
def test_numbers_of_the_page(method: str) -> None:
    for row in soft_rail(method):
        assert row.kept, row


def weightless(system: System) -> System:
    """A chain without weight, so that its impact speed equals that before the step, which the method uses."""
    planar = system.parameters.planar._replace(gravity_y=0.0)
    return replace(system, parameters=system.parameters._replace(planar=planar))


def swinging(formulation: dict[str, str], method: str, step: float) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Times and channels of a chain that oscillates from half its depth at rest; energy is kept to rounding."""
    deep = rest_depth()
    time, channels = course_of(on_a_soft_rail(-0.5 * deep, formulation), method, step, UNTIL, 4e-5)
    swing = 0.5 * SOFT * (LAYS + 1) * (0.5 * deep) ** 2
    assert np.abs(channels["energy_residual"]).max() < 1e-8 * swing
    assert np.abs(channels["work_guide"]).max() < LEFT * swing
    return time, channels


@BY_METHOD
def test_a_chain_swings_on_its_rail_to_second_order(method: str) -> None:
    """It has the frequency of a roller on its spring."""
    deep, errors = rest_depth(), []
    for step in (4e-5, 2e-5, 1e-5):
        time, channels = swinging(SPRUNG, method, step)
        wanted = deep - 0.5 * deep * np.cos(FREQUENCY * time)
        errors.append(float(np.abs(middle_of(channels) - wanted).max()))
    assert orders(errors) == pytest.approx(2.0, abs=0.1)


@pytest.mark.long
@BY_METHOD
@pytest.mark.parametrize(("joint", "steps"), [("revolute", (4e-5, 2e-5, 1e-5)), ("ideal", (2e-6, 1e-6, 5e-7))])
def test_links_swing_on_their_rail_to_second_order(method: str, joint: str, steps: tuple[float, ...]) -> None:
    """All bushes move as in their modes; joints with a stiffness have further modes, which need shorter steps."""
    deep, errors = rest_depth(), []
    wanted = depths_of_links(on_a_soft_rail(-0.5 * deep, LINKS | {"joint": joint}), 0.5 * deep, np.zeros(1))
    np.testing.assert_allclose(wanted, 0.5 * deep, rtol=1e-9)
    for step in steps:
        time, channels = swinging(LINKS | {"joint": joint}, method, step)
        wanted = depths_of_links(on_a_soft_rail(-0.5 * deep, LINKS | {"joint": joint}), 0.5 * deep, time)
        errors.append(float(np.abs(ROLLER - channels["roller_position"][:, :, 1] - wanted).max()))
    assert orders(errors) == pytest.approx(2.0, abs=0.1)


@BY_METHOD
@pytest.mark.parametrize("exponent", [1.0, 1.5])
@pytest.mark.parametrize("height", [2.0e-5, 2.3e-5])
def test_a_landing_of_a_long_step_gains_and_loses_nothing_without_damping(
    method: str, exponent: float, height: float
) -> None:
    """A chain falls on a rail, in steps longer than the contact, and bounces with the speed with which it came.

    From two heights: it lands and parts within a step, or presses at the start of one in whose middle it has parted.
    """
    stiffness = 1e9
    system = on_a_soft_rail(height, fall=FALL, stiffness=stiffness, exponent=exponent)
    step = 2e-4
    assert step > 2.0 * math.pi * math.sqrt(LINK_MASS / stiffness) or exponent > 1.0
    _, channels = course_of(system, method, step, 5e-3, step)
    kept = sum(values for name, values in channels.items() if name.startswith("energy_") and name != "energy_residual")
    moving = channels["energy_kinetic"][0]
    assert np.abs(kept - kept[0]).max() < 4.0 * LEFT * moving  # an impulse of 2 m v, at speeds up to v
    assert np.abs(channels["work_guide"]).max() < 4.0 * LEFT * moving
    depth = middle_of(channels)
    assert depth.max() > 0.0 > depth[-1]
    assert channels["energy_kinetic"].max() > moving > channels["energy_kinetic"].min()


@BY_METHOD
def test_what_damping_takes_is_lost_and_never_comes_back(method: str) -> None:
    """In every step, however long: the force never pulls, and only the damping of the law does work; with shorter steps
    it converges to that of springs everywhere, to second order.
    """
    options = {"restitution": 0.5, "exponent": 1.5, "stiffness": 1e9}

    def lost(formulation: dict[str, str], method: str, step: float) -> float:
        system = weightless(on_a_soft_rail(2e-5, formulation | LOSSES, FALL, **options))
        _, channels = course_of(system, method, step, 2.4e-3, 4e-4)
        moving = channels["energy_kinetic"][0]
        assert (np.diff(channels["work_guide"]) > -LEFT * moving).all()
        assert np.abs(channels["energy_residual"]).max() < 1e-8 * moving
        assert (channels["contact_force"] >= 0.0).all()
        return float(channels["work_guide"][-1] / moving)

    found = [lost(RIGID, method, step) for step in (4e-4, 2e-4, 1e-4, 5e-5, 2.5e-5)]
    assert all(0.0 < each < 1.0 for each in found)
    wanted = lost({"kind": "roller"}, "dormand-prince", 2.5e-7)
    assert orders([abs(wanted - each) for each in found[2:]]) == pytest.approx(2.0, abs=0.2)


HEIGHTS = 2e-5 + FALL * np.array([0.0, 3e-5, 5e-5])
"""Heights from which a chain lands at different parts of a step. [m]"""


def landing_on_springs(formulation: dict[str, str], exponent: float, method: str, step: float) -> np.ndarray:
    """Depths over 2 ms of a chain without weight that meets a rail from all heights, and leaves it. [m]"""
    depths = []
    for height in HEIGHTS:
        own = {"restitution": 0.7, "exponent": exponent, "stiffness": SOFT**exponent}
        system = weightless(on_a_soft_rail(height, formulation, FALL, **own))
        depths.append(middle_of(course_of(system, method, step, 2e-3, 8e-5)[1]))
    return np.array(depths)


@functools.cache
def by_springs(law: str, exponent: float) -> np.ndarray:
    """The same with springs in all contacts, with steps so short that the impact speed is nearly exact."""
    return landing_on_springs({"kind": "roller", "contact_law": law}, exponent, "dormand-prince", 1e-7)


@BY_METHOD
@pytest.mark.parametrize(("law", "exponent"), [("lankarani-nikravesh", 1.5), ("hunt-crossley", 1.0)])
def test_short_steps_lead_to_springs_in_all_contacts(method: str, law: str, exponent: float) -> None:
    """To second order, at landing and separation with the losses of the law; no impact changes a speed
    instantaneously.
    """
    wanted = by_springs(law, exponent)
    assert (wanted.max(axis=1) > 0.0).all()
    assert (wanted[:, -1] < 0.0).all()
    found = [landing_on_springs(RIGID | {"contact_law": law}, exponent, method, step) for step in (4e-5, 2e-5, 1e-5)]
    errors = [float(np.abs(depth - wanted).max()) for depth in found]
    assert orders(errors) == pytest.approx(2.0, abs=0.2)


@BY_METHOD
def test_a_chain_that_just_touches_its_rail_in_a_step_is_no_problem(method: str) -> None:
    """It just reaches the rail, up to rounding, at the end of a step: forces are almost zero, with differences as
    large.
    """
    step, own = 8e-5, {"restitution": 0.7, "exponent": 1.5, "stiffness": 1e9}
    system = weightless(on_a_soft_rail(5.0 * step * FALL, RIGID | LOSSES, FALL, **own))
    _, channels = course_of(system, method, step, 20.0 * step, step)
    assert (channels["contact_force"][5:8] > 0.0).any()


@pytest.mark.parametrize("way", ["hollow", "crest"])
def test_stiffness_without_bounds_leads_to_rigid_contacts(way: str) -> None:
    """A chain that slides on a curve and starts without a depth oscillates in the rail, and is never deeper than twice
    its depth at rest. At last springs are 25 times faster than the step, without larger oscillations: the difference is
    that of the step, of second order.
    """
    law, steps = RIGID | {"contact_law": "flores"}, (2e-4, 1e-4)

    def place(stiffness: float, step: float) -> np.ndarray:
        springs = {"stiffness": stiffness, "exponent": 1.0, "compliant": True, "restitution": 0.3}
        found, force = end_of(on_a_curve(way, 0.0, 0.3, 0.5, 0.0, springs, law)[0], "nonsmooth-alpha", step)
        assert (force > 0.0).all()
        return found

    rigid = [end_of(on_a_curve(way, 0.0, 0.3, 0.5)[0], "nonsmooth-alpha", step)[0] for step in steps]
    limits = [float(np.abs(place(1e9, step) - each).max()) for step, each in zip(steps, rigid, strict=True)]
    assert orders(limits) == pytest.approx(2.0, abs=0.2)
    pressed = LINK_MASS * (G + 0.5**2 / RADIUS) if way == "hollow" else LINK_MASS * G
    for stiffness in (1e4, 1e5, 1e6):
        assert np.abs(place(stiffness, steps[0]) - rigid[0]).max() < 2.0 * pressed / stiffness + limits[0]


@BY_METHOD
def test_friction_on_a_spring_holds_below_the_cone(method: str) -> None:
    """A chain at rest on a soft rail, gravity inclined: it sticks with the slope times its weight, and slips beyond the
    cone.
    """
    slope = 0.1
    found = {}
    for friction in (0.2, 0.05):
        system = on_a_soft_rail(-rest_depth(), RIGID, friction=friction)
        planar = system.parameters.planar._replace(gravity_x=G * slope)
        _, found[friction] = course_of(
            replace(system, parameters=system.parameters._replace(planar=planar)), method, 5e-5, 5e-3, 5e-4
        )
    held, slips = found[0.2], found[0.05]
    assert np.ptp(held["roller_position"][:, LAYS // 2, 0]) < 1e-12
    np.testing.assert_allclose(np.abs(held["friction_force"][-1]), slope * held["contact_force"][-1], rtol=1e-3)
    way = 0.5 * G * (slope - 0.05) * 5e-3**2
    assert np.ptp(slips["roller_position"][:, LAYS // 2, 0]) == pytest.approx(way, rel=1e-2)


@BY_METHOD
def test_a_run_in_pieces_is_bit_for_bit_the_same(method: str) -> None:
    """Gaps at the start of a step and the speeds of impacts are in a checkpoint."""

    def begun() -> Integrator:
        system = on_a_soft_rail(1e-5, RIGID, FALL, restitution=0.5, friction=0.1)
        return Integrator(system, SolverSettings(method=method, step=2e-5), 1e-4)

    whole, piece = begun(), begun()
    whole.advance(1e-3)
    while piece.advance(1e-3, 13).name == "RUNNING":
        saved, piece = piece.snapshot(), begun()
        piece.restore(saved)
    np.testing.assert_array_equal(piece.state, whole.state)


TEETH = {"contact.compliant": True}


@pytest.mark.long
def test_springs_of_the_teeth_bring_a_drive_to_what_springs_say() -> None:
    """Mean tension, losses in joints, on teeth and in impacts, with rails that are rigid; and the energy balance."""

    def run(kind: str, changes: dict[str, bool]) -> cd.Solution:
        drive = override(example("v6-timing"), {"run.until": 0.02} | changes)
        return cd.simulate(in_formulation(drive, kind), progress=False)

    springs, rigid, mixed = run("roller", {}), run("roller-rigid", {}), run("roller-rigid", TEETH)
    tight = [
        float(np.nanmean(each.values("span_tension")[each.time > 0.0067], axis=0).max())
        for each in (springs, rigid, mixed)
    ]
    assert abs(tight[1] / tight[0] - 1.0) > 0.03
    assert tight[2] == pytest.approx(tight[0], rel=5e-3)
    for account in ("articulation", "friction", "contact"):
        lost, wanted = (float(each.values(f"work_{account}")[-1]) for each in (mixed, springs))
        assert lost == pytest.approx(wanted, rel=0.03)
    assert np.abs(mixed.values("energy_residual")).max() < 1e-5 * float(mixed.values("work_input")[-1])
    assert "compliance of the other contacts" in mixed.notes["left_out"]


def test_options_of_springs_need_a_surface_that_keeps_them() -> None:
    drive, options = example("industrial-08b"), {"kind": "roller", "contacts": "rigid", "contact_law": "hunt-crossley"}
    with pytest.raises(InputError, match=r"contact\.compliant") as refused:
        override(drive, {"run.formulation": options})
    assert [problem.place for problem in refused.value.problems] == ["run.formulation.contact_law"]
    assert override(drive, {"run.formulation": options, "contact.compliant": True}).contact.compliant


def test_laws_are_asked_of_surfaces_that_keep_their_springs_alone() -> None:
    """The linear law together with rigid contacts whose stiffness at rest is Hertzian."""
    changes = {"run.formulation": {"kind": "roller", "contacts": "rigid", "contact_law": "kelvin-voigt"}}
    soft = {"stiffness": 1e7, "exponent": 1, "restitution": 0.5, "compliant": True}
    drive = override(example("industrial-08b"), changes | {"wheels.0.contact": soft})
    system = compile_system(drive, drive.run.formulation, True)
    assert system.rigid.springs.sum() == drive.chain.links
    with pytest.raises(InputError, match="kelvin-voigt"):
        override(drive, {"contact.compliant": True})


def test_where_all_contacts_have_springs_it_says_nothing() -> None:
    drive = override(example("industrial-08b"), TEETH)
    assert drive.run.formulation.contacts == "compliant"
    planar = compile_system(drive, drive.run.formulation, True).parameters.planar
    assert not planar.sprung_contacts
    assert not planar.surface.sprung.any()
