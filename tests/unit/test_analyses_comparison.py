"""A made run compared with closed-form solutions: planted agreements and disagreements, and what is left out."""

import math

import numpy as np
import pytest
from numba.core import config

import chaindrive as cd
from chaindrive import numbers
from chaindrive.analyses.analytical.formulas import binder_tooth_loads, centrifugal_tension, moving_string_frequency
from chaindrive.analyses.analytical.four_bar import tight_span_kinematics
from chaindrive.analyses.results.comparison import Compared, comparison
from chaindrive.analyses.results.comparison_case import NotSteadyError, case_of
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import override
from chaindrive.results import describe
from chaindrive.results.attributes import encode
from support.made_run import PACE, TIME, made_run, solution_of

COMPILED = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes in plain Python")
TENSION = np.array([19e3, 18e3, 18.5e3, 20e3])


def _rows(compared, quantity):
    return {row.where: row for row in compared.rows if row.quantity == quantity}


def _reasons(compared, quantity):
    return {row.where: row.reason for row in compared.left_out if row.quantity == quantity}


@pytest.fixture(scope="module")
def drive():
    return cd.example("6l60mc")


@pytest.fixture(scope="module")
def compared():
    return comparison(made_run())


def test_whole_revolutions_of_the_driver_in_the_second_half_are_compared(compared):
    """The last 1000 samples are two revolutions of 0.5 s."""
    assert (compared.start, compared.stop) == (pytest.approx(1.501), 2.5)


def test_speeds_follow_the_teeth(compared):
    rows = _rows(compared, "mean speed")
    assert set(rows) == {"counterweight 2", "tightener", "counterweight 4"}
    for row in rows.values():
        assert row.relative == pytest.approx(0.0, abs=1e-12)
    run = made_run()
    run.values("wheel_speed")[:, 2] *= 1.01  # as of a wheel that lost a tooth now and then
    rows = _rows(comparison(run), "mean speed")
    assert rows["tightener"].relative == pytest.approx(0.01)
    assert rows["counterweight 2"].relative == pytest.approx(0.0, abs=1e-12)


def test_a_step_of_tension_is_moment_and_weight(drive, compared):
    """Without load the tension grows between the middles of two spans by rho g times the difference of height."""
    way = drive_facts(drive).route
    height = 0.5 * (way.span_start + way.span_end)[:, 1]
    per_metre = drive.chain.link_mass / drive.chain.pitch
    rows = _rows(compared, "mean tension difference across the wheel")
    for w, name in ((1, "counterweight 2"), (2, "tightener"), (3, "counterweight 4")):
        expected = per_metre * -drive.gravity[1] * (height[w] - height[w - 1])
        assert rows[name].analytical == pytest.approx(expected)
        assert rows[name].simulated == pytest.approx(TENSION[w] - TENSION[w - 1])


def test_a_wheel_that_gains_speed_holds_the_chain_back(drive, compared):
    """The term I dw/dt over the arm z P / 2 pi is added."""
    run = made_run()
    run.values("wheel_speed")[:, 2] *= 1.0 + 1e-3 * TIME
    growth = abs(run.values("wheel_speed")[-1, 2]) - abs(run.values("wheel_speed")[-1000, 2])
    wheel = drive.wheels[2]
    more = wheel.inertia * growth / 0.999 * 2 * np.pi / (wheel.teeth * drive.chain.pitch)
    before, after = (_rows(each, "mean tension difference across the wheel") for each in (compared, comparison(run)))
    assert more > 1.0
    assert after["tightener"].analytical - before["tightener"].analytical == pytest.approx(more, rel=1e-4)


def _loaded(torque):
    """Two wheels, 17 driving 38 clockwise; the tight span carries the torque, and everything else is at rest."""
    drive = cd.example("industrial-08b")
    conveyor = drive.wheels[1].model_copy(
        update={"load_torque": torque, "bearing_damping": 0.0, "bearing_friction": 0.0}
    )
    return drive.model_copy(update={"wheels": (drive.wheels[0], conveyor), "gravity": (0.0, 0.0)})


def test_a_load_pulls_the_span_that_leads_to_the_driver(drive):
    """M = T 38 P / 2 pi. The chain runs in the order of the route, so that it arrives on the driver from span 1."""
    drive = _loaded(40.0)
    pitch = drive.chain.pitch
    speed = 500 * 2 * math.pi / 60
    pull = 40.0 * 2 * math.pi / (38 * pitch)
    time = np.arange(0.0, 1.0, 1e-3)
    ones = np.ones((time.size, 1))
    table = {
        "span_tension": ones * [100.0, 100.0 + pull],
        "wheel_speed": ones * [-speed, -speed * 17 / 38],
        "wheel_torque": ones * [-40.0 * 17 / 38, 40.0],
    }
    found = comparison(solution_of(drive, time, table))
    (step,) = _rows(found, "mean tension difference across the wheel").values()
    assert step.relative == pytest.approx(0.0, abs=1e-9)
    (torque,) = _rows(found, "mean torque of the driver").values()
    assert (torque.where, torque.relative) == ("motor", pytest.approx(0.0, abs=1e-9))
    assert _reasons(found, "mean bearing force") == {"": "the run did not keep bearing_force (run.save.channels)"}


