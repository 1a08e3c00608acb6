"""The drawing in space: data of links and wheels in the page, and the script that only such pages hold."""

import hashlib
import json
import re
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from chaindrive.formulations.spatial.record import link_roll
from chaindrive.formulations.spatial.teeth import half_tooth_width, tip_relief
from chaindrive.model import example, override
from chaindrive.model.links import link_dimensions
from chaindrive.report import write_report
from chaindrive.report.build import live_parts
from chaindrive.report.drive import POINTS_PER_GAP, drive_entry, extent_of
from chaindrive.report.pack import Blob
from chaindrive.report.page import render
from chaindrive.report.space import space_entry
from support.report_run import Page, decoded, drive_called, made_solution

pytestmark = pytest.mark.usefixtures("few_windows")

ASSETS = resources.files("chaindrive.report") / "assets"


def spatial_run(rows=20):
    """A made run of the misaligned drive: offsets, roll angles and side forces are known."""
    drive = example("misaligned-08b")
    flat = made_solution(drive, rows=rows)
    n = drive.chain.links
    rng = np.random.default_rng(8)
    more = {
        "roller_offset": 1e-3 * rng.normal(size=(rows, n)),
        "link_roll": 0.01 * rng.normal(size=(rows, n)),
        "wheel_offset": 1e-3 * rng.normal(size=(rows, 2)),
        "wheel_tilt": 0.01 * rng.normal(size=(rows, 2, 2)),
        "side_force": np.where(rng.random((rows, n)) < 0.2, 30.0 * rng.normal(size=(rows, n)), 0.0),
    }
    return made_solution(drive, rows=rows, more=more), more, flat


class Kept(Blob):
    """Keeps each thing added, under its own identity."""

    def add(self, values, kind, **_):
        return np.asarray(values)


