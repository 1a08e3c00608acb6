"""The editor's server: answers, refusals, two pages at once, and a file changed from outside."""

from __future__ import annotations

import gc
import http.client
import json
import math
import random
import socket
import threading
import time
import tomllib
import tracemalloc
from urllib.parse import urlsplit

import numpy as np
import pytest

from chaindrive.editor.document import journal_path
from chaindrive.editor.server import EditorServer
from chaindrive.editor.session import Session
from chaindrive.editor.sketch import sketch
from chaindrive.model import Drive
from chaindrive.model.files.text import example_path
from chaindrive.viewer.loopback import HOST
from support.editing import Still


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "drive.toml"
    path.write_bytes(example_path("timing-06b").read_bytes())
    return path


@pytest.fixture
def server(path, monkeypatch):
    monkeypatch.setattr("chaindrive.editor.session.Worker", Still)
    monkeypatch.setattr("chaindrive.editor.session.PATIENCE", 0.05)
    monkeypatch.setattr("chaindrive.viewer.loopback.POLL_INTERVAL", 0.005)
    with EditorServer(Session(path)) as served:
        yield served


def ask(server, name, body=None, **headers):
    """Status and content; body: data to be posted."""
    connection = http.client.HTTPConnection(HOST, server.port, timeout=20)
    try:
        root = urlsplit(server.address).path
        sent = {"Content-Type": "application/json"} | {key.replace("_", "-"): value for key, value in headers.items()}
        if body is None:
            connection.request("GET", root + name, headers=headers)
        else:
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            connection.request("POST", root + name, content, {key: value for key, value in sent.items() if value})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def post(server, name, body):
    status, content = ask(server, name, body)
    return status, json.loads(content)


@pytest.mark.parametrize("polls", [200, pytest.param(4320, marks=pytest.mark.long)], ids=["hour", "day"])
def test_requests_for_news_leave_nothing_behind(server, monkeypatch, polls):
    """With as many requests as in 24 h, checks the memory of our modules and of those of HTTP, threads, and the
    token.
    """
    monkeypatch.setattr("chaindrive.editor.session.PATIENCE", 0.0)
    ours = [tracemalloc.Filter(True, f"*{name}*") for name in ("chaindrive", "http", "socketserver", "threading")]

    def polled(count):
        for _ in range(count):
            assert ask(server, "state?stamp=1&revision=0")[0] == 200
        gc.collect()
        return sum(each.size for each in tracemalloc.take_snapshot().filter_traces(ours).traces)

    tracemalloc.start()
    try:
        before, threads = polled(20), threading.active_count()
        assert polled(polls) < before + 50_000
        assert threading.active_count() <= threads + 2
    finally:
        tracemalloc.stop()


def place(path, value, **more):
    return {"kind": "set", "path": path, "value": value, **more}


def test_document_and_drawing(server, path):
    state = json.loads(ask(server, "state")[1])
    document = state["document"]
    assert document["text"] == path.read_text()
    assert (document["problems"], state["unsaved"], state["undo"]) == ([], False, None)
    assert document["sketch"]["wheels"][0]["name"] == "crankshaft"
    assert document["pictures"][0]["drive"]["links"] == 130
    assert {tuple(handle["path"]) for handle in document["sketch"]["handles"]} >= {
        ("wheels", 0, "position"),
        ("bodies", 0, "joint", "position"),
        ("tensioners", 0, "to_position"),
    }


def test_length_slack_and_wraps_are_those_of_check(server):
    """The number of pitches around wheels and rails, and wraps that sum to one turn around a convex loop."""
    numbers = json.loads(ask(server, "state")[1])["document"]["sketch"]["numbers"][0]
    assert numbers["pitches"] == pytest.approx(129.98445, abs=1e-4)
    assert numbers["slack"] == pytest.approx((130 - numbers["pitches"]) * 9.525e-3)
    # a parabola of this slack: s = 8 f^2 / (3 L), L the span that the crankshaft feeds
    span = numbers["spans"][0]["length"]
    assert numbers["slack"] == pytest.approx(8.0 * numbers["sag"] ** 2 / (3.0 * span))
    assert sum(each["wrap"] for each in numbers["wraps"]) == pytest.approx(2 * 3.141592653589793)