def test_a_load_that_drives_is_braked_by_the_driver():
    """The mean torque of the driver has the sign of braking: 17/38 of the load, against the running sense."""
    drive = _loaded(-40.0)
    speed, pull = 500 * 2 * math.pi / 60, 40.0 * 2 * math.pi / (38 * drive.chain.pitch)
    time = np.arange(0.0, 1.0, 1e-3)
    ones = np.ones((time.size, 1))
    table = {
        "span_tension": ones * [100.0 + pull, 100.0],
        "wheel_speed": ones * [-speed, -speed * 17 / 38],
        "wheel_torque": ones * [40.0 * 17 / 38, -40.0],
    }
    found = comparison(solution_of(drive, time, table))
    (step,) = _rows(found, "mean tension difference across the wheel").values()
    assert step.relative == pytest.approx(0.0, abs=1e-9)
    (torque,) = _rows(found, "mean torque of the driver").values()
    assert torque.simulated == pytest.approx(-40.0 * 17 / 38)
    assert torque.analytical == pytest.approx(torque.simulated)
    assert "it brakes" in torque.remark


def test_the_window_is_a_period_of_the_load():
    """A torque over the angle of the conveyor repeats after 38 pitches, 2.24 revolutions of the driver: over whole
    revolutions of that its mean would be off by some percent.
    """
    angles = np.linspace(0.0, 2 * math.pi, 25)
    load = {"angles": tuple(angles), "torques": tuple(40.0 - 30.0 * np.cos(angles))}
    drive = override(_loaded(0.0), {"wheels.1.load_table": load})
    speed, arm = 500 * 2 * math.pi / 60, 38 * drive.chain.pitch / (2 * math.pi)
    time = np.arange(0.0, 1.1, 2e-4)
    turned = speed * 17 / 38 * time
    pull = (40.0 - 30.0 * np.cos(turned)) / arm
    ones = np.ones((time.size, 1))
    table = {
        "span_tension": np.column_stack([np.full(time.size, 100.0), 100.0 + pull]),
        "wheel_angle": np.column_stack([-speed * time, -turned]),
        "wheel_speed": ones * [-speed, -speed * 17 / 38],
        "wheel_torque": np.column_stack([-pull * arm * 17 / 38, pull * arm]),
    }
    found = comparison(solution_of(drive, time, table))
    period = 2 * math.pi / (speed * 17 / 38)
    assert found.stop - found.start == pytest.approx(2.0 * period, abs=3e-4)  # of the half of 1.1 s
    cut = comparison(solution_of(drive, time, table), 0.3, 0.7)
    for quantity in ("mean tension difference across the wheel", "mean torque of the driver"):
        (row,) = _rows(found, quantity).values()
        assert row.relative == pytest.approx(0.0, abs=1e-3)
        (reason,) = _reasons(cut, quantity).values()
        assert "it makes 1.492 turns in the window: use whole turns" in reason


def test_a_speed_that_repeats_after_two_revolutions_is_steady():
    """Order 1.5: the window is two revolutions, whose halves have not the same mean speed."""
    speed, time = 500 * 2 * math.pi / 60, np.arange(0.0, 0.6, 2e-4)
    motion = {"kind": "orders", "speed": -speed, "over": "time", "orders": [{"order": 1.5, "amplitude": 800.0}]}
    drive = override(_loaded(40.0), {"wheels.0.motion": motion})
    swing = 800.0 / (1.5 * speed)
    moving = -speed + swing * np.cos(1.5 * speed * time)
    angle = -speed * time + swing / (1.5 * speed) * np.sin(1.5 * speed * time)
    ones = np.ones((time.size, 1))
    table = {
        "span_tension": ones * [100.0, 100.0 + 40.0 * 2 * math.pi / (38 * drive.chain.pitch)],
        "wheel_angle": np.column_stack([angle, angle * 17 / 38]),
        "wheel_speed": np.column_stack([moving, moving * 17 / 38]),
    }
    found = comparison(solution_of(drive, time, table))
    assert found.stop - found.start == pytest.approx(0.24, abs=3e-4)
    (step,) = _rows(found, "mean tension difference across the wheel").values()
    # The window ends within a row (2e-4 s) of two revolutions, where the wheel has not quite its speed again.
    assert step.relative == pytest.approx(0.0, abs=1e-4)


