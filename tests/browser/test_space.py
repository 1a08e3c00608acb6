"""The drawing in space in a real browser: it draws, turns, shows a chain line, follows a link; and without WebGL."""

from __future__ import annotations

import io
import math
import re

import numpy as np
import pytest
from PIL import Image

import chaindrive
from chaindrive.report import write_report
from chaindrive.viewer import LiveView
from support.editor_page import AT_390

WIDE, NARROW = (1280, 800), (390, 844)
NAME = "misaligned-08b"
PICKED = (0x00, 0xA5, 0xE0)


class Stage:
    """The drawing in space on a page."""

    def __init__(self, report, in_space=True):
        self.report, self.page = report, report.page
        report.wait_for("c.frames > 5")
        self.page.locator("#animation").scroll_into_view_if_needed()
        if in_space:
            self.button("3-D").click()
            self.rest()

    def button(self, name):
        return self.page.get_by_role("button", name=re.compile(f"^{name}"))

    @property
    def canvas(self):
        return self.page.locator("#stage .space-canvas").first

    def rest(self):
        """Wait until the eye is there and the picture is drawn finely."""
        self.report.wait_for("c.space && !c.space.moving")
        self.page.wait_for_timeout(400)
        self.report.settle()

    def see(self, name):
        self.button(name).click()
        self.rest()

    def stretch(self, factor):
        self.page.get_by_label("Scale of distances out of the plane").select_option(str(factor))
        self.rest()

    def place(self, kind, index):
        return np.array(self.page.evaluate("a => window.chaindrive.place(0, ...a)", [kind, index]))

    def middle(self):
        box = self.canvas.bounding_box()
        return np.array([0.5 * box["width"], 0.5 * box["height"]])

    def picture(self):
        """Pixels as they are seen, (rows, columns, 3), one for each CSS pixel of the canvas."""
        data = self.canvas.screenshot(scale="css", style=".stage-tools, .space-name { visibility: hidden !important }")
        return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype=int)

    def pixels_like(self, colour, tolerance=24):
        """Positions of such pixels, (n, 2): x, y."""
        y, x = np.nonzero((np.abs(self.picture() - np.array(colour)) <= tolerance).all(axis=-1))
        return np.column_stack([x, y]) + 0.5

    def pick(self, kind, index):
        self.page.get_by_label("Kind of part to select").select_option(kind)
        chooser = self.page.locator(".pick-item input, .pick-item select")
        chooser.fill(str(index)) if kind == "link" else chooser.select_option(str(index))
        self.rest()


@pytest.fixture
def stage(report_of, opened):
    return lambda size=WIDE, **options: Stage(opened(report_of(NAME), size, **options))


def drag(stage, dx, dy, button="left"):
    x, y = stage.page.evaluate(
        "() => { const b = document.querySelector('.space-canvas').getBoundingClientRect();"
        " return [b.left + 0.3 * b.width, b.top + 0.85 * b.height]; }"
    )
    stage.page.mouse.move(x, y)
    stage.page.mouse.down(button=button)
    for part in (0.3, 0.6, 1.0):
        stage.page.mouse.move(x + part * dx, y + part * dy)
    stage.page.mouse.up(button=button)
    stage.rest()


@AT_390
def test_the_drive_is_drawn_in_space_and_moves(size, stage, screenshots):
    seen = stage(size)
    report = seen.report
    assert seen.canvas.is_visible()
    assert not report.canvas().is_visible()  # the first canvas is that in the plane
    picture = seen.picture()
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 200
    ground = picture[0, 0]
    covered = (np.abs(picture - ground) > 12).any(axis=-1).mean()
    assert 0.03 < covered < 0.6
    assert report.overflow() <= 0
    report.page.screenshot(path=screenshots / f"space-{size[0]}.png")
    report.button("Play").click()
    report.wait_for("c.playing && c.frame > 5")
    report.button("Pause").click()
    report.wait_for("!c.playing")
    seen.rest()
    assert np.abs(seen.picture() - picture).max() > 60
    for name in ("Along the chain", "From above", "From the side"):
        seen.see(name)
        assert report.overflow() <= 0
        report.page.screenshot(path=screenshots / f"space-{name.split()[-1]}-{size[0]}.png")


