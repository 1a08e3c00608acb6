"""Exports from the page: pictures, tables, all data, the drawing, a link; a measured curve over a chart."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ElementTree
import zipfile

import numpy as np
import pytest
from PIL import Image

from browser.conftest import SIGHTS
from chaindrive.report import write_report
from support.editor_page import AT_390, AT_1280

WIDE, NARROW = (1280, 900), (390, 844)
CAR = "timing-06b"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def shown(report_of, opened):
    def made(size=WIDE, **options):
        report = opened(report_of(CAR), size, **options)
        report.wait_for("c.frames > 70")
        return report

    return made


def open_menu(figure):
    """Open the menu with the keyboard, as charts coming into view may still move it under the mouse."""
    figure.scroll_into_view_if_needed()
    figure.locator("summary").first.press("Enter")


def saved(page, figure, name):
    """Name and bytes of the file that a button of a chart's menu gives."""
    open_menu(figure)
    with page.expect_download() as waiting:
        figure.get_by_role("button", name=name, exact=True).click()
    return waiting.value.suggested_filename, waiting.value.path().read_bytes()


def table_of(data):
    """Headings and numbers of a CSV, without its comments; empty cells are not-a-number."""
    lines = [line for line in data.decode("utf-8").splitlines() if not line.startswith("#")]
    rows = list(csv.reader(lines))
    return rows[0], np.array([[float(cell) if cell else np.nan for cell in row] for row in rows[1:]])


def curve(report, title):
    return report.page.locator("#curves figure", has_text=title).first


def test_table_of_a_chart_is_that_of_the_run(run_of, shown):
    report, solution = shown(), run_of(CAR)
    name, data = saved(report.page, curve(report, "Span tension"), "CSV")
    assert re.fullmatch(r"[\w.-]+_Span-tension\.csv", name)
    headings, values = table_of(data)
    assert headings == ["time [s]", *(f"{span} [N]" for span in solution.drive.span_names)]
    time, tension = np.asarray(solution.time), np.asarray(solution.values("span_tension"))
    rows = np.searchsorted(time, values[:, 0] - 1e-12)
    assert values[:, 0] == pytest.approx(time[rows], abs=1e-12)
    assert values.shape[0] > 70
    np.testing.assert_allclose(values[:, 1:], tension[rows], rtol=1e-6)


@SIGHTS
def test_pictures_are_complete_and_on_paper(size, scheme, shown, screenshots):
    report = shown(size, color_scheme=scheme)
    page = report.page
    report.settle()
    for section in ("loop", "spectra", "campbell"):
        figure = page.locator(f"#{section} figure").first
        _, data = saved(page, figure, "SVG")
        drawing = ElementTree.fromstring(data)
        texts = ["".join(text.itertext()) for text in drawing.iter(f"{SVG}text")]
        caption = figure.locator("figcaption").inner_text()
        assert " ".join(texts).startswith(caption)
        axis = {"loop": "position along the loop [pitches]", "spectra": "frequency [Hz]", "campbell": "frequency [Hz]"}
        assert axis[section] in texts
        assert sum(bool(re.fullmatch(r"−?[\d.]+", text)) for text in texts) > 6  # the ticks
        assert max(len(path.get("d")) for path in drawing.iter(f"{SVG}path")) > 500  # a curve
        assert len(list(drawing.iter(f"{SVG}image"))) == (section == "campbell")
        if section == "campbell":
            assert "amplitude [m]" in texts
        if section == "loop":
            assert {"mean", "minimum to maximum", "at the animation time"} <= set(texts)
        _, data = saved(page, figure, "PNG")
        picture = Image.open(io.BytesIO(data)).convert("RGB")
        picture.save(screenshots / f"saved-{section}-{size[0]}-{scheme}.png")
        assert picture.width == 2 * 760
        assert picture.getpixel((3, 3)) == (255, 255, 255)
        assert len(picture.getcolors(1 << 24)) > 20
    open_menu(figure)
    page.screenshot(path=screenshots / f"save-menu-{size[0]}-{scheme}.png")
    assert report.overflow() <= 0


