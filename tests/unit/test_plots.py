"""Plots of a synthetic run of a real drive: the values drawn are those of the channels, with units, without side
effects.
"""

from itertools import combinations

import matplotlib
import numpy as np
import pytest
from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

from chaindrive.analyses.analytical.formulas import moving_string_frequency
from chaindrive.drawing.scene import scene_of, wheel_outline
from chaindrive.errors import InputError
from chaindrive.mechanism.teeth import tooth_gap
from chaindrive.model import example
from chaindrive.plot_names import OF_A_VARIATOR
from chaindrive.plots import (
    PLOTS,
    plot_contact_force,
    plot_drive,
    plot_energy,
    plot_link_tension,
    plot_overview,
    plot_span,
    plot_tension_around,
)
from chaindrive.plots.around import wheel_ranges
from chaindrive.plots.style import scale_for
from support.drawn_drives import EVERY_PART, every_part, marine, with_parts
from support.made_run import solution_of
from support.moving_run import moving_run
from support.plotted_run import PACE, RATE, TIME, plotted_run

NAMED = ("losses", "comparison")  # their last panel has names along its upright axis
SHARED = ("energy", "peaks", "link-load")  # panels above each other with one axis of time or place
OF_WHEELS = [name for name in PLOTS if name not in OF_A_VARIATOR]
STRETCH = ("span", "losses", "rainflow", "comparison", "spectrum", "orders", "waterfall")  # of more than two instants
VARIED = ("overview", "energy", "tension-around", "bearing-force", "shafts", "link-load")  # with panels of every kind


@pytest.fixture(scope="module")
def run():
    return plotted_run()


def changed(run, rows=slice(None), drop="", **channels):
    """The run with other channels, only some of its rows, or without a channel."""
    table = {name: run.values(name) for name in run.channels if name != drop} | channels
    return solution_of(run.drive, TIME[rows], {name: values[rows] for name, values in table.items()})


@pytest.mark.parametrize("name", OF_WHEELS)
def test_every_plot_is_a_figure_with_units_and_no_state(run, name, tmp_path):
    before = dict(matplotlib.rcParams)
    figure = PLOTS[name](run)
    assert isinstance(figure, Figure)
    assert figure.canvas.manager is None  # known to no window
    figure.savefig(tmp_path / "plot.png", dpi=40)
    assert dict(matplotlib.rcParams) == before
    for axes in figure.axes:
        if axes.get_label() == "<colorbar>":
            shown = {"rainflow": "[-]", "waterfall": "[mm]"}.get(name, "[kN]")
            assert shown in axes.get_xlabel() + axes.get_ylabel()
            continue
        assert "[" in axes.get_ylabel() or (name in NAMED and axes is figure.axes[-1])
        shared = name in SHARED and axes is not figure.axes[-1]
        assert "[" in axes.get_xlabel() or shared
    assert (figure.axes[0].get_title(loc="left") or figure.get_suptitle()).strip()


def test_titles_and_remarks_of_the_overview_do_not_cover_each_other():
    """In a drive with long names, whose guided span vibrates about a mean that the remark states."""
    figure = plot_overview(moving_run())
    figure.draw_without_rendering()
    for axes in figure.axes:
        titles = [axes.get_title(loc=side) for side in ("left", "right")]
        boxes = [_inked(each) for each in axes.findobj(Text) if each.get_text() and each.get_text() in titles]
        assert not any(one.overlaps(other) for one, other in combinations(boxes, 2)), titles


def _inked(text):
    """Extent of a text without the empty line at its end, if it has one."""
    box = text.get_window_extent()
    lines = text.get_text().count("\n") + 1
    empty = box.height / lines if text.get_text().endswith("\n") else 0.0
    return Bbox.from_extents(box.x0, box.y0 + empty, box.x1, box.y1)


def _bands(axes):
    """(left, right) of the vertical bands in axes."""
    spans = [patch for patch in axes.patches if hasattr(patch, "get_width") and patch.get_alpha() == 0.22]
    return sorted((patch.get_x(), patch.get_x() + patch.get_width()) for patch in spans)


