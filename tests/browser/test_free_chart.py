"""The free chart: its numbers are those of the channels, folded and not; cursors by mouse, keyboard and finger."""

import re

import numpy as np
import pytest

from chaindrive.analyses.results.steadiness import headline_part
from chaindrive.mechanism.facts import drive_facts
from chaindrive.report import write_report
from support.editor_page import AT_390, AT_1280

SIZES = pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["1280", "390"])
PREFIXES = {"µ": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6}


def si(text):
    """ "1.2 kN" as 1200; the unit without its prefix is N, m, m/s, s, Hz, %, rpm, degrees or pitches."""
    number, unit = re.fullmatch(r"(−?[\d.]+) ?(.*)", text).groups()
    found = re.fullmatch(r"(µ|m|k|M|)(N|m|m/s)", unit)
    return float(number.replace("−", "-")) * (PREFIXES[found[1]] if found else 1.0)


class FreeChart:
    """The chart on an opened page."""

    def __init__(self, report):
        self.report, self.page = report, report.page
        self.box = self.page.locator("#section-free")
        self.box.scroll_into_view_if_needed()
        self.page.wait_for_selector("#section-free .plot canvas")

    def preset(self, name):
        self.box.locator(".presets > button", has_text=name).click()
        self.report.settle()

    def choose(self, key, value):
        self.box.locator(f'[data-free="{key}"]').select_option(value)
        self.report.settle()

    def cursors(self):
        button = self.box.get_by_role("button", name="Cursors", exact=True)
        if button.get_attribute("aria-pressed") == "false":
            button.click()
        self.box.locator(".cursor").first.wait_for()

    def readings(self):
        """Rows of the table: name and the values at A, at B and their difference in SI, nan where none is shown."""
        rows = {}
        for row in self.box.locator(".readout tbody tr").all():
            name, *texts = [cell.inner_text() for cell in row.locator("th, td").all()]
            rows[name] = [si(text) if text else np.nan for text in texts]
        return rows

    def reading(self, start):
        return next(values for name, values in self.readings().items() if name.startswith(start))

    def remark(self):
        return self.box.locator(".chart.free > .remark").inner_text()


@AT_1280
def test_a_folded_tension_is_the_mean_of_the_channel(size, run_of, report_of, opened, screenshots):
    run = run_of("timing-06b")
    report = opened(report_of("timing-06b"), size)
    chart = FreeChart(report)
    chart.choose("fold", "1")
    chart.choose("of", "crankshaft - exhaust camshaft")
    chart.choose("fold", "1")
    chart.cursors()
    chart.box.screenshot(path=screenshots / f"free-chart-{size[0]}.png")
    assert report.overflow() <= 0
    part = headline_part(run)
    step = run.time[1] - run.time[0]  # the instant before the part closes its revolutions
    rows = (run.time >= part.start - 1.5 * step) & (run.time <= part.stop + 1e-9)
    angle = np.degrees(
        drive_facts(run.drive).senses[0] * (run.values("wheel_angle")[:, 0] - run.values("wheel_angle")[0, 0])
    )
    x, y = angle[rows], run.values("span_tension")[rows, 0]
    turns = int(np.floor((x[-1] - x[0]) / 360.0 + 0.01))
    assert turns >= 2
    assert f"mean of {turns} whole periods" in chart.remark()
    places = chart.reading("Angle of crankshaft")
    for which in (0, 1):
        last = x[-1] - (x[-1] - places[which]) % 360.0
        mean = np.mean([np.interp(last - 360.0 * turn, x, y) for turn in range(turns)])
        assert chart.reading("Tension")[which] == pytest.approx(mean, rel=1e-3)
    assert places[2] == pytest.approx(places[1] - places[0], abs=1e-2)
    assert chart.reading("Revolution / difference")[2] == pytest.approx(360.0 / places[2], rel=1e-3)


