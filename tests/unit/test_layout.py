"""Drives that cannot be built are refused by name and amount, doubtful ones give a warning, the others pass."""

import re

import numpy as np
import pytest

import chaindrive
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.geometry.route import pitch_radius
from chaindrive.geometry.tooth_forms import tooth_profile
from chaindrive.mechanism.facts import drive_facts, moved_route
from chaindrive.mechanism.layout import initial_configuration, judge_layout, placed_chain
from chaindrive.model import example, example_names, loads, override
from chaindrive.simulation.start import channel_at_start
from support.three_wheels import ARM, PITCH, RAIL, ROLLER, drive, three, two


def tip(teeth):
    return tooth_profile("iso-606", teeth, PITCH, 2 * ROLLER).tip_radius


def test_the_route_of_a_drive_is_where_its_wheels_are():
    given = example("6l60mc")
    drawn = drive_facts(given).route
    assert drawn.centres.tolist() == [list(wheel.position) for wheel in given.wheels]
    np.testing.assert_allclose(drawn.radii, pitch_radius(given.chain.pitch, [w.teeth for w in given.wheels]))
    aside = drawn.centres + np.array([0.3, -0.2])
    for moved in (
        drive_facts(given).route_at(aside),
        moved_route(given, aside),
        initial_configuration(given, centres=aside).route,
    ):
        np.testing.assert_array_equal(moved.centres, aside)
        np.testing.assert_allclose(moved.span_length, drawn.span_length, rtol=1e-12)


def test_the_route_is_as_drawn_where_the_wheels_have_left_all_sense():
    given = example("6l60mc")
    drawn = drive_facts(given).route
    lost, heaped = np.full((4, 2), np.nan), np.zeros((4, 2))
    with pytest.raises(InputError):
        drive_facts(given).route_at(heaped)
    for places in (lost, heaped):
        np.testing.assert_array_equal(moved_route(given, places).span_start, drawn.span_start)


@pytest.mark.parametrize("name", example_names())
def test_no_example_is_refused_or_warned_of(name):
    given = example(name)
    assert judge_layout(given, initial_configuration(given)) == ((), ())


def test_an_idler_in_a_foreign_span_is_refused():
    """Such a run used to reach its end silently, with tensions up to 3.6 kN that no load causes."""
    given = three(30, 0.005)
    amount = tip(30) + ROLLER - float(pitch_radius(PITCH, 17)) - 0.005
    with pytest.raises(InputError) as refused:
        chaindrive.simulate(given, until=0.01)
    (problem,) = refused.value.problems
    assert problem.place == "wheels[2]"
    assert f"'idler' reaches {amount * 1e3:.3g} mm into span 0 (motor - drum)" in problem.message
    assert problem.value == "[0.25, 0.005]"


def test_an_idler_beside_a_foreign_span_passes():
    """There is a gap of 0.1 mm between tips and rollers."""
    height = tip(30) + ROLLER - float(pitch_radius(PITCH, 17)) + 1e-4
    assert judge_layout(three(30, height)) == ((), ())


def test_teeth_between_rollers_are_warned_of():
    given = three(17, 0.002)
    configuration, (warning,) = placed_chain(given)
    assert configuration.slack_span == -1
    assert "wheels[2]: 'idler' reaches with its teeth" in warning
    assert warning in compile_system(given, given.run.formulation, False).story.warnings


def test_a_wheel_on_a_moving_body_is_warned_of():
    moving = three(30, 0.005, ARM, on_body=True)
    judged = judge_layout(moving, initial_configuration(moving))
    assert judged.problems == ()
    assert "'idler' reaches 28.2 mm into span 0" in judged.warnings[0]
    assert "the bodies that support these parts move" in judged.warnings[0]


def test_a_wheel_in_a_hanging_span_is_warned_of():
    """The motor turns counter-clockwise and feeds span 0, which hangs below the wheel that cuts its straight line."""
    taut = three(23, 0.002)
    text = taut.to_toml().replace("speed = -", "speed = ").replace("gravity = [0.0, 0.0]", "gravity = [0.0, -9.81]")
    hanging = loads(text)
    assert hanging.gravity[1] == -9.81
    configuration, (warning,) = placed_chain(hanging)
    assert configuration.slack_span == 0
    assert "'idler' reaches" in warning
    assert "the span is slack" in warning


