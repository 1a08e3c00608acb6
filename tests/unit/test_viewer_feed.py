"""What the live page receives, compared with the instants of the run, decoded independently."""

from __future__ import annotations

import base64
import json
import math
import zlib

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.formulations.planar.endings import CHAIN_LEFT_WHEEL
from chaindrive.model import override
from chaindrive.simulation.progress import Progress
from chaindrive.simulation.simulate import Observation
from chaindrive.viewer.feed import Feed
from chaindrive.viewer.view import LiveView
from support.rigid_run import rigid_run

UNTIL = 0.03
LONG = 10.0
"""Assumed length of runs, so that frames follow the driver, with eight instants per frame. [s]"""


AT_ONCE = 20
"""Number of frames in an answer, so that there are several answers."""


@pytest.fixture(autouse=True)
def _small_answers(monkeypatch):
    monkeypatch.setattr("chaindrive.viewer.feed.AT_ONCE", AT_ONCE)


@pytest.fixture(scope="module")
def drive():
    """A drive with guides, bodies and a tensioner, every instant of a short run kept."""
    return override(cd.example("timing-06b"), {"run.save.rate": 20e3})


@pytest.fixture(scope="module")
def run(drive):
    """The data that the observer of a short run receives, in pieces, and the solution."""
    seen = []
    save = drive.run.save.model_copy(update={"chunk_rows": 37})
    solution = cd.simulate(drive, UNTIL, save=save, observe=seen.append)
    return seen, solution


def joined(seen, name):
    return np.concatenate([part.values(name) for part in seen])


def fed(drive, seen, **options):
    feed = Feed(drive, LONG, **options)
    for part in seen:
        feed.observe(part)
    feed.close()
    return feed


class Page:
    """A page that asks for frames and keeps the answers."""

    def __init__(self, feed):
        self.feed, self.generation, self.answers = feed, 0, 0
        self.frames, self.curves = {}, {}
        self.told = {}

    @property
    def count(self):
        return len(self.frames.get("time", ()))

    def ask(self):
        told = json.loads(self.feed.answer(self.count, self.generation), parse_constant=pytest.fail)
        if told["anew"]:
            self.frames, self.curves, self.generation = {}, {}, told["generation"]
        self.told = told
        if told["frames"] is None:
            return False
        blob = zlib.decompress(base64.b64decode(told["data"]))
        for name, ref in told["frames"].items():
            if isinstance(ref, dict):
                values = decoded(blob, ref)
                self.frames[name] = np.concatenate([self.frames[name], values]) if name in self.frames else values
        for group in told["curves"]:
            time, values = decoded(blob, group["time"]), decoded(blob, group["values"])
            names = tuple(each["name"] for each in group["series"])
            if group["key"] in self.curves:
                old = self.curves[group["key"]]
                assert old[0] == names
                time, values = np.concatenate([old[1], time]), np.concatenate([old[2], values], axis=1)
            self.curves[group["key"]] = names, time, values
        self.answers += 1
        return True

    def ask_for_all(self):
        while self.ask():
            pass
        return self


def decoded(blob, ref):
    """An array decoded according to the contract between the page and its data."""
    count, kind = math.prod(ref["shape"]), ref["kind"]
    if kind in ("q2", "i2"):
        low, high = (np.frombuffer(blob, "u1", count, ref["at"] + k * count).astype(int) for k in (0, 1))
        values = (low + 256 * high).reshape(ref["shape"])
        if ref.get("delta"):
            values = np.cumsum(values, axis=0) % 65536
        if kind == "i2":
            return np.where(values > 32767, values - 65536, values)
        return np.where(values == 65535, np.nan, ref["offset"] + ref["scale"] * values)
    values = np.frombuffer(blob, f"<{kind}", count, ref["at"]).reshape(ref["shape"])
    return np.cumsum(values.astype(int), axis=0) % 256 if ref.get("delta") else values


def test_frames_are_instants_of_the_run(drive, run):
    seen, solution = run
    page = Page(fed(drive, seen)).ask_for_all()
    time = joined(seen, "time") if "time" in solution.channels else np.concatenate([part.time for part in seen])
    rows = np.searchsorted(time, page.frames["time"])
    np.testing.assert_array_equal(time[rows], page.frames["time"])
    np.testing.assert_array_equal(rows, page.frames["row"])  # rows as they are in the results file
    assert rows[0] == 0
    assert rows[-1] == time.size - 1
    assert 70 < rows.size < 90  # 50 in a turn, of 1.5 turns
    assert page.told["frames"] is None
    tension = joined(seen, "link_tension")
    step = np.ptp(tension) / 65534
    np.testing.assert_allclose(page.frames["link_tension"], tension[rows], atol=step)
    np.testing.assert_allclose(page.frames["roller"], joined(seen, "roller_position")[rows], atol=2e-5)
    np.testing.assert_array_equal(page.frames["wheel_angle"], joined(seen, "wheel_angle")[rows])
    np.testing.assert_array_equal(page.frames["contact_surface"], joined(seen, "contact_surface")[rows])
    np.testing.assert_allclose(page.frames["body_angle"], joined(seen, "body_angle")[rows], rtol=1e-6)
    before = -1
    for k, row in enumerate(rows):
        between = tension[before + 1 : row + 1]
        np.testing.assert_allclose(page.frames["tension_low"][k], between.min(axis=0), atol=step)
        np.testing.assert_allclose(page.frames["tension_high"][k], between.max(axis=0), atol=step)
        before = row