def test_a_bearing_carries_the_pull_of_both_spans_without_the_centrifugal_part(drive):
    """Computed independently: momentum of the chain that turns round the wheel, both pulls at their touch points,
    weights.
    """
    run = made_run()
    way, chain = drive_facts(drive).route, drive.chain
    rho, gravity = chain.link_mass / chain.pitch, np.array(drive.gravity)
    speed = PACE * chain.pitch
    middle = 0.5 * (way.span_start + way.span_end)
    force = np.empty((4, 2))
    for w in range(4):
        out, into = way.span_direction[w], way.span_direction[w - 1]
        # on half a span act the pull in its middle, its weight and the pull at its end: that turns towards the weight
        at_start = TENSION[w] * out + rho * np.linalg.norm(way.span_start[w] - middle[w]) * gravity
        at_end = TENSION[w - 1] * into - rho * np.linalg.norm(way.span_end[w - 1] - middle[w - 1]) * gravity
        # rate of momentum of the chain on the wheel = forces on it: pulls, weight, and what the bearing gives
        change = rho * speed**2 * (out - into)
        links = way.wrap[w] * drive.wheels[w].teeth / (2 * np.pi)
        mass = links * chain.link_mass
        on_chain = change - (at_start - at_end) - mass * gravity
        force[w] = -on_chain + drive.wheels[w].mass * gravity
    run.values("bearing_force")[:] = force
    rows = _rows(comparison(run), "mean bearing force")
    assert len(rows) == 4
    for row in rows.values():
        assert row.relative == pytest.approx(0.0, abs=1e-9)


def test_tooth_loads_beside_binder(drive):
    """The crankshaft has 33 rollers, driven by friction 0: loads planted seat by seat are found seat by seat."""
    run = made_run()
    body, force = run.values("contact_surface"), run.values("contact_force")
    speed = PACE * drive.chain.pitch
    own = centrifugal_tension(drive.chain.link_mass / drive.chain.pitch, speed)
    row = comparison(run)
    planted = binder_tooth_loads(33, 60, 20e3, 19e3, own)
    for r in range(force.shape[0]):
        on = np.flatnonzero(body[r] == 0)
        first = on[np.argmax(np.diff(np.concatenate([[on[-1] - 122], on])))]  # the first behind the gap
        force[r, (first + np.arange(on.size)) % 122] = np.interp(np.arange(on.size), np.arange(33), planted)
    for which, k in (("second", 1), ("last but one", 31)):
        before = _rows(row, f"mean tooth load, {which} roller")["crankshaft"]
        after = _rows(comparison(run), f"mean tooth load, {which} roller")["crankshaft"]
        assert before.simulated == 2500.0
        assert after.analytical == before.analytical == pytest.approx(planted[k])
        # the number of rollers varies between 33 and 34: seats at the end differ by one step of the series
        assert after.simulated == pytest.approx(planted[k], rel=0.16)
    reasons = _reasons(row, "mean tooth load")
    assert reasons["counterweight 2"].startswith("6 rollers")


def test_tooth_loads_that_friction_in_the_joints_hands_on_are_not_compared(drive):
    """mu r T / P of 0.3, 40 mm and 20 kN: 1.3 kN compared with some kilonewtons on a tooth."""
    run = made_run()
    chain = drive.chain.model_copy(update={"joint_friction": 0.3, "pin_diameter": 40e-3})
    table = {name: run.values(name) for name in run.channels}
    found = comparison(solution_of(drive.model_copy(update={"chain": chain}), run.time, table))
    held = 0.5 * 0.3 * 40e-3 * 20e3 / chain.pitch
    before = _rows(comparison(run), "mean tooth load, last but one roller")["crankshaft"].analytical
    assert held > 0.15 * before
    told = _reasons(found, "mean tooth load, last but one roller")["crankshaft"]
    assert f"transfers up to {numbers.quantity(held, 'N', 2)} of" in told


def test_forces_that_fluctuating_tensions_swallow_are_not_compared(drive):
    """At the tightener both tensions vary by far more than its load of 500 N."""
    run = made_run()
    swing = 3e3 * np.where(np.arange(run.time.size) % 2, 1.0, -1.0)
    run.values("span_tension")[:, 1:3] += swing[:, None]
    found, name = comparison(run), "mean tension difference across the wheel"
    step = abs(_rows(comparison(made_run()), name)["tightener"].analytical)
    assert step < 0.25 * 3e3
    assert "fluctuate by 3 kN (RMS)" in _reasons(found, name)["tightener"]


