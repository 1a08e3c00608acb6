"""Origin of a page: its standard text, and the storage of its runs."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import chaindrive
from chaindrive.kernels.source import kernels_digest

BUILD = Path(__file__).parents[2] / "build" / "validation"
"""Default folder of stored runs."""


def today() -> str:
    """The date of today, such as 2026-11-25."""
    return datetime.now(UTC).date().isoformat()


def made(date: str = "", version: str = chaindrive.__version__, kernels: str = "") -> str:
    """Date and version with which a page was made; ``tests/unit/test_docs_validation_age.py`` looks for it.

    By default today, by the chaindrive that is imported.
    """
    libraries = ", ".join(f"{name} {metadata.version(name)}" for name in ("numpy", "scipy", "numba"))
    return (
        f"made on {date or today()} with chaindrive {version} (kernels {kernels or kernels_digest()}), "
        f"{libraries}, Python {platform.python_version()}"
    )


def kept_folder(name: str, given: Path | None = None) -> Path:
    """Folder for the runs of a page, one for each digest of the kernels, so that runs of other kernels do not count.

    given: takes the place of ``build/validation/NAME``.
    """
    folder = (given or BUILD / name) / kernels_digest()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def kept(path: Path, compute: Callable[[], Any]) -> Any:
    """Content of a JSON file; computed and written if missing."""
    if not path.exists():
        part = path.with_suffix(".part")
        part.write_text(json.dumps(compute(), indent=1, default=float), encoding="utf-8")
        part.replace(path)
    return json.loads(path.read_text(encoding="utf-8"))
