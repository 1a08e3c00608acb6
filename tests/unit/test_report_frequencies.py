"""Spectra, orders and waterfall in the page are those of the signals."""

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.resonance import resonances
from chaindrive.mechanism.facts import drive_facts
from chaindrive.report import write_report
from chaindrive.report.frequencies import frequencies_of, highest_kept
from chaindrive.report.pack import Blob
from chaindrive.report.subject import subject_of
from support.made_run import solution_of
from support.report_run import Page, decoded, drive_called, made_solution
from support.swept_runs import answer, run_at, tooth_frequency

pytestmark = pytest.mark.usefixtures("few_windows")


@pytest.fixture(scope="module")
def turning(tmp_path_factory):
    """A drive that turns steadily, with a known oscillation of one span and one wheel."""
    drive = drive_called("turning")
    run = made_solution(drive, rows=4000)
    time = run.time
    teeth = [wheel.teeth for wheel in drive.wheels]
    pace = 17 * 10.0  # motor: 10 revolutions a second
    sense = np.sign(run.values("wheel_speed")[0])
    for w, z in enumerate(teeth):
        run.values("wheel_speed")[:, w] = sense[w] * 2 * np.pi * pace / z
        run.values("wheel_angle")[:, w] = sense[w] * 2 * np.pi * pace / z * time
    run.values("span_displacement")[:, 1] = 2e-3 * np.sin(2 * np.pi * 35.0 * time)
    run.values("wheel_torque")[:, 0] = 5.0 + 3.0 * np.cos(2 * np.pi * 10.0 * 17 * time)  # order 17 of the motor
    run.values("bearing_force")[:, 1, :] = 0.0
    run.values("bearing_force")[:, 1, 0] = 900.0 + 50.0 * np.cos(2 * np.pi * 10.0 * 3 * time)  # order 3 of the motor
    run.values("wheel_angle")[:, 1] += 4e-4 * np.sin(2 * np.pi * 20.0 * time)  # order 2 of the motor
    path = tmp_path_factory.mktemp("report") / "run.html"
    write_report(run, path)
    page = Page(path.read_text(encoding="utf-8"))
    return page.header["results"][0], page.blob()


def _one(entries, key, index=None):
    return next(each for each in entries if each["key"] == key and index in (None, each.get("index")))


def test_a_line_has_its_frequency_and_amplitude(turning):
    result, blob = turning
    entry = _one(result["spectra"], "span_displacement", 1)
    assert (entry["unit"], entry["kind"]) == ("m", "span")
    frequency, amplitude = decoded(entry["frequency"], blob), decoded(entry["amplitude"], blob)
    assert frequency[-1] == pytest.approx(500.0)
    assert frequency[amplitude.argmax()] == pytest.approx(35.0, abs=entry["resolution"])
    assert 0.84 * 2e-3 < amplitude.max() < 1.01 * 2e-3  # between two bins a Hann window loses 15 %
    (at, height), *_ = entry["peaks"]
    assert (at, height) == (pytest.approx(35.0, abs=0.05), pytest.approx(2e-3, rel=0.05))  # a parabola through 3 bins
    marks = {mark["label"]: mark["frequency"] for mark in entry["marks"]}
    assert marks["tooth frequency"] == pytest.approx(170.0, rel=1e-6)
    assert {mark["kind"] for mark in entry["marks"]} >= {"tooth", "driver", "order", "string"}
    assert not any(mark["kind"] == "string" for mark in _one(result["spectra"], "wheel_torque")["marks"])


def test_an_order_stands_at_its_cycles_per_revolution(turning):
    result, blob = turning
    entry = _one(result["orders"], "wheel_torque")
    assert entry["wheel"] == "motor"
    order, amplitude = decoded(entry["order"], blob), decoded(entry["amplitude"], blob)
    assert order[amplitude.argmax()] == pytest.approx(17.0, abs=entry["resolution"])
    assert amplitude.max() == pytest.approx(3.0, rel=0.02)
    assert any(mark["order"] == pytest.approx(17.0) for mark in entry["marks"])
    error = _one(result["orders"], "transmission_error")
    order, amplitude = decoded(error["order"], blob), decoded(error["amplitude"], blob)
    assert order[amplitude.argmax()] == pytest.approx(2.0, abs=error["resolution"])
    assert amplitude.max() == pytest.approx(4e-4, rel=0.02)


def test_forces_of_bearings_have_orders(turning):
    result, blob = turning
    entry = next(each for each in result["orders"] if each["title"] == "Bearing force of conveyor")
    assert (entry["unit"], entry["wheel"]) == ("N", "motor")
    order, amplitude = decoded(entry["order"], blob), decoded(entry["amplitude"], blob)
    high = order > 0.5  # without the mean
    assert order[high][amplitude[high].argmax()] == pytest.approx(3.0, abs=entry["resolution"])
    assert amplitude[high].max() == pytest.approx(50.0, rel=0.02)


