"""The schema of drive files as a validator, made once in a process."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from chaindrive.model.files.schema import drive_schema


@functools.cache
def drive_validator() -> Any:
    """Validates tables of drive files; skips the test where jsonschema is missing."""
    return pytest.importorskip("jsonschema").Draft202012Validator(drive_schema())
