"""Results of a variator: places and losses of pins, thrusts, slip limit, steadiness, pictures, words."""

from __future__ import annotations

import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.loop import loop_zones
from chaindrive.analyses.results.losses import losses
from chaindrive.analyses.results.steadiness import steadiness
from chaindrive.analyses.results.variator import _touching, pin_passage, ratios, sheave_passage, variator_point
from chaindrive.analyses.results.verdict import verdict
from chaindrive.analyses.signals.windows import chain_advance, mean_tooth_frequency
from chaindrive.cli.check_sheaves import ratio_lines
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.geometry.variator import loop_around
from chaindrive.model import override
from chaindrive.model.study.description import FigureOfMerit
from chaindrive.plots import DATA, PLOTS
from chaindrive.studies.formulations import compare
from chaindrive.studies.merit import evaluate, prepare_figures

LINKS = 63
REFUSED = {"contact-force", "transmission-error"}


@pytest.fixture(scope="module")
def run():
    return cd.simulate(cd.example("cvt-63"), until=0.35, progress=False)


def test_links_are_where_their_pins_are(run):
    # The middle of link i is i + 1/2 behind pin 0; a pin over the centre of a pair is in the middle of its wrap.
    zones = {(zone.kind, zone.index): zone for zone in loop_zones(run)}
    place = run.values("link_path_position")
    np.testing.assert_allclose(np.diff(place, axis=1) % LINKS, 1.0, atol=1e-4)
    pins = (place - 0.5) % LINKS
    x = run.values("roller_position")[..., 0]
    row, pin = np.unravel_index(np.argmin(x), x.shape)
    first = zones["wheel", 0]
    assert pins[row, pin] == pytest.approx(0.5 * (first.start + first.end), abs=0.3)
    # A pin touches a pair just where its zone is, but for the first and the last.
    surface = run.values("contact_surface")[-1]
    for w in (0, 1):
        zone = zones["wheel", w]
        inside = (zone.start + 0.6 < pins[-1]) & (pins[-1] < zone.end - 0.6)
        assert (surface[inside] == w).all()
    assert (surface[(zones["span", 0].start + 1 < pins[-1]) & (pins[-1] < zones["span", 0].end - 1)] == -1).all()


def test_zones_are_those_of_the_running_radii(run):
    loop = loop_around(*run.values("running_radius")[-2000:].mean(axis=0), 0.155)
    zones = {(zone.kind, zone.index): zone.end - zone.start for zone in loop_zones(run)}
    whole = 2 * loop.span + sum(w * r for w, r in zip(loop.wraps, loop.radii, strict=True))
    assert zones["span", 1] == pytest.approx(LINKS * loop.span / whole, rel=1e-3)
    assert sum(zones.values()) == pytest.approx(LINKS)


def test_the_chain_advances_as_its_pins_go_round(run):
    # Mean winding of all pins around the point between the centres, over a loop: one turn takes N pitches.
    position = run.values("roller_position").astype(float)
    angle = np.unwrap(np.arctan2(position[..., 1], position[..., 0] - 0.0775), axis=0).mean(axis=1)
    advance = chain_advance(run)
    wound = LINKS * (angle[-1] - angle[0]) / (2 * math.pi)
    assert advance[-1] - advance[0] == pytest.approx(wound, abs=0.05)
    # It slips: less than the teeth of wheel 0, so many pitches around its radius at the start, would tell.
    turned = np.ptp(run.values("wheel_angle")[:, 0]) * run.drive.wheels[0].teeth / (2 * math.pi)
    assert 0.98 * turned < advance[-1] - advance[0] < 0.999 * turned
    assert mean_tooth_frequency(run) == pytest.approx(wound / 0.35, rel=1e-3)


