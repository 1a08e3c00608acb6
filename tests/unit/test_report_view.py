"""The moment at which a drawing opens, the mean course of the chain, and motion about means."""

from types import SimpleNamespace

import numpy as np
import pytest

from chaindrive.analyses.results.course import mean_course
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.rails import guided_spans
from chaindrive.model import example
from chaindrive.plots.results import data_displacement
from chaindrive.report import write_report
from chaindrive.report.curves import curve_groups
from chaindrive.report.findings import findings_of
from chaindrive.report.subject import subject_of
from chaindrive.report.view import MeanWindow, mean_window, opening_of
from support.open_drives import hanging
from support.report_run import Page, decoded, drive_called, made_solution

pytestmark = pytest.mark.usefixtures("few_windows")

ROWS = 200


def test_the_course_of_a_chain_that_swings_is_where_it_swings_about():
    drive = example("industrial-08b")
    run = made_solution(drive, rows=ROWS)
    rest = np.asarray(run.values("roller_position", 0), dtype=np.float64)
    swing = 1e-3 * np.sin(2.0 * np.pi * 10.0 * run.time)[:, None, None]  # two whole periods in 200 rows of 1 ms
    moving = made_solution(drive, rows=ROWS, more={"roller_position": rest + swing})
    course = mean_course(moving)
    assert course.rows == ROWS
    assert (course.start, course.stop) == (0.0, pytest.approx(0.199))
    np.testing.assert_allclose(course.points[0::2], rest, atol=1e-9)
    np.testing.assert_allclose(course.points[1::2], 0.5 * (rest + np.roll(rest, -1, axis=0)), atol=1e-9)


def test_the_course_of_a_chain_that_runs_is_at_places_not_of_rollers():
    """On a circle of N pitches the point between two rollers lies inside by up to R (1 - cos(pi / N))."""
    drive = example("industrial-08b")
    n, time = drive.chain.links, np.arange(ROWS) / 1000.0
    place = np.arange(n) + 33.7 * time[:, None] / time[-1]
    angle = 2.0 * np.pi * place / n
    rollers = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    sense = drive_facts(drive).signs * drive_facts(drive).direction
    turned = sense * 2.0 * np.pi * 33.7 * time[:, None] / time[-1] / np.array([wheel.teeth for wheel in drive.wheels])
    more = {"roller_position": rollers, "link_path_position": (place + 0.5) % n, "wheel_angle": turned}
    run = made_solution(drive, rows=ROWS, more=more)
    course = mean_course(run)
    reach = np.hypot(*course.points.T)
    assert np.all(reach < 1.0 + 1e-6)
    assert np.all(reach > np.cos(np.pi / n) - 1e-6)
    directions = np.unwrap(np.arctan2(course.points[:, 1], course.points[:, 0]))
    turn = directions - 2.0 * np.pi * course.places / n
    np.testing.assert_allclose(turn, turn[0], atol=2e-3 * np.pi / n)
    assert abs(turn[0]) < 0.5 * 2.0 * np.pi / n  # counted as chain_advance does


def test_an_open_chain_has_no_course():
    with pytest.raises(InputError, match="open chain"):
        mean_course(SimpleNamespace(drive=hanging(12)))


@pytest.mark.parametrize(("steady", "row", "words"), [
    (True, 150, "the largest link tension of the steady part"),
    (False, 20, "the largest link tension of the run, which is not steady"),
    (None, 20, "the largest link tension of the run"),
])  # fmt: skip
def test_the_drawing_opens_at_the_worst_moment(steady, row, words):
    drive = example("industrial-08b")
    tension = np.full((ROWS, drive.chain.links), 100.0)
    tension[20, 3], tension[150, 7], tension[151, 7] = 900.0, 500.0, np.nan
    run = made_solution(drive, rows=ROWS, more={"link_tension": tension})
    subject = subject_of(run, "made")
    opening = opening_of(subject, MeanWindow(0.1, 0.199, steady))
    assert (opening.row, opening.time, opening.why) == (row, pytest.approx(row / 1000.0), words)


def test_without_tension_it_opens_at_the_beginning():
    run = made_solution(example("industrial-08b"), drop=("link_tension", "span_tension"))
    subject = subject_of(run, "made")
    assert opening_of(subject, MeanWindow(0.0, 0.1, None)) is None
    spans_only = subject_of(made_solution(example("industrial-08b"), drop=("link_tension",)), "made")
    assert "span tension" in opening_of(spans_only, MeanWindow(0.0, 0.1, None)).why


def test_the_page_holds_the_moment_as_a_frame_and_the_means(tmp_path):
    run = made_solution(drive_called("view"), rows=ROWS)
    write_report(run, tmp_path / "view.html", frames=4)
    page = Page((tmp_path / "view.html").read_text(encoding="utf-8"))
    result = page.header["results"][0]
    view = result["view"]
    subject = subject_of(run, "view")
    window = mean_window(subject, findings_of(subject))
    assert (view["start"], view["stop"], view["steady"]) == tuple(window)
    times = decoded(result["frames"]["time"], page.blob())
    assert view["opening"]["time"] in times
    rows = (run.time >= window.start - 1e-9) & (run.time <= window.stop + 1e-9)
    np.testing.assert_allclose(view["span_tension"], run.values("span_tension")[rows].mean(axis=0))
    course = decoded(view["course"], page.blob())
    np.testing.assert_allclose(course[0::2], run.values("roller_position", 0), atol=1e-6)


def test_spans_on_guides_are_shown_about_their_means():
    drive = example("timing-06b")
    spans = guided_spans(drive, drive_facts(drive).route)
    assert spans
    assert len(spans) < len(drive.span_names)
    wave = 1e-4 * np.sin(2.0 * np.pi * 20.0 * np.arange(ROWS) / 1000.0)[:, None]
    moved = np.array([29e-3, 2e-3, 5e-3]) + wave
    run = made_solution(drive, rows=ROWS, more={"span_displacement": moved})
    groups = {group.key: group for group in curve_groups(run, drive, slice(0, ROWS), means=(0.1, 0.199))}
    group = groups["span_displacement"]
    for k in range(3):
        expected = wave[:, 0] if k in spans else moved[:, k]
        np.testing.assert_allclose(group.values[k], expected, atol=2e-9)
        assert (drive.span_names[k] in group.remark) == (k in spans)
    raw = {each.key: each for each in curve_groups(run, drive, slice(0, ROWS))}["span_displacement"]
    np.testing.assert_allclose(raw.values, moved.T, rtol=1e-6)
    guided, free = min(spans), min({0, 1, 2} - spans)
    table = data_displacement(run, guided, 0.1, 0.199)
    assert table.columns[1] == f"displacement of {drive.span_names[guided]} about its mean [m]"
    np.testing.assert_allclose(table.iloc[:, 1].mean(), 0.0, atol=1e-12)
    np.testing.assert_allclose(data_displacement(run, free, 0.1, 0.199).iloc[:, 1], moved[100:200, free], rtol=1e-6)
