"""Tension along the loop, by link, and the history of one link; time windows."""

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.loop import link_load, loop_envelope, loop_zones, tension_envelope, zone_at
from chaindrive.analyses.signals.windows import chain_advance, loop_window, window_of
from chaindrive.errors import InputError
from support.made_run import PACE, RATE, TIME, made_run, solution_of
from support.rigid_run import rigid

LOOP = 122 / PACE


@pytest.fixture(scope="module")
def run():
    return made_run()


def test_the_last_full_loop_is_the_window(run):
    window, loops = loop_window(run)
    assert window.stop == TIME[-1]
    # the last row at least one loop before the end: at most one row more than a loop
    assert LOOP <= window.duration < LOOP + 1.001 / RATE
    assert loops == pytest.approx(window.duration / LOOP, rel=1e-12)
    first, _ = loop_window(run, start=0.2)
    assert (first.start, first.duration) == (pytest.approx(0.2), pytest.approx(LOOP, abs=1.001 / RATE))
    short, part = loop_window(run, start=0.0, stop=0.5)
    assert (short.start, short.stop, part) == (0.0, 0.5, pytest.approx(0.5 / LOOP))


def test_a_window_without_rows_says_what_is_saved(run):
    with pytest.raises(InputError, match=r"saved: 0 to 2\.5 s in 2501 instants"):
        tension_envelope(run, start=3.0, stop=4.0)
    with pytest.raises(InputError, match=r"ends before it begins.*2 s to 1 s"):
        window_of(TIME, 2.0, 1.0)


def test_the_advance_counts_on_over_loops_and_agrees_with_the_positions(run):
    advance = chain_advance(run)
    np.testing.assert_allclose(advance, PACE * TIME, atol=1e-9)
    without = chain_advance(made_run(drop=("wheel_angle",)))
    np.testing.assert_allclose(without, PACE * TIME, atol=1e-9)


def test_the_advance_of_a_run_that_goes_on_begins_where_the_chain_lies():
    """The chain lies 7.3 pitches on when the run begins, and wheel 0 has an arbitrary angle."""
    place = (np.arange(122) + 0.5 + 7.3 + PACE * TIME[:, None]) % 122
    angle = 2.0 + 2.0 * np.pi * PACE / 60.0 * TIME[:, None] * np.array([1.0, 0.0, 0.0, 0.0])
    run = solution_of(cd.example("6l60mc"), TIME, {"link_path_position": place, "wheel_angle": angle})
    np.testing.assert_allclose(chain_advance(run), 7.3 + PACE * TIME, atol=1e-9)


def test_a_chain_that_runs_the_other_way_goes_back():
    drive = cd.example("6l60mc")
    place = (np.arange(122) + 0.5 - PACE * TIME[:, None]) % 122
    angle = -2.0 * np.pi * PACE / 60.0 * TIME[:, None] * np.array([1.0, 0.0, 0.0, 0.0])
    table = {"link_path_position": place, "wheel_angle": angle, "link_tension": np.sin(2 * np.pi * place / 122)}
    back = solution_of(drive, TIME, table)
    np.testing.assert_allclose(chain_advance(back), -PACE * TIME, atol=1e-9)
    found = tension_envelope(back)
    np.testing.assert_allclose(found.mean, np.sin(2 * np.pi * found.places / 122), atol=np.pi / 122 / 4)


def test_tension_by_place_is_that_of_the_formula(run):
    found = tension_envelope(run)
    assert found.places.shape == (488,)
    assert found.loops == pytest.approx(1.0, abs=1e-3)
    # within a bin of 1/4 pitch the sine changes by at most its slope times half the bin to either side of the middle
    half = 4e3 * 2 * np.pi / 122 / 8
    expected = 19e3 + 4e3 * np.sin(2 * np.pi * found.places / 122)
    assert np.all(np.abs(found.low - expected) <= half + 1e-6)
    assert np.all(np.abs(found.high - 100.0 - expected) <= half + 1e-6)  # some of the heavier links was there
    assert np.all(found.low <= found.mean)
    assert np.all(found.mean <= found.high)