def test_link_tension_over_the_last_loop(run):
    axes = plot_link_tension(run, link=7).axes[0]
    times, values = axes.lines[0].get_data()
    stop = TIME[-1]
    assert times[0] == pytest.approx(stop - 122 / PACE, abs=1.5 / RATE)
    np.testing.assert_allclose(values, run["link_tension"].isel(link=7, time=slice(-times.size, None)) / 1e3)
    assert axes.get_ylabel() == "tension of link 7 [kN]"
    # The link is on a wheel while both its rollers are, for (wrapped pitches - 1) / pace; ends known to two samples.
    scene = scene_of(run.drive)
    stays = (scene.route.wrap * np.array(scene.teeth) / (2 * np.pi) - 1.0) / PACE
    inner = [right - left for left, right in _bands(axes) if left > times[0] and right < times[-1]]
    assert len(inner) >= 3
    for width in inner:
        assert np.min(np.abs(stays - width)) < 2.0 / RATE


def test_contact_force_and_its_bands(run):
    axes = plot_contact_force(run, roller=5, start=0.5, stop=1.4).axes[0]
    times, values = axes.lines[0].get_data()
    assert (times[0], times[-1]) == (pytest.approx(0.5), pytest.approx(1.4))
    assert axes.get_ylabel() == "contact force [kN]"
    on_band = np.zeros(times.size, dtype=bool)
    for left, right in _bands(axes):
        on_band |= (times >= left - 1e-9) & (times <= right + 1e-9)
    np.testing.assert_array_equal(on_band, values > 0.0)
    assert values.max() <= 2.8


def test_span_shows_motion_and_spectrum(run):
    above, below = plot_span(run, span=0, start=0.0, stop=2.0).axes
    assert above.get_ylabel() == "displacement [mm]"
    np.testing.assert_allclose(above.lines[0].get_ydata(), run["span_displacement"].isel(span=0) * 1e3)
    frequency, amplitude = below.lines[0].get_data()
    assert below.get_ylabel() == "amplitude [mm]"
    assert frequency[np.argmax(amplitude)] == pytest.approx(5.0, abs=0.13)  # a quarter of the resolution of 0.5 Hz
    assert amplitude.max() == pytest.approx(3.0, rel=0.01)
    assert amplitude[np.abs(frequency - 120.0) < 1.0].max() == pytest.approx(0.4, rel=0.01)
    # marks: moving string at 19 kN (Pedersen 2004, Eq. 4.27), V = 120 P, and the teeth
    chain = run.drive.chain
    length = float(scene_of(run.drive).route.span_length[0])
    expected = moving_string_frequency(
        np.array([1, 2, 3]), length, 19e3, chain.link_mass / chain.pitch, PACE * chain.pitch
    )
    marks = sorted(float(line.get_xdata()[0]) for line in below.lines if len(line.get_xdata()) == 2)
    np.testing.assert_allclose(marks, [*expected, 120.0], rtol=1e-9)
    texts = [text.get_text() for text in below.texts]
    assert "5 Hz" in texts or "5.00 Hz" in texts
    assert "120 Hz" in texts


def test_slack_span_has_no_string_marks(run):
    slack = changed(run, span_tension=-run.values("span_tension"))
    below = plot_span(slack, span=0).axes[1]
    marks = [float(line.get_xdata()[0]) for line in below.lines if len(line.get_xdata()) == 2]
    np.testing.assert_allclose(marks, [120.0])


def test_tension_around_at_an_instant(run):
    figure = plot_tension_around(run, time=1.2)
    drawing, along = figure.axes[:2]
    row = round(1.2 * RATE)
    expected = run["link_tension"].isel(time=row).values / 1e3
    (bars,) = (c for c in drawing.collections if isinstance(c, LineCollection) and c.get_array() is not None)
    np.testing.assert_allclose(bars.get_array(), expected)
    position, values = along.lines[0].get_data()
    np.testing.assert_allclose(values, 19.0 + 4.0 * np.sin(2 * np.pi * (position - 0.5) / 122))
    assert np.all(np.diff(position) > 0)
    assert "t = 1.2000 s" in drawing.get_title(loc="left")


def test_wheel_ranges_go_round_the_end_of_the_loop_and_over_bounces():
    path = np.array([9.5, 0.5, 1.5, 2.5, 5.5, 6.5])
    body = np.array([0, 0, -1, 0, 1, 1])
    assert wheel_ranges(path, body, 10) == [(0, 9.5, 12.5), (1, 5.5, 6.5)]


