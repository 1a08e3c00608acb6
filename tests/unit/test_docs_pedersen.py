"""The pages of Pedersen's figures: every figure on one of them, one alone by its number, with working code below it."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pedersen
import pytest
from _pedersen.page import slug
from _pedersen.snippets import snippet
from _site.tables import _every_channel

import chaindrive as cd
from chaindrive.plots import PLOTS

FOLDER = Path(pedersen.__file__).parent
CHANNELS = {channel.name for channel in _every_channel()}
NUMBERS = [*pedersen.FIGURES, *pedersen.OF_STUDIES]


def test_every_figure_is_on_one_page():
    grouped = [number for numbers in pedersen.GROUPS.values() for number in numbers]
    assert sorted(grouped) == sorted(NUMBERS)
    for title, numbers in pedersen.GROUPS.items():
        text = (FOLDER / "pedersen" / f"{slug(title)}.md").read_text(encoding="utf-8")
        assert text.startswith(f"# {title}\n")
        assert text.count("\n## ") == len(numbers)
        assert all(f"## Figure {number}:" in text for number in numbers if number.startswith("5"))
        assert all(snippet(number) in text for number in numbers)
    assert len(list((FOLDER / "pedersen").glob("*.md"))) == len(pedersen.GROUPS)


def test_one_figure_alone(tmp_path, monkeypatch):
    """A figure that needs no run: that of the formula of a moving string."""
    monkeypatch.chdir(tmp_path)
    made = pedersen.write_figure("5.49", tmp_path / "runs", 1)
    assert [path.name for path in made] == ["5-49.png", "5-49.md"]
    assert made[0].read_bytes().startswith(b"\x89PNG")
    assert "![natural frequency of segment 1 at P_b/25](5-49.png)" in made[1].read_text(encoding="utf-8")
    assert list(tmp_path.glob("runs/*")) == []


def test_a_figure_makes_the_runs_that_it_needs(tmp_path):
    asked = []

    def make(case):
        asked.append(case.key)
        raise StopIteration

    runs = pedersen.RunsOnDemand(pedersen.all_cases(), make)
    with pytest.raises(StopIteration):
        pedersen.entry("5.21", runs, dict)
    assert asked == ["s90-joint-0.5"]


@pytest.mark.parametrize("number", [number for number in NUMBERS if snippet(number)])
def test_code_below_a_figure(number):
    """The code is short; its drive can be made, and its plot accepts these arguments."""
    tree = ast.parse(snippet(number))
    assert len(ast.unparse(tree).splitlines()) <= 10
    made = {target.id: each.value for each in tree.body if isinstance(each, ast.Assign) for target in each.targets
            if isinstance(target, ast.Name)}  # fmt: skip
    if "drive" not in made or "run" not in made:
        return
    drive = eval(ast.unparse(made["drive"]), {"cd": cd})
    plots = [node for node in ast.walk(made["figure"]) if isinstance(node, ast.Call)]
    for call in (each for each in plots if ast.unparse(each.func).startswith("run.plot.")):
        given = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
        inspect.signature(PLOTS[call.func.attr.replace("_", "-")]).bind(None, **given)
        assert 0 <= given.get("link", 0) < drive.chain.links
        assert 0 <= given.get("span", 0) < len(drive.span_names)
    for channel in (node.slice.value for node in ast.walk(made["figure"]) if isinstance(node, ast.Subscript)
                    and ast.unparse(node.value) == "run"):  # fmt: skip
        assert channel in CHANNELS
