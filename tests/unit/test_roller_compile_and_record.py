"""The roller formulation: compilation of a drive, and the values of its channels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.geometry.tooth_forms import TOOTH_FORMS, tooth_profile
from chaindrive.model import RollerOptions
from support.small_drives import (
    PITCH,
    SolverSettings,
    chain,
    channel,
    compiled,
    free_chain,
    rates,
    run,
    two_wheels,
    with_planar,
)

FORMS = {
    "asa-ii": {},
    "iso-606": {"gap": "mean"},
    "conveyor": {},
    "circular": {},
    "single-point": {},
    "kinematic-seat": {},
    "six-point": {},
    "smooth": {},
    "rectangular": {"clearance": 5e-5, "height": 1e-3},
    "semi-real": {"clearance": 5e-5, "height": 1e-3, "flank_angle": 0.4, "corner_radius": 3e-4},
}


@pytest.fixture(scope="module")
def drive():
    return two_wheels((17, 13), 9.4, speed=20.0, second={"load_torque": 1.5}, breaking_load=1e5)


@pytest.fixture(scope="module")
def system(drive):
    return compiled(drive)


def test_a_form_of_friction_that_is_none_is_refused(drive):
    """The model permits no such form; a form added to it and forgotten in the kernels must not run as another one."""
    options = RollerOptions().model_copy(update={"friction_regularisation": "stribeck"})
    with pytest.raises(InputError, match=r"no friction regularisation 'stribeck'. Available: linear") as caught:
        compile_system(drive, options, False)
    assert caught.value.problems[0].place == "run.formulation.friction_regularisation"


def test_a_form_of_friction_without_a_branch_ends_the_run():
    """It gives not-a-number, and does not run as another form."""
    system = compiled(two_wheels((17, 13), 9.4, speed=20.0, contact={"friction": 0.1}), friction_law="smoothed")
    none = replace(system, parameters=with_planar(system.parameters, friction_kind=99))
    assert run(system, 1e-4, 1e-4, SolverSettings()).status == Status.REACHED_END
    assert run(none, 1e-4, 1e-4, SolverSettings()).status.failed


def test_every_tooth_form_is_tried():
    drawn = {"profile"}  # of one number of teeth each: test_model_drawn.py
    assert set(FORMS) == set(TOOTH_FORMS) - drawn


@pytest.mark.parametrize("form", FORMS)
def test_rollers_start_in_their_gaps(form):
    # Seated rollers lie on the pitch circle, the bottom of the seat may be a clearance away, and nothing overlaps.
    # Exceptions: parallel walls as high as these reach into the path of the rollers that come next; and a single point
    # touches only a roller inside the pitch circle, on which rounding decides.
    system = compiled(two_wheels((17, 13), 9.4, tooth={"form": form} | FORMS[form]), moving=False)
    depth = channel(system, "contact_penetration")
    assert np.count_nonzero(~np.isnan(depth)) >= (14 if form != "single-point" else 5)
    if form in ("circular", "single-point"):  # vertical walls to the pitch circle, whose corner they meet, too
        assert np.nanmax(depth) < 0.05 * 0.5 * 0.00851
    elif form not in ("rectangular", "semi-real"):
        assert np.nanmax(depth) < 1e-9
    profile = tooth_profile(form, 17, PITCH, 0.00851, **FORMS[form])
    clearance = abs(PITCH / (2.0 * np.sin(np.pi / 17)) - profile.seat_radius)
    wrapped = depth[channel(system, "roller_position")[:, 0] < -1e-4]  # well inside the wrap of the driver
    shown = wrapped[wrapped > -PITCH]
    assert shown.size == wrapped.size or form == "single-point"
    assert shown.size >= 5
    np.testing.assert_allclose(shown, -clearance, atol=1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_kernel_and_geometry_see_the_same_tooth(form):
    # Penetration by the right-hand side and by the profile itself, for rollers moved about in their gaps.
    # Where its root corners are out of a roller's reach, it is the deepest in bottom and both flanks.
    from chaindrive.geometry.kernels import gap_distance, profile_distance
    from chaindrive.geometry.profile import table
    from chaindrive.geometry.tooth_forms.wedge import wedge

    system = compiled(two_wheels((17, 13), 9.4, tooth={"form": form} | FORMS[form]), moving=False)
    p, n = system.parameters, system.parameters.links
    gap = tooth_profile(form, 17, PITCH, 0.00851, **FORMS[form])
    corners = wedge(gap, 0.5 * 0.00851)

    def distance(xi, eta):
        if corners is None:
            return gap_distance(table(gap), xi, eta)[0]
        flank, bottom = table(corners.flank), table(corners.bottom)
        flanks = min(profile_distance(flank, side * xi, eta)[0] for side in (1.0, -1.0))
        return min(flanks, gap_distance(bottom, xi, eta)[0])

    rng = np.random.default_rng(9)
    rollers = np.flatnonzero(channel(system, "roller_position")[:, 0] < -1e-4)
    for _ in range(20):
        y = system.state.copy()
        y[: 2 * n] += rng.uniform(-1e-3, 1e-3, 2 * n)
        depth = channel(system, "contact_penetration", y)
        for i in rollers:
            direction = y[2 * n] + 2.0 * np.pi * p.planar.gap[0, i] / 17
            xi = -np.sin(direction) * y[i] + np.cos(direction) * y[n + i]
            eta = np.cos(direction) * y[i] + np.sin(direction) * y[n + i]
            expected = 0.5 * 0.00851 - distance(xi, eta)
            if expected > -PITCH:
                assert depth[i] == pytest.approx(expected, abs=1e-14)
            else:  # beyond the end of an open profile: no surface there
                assert np.isnan(depth[i])


def test_rolling_velocities_belong_together(drive, system):
    # Every wheel turns teeth in proportion, rollers on a wheel move with it, links keep their length.
    n, q = drive.chain.links, system.positions
    v = system.motion.rolling
    wheels = v[2 * n : q]
    assert wheels[0] == pytest.approx(20.0, rel=1e-14)
    assert wheels[1] == pytest.approx(20.0 * 17 / 13, rel=1e-12)
    position, velocity = channel(system, "roller_position"), v[: 2 * n].reshape(2, n).T
    on_driver = position[:, 0] < -1e-4
    expected = 20.0 * np.column_stack([-position[:, 1], position[:, 0]])
    np.testing.assert_allclose(velocity[on_driver], expected[on_driver], atol=1e-12)
    assert system.story.notes["chain_speed"] == pytest.approx(20.0 * 17 * PITCH / (2.0 * np.pi))


def test_masses_are_infinite_where_motion_is_prescribed(drive, system):
    n = drive.chain.links
    np.testing.assert_array_equal(system.masses[: 2 * n], drive.chain.link_mass)
    np.testing.assert_array_equal(system.masses[2 * n :], [np.inf, drive.wheels[1].inertia])


def test_highest_frequency_bounds_the_spectrum():
    from chaindrive.solvers.jacobian import force_jacobian

    system = compiled(two_wheels((17, 13), 9.4, contact={"stiffness": 1e9}), moving=False)
    y = system.state.copy()
    jacobian = force_jacobian(system, 0.0, y, 1e-8).toarray()
    free = np.isfinite(system.masses)
    matrix = jacobian[np.ix_(free, free)] / system.masses[free][:, None]
    fastest = np.sqrt(np.abs(np.linalg.eigvals(matrix)).max())
    assert 0.5 * system.motion.highest_frequency < fastest <= system.motion.highest_frequency


@pytest.mark.parametrize("direction", [1.0, -1.0])
@pytest.mark.parametrize("loop", ["counterclockwise", "clockwise"])
def test_a_load_opposes_the_running_sense(loop, direction):
    from chaindrive.model import Drive

    given = two_wheels((17, 13), 9.4, speed=20.0 * direction, second={"load_torque": 1.5})
    system = compile_system(Drive(**(given.model_dump(exclude_none=True) | {"loop": loop})), RollerOptions(), True)
    assert system.parameters.planar.running.sense[1] * system.motion.rolling[-1] > 0.0  # against which it acts
    assert system.parameters.planar.torque.value[0] == 1.5


def test_a_law_that_does_not_fit_is_refused_with_its_place(drive):
    contact = drive.contact.model_copy(update={"restitution": 0.0})
    with pytest.raises(InputError) as caught:
        compile_system(drive.model_copy(update={"contact": contact}), RollerOptions(contact_law="flores"), True)
    assert caught.value.problems[0].place == "run.formulation.contact_law"


def test_a_wheel_may_have_its_own_contact():
    given = two_wheels((17, 13), 9.4, second={"contact": {"stiffness": 3e9, "exponent": 1.2, "friction": 0.3}})
    p = compile_system(given, RollerOptions(), True).parameters
    assert p.planar.surface.stiffness.tolist() == [1e10, 3e9]
    assert p.planar.surface.exponent.tolist() == [1.5, 1.2]
    assert p.planar.surface.friction.tolist() == [0.0, 0.3]
    assert p.planar.has_friction


def test_path_positions_run_with_the_driver(drive, system):
    # One pitch for every tooth that wheel 0 has turned; link 0 begins half a pitch behind the first seat.
    start = channel(system, "link_path_position")
    np.testing.assert_allclose(start, np.arange(drive.chain.links) + 0.5)
    y = system.state.copy()
    y[2 * drive.chain.links] += 2.5 * 2.0 * np.pi / 17
    np.testing.assert_allclose(channel(system, "link_path_position", y), (start + 2.5) % drive.chain.links)


def test_span_displacement_is_measured_at_its_middle(drive, system):
    # All rollers shifted by d: what counts is the part of d to the left of the direction of travel.
    n = drive.chain.links
    spans = system.parameters.planar.spans
    direction = np.column_stack([spans.ux, spans.uy])
    still = channel(system, "span_displacement")
    d = np.array([1e-4, 3e-4])
    y = system.state.copy()
    y[:n] += d[0]
    y[n : 2 * n] += d[1]
    left = np.column_stack([-direction[:, 1], direction[:, 0]])
    # shifted along itself by 1e-4 m, the slack span adds its slope there, below 0.05
    np.testing.assert_allclose(channel(system, "span_displacement", y) - still, left @ d, atol=5e-6)


@pytest.mark.parametrize("teeth", [0.0, 0.49, 0.51, 7.3, 14.5, 40.2, -3.2, -1000.7])
def test_span_tension_is_the_mean_of_its_links(drive, system, teeth):
    n = drive.chain.links
    y = system.state.copy()
    y[2 * n] += teeth * 2.0 * np.pi / 17
    y[:n] += 1e-6 * np.random.default_rng(3).normal(size=n)
    tension, at = channel(system, "link_tension", y), channel(system, "link_path_position", y)
    for k, mean in enumerate(channel(system, "span_tension", y)):
        spans = system.parameters.planar.spans
        start, end = spans.start[k], spans.end[k]
        inside = (at - start) % n <= end - start
        assert inside.sum() in (9, 10)
        assert mean == pytest.approx(tension[inside].mean(), rel=1e-12)


def test_torque_of_the_driver_is_its_power_over_speed(drive):
    system = compiled(drive)
    done = run(system, 0.01, 1e-3, SolverSettings())
    made = done.channels
    np.testing.assert_allclose(made["wheel_torque"][:, 0] * made["wheel_speed"][:, 0], made["power_input"], rtol=1e-9)
    # a free wheel feels its load and nothing else
    np.testing.assert_allclose(made["wheel_torque"][:, 1], -1.5, rtol=1e-7)
    np.testing.assert_allclose(made["power_output"], 1.5 * made["wheel_speed"][:, 1], rtol=1e-12)


def test_contact_channels_agree(drive):
    done = run(compiled(drive), 0.01, 1e-3, SolverSettings())
    made = done.channels
    pressed = made["contact_force"] > 0.0
    assert pressed.any()
    np.testing.assert_array_equal(pressed, made["contact_penetration"] > 0.0)
    np.testing.assert_array_equal(pressed, made["contact_surface"] >= 0)
    assert set(np.unique(made["contact_surface"])) == {-1.0, 0.0, 1.0}


def test_a_chain_without_wheels():
    links = 9
    angle = 2.0 * np.pi * np.arange(links) / links
    position = PITCH / (2.0 * np.sin(np.pi / links)) * np.column_stack([np.cos(angle), np.sin(angle)])
    system = free_chain(chain(links), (0.0, -9.81), position)
    assert system.positions == 2 * links
    dy = rates(system, system.state)
    np.testing.assert_allclose(dy[3 * links : 4 * links], -9.81, rtol=1e-6)
    assert {c.name for c in system.channels if c.size == 0} == {
        "wheel_angle", "wheel_speed", "wheel_torque", "wheel_position", "bearing_force", "tooth_jumps",
        "tooth_force_max", "bearing_force_max", "span_tension", "span_displacement", "shaft_work",
    }  # fmt: skip
    np.testing.assert_allclose(channel(system, "roller_position"), position)
    assert np.all(np.isnan(channel(system, "contact_penetration")))