def test_overview_draws_span_tensions_and_the_longest_span(run):
    figure = plot_overview(run)
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert "Middle of span 3" in titles
    panel = figure.axes[titles.index("Span tensions")]
    means = [float(line.get_ydata().mean()) for line in panel.lines]
    np.testing.assert_allclose(means, [19.0, 18.0, 18.5, 20.0])


def test_energy_balance(run):
    panels = plot_energy(run).axes
    drawn = {line.get_label(): line.get_ydata()[-1] for line in panels[0].lines}
    assert drawn == pytest.approx({"input": 2.0 * TIME[-1], "lost": 1.9 * TIME[-1]})
    losses = {line.get_label() for line in panels[1].lines}
    assert losses == {"impact and damping on teeth", "friction on teeth"}  # what never moved is left out
    stored = {line.get_label(): line.get_ydata() for line in panels[2].lines}
    assert stored["kinetic"][0] == 0.0
    assert stored["kinetic"][-1] == pytest.approx(100.0 * TIME[-1])
    np.testing.assert_allclose(panels[3].lines[0].get_ydata(), -TIME)
    assert panels[3].get_ylabel() == "residual [mJ]"


@pytest.mark.parametrize(
    ("plot", "channel"),
    [
        (plot_link_tension, "link_tension"),
        (plot_contact_force, "contact_force"),
        (plot_span, "span_displacement"),
        (plot_tension_around, "link_path_position"),
        (plot_overview, "span_tension"),
        (plot_energy, "energy_residual"),
    ],
)
def test_missing_channel_says_what_to_keep(run, plot, channel):
    poor = changed(run, drop=channel)
    with pytest.raises(InputError, match=rf"'{channel}'.*save\.channels"):
        plot(poor)


def test_index_out_of_range_is_refused(run):
    with pytest.raises(InputError, match="0 to 121"):
        plot_link_tension(run, link=122)
    with pytest.raises(InputError, match="0 to 3"):
        plot_span(run, span=4)


@pytest.mark.parametrize("name", ["6l60mc", "6s90mc-c", "industrial-08b"])
def test_drawing_of_a_drive(name):
    drive = example(name)
    figure = plot_drive(drive)
    axes = figure.axes[0]
    assert axes.get_aspect() == 1.0
    (wheels,) = (c for c in axes.collections if isinstance(c, PolyCollection))
    assert len(wheels.get_paths()) == len(drive.wheels)
    (rollers,) = (c for c in axes.collections if isinstance(c, EllipseCollection))
    assert len(rollers.get_offsets()) == drive.chain.links
    texts = " ".join(text.get_text() for text in axes.texts)
    for index, wheel in enumerate(drive.wheels):
        assert wheel.name in texts.replace("\n", " ")
        assert f"{wheel.teeth} teeth" in texts
        assert f"span {index}" in texts


@pytest.mark.parametrize("name", ["6l60mc", "6s90mc-c", "industrial-08b"])
def test_labels_do_not_cover_each_other(name):
    figure = plot_drive(example(name))
    figure.draw_without_rendering()
    boxes = {}
    for text in figure.axes[0].texts:
        if isinstance(text, Annotation) and text.get_text():
            boxes[text.get_text()] = text.get_window_extent()
    assert len(boxes) >= 4
    for (first, a), (second, b) in combinations(boxes.items(), 2):
        assert not a.overlaps(b), f"{first!r} and {second!r}"


def test_outline_has_the_right_number_of_teeth():
    # The distance from the centre falls into a gap once per tooth and stays within half a pitch of the pitch circle.
    drive = example("6l60mc")
    wheel, chain = drive.wheels[0], drive.chain
    outline = wheel_outline(tooth_gap(drive, 0), wheel.teeth, 0.3, centre=wheel.position)
    radius = np.hypot(*(outline - np.asarray(wheel.position)).T)
    pitch_circle = chain.pitch / (2 * np.sin(np.pi / wheel.teeth))
    low = radius[:-1] < pitch_circle - 0.3 * chain.roller_diameter
    assert np.count_nonzero(low & ~np.roll(low, 1)) == wheel.teeth
    assert np.abs(radius - pitch_circle).max() < 0.5 * chain.pitch
    # gap 0 has its bottom in the direction of the wheel's angle
    gap = outline[:25] - np.asarray(wheel.position)
    lowest = gap[np.argmin(np.hypot(*gap.T))]
    assert np.arctan2(lowest[1], lowest[0]) == pytest.approx(0.3, abs=1e-9)


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (18.94e3, "N", "18.9 kN"),
        (-3.6e-3, "m", "−3.60 mm"),
        (2.7e-5, "m", "27.0 µm"),
        (4321.0, "m", "4321 m"),
        (1.8e6, "N", "1.80 MN"),
        (0.0, "J", "0 J"),
    ],
)
def test_engineers_prefixes(value, unit, expected):
    assert scale_for(value, unit).text(value) == expected


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "name",
    [
        name if name in VARIED else pytest.param(name, marks=pytest.mark.long)
        for name in OF_WHEELS
        if name not in STRETCH
    ],
)
@pytest.mark.parametrize("instants", [1, pytest.param(2, marks=pytest.mark.long)])
def test_a_run_of_one_or_two_instants_can_be_drawn(run, name, instants, tmp_path):
    short = changed(run, rows=slice(0, instants))
    PLOTS[name](short).savefig(tmp_path / "plot.png", dpi=40)


