"""The report in a real browser: it draws, plays, scrubs and picks, with the pointer, a finger or the keyboard alone."""

from __future__ import annotations

import base64
import io
import math
import re
import tomllib

import numpy as np
import pytest
from PIL import Image

import chaindrive
from chaindrive.model import example_names
from chaindrive.report import write_report
from support.editor_page import AT_390, AT_1280
from support.rigid_run import offsets, rigid

WIDE, NARROW = (1280, 900), (390, 844)
SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["1280", "390"])
MARINE, CAR = "6s90mc-c", "timing-06b"
TINY = (("hoist", NARROW), ("conveyor-16b", WIDE), ("conveyor-16b", NARROW))
"""A drive whose wheels are drawn smaller than a finger, or than the adjacent links."""
SEEN = ((MARINE, WIDE), (CAR, NARROW))
"""Sizes and colour schemes tested by default."""


@pytest.mark.parametrize(
    ("name", "size"),
    [
        pytest.param(name, size, id=f"{name}-{size[0]}", marks=() if (name, size) in SEEN else pytest.mark.long)
        for name in example_names()
        for size in (WIDE, NARROW)
    ],
)
def test_report_of_every_example(name, size, report_of, opened, screenshots):
    report = opened(report_of(name), size)
    page = report.page
    report.wait_for("c.frames > 70")
    assert page.title() == chaindrive.example(name).name
    assert report.overflow() <= 0
    assert report.colours() > 200  # teeth, links in the colours of their tensions, smoothed edges

    report.button("First frame").click()  # it opens at its worst moment, which may be the last
    begin = report.state("time")
    report.button("Play").click()
    report.wait_for("c.playing && c.time > x && c.frame > 2", begin)
    report.button("Pause").click()
    report.wait_for("!c.playing")
    stopped = report.state("frame")
    report.button("Next frame").click()
    assert report.state("frame") == stopped + 1
    report.button("Previous frame").click()
    assert report.state("frame") == stopped

    report.scrub().fill("60")
    assert report.state("frame") == 60
    at_sixty = report.state("time")
    assert 0.0 < at_sixty < 0.15
    report.settle()
    clock = page.locator("#stage .clock").inner_text()
    assert float(re.search(r"t = ([\d.]+) s", clock)[1]) == pytest.approx(at_sixty, abs=1e-4)
    assert "frame 61 of" in page.locator("#stage .count").inner_text()
    report.button("Last frame").click()
    assert report.state("time") == pytest.approx(0.15, abs=1e-9)
    report.button("First frame").click()
    assert report.state("frame") == 0

    wheels = chaindrive.example(name).wheels
    grounded = [w for w in range(len(wheels)) if wheels[w].body == "ground"]  # others lie under their bodies
    if grounded:
        index = max(grounded[1:] or grounded, key=lambda w: wheels[w].teeth)
        if (name, size) in TINY:
            page.get_by_label("Kind of part to select").select_option("wheel")
            page.locator(".pick-item select").select_option(str(index))
        else:
            report.click_part("wheel", index)
        assert report.state("picked") == {"result": 0, "kind": "wheel", "index": index}
        report.settle()
        assert wheels[index].name in page.locator("#details").inner_text()
    page.get_by_label("Kind of part to select").select_option("link")
    number, listed = (page.locator(f".pick-item {kind}") for kind in ("input", "select"))
    number.fill("7") if number.count() else listed.select_option("7")  # a short chain's links are listed
    assert report.state("picked") == {"result": 0, "kind": "link", "index": 7}
    report.settle()
    assert re.search(r"[\d.]+ k?N\b", page.locator("#details").inner_text())
    report.scrub().fill("40")
    page.mouse.move(1, 1)
    if name in (MARINE, CAR):
        report.keep(screenshots / f"{name}-{size[0]}.png")
    else:
        page.locator("#animation").scroll_into_view_if_needed()
        page.screenshot(path=screenshots / f"{name}-{size[0]}.png")
    assert report.overflow() <= 0


