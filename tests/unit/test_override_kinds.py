"""Another kind of a thing by ``override``: keys of the old kind are removed, in every table that has kinds."""

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import BaseModel

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.model import Drive, example_names, override
from chaindrive.model.problems import models_in


def choices(model: BaseModel, path: str = "") -> Iterator[tuple[str, str, list[str]]]:
    """Place of every table that has kinds, the field that decides which, and the other kinds."""
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        members = list(models_in(field.annotation))
        for number, part in enumerate(value if isinstance(value, tuple) else (value,)):
            if not isinstance(part, BaseModel):
                continue
            place = f"{path}{name}.{number}" if isinstance(value, tuple) else f"{path}{name}"
            for tag in ("kind", "form"):
                others = [kind for each in members for kind in kinds(each, tag) if kind not in kinds(type(part), tag)]
                if others and tag in type(part).model_fields:
                    yield place, tag, list(dict.fromkeys(others))
            yield from choices(part, f"{place}.")


def kinds(model: type[BaseModel], tag: str) -> tuple[Any, ...]:
    return get_args(model.model_fields[tag].annotation) if tag in model.model_fields else ()


def cases() -> list[tuple[str, str, str, str]]:
    """Every change of one kind into another that the examples offer, each once."""
    found = {}
    for name in example_names():
        drive = cd.example(name)
        for place, tag, others in choices(drive):
            table: Any = drive
            for part in place.split("."):
                table = table[int(part)] if part.isdigit() else getattr(table, part)
            for other in others:
                found.setdefault((type(table), tag, other), (name, place, tag, other))
    return sorted(found.values())


CASES = cases()


def test_there_are_kinds_all_over_a_drive() -> None:
    fields = {place.split(".")[-1 if not place[-1].isdigit() else -2] for _, place, _, _ in CASES}
    assert {"tooth", "motion", "formulation", "joint", "shape"} <= fields


@pytest.mark.parametrize(("name", "place", "tag", "other"), CASES, ids=[f"{c[1]}={c[3]}" for c in CASES])
def test_nothing_of_the_old_kind_is_in_the_way(name: str, place: str, tag: str, other: str) -> None:
    """The only remaining problems are missing keys of the new kind, or its incompatibility with other parts."""
    drive = cd.example(name)
    try:
        changed: Any = override(drive, {f"{place}.{tag}": other})
    except InputError as error:
        messages = [problem.message for problem in error.problems]
        assert not any("applies to" in text and f"not to {other!r}" in text for text in messages), messages
        assert not any("not a known field" in text for text in messages), messages
    else:
        for part in place.split("."):
            changed = changed[int(part)] if part.isdigit() else getattr(changed, part)
        assert getattr(changed, tag) == other


def small(tooth: dict[str, Any]) -> Drive:
    fields = cd.example("industrial-08b").to_dict()
    fields["wheels"][0]["tooth"] = tooth
    return Drive.from_dict(fields)


def test_values_that_both_kinds_have_stay_and_defaults_do_not() -> None:
    drive = small({"form": "asa-ii", "flank_factor": 1.24})
    changed = override(drive, {"wheels.0.tooth.form": "iso-606"})
    assert changed.wheels[0].tooth.form == "iso-606"
    assert changed.wheels[0].tooth == small({"form": "iso-606"}).wheels[0].tooth
    back = override(changed, {"wheels.0.tooth.form": "asa-ii"})
    assert back.wheels[0].tooth == small({"form": "asa-ii"}).wheels[0].tooth


@pytest.mark.parametrize("backwards", [False, True])
def test_values_of_the_new_kind_may_be_given_in_any_order(backwards: bool) -> None:
    changes = [("wheels.0.tooth.form", "asa-ii"), ("wheels.0.tooth.flank_factor", 1.24)]
    changed = override(small({"form": "iso-606"}), dict(changes[::-1] if backwards else changes))
    assert changed.wheels[0].tooth == small({"form": "asa-ii", "flank_factor": 1.24}).wheels[0].tooth


@pytest.mark.parametrize(("name", "kind"), [("v6-timing", "link"), ("omar-112", "spatial"), ("motorcycle", "roller")])
def test_a_word_that_another_kind_has_too_changes_no_kind(name: str, kind: str) -> None:
    formulation = override(cd.example(name), {"run.formulation.friction_law": "smoothed"}).run.formulation
    assert (formulation.kind, formulation.friction_law) == (kind, "smoothed")