def test_all_data_as_one_file(run_of, shown):
    report, solution = shown(), run_of(CAR)
    with report.page.expect_download() as waiting:
        report.page.get_by_role("button", name="All data (zip)").click()
    with zipfile.ZipFile(waiting.value.path()) as packed:
        assert packed.testzip() is None
        names = {name.partition("/")[2] for name in packed.namelist()}
        root = packed.namelist()[0].partition("/")[0]
        read = lambda name: packed.read(f"{root}/{name}")  # noqa: E731
        told = read("README.txt").decode()
        assert solution.drive.name in told
        assert "SI" in told
        for wanted in ("curves/span_tension.csv", "loop/link_tension-by-place.csv"):
            assert wanted in names
        for folder in ("spectra", "orders", "waterfall", "tables"):
            assert any(name.startswith(f"{folder}/") for name in names)
        headings, values = table_of(read("animation/link_tension.csv"))
        frames = table_of(read("animation/frames.csv"))[1]
        tension = np.asarray(solution.values("link_tension"))[frames[:, 1].astype(int)]
        assert len(headings) == 1 + solution.drive.chain.links
        step = np.ptp(tension) / 65534
        np.testing.assert_allclose(values[:, 1:], tension, atol=0.6 * step + 1e-6 * np.abs(tension).max())
        peaks = next(name for name in names if name.startswith("tables/") and "eak" in name)
        rows = list(csv.reader(line for line in read(peaks).decode().splitlines() if not line.startswith("#")))
        page = report.page.locator("#peaks table").first.locator("tbody tr")
        assert len(rows) == 1 + page.count()


def test_a_table_of_the_page(shown):
    report = shown()
    bar = report.page.locator("#losses .save-table").first
    with report.page.expect_download() as waiting:
        bar.locator("button", has_text="CSV").click()
    rows = list(
        csv.reader(line for line in waiting.value.path().read_text("utf-8").splitlines() if not line.startswith("#"))
    )
    cells = report.page.locator("#losses table").first.locator("tbody tr").first.locator("th, td").all_inner_texts()
    assert rows[1] == [" ".join(cell.split()) for cell in cells]


def test_the_clipboard_gets_the_table(shown):
    report = shown(permissions=["clipboard-read", "clipboard-write"])
    figure = report.page.locator("#loop figure").first
    open_menu(figure)
    figure.get_by_role("button", name="Copy table").click()
    figure.get_by_text("Table copied.").wait_for()
    text = report.page.evaluate("() => navigator.clipboard.readText()")
    assert text.splitlines()[0].split("\t")[:4] == [
        "position along the loop [pitches]",
        "mean [N]",
        "minimum [N]",
        "maximum [N]",
    ]


def test_the_drawing_as_picture_and_video(shown, screenshots):
    report = shown()
    page = report.page
    report.scrub().fill("40")
    page.locator(".save-drawing summary").click()
    with page.expect_download() as waiting:
        page.locator(".save-drawing").get_by_role("button", name="PNG", exact=True).click()
    picture = Image.open(waiting.value.path()).convert("RGB")
    picture.save(screenshots / "saved-drawing-1280.png")
    assert picture.width >= 2 * report.canvas().bounding_box()["width"] - 4
    assert len(picture.getcolors(1 << 24)) > 200
    before = report.canvas().bounding_box()
    page.locator(".save-drawing summary").click()
    with page.expect_download() as waiting:
        page.locator(".save-drawing").get_by_role("button", name="Video").click()
        page.wait_for_timeout(1500)
        page.locator(".save-drawing").get_by_role("button", name="Stop and save").click()
    data = waiting.value.path().read_bytes()
    assert waiting.value.suggested_filename.endswith(".webm")
    assert data[:4] == b"\x1a\x45\xdf\xa3"  # EBML
    assert len(data) > 10_000
    assert report.canvas().bounding_box() == before


@AT_1280
def test_a_link_brings_the_view_back(size, shown, opened):
    report = shown(size)
    page = report.page
    length = page.evaluate("() => history.length")
    report.scrub().fill("33")
    page.get_by_label("Kind of part to select").select_option("link")
    page.locator(".pick-item input").fill("7")
    for _ in range(3):
        report.canvas().press("+")
    report.wait_for("c.zoom > 2")
    chart = curve(report, "Span tension")
    chart.locator(".entry").nth(1).click()
    page.locator("#loop").get_by_role("button", name="by link", exact=True).click()
    page.locator("#spectra select").first.select_option(index=2)
    page.wait_for_function("() => ['loop0.', 'spectra0.'].every(part => location.hash.includes(part))")
    state = {name: report.state(name) for name in ("time", "picked", "zoom")}
    assert page.evaluate("() => history.length") == length
    address = page.url

    again = opened(address, size)
    again.wait_for("c.frames > 70")
    assert again.state("time") == pytest.approx(state["time"], abs=1e-8)
    assert again.state("picked") == state["picked"] == {"result": 0, "kind": "link", "index": 7}
    assert again.state("zoom") == pytest.approx(state["zoom"], rel=1e-6)
    assert curve(again, "Span tension").locator(".entry").nth(1).get_attribute("aria-pressed") == "false"
    assert again.page.locator("#loop figcaption").inner_text().startswith("Tension of every link")
    chosen = "e => e.selectedIndex"
    assert again.page.locator("#spectra select").first.evaluate(chosen) == 2