@pytest.mark.parametrize("name", STRETCH)
def test_what_needs_a_stretch_of_time_says_so(run, name):
    short = changed(run, rows=slice(0, 1))
    with pytest.raises(InputError, match=r"instants|samples|rows"):
        PLOTS[name](short)


def test_a_run_that_diverged_can_be_drawn(run, tmp_path):
    names = ("link_tension", "contact_force", "span_tension", "span_displacement", "roller_position")
    table = {name: run.values(name).copy() for name in names}
    for values in table.values():
        values[-1] = np.nan
    broken = changed(run, **table)
    plot_overview(broken).savefig(tmp_path / "plot.png", dpi=40)
    with pytest.raises(InputError, match="finite"):
        plot_span(broken)


@pytest.fixture(name="marine", scope="module")
def _marine():
    return marine()


@pytest.fixture(name="every_part", scope="module")
def _every_part():
    return every_part()


def test_guides_stand_beside_their_spans(marine):
    scene = scene_of(marine)
    way = scene.route
    assert [guide.name for guide in scene.guides] == ["guide 1", "guide 4a", "guide 4b"]
    for guide, span, at in zip(scene.guides, (0, 3, 3), (0.5, 0.3, 0.7), strict=True):
        u = way.span_direction[span]
        right = np.array([u[1], -u[0]])
        middle = way.span_start[span] + at * way.span_length[span] * u
        along, off = (guide.surface - middle) @ u, (guide.surface - middle) @ right
        flat = np.abs(along) < 0.5 + 1e-9
        # the flat part presses 5 mm into the rollers; the rounded ends fall away by R - sqrt(R^2 - L^2)
        np.testing.assert_allclose(off[flat], 0.5 * marine.chain.roller_diameter - 0.005, atol=1e-12)
        assert np.abs(along).max() == pytest.approx(0.6, abs=1e-12)
        assert off.max() - off.min() == pytest.approx(0.4 - np.sqrt(0.4**2 - 0.1**2), abs=1e-12)
        # the strip lies behind the surface, seen from the chain
        assert ((guide.strip - middle) @ right).min() == pytest.approx(off.min(), abs=1e-12)
        assert (guide.centre - middle) @ right > off.min()


def test_arm_and_spring(marine):
    scene = scene_of(marine)
    (arm,), (spring,) = scene.bodies, scene.tensioners
    assert (arm.joint, arm.on_ground) == ("revolute", True)
    np.testing.assert_array_equal(arm.place, [0.490, 4.680])
    np.testing.assert_array_equal(arm.centre, [0.1975, 4.7328])
    np.testing.assert_array_equal(arm.points, [marine.wheels[2].position, (-0.3, 4.425)])
    np.testing.assert_array_equal(arm.bars[:, 0], [arm.place] * 3)
    assert arm.support @ (arm.bars[:, 1].mean(axis=0) - arm.place) < 0.0
    np.testing.assert_array_equal(spring.ends, [[-0.3, 5.625], [-0.3, 4.425]])
    assert spring.on_ground == (True, False)
    assert scene.extent[3] == 5.625  # the spring is the highest part