def test_a_point_that_is_dragged_changes_nothing_until_it_is_let_go(server, path):
    change = place(["wheels", 1, "position"], [0.08, 0.385], metres=True)
    status, ahead = post(server, "geometry", {"revision": 0, "changes": [change]})
    assert status == 200
    assert ahead["sketch"]["wheels"][1]["centre"] == [0.08, 0.385]
    assert json.loads(ask(server, "state")[1])["revision"] == 0
    status, state = post(server, "edit", {"revision": 0, "changes": [change], "label": "move"})
    assert (status, state["undo"], state["unsaved"]) == (200, "move", True)
    assert 'position = ["80 mm", "385 mm"]' in state["document"]["text"]
    assert "385" not in path.read_text()
    assert post(server, "save", {})[0] == 200
    assert path.read_text() == state["document"]["text"]


def test_a_page_that_is_late_is_told_so(server):
    body = {"revision": 0, "changes": [place(["name"], "one")], "label": "set"}
    assert post(server, "edit", body)[0] == 200
    status, answer = post(server, "edit", body)  # of another tab that has not seen it
    assert status == 409
    assert "changed in the meantime" in answer["message"]


def test_undo_and_redo(server):
    post(server, "edit", {"revision": 0, "changes": [place(["name"], "one")], "label": "set name"})
    state = post(server, "undo", {})[1]
    assert (state["unsaved"], state["redo"]) == (False, "set name")
    assert post(server, "redo", {})[1]["document"]["fields"]["name"] == "one"


@pytest.mark.parametrize("complete", [True, False])
def test_an_oval_sprocket_is_drawn_as_it_stands(complete):
    """An ellipse turned by 30 deg with axes of the ratio 1.1, its first corner on the long axis.

    The chain leaves and arrives at corners, and lies on those between.
    """
    fields = tomllib.loads(example_path("industrial-08b").read_text("utf-8"))
    fields["wheels"][0] |= {"teeth": 40, "pitch_line": {"form": "ellipse", "ovality": 1.1, "angle": "30 deg"}}
    fields["wheels"][0]["position"] = ["30 mm", "-20 mm"]
    fields["chain"]["links"] = "auto"
    found = sketch(fields, Drive.from_dict(fields) if complete else None)
    oval, round_one = found["wheels"]
    assert round_one["corners"] == []
    corners = np.array(oval["corners"])
    x, y = (corners - oval["centre"]).T
    c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
    along, across = c * x + s * y, c * y - s * x
    assert len(corners) == 40
    assert (along / along[0]) ** 2 + (1.1 * across / along[0]) ** 2 == pytest.approx(1.0, abs=1e-5)
    (way,) = found["routes"]
    line = np.array(way["lines"][0])
    assert [len(way["arcs"]), len(way["spans"])] == [1, 2]
    assert line[-1].tolist() == way["spans"][0][:2]
    assert line[0].tolist() == way["spans"][1][2:]
    assert {*map(tuple, line)} < {*map(tuple, corners)}
    assert 20 <= len(line) < 30  # the larger wheel: a half turn and more


def test_problems_come_with_their_places(server):
    state = post(server, "edit", {"revision": 0, "changes": [place(["wheels", 1, "teeth"], 3)], "label": "set"})[1]
    assert [problem["place"] for problem in state["document"]["problems"]] == ["wheels[1].teeth"]
    assert state["document"]["pictures"] == []
    assert len(state["document"]["sketch"]["wheels"]) == 3  # drawn as far as it is known


def test_a_check_is_ordered_for_every_text_once(server):
    worker = server._session._workers["check"]
    post(server, "edit", {"revision": 0, "changes": [place(["name"], "one")], "label": "set"})
    post(server, "save", {})
    assert [order.revision for order in worker.given] == [0, 1]
    assert 'name = "one"' in worker.given[-1].text