SET = """() => ["select", "input", "button[aria-pressed]", "figcaption", ".readout"]
    .flatMap(each => [...document.querySelectorAll(`main ${each}`)])
    .filter(each => !each.closest(".save-menu, .measured"))
    .map(each => [each.getAttribute("aria-label") || each.textContent.trim().slice(0, 200),
        each.type === "checkbox" ? each.checked : each.value ?? "", each.getAttribute("aria-pressed")])"""
"""Everything that a reader can set, with its state in the page."""


def link_of(report):
    """The address that the page gives itself, after a change."""
    report.page.wait_for_timeout(900)
    return report.page.url


def set_everything(report):
    page = report.page
    shown = page.locator("#stage .panel.arrows")
    for label in ("contact forces on rollers", "forces on bearings and guides", "wheel speed"):
        shown.get_by_label(label).click()
    shown.get_by_role("button", name="× 10", exact=True).click()
    shown.get_by_role("button", name="Longer arrows").click()
    page.get_by_label("Range of the colour scale").select_option("typed")
    page.get_by_label("Upper limit of the colour scale").fill("777.5")
    page.get_by_label("Speed of the animation").select_option(index=1)
    page.locator("#stage .transport").get_by_label("repeat").click()
    window = page.locator(".window-choice select")
    window.nth(0).select_option("1")
    window.nth(1).select_option("3")
    free = page.locator("#free")
    free.locator('[data-free="x"]').select_option("turns|intake camshaft")
    free.locator('[data-free="left"]').select_option("wheel_speed|crankshaft")
    free.locator('[data-free="left"]').select_option("wheel_speed|exhaust camshaft")
    free.locator('[data-free="right"]').select_option("link:tension")
    free.locator('[data-free="link"]').fill("12")
    free.locator('[data-free="link"]').press("Enter")
    free.locator('[data-free="fold"]').select_option("tooth")
    free.locator('[data-free="part"]').select_option("all")
    free.get_by_role("button", name="Cursors", exact=True).click()
    free.locator(".plot").scroll_into_view_if_needed()
    free.locator(".cursor").first.wait_for()
    free.locator(".cursor").first.press("Shift+ArrowRight")
    map_ = page.locator("#campbell")
    map_.locator(".chart-head select").first.select_option(index=1)
    map_.locator(".chart-head").first.get_by_role("button", name="Zoom in").click()
    cuts = map_.locator(".cuts .chart-legend button")
    if cuts.count():
        cuts.first.click()
    page.locator("#spectra").get_by_role("button", name="All", exact=True).click()
    page.locator("#spectra").get_by_role("button", name="logarithmic").click()
    curve(report, "Span tension").locator(".entry").nth(1).click()
    page.locator("#loop").get_by_role("button", name="by link", exact=True).click()


@AT_390
def test_a_link_brings_back_everything_that_was_set(size, shown, opened):
    report = shown(size)
    before = report.page.evaluate(SET)
    set_everything(report)
    address = link_of(report)
    assert len(address.partition("#")[2]) < 1200
    as_set = report.page.evaluate(SET)
    assert sum(one != other for one, other in zip(before, as_set, strict=False)) > 25
    again = opened(address, size)
    again.wait_for("c.frames > 70")
    again.settle()
    assert again.page.evaluate(SET) == as_set
    assert again.page.locator("#free .cursor").count() in (0, 2)
    again.button("Next frame").click()
    again.button("Previous frame").click()
    assert link_of(again) == address

    again.page.evaluate("() => { location.hash = 'view&free.part=all'; }")  # another link in the same page
    again.page.wait_for_timeout(300)
    free = again.page.locator("#free")
    assert free.locator('[data-free="part"]').input_value() == "all"
    now = again.page.evaluate(SET)
    left = {tuple(one) for one in now} - {tuple(one) for one in before}
    hidden = {f"{end} limit of the colour scale" for end in ("Lower", "Upper")}
    assert {each[0] for each in left} <= {"steady partwhole runas in Curves over time"} | hidden


