"""How drives and results show themselves in a notebook: complete, escaped, and never with a traceback."""

import base64
import io
import re
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from PIL import Image

import chaindrive as cd
from chaindrive import notebook
from chaindrive.drawing.scene import scene_of
from chaindrive.model import example_path, loads
from chaindrive.numbers import count
from support.moving_run import TIME, moving_run

pytestmark = pytest.mark.usefixtures("few_windows")

BAD = "</style><script>alert(1)</script>\"'größer 链条 مسنن"


class Page(HTMLParser):
    """Tags that are open at the end, elements by name, and the text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.text, self.cells = [], [], "", []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in ("br", "img"):
            self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data

    def tags(self):
        return {tag for tag, _ in self.elements}

    def after(self, *cells):
        """The cell after a run of cells."""
        for at in range(len(self.cells)):
            if tuple(self.cells[at : at + len(cells)]) == cells:
                return self.cells[at + len(cells)]
        raise AssertionError(f"{cells} in {self.cells}")


def renamed(name):
    drive = cd.example("timing-06b")
    fields = drive.to_dict()
    fields["name"] = fields["source"] = name
    fields["wheels"][0]["name"] = fields["guides"][0]["name"] = fields["tensioners"][0]["name"] = name
    return type(drive).from_dict(fields)


def test_drive():
    drive = cd.example("timing-06b")
    shown = drive._repr_html_()
    page = Page(shown)
    assert not page.open
    assert {"svg", "path", "circle", "table"} <= page.tags()
    assert page.after("chain") == "130 links of 9.525 mm, 06B-1"
    assert page.after("tensioners") == "hydraulic tensioner"
    wraps = np.degrees(scene_of(drive).route.wrap)
    assert page.after("crankshaft", "20", "front", "3000") == f"{wraps[0]:.1f}"
    assert page.after("exhaust camshaft", "40", "front") == "free"
    assert drive.source.split(",")[0] in page.text


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("make", [renamed, lambda name: moving_run(drive=renamed(name))], ids=["drive", "solution"])
def test_names_come_out_as_text(make):
    shown = make(BAD)._repr_html_()
    page = Page(shown)
    assert not page.open
    assert "script" not in page.tags()
    assert "<script" not in shown
    assert BAD in page.text
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]


def test_drive_that_cannot_be_placed_is_shown_without_its_drawing():
    text = example_path("industrial-08b").read_text(encoding="utf-8")
    drive = loads(re.sub(r"links = \d+", "links = 40", text))
    page = Page(drive._repr_html_())
    assert "cannot be drawn: " in page.text
    assert "svg" not in page.tags()
    assert page.after("motor", "17", "front") == "-500"  # clockwise


def test_solution():
    run = moving_run()
    run._reader.attrs["warnings"] = '["the pin <is> worn"]'
    run._reader.attrs["statistics"] = '{"steps": 12345, "wall_time": 4.25}'
    page = Page(run._repr_html_())
    assert not page.open
    (image,) = (attrs for tag, attrs in page.elements if tag == "img")
    head, data = image["src"].split(",")
    assert head == "data:image/png;base64"
    picture = Image.open(io.BytesIO(base64.b64decode(data)))
    assert 500 < picture.width < 1200
    assert image["alt"]
    assert page.after("time") == f"0 s to 50 ms, {TIME.size} instants"
    assert page.after("ended").startswith("The run reached its end")
    assert page.after("steps") == count(12345)
    assert "the pin <is> worn" in page.text
    assert page.after("work input") == "5.000"  # 100 W over 50 ms
    assert page.after("lost in friction on teeth") == "5.000"
    assert page.after("link_tension") == "N"
    assert page.after("body_position", "m") == "1 body × 2 axis"


def test_the_verdict_stands_first():
    """Above the picture, with sign, word and the reasons for each answer."""
    run = moving_run()
    found, text = run.verdict, run._repr_html_()
    page = Page(text)
    assert text.index("Link tension") < text.index('class="picture"')
    assert f"{found.part.name} {found.window}" in page.text
    for tile in found.tiles:
        assert page.after(tile.title) == tile.headline
        assert page.after(tile.title, tile.headline, f"{tile.mark} {tile.word}").startswith(tile.lines[0])
    classes = [attrs.get("class") for tag, attrs in page.elements if tag == "td"]
    assert [each for each in classes if each in ("good", "near", "beyond", "open")] == [
        tile.sign.name.lower() for tile in found.tiles
    ]


def test_solution_without_the_channels_of_the_picture():
    page = Page(moving_run(drop=("roller_position",))._repr_html_())
    assert "img" not in page.tags()
    assert "no picture: " in page.text
    assert "roller_position" in page.text
    assert page.after("link_tension") == "N"


def test_solution_of_a_run_that_diverged():
    run = moving_run()
    for name in ("roller_position", "wheel_angle", "body_position", "link_tension"):
        run._reader._table[name][-3:] = np.nan
    page = Page(run._repr_html_())
    assert "not shown in full" not in page.text
    assert page.after("link_tension") == "N"


def test_solution_of_a_file_that_was_closed_or_holds_nothing(tmp_path):
    moving_run().save(tmp_path / "run.nc")
    with cd.open(tmp_path / "run.nc") as stored:
        assert "img" in Page(stored._repr_html_()).tags()
    page = Page(stored._repr_html_())
    assert not page.open
    assert "not shown in full: " in page.text
    assert "has been closed" in page.text
    empty = moving_run()
    empty._reader._time = empty._reader._time[:0]
    empty._reader._table = {name: values[:0] for name, values in empty._reader._table.items()}
    page = Page(empty._repr_html_())
    assert page.after("time") == "nothing stored"
    assert "img" not in page.tags()


def test_a_display_never_fails(monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("<b>")

    monkeypatch.setattr(notebook, "_chain_facts", broken)
    shown = cd.example("industrial-08b")._repr_html_()
    page = Page(shown)
    assert "industrial 08B" in page.text
    assert "ZeroDivisionError: <b>" in page.text
    assert "b" not in page.tags()
    monkeypatch.setattr(type(moving_run()), "name", property(broken))
    assert "<Solution>" in Page(moving_run()._repr_html_()).text


def test_nothing_of_it_is_loaded_before_it_is_shown():
    code = "import sys, chaindrive; chaindrive.Drive; chaindrive.Solution; "
    code += "print([n for n in ('chaindrive.notebook', 'matplotlib', 'jinja2', 'IPython') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_verdict_shows_itself():
    """It appears as the table above the picture of its run, escaped."""
    found = moving_run(drive=renamed(BAD)).verdict
    text = found._repr_html_()
    page = Page(text)
    assert not page.open
    assert "script" not in page.tags()
    assert f"{found.part.name} {found.window}" in page.text
    assert found.summary in page.text
    for tile in found.tiles:
        assert page.after(tile.title, tile.headline) == f"{tile.mark} {tile.word}"


def test_several_results_in_one_report(monkeypatch):
    monkeypatch.setattr("chaindrive.simulation.progress.in_notebook", lambda: True)
    shown = cd.show([moving_run(), moving_run()], labels=["before", "after"], frames=5, height=500)._repr_html_()
    (frame,) = [attrs for tag, attrs in Page(shown).elements if tag == "iframe"]
    assert "height: 500px" in frame["style"]
    assert frame["sandbox"] == "allow-scripts allow-downloads"
    assert {"before", "after"} <= {cell.strip() for cell in re.findall(r">([^<>]+)<", frame["srcdoc"])}
