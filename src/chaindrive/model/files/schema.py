"""The JSON Schema of drive files, for editors and other programs.

``python -m chaindrive.model.files.schema`` writes it into the package.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from chaindrive.model.checks.open_chain import LEAST_LINKS, LEAST_WHEELS
from chaindrive.model.drive import Drive

__all__ = ["drive_schema", "schema_path", "schema_text"]


def drive_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of drive files. Only Drive checks relations between values."""
    schema = Drive.model_json_schema(mode="validation")
    _with_bicycle(schema)
    _with_sheaves(schema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _with_bicycle(schema: dict[str, Any]) -> None:
    """With a bicycle, wheels, bodies and links are optional, and values given for a wheel override the derived ones."""
    parts = schema["$defs"]
    for name, field in (("Wheel", "wheels"), ("Body", "bodies")):
        whole = parts[name]
        said = f"Values that replace those of the bicycle for its part of this name; see {name}."
        values = {key: {"description": value["description"]} for key, value in whole["properties"].items()}
        parts[f"{name}OfBicycle"] = {
            "type": "object",
            "title": f"{name}OfBicycle",
            "description": said,
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
    """With sheaves there is no contact between rollers and teeth."""
    schema["required"].remove("contact")
    schema["allOf"] = [{"if": {"not": {"required": ["sheaves"]}}, "then": {"required": ["contact"]}}]


def schema_path() -> Path:
    """Location of the schema in the package."""
    return Path(__file__).with_name("drive.schema.json")


def schema_text() -> str:
    """The schema as written to its file."""
    return json.dumps(drive_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    schema_path().write_text(schema_text(), encoding="utf-8")
