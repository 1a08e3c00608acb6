"""The standard text about how a page was made, and the storage of its runs."""

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
    """Today's date, such as 2026-11-25."""
    return datetime.now(UTC).date().isoformat()


def made(date: str = "", version: str = chaindrive.__version__, kernels: str = "") -> str:
    """The text that states when and with which version a page was made; ``tests/unit/test_docs_validation_age.py``
    looks for it.

    By default this is today, with the chaindrive that is imported.
    """
    libraries = ", ".join(f"{name} {metadata.version(name)}" for name in ("numpy", "scipy", "numba"))
    return (
        f"made on {date or today()} with chaindrive {version} (kernels {kernels or kernels_digest()}), "
        f"{libraries}, Python {platform.python_version()}"
    )


def kept_folder(name: str, given: Path | None = None) -> Path:
    """Folder for the runs of a page; there is one for each digest of the kernels, so that runs with other kernels are
    not used.

    given: used instead of ``build/validation/NAME``.
    """
    folder = (given or BUILD / name) / kernels_digest()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def kept(path: Path, compute: Callable[[], Any]) -> Any:
    """The content of a JSON file, which is computed and written if the file is missing."""
    if not path.exists():
        part = path.with_suffix(".part")
        part.write_text(json.dumps(compute(), indent=1, default=float), encoding="utf-8")
        part.replace(path)
    return json.loads(path.read_text(encoding="utf-8"))
