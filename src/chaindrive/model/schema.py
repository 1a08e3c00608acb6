"""The JSON Schema of drive files, for editors and other programs.

``python -m chaindrive.model.schema`` writes it anew into the package.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from chaindrive.model.drive import Drive

__all__ = ["drive_schema", "schema_path", "schema_text"]


def drive_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of what a drive file may say. Relations between values are checked by Drive only."""
    schema = Drive.model_json_schema(mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def schema_path() -> Path:
    """Where the schema stands in the package."""
    return Path(__file__).with_name("drive.schema.json")


def schema_text() -> str:
    """The schema as it is written to its file."""
    return json.dumps(drive_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    schema_path().write_text(schema_text(), encoding="utf-8")