def test_guides_and_tensioners_have_orders_too():
    drive = cd.example("timing-06b")
    time, teeth = np.linspace(0.0, 0.4, 4001), np.array([wheel.teeth for wheel in drive.wheels])
    speeds = drive_facts(drive).senses * 2 * np.pi * 19.0 * 50.0 / teeth
    ripple = 100.0 + 20.0 * np.cos(2 * np.pi * 4.0 * 50.0 * time)
    table = {
        "span_tension": np.full((time.size, len(drive.span_names)), 200.0),
        "wheel_speed": np.tile(speeds, (time.size, 1)),
        "wheel_angle": time[:, None] * speeds,
        "guide_force": np.tile(ripple[:, None, None] * [0.6, 0.8], (1, len(drive.guides), 1)),
        "tensioner_force": np.tile(ripple[:, None], (1, len(drive.tensioners))),
    }
    made = frequencies_of(subject_of(solution_of(drive, time, table), "made"), Blob())
    found = [each for each in made.orders if each["key"] in ("guide_force", "tensioner_force")]
    assert len(found) == len(drive.guides) + len(drive.tensioners)
    assert {each["wheel"] for each in found} == {drive.wheels[drive_facts(drive).driver].name}


def test_the_waterfall_is_of_the_liveliest_span(turning):
    result, blob = turning
    entry = result["campbell"][0]
    assert "conveyor - motor" in entry["title"]
    assert entry["x"] == "time [s]"
    columns, frequency = decoded(entry["columns"], blob), decoded(entry["frequency"], blob)
    power = decoded(entry["amplitude"], blob)
    assert power.shape == (columns.size, frequency.size)
    highest = power[columns.size // 2]
    assert frequency[np.nanargmax(highest)] == pytest.approx(35.0, abs=3.0)
    assert 10 ** np.nanmax(highest) == pytest.approx(2e-3, rel=0.2)
    assert {line["kind"] for line in entry["lines"]} >= {"tooth", "driver", "string"}
    tooth = next(line for line in entry["lines"] if line["kind"] == "tooth")
    np.testing.assert_allclose(decoded(tooth["frequency"], blob), 170.0, rtol=1e-5)


def test_the_transmission_error_over_time(turning):
    result, blob = turning
    group = next(each for each in result["curves"] if each["key"] == "transmission_error")
    values = decoded(group["values"], blob)[0]
    assert values.max() == pytest.approx(4e-4, rel=0.01)
    assert values.min() == pytest.approx(-4e-4, rel=0.01)


def test_of_many_bins_the_highest_of_every_group_stays():
    amplitude = np.random.default_rng(6).random(10_007)
    amplitude[[17, 9999]] = 5.0
    frequency = np.arange(10_007.0)
    kept, heights, group = highest_kept(frequency, amplitude, 1000)
    assert group == 11
    assert kept.size <= 1000
    assert {17.0, 9999.0} <= set(kept)
    np.testing.assert_array_equal(heights, amplitude[kept.astype(int)])
    assert highest_kept(frequency, amplitude, 20_000)[2] == 1


def test_a_short_run_says_why_there_are_no_spectra(tmp_path):
    write_report(made_solution(drive_called("short"), rows=6), tmp_path / "run.html")
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    assert page.header["results"][0]["spectra"] == []
    assert "at least 8 instants" in page.text


def test_waterfalls_to_choose_from_with_cuts_and_distances(tmp_path):
    """A run whose teeth move a span by a known amplitude, and with four times their frequency, which is aliased."""
    write_report(run_at(500.0), tmp_path / "run.html")
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    (result,), blob = page.header["results"], page.blob()
    titles = [each["title"] for each in result["campbell"]]
    assert titles[:2] == [f"Displacement of the span {name}" for name in ("motor - conveyor", "conveyor - motor")]
    assert result["campbell"][0]["operating"] is None
    lines = {line["label"]: line for line in result["campbell"][0]["lines"]}
    cut = decoded(lines["tooth frequency"]["cut"], blob)
    # 0.125 s are 17.7 periods: a line is up to half a bin off its own, where a Hann window leaves 0.85 of it
    assert np.all((cut > 0.84 * answer(tooth_frequency(500.0))) & (cut < 1.001 * answer(tooth_frequency(500.0))))
    folded = lines["4 × tooth frequency, aliased"]
    assert folded["kind"] == "folded"
    np.testing.assert_allclose(decoded(folded["frequency"], blob), 1000.0 - 4.0 * tooth_frequency(500.0), rtol=1e-5)
    nearest = resonances(run_at(500.0))[0]
    assert nearest.excitation.label == "tooth frequency"
    words = " ".join(page.text.split())
    assert "Nearest resonances" in words
    assert f"1. {nearest.excitation.label}" in words
    assert f"{100.0 * nearest.distance:+.1f} %".replace("-", "\u2212") in words