@AT_390
def test_a_phase_portrait_and_its_moment(size, run_of, report_of, opened, screenshots):
    run = run_of("timing-06b")
    report = opened(report_of("timing-06b"), size)
    chart = FreeChart(report)
    chart.preset("Phase portrait")
    chart.choose("part", "all")
    chart.cursors()
    chart.box.screenshot(path=screenshots / f"free-chart-phase-{size[0]}.png")
    handle = chart.box.locator(".cursor").first
    handle.press("End")
    handle.press("Shift+ArrowLeft")
    handle.press("ArrowLeft")
    time = chart.reading("Time")[0]
    assert time == pytest.approx(run.time[-12], rel=1e-4)
    span = chart.box.locator('[data-free="of"]').input_value()
    moved = run.values("span_displacement")[:, run.drive.span_names.index(span)].astype(float)
    size_of = np.ptp(moved)
    speed = np.gradient(moved, run.time)
    assert chart.reading("Transverse velocity")[0] == pytest.approx(speed[-12], abs=1e-3 * np.ptp(speed))
    # a span on a guide is shown about its mean: the differences count
    other = int(np.abs(run.time - chart.reading("Time")[1]).argmin())
    assert chart.reading("Transverse displacement")[2] == pytest.approx(
        moved[other] - moved[-12], abs=1e-3 * float(size_of)
    )
    assert chart.reading("1 / difference in time")[2] == pytest.approx(
        1.0 / abs(run.time[other] - run.time[-12]), rel=1e-3
    )


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_cursors_follow_the_mouse_and_a_click_sets_the_moment(run_of, report_of, opened):
    run = run_of("timing-06b")
    report = opened(report_of("timing-06b"), (1280, 900))
    chart = FreeChart(report)
    chart.choose("x", "time")
    chart.choose("part", "all")
    chart.cursors()
    area = chart.box.locator(".u-over").bounding_box()
    moment = report.state("time")
    handle = chart.box.locator(".cursor").first
    x, y = middle(handle)
    chart.page.mouse.move(x, y)
    chart.page.mouse.down()
    chart.page.mouse.move(area["x"] + 0.8 * area["width"], y, steps=5)
    chart.page.mouse.up()
    found = chart.reading("Time")[0]
    assert found == pytest.approx(0.8 * run.time[-1], abs=0.003 * run.time[-1])
    row = int(np.abs(run.time - found).argmin())
    name = chart.box.locator('[data-free="of"]')
    assert name.count() == 0  # no preset any more
    tension = chart.reading("Tension")[0]
    values = run.values("span_tension")[row]
    assert np.abs(values - tension).min() < 1e-3 * np.ptp(run.values("span_tension"))
    assert report.state("time") == moment  # dragging a cursor neither zooms nor moves the animation
    chart.page.mouse.click(area["x"] + 0.4 * area["width"], area["y"] + 0.5 * area["height"])
    report.wait_for("Math.abs(c.time - x) < 0.002", 0.4 * run.time[-1])


