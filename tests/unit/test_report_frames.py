"""Frames of the animation: choice of rows, values between them, and agreement of their numbers with the rows."""

import numpy as np
import pytest

from chaindrive.analyses.signals.windows import chain_advance
from chaindrive.drawing.colours import RESULTS, SERIES, TENSION
from chaindrive.report import write_report
from chaindrive.report.frames import direction_bytes, frame_rows, frames_wanted, tension_band
from support.report_run import Page, decoded, drive_called, made_solution
from support.rigid_run import offsets, rigid_run


@pytest.mark.parametrize("rows", [1, 2, 3, 10, 2400, 10001])
@pytest.mark.parametrize("wanted", [2, 7, 2400])
@pytest.mark.parametrize("at_most", [False, True])
def test_frames_are_even_and_hold_both_ends(rows, wanted, at_most):
    found, step = frame_rows(rows, wanted, at_most)
    assert found[0] == 0
    assert found[-1] == rows - 1
    assert (np.diff(found)[:-1] == step).all()
    if at_most:
        assert found.size <= max(wanted, 1 + (rows > 1))
    elif rows > 2 * wanted:
        assert 0.6 * wanted < found.size < 1.6 * wanted


def test_extreme_rows_are_frames_too():
    found, step = frame_rows(1000, 101, extra=[333, 10, 999])
    assert step == 10
    assert set(found) == set(range(0, 999, 10)) | {999, 333}


def test_frames_of_a_longer_chain_are_fewer_when_the_file_would_grow():
    assert frames_wanted(100) == frames_wanted(200) == 2400
    assert 2 <= frames_wanted(5000) < frames_wanted(1000) < 2400
    assert frames_wanted(1000, rigid=True) < frames_wanted(1000)


def test_the_band_is_least_and_largest_of_all_rows_since_the_frame_before():
    tension = np.random.default_rng(4).normal(size=(50, 3))
    rows = np.array([0, 1, 5, 17, 49])
    band = tension_band(tension, rows)
    for k in range(1, rows.size):
        between = tension[rows[k - 1] + 1 : rows[k] + 1]
        np.testing.assert_array_equal(band.low[k], between.min(axis=0))
        np.testing.assert_array_equal(band.high[k], between.max(axis=0))
    np.testing.assert_array_equal(band.low[0], tension[0])


def test_directions_in_256ths_of_a_turn():
    angle = np.array([0.0, 0.5 * np.pi, np.pi, -0.5 * np.pi, -0.001, 1.0])
    found = direction_bytes(np.stack([np.cos(angle), np.sin(angle)], axis=-1))
    assert list(found) == [0, 64, 128, 192, 0, round(256 / (2 * np.pi))]
    assert direction_bytes(np.full((1, 2), np.nan)) == 0


def test_frames_hold_the_numbers_of_their_rows(tmp_path):
    drive = drive_called("frames", source="6l60mc")
    run = made_solution(drive, rows=300)
    write_report([run], tmp_path / "run.html", frames=40, start=0.05)
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    result = page.header["results"][0]
    frames, blob = result["frames"], page.blob()
    rows = decoded(frames["row"], blob).astype(int)
    assert rows[0] == 50
    assert rows[-1] == 299
    assert frames["stored"] == 250
    assert frames["kept"] == rows.size < 250
    np.testing.assert_array_equal(decoded(frames["time"], blob), run.time[rows])
    tension = run.values("link_tension")
    scale = frames["link_tension"]["scale"]
    np.testing.assert_allclose(decoded(frames["link_tension"], blob), tension[rows], atol=0.51 * scale)
    np.testing.assert_allclose(
        decoded(frames["roller"], blob), run.values("roller_position")[rows], atol=0.51 * frames["roller"]["scale"]
    )
    np.testing.assert_allclose(decoded(frames["bearing_force"], blob), run.values("bearing_force")[rows], rtol=1e-6)
    high = decoded(frames["tension_high"], blob)
    between = tension[rows[3] + 1 : rows[4] + 1].max(axis=0)
    np.testing.assert_allclose(high[4], between, atol=0.51 * frames["tension_high"]["scale"])
    assert result["tension_range"] == [float(tension[50:].min()), float(tension[50:].max())]
    left, right, bottom, top = result["drive"]["extent"]
    x, y = run.values("roller_position")[0].T
    assert left <= x.min() < x.max() <= right
    assert bottom <= y.min() < y.max() <= top
    assert "every" in page.text
    assert f"of {250} stored instants is a frame" in page.text


