"""The live view: the page of the report, updated during a run and served on the loopback address only."""

from __future__ import annotations

from chaindrive.viewer.view import LiveView, can_open_browser, open_browser

__all__ = ["LiveView", "can_open_browser", "open_browser"]