def test_a_chain_that_hangs_onto_a_wheel_is_told_which():
    """The message used to be "96 links fit (got 96)" and nothing else."""
    text = three(27, 0.0, links=96).to_toml()
    text = text.replace("speed = -", "speed = ").replace("gravity = [0.0, 0.0]", "gravity = [0.0, -9.81]")
    with pytest.raises(InputError) as refused:
        placed_chain(loads(text))
    first, second = refused.value.problems
    assert "links fit" not in first.message
    assert second.place == "wheels[2]"


def test_spans_that_cross_are_refused():
    wheels = [("a", 17, 0, 0, "front"), ("b", 17, 0.5, 0, "front"), ("c", 17, 0.25, -0.2, "back")]
    with pytest.raises(InputError) as refused:
        placed_chain(drive(wheels))
    texts = [str(problem) for problem in refused.value.problems]
    assert any("span 0 (a - b) crosses span 1 (b - c)" in text for text in texts)
    assert any("span 0 (a - b) crosses span 2 (c - a)" in text for text in texts)


def test_a_guide_through_a_wheel_is_warned_of():
    """Strips under the plates can pass beside a wheel."""
    given = two(RAIL.format(start="0.005, -0.02", end="0.005, 0.02"))
    _, (warning,) = placed_chain(given)
    assert f"guides[0]: 'rail' reaches {(tip(17) - 0.005) * 1e3:.3g} mm into wheels[0] 'a'" in warning
    assert warning in compile_system(given, given.run.formulation, False).story.warnings


def test_a_guide_that_cuts_the_other_span_is_refused():
    """Its middle is at the upper span, its lower end 10 mm below the lower one."""
    low = -float(pitch_radius(PITCH, 17)) - 0.01
    given = two(RAIL.format(start=f"0.25, {low}", end="0.25, 0.09"))
    with pytest.raises(InputError) as refused:
        placed_chain(given)
    assert refused.value.problems[0].place == "guides[0]"
    assert "'rail' cuts span 0 (a - b), reaching 10 mm beyond it" in refused.value.problems[0].message


def test_a_guide_pressed_into_its_own_span_is_none_of_this():
    given = two(
        RAIL.format(start="0.15, -0.034", end="0.35, -0.034").replace('"right"', '"right", indentation = 0.005')
    )
    assert judge_layout(given) == ((), ())


def test_random_drives_are_refused_by_name_or_free_of_foreign_contacts():
    """Thirty chains of four wheels anywhere: refused by a place and millimetres, or no wheel touches a foreign span."""
    random, refused, compiled = np.random.default_rng(4), 0, 0
    while refused + compiled < 30:
        places = random.uniform(-0.3, 0.3, (4, 2))
        order = np.argsort(np.arctan2(*places.T[::-1]))
        sides = np.where(random.random(4) < 0.25, "back", "front")
        wheels = [(f"w{i}", int(random.integers(11, 30)), *places[i].round(4).tolist(), str(sides[i])) for i in order]
        try:
            given = drive(wheels)
        except InputError:  # no route, or wheels in each other
            continue
        try:
            system = compile_system(given, given.run.formulation, False)
            compiled += 1
            if not system.story.warnings:
                touched, span = (
                    channel_at_start(system, "contact_surface").astype(int),
                    initial_configuration(given).roller_span,
                )
                free = (touched >= 0) & (span >= 0)
                assert np.all((touched == span) | (touched == (span + 1) % 4) | ~free)
        except InputError as error:
            refused += 1
            for problem in error.problems:
                assert problem.place
                assert "mm" in problem.message or "crosses" in problem.message or "links" in problem.message
    assert compiled > 3
    assert refused > 3


def linked(links, elongation):
    """Two wheels of 17 and 30 teeth, 78.74 pitches apart in two spans, with rigid links."""
    wheels = [("a", 17, 0, 0, "front"), ("b", 30, 0.5, 0, "front")]
    return override(drive(wheels, links), {"run.formulation.kind": "link", "chain.elongation": elongation})