def test_a_link_keeps_what_is_followed_and_how_near(shown, opened):
    report = shown()
    report.page.get_by_label("Kind of part to select").select_option("link")
    report.page.locator("#stage").get_by_label("follow").check()
    for _ in range(3):
        report.canvas().press("+")
    report.wait_for("c.zoom > 2")
    zoom = report.state("zoom")
    again = opened(link_of(report))
    again.wait_for("c.frames > 70 && c.following")
    again.settle()
    assert again.state("zoom") == pytest.approx(zoom, rel=1e-6)
    x, y = again.page.evaluate("() => window.chaindrive.place(0, 'link', 0)")
    box = again.canvas().bounding_box()
    assert (x, y) == pytest.approx((0.5 * box["width"], 0.5 * box["height"]), abs=1.0)


def test_a_zoom_of_the_curves_away_from_the_time_stays(shown, opened):
    report = shown()
    report.page.locator("#curves").get_by_role("button", name="Zoom in", exact=True).click()
    shown_range = report.page.locator("#curves .chart-range")
    report.page.locator("#curves .plot").first.press("+")
    start, stop = (float(part.split()[0]) for part in shown_range.inner_text().split(" to "))
    part = 0.02 * (stop - start)
    address = report.page.url.partition("#")[0] + f"#view&t=0.001&range={start + part:.9g},{stop:.9g}"
    again = opened(address)
    again.wait_for("c.frames > 70")
    again.page.wait_for_timeout(300)
    assert again.page.locator("#curves .chart-range").inner_text() == f"{start + part:.4f} s to {stop:.4f} s"


def test_a_link_keeps_the_results_and_their_choices(run_of, tmp_path, opened):
    path = tmp_path / "two.html"
    write_report([run_of(CAR), run_of("misaligned-08b")], path, labels=["one", "other"])
    report = opened(path)
    report.wait_for("c.frames > 5")
    page = report.page
    page.locator("#loop .chart-head select").first.select_option("other")
    page.locator("#curves .chart-head select").first.select_option(index=2)
    page.locator(".window-choice").nth(1).locator("select").first.select_option("1")
    page.locator(".stage-results input").first.uncheck()
    address, as_set = link_of(report), page.evaluate(SET)
    again = opened(address)
    again.wait_for("c.frames > 5")
    again.page.wait_for_timeout(600)
    assert again.page.evaluate(SET) == as_set
    assert again.page.locator("#loop figcaption").inner_text().endswith("other [N]")
    assert again.page.locator(".window-choice").nth(1).locator("select").first.input_value() == "1"


def test_a_link_of_a_stranger_does_no_harm(report_of, opened):
    hash_ = (
        "#view&t=NaN&pick=0,link,99999&zoom=1e99,0,0&range=5,1&loop0.choice0=%3Cscript%3E&curves0.hidden=%7B"
        "&results=2&spectra0.switch0=77&spectra0.lines=%00&loop0.range=1,1e999"
        "&free.x=no%7Cthing&free.left=%00&free.right=link%3Atension%0A__proto__&free.fold=1e9&free.part=x&free.link=-5"
        "&free.cursors=1,1e999&show=%3Cb%3E&motion=7&arrows=1e9&scale=5,1&speed=0&window=9-999&eye=1,2&depth=3"
        "&campbell.top=-1&campbell.cuts=none"
    )
    report = opened(report_of(CAR).resolve().as_uri() + hash_)
    report.wait_for("c.frames > 70")
    assert report.state("picked") is None
    assert report.state("zoom") == 1
    assert report.page.locator("#free .free-chip").count() == 2  # the curve of its preset, and the one that exists
    assert report.page.locator("#stage").get_by_label("contact forces on rollers").is_checked()
    assert report.page.locator("#campbell .cuts .chart-legend li").count() > 0
    report.button("Next frame").click()


def measured_file(solution, scale=1.0, shift=0.0):
    """The tension of the first span in kN over ms, with decimal commas, a little off."""
    time = np.asarray(solution.time)[::5]
    tension = np.asarray(solution.values("span_tension"))[::5, 0] * scale
    rows = [
        f"{1e3 * (t + shift)!r};{1e-3 * f!r}".replace(".", ",")
        for t, f in zip(time.tolist(), tension.tolist(), strict=True)
    ]
    return "# bench 3\nZeit [ms];Kraft [kN]\n" + "\n".join(rows) + "\n", time, tension