def test_a_finger_moves_a_cursor(run_of, report_of, opened):
    report = opened(report_of("timing-06b"), (390, 844))
    chart = FreeChart(report)
    chart.cursors()
    chart.box.locator(".plot").scroll_into_view_if_needed()
    before = chart.reading("Angle of crankshaft")[1]
    x, y = middle(chart.box.locator(".cursor").nth(1))
    session = chart.page.context.new_cdp_session(chart.page)
    for kind, dx in (("touchStart", 0), ("touchMove", 20), ("touchMove", 40), ("touchEnd", None)):
        points = [] if dx is None else [{"x": x + dx, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    report.settle()
    assert chart.reading("Angle of crankshaft")[1] > before + 20.0


def test_a_link_along_the_loop_is_that_of_its_frames_and_follows_what_is_picked(run_of, report_of, opened):
    run = run_of("timing-06b")
    report = opened(report_of("timing-06b"), (1280, 900))
    chart = FreeChart(report)
    chart.preset("Link along the loop")
    number = chart.box.locator('[data-free="link"]')
    number.fill("17")
    number.press("Enter")
    chart.cursors()
    time, place, tension = (chart.reading(name)[0] for name in ("Time", "Position", "Tension"))
    row = int(np.abs(run.time - time).argmin())
    kept = run.values("link_tension")
    assert tension == pytest.approx(kept[row, 17], abs=1e-3 * float(np.ptp(kept)))
    assert place == pytest.approx(run.values("link_path_position")[row, 17], abs=0.05)
    report.page.evaluate("() => window.scrollTo({top: 0, behavior: 'instant'})")
    report.click_part("link", 40)
    report.wait_for("c.picked && c.picked.index === 40")
    assert number.input_value() == "40"


@AT_390
def test_two_results_on_two_axes(size, run_of, tmp_path, opened, screenshots):
    run = run_of("timing-06b")
    path = tmp_path / "two.html"
    write_report([run, run], path, labels=["one", "other"])
    report = opened(path, size)
    chart = FreeChart(report)
    chart.preset("Ratio deviation")
    chart.choose("right", "wheel_speed|crankshaft")
    chart.cursors()
    chart.box.screenshot(path=screenshots / f"free-chart-two-{size[0]}.png")
    readings = chart.readings()
    speeds = {name: values for name, values in readings.items() if "Speed" in name}
    assert [name.split(":")[0] for name in speeds] == ["one", "other"]
    rpm = run.values("wheel_speed")[:, 0] * 30.0 / np.pi
    for values in speeds.values():
        assert rpm.min() - 1e-3 <= values[0] <= rpm.max() + 1e-3
    assert chart.box.locator(".chart-legend li").count() == 4
    assert report.overflow() <= 0


def test_the_bearing_orbit_is_to_scale(report_of, opened, screenshots):
    report = opened(report_of("timing-06b"), (1280, 900))
    chart = FreeChart(report)
    chart.preset("Bearing orbit")
    chart.box.screenshot(path=screenshots / "free-chart-orbit.png")
    area = chart.box.locator(".u-over").bounding_box()
    assert area["width"] / area["height"] == pytest.approx(1.3, abs=0.12)


def time_chart(report, title):
    """A chart of the curves over time."""
    figure = report.page.locator("#curves figure", has_text=title).first
    figure.scroll_into_view_if_needed()
    figure.locator(".plot canvas").first.wait_for()
    report.settle()  # a chart that was out of view follows the others in the frame in which it comes into view
    return figure


def rows_of(figure):
    """Readings below a chart: name and the texts at A, at B and their difference."""
    found = {}
    for row in figure.locator(".readout tbody tr").all():
        name, *texts = [cell.inner_text() for cell in row.locator("th, td").all()]
        found[name] = [si(text) if text else np.nan for text in texts]
    return found


@SIZES
def test_cursors_of_the_curves_over_time(size, run_of, report_of, opened, screenshots):
    run = run_of("timing-06b")
    report = opened(report_of("timing-06b"), size)
    page = report.page
    figure = time_chart(report, "Span tension")
    assert figure.locator(".readings").is_hidden()
    moment = report.state("time")
    figure.get_by_role("button", name="Cursors", exact=True).click()
    first, second = figure.locator(".cursor").first, figure.locator(".cursor").nth(1)
    first.press("End")
    first.press("Shift+ArrowLeft")
    second.press("Home")
    second.press("PageUp")
    rows = rows_of(figure)
    a, b, difference = rows["Time"]
    assert a == pytest.approx(run.time[-11], rel=1e-4)
    assert b == pytest.approx(run.time[100], rel=1e-4)
    assert difference == pytest.approx(b - a, rel=1e-3)
    assert rows["1 / difference in time"][2] == pytest.approx(1.0 / (a - b), rel=1e-3)
    kept = run.values("span_tension").astype(float)
    for k, name in enumerate(run.drive.span_names):
        assert rows[name][:2] == pytest.approx([kept[-11, k], kept[100, k]], rel=1e-4)
        assert rows[name][2] == pytest.approx(kept[100, k] - kept[-11, k], abs=1e-4 * float(np.abs(kept).max()))
    assert report.state("time") == moment
    figure.screenshot(path=screenshots / f"time-cursors-{size[0]}.png")
    assert report.overflow() <= 0

    # the same times in another chart; a curve that is hidden is not read
    other = time_chart(report, "Wheel speed")
    other.get_by_role("button", name="Cursors", exact=True).click()
    there = rows_of(other)
    assert there["Time"] == rows["Time"]
    speed = run.values("wheel_speed").astype(float)[-11, 0] * 30.0 / np.pi
    assert abs(there["crankshaft"][0]) == pytest.approx(abs(speed), rel=1e-4)
    other.locator(".chart-legend .entry", has_text="crankshaft").click()
    assert "crankshaft" not in rows_of(other)
    x, y = middle(other.locator(".cursor").nth(1))
    area = other.locator(".u-over").bounding_box()
    to = area["x"] + 0.5 * area["width"]
    if size[0] > 500:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(to, y, steps=4)
        page.mouse.up()
    else:
        session = page.context.new_cdp_session(page)
        for kind, at in (("touchStart", x), ("touchMove", 0.5 * (x + to)), ("touchMove", to), ("touchEnd", None)):
            points = [] if at is None else [{"x": at, "y": y}]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    report.settle()
    assert rows_of(other)["Time"][1] == pytest.approx(0.5 * run.time[-1], abs=0.01 * run.time[-1])
    assert report.state("time") == moment
    time_chart(report, "Span tension")
    assert rows_of(figure)["Time"] == rows_of(other)["Time"]

    page.wait_for_timeout(900)
    again = opened(page.url, size)
    again.wait_for("c.frames > 70")
    assert rows_of(time_chart(again, "Wheel speed")) == rows_of(other)
    assert rows_of(time_chart(again, "Span tension")) == rows_of(figure)
    other.get_by_role("button", name="Cursors", exact=True).click()
    assert other.locator(".readings").is_hidden()
    assert other.locator(".cursor:visible").count() == 0


def test_cursors_of_the_time_begin_in_view(run_of, report_of, opened):
    end = float(run_of("timing-06b").time[-1])
    report = opened(f"{report_of('timing-06b').resolve().as_uri()}#view&range={0.6 * end:.6g},{0.8 * end:.6g}")
    figure = time_chart(report, "Span tension")
    figure.get_by_role("button", name="Cursors", exact=True).click()
    assert rows_of(figure)["Time"][:2] == pytest.approx([2.0 / 3.0 * end, 2.2 / 3.0 * end], abs=0.01 * end)
    picked = report.page.locator("#details figure").first
    report.page.get_by_label("Kind of part to select").select_option("link")
    picked.scroll_into_view_if_needed()
    picked.get_by_role("button", name="Cursors", exact=True).click()
    assert rows_of(picked)["Time"] == rows_of(figure)["Time"]