@pytest.mark.parametrize("elongation", [0.0, 0.004, 0.015, [0.0, 0.02] * 52])
def test_a_worn_chain_lies_on_larger_circles_link_by_tooth(elongation):
    """One link a tooth on a circle larger by the elongation: p (1 + e) = 2 R (1 + e) sin(pi/z)."""
    given = linked(104, elongation)
    longer = PITCH * (1.0 + float(np.mean(elongation)))
    assert given.chain.mean_pitch == pytest.approx(longer, rel=1e-14)
    placed, doubts = placed_chain(given)
    assert doubts == ()
    for w, wheel in enumerate(given.wheels):
        on_wheel = placed.seat_wheel == w
        assert on_wheel.sum() > 3
        radii = np.hypot(*(placed.roller_position[on_wheel] - placed.route.centres[w]).T)
        np.testing.assert_allclose(radii, longer / PITCH * pitch_radius(PITCH, wheel.teeth), rtol=1e-12)
    ahead = np.roll(placed.roller_position, -1, axis=0) - placed.roller_position
    np.testing.assert_allclose(np.hypot(*ahead.T), longer, rtol=1e-9)


def test_a_chain_that_is_too_short_when_new_fits_when_worn():
    with pytest.raises(InputError, match="the route needs 102"):
        placed_chain(linked(101, 0.0))
    placed, _ = placed_chain(linked(101, 0.02))
    # 2 sqrt(500^2 - 26.3^2) / 12.954 + 23.5 = 100.6 pitches and what the larger wheel is wrapped more
    assert placed.strain == 0.0
    np.testing.assert_allclose(placed.spacing, 1.02 * PITCH, rtol=1e-9)


def test_a_short_chain_stays_at_the_bottom_of_the_gaps():
    given = linked(104, -0.004)
    placed, _ = placed_chain(given)
    radii = np.hypot(*(placed.roller_position[placed.seat_wheel == 0] - placed.route.centres[0]).T)
    np.testing.assert_allclose(radii, pitch_radius(PITCH, given.wheels[0].teeth), rtol=1e-12)


def test_a_chain_too_long_for_its_teeth_is_refused_with_what_they_can_carry():
    most = tip(30) / float(pitch_radius(PITCH, 30)) - 1.0
    assert judge_layout(linked(104, 0.999 * most)).problems == ()
    (problem,) = judge_layout(linked(104, 1.001 * most)).problems
    assert problem.place == "chain.elongation"
    assert f"outside the tips of the teeth if the elongation exceeds {100 * most:.3g} %" in problem.message
    # A few long links together are as bad; one alone between new ones is not.
    for count, refused in ((1, 0), (20, 1)):
        assert len(judge_layout(linked(104, [1.5 * most] * count + [0.0] * (104 - count))).problems) == refused


def test_a_chain_too_worn_for_its_teeth_is_refused_with_the_value_of_the_file_and_the_largest_allowed():
    """Outer links are longer by twice the wear: an odd number of links on a wheel may elongate by more than it."""
    most = tip(30) / float(pitch_radius(PITCH, 30)) - 1.0
    worn = override(linked(104, 0.0), {"chain.wear": 1.1 * most})
    (problem,) = judge_layout(worn).problems
    assert (problem.place, problem.value) == ("chain.wear", f"{110.0 * most:.3g} %")
    allowed = 0.01 * float(re.search(r"chain\.wear may be at most ([\d.]+) %", problem.message)[1])
    assert 0.9 * most < allowed <= most
    assert judge_layout(override(worn, {"chain.wear": allowed})).problems == ()
    stretched = override(worn, {"chain.wear": most, "chain.elongation": 0.2 * most})
    (problem,) = judge_layout(stretched).problems
    both = 0.01 * float(re.search(r"chain\.wear may be at most ([\d.]+) %", problem.message)[1])
    assert both == pytest.approx(0.8 * most, rel=0.1)
    assert judge_layout(override(stretched, {"chain.wear": both})).problems == ()


def test_a_sheave_accepts_any_elongation():
    stretched = override(example("forklift-mast"), {"chain.elongation": 0.01})
    assert not [problem for problem in judge_layout(stretched).problems if problem.place == "chain.elongation"]
