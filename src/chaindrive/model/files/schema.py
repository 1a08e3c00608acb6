"""The JSON Schemas of the files of drives and studies, for editors and other programs.

``python -m chaindrive.model.files.schema`` writes them into the package, beside the examples.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chaindrive.model.catalogue.chains import chain_names
from chaindrive.model.checks.open_chain import LEAST_LINKS, LEAST_WHEELS
from chaindrive.model.drive import Drive
from chaindrive.model.files.text import example_names, example_path
from chaindrive.model.study.description import Study
from chaindrive.model.study.files import study_names, study_path
from chaindrive.model.study.optimisation import Optimisation

__all__ = ["SCHEMAS", "drive_schema", "schema_line", "schema_path", "schema_text", "study_schema"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_line(kind: str = "drive") -> str:
    """Return the first line of a file of this kind. It tells editors that know Taplo's directive which schema in the
    same folder to use.
    """
    return f"#:schema {kind}.schema.json"


def drive_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of drive files. It does not check relations between values; only Drive
    does.
    """
    schema = Drive.model_json_schema(mode="validation")
    _with_bicycle(schema)
    _with_sheaves(schema)
    _or_else(schema["$defs"]["Chain"]["properties"]["standard"], {"enum": [*chain_names()]})
    _unknown_keys_at_their_place(schema)
    return {"$schema": DIALECT, **schema}


def study_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of study files. It does not check relations between values; only the
    models do.
    """
    kinds = {model.__name__: model.model_json_schema(mode="validation") for model in (Optimisation, Study)}
    parts: dict[str, Any] = {}
    for schema in kinds.values():
        parts |= schema.pop("$defs")
        _or_else(schema["properties"]["drive"], {"enum": [*example_names()]})
    for name in ("Parameter", "Variable"):
        _or_else(parts[name]["properties"]["set"], {"type": "string"})
    _or_else(parts["FigureOfMerit"]["properties"]["measured"], {"type": "string"})
    parts["Measurement"]["required"] = []
    parts["Measurement"]["anyOf"] = [{"required": ["file"]}, {"required": ["times", "values"]}]
    for schema in (*parts.values(), *kinds.values()):
        _unknown_keys_at_their_place(schema)
    search = {"anyOf": [{"required": [key]} for key in ("minimise", "maximise", "variables")]}
    return {
        "$schema": DIALECT,
        "$defs": parts | kinds,
        "title": "Study",
        "description": "A study: many runs of a drive, or a search for its best values.",
        "type": "object",
        "properties": {key: value for schema in kinds.values() for key, value in schema["properties"].items()},
        "if": search,
        "then": {"$ref": "#/$defs/Optimisation"},
        "else": {"$ref": "#/$defs/Study"},
    }


def _with_bicycle(schema: dict[str, Any]) -> None:
    """Make wheels, bodies and links optional if there is a bicycle, so that values given for them replace the derived
    ones.
    """
    parts = schema["$defs"]
    for name, field in (("Wheel", "wheels"), ("Body", "bodies")):
        whole = parts[name]
        text = f"Values for the part of the bicycle with this name, which replace the derived ones; see {name}."
        values = {key: {"description": value["description"]} for key, value in whole["properties"].items()}
        parts[f"{name}OfBicycle"] = {
            "type": "object",
            "title": f"{name}OfBicycle",
            "description": text,
            "properties": values | {"name": whole["properties"]["name"]},
            "additionalProperties": False,
            "required": ["name"],
        }
        either = [{"$ref": f"#/$defs/{name}"}, {"$ref": f"#/$defs/{name}OfBicycle"}]
        schema["properties"][field]["items"] = {"anyOf": either}
        schema["properties"][field].pop("minItems", None)
    parts["Chain"]["required"].remove("links")
    closed = {"not": {"anyOf": [{"properties": {"chain": {"required": ["ends"]}}}, {"required": ["sheaves"]}]}}
    loop = {"wheels": {"minItems": LEAST_WHEELS}, "chain": {"properties": {"links": {"minimum": LEAST_LINKS}}}}
    wheels = {"required": ["wheels"], "properties": loop}
    whole = {
        "allOf": [{"if": closed, "then": wheels}],
        "properties": {
            "chain": {"required": ["links"]},
            "wheels": {"items": {"$ref": "#/$defs/Wheel"}},
            "bodies": {"items": {"$ref": "#/$defs/Body"}},
        },
    }
    schema |= {"if": {"not": {"required": ["bicycle"]}}, "then": whole}


def _with_sheaves(schema: dict[str, Any]) -> None:
    """Do not require the contact between rollers and teeth if there are sheaves."""
    schema["required"].remove("contact")
    schema["allOf"] = [{"if": {"not": {"required": ["sheaves"]}}, "then": {"required": ["contact"]}}]


def _or_else(field: dict[str, Any], other: dict[str, Any]) -> None:
    """Add an alternative to the schema of a field, such as a single string in place of a list."""
    plain = {key: field.pop(key) for key in tuple(field) if key not in ("title", "description", "default")}
    field["anyOf"] = [other, *plain.pop("anyOf", [plain])]


def _unknown_keys_at_their_place(schema: dict[str, Any]) -> None:
    """Refuse unknown keys one by one; with a plain false, editors would mark the whole table or file instead of the
    key.
    """
    for table in (schema, *schema.get("$defs", {}).values()):
        if table.get("additionalProperties") is False:
            table["additionalProperties"] = {"not": {"description": "A key of this name"}}


def _without_permissions(part: Any) -> Any:
    """Return the schema without ``additionalProperties: true``, which has no effect but is written by later versions of
    pydantic.
    """
    if isinstance(part, dict):
        return {k: _without_permissions(v) for k, v in part.items() if k != "additionalProperties" or v is not True}
    return [_without_permissions(each) for each in part] if isinstance(part, list) else part


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {"drive": drive_schema, "study": study_schema}
"""The function that makes the schema of each kind of file."""


def schema_path(kind: str = "drive") -> Path:
    """Return the path of a schema in the package. It lies beside the examples, whose first lines name it."""
    beside = study_path(study_names()[0]) if kind == "study" else example_path(example_names()[0])
    return beside.with_name(f"{kind}.schema.json")


def schema_text(kind: str = "drive") -> str:
    """Return the schema of a kind of file, as text for its file."""
    return json.dumps(_without_permissions(SCHEMAS[kind]()), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for kind in SCHEMAS:
        schema_path(kind).write_text(schema_text(kind), encoding="utf-8")