def test_tension_by_link_shows_the_link_that_carries_more(run):
    found = tension_envelope(run)
    heavier = np.arange(122) % 10 == 0
    # in one loop every link is once everywhere, so that the sine leaves nothing of its mean; 1 row more: 4 kN / rows
    np.testing.assert_allclose(found.link_mean, 19e3 + 100.0 * heavier, atol=2 * 4e3 / found.rows)
    np.testing.assert_allclose(found.link_high, 23e3 + 100.0 * heavier, atol=4e3 * (np.pi * PACE / RATE / 122) ** 2)
    np.testing.assert_allclose(found.link_low, 15e3 + 100.0 * heavier, atol=4e3 * (np.pi * PACE / RATE / 122) ** 2)


def test_a_joint_is_along_the_loop_where_its_roller_is():
    """The chain advances by 0.4 pitches a row: joint i is at i + 0.4 row, and its force is a cosine of the place."""
    drive, time = rigid(cd.example("6l60mc"), clearance=0.0), np.arange(0.0, 2.0, 0.4 / PACE)
    place = (np.arange(122) + 0.4 * np.arange(time.size)[:, None]) % 122
    size = 500.0 + 100.0 * np.cos(2.0 * np.pi * place / 122)
    force = size[..., None] * np.array([0.6, -0.8])
    run = solution_of(drive, time, {"link_path_position": (place + 0.5) % 122, "pin_force": force})
    found = loop_envelope(run, "pin_force")
    expected = 500.0 + 100.0 * np.cos(2.0 * np.pi * found.places / 122)
    np.testing.assert_allclose(found.mean, expected, atol=100.0 * 2.0 * np.pi / 122 / 8 + 1e-9)
    half_a_pitch_off = 500.0 + 100.0 * np.cos(2.0 * np.pi * (found.places + 0.5) / 122)
    assert np.abs(found.mean - half_a_pitch_off).max() > 1.5 * np.abs(found.mean - expected).max()
    assert found.link_high.max() == pytest.approx(600.0, rel=1e-3)


def test_bins_are_as_fine_as_the_rows_allow():
    """The chain advances by exactly 0.4 pitches a row: 5 places in a pitch, 0.5, 0.9, 0.3, 0.7, 0.1."""
    drive, time = cd.example("6l60mc"), np.arange(0.0, 2.0, 0.4 / PACE)
    place = (np.arange(122) + 0.5 + 0.4 * np.arange(time.size)[:, None]) % 122
    run = solution_of(drive, time, {"link_path_position": place, "link_tension": place})
    assert tension_envelope(run).places.size == 488
    empty = tension_envelope(run, bins=8)
    assert np.isnan(empty.low).sum() == 3 * 122
    half = (np.arange(122) + 0.5 + 0.5 * np.arange(time.size)[:, None]) % 122
    assert (
        tension_envelope(solution_of(drive, time, {"link_path_position": half, "link_tension": half})).places.size
        == 244
    )
    with pytest.raises(InputError, match="between 1 and 64"):
        tension_envelope(run, bins=0)


def test_zones_fill_the_loop_without_gaps(run):
    zones = [zone for zone in loop_zones(run) if zone.kind != "guide"]
    assert sum(zone.end - zone.start for zone in zones) == pytest.approx(122.0)
    for zone, after in zip(zones, zones[1:] + zones[:1], strict=True):
        assert zone.end % 122 == pytest.approx(after.start % 122)
    assert {zone.name for zone in zones if zone.kind == "span"} == {
        "crankshaft - counterweight 2",
        "counterweight 2 - tightener",
        "tightener - counterweight 4",
        "counterweight 4 - crankshaft",
    }
    assert zone_at(tuple(zones), 0.0, 122).name == "crankshaft"
    assert zone_at(tuple(zones), 121.9, 122, ("span",)).name == "counterweight 4 - crankshaft"


