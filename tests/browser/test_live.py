"""The live view in a real browser: frames arrive while the run goes on, then the page is the report."""

from __future__ import annotations

import threading
import time

import pytest

import chaindrive
from chaindrive.report import write_report
from chaindrive.simulation.progress import Progress
from chaindrive.simulation.simulate import Observation
from chaindrive.viewer import LiveView
from support.editor_page import AT_390

UNTIL = 0.25
WIDE, NARROW = (1280, 900), (390, 844)


class Run(threading.Thread):
    """A run with its view and then its report, as on the command line."""

    def __init__(self, drive: chaindrive.Drive, view: LiveView, folder, until: float = UNTIL) -> None:
        super().__init__(daemon=True)
        self.until = until
        self.drive, self.view, self.report = drive, view, folder / "run.html"
        self.fetched = False
        self.go_on = threading.Event()
        self.ended = None

    def run(self) -> None:
        try:
            self._run()
        except BaseException as error:  # seen by the test, in its own thread
            self.ended = error

    def _run(self) -> None:
        solution = chaindrive.simulate(self.drive, self.until, observe=self.observe, progress=self.progress)
        self.view.finish(solution.status)
        write_report(solution, self.report)
        self.fetched = self.view.offer_report(self.report)

    def observe(self, observation: Observation) -> None:
        self.view.observe(observation)
        if observation.time[-1] > 0.5 * self.until:
            assert self.go_on.wait(60.0)  # until the page was looked at

    def progress(self, progress: Progress) -> None:
        self.view.progress(progress)
        time.sleep(0.01)


@AT_390
def test_a_run_is_followed_to_its_report(size, run_of, opened, screenshots, tmp_path):
    run_of("timing-06b")  # compiled before anybody waits for frames
    drive = chaindrive.example("timing-06b")
    drive = drive.model_copy(update={"run": drive.run.model_copy(update={"until": UNTIL})})
    with LiveView(drive) as view:
        live = opened(view.address, size)
        page = live.page
        live.wait_for("c.frames === 0")
        status = page.locator(".live-status")
        page.wait_for_function("() => document.querySelector('.live-status').textContent.startsWith('Starting')")
        assert live.overflow() <= 0
        second = opened(view.address, size)
        second.wait_for("c.frames === 0")
        run = Run(drive, view, tmp_path)
        run.start()
        live.wait_for("c.frames > 20")
        early = live.state("frames")
        live.wait_for("c.frames > x", early)
        page.wait_for_function("() => document.querySelector('.live-status').textContent.startsWith('Running')")
        assert "of 0.25" in status.inner_text()
        live.wait_for("c.time > 0.1")  # the animation stays at the end of what is computed
        assert live.colours() > 200
        page.locator("#curves").scroll_into_view_if_needed()
        page.locator("#curves .u-over").nth(3).wait_for()
        page.screenshot(path=screenshots / f"live-curves-{size[0]}.png")
        page.locator("#animation").scroll_into_view_if_needed()
        page.screenshot(path=screenshots / f"live-{size[0]}.png")
        live.button("First frame").click()
        live.button("Next frame").click()
        assert live.state("frame") == 1  # one can look at what was before while it goes on
        run.go_on.set()
        page.wait_for_url("**/report.html?page=*")
        second.page.wait_for_url("**/report.html?page=*")  # whoever watches gets the report, not only the first
        live.wait_for("c.frames > 100")
        run.join(60.0)
        assert run.ended is None
        assert run.fetched
        assert view.trouble == ""
        assert page.locator(".live-status").count() == 0
        assert page.evaluate("() => JSON.parse(document.getElementById('report-header').textContent).live") is False
        assert live.overflow() <= 0
    live.button("Last frame").click()  # the server has gone, the report stays
    assert live.state("time") == pytest.approx(UNTIL)


def test_pause_continue_and_stop(run_of, opened, screenshots, tmp_path):
    run_of("timing-06b")
    drive = chaindrive.example("timing-06b")
    with LiveView(drive) as view:
        live = opened(view.address)
        live.wait_for("c.frames === 0")
        pause = live.page.get_by_role("button", name="Pause")
        assert pause.is_disabled()
        run = Run(drive, view, tmp_path, 100.0 * UNTIL)  # which is stopped
        run.go_on.set()
        run.start()
        pause.click()
        text = "() => document.querySelector('.live-status').textContent"
        live.page.wait_for_function(f"{text}.startsWith('Paused at')")
        live.page.locator(".live").screenshot(path=screenshots / "live-paused.png")
        shown = live.page.evaluate(text)
        live.page.wait_for_timeout(600)
        assert live.page.evaluate(text) == shown
        live.page.get_by_role("button", name="Continue").click()
        live.page.wait_for_function(f"{text}.startsWith('Running')")
        live.page.get_by_role("button", name="Stop").click()
        live.page.wait_for_url("**/report.html?page=*")
        run.join(60.0)
        assert run.ended is None


def test_a_program_that_has_ended_is_said(opened):
    text = "() => document.querySelector('.live-status').textContent"
    with LiveView(chaindrive.example("industrial-08b")) as view:
        live = opened(view.address)
        live.wait_for("c.frames === 0")
        live.page.wait_for_function(f"{text}.startsWith('Starting')")
    live.page.wait_for_function(f"{text}.includes('Connection to the simulation lost')")
    assert live.page.locator(".live-status").is_visible()
    live.problems[:] = [each for each in live.problems if "ERR_CONNECTION" not in each and "feed?" not in each]
