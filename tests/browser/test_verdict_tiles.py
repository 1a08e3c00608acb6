"""The verdict at the top of the report: visible without scrolling, judged by sign and word, each a link to its
moment.
"""

import re

import pytest

import chaindrive as cd
from browser.conftest import SIGHTS
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
    assert (picked["kind"], picked["index"]) == ("wheel", int(button.get_attribute("data-jump-wheel")))
    told = re.search(r"at ([\d.]+)\s(ms|s)", page.locator("#tile-0-contact_force .tile-lines").inner_text())
    assert float(told[1]) * (1e-3 if told[2] == "ms" else 1.0) == pytest.approx(time, rel=1e-3)


@SIGHTS
def test_verdicts_of_several_results_stand_side_by_side(report_of, opened, screenshots, size, scheme):
    """The table says what the tiles say, and follows the window of each result as they do."""
    report = opened(report_of("timing-06b", "bicycle-50x19"), size, color_scheme=scheme)
    page = report.page
    report.wait_for("c.frames > 70")
    assert report.overflow() <= 0
    page.screenshot(path=screenshots / f"verdicts-{size[0]}-{scheme}.png")
    shown = page.locator("#verdict table")
    assert shown.locator("thead th").all_inner_texts()[1:] == page.locator(".labels li").all_inner_texts()
    said = side_by_side(page)
    assert len(said) > 12
    page.locator(".window-choice select").first.select_option("1")
    after = side_by_side(page)
    changed = {key for key in said if said[key] != after[key]}
    assert ("Tooth force", 0) in changed
    assert {column for _, column in changed} == {0}
    button = shown.locator("tbody tr", has_text="Tooth force").locator("td").nth(1).locator("button.jump")
    button.click()
    report.wait_for("Math.abs(c.time - x) < 1e-9", float(button.get_attribute("data-jump-time")))
    assert report.state("picked")["result"] == 1


def side_by_side(page):
    """Cells of the table by title and column, each compared with its tile; whole loops keep their note in the tile."""
    told = page.evaluate(
        """() => [...document.querySelectorAll("#verdict .tile")].map(tile => [
            ...["title", "headline", "sign"].map(part => tile.querySelector(`.tile-${part}`).textContent.trim()),
            Number(tile.id.split("-")[1])])"""
    )
    rows = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("#verdict tbody tr")].map(row => [
            row.cells[0].textContent.trim(), [...row.cells].slice(1).map(cell => [
                cell.firstChild.textContent.trim(), cell.querySelector(".note")?.textContent ?? ""])]))"""
    )
    assert told
    for title, headline, sign, column in told:
        assert rows[title][column] == [headline, sign], (title, column)
    return {(title, column): rows[title][column] for title, *_, column in told}