def test_mechanism_is_drawn_as_it_stands_at_an_instant(every_part):
    drawn = scene_of(every_part)
    angle, pivot = 0.1, np.array([0.12, 0.015])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def moved(points):
        return pivot + (np.asarray(points) - pivot) @ turn.T

    centres = np.array([[0.0, 0.0], [0.2, 0.025], [0.29, 0.025], [0.3, -0.12]])
    aside = np.array([0.01, 0.0])
    places = [centres[0] + aside, moved(centres[1]), moved(centres[2]), centres[3]]
    wheels = np.array([every_part.wheels[0].position, every_part.wheels[1].position + aside])
    scene = scene_of(every_part, drawn.rollers, [0.0, 0.0], wheels, places, [0.0, angle, angle, 0.0])
    # the lever has turned about its pivot, with all that rides on it; its rail and the end of the plunger, too
    _, lever, shoe, bracket = scene.bodies
    np.testing.assert_allclose(lever.place, pivot, atol=1e-15)
    np.testing.assert_allclose(lever.points[:2], moved(drawn.bodies[1].points[:2]), atol=1e-15)
    np.testing.assert_allclose(shoe.direction, [-np.sin(angle), np.cos(angle)], atol=1e-15)
    np.testing.assert_allclose(scene.guides[0].surface, moved(drawn.guides[0].surface), atol=1e-15)
    np.testing.assert_allclose(scene.tensioners[0].ends, [(0.21, -0.03), moved((0.21, 0.02))], atol=1e-15)
    # the carriage has taken the wheel 10 mm to the right; what stands on the ground stays
    np.testing.assert_allclose(scene.bodies[0].points, drawn.bodies[0].points + aside, atol=1e-15)
    assert scene.outlines[1].mean(axis=0)[0] == pytest.approx(drawn.outlines[1].mean(axis=0)[0] + 0.01, abs=1e-4)
    assert scene.route.centres[1, 0] == pytest.approx(every_part.wheels[1].position[0] + 0.01)
    np.testing.assert_array_equal(scene.guides[1].surface, drawn.guides[1].surface)
    np.testing.assert_array_equal(bracket.place, drawn.bodies[3].place)
    # a run that blew up is drawn where it stood
    lost = scene_of(every_part, drawn.rollers, [0.0, 0.0], np.full((2, 2), np.nan))
    np.testing.assert_array_equal(lost.route.centres, drawn.route.centres)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("which", ["marine", "every_part"])
def test_every_part_is_drawn_with_its_name_and_no_label_covers_another(which, request, tmp_path):
    drive = request.getfixturevalue(which)
    figure = plot_drive(drive)
    figure.savefig(tmp_path / "drive.png", dpi=50)
    axes = figure.axes[0]
    texts = {t.get_text(): t.get_window_extent() for t in axes.texts if isinstance(t, Annotation) and t.get_text()}
    for part in (*drive.bodies, *drive.guides, *drive.tensioners):
        assert part.name in texts
    for (first, a), (second, b) in combinations(texts.items(), 2):
        assert not a.overlaps(b), f"{first!r} and {second!r}"
    limits = axes.get_window_extent()
    for text, box in texts.items():
        assert limits.containsx(box.x0), text
        assert limits.containsx(box.x1), text
    strips = [c for c in axes.collections if isinstance(c, PolyCollection) and len(c.get_paths()) == len(drive.guides)]
    drawn = [{tuple(np.round(v, 9)) for v in p.vertices} for c in strips for p in c.get_paths()]
    for guide in scene_of(drive).guides:
        assert {tuple(np.round(v, 9)) for v in guide.strip} in drawn


def test_run_with_a_mechanism_is_drawn_where_its_wheels_are(run):
    aside = np.array([0.01, 0.0])
    place = np.array([wheel.position for wheel in run.drive.wheels]) + aside
    values = np.broadcast_to(place, (TIME.size, *place.shape))
    moving = changed(run, wheel_position=values)
    outlines = [
        next(c for c in plot_tension_around(result).axes[0].collections if isinstance(c, PolyCollection)).get_paths()
        for result in (run, moving)
    ]
    for before, after in zip(*outlines, strict=True):
        np.testing.assert_allclose(after.vertices, before.vertices + aside, atol=1e-12)


def test_guide_that_cannot_be_made_is_said():
    loop = '{ length = "60 mm" }, { length = "300 mm", radius = "50 mm", bend = "right" }'
    bad = EVERY_PART.replace('{ length = "60 mm" }', loop)
    drive = with_parts("industrial-08b", "conveyor", "carriage", bad)
    with pytest.raises(InputError, match=r"guides\[0\].*crosses itself"):
        plot_drive(drive)