def test_a_file_changed_outside_is_seen_by_a_waiting_page(server, path, monkeypatch):
    monkeypatch.setattr("chaindrive.editor.session.PATIENCE", 10.0)
    monkeypatch.setattr("chaindrive.editor.session.LOOK", 0.02)
    state = json.loads(ask(server, "state")[1])
    path.write_text(path.read_text().replace("links = 130", "links = 132"))
    query = f"state?stamp={state['stamp']}&revision={state['revision']}"
    after = json.loads(ask(server, query)[1])
    assert after["document"]["fields"]["chain"]["links"] == 132
    post(server, "edit", {"revision": after["revision"], "changes": [place(["name"], "mine")], "label": "set"})
    path.write_text(path.read_text().replace("links = 132", "links = 134"))
    status, answer = post(server, "save", {})
    assert (status, "changed by another program" in answer["message"]) == (422, True)
    assert post(server, "take", {})[1]["document"]["fields"]["chain"]["links"] == 134


def test_templates_begin_a_file(server):
    kinds = {template["kind"]: template for template in json.loads(ask(server, "templates")[1])}
    asked = {question["name"]: question for question in kinds["timing"]["questions"]}
    assert set(asked["camshafts"]["options"]) == {"one", "two", "v"}
    status, state = post(server, "begin", {"kind": "timing", "answers": {"height": "400 mm"}})
    assert (status, state["document"]["problems"]) == (200, [])
    status, answer = post(server, "begin", {"kind": "timing", "answers": {"height": "4"}})
    assert (status, answer["problems"][0]["place"]) == (422, "height")


def test_catalogue_and_schema(server):
    names = [chain["name"] for chain in json.loads(ask(server, "catalogue")[1])]
    assert {"08B-1", "06B-1"} <= set(names)
    assert "Wheel" in json.loads(ask(server, "schema")[1])["$defs"]


def test_a_run_gets_a_name_that_is_free(server, path):
    path.with_suffix(".nc").write_text("results of an earlier run")
    assert post(server, "run", {})[0] == 200
    assert server._session._workers["run"].given[0].options == {"output": "drive-2.nc", "report": "drive-2.html"}
    assert ask(server, "report.html")[0] == 404
    (path.parent / "drive-2.html").write_text("the report")
    assert ask(server, "report.html") == (200, b"the report")
    post(server, "edit", {"revision": 0, "changes": [place(["wheels", 1, "teeth"], 3)], "label": "set"})
    assert post(server, "run", {})[0] == 422  # no drive


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"Host": "evil.example"}, {}, 421),
        ({"Origin": "http://evil.example"}, {}, 403),
        ({"Origin": "null"}, {}, 403),
        ({"Content_Type": "text/plain"}, {}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, {}, 415),
        ({}, b"{", 400),
        ({}, b"[]", 400),
        ({}, b'{"a": NaN}', 400),
        ({}, b"[" * 100_000, 400),
    ],
    ids=str,
)
def test_what_another_page_could_send_does_nothing(server, headers, body, status):
    assert ask(server, "undo", body, **headers)[0] == status


def test_a_request_too_large_is_not_read(server):
    with socket.create_connection((HOST, server.port), timeout=10) as wire:
        root = urlsplit(server.address).path
        head = f"POST {root}edit HTTP/1.1\r\nHost: {HOST}:{server.port}\r\nContent-Type: application/json\r\n"
        wire.sendall(f"{head}Content-Length: 4000001\r\n\r\n".encode())
        assert wire.recv(100).startswith(b"HTTP/1.1 413 ")


