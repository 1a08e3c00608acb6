"""The curves of the free chart: at common instants, with the values of the channels, angles in the running sense."""

import numpy as np
import pytest

from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import example
from chaindrive.report import free as free_chart
from chaindrive.report import write_report
from chaindrive.report.free import common_rows
from support.report_run import Page, decoded, drive_called, made_solution

pytestmark = pytest.mark.usefixtures("few_windows")


class Free:
    """Content of the page for the free chart."""

    def __init__(self, run, path, **options):
        write_report(run, path, **options)
        page = Page(path.read_text(encoding="utf-8"))
        self.text = path.read_text(encoding="utf-8")
        self.result, self.blob = page.header["results"][0], page.blob()
        self.entry = self.result["free"]
        self.groups = {group["key"]: group for group in self.entry["groups"]}

    def array(self, name):
        return decoded(self.entry[name], self.blob)

    def curve(self, key, series):
        return decoded(self.groups[key]["values"][series], self.blob)


def spinning(drive, rows=200):
    """A synthetic run whose wheels turn, each in its direction, from an angle that is not zero."""
    run = made_solution(drive, rows=rows)
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    angle = 0.7 + drive_facts(drive).senses * np.outer(run.time, 100.0 / teeth)
    run.values("wheel_angle")[:] = angle
    return run


def test_curves_are_the_channels_at_the_instants(tmp_path):
    run = spinning(drive_called("free"))
    free = Free(run, tmp_path / "run.html")
    assert free.entry["kept"] == free.entry["stored"] == 200
    np.testing.assert_array_equal(free.array("time"), run.time)
    for key, values in (
        ("span_tension", run.values("span_tension")),
        ("bearing_force_x", run.values("bearing_force")[..., 0]),
        ("bearing_force_y", run.values("bearing_force")[..., 1]),
        ("wheel_speed", run.values("wheel_speed") * 30.0 / np.pi),
    ):
        for series in range(values.shape[1]):
            found = free.curve(key, series)
            np.testing.assert_allclose(found, values[:, series], rtol=0, atol=np.ptp(values[:, series]) / 65534 + 1e-9)
    assert free.groups["bearing_force_x"]["title"].endswith("to the right")


def test_the_velocity_of_a_span_is_the_rate_of_its_displacement(tmp_path):
    """1 mm at 7 Hz: 14 pi mm/s, reduced by (2 pi f dt)^2 / 6 because of central differences."""
    run = made_solution(drive_called("free"))
    free = Free(run, tmp_path / "run.html")
    velocity = free.curve("span_velocity", 0)[1:-1]
    exact = 1e-3 * 14.0 * np.pi * np.cos(14.0 * np.pi * run.time[1:-1])
    np.testing.assert_allclose(velocity, exact, atol=1e-3 * 14.0 * np.pi * ((14.0 * np.pi * 1e-3) ** 2 / 6.0 + 2e-5))
    assert free.groups["span_velocity"]["unit"] == "m/s"


def test_angles_count_in_the_running_sense_from_the_first_instant(tmp_path):
    drive = drive_called("free", source="6s90mc-c")
    run = spinning(drive)
    assert set(drive_facts(drive).senses) == {-1, 1}  # the tightener is on the back of the chain
    free = Free(run, tmp_path / "run.html", start=0.05)
    turned = free.array("turned")
    rows = run.time >= 0.05 - 1e-12
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    np.testing.assert_allclose(turned.T, np.outer(run.time[rows], 100.0 / teeth), atol=1e-12)


def test_frames_are_among_the_instants_of_a_long_run(tmp_path, monkeypatch):
    monkeypatch.setattr(free_chart, "BUDGET", 100_000)
    run = made_solution(drive_called("free"), rows=9000, rate=20_000.0)
    free = Free(run, tmp_path / "run.html", frames=300)
    time = free.array("time")
    assert 300 < time.size < 2500
    assert (np.diff(time) > 0.0).all()
    frames = decoded(free.result["frames"]["time"], free.blob)
    assert set(frames) <= set(time)
    assert set(time) <= set(run.time)
    assert f"of 9000 stored instants and those of the animation, {time.size} in all" in free.text


@pytest.mark.parametrize(("count", "most", "step"), [(100, 1000, 1), (1000, 300, 4), (5, 0, 5)])
def test_every_so_many_rows(count, most, step):
    rows, found = common_rows(count, most, np.array([3]))
    assert found == step
    assert {0, 3, count - 1} <= set(rows)
    assert rows.size <= count / step + 3


def test_deviations_in_percent_and_rpm_belong_together(tmp_path):
    drive = drive_called("free")
    run = spinning(drive)
    sense, teeth = drive_facts(drive).senses, np.array([wheel.teeth for wheel in drive.wheels])
    speeds = run.values("wheel_speed")
    speeds[:] = sense * 100.0 / teeth
    speeds[:, 1] *= 1.0 + 0.01 * np.sin(2.0 * np.pi * 50.0 * run.time)
    free = Free(run, tmp_path / "run.html")
    percent, rpm = free.curve("ratio_deviation", 0), free.curve("speed_deviation", 0)
    np.testing.assert_allclose(percent, np.sin(2.0 * np.pi * 50.0 * run.time), atol=2e-2)
    np.testing.assert_allclose(rpm, percent / 100.0 * 100.0 / teeth[1] * 30.0 / np.pi, atol=1e-4)
    assert (free.groups["ratio_deviation"]["unit"], free.groups["speed_deviation"]["unit"]) == ("%", "rpm")


def test_loads_that_repeat_over_two_revolutions_are_told(tmp_path):
    drive = example("timing-06b")
    free = Free(made_solution(drive), tmp_path / "run.html")
    crank = drive.wheels[0].teeth
    assert free.entry["period"] % crank == 0