@SIZES
def test_two_results_side_by_side(size, report_of, opened, screenshots):
    report = opened(report_of(MARINE, "6s90mc-c-guides"), size)
    report.wait_for("c.frames > 100")
    names = [chaindrive.example(name).name for name in (MARINE, "6s90mc-c-guides")]
    assert report.state("results") == names
    boxes = [report.canvas(k).bounding_box() for k in (0, 1)]
    if size == WIDE:
        assert boxes[0]["y"] == pytest.approx(boxes[1]["y"], abs=1)
        assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    else:
        assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    assert all(report.colours(k) > 200 for k in (0, 1))
    assert report.overflow() <= 0
    before = [report.canvas(k).evaluate("c => c.toDataURL()") for k in (0, 1)]
    report.button("Play").click()
    report.wait_for("c.frame > 3")
    report.button("Pause").click()
    report.wait_for("!c.playing")
    assert all(report.canvas(k).evaluate("c => c.toDataURL()") != before[k] for k in (0, 1))
    report.click_part("wheel", 2, result=1)
    assert report.state("picked") == {"result": 1, "kind": "wheel", "index": 2}
    report.keep(screenshots / f"two-results-{size[0]}.png")


WORN = 1e-4


@pytest.fixture(scope="module")
def rigid_solution():
    """A short run of the car's drive with rigid links and worn joints, whose clearance is some pixels wide."""
    return chaindrive.simulate(rigid(chaindrive.example(CAR), clearance=WORN), 0.02)


PIN = (0x75, 0x82, 0x8C)


def middle_of_pin(report):
    """Number of pixels of the page that show a pin, and their centre on the canvas. [px]"""
    data = report.canvas().evaluate("canvas => canvas.toDataURL()").partition(",")[2]
    picture = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))
    ratio = picture.shape[1] / report.canvas().bounding_box()["width"]
    rows, columns = np.nonzero((picture == PIN).all(axis=2))
    return rows.size / ratio**2, (columns.mean() + 0.5) / ratio, (rows.mean() + 0.5) / ratio


@AT_1280
def test_rigid_links_are_plates_with_pins_in_their_bushes(size, rigid_solution, tmp_path, opened, screenshots):
    path = tmp_path / "rigid.html"
    write_report([rigid_solution], path)
    report = opened(path, size)
    report.wait_for("c.frames > 100")
    page, drive = report.page, rigid_solution.drive
    assert report.overflow() <= 0
    report.scrub().fill("60")
    page.get_by_label("Kind of part to select").select_option("link")
    page.locator(".pick-item input").fill("7")
    report.settle()
    details = page.locator("#details").inner_text()
    for words in ("Pin force in its bush (joint 7), on its pin (joint 8)", "Pin gap at both joints"):
        assert words in details
    assert re.search(r"Angle, counter-clockwise from the x axis\s+−?[\d.]+°", details)
    for title in ("Pin force", "Gap between pin and bush", "Angle of link 7"):
        assert page.locator("#pickedChart figcaption", has_text=title).count() == 1
    page.get_by_label("Quantity along the loop").select_option("pin_force")
    assert page.locator("#loop figcaption").inner_text().startswith("Pin force along the loop")
    assert "largest pin force" in page.locator("#peaks").inner_text()
    assert "lost in contacts of pins in bushes" in page.locator("#losses").inner_text()

    page.get_by_label("Kind of part to select").select_option("roller")
    page.locator(".pick-item input").fill("40")
    for key in ("f", "a", *"+++++"):  # without arrows, which would lie over the pin
        report.canvas().press(key)
    report.settle()
    page.locator("#animation").scroll_into_view_if_needed()
    page.screenshot(path=screenshots / f"rigid-links-{size[0]}.png")
    box = report.canvas().bounding_box()
    while middle_of_pin(report)[0] < 0.2 * min(box["width"], box["height"]) ** 2:
        report.canvas().press("+")
        report.settle()
    page.screenshot(path=screenshots / f"rigid-joint-{size[0]}.png")
    # the area of the pin gives the scale, the middle of its pixels its place: as far off as in the run
    area, x, y = middle_of_pin(report)
    scale = math.sqrt(area / math.pi) / (0.5 * drive.chain.pin_diameter)
    row = 60
    bushes, angles = (rigid_solution.values(name)[row] for name in ("roller_position", "link_angle"))
    dx, dy = offsets(drive, bushes, angles)[40]
    assert math.hypot(dx, dy) == pytest.approx(0.5 * WORN, rel=0.5)
    at = page.evaluate("window.chaindrive.place(0, 'roller', 40)")
    assert (x - at[0], at[1] - y) == pytest.approx((scale * dx, scale * dy), abs=1.0)
    assert scale * math.hypot(dx, dy) > 2.0
    report.button("Play").click()
    report.wait_for("c.playing && c.frame > 62")
    report.button("Pause").click()


