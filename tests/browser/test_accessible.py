"""Report and live view in axe-core: nothing serious or critical, at both widths, in light and dark colours."""

from __future__ import annotations

import check_pages
import pytest

import chaindrive
from chaindrive.viewer import LiveView

WIDE, NARROW = (1280, 900), (390, 844)
AXE = pytest.mark.skipif(not check_pages.AXE.is_file(), reason="axe-core is not there: npm ci --prefix web")


@AXE
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["1280", "390"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report(size, scheme, report_of, opened):
    page = opened(report_of("timing-06b").as_uri(), size).page
    page.emulate_media(color_scheme=scheme)
    assert check_pages.serious(page) == []


@AXE
def test_the_live_view(opened):
    with LiveView(chaindrive.example("timing-06b")) as view:
        page = opened(view.address, WIDE).page
        assert check_pages.serious(page) == []
