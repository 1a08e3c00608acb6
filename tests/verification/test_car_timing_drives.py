"""The two timing drives in the arrangements of the papers: stated facts, equilibrium on rails and shaft, short runs.

Their links are rigid, with clearance in the joints.

Hippmann, Arnold and Schittenhelm (2005): `v6-timing`. Pfeiffer, Fritz and Srnik (1997): `pfeiffer-roller`.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numba import config

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.mechanism.links import link_data
from chaindrive.mechanism.shafts import lateral_stiffness
from chaindrive.model import override
from chaindrive.simulation.start import prepare, settle
from chaindrive.simulation.steady import cycle_of
from support.small_drives import channel

V6, FOUR = "v6-timing", "pfeiffer-roller"
BOTH = pytest.mark.parametrize("name", [V6, FOUR])
compiled_only = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="takes minutes in plain Python")
SPARE = 5.0
"""Least ratio of breaking load and largest link tension."""


@cache
def resting(name: str) -> System:
    drive = cd.example(name)
    return settle(compile_system(drive, drive.run.formulation, False))


@cache
def ran(name: str) -> cd.Solution:
    """Two revolutions of the camshafts of the V6, 1.25 of the other drive; by the method with the tightest balance."""
    save = cd.SaveOptions(
        rate=20e3,
        channels=("span_tension", "link_tension", "guide_force", "tensioner_position", "tensioner_force"),
    )
    drive = override(cd.example(name), {"run.solver.method": "dormand-prince"})
    return cd.simulate(drive, 0.04 if name == V6 else 0.08, save=save)


# What the papers say --------------------------------------------------------------------------------------------------


def test_one_turn_of_the_chain_of_the_v6():
    """Hippmann, section 4.1: 216 links, 6000 rpm, and about 103 400 macro steps of 1 us for one turn of the chain."""
    drive = cd.example(V6)
    assert drive.chain.links == 216
    assert drive.wheels[0].motion.speed == pytest.approx(200.0 * np.pi)
    assert cycle_of(drive).loop == pytest.approx(0.1034, rel=0.01)
    assert [wheel.teeth / drive.wheels[0].teeth for wheel in drive.wheels if wheel.load_table] == [2.0, 2.0]
    assert [wheel.side for wheel in drive.wheels if wheel.shaft is not None] == ["back"]


def test_parts_of_the_drive_of_pfeiffer():
    """Section 4.2: 120 links, crankshaft, two camshafts, one guide fixed, one with a rotational degree of freedom."""
    drive = cd.example(FOUR)
    assert drive.chain.links == 120
    assert [wheel.load_table is not None for wheel in drive.wheels] == [False, True, True]
    joints = {body.name: body.joint.kind for body in drive.bodies}
    assert [joints.get(guide.body) for guide in drive.guides] == ["revolute", None]


# At rest --------------------------------------------------------------------------------------------------------------


@compiled_only
@BOTH
def test_the_chain_lies_on_every_rail(name):
    """Several rollers on each, and the tension guide is where it is drawn, to a millimetre of its tensioner."""
    drive, system = cd.example(name), resting(name)
    assert "static_span_tension" in system.story.notes
    touched, force = channel(system, "contact_surface"), channel(system, "contact_force")
    for guide in range(len(drive.guides)):
        pressed = (touched == len(drive.wheels) + guide) & (force > 0.0)
        assert pressed.sum() >= 3, drive.guides[guide].name
    assert channel(system, "tensioner_position")[0] == pytest.approx(drive.tensioners[0].drawing_length, abs=1e-3)


@compiled_only
def test_the_elastic_shaft_gives_under_the_pull_of_the_chain():
    """Stiffness times shift equals the forces of the end pins on the links on the wheel, plus the weight of both.

    Slope over shift of a cantilever is 1.5 / length, about the axis across the shift; its moment where it is clamped is
    the force times the length.
    """
    drive, system = cd.example(V6), resting(V6)
    wheel, pins = drive.wheels[2], channel(system, "pin_force")
    on_wheel = np.flatnonzero(channel(system, "contact_surface") == 2)
    first, last = on_wheel[0], on_wheel[-1]
    weight = link_data(drive).mass[first : last + 1].sum() + wheel.mass
    force = pins[first] - pins[last + 1] + weight * np.array(drive.gravity)
    shift = channel(system, "wheel_position")[2] - np.array(wheel.position)
    np.testing.assert_allclose(lateral_stiffness(wheel.shaft) * shift, force, atol=20e-6)  # what is left unbalanced
    assert force[1] > 500.0  # the loop pulls the wheel up
    tilt, moment = channel(system, "wheel_tilt")[2], channel(system, "tilting_moment")[2]
    np.testing.assert_allclose(tilt, 1.5 / wheel.shaft.length * np.array([-shift[1], shift[0]]), rtol=1e-9)
    np.testing.assert_allclose(moment, wheel.shaft.length * np.array([-force[1], force[0]]), atol=1e-6)


# Runs -----------------------------------------------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize("name", [pytest.param(V6, marks=pytest.mark.long), FOUR])
def test_a_run_stays_within_what_the_parts_are_made_for(name):
    """No link is near its breaking load or slack, the tensioner between its stops, every rail pressed all the time.

    Without a warning: the teeth of the wheel that tilts stay between the plates.
    """
    drive, run = cd.example(name), ran(name)
    assert run.status == cd.Status.REACHED_END
    assert run.warnings == ()
    tension = np.asarray(run.values("link_tension"))
    assert tension.max() < drive.chain.breaking_load / SPARE
    assert tension.min() > 0.0
    tensioner = drive.tensioners[0]
    lengths = np.asarray(run.values("tensioner_position"))
    assert tensioner.shortest < lengths.min()
    assert lengths.max() < tensioner.longest
    assert np.asarray(run.values("tensioner_force")).min() > 0.0
    assert np.hypot(*np.moveaxis(np.asarray(run.values("guide_force")), 2, 0)).min() > 0.0
    assert run.audit.largest_residual < 1e-6 * run.audit.energy_exchanged


@compiled_only
def test_tight_and_slack_side():
    """Pfeiffer, section 4.2: the mean of the tight side is about twice that of the slack side."""
    run = ran(FOUR)
    period = run.time > run.time[-1] - 0.04  # a turn of the camshafts
    slack, _, tight = np.asarray(run.values("span_tension"))[period].mean(axis=0)
    assert tight / slack == pytest.approx(2.0, rel=0.1)


@compiled_only
def test_span_tensions_of_the_v6_rise_from_span_to_span():
    """They rise by the mean torques of the banks, 6 N m and 0.002 N m s/rad x 314 rad/s, at the pitch radius, and
    friction.

    The return wheel takes nothing but bearing damping.
    """
    run = ran(V6)
    period = run.time > run.time[-1] - 0.02
    mean = np.asarray(run.values("span_tension"))[period].mean(axis=0)
    bank = (6.0 + 0.002 * 100.0 * np.pi) / (0.004 / np.sin(np.pi / 42))
    steps = np.diff(mean)
    # The rest is friction on the rails, 0.08 of what they carry, and what the banks gain or lose in speed meanwhile.
    np.testing.assert_allclose(steps, [bank, 0.0, bank], atol=0.25 * bank)


def bends_told(changes: dict[str, object]) -> list[str]:
    """Warnings about bends of the chain at rest."""
    system = prepare(override(cd.example("timing-06b"), changes), start="at_rest").system
    return [each for each in system.story.warnings if "the chain bends" in each]


def test_a_chain_that_bends_about_the_end_of_its_rail_is_doubted():
    """With two links more, the guide turns until its lower end presses rollers towards the crankshaft. Such a run has
    three times the tension: rollers run against this end.
    """
    assert bends_told({}) == []
    changes = {"chain.links": 132}
    (told,) = bends_told(changes)
    assert told.startswith("guides[0]: ")
    assert "'tension rail'" in told
    system = prepare(override(cd.example("timing-06b"), changes), start="at_rest").system
    rollers = system.channel("roller_position").read(system.row(0.0, system.state))
    links = np.roll(rollers, -1, axis=0) - rollers
    heading = np.unwrap(np.arctan2(links[:, 1], links[:, 0]))
    on_rail = system.channel("contact_surface").read(system.row(0.0, system.state)) == 3
    largest = np.degrees(np.abs(np.diff(heading, prepend=heading[-1] - 2.0 * np.pi)))[on_rail].max()
    assert f"by {largest:.0f} deg" in told


def test_a_bend_about_a_sharp_arc_of_the_rail_itself_is_not_doubted():
    """The rail of the drive, ending in arcs of 30 mm: a pitch of 9.525 mm turns by 18 degrees on them."""
    arc = {"length": "5 mm", "radius": "30 mm", "bend": "right"}
    pieces = [arc, {"length": "240 mm", "radius": "400 mm", "bend": "right"}, arc]
    assert bends_told({"chain.links": 132, "guides.0.shape.pieces": pieces}) == []