def test_rollers_and_rigid_links_side_by_side(run_of, rigid_solution, tmp_path, opened, screenshots):
    path = tmp_path / "both.html"
    write_report([run_of(CAR), rigid_solution], path, labels=["rollers", "rigid links"])
    report = opened(path)
    report.wait_for("c.frames > 100")
    page = report.page
    assert all(report.colours(k) > 200 for k in (0, 1))
    page.get_by_label("Kind of part to select").select_option("roller")
    page.locator(".pick-item input").fill("40")
    report.settle()
    force = page.locator("#details tr", has_text="Pin force").locator("td").all_inner_texts()
    assert force[0] == "–"
    assert force[1].endswith("N")
    chooser = page.get_by_label("Quantity along the loop")
    chooser.select_option("pin_gap")
    assert "rigid links" in page.locator("#loop figcaption").inner_text()
    page.locator("#loop label", has_text="Result").locator("select").select_option("0")
    assert "has no joints of this kind" in page.locator("#loop .remark").inner_text()
    chooser.select_option("link_tension")
    assert page.locator("#loop figcaption").inner_text().startswith("Tension along the loop, rollers")
    report.keep(screenshots / "rollers-and-rigid-links-1280.png")


def test_with_the_keyboard_alone(report_of, opened, screenshots):
    """From the top of the page with Tab to the animation, then every key that the page promises."""
    report = opened(report_of(CAR))
    report.wait_for("c.frames > 100")
    page = report.page
    keys = page.keyboard
    focused = "() => document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
    seen = []
    for _ in range(60):
        keys.press("Tab")
        seen.append(page.evaluate(focused))
        if seen[-1].startswith("Play"):
            break
    assert seen[-1].startswith("Play"), seen
    assert any(text.startswith("Animation of") for text in seen)  # the canvas itself comes before
    outline = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    keys.press("Enter")
    report.wait_for("c.playing")
    keys.press("Enter")
    report.wait_for("!c.playing")

    while not page.evaluate("() => document.activeElement instanceof HTMLCanvasElement"):
        keys.press("Shift+Tab")
    keys.press("Home")
    assert report.state("frame") == 0
    keys.press("Space")
    report.wait_for("c.playing && c.frame > 1")
    keys.press("Space")
    report.wait_for("!c.playing")
    keys.press("Home")
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    assert report.state("frame") == 2
    keys.press("Shift+ArrowRight")
    assert report.state("frame") == 12
    keys.press("ArrowLeft")
    assert report.state("frame") == 11
    keys.press("End")
    assert report.state("frame") == report.state("frames") - 1
    fast = report.state("speed")
    keys.press("[")
    assert report.state("speed") < fast
    keys.press("]")
    assert report.state("speed") == fast
    keys.press("+")
    report.wait_for("c.zoom > 1.2")
    keys.press("0")
    report.wait_for("Math.abs(c.zoom - 1) < 1e-6")
    keys.press("n")
    first = report.state("picked")
    keys.press("n")
    assert report.state("picked") != first
    keys.press("p")
    assert report.state("picked") == first
    keys.press("f")
    assert report.state("following")
    keys.press("Escape")
    assert report.state("picked") is None
    with_arrows = report.canvas().evaluate("c => c.toDataURL()")
    keys.press("a")
    report.settle()
    assert report.canvas().evaluate("c => c.toDataURL()") != with_arrows
    keys.press("?")
    assert page.get_by_role("dialog").is_visible()
    page.screenshot(path=screenshots / "keys-1280.png")
    keys.press("Escape")
    assert page.get_by_role("dialog").count() == 0


BESIDE_THE_CHAIN = """([index, side, n]) => {
    const at = (kind, k) => window.chaindrive.place(0, kind, k);
    const [x, y] = at("guide", index);
    const far = k => Math.hypot(at("link", k)[0] - x, at("link", k)[1] - y);
    const link = [...Array(n).keys()].reduce((best, k) => (far(k) < far(best) ? k : best));
    const [a, b] = [at("roller", link), at("roller", (link + 1) % n)];
    return [(a[0] + b[0]) / 2 - side * (b[1] - a[1]), (a[1] + b[1]) / 2 + side * (b[0] - a[0])];
}"""
"""A point this many pitches from the link nearest to a guide. [px]"""


