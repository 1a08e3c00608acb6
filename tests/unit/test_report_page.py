"""The page: complete, closed to the network, accessible, and with all user input escaped."""

import json
import re

import numpy as np
import pytest

import chaindrive
from chaindrive.analyses.carried import carried_text, goods_text
from chaindrive.analyses.results.steadiness import steadiness
from chaindrive.errors import InputError
from chaindrive.report import check_report, write_report
from chaindrive.report.build import distinct, live_parts
from chaindrive.report.page import header_text, render
from support.report_run import CHANNELS, Page, drive_called, made_solution

pytestmark = pytest.mark.usefixtures("few_windows")

NAMES = {
    "script": "</script><script>alert(1)</script>",
    "comment": "<!-- <script>",
    "quotes": "\"double\" 'single' & <b>",
    "newline": "two\nlines",
    "letters": "链条 Kette größer ☃",
    "right to left": "سلسلة שרשרת",
    "separators": "line\u2028paragraph\u2029end",
    "template": "{{ 7 * 7 }}{% raw %}",
}


def _page(path):
    return Page(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, id=kind, marks=() if kind in ("script", "newline") else pytest.mark.long)
        for kind, name in NAMES.items()
    ],
)
def test_what_a_user_typed_is_text(name, tmp_path):
    line = name.replace("\n", " ")  # a drive allows names of one line only, a title and a label any
    drive = drive_called(line, wheels=[f"w {line}"], guides=[f"g {line}", line], source="timing-06b")
    run = made_solution(drive, warnings=[f"warned {name}"])
    write_report([run, run], tmp_path / "run.html", labels=[f"first {name}", f"second {name}"], title=f"title {name}")
    page = _page(tmp_path / "run.html")
    plain = " ".join(name.split())
    assert f"title {plain}" in page.text
    assert f"warned {plain}" in page.text
    assert f"w {plain}" in page.text
    assert f"first {plain}" in page.text
    header = page.header
    assert header["title"] == f"title {name}"
    assert header["results"][1]["label"] == f"second {name}"
    assert header["results"][0]["drive"]["wheels"][0]["name"] == f"w {line}"
    assert header["results"][0]["drive"]["guides"][1]["name"] == line
    assert len(page.scripts) == 4  # header, data of two results, script: nothing that a name brought in
    assert not any(tag == "b" for tag, _ in page.tags)
    raw = page.script("report-header")
    assert not re.search("[<>&\u2028\u2029]", raw)
    for _, attributes in page.tags:
        assert not any(key.startswith("on") for key in attributes)


def test_the_header_survives_what_is_no_json():
    text = header_text({"a": float("nan"), "b": [float("inf"), 1.5], "c": "<&>\u2028", "d": (1, None)})
    assert json.loads(text) == {"a": None, "b": [None, 1.5], "c": "<&>\u2028", "d": [1, None]}
    assert not re.search("[<>&\u2028]", text)