def lay_over(page, figure, text, name="bench.csv"):
    figure.scroll_into_view_if_needed()
    figure.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": text.encode()})


@AT_1280
def test_a_measured_curve_lies_over_a_chart(size, run_of, shown, screenshots):
    report, solution = shown(size), run_of(CAR)
    page = report.page
    figure = curve(report, "Span tension")
    text, time, tension = measured_file(solution, scale=1.1, shift=0.01)
    lay_over(page, figure, text)
    told = figure.locator(".measured-told")
    told.wait_for()
    figure.get_by_label("plus [s]").fill("-0.01")
    _, data = saved(page, figure, "CSV")
    headings, values = table_of(data)
    assert headings[-1] == "Kraft (bench.csv) [N]"
    there = ~np.isnan(values[:, -1])
    np.testing.assert_allclose(values[there, 0], time, atol=1e-9)
    np.testing.assert_allclose(values[there, -1], tension, rtol=1e-6)
    # the same number from the table: both polylines over a fine grid
    own = ~np.isnan(values[:, 1])
    fine = np.linspace(time[0], time[-1], 400_001)
    off = np.interp(fine, values[there, 0], values[there, -1]) - np.interp(fine, values[own, 0], values[own, 1])
    said = re.search(r"RMS difference from .*?: ([\d.]+) (k?N)", told.inner_text())
    assert float(said[1]) * {"N": 1.0, "kN": 1e3}[said[2]] == pytest.approx(np.sqrt(np.mean(off**2)), rel=2e-3)
    _, data = saved(page, figure, "SVG")
    assert b"Kraft (bench.csv)" in data
    figure.scroll_into_view_if_needed()
    page.screenshot(path=screenshots / f"measured-{size[0]}.png")
    assert report.overflow() <= 0
    figure.get_by_role("button", name="Remove").click()
    headings, _ = table_of(saved(page, figure, "CSV")[1])
    assert "Kraft (bench.csv) [N]" not in headings


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("time [s],force [N]\n0,1\n1,abc\n", 'Line 3, column "force": "abc" cannot be read as a number'),
        ("0,1\n1,2\n", "Line 1 has numbers where names are expected"),
        ("time [s],pressure [bar]\n0,1\n", "No column of bench.csv has a unit of"),
    ],
)
def test_what_cannot_be_read_is_said(text, said, shown):
    report = shown()
    figure = curve(report, "Span tension")
    lay_over(report.page, figure, text)
    figure.locator(".measured-problem").wait_for()
    assert said in figure.locator(".measured-problem").inner_text()


def free_chart(report, **choices):
    """The free chart with these choices: abscissa, quantity, item."""
    section = report.page.locator("#free")
    section.locator(".plot").scroll_into_view_if_needed()
    section.locator(".plot canvas").first.wait_for()
    for key, value in choices.items():
        section.locator(f'[data-free="{key}"]').select_option(value)
        report.settle()
    return section.locator("figure.free")


def difference(told, unit):
    """The RMS difference that the page shows [SI]."""
    said = re.search(rf"RMS difference from .*?: ([\d.]+) ([kmµ]?){unit}(?![\w/])", told)
    return float(said[1]) * {"k": 1e3, "": 1.0, "m": 1e-3, "µ": 1e-6}[said[2]]


def turned(solution):
    """Angle of the driver from the first instant in its running sense. [degrees]"""
    angle = np.degrees(solution.values("wheel_angle")[:, 0].astype(float))
    return np.abs(angle - angle[0])


