"""The verdict at the top of the report: seen without scrolling, judged by sign and word, each a way to its moment."""

import re

import pytest

import chaindrive as cd
from chaindrive.report import write_report

SIZES = pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["1280", "390"])
LIMITS = {"contact_force": "1 N", "bearing_force": "1 MN", "vibration": "90 %"}


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """The report of the timing drive with limits, one of which does not hold."""
    drive = cd.example("timing-06b").replace({"limits": LIMITS})
    path = tmp_path_factory.mktemp("verdict") / "judged.html"
    write_report(cd.simulate(drive, until=0.15, progress=False), path)
    return path


@SIZES
def test_answers_are_seen_first(judged, size, opened, screenshots):
    report = opened(judged, size)
    page = report.page
    report.wait_for("c.frames > 70")
    assert report.overflow() <= 0
    page.screenshot(path=screenshots / f"verdict-{size[0]}.png")
    tiles = page.locator("#verdict .tile")
    assert tiles.count() == 10
    first = page.locator("#verdict .tile-headline").first.bounding_box()
    assert first["y"] + first["height"] < size[1]
    if size[0] == 1280:  # all of them without scrolling
        last = page.locator("#verdict .tile-headline").last.bounding_box()
        assert last["y"] + last["height"] < size[1]
    signs = {}
    for tile in tiles.all():
        signs[tile.get_attribute("id")] = tile.locator(".tile-sign").inner_text()
    assert signs["tile-0-contact_force"] == "✗ beyond the limit"
    assert signs["tile-0-bearing_force"] == "✓ good"
    assert signs["tile-0-efficiency"] == "– not judged"
    assert "limits.efficiency" in page.locator("#tile-0-efficiency").inner_text()


def test_a_tile_leads_to_its_moment(judged, opened):
    report = opened(judged, (1280, 800))
    page = report.page
    report.wait_for("c.frames > 70")
    button = page.locator("#tile-0-contact_force button.jump")
    time = float(button.get_attribute("data-jump-time"))
    button.click()
    report.wait_for("Math.abs(c.time - x) < 1e-9", time)
    picked = report.state("picked")
    assert (picked["kind"], picked["index"]) == ("roller", int(button.get_attribute("data-jump-roller")))
    told = re.search(r"at ([\d.]+)\s(ms|s)", page.locator("#tile-0-contact_force .tile-lines").inner_text())
    assert float(told[1]) * (1e-3 if told[2] == "ms" else 1.0) == pytest.approx(time, rel=1e-3)