def test_a_chain_that_hardly_touches_its_wheel_has_no_tooth_loads():
    """Such as that of a bucket elevator lifted off its teeth: one roller at a time."""
    run = made_run()
    body = run.values("contact_surface")
    on = np.argmax(body == 0, axis=1)
    body[body == 0] = -1.0
    body[np.arange(len(body)), on] = 0.0
    assert _reasons(comparison(run), "mean tooth load")["crankshaft"].endswith("but usually 1 of them touch it")


@pytest.mark.parametrize("sense", [1, -1])
def test_tooth_loads_with_friction_in_both_directions(sense):
    """20 rollers on the driven wheel; the load where the chain arrives is Binder's first, in either direction.

    The normal force is cos(delta) of what tooth and roller exchange, tan(delta) the friction of 0.1.
    """
    drive = _loaded(40.0)
    speed = -sense * 500 * 2 * math.pi / 60  # the loop is clockwise
    motor = drive.wheels[0].model_copy(update={"motion": drive.wheels[0].motion.model_copy(update={"speed": speed})})
    drive = drive.model_copy(update={"wheels": (motor, drive.wheels[1])})
    pace = abs(speed) * 17 / (2 * math.pi)
    own = drive.chain.link_mass / drive.chain.pitch * (pace * drive.chain.pitch) ** 2
    slack, tight = 300.0, 620.0  # before and after the driven wheel, as the chain runs
    tension = [slack, tight] if sense > 0 else [tight, slack]
    time = np.arange(0.0, 1.0, 1e-3)
    ones = np.ones((time.size, 1))
    delta = math.atan(0.1)
    loads = binder_tooth_loads(20, 38, slack, tight, own, shift=delta) * math.cos(delta)
    body, force = np.full((time.size, 108), -1.0), np.zeros((time.size, 108))
    body[:, 48:68], force[:, 48:68] = 1, loads[::sense]
    table = {
        "span_tension": ones * tension,
        "wheel_speed": ones * [speed, speed * 17 / 38],
        "contact_surface": body,
        "contact_force": force,
    }
    found = comparison(solution_of(drive, time, table))
    for which in ("second", "last but one"):
        (row,) = _rows(found, f"mean tooth load, {which} roller").values()
        assert row.where == "conveyor"
        assert row.relative == pytest.approx(0.0, abs=1e-9)


def test_a_string_that_sounds_at_its_frequency_is_found(drive):
    run = made_run()
    way, chain = drive_facts(drive).route, drive.chain
    density = chain.link_mass / chain.pitch
    lengths, speed = way.span_length, PACE * chain.pitch
    wanted = [moving_string_frequency(1, lengths[k], TENSION[k], density, speed) for k in range(4)]
    moved = run.values("span_displacement")
    moved[:, 0] = 2e-3 * np.sin(2 * np.pi * 1.03 * wanted[0] * TIME) + 5e-3 * np.sin(2 * np.pi * 60.0 * TIME)
    moved[:, 1] = 1e-3 * np.sin(2 * np.pi * wanted[1] * TIME)
    moved[:, 3] = np.nan
    found = comparison(run, start=0.0)
    rows = _rows(found, "first transverse frequency")
    names = drive.span_names
    # resolution 0.4 Hz; a line is found to a few hundredths of that
    assert rows[names[0]].simulated == pytest.approx(1.03 * wanted[0], abs=0.03)
    assert rows[names[1]].simulated == pytest.approx(wanted[1], abs=0.03)
    assert rows[names[1]].analytical == pytest.approx(wanted[1])
    reasons = _reasons(found, "first transverse frequency")
    assert "not known at all instants" in reasons[names[3]]
    assert "fewer than 5 periods" in _reasons(comparison(run, start=2.3), "first transverse frequency")[names[0]]


def test_sag_is_that_of_the_parabola():
    drive = _loaded(40.0).model_copy(update={"gravity": (0.0, -9.81)})
    time = np.arange(0.0, 1.0, 1e-3)
    ones = np.ones((time.size, 1))
    speed = 500 * 2 * math.pi / 60
    way, chain = drive_facts(drive).route, drive.chain
    rho = chain.link_mass / chain.pitch
    own = rho * (speed * 17 / (2 * math.pi) * chain.pitch) ** 2
    across = way.span_direction[0, 0] * rho * -9.81  # along the left normal of span 0
    sag = across * way.span_length[0] ** 2 / (8 * (30.0 - own))
    table = {
        "span_tension": ones * [30.0, 500.0],
        "wheel_speed": ones * [-speed, -speed * 17 / 38],
        "span_displacement": ones * [sag, 0.0],
    }
    found = comparison(solution_of(drive, time, table))
    (row,) = _rows(found, "mean sag").values()
    assert row.where == "motor - conveyor"
    assert row.relative == pytest.approx(0.0, abs=1e-9)
    assert "0.3 of a roller" in _reasons(found, "mean sag")["conveyor - motor"]