def test_the_chain_advances_without_a_jump_where_the_formulation_says_it_is(drive, run):
    seen, _ = run
    page = Page(fed(drive, seen)).ask_for_all()
    assert page.answers == 4
    advance = page.frames["advance"]
    links = drive.chain.links
    path = joined(seen, "link_path_position")[page.frames["row"]][:, 0]
    off = (advance + 0.5 - path + links / 2) % links - links / 2
    np.testing.assert_allclose(off, 0.0, atol=1e-6)
    assert np.abs(np.diff(advance)).max() < 2.0


def test_curves_pass_through_every_extreme(drive, run):
    seen, _ = run
    page = Page(fed(drive, seen)).ask_for_all()
    names, time, values = page.curves["span_tension"]
    spans = joined(seen, "span_tension")
    assert len(names) == spans.shape[1] == len(drive.wheels)
    np.testing.assert_allclose(values.max(axis=1), spans.max(axis=0), rtol=1e-6)
    np.testing.assert_allclose(values.min(axis=1), spans.min(axis=0), rtol=1e-6)
    assert np.all(np.diff(time) > 0)
    # a course that only rises is drawn as it is, although not all of its instants are there
    names, time, values = page.curves["wheel_speed"]
    instants = np.concatenate([part.time for part in seen])
    speed = joined(seen, "wheel_speed") * 30.0 / np.pi  # drawn in rpm
    drawn = np.interp(instants, time, values[0])
    assert np.abs(drawn - speed[:, 0]).mean() < 0.003 * np.ptp(speed[:, 0])
    _, _, largest = page.curves["largest_link_tension"]
    assert largest.max() == pytest.approx(joined(seen, "link_tension_max").max(), rel=1e-6)
    force = np.hypot(*np.moveaxis(joined(seen, "bearing_force"), -1, 0))
    np.testing.assert_allclose(page.curves["bearing_force"][2].max(axis=1), force.max(axis=0), rtol=1e-6)
    names, _, energy = page.curves["energy"]
    kinetic = joined(seen, "energy_kinetic")
    assert energy[names.index("kinetic")][-1] == pytest.approx(kinetic[-1] - kinetic[0], rel=1e-6)


def test_a_page_that_comes_late_gets_all_of_it(drive, run):
    seen, _ = run
    feed = Feed(drive, LONG)
    early = Page(feed)
    for part in seen:
        feed.observe(part)
        early.ask()
    feed.close()
    early.ask_for_all()
    late = Page(feed).ask_for_all()
    assert early.count == late.count
    assert early.answers > late.answers == 4
    for name in ("time", "row", "wheel_angle", "contact_surface", "span_tension"):
        np.testing.assert_array_equal(early.frames[name], late.frames[name])
    for key, (_, time, values) in late.curves.items():
        np.testing.assert_array_equal(early.curves[key][1], time)
        np.testing.assert_array_equal(early.curves[key][2], values)


def test_a_page_starts_anew_when_frames_were_dropped(drive, run):
    seen, _ = run
    feed = Feed(drive, UNTIL, most=40)
    page, begun_anew = Page(feed), 0
    for part in seen:
        feed.observe(part)
        page.ask_for_all()
        begun_anew += page.told["anew"]
        assert page.count <= 40
        assert np.all(np.diff(page.frames["time"]) > 0)
    feed.close()
    late = Page(feed).ask_for_all()
    page.ask_for_all()
    np.testing.assert_array_equal(page.frames["row"], late.frames["row"])
    assert page.generation == late.generation >= 2
    tension = joined(seen, "span_tension")
    np.testing.assert_allclose(late.curves["span_tension"][2].max(axis=1), tension.max(axis=0), rtol=1e-6)


def test_a_page_that_claims_too_much_starts_anew(drive, run):
    feed = fed(drive, run[0])
    told = json.loads(feed.answer(10**9, 0))
    assert told["anew"]
    assert told["frames"]["time"]["shape"] == [min(AT_ONCE, feed._kept.count)]
    told = json.loads(feed.answer(5, 17))
    assert told["anew"]


def test_before_anything_is_computed(drive):
    told = json.loads(Feed(drive, UNTIL).answer(0, 0))
    assert told["state"] == "starting"
    assert told["frames"] is None
    assert told["curves"] is None
    assert told["report"] is None
    assert not told["anew"]
    assert told["until"] == UNTIL


