"""Tasks of new users in the editor, wide and narrow: from the documentation alone, by clicks and typing."""

from __future__ import annotations

import re
import tomllib

import pytest

from chaindrive.model.files.text import example_path
from chaindrive.model.study.files import load_study
from chaindrive.studies import run_study
from support.editor_page import AT_390, AT_1280

CHECKED = "c.state.tasks.check.state === 'done' && c.state.tasks.check.revision === c.state.revision"
G = 9.81


def begin(editor, kind: str, **answers: str) -> None:
    """Begin with a template."""
    editor.press(kind)
    for name, text in answers.items():
        editor.actions += 1
        editor.page.locator(f"#question-{name}").fill(text)
    editor.press("Draw it")
    editor.wait("c.fields.wheels")


@AT_1280
def test_a_conveyor_to_its_verdict(edited, size, monkeypatch, screenshots):
    monkeypatch.setattr("chaindrive.editor.tasks.EFFORT", 0.3)
    with edited("", size, computes=True) as (editor, _path, _):
        begin(editor, "conveyor", length="2 m", goods="60 kg/m", speed="0.4 m/s")
        assert editor.problems == []
        editor.wait("['done', 'failed'].includes(c.state.tasks.short.state)")
        verdict = editor.page.locator("#short").inner_text()
        assert "Motor" in verdict
        assert "Take-up" in verdict
        editor.opened.keep(screenshots / f"task-conveyor-{size[0]}.png")
        assert editor.actions < 10


@AT_390
def test_a_motorcycle_with_its_swingarm(edited, size):
    with edited("", size, computes=True) as (editor, path, _):
        begin(editor, "motorcycle", torque="60 N*m", rear_teeth="42", swingarm="580 mm")
        editor.wait(CHECKED)
        assert editor.problems == []
        chain = editor.opened.state("state")["tasks"]["check"]["result"]["chains"][0]
        assert chain["at_rest"]
        assert [each["name"] for each in chain["tensioners"]] == ["spring and damper"]
        editor.press("Save")
        editor.wait("!c.state.unsaved")
        saved = tomllib.loads(path.read_text("utf-8"))
        assert saved["wheels"][1]["body"] == "swingarm"
        assert saved["wheels"][1]["teeth"] == 42
        assert editor.actions < 10


@AT_1280
def test_a_hoist(edited, size):
    """The load strand carries the load, the hook and its own weight."""
    with edited("", size, computes=True) as (editor, _path, _):
        begin(editor, "hoist", load="300 kg", height="3 m")
        editor.wait(CHECKED)
        assert editor.problems == []
        chain = editor.opened.state("state")["tasks"]["check"]["result"]["chains"][0]
        tension = max(span["tension"] for span in chain["spans"])
        assert 300.0 * G < tension < 1.03 * 300.0 * G
        assert editor.actions < 10


@AT_390
def test_a_bicycle_that_shifts(edited, size, screenshots):
    """A cog that is not on the cassette is answered with its neighbours; the right one is drawn next to that of the
    gear.
    """
    with edited(example_path("bicycle-50x19").read_text("utf-8"), size) as (editor, path, _):
        editor.press("bicycle", "#parts")
        editor.open(re.compile(r"More fields \(7\)"))
        editor.actions += 1
        given = editor.page.locator('[data-place="bicycle.shift"]').get_by_role("combobox")
        editor._done(lambda: given.select_option(label="given"))
        editor.fill("bicycle.shift.to", "20")
        assert "did you mean 21?" in editor.page.locator("#problems").inner_text()
        editor.fill("bicycle.shift.to", "21")
        assert editor.problems == []
        wheel = editor.page.evaluate("() => chaindrive.state.document.pictures[0].drive.wheels.at(-1)")
        assert (wheel["teeth"], [cog["teeth"] for cog in wheel["cogs"]]) == (19, [21])
        editor.opened.keep(screenshots / f"task-shift-{size[0]}.png")
        editor.press("Save")
        editor.wait("!c.state.unsaved")
        assert tomllib.loads(path.read_text("utf-8"))["bicycle"]["shift"]["to"] == 21
        assert editor.actions < 12


BROKEN = (
    example_path("industrial-08b")
    .read_text("utf-8")
    .replace("teeth = 17", "teeth = 3", 1)
    .replace('inertia = "0.1 kg*m^2"', 'inertia = "0.1 kg"', 1)
    .replace('standard = "08B-1"', 'standard = "08X-1"', 1)
)


@AT_390
def test_a_drive_is_repaired_from_its_messages(edited, size):
    """Every message leads to its field; its text is enough to enter a correct value."""
    right = {"wheels[0].teeth": "17", "wheels[1].inertia": "0.1 kg*m^2", "chain.standard": "08B-1"}
    with edited(BROKEN, size) as (editor, _path, _):
        assert sorted(editor.problems) == sorted(right)
        for place, value in right.items():
            editor.press(place, "#problems")
            focused = "x => document.activeElement.closest('[data-place]')?.dataset.place === x"
            editor.page.wait_for_function(focused, arg=place)  # it opens the part first
            said = editor.page.locator(f'[data-place="{place}"] .field-problem').first.inner_text()
            assert re.search(r"must|did you mean|give", said), said
            editor.fill(place, value)
        assert editor.problems == []
        assert editor.actions < 10