def test_a_chain_that_runs_backwards_counts_backwards():
    drive = override(cd.example("cvt-63"), {"sheaves.primary.motion.speed": -200.0})
    back = cd.simulate(drive, until=0.1, progress=False)
    advance = chain_advance(back)
    assert advance[-1] - advance[0] < -90.0
    passage = sheave_passage(back, 0)
    assert passage.slip[: passage.slip.size // 3].mean() < 0.0  # driving pins lag behind in the direction of rotation
    assert passage.loss_around.min() > -1e-6


def test_the_pair_shows_the_slip_limit_and_the_thrust_ratio(run):
    point = variator_point(run)
    assert point.thrust[1] == pytest.approx(20e3, rel=0.01)
    assert 1.2 < point.thrust_ratio < 1.3
    # M = 2 mu S R / cos(beta), the torque of the load on the driven pair; without slip i = R_1 / R_0
    assert point.torque[1] == pytest.approx(100.0, rel=0.02)
    assert point.limit[1] == pytest.approx(2 * 0.09 * point.thrust[1] * point.radius[1] / math.cos(math.radians(11.0)))
    assert point.used[1] == pytest.approx(point.torque[1] / point.limit[1])
    assert point.ratio * (1 - point.slip) == pytest.approx(point.radius[1] / point.radius[0], rel=1e-4)
    assert 0.0 < point.slip < 0.01
    found = ratios(run)
    assert found["thrust ratio"][-2000:].mean() == pytest.approx(point.thrust_ratio, rel=0.02)


def test_instants_without_pins_have_no_part_in_the_running_radius():
    """The channel has 0 there, which is no radius; a pair without any pin keeps it."""
    radius = np.array([[2.0, 0.0], [0.0, 0.0], [4.0, 0.0]])
    np.testing.assert_array_equal(_touching(radius), [[2.0, 0.0], [3.0, 0.0], [4.0, 0.0]])


def test_a_slow_variator_winds_up_and_does_not_slip():
    """The load winds up the chain at the same speed however slowly it runs; a load above the slip limit slips."""
    slow = {"sheaves.primary.motion.speed": "2 rad/s"}
    wound = cd.simulate(override(cd.example("cvt-63"), slow), until=0.02, progress=False)
    assert wound.status.name == "REACHED_END"
    fast = 0.2 * 2.0 * 49.5e-3  # slip at which a run would end without the wind-up, m/s
    slides = np.abs(wound.values("sheave_slip")).max(axis=1)
    assert slides.max() > fast > slides[wound.time > 0.012].max()
    over = slow | {"sheaves.secondary.load_torque": "250 N*m"}
    assert cd.simulate(override(cd.example("cvt-63"), over), until=0.1, progress=False).status.name == "CHAIN_SLIPS"


def test_the_tension_of_a_variator_as_placed_is_no_doubt():
    """A chain that is hardly clamped is placed with a tension far above that of its load; there are no guides."""
    free = {"sheaves.secondary.clamping_force": "5 N", "sheaves.secondary.load_torque": 0.0}
    placed = cd.simulate(override(cd.example("cvt-63"), free), until=1e-3, progress=False)
    assert not any("guide" in text for text in placed.warnings)


def test_losses_by_place_are_those_of_the_account(run):
    places = [sheave_passage(run, w) for w in (0, 1)]
    account = losses(run, places[0].start, places[0].stop)
    around, radial = (sum(each.lost[k] for each in places) for k in (0, 1))
    power = dict(zip(account.keys, account.power, strict=True))
    # Channels have the sliding at the end of a step, the account the mean over it.
    assert around == pytest.approx(power["friction_circumferential"], rel=0.05)
    assert radial == pytest.approx(power["friction_radial"], rel=0.05)
    assert all((each.loss_radial > -1e-6).all() for each in places)


def test_a_pin_has_the_marks_of_figure_9(run):
    # Pfeiffer, Fritz & Srnik (1997), Figure 9: no contact force in the strands, two levels of tension, M/R apart
    found = pin_passage(run, 7)
    place = found.place % LINKS
    zones = {(zone.kind, zone.index): zone for zone in found.zones}

    def inside(kind, index, margin):
        zone = zones[kind, index]
        return (place > zone.start + margin) & (place < zone.end - margin)

    for k in (0, 1):
        assert not found.normal[inside("span", k, 1.0)].any()
        assert found.normal[inside("wheel", k, 1.0)].min() > 0.0
    slack, tight = (found.tension[inside("span", k, 1.0)].mean() for k in (0, 1))
    assert tight - slack == pytest.approx(100.0 / run.values("running_radius")[-1, 1], rel=0.03)
    # Friction drives the pins on the driving pair, and brakes them on the driven one.
    assert (
        found.circumferential[inside("wheel", 0, 1.0)].mean()
        > 0.0
        > found.circumferential[inside("wheel", 1, 1.0)].mean()
    )


def test_strands_move_about_their_tangent(run):
    moved = run.values("span_displacement")[2000:]
    assert np.abs(moved).max() < 2e-3
    assert (moved.std(axis=0) > 1e-6).all()
    # The middle of a strand is where its pins are: of the lower one, left of travel is upwards.
    position = run.values("roller_position")[-1]
    below = position[(np.abs(position[:, 0] - 0.0775) < 6e-3) & (position[:, 1] < 0)]
    radii = run.values("running_radius")[-1]
    assert moved[-1, 0] == pytest.approx(below[:, 1].mean() + radii.mean(), abs=2e-4)


def test_a_regular_run_repeats_after_a_loop_and_is_found_steady():
    waited = cd.simulate(cd.example("cvt-63"), until="steady", progress=False)
    assert waited.notes["steady"] is True
    assert waited.time[-1] < 1.0
    text = steadiness(waited).text
    assert "tooth" not in text
    assert "after one pin" in text or "after one loop" in text


def test_the_verdict_speaks_of_pins_and_slip(run):
    found = verdict(run)
    keys = [tile.key for tile in found.tiles]
    assert "contact_force" not in keys
    slip, ratio = found.tile("slip"), found.tile("thrust_ratio")
    assert slip is not None
    assert ratio is not None
    assert slip.sign.name == "GOOD"
    assert "used" in slip.headline
    words = " ".join(" ".join((tile.title, tile.headline, *tile.lines)) for tile in found.tiles)
    assert "tooth" not in words.lower()
    assert "teeth" not in words.lower()


@pytest.mark.parametrize("name", PLOTS)
def test_every_plot_works_or_says_why_not(run, name):
    if name in REFUSED:
        with pytest.raises(InputError, match=r"see pin-forces|see the plot variator"):
            PLOTS[name](run)
        return
    figure = PLOTS[name](run)
    assert DATA[name](run).size
    words = " ".join(
        text.get_text() for axes in figure.axes for text in axes.findobj(match=lambda a: hasattr(a, "get_text"))
    )
    assert "tooth" not in words.lower()
    assert "teeth" not in words.lower()


@pytest.mark.parametrize("name", ["pin-forces", "pin-slip", "variator"])
def test_plots_of_a_variator_are_refused_for_wheels(name, shared_runs):
    with pytest.raises(InputError, match="no sheaves"):
        PLOTS[name](shared_runs.run("industrial-08b", 0.5))


@pytest.mark.parametrize("key", ["slip", "thrust_ratio"])
def test_a_study_finds_the_number_of_the_tile(run, key):
    figure = FigureOfMerit(name="x", finding=key)
    made, units = prepare_figures([figure], tuple(run.channels.values()), run.labels)
    assert units == ["1"]
    assert evaluate(made[0], run) == {each.key: each.value for each in run.verdict.findings}[key]


def test_a_comparison_of_formulations_is_refused():
    with pytest.raises(InputError, match="one formulation"):
        compare(cd.example("cvt-63"))


def test_info_speaks_of_pins(run, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run.save("cvt.nc")
    with pytest.raises(SystemExit):
        main(["info", "cvt.nc"])
    text = capsys.readouterr().out
    assert "Slip limit" in text
    assert "Thrust ratio" in text
    assert "tooth" not in text.lower()
    assert "joints (mean" not in text
    assert "clamping (mean" not in text


def test_a_run_that_slips_is_judged_to_slip():
    """The mean before the slip is below the limit, which was shown as a margin that is left."""
    control = {"ratio": 1.0, "proportional": 2e5, "integral": 2e6, "least_force": 3e3, "largest_force": 6e4}
    changes = {"sheaves.0.clamping_force": "22 kN", "sheaves.1.ratio_control": control, "run.start": "at_rest"}
    changes |= {"sheaves.0.motion": "none", "sheaves.0.inertia": 0.05, "sheaves.0.torque": "160 N*m"}
    slipped = cd.simulate(override(cd.example("cvt-63"), changes), until=0.1, progress=False)
    assert slipped.status.name == "CHAIN_SLIPS"
    (tile,) = [tile for tile in verdict(slipped).tiles if tile.key == "slip"]
    assert (tile.headline, tile.sign, tile.word) == ("slips", "beyond the limit", "beyond the limit")


@pytest.mark.parametrize(
    ("pair", "least", "says"),
    [(0, 3e3, ["slips at this load"]), (1, 3e3, ["slips at this load", "answers with less force"]), (1, 12e3, [])],
)
def test_check_states_the_force_below_which_a_controlled_chain_slips(pair, least, says):
    """A least force below the 11 kN that 100 N m at 49.5 mm require: M cos(beta) / (2 mu R)."""
    control = {"ratio": 1.0, "proportional": 2e5, "least_force": least, "largest_force": 6e4}
    changes = {f"sheaves.{pair}.ratio_control": control, "sheaves.0.clamping_force": "20 kN"}
    lines = [line for line in ratio_lines(override(cd.example("cvt-63"), changes)) if "slips at" in line]
    assert len(lines) == bool(says)
    assert all(each in lines[0] for each in says)
    assert all("below 11.01 kN" in line for line in lines)
    assert all(("less force" in line) == (pair == 1) for line in lines)
