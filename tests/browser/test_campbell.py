"""The page of a study in a browser: map, choice of channel and curve, order cuts, a click that opens the report of a
run; and the same map, with its choice, in a report.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import SIGHTS, Open
from chaindrive.analyses.results.speed_map import Wish, column_of
from chaindrive.model.study.description import Study
from chaindrive.report import write_campbell, write_report
from chaindrive.studies.table import Row, StudyTable
from support.swept_runs import run_at

SPEEDS = [300.0, 380.0, 420.0, 460.0, 500.0, 540.0, 580.0]
NAME = '<img src=x onerror="alert(1)"> & sons'


def study_of(folder: Path, named: str = "Speed", reports: bool = True) -> Path:
    """The page of a study of made-up runs in two curves; the first run has no report."""
    channels = [{"channel": "span_displacement"}, {"channel": "span_tension"}]
    study = Study.from_dict(
        {
            "name": named,
            "drive": "industrial-08b",
            "parameters": [
                {"name": "speed", "unit": "rpm", "values": SPEEDS, "set": "wheels.motor.motion.speed"},
            ],
            "curves": [{"name": "new"}, {"name": named}],
            "figures_of_merit": [{"name": "largest", "channel": "link_tension", "reduce": "max"}],
            "spectra": channels,
        }
    )
    wish = Wish("span_displacement", 0, "magnitude", "hann", None, None, None, math.inf)
    rows, spectra = [], {}
    for number in range(2 * len(SPEEDS)):
        rpm, curve = SPEEDS[number % len(SPEEDS)], ("new", named)[number // len(SPEEDS)]
        rows.append(Row(number, curve, (rpm,), (500.0 + number,), "REACHED_END", "", 1.0, 1.0, 10))
        run = run_at(rpm)
        spectra[number] = tuple(column_of(run, wish._replace(channel=each["channel"])) for each in channels)
        if reports and number:
            (folder / "reports").mkdir(exist_ok=True)
            place = folder / "reports" / f"{number}.html"
            place.write_text(f"<title>report of run {number}</title>", encoding="utf-8")
    table = StudyTable(study, ["N"], rows, len(rows), spectra, 500.0 * math.pi / 30.0)
    return write_campbell(table, folder / "campbell.html", reports=folder / "reports").path


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return study_of(tmp_path_factory.mktemp("a study"))


def ready(page: Any) -> None:
    page.wait_for_selector("html[data-chaindrive=ready]")
    page.wait_for_selector("#map .u-over")


@SIGHTS
def test_the_page_at_first_sight(opened: Open, study: Path, screenshots: Path, size: tuple, scheme: str) -> None:
    seen = opened(study, size, color_scheme=scheme)
    ready(seen.page)
    assert seen.page.locator("#map figcaption").inner_text() == "Span displacement of motor - conveyor, new"
    assert "Campbell diagram of 14 runs, operating speed 500 rpm" in seen.page.locator(".subtitle").inner_text()
    legend = seen.page.locator("#map figure > .chart-legend").inner_text()
    assert "tooth frequencies aliased by the save rate" in legend
    assert "string frequencies of the spans" in legend
    assert (
        "Aliased: a multiple of the tooth frequency above half the save rate" in seen.page.locator("#map").inner_text()
    )
    assert "largest amplitude" in seen.page.locator("#map .plot").first.get_attribute("aria-label")
    first = seen.page.locator("#crossings tbody tr").first.inner_text()
    assert re.search(r"tooth frequency\s+mode [12] of span", first)
    assert "%" in first
    assert seen.overflow() == 0
    seen.keep(screenshots / f"campbell-{size[0]}-{scheme}.png")


def test_a_click_opens_the_report_of_the_run(opened: Open, study: Path) -> None:
    seen = opened(study)
    ready(seen.page)
    for rpm, run in ((460.0, 3), (575.0, 6), (382.0, 1)):  # the nearest column
        x, y = seen.page.evaluate("a => window.chaindrive.place(...a)", [rpm, 120.0])
        with seen.page.context.expect_page() as other:
            seen.page.mouse.click(x, y)
        assert other.value.url == (study.parent / "reports" / f"{run}.html").as_uri()
        assert other.value.title() == f"report of run {run}"
        other.value.close()
    x, y = seen.page.evaluate("a => window.chaindrive.place(...a)", [300.0, 120.0])
    seen.page.mouse.click(x, y)  # which has none
    tip = seen.page.locator("#map .tip").first.inner_text()
    assert "run 0, speed 300 rpm" in tip
    assert "click" not in tip
    assert len(seen.page.context.pages) == 1


def test_keys_and_the_table_lead_to_reports_too(opened: Open, study: Path) -> None:
    seen = opened(study)
    ready(seen.page)
    seen.page.locator("#map .plot").first.focus()
    for _ in range(2):
        seen.page.keyboard.press("ArrowRight")
    assert "click: open its report" in seen.page.locator("#map .tip").first.inner_text()
    with seen.page.context.expect_page() as other:
        seen.page.keyboard.press("Enter")
    assert other.value.title() == "report of run 2"
    other.value.close()
    links = seen.page.locator("#runs a")
    assert links.count() == 2 * len(SPEEDS) - 1
    assert links.nth(3).get_attribute("href") == "reports/4.html"


def test_channel_curve_and_cuts_are_chosen(opened: Open, study: Path) -> None:
    seen = opened(study)
    ready(seen.page)
    chosen = seen.page.locator("#map select")
    chosen.nth(0).select_option("Span tension of motor - conveyor")
    assert seen.state("shown") == "Span tension of motor - conveyor, new"
    chosen.nth(1).select_option("Speed")
    assert seen.state("shown") == "Span tension of motor - conveyor, Speed"
    chosen.nth(0).select_option("Span displacement of motor - conveyor")
    cuts = seen.page.locator("#map .cuts")
    text = cuts.locator(".plot").get_attribute("aria-label")
    assert re.search(
        r"tooth frequency: largest 9\d\d\.\d µm at 500", text
    )  # 1 mm at 140 Hz, which teeth meet at 494 rpm
    cuts.locator("select").select_option("4 × tooth frequency, aliased")
    assert "4 × tooth frequency, aliased: largest" in cuts.locator(".plot").get_attribute("aria-label")
    cuts.locator("button", has_text=re.compile("^tooth frequency$")).click()
    assert "tooth frequency: largest" not in cuts.locator(".plot").get_attribute("aria-label").replace("×", "")


def test_names_are_texts_and_runs_without_reports_are_told(opened: Open, tmp_path: Path) -> None:
    seen = opened(study_of(tmp_path, NAME, reports=False))
    ready(seen.page)
    assert seen.page.locator("h1").inner_text() == NAME
    seen.page.locator("#map select").nth(1).select_option(NAME)
    assert seen.page.locator("#map figcaption").inner_text().endswith(NAME)
    assert seen.page.locator("img").count() == 0
    assert "reports = true" in seen.page.locator("#runs").inner_text()
    x, y = seen.page.evaluate("a => window.chaindrive.place(...a)", [460.0, 120.0])
    seen.page.mouse.click(x, y)
    assert len(seen.page.context.pages) == 1


def test_the_waterfall_of_a_report_has_a_choice_and_cuts(opened: Open, tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    write_report(run_at(500.0), path)
    seen = opened(path)
    seen.page.wait_for_selector("html[data-chaindrive=ready]")
    section = seen.page.locator("#section-campbell")
    section.scroll_into_view_if_needed()
    names = section.locator("select").first.locator("option").all_inner_texts()
    assert names[0] == "Displacement of the span motor - conveyor"
    assert "Displacement of the span conveyor - motor" in names
    section.locator("select").first.select_option("Displacement of the span conveyor - motor")
    assert section.locator("figcaption").inner_text() == "Displacement of the span conveyor - motor"
    assert "Nearest resonances" in section.inner_text()
    assert re.search(r"tooth frequency\s+mode 1 of span", section.inner_text())
    assert "aliased by the save rate" in section.locator("figure > .chart-legend").inner_text()
    assert seen.overflow() == 0
