"""The report of a variator in a real browser: from the side and from above, pins along the loop, in words of pins."""

from __future__ import annotations

import io
import re

import numpy as np
from PIL import Image

import chaindrive
from chaindrive.viewer import LiveView
from support.editor_page import AT_390, AT_1280

FOREIGN = re.compile(r"\btooth\b|\bteeth\b|\brollers?\b|\bsprocket", re.IGNORECASE)


def picture(canvas):
    return np.asarray(Image.open(io.BytesIO(canvas.screenshot())).convert("RGB")).astype(int)


@AT_390
def test_the_chain_is_seen_from_above_and_moves(size, report_of, opened, screenshots):
    report = opened(report_of("cvt-63"), size)
    page = report.page
    report.wait_for("c.frames > 70")
    assert report.overflow() <= 0
    above = page.locator("#stage .stage-above")
    above.scroll_into_view_if_needed()
    report.button("First frame").click()
    report.settle()
    before = picture(above)
    report.button("Next frame").click()
    report.settle()
    after = picture(above)
    assert (np.abs(before - after).max(axis=2) > 30).mean() > 0.003  # pins went on
    # Sheaves are symmetrical about the middle of the groove: above and below it are the same colours.
    box = above.bounding_box()
    assert box["width"] > 3.5 * box["height"]
    page.screenshot(path=screenshots / f"variator-{size[0]}.png")


@AT_1280
def test_a_pin_shows_its_forces_and_slip(size, report_of, opened):
    report = opened(report_of("cvt-63"), size)
    page = report.page
    report.wait_for("c.frames > 70")
    kind = page.get_by_label("Kind of part to select")
    assert [text.strip() for text in kind.locator("option").all_inner_texts()][-1] == "pin"
    kind.select_option("roller")
    report.settle()
    told = page.locator("#details").inner_text()
    assert "Pin " in told
    for word in ("Normal force on an end", "Friction around the axis", "Slip along the cone"):
        assert word in told
    kind.select_option("wheel")
    report.settle()
    told = page.locator("#details").inner_text()
    assert "Pair of sheaves" in told
    assert "Thrust" in told
    assert "Running radius" in told
    assert not FOREIGN.search(told)


def test_the_page_speaks_of_pins(report_of, opened):
    report = opened(report_of("cvt-63"), (1280, 900))
    report.wait_for("c.frames > 70")
    for place in (
        "#verdict",
        "#section-loop",
        "#section-spectra",
        "#section-orders",
        "#section-curves",
        "#section-campbell",
    ):
        report.page.locator(place).scroll_into_view_if_needed()
        report.settle()
    words = report.page.locator("body").inner_text()
    found = FOREIGN.search(words)
    assert not found, words[max(0, found.start() - 80) : found.end() + 80]
    for word in ("Thrust ratio", "Transmission ratio", "Slip limit", "pin frequency"):
        assert word.lower() in words.lower()
    assert not re.search(r"31\.5\d* (teeth|tooth)", words)


def test_forces_and_slip_are_drawn_along_the_loop(report_of, opened):
    report = opened(report_of("cvt-63"), (1280, 900))
    report.wait_for("c.frames > 70")
    chooser = report.page.get_by_label("Quantity along the loop")
    offered = chooser.locator("option").all_inner_texts()
    assert len(offered) == 6
    for value in ("pin_circumferential_friction", "pin_slip"):
        chooser.select_option(value)
        report.settle()
    assert "Slip around the axis" in report.page.locator("#section-loop").inner_text()


def test_the_live_page_follows_a_variator(opened, run_of):
    run_of("cvt-63")  # compiled before anybody waits for frames
    drive = chaindrive.example("cvt-63")
    with LiveView(drive) as view:
        live = opened(view.address, (1280, 900))
        live.wait_for("c.frames === 0")
        chaindrive.simulate(drive, 0.1, observe=view.observe, progress=view.progress)
        live.wait_for("c.frames > 20")
        live.settle()
        words = live.page.locator("body").inner_text()
        found = FOREIGN.search(words)
        assert not found, words[max(0, found.start() - 80) : found.end() + 80]
        assert live.page.locator("#stage .stage-above").is_visible()
    live.problems[:] = [each for each in live.problems if "ERR_CONNECTION" not in each and "feed?" not in each]