def test_cogs_of_a_shift_are_drawn_as_they_stand():
    """From a gap of the larger cog along the tangent to the pitch circle of the smaller one, then along it, to a gap of
    that one, the chain takes a whole number of pitches (Nagano, US 4889521)."""
    drive = example("bicycle-shift")
    wheel = drive_entry(drive, Kept())["wheels"][-1]
    (cog,) = wheel["cogs"]
    assert (cog["teeth"], cog["offset"]) == (21, drive.wheels[-1].cogs[0].offset)
    deepest = cog["outline"][POINTS_PER_GAP // 2 : -1 : POINTS_PER_GAP]
    assert np.hypot(*deepest.T) == pytest.approx(np.hypot(*cog["outline"].T).min())
    places = np.arctan2(deepest[:, 1], deepest[:, 0])
    assert len(places) == 21
    sense, pitch = -1.0, drive.chain.pitch  # clockwise
    tangent = np.hypot(np.sqrt(cog["radius"] ** 2 - wheel["radius"] ** 2), cog["offset"])
    met = places + sense * np.arccos(wheel["radius"] / cog["radius"])
    ahead = sense * (-met) % (2.0 * np.pi / wheel["teeth"])  # to the next gap of the wheel, which has one at 0
    spare = (tangent + wheel["radius"] * ahead) / pitch
    assert np.abs(spare - np.round(spare)).min() < 1e-3
    left = extent_of(drive)[0]
    assert left < drive.wheels[-1].position[0] - cog["radius"]


def test_dimensions_of_links_and_frames_of_wheels():
    drive = example("misaligned-08b")
    found = space_entry(drive)
    size = link_dimensions(drive.chain)
    assert found["width"] == size["inner_width"].value == 7.75e-3
    assert found["inner"] == {
        "depth": size["inner_link.plate_depth"].value, "thickness": size["inner_link.plate_thickness"].value,
    }  # fmt: skip
    assert found["pin"] == 0.5 * drive.chain.pin_diameter
    motor, conveyor = found["wheels"]
    assert (motor["offset"], conveyor["offset"]) == (0.0, 2e-3)
    assert motor["tilt"] == [0.0, 0.0]
    assert conveyor["tilt"] == pytest.approx([0.0, np.radians(0.5)])
    assert conveyor["half_width"] == pytest.approx(0.5 * 0.93 * 7.75e-3)  # ISO 606
    assert conveyor["relief"] == pytest.approx(0.13 * 12.7e-3)
    # plates of both kinds and what is between them fit a second strand beside them: transverse pitch of 08B 13.92 mm
    over = found["width"] + 2 * sum(found[kind]["thickness"] for kind in ("inner", "outer")) + 2 * found["gap"]
    assert over == pytest.approx(13.92e-3, rel=0.05)


def test_teeth_as_wide_as_given():
    drive = override(example("misaligned-08b"), {"wheels.0.tooth_width": 3e-3})
    assert half_tooth_width(drive.chain, drive.wheels[0]) == 1.5e-3
    assert tip_relief(drive.chain, 1.5e-3) == pytest.approx(1.125e-3)  # a tip keeps a quarter of it


def test_links_that_stay_in_the_plane_have_none():
    assert space_entry(example("industrial-08b")) is None


@pytest.mark.parametrize("length", [1.0, 0.3, 40.0])
def test_roll_is_the_last_of_the_angles_z_y_x(length):
    """For any heading and slope it is the remaining rotation about the link's length; the quaternion may have any
    length.
    """
    for heading, slope, roll in np.random.default_rng(2).uniform(-1.5, 1.5, size=(40, 3)):
        x, y, z, w = length * Rotation.from_euler("ZYX", [2.0 * heading, slope, 2.0 * roll]).as_quat()
        assert link_roll(w, x, y, z) == pytest.approx(2.0 * roll, abs=1e-12)


def test_frames_hold_where_bushes_are_in_space(tmp_path):
    run, more, _ = spatial_run()
    write_report(run, tmp_path / "run.html")
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    frames, blob = page.header["results"][0]["frames"], page.blob()
    for name, given in more.items():
        atol = 0.51 * frames[name].get("scale", 1e-8)
        np.testing.assert_allclose(decoded(frames[name], blob), given, atol=atol)
    assert page.header["results"][0]["drive"]["space"]["wheels"][1]["offset"] == 2e-3


def test_of_an_earlier_version_a_result_has_no_rolls(tmp_path):
    _, _, flat = spatial_run()
    write_report(flat, tmp_path / "run.html")
    page = Page((tmp_path / "run.html").read_text(encoding="utf-8"))
    assert page.header["results"][0]["frames"]["link_roll"] is None
    assert page.header["results"][0]["drive"]["space"] is not None


MARK = "WebGLRenderer"


def test_only_pages_with_links_in_space_hold_the_script_that_draws_them(tmp_path):
    run, _, _ = spatial_run()
    flat = made_solution(drive_called("flat"), rows=20)
    for name, results, wanted in (("one", [flat], False), ("space", [run], True), ("both", [flat, run], True)):
        write_report(results, tmp_path / f"{name}.html", labels=[f"r{k}" for k in range(len(results))])
        text = (tmp_path / f"{name}.html").read_text(encoding="utf-8")
        assert (MARK in text) == wanted
        assert ("Three.js" in text) == wanted or not wanted
        assert len(Page(text).scripts) == 2 + len(results) + wanted
        policy = next(a["content"] for tag, a in Page(text).tags if a.get("http-equiv") == "Content-Security-Policy")
        assert policy.startswith("default-src 'none';")
        assert "connect-src" not in policy
        assert len(text) < 15e6


def test_the_page_of_a_run_that_has_begun_can_draw_in_space():
    text = render(*live_parts(example("misaligned-08b"), "live"))
    assert MARK in text
    assert Page(text).header["results"][0]["drive"]["space"] is not None


@pytest.mark.parametrize("room", ["report", "editor"])
def test_bundles_are_those_that_were_built(room):
    """The committed files agree with their list: no byte was changed by hand, and every file has an entry."""
    assets = resources.files(f"chaindrive.{room}") / "assets"
    listed = json.loads((assets / "bundles.json").read_text(encoding="utf-8"))
    assert "npm run build" in listed.pop("")
    assert {each.name for each in assets.iterdir()} == {"bundles.json", *listed}
    for name, of in listed.items():
        data = (assets / name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == of["sha256"], f"{name} is not what 'npm run build' in web/ wrote"


def test_bundles_name_their_packages_with_licence_and_locked_version():
    listed = json.loads((ASSETS / "bundles.json").read_text(encoding="utf-8"))
    assert list(listed["space.js"]["packages"]) == ["three"]
    assert "three" not in listed["report.js"]["packages"]
    lock = json.loads((Path(__file__).parents[2] / "web" / "package-lock.json").read_text(encoding="utf-8"))
    for name in ("report.js", "space.js"):
        heading = (ASSETS / name).read_text(encoding="utf-8").split("*/")[0]
        for package, version in listed[name]["packages"].items():
            assert lock["packages"][f"node_modules/{package}"]["version"] == version
            assert f"{package} {version}\n" in heading
        assert re.search(r"MIT License|Permission to use, copy, modify", heading)
    assert "Copyright © 2010-2026 three.js authors" in (ASSETS / "space.js").read_text(encoding="utf-8")


def test_scripts_hold_nothing_that_would_end_them():
    """Checks the bundle itself: pages write ``</script`` differently."""
    run, _, _ = spatial_run(3)
    from chaindrive.report.build import built

    text = render(*built([run]))
    assert text.count("<script") == text.count("</script")
