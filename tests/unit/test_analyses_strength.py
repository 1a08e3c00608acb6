"""Strength and life of runs whose tensions are formulas: cycles, damage, wear and findings in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from chaindrive.analyses.analytical.limits import chain_limits
from chaindrive.analyses.analytical.rating import roller_bush_power
from chaindrive.analyses.results.loop import loop_zones
from chaindrive.analyses.results.passing import passing_tension, spans_only
from chaindrive.analyses.results.plates import plate_life
from chaindrive.analyses.results.rainflow import equivalent_range, link_rainflow
from chaindrive.analyses.results.strength import strength
from chaindrive.errors import InputError
from chaindrive.model import override
from chaindrive.model.limits import FINDINGS
from chaindrive.model.study.description import FigureOfMerit
from chaindrive.studies.merit import evaluate, prepare_figures
from support.made_run import PACE, TIME, changed, made_run, solution_of

LOAD = 850e3  # 56B, Pedersen (2004)
KNOWN = {
    "chain.breaking_load": LOAD,
    "limits.dynamic_strength": 9e3,
    "limits.tension": 25e3,
    "limits.life": "20000 h",
    "limits.wear_coefficient": 1e-16,
    "limits.bearing_pressure": "10 MPa",
    "limits.bearing_area": "27.9 cm^2",
}
RANGE, LEAST = 8e3, 15.1e3
"""Range and minimum of every tenth link of the made run: 19.1 kN and 4 kN of a sine along the loop."""
PULSATING = RANGE * LOAD / (LOAD - LEAST)


@pytest.fixture(scope="module")
def run():
    return changed(made_run(), KNOWN)


def test_one_cycle_a_loop_is_basquin_and_goodman_by_hand(run):
    """D = (dF' / F_d)^9 / 3e6 a loop below the dynamic strength, of 122 / 120 s."""
    found = plate_life(link_rainflow(run), chain_limits(run.drive))
    damage = (PULSATING / 9e3) ** 9 / 3e6
    heavy = np.arange(122) % 10 == 0
    np.testing.assert_allclose(found.damage_per_loop[heavy], damage, rtol=2e-3)
    np.testing.assert_allclose(found.equivalent_range[heavy], PULSATING, rtol=2e-4)
    np.testing.assert_allclose(found.largest_range[heavy], PULSATING, rtol=2e-4)
    np.testing.assert_allclose(found.life[heavy], 122 / PACE / damage, rtol=3e-3)
    assert found.life[~heavy].min() > found.life[heavy].max()
    assert found.links[found.worst] % 10 == 0


@pytest.mark.parametrize("exponent", [3.0, 5.0, 8.0])
def test_above_the_dynamic_strength_the_upper_exponent_holds(run, exponent):
    weak = override(run.drive, {"limits.dynamic_strength": 2e3, "limits.woehler_exponent": exponent})
    found = plate_life(link_rainflow(run), chain_limits(weak))
    assert found.damage_per_loop[found.worst] == pytest.approx((PULSATING / 2e3) ** exponent / 3e6, rel=1e-3)


def test_without_a_breaking_load_ranges_are_as_counted():
    found = plate_life(link_rainflow(made_run()), chain_limits(made_run().drive))
    assert not found.corrected
    np.testing.assert_allclose(found.equivalent_range, equivalent_range(link_rainflow(made_run()), 5.0), rtol=1e-12)
    assert np.isnan(found.life).all()  # no dynamic strength
    assert np.isnan(found.damage_per_loop).all()


def test_cycles_add_up_and_scale(run):
    """Twice the tension: 2^9 times the damage except for the Goodman correction; half the window: the same life."""
    cycles = link_rainflow(run)
    limits = chain_limits(run.drive)
    doubled = cycles._replace(count=2.0 * cycles.count)
    np.testing.assert_allclose(plate_life(doubled, limits).life, 0.5 * plate_life(cycles, limits).life)
    small = limits._replace(breaking_load=limits.breaking_load._replace(value=1e15))
    twice = cycles._replace(range=1.1 * cycles.range)
    np.testing.assert_allclose(plate_life(twice, small).life, plate_life(cycles, small).life / 1.1**9, rtol=1e-9)


def test_less_than_a_loop_is_told(run):
    found = strength(run, 1.0, 1.4)
    assert any("of a loop" in remark for remark in found.remarks)
    assert np.isnan(found.plates.equivalent_range).all()
    assert found.finding("plate_range").name == "largest range"
    assert math.isfinite(found.finding("plate_life").value)


def test_every_finding_with_its_limit(run):
    found = strength(run)
    by_key = {each.key: each for each in found.findings}
    assert set(by_key) == set(FINDINGS) - {"roller_bush_life", "rated_power"}  # no rating for 88.9 mm
    assert all(each.unit == FINDINGS[each.key] for each in found.findings)
    assert not any(each.missing for each in found.findings)
    tension = by_key["tension_steady"]
    assert tension.value == pytest.approx(23.1e3, rel=1e-3)
    assert tension.utilisation == pytest.approx(23.1 / 25.0, rel=1e-3)
    assert tension.limit_source == "given: limits.tension"
    assert tension.index % 10 == 0
    assert tension.where == f"link {tension.index}"
    assert float(run.values("link_tension")[np.searchsorted(run.time, tension.time - 1e-9), tension.index]) == (
        tension.value
    )
    assert by_key["breaking_load"].utilisation == pytest.approx(23.1e3 / LOAD, rel=1e-3)
    assert by_key["plate_range"].utilisation == pytest.approx(PULSATING / 9e3, rel=1e-3)
    life = by_key["plate_life"]
    assert life.sense == "least"
    assert life.utilisation == pytest.approx(20000 * 3600 / life.value)
    assert by_key["bearing_pressure"].value == pytest.approx(23.1e3 / 27.9e-4, rel=1e-3)
    assert "88.9 mm" in found.missing["rollers"]


def test_wear_by_hand(run):
    """Spans of 19, 18, 18.5, 20 kN: k sum (T before + T behind) (d / 2) 2 pi / z / A in every loop of 122 / 120 s."""
    found = strength(run)
    drive, spans = run.drive, np.array([19e3, 18e3, 18.5e3, 20e3])
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    pin = drive.chain.pin_diameter or 0.5 * drive.chain.roller_diameter
    work = ((spans + np.roll(spans, 1)) * 0.5 * pin * 2.0 * math.pi / teeth).sum()
    assert found.joints.friction_work == pytest.approx(work)
    np.testing.assert_allclose(found.joints.path, pin * 2.0 * math.pi / teeth)
    depth = 1e-16 * work / 27.9e-4
    elongation = min(0.03, 2.0 / teeth.max())
    assert found.joints.life == pytest.approx(elongation * drive.chain.pitch / depth * 122 / PACE, rel=1e-6)


def test_without_limits_nothing_is_judged():
    found = strength(made_run())
    missing = {each.key: each.missing for each in found.findings}
    assert missing == {
        "tension_steady": "limits.tension",
        "tension_run": "limits.tension",
        "breaking_load": "chain.breaking_load",
        "plate_range": "limits.dynamic_strength",
        "plate_life": "limits.dynamic_strength",
        "bearing_pressure": "limits.bearing_pressure",
        "wear_life": "limits.wear_coefficient",
    }
    assert all(math.isnan(each.utilisation) for each in found.findings)
    assert found.finding("no such") is None


def test_a_chain_by_its_values_is_told_of_the_standard_one():
    assert any("56B-1" in text and "88.9 kN per strand" in text for text in strength(made_run()).remarks)
    assert not any("56B-1" in text for text in strength(changed(made_run(), KNOWN)).remarks)


def test_rollers_and_rating_of_a_chain_that_is_rated():
    """Rated as a 40A with 63.5 mm pitch: power of the tighter span, constant here, and the tables' formula."""
    radii = {f"wheels.{w}.pitch_radius": "none" for w in range(4)}
    solution = changed(made_run(), KNOWN | radii | {"chain.pitch": 0.0635, "chain.roller_diameter": 0.03968})
    found = strength(solution)
    drive = solution.drive
    speed = 2.0 * math.pi * PACE / drive.wheels[0].teeth
    pace = PACE * 0.0635
    centrifugal = drive.chain.link_mass / 0.0635 * pace**2
    rollers = found.rollers
    assert rollers.power[0] == pytest.approx(pace * (20e3 - centrifugal), rel=1e-6)
    assert rollers.rated[0] == pytest.approx(roller_bush_power(drive.wheels[0].teeth, speed, 0.0635))
    assert rollers.life[0] == pytest.approx(15000 * 3600 * 1.22 * (rollers.rated[0] / rollers.power[0]) ** 2.5)
    assert found.ratings[0].power == pytest.approx(pace * 1e3)
    worst = found.finding("rated_power")
    assert worst.where == max(found.ratings, key=lambda each: each.used).name


def test_peaks_of_the_tension_strike_rollers_harder_than_its_mean():
    """Life goes with the power to 2.5: 12 and 28 kN in turn are as severe as their mean to that power, not as 20 kN."""
    radii = {f"wheels.{w}.pitch_radius": "none" for w in range(4)}
    steady = changed(made_run(), KNOWN | radii | {"chain.pitch": 0.0635, "chain.roller_diameter": 0.03968})
    table = {name: steady.values(name) for name in steady.channels}
    table["span_tension"] = table["span_tension"] + 8e3 * np.where(np.arange(TIME.size) % 2, 1.0, -1.0)[:, None]
    pace = PACE * 0.0635
    pulls = np.array([12e3, 28e3]) - steady.drive.chain.link_mass / 0.0635 * pace**2
    found = strength(solution_of(steady.drive, TIME, table)).rollers
    assert found.power[0] == pytest.approx(pace * np.mean(pulls**2.5) ** 0.4, rel=2e-3)
    assert found.power[0] > 1.1 * strength(steady).rollers.power[0]


def test_rollers_feel_the_span_that_is_tighter_at_the_instant():
    """Where the tight side changes from instant to instant, both spans of a wheel strike its rollers in turn."""
    radii = {f"wheels.{w}.pitch_radius": "none" for w in range(4)}
    steady = changed(made_run(), KNOWN | radii | {"chain.pitch": 0.0635, "chain.roller_diameter": 0.03968})
    table = {name: steady.values(name) for name in steady.channels}
    swing = 6e3 * np.where(np.arange(TIME.size) % 2, 1.0, -1.0)[:, None] * np.array([1.0, -1.0, 1.0, -1.0])
    table["span_tension"] = np.full_like(table["span_tension"], 20e3) + swing
    pace = PACE * 0.0635
    pull = 26e3 - steady.drive.chain.link_mass / 0.0635 * pace**2
    found = strength(solution_of(steady.drive, TIME, table)).rollers
    np.testing.assert_allclose(found.power, pace * pull, rtol=1e-6)


def by_span(**changes):
    """The run with the channels of a formulation without link tensions."""
    drop = ("link_tension", "link_path_position", "contact_surface", "contact_force", "roller_position")
    offered = '["span_tension", "wheel_angle", "wheel_speed"]'
    return changed(made_run(), KNOWN | changes, drop, offered=offered, formulation="block")


def test_spans_alone_give_one_cycle_a_loop():
    """18 to 20 kN around the loop: every link has a range of 2 kN above 18 kN."""
    solution = by_span()
    assert spans_only(solution)
    found = strength(solution)
    np.testing.assert_allclose(found.plates.largest_range, 2e3 * LOAD / (LOAD - 18e3), rtol=1e-6)
    assert "only span tensions" in found.remarks[0]
    assert found.finding("tension_steady").kind == "span"
    assert found.finding("tension_steady").value == 20e3
    tension = passing_tension(solution, slice(0, 1000, 100))
    assert tension.min() == pytest.approx(18e3)
    assert tension.max() == pytest.approx(20e3)
    assert np.isfinite(tension).all()


def test_a_link_has_the_tension_of_its_span_and_passes_to_the_next_along_a_wheel():
    """On wheel w it changes from that of span w - 1 to that of span w, linearly along the wrap."""
    solution = by_span()
    tension, spans = passing_tension(solution, slice(0, 1))[0], [19e3, 18e3, 18.5e3, 20e3]
    seen = 0
    for zone in loop_zones(solution):
        past = (np.arange(122) + 0.5 - zone.start) % 122
        inside = past < zone.end - zone.start
        share = past[inside] / (zone.end - zone.start)
        before, behind = spans[zone.index - (zone.kind == "wheel")], spans[zone.index]
        np.testing.assert_allclose(tension[inside], before + share * (behind - before))
        seen += int(inside.sum())
    assert seen == 122


def test_without_span_tension_it_says_so():
    with pytest.raises(InputError, match="span_tension"):
        strength(changed(made_run(), {}, ("span_tension",)))


# --- figures of merit ------------------------------------------------------------------------------------------------


def figure(**given):
    return FigureOfMerit(name="x", **given)


def test_keys_of_findings_are_those_of_figures():
    for key in FINDINGS:
        assert figure(finding=key).finding == key
    with pytest.raises(InputError, match="finding"):
        figure(finding="no such")


def test_a_figure_of_merit_in_hours(run):
    channels = tuple(run.channels.values())
    made, units = prepare_figures([figure(finding="plate_life", unit="h")], channels, run.labels)
    assert units == ["h"]
    assert evaluate(made[0], run) == pytest.approx(strength(run).finding("plate_life").value / 3600.0)
    assert set(made[0].channels) == {"link_tension", "link_path_position", "span_tension", "wheel_angle", "wheel_speed"}
    share = prepare_figures([figure(finding="tension_run", divide_by="25 kN")], channels, run.labels)[0][0]
    assert evaluate(share, run) == pytest.approx(23.1 / 25.0, rel=1e-3)


def test_a_figure_that_cannot_be_told_says_what_is_missing():
    solution = made_run()
    made, _ = prepare_figures([figure(finding="plate_life")], tuple(solution.channels.values()), solution.labels)
    with pytest.raises(InputError, match=r"limits\.dynamic_strength"):
        evaluate(made[0], solution)
    made, _ = prepare_figures([figure(finding="rated_power")], tuple(solution.channels.values()), solution.labels)
    with pytest.raises(InputError, match=r"88\.9 mm"):
        evaluate(made[0], solution)
    with pytest.raises(InputError, match="unit"):
        prepare_figures([figure(finding="plate_life", unit="kN")], tuple(solution.channels.values()), {})