def test_nothing_is_loaded_from_anywhere(tmp_path):
    write_report(made_solution(drive_called("alone")), tmp_path / "run.html")
    page = _page(tmp_path / "run.html")
    policy = next(a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';")
    assert "connect-src" not in policy
    for tag, attributes in page.tags:
        assert tag not in ("img", "iframe", "object", "embed", "base", "form")
        assert "src" not in attributes
        assert attributes.get("href", "#").startswith("data:" if tag == "link" else "#")


def test_the_page_is_in_order(tmp_path):
    """Islands in their order, working links, headings that name their sections, tables with captions."""
    write_report(made_solution(drive_called("order")), tmp_path / "run.html")
    page = _page(tmp_path / "run.html")
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    islands = ["stage", "details", "curves", "loop", "spectra", "orders", "campbell"]
    assert [each for each in ids if each in islands] == islands
    targets = [a["href"][1:] for tag, a in page.tags if tag == "a"]
    assert set(targets) <= set(ids)
    assert {"summary", "animation", "peaks", "bearings", "losses", "drive", "run", "left-out"} <= set(targets)
    for tag, attributes in page.tags:
        if tag == "section":
            assert attributes["aria-labelledby"] in ids
    tags = [tag for tag, _ in page.tags]
    assert tags.count("table") == tags.count("caption") > 5
    assert tags.count("h1") == 1
    assert "noscript" in tags
    assert next(attributes for tag, attributes in page.tags if tag == "html")["lang"] == "en"


def test_peaks_lead_to_their_moment(tmp_path):
    run = made_solution(drive_called("jump"))
    run.values("link_tension")[123, 9] = 5e4
    write_report(run, tmp_path / "run.html")
    page = _page(tmp_path / "run.html")
    jumps = [a for tag, a in page.tags if tag == "button"]
    assert all(a["class"] == "jump" for a in jumps)
    found = [a for a in jumps if a.get("data-jump-link") == "9" and float(a["data-jump-time"]) == run.time[123]]
    assert found
    assert found[0]["data-jump-result"] == "0"
    assert "50 kN" in page.text
    assert "link 9" in page.text


def test_several_results_stand_side_by_side(tmp_path):
    first = drive_called("same name")
    second = first.model_copy(update={"gravity": (0.0, -1.5)})
    runs = [made_solution(first), made_solution(second, rows=50, status="CHAIN_LEFT_WHEEL")]
    runs[1].values("link_tension")[20, 3] = 7e4
    write_report(runs, tmp_path / "two.html")
    page = _page(tmp_path / "two.html")
    header = page.header
    assert [each["label"] for each in header["results"]] == ["same name (1)", "same name (2)"]
    assert len(set(header["colours"]["results"])) == 2
    assert "same name (2): A wheel lost contact with all rollers" in page.text
    assert "gravity 0, -9.81 0, -1.5" in page.text
    assert "70 kN" in page.text
    assert any(a.get("data-jump-result") == "1" and a.get("data-jump-link") == "3" for _, a in page.tags)


def test_what_differs_goes_by_the_names_of_the_parts(tmp_path):
    first = drive_called("a", source="6l60mc")
    wheels = list(first.wheels)
    wheels[2] = wheels[2].model_copy(update={"load_torque": 12.5})
    runs = [made_solution(first), made_solution(first.model_copy(update={"wheels": tuple(wheels), "name": "b"}))]
    write_report(runs, tmp_path / "two.html")
    text = _page(tmp_path / "two.html").text
    assert f"wheels.{wheels[2].name}.load_torque {first.wheels[2].load_torque:.10g} 12.5" in text
    write_report([runs[0], runs[0]], tmp_path / "same.html")
    assert "the same description and options" in _page(tmp_path / "same.html").text


def test_a_part_that_only_some_have_takes_one_line_and_what_differs_of_it(tmp_path):
    first = drive_called("a", source="timing-06b")
    rails = [
        guide.model_copy(update={"max_penetration": 0.002}) if k == 1 else guide for k, guide in enumerate(first.guides)
    ]
    second = first.model_copy(update={"guides": tuple(rails)})
    third = first.model_copy(update={"guides": first.guides[:1]})
    write_report([made_solution(each, rows=20) for each in (first, second, third)], tmp_path / "three.html")
    text = _page(tmp_path / "three.html").text
    assert f"guides.{rails[1].name} present present –" in text
    assert f"guides.{rails[1].name}.max_penetration – 0.002 –" in text
    assert f"guides.{rails[1].name}.shape" not in text
    assert f"guides.{rails[0].name}" not in text


def test_distinct_names():
    assert distinct(["a", "b"]) == ["a", "b"]
    assert distinct(["a", "a", "b", "a"]) == ["a (1)", "a (2)", "b", "a (3)"]
    assert len(set(distinct(["a", "a", "a (1)", "a (2)"]))) == 4


def test_all_that_is_wrong_is_said_at_once(tmp_path):
    run = made_solution(drive_called("wrong"))
    with pytest.raises(InputError) as caught:
        write_report([run], tmp_path / "x.html", labels=["a", "b"], start=2.0, stop=1.0, frames=1)
    assert [problem.place for problem in caught.value.problems] == ["label", "stop", "frames"]
    with pytest.raises(InputError, match=r"no stored instant in this window; the results run from 0 to 0.199 s"):
        write_report(run, tmp_path / "x.html", start=5.0)
    with pytest.raises(InputError, match="at least one result is needed"):
        write_report([], tmp_path / "x.html")
    with pytest.raises(InputError, match="the run ended before the first instant was stored"):
        write_report(made_solution(drive_called("empty"), rows=0), tmp_path / "x.html")
    assert not list(tmp_path.iterdir())


def test_only_a_report_is_replaced_and_only_by_a_whole_one(tmp_path, monkeypatch):
    run = made_solution(drive_called("replaced"), rows=20)
    target = tmp_path / "run.html"
    target.write_text("<html>somebody's own page about chaindrive</html>", encoding="utf-8")
    with pytest.raises(InputError, match="is not a chaindrive report"):
        write_report(run, target)
    assert "somebody" in target.read_text(encoding="utf-8")
    write_report(run, target, overwrite=True)
    first = target.read_bytes()
    write_report(run, target, title="again")  # its own reports it replaces unasked
    assert target.read_bytes() != first

    def fails(*_):
        raise OSError(28, "No space left on device")

    kept = target.read_bytes()
    monkeypatch.setattr("pathlib.Path.write_bytes", fails)
    with pytest.raises(chaindrive.ComputationError, match="disk is full"):
        write_report(run, target)
    assert target.read_bytes() == kept
    assert [each.name for each in tmp_path.iterdir()] == ["run.html"]


@pytest.mark.parametrize(
    ("name", "message"),
    [("run.nc", "must end in .html"), ("missing/run.html", "does not exist"), ("folder.html", "is a directory")],
)
def test_places_where_no_report_can_be(tmp_path, name, message):
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(InputError, match=message):
        check_report(tmp_path / name)


def test_short_results_have_a_report(tmp_path):
    """Results of one instant, of two, and with almost no channels."""
    drive = drive_called("short")
    everything = list(made_solution(drive).channels)
    for rows in (1, 2, 3):
        write_report(made_solution(drive, rows=rows), tmp_path / "run.html")
        assert _page(tmp_path / "run.html").header["results"][0]["frames"]["kept"] == rows
    few = made_solution(drive, drop=[name for name in everything if name != "energy_kinetic"])
    write_report(few, tmp_path / "run.html")
    page = _page(tmp_path / "run.html")
    assert "save.channels" in page.text
    assert page.header["results"][0]["loop"] is None


@pytest.mark.parametrize(
    "without",
    [name if k % 2 else pytest.param(name, marks=pytest.mark.long) for k, name in enumerate(CHANNELS)],
)
def test_whatever_channel_is_missing_there_is_a_report(without, tmp_path):
    write_report(made_solution(drive_called("one less"), rows=40, drop=(without,)), tmp_path / "run.html")
    keys = [group["key"] for group in _page(tmp_path / "run.html").header["results"][0]["curves"]]
    assert without not in keys
    assert len(keys) >= 6


def test_not_a_number_in_the_results_is_shown_as_missing(tmp_path):
    run = made_solution(drive_called("nan"))
    for name in ("link_tension", "roller_position", "wheel_speed", "bearing_force", "span_tension"):
        run.values(name)[150:] = np.nan
    write_report(run, tmp_path / "run.html")
    assert np.isfinite(_page(tmp_path / "run.html").header["results"][0]["drive"]["extent"]).all()


def test_the_page_of_a_run_that_has_begun():
    drive = drive_called("live", source="timing-06b")
    header, data, contents = live_parts(drive, "live")
    page = Page(render(header, data, contents))
    assert page.header["live"] is True
    assert page.header["results"][0]["frames"]["kept"] == 0
    assert len(page.header["results"][0]["drive"]["guides"]) == 2
    policy = next(a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.endswith("; connect-src 'self'")


def test_it_is_public():
    assert chaindrive.write_report is write_report


def test_a_chain_that_runs_backwards_is_no_traceback(tmp_path):
    run = made_solution(drive_called("backwards"))
    speed = run.values("wheel_speed")
    speed[:] = -speed[0]
    write_report(run, tmp_path / "run.html")
    assert "against its driving direction" in _page(tmp_path / "run.html").text


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long) if k % 2 else name for k, name in enumerate(CHANNELS)],
)
def test_a_channel_that_is_not_a_number_anywhere_is_no_traceback(name, tmp_path):
    run = made_solution(drive_called("diverged"), rows=40)
    run.values(name)[:] = np.nan
    write_report(run, tmp_path / "run.html")
    assert _page(tmp_path / "run.html").header["results"][0]["curves"]