@AT_390
def test_a_sweep_begun_in_the_editor(edited, size, screenshots):
    """A constant load: its chain force does not depend on the speed, power and so on do; the study can be resumed."""
    text = example_path("industrial-08b").read_text("utf-8")
    with edited(text, size, computes=True) as (editor, path, _):
        editor.choose("What varies", label="motion.speed")
        assert editor.page.get_by_label("Values").input_value() == "-400 rpm, -450 rpm, -500 rpm, -550 rpm, -600 rpm"
        editor.write("Values", "-400 rpm, -600 rpm")
        editor.choose("Runs", value="block")
        editor.press("Sweep", "#sweep")
        editor.wait("['done', 'failed'].includes(c.state.tasks.sweep.state)")
        assert editor.actions < 10
        table = editor.page.locator("#sweep table")
        heads = table.locator("thead th").all_inner_texts()
        rows = [row.split("\t") for row in table.locator("tbody tr").all_inner_texts()]
        assert [float(row[0]) for row in rows] == [-400.0, -600.0]
        assert heads[0] == "wheels[0].motion.speed [rpm]"
        tensions = [float(row[heads.index("largest link tension, steady part [N]")]) for row in rows]
        assert tensions[0] == pytest.approx(tensions[1], rel=0.05)
        editor.opened.keep(screenshots / f"task-sweep-{size[0]}.png")
        study = load_study(path.with_name("drive-sweep.toml"))
        again = run_study(study, output=path.with_name("drive-sweep-study"), workers=1)
        assert [row.parameters for row in again.rows] == [(-400.0,), (-600.0,)]
        assert path.with_name("drive-sweep-study").joinpath("picture.png").stat().st_size > 1000


@AT_1280
def test_a_file_edited_by_hand_and_in_the_page_in_turns(edited, size):
    """Three turns each: every value is there, comments and order are kept, nothing else is changed."""
    text = "# by hand\n" + example_path("industrial-08b").read_text("utf-8")
    with edited(text, size) as (editor, path, _):
        wanted = text
        for teeth, links in ((19, 110), (21, 112), (23, 114)):
            editor.press("motor", "#parts")
            editor.fill("wheels[0].teeth", str(teeth))
            editor.press("Save")
            editor.wait("!c.state.unsaved")
            wanted = re.sub(r"teeth = \d+", f"teeth = {teeth}", wanted, count=1)
            assert path.read_text("utf-8") == wanted
            wanted = re.sub(r"links = \d+", f"links = {links}", wanted, count=1) + f"# {links} links: by hand\n"
            path.write_text(wanted, encoding="utf-8")
            editor.wait(f"c.fields.chain.links === {links}")
            assert editor.opened.state("text") == wanted
        assert editor.actions < 12


A_DAY = 4320
"""Requests for news in 24 h, of 20 s each."""


@pytest.mark.parametrize("polls", [40, pytest.param(A_DAY, marks=pytest.mark.long)], ids=["minutes", "day"])
def test_a_page_left_open_stays_as_it_is(edited, monkeypatch, polls):
    """As many requests for news as in a day, answered at once: the page keeps nothing of them (the server:
    test_editor_server.py), and after the sleep of the machine it is there again, with the same token.
    """
    with edited(example_path("industrial-08b").read_text("utf-8")) as (editor, _path, server):
        page, session, answered = editor.page, server._session, 0
        state, devtools = session.state, page.context.new_cdp_session(page)

        def counted(*known):
            nonlocal answered
            answered += 1
            return state(*known)

        def kept():
            devtools.send("HeapProfiler.collectGarbage")
            nodes = page.evaluate("() => document.querySelectorAll('*').length")
            return nodes, devtools.send("Runtime.getHeapUsage")["usedSize"]

        def wait_for_polls(count):
            until = answered + count
            while answered < until:
                page.wait_for_timeout(20)

        page.unroute("**/*")  # which is looked at in all other tests, and takes time
        monkeypatch.setattr(session, "state", counted)
        monkeypatch.setattr("chaindrive.editor.session.PATIENCE", 0.0)
        session._notify()  # ends the request that waits
        wait_for_polls(20)  # what is kept once is kept
        nodes, heap = kept()
        wait_for_polls(polls)
        later = kept()
        assert later[0] == nodes
        assert later[1] < heap + 2_000_000  # bytes; it varies by half of that
        monkeypatch.setattr("chaindrive.editor.session.PATIENCE", 1.0)
        page.context.set_offline(True)
        lost = page.get_by_text("The editor has ended or does not respond")
        lost.wait_for()
        page.context.set_offline(False)
        lost.wait_for(state="detached")
        editor.opened.problems.clear()  # requests that failed meanwhile
        editor.press("motor", "#parts")
        editor.fill("wheels[0].teeth", "19")
        editor.wait("c.fields.wheels[0].teeth === 19")