def test_the_colours_of_the_links_are_those_of_their_tension(stage):
    """Seen from the side, plates of the tight span have the colour of the scale of the planar drawing."""
    seen = stage()
    seen.see("From the side")
    tight = chaindrive.example(NAME)
    assert tight.wheels[1].load_torque == 40.0
    seen.button("2-D").click()
    seen.report.settle()
    tensions = seen.page.evaluate("() => document.querySelector('.colour-bar').style.background")
    scale = np.array([[int(v) for v in part.split(")")[0].split(",")] for part in tensions.split("rgb(")[1:]])
    seen.button("3-D").click()
    seen.rest()
    found = seen.picture().reshape(-1, 3)
    vivid = found[np.ptp(found, axis=1) > 90]
    far = np.abs(vivid[:, None] - scale[None]).max(axis=2).min(axis=1)
    assert len(vivid) > 2000
    assert np.mean(far < 20) > 0.6  # the rest: edges, smoothed pixels


def test_turning_moving_and_zooming(stage):
    seen = stage()
    before, picture = seen.report.state("space")["sight"], seen.picture()
    drag(seen, 120, 0)
    turned = seen.report.state("space")["sight"]
    assert turned["yaw"] == pytest.approx(before["yaw"] - 120.0 / (2.0 * seen.middle()[1]) * math.pi, rel=0.02)
    assert turned["pitch"] == before["pitch"]
    assert (np.abs(seen.picture() - picture) > 40).mean() > 0.02
    assert seen.report.state("picked") is None  # a drag picks nothing
    drag(seen, 0, 60)
    assert seen.report.state("space")["sight"]["pitch"] > turned["pitch"]
    drag(seen, 0, -2000)
    assert seen.report.state("space")["sight"]["pitch"] == -0.5 * math.pi  # not over the top
    seen.see("From the front")
    place = seen.place("wheel", 1)
    drag(seen, -70, 30, "right")
    np.testing.assert_allclose(seen.place("wheel", 1) - place, [-70, 30], atol=8)  # perspective
    place, height = seen.place("wheel", 1), seen.report.state("space")["sight"]["height"]
    seen.canvas.hover()
    seen.page.mouse.wheel(0, -200)
    seen.rest()
    assert seen.report.state("space")["sight"]["height"] < 0.9 * height
    seen.canvas.press("0")
    seen.rest()
    assert seen.report.state("space")["sight"]["shift"] == [0, 0, 0]
    yaw = seen.report.state("space")["sight"]["yaw"]
    seen.canvas.press("l")
    seen.canvas.press("i")
    assert seen.report.state("space")["sight"]["yaw"] > yaw


@pytest.mark.parametrize("factor", [1, 20])
def test_from_above_the_chain_line_is_seen(factor, stage):
    """The conveyor's wheel is 2 mm in front of the motor's, 509.2 mm to the right: so it is in the picture, too."""
    seen = stage()
    seen.see("From above")
    seen.stretch(factor)
    motor, conveyor = seen.place("wheel", 0), seen.place("wheel", 1)
    across, down = conveyor - motor
    assert across > 300
    assert down / across == pytest.approx(factor * 2.0 / 509.2, rel=1e-6)
    grid = seen.report.state("space")["grid"]
    assert grid[1] < grid[0] if factor > 1 else grid[1] == grid[0]
    if factor == 1:
        return
    # and so are the pixels: the chain around either wheel, by the middle of what is violet of its slack links
    picture = seen.picture()
    violet = (picture[..., 2] > 90) & (picture[..., 2] - picture[..., 1] > 60)
    rows = np.arange(picture.shape[0]) + 0.5
    scale = across / 509.2
    heights = []
    for place in (motor, conveyor):
        columns = violet[:, int(place[0] - 6 * scale) : int(place[0] + 6 * scale)]
        heights.append((columns * rows[:, None]).sum() / columns.sum())
    assert heights[1] - heights[0] == pytest.approx(down, abs=0.25 * down)


def test_what_is_picked_is_drawn_where_it_is_said_to_be(stage):
    """The blue rim of a link is around its place, from wherever it is seen; a click there picks it."""
    seen = stage()
    for view in ("From the front", "From the side", "From above"):
        seen.see(view)
        seen.pick("link", 30)
        rim = seen.pixels_like(PICKED, 40)
        assert len(rim) > 10
        middle = 0.5 * (rim.min(axis=0) + rim.max(axis=0))
        np.testing.assert_allclose(middle, seen.place("link", 30), atol=3.0)
    seen.see("From the side")
    for kind, index in (("wheel", 0), ("link", 32)):  # from here the neighbour of link 31 stands before it
        x, y = seen.place(kind, index)
        seen.canvas.click(position={"x": x, "y": y})
        assert seen.report.state("picked") == {"result": 0, "kind": kind, "index": index}
    seen.canvas.press("Escape")
    assert seen.report.state("picked") is None