def test_picking_every_kind_of_part(report_of, opened):
    """A click on a part picks it, or the part drawn over it."""
    report = opened(report_of("6s90mc-c-tightener"))
    report.wait_for("c.frames > 100")
    drive = chaindrive.example("6s90mc-c-tightener")
    for index in range(len(drive.wheels)):  # a span is what is beside its links
        x, y = report.page.evaluate("index => window.chaindrive.place(0, 'span', index)", index)
        found = []
        for dx, dy in ((14, 0), (-14, 0), (0, 14), (0, -14)):
            report.canvas().click(position={"x": x + dx, "y": y + dy})
            found.append(report.state("picked"))
        assert {"result": 0, "kind": "span", "index": index} in found
    centres = [report.page.evaluate("w => window.chaindrive.place(0, 'wheel', w)", w) for w in range(len(drive.wheels))]
    apart = math.dist(drive.wheels[0].position, drive.wheels[1].position)
    pixels = math.dist(centres[0], centres[1]) / apart
    for index, wheel in enumerate(drive.wheels):
        reach = 0.6 * pixels * wheel.teeth * drive.chain.pitch / (2.0 * math.pi)
        found = set()
        for direction in range(6):  # the arm of a wheel that is carried lies over a part of it
            x = centres[index][0] + reach * math.cos(math.pi * direction / 3.0)
            y = centres[index][1] + reach * math.sin(math.pi * direction / 3.0)
            report.canvas().click(position={"x": x, "y": y})
            found.add((report.state("picked")["kind"], report.state("picked")["index"]))
        assert ("wheel", index) in found
        assert found <= {("wheel", index), ("body", 0)}
    for kind in ("body", "tensioner"):
        report.page.get_by_label("Kind of part to select").select_option(kind)
        assert report.state("picked") == {"result": 0, "kind": kind, "index": 0}
    small = [("link", index) for index in (0, 31, 100, drive.chain.links - 1)]
    small += [("guide", index) for index in range(len(drive.guides))]
    for kind, index in small:  # looked at closely
        report.page.get_by_label("Kind of part to select").select_option(kind)
        chooser = report.page.locator(".pick-item input, .pick-item select")
        chooser.fill(str(index)) if kind == "link" else chooser.select_option(str(index))
        report.canvas().press("0")
        if not report.state("following"):
            report.canvas().press("f")
        for _ in range(8):
            report.canvas().press("+")
        report.settle()
        part = {"result": 0, "kind": kind, "index": index}
        if kind == "link":
            report.click_part(kind, index)  # picks what is there, or unpicks
            assert report.state("picked") == part
            continue
        found = []
        for side in (0.3, -0.3):  # beside the plates of the link that is nearest to its middle
            x, y = report.page.evaluate(BESIDE_THE_CHAIN, [index, side, drive.chain.links])
            report.canvas().click(position={"x": x, "y": y})
            found.append(report.state("picked"))
            report.page.get_by_label("Kind of part to select").select_option(kind)
            report.page.locator(".pick-item select").select_option(str(index))
            report.settle()
        assert part in found


@AT_390
def test_a_peak_in_the_table_leads_to_its_moment(size, report_of, opened):
    report = opened(report_of(CAR), size)
    report.wait_for("c.frames > 100")
    buttons = report.page.locator("main button.jump")
    assert buttons.count() >= 5
    for k in (0, 7, buttons.count() - 1):
        data = buttons.nth(k).evaluate("b => ({...b.dataset})")
        buttons.nth(k).scroll_into_view_if_needed()
        buttons.nth(k).click()
        report.wait_for("Math.abs(c.time - x) < 1e-9", float(data["jumpTime"]))  # a frame of its own
        kinds = [key for key in data if key not in ("jumpTime", "jumpResult")]
        if kinds:
            (key,) = kinds
            picked = {
                "result": int(data["jumpResult"]),
                "kind": key.removeprefix("jump").lower(),
                "index": int(data[key]),
            }
            assert report.state("picked") == picked
        report.page.wait_for_function(
            "() => { const b = document.querySelector('#stage canvas').getBoundingClientRect();"
            " return b.top < innerHeight && b.bottom > 0; }"
        )