def _polygonal(returning, changes=()):
    """A slow drive whose driven wheel turns according to the four-bar linkage. returning: tension of the return span
    [N].
    """
    drive = override(_loaded(40.0), {"gravity": (0.0, -9.81), "wheels.1.inertia": 0.5, **dict(changes)})
    way, chain = drive_facts(drive).route, drive.chain
    speed = -1.3  # rad/s: 3.5 Hz, below the wheel on the span
    exact = tight_span_kinematics(17, 38, way.span_length[1], chain.pitch)
    time = np.arange(0.0, 8.0, 1e-3)
    angle = speed * time
    turned = np.abs(angle) % (2 * np.pi / 17)
    ratio = np.interp(turned, exact.driver_angle, exact.ratio)
    driven = speed * 17 / 38 * ratio
    table = {
        "span_tension": np.ones((time.size, 2)) * [returning, 600.0],
        "wheel_speed": np.stack([np.full(time.size, speed), driven], axis=1),
        "wheel_angle": np.stack([angle, np.zeros(time.size)], axis=1),
    }
    return drive, comparison(solution_of(drive, time, table))


RIPPLE = "speed ripple of the driven wheel at the tooth frequency"


def test_polygonal_action_of_two_wheels():
    """A driven wheel that turns according to the four-bar linkage, magnified or reduced by the spring of the tight
    span.

    The return span sags: at 10 N it is soft, and its first frequency, 3.8 Hz, is above that of the teeth.
    """
    drive, found = _polygonal(10.0)
    way, chain = drive_facts(drive).route, drive.chain
    (row,) = _rows(found, RIPPLE).values()
    stiffness = chain.link_stiffness / (way.span_length[1] / chain.pitch)
    own = math.sqrt(stiffness / 0.5) * way.radii[1] / (2 * math.pi)
    factor = 1.0 / (1.0 - (1.3 * 17 / (2 * math.pi) / own) ** 2)
    assert factor > 1.005
    assert row.analytical == pytest.approx(row.simulated * factor, rel=5e-3)


@pytest.mark.parametrize(
    ("returning", "changes", "said"),
    [
        (100.0, {}, "its return span also holds it"),
        (3.0, {}, "cannot follow"),
        (0.0, {"chain.joint_damping": 0.0}, "tension of its return span is entirely centrifugal"),
        (
            10.0,
            {"wheels.0.motion": None, "wheels.0.initial_speed": -2.0},
            "the driver needs a prescribed motion",
        ),
    ],
)
def test_polygonal_action_is_not_compared_where_more_than_the_tight_span_acts(returning, changes, said):
    _, found = _polygonal(returning, changes)
    assert _rows(found, RIPPLE) == {}
    assert any(said in reason for reason in _reasons(found, RIPPLE).values())


def test_joints_lose_what_bending_needs():
    """Viscous: C w (2 pi / z) for each of the two bends of every pitch on every wheel; Coulomb: mu r T (2 pi / z)."""
    drive = _loaded(40.0)
    chain = drive.chain.model_copy(update={"joint_damping": 0.002, "joint_friction": 0.1, "pin_diameter": 4.45e-3})
    drive = drive.model_copy(update={"chain": chain})
    speed = 500 * 2 * math.pi / 60
    pace = speed * 17 / (2 * math.pi)
    power = 0.0
    for z in (17, 38):
        bend = 2 * math.pi / z
        power += pace * (2 * 0.002 * bend * (pace * bend) + 0.1 * 2.225e-3 * bend * (100.0 + 620.0))
    time = np.arange(0.0, 1.0, 1e-3)
    ones = np.ones((time.size, 1))
    table = {
        "span_tension": ones * [100.0, 620.0],
        "wheel_speed": ones * [-speed, -speed * 17 / 38],
        "work_articulation": power * time,
    }
    (row,) = _rows(comparison(solution_of(drive, time, table)), "lost in the joints").values()
    assert row.analytical == pytest.approx(power)
    assert row.relative == pytest.approx(0.0, abs=1e-9)


