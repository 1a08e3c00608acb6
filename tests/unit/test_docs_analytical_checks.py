"""The page of closed-form solutions: it names every public function, and its example runs unchanged."""

import inspect
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

from chaindrive.analyses import analytical, linear

PAGE = Path(__file__).parents[2] / "docs" / "analytical-checks.md"
ROOMS = (analytical, linear)
MODULES = sorted(found.name for room in ROOMS for found in pkgutil.iter_modules(room.__path__, f"{room.__name__}."))


@pytest.mark.parametrize("name", MODULES)
def test_every_function_is_named(name):
    module = import_module(name)
    text = PAGE.read_text(encoding="utf-8")
    functions = [public for public in module.__all__ if inspect.isfunction(getattr(module, public))]
    missing = [f for f in functions if not re.search(rf"\b{f}\b", text) and f != "operating_point"]
    assert not missing
    assert all(inspect.getdoc(getattr(module, function)) for function in functions)


def test_every_name_exists():
    text = PAGE.read_text(encoding="utf-8").split("| what | function |")[1].split("All modules are in")[0]
    for line in text.splitlines()[2:]:
        cells = line.split("|")
        if len(cells) > 2:
            module = None
            for part in re.findall(r"`([a-z_.]+)`", cells[2]):
                *place, name = part.split(".")
                if place:
                    root = "chaindrive" if place[0] == "plots" else "chaindrive.analyses"
                    module = import_module(".".join([root, *place]))
                assert hasattr(module, name), part


def test_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code = PAGE.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    exec(compile(code, str(PAGE), "exec"), {})
    assert (tmp_path / "stability.png").stat().st_size > 10_000
    assert "crankshaft - counterweight 2 transverse" in capsys.readouterr().out