def test_of_rigid_links_there_are_angles_and_pins_in_their_bushes(tmp_path):
    run = rigid_run()
    drive = run.drive
    write_report([run], tmp_path / "run.html")
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    result, blob = page.header["results"][0], page.blob()
    frames, plates = result["frames"], result["drive"]["plates"]
    assert (plates["inner"], plates["outer"]) == (4.1e-3, 4.1e-3)  # half of 8.2 mm
    assert plates["pin"] == 0.5 * drive.chain.pin_diameter
    rows = decoded(frames["row"], blob).astype(int)
    turned = decoded(frames["link_angle"], blob) - run.values("link_angle")[rows]
    np.testing.assert_allclose(np.sin(turned), 0.0, atol=1e-4)
    np.testing.assert_allclose(np.cos(turned), 1.0, atol=1e-4)
    assert np.abs(decoded(frames["link_angle"], blob)).max() <= np.pi
    force = decoded(frames["pin_force"], blob)
    np.testing.assert_allclose(force[3], 300.0 + np.arange(drive.chain.links), atol=0.51 * frames["pin_force"]["scale"])
    assert frames["pin_moment"] is None
    size = decoded(plates["clearance"], blob) - decoded(frames["pin_gap"], blob)
    angle = decoded(frames["pin_direction"], blob) * np.pi / 128
    pins = offsets(drive, run.values("roller_position"), run.values("link_angle"))[rows]
    reach = np.hypot(pins[..., 0], pins[..., 1])
    np.testing.assert_allclose(size * np.cos(angle), pins[..., 0], atol=reach.max() * np.pi / 256 + 1e-8)
    np.testing.assert_allclose(size * np.sin(angle), pins[..., 1], atol=reach.max() * np.pi / 256 + 1e-8)


def test_rollers_have_no_plates(tmp_path):
    write_report([made_solution(drive_called("rollers"))], tmp_path / "run.html")
    result = Page((tmp_path / "run.html").read_text(encoding="utf-8")).header["results"][0]
    assert result["drive"]["plates"] is None
    assert [result["frames"][name] for name in ("link_angle", "pin_force", "pin_gap", "pin_direction")] == [None] * 4
    assert [curve["key"] for curve in result["loop"]["curves"]] == ["link_tension"]


def test_where_the_links_are_along_the_loop(tmp_path):
    """Link i is at i + 0.5 + advance: as in link_path_position, counted continuously past the end of the loop."""
    drive = drive_called("advance", source="6l60mc")
    run = made_solution(drive, rows=30)
    n, teeth = drive.chain.links, drive.wheels[0].teeth
    advance = 100.25 + 3.0 * np.arange(30)
    run.values("wheel_angle")[:, 0] = 2 * np.pi / teeth * advance  # wheel 0 turns counter-clockwise with the chain
    run.values("link_path_position")[:] = (np.arange(n) + 0.5 + advance[:, None]) % n
    write_report([run], tmp_path / "run.html")
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    found = decoded(page.header["results"][0]["frames"]["advance"], page.blob())
    np.testing.assert_allclose(np.diff(found), 3.0, rtol=1e-9)
    np.testing.assert_allclose(found % n, advance % n, atol=1e-4)
    np.testing.assert_array_equal(found, chain_advance(run))


def test_without_their_places_the_links_count_from_the_first_frame(tmp_path):
    run = made_solution(drive_called("places", source="6l60mc"), rows=30, drop=("link_path_position",))
    teeth = run.drive.wheels[0].teeth
    run.values("wheel_angle")[:, 0] = 1.0 + 2 * np.pi / teeth * 3.0 * np.arange(30)
    write_report([run], tmp_path / "run.html")
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    found = decoded(page.header["results"][0]["frames"]["advance"], page.blob())
    np.testing.assert_allclose(found, 3.0 * np.arange(30), atol=1e-9)


def test_a_run_that_did_not_keep_the_rollers_says_so(tmp_path):
    run = made_solution(drive_called("no rollers"), drop=("roller_position",))
    report = write_report(run, tmp_path / "run.html")
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    assert page.header["results"][0]["frames"]["kept"] == 0
    assert "the run did not keep roller_position (run.save.channels)" in page.text
    assert any("did not keep roller_position" in line for line in report.left_out)


def test_the_colours_are_those_of_the_plots():
    from matplotlib.colors import to_hex

    from chaindrive.plots.style import tension_colours, wheel_colour

    colours = tension_colours()
    assert list(TENSION) == [to_hex(colours(x)) for x in np.linspace(0.0, 1.0, 64)]
    assert set(SERIES) == {wheel_colour(k) for k in range(6)}
    assert len(set(RESULTS)) == 12