def test_joints_that_vibrate_in_the_spans_lose_more():
    """A joint of a straight chain moves back and forth from row to row, by 2 mrad, at 500 N: mu r T |a| each time."""
    drive = _loaded(40.0)
    chain = drive.chain.model_copy(update={"joint_damping": 0.001, "joint_friction": 0.1, "pin_diameter": 4.45e-3})
    drive = drive.model_copy(update={"chain": chain})
    speed = 500 * 2 * math.pi / 60
    time = np.arange(0.0, 1.0, 1e-3)
    ones = np.ones((time.size, 1))
    place = np.stack(np.broadcast_arrays(chain.pitch * np.arange(chain.links), 0.0 * time[:, None]), axis=-1)
    place[1::2, 50, 1] = 1e-3 * chain.pitch  # it bends by 2 mrad, its neighbours by 1 mrad
    surface = np.full((time.size, chain.links), -1.0)
    surface[:, [0, 1, -1, -2]] = 0.0  # where the straight chain is closed
    table = {
        "span_tension": ones * [100.0, 620.0],
        "wheel_speed": ones * [-speed, -speed * 17 / 38],
        "work_articulation": time,
        "link_tension": np.full((time.size, chain.links), 500.0),
        "roller_position": place,
        "contact_surface": surface,
    }

    def lost(**changed):
        (row,) = _rows(comparison(solution_of(drive, time, table | changed)), "lost in the joints").values()
        return row.analytical

    friction = 0.1 * 2.225e-3 * 500.0 * 4e-3 * 1000.0
    damping = 0.001 * (2e-3**2 + 2 * 1e-3**2) * 1000.0**2
    assert lost() - lost(roller_position=0.0 * place + place[0]) == pytest.approx(friction + damping, rel=1e-3)
    assert lost(contact_surface=np.zeros_like(surface)) == pytest.approx(lost(roller_position=0.0 * place + place[0]))


def test_joints_too_stiff_to_bend_within_a_pitch_are_not_compared():
    """C f / (T P) of 0.02 N m s/rad at 142 Hz and 360 N on average is 0.9: joints and polygonal action differ from the
    formulas.
    """
    drive = _loaded(40.0)
    speed = 500 * 2 * math.pi / 60
    time = np.arange(0.0, 1.0, 1e-3)
    ones = np.ones((time.size, 1))
    table = {
        "span_tension": ones * [100.0, 620.0],
        "wheel_speed": ones * [-speed, -speed * 17 / 38],
        "wheel_angle": time[:, None] * [-speed, -speed * 17 / 38],
        "work_articulation": time,
    }

    def reason(damping):
        chain = drive.chain.model_copy(update={"joint_damping": damping})
        made = solution_of(drive.model_copy(update={"chain": chain}), time, table)
        return _reasons(comparison(made), "lost in the joints").get("", "")

    assert "more than one pitch" in reason(0.02)
    assert reason(0.002) == ""


def test_a_wheel_whose_joints_drag_more_than_its_load_is_not_compared(drive):
    """The tightener of 6l60mc carries weight alone; 19 kN on joints of friction 0.3 drag with more than that."""
    chain = drive.chain.model_copy(update={"joint_friction": 0.3, "pin_diameter": 40e-3})
    run = made_run()
    rubbing = drive.model_copy(update={"chain": chain})
    table = {name: run.values(name) for name in run.channels}
    name = "mean tension difference across the wheel"
    assert set(_rows(comparison(run), name)) == {"counterweight 2", "tightener", "counterweight 4"}
    found = comparison(solution_of(rubbing, run.time, table))
    bend, moment = 2.0 * math.pi / rubbing.wheels[2].teeth, 0.15 * 40e-3 * (TENSION[1] + TENSION[2])
    drag = bend * moment / chain.pitch
    assert f"losses amount to about {numbers.quantity(drag, 'N', 2)}" in _reasons(found, name)["tightener"]


def test_losses_as_large_as_the_load_are_not_balanced():
    """If a tenth of the load power is lost in the chain, the balance is left out."""
    drive = _loaded(40.0)
    speed = 500 * 2 * math.pi / 60
    power = 40.0 * speed * 17 / 38
    time = np.arange(0.0, 1.0, 1e-3)
    ones = np.ones((time.size, 1))

    def comparison_with(share):
        table = {
            "span_tension": ones * [100.0, 620.0],
            "wheel_speed": ones * [-speed, -speed * 17 / 38],
            "wheel_torque": ones * [-40.0 * 17 / 38, 40.0],
            "work_articulation": share * power * time,
        }
        return comparison(solution_of(drive, time, table))

    name = "mean torque of the driver"
    assert set(_rows(comparison_with(0.09), name)) == {"motor"}
    assert "losses dominate" in _reasons(comparison_with(0.11), name)["motor"]


def test_a_chain_that_carries_is_not_compared_with_a_bare_one(drive):
    """Attachments of 2 kg on every tenth link are weight and inertia that no check knows."""
    run = made_run()
    chain = override(drive, {"chain.attachments": [{"mass": 2.0, "every": 10}]})
    found = comparison(solution_of(chain, run.time, {name: run.values(name) for name in run.channels}))
    assert {row.quantity for row in found.rows} == {"mean speed"}
    assert any("goods or attachments" in row.reason for row in found.left_out)