def test_what_a_chain_carries_is_told(tmp_path):
    drive = drive_called("carrying", source="bucket-elevator")
    write_report([made_solution(drive)], tmp_path / "run.html")
    text = Page((tmp_path / "run.html").read_text(encoding="utf-8")).text
    assert drive.payloads
    for payload in drive.payloads:
        assert goods_text(drive, payload) in text.replace("\u00a0", " ")
    assert carried_text(drive) in text.replace("\u00a0", " ")
    assert "attachments" in text


def test_one_window_for_headline_numbers_and_the_whole_run_beside_it(tmp_path):
    run = made_solution(drive_called("window"))
    early, late = 3, run.time.size - 5
    run.values("link_tension")[early, 2] = 9e4
    run.values("link_tension")[late, 4] = 8e4
    write_report(run, tmp_path / "run.html")
    page = _page(tmp_path / "run.html")
    part = run.verdict.part
    assert part.start > run.time[early]
    row = " ".join(page.text.split("largest link tension")[1].split("smallest")[0].split())
    assert re.match(r"80 kN ?at .* link 4 .*90 kN ?at .* link 2 ", row)
    assert f"f the {part.name}, {part.text}" in page.text.replace("\u00a0", " ")
    steady = steadiness(run)
    assert steady.text in page.text
    write_report(run, tmp_path / "part.html", start=run.time[0], stop=run.time[20])
    page = _page(tmp_path / "part.html")
    assert "selected part" in page.text
    assert "steady part" not in page.text
    assert "reported time range" in page.text


def test_losses_and_energy_are_one_table(tmp_path):
    runs = [made_solution(drive_called("a")), made_solution(drive_called("b"))]
    write_report(runs, tmp_path / "two.html")
    page = _page(tmp_path / "two.html")
    assert page.text.count("output + losses + stored") == 1
    assert page.text.count("Forces of the wheels on their bearings") == 1