def test_a_chain_that_does_not_fit_the_drawing_has_zones_in_proportion(run):
    """With 8 links too few the zones are those of the full chain, all shortened in proportion."""
    drive = run.drive.model_copy(update={"chain": run.drive.chain.model_copy(update={"links": 114})})
    time = np.array([0.0, 1.0])
    place = (np.arange(114) + 0.5) % 114 * np.ones((2, 1))
    short = loop_zones(solution_of(drive, time, {"link_path_position": place, "link_tension": place}))
    assert sum(zone.end - zone.start for zone in short) == pytest.approx(114.0)
    full = {(zone.kind, zone.index): zone.end - zone.start for zone in loop_zones(run)}
    for zone in short:
        assert zone.end - zone.start == pytest.approx(full[zone.kind, zone.index] * 114 / 122, rel=2e-3)


def test_the_zones_of_spans_are_those_of_the_simulated_span_tension():
    """span_tension is the mean over the links in a span: the mean over the links in its zone is the same."""
    run = cd.simulate(cd.example("timing-06b"), until=0.004)
    tension, place = run.values("link_tension"), run.values("link_path_position")
    for zone in loop_zones(run):
        if zone.kind == "span":
            inside = (place - zone.start) % 130 <= zone.end - zone.start
            mean = (tension * inside).sum(axis=1) / inside.sum(axis=1)
            np.testing.assert_allclose(mean, run.values("span_tension")[:, zone.index], rtol=1e-5)
    body, wheels = run.values("contact_surface"), 3
    roller = (np.arange(130) + chain_advance(run)[:, None]) % 130
    for zone in loop_zones(run):
        if zone.kind == "guide":
            past = (roller[body == wheels + zone.index] - zone.start) % 130
            assert past.size > 0
            assert past.max() == pytest.approx(zone.end - zone.start, abs=1e-6)


def test_what_one_link_goes_through(run):
    load = link_load(run, 7)
    window, _ = loop_window(run)
    assert load.time[0] == window.start
    assert 0.0 <= load.place[0] < 122.0
    np.testing.assert_allclose(np.diff(load.place), PACE / RATE, atol=1e-9)
    np.testing.assert_allclose(load.tension, 19e3 + 4e3 * np.sin(2 * np.pi * load.place / 122), atol=1e-6)
    assert load.contact_force.shape == load.contact_surface.shape == load.articulation.shape == (load.time.size, 2)
    for joint in (0, 1):  # its first and second roller: half a pitch behind and ahead of its middle
        for zone in load.zones:
            if zone.kind == "wheel":
                past = (load.place - 0.5 + joint - zone.start) % 122
                inside = (past > 1e-6) & (past < zone.end - zone.start - 1e-6)
                assert np.all(load.contact_surface[inside, joint] == zone.index)
                assert np.all(load.contact_force[inside, joint] == 2500.0)
    with pytest.raises(InputError, match="links 0 to 121"):
        link_load(run, 122)


def test_a_link_on_a_wheel_is_bent_by_a_tooth():
    """Rollers on a circle of 30 to the turn: every joint bends by 12 degrees, to the side of the turning."""
    drive, time = cd.example("6l60mc"), np.array([0.0, 0.1])
    angle = 2 * np.pi * np.arange(122) / 30.0
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    place = (np.arange(122) + 0.5) % 122 + np.array([[0.0], [0.2]])
    table = {"link_path_position": place, "link_tension": place, "roller_position": np.stack([circle, circle])}
    load = link_load(solution_of(drive, time, table), 5)
    np.testing.assert_allclose(load.articulation, np.radians(12.0), rtol=1e-9)
    assert load.contact_force is None


def test_a_channel_that_was_not_kept_is_named():
    with pytest.raises(InputError, match=r"link_path_position.*save\.channels"):
        tension_envelope(made_run(drop=("link_path_position",)))