def test_a_wheel_that_is_picked_says_where_it_stands(stage):
    seen = stage()
    seen.pick("wheel", 1)
    details = seen.page.locator("#details").inner_text()
    assert "2 mm" in details or "2.00 mm" in details
    assert "0.500°" in details
    assert len(seen.pixels_like(PICKED, 40)) > 100


def test_a_link_is_followed(stage, screenshots):
    seen = stage()
    seen.pick("link", 10)
    seen.canvas.press("f")
    seen.rest()
    for frame in (0, 40, 90):
        seen.report.scrub().fill(str(frame))
        seen.rest()
        np.testing.assert_allclose(seen.place("link", 10), seen.middle(), atol=0.6)
    for _ in range(5):
        seen.canvas.press("+")
    seen.see("Along the chain")
    np.testing.assert_allclose(seen.place("link", 10), seen.middle(), atol=0.6)
    seen.see("From the front")
    seen.page.screenshot(path=screenshots / "space-followed.png")
    rim = seen.pixels_like(PICKED, 40)
    np.testing.assert_allclose(0.5 * (rim.min(axis=0) + rim.max(axis=0)), seen.middle(), atol=25.0)
    seen.canvas.press("f")  # and stays where the view is
    seen.rest()
    np.testing.assert_allclose(seen.place("link", 10), seen.middle(), atol=0.6)


def test_back_in_the_plane(stage):
    seen = stage()
    said = seen.page.locator(".space-said")
    assert "Grid" in said.inner_text()
    seen.button("2-D").click()
    seen.report.settle()
    assert seen.report.state("space") is None
    assert seen.report.canvas().is_visible()
    assert not seen.canvas.is_visible()
    assert said.inner_text() == "Shown in 2-D."
    assert seen.report.colours() > 200
    seen.report.canvas().press("3")
    seen.rest()
    assert seen.canvas.is_visible()
    seen.canvas.press("2")
    assert seen.report.state("space") is None
    seen.button("3-D").click()
    seen.page.emulate_media(media="print")
    assert not seen.page.locator(".space-bar").is_visible()
    assert not seen.canvas.is_visible()


def test_without_webgl_the_plane_stays_and_it_says_why(report_of, opened):
    report = opened(report_of(NAME))
    report.page.evaluate(
        "() => { const get = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext ="
        " function (kind, ...more) { return kind.startsWith('webgl') ? null : get.call(this, kind, ...more); }; }"
    )
    seen = Stage(report, in_space=False)
    seen.button("3-D").click()
    assert "3-D needs WebGL 2" in seen.page.locator(".space-said").inner_text()
    assert seen.button("3-D").is_disabled()
    assert report.state("space") is None
    assert report.canvas().is_visible()
    assert report.colours() > 200
    report.button("Play").click()
    report.wait_for("c.playing && c.frame > 3")


def test_drives_in_the_plane_have_no_such_bar(report_of, opened):
    report = opened(report_of("industrial-08b"))
    report.wait_for("c.frames > 5")
    assert report.page.locator(".space-bar").count() == 0
    report.canvas().press("3")
    assert report.state("space") is None


