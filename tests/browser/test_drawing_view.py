"""The drawing and the colours of the page: dark and light, names beside their wheels, what is shown at the chain."""

import threading

import pytest

import chaindrive
from browser.conftest import SIGHTS
from chaindrive.viewer import LiveView
from support.editor_page import AT_1280

SIZES = pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["1280", "390"])

CONTRASTS = """() => {
    const channel = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const parts = text => text.match(/[\\d.]+/g).map(Number);
    const ground = element => {
        for (let e = element; e; e = e.parentElement) {
            const c = parts(getComputedStyle(e).backgroundColor);
            if (c.length < 4 || c[3] > 0) return c;
        }
        return [255, 255, 255];
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.textContent.trim() || !element.checkVisibility()) continue;
        if (element.closest('script, style, noscript, :disabled, [aria-hidden=true], .visually-hidden')) continue;
        const [a, b] = [light(parts(getComputedStyle(element).color)), light(ground(element))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        found.push([contrast, element.className, element.textContent.trim().slice(0, 40)]);
    }
    return found.sort((a, b) => a[0] - b[0]);
}"""

GROUND = """canvas => {
    const context = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
    context.drawImage(canvas, 2, 2, 1, 1, 0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


@SIGHTS
def test_every_text_can_be_read_in_light_and_dark(scheme, size, opened, report_of, screenshots):
    report = opened(report_of("timing-06b"), size, color_scheme=scheme)
    report.wait_for("c.frames > 70")
    assert report.overflow() <= 0
    report.keep(screenshots / f"drawing-{scheme}-{size[0]}.png")
    contrasts = report.page.evaluate(CONTRASTS)
    assert len(contrasts) > 200
    assert [each for each in contrasts if each[0] < 4.5] == []
    ground = report.canvas().evaluate(GROUND)
    assert max(ground) < 60 if scheme == "dark" else min(ground) > 240


def wait_for_ground(report, dark):
    """Wait until the drawing has a dark or a light background."""
    test = "Math.max(...ground) < 60" if dark else "Math.min(...ground) > 240"
    script = f"canvas => {{ const ground = ({GROUND})(canvas); return {test}; }}"
    report.page.wait_for_function(script, arg=report.canvas().element_handle())


def test_the_reader_chooses_and_paper_stays_light(opened, report_of, screenshots):
    report = opened(report_of("timing-06b"), color_scheme="light")
    page = report.page
    report.wait_for("c.frames > 70")
    page.locator(".appearance select").select_option("dark")
    report.canvas().scroll_into_view_if_needed()  # out of sight it is not drawn
    wait_for_ground(report, dark=True)
    page.emulate_media(media="print")
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    wait_for_ground(report, dark=False)
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(media="screen")
    page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
    wait_for_ground(report, dark=True)
    page.reload()  # what was chosen is kept
    report.wait_for("c.frames > 70")
    report.canvas().scroll_into_view_if_needed()
    wait_for_ground(report, dark=True)
    page.locator(".appearance select").select_option("system")
    wait_for_ground(report, dark=False)
    page.emulate_media(color_scheme="dark")
    wait_for_ground(report, dark=True)


PLACED = """(result) => {
    const gap = (box, [x, y, r]) => Math.max(0,
        Math.hypot(Math.max(box[0] - x, 0, x - box[1]), Math.max(box[2] - y, 0, y - box[3])) - r);
    const drive = window.chaindrive.drives[result];
    const discs = drive.wheels.map((radius, w) => [...window.chaindrive.place(result, 'wheel', w), radius]);
    return window.chaindrive.labels(result).map(label => ({
        kind: label.kind, index: label.index, lines: label.lines, box: label.box, leader: label.leader,
        own: label.kind === 'wheel' ? gap(label.box, discs[label.index]) : null,
        others: label.kind === 'wheel'
            ? Math.min(...discs.filter((_, w) => w !== label.index).map(disc => gap(label.box, disc))) : null,
    }));
}"""


def placed(report, result=0):
    """The labels on the canvas of a result, and the distances of wheel labels from their own wheels and from others."""
    return report.page.evaluate(PLACED, result)


def overlapping(first, second):
    (a, b, c, d), (e, f, g, h) = first["box"], second["box"]
    return a < f and e < b and c < h and g < d


def check_labels(labels, size, tools=None):
    for label in labels:
        left, right, top, bottom = label["box"]
        assert left >= 0
        assert top >= 0
        assert right <= size[0]
        assert bottom <= size[1]
        if label["kind"] == "wheel":
            assert label["leader"] or label["own"] < label["others"], label
    for k, label in enumerate(labels):
        assert tools is None or not overlapping(label, tools)
        assert not [other["lines"] for other in labels[k + 1 :] if overlapping(label, other)]


def tools_of(report, result=0):
    """Positions of the buttons on a canvas, in pixels."""
    over, own = report.page.locator(".stage-tools").bounding_box(), report.canvas(result).bounding_box()
    x, y = over["x"] - own["x"], over["y"] - own["y"]
    return {"box": (x, x + over["width"], y, y + over["height"])}


def canvas_size(report, result=0):
    box = report.canvas(result).bounding_box()
    return box["width"], box["height"]


BESIDE = """() => {
    const tools = document.querySelector(".stage-tools").getBoundingClientRect();
    const apart = box => box.right <= tools.left || box.left >= tools.right
        || box.bottom <= tools.top || box.top >= tools.bottom;
    const canvases = [...document.querySelectorAll("#stage canvas")].filter(each => each.checkVisibility());
    const frame = document.querySelector(".stage-frame").getBoundingClientRect();
    return [canvases.length, canvases.every(each => apart(each.getBoundingClientRect())),
        tools.right <= frame.right && tools.bottom <= frame.bottom + 1];
}"""


@pytest.mark.parametrize("names", [("timing-06b",), ("timing-06b", "misaligned-08b")], ids=["one", "two"])
@pytest.mark.parametrize("sizes", [((1280, 900), (1700, 1000), (800, 600)), ((390, 844),)], ids=["wide", "390"])
def test_the_buttons_hide_nothing_of_the_drawing(sizes, names, opened, report_of, screenshots):
    report = opened(report_of(*names), sizes[0])
    report.wait_for("c.frames > 5")
    report.canvas().scroll_into_view_if_needed()
    for width, height in sizes:
        report.page.set_viewport_size({"width": width, "height": height})
        report.settle()
        assert report.page.evaluate(BESIDE) == [len(names), True, True]
        assert report.overflow() <= 0
        report.page.locator(".stage-frame").screenshot(path=screenshots / f"buttons-{len(names)}-{width}.png")
    if len(names) > 1:
        report.page.get_by_role("button", name="3-D", exact=True).click()
        report.wait_for("c.drives.length === 2")
        report.settle()
        assert report.page.evaluate(BESIDE)[1:] == [True, True]


@SIZES
@pytest.mark.parametrize(
    "name", ["timing-06b", "bicycle-50x19", "6l60mc", pytest.param("v6-timing", marks=pytest.mark.long)]
)
def test_every_name_stands_at_its_wheel(name, size, opened, report_of, screenshots):
    report = opened(report_of(name), size)
    report.wait_for("c.frames > 20")
    report.page.locator("#animation").scroll_into_view_if_needed()
    report.settle()
    labels = placed(report)
    wheels = [label for label in labels if label["kind"] == "wheel"]
    assert len(wheels) == len(report.page.evaluate("() => window.chaindrive.drives[0].wheels"))
    check_labels(labels, canvas_size(report), tools_of(report))
    assert all("rpm" in label["lines"][-1] for label in wheels)
    badges = [label for label in labels if label["kind"] == "span"]
    assert badges
    assert all(label["lines"][0].startswith("mean") and label["lines"][1].startswith("now") for label in badges)
    report.page.screenshot(path=screenshots / f"labels-{name}-{size[0]}.png")
    before = [side for label in labels for side in label["box"]]
    report.button("Next frame").click()
    report.settle()
    after = [side for label in placed(report) for side in label["box"]]
    assert after == pytest.approx(before, abs=3)  # they do not jump


@SIZES
def test_side_by_side_too(size, opened, report_of, screenshots):
    report = opened(report_of("timing-06b", "6l60mc"), size)
    report.wait_for("c.frames > 20")
    report.settle()
    for result in range(2):
        labels = placed(report, result)
        wheels = {label["index"] for label in labels if label["kind"] == "wheel"}
        assert wheels == set(range(len(report.page.evaluate("k => window.chaindrive.drives[k].wheels", result))))
        check_labels(labels, canvas_size(report, result), tools_of(report, result))
    report.page.locator("#animation").scroll_into_view_if_needed()
    report.page.screenshot(path=screenshots / f"labels-side-by-side-{size[0]}.png")


def test_it_opens_at_the_worst_moment_and_says_so(opened, report_of, run_of):
    report = opened(report_of("timing-06b"))
    report.wait_for("c.frames > 70")
    said = report.page.locator(".stage-opening").inner_text()
    view = report.page.evaluate("() => window.chaindrive.drives[0].view")
    assert report.state("time") == pytest.approx(view["opening"]["time"])
    run = run_of("timing-06b")
    part = run.time >= view["start"] - 1e-9 if view["steady"] else slice(None)
    tension = run.values("link_tension")
    row = abs(run.time - report.state("time")).argmin()
    assert tension[row].max() == tension[part].max()
    assert said.startswith("Opened at the largest link tension of the")
    report.button("First frame").click()
    assert report.state("time") == 0.0
    report.page.locator(".stage-opening button").click()
    assert report.state("time") == pytest.approx(view["opening"]["time"])


@AT_1280
def test_motion_is_enlarged_and_the_drawing_says_so(size, opened, report_of, screenshots):
    report = opened(report_of("timing-06b"), size)
    page = report.page
    report.wait_for("c.frames > 70")
    count = page.evaluate("() => window.chaindrive.drives[0].links")
    places = "n => Array.from({length: n}, (_, i) => window.chaindrive.place(0, 'roller', i))"
    before = page.evaluate(places, count)
    moved = {}
    for factor in (10, 50):
        page.locator(".panel.arrows .chart-switch button", has_text=f"× {factor}").click()
        report.settle()
        now = page.evaluate(places, count)
        moved[factor] = [(a[0] - b[0], a[1] - b[1]) for a, b in zip(now, before, strict=True)]
    still = [k for k in range(count) if moved[50][k] == pytest.approx((0, 0), abs=1e-6)]
    assert 20 < len(still) < count - 40  # on the wheels
    for near, far in zip(moved[10], moved[50], strict=True):  # 49 / 9 times as far
        assert far == pytest.approx([49 / 9 * x for x in near], abs=1e-3)
    assert max(abs(y) for _, y in moved[50]) > 1.0
    said = page.locator(".panel.arrows .remark").inner_text()
    assert "mean" in said
    page.locator("#animation").scroll_into_view_if_needed()
    for box in page.locator(".panel.arrows .check input:not(:checked):not(:disabled)").all():
        if box.is_visible():
            box.check()
    report.settle()
    page.screenshot(path=screenshots / f"enlarged-{size[0]}.png")


def test_what_is_followed_stays_in_the_middle_and_paper_shows_all(opened, report_of):
    report = opened(report_of("timing-06b"))
    page = report.page
    report.wait_for("c.frames > 70")
    report.click_part("link", 30)
    page.locator(".panel.pick input[type=checkbox]").check()
    width, height = canvas_size(report)
    page.locator("#stage canvas").first.hover(position={"x": 0.2 * width, "y": 0.3 * height})
    page.mouse.move(*[sum(x) for x in zip((5, 5), _corner(report), strict=True)])
    for _ in range(4):
        page.mouse.wheel(0, -300)
        page.wait_for_timeout(30)
    report.wait_for("c.zoom > 2")
    report.settle()
    middle = [width / 2, height / 2]
    assert page.evaluate("() => window.chaindrive.place(0, 'link', 30)") == pytest.approx(middle, abs=1.5)
    report.button("Next frame").click()
    report.settle()
    assert page.evaluate("() => window.chaindrive.place(0, 'link', 30)") == pytest.approx(middle, abs=1.5)
    zoom = report.state("zoom")
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    assert report.state("zoom") == 1
    for wheel in range(3):
        x, y = page.evaluate("w => window.chaindrive.place(0, 'wheel', w)", wheel)
        assert 0 < x < 680
        assert 0 < y < 600
    page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
    report.settle()
    assert report.state("zoom") == pytest.approx(zoom)
    assert page.evaluate("() => window.chaindrive.place(0, 'link', 30)") == pytest.approx(middle, abs=1.5)


def _corner(report):
    box = report.canvas().bounding_box()
    return box["x"] + 0.25 * box["width"], box["y"] + 0.3 * box["height"]


WIDTH = "document.querySelector('#stage canvas').getBoundingClientRect().width"


def test_the_drawing_fills_the_screen(opened, report_of, screenshots):
    report = opened(report_of("timing-06b"))
    page = report.page
    report.wait_for("c.frames > 70")
    before = canvas_size(report)
    report.button("Full screen").click()
    page.wait_for_function("() => document.fullscreenElement !== null")
    page.wait_for_function(f"() => {WIDTH} > {1.5 * before[0]}")
    report.settle()
    inside = page.locator(".transport").bounding_box()
    assert canvas_size(report)[0] > 1.5 * before[0]
    assert inside["y"] + inside["height"] <= 900  # with its transport
    lowest = "e => Math.max(...[...e.children].map((c) => c.getBoundingClientRect().bottom))"
    below = page.viewport_size["height"] - page.locator(".stage-main").evaluate(lowest)
    assert 0 <= below <= 24  # all of the screen
    check_labels(placed(report), canvas_size(report))
    page.screenshot(path=screenshots / "full-screen.png")
    report.button("Exit full screen").click()
    page.wait_for_function("() => document.fullscreenElement === null")
    page.wait_for_function(f"() => Math.abs({WIDTH} - {before[0]}) <= 1")
    report.settle()
    assert canvas_size(report) == pytest.approx(before, abs=1)


def test_the_first_frames_of_a_run_have_their_colours(opened, run_of):
    run_of("timing-06b")
    go_on = threading.Event()
    drive = chaindrive.example("timing-06b")
    with LiveView(drive) as view:
        live = opened(view.address)
        live.wait_for("c.frames === 0")

        def observe(observation):
            view.observe(observation)
            assert go_on.wait(60.0)

        run = threading.Thread(target=lambda: chaindrive.simulate(drive, 0.02, observe=observe, progress=False))
        run.start()
        try:
            live.wait_for("c.frames > 0")
            live.settle()
            colours = live.page.evaluate(LINK_COLOURS, drive.chain.links)
        finally:
            go_on.set()
            run.join(60.0)
    live.problems[:] = [each for each in live.problems if "ERR_CONNECTION" not in each and "feed?" not in each]
    assert len(colours) > 5


LINK_COLOURS = """links => {
    const canvas = document.querySelector('#stage canvas');
    const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
    context.drawImage(canvas, 0, 0);
    const found = new Set();
    for (let i = 0; i < links; i++) {
        const [x, y] = window.chaindrive.place(0, 'link', i);
        found.add([...context.getImageData(Math.round(x), Math.round(y), 1, 1).data].map(c => c >> 4).join());
    }
    return [...found];
}"""