def test_curves_show_the_moment_and_set_it(report_of, opened):
    report = opened(report_of(CAR))
    report.wait_for("c.frames > 100")
    report.page.locator("#curves").scroll_into_view_if_needed()  # what is out of sight is not drawn
    chart = report.page.locator("#curves .u-over").first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    chart.click(position={"x": 0.5 * box["width"], "y": 0.5 * box["height"]})
    assert report.state("time") == pytest.approx(0.075, abs=0.004)
    chart.click(position={"x": 0.25 * box["width"], "y": 0.5 * box["height"]})
    assert report.state("time") == pytest.approx(0.0375, abs=0.004)


@pytest.mark.parametrize("names", [(CAR,), (MARINE, "6s90mc-c-guides")], ids=["one", "two"])
def test_printed_it_is_a_clean_document(names, report_of, opened, screenshots):
    report = opened(report_of(*names))
    report.wait_for("c.frames > 100")
    path = screenshots / f"{'+'.join(names)}.pdf"
    printed = report.page.pdf(path=path, format="A4", print_background=True)
    pages = re.findall(rb"/Type\s*/Page\b(?!s)", printed)
    assert 2 <= len(pages) <= 40
    report.page.emulate_media(media="print")
    for hidden in ("nav", "#stage .buttons", "#stage input[type=range]", "#stage .stage-tools", "#stage select"):
        assert not report.page.locator(hidden).first.is_visible(), hidden
    assert report.page.locator("#stage canvas").first.is_visible()
    report.page.emulate_media(media="screen")
    assert report.overflow() <= 0


def test_no_motion_is_forced_on_anybody(report_of, opened):
    report = opened(report_of(CAR), reduced_motion="reduce")
    report.wait_for("c.frames > 100")
    opened_at = report.state("frame")
    report.page.wait_for_timeout(300)
    assert not report.state("playing")
    assert report.state("frame") == opened_at


def test_without_script_texts_and_tables_are_there(report_of, opened):
    report = opened(report_of(CAR), java_script_enabled=False)
    text = report.page.locator("main").inner_text()
    assert "crankshaft" in text
    assert "does not run" in text
    assert report.page.locator("main table").count() >= 3


HOSTILE = (
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked=2'>",
    "\"quotes' & {{ 7*7 }} {% raw %} ${window.hacked=3}",
    "链条 Kette größer ☃",
    "שרשרת ‮desrever‬ سلسلة",
)


@pytest.fixture(scope="module")
def hostile_report(tmp_path_factory):
    """Names that break out of markup and script where they are not escaped."""
    text = chaindrive.example(CAR).to_toml()
    data = tomllib.loads(text)
    names = {"ground": "ground"}
    parts = [part for kind in ("wheels", "bodies", "guides", "tensioners") for part in data[kind]]
    for k, part in enumerate(parts):
        names[part["name"]] = f"{HOSTILE[k % len(HOSTILE)]} {k}"
    for part in parts:
        for key in ("name", "body", "parent", "from_body", "to_body"):
            if key in part:
                part[key] = names[part[key]]
    drive = chaindrive.Drive.model_validate(data | {"name": HOSTILE[0] + HOSTILE[1], "source": "\n".join(HOSTILE)})
    path = tmp_path_factory.mktemp("hostile") / "</script>\"'链条.html".replace("/", "∕")
    write_report(chaindrive.simulate(drive, 0.02), path, labels=[HOSTILE[0]])
    return path


@AT_390
def test_hostile_names_come_out_as_text(hostile_report, size, opened, screenshots):
    report = opened(hostile_report, size)
    report.wait_for("c.frames > 50")
    page = report.page
    assert page.evaluate("() => window.hacked") is None
    text = page.locator("main").inner_text()
    for name in HOSTILE[:3]:
        assert name in text
    assert "链条 Kette größer ☃" in text
    assert report.state("results") == [HOSTILE[0]]
    page.get_by_label("Kind of part to select").select_option("wheel")
    options = page.locator(".pick-item option").all_text_contents()
    assert options == [f"{HOSTILE[k % len(HOSTILE)]} {k}" for k in range(len(options))]
    for index in range(len(options)):
        page.locator(".pick-item select").select_option(str(index))
        assert page.evaluate("() => window.hacked") is None
    assert page.locator("main img").count() == 0
    assert report.overflow() <= 0
    report.keep(screenshots / f"hostile-{size[0]}.png")
