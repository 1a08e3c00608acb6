"""Signatures of models: short, complete, and true."""

import inspect

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