def test_penetration_is_that_of_the_contact_law(drive):
    run = made_run()
    assert "run.save.channels" in _reasons(comparison(run), "mean penetration")[""]
    law = drive.contact
    table = {name: run.values(name) for name in run.channels}
    table["contact_penetration"] = 1.1 * (table["contact_force"] / law.stiffness) ** (1 / law.exponent)
    rows = _rows(comparison(solution_of(drive, TIME, table)), "mean penetration")
    assert set(rows) == {wheel.name for wheel in drive.wheels}
    for row in rows.values():
        assert row.relative == pytest.approx(0.1)


def test_a_run_up_is_not_compared_and_says_why():
    run = made_run()
    run.values("wheel_speed")[:] *= (1.0 + 0.1 * TIME)[:, None]
    found = comparison(run, start=1.0)
    assert found.rows == ()
    (reason,) = found.left_out
    assert "speed of the chain changes by" in reason.reason
    run.values("wheel_speed")[:] = 0.0
    assert "stands still" in comparison(run).left_out[0].reason


@pytest.mark.parametrize(
    ("factor", "said"),
    [
        (0.0, "stands still"),
        (-1.0, "against its driving direction"),
        (math.nan, "the run diverged"),
        ((1.0 + 0.1 * TIME)[:, None], "speed of the chain changes by"),
    ],
)
def test_what_is_not_steady_has_a_type_of_its_own(factor, said):
    run = made_run()
    run.values("wheel_speed")[:] *= factor
    with pytest.raises(NotSteadyError, match=said) as caught:
        case_of(run)
    found = comparison(run)
    assert found.rows == ()
    (problem,) = caught.value.problems
    assert [row.reason for row in found.left_out] == [f"{problem.value}: {problem.message}"]


def test_other_errors_are_not_taken_for_a_run_that_is_not_steady(monkeypatch):
    """Whatever their message and whatever place they name."""

    def nothing_there(*_):
        raise InputError(Problem("time", "no instant is stored there"))

    monkeypatch.setattr("chaindrive.analyses.results.comparison.case_of", nothing_there)
    with pytest.raises(InputError, match="stored there"):
        comparison(made_run())


def test_what_cannot_be_done_is_said():
    with pytest.raises(InputError, match=r"span_tension.*save\.channels"):
        comparison(made_run(drop=("span_tension",)))
    with pytest.raises(InputError, match="fewer than 8"):
        comparison(made_run(), start=2.499)
    bare = comparison(
        made_run(drop=("bearing_force", "span_displacement", "contact_force", "wheel_torque", "work_articulation"))
    )
    assert {row.quantity for row in bare.rows} == {"mean speed", "mean tension difference across the wheel"}
    assert {row.quantity for row in bare.left_out} >= {"mean bearing force", "mean sag", "mean tooth load"}


def test_differences():
    row = Compared("a", "", "drive", -1, 9.0, -10.0, "N", "", "")
    assert (row.difference, row.relative) == (19.0, 1.9)
    assert math.isnan(row._replace(analytical=0.0).relative)


# Torques that drive, wherever they are written ------------------------------------------------------------------------

STEP = "mean tension difference across the wheel"


def _block_run(name, changes=None, until=None):
    drive = override(cd.example(name), {"run.formulation": {"kind": "block"}} | (changes or {}))
    return cd.simulate(drive, until)


@COMPILED
def test_the_motor_of_a_press_is_compared_with_its_torque():
    """Kloss' torque at the speeds of the run over the arm of 19 teeth, 1.9 kN, less the bearing; and it drives."""
    run = _block_run("press-12b")
    found = comparison(run)
    step = _rows(found, STEP)["gear motor"]
    drive = run.drive
    arm = 19 * drive.chain.pitch / (2.0 * math.pi)
    window = (run.time >= found.start - 1e-9) & (run.time <= found.stop + 1e-9)
    torque = drive.wheels[0].torque
    mean = np.mean([torque.mean_torque(float(w), 1.0) for w in run.values("wheel_speed")[window, 0]])
    assert mean > 100.0
    assert step.analytical == pytest.approx(-mean / arm, rel=0.01)  # the speed grows a little in the window
    assert step.simulated == pytest.approx(-1893.7, abs=0.5)
    assert step.relative == pytest.approx(0.0, abs=0.005)
    (driver,) = _rows(found, "mean torque of the driver").values()
    assert driver.where == "gear motor"
    assert driver.relative == pytest.approx(0.0, abs=0.03)  # the window holds no whole turns of the press


