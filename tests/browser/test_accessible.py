"""Report, live view and editor in axe-core: nothing serious or critical, at both widths, in light and dark colours."""

from __future__ import annotations

import check_pages
import pytest

import chaindrive
from browser.conftest import SIGHTS, WIDE
from chaindrive.editor.server import EditorServer
from chaindrive.editor.session import Session
from chaindrive.model.files.text import example_path
from chaindrive.viewer import LiveView
from support.editing import Still

AXE = pytest.mark.skipif(not check_pages.AXE.is_file(), reason="axe-core is not there: npm ci --prefix web")


@AXE
@SIGHTS
def test_a_report(size, scheme, report_of, opened):
    page = opened(report_of("timing-06b").as_uri(), size).page
    page.emulate_media(color_scheme=scheme)
    assert check_pages.serious(page) == []


@AXE
def test_the_live_view(opened):
    with LiveView(chaindrive.example("timing-06b")) as view:
        page = opened(view.address, WIDE).page
        assert check_pages.serious(page) == []


@AXE
@SIGHTS
def test_the_editor(size, scheme, tmp_path, opened, monkeypatch):
    """The page on which a drive begins; a drive with a problem, all fields of a wheel, all tools; the keys."""
    monkeypatch.setattr("chaindrive.editor.session.Worker", Still)
    path = tmp_path / "drive.toml"
    session = Session(path)
    with EditorServer(session) as server:
        there = opened(server.address, size)
        page = there.page
        page.emulate_media(color_scheme=scheme)
        there.wait_for("c.state")
        page.get_by_role("button", name="timing", exact=True).click()
        assert check_pages.serious(page) == []
        path.write_text(example_path("timing-06b").read_text("utf-8").replace("teeth = 20", "teeth = 3", 1), "utf-8")
        session.take_file({})
        there.wait_for("c.problems.length > 0")
        page.locator("#parts").get_by_role("button", name="crankshaft", exact=True).click()
        page.locator("#part").get_by_role("button", name="More fields").first.click()
        page.get_by_text("Background drawing or photo").click()
        page.get_by_role("button", name="Torque", exact=True).click()
        assert check_pages.serious(page) == []
        page.get_by_role("button", name="Keys", exact=True).click()
        assert check_pages.serious(page) == []
        page.goto("about:blank")
        there.problems.clear()
    session.close()