def hostile(rng: random.Random) -> tuple[str, object]:
    """Name and body of a request that must have no effect."""
    odd = [None, True, -1, 10**30, 1e308, "", "x" * 5000, [], {}, [[[]]], {"a": 1}, "\ud800", "../../etc/passwd", 0]
    names = ["edit", "geometry", "begin", "take_file", "sweep", "drawing"]
    action = rng.choice([*names, "../save", "undo\0", "%2e%2e/save", "report.html"])
    change = {
        rng.choice(["kind", "path", "value", "to", "metres", "extra"]): rng.choice(
            [*odd, "set", "add", "remove", "move", ["wheels", 99], ["wheels", -1], ["__class__"], ["wheels", "name"]]
        )
        for _ in range(rng.randrange(5))
    }
    body = {
        "revision": rng.choice([0, *odd]),
        "changes": rng.choice([[change], [change] * 3, *odd]),
        "label": rng.choice(["move", "\n", *odd]),
        "kind": rng.choice([*odd, "timing", "cvt"]),
        "place": rng.choice(["wheels[0].teeth", "../wheels", 'wheels[0].teeth"\n[set]', *odd]),
        "values": rng.choice(["1, 2", "1,\n2", "nan", "1" * 400, "1e999", ", ,", *odd]),
        "block": rng.choice([True, *odd]),
        "name": rng.choice(["../a.dxf", "a.toml", "a.dxf\0", *odd]),
        "figures": rng.choice([["efficiency"], [["efficiency"]], [{}], *odd]),
        "answers": rng.choice([[], 3, "x", {"height": rng.choice(odd[:7])}, {"name": "\0"}, {"speed": "1e99 rpm"}]),
    }
    return action, rng.choice([body, body, body, b"\0" * 20, b"", b'{"revision": 0, "changes": '])


@pytest.mark.parametrize(
    "requests", [100, pytest.param(1000, marks=pytest.mark.long)], ids=lambda count: f"{count} requests"
)
def test_hostile_requests_do_nothing(server, path, requests):
    before = path.read_bytes()
    rng = random.Random(33)
    statuses = set()
    for number in range(requests):
        action, body = hostile(rng)
        with_surrogates = json.dumps(body).encode() if isinstance(body, dict) else body
        status, _ = ask(server, action.replace("\0", "%00"), with_surrogates)
        statuses.add(status)
        assert status in (200, 400, 404, 409, 422), (number, action, body)
        state = json.loads(ask(server, "state")[1])
        assert state["revision"] == 0, (number, action, body)
    assert {400, 404, 409, 422} <= statuses
    assert path.read_bytes() == before
    assert not journal_path(path).exists()
    assert sorted(each.name for each in path.parent.iterdir()) == ["drive.toml"]


def test_a_sketch_is_there_in_milliseconds(server):
    """The sketch is fast enough for 30 pictures a second on a quiet machine; a busy one may take five times as long."""
    change = place(["wheels", 1, "position"], [0.08, 0.385], metres=True)
    post(server, "geometry", {"revision": 0, "changes": [change]})
    times = []
    for _ in range(5):
        begun = time.process_time()
        post(server, "geometry", {"revision": 0, "changes": [change]})
        times.append(time.process_time() - begun)
    assert min(times) < 0.15


def test_requests_of_one_connection_do_not_wait_for_each_other(server):
    """A delayed acknowledgement takes 40 ms: a dragged part would be drawn 20 times a second at most."""
    connection = http.client.HTTPConnection(HOST, server.port, timeout=20)
    times = []
    for _ in range(30):
        begun = time.perf_counter()
        connection.request("GET", urlsplit(server.address).path + "templates")
        connection.getresponse().read()
        times.append(time.perf_counter() - begun)
    connection.close()
    assert min(times[20:]) < 0.03


def test_a_drawing_is_answered_as_lines(server):
    text = "<svg width='10cm' viewBox='0 0 50 50'><line x2='50'/></svg>"
    status, answer = post(server, "beneath", {"text": text})
    assert status == 200
    assert answer == {"lines": [[[0.0, 0.0], [0.1, 0.0]]], "layers": [], "skipped": {}}
    status, answer = post(server, "beneath", {"text": "<svg/>"})
    assert (status, [each["place"] for each in answer["problems"]]) == (422, ["drawing"])
