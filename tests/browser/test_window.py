"""Another window of time for the tables of the report: its texts are those of a report of that window."""

import re

from chaindrive.report import write_report
from support.editor_page import AT_390

TEXTS = """() => Object.fromEntries([...document.querySelectorAll('[data-follows]')].map(
    (each) => [each.dataset.follows, each.innerHTML.trim()]))"""


FOLLOWING = ("peak", "bearing", "loss", "at", "efficiency", "name", "line", "tile", "part")


def texts(page):
    return page.evaluate(TEXTS)


FORCES = ("mean", "smallest", "largest", "fluctuation")


def scaled(found):
    """Powers and forces with their last digit [W, N], named by their quantity, whatever the prefix of their unit."""
    told = {}
    for key, text in found.items():
        *place, factor = key.split("/")
        if text != "–" and len(place) > 1 and (place[1] == "at" or place[-1] == "power"):
            digit = 1e-3 if "e" not in text else 0.5 * abs(float(text))
            told["/".join(place)] = float(text.replace("&nbsp;", "")) / float(factor), digit / float(factor)
        elif len(place) > 1 and place[1] == "bearing" and place[-1] in FORCES:
            number = re.sub(r"\s|&\w+;", "", text)
            digit = 10.0 ** -len(number.partition(".")[2])
            told["/".join(place)] = float(number) / float(factor), digit / float(factor)
    return told


@AT_390
def test_tables_follow_the_window(report_of, run_of, opened, screenshots, tmp_path, size):
    page = opened(report_of("timing-06b"), size).page
    page.locator("html[data-chaindrive=ready]").wait_for()
    control = page.locator(".window-choice")
    before = texts(page)
    assert len(before) > 50
    note = page.locator("#strength .not-following")
    assert note.is_hidden()

    begin, end = control.locator("select").first, control.locator("select").last
    default = begin.input_value(), end.input_value()
    count = begin.locator("option").count()
    begin.select_option("1")
    end.select_option("3" if default != ("1", "3") else "2")
    chosen = control.locator("[role=status]").inner_text().split()
    start, stop = float(chosen[chosen.index("--start") + 1]), float(chosen[chosen.index("--stop") + 1])
    after = texts(page)
    assert note.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    control.scroll_into_view_if_needed()
    page.screenshot(path=screenshots / f"window-{size[0]}.png")

    path = tmp_path / "part.html"
    write_report(run_of("timing-06b"), path, start=start, stop=stop)
    other = opened(path, size).page
    other.locator("html[data-chaindrive=ready]").wait_for()
    told = texts(other)
    same = [key for key in told if key in after and key.split("/")[1] in FOLLOWING]
    for kind in ("peak", "loss", "efficiency", "line", "tile", "part"):
        assert any(key.split("/")[1] == kind for key in same), kind
    assert {key: after[key] for key in same} == {key: told[key] for key in same}
    ours, theirs = scaled(after), scaled(told)  # the units may differ
    assert {"0/loss/input/power", "0/bearing/0/largest"} <= ours.keys() & theirs.keys()
    assert {key for key in ours if "/at/" in key} == {key for key in theirs if "/at/" in key}
    for key in ours.keys() & theirs.keys():
        assert abs(ours[key][0] - theirs[key][0]) <= 0.51 * (ours[key][1] + theirs[key][1]), key
    changed = [key for key in before if before[key] != after[key]]
    assert len(changed) > 20
    assert {"0/part", "0/tile/tension", "0/tile/bearing_force", "0/tile/vibration"} <= {*changed}
    counted = page.locator("#tile-0-plates .not-following")  # whole loops: this tile keeps its window
    assert "whole loops" in counted.inner_text()
    signs = "() => [...document.querySelectorAll('.tile[data-follows]')].map(each => [each.id, each.className])"
    assert page.evaluate(signs) == other.evaluate(signs)

    if count > 2:  # back: what the browser writes for the window of the page is what Python wrote
        control.locator("button").first.click()
        assert (begin.input_value(), end.input_value()) == default
        assert texts(page) == before
        assert note.is_hidden()
        assert counted.count() == 0