def test_frames_are_those_of_a_run_that_goes_on(drive, run):
    """Also before it has reported its progress for the first time."""
    feed = Feed(drive, UNTIL)
    feed.observe(run[0][0])
    told = json.loads(feed.answer(0, 0))
    assert told["frames"] is not None
    assert (told["state"], told["message"]) == ("running", "")
    assert told["time"] == run[0][0].time[-1]


def test_a_run_that_blew_up_is_told_of_too(drive, run):
    seen, _ = run
    last = seen[-1]
    rows = last.rows.copy()
    rows[-3:] = np.nan
    page = Page(fed(drive, [*seen[:-1], last._replace(rows=rows)])).ask_for_all()
    assert np.isfinite(page.frames["link_tension"][:-10]).all()
    assert np.isnan(page.frames["link_tension"][-1]).all()
    assert page.frames["time"][-1] == pytest.approx(UNTIL)


def test_view_says_how_far_the_run_is(drive, run):
    from urllib.request import urlopen

    def answer_of(view):
        with urlopen(f"{view.address}feed?after=0") as answer:  # the address of this test's own server
            return json.load(answer)

    with LiveView(drive) as view:
        assert answer_of(view)["state"] == "starting"
        with urlopen(view.address) as answer:
            page = answer.read().decode()
        assert '"live":true' in page
        assert drive.wheels[0].name in page
        view.observe(run[0][0])
        view.progress(Progress(0.01, UNTIL, 100, 1.0, 2.5))
        now = answer_of(view)
        assert (now["state"], now["time"], now["until"], now["remaining"]) == ("running", 0.01, UNTIL, 2.5)
        view.progress(Progress(0.01, UNTIL, 100, 1.0, math.inf))
        assert answer_of(view)["remaining"] is None
        for status, state in (
            (Status.REACHED_END, "finished"),
            (Status.INTERRUPTED, "interrupted"),
            (CHAIN_LEFT_WHEEL, "failed"),
        ):
            view.finish(status)
            now = answer_of(view)
            assert now["state"] == state
            assert status.meaning in now["message"]


def test_the_page_pauses_and_stops_the_run(drive):
    from urllib.request import Request, urlopen

    def post(name):
        with urlopen(Request(f"{view.address}{name}", b"null", {"Content-Type": "application/json"})) as answer:
            assert answer.status == 200

    def state():
        with urlopen(f"{view.address}feed?after=0") as answer:
            return json.load(answer)["state"]

    states = []

    def go_on():
        states.append(state())
        if len(states) == 3:
            post("continue")

    with LiveView(drive) as view:
        view.while_paused = go_on
        post("pause")
        view.progress(Progress(0.01, UNTIL, 100, 1.0, 2.5))
        assert states == ["paused"] * 3
        assert state() == "running"
        post("pause")
        view.while_paused = lambda: post("stop")
        with pytest.raises(KeyboardInterrupt):
            view.progress(Progress(0.02, UNTIL, 200, 1.0, 2.0))
        with pytest.raises(KeyboardInterrupt):
            view.progress(Progress(0.03, UNTIL, 300, 1.0, 2.0))


def test_a_mistake_in_the_view_does_not_end_the_run(drive, run):
    seen, _ = run
    with LiveView(drive) as view:
        view.observe(Observation(seen[0].time, seen[0].rows, (), {}))  # without any channel
        assert "the live view stopped" in view.trouble
        view.observe(seen[0])
        view.finish(Status.REACHED_END)


def test_nobody_is_waited_for_where_nobody_looks(drive, tmp_path):
    report = tmp_path / "run.html"
    report.write_text("<p>", encoding="utf-8")
    with LiveView(drive) as view:
        assert view.offer_report(report) is False


def test_of_rigid_links_the_page_gets_angles_and_pins():
    run = rigid_run()
    channels, rows = [], []
    for channel in run.channels.values():
        channels.append(channel._replace(offset=sum(each.size for each in channels)))
        rows.append(np.asarray(run.values(channel.name), dtype=float).reshape(run.time.size, -1))
    seen = Observation(run.time, np.concatenate(rows, axis=1), tuple(channels), run.labels)
    page = Page(fed(run.drive, [seen])).ask_for_all()
    at = np.searchsorted(run.time, page.frames["time"] - 1e-9)
    np.testing.assert_allclose(page.frames["pin_gap"], run.values("pin_gap")[at], atol=1e-8)
    np.testing.assert_allclose(page.frames["pin_force"][:, 5], 305.0, atol=0.01)
    turned = page.frames["link_angle"] - run.values("link_angle")[at]
    np.testing.assert_allclose(np.cos(turned), 1.0, atol=1e-6)
    assert page.frames["pin_direction"].shape == page.frames["pin_gap"].shape
    assert page.curves["power_loss"][0] == ("contacts of pins in bushes",)
    assert "largest_pin_force" in page.curves
