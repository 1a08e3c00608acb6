"""Curves are thinned without losing a peak, and hold the values of the channels."""

import numpy as np
import pytest

from chaindrive.model import example
from chaindrive.report import write_report
from chaindrive.report.curves import thinned
from support.moving_run import moving_run, on_a_shaft
from support.report_run import Page, decoded, drive_called, made_solution
from support.rigid_run import rigid_run

pytestmark = pytest.mark.usefixtures("few_windows")


@pytest.mark.parametrize("series", [1, 4, 9])
def test_peaks_stay_where_and_as_high_as_they_were(series):
    random = np.random.default_rng(5)
    values = np.cumsum(random.normal(size=(series, 30_011)), axis=1)
    spikes = random.integers(0, 30_011, series)
    values[np.arange(series), spikes] = 1e4
    rows, length = thinned(values, points=1000)
    assert rows.size <= 1000
    assert rows.size > 300  # and not far fewer than allowed
    assert rows[0] == 0
    assert rows[-1] == 30_010
    assert set(spikes) <= set(rows)
    # least and largest of every stretch of every curve
    for first in range(0, 30_011, length):
        here = rows[(rows >= first) & (rows < first + length)]
        part = values[:, first : first + length]
        np.testing.assert_array_equal(values[:, here].max(axis=1), part.max(axis=1))
        np.testing.assert_array_equal(values[:, here].min(axis=1), part.min(axis=1))


def test_a_short_curve_stays_as_it_is():
    rows, length = thinned(np.zeros((2, 500)), points=500)
    assert length == 1
    assert list(rows) == list(range(500))


def test_gaps_do_not_hide_the_rest():
    values = np.full((2, 5000), np.nan)
    values[0, 2000:3000] = np.sin(np.arange(1000))
    values[0, 2500] = 9.0
    rows, _ = thinned(values, points=400)
    assert rows.size <= 400
    assert 2500 in rows


def test_the_page_holds_the_peaks_of_the_channels(tmp_path):
    drive = drive_called("curves")
    run = made_solution(drive, rows=9000, rate=20_000.0)
    run.values("span_displacement")[4321, 1] = -0.75
    run.values("link_tension")[777, 5] = 5e4
    write_report([run], tmp_path / "run.html", frames=10)
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    groups = {group["key"]: group for group in page.header["results"][0]["curves"]}
    blob = page.blob()
    motion = groups["span_displacement"]
    values = decoded(motion["values"], blob)
    time = decoded(motion["time"], blob)
    assert motion["kept"] == time.size <= 4000 < motion["stored"] == 9000
    assert f"{time.size} of 9000 stored instants" in motion["remark"]
    assert [each["name"] for each in motion["series"]] == ["motor - conveyor", "conveyor - motor"]
    at = int(values[1].argmin())
    assert (time[at], values[1, at]) == (run.time[4321], -0.75)
    largest = groups["largest_link_tension"]
    assert decoded(largest["values"], blob).max() == 5e4
    assert 777 / 20_000.0 in decoded(largest["time"], blob)
    # the frame of that moment is in the animation, though only 10 were asked for
    frames = page.header["results"][0]["frames"]
    assert 777 in decoded(frames["row"], blob)
    np.testing.assert_allclose(decoded(groups["bearing_force"]["values"], blob), 5.0, rtol=1e-6)  # |(3, 4)|
    power = decoded(groups["power_loss"]["values"], blob)
    np.testing.assert_allclose(power, 20.0, rtol=1e-5)  # friction: 20 J in every second


def test_joints_of_rigid_links_have_curves_over_time_and_along_the_loop(tmp_path):
    run = rigid_run()
    run.values("pin_force")[40, 7] = [-900.0, 1200.0]
    run.values("pin_gap")[50, 9] = 3e-5
    write_report(run, tmp_path / "run.html")
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    result, blob = page.header["results"][0], page.blob()
    groups = {group["key"]: group for group in result["curves"]}
    assert groups["largest_pin_force"]["unit"] == "N"
    assert groups["largest_pin_gap"]["unit"] == "m"
    force = decoded(groups["largest_pin_force"]["values"], blob)[0]
    assert (force.argmax(), force.max()) == (40, 1500.0)
    gap = decoded(groups["largest_pin_gap"]["values"], blob)[0]
    assert (gap.argmax(), gap.max()) == (50, pytest.approx(3e-5))
    curves = {curve["key"]: curve for curve in result["loop"]["curves"]}
    assert list(curves) == ["link_tension", "pin_force", "pin_gap"]
    assert decoded(curves["pin_force"]["link_high"], blob)[7] == 1500.0
    assert decoded(curves["pin_gap"]["high"], blob).max() == pytest.approx(3e-5)
    causes = [series["name"] for series in groups["power_loss"]["series"]]
    assert causes == ["contacts of pins in bushes", "friction on teeth", "oil films"]


def test_a_wheel_on_an_elastic_shaft_has_curves_and_its_shaft_is_described(tmp_path):
    """The shaft has 3 x 512 N m^2 over (40 mm)^3, which is 24 MN/m."""
    run = moving_run(drive=on_a_shaft(example("timing-06b")))
    run.values("wheel_tilt")[30, 1] = [3e-3, -4e-3]
    run.values("tilting_moment")[:, 1] = [30.0, 40.0]
    write_report(run, tmp_path / "run.html")
    text = (tmp_path / "run.html").read_text(encoding="utf-8")
    page = Page(text)
    groups = {group["key"]: group for group in page.header["results"][0]["curves"]}
    assert [each["index"] for each in groups["wheel_tilt"]["series"]] == [1]
    tilt = decoded(groups["wheel_tilt"]["values"], page.blob())
    assert (tilt.argmax(), tilt.max()) == (30, pytest.approx(5e-3))
    np.testing.assert_allclose(decoded(groups["tilting_moment"]["values"], page.blob()), 50.0)
    assert "elastic, clamped 40\u00a0mm from the chain, 24\u00a0MN/m, damping 220\u00a0N\u00a0s/m" in text


def test_groups_are_those_that_were_kept(tmp_path):
    run = made_solution(drive_called("curves"), drop=("span_tension", "wheel_torque", "work_friction", "contact_force"))
    write_report(run, tmp_path / "run.html")
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    keys = [group["key"] for group in page.header["results"][0]["curves"]]
    assert keys == [
        "span_displacement", "wheel_speed", "bearing_force", "largest_link_tension", "transmission_error",
        "ratio_deviation", "energy",
    ]  # fmt: skip


def test_speeds_of_wheels_are_in_rpm(tmp_path):
    run = made_solution(drive_called("curves"))
    write_report(run, tmp_path / "run.html")
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    (group,) = (group for group in page.header["results"][0]["curves"] if group["key"] == "wheel_speed")
    assert group["unit"] == "rpm"
    rpm = decoded(group["values"], page.blob())
    np.testing.assert_allclose(rpm.T, run.values("wheel_speed") * 60.0 / (2.0 * np.pi), rtol=1e-6)