@COMPILED
@pytest.mark.parametrize("torque", [12.0, {"over": "speed", "speeds": [0, 100], "torques": [24, 0]}])
def test_a_torque_and_a_list_with_it_are_compared_alike(torque):
    """Their runs agree, too: at 60 % of 100 rad/s the curve gives 9.6 N m, over the arm of 19 teeth 165 N, as
    simulated.
    """
    load = {"wheels.1.loads": [], "wheels.1.load_viscous": 9.6 * 9.0 / 60.0, "wheels.0.initial_speed": 60.0}
    same = [torque] if torque != 12.0 else [{"over": "time", "times": [0, 1], "torques": [12, 12]}]
    found = [comparison(_block_run("press-12b", load | {"wheels.0.torque": t}, 1.0)) for t in (torque, same)]
    assert found[0].rows == found[1].rows
    step = _rows(found[0], STEP)["gear motor"]
    assert step.relative == pytest.approx(0.0, abs=0.05)  # the run is not yet quite steady
    given = 12.0 if torque == 12.0 else 9.6
    assert abs(step.analytical) == pytest.approx(given / 0.0576, rel=0.12)  # less what the growing speed takes
    assert _rows(found[0], "mean torque of the driver")


@COMPILED
def test_a_motor_behind_a_shaft_is_seen():
    """In the pump drive the motor outside the chain drives its sprocket with the torque of the pump, 45 N m at half its
    speed.

    In the run with its rotors, and in the chain alone, whose wheels have their mean torques as loads.
    """
    run = _block_run("pump-10b")
    for result in (run, run.chains[0]):
        found = comparison(result)
        step = _rows(found, STEP)
        # and the weight of the chain, 1.3 N
        arms = {w.name: w.teeth * run.drive.chain.pitch / (2.0 * math.pi) for w in run.drive.wheels}
        taken = 7.8e-3 * 75.69**2 + 0.3
        assert step["pump sprocket"].analytical == pytest.approx(taken / arms["pump sprocket"], rel=4e-3)
        assert step["motor sprocket"].analytical == pytest.approx(-0.5 * taken / arms["motor sprocket"], rel=4e-3)
        for row in step.values():
            assert row.relative == pytest.approx(0.0, abs=0.004)
        (driver,) = _rows(found, "mean torque of the driver").values()
        assert (driver.where, driver.relative) == ("motor sprocket", pytest.approx(0.0, abs=1e-4))
        assert driver.simulated == pytest.approx(0.5 * taken, rel=1e-3)


def test_a_chain_alone_has_the_torques_of_its_shafts_from_the_run():
    """The machine behind the conveyor takes 50 N m according to the work at its shaft, not the 40 N m of its
    description.
    """
    drive = _loaded(40.0)
    speed, pull = 52.0, 50.0 * 2 * math.pi / (38 * drive.chain.pitch)
    time = np.arange(0.0, 1.0, 1e-3)
    ones = np.ones((time.size, 1))
    table = {
        "span_tension": ones * [100.0, 100.0 + pull],
        "wheel_speed": ones * [-speed, -speed * 17 / 38],
        "shaft_work": time[:, None] * [0.0, -50.0 * speed * 17 / 38],
    }
    attributes = describe(drive.to_toml(), {}, name=drive.name) | {"status": "REACHED_END"}
    alone, joined = (
        comparison(solution_of(drive, time, table, attributes | {"notes": encode(notes)}))
        for notes in ({}, {"shafts": ["conveyor"]})
    )
    assert _rows(alone, STEP)["conveyor"].relative == pytest.approx(0.25, abs=1e-9)
    assert _rows(joined, STEP)["conveyor"].relative == pytest.approx(0.0, abs=1e-9)


def test_a_governor_gives_what_the_others_take():
    """A governor's torque is not compared, the steps of tension are."""
    governor = {"kind": "governor", "speed": -52.0, "largest_torque": 90.0, "proportional": 2.0, "integral": 8.0}
    drive = override(_loaded(40.0), {"wheels.0.motion": None, "wheels.0.torque": governor})
    speed, pull = 52.0, 40.0 * 2 * math.pi / (38 * drive.chain.pitch)
    ones = np.ones((1000, 1))
    table = {
        "span_tension": ones * [100.0, 100.0 + pull],
        "wheel_speed": ones * [-speed, -speed * 17 / 38],
    }
    found = comparison(solution_of(drive, np.arange(0.0, 1.0, 1e-3), table))
    assert len(_rows(found, STEP)) == 2
    for row in _rows(found, STEP).values():
        assert row.relative == pytest.approx(0.0, abs=1e-9)
    assert _reasons(found, "mean torque of the driver") == {
        "": "a governor supplies whatever torque the speed requires"
    }
