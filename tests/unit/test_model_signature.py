"""Signatures of models: short, complete and correct."""

import ast
import inspect
import runpy
from pathlib import Path

import pytest

import chaindrive as cd
from chaindrive.model.base import Model


def models(base=Model):
    """All models of the package."""
    for each in base.__subclasses__():
        yield each
        yield from models(each)


def test_all_are_readable_and_complete():
    for model in models():
        signature = inspect.signature(model)
        assert set(signature.parameters) == set(model.model_fields)
        assert len(str(signature)) < 60 + 60 * len(model.model_fields), model
        required = [name for name, each in signature.parameters.items() if each.default is each.empty]
        assert set(required) == {name for name, field in model.model_fields.items() if field.is_required()}


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("position", "position: tuple[float | str, float | str]"),
        ("teeth", "teeth: int"),
        ("side", "side: Literal['front', 'back'] = 'front'"),
        ("mass", "mass: float | str | None = None"),
        ("tooth", "tooth: AsaTooth | IsoTooth | ConveyorTooth | ..."),
        ("loads", "loads: tuple[WheelLoad, ...] = ()"),
    ],
)
def test_a_wheel(name, shown):
    assert str(inspect.signature(cd.Wheel).parameters[name]) == shown


def test_editors_and_type_checkers_have_the_parameters():
    """calls.pyi is up to date, every part of the public interface has its base there, and states the permitted
    types.
    """
    made = runpy.run_path(str(Path(__file__).parents[2] / "packaging" / "calls.py"))
    text = made["calls_text"]()
    assert made["calls_path"]().read_text("utf-8") == text, "run python packaging/calls.py"
    offered = {name for name in cd.__all__ if isinstance(part := getattr(cd, name), type) and issubclass(part, Model)}
    assert {part.__name__ for part in made["PARTS"]} == offered
    parts = {each.name: each for each in ast.parse(text).body if isinstance(each, ast.ClassDef)}
    wheel = {each.arg: ast.unparse(each.annotation) for each in parts["WheelCall"].body[0].args.kwonlyargs}
    assert wheel.keys() == cd.Wheel.model_fields.keys()
    assert wheel["inertia"] == "float | str | None"
    assert wheel["position"] == "Sequence[float | str]"
    chain = parts["ChainCall"].body[0].args
    assert all(chain.kw_defaults)  # with "standard" nothing else is needed