@AT_390
def test_a_measured_curve_lies_over_the_free_chart(size, run_of, shown, screenshots):
    report, solution = shown(size), run_of(CAR)
    names = solution.drive.span_names
    figure = free_chart(report, of=names[0], part="all", fold="")
    x, tension = turned(solution), solution.values("span_tension")[:, 0].astype(float)
    rows = "".join(f"{a!r},{1e-3 * f + 0.05!r}\n" for a, f in zip(x.tolist(), tension.tolist(), strict=True))
    lay_over(report.page, figure, "crank angle [deg],force [kN]\n" + rows)
    told = figure.locator(".measured-told")
    told.wait_for()
    assert f"RMS difference from Tension: {names[0]}" in told.inner_text()
    assert difference(told.inner_text(), "N") == pytest.approx(50.0, rel=1e-3)
    headings, values = table_of(saved(report.page, figure, "CSV")[1])
    assert headings[-1] == "force (bench.csv) [N]"
    there = ~np.isnan(values[:, -1])
    np.testing.assert_allclose(values[there, 0], x, atol=1e-6)
    np.testing.assert_allclose(values[there, -1], tension + 50.0, rtol=1e-6)
    assert b"force (bench.csv)" in saved(report.page, figure, "SVG")[1]

    # folded: the means over the same whole periods
    free_chart(report, fold="1")
    report.page.wait_for_timeout(250)
    assert "mean of" in told.inner_text()
    assert difference(told.inner_text(), "N") == pytest.approx(50.0, rel=2e-2)
    report.page.locator("#free").scroll_into_view_if_needed()
    figure.screenshot(path=screenshots / f"measured-free-{size[0]}.png")
    assert report.overflow() <= 0

    # over something else it is not shown, and comes back
    free_chart(report, x="time")
    assert 'not shown: the unit "deg" of crank angle does not fit s' in told.inner_text()
    free_chart(report, x="turns|crankshaft", fold="")
    assert difference(told.inner_text(), "N") == pytest.approx(50.0, rel=1e-3)


def test_a_measured_curve_on_the_right_axis_and_along_an_orbit(run_of, shown):
    report, solution = shown(), run_of(CAR)
    figure = free_chart(report, x="time", right="wheel_speed|crankshaft", part="all")
    time = np.asarray(solution.time)
    rpm = np.abs(solution.values("wheel_speed")[:, 0].astype(float)) * 30.0 / np.pi
    rows = "".join(f"{t!r}\t{n + 20.0!r}\n" for t, n in zip(time.tolist(), rpm.tolist(), strict=True))
    lay_over(report.page, figure, "time [s]\tspeed [rpm]\n" + rows, "speed.csv")
    told = figure.locator(".measured-told")
    told.wait_for()
    assert difference(told.inner_text(), "rpm") == pytest.approx(20.0, rel=1e-3)
    # an orbit goes to and fro: its points keep their order, and nothing is compared at the same x
    figure.locator(".presets button", has_text="Bearing orbit").click()
    figure.locator(".measured").get_by_role("button", name="Remove").click()
    loop = [(100.0 * np.cos(a), 100.0 * np.sin(a)) for a in np.linspace(0.0, 4.0 * np.pi, 40)]
    lay_over(report.page, figure, "x [N],y [N]\n" + "".join(f"{a:.6f},{b:.6f}\n" for a, b in loop), "orbit.csv")
    told.wait_for()
    assert "RMS" not in told.inner_text()
    _, values = table_of(saved(report.page, figure, "CSV")[1])
    kept = values[~np.isnan(values[:, -1])]
    np.testing.assert_allclose(kept[:, [0, -1]], loop, atol=1e-5)


def test_measured_spectra_and_cuts(shown):
    report = shown()
    figure = report.page.locator("#spectra figure").first
    headings, values = table_of(saved(report.page, figure, "CSV")[1])
    assert headings[1].endswith("]")
    rows = "".join(f"{f!r};{1e3 * (a + 2.0)!r}\n" for f, a in values[:, :2].tolist())
    unit = headings[1].rpartition("[")[2].rstrip("]")
    lay_over(report.page, figure, f"f [Hz];amplitude [m{unit}]\n" + rows)
    figure.locator(".measured-told").wait_for()
    assert difference(figure.locator(".measured-told").inner_text(), unit) == pytest.approx(2.0, rel=1e-3)

    cuts = report.page.locator("#campbell .cuts")
    cuts.scroll_into_view_if_needed()
    headings, values = table_of(saved(report.page, cuts, "CSV")[1])
    unit = headings[1].rpartition("[")[2].rstrip("]")
    size = float(np.nanmax(values[:, 1]))
    rows = "".join(f"{x!r};{size!r}\n" for x in values[:, 0].tolist())
    lay_over(report.page, cuts, f"t [s];amplitude [{unit}]\n" + rows)
    cuts.locator(".measured-told").wait_for()
    off = values[:, 1] - size
    fine = np.linspace(values[0, 0], values[-1, 0], 100_001)
    expected = np.sqrt(np.mean(np.interp(fine, values[:, 0], off) ** 2))
    assert difference(cuts.locator(".measured-told").inner_text(), unit) == pytest.approx(expected, rel=2e-3)
    assert table_of(saved(report.page, cuts, "CSV")[1])[0][-1] == f"amplitude (bench.csv) [{unit}]"