def test_a_finger_turns_and_picks(stage):
    seen = stage(NARROW)
    assert (
        seen.canvas.evaluate("c => getComputedStyle(c).touchAction") == "pan-y"
    )  # until it is touched, to scroll over
    x, y = seen.place("wheel", 1)
    seen.canvas.tap(position={"x": x, "y": y})
    assert seen.report.state("picked") == {"result": 0, "kind": "wheel", "index": 1}
    assert seen.canvas.evaluate("c => getComputedStyle(c).touchAction") == "none"
    before = seen.report.state("space")["sight"]
    box = seen.canvas.bounding_box()
    touch = seen.page.context.new_cdp_session(seen.page)

    def send(kind, *points):
        at = [{"x": box["x"] + px, "y": box["y"] + py, "id": k} for k, (px, py) in enumerate(points)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    send("touchStart", (100, 150))
    for step in range(1, 5):
        send("touchMove", (100 + 15 * step, 150 + 10 * step))
    send("touchEnd")
    seen.rest()
    turned = seen.report.state("space")["sight"]
    assert turned["yaw"] < before["yaw"] - 0.2
    assert turned["pitch"] > before["pitch"] + 0.1
    send("touchStart", (100, 150), (200, 150))
    for step in range(1, 5):
        send("touchMove", (100 - 10 * step, 150), (200 + 10 * step, 150))
    send("touchEnd")
    seen.rest()
    zoomed = seen.report.state("space")["sight"]
    assert zoomed["height"] == pytest.approx(turned["height"] / 1.8, rel=0.15)
    assert zoomed["yaw"] == pytest.approx(turned["yaw"], abs=0.02)


HOSTILE = "<img src=x onerror='window.hacked=1'></script><script>window.hacked=2</script>"


def test_hostile_names_come_out_as_text(opened, tmp_path):
    drive = chaindrive.example(NAME)
    wheels = tuple(wheel.model_copy(update={"name": f"{HOSTILE} {k}"}) for k, wheel in enumerate(drive.wheels))
    solution = chaindrive.simulate(drive.model_copy(update={"wheels": wheels, "name": HOSTILE}), 0.02)
    write_report(solution, tmp_path / "hostile.html")
    seen = Stage(opened(tmp_path / "hostile.html"))
    assert seen.page.evaluate("() => window.hacked") is None
    names = seen.page.locator(".space-name").all_text_contents()
    assert all(name.startswith("<img src=x") for name in names)
    assert seen.page.locator("#stage img").count() == 0


def test_two_results_are_seen_from_the_same_place(report_of, opened):
    """One of them is planar: it stays so next to the other."""
    report = opened(report_of(NAME, "industrial-08b"))
    seen = Stage(report)
    assert seen.page.locator(".space-canvas").count() == 1
    assert seen.canvas.is_visible()
    assert seen.page.locator(".stage-view").nth(1).locator(".stage-canvas").is_visible()
    assert report.overflow() <= 0


def test_a_run_that_goes_on_is_drawn_in_space(run_of, opened):
    run_of(NAME)
    drive = chaindrive.example(NAME)
    with LiveView(drive) as view:
        chaindrive.simulate(drive, 0.03, observe=view.observe, progress=view.progress)
        seen = Stage(opened(view.address))
        assert len(np.unique(seen.picture().reshape(-1, 3), axis=0)) > 200
        seen.see("From above")
        motor, conveyor = seen.place("wheel", 0), seen.place("wheel", 1)
        assert conveyor[1] > motor[1]


@pytest.mark.parametrize(
    ("follows", "size"),
    [
        pytest.param(False, WIDE, id="still-1280", marks=pytest.mark.long),
        pytest.param(False, NARROW, id="still-390"),
        pytest.param(True, WIDE, id="followed-1280"),
        pytest.param(True, NARROW, id="followed-390", marks=pytest.mark.long),
    ],
)
def test_a_link_brings_back_the_view(follows, size, stage, opened):
    seen = stage(size)
    report, page = seen.report, seen.page
    seen.see("Along the chain")
    seen.stretch(5)
    if follows:
        seen.pick("link", 6)
        page.get_by_label("follow").check()
        seen.rest()
    page.get_by_label("side forces of teeth").uncheck()
    for key in ("j", "k", "+", "Alt+ArrowLeft"):
        seen.canvas.press(key)
    seen.rest()
    page.wait_for_timeout(700)
    sight = report.state("space")["sight"]
    again = opened(page.url, size)
    again.wait_for("c.space && !c.space.moving")
    again.page.wait_for_timeout(500)
    found = again.state("space")["sight"]
    for name in ("yaw", "pitch", "height"):
        assert found[name] == pytest.approx(sight[name], rel=1e-7, abs=1e-9)
    assert found["shift"] == pytest.approx(sight["shift"], rel=1e-6, abs=1e-8)
    assert np.hypot(*found["shift"][:2]) > 0
    assert again.state("following") == follows
    assert again.page.get_by_label("Scale of distances out of the plane").input_value() == "5"
    assert again.page.get_by_label("parallel projection").is_checked()
    assert not again.page.get_by_label("side forces of teeth").is_checked()
    assert np.array(again.page.evaluate("() => window.chaindrive.place(0, 'link', 6)")) == pytest.approx(
        seen.place("link", 6), abs=0.5
    )
